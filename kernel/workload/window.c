/* Lists of windows, and the jobs that a window admits. */
#include "workload/window_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

bool ori_window_admits(const orr_window *w, const orr_jobs *jobs, int32_t job)
{
    if (job < 0 || job >= jobs->count)
        return false;
    const char *user = w->user ? orr_jobs_label_text(jobs, job, ORR_LABEL_USER) : NULL;
    return (user && strcmp(user, w->user) == 0) ||
           (w->job && strcmp(orr_jobs_id(jobs, job), w->job) == 0);
}

/* --- lists ------------------------------------------------------------------------------------ */

/* The owner of a window, as numbers of texts. */
typedef struct owner {
    int32_t user, job;
} owner;

struct orr_windows {
    int32_t procs, node_procs;
    const orr_nodes *nodes; /* NULL: nodes of node_procs each */
    const orr_pool *pools;
    int32_t pool_count; /* -1: not known */
    orr_window *list;
    owner *owners; /* of each */
    int64_t count, capacity, owner_capacity;
    int64_t size; /* the window of the latest size; -1: none */
    double sized; /* since when the machine has that size, s */
    orr_labels texts;
    orr_closing *closings;
    int64_t closing_count, closing_capacity;
    orr_allocator alloc;
};

orr_windows *orr_windows_create(int32_t procs, int32_t node_procs, const orr_allocator *given,
                                orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    if (procs < 1 || node_procs < 1) {
        (void)orr_fail(err, ORR_ERR_ARGUMENT,
                       "windows are of a machine of at least 1 processor, in nodes of at least 1, "
                       "not %d and %d",
                       (int)procs, (int)node_procs);
        return NULL;
    }
    orr_windows *w = ori_new(&a, sizeof *w, err);
    if (w)
        *w = (orr_windows){.procs = procs,
                           .node_procs = node_procs,
                           .pool_count = -1,
                           .size = -1,
                           .sized = -INFINITY,
                           .texts = {.alloc = a},
                           .alloc = a};
    return w;
}

void orr_windows_destroy(orr_windows *w)
{
    if (!w)
        return;
    orr_allocator a = w->alloc;
    ORI_FREE(&a, &w->list, &w->capacity);
    ORI_FREE(&a, &w->owners, &w->owner_capacity);
    ORI_FREE(&a, &w->closings, &w->closing_capacity);
    orr_labels_destroy(&w->texts);
    orr_release(&a, w, sizeof *w);
}

void orr_windows_set_nodes(orr_windows *w, const orr_nodes *nodes)
{
    w->nodes = nodes;
}

void orr_windows_set_pools(orr_windows *w, const orr_pool *pools, int32_t count)
{
    w->pools = pools;
    w->pool_count = count;
}

const orr_allocator *ori_windows_allocator(const orr_windows *w)
{
    return &w->alloc;
}

static orr_status check_times(double from, double to, orr_error *err)
{
    ORI_FAIL_IF(!(from > -INFINITY && from < INFINITY), err, ORR_ERR_INPUT,
                "a window begins at a finite time, not at %.17g", from);
    ORI_FAIL_IF(!(to > from), err, ORR_ERR_INPUT,
                "a window ends later than it begins: from %.17g to %.17g", from, to);
    return ORR_OK;
}

static orr_status check_window(const orr_windows *w, const orr_window *one, orr_error *err)
{
    bool above = one->first == ORR_WINDOW_ABOVE;
    ORI_TRY(check_times(one->from, one->to, err));
    ORI_FAIL_IF(one->count < !above || one->count > w->procs, err, ORR_ERR_INPUT,
                "expected %d to %d processors, as many as the machine has, found %d", !above,
                (int)w->procs, (int)one->count);
    ORI_FAIL_IF(one->first < ORR_WINDOW_ABOVE || one->first > w->procs - one->count, err,
                ORR_ERR_INPUT, "the processors %d to %lld are not among 0 to %d", (int)one->first,
                (long long)one->first + one->count - 1, (int)w->procs - 1);
    ORI_FAIL_IF(
        one->lets_end && orr_window_is_reserved(one), err, ORR_ERR_INPUT,
        "a window that is reserved for a user or a job cannot let the attempts of others end");
    return ORR_OK;
}

