/* The plan of a group for one decision: running jobs, down processors, and the reservations of the
 * decision. A plan counts processors as long as counting is enough. Where windows are known it
 * counts until one of its searches reaches a window: then the reservations of this decision bind to
 * particular processors, in order of their starts, and the plan goes on with these (READINGS 48).
 * Where jobs have a placement a plan has particular processors from the beginning. */
#include "rigid/disciplines_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"

/* --- counted ---------------------------------------------------------------------------------- */

void ori_rigid_make_plan(orr_rigid *sim, ori_group *g)
{
    ori_plan_make(&g->plan, &g->planned, sim->shell.now, g->at.free);
}

static void need_counted(orr_rigid *sim, ori_group *g)
{
    if (g->plan_valid)
        return;
    ori_rigid_make_plan(sim, g);
    g->plan_valid = true;
    g->kept = false;
    g->plan_reservations = 0;
    if (g->placed)
        g->placed->counted_count = 0;
}

bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job)
{
    int32_t procs = sim->jobs->procs[job], step;
    if (procs > g->at.free)
        return false;
    need_counted(sim, g);
    ori_plan_earliest(&g->plan, procs, sim->estimate[job], sim->in->verification, &step);
    return step == 0; /* a later step at this time is after the end of jobs that take no time */
}

static inline ori_slot find_counted(orr_rigid *sim, ori_group *g, const ori_wish *wish)
{
    int32_t step;
    need_counted(sim, g);
    double start =
        ori_plan_earliest(&g->plan, wish->procs, wish->estimate, wish->verification, &step);
    return (ori_slot){start, step};
}

/* --- which of both ---------------------------------------------------------------------------- */

double ori_rigid_horizon(const orr_rigid *sim, const ori_group *g)
{
    return g->placed
               ? ori_windows_horizon(&sim->outages.windows, g->first, g->procs, sim->shell.now)
               : INFINITY;
}

bool ori_rigid_counts(const orr_rigid *sim, const ori_group *g)
{
    return !g->placed || (g->has_plan && g->policy.place == ORR_PLACE_ANY && !g->placed->valid &&
                          !g->placed->names && ori_rigid_horizon(sim, g) > sim->shell.now);
}

/* Binds the reservations of this decision to particular processors. One that finds none at its
 * start, because the policy has started jobs in spite of the plan, moves to a later start. */
static orr_status bind(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_placed *p = g->placed;
    ori_counted *scratch;
    int32_t count = g->plan_valid ? p->counted_count : 0, made = count ? g->plan_reservations : 0;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(scratch, count + 1));
    ORI_TRY(ori_rigid_need_named(sim, g, err));
    if (count > 0)
        ori_sort(p->counted, count, sizeof *p->counted, ori_is_less, scratch);
    for (int32_t i = 0; i < count; i++) {
        const ori_counted *c = &p->counted[i];
        int64_t step;
        ORI_TRY(ori_named_at(&p->plan, &c->wish, c->start, ori_place_find, &p->place, &step, err));
        if (step < 0)
            ORI_TRY(ori_named_earliest(&p->plan, &c->wish, ori_place_find, &p->place, &step, err));
        if (step >= 0)
            ORI_TRY(ori_named_take_at(&p->plan, step, ori_wish_end(&c->wish, p->plan.time[step]),
                                      &p->place.found, err));
    }
    g->plan_reservations = made;
    g->plan_valid = false;
    return ORR_OK;
}

/* --- the questions of a decision -------------------------------------------------------------- */

orr_status ori_rigid_find_slot(orr_rigid *sim, ori_group *g, const ori_wish *wish, ori_slot *slot,
                               orr_error *err)
{
    if (ori_rigid_counts(sim, g)) {
        *slot = find_counted(sim, g, wish);
        if (!g->placed || !ori_slot_reaches(slot, wish, ori_rigid_horizon(sim, g)))
            return ORR_OK;
        ORI_TRY(bind(sim, g, err));
    }
    ori_placed *p = g->placed;
    ORI_TRY(ori_rigid_need_named(sim, g, err));
    ORI_TRY(ori_named_earliest(&p->plan, wish, ori_place_find, &p->place, &slot->step, err));
    slot->start = slot->step < 0 ? INFINITY : p->plan.time[slot->step];
    return ORR_OK;
}

orr_status ori_rigid_find_slot_now(orr_rigid *sim, ori_group *g, const ori_wish *wish,
                                   ori_slot *slot, orr_error *err)
{
    bool found;
    if (ori_rigid_counts(sim, g)) {
        *slot = find_counted(sim, g, wish);
        if (slot->step > 0)
            slot->step = -1;
        if (slot->step < 0 || !g->placed ||
            !ori_slot_reaches(slot, wish, ori_rigid_horizon(sim, g)))
            return ORR_OK;
        ORI_TRY(bind(sim, g, err));
    }
    ori_placed *p = g->placed;
    ORI_TRY(ori_rigid_need_named(sim, g, err));
    ORI_TRY(ori_named_starts_now(&p->plan, wish, ori_place_find, &p->place, &found, err));
    *slot = (ori_slot){sim->shell.now, found ? 0 : -1};
    return ORR_OK;
}

static orr_status note_counted(ori_placed *p, const ori_wish *wish, double start, orr_error *err)
{
    if (!p)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&p->alloc, &p->counted, &p->counted_capacity, p->counted_count + 1, err));
    p->counted[p->counted_count++] = (ori_counted){start, *wish};
    return ORR_OK;
}

orr_status ori_rigid_take_slot(ori_group *g, const ori_wish *wish, const ori_slot *slot,
                               orr_error *err)
{
    if (slot->step < 0)
        return ORR_OK;
    double end = ori_wish_end(wish, slot->start);
    if (g->placed && g->placed->valid)
        return ori_named_take_at(&g->placed->plan, slot->step, end, &g->placed->place.found, err);
    ori_plan_reserve(&g->plan, (int32_t)slot->step, end, wish->procs);
    return slot->start < INFINITY ? note_counted(g->placed, wish, slot->start, err) : ORR_OK;
}

orr_status ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                     orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    ori_slot slot;
    if (ORR_LIKELY(!g->placed))
        slot = find_counted(sim, g, &wish);
    else
        ORI_TRY(ori_rigid_find_slot(sim, g, &wish, &slot, err));
    g->plan_reservations++;
    if (ORR_UNLIKELY(sim->reservations))
        sim->reservations[job] = slot.start;
    *start = slot.start;
    return ori_rigid_take_slot(g, &wish, &slot, err);
}
