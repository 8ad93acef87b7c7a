/* The values that a policy for jobs sees: `sim` (also called view), `job` and `group`, with their
 * fields. The methods of `sim` are in methods_jobs.c. */
#include "bindings/host/host.h"
#include "bindings/host/methods_jobs.h"
#include "bindings/host/views.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include <math.h>
#include <string.h>

/* --- job ------------------------------------------------------------------------------------ */

const char *orr_job_state_name(orr_rigid_job_state state)
{
    return state == ORR_JOB_PENDING   ? "pending"
           : state == ORR_JOB_WAITING ? "waiting"
           : state == ORR_JOB_RUNNING ? "running"
           : state == ORR_JOB_HELD    ? "held"
                                      : "over";
}

static orr_rigid_job_view look(lua_State *L, const orr_host *host, int32_t job)
{
    return orr_rigid_job(orr_host_check_running(L, host, NULL), job);
}

/* Before its submission a job is in no group. */
static const char *group_of(const orr_host *host, orr_rigid_job_view view)
{
    return view.state == ORR_JOB_PENDING ? NULL : orr_host_group_name(host, view.group);
}

static double arrival_of(orr_rigid_job_view view)
{
    return view.state == ORR_JOB_PENDING ? NAN : view.arrival;
}

static void push_cost(lua_State *L, const double *cost, int32_t job)
{
    orr_view_push_time(L, cost && cost[job] < INFINITY ? cost[job] : NAN);
}

/* s: what a recovery of the job takes; NaN where it can write no checkpoint. */
static double recovery_of(const orr_checkpoints *c, int32_t job)
{
    if (!c->cost || c->cost[job] == INFINITY)
        return NAN;
    return c->recovery ? c->recovery[job] : c->cost[job];
}

/* What a job needs of what the machine has. */
static void push_needs(lua_State *L, const orr_instance *in, int32_t job)
{
    const orr_jobs *jobs = in->jobs;
    lua_pushnil(L);
    for (int32_t i = 0; i < jobs->need_count; i++) {
        if (!orr_instance_has(in, jobs->needs[i].name))
            continue;
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            lua_newtable(L);
        }
        orr_lua_set_integer(L, jobs->needs[i].name, orr_jobs_need(jobs, job, i));
    }
}

static double silent_error_probability(const orr_instance *in, int32_t job)
{
    return -expm1(-in->silent_error_rate * in->jobs->procs[job] * in->estimate[job]);
}

