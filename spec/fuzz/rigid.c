/* Fuzzing of the engine for rigid jobs: an input is jobs, an instance, policies, a setup, and then
 * calls of a simulation, its copies, and what changes made of it.
 *
 * Whatever the calls are, each ends well or with a message; a run that comes to its end has a
 * schedule that the checker accepts and metrics that are those of that schedule; a copy that runs
 * in pieces comes to the same numbers as one that finishes at once, and the plain event loop to
 * the same as the short ways. The first two bytes are which allocation finds no memory (0: none).
 * What policies do is in acting.h. */
#include "acting.h"

enum { POLICIES = 3, SIMS = 4, MADE = 12, OUTAGES = 3, MOST_CALLS = 60, MOST_PLANNED = 400 };

/* --- the world of one input ------------------------------------------------------------------- */

typedef struct simulation {
    orr_rigid *sim;
    orr_instance *in;
    orr_jobs *jobs; /* its own, to which may be added; NULL: it shares them */
    bool live;
} simulation;

typedef struct world {
    bytes in;
    meter m;
    orr_allocator alloc;
    acting policy[POLICIES];
    orr_rigid_node_failures nodes;
    orr_outage outages[OUTAGES];
    orr_outage_kind kinds[OUTAGES];
    orr_windows *windows; /* NULL: none */
    orr_nodes *machine;   /* NULL: processors are counted */
    orr_rigid_setup setup;
    int32_t *failures; /* of the first instance; NULL: none */
    simulation sims[SIMS];
    orr_instance made[MADE]; /* they are borrowed by simulations until the end */
    orr_jobs *jobs[MADE];
    int instances, workloads;
    double planned[MOST_PLANNED];
    bool formulas; /* which need not agree with their functions here */
    orr_error err;
} world;

/* How far away anything may be, s: where nodes fail for ever, each failure on the way takes a step.
 */
static double farthest(const world *w)
{
    return w->setup.node_failures ? 1e4 : INFINITY;
}

/* A time to go on by. */
static double some_time(world *w)
{
    double time = number(&w->in);
    return time > farthest(w) ? farthest(w) : time;
}

static orr_jobs *keep_jobs(world *w, orr_jobs *jobs)
{
    if (jobs)
        w->jobs[w->workloads++] = jobs;
    return jobs;
}

/* The same jobs as a log has them, each of which may come after one before it. */
static orr_jobs *tie(world *w, orr_jobs *jobs)
{
    orr_read_options o;
    ORR_BEGIN(o);
    o.dependencies = true;
    orr_reader *reader = orr_reader_create("fuzzed", &o, &w->alloc, &w->err);
    insist_on_status(reader ? ORR_OK : w->err.status, &w->err);
    for (int32_t i = 0; reader && i < jobs->count; i++) {
        char line[256];
        int before = below(&w->in, i + 1);
        int size = snprintf(
            line, sizeof line, "%d %.0f %.0f %.0f %d -1 -1 %d %.0f -1 1 1 -1 -1 -1 -1 %d %d\n",
            i + 1, fmin(jobs->submit[i], 1e9), below(&w->in, 9) / 1.0, fmin(jobs->time[i], 1e9),
            (int)jobs->procs[i], (int)jobs->procs[i], fmin(jobs->time[i], 1e9) + 2,
            before > 0 ? before : -1, before > 0 ? before % 3 : -1);
        if (orr_reader_feed(reader, line, (size_t)size, &w->err) != ORR_OK) {
            insist_on_message(&w->err);
            orr_reader_destroy(reader);
            return NULL;
        }
    }
    orr_jobs *tied = reader ? orr_reader_finish(reader, &w->err) : NULL;
    insist_on_status(tied ? ORR_OK : w->err.status, &w->err);
    return tied;
}

/* What the jobs' checkpoints take, and how much work lies between two; they follow from two bytes,
 * and most can be. */
typedef struct saves {
    double cost[MOST_JOBS], recovery[MOST_JOBS], period[MOST_JOBS];
} saves;

static orr_checkpoints make_checkpoints(saves *s, const orr_jobs *jobs, int how, int rest)
{
    int most = how % 16 == 15 ? 256 : 240;
    for (int i = 0; i < MOST_JOBS; i++) {
        int32_t procs = jobs && i < jobs->count ? jobs->procs[i] : 1;
        double mtbf = orr_job_mtbf(1 + number_of((how + i) % most), 1 + how % 4, procs);
        s->cost[i] = number_of((how + 7 * i) % most); /* one of 0 has no period by these rules */
        s->recovery[i] = number_of((rest + 11 * i) % most);
        s->period[i] = how & 32   ? orr_young_period(mtbf, s->cost[i])
                       : how & 64 ? orr_daly_period(mtbf, s->cost[i])
                                  : 0.5 + number_of((how + rest + 13 * i) % most);
    }
    return (orr_checkpoints){.cost = s->cost,
                             .recovery = how & 8 ? NULL : s->recovery,
                             .period = how & 16 ? NULL : s->period,
                             .before = (unsigned)rest & 7,
                             .requeue_killed = rest & 8};
}

static void label(world *w, orr_jobs *jobs, int32_t job, orr_label kind, const char *name)
{
    int32_t number;
    orr_status status = orr_labels_number(&jobs->names, name, strlen(name), &number, &w->err);
    if (status == ORR_OK)
        status = orr_jobs_set_label(jobs, job, kind, number, &w->err);
    insist_on_status(status, &w->err);
}

/* Nodes with what jobs need of `gpu` and `mem`, and two partitions; jobs ask for numbers of nodes
 * and for nodes of their own. The machine may be too small for some. */
