/* session:change(changes): what if? Everything is done to a copy, which then takes the session's
 * place: all changes are made, or none. */
#include "bindings/host/host.h"
#include "bindings/session/jobs.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "rigid/change.h"
#include "workload/select.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* A change under way: a copy of the session follows on another, each with more of the changes.
 * Stack: the session, the changes, the latest copy, the next one, remarks. */
typedef struct change {
    lua_State *L;
    orr_session *from; /* the session */
    orr_session *now;  /* the latest copy; at first the session */
    orr_error err;
} change;

enum { SESSION = 1, CHANGES, COPY, NEXT, REMARKS };

static void must(change *c, orr_status status)
{
    if (status != ORR_OK)
        orr_lua_raise(c->L, &c->err);
}

/* The text on top of the stack, popped, is something that the caller should know. */
static void remark(change *c)
{
    lua_rawseti(c->L, REMARKS, (lua_Integer)lua_rawlen(c->L, REMARKS) + 1);
}

static const orr_instance *instance_of(const change *c)
{
    return &c->now->instance->value;
}

/* Whether there is such a list of changes, or a table of them; it is on top then. */
static bool has_list(change *c, const char *name)
{
    if (lua_getfield(c->L, CHANGES, name) != LUA_TNIL) {
        if (!lua_istable(c->L, -1))
            luaL_error(c->L, "%s: expected a table, found %s", name, luaL_typename(c->L, -1));
        return true;
    }
    lua_pop(c->L, 1);
    return false;
}

/* The position at index as a job among `count`. */
static int32_t job_at(lua_State *L, int index, const char *what, int32_t count)
{
    int ok = 0;
    lua_Integer position = lua_tointegerx(L, index, &ok);
    if (!ok || position < 1 || position > count)
        luaL_error(L, "%s: there is no job %s, there are %d", what, luaL_tolstring(L, index, NULL),
                   (int)count);
    return (int32_t)position - 1;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* A session without a simulation that shares what the latest copy has. */
static orr_session *next_session(change *c)
{
    lua_State *L = c->L;
    int at = c->now == c->from ? SESSION : COPY, top = lua_gettop(L);
    lua_getiuservalue(L, at, 1);
    lua_getiuservalue(L, at, 2);
    orr_session *next = orr_lua_push_session(L, top + 1, top + 2);
    orr_session_share(next, c->now);
    lua_replace(L, NEXT);
    lua_settop(L, top);
    return next;
}

/* The next session goes on where the latest copy stands, which it replaces. */
static void transplant(change *c, orr_session *next, orr_rigid_sequel *sequel)
{
    orr_host *host = next->policy->host;
    sequel->instance = &next->instance->value;
    must(c, orr_host_enter(host, &c->err));
    next->sim = orr_rigid_transplant(c->now->sim, sequel, &c->err);
    orr_host_leave(host);
    if (!next->sim)
        orr_lua_raise(c->L, &c->err);
    if (c->now != c->from)
        orr_session_close(c->now);
    lua_copy(c->L, NEXT, COPY);
    c->now = next;
}

static void revise(change *c, orr_session *next, const orr_revision *revision)
{
    orr_session_instance *in = orr_session_new_instance(&c->err);
    must(c, in ? ORR_OK : c->err.status);
    const orr_instance before = next->instance->value; /* which the session under way keeps alive */
    orr_session_set_instance(next, in);
    must(c, orr_instance_revise(&in->value, &before, revision, &c->err));
}

/* --- policy, jobs, runtimes ------------------------------------------------------------------- */

/* Loads another policy, if it is one; how many processors it is for, else 0. */
static int32_t change_policy(change *c, orr_session *next)
{
    lua_State *L = c->L;
    if (!has_list(c, "policy"))
        return 0;
    int at = lua_gettop(L);
    size_t size = 0;
    lua_getfield(L, at, "text");
    const char *text = lua_tolstring(L, -1, &size);
    const orr_session_policy *old = next->policy;
    bool same = text && old->text && size == old->size && memcmp(text, old->text, size) == 0;
    lua_pop(L, 1);
    int32_t procs = (int32_t)orr_lua_integer_option(L, at, "procs", next->known, 1, INT32_MAX - 1);
    if (!same) {
        orr_session_policy *policy = orr_session_load_policy(L, at, &next->limits, &c->err);
        must(c, policy ? ORR_OK : c->err.status);
        orr_session_set_policy(next, policy);
        next->known = procs;
    }
    lua_pop(L, 1);
    return same ? 0 : procs;
}

/* The jobs with those behind that are submitted, and with other runtimes: a new value, which the
 * next session keeps; NULL where they are the same. */
static orr_jobs *change_jobs(change *c)
{
    lua_State *L = c->L;
    lua_getfield(L, CHANGES, "submit");
    const orr_jobs *more = lua_isnil(L, -1) ? NULL : orr_lua_check_jobs(L, lua_gettop(L));
    bool revised = has_list(c, "runtime");
    if (!more && !revised) {
        lua_pop(L, 1);
        return NULL;
    }
    orr_jobs **slot = orr_lua_new_jobs(L), *jobs;
    jobs = *slot = orr_jobs_append(instance_of(c)->jobs, more, NULL, &c->err);
    if (!jobs) {
        must(c, c->err.status);
        return NULL;
    }
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, NEXT, 1);
    for (lua_pushnil(L); revised && lua_next(L, -3); lua_pop(L, 1)) {
        int32_t job = job_at(L, -2, "runtime", jobs->count);
        must(c, orr_jobs_set_time(jobs, job, luaL_checknumber(L, -1), &c->err));
    }
    lua_settop(L, REMARKS);
    return jobs;
}

