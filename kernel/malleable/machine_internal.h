/* The size of the machine, which somebody may change while tasks run. */
#ifndef ORR_MALLEABLE_MACHINE_INTERNAL_H
#define ORR_MALLEABLE_MACHINE_INTERNAL_H

#include "malleable/state_internal.h"

/* The processors that are there: those that are to be, and those that cannot leave yet. */
static inline int32_t ori_machine_present(const orr_malleable *sim)
{
    return sim->at.procs + sim->at.leaving;
}

/* Whether a processor is not in service: it has left, or was never there. */
bool ori_machine_is_down(const orr_malleable *sim, int32_t processor);

/* Lets free processors go as long as there are too many. */
orr_status ori_machine_settle(orr_malleable *sim, orr_error *err);

/* From now on the machine is to have so many; there is room for them. */
orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, orr_error *err);

/* The size that was set for some time is over. */
orr_status ori_machine_undo(orr_malleable *sim, orr_error *err);

#endif
