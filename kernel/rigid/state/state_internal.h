/* The fields of a simulation, shared by the files of this folder only. */
#pragma once

#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "rigid/availability/profile_internal.h"
#include "rigid/machine/outage_source_internal.h"
#include "rigid/queue/composition_internal.h"
#include "rigid/queue/limits_internal.h"
#include "rigid/queue/order_internal.h"
#include "rigid/queue/recent_waits_internal.h"
#include "rigid/queue/view.h"
#include "rigid/state/discipline_internal.h"
#include "rigid/state/instant.h"
#include "rigid/state/nodes_internal.h"
#include "rigid/state/placed_internal.h"
#include "rigid/state/pools_internal.h"
#include "rigid/state/promises_internal.h"
#include "schedule/metrics.h"
#include "sim/processors_internal.h"
#include "sim/shell_internal.h"

#include <math.h>

/* A group of processors: its queue and its plans. */
typedef struct ori_group {
    const char *name;
    orr_rigid_policy policy; /* only its order, backfilling and dispatch are used here */
    const ori_discipline *discipline;
    int32_t index;
    int32_t first, procs;

    /* derived from the policy and from the questions that may be asked */
    bool has_backfill, has_planned, has_plan, may_keep_plan;
    bool has_loop; /* see list_loop.c */

    /* present counts; copied with the simulation */
    struct ori_group_at {
        int32_t free, down, running;
        int32_t drained;      /* processors; of these, */
        int32_t drained_down; /* processors that are down already */
        bool keeps_plan;      /* see below */
    } at;

    union {
        struct {
            ori_order order;    /* of the queue */
            ori_order backfill; /* if has_backfill: the same jobs in the order of backfilling */
        };
        ori_order orders[2]; /* both orders as an array, used up to ori_last_order */
    };
    ori_ends planned; /* planned ends and repairs, kept if has_planned */
    ori_plan plan;    /* the plan of this decision, if has_plan */

    /* list with a reservation for every job: the plan outlives its decision, see list_all.c */
    double *reserved;   /* per job: the start of its reservation, s */
    int32_t entered;    /* the smallest rank of a job that has entered since the last decision */
    int32_t planned_to; /* waiting jobs of smaller rank have reservations */
    bool has_gaps;      /* some jobs behind planned_to have reservations in the plan, too */

    /* The validity of the plan, which is a cache. plan_valid: the plan is of the present instant,
     * with the reservations of this decision; set only while the group decides or a question is
     * answered, never between instants. kept: the plan is that of the last decision, and only
     * planned events have happened since; set only if keeps_plan, which ends when ranks become
     * dynamic, and may_keep_plan, or by name (see ori_placed). An unplanned change of possible
     * starts clears kept; such a change within a decision clears plan_valid, too. A copy begins
     * with both cleared. */
    bool plan_valid, kept;
    int32_t plan_reservations; /* made in this decision */

    ori_promises promises; /* conservative: reservations kept from decision to decision */
    ori_placed *placed;    /* plans with particular processors; NULL: processors are only counted */

    bool counts;                    /* one of the next two is kept */
    ori_composition composition;    /* a cache, see composition_internal.h; a copy begins without
                                       it */
    ori_recent_waits *recent_waits; /* NULL if recent waits may not be asked for, see
                                       needs.recalls */

    bool idle_told; /* on_idle was called at this instant */
} ori_group;

static inline ori_order *ori_last_order(ori_group *g)
{
    return &g->orders[g->has_backfill];
}

/* The progress of a job that writes checkpoints. A stretch is the part of an attempt from its
 * beginning, or from a checkpoint on demand, to the next checkpoint on demand or the end of the
 * attempt. */
typedef struct ori_progress {
    double saved;    /* s: saved work, safe from interruptions; during a stretch, the work saved
                        before it */
    double period;   /* tau, s */
    double from;     /* s: start of the stretch; after a checkpoint on demand, the time at which
                        that is complete */
    double done;     /* s: work done by then, all of it saved */
    double recovery; /* s: recovery at the start of the stretch */
    bool demanded;   /* the stretch begins with a checkpoint on demand */
    bool leaves;     /* the attempt ends at `leave`, before its work is done */
    bool killed;     /* it is killed then at its walltime; otherwise the job waits again */
    double leave;    /* s: end of an attempt that leaves */
    unsigned due;    /* the attempt's event in `ends` is not its end but a checkpoint before an
                        instant of this kind (ORR_BEFORE_KILL, ...); 0: the event is its end */
    double event;    /* s: time of this event */
} ori_progress;

