/* A schedule of jobs as columns, for gantt_data.js: lists of whole numbers and of names, small
 * enough for a page with 300,000 jobs, and made without a Lua table for each job.
 *
 * A column of numbers has a varint for each number x: 7 bits per byte, the lowest first, of 2 x, or
 * of -1 - 2 x where x is negative. Columns are compressed (zlib), then written in base64. Times are
 * whole numbers of ticks of `tick` seconds. */
#include "bindings/draw/columns.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "schedule/attempt_spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void add_number(luaL_Buffer *b, int64_t value)
{
    uint64_t rest = ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
    for (; rest >= 0x80; rest >>= 7)
        luaL_addchar(b, (char)(rest | 0x80));
    luaL_addchar(b, (char)rest);
}

static void push_base64(lua_State *L, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    luaL_Buffer b;
    luaL_buffinitsize(L, &b, (size + 2) / 3 * 4);
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? bytes[i + 2] : 0);
        luaL_addchar(&b, digits[word >> 18]);
        luaL_addchar(&b, digits[word >> 12 & 63]);
        luaL_addchar(&b, left > 1 ? digits[word >> 6 & 63] : '=');
        luaL_addchar(&b, left > 2 ? digits[word & 63] : '=');
    }
    luaL_pushresult(&b);
}