static void stand_on_nodes(world *w, orr_jobs *jobs, orr_instance_options *o)
{
    static const char *const names[] = {ORR_NEED_NODES, ORR_NEED_EXCLUSIVE};
    static const char resources[][48] = {"gpu", "mem"};
    int how = byte(&w->in), more = byte(&w->in);
    const orr_node_kind kinds[] = {{1 + how % 4, 1 + how / 4 % 5, {4 + how % 7, 5}},
                                   {1 + more % 3, 1 + more / 4 % 5, {6, 3 + more % 9}}};
    const int32_t count = kinds[0].count + kinds[1].count;
    const orr_node_run runs[] = {{0, count - 1 - how % 2}, {more % count, count - 1}};
    const orr_partition partitions[] = {{.name = "a",
                                         .runs = how & 8 ? &runs[0] : NULL,
                                         .run_count = how & 8 ? 1 : 0,
                                         .max_time = how % 16 == 15 ? 50 : INFINITY,
                                         .is_default = how % 16 != 14},
                                        {.name = "b",
                                         .runs = &runs[1],
                                         .run_count = 1,
                                         .priority = more % 2,
                                         .max_time = INFINITY,
                                         .exclusive = more % 8 == 7}};
    for (int32_t i = 0, number; i < 2 && how & 32; i++) {
        orr_status status = orr_jobs_add_pool(jobs, names[i], &number, &w->err);
        insist_on_status(status, &w->err);
        for (int32_t j = 0; status == ORR_OK && j < jobs->count; j++) {
            int64_t need = i == 0 ? below(&w->in, 3) + more / 64 % 2 : (more + j) % 8 == 0;
            need = need > jobs->procs[j] ? jobs->procs[j] : need;
            insist_on_status(orr_jobs_set_need(jobs, j, number, need, &w->err), &w->err);
        }
    }
    for (int32_t j = 0; j < jobs->count && how & 64; j++)
        label(w, jobs, j, ORR_LABEL_PARTITION, (how + j) % 3 ? "a" : "b");
    orr_nodes_options options;
    ORR_BEGIN(options);
    options.kinds = kinds;
    options.kind_count = 2;
    options.resources = resources;
    options.resource_count = how & 16 ? 2 : 0;
    options.partitions = partitions;
    options.partition_count = how & 64 ? 2 : 0;
    w->machine = orr_nodes_create(&options, &w->alloc, &w->err);
    insist_on_status(w->machine ? ORR_OK : w->err.status, &w->err);
    o->nodes = w->machine;
    o->procs = w->machine ? w->machine->procs : o->procs;
    orr_nodes *same = w->machine ? orr_nodes_copy(w->machine, &w->alloc, &w->err) : NULL;
    insist_on_status(same || !w->machine ? ORR_OK : w->err.status, &w->err);
    for (int32_t j = 0; same && j < jobs->count; j++) {
        orr_unfit unfit = orr_nodes_unfit(w->machine, jobs, j);
        insist(unfit <= ORR_UNFIT_NODES && unfit == orr_nodes_unfit(same, jobs, j) &&
                   orr_nodes_partition(same, jobs, j) < same->partition_count,
               "a copy of a machine is another one");
    }
    insist(!same || (orr_nodes_at(same, same->procs - 1) == same->count - 1 &&
                     orr_nodes_resource(same, "mem") < same->resource_count),
           "a node or a resource that there is not");
    orr_nodes_destroy(same);
}

/* What jobs share beside processors: pools that they need, or nodes, and limits of what runs. Some
 * jobs are not counted. */
static void share(world *w, orr_jobs *jobs, orr_instance_options *o, orr_pool pools[2],
                  orr_limit limits[2], orr_closing closings[2])
{
    static const char *const names[] = {"gpu", "mem"}, *const users[] = {"ann", "bob", "cy"};
    bytes *in = &w->in;
    int how = byte(in), more = byte(in);
    for (int32_t j = 0; j < jobs->count; j++) {
        label(w, jobs, j, ORR_LABEL_USER, users[(how + j) % 3]);
        if ((how & 12) == 12)
            insist_on_status(orr_jobs_set_counted(jobs, j, j % 3 > 0, &w->err), &w->err);
    }
    for (int32_t i = 0, number; i < 2 && how & 1; i++) {
        orr_status status = orr_jobs_add_pool(jobs, names[i], &number, &w->err);
        insist_on_status(status, &w->err);
        insist(status != ORR_OK || orr_jobs_find_pool(jobs, names[i]) == number, "another pool");
        for (int32_t j = 0; status == ORR_OK && j < jobs->count; j++)
            insist_on_status(orr_jobs_set_need(jobs, j, number, position(in, 5), &w->err), &w->err);
        pools[i].amount = 4 + more % 5;
        memcpy(pools[i].name, names[i], 4);
        o->pools = pools;
        o->pool_count = how & 64 ? 0 : 2;
    }
    for (int32_t i = 0; i < 2 && how & 128; i++) {
        double from = some_time(w);
        closings[i] = (orr_closing){from, from + some_time(w), pools[0]};
        closings[i].pool.amount = position(in, 6);
        o->closings = closings;
        o->closing_count = 2;
    }
    if (how & 64)
        stand_on_nodes(w, jobs, o);
    for (int32_t i = 0; i < 2 && how & 2; i++) {
        limits[i].of = i == 0 ? ORR_AMOUNT_PROCS : more & 64 ? ORR_AMOUNT_WAITING : ORR_AMOUNT_JOBS;
        if (i == 1 && (more & 96) == 32) {
            limits[i].of = ORR_AMOUNT_NEED;
            const char *need = (how & 64) == 0 || (more & 16) == 0 ? "gpu"
                               : more & 8                          ? "mem"
                                                                   : ORR_NEED_NODES;
            memcpy(limits[i].need, need, strlen(need) + 1);
        }
        limits[i].per = (how >> (4 + i)) & 1 ? ORR_PER_ALL : ORR_LABEL_USER;
        limits[i].most = i == 0                            ? 6 + more % 7
                         : limits[i].of == ORR_AMOUNT_NEED ? 2 + more % 8
                                                           : 1 + more % 3;
        if (more & 128)
            memcpy(limits[i].only, "ann", 4);
        o->limits = limits;
        o->limit_count = 2;
        for (int32_t j = 0; j < jobs->count; j++)
            insist(orr_limit_key(&limits[i], jobs, j) >= 0, "an impossible key");
    }
    for (int32_t j = 0; j < jobs->count; j++)
        (void)orr_limit_exceeded(o->limits, o->limit_count, jobs, j);
}

