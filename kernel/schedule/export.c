/* Schedules as CSV, attempts of jobs and spans of malleable tasks, and in the Standard Workload
 * Format, through the writer of logs. */
#include "schedule/export.h"
#include "schedule/export_internal.h"

#include "base/block_internal.h"
#include "base/text_internal.h"
#include "base/try_internal.h"
#include "schedule/stints.h"
#include "workload/write_swf_internal.h"
#include "workload/zone.h"

#include <math.h>
#include <stdio.h>

#define YEAR_9999_US 253402300799e6 /* from 1970 on: the last that a date can name */

/* A field behind the first one. */
static void put_text(ori_text *t, const char *text)
{
    ori_text_char(t, ',');
    ori_text_puts(t, text);
}

static void put_number(ori_text *t, double value)
{
    ori_text_char(t, ',');
    ori_text_number(t, value);
}

static void put_integer(ori_text *t, int64_t value)
{
    ori_text_char(t, ',');
    ori_text_integer(t, value);
}

/* Intervals like `0-511 1024`. */
static void put_processors(ori_text *t, const orr_interval *intervals, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            ori_text_char(t, ' ');
        ori_text_integer(t, intervals[k].low);
        if (intervals[k].high > intervals[k].low) {
            ori_text_char(t, '-');
            ori_text_integer(t, intervals[k].high);
        }
    }
}

/* The nodes that intervals touch, counted from 1, like `1-4,7`, which must be quoted. */
static void put_nodes(ori_text *t, const orr_nodes *nodes, const orr_interval *intervals,
                      int32_t count)
{
    ori_text_puts(t, ",\"");
    for (int32_t k = 0, before = -1; k < count; k++) {
        int32_t low = orr_nodes_at(nodes, intervals[k].low), high = low;
        for (bool next = true; next; k += next) { /* those that follow without a gap */
            high = orr_nodes_at(nodes, intervals[k].high);
            next = k + 1 < count && orr_nodes_at(nodes, intervals[k + 1].low) <= high + 1;
        }
        if (before >= 0)
            ori_text_char(t, ',');
        ori_text_integer(t, low + 1);
        if (high > low) {
            ori_text_char(t, '-');
            ori_text_integer(t, high + 1);
        }
        before = high;
    }
    ori_text_char(t, '"');
}

/* --- attempts of jobs ------------------------------------------------------------------------- */

static const char HEADER[] =
    "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,"
    "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
    "allocated_resources,"
    /* columns of our own, behind theirs */
    "promised_starting_time,user,queue,policy,submission_date,starting_date,finish_date,"
    "machine_procs";

/* Batsim has only these states. */
static const char *state_of(orr_outcome outcome)
{
    static const char *const names[] = {
        [ORR_RUNNING] = "RUNNING",
        [ORR_COMPLETED] = "COMPLETED_SUCCESSFULLY",
        [ORR_FAILED] = "COMPLETED_FAILED",
        [ORR_KILLED] = "COMPLETED_WALLTIME_REACHED",
        [ORR_PREEMPTED] = "COMPLETED_KILLED",
        [ORR_CANCELLED] = "COMPLETED_KILLED",
        [ORR_NODE_FAILED] = "COMPLETED_FAILED",
    };
    return names[outcome];
}

static void put_label(ori_text *t, const orr_jobs *jobs, int32_t job, orr_label kind)
{
    const char *text = orr_jobs_label_text(jobs, job, kind);
    ori_text_char(t, ',');
    if (text)
        ori_text_field(t, text, "");
}

/* The date of an instant; empty where the instance has no origin. */
static void put_date(ori_text *t, const orr_instance *in, double time)
{
    double us = time * 1e6 + (double)in->origin_us;
    char text[32];
    ori_text_char(t, ',');
    if (!in->has_origin || !(fabs(us) < YEAR_9999_US))
        return;
    orr_zone_format(in->zone, llround(us), text);
    ori_text_puts(t, text);
}

