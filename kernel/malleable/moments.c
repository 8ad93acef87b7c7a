/* How the processors are spread after each instant: what a recording keeps beside the stints. */
#include "malleable/moments_internal.h"

#include "malleable/machine_internal.h"

#include <math.h>
#include <string.h>

void *ori_log_add(ori_log *log, const orr_allocator *a, orr_error *err)
{
    if (log->count == log->capacity) {
        int64_t capacity = log->capacity > 0 ? 2 * log->capacity : 64;
        size_t bytes = (size_t)capacity * log->size;
        void *grown = log->items
                          ? orr_resize(a, log->items, (size_t)log->capacity * log->size, bytes)
                          : orr_alloc(a, bytes);
        if (!grown) {
            orr_fail_memory(err, bytes);
            return NULL;
        }
        log->items = grown;
        log->capacity = capacity;
    }
    return (char *)log->items + (size_t)log->count++ * log->size;
}

orr_status ori_log_copy(ori_log *to, const ori_log *from, const orr_allocator *a, orr_error *err)
{
    to->size = from->size;
    if (from->count == 0)
        return ORR_OK;
    size_t bytes = (size_t)from->count * from->size;
    to->items = orr_alloc(a, bytes);
    if (!to->items)
        return orr_fail_memory(err, bytes);
    memcpy(to->items, from->items, bytes);
    to->count = to->capacity = from->count;
    return ORR_OK;
}

void ori_log_free(ori_log *log, const orr_allocator *a)
{
    orr_release(a, log->items, (size_t)log->capacity * log->size);
    log->items = NULL;
}

/* Two passes: the difference of large sums would cost the digits of a small deviation. */
static void spread(const orr_malleable *sim, orr_moment *moment)
{
    double squares = 0;
    moment->mean = (double)(ori_machine_present(sim) - sim->at.free) / sim->at.running;
    for (int32_t i = 0; i < sim->count; i++)
        if (sim->held[i] > 0)
            squares += (sim->held[i] - moment->mean) * (sim->held[i] - moment->mean);
    moment->deviation = sqrt(squares / sim->at.running);
}

orr_status ori_note_moment(orr_malleable *sim, orr_error *err)
{
    if (!sim->shell.record || sim->at.running == 0)
        return ORR_OK;
    orr_moment *last = sim->moments.items;
    bool same = sim->moments.count > 1 && last[sim->moments.count - 1].time == sim->shell.now;
    if (same) /* an instant that something was added to */
        sim->moments.count--;
    orr_moment *moment = ori_log_add(&sim->moments, &sim->shell.alloc, err);
    if (!moment)
        return ORR_ERR_MEMORY;
    *moment = (orr_moment){.time = sim->shell.now,
                           .expected = sim->finish[ori_latest(sim)],
                           .running = sim->at.running};
    spread(sim, moment);
    return ORR_OK;
}
