/* From JSON to Lua values: messages of Batsim, requests of clients. */
#include "bindings/support/json_read.h"

#include "base/api.h"

#include <jansson.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdbool.h>

enum { MOST_NESTED = 100 };

/* Raises a message without a place in Lua, which would not help here. */
static int ORR_PRINTF(2, 3) raise(lua_State *L, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lua_pushvfstring(L, format, args);
    va_end(args);
    return lua_error(L);
}

/* --- nesting ---------------------------------------------------------------------------------- */

typedef struct place {
    int line, column; /* from 1; columns are bytes */
} place;

/* The first bracket of a valid text that is nested too deep; line 0: none is. */
static place first_too_deep(const char *text, size_t size)
{
    place at = {1, 0};
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        at = c == '\n' ? (place){at.line + 1, 0} : (place){at.line, at.column + 1};
        if (quoted && c == '\\') {
            i++;
            at.column++;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '[' || c == '{')) {
            if (++depth > MOST_NESTED)
                return at;
        } else if (!quoted && (c == ']' || c == '}')) {
            depth--;
        }
    }
    return (place){0, 0};
}

/* --- values ----------------------------------------------------------------------------------- */

/* Pushes the value; null becomes the value at index 2. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by MOST_NESTED */
static void push_value(lua_State *L, const json_t *value)
{
    luaL_checkstack(L, 4, "JSON");
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        const char *key;
        json_t *item;
        lua_createtable(L, 0, (int)json_object_size(value));
        json_object_foreach((json_t *)value, key, item)
        {
            push_value(L, item);
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
            push_value(L, item);
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
        lua_pushvalue(L, 2);
        return;
    default:
        lua_pushboolean(L, json_is_true(value));
    }
}

static int free_box(lua_State *L)
{
    json_t **box = lua_touserdata(L, 1);
    json_decref(*box);
    *box = NULL;
    return 0;
}

/* Pushes a box, a userdata with a json_t that it owns, so that a Lua error loses none; it is NULL
 * at first. */
static json_t **push_json_box(lua_State *L)
{
    json_t **box = lua_newuserdatauv(L, sizeof(json_t *), 0);
    *box = NULL;
    if (luaL_newmetatable(L, "orrery.json")) {
        lua_pushcfunction(L, free_box);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return box;
}

int orr_lua_read_json(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    json_error_t problem;
    lua_settop(L, 2);
    json_t **box = push_json_box(L);
    *box = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    if (!*box)
        return raise(L, "no JSON: line %d, column %d: %s", problem.line, problem.column,
                     problem.text);
    place deep = first_too_deep(text, size);
    if (deep.line > 0)
        return raise(L, "JSON is nested more than %d deep: line %d, column %d", MOST_NESTED,
                     deep.line, deep.column);
    push_value(L, *box);
    json_decref(*box);
    *box = NULL;
    return 1;
}

void orr_lua_open_json(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read_json", orr_lua_read_json}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
