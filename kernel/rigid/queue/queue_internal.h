/* The waiting queue: jobs in priority order, with "the next that fits" in O(log n).
 *
 * Every job has a rank, its place in the priority order of the whole workload (0 = first). The
 * queue is a tree of fan-out 16 over the ranks that keeps, per node, the smallest number of
 * processors and the shortest estimate among the waiting jobs below it. A search walks from a rank
 * to the next waiting job that satisfies a condition, skipping every subtree whose minima rule it
 * out; with a condition on processors alone no subtree is entered in vain.
 *
 * The estimates are kept only in a queue created as timed, for ori_queue_next_backfill. Where jobs
 * need of pools, it also keeps the smallest need of each of the first pools among those that need
 * of it, and the smallest number of processors among the others.
 * Nothing is allocated after creation. Ranks change only through order, refill and append. */
#pragma once

#include "base/block_internal.h"
#include "base/lanes_internal.h"
#include "workload/instance.h"

enum { ORI_QUEUE_POOLS = 4 };                      /* those that searches look at */
enum { ORI_QUEUE_LEVELS = 8, ORI_QUEUE_FAN = 16 }; /* 16^8 > 2^31 */
enum { ORI_ANY_WIDTH = INT32_MAX - 1 };

typedef struct ori_queue {
    int32_t capacity; /* jobs of the workload */
    int32_t count;    /* jobs waiting */
    int32_t tail;     /* ranks from here on are unused (refill, append) */
    bool timed;       /* estimates are kept */
    int32_t levels;
    size_t nodes;                       /* of all levels, in memory one behind the other */
    int32_t size[ORI_QUEUE_LEVELS];     /* nodes per level, a multiple of 16; level 0: the ranks */
    int32_t *procs[ORI_QUEUE_LEVELS];   /* smallest, INT32_MAX where no job waits */
    double *estimate[ORI_QUEUE_LEVELS]; /* shortest, s, inf where no job waits */
    const orr_instance *in;             /* whose pools are looked at; NULL: none */
    int32_t pools, trees;               /* pools, and one more tree */
    /* the smallest need > 0 of each pool, in ori_pool_units, INT32_MAX where there is none; and
       as `procs`, of jobs that need of no pool */
    int32_t *tree[ORI_QUEUE_POOLS + 1][ORI_QUEUE_LEVELS];
    int32_t *job_at;  /* rank -> job */
    int32_t *rank_of; /* job -> rank */
    ori_block block;
} ori_queue;

/* An amount of a pool in units, rounded down, of which it has at most 2^30: what needs more units
 * than there are needs more. */
static inline int32_t ori_pool_units(const orr_instance *in, int32_t pool, int64_t amount)
{
    const int64_t most = INT32_MAX - 1;
    for (int64_t all = in->pools[pool].amount; all > 1 << 30; all /= 2)
        amount /= 2;
    return (int32_t)(amount < 0 ? 0 : amount < most ? amount : most);
}

/* What is available of the pools that a queue looks at. */
typedef struct ori_available {
    int32_t free[ORI_QUEUE_POOLS], extra[ORI_QUEUE_POOLS]; /* units; see ori_backfill */
} ori_available;

/* The condition for starting a job behind one reservation (EASY): it must fit on the free
 * processors, and either end by the start of the reservation or use only extra processors. */
typedef struct ori_backfill {
    int32_t free;               /* processors free now */
    int32_t extra;              /* processors still free once the reservation has started */
    double now;                 /* s */
    double verification;        /* s, added to every estimate */
    double shadow;              /* s, when the reservation starts */
    const ori_available *pools; /* NULL: a search does not look at pools */
} ori_backfill;

/* A queue for jobs 0 .. capacity - 1, empty, with rank = job; ORI_RAW: only ori_queue_copy,
 * ori_queue_take_over or ori_queue_begin may follow. in: whose pools it looks at, or NULL. Its
 * block is the owner's to destroy, also after a failure. */
