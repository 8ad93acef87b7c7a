/* Pack policies: core.pack_host and core.pack, which calls the hook `pack` of one.
 *
 * The policy runs in its own state, or for one that reads what cannot be copied in the caller's;
 * the problem is lent to it for the time of the call, and what it returns is copied. */
#include "bindings/packs/packs.h"
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"
#include "bindings/run/runs.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <math.h>

#define HOST "orrery.core.pack_host"

/* --- hosts ------------------------------------------------------------------------------------ */

static int host_gc(lua_State *L)
{
    orr_host **slot = luaL_checkudata(L, 1, HOST);
    orr_host_destroy(*slot);
    *slot = NULL;
    return 0;
}

/* One call makes all packs, and may search for the best ones. */
static const double PACK_SECONDS = 60;

static int make_host(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_limits limits = orr_lua_check_limits(L, 2);
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "seconds") == LUA_TNIL)
        limits.seconds = PACK_SECONDS;
    lua_settop(L, 2);
    orr_host **slot = orr_lua_new_value(L, HOST, sizeof *slot, 0);
    orr_error err;
    *slot = orr_lua_make_host(L, 1, &limits, &err);
    return *slot ? 1 : orr_lua_raise(L, &err);
}

/* --- the call --------------------------------------------------------------------------------- */

typedef struct pack_call {
    const orr_host *host;
    const orr_pack_problem *problem;
    orr_lua_problem *lent;
    orr_coschedule *result;
} pack_call;

/* Converts the results of the hook, at 2 and 3, to a co-schedule at 2. */
static const orr_coschedule *returned(lua_State *L, const orr_pack_problem *problem)
{
    const orr_coschedule *given = orr_lua_test_coschedule(L, 2, problem);
    if (given)
        return given;
    if (!lua_istable(L, 2))
        luaL_error(
            L,
            "pack must return a co-schedule, or a list of packs (and the processors of every "
            "task), it returned %s",
            orr_lua_push_key(L, 2));
    lua_pushcfunction(L, orr_lua_make_coschedule);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_call(L, 3, 1);
    lua_replace(L, 2);
    return orr_lua_test_coschedule(L, 2, problem);
}

/* In the host's state. Stack: the problem, and what the hook returned. */
static int run_pack(lua_State *L)
{
    pack_call *c = lua_touserdata(L, 1);
    lua_settop(L, 0);
    orr_lua_open_pack_values(L);
    c->lent = orr_lua_lend_problem(L, c->problem);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->host->refs[ORR_HOOK_pack]);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 2);
    orr_error err;
    c->result = orr_coschedule_copy(returned(L, c->problem), &err);
    if (!c->result)
        return orr_lua_raise(L, &err);
    return 0;
}

/* core.pack(host, problem, seed, set, run): the co-schedule that the policy makes of the problem,
 * with math.random from the run's own stream; or what orr_runs_fail pushes. */
static int pack(lua_State *L)
{
    orr_host *host = *(orr_host **)luaL_checkudata(L, 1, HOST);
    pack_call c = {.host = host, .problem = orr_lua_check_problem(L, 2)};
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 3), set = (uint64_t)luaL_checkinteger(L, 4);
    uint64_t run = (uint64_t)luaL_checkinteger(L, 5);
    orr_pcg rng = orr_stream_open(orr_stream_key_make(seed, set, run, ORR_PURPOSE_POLICY), 0);
    orr_error err;
    orr_lua_packed *value = orr_lua_new_packed(L, 2, ORR_LUA_COSCHEDULE);
    orr_host_enter(host);
    orr_call call = {.hook = "pack", .item = -1, .rng = &rng};
    orr_status status = orr_host_begin_simulation(host, &err);
    if (status == ORR_OK)
        status = orr_host_run(host, &call, run_pack, &c, &err);
    orr_host_leave(host);
    if (c.lent)
        orr_lua_take_back(c.lent);
    if (status == ORR_OK)
        return orr_lua_set_packed(L, value, c.result, &err);
    err.place = (orr_place){true, -1, seed, set, (int64_t)run, NAN};
    return orr_runs_fail(L, &err);
}

void orr_lua_open_pack_host(lua_State *L)
{
    static const orr_lua_class class = {.name = HOST, .gc = host_gc};
    static const luaL_Reg functions[] = {{"pack_host", make_host}, {"pack", pack}, {NULL, NULL}};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
