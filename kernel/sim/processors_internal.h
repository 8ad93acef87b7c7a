/* Which processor is held by whom: for simulations that are recorded with groups, or whose nodes
 * fail; elsewhere counting is enough. Internal to this folder.
 *
 * A job gets the lowest-numbered free processors of its group. Starting and ending an attempt cost
 * O(its processors). */
#ifndef ORR_SIM_PROCESSORS_INTERNAL_H
#define ORR_SIM_PROCESSORS_INTERNAL_H

#include "schedule/procset.h"

enum { ORI_HELD_BY_NOBODY = -1, ORI_HELD_BY_REPAIR = -2 };

typedef struct ori_processors {
    int32_t procs, jobs, groups;
    int32_t *holder;     /* per processor: a job, or one of the above */
    int32_t *next;       /* per processor of a job: the next one of that job, -1 behind the last */
    int32_t *head;       /* per job that runs: its first processor */
    int32_t *first;      /* per group, and one behind the last: its first processor */
    orr_procset *free;   /* per group; numbered from its first processor */
    orr_interval *taken; /* what the last call of take gave */
    orr_allocator alloc;
} ori_processors;

/* first: groups + 1 numbers, the last of which is the number of all processors. Safe to destroy
 * after a failure. */
orr_status ori_processors_create(ori_processors *p, const int32_t *first, int32_t groups,
                                 int32_t jobs, const orr_allocator *a, orr_error *err);
void ori_processors_destroy(ori_processors *p);
void ori_processors_clear(ori_processors *p);
/* Makes `to`, created for the same groups and jobs, equal to `from`. */
void ori_processors_copy(ori_processors *to, const ori_processors *from);

/* Gives a job that many free processors of a group; returns how many intervals they form, which
 * are in p->taken. */
int32_t ori_processors_take(ori_processors *p, int32_t group, int32_t job, int32_t procs);

/* Gives a job the free processors of `run`, which are of the group, behind those that it has: *link
 * is NULL for the first of them, and is kept for the next. */
void ori_processors_hold(ori_processors *p, int32_t group, int32_t job, orr_interval run,
                         int32_t **link);

/* Takes them from the job; they are free again. */
void ori_processors_give(ori_processors *p, int32_t group, int32_t job);

/* Free processors low .. high of a group go out for repair, or come back. */
void ori_processors_fail(ori_processors *p, int32_t group, int32_t low, int32_t high);
void ori_processors_repair(ori_processors *p, int32_t group, int32_t low, int32_t high);

#endif
