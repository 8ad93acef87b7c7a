#include "workload/writer.h"

#include "base/text_internal.h"
#include "workload/select.h"

#include <math.h>
#include <string.h>

/* --- jobs --------------------------------------------------------------------------------------*/

static bool any_walltime(const orr_jobs *jobs)
{
    for (int32_t job = 0; job < jobs->count; job++)
        if (!isnan(jobs->walltime[job]))
            return true;
    return false;
}

static void find_labels(const orr_jobs *jobs, bool any[ORR_LABEL_KINDS])
{
    memset(any, 0, ORR_LABEL_KINDS * sizeof *any);
    for (int32_t job = 0; job < jobs->labelled; job++)
        for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
            any[kind] |= jobs->labels[job].of[kind] != 0;
}

static void put_label(ori_text *b, const orr_jobs *jobs, int32_t job, orr_label kind)
{
    const char *text = orr_jobs_label_text(jobs, job, kind);
    ori_text_put(b, ",", 1);
    if (text != NULL)
        ori_text_field(b, text, "");
}

static void put_plain_header(ori_text *b, bool walltime, const bool any[ORR_LABEL_KINDS])
{
    ori_text_puts(b, walltime ? "id,submit,procs,time,walltime" : "id,submit,procs,time");
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        ori_text_puts(b, any[kind] ? "," : "");
        ori_text_puts(b, any[kind] ? orr_label_name((orr_label)kind) : "");
    }
    ori_text_put(b, "\n", 1);
}

static void put_plain(ori_text *b, const orr_jobs *jobs)
{
    bool walltime = any_walltime(jobs), any[ORR_LABEL_KINDS];
    find_labels(jobs, any);
    put_plain_header(b, walltime, any);
    for (int32_t job = 0; job < jobs->count; job++) {
        ori_text_field(b, orr_jobs_id(jobs, job), "");
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->submit[job]);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->procs[job]);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->time[job]);
        if (walltime) {
            ori_text_put(b, ",", 1);
            ori_text_number(b, jobs->walltime[job]);
        }
        for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
            if (any[kind])
                put_label(b, jobs, job, (orr_label)kind);
        ori_text_put(b, "\n", 1);
    }
}

static void put_exit(ori_text *b, const orr_jobs *jobs, int32_t job)
{
    const char *status = orr_jobs_label_text(jobs, job, ORR_LABEL_STATUS);
    ori_text_put(b, ",", 1);
    if (status != NULL)
        ori_text_puts(b, strcmp(status, ORR_STATUS_COMPLETED) == 0 ? "0" : "1");
}

static void put_mira(ori_text *b, const orr_jobs *jobs)
{
    bool any[ORR_LABEL_KINDS];
    find_labels(jobs, any);
    ori_text_puts(b, "COBALT_JOBID,QUEUED_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,"
                     "NODES_REQUESTED");
    ori_text_puts(b, any[ORR_LABEL_USER] ? ",USERNAME_GENID" : "");
    ori_text_puts(b, any[ORR_LABEL_QUEUE] ? ",QUEUE_NAME" : "");
    ori_text_puts(b, any[ORR_LABEL_STATUS] ? ",EXIT_STATUS\n" : "\n");
    for (int32_t job = 0; job < jobs->count; job++) {
        char time[32];
        orr_utc_format(orr_jobs_submit_us(jobs, job), time);
        ori_text_field(b, orr_jobs_id(jobs, job), "");
        ori_text_put(b, ",", 1);
        ori_text_puts(b, time);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->walltime[job]);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->time[job]);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->procs[job]);
        ori_text_put(b, ",", 1);
        ori_text_number(b, jobs->procs[job]);
        if (any[ORR_LABEL_USER])
            put_label(b, jobs, job, ORR_LABEL_USER);
        if (any[ORR_LABEL_QUEUE])
            put_label(b, jobs, job, ORR_LABEL_QUEUE);
        if (any[ORR_LABEL_STATUS])
            put_exit(b, jobs, job);
        ori_text_put(b, "\n", 1);
    }
}

orr_status orr_jobs_format(const orr_jobs *jobs, orr_log_format format, char **text, size_t *size,
                           size_t *capacity, const orr_allocator *a, orr_error *err)
{
    if (format == ORR_LOG_SWF)
        return orr_jobs_format_swf(jobs, NULL, text, size, capacity, a, err);
    if (format == ORR_LOG_MIRA && !jobs->has_origin)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "these jobs have no calendar times, which Mira's format needs");
    ori_text b = {.alloc = orr_allocator_or_default(a), .err = err};
    if (format == ORR_LOG_MIRA)
        put_mira(&b, jobs);
    else
        put_plain(&b, jobs);
    return ori_text_hand_over(&b, text, size, capacity);
}

/* --- tasks -------------------------------------------------------------------------------------*/

static void put_profile(ori_text *b, const orr_tasks *tasks, int32_t task)
{
    static const char *const names[] = {"synthetic:", "amdahl:", "power:", ""};
    ori_text_puts(b, names[tasks->profile[task]]);
    ori_text_number(b, tasks->parameter[task]);
}

static void put_families(ori_text *b, const orr_tasks *tasks)
{
    ori_text_puts(b, "id,m,profile\n");
    for (int32_t task = 0; task < tasks->count; task++) {
        ori_text_field(b, orr_tasks_id(tasks, task), "");
        ori_text_put(b, ",", 1);
        ori_text_number(b, tasks->size[task]);
        ori_text_put(b, ",", 1);
        put_profile(b, tasks, task);
        ori_text_put(b, "\n", 1);
    }
}

static void put_tables(ori_text *b, const orr_tasks *tasks, int32_t columns)
{
    ori_text_puts(b, "id,m");
    for (int32_t j = 1; j <= columns; j++) {
        ori_text_put(b, ",", 1);
        ori_text_number(b, j);
    }
    ori_text_put(b, "\n", 1);
    for (int32_t task = 0; task < tasks->count; task++) {
        ori_text_field(b, orr_tasks_id(tasks, task), "");
        ori_text_put(b, ",", 1);
        ori_text_number(b, tasks->size[task]);
        for (int32_t j = 1; j <= columns; j++) {
            ori_text_put(b, ",", 1);
            ori_text_number(b, orr_task_time(tasks, task, j));
        }
        ori_text_put(b, "\n", 1);
    }
}

orr_status orr_tasks_format(const orr_tasks *tasks, char **text, size_t *size, size_t *capacity,
                            const orr_allocator *a, orr_error *err)
{
    int32_t tables = 0, columns = 0;
    for (int32_t task = 0; task < tasks->count; task++) {
        tables += tasks->profile[task] == ORR_PROFILE_TABLE;
        columns = tasks->columns[task] > columns ? tasks->columns[task] : columns;
    }
    if (tables != 0 && tables != tasks->count)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "%d of %d tasks are tables of times, the others are not: they cannot stand "
                        "in one file",
                        (int)tables, (int)tasks->count);
    ori_text b = {.alloc = orr_allocator_or_default(a), .err = err};
    if (tables > 0)
        put_tables(&b, tasks, columns);
    else
        put_families(&b, tasks);
    return ori_text_hand_over(&b, text, size, capacity);
}
