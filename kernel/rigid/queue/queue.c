/* The waiting queue, a tree of smallest numbers of processors and shortest estimates. */
#include "rigid/queue/queue_internal.h"

#include "base/try_internal.h"

#include <math.h>
#include <string.h>

enum { FAN = ORI_QUEUE_FAN, FAN_BITS = 4 };

/* --- one node of 16 children --------------------------------------------------------------- */

/* The smallest of 16 numbers, none of which is NaN. */
static inline double shortest(const double *estimate)
{
#ifdef __SSE2__
    __m128d m = _mm_load_pd(estimate), n = _mm_load_pd(estimate + 2);
    for (int i = 4; i < FAN; i += 4) {
        m = _mm_min_pd(m, _mm_load_pd(estimate + i));
        n = _mm_min_pd(n, _mm_load_pd(estimate + i + 2));
    }
    m = _mm_min_pd(m, n);
    return _mm_cvtsd_f64(_mm_min_sd(m, _mm_unpackhi_pd(m, m)));
#else
    double least = estimate[0];
    for (int i = 1; i < FAN; i++)
        least = estimate[i] < least ? estimate[i] : least;
    return least;
#endif
}

/* The children that these amounts of pools do not exclude: a job below may need of no pool, or of
 * one of which there is as much. At a leaf there must be as much of each. */
ORR_INLINE uint32_t have_shares(const ori_queue *q, int level, int32_t first, int32_t procs,
                                const int32_t *amounts)
{
    uint32_t plain = ori_at_most(q->tree[q->pools][level] + first, procs), all = 0xffff, any = 0;
    for (int32_t i = 0; i < q->pools; i++) {
        const int32_t *needs = q->tree[i][level] + first;
        uint32_t enough = ori_at_most(needs, amounts[i]);
        any |= enough;
        if (level == 0)
            all &= enough | ~ori_at_most(needs, INT32_MAX - 1);
    }
    return plain | (any & all);
}

/* The children that the backfilling condition does not exclude. At a leaf this is the condition
 * itself. Above, the condition implies it, because (now + x) + verification increases with x. */
ORR_INLINE uint32_t may_start(const ori_queue *q, int level, int32_t first, const ori_backfill *b,
                              bool reserved, bool sharing)
{
    const int32_t *procs = q->procs[level] + first;
    uint32_t fits = ori_at_most(procs, b->free);
    if (sharing)
        fits &= have_shares(q, level, first, b->free, b->pools->free);
    if (!reserved)
        return fits;
    const double *estimate = q->estimate[level] + first;
    uint32_t beside = fits & ori_at_most(procs, b->extra);
    if (sharing && beside)
        beside &= have_shares(q, level, first, b->extra, b->pools->extra);
    for (uint32_t rest = fits & ~beside; rest != 0; rest &= rest - 1) {
        int i = __builtin_ctz(rest);
        if ((b->now + estimate[i]) + b->verification <= b->shadow)
            beside |= 1u << i;
    }
    return beside;
}

/* --- creation ------------------------------------------------------------------------------- */

/* The levels, at least two, follow each other in memory, the ranks first. */
static void plan_levels(ori_queue *q)
{
    int32_t nodes = q->capacity > 0 ? q->capacity : 1;
    do {
        q->size[q->levels] = (int32_t)(((int64_t)nodes + FAN - 1) / FAN * FAN);
        q->nodes += (size_t)q->size[q->levels];
        nodes = q->size[q->levels++] / FAN;
    } while (nodes > 1 || q->levels < 2);
}

