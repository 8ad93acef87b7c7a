/* What a policy for malleable tasks may ask of a simulation, and propose to it.
 *
 * Tasks are named by position. The questions may be asked at any time. Proposals are made only
 * inside a hook, where a task `takes part` that is ready, or the one that was just struck; they
 * change nothing but the proposal until the hook returns. Redistribution costs always run from the
 * processors that a task held when the event came (spec/READINGS.md, 5). A proposal that cannot be
 * is ORR_ERR_POLICY with a message naming the task and the numbers.
 *
 * The list. While a hook runs, those that take part stand in a list in order of expected finish
 * under the proposal, the latest first (ties: smaller position); that is what the algorithms of
 * RR-8795 call L. A task that is dropped from it keeps what was assigned to it. */
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

/* Where the simulation stands. */
typedef struct orr_malleable_view {
    const orr_tasks *tasks;
    const orr_resilience *resilience;
    double now;       /* s */
    int32_t procs;    /* of the machine */
    int32_t free;     /* that no running task holds; in a hook: under the proposal, and below 0
                         where it hands out more than there is, or where processors that are
                         to leave the machine are still held */
    int32_t leaving;  /* processors that have to leave the machine as soon as they are free */
    int32_t numbered; /* processors that there are or have been: their numbers go up to one less */
    int32_t running;  /* tasks */
    int32_t struck;   /* in on_fault: the task; else -1 */
    bool deciding;    /* in a hook */
    double expected;  /* s: the largest expected finish of the running tasks */
    uint64_t seed, set, scenario;
    orr_pcg *rng; /* the policy's generator: part of the simulation, copied with it */
    void *state;  /* what make_state made */
} orr_malleable_view;
ORR_API orr_malleable_view orr_malleable_look(orr_malleable *sim);

typedef struct orr_task_view {
    orr_task_state state;
    int32_t procs;    /* held; 0 when over */
    int32_t proposed; /* in a hook, if it takes part; else as procs */
    double left;      /* share of its work left at the clock; of a struck one what it recovers */
    double ready;     /* s: since when it computes, or when it will */
    double finish;    /* s: expected, under the proposal; the end of one that is over */
    double end;       /* s: if nothing strikes it any more, without the proposal */
    bool takes_part;
} orr_task_view;
ORR_API orr_task_view orr_malleable_task(orr_malleable *sim, int32_t task);

/* Two of these for loops that ask nothing else: the processors under the proposal, and the expected
 * finish under it, s. */
ORR_API int32_t orr_malleable_proposed(const orr_malleable *sim, int32_t task);
ORR_API double orr_malleable_proposed_finish(orr_malleable *sim, int32_t task);

/* The most processors the task will ever be given: j_max, equation 1.8. */
ORR_API int32_t orr_malleable_most(orr_malleable *sim, int32_t task);

/* The head of the list: the task that is expected to finish last; -1 when the list is empty. */
ORR_API int32_t orr_malleable_longest(orr_malleable *sim);

/* Takes a task out of the list until the hook returns. */
ORR_API void orr_malleable_drop(orr_malleable *sim, int32_t task);

/* The task that takes part, is not the struck one, has at least min_procs >= 2 under the proposal,
 * and is expected to finish first (ties: smaller position); -1 for none. */
ORR_API int32_t orr_malleable_shortest(orr_malleable *sim, int32_t min_procs);

/* The expected finish, s, of a task that takes part if it had procs (even, >= 2) processors. With
 * those that it holds it is what it was. NaN outside of a hook. */
ORR_API double orr_malleable_finish_with(orr_malleable *sim, int32_t task, int32_t procs);

/* What-if, in a hook: *last is the largest expected finish of all running tasks, s, if these tasks
 * had so many processors and the others what is proposed for them; of a task that is named twice
 * the last number counts. Nothing changes. ORR_ERR_POLICY as for orr_malleable_assign, and where
 * there are not so many processors. One look at every task, and one cost for each that is named. */
ORR_API orr_status orr_malleable_expected_last(orr_malleable *sim, const int32_t *tasks,
                                               const int32_t *procs, int32_t count, double *last,
                                               orr_error *err);

/* How often a fault strikes a running task on the processors proposed for it, 1/s; 0 for one that
 * is over. And the probability that one strikes it before it ends, if it ends as soon as it can. */
ORR_API double orr_malleable_error_rate(const orr_malleable *sim, int32_t task);
ORR_API double orr_malleable_failure_probability(orr_malleable *sim, int32_t task);

/* The smallest q = 2, 4, ... up to `most` such that q processors more than proposed give the task
 * an earlier expected finish than it has; 0 for none, and for a task that takes no part. j_max
 * bounds proposed + q. */
ORR_API int32_t orr_malleable_improvement(orr_malleable *sim, int32_t task, int32_t most);

/* The smallest q = 2, 4, ... such that q processors moved from one task to another give both an
 * earlier expected finish than `to` has; 0 for none, and where one of them takes no part. `from`
 * keeps 2, j_max bounds `to`. None can be moved while processors are to leave the machine (`free`
 * below 0). */
ORR_API int32_t orr_malleable_transfer(orr_malleable *sim, int32_t from, int32_t to);

/* Proposes procs processors (even, from 2 to the larger of j_max and what it holds) for a task that
 * takes part; its place in the list follows. */
ORR_API orr_status orr_malleable_assign(orr_malleable *sim, int32_t task, int32_t procs,
                                        orr_error *err);

/* Gives out up to `procs` processors, two at a time, each time to the head of the list, until that
 * has no improvement with what is left: RR-8795, Algorithm 5, lines 8 to 16. *given: so many of
 * them. The same as orr_malleable_longest, orr_malleable_improvement and orr_malleable_assign in a
 * loop, to the last bit, for a fraction of the time. */
ORR_API orr_status orr_malleable_share_out(orr_malleable *sim, int32_t procs, int32_t *given,
                                           orr_error *err);

/* Proposes 2 processors for every task that takes part, and lists all of them. */
ORR_API orr_status orr_malleable_start_over(orr_malleable *sim, orr_error *err);
