/* Why a job waits: one copy decides in the present state, a second one after the job's start. */
#include "rigid/whatif/why.h"

#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"

#include "base/try_internal.h"

/* A copy that decides, and its planned starts. */
typedef struct decision {
    orr_rigid *sim;
    ori_group *g;
    double *planned; /* per job: its start, s; NaN: none */
} decision;

static void end_decision(decision *d)
{
    orr_rigid_destroy(d->sim);
}

#define DECISION __attribute__((cleanup(end_decision))) decision

static orr_status begin_decision(decision *d, const orr_rigid *sim, int32_t group, orr_error *err)
{
    for (int32_t j = 0; j < sim->in->count; j++)
        d->planned[j] = NAN;
    d->sim = orr_rigid_copy(sim, err);
    if (!d->sim)
        return err && err->status != ORR_OK ? err->status : ORR_ERR_MEMORY;
    d->sim->shell.phase = ORI_MOVES; /* its policy may not make it go on */
    d->sim->asked.plain = true;
    d->sim->reservations = d->planned;
    if (sim->asked.live) /* the clock may have passed reservations since the last instant */
        ori_rigid_plan_overdue(d->sim);
    d->g = &d->sim->groups[group];
    return ORR_OK;
}

/* The earliest start of a job by the plan of the decision, s; NaN if there is no plan; inf:
 * never. */
static orr_status find_earliest(const decision *d, int32_t job, double *start, orr_error *err)
{
    orr_rigid *sim = d->sim;
    ori_group *g = d->g;
    int32_t procs = sim->jobs->procs[job];
    *start = procs > g->procs ? INFINITY : NAN;
    if (procs > g->procs || (!g->has_plan && !g->placed))
        return ORR_OK;
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    ori_slot slot;
    ORI_TRY(ori_rigid_earliest(sim, g, &wish, sim->shell.now, &slot, err));
    *start = slot.start;
    return ORR_OK;
}

static int32_t first_waiting(const ori_group *g)
{
    int32_t rank = ori_queue_next_fit(&g->order.queue, 0, ORI_ANY_WIDTH);
    return rank < 0 ? -1 : g->order.queue.job_at[rank];
}

/* The last planned end of the running jobs of the group, s. */
static double last_planned_end(const decision *d)
{
    double last = d->sim->shell.now;
    for (int32_t i = 0; i < d->sim->ends.count; i++) {
        int32_t job = (int32_t)d->sim->ends.heap[i].payload;
        if (ori_group_of(d->sim, job) == d->g && d->sim->planned_end[job] > last)
            last = d->sim->planned_end[job];
    }
    return last;
}

/* Decides, and notes the planned starts: of started jobs, of promises, of reservations made by the
 * decision, and of the first job of a queue in strict order. */
static orr_status decide_copy(decision *d, const orr_rigid *before, orr_error *err)
{
    orr_rigid *sim = d->sim;
    ori_group *g = d->g;
    if (g->order.queue.count > 0) {
        ORI_TRY(ori_rigid_rank_waiting(sim, g, err));
        ORI_TRY(ori_rigid_decide(sim, g, err));
    }
    for (int32_t j = 0; j < sim->in->count; j++) {
        if (before->state[j] != ORR_JOB_WAITING || ori_group_of(sim, j) != g)
            continue;
        if (sim->state[j] == ORR_JOB_RUNNING)
            d->planned[j] = sim->shell.now;
        else if (g->promises.kept && !ori_is_aside(sim, j) &&
                 !ori_has_no_reservation(&g->promises, j))
            d->planned[j] = g->promises.start[j];
    }
    int32_t first = first_waiting(g);
    if (!g->discipline->strict || first < 0)
        return ORR_OK;
    if (!g->discipline->waits_for_all)
        return find_earliest(d, first, &d->planned[first], err);
    d->planned[first] = last_planned_end(d);
    return ORR_OK;
}

/* --- the answer ------------------------------------------------------------------------------- */

/* The places for the answer. */
typedef struct answer {
    orr_rigid_why *why;
    orr_rigid_delay *delays;
    int32_t room;
} answer;

/* Compares the starts of another job: as planned now, and as planned after the start in
 * question. */
