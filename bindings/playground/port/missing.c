/* Functions that a page cannot have: processes under a filter of system calls, a terminal, and the
 * file of the program. Calls give an error or a reason. */
#include "bindings/program/program.h"
#include "bindings/support/confined.h"

#include <dlfcn.h>
#include <lauxlib.h>
#include <poll.h>

/* core.confine(...): nil and the reason, as on a system without filter. */
static int confine(lua_State *L)
{
    lua_pushnil(L);
    lua_pushliteral(L, "WebAssembly has no processes");
    return 2;
}

void orr_lua_open_confined(lua_State *L)
{
    static const luaL_Reg functions[] = {{"confine", confine}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}

static int terminal_call(lua_State *L)
{
    lua_settop(L, 2);
    lua_insert(L, 1);
    int status = orr_program_call(L, 0, LUA_MULTRET, false);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    if (status != LUA_OK)
        lua_pushboolean(L, false);
    return lua_gettop(L);
}

/* The part of prompt.c that `orrery -e` needs. */
int orr_program_open_terminal(lua_State *L)
{
    static const luaL_Reg functions[] = {{"call", terminal_call}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}

/* module.c is given its home by ORRERY_HOME. */
int dladdr(const void *address, Dl_info *info)
{
    (void)address, (void)info;
    return 0;
}

/* No signal can come while it waits. */
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *let_in)
{
    (void)time, (void)let_in;
    return poll(files, count, -1);
}
