/* Generated jobs: synthetic sets, and months like Mira's. */
#include "workload/generate.h"

#include "base/block_internal.h"
#include "base/draw.h"
#include "base/random.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <stdio.h>

/* --- synthetic sets ----------------------------------------------------------------------------*/

orr_synthetic orr_synthetic_default(void)
{
    return (orr_synthetic){100, 50, 2000, 100, 20000};
}

static orr_status check_synthetic(const orr_synthetic *o, orr_error *err)
{
    ORI_REFUSE(o->count < 0 || o->count > ORR_GENERATED_MAX, err,
               "count must be from 0 to %d, not %d", ORR_GENERATED_MAX, (int)o->count);
    ORI_REFUSE(o->min_procs < 1 || o->max_procs < o->min_procs, err,
               "procs must be two numbers, 1 <= first <= second, not %d and %d", (int)o->min_procs,
               (int)o->max_procs);
    ORI_REFUSE(!(o->min_time >= 0 && o->max_time >= o->min_time) || isinf(o->max_time), err,
               "time must be two numbers of seconds, 0 <= first <= second, not %g and %g",
               o->min_time, o->max_time);
    return ORR_OK;
}

orr_jobs *orr_generate_synthetic(const orr_synthetic *options, uint64_t seed, uint64_t set,
                                 const orr_allocator *a, orr_error *err)
{
    if (check_synthetic(options, err) != ORR_OK)
        return NULL;
    orr_jobs *jobs = orr_jobs_create(a, err);
    if (!jobs)
        return NULL;
    orr_stream_key key = orr_stream_key_make(seed, set, 0, ORR_PURPOSE_WORKLOAD);
    for (int32_t i = 0; i < options->count; i++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)i);
        int64_t procs = orr_draw_integer(&rng, options->min_procs, options->max_procs);
        double time = orr_draw_uniform(&rng, options->min_time, options->max_time);
        if (orr_jobs_add(jobs, NULL, 0, (int32_t)procs, time, NAN, err) != ORR_OK) {
            orr_jobs_destroy(jobs);
            return NULL;
        }
    }
    return jobs;
}

/* --- a month of Mira ---------------------------------------------------------------------------
 * A job is either short (a test, or a run that failed at its start) or a production run. Some
 * production runs compute until the limit of their queue kills them, to go on from a checkpoint in
 * another job; the others take a lognormal time, and are killed there too if it is too long. */

typedef struct partition {
    int32_t nodes;
    double share;  /* of the jobs */
    double limit;  /* longest walltime of its queue, s */
    double median; /* of a production run that ends by itself, s */
    double fills;  /* share of the production runs that compute until their limit */
} partition;

enum { PARTITIONS = 10 };

/* The numbers here and in the model were found by a search from plausible ones, so that the month
 * of seed 1 has the paper's number of failures per day and nearly its makespan ratios without
 * failures, at a plausible utilisation, and no job far above the others (data/mira/README.md). The
 * limits are 6 hours for small partitions, 12 for the middle, 24 for runs of the capability
 * queue, and again less for the widest. */
static const partition partitions[PARTITIONS] = {
    {512, 0.491, 21600, 1800, 0.20},    {1024, 0.170, 21600, 5400, 0.05},
    {2048, 0.145, 21600, 4800, 0.20},   {4096, 0.065, 43200, 3600, 0.20},
    {8192, 0.065, 43200, 10200, 0.05},  {12288, 0.005, 86400, 3600, 0.05},
    {16384, 0.031, 86400, 12000, 0.05}, {24576, 0.009, 21600, 12600, 0.05},
    {32768, 0.010, 21600, 2400, 0.10},  {49152, 0.009, 32400, 8400, 0.25},
};

typedef struct mira_model {
    double short_share;  /* of the jobs of a day with the mean number of jobs */
    double short_median; /* s */
    double short_sigma;  /* of the logarithm */
    double sigma;        /* the sigma of production runs that end by themselves */
    double busy;         /* the share of production runs goes as (mean / number of jobs)^busy */
} mira_model;

static const mira_model model = {0.30, 400, 1.2, 0.3, -0.2};

enum {
    SHORTEST_RUN = 37, /* s: starting and ending an empty job takes that long */
    LONGEST_KILL = 94, /* s: so much later than its limit a killed job ends at the latest */
    MEAN_KILL = 60,    /* s */
    MACHINE = 49152,
    DAY = 86400,
    FIRST_ID = 1800000
};

