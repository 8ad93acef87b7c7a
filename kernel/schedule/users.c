/* Metrics per user, queue or partition: one pass over the jobs, into an array by label. */
#include "schedule/metrics.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"

#include <math.h>

static void add_job(orr_user_metrics *u, const orr_job_times *t, int32_t procs)
{
    u->jobs++;
    u->work += t->runtime * procs;
    u->wait_mean += t->wait; /* sums until all jobs are there */
    u->flow_mean += t->flow;
    u->bsld_mean += t->bsld;
    u->wait_max = t->wait > u->wait_max ? t->wait : u->wait_max;
    u->bsld_max = t->bsld > u->bsld_max ? t->bsld : u->bsld_max;
}

static bool has_more_work(const void *x, const void *y)
{
    return ((const orr_user_metrics *)x)->work > ((const orr_user_metrics *)y)->work;
}

/* Leaves out who has no jobs, makes means of sums, and sorts. They are in the order of labels. */
static orr_status finish(orr_users *users, orr_error *err)
{
    for (int32_t i = 0; i < users->capacity; i++) {
        orr_user_metrics u = users->list[i];
        if (u.jobs == 0)
            continue;
        u.wait_mean /= u.jobs;
        u.flow_mean /= u.jobs;
        u.bsld_mean /= u.jobs;
        users->list[users->count++] = u;
    }
    return ORI_SORT(users->list, users->count, has_more_work, &users->alloc, err);
}

orr_status orr_users_measure(orr_users *users, const orr_instance *in, orr_label kind,
                             const double *ends, const double *runtimes, const orr_allocator *a,
                             orr_error *err)
{
    *users = (orr_users){.alloc = orr_allocator_or_default(a)};
    int32_t labels = in->jobs->names.count + 1;
    users->list = ori_new(&users->alloc, (size_t)labels * sizeof *users->list, err);
    if (!users->list)
        return ORR_ERR_MEMORY;
    users->capacity = labels;
    for (int32_t i = 0; i < users->capacity; i++)
        users->list[i].label = i;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_job_is_observed(in, j) || isnan(ends[j]))
            continue;
        orr_job_times t = orr_times_of_job(in, j, ends[j], runtimes[j]);
        add_job(&users->list[orr_jobs_label(in->jobs, j, kind)], &t, in->jobs->procs[j]);
    }
    return finish(users, err);
}

void orr_users_destroy(orr_users *users)
{
    orr_release(&users->alloc, users->list, (size_t)users->capacity * sizeof *users->list);
    *users = (orr_users){.alloc = users->alloc};
}
