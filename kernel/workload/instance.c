/* Instances: a workload on a machine, with the scheduler's estimates; and revisions. */
#include "workload/instance_internal.h"

#include "base/api_internal.h"
#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"
#include "workload/limit_internal.h"
#include "workload/links_internal.h"
#include "workload/nodes_internal.h"
#include "workload/window_internal.h"
#include "workload/zone_internal.h"

#include <math.h>
#include <string.h>

enum { MOST_JOBS = 1 << 28 };        /* a few numbers per job are still counted in 32 bits */
enum { MOST_PROCS = INT32_MAX - 1 }; /* a job that waits needs fewer than "infinitely many" */

typedef struct keyed {
    double submit; /* first: the key */
    int32_t position;
} keyed;

static bool in_order(const orr_instance *in)
{
    for (int32_t j = 1; j < in->count; j++)
        if (in->submit[j] < in->submit[j - 1])
            return false;
    return true;
}

static orr_status order_submissions(orr_instance *in, orr_error *err)
{
    for (int32_t j = 0; j < in->count; j++)
        in->by_submission[j] = j;
    if (in_order(in)) /* most logs are */
        return ORR_OK;
    keyed *keys, *scratch;
    ORI_SCRATCH(&in->alloc, ORI_RAW, err, ORI_PART(keys, in->count), ORI_PART(scratch, in->count));
    for (int32_t j = 0; j < in->count; j++)
        keys[j] = (keyed){in->submit[j], j};
    ori_sort(keys, in->count, sizeof *keys, ori_is_less, scratch);
    for (int32_t j = 0; j < in->count; j++)
        in->by_submission[j] = keys[j].position;
    return ORR_OK;
}

static orr_status check_seconds(const char *what, double value, orr_error *err)
{
    if (value >= 0 && value < INFINITY)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT, "%s: expected a finite number of seconds >= 0, found %g",
                    what, value);
}

static orr_status check_estimates(const orr_jobs *jobs, const double *estimates, orr_error *err)
{
    for (int32_t j = 0; estimates && j < jobs->count; j++)
        ORI_REFUSE(estimates[j] < 0 || isinf(estimates[j]), err,
                   "the estimate of job %s: expected a finite number of seconds >= 0, "
                   "found %g",
                   orr_jobs_id(jobs, j), estimates[j]);
    return ORR_OK;
}

/* A job that writes checkpoints must be able to end. */
static orr_status check_checkpoints(const orr_jobs *jobs, const orr_checkpoints *c, orr_error *err)
{
    for (int32_t j = 0; c->cost && j < jobs->count; j++) {
        double cost = c->cost[j], recovery = c->recovery ? c->recovery[j] : 0;
        double period = c->period ? c->period[j] : INFINITY;
        ORI_FAIL_IF(!(cost >= 0), err, ORR_ERR_INPUT,
                    "the checkpoint of job %s: expected a number of seconds >= 0, found %g",
                    orr_jobs_id(jobs, j), cost);
        ORI_FAIL_IF(!(recovery >= 0 && recovery < INFINITY), err, ORR_ERR_INPUT,
                    "the recovery of job %s: expected a finite number of seconds >= 0, found %g",
                    orr_jobs_id(jobs, j), recovery);
        ORI_FAIL_IF(!(period > 0), err, ORR_ERR_INPUT,
                    "the period of job %s: expected a number of seconds of work > 0, found %g",
                    orr_jobs_id(jobs, j), period);
    }
    ORI_FAIL_IF(!c->cost && (c->recovery || c->period), err, ORR_ERR_INPUT,
                "the checkpoints of jobs have a %s and no cost", c->period ? "period" : "recovery");
    return ORR_OK;
}

