/* The costs of tasks per number of processors: t(j), C, tau and the rest of orr_expected, computed
 * at the first use and kept in a table of fixed size; and j_max, computed from as few entries as
 * possible. */
#pragma once

#include "base/block_internal.h"
#include "malleable/expected.h"
#include "malleable/policy.h"
#include "malleable/tree_internal.h"
#include "workload/tasks.h"

/* A task's j_max: its exact value, or a lower bound `least`. The bound holds because t^R on the
 * whole machine is smaller than `smallest`, the minimum of t^R over 2, 4 .. least - 2. The exact
 * value is computed only if the bound does not decide. */
typedef struct ori_most {
    double smallest; /* s */
    double whole;    /* t^R(1) on all processors, s; NaN until asked for */
    int32_t least;
    int32_t exact; /* 0: not known */
} ori_most;

/* A policy that gives periods, and the first error of its periods. The functions that read costs
 * return no error, so the engine checks this one afterwards. */
typedef struct ori_periods {
    orr_status (*ask)(void *user, const orr_period_question *question, double *period,
                      orr_error *err); /* NULL: periods are those of the rule */
    void *user;
    const char *name; /* of the policy */
    orr_status status;
    orr_error error;
} ori_periods;

typedef struct ori_costs {
    const orr_tasks *tasks;
    orr_resilience resilience;
    int32_t procs; /* even: the most that one task could have */
    orr_expected *entries;
    uint64_t *keys;       /* task << 32 | procs, per entry; no entry has key 0 */
    uint32_t mask, apart; /* of slots: between those of two tasks */
    ori_most *most;       /* per task */
    ori_periods periods;
    int32_t count;
    ori_block block; /* of all arrays */
    orr_allocator alloc;
} ori_costs;

/* For `count` tasks on `procs` processors. On failure safe to destroy. */
orr_status ori_costs_create(ori_costs *c, int32_t count, int32_t procs, const orr_resilience *r,
                            const orr_allocator *a, orr_error *err);
void ori_costs_destroy(ori_costs *c);

/* From now on the policy gives the periods. To be called before any cost is read. */
void ori_costs_ask(ori_costs *c, const orr_malleable_policy *policy);

/* The first error of a policy's period since the last reset; ORR_OK: there was none. */
static inline orr_status ori_costs_status(const ori_costs *c, orr_error *err)
{
    if (ORR_LIKELY(c->periods.status == ORR_OK))
        return ORR_OK;
    if (err)
        *err = c->periods.error;
    return c->periods.status;
}

/* Forgets all entries, because the tasks are others. */
void ori_costs_reset(ori_costs *c, const orr_tasks *tasks);

/* The most that one task could have changes, and with it j_max. */
void ori_costs_resize(ori_costs *c, int32_t procs);

/* Computes an entry anew. */
const orr_expected *ori_costs_compute(ori_costs *c, uint32_t slot, int32_t task, int32_t procs);

/* Valid until the next call. */
static inline const orr_expected *ori_costs_of(ori_costs *c, int32_t task, int32_t procs)
{
    /* neighbours in procs are neighbours here, and so are tasks: decisions go through them */
    uint32_t slot = ((uint32_t)task * c->apart + (uint32_t)(procs >> 1)) & c->mask;
    if (ORR_LIKELY(c->keys[slot] == ((uint64_t)(uint32_t)task << 32 | (uint32_t)procs)))
        return &c->entries[slot];
    return ori_costs_compute(c, slot, task, procs);
}

/* j_max. */
int32_t ori_costs_most(ori_costs *c, int32_t task);

/* Whether j_max is at least `procs`; cheap if it is. */
bool ori_costs_search_most(ori_costs *c, int32_t task, int32_t procs);

static inline bool ori_costs_most_at_least(ori_costs *c, int32_t task, int32_t procs)
{
    return ORR_LIKELY(procs <= c->most[task].least) || ori_costs_search_most(c, task, procs);
}
