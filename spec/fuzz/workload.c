/* Fuzzing of workloads and statistics: an input is calls of what makes, selects, writes and
 * generates jobs and tasks, of faults, and of the statistics.
 *
 * Whatever the calls are, each ends well or with a message; every job is a possible one, what is
 * written is read back, intervals contain their estimates, and faults come in order. The first two
 * bytes are which allocation finds no memory (0: none). */
#include "fuzz.h"

#include "base/draw.h"
#include "base/stats.h"
#include "schedule/fidelity.h"
#include "schedule/stints.h"
#include "stats/ranks.h"
#include "stats/running.h"
#include "stats/series.h"
#include "workload/description.h"
#include "workload/faults.h"
#include "workload/generate.h"
#include "workload/generate_lublin.h"
#include "workload/reader.h"
#include "workload/select.h"
#include "workload/user_estimates.h"
#include "workload/utc.h"
#include "workload/weeks.h"
#include "workload/writer.h"
#include "workload/zone.h"

enum { MOST_JOBS = 12, MANY_JOBS = 400, VALUES = 24, MOST_CALLS = 40 };

typedef struct world {
    bytes in;
    meter m;
    orr_allocator alloc;
    orr_jobs *jobs;
    orr_error err;
} world;

/* Jobs, or a message; they become the latest. */
static void take(world *w, orr_jobs *made)
{
    insist_on_status(made ? ORR_OK : w->err.status, &w->err);
    if (!made)
        return;
    for (int32_t i = 0; i < made->count; i++)
        insist(made->procs[i] >= 1 && made->time[i] >= 0 && isfinite(made->time[i]) &&
                   made->submit[i] >= 0 && isfinite(made->submit[i]) && !(made->walltime[i] < 0) &&
                   orr_jobs_id(made, i)[0] != '\0',
               "an impossible job");
    insist(made->count == 0 || orr_jobs_mean_area(made) >= 0, "a mean area below 0");
    if (made->count > MANY_JOBS) {
        orr_jobs_destroy(made);
        return;
    }
    orr_jobs_destroy(w->jobs);
    w->jobs = made;
}

static void edit(world *w)
{
    bytes *in = &w->in;
    orr_jobs *jobs = w->jobs;
    int32_t job = position(in, jobs->count), number_of_text = 0;
    int what = byte(in);
    char text[4] = {(char)('a' + what % 3), 0};
    double value = number(in);
    switch (what % 5) {
    case 0:
        insist_on_status(orr_jobs_set_wait(jobs, job, value, &w->err), &w->err);
        insist_on_status(orr_jobs_set_pays(jobs, job, (orr_job_pays){value, number(in)}, &w->err),
                         &w->err);
        break;
    case 1:
        insist_on_status(orr_jobs_set_time(jobs, job, value, &w->err), &w->err);
        break;
    case 2:
        insist_on_status(
            orr_labels_number(&jobs->names, text, what % 7 > 0, &number_of_text, &w->err), &w->err);
        insist_on_status(orr_jobs_set_label(jobs, job, (orr_label)position(in, ORR_LABEL_KINDS),
                                            what < 200 ? number_of_text : position(in, 4), &w->err),
                         &w->err);
        break;
    case 3: {
        insist_on_status(
            orr_jobs_add(jobs, what < 128 ? NULL : text, value, position(in, 9), 3, NAN, &w->err),
            &w->err);
        break;
    }
    default:
        (void)orr_jobs_after(jobs, job);
        (void)orr_jobs_dropped_id(jobs, job);
        (void)orr_jobs_dropped_detail(jobs, job);
        (void)orr_jobs_day(jobs, job);
        (void)orr_labels_text(&jobs->names, position(in, jobs->names.count + 1));
        (void)orr_span_name((orr_span_kind)position(in, ORR_SPAN_REDISTRIBUTION + 1));
        insist(orr_version()[0] != '\0', "no version");
        (void)orr_label_name((orr_label)position(in, ORR_LABEL_KINDS));
        (void)orr_drop_reason_text((orr_drop_reason)position(in, ORR_DROP_DAMAGE + 1));
        (void)orr_remark_text((orr_remark)position(in, ORR_REMARK_KINDS));
        insist(orr_jobs_label_count(jobs, ORR_LABEL_USER) <= jobs->count, "too many labels");
        if (job >= 0 && job < jobs->count) {
            insist(orr_jobs_id(jobs, job) != NULL, "a job without an id");
            (void)orr_jobs_label_text(jobs, job, ORR_LABEL_USER);
        }
    }
}

