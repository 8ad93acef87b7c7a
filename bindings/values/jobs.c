/* orrery.read, and jobs as Lua values. jobs_make.c makes jobs without a file. */
#include "bindings/support/block.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/reader.h"
#include "workload/select.h"
#include "workload/weeks.h"
#include "workload/writer.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- jobs as a Lua value -------------------------------------------------------------------- */

ORR_LUA_GC(jobs_gc, ORR_LUA_JOBS, orr_jobs_destroy)

/* Pushes what a job needs of each pool, by name; nil where jobs need none. */
static void push_needs(lua_State *L, const orr_jobs *jobs, int32_t job)
{
    if (jobs->need_count > 0)
        lua_newtable(L);
    else
        lua_pushnil(L);
    for (int32_t i = 0; i < jobs->need_count; i++)
        orr_lua_set_integer(L, jobs->needs[i].name, orr_jobs_need(jobs, job, i));
}

static void push_job(lua_State *L, const orr_jobs *jobs, int32_t job)
{
    bool labelled = false;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        labelled |= job < jobs->labels[kind].count;
    lua_createtable(L, 0, labelled ? 14 : 8);
    orr_lua_set_text(L, "id", orr_jobs_id(jobs, job));
    orr_lua_set_integer(L, "procs", jobs->procs[job]);
    orr_lua_set_number(L, "submit", jobs->submit[job]);
    orr_lua_set_number(L, "runtime", jobs->time[job]);
    orr_lua_set_number(L, "time", jobs->time[job]); /* its old name */
    orr_lua_set_number(L, "area", jobs->procs[job] * jobs->time[job]);
    orr_lua_set_known(L, "walltime", jobs->walltime[job]);
    orr_lua_set_known(L, "wait", orr_jobs_wait(jobs, job));
    orr_job_pays pays = orr_jobs_pays(jobs, job);
#define SET(name) orr_lua_set_known(L, #name, pays.name);
    ORR_PAYS(SET)
    if (orr_jobs_after(jobs, job))
        orr_lua_set_text(L, "after", orr_jobs_after(jobs, job));
    push_needs(L, jobs, job);
    lua_setfield(L, -2, "needs");
    for (int kind = 0; kind < ORR_LABEL_KINDS && labelled; kind++)
        orr_lua_set_text(L, orr_label_name((orr_label)kind),
                         orr_jobs_label_text(jobs, job, (orr_label)kind));
}

/* --- days ----------------------------------------------------------------------------------- */

#define DAY_US (INT64_C(86400) * 1000000)

/* "2019-06-14", or the day's number in a log without calendar. */
static void push_day(lua_State *L, const orr_jobs *jobs, int64_t day)
{
    char text[32];
    if (!jobs->has_origin) {
        lua_pushinteger(L, day);
        return;
    }
    orr_utc_format(day * DAY_US, text);
    lua_pushlstring(L, text, 10);
}

static void find_span(const orr_jobs *jobs, int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (int32_t job = 0; job < jobs->count; job++) {
        int64_t day = orr_jobs_day(jobs, job);
        *first = day < *first ? day : *first;
        *last = day > *last ? day : *last;
    }
}

/* The days first <= day < after; what: the caller's name for them. */
static int push_days(lua_State *L, const orr_jobs *jobs, int64_t first, int64_t after,
                     const char *what)
{
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_days(jobs, first, after, NULL, &err);
    if (*slot != NULL && (*slot)->count == 0) {
        if (jobs->count == 0)
            return luaL_error(L, "no job was submitted in %s: there are no jobs at all", what);
        int64_t from, to;
        find_span(jobs, &from, &to);
        push_day(L, jobs, from);
        push_day(L, jobs, to);
        return luaL_error(L, "no job was submitted in %s; the log covers the days %s to %s", what,
                          lua_tostring(L, -2), lua_tostring(L, -1));
    }
    return orr_lua_return_jobs(L, slot, &err);
}

static void need_calendar(lua_State *L, const orr_jobs *jobs)
{
    if (!jobs->has_origin)
        luaL_error(L, "these jobs have no calendar times: days are numbers, 0 for the first 86400 "
                      "seconds of the log's clock");
}

static int jobs_day(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    int64_t us;
    if (lua_type(L, 2) == LUA_TNUMBER && !jobs->has_origin) {
        lua_Integer day = luaL_checkinteger(L, 2);
        if (day < 0 || day >= INT32_MAX)
            return orr_lua_raise_argument(L, 2, "a day's number is at least 0");
        return push_days(L, jobs, day, day + 1, lua_pushfstring(L, "day %I", (LUAI_UACINT)day));
    }
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    need_calendar(L, jobs);
    if (length != 10 || !orr_utc_parse(text, length, &us))
        return orr_lua_raise_argument(
            L, 2, lua_pushfstring(L, "expected a day as YYYY-MM-DD, not '%s'", text));
    int64_t day = (us - (us % DAY_US + DAY_US) % DAY_US) / DAY_US;
    return push_days(L, jobs, day, day + 1, text);
}

static int jobs_week(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    int64_t monday;
    need_calendar(L, jobs);
    if (!orr_utc_week(text, length, &monday))
        return orr_lua_raise_argument(
            L, 2,
            lua_pushfstring(L, "expected an ISO week as YYYY-Www (2019-W24), not '%s'", text));
    return push_days(L, jobs, monday, monday + 7, text);
}

