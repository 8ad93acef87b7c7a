/* orrery.jobs, orrery.synthetic, orrery.mira_month and orrery.lublin: jobs without a file; and
 * generated walltimes. */
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/generate.h"
#include "workload/generate_lublin.h"
#include "workload/select.h"
#include "workload/user_estimates.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#define DAY_US (INT64_C(86400) * 1000000)

/* --- from Lua tables ------------------------------------------------------------------------ */

typedef struct job_fields {
    const char *id; /* in the table, or pushed by luaL_tolstring */
    double submit, procs, runtime, walltime, wait, area; /* NaN: absent */
    double time;                                         /* the runtime by its old name */
    orr_job_pays pays;
    int32_t label[ORR_LABEL_KINDS]; /* numbers in the jobs' names */
    int64_t need[ORR_MOST_NEEDS];   /* by number in jobs->needs */
} job_fields;

static double *number_field(job_fields *fields, const char *name)
{
#define PLACE(field) {#field, &fields->field},
#define PAY(field) {#field, &fields->pays.field},
    const struct {
        const char *name;
        double *place;
    } numbers[] = {PLACE(submit) PLACE(procs) PLACE(runtime) PLACE(walltime) PLACE(wait) PLACE(area)
                       PLACE(time) ORR_PAYS(PAY)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return numbers[i].place;
    return NULL;
}

/* The id or label at -1 as a string, which is pushed; errors call it `name`, or `one`. */
static const char *check_text(lua_State *L, lua_Integer position, const char *name, const char *one,
                              size_t *length)
{
    if (lua_type(L, -1) != LUA_TSTRING && !lua_isinteger(L, -1))
        luaL_error(L, "jobs: job %I: %s must be a string or an integer, not a %s",
                   (LUAI_UACINT)position, name, luaL_typename(L, -1));
    lua_pushvalue(L, -1);
    const char *text = lua_tolstring(L, -1, length);
    if (*length == 0 || strlen(text) != *length)
        luaL_error(L, "jobs: job %I: %s can't be empty or hold zero bytes", (LUAI_UACINT)position,
                   one);
    return text;
}

static int label_kind(const char *name)
{
    int kind = 0;
    while (kind < ORR_LABEL_KINDS && strcmp(name, orr_label_name((orr_label)kind)) != 0)
        kind++;
    return kind;
}

static void read_job_label(lua_State *L, orr_jobs *jobs, job_fields *fields, int kind,
                           lua_Integer position)
{
    const char *name = orr_label_name((orr_label)kind);
    size_t length = 0;
    orr_error err;
    const char *text = check_text(L, position, name, name, &length);
    orr_lua_try(L, orr_labels_number(&jobs->names, text, length, &fields->label[kind], &err), &err);
}

/* What a job needs of pools, { gpu = 2 }, at -1. */
static void read_needs(lua_State *L, orr_jobs *jobs, job_fields *fields, lua_Integer position)
{
    int list = lua_gettop(L);
    if (lua_type(L, list) != LUA_TTABLE)
        luaL_error(L, "jobs: job %I: needs must be a table as { gpu = 2 }, not a %s",
                   (LUAI_UACINT)position, luaL_typename(L, list));
    for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) {
        int is_whole = 0;
        int32_t pool = 0;
        lua_Integer amount = lua_tointegerx(L, -1, &is_whole);
        orr_error err;
        if (lua_type(L, -2) != LUA_TSTRING || !is_whole || amount < 0 || amount > ORR_MOST_AMOUNT)
            luaL_error(L, "jobs: job %I: needs: expected { pool = whole number >= 0 }, found %s",
                       (LUAI_UACINT)position, orr_lua_push_key(L, -1));
        orr_lua_try(L, orr_jobs_add_pool(jobs, lua_tostring(L, -2), &pool, &err), &err);
        fields->need[pool] = amount;
    }
}

