/* Cuts of a sequence of tasks into packs, and the open pack that walks along the sequence.
 *
 * total[x] is the least cost of the first x tasks of the sequence. A pack is skipped where total +
 * its cost + a lower bound of the later tasks reaches the limit. rest[x], this lower bound, is the
 * same program from behind, with a lower bound in place of a pack's cost: the larger of its longest
 * time on all processors and its work divided by all processors. */
#include "packs/cut.h"

#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "base/try_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/one_pack_internal.h"

/* --- an open pack ------------------------------------------------------------------------------*/

/* Every task holds the processors that it needs for the present makespan. */
typedef struct open_pack {
    const orr_pack_problem *problem;
    int32_t count;
    int32_t *tasks;
    int32_t *procs;     /* of the tasks so far: as many as the makespan needs, or more */
    int64_t sum;        /* of procs */
    double makespan;    /* s; infinite from the task on that does not fit */
    ori_calendar gives; /* per task the makespan with which it needs fewer; payload: its index */
    ori_block block;
} open_pack;

/* Makes an empty pack with room for `count` tasks. On failure it is safe to destroy. */
static orr_status open_pack_create(open_pack *g, const orr_pack_problem *problem, int32_t capacity,
                                   orr_error *err)
{
    *g = (open_pack){.problem = problem};
    const ori_part parts[] = {ORI_PART(g->tasks, capacity), ORI_PART(g->procs, capacity)};
    ORI_TRY(ORI_BLOCK_CREATE(&g->block, parts, ORI_RAW, &problem->alloc, err));
    return ori_calendar_create(&g->gives, capacity, &problem->alloc, err);
}

static void open_pack_destroy(open_pack *g)
{
    if (!g->block.memory)
        return;
    ori_calendar_destroy(&g->gives);
    ori_block_destroy(&g->block, &g->problem->alloc);
}

static void open_pack_clear(open_pack *g)
{
    g->count = 0;
    g->sum = 0;
    g->makespan = 0;
    ori_calendar_clear(&g->gives);
}

static void expect_next(open_pack *g, int32_t index)
{
    int32_t task = g->tasks[index];
    if (g->procs[index] > g->problem->least[task])
        ori_calendar_push(&g->gives, orr_pack_time(g->problem, task, g->procs[index] - 1), 0,
                          index);
}

/* Some task gives processors back; false when all have their least numbers. */
static bool raise_makespan(open_pack *g)
{
    if (g->gives.count == 0)
        return false;
    ori_event next = ori_calendar_pop(&g->gives);
    int32_t index = (int32_t)next.payload;
    if (next.time > g->makespan)
        g->makespan = next.time;
    int32_t procs = orr_pack_procs_for(g->problem, g->tasks[index], g->makespan);
    g->sum -= g->procs[index] - procs;
    g->procs[index] = procs;
    expect_next(g, index);
    return true;
}

/* Adds a task. The cost, s; infinite when the tasks cannot fit. */
static double open_pack_add(open_pack *g, int32_t task)
{
    double shortest = orr_pack_time(g->problem, task, g->problem->procs);
    int32_t index = g->count++;
    if (g->makespan == INFINITY)
        return INFINITY;
    if (shortest > g->makespan)
        g->makespan = shortest;
    g->tasks[index] = task;
    g->procs[index] = orr_pack_procs_for(g->problem, task, g->makespan);
    g->sum += g->procs[index];
    expect_next(g, index);
    while (g->sum > g->problem->procs)
        if (!raise_makespan(g))
            g->makespan = INFINITY, g->sum = 0;
    return g->makespan;
}

orr_status orr_open_pack_costs(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               double *costs, orr_error *err)
{
    open_pack g;
    ORI_TRY(ori_check_positions(problem, tasks, count, err));
    orr_status status = open_pack_create(&g, problem, count, err);
    for (int32_t i = 0; status == ORR_OK && i < count; i++)
        costs[i] = open_pack_add(&g, tasks[i]);
    open_pack_destroy(&g);
    return status;
}

/* --- sequences ---------------------------------------------------------------------------------*/

/* A sum of bounds may be above the true value by rounding. */
#define BELOW_ROUNDING (1 - 1e-12)

typedef struct cut {
    const orr_pack_problem *problem;
    const int32_t *tasks;
    double limit;
    double *total, *rest; /* n + 1 each */
    int32_t *first;       /* of the last pack of the first x tasks: where it begins */
    int32_t *pack;        /* by task */
    open_pack open;
} cut;

