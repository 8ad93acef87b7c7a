/* The Lua files of bindings/, and those of other kinds that they need, inside the module, so that
 * it is one file to install. The list of them, embedded.inc, is made by make: lines
 * EMBEDDED(number, "folder/name.lua"). */
#include "bindings/support/embedding.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#define EMBEDDED(number, file)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            ".global orr_embedded_" #number "\n"                                                   \
            ".hidden orr_embedded_" #number "\n"                                                   \
            ".global orr_embedded_" #number "_end\n"                                               \
            ".hidden orr_embedded_" #number "_end\n"                                               \
            "orr_embedded_" #number ":\n"                                                          \
            ".incbin \"bindings/" file "\"\n"                                                      \
            "orr_embedded_" #number "_end:\n"                                                      \
            ".previous\n");                                                                        \
    extern const char orr_embedded_##number[], orr_embedded_##number##_end[];
#include "embedded.inc"
#undef EMBEDDED

static const struct {
    const char *name, *begin, *end;
} files[] = {
#define EMBEDDED(number, file) {file, orr_embedded_##number, orr_embedded_##number##_end},
#include "embedded.inc"
#undef EMBEDDED
};

enum { FILES = sizeof files / sizeof *files };

/* How long the name is without ".lua"; 0 for a file of another kind. */
static size_t stem(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".lua") == 0 ? length - 4 : 0;
}

/* Pushes the name of a file's module: "orrery.host.sandbox", "orrery.draw.gantt.js"; the main one
 * is "orrery". */
static const char *push_name(lua_State *L, int file)
{
    const char *name = files[file].name;
    if (strcmp(name, "orrery.lua") == 0)
        return lua_pushstring(L, "orrery");
    lua_pushliteral(L, "orrery.");
    lua_pushlstring(L, name, stem(name) ? stem(name) : strlen(name));
    lua_concat(L, 2);
    luaL_gsub(L, lua_tostring(L, -1), "/", ".");
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

static int load_file(lua_State *L, int file)
{
    lua_pushfstring(L, "=orrery/%s", files[file].name);
    size_t size = (size_t)(files[file].end - files[file].begin);
    const char *chunk = lua_tostring(L, -1);
    if (luaL_loadbufferx(L, files[file].begin, size, chunk, "t") != LUA_OK)
        return lua_error(L);
    lua_remove(L, -2);
    return 1;
}

int orr_lua_load_embedded(lua_State *L, const char *name)
{
    for (int i = 0; i < FILES; i++) {
        bool found = strcmp(push_name(L, i), name) == 0;
        lua_pop(L, 1);
        if (found)
            return load_file(L, i);
    }
    return luaL_error(L, "no embedded module %s", name);
}

/* What `require` calls. Upvalue: the number of the file. What is not Lua is a module that is its
 * text. */
static int run_file(lua_State *L)
{
    int file = (int)lua_tointeger(L, lua_upvalueindex(1));
    if (stem(files[file].name) == 0) {
        lua_pushlstring(L, files[file].begin, (size_t)(files[file].end - files[file].begin));
        return 1;
    }
    load_file(L, file);
    lua_call(L, 0, 1);
    return 1;
}

void orr_lua_preload_embedded(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (int i = 0; i < FILES; i++) {
        if (strcmp(files[i].name, "orrery.lua") == 0)
            continue;
        push_name(L, i);
        lua_pushinteger(L, i);
        lua_pushcclosure(L, run_file, 1);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
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
