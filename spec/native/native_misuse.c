/* native_misuse: calls of public functions with positions, numbers and values that are out of
 * range, in a process of their own. */
#include "native.h"

#include "orrery.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

ORR_API int luaopen_native_misuse(lua_State *L);

enum { PROCS = 4, FAR = 1000000 };

/* --- what is called on ------------------------------------------------------------------------ */

static orr_error err;

/* Made anew in every child, which ends without destroying it. */
static orr_jobs *jobs;
static orr_instance instance;
static orr_instance_options options;
static orr_rigid_policy policy;
static orr_rigid_setup setup;
static orr_rigid *sim;
static orr_rigid_change change;
static orr_tasks *tasks;
static orr_malleable_policy redistribution;
static orr_malleable_setup malleable_setup;
static orr_malleable *malleable;
static orr_malleable_change malleable_change;
static orr_pack_problem *problem;
static orr_coschedule *coschedule;

static bool make_jobs(void)
{
    jobs = orr_jobs_create(NULL, &err);
    for (int j = 0; j < 3; j++)
        orr_jobs_add(jobs, NULL, j, 3, 10, 20, &err);
    ORR_BEGIN(options);
    options.procs = PROCS;
    ORR_BEGIN(policy);
    policy.name = "easy";
    policy.discipline = ORR_DISPATCH_LIST;
    policy.reservations = 1;
    ORR_BEGIN(setup);
    setup.instance = &instance;
    setup.policy = &policy;
    setup.record = true;
    ORR_BEGIN(change);
    return orr_instance_create(&instance, jobs, &options, NULL, &err) == ORR_OK;
}

static bool make_tasks(void)
{
    tasks = orr_tasks_create(NULL, &err);
    for (int i = 0; i < 3; i++)
        orr_tasks_add(tasks, NULL, 1000 + i, ORR_PROFILE_AMDAHL, 0.1, &err);
    ORR_BEGIN(redistribution);
    ORR_BEGIN(malleable_setup);
    malleable_setup.count = 3;
    malleable_setup.procs = 12;
    malleable_setup.resilience = orr_resilience_default();
    malleable_setup.policy = &redistribution;
    malleable_setup.record = true;
    ORR_BEGIN(malleable_change);
    malleable = orr_malleable_create(&malleable_setup, &err);
    problem = orr_pack_problem_create(tasks, 6, 2, NULL, NULL, &err);
    const int32_t packs[] = {0, 0, 1}, procs[] = {2, 2, 2};
    coschedule = problem ? orr_coschedule_create(problem, packs, 2, procs, &err) : NULL;
    return malleable && orr_malleable_reset(malleable, tasks, 1, &err) == ORR_OK && coschedule;
}

/* A simulation in which the first job runs and the second one waits. */
static bool make_all(void)
{
    if (!make_jobs() || !make_tasks())
        return false;
    sim = orr_rigid_create(&setup, &err);
    return sim && orr_rigid_reset(sim, NULL, 1, &err) == ORR_OK &&
           orr_rigid_run_until(sim, 1, &err) == ORR_OK;
}

/* The sums of no differences, with a time or a length that is out of range. */
static orr_status block_sums(orr_job_time time, double length)
{
    orr_run run = orr_rigid_result(sim);
    orr_last_attempts last = {&instance, run.ends, NULL};
    orr_block_sum *blocks;
    int64_t count;
    return orr_block_sums(&last, &last, time, length, &blocks, &count, NULL, &err);
}

/* --- calls ------------------------------------------------------------------------------------ */

/* What comes back: a status and its message, or a value as text. */
static char answer[4096];

static void say(orr_status status)
{
    snprintf(answer, sizeof answer, "%d %s", (int)status, status == ORR_OK ? "" : err.message);
}

static void say_made(const void *made)
{
    say(made ? ORR_OK : err.status);
}

static void say_number(double number)
{
    snprintf(answer, sizeof answer, "value %.17g", number == 0 ? 0.0 : number);
}

static orr_instance an_instance(void)
{
    orr_instance in;
    say(orr_instance_create(&in, jobs, &options, NULL, &err));
    return in;
}

static void a_simulation(void)
{
    say_made(orr_rigid_create(&setup, &err));
}

