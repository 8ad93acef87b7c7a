/* Placements: see the header. */
#include "rigid/state/nodes_place_internal.h"

#include "base/print_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "rigid/state/state_internal.h"

static bool is_before(const void *x, const void *y)
{
    return *(const uint64_t *)x < *(const uint64_t *)y;
}

/* Moves the `least` smallest of the keys to the front. */
static void select_least(uint64_t *keys, int32_t count, int32_t least)
{
    for (int32_t low = 0, high = count - 1; low < high;) {
        uint64_t middle = keys[low + (high - low) / 2];
        int32_t i = low, k = high;
        while (i <= k) {
            while (keys[i] < middle)
                i++;
            while (keys[k] > middle)
                k--;
            if (i <= k) {
                uint64_t key = keys[i];
                keys[i++] = keys[k];
                keys[k--] = key;
            }
        }
        if (least <= k + 1)
            high = k;
        else if (least > i)
            low = i;
        else
            return;
    }
}

static void sort_keys(ori_nodes *n, int32_t count)
{
    ori_sort(n->keys, count, sizeof *n->keys, is_before, n->keys + n->count);
}

static void sort_pieces(ori_nodes *n, ori_node_find *find)
{
    for (int32_t i = 0; i < find->count; i++)
        n->keys[i] =
            (uint64_t)(uint32_t)find->pieces[i].node << 32 | (uint32_t)find->pieces[i].procs;
    sort_keys(n, find->count);
    for (int32_t i = 0; i < find->count; i++)
        find->pieces[i] =
            (ori_node_piece){(int32_t)(n->keys[i] >> 32), (int32_t)(uint32_t)n->keys[i], -1};
}

static int32_t even_share(const ori_node_ask *ask, int32_t i)
{
    return ask->procs / ask->nodes + (i < ask->procs % ask->nodes);
}

/* On a number of nodes: those that fit with the fewest free processors. */
static bool place_shares(ori_nodes *n, const ori_node_ask *ask, const int64_t *of,
                         ori_node_find *find)
{
    int32_t count = 0, nodes = ask->nodes;
    ORI_EACH_NODE(n, ask->partition, k)
    if (ori_nodes_value(n, ask, of, k) > 0)
        n->keys[count++] = (uint64_t)of[k] << 32 | (uint32_t)k;
    if (count < nodes)
        return false;
    if (count > nodes)
        select_least(n->keys, count, nodes);
    for (int32_t i = 0; i < nodes; i++)
        n->keys[i] &= UINT32_MAX;
    if (count > nodes)
        sort_keys(n, nodes);
    for (int32_t i = 0; i < nodes; i++)
        find->pieces[i] = (ori_node_piece){(int32_t)n->keys[i], even_share(ask, i), -1};
    find->count = nodes;
    return true;
}

/* On any nodes: keys are of nodes by what they can take, most first. */
static bool place_anywhere(ori_nodes *n, const ori_node_ask *ask, const int64_t *of,
                           ori_node_find *find)
{
    int32_t count = 0, most = 0, rest = ask->procs, last = -1;
    int64_t sum = 0;
    ORI_EACH_NODE(n, ask->partition, k)
    {
        int32_t takes = ori_nodes_value(n, ask, of, k);
        if (takes == 0)
            continue;
        sum += takes;
        most = takes > most ? takes : most;
        n->keys[count++] = (uint64_t)(INT32_MAX - takes) << 32 | (uint32_t)k;
    }
    if (sum < rest)
        return false;
    if (most < ask->procs)
        sort_keys(n, count);
    find->count = 0;
    for (int32_t i = 0; i < count && last < 0; i++) {
        int32_t takes = INT32_MAX - (int32_t)(n->keys[i] >> 32);
        if (most < ask->procs && takes < rest) {
            find->pieces[find->count++] =
                (ori_node_piece){(int32_t)(uint32_t)n->keys[i], takes, -1};
            rest -= takes;
            continue;
        }
        for (; i < count; i++) {
            int32_t node = (int32_t)(uint32_t)n->keys[i];
            bool able = INT32_MAX - (int32_t)(n->keys[i] >> 32) >= rest;
            if (able && (last < 0 || of[node] < of[last] || (of[node] == of[last] && node < last)))
                last = node;
        }
    }
    find->pieces[find->count++] = (ori_node_piece){last, rest, -1};
    sort_pieces(n, find);
    return true;
}

bool ori_nodes_place(ori_nodes *n, const ori_node_ask *ask, const int64_t *of, ori_node_find *find)
{
    return ask->nodes > 0 ? place_shares(n, ask, of, find) : place_anywhere(n, ask, of, find);
}

/* --- a policy's placement --------------------------------------------------------------------- */

/* Lists the nodes that can take something (`least` > 0), as shares in the order of a placement. */
static int32_t list_in_order(ori_nodes *n, const int64_t *of, bool spread)
{
    int32_t count = 0;
    for (int32_t k = 0; k < n->of->count; k++)
        if (n->least[k] > 0)
            n->keys[count++] = (uint64_t)(spread ? INT32_MAX - of[k] : 0) << 32 | (uint32_t)k;
    sort_keys(n, count);
    for (int32_t i = 0; i < count; i++)
        n->shares[i] = (orr_node_share){(int32_t)(uint32_t)n->keys[i], 0};
    return count;
}

