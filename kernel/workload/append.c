/* Copies of jobs: one job, and a workload with the jobs of another one behind its own. Selections
 * (select.c) copy with the same function and know which jobs; here all are copied. */
#include "workload/jobs_internal.h"
#include "workload/select.h"

#include <stdio.h>
#include <string.h>

/* Texts get the numbers that they have there, so that nobody has to look them up job by job. */
static orr_status copy_names(orr_jobs *to, const orr_jobs *from, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t i = 1; status == ORR_OK && i <= from->names.count; i++) {
        const char *text = orr_labels_text(&from->names, i);
        int32_t number;
        status = orr_labels_number(&to->names, text, strlen(text), &number, err);
    }
    return status;
}

static orr_status copy_labels(orr_jobs *to, const orr_jobs *from, int32_t job, bool same_numbers,
                              orr_error *err)
{
    orr_status status = ORR_OK;
    for (int kind = 0; kind < ORR_LABEL_KINDS && status == ORR_OK; kind++) {
        int32_t number = orr_jobs_label(from, job, (orr_label)kind);
        const char *text = orr_labels_text(&from->names, number);
        if (text && !same_numbers)
            status = orr_labels_number(&to->names, text, strlen(text), &number, err);
        if (status == ORR_OK)
            status = orr_jobs_set_label(to, to->count - 1, (orr_label)kind, number, err);
    }
    return status;
}

orr_status ori_jobs_copy_job(orr_jobs *to, const orr_jobs *from, int32_t job, const char *id,
                             bool same_numbers, orr_error *err)
{
    orr_status status = orr_jobs_add(to, id, from->submit[job], from->procs[job], from->time[job],
                                     from->walltime[job], err);
    if (status == ORR_OK && job < from->labelled)
        status = copy_labels(to, from, job, same_numbers, err);
    return status == ORR_OK ? ori_jobs_set_wait(to, to->count - 1, orr_jobs_wait(from, job), err)
                            : status;
}

orr_jobs *ori_jobs_create_like(const orr_jobs *from, const orr_allocator *a, orr_error *err)
{
    orr_jobs *jobs = orr_jobs_create(a, err);
    if (!jobs)
        return NULL;
    jobs->machine_procs = from->machine_procs;
    jobs->has_origin = from->has_origin;
    jobs->rebased = from->rebased;
    jobs->origin_us = from->origin_us;
    return jobs;
}

static orr_status copy_all(orr_jobs *to, const orr_jobs *from, bool same_numbers, orr_error *err)
{
    char position[16];
    for (int32_t job = 0; job < from->count; job++) {
        snprintf(position, sizeof position, "%lld", (long long)job + 1);
        const char *id = orr_jobs_id(from, job);
        orr_status status = ori_jobs_copy_job(to, from, job, strcmp(id, position) == 0 ? NULL : id,
                                              same_numbers, err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

orr_jobs *orr_jobs_append(const orr_jobs *jobs, const orr_jobs *more, const orr_allocator *a,
                          orr_error *err)
{
    orr_jobs *all = ori_jobs_create_like(jobs, a, err);
    if (!all)
        return NULL;
    orr_status status = copy_names(all, jobs, err);
    if (status == ORR_OK)
        status = copy_all(all, jobs, true, err);
    if (status == ORR_OK && more)
        status = copy_all(all, more, false, err);
    if (status == ORR_OK)
        return all;
    orr_jobs_destroy(all);
    return NULL;
}
