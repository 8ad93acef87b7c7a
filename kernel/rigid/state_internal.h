/* The inside of a simulation, shared by the files of this folder only. */
#ifndef ORR_RIGID_STATE_INTERNAL_H
#define ORR_RIGID_STATE_INTERNAL_H

#include "base/calendar.h"
#include "base/callback_internal.h"
#include "rigid/actions.h"
#include "rigid/change.h"
#include "rigid/engine.h"
#include "rigid/order_internal.h"
#include "rigid/outage_source_internal.h"
#include "rigid/processors_internal.h"
#include "rigid/profile_internal.h"

#include <math.h>

/* A group of processors: its queue, and what is known of its future. */
typedef struct ori_group {
    const char *name;
    orr_rigid_policy policy; /* of which the order, the backfilling and the dispatch hold here */
    int32_t index;
    int32_t first, procs;
    int32_t free, down, running;
    int32_t drained; /* processors; of these: */
    int32_t left;    /* are out already */
    int32_t lent;    /* will be drained at a time that is known */

    ori_order order;    /* of the queue */
    ori_order backfill; /* where has_backfill: the same jobs in the order of backfilling */
    ori_ends planned;   /* planned ends and repairs, kept where has_planned */
    ori_plan plan;      /* this decision's, where has_plan */

    /* conservative: the plan outlives its decision, see conservative.c */
    double *reserved;   /* per job: the start of its reservation, s */
    int32_t entered;    /* the smallest rank that has entered since the last decision */
    int32_t planned_to; /* waiting jobs of smaller rank have reservations */

    int32_t plan_reservations; /* made in this decision */
    bool has_backfill, has_planned, has_plan, may_keep_plan;
    bool plan_valid, keeps_plan, kept;
    bool idle_told; /* on_idle was called at this instant */
} ori_group;

/* The call into the policy that is under way, as the policy may ask for it. */
typedef struct ori_situation {
    const char *hook; /* NULL: none */
    int32_t group;
    int32_t deciding; /* the group whose dispatch function runs; -1: none */
    bool acting;      /* it may act */
} ori_situation;

struct orr_rigid {
    const orr_instance *in;
    const orr_jobs *jobs;
    orr_rigid_policy policy;
    void *policy_state;
    orr_pcg rng; /* the policy's */
    uint64_t seed, set, scenario;
    const orr_cancel_flag *cancel;
    orr_trap trap;

    double now;
    int32_t running, held, over;
    int32_t submitted; /* jobs of by_submission that are in the system */

    /* per job; one block of memory */
    double *start, *planned_end; /* of the latest attempt; planned_end is the real end once over */
    int32_t *failures;
    int32_t *attempts; /* that have started and were not interrupted */
    uint8_t *state;
    /* the same, where attempts may be interrupted and jobs moved; else NULL, but for arrivals,
       which are the submission times */
    double *arrivals, *cancelled; /* s; cancelled: see orr_run */
    int32_t *interrupted;         /* attempts */
    uint32_t *place;              /* see ori_rank_entry */
    int32_t *group;               /* where a job is; NULL: there is one group */
    void *block;
    size_t block_size;
    const double *arrival;
    /* the same, of a simulation that may be changed from outside; else NULL */
    orr_past *past;
    uint8_t *left_out; /* orr_left_out */
    uint8_t *news; /* how an attempt ended that on_end is still to be called for, an orr_outcome;
                      0: none */

    ori_group *groups;
    orr_calendar ends;   /* real ends of running attempts; payload: job */
    orr_calendar timers; /* that the policy asked for */
    ori_sorter sorter;
    orr_schedule schedule;
    ori_processors processors; /* who holds which, where has_processors */
    orr_run_totals totals;
    ori_outages outages;
    int32_t group_count;
    uint32_t moves;

    int32_t *started; /* jobs that on_start is to be called for: places told .. started_count - 1 */
    int32_t told, started_count;
    size_t lists;       /* their length */
    int32_t *retried;   /* jobs whose planned ends are out of `planned`, see shortcuts.c */
    int64_t actions;    /* taken at this instant, but for starts */
    int32_t fruitless;  /* timers in a row at which nothing ran */
    int32_t wakes;      /* timers in a row beside which nothing happened */
    int32_t submitting; /* the job whose on_submit is being called; -1: none */
    int32_t news_count;
    ori_situation situation;
    double last_end;   /* s: of any attempt */
    orr_error failure; /* of an action that had begun to change things: nothing may go on */

