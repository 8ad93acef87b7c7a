/* Whether a policy has kept something outside of sim.state, where other simulations find it. */
#pragma once

#include "bindings/host/host.h"

/* An error that names it, or what a sim.state held that cannot be copied. To be called at the
 * end of a run, and before a simulation is copied. */
orr_status orr_host_check_kept(const orr_host *host, orr_error *err);

/* To be called when a simulation begins: fails where one before it has left something. */
orr_status orr_host_begin_simulation(orr_host *host, orr_error *err);

/* To be called in a call, when sim.state becomes that of another simulation: raises where the one
 * that was called before has left something. */
void orr_host_check_switch(lua_State *L, orr_host *host);

/* To be called when a call begins: what is read may move the borders that Lua finds in tables with
 * holes, but no call sees what an earlier one has read. */
static inline void orr_host_restore_borders(const orr_host *host)
{
    if (ORR_UNLIKELY(host->borders != NULL))
        orr_layout_restore(host->borders);
}
