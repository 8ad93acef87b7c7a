/* What a policy hears after a change from outside. Internal to this folder. */
#ifndef ORR_RIGID_INTRODUCE_INTERNAL_H
#define ORR_RIGID_INTRODUCE_INTERNAL_H

#include "rigid/state_internal.h"

/* Tells the policy all that it was not told yet. */
orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err);

#endif
