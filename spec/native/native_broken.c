/* native_broken: what only happens where something is broken: a policy that changes the jobs under
 * a simulation, a file that changes while it is read. Jobs are numbered from 0, as in the kernel.
 */
#include "world.h"

#include "rigid/montecarlo.h"
#include "workload/reader.h"

#include <stdio.h>
#include <unistd.h>

ORR_API int luaopen_native_broken(lua_State *L);

/* --- a simulation ---------------------------------------------------------------------------- */

typedef struct spoiler {
    world *w;
    char what;    /* 't': the time of job 0, 'c': the submission of the last job, 'n': nothing */
    int starts;   /* so far */
    int at;       /* the start with which it happens */
    int reported; /* invariants */
} spoiler;

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)sim, (void)job, (void)err;
    spoiler *s = user;
    if (++s->starts != s->at)
        return ORR_OK;
    if (s->what == 't')
        s->w->jobs->time[0] -= 1;
    if (s->what == 'c')
        s->w->in.submit[s->w->in.count - 1] = -1;
    return ORR_OK;
}

static orr_status get(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)err;
    *(orr_rigid_policy *)out = ((const orr_rigid_policy *)user)[policy];
    return ORR_OK;
}

static void on_trap(void *user, const orr_trap_report *report)
{
    (void)report;
    ((spoiler *)user)->reported++;
}

static void push_place(lua_State *L, const orr_place *place)
{
    lua_createtable(L, 0, 5);
    lua_pushinteger(L, place->policy);
    lua_setfield(L, -2, "policy");
    lua_pushinteger(L, (lua_Integer)place->seed);
    lua_setfield(L, -2, "seed");
    lua_pushinteger(L, (lua_Integer)place->set);
    lua_setfield(L, -2, "set");
    lua_pushinteger(L, place->scenario);
    lua_setfield(L, -2, "scenario");
    lua_pushnumber(L, place->now);
    lua_setfield(L, -2, "now");
}

/* montecarlo(jobs, what, at, check): three scenarios under two policies, the second of which spoils
 * something with its start number `at`. True; or nil, the message, the place, and how many broken
 * invariants were reported. */
static int montecarlo(lua_State *L)
{
    spoiler s = {.what = *luaL_checkstring(L, 2), .at = (int)luaL_checkinteger(L, 3)};
    bool check = lua_toboolean(L, 4);
    s.w = push_world(L);
    orr_rigid_policy policies[2] = {
        {.size = sizeof(orr_rigid_policy), .name = "good", .discipline = ORR_DISPATCH_LIST},
        {.size = sizeof(orr_rigid_policy),
         .name = "bad",
         .discipline = ORR_DISPATCH_LIST,
         .user = &s}};
    policies[1].on_start = on_start;
    const orr_instance *instances[2] = {&s.w->in, &s.w->in};
    orr_metrics results[6];
    orr_rigid_set set = {.instances = instances, .number = 5, .results = results};
    orr_rigid_montecarlo mc = {.size = sizeof(orr_rigid_montecarlo),
                               .common = {.source = {get, NULL, policies},
                                          .policies = 2,
                                          .seed = 9,
                                          .scenarios = 3,
                                          .threads = 1,
                                          .check = check,
                                          .trap = {on_trap, &s}},
                               .sets = 1,
                               .set = &set};
    orr_error err = {0};
    if (orr_rigid_montecarlo_run(&mc, &err) == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    push_place(L, &err.place);
    lua_pushinteger(L, s.reported);
    return 4;
}

/* --- a file ---------------------------------------------------------------------------------- */

typedef struct meddler {
    const char *path;
    const char *text; /* what is appended; NULL: the file is cut to `size` */
    off_t size;
} meddler;

static void meddle(const meddler *m)
{
    FILE *file = m->text ? fopen(m->path, "a") : NULL;
    if (file) {
        fputs(m->text, file);
        fclose(file);
    } else if (truncate(m->path, m->size) != 0) {
        perror(m->path);
    }
}

/* The block for the file's bytes is asked for once the file is open. */
static void *resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (!block && new_size == 1 << 18)
        meddle(user);
    return realloc(block, new_size);
}

/* read(path[, text or size]): true, or nil and the message, of a log that changes meanwhile. */
static int read_meddled(lua_State *L)
{
    meddler m = {.path = luaL_checkstring(L, 1)};
    orr_allocator a = {resize, &m};
    if (lua_type(L, 2) == LUA_TSTRING)
        m.text = lua_tostring(L, 2);
    m.size = m.text ? 0 : (off_t)luaL_optinteger(L, 2, 0);
    orr_error err;
    orr_jobs *jobs = orr_read_jobs(m.path, NULL, lua_isnoneornil(L, 2) ? NULL : &a, &err);
    if (jobs) {
        orr_jobs_destroy(jobs);
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    return 2;
}

int luaopen_native_broken(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"montecarlo", montecarlo}, {"read", read_meddled}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
