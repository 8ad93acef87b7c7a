/* Walltimes after the model of Tsafrir, Etsion and Feitelson; steps as in READINGS 40. */
#include "workload/user_estimates_internal.h"

#include "base/block_internal.h"
#include "base/random.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"
#include "workload/select_internal.h"

#include <math.h>

enum { HEAD = 20, LOGS = 4, MOST_VALUES = 565, MINUTE = 60, HOUR = 3600, LEAST_LONGEST = 6000 };

static const double HEAD_SHARE = 0.89;

/* A time that users ask for, and the share of the jobs that ask for it. */
typedef struct value {
    double time, share;
    int32_t jobs;
} value;

typedef struct model {
    value values[MOST_VALUES]; /* the head first, the longest at 0, then by time */
    int32_t count;
    orr_pcg rng;
} model;

/* --- times ------------------------------------------------------------------------------------ */

double ori_round_walltime(double time)
{
    /* minutes, mostly parts of an hour or of a day */
    static const int asked[] = {5,   10,   15,   30,   60,   120,  180,  240,  360,   480,
                                720, 1080, 1440, 2160, 2880, 4320, 5760, 7200, 10080, 14400};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (60.0 * asked[i] >= time)
            return 60.0 * asked[i];
    return 86400 * ceil(time / 86400);
}

/* The number of different estimates of a number of jobs: a piecewise linear function. */
static int32_t different(int32_t jobs)
{
    static const struct {
        int32_t jobs, values;
    } points[] = {
        {0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10000, 90}, {70000, 340}, {250000, MOST_VALUES}};
    int i = 1;
    if (jobs > points[6].jobs)
        return MOST_VALUES;
    while (jobs > points[i].jobs)
        i++;
    double slope =
        (double)(points[i].values - points[i - 1].values) / (points[i].jobs - points[i - 1].jobs);
    int32_t values = points[i - 1].values + (int32_t)round((jobs - points[i - 1].jobs) * slope);
    return values > HEAD ? values : HEAD;
}

static bool is_there(const model *m, double time)
{
    for (int32_t i = 0; i < m->count; i++)
        if (m->values[i].time == time)
            return true;
    return false;
}

static void add_time(model *m, double time)
{
    m->values[m->count++] = (value){.time = time};
}

/* The 20 popular ones: the longest, those that all logs have, and then multiples of ever smaller
 * round times, the longest first. */
static void make_head(model *m, double longest)
{
    static const int joint[] = {5,   10,  15,  20,  30,  60,  120, 180,
                                240, 300, 360, 480, 600, 720, 1080};
    static const int rounds[] = {12000, 6000, 3000, 600, 300, 120, 60, 20, 10, 5};
    add_time(m, longest);
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++)
        if (joint[i] * MINUTE < longest)
            add_time(m, joint[i] * MINUTE);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        double step = rounds[i] * MINUTE;
        for (double k = floor(longest / step); k > 0 && m->count < HEAD; k--)
            if (!is_there(m, k * step))
                add_time(m, k * step);
    }
    for (int32_t i = 2; i < HEAD; i++) { /* by time; they are few */
        value moved = m->values[i];
        int32_t at = i;
        for (; at > 1 && m->values[at - 1].time > moved.time; at--)
            m->values[at] = m->values[at - 1];
        m->values[at] = moved;
    }
}

/* The tail, `wanted` times, except those that find no place between the existing ones. */
static void make_tail(model *m, double longest, int32_t values)
{
    static const int offsets[] = {0, 30, -30, 20, -20, 10, -10};
    int32_t wanted = values - HEAD;
    double a = 1 + 12.1039 * pow(values, -0.6026);
    for (int32_t i = 1; i <= wanted; i++) {
        double x = (double)i / wanted, y = (a - 1) * x / (a - x);
        double time = round(y * longest / MINUTE) * MINUTE;
        for (int k = 0; k < 7; k++) {
            double shifted = time + offsets[k];
            if (shifted > 0 && shifted < longest && !is_there(m, shifted)) {
                add_time(m, shifted);
                break;
            }
        }
    }
}

/* --- shares ----------------------------------------------------------------------------------- */

/* The shares of popular times by their popularity. The longest is first: its share is `share`, or
 * the rest of the head. */
static void head_shares(double shares[HEAD], double share)
{
    double others = 0;
    for (int rank = 2; rank <= HEAD; rank++) {
        shares[rank - 1] = (14.0491 * exp(-0.177531 * rank) + 0.462513) / 100;
        others += shares[rank - 1];
    }
    shares[0] = share > 0 ? share : HEAD_SHARE - others;
    for (int rank = 2; rank <= HEAD && share > 0; rank++)
        shares[rank - 1] *= (HEAD_SHARE - share) / others;
}

