/* native_errors: every function that takes an orr_error, called with one and without, on memory
 * that runs out at one allocation or not at all, and with arguments that it refuses. */
#include "../bench/heuristics.h"
#include "base/calendar_internal.h"
#include "native.h"

#include "base/try_internal.h"
#include "orrery.h"
#include "rigid/machine/scenario_internal.h"
#include "workload/faults_internal.h"
#include "workload/instance_internal.h"
#include "workload/jobs_internal.h"
#include "workload/select_internal.h"
#include "workload/write_swf_internal.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_errors(lua_State *L);

enum { JOBS = 6, TASKS = 4, PROCS = 12 };

/* Files that the spec has written. */
typedef struct files {
    const char *log, *failures, *tasks, *faults, *outages, *windows;
} files;

#define OK(call) ((call) == ORR_OK)

static bool write_nowhere(void *user, const char *text, size_t size)
{
    (void)user, (void)text, (void)size;
    return true;
}

static const orr_sink nowhere = {write_nowhere, NULL};

/* --- base ------------------------------------------------------------------------------------- */

static bool numbers(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    double x[] = {3, 1, 2}, y[] = {1, 2, 2}, half = 0.5, quantile;
    orr_summary summary;
    orr_series mean;
    orr_quantile median;
    orr_signed_rank ranks;
    orr_fidelity fidelity;
    ori_calendar calendar;
    orr_histogram histogram = orr_histogram_create(a);
    bool fine = OK(orr_series_mean(x, y, 3, 0.95, &mean, err)) &&
                OK(orr_summarise_paired(x, y, 3, a, &summary, err)) &&
                OK(orr_quantiles(x, 3, &half, 1, &quantile, a, err)) &&
                OK(orr_quantile_interval(x, 3, 0.5, 0.95, a, &median, err)) &&
                OK(orr_signed_rank_test(x, 3, 0.95, a, &ranks, err)) &&
                OK(orr_measure_fidelity(x, y, 3, a, &fidelity, err)) &&
                OK(orr_histogram_add(&histogram, 3, err)) &&
                OK(orr_histogram_quantiles(&histogram, &half, 1, &quantile, err));
    orr_histogram_destroy(&histogram);
    if (fine) {
        fine = OK(ori_calendar_create(&calendar, 2, a, err)) &&
               OK(ori_calendar_reserve(&calendar, 64, err));
        ori_calendar_destroy(&calendar);
    }
    return fine;
}

/* --- workload --------------------------------------------------------------------------------- */

static orr_jobs *some_jobs(const orr_allocator *a, orr_error *err)
{
    orr_jobs *jobs = orr_jobs_create(a, err);
    bool fine = jobs != NULL;
    for (int j = 0; j < JOBS && fine; j++)
        fine = OK(orr_jobs_add(jobs, NULL, j % 3, j % 4 + 1, 10 + j, j % 2 == 0 ? 20 : NAN, err));
    if (fine)
        return jobs;
    orr_jobs_destroy(jobs);
    return NULL;
}

static bool label(orr_jobs *jobs, orr_error *err)
{
    int32_t number;
    return OK(orr_labels_number(&jobs->names, "alice", 5, &number, err)) &&
           OK(orr_jobs_set_label(jobs, 1, ORR_LABEL_USER, number, err)) &&
           OK(orr_jobs_set_wait(jobs, 1, 3, err)) && OK(orr_jobs_set_time(jobs, 1, 4, err)) &&
           OK(orr_jobs_set_pays(jobs, 1, (orr_job_pays){2, NAN}, err)) &&
           OK(orr_jobs_set_counted(jobs, 1, false, err)) &&
           OK(orr_jobs_add_pool(jobs, "gpu", &number, err)) &&
           OK(orr_jobs_set_need(jobs, 1, number, 2, err)) &&
           OK(ori_jobs_set_after(jobs, 1, "0", err)) &&
           OK(ori_jobs_add_dropped(jobs, 3, "x", ORR_DROP_WIDE, NULL, err)) &&
           OK(ori_jobs_count_repeated(jobs, err));
}

static bool keep_all(void *user, const orr_jobs *jobs, int32_t job)
{
    (void)user, (void)jobs, (void)job;
    return true;
}

static bool select_some(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    const int32_t first[] = {0, 1};
    const orr_week_options week = {.length = 1, .procs = PROCS};
    orr_jobs *made[8] = {NULL};
    orr_week *weeks = NULL;
    orr_job_day *days = NULL;
    orr_log_description described;
    orr_label_share *shares = NULL;
    int32_t count = 0, share_count = 0;
    bool fine = (made[0] = orr_jobs_pick(jobs, first, 2, a, err)) &&
                (made[1] = ori_jobs_filter(jobs, keep_all, NULL, a, err)) &&
                (made[2] = orr_jobs_between(jobs, 0, 2, a, err)) &&
                (made[3] = orr_jobs_days(jobs, 0, 1, a, err)) &&
                (made[4] = orr_jobs_load(jobs, 2, a, err)) &&
                (made[5] = orr_jobs_append(jobs, made[0], a, err)) &&
                OK(orr_jobs_extend(made[5], made[0], 1, 1, err)) &&
                (made[6] = orr_jobs_of_week(jobs, &week, 0, a, err)) &&
                (made[7] = orr_jobs_slice(jobs, orr_jobs_slices(jobs, 1), 1, 0, a, err)) &&
                (days = orr_jobs_by_day(jobs, a, err)) &&
                OK(orr_jobs_weeks(jobs, &week, &weeks, &count, a, err)) &&
                OK(orr_jobs_describe(jobs, 0, ORR_TAU, a, &described, err)) &&
                OK(orr_jobs_shares(jobs, ORR_LABEL_USER, &shares, &share_count, a, err));
    for (int i = 0; i < 8; i++)
        orr_jobs_destroy(made[i]);
    orr_release(a, weeks, (size_t)count * sizeof *weeks);
    orr_release(a, shares, (size_t)share_count * sizeof *shares);
    orr_release(a, days, JOBS * sizeof *days);
    return fine;
}

