/* Calls of functions that others wrote. Shared by the kernel's folders only. */
#ifndef ORR_BASE_CALLBACK_INTERNAL_H
#define ORR_BASE_CALLBACK_INTERNAL_H

#include "base/error.h"

/* Around a call of a policy's function: clears err before; afterwards passes the status on and says
 * at least which function failed where the policy said nothing. */
void ori_policy_begin(orr_error *err);
orr_status ori_policy_end(const char *policy, const char *function, orr_status status,
                          orr_error *err);

/* Reports a broken invariant to the trap handler and gives ORR_ERR_INTERNAL. */
orr_status ori_broken(const orr_trap *trap, const orr_trap_report *report, orr_error *err);

#endif
