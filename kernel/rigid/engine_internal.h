/* The inside of creation and reset, for those who make successors. Internal to this folder. */
#ifndef ORR_RIGID_ENGINE_INTERNAL_H
#define ORR_RIGID_ENGINE_INTERNAL_H

#include "rigid/state_internal.h"

orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err);
orr_status ori_rigid_copy_state(orr_rigid *to, const orr_rigid *from, orr_error *err);

#endif
