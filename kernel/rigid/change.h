/* What-if: a simulation of rigid jobs goes on from where it stands as something else.
 *
 * A change is made between two instants, at the clock. It gives a new simulation and leaves the
 * given one as it is, so that it happens whole or not at all. A change of nothing gives a
 * simulation with the future that a copy would have, to the last bit.
 *
 * What follows from a change happens at the next step, which then is one more instant at the same
 * time `now` (orr_rigid_next_event): first the policy is told, then comes all that an instant has.
 *
 * The policy hears of what it cannot know: on_end of every job that was cancelled (ORR_CANCELLED),
 * also of one that waited or was held, unless it was not submitted yet; on_end of every attempt
 * that a fault struck (ORR_NODE_FAILED); a policy that takes over, on_start of every job that runs,
 * in order of their starts, then on_submit of every job that waits, in order of submission.
 *
 * Random numbers. Streams are named by position, so that what is added changes nobody's numbers;
 * the policy's generator goes on where it was.
 *
 * The parts of one change are applied in the order of their fields here. */
#pragma once

#include "rigid/engine.h"
#include "rigid/scenario.h"

/* A group has `procs` >= 0 processors in service from now on; until `until` (s, later than now;
 * INFINITY: for ever). From then on what changes before this one say is so again, and if there is a
 * later one of the group, that one holds.
 *
 * Those that are too many are drained, the highest-numbered first: a free one is down at once, a
 * busy one when its attempt ends; nobody is killed. Everybody who plans knows when they come back.
 * Those that are missing come back now, the lowest-numbered first; the last group may get more than
 * it ever had, which are new and numbered behind all others. If they leave again at `until`, there
 * is a window there then (orr_window.lets_end), and all plans name processors (READINGS 48). A
 * drained processor that fails meanwhile is down until both are over. */
typedef struct orr_rigid_service {
    const char *group; /* NULL: the first */
    int32_t procs;
    double until;
} orr_rigid_service;

/* A fault strikes now. The attempt of a job: ORR_NODE_FAILED, the job waits again, and the record
 * says that its first processor failed and was repaired at once. Or the node of a processor, which
 * is then down for `repair` seconds >= 0; of processors that were added, and where there are no
 * nodes, the processor alone. */
typedef struct orr_rigid_fault {
    int32_t job; /* that runs; -1: the processor below */
    int32_t processor;
    double repair; /* s */
} orr_rigid_fault;

typedef struct orr_rigid_change {
    size_t size; /* sizeof this, see base/api.h */

    /* Another policy. Its state is made, its priorities are asked, held jobs wait again, the times
     * to wake up at are forgotten. Jobs wait in the group that has the name of theirs, else in the
     * first; a running one must hold processors of one group. It is for `procs` processors: where
     * there are fewer, those that are missing are added to the last group; where there are more,
     * the highest-numbered are drained for ever, until a policy comes for which they are; 0: all.
     * NULL: the same, with its state. */
    const orr_rigid_policy *policy;
    int32_t procs;

    /* Jobs with other runtimes of unfinished ones, of one that runs no less than it has run, and
     * with more behind, submitted no earlier than now; borrowed like those of a setup. NULL: the
     * same. Estimates: of those behind, s; NaN and NULL: as for the others, the log's walltime or
     * the runtime. */
    const orr_jobs *jobs;
    const double *estimates;

    /* What the failures are drawn from that jobs behind have, and, where `draws`, those still to
     * come of every unfinished job: attempts that have failed stay, the rest is the count that the
     * job would have in a scenario of this seed. lambda 0: no failures are drawn. Nodes that fail
     * by a law then fail from now on when those of this seed do. */
    bool draws;
    uint64_t seed;
    double lambda; /* errors per processor-second */
    int32_t max_attempts;

    const orr_rigid_service *service; /* NULL: as before */

    /* Jobs that are over now, by position, wherever they are; of an attempt that runs the work is
     * lost (ORR_CANCELLED). spec/METRICS.md says what they count for. */
    const int32_t *cancel;
    int32_t cancel_count;

    /* Jobs whose attempt that runs, or else whose next one, fails at its end; after that they fail
     * as often as before. */
    const int32_t *fail;
    int32_t fail_count;

    const orr_rigid_fault *faults;
    int32_t fault_count;

    /* Told, as one sentence, of what will have no effect; NULL: nobody is. */
    void (*remark)(void *user, const char *text);
    void *remark_user;

    int32_t room; /* for so many jobs more, which then can be submitted in place */

    /* Of the jobs behind (READINGS 36), copied; only where the simulation's instance has some. All
     * zero: they write none. */
    orr_checkpoints checkpoints;

    /* Running jobs that write a checkpoint now, and such that do and leave their processors when it
     * is complete, as by orr_rigid_checkpoint and orr_rigid_preempt; on_end is not called. */
    const int32_t *checkpoint, *preempt;
    int32_t checkpoint_count, preempt_count;

    /* Windows beside those that there are, such as drains at a time (orr_window.drains), which
     * begin later than now; their texts are borrowed. From now on everybody who plans knows
     * them (READINGS 48). */
    const orr_window *windows;
    int64_t window_count;
} orr_rigid_change;

/* The simulation as changed, which borrows what `sim` borrows; NULL on failure, and nothing has
 * happened: memory; ORR_ERR_ARGUMENT, with a message that names the job or processor, the numbers
 * and the reason; an error of the policy's, which may be asked for its state and for priorities.
 * `sim` must have a scenario, and no error may have stopped it. Processors are changed, and faults
 * strike, only where a simulation is recorded or its nodes may fail.
 *
 * instance: where the new simulation is for another one (other jobs, more processors) it is made
 * here, to be destroyed by the caller after that simulation; else it is all zero, and the
 * simulation is for that of `sim`. */
ORR_API orr_rigid *orr_rigid_changed(const orr_rigid *sim, const orr_rigid_change *change,
                                     orr_instance *instance, orr_error *err);

/* How many jobs can be submitted in place: none where the simulation was not made by a change. */
ORR_API int32_t orr_rigid_room(const orr_rigid *sim);

/* Submits in place `count` jobs of `more`, from `first` on: they are added to the workload of the
 * simulation's instance, to the instance, and to the simulation. This costs what a submission
 * costs, whatever the size of the log: nothing is copied. There must be room for them; their
 * submission times are no earlier than now. They do not fail of themselves: where they are to,
 * where runtimes are capped, or there is no room, change the simulation instead.
 *
 * in and jobs are those of the simulation, and of no other one, for which the caller answers. On
 * failure, which is as for a change, nothing has happened. */
ORR_API orr_status orr_rigid_submit(orr_rigid *sim, orr_instance *in, orr_jobs *jobs,
                                    const orr_jobs *more, int32_t first, int32_t count,
                                    orr_error *err);
