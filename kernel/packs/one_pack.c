/* Algorithm 1 is a merge. A task with j processors offers the pair (t(i, j), i); it gets one more
 * processor whenever its pair comes before the pairs of all other tasks. t(i, j) falls with j, so r
 * rounds take the first r of all pairs (t(i, j), i), j = least .. p. So all pairs with t(i, j) > T
 * are taken together, where T is the smallest makespan; the remaining processors go to tasks that
 * take exactly T, by position. */
#include "packs/coschedule_internal.h"
#include "packs/one_pack_internal.h"

#include "base/block_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* A search costs about as much as this number of rounds of the printed loop per task. */
enum { ROUNDS_PER_SEARCH = 24 };

typedef struct pack {
    const orr_pack_problem *problem;
    const int32_t *tasks;
    int32_t count;
    int64_t total; /* processors to give */
    int32_t *procs;
    ori_listed *heap;
} pack;

/* --- the printed loop --------------------------------------------------------------------------*/

static double time_of(const pack *a, int32_t index)
{
    return orr_pack_time(a->problem, a->tasks[index], a->procs[index]);
}

static bool is_in_front(const pack *a, const ori_listed *x, const ori_listed *y)
{
    return ori_is_in_front(x->time, a->tasks[x->task], y->time, a->tasks[y->task]);
}

/* Puts an entry at `at`, or lower while other entries come before it. */
static void sink_entry(pack *a, int32_t at, ori_listed entry)
{
    for (int32_t child; (child = 2 * at + 1) < a->count; at = child) {
        if (child + 1 < a->count && is_in_front(a, &a->heap[child + 1], &a->heap[child]))
            child++;
        if (!is_in_front(a, &a->heap[child], &entry))
            break;
        a->heap[at] = a->heap[child];
    }
    a->heap[at] = entry;
}

static void make_heap(pack *a)
{
    for (int32_t i = 0; i < a->count; i++)
        a->heap[i] = (ori_listed){time_of(a, i), i};
    for (int32_t i = a->count / 2; i-- > 0;)
        sink_entry(a, i, a->heap[i]);
}

/* Gives every task its least number; returns the sum. */
static int64_t give_least(pack *a)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < a->count; i++)
        sum += a->procs[i] = a->problem->least[a->tasks[i]];
    return sum;
}

static void give_one_by_one(pack *a, int64_t left)
{
    make_heap(a);
    for (; left > 0; left--) {
        int32_t index = a->heap[0].task;
        a->procs[index]++;
        sink_entry(a, 0, (ori_listed){time_of(a, index), index});
    }
}

/* --- the search --------------------------------------------------------------------------------*/

/* The processors needed for a makespan. */
typedef struct demand {
    int64_t procs;   /* the sum; a task that is longer on all processors counts p + 1 */
    double makespan; /* with these numbers of processors */
    double next;     /* the smallest makespan that needs fewer processors */
} demand;

static demand ask_demand(const pack *a, double time)
{
    demand d = {0, 0, INFINITY};
    for (int32_t i = 0; i < a->count; i++) {
        int32_t task = a->tasks[i], procs = orr_pack_procs_for(a->problem, task, time);
        d.procs += procs;
        if (procs <= a->problem->procs)
            d.makespan = fmax(d.makespan, orr_pack_time(a->problem, task, procs));
        if (procs > a->problem->least[task])
            d.next = fmin(d.next, orr_pack_time(a->problem, task, procs - 1));
    }
    return d;
}

/* Doubles > 0 have the order of their bits; the value half way between the bits of two. */
static double middle_of(double low, double high)
{
    uint64_t from, to;
    double middle;
    memcpy(&from, &low, sizeof from);
    memcpy(&to, &high, sizeof to);
    from += (to - from) / 2;
    memcpy(&middle, &from, sizeof middle);
    return middle;
}

/* The smallest makespan in [low, high] that needs no more processors than the machine has; `high`
 * is such a makespan, and both ends are makespans, so that every step moves one end to another
 * makespan. A makespan that needs twice the machine's processors is about half the wanted one;
 * where this guess makes no progress, bisection does. */
static double search_makespan(const pack *a, double low, double high)
{
    double time = low;
    for (int round = 0; low < high; round++) {
        demand d = ask_demand(a, time);
        if (d.procs <= a->total)
            high = d.makespan;
        else
            low = d.next;
        double scaled = time * ((double)d.procs / (double)a->total);
        time = round % 3 != 2 && scaled > low && scaled < high ? scaled : middle_of(low, high);
    }
    return high;
}

/* A lower bound: no task gets more processors than the others leave. */
static double shortest_makespan(const pack *a, int64_t least)
{
    double low = 0;
    for (int32_t i = 0; i < a->count; i++) {
        int32_t task = a->tasks[i];
        int64_t most = a->total - least + a->problem->least[task];
        if (most > a->problem->procs)
            most = a->problem->procs;
        low = fmax(low, orr_pack_time(a->problem, task, (int32_t)most));
    }
    return low;
}

