/* Policies for rigid jobs that take their actions from a list which the input gives. Which one is
 * next is kept in a policy's state or, where it has none, follows from the time and the job, so that
 * copies of a simulation do the same. */
#pragma once

#include "fuzz.h"

#include "orrery.h"

enum {
    MOST_JOBS = 9,
    GROUPS = 3,
    ACTS = 8,
    STEPS = 6,       /* of a formula */
    MOST_ACTS = 300, /* of a policy with a state */
    LAST_ACT = 500   /* s: the latest action of one without */
};

typedef struct act {
    uint8_t what, whom, value;
} act;

typedef struct acting {
    orr_rigid_policy policy;
    act acts[ACTS];
    int count;
    bool passes_on; /* errors of its actions */
    uint8_t worth[8];
    orr_rigid_group groups[GROUPS];
    orr_formula formula;
    orr_formula_step steps[STEPS];
    int32_t outside_of[4];
} acting;

static int32_t whom(orr_rigid *sim, int code, int32_t own)
{
    orr_rigid_view v = orr_rigid_look(sim);
    if (code < 80 && own >= 0)
        return own;
    if (code < 160) {
        int32_t job = -1;
        for (int i = code % 4; i >= 0; i--)
            job = orr_rigid_next_waiting(sim, code / 4 % 2 ? v.group : 0, i ? job : -1,
                                         code % 3 ? INT32_MAX - 1 : v.free);
        return job >= 0 ? job : position_of(code, v.instance->count);
    }
    if (code < 220 && v.running > 0) {
        int32_t *running = malloc((size_t)v.running * sizeof *running);
        if (!running)
            return -1;
        insist(orr_rigid_running(sim, -1, running) == v.running, "who runs?");
        int32_t job = running[code % v.running];
        free(running);
        return job;
    }
    return position_of(code, v.instance->count);
}

/* What is announced, and who runs there. */
static void ask_warnings(orr_rigid *sim, double now)
{
    orr_warnings warnings;
    orr_error err;
    int32_t running = orr_rigid_look(sim).running;
    int32_t *jobs = malloc(((size_t)running + 1) * sizeof *jobs);
    if (orr_rigid_warnings(sim, &warnings, &err) == ORR_OK && jobs) {
        for (int64_t i = 0; i < warnings.count; i++) {
            const orr_warning *w = &warnings.list[i];
            insist(i < warnings.past || w->at > now, "a warning of the past");
            insist(orr_rigid_running_on(sim, w->first, w->count, jobs) <= running, "who runs?");
        }
    }
    free(jobs);
}

/* The waiting jobs of all groups, and each of them in one class of either kind. */
static void ask_queue(orr_rigid *sim, int value)
{
    orr_rigid_view v = orr_rigid_look(sim);
    orr_rigid_queue_view q = orr_rigid_look_queue(sim, -1);
    int32_t procs = 0, time = 0;
    for (int i = 0; i < ORR_SIZE_CLASSES; i++) {
        procs += q.procs[i];
        time += q.time[i];
    }
    insist(q.waiting == v.waiting && procs == v.waiting && time == v.waiting, "who waits?");
    insist(q.work >= 0, "negative work");
    double wait = orr_rigid_recent_wait(sim, position_of(value, v.groups), (value % 5) / 4.0);
    insist(!(wait < 0), "a negative wait");
}

static void ask(orr_rigid *sim, int32_t job, int value)
{
    orr_rigid_view v = orr_rigid_look(sim);
    insist(orr_rigid_state(sim) == v.state, "another state");
    orr_rigid_hook_view h = orr_rigid_look_hook(sim);
    insist(h.instance == v.instance && h.rng == v.rng, "a hook of another simulation");
    insist(h.groups == v.groups && h.group == v.group && h.procs >= 0, "a hook in another group");
    orr_rigid_group_view g = orr_rigid_look_group(sim, position_of(value, v.groups));
    insist(g.free >= 0 && g.free <= g.procs && g.down >= 0, "an impossible group");
    insist(v.running + v.over + v.waiting + v.held <= v.instance->count, "too many jobs");
    orr_rigid_job_view j = orr_rigid_job(sim, job);
    insist(j.attempts >= 0, "an impossible job");
    (void)orr_rigid_find_group(sim, g.name ? g.name : "none");
    double start =
        orr_rigid_earliest_start(sim, position_of(value, v.groups), value % 5, number_of(value));
    insist(!(start < v.now), "an earliest start in the past");
    (void)orr_rigid_can_start(sim, job);
    int32_t processor = position_of(value, v.instance->procs);
    orr_rigid_node_view node = orr_rigid_look_node(sim, processor);
    insist(node.failures >= 0 && node.failures <= v.node_failures, "an impossible node");
    bool is_over = v.over == v.instance->count; /* then nobody comes back any more */
    insist(!node.down || node.back >= v.now || is_over, "a repair in the past");
    double probability = orr_rigid_failure_probability(sim, job);
    insist(!(probability < 0 || probability > 1), "an impossible probability");
    insist(!(orr_rigid_error_rate(sim, job) < orr_rigid_node_error_rate(sim)), "a low rate");
    insist(!(orr_rigid_expected_remaining(sim, job) < 0), "less than nothing remains");
    ask_warnings(sim, v.now);
    ask_queue(sim, value);
    (void)orr_rigid_next_event(sim);
    (void)orr_rigid_is_over(sim);
    (void)orr_rigid_failures(sim);
    (void)orr_rigid_schedule(sim);
    (void)orr_rigid_room(sim);
    (void)orr_rigid_instance(sim);
}

