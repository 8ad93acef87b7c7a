/* R-LIST(m), strict FCFS and R-SHELF(b) where jobs ask for particular processors (READINGS 46). The
 * decisions are those of disciplines.c, with two differences: a job fits only if it finds a set of
 * processors, and a reservation holds such a set. */
#include "rigid/disciplines_internal.h"

#include "rigid/attempts_internal.h"

/* --- without reservations --------------------------------------------------------------------- */

/* Starts, in the order of q from `rank` on, every job that finds processors among the free ones,
 * or, if `strict`, only those before the first that does not. */
static orr_status start_all(orr_rigid *sim, ori_group *g, const ori_queue *q, int32_t rank,
                            bool strict, orr_error *err)
{
    while ((rank = ori_queue_next_fit(q, rank, strict ? ORI_ANY_WIDTH : g->at.free)) >= 0) {
        int32_t job = q->job_at[rank++];
        bool found;
        ORI_TRY(ori_rigid_find_free(sim, g, job, &found, err));
        if (found)
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
        else if (strict)
            return ORR_OK;
    }
    return ORR_OK;
}

/* --- with reservations ------------------------------------------------------------------------ */

/* Starts a job if it can start now, beside the reservations of this decision. Otherwise, if it may
 * reserve, it gets the earliest available set. */
static orr_status try(orr_rigid *sim, ori_group *g, int32_t job, bool may_reserve, bool *starts,
                      orr_error *err)
{
    ori_placed *p = g->placed;
    ori_wish wish = ori_rigid_wish(sim, job, false);
    int64_t index;
    *starts = false;
    if (!may_reserve && wish.procs > g->at.free)
        return ORR_OK;
    if (!p->valid && !sim->asked.plain) { /* nothing is reserved yet */
        ORI_TRY(ori_rigid_find_free(sim, g, job, starts, err));
        if (*starts)
            return ori_rigid_start_fitting(sim, g, job, err);
    }
    ORI_TRY(ori_rigid_need_named(sim, g, err));
    if (may_reserve) {
        ORI_TRY(ori_rigid_look_named(sim, g, &wish, &index, err));
        *starts = index == 0;
    } else {
        ORI_TRY(ori_named_starts_now(&p->plan, &wish, ori_place_find, &p->place, starts, err));
        index = *starts ? 0 : -1;
    }
    if (index < 0)
        return ORR_OK;
    if (ORR_UNLIKELY(sim->reservations))
        sim->reservations[job] = p->plan.time[index];
    double end = ori_wish_end(&wish, p->plan.time[index]);
    ORI_TRY(ori_named_take_at(&p->plan, index, end, &p->place.found, err));
    return *starts ? ori_rigid_start_fitting(sim, g, job, err) : ORR_OK;
}

/* Tries the rest of the jobs of a decision, behind the last reservation. */
static orr_status fill(orr_rigid *sim, ori_group *g, const ori_queue *q, int32_t rank,
                       orr_error *err)
{
    bool starts;
    while ((rank = ori_queue_next_fit(q, rank, g->at.free)) >= 0)
        ORI_TRY(try(sim, g, q->job_at[rank++], false, &starts, err));
    return ORR_OK;
}

/* R-LIST(m), until no job behind is narrow enough to start. */
static orr_status list(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const orr_rigid_policy *p = &g->policy;
    const ori_queue *q = &g->order.queue;
    bool head = p->reading == ORR_READING_HEAD, starts;
    int32_t rank = 0, seen = 0, reserved = 0;
    while (ori_queue_next_fit(q, rank, sim->asked.plain ? ORI_ANY_WIDTH : g->at.free) >= 0) {
        if ((head ? seen : reserved) >= p->reservations)
            return g->has_backfill ? fill(sim, g, &g->backfill.queue, 0, err)
                                   : fill(sim, g, q, rank, err);
        rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH);
        ORI_TRY(try(sim, g, q->job_at[rank++], true, &starts, err));
        seen++;
        reserved += !starts;
    }
    return ORR_OK;
}

orr_status ori_rigid_decide_list_placed(orr_rigid *sim, ori_group *g, orr_error *err)
{
    g->placed->valid = false;
    if (g->policy.reservations == 0)
        return start_all(sim, g, g->has_backfill ? &g->backfill.queue : &g->order.queue, 0, false,
                         err);
    return list(sim, g, err);
}

orr_status ori_rigid_decide_fcfs_placed(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return start_all(sim, g, &g->order.queue, 0, true, err);
}

orr_status ori_rigid_decide_shelf_placed(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return g->at.running > 0 ? ORR_OK : start_all(sim, g, &g->order.queue, 0, !g->policy.fill, err);
}