/* The text on top, compressed. */
static void pack(lua_State *L)
{
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    uLongf packed = compressBound((uLong)size);
    unsigned char *bytes = lua_newuserdatauv(L, packed, 0);
    if (compress(bytes, &packed, (const Bytef *)text, (uLong)size) != Z_OK)
        luaL_error(L, "not enough memory");
    push_base64(L, bytes, packed);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* packed(text): the column of a text. */
static int packed(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    pack(L);
    return 1;
}

/* column(list): the column of a list of whole numbers. */
static int column(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    lua_Integer count = luaL_len(L, 1);
    for (lua_Integer i = 1; i <= count; i++) {
        int is_whole;
        lua_rawgeti(L, 1, i);
        lua_Integer value = lua_tointegerx(L, -1, &is_whole);
        lua_pop(L, 1);
        luaL_argcheck(L, is_whole, 1, "whole numbers");
        add_number(&b, value);
    }
    luaL_pushresult(&b);
    pack(L);
    return 1;
}

/* --- the shown part of a schedule ------------------------------------------------------------- */

/* The attempts that touch the times from `from` to `to` and the processors from `first` to `last`.
 */
typedef struct shown {
    const orr_instance *in;
    const orr_schedule *s;
    double from, to, tick;
    int32_t first, last;
    int64_t *attempts; /* by job, those of one job in order */
    int64_t count;
    int32_t *jobs; /* that have such attempts, ascending */
    int32_t job_count;
} shown;

static bool is_shown(const shown *v, const orr_attempt *a)
{
    if (a->start > v->to || a->end < v->from)
        return false;
    const orr_interval *held = v->s->intervals + a->first_interval;
    for (int32_t i = 0; i < a->interval_count; i++)
        if (held[i].low <= v->last && held[i].high >= v->first)
            return true;
    return false;
}

/* Arguments: the session, from, to, first, last, from index 1 on. The arrays are Lua's to free. */
static shown check_shown(lua_State *L)
{
    const orr_session *s = luaL_checkudata(L, 1, orr_engine_of_jobs.class.name);
    luaL_argcheck(L, s->sim, 1, "the session is closed");
    shown v = {.in = orr_rigid_instance(s->sim),
               .s = orr_rigid_schedule(s->sim),
               .from = luaL_optnumber(L, 2, -INFINITY),
               .to = luaL_optnumber(L, 3, INFINITY),
               .first = (int32_t)luaL_optinteger(L, 4, 0),
               .last = (int32_t)luaL_optinteger(L, 5, INT32_MAX - 1)};
    int64_t *next = lua_newuserdatauv(L, ((size_t)v.in->count + 1) * sizeof *next, 0);
    memset(next, 0, ((size_t)v.in->count + 1) * sizeof *next);
    v.jobs = lua_newuserdatauv(L, ((size_t)v.in->count + 1) * sizeof *v.jobs, 0);
    v.attempts = lua_newuserdatauv(L, ((size_t)v.s->count + 1) * sizeof *v.attempts, 0);
    for (int64_t i = 0; i < v.s->count; i++)
        next[v.s->attempts[i].job] += is_shown(&v, &v.s->attempts[i]);
    for (int32_t j = 0; j < v.in->count; j++) {
        int64_t here = next[j];
        if (here > 0)
            v.jobs[v.job_count++] = j;
        next[j] = v.count;
        v.count += here;
    }
    for (int64_t i = 0; i < v.s->count; i++)
        if (is_shown(&v, &v.s->attempts[i]))
            v.attempts[next[v.s->attempts[i].job]++] = i;
    return v;
}

static bool is_whole(double time)
{
    return time == floor(time);
}

/* Whether all events are at whole seconds; an event that never happens has an infinite time. */
static bool happens_whole(const shown *v)
{
    bool whole = true;
    for (int32_t j = 0; j < v->in->count; j++)
        whole = whole && is_whole(v->in->submit[j]);
    for (int64_t i = 0; i < v->s->withdrawal_count; i++)
        whole = whole && is_whole(v->s->withdrawals[i].time);
    for (int64_t i = 0; i < v->s->count; i++)
        whole = whole && is_whole(v->s->attempts[i].start) && is_whole(v->s->attempts[i].end);
    return whole;
}

/* schedule_sums(session[, from, to, first, last, until]): { jobs, attempts, from, to: of those
 * attempts; highest: the highest processor; busy: processor-seconds within [from, to], up to
 * `until`; whole: all times are whole seconds }. */
static int schedule_sums(lua_State *L)
{
    double until = luaL_optnumber(L, 6, INFINITY), from = INFINITY, to = -INFINITY, busy = 0;
    int32_t highest = -1;
    shown v = check_shown(L);
    until = fmin(until, v.to);
    for (int64_t i = 0; i < v.count; i++) {
        const orr_attempt *a = &v.s->attempts[v.attempts[i]];
        const orr_interval *held = v.s->intervals + a->first_interval;
        from = fmin(from, a->start);
        to = fmax(to, a->end);
        double span = fmax(fmin(a->end, until) - fmax(a->start, v.from), 0);
        for (int32_t k = 0; k < a->interval_count; k++) {
            int32_t low = held[k].low > v.first ? held[k].low : v.first;
            int32_t high = held[k].high < v.last ? held[k].high : v.last;
            busy += high >= low ? span * (high - low + 1) : 0;
        }
        if (held[a->interval_count - 1].high > highest)
            highest = held[a->interval_count - 1].high;
    }
    lua_createtable(L, 0, 7);
    orr_lua_set_integer(L, "jobs", v.job_count);
    orr_lua_set_integer(L, "attempts", v.count);
    orr_lua_set_integer(L, "highest", highest);
    orr_lua_set_number(L, "from", from);
    orr_lua_set_number(L, "to", to);
    orr_lua_set_number(L, "busy", busy);
    lua_pushboolean(L, happens_whole(&v));
    lua_setfield(L, -2, "whole");
    return 1;
}

/* --- columns ------------------------------------------------------------------------------- */

static int64_t ticks(const shown *v, double time)
{
    return llround(time / v->tick);
}

static bool same_job(const shown *v, int64_t i)
{
    return i > 0 && v->s->attempts[v->attempts[i]].job == v->s->attempts[v->attempts[i - 1]].job;
}

/* The written number of job or attempt number i. */
static int64_t job_position(const shown *v, int64_t i)
{
    return v->jobs[i] - (i > 0 ? v->jobs[i - 1] : -1);
}

static int64_t job_submit(const shown *v, int64_t i)
{
    int64_t before = i > 0 ? ticks(v, v->in->submit[v->jobs[i - 1]]) : 0;
    return ticks(v, v->in->submit[v->jobs[i]]) - before;
}

/* The walltime; -1: equal to the runtime; -2: unknown. Logs without walltimes only have -1. */
static int64_t job_walltime(const shown *v, int64_t i)
{
    double estimate = v->in->estimate[v->jobs[i]];
    if (estimate == v->in->time[v->jobs[i]])
        return -1;
    return isfinite(estimate) ? ticks(v, estimate) : -2;
}

static int64_t attempt_job(const shown *v, int64_t i)
{
    return i > 0 && !same_job(v, i);
}

/* Since the submission, or since the job's attempt before. */
static int64_t attempt_wait(const shown *v, int64_t i)
{
    const orr_attempt *a = &v->s->attempts[v->attempts[i]];
    double since = same_job(v, i) ? v->s->attempts[v->attempts[i - 1]].end : v->in->submit[a->job];
    return ticks(v, a->start) - ticks(v, since);
}

static int64_t attempt_time(const shown *v, int64_t i)
{
    const orr_attempt *a = &v->s->attempts[v->attempts[i]];
    return ticks(v, a->end) - ticks(v, a->start);
}

/* An orr_outcome; 7: preempted, and went on in another group. */
static int64_t attempt_outcome(const shown *v, int64_t i)
{
    const orr_attempt *a = &v->s->attempts[v->attempts[i]];
    return a->redirected ? 7 : (int64_t)a->outcome;
}

static int64_t attempt_number(const shown *v, int64_t i)
{
    return v->s->attempts[v->attempts[i]].number;
}

static void set_column(lua_State *L, const shown *v, const char *name, int64_t count,
                       int64_t (*of)(const shown *v, int64_t i))
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int64_t i = 0; i < count; i++)
        add_number(&b, of(v, i));
    luaL_pushresult(&b);
    pack(L);
    lua_setfield(L, -2, name);
}

