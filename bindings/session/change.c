/* session:fork(changes), for what-if. This file reads the table of changes made by
 * session/changes.lua, for both engines. Each engine turns it into the kernel's change
 * (rigid/whatif/change.h, malleable/change.h), which is applied as a whole or not at all. */
#include "bindings/host/host.h"
#include "bindings/session/session.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void orr_change_remark(void *user, const char *text)
{
    orr_lua_block *remarks = ((orr_session_change *)user)->remarks;
    size_t length = strlen(text) + 1;
    char *grown = realloc(remarks->bytes, remarks->size + length);
    if (!grown)
        return;
    memcpy(grown + remarks->size, text, length);
    remarks->bytes = grown;
    remarks->size += length;
}

bool orr_change_has(orr_session_change *c, const char *name)
{
    if (lua_getfield(c->L, ORR_CHANGES, name) != LUA_TNIL) {
        if (!lua_istable(c->L, -1))
            luaL_error(c->L, "%s: expected a table, found %s", name, luaL_typename(c->L, -1));
        return true;
    }
    lua_pop(c->L, 1);
    return false;
}

int32_t orr_change_position(lua_State *L, int index, const char *what)
{
    int ok = 0;
    lua_Integer position = lua_tointegerx(L, index, &ok);
    if (!ok || position < 1 || position > INT32_MAX)
        luaL_error(L, "%s: expected a position, found %s", what, orr_lua_push_key(L, index));
    return (int32_t)position - 1;
}

/* --- the common part of both engines ---------------------------------------------------------- */

/* Whether two prepared policies are equal: the same table, or equal texts. */
static bool is_same_policy(lua_State *L, int a, int b)
{
    lua_getfield(L, a, "text");
    lua_getfield(L, b, "text");
    bool text = lua_isstring(L, -1) && lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return text || lua_rawequal(L, a, b);
}

static void read_policy(orr_session_change *c)
{
    lua_State *L = c->L;
    if (!orr_change_has(c, "policy"))
        return;
    int at = lua_gettop(L);
    c->policy_procs = (int32_t)orr_lua_integer_option(L, at, "procs", 0, 1, INT32_MAX - 1);
    lua_getiuservalue(L, ORR_NEXT, ORR_KEEPS_POLICY);
    if (is_same_policy(L, at, at + 1))
        return;
    orr_limits limits = c->next->policy->host->limits;
    orr_error err;
    orr_lua_try(L, orr_session_load_policy(L, c->next, at, &limits, &err), &err);
    c->host = c->next->policy->host;
    lua_pushvalue(L, at);
    lua_setiuservalue(L, ORR_NEXT, ORR_KEEPS_POLICY);
}

static void read_seed(orr_session_change *c)
{
    c->draws = lua_getfield(c->L, ORR_CHANGES, "seed") != LUA_TNIL;
    if (c->draws)
        c->next->seed = (uint64_t)luaL_checkinteger(c->L, -1);
}

/* { procs =, group =, until = } */
static void read_procs(orr_session_change *c)
{
    lua_State *L = c->L;
    c->resizes = orr_change_has(c, "procs");
    if (!c->resizes)
        return;
    int at = lua_gettop(L);
    c->procs = (int32_t)orr_lua_integer_option(L, at, "procs", -1, 0, INT32_MAX - 1);
    c->until = orr_lua_number_option(L, at, "until", INFINITY);
    if (lua_getfield(L, at, "group") != LUA_TNIL)
        c->group = luaL_checkstring(L, -1);
}

/* Memory for the items of the list `name`; the list is on top of the stack, above the memory. NULL:
 * no list. */
static void *new_list(orr_session_change *c, const char *name, size_t size, int32_t *count)
{
    if (!orr_change_has(c, name))
        return NULL;
    *count = (int32_t)lua_rawlen(c->L, -1);
    void *items = lua_newuserdatauv(c->L, ((size_t)*count + 1) * size, 0);
    lua_insert(c->L, -2);
    return items;
}

static const int32_t *read_positions(orr_session_change *c, const char *name, int32_t *count)
{
    int32_t *positions = new_list(c, name, sizeof *positions, count);
    for (int32_t i = 0; i < *count; i++) {
        lua_rawgeti(c->L, -1, i + 1);
        positions[i] = orr_change_position(c->L, -1, name);
        lua_pop(c->L, 1);
    }
    return positions;
}

static const orr_nodes *nodes_of(const orr_session_change *c, const char *otherwise)
{
    const orr_nodes *nodes = c->from->instance ? c->from->instance->instance.nodes : NULL;
    if (!nodes)
        luaL_error(c->L, "%s", otherwise);
    return nodes;
}

/* The first processor of a node, counted from 1. */
static int32_t first_of_node(const orr_session_change *c, lua_Integer node)
{
    const orr_nodes *nodes =
        nodes_of(c, "fault: node: the machine is not one of nodes; give processor");
    if (node > nodes->count)
        luaL_error(c->L, "fault: node %I is not among the nodes 1 to %d of the machine", node,
                   (int)nodes->count);
    return nodes->first[node - 1];
}