/* What a policy may not do in its own call. */
static orr_status go_round(orr_rigid *sim, int value, orr_error *err)
{
    orr_rigid_change change;
    ORR_BEGIN(change);
    orr_instance made = {0};
    orr_rigid *other = NULL;
    orr_status status = ORR_ERR_POLICY;
    switch (value % 6) {
    case 0:
        status = orr_rigid_step(sim, err);
        break;
    case 1:
        status = orr_rigid_finish(sim, NULL, err);
        break;
    case 2:
        status = orr_rigid_reset(sim, NULL, 1, err);
        break;
    case 3:
        status = orr_rigid_run_until(sim, 10, err);
        break;
    case 4:
        other = orr_rigid_copy(sim, err);
        break;
    default:
        other = orr_rigid_changed(sim, &change, &made, err);
    }
    insist(status != ORR_OK && !other, "a simulation goes on inside of its own policy");
    return ORR_ERR_POLICY;
}

static orr_status do_act(orr_rigid *sim, const act *a, int32_t own, orr_error *err)
{
    int32_t job = whom(sim, a->whom, own);
    double time;
    switch (a->what % 16) {
    case 0:
        return orr_rigid_start(sim, job, err);
    case 1:
        return a->value % 4 ? orr_rigid_start(sim, job, err)
                            : orr_rigid_list(sim, a->value / 4 - 1, err);
    case 2:
        return orr_rigid_reserve(sim, job, a->value % 2 ? &time : NULL, err);
    case 3:
        return orr_rigid_kill(sim, job, err);
    case 4:
        return a->value % 3 == 0   ? orr_rigid_requeue(sim, job, err)
               : a->value % 3 == 1 ? orr_rigid_checkpoint(sim, job, err)
                                   : orr_rigid_preempt(sim, job, err);
    case 5:
    case 6:
        return orr_rigid_move(sim, job, position_of(a->value, orr_rigid_look(sim).groups), err);
    case 7:
        return orr_rigid_hold(sim, job, err);
    case 8:
    case 9:
        return orr_rigid_release(sim, job, err);
    case 10:
        time = number_of(a->value);
        time = time > 1e5 && time < INFINITY ? 1e5 : time; /* nodes may fail until then */
        return orr_rigid_wake_at(sim, a->what < 128 ? orr_rigid_look(sim).now + time + 0.5 : time,
                                 err);
    case 11:
        return a->value < 16 ? orr_fail(err, ORR_ERR_POLICY, "as asked") : ORR_OK;
    case 12:
        return a->value < 8 ? ORR_ERR_LIMIT : ORR_OK; /* without a message */
    case 13:
        return a->value < 128 ? go_round(sim, a->value, err) : ORR_OK;
    default:
        ask(sim, job, a->value);
        return ORR_OK;
    }
}

/* The next action. */
static orr_status act_on(void *user, orr_rigid *sim, int32_t own, orr_error *err)
{
    const acting *p = user;
    orr_rigid_view v = orr_rigid_look(sim);
    int32_t *calls = v.state;
    if (p->count == 0 || (calls ? *calls >= MOST_ACTS : v.now > LAST_ACT))
        return ORR_OK;
    int which = calls ? (*calls)++ : (int)fmod(fabs(3 * v.now), 1000) + own + 1;
    orr_status status = do_act(sim, &p->acts[which % p->count], own, err);
    return p->passes_on ? status : ORR_OK;
}

