/* Monte Carlo: many simulations under several policies, spread over threads. The common part for
 * both engines; rigid/montecarlo.h and malleable/montecarlo.h have the rest.
 *
 * All policies see the same scenarios. Which thread runs a simulation depends on the machine, but
 * the results do not: the numbers of a simulation are a function of (seed, set, scenario) and the
 * policy, and have a fixed place in the arrays. If simulations fail, the error of the first set is
 * returned, within it of the smallest scenario, and within it of the first policy, also independent
 * of the threads; err->place names the simulation. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* The source of policies. Thread `thread` (0 .. threads - 1) asks for its own copies, in that
 * thread, before its first scenario, and gives them back at the end. So the data that a policy's
 * functions use belong to one thread. out, given: an orr_rigid_policy, or an orr_malleable_policy;
 * its size is set. */
typedef struct orr_policy_source {
    orr_status (*get)(void *user, int thread, int32_t policy, void *out, orr_error *err);
    void (*put)(void *user, int thread, int32_t policy, void *given); /* or NULL */
    void *user;
} orr_policy_source;

typedef struct orr_montecarlo {
    int32_t policies;
    orr_policy_source source;
    uint64_t seed;     /* names the random streams, with set and scenario */
    int64_t scenarios; /* of every set */
    int64_t first;     /* how many come before them: they are first + 1 .. first + scenarios */
    int threads;       /* >= 1: the calling one and threads - 1 more */
    bool check;        /* every simulation is recorded, and its schedule must be possible */

    const orr_cancel_flag *cancel; /* NULL: none */
    /* Called now and then in the calling thread with the number of simulations that are done;
     * NULL: never. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;
    orr_trap trap;
    const orr_allocator *alloc; /* must be safe to use from all threads; NULL: malloc */
} orr_montecarlo;
