/* Messages between JSON and Lua. */
#include "bindings/edc/json.h"

#include "base/api.h"

#include <jansson.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_NESTED = 100 };

/* Messages without a place in Lua, which says nothing here. */
static int ORR_PRINTF(2, 3) raise(lua_State *L, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lua_pushvfstring(L, format, args);
    va_end(args);
    return lua_error(L);
}

/* --- from JSON -------------------------------------------------------------------------------- */

/* NOLINTNEXTLINE(misc-no-recursion): bounded by depth */
static void push_value(lua_State *L, const json_t *value, int depth)
{
    if (depth > MOST_NESTED)
        raise(L, "JSON is nested more than %d deep", MOST_NESTED);
    luaL_checkstack(L, 4, "JSON");
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        const char *key;
        json_t *item;
        lua_createtable(L, 0, (int)json_object_size(value));
        json_object_foreach((json_t *)value, key, item)
        {
            push_value(L, item, depth + 1);
            lua_setfield(L, -2, key);
        }
        return;
    }
    case JSON_ARRAY: {
        size_t i;
        json_t *item;
        lua_createtable(L, (int)json_array_size(value), 0);
        json_array_foreach(value, i, item)
        {
            push_value(L, item, depth + 1);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        return;
    }
    case JSON_STRING:
        lua_pushlstring(L, json_string_value(value), json_string_length(value));
        return;
    case JSON_INTEGER:
        lua_pushinteger(L, json_integer_value(value));
        return;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(value));
        return;
    case JSON_NULL:
        lua_pushnil(L);
        return;
    default:
        lua_pushboolean(L, json_is_true(value));
    }
}

/* Of a box, a userdata with a json_t that it owns, so that a Lua error loses none. */
static int free_box(lua_State *L)
{
    json_t **box = lua_touserdata(L, 1);
    json_decref(*box);
    *box = NULL;
    return 0;
}

static json_t **new_box(lua_State *L)
{
    json_t **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    if (luaL_newmetatable(L, "orrery.edc.json")) {
        lua_pushcfunction(L, free_box);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return box;
}

static int decode(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    json_error_t problem;
    json_t **box = new_box(L);
    *box = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    if (!*box)
        return raise(L, "no JSON: line %d, column %d: %s", problem.line, problem.column,
                     problem.text);
    push_value(L, *box, 0);
    json_decref(*box);
    *box = NULL;
    return 1;
}

/* --- to JSON ---------------------------------------------------------------------------------- */

static json_t *made(lua_State *L, int index, bool list);

/* Adds what the table at index has; everything that is added belongs to `value`. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as what the component makes */
static void fill_object(lua_State *L, int index, json_t *value)
{
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        json_object_set_new(value, lua_tostring(L, -1), made(L, lua_gettop(L) - 1, false));
        lua_pop(L, 1);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as what the component makes */
static void fill_array(lua_State *L, int index, json_t *value)
{
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, index); i++) {
        lua_rawgeti(L, index, i);
        json_array_append_new(value, made(L, lua_gettop(L), false));
        lua_pop(L, 1);
    }
}

/* Only of what the component makes: texts, numbers, booleans and tables of them. */
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
    json_t **box = new_box(L);
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
    static const luaL_Reg functions[] = {{"decode", decode}, {"encode", encode}, {NULL, NULL}};
    luaL_newlib(L, functions);
}