static bool make_instance(world *w)
{
    bytes *in = &w->in;
    int32_t procs = 1 + below(in, 12);
    orr_instance_options o;
    ORR_BEGIN(o);
    int how = byte(in), rest = byte(in);
    o.procs = how < 250 ? procs : position_of(how, procs);
    o.batch = how & 1;
    o.log_walltimes = how & 2;
    o.extend = how & 4;
    o.cap = (how & 24) == 24;
    o.clairvoyant = (how & 96) == 96;
    o.shares = rest & 16;
    o.silent_error_rate = rest & 32 ? number(in) / 1000 : 0;
    if (rest % 4 == 0) {
        o.verification = number(in);
        o.grace = number(in);
        o.warmup = number(in);
        o.cooldown = number(in);
        o.tau = number(in);
        o.has_origin = true;
        o.origin_us = (int64_t)1e15 * (how % 4);
    }
    orr_jobs *jobs = keep_jobs(w, make_jobs(in, MOST_JOBS, procs, 0, INFINITY, &w->alloc));
    if (jobs && rest >= 192 && w->workloads < MADE - 2) {
        orr_jobs *tied = tie(w, jobs);
        jobs = tied ? keep_jobs(w, tied) : jobs;
        o.dependencies = rest < 240;
    }
    orr_pool pools[2] = {{.number = -1}, {.number = -1}};
    orr_limit limits[2] = {{.per = 0}, {.per = 0}};
    orr_closing closings[2];
    if (jobs && rest % 8 >= 5)
        share(w, jobs, &o, pools, limits, closings);
    double estimates[MOST_JOBS];
    for (int i = 0; i < MOST_JOBS && rest % 8 == 1; i++)
        estimates[i] = number(in);
    o.estimates = rest % 8 == 1 ? estimates : NULL;
    saves own;
    if (rest % 8 == 2)
        o.checkpoints = make_checkpoints(&own, jobs, how, rest);
    if (!jobs)
        return false;
    orr_instance *made = &w->made[w->instances++];
    orr_status status = orr_instance_create(made, jobs, &o, &w->alloc, &w->err);
    insist_on_status(status, &w->err);
    insist(!w->machine || !strstr(w->err.message, "it has no node"), "nodes that are not there");
    if (status == ORR_OK) {
        (void)orr_instance_cut(made);
        for (int32_t i = 0; i < made->limit_count; i++)
            insist(limits[i].of != ORR_AMOUNT_NEED || orr_instance_has(made, limits[i].need),
                   "a limit of nothing that there is");
        insist(orr_instance_has(made, ORR_NEED_NODES) == (made->nodes != NULL), "no nodes");
        orr_jobs *starting = orr_instance_starting(made, &w->alloc, &w->err);
        insist(!starting || starting->count == made->count - made->never, "other jobs never start");
        orr_jobs_destroy(starting);
    }
    return status == ORR_OK;
}

static void make_nodes(world *w)
{
    bytes *in = &w->in;
    ORR_BEGIN(w->nodes);
    int law = byte(in);
    w->nodes.law = (orr_fault_law)ONE_OF(law, law, ORR_FAULTS_LOG);
    w->nodes.mtbf = 20 + 10 * number(in);
    for (int32_t i = 0; i < w->made->count; i++) { /* so that runs come to their ends */
        w->nodes.mtbf = fmax(w->nodes.mtbf, w->made->time[i] / 100);
        w->nodes.mtbf = fmax(w->nodes.mtbf, w->made->submit[i] / 1e4);
    }
    int shape = byte(in);
    w->nodes.shape = shape < 240 ? 0.3 + shape / 100.0 : -1;
    w->nodes.repair = fmin(number(in), w->nodes.mtbf); /* else hardly ever enough are there */
    w->nodes.repair_law = (orr_fault_law)(shape % 4);
    w->nodes.repair_shape = w->nodes.shape;
    if (w->nodes.law != ORR_FAULTS_LOG) {
        w->nodes.lemon_share = shape % 7 == 0 ? shape / 200.0 : 0;
        w->nodes.lemon_factor = 1 + shape % 3;
        w->nodes.domain_nodes = shape % 5 == 0 ? 1 + shape % 3 : 0;
        w->nodes.domain_mtbf = 3 * w->nodes.mtbf;
        w->nodes.domain_repair = w->nodes.repair;
        w->nodes.domain_repair_law = w->nodes.repair_law;
        w->nodes.domain_repair_shape = w->nodes.repair_shape;
        w->nodes.retire_after = shape % 4 == 0 ? 2 : 0;
        w->nodes.spares = shape;
        w->nodes.swap = shape % 11;
    }
    w->nodes.recall = shape % 3 && shape % 8 ? 0.25 * (1 + shape % 4) : 0;
    w->nodes.precision = w->nodes.law == ORR_FAULTS_LOG ? 1 : 0.25 * (1 + shape % 3);
    w->nodes.lead = shape % 13 ? 3 * (shape % 13) : 0.5;
    w->nodes.node_procs = position(in, 5);
    w->nodes.max_attempts = 1 + below(in, 20);
    double time = 0;
    for (int i = 0; i < OUTAGES; i++) {
        int code = byte(in);
        time += code % 9;
        w->outages[i] = (orr_outage){code < 250 ? time : number_of(code), time + number(in),
                                     position(in, w->made->procs), position(in, 4)};
    }
    for (int i = 0; i < OUTAGES; i++)
        w->kinds[i] = i % 3 == 2 ? ORR_OUTAGE_DRAINED : ORR_OUTAGE_FAILURE;
    w->nodes.outages = w->outages;
    w->nodes.outage_kinds = shape % 2 ? w->kinds : NULL;
    w->nodes.outage_count = w->nodes.law == ORR_FAULTS_LOG ? below(in, OUTAGES + 1) : 0;
    w->setup.node_failures = &w->nodes;
}

