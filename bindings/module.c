/* The Lua module: require "orrery". */
#include "bindings/draw/columns.h"
#include "bindings/host/calls.h"
#include "bindings/host/host.h"
#include "bindings/host/notes.h"
#include "bindings/host/views.h"
#include "bindings/packs/packs.h"
#include "bindings/run/jobs.h"
#include "bindings/run/tasks.h"
#include "bindings/session/session.h"
#include "bindings/support/claims.h"
#include "bindings/support/classes.h"
#include "bindings/support/confined.h"
#include "bindings/support/embedding.h"
#include "bindings/support/json_read.h"
#include "bindings/support/messages.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/support/system.h"
#include "bindings/values/failures.h"
#include "bindings/values/limits.h"
#include "bindings/values/metrics.h"
#include "bindings/values/nodes.h"
#include "bindings/values/tallies.h"
#include "bindings/values/values.h"
#include "bindings/values/windows.h"

#include <dlfcn.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_home(const char *root)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/policies/dispatch", root);
    if (access(path, R_OK) != 0)
        return false;
    snprintf(path, sizeof path, "%s/scripts", root);
    return access(path, R_OK) == 0;
}

/* Looks for the checkout, or for share/orrery of an installation or of a tree of LuaRocks, in the
 * folder of `file` and above. */
static bool find_home_above(const char *file, char home[PATH_MAX])
{
    static const char *const below[] = {
        "", "/share/orrery", "/lib/luarocks/rocks-5.4/orrery/" ORR_VERSION "-1/share/orrery"};
    char folder[PATH_MAX];
    if (!realpath(file, folder))
        return false;
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash != folder;) {
        *slash = '\0';
        for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
            int length = snprintf(home, PATH_MAX, "%.*s%s", PATH_MAX - 80, folder, below[i]);
            if (length < PATH_MAX && is_home(home))
                return true;
        }
    }
    return false;
}

/* Where policies, scripts and data are: $ORRERY_HOME, or near the file that this code is in. */
static void push_home(lua_State *L)
{
    char home[PATH_MAX];
    const char *given = getenv("ORRERY_HOME");
    Dl_info info;
    bool known = dladdr((void *)(uintptr_t)orr_lua_open_system, &info) && info.dli_fname;
    if (given && *given)
        lua_pushstring(L, given);
    else if ((known && find_home_above(info.dli_fname, home)) ||
             find_home_above("/proc/self/exe", home))
        lua_pushstring(L, home);
    else
        lua_pushliteral(L, ".");
}

/* Pushes the module orrery.core, the functions of the C part:
 *   values  public functions: orrery.lua hands them out
 *   module  the table that `require "orrery"` gives, which orrery.lua fills
 *   class   see orr_lua_find_class
 * and internal functions. */
static void push_core(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"describe", orr_lua_describe_policy}, {"nearest", orr_lua_nearest},
        {"fields_seen", orr_lua_fields_seen},  {"class", orr_lua_find_class},
        {"embedded", orr_lua_search_embedded}, {NULL, NULL}};
    lua_newtable(L);
    orr_lua_open_system(L);
    orr_lua_open_messages(L);
    orr_lua_open_json(L);
    orr_lua_open_remarks(L);
    orr_lua_open_descriptions(L);
    orr_lua_open_failures(L);
    orr_lua_open_windows(L);
    orr_lua_open_limits(L);
    orr_lua_open_nodes(L);
    orr_lua_open_jobs_runs(L);
    orr_lua_open_results(L);
    orr_lua_open_tallies(L);
    orr_lua_open_runs(L);
    orr_lua_open_sessions(L);
    orr_lua_open_live(L);
    orr_lua_open_columns(L);
    orr_lua_open_coming(L);
    orr_lua_open_ids(L);
    orr_lua_open_short_ways(L);
    orr_lua_open_malleable(L);
    orr_lua_open_output(L);
    orr_lua_open_claims(L);
    orr_lua_open_confined(L);
    orr_lua_open_tasks(L);
    orr_lua_open_packs(L);
    orr_lua_open_pack_host(L);
    orr_lua_open_calls(L);
    orr_lua_open_notes(L);
    luaL_setfuncs(L, functions, 0);
    lua_pushliteral(L, ORR_VERSION);
    lua_setfield(L, -2, "version");
    push_home(L);
    lua_setfield(L, -2, "home");
    lua_newtable(L);
    orr_lua_open_base(L);
    orr_lua_open_workload(L);
    orr_lua_open_workload_make(L);
    lua_setfield(L, -2, "values");
    lua_newtable(L);
    lua_setfield(L, -2, "module");
}

/* A searcher of `require`: what is embedded; else orrery.command.x.y is scripts/command/x/y.lua (of
 * one command), and orrery.reproduce.x.y is scripts/reproduce/x/y.lua (a part of a paper). Upvalue:
 * the home. */
static int search_modules(lua_State *L)
{
    static const char root[] = "orrery.";
    const char *name = luaL_checkstring(L, 1);
    if (orr_lua_search_embedded(L) == 1)
        return 1;
    if (strncmp(name, "orrery.command.", 15) != 0 && strncmp(name, "orrery.reproduce.", 17) != 0)
        return 0;
    luaL_gsub(L, name + sizeof root - 1, ".", "/");
    const char *path = lua_pushfstring(L, "%s/scripts/%s.lua", lua_tostring(L, lua_upvalueindex(1)),
                                       lua_tostring(L, -1));
    if (access(path, R_OK) != 0) {
        lua_pushfstring(L, "no file '%s'", path);
        return 1;
    }
    if (luaL_loadfile(L, path) != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, path);
    return 2;
}

/* Adds the searcher, if it is missing: after that of preloaded modules, before those of paths. */
static void add_searcher(lua_State *L)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchers");
    lua_Integer count = luaL_len(L, -1);
    bool is_there = lua_geti(L, -1, 2) == LUA_TFUNCTION && lua_tocfunction(L, -1) == search_modules;
    lua_pop(L, 1);
    for (lua_Integer i = count; !is_there && i >= 2; i--) {
        lua_geti(L, -1, i);
        lua_seti(L, -2, i + 1);
    }
    push_home(L);
    lua_pushcclosure(L, search_modules, 1);
    lua_seti(L, -2, 2);
    lua_pop(L, 2);
}

ORR_API int luaopen_orrery(lua_State *L);

int luaopen_orrery(lua_State *L)
{
    luaL_checkversion(L);
    add_searcher(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    push_core(L);
    lua_setfield(L, -2, "orrery.core");
    orr_lua_load_embedded(L, "orrery");
    lua_call(L, 0, 1);
    return 1;
}