static bool format_jobs(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    double times[JOBS] = {0};
    ori_swf_result results[JOBS] = {{0}};
    ori_swf_run run = {times, times, results, PROCS, "none"};
    char *text = NULL;
    size_t size = 0, capacity = 0;
    bool fine = OK(orr_jobs_format(jobs, ORR_LOG_SWF, &text, &size, &capacity, a, err));
    orr_release(a, text, capacity);
    text = NULL;
    size = capacity = 0;
    fine = fine && OK(ori_jobs_format_swf(jobs, &run, &text, &size, &capacity, a, err));
    orr_release(a, text, capacity);
    return fine;
}

static bool jobs(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_jobs *jobs = some_jobs(a, err);
    bool fine = jobs && label(jobs, err) && select_some(jobs, a, err) && format_jobs(jobs, a, err);
    orr_jobs_destroy(jobs);
    return fine;
}

static bool generators(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_synthetic synthetic = orr_synthetic_default();
    orr_mira_month month = orr_mira_month_default();
    orr_lublin lublin = orr_lublin_default();
    orr_lublin_means means;
    orr_user_estimates estimates = {0};
    orr_jobs *made[4] = {NULL};
    synthetic.count = month.count = 20;
    month.min_day = month.max_day = 4;
    month.days = 5;
    lublin.count = 20;
    bool fine = (made[0] = orr_generate_synthetic(&synthetic, 1, 0, a, err)) &&
                (made[1] = orr_generate_mira(&month, 1, a, err)) &&
                (made[2] = orr_generate_lublin(&lublin, 1, 0, a, err)) &&
                (made[3] = orr_jobs_estimated(made[2], &estimates, 1, 0, a, err)) &&
                OK(orr_lublin_expect(&lublin, &means, err));
    for (int i = 0; i < 4; i++)
        orr_jobs_destroy(made[i]);
    return fine;
}

static bool readers(const files *f, const orr_allocator *a, orr_error *err)
{
    static const char text[] = "id,procs,time\na,1,2\n";
    orr_jobs *made[2] = {NULL};
    orr_reader *reader = NULL;
    int32_t *counts = NULL;
    int64_t rows = 0;
    bool fine = (made[0] = orr_read_jobs(f->log, NULL, a, err)) &&
                OK(orr_read_failures(f->failures, 2, &counts, &rows, a, err)) &&
                (reader = orr_reader_create("text", NULL, a, err)) &&
                OK(orr_reader_feed(reader, text, sizeof text - 1, err));
    if (fine)
        fine = (made[1] = orr_reader_finish(reader, err)) != NULL;
    else
        orr_reader_destroy(reader);
    orr_release(a, counts, (size_t)rows * 2 * sizeof *counts);
    orr_jobs_destroy(made[0]);
    orr_jobs_destroy(made[1]);
    return fine;
}

static bool outages(const files *f, const orr_allocator *a, orr_error *err)
{
    orr_outage_list list;
    orr_outage_reading reading = {
        .size = sizeof reading, .procs = 8, .node_procs = 2, .node_names = "n[0-2],x"};
    bool fine = OK(orr_read_outages(f->outages, &reading, &list, a, err));
    orr_release(a, list.outages, (size_t)list.count * sizeof *list.outages);
    orr_release(a, list.kinds, (size_t)list.count * sizeof *list.kinds);
    reading.node_names = "n[0-";
    return fine && !OK(orr_read_outages(f->outages, &reading, &list, a, err)) &&
           !OK(orr_read_outages("/nonexistent", &reading, &list, a, err));
}

static bool format_tasks(const orr_tasks *tasks, const orr_allocator *a, orr_error *err)
{
    char *text = NULL;
    size_t size = 0, capacity = 0;
    bool fine = OK(orr_tasks_format(tasks, &text, &size, &capacity, a, err));
    orr_release(a, text, capacity);
    return fine;
}

static bool tasks(const files *f, const orr_allocator *a, orr_error *err)
{
    const double times[] = {9, 5, 4};
    orr_synthetic_tasks synthetic = {TASKS, 1e4, 3e4, 0.05};
    orr_fault *log = NULL;
    int64_t count = 0;
    orr_tasks *read = NULL, *made = orr_tasks_create(a, err);
    bool fine = made && OK(orr_generate_tasks(made, &synthetic, 1, 0, 1, err)) &&
                OK(orr_tasks_add(made, "x", 100, ORR_PROFILE_AMDAHL, 0.1, err)) &&
                OK(orr_tasks_add_table(made, "y", 0, times, 3, err)) &&
                (read = orr_read_tasks(f->tasks, 0.08, a, err)) &&
                OK(orr_tasks_append(made, read, err)) &&
                OK(orr_read_faults(f->faults, read, PROCS, &log, &count, a, err)) &&
                format_tasks(read, a, err);
    orr_release(a, log, (size_t)count * sizeof *log);
    orr_tasks_destroy(read);
    orr_tasks_destroy(made);
    return fine;
}

static bool faults(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    bool fine = true;
    for (int law = ORR_FAULTS_NONE; law <= ORR_FAULTS_LOGNORMAL && fine; law++) {
        orr_faults_setup setup = {
            .law = (orr_fault_law)law, .procs = PROCS, .mtbf = 10, .shape = 0.7, .alloc = a};
        orr_faults *copy = NULL, *source = orr_faults_create(&setup, err);
        fine = source && OK(orr_faults_reset(source, 1, 0, 1, err)) &&
               OK(orr_faults_take(source, err)) && OK(ori_faults_grow(source, 3, 5, err)) &&
               OK(ori_faults_draw_anew(source, 2, 0, 1, err)) &&
               (copy = ori_faults_copy(source, err));
        orr_faults_destroy(copy);
        orr_faults_destroy(source);
    }
    orr_resilience r = orr_resilience_default();
    return fine && OK(orr_resilience_check(&r, err));
}

