/* Fuzzing of the engine for malleable tasks: an input is tasks, a platform, faults, policies, and
 * then calls of a simulation, its copies, and what changes made of it.
 *
 * Whatever the calls are, each ends well or with a message; a recorded run that comes to its end is
 * one that the checker accepts, and a copy that runs in pieces comes to the same numbers as one
 * that finishes at once. The first two bytes are which allocation finds no memory (0: none).
 *
 * A policy takes its proposals from a list that the input gives. Which one is next is kept in its
 * state or, where it has none, follows from the time and the task. */
#include "fuzz.h"

#include "malleable/change.h"
#include "malleable/decide.h"
#include "malleable/engine.h"
#include "malleable/expected.h"
#include "malleable/montecarlo.h"
#include "schedule/stints.h"

enum {
    MOST_TASKS = 7,
    ACTS = 8,
    FAULTS = 6,
    SIMS = 4,
    MADE = 8,
    MOST_CALLS = 50,
    MOST_FAULTS = 100 /* and 100 times as many that strike nobody */
};

/* --- policies that propose -------------------------------------------------------------------- */

typedef struct act {
    uint8_t what, whom, value;
} act;

typedef struct acting {
    orr_malleable_policy policy;
    act acts[ACTS];
    int count;
    bool passes_on; /* errors of its proposals */
} acting;

enum { KINDS_OF_ACTS = 11, GOING_ROUND = 8 /* what a policy may not do */ };

static int32_t whom(orr_malleable *sim, int code, int32_t own)
{
    if (code < 60)
        return own;
    if (code < 120)
        return orr_malleable_longest(sim);
    if (code < 180)
        return orr_malleable_shortest(sim, code % 6);
    return position_of(code, orr_malleable_look(sim).tasks->count);
}

/* What would come of a proposal, which is not made; and how likely a task is struck. */
static void ask_what_if(orr_malleable *sim, int32_t task, int32_t procs, int value)
{
    int32_t count = orr_malleable_look(sim).tasks->count;
    int32_t tasks[2] = {task, position_of(value / 5, count)}, numbers[2] = {procs, value % 9};
    double before = orr_malleable_proposed_finish(sim, task), last;
    orr_error err = {0};
    if (orr_malleable_expected_last(sim, tasks, numbers, value % 3, &last, &err) == ORR_OK)
        insist(!(last < 0), "a finish below 0");
    else
        insist_on_message(&err);
    double after = orr_malleable_proposed_finish(sim, task);
    insist(same_bits(&before, &after, sizeof before), "a question that changes something");
    insist(!(orr_malleable_error_rate(sim, task) < 0), "a rate below 0");
    double risk = orr_malleable_failure_probability(sim, task);
    insist(!(risk < 0 || risk > 1), "an impossible probability");
}

static void ask(orr_malleable *sim, int32_t task, int value)
{
    orr_malleable_view v = orr_malleable_look(sim);
    if (!v.tasks)
        return;
    orr_task_view t = orr_malleable_task(sim, task);
    insist(t.procs >= 0 && t.procs <= v.procs + v.leaving && t.procs % 2 == 0,
           "an impossible task");
    insist(v.deciding || v.free >= 0 || v.leaving > 0, "fewer than no processors are free");
    int32_t most = orr_malleable_most(sim, task), procs = position_of(value, v.procs);
    insist(orr_malleable_improvement(sim, task, procs) >= 0, "a negative improvement");
    insist(orr_malleable_transfer(sim, position_of(value / 3, v.tasks->count), task) >= 0,
           "a negative transfer");
    (void)orr_malleable_finish_with(sim, task, value % 2 ? procs : most);
    ask_what_if(sim, task, procs, value);
    (void)orr_malleable_proposed(sim, task);
    (void)orr_malleable_proposed_finish(sim, task);
    (void)orr_malleable_next_event(sim);
    (void)orr_malleable_is_over(sim);
    (void)orr_malleable_ends(sim);
    (void)orr_malleable_measure(sim);
    int64_t count;
    (void)orr_malleable_faults(sim, &count);
    (void)orr_malleable_moments(sim, &count);
}