static orr_status check_options(const orr_jobs *jobs, const orr_instance_options *options,
                                orr_error *err)
{
    ORI_REFUSE(options->procs < 1, err, "the machine needs at least 1 processor, procs is %d",
               (int)options->procs);
    ORI_REFUSE(jobs->count > MOST_JOBS, err, "%d jobs are more than the %d that can be simulated",
               (int)jobs->count, (int)MOST_JOBS);
    ORI_TRY(check_seconds("verification", options->verification, err));
    ORI_REFUSE(
        !(options->silent_error_rate >= 0 && options->silent_error_rate < INFINITY), err,
        "silent_error_rate must be a number of errors per processor-second, at least 0, not %g",
        options->silent_error_rate);
    ORI_TRY(check_seconds("tau", options->tau, err));
    ORI_TRY(check_seconds("grace", options->grace, err));
    ORI_REFUSE(options->extend && (options->cap || options->grace > 0), err,
               "%s and extend exclude each other", options->cap ? "cap" : "grace");
    ORI_REFUSE((options->cap || options->grace > 0) &&
                   (!options->log_walltimes || options->estimates),
               err, "%s is about the log's walltimes: it needs log_walltimes, and no estimates",
               options->cap ? "cap" : "grace");
    ORI_REFUSE(options->dependencies && options->batch, err,
               "dependencies and batch exclude each other: both say when jobs are submitted");
    ORI_REFUSE(!ORI_IS_IN(options->limit_count, ORR_MOST_LIMITS + 1), err,
               "expected at most %d limits, found %d", (int)ORR_MOST_LIMITS,
               (int)options->limit_count);
    ORI_TRY(check_seconds("warmup", options->warmup, err));
    return check_seconds("cooldown", options->cooldown, err);
}

/* "20 d": seconds in the largest unit that they fill, as text for messages. */
static const char *span_text(double seconds, char text[32])
{
    static const struct {
        double length;
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (seconds >= units[i].length) {
            ori_snprintf(text, 32, "%.4g %s", seconds / units[i].length, units[i].name);
            return text;
        }
    ori_snprintf(text, 32, "%.4g s", seconds);
    return text;
}

static orr_status no_job(const orr_instance *in, const orr_instance_options *options, double length,
                         orr_error *err)
{
    char jobs[48] = "", warmup[32], cooldown[32], span[32];
    if (in->jobs->warmup > 0)
        ori_snprintf(jobs, sizeof jobs, "the %d jobs of a slice's warm-up, ",
                     (int)in->jobs->warmup);
    if (in->jobs->masked > 0)
        return orr_fail(err, ORR_ERR_ARGUMENT, "no job of those to observe is counted (%s)",
                        in->jobs->counting);
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "%sa warmup of %s and a cooldown of %s leave no job to observe: submissions "
                    "span %s",
                    jobs, span_text(options->warmup, warmup),
                    span_text(options->cooldown, cooldown), span_text(length, span));
}

/* The window of observation; needs the order of submissions. */
static orr_status open_window(orr_instance *in, const orr_instance_options *options, orr_error *err)
{
    if (in->count == 0)
        return ORR_OK;
    double first = in->first_submission, last = in->submit[in->by_submission[in->count - 1]];
    int32_t warmup = in->jobs->warmup;
    bool later = warmup > 0 && warmup < in->count && last > first;
    in->has_window = options->warmup > 0 || options->cooldown > 0 || later;
    in->window_from = first + options->warmup;
    if (later && in->submit[warmup] > in->window_from)
        in->window_from = in->submit[warmup];
    in->window_to = last - options->cooldown;
    for (int32_t j = 0; j < in->count; j++)
        if (orr_job_is_observed(in, j))
            return ORR_OK;
    return no_job(in, options, last - first, err);
}

/* The estimate of an old job with a changed runtime. */
static double estimate_again(const orr_instance *from, const orr_jobs *jobs, int32_t j)
{
    double before = from->estimate[j];
    if (from->log_walltimes && !isnan(jobs->walltime[j]))
        return jobs->walltime[j];
    return from->predicted && before != from->jobs->time[j] ? before : jobs->time[j];
}

/* Plans a job by the given estimate, and treats an overrun. */
static void plan_job(orr_instance *in, int32_t j, double given, double *capped)
{
    double time = in->jobs->time[j], estimate = isnan(given) ? time : given;
    bool overrun = time > estimate + in->grace;
    in->overruns += overrun;
    if (overrun && !in->extend)
        estimate += in->grace;
    else if (time > estimate || in->clairvoyant)
        estimate = time;
    in->estimate[j] = estimate;
    if (capped)
        capped[j] = time > estimate ? estimate : time;
}