static double longest_makespan(const pack *a)
{
    double high = 0;
    for (int32_t i = 0; i < a->count; i++)
        high = fmax(high, orr_pack_time(a->problem, a->tasks[i], a->problem->least[a->tasks[i]]));
    return high;
}

/* --- search, and the rest ----------------------------------------------------------------------*/

/* Gives every task the processors that the makespan needs; returns their sum. */
static int64_t give_for(pack *a, double makespan)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < a->count; i++)
        sum += a->procs[i] = orr_pack_procs_for(a->problem, a->tasks[i], makespan);
    return sum;
}

/* The rest of the printed loop, in which a task that is no faster with one more gets the next one,
 * too. */
static void give_in_runs(pack *a, int64_t left)
{
    make_heap(a);
    while (left > 0) {
        ori_listed front = a->heap[0];
        int32_t end =
            orr_pack_procs_for(a->problem, a->tasks[front.task], nextafter(front.time, 0));
        int64_t run = end - a->procs[front.task];
        a->procs[front.task] += (int32_t)(run < left ? run : left);
        left -= run;
        if (left > 0)
            sink_entry(a, 0, (ori_listed){time_of(a, front.task), front.task});
    }
}

/* Gives out by the search if the printed loop would take more than `rounds` rounds. */
static double give_out(pack *a, int64_t rounds)
{
    double makespan = 0;
    int64_t given = give_least(a);
    if (a->total - given <= rounds) {
        give_one_by_one(a, a->total - given);
    } else {
        given = give_for(a, search_makespan(a, shortest_makespan(a, given), longest_makespan(a)));
        give_in_runs(a, a->total - given);
    }
    for (int32_t i = 0; i < a->count; i++)
        makespan = fmax(makespan, time_of(a, i));
    return makespan;
}

double ori_give_out(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                    int64_t total, int32_t *procs, ori_listed *heap)
{
    pack a = {problem, tasks, count, total, NULL, heap};
    a.procs = procs;
    return give_out(&a, (int64_t)ROUNDS_PER_SEARCH * count);
}

/* --- the interface -----------------------------------------------------------------------------*/

static int64_t add_up_least(const orr_pack_problem *problem, const int32_t *tasks, int32_t count)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += problem->least[tasks[i]];
    return sum;
}

orr_status ori_check_positions(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               orr_error *err)
{
    ORI_REFUSE(count < 0, err, "a number of tasks is at least 0, not %d", (int)count);
    for (int32_t i = 0; i < count; i++)
        ORI_REFUSE(!ORI_IS_IN(tasks[i], problem->count), err,
                   "there is no task at position %d, there are %d", (int)tasks[i],
                   (int)problem->count);
    return ORR_OK;
}

static orr_status fill_pack(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                            int64_t rounds, int32_t *procs, double *cost, orr_error *err)
{
    ORI_REFUSE(count < 1 || count > problem->most, err, "a pack has from 1 to %d tasks, not %d",
               (int)problem->most, (int)count);
    ORI_TRY(ori_check_positions(problem, tasks, count, err));
    int64_t least = add_up_least(problem, tasks, count);
    ORI_REFUSE(least > problem->procs, err,
               "the tasks of a pack need at least %lld processors, there are %d", (long long)least,
               (int)problem->procs);
    ori_listed *heap;
    ORI_SCRATCH(&problem->alloc, ORI_RAW, err, ORI_PART(heap, count));
    pack a = {problem, tasks, count, problem->procs, NULL, heap};
    a.procs = procs;
    double makespan = give_out(&a, rounds);
    if (cost)
        *cost = makespan;
    return ORR_OK;
}

orr_status orr_one_pack(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                        int32_t *procs, double *cost, orr_error *err)
{
    return fill_pack(problem, tasks, count, (int64_t)ROUNDS_PER_SEARCH * count, procs, cost, err);
}

orr_status orr_one_pack_printed(const orr_pack_problem *problem, const int32_t *tasks,
                                int32_t count, int32_t *procs, double *cost, orr_error *err)
{
    return fill_pack(problem, tasks, count, INT64_MAX, procs, cost, err);
}

double orr_one_pack_cost(const orr_pack_problem *problem, const int32_t *tasks, int32_t count)
{
    if (ori_check_positions(problem, tasks, count, NULL) != ORR_OK)
        return NAN;
    return ori_one_pack_cost_below(problem, tasks, count, INFINITY);
}

double ori_one_pack_cost_below(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               double limit)
{
    pack a = {problem, tasks, count, problem->procs, NULL, NULL};
    int64_t least = add_up_least(problem, tasks, count);
    if (least > problem->procs)
        return INFINITY;
    double low = shortest_makespan(&a, least), high = longest_makespan(&a);
    if (low >= limit)
        return INFINITY;
    if (high >= limit) {
        demand d = ask_demand(&a, nextafter(limit, 0));
        if (d.procs > a.total)
            return INFINITY;
        high = d.makespan;
    }
    return search_makespan(&a, low, high);
}
