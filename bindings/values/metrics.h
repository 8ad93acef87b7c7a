/* Results of runs of rigid jobs, as Lua values. */
#pragma once

#include "bindings/support/fields.h"
#include "bindings/support/output.h"

#include "base/stats.h"
#include "rigid/montecarlo.h"
#include "schedule/metrics.h"
#include "schedule/timeline.h"

#include <lua.h>

#define ORR_LUA_METRICS "orrery.metrics"

/* The results of one set of jobs under all policies. Uservalue 1 is the jobs, uservalue 2 what is
 * kept in place of values (tallies.h). */
typedef struct orr_lua_metrics {
    int64_t runs;
    int32_t policies;
    orr_metrics *values;          /* values[policy * runs + scenario - 1]; NULL: in columns */
    orr_job_quantiles *quantiles; /* at the same places; NULL: not wanted */
    orr_metrics_column *columns;  /* the named metrics, each with the same places */
    int32_t column_count;
    orr_rigid_kept_times *kept; /* per policy; NULL: no times are kept */
    orr_schedule *schedules;    /* per policy, of the instance; NULL: none are kept */
    orr_output *output;         /* the only schedule, which was written as it came; NULL: none */
    char (*names)[128];         /* of the policies of these */
    double *shares; /* per policy, of each share of the instance; NULL: there are none */
    int32_t share_count;
    bool summed_up;        /* the arrays above have one block of the scenarios */
    bool *clairvoyant;     /* per policy: whether it knew the runtimes */
    orr_instance instance; /* the first policy's */
} orr_lua_metrics;

/* An empty one on top of the stack, for the jobs at index `jobs`. */
orr_lua_metrics *orr_lua_new_metrics(lua_State *L, int jobs);

/* Makes room; the instance is there. False where memory is short. Of the metrics of a scenario all
 * are kept, or those that have columns. */
bool orr_lua_size_metrics(orr_lua_metrics *m, int32_t policies, int64_t runs, bool quantiles,
                          bool keep);

/* The columns of all metrics. False where memory is short. */
bool orr_lua_take_all_columns(orr_lua_metrics *m);

/* The metrics by position, first those of the columns, then the quantiles: how many there are, the
 * field of one, and the position of a name. Raises where there is none. */
int32_t orr_lua_metric_count(const orr_lua_metrics *m);
const orr_lua_field *orr_lua_metric_at(const orr_lua_metrics *m, int32_t metric);
int32_t orr_lua_find_metric(lua_State *L, const orr_lua_metrics *m, const char *name);

/* The policy at argument 2, from 0. */
int32_t orr_lua_check_policy(lua_State *L, const orr_lua_metrics *m);

/* Pushes a summary as a table; quartiles NULL: without. */
void orr_lua_push_summary(lua_State *L, orr_summary summary, const double *quartiles);

/* The columns that the list of names at `index` asks for, without room yet; nil: none. Raises for
 * unknown names. The memory is of the value. */
void orr_lua_take_columns(lua_State *L, int index, orr_lua_metrics *m);

/* The size of the metrics of a scenario, in bytes. */
size_t orr_lua_metrics_size(const orr_lua_metrics *m);

/* Pushes a list of { name =, kind =, amount =, utilisation = } of the shares of an instance. */
void orr_lua_push_shares(lua_State *L, const orr_instance *in, const double *used);

/* Push a list of the results of every user's jobs (as orr_users_measure), and one of a timeline's
 * steps. */
void orr_lua_push_users(lua_State *L, const orr_instance *in, const double *ends,
                        const double *runtimes);
void orr_lua_push_timeline(lua_State *L, const orr_timeline *timeline);

/* Pushes metrics as a table with the names of orr_metrics; quantiles NULL: none. */
void orr_lua_push_metrics(lua_State *L, const orr_metrics *m, const orr_job_quantiles *quantiles);

void orr_lua_open_results(lua_State *L);