/* The arrays that an instance shares with the workload. */
typedef struct sharing {
    bool allowed, batch;
    double *submit, *estimate; /* the workload's; NULL: its own */
} sharing;

/* Sets the estimate of each job. A new job has the given estimate (NaN: none), else the log's
 * walltime, or the runtime; then the estimate is extended. */
static void fill_estimates(orr_instance *in, const orr_instance *from, const ori_revision *r,
                           const sharing *shared, double *capped)
{
    in->overruns = from->overruns;
    for (int32_t j = 0; j < in->count; j++) {
        bool old = j < from->count, same = old && r->jobs->time[j] == from->jobs->time[j];
        if (!shared->submit)
            in->submit[j] = old ? from->submit[j] : shared->batch ? 0.0 : r->jobs->submit[j];
        if (shared->estimate)
            continue;
        if (same) {
            in->estimate[j] = from->estimate[j];
            if (capped)
                capped[j] = from->time[j];
            continue;
        }
        double given = old                 ? estimate_again(from, r->jobs, j)
                       : r->estimates      ? r->estimates[j - from->count]
                       : in->log_walltimes ? r->jobs->walltime[j]
                                           : NAN;
        plan_job(in, j, given, capped);
    }
}

/* The arrays of an instance that are its own. */
typedef struct own_checkpoints {
    double *cost, *recovery, *period;
} own_checkpoints;

/* A job that cannot write checkpoints has the period INFINITY, and its attempts never recover. */
static void fill_checkpoints(orr_instance *in, const orr_instance *from, const orr_checkpoints *of,
                             const own_checkpoints *own)
{
    for (int32_t j = 0; j < in->count; j++) {
        bool old = j < from->count;
        const orr_checkpoints *c = old ? &from->checkpoints : of;
        int32_t i = old ? j : j - from->count;
        bool able = c->cost && c->cost[i] < INFINITY;
        own->cost[j] = able ? c->cost[i] : INFINITY;
        own->recovery[j] = !able ? 0 : c->recovery ? c->recovery[i] : c->cost[i];
        own->period[j] = able && c->period ? c->period[i] : INFINITY;
    }
    const orr_checkpoints *options = from->checkpoints.cost ? &from->checkpoints : of;
    in->checkpoints = (orr_checkpoints){own->cost, own->recovery, own->period, options->before,
                                        options->requeue_killed};
}

static orr_status check_lengths(const orr_instance *in, orr_error *err)
{
    const orr_checkpoints *c = &in->checkpoints;
    for (int32_t j = 0; c->cost && j < in->count; j++) {
        double most = in->time[j] > in->estimate[j] ? in->time[j] : in->estimate[j];
        bool ends = orr_attempt_ends(most, c->recovery[j], c->cost[j], c->period[j]);
        ORI_FAIL_IF(!ends, err, ORR_ERR_INPUT,
                    "the period of job %s, %g s, is too short for %g s of work: it would write "
                    "checkpoints for ever",
                    orr_jobs_id(in->jobs, j), c->period[j], most);
    }
    return ORR_OK;
}

static void find_pools(orr_instance *in)
{
    for (int32_t i = 0; i < in->pool_count; i++)
        in->pools[i].number = orr_jobs_find_pool(in->jobs, in->pools[i].name);
    for (int32_t i = 0; i < in->limit_count; i++)
        in->limits[i].number = orr_jobs_find_pool(in->jobs, in->limits[i].need);
}

int64_t ori_instance_pool_at(const orr_instance *in, int32_t pool, double time)
{
    int64_t amount = in->pools[pool].amount;
    for (int32_t i = 0; i < in->turn_count && in->turns[i].time <= time; i++)
        amount += in->turns[i].of == pool ? in->turns[i].by : 0;
    return amount;
}

