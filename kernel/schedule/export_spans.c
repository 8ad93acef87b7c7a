#include "schedule/export.h"
#include "schedule/stints.h"
#include "schedule_internal.h"

#include <stdio.h>

typedef struct writer {
    const orr_tasks *tasks;
    const orr_stints *stints;
    const orr_sink *sink;
    bool written;
} writer;

static bool put_span(void *user, const orr_span *span)
{
    writer *w = user;
    const orr_stint *s = &w->stints->stints[span->stint];
    char text[160];
    int n = snprintf(text, sizeof text, ",%s,%.17g,%.17g,%d,", orr_span_name(span->kind),
                     span->start, span->finish, (int)span->procs);
    w->written =
        ori_put_id(w->sink, orr_tasks_id(w->tasks, span->task), "") &&
        ori_put(w->sink, text, (size_t)n) &&
        ori_put_processors(w->sink, w->stints->intervals + s->first_interval, s->interval_count);
    return w->written;
}

orr_status orr_export_spans(const orr_tasks *tasks, const orr_stints *stints, double now,
                            const orr_sink *sink, orr_error *err)
{
    writer w = {.tasks = tasks, .stints = stints, .sink = sink};
    w.written = ori_put_text(sink, "task,kind,start,finish,procs,processors\n");
    for (int64_t i = 0; w.written && i < stints->count; i++)
        orr_stint_spans(stints, i, now, put_span, &w);
    return w.written ? ORR_OK : orr_fail(err, ORR_ERR_IO, "the spans could not be written");
}
