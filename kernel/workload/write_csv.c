/* CSV of jobs, plain or as Mira's, and of tasks, for read_plain.c, read_mira.c and read_tasks.c to
 * read. The Standard Workload Format has a file of its own (write_swf.c). Fields are quoted where
 * that is needed by ori_text_field (base/text.c). */
#include "workload/writer_internal.h"

#include "base/text_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"
#include "workload/utc.h"

#include <math.h>
#include <string.h>

/* --- jobs --------------------------------------------------------------------------------------*/

/* What of a job stands in a column. */
typedef enum content {
    ID,
    STAMP, /* its submission as calendar time */
    PROCS,
    NUMBER, /* in one of the arrays of jobs */
    LABEL,
    EXIT /* its status as a number: 0 for completed, else 1 */
} content;

typedef struct csv_column {
    const char *name;
    size_t of; /* a number: the offset of the array; a label: its kind */
    content is;
    bool optional; /* left out where no job has it */
} csv_column;

enum { MOST_COLUMNS = 9 };

static const csv_column plain[MOST_COLUMNS] = {
    {"id", 0, ID, false},
    {"submit", offsetof(orr_jobs, submit), NUMBER, false},
    {"procs", 0, PROCS, false},
    {"runtime", offsetof(orr_jobs, time), NUMBER, false},
    {"walltime", offsetof(orr_jobs, walltime), NUMBER, true},
    {"user", ORR_LABEL_USER, LABEL, true},
    {"queue", ORR_LABEL_QUEUE, LABEL, true},
    {"partition", ORR_LABEL_PARTITION, LABEL, true},
    {"status", ORR_LABEL_STATUS, LABEL, true},
};

static const csv_column mira[MOST_COLUMNS] = {
    {"COBALT_JOBID", 0, ID, false},
    {"QUEUED_TIMESTAMP", 0, STAMP, false},
    {"WALLTIME_SECONDS", offsetof(orr_jobs, walltime), NUMBER, false},
    {"RUNTIME_SECONDS", offsetof(orr_jobs, time), NUMBER, false},
    {"NODES_USED", 0, PROCS, false},
    {"NODES_REQUESTED", 0, PROCS, false},
    {"USERNAME_GENID", ORR_LABEL_USER, LABEL, true},
    {"QUEUE_NAME", ORR_LABEL_QUEUE, LABEL, true},
    {"EXIT_STATUS", ORR_LABEL_STATUS, EXIT, true},
};

static double number_of(const orr_jobs *jobs, int32_t job, const csv_column *column)
{
    return (*(double *const *)(const void *)((const char *)jobs + column->of))[job];
}

static bool is_wanted(const orr_jobs *jobs, const csv_column *column)
{
    bool wanted = !column->optional;
    for (int32_t job = 0; job < jobs->count && !wanted; job++)
        wanted = column->is == NUMBER ? !isnan(number_of(jobs, job, column))
                                      : orr_jobs_label(jobs, job, (orr_label)column->of) != 0;
    return wanted;
}

static void put_content(ori_text *t, const orr_jobs *jobs, int32_t job, const csv_column *column)
{
    char time[32];
    const char *text;
    if (column->is == ID) {
        ori_text_field(t, orr_jobs_id(jobs, job), "");
    } else if (column->is == STAMP) {
        orr_utc_format(ori_jobs_submit_us(jobs, job), time);
        ori_text_puts(t, time);
    } else if (column->is == PROCS) {
        ori_text_number(t, jobs->procs[job]);
    } else if (column->is == NUMBER) {
        ori_text_number(t, number_of(jobs, job, column));
    } else if ((text = orr_jobs_label_text(jobs, job, (orr_label)column->of)) != NULL) {
        bool completed = strcmp(text, ORR_STATUS_COMPLETED) == 0;
        ori_text_field(t, column->is == LABEL ? text : completed ? "0" : "1", "");
    }
}

static void put_jobs(ori_text *t, const orr_jobs *jobs, const csv_column *columns)
{
    bool wanted[MOST_COLUMNS];
    for (int i = 0; i < MOST_COLUMNS; i++) {
        wanted[i] = is_wanted(jobs, &columns[i]);
        if (wanted[i])
            ori_text_printf(t, i > 0 ? ",%s" : "%s", columns[i].name);
    }
    for (int32_t job = 0; job < jobs->count; job++) {
        for (int i = 0; i < MOST_COLUMNS; i++) {
            if (!wanted[i])
                continue;
            ori_text_char(t, i > 0 ? ',' : '\n');
            put_content(t, jobs, job, &columns[i]);
        }
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
    put_jobs(&t, jobs, format == ORR_LOG_MIRA ? mira : plain);
    return ori_text_hand_over(&t, text, size, capacity);
}

/* --- tasks -------------------------------------------------------------------------------------*/

/* With so many columns of times, or with profiles where there are none. */
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
