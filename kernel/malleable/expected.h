/* Expected times of tasks that write checkpoints and meet fail-stop faults.
 *
 * A task on j processors with fault-free time t meets faults at rate lambda j, checkpoints at the
 * end of every period of length tau (tau - C of work, then C for the checkpoint), and after a fault
 * loses its work since the last checkpoint, waits D and recovers for R. alpha in [0, 1] is the
 * share of its work that is left.
 *
 * Formulas: chapter, equations 1.3 to 1.6, 1.8, 1.10, 1.11, read as in spec/READINGS.md. All times
 * in seconds. Terms that do not depend on alpha are computed once (orr_expected); an evaluation of
 * t^R then costs one exponential.
 *
 * Limits. lambda = 0 is the fault-free context: no checkpoint is taken, tau is infinite,
 * t^R = alpha t. C = 0 with lambda > 0 is the limit of ever cheaper checkpoints: a fault costs only
 * D + R. Where a period can hardly ever complete the result is infinity, never NaN. */
#pragma once

#include "workload/resilience.h"

/* A task on j processors: all that does not depend on alpha. */
typedef struct orr_expected {
    double time;       /* t(j) */
    double checkpoint; /* C; 0 where lambda = 0 */
    double recovery;   /* R; 0 where lambda = 0 */
    double period;     /* tau; infinity where lambda = 0 */
    double work;       /* tau - C: the work of a period */
    double rate;       /* lambda j, 1/s */
    double scale;      /* exp(lambda j R) (1/(lambda j) + D); times lambda j where work = 0 */
    double growth;     /* expm1(lambda j tau) */
} orr_expected;

/* time > 0; procs >= 1; mtbf > 0 of one processor; checkpoint, recovery, downtime >= 0. */
ORR_API orr_expected orr_expected_prepare(double time, double procs, double mtbf, double checkpoint,
                                          double recovery, double downtime, orr_period_rule rule);

/* C(i,j) in s for a task of size m on j processors; 0 in the fault-free context. */
ORR_API double orr_checkpoint_cost(const orr_resilience *r, double size, int32_t procs);

/* t^R(alpha), equation 1.6. */
ORR_API double orr_expected_time(const orr_expected *e, double alpha);

/* Nff(alpha), equation 1.4: the checkpoints of an undisturbed run; infinity where C = 0. */
ORR_API double orr_expected_checkpoints(const orr_expected *e, double alpha);

/* tau_last(alpha), equation 1.5. */
ORR_API double orr_expected_last(const orr_expected *e, double alpha);

/* The end of a task that is ready at `ready` if no fault strikes: ready + alpha t + Nff(alpha)
 * C. */
ORR_API double orr_undisturbed_end(const orr_expected *e, double ready, double alpha);

/* The share of the task's work that is left of alpha, `elapsed` >= 0 after it became ready: all
 * work counts, but a checkpoint under way counts none; not below 0. */
ORR_API double orr_left_after(const orr_expected *e, double alpha, double elapsed);

/* The share of work left of a task that a fault strikes: only complete periods count. */
ORR_API double orr_left_after_fault(const orr_expected *e, double alpha, double elapsed);

/* RC(j -> k), equation 1.11: the time to redistribute a task of size m; 0 for j = k. */
ORR_API double orr_redistribution_cost(const orr_resilience *r, double size, int32_t from,
                                       int32_t to);

/* The rounds of messages that takes: max(min(j, k), |k - j|); 0 for j = k. */
ORR_API int32_t orr_redistribution_rounds(int32_t from, int32_t to);