static void make_windows(world *w)
{
    bytes *in = &w->in;
    static const char *const texts[] = {NULL, "a", "", "2"};
    static const char *const nodes[] = {NULL, NULL, "0", "1-2,0", "0,", "x", "9"};
    int code = byte(in);
    w->windows =
        orr_windows_create(w->made->procs - (code > 250), 1 + code % 3, &w->alloc, &w->err);
    insist_on_status(w->windows ? ORR_OK : w->err.status, &w->err);
    if (w->windows && w->made->nodes)
        orr_windows_set_nodes(w->windows, w->made->nodes);
    if (w->windows && code & 64)
        orr_windows_set_pools(w->windows, w->made->pools, w->made->pool_count);
    for (int i = 0; w->windows && i < code % 5; i++) {
        int what = byte(in);
        double from = some_time(w), until = what > 250 ? INFINITY : from + some_time(w);
        int32_t count = position(in, 6);
        orr_window one = {from,
                          until,
                          count < 6 && count >= 0 ? count - 3 : count,
                          position(in, 5),
                          texts[what % 4],
                          texts[what / 4 % 4],
                          what & 16,
                          what & 32};
        orr_status status = what % 7 == 6
                                ? orr_windows_add_size(w->windows, from, one.count, &w->err)
                                : orr_windows_add(w->windows, &one, nodes[what % 7], &w->err);
        insist_on_status(status, &w->err);
        status = orr_windows_add_closing(
            w->windows, from, until, what & 64 ? "gpu" : texts[1 + what % 3], one.count, &w->err);
        insist_on_status(status, &w->err);
    }
    int64_t closings = 0;
    for (const orr_closing *c = w->windows ? orr_windows_closings(w->windows, &closings) : NULL;
         closings > 0; closings--, c++)
        insist(c->from < c->to && c->pool.amount >= 1, "an impossible closing");
    if (w->windows)
        w->setup.windows = orr_windows_list(w->windows, &w->setup.window_count);
}

static void make_setup(world *w)
{
    bytes *in = &w->in;
    int how = byte(in), what = byte(in);
    w->setup = (orr_rigid_setup){.size = sizeof w->setup,
                                 .instance = w->made,
                                 .policy = &w->policy[0].policy,
                                 .seed = 1,
                                 .set = (uint64_t)what,
                                 .record = how % 8 != 0,
                                 .plain = what & 1,
                                 .alloc = &w->alloc,
                                 .instant = (orr_instant)ONE_OF(what, what / 2, ORR_INSTANT_PYSS),
                                 .live = what % 16 == 9};
    if (how >= 128)
        make_nodes(w);
    if (what % 8 == 7 || what % 16 == 10)
        make_windows(w);
    w->failures = NULL;
    if (how % 4 == 1) {
        w->failures = calloc((size_t)w->made->count + 1, sizeof(int32_t));
        insist(w->failures != NULL, "no memory for the fuzzer itself");
        for (int32_t i = 0; i < w->made->count; i++)
            w->failures[i] = below(in, 250) % 4 - (in->at < in->end && *in->at == 255);
    }
}

/* --- what must hold --------------------------------------------------------------------------- */

static void insist_on_check(const world *w, orr_rigid *sim, bool partial)
{
    const orr_schedule *schedule = orr_rigid_schedule(sim);
    orr_error err;
    for (int32_t i = 0; i < orr_rigid_look(sim).instance->pool_count; i++)
        insist(orr_rigid_pool_free(sim, i) >= 0, "a pool of which more is held than there is");
    const orr_nodes *nodes = orr_rigid_look(sim).instance->nodes;
    for (int32_t k = 0; nodes && k < nodes->count; k++)
        for (int32_t r = -1; r < nodes->resource_count; r++)
            insist(orr_rigid_node_free(sim, k, r) >= 0, "more of a node is held than it has");
    if (!schedule || w->m.ran_out || w->setup.live) /* the checker knows when attempts end */
        return;
    if (orr_check_schedule(orr_rigid_look(sim).instance, schedule, orr_rigid_failures(sim),
                           partial ? orr_rigid_states(sim) : NULL, &err) != ORR_OK)
        insist(err.status == ORR_ERR_MEMORY, err.message);
}

static bool close_to(double a, double b)
{
    return a == b || (a != a && b != b) || fabs(a - b) <= 1e-6 * (1 + fabs(a) + fabs(b));
}

static bool see_span(void *user, const orr_span *span)
{
    insist(span->start < span->finish && span->procs >= 1, "an impossible span");
    return --*(int64_t *)user > 0;
}

