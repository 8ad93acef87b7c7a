/* Statistics of a log, and its columns, as Lua tables. */
#include "bindings/support/block.h"
#include "bindings/support/fields.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/description.h"

#include <lauxlib.h>
#include <math.h>

#define OF(name) ORR_LUA_FIELD(orr_spread, name)
static const orr_lua_field spread_fields[] = {
    OF(known),  OF(mean),           OF(least), OF(low),  OF(lower_quartile),
    OF(median), OF(upper_quartile), OF(high),  OF(most), ORR_LUA_LAST_FIELD};
#undef OF

#define OF(name) ORR_LUA_FIELD(orr_log_description, name)
static const orr_lua_field counts[] = {
    OF(jobs),     OF(serial), OF(powers_of_two), OF(instant), OF(overran), OF(wide),
    OF(backward), OF(back),   OF(gap),           OF(peak),    OF(area),    ORR_LUA_LAST_FIELD};
#undef OF

static void set_spread(lua_State *L, const char *name, const orr_spread *spread)
{
    if (spread->known == 0)
        return;
    orr_lua_push_record(L, spread, spread_fields);
    lua_setfield(L, -2, name);
}

static void set_counts(lua_State *L, const char *name, const int32_t *values, int32_t count)
{
    orr_lua_push_integers(L, values, count, 0);
    lua_setfield(L, -2, name);
}

static void set_id(lua_State *L, const char *name, const orr_jobs *jobs, int32_t job)
{
    if (job >= 0)
        orr_lua_set_text(L, name, orr_jobs_id(jobs, job));
}

/* core.describe_jobs(jobs, procs, tau): procs 0 for the log's own size. */
static int describe(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_log_description d;
    orr_error err;
    orr_lua_try(L,
                orr_jobs_describe(jobs, (int32_t)luaL_checkinteger(L, 2), luaL_checknumber(L, 3),
                                  NULL, &d, &err),
                &err);
    orr_lua_push_record(L, &d, counts);
    if (d.procs > 0)
        orr_lua_set_integer(L, "procs", d.procs);
    orr_lua_set_known(L, "first", d.first);
    orr_lua_set_known(L, "last", d.last);
    orr_lua_set_known(L, "ended", d.end);
    orr_lua_set_known(L, "offered", d.offered);
    orr_lua_set_known(L, "reached", d.reached);
    orr_lua_set_known(L, "gap_from", d.gap_from);
    orr_lua_set_known(L, "peak_at", d.peak_at);
    set_spread(L, "width", &d.width);
    set_spread(L, "runtime", &d.runtime);
    set_spread(L, "walltime", &d.walltime);
    set_spread(L, "accuracy", &d.accuracy);
    set_spread(L, "wait", &d.wait);
    set_spread(L, "slowdown", &d.slowdown);
    set_spread(L, "interarrival", &d.interarrival);
    set_counts(L, "by_hour", d.by_hour, 24);
    if (jobs->has_origin)
        set_counts(L, "by_weekday", d.by_weekday, 7);
    set_id(L, "first_wide", jobs, d.first_wide);
    set_id(L, "most_backward", jobs, d.most_backward);
    orr_lua_set_integer(L, "repeated", jobs->repeated);
    orr_lua_set_text(L, "repeated_id", jobs->repeated > 0 ? jobs->repeated_id : NULL);
    return 1;
}

/* core.shares(jobs): of each kind of label that some job has, the list of its shares. */
static int shares(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_error err;
    lua_newtable(L);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        orr_label_share *list;
        int32_t count;
        orr_lua_block *block = orr_lua_new_block(L);
        orr_lua_try(L, orr_jobs_shares(jobs, (orr_label)kind, &list, &count, NULL, &err), &err);
        block->bytes = list;
        block->size = (size_t)count * sizeof *list;
        lua_createtable(L, count, 0);
        for (int32_t i = 0; i < count; i++) {
            lua_createtable(L, 0, 6);
            orr_lua_set_text(L, "name", orr_labels_text(&jobs->names, list[i].label));
            orr_lua_set_integer(L, "jobs", list[i].jobs);
            orr_lua_set_number(L, "area", list[i].area);
            orr_lua_set_known(L, "mean_wait", list[i].mean_wait);
            orr_lua_set_known(L, "high_wait", list[i].high_wait);
            if (!isnan(list[i].mean_wait))
                orr_lua_set_integer(L, "waited", list[i].waited);
            lua_rawseti(L, -2, i + 1);
        }
        if (count > 0)
            lua_setfield(L, -3, orr_label_name((orr_label)kind));
        else
            lua_pop(L, 1);
        lua_pop(L, 1);
    }
    return 1;
}

/* jobs:values(name, tau). */
int orr_lua_jobs_values(lua_State *L)
{
#define NAME(name) #name,
#define PAID(name) orr_jobs_pays(jobs, job).name,
    static const char *const names[] = {/* orr_quantity, and what jobs pay */
                                        "submit",   "procs", "runtime",  "walltime",         "area",
                                        "accuracy", "wait",  "slowdown", ORR_PAYS(NAME) NULL};
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    int of = luaL_checkoption(L, 2, NULL, names);
    double tau = luaL_optnumber(L, 3, ORR_TAU);
    lua_createtable(L, jobs->count, 0);
    for (int32_t job = 0; job < jobs->count; job++) {
        const double paid[] = {ORR_PAYS(PAID)};
        lua_pushnumber(L, of > ORR_SLOWDOWN ? paid[of - ORR_SLOWDOWN - 1]
                                            : orr_jobs_quantity(jobs, job, (orr_quantity)of, tau));
        lua_rawseti(L, -2, job + 1);
    }
    return 1;
}

void orr_lua_open_descriptions(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"describe_jobs", describe}, {"shares", shares}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
