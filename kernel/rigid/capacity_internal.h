/* Which processors of a group are in service: what takes them out, and brings them back. */
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

/* --- drained and lent processors (drain.c) --------------------------------------------------- */

/* So many processors of a group, the highest-numbered that are not drained, are drained until
 * `until`; or the lowest-numbered drained ones are in service again until then. */
orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err);
orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, double until,
                                orr_error *err);

/* Processors that leave at a time that is known; and those that leave now because it is there. */
orr_status ori_rigid_lend(orr_rigid *sim, ori_lending l, orr_error *err);
orr_status ori_rigid_apply_lendings(orr_rigid *sim, orr_error *err);

/* The highest-numbered `count` processors are drained for ever, those that were so before come
 * back. */
orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err);

/* What is down and drained in the simulation that is taken over from, and what is new. */
orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* --- outages (outages.c) --------------------------------------------------------------------- */

/* Repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);

/* Processors fail now; *count, when not NULL: the attempts that this has ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);

#endif