/* Of a simulation whose jobs are all over. */
static void measure(world *w, orr_rigid *sim, int code)
{
    const orr_instance *in = orr_rigid_look(sim).instance;
    const orr_schedule *schedule = orr_rigid_schedule(sim);
    orr_run run = orr_rigid_result(sim);
    orr_metrics m = orr_rigid_measure(sim), again;
    orr_job_quantiles quantiles;
    insist_on_status(orr_measure_quantiles(in, &run, &w->alloc, &quantiles, &w->err), &w->err);
    (void)orr_measure_job(in, &run, position_of(code, in->count));
    (void)orr_times_of_job(in, position_of(code, in->count), number_of(code), 1);
    insist(!(orr_lower_bound(in, run.failures) < 0), "a bound below 0");
    orr_share shares[ORR_MOST_SHARES];
    double used[ORR_MOST_SHARES];
    orr_rigid_shares_used(sim, &m, used);
    for (int32_t i = 0, count = orr_shares(in, shares); i < count; i++)
        insist(shares[i].kind <= ORR_SHARE_PARTITION && !(used[i] < 0), "an impossible share");
    orr_users users = {0};
    insist_on_status(orr_users_measure(&users, in, (orr_label)position_of(code, ORR_LABEL_KINDS),
                                       run.ends, run.ends, &w->alloc, &w->err),
                     &w->err);
    orr_users_destroy(&users);
    orr_block_sum *blocks = NULL;
    int64_t block_count = 0;
    orr_last_attempts last = {in, run.ends, NULL};
    orr_job_time time = (orr_job_time)position_of(code, ORR_TIME_BSLD + 1);
    insist_on_status(orr_block_sums(&last, &last, time, number_of(code), &blocks, &block_count,
                                    &w->alloc, &w->err),
                     &w->err);
    orr_release(&w->alloc, blocks, (size_t)block_count * sizeof *blocks);
    if (!schedule)
        return;
    orr_status status =
        orr_measure_schedule(in, schedule, orr_rigid_failures(sim), &again, &w->err);
    insist_on_status(status, &w->err);
    if (status == ORR_OK)
        insist(close_to(m.makespan, again.makespan) && m.starts == again.starts &&
                   m.failures == again.failures && close_to(m.flow_mean, again.flow_mean),
               "other metrics than the schedule's");
    orr_timeline timeline = {0};
    insist_on_status(
        orr_timeline_make(&timeline, in, schedule, number_of(code), &w->alloc, &w->err), &w->err);
    orr_timeline_destroy(&timeline);
    int64_t pieces = 1 + code % 32;
    orr_sink sink = {swallow, &pieces};
    int64_t spans = 1000;
    for (int64_t i = -1; i <= schedule->count && spans > 0; i++)
        orr_attempt_spans(in, schedule, i, number_of(code), see_span, &spans);
    insist_on_status(orr_export_csv(in, schedule, "fuzzed", &sink, &w->err), &w->err);
    pieces = 1 + code / 8;
    insist_on_status(orr_export_swf(in, schedule, "fuzzed", &sink, &w->err), &w->err);
    (void)orr_schedule_group(schedule, position_of(code, (int32_t)schedule->count));
}

static void insist_on_same(orr_rigid *a, orr_rigid *b)
{
    orr_metrics one = orr_rigid_measure(a), other = orr_rigid_measure(b);
    insist(same_bits(&one, &other, sizeof one), "another future: metrics");
    const orr_schedule *s = orr_rigid_schedule(a), *t = orr_rigid_schedule(b);
    insist(!s == !t && (!s || s->count == t->count), "another future: attempts");
    for (int64_t i = 0; s && i < s->count; i++) {
        const orr_attempt *p = &s->attempts[i], *q = &t->attempts[i];
        insist(p->start == q->start && p->end == q->end && p->job == q->job &&
                   p->outcome == q->outcome && p->group == q->group,
               "another future: an attempt");
    }
}

/* To the end, in pieces: run_until, steps, and what is left. */
static orr_status finish_in_pieces(orr_rigid *sim, int code, orr_metrics *metrics, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int i = 0; i < 6 && status == ORR_OK; i++) {
        double now = orr_rigid_look(sim).now;
        status = (code + i) % 3 ? orr_rigid_run_until(sim, now + (code + 5 * i) % 11, err)
                                : orr_rigid_step(sim, err);
    }
    return status == ORR_OK ? orr_rigid_finish(sim, metrics, err) : status;
}

static void compare_futures(world *w, const simulation *s, int code)
{
    orr_rigid *a = orr_rigid_copy(s->sim, &w->err);
    insist_on_status(a ? ORR_OK : w->err.status, &w->err);
    orr_rigid *frozen = orr_rigid_freeze(s->sim, &w->err);
    insist_on_status(frozen ? ORR_OK : w->err.status, &w->err);
    orr_rigid *b = frozen ? orr_rigid_copy(frozen, &w->err) : NULL;
    insist_on_status(b ? ORR_OK : w->err.status, &w->err);
    orr_rigid_destroy(frozen);
    if (a && b && !w->m.ran_out) {
        orr_metrics metrics;
        orr_status one = orr_rigid_finish(a, &metrics, &w->err);
        insist_on_status(one, &w->err);
        orr_status other = finish_in_pieces(b, code, &metrics, &w->err);
        insist_on_status(other, &w->err);
        if (!w->m.ran_out) {
            insist(one == other || w->setup.live, "another future: a status"); /* finish gives up */
            if (one == ORR_OK) {
                insist_on_same(a, b);
                insist_on_check(w, a, false);
                measure(w, a, code);
            }
        }
    }
    orr_rigid_destroy(a);
    orr_rigid_destroy(b);
}

