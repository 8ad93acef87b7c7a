/* Generated jobs after Lublin and Feitelson's model. */
#include "workload/generate_lublin.h"

#include "base/draw.h"
#include "base/random.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"
#include "workload/generate.h"
#include "workload/user_estimates_internal.h"

#include <math.h>
#include <string.h>

enum { DAY = 86400, BUCKET = 1800, BUCKETS = 48, WEEK_BUCKETS = 7 * BUCKETS };

/* Logarithms of the longest runtime and the longest gap; size of the machine that was fitted. */
static const double LONGEST = 12, LONGEST_GAP = 13, FITTED = 128;

typedef struct gamma_law {
    double shape, scale;
} gamma_law;

typedef struct job_type {
    struct {
        double serial, power_of_two; /* probabilities; the rest is parallel of any size */
        double low, med, high;       /* log2 of sizes, on FITTED processors */
        double below;                /* probability of [low, med] */
        double slope, offset;        /* probability of the first law: slope * size + offset */
        double all_hours;            /* factor on the shape of gaps for all hours */
    };
    struct {
        gamma_law first, second; /* ln of the runtime, s */
        gamma_law gap;           /* ln of the gap in the rush hours, s */
        gamma_law day;           /* in half hours of the day, from FIRST_BUCKET on */
    };
} job_type;

enum { FIRST_BUCKET = 10 }; /* 5 in the morning, for the gamma half hour 11 */

enum { BATCH, INTERACTIVE, WHOLE };

/* m_lublin99's, in its notation: SERIAL_PROB, POW2_PROB; ULOW, UMED, UHI; UPROB; PA, PB; ARAR;
 * A1, B1; A2, B2; AARR, BARR; ANUM, BNUM. */
static const job_type published[] = {
    [BATCH] = {{0.2927, 0.6686, 1.2, 5, 7, 0.875, -0.003, 0.6986, 1.0519},
               {{6.57, 0.823}, {639.1, 0.0156}, {6.0415, 0.8531}, {6.1271, 5.2740}}},
    [INTERACTIVE] = {{0.1541, 0.625, 1, 3, 5.5, 0.705, -0.0118, 0.9156, 0.9797},
                     {{3.8351, 0.6605}, {7.073, 0.6856}, {6.5510, 0.6621}, {8.9186, 3.6680}}},
    [WHOLE] = {{0.244, 0.576, 0.8, 4.5, 7, 0.86, -0.0054, 0.78, 1.0225},
               {{4.2, 0.94}, {312, 0.03}, {10.2303, 0.4871}, {8.1737, 3.9631}}},
};

/* A stream of jobs of one type on the machine of the options. */
typedef struct arrivals {
    job_type type;                   /* fitted to the machine */
    double passed[WEEK_BUCKETS + 1]; /* the clock of arrivals at the end of each bucket of a week
                                        that begins like the log, in buckets */
    double stretch;                  /* factor on gaps */
    double clock;                    /* of arrivals, in buckets, at the next job */
    double next;                     /* when it comes, s */
    int32_t queue;                   /* label number of its name; 0: none */
    orr_pcg rng;
} arrivals;

/* --- the machine and the options -------------------------------------------------------------- */

orr_lublin orr_lublin_default(void)
{
    return (orr_lublin){.procs = 128,
                        .count = INT32_MAX,
                        .days = 30,
                        .week = {1, 1, 1, 1, 1, 0.9, 0.65},
                        .first_day = 19723};
}

static orr_status check_week(const double week[7], orr_error *err)
{
    double sum = 0;
    bool good = true;
    for (int i = 0; i < 7; i++) {
        good = good && week[i] >= 0;
        sum += week[i];
    }
    if (good && sum > 0 && isfinite(sum))
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "week must be seven weights, Monday to Sunday, >= 0 and not all 0");
}

