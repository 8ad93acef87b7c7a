/* Resilience: the costs of faults, checkpoints and redistributions on a platform. Times in seconds,
 * sizes in data units. Symbols as in RR-8795 and the chapter, section 1.3. */
#pragma once

#include "base/error.h"

/* The rule for the length of a period between two checkpoints, for a task whose processors together
 * have the mean time between failures mu and whose checkpoint takes C. */
typedef enum orr_period_rule {
    ORR_PERIOD_YOUNG, /* orr_young_period plus C: chapter, equation 1.3 (spec/READINGS.md) */
    ORR_PERIOD_DALY,  /* orr_daly_period plus C, both of workload/checkpoint.h */
    ORR_PERIOD_GIVEN  /* the periods are given by the stints of runs whose policy chose them; for
                         orr_check_stints alone */
} orr_period_rule;

typedef struct orr_resilience {
    double mtbf;             /* mu of one processor, s; INFINITY: the fault-free context */
    double downtime;         /* D */
    double checkpoint_unit;  /* c, s per data unit: C(i,j) = c m / j + C0; a recovery takes R = C */
    double checkpoint_fixed; /* C0 */
    double startup;          /* S of a redistribution */
    double latency;          /* beta of a message */
    double bandwidth;        /* data units per s; INFINITY: messages take their latency alone */
    orr_period_rule rule;
} orr_resilience;

/* A fault of a processor, or of the processors of a task. */
typedef struct orr_fault {
    double time;       /* s, >= 0; INFINITY: there is no further fault */
    int32_t processor; /* -1 where the task is named */
    int32_t task;      /* position; -1 where the processor is named */
} orr_fault;

/* RR-8795, section 6.1: 100 years of 365 days, c = 1, D = C0 = S = beta = 0, bandwidth 1, Young. */
ORR_API orr_resilience orr_resilience_default(void);

/* ORR_ERR_ARGUMENT, naming the first number that is out of range: mtbf and bandwidth > 0, the
 * others >= 0 and finite; or the rule, where it is unknown. */
ORR_API orr_status orr_resilience_check(const orr_resilience *r, orr_error *err);