/* What a policy may not do in its own call. */
static orr_status go_round(orr_malleable *sim, int value, orr_error *err)
{
    orr_malleable_change change;
    ORR_BEGIN(change);
    orr_malleable *other = NULL;
    orr_status status = ORR_ERR_POLICY;
    switch (value % 7) {
    case 0:
        status = orr_malleable_step(sim, err);
        break;
    case 1:
        status = orr_malleable_finish(sim, NULL, err);
        break;
    case 2:
        status = orr_malleable_reset(sim, orr_malleable_look(sim).tasks, 1, err);
        break;
    case 3:
        status = orr_malleable_run_until(sim, 10, err);
        break;
    case 4:
        status = orr_malleable_check(sim, err);
        break;
    case 5:
        other = orr_malleable_copy(sim, err);
        break;
    default:
        other = orr_malleable_changed(sim, &change, err);
    }
    insist(status != ORR_OK && !other, "a simulation goes on inside of its own policy");
    return ORR_ERR_POLICY;
}

static orr_status do_act(orr_malleable *sim, const act *a, int32_t own, orr_error *err)
{
    int32_t task = whom(sim, a->whom, own), other;
    int32_t given;
    switch (a->what % KINDS_OF_ACTS) {
    case 10:
        return orr_malleable_share_out(sim, position_of(a->value, orr_malleable_look(sim).procs),
                                       &given, err);
    case 0:
        return orr_malleable_start_over(sim, err);
    case 1:
        orr_malleable_drop(sim, task);
        return ORR_OK;
    case 2:
    case 3:
        return orr_malleable_assign(
            sim, task,
            orr_malleable_proposed(sim, task) +
                orr_malleable_improvement(sim, task, orr_malleable_look(sim).free),
            err);
    case 4:
        return orr_malleable_assign(sim, task, 2, err);
    case 5:
        return orr_malleable_assign(sim, task, position_of(a->value, orr_malleable_look(sim).procs),
                                    err);
    case 6:
        other = orr_malleable_shortest(sim, 4);
        if (other < 0 || other == task || orr_malleable_transfer(sim, other, task) == 0)
            return ORR_OK;
        if (orr_malleable_assign(sim, other, orr_malleable_proposed(sim, other) - 2, err) != ORR_OK)
            return err->status;
        return orr_malleable_assign(sim, task, orr_malleable_proposed(sim, task) + 2, err);
    case 7:
        return a->value < 16   ? orr_fail(err, ORR_ERR_POLICY, "as asked")
               : a->value < 32 ? ORR_ERR_LIMIT /* without a message */
                               : ORR_OK;
    case GOING_ROUND:
        return a->value < 128 ? go_round(sim, a->value, err) : ORR_OK;
    default:
        ask(sim, task, a->value);
        return ORR_OK;
    }
}

/* Some proposals. */
static orr_status act_on(void *user, orr_malleable *sim, int32_t own, orr_error *err)
{
    const acting *p = user;
    orr_malleable_view v = orr_malleable_look(sim);
    int32_t *calls = v.state;
    orr_status status = ORR_OK;
    int which = calls ? *calls : (int)fmod(v.now, 1000) + own;
    for (int i = 0; i < 1 + which % 3 && p->count > 0 && status == ORR_OK; i++) {
        status = do_act(sim, &p->acts[(which + i) % p->count], own, err);
        if (!p->passes_on)
            status = ORR_OK;
    }
    if (calls)
        *calls = (which + 3) % 1000;
    return status;
}

static orr_status start_on(void *user, orr_malleable *sim, orr_error *err)
{
    return act_on(user, sim, 0, err);
}

/* Periods that depend on the question alone; sometimes one that is refused. */
static orr_status give_period(void *user, const orr_period_question *q, double *period,
                              orr_error *err)
{
    const acting *p = user;
    (void)err;
    *period = p->count == ACTS ? q->checkpoint : q->checkpoint * (1.5 + p->count) + q->procs % 3;
    return ORR_OK;
}

static orr_status make_state(void *user, orr_malleable *sim, void **state, orr_error *err)
{
    (void)user, (void)sim;
    return make_number(state, err);
}

