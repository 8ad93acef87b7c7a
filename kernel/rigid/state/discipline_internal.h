/* A discipline: everything that the simulation must know of it, in one row (disciplines.c). No
 * other file asks which discipline a group has. */
#pragma once

#include "base/try_internal.h"
#include "rigid/queue/policy.h"

struct ori_group;

/* The fast loops that know a discipline (shortcuts.c). */
enum {
    ORI_FAST_BEGIN = 1,   /* all jobs that come at once enter the queue without an event each */
    ORI_FAST_TAIL = 2,    /* no job waits */
    ORI_FAST_RETRIES = 4, /* a job fails while others wait, and starts again */
    ORI_FAST_SHELVES = 8,
    ORI_FAST_LISTS = 16
};

typedef struct ori_discipline {
    /* ORR_ERR_ARGUMENT or ORR_ERR_INPUT if it cannot decide for this policy; NULL: it can. */
    orr_status (*check)(const orr_rigid *sim, const orr_rigid_policy *policy, orr_error *err);

    /* One decision. */
    orr_status (*decide)(orr_rigid *sim, struct ori_group *g, orr_error *err);

    /* Why it cannot have a placement, for messages; NULL: it can. */
    const char *unplaced;

    /* The most reservations that one decision makes; NULL: 0. */
    int32_t (*reservations)(const orr_rigid_policy *policy);

    /* The most jobs that are too wide for the free processors and may matter to a decision; -1:
     * all. NULL: -1. */
    int32_t (*that_matter)(const orr_rigid_policy *policy);

    bool backfills; /* it uses the order of backfilling */
    bool promises;  /* its reservations outlive decisions (READINGS 34) */
    bool keeps;     /* its plan may outlive decisions if all jobs have reservations (list_all.c) */
    bool acts;      /* it takes actions: a function of the policy decides, or times are noted */
    bool strict;    /* nobody passes the first waiting job, */
    bool waits_for_all; /* and it waits until the last running attempt has ended */
    bool is_logged;     /* jobs start when the log says */

    int fast; /* the fast loops that know it; 0: none, and every event is simulated */
} ori_discipline;

/* The rows, by orr_rigid_discipline. */
typedef struct ori_disciplines {
    const ori_discipline *rows;
    int32_t count;
} ori_disciplines;

/* The most reservations of one decision by a policy with this discipline. */
static inline int32_t ori_most_reservations(const ori_discipline *d, const orr_rigid_policy *policy)
{
    return d->reservations ? d->reservations(policy) : 0;
}

/* The row of a policy; NULL with ORR_ERR_ARGUMENT if there is none. */
static inline const ori_discipline *
ori_discipline_of(const ori_disciplines *all, const orr_rigid_policy *policy, orr_error *err)
{
    if ((unsigned)policy->discipline < (unsigned)all->count)
        return &all->rows[policy->discipline];
    orr_fail(err, ORR_ERR_ARGUMENT,
             "policy %s: there is no discipline %d, they are numbered from 0 to %d", policy->name,
             (int)policy->discipline, (int)all->count - 1);
    return NULL;
}
