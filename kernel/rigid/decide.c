#include "rigid/decide.h"

#include "rigid/engine_internal.h"

orr_rigid_view orr_rigid_look(orr_rigid *sim)
{
    return (orr_rigid_view){
        .instance = sim->in,
        .now = sim->now,
        .free = sim->free,
        .waiting = sim->queue.count,
        .running = sim->running,
        .over = sim->over,
        .seed = sim->seed,
        .set = sim->set,
        .scenario = sim->scenario,
        .rng = &sim->rng,
        .state = sim->policy_state,
        .deciding = sim->deciding,
    };
}

orr_job_view orr_rigid_job(const orr_rigid *sim, int32_t job)
{
    bool started = sim->attempts[job] > 0;
    return (orr_job_view){
        .state = (orr_job_state)sim->state[job],
        .attempts = sim->attempts[job],
        .start = started ? sim->start[job] : NAN,
        .planned_end = started ? sim->planned_end[job] : NAN,
    };
}

int32_t orr_rigid_next_waiting(const orr_rigid *sim, int32_t job, int32_t max_procs)
{
    int32_t from = job < 0 ? 0 : sim->queue.rank_of[job] + 1;
    int32_t rank = orr_queue_next_fit(&sim->queue, from, max_procs);
    return rank < 0 ? -1 : sim->queue.job_at[rank];
}

static bool starts_before(const orr_rigid *sim, int32_t a, int32_t b)
{
    if (sim->start[a] != sim->start[b])
        return sim->start[a] < sim->start[b];
    return a < b;
}

static void sift_down(const orr_rigid *sim, int32_t *jobs, int32_t at, int32_t count)
{
    for (int32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && starts_before(sim, jobs[child], jobs[child + 1]))
            child++;
        if (!starts_before(sim, jobs[at], jobs[child]))
            return;
        int32_t swap = jobs[at];
        jobs[at] = jobs[child];
        jobs[child] = swap;
    }
}

void orr_rigid_running(const orr_rigid *sim, int32_t *jobs)
{
    int32_t n = sim->ends.count;
    for (int32_t i = 0; i < n; i++)
        jobs[i] = (int32_t)sim->ends.heap[i].payload;
    for (int32_t i = n / 2 - 1; i >= 0; i--)
        sift_down(sim, jobs, i, n);
    for (int32_t last = n - 1; last > 0; last--) {
        int32_t swap = jobs[0];
        jobs[0] = jobs[last];
        jobs[last] = swap;
        sift_down(sim, jobs, 0, last);
    }
}

void orr_rigid_need_plan(orr_rigid *sim)
{
    if (sim->plan_valid)
        return;
    orr_plan_make(&sim->plan, &sim->planned, sim->now, sim->free);
    sim->plan_valid = true;
    sim->kept = false;
    sim->plan_reservations = 0;
}

double orr_rigid_earliest_start(orr_rigid *sim, int32_t procs, double seconds)
{
    if (!sim->has_plan)
        return NAN;
    orr_rigid_need_plan(sim);
    double start = orr_plan_earliest(&sim->plan, procs, seconds, sim->in->verification, NULL);
    if (!sim->deciding)
        sim->plan_valid = false; /* the clock may move before the next question */
    return start;
}

bool orr_rigid_can_start(orr_rigid *sim, int32_t job)
{
    int32_t procs = sim->jobs->procs[job], step;
    if (!sim->has_plan || procs > sim->free)
        return false;
    orr_rigid_need_plan(sim);
    orr_plan_earliest(&sim->plan, procs, sim->in->estimate[job], sim->in->verification, &step);
    if (!sim->deciding)
        sim->plan_valid = false; /* the clock may move before the next question */
    return step == 0; /* a later step at this time is after the end of what takes no time */
}

static orr_status refuse(const orr_rigid *sim, const char *verb, int32_t job, const char *why,
                         orr_error *err)
{
    return orr_fail(err, ORR_ERR_POLICY, "job %s cannot be %s: %s", orr_jobs_id(sim->jobs, job),
                    verb, why);
}

/* Whether the policy may act on this job now at all. */
static orr_status check_action(const orr_rigid *sim, const char *verb, int32_t job, orr_error *err)
{
    static const char *const why[] = {"it is not submitted yet", NULL, "it is running already",
                                      "it is over"};
    if (job < 0 || job >= sim->in->count)
        return orr_fail(err, ORR_ERR_POLICY, "job number %d cannot be %s: there are %d jobs",
                        (int)job, verb, (int)sim->in->count);
    if (!sim->deciding)
        return refuse(sim, verb, job, "only the dispatch hook may do that", err);
    if (sim->state[job] != ORR_JOB_WAITING)
        return refuse(sim, verb, job, why[sim->state[job]], err);
    return ORR_OK;
}

orr_status orr_rigid_start(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_action(sim, "started", job, err);
    if (status != ORR_OK)
        return status;
    if (sim->jobs->procs[job] > sim->free)
        return orr_fail(err, ORR_ERR_POLICY,
                        "job %s cannot be started: it needs %d processors and %d are free",
                        orr_jobs_id(sim->jobs, job), (int)sim->jobs->procs[job], (int)sim->free);
    return orr_rigid_start_fitting(sim, job, err);
}

orr_status orr_rigid_reserve(orr_rigid *sim, int32_t job, double *start, orr_error *err)
{
    orr_status status = check_action(sim, "reserved", job, err);
    if (status != ORR_OK)
        return status;
    orr_rigid_need_plan(sim);
    if (sim->plan_reservations == sim->in->count)
        return refuse(sim, "reserved", job, "more reservations than jobs in one decision", err);
    sim->plan_reservations++;
    int32_t index, procs = sim->jobs->procs[job];
    double estimate = sim->in->estimate[job], verification = sim->in->verification;
    double from = orr_plan_earliest(&sim->plan, procs, estimate, verification, &index);
    orr_plan_reserve(&sim->plan, index, (from + estimate) + verification, procs);
    if (start)
        *start = from;
    return ORR_OK;
}
