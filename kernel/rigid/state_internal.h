/* The inside of a simulation, shared by the files of this folder only. */
#pragma once

#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "rigid/composition_internal.h"
#include "rigid/engine.h"
#include "rigid/order_internal.h"
#include "rigid/outage_source_internal.h"
#include "rigid/placed_internal.h"
#include "rigid/profile_internal.h"
#include "rigid/promises_internal.h"
#include "rigid/recent_waits_internal.h"
#include "rigid/view.h"
#include "sim/processors_internal.h"
#include "sim/shell_internal.h"

#include <math.h>

/* A group of processors: its queue, and what is known of its future. */
typedef struct ori_group {
    const char *name;
    orr_rigid_policy policy; /* of which the order, the backfilling and the dispatch hold here */
    int32_t index;
    int32_t first, procs;

    /* follows from the policy, and from who may look */
    bool has_backfill, has_planned, has_plan, may_keep_plan;
    bool has_loop; /* see list_loop.c */

    /* how many there are now; a copy has the same */
    struct ori_group_at {
        int32_t free, down, running;
        int32_t drained;      /* processors; of these: */
        int32_t drained_down; /* are down already */
        bool keeps_plan;      /* see below */
    } at;

    union {
        struct {
            ori_order order;    /* of the queue */
            ori_order backfill; /* where has_backfill: the same jobs in the order of backfilling */
        };
        ori_order orders[2]; /* the same, up to ori_last_order */
    };
    ori_ends planned; /* planned ends and repairs, kept where has_planned */
    ori_plan plan;    /* this decision's, where has_plan */

    /* list with a reservation for every job: the plan outlives its decision, see list_all.c */
    double *reserved;   /* per job: the start of its reservation, s */
    int32_t entered;    /* the smallest rank that has entered since the last decision */
    int32_t planned_to; /* waiting jobs of smaller rank have reservations */
    bool has_gaps;      /* so have some behind it, in the plan */

    /* What holds of the plan, which is a cache. plan_valid: it is of now, with this decision's
     * reservations; only while the group decides, or somebody asks, and never between instants.
     * kept: it is the last decision's, and nothing has happened since that it did not foresee;
     * only where keeps_plan, which ends when ranks become dynamic, and only where may_keep_plan.
     * Whatever changes who may start when, and was not planned, ends kept; whatever changes it
     * within a decision ends plan_valid, too. A copy begins with neither. */
    bool plan_valid, kept;
    int32_t plan_reservations; /* made in this decision */

    ori_promises promises; /* conservative: reservations that outlive decisions */
    ori_placed *placed;    /* particular processors; NULL: any will do, and they are counted */

    bool counts;                    /* one of the next two is kept */
    ori_composition composition;    /* a cache, see there; a copy begins with none */
    ori_recent_waits *recent_waits; /* NULL where nobody may ask, see needs.recalls */

    bool idle_told; /* on_idle was called at this instant */
} ori_group;

static inline ori_order *ori_last_order(ori_group *g)
{
    return &g->orders[g->has_backfill];
}

/* How far a job has come that writes checkpoints. A stretch is the part of an attempt from its
 * beginning, or from a checkpoint on demand, to the next one or its end. */
typedef struct ori_progress {
    double saved;    /* s of work that no interruption takes; of a stretch, what was so before it */
    double period;   /* tau, s */
    double from;     /* s: when the stretch began: the checkpoint on demand was complete then, */
    double done;     /* which saved all work done by then, s */
    double recovery; /* s: the stretch begins with it */
    bool demanded;   /* it begins with a checkpoint on demand */
    bool leaves;     /* the attempt ends before its work is done, */
    bool killed;     /* by its walltime; otherwise it waits again, */
    double leave;    /* at this time, s */
    unsigned due;    /* the attempt's event in `ends` is no end: there it writes a checkpoint before
                        one of ORR_BEFORE_KILL, ...; 0: it is its end */
    double event;    /* s: that event */
} ori_progress;

/* The call into the policy that is under way, as the policy may ask for it. */
typedef struct ori_situation {
    const char *hook; /* NULL: none */
    int32_t group;
    int32_t deciding; /* the group whose dispatch function runs; -1: none */
    bool acting;      /* it may act */
} ori_situation;

/* What was asked for, beside what the shell knows. */
typedef struct ori_asked {
    bool plain;
    bool opened; /* it may be changed from outside */
    bool live;   /* ends of attempts are reported, see live.h */
    orr_instant instant;
} ori_asked;

/* What follows from what was asked for, and from the policy. */
typedef struct ori_needs {
    bool acts;           /* the policy has functions that may take actions */
    bool interrupts;     /* attempts may be ended before their time */
    bool eventful;       /* there is more to an instant than ends, submissions and a decision */
    bool watched;        /* somebody may ask for earliest starts */
    bool recalls;        /* somebody may ask for recent waits */
    bool has_processors; /* counting them is not enough */
    bool placed;         /* somebody wants to know of every attempt on which processors it runs */
    bool places;         /* some group's policy has a placement */
    bool singly;         /* every event of an instant is decided on by itself */
    bool shortcuts;      /* nobody sees single events: finish may take short ways */
} ori_needs;

/* Where the run stands between two instants. */
typedef struct ori_at {
    int32_t running, held, over; /* jobs */
    int32_t submitted;           /* jobs of by_submission that are in the system */
    int32_t unreleased;          /* jobs whose submission is not known: they stand in by_submission
                                    behind those, and before those that are still to come */
    uint32_t moves;              /* of jobs, from queue to queue */
    int32_t fruitless;           /* timers in a row at which nothing ran */
    int32_t wakes;               /* timers in a row beside which nothing happened */
    int32_t known;               /* processors that the policy knows; those behind are retired */
    int32_t news_count;          /* jobs whose news is not told yet */
    double last_end;             /* s: of any attempt */
    orr_run_totals totals;
    bool fails;      /* some job, in this scenario */
    bool disturbed;  /* it was changed from outside, and there was no step since */
    bool introduced; /* the policy knows who runs and waits */
} ori_at;

