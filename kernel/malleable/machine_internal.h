/* The size of the machine, which somebody may change while tasks run, and how its processors are
 * spread. */
#ifndef ORR_MALLEABLE_MACHINE_INTERNAL_H
#define ORR_MALLEABLE_MACHINE_INTERNAL_H

#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"

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

/* --- what a recording keeps beside the stints; nothing without one ---------------------------- */

/* How the processors are spread after this instant. */
orr_status ori_record_moment(orr_malleable *sim, orr_error *err);

/* What somebody changed, now. Fields that a change does not have are 0, its processors none. */
static inline orr_status ori_record_change(orr_malleable *sim, orr_stints_change change,
                                           orr_error *err)
{
    change.time = sim->shell.now;
    return sim->shell.record ? ori_stints_note(&sim->stints, &change, err) : ORR_OK;
}

#endif