/* { day = ..., jobs = ... } of n entries of one day */
static void push_one_day(lua_State *L, const orr_jobs *jobs, const orr_job_day *list, int32_t n,
                         int32_t *positions)
{
    orr_error err;
    for (int32_t i = 0; i < n; i++)
        positions[i] = list[i].job;
    lua_createtable(L, 0, 2);
    push_day(L, jobs, list[0].day);
    lua_setfield(L, -2, "day");
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_pick(jobs, positions, n, NULL, &err);
    orr_lua_return_jobs(L, slot, &err);
    lua_setfield(L, -2, "jobs");
}

static int jobs_days(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_error err;
    orr_lua_block *days = orr_lua_new_block(L);
    days->bytes = orr_jobs_by_day(jobs, NULL, &err);
    if (days->bytes == NULL)
        return orr_lua_raise(L, &err);
    days->size = (size_t)jobs->count * sizeof(orr_job_day);
    const orr_job_day *list = days->bytes;
    int32_t *positions = lua_newuserdatauv(L, (size_t)jobs->count * sizeof *positions, 0);
    lua_newtable(L);
    lua_Integer n = 0;
    for (int32_t i = 0, end; i < jobs->count; i = end) {
        for (end = i; end < jobs->count && list[end].day == list[i].day;)
            end++;
        push_one_day(L, jobs, list + i, end - i, positions);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* --- other selections ----------------------------------------------------------------------- */

#define YEAR_9999_US 253402300799e6 /* from 1970 on: the last that a date can name */

/* A number on the log's clock, or a date where the log has a calendar. */
static double check_instant(lua_State *L, int arg, const orr_jobs *jobs)
{
    if (lua_type(L, arg) == LUA_TNUMBER)
        return lua_tonumber(L, arg);
    size_t length;
    const char *text = luaL_checklstring(L, arg, &length);
    int64_t us;
    need_calendar(L, jobs);
    if (!orr_zone_parse(jobs->zone, text, length, &us))
        orr_lua_raise_argument(
            L, arg,
            lua_pushfstring(L, "expected seconds or YYYY-MM-DD[ HH:MM[:SS]], not '%s'", text));
    return (double)(us - jobs->origin_us) / 1e6;
}

static int jobs_between(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    double from = check_instant(L, 2, jobs), to = check_instant(L, 3, jobs);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_between(jobs, from, to, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

/* jobs:seconds(when): a date on the log's clock; a number is returned unchanged. */
ORR_LUA_GETTER(jobs_seconds, lua_pushnumber, check_instant(L, 2, orr_lua_check_jobs(L, 1)))

/* jobs:date(seconds): the date of an instant of the log's clock; nil where the log has no
 * calendar. */
static int jobs_date(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    double us = luaL_checknumber(L, 2) * 1e6 + (double)jobs->origin_us;
    char text[32];
    if (!jobs->has_origin || !(fabs(us) < YEAR_9999_US)) {
        lua_pushnil(L);
        return 1;
    }
    orr_zone_format(jobs->zone, llround(us), text);
    lua_pushstring(L, text);
    return 1;
}

/* core.clock(jobs, to): what the clocks of the jobs' zone show at second 0, in s since 1970, as
 * they are set in each part of the time until a year behind `to` and all submissions: a list of
 * { from, shown }; nil where the log has no calendar. */
static int jobs_clock(lua_State *L)
{
    enum { MOST = 2000, YEAR = 366 * 86400 };
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    double to = luaL_checknumber(L, 2), from = fmin(0, to);
    if (!jobs->has_origin)
        return 0;
    for (int32_t job = 0; job < jobs->count; job++)
        to = fmax(to, jobs->submit[job]);
    to += YEAR;
    lua_newtable(L);
    for (int i = 1; i <= MOST && from <= to; i++) {
        int64_t at = (int64_t)floor((double)jobs->origin_us / 1e6 + from);
        int64_t change = orr_zone_change(jobs->zone, at);
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, from);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, (double)jobs->origin_us / 1e6 + orr_zone_offset(jobs->zone, at));
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i);
        if (change == INT64_MAX)
            break;
        from = (double)change - (double)jobs->origin_us / 1e6;
    }
    return 1;
}

static void make_zone(lua_State *L, orr_zone **zone, const char *name)
{
    orr_error err;
    *zone = NULL;
    if (name && strcmp(name, "UTC") != 0)
        orr_lua_try(L, orr_zone_create(zone, name, NULL, &err), &err);
}

/* core.in_zone(jobs, name): the same jobs with dates by the clocks of this zone. Without jobs only
 * the name is checked. */
static int in_zone(lua_State *L)
{
    orr_zone *zone;
    orr_error err;
    const orr_jobs *jobs = lua_isnil(L, 1) ? NULL : orr_lua_check_jobs(L, 1);
    orr_jobs **slot = orr_lua_new_jobs(L);
    make_zone(L, &zone, luaL_checkstring(L, 2));
    if (jobs && strcmp(orr_zone_name(zone), orr_zone_name(jobs->zone)) != 0)
        *slot = orr_jobs_in_zone(jobs, zone, NULL, &err);
    else
        lua_pushvalue(L, 1);
    orr_zone_destroy(zone);
    return lua_rawequal(L, 1, -1) ? 1 : orr_lua_return_jobs(L, slot, &err);
}

/* jobs:position(id): of the first job with this id, nil without one; and of the next such job. */
static int jobs_position(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    const char *id = luaL_checkstring(L, 2);
    int found = 0;
    for (int32_t job = 0; job < jobs->count && found < 2; job++) {
        if (strcmp(orr_jobs_id(jobs, job), id) != 0)
            continue;
        lua_pushinteger(L, job + 1);
        found++;
    }
    if (found == 0)
        lua_pushnil(L);
    return found == 2 ? 2 : 1;
}

/* The jobs for which the function at 2 gives true; or (counting) all, of which these are counted,
 * by the words at 3. */
static int choose_jobs(lua_State *L, bool counting)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    const char *words = counting ? luaL_optstring(L, 3, "") : jobs->counting;
    int32_t *positions = lua_newuserdatauv(L, (size_t)jobs->count * sizeof *positions, 0);
    bool *chosen = lua_newuserdatauv(L, (size_t)jobs->count + 1, 0);
    int32_t n = 0;
    for (int32_t job = 0; job < jobs->count; job++) {
        lua_pushvalue(L, 2);
        push_job(L, jobs, job);
        lua_call(L, 1, 1);
        chosen[job] = lua_toboolean(L, -1);
        if (chosen[job] || counting)
            positions[n++] = job;
        lua_pop(L, 1);
    }
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_pick(jobs, positions, n, NULL, &err);
    int results = orr_lua_return_jobs(L, slot, &err);
    for (int32_t job = 0; job < jobs->count && counting; job++)
        orr_lua_try(L, orr_jobs_set_counted(*slot, job, chosen[job], &err), &err);
    snprintf((*slot)->counting, sizeof(*slot)->counting, "%s", words);
    return results;
}