int64_t ori_instance_pool_most(const orr_instance *in, int32_t pool, double time)
{
    int64_t most = ori_instance_pool_at(in, pool, time);
    for (int32_t i = 0; i < in->turn_count; i++) {
        int64_t then = ori_instance_pool_at(in, pool, in->turns[i].time);
        most = in->turns[i].time > time && then > most ? then : most;
    }
    return most;
}

orr_status ori_instance_check_job(const orr_instance *in, const orr_jobs *jobs, int32_t j, bool log,
                                  orr_error *err)
{
    const char *advice = log ? " (--wide drop leaves such jobs out when the log is read)" : "";
    orr_status status = log ? ORR_ERR_INPUT : ORR_ERR_ARGUMENT;
    ORI_FAIL_IF(jobs->procs[j] > in->procs, err, status,
                "job %s asks for %d processors, but the machine has %d%s", orr_jobs_id(jobs, j),
                (int)jobs->procs[j], (int)in->procs, advice);
    for (int32_t i = 0; i < in->pool_count; i++) {
        const orr_pool *pool = &in->pools[i];
        int32_t number = log ? pool->number : orr_jobs_find_pool(jobs, pool->name);
        int64_t need = orr_jobs_need(jobs, j, number);
        int64_t most = ori_instance_pool_most(in, i, log ? -INFINITY : jobs->submit[j]);
        ORI_FAIL_IF(need > most, err, status,
                    "job %s needs %lld of pool %s, but the machine has %lld%s",
                    orr_jobs_id(jobs, j), (long long)need, pool->name, (long long)most, advice);
    }
    return ori_nodes_of(in) ? ori_nodes_allow(in, jobs, j, status, err) : ORR_OK;
}

static orr_status set_pools(orr_instance *in, const orr_instance_options *options, orr_error *err)
{
    ORI_REFUSE(options->pool_count < 0 || options->pool_count > ORR_MOST_NEEDS, err,
               "there are 0 to %d pools, not %d", (int)ORR_MOST_NEEDS, (int)options->pool_count);
    for (int32_t i = 0; i < options->pool_count; i++) {
        const orr_pool *pool = &options->pools[i];
        ORI_REFUSE(pool->amount < 0 || pool->amount > ORR_MOST_AMOUNT, err,
                   "pool %s: expected an amount from 0 to 2^53, found %lld", pool->name,
                   (long long)pool->amount);
        ORI_REFUSE(ori_find_pool(in->pools, in->pool_count, pool->name) >= 0, err,
                   "there are two pools of the name %s", pool->name);
        in->pools[in->pool_count++] = *pool;
    }
    return ORR_OK;
}

/* Adds turns to those of `from`, in order of time. */
static orr_status add_turns(orr_instance *in, const orr_instance *from, const orr_turn *more,
                            int64_t count, orr_error *err)
{
    orr_turn *scratch;
    int64_t before = from->turn_count;
    in->turns = NULL;
    in->turn_count = 0;
    if (before + count == 0)
        return ORR_OK;
    ORI_REFUSE(before + count > INT32_MAX / 2, err, "there cannot be %lld windows of pools",
               (long long)(before + count));
    in->turns = ori_new(&in->alloc, (size_t)(before + count) * sizeof *in->turns, err);
    if (!in->turns)
        return ORR_ERR_MEMORY;
    in->turn_count = (int32_t)(before + count);
    ORI_SCRATCH(&in->alloc, ORI_RAW, err, ORI_PART(scratch, in->turn_count));
    for (int64_t i = 0; i < in->turn_count; i++) {
        in->turns[i] = i < before ? from->turns[i] : more[i - before];
        if (i >= before && in->turns[i].of >= in->pool_count)
            in->limits[in->turns[i].of - in->pool_count].most += in->turns[i].by;
    }
    ori_sort(in->turns, in->turn_count, sizeof *in->turns, ori_is_less, scratch);
    return ORR_OK;
}