static void cut_into_weeks(world *w, int what, double length)
{
    bytes *in = &w->in;
    const orr_jobs *jobs = w->jobs;
    const orr_allocator *a = &w->alloc;
    orr_week_options o = {what < 128 ? 100 : length, position(in, 9), what & 1};
    orr_week *weeks = NULL;
    int32_t count = 0;
    orr_status status = orr_jobs_weeks(jobs, &o, &weeks, &count, a, &w->err);
    insist_on_status(status, &w->err);
    for (int32_t i = 0; status == ORR_OK && i < count; i++)
        insist(weeks[i].from < weeks[i].to && weeks[i].utilisation >= 0 && weeks[i].jobs >= 0,
               "an impossible week");
    if (status == ORR_OK)
        orr_release(a, weeks, (size_t)count * sizeof *weeks);
    take(w, orr_jobs_of_week(jobs, &o, position(in, count), a, &w->err));
}

static void select_jobs(world *w)
{
    bytes *in = &w->in;
    const orr_jobs *jobs = w->jobs;
    const orr_allocator *a = &w->alloc;
    int32_t list[MOST_JOBS], n = position(in, MOST_JOBS) % (MOST_JOBS + 1);
    int what = byte(in);
    for (int32_t i = 0; i < MOST_JOBS; i++)
        list[i] = what % 9 == 0 ? position(in, jobs->count) : 0;
    double from = number(in), to = number(in);
    switch (what % 9) {
    case 0:
        take(w, orr_jobs_pick(jobs, list, n, a, &w->err));
        break;
    case 1:
        take(w, orr_jobs_between(jobs, from, to, a, &w->err));
        break;
    case 2:
        take(w, orr_jobs_days(jobs, position(in, 3), position(in, 3), a, &w->err));
        break;
    case 3:
        insist(orr_jobs_slices(jobs, position(in, 4)) >= 0, "less than no slices");
        take(w,
             orr_jobs_slice(jobs, position(in, 4), position(in, 3), position(in, 3), a, &w->err));
        break;
    case 4:
        take(w, orr_jobs_load(jobs, from, a, &w->err));
        break;
    case 5: {
        orr_jobs *more = make_jobs(in, 4, 8, 0, INFINITY, a);
        take(w, orr_jobs_append(jobs, more, a, &w->err));
        if (more && w->jobs->count < MANY_JOBS)
            insist_on_status(orr_jobs_extend(w->jobs, more, position(in, more->count),
                                             position(in, more->count), &w->err),
                             &w->err);
        orr_jobs_destroy(more);
        break;
    }
    case 6: {
        orr_job_day *days = orr_jobs_by_day(jobs, a, &w->err);
        insist_on_status(days ? ORR_OK : w->err.status, &w->err);
        for (int32_t i = 1; days && i < jobs->count; i++)
            insist(days[i - 1].day <= days[i].day, "days that are not in order");
        orr_release(a, days, (size_t)jobs->count * sizeof *days);
        break;
    }
    case 7: {
        orr_user_estimates o = {what < 128 ? 0 : 6000 + 60 * from, what < 200 ? 0 : to};
        take(w, orr_jobs_estimated(jobs, &o, 1, (uint64_t)what, a, &w->err));
        break;
    }
    default:
        cut_into_weeks(w, what, from);
    }
}

static void describe(world *w)
{
    bytes *in = &w->in;
    orr_log_description d;
    double tau = number(in);
    orr_status status = orr_jobs_describe(w->jobs, position(in, 20), tau, &w->alloc, &d, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || (d.jobs == w->jobs->count && !(d.area < 0) && !(d.gap < 0)),
           "an impossible description");
    (void)orr_jobs_quantity(w->jobs, position(in, w->jobs->count),
                            (orr_quantity)position(in, ORR_SLOWDOWN + 1), tau);
    orr_label_share *shares;
    int32_t count;
    status = orr_jobs_shares(w->jobs, (orr_label)position(in, ORR_LABEL_KINDS), &shares, &count,
                             &w->alloc, &w->err);
    insist_on_status(status, &w->err);
    if (status == ORR_OK)
        orr_release(&w->alloc, shares, (size_t)count * sizeof *shares);
}