static void make_policy(acting *p, bytes *in)
{
    *p = (acting){.count = below(in, ACTS + 1), .passes_on = below(in, 4) == 0};
    int parts = byte(in);
    for (int i = 0; i < p->count; i++)
        p->acts[i] = (act){(uint8_t)byte(in), (uint8_t)byte(in), (uint8_t)byte(in)};
    p->policy = (orr_malleable_policy){.size = parts < 250 ? sizeof p->policy : 0,
                                       .name = "fuzzed",
                                       .user = p,
                                       .on_end = parts & 1 ? act_on : NULL,
                                       .on_fault = parts & 2 ? act_on : NULL,
                                       .on_start = parts & 8 ? start_on : NULL,
                                       .period = (parts & 48) == 48 ? give_period : NULL,
                                       .every_fault = parts & 64};
    if (parts & 4) {
        p->policy.make_state = make_state;
        p->policy.copy_state = copy_number;
        p->policy.free_state = parts < 240 ? free_number : NULL;
    }
}

/* --- the world of one input ------------------------------------------------------------------- */

typedef struct world {
    bytes in;
    meter m;
    orr_allocator alloc;
    acting policy[2];
    orr_fault log[FAULTS];
    orr_malleable_setup setup;
    orr_tasks *tasks[MADE];
    int made;
    orr_malleable *sims[SIMS];
    orr_error err;
} world;

/* s; what a platform may take, to 17 digits, or what it refuses. */
static double cost(bytes *in)
{
    double x = number(in);
    return x > 1e9 && isfinite(x) ? 1e9 : x > 0 && x < 1e-12 ? 0 : x;
}

static void make_platform(bytes *in, orr_resilience *r)
{
    static const double mtbfs[] = {INFINITY, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 3e9};
    int which = byte(in), how = byte(in);
    *r = orr_resilience_default();
    r->mtbf = which < 240 ? mtbfs[which % 8] : number(in);
    r->rule = (orr_period_rule)ONE_OF(which, which < 240 ? which / 8 % 2 : 2, ORR_PERIOD_GIVEN);
    if (how & 1)
        r->downtime = cost(in);
    if (how & 2)
        r->checkpoint_unit = cost(in) / 100;
    if (how & 4)
        r->checkpoint_fixed = cost(in);
    if (how & 8)
        r->startup = cost(in);
    if (how & 16)
        r->latency = cost(in) / 8;
    if (how & 32)
        r->bandwidth = how & 64 ? INFINITY : 1 + 100 * cost(in);
}

static void make_setup(world *w)
{
    bytes *in = &w->in;
    int how = byte(in), count = w->tasks[0]->count, law = byte(in);
    w->setup = (orr_malleable_setup){.size = sizeof w->setup,
                                     .count = how < 250 ? count : position_of(how, count),
                                     .procs = position(in, 20) % 1000 + 2 * count,
                                     .policy = &w->policy[0].policy,
                                     .seed = (uint64_t)how,
                                     .record = how % 4 != 0,
                                     .max_faults = MOST_FAULTS,
                                     .alloc = &w->alloc};
    make_platform(in, &w->setup.resilience);
    orr_faults_setup *f = &w->setup.faults;
    f->law = (orr_fault_law)ONE_OF(law, law, ORR_FAULTS_LOG);
    f->mtbf = w->setup.resilience.mtbf;
    f->shape = 0.3 + number(in) / 20;
    double time = 0;
    for (int i = 0; i < FAULTS && f->law == ORR_FAULTS_LOG; i++) {
        int code = byte(in), whose = byte(in);
        time += 50.0 * (code % 64);
        w->log[i] = (orr_fault){code < 250 ? time : number_of(code),
                                whose % 2 ? position_of(whose, w->setup.procs) : -1,
                                whose % 2 && whose < 254 ? -1 : position_of(whose, count)};
    }
    f->log = w->log;
    f->log_count = f->law == ORR_FAULTS_LOG ? below(in, FAULTS + 1) : 0;
}

/* --- what must hold --------------------------------------------------------------------------- */

