/* What-if: a simulation of malleable tasks continues from its present state with changed tasks,
 * faults or processors.
 *
 * A change is made between two instants, at the clock. It gives a new simulation and leaves the
 * given one as it is, so that it happens whole or not at all. Its consequences are an event of the
 * same instant: next_event is then the clock, and the next step calls the policy where it has to be
 * asked. A change without immediate consequences (all but `cancel` and `faults`) is not an event.
 *
 * It makes no difference whether the simulation is recorded. The independent checker
 * (schedule/stints.h) holds recorded runs that were changed to the same rules. A change draws the
 * faults of the run up to the clock again, from their streams.
 *
 * The parts of one change are applied in the order of their fields here. */
#pragma once

#include "malleable/engine.h"

/* The rest of a task takes `factor` times as long from now on. */
typedef struct orr_work_change {
    int32_t task;
    double factor; /* > 0, finite */
} orr_work_change;

typedef struct orr_malleable_change {
    size_t size; /* sizeof this, see base/api.h */
    /* Another policy from now on, copied as in orr_malleable_setup; its state is made after all
     * other changes. NULL: the present policy, with its state. The policies' random generator
     * continues in both cases. ORR_ERR_ARGUMENT where the old or the new one gives periods, which
     * do not change for tasks that run. */
    const orr_malleable_policy *policy;

    /* From now on drawn faults come from the streams of another seed: the faults after the clock
     * among those that `seed` gives for this run. Weibull and lognormal: as if the processors had
     * failed by these streams since 0, or since they were added, so that ages follow the new
     * streams. A fault log stays as it is. */
    bool draws;
    uint64_t seed;

    /* The machine has `procs` >= 0 processors from now on; At `until` (s, after the clock;
     * INFINITY: never) it returns to the old size, unless another change of the size came first.
     * Fewer processors: free ones leave at once, the highest-numbered first; held ones leave as
     * soon as a task shrinks or ends, before any other task gets them. While processors have yet to
     * leave, no task gets more than it has. More processors: they first take the lowest numbers
     * that have left, then numbers behind the last. They are free for the next redistribution; the
     * policy is not called for them. Faults of processors that have left are absorbed and their
     * streams go on; added processors are new now (workload/faults.h). j_max (decide.h) is over the
     * size that the machine is to have. */
    bool resizes;
    int32_t procs;
    double until;

    /* More tasks: the present tasks at their positions, and new ones behind them, borrowed as in
     * orr_malleable_reset. They start now, without a checkpoint, on processors that are free:
     * Algorithm 1 (orr_initial_allocation) for these tasks and processors. NULL: no more. */
    const orr_tasks *tasks;

    /* Tasks that end now, by position: they are over, their processors are free at once, and on_end
     * is called for each, in order of position, as for tasks that complete now. */
    const int32_t *cancel;
    int32_t cancel_count;

    /* Running tasks that need more or less time than expected. Work since the last checkpoint does
     * not change: if a fault undoes it, it takes the same time again. Periods do not change, and
     * the policy is not called. A task's share of work left may then be above 1. */
    const orr_work_change *work;
    int32_t work_count;

    /* Fail-stop faults now, after all faults of the source at this instant; their times are not
     * read. They are treated like faults of the source: recorded, absorbed by idle processors and
     * by tasks that are locked. */
    const orr_fault *faults;
    int64_t fault_count;

    /* Called, with one sentence, for every part of the change that will have no effect; NULL: no
     * calls. */
    void (*remark)(void *user, const char *text);
    void *remark_user;
} orr_malleable_change;

/* The changed simulation, which borrows the same objects as `sim`. NULL on failure, and nothing has
 * happened: memory; ORR_ERR_ARGUMENT for an unknown task or processor, a task that is over, numbers
 * out of range, too few free processors; ORR_ERR_POLICY when a state could not be made. */
ORR_API orr_malleable *orr_malleable_changed(const orr_malleable *sim,
                                             const orr_malleable_change *change, orr_error *err);
