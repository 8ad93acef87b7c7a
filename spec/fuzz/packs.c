/* Fuzzing of the packs: an input is tasks, a problem, and then calls of all that builds, changes,
 * measures and bounds co-schedules of it.
 *
 * Whatever the calls are, each ends well or with a message; every co-schedule passes the check, none
 * costs less than a bound or the optimum, and a partition is worth what its packs cost. The first
 * two bytes are which allocation finds no memory (0: none). */
#include "fuzz.h"

#include "packs/allocation.h"
#include "packs/bounds.h"
#include "packs/coschedule.h"
#include "packs/cut.h"
#include "packs/exact.h"
#include "packs/one_pack.h"
#include "packs/partition.h"
#include "packs/program.h"

enum { MOST_TASKS = 8, MOST_CALLS = 40 };

typedef struct world {
    bytes in;
    meter m;
    orr_allocator alloc;
    orr_tasks *tasks;
    orr_pack_problem *problem;
    orr_coschedule *best; /* the latest; NULL before the first */
    orr_partition *partition;
    orr_allocation *allocation;
    double bound; /* s */
    orr_error err;
} world;

static bool at_most(double a, double b)
{
    return a <= b * (1 + 1e-9);
}

/* A co-schedule, or a message; it becomes the latest. */
static void take(world *w, orr_coschedule *made)
{
    insist_on_status(made ? ORR_OK : w->err.status, &w->err);
    if (!made)
        return;
    orr_status status = orr_coschedule_check(w->problem, made, &w->err);
    insist(status == ORR_OK || status == ORR_ERR_MEMORY, w->err.message);
    insist(at_most(w->bound, made->total), "a cost below the bound");
    orr_coschedule_destroy(w->best);
    w->best = made;
}

static void positions(world *w, int32_t *list, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        list[i] = position(&w->in, w->problem->count);
}

static void create(world *w)
{
    int32_t packs[MOST_TASKS], procs[MOST_TASKS], count = 1 + below(&w->in, 3);
    int how = byte(&w->in);
    for (int32_t i = 0; i < w->problem->count; i++) {
        packs[i] = position(&w->in, count);
        procs[i] = 1 + position(&w->in, w->problem->procs) % 1000;
    }
    if (how < 128)
        take(w, orr_coschedule_create(w->problem, packs, how < 120 ? count : position_of(how, 3),
                                      how % 2 ? procs : NULL, &w->err));
    else
        take(w, orr_make_pack(w->problem, procs, &w->err));
}

static void measure(world *w)
{
    int32_t order[MOST_TASKS];
    orr_coschedule_metrics m;
    if (!w->best)
        return;
    orr_status status = orr_coschedule_measure(w->problem, w->best, &m, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || (m.packs == w->best->packs && m.cost == w->best->total),
           "metrics of another co-schedule");
    insist_on_status(orr_coschedule_order(w->best, order, &w->err), &w->err);
    double idle = orr_coschedule_idle(w->problem, w->best, position(&w->in, w->best->packs));
    insist(!(idle < -1e-9 || idle > 1 + 1e-9), "an impossible share is idle");
    int64_t pieces = 1 + byte(&w->in);
    orr_sink sink = {swallow, &pieces};
    insist_on_status(orr_pack_program(w->problem, &sink, &w->err), &w->err);
    double before = w->best->total;
    if (byte(&w->in) % 2 == 0) {
        take(w, orr_coschedule_copy(w->best, &w->err));
    } else {
        status = orr_coschedule_balance(w->problem, w->best, &w->err);
        insist_on_status(status, &w->err);
        insist(status != ORR_OK || at_most(w->best->total, before), "balance made it worse");
    }
}