static orr_status push_window(orr_windows *w, const orr_window *one, orr_error *err)
{
    owner who = {0, 0};
    ORI_TRY(check_window(w, one, err));
    ORI_TRY(ORI_RESERVE(&w->alloc, &w->list, &w->capacity, w->count + 1, err));
    ORI_TRY(ORI_RESERVE(&w->alloc, &w->owners, &w->owner_capacity, w->count + 1, err));
    if (one->user)
        ORI_TRY(orr_labels_number(&w->texts, one->user, strlen(one->user), &who.user, err));
    if (one->job)
        ORI_TRY(orr_labels_number(&w->texts, one->job, strlen(one->job), &who.job, err));
    w->list[w->count] = *one;
    w->owners[w->count++] = who;
    return ORR_OK;
}

/* Reads a number at *text and moves *text behind it; -1: no number, or too large. */
static int32_t number_at(const char **text)
{
    int64_t value = 0;
    const char *begin = *text;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value > INT32_MAX ? value : 10 * value + (**text - '0');
    return *text == begin || value > INT32_MAX ? -1 : (int32_t)value;
}

/* A run of nodes at *text, "3" or "0-15". */
static bool take_nodes(const char **text, int32_t *low, int32_t *high)
{
    *low = *high = number_at(text);
    if (**text == '-') {
        (*text)++;
        *high = number_at(text);
    }
    bool ends = **text == '\0' || **text == ',';
    return ends && *low >= 0 && *high >= *low;
}

/* A window on the nodes from `low` to `high`, counted from 0. */
static orr_status push_nodes(orr_windows *w, orr_window one, int32_t low, int32_t high,
                             orr_error *err)
{
    int32_t last = (w->procs - 1) / w->node_procs;
    if (w->nodes) {
        one.first = w->nodes->first[low];
        one.count = w->nodes->first[high + 1] - one.first;
        return push_window(w, &one, err);
    }
    one.first = low * w->node_procs;
    one.count = (high < last ? (high + 1) * w->node_procs : w->procs) - one.first;
    return push_window(w, &one, err);
}

static orr_status add_numbers(orr_windows *w, const orr_window *given, const char *nodes,
                              orr_error *err)
{
    int32_t low, high, from = w->nodes ? 1 : 0;
    int32_t last = w->nodes ? w->nodes->count : (w->procs - 1) / w->node_procs;
    for (const char *at = nodes;; at++) {
        char found[ORI_QUOTED_SIZE];
        ORI_FAIL_IF(!take_nodes(&at, &low, &high), err, ORR_ERR_INPUT,
                    w->nodes
                        ? "expected numbers of nodes as '1-16,33', or the name of a partition, "
                          "found %s"
                        : "expected numbers of nodes and runs of them as '3-15,32', found %s",
                    ori_quote(nodes, strlen(nodes), found));
        ORI_FAIL_IF(w->nodes && (low < 1 || high > last), err, ORR_ERR_INPUT,
                    "node %d is not among the nodes 1 to %d of the machine",
                    (int)(low < 1 ? low : high), (int)last);
        ORI_FAIL_IF(high > last, err, ORR_ERR_INPUT,
                    "node %d is not among 0 to %d: the machine has %d processors in nodes of %d",
                    (int)high, (int)last, (int)w->procs, (int)w->node_procs);
        ORI_TRY(push_nodes(w, *given, low - from, high - from, err));
        if (*at == '\0')
            return ORR_OK;
    }
}

static orr_status add_nodes(orr_windows *w, const orr_window *given, const char *nodes,
                            orr_error *err)
{
    const orr_nodes *n = w->nodes;
    for (int32_t p = 0; n && p < n->partition_count; p++) {
        if (!*nodes || strcmp(n->partitions[p].name, nodes) != 0)
            continue;
        for (int32_t i = 0; i < n->partitions[p].run_count; i++)
            ORI_TRY(push_nodes(w, *given, n->partitions[p].runs[i].low,
                               n->partitions[p].runs[i].high, err));
        return ORR_OK;
    }
    if (n && strcmp(nodes, "all") == 0)
        return push_nodes(w, *given, 0, n->count - 1, err);
    return add_numbers(w, given, nodes, err);
}

