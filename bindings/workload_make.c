/* orrery.jobs, orrery.synthetic and orrery.mira_month: jobs that come from no file. */
#include "bindings.h"

#include "workload/generate.h"
#include "workload/select.h"

#include <math.h>
#include <string.h>

#define DAY_US (INT64_C(86400) * 1000000)

static int return_jobs(lua_State *L, orr_jobs *jobs, const orr_error *err)
{
    if (jobs == NULL)
        return orr_lua_raise(L, err);
    orr_lua_push_jobs(L, jobs);
    return 1;
}

/* --- from Lua tables ---------------------------------------------------------------------------
 */

typedef struct job_fields {
    const char *id;                             /* in the Lua table, or pushed by luaL_tolstring */
    double submit, procs, time, walltime, area; /* NaN: absent */
    int32_t label[ORR_LABEL_KINDS];             /* numbers in the jobs' names */
} job_fields;

static double *number_field(job_fields *fields, const char *name)
{
    static const char *const names[] = {"submit", "procs", "time", "walltime", "area"};
    double *const places[] = {&fields->submit, &fields->procs, &fields->time, &fields->walltime,
                              &fields->area};
    for (int i = 0; i < 5; i++)
        if (strcmp(name, names[i]) == 0)
            return places[i];
    return NULL;
}

/* The id, at -1, becomes a string that stays on the stack in the slot `keep`. */
static void read_job_id(lua_State *L, job_fields *fields, lua_Integer position, int keep)
{
    int type = lua_type(L, -1);
    size_t length = 0;
    if (type != LUA_TSTRING && !lua_isinteger(L, -1))
        luaL_error(L, "jobs: job %I: id must be a string or an integer, not a %s",
                   (LUAI_UACINT)position, luaL_typename(L, -1));
    fields->id = luaL_tolstring(L, -1, &length);
    if (length == 0 || strlen(fields->id) != length)
        luaL_error(L, "jobs: job %I: an id can't be empty or hold zero bytes",
                   (LUAI_UACINT)position);
    lua_replace(L, keep);
}

static int label_kind(const char *name)
{
    int kind = 0;
    while (kind < ORR_LABEL_KINDS && strcmp(name, orr_label_name((orr_label)kind)) != 0)
        kind++;
    return kind;
}

/* A label, at -1. */
static void read_job_label(lua_State *L, orr_jobs *jobs, job_fields *fields, int kind,
                           lua_Integer position)
{
    const char *name = orr_label_name((orr_label)kind);
    size_t length = 0;
    orr_error err;
    if (lua_type(L, -1) != LUA_TSTRING && !lua_isinteger(L, -1))
        luaL_error(L, "jobs: job %I: %s must be a string or an integer, not a %s",
                   (LUAI_UACINT)position, name, luaL_typename(L, -1));
    const char *text = luaL_tolstring(L, -1, &length);
    if (length == 0 || strlen(text) != length)
        luaL_error(L, "jobs: job %I: %s can't be empty or hold zero bytes", (LUAI_UACINT)position,
                   name);
    if (orr_labels_number(&jobs->names, text, length, &fields->label[kind], &err) != ORR_OK)
        orr_lua_raise(L, &err);
}

/* A field with its name at -2 and its value at -1. */
static void read_job_field(lua_State *L, orr_jobs *jobs, job_fields *fields, lua_Integer position,
                           int keep)
{
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (name != NULL && strcmp(name, "id") == 0) {
        read_job_id(L, fields, position, keep);
        return;
    }
    int kind = name == NULL ? ORR_LABEL_KINDS : label_kind(name);
    if (kind < ORR_LABEL_KINDS) {
        read_job_label(L, jobs, fields, kind, position);
        return;
    }
    double *place = name == NULL ? NULL : number_field(fields, name);
    if (place == NULL)
        luaL_error(
            L,
            "jobs: job %I: unknown field '%s' (known: id, submit, procs, time, walltime, area, "
            "user, queue, partition, status)",
            (LUAI_UACINT)position, luaL_tolstring(L, -2, NULL));
    else if (lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1)))
        luaL_error(L, "jobs: job %I: %s must be a number, not %s", (LUAI_UACINT)position, name,
                   luaL_tolstring(L, -1, NULL));
    else
        *place = lua_tonumber(L, -1);
}