static bool windows(const files *f, const orr_allocator *a, orr_error *err)
{
    const orr_window one = {1, 2, ORR_WINDOW_HIGHEST, 1, "ann", NULL, false, false};
    orr_jobs *jobs = orr_jobs_create(a, err);
    orr_windows *list = jobs ? orr_windows_create(PROCS, 2, a, err) : NULL;
    bool fine = list && OK(orr_windows_add(list, &one, NULL, err)) &&
                OK(orr_windows_add_size(list, 3, 2, err)) &&
                OK(orr_windows_add_closing(list, 1, 2, "gpu", 1, err)) &&
                OK(orr_read_windows(f->windows, ORR_WINDOWS_RESERVATIONS, jobs, list, err));
    orr_windows_destroy(list);
    orr_jobs_destroy(jobs);
    return fine;
}

/* --- rigid ------------------------------------------------------------------------------------ */

/* Every action once, at the first decision: each job has its own. */
static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    (void)user;
    orr_status status = ORR_OK;
    if (orr_rigid_look(sim).now == 0 && orr_rigid_job(sim, 3).attempts == 0) {
        double start;
        status = orr_rigid_start(sim, 0, err);
        if (status == ORR_OK)
            status = orr_rigid_requeue(sim, 0, err);
        if (status == ORR_OK)
            status = orr_rigid_start(sim, 3, err);
        bool writes = orr_rigid_look(sim).instance->checkpoints.cost;
        if (status == ORR_OK && writes)
            status = orr_rigid_checkpoint(sim, 3, err);
        if (status == ORR_OK) /* which leaves at once: there is nothing to write */
            status = writes ? orr_rigid_preempt(sim, 3, err) : orr_rigid_kill(sim, 3, err);
        if (status == ORR_OK)
            status = orr_rigid_hold(sim, 0, err);
        if (status == ORR_OK)
            status = orr_rigid_release(sim, 0, err);
        if (status == ORR_OK)
            status = orr_rigid_move(sim, 0, 0, err);
        if (status == ORR_OK)
            status = orr_rigid_wake_at(sim, 0.5, err);
        if (status == ORR_OK)
            status = orr_rigid_list(sim, 1, err);
        if (status != ORR_OK || orr_rigid_job(sim, 0).state != ORR_JOB_WAITING)
            return status;
        return orr_rigid_reserve(sim, 0, &start, err);
    }
    int32_t job = -1;
    while (status == ORR_OK && (job = orr_rigid_next_waiting(sim, 0, job, INT32_MAX - 1)) >= 0)
        if (orr_rigid_can_start(sim, job))
            status = orr_rigid_start(sim, job, err);
    return status;
}

static bool look_at(const orr_instance *in, const orr_rigid *sim, const orr_allocator *a,
                    orr_error *err)
{
    const orr_schedule *schedule = orr_rigid_schedule(sim);
    double ends[JOBS], times[JOBS];
    orr_metrics metrics;
    orr_job_quantiles quantiles;
    orr_timeline timeline;
    orr_users users;
    orr_run run = orr_rigid_result(sim);
    for (int j = 0; j < JOBS; j++)
        ends[j] = run.ends[j], times[j] = 1;
    if (!OK(orr_check_schedule(in, schedule, NULL, NULL, err)) ||
        !OK(orr_export_csv(in, schedule, "p", &nowhere, err)) ||
        !OK(orr_export_swf(in, schedule, "p", &nowhere, err)) ||
        !OK(orr_measure_schedule(in, schedule, NULL, &metrics, err)) ||
        !OK(orr_measure_quantiles(in, &run, a, &quantiles, err)))
        return false;
    bool fine = OK(orr_timeline_make(&timeline, in, schedule, INFINITY, a, err));
    orr_timeline_destroy(&timeline);
    if (fine) {
        fine = OK(orr_users_measure(&users, in, ORR_LABEL_USER, ends, times, a, err));
        orr_users_destroy(&users);
    }
    orr_block_sum *blocks = NULL;
    int64_t count = 0;
    orr_last_attempts last = {in, ends, times};
    fine = fine && OK(orr_block_sums(&last, &last, ORR_TIME_WAIT, 10, &blocks, &count, a, err));
    orr_release(a, blocks, (size_t)count * sizeof *blocks);
    return fine;
}

/* Everything that can be changed. */
static bool change_rigid(const orr_rigid *sim, const orr_jobs *jobs, orr_error *err)
{
    static const int32_t last[] = {JOBS - 1}, first[] = {0};
    orr_rigid_policy policy = {.size = sizeof policy, .name = "q"};
    orr_rigid_service service = {NULL, PROCS + 2, 100};
    orr_rigid_fault fault = {-1, 1, 2};
    orr_rigid_change change = {.size = sizeof change,
                               .policy = &policy,
                               .jobs = jobs,
                               .draws = true,
                               .seed = 2,
                               .lambda = 0.01,
                               .max_attempts = 1000,
                               .service = &service,
                               .cancel = last,
                               .cancel_count = 1,
                               .fail = first,
                               .fail_count = 1,
                               .faults = &fault,
                               .fault_count = 1};
    orr_instance made = {0};
    orr_rigid *other = orr_rigid_changed(sim, &change, &made, err);
    bool fine = other &&
                !OK(orr_rigid_submit(other, &made, (orr_jobs *)(uintptr_t)jobs, jobs, 0, 1, err)) &&
                OK(orr_rigid_finish(other, NULL, err));
    orr_rigid_destroy(other);
    orr_instance_destroy(&made);
    return fine;
}

static orr_status get_rigid(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)user, (void)thread, (void)policy, (void)err;
    ((orr_rigid_policy *)out)->name = "r";
    return ORR_OK;
}

static bool many_rigid(const orr_instance *in, const orr_allocator *a, orr_error *err)
{
    orr_metrics results[2];
    const orr_instance *instances[] = {in};
    orr_rigid_set set = {.instances = instances, .results = results};
    orr_rigid_montecarlo mc = {.size = sizeof mc,
                               .common = {.source = {.get = get_rigid},
                                          .policies = 1,
                                          .scenarios = 2,
                                          .threads = 1,
                                          .check = true,
                                          .alloc = a},
                               .sets = 1,
                               .set = &set};
    orr_rows rows = {&nowhere, "p"};
    bool fine = OK(orr_rigid_montecarlo_run(&mc, err));
    mc.common.scenarios = 1;
    set.rows = orr_export_follows(in) ? &rows : NULL;
    return fine && OK(orr_rigid_montecarlo_run(&mc, err));
}

