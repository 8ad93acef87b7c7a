/* What the sources of tasks share with tasks.c. Not a public header. */
#ifndef ORR_WORKLOAD_TASKS_INTERNAL_H
#define ORR_WORKLOAD_TASKS_INTERNAL_H

#include "workload/tasks.h"

/* Makes room for `count` tasks in all whose ids have `text` bytes in all, zeros included. */
orr_status ori_tasks_reserve(orr_tasks *tasks, int32_t count, size_t text, orr_error *err);

/* Takes all tasks out and keeps the memory. */
void ori_tasks_clear(orr_tasks *tasks);

#endif