orr_status ori_queue_create(ori_queue *q, int32_t capacity, bool timed, const orr_instance *in,
                            ori_filling filling, const orr_allocator *a, orr_error *err)
{
    *q = (ori_queue){.capacity = capacity, .timed = timed, .in = in};
    if (in)
        q->pools = in->pool_count < ORI_QUEUE_POOLS ? in->pool_count : ORI_QUEUE_POOLS;
    q->trees = q->pools > 0 ? q->pools + 1 : 0;
    plan_levels(q);
    int32_t *needs = NULL;
    /* the first array of a block is aligned for any type, as SSE wants it, and so are arrays behind
       multiples of 16 numbers; queues that differ in estimates alone begin with the same arrays */
    size_t jobs = (size_t)q->size[0];
    const ori_part parts[] = {ORI_PART(q->procs[0], q->nodes),
                              ORI_PART(needs, q->nodes * (size_t)q->trees),
                              ORI_PART(q->job_at, jobs), ORI_PART(q->rank_of, jobs),
                              ORI_PART_IF(timed, q->estimate[0], q->nodes)};
    ORI_TRY(ORI_BLOCK_CREATE(&q->block, parts, ORI_RAW, a, err));
    for (int l = 1; l < q->levels; l++) {
        q->procs[l] = q->procs[l - 1] + q->size[l - 1];
        q->estimate[l] = timed ? q->estimate[l - 1] + q->size[l - 1] : NULL;
    }
    for (int32_t i = 0; i < q->trees; i++)
        for (int l = 0; l < q->levels; l++)
            q->tree[i][l] = needs + (size_t)i * q->nodes + (q->procs[l] - q->procs[0]);
    if (filling == ORI_ZEROED)
        ori_queue_begin(q);
    return ORR_OK;
}

void ori_queue_begin(ori_queue *q)
{
    for (int32_t j = 0; j < q->capacity; j++)
        q->job_at[j] = q->rank_of[j] = j;
    q->count = -1; /* the queue is not known to be empty yet */
    ori_queue_clear(q);
}

orr_status ori_queue_copy(ori_queue *to, const ori_queue *from, orr_error *err)
{
    to->count = from->count;
    to->tail = from->tail;
    return ori_block_copy(&to->block, &from->block, err);
}

orr_status ori_queue_take_over(ori_queue *to, const ori_queue *from, orr_error *err)
{
    const ori_block *a = &to->block, *b = &from->block;
    size_t size = a->size < b->size ? a->size : b->size;
    ORI_TRY(ori_copy_memory(a->shared, a->memory, b->shared, b->memory, size, err));
    for (size_t i = 0; to->timed && !from->timed && i < to->nodes; i++)
        to->estimate[0][i] = INFINITY;
    to->count = 0;
    return ORR_OK;
}

void ori_queue_order(ori_queue *q, const int32_t *order)
{
    for (int32_t rank = 0; rank < q->capacity; rank++) {
        int32_t job = order ? order[rank] : rank;
        q->job_at[rank] = job;
        q->rank_of[job] = rank;
    }
    ori_queue_clear(q);
}

void ori_queue_clear(ori_queue *q)
{
    q->tail = 0;
    if (q->count == 0) /* then every node is empty already */
        return;
    for (size_t i = 0; i < q->nodes; i++)
        q->procs[0][i] = INT32_MAX;
    for (size_t i = 0; q->timed && i < q->nodes; i++)
        q->estimate[0][i] = INFINITY;
    for (size_t i = 0; i < q->nodes * (size_t)q->trees; i++)
        q->tree[0][0][i] = INT32_MAX;
    q->count = 0;
}

/* --- changes -------------------------------------------------------------------------------- */

static inline void lower(const ori_queue *q, int32_t *const *least, int32_t node, int32_t number)
{
    for (int l = 0; l < q->levels && number < least[l][node]; l++, node >>= FAN_BITS)
        ori_put(least[l], node, number);
}

/* After a number of a rank has gone: above the first node with another minimum nothing changes. */
static inline void raise(const ori_queue *q, int32_t *const *least, int32_t node, int32_t number)
{
    for (int l = 1; l < q->levels && least[l][node >> FAN_BITS] == number; l++) {
        node >>= FAN_BITS;
        ori_put(least[l], node, ori_smallest(least[l - 1] + (node << FAN_BITS)));
    }
}

/* What a job has in each tree. */
static void look_at(const ori_queue *q, int32_t job, int32_t procs, int32_t *has)
{
    bool plain = true;
    for (int32_t i = 0; i < q->pools; i++) {
        int64_t need = orr_need_of(q->in, job, i);
        has[i] = need > 0 ? ori_pool_units(q->in, i, need) : INT32_MAX;
        plain &= need == 0;
    }
    has[q->pools] = plain ? procs : INT32_MAX;
}