static int jobs_filter(lua_State *L)
{
    return choose_jobs(L, false);
}

static int jobs_counting(lua_State *L)
{
    return choose_jobs(L, true);
}

static int jobs_load(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    double factor = luaL_checknumber(L, 2);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_load(jobs, factor, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

/* --- slices --------------------------------------------------------------------------------- */

/* A slice with its name: the day it begins on, in logs without dates its number. */
static void push_slice(lua_State *L, const orr_jobs *jobs, int32_t days, int32_t warmup,
                       int32_t number)
{
    orr_error err;
    lua_createtable(L, 0, 2);
    orr_jobs **slice = orr_lua_new_jobs(L);
    *slice = orr_jobs_slice(jobs, days, warmup, number, NULL, &err);
    if (*slice == NULL)
        orr_error_prefix(&err, "slices");
    orr_lua_return_jobs(L, slice, &err);
    lua_setfield(L, -2, "jobs");
    int64_t first, last;
    find_span(jobs, &first, &last);
    if (jobs->has_origin)
        push_day(L, jobs, first + (int64_t)number * days);
    else
        lua_pushinteger(L, (lua_Integer)number + 1);
    lua_setfield(L, -2, "name");
}

/* jobs:slices { days =, warmup_jobs = }: a list of { name =, jobs = }, without those that have no
 * jobs. */
static int jobs_slices(lua_State *L)
{
    static const char *const known[] = {"days", "warmup_jobs", NULL};
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_lua_check_options(L, 2, "slices", known);
    int32_t days = (int32_t)orr_lua_integer_option(L, 2, "slices: days", 0, 1, INT32_MAX);
    int32_t warmup = (int32_t)orr_lua_integer_option(L, 2, "slices: warmup_jobs", 0, 0, INT32_MAX);
    if (days == 0)
        luaL_error(L, "slices: expected days, the length of a slice");
    int32_t count = orr_jobs_slices(jobs, days), found = 0;
    lua_newtable(L);
    for (int32_t number = 0; number < count; number++) {
        push_slice(L, jobs, days, warmup, number);
        lua_getfield(L, -1, "jobs");
        bool has_jobs = orr_lua_check_jobs(L, -1)->count > 0;
        lua_pop(L, 1);
        if (has_jobs)
            lua_rawseti(L, -2, ++found);
        else
            lua_pop(L, 1);
    }
    if (found == 0)
        luaL_error(L, "slices: the jobs come over less than %d day%s", (int)days,
                   days == 1 ? "" : "s");
    return 1;
}

/* --- weeks ---------------------------------------------------------------------------------- */

/* The default of `by`: the work that ran, in logs that have the starts. */
static orr_week_options week_options(lua_State *L, const orr_jobs *jobs)
{
    static const char *const by[] = {"ran", "submitted", NULL};
    lua_Integer procs =
        orr_lua_integer_option(L, 2, "weeks: procs", jobs->machine_procs, 1, INT32_MAX);
    if (procs == 0)
        luaL_error(L, "weeks: the log does not say how large the machine is; give procs");
    return (orr_week_options){.length = orr_lua_number_option(L, 2, "weeks: hours", 168) * 3600,
                              .procs = (int32_t)procs,
                              .submitted =
                                  orr_lua_choice_option(L, 2, "weeks: by", jobs->waited == 0, by)};
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
        orr_zone_format(jobs->zone, jobs->origin_us + (int64_t)floor(week->from * 1e6), date);
        orr_lua_set_text(L, "date", date);
    }
    orr_jobs **some = orr_lua_new_jobs(L);
    *some = orr_jobs_of_week(jobs, options, number, NULL, &err);
    if (*some == NULL)
        orr_lua_raise(L, &err);
    lua_setfield(L, -2, "jobs");
}

/* jobs:weeks{ utilisation =, hours =, procs =, by = }: the list of weeks with at least this
 * utilisation, the measure of utilisation, and the utilisation of the busiest week. */
static int jobs_weeks(lua_State *L)
{
    static const char *const known[] = {"by", "hours", "procs", "utilisation", NULL};
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_error err;
    orr_week *weeks = NULL;
    int32_t count = 0, found = 0;
    orr_lua_check_options(L, 2, "weeks", known);
    orr_week_options options = week_options(L, jobs);
    double least = orr_lua_number_option(L, 2, "weeks: utilisation", 0), most = 0;
    if (isnan(least))
        return luaL_error(L, "weeks: utilisation must be a number, it is %f", least);
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

/* --- reading a value ------------------------------------------------------------------------ */

static bool jobs_item(lua_State *L, lua_Integer position)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    if (position < 1 || position > jobs->count)
        return false;
    push_job(L, jobs, (int32_t)position - 1);
    return true;
}

static int next_job(lua_State *L)
{
    lua_Integer position = luaL_checkinteger(L, 2) + 1;
    lua_pushinteger(L, position);
    return jobs_item(L, position) ? 2 : 0;
}

static int jobs_each(lua_State *L)
{
    orr_lua_check_jobs(L, 1);
    lua_pushcfunction(L, next_job);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

static int jobs_dropped(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_createtable(L, jobs->dropped_count, 0);
    for (int32_t i = 0; i < jobs->dropped_count; i++) {
        const char *detail = orr_jobs_dropped_detail(jobs, i);
        lua_createtable(L, 0, 4);
        orr_lua_set_integer(L, "line", jobs->dropped[i].line);
        orr_lua_set_text(L, "id", orr_jobs_dropped_id(jobs, i));
        orr_lua_set_text(L, "reason", orr_drop_reason_text(jobs->dropped[i].reason));
        if (detail != NULL)
            orr_lua_set_text(L, "detail", detail);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

ORR_LUA_GETTER(jobs_mean_area, lua_pushnumber, orr_jobs_mean_area(orr_lua_check_jobs(L, 1)))

ORR_LUA_GETTER(jobs_len, lua_pushinteger, orr_lua_check_jobs(L, 1)->count)

static int jobs_tostring(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    if (jobs->count == 0) {
        lua_pushliteral(L, "no jobs");
        return 1;
    }
    int32_t least = jobs->procs[0], most = jobs->procs[0];
    for (int32_t job = 1; job < jobs->count; job++) {
        least = jobs->procs[job] < least ? jobs->procs[job] : least;
        most = jobs->procs[job] > most ? jobs->procs[job] : most;
    }
    int64_t first, last;
    find_span(jobs, &first, &last);
    push_day(L, jobs, first);
    push_day(L, jobs, last);
    lua_pushfstring(L, "%d %s of %d to %d procs, %s %s to %s", (int)jobs->count,
                    jobs->count == 1 ? "job" : "jobs", (int)least, (int)most,
                    jobs->has_origin ? "submitted" : "submitted on days", lua_tostring(L, -2),
                    lua_tostring(L, -1));
    return 1;
}

/* --- writing -------------------------------------------------------------------------------- */

static orr_log_format check_format(lua_State *L, int arg)
{
    static const char *const names[] = {"plain", "mira", "swf", NULL};
    static const orr_log_format formats[] = {ORR_LOG_PLAIN, ORR_LOG_MIRA, ORR_LOG_SWF};
    return formats[luaL_checkoption(L, arg, "plain", names)];
}

/* The log as text in a block on top of the stack, which owns it. */
static const char *push_text(lua_State *L, const orr_jobs *jobs, orr_log_format format,
                             size_t *size)
{
    orr_error err;
    char *text = NULL;
    orr_lua_block *b = orr_lua_new_block(L);
    orr_lua_try(L, orr_jobs_format(jobs, format, &text, size, &b->size, NULL, &err), &err);
    b->bytes = text;
    return text;
}

static int jobs_csv(lua_State *L)
{
    size_t size = 0;
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    const char *text = push_text(L, jobs, check_format(L, 2), &size);
    lua_pushlstring(L, text, size);
    return 1;
}

static int jobs_to_csv(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    luaL_checkany(L, 2);
    orr_log_format format = check_format(L, 2);
    const char *path = luaL_checkstring(L, 3);
    size_t size = 0;
    const char *text = push_text(L, jobs, format, &size);
    orr_error err;
    orr_lua_try(L, orr_output_write_file(path, text, size, &err), &err);
    return 0;
}

static const luaL_Reg jobs_methods[] = {
    {"between", jobs_between},
    {"counting", jobs_counting},
    {"csv", jobs_csv},
    {"date", jobs_date},
    {"day", jobs_day},
    {"days", jobs_days},
    {"dropped", jobs_dropped},
    {"each", jobs_each},
    {"filter", jobs_filter},
    {"load", jobs_load},
    {"mean_area", jobs_mean_area},
    {"position", jobs_position},
    {"seconds", jobs_seconds},
    {"slices", jobs_slices},
    {"to_csv", jobs_to_csv},
    {"user_estimates", orr_lua_user_estimates},
    {"values", orr_lua_jobs_values},
    {"week", jobs_week},
    {"weeks", jobs_weeks},
    {NULL, NULL},
};

/* nil where the log does not tell. */
static bool jobs_field(lua_State *L, const char *name)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    char time[32];
    if (strcmp(name, "machine_procs") == 0 && jobs->machine_procs > 0) {
        lua_pushinteger(L, jobs->machine_procs);
    } else if (strcmp(name, "warmup_jobs") == 0) {
        lua_pushinteger(L, jobs->warmup);
    } else if (strcmp(name, "origin") == 0 && jobs->has_origin) {
        orr_zone_format(jobs->zone, jobs->origin_us, time);
        lua_pushstring(L, time);
    } else if (strcmp(name, "zone") == 0 && jobs->has_origin) {
        lua_pushstring(L, jobs->local ? "local time" : orr_zone_name(jobs->zone));
    } else if (strcmp(name, "machine_procs") == 0 || strcmp(name, "origin") == 0 ||
               strcmp(name, "zone") == 0) {
        lua_pushnil(L);
    } else {
        return false;
    }
    return true;
}

/* --- reading a log -------------------------------------------------------------------------- */

/* A field of the table at index 2, left on the stack; NULL where it is nil. */
static const char *option_text(lua_State *L, const char *name)
{
    lua_getfield(L, 2, name);
    return lua_tostring(L, -1);
}

/* Formats as the list on top of the stack has them, borrowed from it; *count says how many. They
 * are left on the stack with that list. NULL where it is none. */
static const orr_format *take_formats(lua_State *L, int *count)
{
    static const struct {
        const char *name;
        size_t at;
    } texts[] = {
        {"name", offsetof(orr_format, name)},     {"about", offsetof(orr_format, about)},
        {"header", offsetof(orr_format, header)}, {"columns", offsetof(orr_format, columns)},
        {"signs", offsetof(orr_format, signs)},   {"records", offsetof(orr_format, records)},
        {"states", offsetof(orr_format, states)}, {"absent", offsetof(orr_format, absent)},
    };
    *count = 0;
    if (!lua_istable(L, -1))
        return NULL;
    int at = lua_gettop(L);
    *count = (int)lua_rawlen(L, at);
    orr_format *formats = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *formats, 0);
    for (int i = 0; i < *count; i++) {
        orr_format *f = &formats[i];
        *f = (orr_format){0};
        lua_rawgeti(L, at, i + 1);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            lua_getfield(L, -1, texts[k].name);
            *(const char **)((char *)f + texts[k].at) = lua_tostring(L, -1);
            lua_pop(L, 1);
        }
        lua_getfield(L, -1, "depth");
        f->depth = (int)lua_tointeger(L, -1);
        f->json = !lua_isnil(L, -1);
        lua_getfield(L, -2, "delimiter");
        const char *delimiter = lua_tostring(L, -1);
        f->delimiter = delimiter ? *delimiter : ' ';
        lua_pop(L, 3);
    }
    return formats;
}

/* The function `formats` of the options gives further formats, when they are asked for. */
typedef struct format_source {
    lua_State *L;
    bool failed; /* its message is on top of the stack */
} format_source;

static int call_formats(lua_State *L)
{
    lua_getfield(L, 1, "formats");
    lua_call(L, 0, 1);
    return 1;
}

static const orr_format *find_formats(void *user, int *count)
{
    format_source *source = user;
    lua_State *L = source->L;
    *count = 0;
    lua_pushcfunction(L, call_formats);
    lua_pushvalue(L, 2);
    source->failed = lua_pcall(L, 1, 1, 0) != LUA_OK;
    return source->failed ? NULL : take_formats(L, count);
}

orr_status orr_lua_origin(const orr_jobs *jobs, const char *text, int64_t *us, orr_error *err)
{
    char date[32];
    orr_zone_format(jobs->zone, jobs->origin_us, date);
    if (jobs->has_origin)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "origin: the log has dates of its own, its second 0 is %s %s", date,
                        jobs->local ? "local time" : orr_zone_name(jobs->zone));
    if (!orr_zone_parse(jobs->zone, text, strlen(text), us))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "origin: expected a date as '2019-06-14 07:04', found '%s'", text);
    return ORR_OK;
}

