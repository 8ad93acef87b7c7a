/* The code shared by all values that hooks see: those of jobs and those of tasks differ only in
 * their fields and methods. */
#include "bindings/host/views.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"

#include <string.h>

/* --- the calling hook ----------------------------------------------------------------------- */

static const orr_views *views_of(lua_State *L)
{
    return ((const orr_host_self *)lua_touserdata(L, lua_upvalueindex(1)))->views;
}

int orr_view_fail_outside(lua_State *L)
{
    return luaL_error(L, "%s can be used only inside a hook of the policy", views_of(L)->handles);
}

orr_rigid *orr_host_check_running(lua_State *L, const orr_host *host, const char *what)
{
    if (!host->call->sim)
        luaL_error(L,
                   "%s is not known when a priority is asked once per workload; say per = "
                   "\"scenario\", \"attempt\" or \"decision\"",
                   what ? what : lua_tostring(L, 2));
    return host->call->sim;
}

int orr_view_decided(lua_State *L, orr_status status, const orr_error *err)
{
    return status == ORR_OK ? 0 : luaL_error(L, "%s", err->message);
}

const char *orr_host_group_name(const orr_host *host, int32_t group)
{
    return host->jobs.groups ? host->jobs.kernel_groups[group].name : "main";
}

double orr_call_now(const orr_call *call)
{
    return call->tasks ? orr_malleable_look(call->tasks).now : orr_rigid_look(call->sim).now;
}

const char *orr_call_item_id(const orr_call *call, int32_t item)
{
    return call->tasks ? orr_tasks_id(orr_malleable_look(call->tasks).tasks, item)
                       : orr_jobs_id(call->instance->jobs, item);
}

/* --- sim ------------------------------------------------------------------------------------ */

void orr_host_push_sim(lua_State *L, const orr_host *host)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_SIM]);
}

/* The registry reference of the state table; 0 where there is none. */
static int state_ref(lua_State *L, const orr_host *host)
{
    return (int)(intptr_t)(host->call->tasks
                               ? orr_malleable_look(host->call->tasks).state
                               : orr_rigid_state(orr_host_check_running(L, host, "state")));
}

void orr_view_push_state(lua_State *L, const orr_host *host)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_ref(L, host));
}

void orr_view_show(lua_State *L, orr_host *host)
{
    const void *before = host->shown_state;
    host->shown_state = orr_view_state_to_show(host);
    if (host->shown_state && host->shown_state != before)
        orr_host_check_switch(L, host);
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_METHODS]);
    if (host->shown_state)
        orr_view_push_state(L, host);
    else
        lua_pushnil(L);
    lua_setfield(L, -2, "state");
    if (host->shown_group >= 0 && host->shown_group != host->call->group) {
        host->shown_group = -1;
        lua_pushnil(L);
        lua_setfield(L, -2, "group");
    }
    lua_pop(L, 1);
}

void orr_view_show_group(lua_State *L, orr_host *host)
{
    int32_t group = host->call->group;
    if (host->light_items && group == host->last_group) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_METHODS]);
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "group");
        lua_pop(L, 1);
        host->shown_group = group;
    }
    host->last_group = group;
}

static int sim_newindex(lua_State *L)
{
    orr_host *host = orr_view_host(L);
    const char *name = lua_tostring(L, 2);
    if (!name || strcmp(name, "state") != 0)
        return luaL_error(L, "sim.%s cannot be set; only sim.state can", orr_lua_push_key(L, 2));
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_pushvalue(L, 3);
    lua_rawseti(L, LUA_REGISTRYINDEX, state_ref(L, host));
    orr_view_show(L, host);
    return 0;
}

static int sim_tostring(lua_State *L)
{
    const orr_host *host = orr_view_owner(L);
    if (!host || (!host->call->sim && !host->call->tasks))
        lua_pushliteral(L, "sim");
    else
        lua_pushfstring(L, "sim at %f s", (LUAI_UACNUMBER)orr_call_now(host->call));
    return 1;
}

/* --- jobs and tasks ------------------------------------------------------------------------- */

static int item_newindex(lua_State *L)
{
    const orr_views *views = views_of(L);
    return luaL_error(L, "%s cannot be changed by a policy (field '%s'); %s", views->items,
                      orr_lua_push_key(L, 2), views->instead);
}

static int item_tostring(lua_State *L)
{
    const orr_host *host = orr_view_owner(L);
    const char *kind = views_of(L)->item.shown;
    orr_view_item v = host ? orr_view_unpack(host, lua_touserdata(L, 1)) : (orr_view_item){0};
    if (host && orr_view_is_live(host, v))
        lua_pushfstring(L, "%s %s", kind, orr_call_item_id(host->call, v.item));
    else
        lua_pushfstring(L, "%s of a run that is over", kind);
    return 1;
}

/* Values of jobs belong to an instance. The table is weak: of a million jobs, a policy holds the
 * values of few. */
static void renew_values(lua_State *L, orr_host *host)
{
    if (!host->light_items) {
        lua_newtable(L);
        lua_createtable(L, 0, 1);
        lua_pushliteral(L, "v");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_rawseti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_VALUES]);
    }
    if (host->changed) /* their labels have other numbers */
        memset(host->changed, 0, (size_t)host->changed_room * sizeof *host->changed);
    host->jobs_of = host->call->instance;
    host->epoch++;
}

