/* What-if: a simulation of malleable tasks goes on from where it stands as something else.
 *
 * A change is made between two instants, at the clock. It gives a new simulation and leaves the
 * given one as it is, so that it happens whole or not at all. What follows from it is an event of
 * the same instant: next_event is then the clock, and the next step calls the policy where it has
 * to be asked. A change that nothing follows from (another policy or seed alone) is no event.
 *
 * Only a recorded simulation can be changed: faults that strike nobody are taken ahead of the
 * clock, and the recording is what they are put back from. The independent checker
 * (schedule/stints.h) holds changed runs to the same rules.
 *
 * The parts of one change are applied in the order of their fields here. */
#ifndef ORR_MALLEABLE_CHANGE_H
#define ORR_MALLEABLE_CHANGE_H

#include "malleable/engine.h"

typedef struct orr_malleable_change {
    /* Another policy from now on, copied as in orr_malleable_setup; its state is made now. NULL:
     * the same, with its state. The generator that policies draw from goes on either way. */
    const orr_malleable_policy *policy;

    /* Faults that are drawn come from the streams of another seed from now on: of the faults that
     * `seed` gives for this run those after the clock. Weibull and lognormal: as if the processors
     * had failed by these streams since 0, so that the ages are those of the new streams. A log
     * stays as it is. */
    bool draws;
    uint64_t seed;

    /* Tasks that end now, by position: they are over, their processors are free at once, and on_end
     * is called for each, in order of position, as for tasks that complete now. */
    const int32_t *cancel;
    int32_t cancel_count;

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
 * over, a simulation that was not recorded; ORR_ERR_POLICY when a state could not be made. */
ORR_API orr_malleable *orr_malleable_changed(const orr_malleable *sim,
                                             const orr_malleable_change *change, orr_error *err);

#endif