#define POOLS "orrery.pools"

typedef struct pools {
    orr_pool list[ORR_MOST_NEEDS];
    int32_t count;
} pools;

/* core.pools(names, amounts): pools of the machine, for options. */
static int make_pools(lua_State *L)
{
    pools *p = lua_newuserdatauv(L, sizeof *p, 0);
    luaL_setmetatable(L, POOLS);
    p->count = (int32_t)lua_rawlen(L, 1);
    luaL_argcheck(L, p->count <= ORR_MOST_NEEDS, 1, "there are too many pools");
    for (int32_t i = 0; i < p->count; i++) {
        lua_rawgeti(L, 1, i + 1);
        lua_rawgeti(L, 2, i + 1);
        p->list[i] = (orr_pool){.amount = luaL_checkinteger(L, -1)};
        strncpy(p->list[i].name, luaL_checkstring(L, -2), sizeof p->list[i].name - 1);
        lua_pop(L, 2);
    }
    return 1;
}

const orr_pool *orr_lua_pools_option(lua_State *L, int index, int32_t *count)
{
    bool any = lua_getfield(L, index, "pools") != LUA_TNIL;
    const pools *p = any ? luaL_checkudata(L, -1, POOLS) : NULL;
    lua_pop(L, 1);
    *count = any ? p->count : 0;
    return any ? p->list : NULL;
}