orr_status ori_queue_create(ori_queue *q, int32_t capacity, bool timed, const orr_instance *in,
                            ori_filling filling, const orr_allocator *a, orr_error *err);

/* Whether two queues were created alike: the memory of one has the layout of the other's. Queues of
 * one instance may differ: some look at pools. */
static inline bool ori_queue_is_alike(const ori_queue *a, const ori_queue *b)
{
    return a->capacity == b->capacity && a->timed == b->timed && a->trees == b->trees;
}

/* Makes `to`, created alike, equal to `from`. */
orr_status ori_queue_copy(ori_queue *to, const ori_queue *from, orr_error *err);

/* Makes the queue empty, with rank = job. */
void ori_queue_begin(ori_queue *q);

/* Gives `to` the static ranks of `from`. Both were created alike, but for estimates, and look at no
 * pools. All jobs that wait in `from` are to be inserted in `to`, where what is known of them
 * stays: little of the memory that both share is written to. */
orr_status ori_queue_take_over(ori_queue *to, const ori_queue *from, orr_error *err);

/* Sets the order of all jobs (order[rank] = job, a permutation) and empties the queue. */
void ori_queue_order(ori_queue *q, const int32_t *order);

/* Makes all jobs wait, in the order that was set last. procs and estimate are per job. */
void ori_queue_fill(ori_queue *q, const int32_t *procs, const double *estimate);

/* Gives the ranks 0 .. count - 1 to these jobs, in this order, and makes exactly these jobs wait;
 * for orders that change at every decision. Costs O(count + jobs that waited before). procs and
 * estimate are per job. */
void ori_queue_refill(ori_queue *q, const int32_t *jobs, int32_t count, const int32_t *procs,
                      const double *estimate);

/* Makes a job wait behind all others until the next refill. */
void ori_queue_append(ori_queue *q, int32_t job, int32_t procs, double estimate);

/* Whether no job waits at a rank. */
static inline bool ori_queue_is_free(const ori_queue *q, int32_t rank)
{
    return q->procs[0][rank] == INT32_MAX;
}

/* Makes a job wait at a free rank in front of the tail, until the next refill. */
void ori_queue_put(ori_queue *q, int32_t rank, int32_t job, int32_t procs, double estimate);

/* Gives the ranks 0 .. count - 1 to the waiting jobs, in their order: changes a queue of static
 * ranks into one for refill and append. */
void ori_queue_loosen(ori_queue *q);

/* Empties the queue, keeping the order. */
void ori_queue_clear(ori_queue *q);

/* Inserts a job that does not wait; removes a waiting job. procs in 1 .. INT32_MAX - 1. */
void ori_queue_insert(ori_queue *q, int32_t job, int32_t procs, double estimate);
void ori_queue_remove(ori_queue *q, int32_t job);

/* The second half of a removal: the job at a rank is gone from it. procs: those that it had. */
void ori_queue_settle(ori_queue *q, int32_t rank, int32_t procs);

/* The smallest rank >= from of a waiting job with at most `free` processors; -1 when there is none.
 * With ORI_ANY_WIDTH: the next waiting job. */
int32_t ori_queue_next_fit(const ori_queue *q, int32_t from, int32_t free);

/* As ori_queue_next_fit, but jobs that need more units of a pool than are free are passed over. */
int32_t ori_queue_next_sharing(const ori_queue *q, int32_t from, int32_t free,
                               const ori_available *pools);

/* Whether a waiting job has at most `free` processors: the root of the tree knows. */
static inline bool ori_queue_has_fit(const ori_queue *q, int32_t free)
{
    return ori_at_most(q->procs[q->levels - 1], free) != 0;
}

/* A scan of the waiting jobs with at most `procs` processors, in order. One comparison of a node
 * above the ranks shows which ranks to visit. During a scan no job may enter the queue; found jobs
 * may leave it. */
