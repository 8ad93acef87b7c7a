/* Library functions for policies that cannot run for ever inside C, where the watchdog's hook does
 * not see them. What is sure to be quick goes to Lua's own function, in the same frame, so that its
 * errors look as ever; the rest is done in Lua (bindings/host/interruptible.lua), where any call
 * can be stopped at any instruction. */
#include "bindings/host/watchdog.h"
#include "bindings/support/embedding.h"

#include <lauxlib.h>
#include <string.h>

/* Steps of Lua's matcher, each some nanoseconds: no call stays longer in C than a fraction of a
 * second. */
static const double QUICK_STEPS = 1e8;
enum { QUICK_MOVES = 10000000 };

/* Upvalues of all: Lua's own function; its name in interruptible.lua; a table that has that at 1
 * once it is loaded, which few policies need. */
static int quickly(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int slowly(lua_State *L)
{
    if (lua_rawgeti(L, lua_upvalueindex(3), 1) == LUA_TNIL) {
        lua_pop(L, 1);
        orr_lua_load_embedded(L, "orrery.host.interruptible");
        lua_call(L, 0, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, lua_upvalueindex(3), 1);
    }
    lua_getfield(L, -1, lua_tostring(L, lua_upvalueindex(2)));
    lua_remove(L, -2);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* What an item of a pattern may multiply the steps by, for a subject of n bytes: backtracking tries
 * every length of a repetition; %b and %1 look through the subject. */
static double factor_of(const char *item, const char *end, double n)
{
    if (*item == '*' || *item == '+' || *item == '-')
        return n + 1;
    if (*item == '?')
        return 2;
    bool scans =
        *item == '%' && item + 1 < end && (item[1] == 'b' || (item[1] >= '0' && item[1] <= '9'));
    return scans ? n + 1 : 1;
}

/* An upper bound of the steps that matching at every position takes. */
static double most_steps(double n, const char *pattern, size_t size)
{
    double steps = (n + 1) * ((double)size + 1);
    for (size_t i = 0; i < size && steps <= QUICK_STEPS; i++)
        steps *= factor_of(pattern + i, pattern + size, n);
    return steps;
}

/* find, match, gmatch, gsub */
static int match_pattern(lua_State *L)
{
    size_t n, size;
    if (!lua_isstring(L, 1) || !lua_isstring(L, 2))
        return quickly(L); /* which says what is wrong */
    lua_tolstring(L, 1, &n);
    const char *pattern = lua_tolstring(L, 2, &size);
    return most_steps((double)n, pattern, size) <= QUICK_STEPS ? quickly(L) : slowly(L);
}

/* Nothing repeated is nothing, after any number of times. */
static int repeat(lua_State *L)
{
    bool is_nothing =
        lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) == 0 &&
        (lua_isnoneornil(L, 3) || (lua_type(L, 3) == LUA_TSTRING && lua_rawlen(L, 3) == 0));
    if (is_nothing && lua_isinteger(L, 2))
        lua_pushinteger(L, 1), lua_replace(L, 2);
    return quickly(L);
}

/* insert, remove, concat, unpack, sort: a list may say that it is longer than any that is. */
static void refuse_length(lua_State *L)
{
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
        luaL_argerror(L, 1,
                      "a list with __len is not for the functions of a policy's table library");
}

static int use_list(lua_State *L)
{
    refuse_length(L);
    return quickly(L);
}

/* insert and remove: all that is behind moves, and a table with holes may have a border anywhere.
 */
static int shift_list(lua_State *L)
{
    refuse_length(L);
    if (lua_type(L, 1) != LUA_TTABLE || !lua_isinteger(L, 2))
        return quickly(L);
    lua_Unsigned length = lua_rawlen(L, 1);
    lua_Unsigned at = (lua_Unsigned)lua_tointeger(L, 2);
    bool is_far = at >= 1 && at <= length && length - at > QUICK_MOVES;
    return is_far ? slowly(L) : quickly(L);
}

static int move(lua_State *L)
{
    if (!lua_isinteger(L, 2) || !lua_isinteger(L, 3) || lua_tointeger(L, 3) < lua_tointeger(L, 2))
        return quickly(L);
    lua_Unsigned count = (lua_Unsigned)lua_tointeger(L, 3) - (lua_Unsigned)lua_tointeger(L, 2);
    return count < QUICK_MOVES ? quickly(L) : slowly(L);
}

/* Without one that takes its pivot from the clock. */
static int sort(lua_State *L)
{
    refuse_length(L);
    return orr_host_sort(L);
}

void orr_host_push_bounded(lua_State *L)
{
    static const struct {
        const char *library, *name;
        lua_CFunction function;
    } bounded[] = {
        {"string", "find", match_pattern},
        {"string", "match", match_pattern},
        {"string", "gmatch", match_pattern},
        {"string", "gsub", match_pattern},
        {"string", "rep", repeat},
        {"string", "format", orr_host_format},
        {"table", "insert", shift_list},
        {"table", "remove", shift_list},
        {"table", "concat", use_list},
        {"table", "unpack", use_list},
        {"table", "sort", sort},
        {"table", "move", move},
    };
    lua_createtable(L, 1, 0); /* what interruptible.lua is kept in */
    int slow = lua_gettop(L);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
        luaL_getsubtable(L, slow + 1, bounded[i].library);
        lua_getglobal(L, bounded[i].library);
        lua_getfield(L, -1, bounded[i].name);
        if (lua_iscfunction(L, -1)) { /* else somebody has put another there */
            lua_pushstring(L, bounded[i].name);
            lua_pushvalue(L, slow);
            lua_pushcclosure(L, bounded[i].function, 3);
            lua_setfield(L, slow + 2, bounded[i].name);
        }
        lua_settop(L, slow + 1);
    }
    lua_remove(L, slow);
}