/* core.needs_pool(jobs, name): whether a job needs something of it. */
ORR_LUA_GETTER_OF(needs_pool, const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
                  int32_t pool = orr_jobs_find_pool(jobs, luaL_checkstring(L, 2)), lua_pushboolean,
                  pool >= 0 && jobs->needs[pool].count > 0)

/* read(path, { status = "a,b", ran =, wide =, count =, procs =, header =,
 * columns =, rows =, delimiter =, format =, formats =, submitted =, procs_of =, timezone =,
 * strict =, damaged =, threads = }), the table as orrery.read made it. */
static int read_file(lua_State *L)
{
    static const char *const wide[] = {"error", "drop", "keep", NULL};
    static const char *const count[] = {"log", "cpus", "nodes", NULL};
    static const char *const submitted[] = {"eligible", "submit", NULL};
    static const char *const procs_of[] = {"log", "requested", "allocated", NULL};
    const char *path = luaL_checkstring(L, 1);
    orr_read_options options = {.size = sizeof(orr_read_options)};
    format_source source = {.L = L};
    orr_error err;
    if (lua_istable(L, 2)) {
        options.statuses = option_text(L, "status");
        options.ran = orr_lua_flag_option(L, 2, "ran");
        options.wide = (orr_wide)orr_lua_choice_option(L, 2, "wide", 0, wide);
        options.count = (orr_count)orr_lua_choice_option(L, 2, "count", 0, count);
        options.procs = (int32_t)orr_lua_integer_option(L, 2, "procs", 0, 1, INT32_MAX);
        options.dependencies = orr_lua_flag_option(L, 2, "dependencies");
        options.submitted = (orr_submitted)orr_lua_choice_option(L, 2, "submitted", 0, submitted);
        options.procs_of = (orr_procs_of)orr_lua_choice_option(L, 2, "procs_of", 0, procs_of);
        options.header = option_text(L, "header");
        options.columns = option_text(L, "columns");
        options.rows = option_text(L, "rows");
        const char *delimiter = option_text(L, "delimiter");
        options.delimiter = delimiter ? *delimiter : '\0';
        options.pools = orr_lua_pools_option(L, 2, &options.pool_count);
        options.nodes = orr_lua_flag_option(L, 2, "nodes");
        options.strict = orr_lua_flag_option(L, 2, "strict");
        options.damaged = orr_lua_flag_option(L, 2, "damaged");
        options.threads = (int)orr_lua_integer_option(L, 2, "threads", 0, 0, INT32_MAX);
        int given;
        lua_getfield(L, 2, "format");
        options.format = take_formats(L, &given);
        options.formats = find_formats;
        options.user = &source;
        luaL_checkstack(L, LUA_MINSTACK, NULL);
    }
    orr_zone *zone;
    const char *timezone = lua_istable(L, 2) ? option_text(L, "timezone") : NULL;
    orr_jobs **slot = orr_lua_new_jobs(L);
    int top = lua_gettop(L);
    make_zone(L, &zone, timezone);
    options.zone = zone;
    *slot = orr_read_jobs(path, &options, NULL, &err);
    const char *origin = *slot && lua_istable(L, 2) ? option_text(L, "origin") : NULL;
    bool refused = origin && orr_lua_origin(*slot, origin, &(*slot)->origin_us, &err) != ORR_OK;
    if (origin && !refused) {
        (*slot)->has_origin = true;
        (*slot)->remarks[ORR_REMARK_SINCE_1970].records = 0;
    }
    if (timezone && *slot)
        (*slot)->local = false; /* also of UTC */
    orr_zone_destroy(zone);
    if (source.failed)
        return lua_error(L);
    lua_settop(L, top); /* formats lie above */
    if (refused || (*slot == NULL && err.status == ORR_ERR_ARGUMENT))
        return orr_lua_raise_unplaced(L, &err); /* the line that calls this is not the user's */
    return orr_lua_return_jobs(L, slot, &err);
}