/* The scheduler's estimates for the jobs behind, where there are. */
static const double *estimates_of(change *c, int32_t count)
{
    const double *estimates = NULL;
    if (lua_getfield(c->L, CHANGES, "estimates") != LUA_TNIL) {
        estimates = luaL_checkudata(c->L, -1, "orrery.estimates");
        if (estimates[0] != count)
            luaL_error(c->L, "estimates: expected %d, found %f", (int)count, estimates[0]);
        estimates++;
    }
    lua_pop(c->L, 1); /* the changes keep them */
    return estimates;
}

/* The failures that jobs behind the `old` ones have, in a block on the stack. */
static const int32_t *draw_failures(change *c, const orr_session *next, int32_t old)
{
    const orr_instance *in = &next->instance->value;
    size_t count = (size_t)(in->count - old);
    if (count == 0 || next->given || !(next->lambda > 0))
        return NULL;
    int32_t *drawn = lua_newuserdatauv(c->L, count * sizeof *drawn, 0);
    orr_silent_errors errors;
    orr_stream_key key =
        orr_stream_key_make(next->seed, next->set, next->scenario, ORR_PURPOSE_FAILURES);
    orr_status status =
        orr_silent_errors_create(&errors, in, next->lambda, next->max_attempts, NULL, &c->err);
    for (int32_t j = old; status == ORR_OK && j < in->count; j++)
        status = orr_silent_errors_draw_job(&errors, key, j, &drawn[j - old], &c->err);
    orr_silent_errors_destroy(&errors);
    must(c, status);
    return drawn;
}

/* All that needs a transplant, and if nothing does, one all the same: a copy that can be changed.
 */
static void change_world(change *c)
{
    const orr_instance *before = instance_of(c);
    orr_session *next = next_session(c);
    orr_rigid_sequel sequel = {0};
    int32_t procs = change_policy(c, next);
    lua_getfield(c->L, CHANGES, "seed");
    if (!lua_isnil(c->L, -1))
        next->seed = (uint64_t)luaL_checkinteger(c->L, -1);
    lua_pop(c->L, 1);
    const orr_jobs *jobs = change_jobs(c);
    if (jobs || procs > before->procs) {
        orr_revision revision = {.jobs = jobs ? jobs : before->jobs, .procs = before->procs};
        revision.estimates = estimates_of(c, revision.jobs->count - before->count);
        if (procs > before->procs)
            revision.procs = procs;
        revise(c, next, &revision);
        sequel.failures = draw_failures(c, next, before->count);
    }
    if (procs > 0)
        sequel.policy = &next->policy->host->jobs.policy;
    sequel.procs = procs;
    transplant(c, next, &sequel);
    lua_settop(c->L, REMARKS);
}