/* The marks of an instant under way; between two of them nothing of it is set. */
typedef struct ori_instant {
    int32_t told, started_count; /* on_start is to be called for started[told .. count - 1] */
    int64_t actions;             /* taken at this instant, but for starts */
    int32_t submitting;          /* the job whose on_submit is being called; -1: none */
    ori_situation situation;
    bool changed;      /* by an action, since decisions began */
    bool ranking;      /* priorities are being asked for: the sorter is in use */
    bool changing;     /* it is being changed from outside: the policy is told later */
    orr_error failure; /* of an action that had begun to change things: nothing may go on */
} ori_instant;

#define ORI_NO_INSTANT ((ori_instant){.submitting = -1, .situation.deciding = -1})

struct orr_rigid {
    /* plain: a copy has the same */
    ori_shell shell;
    const orr_instance *in;
    int32_t room; /* jobs that there is memory for, at least those of the instance */
    orr_rigid_policy policy;
    ori_asked asked;
    ori_at at;

    const orr_jobs *jobs; /* in->jobs */
    ori_needs needs;
    int32_t group_count;
    ori_instant instant;

    /* per job; one block of memory */
    double *start, *planned_end; /* of the latest attempt; planned_end is the real end once over */
    int32_t *failures;
    int32_t *attempts; /* that have started and were not interrupted */
    uint8_t *state;
    /* the same, where jobs write checkpoints (READINGS 36); else NULL */
    ori_progress *progress;
    orr_job_checkpoints *spent;
    double *lengths;   /* also where the policy estimates */
    uint8_t *outlived; /* where the policy estimates, else NULL: how often the attempt that runs has
                          outlived its plan, at most 255, see estimates.c */
    const double *estimate; /* s: what the next attempt, or that which runs, is planned to take:
                               lengths, or the instance's estimates */
    /* the same, where attempts may be interrupted and jobs moved; else NULL, but for arrivals,
       which are the submission times */
    double *arrivals, *cancelled; /* s; cancelled: see orr_run */
    int32_t *interrupted;         /* attempts */
    uint32_t *place;              /* see ori_rank_entry */
    int32_t *group;               /* where a job is; NULL: there is one group */
    const double *arrival;
    /* the same, of a simulation that may be changed from outside; else NULL */
    orr_past *past;
    uint8_t *left_out; /* orr_left_out */
    uint8_t *reported; /* of a live one, else NULL: how the attempt that runs ends now, an
                          orr_outcome; 0: it goes on */
    uint8_t *news; /* how an attempt ended that on_end is still to be called for, an orr_outcome;
                      0: none */
    ori_block block;

    struct ori_dependents *dependents; /* NULL: no job comes after others; else `in` is its own */

    ori_group *groups;
    ori_calendar ends;   /* real ends of running attempts; payload: job */
    ori_calendar timers; /* that the policy asked for */
    ori_sorter sorter;
    orr_schedule schedule;
    ori_processors processors; /* who holds which, where has_processors */
    ori_outages outages;
    int32_t *started; /* jobs that on_start is to be called for */
    int32_t *retried; /* jobs whose planned ends are out of `planned`, see shortcuts.c */
    ori_block lists;
    double
        *reservations; /* per job, s: where decisions write what they reserve; NULL: nobody asks */
};

static inline ori_group *ori_group_of(const orr_rigid *sim, int32_t job)
{
    return &sim->groups[sim->group ? sim->group[job] : 0];
}

/* When an attempt that starts at `start`, of a job that waits, is planned to end. */
static inline double ori_rigid_planned_end(const orr_rigid *sim, int32_t job, double start)
{
    return (start + sim->estimate[job]) + sim->in->verification;
}

/* The windows of a simulation, for another one. */
static inline ori_given_windows ori_windows_of(const orr_rigid *sim)
{
    const ori_windows *w = &sim->outages.windows;
    return (ori_given_windows){w->list, w->count, w->known};
}

/* The job that is submitted next, of those whose submission is known; -1: none. */
static inline int32_t ori_rigid_coming(const orr_rigid *sim)
{
    int32_t next = sim->at.submitted + sim->at.unreleased;
    return next < sim->in->count ? sim->in->by_submission[next] : -1;
}

/* A simulation with the plain fields of `plain` and no parts. */
orr_rigid *ori_rigid_allocate(const orr_rigid *plain, orr_error *err);

/* All parts of a simulation, but for the priorities: for create, copies, which fill them, and
 * successors. */
orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_rigid_node_failures *failures,
                                  ori_given_windows windows, ori_filling filling, orr_error *err);
/* There is to be a decision at a time later than now; of a simulation that needs.acts. */
orr_status ori_rigid_add_timer(orr_rigid *sim, double time, orr_error *err);
void ori_rigid_forget_run(orr_rigid *sim);
/* Of the jobs from `first` on, nothing has happened. */
void ori_rigid_forget_jobs(orr_rigid *sim, int32_t first);
/* The parts of `to`, whose plain fields are those of `from`, made and filled as there. */
orr_status ori_rigid_copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err);
/* The groups of its recording from now on. */
orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err);

/* Goes on to the next submission that is still to come. */
void ori_rigid_skip_submitted(orr_rigid *sim);
