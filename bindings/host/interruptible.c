/* Library functions for policies that cannot run for ever inside C, where the watchdog's hook does
 * not see them. A call that is sure to be quick goes to Lua's own function, in the same frame, so
 * that its errors look as usual. Other calls run in Lua (bindings/host/interruptible.lua), where
 * they can be stopped at any instruction. */
#include "bindings/host/watchdog.h"
#include "bindings/support/embedding.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* Steps of Lua's matcher; each takes some nanoseconds, so a call stays in C for less than a
 * second. */
static const double QUICK_STEPS = 1e8;
enum { QUICK_MOVES = 10000000 };

/* Upvalues of all these functions: Lua's own function; its name in interruptible.lua; a table that
 * has that module at 1 once it is loaded. Few policies need the module. */
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

/* The factor by which an item of a pattern may multiply the steps, for a subject of n bytes:
 * backtracking tries every length of a repetition; %b and %1 look through the subject. */
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

/* An upper bound of the steps of matching at every position. */
static double most_steps(double n, const char *pattern, size_t size)
{
    double steps = (n + 1) * ((double)size + 1);
    for (size_t i = 0; i < size && steps <= QUICK_STEPS; i++)
        steps *= factor_of(pattern + i, pattern + size, n);
    return steps;
}

/* How many tables Lua may look through for an element of the value at `index`, or to set it: those
 * tied together by __index or __newindex, up to the 2000 that Lua itself allows. */
static double tables_of(lua_State *L, int index)
{
    static const char *const ties[] = {"__index", "__newindex"};
    enum { MOST = 2000 };
    int most = 1, top = lua_gettop(L);
    if (!lua_getmetatable(L, index))
        return 1;
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        int tied = 1;
        lua_pushvalue(L, index);
        for (; tied < MOST && luaL_getmetafield(L, -1, ties[i]) == LUA_TTABLE; tied++)
            lua_replace(L, top + 2);
        lua_settop(L, top + 1);
        most = tied > most ? tied : most;
    }
    lua_settop(L, top);
    return most;
}

/* find, match, gmatch, gsub: for each match gsub looks into its table. */
static int match_pattern(lua_State *L)
{
    size_t n, size;
    if (!lua_isstring(L, 1) || !lua_isstring(L, 2))
        return quickly(L); /* which raises the error */
    lua_tolstring(L, 1, &n);
    const char *pattern = lua_tolstring(L, 2, &size);
    double looks = lua_istable(L, 3) ? ((double)n + 1) * tables_of(L, 3) : 0;
    return most_steps((double)n, pattern, size) + looks <= QUICK_STEPS ? quickly(L) : slowly(L);
}

/* string.rep: an empty text repeated any number of times is empty. */
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

/* The elements from the position at `first` to the one behind it, all where these are left out. */
static int use_range(lua_State *L, int first)
{
    refuse_length(L);
    double from = lua_isnoneornil(L, first) ? 1 : lua_tonumber(L, first);
    double to =
        lua_isnoneornil(L, first + 1) ? (double)lua_rawlen(L, 1) : lua_tonumber(L, first + 1);
    return (to - from) * tables_of(L, 1) <= QUICK_MOVES ? quickly(L) : slowly(L);
}

static int concat(lua_State *L)
{
    return lua_type(L, 1) == LUA_TTABLE ? use_range(L, 3) : quickly(L);
}

static int unpack(lua_State *L)
{
    return use_range(L, 2);
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
    bool is_inside = at >= 1 && at <= length;
    bool is_far = is_inside && (double)(length - at) * tables_of(L, 1) > QUICK_MOVES;
    return is_far ? slowly(L) : quickly(L);
}

static int move(lua_State *L)
{
    if (!lua_isinteger(L, 2) || !lua_isinteger(L, 3) || lua_tointeger(L, 3) < lua_tointeger(L, 2))
        return quickly(L);
    lua_Unsigned count = (lua_Unsigned)lua_tointeger(L, 3) - (lua_Unsigned)lua_tointeger(L, 2);
    double tables = tables_of(L, 1);
    if (!lua_isnoneornil(L, 5))
        tables = fmax(tables, tables_of(L, 5));
    return (double)count * tables < QUICK_MOVES ? quickly(L) : slowly(L);
}

/* Without one that takes its pivot from the clock. */
static int sort(lua_State *L)
{
    refuse_length(L);
    double tables = tables_of(L, 1);
    if (tables * (double)lua_rawlen(L, 1) > QUICK_MOVES && tables > 2)
        luaL_argerror(L, 1,
                      "a list tied to so many tables by __index or __newindex takes too long");
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
        {"table", "concat", concat},
        {"table", "unpack", unpack},
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
        if (lua_iscfunction(L, -1)) { /* else other code has replaced it */
            lua_pushstring(L, bounded[i].name);
            lua_pushvalue(L, slow);
            lua_pushcclosure(L, bounded[i].function, 3);
            lua_setfield(L, slow + 2, bounded[i].name);
        }
        lua_settop(L, slow + 1);
    }
    lua_remove(L, slow);
}
