/* liborrery-edc.so: Orrery as the scheduler of Batsim. A Lua state with the module orrery;
 * component.lua handles the messages. */
#include "bindings/edc/batsim_edc.h"
#include "bindings/support/messages.h"
#include "bindings/support/search_paths.h"

#include <dlfcn.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>

int luaopen_orrery(lua_State *L);

/* Batsim has one component of a library, and its functions know no other place. The state has the
 * component at COMPONENT, and behind it the last decisions. */
static lua_State *state;
enum { COMPONENT = 1, DECISIONS };

static uint8_t complain(const char *message, size_t size)
{
    fputs("orrery: ", stderr);
    orr_write_message(stderr, message, size);
    fputc('\n', stderr);
    return 1;
}

/* Reports the message on top of the stack. Nothing here allocates: no error of Lua may leave. */
static uint8_t fail(lua_State *L)
{
    static const char no_text[] = "an error that is not text";
    size_t size = sizeof no_text - 1;
    bool is_text = lua_type(L, -1) == LUA_TSTRING;
    const char *message = is_text ? lua_tolstring(L, -1, &size) : no_text;
    complain(message, size);
    lua_settop(L, COMPONENT);
    return 1;
}

/* Lua modules in C, such as lfs, look for Lua's functions among the global names. Where Batsim has
 * loaded this library with dlopen, they are not global; in a name space of its own (dlmopen) they
 * are found. */
static void show_lua_to_modules(void)
{
    Dl_info info;
    Lmid_t space;
    if (!dladdr((void *)(uintptr_t)lua_newstate, &info))
        return;
    void *lua = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (!lua)
        return;
    if (dlinfo(lua, RTLD_DI_LMID, &space) == 0 && space == LM_ID_BASE)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    dlclose(lua);
}

typedef struct bytes {
    const char *at;
    size_t size;
} bytes;

/* Pushes the bytes at index, as a text. */
static void push_bytes(lua_State *L, int index)
{
    const bytes *given = lua_touserdata(L, index);
    lua_pushlstring(L, given->at, given->size);
}

/* Pushes the component for the bytes at index 1. */
static int begin(lua_State *L)
{
    luaL_openlibs(L);
    orr_lua_set_search_paths(L);
    luaL_requiref(L, "orrery", luaopen_orrery, 0);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "orrery.edc.component");
    lua_call(L, 1, 1);
    push_bytes(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

/* What the component at index 1 decides on the message at index 2. */
static int decide(lua_State *L)
{
    lua_pushvalue(L, 1);
    push_bytes(L, 2);
    lua_call(L, 1, 1);
    luaL_checktype(L, -1, LUA_TSTRING);
    return 1;
}

uint8_t batsim_edc_init(const uint8_t *data, uint32_t size, uint32_t flags)
{
    static const char twice[] = "the component has been started already";
    static const char format[] = "only messages in JSON are understood: start Batsim with them";
    static const char memory[] = "not enough memory";
    if (state)
        return complain(twice, sizeof twice - 1);
    if (flags != ORR_EDC_JSON)
        return complain(format, sizeof format - 1);
    show_lua_to_modules();
    state = luaL_newstate();
    if (!state)
        return complain(memory, sizeof memory - 1);
    lua_pushcfunction(state, begin);
    bytes given = {data ? (const char *)data : "", data ? size : 0};
    lua_pushlightuserdata(state, &given);
    if (lua_pcall(state, 1, 1, 0) == LUA_OK)
        return 0;
    fail(state);
    lua_close(state);
    state = NULL;
    return 1;
}

uint8_t batsim_edc_take_decisions(const uint8_t *what_happened, uint32_t size, uint8_t **decisions,
                                  uint32_t *decisions_size)
{
    static const char none[] = "the component has not been started";
    if (!state)
        return complain(none, sizeof none - 1);
    lua_settop(state, COMPONENT);
    bytes message = {(const char *)what_happened, size};
    lua_pushcfunction(state, decide);
    lua_pushvalue(state, COMPONENT);
    lua_pushlightuserdata(state, &message);
    if (lua_pcall(state, 2, 1, 0) != LUA_OK)
        return fail(state);
    size_t length;
    const char *text = lua_tolstring(state, DECISIONS, &length);
    *decisions = (uint8_t *)(uintptr_t)text;
    *decisions_size = (uint32_t)length;
    return 0;
}

uint8_t batsim_edc_deinit(void)
{
    if (state)
        lua_close(state);
    state = NULL;
    return 0;
}
