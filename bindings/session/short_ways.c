/* Fast versions of operations that sessions do millions of times: finding a method, going on to the
 * next submission, and submitting one job behind others that came one by one. Each handles the
 * usual case, and calls the general function of session.lua, its upvalue 1, for all others. */
#include "bindings/session/session.h"
#include "bindings/support/raise.h"

#include <math.h>

static const char inside; /* its address is the key of a session's inner table */

enum { SELF = 1, GIVEN, INSIDE, COMING, ID, NAMED };
enum { OTHERWISE = 1, METHODS, NEW_ID = METHODS }; /* upvalues */

static int do_otherwise(lua_State *L)
{
    lua_settop(L, GIVEN);
    lua_pushvalue(L, lua_upvalueindex(OTHERWISE));
    lua_insert(L, SELF);
    lua_call(L, GIVEN, 1);
    return 1;
}

/* The core of the session at SELF, with its inner table at INSIDE; NULL: another value. */
static orr_session *enter(lua_State *L)
{
    lua_settop(L, GIVEN);
    if (lua_type(L, SELF) != LUA_TTABLE || lua_rawgetp(L, SELF, &inside) != LUA_TTABLE)
        return NULL;
    lua_getfield(L, INSIDE, "core");
    orr_session *s = orr_lua_test_tagged(L, -1, &orr_engine_of_jobs);
    lua_pop(L, 1);
    return s && s->sim ? s : NULL;
}

static int find_method(lua_State *L)
{
    lua_pushvalue(L, 2);
    return lua_rawget(L, lua_upvalueindex(METHODS)) != LUA_TNIL ? 1 : do_otherwise(L);
}

/* --- going on ------------------------------------------------------------------------------- */

/* s:run_before(time), while the core may pass instants alone. */
static int run_before(lua_State *L)
{
    orr_session *s = enter(L);
    bool is_time = lua_type(L, GIVEN) == LUA_TNUMBER && !lua_isinteger(L, GIVEN);
    double time = is_time ? lua_tonumber(L, GIVEN) : NAN;
    if (!s || !(time >= 0) || s->passed >= s->may_pass)
        return do_otherwise(L);
    lua_Integer count = 0;
    orr_error err;
    if (orr_session_run_before(s, time, s->may_pass - s->passed, &count, &err) != ORR_OK) {
        s->may_pass = 0;
        if (lua_getfield(L, INSIDE, "stopped") == LUA_TNIL) {
            lua_pushstring(L, err.message);
            lua_setfield(L, INSIDE, "stopped");
        }
        return orr_lua_raise(L, &err);
    }
    s->passed += count;
    if (s->passed == s->may_pass)
        return do_otherwise(L);
    lua_settop(L, SELF);
    return 1;
}

/* --- submissions ---------------------------------------------------------------------------- */

/* Makes an id that no job has, at ID; pushes the counter for such ids of INSIDE. */
static void make_id(lua_State *L)
{
    lua_getfield(L, INSIDE, "named");
    lua_pushvalue(L, lua_upvalueindex(NEW_ID));
    lua_pushvalue(L, INSIDE);
    lua_call(L, 1, 1);
    lua_replace(L, ID);
}

/* s:submit(row), behind others that came one by one. */
static int submit(lua_State *L)
{
    orr_session *s = enter(L);
    if (!s || lua_type(L, GIVEN) != LUA_TTABLE || lua_getmetatable(L, GIVEN) ||
        lua_getfield(L, INSIDE, "coming") == LUA_TNIL)
        return do_otherwise(L);
    bool unnamed = lua_getfield(L, GIVEN, "id") == LUA_TNIL;
    if (unnamed)
        make_id(L);
    bool came = orr_session_come(L, s, COMING, GIVEN, ID);
    if (!came && unnamed) {
        lua_settop(L, NAMED);
        lua_setfield(L, INSIDE, "named");
    }
    if (!came)
        return do_otherwise(L);
    lua_settop(L, SELF);
    return 1;
}

/* -------------------------------------------------------------------------------------------- */

/* core.find_method(otherwise, methods): the function __index, which calls `otherwise` for an
 * unknown method. */
static int new_find_method(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushcclosure(L, find_method, 2);
    return 1;
}

/* core.short_ways(methods, new_id): adds the fast methods of sessions of jobs; new_id makes an id
 * for a session's inner table. */
static int set_short_ways(lua_State *L)
{
    const luaL_Reg functions[] = {{"run_before", run_before}, {"submit", submit}};
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    for (int i = 0; i < 2; i++) {
        lua_getfield(L, 1, functions[i].name);
        lua_pushvalue(L, 2);
        lua_pushcclosure(L, functions[i].func, 2);
        lua_setfield(L, 1, functions[i].name);
    }
    return 0;
}

void orr_lua_open_short_ways(lua_State *L)
{
    const luaL_Reg functions[] = {
        {"find_method", new_find_method}, {"short_ways", set_short_ways}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_pushlightuserdata(L, (void *)&inside);
    lua_setfield(L, -2, "inside");
}
