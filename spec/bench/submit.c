/* Jobs that come one by one, from C, on one core: a simulation that gets each of them at its time,
 * against one that has the whole log from the beginning.
 *
 *   submit COUNT LOAD
 *   prints: seconds of processor time in one log, and one by one; bytes at the most of the second,
 *   per job; 1 where both have the same mean wait */
#include "measure.h"

#include "rigid/whatif/change.h"
#include "workload/generate_lublin.h"
#include "workload/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCS = 10000 };

static const orr_rigid_policy easy = {.size = sizeof(orr_rigid_policy),
                                      .name = "easy",
                                      .discipline = ORR_DISPATCH_LIST,
                                      .reservations = 1};

static void check(bool fine, const orr_error *err)
{
    if (fine)
        return;
    fprintf(stderr, "submit: %s\n", err->message);
    exit(1);
}

static orr_rigid *begin(orr_instance *in, const orr_jobs *jobs, const orr_allocator *a)
{
    orr_error err;
    orr_instance_options how = {.size = sizeof how, .procs = PROCS};
    check(orr_instance_create(in, jobs, &how, a, &err) == ORR_OK, &err);
    orr_rigid_setup setup = {
        .size = sizeof setup, .instance = in, .policy = &easy, .seed = 1, .alloc = a};
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    check(sim && orr_rigid_reset(sim, NULL, 1, &err) == ORR_OK, &err);
    return sim;
}

/* A simulation that goes on, with what it borrows. */
typedef struct world {
    orr_jobs *jobs;
    orr_instance *in;
    orr_rigid *sim;
    const orr_allocator *alloc;
} world;

/* The same with a job more, and room for as many again. */
static void move(world *w, const orr_jobs *log, int32_t job)
{
    orr_error err;
    orr_instance *in = calloc(1, sizeof *in);
    orr_jobs *jobs = orr_jobs_append(w->jobs, NULL, w->alloc, &err);
    check(in && jobs && orr_jobs_extend(jobs, log, job, 1, &err) == ORR_OK, &err);
    orr_rigid_change change = {.size = sizeof change, .jobs = jobs, .room = jobs->count + 64};
    orr_rigid *sim = orr_rigid_changed(w->sim, &change, in, &err);
    check(sim, &err);
    orr_rigid_destroy(w->sim);
    orr_instance_destroy(w->in);
    free(w->in);
    orr_jobs_destroy(w->jobs);
    *w = (world){jobs, in, sim, w->alloc};
}

static double one_by_one(const orr_jobs *log, memory *used)
{
    orr_error err;
    orr_allocator a = {counted, used};
    world w = {orr_jobs_create(&a, &err), calloc(1, sizeof *w.in), NULL, &a};
    orr_metrics metrics;
    check(w.jobs && w.in && orr_jobs_extend(w.jobs, log, 0, 1, &err) == ORR_OK, &err);
    w.sim = begin(w.in, w.jobs, &a);
    for (int32_t job = 1; job < log->count; job++) {
        while (orr_rigid_next_event(w.sim) < log->submit[job])
            check(orr_rigid_step(w.sim, &err) == ORR_OK, &err);
        if (orr_rigid_room(w.sim) == 0)
            move(&w, log, job);
        else
            check(orr_rigid_submit(w.sim, w.in, w.jobs, log, job, 1, &err) == ORR_OK, &err);
    }
    check(orr_rigid_finish(w.sim, &metrics, &err) == ORR_OK, &err);
    orr_rigid_destroy(w.sim);
    orr_instance_destroy(w.in);
    free(w.in);
    orr_jobs_destroy(w.jobs);
    return metrics.wait_mean;
}

static double in_one_log(const orr_jobs *log)
{
    orr_error err;
    orr_instance in;
    orr_metrics metrics;
    orr_rigid *sim = begin(&in, log, NULL);
    check(orr_rigid_finish(sim, &metrics, &err) == ORR_OK, &err);
    orr_rigid_destroy(sim);
    orr_instance_destroy(&in);
    return metrics.wait_mean;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: submit COUNT LOAD\n");
        return 2;
    }
    orr_error err;
    orr_lublin options = orr_lublin_default();
    options.count = (int32_t)strtol(argv[1], NULL, 10);
    options.load = strtod(argv[2], NULL);
    options.procs = PROCS;
    options.days = HUGE_VAL;
    orr_jobs *log = orr_generate_lublin(&options, 1, 0, NULL, &err);
    check(log, &err);
    memory used = {0, 0};
    double first = seconds(), whole = in_one_log(log);
    double second = seconds(), piecewise = one_by_one(log, &used), third = seconds();
    printf("%.3f %.3f %.0f %d\n", second - first, third - second,
           (double)used.most / (double)log->count, whole == piecewise);
    orr_jobs_destroy(log);
    return 0;
}
