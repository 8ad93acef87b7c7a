/* Results of runs of rigid jobs, as Lua values: metrics of scenarios, times of jobs. */
#include "bindings/values/metrics.h"
#include "bindings/support/block.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"

#include "base/stats.h"
#include "schedule/blocks.h"
#include "schedule/fidelity.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- names ---------------------------------------------------------------------------------- */

#define METRIC(type, name, unit, about) ORR_LUA_FIELD(orr_metrics, name),
static const orr_lua_field metric_fields[] = {ORR_METRICS(METRIC) ORR_LUA_LAST_FIELD};

#define METRIC_TEXT(type, name, unit, about)                                                       \
    {#name, _Generic((type)0, double : "number", default : "integer"), unit, about},
static const orr_field_text metric_texts[] = {ORR_METRICS(METRIC_TEXT){0}};

static int push_metric_texts(lua_State *L)
{
    orr_lua_push_texts(L, metric_texts);
    return 1;
}

#define QUANTILES(name)                                                                            \
    ORR_LUA_FIELD_AS(#name "_p50", orr_job_quantiles, name[0]),                                    \
        ORR_LUA_FIELD_AS(#name "_p90", orr_job_quantiles, name[1]),                                \
        ORR_LUA_FIELD_AS(#name "_p95", orr_job_quantiles, name[2]),                                \
        ORR_LUA_FIELD_AS(#name "_p99", orr_job_quantiles, name[3])
static const orr_lua_field quantile_fields[] = {QUANTILES(wait), QUANTILES(flow), QUANTILES(bsld),
                                                ORR_LUA_LAST_FIELD};

#define TIME(name) ORR_LUA_FIELD(orr_job_times, name)
static const orr_lua_field time_fields[] = {TIME(runtime), TIME(flow), TIME(wait), TIME(bsld),
                                            ORR_LUA_LAST_FIELD};

void orr_lua_push_metrics(lua_State *L, const orr_metrics *m, const orr_job_quantiles *quantiles)
{
    orr_lua_push_record(L, m, metric_fields);
    if (quantiles)
        orr_lua_set_fields(L, quantiles, quantile_fields);
}

/* --- metrics of a set ----------------------------------------------------------------------- */

orr_lua_metrics *orr_lua_new_metrics(lua_State *L, int jobs)
{
    orr_lua_metrics *m = orr_lua_new_value(L, ORR_LUA_METRICS, sizeof *m, 2);
    lua_pushvalue(L, jobs);
    lua_setiuservalue(L, -2, 1);
    return m;
}

void orr_lua_take_columns(lua_State *L, int index, orr_lua_metrics *m)
{
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    int32_t count = (int32_t)lua_rawlen(L, index);
    m->columns = calloc((size_t)count + 1, sizeof *m->columns);
    for (int32_t i = 0; m->columns && i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        const char *name = luaL_tolstring(L, -1, NULL);
        const orr_lua_field *f = orr_lua_find_field(metric_fields, name);
        if (f)
            m->columns[m->column_count++].offset = f->offset;
        else if (!orr_lua_find_field(quantile_fields, name)) /* these are kept apart */
            luaL_error(L, "metrics: there is no metric '%s'", name);
        lua_pop(L, 2);
    }
}

enum {
    METRICS = sizeof metric_fields / sizeof *metric_fields - 1,
    QUANTILE_METRICS = sizeof quantile_fields / sizeof *quantile_fields - 1
};

bool orr_lua_take_all_columns(orr_lua_metrics *m)
{
    if (m->columns)
        return true;
    m->columns = calloc(METRICS, sizeof *m->columns);
    for (; m->columns && m->column_count < METRICS; m->column_count++)
        m->columns[m->column_count].offset = metric_fields[m->column_count].offset;
    return m->columns != NULL;
}

int32_t orr_lua_metric_count(const orr_lua_metrics *m)
{
    return m->column_count + (m->quantiles ? QUANTILE_METRICS : 0);
}

const orr_lua_field *orr_lua_metric_at(const orr_lua_metrics *m, int32_t metric)
{
    if (metric >= m->column_count)
        return &quantile_fields[metric - m->column_count];
    const orr_lua_field *f = metric_fields;
    while (f->offset != m->columns[metric].offset)
        f++;
    return f;
}

int32_t orr_lua_find_metric(lua_State *L, const orr_lua_metrics *m, const char *name)
{
    for (int32_t i = 0; i < orr_lua_metric_count(m); i++)
        if (strcmp(orr_lua_metric_at(m, i)->name, name) == 0)
            return i;
    if (orr_lua_find_field(metric_fields, name))
        luaL_error(L, "%s was not kept: name it in metrics", name);
    if (orr_lua_find_field(quantile_fields, name))
        luaL_error(L, "%s was not asked for: give quantiles = true", name);
    return luaL_error(L, "there is no metric '%s'", name);
}

size_t orr_lua_metrics_size(const orr_lua_metrics *m)
{
    return m->columns ? (size_t)m->column_count * sizeof(double) : sizeof(orr_metrics);
}

bool orr_lua_size_metrics(orr_lua_metrics *m, int32_t policies, int64_t runs, bool quantiles,
                          bool keep)
{
    size_t all = (size_t)policies * (size_t)runs, jobs = (size_t)m->instance.count + 1;
    m->policies = policies;
    m->runs = runs;
    m->clairvoyant = calloc((size_t)policies + 1, sizeof *m->clairvoyant);
    bool fine = m->clairvoyant != NULL;
    if (!m->columns)
        fine &= (m->values = calloc(all, sizeof *m->values)) != NULL;
    for (int32_t i = 0; m->columns && i < m->column_count; i++)
        fine &= (m->columns[i].values = calloc(all, sizeof(double))) != NULL;
    if (quantiles)
        fine &= (m->quantiles = calloc(all, sizeof *m->quantiles)) != NULL;
    if (keep)
        fine &= (m->kept = calloc((size_t)policies, sizeof *m->kept)) != NULL;
    for (int32_t i = 0; m->kept && i < policies; i++) {
        fine &= (m->kept[i].ends = malloc(jobs * sizeof(double))) != NULL;
        fine &= (m->kept[i].runtimes = malloc(jobs * sizeof(double))) != NULL;
        if (m->instance.links)
            fine &= (m->kept[i].submissions = malloc(jobs * sizeof(double))) != NULL;
    }
    return fine;
}

static int metrics_gc(lua_State *L)
{
    orr_lua_metrics *m = luaL_checkudata(L, 1, ORR_LUA_METRICS);
    for (int32_t i = 0; m->kept && i < m->policies; i++) {
        free(m->kept[i].ends);
        free(m->kept[i].runtimes);
        free(m->kept[i].submissions);
    }
    for (int32_t i = 0; m->schedules && i < m->policies; i++)
        orr_schedule_destroy(&m->schedules[i]);
    free(m->schedules);
    orr_output_abandon(m->output);
    free(m->names);
    for (int32_t i = 0; i < m->column_count; i++)
        free(m->columns[i].values);
    free(m->columns);
    free(m->kept);
    free(m->quantiles);
    free(m->shares);
    free(m->values);
    free(m->clairvoyant);
    orr_instance_destroy(&m->instance);
    memset(m, 0, sizeof *m);
    return 0;
}

static const orr_lua_metrics *check_metrics(lua_State *L)
{
    return luaL_checkudata(L, 1, ORR_LUA_METRICS);
}

int32_t orr_lua_check_policy(lua_State *L, const orr_lua_metrics *m)
{
    lua_Integer policy = luaL_checkinteger(L, 2);
    luaL_argcheck(L, policy >= 1 && policy <= m->policies, 2, "no such policy");
    return (int32_t)policy - 1;
}

/* The values of a metric that was named, NULL where it was not. */
static const void *column_of(const orr_lua_metrics *m, const orr_lua_field *f)
{
    for (int32_t i = 0; i < m->column_count; i++)
        if (m->columns[i].offset == f->offset)
            return m->columns[i].values;
    return NULL;
}

/* Raises an error where the values of scenarios are not there. */
static void need_values(lua_State *L, const orr_lua_metrics *m)
{
    if (m->summed_up)
        luaL_error(L, "the values of scenarios are not kept with `summaries`: compare without it");
}

/* Pushes the list of a metric from a place on. */
static void push_named(lua_State *L, const orr_lua_metrics *m, int64_t first, int64_t count,
                       const orr_lua_field *f)
{
    orr_lua_field alone = {f->name, 0, f->type, NULL};
    const char *values = column_of(m, f);
    if (!values)
        luaL_error(L, "%s was not kept: name it in metrics", f->name);
    orr_lua_push_column(L, values + (size_t)first * sizeof(double), sizeof(double), count, &alone);
}

/* metrics:column(policy, name): the list over the scenarios. */
static int metrics_column(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    int64_t first = orr_lua_check_policy(L, m) * m->runs;
    const char *name = luaL_checkstring(L, 3);
    const orr_lua_field *f = orr_lua_find_field(metric_fields, name);
    need_values(L, m);
    if (f && m->columns) {
        push_named(L, m, first, m->runs, f);
        return 1;
    }
    if (f) {
        orr_lua_push_column(L, m->values + first, sizeof *m->values, m->runs, f);
        return 1;
    }
    f = orr_lua_find_field(quantile_fields, name);
    if (!f)
        return luaL_error(L, "there is no metric '%s'", name);
    if (!m->quantiles)
        return luaL_error(L, "%s was not asked for: give quantiles = true", name);
    orr_lua_push_column(L, m->quantiles + first, sizeof *m->quantiles, m->runs, f);
    return 1;
}

void orr_lua_push_summary(lua_State *L, orr_summary summary, const double *quartiles)
{
#define SUMMARY(name) ORR_LUA_FIELD(orr_summary, name)
    static const orr_lua_field fields[] = {SUMMARY(count),    SUMMARY(mean),       SUMMARY(sd),
                                           SUMMARY(min),      SUMMARY(half_width), SUMMARY(max),
                                           SUMMARY(skewness), ORR_LUA_LAST_FIELD};
    orr_lua_push_record(L, &summary, fields);
    static const char *const names[] = {"q1", "median", "q3"};
    for (int i = 0; quartiles && i < 3; i++)
        orr_lua_set_number(L, names[i], quartiles[i]);
}

/* The summary of one that was named, and its quartiles: what lists would need far more room for. */
static int summarise(lua_State *L, const double *values, int64_t count)
{
    static const double quarters[] = {0.25, 0.5, 0.75};
    double found[3];
    orr_error err;
    orr_lua_try(L, orr_quantiles(values, count, quarters, 3, found, NULL, &err), &err);
    orr_lua_push_summary(L, orr_summarise(values, count), found);
    return 1;
}

/* metrics:summary(policy, name): of a metric that was named; else nil. */
static int metrics_summary(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    int64_t first = orr_lua_check_policy(L, m) * m->runs;
    const orr_lua_field *f = orr_lua_find_field(metric_fields, luaL_checkstring(L, 3));
    need_values(L, m);
    const void *values = f ? column_of(m, f) : NULL;
    if (!values)
        return 0;
    if (f->type == 'd')
        return summarise(L, (const double *)values + first, m->runs);
    double *numbers = lua_newuserdatauv(L, (size_t)m->runs * sizeof *numbers, 0);
    for (int64_t i = 0; i < m->runs; i++)
        numbers[i] = (double)((const int64_t *)values)[first + i];
    return summarise(L, numbers, m->runs);
}

/* metrics:tallies(): what is kept in place of values (tallies.c), or nil. */
static int metrics_tallies(lua_State *L)
{
    check_metrics(L);
    lua_getiuservalue(L, 1, 2);
    return 1;
}

/* metrics:has(name): whether the metric exists, also one that was not asked for. */
static int metrics_has(lua_State *L)
{
    const char *name = luaL_tolstring(L, 2, NULL);
    lua_pushboolean(L, orr_lua_find_field(metric_fields, name) ||
                           orr_lua_find_field(quantile_fields, name));
    return 1;
}

/* metrics:scenario(policy, number): all metrics of one scenario. */
static int metrics_scenario(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    int64_t first = orr_lua_check_policy(L, m) * m->runs;
    lua_Integer scenario = luaL_checkinteger(L, 3);
    luaL_argcheck(L, scenario >= 1 && scenario <= m->runs, 3, "no such scenario");
    int64_t place = first + scenario - 1;
    need_values(L, m);
    if (m->columns)
        return luaL_error(L, "not all metrics were kept: give no metrics");
    orr_lua_push_metrics(L, &m->values[place], m->quantiles ? &m->quantiles[place] : NULL);
    return 1;
}

void orr_lua_push_shares(lua_State *L, const orr_instance *in, const double *used)
{
    static const char *const kinds[] = {"pool", "resource", "partition"};
    orr_share shares[ORR_MOST_SHARES];
    int32_t count = orr_shares(in, shares);
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 4);
        orr_lua_set_text(L, "name", shares[i].name);
        orr_lua_set_text(L, "kind", kinds[shares[i].kind]);
        orr_lua_set_integer(L, "amount", (lua_Integer)shares[i].amount);
        orr_lua_set_number(L, "utilisation", used[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* metrics:resources(policy, number): of one scenario; nil where there are none, or values are not
 * kept. */
static int metrics_resources(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    int64_t first = orr_lua_check_policy(L, m) * m->runs;
    lua_Integer scenario = luaL_checkinteger(L, 3);
    luaL_argcheck(L, scenario >= 1 && scenario <= m->runs, 3, "no such scenario");
    if (!m->shares)
        return 0;
    orr_lua_push_shares(L, &m->instance, m->shares + (first + scenario - 1) * m->share_count);
    return 1;
}

/* metrics:has_quantiles(), metrics:has_jobs(): whether these were asked for. */
ORR_LUA_GETTER(metrics_has_quantiles, lua_pushboolean, check_metrics(L)->quantiles != NULL)

ORR_LUA_GETTER(metrics_has_jobs, lua_pushboolean, check_metrics(L)->kept != NULL)

/* metrics:overruns(): the number of jobs that ran longer than their estimates, and the work cut
 * off, in processor-seconds. */
static int metrics_overruns(lua_State *L)
{
    const orr_instance *in = &check_metrics(L)->instance;
    lua_pushinteger(L, in->overruns);
    lua_pushnumber(L, orr_instance_cut(in));
    return 2;
}

/* metrics:links(): the number of jobs that come after others, and of unknown ones that they
 * name. */
static int metrics_links(lua_State *L)
{
    const orr_instance *in = &check_metrics(L)->instance;
    lua_pushinteger(L, in->linked);
    lua_pushinteger(L, in->strangers);
    return 2;
}

static const orr_rigid_kept_times *check_kept(lua_State *L, const orr_lua_metrics *m)
{
    int32_t policy = orr_lua_check_policy(L, m);
    if (!m->kept)
        luaL_error(L, "the times of jobs are kept of runs = 1 only, and not with keep = false");
    return &m->kept[policy];
}

/* The instance of a run whose times were kept. */
static orr_instance instance_of(const orr_lua_metrics *m, const orr_rigid_kept_times *kept)
{
    orr_instance in = m->instance;
    if (kept && kept->submissions)
        in.submit = kept->submissions;
    return in;
}

/* An input of a run: the submission, or the scheduler's estimate. */
static double given_time(const orr_instance *in, int32_t job, const char *name, bool clairvoyant)
{
    if (strcmp(name, "submit") == 0)
        return in->submit[job];
    return clairvoyant ? orr_job_length(in, job) : in->estimate[job];
}

/* metrics:jobs(policy, name): a list over the jobs: "end", "time", "runtime", "flow", "wait" or
 * "bsld"; and "submit". */
static int metrics_jobs(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    const orr_rigid_kept_times *kept = check_kept(L, m);
    const char *name = luaL_checkstring(L, 3);
    const orr_lua_field *f = orr_lua_find_field(time_fields, name);
    bool given = strcmp(name, "submit") == 0 || strcmp(name, "time") == 0;
    bool clairvoyant = m->clairvoyant[orr_lua_check_policy(L, m)];
    if (!f && !given && strcmp(name, "end") != 0)
        return luaL_error(
            L, "of a job there is no '%s' (known: end, runtime, time, flow, wait, bsld)", name);
    orr_instance in = instance_of(m, kept);
    lua_createtable(L, in.count, 0);
    for (int32_t j = 0; j < in.count; j++) {
        double runtime = kept->by_length ? orr_job_length(&in, j) : kept->runtimes[j];
        orr_job_times t = orr_times_of_job(&in, j, kept->ends[j], runtime);
        if (f)
            orr_lua_push_field(L, &t, f);
        else
            lua_pushnumber(L, given ? given_time(&in, j, name, clairvoyant) : kept->ends[j]);
        lua_rawseti(L, -2, j + 1);
    }
    return 1;
}

/* metrics:submitted(policy): the first and the last submission, s. */
static int metrics_submitted(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    orr_instance in = instance_of(m, check_kept(L, m));
    double first = INFINITY, last = -INFINITY;
    for (int32_t j = 0; j < in.count; j++) {
        first = in.submit[j] < first ? in.submit[j] : first;
        last = in.submit[j] > last ? in.submit[j] : last;
    }
    lua_pushnumber(L, first);
    lua_pushnumber(L, last);
    return 2;
}

static orr_last_attempts last_attempts(const orr_instance *in, const orr_rigid_kept_times *kept)
{
    return (orr_last_attempts){in, kept->ends, kept->by_length ? NULL : kept->runtimes};
}

/* The workload as if only those of its counted jobs were counted whose numbers are in the list at
 * `index`; its array is left on the stack. */
static orr_jobs counting_some(lua_State *L, int index, const orr_jobs *jobs)
{
    orr_jobs some = *jobs;
    some.masked = jobs->count;
    some.uncounted = lua_newuserdatauv(L, (size_t)jobs->count + 1, 0);
    memset(some.uncounted, 1, (size_t)jobs->count);
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
        lua_Integer job = luaL_checkinteger(L, -1);
        luaL_argcheck(L, job >= 1 && job <= jobs->count, index, "there is no such job");
        some.uncounted[job - 1] = !orr_jobs_is_counted(jobs, (int32_t)job - 1);
    }
    lua_pop(L, 1);
    return some;
}

/* metrics:block_sums(a, others, b, "wait", "flow" or "bsld", length in s[, jobs]), where b is a
 * policy of the metrics `others`: for each block that has jobs (of the list of numbers, where there
 * is one), in order of time, the sum of the differences b - a, and in a second list the number of
 * jobs. */
static int metrics_block_sums(lua_State *L)
{
    static const char *const names[] = {"wait", "flow", "bsld", NULL};
    const orr_lua_metrics *m = check_metrics(L);
    const orr_rigid_kept_times *of_a = check_kept(L, m);
    lua_rotate(L, 1, -2); /* now `others` and b are the first arguments */
    const orr_lua_metrics *others = check_metrics(L);
    const orr_rigid_kept_times *of_b = check_kept(L, others);
    orr_instance in_a = instance_of(m, of_a), in_b = instance_of(others, of_b);
    orr_last_attempts a = last_attempts(&in_a, of_a), b = last_attempts(&in_b, of_b);
    orr_job_time time = (orr_job_time)luaL_checkoption(L, 3, NULL, names);
    double length = luaL_checknumber(L, 4);
    orr_jobs some = *in_a.jobs;
    if (!lua_isnoneornil(L, 5))
        some = counting_some(L, 5, in_a.jobs);
    in_a.jobs = &some;
    orr_lua_block *memory = orr_lua_new_block(L);
    orr_block_sum *blocks = NULL;
    int64_t count = 0;
    orr_error err;
    orr_lua_try(L, orr_block_sums(&a, &b, time, length, &blocks, &count, NULL, &err), &err);
    memory->bytes = blocks;
    memory->size = (size_t)count * sizeof *blocks;
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 0; i < count; i++) {
        lua_pushnumber(L, blocks[i].sum);
        lua_rawseti(L, -3, i + 1);
        lua_pushinteger(L, blocks[i].jobs);
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

/* Adds the waits of a set's jobs, as recorded and under its policy, behind `count` others. */
static int64_t add_waits(lua_State *L, const orr_lua_metrics *m, int32_t policy, double *recorded,
                         double *simulated)
{
    if (!m->kept || policy >= m->policies)
        return luaL_error(L, "the times of jobs are kept of runs = 1 only");
    const orr_rigid_kept_times *kept = &m->kept[policy];
    orr_instance in = instance_of(m, kept);
    for (int32_t j = 0; j < in.count; j++) {
        double runtime = kept->by_length ? orr_job_length(&in, j) : kept->runtimes[j];
        recorded[j] = orr_job_is_observed(&in, j) ? orr_jobs_wait(in.jobs, j) : NAN;
        simulated[j] = orr_times_of_job(&in, j, kept->ends[j], runtime).wait;
    }
    return in.count;
}

/* core.fidelity(list of metrics, policy): orr_fidelity of all sets together. */
static int measure_fidelity(lua_State *L)
{
#define FIDELITY(name) ORR_LUA_FIELD(orr_fidelity, name)
    static const orr_lua_field fields[] = {FIDELITY(jobs),          FIDELITY(waited),
                                           FIDELITY(recorded_mean), FIDELITY(simulated_mean),
                                           FIDELITY(correlation),   FIDELITY(explained),
                                           ORR_LUA_LAST_FIELD};
    static const char *const verdicts[] = {"nothing", "explains", "in part", "not"};
    luaL_checktype(L, 1, LUA_TTABLE);
    int32_t policy = (int32_t)luaL_checkinteger(L, 2) - 1;
    int64_t sets = (int64_t)lua_rawlen(L, 1), count = 0;
    for (int pass = 0; pass < 2; pass++) { /* how many, then their waits */
        double *waits = NULL;
        if (pass == 1)
            waits = lua_newuserdatauv(L, 2 * (size_t)count * sizeof *waits + 1, 0);
        int64_t room = count;
        count = 0;
        for (int64_t s = 1; s <= sets; s++) {
            lua_rawgeti(L, 1, s);
            const orr_lua_metrics *m = luaL_checkudata(L, -1, ORR_LUA_METRICS);
            count += waits ? add_waits(L, m, policy, waits + count, waits + room + count)
                           : m->instance.count;
            lua_pop(L, 1);
        }
    }
    const double *waits = lua_touserdata(L, -1);
    orr_fidelity found;
    orr_error err;
    orr_lua_try(L, orr_measure_fidelity(waits, waits + count, count, NULL, &found, &err), &err);
    orr_lua_push_record(L, &found, fields);
    orr_lua_set_text(L, "verdict", verdicts[found.verdict]);
    return 1;
}

/* --- users and timelines -------------------------------------------------------------------- */

#define USER(name) ORR_LUA_FIELD(orr_user_metrics, name)
static const orr_lua_field user_fields[] = {
    USER(jobs),      USER(work),      USER(wait_mean), USER(wait_max),
    USER(flow_mean), USER(bsld_mean), USER(bsld_max),  ORR_LUA_LAST_FIELD,
};

/* A list of { user =, jobs =, work =, ... }. */
static void push_users(lua_State *L, const orr_jobs *jobs, const orr_users *users)
{
    lua_createtable(L, users->count, 0);
    for (int32_t i = 0; i < users->count; i++) {
        const orr_user_metrics *u = &users->list[i];
        orr_lua_push_record(L, u, user_fields);
        orr_lua_set_text(L, "user", orr_labels_text(&jobs->names, u->label));
        lua_rawseti(L, -2, i + 1);
    }
}

void orr_lua_push_users(lua_State *L, const orr_instance *in, const double *ends,
                        const double *runtimes)
{
    orr_users users;
    orr_error err;
    if (orr_users_measure(&users, in, ORR_LABEL_USER, ends, runtimes, NULL, &err) != ORR_OK) {
        orr_users_destroy(&users);
        orr_lua_raise(L, &err);
    }
    push_users(L, in->jobs, &users);
    orr_users_destroy(&users);
}

/* metrics:users(policy) */
static int metrics_users(lua_State *L)
{
    const orr_lua_metrics *m = check_metrics(L);
    const orr_rigid_kept_times *kept = check_kept(L, m);
    orr_instance in = instance_of(m, kept);
    orr_lua_push_users(L, &in, kept->ends, kept->by_length ? NULL : kept->runtimes);
    return 1;
}

#define STEP(name) ORR_LUA_FIELD(orr_timeline_step, name)
static const orr_lua_field step_fields[] = {
    STEP(time), STEP(busy), STEP(running), STEP(waiting), STEP(waiting_procs), ORR_LUA_LAST_FIELD,
};

void orr_lua_push_timeline(lua_State *L, const orr_timeline *t)
{
    lua_createtable(L, (int)t->count, 0);
    for (int64_t i = 0; i < t->count; i++) {
        orr_lua_push_record(L, &t->steps[i], step_fields);
        lua_rawseti(L, -2, i + 1);
    }
}

/* --- schedules ------------------------------------------------------------------------------ */

/* One policy's. */
typedef struct one_schedule {
    const orr_lua_metrics *metrics;
    int32_t policy;
    bool swf;
} one_schedule;

static orr_status write_one(const void *user, const orr_sink *sink, orr_error *err)
{
    const one_schedule *o = user;
    const orr_lua_metrics *m = o->metrics;
    return o->swf ? orr_export_swf(&m->instance, &m->schedules[o->policy], m->names[o->policy],
                                   sink, err)
                  : orr_export_csv(&m->instance, &m->schedules[o->policy], m->names[o->policy],
                                   sink, err);
}

/* metrics:write_schedule(policy[, path]): as session:write_schedule, of a run that kept it, or has
 * already written it for this path. */
static int metrics_write_schedule(lua_State *L)
{
    orr_lua_metrics *m = luaL_checkudata(L, 1, ORR_LUA_METRICS);
    const char *path = luaL_optstring(L, 3, NULL);
    one_schedule one = {m, orr_lua_check_policy(L, m), path && orr_output_is_swf(path)};
    orr_error err;
    if (m->output && path) {
        orr_output *output = m->output;
        m->output = NULL;
        orr_lua_try(L, orr_output_finish(output, &err), &err);
        return 0;
    }
    if (!m->schedules)
        return luaL_error(L, "no schedules were kept");
    if (!path)
        return orr_output_push_text(L, write_one, &one);
    orr_lua_try(L, orr_output_write_by(path, write_one, &one, &err), &err);
    return 0;
}

ORR_LUA_GETTER(metrics_has_schedules, lua_pushboolean,
               check_metrics(L)->schedules || check_metrics(L)->output)

void orr_lua_open_results(lua_State *L)
{
    static const luaL_Reg methods[] = {{"column", metrics_column},
                                       {"summary", metrics_summary},
                                       {"tallies", metrics_tallies},
                                       {"has", metrics_has},
                                       {"scenario", metrics_scenario},
                                       {"has_quantiles", metrics_has_quantiles},
                                       {"has_jobs", metrics_has_jobs},
                                       {"overruns", metrics_overruns},
                                       {"links", metrics_links},
                                       {"jobs", metrics_jobs},
                                       {"submitted", metrics_submitted},
                                       {"block_sums", metrics_block_sums},
                                       {"users", metrics_users},
                                       {"has_schedules", metrics_has_schedules},
                                       {"write_schedule", metrics_write_schedule},
                                       {"resources", metrics_resources},
                                       {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_METRICS, .methods = methods, .gc = metrics_gc};
    orr_lua_new_class(L, &class);
    lua_pushcfunction(L, measure_fidelity);
    lua_setfield(L, -2, "fidelity");
    lua_pushcfunction(L, push_metric_texts);
    lua_setfield(L, -2, "metric_texts");
}
