/* Library functions for policies with the same results in every run. Lua's own functions differ:
 * table.sort takes its pivot from the clock, and tostring and string.format show addresses. */
#include "bindings/host/watchdog.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

/* --- sorting -------------------------------------------------------------------------------- */

/* The longest list that is sorted on the stack; longer lists are sorted in such pieces. */
enum { PIECE = 32 };

enum { LIST = 1, ORDER, FROM, TO, FIXED = TO }; /* on the stack: see orr_host_sort */

typedef struct sorting {
    lua_State *L;
    lua_Integer count;
    bool is_quick; /* comparing two elements is quick */
    unsigned compared;
} sorting;

static int is_less(lua_State *L)
{
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

/* Whether the value at `a` stands before that at `b`. The watchdog stops calls of functions: now
 * and then numbers are compared by one. */
static bool is_before(sorting *s, int a, int b)
{
    lua_State *L = s->L;
    if (s->is_quick && ++s->compared % 65536 != 0)
        return lua_compare(L, a, b, LUA_OPLT);
    if (lua_isnil(L, ORDER))
        lua_pushcfunction(L, is_less);
    else
        lua_pushvalue(L, ORDER);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

/* Pushes `count` elements of the list from position `first` on, sorted: each is inserted behind all
 * elements that it is not before. */
static void push_piece(sorting *s, lua_Integer first, int count)
{
    int base = lua_gettop(s->L) + 1;
    for (int i = 0; i < count; i++) {
        lua_geti(s->L, LIST, first + i);
        int low = base, high = base + i;
        while (low < high) {
            int middle = (low + high) / 2;
            if (is_before(s, base + i, middle))
                high = middle;
            else
                low = middle + 1;
        }
        lua_insert(s->L, low);
    }
}

enum { LEFT = FIXED + 1, RIGHT }; /* where the next elements of both parts are */

/* The element of a part in that slot goes to `to` of TO, and the one behind it, at `next`, comes
 * into the slot: where the part is over that is whatever stands there. */
static void take(lua_State *L, int slot, lua_Integer next, lua_Integer to)
{
    if (slot == LEFT)
        lua_pushvalue(L, LEFT);
    lua_rawseti(L, TO, to);
    lua_rawgeti(L, FROM, next);
    if (slot == LEFT)
        lua_replace(L, LEFT);
}

/* Two sorted parts of FROM that follow each other become one of TO. */
static void merge(sorting *s, lua_Integer first, lua_Integer middle, lua_Integer end)
{
    lua_Integer left = first, right = middle;
    lua_rawgeti(s->L, FROM, left);
    lua_rawgeti(s->L, FROM, right);
    for (lua_Integer to = first; to < end; to++) {
        if (left < middle && (right >= end || !is_before(s, RIGHT, LEFT)))
            take(s->L, LEFT, ++left, to);
        else
            take(s->L, RIGHT, ++right, to);
    }
    lua_settop(s->L, FIXED);
}

/* All elements sorted, in FROM. */
static void sort_long(sorting *s)
{
    lua_Integer end = s->count + 1;
    for (lua_Integer at = 1; at < end; at += PIECE) {
        int count = (int)(end - at < PIECE ? end - at : PIECE);
        push_piece(s, at, count);
        while (count-- > 0)
            lua_rawseti(s->L, FROM, at + count);
    }
    for (lua_Integer width = PIECE; width < s->count; width *= 2) {
        for (lua_Integer at = 1; at < end; at += 2 * width) {
            lua_Integer middle = at + width < end ? at + width : end;
            merge(s, at, middle, middle + width < end ? middle + width : end);
        }
        lua_pushvalue(s->L, FROM);
        lua_copy(s->L, TO, FROM);
        lua_replace(s->L, TO);
    }
}

/* A comparison that puts each of two neighbours before the other is invalid: the error is Lua's. */
static void check_neighbours(sorting *s, int first)
{
    if (!s->is_quick && is_before(s, first + 1, first))
        luaL_error(s->L, "invalid order function for sorting");
}

/* The list changes only once everything is sorted. */
static void put_back(sorting *s)
{
    lua_State *L = s->L;
    lua_rawgeti(L, FROM, 1);
    for (lua_Integer i = 2; i <= s->count && !s->is_quick; i++) {
        lua_rawgeti(L, FROM, i);
        check_neighbours(s, LEFT);
        lua_replace(L, LEFT);
    }
    for (lua_Integer i = 1; i <= s->count; i++) {
        lua_rawgeti(L, FROM, i);
        lua_seti(L, LIST, i);
    }
}

static void sort_short(sorting *s)
{
    push_piece(s, 1, (int)s->count);
    for (int i = 1; i < s->count; i++)
        check_neighbours(s, FIXED + i);
    for (lua_Integer i = s->count; i >= 1; i--)
        lua_seti(s->L, LIST, i);
}

int orr_host_sort(lua_State *L)
{
    luaL_checktype(L, LIST, LUA_TTABLE);
    sorting s = {.L = L, .count = luaL_len(L, LIST)};
    if (s.count < 2)
        return 0;
    luaL_argcheck(L, s.count < INT_MAX, LIST, "array too big");
    if (!lua_isnoneornil(L, ORDER))
        luaL_checktype(L, ORDER, LUA_TFUNCTION);
    lua_settop(L, FIXED);
    luaL_checkstack(L, PIECE + 8, NULL);
    if (lua_isnil(L, ORDER))
        s.is_quick = s.count <= PIECE || lua_geti(L, LIST, 1) == LUA_TNUMBER;
    lua_settop(L, FIXED);
    if (s.count <= PIECE) {
        sort_short(&s);
        return 0;
    }
    for (int i = FROM; i <= TO; i++) {
        lua_createtable(L, (int)s.count, 0);
        lua_replace(L, i);
    }
    sort_long(&s);
    put_back(&s);
    return 0;
}

/* --- values without an address as text ------------------------------------------------------- */

/* Pushes the table of the numbers that the call under way has given: value -> number, with the call
 * at 1 and how many there are at 2. */
static void push_numbers(lua_State *L)
{
    static const char key;
    lua_Integer call = (lua_Integer)orr_host_number_of_call();
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        bool is_now = lua_tointeger(L, -1) == call;
        lua_pop(L, 1);
        if (is_now)
            return;
    }
    lua_pop(L, 1);
    lua_createtable(L, 2, 0);
    lua_pushinteger(L, call);
    lua_rawseti(L, -2, 1);
    lua_pushinteger(L, 0);
    lua_rawseti(L, -2, 2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

static lua_Integer number_of(lua_State *L, int index)
{
    push_numbers(L);
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_rawgeti(L, -2, 2);
        lua_Integer next = lua_tointeger(L, -1) + 1;
        lua_pushinteger(L, next);
        lua_rawseti(L, -4, 2);
        lua_pushvalue(L, index);
        lua_pushinteger(L, next);
        lua_rawset(L, -5);
        lua_pop(L, 2);
        lua_pushinteger(L, next);
    }
    lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
}

const char *orr_host_push_text(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    int type = lua_type(L, index);
    bool is_plain =
        type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
    if (is_plain || luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        if (!is_plain)
            lua_pop(L, 1);
        return luaL_tolstring(L, index, NULL);
    }
    lua_Integer number = number_of(L, index);
    int named = luaL_getmetafield(L, index, "__name");
    const char *name = named == LUA_TSTRING ? lua_tostring(L, -1) : lua_typename(L, type);
    lua_pushfstring(L, "%s: %I", name, (LUAI_UACINT)number);
    if (named != LUA_TNIL)
        lua_remove(L, -2);
    return lua_tostring(L, -1);
}

int orr_host_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    orr_host_push_text(L, 1);
    return 1;
}

/* Upvalue 1: Lua's own string.format, which gets texts in place of what it would show with an
 * address. */
int orr_host_format(lua_State *L)
{
    const char *format = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
    int argument = 1, count = lua_gettop(L);
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        at++;
        at += strspn(at, "-+ #0123456789.");
        if (*at == 'p')
            return luaL_error(L, "a policy cannot use %%p: addresses differ from run to run");
        if (*at == '%')
            at++;
        else if (++argument <= count && *at == 's') {
            orr_host_push_text(L, argument);
            lua_replace(L, argument);
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}