static void compare(answer *a, int32_t job, double planned, double delayed)
{
    orr_rigid_why *why = a->why;
    if (isnan(planned) || delayed <= planned)
        return;
    if (why->delayed < a->room)
        a->delays[why->delayed] =
            (orr_rigid_delay){job, planned, isnan(delayed) ? INFINITY : delayed};
    if (why->delayed++ == 0 && why->blocker < 0)
        why->blocker = job;
}

/* Compares all other jobs: first those that would start in this decision, then the queue in its
 * order. */
static void compare_all(answer *a, int32_t job, const decision *d, const double *delayed)
{
    const ori_queue *q = &d->g->order.queue;
    for (int32_t j = 0; j < d->sim->in->count; j++)
        if (d->sim->state[j] == ORR_JOB_RUNNING)
            compare(a, j, d->planned[j], delayed[j]);
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        if (q->job_at[rank] != job)
            compare(a, q->job_at[rank], d->planned[q->job_at[rank]], delayed[q->job_at[rank]]);
}

/* Finds the jobs that it would delay: a second copy decides after its start. */
static orr_status find_delays(const orr_rigid *sim, int32_t job, const decision *as_it_is,
                              double *delayed, answer *a, orr_error *err)
{
    orr_rigid_why *why = a->why;
    DECISION d = {.planned = delayed};
    ORI_TRY(begin_decision(&d, sim, why->group, err));
    bool found = true, strict = d.g->discipline->strict;
    if (d.g->placed)
        ORI_TRY(ori_rigid_find_free(d.sim, d.g, job, &found, err));
    if (ori_machine_nodes(d.sim) && !ori_rigid_has_share(d.sim, job)) {
        why->reason = ORR_WHY_LEAVING;
        return ORR_OK;
    }
    why->reason = found ? strict ? ORR_WHY_ORDER : ORR_WHY_DELAY : ORR_WHY_PLACEMENT;
    if (!found) { /* a window may be the reason */
        ORI_TRY(ori_rigid_find_now(d.sim, d.g, job, &found, err));
        if (found || d.g->policy.place == ORR_PLACE_ANY)
            why->reason = ORR_WHY_LEAVING;
        return ORR_OK;
    }
    d.sim->instant.situation.acting = true;
    ORI_TRY(orr_rigid_start(d.sim, job, err));
    d.sim->instant.situation.acting = false;
    ORI_TRY(decide_copy(&d, sim, err));
    compare_all(a, job, as_it_is, delayed);
    if (why->reason == ORR_WHY_DELAY && why->delayed == 0)
        why->reason = ORR_WHY_POLICY;
    return ORR_OK;
}

/* Whether too few nodes fit now, and what is missing. */
static bool lacks_nodes(const orr_rigid *sim, int32_t job, orr_rigid_why *why)
{
    why->fitting = ori_nodes_fitting(sim, job, &why->nodes, &why->lacking);
    return why->fitting < ori_nodes_need(ori_nodes_ask_of(&sim->nodes, job));
}

/* Explains why a waiting job waits. */
static orr_status explain(const orr_rigid *sim, int32_t job, answer *a, orr_error *err)
{
    orr_rigid_why *why = a->why;
    double *first, *second;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(first, sim->in->count),
                ORI_PART(second, sim->in->count));
    DECISION d = {.planned = first};
    ORI_TRY(begin_decision(&d, sim, why->group, err));
    ORI_TRY(decide_copy(&d, sim, err));
    if (d.sim->state[job] != ORR_JOB_WAITING) {
        why->reason = d.sim->state[job] == ORR_JOB_RUNNING ? ORR_WHY_NOTHING : ORR_WHY_POLICY;
        why->earliest = why->reason == ORR_WHY_NOTHING ? sim->shell.now : NAN;
        return ORR_OK;
    }
    if (ori_is_aside(d.sim, job)) {
        why->reason = ORR_WHY_LIMIT;
        why->limit = ori_limits_exceeded(d.sim->limits, job, &why->used);
        return ORR_OK;
    }
    double end = ori_rigid_planned_end(sim, job, sim->shell.now);
    bool logged = d.g->discipline->is_logged, strict = d.g->discipline->strict;
    why->reserved = strict || isinf(first[job]) ? NAN : first[job];
    why->earliest = first[job];
    if (strict && first_waiting(d.g) != job)
        why->blocker = first_waiting(d.g);
    else if (isnan(why->earliest) && !logged)
        ORI_TRY(find_earliest(&d, job, &why->earliest, err));
    if (logged)
        why->when = sim->in->submit[job] + orr_jobs_wait(sim->jobs, job);
    if (logged && why->when > sim->shell.now)
        why->reason = ORR_WHY_LOG;
    else if (why->procs > why->in_service)
        why->reason = ORR_WHY_CAPACITY;
    else if (why->procs > why->free)
        why->reason = ORR_WHY_FULL;
    else if ((why->pool = ori_pools_lacking(sim, job, end)) >= 0)
        why->reason = ORR_WHY_POOL;
    else if (ori_machine_nodes(sim) && lacks_nodes(sim, job, why))
        why->reason = ORR_WHY_NODES;
    else
        return find_delays(sim, job, &d, second, a, err);
    return ORR_OK;
}

