#include "reader_internal.h"
#include "tasks_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MOST_TASKS = 1 << 30, SLOTS_PER_TASK = 2, POSITION_SIZE = 16 };

/* The arrays lie in one block, the widest elements first. */
enum {
    BYTES_PER_TASK = sizeof(orr_task_terms) + 3 * sizeof(double) + sizeof(int64_t) +
                     sizeof(orr_profile) + sizeof(int32_t) + sizeof(uint32_t) +
                     SLOTS_PER_TASK * sizeof(int32_t)
};

/* --- memory ------------------------------------------------------------------------------------*/

orr_tasks *orr_tasks_create(const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_tasks *tasks = orr_calloc(&alloc, 1, sizeof *tasks);
    if (!tasks) {
        orr_fail_memory(err, sizeof *tasks);
        return NULL;
    }
    tasks->alloc = alloc;
    return tasks;
}

void orr_tasks_destroy(orr_tasks *tasks)
{
    if (!tasks)
        return;
    orr_allocator alloc = tasks->alloc;
    orr_release(&alloc, tasks->terms, (size_t)tasks->capacity * BYTES_PER_TASK);
    orr_release(&alloc, tasks->times, (size_t)tasks->times_capacity * sizeof *tasks->times);
    orr_release(&alloc, tasks->text, tasks->text_capacity);
    orr_release(&alloc, tasks, sizeof *tasks);
}

/* Points the arrays into their block. */
static void lay_out(orr_tasks *tasks, orr_task_terms *block, int32_t capacity)
{
    tasks->terms = block;
    tasks->size = (double *)(void *)(block + capacity);
    tasks->parameter = tasks->size + capacity;
    tasks->sequential = tasks->parameter + capacity;
    tasks->table = (int64_t *)(void *)(tasks->sequential + capacity);
    tasks->profile = (orr_profile *)(void *)(tasks->table + capacity);
    tasks->columns = (int32_t *)(void *)(tasks->profile + capacity);
    tasks->id = (uint32_t *)(tasks->columns + capacity);
    tasks->slots = (int32_t *)(tasks->id + capacity);
    tasks->capacity = capacity;
}

static void copy_arrays(orr_tasks *to, const orr_tasks *from)
{
    size_t n = (size_t)from->count;
    memcpy(to->terms, from->terms, n * sizeof *to->terms);
    memcpy(to->size, from->size, n * sizeof *to->size);
    memcpy(to->parameter, from->parameter, n * sizeof *to->parameter);
    memcpy(to->sequential, from->sequential, n * sizeof *to->sequential);
    memcpy(to->table, from->table, n * sizeof *to->table);
    memcpy(to->profile, from->profile, n * sizeof *to->profile);
    memcpy(to->columns, from->columns, n * sizeof *to->columns);
    memcpy(to->id, from->id, n * sizeof *to->id);
}

/* --- ids ---------------------------------------------------------------------------------------*/

/* The slot of an id: the one that names its task, or the free one where it would go. FNV-1a, linear
 * probing; at most half of the slots are taken. */
