/* The values that hooks see: `sim`, `job`, `task` and `group`.
 *
 * They are handles, which work only inside a hook: what they show is looked up in the call under
 * way. Methods are closures that know their host, so that they are found without a search, and
 * values are told by their metatables' addresses.
 *
 * Fields stand in a table, a macro that names each as F(name, type, unit, about, push, value...).
 * Type, unit (NULL: none is said) and description are those of the manuals; the function pushes a
 * value, and the value is an expression over what the function around the switch has at hand. From
 * the table come the names, their numbers, the cases of that switch and the entries of schema/.
 * Methods stand in a table M(name); sim_name is the function. */
#pragma once

#include "bindings/host/host.h"
#include "bindings/support/fields.h"

#include <lauxlib.h>

#define ORR_FIELD_NAME(name, ...) #name,
#define ORR_FIELD_NUMBER(name, ...) FIELD_##name,
#define ORR_FIELD_TEXT(name, type, unit, about, ...) {#name, type, unit, about},
#define ORR_FIELD_CASE(name, type, unit, about, push, ...)                                         \
    case FIELD_##name:                                                                             \
        push(L, __VA_ARGS__);                                                                      \
        return 1;
#define ORR_METHOD(name)                                                                           \
    {                                                                                              \
#name, sim_##name                                                                          \
    }
#define ORR_METHOD_NAME(name) #name

/* The Lua class of a kind of value. */
typedef struct orr_view {
    const char *shown;         /* in place of its metatable */
    const char *name;          /* in messages of Lua about its type */
    lua_CFunction index;       /* of fields; upvalues: self, their names */
    lua_CFunction own_index;   /* the same, for hosts with a Lua state of their own, or NULL */
    const char *const *fields; /* their names, and behind these those of methods; ends with NULL */
    const char *class_name;    /* in schema/ */
    const orr_field_text *texts; /* of the fields; the last has no name */
    const luaL_Reg *methods;     /* ends with NULL; or NULL */
} orr_view;

/* The type of what sim:waiting gives: kept.lua knows it. */
#define ORR_QUEUE "orrery.queue"

/* The classes that policies for jobs, or for tasks, see. */
typedef struct orr_views {
    const char *handles, *items; /* "sim and tasks", "tasks" */
    const char *instead;         /* of changing a job or task */
    orr_view sim, item, group;   /* only jobs have groups */
    const luaL_Reg *queue;       /* the metatable of what sim:waiting gives, or NULL */
} orr_views;

extern const orr_views orr_views_of_jobs, orr_views_of_tasks;

/* The numbers of fields by the addresses of their names: a Lua state has a short text only once. */
enum { ORR_FIELD_PLACES = 128 };
typedef struct orr_field_numbers {
    const void *name[ORR_FIELD_PLACES]; /* NULL: free; the closure keeps the texts alive */
    uint8_t number[ORR_FIELD_PLACES];   /* from 1 */
} orr_field_numbers;

/* The userdata that `sim` is, and the first upvalue of all closures. */
typedef struct orr_host_self {
    orr_host *host; /* NULL once it is destroyed */
    const orr_views *views;
    orr_field_numbers sim, item, group;
} orr_host_self;

/* A job or a task. It is a light userdata whose pointer has these bits, which costs nothing to
 * make; or a userdata that holds them, where other people have light userdata (in the caller's
 * state) and where pointers are too short. */
typedef struct orr_view_item {
    int32_t item;
    uint32_t epoch; /* of the host: which instance it was made for */
} orr_view_item;

/* core.fields_seen(class): the entries of schema/ for the fields of Job, Sim, GroupView, Task or
 * TaskSim: a list of { name, type, description, unit = }. */
int orr_lua_fields_seen(lua_State *L);

/* Makes host->self, and what its values need. */
void orr_host_make_views(orr_host *host, const orr_views *views);

/* Pushes the host's sim value on L: the host's state, or a coroutine that a policy in the caller's
 * state runs. */
void orr_host_push_sim(lua_State *L, const orr_host *host);

/* Push the nodes of a warning, as sim:node gives them, and the announced time. */
/* Pushes a node with what is free of its processors and, `stride` apart, of each resource. */
void orr_view_push_node_free(lua_State *L, const orr_nodes *nodes, int32_t node,
                             const int64_t *free, size_t stride);
void orr_view_push_warning(lua_State *L, const orr_rigid *sim, const orr_warning *warning);

/* Raises: a closure is called outside a hook. */
int orr_view_fail_outside(lua_State *L);

/* Unpacks lua_touserdata's pointer to a job or task: not NULL, because `item` is at least 0. */
static inline orr_view_item orr_view_unpack(const orr_host *host, const void *value)
{
    if (!host->light_items)
        return *(const orr_view_item *)value;
    uint64_t bits = (uint64_t)(uintptr_t)value;
    return (orr_view_item){(int32_t)((bits & UINT32_MAX) - 1), (uint32_t)(bits >> 32)};
}

