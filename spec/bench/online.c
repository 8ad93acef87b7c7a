/* One run over a generated log (workload/generate_lublin.h), from C, on one core.
 *
 *   online POLICY [count=N] [procs=N] [load=X] [types=whole|both] [scaled=1] [walltimes=X]
 *          [backlog=N] [seed=N] [widest=N]
 *   POLICY: greedy, easy, conservative, list-all, fcfs, or easy-sjf
 *   walltimes: the scheduler's estimates are runtimes times a factor, uniform on 1 .. X and rounded
 *   up
 *   backlog: so many jobs are there from the beginning
 *   prints: jobs per second of processor time, bytes per job beyond the log at the most, mean and
 *   longest queue, utilisation, mean bounded slowdown */
#include "measure.h"

#include "rigid/interface/engine.h"
#include "workload/generate_lublin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    orr_lublin log;
    orr_rigid_policy policy;
    int32_t procs, backlog;
    uint64_t seed;
} options;

static bool set_policy(orr_rigid_policy *p, const char *name)
{
    static const struct {
        const char *name;
        orr_rigid_discipline discipline;
        int32_t reservations;
        orr_rigid_rule rule;
    } known[] = {
        {"greedy", ORR_DISPATCH_LIST, 0, ORR_RULE_FCFS},
        {"easy", ORR_DISPATCH_LIST, 1, ORR_RULE_FCFS},
        {"easy-sjf", ORR_DISPATCH_LIST, 1, ORR_RULE_SPT},
        {"conservative", ORR_DISPATCH_CONSERVATIVE, 0, ORR_RULE_FCFS},
        {"list-all", ORR_DISPATCH_LIST, ORR_RESERVE_ALL, ORR_RULE_FCFS},
        {"fcfs", ORR_DISPATCH_FCFS, 0, ORR_RULE_FCFS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            p->size = sizeof *p;
            p->name = known[i].name;
            p->discipline = known[i].discipline;
            p->reservations = known[i].reservations;
            orr_rigid_set_rule(p, known[i].rule);
            return true;
        }
    return false;
}

static bool set_option(options *o, const char *name, const char *value)
{
    double number = strtod(value, NULL);
    if (strcmp(name, "count") == 0)
        o->log.count = (int32_t)number;
    else if (strcmp(name, "procs") == 0)
        o->procs = (int32_t)number;
    else if (strcmp(name, "widest") == 0)
        o->log.procs = (int32_t)number;
    else if (strcmp(name, "load") == 0)
        o->log.load = number;
    else if (strcmp(name, "types") == 0)
        o->log.types = strcmp(value, "whole") == 0 ? ORR_LUBLIN_WHOLE : ORR_LUBLIN_BOTH;
    else if (strcmp(name, "scaled") == 0)
        o->log.scaled = number != 0;
    else if (strcmp(name, "walltimes") == 0)
        o->log.walltime = number;
    else if (strcmp(name, "backlog") == 0)
        o->backlog = (int32_t)number;
    else if (strcmp(name, "seed") == 0)
        o->seed = (uint64_t)number;
    else
        return false;
    return true;
}

static bool read_options(options *o, int argc, char **argv)
{
    o->log = orr_lublin_default();
    o->log.count = 1000000;
    o->log.procs = 0;
    o->procs = 10000;
    o->log.days = HUGE_VAL;
    o->log.load = 0.9;
    o->log.round_walltimes = true;
    o->seed = 1;
    if (argc < 2 || !set_policy(&o->policy, argv[1]))
        return false;
    for (int i = 2; i < argc; i++) {
        char name[32];
        const char *value = strchr(argv[i], '=');
        size_t length = value ? (size_t)(value - argv[i]) : sizeof name;
        if (length >= sizeof name)
            return false;
        memcpy(name, argv[i], length);
        name[length] = '\0';
        if (!set_option(o, name, value + 1))
            return false;
    }
    if (o->log.procs == 0)
        o->log.procs = o->procs;
    o->log.load *= (double)o->procs / o->log.procs;
    return true;
}

/* The first jobs are all there when the last of them arrives. */
static void pile_up(orr_jobs *jobs, int32_t backlog)
{
    double from = backlog > 0 && backlog <= jobs->count ? jobs->submit[backlog - 1] : 0;
    for (int32_t job = 0; job < jobs->count; job++)
        jobs->submit[job] = job < backlog ? 0 : jobs->submit[job] - from;
}

/* --- what comes out ------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The most jobs that wait at one instant, once what starts at it has started. */
static int32_t longest_queue(const orr_instance *in, const double *ends)
{
    double *starts = malloc((size_t)in->count * sizeof *starts);
    int32_t most = 0, submitted = 0;
    if (starts == NULL)
        return -1;
    for (int32_t job = 0; job < in->count; job++)
        starts[job] = ends[job] - orr_job_length(in, job);
    qsort(starts, (size_t)in->count, sizeof *starts, compare);
    for (int32_t started = 0; started < in->count; started++) {
        while (submitted < in->count && in->submit[in->by_submission[submitted]] < starts[started])
            submitted++;
        most = submitted - started > most ? submitted - started : most;
    }
    free(starts);
    return most;
}

static orr_status run(const options *o, orr_jobs *jobs, orr_error *err)
{
    memory used = {0, 0};
    orr_allocator a = {counted, &used};
    orr_instance_options how = {.size = sizeof(orr_instance_options),
                                .procs = o->procs,
                                .log_walltimes = o->log.walltime > 0};
    orr_instance in = {0};
    orr_metrics metrics;
    double begin = seconds();
    orr_status status = orr_instance_create(&in, jobs, &how, &a, err);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &in,
                             .policy = &o->policy,
                             .seed = 1,
                             .alloc = &a};
    orr_rigid *sim = status == ORR_OK ? orr_rigid_create(&setup, err) : NULL;
    if (sim != NULL && (status = orr_rigid_reset(sim, NULL, 1, err)) == ORR_OK)
        status = orr_rigid_finish(sim, &metrics, err);
    double spent = seconds() - begin, count = in.count;
    if (sim != NULL && status == ORR_OK)
        printf("%.0f %.1f %.1f %d %.4f %.2f\n", count / spent, (double)used.most / count,
               metrics.wait_mean * count / metrics.makespan,
               (int)longest_queue(&in, orr_rigid_result(sim).ends), metrics.utilisation,
               metrics.bsld_mean);
    status = sim == NULL ? err->status : status;
    orr_rigid_destroy(sim);
    orr_instance_destroy(&in);
    return status;
}

int main(int argc, char **argv)
{
    options o = {0};
    orr_error err = {0};
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "usage: online POLICY [name=value ...]\n");
        return 2;
    }
    orr_jobs *jobs = orr_generate_lublin(&o.log, o.seed, 0, NULL, &err);
    if (jobs != NULL)
        pile_up(jobs, o.backlog);
    if (jobs == NULL || run(&o, jobs, &err) != ORR_OK)
        fprintf(stderr, "online: %s\n", err.message);
    orr_jobs_destroy(jobs);
    return err.status != ORR_OK;
}
