/* Drained and lent processors. Internal to this folder. */
#ifndef ORR_RIGID_DRAIN_INTERNAL_H
#define ORR_RIGID_DRAIN_INTERNAL_H

#include "rigid/state_internal.h"

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

#endif
