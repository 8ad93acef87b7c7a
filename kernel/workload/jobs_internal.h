/* Functions with which readers and selections fill jobs. Not a public header. */
#pragma once

#include "workload/jobs.h"

/* Leaves out jobs that are the same as one before, id and submission included. parts: then makes
 * one job of those with ids "7+0", "7+1" and one submission, the parts of a heterogeneous job: it
 * has all their processors, as long as one part runs. */
orr_status ori_jobs_unite(orr_jobs *jobs, bool parts, orr_error *err);

/* Counts the jobs whose id an earlier job has; fills repeated and repeated_id. */
orr_status ori_jobs_count_repeated(orr_jobs *jobs, orr_error *err);

/* The number at a place of a column. */
static inline int32_t ori_label_at(const orr_label_column *column, int32_t job)
{
    if (column->width == 1)
        return ((const uint8_t *)column->numbers)[job];
    if (column->width == 2)
        return ((const uint16_t *)column->numbers)[job];
    return ((const int32_t *)column->numbers)[job];
}

/* orr_jobs_label where it is asked for many jobs. */
static inline int32_t ori_jobs_label(const orr_jobs *jobs, int32_t job, orr_label kind)
{
    const orr_label_column *column = &jobs->labels[kind];
    return job < column->count ? ori_label_at(column, job) : 0;
}

/* Gives a job all its labels, as orr_jobs_set_label does one by one. */
orr_status ori_jobs_set_labels(orr_jobs *jobs, int32_t job, const orr_job_labels *labels,
                               orr_error *err);

/* Gives a job of `to` the needs of a job of `from`. */
orr_status ori_jobs_copy_needs(orr_jobs *to, int32_t at, const orr_jobs *from, int32_t job,
                               orr_error *err);

/* Leaves a workload without jobs and dropped records, for others; the texts of labels stay. */
void ori_jobs_clear(orr_jobs *jobs);

/* Adds the jobs and the dropped records of a part of a log. Its format has no checkpoint costs, and
 * it was read without dependencies. numbers: maps label numbers of `from`, 0 included, to label
 * numbers of `to`. */
orr_status ori_jobs_append(orr_jobs *to, const orr_jobs *from, const int32_t *numbers,
                           orr_error *err);

/* Copies all jobs into a workload without any, which has the texts of their labels, with their
 * numbers. */
orr_status ori_jobs_copy(orr_jobs *to, const orr_jobs *from, orr_error *err);

/* In orr_jobs_after, behind an id whose job must end well; alone in front of ids of which one is
 * enough. */
#define ORI_AFTER_OK "+ok"
#define ORI_AFTER_ANY "?"

/* Notes the jobs that a job comes after, as orr_jobs_after gives them; NULL: none. */
orr_status ori_jobs_set_after(orr_jobs *jobs, int32_t job, const char *after, orr_error *err);

/* Notes a dropped record. detail: the error in it; NULL: none; only the first ORI_MOST_DETAILS of a
 * log are kept. */
enum { ORI_MOST_DETAILS = 1000 };
orr_status ori_jobs_add_dropped(orr_jobs *jobs, int64_t line, const char *id,
                                orr_drop_reason reason, const char *detail, orr_error *err);

/* Notes the name of a column that is not read. */
void ori_jobs_ignore(orr_jobs *jobs, const char *name, size_t size);

/* Notes a remark on records, the first of which is in this line. */
void ori_jobs_remark(orr_jobs *jobs, orr_remark remark, int32_t records, int64_t line);

/* A job asked for something that is not modelled. */
typedef struct ori_use {
    int32_t job, what; /* number in jobs->asked */
    double amount;     /* NaN: not known */
} ori_use;

/* The number of a name in jobs->asked, which is added where it is new; -1: there is no place. */
int32_t ori_jobs_asked(orr_jobs *jobs, const char *name, size_t size);
orr_status ori_jobs_add_use(orr_jobs *jobs, int32_t what, double amount, int32_t job,
                            orr_error *err);

/* Once all jobs are there: fills in the numbers of jobs->asked, and forgets the uses. */
orr_status ori_jobs_count_asked(orr_jobs *jobs, orr_error *err);

/* Whether the job has no id of its own and is named by its position. */
bool ori_jobs_has_no_id(const orr_jobs *jobs, int32_t job);