static orr_status check_lublin(const orr_lublin *o, orr_error *err)
{
    ORI_REFUSE(o->procs < 1, err, "procs must be >= 1, not %d", (int)o->procs);
    ORI_REFUSE(o->count < 0, err, "count must be >= 0, not %d", (int)o->count);
    ORI_REFUSE(!(o->days >= 0), err, "days must be >= 0, not %g", o->days);
    ORI_REFUSE(isinf(o->days) && o->count == INT32_MAX, err, "endless days need a count of jobs");
    ORI_REFUSE(!(o->load >= 0 && o->load <= 100), err,
               "load must be above 0 and at most 100, not %g", o->load);
    ORI_REFUSE(!(o->walltime == 0 || (o->walltime >= 1 && o->walltime <= 1e6)), err,
               "walltimes are 1 to 1000000 times as long as runtimes, not %g times", o->walltime);
    ORI_REFUSE(o->first_day < -36500 || o->first_day > 2900000, err,
               "the first day is out of range");
    return check_week(o->week, err);
}

/* The constants on a machine of `procs`; on very small ones the intervals close. */
static job_type fit(const job_type *published_type, int32_t procs, bool scaled)
{
    job_type t = *published_type;
    double shift = log2(procs / FITTED);
    t.high = fmax(t.high + shift, 0);
    t.low = fmin(t.low, t.high);
    t.med = fmin(fmax(t.med + shift, t.low), t.high);
    if (scaled)
        t.slope *= FITTED / procs;
    t.gap.shape *= t.all_hours;
    return t;
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static double first_share(const job_type *t, double procs)
{
    return clamp(t->slope * procs + t->offset, 0, 1);
}

/* --- sizes and runtimes ----------------------------------------------------------------------- */

static int32_t largest_power(int32_t procs)
{
    return 31 - __builtin_clz((unsigned)procs);
}

static int32_t draw_size(orr_pcg *rng, const job_type *t, int32_t procs)
{
    double u = orr_draw_unit(rng);
    if (u < t->serial)
        return 1;
    bool below = orr_draw_unit(rng) < t->below;
    double log_size =
        below ? orr_draw_uniform(rng, t->low, t->med) : orr_draw_uniform(rng, t->med, t->high);
    if (u < t->serial + t->power_of_two)
        return 1 << (int)fmin(floor(log_size + 0.5), largest_power(procs));
    return (int32_t)clamp(floor(exp2(log_size) + 0.5), 1, procs);
}

static double draw_runtime(orr_pcg *rng, const job_type *t, int32_t procs)
{
    double share = first_share(t, procs), log_time;
    do {
        const gamma_law *g = orr_draw_unit(rng) < share ? &t->first : &t->second;
        log_time = orr_draw_gamma(rng, g->shape, g->scale);
    } while (log_time > LONGEST);
    return floor(exp(log_time));
}

static double draw_walltime(orr_pcg *rng, const orr_lublin *o, double time)
{
    if (o->walltime == 0)
        return NAN;
    if (o->round_walltimes)
        return ori_round_walltime(time * orr_draw_uniform(rng, 1, o->walltime));
    return ceil(time * o->walltime);
}

/* --- expectations ----------------------------------------------------------------------------- */

/* E[exp(X); X <= cap] for a gamma X of scale < 1, and with `power` 0 P(X <= cap): the density times
 * exp(x) is again a gamma's, of scale b / (1 - b), times (1 - b)^-a. */
static double partial_mean(const gamma_law *g, int power, double cap)
{
    double rest = power ? 1 - g->scale : 1;
    return pow(rest, -g->shape) * ori_gamma_distribution(g->shape, cap * rest / g->scale);
}

static double mean_runtime(const job_type *t, double procs)
{
    double p = first_share(t, procs);
    double sum =
        p * partial_mean(&t->first, 1, LONGEST) + (1 - p) * partial_mean(&t->second, 1, LONGEST);
    return sum / (p * partial_mean(&t->first, 0, LONGEST) +
                  (1 - p) * partial_mean(&t->second, 0, LONGEST));
}

/* P(log2 size <= x) of parallel jobs before rounding. */
static double size_distribution(const job_type *t, double x)
{
    double below = t->med > t->low ? clamp((x - t->low) / (t->med - t->low), 0, 1) : x >= t->med;
    double above = t->high > t->med ? clamp((x - t->med) / (t->high - t->med), 0, 1) : x >= t->high;
    return t->below * below + (1 - t->below) * above;
}

/* The mean area of jobs whose sizes are powers of two. */
static double mean_area_of_powers(const job_type *t, int32_t procs)
{
    double sum = 0, before = 0;
    int32_t most = largest_power(procs);
    for (int32_t k = 0; k <= most; k++) {
        /* just below, as the middle is rounded up */
        double up_to = k == most ? 1 : size_distribution(t, nextafter(k + 0.5, 0));
        double size = ldexp(1, k);
        sum += (up_to - before) * size * mean_runtime(t, size);
        before = up_to;
    }
    return sum;
}

/* The mean area of other jobs: the exact sum up to size 4096, the integral above. */
static double mean_area_of_sizes(const job_type *t, int32_t procs)
{
    enum { EXACT = 4096, STEPS = 20000 };
    double sum = 0, before = 0;
    int32_t exact = procs < EXACT ? procs : EXACT;
    for (int32_t size = 1; size <= exact; size++) {
        double up_to = size == procs ? 1 : size_distribution(t, nextafter(log2(size + 0.5), 0));
        sum += (up_to - before) * size * mean_runtime(t, size);
        before = up_to;
    }
    double from = log2(exact + 0.5), step = (t->high - from) / STEPS;
    for (int i = 1; exact < procs && step > 0 && i <= STEPS; i++) {
        double up_to = size_distribution(t, from + i * step);
        double size = exp2(from + (i - 0.5) * step);
        sum += (up_to - before) * size * mean_runtime(t, size);
        before = up_to;
    }
    return sum;
}

/* The types of the options: their numbers in `published`. */
static int types_of(const orr_lublin *o, int types[2])
{
    types[0] = o->types == ORR_LUBLIN_BATCH   ? BATCH
               : o->types == ORR_LUBLIN_WHOLE ? WHOLE
                                              : INTERACTIVE;
    types[1] = BATCH;
    return o->types == ORR_LUBLIN_BOTH ? 2 : 1;
}

orr_status orr_lublin_expect(const orr_lublin *options, orr_lublin_means *means, orr_error *err)
{
    ORI_TRY(check_lublin(options, err));
    int types[2], n = types_of(options, types);
    double rate = 0, work = 0; /* jobs and processor-seconds per second */
    for (int i = 0; i < n; i++) {
        job_type t = fit(&published[types[i]], options->procs, options->scaled);
        double gap = partial_mean(&t.gap, 1, LONGEST_GAP) / partial_mean(&t.gap, 0, LONGEST_GAP);
        rate += 1 / gap;
        double area = t.serial * mean_runtime(&t, 1) +
                      t.power_of_two * mean_area_of_powers(&t, options->procs) +
                      (1 - t.serial - t.power_of_two) * mean_area_of_sizes(&t, options->procs);
        work += area / gap;
    }
    double own = work / options->procs;
    double stretch = options->load > 0 ? own / options->load : 1;
    *means = (orr_lublin_means){work / rate, stretch / rate, own / stretch};
    return ORR_OK;
}

/* --- arrivals --------------------------------------------------------------------------------- */

/* The weights of the day's half hours, with the mean 1. */
static void weigh_day(const job_type *t, double weights[BUCKETS])
{
    double sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        double half_hour = i + FIRST_BUCKET + 1;
        double *weight = &weights[(i + FIRST_BUCKET) % BUCKETS];
        *weight = ori_gamma_distribution(t->day.shape, (half_hour + 0.5) / t->day.scale) -
                  ori_gamma_distribution(t->day.shape, (half_hour - 0.5) / t->day.scale);
        sum += *weight;
    }
    for (int i = 0; i < BUCKETS; i++)
        weights[i] *= BUCKETS / sum;
}