void ori_queue_insert(ori_queue *q, int32_t job, int32_t procs, double estimate)
{
    int32_t rank = q->rank_of[job], node = rank;
    lower(q, q->procs, rank, procs);
    if (ORR_UNLIKELY(q->trees > 0)) {
        int32_t has[ORI_QUEUE_POOLS + 1] = {0};
        look_at(q, job, procs, has);
        for (int32_t i = 0; i < q->trees; i++)
            lower(q, q->tree[i], rank, has[i]);
    }
    for (int l = 0; q->timed && l < q->levels && estimate < q->estimate[l][node]; l++) {
        q->estimate[l][node] = estimate;
        node >>= FAN_BITS;
    }
    q->count++;
}

void ori_queue_settle(ori_queue *q, int32_t rank, int32_t procs)
{
    int32_t node = rank;
    raise(q, q->procs, rank, procs);
    for (int32_t i = 0; i < q->trees; i++) {
        int32_t had = q->tree[i][0][rank];
        if (had == INT32_MAX)
            continue;
        ori_put(q->tree[i][0], rank, INT32_MAX);
        raise(q, q->tree[i], rank, had);
    }
    if (!q->timed)
        return;
    double estimate = q->estimate[0][rank];
    q->estimate[0][rank] = INFINITY;
    for (int l = 1; l < q->levels && q->estimate[l][node >> FAN_BITS] == estimate; l++) {
        node >>= FAN_BITS;
        q->estimate[l][node] = shortest(q->estimate[l - 1] + (node << FAN_BITS));
    }
}

void ori_queue_remove(ori_queue *q, int32_t job)
{
    int32_t rank = q->rank_of[job], procs = q->procs[0][rank];
    ori_put(q->procs[0], rank, INT32_MAX);
    q->count--;
    ori_queue_settle(q, rank, procs);
}

/* Sets what is kept of a rank to that of its job, but for trees. */
static inline void set_rank(ori_queue *q, int32_t rank, const int32_t *procs,
                            const double *estimate)
{
    q->procs[0][rank] = procs[q->job_at[rank]];
    if (q->timed)
        q->estimate[0][rank] = estimate[q->job_at[rank]];
}

/* Sets the trees of the ranks in front of `count`. */
static void set_trees(ori_queue *q, int32_t count)
{
    int32_t has[ORI_QUEUE_POOLS + 1] = {0};
    for (int32_t rank = 0; q->trees > 0 && rank < count; rank++) {
        look_at(q, q->job_at[rank], q->procs[0][rank], has);
        for (int32_t i = 0; i < q->trees; i++)
            q->tree[i][0][rank] = has[i];
    }
}

/* Updates the nodes above the ranks in front of `end`. */
static void lift(ori_queue *q, int32_t end)
{
    for (int l = 1; l < q->levels; l++) {
        end = (end + FAN - 1) / FAN;
        for (int32_t i = 0; i < end; i++) {
            q->procs[l][i] = ori_smallest(q->procs[l - 1] + i * FAN);
            if (q->timed)
                q->estimate[l][i] = shortest(q->estimate[l - 1] + i * FAN);
        }
        for (int32_t k = 0; k < q->trees; k++)
            for (int32_t i = 0; i < end; i++)
                q->tree[k][l][i] = ori_smallest(q->tree[k][l - 1] + i * FAN);
    }
}

void ori_queue_fill(ori_queue *q, const int32_t *procs, const double *estimate)
{
    for (int32_t rank = 0; rank < q->capacity; rank++)
        set_rank(q, rank, procs, estimate);
    set_trees(q, q->capacity);
    lift(q, q->capacity);
    q->count = q->capacity;
}

/* Empties the ranks from `count` to `end` - 1, and updates the nodes above. */
static void set_tail(ori_queue *q, int32_t count, int32_t end)
{
    for (int32_t rank = count; rank < end; rank++) {
        q->procs[0][rank] = INT32_MAX;
        if (q->timed)
            q->estimate[0][rank] = INFINITY;
    }
    for (int32_t i = 0; i < q->trees; i++)
        for (int32_t rank = count; rank < end; rank++)
            q->tree[i][0][rank] = INT32_MAX;
    lift(q, end);
    q->count = q->tail = count;
}

void ori_queue_refill(ori_queue *q, const int32_t *jobs, int32_t count, const int32_t *procs,
                      const double *estimate)
{
    for (int32_t rank = 0; rank < count; rank++) {
        q->job_at[rank] = jobs[rank];
        q->rank_of[jobs[rank]] = rank;
        set_rank(q, rank, procs, estimate);
    }
    set_trees(q, count);
    set_tail(q, count, q->tail > count ? q->tail : count);
}

