/* What bindings/values/expected.lua computes with. */
#include "bindings/support/fields.h"
#include "bindings/values/values.h"

#include "malleable/expected.h"

#include <lauxlib.h>

/* An integer where one holds it: there is no upper bound, and free checkpoints are infinitely many.
 */
static void push_count(lua_State *L, double count)
{
    if (count <= 0x1p53)
        lua_pushinteger(L, (lua_Integer)count);
    else
        lua_pushnumber(L, count);
}

/* expected(time, work, procs, mtbf, checkpoint, downtime, recovery, daly): t^R, details. */
static int expected(lua_State *L)
{
    double time = luaL_checknumber(L, 1), alpha = luaL_checknumber(L, 2);
    double procs = luaL_checknumber(L, 3), mtbf = luaL_checknumber(L, 4);
    double checkpoint = luaL_checknumber(L, 5), downtime = luaL_checknumber(L, 6);
    double recovery = luaL_checknumber(L, 7);
    orr_expected e = orr_expected_prepare(time, procs, mtbf, checkpoint, recovery, downtime,
                                          lua_toboolean(L, 8) ? ORR_PERIOD_DALY : ORR_PERIOD_YOUNG);
    lua_pushnumber(L, orr_expected_time(&e, alpha));
    lua_createtable(L, 0, 3);
    orr_lua_set_number(L, "period", e.period);
    push_count(L, orr_expected_checkpoints(&e, alpha));
    lua_setfield(L, -2, "checkpoints");
    orr_lua_set_number(L, "last", orr_expected_last(&e, alpha));
    return 2;
}

void orr_lua_open_expected(lua_State *L)
{
    lua_pushcfunction(L, expected);
    lua_setfield(L, -2, "expected");
}