#define JOB_FIELDS(F)                                                                              \
    F(id, "string", NULL, "name of the job in the log", lua_pushstring,                            \
      orr_jobs_id(in->jobs, job))                                                                  \
    F(position, "integer", "", "position in the workload, from 1", lua_pushinteger, job + 1)       \
    F(submit, "number", "s", "submission time", lua_pushnumber, in->submit[job])                   \
    F(procs, "integer", "processors", "processors that the job requests", lua_pushinteger,         \
      in->jobs->procs[job])                                                                        \
    F(time, "number", "s",                                                                         \
      "runtime as the scheduler knows it: the walltime in use, by default the runtime",            \
      lua_pushnumber, in->estimate[job])                                                           \
    F(area, "number", "processor-seconds", "`procs * time`", lua_pushnumber,                       \
      in->estimate[job] * in->jobs->procs[job])                                                    \
    F(user, "string?", NULL, "user in the log, text; nil if the log names none", lua_pushstring,   \
      orr_jobs_label_text(in->jobs, job, ORR_LABEL_USER))                                          \
    F(queue, "string?", NULL, "queue in the log, text; nil if the log names none", lua_pushstring, \
      orr_jobs_label_text(in->jobs, job, ORR_LABEL_QUEUE))                                         \
    F(partition, "string?", NULL, "partition in the log, text; nil if the log names none",         \
      lua_pushstring, orr_jobs_label_text(in->jobs, job, ORR_LABEL_PARTITION))                     \
    F(account, "string?", NULL, "account (project) in the log, text; nil if the log names none",   \
      lua_pushstring, orr_jobs_label_text(in->jobs, job, ORR_LABEL_ACCOUNT))                       \
    F(qos, "string?", NULL, "QOS of Slurm in the log, text; nil if the log names none",            \
      lua_pushstring, orr_jobs_label_text(in->jobs, job, ORR_LABEL_QOS))                           \
    F(array, "string?", NULL, "array of Slurm that the job is a task of, text; nil if it is none", \
      lua_pushstring, orr_jobs_label_text(in->jobs, job, ORR_LABEL_ARRAY))                         \
    F(needs, "table<string, integer>?", "",                                                        \
      "what the job needs of each pool; nil where jobs need none", push_needs, in, job)            \
    F(attempts, "integer", "", "number of attempts that have started", lua_pushinteger,            \
      look(L, host, job).attempts)                                                                 \
    F(failure_probability, "number", "",                                                           \
      "probability that a node or a domain of nodes fails under an attempt of `next_length`",      \
      lua_pushnumber, orr_rigid_failure_probability(orr_host_check_running(L, host, NULL), job))   \
    F(error_rate, "number", "1/s",                                                                 \
      "how often a failure strikes the job while it runs, on as few nodes and domains as "         \
      "possible, by the mean rates of `node_failures` without lemons; 0 if failures are not "      \
      "drawn",                                                                                     \
      lua_pushnumber, orr_rigid_error_rate(orr_host_check_running(L, host, NULL), job))            \
    F(silent_error_probability, "number", "",                                                      \
      "probability that a silent error strikes an attempt of `time`: "                             \
      "`1 - exp(-sim.silent_error_rate * area)`; known in a priority per workload, too",           \
      lua_pushnumber, silent_error_probability(in, job))                                           \
    F(expected_remaining, "number", "s",                                                           \
      "how long the job is expected to hold processors until it completes, with this "             \
      "`error_rate`: work, checkpoints, recoveries, and what failures make it do again",           \
      lua_pushnumber, orr_rigid_expected_remaining(orr_host_check_running(L, host, NULL), job))    \
    F(state, "\"pending\"|\"waiting\"|\"running\"|\"held\"|\"over\"", NULL,                        \
      "\"pending\" (not submitted), \"waiting\", \"running\", \"held\" or \"over\"",               \
      lua_pushstring, orr_job_state_name(look(L, host, job).state))                                \
    F(limited, "boolean", NULL,                                                                    \
      "whether the job waits and is over a limit, so that `sim:start` would be an error",          \
      lua_pushboolean, look(L, host, job).limited)                                                 \
    F(start, "number?", "s", "start of the latest attempt; nil before the first",                  \
      orr_view_push_time, look(L, host, job).start)                                                \
    F(planned_end, "number?", "s",                                                                 \
      "planned end of the latest attempt; for a job that is over, its end", orr_view_push_time,    \
      look(L, host, job).planned_end)                                                              \
    F(promised, "number?", "s",                                                                    \
      "with conservative backfilling: the first reservation of the job since it waits, also for "  \
      "its attempt; it starts no later unless something fails",                                    \
      orr_view_push_time, look(L, host, job).promised)                                             \
    F(reserved, "number?", "s",                                                                    \
      "with conservative backfilling: the start of the reservation of a waiting job as it is now", \
      orr_view_push_time, look(L, host, job).reserved)                                             \
    F(saved, "number", "s",                                                                        \
      "work that its [checkpoints](../spec/READINGS.md#36-checkpoints-of-rigid-jobs) have saved: " \
      "an interruption now would leave as much",                                                   \
      lua_pushnumber, look(L, host, job).saved)                                                    \
    F(next_length, "number", "s",                                                                  \
      "planned time of the attempt that runs, or else of the next one: recovery, the rest of the " \
      "work and checkpoints; without checkpoints it is `time`",                                    \
      lua_pushnumber, look(L, host, job).next_length)                                              \
    F(checkpoint_cost, "number?", "s",                                                             \
      "time that the job takes to write a checkpoint; nil if it cannot write any", push_cost,      \
      in->checkpoints.cost, job)                                                                   \
    F(recovery_cost, "number?", "s",                                                               \
      "time that an attempt of it takes to go on from a checkpoint; nil if it cannot write any",   \
      orr_view_push_time, recovery_of(&in->checkpoints, job))                                      \
    F(group, "string?", NULL, "name of the group where the job waits, is held, runs or ran last",  \
      lua_pushstring, group_of(host, look(L, host, job)))                                          \
    F(arrival, "number?", "s",                                                                     \
      "when the job entered the queue of that group: its submission, or the time of its move",     \
      orr_view_push_time, arrival_of(look(L, host, job)))

