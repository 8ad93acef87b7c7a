/* The inside of a simulation, shared by the files of this folder only. */
#ifndef ORR_MALLEABLE_STATE_INTERNAL_H
#define ORR_MALLEABLE_STATE_INTERNAL_H

#include "base/callback_internal.h"
#include "malleable/costs_internal.h"
#include "malleable/decide.h"
#include "malleable/engine.h"
#include "malleable/holdings_internal.h"
#include "malleable/tree_internal.h"

/* What was asked last: a heuristic that asks whether a task would gain then assigns just that. */
typedef struct ori_last_finish {
    int32_t task, procs; /* task -1: nothing */
    double finish;       /* s */
} ori_last_finish;

/* A list that grows. */
typedef struct ori_log {
    void *items;
    int64_t count, capacity;
    size_t size; /* of an item, bytes */
} ori_log;

/* Room for one more; NULL on failure. */
void *ori_log_add(ori_log *log, const orr_allocator *a, orr_error *err);
orr_status ori_log_copy(ori_log *to, const ori_log *from, const orr_allocator *a, orr_error *err);
void ori_log_free(ori_log *log, const orr_allocator *a);

struct orr_malleable {
    const orr_tasks *tasks;
    int32_t count, procs;
    int32_t pairs; /* of buddies that there is room for */
    orr_resilience resilience;
    orr_malleable_policy policy;
    void *policy_state;
    bool has_policy_state;
    orr_pcg rng; /* the policy's */
    uint64_t seed, set, run;
    int64_t max_faults;
    const orr_cancel_flag *cancel;
    orr_trap trap;

    double now;
    int32_t free, running; /* processors, tasks */
    int32_t owing;         /* bits in `owed` */

    /* the machine, see machine.c; procs: that it is to have */
    int32_t leaving; /* processors that have to go as soon as they are free: then none is */
    int32_t odd;     /* the free one that has no buddy, -1: none */
    int32_t covered; /* processors that the source of faults knows, from 0 */
    double undo_at;  /* s: when it is to have undo_to again; INFINITY: never */
    int32_t undo_to;

    /* per task; one block of memory */
    double *alpha;    /* share of its work left at `ready` */
    double *ready;    /* t_last, s */
    double *finish;   /* expected, t^U, s; the end once over */
    double *end;      /* real if nothing strikes it, s */
    double *left;     /* decision: share left at the event, alpha^t */
    double *value;    /* decision: expected finish under the proposal, s */
    orr_stint *stint; /* the present one */
    int32_t *held;    /* processors; 0 once over */
    int32_t *proposed;
    uint8_t *takes_part; /* decision */
    uint8_t *left_known;
    uint64_t *locked;  /* a bit per task that may be locked */
    uint64_t *touched; /* decision: a bit per task that a proposal was made for */
    uint64_t *owed; /* a bit per task that was cancelled and that on_end was not called for yet */
    ori_tree ends;  /* smallest real end of the running */
    ori_tree finishes; /* largest expected finish of the running */
    ori_tree list;     /* decision: the list */
    ori_tree shortest; /* decision: smallest value, see shortest_with */
    void *block;
    size_t block_size;

    double *recovering;      /* per pair of buddies: until when, s */
    int32_t *failed;         /* per pair: the processor that failed last */
    orr_interval *intervals; /* room for a task's; recordings only */

    ori_costs costs;
    ori_holdings holdings;
    orr_faults *faults;
    orr_stints stints;
    ori_log seen;    /* of orr_fault: faults so far; recordings only */
    ori_log again;   /* of orr_fault: faults that come before those of the source, see faults.c */
    int64_t retaken; /* of these */
    ori_log moments; /* of orr_moment; recordings only */
    orr_malleable_metrics metrics;

    /* decision */
    int32_t struck;        /* the task, -1: none */
    int32_t proposed_free; /* processors left under the proposal */
    int32_t shortest_with; /* the tree `shortest` holds those with so many processors; 0: nothing */
    bool listing;          /* the tree `list` is made */
    ori_last_finish last;

    bool record;
    bool deciding;
    bool begun;   /* a run was set by reset */
    bool busy;    /* inside reset or step, where only the policy may act */
    bool stopped; /* by an error in the middle of an instant: it cannot go on */

    orr_allocator alloc;
};

/* --- bits per task --- */

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

/* The first bit at or behind i; -1 for none. */
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

/* --- decide.c --- */

/* Opens a decision; the hook of the policy is then called, and the proposal applied (tasks.c). */
void ori_decision_open(orr_malleable *sim, int32_t struck);

/* --- run.c --- */

/* ORR_ERR_ARGUMENT when called from inside the policy. */
orr_status ori_malleable_check_idle(const orr_malleable *sim, const char *what, orr_error *err);

