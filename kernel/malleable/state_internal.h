/* The state of a simulation, and operations on the whole state: memory, clearing, copies. */
#pragma once

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "malleable/costs_internal.h"
#include "malleable/engine.h"
#include "malleable/tree_internal.h"
#include "sim/processors_internal.h"
#include "sim/shell_internal.h"

/* Lists that grow (base/array_internal.h). */
typedef struct ori_fault_list {
    orr_fault *items;
    int64_t count, room;
    int64_t taken; /* the first `taken` of them are taken */
} ori_fault_list;

typedef struct ori_moment_list {
    orr_moment *items;
    int64_t count, room;
} ori_moment_list;

/* The parts of the setup beyond those of every simulation. */
typedef struct ori_asked {
    orr_resilience resilience;
    int64_t max_faults;
    bool exponential; /* faults: of such the number to come is foreseen */
} ori_asked;

/* The state of the run in numbers, copied by assignment. Between two instants:
 *   free + the processors that running tasks hold = procs + leaving
 *   leaving > 0: free is 0 (machine.c lets free ones go at once)
 *   ahead_to <= now: no fault is taken ahead of the clock (faults.c) */
typedef struct ori_standing {
    int32_t procs; /* the size that the machine is to have */
    int32_t free;
    int32_t leaving;  /* processors that must leave as soon as they are free */
    int32_t odd;      /* the free processor without buddy; -1: none */
    int32_t numbered; /* processors that the source of faults knows, from 0 */
    double undo_at;   /* s: when it is to have undo_to again; INFINITY: never */
    int32_t undo_to;

    int32_t running; /* tasks */
    int32_t untold;  /* bits in `untold`; 0 where no task runs */

    double ahead_to;     /* s: the last fault that was taken before its time */
    int64_t ahead_fatal; /* the number of faults taken ahead and counted as fatal */

    orr_malleable_metrics metrics;
    double idle_to; /* s: metrics.spent.idle is counted up to here; `free` has not changed since */
} ori_standing;

/* The last answer: a heuristic that asks whether a task would gain often assigns the same number
 * next. */
typedef struct ori_last_finish {
    int32_t task, procs; /* task -1: none */
    double finish;       /* s: the finish of `task` on `procs` processors, until the decision
                            ends */
} ori_last_finish;

/* A time that rises with the clock, s: `at` + `slope` * now. */
typedef struct ori_line {
    double at, slope;
} ori_line;

/* The present call of a hook, with the values kept until it returns, here and in arrays below. For
 * tasks that do not take part only takes_part, proposed and proposed_finish are valid. */
typedef struct ori_decision {
    bool open;      /* false: nothing here is valid */
    bool starting;  /* the hook is on_start: the proposal costs nothing */
    bool listing;   /* the tree `list` has the tasks that take part and were not dropped, by
                       `proposed_finish` */
    bool fresh;     /* after start_over: values may be unknown yet, and the list has only leaves,
                       with DBL_MAX for unknown ones */
    int32_t struck; /* the struck task; -1: none */
    int32_t taking; /* tasks that take part, in `parts` */
    int32_t free;   /* processors left under the proposal */
    int32_t shortest_with; /* the tree `shortest` has the tasks that could give and are proposed at
                              least so many processors, by `proposed_finish`; 0: the tree is
                              empty */
    ori_last_finish last;
} ori_decision;

struct orr_malleable {
    ori_shell shell;
    ori_asked asked;
    ori_standing at;
    ori_decision decision;
    orr_malleable_policy policy;
    const orr_tasks *tasks;
    double level; /* s: the expected finish at which share_out.c ended last: a guess of the next */
    int32_t count;
    int32_t pairs; /* pairs of buddies for which there is room */