/* A field with its name at -2 and its value at -1. */
static void read_job_field(lua_State *L, orr_jobs *jobs, job_fields *fields, lua_Integer position,
                           int keep)
{
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (name != NULL && strcmp(name, "id") == 0) {
        size_t length = 0;
        fields->id = check_text(L, position, "id", "an id", &length);
        lua_replace(L, keep); /* where the string stays on the stack */
        return;
    }
    if (name != NULL && strcmp(name, "needs") == 0) {
        read_needs(L, jobs, fields, position);
        return;
    }
    double *place = name == NULL ? NULL : number_field(fields, name);
    int kind = name == NULL || place != NULL ? ORR_LABEL_KINDS : label_kind(name);
    if (kind < ORR_LABEL_KINDS) {
        read_job_label(L, jobs, fields, kind, position);
        return;
    }
#define AND(kind, name) ", " #name
#define AND_PAY(name) ", " #name
    if (place == NULL)
        luaL_error(L,
                   "jobs: job %I: unknown field '%s' (known: id, submit, procs, runtime, walltime, "
                   "wait" ORR_PAYS(AND_PAY) ", needs, area" ORR_LABELS(AND) ")",
                   (LUAI_UACINT)position, orr_lua_push_key(L, -2));
    else if (lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1)))
        luaL_error(L, "jobs: job %I: %s must be a number, not %s", (LUAI_UACINT)position, name,
                   orr_lua_push_key(L, -1));
    else
        *place = lua_tonumber(L, -1);
}

/* Raises an error for wrong fields; a runtime under its old name becomes the runtime. */
static void check_job_fields(lua_State *L, job_fields *fields, lua_Integer position)
{
    LUAI_UACINT p = (LUAI_UACINT)position;
    if (isnan(fields->runtime))
        fields->runtime = fields->time;
    if (isnan(fields->procs) || isnan(fields->runtime))
        luaL_error(L, "jobs: job %I: %s is missing", p, isnan(fields->procs) ? "procs" : "runtime");
    if (!isnan(fields->time) && fields->time != fields->runtime)
        luaL_error(L,
                   "jobs: job %I: runtime is %f and time is %f, but time is the old name of "
                   "runtime; leave time out",
                   p, fields->runtime, fields->time);
    if (fields->procs != floor(fields->procs) || fields->procs < 1 || fields->procs > INT32_MAX)
        luaL_error(L, "jobs: job %I: procs must be a whole number from 1 to %d, not %f", p,
                   INT32_MAX, fields->procs);
    if (!isnan(fields->area) && fields->area != fields->procs * fields->runtime)
        luaL_error(L, "jobs: job %I: area is procs * runtime, %f; leave it out", p,
                   fields->procs * fields->runtime);
}

void orr_lua_add_job(lua_State *L, orr_jobs *jobs, lua_Integer position, const char *id,
                     double submit)
{
    job_fields fields = {id, NAN, NAN, NAN, NAN, NAN, NAN, NAN, orr_pays_unknown, {0}, {0}};
    orr_error err;
    int row = lua_gettop(L);
    lua_pushnil(L); /* the slot that keeps the id */
    if (lua_type(L, row) != LUA_TTABLE)
        luaL_error(L, "jobs: expected a list of tables, but element %I is a %s",
                   (LUAI_UACINT)position, luaL_typename(L, row));
    lua_pushnil(L);
    while (lua_next(L, row)) {
        read_job_field(L, jobs, &fields, position, row + 1);
        lua_settop(L, row + 2); /* leaves the key */
    }
    check_job_fields(L, &fields, position);
    if (orr_jobs_add(jobs, fields.id, isnan(fields.submit) ? submit : fields.submit,
                     (int32_t)fields.procs, fields.runtime, fields.walltime, &err) != ORR_OK ||
        orr_jobs_set_wait(jobs, jobs->count - 1, fields.wait, &err) != ORR_OK ||
        orr_jobs_set_pays(jobs, jobs->count - 1, fields.pays, &err) != ORR_OK) {
        orr_error_prefix(&err, "jobs: job %lld", (long long)position);
        orr_lua_raise(L, &err);
    }
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (fields.label[kind] != 0 && orr_jobs_set_label(jobs, jobs->count - 1, (orr_label)kind,
                                                          fields.label[kind], &err) != ORR_OK)
            orr_lua_raise(L, &err);
    for (int32_t i = 0; i < jobs->need_count; i++)
        orr_lua_try(L, orr_jobs_set_need(jobs, jobs->count - 1, i, fields.need[i], &err), &err);
    lua_settop(L, row - 1);
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
        return luaL_error(
            L,
            "jobs: expected a list of tables { id, submit, procs, runtime, walltime }, "
            "but there are other keys than 1 to %I",
            (LUAI_UACINT)n);
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_create(NULL, &err);
    if (*slot == NULL)
        return orr_lua_raise(L, &err);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, 1, i);
        orr_lua_add_job(L, *slot, i, NULL, 0);
    }
    return 1;
}