static bool count_span(void *user, const orr_span *span)
{
    insist(span->start < span->finish && span->procs >= 2, "an impossible span");
    return --*(int64_t *)user != 0;
}

/* Of a simulation that may have more to come. */
static void look_at(world *w, orr_malleable *sim, int code)
{
    const orr_stints *stints = orr_malleable_stints(sim);
    if (!stints || w->m.ran_out)
        return;
    orr_status status = orr_malleable_check(sim, &w->err);
    if (status != ORR_OK && status != ORR_ERR_MEMORY)
        insist(status == ORR_ERR_ARGUMENT, w->err.message);
    orr_malleable_view v = orr_malleable_look(sim);
    if (!v.tasks || status != ORR_OK)
        return;
    int64_t pieces = 1 + code;
    orr_sink sink = {swallow, &pieces};
    insist_on_status(orr_export_spans(v.tasks, stints, v.now, &sink, &w->err), &w->err);
    pieces = 1 + code / 4;
    orr_stint_spans(stints, position_of(code, (int32_t)stints->count), number_of(code), count_span,
                    &pieces);
}

static orr_status finish_in_pieces(orr_malleable *sim, int code, orr_malleable_metrics *metrics,
                                   orr_error *err)
{
    orr_status status = ORR_OK;
    for (int i = 0; i < 6 && status == ORR_OK; i++) {
        double now = orr_malleable_look(sim).now;
        status = (code + i) % 3
                     ? orr_malleable_run_until(sim, now + 300.0 * ((code + 5 * i) % 11), err)
                     : orr_malleable_step(sim, err);
    }
    return status == ORR_OK ? orr_malleable_finish(sim, metrics, err) : status;
}

static void compare_futures(world *w, const orr_malleable *sim, int code)
{
    orr_malleable *a = orr_malleable_copy(sim, &w->err);
    insist_on_status(a ? ORR_OK : w->err.status, &w->err);
    orr_malleable *b = orr_malleable_copy(sim, &w->err);
    insist_on_status(b ? ORR_OK : w->err.status, &w->err);
    if (a && b && !w->m.ran_out) {
        orr_malleable_metrics m = {0}, n = {0};
        orr_status one = orr_malleable_finish(a, &m, &w->err);
        insist_on_status(one, &w->err);
        orr_status other = finish_in_pieces(b, code, &n, &w->err);
        insist_on_status(other, &w->err);
        if (!w->m.ran_out) {
            insist(one == other, "another future: a status");
            insist(one != ORR_OK || same_bits(&m, &n, sizeof m), "another future: metrics");
            if (one == ORR_OK)
                look_at(w, a, code);
        }
    }
    orr_malleable_destroy(a);
    orr_malleable_destroy(b);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void remark(void *user, const char *text)
{
    (void)user;
    insist(text[0] != '\0', "an empty remark");
}

static orr_tasks *more_tasks(world *w, const orr_tasks *tasks)
{
    if (w->made == MADE || tasks->count > 2 * MOST_TASKS)
        return NULL;
    orr_tasks *all = orr_tasks_create(&w->alloc, &w->err);
    orr_tasks *more = make_tasks(&w->in, 2, &w->alloc);
    if (all)
        w->tasks[w->made++] = all;
    orr_status status = all && more ? orr_tasks_append(all, tasks, &w->err) : ORR_ERR_MEMORY;
    if (status == ORR_OK)
        status = orr_tasks_append(all, more, &w->err);
    orr_tasks_destroy(more);
    return status == ORR_OK ? all : NULL;
}

/* The simulation as something else takes its place. */
static void change(world *w, orr_malleable **sim)
{
    bytes *in = &w->in;
    int what = byte(in), how = byte(in);
    orr_malleable_view v = orr_malleable_look(*sim);
    if (!v.tasks)
        return;
    int32_t count = v.tasks->count, cancel[2] = {position(in, count), position(in, count)};
    orr_malleable_change c;
    ORR_BEGIN(c);
    c.policy = what & 1 ? &w->policy[how % 2].policy : NULL;
    c.draws = what & 2;
    c.seed = (uint64_t)how;
    c.resizes = what & 4;
    c.procs = position(in, (int64_t)v.procs + 5);
    c.until = how & 1 ? INFINITY : v.now + 100 * number(in);
    c.tasks = what & 8 ? more_tasks(w, v.tasks) : NULL;
    c.cancel = cancel;
    c.cancel_count = what & 16 ? 1 + (how & 1) : 0;
    orr_work_change work = {position(in, count), number(in) / 8};
    c.work = &work;
    c.work_count = what & 32 ? 1 : 0;
    orr_fault faults[2] = {{0, position(in, v.procs), -1}, {0, -1, position(in, count)}};
    c.faults = faults;
    c.fault_count = what & 64 ? 1 + (how & 1) : 0;
    c.remark = remark;
    orr_malleable *other = orr_malleable_changed(*sim, &c, &w->err);
    insist_on_status(other ? ORR_OK : w->err.status, &w->err);
    if (!other)
        return;
    orr_malleable_destroy(*sim);
    *sim = other;
}

static orr_status get_policy(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)err;
    *(orr_malleable_policy *)out = ((const world *)user)->policy[policy].policy;
    return ORR_OK;
}