static int32_t *find_slot(const orr_tasks *tasks, const char *id)
{
    uint32_t hash = 2166136261u, mask = SLOTS_PER_TASK * (uint32_t)tasks->capacity - 1;
    for (const char *c = id; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t at = (hash ^ hash >> 16) & mask;
    while (tasks->slots[at] != 0 && strcmp(orr_tasks_id(tasks, tasks->slots[at] - 1), id) != 0)
        at = (at + 1) & mask;
    return &tasks->slots[at];
}

const char *orr_tasks_id(const orr_tasks *tasks, int32_t task)
{
    return tasks->text + tasks->id[task];
}

int32_t orr_tasks_find(const orr_tasks *tasks, const char *id)
{
    return tasks->count == 0 ? -1 : *find_slot(tasks, id) - 1;
}

/* --- room --------------------------------------------------------------------------------------*/

static orr_status reserve_tasks(orr_tasks *tasks, int32_t count, orr_error *err)
{
    if (count <= tasks->capacity)
        return ORR_OK;
    if (count > MOST_TASKS)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than %d tasks", MOST_TASKS);
    int32_t capacity = FIRST_CAPACITY;
    while (capacity < count)
        capacity *= 2;
    size_t bytes = (size_t)capacity * BYTES_PER_TASK;
    orr_task_terms *block = orr_calloc(&tasks->alloc, (size_t)capacity, BYTES_PER_TASK);
    if (!block)
        return orr_fail_memory(err, bytes);
    orr_tasks old = *tasks;
    lay_out(tasks, block, capacity);
    if (old.count > 0)
        copy_arrays(tasks, &old);
    orr_release(&tasks->alloc, old.terms, (size_t)old.capacity * BYTES_PER_TASK);
    for (int32_t task = 0; task < tasks->count; task++)
        *find_slot(tasks, orr_tasks_id(tasks, task)) = task + 1;
    return ORR_OK;
}

static orr_status reserve_text(orr_tasks *tasks, size_t size, orr_error *err)
{
    if (size > UINT32_MAX)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than 4 GiB of task ids");
    return ori_reserve(&tasks->alloc, &tasks->text, &tasks->text_capacity, size, err);
}

static orr_status reserve_times(orr_tasks *tasks, int32_t columns, orr_error *err)
{
    int64_t need = tasks->times_count + columns;
    size_t capacity = (size_t)tasks->times_capacity * sizeof *tasks->times;
    char *block = (char *)tasks->times;
    orr_status status =
        ori_reserve(&tasks->alloc, &block, &capacity, (size_t)need * sizeof *tasks->times, err);
    tasks->times = (double *)(void *)block;
    tasks->times_capacity = (int64_t)(capacity / sizeof *tasks->times);
    return status;
}

orr_status ori_tasks_reserve(orr_tasks *tasks, int32_t count, size_t text, orr_error *err)
{
    orr_status status = reserve_text(tasks, text, err);
    return status == ORR_OK ? reserve_tasks(tasks, count, err) : status;
}

void ori_tasks_clear(orr_tasks *tasks)
{
    tasks->count = tasks->repaired = 0;
    tasks->times_count = 0;
    tasks->text_size = 0;
    if (tasks->capacity > 0)
        memset(tasks->slots, 0, SLOTS_PER_TASK * (size_t)tasks->capacity * sizeof *tasks->slots);
}

/* --- adding ------------------------------------------------------------------------------------*/

/* What is common to all profiles; on success only the caller's arrays are left to be filled, and
 * nothing can fail any more. */
static orr_status add_id(orr_tasks *tasks, const char *id, orr_error *err)
{
    char position[POSITION_SIZE];
    if (!id || *id == '\0') {
        snprintf(position, sizeof position, "%d", (int)(tasks->count + 1));
        id = position;
    }
    size_t length = strlen(id) + 1;
    orr_status status = reserve_text(tasks, tasks->text_size + length, err);
    if (status == ORR_OK)
        status = reserve_tasks(tasks, tasks->count + 1, err);
    if (status != ORR_OK)
        return status;
    int32_t *slot = find_slot(tasks, id);
    if (*slot != 0) {
        char quoted[ORI_QUOTED_SIZE];
        return orr_fail(err, ORR_ERR_ARGUMENT, "two tasks have the id %s",
                        ori_quote(id, length - 1, quoted));
    }
    memcpy(tasks->text + tasks->text_size, id, length);
    tasks->id[tasks->count] = (uint32_t)tasks->text_size;
    tasks->text_size += length;
    *slot = ++tasks->count;
    return ORR_OK;
}

/* The negated comparisons catch NaN too. */
static orr_status check_family(double size, orr_profile family, double parameter, orr_error *err)
{
    if (family != ORR_PROFILE_SYNTHETIC && family != ORR_PROFILE_AMDAHL &&
        family != ORR_PROFILE_POWER)
        return orr_fail(err, ORR_ERR_ARGUMENT, "a table of times is no family of profiles");
    if (!(size >= 2 && size <= ORR_TASK_LARGEST))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the size m of a task must be a number from 2 to %g, not %g",
                        ORR_TASK_LARGEST, size);
    if (!(parameter >= 0 && parameter <= 1))
        return orr_fail(err, ORR_ERR_ARGUMENT, "%s must be a number from 0 to 1, not %g",
                        family == ORR_PROFILE_POWER ? "the exponent e of a power profile"
                                                    : "the sequential fraction f",
                        parameter);
    return ORR_OK;
}

orr_status orr_tasks_add(orr_tasks *tasks, const char *id, double size, orr_profile family,
                         double parameter, orr_error *err)
{
    orr_status status = check_family(size, family, parameter, err);
    if (status == ORR_OK)
        status = add_id(tasks, id, err);
    if (status != ORR_OK)
        return status;
    int32_t task = tasks->count - 1;
    double log_size = log2(size), t1 = 2 * size * log_size;
    orr_task_terms terms = {t1, 0, 0};
    if (family != ORR_PROFILE_POWER)
        terms = (orr_task_terms){parameter * t1, (1 - parameter) * t1, log_size};
    tasks->terms[task] = terms;
    tasks->size[task] = size;
    tasks->profile[task] = family;
    tasks->parameter[task] = parameter + 0.0; /* -0 would be printed with its sign */
    tasks->table[task] = -1;
    tasks->columns[task] = 0;
    tasks->sequential[task] = orr_task_time(tasks, task, 1);
    return ORR_OK;
}

