/* Metrics of jobs, attempts, users and the machine, from the counts of a run or from its record. */
#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"
#include "workload/nodes_internal.h"

#include <math.h>
#include <string.h>

/* Functions here are inlined: in most runs no job was cancelled or left out or had its runtime
 * changed or wrote checkpoints, and the code that remains is then short (ori_measure). */

ORR_INLINE orr_job_times times_by(const orr_instance *in, int32_t job, double end, double runtime)
{
    orr_job_times t = {.runtime = runtime, .flow = end - in->submit[job]};
    double wait = t.flow - runtime;
    t.wait = wait < 0 ? 0 : wait; /* roundings of the end */
    double slowdown = t.flow / (runtime > in->tau ? runtime : in->tau);
    t.bsld = slowdown < 1 ? 1 : slowdown; /* NaN of a job without an end */
    return t;
}

orr_job_times orr_times_of_job(const orr_instance *in, int32_t job, double end, double runtime)
{
    return ORI_IS_IN(job, in->count) ? times_by(in, job, end, runtime)
                                     : (orr_job_times){NAN, NAN, NAN, NAN};
}

/* The estimate of the job's work that its last attempt had, which kills may have made longer
 * (READINGS 36), s. */
ORR_INLINE double last_estimate(const orr_instance *in, const orr_run *run, int32_t j)
{
    return run->checkpoints ? run->checkpoints[j].asked + in->estimate[j] : in->estimate[j];
}

/* Whether a job was killed at its walltime. */
ORR_INLINE bool is_killed(const orr_instance *in, const orr_run *run, int32_t j)
{
    return in->time[j] > last_estimate(in, run, j);
}

ORR_INLINE double length_of(const orr_instance *in, const orr_run *run, int32_t j)
{
    return is_killed(in, run, j) ? last_estimate(in, run, j) : in->time[j];
}

ORR_INLINE orr_job_times times_of(const orr_instance *in, const orr_run *run, int32_t job)
{
    bool cancelled = run->cancelled && !isnan(run->cancelled[job]);
    double runtime = cancelled ? run->cancelled[job] : length_of(in, run, job);
    return times_by(in, job, run->ends[job], runtime);
}

orr_job_times orr_measure_job(const orr_instance *in, const orr_run *run, int32_t job)
{
    return ORI_IS_IN(job, in->count) && run->ends ? times_of(in, run, job)
                                                  : (orr_job_times){NAN, NAN, NAN, NAN};
}

/* Adds a job to a user's metrics, which hold sums until all jobs are added. */
ORR_INLINE void add_job(orr_user_metrics *u, const orr_job_times *t, int32_t procs)
{
    u->jobs++;
    u->work += t->runtime * procs;
    u->wait_mean += t->wait;
    u->flow_mean += t->flow;
    u->bsld_mean += t->bsld;
    u->wait_max = t->wait > u->wait_max ? t->wait : u->wait_max;
    u->bsld_max = t->bsld > u->bsld_max ? t->bsld : u->bsld_max;
}

static void make_means(orr_user_metrics *u)
{
    u->wait_mean /= u->jobs;
    u->flow_mean /= u->jobs;
    u->bsld_mean /= u->jobs;
}

/* The share of a job's time in the system that was its useful runtime. */
ORR_INLINE double useful_share(const orr_instance *in, const orr_run *run, int32_t j,
                               const orr_job_times *t)
{
    bool completed = !is_killed(in, run, j) && !(run->cancelled && !isnan(run->cancelled[j]));
    return !completed ? 0 : t->flow > 0 ? t->runtime / t->flow : 1;
}

/* Means and maxima over the jobs that are observed. */
ORR_INLINE void measure_jobs(const orr_instance *in, const orr_run *run, orr_metrics *m)
{
    orr_user_metrics all = {0};
    double useful = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_run_observes(in, run, j))
            continue;
        orr_job_times t = times_of(in, run, j);
        add_job(&all, &t, in->jobs->procs[j]);
        useful += useful_share(in, run, j, &t);
    }
    if (all.jobs > 0)
        make_means(&all);
    m->ettr = all.jobs > 0 ? useful / all.jobs : 0;
    m->wait_mean = all.wait_mean;
    m->wait_max = all.wait_max;
    m->flow_mean = all.flow_mean;
    m->bsld_mean = all.bsld_mean;
    m->bsld_max = all.bsld_max;
}

/* Processor-seconds, summed over jobs. */
typedef struct processor_time {
    double held;   /* by attempts that reached their end */
    double lost;   /* of these attempts; where jobs write checkpoints, of all attempts */
    double useful; /* work of jobs that completed, once */
    double cut;
} processor_time;