/* Moves the waiting jobs to the front, in their order. A job that has left keeps a rank from which
 * the search for the next job continues as before. */
static void close_gaps(ori_queue *q)
{
    int32_t end = q->tail, count = 0;
    for (int32_t rank = 0; rank < end; rank++) {
        if (ori_queue_is_free(q, rank)) {
            if (q->rank_of[q->job_at[rank]] == rank)
                q->rank_of[q->job_at[rank]] = count - 1;
            continue;
        }
        q->procs[0][count] = q->procs[0][rank];
        if (q->timed)
            q->estimate[0][count] = q->estimate[0][rank];
        for (int32_t i = 0; i < q->trees; i++)
            q->tree[i][0][count] = q->tree[i][0][rank];
        q->job_at[count] = q->job_at[rank];
        q->rank_of[q->job_at[count]] = count;
        count++;
    }
    set_tail(q, count, end);
}

void ori_queue_loosen(ori_queue *q)
{
    q->tail = q->capacity;
    close_gaps(q);
}

void ori_queue_put(ori_queue *q, int32_t rank, int32_t job, int32_t procs, double estimate)
{
    q->job_at[rank] = job;
    q->rank_of[job] = rank;
    ori_queue_insert(q, job, procs, estimate);
}

void ori_queue_append(ori_queue *q, int32_t job, int32_t procs, double estimate)
{
    if (q->tail == q->capacity) /* the ranks of jobs that were taken out are free again */
        close_gaps(q);
    ori_queue_put(q, q->tail++, job, procs, estimate);
}

/* --- searches ------------------------------------------------------------------------------- */

/* The smallest rank >= from of a waiting job that fits on b->free processors and, if `reserved`,
 * may start behind the reservation; sharing: also by what is available of pools. */
ORR_INLINE int32_t search(const ori_queue *q, int32_t from, const ori_backfill *b, bool reserved,
                          bool sharing)
{
    int level = from == 0 ? q->levels - 1 : 0; /* a search from the front begins at the root */
    int32_t at = from;
    while (at < q->size[level]) {
        int32_t first = at & ~(FAN - 1);
        uint32_t mask =
            may_start(q, level, first, b, reserved, sharing) & (0xffffu << (at - first));
        if (mask == 0) { /* nothing in the rest of this node: continue behind it, one level up */
            if (++level == q->levels)
                return -1;
            at = (first >> FAN_BITS) + 1;
            continue;
        }
        at = first + __builtin_ctz(mask);
        while (!reserved && !sharing &&
               level > 0) { /* some child has the minimum: every step down finds one */
            at <<= FAN_BITS;
            at += __builtin_ctz(ori_at_most(q->procs[--level] + at, b->free));
        }
        if (level == 0)
            return at;
        /* The minima of a node may belong to different jobs: the node below may be empty, and
         * then the search goes on behind it. */
        level--;
        at <<= FAN_BITS;
    }
    return -1;
}

int32_t ori_queue_next_fit(const ori_queue *q, int32_t from, int32_t free)
{
    return search(q, from, &(ori_backfill){.free = free}, false, false);
}

int32_t ori_queue_next_backfill(const ori_queue *q, int32_t from, const ori_backfill *b)
{
    return b->pools ? search(q, from, b, true, true) : search(q, from, b, true, false);
}

int32_t ori_queue_next_sharing(const ori_queue *q, int32_t from, int32_t free,
                               const ori_available *pools)
{
    return search(q, from, &(ori_backfill){.free = free, .pools = pools}, false, true);
}

int32_t ori_queue_list(const ori_queue *q, int32_t *jobs)
{
    int32_t count = 0;
    for (int32_t rank = 0; q->tail > 0 && rank < q->tail; rank++) {
        jobs[count] = q->job_at[rank];
        count += !ori_queue_is_free(q, rank);
    }
    if (q->tail > 0)
        return count;
    for (int32_t rank = -1; (rank = ori_queue_next_fit(q, rank + 1, ORI_ANY_WIDTH)) >= 0;)
        jobs[count++] = q->job_at[rank];
    return count;
}