static void check_job_fields(lua_State *L, const job_fields *fields, lua_Integer position)
{
    LUAI_UACINT p = (LUAI_UACINT)position;
    if (isnan(fields->procs) || isnan(fields->time))
        luaL_error(L, "jobs: job %I: %s is missing", p, isnan(fields->procs) ? "procs" : "time");
    if (fields->procs != floor(fields->procs) || fields->procs < 1 || fields->procs > INT32_MAX)
        luaL_error(L, "jobs: job %I: procs must be a whole number from 1 to %d, not %f", p,
                   INT32_MAX, fields->procs);
    if (!isnan(fields->area) && fields->area != fields->procs * fields->time)
        luaL_error(L, "jobs: job %I: area is procs * time, %f; leave it out", p,
                   fields->procs * fields->time);
}

/* The job at `position` of the list at index 1. */
static void add_job(lua_State *L, orr_jobs *jobs, lua_Integer position)
{
    job_fields fields = {NULL, NAN, NAN, NAN, NAN, NAN, {0}};
    orr_error err;
    int top = lua_gettop(L);
    lua_pushnil(L); /* the slot that keeps the id */
    if (lua_geti(L, 1, position) != LUA_TTABLE)
        luaL_error(L, "jobs: expected a list of tables, but element %I is a %s",
                   (LUAI_UACINT)position, luaL_typename(L, -1));
    lua_pushnil(L);
    while (lua_next(L, top + 2)) {
        read_job_field(L, jobs, &fields, position, top + 1);
        lua_settop(L, top + 3); /* leaves the key */
    }
    check_job_fields(L, &fields, position);
    if (orr_jobs_add(jobs, fields.id, isnan(fields.submit) ? 0 : fields.submit,
                     (int32_t)fields.procs, fields.time, fields.walltime, &err) != ORR_OK) {
        orr_error_prefix(&err, "jobs: job %lld", (long long)position);
        orr_lua_raise(L, &err);
    }
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (orr_jobs_set_label(jobs, jobs->count - 1, (orr_label)kind, fields.label[kind], &err) !=
            ORR_OK)
            orr_lua_raise(L, &err);
    lua_settop(L, top);
}

static int make_jobs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer n = luaL_len(L, 1), keys = 0;
    orr_error err;
    lua_settop(L, 1);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        keys++;
    if (keys != n)
        return luaL_error(L,
                          "jobs: expected a list of tables { id, submit, procs, time, walltime }, "
                          "but there are other keys than 1 to %I",
                          (LUAI_UACINT)n);
    orr_jobs *jobs = orr_jobs_create(NULL, &err);
    return_jobs(L, jobs, &err); /* from here on Lua owns them */
    for (lua_Integer i = 1; i <= n; i++)
        add_job(L, jobs, i);
    return 1;
}

/* --- generators --------------------------------------------------------------------------------
 */

/* The options at index 1, nil for none; every key must be one of `known`. */
static void check_options(lua_State *L, const char *function, const char *const known[])
{
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        int i = 0;
        while (known[i] != NULL &&
               !(lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), known[i]) == 0))
            i++;
        if (known[i] != NULL)
            continue;
        const char *name = luaL_tolstring(L, -2, NULL);
        lua_pushstring(L, known[0]);
        for (i = 1; known[i] != NULL; i++)
            lua_pushfstring(L, "%s, %s", lua_tostring(L, -1), known[i]);
        luaL_error(L, "%s: unknown option '%s' (known: %s)", function, name, lua_tostring(L, -1));
    }
}