static orr_status check_plans(const orr_rigid *sim, orr_error *err)
{
    ORI_REFUSE(!sim->needs.watched, err, "what is planned is known only with a recording");
    return ORR_OK;
}

static orr_status check_can_be_asked(const orr_rigid *sim, orr_error *err)
{
    ORI_TRY(ori_shell_check_can_go_on(&sim->shell, "orr_rigid_reset", "asked why", err));
    return check_plans(sim, err);
}

orr_status orr_rigid_ask_why(const orr_rigid *sim, int32_t job, orr_rigid_why *why,
                             orr_rigid_delay *delays, int32_t room, orr_error *err)
{
    static const orr_rigid_reason of_state[] = {[ORR_JOB_PENDING] = ORR_WHY_PENDING,
                                                [ORR_JOB_WAITING] = ORR_WHY_NOTHING,
                                                [ORR_JOB_RUNNING] = ORR_WHY_RUNNING,
                                                [ORR_JOB_OVER] = ORR_WHY_OVER,
                                                [ORR_JOB_HELD] = ORR_WHY_HELD};
    ORI_TRY(check_can_be_asked(sim, err));
    ORI_REFUSE(!ORI_IS_IN(job, sim->in->count), err, "there is no job %d, there are %d", (int)job,
               (int)sim->in->count);
    const ori_group *g = ori_group_of(sim, job);
    *why =
        (orr_rigid_why){.reason = of_state[sim->state[job]],
                        .group = g->index,
                        .procs = sim->jobs->procs[job],
                        .free = g->at.free,
                        .in_service = g->procs - g->at.down - (g->at.drained - g->at.drained_down),
                        .failed = g->at.down - g->at.drained_down,
                        .drained = g->at.drained,
                        .reserved = NAN,
                        .earliest = NAN,
                        .when = NAN,
                        .blocker = -1,
                        .pool = -1};
    if (sim->state[job] == ORR_JOB_WAITING)
        return explain(sim, job, &(answer){why, delays, room}, err);
    for (int64_t i = 0; why->reason == ORR_WHY_OVER && i < sim->schedule.withdrawal_count; i++) {
        const orr_withdrawal *w = &sim->schedule.withdrawals[i];
        if (w->job != job || w->limit == 0)
            continue;
        why->reason = ORR_WHY_REFUSED;
        why->limit = &sim->in->limits[w->limit - 1];
        why->used = w->waiting;
        why->when = w->time;
    }
    if (sim->state[job] == ORR_JOB_PENDING && sim->in->submit[job] < INFINITY)
        why->when = sim->in->submit[job];
    return ORR_OK;
}

orr_status orr_rigid_ask_plans(const orr_rigid *sim, double *planned, orr_error *err)
{
    ORI_TRY(check_can_be_asked(sim, err));
    DECISION d = {0};
    d.planned = planned;
    ORI_TRY(begin_decision(&d, sim, 0, err));
    for (int32_t i = 0; i < sim->group_count; i++) {
        d.g = &d.sim->groups[i];
        ORI_TRY(decide_copy(&d, sim, err));
    }
    return ORR_OK;
}

orr_status orr_rigid_note_reservations(orr_rigid *sim, double *reserved, orr_error *err)
{
    if (reserved)
        ORI_TRY(check_plans(sim, err));
    if (reserved && !sim->asked.plain) {
        ori_rigid_leave_formulas(sim);
        sim->asked.plain = true;
    }
    sim->reservations = reserved;
    return ORR_OK;
}
