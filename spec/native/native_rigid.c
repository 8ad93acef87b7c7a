/* native_rigid: the data structures of kernel/rigid/ and kernel/schedule/, for the specs: the
 * waiting queue, the profile, the timetable, named availability, repeated attempts, limits, processor sets. Jobs, ranks
 * and steps are numbered from 0, as in the kernel. */
#include "native.h"

#include "rigid/fast/retry_clock_internal.h"
#include "rigid/queue/limits_internal.h"
#include "schedule/procset_internal.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_rigid(lua_State *L);

#define QUEUE "native_rigid.queue"
#define ENDS "native_rigid.ends"
#define PLAN "native_rigid.plan"
#define TIMETABLE "native_rigid.timetable"
#define NAMED "native_rigid.named"
#define PROCSET "native_rigid.procset"

static int32_t check_int(lua_State *L, int arg)
{
    return (int32_t)luaL_checkinteger(L, arg);
}

static const orr_allocator *mallocs(void)
{
    static orr_allocator a;
    a = orr_allocator_or_default(NULL);
    return &a;
}

/* --- the waiting queue ----------------------------------------------------------------------- */

static ori_queue *check_queue(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, QUEUE);
}

static int queue_new(lua_State *L)
{
    int32_t capacity = check_int(L, 1);
    ori_queue *q = lua_newuserdatauv(L, sizeof *q, 0);
    memset(q, 0, sizeof *q);
    luaL_setmetatable(L, QUEUE);
    orr_error err;
    if (ori_queue_create(q, capacity, lua_toboolean(L, 2), NULL, ORI_ZEROED, mallocs(), &err) !=
        ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int queue_destroy(lua_State *L)
{
    ori_block_destroy(&check_queue(L, 1)->block, mallocs());
    return 0;
}

static int queue_copy(lua_State *L)
{
    (void)ori_queue_copy(check_queue(L, 1), check_queue(L, 2), NULL);
    return 0;
}

static int queue_insert(lua_State *L)
{
    ori_queue_insert(check_queue(L, 1), check_int(L, 2), check_int(L, 3), luaL_checknumber(L, 4));
    return 0;
}

static int queue_append(lua_State *L)
{
    ori_queue_append(check_queue(L, 1), check_int(L, 2), check_int(L, 3), luaL_checknumber(L, 4));
    return 0;
}

static int queue_remove(lua_State *L)
{
    ori_queue_remove(check_queue(L, 1), check_int(L, 2));
    return 0;
}

static int queue_clear(lua_State *L)
{
    ori_queue_clear(check_queue(L, 1));
    return 0;
}

static int queue_order(lua_State *L)
{
    int32_t count;
    ori_queue *q = check_queue(L, 1);
    const int32_t *order = spec_ints(L, 2, &count);
    luaL_argcheck(L, count == q->capacity, 2, "a permutation of all jobs");
    ori_queue_order(q, order);
    return 0;
}

/* refill(jobs, procs, estimates): the last two per job. */
static int queue_refill(lua_State *L)
{
    int32_t count, all;
    ori_queue *q = check_queue(L, 1);
    const int32_t *jobs = spec_ints(L, 2, &count), *procs = spec_ints(L, 3, &all);
    double *estimates = lua_newuserdatauv(L, ((size_t)all + 1) * sizeof *estimates, 0);
    for (int32_t j = 0; j < all; j++)
        estimates[j] = spec_number_at(L, 4, j + 1);
    ori_queue_refill(q, jobs, count, procs, estimates);
    return 0;
}

static int queue_loosen(lua_State *L)
{
    ori_queue_loosen(check_queue(L, 1));
    return 0;
}

/* The rank of a job, waiting or not. */
static int queue_rank_of(lua_State *L)
{
    lua_pushinteger(L, check_queue(L, 1)->rank_of[check_int(L, 2)]);
    return 1;
}

static int queue_next_fit(lua_State *L)
{
    lua_pushinteger(L, ori_queue_next_fit(check_queue(L, 1), check_int(L, 2), check_int(L, 3)));
    return 1;
}

/* scan(from, procs): the list of ranks. */
static int queue_scan(lua_State *L)
{
    ori_queue_scan scan = ori_queue_scan_from(check_queue(L, 1), check_int(L, 2), check_int(L, 3));
    lua_newtable(L);
    for (int32_t rank; (rank = ori_queue_scan_next(&scan)) >= 0;) {
        lua_pushinteger(L, rank);
        lua_rawseti(L, -2, luaL_len(L, -2) + 1);
    }
    return 1;
}

/* take(free): takes every job that fits, in order, which makes fewer processors free; the ranks. */
static int queue_take(lua_State *L)
{
    ori_queue *q = check_queue(L, 1);
    int32_t free = check_int(L, 2);
    ori_queue_scan scan = ori_queue_scan_all(q, free);
    lua_newtable(L);
    for (int32_t rank; (rank = ori_queue_scan_next(&scan)) >= 0;) {
        free -= q->procs[0][rank];
        ori_queue_scan_take(q, &scan, rank, free);
        lua_pushinteger(L, rank);
        lua_rawseti(L, -2, luaL_len(L, -2) + 1);
    }
    return 1;
}

static int queue_next_backfill(lua_State *L)
{
    ori_backfill b = {.free = (int32_t)spec_number(L, 3, "free"),
                      .extra = (int32_t)spec_number(L, 3, "extra"),
                      .now = spec_number(L, 3, "now"),
                      .verification = spec_number(L, 3, "verification"),
                      .shadow = spec_number(L, 3, "shadow")};
    lua_pushinteger(L, ori_queue_next_backfill(check_queue(L, 1), check_int(L, 2), &b));
    return 1;
}

static int queue_job_at(lua_State *L)
{
    lua_pushinteger(L, check_queue(L, 1)->job_at[check_int(L, 2)]);
    return 1;
}

static int queue_count(lua_State *L)
{
    lua_pushinteger(L, check_queue(L, 1)->count);
    return 1;
}

static const luaL_Reg queue_methods[] = {{"loosen", queue_loosen},
                                         {"rank_of", queue_rank_of},
                                         {"copy", queue_copy},
                                         {"insert", queue_insert},
                                         {"append", queue_append},
                                         {"remove", queue_remove},
                                         {"clear", queue_clear},
                                         {"order", queue_order},
                                         {"refill", queue_refill},
                                         {"next_fit", queue_next_fit},
                                         {"scan", queue_scan},
                                         {"take", queue_take},
                                         {"next_backfill", queue_next_backfill},
                                         {"job_at", queue_job_at},
                                         {"count", queue_count},
                                         {NULL, NULL}};

/* --- planned ends ---------------------------------------------------------------------------- */

static ori_ends *check_ends(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, ENDS);
}

static int ends_new(lua_State *L)
{
    int32_t running = check_int(L, 1);
    ori_ends *e = lua_newuserdatauv(L, sizeof *e, 0);
    memset(e, 0, sizeof *e);
    luaL_setmetatable(L, ENDS);
    orr_error err;
    if (ori_ends_create(e, running, mallocs(), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int ends_destroy(lua_State *L)
{
    ori_block_destroy(&check_ends(L, 1)->block, mallocs());
    return 0;
}

static int ends_copy(lua_State *L)
{
    ori_ends_copy(check_ends(L, 1), check_ends(L, 2));
    return 0;
}

static int ends_clear(lua_State *L)
{
    ori_ends_clear(check_ends(L, 1));
    return 0;
}

static int ends_add(lua_State *L)
{
    ori_ends_add(check_ends(L, 1), luaL_checknumber(L, 2), check_int(L, 3));
    return 0;
}

static int ends_remove(lua_State *L)
{
    ori_ends_remove(check_ends(L, 1), luaL_checknumber(L, 2), check_int(L, 3));
    return 0;
}

static int ends_when(lua_State *L)
{
    int32_t available;
    lua_pushnumber(L,
                   ori_ends_when(check_ends(L, 1), check_int(L, 2), check_int(L, 3), &available));
    lua_pushinteger(L, available);
    return 2;
}

/* The number of different times, and of blocks in use; an empty block beside others is an error. */
static int ends_count(lua_State *L)
{
    const ori_ends *e = check_ends(L, 1);
    lua_Integer times = 0;
    for (int32_t i = 0; i < e->used; i++) {
        times += e->blocks[e->order[i]].count;
        if (e->blocks[e->order[i]].count == 0 && e->used > 1)
            return luaL_error(L, "block %d of %d is empty", (int)i, (int)e->used);
    }
    lua_pushinteger(L, times);
    lua_pushinteger(L, e->used);
    return 2;
}

static const luaL_Reg ends_methods[] = {
    {"copy", ends_copy}, {"clear", ends_clear}, {"add", ends_add}, {"remove", ends_remove},
    {"when", ends_when}, {"count", ends_count}, {NULL, NULL}};

/* --- a plan ---------------------------------------------------------------------------------- */

static ori_plan *check_plan(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, PLAN);
}

static int plan_new(lua_State *L)
{
    int32_t running = check_int(L, 1), reservations = check_int(L, 2);
    ori_plan *p = lua_newuserdatauv(L, sizeof *p, 0);
    memset(p, 0, sizeof *p);
    luaL_setmetatable(L, PLAN);
    orr_error err;
    if (ori_plan_create(p, running, reservations, mallocs(), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int plan_destroy(lua_State *L)
{
    ori_block_destroy(&check_plan(L, 1)->block, mallocs());
    return 0;
}

static int plan_make(lua_State *L)
{
    ori_plan_make(check_plan(L, 1), check_ends(L, 2), luaL_checknumber(L, 3), check_int(L, 4));
    return 0;
}

/* earliest(procs, estimate, verification): time, step */
static int plan_earliest(lua_State *L)
{
    int32_t step;
    lua_pushnumber(L, ori_plan_earliest(check_plan(L, 1), check_int(L, 2), luaL_checknumber(L, 3),
                                        luaL_checknumber(L, 4), &step));
    lua_pushinteger(L, step);
    return 2;
}

/* reserve(step, end, procs) */
static int plan_reserve(lua_State *L)
{
    ori_plan *p = check_plan(L, 1);
    luaL_argcheck(L, p->count < p->capacity, 1, "the plan is full");
    ori_plan_reserve(p, check_int(L, 2), luaL_checknumber(L, 3), check_int(L, 4));
    return 0;
}

/* The list of { time, available }. */
static int plan_steps(lua_State *L)
{
    const ori_plan *p = check_plan(L, 1);
    lua_createtable(L, p->count, 0);
    for (int32_t i = 0; i < p->count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, p->time[i]);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, p->available[i]);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const luaL_Reg plan_methods[] = {{"make", plan_make},
                                        {"earliest", plan_earliest},
                                        {"reserve", plan_reserve},
                                        {"steps", plan_steps},
                                        {NULL, NULL}};

/* --- a timetable ----------------------------------------------------------------------------- */

static ori_timetable *check_timetable(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, TIMETABLE);
}

/* timetable(steps, now, procs) */
static int timetable_new(lua_State *L)
{
    int32_t steps = check_int(L, 1), procs = check_int(L, 3);
    double now = luaL_checknumber(L, 2);
    ori_timetable *t = lua_newuserdatauv(L, sizeof *t, 0);
    memset(t, 0, sizeof *t);
    luaL_setmetatable(L, TIMETABLE);
    orr_error err;
    if (ori_timetable_create(t, steps, mallocs(), &err) != ORR_OK)
        return spec_raise(L, &err);
    ori_timetable_begin(t, now, procs);
    return 1;
}

static int timetable_destroy(lua_State *L)
{
    ori_block_destroy(&check_timetable(L, 1)->block, mallocs());
    return 0;
}

static int timetable_advance(lua_State *L)
{
    ori_timetable_advance(check_timetable(L, 1), luaL_checknumber(L, 2));
    return 0;
}

/* give(from, to, procs) */
static int timetable_give(lua_State *L)
{
    ori_timetable_give(check_timetable(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3),
                       check_int(L, 4));
    return 0;
}

static int timetable_changes(lua_State *L)
{
    lua_pushinteger(L, check_timetable(L, 1)->changes);
    return 1;
}

/* reserve(procs, estimate): its start. */
static int timetable_reserve(lua_State *L)
{
    ori_wish r = {.procs = check_int(L, 2), .estimate = luaL_checknumber(L, 3), .lasts = true};
    lua_pushnumber(L, ori_timetable_reserve(check_timetable(L, 1), &r));
    return 1;
}

/* move(procs, estimate, start, looked, since): its new start. `since`: changes that all have seen. */
static int timetable_move(lua_State *L)
{
    ori_timetable *t = check_timetable(L, 1);
    ori_wish r = {.procs = check_int(L, 2), .estimate = luaL_checknumber(L, 3), .lasts = true};
    double start = luaL_checknumber(L, 4);
    ori_news news;
    ori_timetable_news(t, check_int(L, 6), &news);
    if (news.count > 0 && r.procs <= news.most[news.count - 1]) {
        int32_t first = ori_news_first(&news, r.procs);
        if (news.time[first] < start)
            start = ori_timetable_move(t, &r, start, check_int(L, 5), &news, first);
    }
    lua_pushnumber(L, start);
    return 1;
}

/* Lists of times and of processors, and the number of blocks; whose bounds have to be true. */
static int timetable_steps(lua_State *L)
{
    const ori_timetable *t = check_timetable(L, 1);
    lua_Integer n = 0;
    lua_newtable(L);
    lua_newtable(L);
    for (int32_t i = 0; i < t->used; i++) {
        const ori_timetable_block *b = &t->blocks[t->place[i]];
        bool good = t->first[i] == b->time[0] && t->count[i] >= 1;
        for (int32_t k = 0; k < ORI_TIMETABLE_BLOCK; k++) {
            good &= b->free[k] >= t->least[i] && b->free[k] <= t->most[i];
            good &= b->given[k] <= t->newest[i];
            good &= k < t->count[i] ||
                    (b->time[k] == INFINITY && b->free[k] == b->free[t->count[i] - 1]);
        }
        if (!good)
            return luaL_error(L, "block %d of %d", (int)i, (int)t->used);
        for (int32_t k = 0; k < t->count[i]; k++) {
            lua_pushnumber(L, b->time[k]);
            lua_rawseti(L, -3, ++n);
            lua_pushinteger(L, b->free[k]);
            lua_rawseti(L, -2, n);
        }
    }
    lua_pushinteger(L, t->used);
    return 3;
}

/* --- named availability ---------------------------------------------------------------------- */

/* A kept profile, and what a search has found last: the lowest-numbered processors. */
typedef struct named {
    ori_named n;
    ori_runs found;
} named;

static named *check_named(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, NAMED);
}

/* named(procs, now): all are free. */
static int named_new(lua_State *L)
{
    int32_t procs = check_int(L, 1);
    const orr_interval all = {0, procs - 1};
    named *t = lua_newuserdatauv(L, sizeof *t, 0);
    memset(t, 0, sizeof *t);
    luaL_setmetatable(L, NAMED);
    orr_error err;
    if (ori_named_create(&t->n, procs, mallocs(), &err) != ORR_OK)
        return spec_raise(L, &err);
    t->n.kept = true;
    t->found.list = orr_calloc(mallocs(), (size_t)procs, sizeof *t->found.list);
    const ori_runs free = {(orr_interval[]){all}, 1, 0};
    if (!t->found.list || ori_named_begin(&t->n, luaL_checknumber(L, 2), &free, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int named_destroy(lua_State *L)
{
    named *t = check_named(L, 1);
    orr_release(mallocs(), t->found.list, (size_t)t->n.procs * sizeof *t->found.list);
    ori_named_destroy(&t->n);
    return 0;
}

static orr_status find_lowest(void *user, const ori_wish *wish, const ori_runs *free, bool *found,
                              orr_error *err)
{
    ori_runs *to = user;
    int32_t procs = wish->procs;
    (void)err;
    to->count = 0;
    for (int32_t i = 0; i < free->count && procs > 0; i++) {
        orr_interval run = free->list[i];
        if (run.high - run.low >= procs)
            run.high = run.low + procs - 1;
        procs -= run.high - run.low + 1;
        to->list[to->count++] = run;
    }
    *found = procs == 0;
    return ORR_OK;
}

/* The runs of a list of processors, ascending. */
static ori_runs check_runs(lua_State *L, int arg)
{
    int32_t count;
    const int32_t *list = spec_ints(L, arg, &count);
    ori_runs runs = {lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *runs.list, 0), 0, 0};
    for (int32_t i = 0; i < count; i++)
        if (runs.count > 0 && runs.list[runs.count - 1].high + 1 == list[i])
            runs.list[runs.count - 1].high++;
        else
            runs.list[runs.count++] = (orr_interval){list[i], list[i]};
    return runs;
}

/* Pushes a start and the found processors. */
static int push_found(lua_State *L, const named *t, double start)
{
    lua_pushnumber(L, start);
    lua_newtable(L);
    for (int32_t i = 0, count = 0; i < t->found.count; i++)
        for (int32_t p = t->found.list[i].low; p <= t->found.list[i].high; p++) {
            lua_pushinteger(L, p);
            lua_rawseti(L, -2, ++count);
        }
    return 2;
}

/* earliest(procs, length): a start and processors */
static int named_earliest(lua_State *L)
{
    named *t = check_named(L, 1);
    const ori_wish w = {-1, check_int(L, 2), luaL_checknumber(L, 3), 0, true};
    int64_t index = -1;
    orr_error err;
    if (ori_named_earliest(&t->n, &w, -INFINITY, find_lowest, &t->found, &index, &err) != ORR_OK)
        return spec_raise(L, &err);
    return push_found(L, t, t->n.time[index]);
}

/* gain(procs, length, start, processors, since): the same; nothing if there is none */
static int named_gain(lua_State *L)
{
    named *t = check_named(L, 1);
    const ori_wish w = {-1, check_int(L, 2), luaL_checknumber(L, 3), 0, true};
    const ori_runs own = check_runs(L, 5);
    double start;
    orr_error err;
    if (ori_named_gain(&t->n, &w, luaL_checknumber(L, 4), &own, check_int(L, 6), find_lowest,
                       &t->found, &start, &err) != ORR_OK)
        return spec_raise(L, &err);
    return start < INFINITY ? push_found(L, t, start) : 0;
}

static int change_named(lua_State *L, bool gives)
{
    named *t = check_named(L, 1);
    double from = luaL_checknumber(L, 2), to = luaL_checknumber(L, 3);
    const ori_runs runs = check_runs(L, 4);
    orr_error err;
    if (ori_named_change(&t->n, from, to, &runs, gives, &err) != ORR_OK)
        return spec_raise(L, &err);
    if (gives)
        ori_named_note_gain(&t->n, from, to);
    return 0;
}

/* take(from, to, processors), give(from, to, processors) */
static int named_take(lua_State *L)
{
    return change_named(L, false);
}

static int named_give(lua_State *L)
{
    return change_named(L, true);
}

static int named_advance(lua_State *L)
{
    ori_named_advance(&check_named(L, 1)->n, luaL_checknumber(L, 2));
    return 0;
}

/* The number of gains, and of steps. */
static int named_gains(lua_State *L)
{
    lua_pushinteger(L, check_named(L, 1)->n.gains);
    lua_pushinteger(L, check_named(L, 1)->n.count);
    return 2;
}

static const luaL_Reg named_methods[] = {{"earliest", named_earliest},
                                         {"gain", named_gain},
                                         {"take", named_take},
                                         {"give", named_give},
                                         {"advance", named_advance},
                                         {"gains", named_gains},
                                         {NULL, NULL}};

static const luaL_Reg timetable_methods[] = {{"advance", timetable_advance},
                                             {"give", timetable_give},
                                             {"changes", timetable_changes},
                                             {"reserve", timetable_reserve},
                                             {"move", timetable_move},
                                             {"steps", timetable_steps},
                                             {NULL, NULL}};

/* --- repeated attempts ----------------------------------------------------------------------- */

/* repeat_attempts(start, time, verification, count): the clock after them. */
static int repeat_attempts(lua_State *L)
{
    lua_pushnumber(L, ori_retry_clock(luaL_checknumber(L, 1), luaL_checknumber(L, 2),
                                      luaL_checknumber(L, 3), check_int(L, 4)));
    return 1;
}

/* repeat_until(end, time, verification, limit): the last end, when its attempt starts, and how many
 * attempts start. */
static int repeat_until(lua_State *L)
{
    double end = luaL_checknumber(L, 1);
    int32_t attempts = 0;
    double start = ori_retry_until(&end, luaL_checknumber(L, 2), luaL_checknumber(L, 3),
                                   luaL_checknumber(L, 4), &attempts);
    lua_pushnumber(L, end);
    lua_pushnumber(L, start);
    lua_pushinteger(L, attempts);
    return 3;
}

/* --- limits ---------------------------------------------------------------------------------- */

/* moved_limits(): the limit that refuses job 2, as its user's job 1 waits, in a copy for jobs of
 * which users have other numbers. */
static int moved_limits(lua_State *L)
{
    orr_instance in[2];
    orr_jobs *jobs[2];
    ori_limits *limits[2];
    int64_t waiting;
    orr_error err;
    for (int i = 0; i < 2; i++) {
        int32_t ann = 0, ben;
        jobs[i] = orr_jobs_create(NULL, &err);
        if (i == 1)
            orr_labels_number(&jobs[i]->names, "ben", 3, &ben, &err);
        orr_labels_number(&jobs[i]->names, "ann", 3, &ann, &err);
        orr_labels_number(&jobs[i]->names, "ben", 3, &ben, &err);
        for (int32_t job = 0; job < 2; job++) {
            orr_jobs_add(jobs[i], NULL, job, 1, 10, 10, &err);
            orr_jobs_set_label(jobs[i], job, ORR_LABEL_USER, ann, &err);
        }
        in[i] = (orr_instance){.jobs = jobs[i], .count = 2, .limit_count = 1};
        in[i].limits[0] = (orr_limit){.of = ORR_AMOUNT_WAITING, .per = ORR_LABEL_USER, .most = 1};
        limits[i] = ori_limits_create(&in[i], 2, &jobs[i]->alloc, &err);
    }
    ori_limits_wait(limits[0], 0);
    ori_limits_copy(limits[1], limits[0], false);
    lua_pushinteger(L, ori_limits_refusing(limits[1], 1, &waiting) + 1);
    for (int i = 0; i < 2; i++) {
        ori_limits_destroy(limits[i]);
        orr_jobs_destroy(jobs[i]);
    }
    return 1;
}

/* --- processor sets -------------------------------------------------------------------------- */

static orr_procset *check_procset(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, PROCSET);
}

static int procset_new(lua_State *L)
{
    int32_t procs = check_int(L, 1);
    orr_procset *s = lua_newuserdatauv(L, sizeof *s, 0);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, PROCSET);
    orr_error err;
    if (ori_procset_create(s, procs, NULL, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int procset_destroy(lua_State *L)
{
    ori_procset_destroy(check_procset(L, 1));
    return 0;
}

/* A flat list: low, high, low, high ... */
static int push_intervals(lua_State *L, const orr_interval *list, int32_t count)
{
    lua_createtable(L, 2 * count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, list[i].low);
        lua_rawseti(L, -2, 2 * i + 1);
        lua_pushinteger(L, list[i].high);
        lua_rawseti(L, -2, 2 * i + 2);
    }
    return 1;
}

/* take(procs): the intervals; nil where the set has fewer processors. */
static int procset_take(lua_State *L)
{
    orr_procset *s = check_procset(L, 1);
    int32_t procs = check_int(L, 2), span = ori_procset_span(s, procs);
    if (span < 0)
        return 0;
    orr_interval *taken = lua_newuserdatauv(L, ((size_t)span + 1) * sizeof *taken, 0);
    int32_t count = ori_procset_take(s, procs, taken);
    luaL_argcheck(L, count == span, 2, "take and span disagree");
    return push_intervals(L, taken, count);
}

static int procset_give(lua_State *L)
{
    orr_procset *s = check_procset(L, 1);
    int32_t numbers;
    const int32_t *list = spec_ints(L, 2, &numbers);
    orr_interval *given = lua_newuserdatauv(L, ((size_t)numbers + 1) * sizeof *given, 0);
    for (int32_t i = 0; i < numbers / 2; i++)
        given[i] = (orr_interval){list[2 * i], list[2 * i + 1]};
    orr_error err;
    if (ori_procset_give(s, given, numbers / 2, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

/* remove(low, high) */
static int procset_remove(lua_State *L)
{
    orr_procset *s = check_procset(L, 1);
    orr_error err;
    if (ori_procset_reserve(s, s->count + 1, &err) != ORR_OK)
        return spec_raise(L, &err);
    ori_procset_remove(s, (orr_interval){check_int(L, 2), check_int(L, 3)});
    return 0;
}

static int procset_copy(lua_State *L)
{
    orr_error err;
    if (ori_procset_copy(check_procset(L, 1), check_procset(L, 2), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

static int procset_intervals(lua_State *L)
{
    const orr_procset *s = check_procset(L, 1);
    return push_intervals(L, s->intervals, s->count);
}

static int procset_reset(lua_State *L)
{
    ori_procset_reset(check_procset(L, 1), check_int(L, 2));
    return 0;
}

static const luaL_Reg procset_methods[] = {{"remove", procset_remove},
                                           {"take", procset_take},
                                           {"give", procset_give},
                                           {"copy", procset_copy},
                                           {"reset", procset_reset},
                                           {"intervals", procset_intervals},
                                           {NULL, NULL}};

/* --------------------------------------------------------------------------------------------- */

static void open_type(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc)
{
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

int luaopen_native_rigid(lua_State *L)
{
    static const luaL_Reg functions[] = {{"queue", queue_new},
                                         {"ends", ends_new},
                                         {"plan", plan_new},
                                         {"timetable", timetable_new},
                                         {"named", named_new},
                                         {"procset", procset_new},
                                         {"moved_limits", moved_limits},
                                         {"repeat_attempts", repeat_attempts},
                                         {"repeat_until", repeat_until},
                                         {NULL, NULL}};
    open_type(L, QUEUE, queue_methods, queue_destroy);
    open_type(L, ENDS, ends_methods, ends_destroy);
    open_type(L, PLAN, plan_methods, plan_destroy);
    open_type(L, TIMETABLE, timetable_methods, timetable_destroy);
    open_type(L, NAMED, named_methods, named_destroy);
    open_type(L, PROCSET, procset_methods, procset_destroy);
    luaL_newlib(L, functions);
    return 1;
}