/* The same scenario from nothing, by the other event loop. */
static void compare_plain(world *w)
{
    orr_rigid_setup setup = w->setup;
    orr_rigid *sims[2] = {NULL, NULL};
    orr_status status[2] = {ORR_OK, ORR_OK};
    for (int i = 0; i < 2; i++) {
        setup.plain = i;
        sims[i] = orr_rigid_create(&setup, &w->err);
        status[i] = sims[i] ? orr_rigid_reset(sims[i], w->failures, 1, &w->err) : w->err.status;
        if (status[i] == ORR_OK)
            status[i] = orr_rigid_finish(sims[i], NULL, &w->err);
        insist_on_status(status[i], &w->err);
    }
    if (!w->m.ran_out && !w->formulas) {
        insist(status[0] == status[1], "the plain event loop has another status");
        if (status[0] == ORR_OK)
            insist_on_same(sims[0], sims[1]);
    }
    orr_rigid_destroy(sims[0]);
    orr_rigid_destroy(sims[1]);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void remark(void *user, const char *text)
{
    (void)user;
    insist(text[0] != '\0', "an empty remark");
}

static simulation *empty_place(world *w)
{
    for (int i = 0; i < SIMS; i++)
        if (!w->sims[i].sim)
            return &w->sims[i];
    return NULL;
}

static void copy(world *w, simulation *s)
{
    simulation *place = empty_place(w);
    if (!place)
        return;
    *place = *s;
    place->sim = orr_rigid_copy(s->sim, &w->err);
    insist_on_status(place->sim ? ORR_OK : w->err.status, &w->err);
    place->jobs = NULL;
    if (place->sim)
        s->jobs = NULL;
}

/* The simulation as something else takes its place, or another one. */
static void change(world *w, simulation *s)
{
    bytes *in = &w->in;
    int what = byte(in), how = byte(in);
    double now = orr_rigid_look(s->sim).now;
    int32_t jobs = s->in->count, list[2] = {position(in, jobs), position(in, jobs)};
    orr_rigid_change c;
    ORR_BEGIN(c);
    c.remark = remark;
    if (what & 1) {
        acting *p = &w->policy[how % POLICIES];
        c.policy = &p->policy;
        c.procs = how < 128 ? 0 : position(in, 16);
        w->formulas = w->formulas || has_formula(p);
    }
    orr_jobs *own = NULL;
    saves written;
    if ((what & 2) && w->workloads < MADE - 1) {
        orr_jobs *more =
            how & 1 ? make_jobs(in, 3, s->in->procs, now, now + farthest(w), &w->alloc) : NULL;
        for (int32_t i = 0; more && i < more->count; i++)
            if (orr_jobs_set_time(more, i, fmin(more->time[i], 1e3), &w->err) != ORR_OK)
                insist_on_message(&w->err);
        own = keep_jobs(w, orr_jobs_append(s->in->jobs, more, &w->alloc, &w->err));
        orr_jobs_destroy(more);
        if (own && own->count > 0 && how & 2 &&
            orr_jobs_set_time(own, position(in, own->count), now + some_time(w), &w->err) != ORR_OK)
            insist_on_message(&w->err);
        c.jobs = own;
        c.room = own ? position(in, 4) : 0;
        if (own && how & 32)
            c.checkpoints = make_checkpoints(&written, own, how, what);
    }
    if (what & 4) {
        c.draws = true;
        c.seed = (uint64_t)how;
        c.lambda = number(in) / 1000;
        c.max_attempts = 1 + below(in, 20);
    }
    orr_rigid_service service = {how % 3 ? NULL : "two", position(in, (int64_t)s->in->procs + 2),
                                 how % 5 ? now + some_time(w) : INFINITY};
    c.service = what & 8 ? &service : NULL;
    c.cancel = list;
    c.cancel_count = what & 16 ? 1 + (how & 1) : 0;
    c.checkpoint = list + 1;
    c.checkpoint_count = what % 32 == 2 ? 1 : 0;
    c.preempt = list;
    c.preempt_count = what % 32 == 3 ? 1 : 0;
    c.fail = list + 1;
    c.fail_count = what & 32 ? 1 : 0;
    orr_rigid_fault fault = {how & 8 ? list[0] : -1, position(in, s->in->procs), some_time(w)};
    c.faults = &fault;
    c.fault_count = what & 64 ? 1 : 0;
    orr_pool pool = {"gpu", position(in, 9), -1};
    orr_limit limit = s->in->limit_count > 0 ? s->in->limits[how % s->in->limit_count]
                                             : (orr_limit){.per = ORR_PER_ALL};
    limit.most = 1 + how % 5;
    orr_window drain = {now, now + some_time(w), 1, position(in, s->in->procs), NULL, NULL, 1, 0};
    c.pools = &pool;
    c.pool_count = (what & 129) == 128 ? 1 : 0;
    c.limits = &limit;
    c.limit_count = (what & 130) == 128 ? 1 : 0;
    c.drains = c.returns = &drain;
    c.drain_count = (what & 132) == 128 ? 1 : 0;
    c.return_count = (what & 136) == 128 ? 1 : 0;
    static const char *const joined[] = {"a", "b"};
    orr_more_nodes more_nodes = {{1 + how % 3, 1 + how % 5, {how % 7, how % 9}},
                                 how % 4 ? joined : NULL,
                                 how % 4 ? 1 + how % 2 : 0};
    c.more_nodes = &more_nodes;
    c.more_node_count = (what & 192) == 192 ? 1 : 0;
    if (w->instances == MADE)
        return;
    orr_instance *made = &w->made[w->instances++];
    orr_rigid *other = orr_rigid_changed(s->sim, &c, made, &w->err);
    insist_on_status(other ? ORR_OK : w->err.status, &w->err);
    if (!other)
        return;
    orr_rigid_destroy(s->sim);
    s->sim = other;
    s->jobs = own;
    s->in = made->jobs ? made : s->in;
    (void)orr_rigid_room(other);
}

static void submit(world *w, simulation *s)
{
    double now = orr_rigid_look(s->sim).now;
    orr_jobs *more = make_jobs(&w->in, 2, s->in->procs, now - 1, now + farthest(w), &w->alloc);
    int first = byte(&w->in);
    if (more)
        insist_on_status(orr_rigid_submit(s->sim, s->in, s->jobs ? s->jobs : more, more,
                                          position_of(first, more->count),
                                          first < 200
                                              ? more->count - position_of(first, more->count)
                                              : position(&w->in, more->count + 1),
                                          &w->err),
                         &w->err);
    orr_jobs_destroy(more);
}

static orr_status get_policy(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)err;
    *(orr_rigid_policy *)out = ((const world *)user)->policy[policy].policy;
    return ORR_OK;
}

