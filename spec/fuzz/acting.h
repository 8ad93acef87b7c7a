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

static void ask(orr_rigid *sim, int32_t job, int value)
{
    orr_rigid_view v = orr_rigid_look(sim);
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
    case 1:
        return orr_rigid_start(sim, job, err);
    case 2:
        return orr_rigid_reserve(sim, job, a->value % 2 ? &time : NULL, err);
    case 3:
        return orr_rigid_kill(sim, job, err);
    case 4:
        return orr_rigid_requeue(sim, job, err);
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
    *state = calloc(1, sizeof(int32_t));
    return *state ? ORR_OK : orr_fail_memory(err, sizeof(int32_t));
}

static orr_status copy_state(void *user, void *state, void **copy, orr_error *err)
{
    orr_status status = make_state(user, NULL, copy, err);
    if (*copy)
        memcpy(*copy, state, sizeof(int32_t));
    return status;
}

static void free_state(void *user, void *state)
{
    (void)user;
    free(state);
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
    return code == 249 ? orr_fail(err, ORR_ERR_POLICY, "no priority") : ORR_OK;
}

static void make_formula(acting *p, bytes *in)
{
    ORR_BEGIN(p->formula);
    p->formula.count = 1 + below(in, STEPS);
    p->formula.steps = p->steps;
    for (int i = 0; i < p->formula.count; i++)
        p->steps[i] = (orr_formula_step){.op = (orr_formula_op)position(in, ORR_FORMULA_OPS),
                                         .a = position(in, i),
                                         .b = position(in, i),
                                         .c = position(in, i),
                                         .number = number(in),
                                         .integer = position(in, 4),
                                         .text = "a"};
}

/* Of another policy alone, in its groups. */
static void make_policy(acting *p, bytes *in, const orr_rigid_policy *inner, int32_t procs)
{
    *p = (acting){.count = below(in, ACTS + 1), .passes_on = below(in, 4) == 0};
    int order = byte(in), discipline = byte(in), parts = byte(in), few = byte(in);
    for (int i = 0; i < p->count; i++)
        p->acts[i] = (act){(uint8_t)byte(in), (uint8_t)byte(in), (uint8_t)byte(in)};
    p->policy = (orr_rigid_policy){
        .size = discipline == 255 ? 0 : sizeof p->policy,
        .name = "fuzzed",
        .user = p,
        .discipline = (orr_rigid_discipline)(discipline < 250 ? discipline % 5 : discipline),
        .reservations = few < 200   ? few % 4
                        : few < 240 ? ORR_RESERVE_ALL
                                    : -few,
        .reading = (orr_rigid_reading)(few < 253 ? few / 4 % 2 : few),
        .fill = few % 3 == 0};
    if (order % 2 == 0) {
        orr_rigid_set_rule(&p->policy, (orr_rigid_rule)(order / 2 % 10));
    } else {
        for (int i = 0; i < 8; i++)
            p->worth[i] = (uint8_t)byte(in);
        p->policy.priority = worth;
        p->policy.priority_user = p;
        p->policy.per = (orr_rigid_per)(order == 255 ? 9 : order / 2 % 4);
        if (order % 16 == 7 && p->policy.per == ORR_PER_DECISION) {
            make_formula(p, in);
            p->policy.priority_formula = &p->formula;
        }
    }
    if (order >= 192) {
        p->policy.backfill = worth;
        p->policy.backfill_user = p;
        p->policy.backfill_per = (orr_rigid_per)(order / 4 % 4);
    }
    if (discipline % 5 == ORR_DISPATCH_CUSTOM && discipline < 245)
        p->policy.dispatch = dispatch;
    p->policy.on_submit = parts & 1 ? act_on : NULL;
    p->policy.on_start = parts & 2 ? act_on : NULL;
    p->policy.on_end = parts & 4 ? on_end : NULL;
    p->policy.on_idle = parts & 8 ? on_idle : NULL;
    p->policy.on_timer = parts & 16 ? on_timer : NULL;
    if (parts & 32) {
        p->policy.make_state = make_state;
        p->policy.copy_state = copy_state;
        p->policy.free_state = parts >= 252 ? NULL : free_state;
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
