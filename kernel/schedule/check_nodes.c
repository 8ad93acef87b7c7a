/* The checker's part about nodes and partitions (READINGS 58, 59): where attempts are it takes from
 * their processors alone, and what they use there it counts by itself. */
#include "schedule/check_nodes_internal.h"

#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "workload/nodes.h"

#include <math.h>

/* A node that an attempt is on, and how many of the processors there are its. */
typedef struct site {
    int32_t node, procs;
} site;

typedef struct use {
    const ori_checker *c;
    const orr_nodes *nodes;
    int32_t spread, alone, needs[ORR_MOST_NODE_RESOURCES]; /* numbers of needs */
    int64_t *used;                                         /* per node, of each resource */
    int32_t *attempts;                                     /* per node: that run there */
    int32_t *exclusive;                                    /* per node: of these */
    double *down_until, *away_until; /* per node, s: by failures, and drained */
    site *sites;                     /* of the attempt in hand, ascending */
} use;

/* Fills in the sites of an attempt. Returns their number. */
static int32_t find_sites(const use *u, const orr_attempt *a)
{
    int32_t count = 0;
    for (int32_t i = 0; i < a->interval_count; i++) {
        orr_interval range = u->c->s->intervals[a->first_interval + i];
        for (int32_t k = orr_nodes_at(u->nodes, range.low); range.low <= range.high; k++) {
            int32_t behind = u->nodes->first[k + 1];
            int32_t high = range.high < behind ? range.high + 1 : behind;
            if (count == 0 || u->sites[count - 1].node != k)
                u->sites[count++] = (site){k, 0};
            u->sites[count - 1].procs += high - range.low;
            range.low = high;
        }
    }
    return count;
}

static const orr_partition *partition_of(const use *u, int32_t job)
{
    int32_t number = orr_nodes_partition(u->nodes, u->c->in->jobs, job);
    return number < 0 ? NULL : &u->nodes->partitions[number];
}

