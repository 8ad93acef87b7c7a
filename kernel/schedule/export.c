#include "schedule/export.h"

#include "schedule_internal.h"

#include <stdio.h>

static const char HEADER[] =
    "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,"
    "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
    "allocated_resources\n";

/* Batsim knows no more states than these. */
static const char *state_of(orr_outcome outcome)
{
    switch (outcome) {
    case ORR_COMPLETED:
        return "COMPLETED_SUCCESSFULLY";
    case ORR_FAILED:
    case ORR_NODE_FAILED:
        return "COMPLETED_FAILED";
    case ORR_KILLED:
        return "COMPLETED_WALLTIME_REACHED";
    case ORR_PREEMPTED:
    case ORR_CANCELLED:
        return "COMPLETED_KILLED";
    case ORR_RUNNING:
        break;
    }
    return "RUNNING";
}

static bool put_attempt(const orr_instance *in, const orr_schedule *s, int64_t i,
                        const orr_sink *sink)
{
    const orr_attempt *a = &s->attempts[i];
    double submit = in->submit[a->job], execution = a->end - a->start;
    double turnaround = a->end - submit;
    char text[512], stretch[32] = "", number[16] = "";
    if (execution > 0)
        snprintf(stretch, sizeof stretch, "%.17g", turnaround / execution);
    int n =
        snprintf(text, sizeof text, ",w0,%.17g,%d,%.17g,%d,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%s,",
                 submit, (int)in->jobs->procs[a->job], orr_attempt_terms(in, s, a).estimate,
                 a->outcome == ORR_COMPLETED, state_of(a->outcome), a->start, execution, a->end,
                 a->start - submit, turnaround, stretch);
    if (s->current[a->job] != i)
        snprintf(number, sizeof number, "#%d", (int)a->number);
    return ori_put_id(sink, orr_jobs_id(in->jobs, a->job), number) &&
           ori_put(sink, text, (size_t)n) &&
           ori_put_processors(sink, s->intervals + a->first_interval, a->interval_count);
}

orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule,
                          const orr_sink *sink, orr_error *err)
{
    bool written = ori_put_text(sink, HEADER);
    for (int64_t i = 0; written && i < schedule->count; i++)
        written = put_attempt(in, schedule, i, sink);
    return written ? ORR_OK : orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
}
