/* jobs:weeks. */
#include "bindings/support/block.h"
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/select.h"
#include "workload/weeks.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* A number from the table of options at index 2; `otherwise` where it is not there. */
static double number_option(lua_State *L, const char *name, double otherwise)
{
    double value = otherwise;
    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1)))
            luaL_error(L, "weeks: %s must be a number, not %s", name, luaL_tolstring(L, -1, NULL));
        value = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

/* What counts where `by` is not given: the work that ran, in logs that tell when it did. */
static bool submitted_option(lua_State *L, const orr_jobs *jobs)
{
    bool submitted = jobs->waited == 0;
    if (lua_getfield(L, 2, "by") != LUA_TNIL) {
        const char *by = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        submitted = strcmp(by, "submitted") == 0;
        if (!submitted && strcmp(by, "ran") != 0)
            luaL_error(L, "weeks: by: expected 'ran' or 'submitted', found '%s'",
                       luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
    return submitted;
}

static orr_week_options read_options(lua_State *L, const orr_jobs *jobs)
{
    double procs = number_option(L, "procs", jobs->machine_procs);
    if (procs == 0 && jobs->machine_procs == 0)
        luaL_error(L, "weeks: the log does not say how large the machine is; give procs");
    if (procs != floor(procs) || procs < 1 || procs > INT32_MAX)
        luaL_error(L, "weeks: procs must be a whole number from 1 to %d, not %f", INT32_MAX, procs);
    return (orr_week_options){.length = number_option(L, "hours", 168) * 3600,
                              .procs = (int32_t)procs,
                              .submitted = submitted_option(L, jobs)};
}

static void push_week(lua_State *L, const orr_jobs *jobs, const orr_week_options *options,
                      const orr_week *week, int32_t number)
{
    orr_error err;
    lua_createtable(L, 0, 6);
    orr_lua_set_integer(L, "week", (lua_Integer)number + 1);
    orr_lua_set_number(L, "from", week->from);
    orr_lua_set_number(L, "to", week->to);
    orr_lua_set_number(L, "utilisation", week->utilisation);
    if (jobs->has_origin) {
        char date[32];
        orr_utc_format(jobs->origin_us + (int64_t)floor(week->from * 1e6), date);
        orr_lua_set_text(L, "date", date);
    }
    orr_jobs **some = orr_lua_new_jobs(L);
    *some = orr_jobs_of_week(jobs, options, number, NULL, &err);
    if (*some == NULL)
        orr_lua_raise(L, &err);
    lua_setfield(L, -2, "jobs");
}

/* jobs:weeks{ utilisation =, hours =, procs =, by = }: the list of weeks that are at least so busy,
 * what "busy" was measured by, and the utilisation of the busiest of all. */
int orr_lua_jobs_weeks(lua_State *L)
{
    static const char *const known[] = {"by", "hours", "procs", "utilisation", NULL};
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_error err;
    orr_week *weeks = NULL;
    int32_t count = 0, found = 0;
    orr_lua_check_options(L, 2, "weeks", known);
    orr_week_options options = read_options(L, jobs);
    double least = number_option(L, "utilisation", 0), most = 0;
    orr_lua_block *block = orr_lua_new_block(L);
    orr_lua_try(L, orr_jobs_weeks(jobs, &options, &weeks, &count, NULL, &err), &err);
    block->bytes = weeks;
    block->size = (size_t)count * sizeof *weeks;
    lua_newtable(L);
    for (int32_t k = 0; k < count; k++) {
        most = weeks[k].utilisation > most ? weeks[k].utilisation : most;
        if (weeks[k].utilisation < least)
            continue;
        push_week(L, jobs, &options, &weeks[k], k);
        lua_rawseti(L, -2, ++found);
    }
    lua_pushstring(L, options.submitted ? "submitted" : "ran");
    lua_pushnumber(L, most);
    return 3;
}