/* As text, and back. */
static void write_jobs(world *w)
{
    char *text;
    size_t size, capacity;
    int format = byte(&w->in);
    orr_status status =
        orr_jobs_format(w->jobs, (orr_log_format)ONE_OF(format, format, ORR_LOG_SWF), &text, &size,
                        &capacity, &w->alloc, &w->err);
    insist_on_status(status, &w->err);
    if (status != ORR_OK)
        return;
    insist(text[size] == '\0' && size < capacity, "text without its end");
    orr_read_options o;
    ORR_BEGIN(o);
    o.wide = ORR_WIDE_KEEP;
    orr_reader *reader = orr_reader_create("fuzzed", &o, &w->alloc, &w->err);
    insist_on_status(reader ? ORR_OK : w->err.status, &w->err);
    if (reader && orr_reader_feed(reader, text, size, &w->err) != ORR_OK)
        insist_on_message(&w->err);
    if (reader && format % 8 == 7) {
        orr_reader_destroy(reader);
        orr_release(&w->alloc, text, capacity);
        return;
    }
    orr_jobs *back = reader ? orr_reader_finish(reader, &w->err) : NULL;
    if (!w->m.ran_out && format % 3 == ORR_LOG_PLAIN && format < 240 && w->jobs->count > 0) {
        insist(back != NULL, w->err.message);
        insist(back->count == w->jobs->count, "what was written is not read back");
        for (int32_t i = 0; i < back->count; i++)
            insist(back->submit[i] == w->jobs->submit[i] && back->time[i] == w->jobs->time[i] &&
                       back->procs[i] == w->jobs->procs[i],
                   "a job that is read back otherwise");
    }
    orr_jobs_destroy(back);
    orr_release(&w->alloc, text, capacity);
}

static void tasks(world *w)
{
    orr_tasks *some = make_tasks(&w->in, 6, &w->alloc);
    if (!some)
        return;
    char *text;
    size_t size, capacity;
    orr_status status = orr_tasks_format(some, &text, &size, &capacity, &w->alloc, &w->err);
    insist_on_status(status, &w->err);
    if (status == ORR_OK)
        orr_release(&w->alloc, text, capacity);
    int32_t task = position(&w->in, some->count), procs = position(&w->in, 20);
    double time = orr_task_time(some, task, procs), faster = orr_task_time(some, task, 2000000);
    insist(procs > 2000000 || !(time < faster), "more processors are slower");
    const char *id = orr_tasks_id(some, task);
    insist(!id || orr_tasks_find(some, id) == task, "an id that is not found");
    orr_synthetic_tasks o = orr_synthetic_tasks_default();
    o.count = position(&w->in, 5);
    o.count = o.count > 1000 ? 1000 : o.count; /* more is memory, not a fault */
    o.min_size = number(&w->in);
    o.max_size = number(&w->in);
    if (coin(&w->in))
        o.sequential = number(&w->in);
    insist_on_status(orr_generate_tasks(some, &o, 1, 2, 3, &w->err), &w->err);
    orr_tasks_destroy(some);
    orr_labels labels = {.alloc = w->alloc};
    int32_t one, other;
    if (orr_labels_number(&labels, "a", 1, &one, &w->err) == ORR_OK &&
        orr_labels_number(&labels, "a", 1, &other, &w->err) == ORR_OK)
        insist(one == 1 && other == 1 && orr_labels_find(&labels, "a") == 1 &&
                   orr_labels_find(&labels, "b") == 0,
               "a text with two numbers");
    orr_labels_destroy(&labels);
}

static void generate(world *w)
{
    bytes *in = &w->in;
    const orr_allocator *a = &w->alloc;
    int what = byte(in), count = position(in, 30);
    count = count > 1000 ? -1 : count; /* more is memory, not a fault */
    if (what % 3 == 0) {
        orr_synthetic o = orr_synthetic_default();
        o = (orr_synthetic){count, position(in, 9), position(in, 99), number(in), number(in)};
        take(w, orr_generate_synthetic(&o, 1, 2, a, &w->err));
    } else if (what % 3 == 1) {
        orr_mira_month o = orr_mira_month_default();
        o.count = count;
        o.days = 1 + position(in, 4) % 1000;
        o.min_day = position(in, 6);
        o.max_day = position(in, 20);
        o.first_day = what < 200 ? o.first_day : position(in, 5);
        take(w, orr_generate_mira(&o, 1, a, &w->err));
    } else {
        orr_lublin o = orr_lublin_default();
        orr_lublin_means means;
        o.procs = position(in, 200);
        o.count = count;
        o.days = what < 100 ? number(in) : o.days;
        o.load = what & 1 ? number(in) / 20 : 0;
        o.week[what % 7] = number(in);
        o.walltime = what & 8 ? number(in) : 0;
        o.types = (orr_lublin_types)ONE_OF(what, what / 8, ORR_LUBLIN_WHOLE);
        o.scaled = what & 2;
        o.round_walltimes = what & 4;
        o.user_estimates = what & 16;
        insist_on_status(orr_lublin_expect(&o, &means, &w->err), &w->err);
        take(w, orr_generate_lublin(&o, 1, 2, a, &w->err));
    }
}

