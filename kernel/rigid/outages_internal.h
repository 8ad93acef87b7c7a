/* What outages do to a simulation. Internal to this folder. */
#ifndef ORR_RIGID_OUTAGES_INTERNAL_H
#define ORR_RIGID_OUTAGES_INTERNAL_H

#include "rigid/state_internal.h"

/* Repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);

/* Processors fail now; *count, when not NULL: the attempts that this has ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);

#endif
