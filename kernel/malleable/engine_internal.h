/* What of a simulation's beginning a change needs, too. */
#ifndef ORR_MALLEABLE_ENGINE_INTERNAL_H
#define ORR_MALLEABLE_ENGINE_INTERNAL_H

#include "malleable/state_internal.h"

/* Makes the policy's state. */
orr_status ori_malleable_make_state(orr_malleable *sim, orr_error *err);

#endif
