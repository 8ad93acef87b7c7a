/* Nodes and partitions: see the header. */
#include "workload/nodes_internal.h"

#include "base/api_internal.h"
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* --- values ----------------------------------------------------------------------------------- */

static bool is_name(const char name[48])
{
    return name[0] && memchr(name, 0, 48);
}

static orr_status check_kinds(const orr_nodes_options *o, int64_t *count, int64_t *procs,
                              orr_error *err)
{
    ORI_FAIL_IF(o->kind_count < 1, err, ORR_ERR_INPUT, "a machine has at least one kind of nodes");
    for (int32_t k = 0; k < o->kind_count; k++) {
        const orr_node_kind *kind = &o->kinds[k];
        ORI_FAIL_IF(kind->count < 1 || kind->procs < 1, err, ORR_ERR_INPUT,
                    "nodes of kind %d: expected at least 1 node of at least 1 processor, found %d "
                    "of %d",
                    (int)k + 1, (int)kind->count, (int)kind->procs);
        for (int32_t r = 0; r < o->resource_count; r++)
            ORI_FAIL_IF(kind->has[r] < 0 || kind->has[r] > ORR_MOST_AMOUNT, err, ORR_ERR_INPUT,
                        "nodes of kind %d: expected an amount of %s from 0 to 2^53, found %lld",
                        (int)k + 1, o->resources[r], (long long)kind->has[r]);
        *count += kind->count;
        *procs += (int64_t)kind->count * kind->procs;
        ORI_FAIL_IF(*procs > INT32_MAX - 1, err, ORR_ERR_INPUT,
                    "the nodes have more processors than the %d that can be simulated",
                    INT32_MAX - 1);
    }
    ORI_FAIL_IF(*count > ORR_MOST_NODES, err, ORR_ERR_INPUT,
                "a machine has at most %d nodes, not %lld", (int)ORR_MOST_NODES, (long long)*count);
    return ORR_OK;
}

static orr_status check_resources(const orr_nodes_options *o, orr_error *err)
{
    static const char *const taken[] = {"procs", ORR_NEED_NODES, ORR_NEED_EXCLUSIVE};
    ORI_FAIL_IF(!ORI_IS_IN(o->resource_count, ORR_MOST_NODE_RESOURCES + 1), err, ORR_ERR_INPUT,
                "nodes have 0 to %d resources beside processors, not %d",
                (int)ORR_MOST_NODE_RESOURCES, (int)o->resource_count);
    for (int32_t r = 0; r < o->resource_count; r++) {
        const char *name = o->resources[r];
        ORI_FAIL_IF(!is_name(name), err, ORR_ERR_INPUT,
                    "a resource of nodes has a name of 1 to 47 bytes");
        for (int32_t i = 0; i < (int32_t)(sizeof taken / sizeof *taken); i++)
            ORI_FAIL_IF(strcmp(name, taken[i]) == 0, err, ORR_ERR_INPUT,
                        "a resource of nodes cannot have the name %s", name);
        for (int32_t i = 0; i < r; i++)
            ORI_FAIL_IF(strcmp(name, o->resources[i]) == 0, err, ORR_ERR_INPUT,
                        "there are two resources of nodes of the name %s", name);
    }
    return ORR_OK;
}

static orr_status check_partitions(const orr_nodes_options *o, int64_t nodes, int64_t *runs,
                                   orr_error *err)
{
    int32_t defaults = 0;
    ORI_FAIL_IF(!ORI_IS_IN(o->partition_count, ORR_MOST_PARTITIONS + 1), err, ORR_ERR_INPUT,
                "there are 0 to %d partitions, not %d", (int)ORR_MOST_PARTITIONS,
                (int)o->partition_count);
    for (int32_t i = 0; i < o->partition_count; i++) {
        const orr_partition *p = &o->partitions[i];
        ORI_FAIL_IF(!is_name(p->name), err, ORR_ERR_INPUT,
                    "a partition has a name of 1 to 47 bytes");
        for (int32_t k = 0; k < i; k++)
            ORI_FAIL_IF(strcmp(p->name, o->partitions[k].name) == 0, err, ORR_ERR_INPUT,
                        "there are two partitions of the name %s", p->name);
        ORI_FAIL_IF(!(p->max_time >= 0), err, ORR_ERR_INPUT,
                    "partition %s: expected a longest time of at least 0 s, found %g", p->name,
                    p->max_time);
        ORI_FAIL_IF((defaults += p->is_default) > 1, err, ORR_ERR_INPUT,
                    "partition %s is a second default: at most one is", p->name);
        ORI_FAIL_IF(p->runs && p->run_count < 1, err, ORR_ERR_INPUT,
                    "partition %s: it has no nodes", p->name);
        *runs += p->runs ? p->run_count : 1;
        for (int32_t k = 0; p->runs && k < p->run_count; k++) {
            const orr_node_run *run = &p->runs[k];
            int32_t from = k > 0 ? p->runs[k - 1].high + 1 : 0;
            ORI_FAIL_IF(run->low < from || run->high < run->low || run->high >= nodes, err,
                        ORR_ERR_INPUT,
                        "partition %s: nodes %d to %d: expected nodes from %d to %d, in ascending "
                        "order",
                        p->name, (int)run->low + 1, (int)run->high + 1, (int)from + 1, (int)nodes);
        }
    }
    return ORR_OK;
}

