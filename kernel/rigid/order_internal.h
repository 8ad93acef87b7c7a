/* The order of the queue: keys, sorting, and asking a policy for them. Internal to this folder. */
#ifndef ORR_RIGID_ORDER_INTERNAL_H
#define ORR_RIGID_ORDER_INTERNAL_H

#include "rigid/policy.h"

typedef struct orr_rank_entry {
    double key;    /* priority, larger first */
    double submit; /* s, smaller first */
    int32_t job;   /* position, smaller first */
} orr_rank_entry;

typedef struct orr_order {
    double *key;             /* per job: its current priority */
    orr_rank_entry *entries; /* being sorted */
    orr_rank_entry *scratch;
    int32_t *jobs; /* the result */
    int32_t capacity;
    bool dynamic; /* per attempt or per decision: ranks are given at each decision */
    bool dirty;   /* dynamic: a job has entered since the last sort */
    orr_allocator alloc;
} orr_order;

orr_status orr_order_create(orr_order *o, int32_t jobs, orr_per per, const orr_allocator *a,
                            orr_error *err);
void orr_order_destroy(orr_order *o);
void orr_order_copy(orr_order *to, const orr_order *from);

/* Sorts o->jobs[0 .. count-1] by o->key (READINGS 24). A merge sort, stable and without
 * allocation. */
void orr_order_sort(orr_order *o, const orr_instance *in, int32_t count);

#endif
