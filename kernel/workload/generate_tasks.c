/* Generated tasks. */
#include "tasks_internal.h"

#include "base/draw.h"

enum { LONGEST_ID = sizeof "1073741824" };

orr_synthetic_tasks orr_synthetic_tasks_default(void)
{
    return (orr_synthetic_tasks){100, 1.5e6, 2.5e6, 0.08};
}

/* The negated comparisons catch NaN too. */
static orr_status check_options(const orr_synthetic_tasks *o, orr_error *err)
{
    if (o->count < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "the number of tasks must be >= 1, not %d",
                        (int)o->count);
    if (!(o->min_size >= 2 && o->max_size >= o->min_size && o->max_size <= ORR_TASK_LARGEST))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "m must be between two numbers, 2 <= first <= second <= %g, not %g and %g",
                        ORR_TASK_LARGEST, o->min_size, o->max_size);
    if (!(o->sequential >= 0 && o->sequential <= 1))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the sequential fraction f must be a number from 0 to 1, not %g",
                        o->sequential);
    return ORR_OK;
}

orr_status orr_generate_tasks(orr_tasks *tasks, const orr_synthetic_tasks *options, uint64_t seed,
                              uint64_t set, uint64_t run, orr_error *err)
{
    orr_status status = check_options(options, err);
    if (status == ORR_OK)
        status = ori_tasks_reserve(tasks, options->count, (size_t)options->count * LONGEST_ID, err);
    if (status != ORR_OK)
        return status;
    ori_tasks_clear(tasks);
    orr_stream_key key = orr_stream_key_make(seed, set, run, ORR_PURPOSE_WORKLOAD);
    for (int32_t i = 0; i < options->count && status == ORR_OK; i++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)i);
        double size = orr_draw_uniform(&rng, options->min_size, options->max_size);
        status = orr_tasks_add(tasks, NULL, size, ORR_PROFILE_SYNTHETIC, options->sequential, err);
    }
    return status;
}
