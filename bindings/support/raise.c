/* Errors of the kernel as Lua errors, and errors of unknown fields. */
#include "bindings/support/raise.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

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
    bool has_text = type == LUA_TUSERDATA && luaL_getmetafield(L, index, "__tostring") != LUA_TNIL;
    if (has_text)
        lua_pop(L, 1);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD ||
        (type == LUA_TUSERDATA && !has_text))
        return lua_pushfstring(L, "a %s", lua_typename(L, type));
    return luaL_tolstring(L, index, NULL);
}

/* --- similar names -------------------------------------------------------------------------- */

enum { LONGEST = 255 }; /* bytes of a name that is similar to another */

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* Edits from a to b: letters added, left out, replaced, or two neighbours swapped. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    int width = (int)strlen(b);
    for (int j = 0; j <= width; j++)
        before[j] = last[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            row[j] = least_of(least_of(last[j], row[j - 1]) + 1,
                              last[j - 1] + !is_same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last, last = row, row = oldest;
    }
    return last[width];
}

/* The most similar name, or else the only one with this beginning; NULL: there is none. */
static const char *nearest(const char *name, const char *const *names)
{
    size_t size = strlen(name);
    const char *best = NULL, *begins = NULL;
    int least = size < 6 ? 2 : (int)(size / 2), beginnings = 0;
    for (; *names; names++) {
        if (size > 2 && strncasecmp(name, *names, size) == 0 && beginnings++ == 0)
            begins = *names;
        if (size > LONGEST || strlen(*names) > LONGEST)
            continue;
        int d = distance(name, *names);
        if (d < least)
            best = *names, least = d;
    }
    return best ? best : beginnings == 1 ? begins : NULL;
}

int orr_lua_nearest(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    size_t count = lua_rawlen(L, 2), found = 0;
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
    for (size_t i = 1; i <= count; i++, lua_pop(L, 1))
        if (lua_rawgeti(L, 2, (lua_Integer)i) == LUA_TSTRING)
            names[found++] = lua_tostring(L, -1); /* the list keeps it */
    names[found] = NULL;
    lua_pushstring(L, nearest(name, names));
    return 1;
}

int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names)
{
    const char *name = orr_lua_push_key(L, 2), *near = nearest(name, names);
    const char *hint = near ? lua_pushfstring(L, ", did you mean '%s'?", near) : "";
    return luaL_error(L, "%s has no field '%s'%s (known: %s)", what, name, hint,
                      orr_lua_push_names(L, names, sizeof *names));
}
