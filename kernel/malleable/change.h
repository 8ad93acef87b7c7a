/* What-if: a simulation of malleable tasks goes on from where it stands as something else.
 *
 * A change is made between two instants, at the clock. It gives a new simulation and leaves the
 * given one as it is, so that it happens whole or not at all. What follows from it is an event of
 * the same instant: next_event is then the clock, and the next step calls the policy where it has
 * to be asked. A change that nothing follows from at once (all but `cancel` and `faults`) is none.
 *
 * It makes no difference whether the simulation is recorded. The independent checker
 * (schedule/stints.h) holds recorded runs that were changed to the same rules. A change takes the
 * faults of the run up to the clock once more, from their streams.
 *
 * The parts of one change are applied in the order of their fields here. */
#pragma once

#include "malleable/engine.h"

/* What is left of a task takes `factor` times as long from now on. */
typedef struct orr_work_change {
    int32_t task;
    double factor; /* > 0, finite */
} orr_work_change;

typedef struct orr_malleable_change {
    size_t size; /* sizeof this, see base/api.h */
    /* Another policy from now on, copied as in orr_malleable_setup; its state is made when all else
     * is done. NULL: the same, with its state. The generator that policies draw from goes on either
     * way. ORR_ERR_ARGUMENT where the old or the new one gives periods, which do not change for
     * tasks that run. */
    const orr_malleable_policy *policy;

    /* Faults that are drawn come from the streams of another seed from now on: of the faults that
     * `seed` gives for this run those after the clock. Weibull and lognormal: as if the processors
     * had failed by these streams since 0, or since they were added, so that the ages are those of
     * the new streams. A log stays as it is. */
    bool draws;
    uint64_t seed;

    /* The machine has `procs` >= 0 processors from now on; `until` (s, after the clock; INFINITY:
     * for good) it is that many, and then as many as before, unless another change of the size came
     * first. Fewer: those that are free leave at once, the highest-numbered first; those that tasks
     * hold as soon as they become free, because a task shrinks or ends, before anybody else gets
     * them. While some have yet to leave no task gets more than it has. More: they come to the
     * lowest numbers that are not there, of such as have left, then behind the last, and are free
     * for the next redistribution; nobody is asked. Faults of those that are down are absorbed,
     * their streams go on; new ones are new now (workload/faults.h). j_max (decide.h) is over the
     * size that the machine is to have. */
    bool resizes;
    int32_t procs;
    double until;

    /* More tasks: the same ones at the same positions, and more behind them, borrowed as in
     * orr_malleable_reset. They start now, without a checkpoint, on processors that are free:
     * Algorithm 1 (orr_initial_allocation) for these tasks and processors. NULL: no more. */
    const orr_tasks *tasks;

    /* Tasks that end now, by position: they are over, their processors are free at once, and on_end
     * is called for each, in order of position, as for tasks that complete now. */
    const int32_t *cancel;
    int32_t cancel_count;

    /* Running tasks that need more or less time than thought. Work since the last checkpoint is not
     * left: where a fault undoes it, it takes as long again as it took. The periods go on as they
     * are, and nobody is asked. The share of its work that is left may then be above 1. */
    const orr_work_change *work;
    int32_t work_count;

    /* Fail-stop faults now, their times are not read; behind all that the source has for this
     * instant. They are faults like those of the source: recorded, absorbed by idle processors and
     * by tasks that are locked. */
    const orr_fault *faults;
    int64_t fault_count;

    /* Told, as one sentence, of what will have no effect; NULL: nobody is. */
    void (*remark)(void *user, const char *text);
    void *remark_user;
} orr_malleable_change;

/* The simulation as changed, which borrows what `sim` borrows. NULL on failure, and nothing has
 * happened: memory; ORR_ERR_ARGUMENT for a task or processor that there is not, a task that is
 * over, numbers out of range, too few free processors;
 * ORR_ERR_POLICY when a state could not be made. */
ORR_API orr_malleable *orr_malleable_changed(const orr_malleable *sim,
                                             const orr_malleable_change *change, orr_error *err);
