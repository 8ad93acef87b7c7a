/* What the specs of tasks need and the public Lua API does not reach: memory that runs out, a set
 * that is filled again. */
#include "native.h"

#include "workload/tasks.h"
#include "workload/writer.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

ORR_API int luaopen_native_tasks(lua_State *L);

/* Families and tables in turn. */
static orr_status add_some(orr_tasks *tasks, int32_t count, orr_error *err)
{
    double times[40];
    orr_status status = ORR_OK;
    for (int32_t j = 0; j < 40; j++)
        times[j] = 100.0 / (j + 1);
    for (int32_t i = 0; i < count && status == ORR_OK; i++) {
        if (i % 2 == 0)
            status = orr_tasks_add(tasks, NULL, 1000, ORR_PROFILE_AMDAHL, 0.5, err);
        else
            status = orr_tasks_add_table(tasks, NULL, 0, times, 40, err);
    }
    return status;
}

/* Whether the set is whole: every task is found by its id, and none is half there. */
static bool is_whole(const orr_tasks *tasks)
{
    for (int32_t i = 0; i < tasks->count; i++)
        if (orr_tasks_find(tasks, orr_tasks_id(tasks, i)) != i || !(orr_task_time(tasks, i, 2) > 0))
            return false;
    return orr_tasks_find(tasks, "no such id") == -1;
}

/* build_failing(count, n): adds tasks, then replaces them by generated ones, or by none of them. */
static int build_failing(lua_State *L)
{
    int32_t count = (int32_t)luaL_checkinteger(L, 1);
    spec_memory f = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &f};
    orr_error err = {0};
    orr_synthetic_tasks options = orr_synthetic_tasks_default();
    options.count = 2 * count;
    orr_tasks *tasks = orr_tasks_create(&a, &err);
    orr_status status = tasks ? add_some(tasks, count, &err) : err.status;
    bool added = tasks != NULL && status == ORR_OK;
    if (added)
        status = orr_generate_tasks(tasks, &options, 1, 0, 1, &err);
    bool whole = tasks == NULL || is_whole(tasks);
    if (added && status != ORR_OK)
        whole = whole && tasks->count == count && tasks->profile[0] == ORR_PROFILE_AMDAHL;
    orr_tasks_destroy(tasks);
    return whole ? spec_report(L, status, &err, &f) : luaL_error(L, "half a task was left");
}

/* regenerate(count, seed, run, ...): allocations while a set that holds `count` generated tasks is
 * filled again, its number of tasks and its last size. */
static int regenerate(lua_State *L)
{
    spec_memory f = {0};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    orr_synthetic_tasks options = orr_synthetic_tasks_default();
    options.count = (int32_t)luaL_checkinteger(L, 1);
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 2), run = (uint64_t)luaL_checkinteger(L, 3);
    orr_tasks *tasks = orr_tasks_create(&a, &err);
    orr_generate_tasks(tasks, &options, seed, 0, run + 1, &err);
    long long before = f.calls;
    orr_generate_tasks(tasks, &options, seed, 0, run, &err);
    lua_pushinteger(L, f.calls - before);
    lua_pushinteger(L, tasks->count);
    lua_pushnumber(L, tasks->size[tasks->count - 1]);
    bool whole = is_whole(tasks);
    orr_tasks_destroy(tasks);
    return whole ? 3 : luaL_error(L, "half a task was left");
}

/* read_failing(path, n): reads tasks and writes them again. */
static int read_failing(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &f};
    orr_error err = {0};
    orr_status status = ORR_OK;
    char *text = NULL;
    size_t size, capacity = 0;
    orr_tasks *tasks = orr_read_tasks(luaL_checkstring(L, 1), 0.08, &a, &err);
    if (tasks == NULL)
        status = err.status;
    else
        status = orr_tasks_format(tasks, &text, &size, &capacity, &a, &err);
    orr_release(&a, text, capacity);
    orr_tasks_destroy(tasks);
    return spec_report(L, status, &err, &f);
}

/* refused(m, profile, parameter): the message of orr_tasks_add, and whether nothing was added. */
static int refused(lua_State *L)
{
    orr_error err = {0};
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    orr_status status =
        orr_tasks_add(tasks, "a", luaL_checknumber(L, 1), (orr_profile)luaL_checkinteger(L, 2),
                      luaL_checknumber(L, 3), &err);
    lua_pushstring(L, err.message);
    lua_pushboolean(L, status == ORR_ERR_ARGUMENT && tasks->count == 0 &&
                           orr_tasks_find(tasks, "a") == -1);
    orr_tasks_destroy(tasks);
    return 2;
}

/* find(tasks given as a list of ids, id): the position from 1, 0 for none. */
static int find(lua_State *L)
{
    orr_error err = {0};
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    lua_Integer n = luaL_len(L, 1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, 1, i);
        orr_tasks_add(tasks, lua_tostring(L, -1), 2, ORR_PROFILE_AMDAHL, 0, &err);
        lua_pop(L, 1);
    }
    lua_pushinteger(L, orr_tasks_find(tasks, luaL_checkstring(L, 2)) + 1);
    orr_tasks_destroy(tasks);
    return 1;
}

int luaopen_native_tasks(lua_State *L)
{
    static const luaL_Reg functions[] = {{"build_failing", build_failing},
                                         {"regenerate", regenerate},
                                         {"read_failing", read_failing},
                                         {"refused", refused},
                                         {"find", find},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