    /* per task and per pair of buddies; one block of memory */
    ori_block block;
    double *alpha;    /* share of its work left at `ready` */
    double *ready;    /* t_last, s */
    double *finish;   /* expected, t^U, s; the end once over */
    double *end;      /* real if no fault strikes, s */
    orr_stint *stint; /* the present stint of each task */
    ori_line *fewer;  /* on fewer processors than it holds it would surely finish later than this
                         line says, as share_out.c found; all 0, or NaN: not known */
    int32_t *held;    /* processors; 0 once over */
    uint64_t *locked; /* one bit per task, set for every locked task; it may be set for others */
    uint64_t *untold; /* a bit per task that was cancelled and that on_end was not called for yet */
    ori_tree ends;    /* smallest real end of the running */
    ori_tree finishes; /* largest expected finish of the running */
    /* of these, while a decision is open */
    uint8_t *takes_part, *left_known;
    int32_t *parts;          /* those that take part, in order */
    double *left;            /* where left_known: share of its work left at the event, alpha^t */
    int32_t *proposed;       /* processors */
    double *proposed_finish; /* expected under the proposal, s; NaN: see ori_decision_settle */
    uint64_t *touched; /* a bit per task that has other processors under the proposal, or had */
    ori_tree list, shortest;
    ori_last_finish *plan; /* where tasks go, in share_out.c */
    /* per pair */
    double *recovering;      /* until when, s */
    int32_t *failed;         /* the processor that failed last */
    orr_interval *intervals; /* room for a task's; recordings only, else NULL */

    ori_costs costs;
    ori_processors holdings; /* in pairs of buddies, pair k being processors 2k and 2k + 1 */
    orr_faults *faults;
    orr_stints stints;
    ori_fault_list seen;     /* faults so far; recordings only */
    ori_fault_list due;      /* faults at the clock, before the faults of the source (faults.c) */
    ori_moment_list moments; /* recordings only */
};

/* --- state.c ---------------------------------------------------------------------------------- */

/* The differences of a copy from its original: more tasks behind the same ones, more room for
 * processors, another policy, whose state is not made yet. */
typedef struct ori_malleable_shape {
    const orr_tasks *tasks;
    int32_t count, pairs;
    const orr_malleable_policy *policy;
} ori_malleable_shape;

/* A simulation with these plain fields, its arrays for as many tasks and pairs as they say, and
 * nothing in them; NULL on failure. */
orr_malleable *ori_malleable_allocate(const orr_malleable *plain, orr_error *err);

/* A copy, which has this shape; NULL on failure. */
orr_malleable *ori_malleable_clone(const orr_malleable *sim, const ori_malleable_shape *shape,
                                   orr_error *err);

/* Forgets the run: all processors are free, no task runs. */
void ori_malleable_clear(orr_malleable *sim);

/* Makes the policy's state. */
orr_status ori_malleable_make_state(orr_malleable *sim, orr_error *err);

/* Reports the invariants that do not hold between two instants; ORI_IN_CHECKS only. */
void ori_malleable_check_state(const orr_malleable *sim);

/* The next end of a task, or call of on_end for one that was cancelled, s. */
static inline double ori_next_end(const orr_malleable *sim)
{
    int32_t first = ori_tree_top(&sim->ends);
    if (sim->at.untold > 0)
        return sim->shell.now;
    return first < 0 ? INFINITY : sim->end[first];
}

/* The task that is expected to finish last; -1: none runs. */
static inline int32_t ori_latest(const orr_malleable *sim)
{
    return ori_tree_top(&sim->finishes);
}

/* --- bits per task ---------------------------------------------------------------------------- */

static inline size_t ori_words(int32_t count)
{
    return ((size_t)count + 63) / 64;
}

static inline void ori_bit_set(uint64_t *bits, int32_t i)
{
    bits[i / 64] |= (uint64_t)1 << i % 64;
}

static inline void ori_bit_clear(uint64_t *bits, int32_t i)
{
    bits[i / 64] &= ~((uint64_t)1 << (uint32_t)i % 64);
}

/* The first set bit from i on, where i may be count; -1: none. */
static inline int32_t ori_bit_next(const uint64_t *bits, int32_t i, int32_t count)
{
    for (size_t w = (size_t)i / 64; w < ori_words(count); w++) {
        uint64_t word = bits[w];
        if (w == (size_t)i / 64)
            word &= ~(uint64_t)0 << i % 64;
        if (word)
            return (int32_t)(w * 64) + __builtin_ctzll(word);
    }
    return -1;
}
