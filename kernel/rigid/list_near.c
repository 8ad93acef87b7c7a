/* R-LIST with a reservation for every job, where jobs fail often: only what is near is planned.
 *
 * If jobs that are narrow enough for a start are not excluded soon, nearly all waiting jobs would
 * be planned, and after the next failure again. But the narrow jobs need no processors beyond the
 * horizon, the time at which the last of them would end. So a job whose earliest start is not
 * before the horizon is skipped: its reservation does not change the plan before the horizon. The
 * horizon only becomes earlier. So a reservation that ends before the horizon is the right one,
 * too. A job that begins before the horizon and ends after it needs the skipped reservations: the
 * skipped jobs are then planned first.
 *
 * The waiting jobs are kept in arrays beside the queue. If most attempts fail, the same jobs run
 * and the same jobs wait for hundreds of failures: a failed job in front of all waiting jobs starts
 * again, and then the same waiting jobs are narrow enough as before. */
#include "rigid/list_near_internal.h"

/* --- the waiting jobs ------------------------------------------------------------------------- */

/* The arrays take the memory of the sorter, which is not used between two sorts: that behind the
 * agenda, and the scratch. */
static void place_arrays(const orr_rigid *sim, ori_bystanders *w)
{
    _Static_assert(sizeof(ori_rank_entry) >= sizeof(ori_running) + sizeof(double), "of entries");
    _Static_assert(sizeof(ori_rank_entry) >= sizeof(double) + 3 * sizeof(int32_t), "of scratch");
    int32_t jobs = sim->in->count;
    w->longest = (double *)(void *)((ori_running *)(void *)sim->sorter.entries + jobs);
    w->estimate = (double *)(void *)sim->sorter.scratch;
    w->rank = (int32_t *)(void *)(w->estimate + jobs);
    w->procs = w->rank + jobs;
    w->narrow = w->procs + jobs;
}

void ori_bystanders_begin(ori_bystanders *w, const orr_rigid *sim)
{
    const ori_queue *q = &sim->groups[0].order.queue;
    place_arrays(sim, w);
    w->count = 0;
    w->sorted_out = false;
    ori_queue_scan all = ori_queue_scan_from(q, 0, ORI_ANY_WIDTH);
    for (int32_t rank; (rank = ori_queue_scan_next(&all)) >= 0; w->count++) {
        w->rank[w->count] = rank;
        w->procs[w->count] = q->procs[0][rank];
        w->estimate[w->count] = sim->estimate[q->job_at[rank]];
    }
}

/* Lists the narrow jobs from a place on. They are known if no job has come or gone since. */
static void sort_out(ori_bystanders *w, int32_t from, int32_t free)
{
    int32_t narrow = 0;
    if (w->sorted_out && w->free == free && from == 0)
        return;
    w->sorted_out = from == 0;
    w->free = free;
    for (int32_t i = from; i < w->count; i++) {
        w->narrow[narrow] = i;
        narrow += w->procs[i] <= free;
    }
    w->narrow_count = narrow;
    for (double longest = 0; narrow-- > 0;) {
        double estimate = w->estimate[w->narrow[narrow]];
        w->longest[narrow] = longest = estimate > longest ? estimate : longest;
    }
}

/* --- planning --------------------------------------------------------------------------------- */

/* Planning in progress. `plan` is a copy of the group's plan, with the same steps. */
typedef struct near_plan {
    orr_rigid *sim;
    ori_agenda *agenda;
    const ori_bystanders *waiting;
    ori_plan plan;
    double verification; /* s */
    int32_t next;        /* the place of the job that is planned next */
    int32_t *skipped;    /* places of the jobs skipped, in order */
    int32_t skipped_count;
    double known_to; /* s: the horizon when the last job was skipped */
} near_plan;

enum { ROOM = ORI_STEPS - 2 }; /* for steps */

/* The step at which a job would begin; -1: not before the horizon. */
ORR_INLINE int32_t first_start(const near_plan *n, int32_t place, double horizon)
{
    double estimate = n->waiting->estimate[place];
    uint64_t all = ~UINT64_C(0), few = ori_plan_short(&n->plan, n->waiting->procs[place], 0);
    int32_t step = __builtin_ctzll(~few);
    while (n->plan.time[step] < horizon) {
        double end = (n->plan.time[step] + estimate) + n->verification;
        int32_t i = __builtin_ctzll(few & all << step);
        if (!(n->plan.time[i] < end))
            return step;
        step = __builtin_ctzll(~few & all << i);
    }
    return -1;
}

ORR_INLINE double end_from(const near_plan *n, int32_t place, int32_t step)
{
    return (n->plan.time[step] + n->waiting->estimate[place]) + n->verification;
}

/* Notes the reservation of a job from a step on. */
ORR_INLINE void note(near_plan *n, int32_t place, int32_t step, double end)
{
    ori_group *g = &n->sim->groups[0];
    g->kept &= end > n->plan.time[step];
    g->reserved[g->order.queue.job_at[n->waiting->rank[place]]] = n->plan.time[step];
}