    bool has_policy_state;
    bool record, plain;
    bool raw;            /* while its parts are created: a copy fills them */
    bool opened;         /* it may be changed from outside */
    bool disturbed;      /* it was, and there was no step since */
    bool changing;       /* it is being changed: the policy is told later */
    bool introduced;     /* the policy knows who runs and waits */
    bool watched;        /* somebody may ask for earliest starts */
    bool acts;           /* the policy has functions that may take actions */
    bool eventful;       /* there is more to an instant than ends, submissions and a decision */
    bool interrupts;     /* attempts may be ended before their time */
    bool has_processors; /* counting them is not enough */
    bool placed;         /* somebody wants to know of every attempt on which processors it runs */
    bool shortcuts;      /* nobody sees single events: finish may take short ways */
    bool fails;          /* some job, in this scenario */
    bool ranking;        /* priorities are being asked for: the sorter is in use */
    bool changed;        /* by an action, since decisions began */
    bool begun;          /* a scenario was set by orr_rigid_reset */
    bool busy;           /* inside reset or step, where only the policy may act */
    bool stopped;        /* by an error in the middle of an instant: it cannot go on */

    orr_allocator alloc;
};

static inline ori_group *ori_group_of(const orr_rigid *sim, int32_t job)
{
    return &sim->groups[sim->group ? sim->group[job] : 0];
}

/* --- engine.c ------------------------------------------------------------------------------- */

/* Reports a broken invariant and gives ORR_ERR_INTERNAL. */
orr_status ori_rigid_broken(const orr_rigid *sim, const char *invariant, const char *file, int line,
                            orr_error *err);
#define ORI_RIGID_CHECK(sim, condition, err)                                                       \
    do {                                                                                           \
        if (ORR_UNLIKELY(!(condition)))                                                            \
            return ori_rigid_broken(sim, #condition, __FILE__, __LINE__, err);                     \
    } while (0)

/* All of a simulation whose plain fields are set, but for the priorities: for create, copies and
 * transplants. */
orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_node_failures *failures,
                                  orr_error *err);
orr_rigid *ori_rigid_allocate(const orr_allocator *given, orr_error *err);
void ori_rigid_copy_fields(orr_rigid *to, const orr_rigid *from);
void ori_rigid_forget_run(orr_rigid *sim);
orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err);
orr_status ori_rigid_copy_state(orr_rigid *to, const orr_rigid *from, orr_error *err);
/* Its recording's groups from now on. */
orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err);

/* ORR_ERR_ARGUMENT when called from inside the policy. */
orr_status ori_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err);

/* --- hooks.c -------------------------------------------------------------------------------- */

/* Around a call of a policy's function: what it may do, and about which group it is called. */
ori_situation ori_situation_begin(orr_rigid *sim, ori_situation now, orr_error *err);
/* Passes the status on. Who, which function and when is added to the message of an action that was
 * refused, unless the policy did. */
orr_status ori_situation_end(orr_rigid *sim, ori_situation before, const char *policy,
                             orr_status status, orr_error *err);

orr_status ori_rigid_on_submit(orr_rigid *sim, int32_t job, orr_error *err);
orr_status ori_rigid_on_end(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);
orr_status ori_rigid_on_timer(orr_rigid *sim, orr_error *err);

/* on_start for all that started and were not told yet. */
orr_status ori_rigid_on_start(orr_rigid *sim, orr_error *err);
/* on_idle for the groups that are idle and were not told yet at this instant. */
orr_status ori_rigid_on_idle(orr_rigid *sim, orr_error *err);

/* A job has started that on_start is to be called for; or it does not run any more. */
void ori_rigid_note_start(orr_rigid *sim, int32_t job);
void ori_rigid_forget_start(orr_rigid *sim, int32_t job);

/* --- groups.c ------------------------------------------------------------------------------- */

/* The groups of sim->policy, with all that this way of running them needs. */
orr_status ori_groups_create(orr_rigid *sim, orr_error *err);
void ori_groups_destroy(orr_rigid *sim);
void ori_groups_clear(orr_rigid *sim);
void ori_groups_copy(orr_rigid *to, const orr_rigid *from);