/* Adds the processor time of a job that writes checkpoints. */
static void add_checkpoints(const orr_job_checkpoints *c, int32_t procs, processor_time *t,
                            orr_metrics *m)
{
    t->held += c->held * procs;
    t->lost += c->lost * procs;
    m->checkpoints += c->written;
    m->checkpoint_time += c->checkpoint_time * procs;
    m->recovery_time += c->recovery_time * procs;
}

/* Adds the processor time of a job whose attempts begin from nothing. */
ORR_INLINE void add_attempts(const orr_instance *in, const orr_run *run, int32_t j, bool completed,
                             processor_time *t)
{
    int32_t before = run->past ? run->past[j].attempts : 0; /* its runtime was changed */
    double past = run->past ? run->past[j].time + before * in->verification : 0;
    past *= in->jobs->procs[j];
    double length = orr_job_length(in, j);
    double each = orr_job_is_killed(in, j) ? length : length + in->verification;
    each *= in->jobs->procs[j];
    t->held += past + (run->attempts[j] - before) * each;
    t->lost += past + (run->attempts[j] - before - completed) * each;
}

ORR_INLINE void count_attempts(const orr_run *run, orr_metrics *m)
{
    const orr_run_totals *t = &run->totals;
    m->interruptions = t->preempted + t->cancelled + t->node_failures + t->requeued;
    m->starts += m->interruptions;
    m->preempted = t->preempted;
    m->redirected = t->redirected;
    m->node_failures = t->node_failures;
}

/* Attempts and the processor-seconds that they held. */
ORR_INLINE double measure_attempts(const orr_instance *in, const orr_run *run, orr_metrics *m)
{
    processor_time t = {0};
    for (int32_t j = 0; j < in->count; j++) {
        bool cancelled = run->cancelled && !isnan(run->cancelled[j]);
        bool waited = orr_run_lacks(run, j);
        bool refused = waited && run->left_out[j] == ORR_LEFT_REFUSED;
        bool completed = !is_killed(in, run, j) && !cancelled && !waited;
        if (ORR_UNLIKELY(run->checkpoints != NULL))
            add_checkpoints(&run->checkpoints[j], in->jobs->procs[j], &t, m);
        else
            add_attempts(in, run, j, completed, &t);
        if (completed)
            t.useful += in->time[j] * in->jobs->procs[j];
        if (!cancelled && !waited)
            t.cut += (in->jobs->time[j] - length_of(in, run, j)) * in->jobs->procs[j];
        m->starts += run->attempts[j];
        m->failures += run->attempts[j] - !(cancelled || waited);
        m->killed += !completed && !refused;
        m->refused += refused;
    }
    count_attempts(run, m);
    double held = t.held + run->totals.interrupted_held;
    m->work_lost = run->checkpoints ? t.lost : t.lost + run->totals.interrupted_held;
    m->work_cut = t.cut;
    m->waste = held > 0 ? 1 - t.useful / held : 0;
    return held;
}

ORR_INLINE double later(double a, double b)
{
    return b > a ? b : a;
}

void ori_totals_absent(orr_run_totals *t, const orr_instance *in, double count, double time)
{
    t->absent += count;
    t->absent_since += count * later(time, in->first_submission);
    if (in->has_window)
        t->window_absent += count * orr_part_in_window(in, time, INFINITY);
}

void ori_totals_begin(orr_run_totals *t, const orr_instance *in)
{
    t->absent_since = t->absent * in->first_submission;
}

void ori_totals_absent_now(orr_run_totals *t, const orr_instance *in, double count, double now,
                           double last_end)
{
    if (t->late_after != last_end)
        t->late = t->late_since = 0;
    t->late_after = last_end;
    t->late += count;
    t->late_since += count * now;
    ori_totals_absent(t, in, count, now);
}

double ori_totals_gone(const orr_run_totals *t, const orr_instance *in, double makespan)
{
    double last = in->first_submission + makespan;
    bool is_late = t->late_after >= last;
    double absent = is_late ? t->absent - t->late : t->absent;
    double since = is_late ? t->absent_since - t->late_since : t->absent_since;
    return in->has_window ? t->window_absent : absent * last - since;
}

/* The utilisation in the window, where there is one, else in the whole run. */
ORR_INLINE double utilisation(const orr_instance *in, const orr_run *run, double held,
                              double makespan)
{
    if (in->has_window) {
        held = run->totals.window_held;
        makespan = in->window_to - in->window_from;
    }
    double all = in->procs * makespan;
    all -= ori_totals_gone(&run->totals, in, makespan);
    return makespan > 0 ? held / all : 0;
}

