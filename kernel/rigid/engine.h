/* The engine for rigid jobs: simulations with silent errors, walltimes and submission times.
 *
 * A simulation is a value: created once for an instance and a policy, reset for each scenario,
 * stepped, run, copied. A copy is deep and exact: copy and original have the same future.
 *
 * Events. All that happens at one instant is applied first: ends of attempts in order of their
 * starts, then submissions in order of position; then the policy decides once (READINGS 24). If it
 * starts jobs that take no time, their ends are applied at the same instant and it decides again.
 * One step is one instant, all of it.
 *
 * Failures. The failure counts of a scenario are fixed before it begins: attempts 1 .. f of a job
 * fail, attempt f + 1 completes; a job whose runtime exceeds its estimate is killed at its first.
 *
 * Nothing is allocated between create and destroy, except by a recording that grows. */
#ifndef ORR_RIGID_ENGINE_H
#define ORR_RIGID_ENGINE_H

#include "rigid/policy.h"
#include "schedule/metrics.h"

typedef struct orr_rigid_setup {
    const orr_instance *instance;   /* borrowed, as long as the simulation and its copies live */
    const orr_rigid_policy *policy; /* copied; what it points to is borrowed as long */
    const double *priorities;       /* per job, from orr_priorities, copied; NULL: asked at create
                                       where they are per workload */
    uint64_t seed;                  /* names the policy's random streams, with set and scenario */
    uint64_t set;
    bool record; /* keep every attempt and the processors it held */
    bool plain;  /* the plain event loop: every event by itself, every decision taken and planned
                    from nothing, no short ways (rigid/engine.c, shortcuts.c, conservative.c). The
                    same numbers, slower: for checking and for measuring */
    const orr_cancel_flag
        *cancel; /* polled once per step; NULL: none. The simulation stays
                                      usable, unless it was inside a policy that gave up */
    orr_trap trap;
    const orr_allocator *alloc; /* NULL: malloc */
} orr_rigid_setup;

/* A simulation without a scenario: orr_rigid_reset begins one. NULL on failure. */
ORR_API orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err);
ORR_API void orr_rigid_destroy(orr_rigid *sim); /* NULL is fine */

/* Begins scenario `scenario` (>= 1 by convention; part of the streams' names), or begins it anew,
 * with these failure counts, copied: one number >= 0 per job, NULL for none. */
ORR_API orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                                   orr_error *err);

/* A deep copy; NULL on failure. */
ORR_API orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err);

/* All events of the next instant, and what follows at it. At the end of the run it does nothing.
 * An error in the middle of an instant (of the policy, of memory) stops the simulation: from then
 * on this is ORR_ERR_POLICY, and only reset gives it a new beginning. */
ORR_API orr_status orr_rigid_step(orr_rigid *sim, orr_error *err);

/* All instants <= time; the clock then stands at `time`, or later where it was later already. */
ORR_API orr_status orr_rigid_run_until(orr_rigid *sim, double time, orr_error *err);

/* To the end. *metrics, when not NULL, is filled. */
ORR_API orr_status orr_rigid_finish(orr_rigid *sim, orr_metrics *metrics, orr_error *err);

/* Whether every job is over. */
ORR_API bool orr_rigid_is_over(const orr_rigid *sim);

/* The instant of the next event in s; inf when there is none. */
ORR_API double orr_rigid_next_event(const orr_rigid *sim);

/* What the run left behind, once every job is over; it points into the simulation and is valid
 * until that goes on. */
ORR_API orr_run orr_rigid_run(const orr_rigid *sim);

/* What was recorded so far, owned by the simulation and valid until it goes on; NULL without
 * recording. */
ORR_API const orr_schedule *orr_rigid_schedule(const orr_rigid *sim);

/* The failure counts of the scenario, one per job. */
ORR_API const int32_t *orr_rigid_failures(const orr_rigid *sim);

#endif