/* The present call of a function of the policy, as the policy may ask for it. */
typedef struct ori_situation {
    const char *hook; /* NULL: none */
    int32_t group;
    int32_t deciding; /* the group whose dispatch function runs; -1: none */
    bool acting;      /* the policy may act */
} ori_situation;

/* The caller's options, except those in the shell. */
typedef struct ori_asked {
    bool plain;
    bool opened; /* the simulation may be changed from outside */
    bool live;   /* ends of attempts are reported, see live.h */
    orr_instant instant;
} ori_asked;

/* Requirements derived from the caller's options, the instance and the policy. A new one turns the
 * fast loops off (shortcuts.c), unless state.c lists it as one that they know. */
typedef struct ori_needs {
    bool acts;           /* the policy has functions that may take actions */
    bool interrupts;     /* attempts may be ended before their time */
    bool eventful;       /* an instant may have more than ends, submissions and a decision */
    bool watched;        /* earliest starts may be asked for */
    bool recalls;        /* recent waits may be asked for */
    bool has_processors; /* counting them is not enough */
    bool placed;         /* the processors of every attempt must be known */
    bool places;         /* some group's plans have particular processors */
    bool holds;          /* jobs hold more than processors, which is added up */
    bool shares;         /* and may have to wait for it, see availability_internal.h */
    bool singly;         /* every event of an instant has its own decision */
    bool every_event;    /* the caller or a discipline wants every event to be simulated */
    bool follows;        /* jobs come after others */
    bool saves;          /* jobs write checkpoints */
    bool limited;        /* jobs may be over a limit */
    bool observes;       /* only the jobs of a part of the time are observed; read by are_known */
    bool shortcuts;      /* what finish may use: all that is needed is known to the fast loops */
} ori_needs;

/* The state of the run between two instants. */
typedef struct ori_at {
    int32_t running, held, over; /* jobs */
    int32_t submitted;           /* jobs at the front of by_submission that were submitted */
    int32_t unreleased;          /* jobs whose submission is not known; in by_submission they stand
                                    behind the submitted jobs and before the jobs still to come */
    uint32_t moves;              /* moves of jobs between queues */
    int32_t fruitless;           /* timers in a row at which nothing ran */
    int32_t wakes;               /* timers in a row without other events */
    int32_t known;               /* processors that the policy knows; higher-numbered ones are
                                    retired */
    int32_t news_count;          /* jobs with news that the policy was not told yet */
    double last_end;             /* s: the last end of an attempt */
    orr_run_totals totals;
    bool fails;      /* some job fails in this scenario */
    bool disturbed;  /* the simulation was changed from outside, without a step since then */
    bool introduced; /* the policy knows the running and waiting jobs */
    bool stands; /* nothing runs or comes, and only a change can give waiting jobs what they need */
    bool fresh;  /* since the reset no instant was simulated, and no time has passed */
} ori_at;

/* The state within an instant; between two instants nothing of it is set. */
typedef struct ori_instant {
    int32_t told, started_count; /* on_start is to be called for started[told .. count - 1] */
    int64_t actions;             /* actions at this instant, except starts */
    int32_t submitting;          /* the job whose on_submit is being called; -1: none */
    ori_situation situation;
    bool changed;      /* an action has changed something since decisions began */
    bool ranking;      /* priorities are being asked for: the sorter is in use */
    bool changing;     /* a change from outside is being made: the policy is told later */
    orr_error failure; /* of an action that failed while it was carried out: the run must stop */
} ori_instant;

#define ORI_NO_INSTANT ((ori_instant){.submitting = -1, .situation.deciding = -1})

struct orr_rigid {
    /* plain fields: copied by assignment */
    ori_shell shell;
    const orr_instance *in;
    int32_t room; /* memory for this number of jobs, at least those of the instance */
    orr_rigid_policy policy;
    ori_disciplines disciplines;
    ori_asked asked;
    ori_at at;

    const orr_jobs *jobs; /* in->jobs */
    ori_needs needs;
    int32_t group_count;
    ori_instant instant;

