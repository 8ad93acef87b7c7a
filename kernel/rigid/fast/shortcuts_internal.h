/* Short ways through a simulation whose single events are not observed: see shortcuts.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Takes short ways, if there are any, to the next event that needs a step. */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);
