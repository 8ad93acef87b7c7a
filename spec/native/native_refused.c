/* native_refused: memory that is refused, for specs. Loaded before the C library (LD_PRELOAD) with
 * REFUSED=N in the environment, its N-th fdopen fails. As a Lua module it lets the allocations of
 * the Lua state that calls it fail from the n-th on, or one of Jansson in this process. */
#include "native.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

ORR_API int luaopen_native_refused(lua_State *L);

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): that of stdio.h */
ORR_API FILE *fdopen(int number, const char *mode)
{
    static long seen;
    const char *which = getenv("REFUSED");
    if (which && ++seen == strtol(which, NULL, 10)) {
        errno = ENOMEM;
        return NULL;
    }
    FILE *(*real)(int, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    return real(number, mode);
}

typedef struct lua_memory {
    lua_Alloc alloc;
    void *user;
    long left;
} lua_memory;

static void *refuse(void *user, void *block, size_t old_size, size_t new_size)
{
    lua_memory *memory = user;
    if (new_size > (block ? old_size : 0) && memory->left-- <= 0)
        return NULL;
    return memory->alloc(memory->user, block, old_size, new_size);
}

/* lua(n, f, ...): pcall(f, ...) where only n allocations of this state succeed. */
static int starve_lua(lua_State *L)
{
    lua_memory memory = {.left = (long)luaL_checkinteger(L, 1)};
    memory.alloc = lua_getallocf(L, &memory.user);
    lua_setallocf(L, refuse, &memory);
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    lua_setallocf(L, memory.alloc, memory.user);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 1);
    return lua_gettop(L);
}

static long jansson_left, jansson_taken;

static void *allocate(size_t size)
{
    jansson_taken++;
    return jansson_left-- == 0 ? NULL : malloc(size);
}

/* jansson(n): the allocation after the next n fails, and no other; how many there have been since
 * the last call. */
static int starve_jansson(lua_State *L)
{
    void (*set)(void *(*)(size_t), void (*)(void *));
    *(void **)&set = dlsym(RTLD_DEFAULT, "json_set_alloc_funcs");
    if (!set)
        return luaL_error(L, "Jansson is not in this process");
    jansson_left = (long)luaL_checkinteger(L, 1);
    set(allocate, free);
    lua_pushinteger(L, jansson_taken);
    jansson_taken = 0;
    return 1;
}

int luaopen_native_refused(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"lua", starve_lua}, {"jansson", starve_jansson}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