/* One pack by both ways, and by its cost alone. */
static void one_pack(world *w)
{
    int32_t list[MOST_TASKS], procs[2][MOST_TASKS];
    int32_t count = below(&w->in, w->problem->count + 1);
    double cost[2];
    positions(w, list, count);
    orr_status status[2] = {
        orr_one_pack_printed(w->problem, list, count, procs[0], &cost[0], &w->err),
        orr_one_pack(w->problem, list, count, procs[1], &cost[1], &w->err)};
    insist_on_status(status[1], &w->err);
    insist(w->m.ran_out || status[0] == status[1], "Algorithm 1 has two outcomes");
    if (status[0] == ORR_OK && status[1] == ORR_OK) {
        insist(cost[0] == cost[1] &&
                   memcmp(procs[0], procs[1], (size_t)count * sizeof **procs) == 0,
               "Algorithm 1 has two answers");
        insist(orr_one_pack_cost(w->problem, list, count) == cost[0], "another cost of a pack");
    }
    double costs[MOST_TASKS];
    insist_on_status(orr_open_pack_costs(w->problem, list, count, costs, &w->err), &w->err);
    for (int32_t i = 0; i < MOST_TASKS; i++)
        list[i] = i;
    for (int i = below(&w->in, 4); i > 0; i--) {
        int32_t a = below(&w->in, w->problem->count), b = below(&w->in, w->problem->count);
        int32_t other = list[a];
        list[a] = list[b];
        list[b] = other;
    }
    if (byte(&w->in) >= 240)
        positions(w, list, w->problem->count);
    orr_coschedule *found = NULL;
    double limit = coin(&w->in) ? INFINITY : 100 * number(&w->in);
    orr_status cut = orr_cut(w->problem, list, limit, &found, &w->err);
    insist_on_status(cut, &w->err);
    insist(cut == ORR_OK || !found, "a failure that found something");
    if (found)
        take(w, found);
}

static void bound(world *w)
{
    orr_pack_bounds b;
    orr_status status = orr_pack_bound(w->problem, coin(&w->in), &b, &w->err);
    insist_on_status(status, &w->err);
    if (status == ORR_OK) {
        insist(b.best >= b.longest && b.best >= b.work && b.best >= b.mixed, "not the best bound");
        w->bound = b.best;
        insist(!w->best || at_most(b.best, w->best->total), "a bound above a cost");
    }
    (void)orr_pack_procs_for(w->problem, position(&w->in, w->problem->count), number(&w->in));
}

static void optimum(world *w)
{
    orr_cancel_flag flag = {byte(&w->in) >= 250};
    double before = w->best ? w->best->total : INFINITY;
    if (coin(&w->in)) {
        orr_coschedule *best = orr_optimal(w->problem, &flag, &w->err);
        insist(!best || at_most(best->total, before), "an optimum that is none");
        take(w, best);
    } else {
        take(w, orr_two_in_p(w->problem, &flag, &w->err));
    }
}

static void partition(world *w)
{
    int what = byte(&w->in);
    int32_t a = position(&w->in, w->problem->count), b = position(&w->in, w->problem->count), found;
    if (!w->partition && w->best) {
        w->partition = orr_partition_create(w->problem, w->best, &w->err);
        insist_on_status(w->partition ? ORR_OK : w->err.status, &w->err);
    }
    orr_partition *p = w->partition;
    if (!p)
        return;
    double before = orr_partition_cost(p), gain;
    switch (what % 6) {
    case 0:
        gain = orr_partition_move_gain(p, a, b);
        if (orr_partition_move(p, a, b, &w->err) != ORR_OK)
            insist_on_message(&w->err);
        else
            insist(fabs(before - gain - orr_partition_cost(p)) <= 1e-9 * before, "another gain");
        break;
    case 1:
        gain = orr_partition_swap_gain(p, a, b);
        if (orr_partition_swap(p, a, b, &w->err) != ORR_OK)
            insist_on_message(&w->err);
        else
            insist(fabs(before - gain - orr_partition_cost(p)) <= 1e-9 * before, "another gain");
        break;
    case 2:
        (void)orr_partition_best_move(p, a, &found);
        break;
    case 3:
        (void)orr_partition_best_swap(p, a, &found);
        break;
    case 4:
        (void)orr_partition_pack_cost(p, b);
        (void)orr_partition_pack_of(p, a);
        insist(orr_partition_packs(p) >= 1, "no packs");
        break;
    default:
        take(w, orr_partition_coschedule(p, &w->err));
        orr_partition_destroy(p);
        w->partition = NULL;
    }
}