typedef struct ori_queue_scan {
    const ori_queue *queue;
    int32_t procs;
    int32_t first, node;   /* of the present 16 ranks and 16 nodes above ranks */
    uint32_t ranks, nodes; /* those still to visit: bit i is number first + i, node + i */
} ori_queue_scan;

/* Begins a scan at a rank of the queue, or behind the last. */
static inline ori_queue_scan ori_queue_scan_from(const ori_queue *q, int32_t from, int32_t procs)
{
    int32_t above = from / ORI_QUEUE_FAN;
    ori_queue_scan s = {q, procs, from & -ORI_QUEUE_FAN, above & -ORI_QUEUE_FAN, 0, 0};
    if (from < q->size[0]) {
        s.ranks = ori_at_most(q->procs[0] + s.first, procs) & (0xffffu << (from - s.first));
        s.nodes = ori_at_most(q->procs[1] + s.node, procs) & (0xfffeu << (above - s.node));
    }
    return s;
}

/* Begins a scan at the front, where often no job fits. */
static inline ori_queue_scan ori_queue_scan_all(const ori_queue *q, int32_t procs)
{
    return (ori_queue_scan){q, procs, 0, 0, 0, ori_at_most(q->procs[1], procs)};
}

/* The rank of the next job; -1 if there is none. For a loop in which nothing else takes as long;
 * others use ori_queue_scan_next. */
ORR_INLINE int32_t ori_queue_scan_step(ori_queue_scan *s)
{
    while (s->ranks == 0) {
        if (s->nodes == 0) {
            int32_t from = (s->node + ORI_QUEUE_FAN) * ORI_QUEUE_FAN;
            if (from >= s->queue->size[0])
                return -1;
            from = ori_queue_next_fit(s->queue, from, s->procs);
            if (from < 0)
                return -1;
            *s = ori_queue_scan_from(s->queue, from, s->procs);
            break;
        }
        s->first = (s->node + __builtin_ctz(s->nodes)) * ORI_QUEUE_FAN;
        s->nodes &= s->nodes - 1;
        s->ranks = ori_at_most(s->queue->procs[0] + s->first, s->procs);
    }
    int32_t rank = s->first + __builtin_ctz(s->ranks);
    s->ranks &= s->ranks - 1;
    return rank;
}

static inline int32_t ori_queue_scan_next(ori_queue_scan *s)
{
    return ori_queue_scan_step(s);
}

/* Continues the scan with fewer processors than before. */
static inline void ori_queue_scan_narrow(ori_queue_scan *s, int32_t procs)
{
    s->procs = procs;
    s->ranks &= ori_at_most(s->queue->procs[0] + s->first, procs);
    s->nodes &= ori_at_most(s->queue->procs[1] + s->node, procs);
}

/* Removes the job that the scan has just found, and continues with fewer processors than before.
 * The queue must not be timed. */
ORR_INLINE void ori_queue_scan_take(ori_queue *q, ori_queue_scan *s, int32_t rank, int32_t procs)
{
    int32_t *ranks = q->procs[0] + s->first, taken = q->procs[0][rank];
    ori_put(ranks, rank - s->first, INT32_MAX);
    q->count--;
    if (q->levels > 2)
        ori_queue_settle(q, rank, taken);
    else if (q->procs[1][rank / ORI_QUEUE_FAN] == taken)
        ori_put(q->procs[1], rank / ORI_QUEUE_FAN, ori_smallest(ranks));
    ori_queue_scan_narrow(s, procs);
}

/* Writes the waiting jobs in order to `jobs`; returns how many there are. */
int32_t ori_queue_list(const ori_queue *q, int32_t *jobs);

/* The smallest rank >= from of a waiting job that may start behind the reservation; -1 if none. The
 * queue must be timed. */
int32_t ori_queue_next_backfill(const ori_queue *q, int32_t from, const ori_backfill *b);
