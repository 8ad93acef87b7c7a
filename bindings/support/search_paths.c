/* Where `require` looks for modules: never in the current folder, unless the user's LUA_PATH names
 * it. */
#include "bindings/support/search_paths.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pushes the templates of a path that are absolute. */
static void push_absolute(lua_State *L, const char *path)
{
    luaL_Buffer b;
    bool any = false;
    luaL_buffinit(L, &b);
    while (*path) {
        size_t length = strcspn(path, ";");
        if (*path == '/') {
            if (any)
                luaL_addchar(&b, ';');
            luaL_addlstring(&b, path, length);
            any = true;
        }
        path += length + (path[length] == ';');
    }
    luaL_pushresult(&b);
}

/* Lua's own environment variables: NAME_5_4, or else NAME. */
static const char *of_user(const char *name)
{
    char versioned[32];
    snprintf(versioned, sizeof versioned, "%s_5_4", name);
    const char *given = getenv(versioned);
    return given ? given : getenv(name);
}

/* A field of the table `package`, which is on top of the stack. */
static void set_path(lua_State *L, const char *field, const char *variable, const char *usual)
{
    int package = lua_gettop(L);
    const char *given = of_user(variable);
    push_absolute(L, usual);
    const char *mark = given ? strstr(given, ";;") : NULL;
    if (given && !mark)
        lua_pushstring(L, given);
    else if (mark) {
        lua_pushlstring(L, given, (size_t)(mark - given));
        lua_pushfstring(L, "%s%s%s%s%s", lua_tostring(L, -1), mark > given ? ";" : "",
                        lua_tostring(L, -2), mark[2] ? ";" : "", mark + 2);
    }
    lua_setfield(L, package, field);
    lua_settop(L, package);
}

void orr_lua_set_search_paths(lua_State *L)
{
    lua_getglobal(L, "package");
    set_path(L, "path", "LUA_PATH", LUA_PATH_DEFAULT);
    set_path(L, "cpath", "LUA_CPATH", LUA_CPATH_DEFAULT);
    lua_pop(L, 1);
}
