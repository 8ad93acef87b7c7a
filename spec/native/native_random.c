/* The kernel's random numbers for specs of the kernel: random(seed) is the generator of
 * orrery.random(seed), without the rest of the product. */
#include "base/draw.h"
#include "base/random.h"

#include <lauxlib.h>
#include <lua.h>

ORR_API int luaopen_native_random(lua_State *L);

static const char class[] = "random numbers of a spec";

static orr_pcg *self(lua_State *L)
{
    return luaL_checkudata(L, 1, class);
}

static int random_integer(lua_State *L)
{
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    luaL_argcheck(L, low <= high, 3, "not below the lower end of the range expected");
    lua_pushinteger(L, orr_draw_integer(self(L), low, high));
    return 1;
}

static int random_uniform(lua_State *L)
{
    double low = luaL_optnumber(L, 2, 0), high = luaL_optnumber(L, 3, 1);
    lua_pushnumber(L, lua_isnone(L, 2) ? orr_draw_unit(self(L))
                                       : orr_draw_uniform(self(L), low, high));
    return 1;
}

static int random_exponential(lua_State *L)
{
    lua_pushnumber(L, orr_draw_exponential(self(L), luaL_checknumber(L, 2)));
    return 1;
}

static int random_weibull(lua_State *L)
{
    lua_pushnumber(L, orr_draw_weibull(self(L), luaL_checknumber(L, 2), luaL_checknumber(L, 3)));
    return 1;
}

static int random_new(lua_State *L)
{
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 1);
    orr_pcg *rng = lua_newuserdatauv(L, sizeof *rng, 0);
    *rng = orr_stream_open(orr_stream_key_make(seed, 0, 0, ORR_PURPOSE_USER), 0);
    luaL_setmetatable(L, class);
    return 1;
}

int luaopen_native_random(lua_State *L)
{
    static const luaL_Reg methods[] = {{"integer", random_integer},
                                       {"uniform", random_uniform},
                                       {"exponential", random_exponential},
                                       {"weibull", random_weibull},
                                       {NULL, NULL}};
    luaL_newmetatable(L, class);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, random_new);
    return 1;
}