static void faults(world *w)
{
    bytes *in = &w->in;
    int law = byte(in);
    orr_fault log[4];
    for (int i = 0; i < 4; i++)
        log[i] = (orr_fault){i + number(in) / 40, position(in, 9), -1};
    orr_faults_setup setup = {.law = (orr_fault_law)ONE_OF(law, law, ORR_FAULTS_LOG),
                              .procs = 1 + position(in, 40) % 1000,
                              .mtbf = law & 8 ? INFINITY : number(in),
                              .shape = number(in) / 8,
                              .log = log,
                              .log_count = below(in, 5),
                              .alloc = &w->alloc};
    orr_faults *source = orr_faults_create(&setup, &w->err);
    insist_on_status(source ? ORR_OK : w->err.status, &w->err);
    if (!source)
        return;
    orr_status status = orr_faults_reset(source, 1, 2, (uint64_t)law, &w->err);
    insist_on_status(status, &w->err);
    double before = 0;
    for (int i = 0; i < 50 && status == ORR_OK; i++) {
        orr_fault next = orr_faults_peek(source);
        if (next.time == INFINITY)
            break;
        insist(next.time >= before && next.processor < setup.procs, "an impossible fault");
        before = next.time;
        status = orr_faults_take(source, &w->err);
        insist_on_status(status, &w->err);
    }
    orr_faults_destroy(source);
}

/* Of values that are not kept, as of those that are. */
static void running(world *w, const double *v, const double *u, int32_t count, double p)
{
    double out[3];
    const double probabilities[] = {0, p, 1};
    orr_running r = {0}, differences = {0};
    orr_histogram h = orr_histogram_create(&w->alloc);
    orr_status status = ORR_OK;
    for (int32_t i = 0; i < count && status == ORR_OK; i++) {
        orr_running_add(&r, v[i]);
        orr_running_add(&differences, orr_difference(v[i], u[i]));
        status = orr_histogram_add(&h, v[i], &w->err);
        insist_on_status(status, &w->err);
    }
    if (status == ORR_OK) {
        orr_summary whole = orr_summarise(v, count), s = orr_running_summary(&r);
        insist(same_bits(&whole.mean, &s.mean, sizeof s.mean) || isnan(s.mean), "another mean");
        insist(!(whole.max != s.max) || isnan(s.max), "another maximum");
        insist(!(s.sd < 0) && differences.count == count, "an impossible summary");
        status = orr_histogram_quantiles(&h, probabilities, 3, out, &w->err);
        insist_on_status(status, &w->err);
        insist(status != ORR_OK || isnan(s.min) || out[0] == s.min, "another minimum");
    }
    orr_histogram_destroy(&h);
}

static void statistics(world *w)
{
    bytes *in = &w->in;
    const orr_allocator *a = &w->alloc;
    double v[VALUES], u[VALUES], out[3];
    int32_t count = below(in, VALUES + 1), what = byte(in);
    for (int32_t i = 0; i < count; i++) {
        v[i] = number(in);
        u[i] = coin(in);
    }
    double p = what < 240 ? what % 21 / 20.0 : number(in);
    orr_summary s = orr_summarise(v, count), paired;
    insist(!(s.min > s.max) && s.count == count, "an impossible summary");
    insist(!(orr_half_width(&s, p) < 0), "an interval from right to left");
    insist_on_status(orr_summarise_paired(v, u, count, a, &paired, &w->err), &w->err);
    double probabilities[] = {0, p, 1};
    insist_on_status(orr_quantiles(v, count, probabilities, 3, out, a, &w->err), &w->err);
    orr_quantile q;
    orr_signed_rank r;
    orr_status status = orr_quantile_interval(v, count, p, 0.9, a, &q, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || !(q.low > q.high), "an interval from right to left");
    status = orr_signed_rank_test(v, count, what & 1 ? 0.95 : p, a, &r, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || (!(r.low > r.high) && !(r.p < 0 || r.p > 1)), "an impossible test");
    orr_series series;
    status = orr_series_mean(v, u, count, what & 2 ? 0.95 : p, &series, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || !(series.low > series.high), "an interval from right to left");
    (void)orr_student_quantile(p, what);
    orr_fidelity f;
    status = orr_measure_fidelity(v, u, count, a, &f, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK ||
               (f.jobs <= count && f.waited <= f.jobs && f.verdict <= ORR_DOES_NOT_EXPLAIN),
           "an impossible fidelity");
    running(w, v, u, count, p);
}

