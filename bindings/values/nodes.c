/* Machines of nodes: core.nodes, and which jobs fit on them. */
#include "bindings/values/nodes.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/select.h"

#include <math.h>
#include <string.h>

#define ORR_LUA_NODES "orrery.nodes"

ORR_LUA_GC(nodes_gc, ORR_LUA_NODES, orr_nodes_destroy)

const orr_nodes *orr_lua_nodes_option(lua_State *L, int index)
{
    const orr_nodes *nodes = NULL;
    if (lua_getfield(L, index, "nodes") != LUA_TNIL)
        nodes = *(orr_nodes **)luaL_checkudata(L, -1, ORR_LUA_NODES);
    lua_pop(L, 1);
    return nodes;
}

void orr_lua_push_nodes(lua_State *L, const orr_nodes *nodes)
{
    orr_error err;
    orr_nodes **slot = orr_lua_new_value(L, ORR_LUA_NODES, sizeof *slot, 0);
    *slot = orr_nodes_copy(nodes, NULL, &err);
    if (!*slot)
        orr_lua_raise(L, &err);
}

/* An array of zeros for the list in field `name` of the table on top, kept by the table at index 2;
 * pushes the list. */
static void *array(lua_State *L, const char *name, size_t item, int32_t *count)
{
    luaL_checkstack(L, 16, NULL);
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
    luaL_checktype(L, -1, LUA_TTABLE);
    *count = (int32_t)lua_rawlen(L, -1);
    size_t size = ((size_t)*count + 1) * item;
    void *items = memset(lua_newuserdatauv(L, size, 0), 0, size);
    lua_rawseti(L, 2, (lua_Integer)lua_rawlen(L, 2) + 1);
    return items;
}

static void copy_name(lua_State *L, char name[48], int index)
{
    size_t size;
    const char *text = luaL_checklstring(L, index, &size);
    luaL_argcheck(L, size < 48, 1, "a name is too long");
    memcpy(name, text, size + 1);
}

static int32_t number_at(lua_State *L, lua_Integer position)
{
    lua_rawgeti(L, -1, position);
    lua_Integer number = luaL_checkinteger(L, -1);
    luaL_argcheck(L, number >= 0 && number < INT32_MAX, 1, "a number is too large");
    lua_pop(L, 1);
    return (int32_t)number;
}

static void read_kind(lua_State *L, orr_node_kind *kind)
{
    int table = lua_gettop(L);
    kind->count = (int32_t)orr_lua_integer_option(L, table, "count", 0, 1, INT32_MAX - 1);
    kind->procs = (int32_t)orr_lua_integer_option(L, table, "procs", 0, 1, INT32_MAX - 1);
    if (lua_getfield(L, table, "has") != LUA_TNIL)
        for (int i = 0; i < ORR_MOST_NODE_RESOURCES && i < (int)lua_rawlen(L, -1); i++) {
            lua_rawgeti(L, -1, i + 1);
            kind->has[i] = luaL_checkinteger(L, -1);
            lua_pop(L, 1);
        }
    lua_pop(L, 1);
}

static void read_partition(lua_State *L, orr_partition *p)
{
    int table = lua_gettop(L);
    lua_getfield(L, table, "name");
    copy_name(L, p->name, -1);
    lua_pop(L, 1);
    p->priority = (int32_t)orr_lua_integer_option(L, table, "priority", 0, -INT32_MAX, INT32_MAX);
    p->max_time = orr_lua_number_option(L, table, "max_time", INFINITY);
    p->exclusive = orr_lua_flag_option(L, table, "exclusive");
    p->is_default = orr_lua_flag_option(L, table, "default");
    orr_node_run *runs = array(L, "runs", sizeof *runs, &p->run_count);
    for (int32_t i = 0; i < p->run_count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, i + 1);
        runs[i] = (orr_node_run){number_at(L, 1), number_at(L, 2)};
    }
    p->runs = p->run_count > 0 ? runs : NULL;
    lua_pop(L, 1);
}