static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    insist(outcome != ORR_RUNNING, "an end without an outcome");
    return act_on(user, sim, job, err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    insist(group >= 0 && group < orr_rigid_look(sim).groups, "no such group is idle");
    return act_on(user, sim, -1, err);
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    return act_on(user, sim, -1, err);
}

static orr_status on_warning(void *user, orr_rigid *sim, const orr_warning *warning, orr_error *err)
{
    orr_rigid_view v = orr_rigid_look(sim);
    insist(warning->at > v.now && warning->time <= v.now, "a warning that comes too late");
    insist(warning->first >= 0 && warning->count > 0 &&
               warning->count <= v.instance->procs - warning->first,
           "a warning of processors that are not there");
    return act_on(user, sim, -1, err);
}

/* Greedy, with actions between the starts. */
static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    orr_rigid_view v = orr_rigid_look(sim);
    insist(v.deciding, "a dispatch function outside of decisions");
    orr_status status = act_on(user, sim, -1, err);
    int32_t job = -1;
    for (int i = 0; i < MOST_JOBS && status == ORR_OK; i++) {
        job = orr_rigid_next_waiting(sim, v.group, job, orr_rigid_look_group(sim, v.group).free);
        if (job < 0)
            break;
        status = orr_rigid_start(sim, job, err);
        if (status == ORR_OK && i % 3 == 2)
            return act_on(user, sim, job, err);
    }
    return status;
}

static orr_status make_state(void *user, orr_rigid *sim, void **state, orr_error *err)
{
    (void)user, (void)sim;
    return make_number(state, err);
}

static orr_status worth(void *user, const orr_rigid_priority_view *view, int32_t job, double *value,
                        orr_error *err)
{
    const acting *p = user;
    uint8_t code = p->worth[job % 8];
    *value = code >= 250 ? NAN : code % 16;
    if (code % 32 == 31)
        *value += (double)(orr_pcg_next(view->rng) % 4);
    if (view->sim && code % 32 == 30)
        *value += floor(orr_rigid_look(view->sim).now / 8) * (job % 3);
    if (view->until && code % 4 > 0)
        *view->until = orr_rigid_look(view->sim).now + code % 16 - 1;
    return code == 249 ? orr_fail(err, ORR_ERR_POLICY, "no priority") : ORR_OK;
}

/* Numbers at even places, conditions at odd ones. */
static bool look_up(void *user, const orr_rigid_priority_view *view, int32_t of, int32_t job,
                    orr_formula_value *values)
{
    const acting *p = user;
    int32_t label =
        of >= 0 && job >= 0 ? orr_jobs_label(view->instance->jobs, job, (orr_label)of) : 0;
    for (int32_t i = 0; i < p->formula.outside_count; i++)
        if (p->outside_of[i] == of && i % 2)
            values[i].integer = p->worth[(i + label) % 8] & 1;
        else if (p->outside_of[i] == of)
            values[i].number = number_of(p->worth[(i + label) % 8]);
    return p->worth[0] < 200;
}

static uint64_t version(void *user, const orr_jobs *jobs, int32_t label)
{
    (void)user, (void)jobs;
    return (uint64_t)label % 3;
}

static void make_formula(acting *p, bytes *in)
{
    int how = byte(in);
    ORR_BEGIN(p->formula);
    p->formula.count = 1 + below(in, STEPS);
    p->formula.steps = p->steps;
    p->formula.outside_count = how < 128 ? 0 : 2 * (how % 2 + 1);
    p->formula.outside_of = p->outside_of;
    p->formula.look_up = how % 8 ? look_up : NULL;
    p->formula.version = how % 3 ? version : NULL;
    p->formula.user = p;
    for (int i = 0; i < p->formula.outside_count; i++)
        p->outside_of[i] = position(in, ORR_LABEL_KINDS);
    for (int i = 0; i < p->formula.count; i++) {
        p->steps[i] = (orr_formula_step){.op = (orr_formula_op)position(in, ORR_FORMULA_OPS),
                                         .a = position(in, i),
                                         .b = position(in, i),
                                         .c = position(in, i),
                                         .number = number(in),
                                         .integer = position(in, 4),
                                         .text = "a"};
        orr_formula_op op = p->steps[i].op;
        if (op == ORR_F_OUTSIDE || op == ORR_I_OUTSIDE || op == ORR_C_OUTSIDE)
            p->steps[i].integer = p->steps[i].integer / 2 * 2 + (op != ORR_F_OUTSIDE);
    }
}

