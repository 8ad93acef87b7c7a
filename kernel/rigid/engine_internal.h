/* The inside of creation and reset, for those who make successors. Internal to this folder. */
#ifndef ORR_RIGID_ENGINE_INTERNAL_H
#define ORR_RIGID_ENGINE_INTERNAL_H

#include "rigid/state_internal.h"

/* The state of a policy that begins, which has none yet. */
orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err);

#endif
