/* The C side of the page: one permanent Lua state, in which page.lua answers requests. */
#include "bindings/program/program.h"
#include "bindings/support/messages.h"

#include <emscripten.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
EM_JS(void, orr_page_post, (const char *text), { Module['onPost'](UTF8ToString(text)); })
/* clang-format on */

static lua_State *state;

/* post(text): hands a text to the page while a request is answered. */
static int post(lua_State *L)
{
    orr_page_post(luaL_checkstring(L, 1));
    return 0;
}

static int open_page(lua_State *L)
{
    orr_program_open(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "orrery.core");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "home");
    const char *path = lua_pushfstring(L, "%s/playground/page.lua", lua_tostring(L, -1));
    if (luaL_loadfile(L, path) != LUA_OK)
        return lua_error(L);
    lua_pushcfunction(L, post);
    lua_call(L, 1, 1);
    return 1;
}

/* Makes the state; returns NULL, or the error. */
EMSCRIPTEN_KEEPALIVE const char *orr_page_open(void);
const char *orr_page_open(void)
{
    state = luaL_newstate();
    if (!state)
        return "not enough memory";
    lua_pushcfunction(state, open_page);
    return lua_pcall(state, 0, 1, 0) == LUA_OK ? NULL : lua_tostring(state, -1);
}

/* The answer, JSON, to a request, JSON: page.lua describes both. The answer is valid until the next
 * call. */
EMSCRIPTEN_KEEPALIVE const char *orr_page_ask(const char *request);
const char *orr_page_ask(const char *request)
{
    lua_settop(state, 1);
    lua_pushvalue(state, 1);
    lua_pushstring(state, request);
    lua_pcall(state, 1, 1, 0);
    orr_flush_output();
    return lua_tostring(state, -1);
}