/* The lowest of the free processors, or the highest run that is long enough, or what must not be. */
static orr_status choose(void *user, const orr_rigid_choice *choice, int32_t job,
                         orr_interval *runs, int32_t *count, orr_error *err)
{
    const acting *p = user;
    int code = p->worth[job % 8];
    int32_t left = choice->instance->jobs->procs[job];
    *count = 0;
    if (code >= 240) {
        *count = code % 4 ? 1 : position_of(code, choice->most);
        runs[0] = (orr_interval){position_of(code, 4), position_of(255 - code / 2, 4)};
        return code == 255 ? orr_fail(err, ORR_ERR_POLICY, "no choice") : ORR_OK;
    }
    for (int32_t k = 0; k < choice->free_count; k++) {
        orr_interval run = choice->free[code & 1 ? choice->free_count - 1 - k : k];
        int32_t size = run.high - run.low + 1, taken = size < left ? size : left;
        insist(run.low >= 0 && size > 0, "an impossible run of free processors");
        if (code & 1 && taken < left)
            continue;
        runs[(*count)++] = (orr_interval){run.low, run.low + taken - 1};
        left -= taken;
        if (left == 0)
            return ORR_OK;
    }
    *count = 0;
    return ORR_OK;
}

/* Nodes: those that can take the job, first or last ones first, or what makes no sense. */
static orr_status choose_nodes(void *user, const orr_rigid_node_choice *choice, int32_t job,
                               orr_node_share *shares, int32_t *count, orr_error *err)
{
    const acting *p = user;
    int code = p->worth[job % 8];
    int32_t nodes = choice->instance->nodes->count;
    *count = 0;
    for (int32_t k = 0; k < nodes && code < 240; k++) {
        int32_t node = code & 1 ? nodes - 1 - k : k;
        insist(choice->takes[node] <= choice->free[node], "more fits than is free");
        if (choice->takes[node] > 0 && *count < choice->most)
            shares[(*count)++] = (orr_node_share){node, code & 2 ? choice->takes[node] : 0};
    }
    if (code >= 240) {
        *count = code % 4 ? 1 : position_of(code, choice->most);
        shares[0] = (orr_node_share){position_of(code, 4), position_of(255 - code / 2, 4)};
    }
    return code == 255 ? orr_fail(err, ORR_ERR_POLICY, "no choice") : ORR_OK;
}

/* How much work between two checkpoints. */
static orr_status period(void *user, orr_rigid *sim, int32_t job, double *value, orr_error *err)
{
    const acting *p = user;
    int code = (p->count * 37 + job * 11) % 256;
    *value = code < 240 ? 0.5 + number_of(code) : number_of(code);
    insist(orr_rigid_job(sim, job).saved >= 0, "less than nothing is saved");
    return code == 255 ? orr_fail(err, ORR_ERR_POLICY, "no period") : ORR_OK;
}

/* How long the policy believes that a job takes. */
static orr_status estimate(void *user, orr_rigid *sim, int32_t job, double *seconds, orr_error *err)
{
    const acting *p = user;
    int code = (p->count * 41 + job * 13) % 256;
    *seconds = number_of(code);
    insist(orr_rigid_job(sim, job).state == ORR_JOB_WAITING, "who does not wait is estimated");
    return code == 255 ? orr_fail(err, ORR_ERR_POLICY, "no estimate") : ORR_OK;
}

/* When the policy plans an attempt to end that ends now. */
static orr_status planned_end(void *user, orr_rigid *sim, int32_t job, double *time, orr_error *err)
{
    const acting *p = user;
    int code = (p->count * 43 + job * 17) % 256;
    *time = code % 2 ? orr_rigid_look(sim).now : number_of(code);
    insist(orr_rigid_job(sim, job).state == ORR_JOB_RUNNING, "who does not run has a planned end");
    return code == 255 ? orr_fail(err, ORR_ERR_POLICY, "no planned end") : ORR_OK;
}

static void make_placing(acting *p, bytes *in)
{
    int code = byte(in);
    p->policy.place =
        code % 16 == 7 ? ORR_PLACE_RELIABLE : (orr_placing)ONE_OF(code, code, ORR_PLACE_LOW);
    p->policy.node_procs = code < 240 ? 1 + code / 5 % 4 : position_of(code, 4);
    p->policy.choose = code < 248 ? choose : NULL;
    p->policy.choose_user = p;
    p->policy.choose_nodes = code % 5 == 2 ? choose_nodes : NULL;
    bool asks = p->policy.place == ORR_PLACE_CHOSEN || p->policy.choose_nodes;
    asks = asks && p->policy.priority != worth;
    for (int i = 0; i < 8 && asks; i++)
        p->worth[i] = (uint8_t)byte(in);
}