/* ranges: for each attempt their number; then for each range the gap before it, minus 1 behind the
 * first, and its length, minus 1. */
static void set_ranges(lua_State *L, const shown *v)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int part = 0; part < 3; part++) {
        for (int64_t i = 0; i < v->count; i++) {
            const orr_attempt *a = &v->s->attempts[v->attempts[i]];
            const orr_interval *held = v->s->intervals + a->first_interval;
            int32_t count = 0, end = 0;
            for (int32_t k = 0; k < a->interval_count; k++) {
                int32_t low = held[k].low > v->first ? held[k].low : v->first;
                int32_t high = held[k].high < v->last ? held[k].high : v->last;
                if (low > high)
                    continue;
                if (part == 1)
                    add_number(&b, low - v->first - end);
                else if (part == 2)
                    add_number(&b, high - low);
                end = high - v->first + 2;
                count++;
            }
            if (part == 0)
                add_number(&b, count);
        }
    }
    luaL_pushresult(&b);
    pack(L);
    lua_setfield(L, -2, "ranges");
}

/* A line for each text; an end of line in it is a blank. */
static void add_line(luaL_Buffer *b, const char *text)
{
    for (; *text; text++)
        luaL_addchar(b, *text == '\n' ? ' ' : *text);
    luaL_addchar(b, '\n');
}

/* The number that is written exactly as the id; -1: none. */
static int64_t id_number(const char *id)
{
    size_t length = strspn(id, "0123456789");
    bool is_number = length > 0 && length <= 15 && !id[length] && (*id != '0' || length == 1);
    return is_number ? strtoll(id, NULL, 10) : -1;
}