void orr_host_push_item_slowly(lua_State *L, orr_host *host, int32_t item)
{
    if (host->jobs_of != host->call->instance)
        renew_values(L, host);
    if (host->light_items) {
        lua_pushlightuserdata(L, orr_view_pack(host, item));
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_VALUES]);
    if (lua_rawgeti(L, -1, item + 1) == LUA_TNIL) {
        lua_pop(L, 1);
        orr_view_item *v = lua_newuserdatauv(L, sizeof *v, 0);
        *v = (orr_view_item){item, host->epoch};
        lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_ITEM_METATABLE]);
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, item + 1);
    }
    lua_replace(L, -2);
}

/* --- making --------------------------------------------------------------------------------- */

/* Sets field `name` of the table on top to a closure over the userdata at `self`. */
static void set_closure(lua_State *L, int self, const char *name, lua_CFunction function)
{
    lua_pushvalue(L, self);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

static const orr_host_self *self_at(lua_State *L, int self)
{
    return lua_touserdata(L, self);
}

/* Sets field `__index` to the closure that reads fields. The closure keeps the names alive. */
static void set_index(lua_State *L, int self, const orr_view *view, orr_field_numbers *numbers)
{
    *numbers = (orr_field_numbers){.name = {NULL}};
    lua_pushvalue(L, self);
    lua_newtable(L);
    for (int i = 0; view->texts[i].name; i++) {
        const char *name = lua_pushstring(L, view->texts[i].name);
        const void *address = lua_topointer(L, -1);
        uint32_t at = orr_field_place(address);
        while (numbers->name[at])
            at = (at + 1) % ORR_FIELD_PLACES;
        numbers->name[at] = address;
        numbers->number[at] = (uint8_t)(i + 1);
        lua_setfield(L, -2, name);
    }
    bool own = self_at(L, self)->host->own && view->own_index;
    lua_pushcclosure(L, own ? view->own_index : view->index, 2);
    lua_setfield(L, -2, "__index");
}

/* Pushes a metatable with a name for messages, and what is shown in its place. */
static void push_named(lua_State *L, const char *shown, const char *name)
{
    lua_newtable(L);
    lua_pushstring(L, shown);
    lua_setfield(L, -2, "__metatable");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
}

/* Pushes the view's metatable. With methods, __index is their table, with the fields behind it. */
static void push_metatable(orr_host *host, int self, const orr_view *view,
                           orr_field_numbers *numbers)
{
    lua_State *L = host->L;
    push_named(L, view->shown, view->name);
    if (!view->methods) {
        set_index(L, self, view, numbers);
        return;
    }
    lua_newtable(L);
    for (const luaL_Reg *m = view->methods; m->name; m++)
        set_closure(L, self, m->name, m->func);
    lua_newtable(L);
    set_index(L, self, view, numbers);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    host->refs[ORR_REF_METHODS] = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_setfield(L, -2, "__index");
}

/* In a host's own state all light userdata are jobs or tasks, and share these values' metatable. */
static void make_items(orr_host *host, int self, const orr_view *view)
{
    lua_State *L = host->L;
    host->light_items = host->own && sizeof(void *) >= 8;
    lua_newtable(L);
    host->refs[ORR_REF_VALUES] = luaL_ref(L, LUA_REGISTRYINDEX);
    push_metatable(host, self, view, &host->self->item);
    set_closure(L, self, "__newindex", item_newindex);
    set_closure(L, self, "__tostring", item_tostring);
    host->item_metatable = lua_topointer(L, -1);
    if (host->light_items) {
        lua_pushlightuserdata(L, NULL);
        lua_pushvalue(L, -2);
        lua_setmetatable(L, -2);
        lua_pop(L, 1);
    }
    host->refs[ORR_REF_ITEM_METATABLE] = luaL_ref(L, LUA_REGISTRYINDEX);
}

void orr_host_make_views(orr_host *host, const orr_views *views)
{
    lua_State *L = host->L;
    orr_host_self *made = lua_newuserdatauv(L, sizeof *made, 0);
    made->host = host;
    made->views = views;
    lua_pushvalue(L, -1);
    host->refs[ORR_REF_SIM] = luaL_ref(L, LUA_REGISTRYINDEX);
    host->self = made; /* now it cannot go before the host */
    int self = lua_gettop(L);
    make_items(host, self, &views->item);
    if (views->group.index) {
        push_metatable(host, self, &views->group, &host->self->group);
        host->refs[ORR_REF_GROUP_METATABLE] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (views->queue) {
        push_named(L, "queue", ORR_QUEUE);
        for (const luaL_Reg *m = views->queue; m->name; m++)
            set_closure(L, self, m->name, m->func);
        host->refs[ORR_REF_QUEUE_METATABLE] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    push_metatable(host, self, &views->sim, &host->self->sim);
    set_closure(L, self, "__newindex", sim_newindex);
    set_closure(L, self, "__tostring", sim_tostring);
    lua_setmetatable(L, self);
    lua_pop(L, 1);
}
