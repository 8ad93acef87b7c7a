/* Sets of tasks: columns that grow, found by their ids, with the profiles that give their times;
 * and generated sets. */
#include "workload/tasks.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/draw.h"
#include "base/print_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"
#include "workload/labels_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MOST_TASKS = 1 << 30, POSITION_SIZE = 16 };

/* --- memory ------------------------------------------------------------------------------------*/

orr_tasks *orr_tasks_create(const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_tasks *tasks = ori_new(&alloc, sizeof *tasks, err);
    if (tasks)
        tasks->alloc = tasks->ids.alloc = alloc;
    return tasks;
}

void orr_tasks_destroy(orr_tasks *tasks)
{
    if (!tasks)
        return;
    orr_allocator alloc = tasks->alloc;
    orr_release(&alloc, tasks->terms, tasks->block_size);
    ORI_FREE(&alloc, &tasks->times, &tasks->times_capacity);
    orr_labels_destroy(&tasks->ids);
    orr_release(&alloc, tasks, sizeof *tasks);
}

/* --- ids ---------------------------------------------------------------------------------------*/

const char *orr_tasks_id(const orr_tasks *tasks, int32_t task)
{
    return ORI_IS_IN(task, tasks->count) ? orr_labels_text(&tasks->ids, task + 1) : NULL;
}

int32_t orr_tasks_find(const orr_tasks *tasks, const char *id)
{
    return orr_labels_find(&tasks->ids, id) - 1;
}

/* --- room --------------------------------------------------------------------------------------*/

static orr_status reserve_tasks(orr_tasks *tasks, int32_t count, orr_error *err)
{
    if (count <= tasks->capacity)
        return ORR_OK;
    ORI_REFUSE(count > MOST_TASKS, err, "more than %d tasks", MOST_TASKS);
    int32_t capacity = FIRST_CAPACITY;
    while (capacity < count)
        capacity *= 2;
    ori_block block = {.memory = tasks->terms, .size = tasks->block_size};
    const ori_part parts[] = {ORI_PART(tasks->terms, 1),     ORI_PART(tasks->size, 1),
                              ORI_PART(tasks->parameter, 1), ORI_PART(tasks->sequential, 1),
                              ORI_PART(tasks->table, 1),     ORI_PART(tasks->profile, 1),
                              ORI_PART(tasks->columns, 1)};
    ORI_TRY(ORI_BLOCK_GROW(&block, parts, (size_t)tasks->count, (size_t)tasks->capacity,
                           (size_t)capacity, &tasks->alloc, err));
    tasks->block_size = block.size;
    tasks->capacity = capacity;
    return ORR_OK;
}

/* --- adding ------------------------------------------------------------------------------------*/

/* The common part of all profiles. After it only the caller's arrays are to be filled, which cannot
 * fail. */
static orr_status add_id(orr_tasks *tasks, const char *id, orr_error *err)
{
    char position[POSITION_SIZE];
    if (!id || *id == '\0') {
        snprintf(position, sizeof position, "%d", (int)(tasks->count + 1));
        id = position;
    }
    int32_t number;
    ORI_TRY(reserve_tasks(tasks, tasks->count + 1, err));
    ORI_TRY(orr_labels_number(&tasks->ids, id, strlen(id), &number, err));
    char quoted[ORI_QUOTED_SIZE];
    ORI_REFUSE(number <= tasks->count, err, "two tasks have the id %s",
               ori_quote(id, strlen(id), quoted));
    tasks->count++;
    return ORR_OK;
}

/* Fills the row of the last task; its times, where it has a table, are already stored. */
static void fill_last(orr_tasks *tasks, double size, orr_profile profile, double parameter,
                      orr_task_terms terms, int32_t columns)
{
    int32_t task = tasks->count - 1;
    tasks->terms[task] = terms;
    tasks->size[task] = size + 0.0; /* -0 would be printed with its sign */
    tasks->profile[task] = profile;
    tasks->parameter[task] = parameter + 0.0;
    tasks->table[task] = columns > 0 ? tasks->times_count : -1;
    tasks->columns[task] = columns;
    tasks->times_count += columns;
    tasks->sequential[task] = orr_task_time(tasks, task, 1);
}

/* The negated comparisons catch NaN too. */
static orr_status check_family(double size, orr_profile family, double parameter, orr_error *err)
{
    ORI_REFUSE(family != ORR_PROFILE_SYNTHETIC && family != ORR_PROFILE_AMDAHL &&
                   family != ORR_PROFILE_POWER,
               err, "a table of times is no family of profiles");
    ORI_REFUSE(!(size >= 2 && size <= ORR_TASK_LARGEST), err,
               "the size m of a task must be a number from 2 to %g, not %g", ORR_TASK_LARGEST,
               size);
    ORI_REFUSE(!(parameter >= 0 && parameter <= 1), err, "%s must be a number from 0 to 1, not %g",
               family == ORR_PROFILE_POWER ? "the exponent e of a power profile"
                                           : "the sequential fraction f",
               parameter);
    return ORR_OK;
}

orr_status orr_tasks_add(orr_tasks *tasks, const char *id, double size, orr_profile family,
                         double parameter, orr_error *err)
{
    ORI_TRY(check_family(size, family, parameter, err));
    ORI_TRY(add_id(tasks, id, err));
    double log_size = log2(size), t1 = 2 * size * log_size;
    orr_task_terms terms = {t1, 0, 0};
    if (family != ORR_PROFILE_POWER)
        terms = (orr_task_terms){parameter * t1, (1 - parameter) * t1, log_size};
    fill_last(tasks, size, family, parameter, terms, 0);
    return ORR_OK;
}