static void put_own(ori_text *t, const orr_instance *in, const orr_attempt *a, const char *policy)
{
    put_number(t, a->promised);
    put_label(t, in->jobs, a->job, ORR_LABEL_USER);
    put_label(t, in->jobs, a->job, ORR_LABEL_QUEUE);
    ori_text_char(t, ',');
    ori_text_field(t, policy, "");
    put_date(t, in, in->submit[a->job]);
    put_date(t, in, a->start);
    put_date(t, in, a->end);
}

static void put_checkpoints(ori_text *t, const orr_attempt_checkpoints *c)
{
    put_number(t, c->kept);
    put_integer(t, c->spent.written);
}

/* Labels that have a column where the log has them. */
static const orr_label labels[] = {ORR_LABEL_PARTITION, ORR_LABEL_ACCOUNT, ORR_LABEL_QOS,
                                   ORR_LABEL_ARRAY};
enum { LABELS = sizeof labels / sizeof *labels };

/* The i-th need that is written: of pools, then of nodes; NULL: there are no more. */
static const char *need_at(const orr_instance *in, int32_t i)
{
    static const char *const own[] = {ORR_NEED_NODES, ORR_NEED_EXCLUSIVE};
    if (i < in->pool_count)
        return in->pools[i].name;
    i -= in->pool_count;
    if (!in->nodes || i >= 2 + in->nodes->resource_count)
        return NULL;
    return i < 2 ? own[i] : in->nodes->resources[i - 2];
}

static void put_shares(ori_text *t, const orr_instance *in, const orr_schedule *s,
                       const orr_attempt *a)
{
    const char *name;
    for (int32_t i = 0; (name = need_at(in, i)) != NULL; i++)
        put_integer(t, orr_jobs_need(in->jobs, a->job, orr_jobs_find_pool(in->jobs, name)));
    if (in->nodes)
        put_nodes(t, in->nodes, s->intervals + a->first_interval, a->interval_count);
}

void ori_export_attempt(ori_text *t, const orr_instance *in, const orr_schedule *s, int64_t i,
                        const char *policy)
{
    const orr_attempt *a = &s->attempts[i];
    double submit = in->submit[a->job], execution = a->end - a->start;
    double turnaround = a->end - submit;
    char number[16] = "";
    if (s->current[a->job] != i)
        snprintf(number, sizeof number, "#%d", (int)a->number);
    ori_text_field(t, orr_jobs_id(in->jobs, a->job), number);
    put_text(t, "w0");
    put_number(t, submit);
    put_integer(t, in->jobs->procs[a->job]);
    put_number(t, orr_attempt_terms(in, s, a).estimate);
    put_integer(t, a->outcome == ORR_COMPLETED);
    put_text(t, state_of(a->outcome));
    put_number(t, a->start);
    put_number(t, execution);
    put_number(t, a->end);
    put_number(t, a->start - submit);
    put_number(t, turnaround);
    put_number(t, execution > 0 ? turnaround / execution : NAN);
    ori_text_char(t, ',');
    put_processors(t, s->intervals + a->first_interval, a->interval_count);
    put_own(t, in, a, policy);
    put_integer(t, in->procs);
    if (s->checkpoints)
        put_checkpoints(t, &s->checkpoints[i]);
    for (int k = 0; k < LABELS; k++)
        if (in->jobs->labels[labels[k]].count > 0)
            put_label(t, in->jobs, a->job, labels[k]);
    put_shares(t, in, s, a);
    ori_text_char(t, '\n');
}

void ori_export_header(ori_text *t, const orr_instance *in, const orr_schedule *s)
{
    ori_text_puts(t, HEADER);
    ori_text_puts(t, s->checkpoints ? ",saved,checkpoints" : "");
    for (int i = 0; i < LABELS; i++)
        if (in->jobs->labels[labels[i]].count > 0)
            put_text(t, orr_label_name(labels[i]));
    const char *name;
    for (int32_t i = 0; (name = need_at(in, i)) != NULL; i++)
        put_text(t, name);
    ori_text_puts(t, in->nodes ? ",allocated_nodes\n" : "\n");
}

