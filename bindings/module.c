/* The Lua module: require "orrery". */
#include "bindings/host/calls.h"
#include "bindings/packs/packs.h"
#include "bindings/run/tasks.h"
#include "bindings/support/output.h"
#include "bindings/values/metrics.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether `root` holds policies and scripts. */
static bool is_home(const char *root)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/policies/dispatch", root);
    if (access(path, R_OK) != 0)
        return false;
    snprintf(path, sizeof path, "%s/scripts", root);
    return access(path, R_OK) == 0;
}

/* Looks for the checkout, or for share/orrery of an installation, in the folder of `file` and
 * above. */
static bool find_home_above(const char *file, char home[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!realpath(file, folder))
        return false;
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash != folder;) {
        *slash = '\0';
        snprintf(home, PATH_MAX, "%s", folder);
        if (is_home(home))
            return true;
        int length = snprintf(home, PATH_MAX, "%.*s/share/orrery", PATH_MAX - 16, folder);
        if (length < PATH_MAX && is_home(home))
            return true;
    }
    return false;
}

/* Where policies, scripts and data are: $ORRERY_HOME, or near the file that this code is in. */
static void push_home(lua_State *L)
{
    char home[PATH_MAX];
    const char *given = getenv("ORRERY_HOME");
    Dl_info info;
    bool known = dladdr((void *)(uintptr_t)orr_lua_open_rigid, &info) && info.dli_fname;
    if (given && *given)
        lua_pushstring(L, given);
    else if ((known && find_home_above(info.dli_fname, home)) ||
             find_home_above("/proc/self/exe", home))
        lua_pushstring(L, home);
    else
        lua_pushliteral(L, ".");
}

static int load_embedded(lua_State *L)
{
    return orr_lua_load_embedded(L, luaL_checkstring(L, 1));
}

ORR_API int luaopen_orrery(lua_State *L);

int luaopen_orrery(lua_State *L)
{
    luaL_checkversion(L);
    orr_lua_load_embedded(L, "orrery");
    lua_newtable(L); /* the module */
    orr_lua_open_base(L);
    orr_lua_open_workload(L);
    lua_newtable(L); /* core */
    orr_lua_open_rigid(L);
    orr_lua_open_node_failures(L);
    orr_lua_open_results(L);
    orr_lua_open_montecarlo(L);
    orr_lua_open_session(L);
    orr_lua_open_malleable(L);
    orr_lua_open_pack_session(L);
    orr_lua_open_output(L);
    orr_lua_open_tasks(L);
    orr_lua_open_expected(L);
    orr_lua_open_packs(L);
    orr_lua_open_pack_host(L);
    orr_lua_open_calls(L);
    lua_pushliteral(L, ORR_VERSION);
    lua_setfield(L, -2, "version");
    push_home(L);
    lua_setfield(L, -2, "home");
    lua_pushcfunction(L, load_embedded);
    lua_call(L, 3, 1);
    return 1;
}