orr_mira_month orr_mira_month_default(void)
{
    return (orr_mira_month){4699, 30, 18048, 66, 277};
}

static orr_status check_month(const orr_mira_month *o, orr_error *err)
{
    ORI_REFUSE(o->days < 1 || o->days > 36500, err, "days must be from 1 to 36500, not %d",
               (int)o->days);
    ORI_REFUSE(o->min_day < 0 || o->max_day < o->min_day, err,
               "the jobs on a day must be two numbers, 0 <= first <= second, not %d and %d",
               (int)o->min_day, (int)o->max_day);
    int64_t others = o->days - 1, one = o->days == 1;
    int64_t least = others * o->min_day + (one ? o->min_day : o->max_day);
    int64_t most = others * o->max_day + (one ? o->max_day : o->min_day);
    most = most < ORR_GENERATED_MAX ? most : ORR_GENERATED_MAX;
    ORI_REFUSE(o->count < least || o->count > most, err,
               "count must be from %lld to %lld for %d days of %d to %d jobs, not %d",
               (long long)least, (long long)most, (int)o->days, (int)o->min_day, (int)o->max_day,
               (int)o->count);
    ORI_REFUSE(o->first_day < -36500 || o->first_day > 2900000, err,
               "the first day is out of range");
    return ORR_OK;
}

typedef struct day {
    double rank; /* 0 .. 1: how busy */
    int32_t count;
} day;

static double count_at(const orr_mira_month *o, double rank, double power)
{
    return o->min_day + (o->max_day - o->min_day) * pow(rank, power);
}

/* The quietest day has min_day jobs and the busiest max_day; the power that shapes the days between
 * is found by bisection, so that the sum is right. */
static double find_power(const orr_mira_month *o, const day *days)
{
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(low * high), total = 0;
        for (int32_t d = 0; d < o->days; d++)
            total += count_at(o, days[d].rank, middle);
        *(total > o->count ? &low : &high) = middle;
    }
    return high;
}

/* Uniform ranks, stretched so that 0 and 1 both occur. */
static void draw_ranks(const orr_mira_month *o, day *days, orr_stream_key key)
{
    double low = 1, high = 0;
    for (int32_t d = 0; d < o->days; d++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)o->count + (uint64_t)d);
        days[d].rank = orr_draw_unit(&rng);
        low = fmin(low, days[d].rank);
        high = fmax(high, days[d].rank);
    }
    for (int32_t d = 0; d < o->days; d++)
        days[d].rank = high > low ? (days[d].rank - low) / (high - low) : 0;
}

/* Jobs that rounding left over (or gave too many) go to the days between the extremes, one job
 * each, in turn; check_month has checked that the days have room. */
static void settle_counts(const orr_mira_month *o, day *days, int64_t given)
{
    int32_t step = given < o->count ? 1 : -1;
    for (int32_t d = 0; given != o->count; d = (d + 1) % o->days) {
        int32_t count = days[d].count + step;
        bool between = days[d].rank > 0 && days[d].rank < 1;
        if (!between || count < o->min_day || count > o->max_day)
            continue;
        days[d].count = count;
        given += step;
    }
}

static void draw_counts(const orr_mira_month *o, day *days, orr_stream_key key)
{
    if (o->days == 1) {
        days[0].count = o->count;
        return;
    }
    draw_ranks(o, days, key);
    double power = find_power(o, days);
    int64_t given = 0;
    for (int32_t d = 0; d < o->days; d++) {
        days[d].count = (int32_t)floor(count_at(o, days[d].rank, power));
        given += days[d].count;
    }
    settle_counts(o, days, given);
}

static const partition *draw_partition(orr_pcg *rng)
{
    double u = orr_draw_unit(rng);
    int i = 0;
    while (i < PARTITIONS - 1 && u >= partitions[i].share) {
        u -= partitions[i].share;
        i++;
    }
    return &partitions[i];
}

/* Draws a runtime in whole seconds. */
static double draw_runtime(orr_pcg *rng, const partition *p, double production)
{
    bool is_short = orr_draw_unit(rng) >= production;
    bool fills = orr_draw_unit(rng) < p->fills && !is_short;
    double median = is_short ? model.short_median : p->median;
    double sigma = is_short ? model.short_sigma : model.sigma;
    double time = ceil(orr_draw_lognormal(rng, log(median), sigma));
    double kill = fmin(LONGEST_KILL, floor(orr_draw_exponential(rng, MEAN_KILL)));
    return fmax(SHORTEST_RUN, fills || time > p->limit ? p->limit + kill : time);
}

