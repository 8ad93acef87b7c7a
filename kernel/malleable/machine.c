/* The size of the machine, which somebody may change while tasks run. All rules of who leaves and
 * who comes are here; sim/processors.c only knows which pairs are free.
 *
 * Processors that are too many leave as soon as they are free, the highest-numbered first; as long
 * as tasks hold all of them, `leaving` says how many have still to go. An odd one out stays alone,
 * without its buddy, and is of no use. Processors that come take the lowest numbers that are not
 * there: of such as have left, then behind the last. */
#include "malleable/machine_internal.h"
#include "workload/faults_internal.h"

#include "malleable/record_internal.h"

static orr_status note(orr_malleable *sim, orr_stints_what what, int32_t low, int32_t high,
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
    return note(sim, ORR_CHANGED_LEAVES, low, high, err);
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
    orr_status status = ORR_OK;
    while (status == ORR_OK && sim->at.leaving > 0) {
        int32_t pair = ori_processors_highest_free(&sim->holdings, 0);
        bool alone = sim->at.odd >= 0 && (sim->at.leaving == 1 || sim->at.odd > 2 * pair + 1);
        if (!alone && pair < 0)
            return ORR_OK;
        status = alone ? leave_alone(sim, err) : leave_pair(sim, pair, err);
    }
    return status;
}

/* --- processors come -------------------------------------------------------------------------- */

static orr_status come(orr_malleable *sim, int32_t low, int32_t high, orr_error *err)
{
    sim->at.free += high - low + 1;
    if (high >= sim->at.numbered) {
        orr_status status =
            ori_faults_grow(sim->faults, high + 1 - sim->at.numbered, sim->shell.now, err);
        if (status != ORR_OK)
            return status;
        sim->at.numbered = high + 1;
    }
    return note(sim, ORR_CHANGED_COMES, low, high, err);
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
    orr_status status = ORR_OK;
    if (more > 0 && sim->at.odd >= 0) {
        status = come_to_the_odd(sim, err);
        more--;
    }
    for (int32_t pair = 0; status == ORR_OK && more > 0; pair++) {
        while (pair < sim->pairs && sim->holdings.holder[pair] != ORI_DOWN)
            pair++;
        ORI_CHECK(&sim->shell, pair < sim->pairs, err);
        if (more > 1) {
            ori_processors_bring_up(&sim->holdings, 0, pair, pair);
            status = come(sim, 2 * pair, 2 * pair + 1, err);
            more -= 2;
        } else {
            sim->at.odd = 2 * pair;
            status = come(sim, sim->at.odd, sim->at.odd, err);
            more = 0;
        }
    }
    return status;
}

/* --- both ------------------------------------------------------------------------------------- */

bool ori_machine_is_down(const orr_malleable *sim, int32_t processor)
{
    int32_t pair = processor / 2;
    return processor != sim->at.odd &&
           (pair >= sim->pairs || sim->holdings.holder[pair] == ORI_DOWN);
}

orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, orr_error *err)
{
    int32_t present = ori_machine_present(sim);
    sim->at.procs = procs;
    sim->at.leaving = present > procs ? present - procs : 0;
    ori_costs_resize(&sim->costs, procs);
    orr_status status = note(sim, ORR_CHANGED_SIZE, 0, -1, err);
    if (status != ORR_OK)
        return status;
    return present > procs ? ori_machine_settle(sim, err) : come_more(sim, procs - present, err);
}

orr_status ori_machine_undo(orr_malleable *sim, orr_error *err)
{
    sim->at.undo_at = INFINITY;
    return ori_machine_resize(sim, sim->at.undo_to, err);
}
