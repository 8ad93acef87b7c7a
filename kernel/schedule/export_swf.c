/* Schedules in the Standard Workload Format, through the writer of logs. */
#include "schedule/export.h"

#include "workload/writer_internal.h"

#include <math.h>

/* What became of a job, by its last attempt. */
static ori_swf_result result_of(const orr_instance *in, const orr_schedule *s, int32_t job)
{
    static const ori_swf_result unfinished = {NAN, NAN, -1};
    if (s->current[job] < 0)
        return unfinished;
    const orr_attempt *a = &s->attempts[s->current[job]];
    double time = a->end - a->start;
    if (in->verification == 0 && a->end == orr_real_end(in, job, a->start))
        time = orr_job_length(in, job); /* which the difference may miss by a rounding */
    switch (a->outcome) {
    case ORR_COMPLETED:
        return (ori_swf_result){a->start - in->submit[job], time, 1};
    case ORR_KILLED:
        return (ori_swf_result){a->start - in->submit[job], time, 0};
    case ORR_CANCELLED:
        return (ori_swf_result){a->start - in->submit[job], time, 5};
    case ORR_RUNNING:
    case ORR_FAILED:
    case ORR_PREEMPTED:
    case ORR_NODE_FAILED:
        break;
    }
    return unfinished;
}

/* A job that was cancelled while it ran has that result already. */
static void note_withdrawal(const orr_instance *in, const orr_withdrawal *w,
                            ori_swf_result *results)
{
    double wait = w->time - in->submit[w->job];
    if (results[w->job].status != 5)
        results[w->job] = (ori_swf_result){wait >= 0 ? wait : NAN, NAN, 5};
}

orr_status orr_export_swf(const orr_instance *in, const orr_schedule *schedule, const char *policy,
                          const orr_sink *sink, orr_error *err)
{
    size_t bytes = (size_t)in->count * sizeof(ori_swf_result), size = 0, capacity = 0;
    char *text = NULL;
    ori_swf_result *results = orr_alloc(&in->alloc, bytes);
    if (!results)
        return orr_fail_memory(err, bytes);
    for (int32_t job = 0; job < in->count; job++)
        results[job] = result_of(in, schedule, job);
    for (int64_t i = 0; i < schedule->withdrawal_count; i++)
        note_withdrawal(in, &schedule->withdrawals[i], results);
    ori_swf_run run = {in->submit, in->estimate, results, in->procs, policy};
    orr_status status =
        ori_jobs_format_swf(in->jobs, &run, &text, &size, &capacity, &in->alloc, err);
    orr_release(&in->alloc, results, bytes);
    if (status != ORR_OK)
        return status;
    if (!sink->write(sink->user, text, size))
        status = orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
    orr_release(&in->alloc, text, capacity);
    return status;
}
