/* When nodes fail and when they are repaired. Internal to this folder. */
#ifndef ORR_RIGID_OUTAGES_INTERNAL_H
#define ORR_RIGID_OUTAGES_INTERNAL_H

#include "base/calendar.h"
#include "rigid/engine.h"

typedef struct orr_outages {
    bool any; /* nodes may fail at all */
    orr_node_failures setup;
    int32_t procs;
    double origin;        /* s: drawn times are counted from here */
    orr_faults *source;   /* drawn */
    int64_t taken;        /* given */
    orr_calendar repairs; /* payload: the outage's first processor and their number */
    double *repaired;     /* per processor that is out: when it works again, s */
    int32_t *victims;     /* jobs that a failure has struck */
    orr_allocator alloc;
} orr_outages;

/* setup may be NULL: none. ORR_ERR_ARGUMENT for numbers out of their range. Safe to destroy after a
 * failure. */
orr_status orr_outages_create(orr_outages *o, const orr_node_failures *setup,
                              const orr_instance *in, const orr_allocator *a, orr_error *err);
void orr_outages_destroy(orr_outages *o);
orr_status orr_outages_reset(orr_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                             orr_error *err);
/* Makes `to`, created alike, equal to `from`. */
orr_status orr_outages_copy(orr_outages *to, const orr_outages *from, orr_error *err);

/* When nodes fail or are repaired next, s; inf: never. */
double orr_outages_next(const orr_outages *o);

#endif