/* Why every job waits. */
static bool ask_why(const orr_rigid *sim, const orr_instance *in, orr_error *err)
{
    orr_rigid_why why;
    orr_rigid_delay delays[JOBS];
    double planned[JOBS];
    bool fine = !OK(orr_rigid_ask_why(sim, in->count, &why, delays, JOBS, err)) &&
                OK(orr_rigid_ask_plans(sim, planned, err));
    for (int32_t job = 0; fine && job < in->count; job++)
        fine = OK(orr_rigid_ask_why(sim, job, &why, delays, JOBS, err));
    return fine;
}

/* A run, a copy of it, and what can be said about both. */
static bool run_rigid(const orr_rigid_setup *setup, orr_error *err)
{
    orr_rigid *sim = orr_rigid_create(setup, err), *frozen = NULL, *copy = NULL;
    orr_warnings warnings;
    bool fine = sim && OK(orr_rigid_reset(sim, NULL, 1, err)) && OK(orr_rigid_step(sim, err)) &&
                OK(orr_rigid_run_until(sim, 2, err)) && (frozen = orr_rigid_freeze(sim, err)) &&
                (copy = orr_rigid_copy(frozen, err)) && ask_why(sim, setup->instance, err) &&
                OK(orr_rigid_warnings(sim, &warnings, err)) &&
                OK(orr_rigid_note_reservations(sim, NULL, err)) &&
                change_rigid(sim, setup->instance->jobs, err) &&
                OK(orr_rigid_finish(copy, NULL, err)) && OK(orr_rigid_finish(sim, NULL, err)) &&
                look_at(setup->instance, sim, setup->alloc, err);
    orr_rigid_destroy(frozen);
    orr_rigid_destroy(copy);
    orr_rigid_destroy(sim);
    return fine;
}

/* The first job starts at 0 and is reported; the others may go on waiting. */
static bool run_live(orr_rigid_setup setup, orr_error *err)
{
    setup.live = true;
    setup.node_failures = NULL;
    orr_rigid *sim = orr_rigid_create(&setup, err);
    bool fine = sim && OK(orr_rigid_reset(sim, NULL, 1, err)) && OK(orr_rigid_step(sim, err)) &&
                OK(orr_rigid_pass(sim, 1, err)) &&
                OK(orr_rigid_report_end(sim, 0, ORR_COMPLETED, err));
    orr_rigid_destroy(sim);
    return fine;
}

static bool with_instance(const orr_jobs *jobs, const orr_instance *in, const orr_allocator *a,
                          orr_error *err)
{
    (void)jobs;
    int32_t failures[JOBS];
    double values[JOBS];
    orr_stream_key key = {1, 2};
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "p",
                               .discipline = ORR_DISPATCH_LIST,
                               .reservations = 1};
    orr_rigid_node_failures nodes = {.size = sizeof(orr_rigid_node_failures),
                                     .law = ORR_FAULTS_EXPONENTIAL,
                                     .mtbf = 500,
                                     .repair = 2,
                                     .node_procs = 2};
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = in,
                             .policy = &policy,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    orr_rigid_set_rule(&policy, ORR_RULE_RANDOM);
    orr_silent_errors errors;
    bool fine = OK(orr_silent_errors_create(&errors, in, 0.01, 1000, a, err));
    if (fine)
        fine = OK(orr_silent_errors_draw(&errors, 1, 0, 1, failures, err)) &&
               OK(ori_silent_errors_draw_job(&errors, key, 1, failures, err));
    orr_silent_errors_destroy(&errors);
    fine = fine && run_rigid(&setup, err) && run_live(setup, err);
    setup.node_failures = &nodes;
    fine = fine && run_rigid(&setup, err);
    nodes.mtbf = 5;
    nodes.domain_nodes = 2;
    nodes.domain_mtbf = 50;
    nodes.recall = nodes.precision = 0.5;
    nodes.lead = 3;
    fine = fine && run_rigid(&setup, err);
    setup.node_failures = NULL;
    const orr_window closed[] = {{1, 3, 0, 1, NULL, NULL, true, false},
                                 {2, 9, 1, 1, NULL, "1", false, false}};
    setup.windows = closed;
    setup.window_count = 2;
    fine = fine && run_rigid(&setup, err);
    setup.window_count = 0;
    policy = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                .name = "p",
                                .discipline = ORR_DISPATCH_CUSTOM,
                                .dispatch = dispatch};
    fine = fine && run_rigid(&setup, err);
    orr_rigid_set_rule(&policy, ORR_RULE_LPT);
    fine = fine && many_rigid(in, a, err);
    return fine && OK(orr_rigid_priorities(&policy, in, 1, 0, values, err));
}

/* Jobs that write checkpoints, and a policy that has them written. */
static bool with_checkpoints(const orr_jobs *jobs, orr_instance_options options,
                             const orr_allocator *a, orr_error *err)
{
    static const double seconds[JOBS] = {1, 1, 1, 1, 1, 1};
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "p",
                               .discipline = ORR_DISPATCH_CUSTOM,
                               .dispatch = dispatch};
    orr_instance in = {0};
    options.checkpoints = (orr_checkpoints){.cost = seconds, .period = seconds};
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &in,
                             .policy = &policy,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    bool fine = OK(orr_instance_create(&in, jobs, &options, a, err)) && run_rigid(&setup, err);
    orr_instance_destroy(&in);
    return fine;
}

static bool run_on_nodes(const orr_rigid_setup *setup, orr_error *err)
{
    orr_rigid *sim = orr_rigid_create(setup, err), *copy = NULL;
    bool fine = sim && OK(orr_rigid_reset(sim, NULL, 1, err)) && OK(orr_rigid_step(sim, err)) &&
                (copy = orr_rigid_copy(sim, err)) && ask_why(sim, setup->instance, err) &&
                OK(orr_rigid_finish(copy, NULL, err)) && OK(orr_rigid_finish(sim, NULL, err));
    orr_rigid_destroy(copy);
    orr_rigid_destroy(sim);
    return fine;
}