/* core.nodes { kinds = { { count =, procs =, has = { amounts } } }, resources = { names },
 * partitions = { { name =, runs = { { low, high } }, priority =, max_time =, exclusive =,
 * default = } } }: nodes are numbered from 0; without runs a partition has all nodes. */
static int make(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_newtable(L); /* keeps the arrays */
    lua_pushvalue(L, 1);
    orr_nodes_options o = {.size = sizeof o};
    orr_error err;
    orr_node_kind *kinds = array(L, "kinds", sizeof *kinds, &o.kind_count);
    for (int32_t i = 0; i < o.kind_count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, i + 1);
        read_kind(L, &kinds[i]);
    }
    lua_pop(L, 1);
    char(*resources)[48] = array(L, "resources", sizeof *resources, &o.resource_count);
    for (int32_t i = 0; i < o.resource_count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, i + 1);
        copy_name(L, resources[i], -1);
    }
    lua_pop(L, 1);
    orr_partition *partitions = array(L, "partitions", sizeof *partitions, &o.partition_count);
    for (int32_t i = 0; i < o.partition_count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, i + 1);
        read_partition(L, &partitions[i]);
    }
    o.kinds = kinds;
    o.resources = (const char(*)[48])resources;
    o.partitions = o.partition_count > 0 ? partitions : NULL;
    orr_nodes **slot = orr_lua_new_value(L, ORR_LUA_NODES, sizeof *slot, 0);
    *slot = orr_nodes_create(&o, NULL, &err);
    return *slot ? 1 : orr_lua_raise(L, &err);
}

/* core.fitting(jobs, nodes): the jobs that fit; the position of the first other one, or nil, and
 * why it does not; how many do not for each reason. */
static int find_fitting(lua_State *L)
{
    static const char *const reasons[] = {[ORR_UNFIT_PARTITION] = "partition",
                                          [ORR_UNFIT_TIME] = "time",
                                          [ORR_UNFIT_SHARES] = "shares",
                                          [ORR_UNFIT_NODES] = "nodes"};
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    const orr_nodes *nodes = *(orr_nodes **)luaL_checkudata(L, 2, ORR_LUA_NODES);
    int32_t kept = 0, first = -1, counts[ORR_UNFIT_NODES + 1] = {0};
    int32_t *positions = lua_newuserdatauv(L, ((size_t)jobs->count + 1) * sizeof *positions, 0);
    orr_unfit why = ORR_FITS;
    for (int32_t j = 0; j < jobs->count; j++) {
        orr_unfit one = orr_nodes_unfit(nodes, jobs, j);
        counts[one]++;
        if (one == ORR_FITS)
            positions[kept++] = j;
        why = one != ORR_FITS && first < 0 ? one : why;
        first = one != ORR_FITS && first < 0 ? j : first;
    }
    lua_pushvalue(L, 1);
    if (first < 0)
        return 1;
    orr_error err;
    orr_jobs **some = orr_lua_new_jobs(L);
    if (!(*some = orr_jobs_pick(jobs, positions, kept, NULL, &err)))
        return orr_lua_raise(L, &err);
    lua_pushinteger(L, first + 1);
    lua_pushstring(L, reasons[why]);
    lua_newtable(L);
    for (int i = ORR_FITS + 1; i <= ORR_UNFIT_NODES; i++) {
        lua_pushinteger(L, counts[i]);
        lua_setfield(L, -2, reasons[i]);
    }
    return 4;
}

void orr_lua_open_nodes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"nodes", make}, {"fitting", find_fitting}, {NULL, NULL}};
    static const orr_lua_class class = {.name = ORR_LUA_NODES, .gc = nodes_gc};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
    lua_createtable(L, 0, 3);
    orr_lua_set_integer(L, "nodes", ORR_MOST_NODES);
    orr_lua_set_integer(L, "resources", ORR_MOST_NODE_RESOURCES);
    orr_lua_set_integer(L, "partitions", ORR_MOST_PARTITIONS);
    lua_setfield(L, -2, "most");
}
