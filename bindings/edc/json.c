/* Decisions as JSON. */
#include "bindings/edc/json.h"

#include "bindings/support/json_read.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>

/* A message is complete, or an error: Jansson gives no value for texts that are not UTF-8 and for
 * numbers that are not finite. */
static void insist(lua_State *L, bool done)
{
    if (done)
        return;
    lua_pushliteral(L, "the decisions cannot be written as JSON: a name that is not UTF-8, a "
                       "number that is not finite, or not enough memory");
    lua_error(L);
}

/* JSON of the value at index: a text, a number, a boolean, or a table without its contents. */
static json_t *made(lua_State *L, int index, bool list)
{
    size_t size;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
        return list || lua_rawlen(L, index) > 0 ? json_array() : json_object();
    case LUA_TNUMBER:
        return lua_isinteger(L, index) ? json_integer(lua_tointeger(L, index))
                                       : json_real(lua_tonumber(L, index));
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, index));
    default:
        text = lua_tolstring(L, index, &size);
        return text ? json_stringn(text, size) : NULL;
    }
}

/* Adds to `value`, which has an owner, what the table at index holds. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as what the component makes */
static void fill(lua_State *L, int index, json_t *value)
{
    luaL_checkstack(L, 8, NULL);
    for (lua_Integer i = 1; json_is_array(value) && i <= (lua_Integer)lua_rawlen(L, index); i++) {
        lua_rawgeti(L, index, i);
        json_t *item = made(L, lua_gettop(L), false);
        insist(L, json_array_append_new(value, item) == 0);
        fill(L, lua_gettop(L), item);
        lua_pop(L, 1);
    }
    if (!json_is_object(value))
        return;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        json_t *item = made(L, lua_gettop(L), false);
        insist(L, lua_type(L, -2) == LUA_TSTRING &&
                      json_object_set_new(value, lua_tostring(L, -2), item) == 0);
        fill(L, lua_gettop(L), item);
    }
}

static int encode(lua_State *L)
{
    enum { DIGITS = 17 };
    json_t **box = orr_lua_push_json_box(L);
    lua_getfield(L, 1, "now");
    lua_getfield(L, 1, "events");
    int events = lua_gettop(L);
    *box = json_object();
    insist(L, *box && json_object_set_new(*box, "now", made(L, events - 1, false)) == 0);
    json_t *list = made(L, events, true);
    insist(L, json_object_set_new(*box, "events", list) == 0);
    fill(L, events, list);
    orr_json_begin();
    char *text = json_dumps(*box, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(DIGITS));
    bool is_whole = orr_json_end() && text;
    if (is_whole)
        lua_pushstring(L, text);
    free(text);
    insist(L, is_whole);
    return 1;
}

void orr_edc_push_json(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"decode", orr_lua_read_json}, {"encode", encode}, {NULL, NULL}};
    luaL_newlib(L, functions);
}
