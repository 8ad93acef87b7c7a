/* When processors are not in service. Internal to this folder. The words:
 *
 *   down      no job can run there: it has failed, or it is drained and nobody runs there any more
 *   failed    its node has failed, and is under repair until a time that is known
 *   drained   it was taken out of service from outside, for a time or for ever; a job that runs
 *             there runs to its end, and then it is down
 *   lent      it was added for a time: it will be drained for ever when that is over
 *   retired   drained for ever because the policy that has taken over is for fewer processors */
#pragma once

#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "rigid/engine.h"

/* Processors that leave at a time that is known beforehand, and come back at another. */
typedef struct ori_lending {
    double time, back; /* s; back may be inf */
    int32_t group, first, count;
} ori_lending;

enum { ORI_MOST_LENDINGS = 64 };

typedef struct ori_outages {
    bool any; /* nodes may fail at all, or be drained and come back */
    orr_rigid_node_failures setup;
    int32_t procs;

    /* plain: a copy has the same */
    struct ori_outages_at {
        int32_t law_procs; /* those of the drawn nodes */
        double origin;     /* s: drawn times are counted from here */
        int64_t taken;     /* of the given failures */
        int32_t retired;   /* the highest-numbered processors, which the policy does not know */
        bool draining;     /* processors were drained, once */
        int32_t lent_count;
        ori_lending lent[ORI_MOST_LENDINGS]; /* still to leave, in order of time */
    } at;

    orr_faults *source;   /* drawn */
    ori_calendar repairs; /* payload: the outage's first processor and their number */
    /* per processor, s: the later of the two below, of one that is down; */
    double *down_until;
    double *failed_until;  /* when its failures are repaired; */
    double *drained_until; /* when it is in service again, also of one that is still busy; 0: not
                              drained */
    int32_t *victims;      /* jobs that a failure has struck */
    ori_block block;
    orr_allocator alloc;
} ori_outages;

/* setup may be NULL: none. ORR_ERR_ARGUMENT for numbers out of their range. Safe to destroy after a
 * failure. */
orr_status ori_outages_create(ori_outages *o, const orr_rigid_node_failures *given,
                              const orr_instance *in, const orr_allocator *a, orr_error *err);
void ori_outages_destroy(ori_outages *o);
orr_status ori_outages_reset(ori_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                             orr_error *err);
/* Makes `to`, created alike, equal to `from`. */
orr_status ori_outages_copy(ori_outages *to, const ori_outages *from, orr_error *err);

/* When nodes fail or are repaired next, s; inf: never. */
double ori_outages_next(const ori_outages *o);

/* Whether failures are given, not drawn. */
bool ori_outages_are_given(const ori_outages *o);

/* When nodes fail next, s: what is down when the first job comes fails then. Taking it goes on to
 * the one behind. */
double ori_outages_next_failure(const ori_outages *o);
orr_status ori_outages_take(ori_outages *o, orr_outage *outage, orr_error *err);

/* Makes processors come back when an outage ends. */
orr_status ori_outages_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err);

static inline double ori_later(double a, double b)
{
    return b > a ? b : a;
}
