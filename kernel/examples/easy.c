/* Replays a log under EASY backfilling and prints what became of its jobs.
 *
 *     easy LOG [PROCS]
 *
 * LOG has any format that workload/reader.h names. PROCS is the size of the machine; it may be left
 * out where the log states it. The example shows the way from a file to metrics, and how one
 * orr_error carries the message of whatever went wrong on that way. */
#include <orrery.h>

#include <stdio.h>
#include <stdlib.h>

/* Simulates all jobs on a machine of `procs` processors. */
static orr_status replay(const orr_jobs *jobs, int32_t procs, orr_metrics *metrics, orr_error *err)
{
    orr_instance_options options;
    ORR_BEGIN(options);
    options.procs = procs;
    options.log_walltimes = true; /* the scheduler plans with what users asked for */

    orr_rigid_policy easy;
    ORR_BEGIN(easy);
    easy.name = "EASY";
    easy.discipline = ORR_DISPATCH_LIST; /* start jobs in the order of the queue, ... */
    easy.reservations = 1;               /* ... and reserve for the first that has to wait */

    orr_instance instance;
    orr_status status = orr_instance_create(&instance, jobs, &options, NULL, err);
    if (status != ORR_OK)
        return status;
    orr_rigid_setup setup;
    ORR_BEGIN(setup);
    setup.instance = &instance;
    setup.policy = &easy;
    setup.seed = 1;
    orr_rigid *sim = orr_rigid_create(&setup, err);
    status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, metrics, err);
    orr_rigid_destroy(sim);
    orr_instance_destroy(&instance);
    return status;
}

int main(int argc, char **argv)
{
    orr_error err;
    if (argc < 2) {
        fprintf(stderr, "usage: easy LOG [PROCS] (with Orrery %s)\n", orr_version());
        return 2;
    }
    orr_jobs *jobs = orr_read_jobs(argv[1], NULL, NULL, &err);
    bool fine = jobs != NULL;
    orr_metrics m;
    if (fine) {
        int32_t procs = argc > 2 ? (int32_t)strtol(argv[2], NULL, 10) : jobs->machine_procs;
        fine = replay(jobs, procs, &m, &err) == ORR_OK;
    }
    if (fine) {
        printf("%d jobs, %.1f days\n", (int)jobs->count, m.makespan / 86400);
        printf("mean wait         %10.1f s\n", m.wait_mean);
        printf("bounded slowdown  %10.1f\n", m.bsld_mean);
        printf("utilisation       %10.3f\n", m.utilisation);
    } else {
        fprintf(stderr, "easy: %s\n", err.message);
    }
    orr_jobs_destroy(jobs);
    return fine ? 0 : 1;
}