orr_status orr_windows_add(orr_windows *w, const orr_window *given, const char *nodes,
                           orr_error *err)
{
    int64_t before = w->count;
    orr_window one = *given;
    one.user = one.user && *one.user ? one.user : NULL;
    one.job = one.job && *one.job ? one.job : NULL;
    orr_status status = nodes ? add_nodes(w, &one, nodes, err) : push_window(w, &one, err);
    if (status != ORR_OK)
        w->count = before;
    return status;
}

orr_status orr_windows_add_size(orr_windows *w, double from, int32_t procs, orr_error *err)
{
    const orr_window one = {
        .from = from, .to = INFINITY, .first = ORR_WINDOW_ABOVE, .count = procs};
    ORI_FAIL_IF(!(from > w->sized), err, ORR_ERR_INPUT,
                "sizes stand in order of time, and %.17g does not come after %.17g", from,
                w->sized);
    ORI_TRY(push_window(w, &one, err));
    if (w->size >= 0)
        w->list[w->size].to = from;
    w->size = w->count - 1;
    w->sized = from;
    return ORR_OK;
}

int32_t ori_find_pool(const orr_pool *pools, int32_t count, const char *name)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(pools[i].name, name) == 0)
            return i;
    return -1;
}

orr_status ori_closing_pool(const orr_closing *one, const orr_pool *pools, int32_t count,
                            const orr_nodes *nodes, orr_status wrong, int32_t *pool, orr_error *err)
{
    const char *name = one->pool.name;
    long long amount = one->pool.amount;
    *pool = ori_find_pool(pools, count, name);
    bool is_of_nodes = nodes && orr_nodes_resource(nodes, name) >= 0;
    ORI_FAIL_IF(*pool < 0, err, wrong, "a window closes %lld of pool %s, which %s", amount, name,
                is_of_nodes ? "is a resource of nodes: expected nodes in place of pool and amount"
                            : "there is not");
    ORI_FAIL_IF(amount < 1 || amount > pools[*pool].amount, err, wrong,
                "a window closes %lld of pool %s: expected 1 to %lld, as much as there is", amount,
                name, (long long)pools[*pool].amount);
    return ORR_OK;
}

orr_status orr_windows_add_closing(orr_windows *w, double from, double to, const char *name,
                                   int64_t amount, orr_error *err)
{
    orr_closing one = {.from = from, .to = to, .pool.amount = amount};
    size_t length = strlen(name);
    ORI_TRY(check_times(from, to, err));
    ORI_FAIL_IF(length == 0 || length >= sizeof one.pool.name, err, ORR_ERR_INPUT,
                "a pool has a name of 1 to %zu bytes", sizeof one.pool.name - 1);
    ORI_FAIL_IF(amount < 1 || amount > ORR_MOST_AMOUNT, err, ORR_ERR_INPUT,
                "expected an amount of pool %s from 1 to 2^53, found %lld", name,
                (long long)amount);
    memcpy(one.pool.name, name, length);
    int32_t pool;
    if (w->pool_count >= 0)
        ORI_TRY(
            ori_closing_pool(&one, w->pools, w->pool_count, w->nodes, ORR_ERR_INPUT, &pool, err));
    ORI_TRY(ORI_RESERVE(&w->alloc, &w->closings, &w->closing_capacity, w->closing_count + 1, err));
    w->closings[w->closing_count++] = one;
    return ORR_OK;
}

const orr_closing *orr_windows_closings(const orr_windows *w, int64_t *count)
{
    *count = w->closing_count;
    return w->closings;
}

const orr_window *orr_windows_list(orr_windows *w, int64_t *count)
{
    for (int64_t i = 0; i < w->count; i++) {
        w->list[i].user = orr_labels_text(&w->texts, w->owners[i].user);
        w->list[i].job = orr_labels_text(&w->texts, w->owners[i].job);
    }
    *count = w->count;
    return w->list;
}
