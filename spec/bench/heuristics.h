/* The redistribution heuristics of RR-8795 as C callbacks: what those in policies/redistribute/ are
 * measured against, and a second writing of them for the specs. */
#pragma once

#include "malleable/decide.h"

#include <string.h>

/* Algorithm 3. */
static orr_status end_local(void *user, orr_malleable *sim, int32_t ended, orr_error *err)
{
    (void)user, (void)ended;
    int32_t free = orr_malleable_look(sim).free, task;
    while (free >= 2 && (task = orr_malleable_longest(sim)) >= 0) {
        if (orr_malleable_improvement(sim, task, free) == 0) {
            orr_malleable_drop(sim, task);
            continue;
        }
        orr_status status =
            orr_malleable_assign(sim, task, orr_malleable_proposed(sim, task) + 2, err);
        if (status != ORR_OK)
            return status;
        free -= 2;
    }
    return ORR_OK;
}

/* Algorithm 5, and EndGreedy: the same without a struck task. */
static orr_status rebuild(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    (void)user;
    orr_status status = orr_malleable_start_over(sim, err);
    int32_t free = orr_malleable_look(sim).free;
    for (; status == ORR_OK && free >= 2; free -= 2) {
        task = orr_malleable_longest(sim);
        if (task < 0 || orr_malleable_improvement(sim, task, free) == 0)
            break;
        status = orr_malleable_assign(sim, task, orr_malleable_proposed(sim, task) + 2, err);
    }
    return status;
}

/* Algorithm 4; user: not NULL for the reading `literal`. */
static orr_status shortest_tasks_first(void *user, orr_malleable *sim, int32_t struck,
                                       orr_error *err)
{
    int32_t free = orr_malleable_look(sim).free, donor;
    bool improvable = !user;
    while (free >= 2) {
        int32_t q = orr_malleable_improvement(sim, struck, free);
        improvable = q > 0;
        if (!improvable)
            break;
        orr_status status =
            orr_malleable_assign(sim, struck, orr_malleable_proposed(sim, struck) + q, err);
        if (status != ORR_OK)
            return status;
        free -= q;
    }
    while (improvable && (donor = orr_malleable_shortest(sim, 4)) >= 0 &&
           orr_malleable_transfer(sim, donor, struck) > 0) {
        orr_status status =
            orr_malleable_assign(sim, struck, orr_malleable_proposed(sim, struck) + 2, err);
        if (status == ORR_OK)
            status = orr_malleable_assign(sim, donor, orr_malleable_proposed(sim, donor) - 2, err);
        if (status != ORR_OK)
            return status;
        improvable =
            orr_malleable_proposed_finish(sim, donor) <= orr_malleable_proposed_finish(sim, struck);
    }
    return ORR_OK;
}

/* on_end and on_fault from names such as "end-local" and "iterated-greedy". */
static inline orr_malleable_policy heuristics(const char *on_end, const char *on_fault)
{
    static char literal;
    orr_malleable_policy policy = {.size = sizeof(orr_malleable_policy), .name = on_fault};
    if (strcmp(on_end, "end-local") == 0)
        policy.on_end = end_local;
    else if (strcmp(on_end, "end-greedy") == 0)
        policy.on_end = rebuild;
    if (strcmp(on_fault, "iterated-greedy") == 0)
        policy.on_fault = rebuild;
    else if (strncmp(on_fault, "shortest-tasks-first", 20) == 0)
        policy.on_fault = shortest_tasks_first;
    if (strcmp(on_fault, "shortest-tasks-first-literal") == 0)
        policy.user = &literal;
    return policy;
}
