/* The built-in disciplines: R-LIST(m), strict FCFS, R-SHELF(b). */
#include "rigid/engine_internal.h"

#include <string.h>

enum { ANY_WIDTH = INT32_MAX - 1 };

static int32_t job_at(const orr_rigid *sim, int32_t rank)
{
    return sim->queue.job_at[rank];
}

/* Starts, in queue order from `rank` on, every job that fits on the free processors. */
static orr_status start_all_that_fit(orr_rigid *sim, int32_t rank, orr_error *err)
{
    while ((rank = orr_queue_next_fit(&sim->queue, rank, sim->free)) >= 0) {
        orr_status status = orr_rigid_start_fitting(sim, job_at(sim, rank), err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

/* Starts jobs in queue order until one does not fit. */
static orr_status start_until_one_does_not_fit(orr_rigid *sim, orr_error *err)
{
    int32_t rank = 0;
    while ((rank = orr_queue_next_fit(&sim->queue, rank, ANY_WIDTH)) >= 0 &&
           sim->jobs->procs[job_at(sim, rank)] <= sim->free) {
        orr_status status = orr_rigid_start_fitting(sim, job_at(sim, rank), err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

/* The rest of a decision behind a single reservation, the one of the job at `rank`: its time and
 * what it leaves free are known at once, no plan is needed. */
static orr_status backfill(orr_rigid *sim, int32_t rank, orr_error *err)
{
    int32_t head = sim->jobs->procs[job_at(sim, rank)], available;
    orr_backfill b = {.now = sim->now, .verification = sim->in->verification};
    b.shadow = orr_ends_when(&sim->planned, sim->free, head, &available);
    b.extra = available - head;
    for (;;) {
        b.free = sim->free;
        rank = orr_queue_next_backfill(&sim->queue, rank + 1, &b);
        if (rank < 0)
            return ORR_OK;
        int32_t job = job_at(sim, rank);
        if (!(orr_planned_end(sim->in, job, sim->now) <= b.shadow))
            b.extra -= sim->jobs->procs[job];
        orr_status status = orr_rigid_start_fitting(sim, job, err);
        if (status != ORR_OK)
            return status;
    }
}

/* R-LIST(m) with m > 0 by definition, READINGS 25: once through the queue, in order, to its end. */
static orr_status list_in_full(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    bool head = p->reading == ORR_READING_HEAD;
    int32_t rank = -1, seen = 0, reserved = 0;
    while ((rank = orr_queue_next_fit(&sim->queue, rank + 1, ANY_WIDTH)) >= 0) {
        int32_t job = job_at(sim, rank);
        bool may_reserve = (head ? seen : reserved) < p->reservations;
        orr_status status = ORR_OK;
        seen++;
        if (orr_rigid_can_start(sim, job)) {
            status = orr_rigid_start_fitting(sim, job, err);
        } else if (may_reserve) {
            status = orr_rigid_reserve(sim, job, NULL, err);
            reserved++;
        }
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

/* The same, without looking at jobs that cannot matter. Jobs too wide for the free processors
 * matter only while reservations are left to give, and no reservation matters any more once nobody
 * behind is narrow enough to start now. */
static orr_status list(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    bool head = p->reading == ORR_READING_HEAD;
    int32_t rank = 0, seen = 0, reserved = 0;
    if (p->reservations == 0)
        return start_all_that_fit(sim, 0, err);
    if (sim->plain)
        return list_in_full(sim, err);
    if (sim->keeps_plan)
        return orr_rigid_decide_conservative(sim, err);
    while (orr_queue_next_fit(&sim->queue, rank, sim->free) >= 0) {
        bool may_reserve = (head ? seen : reserved) < p->reservations;
        if (!may_reserve && reserved == 0)
            return start_all_that_fit(sim, rank, err);
        rank = orr_queue_next_fit(&sim->queue, rank, may_reserve ? ANY_WIDTH : sim->free);
        int32_t job = job_at(sim, rank);
        bool fits = sim->jobs->procs[job] <= sim->free;
        orr_status status = ORR_OK;
        seen++;
        if (reserved == 0 ? fits : fits && orr_rigid_can_start(sim, job)) {
            status = orr_rigid_start_fitting(sim, job, err);
        } else if (may_reserve && p->reservations == 1) {
            return backfill(sim, rank, err);
        } else if (may_reserve) {
            status = orr_rigid_reserve(sim, job, NULL, err);
            reserved++;
        }
        if (status != ORR_OK)
            return status;
        rank++;
    }
    return ORR_OK;
}

/* R-SHELF(b), READINGS 26: a new shelf only when the whole last one has ended. */
static orr_status shelf(orr_rigid *sim, orr_error *err)
{
    if (sim->running > 0)
        return ORR_OK;
    return sim->policy.fill ? start_all_that_fit(sim, 0, err)
                            : start_until_one_does_not_fit(sim, err);
}

/* What a policy's own function decides. A refused action (rigid/decide.h) names the job and the
 * reason; who and when is added here, unless the policy did. */
static orr_status custom(orr_rigid *sim, orr_error *err)
{
    orr_policy_begin(err);
    orr_status status = sim->policy.dispatch(sim->policy.user, sim, err);
    status = orr_policy_end(sim->policy.name, "dispatch", status, err);
    if (status != ORR_OK && err && strncmp(err->message, "policy ", 7) != 0)
        orr_error_prefix(err, "policy %s: dispatch at time %.17g", sim->policy.name, sim->now);
    return status;
}

orr_status orr_rigid_decide(orr_rigid *sim, orr_error *err)
{
    switch (sim->policy.discipline) {
    case ORR_DISPATCH_LIST:
        return list(sim, err);
    case ORR_DISPATCH_FCFS:
        return start_until_one_does_not_fit(sim, err);
    case ORR_DISPATCH_SHELF:
        return shelf(sim, err);
    case ORR_DISPATCH_CUSTOM:
        break;
    }
    return custom(sim, err);
}
