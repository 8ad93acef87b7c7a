/* The questions and proposals of a policy for malleable tasks.
 *
 * Tasks are named by position. The questions may be asked at any time. Proposals are made only
 * inside a hook. A task `takes part` if it is ready, or was just struck. Proposals change nothing
 * else until the hook returns. Redistribution costs always run from the processors that a task held
 * when the event came (spec/READINGS.md, 5). An impossible proposal is ORR_ERR_POLICY with a
 * message that names the task and the numbers.
 *
 * The list. While a hook runs, the tasks that take part are in a list in order of expected finish
 * under the proposal, the latest first (ties: smaller position). The algorithms of RR-8795 call it
 * L. A task dropped from the list keeps its assigned processors. */
#pragma once

#include "base/random.h"
#include "malleable/policy.h"
#include "workload/resilience.h"
#include "workload/tasks.h"

typedef enum orr_task_state {
    ORR_TASK_READY,  /* it computes; it can be struck, and redistributed */
    ORR_TASK_LOCKED, /* it recovers, is redistributed, or takes the checkpoint that follows */
    ORR_TASK_OVER
} orr_task_state;

/* The state of a simulation. */
typedef struct orr_malleable_view {
    const orr_tasks *tasks;
    const orr_resilience *resilience;
    double now;       /* s */
    int32_t procs;    /* of the machine */
    int32_t free;     /* processors that no running task holds; in a hook: under the proposal, and
                         below 0 where it hands out more than the machine has, or where processors
                         that must leave are still held */
    int32_t leaving;  /* processors that must leave the machine as soon as they are free */
    int32_t numbered; /* processors that exist or have existed: numbers are 0 .. numbered - 1 */
    int32_t running;  /* tasks */
    int32_t struck;   /* in on_fault: the task; else -1 */
    bool deciding;    /* in a hook */
    double expected;  /* s: the largest expected finish of the running tasks */
    uint64_t seed, set, scenario;
    orr_pcg *rng; /* the policy's generator: part of the simulation, copied with it */
    void *state;  /* made by make_state */
} orr_malleable_view;
ORR_API orr_malleable_view orr_malleable_look(orr_malleable *sim);

typedef struct orr_task_view {
    orr_task_state state;
    int32_t procs;    /* held; 0 when over */
    int32_t proposed; /* in a hook, if it takes part; else as procs */
    double left;      /* share of the task's work left at the clock; for a struck task the share
                         after its recovery */
    double ready;     /* s: since when it computes, or when it will */
    double finish;    /* s: expected, under the proposal; the end of a task that is over */
    double end;       /* s: if no further fault strikes it, without the proposal */
    bool takes_part;
} orr_task_view;
ORR_API orr_task_view orr_malleable_task(orr_malleable *sim, int32_t task);

/* Two of these numbers, for loops that need no others: the processors under the proposal, and the
 * expected finish under it, s. */
ORR_API int32_t orr_malleable_proposed(const orr_malleable *sim, int32_t task);
ORR_API double orr_malleable_proposed_finish(orr_malleable *sim, int32_t task);

/* The most processors the task will ever be given: j_max, equation 1.8. */
ORR_API int32_t orr_malleable_most(orr_malleable *sim, int32_t task);

/* The head of the list: the task that is expected to finish last; -1 when the list is empty. */
ORR_API int32_t orr_malleable_longest(orr_malleable *sim);

/* Takes a task out of the list until the hook returns. */
ORR_API void orr_malleable_drop(orr_malleable *sim, int32_t task);

/* The task with the earliest expected finish (ties: smaller position) among the tasks that take
 * part, except the struck one, and have at least min_procs >= 2 processors under the proposal; -1:
 * none. */
ORR_API int32_t orr_malleable_shortest(orr_malleable *sim, int32_t min_procs);

/* The expected finish, s, of a task that takes part if it had procs (even, >= 2) processors. With
 * the processors that it holds it is the present finish. NaN outside of a hook. */
ORR_API double orr_malleable_finish_with(orr_malleable *sim, int32_t task, int32_t procs);

/* What-if, in a hook: *last is the largest expected finish of all running tasks, s, if these tasks
 * had these numbers of processors and the others their proposed numbers; if a task is named twice,
 * the last number counts. The proposal does not change. ORR_ERR_POLICY as for orr_malleable_assign,
 * and where the machine has too few processors. O(tasks), plus one cost per named task. */
ORR_API orr_status orr_malleable_expected_last(orr_malleable *sim, const int32_t *tasks,
                                               const int32_t *procs, int32_t count, double *last,
                                               orr_error *err);

/* The rate of faults that strike a running task on its proposed processors, 1/s; 0 for a task that
 * is over. And the probability that a fault strikes it before its earliest possible end. */
ORR_API double orr_malleable_error_rate(const orr_malleable *sim, int32_t task);
ORR_API double orr_malleable_failure_probability(orr_malleable *sim, int32_t task);

/* The smallest q = 2, 4, ... up to `most` such that q processors more than proposed give the task
 * an earlier expected finish than it has; 0 for none, and for a task that takes no part. j_max
 * bounds proposed + q. */
ORR_API int32_t orr_malleable_improvement(orr_malleable *sim, int32_t task, int32_t most);

/* The smallest q = 2, 4, ... such that moving q processors from one task to another gives both an
 * earlier expected finish than `to` has now; 0 for none, and where one of the two takes no part.
 * `from` keeps at least 2, j_max bounds `to`. No processors can be moved while processors must
 * leave the machine (`free` below 0). */
ORR_API int32_t orr_malleable_transfer(orr_malleable *sim, int32_t from, int32_t to);

/* Proposes procs processors (even, from 2 to the larger of j_max and its held number) for a task
 * that takes part; its place in the list follows. */
ORR_API orr_status orr_malleable_assign(orr_malleable *sim, int32_t task, int32_t procs,
                                        orr_error *err);

/* Gives out up to `procs` processors, two at a time, each time to the head of the list, until the
 * head has no improvement with the remaining processors: RR-8795, Algorithm 5, lines 8 to 16.
 * *given: the number of processors given out. Equal to a loop of orr_malleable_longest,
 * orr_malleable_improvement and orr_malleable_assign, to the last bit, in a fraction of the
 * time. */
ORR_API orr_status orr_malleable_share_out(orr_malleable *sim, int32_t procs, int32_t *given,
                                           orr_error *err);

/* Proposes 2 processors for every task that takes part, and puts all these tasks into the list. */
ORR_API orr_status orr_malleable_start_over(orr_malleable *sim, orr_error *err);