/* ORR_ERR_POLICY or ORR_ERR_ARGUMENT where a simulation cannot go on; `what` as in "stepped". */
orr_status ori_malleable_check_can_go_on(const orr_malleable *sim, const char *what,
                                         orr_error *err);

/* The next end of a task, or call of on_end for one that was cancelled, s. */
double ori_next_end(const orr_malleable *sim);

/* The task that a fault hits, -1 for none, and whether it is ready to be struck. */
int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault);
bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault);

/* --- faults.c: faults, of which those that strike nobody are taken ahead of the clock --- */

/* The first of the faults that were put back, where it comes before those of the source; NULL. */
const orr_fault *ori_first_again(const orr_malleable *sim);

/* The fault that comes next. */
static inline orr_fault ori_next_fault(const orr_malleable *sim)
{
    const orr_fault *again = sim->retaken < sim->again.count ? ori_first_again(sim) : NULL;
    return ORR_UNLIKELY(again) ? *again : orr_faults_peek(sim->faults);
}

/* Takes the next fault, and keeps it in mind where that is wanted. */
orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err);

/* Takes the faults away that come before the next end and strike nobody: until then nothing
 * changes. */
orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err);

/* Counts it where a buddy has to resend both checkpoints while its task recovers. */
void ori_note_fatal(orr_malleable *sim, const orr_fault *fault);

/* Puts back what was taken ahead of the clock: something changes. Of a recording only. */
orr_status ori_recall_faults(orr_malleable *sim, orr_error *err);

/* After a recall: a fault at the clock, behind those that are there. */
orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err);

/* After a recall: the faults of another seed take the place of all that come after the clock. */
orr_status ori_draw_faults_anew(orr_malleable *sim, uint64_t seed, orr_error *err);

/* --- state.c --- */

/* What a copy has that its original has not: more tasks behind the same ones, more room for
 * processors, another policy, whose state is not made yet. */
typedef struct ori_malleable_shape {
    const orr_tasks *tasks;
    int32_t count, pairs;
    const orr_malleable_policy *policy;
} ori_malleable_shape;

/* Makes the arrays of a simulation that has its sizes; safe to destroy thereafter. */
orr_status ori_malleable_create_parts(orr_malleable *sim, orr_error *err);

/* A simulation without parts; NULL on failure. */
orr_malleable *ori_malleable_allocate(const orr_allocator *given, orr_error *err);

orr_malleable *ori_malleable_clone(const orr_malleable *sim, const ori_malleable_shape *shape,
                                   orr_error *err);

/* Makes the policy's state, while no event is under way. */
orr_status ori_make_policy_state(orr_malleable *sim, orr_error *err);

/* Records how the processors are spread; nothing without recording. */
orr_status ori_note_moment(orr_malleable *sim, orr_error *err);

/* --- machine.c --- */

/* The processors that are there: those that are to be, and those that cannot leave yet. */
int32_t ori_machine_present(const orr_malleable *sim);

/* Whether no such processor is there at present. */
bool ori_machine_is_away(const orr_malleable *sim, int32_t processor);

/* Lets free processors go as long as there are too many. */
orr_status ori_machine_settle(orr_malleable *sim, orr_error *err);

/* From now on the machine is to have so many; there is room for them. */
orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, orr_error *err);

/* The size that was set for some time is over. */
orr_status ori_machine_undo(orr_malleable *sim, orr_error *err);

/* --- tasks.c: what happens to tasks, with all that follows from it --- */

/* The task starts on what `held` says, now. */
orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err);

/* What is left of the task takes `factor` times as long; ORR_ERR_ARGUMENT where that is no time. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err);

/* The task is over: it completes, or somebody cancels it, with what is left. */
orr_status ori_task_complete(orr_malleable *sim, int32_t task, orr_error *err);
orr_status ori_task_cancel(orr_malleable *sim, int32_t task, orr_error *err);

/* A fault: what was not saved is lost, and the task recovers on the processors it has. Its new
 * stint begins with ori_decision_apply. */
void ori_task_strike(orr_malleable *sim, int32_t task);

/* Carries out the proposal, and begins the struck task's new stint. Without a decision
 * (ori_decision_open) there is nothing to carry out. */
orr_status ori_decision_apply(orr_malleable *sim, int32_t struck, orr_error *err);

/* Share of a task's work left at the clock. */
double ori_task_left(orr_malleable *sim, int32_t task);

#define ORI_MALLEABLE_CHECK(sim, condition, err)                                                   \
    do {                                                                                           \
        if (ORR_UNLIKELY(!(condition))) {                                                          \
            orr_trap_report report_ = {#condition,          __FILE__,  __LINE__, (sim)->seed,      \
                                       (int64_t)(sim)->run, (sim)->now};                           \
            return ori_broken(&(sim)->trap, &report_, err);                                        \
        }                                                                                          \
    } while (0)

#endif