enum { SCENARIOS = 3 };

/* Where the results of blocks are put together. */
typedef struct blocks {
    const orr_metrics *from; /* of one block */
    orr_metrics to[2 * SCENARIOS];
    int64_t policies, scenarios, done;
} blocks;

static orr_status after_block(void *user, int64_t count, orr_error *err)
{
    (void)err;
    blocks *b = user;
    for (int64_t p = 0; p < b->policies; p++)
        for (int64_t i = 0; i < count; i++)
            b->to[p * b->scenarios + b->done + i] = b->from[p * count + i];
    b->done += count;
    return ORR_OK;
}

/* The same scenarios block by block. */
static void in_blocks(world *w, orr_rigid_montecarlo mc, orr_rigid_set set, int how)
{
    static blocks b;
    orr_metrics results[2 * SCENARIOS];
    b = (blocks){results, .policies = mc.common.policies, .scenarios = mc.common.scenarios};
    const orr_metrics *whole = set.results;
    set.results = results;
    mc.set = &set;
    mc.block = how % 5 - 1;
    mc.after_block = how % 7 ? after_block : NULL;
    mc.block_user = &b;
    orr_status status = orr_rigid_montecarlo_run(&mc, &w->err);
    insist_on_status(status, &w->err);
    for (int64_t i = 0; status == ORR_OK && mc.block > 0 && i < b.policies * b.scenarios; i++)
        insist(same_bits(&b.to[i], &whole[i], sizeof *whole), "blocks: other metrics");
}

static void montecarlo(world *w)
{
    bytes *in = &w->in;
    orr_silent_errors errors;
    int how = byte(in);
    double lambda = orr_silent_error_rate(w->made->jobs, how / 300.0);
    orr_status status = orr_silent_errors_create(&errors, w->made, how < 250 ? lambda : number(in),
                                                 1 + below(in, 50), &w->alloc, &w->err);
    insist_on_status(status, &w->err);
    if (status == ORR_OK && w->failures)
        insist_on_status(orr_silent_errors_draw(&errors, 1, 2, 3, w->failures, &w->err), &w->err);
    orr_metrics results[2][2 * SCENARIOS];
    orr_job_quantiles quantiles[2 * SCENARIOS];
    const orr_instance *instances[] = {w->made, w->made};
    orr_rigid_montecarlo mc;
    ORR_BEGIN(mc);
    mc.common.policies = 1 + (how & 1);
    mc.common.source = (orr_policy_source){get_policy, NULL, w};
    mc.common.seed = 1;
    mc.common.scenarios = how < 250 ? 1 + how % SCENARIOS : -1;
    mc.common.check = how & 2;
    mc.node_failures = w->setup.node_failures;
    mc.sets = 1;
    mc.plain = how & 4;
    mc.instant = w->setup.instant;
    orr_status outcome[2] = {ORR_OK, ORR_OK};
    atomic_bool ran_out = false;
    orr_allocator of_threads = {resize_bounded, &ran_out};
    for (int i = 0; i < 2 && status == ORR_OK; i++) {
        mc.common.alloc = i ? &of_threads : &w->alloc;
        mc.common.threads = 1 + i;
        orr_schedule schedules[2] = {0};
        int64_t pieces[2] = {1 + how / 8, 1 + how / 8};
        const orr_sink sinks[2] = {{swallow, &pieces[0]}, {swallow, &pieces[1]}};
        const orr_rows rows[2] = {{&sinks[0], "first"}, {&sinks[1], "second"}};
        bool one = mc.common.scenarios == 1;
        orr_rigid_set set = {.instances = instances,
                             .number = 2,
                             .schedules = one && how & 32 ? schedules : NULL,
                             .rows = one && how & 64 && orr_export_follows(w->made) ? rows : NULL,
                             .windows = w->setup.windows,
                             .window_count = w->setup.window_count,
                             .errors = how & 8 ? &errors : NULL,
                             .results = results[i],
                             .quantiles = how & 16 ? quantiles : NULL};
        mc.set = &set;
        outcome[i] = orr_rigid_montecarlo_run(&mc, &w->err);
        insist_on_status(outcome[i], &w->err);
        for (int k = 0; k < 2; k++)
            orr_schedule_destroy(&schedules[k]);
        set.schedules = NULL;
        set.rows = NULL;
        if (i == 0 && outcome[0] == ORR_OK && how < 250)
            in_blocks(w, mc, set, how);
    }
    if (status == ORR_OK && !w->m.ran_out && !ran_out) {
        insist(outcome[0] == outcome[1], "threads: another status");
        for (int i = 0; i < mc.common.policies * mc.common.scenarios && outcome[0] == ORR_OK; i++)
            insist(same_bits(&results[0][i], &results[1][i], sizeof results[0][i]),
                   "threads: other metrics");
    }
    orr_silent_errors_destroy(&errors);
}

