/* Formulas of priorities (rigid/queue/formula.h), as formulas.lua makes them: taken from tables,
 * and what they look up in the policy's state. */
#pragma once

#include "bindings/host/host.h"
#include "rigid/queue/formula.h"

/* The formula that field `name` of the table on top of the host's stack says, or NULL where it has
 * none. It lives as long as the host. */
const orr_formula *orr_host_take_formula(orr_host *host, const char *name);
/* The formula of a "priority" or "backfill" per workload, of the policy (0) or a group (from 1). */
const orr_formula *orr_host_find_formula(orr_host *host, int32_t group, const char *name);