/* On nodes, by both planners: a list with one reservation and conservative backfilling. */
static bool nodes(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    const orr_node_kind kind = {3, PROCS / 3, {0}}, none = {0};
    const orr_partition all = {.name = "all", .max_time = INFINITY, .is_default = true};
    orr_nodes_options given = {.size = sizeof given, .kinds = &none, .kind_count = 1};
    orr_instance in = {0};
    orr_rigid_policy policy = {.size = sizeof policy, .name = "p", .reservations = 1};
    orr_rigid_setup setup = {.size = sizeof setup,
                             .instance = &in,
                             .policy = &policy,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    bool fine = !orr_nodes_create(&given, a, err);
    given = (orr_nodes_options){.size = sizeof given,
                                .kinds = &kind,
                                .kind_count = 1,
                                .partitions = &all,
                                .partition_count = 1};
    orr_jobs *jobs = some_jobs(a, err);
    orr_nodes *made = orr_nodes_create(&given, a, err);
    orr_nodes *copy = made ? orr_nodes_copy(made, a, err) : NULL;
    orr_instance_options options = {
        .size = sizeof options, .procs = PROCS, .batch = true, .nodes = copy};
    fine = fine && jobs && copy && OK(orr_instance_create(&in, jobs, &options, a, err)) &&
           run_on_nodes(&setup, err);
    policy.discipline = ORR_DISPATCH_CONSERVATIVE;
    fine = fine && run_on_nodes(&setup, err);
    orr_instance_destroy(&in);
    orr_nodes_destroy(copy);
    orr_nodes_destroy(made);
    orr_jobs_destroy(jobs);
    return fine;
}

static bool rigid(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_jobs *jobs = some_jobs(a, err);
    orr_instance in = {0}, next = {0};
    orr_instance_options options = {
        .size = sizeof(orr_instance_options), .procs = PROCS, .batch = true};
    ori_revision revision = {.jobs = jobs, .procs = PROCS + 3};
    orr_zone *zone = NULL, *none = NULL;
    bool fine = jobs && OK(orr_zone_create(&zone, "Europe/Stockholm", a, err)) &&
                !OK(orr_zone_create(&none, "Europe/Nowhere", a, err));
    options.zone = zone;
    orr_jobs *made[2] = {NULL};
    fine = fine && OK(orr_jobs_set_zone(jobs, zone, err)) &&
           (made[0] = orr_jobs_in_zone(jobs, NULL, a, err)) != NULL;
    fine = fine && OK(orr_instance_create(&in, jobs, &options, a, err)) &&
           OK(ori_instance_revise(&next, &in, &revision, err)) &&
           (made[1] = orr_instance_starting(&in, a, err)) != NULL &&
           with_instance(jobs, &in, a, err) && with_checkpoints(jobs, options, a, err);
    orr_jobs_destroy(made[0]);
    orr_jobs_destroy(made[1]);
    orr_instance_destroy(&next);
    orr_instance_destroy(&in);
    orr_zone_destroy(zone);
    orr_jobs_destroy(jobs);
    return fine;
}

/* --- malleable -------------------------------------------------------------------------------- */

static bool change_malleable(const orr_malleable *sim, orr_error *err)
{
    static const int32_t first[] = {0};
    orr_malleable_policy policy = heuristics("end-local", "iterated-greedy");
    orr_fault fault = {0, 1, -1};
    orr_work_change work = {1, 1.5};
    orr_malleable_change change = {.size = sizeof change,
                                   .policy = &policy,
                                   .draws = true,
                                   .seed = 2,
                                   .resizes = true,
                                   .procs = PROCS + 2,
                                   .until = 1e5,
                                   .cancel = first,
                                   .cancel_count = 1,
                                   .work = &work,
                                   .work_count = 1,
                                   .faults = &fault,
                                   .fault_count = 1};
    orr_malleable *other = orr_malleable_changed(sim, &change, err);
    bool fine = other && OK(orr_malleable_finish(other, NULL, err));
    orr_malleable_destroy(other);
    return fine;
}

static orr_status get_malleable(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)user, (void)thread, (void)policy, (void)err;
    *(orr_malleable_policy *)out = heuristics("end-local", "iterated-greedy");
    return ORR_OK;
}

static bool many_malleable(const orr_malleable_setup *setup, const orr_tasks *tasks, orr_error *err)
{
    orr_malleable_result results[2];
    orr_malleable_montecarlo mc = {.size = sizeof mc,
                                   .common = {.source = {.get = get_malleable},
                                              .policies = 1,
                                              .seed = 1,
                                              .scenarios = 2,
                                              .threads = 1,
                                              .check = true,
                                              .alloc = setup->alloc},
                                   .tasks = tasks,
                                   .procs = PROCS,
                                   .resilience = setup->resilience,
                                   .faults = setup->faults,
                                   .results = results};
    return OK(orr_malleable_montecarlo_run(&mc, err));
}

static bool shares_nothing_out(orr_malleable *sim, orr_error *err)
{
    int32_t given;
    double last;
    return orr_malleable_share_out(sim, 2, &given, err) == ORR_ERR_POLICY && given == 0 &&
           orr_malleable_expected_last(sim, NULL, NULL, 0, &last, err) == ORR_ERR_POLICY;
}

static bool run_malleable(const orr_malleable_setup *setup, const orr_tasks *tasks, orr_error *err)
{
    orr_malleable *sim = orr_malleable_create(setup, err), *copy = NULL;
    bool fine = sim && OK(orr_malleable_reset(sim, tasks, 1, err)) &&
                shares_nothing_out(sim, err) && OK(orr_malleable_step(sim, err)) &&
                OK(orr_malleable_run_until(sim, 100, err)) &&
                (copy = orr_malleable_copy(sim, err)) && change_malleable(sim, err) &&
                many_malleable(setup, tasks, err) && OK(orr_malleable_finish(copy, NULL, err)) &&
                OK(orr_malleable_finish(sim, NULL, err)) && OK(orr_malleable_check(sim, err)) &&
                OK(orr_check_stints(tasks, &setup->resilience, orr_malleable_stints(sim), NULL, 0,
                                    false, err)) &&
                OK(orr_export_spans(tasks, orr_malleable_stints(sim), INFINITY, &nowhere, err));
    orr_malleable_destroy(copy);
    orr_malleable_destroy(sim);
    return fine;
}