/* --- for the notes of a run ------------------------------------------------------------------ */

/* Pushes a remark as a sentence: "2 x end before the start (the first in line 7): ..."; where the
 * clocks are known, without the words on --timezone. */
static void push_remark(lua_State *L, const orr_jobs *jobs, orr_remark remark)
{
    const orr_remarked *remarked = &jobs->remarks[remark];
    const char *text = orr_remark_text(remark), *rest = strstr(text, ": ");
    const char *zone = jobs->zone ? strstr(text, "--timezone") : NULL;
    if (remark >= ORR_REMARK_SINCE_1970) {
        lua_pushstring(L, text);
        return;
    }
    lua_pushfstring(L, "%d x ", (int)remarked->records);
    lua_pushlstring(L, text, (size_t)(rest - text));
    if (remarked->line > 0)
        lua_pushfstring(L, " (the first in line %I)", (LUAI_UACINT)remarked->line);
    else
        lua_pushliteral(L, "");
    lua_pushlstring(L, rest, zone ? strcspn(rest, ";,") : strlen(rest));
    lua_concat(L, 4);
}

enum { MOST_TOLD = 24 }; /* names of what is not modelled */

static void add_counted(luaL_Buffer *text, const orr_jobs *jobs, const orr_asked *asked)
{
    char words[160], peak[64] = "";
    if (asked->peak > 0)
        snprintf(peak, sizeof peak, ", %.10g in use at once", asked->peak);
    if (asked->jobs == jobs->count)
        snprintf(words, sizeof words, "%s (all jobs%s)", asked->name, peak);
    else
        snprintf(words, sizeof words, "%s (%d job%s%s)", asked->name, (int)asked->jobs,
                 asked->jobs == 1 ? "" : "s", peak);
    luaL_addstring(text, luaL_bufflen(text) > 0 ? ", " : "not modelled: ");
    luaL_addstring(text, words);
}