/* The popularity that the popular estimates had in four logs: SDSC SP2, CTC SP2, KTH SP2, SDSC Blue
 * Horizon; the longest, then by time. */
static const int16_t popularity[HEAD][LOGS] = {
    {3, 1, 1, 1},     {1, 3, 4, 6},     {4, 4, 10, 5},    {17, 2, 14, 3},  {13, 12, 20, 7},
    {7, 9, 2, 2},     {8, 8, 3, 18},    {18, 18, 7, 19},  {2, 6, 12, 4},   {6, 7, 6, 11},
    {16, 11, 19, 20}, {10, 20, 5, 9},   {5, 16, 18, 10},  {15, 5, 16, 14}, {14, 14, 9, 13},
    {19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8},   {20, 19, 11, 12},
};

/* The most popular free time that no log has after place `place`; 0: none. */
static int overdue(const bool taken[HEAD + 1], int place)
{
    int last[HEAD + 1] = {0};
    for (int i = 0; i < HEAD; i++)
        for (int log = 0; log < LOGS; log++)
            last[popularity[i][log]] = i;
    for (int rank = 1; rank <= HEAD; rank++)
        if (!taken[rank] && last[rank] <= place)
            return rank;
    return 0;
}

/* The more popular of two drawn from all that the logs have up to `place` and that are free. */
static int draw_rank(orr_pcg *rng, const bool taken[HEAD + 1], int place)
{
    int pool[HEAD * LOGS], count = 0;
    for (int i = 0; i <= place; i++)
        for (int log = 0; log < LOGS; log++)
            if (!taken[popularity[i][log]])
                pool[count++] = popularity[i][log];
    int one = pool[orr_pcg_below(rng, (uint64_t)count)];
    int other = pool[orr_pcg_below(rng, (uint64_t)count)];
    return one < other ? one : other;
}

static void share_head(model *m, double share)
{
    double shares[HEAD];
    bool taken[HEAD + 1] = {false};
    head_shares(shares, share);
    for (int place = 0; place < HEAD; place++) {
        int rank = place == 0 ? 1 : overdue(taken, place);
        if (rank == 0)
            rank = draw_rank(&m->rng, taken, place);
        taken[rank] = true;
        m->values[place].share = shares[rank - 1];
    }
}

/* The shares of the tail fall with a power of the rank, and are shuffled over its times. Without a
 * tail the head has all jobs. */
static void share_tail(model *m)
{
    double sum = 0;
    for (int32_t i = HEAD; i < m->count; i++) {
        m->values[i].share = pow(i + 1, -2.267);
        sum += m->values[i].share;
    }
    for (int32_t i = m->count - 1; i >= HEAD; i--) {
        int32_t k = HEAD + (int32_t)orr_pcg_below(&m->rng, (uint64_t)(i - HEAD + 1));
        double drawn = m->values[k].share;
        m->values[k].share = m->values[i].share;
        m->values[i].share = drawn * (1 - HEAD_SHARE) / sum;
    }
    for (int32_t i = 0; m->count == HEAD && i < HEAD; i++)
        m->values[i].share /= HEAD_SHARE;
}

/* Turns shares into numbers of jobs: the jobs that rounding down leaves go to the largest
 * remainders, among equal ones to the first. */
static void count_jobs(model *m, int32_t jobs)
{
    int32_t left = jobs;
    bool more[MOST_VALUES] = {false};
    for (int32_t i = 0; i < m->count; i++) {
        m->values[i].jobs = (int32_t)floor(m->values[i].share * jobs);
        left -= m->values[i].jobs;
    }
    for (; left > 0; left--) {
        int32_t best = -1;
        double greatest = -1;
        for (int32_t i = 0; i < m->count; i++) {
            double remainder = m->values[i].share * jobs - floor(m->values[i].share * jobs);
            if (!more[i] && remainder > greatest) {
                best = i;
                greatest = remainder;
            }
        }
        more[best] = true;
        m->values[best].jobs++;
    }
}

/* --- estimates of jobs ------------------------------------------------------------------------ */

/* A time, and the job that has it. */
typedef struct held {
    double time;
    int32_t job;
} held;

static bool is_longer(const void *x, const void *y)
{
    return ((const held *)x)->time > ((const held *)y)->time;
}

/* Both lists are sorted, the longest first: an assignment exists exactly if they fit place by
 * place. */
