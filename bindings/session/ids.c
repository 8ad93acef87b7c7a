/* The set of ids of the jobs or tasks of a session. */
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include <string.h>

#define IDS "orrery.ids"

typedef struct ids {
    const orr_lua_class *class; /* first: see check */
    orr_labels texts;
} ids;

static const orr_lua_class class_of_ids;

static orr_labels *check(lua_State *L, int index)
{
    ids *all = orr_lua_test_tagged(L, index, &class_of_ids);
    return all ? &all->texts : &((ids *)luaL_checkudata(L, index, IDS))->texts;
}

static int ids_gc(lua_State *L)
{
    orr_labels_destroy(check(L, 1));
    return 0;
}

bool orr_ids_has(lua_State *L, int index, const char *id)
{
    return orr_labels_find(check(L, index), id) > 0;
}

orr_status orr_ids_add(lua_State *L, int index, const char *id, orr_error *err)
{
    int32_t number;
    return orr_labels_number(check(L, index), id, strlen(id), &number, err);
}

static int ids_has(lua_State *L)
{
    lua_pushboolean(L, orr_ids_has(L, 1, luaL_checkstring(L, 2)));
    return 1;
}

static int ids_add(lua_State *L)
{
    orr_error err;
    orr_lua_try(L, orr_ids_add(L, 1, luaL_checkstring(L, 2), &err), &err);
    return 0;
}

static const luaL_Reg methods[] = {{"has", ids_has}, {"add", ids_add}, {NULL, NULL}};

static const orr_lua_class class_of_ids = {.name = IDS, .methods = methods, .gc = ids_gc};

/* core.ids([jobs]): an empty set, or the ids of all jobs. */
static int new_ids(lua_State *L)
{
    const orr_jobs *jobs = lua_isnoneornil(L, 1) ? NULL : orr_lua_check_jobs(L, 1);
    lua_settop(L, 1);
    orr_lua_new_class(L, &class_of_ids);
    ids *all = orr_lua_new_value(L, IDS, sizeof *all, 0);
    all->class = &class_of_ids;
    all->texts.alloc = orr_allocator_or_default(NULL);
    orr_error err;
    for (int32_t j = 0, number; jobs && j < jobs->count; j++) {
        const char *id = orr_jobs_id(jobs, j);
        orr_lua_try(L, orr_labels_number(&all->texts, id, strlen(id), &number, &err), &err);
    }
    return 1;
}

void orr_lua_open_ids(lua_State *L)
{
    lua_pushcfunction(L, new_ids);
    lua_setfield(L, -2, "ids");
}