/* Why jobs wait; the policy's own functions are called in copies. */
static void ask_why(world *w, const simulation *s, int32_t job, int32_t room)
{
    orr_rigid_why why;
    orr_rigid_delay delays[4];
    orr_status status = orr_rigid_ask_why(s->sim, job, &why, delays, room, &w->err);
    insist_on_status(status, &w->err);
    insist(status != ORR_OK || why.delayed >= 0, "an impossible answer");
    insist_on_status(orr_rigid_ask_plans(s->sim, w->planned, &w->err), &w->err);
    status = orr_rigid_note_reservations(s->sim, room % 2 ? w->planned : NULL, &w->err);
    insist_on_status(status, &w->err);
}

static void act_from_outside(world *w, simulation *s, int what)
{
    bytes *in = &w->in;
    if (s->live) {
        insist_on_status(orr_rigid_pass(s->sim, orr_rigid_look(s->sim).now + number(in), &w->err),
                         &w->err);
        insist_on_status(orr_rigid_report_end(s->sim, position(in, s->in->count),
                                              what & 16 ? ORR_KILLED : ORR_COMPLETED, &w->err),
                         &w->err);
    } else if (what < 64) {
        act a = {(uint8_t)byte(in), (uint8_t)byte(in), (uint8_t)byte(in)};
        if (a.what % 16 != 13) /* outside of a policy's calls */
            insist_on_status(do_act(s->sim, &a, -1, &w->err) == ORR_OK ? ORR_OK : w->err.status,
                             &w->err);
    }
}

static void call(world *w)
{
    bytes *in = &w->in;
    int what = byte(in);
    simulation *s = &w->sims[below(in, SIMS)];
    if (!s->sim)
        s = &w->sims[0];
    if (!s->sim)
        return;
    switch (what % 16) {
    case 0:
    case 1:
    case 2:
        insist_on_status(orr_rigid_step(s->sim, &w->err), &w->err);
        break;
    case 3:
    case 4: {
        double time = some_time(w);
        insist_on_status(orr_rigid_run_until(s->sim,
                                             what < 128 ? orr_rigid_look(s->sim).now + time : time,
                                             &w->err),
                         &w->err);
        break;
    }
    case 5:
        copy(w, s);
        break;
    case 6:
    case 7:
    case 8:
        change(w, s);
        break;
    case 9:
        submit(w, s);
        break;
    case 10:
        compare_futures(w, s, byte(in));
        break;
    case 11:
        if (what < 128)
            ask(s->sim, position(in, s->in->count), byte(in));
        else
            ask_why(w, s, position(in, s->in->count), below(in, 5));
        break;
    case 12:
        act_from_outside(w, s, what);
        break;
    case 13:
        insist_on_status(orr_rigid_reset(s->sim, s->in == w->made ? w->failures : NULL,
                                         (uint64_t)byte(in), &w->err),
                         &w->err);
        break;
    case 14:
        if (s != w->sims) {
            orr_rigid_destroy(s->sim);
            s->sim = NULL;
        }
        break;
    default:
        insist_on_check(w, s->sim, true);
    }
}

static void run(world *w)
{
    simulation *s = w->sims;
    double values[MOST_JOBS];
    orr_status status = orr_rigid_priorities(w->setup.policy, w->made, 1, 2, values, &w->err);
    insist_on_status(status, &w->err);
    w->setup.priorities = status == ORR_OK && w->setup.set % 4 == 3 ? values : NULL;
    s->sim = orr_rigid_create(&w->setup, &w->err);
    insist_on_status(s->sim ? ORR_OK : w->err.status, &w->err);
    if (!s->sim)
        return;
    s->in = w->made;
    s->live = w->setup.live;
    insist_on_status(orr_rigid_reset(s->sim, w->failures, 1, &w->err), &w->err);
    for (int i = 0; i < MOST_CALLS && w->in.at < w->in.end; i++)
        call(w);
    for (int i = 0; i < SIMS; i++) {
        orr_rigid *sim = w->sims[i].sim;
        if (!sim)
            continue;
        status = orr_rigid_finish(sim, NULL, &w->err);
        insist_on_status(status, &w->err);
        if (status == ORR_OK) {
            insist_on_check(w, sim, false);
            measure(w, sim, i);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world w; /* large */
    w = (world){.in = {data, data + size}};
    int high = byte(&w.in), low = byte(&w.in);
    w.m.until_none = high < 128 ? 0 : 256 * (high % 8) + low;
    w.alloc = (orr_allocator){resize_metered, &w.m};
    int twice = byte(&w.in);
    if (make_instance(&w)) {
        make_policy(&w.policy[2], &w.in, NULL, w.made->procs);
        for (int i = 0; i < 2; i++)
            make_policy(&w.policy[i], &w.in, &w.policy[2].policy, w.made->procs);
        make_setup(&w);
        w.formulas = has_formula(&w.policy[0]) || has_formula(&w.policy[2]);
        if (twice % 4 == 1 && !w.setup.live)
            compare_plain(&w);
        else if (twice % 16 == 2)
            montecarlo(&w);
        run(&w);
        free(w.failures);
    }
    for (int i = 0; i < SIMS; i++)
        orr_rigid_destroy(w.sims[i].sim);
    orr_windows_destroy(w.windows);
    orr_nodes_destroy(w.machine);
    for (int i = 0; i < w.instances; i++)
        orr_instance_destroy(&w.made[i]);
    for (int i = 0; i < w.workloads; i++)
        orr_jobs_destroy(w.jobs[i]);
    insist_on_no_leak(&w.m);
    return 0;
}