orr_status ori_export_finish(ori_text *t, orr_error *err)
{
    return ori_text_flush(t) == ORR_OK
               ? ORR_OK
               : orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
}

orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule, const char *policy,
                          const orr_sink *sink, orr_error *err)
{
    char piece[ORI_EXPORT_PIECE];
    ori_text t = {.sink = sink, .text = piece, .capacity = sizeof piece};
    ori_export_header(&t, in, schedule);
    for (int64_t i = 0; i < schedule->count && t.status == ORR_OK; i++)
        ori_export_attempt(&t, in, schedule, i, policy);
    return ori_export_finish(&t, err);
}

/* --- the Standard Workload Format ------------------------------------------------------------- */

/* The result of a job, by its last attempt. */
static ori_swf_result result_of(const orr_instance *in, const orr_schedule *s, int32_t job)
{
    static const ori_swf_result unfinished = {NAN, NAN, -1};
    if (s->current[job] < 0)
        return unfinished;
    const orr_attempt *a = &s->attempts[s->current[job]];
    double time = a->end - a->start;
    if (in->verification == 0 && a->end == orr_real_end(in, job, a->start))
        time = orr_job_length(in, job); /* which the difference may miss by a rounding */
    int status = a->outcome == ORR_COMPLETED   ? 1
                 : a->outcome == ORR_KILLED    ? 0
                 : a->outcome == ORR_CANCELLED ? 5
                                               : -1;
    return status < 0 ? unfinished : (ori_swf_result){a->start - in->submit[job], time, status};
}

orr_status orr_export_swf(const orr_instance *in, const orr_schedule *schedule, const char *policy,
                          const orr_sink *sink, orr_error *err)
{
    size_t size = 0, capacity = 0;
    char *text = NULL;
    ori_swf_result *results;
    ORI_SCRATCH(&in->alloc, ORI_RAW, err, ORI_PART(results, in->count));
    for (int32_t job = 0; job < in->count; job++)
        results[job] = result_of(in, schedule, job);
    for (int64_t i = 0; i < schedule->withdrawal_count; i++) {
        const orr_withdrawal *w = &schedule->withdrawals[i];
        double wait = w->time - in->submit[w->job];
        if (results[w->job].status != 5) /* otherwise it was cancelled while it ran */
            results[w->job] = (ori_swf_result){wait >= 0 ? wait : NAN, NAN, 5};
    }
    ori_swf_run run = {in->submit, in->estimate, results, in->procs, policy};
    ORI_TRY(ori_jobs_format_swf(in->jobs, &run, &text, &size, &capacity, &in->alloc, err));
    bool written = sink->write(sink->user, text, size);
    orr_release(&in->alloc, text, capacity);
    return written ? ORR_OK : orr_fail(err, ORR_ERR_IO, "the schedule could not be written");
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
    put_text(&w->text, orr_span_name(span->kind));
    put_number(&w->text, span->start);
    put_number(&w->text, span->finish);
    put_integer(&w->text, span->procs);
    ori_text_char(&w->text, ',');
    put_processors(&w->text, w->stints->intervals + s->first_interval, s->interval_count);
    ori_text_char(&w->text, '\n');
    return w->text.status == ORR_OK;
}

orr_status orr_export_spans(const orr_tasks *tasks, const orr_stints *stints, double now,
                            const orr_sink *sink, orr_error *err)
{
    char piece[ORI_EXPORT_PIECE];
    span_writer w = {tasks, stints, {.sink = sink, .text = piece, .capacity = sizeof piece}};
    ori_text_puts(&w.text, "task,kind,start,finish,procs,processors\n");
    for (int64_t i = 0; i < stints->count && w.text.status == ORR_OK; i++)
        orr_stint_spans(stints, i, now, put_span, &w);
    return ori_text_flush(&w.text) == ORR_OK
               ? ORR_OK
               : orr_fail(err, ORR_ERR_IO, "the spans could not be written");
}