/* --- generators ----------------------------------------------------------------------------- */

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
    orr_lua_check_options(L, 1, "synthetic", known);
    options.count =
        (int32_t)orr_lua_integer_option(L, 1, "synthetic: count", options.count, 0, INT32_MAX);
    uint64_t seed =
        (uint64_t)orr_lua_integer_option(L, 1, "synthetic: seed", 1, INT64_MIN, INT64_MAX);
    uint64_t set = (uint64_t)orr_lua_integer_option(L, 1, "synthetic: set", 0, 0, INT64_MAX);
    option_counts(L, "synthetic", "procs", &options.min_procs, &options.max_procs);
    option_range(L, "synthetic", "time", &options.min_time, &options.max_time);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_generate_synthetic(&options, seed, set, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

static void option_day(lua_State *L, const char *function, const char *name, int64_t *day)
{
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        size_t length = 0;
        const char *text = lua_tolstring(L, -1, &length);
        int64_t us;
        if (text == NULL || length != 10 || !orr_utc_parse(text, length, &us))
            luaL_error(L, "%s: %s must be a day as YYYY-MM-DD, not %s", function, name,
                       orr_lua_push_key(L, -1));
        else
            *day = (us - (us % DAY_US + DAY_US) % DAY_US) / DAY_US;
    }
    lua_pop(L, 1);
}

static int make_mira_month(lua_State *L)
{
    static const char *const known[] = {"seed", "count", "days", "first_day", "per_day", NULL};
    orr_mira_month options = orr_mira_month_default();
    orr_lua_check_options(L, 1, "mira_month", known);
    uint64_t seed =
        (uint64_t)orr_lua_integer_option(L, 1, "mira_month: seed", 1, INT64_MIN, INT64_MAX);
    options.count =
        (int32_t)orr_lua_integer_option(L, 1, "mira_month: count", options.count, 0, INT32_MAX);
    options.days =
        (int32_t)orr_lua_integer_option(L, 1, "mira_month: days", options.days, 0, INT32_MAX);
    option_day(L, "mira_month", "first_day", &options.first_day);
    option_counts(L, "mira_month", "per_day", &options.min_day, &options.max_day);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_generate_mira(&options, seed, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

static bool option_scaled(lua_State *L, bool given)
{
    int type = lua_getfield(L, 1, "scaled");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "lublin: scaled must be true or false, not %s", orr_lua_push_key(L, -1));
    given = type == LUA_TNIL ? given : lua_toboolean(L, -1);
    lua_pop(L, 1);
    return given;
}

/* Seven weights from Monday on; false: all days are alike. */
static void option_week(lua_State *L, double week[7])
{
    int type = lua_getfield(L, 1, "week");
    bool flat = type == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    bool list = type == LUA_TTABLE && lua_rawlen(L, -1) == 7;
    for (int d = 0; d < 7 && (flat || list); d++) {
        list = list && lua_rawgeti(L, 2, d + 1) == LUA_TNUMBER;
        week[d] = list ? lua_tonumber(L, -1) : 1;
    }
    if (type != LUA_TNIL && !flat && !list)
        luaL_error(L, "lublin: week must be a list of seven numbers, Monday to Sunday, or false");
    lua_settop(L, 1);
}

/* A factor, "users" or "tsafrir". */
static void option_walltimes(lua_State *L, orr_lublin *options)
{
    int type = lua_getfield(L, 1, "walltimes");
    if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "users") == 0) {
        options->round_walltimes = true;
        options->walltime = 5;
    } else if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "tsafrir") == 0) {
        options->user_estimates = true;
    } else if (type == LUA_TNUMBER && lua_tonumber(L, -1) >= 1) {
        options->walltime = lua_tonumber(L, -1);
    } else if (type != LUA_TNIL) {
        luaL_error(
            L,
            "lublin: walltimes must be \"users\", \"tsafrir\" or a factor on runtimes from 1 "
            "on, not %s",
            orr_lua_push_key(L, -1));
    }
    lua_settop(L, 1);
}

