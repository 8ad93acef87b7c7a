/* The size of the machine, which changes may set while tasks run. This file has all rules of
 * processors that leave and come; sim/processors.c only has the free pairs.
 *
 * Surplus processors leave as soon as they are free, the highest-numbered first; while tasks hold
 * them, `leaving` is the number that must still leave. With an odd size one processor stays without
 * its buddy and is not used. New processors take the lowest numbers that have left, then numbers
 * behind the last. */
#include "malleable/machine_internal.h"
#include "workload/faults_internal.h"

#include <math.h>

static orr_status note_change(orr_malleable *sim, orr_stints_what what, int32_t low, int32_t high,
                              orr_error *err)
{
    orr_stints_change change = {
        .what = what, .task = -1, .procs = sim->at.procs, .processors = {low, high}};
    return ori_record_change(sim, change, err);
}

/* --- processors leave ------------------------------------------------------------------------- */

static orr_status leave(orr_malleable *sim, int32_t low, int32_t high, orr_error *err)
{
    sim->at.free -= high - low + 1;
    sim->at.leaving -= high - low + 1;
    return note_change(sim, ORR_CHANGED_LEAVES, low, high, err);
}

static orr_status leave_alone(orr_malleable *sim, orr_error *err)
{
    int32_t odd = sim->at.odd;
    sim->at.odd = -1;
    return leave(sim, odd, odd, err);
}

static orr_status leave_pair(orr_malleable *sim, int32_t pair, orr_error *err)
{
    ori_processors_take_down(&sim->holdings, 0, pair, pair);
    if (sim->at.leaving > 1)
        return leave(sim, 2 * pair, 2 * pair + 1, err);
    sim->at.odd = 2 * pair;
    return leave(sim, 2 * pair + 1, 2 * pair + 1, err);
}

orr_status ori_machine_settle(orr_malleable *sim, orr_error *err)
{
    while (sim->at.leaving > 0) {
        int32_t pair = ori_processors_highest_free(&sim->holdings, 0);
        bool alone = sim->at.odd >= 0 && (sim->at.leaving == 1 || sim->at.odd > 2 * pair + 1);
        if (!alone && pair < 0)
            return ORR_OK;
        ORI_TRY(alone ? leave_alone(sim, err) : leave_pair(sim, pair, err));
    }
    return ORR_OK;
}

/* --- processors come -------------------------------------------------------------------------- */

static orr_status come(orr_malleable *sim, int32_t low, int32_t high, orr_error *err)
{
    sim->at.free += high - low + 1;
    if (high >= sim->at.numbered) {
        ORI_TRY(ori_faults_grow(sim->faults, high + 1 - sim->at.numbered, sim->shell.now, err));
        sim->at.numbered = high + 1;
    }
    return note_change(sim, ORR_CHANGED_COMES, low, high, err);
}

static orr_status come_to_the_odd(orr_malleable *sim, orr_error *err)
{
    int32_t odd = sim->at.odd;
    sim->at.odd = -1;
    ori_processors_bring_up(&sim->holdings, 0, odd / 2, odd / 2);
    return come(sim, odd + 1, odd + 1, err);
}

static orr_status come_more(orr_malleable *sim, int32_t more, orr_error *err)
{
    if (more > 0 && sim->at.odd >= 0) {
        ORI_TRY(come_to_the_odd(sim, err));
        more--;
    }
    for (int32_t pair = 0; more > 0; pair++) {
        while (pair < sim->pairs && sim->holdings.holder[pair] != ORI_DOWN)
            pair++;
        ORI_CHECK(&sim->shell, pair < sim->pairs, err);
        if (more > 1) {
            ori_processors_bring_up(&sim->holdings, 0, pair, pair);
            ORI_TRY(come(sim, 2 * pair, 2 * pair + 1, err));
            more -= 2;
        } else {
            sim->at.odd = 2 * pair;
            ORI_TRY(come(sim, sim->at.odd, sim->at.odd, err));
            more = 0;
        }
    }
    return ORR_OK;
}

/* --- both ------------------------------------------------------------------------------------- */

bool ori_machine_is_down(const orr_malleable *sim, int32_t processor)
{
    int32_t pair = processor / 2;
    return processor != sim->at.odd &&
           (pair >= sim->pairs || sim->holdings.holder[pair] == ORI_DOWN);
}

orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, double until, orr_error *err)
{
    int32_t present = ori_machine_present(sim);
    sim->at.undo_to = sim->at.procs;
    sim->at.undo_at = until;
    sim->at.procs = procs;
    sim->at.leaving = present > procs ? present - procs : 0;
    ori_costs_resize(&sim->costs, procs);
    ORI_TRY(note_change(sim, ORR_CHANGED_SIZE, 0, -1, err));
    return present > procs ? ori_machine_settle(sim, err) : come_more(sim, procs - present, err);
}

/* --- how the processors are spread after each instant ----------------------------------------- */

/* RR-8795, figure 9; no event needs it. Two passes: the difference of large sums would cost the
 * digits of a small deviation. */
static void spread_moment(const orr_malleable *sim, orr_moment *moment)
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
    if (same) /* something was added to a recorded instant */
        list->count--;
    ORI_TRY(ORI_RESERVE(&sim->shell.alloc, &list->items, &list->room, list->count + 1, err));
    orr_moment *moment = &list->items[list->count++];
    *moment = (orr_moment){.time = sim->shell.now,
                           .expected = sim->finish[ori_latest(sim)],
                           .running = sim->at.running};
    spread_moment(sim, moment);
    return ORR_OK;
}
