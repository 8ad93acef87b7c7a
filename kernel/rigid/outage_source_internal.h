/* When nodes fail and when they are repaired. Internal to this folder. */
#ifndef ORR_RIGID_OUTAGE_SOURCE_INTERNAL_H
#define ORR_RIGID_OUTAGE_SOURCE_INTERNAL_H

#include "base/calendar.h"
#include "rigid/engine.h"

/* Processors that leave at a time that is known beforehand, and come back at another. */
typedef struct ori_lending {
    double time, back; /* s; back may be inf */
    int32_t group, first, count;
} ori_lending;

enum { ORI_MOST_LENDINGS = 64 };

typedef struct ori_outages {
    bool any; /* nodes may fail at all, or leave and come back */
    orr_rigid_node_failures setup;
    int32_t procs;
    int32_t law_procs;    /* those of the drawn nodes */
    double origin;        /* s: drawn times are counted from here */
    orr_faults *source;   /* drawn */
    int64_t taken;        /* given */
    orr_calendar repairs; /* payload: the outage's first processor and their number */
    double *repaired;     /* per processor that is out: when it works again, s: */
    double *failed;       /* when it would after its failures, s, */
    double *away;     /* and after it was drained; also of one that is to leave; 0: not drained */
    int32_t *victims; /* jobs that a failure has struck */
    int32_t retired;  /* the highest-numbered processors, which the policy does not know */
    bool draining;    /* processors were drained, once */
    ori_lending lent[ORI_MOST_LENDINGS]; /* still to leave, in order of time */
    int32_t lent_count;
    orr_allocator alloc;
} ori_outages;

/* setup may be NULL: none. ORR_ERR_ARGUMENT for numbers out of their range. Safe to destroy after a
 * failure. */
orr_status ori_outages_create(ori_outages *o, const orr_rigid_node_failures *setup,
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

/* When nodes fail next, s: what is out when the first job comes fails then. Taking it goes on to
 * the one behind. */
double ori_outages_next_failure(const ori_outages *o);
orr_status ori_outages_take(ori_outages *o, orr_outage *outage, orr_error *err);

/* Makes processors come back when an outage ends. */
orr_status ori_outages_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err);

static inline double ori_later(double a, double b)
{
    return b > a ? b : a;
}

#endif