/* Names as texts; where all are numbers, as differences of these. */
static void set_ids(lua_State *L, const shown *v)
{
    int64_t before = 0;
    luaL_Buffer numbers;
    luaL_buffinit(L, &numbers);
    for (int32_t i = 0; i < v->job_count && before >= 0; i++) {
        int64_t number = id_number(orr_jobs_id(v->in->jobs, v->jobs[i]));
        add_number(&numbers, number - before);
        before = number;
    }
    luaL_pushresult(&numbers);
    pack(L);
    lua_setfield(L, -2, "id_number");
    if (before >= 0)
        return;
    lua_pushnil(L);
    lua_setfield(L, -2, "id_number");
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int32_t i = 0; i < v->job_count; i++)
        add_line(&b, orr_jobs_id(v->in->jobs, v->jobs[i]));
    luaL_pushresult(&b);
    pack(L);
    lua_setfield(L, -2, "id");
}

/* The labels of a kind, each once, under its name, NAME; and under NAME_of each job's label, from 1
 * on, 0 for none. */
static void set_labels(lua_State *L, const shown *v, orr_label kind)
{
    const char *name = orr_label_name(kind);
    const orr_jobs *jobs = v->in->jobs;
    int32_t count = 0, *number;
    size_t size = ((size_t)jobs->names.count + 1) * sizeof *number;
    number = lua_newuserdatauv(L, size, 0);
    memset(number, 0, size);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int32_t i = 0; i < v->job_count; i++) {
        int32_t label = orr_jobs_label(jobs, v->jobs[i], kind);
        if (label > 0 && number[label] == 0) {
            number[label] = ++count;
            add_line(&b, orr_labels_text(&jobs->names, label));
        }
    }
    luaL_pushresult(&b);
    pack(L);
    lua_setfield(L, -3, name);
    luaL_buffinit(L, &b);
    for (int32_t i = 0; i < v->job_count; i++)
        add_number(&b, number[orr_jobs_label(jobs, v->jobs[i], kind)]);
    luaL_pushresult(&b);
    pack(L);
    lua_pushfstring(L, "%s_of", name);
    lua_insert(L, -2);
    lua_settable(L, -4);
    lua_pop(L, 1);
}

/* How much each job needs of what there is beside processors, under needs.NAME. */
static void set_needs(lua_State *L, const shown *v)
{
    const orr_jobs *jobs = v->in->jobs;
    for (int32_t k = 0; k < jobs->need_count; k++) {
        lua_pushfstring(L, "needs.%s", jobs->needs[k].name);
        luaL_Buffer b;
        luaL_buffinit(L, &b);
        for (int32_t i = 0; i < v->job_count; i++)
            add_number(&b, orr_jobs_need(jobs, v->jobs[i], k));
        luaL_pushresult(&b);
        pack(L);
        lua_settable(L, -3);
    }
}

/* The number of waiting jobs, from instant to instant: times and numbers, as differences. */
static void set_waiting(lua_State *L, const shown *v, const orr_timeline *timeline)
{
    for (int part = 0; part < 2; part++) {
        luaL_Buffer b;
        luaL_buffinit(L, &b);
        int64_t before = 0;
        int32_t waiting = 0;
        for (int64_t i = 0; i < timeline->count; i++) {
            const orr_timeline_step *step = &timeline->steps[i];
            if (step->waiting == waiting)
                continue;
            int64_t time = ticks(v, step->time);
            add_number(&b, part == 0 ? time - before : step->waiting - waiting);
            before = time;
            waiting = step->waiting;
        }
        luaL_pushresult(&b);
        pack(L);
        lua_setfield(L, -2, part == 0 ? "steps" : "waiting");
    }
}

/* schedule_columns(session, from, to, first, last, tick, waiting): the columns of these attempts by
 * name. With `waiting` also the number of waiting jobs on the whole machine, unless it follows from
 * the other columns: it does for a finished schedule that is shown whole and whose jobs have all
 * started. */