static orr_status check_cut(cut *c, orr_error *err)
{
    int32_t n = c->problem->count;
    for (int32_t i = 0; i < n; i++) {
        int32_t task = c->tasks[i];
        ORI_REFUSE(task < 0 || task >= n || c->pack[task], err,
                   "a sequence to cut has every task once, position %lld is %s",
                   (long long)task + 1, task < 0 || task >= n ? "no task" : "twice in it");
        c->pack[task] = 1;
    }
    return ORR_OK;
}

/* --- the program -------------------------------------------------------------------------------*/

/* The tasks from x on that may be in a pack together, as far as their number goes. */
static int32_t end_of(const cut *c, int32_t x)
{
    int32_t n = c->problem->count;
    return n - x < c->problem->most ? n : x + c->problem->most;
}

/* rest[x], and in first[x] where the pack that begins at x ends. */
static void bound_from(cut *c, int32_t x)
{
    const orr_pack_problem *problem = c->problem;
    double longest = 0, work = 0;
    int64_t least = 0;
    c->rest[x] = INFINITY;
    for (int32_t end = x + 1; end <= end_of(c, x); end++) {
        int32_t task = c->tasks[end - 1];
        double shortest = orr_pack_time(problem, task, problem->procs);
        work += problem->least[task] * orr_pack_time(problem, task, problem->least[task]);
        least += problem->least[task];
        if (least > problem->procs)
            break;
        if (shortest > longest)
            longest = shortest;
        double bound = work / problem->procs > longest ? work / problem->procs : longest;
        if (bound + c->rest[end] < c->rest[x]) {
            c->rest[x] = bound + c->rest[end];
            c->first[x] = end;
        }
    }
}

/* The cost of the packs that the bounds choose: the first limit. */
static double first_guess(cut *c)
{
    double sum = 0;
    for (int32_t x = 0; x < c->problem->count; x = c->first[x]) {
        double cost = 0;
        open_pack_clear(&c->open);
        for (int32_t i = x; i < c->first[x]; i++)
            cost = open_pack_add(&c->open, c->tasks[i]);
        sum += cost;
    }
    return sum;
}

static bool is_too_much(const cut *c, double cost, int32_t x)
{
    return cost + c->rest[x] * BELOW_ROUNDING >= c->limit;
}

static void extend_from(cut *c, int32_t x)
{
    int32_t last = end_of(c, x);
    open_pack_clear(&c->open);
    for (int32_t end = x + 1; end <= last; end++) {
        double sum = c->total[x] + open_pack_add(&c->open, c->tasks[end - 1]);
        if (is_too_much(c, sum, last))
            break;
        if (sum < c->total[end] && !is_too_much(c, sum, end)) {
            c->total[end] = sum;
            c->first[end] = x;
        }
    }
}

static void run_cut(cut *c)
{
    int32_t n = c->problem->count;
    for (int32_t x = n - 1; x >= 0; x--)
        bound_from(c, x);
    double guess = nextafter(first_guess(c), INFINITY); /* the guess itself may be the best */
    if (guess < c->limit)
        c->limit = guess;
    for (int32_t x = 1; x <= n; x++)
        c->total[x] = INFINITY;
    for (int32_t x = 0; x < n; x++)
        if (!is_too_much(c, c->total[x], x))
            extend_from(c, x);
}

/* The packs that lead to total[n], in the order of the sequence. */
static orr_coschedule *collect_packs(cut *c, orr_error *err)
{
    int32_t n = c->problem->count, packs = 0;
    for (int32_t end = n; end > 0; end = c->first[end])
        packs++;
    for (int32_t end = n, pack = packs; end > 0; end = c->first[end]) {
        pack--;
        for (int32_t i = c->first[end]; i < end; i++)
            c->pack[c->tasks[i]] = pack;
    }
    return orr_coschedule_create(c->problem, c->pack, packs, NULL, err);
}

orr_status orr_cut(const orr_pack_problem *problem, const int32_t *tasks, double limit,
                   orr_coschedule **found, orr_error *err)
{
    cut c = {.problem = problem, .tasks = tasks, .limit = limit};
    size_t n = (size_t)problem->count + 1;
    *found = NULL;
    ORI_SCRATCH(&problem->alloc, ORI_ZEROED, err, ORI_PART(c.total, n), ORI_PART(c.rest, n),
                ORI_PART(c.first, n), ORI_PART(c.pack, n));
    ORI_TRY(check_cut(&c, err));
    orr_status status = open_pack_create(&c.open, problem, problem->most, err);
    if (status == ORR_OK)
        run_cut(&c);
    open_pack_destroy(&c.open);
    ORI_TRY(status);
    if (c.total[problem->count] < c.limit && !(*found = collect_packs(&c, err)))
        return ORR_ERR_MEMORY; /* the arguments are valid: only memory can fail */
    return ORR_OK;
}