static orr_status set_closings(orr_instance *in, const orr_instance_options *options,
                               orr_error *err)
{
    static const orr_instance none = {0};
    orr_turn *turns;
    int64_t count = 0;
    ORI_REFUSE(options->closing_count < 0 || options->closing_count > INT32_MAX / 4, err,
               "there cannot be %lld windows of pools", (long long)options->closing_count);
    ORI_SCRATCH(&in->alloc, ORI_RAW, err, ORI_PART(turns, 2 * options->closing_count + 1));
    for (int64_t i = 0; i < options->closing_count; i++) {
        const orr_closing *c = &options->closings[i];
        int32_t pool;
        ORI_TRY(ori_closing_pool(c, in->pools, in->pool_count, options->nodes, ORR_ERR_ARGUMENT,
                                 &pool, err));
        ORI_REFUSE(!(c->from > -INFINITY && c->from < c->to), err,
                   "a window of pool %s begins at a finite time and ends later, not from %.17g to "
                   "%.17g",
                   c->pool.name, c->from, c->to);
        turns[count++] = (orr_turn){c->from, pool, -c->pool.amount, -1};
        if (c->to < INFINITY)
            turns[count++] = (orr_turn){c->to, pool, c->pool.amount, -1};
    }
    return add_turns(in, &none, turns, count, err);
}

/* Jobs from `behind` on are new. They can be the first ones where those before them are not
 * submitted yet: on an empty machine the clock begins at 0. */
static void find_first(orr_instance *in, int32_t behind)
{
    double first = behind > 0 ? in->first_submission : INFINITY;
    for (int32_t j = behind; j < in->count; j++)
        first = in->submit[j] < first ? in->submit[j] : first;
    if (in->count > behind)
        in->first_submission = first;
}

/* The estimates of all jobs as an array of the workload; NULL: there is no such array. */
static double *estimates_of(const orr_instance *in, const double *given)
{
    const orr_jobs *jobs = in->jobs;
    if (given || in->cap)
        return NULL;
    for (int32_t j = 0; in->log_walltimes && j < jobs->count; j++)
        if (in->clairvoyant || !(jobs->time[j] <= jobs->walltime[j]))
            return NULL;
    return in->log_walltimes ? jobs->walltime : jobs->time;
}

static void find_shared(const orr_instance *in, const ori_revision *revision, sharing *shared)
{
    if (!shared->allowed || in->count == 0)
        return;
    shared->submit = shared->batch ? NULL : in->jobs->submit;
    shared->estimate = revision->checkpoints.cost ? NULL : estimates_of(in, revision->estimates);
}

/* All but options and window, which are there already; `from` has no jobs where all are new. */
static orr_status make_instance(orr_instance *in, const orr_instance *from,
                                const ori_revision *revision, sharing shared, orr_error *err)
{
    const orr_jobs *jobs = revision->jobs;
    orr_jobs behind = {.count = jobs->count - from->count}; /* for the message of an estimate */
    bool linked = in->links;
    in->submit = in->estimate = NULL;
    in->by_submission = NULL;
    in->memory = NULL;
    in->links = NULL;
    in->checkpoints = (orr_checkpoints){0};
    in->jobs = jobs;
    in->count = jobs->count;
    in->procs = revision->procs;
    ORI_REFUSE(in->nodes && in->procs != in->nodes->procs, err,
               "the nodes have %d processors, not %d", (int)in->nodes->procs, (int)in->procs);
    ORI_REFUSE(behind.count < 0 || in->count > MOST_JOBS, err, "%d jobs cannot follow on %d",
               (int)in->count, (int)from->count);
    ORI_REFUSE(in->procs > MOST_PROCS, err,
               "%d processors are more than the %d that can be simulated", (int)in->procs,
               (int)MOST_PROCS);
    behind.id = jobs->id ? jobs->id + from->count : NULL;
    behind.text = jobs->text;
    ORI_TRY(check_estimates(&behind, revision->estimates, err));
    ORI_TRY(check_checkpoints(&behind, &revision->checkpoints, err));
    find_pools(in);
    for (int32_t j = in->turn_count > 0 ? from->count : 0; j < in->count; j++)
        if (jobs->procs[j] > in->procs || in->pool_count > 0 || in->nodes)
            ORI_TRY(ori_instance_check_job(in, jobs, j, from->count == 0, err));
    for (int32_t j = from->count; in->limit_count > 0 && j < in->count; j++)
        ORI_TRY(ori_limits_allow(in, jobs, j, from->count ? ORR_ERR_ARGUMENT : ORR_ERR_INPUT, err));
    ori_block block;
    double *capped;
    own_checkpoints own;
    bool writes = from->checkpoints.cost || revision->checkpoints.cost;
    find_shared(in, revision, &shared);
    const ori_part parts[] = {ORI_PART_IF(!shared.submit, in->submit, in->count),
                              ORI_PART_IF(!shared.estimate, in->estimate, in->count),
                              ORI_PART_IF(in->cap, capped, in->count),
                              ORI_PART_IF(writes, own.cost, in->count),
                              ORI_PART_IF(writes, own.recovery, in->count),
                              ORI_PART_IF(writes, own.period, in->count),
                              ORI_PART(in->by_submission, in->count)};
    ORI_TRY(ORI_BLOCK_CREATE(&block, parts, ORI_ZEROED, &in->alloc, err));
    in->memory = block.memory;
    in->size = block.size;
    in->room = in->count;
    in->time = capped ? capped : jobs->time;
    if (!shared.submit || !shared.estimate)
        fill_estimates(in, from, revision, &shared, capped);
    in->submit = shared.submit ? shared.submit : in->submit;
    in->estimate = shared.estimate ? shared.estimate : in->estimate;
    if (writes)
        fill_checkpoints(in, from, &revision->checkpoints, &own);
    ORI_TRY(check_lengths(in, err));
    ORI_TRY(order_submissions(in, err));
    find_first(in, from->count);
    return linked ? ori_links_create(in, from->count, err) : ORR_OK;
}

