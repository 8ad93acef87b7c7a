/* The Lua files of bindings/, and those of other kinds that they need, inside the module, so that
 * it is one file to install. The list of them, embedded.inc, is made by make, in lines
 * EMBEDDED(number, "folder/name.lua", "orrery.folder.name", whether it is Lua). A file of another
 * kind, such as draw/gantt.js, is the module orrery.draw.gantt.js. */
#include "bindings/support/embedding.h"

#include <lauxlib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EMBEDDED(number, file, module, is_lua)                                                     \
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
    const char *name, *module, *begin, *end;
    bool is_lua;
} files[] = {
#define EMBEDDED(number, file, module, is_lua)                                                     \
    {file, module, orr_embedded_##number, orr_embedded_##number##_end, is_lua},
#include "embedded.inc"
#undef EMBEDDED
};

enum { FILES = sizeof files / sizeof *files };

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

/* --- compiled chunks -------------------------------------------------------------------------- */

/* Every policy has a Lua state of its own, in which the same files are loaded. They are compiled
 * once per process: to read a compiled chunk takes a tenth of the time. */
typedef struct compiled {
    size_t size, capacity;
    char *bytes;
} compiled;

static _Atomic(compiled *) kept[FILES]; /* any thread may fill it in */

static int append(lua_State *L, const void *bytes, size_t size, void *to)
{
    (void)L;
    compiled *c = to;
    if (c->size + size > c->capacity) {
        size_t capacity = 2 * (c->size + size);
        char *grown = realloc(c->bytes, capacity);
        if (!grown)
            return 1;
        c->bytes = grown;
        c->capacity = capacity;
    }
    memcpy(c->bytes + c->size, bytes, size);
    c->size += size;
    return 0;
}

static void discard(compiled *c)
{
    if (c)
        free(c->bytes);
    free(c);
}

/* At the end of the process, or when Lua unloads the module. */
__attribute__((destructor)) static void discard_all(void)
{
    for (int i = 0; i < FILES; i++)
        discard(atomic_exchange(&kept[i], NULL));
}

/* Keeps the chunk on top of the stack, where there is memory for it. */
static void keep(lua_State *L, int file)
{
    compiled *c = calloc(1, sizeof *c), *nothing = NULL;
    if (!c || lua_dump(L, append, c, 0) != 0 ||
        !atomic_compare_exchange_strong(&kept[file], &nothing, c))
        discard(c);
}

static int load_kept(lua_State *L, int file)
{
    const compiled *c = atomic_load(&kept[file]);
    if (!c) {
        load_file(L, file);
        keep(L, file);
    } else if (luaL_loadbufferx(L, c->bytes, c->size, files[file].name, "b") != LUA_OK) {
        return lua_error(L);
    }
    return 1;
}

int orr_lua_load_embedded(lua_State *L, const char *name)
{
    for (int i = 0; i < FILES; i++)
        if (strcmp(files[i].module, name) == 0)
            return load_kept(L, i);
    return luaL_error(L, "no embedded module %s", name);
}

/* --- modules ---------------------------------------------------------------------------------- */

/* What `require` calls. Upvalue: the number of the file. What is not Lua is a module that is its
 * text. */
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

void orr_lua_preload_embedded(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (int i = 0; i < FILES; i++) {
        if (strcmp(files[i].module, "orrery") == 0)
            continue;
        lua_pushinteger(L, i);
        lua_pushcclosure(L, run_file, 1);
        lua_setfield(L, -2, files[i].module);
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
