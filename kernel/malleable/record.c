/* How the processors are spread after each instant (RR-8795, figure 9): no event needs it. */
#include "malleable/record_internal.h"

#include "malleable/machine_internal.h"

#include <math.h>

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

orr_status ori_record_moment(orr_malleable *sim, orr_error *err)
{
    if (!sim->shell.record || sim->at.running == 0)
        return ORR_OK;
    ori_moment_list *list = &sim->moments;
    bool same = list->count > 1 && list->items[list->count - 1].time == sim->shell.now;
    if (same) /* an instant that something was added to */
        list->count--;
    if (ORI_RESERVE(&sim->shell.alloc, &list->items, &list->room, list->count + 1, err) != ORR_OK)
        return ORR_ERR_MEMORY;
    orr_moment *moment = &list->items[list->count++];
    *moment = (orr_moment){.time = sim->shell.now,
                           .expected = sim->finish[ori_latest(sim)],
                           .running = sim->at.running};
    spread(sim, moment);
    return ORR_OK;
}
