/* The engine for rigid jobs: simulations with silent errors, walltimes, submission times, groups of
 * processors, and nodes that fail.
 *
 * A simulation is a value: created once for an instance and a policy, reset for each scenario,
 * stepped, run, copied. A copy is deep and exact: copy and original have the same future. What if
 * something were otherwise from here on: rigid/change.h.
 *
 * Events. All that happens at one instant is applied first (READINGS 24), in this order:
 *   ends of attempts in order of their starts, each followed by on_end
 *   repairs of nodes
 *   failures of nodes: the jobs on them go back to their queues, each followed by on_end
 *   warnings of failures, each followed by on_warning
 *   submissions in order of position, each followed by on_submit
 *   one on_timer, if a time is there that the policy asked for
 * Then every group decides once, in their order. Then come on_start for what has started, in that
 * order, and, if nothing is left to do, on_idle for every group with free processors and nobody
 * waiting, at most once each. If jobs that take no time have started, or a hook has changed
 * something behind the decision that it concerns, the round begins again: ends, decisions, on_start
 * and on_idle. One step is one instant, all of it.
 *
 * That is the convention ORR_INSTANT_BATCHED, of which all short ways are. By the others (READINGS
 * 35) every event of an instant is followed by a decision of its own and by on_start; on_idle comes
 * at the end of the instant.
 *
 * Failures. The failure counts of a scenario are fixed before it begins: of a job's attempts that
 * reach their end the first f fail and the next completes; a job whose runtime exceeds its estimate
 * is killed at its first. An attempt that the policy or a node's failure ends before counts none of
 * them, its work is lost.
 *
 * Node failures. A node is a run of processors. When it fails, its processors are down until they
 * are repaired, which everybody who plans knows from then on; the attempts on them end
 * (ORR_NODE_FAILED) and their jobs wait again where they were. Which jobs that are follows from the
 * processors they hold: always the lowest-numbered free ones of their group, as in a recording.
 *
 * A run in which nothing can happen any more, although jobs wait or are held, is ORR_ERR_POLICY. So
 * is one in which a policy does nothing but wake up: 100000 times in a row where nothing runs and
 * nobody is to come, 1000000 times between two instants at which an attempt reaches its end, a job
 * comes, or nodes fail or are repaired. Somebody who wakes up every second gets to eleven days.
 *
 * Nothing is allocated between create and destroy, except by a recording that grows, by wake-up
 * times, outages and warnings that pile up, and by a source of faults (workload/faults.h). */
#pragma once

#include "rigid/policy.h"
#include "schedule/metrics.h"
#include "workload/faults.h"
#include "workload/window.h"

/* When nodes fail. Drawn: nodes of node_procs processors each (the last may have fewer) fail by a
 * law with mean time mtbf, from the streams of the scenario, counted from the first submission on,
 * whatever the policy; a node that is down does not fail. Its repairs are of a law with mean
 * `repair`: the n-th failure of a node, ignored ones counted, has the n-th number of the node's own
 * stream (READINGS 47). A share of the nodes are lemons, drawn for every scenario, and fail more
 * often. Domains of domain_nodes nodes each (the last may have fewer) fail as a whole, with
 * exponential gaps of mean domain_mtbf and repairs of their own; a domain that is under repair does
 * not fail. After every `retire_after` failures of its own a node is retired: a spare takes its
 * place after `swap` s, as new, a lemon or not, or, where none is left, the place stays down.
 *
 * Or given, in order of time: processors that are down already stay so until the later of their
 * repairs. A given outage may also be a drain: it ends no attempt, and its processors are down as
 * soon as they are free, until it ends. */
typedef struct orr_rigid_node_failures {
    size_t size;               /* sizeof this, see base/api.h */
    orr_fault_law law;         /* ORR_FAULTS_LOG: given */
    double mtbf;               /* of a node, s, > 0 */
    double shape;              /* weibull: k > 0; lognormal: sigma > 0 */
    double repair;             /* mean, s, >= 0, finite; > 0 where it is drawn */
    int32_t node_procs;        /* >= 1 */
    const orr_outage *outages; /* borrowed; ORR_FAULTS_LOG only; `repaired` may be inf */
    int64_t outage_count;
    int32_t max_attempts; /* of one job: a failure that ends so many is ORR_ERR_LIMIT, for a wide
                             job on nodes that fail often may never run through; 0: no limit */
    orr_fault_law repair_law; /* of drawn failures; ORR_FAULTS_NONE: all repairs take `repair` */
    double repair_shape;      /* weibull: k > 0; lognormal: sigma > 0 */
    const orr_outage_kind *outage_kinds; /* borrowed, per outage: ORR_OUTAGE_FAILURE or
                                            ORR_OUTAGE_DRAINED; NULL: all are failures */
    /* of drawn failures: */
    double lemon_share;   /* of the nodes, 0 to 1; 0: none */
    double lemon_factor;  /* how many times as often they fail, >= 1 */
    int32_t domain_nodes; /* of a domain; 0: there are none */
    double domain_mtbf;   /* of a domain, s, > 0 */
    double domain_repair; /* as repair, of domains */
    orr_fault_law domain_repair_law;
    double domain_repair_shape;
    int32_t retire_after; /* failures; 0: no node is retired */
    int32_t spares;       /* >= 0 */
    double swap;          /* s, >= 0, finite */
    /* Prediction, READINGS 47: `recall` of the failures are announced `lead` s before they come,
       beside false warnings, so that `precision` of all warnings come true. Failures are the same
       with and without it. Not with retire_after. */
    double recall;    /* 0: there are no warnings; else from 1e-6 to 1 */
    double precision; /* where there are some, from 1e-6 to 1; of given failures 1 */
    double lead;      /* s, > 0, finite */
} orr_rigid_node_failures;

