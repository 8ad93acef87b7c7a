/* session:change(changes) and session:fork(changes): what if? The table of changes becomes the
 * kernel's (rigid/change.h), which makes all of them, or none. */
#include "bindings/host/host.h"
#include "bindings/session/jobs.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "rigid/change.h"
#include "workload/select.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A change under way. Stack: the session, the changes, the next session, a list of remarks; behind
 * these all that the change borrows. */
typedef struct change {
    lua_State *L;
    const orr_session *from;
    orr_session *next;
    int32_t count; /* jobs, with those that are submitted */
    orr_rigid_change kernel;
    orr_rigid_service service;
    char *remarks; /* one behind the other, each with its zero */
    size_t size;
    orr_error err;
} change;

enum { SESSION = 1, CHANGES, NEXT, REMARKS };

static void must(change *c, orr_status status)
{
    if (status != ORR_OK)
        orr_lua_raise(c->L, &c->err);
}

/* Nothing may be raised in here: what there is no memory for is not remarked. */
static void remark(void *user, const char *text)
{
    change *c = user;
    size_t length = strlen(text) + 1;
    char *grown = realloc(c->remarks, c->size + length);
    if (!grown)
        return;
    memcpy(grown + c->size, text, length);
    c->remarks = grown;
    c->size += length;
}

/* The text on top of the stack, popped, is something that the caller should know. */
static void add_remark(lua_State *L)
{
    lua_rawseti(L, REMARKS, (lua_Integer)lua_rawlen(L, REMARKS) + 1);
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

/* --- policy, jobs, runtimes ------------------------------------------------------------------- */

/* Loads another policy, if it is one. */
static void change_policy(change *c)
{
    lua_State *L = c->L;
    orr_session *next = c->next;
    if (!has_list(c, "policy"))
        return;
    int at = lua_gettop(L);
    size_t size = 0;
    lua_getfield(L, at, "text");
    const char *text = lua_tolstring(L, -1, &size);
    const orr_session_policy *old = next->policy;
    bool same = text && old->text && size == old->size && memcmp(text, old->text, size) == 0;
    lua_pop(L, 1);
    int32_t known = orr_rigid_look(c->from->sim).known;
    int32_t procs = (int32_t)orr_lua_integer_option(L, at, "procs", known, 1, INT32_MAX - 1);
    if (same)
        return;
    orr_session_policy *policy = orr_session_load_policy(L, at, &next->limits, &c->err);
    if (!policy) {
        must(c, c->err.status);
        return;
    }
    orr_session_set_policy(next, policy);
    c->kernel.policy = &policy->host->jobs.policy;
    c->kernel.procs = procs;
}

/* The jobs with those behind that are submitted, and with other runtimes: a new value, which the
 * next session keeps. */
static void change_jobs(change *c)
{
    lua_State *L = c->L;
    const orr_jobs *before = c->from->instance->value.jobs;
    lua_getfield(L, CHANGES, "submit");
    const orr_jobs *more = lua_isnil(L, -1) ? NULL : orr_lua_check_jobs(L, lua_gettop(L));
    bool revised = has_list(c, "runtime");
    int list = lua_gettop(L);
    c->count = before->count;
    if (!more && !revised)
        return;
    orr_jobs **slot = orr_lua_new_jobs(L), *jobs;
    c->kernel.jobs = jobs = *slot = orr_jobs_append(before, more, NULL, &c->err);
    if (!jobs) {
        must(c, c->err.status);
        return;
    }
    c->count = jobs->count;
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, NEXT, 1);
    for (lua_pushnil(L); revised && lua_next(L, list); lua_pop(L, 1)) {
        int32_t job = job_at(L, -2, "runtime", jobs->count);
        must(c, orr_jobs_set_time(jobs, job, luaL_checknumber(L, -1), &c->err));
    }
}

/* The scheduler's estimates for the jobs behind, where there are. */
static void change_estimates(change *c)
{
    if (lua_getfield(c->L, CHANGES, "estimates") == LUA_TNIL)
        return;
    const double *estimates = luaL_checkudata(c->L, -1, "orrery.estimates");
    int32_t count = c->count - c->from->instance->value.count;
    if (estimates[0] != count)
        luaL_error(c->L, "estimates: expected %d, found %f", (int)count, estimates[0]);
    c->kernel.estimates = estimates + 1; /* the changes keep them */
}

/* --- failures, lists of jobs ------------------------------------------------------------------ */

static void change_seed(change *c)
{
    lua_State *L = c->L;
    orr_session *next = c->next;
    c->kernel.draws = lua_getfield(L, CHANGES, "seed") != LUA_TNIL;
    if (c->kernel.draws)
        next->seed = (uint64_t)luaL_checkinteger(L, -1);
    c->kernel.seed = next->seed;
    c->kernel.lambda = next->given ? 0 : next->lambda;
    c->kernel.max_attempts = next->max_attempts;
    if (c->kernel.draws && !(c->kernel.lambda > 0)) {
        lua_pushstring(L, next->given
                              ? "the failures of jobs were given: the seed does not change them"
                              : "jobs do not fail here: the seed changes no failures of theirs");
        add_remark(L);
    }
}

/* The positions in a list, in a block on the stack. */
static const int32_t *job_list(change *c, const char *name, int32_t *count)
{
    lua_State *L = c->L;
    if (!has_list(c, name))
        return NULL;
    int at = lua_gettop(L);
    *count = (int32_t)lua_rawlen(L, at);
    int32_t *jobs = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *jobs, 0);
    for (int32_t i = 0; i < *count; i++) {
        lua_rawgeti(L, at, i + 1);
        jobs[i] = job_at(L, -1, name, c->count);
        lua_pop(L, 1);
    }
    return jobs;
}

