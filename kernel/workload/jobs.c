/* Workloads: jobs in columns that grow, their ids, labels and waits, and what a reader left out. */
#include "workload/jobs_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

orr_jobs *orr_jobs_create(const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_jobs *jobs = ori_new(&alloc, sizeof *jobs, err);
    if (jobs)
        jobs->alloc = jobs->names.alloc = alloc;
    return jobs;
}

void orr_jobs_destroy(orr_jobs *jobs)
{
    if (!jobs)
        return;
    orr_allocator alloc = jobs->alloc;
    orr_release(&alloc, jobs->submit, jobs->block_size);
    ORI_FREE(&alloc, &jobs->dropped, &jobs->dropped_capacity);
    ORI_FREE(&alloc, &jobs->labels, &jobs->labels_capacity);
    ORI_FREE(&alloc, &jobs->waits, &jobs->waits_capacity);
    ORI_FREE(&alloc, &jobs->text, &jobs->text_capacity);
    orr_labels_destroy(&jobs->names);
    orr_release(&alloc, jobs, sizeof *jobs);
}

static int32_t next_capacity(int32_t capacity)
{
    if (capacity == 0)
        return FIRST_CAPACITY;
    return capacity > INT32_MAX / 2 ? INT32_MAX : 2 * capacity;
}

/* The arrays lie in one block, so that growing succeeds for all of them or changes nothing. */
static orr_status grow_jobs(orr_jobs *jobs, orr_error *err)
{
    if (jobs->count == INT32_MAX)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than %d jobs", INT32_MAX);
    int32_t capacity = next_capacity(jobs->capacity);
    ori_block block = {jobs->submit, jobs->block_size};
    const ori_part parts[] = {ORI_PART(jobs->submit, 1), ORI_PART(jobs->time, 1),
                              ORI_PART(jobs->walltime, 1), ORI_PART(jobs->procs, 1),
                              ORI_PART(jobs->id, 1)};
    orr_status status = ORI_BLOCK_GROW(&block, parts, (size_t)jobs->count, (size_t)jobs->capacity,
                                       (size_t)capacity, &jobs->alloc, err);
    if (status != ORR_OK)
        return status;
    jobs->block_size = block.size;
    jobs->capacity = capacity;
    return ORR_OK;
}

/* Appends an id to the pool; the caller reads the offset from *offset. */
static orr_status add_text(orr_jobs *jobs, const char *text, uint32_t *offset, orr_error *err)
{
    size_t length = strlen(text) + 1;
    if (length > UINT32_MAX - jobs->text_size)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than 4 GiB of job ids");
    size_t need = jobs->text_size + length;
    orr_status status =
        ORI_RESERVE(&jobs->alloc, &jobs->text, &jobs->text_capacity, (int64_t)need, err);
    if (status != ORR_OK)
        return status;
    memcpy(jobs->text + jobs->text_size, text, length);
    *offset = (uint32_t)jobs->text_size;
    jobs->text_size = need;
    return ORR_OK;
}

/* The negated comparisons catch NaN too. */
static orr_status check_job(double submit, int32_t procs, double time, double walltime,
                            orr_error *err)
{
    if (procs < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "a job needs at least 1 processor, not %d",
                        (int)procs);
    if (!(submit >= 0 && submit <= DBL_MAX))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "a submission time must be a number of seconds >= 0, not %g", submit);
    if (!(time >= 0 && time <= DBL_MAX))
        return orr_fail(err, ORR_ERR_ARGUMENT, "a time must be a number of seconds >= 0, not %g",
                        time);
    if (!(walltime >= 0 || isnan(walltime)) || walltime > DBL_MAX)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "a walltime must be a number of seconds >= 0, not %g", walltime);
    return ORR_OK;
}

orr_status orr_jobs_add(orr_jobs *jobs, const char *id, double submit, int32_t procs, double time,
                        double walltime, orr_error *err)
{
    orr_status status = check_job(submit, procs, time, walltime, err);
    if (status == ORR_OK && jobs->count == jobs->capacity)
        status = grow_jobs(jobs, err);
    if (status != ORR_OK)
        return status;
    int32_t job = jobs->count;
    char position[16];
    if (!id || *id == '\0') {
        snprintf(position, sizeof position, "%lld", (long long)job + 1);
        id = position;
    }
    status = add_text(jobs, id, &jobs->id[job], err);
    if (status != ORR_OK)
        return status;
    jobs->submit[job] = submit + 0.0; /* -0 would be printed with its sign */
    jobs->time[job] = time + 0.0;
    jobs->walltime[job] = walltime + 0.0;
    jobs->procs[job] = procs;
    jobs->count = job + 1;
    return ORR_OK;
}

