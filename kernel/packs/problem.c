/* The problem of all policies for packs: its table of times, and the search in the table. */
#include "packs/problem.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

/* Times are kept in a table up to this many of them, 16 MB. */
enum { MOST_KEPT = 1 << 21 };

static orr_status check_arguments(const orr_tasks *tasks, int32_t procs, int32_t k,
                                  const int32_t *least, orr_error *err)
{
    ORI_REFUSE(tasks->count < 1, err, "there are no tasks to put into packs");
    ORI_REFUSE(procs < 1, err, "procs must be at least 1, not %d", (int)procs);
    ORI_REFUSE(k < 0, err, "k must be at least 1 task in a pack, not %d", (int)k);
    for (int32_t i = 0; least && i < tasks->count; i++)
        ORI_REFUSE(least[i] < 1 || least[i] > procs, err,
                   "task %s: its least number of processors must be from 1 to the %d that "
                   "there are, not %d",
                   orr_tasks_id(tasks, i), (int)procs, (int)least[i]);
    return ORR_OK;
}

static void fill_problem(orr_pack_problem *problem, const int32_t *least)
{
    double *row = problem->times;
    for (int32_t i = 0; i < problem->count; i++)
        problem->least[i] = least ? least[i] : 1;
    for (int32_t i = 0; row && i < problem->count; i++, row += problem->procs)
        for (int32_t j = 1; j <= problem->procs; j++)
            row[j - 1] = orr_task_time(problem->tasks, i, j);
}

orr_pack_problem *orr_pack_problem_create(const orr_tasks *tasks, int32_t procs, int32_t k,
                                          const int32_t *least, const orr_allocator *a,
                                          orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    if (check_arguments(tasks, procs, k, least, err) != ORR_OK)
        return NULL;
    int32_t count = tasks->count, most = k > 0 && k < procs ? k : procs;
    int64_t times = (int64_t)count * procs;
    orr_pack_problem problem = {.tasks = tasks, .count = count, .procs = procs, .alloc = alloc},
                     *self;
    ori_block block;
    const ori_part parts[] = {ORI_PART(self, 1),
                              ORI_PART_IF(times <= MOST_KEPT, problem.times, times),
                              ORI_PART(problem.least, count)};
    if (ORI_BLOCK_CREATE(&block, parts, ORI_RAW, &alloc, err) != ORR_OK)
        return NULL;
    problem.most = most < count ? most : count;
    problem.size = block.size;
    fill_problem(&problem, least);
    *self = problem;
    return self;
}

void orr_pack_problem_destroy(orr_pack_problem *problem)
{
    if (problem)
        orr_release(&problem->alloc, problem, problem->size);
}

int32_t orr_pack_procs_for(const orr_pack_problem *problem, int32_t task, double time)
{
    if (!ORI_IS_IN(task, problem->count))
        return -1;
    int32_t procs = problem->least[task];
    ORI_BISECT(procs, problem->procs + 1, middle, !(orr_pack_time(problem, task, middle) <= time));
    return procs;
}