/* When is decided at an instant, READINGS 35. An event is the end of one attempt, one submission,
 * all repairs, failures and warnings of nodes of the instant together, or on_timer. */
typedef enum orr_instant {
    ORR_INSTANT_BATCHED,           /* once, when all events have been applied */
    ORR_INSTANT_ENDS_FIRST,        /* after every event: ends, nodes, submissions, the timer */
    ORR_INSTANT_SUBMISSIONS_FIRST, /* after every event: submissions, ends, nodes, the timer */
    ORR_INSTANT_PYSS /* as before, but attempts that end now as planned are over before the first
                        submission; their decision comes at the place of the first of them */
} orr_instant;

typedef struct orr_rigid_setup {
    size_t size;                    /* sizeof this, see base/api.h */
    const orr_instance *instance;   /* borrowed, as long as the simulation and its copies live */
    const orr_rigid_policy *policy; /* copied; what it points to is borrowed as long */
    const double *priorities;       /* the policy's own, per job, from orr_rigid_priorities, copied;
                                       NULL: asked at create where they are per workload */
    const orr_rigid_node_failures *node_failures; /* copied, but for its outages; NULL: none */
    uint64_t seed; /* names the policy's random streams, with set and scenario */
    uint64_t set;
    bool record; /* keep every attempt and the processors it held */
    bool plain;  /* the plain event loop: every event by itself, every decision taken and planned
                    from nothing, no short ways (rigid/run.c, shortcuts.c, list_all.c). The
                    same numbers, slower: for checking and for measuring */
    const orr_cancel_flag *cancel; /* polled once per step; NULL: none. The simulation stays
                                      usable, unless it was inside a policy that gave up */
    orr_trap trap;
    const orr_allocator *alloc; /* NULL: malloc */
    orr_instant instant;
    bool live; /* attempts end when that is reported, see rigid/live.h */

    /* Processors that are closed for a time, or reserved, READINGS 48; copied, but for their texts,
     * which are borrowed. ORR_ERR_ARGUMENT where one is not on the machine, or has no time. With
     * windows all groups plan with particular processors (READINGS 46). */
    const orr_window *windows;
    int64_t window_count;
} orr_rigid_setup;

/* A simulation without a scenario: orr_rigid_reset begins one. NULL on failure. */
ORR_API orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err);
ORR_API void orr_rigid_destroy(orr_rigid *sim); /* NULL is fine */

/* Begins scenario `scenario` (>= 1 by convention; part of the streams' names), or begins it anew,
 * with these failure counts, copied: one number >= 0 per job, NULL for none. */
ORR_API orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                                   orr_error *err);

/* A deep copy; NULL on failure. */
ORR_API orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err);

/* All events of the next instant, and what follows at it. At the end of the run it does nothing.
 * An error in the middle of an instant (of the policy, of memory) stops the simulation: from then
 * on this is ORR_ERR_POLICY, and only reset gives it a new beginning. */
ORR_API orr_status orr_rigid_step(orr_rigid *sim, orr_error *err);

/* All instants <= time; the clock then stands at `time`, or later where it was later already. */
ORR_API orr_status orr_rigid_run_until(orr_rigid *sim, double time, orr_error *err);

/* To the end. *metrics, when not NULL, is filled. */
ORR_API orr_status orr_rigid_finish(orr_rigid *sim, orr_metrics *metrics, orr_error *err);

/* Whether every job is over. */
ORR_API bool orr_rigid_is_over(const orr_rigid *sim);

/* The instant of the next event in s; inf when there is none. */
ORR_API double orr_rigid_next_event(const orr_rigid *sim);

/* The metrics of a run, once every job is over. */
ORR_API orr_metrics orr_rigid_measure(const orr_rigid *sim);

/* What the run left behind, once every job is over; it points into the simulation and is valid
 * until that goes on. */
ORR_API orr_run orr_rigid_result(const orr_rigid *sim);

/* The instance of the simulation; where jobs come after others its own, with the submissions of
 * this run, inf where they are not known yet. Its schedule is checked and written with this one. */
ORR_API const orr_instance *orr_rigid_instance(const orr_rigid *sim);

/* What was recorded so far, owned by the simulation and valid until it goes on; NULL without
 * recording. */
ORR_API const orr_schedule *orr_rigid_schedule(const orr_rigid *sim);

/* The failure counts of the scenario, one per job. */
ORR_API const int32_t *orr_rigid_failures(const orr_rigid *sim);