static orr_lublin lublin_options(lua_State *L)
{
    static const char *const known[] = {"procs",     "count", "days",   "load", "week", "first_day",
                                        "walltimes", "types", "scaled", "seed", "set",  NULL};
    static const char *const types[] = {"both", "batch", "interactive", "whole", NULL};
    orr_lublin options = orr_lublin_default();
    orr_lua_check_options(L, 1, "lublin", known);
    options.procs =
        (int32_t)orr_lua_integer_option(L, 1, "lublin: procs", options.procs, 0, INT32_MAX);
    lua_Integer count = orr_lua_integer_option(L, 1, "lublin: count", -1, 0, INT32_MAX);
    if (count >= 0) { /* a count alone means as many days as it takes */
        options.count = (int32_t)count;
        options.days = HUGE_VAL;
    }
    options.days = orr_lua_number_option(L, 1, "lublin: days", options.days);
    options.load = orr_lua_number_option(L, 1, "lublin: load", HUGE_VAL);
    if (options.load <= 0) /* the kernel takes 0 as "not given" */
        luaL_error(L, "load must be above 0 and at most 100, not %f", options.load);
    else if (isinf(options.load))
        options.load = 0;
    option_day(L, "lublin", "first_day", &options.first_day);
    options.types = (orr_lublin_types)orr_lua_choice_option(L, 1, "lublin: types", 0, types);
    options.scaled = option_scaled(L, options.scaled);
    option_week(L, options.week);
    option_walltimes(L, &options);
    return options;
}

static int make_lublin(lua_State *L)
{
    orr_lublin options = lublin_options(L);
    uint64_t seed = (uint64_t)orr_lua_integer_option(L, 1, "lublin: seed", 1, INT64_MIN, INT64_MAX);
    uint64_t set = (uint64_t)orr_lua_integer_option(L, 1, "lublin: set", 0, 0, INT64_MAX);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_generate_lublin(&options, seed, set, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

static int lublin_means(lua_State *L)
{
#define MEAN(name) ORR_LUA_FIELD(orr_lublin_means, name)
    static const orr_lua_field fields[] = {MEAN(area), MEAN(gap), MEAN(load), ORR_LUA_LAST_FIELD};
    orr_lublin options = lublin_options(L);
    orr_lublin_means means;
    orr_error err;
    orr_lua_try(L, orr_lublin_expect(&options, &means, &err), &err);
    orr_lua_push_record(L, &means, fields);
    return 1;
}

/* --- walltimes for jobs that are there ------------------------------------------------------ */

int orr_lua_user_estimates(lua_State *L)
{
    static const char *const known[] = {"longest", "share", "seed", "set", NULL};
    static const char name[] = "user_estimates";
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_settop(L, 2);
    lua_insert(L, 1); /* the options are at 1, as above; the jobs stay alive at 2 */
    orr_lua_check_options(L, 1, name, known);
    orr_user_estimates options = {
        .longest = orr_lua_number_option(L, 1, "user_estimates: longest", NAN),
        .share = orr_lua_number_option(L, 1, "user_estimates: share", NAN)};
    if (options.longest == 0 || options.share == 0) /* 0 means "not given" to the kernel */
        luaL_error(L, "%s: %s must be above 0", name, options.share == 0 ? "share" : "longest");
    options.longest = isnan(options.longest) ? 0 : options.longest;
    options.share = isnan(options.share) ? 0 : options.share;
    uint64_t seed =
        (uint64_t)orr_lua_integer_option(L, 1, "user_estimates: seed", 1, INT64_MIN, INT64_MAX);
    uint64_t set = (uint64_t)orr_lua_integer_option(L, 1, "user_estimates: set", 0, 0, INT64_MAX);
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    *slot = orr_jobs_estimated(jobs, &options, seed, set, NULL, &err);
    return orr_lua_return_jobs(L, slot, &err);
}

/* --- opening -------------------------------------------------------------------------------- */

void orr_lua_open_workload_make(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"jobs", make_jobs},     {"synthetic", make_synthetic},  {"mira_month", make_mira_month},
        {"lublin", make_lublin}, {"lublin_means", lublin_means}, {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
}
