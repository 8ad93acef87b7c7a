/* native_edc: external decision components, loaded as Batsim loads them (into a name space of their
 * own), for the spec of liborrery-edc.so. */
#include "native.h"

#include <dlfcn.h>

ORR_API int luaopen_native_edc(lua_State *L);

typedef struct component {
    uint8_t (*init)(const uint8_t *data, uint32_t size, uint32_t flags);
    uint8_t (*deinit)(void);
    uint8_t (*take)(const uint8_t *what, uint32_t size, uint8_t **decisions, uint32_t *length);
} component;

static component loaded;

/* load(path[, here]): once; here: into the name space of the caller. */
static int load(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    int how = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
    void *library = lua_toboolean(L, 2) ? dlopen(path, how) : dlmopen(LM_ID_NEWLM, path, how);
    if (!library)
        return luaL_error(L, "%s", dlerror());
    *(void **)&loaded.init = dlsym(library, "batsim_edc_init");
    *(void **)&loaded.deinit = dlsym(library, "batsim_edc_deinit");
    *(void **)&loaded.take = dlsym(library, "batsim_edc_take_decisions");
    if (!loaded.init || !loaded.deinit || !loaded.take)
        return luaL_error(L, "%s lacks a function", path);
    return 0;
}

/* init(text, flags), deinit(): the status. */
static int init(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_pushinteger(
        L, loaded.init((const uint8_t *)text, (uint32_t)size, (uint32_t)luaL_checkinteger(L, 2)));
    return 1;
}

static int deinit(lua_State *L)
{
    lua_pushinteger(L, loaded.deinit());
    return 1;
}

/* take(message): the decisions, or nil and the status. */
static int take(lua_State *L)
{
    size_t size;
    const char *message = luaL_checklstring(L, 1, &size);
    uint8_t *decisions = NULL;
    uint32_t length = 0;
    uint8_t status = loaded.take((const uint8_t *)message, (uint32_t)size, &decisions, &length);
    if (status == 0) {
        lua_pushlstring(L, (const char *)decisions, length);
        return 1;
    }
    lua_pushnil(L);
    lua_pushinteger(L, status);
    return 2;
}

int luaopen_native_edc(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"load", load}, {"init", init}, {"deinit", deinit}, {"take", take}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