static bool malleable(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_synthetic_tasks synthetic = {TASKS, 1e4, 3e4, 0.05};
    orr_malleable_policy policy = heuristics("end-greedy", "shortest-tasks-first");
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = TASKS,
                                 .procs = PROCS,
                                 .resilience = orr_resilience_default(),
                                 .policy = &policy,
                                 .seed = 1,
                                 .record = true,
                                 .alloc = a};
    setup.resilience.mtbf = 1e6;
    setup.resilience.checkpoint_unit = 0.05;
    setup.faults =
        (orr_faults_setup){.law = ORR_FAULTS_EXPONENTIAL, .procs = PROCS, .mtbf = 1e6, .alloc = a};
    int32_t allocation[TASKS];
    orr_tasks *made = orr_tasks_create(a, err);
    bool fine = made && OK(orr_generate_tasks(made, &synthetic, 1, 0, 1, err)) &&
                OK(orr_initial_allocation(made, PROCS, &setup.resilience, allocation, a, err)) &&
                run_malleable(&setup, made, err);
    setup.faults.law = ORR_FAULTS_WEIBULL;
    setup.faults.shape = 0.7;
    fine = fine && run_malleable(&setup, made, err);
    orr_tasks_destroy(made);
    return fine;
}

/* --- packs ------------------------------------------------------------------------------------ */

static bool allocate(const orr_pack_problem *problem, orr_error *err)
{
    orr_coschedule *pack = NULL;
    int32_t taken[TASKS], count;
    orr_allocation *a = orr_allocation_create(problem, err);
    bool fine = a && OK(orr_allocation_raise(a, err)) && OK(orr_allocation_rewind(a, 0, err)) &&
                OK(orr_allocation_grow(a, 0.1, err)) && (pack = orr_allocation_make_pack(a, err)) &&
                OK(orr_allocation_take_fullest(a, 0, taken, &count, err));
    orr_coschedule_destroy(pack);
    orr_allocation_destroy(a);
    return fine;
}

static bool rearrange(const orr_pack_problem *problem, const orr_coschedule *from, orr_error *err)
{
    orr_coschedule *made = NULL;
    orr_partition *p = orr_partition_create(problem, from, err);
    bool fine = p && OK(orr_partition_move(p, 0, orr_partition_packs(p), err)) &&
                OK(orr_partition_swap(p, 0, 1, err)) && (made = orr_partition_coschedule(p, err));
    orr_coschedule_destroy(made);
    orr_partition_destroy(p);
    return fine;
}

static bool pack(const orr_pack_problem *problem, orr_error *err)
{
    const int32_t list[TASKS] = {0, 1, 2, 3}, packs[TASKS] = {0, 0, 1, 1};
    const int32_t ones[TASKS] = {2, 2, 2, 2};
    int32_t procs[TASKS], order[TASKS];
    double costs[TASKS], cost;
    orr_pack_bounds bounds;
    orr_coschedule_metrics metrics;
    orr_coschedule *made[6] = {NULL};
    bool fine = (made[0] = orr_coschedule_create(problem, packs, 2, ones, err)) &&
                (made[1] = orr_coschedule_copy(made[0], err)) &&
                (made[2] = orr_make_pack(problem, ones, err)) &&
                (made[3] = orr_optimal(problem, NULL, err)) &&
                (made[4] = orr_two_in_p(problem, NULL, err)) &&
                OK(orr_cut(problem, list, INFINITY, &made[5], err)) &&
                OK(orr_coschedule_balance(problem, made[1], err)) &&
                OK(orr_coschedule_check(problem, made[1], err)) &&
                OK(orr_coschedule_measure(problem, made[1], &metrics, err)) &&
                OK(orr_coschedule_order(made[1], order, err)) &&
                OK(orr_pack_bound(problem, false, &bounds, err)) &&
                OK(orr_open_pack_costs(problem, list, 2, costs, err)) &&
                OK(orr_one_pack(problem, list, 2, procs, &cost, err)) &&
                OK(orr_one_pack_printed(problem, list, 2, procs, &cost, err)) &&
                OK(orr_pack_program(problem, &nowhere, err)) && allocate(problem, err) &&
                rearrange(problem, made[0], err);
    for (int i = 0; i < 6; i++)
        orr_coschedule_destroy(made[i]);
    return fine;
}

static bool packs(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_synthetic_tasks synthetic = {TASKS, 1e4, 3e4, 0.05};
    orr_pack_problem *problem = NULL;
    orr_tasks *made = orr_tasks_create(a, err);
    bool fine = made && OK(orr_generate_tasks(made, &synthetic, 1, 0, 1, err)) &&
                (problem = orr_pack_problem_create(made, 8, 2, NULL, a, err)) && pack(problem, err);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(made);
    return fine;
}

/* --- what is refused -------------------------------------------------------------------------- */

