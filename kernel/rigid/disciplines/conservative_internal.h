/* Conservative backfilling: see conservative.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* One decision. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);