static void zones(world *w)
{
    static const char *const names[] = {"Europe/Stockholm", "UTC", "America/New_York", "../x", ""};
    bytes *in = &w->in;
    orr_zone *zone = NULL;
    double factor = number(in);
    int64_t instant = factor > -1e6 && factor < 1e6 ? (int64_t)(factor * 1e7) : INT64_MAX;
    int32_t time = position(in, 255) % 86400;
    insist_on_status(orr_zone_create(&zone, names[below(in, 5)], &w->alloc, &w->err), &w->err);
    int64_t local = orr_zone_instant(zone, instant);
    (void)orr_zone_offset(zone, local);
    if (time >= 0 && instant < INT64_MAX)
        insist(orr_zone_next(zone, instant, time) >= instant, "a next time that is before");
    insist(orr_zone_change(zone, instant) > instant || instant > INT64_C(253402300799),
           "a change that is not behind");
    char text[32];
    int64_t us = 0;
    orr_zone_format(zone, local * 1000, text);
    insist(!orr_zone_parse(zone, text, strlen(text), &us) || us <= local * 1000,
           "a date that begins later");
    insist(orr_zone_name(zone) != NULL, "a zone without a name");
    insist_on_status(orr_jobs_set_zone(w->jobs, zone, &w->err), &w->err);
    take(w, orr_jobs_in_zone(w->jobs, NULL, &w->alloc, &w->err));
    orr_zone_destroy(zone);
}

static void draws(world *w)
{
    bytes *in = &w->in;
    orr_pcg rng =
        orr_stream_open(orr_stream_key_make(1, 2, 3, ORR_PURPOSE_USER), (uint64_t)byte(in));
    double low = below(in, 99), high = low + below(in, 99), shape = (1 + below(in, 40)) / 8.0;
    orr_pcg other = rng;
    orr_pcg_advance(&other, 1);
    (void)orr_pcg_next(&rng);
    insist(orr_pcg_next(&rng) == orr_pcg_next(&other), "another stream behind a jump");
    insist(orr_pcg_below(&rng, 1 + (uint64_t)byte(in)) <= 255, "a number outside of its range");
    double x = orr_draw_uniform(&rng, low, high);
    insist(x >= low && (x < high || low == high), "a number outside of its range");
    int64_t i = orr_draw_integer(&rng, -below(in, 9), below(in, 99));
    insist(i > -9 && i < 99, "an integer outside of its range");
    insist(orr_draw_exponential(&rng, high) >= 0 && orr_draw_weibull(&rng, shape, high) >= 0 &&
               orr_draw_lognormal(&rng, 1, shape) > 0 && orr_draw_gamma(&rng, shape, 2) >= 0 &&
               !isnan(orr_draw_normal(&rng)),
           "a draw below 0");
    orr_geometric g = orr_geometric_prepare(low / 8);
    insist(orr_draw_geometric(&rng, &g) >= 0, "fewer than no failures");
    char text[40], made[32];
    int32_t length = below(in, sizeof text);
    for (int32_t j = 0; j < length; j++)
        text[j] = (char)(coin(in) ? "2019-06-01 :.W"[below(in, 14)] : '0' + below(in, 10));
    int64_t time, monday, again;
    (void)orr_utc_week(text, (size_t)length, &monday);
    if (orr_utc_parse(text, (size_t)length, &time)) {
        orr_utc_format(time, made);
        insist(orr_utc_parse(made, strlen(made), &again) && again == time, "another time");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(world * w) = {edit,  edit,       select_jobs, select_jobs,
                                               tasks, write_jobs, generate,    faults,
                                               draws, statistics, describe,    zones};
    world w = {.in = {data, data + size}};
    int high = byte(&w.in), low = byte(&w.in);
    w.m.until_none = high < 128 ? 0 : 256 * (high % 8) + low;
    w.alloc = (orr_allocator){resize_metered, &w.m};
    w.jobs = make_jobs(&w.in, MOST_JOBS, 16, 0, INFINITY, &w.alloc);
    for (int i = 0; w.jobs && i < MOST_CALLS && w.in.at < w.in.end; i++)
        calls[below(&w.in, sizeof calls / sizeof *calls)](&w);
    orr_jobs_destroy(w.jobs);
    insist_on_no_leak(&w.m);
    return 0;
}
