/* The engine for rigid jobs: simulations with silent errors, walltimes, submission times, groups of
 * processors, and nodes that fail.
 *
 * A simulation is a value: created once for an instance and a policy, reset for each scenario,
 * stepped, run, copied. A copy is deep and exact: copy and original have the same future. Changed
 * copies (what-if questions) are in rigid/whatif/change.h.
 *
 * Events. All that happens at one instant is applied first (READINGS 24), in this order:
 *   ends of attempts in order of their starts, each followed by on_end
 *   repairs of nodes
 *   failures of nodes: the jobs on them go back to their queues, each followed by on_end
 *   warnings of failures, each followed by on_warning
 *   submissions in order of position, each followed by on_submit
 *   priorities that change at this time, in order of position
 *   one on_timer, if the policy asked for this time
 * Then every group decides once, in the order of the groups. Then on_start is called for the
 * started jobs, in order of their starts. If nothing is left to do, on_idle is called for every
 * group with free processors and no waiting job, at most once each. If jobs that take no time have
 * started, or a hook has changed something after the decision that depends on it, the round begins
 * again: ends, decisions, on_start and on_idle. One step is one complete instant.
 *
 * This is the convention ORR_INSTANT_BATCHED, the only one for which short ways exist. With the
 * other conventions (READINGS 35) every event of an instant is followed by its own decision and by
 * on_start; on_idle comes at the end of the instant.
 *
 * Failures. The failure counts of a scenario are fixed before it begins. For a job with count f,
 * the first f attempts that reach their end fail and the next one completes. A job whose runtime
 * exceeds its estimate is killed in its first attempt. An attempt that the policy or the failure of
 * a node ends early does not count as one of the f failures; its work is lost.
 *
 * Node failures. A node is a run of processors. When it fails, its processors are down until they
 * are repaired; all plans know the time of the repair from then on. The attempts on these
 * processors end (ORR_NODE_FAILED) and their jobs wait again in their groups. Jobs always hold the
 * lowest-numbered free processors of their group, as in a recording; this determines which jobs a
 * failure strikes.
 *
 * A run in which nothing can happen any more, although jobs wait or are held, ends with
 * ORR_ERR_POLICY. A run in which a policy only wakes up ends with the same error: after 100000
 * timers in a row while nothing runs and no job is to come, or after 1000000 timers between two
 * instants at which an attempt reaches its end, a job is submitted, or nodes fail or are repaired.
 * A policy that wakes up every second reaches the second limit after eleven days.
 *
 * Nothing is allocated between create and destroy, except by a recording that grows, by wake-up
 * times, outages and warnings that pile up, and by a source of faults (workload/faults.h). */
#pragma once

#include "rigid/machine/node_failures.h"
#include "rigid/queue/policy.h"
#include "rigid/state/instant.h"
#include "schedule/metrics.h"
#include "workload/window.h"

typedef struct orr_rigid_setup {
    size_t size;                    /* sizeof this, see base/api.h */
    const orr_instance *instance;   /* borrowed while the simulation or a copy exists */
    const orr_rigid_policy *policy; /* copied; its pointers are borrowed like the instance */
    const double *priorities;       /* the policy's priorities per workload, per job, from
                                       orr_rigid_priorities, copied; NULL: asked at create */
    const orr_rigid_node_failures *node_failures; /* copied, except its outages; NULL: none */
    uint64_t seed; /* names the policy's random streams, with set and scenario */
    uint64_t set;
    bool record; /* keep every attempt and the processors it held */
    bool plain;  /* the plain event loop: single events, every decision is taken and planned from
                    scratch, without short ways (rigid/run.c, shortcuts.c, list_all.c), and metrics
                    are computed job by job (schedule/metrics.c). The results
                    are identical, but slower: for checking and for measuring */
    const orr_cancel_flag *cancel; /* polled once per step; NULL: none. The simulation stays usable
                                      unless the cancellation stopped it inside a policy's
                                      function */
    orr_trap trap;
    const orr_allocator *alloc; /* NULL: malloc */
    orr_instant instant;
    bool live; /* attempts end when their end is reported, see rigid/whatif/live.h */

    /* Windows in which processors are closed or reserved, READINGS 48; copied, except their texts,
     * which are borrowed. ORR_ERR_ARGUMENT if a window is not on the machine or has no time. A
     * decision of which a plan reaches a window plans with particular processors (READINGS 46). */
    const orr_window *windows;
    int64_t window_count;
} orr_rigid_setup;