/* Asks for the priorities that hold for the workload; given: those of the first queue, or NULL. */
orr_status ori_groups_rank_workload(orr_rigid *sim, const double *given, orr_error *err);
/* The same for those that hold for a scenario. */
orr_status ori_groups_rank_scenario(orr_rigid *sim, orr_error *err);

/* Lets a job wait in its group. */
orr_status ori_rigid_enqueue(orr_rigid *sim, int32_t job, orr_error *err);
/* It does not wait any more. */
static inline void ori_rigid_dequeue(ori_group *g, int32_t job)
{
    ori_queue_remove(&g->order.queue, job);
    if (g->has_backfill)
        ori_queue_remove(&g->backfill.queue, job);
}

/* A job that does not wait goes to another group, where it arrives now. */
orr_status ori_rigid_arrive(orr_rigid *sim, int32_t job, int32_t group, orr_error *err);

/* Takes over the order of a group of another simulation with the same policy. */
orr_status ori_group_take_over(orr_rigid *to, ori_group *g, const orr_rigid *from,
                               const ori_group *before, orr_error *err);
/* Makes the orders of a group ready for jobs that were moved already. */
void ori_group_loosen(ori_group *g);

/* For a decision: asks for the priorities that are due, and sorts what is not in order. */
orr_status ori_rigid_rank_changing(orr_rigid *sim, ori_group *g, orr_error *err);
static inline orr_status ori_rigid_rank_waiting(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return g->order.dynamic || g->has_backfill ? ori_rigid_rank_changing(sim, g, err) : ORR_OK;
}
/* For a question: sorts what can be sorted without asking. */
void ori_rigid_sort_waiting(orr_rigid *sim, ori_group *g);

/* --- run.c ---------------------------------------------------------------------------------- */

/* Starts a waiting job that is known to fit. */
orr_status ori_rigid_start_fitting(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Ends a running attempt before its time; the job then neither waits nor runs. */
orr_status ori_rigid_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);

/* A job is over that does not run. */
void ori_rigid_over(orr_rigid *sim, int32_t job);

/* A job that waits is submitted to a policy that has taken over. */
orr_status ori_rigid_introduce(orr_rigid *sim, int32_t job, orr_error *err);

/* Goes on to the next submission that is still to come. */
void ori_rigid_skip_submitted(orr_rigid *sim);

/* Tells the policy at the next instant how an attempt ended (change.c). */
void ori_rigid_note_end(orr_rigid *sim, int32_t job, orr_outcome outcome);
/* Tells it all that it was not told yet. */
orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err);

/* --- outages.c, drain.c ----------------------------------------------------------------------- */

/* Repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);

/* Processors fail now; *count, when not NULL: the attempts that this has ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);

/* The processors behind `low` that are in the same state, up to `end`. */
int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end);

/* Processors low .. end - 1 of a group, all in the same state, and free or out, are out as long as
 * failures and drains say now. */
void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end);

/* Makes processors come back when an outage ends. */
orr_status ori_rigid_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err);

/* Processors that leave now because their time is over. */
orr_status ori_rigid_apply_lendings(orr_rigid *sim, orr_error *err);

/* Notes when the processors of a running job will be free, or forgets it. */
void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job);
void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job);

/* Processors that an attempt has left, which are free now, leave if they were drained. */
orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* What is out and drained in the simulation that is taken over from, and what is new. */
orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* The highest-numbered `count` processors are drained for ever, those that were so before come
 * back.
 */
orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err);

/* The plan of a group: who runs, what is out, what leaves. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* ORR_ERR_LIMIT: times too large to add up, the clock would stop at infinity. */
orr_status ori_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err);

/* --- disciplines.c, conservative.c, shortcuts.c, retry_clock.c, views.c ---------- */

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of R-LIST with a reservation for every job, where ranks hold for the scenario. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);

/* Short ways to the next event that is worth a step, where there are any (shortcuts.c). */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on: count times start = (start + time) + verification, to the last bit. */
double ori_repeat(double start, double time, double verification, int32_t count);

/* Makes this decision's plan if it is not there yet. */
void ori_rigid_need_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* Reserves the earliest time for a job in this decision's plan; which is returned, s. */
double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job);

#endif