static inline void *orr_view_pack(const orr_host *host, int32_t item)
{
    return (void *)(uintptr_t)((uint64_t)host->epoch << 32 | ((uint32_t)item + 1));
}

/* Push the value of a job or task on such an L. The same job is the same value, also as a key. The
 * first of its instance, and values that are no light userdata, take the long way. */
void orr_host_push_item_slowly(lua_State *L, orr_host *host, int32_t item);
static inline void orr_host_push_item(lua_State *L, orr_host *host, int32_t item)
{
    if (ORR_LIKELY(host->light_items && host->jobs_of == host->call->instance))
        lua_pushlightuserdata(L, orr_view_pack(host, item));
    else
        orr_host_push_item_slowly(L, host, item);
}

/* Whether a value shows something: it is of the run under way. These functions are inline since
 * every look at a field calls them. */
static inline bool orr_view_is_live(const orr_host *host, orr_view_item item)
{
    return (host->call->instance || host->call->tasks) && host->call->instance == host->jobs_of &&
           item.epoch == host->epoch;
}

/* Whether the value at `index`, of which lua_touserdata is not NULL, is a job or a task. */
static inline bool orr_view_is_item(lua_State *L, const orr_host *host, int index)
{
    if (!lua_getmetatable(L, index))
        return false;
    bool is_item = lua_topointer(L, -1) == host->item_metatable;
    lua_pop(L, 1);
    return is_item;
}

/* The job or task at arg; raises for what is no such value. */
static inline orr_view_item orr_view_check_item(lua_State *L, const orr_host *host, int arg,
                                                const char *expected)
{
    const void *v = lua_touserdata(L, arg);
    if (v && orr_view_is_item(L, host, arg))
        return orr_view_unpack(host, v);
    luaL_typeerror(L, arg, expected);
    return (orr_view_item){0};
}

static inline const orr_host_self *orr_view_self(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* The host of a closure; NULL once it is destroyed. */
static inline orr_host *orr_view_owner(lua_State *L)
{
    return orr_view_self(L)->host;
}

/* The host of a Lua state of its own, which takes fewer instructions than an upvalue. */
static inline orr_host *orr_view_own_host(lua_State *L)
{
    return *(orr_host **)lua_getextraspace(L);
}

/* The host of a closure, as orr_view_owner or orr_view_own_host finds it; raises an error outside a
 * hook. */
static inline orr_host *orr_view_check_host(lua_State *L, orr_host *host)
{
    if (!host || (!host->call->instance && !host->call->tasks))
        orr_view_fail_outside(L);
    return host;
}

static inline orr_host *orr_view_host(lua_State *L)
{
    return orr_view_check_host(L, orr_view_owner(L));
}

/* The slot where the search for a name begins. */
static inline uint32_t orr_field_place(const void *name)
{
    return (uint32_t)((uintptr_t)name >> 4) * UINT32_C(2654435769) >> 25;
}

/* The number of the field that an index function is asked for; 0: there is none of this name. */
static inline int orr_view_field(lua_State *L, const orr_field_numbers *numbers)
{
    const void *name = lua_topointer(L, 2);
    uint32_t at = orr_field_place(name);
    while (numbers->name[at] && numbers->name[at] != name)
        at = (at + 1) % ORR_FIELD_PLACES;
    return numbers->number[at];
}

void orr_view_push_state(lua_State *L, const orr_host *host); /* sim.state */

/* In the host's own Lua state what hooks read most often are fields of the methods' table, so that
 * they are found without a call: sim.state, and sim.group where the last reads were of the same
 * group. orr_view_show sets or removes them for a call. */
void orr_view_show(lua_State *L, orr_host *host);
void orr_view_show_group(lua_State *L, orr_host *host); /* its name is on top */
static inline const void *orr_view_state_to_show(const orr_host *host)
{
    return host->light_items && host->call->sim ? orr_rigid_state(host->call->sim) : NULL;
}

static inline bool orr_view_is_shown(const orr_host *host)
{
    return host->shown_state == orr_view_state_to_show(host) &&
           (host->shown_group < 0 || host->shown_group == host->call->group);
}

/* Raises a refused decision, with the policy's line in front; returns 0 for one that is not. */
int orr_view_decided(lua_State *L, orr_status status, const orr_error *err);

/* The simulation of the call under way; raises where a priority is asked once per workload, and
 * names what is not known (NULL: the field that an index function is asked for). */
orr_rigid *orr_host_check_running(lua_State *L, const orr_host *host, const char *what);

/* The name of a group; for arguments that name one: see methods_jobs.c. */
const char *orr_host_group_name(const orr_host *host, int32_t group);

/* "pending", "waiting", "running", "over", "held". */
const char *orr_job_state_name(orr_rigid_job_state state);

/* For messages about a call: the clock of its simulation, s, and the name of its job or task. */
double orr_call_now(const orr_call *call);
const char *orr_call_item_id(const orr_call *call, int32_t item);
