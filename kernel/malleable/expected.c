/* The formulas of expected.h, written so that they keep their precision and their limits where the
 * plain formulas would give 0/0 or cancel. */
#include "malleable/expected.h"

#include "workload/checkpoint.h"

#include <float.h>
#include <math.h>

/* The rate is limited so that it is neither 0 nor infinite: below 2^-960 /s results do not change,
 * and 1 / rate and rate * time keep their precision. */
static double fault_rate(double mtbf, double procs)
{
    double lambda = 1 / mtbf;
    return fmin(fmax(lambda * procs, 0x1p-960), DBL_MAX);
}

/* Young's and Daly's periods, and their limit: where C vanishes beside the work (or is 0) there are
 * more checkpoints than numbers, and none of them takes time. */
static void set_period(orr_expected *e, double mu, double checkpoint, orr_period_rule rule)
{
    bool daly = rule == ORR_PERIOD_DALY;
    double work = daly ? orr_daly_period(mu, checkpoint) : orr_young_period(mu, checkpoint);
    if (checkpoint == 0 || !(work > 0 && e->time / work < INFINITY))
        return;
    e->checkpoint = checkpoint;
    e->period = work + checkpoint;
    e->work = e->period - checkpoint;
    if (!(e->work > 0 && e->work < INFINITY)) /* the sum has lost the work */
        e->work = work;
}

orr_expected orr_expected_prepare(double time, double procs, double mtbf, double checkpoint,
                                  double recovery, double downtime, orr_period_rule rule)
{
    if (mtbf == INFINITY)
        return (orr_expected){
            .time = time, .period = INFINITY, .work = INFINITY, .scale = INFINITY};
    orr_expected e = {.time = time, .recovery = recovery, .rate = fault_rate(mtbf, procs)};
    set_period(&e, mtbf / procs, checkpoint, rule);
    e.scale = e.work > 0 ? orr_segment_scale(e.rate, recovery, downtime)
                         : exp(e.rate * recovery) * (1 + e.rate * downtime);
    e.growth = expm1(e.rate * e.period);
    return e;
}

double orr_checkpoint_cost(const orr_resilience *r, double size, int32_t procs)
{
    if (r->mtbf == INFINITY)
        return 0;
    return r->checkpoint_unit * size / procs + r->checkpoint_fixed;
}

double orr_expected_checkpoints(const orr_expected *e, double alpha)
{
    double work = alpha * e->time;
    return work > 0 ? floor(work / e->work) : 0;
}

/* The last period is never negative, although the quotient in Nff may be rounded up. */
double orr_expected_last(const orr_expected *e, double alpha)
{
    double work = alpha * e->time, checkpoints = orr_expected_checkpoints(e, alpha);
    if (checkpoints == 0)
        return work;
    return checkpoints < INFINITY ? fmax(work - checkpoints * e->work, 0) : 0;
}

/* The time of so many periods that the last incomplete one does not matter, down to periods of
 * length 0. The latter give exactly the work where there is no downtime, so that j_max recognises
 * processors that do not help. */
static double time_of_many(const orr_expected *e, double work)
{
    double growth = e->work > 0 ? work / e->work * e->growth : work;
    return growth > 0 ? e->scale * growth : 0;
}

/* Zero times infinity is zero here: a period that does not occur adds no time, even where it would
 * take infinitely long. floor() is a call where the compiler may not assume SSE 4.1, a conversion
 * is not. */
double orr_expected_time(const orr_expected *e, double alpha)
{
    double work = alpha * e->time, quotient = work / e->work;
    if (e->rate == 0)
        return work;
    if (ORR_UNLIKELY(!(quotient < 0x1p53)))
        return time_of_many(e, work);
    double checkpoints = (double)(int64_t)quotient;
    double last = work - checkpoints * e->work;
    double growth = checkpoints > 0 ? checkpoints * e->growth : 0;
    growth += expm1(e->rate * (last > 0 ? last : 0));
    return growth > 0 ? e->scale * growth : 0;
}

double orr_undisturbed_end(const orr_expected *e, double ready, double alpha)
{
    double end = ready + alpha * e->time;
    return e->checkpoint > 0 ? end + orr_expected_checkpoints(e, alpha) * e->checkpoint : end;
}

static double left_of(double alpha, double done)
{
    return fmax(alpha - done, 0);
}

double orr_left_after(const orr_expected *e, double alpha, double elapsed)
{
    double periods = floor(elapsed / e->period);
    if (!(periods < INFINITY)) /* periods without length */
        return left_of(alpha, elapsed / e->time);
    double done = fmin(elapsed - periods * e->checkpoint, (periods + 1) * e->work);
    return left_of(alpha, done / e->time);
}

double orr_left_after_fault(const orr_expected *e, double alpha, double elapsed)
{
    double periods = floor(elapsed / e->period);
    if (!(periods < INFINITY))
        return left_of(alpha, elapsed / e->time);
    return left_of(alpha, periods > 0 ? periods * e->work / e->time : 0);
}

int32_t orr_redistribution_rounds(int32_t from, int32_t to)
{
    if (from == to)
        return 0;
    int32_t fewer = from < to ? from : to, more = from < to ? to : from;
    return fewer > more - fewer ? fewer : more - fewer;
}

double orr_redistribution_cost(const orr_resilience *r, double size, int32_t from, int32_t to)
{
    if (from == to)
        return 0;
    double message = size / ((double)to * from * r->bandwidth) + r->latency;
    return r->startup + orr_redistribution_rounds(from, to) * message;
}