static void montecarlo(world *w)
{
    enum { SCENARIOS = 2 };
    int how = byte(&w->in);
    orr_malleable_result results[2][2 * SCENARIOS];
    orr_synthetic_tasks synthetic = {1 + below(&w->in, 3), number(&w->in), number(&w->in), 0.08};
    orr_malleable_montecarlo mc;
    ORR_BEGIN(mc);
    mc.common.policies = 1 + (how & 1);
    mc.common.source = (orr_policy_source){get_policy, NULL, w};
    mc.common.scenarios = how < 250 ? 1 + how % SCENARIOS : -1;
    mc.tasks = how & 4 ? w->tasks[0] : NULL;
    mc.synthetic = &synthetic;
    mc.procs = w->setup.procs;
    mc.resilience = w->setup.resilience;
    mc.faults = w->setup.faults;
    mc.max_faults = MOST_FAULTS;
    mc.fault_free = how & 8;
    orr_status outcome[2];
    atomic_bool ran_out = false;
    orr_allocator of_threads = {resize_bounded, &ran_out};
    for (int i = 0; i < 2; i++) {
        mc.common.alloc = i ? &of_threads : &w->alloc;
        mc.common.threads = 1 + i;
        mc.results = results[i];
        outcome[i] = orr_malleable_montecarlo_run(&mc, &w->err);
        insist_on_status(outcome[i], &w->err);
        mc.common.check = how & 2 && outcome[i] == ORR_OK;
    }
    if (w->m.ran_out || ran_out)
        return;
    insist(outcome[0] == outcome[1], "threads: another status");
    for (int i = 0; i < mc.common.policies * mc.common.scenarios && outcome[0] == ORR_OK; i++)
        insist(
            same_bits(&results[0][i].metrics, &results[1][i].metrics, sizeof results[0][i].metrics),
            "threads: other metrics");
}

/* The formulas by themselves, and the first allocation. */
static void formulas(world *w)
{
    bytes *in = &w->in;
    const orr_resilience *r = &w->setup.resilience;
    int code = byte(in);
    double alpha = below(in, 11) / 10.0, elapsed = 100.0 * below(in, 200);
    if (orr_resilience_check(r, &w->err) == ORR_OK && code < 240) {
        double size = 2 + code, cost = orr_checkpoint_cost(r, size, 1 + code % 9);
        orr_expected e = orr_expected_prepare(1 + 10.0 * code, 1 + code % 9, r->mtbf, cost, cost,
                                              r->downtime, r->rule);
        insist(orr_expected_time(&e, alpha) >= 0 && orr_expected_checkpoints(&e, alpha) >= 0 &&
                   orr_expected_last(&e, alpha) >= 0 && orr_undisturbed_end(&e, 5, alpha) >= 5 &&
                   orr_left_after(&e, alpha, elapsed) >= 0 &&
                   orr_left_after_fault(&e, alpha, elapsed) <= alpha &&
                   orr_redistribution_cost(r, size, 2, 2 + 2 * (code % 5)) >= 0 &&
                   orr_redistribution_rounds(2, 2 + 2 * (code % 5)) >= 0,
               "expected times below 0");
    }
    int32_t allocation[2 * MOST_TASKS];
    insist_on_status(orr_initial_allocation(w->tasks[0], 2 * (position_of(code, 20) % 1000), r,
                                            allocation, &w->alloc, &w->err),
                     &w->err);
}