    /* per job; one block of memory */
    double *start, *planned_end; /* of the latest attempt; planned_end is the real end once over */
    int32_t *failures;
    int32_t *attempts; /* attempts that have started and were not interrupted */
    uint8_t *state;
    /* per job, if jobs write checkpoints (READINGS 36); else NULL */
    ori_progress *progress;
    orr_job_checkpoints *spent;
    double *lengths;        /* also if the policy estimates */
    uint8_t *outlived;      /* if the policy estimates, else NULL: how often the running attempt has
                          outlived its plan, at most 255, see estimates.c */
    const double *estimate; /* s: planned length of the running or next attempt: `lengths`, or the
                               instance's estimates */
    /* per job, if attempts may be interrupted and jobs moved; else NULL, except `arrival`, which is
       then the submission times */
    double *arrivals, *cancelled; /* s; cancelled: see orr_run */
    int32_t *interrupted;         /* attempts */
    uint32_t *place;              /* see ori_rank_entry */
    int32_t *group;               /* the group of a job; NULL: there is one group */
    const double *arrival;
    /* per job, if the simulation may be changed from outside; else NULL */
    orr_past *past;
    uint8_t *left_out; /* orr_left_out */
    uint8_t *reported; /* of a live simulation, else NULL: reported outcome of the running attempt,
                          which ends now, an orr_outcome; 0: it goes on */
    uint8_t *news; /* outcome of an attempt for which on_end is still to be called, an orr_outcome;
                      0: none */
    ori_block block;

    struct ori_dependents *dependents; /* NULL: no job comes after others; else `in` is the
                                          simulation's own instance */

    ori_limits *limits; /* NULL: there are none */

    ori_group *groups;
    ori_calendar ends;   /* real ends of running attempts; payload: job */
    ori_calendar timers; /* wake-up times of the policy */
    ori_sorter sorter;
    orr_schedule schedule;
    ori_processors processors; /* the holder of each processor, if has_processors */
    ori_outages outages;
    ori_pools pools; /* if needs.shares */
    ori_nodes nodes; /* if the instance has nodes */
    /* if needs.holds: amount-seconds that attempts held, in the window where there is one: of
       pools, of resources of nodes, and of the processors of partitions */
    double used[ORR_MOST_SHARES];
    int32_t *started; /* jobs for which on_start is to be called */
    int32_t *retried; /* jobs whose planned ends were taken out of `planned`, see retries.c */
    ori_block lists;
    double
        *reservations; /* per job, s: decisions write their reservations here; NULL: not wanted */
};

/* The machine's nodes; NULL: processors are counted. */
ORR_INLINE const orr_nodes *ori_machine_nodes(const orr_rigid *sim)
{
    return ORI_HAS_NODES ? sim->nodes.of : NULL;
}

static inline ori_group *ori_group_of(const orr_rigid *sim, int32_t job)
{
    return &sim->groups[sim->group ? sim->group[job] : 0];
}

/* Whether a job waits and is over a limit: it is in no queue, and has no reservation. */
static inline bool ori_is_aside(const orr_rigid *sim, int32_t job)
{
    return ORR_UNLIKELY(sim->limits != NULL) && sim->limits->where[job] == ORI_ASIDE;
}

/* Every running job holds a processor. */
static inline int32_t ori_most_running(const orr_rigid *sim)
{
    return sim->room < sim->in->procs ? sim->room : sim->in->procs;
}

/* The planned end, s, of an attempt of a waiting job that starts at `start`. */
static inline double ori_rigid_planned_end(const orr_rigid *sim, int32_t job, double start)
{
    return (start + sim->estimate[job]) + sim->in->verification;
}

/* Whether the clock, which begins at the first submission, can be set back to `time`, s. */
static inline bool ori_rigid_may_go_back(const orr_rigid *sim, double time)
{
    return sim->at.fresh && !sim->at.disturbed && time < sim->shell.now && time > -INFINITY;
}

/* After jobs were added: they may come before the first submission so far, `before`, s. */
void ori_rigid_begin_at_first(orr_rigid *sim, double before);

/* The windows of a simulation, to be given to another one. */
static inline ori_given_windows ori_windows_of(const orr_rigid *sim)
{
    const ori_windows *w = &sim->outages.windows;
    return (ori_given_windows){w->list, w->count, w->known};
}

/* The next job to be submitted, among those with a known submission; -1: none. */
static inline int32_t ori_rigid_coming(const orr_rigid *sim)
{
    int32_t next = sim->at.submitted + sim->at.unreleased;
    return next < sim->in->count ? sim->in->by_submission[next] : -1;
}