/* Makes the links, and sets first_submission: the first submission that does not depend on the
 * run. */
static orr_status link(orr_instance *in, orr_error *err)
{
    ORI_TRY(ori_links_create(in, in->count, err));
    for (int32_t i = 0; i < in->count; i++) {
        int32_t job = in->by_submission[i];
        in->first_submission = in->submit[job];
        if (!ori_is_linked(in->links, job))
            break;
    }
    return ORR_OK;
}

orr_status orr_instance_create(orr_instance *in, const orr_jobs *jobs,
                               const orr_instance_options *given, const orr_allocator *a,
                               orr_error *err)
{
    static const orr_instance none = {0};
    orr_instance_options options;
    *in = (orr_instance){.alloc = orr_allocator_or_default(a)};
    ORI_TRY(ORI_TAKE(&options, given, orr_instance_options, err));
    ORI_TRY(check_options(jobs, &options, err));
    in->verification = options.verification;
    in->silent_error_rate = options.silent_error_rate;
    in->tau = options.tau > 0 ? options.tau : ORR_TAU;
    in->log_walltimes = options.log_walltimes && !options.estimates;
    in->extend = options.extend;
    in->cap = options.cap;
    in->grace = options.grace;
    in->clairvoyant = options.clairvoyant;
    in->predicted = options.estimates;
    in->has_origin = options.has_origin || jobs->has_origin;
    in->origin_us = options.has_origin ? options.origin_us : jobs->origin_us;
    ORI_TRY(set_pools(in, &options, err));
    ORI_TRY(set_closings(in, &options, err));
    ORI_TRY(ori_zone_copy(&in->zone, options.zone ? options.zone : jobs->zone, &in->alloc, err));
    while (in->limit_count < options.limit_count) {
        in->limits[in->limit_count] = options.limits[in->limit_count];
        in->limit_count++;
    }
    if (options.nodes && !(in->nodes = orr_nodes_copy(options.nodes, &in->alloc, err)))
        return ORI_HAS_NODES ? ORR_ERR_MEMORY : ORR_ERR_ARGUMENT;
    ORI_TRY(ori_limits_check(in, err));
    ori_revision all = {jobs, options.estimates, options.procs, options.checkpoints, NULL, 0, NULL};
    sharing shared = {.allowed = options.shares, .batch = options.batch};
    ORI_TRY(make_instance(in, &none, &all, shared, err));
    ORI_TRY(open_window(in, &options, err));
    return options.dependencies ? link(in, err) : ORR_OK;
}