/* Pushes what jobs ask for that is not modelled, as a sentence: "not modelled: gres/gpu (306 jobs,
 * 32 in use at once), memory (all jobs)"; labels that have several values are named with it, but
 * for partitions where the machine has them. */
static bool push_asked(lua_State *L, const orr_jobs *jobs, bool partitions)
{
    static const struct {
        orr_label kind;
        const char *name;
    } labels[] = {
        {ORR_LABEL_PARTITION, "partitions"}, {ORR_LABEL_QUEUE, "queues"}, {ORR_LABEL_QOS, "QOS"}};
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    char words[80];
    int told = 0;
    for (int32_t i = 0; i < jobs->asked_count; i++)
        if (jobs->asked[i].jobs > 0 && told++ < MOST_TOLD)
            add_counted(&text, jobs, &jobs->asked[i]);
    snprintf(words, sizeof words, " and %d more", told - MOST_TOLD);
    luaL_addstring(&text, told > MOST_TOLD ? words : "");
    bool any = false;
    for (size_t i = partitions; i < sizeof labels / sizeof *labels; i++) {
        int32_t count = orr_jobs_label_count(jobs, labels[i].kind);
        if (count < 2)
            continue;
        snprintf(words, sizeof words, "%s%d %s",
                 any                       ? " and "
                 : luaL_bufflen(&text) > 0 ? "; labels that only policies read: "
                                           : "not modelled, but as labels that policies read: ",
                 (int)count, labels[i].name);
        luaL_addstring(&text, words);
        any = true;
    }
    bool found = luaL_bufflen(&text) > 0;
    luaL_pushresult(&text);
    return found;
}

/* The pool that models what jobs ask for by this name, "gpu" of "gres/gpu:a100", "matlab" of
 * "license/matlab@server", or a column of whole numbers; false: none. */
static bool pool_of(const orr_jobs *jobs, const orr_asked *asked, char pool[sizeof asked->name])
{
    const char *name = asked->name, *slash = strchr(name, '/');
    bool memory = strcmp(name, "memory") == 0;
    snprintf(pool, sizeof asked->name, "%s",
             memory && !jobs->plain ? "mem"
             : slash                ? slash + 1
                                    : name);
    pool[strcspn(pool, ":@")] = '\0';
    return asked->jobs > 0 &&
           (slash || memory || (jobs->plain && strcmp(name, "gpus") == 0) ||
            (asked->peak > 0 && asked->peak == floor(asked->peak) && strcmp(name, "nodes") != 0));
}

/* Pushes the options that would model what is not, as a sentence: "to model it: --pool gpu=32 (in
 * use at once), --pool mem=SIZE (of the machine)"; false: none would. machine: one is given. */
static bool push_remedy(lua_State *L, const orr_jobs *jobs, bool machine)
{
    bool nodes = !machine && orr_jobs_label_count(jobs, ORR_LABEL_PARTITION) > 1;
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int32_t i = 0; i < jobs->asked_count; i++) {
        char pool[sizeof jobs->asked->name], other[sizeof pool], option[sizeof pool + 64];
        double peak = 0;
        bool first = pool_of(jobs, &jobs->asked[i], pool);
        nodes |= !machine && jobs->asked[i].jobs > 0 && strcmp(jobs->asked[i].name, "nodes") == 0;
        for (int32_t k = 0; k < jobs->asked_count && first; k++)
            if (pool_of(jobs, &jobs->asked[k], other) && strcmp(pool, other) == 0) {
                first = k >= i;
                peak += jobs->asked[k].peak; /* types of one resource add up */
            }
        if (!first)
            continue;
        snprintf(option, sizeof option,
                 peak > 0 ? "%s--pool %s=%.10g (in use at once)"
                          : "%s--pool %s=SIZE (of the machine)",
                 luaL_bufflen(&text) > 0 ? ", " : "to model it: ", pool, peak);
        luaL_addstring(&text, option);
    }
    if (nodes) {
        luaL_addstring(&text, luaL_bufflen(&text) > 0 ? "; " : "to model it: ");
        luaL_addstring(&text, "--machine FILE says which nodes and partitions have what, as a "
                              "slurm.conf does");
    }
    if (jobs->remarks[ORR_REMARK_NO_TRES].records > 0) {
        luaL_addstring(&text, luaL_bufflen(&text) > 0 ? "; " : "");
        luaL_addstring(&text, orr_remark_text(ORR_REMARK_NO_TRES));
    }
    bool found = luaL_bufflen(&text) > 0;
    luaL_pushresult(&text);
    return found;
}