static double amount_on_nodes(const orr_nodes *nodes, int32_t resource)
{
    double amount = 0;
    for (int32_t k = 0; k < nodes->count; k++)
        amount += (double)nodes->kinds[nodes->kind[k]].has[resource];
    return amount;
}

static int32_t procs_of_partition(const orr_nodes *nodes, const orr_partition *p)
{
    int32_t procs = p->runs ? 0 : nodes->procs;
    for (int32_t i = 0; p->runs && i < p->run_count; i++)
        procs += nodes->first[p->runs[i].high + 1] - nodes->first[p->runs[i].low];
    return procs;
}

int32_t orr_shares(const orr_instance *in, orr_share *shares)
{
    const orr_nodes *nodes = ori_nodes_of(in);
    int32_t count = 0;
    for (int32_t i = 0; i < in->pool_count; i++)
        shares[count++] =
            (orr_share){in->pools[i].name, ORR_SHARE_POOL, i, (double)in->pools[i].amount};
    for (int32_t r = 0; nodes && r < nodes->resource_count; r++)
        shares[count++] =
            (orr_share){nodes->resources[r], ORR_SHARE_RESOURCE, r, amount_on_nodes(nodes, r)};
    for (int32_t p = 0; nodes && p < nodes->partition_count; p++) {
        int32_t procs = procs_of_partition(nodes, &nodes->partitions[p]);
        if (procs < nodes->procs)
            shares[count++] = (orr_share){nodes->partitions[p].name, ORR_SHARE_PARTITION, p, procs};
    }
    return count;
}

/* --- the lower bound ------------------------------------------------------------------------- */

/* changed: whether jobs were left out, or runtimes changed. Inlined: most runs had neither. */
ORR_INLINE double least_makespan(const orr_instance *in, const orr_run *run, bool changed)
{
    double first = in->first_submission, longest = first, area = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (changed && run->left_out && run->left_out[j] != ORR_NOT_LEFT_OUT)
            continue;
        const orr_past *past = changed && run->past ? &run->past[j] : NULL;
        double attempts =
            (run->failures ? run->failures[j] : 0) + 1.0 - (past ? past->attempts : 0);
        double work = is_killed(in, run, j) ? last_estimate(in, run, j) : attempts * in->time[j];
        if (past)
            work += past->time;
        double end = in->submit[j] + work;
        longest = end > longest ? end : longest;
        area += work * in->jobs->procs[j];
    }
    double by_area = first + area / in->procs;
    return (longest > by_area ? longest : by_area) - first;
}

ORR_INLINE double lower_bound(const orr_instance *in, const orr_run *run)
{
    return run->left_out || run->past ? least_makespan(in, run, true)
                                      : least_makespan(in, run, false);
}

double orr_lower_bound(const orr_instance *in, const int32_t *failures)
{
    return lower_bound(in, &(orr_run){.failures = failures});
}

/* The metrics that follow from others, and from the processor-seconds that attempts held. */
ORR_INLINE void conclude(const orr_instance *in, const orr_run *run, double held, orr_metrics *m)
{
    m->ratio = m->makespan == 0 && m->lower_bound == 0 ? 1 : m->makespan / m->lower_bound;
    m->utilisation = utilisation(in, run, held, m->makespan);
    m->goodput = m->utilisation * (1 - m->waste);
    m->interruptions_mean = in->count > 0 ? (double)m->interruptions / in->count : 0;
}

ORR_INLINE orr_metrics measure(const orr_instance *in, const orr_run *run)
{
    orr_metrics m;
    memset(&m, 0, sizeof m);
    double last = in->first_submission;
    for (int32_t j = 0; j < in->count; j++)
        if (!orr_run_lacks(run, j))
            last = later(last, run->ends[j]);
    last = later(last, run->totals.last_end);
    m.makespan = last - in->first_submission;
    m.lower_bound = lower_bound(in, run);
    measure_jobs(in, run, &m);
    conclude(in, run, measure_attempts(in, run, &m), &m);
    return m;
}

static bool any_is_killed(const orr_instance *in)
{
    int killed = 0;
    for (int32_t j = 0; j < in->count; j++)
        killed |= in->time[j] > in->estimate[j];
    return killed;
}

orr_metrics ori_measure(const orr_instance *in, const orr_run *run, bool plain)
{
    if (plain || run->cancelled || run->left_out || run->past || run->checkpoints)
        return measure(in, run);
    orr_run bare = {.failures = run->failures,
                    .ends = run->ends,
                    .attempts = run->attempts,
                    .totals = run->totals};
    if (in->has_window || in->jobs->masked > 0 || any_is_killed(in))
        return measure(in, &bare);
    orr_instance simple = *in;
    simple.has_window = false;
    simple.estimate =
        (double *)(uintptr_t)simple.time; /* then it is known at once that nobody is killed */
    return measure(&simple, &bare);
}