static orr_status check_table(double size, const double *times, int32_t columns, orr_error *err)
{
    ORI_REFUSE(columns < 1, err, "a task needs at least 1 time, not %d", (int)columns);
    ORI_REFUSE(!(size >= 0 && size <= ORR_TASK_LARGEST), err,
               "the size m of a task must be a number from 0 to %g, not %g", ORR_TASK_LARGEST,
               size);
    for (int32_t j = 0; j < columns; j++)
        ORI_REFUSE(!(times[j] > 0 && times[j] <= ORR_TASK_LARGEST), err,
                   "the time on %d processor%s must be a number of seconds > 0 and at "
                   "most %g, not %g",
                   (int)j + 1, j == 0 ? "" : "s", ORR_TASK_LARGEST, times[j]);
    return ORR_OK;
}

/* Whether measured times break equation 1.1 or 1.2. Times of a perfect speedup, T / j, break 1.2
 * only by the rounding of the division; such breaks are not counted. */
static bool is_irregular(const double *times, int32_t columns)
{
    for (int32_t j = 1; j < columns; j++)
        if (times[j] > times[j - 1] ||
            (j + 1.0) * times[j] < j * times[j - 1] * (1 - 4 * DBL_EPSILON))
            return true;
    return false;
}

/* spec/READINGS.md, 20. */
static void repair_times(double *times, int32_t columns)
{
    for (int32_t j = 1; j < columns; j++) {
        times[j] = fmin(times[j], times[j - 1]);
        times[j] = fmax(times[j], j * times[j - 1] / (j + 1.0));
    }
}

orr_status orr_tasks_add_table(orr_tasks *tasks, const char *id, double size, const double *times,
                               int32_t columns, orr_error *err)
{
    ORI_TRY(check_table(size, times, columns, err));
    ORI_TRY(ORI_RESERVE(&tasks->alloc, &tasks->times, &tasks->times_capacity,
                        tasks->times_count + columns, err));
    ORI_TRY(add_id(tasks, id, err));
    double *own = tasks->times + tasks->times_count;
    memcpy(own, times, (size_t)columns * sizeof *own);
    tasks->repaired += is_irregular(own, columns);
    repair_times(own, columns);
    fill_last(tasks, size, ORR_PROFILE_TABLE, 0, (orr_task_terms){0, 0, 0}, columns);
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
    int32_t columns = more->columns[from];
    ORI_TRY(ORI_RESERVE(&tasks->alloc, &tasks->times, &tasks->times_capacity,
                        tasks->times_count + columns, err));
    ORI_TRY(add_id(tasks, is_position(id, from) ? NULL : id, err));
    if (columns > 0)
        memcpy(tasks->times + tasks->times_count, more->times + more->table[from],
               (size_t)columns * sizeof *tasks->times);
    fill_last(tasks, more->size[from], more->profile[from], more->parameter[from],
              more->terms[from], columns);
    return ORR_OK;
}

orr_status orr_tasks_append(orr_tasks *tasks, const orr_tasks *more, orr_error *err)
{
    for (int32_t from = 0; from < more->count; from++)
        ORI_TRY(append_task(tasks, more, from, err));
    tasks->repaired += more->repaired;
    return ORR_OK;
}

/* --- t(j) --------------------------------------------------------------------------------------*/

double orr_task_time(const orr_tasks *tasks, int32_t task, int32_t procs)
{
    if (ORR_UNLIKELY(!ORI_IS_IN(task, tasks->count) || procs < 1))
        return NAN;
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

/* --- generated sets ----------------------------------------------------------------------------*/

enum { LONGEST_ID = sizeof "1073741824" };

orr_synthetic_tasks orr_synthetic_tasks_default(void)
{
    return (orr_synthetic_tasks){100, 1.5e6, 2.5e6, 0.08};
}

/* The negated comparisons catch NaN too. */
static orr_status check_options(const orr_synthetic_tasks *o, orr_error *err)
{
    ORI_REFUSE(o->count < 1, err, "the number of tasks must be >= 1, not %d", (int)o->count);
    ORI_REFUSE(!(o->min_size >= 2 && o->max_size >= o->min_size && o->max_size <= ORR_TASK_LARGEST),
               err, "m must be between two numbers, 2 <= first <= second <= %g, not %g and %g",
               ORR_TASK_LARGEST, o->min_size, o->max_size);
    ORI_REFUSE(!(o->sequential >= 0 && o->sequential <= 1), err,
               "the sequential fraction f must be a number from 0 to 1, not %g", o->sequential);
    return ORR_OK;
}

orr_status orr_generate_tasks(orr_tasks *tasks, const orr_synthetic_tasks *options, uint64_t seed,
                              uint64_t set, uint64_t run, orr_error *err)
{
    ORI_TRY(check_options(options, err));
    ORI_TRY(
        ori_labels_reserve(&tasks->ids, options->count, (size_t)options->count * LONGEST_ID, err));
    ORI_TRY(reserve_tasks(tasks, options->count, err));
    tasks->count = tasks->repaired = 0;
    tasks->times_count = 0;
    ori_labels_clear(&tasks->ids);
    orr_stream_key key = orr_stream_key_make(seed, set, run, ORR_PURPOSE_WORKLOAD);
    for (int32_t i = 0; i < options->count; i++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)i);
        double size = orr_draw_uniform(&rng, options->min_size, options->max_size);
        ORI_TRY(orr_tasks_add(tasks, NULL, size, ORR_PROFILE_SYNTHETIC, options->sequential, err));
    }
    return ORR_OK;
}
