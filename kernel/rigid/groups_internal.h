/* Groups of processors: creation, copies, static ranks. Internal to this folder. */
#ifndef ORR_RIGID_GROUPS_INTERNAL_H
#define ORR_RIGID_GROUPS_INTERNAL_H

#include "rigid/state_internal.h"

/* The groups of sim->policy, with all that this way of running them needs. */
orr_status ori_groups_create(orr_rigid *sim, ori_filling filling, orr_error *err);
void ori_groups_destroy(orr_rigid *sim);
void ori_groups_clear(orr_rigid *sim);
void ori_groups_copy(orr_rigid *to, const orr_rigid *from);

/* Static ranks for all jobs, by their keys and submissions. */
void ori_groups_rank_all(orr_rigid *sim, ori_order *o);

#endif