/* core.log_remarks(jobs[, partitions]), partitions: whether the machine has them: how many jobs
 * have the id of one before them, the first such id, the columns that were not read, "a, b"; a list
 * of sentences on what else is odd, whose fields `machine`, `asked` and `remedy` are sentences on
 * the size of the machine, on what is not modelled and on the options that model it, and whose
 * fields `ignored` and `plain` tell how many columns were not read and whether the log is a plain
 * CSV; the number of dependencies that were not understood, and the first of them. */
static int log_remarks(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    bool partitions = lua_toboolean(L, 2);
    lua_pushinteger(L, jobs->repeated);
    lua_pushstring(L, jobs->repeated_id);
    lua_pushstring(L, jobs->ignored);
    lua_newtable(L);
    lua_Integer n = 0;
    if (push_asked(L, jobs, partitions))
        lua_setfield(L, -2, "asked");
    else
        lua_pop(L, 1);
    if (push_remedy(L, jobs, partitions))
        lua_setfield(L, -2, "remedy");
    else
        lua_pop(L, 1);
    for (int i = 0; i < ORR_REMARK_KINDS; i++) {
        if (jobs->remarks[i].records == 0 || i == ORR_REMARK_NO_TRES) /* said above */
            continue;
        push_remark(L, jobs, (orr_remark)i);
        if (i == ORR_REMARK_MACHINE)
            lua_setfield(L, -2, "machine");
        else
            lua_rawseti(L, -2, ++n);
    }
    orr_lua_set_integer(L, "ignored", jobs->ignored_count);
    lua_pushboolean(L, jobs->plain);
    lua_setfield(L, -2, "plain");
    lua_pushinteger(L, jobs->odd_afters);
    lua_pushstring(L, jobs->odd_after);
    return 6;
}

/* core.known_walltimes(jobs): how many walltimes are known, and the least time or walltime, s. */
static int known_walltimes(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_Integer known = 0;
    double least = INFINITY;
    for (int32_t j = 0; j < jobs->count; j++) {
        known += !isnan(jobs->walltime[j]);
        double shorter = jobs->walltime[j] < jobs->time[j] ? jobs->walltime[j] : jobs->time[j];
        least = shorter < least ? shorter : least;
    }
    lua_pushinteger(L, known);
    lua_pushnumber(L, least);
    return 2;
}

/* core.waits_known(jobs): whether the log tells how long one of the jobs waited. */
static int waits_known(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    int32_t j = 0;
    while (j < jobs->waited && isnan(jobs->waits[j]))
        j++;
    lua_pushboolean(L, j < jobs->waited);
    return 1;
}

/* core.overruns(jobs): by how much jobs run longer than their walltimes, a list of seconds. */
static int overruns(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_Integer n = 0;
    lua_newtable(L);
    for (int32_t j = 0; j < jobs->count; j++) {
        if (!(jobs->time[j] > jobs->walltime[j]))
            continue;
        lua_pushnumber(L, jobs->time[j] - jobs->walltime[j]);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* core.counted(jobs): a list of whether each is counted, how many are, and which in words; nil: all
 * are. */
static int counted_jobs(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_Integer n = 0;
    if (jobs->masked == 0)
        return 0;
    lua_createtable(L, jobs->count, 0);
    for (int32_t j = 0; j < jobs->count; j++) {
        lua_pushboolean(L, orr_jobs_is_counted(jobs, j));
        n += orr_jobs_is_counted(jobs, j);
        lua_rawseti(L, -2, j + 1);
    }
    lua_pushinteger(L, n);
    lua_pushstring(L, jobs->counting);
    return 3;
}

/* --- opening --------------------------------------------------------------------------------- */

void orr_lua_open_workload(lua_State *L)
{
    static const orr_lua_class class = {
        .name = ORR_LUA_JOBS,
        .what = "jobs",
        .methods = jobs_methods,
        .gc = jobs_gc,
        .len = jobs_len,
        .tostring = jobs_tostring,
        .item = jobs_item,
        .field = jobs_field,
        .unknown = "jobs have no field '%s' (known: machine_procs, origin, zone, warmup_jobs, a "
                   "position, or the methods describe, plot, report, %s)", /* three made in Lua */
        .unchangeable = "jobs can't be changed; make new ones with orrery.jobs",
    };
    orr_lua_new_class(L, &class);
    lua_pushcfunction(L, read_file);
    lua_setfield(L, -2, "read");
    static const orr_lua_class of_pools = {.name = POOLS};
    orr_lua_new_class(L, &of_pools);
}

void orr_lua_open_remarks(lua_State *L)
{
    static const luaL_Reg functions[] = {{"counted", counted_jobs},
                                         {"log_remarks", log_remarks},
                                         {"known_walltimes", known_walltimes},
                                         {"overruns", overruns},
                                         {"pools", make_pools},
                                         {"needs_pool", needs_pool},
                                         {"waits_known", waits_known},
                                         {"clock", jobs_clock},
                                         {"in_zone", in_zone},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
