/* Links: the jobs that a job comes after, by position (READINGS 41). Not a public header. */
#pragma once

#include "workload/instance.h"

#include "base/block_internal.h"

/* The jobs that job j comes after are before[first_before[j] .. first_before[j + 1] - 1], each with
 * its think time; those that come after it are behind[first_behind[j] ..]. No job comes after
 * itself, also by way of others. */
typedef struct ori_links {
    int32_t *first_before, *first_behind;
    int32_t *before, *behind;
    bool *any;     /* by job: one of the jobs that it comes after is enough */
    bool *never;   /* by job: it never starts (orr_instance_starting) */
    bool *unmet;   /* of `before`: it must end well, and is killed */
    double *think; /* s, of `before`; NaN: not known */
    ori_block block;
} ori_links;

/* Makes the links of the first `count` jobs of in->jobs from orr_jobs_after; a name that several
 * jobs have means the first of them. Sets in->links, in->linked and in->strangers; ORR_ERR_INPUT
 * where jobs come after each other in a circle. */
orr_status ori_links_create(orr_instance *in, int32_t count, orr_error *err);
void ori_links_destroy(orr_instance *in);

static inline bool ori_is_linked(const ori_links *links, int32_t job)
{
    return links->first_before[job] < links->first_before[job + 1];
}

/* The submission time of a job by one job that it comes after and that ended at `end`. */
static inline double ori_link_due(const orr_instance *in, int32_t job, double think, double end)
{
    double own = in->jobs->submit[job];
    return !isnan(think) ? end + think : end > own ? end : own;
}