static void call(world *w)
{
    bytes *in = &w->in;
    int what = byte(in);
    orr_malleable **sim = &w->sims[below(in, SIMS)];
    if (!*sim)
        sim = w->sims;
    switch (what % 13) {
    case 0:
    case 1:
        insist_on_status(orr_malleable_step(*sim, &w->err), &w->err);
        break;
    case 2:
    case 3: {
        double time = number(in);
        insist_on_status(
            orr_malleable_run_until(
                *sim, what < 128 ? orr_malleable_look(*sim).now + 100 * time : time, &w->err),
            &w->err);
        break;
    }
    case 4:
        for (int i = 1; i < SIMS; i++)
            if (!w->sims[i]) {
                w->sims[i] = orr_malleable_copy(*sim, &w->err);
                insist_on_status(w->sims[i] ? ORR_OK : w->err.status, &w->err);
                break;
            }
        break;
    case 5:
    case 6:
    case 7:
        change(w, sim);
        break;
    case 8:
        compare_futures(w, *sim, byte(in));
        break;
    case 9:
        look_at(w, *sim, byte(in));
        break;
    case 10:
        if (what < 128) {
            ask(*sim, position(in, MOST_TASKS), byte(in));
        } else {
            act a = {(uint8_t)byte(in), (uint8_t)byte(in), (uint8_t)byte(in)};
            if (a.what % KINDS_OF_ACTS != GOING_ROUND &&
                orr_malleable_look(*sim).tasks) /* outside of calls */
                insist_on_status(do_act(*sim, &a, 0, &w->err) == ORR_OK ? ORR_OK : w->err.status,
                                 &w->err);
        }
        break;
    case 11:
        insist_on_status(
            orr_malleable_reset(*sim, w->tasks[below(in, w->made)], (uint64_t)what, &w->err),
            &w->err);
        break;
    default:
        if (sim != w->sims) {
            orr_malleable_destroy(*sim);
            *sim = NULL;
        }
    }
}

static void run(world *w)
{
    w->sims[0] = orr_malleable_create(&w->setup, &w->err);
    insist_on_status(w->sims[0] ? ORR_OK : w->err.status, &w->err);
    if (!w->sims[0])
        return;
    insist_on_status(orr_malleable_reset(w->sims[0], w->tasks[0], 1, &w->err), &w->err);
    for (int i = 0; i < MOST_CALLS && w->in.at < w->in.end; i++)
        call(w);
    for (int i = 0; i < SIMS; i++)
        if (w->sims[i]) {
            orr_status status = orr_malleable_finish(w->sims[i], NULL, &w->err);
            insist_on_status(status, &w->err);
            if (status == ORR_OK)
                look_at(w, w->sims[i], i);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world w; /* large */
    w = (world){.in = {data, data + size}};
    int high = byte(&w.in), low = byte(&w.in), first = byte(&w.in);
    w.m.until_none = high < 128 ? 0 : 256 * (high % 8) + low;
    w.alloc = (orr_allocator){resize_metered, &w.m};
    w.tasks[0] = make_tasks(&w.in, MOST_TASKS, &w.alloc);
    if (w.tasks[0]) {
        w.made = 1;
        make_policy(&w.policy[0], &w.in);
        make_policy(&w.policy[1], &w.in);
        make_setup(&w);
        if (first % 8 == 1)
            formulas(&w);
        if (first % 8 == 2)
            montecarlo(&w);
        run(&w);
    }
    for (int i = 0; i < SIMS; i++)
        orr_malleable_destroy(w.sims[i]);
    for (int i = 0; i < w.made; i++)
        orr_tasks_destroy(w.tasks[i]);
    insist_on_no_leak(&w.m);
    return 0;
}
