/* Which processors of a group are in service. Internal to this folder. */
#ifndef ORR_RIGID_CAPACITY_INTERNAL_H
#define ORR_RIGID_CAPACITY_INTERNAL_H

#include "rigid/state_internal.h"

static inline bool ori_is_down(const orr_rigid *sim, int32_t processor)
{
    return sim->processors.holder[processor] == ORI_DOWN;
}

/* The processors behind `low` that are in the same state, up to `end`. */
int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end);

/* Processors low .. end - 1 of a group, all in the same state, and free or down, are down as long
 * as failures and drains say now. */
void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end);

/* Drained processors low .. end - 1, free and in the same state, go down. */
orr_status ori_rigid_take_down(orr_rigid *sim, ori_group *g, int32_t low, int32_t end,
                               orr_error *err);
/* The same for those of them that an attempt has just left. */
orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Notes when the processors of a running job will be free, or forgets it. */
void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job);
void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job);

#endif