/* On a machine of nodes, where a function of the policy places jobs. */
static orr_status odd_nodes(void *user, const orr_rigid_node_choice *choice, int32_t job,
                            orr_node_share *shares, int32_t *count, orr_error *e)
{
    (void)user, (void)choice, (void)job, (void)shares, (void)e;
    *count = FAR;
    return ORR_OK;
}

static void on_nodes(void (*what)(void))
{
    const orr_node_kind kind = {.count = 2, .procs = PROCS / 2};
    orr_nodes_options of;
    ORR_BEGIN(of);
    of.kinds = &kind;
    of.kind_count = 1;
    options.nodes = orr_nodes_create(&of, NULL, &err);
    instance = an_instance();
    policy.choose_nodes = odd_nodes;
    what();
}

static void a_run(void)
{
    orr_rigid *run = orr_rigid_create(&setup, &err);
    orr_status status = run ? orr_rigid_reset(run, NULL, 1, &err) : err.status;
    say(status == ORR_OK ? orr_rigid_finish(run, NULL, &err) : status);
}

/* A live one in place of the simulation. */
static void a_live(void)
{
    setup.live = true;
    sim = orr_rigid_create(&setup, &err);
    orr_rigid_reset(sim, NULL, 1, &err);
    orr_rigid_run_until(sim, 1, &err);
}

static void a_frozen(void)
{
    sim = orr_rigid_freeze(sim, &err);
}

static void a_change(void)
{
    orr_instance in = {0};
    say_made(orr_rigid_changed(sim, &change, &in, &err));
}

static void a_malleable(void)
{
    say_made(orr_malleable_create(&malleable_setup, &err));
}

static void a_malleable_change(void)
{
    say_made(orr_malleable_changed(malleable, &malleable_change, &err));
}

static orr_status priority_nan(void *user, const orr_rigid_priority_view *view, int32_t job,
                               double *value, orr_error *e)
{
    (void)user, (void)view, (void)job, (void)e;
    *value = NAN;
    return ORR_OK;
}

static orr_status no_state(void *user, orr_rigid *asked, void **state, orr_error *e)
{
    (void)user, (void)asked, (void)e;
    *state = NULL;
    return ORR_OK;
}

static orr_status no_task_state(void *user, orr_malleable *asked, void **state, orr_error *e)
{
    (void)asked;
    return no_state(user, NULL, state, e);
}

static bool no_span(void *user, const orr_span *span)
{
    (void)user, (void)span;
    return true;
}

