#include "schedule/export.h"

#include <stdio.h>
#include <string.h>

static const char HEADER[] =
    "job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,"
    "execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources\n";

static bool put(const orr_sink *sink, const char *text, size_t size)
{
    return sink->write(sink->user, text, size);
}

static bool put_text(const orr_sink *sink, const char *text)
{
    return put(sink, text, strlen(text));
}

/* An id, quoted as RFC 4180 asks where it needs to be, with #number for all but the last attempt.
 */
static bool put_id(const orr_sink *sink, const char *id, int32_t number, bool last)
{
    char suffix[16] = "";
    if (!last)
        snprintf(suffix, sizeof suffix, "#%d", (int)number);
    if (!strpbrk(id, ",\"\r\n"))
        return put_text(sink, id) && put_text(sink, suffix);
    if (!put_text(sink, "\""))
        return false;
    for (const char *quote = strchr(id, '"'); quote; quote = strchr(id, '"')) {
        if (!put(sink, id, (size_t)(quote - id) + 1) || !put_text(sink, "\""))
            return false;
        id = quote + 1;
    }
    return put_text(sink, id) && put_text(sink, suffix) && put_text(sink, "\"");
}

static bool put_processors(const orr_sink *sink, const orr_interval *intervals, int32_t count)
{
    char text[40];
    for (int32_t k = 0; k < count; k++) {
        const char *space = k > 0 ? " " : "";
        int n = intervals[k].low == intervals[k].high
                    ? snprintf(text, sizeof text, "%s%d", space, (int)intervals[k].low)
                    : snprintf(text, sizeof text, "%s%d-%d", space, (int)intervals[k].low,
                               (int)intervals[k].high);
        if (!put(sink, text, (size_t)n))
            return false;
    }
    return put_text(sink, "\n");
}

static bool put_attempt(const orr_instance *in, const orr_schedule *s, int64_t i,
                        const orr_sink *sink)
{
    const orr_attempt *a = &s->attempts[i];
    double submit = in->submit[a->job], execution = a->end - a->start;
    double turnaround = a->end - submit;
    char text[512], stretch[32] = "";
    if (execution > 0)
        snprintf(stretch, sizeof stretch, "%.17g", turnaround / execution);
    int n =
        snprintf(text, sizeof text, ",%.17g,%d,%.17g,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%s,", submit,
                 (int)in->jobs->procs[a->job], in->estimate[a->job], a->outcome == ORR_COMPLETED,
                 a->start, execution, a->end, a->start - submit, turnaround, stretch);
    return put_id(sink, orr_jobs_id(in->jobs, a->job), a->number, s->current[a->job] == i) &&
           put(sink, text, (size_t)n) &&
           put_processors(sink, s->intervals + a->first_interval, a->interval_count);
}

orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule,
                          const orr_sink *sink, orr_error *err)
{
    bool written = put_text(sink, HEADER);
    for (int64_t i = 0; written && i < schedule->count; i++)
        written = put_attempt(in, schedule, i, sink);
    return written ? ORR_OK : orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
}