/* --- failures --------------------------------------------------------------------------------- */

static orr_status redraw(change *c)
{
    const orr_session *s = c->now;
    orr_silent_errors errors;
    orr_status status = orr_silent_errors_create(&errors, instance_of(c), s->lambda,
                                                 s->max_attempts, NULL, &c->err);
    if (status == ORR_OK)
        status = orr_rigid_redraw(s->sim, &errors, s->seed, &c->err);
    orr_silent_errors_destroy(&errors);
    return status;
}

/* change_world has noted the seed. */
static void change_seed(change *c)
{
    bool changes = lua_getfield(c->L, CHANGES, "seed") != LUA_TNIL;
    lua_pop(c->L, 1);
    if (!changes)
        return;
    if (c->now->given || !(c->now->lambda > 0)) {
        lua_pushstring(c->L, c->now->given
                                 ? "the failures of jobs were given: the seed does not change them"
                                 : "jobs do not fail here: the seed changes no failures of theirs");
        remark(c);
    } else {
        must(c, redraw(c));
    }
    must(c, orr_rigid_redraw_nodes(c->now->sim, c->now->seed, &c->err));
}

/* Calls `act` for every job of a list. */
static void each_job(change *c, const char *name, void (*act)(change *c, int32_t job))
{
    if (!has_list(c, name))
        return;
    lua_Integer count = (lua_Integer)lua_rawlen(c->L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(c->L, -1, i);
        int32_t job = job_at(c->L, -1, name, instance_of(c)->count);
        lua_pop(c->L, 1);
        act(c, job);
    }
    lua_pop(c->L, 1);
}

static void cancel(change *c, int32_t job)
{
    must(c, orr_rigid_cancel(c->now->sim, job, &c->err));
}

static void fail(change *c, int32_t job)
{
    bool known;
    must(c, orr_rigid_fail_attempt(c->now->sim, job, &known, &c->err));
    if (!known)
        return;
    lua_pushfstring(c->L, "job %s: its attempt was to fail anyway",
                    orr_jobs_id(instance_of(c)->jobs, job));
    remark(c);
}

/* A struck job enters its queue, for which the policy may be asked. */
static orr_status strike_job(change *c, int32_t job)
{
    orr_host *host = c->now->policy->host;
    must(c, orr_host_enter(host, &c->err));
    orr_status status = orr_rigid_strike_job(c->now->sim, job, &c->err);
    orr_host_leave(host);
    return status;
}

static orr_status strike_node(change *c, int32_t processor, double repair, int32_t *struck)
{
    orr_host *host = c->now->policy->host;
    must(c, orr_host_enter(host, &c->err));
    orr_status status = orr_rigid_strike_node(c->now->sim, processor, repair, struck, &c->err);
    orr_host_leave(host);
    return status;
}

/* { job = } or { processor =, repair = } on top of the stack. */
static void strike(change *c)
{
    lua_State *L = c->L;
    luaL_checktype(L, -1, LUA_TTABLE);
    int at = lua_gettop(L);
    if (lua_getfield(L, at, "job") != LUA_TNIL) {
        must(c, strike_job(c, job_at(L, -1, "fault", instance_of(c)->count)));
    } else {
        int32_t struck,
            processor = (int32_t)orr_lua_integer_option(L, at, "processor", -1, 0, INT32_MAX - 1);
        double repair = orr_lua_number_option(L, at, "repair", c->now->repair);
        must(c, strike_node(c, processor, repair, &struck));
        if (struck == 0) {
            lua_pushfstring(L, "processor %d: nothing ran there%s", (int)processor,
                            repair > 0 ? "" : ", the fault has no effect");
            remark(c);
        }
    }
    lua_settop(L, at);
}