static void fill(orr_nodes *n, const orr_nodes_options *o, orr_node_run *runs)
{
    int32_t node = 0;
    for (int32_t k = 0; k < n->kind_count; k++) {
        n->kinds[k] = o->kinds[k];
        for (int32_t i = 0; i < n->kinds[k].count; i++, node++) {
            n->first[node] = n->procs;
            n->kind[node] = k;
            n->procs += n->kinds[k].procs;
        }
    }
    n->first[node] = n->procs;
    for (int32_t r = 0; r < n->resource_count; r++)
        memcpy(n->resources[r], o->resources[r], sizeof n->resources[r]);
    for (int32_t i = 0; i < n->partition_count; i++) {
        orr_partition *p = &n->partitions[i];
        *p = o->partition_count > 0 ? o->partitions[i]
                                    : (orr_partition){.max_time = INFINITY, .is_default = true};
        if (p->runs)
            memcpy(runs, p->runs, (size_t)p->run_count * sizeof *runs);
        else
            *runs = (orr_node_run){0, n->count - 1};
        p->run_count = p->runs ? p->run_count : 1;
        p->runs = runs;
        runs += p->run_count;
    }
}

orr_nodes *orr_nodes_create(const orr_nodes_options *given, const orr_allocator *a, orr_error *err)
{
    orr_nodes_options o;
    orr_allocator alloc = orr_allocator_or_default(a);
    int64_t count = 0, procs = 0, runs = 0;
    if (!ORI_HAS_NODES) {
        orr_fail(err, ORR_ERR_ARGUMENT,
                 "this build has no machines of nodes: give the number of processors, and pools");
        return NULL;
    }
    if (ORI_TAKE(&o, given, orr_nodes_options, err) != ORR_OK || check_resources(&o, err) ||
        check_kinds(&o, &count, &procs, err) || check_partitions(&o, count, &runs, err))
        return NULL;
    orr_nodes *n = ori_new(&alloc, sizeof *n, err);
    if (!n)
        return NULL;
    n->alloc = alloc;
    n->count = (int32_t)count;
    n->kind_count = o.kind_count;
    n->resource_count = o.resource_count;
    n->partition_count = o.partition_count > 0 ? o.partition_count : 1;
    orr_node_run *all;
    ori_block block;
    const ori_part parts[] = {
        ORI_PART(n->kinds, n->kind_count), ORI_PART(n->partitions, n->partition_count),
        ORI_PART(all, runs + 1),           ORI_PART(n->first, count + 1),
        ORI_PART(n->kind, count),          ORI_PART(n->resources, n->resource_count)};
    if (ORI_BLOCK_CREATE(&block, parts, ORI_ZEROED, &alloc, err) != ORR_OK) {
        orr_nodes_destroy(n);
        return NULL;
    }
    n->memory = block.memory;
    n->bytes = block.size;
    fill(n, &o, all);
    return n;
}

/* What makes nodes like these. */
static orr_nodes_options options_of(const orr_nodes *n)
{
    return (orr_nodes_options){.size = sizeof(orr_nodes_options),
                               .kinds = n->kinds,
                               .kind_count = n->kind_count,
                               .resources = (const char(*)[48])n->resources,
                               .resource_count = n->resource_count,
                               .partitions = n->partitions,
                               .partition_count =
                                   n->partitions[0].name[0] ? n->partition_count : 0};
}

orr_nodes *orr_nodes_copy(const orr_nodes *n, const orr_allocator *a, orr_error *err)
{
    const orr_nodes_options options = options_of(n);
    return orr_nodes_create(&options, a, err);
}