static int weekday(int64_t day) /* 0: Monday */
{
    return (int)(((day + 3) % 7 + 7) % 7); /* 1970 began on a Thursday */
}

static void weigh_week(arrivals *a, const orr_lublin *o)
{
    double day[BUCKETS], sum = 0;
    weigh_day(&a->type, day);
    for (int d = 0; d < 7; d++)
        sum += o->week[d];
    a->passed[0] = 0;
    for (int b = 0; b < WEEK_BUCKETS; b++) {
        double of_day = o->week[weekday(o->first_day + b / BUCKETS)] * 7 / sum;
        a->passed[b + 1] = a->passed[b] + of_day * day[b % BUCKETS];
    }
}

/* The time at which the clock of arrivals shows `clock`, s. */
static double time_at(const arrivals *a, double clock)
{
    double whole = a->passed[WEEK_BUCKETS];
    double weeks = floor(clock / whole), rest = clock - weeks * whole;
    int low = 0, high = WEEK_BUCKETS;
    /* passed[low] <= rest, and rest < passed[high] or high is last */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(a->passed[middle] <= rest ? &low : &high) = middle;
    }
    double weight = a->passed[high] - a->passed[low];
    double share = weight > 0 ? fmin((rest - a->passed[low]) / weight, 1) : 0;
    return (weeks * WEEK_BUCKETS + low + share) * BUCKET;
}

