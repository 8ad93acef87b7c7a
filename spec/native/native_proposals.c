/* native_proposals: a policy for malleable tasks that proposes anything at all, in its functions
 * and outside of them: legal and illegal, for tasks that take part, do not, are over or are none.
 *
 * What is legal is decided here a second time, from the manual (malleable/decide.h) and the public
 * questions alone. Of every refusal the message is looked at, and all that can be asked before and
 * after it. Every run is then made again without what was refused: nothing may differ. */
#include "fingerprint.h"
#include "many_worlds.h"
#include "native.h"

#include "base/draw.h"
#include "malleable/decide.h"
#include "malleable/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ORR_API int luaopen_native_proposals(lua_State *L);

enum { MOST_TASKS = 7, PER_RUN = 400 };

typedef enum verb { ASSIGN, GIVE, DROP, START_OVER, SHARE_OUT, VERBS } verb;

static const char *const verbs[] = {"assign", "give", "drop", "start_over", "share_out"};

typedef struct deed {
    verb verb;
    int32_t task, procs; /* may be none, and impossible */
} deed;

typedef struct monkey {
    orr_pcg rng; /* of its decisions */
    orr_tasks *tasks;
    orr_malleable_policy policy;
    bool again; /* the second time: what was refused is left out */
    bool refused[PER_RUN];
    int32_t made;
    int64_t *accepted, *denied; /* per verb */
    char problem[ORR_MESSAGE_SIZE];
} monkey;

static int32_t draw(monkey *m, int32_t low, int32_t high)
{
    return (int32_t)orr_draw_integer(&m->rng, low, high);
}

/* --- all that can be asked -------------------------------------------------------------------- */

static void add_task(uint64_t *sum, const monkey *m, orr_malleable *sim, int32_t task)
{
    orr_task_view v = orr_malleable_task(sim, task);
    double numbers[] = {v.state,
                        v.procs,
                        v.proposed,
                        v.left,
                        v.ready,
                        v.finish,
                        v.end,
                        v.takes_part,
                        orr_malleable_most(sim, task),
                        orr_malleable_proposed(sim, task),
                        orr_malleable_proposed_finish(sim, task),
                        orr_malleable_improvement(sim, task, 20),
                        0};
    int32_t other = (task + 1) % m->tasks->count;
    if (v.takes_part && orr_malleable_task(sim, other).takes_part)
        numbers[12] = orr_malleable_transfer(sim, other, task);
    add_all(sum, numbers, sizeof numbers / sizeof *numbers);
    double with = v.takes_part ? orr_malleable_finish_with(sim, task, 4) : 0;
    add(sum, with);
}

static uint64_t sum_up(const monkey *m, orr_malleable *sim)
{
    uint64_t sum = 0xcbf29ce484222325u;
    orr_malleable_view v = orr_malleable_look(sim);
    double counts[] = {v.procs,
                       v.free,
                       v.running,
                       v.struck,
                       v.deciding,
                       orr_malleable_longest(sim),
                       orr_malleable_shortest(sim, 4),
                       orr_malleable_shortest(sim, 2)};
    double numbers[] = {v.now, v.expected, orr_malleable_next_event(sim)};
    add_all(&sum, counts, sizeof counts / sizeof *counts);
    add_all(&sum, numbers, sizeof numbers / sizeof *numbers);
    add_generator(&sum, v.rng);
    for (int32_t i = 0; i < m->tasks->count; i++)
        add_task(&sum, m, sim, i);
    orr_malleable_metrics metrics = orr_malleable_measure(sim);
    const orr_spent *s = &metrics.spent;
    double done[] = {metrics.makespan,
                     (double)metrics.faults,
                     (double)metrics.redistributions,
                     (double)metrics.moves,
                     (double)metrics.fatal,
                     s->useful,
                     s->checkpoint,
                     s->lost,
                     s->recovery,
                     s->redistribution,
                     s->idle};
    add_all(&sum, done, sizeof done / sizeof *done);
    return sum;
}