static bool refused_jobs(orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    const orr_week_options week = {.length = 0, .procs = PROCS};
    orr_synthetic synthetic = {.count = -1};
    orr_mira_month month = {.count = -1};
    orr_lublin lublin = {.procs = 0};
    orr_lublin_means means;
    orr_user_estimates estimates = {.share = 1};
    orr_instance in = {0};
    orr_instance_options options = {.size = sizeof(orr_instance_options), .procs = 0};
    orr_week *weeks;
    orr_log_description described;
    orr_label_share *shares;
    int32_t count;
    bool fine =
        !OK(orr_jobs_add(jobs, NULL, -1, 1, 1, NAN, err)) &&
        !OK(orr_jobs_set_time(jobs, 0, -1, err)) && !orr_jobs_of_week(jobs, &week, 0, a, err) &&
        !orr_jobs_load(jobs, -1, a, err) && !orr_jobs_slice(jobs, 1, jobs->count, 0, a, err) &&
        !OK(orr_jobs_weeks(jobs, &week, &weeks, &count, a, err)) &&
        !OK(orr_jobs_describe(jobs, -1, ORR_TAU, a, &described, err)) &&
        !OK(orr_jobs_describe(jobs, 0, 0, a, &described, err)) &&
        !OK(orr_jobs_shares(jobs, ORR_LABEL_KINDS, &shares, &count, a, err)) &&
        !orr_generate_synthetic(&synthetic, 1, 0, a, err) &&
        !orr_generate_mira(&month, 1, a, err) && !orr_generate_lublin(&lublin, 1, 0, a, err) &&
        !OK(orr_lublin_expect(&lublin, &means, err)) &&
        !orr_jobs_estimated(jobs, &estimates, 1, 0, a, err) &&
        !OK(orr_instance_create(&in, jobs, &options, a, err));
    orr_instance_destroy(&in);
    return fine;
}

static bool refused_windows(const files *f, const orr_allocator *a, orr_error *err)
{
    const orr_window none = {2, 1, 0, 1, NULL, NULL, false, false},
                     wide = {1, 2, 0, PROCS + 1, NULL, NULL, false, false},
                     lets = {1, 2, 0, 1, "ann", NULL, false, true};
    orr_jobs *jobs = orr_jobs_create(a, err);
    orr_windows *list = jobs ? orr_windows_create(PROCS, 2, a, err) : NULL;
    bool fine = !orr_windows_create(0, 1, a, err) &&
                (!list || (!OK(orr_windows_add(list, &none, NULL, err)) &&
                           !OK(orr_windows_add(list, &wide, "0-", err)) &&
                           !OK(orr_windows_add(list, &lets, NULL, err)) &&
                           !OK(orr_windows_add_size(list, NAN, 1, err)) &&
                           !OK(orr_windows_add_closing(list, 1, 2, "gpu", 0, err)) &&
                           !OK(orr_read_windows(f->log, ORR_WINDOWS_SIZE, jobs, list, err))));
    orr_windows_destroy(list);
    orr_jobs_destroy(jobs);
    return fine;
}

static bool refused_files(const files *f, const orr_allocator *a, orr_error *err)
{
    int32_t *counts;
    int64_t count;
    orr_fault *log;
    orr_reader *reader = orr_reader_create("text", NULL, a, err);
    bool fine = !orr_read_jobs("/nonexistent", NULL, a, err) &&
                !orr_read_jobs(f->failures, NULL, a, err) &&
                !orr_read_tasks(f->log, 0.08, a, err) &&
                !OK(orr_read_failures(f->failures, 3, &counts, &count, a, err)) &&
                !OK(orr_read_faults(f->log, NULL, PROCS, &log, &count, a, err)) &&
                refused_windows(f, a, err);
    if (reader)
        (void)orr_reader_feed(reader, "id,procs,time\n1,2\n", 18, err);
    return fine && (!reader || !orr_reader_finish(reader, err));
}

static bool refused_tasks(orr_tasks *tasks, const orr_allocator *a, orr_error *err)
{
    const double times[] = {-1};
    const int32_t packs[] = {3}, procs[] = {99};
    orr_synthetic_tasks synthetic = {.count = 0};
    orr_faults_setup faults = {.law = ORR_FAULTS_WEIBULL, .procs = 0, .alloc = a};
    orr_resilience r = {.mtbf = -1};
    orr_malleable_policy policy = {.size = sizeof(orr_malleable_policy), .name = "p"};
    orr_malleable_setup setup = {
        .size = sizeof(orr_malleable_setup), .count = 1, .procs = 1, .policy = &policy, .alloc = a};
    int32_t given[1];
    (void)orr_tasks_add(tasks, "one", 100, ORR_PROFILE_AMDAHL, 0.1, err);
    orr_pack_problem *problem = orr_pack_problem_create(tasks, 8, 1, NULL, a, err);
    bool fine = !OK(orr_tasks_add(tasks, NULL, 1, ORR_PROFILE_POWER, 0, err)) &&
                !OK(orr_tasks_add_table(tasks, NULL, 0, times, 1, err)) &&
                !OK(orr_generate_tasks(tasks, &synthetic, 1, 0, 1, err)) &&
                !OK(orr_resilience_check(&r, err)) && !orr_faults_create(&faults, err) &&
                !orr_malleable_create(&setup, err) &&
                !OK(orr_initial_allocation(tasks, 0, &r, given, a, err)) &&
                !orr_pack_problem_create(tasks, 0, 1, NULL, a, err);
    if (problem)
        fine = fine && !orr_coschedule_create(problem, packs, 1, procs, err) &&
               !orr_make_pack(problem, procs, err);
    orr_pack_problem_destroy(problem);
    return fine;
}

static bool refused_simulations(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    orr_instance in = {0};
    orr_instance_options options = {.size = sizeof(orr_instance_options), .procs = PROCS};
    if (!OK(orr_instance_create(&in, jobs, &options, a, err))) {
        orr_instance_destroy(&in);
        return true;
    }
    orr_silent_errors errors;
    orr_rigid_group group = {"all", PROCS - 1, NULL};
    orr_rigid_policy policy = {
        .size = sizeof(orr_rigid_policy), .name = "p", .groups = &group, .group_count = 1};
    orr_rigid_node_failures nodes = {.size = sizeof(orr_rigid_node_failures),
                                     .law = ORR_FAULTS_WEIBULL,
                                     .mtbf = -1,
                                     .repair = 1,
                                     .node_procs = 1};
    orr_rigid_setup setup = {
        .size = sizeof(orr_rigid_setup), .instance = &in, .policy = &policy, .alloc = a};
    bool fine = !OK(orr_silent_errors_create(&errors, &in, 0.5, 1, a, err));
    orr_silent_errors_destroy(&errors);
    fine = fine && !orr_rigid_create(&setup, err);
    policy.groups = NULL;
    setup.node_failures = &nodes;
    fine = fine && !orr_rigid_create(&setup, err);
    setup.node_failures = NULL;
    orr_rigid *sim = orr_rigid_create(&setup, err);
    fine = fine && (!sim || (!OK(orr_rigid_step(sim, err)) && !OK(orr_rigid_start(sim, 0, err))));
    orr_rigid_destroy(sim);
    orr_instance_destroy(&in);
    return fine;
}