static void draw_next(arrivals *a)
{
    double log_gap;
    do
        log_gap = orr_draw_gamma(&a->rng, a->type.gap.shape, a->type.gap.scale);
    while (log_gap > LONGEST_GAP);
    a->clock += a->stretch * exp(log_gap) / BUCKET;
    a->next = floor(time_at(a, a->clock));
}

static void open_arrivals(arrivals *a, const orr_lublin *o, int type, double stretch, orr_pcg rng)
{
    a->type = fit(&published[type], o->procs, o->scaled);
    a->stretch = stretch;
    a->clock = 0;
    a->rng = rng;
    weigh_week(a, o);
    draw_next(a);
}

/* --- all of it -------------------------------------------------------------------------------- */

static orr_status add_jobs(orr_jobs *jobs, const orr_lublin *o, double stretch, orr_stream_key key,
                           orr_error *err)
{
    static const char *const queues[] = {
        [BATCH] = "batch", [INTERACTIVE] = "interactive", [WHOLE] = ""};
    arrivals streams[2];
    int types[2], n = types_of(o, types);
    for (int i = 0; i < n; i++) {
        open_arrivals(&streams[i], o, types[i], stretch,
                      orr_stream_open(key, (UINT64_C(1) << 32) + (unsigned)i));
        const char *queue = queues[types[i]];
        ORI_TRY(orr_labels_number(&jobs->names, queue, strlen(queue), &streams[i].queue, err));
    }
    while (jobs->count < o->count) {
        arrivals *a = n == 2 && streams[1].next < streams[0].next ? &streams[1] : &streams[0];
        if (!(a->next < o->days * DAY))
            break;
        orr_pcg rng = orr_stream_open(key, (uint64_t)jobs->count);
        int32_t size = draw_size(&rng, &a->type, o->procs);
        double time = draw_runtime(&rng, &a->type, size);
        double walltime = draw_walltime(&rng, o, time);
        ORI_TRY(orr_jobs_add(jobs, NULL, a->next, size, time, walltime, err));
        ORI_TRY(orr_jobs_set_label(jobs, jobs->count - 1, ORR_LABEL_QUEUE, a->queue, err));
        draw_next(a);
    }
    jobs->machine_procs = o->procs;
    jobs->has_origin = true;
    jobs->origin_us = o->first_day * DAY * 1000000;
    return ORR_OK;
}

orr_jobs *orr_generate_lublin(const orr_lublin *options, uint64_t seed, uint64_t set,
                              const orr_allocator *a, orr_error *err)
{
    static const orr_user_estimates of_users = {.longest = 2 * DAY}; /* runtimes end at 45 h */
    orr_lublin_means own;
    orr_lublin as_published = *options;
    as_published.load = 0;
    if (check_lublin(options, err) != ORR_OK ||
        orr_lublin_expect(&as_published, &own, err) != ORR_OK)
        return NULL;
    double stretch = options->load > 0 ? own.load / options->load : 1;
    double expected = fmin(options->count, options->days * DAY / (own.gap * stretch));
    if (expected > ORR_GENERATED_MAX) {
        orr_fail(err, ORR_ERR_ARGUMENT, "expected days or a count of at most %d jobs, not of %.3g",
                 ORR_GENERATED_MAX, expected);
        return NULL;
    }
    orr_jobs *jobs = orr_jobs_create(a, err);
    if (!jobs)
        return NULL;
    orr_stream_key key = orr_stream_key_make(seed, set, 0, ORR_PURPOSE_WORKLOAD);
    orr_jobs *made = NULL;
    if (add_jobs(jobs, options, stretch, key, err) == ORR_OK) {
        if (!options->user_estimates)
            return jobs;
        made = orr_jobs_estimated(jobs, &of_users, seed, set, a, err);
    }
    orr_jobs_destroy(jobs);
    return made;
}