static int schedule_columns(lua_State *L)
{
    double tick = luaL_checknumber(L, 6);
    luaL_argcheck(L, tick > 0, 6, "a positive number");
    const orr_session *s = luaL_checkudata(L, 1, orr_engine_of_jobs.class.name);
    shown v = check_shown(L);
    v.tick = tick;
    lua_createtable(L, 0, 16);
    set_column(L, &v, "position", v.job_count, job_position);
    set_column(L, &v, "submit", v.job_count, job_submit);
    set_column(L, &v, "walltime", v.job_count, job_walltime);
    set_column(L, &v, "job", v.count, attempt_job);
    set_column(L, &v, "number", v.count, attempt_number);
    set_column(L, &v, "wait", v.count, attempt_wait);
    set_column(L, &v, "time", v.count, attempt_time);
    set_column(L, &v, "outcome", v.count, attempt_outcome);
    set_ranges(L, &v);
    set_ids(L, &v);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        if (kind != ORR_LABEL_STATUS && v.in->jobs->labels[kind].count > 0)
            set_labels(L, &v, (orr_label)kind);
    }
    set_needs(L, &v);
    bool is_told = v.count == v.s->count && v.job_count == v.in->count &&
                   v.s->withdrawal_count == 0 && orr_rigid_is_over(s->sim);
    if (!lua_toboolean(L, 7) || is_told)
        return 1;
    orr_timeline timeline = orr_session_timeline(L, s);
    set_waiting(L, &v, &timeline);
    orr_timeline_destroy(&timeline);
    return 1;
}

/* --- spans of attempts --------------------------------------------------------------------- */

typedef struct span_list {
    lua_State *L;
    const orr_attempt *attempt;
    int64_t shown; /* which of the attempts shown it is, from 0 */
    int64_t count, most;
} span_list;

/* Work is not a span here, nor is lost work of an attempt that is marked as a whole. */
static bool add_span(void *user, const orr_span *span)
{
    span_list *list = user;
    orr_outcome outcome = list->attempt->outcome;
    bool lost = span->kind == ORR_SPAN_LOST;
    bool whole = outcome == ORR_FAILED || outcome == ORR_KILLED || outcome == ORR_CANCELLED;
    if (span->kind == ORR_SPAN_WORK || (lost && whole))
        return true;
    if (list->count == list->most) {
        list->count++;
        return false;
    }
    lua_State *L = list->L;
    lua_createtable(L, 0, 5);
    orr_lua_set_integer(L, "attempt", list->shown);
    orr_lua_set_integer(L, "number", span->stint + 1);
    orr_lua_set_number(L, "start", span->start);
    orr_lua_set_number(L, "finish", span->finish);
    orr_lua_set_text(L, "look",
                     !lost                        ? orr_span_name(span->kind)
                     : list->attempt->redirected  ? "redirected"
                     : outcome == ORR_NODE_FAILED ? "node_failure"
                                                  : "preempted");
    lua_rawseti(L, -2, ++list->count);
    return true;
}

/* attempt_spans(session, from, to, first, last, most): recoveries, checkpoints and lost work of
 * these attempts: a list of { attempt = (as in the columns, from 0), number = (in the schedule,
 * from 1), start, finish, look }, empty where there are more than `most`; nil where jobs write no
 * checkpoints. */
static int attempt_spans(lua_State *L)
{
    shown v = check_shown(L);
    if (!v.s->checkpoints)
        return 0;
    lua_newtable(L);
    span_list list = {.L = L, .most = luaL_checkinteger(L, 6)};
    for (int64_t i = 0; i < v.count && list.count <= list.most; i++) {
        list.attempt = &v.s->attempts[v.attempts[i]];
        list.shown = i;
        orr_attempt_spans(v.in, v.s, v.attempts[i], INFINITY, add_span, &list);
    }
    if (list.count > list.most)
        lua_newtable(L);
    return 1;
}

void orr_lua_open_columns(lua_State *L)
{
    static const luaL_Reg functions[] = {{"packed", packed},
                                         {"column", column},
                                         {"schedule_sums", schedule_sums},
                                         {"schedule_columns", schedule_columns},
                                         {"attempt_spans", attempt_spans},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
