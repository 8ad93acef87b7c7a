/* What-if questions: a changed copy of a simulation of rigid jobs that goes on from its present
 * state.
 *
 * A change is made between two instants, at the clock. It creates a new simulation and does not
 * modify the given one, so a change is made completely or not at all. An empty change gives a
 * simulation with the same future as a copy, to the last bit.
 *
 * The consequences of a change happen at the next step, which is one more instant at the same time
 * `now` (orr_rigid_next_event): first the policy is told, then the usual parts of an instant
 * follow.
 *
 * The policy is told what it cannot know. on_end is called for every cancelled job (ORR_CANCELLED),
 * also for a waiting or held one, but not for a job that was not submitted yet. on_end is called
 * for every attempt that a fault struck (ORR_NODE_FAILED). For a policy that takes over, on_start
 * is called for every running job, in order of their starts, then on_submit for every waiting job,
 * in order of submission.
 *
 * Random numbers. Streams are named by position, so additional jobs or processors do not change the
 * numbers of the others; the policy's generator continues from its present state.
 *
 * The parts of one change are applied in the order of their fields here. */
#pragma once

#include "rigid/interface/engine.h"
#include "rigid/machine/scenario.h"

/* A group has `procs` >= 0 processors in service from now until `until` (s, later than now;
 * INFINITY: for ever). After `until` the changes made before this one apply again. A later change
 * of the same group replaces this one.
 *
 * If the group has more processors in service than `procs`, the excess ones are drained, the
 * highest-numbered first: a free processor is down at once, a busy one when its attempt ends; no
 * job is killed. All plans know when the drained processors come back. If the group has fewer,
 * drained processors come back now, the lowest-numbered first. The last group may get more
 * processors than it ever had: these are new and are numbered behind all others. If processors
 * leave again at `until`, they get a window then (orr_window.lets_end), and all plans name
 * processors (READINGS 48). A drained processor that fails is down until both the drain and the
 * repair are over. */
typedef struct orr_rigid_service {
    const char *group; /* NULL: the first */
    int32_t procs;
    double until;
} orr_rigid_service;

/* A fault that strikes now: either the attempt of a job or the node of a processor. The attempt
 * ends with ORR_NODE_FAILED, the job waits again, and the record says that its first processor
 * failed and was repaired at once. The node is down for `repair` seconds >= 0; if there are no
 * nodes, or the processor was added by a change, only the processor itself is down. */
typedef struct orr_rigid_fault {
    int32_t job; /* a running job; -1: the processor below */
    int32_t processor;
    double repair; /* s; inf: its end is not known */
} orr_rigid_fault;

