/* Which processors of a group are in service, and when those are free that are not now. */
#pragma once

#include "rigid/state/state_internal.h"

static inline bool ori_is_down(const orr_rigid *sim, int32_t processor)
{
    return sim->processors.holder[processor] == ORI_DOWN;
}

/* The end, at most `end`, of the run of processors from `low` on that are in the same state. */
int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end);

/* Updates processors low .. end - 1 of a group, all in the same state, and free or down: they are
 * down until the time that failures and drains now give. */
void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end);

/* Records that drained processors that are free, all in the same state, go down, or, with
 * ORR_OUTAGE_BACK, that drained processors are in service again. */
orr_status ori_rigid_note_drained(orr_rigid *sim, ori_group *g, const orr_outage *outage,
                                  orr_outage_kind kind, orr_error *err);
/* The drained processors that an attempt has just left go down. */
orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Adds the planned end of a running job to the planned ends of its group, or removes it. */
void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job);
void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job);
