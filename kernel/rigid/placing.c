/* The plan of a group in which jobs ask for particular processors, and the search for these
 * processors. For other groups this is in planning.c. */
#include "rigid/disciplines_internal.h"

#include "rigid/attempts_internal.h"

#include "base/sort_internal.h"

/* --- the plan --------------------------------------------------------------------------------- */

static void await(ori_placed *p, int32_t *count, double time, orr_interval run)
{
    run.low -= p->place.first;
    run.high -= p->place.first;
    p->awaited[(*count)++] = (ori_awaited){time, run};
}

/* The time at which a processor that a job holds is free: drained ones come back later than the job
 * ends. */
static double free_at(const orr_rigid *sim, double end, int32_t processor)
{
    return sim->outages.any ? ori_later(end, sim->outages.drained_until[processor]) : end;
}

/* Adds the processors of a running job. With `lasts`, a job that takes no time holds them until the
 * next double. */
static void await_job(const orr_rigid *sim, ori_placed *p, int32_t *count, int32_t job, bool lasts)
{
    const ori_processors *held = &sim->processors;
    double end = sim->planned_end[job];
    if (lasts && !(end > sim->start[job]))
        end = nextafter(sim->start[job], INFINITY);
    for (int32_t i = held->head[job]; i >= 0;) {
        orr_interval all = ori_processors_next_run(held, &i);
        for (int32_t k = all.low; k <= all.high;) {
            orr_interval run = {k, k};
            double time = free_at(sim, end, k);
            while (++k <= all.high && free_at(sim, end, k) == time)
                run.high++;
            await(p, count, time, run);
        }
    }
}

static void await_down(const orr_rigid *sim, const ori_group *g, int32_t *count)
{
    const double *until = sim->outages.down_until;
    for (int32_t i = g->first, end = g->first + g->procs; i < end; i++) {
        if (!ori_is_down(sim, i))
            continue;
        orr_interval run = {i, i};
        while (run.high + 1 < end && ori_is_down(sim, run.high + 1) &&
               until[run.high + 1] == until[i])
            run.high++;
        await(g->placed, count, until[i], run);
        i = run.high;
    }
}

orr_status ori_rigid_make_named(orr_rigid *sim, ori_group *g, bool lasts, orr_error *err)
{
    ori_placed *p = g->placed;
    const orr_procset *free = &sim->processors.free[g->index];
    int32_t count = 0;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload;
        if (ori_group_of(sim, job) == g)
            await_job(sim, p, &count, job, lasts);
    }
    if (g->at.down > 0)
        await_down(sim, g, &count);
    ori_sort(p->awaited, count, sizeof *p->awaited, ori_is_less, p->scratch);
    ORI_TRY(ori_named_begin(&p->plan, sim->shell.now, free->intervals, free->count, err));
    for (int32_t i = 0; i < count && p->awaited[i].time < INFINITY; i++)
        ORI_TRY(ori_named_append(&p->plan, p->awaited[i].time, p->awaited[i].run,
                                 lasts && p->awaited[i].time <= sim->shell.now, err));
    p->seen = (ori_windows_seen){&sim->outages.windows, &p->plan, g->first, 0};
    return ori_windows_take(&p->seen, err);
}

/* --- searches --------------------------------------------------------------------------------- */

ori_wish ori_rigid_wish(const orr_rigid *sim, int32_t job, bool lasts)
{
    return (ori_wish){.job = job,
                      .procs = sim->jobs->procs[job],
                      .estimate = sim->estimate[job],
                      .verification = sim->in->verification,
                      .lasts = lasts};
}

orr_status ori_rigid_need_named(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (g->placed->valid)
        return ORR_OK;
    ORI_TRY(ori_rigid_make_named(sim, g, false, err));
    g->placed->valid = true;
    g->plan_reservations = 0;
    return ORR_OK;
}

/* Finds processors among those that are free now, without regard to plans, and that windows leave
 * free until `end`. */
static orr_status find_free(const orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                            double end, bool *found, orr_error *err)
{
    ori_placed *p = g->placed;
    const orr_procset *free = &sim->processors.free[g->index];
    uint64_t *set = ori_named_set(&p->plan, free->intervals, free->count);
    const ori_stay stay = {sim->jobs, wish->job, sim->shell.now, end};
    ori_placed_withhold(p, &stay, set);
    *found = false;
    return wish->procs <= g->at.free ? ori_place_find(&p->place, wish, set, found, err) : ORR_OK;
}

orr_status ori_rigid_find_free(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                               orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    return find_free(sim, g, &wish, ori_wish_end(&wish, sim->shell.now), found, err);
}

orr_status ori_rigid_find_now(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                              orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    ORI_TRY(ori_rigid_find_free(sim, g, job, found, err));
    return *found ? ORR_OK : find_free(sim, g, &wish, sim->shell.now, found, err);
}

orr_status ori_rigid_take_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_placed *p = g->placed;
    ori_wish wish = ori_rigid_wish(sim, job, false);
    double now = sim->shell.now;
    return p && p->valid
               ? ori_named_take_at(&p->plan, 0, ori_wish_end(&wish, now), &p->place.found, err)
               : ORR_OK;
}