static const char *const job_fields[] = {JOB_FIELDS(ORR_FIELD_NAME) NULL};
static const orr_field_text job_texts[] = {JOB_FIELDS(ORR_FIELD_TEXT){NULL}};

/* A policy that reads the runtime gets an error that says why it is not available. */
static int fail_field(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "runtime") == 0)
        return luaL_error(L, "job.runtime: a policy never sees how long a job takes; job.time is "
                             "what the scheduler knows: the walltime in use, by default the "
                             "runtime");
    return orr_lua_unknown_field(L, "job", job_fields);
}

static int push_job_field(lua_State *L, const orr_host *host)
{
    enum { NONE, JOB_FIELDS(ORR_FIELD_NUMBER) };
    if (!host)
        return orr_view_fail_over(L);
    const void *value = lua_touserdata(L, 1); /* a job: nobody else has this function */
    int32_t job = orr_view_check_live(L, host, orr_view_unpack(host, value));
    const orr_instance *in = host->call->instance;
    switch (orr_view_field(L, &host->self->item)) {
        JOB_FIELDS(ORR_FIELD_CASE)
    default:
        return fail_field(L);
    }
}

static int job_index(lua_State *L)
{
    return push_job_field(L, orr_view_owner(L));
}

static int own_job_index(lua_State *L)
{
    return push_job_field(L, orr_view_own_host(L));
}

/* --- groups --------------------------------------------------------------------------------- */

#define GROUP_FIELDS(F)                                                                            \
    F(name, "string", NULL, "", lua_pushstring, view.name)                                         \
    F(procs, "integer", "processors", "", lua_pushinteger, view.procs)                             \
    F(free, "integer", "processors", "", lua_pushinteger, view.free)                               \
    F(down, "integer", "processors", "", lua_pushinteger, view.down)                               \
    F(waiting_count, "integer", "jobs", "", lua_pushinteger, view.waiting)                         \
    F(waiting_work, "number", "processor-seconds", "", lua_pushnumber,                             \
      orr_rigid_look_queue(host->call->sim, group).work)                                           \
    F(running_count, "integer", "jobs", "", lua_pushinteger, view.running)

static const char *const group_fields[] = {GROUP_FIELDS(ORR_FIELD_NAME) NULL};
static const orr_field_text group_texts[] = {GROUP_FIELDS(ORR_FIELD_TEXT){NULL}};

/* Of what sim:look gives. */
static int group_index(lua_State *L)
{
    enum { NONE, GROUP_FIELDS(ORR_FIELD_NUMBER) };
    const orr_host *host = orr_view_host(L);
    int32_t group = *(const int32_t *)lua_touserdata(L, 1); /* nobody else has this function */
    int field = orr_view_field(L, &host->self->group);
    if (field == NONE)
        return orr_lua_unknown_field(L, "a group", group_fields);
    orr_rigid_group_view view = orr_rigid_look_group(orr_host_check_running(L, host, NULL), group);
    switch (field) {
        GROUP_FIELDS(ORR_FIELD_CASE)
    }
    return 0;
}

/* --- sim ------------------------------------------------------------------------------------ */

/* Of the group where the hook takes place, or of the machine. */
static orr_rigid_group_view here(lua_State *L, const orr_host *host)
{
    orr_rigid *sim = orr_host_check_running(L, host, NULL);
    if (host->call->group >= 0)
        return orr_rigid_look_group(sim, host->call->group);
    orr_rigid_view all = orr_rigid_look(sim);
    return (orr_rigid_group_view){
        .free = all.free, .down = all.down, .waiting = all.waiting, .running = all.running};
}

