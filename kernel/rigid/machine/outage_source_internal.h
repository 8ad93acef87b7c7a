/* The times at which processors are not in service. Internal to this folder. The terms:
 *
 *   down      no job can run there: it has failed, or it is drained and no job runs there now
 *   failed    its node has failed, and is under repair until a time that is known
 *   drained   it was taken out of service from outside, for a time or for ever; a job that runs
 *             there runs to its end, and then it is down
 *   retired   drained for ever because the policy that has taken over is for fewer processors
 *   closed    a window of it is open, see windows_internal.h */
#pragma once

#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "rigid/machine/node_failures.h"
#include "rigid/machine/units_internal.h"
#include "rigid/machine/warnings_internal.h"
#include "rigid/machine/windows_internal.h"
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"

typedef struct ori_outages {
    bool any; /* nodes may fail, or be drained and come back, or windows may open */
    orr_rigid_node_failures setup;
    const orr_nodes *nodes; /* the nodes that fail are these; NULL: of node_procs */
    ori_windows windows;
    ori_warnings warnings;
    int32_t procs;

    /* plain fields: copied by assignment */
    struct ori_outages_at {
        int32_t law_procs; /* processors of the drawn nodes */
        double origin;     /* s: drawn times are counted from here */
        double opens;      /* s: the first submission; given failures and windows come no earlier */
        orr_stream_key repair_key;
        int32_t spares;   /* spares left */
        int64_t failures; /* failures of nodes and domains so far */
        int64_t struck;   /* attempts that they ended so far */
        int64_t taken;    /* given failures taken so far */
        int32_t retired;  /* number of highest-numbered processors that the policy does not know */
        bool draining;    /* processors were drained at some time */
    } at;

    orr_faults *source;   /* of drawn failures; NULL: none are drawn */
    ori_fault_gap repair; /* the law of repairs, of drawn failures */
    orr_faults *domains;  /* NULL: there are none */
    ori_fault_gap domain_repair;
    ori_calendar repairs; /* payload: the outage's first processor and their number */
    /* per processor that is down, s: the latest of failed_until, drained_until and its windows */
    double *down_until;
    double *failed_until;    /* per processor, s: repair of its failures */
    double *drained_until;   /* per processor, s: return to service, also while it is still busy; 0:
                                not drained */
    double *domain_until;    /* per domain, s: repair of its failure */
    uint32_t *repairs_drawn; /* per node: numbers taken from its stream */
    uint32_t *failures;      /* per node: its own failures that were not ignored */
    int32_t *seen;           /* by a node's first processor: all failures so far */
    uint32_t *domain_drawn;  /* per domain, as repairs_drawn */
    int32_t *victims;        /* jobs struck by a failure */
    ori_block block;
    orr_allocator alloc;
} ori_outages;

/* Nodes of one processor each that do not fail. */
extern const orr_rigid_node_failures ori_no_failures;

/* setup may be NULL: none. ORR_ERR_ARGUMENT for numbers out of their range. Safe to destroy after a
 * failure. */
orr_status ori_outages_create(ori_outages *o, const orr_rigid_node_failures *given,
                              ori_given_windows windows, const orr_instance *in,
                              const orr_allocator *a, orr_error *err);
void ori_outages_destroy(ori_outages *o);
/* origin: the first submission, s, which jobs submitted from outside may have changed. */
orr_status ori_outages_reset(ori_outages *o, double origin, uint64_t seed, uint64_t set,
                             uint64_t scenario, orr_error *err);
/* Draws failures and repairs again, from the streams of this name. */
orr_status ori_outages_draw_anew(ori_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                                 orr_error *err);
/* Makes `to`, created alike, equal to `from`. */
orr_status ori_outages_copy(ori_outages *to, const ori_outages *from, orr_error *err);

/* The next time at which nodes fail or are repaired, a window opens or a warning is given, s; inf:
 * never. */
double ori_outages_next(const ori_outages *o);

/* Whether failures are given, not drawn. */
bool ori_outages_are_given(const ori_outages *o);

/* An outage to come. */
typedef struct ori_coming {
    orr_outage outage;
    orr_outage_kind kind;
    int32_t node; /* the drawn node that fails by itself; -1: none */
    bool ignored; /* its domain is under repair */
} ori_coming;

/* The time of the next failure of nodes, s; nodes that are down at the first submission fail at
 * that time. Taking a failure moves on to the next one. */
double ori_outages_next_failure(const ori_outages *o);
orr_status ori_outages_take(ori_outages *o, ori_coming *coming, orr_error *err);

/* A drawn failure of a node happens: if it retires the node, the outage lasts until a spare takes
 * its place. */
orr_status ori_outages_retire(ori_outages *o, ori_coming *coming, orr_error *err);

/* The time at which the next window opens, s; a window that is open at the first submission opens
 * at that time. */
double ori_outages_next_window(const ori_outages *o);

/* The number of failures of a processor's node so far, of all kinds, and the node's processors.
 * Only if o->any. */
int32_t ori_outages_seen(const ori_outages *o, int32_t processor, orr_interval *node);

/* Counts a failure that happens, of any kind. */
void ori_outages_see(ori_outages *o, const orr_outage *outage);

/* The rate of failures of nodes and domains that strike a job, or (-1) one processor, 1/s; see
 * rigid/queue/view.h. */
double ori_outages_rate(const ori_outages *o, const orr_instance *in, int32_t job);

/* The most attempts of `jobs` jobs together that drawn failures may end; inf: there is no limit. */
double ori_outages_most_struck(const ori_outages *o, int32_t jobs);

/* Plans the return of the processors at the end of an outage, if it ends. */
orr_status ori_outages_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err);

static inline double ori_later(double a, double b)
{
    return b > a ? b : a;
}
