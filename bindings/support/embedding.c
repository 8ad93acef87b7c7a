/* The Lua files of bindings/, and other files that they need, inside the module, so that one file
 * is installed. make compiles them into the folder ORR_INSIDE, for the Lua version that will load
 * them: a compiled chunk loads ten times as fast. make also writes their list, embedded.inc, in
 * lines EMBEDDED(number, "folder/name.lua", "orrery.folder.name", whether it is Lua). A file of
 * another kind, such as draw/gantt.js, is the module orrery.draw.gantt.js. */
#include "bindings/support/embedding.h"
#include "bindings/support/incbin.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#ifndef ORR_INSIDE /* for tools that read only this file */
#define ORR_INSIDE "build/inside/"
#endif

#define EMBEDDED(number, file, module, is_lua)                                                     \
    ORR_INCBIN(orr_embedded_##number, ORR_INSIDE file)                                             \
    extern const char orr_embedded_##number[], orr_embedded_##number##_end[];
#include "embedded.inc"
#undef EMBEDDED

static const struct {
    const char *name, *module;
    size_t length; /* of the module's name */
    const char *begin, *end;
    bool is_lua;
} files[] = {
#define EMBEDDED(number, file, module, is_lua)                                                     \
    {"=orrery/" file,                                                                              \
     module,                                                                                       \
     sizeof(module) - 1,                                                                           \
     orr_embedded_##number,                                                                        \
     orr_embedded_##number##_end,                                                                  \
     is_lua},
#include "embedded.inc"
#undef EMBEDDED
};

enum { FILES = sizeof files / sizeof *files };

/* The chunk of a file, compiled by the build, except for the playground, to save bytes. */
static void load_file(lua_State *L, int file)
{
    size_t size = (size_t)(files[file].end - files[file].begin);
    if (luaL_loadbufferx(L, files[file].begin, size, files[file].name, NULL) != LUA_OK)
        lua_error(L);
}

/* The file of a module; -1: there is none. */
static int find_file(const char *module)
{
    size_t length = strlen(module);
    for (int i = 0; i < FILES; i++)
        if (files[i].length == length && memcmp(files[i].module, module, length) == 0)
            return i;
    return -1;
}

int orr_lua_load_embedded(lua_State *L, const char *name)
{
    int file = find_file(name);
    if (file < 0)
        return luaL_error(L, "no embedded module %s", name);
    load_file(L, file);
    return 1;
}

/* --- modules ---------------------------------------------------------------------------------- */

/* The loader called by `require`. Upvalue: the number of the file. A file that is not Lua becomes a
 * module that is its text. */
static int run_file(lua_State *L)
{
    int file = (int)lua_tointeger(L, lua_upvalueindex(1));
    if (!files[file].is_lua) {
        lua_pushlstring(L, files[file].begin, (size_t)(files[file].end - files[file].begin));
        return 1;
    }
    load_file(L, file);
    lua_call(L, 0, 1);
    return 1;
}

int orr_lua_search_embedded(lua_State *L)
{
    int file = find_file(luaL_checkstring(L, 1));
    if (file < 0 || strcmp(files[file].module, "orrery") == 0)
        return 0;
    lua_pushinteger(L, file);
    lua_pushcclosure(L, run_file, 1);
    return 1;
}

int orr_lua_require_embedded(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, name) != LUA_TNIL)
        return 1;
    lua_pop(L, 1);
    orr_lua_load_embedded(L, name);
    lua_call(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
    return 1;
}
