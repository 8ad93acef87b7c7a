/* Pools: named amounts that the whole machine has, of which running jobs hold shares (READINGS 55).
 * Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/timetable_internal.h"
#include "rigid/queue/policy.h"
#include "rigid/queue/queue_internal.h"

struct ori_group;

/* A running attempt that holds a share of a pool. */
typedef struct ori_holding {
    double end; /* s, planned; first, for searches */
    int64_t amount;
    int32_t job;
} ori_holding;

/* How much of a pool is available from a time on. */
typedef struct ori_pool_step {
    double time; /* s; ascending, all different; the first is now */
    int64_t available;
} ori_pool_step;

typedef struct ori_pools {
    int64_t *free;       /* per pool */
    int32_t *holdings;   /* per pool: how many */
    ori_holding *held;   /* per pool so many as jobs may run, by planned end */
    int32_t *counts;     /* per group and pool: the steps of its plan; 0: it is not made yet */
    ori_pool_step *plan; /* per group and pool `steps` */
    size_t running, steps;
    int32_t turned; /* turns of the instance, from the front, that have come */
    ori_block block;
} ori_pools;

/* For a simulation whose jobs share pools. */
orr_status ori_pools_create(orr_rigid *sim, orr_error *err);

/* Counts what running jobs hold, and what has turned, from nothing. */
void ori_pools_count(orr_rigid *sim);

/* The time at which there is more or less of a pool next, s; inf: never. And the turns that are
 * due. */
double ori_pools_next(const orr_rigid *sim);
/* The windows of pools, known beforehand, that are open or to come. */
int32_t ori_pools_windows(const orr_rigid *sim);
void ori_pools_turn(orr_rigid *sim);

/* A job that starts takes its shares until its planned end, and one that ends gives them back. */
void ori_pools_take(orr_rigid *sim, int32_t job);
void ori_pools_give(orr_rigid *sim, int32_t job);

/* What is free of the pools that queues look at, and what is left at `shadow`, s, and later. */
void ori_pools_available(const orr_rigid *sim, const struct ori_group *g, double shadow,
                         ori_available *available);

/* The first pool of the instance of which less is free than a job needs, now or, by running jobs
 * and by what is closed then, before `end`; -1: none. */
int32_t ori_pools_lacking(const orr_rigid *sim, int32_t job, double end);

/* Begins timetables of all pools, without reservations, for wishes that last. */
void ori_pools_begin_tables(const orr_rigid *sim, const struct ori_group *g, ori_timetable *tables);

/* A part of availability, see ori_share. */
bool ori_pools_limit(const orr_rigid *sim);
/* Whether they can keep a job from starting: jobs that fill the processors may need more. */
bool ori_pools_bind(const orr_rigid *sim);
bool ori_pools_are_free(const orr_rigid *sim, const ori_wish *wish);
orr_status ori_pools_begin(orr_rigid *sim, const struct ori_group *g, orr_error *err);
double ori_pools_earliest(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                          double from);
orr_status ori_pools_change(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                            double start, bool takes, orr_error *err);
