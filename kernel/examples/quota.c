/* A policy in C: the shortest job first, and no user has more than LIMIT jobs in the queue or on
 * the machine.
 *
 *     quota
 *
 * The order is built in, the hooks are written here. on_submit holds a job that is one too many;
 * on_end releases the next one of the same user. The hooks ask the simulation and remember nothing:
 * a policy that has to remember something keeps it in a state (make_state in rigid/queue/policy.h),
 * which is copied with the simulation. */
#include <orrery.h>

#include <stdio.h>

enum { USERS = 3, JOBS = 60, LIMIT = 4 };

/* The next job in this state of the user whose job is `job`; -1 for none. Jobs belong to the users
 * in turn. */
static int32_t next_in(const orr_rigid *sim, int32_t job, orr_rigid_job_state state)
{
    for (job += USERS; job < JOBS; job += USERS)
        if (orr_rigid_job(sim, job).state == state)
            return job;
    return -1;
}

static int32_t count_in(const orr_rigid *sim, int32_t job, orr_rigid_job_state state)
{
    int32_t count = 0;
    for (job = job % USERS - USERS; (job = next_in(sim, job, state)) >= 0;)
        count++;
    return count;
}

/* The job waits when this is called: it is among those that are counted. */
static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    int *held = (int *)user;
    int32_t active = count_in(sim, job, ORR_JOB_WAITING) + count_in(sim, job, ORR_JOB_RUNNING);
    if (active <= LIMIT)
        return ORR_OK;
    ++*held;
    return orr_rigid_hold(sim, job, err);
}

/* A job that has failed waits again; else there is room for another one. */
static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    (void)user;
    int32_t next = next_in(sim, job % USERS - USERS, ORR_JOB_HELD);
    if (next < 0 || outcome == ORR_FAILED || outcome == ORR_NODE_FAILED)
        return ORR_OK;
    return orr_rigid_release(sim, next, err);
}

static orr_status simulate(const orr_jobs *jobs, int *held, orr_metrics *m, orr_error *err)
{
    orr_rigid_policy policy;
    ORR_BEGIN(policy);
    policy.name = "quota";
    policy.user = held; /* the first argument of the hooks */
    policy.discipline = ORR_DISPATCH_LIST;
    policy.reservations = 1;
    policy.on_submit = on_submit;
    policy.on_end = on_end;
    orr_rigid_set_rule(&policy, ORR_RULE_SPT);

    orr_instance instance;
    orr_instance_options options;
    ORR_BEGIN(options);
    options.procs = 4000;
    orr_status status = orr_instance_create(&instance, jobs, &options, NULL, err);
    orr_rigid_setup setup;
    ORR_BEGIN(setup);
    setup.instance = &instance;
    setup.policy = &policy;
    orr_rigid *sim = status == ORR_OK ? orr_rigid_create(&setup, err) : NULL;
    if (status == ORR_OK)
        status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, m, err);
    orr_rigid_destroy(sim);
    orr_instance_destroy(&instance);
    return status;
}

int main(void)
{
    orr_error err;
    orr_metrics m;
    int held = 0;
    orr_synthetic kind = orr_synthetic_default();
    kind.count = JOBS;
    orr_jobs *jobs = orr_generate_synthetic(&kind, 1, 0, NULL, &err);
    bool fine = jobs && simulate(jobs, &held, &m, &err) == ORR_OK;
    if (fine)
        printf("%d jobs, %d of them held: mean wait %.0f s, makespan %.0f s\n", JOBS, held,
               m.wait_mean, m.makespan);
    else
        fprintf(stderr, "quota: %s\n", err.message);
    orr_jobs_destroy(jobs);
    return fine ? 0 : 1;
}
