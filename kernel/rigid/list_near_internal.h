/* R-LIST with a reservation for every job, where jobs fail often and few run: see list_near.c. */
#pragma once

#include "rigid/agenda_internal.h"

/* Begins to keep the waiting jobs in arrays. */
void ori_bystanders_begin(ori_bystanders *w, const orr_rigid *sim);

/* The rest of a decision: plans the jobs from *rank on, as far as they matter to a start now, and
 * starts those that can. The group's plan holds the reservations in front of this rank. On return
 * *rank is behind the last rank; if the plan has too many steps, where to go on. */
orr_status ori_rigid_plan_near(orr_rigid *sim, ori_agenda *a, int32_t *rank, orr_error *err);