/* --- proposals -------------------------------------------------------------------------------- */

static deed draw_deed(monkey *m, const orr_malleable *sim)
{
    deed d = {.verb = (verb)draw(m, 0, VERBS - 1), .task = draw(m, -1, m->tasks->count)};
    int32_t odd = draw(m, 0, 40);
    if (odd == 0)
        d.task = INT32_MAX;
    else if (odd == 1)
        d.task = INT32_MIN;
    bool is = d.task >= 0 && d.task < m->tasks->count;
    d.procs = draw(m, -1, 8) * 2 + (draw(m, 0, 5) == 0);
    if (d.verb == GIVE && is)
        d.procs = orr_malleable_proposed(sim, d.task) + draw(m, -3, 3) * 2;
    if (odd == 2)
        d.procs = draw(m, 0, 1) ? INT32_MAX - 1 : INT32_MIN;
    return d;
}

/* By the manual. What cannot be dropped is not in the list. */
static bool is_legal(const monkey *m, orr_malleable *sim, const deed *d)
{
    if (!orr_malleable_look(sim).deciding)
        return false;
    if (d->verb == START_OVER || d->verb == SHARE_OUT)
        return true;
    if (d->task < 0 || d->task >= m->tasks->count)
        return false;
    orr_task_view v = orr_malleable_task(sim, d->task);
    int32_t most = orr_malleable_most(sim, d->task);
    if (d->verb == DROP || !v.takes_part)
        return v.takes_part;
    return d->procs >= 2 && d->procs % 2 == 0 && d->procs <= (most > v.procs ? most : v.procs);
}

