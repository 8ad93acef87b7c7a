/* Schedules as CSV: attempts of jobs, and spans of malleable tasks. */
#include "schedule/export.h"

#include "base/text_internal.h"
#include "schedule/stints.h"

#include <stdio.h>

enum { PIECE = 4096 }; /* bytes that the sink gets at once */

/* Intervals like `0-511 1024`, and the end of the line. */
static void put_processors(ori_text *t, const orr_interval *intervals, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        ori_text_printf(t, k > 0 ? " %d" : "%d", (int)intervals[k].low);
        if (intervals[k].high > intervals[k].low)
            ori_text_printf(t, "-%d", (int)intervals[k].high);
    }
    ori_text_char(t, '\n');
}

/* --- attempts of jobs ------------------------------------------------------------------------- */

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

static void put_attempt(ori_text *t, const orr_instance *in, const orr_schedule *s, int64_t i)
{
    const orr_attempt *a = &s->attempts[i];
    double submit = in->submit[a->job], execution = a->end - a->start;
    double turnaround = a->end - submit;
    char number[16] = "";
    if (s->current[a->job] != i)
        snprintf(number, sizeof number, "#%d", (int)a->number);
    ori_text_field(t, orr_jobs_id(in->jobs, a->job), number);
    ori_text_printf(t, ",w0,%.17g,%d,%.17g,%d,%s,%.17g,%.17g,%.17g,%.17g,%.17g,", submit,
                    (int)in->jobs->procs[a->job], orr_attempt_terms(in, s, a).estimate,
                    a->outcome == ORR_COMPLETED, state_of(a->outcome), a->start, execution, a->end,
                    a->start - submit, turnaround);
    if (execution > 0)
        ori_text_printf(t, "%.17g", turnaround / execution);
    ori_text_char(t, ',');
    put_processors(t, s->intervals + a->first_interval, a->interval_count);
}

orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule,
                          const orr_sink *sink, orr_error *err)
{
    char piece[PIECE];
    ori_text t = {.sink = sink, .text = piece, .capacity = sizeof piece};
    ori_text_puts(&t, HEADER);
    for (int64_t i = 0; i < schedule->count && t.status == ORR_OK; i++)
        put_attempt(&t, in, schedule, i);
    return ori_text_flush(&t) == ORR_OK
               ? ORR_OK
               : orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
}

/* --- spans of tasks --------------------------------------------------------------------------- */

typedef struct span_writer {
    const orr_tasks *tasks;
    const orr_stints *stints;
    ori_text text;
} span_writer;

static bool put_span(void *user, const orr_span *span)
{
    span_writer *w = user;
    const orr_stint *s = &w->stints->stints[span->stint];
    ori_text_field(&w->text, orr_tasks_id(w->tasks, span->task), "");
    ori_text_printf(&w->text, ",%s,%.17g,%.17g,%d,", orr_span_name(span->kind), span->start,
                    span->finish, (int)span->procs);
    put_processors(&w->text, w->stints->intervals + s->first_interval, s->interval_count);
    return w->text.status == ORR_OK;
}

orr_status orr_export_spans(const orr_tasks *tasks, const orr_stints *stints, double now,
                            const orr_sink *sink, orr_error *err)
{
    char piece[PIECE];
    span_writer w = {tasks, stints, {.sink = sink, .text = piece, .capacity = sizeof piece}};
    ori_text_puts(&w.text, "task,kind,start,finish,procs,processors\n");
    for (int64_t i = 0; i < stints->count && w.text.status == ORR_OK; i++)
        orr_stint_spans(stints, i, now, put_span, &w);
    return ori_text_flush(&w.text) == ORR_OK
               ? ORR_OK
               : orr_fail(err, ORR_ERR_IO, "the spans could not be written");
}
