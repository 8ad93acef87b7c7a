/* The checks of what a policy keeps; kept.lua says what has changed. */
#include "bindings/host/kept.h"

#include <lauxlib.h>

/* Pushes what has changed, as a text, or nil. */
static void push_change(lua_State *L, const orr_host *host)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_CHECK]);
    lua_pcall(L, 0, 1, 0); /* an error is told as what it returns */
}

orr_status orr_host_check_kept(const orr_host *host, orr_error *err)
{
    lua_State *L = host->L;
    if (host->unplain[0])
        return orr_fail(err, ORR_ERR_POLICY, "policy %s: sim.state: %s", host->name, host->unplain);
    if (host->resumed && host->begun > 1)
        return orr_fail(err, ORR_ERR_POLICY,
                        "policy %s: a coroutine from outside of its hooks goes on from one "
                        "simulation to the next: results would depend on what ran before",
                        host->name);
    if (host->refs[ORR_REF_CHECK] == LUA_NOREF)
        return ORR_OK;
    push_change(L, host);
    orr_status status = ORR_OK;
    if (!lua_isnil(L, -1))
        status = orr_fail(err, ORR_ERR_POLICY, "policy %s: %s", host->name, lua_tostring(L, -1));
    lua_pop(L, 1);
    return status;
}

/* Where it cannot be told quickly, only what is found at the second simulation and at the end. */
static bool may_have_changed(const orr_host *host)
{
    return host->image && !orr_layout_is_same(host->image);
}

orr_status orr_host_begin_simulation(orr_host *host, orr_error *err)
{
    host->switched = true;
    host->begun++;
    bool must_look =
        host->begun == 2 || (host->begun > 2 && (host->resumed || may_have_changed(host)));
    return must_look ? orr_host_check_kept(host, err) : ORR_OK;
}

void orr_host_check_switch(lua_State *L, orr_host *host)
{
    bool is_new = host->switched;
    host->switched = false;
    if (is_new || !may_have_changed(host))
        return;
    push_change(L, host);
    if (!lua_isnil(L, -1))
        lua_error(L);
    lua_pop(L, 1);
}