static bool is_exclusive(const use *u, int32_t job)
{
    const orr_partition *p = partition_of(u, job);
    return (p && p->exclusive) || orr_jobs_need(u->c->in->jobs, job, u->alone) != 0;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* What a job takes of a resource on a node where it has so many processors. */
static int64_t share_of(const use *u, int32_t job, int32_t resource, int32_t procs)
{
    const orr_jobs *jobs = u->c->in->jobs;
    int64_t spread = orr_jobs_need(jobs, job, u->spread), all = jobs->procs[job];
    int64_t need = orr_jobs_need(jobs, job, u->needs[resource]);
    return spread > 0 ? ceil_div(need, spread)
                      : need / all * procs + ceil_div(need % all * procs, all);
}

/* An attempt begins, or is over (-1). */
static void count(use *u, int64_t i, int32_t sign)
{
    int32_t job = u->c->s->attempts[i].job, resources = u->nodes->resource_count;
    int32_t sites = find_sites(u, &u->c->s->attempts[i]);
    for (int32_t k = 0; k < sites; k++) {
        int32_t node = u->sites[k].node;
        u->attempts[node] += sign;
        u->exclusive[node] += is_exclusive(u, job) ? sign : 0;
        for (int32_t r = 0; r < resources; r++)
            u->used[(int64_t)node * resources + r] += sign * share_of(u, job, r, u->sites[k].procs);
    }
}

static bool has_node(const orr_partition *p, int32_t node)
{
    int32_t at = 0;
    if (!p || !p->runs)
        return p != NULL;
    ORI_BISECT(at, p->run_count, middle, p->runs[middle].high < node)
    return at < p->run_count && p->runs[at].low <= node;
}

static orr_status check_site(const use *u, int64_t i, int32_t node)
{
    const orr_attempt *a = &u->c->s->attempts[i];
    int32_t resources = u->nodes->resource_count;
    char what[128];
    if (!has_node(partition_of(u, a->job), node))
        return ori_check_violation(u->c, i, "is on a node that is not of its partition, number",
                                   node + 1, NAN);
    if (u->exclusive[node] > 0 && u->attempts[node] > 1)
        return ori_check_violation(u->c, i, "shares a node with an exclusive job; jobs there",
                                   u->attempts[node], 1);
    double out = fmax(u->down_until[node], u->away_until[node]);
    if (out > a->start)
        return ori_check_violation(u->c, i, "is on a node of which a processor is out until", out,
                                   a->start);
    for (int32_t r = 0; r < resources; r++) {
        int64_t used = u->used[(int64_t)node * resources + r];
        int64_t has = u->nodes->kinds[u->nodes->kind[node]].has[r];
        ori_snprintf(what, sizeof what, "more of %s is in use on node %d than it has",
                     u->nodes->resources[r], (int)node + 1);
        if (used > has)
            return ori_check_violation(u->c, i, what, (double)used, (double)has);
    }
    return ORR_OK;
}

/* The nodes of an attempt that has begun: as many as it asked for, with an even share on each. */
static orr_status check_attempt(const use *u, int64_t i)
{
    const orr_attempt *a = &u->c->s->attempts[i];
    int32_t sites = find_sites(u, a), procs = u->c->in->jobs->procs[a->job];
    int64_t spread = orr_jobs_need(u->c->in->jobs, a->job, u->spread);
    if (spread > 0)
        ORI_TRY(ori_check_exactly(u->c, i, "number of nodes", sites, (double)spread));
    for (int32_t k = 0; k < sites; k++) {
        if (spread > 0) {
            int64_t share = procs / spread + (k < procs % spread);
            ORI_TRY(ori_check_exactly(u->c, i, "processors on one of its nodes", u->sites[k].procs,
                                      (double)share));
        }
        ORI_TRY(check_site(u, i, u->sites[k].node));
    }
    return ORR_OK;
}

/* The failures and drains before attempt i. */
static void count_outages(const use *u, int64_t i, int64_t *outages)
{
    for (; *outages < u->c->s->outage_count; ++*outages) {
        const orr_recorded_outage *o = &u->c->s->outages[*outages];
        if (o->attempts > i)
            return;
        int32_t low = o->outage.first, behind = low + o->outage.count;
        for (int32_t k = orr_nodes_at(u->nodes, low);
             k < u->nodes->count && u->nodes->first[k] < behind; k++)
            if (o->kind == ORR_OUTAGE_FAILURE)
                u->down_until[k] = fmax(u->down_until[k], o->outage.repaired);
            else if (o->kind == ORR_OUTAGE_DRAINED)
                u->away_until[k] = o->outage.repaired;
            else if (o->kind == ORR_OUTAGE_BACK)
                u->away_until[k] = o->outage.time;
    }
}

orr_status ori_check_nodes(const ori_checker *c, const ori_ended *ends)
{
    const orr_nodes *nodes = c->in->nodes;
    const orr_jobs *jobs = c->in->jobs;
    use u = {.c = c, .nodes = nodes};
    u.spread = orr_jobs_find_pool(jobs, ORR_NEED_NODES);
    u.alone = orr_jobs_find_pool(jobs, ORR_NEED_EXCLUSIVE);
    for (int32_t r = 0; r < nodes->resource_count; r++)
        u.needs[r] = orr_jobs_find_pool(jobs, nodes->resources[r]);
    ORI_SCRATCH(&c->s->alloc, ORI_ZEROED, c->err,
                ORI_PART(u.used, (int64_t)nodes->count * nodes->resource_count + 1),
                ORI_PART(u.attempts, nodes->count), ORI_PART(u.exclusive, nodes->count),
                ORI_PART(u.down_until, nodes->count), ORI_PART(u.away_until, nodes->count),
                ORI_PART(u.sites, nodes->count));
    for (int32_t k = 0; k < nodes->count; k++)
        u.down_until[k] = u.away_until[k] = -INFINITY;
    for (int64_t i = 0, over = 0, outages = 0; i < c->s->count; i++) {
        for (; ends[over].end <= c->s->attempts[i].start && ends[over].attempt < i; over++)
            count(&u, ends[over].attempt, -1);
        count_outages(&u, i, &outages);
        count(&u, i, 1);
        ORI_TRY(check_attempt(&u, i));
    }
    return ORR_OK;
}