static orr_status check_table(double size, const double *times, int32_t columns, orr_error *err)
{
    if (columns < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "a task needs at least 1 time, not %d",
                        (int)columns);
    if (!(size >= 0 && size <= ORR_TASK_LARGEST))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the size m of a task must be a number from 0 to %g, not %g",
                        ORR_TASK_LARGEST, size);
    for (int32_t j = 0; j < columns; j++)
        if (!(times[j] > 0 && times[j] <= ORR_TASK_LARGEST))
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "the time on %d processor%s must be a number of seconds > 0 and at "
                            "most %g, not %g",
                            (int)j + 1, j == 0 ? "" : "s", ORR_TASK_LARGEST, times[j]);
    return ORR_OK;
}

/* Whether measured times break equation 1.1 or 1.2. Times of a perfect speedup, T / j, break 1.2 by
 * the rounding of their division; that is not counted. */
static bool is_irregular(const double *times, int32_t columns)
{
    for (int32_t j = 1; j < columns; j++)
        if (times[j] > times[j - 1] ||
            (j + 1.0) * times[j] < j * times[j - 1] * (1 - 4 * DBL_EPSILON))
            return true;
    return false;
}

/* spec/READINGS.md, 20. */
static void repair(double *times, int32_t columns)
{
    for (int32_t j = 1; j < columns; j++) {
        times[j] = fmin(times[j], times[j - 1]);
        times[j] = fmax(times[j], j * times[j - 1] / (j + 1.0));
    }
}

orr_status orr_tasks_add_table(orr_tasks *tasks, const char *id, double size, const double *times,
                               int32_t columns, orr_error *err)
{
    orr_status status = check_table(size, times, columns, err);
    if (status == ORR_OK)
        status = reserve_times(tasks, columns, err);
    if (status == ORR_OK)
        status = add_id(tasks, id, err);
    if (status != ORR_OK)
        return status;
    int32_t task = tasks->count - 1;
    double *own = tasks->times + tasks->times_count;
    memcpy(own, times, (size_t)columns * sizeof *own);
    tasks->repaired += is_irregular(own, columns);
    repair(own, columns);
    tasks->terms[task] = (orr_task_terms){0, 0, 0};
    tasks->size[task] = size + 0.0;
    tasks->profile[task] = ORR_PROFILE_TABLE;
    tasks->parameter[task] = 0;
    tasks->table[task] = tasks->times_count;
    tasks->columns[task] = columns;
    tasks->sequential[task] = own[0];
    tasks->times_count += columns;
    return ORR_OK;
}

static bool is_position(const char *id, int32_t task)
{
    char position[POSITION_SIZE];
    snprintf(position, sizeof position, "%d", (int)(task + 1));
    return strcmp(id, position) == 0;
}

static orr_status append_task(orr_tasks *tasks, const orr_tasks *more, int32_t from, orr_error *err)
{
    const char *id = orr_tasks_id(more, from);
    int32_t columns = more->columns[from], task = tasks->count;
    orr_status status = reserve_times(tasks, columns, err);
    if (status == ORR_OK)
        status = add_id(tasks, is_position(id, from) ? NULL : id, err);
    if (status != ORR_OK)
        return status;
    tasks->terms[task] = more->terms[from];
    tasks->size[task] = more->size[from];
    tasks->profile[task] = more->profile[from];
    tasks->parameter[task] = more->parameter[from];
    tasks->sequential[task] = more->sequential[from];
    tasks->columns[task] = columns;
    tasks->table[task] = columns > 0 ? tasks->times_count : -1;
    if (columns > 0)
        memcpy(tasks->times + tasks->times_count, more->times + more->table[from],
               (size_t)columns * sizeof *tasks->times);
    tasks->times_count += columns;
    return ORR_OK;
}

orr_status orr_tasks_append(orr_tasks *tasks, const orr_tasks *more, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t from = 0; status == ORR_OK && from < more->count; from++)
        status = append_task(tasks, more, from, err);
    if (status == ORR_OK)
        tasks->repaired += more->repaired;
    return status;
}

/* --- t(j) --------------------------------------------------------------------------------------*/

double orr_task_time(const orr_tasks *tasks, int32_t task, int32_t procs)
{
    const orr_task_terms *t = &tasks->terms[task];
    switch (tasks->profile[task]) {
    case ORR_PROFILE_SYNTHETIC:
        return t->fixed + t->shared / procs + tasks->size[task] / procs * t->log_size;
    case ORR_PROFILE_AMDAHL:
        return t->fixed + t->shared / procs;
    case ORR_PROFILE_POWER:
        return t->fixed / pow(procs, tasks->parameter[task]);
    case ORR_PROFILE_TABLE:
        break;
    }
    int32_t last = tasks->columns[task];
    return tasks->times[tasks->table[task] + (procs < last ? procs : last) - 1];
}
