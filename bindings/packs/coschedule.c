/* Co-schedules as Lua values. */
#include "bindings/packs/packs.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

static const orr_coschedule *check(lua_State *L)
{
    return orr_lua_check_packed(L, 1, ORR_LUA_COSCHEDULE)->object;
}

const orr_coschedule *orr_lua_test_coschedule(lua_State *L, int arg,
                                              const orr_pack_problem *problem)
{
    if (!luaL_testudata(L, arg, ORR_LUA_COSCHEDULE))
        return NULL;
    const orr_lua_packed *value = orr_lua_check_packed(L, arg, ORR_LUA_COSCHEDULE);
    if (value->from->problem != problem)
        luaL_error(L, "this co-schedule is of another problem");
    return value->object;
}

ORR_LUA_GC(coschedule_gc, ORR_LUA_COSCHEDULE, orr_coschedule_destroy)

ORR_LUA_GETTER(coschedule_len, lua_pushinteger, check(L)->packs)

static int coschedule_tostring(lua_State *L)
{
    const orr_coschedule *c = check(L);
    char text[96];
    snprintf(text, sizeof text, "%d tasks in %d packs: %.10g s", (int)c->count, (int)c->packs,
             c->total);
    lua_pushstring(L, text);
    return 1;
}

/* --- looking --------------------------------------------------------------------------------- */

static void push_tasks_of(lua_State *L, const orr_coschedule *c, int32_t pack)
{
    orr_lua_push_integers(L, c->order + c->first[pack], c->first[pack + 1] - c->first[pack], 1);
}

static void push_pack(lua_State *L, const orr_pack_problem *problem, const orr_coschedule *c,
                      int32_t pack)
{
    int32_t count = c->first[pack + 1] - c->first[pack];
    lua_createtable(L, 0, 4);
    push_tasks_of(L, c, pack);
    lua_setfield(L, -2, "tasks");
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, c->procs[c->order[c->first[pack] + i]]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "procs");
    orr_lua_set_number(L, "cost", c->cost[pack]);
    orr_lua_set_number(L, "idle", orr_coschedule_idle(problem, c, pack));
}

ORR_LUA_GETTER_OF(coschedule_pack_of, const orr_coschedule *c = check(L), lua_pushinteger,
                  c->pack[orr_lua_check_task(L, 2)] + 1)

ORR_LUA_GETTER_OF(coschedule_procs_of, const orr_coschedule *c = check(L), lua_pushinteger,
                  c->procs[orr_lua_check_task(L, 2)])

static int coschedule_procs(lua_State *L)
{
    const orr_coschedule *c = check(L);
    orr_lua_push_integers(L, c->procs, c->count, 0);
    return 1;
}

static int coschedule_packs(lua_State *L)
{
    const orr_coschedule *c = check(L);
    lua_createtable(L, c->packs, 0);
    for (int32_t b = 0; b < c->packs; b++) {
        push_tasks_of(L, c, b);
        lua_rawseti(L, -2, b + 1);
    }
    return 1;
}

/* c:order(): the packs in the order in which they run */
static int coschedule_order(lua_State *L)
{
    const orr_coschedule *c = check(L);
    orr_error err;
    int32_t *order = lua_newuserdatauv(L, (size_t)c->packs * sizeof *order, 0);
    orr_lua_try(L, orr_coschedule_order(c, order, &err), &err);
    orr_lua_push_integers(L, order, c->packs, 1);
    return 1;
}

static int coschedule_metrics(lua_State *L)
{
#define METRIC(name) ORR_LUA_FIELD(orr_coschedule_metrics, name)
    static const orr_lua_field fields[] = {
        METRIC(packs),         METRIC(cost),     METRIC(relative_cost),
        METRIC(packing_ratio), METRIC(response), METRIC(relative_response),
        ORR_LUA_LAST_FIELD,
    };
    const orr_coschedule *c = check(L);
    orr_coschedule_metrics m;
    orr_error err;
    orr_lua_try(L, orr_coschedule_measure(orr_lua_problem_of(L), c, &m, &err), &err);
    orr_lua_push_record(L, &m, fields);
    return 1;
}

/* c:check(): true, or nil and the objection of the independent checker */
static int coschedule_check(lua_State *L)
{
    const orr_coschedule *c = check(L);
    orr_error err;
    return orr_lua_push_verdict(L, orr_coschedule_check(orr_lua_problem_of(L), c, &err), &err);
}

/* c:balance(): a new one, with Algorithm 1 in every pack */
static int coschedule_balance(lua_State *L)
{
    const orr_coschedule *c = check(L);
    orr_error err;
    orr_lua_packed *value = orr_lua_new_packed(L, 1, ORR_LUA_COSCHEDULE);
    orr_lua_set_packed(L, value, orr_coschedule_copy(c, &err), &err);
    orr_lua_try(L, orr_coschedule_balance(orr_lua_problem_of(L), value->object, &err), &err);
    return 1;
}

/* --- fields ---------------------------------------------------------------------------------- */

static void check_first(lua_State *L)
{
    check(L);
}

static bool coschedule_item(lua_State *L, lua_Integer position)
{
    const orr_coschedule *c = check(L);
    if (position < 1 || position > c->packs)
        return false;
    push_pack(L, orr_lua_problem_of(L), c, (int32_t)position - 1);
    return true;
}

static bool coschedule_field(lua_State *L, const char *name)
{
    const orr_coschedule *c = check(L);
    if (strcmp(name, "cost") == 0)
        lua_pushnumber(L, c->total);
    else if (strcmp(name, "count") == 0)
        lua_pushinteger(L, c->count);
    else if (strcmp(name, "problem") == 0)
        lua_getiuservalue(L, 1, 1);
    else
        return false;
    return true;
}

void orr_lua_open_coschedule(lua_State *L)
{
#define METHOD(name) ORR_LUA_METHOD(coschedule, name)
    static const luaL_Reg methods[] = {
        METHOD(balance), METHOD(check), METHOD(metrics),  METHOD(order), METHOD(pack_of),
        METHOD(packs),   METHOD(procs), METHOD(procs_of), {NULL, NULL},
    };
    static const orr_lua_class class = {
        .name = ORR_LUA_COSCHEDULE,
        .what = "co-schedule",
        .methods = methods,
        .gc = coschedule_gc,
        .len = coschedule_len,
        .tostring = coschedule_tostring,
        .check = check_first,
        .item = coschedule_item,
        .field = coschedule_field,
        .unknown = "a co-schedule has no field '%s' (known: cost, count, problem, balance, check, "
                   "gantt, show, metrics, order, pack_of, packs, procs, procs_of, or the number of "
                   "a pack)", /* two of the methods are made in Lua */
    };
    orr_lua_new_class(L, &class);
}