/* A kind of nodes: the number of one, or { procs =, [resource] = amount }, on top of the stack. */
static orr_node_kind kind_of_nodes(orr_session_change *c, const orr_nodes *nodes)
{
    lua_State *L = c->L;
    orr_node_kind kind = {0};
    if (lua_isinteger(L, -1)) {
        lua_Integer number = lua_tointeger(L, -1);
        if (number > nodes->kind_count)
            luaL_error(L,
                       "add_nodes: kind: expected 1 to %d, for the kinds of nodes that there are, "
                       "found %I",
                       (int)nodes->kind_count, number);
        return nodes->kinds[number - 1];
    }
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = luaL_checkstring(L, -2);
        int32_t resource = orr_nodes_resource(nodes, name);
        if (strcmp(name, "procs") == 0)
            kind.procs = (int32_t)lua_tointeger(L, -1);
        else if (resource < 0)
            luaL_error(L, "add_nodes: kind: the nodes of the machine have no '%s'", name);
        else
            kind.has[resource] = lua_tointeger(L, -1);
    }
    return kind;
}

/* { count =, kind =, partitions = { names } or nil } each. */
static void read_more_nodes(orr_session_change *c)
{
    lua_State *L = c->L;
    orr_more_nodes *more = new_list(c, "add_nodes", sizeof *more, &c->more_node_count);
    for (int32_t i = 0; i < c->more_node_count; i++) {
        lua_rawgeti(L, -1, i + 1);
        int at = lua_gettop(L);
        more[i] = (orr_more_nodes){0};
        lua_getfield(L, at, "kind");
        more[i].kind =
            kind_of_nodes(c, nodes_of(c, "add_nodes: the machine is not one of nodes (--machine)"));
        more[i].kind.count = (int32_t)orr_lua_integer_option(L, at, "count", 0, 1, INT32_MAX - 1);
        if (lua_getfield(L, at, "partitions") != LUA_TNIL) {
            int32_t count = more[i].partition_count = (int32_t)lua_rawlen(L, -1);
            const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
            lua_setfield(L, at, "names"); /* keeps them */
            for (int32_t k = 0; k < count; k++, lua_pop(L, 1)) {
                lua_rawgeti(L, -1, k + 1);
                names[k] = luaL_checkstring(L, -1);
            }
            more[i].partitions = names;
        }
        lua_settop(L, at - 1);
    }
    c->more_nodes = more;
}

/* { job = }, { task = }, { node =, repair = } or { processor =, repair = } on top of the stack. */
static orr_rigid_fault fault(orr_session_change *c)
{
    lua_State *L = c->L;
    luaL_checktype(L, -1, LUA_TTABLE);
    int at = lua_gettop(L);
    orr_rigid_fault f = {.job = -1};
    if (lua_getfield(L, at, c->from->engine->one) != LUA_TNIL)
        f.job = orr_change_position(L, -1, "fault");
    f.processor = (int32_t)orr_lua_integer_option(L, at, "processor", -1, 0, INT32_MAX - 1);
    if (lua_getfield(L, at, "node") != LUA_TNIL)
        f.processor = first_of_node(c, luaL_checkinteger(L, -1));
    f.repair = orr_lua_number_option(L, at, "repair", c->next->repair);
    lua_settop(L, at);
    return f;
}

static void read_faults(orr_session_change *c)
{
    orr_rigid_fault *faults = new_list(c, "fault", sizeof *faults, &c->fault_count);
    for (int32_t i = 0; i < c->fault_count; i++) {
        lua_rawgeti(c->L, -1, i + 1);
        faults[i] = fault(c);
        lua_pop(c->L, 1);
    }
    c->faults = faults;
}

/* --- fork ------------------------------------------------------------------------------------- */

int orr_lua_fork_changed(lua_State *L)
{
    orr_session_change c = {.L = L, .from = orr_lua_check_session(L)};
    orr_error err;
    luaL_checktype(L, ORR_CHANGES, LUA_TTABLE);
    lua_settop(L, ORR_CHANGES);
    c.next = orr_lua_push_successor(L, c.from);
    lua_newtable(L);
    c.remarks = orr_lua_new_block(L);
    read_policy(&c);
    read_seed(&c);
    read_procs(&c);
    c.cancel = read_positions(&c, "cancel", &c.cancel_count);
    c.fail = read_positions(&c, "fail", &c.fail_count);
    read_faults(&c);
    read_more_nodes(&c);
    c.checkpoint = read_positions(&c, "checkpoint", &c.checkpoint_count);
    c.preempt = read_positions(&c, "preempt", &c.preempt_count);
    c.from->engine->read_change(&c);
    orr_session_entry entry = orr_session_enter(c.next);
    orr_status status = c.from->engine->change(&c, &err);
    orr_session_leave(entry);
    orr_lua_try(L, status, &err);
    const char *text = c.remarks->bytes;
    for (size_t at = 0, i = 1; at < c.remarks->size; at += strlen(text + at) + 1, i++) {
        lua_pushstring(L, text + at);
        lua_rawseti(L, ORR_REMARKS, (lua_Integer)i);
    }
    lua_settop(L, ORR_REMARKS);
    return 2;
}