/* What share_out stands for. */
static orr_status share_out_step_by_step(orr_malleable *sim, int32_t procs, int32_t *given,
                                         orr_error *err)
{
    int32_t task;
    for (*given = 0; procs - *given >= 2; *given += 2) {
        if ((task = orr_malleable_longest(sim)) < 0 ||
            orr_malleable_improvement(sim, task, procs - *given) == 0)
            break;
        orr_status status =
            orr_malleable_assign(sim, task, orr_malleable_proposed(sim, task) + 2, err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

/* The second time step by step. */
static orr_status act(const monkey *m, orr_malleable *sim, const deed *d, orr_error *err)
{
    int32_t given;
    if (d->verb == START_OVER)
        return orr_malleable_start_over(sim, err);
    if (d->verb == SHARE_OUT && m->again)
        return share_out_step_by_step(sim, d->procs, &given, err);
    if (d->verb == SHARE_OUT)
        return orr_malleable_share_out(sim, d->procs, &given, err);
    if (d->verb != DROP)
        return orr_malleable_assign(sim, d->task, d->procs, err);
    orr_malleable_drop(sim, d->task);
    return ORR_OK;
}

/* Keeps the first. */
static void object(monkey *m, orr_malleable *sim, const deed *d, const char *what,
                   const char *message)
{
    if (!m->problem[0])
        snprintf(m->problem, sizeof m->problem, "%s of task %d, %d processors at %.17g: %s: %.900s",
                 verbs[d->verb], (int)d->task, (int)d->procs, orr_malleable_look(sim).now, what,
                 message);
}

/* It names the task, or its number where there is none, and a reason. */
static bool is_clear(const monkey *m, const deed *d, bool deciding, const orr_error *err)
{
    char named[80];
    if (!deciding)
        return strstr(err->message, "only inside on_end and on_fault") != NULL;
    if (d->task >= 0 && d->task < m->tasks->count)
        snprintf(named, sizeof named, "task %s ", orr_tasks_id(m->tasks, d->task));
    else
        snprintf(named, sizeof named, "task number %d ", (int)d->task);
    const char *colon = strstr(err->message, ": ");
    return strncmp(err->message, named, strlen(named)) == 0 && colon && strlen(colon) > 10;
}

/* Processors are moved only between two tasks that take part. */
static void ask_for_transfers(monkey *m, orr_malleable *sim, const deed *d)
{
    for (int32_t from = 0; from < m->tasks->count; from++) {
        bool gives = orr_malleable_task(sim, from).takes_part;
        bool takes = orr_malleable_task(sim, d->task).takes_part;
        if (!(gives && takes) && orr_malleable_transfer(sim, from, d->task) != 0)
            object(m, sim, d, "a transfer where one takes no part", orr_tasks_id(m->tasks, from));
    }
}

static void decide_once(monkey *m, orr_malleable *sim)
{
    deed d = draw_deed(m, sim);
    ask_for_transfers(m, sim, &d);
    int32_t i = m->made++;
    orr_error err = {0};
    if (m->again) {
        if (!m->refused[i] && act(m, sim, &d, &err) != ORR_OK)
            object(m, sim, &d, "refused the second time", err.message);
        return;
    }
    bool legal = is_legal(m, sim, &d);
    uint64_t before = legal ? 0 : sum_up(m, sim);
    orr_status status = act(m, sim, &d, &err);
    m->refused[i] = !legal;
    (legal ? m->accepted : m->denied)[d.verb]++;
    if (d.verb != DROP && legal != (status == ORR_OK))
        object(m, sim, &d, legal ? "refused" : "not refused", legal ? err.message : "");
    if (status != ORR_OK && (status != ORR_ERR_POLICY || err.status != status ||
                             !is_clear(m, &d, orr_malleable_look(sim).deciding, &err)))
        object(m, sim, &d, "the message is not clear", err.message);
    if (!legal && sum_up(m, sim) != before)
        object(m, sim, &d, "the refusal changed something", err.message);
}

static void decide(monkey *m, orr_malleable *sim, int32_t most)
{
    for (int32_t n = draw(m, 0, most); n > 0 && m->made < PER_RUN; n--)
        decide_once(m, sim);
}

/* Anything; in the end no more than there is. */
static orr_status on_event(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    (void)task;
    monkey *m = user;
    decide(m, sim, 12);
    orr_status status = ORR_OK;
    while (status == ORR_OK && orr_malleable_look(sim).free < 0) {
        int32_t i = draw(m, 0, m->tasks->count - 1);
        orr_task_view v = orr_malleable_task(sim, i);
        if (v.takes_part && v.proposed > 2)
            status = orr_malleable_assign(sim, i, v.proposed - 2, err);
    }
    return status;
}

/* --- a run ------------------------------------------------------------------------------------ */

static orr_malleable_setup make_setup(monkey *m, const orr_allocator *a)
{
    orr_malleable_setup setup = {
        .size = sizeof(orr_malleable_setup), .count = draw(m, 1, MOST_TASKS), .policy = &m->policy};
    setup.procs = 2 * setup.count + draw(m, 0, 25);
    setup.resilience = orr_resilience_default();
    setup.resilience.mtbf = draw(m, 0, 5) ? 1e6 : INFINITY;
    setup.resilience.downtime = draw(m, 0, 1) * 5000;
    setup.resilience.checkpoint_unit = draw(m, 0, 3) ? 0.05 : 0;
    setup.resilience.latency = 0.5;
    setup.faults = (orr_faults_setup){.law = (orr_fault_law)draw(m, 1, 3),
                                      .procs = setup.procs,
                                      .mtbf = setup.resilience.mtbf,
                                      .shape = 0.7};
    if (setup.resilience.mtbf == INFINITY)
        setup.faults.law = ORR_FAULTS_NONE;
    setup.record = true;
    setup.alloc = a;
    setup.faults.alloc = a;
    return setup;
}

static orr_status check_conservation(const orr_malleable *sim, int32_t procs, orr_error *err)
{
    orr_malleable_metrics metrics = orr_malleable_measure(sim);
    const orr_spent *s = &metrics.spent;
    double all = procs * metrics.makespan;
    double sum = s->useful + s->checkpoint + s->lost + s->recovery + s->redistribution + s->idle;
    if (fabs(sum - all) <= 1e-11 * all)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_INTERNAL, "processor-seconds do not add up: %.17g and %.17g", sum,
                    all);
}

/* Steps to the end, with proposals between the steps, where all of them are illegal. */
static orr_status run(monkey *m, orr_malleable *sim, int32_t procs, orr_error *err)
{
    orr_status status = orr_malleable_reset(sim, m->tasks, 1, err);
    while (status == ORR_OK && !orr_malleable_is_over(sim)) {
        if (draw(m, 0, 3) == 0)
            decide(m, sim, 2);
        status = orr_malleable_step(sim, err);
        if (status == ORR_OK && draw(m, 0, 7) == 0)
            status = orr_malleable_check(sim, err);
    }
    if (status == ORR_OK)
        decide(m, sim, 2);
    if (status == ORR_OK)
        status = orr_malleable_check(sim, err);
    return status == ORR_OK ? check_conservation(sim, procs, err) : status;
}

static orr_status run_twice(monkey *m, const orr_malleable_setup *setup, orr_error *err)
{
    uint64_t sums[2] = {0};
    orr_status status = ORR_OK;
    orr_pcg rng = m->rng;
    for (int i = 0; i < 2 && status == ORR_OK; i++) {
        m->rng = rng;
        m->made = 0;
        m->again = i == 1;
        orr_malleable *sim = orr_malleable_create(setup, err);
        status = sim ? run(m, sim, setup->procs, err) : err->status;
        sums[i] = status == ORR_OK ? sum_up(m, sim) : 0;
        orr_malleable_destroy(sim);
        if (m->problem[0])
            return orr_fail(err, ORR_ERR_INTERNAL, "%s", m->problem);
    }
    if (status == ORR_OK && sums[0] != sums[1])
        status = orr_fail(err, ORR_ERR_INTERNAL, "without what was refused the run is another");
    return status;
}

static orr_status one_world(monkey *m, uint64_t seed, orr_error *err)
{
    spec_memory memory = {0};
    orr_allocator a = {spec_resize, &memory};
    m->rng = orr_stream_open(orr_stream_key_make(seed, 0, 0, ORR_PURPOSE_USER), 0);
    m->policy = (orr_malleable_policy){.size = sizeof(orr_malleable_policy),
                                       .name = "monkey",
                                       .user = m,
                                       .on_end = on_event,
                                       .on_fault = on_event};
    orr_malleable_setup setup = make_setup(m, &a);
    orr_synthetic_tasks options = {setup.count, 1e4, 3e4, draw(m, 0, 3) * 0.1};
    m->tasks = orr_tasks_create(&a, err);
    orr_status status =
        m->tasks ? orr_generate_tasks(m->tasks, &options, seed, 0, 1, err) : err->status;
    if (status == ORR_OK)
        status = run_twice(m, &setup, err);
    orr_tasks_destroy(m->tasks);
    if (status == ORR_OK && (memory.blocks != 0 || memory.bytes != 0))
        status = orr_fail(err, ORR_ERR_INTERNAL, "%lld bytes were not given back",
                          (long long)memory.bytes);
    return status;
}

static orr_status world(uint64_t seed, spec_tally *tally, orr_error *err)
{
    monkey m = {.accepted = tally->accepted, .denied = tally->denied};
    orr_status status = one_world(&m, seed, err);
    tally->made += m.made;
    return status;
}

static int malleable(lua_State *L)
{
    return spec_many_worlds(L, world, verbs, VERBS);
}

/* --------------------------------------------------------------------------------------------- */

int luaopen_native_proposals(lua_State *L)
{
    static const luaL_Reg functions[] = {{"malleable", malleable}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