static orr_status check_fit(const held *runtimes, const held *estimates, int32_t count,
                            orr_error *err)
{
    for (int32_t i = 0; i < count; i++)
        ORI_REFUSE(runtimes[i].time > estimates[i].time, err,
                   "%d jobs run %g s or longer, but the model has only %d estimates as long; let "
                   "the longest estimate be longer, or the share of jobs that ask for it greater",
                   (int)i + 1, runtimes[i].time, (int)i);
    return ORR_OK;
}

/* Goes from the longest job to the shortest: each gets one of the remaining estimates that are at
 * least its runtime. */
static void assign(orr_jobs *to, const held *runtimes, held *estimates, orr_pcg *rng)
{
    int32_t after = 0; /* the estimates before this one are at least the job's runtime */
    for (int32_t i = 0; i < to->count; i++) {
        while (after < to->count && estimates[after].time >= runtimes[i].time)
            after++;
        int32_t k = i + (int32_t)orr_pcg_below(rng, (uint64_t)(after - i));
        to->walltime[runtimes[i].job] = estimates[k].time;
        estimates[k] = estimates[i];
    }
}

static orr_status give(orr_jobs *to, model *m, orr_error *err)
{
    held *runtimes, *estimates;
    ORI_SCRATCH(&to->alloc, ORI_RAW, err, ORI_PART(runtimes, to->count),
                ORI_PART(estimates, to->count));
    int32_t n = 0;
    for (int32_t i = 0; i < m->count; i++)
        for (int32_t k = 0; k < m->values[i].jobs; k++)
            estimates[n++] = (held){.time = m->values[i].time};
    for (int32_t j = 0; j < to->count; j++)
        runtimes[j] = (held){to->time[j], j};
    ORI_TRY(ORI_SORT(runtimes, to->count, is_longer, &to->alloc, err));
    ORI_TRY(ORI_SORT(estimates, to->count, is_longer, &to->alloc, err));
    ORI_TRY(check_fit(runtimes, estimates, to->count, err));
    assign(to, runtimes, estimates, &m->rng);
    return ORR_OK;
}

/* --- all of it -------------------------------------------------------------------------------- */

static orr_status check_estimates(const orr_jobs *jobs, const orr_user_estimates *o, double longest,
                                  orr_error *err)
{
    ORI_REFUSE(!(longest >= LEAST_LONGEST && longest < 1e9 && fmod(longest, MINUTE) == 0), err,
               "the longest estimate must be a multiple of 60 s of at least %d s, not %g s",
               LEAST_LONGEST, longest);
    ORI_REFUSE(!(o->share == 0 || (o->share > 0 && o->share < HEAD_SHARE)), err,
               "the share of the longest estimate must be above 0 and below %g, not %g", HEAD_SHARE,
               o->share);
    for (int32_t j = 0; j < jobs->count; j++)
        ORI_REFUSE(jobs->time[j] > longest, err,
                   "job %s runs %g s, longer than the longest estimate, %g s", orr_jobs_id(jobs, j),
                   jobs->time[j], longest);
    return ORR_OK;
}

static double longest_of(const orr_jobs *jobs, const orr_user_estimates *o)
{
    double longest = 2 * HOUR;
    for (int32_t j = 0; j < jobs->count; j++)
        longest = fmax(longest, jobs->time[j]);
    return o->longest != 0 ? o->longest : ori_round_walltime(longest);
}

static orr_status estimate_jobs(orr_jobs *jobs, const orr_user_estimates *options, double longest,
                                orr_stream_key key, orr_error *err)
{
    model m = {.rng = orr_stream_open(key, (UINT64_C(1) << 32) + 2)};
    ORI_TRY(check_estimates(jobs, options, longest, err));
    make_head(&m, longest);
    make_tail(&m, longest, different(jobs->count));
    share_head(&m, options->share);
    share_tail(&m);
    count_jobs(&m, jobs->count);
    return give(jobs, &m, err);
}

orr_jobs *orr_jobs_estimated(const orr_jobs *jobs, const orr_user_estimates *options, uint64_t seed,
                             uint64_t set, const orr_allocator *a, orr_error *err)
{
    orr_jobs *all = ori_jobs_filter(jobs, NULL, NULL, a, err);
    if (!all)
        return NULL;
    orr_stream_key key = orr_stream_key_make(seed, set, 0, ORR_PURPOSE_WORKLOAD);
    if (estimate_jobs(all, options, longest_of(all, options), key, err) == ORR_OK)
        return all;
    orr_jobs_destroy(all);
    return NULL;
}
