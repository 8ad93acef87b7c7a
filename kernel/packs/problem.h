/* k-IN-p-COSCHEDULE (J. Scheduling 2016, section 3; chapter, section 1.3.2): n moldable tasks, p
 * processors, at most k tasks in a pack, and for every task the least number of processors that it
 * can run on (end of section 4.4; 1 by default).
 *
 * t(i, j) are the fault-free times of the tasks, whose profiles fulfil equations (1) and (2) or
 * were repaired when they were added (spec/READINGS.md, 20). A small problem keeps them in a table;
 * a large problem computes each when it is asked for, so that 10,000 tasks on 100,000 processors
 * need some hundred kilobytes.
 *
 * A problem does not change, so that threads may share one. Tasks are positions, 0 .. count - 1. */
#pragma once

#include "workload/tasks.h"

typedef struct orr_pack_problem {
    const orr_tasks *tasks; /* borrowed; must not change while the problem exists */
    int32_t count;          /* n >= 1 */
    int32_t procs;          /* p >= 1 */
    int32_t most;           /* min(k, p, n): tasks in a pack */
    int32_t *least;         /* by task: 1 .. p */

    /* internal */
    double *times; /* t(i, j) at i * procs + j - 1; NULL: too many, computed on demand */
    size_t size;   /* bytes, of all this */
    orr_allocator alloc;
} orr_pack_problem;

/* k: the largest number of tasks in a pack; 0: the number of processors. least: by task, copied;
 * NULL: all 1. NULL on failure. ORR_ERR_ARGUMENT: no task, procs < 1, k < 0, a least number outside
 * of 1 .. procs (the message names the task). a may be NULL. */
ORR_API orr_pack_problem *orr_pack_problem_create(const orr_tasks *tasks, int32_t procs, int32_t k,
                                                  const int32_t *least, const orr_allocator *a,
                                                  orr_error *err);
ORR_API void orr_pack_problem_destroy(orr_pack_problem *problem); /* NULL is fine */

/* t(i, j), s; procs in 1 .. p. */
static inline double orr_pack_time(const orr_pack_problem *problem, int32_t task, int32_t procs)
{
    if (problem->times)
        return problem->times[(int64_t)task * problem->procs + procs - 1];
    return orr_task_time(problem->tasks, task, procs);
}

/* The smallest number of processors, at least the task's least, on which the task takes at most
 * `time` seconds; p + 1 where there is none. O(log p). */
ORR_API int32_t orr_pack_procs_for(const orr_pack_problem *problem, int32_t task, double time);
