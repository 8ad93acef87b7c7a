/* native_runs: simulations for the specs that need no policy of their own: the checker, runs that
 * begin in steps, memory that runs out, policies with a built-in order or discipline.
 * Jobs are numbered from 0, as in the kernel. */
#include "world.h"

#include "rigid/interface/engine.h"
#include "rigid/queue/view.h"
#include "rigid/whatif/change.h"
#include "rigid/whatif/live.h"
#include "rigid/whatif/why.h"
#include "schedule/check.h"
#include "schedule/schedule_internal.h"
#include "schedule/stream_internal.h"
#include "workload/select.h"

ORR_API int luaopen_native_runs(lua_State *L);

/* --- the checker ----------------------------------------------------------------------------- */

static void *grown(lua_State *L, size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (!block)
        luaL_error(L, "not enough memory");
    return block;
}

static int32_t optional(lua_State *L, int table, const char *name, int32_t otherwise)
{
    lua_getfield(L, table, name);
    int32_t value = (int32_t)luaL_optinteger(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

/* What the attempt was promised; NaN: nothing. */
static double promised_at(lua_State *L, int table)
{
    lua_getfield(L, table, "promised");
    double value = luaL_optnumber(L, -1, NAN);
    lua_pop(L, 1);
    return value;
}

/* jobs.groups, a list of processors, with jobs.place and jobs.node_procs for each of them, and attempts.outages, a list of { time =, repaired =, first =,
 * count =, attempts =, kind = }, and attempts.windows. */
static void fill_groups_and_outages(lua_State *L, orr_schedule *s)
{
    orr_processor_group groups[16];
    orr_error err;
    int32_t count = 0;
    if (lua_getfield(L, 1, "groups") == LUA_TTABLE) {
        const int32_t *procs = spec_ints(L, lua_gettop(L), &count);
        for (int32_t i = 0, first = 0; i < count && i < 16; first += procs[i++])
            groups[i] = (orr_processor_group){"group", first, procs[i],
                                              (orr_placing)optional(L, 1, "place", 0),
                                              optional(L, 1, "node_procs", 0)};
        if (ori_schedule_set_groups(s, groups, count, &err) != ORR_OK)
            spec_raise(L, &err);
        lua_pop(L, 1);
    }
    if (lua_getfield(L, 2, "outages") == LUA_TTABLE) {
        for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
            lua_rawgeti(L, -1, i);
            int at = lua_gettop(L);
            orr_outage outage = {spec_number(L, at, "time"), spec_number(L, at, "repaired"),
                                 spec_int(L, at, "first"), spec_int(L, at, "count")};
            if (ori_schedule_outage(s, &outage, (orr_outage_kind)optional(L, at, "kind", 0),
                                    &err) != ORR_OK)
                spec_raise(L, &err);
            s->outages[s->outage_count - 1].attempts = spec_int(L, at, "attempts");
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    if (lua_getfield(L, 2, "windows") == LUA_TTABLE) {
        orr_window windows[16];
        int64_t many = (int64_t)lua_rawlen(L, -1);
        for (int64_t i = 0; i < many && i < 16; i++) {
            lua_rawgeti(L, -1, i + 1);
            windows[i] = spec_window(L, lua_gettop(L));
            lua_pop(L, 1);
        }
        if (ori_schedule_set_windows(s, windows, many, &err) != ORR_OK)
            spec_raise(L, &err);
    }
    lua_pop(L, 1);
}

/* The attempts of the list at index 2, written as they stand: the checker is to judge them. */
static void fill_schedule(lua_State *L, world *w)
{
    orr_schedule *s = &w->schedule;
    orr_error err;
    if (ori_schedule_create(s, w->in.count, w->in.procs, ORI_ZEROED, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
    fill_groups_and_outages(L, s);
    if (lua_getfield(L, 2, "refused") == LUA_TTABLE) { /* a job, by the third limit */
        orr_withdrawal refusal = {.time = spec_number(L, -1, "time"),
                                  .limit = 3,
                                  .job = (int32_t)spec_number(L, -1, "position") - 1};
        if (ori_schedule_withdraw(s, refusal, &err) != ORR_OK)
            spec_raise(L, &err);
    }
    lua_pop(L, 1);
    int64_t count = (int64_t)lua_rawlen(L, 2), intervals = 0;
    for (int64_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        lua_getfield(L, -1, "processors");
        intervals += (int64_t)lua_rawlen(L, -1) / 2;
        lua_pop(L, 2);
    }
    orr_release(&s->alloc, s->attempts, (size_t)s->capacity * sizeof *s->attempts);
    orr_release(&s->alloc, s->intervals, (size_t)s->interval_capacity * sizeof *s->intervals);
    s->attempts = grown(L, (size_t)count, sizeof *s->attempts);
    s->capacity = count + 1;
    s->intervals = grown(L, (size_t)intervals, sizeof *s->intervals);
    s->interval_capacity = intervals + 1;
    for (; s->count < count; s->count++) {
        lua_rawgeti(L, 2, s->count + 1);
        int at = lua_gettop(L);
        orr_attempt *a = &s->attempts[s->count];
        *a = (orr_attempt){.start = spec_number(L, at, "start"),
                           .end = spec_number(L, at, "finish"),
                           .job = (int32_t)spec_number(L, at, "position") - 1,
                           .number = (int32_t)spec_number(L, at, "attempt"),
                           .outcome = (orr_outcome)spec_number(L, at, "outcome"),
                           .group = optional(L, at, "group", 1) - 1,
                           .promised = promised_at(L, at),
                           .excused = optional(L, at, "excused", 0),
                           .first_interval = s->interval_count};
        lua_getfield(L, at, "processors");
        a->interval_count = (int32_t)lua_rawlen(L, -1) / 2;
        for (int32_t k = 0; k < a->interval_count; k++)
            s->intervals[s->interval_count++] =
                (orr_interval){(int32_t)spec_number_at(L, at + 1, 2 * k + 1),
                               (int32_t)spec_number_at(L, at + 1, 2 * k + 2)};
        lua_pop(L, 2);
        s->current[a->job] = s->count;
    }
}

static bool write_nowhere(void *user, const char *text, size_t size)
{
    (void)user, (void)text, (void)size;
    return true;
}

/* Checks attempt by attempt, each of which leaves the record as soon as it may. */
static orr_status check_stream(world *w, const int32_t *failures, orr_error *err)
{
    ori_stream *stream = calloc(1, sizeof *stream);
    orr_sink nowhere = {write_nowhere, NULL};
    orr_rows rows = {&nowhere, "p"};
    orr_status status = ori_stream_open(stream, &w->in, &w->schedule, failures, &rows, err);
    while (status == ORR_OK && ori_schedule_settled(&w->schedule, stream->taken) > stream->taken)
        status = ori_stream_take(stream, stream->taken + 1, err);
    if (status == ORR_OK)
        status = ori_stream_finish(stream, err);
    ori_stream_close(stream);
    free(stream);
    return status;
}

/* Checks the whole record, and raises an error where it is judged otherwise attempt by attempt. */
static orr_status check_twice(lua_State *L, world *w, const int32_t *failures,
                              const uint8_t *submitted, orr_error *err)
{
    orr_error other = {0};
    err->message[0] = 0;
    orr_status status = orr_check_schedule(&w->in, &w->schedule, failures, submitted, err);
    if (submitted || !orr_export_follows(&w->in))
        return status;
    if (check_stream(w, failures, &other) != status || strcmp(other.message, err->message) != 0)
        luaL_error(L, "as a whole: %s; attempt by attempt: %s", err->message, other.message);
    return status;
}

/* check(jobs, attempts, failures, submitted): true, or nil and the objection. outcome: 0 running,
 * 1 completed, 2 failed, 3 killed, 4 preempted, 5 cancelled, 6 node failed. submitted: the first so
 * many jobs of a run that was stopped; nil: it was not. */
static int check(lua_State *L)
{
    int32_t count;
    lua_settop(L, 4);
    const int32_t *failures = lua_isnil(L, 3) ? NULL : spec_ints(L, 3, &count);
    world *w = push_world(L);
    fill_schedule(L, w);
    orr_error err;
    uint8_t *submitted = NULL;
    if (!lua_isnil(L, 4)) {
        submitted = lua_newuserdata(L, (size_t)w->in.count + 1);
        for (int32_t j = 0; j < w->in.count; j++)
            submitted[j] = j < luaL_checkinteger(L, 4);
    }
    if (check_twice(L, w, failures, submitted, &err) == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    return 2;
}

/* again(jobs): what the checker says where the first of three jobs, on processors of their own, is
 * over, has left the record, and starts again. */
static int again(lua_State *L)
{
    world *w = push_world(L);
    orr_schedule *s = &w->schedule;
    orr_error err = {0};
    ori_stream *stream = calloc(1, sizeof *stream);
    orr_sink nowhere = {write_nowhere, NULL};
    orr_rows rows = {&nowhere, "p"};
    bool fine =
        ori_schedule_create(s, w->in.count, w->in.procs, ORI_ZEROED, NULL, &err) == ORR_OK &&
        ori_stream_open(stream, &w->in, s, NULL, &rows, &err) == ORR_OK;
    for (int32_t k = 0; fine && k < 4; k++) {
        int32_t job = k % 3;
        double end = k + orr_job_length(&w->in, job);
        stream->outlet.due = 0;
        fine = ori_schedule_start(s, job, 1, k, end, &err) == ORR_OK &&
               ori_schedule_end(s, job, end, ORR_COMPLETED, &err) == ORR_OK;
    }
    lua_pushinteger(L, s->count);
    if (fine)
        ori_stream_finish(stream, &err);
    lua_pushstring(L, err.message);
    ori_stream_close(stream);
    free(stream);
    return 2;
}

/* --- runs that begin in steps ------------------------------------------------------------------
 */

/* Takes so many steps, and finishes a copy if one is asked for, otherwise the simulation itself. */
static orr_status step_and_finish(orr_rigid *sim, lua_Integer steps, bool copied, orr_metrics *m,
                                  orr_error *err)
{
    orr_status status = ORR_OK;
    for (; status == ORR_OK && steps > 0; steps--)
        status = orr_rigid_step(sim, err);
    orr_rigid *copy = copied && status == ORR_OK ? orr_rigid_copy(sim, err) : NULL;
    if (status == ORR_OK && copied && !copy)
        status = err->status;
    if (status == ORR_OK)
        status = orr_rigid_finish(copied ? copy : sim, m, err);
    orr_rigid_destroy(copy);
    return status;
}

/* run(jobs, failures, { reservations = or fill = }, steps, copied, plain): makespan, mean wait,
 * attempts, of a run that nobody watches, in LPT order. */
static int run(lua_State *L)
{
    int32_t count;
    lua_settop(L, 6);
    orr_rigid_policy policy = {
        .size = sizeof(orr_rigid_policy), .name = "run", .discipline = ORR_DISPATCH_LIST};
    orr_rigid_set_rule(&policy, ORR_RULE_LPT);
    if (lua_getfield(L, 3, "reservations") == LUA_TNIL) {
        lua_getfield(L, 3, "fill");
        policy.discipline = ORR_DISPATCH_SHELF;
        policy.fill = lua_toboolean(L, -1);
    }
    double reservations = luaL_optnumber(L, 7, 0);
    policy.reservations = reservations < 1e9 ? (int32_t)reservations : ORR_RESERVE_ALL;
    const int32_t *failures = spec_ints(L, 2, &count);
    const world *w = push_world(L);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &w->in,
                             .policy = &policy,
                             .seed = 1,
                             .plain = lua_toboolean(L, 6)};
    orr_error err;
    orr_metrics m = {0};
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    orr_status status = sim ? orr_rigid_reset(sim, failures, 1, &err) : err.status;
    if (status == ORR_OK)
        status = step_and_finish(sim, lua_tointeger(L, 4), lua_toboolean(L, 5), &m, &err);
    orr_rigid_destroy(sim);
    if (status != ORR_OK)
        return spec_raise(L, &err);
    lua_pushnumber(L, m.makespan);
    lua_pushnumber(L, m.wait_mean);
    lua_pushinteger(L, m.starts);
    return 3;
}

/* --- memory that runs out -------------------------------------------------------------------- */

/* Creates, steps, copies and finishes a simulation whose nodes may fail. err may be NULL. */
static orr_status live(const world *w, const orr_rigid_policy *policy, bool record, bool fails,
                       spec_memory *m, orr_error *err)
{
    orr_allocator a = {spec_resize, m};
    orr_rigid_node_failures nodes = {.size = sizeof(orr_rigid_node_failures),
                                     .law = ORR_FAULTS_EXPONENTIAL,
                                     .mtbf = 1000,
                                     .repair = 1,
                                     .node_procs = 2};
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &w->in,
                             .policy = policy,
                             .seed = 1,
                             .record = record,
                             .node_failures = fails ? &nodes : NULL,
                             .alloc = &a};
    orr_rigid *sim = orr_rigid_create(&setup, err), *copy = NULL;
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, err) : ORR_ERR_MEMORY;
    if (status == ORR_OK)
        status = orr_rigid_step(sim, err);
    orr_rigid_why why;
    for (int32_t job = 0; status == ORR_OK && record && job < w->in.count; job++)
        status = orr_rigid_ask_why(sim, job, &why, NULL, 0, err);
    if (status == ORR_OK) {
        copy = orr_rigid_copy(sim, err);
        status = copy ? orr_rigid_finish(copy, NULL, err) : ORR_ERR_MEMORY;
    }
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, NULL, err);
    orr_rigid_destroy(copy);
    orr_rigid_destroy(sim);
    return status;
}

/* starve(jobs, reservations, allowed, record, silent): whether the run went well with so many
 * allocations, the message otherwise, and the blocks and bytes left behind. Silent: nodes may fail,
 * and nobody asks for a message. */
static int starve(lua_State *L)
{
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "list",
                               .discipline = ORR_DISPATCH_LIST,
                               .reservations = (int32_t)luaL_checkinteger(L, 2)};
    orr_rigid_set_rule(&policy, ORR_RULE_LPT);
    bool record = lua_toboolean(L, 4), silent = lua_toboolean(L, 5);
    spec_memory m = {0};
    spec_allow(&m, luaL_checkinteger(L, 3));
    const world *w = push_world(L);
    orr_error err = {0};
    orr_status status = live(w, &policy, record, silent, &m, silent ? NULL : &err);
    lua_pushboolean(L, status == ORR_OK);
    lua_pushstring(L, status == ORR_OK ? "" : err.message);
    lua_pushinteger(L, m.blocks);
    lua_pushinteger(L, m.bytes);
    return 4;
}

/* --- live ------------------------------------------------------------------------------------- */

/* What a live simulation does whose first job runs when its runtime becomes `time`. */
static orr_status revise_live(orr_rigid **sim, const world *w, orr_jobs *jobs, double time,
                              orr_instance *made, orr_error *err)
{
    orr_rigid_change change = {.size = sizeof change, .jobs = jobs};
    orr_status status = orr_rigid_reset(*sim, NULL, 1, err);
    if (status == ORR_OK)
        status = orr_rigid_run_until(*sim, w->in.submit[0], err);
    if (status == ORR_OK)
        status = orr_jobs_set_time(jobs, 0, time, err);
    if (status != ORR_OK)
        return status;
    orr_rigid *changed = orr_rigid_changed(*sim, &change, made, err);
    if (!changed)
        return err->status;
    orr_rigid_destroy(*sim);
    *sim = changed;
    return orr_rigid_run_until(changed, 10, err);
}

/* What one does whose clock goes on to `time` at once, and there tells an earliest start of all
 * processors, before anything happens. */
static orr_status pass_live(orr_rigid **sim, const world *w, double time, double *start,
                            orr_error *err)
{
    orr_status status = orr_rigid_reset(*sim, NULL, 1, err);
    if (status == ORR_OK)
        status = orr_rigid_run_until(*sim, w->in.submit[0], err);
    if (status == ORR_OK)
        status = orr_rigid_pass(*sim, time, err);
    if (status == ORR_OK)
        *start = orr_rigid_earliest_start(*sim, 0, w->in.procs, 1);
    return status == ORR_OK ? orr_rigid_run_until(*sim, time, err) : status;
}

/* How many jobs run then although nobody has said that one ended, and how many are over. */
static int push_live(lua_State *L, bool passes)
{
    double time = luaL_checknumber(L, 2), start = 0;
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "live",
                               .discipline = ORR_DISPATCH_LIST,
                               .reservations = 1};
    orr_rigid_set_rule(&policy, ORR_RULE_FCFS);
    const world *w = push_world(L);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &w->in,
                             .policy = &policy,
                             .seed = 1,
                             .record = true,
                             .live = true};
    orr_error err;
    orr_instance made = {0};
    orr_jobs *jobs = orr_jobs_append(w->in.jobs, NULL, NULL, &err);
    orr_rigid *sim = jobs ? orr_rigid_create(&setup, &err) : NULL;
    orr_status status = !sim     ? err.status
                        : passes ? pass_live(&sim, w, time, &start, &err)
                                 : revise_live(&sim, w, jobs, time, &made, &err);
    orr_rigid_view v = {0};
    if (status == ORR_OK)
        v = orr_rigid_look(sim);
    orr_rigid_destroy(sim);
    orr_instance_destroy(&made);
    orr_jobs_destroy(jobs);
    if (status != ORR_OK)
        return spec_raise(L, &err);
    lua_pushinteger(L, v.running);
    lua_pushinteger(L, v.over);
    lua_pushnumber(L, start);
    return 3;
}