static int64_t option_integer(lua_State *L, const char *function, const char *name, int64_t given,
                              int64_t least, int64_t most)
{
    int is_integer = 1;
    lua_Integer value = given;
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        value = lua_tointegerx(L, -1, &is_integer);
        if (!is_integer || lua_type(L, -1) != LUA_TNUMBER || value < least || value > most)
            luaL_error(L, "%s: %s must be an integer%s, not %s", function, name,
                       least == 0 ? " >= 0" : "", luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
    return value;
}

/* { low, high } */
static void option_range(lua_State *L, const char *function, const char *name, double *low,
                         double *high)
{
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        bool good = lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) == 2 &&
                    lua_rawgeti(L, -1, 1) == LUA_TNUMBER && lua_rawgeti(L, -2, 2) == LUA_TNUMBER;
        if (!good)
            luaL_error(L, "%s: %s must be a list of two numbers", function, name);
        *low = lua_tonumber(L, -2);
        *high = lua_tonumber(L, -1);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

static void option_counts(lua_State *L, const char *function, const char *name, int32_t *low,
                          int32_t *high)
{
    double from = *low, to = *high;
    option_range(L, function, name, &from, &to);
    if (from != floor(from) || to != floor(to) || fabs(from) > INT32_MAX || fabs(to) > INT32_MAX)
        luaL_error(L, "%s: %s must be a list of two whole numbers", function, name);
    *low = (int32_t)from;
    *high = (int32_t)to;
}

static int make_synthetic(lua_State *L)
{
    static const char *const known[] = {"count", "procs", "time", "seed", "set", NULL};
    orr_synthetic options = orr_synthetic_default();
    check_options(L, "synthetic", known);
    options.count = (int32_t)option_integer(L, "synthetic", "count", options.count, 0, INT32_MAX);
    uint64_t seed = (uint64_t)option_integer(L, "synthetic", "seed", 1, INT64_MIN, INT64_MAX);
    uint64_t set = (uint64_t)option_integer(L, "synthetic", "set", 0, 0, INT64_MAX);
    option_counts(L, "synthetic", "procs", &options.min_procs, &options.max_procs);
    option_range(L, "synthetic", "time", &options.min_time, &options.max_time);
    orr_error err;
    return return_jobs(L, orr_generate_synthetic(&options, seed, set, NULL, &err), &err);
}

static void option_day(lua_State *L, const char *function, const char *name, int64_t *day)
{
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        size_t length = 0;
        const char *text = lua_tolstring(L, -1, &length);
        int64_t us;
        if (text == NULL || length != 10 || !orr_utc_parse(text, length, &us))
            luaL_error(L, "%s: %s must be a day as YYYY-MM-DD, not %s", function, name,
                       luaL_tolstring(L, -1, NULL));
        else
            *day = (us - (us % DAY_US + DAY_US) % DAY_US) / DAY_US;
    }
    lua_pop(L, 1);
}

static int make_mira_month(lua_State *L)
{
    static const char *const known[] = {"seed", "count", "days", "first_day", "per_day", NULL};
    orr_mira_month options = orr_mira_month_default();
    check_options(L, "mira_month", known);
    uint64_t seed = (uint64_t)option_integer(L, "mira_month", "seed", 1, INT64_MIN, INT64_MAX);
    options.count = (int32_t)option_integer(L, "mira_month", "count", options.count, 0, INT32_MAX);
    options.days = (int32_t)option_integer(L, "mira_month", "days", options.days, 0, INT32_MAX);
    option_day(L, "mira_month", "first_day", &options.first_day);
    option_counts(L, "mira_month", "per_day", &options.min_day, &options.max_day);
    orr_error err;
    return return_jobs(L, orr_generate_mira(&options, seed, NULL, &err), &err);
}

/* --- opening -----------------------------------------------------------------------------------
 */

void orr_lua_open_workload_make(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"jobs", make_jobs},
        {"synthetic", make_synthetic},
        {"mira_month", make_mira_month},
        {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
}
