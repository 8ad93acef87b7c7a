/* The order of waiting jobs: keys, ranks, and sorting. Internal to this folder.
 *
 * A group keeps its waiting jobs in an order, and in a second order if it backfills in another one.
 * With priorities per workload or per scenario ranks are static: they are given once to all jobs of
 * the workload, and a job enters at its place in O(log n). Ranks are dynamic if priorities change,
 * and as soon as a job is moved into the group, because its place could not be known before.
 * Dynamic ranks are given to the waiting jobs only, and given again when needed. A job that belongs
 * behind all others is appended without sorting, so a queue in order of arrival never sorts. A job
 * that comes back to its place mostly finds a free rank there, its former one. */
#pragma once

#include "base/block_internal.h"
#include "rigid/queue/formula_internal.h"
#include "rigid/queue/policy.h"
#include "rigid/queue/queue_internal.h"

/* The keys that determine a job's place (READINGS 24). */
typedef struct ori_rank_entry {
    double key;     /* priority, larger first */
    double arrival; /* s, smaller first */
    uint32_t place; /* position, or number of the move, smaller first; no two alike */
    int32_t job;
} ori_rank_entry;

/* The number of the first move, larger than all positions, also those of jobs still to come. */
enum { ORI_PLACE_OF_MOVES = 1 << 30 };

/* Whether a stands before b in the queue. Total: no two jobs share a place. */
static inline bool ori_rank_before(const ori_rank_entry *a, const ori_rank_entry *b)
{
    if (a->key != b->key)
        return a->key > b->key;
    if (a->arrival != b->arrival)
        return a->arrival < b->arrival;
    return a->place < b->place;
}

/* The same where jobs have levels, NULL: they have none: those of level 0 come first. */
static inline bool ori_rank_passes(const uint8_t *level, const ori_rank_entry *a,
                                   const ori_rank_entry *b)
{
    if (ORR_UNLIKELY(level != NULL) && a->job >= 0 && b->job >= 0 && level[a->job] != level[b->job])
        return level[a->job] < level[b->job];
    return ori_rank_before(a, b);
}

/* Memory for sorting all jobs, shared by the orders of a simulation. Between two sorts, and during
 * a call of the policy, only `jobs` may be in use. */
typedef struct ori_sorter {
    ori_rank_entry *entries; /* to be sorted */
    ori_rank_entry *scratch;
    int32_t *jobs;        /* the result */
    const uint8_t *level; /* of each job, for ori_sorter_rank */
    ori_block block;
} ori_sorter;

orr_status ori_sorter_create(ori_sorter *s, int32_t jobs, const orr_allocator *a, orr_error *err);

/* Sorts entries[0 .. count-1] and writes their jobs to `jobs`. */
void ori_sorter_sort(const ori_sorter *s, int32_t count, int32_t *jobs);

/* The same for waiting jobs: by their levels first. */
void ori_sorter_rank(const ori_sorter *s, int32_t count, int32_t *jobs);

typedef struct ori_order {
    ori_queue queue;
    const uint8_t *level; /* of each job; NULL: none */
    double *key;          /* per job: its current priority, and, NULL unless that is per change, */
    double *until;        /* when it is to be asked again, s */
    orr_rigid_per per;
    orr_rigid_priority priority; /* NULL: all equal */
    void *user;
    orr_purpose purpose; /* of its streams */
    const char *hook;    /* the name of the priority's function, for messages */
    bool dynamic;        /* see above */
    bool dirty;          /* dynamic: a job that has entered is not at its place */
    bool displaced;      /* the static ranks are lost until they are given again */
    ori_rank_entry last; /* dynamic, not dirty: no waiting job stands behind this */
    ori_formula formula; /* of the priority, if it has a formula and may use it */
    /* With a formula, a decision sorts only the jobs that can matter to it; the others follow in
     * any order until the order is needed. Jobs with ranks below `known` waited at the decision and
     * stand by their keys at that time. ORI_KEYED: `key` holds these keys; ORI_UNKEYED: `key` still
     * holds earlier ones. */
    enum { ORI_SORTED, ORI_KEYED, ORI_UNKEYED } sorted;
    int32_t known;
    ori_formula_situation decided;
    ori_block block; /* of the keys */
} ori_order;

/* Makes an order by these priorities; timed and `in` as for ori_queue_create; ORI_RAW: only
 * ori_order_copy, ori_order_take_over or ori_order_begin may follow. Safe to destroy after a
 * failure. */
orr_status ori_order_create(ori_order *o, int32_t jobs, bool timed, const orr_instance *in,
                            ori_filling filling, const orr_allocator *a, orr_error *err);
void ori_order_destroy(ori_order *o, const orr_allocator *a);
orr_status ori_order_copy(ori_order *to, const ori_order *from, orr_error *err);

/* Gives `to` the static priorities and ranks of `from`; see ori_queue_take_over. */
orr_status ori_order_take_over(ori_order *to, const ori_order *from, orr_error *err);

/* Whether priorities change while a simulation runs. */
static inline bool ori_order_changes(orr_rigid_per per)
{
    return per >= ORR_PER_ATTEMPT;
}

/* Begins an order that was created as ORI_RAW, before ranks are given to it: sorting begins from
 * the static ranks that these first jobs have in another order, where it has any; often the new
 * ones are equal. */
void ori_order_begin(ori_order *o, const ori_order *before, int32_t jobs);

/* Empties the order; ranks are static again if the priorities are. */
void ori_order_clear(ori_order *o);

/* Makes static ranks dynamic. */
void ori_order_loosen(ori_order *o);

/* Dynamic: the job of this entry enters at the end; a later sort may move it. */
void ori_order_append(ori_order *o, const ori_rank_entry *entry, int32_t procs, double estimate);

/* Dynamic: exactly the sorted jobs wait, in their sorted order. */
void ori_order_refill(ori_order *o, const ori_sorter *s, int32_t count, const int32_t *procs,
                      const double *estimate);