static void allocation(world *w)
{
    int what = byte(&w->in);
    int32_t taken[MOST_TASKS], count;
    if (!w->allocation) {
        w->allocation = orr_allocation_create(w->problem, &w->err);
        insist_on_status(w->allocation ? ORR_OK : w->err.status, &w->err);
    }
    orr_allocation *a = w->allocation;
    if (!a)
        return;
    double time = orr_allocation_time(a, orr_allocation_head(a));
    time = what < 160 ? time * (what % 5) / 4 : number(&w->in);
    switch (what % 9) {
    case 0:
    case 1:
        if (orr_allocation_raise(a, &w->err) != ORR_OK)
            insist_on_message(&w->err);
        break;
    case 2:
        insist(orr_allocation_requested(a, time) >= 0, "fewer than no processors");
        break;
    case 3:
        insist_on_status(orr_allocation_grow(a, number(&w->in) / 20, &w->err), &w->err);
        break;
    case 4:
        count = orr_allocation_take(a, time, taken);
        insist(count >= 0 && count <= w->problem->most, "more tasks than a pack has");
        break;
    case 5:
        insist_on_status(orr_allocation_take_fullest(a, time, taken, &count, &w->err), &w->err);
        break;
    case 6:
        (void)orr_allocation_work(a);
        (void)orr_allocation_is_saturated(a);
        (void)orr_allocation_pack_cost(a, coin(&w->in) ? INFINITY : time);
        take(w, orr_allocation_make_pack(a, &w->err));
        break;
    case 7:
        (void)orr_allocation_procs(a, position(&w->in, w->problem->count));
        (void)orr_allocation_listed(a);
        insist_on_status(orr_allocation_rewind(
                             a, position(&w->in, (int32_t)orr_allocation_mark(a) + 1), &w->err),
                         &w->err);
        break;
    default:
        orr_allocation_destroy(a);
        w->allocation = NULL;
    }
}

static void run(world *w)
{
    int32_t procs = 1 + below(&w->in, 12), k = position(&w->in, 6), least[MOST_TASKS];
    int how = byte(&w->in);
    for (int32_t i = 0; i < MOST_TASKS; i++)
        least[i] = how % 4 ? 1 : 1 + position(&w->in, procs) % 1000;
    w->problem = orr_pack_problem_create(w->tasks, how < 250 ? procs : -byte(&w->in), k,
                                         how % 8 < 5 ? least : NULL, &w->alloc, &w->err);
    insist_on_status(w->problem ? ORR_OK : w->err.status, &w->err);
    if (!w->problem)
        return;
    static void (*const calls[])(world * w) = {create,  measure,   one_pack,  bound,
                                               optimum, partition, allocation};
    for (int i = 0; i < MOST_CALLS && w->in.at < w->in.end; i++)
        calls[below(&w->in, sizeof calls / sizeof *calls)](w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w = {.in = {data, data + size}};
    int high = byte(&w.in), low = byte(&w.in);
    w.m.until_none = high < 128 ? 0 : 256 * (high % 8) + low;
    w.alloc = (orr_allocator){resize_metered, &w.m};
    w.tasks = make_tasks(&w.in, MOST_TASKS, &w.alloc);
    if (w.tasks)
        run(&w);
    orr_coschedule_destroy(w.best);
    orr_partition_destroy(w.partition);
    orr_allocation_destroy(w.allocation);
    orr_pack_problem_destroy(w.problem);
    orr_tasks_destroy(w.tasks);
    insist_on_no_leak(&w.m);
    return 0;
}