static void change_faults(change *c)
{
    if (!has_list(c, "fault"))
        return;
    lua_Integer count = (lua_Integer)lua_rawlen(c->L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(c->L, -1, i);
        strike(c);
        lua_pop(c->L, 1);
    }
    lua_pop(c->L, 1);
}

/* --- processors ------------------------------------------------------------------------------- */

/* What `procs` asks for: a group has so many until then. */
typedef struct service {
    int32_t group, procs;
    double until;
} service;

static service check_service(change *c)
{
    lua_State *L = c->L;
    int at = lua_gettop(L);
    service s = {.procs = (int32_t)orr_lua_integer_option(L, at, "procs", -1, 0, INT32_MAX - 1)};
    s.until = orr_lua_number_option(L, at, "until", INFINITY);
    if (s.procs < 0)
        luaL_error(L, "procs: expected { procs =, group =, until = } with a number of processors");
    if (lua_getfield(L, at, "group") != LUA_TNIL) {
        s.group = orr_rigid_find_group(c->now->sim, luaL_checkstring(L, -1));
        if (s.group < 0)
            luaL_error(L, "procs: there is no group '%s'", lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    return s;
}

/* Makes room for so many more processors behind the last. */
static void add_processors(change *c, const service *s, int32_t more)
{
    const orr_instance *before = instance_of(c);
    orr_session *next = next_session(c);
    orr_revision revision = {.jobs = before->jobs, .procs = before->procs + more};
    orr_rigid_sequel sequel = {0};
    if (more > INT32_MAX - 1 - before->procs)
        luaL_error(c->L, "procs: %d processors are too many", (int)s->procs);
    revise(c, next, &revision);
    transplant(c, next, &sequel);
}

static void change_procs(change *c)
{
    if (!has_list(c, "procs"))
        return;
    service s = check_service(c);
    orr_rigid_group_view view = orr_rigid_look_group(c->now->sim, s.group);
    bool last = s.group + 1 == orr_rigid_look(c->now->sim).groups;
    int32_t unknown = last ? instance_of(c)->procs - c->now->known : 0;
    int32_t more = s.procs - (view.procs - unknown), added = more - unknown;
    if (more > 0 && !last)
        luaL_error(c->L,
                   "procs: group %s has %d processors, and only the last group can get more: those "
                   "of a group are numbered one behind the other",
                   view.name, (int)view.procs);
    if (added > 0)
        add_processors(c, &s, added);
    if (more > 0) {
        c->now->known += more;
        c->now->machine += more;
    }
    must(c, orr_rigid_set_service(c->now->sim, s.group, s.procs, s.until, &c->err));
    if (added > 0)
        must(c, orr_rigid_lend(c->now->sim, s.group, added, s.until, &c->err));
    lua_pop(c->L, 1);
}

/* ---------------------------------------------------------------------------------------------- */

/* The copy takes the place of the session. */
static void swap(change *c)
{
    orr_session old = *c->from;
    *c->from = *c->now;
    *c->now = old;
    lua_getiuservalue(c->L, COPY, 1);
    lua_setiuservalue(c->L, SESSION, 1);
    orr_session_close(c->now);
}

/* s:change { policy =, seed =, procs =, submit =, cancel =, runtime =, fail =, fault = }, see
 * bindings/session/session.lua; jobs are positions here, lists are lists, `policy` is prepared,
 * `submit` are jobs, and `estimates` are theirs. Returns a list of remarks where there are any. */
int orr_lua_session_change(lua_State *L)
{
    change c = {.L = L, .from = orr_lua_check_session(L, SESSION)};
    c.now = c.from;
    luaL_checktype(L, CHANGES, LUA_TTABLE);
    lua_settop(L, NEXT);
    lua_newtable(L);
    change_world(&c);
    change_seed(&c);
    change_procs(&c);
    each_job(&c, "cancel", cancel);
    each_job(&c, "fail", fail);
    change_faults(&c);
    swap(&c);
    return lua_rawlen(L, REMARKS) > 0 ? 1 : 0;
}
