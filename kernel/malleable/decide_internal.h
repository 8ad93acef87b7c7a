/* A decision of the policy, as the engine sees it. */
#ifndef ORR_MALLEABLE_DECIDE_INTERNAL_H
#define ORR_MALLEABLE_DECIDE_INTERNAL_H

#include "malleable/state_internal.h"

/* Opens a decision; the hook of the policy is then called, and the proposal applied
 * (tasks_internal.h). struck: the task, -1: none. */
void ori_decision_open(orr_malleable *sim, int32_t struck);
/* Reports what is remembered and does not hold (ORI_ASSERT). */
#ifdef ORI_CHECKS
void ori_decision_check(orr_malleable *sim);
#else
static inline void ori_decision_check(orr_malleable *sim)
{
    (void)sim;
}
#endif

static inline void ori_decision_close(orr_malleable *sim)
{
    sim->decision.open = false;
    sim->decision.struck = -1;
}

#endif