/* Of another policy alone, in its groups. */
static void make_policy(acting *p, bytes *in, const orr_rigid_policy *inner, int32_t procs)
{
    *p = (acting){.count = below(in, ACTS + 1), .passes_on = below(in, 4) == 0};
    int order = byte(in), discipline = byte(in), parts = byte(in), few = byte(in);
    orr_rigid_discipline which =
        (orr_rigid_discipline)ONE_OF(discipline, discipline, ORR_DISPATCH_RECORDED);
    for (int i = 0; i < p->count; i++)
        p->acts[i] = (act){(uint8_t)byte(in), (uint8_t)byte(in), (uint8_t)byte(in)};
    p->policy =
        (orr_rigid_policy){.size = discipline == 255 ? 0 : sizeof p->policy,
                           .name = "fuzzed",
                           .user = p,
                           .discipline = which,
                           .reservations = few < 200   ? few % 4
                                           : few < 240 ? ORR_RESERVE_ALL
                                                       : -few,
                           .reading = (orr_rigid_reading)ONE_OF(few, few / 4, ORR_READING_HEAD),
                           .fill = few % 3 == 0,
                           .period = few % 16 == 5 ? period : NULL,
                           .estimate = few % 8 == 3 ? estimate : NULL,
                           .planned_end = few % 8 == 5 ? planned_end : NULL};
    if (order % 2 == 0) {
        orr_rigid_set_rule(&p->policy, (orr_rigid_rule)ONE_OF(order, order / 2, ORR_RULE_LJF));
    } else {
        for (int i = 0; i < 8; i++)
            p->worth[i] = (uint8_t)byte(in);
        p->policy.priority = worth;
        p->policy.priority_user = p;
        p->policy.per = (orr_rigid_per)ONE_OF(order, order / 2, ORR_PER_CHANGE);
        if (order % 16 == 7 && p->policy.per == ORR_PER_DECISION) {
            make_formula(p, in);
            p->policy.priority_formula = &p->formula;
        }
    }
    if (order >= 192 && (which == ORR_DISPATCH_LIST || order == 255)) { /* others are refused */
        p->policy.backfill = worth;
        p->policy.backfill_user = p;
        p->policy.backfill_per = (orr_rigid_per)ONE_OF(order, order / 4, ORR_PER_CHANGE);
        if (few % 8 == 7 && p->policy.backfill_per == ORR_PER_DECISION) {
            if (!p->policy.priority_formula)
                make_formula(p, in);
            p->policy.backfill_formula = &p->formula;
        }
    }
    if (which == ORR_DISPATCH_CUSTOM && discipline < 245)
        p->policy.dispatch = dispatch;
    p->policy.on_submit = parts & 1 ? act_on : NULL;
    p->policy.on_start = parts & 2 ? act_on : NULL;
    p->policy.on_end = parts & 4 ? on_end : NULL;
    p->policy.on_idle = parts & 8 ? on_idle : NULL;
    p->policy.on_timer = parts & 16 ? on_timer : NULL;
    p->policy.on_warning = parts & 8 ? on_warning : NULL;
    if (parts & 128)
        make_placing(p, in);
    if (parts & 32) {
        p->policy.make_state = make_state;
        p->policy.copy_state = copy_number;
        p->policy.free_state = parts >= 252 ? NULL : free_number;
    }
    static const char *const names[] = {"one", "two", "three", "two"};
    int32_t groups = parts & 64 ? 1 + below(in, GROUPS) : 0, left = procs;
    for (int32_t i = 0; i < groups; i++) {
        int code = byte(in);
        int32_t size = i == groups - 1 && code < 240 ? left
                       : code < 240                  ? 1 + code % (left > 0 ? left : 1)
                                                     : position_of(code, left);
        p->groups[i] = (orr_rigid_group){names[code < 250 ? i : 3], size, i % 2 ? inner : NULL};
        left -= size > 0 && size < left ? size : 0;
    }
    p->policy.groups = groups > 0 ? p->groups : NULL;
    p->policy.group_count = groups;
}

static bool has_formula(const acting *p)
{
    return p->policy.priority_formula || p->policy.backfill_formula;
}