/* The number of nodes of a run that are among low .. high. */
static int32_t shared_with(orr_node_run run, int32_t low, int32_t high)
{
    low = run.low > low ? run.low : low;
    high = run.high < high ? run.high : high;
    return high < low ? 0 : high - low + 1;
}

/* Whether nodes that come behind all others join a partition. */
static bool is_joined(const orr_nodes *n, const orr_partition *p, const orr_more_nodes *more)
{
    size_t resources = (size_t)n->resource_count * sizeof *more->kind.has;
    int32_t alike = 0, here = 0;
    for (int32_t i = 0; more->partitions && i < more->partition_count; i++)
        if (strcmp(more->partitions[i], p->name) == 0)
            return true;
    for (int32_t k = 0, first = 0; k < n->kind_count; first += n->kinds[k++].count) {
        if (n->kinds[k].procs != more->kind.procs ||
            memcmp(n->kinds[k].has, more->kind.has, resources) != 0)
            continue;
        alike += n->kinds[k].count;
        for (int32_t i = 0; i < p->run_count; i++)
            here += shared_with(p->runs[i], first, first + n->kinds[k].count - 1);
    }
    return !more->partitions && (alike > 0 ? here == alike : p->is_default);
}

orr_status ori_nodes_extend(const orr_nodes *n, const orr_more_nodes *more, orr_nodes **out,
                            orr_error *err)
{
    orr_nodes_options options = options_of(n);
    const int32_t named = options.partition_count;
    int32_t runs = 0;
    bool joins = named == 0;
    for (int32_t i = 0; more->partitions && i < more->partition_count; i++) {
        int32_t p = 0;
        while (p < named && strcmp(n->partitions[p].name, more->partitions[i]) != 0)
            p++;
        ORI_REFUSE(p == named, err, "add_nodes: the machine has no partition '%s'",
                   more->partitions[i]);
    }
    ORI_REFUSE(more->kind.count < 1 || more->kind.count > ORR_MOST_NODES, err,
               "add_nodes: expected 1 to %d nodes, not %d", (int)ORR_MOST_NODES,
               (int)more->kind.count);
    for (int32_t i = 0; i < named; i++)
        runs += n->partitions[i].run_count + 1;
    orr_node_kind *kinds;
    orr_partition *partitions;
    orr_node_run *run;
    ORI_SCRATCH(&n->alloc, ORI_RAW, err, ORI_PART(kinds, n->kind_count + 1),
                ORI_PART(partitions, named + 1), ORI_PART(run, runs + 1));
    memcpy(kinds, n->kinds, (size_t)n->kind_count * sizeof *kinds);
    kinds[n->kind_count] = more->kind;
    for (int32_t i = 0; i < named; i++) {
        orr_partition *p = &partitions[i];
        *p = n->partitions[i];
        memcpy(run, p->runs, (size_t)p->run_count * sizeof *run);
        p->runs = run;
        if (is_joined(n, &n->partitions[i], more)) {
            run[p->run_count++] = (orr_node_run){n->count, n->count + more->kind.count - 1};
            joins = true;
        }
        run += p->run_count;
    }
    ORI_REFUSE(!joins, err,
               "add_nodes: no partition has all nodes that are like these, so say which they join");
    options.kinds = kinds;
    options.kind_count++;
    options.partitions = partitions;
    *out = orr_nodes_create(&options, &n->alloc, err);
    return *out ? ORR_OK : ORR_ERR_INPUT;
}

void orr_nodes_destroy(orr_nodes *n)
{
    if (!n)
        return;
    orr_allocator a = n->alloc;
    orr_release(&a, n->memory, n->bytes);
    orr_release(&a, n, sizeof *n);
}

/* --- jobs ------------------------------------------------------------------------------------- */

int32_t orr_nodes_partition(const orr_nodes *n, const orr_jobs *jobs, int32_t job)
{
    const char *name = orr_jobs_label_text(jobs, job, ORR_LABEL_PARTITION);
    if (!n->partitions[0].name[0])
        return 0;
    for (int32_t i = 0; i < n->partition_count; i++)
        if (name ? strcmp(n->partitions[i].name, name) == 0 : n->partitions[i].is_default)
            return i;
    return -1;
}

int32_t orr_nodes_at(const orr_nodes *n, int32_t processor)
{
    int32_t node = 0;
    ORI_BISECT(node, n->count - 1, i, n->first[i + 1] <= processor)
    return node;
}

int32_t orr_nodes_resource(const orr_nodes *n, const char *name)
{
    for (int32_t r = 0; r < n->resource_count; r++)
        if (strcmp(n->resources[r], name) == 0)
            return r;
    return -1;
}

