/* Nodes fail and are repaired, drains and windows begin: see outages.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Applies the repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);
/* Applies those before now, each at its time, for a run that was over at these times and goes
 * on. */
orr_status ori_rigid_catch_up_outages(orr_rigid *sim, orr_error *err);

/* Makes processors fail now; *count, when not NULL, is the number of attempts that this has
 * ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);