/* --- from a schedule ------------------------------------------------------------------------ */

/* Per job, while a schedule is gone through. */
typedef struct collected {
    double *ends, *cancelled;
    orr_past *past;
    orr_job_checkpoints *checkpoints; /* NULL: none are recorded */
    int32_t *attempts;
    uint8_t *left_out;
    orr_run_totals totals;
} collected;

static void collect_checkpoints(orr_job_checkpoints *sum, const orr_job_checkpoints *spent)
{
    sum->held += spent->held;
    sum->lost += spent->lost;
    sum->checkpoint_time += spent->checkpoint_time;
    sum->recovery_time += spent->recovery_time;
    sum->written += spent->written;
    sum->asked = spent->asked;
}

static void collect_attempt(const orr_instance *in, const orr_schedule *s, const orr_attempt *a,
                            collected *c)
{
    int32_t j = a->job, procs = in->jobs->procs[j];
    c->ends[j] = a->end;
    if (c->checkpoints)
        collect_checkpoints(&c->checkpoints[j], &s->checkpoints[a - s->attempts].spent);
    c->totals.window_held += orr_part_in_window(in, a->start, a->end) * procs;
    c->totals.preempted += a->outcome == ORR_PREEMPTED;
    c->totals.redirected += a->redirected;
    c->totals.node_failures += a->outcome == ORR_NODE_FAILED;
    c->totals.cancelled += a->outcome == ORR_CANCELLED;
    if (a->outcome == ORR_CANCELLED)
        c->cancelled[j] = a->end - a->start;
    bool ended =
        a->outcome == ORR_COMPLETED || a->outcome == ORR_FAILED || a->outcome == ORR_KILLED;
    bool requeued = a->outcome == ORR_KILLED && ori_waits_again(s, a);
    c->totals.requeued += requeued;
    c->attempts[j] += ended && !requeued;
    if (!ended)
        c->totals.interrupted_held += (a->end - a->start) * procs;
    if (!ended || a->terms == 0)
        return;
    c->past[j].attempts++;
    c->past[j].time += orr_attempt_terms(in, s, a).time;
}

/* Processors that were taken out of service, or came later. */
static void collect_outages(const orr_instance *in, const orr_schedule *s, double last,
                            collected *c)
{
    for (int64_t i = 0; i < s->outage_count; i++) {
        const orr_recorded_outage *r = &s->outages[i];
        double from = r->outage.time, to = r->outage.repaired;
        int32_t count = r->kind == ORR_OUTAGE_BACK ? -r->outage.count : r->outage.count;
        if (r->kind == ORR_OUTAGE_FAILURE || r->kind == ORR_OUTAGE_WINDOW ||
            r->kind == ORR_OUTAGE_RESERVED)
            continue; /* they are there */
        if (r->kind == ORR_OUTAGE_ADDED)
            from = in->first_submission;
        if (from > last)
            continue; /* behind the makespan */
        ori_totals_absent(&c->totals, in, count, from);
        if (to <= last)
            ori_totals_absent(&c->totals, in, -count, to);
    }
}

static orr_status collect_totals(const orr_instance *in, const orr_schedule *s, collected *c,
                                 orr_error *err)
{
    double last = 0;
    for (int32_t j = 0; j < in->count; j++)
        c->cancelled[j] = NAN;
    for (int64_t i = 0; i < s->count; i++) {
        collect_attempt(in, s, &s->attempts[i], c);
        last = later(last, s->attempts[i].end);
    }
    collect_outages(in, s, last, c);
    for (int64_t i = 0; i < s->withdrawal_count; i++) {
        int32_t j = s->withdrawals[i].job;
        bool refused = s->withdrawals[i].limit > 0;
        c->left_out[j] = refused                  ? ORR_LEFT_REFUSED
                         : isnan(c->cancelled[j]) ? ORR_LEFT_WAITING
                                                  : ORR_LEFT_RUNNING;
        c->totals.last_end = last; /* the makespan is up to the last end of any attempt */
    }
    for (int32_t j = 0; j < in->count; j++) {
        orr_outcome end = s->current[j] < 0 ? ORR_RUNNING : s->attempts[s->current[j]].outcome;
        ORI_REFUSE(
            end != ORR_COMPLETED && end != ORR_KILLED && end != ORR_CANCELLED && !c->left_out[j],
            err, "metrics need a finished schedule; job %s is not over", orr_jobs_id(in->jobs, j));
    }
    return ORR_OK;
}