bool ori_nodes_have(const orr_nodes *n, const char *name)
{
    return n && (orr_nodes_resource(n, name) >= 0 || strcmp(name, ORR_NEED_NODES) == 0 ||
                 strcmp(name, ORR_NEED_EXCLUSIVE) == 0);
}

static int64_t need_named(const orr_jobs *jobs, int32_t job, const char *name)
{
    return orr_jobs_need(jobs, job, orr_jobs_find_pool(jobs, name));
}

int32_t ori_nodes_asked(const orr_jobs *jobs, int32_t job)
{
    int64_t nodes = need_named(jobs, job, ORR_NEED_NODES);
    return nodes < INT32_MAX ? (int32_t)nodes : INT32_MAX;
}

ori_node_ask ori_nodes_ask(const orr_nodes *n, const orr_jobs *jobs, int32_t job)
{
    ori_node_ask ask = {.partition = orr_nodes_partition(n, jobs, job),
                        .procs = jobs->procs[job],
                        .nodes = ori_nodes_asked(jobs, job),
                        .share = 1,
                        .resources = n->resource_count};
    ask.exclusive = need_named(jobs, job, ORR_NEED_EXCLUSIVE) != 0 ||
                    (ask.partition >= 0 && n->partitions[ask.partition].exclusive);
    if (ask.nodes > 0)
        ask.share = (int32_t)((ask.procs + (int64_t)ask.nodes - 1) / ask.nodes);
    for (int32_t r = 0; r < n->resource_count; r++) {
        ask.need[r] = need_named(jobs, job, n->resources[r]);
        ask.each[r] = ask.nodes > 0 ? (ask.need[r] + ask.nodes - 1) / ask.nodes : 0;
    }
    return ask;
}

/* Whether the empty nodes of its partition hold a job. */
static bool holds(const orr_nodes *n, const ori_node_ask *ask)
{
    const orr_partition *p = &n->partitions[ask->partition];
    int64_t sum = 0;
    for (int32_t k = 0, first = 0; k < n->kind_count; first += n->kinds[k++].count) {
        int64_t has[1 + ORR_MOST_NODE_RESOURCES] = {n->kinds[k].procs};
        memcpy(has + 1, n->kinds[k].has, sizeof n->kinds[k].has);
        int32_t takes = ori_nodes_take(ask, has, 1);
        for (int32_t i = 0, last = first + n->kinds[k].count - 1; takes && i < p->run_count; i++)
            sum += (int64_t)shared_with(p->runs[i], first, last) * takes;
    }
    return sum >= ori_nodes_need(ask);
}

orr_unfit orr_nodes_unfit(const orr_nodes *n, const orr_jobs *jobs, int32_t job)
{
    ori_node_ask ask = ori_nodes_ask(n, jobs, job);
    if (ask.partition < 0)
        return ORR_UNFIT_PARTITION;
    if (jobs->walltime[job] > n->partitions[ask.partition].max_time)
        return ORR_UNFIT_TIME;
    if (ask.nodes > ask.procs)
        return ORR_UNFIT_SHARES;
    return holds(n, &ask) ? ORR_FITS : ORR_UNFIT_NODES;
}

orr_status ori_nodes_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                           orr_status status, orr_error *err)
{
    const orr_nodes *n = in->nodes;
    orr_unfit unfit = orr_nodes_unfit(n, jobs, job);
    if (unfit == ORR_FITS)
        return ORR_OK;
    const char *id = orr_jobs_id(jobs, job);
    const char *label = orr_jobs_label_text(jobs, job, ORR_LABEL_PARTITION);
    ori_node_ask ask = ori_nodes_ask(n, jobs, job);
    if (unfit == ORR_UNFIT_PARTITION)
        return orr_fail(err, status,
                        label ? "job %s asks for partition %s, and the machine has none of that "
                                "name"
                              : "job %s asks for no partition, and the machine has no default one",
                        id, label);
    const orr_partition *p = &n->partitions[ask.partition];
    if (unfit == ORR_UNFIT_TIME)
        return orr_fail(err, status, "job %s asks for %g s, and partition %s permits %g s", id,
                        jobs->walltime[job], p->name, p->max_time);
    if (unfit == ORR_UNFIT_SHARES)
        return orr_fail(err, status, "job %s asks for %d nodes and has only %d processors", id,
                        (int)ask.nodes, (int)ask.procs);
    return orr_fail(err, status,
                    "job %s can never start: even the empty nodes of %s%s do not hold it", id,
                    p->name[0] ? "partition " : "the machine", p->name);
}
