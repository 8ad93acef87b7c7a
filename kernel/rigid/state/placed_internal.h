/* The data of a group whose policy asks for particular processors (READINGS 46). Internal to this
 * folder. */
#pragma once

#include "rigid/machine/place_internal.h"
#include "rigid/machine/windows_internal.h"

/* Processors that are not free before a time. */
typedef struct ori_awaited {
    double time; /* s; first, for ori_is_less */
    orr_interval run;
} ori_awaited;

/* A reservation of counted processors, made in this decision. */
typedef struct ori_counted {
    double start; /* s; first, for ori_is_less */
    ori_wish wish;
} ori_counted;

typedef struct ori_placed {
    ori_place place;
    const ori_windows *windows; /* the simulation's */
    ori_windows_seen seen;      /* the windows taken into the plan */
    ori_named plan;             /* a cache: the plan of this decision, if `valid` */
    bool valid;
    bool promised; /* the plan is the profile of promises instead, kept while these are steady */
    int64_t most;  /* steps and cells of this profile: then it is made again, with fewer */
    bool names;    /* this decision has particular processors, because a plan reaches a window */
    int32_t first; /* the job of the last single reservation by name; it starts no earlier as long
                      as the group's `kept` is set than at */
    double first_start; /* s */
    orr_procset left;   /* used by searches without a plan */
    orr_procset spare;  /* free processors that the only reservation of a decision leaves */
    /* the wish that windows alone, known beforehand, keep from all starts from closed_from on and
       before closed_until, s; job -1: there is none */
    ori_wish closed;
    double closed_from, closed_until;
    ori_counted *counted; /* the reservations of this decision as long as its plan counts */
    int64_t counted_capacity;
    int32_t counted_count;
    ori_awaited *awaited, *scratch; /* used while the plan is made */
    ori_block block;
    ori_runs *reserved; /* conservative: per job, the processors of its reservation; else NULL */
    bool bound;         /* conservative: reservations have particular processors */
    double clear_until; /* s: conservative, not bound: the horizon, which no reservation reaches */
    int32_t jobs;
    orr_allocator alloc;
} ori_placed;

/* For a checked policy (ori_place_check), in its own memory; reserves: the policy backfills
 * conservatively. NULL: no memory. */
ori_placed *ori_placed_create(const ori_place *place, const ori_windows *windows, int32_t jobs,
                              bool reserves, const orr_allocator *a, orr_error *err);
void ori_placed_destroy(ori_placed *p); /* NULL is fine */

/* There is no plan any more. */
static inline void ori_placed_forget_plan(ori_placed *p)
{
    p->valid = false;
}

/* Forgets all reservations, at the beginning of a scenario. */
void ori_placed_clear(ori_placed *p);

/* Takes over the reservations of `jobs` jobs. */
orr_status ori_placed_copy(ori_placed *to, const ori_placed *from, int32_t jobs, orr_error *err);

/* Removes the found processors from `spare`; returns how many are left. */
int32_t ori_placed_take_spare(ori_placed *p);

/* Makes the found processors those of a job's reservation. */
orr_status ori_placed_reserve(ori_placed *p, int32_t job, orr_error *err);
/* Whether the found processors are those of a job's reservation. */
bool ori_placed_has_found(const ori_placed *p, int32_t job);
/* Makes the processors of a job's reservation the found ones. */
void ori_placed_find_reserved(ori_placed *p, int32_t job);
