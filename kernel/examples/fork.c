/* What if? A simulation is forked in the middle, and one of the two goes on otherwise.
 *
 *     fork
 *
 * At 20000 s, half of the machine is drained for four hours and the job that has waited longest is
 * cancelled. The change gives a new simulation and leaves the old one as it is: both run to their
 * end, and a copy of the old one ends as the old one does, to the last bit. */
#include <orrery.h>

#include <stdio.h>

enum { JOBS = 100, PROCS = 10000 };

/* The first waiting job in order of submission; -1: nobody waits. */
static int32_t first_waiting(const orr_rigid *sim)
{
    for (int32_t job = 0; job < JOBS; job++)
        if (orr_rigid_job(sim, job).state == ORR_JOB_WAITING)
            return job;
    return -1;
}

/* The simulation as it goes on with half of its processors and one job less. */
static orr_rigid *disturbed(const orr_rigid *sim, double now, orr_instance *instance,
                            orr_error *err)
{
    orr_rigid_service half;
    half.group = NULL; /* the only one */
    half.procs = PROCS / 2;
    half.until = now + 4 * 3600;
    int32_t job = first_waiting(sim);
    orr_rigid_change change;
    ORR_BEGIN(change);
    change.service = &half;
    change.cancel = &job;
    change.cancel_count = job >= 0 ? 1 : 0;
    return orr_rigid_changed(sim, &change, instance, err);
}

static orr_status finish(const char *name, orr_rigid *sim, orr_error *err)
{
    orr_status status = sim ? orr_rigid_finish(sim, NULL, err) : err->status;
    if (status == ORR_OK) {
        orr_metrics m = orr_rigid_measure(sim);
        printf("%-10s makespan %.0f s, mean wait %.1f s\n", name, m.makespan, m.wait_mean);
    }
    return status;
}

static orr_status compare(const orr_instance *instance, orr_error *err)
{
    const double now = 20000;
    orr_rigid_policy easy;
    ORR_BEGIN(easy);
    easy.name = "EASY";
    easy.reservations = 1;
    orr_rigid_setup setup;
    ORR_BEGIN(setup);
    setup.instance = instance;
    setup.policy = &easy;
    setup.record = true; /* processors can only be drained where it is known who holds them */
    orr_rigid *sim = orr_rigid_create(&setup, err), *copy = NULL, *other = NULL;
    orr_instance changed; /* all zero where the change needs none */
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    if (status == ORR_OK)
        status = orr_rigid_run_until(sim, now, err);
    if (status == ORR_OK) {
        copy = orr_rigid_copy(sim, err);
        status = finish("copy", copy, err);
    }
    if (status == ORR_OK) {
        other = disturbed(sim, now, &changed, err);
        status = finish("disturbed", other, err);
        orr_rigid_destroy(other);
        orr_instance_destroy(&changed);
    }
    if (status == ORR_OK)
        status = finish("original", sim, err);
    orr_rigid_destroy(copy);
    orr_rigid_destroy(sim);
    return status;
}

int main(void)
{
    orr_error err;
    orr_instance instance;
    orr_instance_options options;
    ORR_BEGIN(options);
    options.procs = PROCS;
    orr_synthetic kind = orr_synthetic_default();
    kind.count = JOBS;
    orr_jobs *jobs = orr_generate_synthetic(&kind, 1, 0, NULL, &err);
    orr_status status =
        jobs ? orr_instance_create(&instance, jobs, &options, NULL, &err) : err.status;
    if (status == ORR_OK)
        status = compare(&instance, &err);
    if (status != ORR_OK)
        fprintf(stderr, "fork: %s\n", err.message);
    if (jobs)
        orr_instance_destroy(&instance);
    orr_jobs_destroy(jobs);
    return status == ORR_OK ? 0 : 1;
}
