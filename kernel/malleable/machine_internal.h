/* The size of the machine (machine.c), and what is recorded beside the stints. */
#pragma once

#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"

/* The processors that are there: those that are to be, and those that cannot leave yet. */
static inline int32_t ori_machine_present(const orr_malleable *sim)
{
    return sim->at.procs + sim->at.leaving;
}

/* Whether a processor is not in service: it has left, or never existed. */
bool ori_machine_is_down(const orr_malleable *sim, int32_t processor);

/* Lets surplus free processors leave. */
orr_status ori_machine_settle(orr_malleable *sim, orr_error *err);

/* Sets the size of the machine until a time, then back to the present size; there is room. */
orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, double until, orr_error *err);

/* --- recording beside the stints; nothing without a recording --------------------------------- */

/* Records the distribution of processors after this instant. */
orr_status ori_record_moment(orr_malleable *sim, orr_error *err);

/* Records a change, now. Unused fields of the change are 0, its processors none. */
static inline orr_status ori_record_change(orr_malleable *sim, orr_stints_change change,
                                           orr_error *err)
{
    change.time = sim->shell.now;
    return sim->shell.record ? ori_stints_note(&sim->stints, &change, err) : ORR_OK;
}

/* --- idle processors -------------------------------------------------------------------------- */

/* Processor-seconds up to the clock. They are added up when the number of free processors changes,
 * so that the sum is the same to the last bit wherever the clock was stopped in between. */
static inline double ori_idle(const orr_malleable *sim)
{
    return sim->at.metrics.spent.idle + sim->at.free * (sim->shell.now - sim->at.idle_to);
}

/* Before `free` changes. */
static inline void ori_count_idle(orr_malleable *sim)
{
    sim->at.metrics.spent.idle = ori_idle(sim);
    sim->at.idle_to = sim->shell.now;
}