/* revised_live(jobs, time): at time 10, where the first job's runtime became `time`. */
static int revised_live(lua_State *L)
{
    return push_live(L, false);
}

/* passed_live(jobs, time): at `time`, to which the clock goes on at once; and the earliest start. */
static int passed_live(lua_State *L)
{
    return push_live(L, true);
}

/* --- policies -------------------------------------------------------------------------------- */

/* What hooks note: the jobs in the order of their starts. */
typedef struct notes {
    lua_State *L;
    lua_Integer submitted, started;
} notes;

static orr_status note_submission(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)sim, (void)job, (void)err;
    ((notes *)user)->submitted++;
    return ORR_OK;
}

static orr_status note_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)sim, (void)err;
    notes *n = user;
    lua_pushinteger(n->L, job);
    lua_rawseti(n->L, -2, ++n->started);
    return ORR_OK;
}

/* hooked(jobs, rule): the jobs in the order in which they start under a built-in order, as hooks
 * with a user pointer of their own have noted them, and how many were submitted. */
static int hooked(lua_State *L)
{
    notes n = {.L = L};
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "hooked",
                               .discipline = ORR_DISPATCH_FCFS,
                               .user = &n,
                               .on_submit = note_submission,
                               .on_start = note_start};
    orr_rigid_set_rule(&policy, (orr_rigid_rule)luaL_checkinteger(L, 2));
    const world *w = push_world(L);
    orr_rigid_setup setup = {
        .size = sizeof(orr_rigid_setup), .instance = &w->in, .policy = &policy, .seed = 1};
    orr_error err;
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, &err) : err.status;
    lua_newtable(L);
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, NULL, &err);
    orr_rigid_destroy(sim);
    if (status != ORR_OK)
        return spec_raise(L, &err);
    lua_pushinteger(L, n.submitted);
    return 2;
}

/* refused(jobs, discipline): the status and the message of a simulation under it. */
static int refused(lua_State *L)
{
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy),
                               .name = "strange",
                               .discipline = (orr_rigid_discipline)luaL_checkinteger(L, 2)};
    const world *w = push_world(L);
    orr_rigid_setup setup = {
        .size = sizeof(orr_rigid_setup), .instance = &w->in, .policy = &policy, .seed = 1};
    orr_error err = {0};
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    orr_rigid_destroy(sim);
    lua_pushinteger(L, err.status);
    lua_pushstring(L, err.message);
    return 2;
}

/* --------------------------------------------------------------------------------------------- */

int luaopen_native_runs(lua_State *L)
{
    static const luaL_Reg functions[] = {{"check", check},
                                         {"again", again},
                                         {"run", run},
                                         {"starve", starve},
                                         {"hooked", hooked},
                                         {"refused", refused},
                                         {"revised_live", revised_live},
                                         {"passed_live", passed_live},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
