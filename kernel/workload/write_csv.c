/* CSV of jobs, plain or in Mira's format, by the tables of columns of dialects.c;
 * and CSV of tasks, as read_tasks.c reads it. The Standard Workload Format has a file of its own
 * (write_swf.c). ori_text_field (base/text.c) quotes fields where necessary. */
#include "workload/write_swf_internal.h"

#include "base/try_internal.h"
#include "formats_internal.h"
#include "workload/jobs_internal.h"
#include "workload/select_internal.h"

#include <string.h>

/* --- jobs --------------------------------------------------------------------------------------*/

/* A job as the record that it would be read as, but for its calendar time. */
static ori_record record_of(const orr_jobs *jobs, int32_t job, orr_labels *names, ori_after *after)
{
    const char *text = orr_jobs_after(jobs, job);
    after->size = 0;
    if (text)
        ori_after_add(after, text, strlen(text), "");
    return (ori_record){.id.text = jobs->text + jobs->id[job],
                        .submit = jobs->submit[job],
                        .time = jobs->time[job],
                        .walltime = jobs->walltime[job],
                        .pays = orr_jobs_pays(jobs, job),
                        .procs = jobs->procs[job],
                        .requested = jobs->procs[job],
                        .machine_procs = jobs->machine_procs,
                        .label = orr_jobs_labels(jobs, job),
                        .names = names,
                        .after = after};
}

/* Whether a column is in the file. It writes fields as a test and removes them again. */
static bool is_wanted(ori_text *t, const orr_jobs *jobs, const ori_column *column,
                      orr_labels *names, ori_after *after)
{
    int64_t before = t->size;
    bool wanted = column->relation & ORI_WRITTEN;
    for (int32_t job = 0; (column->relation & ORI_IF_KNOWN) && job < jobs->count && !wanted;
         job++) {
        ori_record record = record_of(jobs, job, names, after);
        ori_column_write(column, &record, t);
        wanted = t->size > before;
        t->size = before;
    }
    return wanted;
}

static void put_jobs(ori_text *t, const orr_jobs *jobs, const ori_dialect *dialect)
{
    bool wanted[ORI_MOST_KNOWN] = {false};
    orr_labels names = jobs->names;
    ori_after after;
    int32_t pools = dialect == &ori_dialects[ORI_PLAIN] ? jobs->need_count : 0;
    for (int i = 0; i < dialect->count; i++) {
        wanted[i] = is_wanted(t, jobs, &dialect->columns[i], &names, &after);
        if (wanted[i])
            ori_text_printf(t, i > 0 ? ",%s" : "%s", dialect->columns[i].name);
    }
    for (int32_t i = 0; i < pools; i++)
        ori_text_printf(t, ",%s", jobs->needs[i].name);
    for (int32_t job = 0; job < jobs->count; job++) {
        ori_record record = record_of(jobs, job, &names, &after);
        if (dialect == &ori_dialects[ORI_MIRA])
            record.submitted.us = ori_jobs_submit_us(jobs, job);
        for (int i = 0; i < dialect->count; i++) {
            if (!wanted[i])
                continue;
            ori_text_char(t, i > 0 ? ',' : '\n');
            ori_column_write(&dialect->columns[i], &record, t);
        }
        for (int32_t i = 0; i < pools; i++)
            ori_text_printf(t, ",%lld", (long long)orr_jobs_need(jobs, job, i));
    }
    ori_text_char(t, '\n');
}

orr_status orr_jobs_format(const orr_jobs *jobs, orr_log_format format, char **text, size_t *size,
                           size_t *capacity, const orr_allocator *a, orr_error *err)
{
    if (format == ORR_LOG_SWF)
        return ori_jobs_format_swf(jobs, NULL, text, size, capacity, a, err);
    ORI_REFUSE(format == ORR_LOG_MIRA && !jobs->has_origin, err,
               "these jobs have no calendar times, which Mira's format needs");
    ori_text t = {.alloc = orr_allocator_or_default(a), .err = err};
    put_jobs(&t, jobs, &ori_dialects[format == ORR_LOG_MIRA ? ORI_MIRA : ORI_PLAIN]);
    return ori_text_hand_over(&t, text, size, capacity);
}

/* --- tasks -------------------------------------------------------------------------------------*/

/* Puts tasks with this number of columns of times; 0: with profiles. */
static void put_tasks(ori_text *b, const orr_tasks *tasks, int32_t columns)
{
    static const char *const profiles[] = {",synthetic:", ",amdahl:", ",power:"};
    ori_text_puts(b, columns > 0 ? "id,m" : "id,m,profile");
    for (int32_t j = 1; j <= columns; j++)
        ori_text_printf(b, ",%d", (int)j);
    for (int32_t task = 0; task < tasks->count; task++) {
        ori_text_char(b, '\n');
        ori_text_field(b, orr_tasks_id(tasks, task), "");
        ori_text_char(b, ',');
        ori_text_number(b, tasks->size[task]);
        for (int32_t j = 1; j <= columns; j++) {
            ori_text_char(b, ',');
            ori_text_number(b, orr_task_time(tasks, task, j));
        }
        if (tasks->profile[task] == ORR_PROFILE_TABLE)
            continue;
        ori_text_puts(b, profiles[tasks->profile[task]]);
        ori_text_number(b, tasks->parameter[task]);
    }
    ori_text_char(b, '\n');
}

orr_status orr_tasks_format(const orr_tasks *tasks, char **text, size_t *size, size_t *capacity,
                            const orr_allocator *a, orr_error *err)
{
    int32_t tables = 0, columns = 0;
    for (int32_t task = 0; task < tasks->count; task++) {
        tables += tasks->profile[task] == ORR_PROFILE_TABLE;
        columns = tasks->columns[task] > columns ? tasks->columns[task] : columns;
    }
    ORI_REFUSE(tables != 0 && tables != tasks->count, err,
               "%d of %d tasks are tables of times, the others are not: they cannot stand "
               "in one file",
               (int)tables, (int)tasks->count);
    ori_text b = {.alloc = orr_allocator_or_default(a), .err = err};
    put_tasks(&b, tasks, columns);
    return ori_text_hand_over(&b, text, size, capacity);
}