orr_status orr_measure_schedule(const orr_instance *in, const orr_schedule *schedule,
                                const int32_t *failures, orr_metrics *out, orr_error *err)
{
    collected c = {0};
    int32_t jobs = in->count;
    ORI_SCRATCH(&schedule->alloc, ORI_ZEROED, err, ORI_PART(c.ends, jobs),
                ORI_PART(c.cancelled, jobs), ORI_PART(c.past, jobs), ORI_PART(c.attempts, jobs),
                ORI_PART_IF(schedule->checkpointed, c.checkpoints, jobs),
                ORI_PART(c.left_out, jobs));
    ORI_TRY(collect_totals(in, schedule, &c, err));
    orr_run run = {.failures = failures,
                   .ends = c.ends,
                   .attempts = c.attempts,
                   .cancelled = c.cancelled,
                   .left_out = schedule->withdrawal_count > 0 ? c.left_out : NULL,
                   .past = schedule->term_count > 0 ? c.past : NULL,
                   .checkpoints = c.checkpoints,
                   .totals = c.totals};
    *out = ori_measure(in, &run, true);
    return ORR_OK;
}

/* --- quantiles ------------------------------------------------------------------------------ */

/* A number of every observed job, at `field` of its times. One after the other: three columns at a
 * time would be the most that a large run needs beside itself. */
static orr_status quantiles_of(const orr_instance *in, const orr_run *run, size_t field,
                               double *values, double out[ORR_QUANTILES], orr_error *err)
{
    static const double probabilities[ORR_QUANTILES] = {0.5, 0.9, 0.95, 0.99};
    int32_t count = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_run_observes(in, run, j))
            continue;
        orr_job_times t = orr_measure_job(in, run, j);
        values[count++] = *(const double *)((const char *)&t + field);
    }
    return ori_quantiles_in_place(values, count, probabilities, ORR_QUANTILES, out, err);
}

orr_status orr_measure_quantiles(const orr_instance *in, const orr_run *run, const orr_allocator *a,
                                 orr_job_quantiles *out, orr_error *err)
{
    orr_allocator memory = orr_allocator_or_default(a);
    double *values;
    ORI_REFUSE(in->count > 0 && !run->ends, err, "quantiles need a run in which every job is over");
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(values, in->count));
    ORI_TRY(quantiles_of(in, run, offsetof(orr_job_times, wait), values, out->wait, err));
    ORI_TRY(quantiles_of(in, run, offsetof(orr_job_times, flow), values, out->flow, err));
    return quantiles_of(in, run, offsetof(orr_job_times, bsld), values, out->bsld, err);
}

/* --- per user, queue or partition ------------------------------------------------------------ */

static bool has_more_work(const void *x, const void *y)
{
    return ((const orr_user_metrics *)x)->work > ((const orr_user_metrics *)y)->work;
}

orr_status orr_users_measure(orr_users *users, const orr_instance *in, orr_label kind,
                             const double *ends, const double *runtimes, const orr_allocator *a,
                             orr_error *err)
{
    *users = (orr_users){.alloc = orr_allocator_or_default(a)};
    ORI_REFUSE((unsigned)kind >= ORR_LABEL_KINDS, err, "there is no label of kind %d", (int)kind);
    ORI_REFUSE(in->count > 0 && !ends, err, "users need a run in which every job is over");
    int32_t labels = in->jobs->names.count + 1;
    users->list = ori_new(&users->alloc, (size_t)labels * sizeof *users->list, err);
    if (!users->list)
        return ORR_ERR_MEMORY;
    users->capacity = labels;
    for (int32_t i = 0; i < users->capacity; i++)
        users->list[i].label = i;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_job_is_observed(in, j) || isnan(ends[j]))
            continue;
        orr_job_times t =
            orr_times_of_job(in, j, ends[j], runtimes ? runtimes[j] : orr_job_length(in, j));
        add_job(&users->list[orr_jobs_label(in->jobs, j, kind)], &t, in->jobs->procs[j]);
    }
    /* drop users without jobs, make means of sums, and sort the list, which is in the order of
     * labels */
    for (int32_t i = 0; i < users->capacity; i++) {
        orr_user_metrics u = users->list[i];
        if (u.jobs == 0)
            continue;
        make_means(&u);
        users->list[users->count++] = u;
    }
    return ORI_SORT(users->list, users->count, has_more_work, &users->alloc, err);
}

void orr_users_destroy(orr_users *users)
{
    orr_release(&users->alloc, users->list, (size_t)users->capacity * sizeof *users->list);
    *users = (orr_users){.alloc = users->alloc};
}
