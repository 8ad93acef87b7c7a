/* The shared functions of the binding for packs. */
#pragma once

#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/values/values.h"
#include "packs/allocation.h"

#define ORR_LUA_PACK_PROBLEM "orrery.packs.problem"
#define ORR_LUA_COSCHEDULE "orrery.packs.coschedule"
#define ORR_LUA_ALLOCATION "orrery.packs.allocation"
#define ORR_LUA_PARTITION "orrery.packs.partition"

/* A problem as a Lua value. A policy is lent one for the time of a call. */
typedef struct orr_lua_problem {
    const orr_pack_problem *problem; /* NULL once released */
    bool lent;                       /* it is borrowed from another owner */
} orr_lua_problem;

/* A value made from a problem; its user value 1 is the problem's, which it keeps alive. `object` is
 * NULL until it is made. */
typedef struct orr_lua_packed {
    void *object;
    const orr_lua_problem *from;
} orr_lua_packed;

/* The problem at arg. The problem keeps its tasks alive. */
const orr_pack_problem *orr_lua_check_problem(lua_State *L, int arg);

/* The value at arg, whose problem still exists. */
orr_lua_packed *orr_lua_check_packed(lua_State *L, int arg, const char *metatable);

/* The problem of the checked value at 1; the task whose position is at arg. */
static inline const orr_pack_problem *orr_lua_problem_of(lua_State *L)
{
    return ((const orr_lua_packed *)lua_touserdata(L, 1))->from->problem;
}
int32_t orr_lua_check_task(lua_State *L, int arg);

/* The co-schedule at arg; NULL for anything else. One of another problem is an error. */
const orr_coschedule *orr_lua_test_coschedule(lua_State *L, int arg,
                                              const orr_pack_problem *problem);

/* Pushes a problem that its owner takes back with orr_lua_take_back: values made of it can then no
 * longer be used. It has neither tasks nor files. */
orr_lua_problem *orr_lua_lend_problem(lua_State *L, const orr_pack_problem *problem);
void orr_lua_take_back(orr_lua_problem *lent);

/* problem:coschedule(packs[, procs]), as a function. */
int orr_lua_make_coschedule(lua_State *L);

/* An empty value on top of the stack, made from the problem at index `from` (above 0), or from
 * that of the value there. */
orr_lua_packed *orr_lua_new_packed(lua_State *L, int from, const char *metatable);

/* Sets a value to `object`; `object` NULL: raises err. Returns 1. */
int orr_lua_set_packed(lua_State *L, orr_lua_packed *value, void *object, const orr_error *err);

/* A method that returns a new value of `class`: `make` gives it, or the error err. `self` declares
 * what it is made of, and checks that. */
#define ORR_LUA_MAKER(function, self, class, make)                                                 \
    static int function(lua_State *L)                                                              \
    {                                                                                              \
        self;                                                                                      \
        orr_error err;                                                                             \
        orr_lua_packed *value = orr_lua_new_packed(L, 1, class);                                   \
        return orr_lua_set_packed(L, value, make, &err);                                           \
    }

/* Positions of tasks as arguments, counted from 1 in Lua and from 0 here. */
int32_t orr_lua_check_position(lua_State *L, const orr_pack_problem *problem, int arg);
int32_t orr_lua_check_whole(lua_State *L, int arg, const char *what, int64_t low, int64_t high);

/* The list at arg, as integers in a userdata that is left on the stack. `what` names an element in
 * messages. */
int32_t *orr_lua_check_integers(lua_State *L, int arg, const char *what, int64_t low, int64_t high,
                                int32_t *count);

/* The metatables of all these values, which a policy's own state needs as well. */
void orr_lua_open_pack_values(lua_State *L);

/* Opening functions: [core] -> [core]; the first calls the others. */
void orr_lua_open_packs(lua_State *L);
void orr_lua_open_pack_host(lua_State *L);
void orr_lua_open_coschedule(lua_State *L);
void orr_lua_open_allocation(lua_State *L);
void orr_lua_open_partition(lua_State *L);