typedef struct orr_rigid_change {
    size_t size; /* sizeof this, see base/api.h */

    /* Another policy that takes over. Its state is made, its priorities are asked, held jobs wait
     * again, and wake-up times are dropped. A job waits in the new group with the name of its old
     * one, else in the first; a running job must hold processors of one group. The policy is for
     * `procs` processors, 0: all. If the simulation has fewer, the missing ones are added to the
     * last group. If it has more, the highest-numbered are drained until a later policy uses them.
     * NULL: the present policy goes on with its state. */
    const orr_rigid_policy *policy;
    int32_t procs;

    /* The jobs with other runtimes for unfinished jobs, and with new jobs behind the present ones.
     * The runtime of a running job must not be less than the time it has run. New jobs are
     * submitted no earlier than now. Borrowed like the jobs of a setup. NULL: the jobs do not
     * change. `estimates`: of the new jobs, s; NaN and NULL: as for the others, the log's walltime
     * or the runtime. */
    const orr_jobs *jobs;
    const double *estimates;

    /* The source of random failures. It applies to new jobs and, if `draws` is set, to the failures
     * still to come of every unfinished job. Attempts that have failed remain; the number of
     * further failures is the count of the job in a scenario of this seed. lambda 0: no failures
     * are drawn. If `draws` is set, nodes that fail by a law fail from now on at the times of this
     * seed. */
    bool draws;
    uint64_t seed;
    double lambda; /* errors per processor-second */
    int32_t max_attempts;

    const orr_rigid_service *service; /* NULL: no change */

    /* Jobs to cancel, by position, in any state; they are over now. The work of a running attempt
     * is lost (ORR_CANCELLED). spec/METRICS.md says how metrics count cancelled jobs. */
    const int32_t *cancel;
    int32_t cancel_count;

    /* Jobs whose running attempt, or else whose next attempt, fails at its end; after that they
     * fail as often as before the change. */
    const int32_t *fail;
    int32_t fail_count;

    const orr_rigid_fault *faults;
    int32_t fault_count;

    /* Called with one sentence for each part of the change that will have no effect; may be
       NULL. */
    void (*remark)(void *user, const char *text);
    void *remark_user;

    int32_t room; /* memory for this number of additional jobs, which can then be submitted in
                     place */

    /* The checkpoints of new jobs (READINGS 36), copied; only if the simulation's instance has
     * checkpoints. All zero: new jobs write none. */
    orr_checkpoints checkpoints;

    /* `checkpoint`: running jobs that write a checkpoint now, as by orr_rigid_checkpoint.
     * `preempt`: running jobs that write one and leave their processors when it is complete, as by
     * orr_rigid_preempt. on_end is not called. */
    const int32_t *checkpoint, *preempt;
    int32_t checkpoint_count, preempt_count;

    /* Additional windows, such as drains at a given time (orr_window.drains), which begin later
     * than now; their texts are borrowed. From now on all plans know them (READINGS 48). */
    const orr_window *windows;
    int64_t window_count;

    /* From now on the machine has so much of these of its pools, without what is closed, and these
     * of its limits have this `most`. What runs goes on; a job that needs more waits, and `remark`
     * counts these jobs. */
    const orr_pool *pools;
    int32_t pool_count;
    const orr_limit *limits;
    int32_t limit_count;
    /* `drains`: processors that are drained from now until `to`; attempts that run there go on to
     * their end. `returns`: of these processors those that are drained come back now. Of both only
     * processors with numbers, and of drains `to`, are read. A later change of a processor replaces
     * an earlier one. */
    const orr_window *drains, *returns;
    int64_t drain_count, return_count;
    /* Nodes that a machine of nodes gets before all other changes, which see them, numbered behind
     * all others. Random failures do not strike them. If processors are only counted, as all nodes
     * are of one processor and nothing else, so are these. */
    const orr_more_nodes *more_nodes;
    int32_t more_node_count;
} orr_rigid_change;

/* Returns the changed simulation, which borrows what `sim` borrows. Returns NULL on failure, and
 * nothing has changed. Errors: memory; ORR_ERR_ARGUMENT, with a message that names the job or
 * processor, the numbers and the reason; an error of the policy, which may be asked for its state
 * and for priorities. `sim` must have a scenario, and no error may have stopped it. Changes of
 * processors and faults need a simulation that is recorded or whose nodes may fail.
 *
 * instance: if the new simulation needs another instance (other jobs, more processors) it is made
 * here, and the caller destroys it after the new simulation. Otherwise it is all zero, and the new
 * simulation uses the instance of `sim`. */
ORR_API orr_rigid *orr_rigid_changed(const orr_rigid *sim, const orr_rigid_change *change,
                                     orr_instance *instance, orr_error *err);

/* The number of jobs that can be submitted in place: 0 if the simulation was not made by a
 * change. */
ORR_API int32_t orr_rigid_room(const orr_rigid *sim);

/* Submits in place `count` jobs of `more`, from `first` on: they are added to the workload of the
 * simulation's instance, to the instance, and to the simulation. Nothing is copied, so the cost
 * does not depend on the size of the log. There must be room for the jobs; their submission times
 * are no earlier than now. The jobs have no failures of their own. If they should fail, if runtimes
 * are capped, or if there is no room, change the simulation instead.
 *
 * `in` and `jobs` must be those of this simulation. No other simulation may use them; this is not
 * checked. On failure (errors as for a change) nothing has changed. */
ORR_API orr_status orr_rigid_submit(orr_rigid *sim, orr_instance *in, orr_jobs *jobs,
                                    const orr_jobs *more, int32_t first, int32_t count,
                                    orr_error *err);
