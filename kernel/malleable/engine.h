/* The engine for a pack of malleable tasks on processors that fail.
 *
 * All tasks start at 0 on the allocation that minimises the largest expected finish (RR-8795,
 * Algorithm 1), compute in periods that end with a checkpoint, and are redistributed where the
 * policy proposes it. The model: RR-8795, section 3, and the chapter, section 1.3; every detail:
 * spec/READINGS.md.
 *
 * Events. Each end of a task is its own event, in order of (time, position), with its own call of
 * the policy; at one instant faults come after ends, in the order of their source. A fault strikes
 * the task that holds the processor, if the task is ready; a task that still recovers, is
 * redistributed or takes its first checkpoint thereafter is locked: it is not struck and not
 * redistributed. Idle processors absorb faults. One step is one instant, all of it; instants at
 * which nothing but absorbed faults happens are passed over.
 *
 * Processors are real: they are held in pairs of buddies 2k, 2k + 1, handed out lowest-numbered
 * first, to tasks in order of position; a task that shrinks gives back its highest-numbered ones.
 * With an odd number of processors the last one stays idle.
 *
 * A simulation is a value: create, reset (a scenario begins), step, run_until, finish, copy,
 * destroy. A copy is deep and exact. Nothing is allocated between reset and destroy, except by a
 * recording that grows and by what workload/faults.h says. */
#pragma once

#include "malleable/policy.h"
#include "schedule/stints.h"
#include "workload/faults.h"
#include "workload/resilience.h"
#include "workload/tasks.h"

typedef struct orr_malleable_setup {
    size_t size;                        /* sizeof this, see base/api.h */
    int32_t count;                      /* tasks of every scenario, >= 1 */
    int32_t procs;                      /* >= 2 * count */
    orr_resilience resilience;          /* copied */
    orr_faults_setup faults;            /* copied; its log is borrowed */
    const orr_malleable_policy *policy; /* copied; its pointers are borrowed */
    uint64_t seed, set;                 /* name the random streams, with the scenario */
    bool record;                        /* keep every stint and the processors it held */
    int64_t max_faults;                 /* a run with more effective faults, or 100 times as many
                                           ineffective ones in a row, fails with ORR_ERR_LIMIT; 0:
                                           ten million */
    const orr_cancel_flag *cancel;      /* polled at every event; NULL: none */
    orr_trap trap;
    const orr_allocator *alloc; /* NULL: malloc */
} orr_malleable_setup;

/* The distribution of processors after an instant (RR-8795, figure 9). */
typedef struct orr_moment {
    double time;      /* s */
    double expected;  /* s: the largest expected finish of the running tasks */
    double mean;      /* processors per running task */
    double deviation; /* their standard deviation over the running tasks (their number below) */
    int32_t running;  /* tasks */
} orr_moment;

/* The metrics of a run. */
typedef struct orr_malleable_metrics {
    double makespan;         /* s: the last end */
    double expected;         /* s: the largest expected finish when the run began */
    int64_t faults;          /* faults that struck a task (spec/READINGS.md, 13) */
    int64_t redistributions; /* events at which a task changed its processors */
    int64_t moves;           /* changes of a task's processors */
    int64_t fatal;           /* faults of a processor whose buddy had failed and whose task still
                                recovered from that fault; only counted */
    orr_spent spent;         /* processor-seconds */
} orr_malleable_metrics;

/* A simulation without a scenario: orr_malleable_reset begins one. NULL on failure: memory, or
 * ORR_ERR_ARGUMENT for too few processors or numbers out of range. */
ORR_API orr_malleable *orr_malleable_create(const orr_malleable_setup *setup, orr_error *err);
ORR_API void orr_malleable_destroy(orr_malleable *sim); /* NULL is fine */

/* Begins scenario `scenario` (>= 1 by convention; part of the streams' names), or begins it again,
 * with these tasks, which are borrowed until the next reset, also by copies; their number is that
 * of the setup. */
ORR_API orr_status orr_malleable_reset(orr_malleable *sim, const orr_tasks *tasks,
                                       uint64_t scenario, orr_error *err);

/* A deep copy; NULL on failure. */
ORR_API orr_malleable *orr_malleable_copy(const orr_malleable *sim, orr_error *err);

/* All events of the next instant. At the end of the run it does nothing. An error in the middle of
 * an instant stops the simulation: all later calls fail with ORR_ERR_POLICY until reset. */
ORR_API orr_status orr_malleable_step(orr_malleable *sim, orr_error *err);

/* All instants <= time; the clock then stands at `time`, or later where it was later already, or at
 * the makespan where all tasks are over. */
ORR_API orr_status orr_malleable_run_until(orr_malleable *sim, double time, orr_error *err);

/* Runs to the end. *metrics, when not NULL, is filled. */
ORR_API orr_status orr_malleable_finish(orr_malleable *sim, orr_malleable_metrics *metrics,
                                        orr_error *err);

/* The metrics of the run so far; makespan is the clock while tasks run. Fatal faults are counted up
 * to the next event. */
ORR_API orr_malleable_metrics orr_malleable_measure(const orr_malleable *sim);

/* Whether every task is over. */
ORR_API bool orr_malleable_is_over(const orr_malleable *sim);

/* The instant of the next event in s; inf when there is none. */
ORR_API double orr_malleable_next_event(const orr_malleable *sim);

/* The ends of the tasks, s, one per task; for running tasks the ends if no fault strikes them. */
ORR_API const double *orr_malleable_ends(const orr_malleable *sim);

/* The recorded stints so far, owned by the simulation and valid until it goes on; NULL without
 * recording. */
ORR_API const orr_stints *orr_malleable_stints(const orr_malleable *sim);

/* The faults so far that were recorded, absorbed ones included, owned as above; NULL without
 * recording. */
ORR_API const orr_fault *orr_malleable_faults(const orr_malleable *sim, int64_t *count);

/* One moment for the start and one for every later instant with an event, while tasks run; owned as
 * above, NULL without recording. */
ORR_API const orr_moment *orr_malleable_moments(const orr_malleable *sim, int64_t *count);

/* Whether the recorded stints are possible: schedule/stints.h. ORR_ERR_ARGUMENT: nothing was
 * recorded, or the simulation is inside an event or was stopped there by an error. */
ORR_API orr_status orr_malleable_check(const orr_malleable *sim, orr_error *err);

/* RR-8795, Algorithm 1 (spec/READINGS.md, 3 and 4): processors for each task, even, that minimise
 * the largest t^R(1), at most `procs` in all. ORR_ERR_ARGUMENT for procs < 2 * count. */
ORR_API orr_status orr_initial_allocation(const orr_tasks *tasks, int32_t procs,
                                          const orr_resilience *resilience, int32_t *allocation,
                                          const orr_allocator *alloc, orr_error *err);