/* { job = } or { processor =, repair = } on top of the stack. */
static orr_rigid_fault fault(change *c)
{
    lua_State *L = c->L;
    luaL_checktype(L, -1, LUA_TTABLE);
    int at = lua_gettop(L);
    orr_rigid_fault f = {.job = -1};
    if (lua_getfield(L, at, "job") != LUA_TNIL) {
        f.job = job_at(L, -1, "fault", c->count);
    } else {
        f.processor = (int32_t)orr_lua_integer_option(L, at, "processor", -1, 0, INT32_MAX - 1);
        f.repair = orr_lua_number_option(L, at, "repair", c->next->repair);
    }
    lua_settop(L, at);
    return f;
}

static void change_faults(change *c)
{
    lua_State *L = c->L;
    if (!has_list(c, "fault"))
        return;
    int at = lua_gettop(L);
    int32_t count = c->kernel.fault_count = (int32_t)lua_rawlen(L, at);
    orr_rigid_fault *faults = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *faults, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, at, i + 1);
        faults[i] = fault(c);
        lua_pop(L, 1);
    }
    c->kernel.faults = faults;
}

/* --- processors ------------------------------------------------------------------------------- */

static void change_procs(change *c)
{
    lua_State *L = c->L;
    if (!has_list(c, "procs"))
        return;
    int at = lua_gettop(L);
    c->service.procs = (int32_t)orr_lua_integer_option(L, at, "procs", -1, 0, INT32_MAX - 1);
    c->service.until = orr_lua_number_option(L, at, "until", INFINITY);
    if (c->service.procs < 0)
        luaL_error(L, "procs: expected { procs =, group =, until = } with a number of processors");
    if (lua_getfield(L, at, "group") != LUA_TNIL)
        c->service.group = luaL_checkstring(L, -1);
    c->kernel.service = &c->service;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Makes the simulation of the next session, and its instance where it has another one. */
static orr_status make(change *c)
{
    orr_session *next = c->next;
    orr_session_instance *in = orr_session_new_instance(&c->err);
    if (!in)
        return ORR_ERR_MEMORY;
    orr_status status = orr_host_enter(next->policy->host, &c->err);
    if (status == ORR_OK) {
        next->sim = orr_rigid_changed(c->from->sim, &c->kernel, &in->value, &c->err);
        status = next->sim ? ORR_OK : c->err.status;
        orr_host_leave(next->policy->host);
    }
    if (status == ORR_OK && in->value.jobs)
        orr_session_set_instance(next, in);
    else
        free(in);
    return status;
}

static void push_remarks(change *c)
{
    for (size_t at = 0; at < c->size; at += strlen(c->remarks + at) + 1) {
        lua_pushstring(c->L, c->remarks + at);
        add_remark(c->L);
    }
}

/* { policy =, seed =, procs =, submit =, cancel =, runtime =, fail =, fault = }, see
 * bindings/session/session.lua; jobs are positions here, lists are lists, `policy` is prepared,
 * `submit` are jobs, and `estimates` are theirs. Leaves the session, the changes, the session as
 * changed and a list of remarks on the stack. */
static orr_session *changed(lua_State *L)
{
    change c = {
        .L = L, .from = orr_lua_check_session(L, SESSION), .kernel.size = sizeof(orr_rigid_change)};
    luaL_checktype(L, CHANGES, LUA_TTABLE);
    lua_settop(L, CHANGES);
    lua_getiuservalue(L, SESSION, 1);
    lua_getiuservalue(L, SESSION, 2);
    c.next = orr_lua_push_session(L, CHANGES + 1, CHANGES + 2);
    orr_session_share(c.next, c.from);
    lua_replace(L, NEXT);
    lua_settop(L, NEXT);
    lua_newtable(L);
    change_policy(&c);
    change_jobs(&c);
    change_estimates(&c);
    change_seed(&c);
    change_procs(&c);
    c.kernel.cancel = job_list(&c, "cancel", &c.kernel.cancel_count);
    c.kernel.fail = job_list(&c, "fail", &c.kernel.fail_count);
    change_faults(&c);
    c.kernel.remark = remark;
    c.kernel.remark_user = &c;
    int32_t known = c.kernel.policy ? c.kernel.procs : orr_rigid_look(c.from->sim).known;
    orr_status status = make(&c);
    if (status == ORR_OK)
        c.next->machine += orr_rigid_look(c.next->sim).known - known;
    push_remarks(&c);
    free(c.remarks);
    must(&c, status);
    lua_settop(L, REMARKS);
    return c.next;
}

/* s:change(changes): the session as changed takes the place of the session. Returns a list of
 * remarks where there are any. */
int orr_lua_session_change(lua_State *L)
{
    orr_session *next = changed(L), *session = lua_touserdata(L, SESSION), old = *session;
    *session = *next;
    *next = old;
    lua_getiuservalue(L, NEXT, 1);
    lua_setiuservalue(L, SESSION, 1);
    orr_session_close(next);
    return lua_rawlen(L, REMARKS) > 0 ? 1 : 0;
}

/* s:fork(changes): the session as changed, and a list of remarks, which may be empty. */
int orr_lua_session_fork_changed(lua_State *L)
{
    changed(L);
    return 2;
}