/* A simulation without a scenario: orr_rigid_reset begins one. NULL on failure. */
ORR_API orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err);
ORR_API void orr_rigid_destroy(orr_rigid *sim); /* NULL is fine */

/* Begins scenario `scenario` (>= 1 by convention; part of the streams' names), or begins it again.
 * `failures` are the failure counts, copied: one number >= 0 per job; NULL: no job fails. */
ORR_API orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                                   orr_error *err);

/* A deep copy; NULL on failure. */
ORR_API orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err);

/* A copy that is only copied and destroyed; NULL on failure. Worth while from two copies on: where
 * the system permits it and the simulation uses malloc, its copies share its large arrays, page by
 * page, until they write to them. A copy lives on when it is gone. */
ORR_API orr_rigid *orr_rigid_freeze(const orr_rigid *sim, orr_error *err);

/* Runs the next instant: all its events and the decisions that follow. Does nothing at the end of
 * the run. An error in the middle of an instant (of the policy, of memory) stops the simulation:
 * from then on this function returns ORR_ERR_POLICY, and only orr_rigid_reset makes the simulation
 * usable again. */
ORR_API orr_status orr_rigid_step(orr_rigid *sim, orr_error *err);

/* Runs all instants <= time; the clock then stands at `time`, or later if it was later already. The
 * clock begins at the first submission; until something has happened, an earlier `time` sets it
 * back, so that what comes before that submission can be announced or submitted. */
ORR_API orr_status orr_rigid_run_until(orr_rigid *sim, double time, orr_error *err);

/* Runs to the end. *metrics, when not NULL, is filled. */
ORR_API orr_status orr_rigid_finish(orr_rigid *sim, orr_metrics *metrics, orr_error *err);

/* Whether every job is over. */
ORR_API bool orr_rigid_is_over(const orr_rigid *sim);

/* The instant of the next event in s; inf when there is none. */
ORR_API double orr_rigid_next_event(const orr_rigid *sim);

/* The metrics of a run, once every job is over; before, NaN, and -1 for what is counted. */
ORR_API orr_metrics orr_rigid_measure(const orr_rigid *sim);

/* The utilisation of each of the instance's shares in a run in which every job is over and that has
 * these metrics: what attempts of any kind held / (amount * the span that m->utilisation is of), of
 * a pool without what is closed of it; 0 where there is nothing. `used` is the caller's, with room
 * for as many numbers as orr_shares returns. */
ORR_API void orr_rigid_shares_used(const orr_rigid *sim, const orr_metrics *m, double *used);

/* The result of the run, once every job is over; before, only its totals so far, and no arrays. It
 * points into the simulation and is valid until the simulation goes on. */
ORR_API orr_run orr_rigid_result(const orr_rigid *sim);

/* The instance of the simulation. If jobs come after others, it is the simulation's own instance,
 * with the submission times of this run; a submission that is not known yet is inf. The schedule is
 * checked and written with this instance. */
ORR_API const orr_instance *orr_rigid_instance(const orr_rigid *sim);

/* The schedule recorded so far, owned by the simulation and valid until it goes on; NULL without
 * recording. */
ORR_API const orr_schedule *orr_rigid_schedule(const orr_rigid *sim);

/* The state of every job (orr_rigid_job_state); it changes as the simulation goes on. */
ORR_API const uint8_t *orr_rigid_states(const orr_rigid *sim);

/* The failure counts of the scenario, one per job. */
ORR_API const int32_t *orr_rigid_failures(const orr_rigid *sim);
