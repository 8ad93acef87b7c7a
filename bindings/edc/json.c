/* Decisions as JSON. */
#include "bindings/edc/json.h"

#include "bindings/support/json_read.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>

static json_t *made(lua_State *L, int index, bool list);

/* Adds the fields of the table at index; `value` owns them. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as what the component makes */
static void fill_object(lua_State *L, int index, json_t *value)
{
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        json_object_set_new(value, lua_tostring(L, -1), made(L, lua_gettop(L) - 1, false));
        lua_pop(L, 1);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the component's values */
static void fill_array(lua_State *L, int index, json_t *value)
{
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, index); i++) {
        lua_rawgeti(L, index, i);
        json_array_append_new(value, made(L, lua_gettop(L), false));
        lua_pop(L, 1);
    }
}

/* JSON of the component's values: texts, numbers, booleans and tables of these. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as what the component makes */
static json_t *made(lua_State *L, int index, bool list)
{
    json_t *value;
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
        lua_checkstack(L, 8);
        if (list || lua_rawlen(L, index) > 0)
            fill_array(L, index, value = json_array());
        else
            fill_object(L, index, value = json_object());
        return value;
    case LUA_TNUMBER:
        return lua_isinteger(L, index) ? json_integer(lua_tointeger(L, index))
                                       : json_real(lua_tonumber(L, index));
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, index));
    default:
        return json_string(lua_tostring(L, index));
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
    json_object_set_new(*box, "now", made(L, events - 1, false));
    json_object_set_new(*box, "events", made(L, events, true));
    char *text = json_dumps(*box, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(DIGITS));
    if (!text)
        return luaL_error(L,
                          "the decisions cannot be written as JSON: a name that is not UTF-8, or "
                          "not enough memory");
    lua_pushstring(L, text);
    free(text);
    return 1;
}

void orr_edc_push_json(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"decode", orr_lua_read_json}, {"encode", encode}, {NULL, NULL}};
    luaL_newlib(L, functions);
}