static orr_status refuse_node(const orr_rigid *sim, int32_t job, int32_t node, const char *which,
                              orr_error *err)
{
    return orr_fail(err, ORR_ERR_POLICY, "policy %s: place_nodes puts job %s on node %d, %s",
                    sim->policy.name, orr_jobs_id(sim->jobs, job), (int)node + 1, which);
}

/* Says what lacks where a node cannot take so many processors of a job. */
static orr_status refuse_lack(const orr_rigid *sim, int32_t job, int32_t node, int32_t procs,
                              const int64_t *of, orr_error *err)
{
    const ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    const char *what = "processors";
    int64_t needs = procs, free = of[node];
    char lacks[128];
    if (ask->exclusive && free < ori_nodes_size(n, node))
        return refuse_node(sim, job, node, "which is not empty, and the job is exclusive", err);
    for (int32_t r = 0; r < ask->resources && needs <= free; r++) {
        what = n->of->resources[r];
        needs = ori_nodes_share(ask, r, procs);
        free = of[node + (size_t)(r + 1) * n->count];
    }
    ori_snprintf(lacks, sizeof lacks, "where it needs %lld %s and %lld are free", (long long)needs,
                 what, (long long)free);
    return refuse_node(sim, job, node, lacks, err);
}

/* The job's pieces on chosen nodes, as far as it needs them. */
static orr_status take_shares(orr_rigid *sim, int32_t job, const int64_t *of, int32_t count,
                              orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    ori_node_find *find = &n->now;
    int32_t rest = (int32_t)ori_nodes_need(ask);
    find->count = 0;
    for (int32_t i = 0; i < count && rest > 0; i++) {
        orr_node_share s = n->shares[i];
        if (s.node < 0 || s.node >= n->of->count)
            return refuse_node(sim, job, s.node, "which is not there", err);
        if (!ori_nodes_is_in(n, s.node, ask->partition))
            return refuse_node(sim, job, s.node, "which is not in its partition", err);
        if (s.procs != 0 && ask->nodes > 0)
            return refuse_node(sim, job, s.node, "and its share is even: no processors", err);
        int32_t takes = ori_nodes_value(n, ask, of, s.node);
        int32_t procs = s.procs > 0 ? s.procs : takes < rest ? takes : rest;
        if (takes == 0 || takes < procs)
            return refuse_lack(sim, job, s.node, procs > ask->share ? procs : ask->share, of, err);
        if (procs > rest)
            return refuse_node(sim, job, s.node, "with more processors than are left", err);
        find->pieces[find->count++] = (ori_node_piece){s.node, procs, -1};
        rest -= procs;
    }
    ORI_FAIL_IF(rest > 0, err, ORR_ERR_POLICY,
                "policy %s: place_nodes chooses too little for job %s: %d of %lld %s are left",
                sim->policy.name, orr_jobs_id(sim->jobs, job), (int)rest,
                (long long)ori_nodes_need(ask), ask->nodes > 0 ? "nodes" : "processors");
    sort_pieces(n, find);
    for (int32_t i = 0; i < find->count; i++) {
        if (i > 0 && find->pieces[i].node == find->pieces[i - 1].node)
            return refuse_node(sim, job, find->pieces[i].node, "which it has already", err);
        if (ask->nodes > 0)
            find->pieces[i].procs = even_share(ask, i);
    }
    return ORR_OK;
}

orr_status ori_nodes_choose(orr_rigid *sim, int32_t job, const int64_t *of, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    const orr_rigid_policy *p = &sim->policy;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    int32_t count = 0, most = n->of->count, *takes = n->least;
    int64_t sum = 0;
    n->now.chosen = true;
    for (int32_t k = 0; k < most; k++)
        sum += takes[k] =
            ori_nodes_is_in(n, k, ask->partition) ? ori_nodes_value(n, ask, of, k) : 0;
    if (sum < ori_nodes_need(ask)) /* it is placed where one event of this instant leaves it */
        return ORR_OK;
    if (!p->choose_nodes) {
        count = list_in_order(n, of, p->place == ORR_PLACE_SPREAD);
        return take_shares(sim, job, of, count, err);
    }
    const orr_rigid_node_choice choice = {
        .instance = sim->in, .free = of, .takes = takes, .most = most};
    ori_situation before = sim->instant.situation; /* it may not act */
    sim->instant.situation = (ori_situation){.hook = "place_nodes", .deciding = -1};
    n->choosing = true;
    orr_status status = p->choose_nodes(p->choose_user, &choice, job, n->shares, &count, err);
    n->choosing = false;
    sim->instant.situation = before;
    ORI_TRY(status);
    ORI_FAIL_IF(count < 0 || count > most, err, ORR_ERR_POLICY,
                "policy %s: place_nodes chooses %d nodes for job %s, and the machine has %d",
                p->name, (int)count, orr_jobs_id(sim->jobs, job), (int)most);
    return count > 0 ? take_shares(sim, job, of, count, err) : ORR_OK;
}
