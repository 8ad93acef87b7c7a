/* Summaries of metrics in place of their values. */
#include "bindings/values/tallies.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"
#include "stats/running.h"

#include <lauxlib.h>
#include <stdlib.h>

#define TALLIES "orrery.tallies"

/* A metric of a policy. */
typedef struct tally {
    orr_running values, differences; /* differences: paired, from the first policy */
    orr_histogram histogram;
} tally;

/* Uservalue 1 is the metrics. */
struct orr_lua_tallies {
    orr_lua_metrics *metrics;
    size_t count;
    tally *list; /* list[metric * policies + policy] */
};

orr_lua_tallies *orr_lua_new_tallies(lua_State *L, orr_lua_metrics *m)
{
    orr_lua_tallies *t = orr_lua_new_value(L, TALLIES, sizeof *t, 1);
    t->metrics = m;
    t->count = (size_t)orr_lua_metric_count(m) * (size_t)m->policies;
    t->list = calloc(t->count + 1, sizeof *t->list);
    for (size_t i = 0; t->list && i < t->count; i++)
        t->list[i].histogram = orr_histogram_create(NULL);
    if (!t->list)
        luaL_error(L, "not enough memory");
    m->summed_up = true;
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, 1);
    lua_setiuservalue(L, -2, 2);
    return t;
}

static int tallies_gc(lua_State *L)
{
    orr_lua_tallies *t = luaL_checkudata(L, 1, TALLIES);
    for (size_t i = 0; t->list && i < t->count; i++)
        orr_histogram_destroy(&t->list[i].histogram);
    free(t->list);
    t->list = NULL;
    return 0;
}

/* A value of the block, at a place as in `quantiles`. */
static double value_at(const orr_lua_metrics *m, int32_t metric, const orr_lua_field *f,
                       int64_t place)
{
    if (metric >= m->column_count)
        return *(const double *)((const char *)&m->quantiles[place] + f->offset);
    const void *values = m->columns[metric].values;
    return f->type == 'd' ? ((const double *)values)[place]
                          : (double)((const int64_t *)values)[place];
}

static orr_status fold_metric(orr_lua_tallies *tallies, int32_t metric, int64_t count,
                              orr_error *err)
{
    const orr_lua_metrics *m = tallies->metrics;
    const orr_lua_field *f = orr_lua_metric_at(m, metric);
    tally *t = tallies->list + (size_t)metric * (size_t)m->policies;
    orr_status status = ORR_OK;
    for (int32_t p = 0; p < m->policies; p++) {
        for (int64_t i = 0; i < count && status == ORR_OK; i++) {
            double value = value_at(m, metric, f, p * count + i);
            orr_running_add(&t[p].values, value);
            orr_running_add(&t[p].differences, orr_difference(value_at(m, metric, f, i), value));
            status = orr_histogram_add(&t[p].histogram, value, err);
        }
    }
    return status;
}

orr_status orr_lua_fold(orr_lua_tallies *t, int64_t count, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t i = 0; i < orr_lua_metric_count(t->metrics) && status == ORR_OK; i++)
        status = fold_metric(t, i, count, err);
    return status;
}

static const tally *check_tally(lua_State *L)
{
    const orr_lua_tallies *t = luaL_checkudata(L, 1, TALLIES);
    const orr_lua_metrics *m = t->metrics;
    int32_t policy = orr_lua_check_policy(L, m);
    return &t->list[orr_lua_find_metric(L, m, luaL_checkstring(L, 3)) * m->policies + policy];
}

/* tallies:summary(policy, name) */
static int tallies_summary(lua_State *L)
{
    static const double quarters[] = {0.25, 0.5, 0.75};
    const tally *t = check_tally(L);
    double found[3];
    orr_error err;
    orr_lua_try(L, orr_histogram_quantiles(&t->histogram, quarters, 3, found, &err), &err);
    orr_lua_push_summary(L, orr_running_summary(&t->values), found);
    return 1;
}

/* tallies:difference(policy, name): of the paired differences from the first policy: their summary,
 * and how many are negative and positive. */
static int tallies_difference(lua_State *L)
{
    const orr_running *d = &check_tally(L)->differences;
    orr_lua_push_summary(L, orr_running_summary(d), NULL);
    orr_lua_set_integer(L, "negative", d->negative);
    orr_lua_set_integer(L, "positive", d->positive);
    return 1;
}

void orr_lua_open_tallies(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"summary", tallies_summary}, {"difference", tallies_difference}, {NULL, NULL}};
    static const orr_lua_class class = {.name = TALLIES, .methods = methods, .gc = tallies_gc};
    orr_lua_new_class(L, &class);
}