/* Users ask for a round time above their need. A job killed at its walltime asked for its queue's
 * limit. A walltime is at least the runtime, rounded up to minutes. */
static double draw_walltime(orr_pcg *rng, const partition *p, double time)
{
    static const double asked[] = {900,   1800,  2700,  3600,  5400,  7200,  10800,
                                   14400, 21600, 28800, 36000, 43200, 64800, 86400};
    double wanted = time * (1.1 + orr_draw_exponential(rng, 0.6));
    double walltime = p->limit;
    for (int i = 13; i >= 0 && asked[i] >= wanted; i--)
        if (asked[i] <= p->limit)
            walltime = asked[i];
    return fmax(walltime, 60 * ceil(time / 60));
}

/* Submission times within a day: most at 18 h UTC, midday in Chicago, fewest at 6 h; by rejection
 * from the uniform. */
static void draw_submissions(orr_pcg *rng, double *seconds, double *scratch, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double s, level;
        do {
            s = (double)orr_draw_integer(rng, 0, DAY - 1);
            level = 1 - 0.45 * sin(2 * 3.14159265358979323846 * s / DAY);
        } while (1.45 * orr_draw_unit(rng) > level);
        seconds[i] = s;
    }
    ori_sort(seconds, n, sizeof *seconds, ori_is_less, scratch);
}

static orr_status add_day(orr_jobs *jobs, const orr_mira_month *o, int32_t d, int32_t n,
                          double *seconds, double *scratch, orr_stream_key key, orr_error *err)
{
    double mean = (double)o->count / o->days;
    double production = (1 - model.short_share) * (n > 0 ? pow(mean / n, model.busy) : 1);
    orr_pcg rng = orr_stream_open(key, (uint64_t)o->count + (uint64_t)o->days + (uint64_t)d);
    draw_submissions(&rng, seconds, scratch, n);
    for (int32_t i = 0; i < n; i++) {
        char id[24];
        snprintf(id, sizeof id, "%lld", (long long)FIRST_ID + jobs->count);
        orr_pcg own = orr_stream_open(key, (uint64_t)jobs->count);
        const partition *p = draw_partition(&own);
        double time = draw_runtime(&own, p, fmin(production, 0.95));
        double walltime = draw_walltime(&own, p, time);
        ORI_TRY(
            orr_jobs_add(jobs, id, (double)d * DAY + seconds[i], p->nodes, time, walltime, err));
    }
    return ORR_OK;
}

static orr_status add_days(orr_jobs *jobs, const orr_mira_month *o, orr_stream_key key,
                           orr_error *err)
{
    day *days;
    double *seconds, *scratch;
    ORI_SCRATCH(&jobs->alloc, ORI_ZEROED, err, ORI_PART(days, o->days),
                ORI_PART(seconds, o->max_day), ORI_PART(scratch, o->max_day));
    draw_counts(o, days, key);
    for (int32_t d = 0; d < o->days; d++)
        ORI_TRY(add_day(jobs, o, d, days[d].count, seconds, scratch, key, err));
    /* second 0 is the first queued job, as in every log of Mira */
    double first = jobs->count > 0 ? jobs->submit[0] : 0;
    for (int32_t job = 0; job < jobs->count; job++)
        jobs->submit[job] -= first;
    jobs->machine_procs = MACHINE;
    jobs->has_origin = jobs->rebased = true;
    jobs->origin_us = (o->first_day * DAY + (int64_t)first) * 1000000;
    return ORR_OK;
}

orr_jobs *orr_generate_mira(const orr_mira_month *options, uint64_t seed, const orr_allocator *a,
                            orr_error *err)
{
    if (check_month(options, err) != ORR_OK)
        return NULL;
    orr_jobs *jobs = orr_jobs_create(a, err);
    orr_stream_key key = orr_stream_key_make(seed, 0, 0, ORR_PURPOSE_WORKLOAD);
    if (!jobs || add_days(jobs, options, key, err) == ORR_OK)
        return jobs;
    orr_jobs_destroy(jobs);
    return NULL;
}
