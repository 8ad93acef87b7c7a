/* Resets that Monte Carlo uses: see engine.c. */
#pragma once

#include "rigid/state_internal.h"

/* orr_rigid_reset; drawn: see ori_outages_reset. */
orr_status ori_rigid_reset(orr_rigid *sim, const int32_t *failures, const orr_faults *drawn,
                           uint64_t scenario, orr_error *err);