orr_status orr_jobs_set_time(orr_jobs *jobs, int32_t job, double time, orr_error *err)
{
    orr_status status = check_job(0, 1, time, NAN, err);
    if (status == ORR_OK)
        jobs->time[job] = time + 0.0;
    return status;
}

/* As many labels and waits as there is room for jobs: they grow together. */
orr_status orr_jobs_set_label(orr_jobs *jobs, int32_t job, orr_label kind, int32_t number,
                              orr_error *err)
{
    if (number == 0 && job >= jobs->labelled)
        return ORR_OK;
    orr_status status =
        ORI_RESERVE(&jobs->alloc, &jobs->labels, &jobs->labels_capacity, jobs->capacity, err);
    if (status != ORR_OK)
        return status;
    while (jobs->labelled <= job)
        jobs->labels[jobs->labelled++] = (orr_job_labels){{0}};
    jobs->labels[job].of[kind] = number;
    return ORR_OK;
}

orr_status ori_jobs_set_wait(orr_jobs *jobs, int32_t job, double wait, orr_error *err)
{
    if (isnan(wait) && job >= jobs->waited)
        return ORR_OK;
    orr_status status =
        ORI_RESERVE(&jobs->alloc, &jobs->waits, &jobs->waits_capacity, jobs->capacity, err);
    if (status != ORR_OK)
        return status;
    while (jobs->waited <= job)
        jobs->waits[jobs->waited++] = NAN;
    jobs->waits[job] = wait;
    return ORR_OK;
}

const char *orr_label_name(orr_label kind)
{
    static const char *const names[ORR_LABEL_KINDS] = {"user", "queue", "partition", "status"};
    return names[kind];
}

orr_status ori_jobs_add_dropped(orr_jobs *jobs, int64_t line, const char *id,
                                orr_drop_reason reason, orr_error *err)
{
    if (jobs->dropped_count == INT32_MAX)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than %d dropped records", INT32_MAX);
    orr_status status = ORI_RESERVE(&jobs->alloc, &jobs->dropped, &jobs->dropped_capacity,
                                    jobs->dropped_count + (int64_t)1, err);
    if (status != ORR_OK)
        return status;
    orr_drop *drop = &jobs->dropped[jobs->dropped_count];
    status = add_text(jobs, !id ? "" : id, &drop->id, err);
    if (status != ORR_OK)
        return status;
    drop->line = line;
    drop->reason = reason;
    jobs->dropped_count++;
    return ORR_OK;
}

const char *orr_jobs_id(const orr_jobs *jobs, int32_t job)
{
    return jobs->text + jobs->id[job];
}

const char *orr_jobs_dropped_id(const orr_jobs *jobs, int32_t record)
{
    return jobs->text + jobs->dropped[record].id;
}

const char *orr_drop_reason_text(orr_drop_reason reason)
{
    switch (reason) {
    case ORR_DROP_NO_RUNTIME:
        return "runtime unknown";
    case ORR_DROP_NO_PROCS:
        return "number of processors unknown";
    case ORR_DROP_NO_SUBMISSION:
        return "submission time unknown";
    case ORR_DROP_UNFINISHED:
        return "not over when the log was written";
    case ORR_DROP_PART:
        return "part of a job that has a record of its own";
    case ORR_DROP_LONE_PART:
        return "partial execution of a job without a record of its own";
    case ORR_DROP_STATUS:
        return "of another status";
    case ORR_DROP_NEVER_RAN:
        return "cancelled before it ran";
    case ORR_DROP_WIDE:
        return "wider than the machine";
    }
    return "unknown reason";
}

double orr_jobs_mean_area(const orr_jobs *jobs)
{
    double sum = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        sum += jobs->procs[job] * jobs->time[job];
    return jobs->count == 0 ? 0 : sum / jobs->count;
}