orr_status ori_instance_revise(orr_instance *in, const orr_instance *from,
                               const ori_revision *revision, orr_error *err)
{
    *in = *from;
    in->zone = NULL;
    in->nodes = NULL;
    in->memory = NULL;
    in->links = NULL;
    ORI_TRY(add_turns(in, from, revision->turns, revision->turn_count, err));
    const orr_nodes *nodes = revision->nodes ? revision->nodes : from->nodes;
    if (nodes && !(in->nodes = orr_nodes_copy(nodes, &in->alloc, err)))
        return ORR_ERR_MEMORY;
    in->links = from->links;
    ORI_TRY(make_instance(in, from, revision, (sharing){.allowed = false}, err));
    return ori_zone_copy(&in->zone, from->zone, &in->alloc, err);
}

orr_status ori_instance_reserve(orr_instance *in, orr_error *err)
{
    int32_t count = in->jobs->count, room = in->room > MOST_JOBS / 2 ? MOST_JOBS : 2 * in->room;
    ORI_REFUSE(count > MOST_JOBS, err, "%d jobs are more than the %d that can be simulated",
               (int)count, (int)MOST_JOBS);
    if (count <= in->room)
        return ORR_OK;
    room = room < count ? count : room;
    orr_instance grown = *in;
    size_t n = (size_t)in->count;
    ori_block block;
    const ori_part parts[] = {ORI_PART(grown.submit, room), ORI_PART(grown.estimate, room),
                              ORI_PART(grown.by_submission, room)};
    ORI_TRY(ORI_BLOCK_CREATE(&block, parts, ORI_ZEROED, &in->alloc, err));
    memcpy(grown.submit, in->submit, n * sizeof *in->submit);
    memcpy(grown.estimate, in->estimate, n * sizeof *in->estimate);
    memcpy(grown.by_submission, in->by_submission, n * sizeof *in->by_submission);
    orr_release(&in->alloc, in->memory, in->size);
    grown.memory = block.memory;
    grown.size = block.size;
    grown.room = room;
    *in = grown;
    return ORR_OK;
}

void ori_instance_extend(orr_instance *in, int32_t from)
{
    const orr_jobs *jobs = in->jobs;
    in->time = jobs->time;
    find_pools(in);
    for (int32_t j = in->count; j < jobs->count; j++) {
        int32_t at = j;
        in->submit[j] = jobs->submit[j];
        plan_job(in, j, in->log_walltimes ? jobs->walltime[j] : NAN, NULL);
        for (; at > from && in->submit[in->by_submission[at - 1]] > in->submit[j]; at--)
            in->by_submission[at] = in->by_submission[at - 1];
        in->by_submission[at] = j;
    }
    int32_t before = in->count;
    in->count = jobs->count;
    find_first(in, before);
}

void ori_instance_shorten(orr_instance *in, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < in->count; i++)
        if (in->by_submission[i] < count)
            in->by_submission[kept++] = in->by_submission[i];
    in->count = count;
}

void orr_instance_destroy(orr_instance *in)
{
    orr_release(&in->alloc, in->memory, in->size);
    ori_links_destroy(in);
    in->memory = NULL;
    in->submit = in->estimate = NULL;
    in->by_submission = NULL;
    orr_zone_destroy(in->zone);
    in->zone = NULL;
    orr_nodes_destroy(in->nodes);
    in->nodes = NULL;
    orr_release(&in->alloc, in->turns, (size_t)in->turn_count * sizeof *in->turns);
    in->turns = NULL;
}

bool orr_instance_has(const orr_instance *in, const char *name)
{
    return ori_find_pool(in->pools, in->pool_count, name) >= 0 ||
           ori_nodes_have(ori_nodes_of(in), name);
}

double orr_instance_cut(const orr_instance *in)
{
    double cut = 0;
    for (int32_t j = 0; j < in->count; j++)
        cut += in->jobs->procs[j] * orr_job_cut(in, j);
    return cut;
}
