/* Short ways through a simulation that nobody watches. Internal to this folder. */
#ifndef ORR_RIGID_SHORTCUTS_INTERNAL_H
#define ORR_RIGID_SHORTCUTS_INTERNAL_H

#include "rigid/state_internal.h"

/* Short ways to the next event that is worth a step, where there are any. */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on, to the last bit: count times start = (start + time) + verification. */
double ori_retry_clock(double start, double time, double verification, int32_t count);

#endif
