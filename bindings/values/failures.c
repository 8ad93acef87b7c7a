/* How often each job fails in each scenario, given by a user: core.failures, core.read_failures. */
#include "bindings/values/failures.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include "workload/reader.h"

#include <lauxlib.h>

#define ORR_LUA_FAILURES "orrery.failures"

static orr_lua_failures *new_failures(lua_State *L, int32_t columns)
{
    orr_lua_failures *f = orr_lua_new_value(L, ORR_LUA_FAILURES, sizeof *f, 0);
    f->columns = columns;
    return f;
}

const orr_lua_failures *orr_lua_test_failures(lua_State *L, int arg, const orr_jobs *jobs)
{
    const orr_lua_failures *f = luaL_testudata(L, arg, ORR_LUA_FAILURES);
    if (f && f->columns != jobs->count)
        luaL_error(L, "failures: expected %d counts per scenario, one per job, found %d",
                   (int)jobs->count, (int)f->columns);
    return f;
}

static int failures_gc(lua_State *L)
{
    orr_lua_failures *f = luaL_checkudata(L, 1, ORR_LUA_FAILURES);
    orr_allocator a = orr_allocator_or_default(NULL);
    orr_release(&a, f->counts, (size_t)f->rows * (size_t)f->columns * sizeof *f->counts);
    f->counts = NULL;
    return 0;
}

static int failures_len(lua_State *L)
{
    lua_pushinteger(L, ((orr_lua_failures *)luaL_checkudata(L, 1, ORR_LUA_FAILURES))->rows);
    return 1;
}

/* core.read_failures(path, columns) */
static int read_failures(lua_State *L)
{
    orr_error err;
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    if (orr_read_failures(luaL_checkstring(L, 1), f->columns, &f->counts, &f->rows, NULL, &err) !=
        ORR_OK)
        return orr_lua_raise(L, &err);
    return 1;
}

static int32_t count_at(lua_State *L, int64_t row, int32_t column)
{
    int ok = 0;
    lua_rawgeti(L, -1, column + 1);
    lua_Integer count = lua_tointegerx(L, -1, &ok);
    if (!ok || count < 0 || count >= INT32_MAX)
        luaL_error(L, "failures: scenario %I, job %d: expected a whole number >= 0, found %s",
                   (LUAI_UACINT)(row + 1), (int)column + 1, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return (int32_t)count;
}

/* core.failures(rows, columns): from a list of lists. */
static int make_failures(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer rows = (lua_Integer)lua_rawlen(L, 1);
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    orr_allocator a = orr_allocator_or_default(NULL);
    f->counts = orr_calloc(&a, (size_t)rows * (size_t)f->columns, sizeof *f->counts);
    if (!f->counts)
        return luaL_error(L, "not enough memory");
    f->rows = rows;
    for (lua_Integer r = 0; r < rows; r++) {
        if (lua_rawgeti(L, 1, r + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)f->columns)
            return luaL_error(L, "failures: scenario %I: expected a list of %d counts, one per job",
                              (LUAI_UACINT)(r + 1), (int)f->columns);
        for (int32_t j = 0; j < f->columns; j++)
            f->counts[r * f->columns + j] = count_at(L, r, j);
        lua_pop(L, 1);
    }
    return 1;
}

void orr_lua_open_failures(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"read_failures", read_failures}, {"failures", make_failures}, {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_FAILURES, .gc = failures_gc, .len = failures_len};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
