/* Errors of the kernel as Lua errors, and errors of unknown fields. */
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <string.h>

/* Their addresses are keys of the registry. */
static const char last_message, last_code;

static const char *const codes[] = {
    [ORR_ERR_MEMORY] = "memory",       [ORR_ERR_ARGUMENT] = "argument",
    [ORR_ERR_INPUT] = "input",         [ORR_ERR_IO] = "io",
    [ORR_ERR_POLICY] = "policy",       [ORR_ERR_LIMIT] = "limit",
    [ORR_ERR_CANCELLED] = "cancelled", [ORR_ERR_INTERNAL] = "internal",
};

static void note(lua_State *L, orr_status status, const char *message)
{
    lua_pushstring(L, message);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &last_message);
    lua_pushstring(L, codes[status]);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &last_code);
}

void orr_lua_note_error(lua_State *L, const orr_error *err)
{
    note(L, err->status, err->message);
}

int orr_lua_error_code(lua_State *L)
{
    const char *problem = lua_tostring(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &last_message);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &last_code);
    const char *message = lua_tostring(L, -2);
    return problem && message && strstr(problem, message) ? 2 : 0;
}

int orr_lua_note_code(lua_State *L)
{
    luaL_checkstring(L, 1);
    luaL_checkstring(L, 2);
    lua_settop(L, 2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &last_code);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &last_message);
    return 0;
}

int orr_lua_refuse(lua_State *L, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = lua_pushvfstring(L, format, args);
    va_end(args);
    note(L, ORR_ERR_ARGUMENT, message);
    return luaL_error(L, "%s", message);
}

int orr_lua_raise_argument(lua_State *L, int arg, const char *message)
{
    note(L, ORR_ERR_ARGUMENT, message);
    return luaL_argerror(L, arg, message);
}

int orr_lua_raise(lua_State *L, const orr_error *err)
{
    orr_lua_note_error(L, err);
    if (err->status == ORR_ERR_ARGUMENT)
        luaL_where(L, 1);
    else
        lua_pushliteral(L, "");
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

int orr_lua_raise_unplaced(lua_State *L, const orr_error *err)
{
    orr_lua_note_error(L, err);
    lua_pushstring(L, err->message);
    return lua_error(L);
}

void orr_lua_try(lua_State *L, orr_status status, const orr_error *err)
{
    if (status != ORR_OK)
        orr_lua_raise(L, err);
}

const char *orr_lua_push_names(lua_State *L, const void *first, size_t size)
{
    luaL_Buffer names;
    const char *const *name = first;
    luaL_buffinit(L, &names);
    while (*name) {
        luaL_addstring(&names, name == first ? "" : ", ");
        luaL_addstring(&names, *name);
        name = (const void *)((const char *)name + size);
    }
    luaL_pushresult(&names);
    return lua_tostring(L, -1);
}

const char *orr_lua_push_key(lua_State *L, int index)
{
    int type = lua_type(L, index);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD)
        return lua_pushfstring(L, "a %s", lua_typename(L, type));
    return luaL_tolstring(L, index, NULL);
}

int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names)
{
    const char *known = orr_lua_push_names(L, names, sizeof *names);
    return luaL_error(L, "%s has no field '%s' (known: %s)", what, orr_lua_push_key(L, 2), known);
}