static orr_status odd_dispatch(void *user, orr_rigid *asked, orr_error *e)
{
    int32_t job = *(int32_t *)user;
    return orr_rigid_start(asked, job, e);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the interface's
static orr_status odd_choice(void *user, const orr_rigid_choice *choice, int32_t job,
                             orr_interval *runs, int32_t *count, orr_error *e)
{
    (void)choice, (void)job, (void)runs, (void)e;
    *count = *(int32_t *)user;
    return ORR_OK;
}

static const int32_t far_away = FAR, below = -1, largest = INT32_MAX;
static double start;
static int32_t list[8];
static const double nan_first[] = {NAN, 1, 2};
static const double bad_table[] = {9, NAN, 4};
static const double bad_seconds[] = {9, NAN, 4}, good_seconds[] = {9, 9, 9},
                    short_seconds[] = {9, 9, 1e-300};

#define CALLS(C)                                                                                   \
    /* workload */                                                                                 \
    C(jobs_add_procs, say(orr_jobs_add(jobs, NULL, 0, 0, 1, NAN, &err)))                           \
    C(jobs_add_nan, say(orr_jobs_add(jobs, NULL, NAN, 1, 1, NAN, &err)))                           \
    C(jobs_add_time, say(orr_jobs_add(jobs, NULL, 0, 1, -1, NAN, &err)))                           \
    C(jobs_set_time_below, say(orr_jobs_set_time(jobs, -1, 5, &err)))                              \
    C(jobs_set_time_above, say(orr_jobs_set_time(jobs, 3, 5, &err)))                               \
    C(jobs_set_time_nan, say(orr_jobs_set_time(jobs, 0, NAN, &err)))                               \
    C(jobs_set_label_below, say(orr_jobs_set_label(jobs, -1, ORR_LABEL_USER, 0, &err)))            \
    C(jobs_set_label_above, say(orr_jobs_set_label(jobs, FAR, ORR_LABEL_USER, 0, &err)))           \
    C(jobs_set_label_kind, say(orr_jobs_set_label(jobs, 0, (orr_label)77, 0, &err)))               \
    C(jobs_set_label_number, say(orr_jobs_set_label(jobs, 0, ORR_LABEL_USER, 77, &err)))           \
    C(dropped_detail, say_number(orr_jobs_dropped_detail(jobs, FAR) == NULL))                      \
    C(quantity_above, say_number(orr_jobs_quantity(jobs, FAR, ORR_WIDTH, 60)))                     \
    C(quantity_below, say_number(orr_jobs_quantity(jobs, -1, ORR_WAIT, 60)))                       \
    C(extend_above, say(orr_jobs_extend(jobs, jobs, INT32_MAX, INT32_MAX, &err)))                  \
    C(label_name, say_number(orr_label_name((orr_label)77) == NULL))                               \
    C(jobs_pick_above, say_made(orr_jobs_pick(jobs, &far_away, 1, NULL, &err)))                    \
    C(jobs_pick_below, say_made(orr_jobs_pick(jobs, &below, 1, NULL, &err)))                       \
    C(jobs_pick_count, say_made(orr_jobs_pick(jobs, list, -1, NULL, &err)))                        \
    C(jobs_load_nan, say_made(orr_jobs_load(jobs, NAN, NULL, &err)))                               \
    C(jobs_load_zero, say_made(orr_jobs_load(jobs, 0, NULL, &err)))                                \
    C(jobs_between_nan, say_made(orr_jobs_between(jobs, NAN, 1, NULL, &err)))                      \
    C(instance_procs, options.procs = 0; an_instance())                                            \
    C(instance_procs_above, options.procs = INT32_MAX; an_instance())                              \
    C(instance_nan, options.verification = NAN; an_instance())                                     \
    C(instance_silent_error_rate, options.silent_error_rate = -1; an_instance())                   \
    C(instance_tau, options.tau = NAN; an_instance())                                              \
    C(instance_window, options.warmup = -1; an_instance())                                         \
    C(instance_size, options.size = 0; an_instance())                                              \
    C(instance_cost, options.checkpoints = (orr_checkpoints){.cost = bad_seconds}; an_instance())  \
    C(instance_recovery,                                                                           \
      options.checkpoints = (orr_checkpoints){.cost = good_seconds, .recovery = bad_seconds};      \
      an_instance())                                                                               \
    C(instance_period,                                                                             \
      options.checkpoints = (orr_checkpoints){.cost = good_seconds, .period = bad_seconds};        \
      an_instance())                                                                               \
    C(instance_period_short,                                                                       \
      options.checkpoints = (orr_checkpoints){.cost = good_seconds, .period = short_seconds};      \
      an_instance())                                                                               \
    C(instance_no_cost, options.checkpoints = (orr_checkpoints){.period = good_seconds};           \
      an_instance())                                                                               \
    C(young_below, say_number(orr_young_period(-1, 2)))                                            \
    C(daly_nan, say_number(orr_daly_period(9, NAN)))                                               \
    C(job_mtbf_procs, say_number(orr_job_mtbf(9, 0, 2)))                                           \
    C(tasks_add_profile, say(orr_tasks_add(tasks, NULL, 10, (orr_profile)77, 0.1, &err)))          \
    C(tasks_add_nan, say(orr_tasks_add(tasks, NULL, NAN, ORR_PROFILE_AMDAHL, 0.1, &err)))          \
    C(tasks_table, say(orr_tasks_add_table(tasks, NULL, 1, bad_table, 3, &err)))                   \
    C(tasks_table_empty, say(orr_tasks_add_table(tasks, NULL, 1, bad_table, 0, &err)))             \
    C(task_time_below, say_number(orr_task_time(tasks, -1, 2)))                                    \
    C(task_time_above, say_number(orr_task_time(tasks, FAR, 2)))                                   \
    C(task_time_procs, say_number(orr_task_time(tasks, 0, 0)))                                     \
    C(quantiles_nan, double x = 1, p = NAN, q; say(orr_quantiles(&x, 1, &p, 1, &q, NULL, &err)))   \
    C(quantiles_none, double x = 1, p = 0.5, q; say(orr_quantiles(&x, -1, &p, 1, &q, NULL, &err))) \
    C(histogram_nan, orr_histogram h = orr_histogram_create(NULL); double p = NAN, q;              \
      say(orr_histogram_quantiles(&h, &p, 1, &q, &err)))                                           \
    /* rigid: creation */                                                                          \
    C(create_instant, setup.instant = (orr_instant)77; a_simulation())                             \
    C(instance_grace, options.grace = NAN; an_instance())                                          \
    C(instance_cap, options.cap = true; an_instance())                                             \
    C(instance_cap_extend, options.cap = options.extend = options.log_walltimes = true;            \
      an_instance())                                                                               \
    C(pass_dead, say(orr_rigid_pass(sim, 9, &err)))                                                \
    C(pass_back, a_live(); say(orr_rigid_pass(sim, -1, &err)))                                     \
    C(pass_nan, a_live(); say(orr_rigid_pass(sim, NAN, &err)))                                     \
    C(pass_reported, a_live(); orr_rigid_report_end(sim, 0, ORR_COMPLETED, &err);                  \
      say(orr_rigid_pass(sim, 9, &err)))                                                           \
    C(report_end_above, a_live(); say(orr_rigid_report_end(sim, FAR, ORR_COMPLETED, &err)))        \
    C(report_end_below, a_live(); say(orr_rigid_report_end(sim, -1, ORR_COMPLETED, &err)))         \
    C(report_end_outcome, a_live(); say(orr_rigid_report_end(sim, 0, ORR_NODE_FAILED, &err)))      \
    C(create_discipline, policy.discipline = (orr_rigid_discipline)77; a_simulation())             \
    C(create_custom, policy.discipline = ORR_DISPATCH_CUSTOM; a_simulation())                      \
    C(create_reservations, policy.reservations = -1; a_simulation())                               \
    C(create_reading, policy.reading = (orr_rigid_reading)77; a_simulation())                      \
    C(create_place, policy.place = (orr_placing)77; a_simulation())                                \
    C(create_place_nodes, policy.place = ORR_PLACE_NODES; a_simulation())                          \
    C(create_place_nodes_below, policy.place = ORR_PLACE_NODES; policy.node_procs = -1;            \
      a_simulation())                                                                              \
    C(create_place_chosen, policy.place = ORR_PLACE_CHOSEN; a_simulation())                        \
    C(create_place_of_two, policy.place = (orr_placing)77; on_nodes(a_simulation))                 \
    C(create_place_of_two_chosen, policy.place = ORR_PLACE_CHOSEN; on_nodes(a_simulation))         \
    C(choose_nodes_many, policy.place = ORR_PLACE_LOW; on_nodes(a_run))                            \
    C(create_place_custom, policy.discipline = ORR_DISPATCH_CUSTOM;                                \
      policy.dispatch = odd_dispatch; policy.place = ORR_PLACE_CONTIGUOUS; a_simulation())         \
    C(choose_many, policy.place = ORR_PLACE_CHOSEN; policy.choose = odd_choice;                    \
      policy.choose_user = (void *)&far_away; a_run())                                             \
    C(choose_below, policy.place = ORR_PLACE_CHOSEN; policy.choose = odd_choice;                   \
      policy.choose_user = (void *)&below; a_run())                                                \
    C(create_per, policy.priority = priority_nan; policy.per = (orr_rigid_per)77; a_simulation())  \
    C(create_groups, policy.group_count = 5; a_simulation())                                       \
    C(create_groups_below, policy.group_count = -5; a_simulation())                                \
    C(create_nameless, policy.name = NULL; policy.make_state = no_state; a_simulation())           \
    C(change_nameless, policy.name = NULL; policy.priority = priority_nan;                         \
      change.policy = &policy; a_change())                                                         \
    C(groups_nameless, policy.name = NULL; policy.group_count = 5; a_simulation())                 \
    C(create_half_a_state, policy.make_state = no_state; a_simulation())                           \
    C(live_finish, a_live(); say(orr_rigid_finish(sim, NULL, &err)))                               \
    C(create_instance, setup.instance = NULL; a_simulation())                                      \
    C(create_policy, setup.policy = NULL; a_simulation())                                          \
    C(create_priorities, setup.priorities = nan_first; policy.priority = priority_nan;             \
      a_simulation())                                                                              \
    C(create_rule, orr_rigid_set_rule(&policy, (orr_rigid_rule)77); a_run())                       \
    C(priority_nan, policy.priority = priority_nan; a_run())                                       \
    C(backfill_nan, policy.backfill = priority_nan; policy.backfill_per = ORR_PER_DECISION;        \
      a_run())                                                                                     \
    C(frozen_step, a_frozen(); say(orr_rigid_step(sim, &err)))                                     \
    C(frozen_run, a_frozen(); say(orr_rigid_run_until(sim, 9, &err)))                              \
    C(frozen_reset, a_frozen(); say(orr_rigid_reset(sim, NULL, 1, &err)))                          \
    C(reset_failures, int32_t f[] = {-1, 0, 0}; say(orr_rigid_reset(sim, f, 1, &err)))             \
    C(run_until_nan, say(orr_rigid_run_until(sim, NAN, &err)))                                     \
    C(dispatch_below, policy.discipline = ORR_DISPATCH_CUSTOM; policy.dispatch = odd_dispatch;     \
      policy.user = (void *)&below; a_run())                                                       \
    C(dispatch_above, policy.discipline = ORR_DISPATCH_CUSTOM; policy.dispatch = odd_dispatch;     \
      policy.user = (void *)&far_away; a_run())                                                    \
    /* rigid: questions */                                                                         \
    C(group_above, say_number(orr_rigid_look_group(sim, FAR).procs))                               \
    C(group_below, say_number(orr_rigid_look_group(sim, -1).procs))                                \
    C(job_above, say_number(orr_rigid_job(sim, INT32_MAX).start))                                  \
    C(job_below, say_number(orr_rigid_job(sim, -1).start))                                         \
    C(waiting_group, say_number(orr_rigid_next_waiting(sim, FAR, -1, PROCS)))                      \
    C(waiting_group_below, say_number(orr_rigid_next_waiting(sim, -1, -1, PROCS)))                 \
    C(waiting_job, say_number(orr_rigid_next_waiting(sim, 0, FAR, PROCS)))                         \
    C(waiting_pending, say_number(orr_rigid_next_waiting(sim, 0, 2, PROCS)))                       \
    C(waiting_procs, say_number(orr_rigid_next_waiting(sim, 0, -1, INT32_MIN)))                    \
    C(running_group, say_number(orr_rigid_running(sim, FAR, list)))                                \
    C(queue_above, say_number(orr_rigid_look_queue(sim, FAR).waiting))                             \
    C(queue_below, say_number(orr_rigid_look_queue(sim, -2).work))                                 \
    C(wait_group, say_number(orr_rigid_recent_wait(sim, FAR, 0.5)))                                \
    C(wait_group_below, say_number(orr_rigid_recent_wait(sim, -1, 0.5)))                           \
    C(wait_nan, say_number(orr_rigid_recent_wait(sim, 0, NAN)))                                    \
    C(wait_below, say_number(orr_rigid_recent_wait(sim, 0, -0.5)))                                 \
    C(wait_above, say_number(orr_rigid_recent_wait(sim, 0, 1.5)))                                  \
    C(earliest_group, say_number(orr_rigid_earliest_start(sim, FAR, 1, 1)))                        \
    C(earliest_procs, say_number(orr_rigid_earliest_start(sim, 0, -1, 1)))                         \
    C(earliest_seconds, say_number(orr_rigid_earliest_start(sim, 0, 1, NAN)))                      \
    C(earliest_seconds_below, say_number(orr_rigid_earliest_start(sim, 0, 1, -1)))                 \
    C(node_above, say_number(orr_rigid_look_node(sim, FAR).count))                                 \
    C(node_below, say_number(orr_rigid_look_node(sim, -1).back))                                   \
    C(probability_above, say_number(orr_rigid_failure_probability(sim, FAR)))                      \
    C(probability_below, say_number(orr_rigid_failure_probability(sim, -1)))                       \
    C(can_start_above, say_number(orr_rigid_can_start(sim, FAR)))                                  \
    C(can_start_below, say_number(orr_rigid_can_start(sim, -1)))                                   \
    C(can_start_pending, say_number(orr_rigid_can_start(sim, 2)))                                  \
    C(can_start_running, say_number(orr_rigid_can_start(sim, 0)))                                  \
    /* rigid: actions */                                                                           \
    C(start_above, say(orr_rigid_start(sim, FAR, &err)))                                           \
    C(reserve_below, say(orr_rigid_reserve(sim, -1, &start, &err)))                                \
    C(kill_above, say(orr_rigid_kill(sim, FAR, &err)))                                             \
    C(checkpoint_above, say(orr_rigid_checkpoint(sim, FAR, &err)))                                 \
    C(preempt_below, say(orr_rigid_preempt(sim, -1, &err)))                                        \
    C(requeue_below, say(orr_rigid_requeue(sim, -1, &err)))                                        \
    C(move_job, say(orr_rigid_move(sim, FAR, 0, &err)))                                            \
    C(move_group, say(orr_rigid_move(sim, 0, FAR, &err)))                                          \
    C(hold_below, say(orr_rigid_hold(sim, -1, &err)))                                              \
    C(release_above, say(orr_rigid_release(sim, FAR, &err)))                                       \
    C(wake_nan, say(orr_rigid_wake_at(sim, NAN, &err)))                                            \
    C(change_cancel, change.cancel = &far_away; change.cancel_count = 1; a_change())               \
    C(change_cancel_below, change.cancel = &below; change.cancel_count = 1; a_change())            \
    C(change_fail, change.fail = &far_away; change.fail_count = 1; a_change())                     \
    C(change_lambda, change.draws = true; change.lambda = NAN; a_change())                         \
    C(change_count, change.cancel_count = -1; a_change())                                          \
    C(change_room, change.room = INT32_MAX; a_change())                                            \
    C(change_room_below, change.room = -1; a_change())                                             \
    C(change_size, change.size = 0; a_change())                                                    \
    C(zone_name, orr_zone *zone; say(orr_zone_create(&zone, "../passwd", NULL, &err)))             \
    C(zone_empty, orr_zone *zone; say(orr_zone_create(&zone, "", NULL, &err)))                     \
    C(zone_far, say_number((double)orr_zone_next(NULL, INT64_MAX, 0)))                             \
    C(zone_early, say_number((double)orr_zone_instant(NULL, INT64_MIN)))                           \
    C(users_kind, orr_users users; orr_run run = orr_rigid_result(sim);                            \
      say(orr_users_measure(&users, &instance, (orr_label)-1, run.ends, run.ends, NULL, &err)))    \
    C(block_length, say(block_sums(ORR_TIME_WAIT, NAN)))                                           \
    C(block_time, say(block_sums((orr_job_time)77, 10)))                                           \
    C(measure_midway, say_number(orr_rigid_measure(sim).wait_mean))                                \
    C(measure_midway_counts, say_number((double)orr_rigid_measure(sim).starts))                    \
    C(result_midway, say_number(orr_rigid_result(sim).ends == NULL))                               \
    C(job_midway, orr_run run = orr_rigid_result(sim);                                             \
      say_number(orr_measure_job(&instance, &run, 0).wait))                                        \
    C(quantiles_midway, orr_job_quantiles q; orr_run run = orr_rigid_result(sim);                  \
      say(orr_measure_quantiles(&instance, &run, NULL, &q, &err)))                                 \
    C(users_midway, orr_users users; orr_run run = orr_rigid_result(sim);                          \
      say(orr_users_measure(&users, &instance, ORR_LABEL_USER, run.ends, NULL, NULL, &err)))       \
    C(measure_job, orr_run run = orr_rigid_result(sim);                                            \
      say_number(orr_measure_job(&instance, &run, FAR).flow))                                      \
    C(times_of_job_above, say_number(orr_times_of_job(&instance, FAR, 9, 1).flow))                 \
    C(times_of_job_below, say_number(orr_times_of_job(&instance, -1, 9, 1).bsld))                  \
    C(schedule_group_above, say_number(orr_schedule_group(orr_rigid_schedule(sim), FAR) == NULL))  \
    C(schedule_group_below, say_number(orr_schedule_group(orr_rigid_schedule(sim), -1) == NULL))   \
    C(silent_lambda, orr_silent_errors e;                                                          \
      say(orr_silent_errors_create(&e, &instance, NAN, 10, NULL, &err)))                           \
    /* malleable */                                                                                \
    C(malleable_count, malleable_setup.count = 0; a_malleable())                                   \
    C(malleable_procs, malleable_setup.procs = 3; a_malleable())                                   \
    C(malleable_nan, malleable_setup.resilience.mtbf = NAN; a_malleable())                         \
    C(malleable_rule, malleable_setup.resilience.rule = (orr_period_rule)77; a_malleable())        \
    C(malleable_law, malleable_setup.faults.law = (orr_fault_law)77; a_malleable())                \
    C(malleable_half_a_state, redistribution.make_state = no_task_state; a_malleable())            \
    C(malleable_half_a_state_changed, redistribution.make_state = no_task_state;                   \
      malleable_change.policy = &redistribution; a_malleable_change())                             \
    C(task_id_above, say_number(orr_tasks_id(tasks, INT32_MAX) == NULL))                           \
    C(stint_spans, orr_stint_spans(orr_malleable_stints(malleable), FAR, 9, no_span, NULL);        \
      say_number(0))                                                                               \
    C(malleable_run_until_nan, say(orr_malleable_run_until(malleable, NAN, &err)))                 \
    C(task_above, say_number(orr_malleable_task(malleable, FAR).procs))                            \
    C(task_below, say_number(orr_malleable_task(malleable, -1).procs))                             \
    C(proposed, say_number(orr_malleable_proposed(malleable, FAR)))                                \
    C(proposed_finish, say_number(orr_malleable_proposed_finish(malleable, -1)))                   \
    C(most, say_number(orr_malleable_most(malleable, FAR)))                                        \
    C(drop, orr_malleable_drop(malleable, FAR); say_number(0))                                     \
    C(finish_with_task, say_number(orr_malleable_finish_with(malleable, FAR, 2)))                  \
    C(finish_with_procs, say_number(orr_malleable_finish_with(malleable, 0, FAR)))                 \
    C(improvement, say_number(orr_malleable_improvement(malleable, -1, 2)))                        \
    C(transfer, say_number(orr_malleable_transfer(malleable, 0, FAR)))                             \
    C(assign, say(orr_malleable_assign(malleable, FAR, 2, &err)))                                  \
    C(malleable_cancel, malleable_change.cancel = &far_away; malleable_change.cancel_count = 1;    \
      a_malleable_change())                                                                        \
    C(malleable_cancel_largest, malleable_change.cancel = &largest;                                \
      malleable_change.cancel_count = 1; a_malleable_change())                                     \
    /* packs */                                                                                    \
    C(problem_procs, say_made(orr_pack_problem_create(tasks, 0, 2, NULL, NULL, &err)))             \
    C(problem_k, say_made(orr_pack_problem_create(tasks, 6, -1, NULL, NULL, &err)))                \
    C(procs_for, say_number(orr_pack_procs_for(problem, FAR, 10)))                                 \
    C(coschedule_pack, const int32_t p[] = {0, 9, 1}; const int32_t n[] = {2, 2, 2};               \
      say_made(orr_coschedule_create(problem, p, 2, n, &err)))                                     \
    C(coschedule_idle, say_number(orr_coschedule_idle(problem, coschedule, FAR)))                  \
    C(pack_cost,                                                                                   \
      say_number(orr_partition_pack_cost(orr_partition_create(problem, coschedule, &err), FAR)))   \
    C(pack_of,                                                                                     \
      say_number(orr_partition_pack_of(orr_partition_create(problem, coschedule, &err), FAR)))     \
    C(move_gain, say_number(orr_partition_move_gain(                                               \
                     orr_partition_create(problem, coschedule, &err), FAR, 0)))                    \
    C(swap_gain, say_number(orr_partition_swap_gain(                                               \
                     orr_partition_create(problem, coschedule, &err), 0, FAR)))                    \
    C(partition_move,                                                                              \
      say(orr_partition_move(orr_partition_create(problem, coschedule, &err), -1, 0, &err)))       \
    C(partition_move_pack, say(orr_partition_move(orr_partition_create(problem, coschedule, &err), \
                                                  0, INT32_MAX, &err)))                            \
    C(move_gain_pack, say_number(orr_partition_move_gain(                                          \
                          orr_partition_create(problem, coschedule, &err), 0, INT32_MIN)))         \
    C(allocation_procs,                                                                            \
      say_number(orr_allocation_procs(orr_allocation_create(problem, &err), FAR)))                 \
    C(one_pack, const int32_t far[] = {FAR}; double cost;                                          \
      say(orr_one_pack(problem, far, 1, list, &cost, &err)))                                       \
    C(one_pack_cost, const int32_t far[] = {FAR}; say_number(orr_one_pack_cost(problem, far, 1)))  \
    C(open_pack_costs, const int32_t far[] = {FAR}; double cost;                                   \
      say(orr_open_pack_costs(problem, far, 1, &cost, &err)))                                      \
    C(open_pack_costs_below, double cost;                                                          \
      say(orr_open_pack_costs(problem, list, -1, &cost, &err)))                                    \
    C(label_text_above, say_number(orr_labels_text(&jobs->names, FAR) == NULL))                    \
    C(label_text_below, say_number(orr_labels_text(&jobs->names, -1) == NULL))                     \
    C(cut, const int32_t far[] = {FAR, 0, 1}; orr_coschedule * found;                              \
      say(orr_cut(problem, far, 1e9, &found, &err)))

#define FUNCTION(name, ...)                                                                        \
    static void call_##name(void)                                                                  \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CALLS(FUNCTION)

#define ROW(name, ...) {#name, call_##name},
static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {CALLS(ROW)};
enum { COUNT = sizeof calls / sizeof *calls };

/* --- from Lua --------------------------------------------------------------------------------- */

/* The child: answers go through the pipe, each with its end. */
static void answer_to(int pipe, int first)
{
    for (int i = first; i < COUNT; i++) {
        answer[0] = '\0';
        if (make_all())
            calls[i].call();
        else
            snprintf(answer, sizeof answer, "nothing to call: %s", err.message);
        if (write(pipe, answer, strlen(answer) + 1) < 0)
            _exit(1);
    }
    _exit(0);
}

/* answers(i): those of calls i, i + 1, ..., all of one process, to the last call or to one that ends
 * the process: "2 job 5 is ...", a status and its message; "value 0"; or "signal 11". */
static int answers(lua_State *L)
{
    int first = (int)luaL_checkinteger(L, 1) - 1, ends[2], status = 0, count = 0;
    luaL_argcheck(L, first >= 0 && first < COUNT, 1, "no such call");
    if (pipe(ends) != 0)
        return luaL_error(L, "no pipe");
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        answer_to(ends[1], first);
    }
    close(ends[1]);
    luaL_Buffer all;
    luaL_buffinit(L, &all);
    for (;;) {
        char *text = luaL_prepbuffer(&all);
        ssize_t n = read(ends[0], text, LUAL_BUFFERSIZE);
        if (n <= 0)
            break;
        luaL_addsize(&all, (size_t)n);
    }
    luaL_pushresult(&all);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return luaL_error(L, "no child");
    size_t size;
    const char *text = lua_tolstring(L, -1, &size), *end = text + size;
    lua_newtable(L);
    for (; text < end; text += strlen(text) + 1) {
        lua_pushstring(L, text);
        lua_rawseti(L, -2, ++count);
    }
    if (first + count < COUNT) {
        bool killed = WIFSIGNALED(status);
        lua_pushfstring(L, "%s %d", killed ? "signal" : "exit status",
                        killed ? WTERMSIG(status) : WEXITSTATUS(status));
        lua_rawseti(L, -2, count + 1);
    }
    return 1;
}

int luaopen_native_misuse(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    for (int i = 0; i < COUNT; i++) {
        lua_pushstring(L, calls[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "names");
    lua_pushcfunction(L, answers);
    lua_setfield(L, -2, "answers");
    return 1;
}