/* --- sizes of structs ------------------------------------------------------------------------- */

/* An older program has no warmup: what stands in its place is not looked at. */
static bool takes_smaller(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    orr_instance in;
    orr_instance_options options = {
        .size = offsetof(orr_instance_options, warmup), .procs = PROCS, .warmup = -1};
    bool fine = OK(orr_instance_create(&in, jobs, &options, a, err));
    orr_instance_destroy(&in);
    return fine;
}

/* A size that was forgotten (more < 0), or of a newer program. */
static bool refuses_size(const orr_jobs *jobs, const orr_tasks *tasks, ptrdiff_t more,
                         const orr_allocator *a, orr_error *err)
{
    double values[JOBS];
    orr_instance in;
    orr_instance_options options = {.procs = PROCS};
    orr_read_options reading = {0};
    orr_rigid_policy policy = {.name = "p"};
    orr_rigid_node_failures nodes = {.law = ORR_FAULTS_NONE};
    orr_rigid_setup setup = {.instance = &in, .policy = &policy, .alloc = a};
    orr_rigid_montecarlo mc = {.sets = 0};
    orr_malleable_policy heuristic = {.name = "h"};
    orr_malleable_setup pack = {.policy = &heuristic, .alloc = a};
    orr_malleable_montecarlo packs = {.tasks = tasks};
    size_t *sizes[] = {&options.size, &reading.size,   &policy.size, &nodes.size, &setup.size,
                       &mc.size,      &heuristic.size, &pack.size,   &packs.size};
    const size_t known[] = {sizeof options,   sizeof reading, sizeof policy,
                            sizeof nodes,     sizeof setup,   sizeof mc,
                            sizeof heuristic, sizeof pack,    sizeof packs};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        *sizes[i] = more < 0 ? 0 : known[i] + (size_t)more;
    bool fine = !OK(orr_instance_create(&in, jobs, &options, a, err)) &&
                !orr_reader_create("text", &reading, a, err) && !orr_rigid_create(&setup, err) &&
                !OK(orr_rigid_montecarlo_run(&mc, err)) &&
                !OK(orr_rigid_priorities(&policy, &in, 1, 0, values, err)) &&
                !orr_malleable_create(&pack, err) && !OK(orr_malleable_montecarlo_run(&packs, err));
    options.size = sizeof options;
    setup.size = sizeof setup;
    pack.size = sizeof pack;
    if (fine && OK(orr_instance_create(&in, jobs, &options, a, err))) {
        fine = !orr_rigid_create(&setup, err) && !orr_malleable_create(&pack, err); /* policies */
        policy.size = sizeof policy;
        setup.node_failures = &nodes;
        fine = fine && !orr_rigid_create(&setup, err);
    }
    orr_instance_destroy(&in);
    return fine;
}

static bool sizes(const files *f, const orr_allocator *a, orr_error *err)
{
    (void)f;
    orr_jobs *jobs = some_jobs(a, err);
    orr_tasks *tasks = orr_tasks_create(a, err);
    bool fine = jobs && tasks && takes_smaller(jobs, a, err) &&
                refuses_size(jobs, tasks, -1, a, err) && refuses_size(jobs, tasks, 8, a, err);
    orr_tasks_destroy(tasks);
    orr_jobs_destroy(jobs);
    return fine;
}

static orr_status fail(orr_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    orr_status status = ori_vfail(err, ORR_ERR_INPUT, format, args);
    va_end(args);
    return status;
}

/* Each call fails, whether memory suffices or not. */
static bool refusals(const files *f, const orr_allocator *a, orr_error *err)
{
    orr_jobs *jobs = some_jobs(a, err);
    orr_tasks *tasks = orr_tasks_create(a, err);
    bool fine = (!jobs || (refused_jobs(jobs, a, err) && refused_simulations(jobs, a, err))) &&
                refused_files(f, a, err) && !OK(orr_fail_memory(err, 3)) &&
                !OK(fail(err, "%d", 3)) && (!tasks || refused_tasks(tasks, a, err));
    orr_tasks_destroy(tasks);
    orr_jobs_destroy(jobs);
    return fine;
}

/* ---------------------------------------------------------------------------------------------- */

typedef bool part(const files *f, const orr_allocator *a, orr_error *err);

static const struct {
    const char *name;
    part *run;
} parts[] = {{"numbers", numbers}, {"jobs", jobs},         {"generators", generators},
             {"readers", readers}, {"outages", outages},   {"tasks", tasks},
             {"faults", faults},   {"rigid", rigid},       {"malleable", malleable},
             {"packs", packs},     {"refusals", refusals}, {"sizes", sizes},
             {"windows", windows}, {"nodes", nodes}};

/* try(part, n, with, log, failures, tasks, faults, outages, windows): one part with the n-th
 * allocation failing (0: none), with an error or without one. Whether it succeeded, the status (without an error: nil),
 * how many bytes were not given back, and how many allocations were asked for. */
static int try_part(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    bool with = lua_toboolean(L, 3);
    files f = {luaL_checkstring(L, 4), luaL_checkstring(L, 5), luaL_checkstring(L, 6),
               luaL_checkstring(L, 7), luaL_checkstring(L, 8), luaL_checkstring(L, 9)};
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    orr_error err = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            lua_pushboolean(L, parts[i].run(&f, &a, with ? &err : NULL));
            if (with)
                lua_pushinteger(L, err.status);
            else
                lua_pushnil(L);
            lua_pushstring(L, err.message);
            lua_pushinteger(L, m.bytes + m.blocks);
            lua_pushinteger(L, m.calls);
            return 5;
        }
    return luaL_error(L, "no part %s", name);
}

int luaopen_native_errors(lua_State *L)
{
    static const luaL_Reg functions[] = {{"try", try_part}, {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        lua_pushstring(L, parts[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "parts");
    return 1;
}
