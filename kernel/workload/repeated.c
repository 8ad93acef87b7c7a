/* Ids that stand for more than one job. */
#include "workload/jobs_internal.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a */
static uint32_t hash(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* Whether the job's id is in the table already, where it is put otherwise. Slots hold positions
 * from 1; 0 is empty. */
static bool is_there(const orr_jobs *jobs, int32_t *slots, uint32_t mask, int32_t job)
{
    const char *id = orr_jobs_id(jobs, job);
    uint32_t i = hash(id) & mask;
    for (; slots[i] != 0; i = (i + 1) & mask)
        if (strcmp(orr_jobs_id(jobs, slots[i] - 1), id) == 0)
            return true;
    slots[i] = job + 1;
    return false;
}

orr_status ori_jobs_count_repeated(orr_jobs *jobs, orr_error *err)
{
    size_t size = 64;
    while (size < 2 * (size_t)jobs->count)
        size *= 2;
    int32_t *slots = orr_calloc(&jobs->alloc, size, sizeof *slots);
    if (!slots)
        return orr_fail_memory(err, size * sizeof *slots);
    jobs->repeated = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        if (is_there(jobs, slots, (uint32_t)(size - 1), job) && jobs->repeated++ == 0)
            snprintf(jobs->repeated_id, sizeof jobs->repeated_id, "%s", orr_jobs_id(jobs, job));
    orr_release(&jobs->alloc, slots, size * sizeof *slots);
    return ORR_OK;
}