static void push_groups(lua_State *L, const orr_host *host)
{
    lua_createtable(L, orr_host_group_count(host), 0);
    for (int32_t i = 0; i < orr_host_group_count(host); i++) {
        lua_pushstring(L, orr_host_group_name(host, i));
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_group(lua_State *L, orr_host *host)
{
    if (host->call->group < 0) {
        lua_pushnil(L);
        return;
    }
    lua_pushstring(L, orr_host_group_name(host, host->call->group));
    orr_view_show_group(L, host);
}

#define SIM_FIELDS(F)                                                                              \
    F(now, "number", "s", "the clock", lua_pushnumber,                                             \
      orr_rigid_look(orr_host_check_running(L, host, NULL)).now)                                   \
    F(procs, "integer", "processors", "processors of the group", lua_pushinteger,                  \
      host->call->procs)                                                                           \
    F(free, "integer", "processors", "free processors of the group", lua_pushinteger,              \
      here(L, host).free)                                                                          \
    F(down, "integer", "processors", "processors of the group that are out of service",            \
      lua_pushinteger, here(L, host).down)                                                         \
    F(waiting_count, "integer", "jobs", "waiting jobs of the group", lua_pushinteger,              \
      here(L, host).waiting)                                                                       \
    F(waiting_work, "number", "processor-seconds",                                                 \
      "work of the waiting jobs of the group: the sum of their areas", lua_pushnumber,             \
      orr_rigid_look_queue(orr_host_check_running(L, host, NULL), host->call->group).work)         \
    F(running_count, "integer", "jobs", "running jobs of the group", lua_pushinteger,              \
      here(L, host).running)                                                                       \
    F(group, "string?", NULL,                                                                      \
      "the current group: the group that decides, whose queue is ordered, that is idle, or where " \
      "the hook's job is. `\"main\"` if there is only one group. If there are several, it is nil " \
      "in `init` and `on_timer`, and the six fields above describe the machine",                   \
      push_group, host)                                                                            \
    F(node_failures, "integer", "", "failures of nodes and of domains of nodes so far",            \
      lua_pushinteger, orr_rigid_look(orr_host_check_running(L, host, NULL)).node_failures)        \
    F(windows, "integer", "",                                                                      \
      "maintenance, reservations and sizes of the machine that are open or to come. Where there "  \
      "are some, not all free processors do for every job: ask `can_start`",                       \
      lua_pushinteger, orr_rigid_look(orr_host_check_running(L, host, NULL)).windows)              \
    F(error_rate, "number", "1/s",                                                                 \
      "how often one node is struck by a failure, its own or that of its domain, by the mean "     \
      "rates of `node_failures` without lemons; 0 if failures are not drawn",                      \
      lua_pushnumber, orr_rigid_node_error_rate(orr_host_check_running(L, host, NULL)))            \
    F(silent_error_rate, "number", "1/s",                                                          \
      "how often a silent error strikes one busy processor (`errors`); 0 if they are not drawn",   \
      lua_pushnumber, host->call->instance->silent_error_rate)                                     \
    F(groups, "string[]", NULL, "list of the names of the groups", push_groups, host)              \
    F(first_submit, "number", "s", "the workload's earliest submission", lua_pushnumber,           \
      host->call->instance->first_submission)                                                      \
    F(state, "table", NULL,                                                                        \
      "the policy's own table; everything that changes while the simulation runs belongs here",    \
      orr_view_push_state, host)

static const char *const sim_fields[] = {
    SIM_FIELDS(ORR_FIELD_NAME) ORR_METHODS_OF_JOBS(ORR_METHOD_NAME), NULL};
static const orr_field_text sim_texts[] = {SIM_FIELDS(ORR_FIELD_TEXT){NULL}};

static int push_sim_field(lua_State *L, orr_host *host)
{
    enum { NONE, SIM_FIELDS(ORR_FIELD_NUMBER) };
    switch (orr_view_field(L, &host->self->sim)) {
        SIM_FIELDS(ORR_FIELD_CASE)
    default:
        return orr_lua_unknown_field(L, "sim", sim_fields);
    }
}

static int sim_index(lua_State *L)
{
    return push_sim_field(L, orr_view_host(L));
}

static int own_sim_index(lua_State *L)
{
    return push_sim_field(L, orr_view_check_host(L, orr_view_own_host(L)));
}

const orr_views orr_views_of_jobs = {
    .handles = "sim",
    .items = "jobs",
    .instead = "keep what you remember in sim.state",
    .sim = {"sim", ORR_SIM_OF_JOBS, sim_index, own_sim_index, sim_fields, "Sim", sim_texts,
            orr_methods_of_jobs},
    .item = {"job", ORR_JOB, job_index, own_job_index, job_fields, "Job", job_texts, NULL},
    .group = {"group", "orrery.group", group_index, NULL, group_fields, "GroupView", group_texts,
              NULL},
    .queue = orr_queue_of_jobs,
};
