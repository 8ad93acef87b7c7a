/* Ids that stand for more than one job. */
#include "workload/jobs_internal.h"

#include "base/block_internal.h"
#include "base/hash_internal.h"

#include <stdio.h>
#include <string.h>

static const char *id_of(const void *jobs, int32_t number)
{
    return orr_jobs_id(jobs, number - 1);
}

/* Whether the job's id is in the table already, where it is put otherwise. */
static bool is_there(const orr_jobs *jobs, int32_t *slots, uint32_t count, int32_t job)
{
    const char *id = orr_jobs_id(jobs, job);
    int32_t *slot = ori_find_slot(slots, count, id, strlen(id), id_of, jobs);
    bool there = *slot != 0;
    *slot = there ? *slot : job + 1;
    return there;
}

orr_status ori_jobs_count_repeated(orr_jobs *jobs, orr_error *err)
{
    size_t size = 64;
    while (size < 2 * (size_t)jobs->count)
        size *= 2;
    int32_t *slots = ori_new(&jobs->alloc, size * sizeof *slots, err);
    if (!slots)
        return ORR_ERR_MEMORY;
    jobs->repeated = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        if (is_there(jobs, slots, (uint32_t)size, job) && jobs->repeated++ == 0)
            snprintf(jobs->repeated_id, sizeof jobs->repeated_id, "%s", orr_jobs_id(jobs, job));
    orr_release(&jobs->alloc, slots, size * sizeof *slots);
    return ORR_OK;
}
