/* The default placement: see the header. */
#include "rigid/state/nodes_place_internal.h"

#include "base/sort_internal.h"

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
        find->pieces[i] = (ori_node_piece){(int32_t)n->keys[i],
                                           ask->procs / nodes + (i < ask->procs % nodes), -1};
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
    for (int32_t i = 0; i < find->count; i++)
        n->keys[i] =
            (uint64_t)(uint32_t)find->pieces[i].node << 32 | (uint32_t)find->pieces[i].procs;
    sort_keys(n, find->count);
    for (int32_t i = 0; i < find->count; i++)
        find->pieces[i] =
            (ori_node_piece){(int32_t)(n->keys[i] >> 32), (int32_t)(uint32_t)n->keys[i], -1};
    return true;
}

bool ori_nodes_place(ori_nodes *n, const ori_node_ask *ask, const int64_t *of, ori_node_find *find)
{
    return ask->nodes > 0 ? place_shares(n, ask, of, find) : place_anywhere(n, ask, of, find);
}
