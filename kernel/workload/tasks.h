/* Tasks: independent parallel tasks that can run on a number of processors of one's choice.
 *
 * A moldable task chooses that number when it starts, a malleable one can change it while it runs.
 * A task is a size m (data units) and a profile: its fault-free time t(j) on j = 1, 2, ...
 * processors. Profiles fulfil what the models assume, t(j+1) <= t(j) and (j+1) t(j+1) >= j t(j)
 * (chapter, equations 1.1 and 1.2); a measured table that does not is repaired when it is added
 * (spec/READINGS.md, 20), and counted.
 *
 * A task's position, 0 .. count - 1, is its name inside the kernel; its id is what the user calls
 * it. Ownership as with orr_jobs: an orr_tasks owns its arrays, simulations borrow them. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "workload/labels.h"

/* Families of profiles; t1 = 2 m log2 m is the sequential time (s), m >= 2. */
typedef enum orr_profile {
    ORR_PROFILE_SYNTHETIC, /* f t1 + (1 - f) t1 / j + (m / j) log2 m: chapter, equation 1.13 */
    ORR_PROFILE_AMDAHL,    /* f t1 + (1 - f) t1 / j */
    ORR_PROFILE_POWER,     /* t1 / j^e */
    ORR_PROFILE_TABLE      /* measured times on 1 .. columns processors; more give no more speed */
} orr_profile;

/* The terms of a family's t(j) that do not depend on j. Internal. */
typedef struct orr_task_terms {
    double fixed;    /* f t1, s; power: t1 */
    double shared;   /* (1 - f) t1, s */
    double log_size; /* log2 m */
} orr_task_terms;

typedef struct orr_tasks {
    int32_t count;
    double *size; /* m, data units, >= 0; 0 where a table came without */
    orr_profile *profile;
    double *parameter;  /* f in [0, 1] or e in [0, 1]; a table's is 0 */
    double *sequential; /* t(1), s, > 0 */
    int64_t *table;     /* offset of a task's first time in times; -1: not a table */
    int32_t *columns;   /* the number of its times; 0: not a table */
    double *times;      /* s, > 0 */
    int32_t repaired;   /* tables that had to be repaired */

    /* internal: capacities, ids, the allocator */
    orr_task_terms *terms;
    orr_labels ids; /* their numbers are the positions of the tasks, counted from 1 */
    size_t block_size;
    int64_t times_count, times_capacity;
    int32_t capacity; /* 0 or a power of two */
    orr_allocator alloc;
} orr_tasks;

/* An empty set; NULL on failure (memory). a may be NULL. */
ORR_API orr_tasks *orr_tasks_create(const orr_allocator *a, orr_error *err);
ORR_API void orr_tasks_destroy(orr_tasks *tasks); /* NULL is fine */

/* Sizes and times above this are refused, so that neither work nor t1 can overflow. */
#define ORR_TASK_LARGEST 1e290

/* Adds a task of size m with a family's profile. id is copied (NULL or empty: its position counted
 * from 1). ORR_ERR_ARGUMENT, and nothing added: m outside of [2, ORR_TASK_LARGEST], parameter
 * outside of [0, 1], a family that is ORR_PROFILE_TABLE, an id that another task has. */
ORR_API orr_status orr_tasks_add(orr_tasks *tasks, const char *id, double size, orr_profile family,
                                 double parameter, orr_error *err);

/* Adds a task with `columns` >= 1 measured times (s), copied and repaired. ORR_ERR_ARGUMENT, and
 * nothing added: a time outside of (0, ORR_TASK_LARGEST], size outside of [0, ORR_TASK_LARGEST], an
 * id that another task has. */
ORR_API orr_status orr_tasks_add_table(orr_tasks *tasks, const char *id, double size,
                                       const double *times, int32_t columns, orr_error *err);

/* Adds copies of all tasks of another set. A task whose id is its position there (the default) gets
 * its position here. ORR_ERR_ARGUMENT for an id that another task has; after a failure some of them
 * may have been added. */
ORR_API orr_status orr_tasks_append(orr_tasks *tasks, const orr_tasks *more, orr_error *err);

/* The id of a task, zero-terminated; valid until the next addition. */
ORR_API const char *orr_tasks_id(const orr_tasks *tasks, int32_t task);

/* The position of the task with this id, -1 for none. */
ORR_API int32_t orr_tasks_find(const orr_tasks *tasks, const char *id);

/* t(j): the fault-free time of a task on procs >= 1 processors, s. */
ORR_API double orr_task_time(const orr_tasks *tasks, int32_t task, int32_t procs);

/* Synthetic tasks (RR-8795, section 6.1): profile by equation 1.13, m uniform on
 * [min_size, max_size]. Task i of run r is a function of (seed, set, r, i) alone: stream of purpose
 * ORR_PURPOSE_WORKLOAD, scenario r, entity i. */
typedef struct orr_synthetic_tasks {
    int32_t count;             /* 100 */
    double min_size, max_size; /* 1.5e6, 2.5e6 */
    double sequential;         /* f: 0.08 */
} orr_synthetic_tasks;

ORR_API orr_synthetic_tasks orr_synthetic_tasks_default(void);

/* Replaces the contents of `tasks` by the tasks of a run. It allocates nothing if `tasks` held
 * equally many generated tasks before; on failure nothing changes. ORR_ERR_ARGUMENT: count < 1,
 * min_size < 2, max_size < min_size or > ORR_TASK_LARGEST, sequential outside of [0, 1]. */
ORR_API orr_status orr_generate_tasks(orr_tasks *tasks, const orr_synthetic_tasks *options,
                                      uint64_t seed, uint64_t set, uint64_t run, orr_error *err);

/* Reads tasks from CSV. The header is `id,m`, `id,m,profile`, `id,1,2,3,...` or `id,m,1,2,3,...`
 * (times on 1, 2, 3, ... processors, s). `profile` is `synthetic`, `amdahl` or `power`, or one of
 * these with its parameter behind a colon (`amdahl:0.05`); empty, or without that column, it is
 * `synthetic`. `sequential` is f where a row names none (power: e = 1 - f). Errors name path, line,
 * column, what was expected and what was found. The file may be compressed as any input. */
ORR_API orr_tasks *orr_read_tasks(const char *path, double sequential, const orr_allocator *a,
                                  orr_error *err);