/* Plans the skipped jobs. The jobs planned since then end before these could begin. There may be
 * any number of steps. */
static void catch_up(near_plan *n)
{
    const ori_bystanders *w = n->waiting;
    for (int32_t i = 0; i < n->skipped_count; i++) {
        int32_t place = n->skipped[i], step;
        ori_plan_earliest(&n->plan, w->procs[place], w->estimate[place], n->verification, &step);
        double end = end_from(n, place, step);
        note(n, place, step, end);
        ori_plan_reserve(&n->plan, step, end, w->procs[place]);
    }
    n->skipped_count = 0;
}

typedef enum planned {
    SKIPPED, /* or the jobs skipped before have been planned */
    RESERVED,
    FIRST,  /* it is to start now */
    NO_ROOM /* for more steps */
} planned;

/* Plans the next job. *step: where it begins, except if it is skipped. */
ORR_INLINE planned plan_next(near_plan *n, double horizon, int32_t *step)
{
    if (n->plan.count >= ROOM)
        return NO_ROOM;
    *step = first_start(n, n->next, horizon);
    if (*step < 0) {
        n->skipped[n->skipped_count++] = n->next++;
        n->known_to = horizon;
        return SKIPPED;
    }
    double end = end_from(n, n->next, *step);
    if (n->skipped_count > 0 && end > n->known_to) {
        catch_up(n);
        return SKIPPED;
    }
    if (*step == 0)
        return FIRST;
    note(n, n->next, *step, end);
    ori_plan_take(&n->plan, *step, end, n->waiting->procs[n->next++]);
    return RESERVED;
}

/* The first job starts, and leaves the waiting ones. */
ORR_INLINE orr_status start_next(near_plan *n, orr_error *err)
{
    int32_t job = n->sim->groups[0].order.queue.job_at[n->waiting->rank[n->next]];
    double end = end_from(n, n->next, 0);
    note(n, n->next, 0, end);
    ori_plan_reserve(&n->plan, 0, end, n->waiting->procs[n->next]);
    return ori_agenda_start(n->agenda, n->sim, job, err);
}

/* Plans until every narrow job is excluded or has started: *done; false: there is no room for more
 * steps. */
ORR_INLINE orr_status plan(near_plan *n, bool *done, orr_error *err)
{
    const ori_bystanders *w = n->waiting;
    const ori_group *g = &n->sim->groups[0];
    double now = n->plan.time[0], full = INFINITY;
    int32_t least = INT32_MAX, gone = 0; /* excluded jobs: from `full` on so many are left */
    *done = false;
    if (n->plan.count >= ROOM)
        return ORR_OK;
    for (int32_t i = 0; i < w->narrow_count; i++) {
        int32_t place = w->narrow[i] - gone, procs = w->procs[place];
        double end = (now + w->estimate[place]) + n->verification;
        if (procs > g->at.free || (procs > least && end > full))
            continue;
        double horizon = end > now ? (now + w->longest[i]) + n->verification : INFINITY;
        int32_t short_at = 0, step;
        planned how = SKIPPED;
        for (bool look = true; how != FIRST;) {
            if (look)
                short_at = __builtin_ctzll(ori_plan_short(&n->plan, procs, 0));
            if (n->plan.time[short_at] < end)
                break;
            how = plan_next(n, horizon, &step);
            if (how == NO_ROOM)
                return ORR_OK;
            if (how == FIRST)
                ORI_TRY(start_next(n, err));
            look = how == RESERVED && n->plan.time[step] < end;
        }
        gone += how == FIRST;
        full = how == FIRST ? full : n->plan.time[short_at];
        least = how == FIRST ? least : n->plan.available[short_at];
    }
    *done = true;
    return ORR_OK;
}

static near_plan begin(orr_rigid *sim, ori_agenda *a, const ori_bystanders *w, int32_t next)
{
    return (near_plan){.sim = sim,
                       .agenda = a,
                       .waiting = w,
                       .plan = sim->groups[0].plan,
                       .verification = sim->in->verification,
                       .next = next,
                       .skipped = sim->sorter.jobs};
}

orr_status ori_rigid_plan_near(orr_rigid *sim, ori_agenda *a, int32_t *rank, orr_error *err)
{
    ori_group *g = &sim->groups[0];
    ori_bystanders *w = a->waiting;
    int32_t next = ori_bystanders_find(w, *rank);
    sort_out(w, next, g->at.free);
    near_plan n = begin(sim, a, w, next);
    bool done;
    g->plan_valid = false; /* so that starting does not reserve once more */
    ORI_TRY(plan(&n, &done, err));
    if (!done)
        catch_up(&n);
    g->plan.count = n.plan.count;
    g->has_gaps = n.skipped_count > 0;
    g->planned_to = n.next < w->count ? w->rank[n.next] : g->order.queue.capacity;
    *rank = done ? g->order.queue.capacity : g->planned_to;
    if (g->has_gaps)
        g->planned_to = w->rank[n.skipped[0]];
    return ORR_OK;
}
