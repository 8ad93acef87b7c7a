/* News for the policy: see introduce.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Tells the policy all that has happened in a change from outside. */
orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err);
