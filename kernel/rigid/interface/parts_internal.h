/* The memory of a simulation: see state.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* A simulation with the plain fields of `plain` and no parts. */
orr_rigid *ori_rigid_allocate(const orr_rigid *plain, orr_error *err);

/* Makes all parts of a simulation except the priorities, for create, for copies (which fill the
 * parts) and for successors. */
orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_rigid_node_failures *failures,
                                  ori_given_windows windows, ori_filling filling, orr_error *err);

/* Nothing has happened yet: clears all but the state of the jobs in front of `first`, which is
 * taken over, and, in a simulation without a scenario, a recording, which is empty. */
void ori_rigid_forget_run(orr_rigid *sim, int32_t first);
/* Clears the state of the jobs from `first` on: nothing has happened to them. */
void ori_rigid_forget_jobs(orr_rigid *sim, int32_t first);

/* Takes over the state of the jobs into new memory: not their groups, nor how long their attempts
 * are. Nothing is written of most fields of jobs that are still to come. */
void ori_rigid_take_jobs(orr_rigid *to, const orr_rigid *from);

/* Makes the parts of `to`, whose plain fields are those of `from`, and copies their contents. */
orr_status ori_rigid_copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* Writes the groups of the simulation into its recording. */
orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err);
