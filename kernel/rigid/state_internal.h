/* The inside of a simulation, shared by the files of this folder only. */
#ifndef ORR_RIGID_STATE_INTERNAL_H
#define ORR_RIGID_STATE_INTERNAL_H

#include "base/calendar.h"
#include "base/callback_internal.h"
#include "rigid/engine.h"
#include "rigid/order_internal.h"
#include "rigid/outage_source_internal.h"
#include "rigid/processors_internal.h"
#include "rigid/profile_internal.h"
#include "rigid/view.h"

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

/* Reports a broken invariant and gives ORR_ERR_INTERNAL. */
orr_status ori_rigid_broken(const orr_rigid *sim, const char *invariant, const char *file, int line,
                            orr_error *err);
#define ORI_RIGID_CHECK(sim, condition, err)                                                       \
    do {                                                                                           \
        if (ORR_UNLIKELY(!(condition)))                                                            \
            return ori_rigid_broken(sim, #condition, __FILE__, __LINE__, err);                     \
    } while (0)

/* ORR_ERR_ARGUMENT when called from inside the policy. */
orr_status ori_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err);

/* An empty struct for a simulation; ori_rigid_release gives it back with all its parts. */
orr_rigid *ori_rigid_allocate(const orr_allocator *given, orr_error *err);
void ori_rigid_release(orr_rigid *sim);

/* All of a simulation whose plain fields are set, but for the priorities: for create, copies and
 * successors. */
orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_rigid_node_failures *failures,
                                  orr_error *err);
void ori_rigid_forget_run(orr_rigid *sim);
void ori_rigid_copy_fields(orr_rigid *to, const orr_rigid *from);
/* The parts of `to`, whose plain fields are those of `from`, made and filled as there. */
orr_status ori_rigid_copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err);
/* The groups of its recording from now on. */
orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err);

/* Goes on to the next submission that is still to come. */
void ori_rigid_skip_submitted(orr_rigid *sim);

#endif
