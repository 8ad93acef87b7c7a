/* What the specs of kernel/workload need and the public Lua API does not reach: the push reader,
 * the reader of failure counts, the calendar, memory that runs out. */
#include "native.h"

#include "workload/columns_internal.h"
#include "workload/reader.h"
#include "workload/select.h"
#include "workload/weeks.h"
#include "workload/writer.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_workload(lua_State *L);

/* Everything that a reader found, as text that is equal only for equal bits. */
static void push_jobs(lua_State *L, const orr_jobs *jobs)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    lua_pushfstring(L, "machine %d origin %d %I rebased %d\n", (int)jobs->machine_procs,
                    jobs->has_origin, (LUAI_UACINT)jobs->origin_us, jobs->rebased);
    luaL_addvalue(&b);
    for (int32_t i = 0; i < jobs->count; i++) {
        char line[160];
        luaL_addstring(&b, orr_jobs_id(jobs, i));
        snprintf(line, sizeof line, " %a %d %a %a", jobs->submit[i], (int)jobs->procs[i],
                 jobs->time[i], jobs->walltime[i]);
        luaL_addstring(&b, line);
        for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
            const char *label = orr_jobs_label_text(jobs, i, (orr_label)kind);
            lua_pushfstring(L, " %s", label == NULL ? "-" : label);
            luaL_addvalue(&b);
        }
        luaL_addchar(&b, '\n');
    }
    for (int32_t i = 0; i < jobs->dropped_count; i++) {
        const char *detail = orr_jobs_dropped_detail(jobs, i);
        lua_pushfstring(L, "dropped %I %s %s %s\n", (LUAI_UACINT)jobs->dropped[i].line,
                        orr_jobs_dropped_id(jobs, i), orr_drop_reason_text(jobs->dropped[i].reason),
                        detail ? detail : "");
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
}

static const char *text_of(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    return lua_tostring(L, -1);
}

/* A format as data; NULL where there is none. */
static const orr_format *take_format(lua_State *L, int index, orr_format *format)
{
    if (!lua_istable(L, index))
        return NULL;
    *format = (orr_format){.name = text_of(L, index, "name"),
                           .about = text_of(L, index, "about"),
                           .json = text_of(L, index, "depth") != NULL,
                           .header = text_of(L, index, "header"),
                           .columns = text_of(L, index, "columns"),
                           .signs = text_of(L, index, "signs"),
                           .records = text_of(L, index, "records"),
                           .states = text_of(L, index, "states"),
                           .absent = text_of(L, index, "absent")};
    const char *delimiter = text_of(L, index, "delimiter");
    format->delimiter = delimiter ? *delimiter : ' ';
    lua_getfield(L, index, "depth");
    format->depth = (int)lua_tointeger(L, -1);
    return format;
}

/* feed(bytes, piece[, strict[, format]]): the bytes through the push reader in pieces of that size;
 * unless strict, also behind damage. Feeds on after a failure, as a careless caller would. */
static int feed(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 1, &size);
    size_t piece = (size_t)luaL_checkinteger(L, 2);
    orr_error err;
    orr_format format;
    orr_read_options options = {.size = sizeof options,
                                .strict = lua_toboolean(L, 3),
                                .format = take_format(L, 4, &format)};
    options.damaged = !options.strict;
    orr_reader *reader = orr_reader_create("fed", &options, NULL, &err);
    if (reader == NULL)
        return spec_fail(L, &err);
    for (size_t i = 0; i < size; i += piece)
        orr_reader_feed(reader, bytes + i, size - i < piece ? size - i : piece, NULL);
    orr_jobs *jobs = orr_reader_finish(reader, &err);
    if (jobs == NULL)
        return spec_fail(L, &err);
    push_jobs(L, jobs);
    orr_jobs_destroy(jobs);
    return 1;
}

static const orr_format *offer_format(void *format, int *count)
{
    *count = 1;
    return format;
}

/* read_failing(path, n, format[, offered]): message or nil, bytes that were not given back, number
 * of allocations. The format is to be used, or offered as the only one that may be recognised. */
static int read_failing(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    orr_format format;
    bool offered = lua_toboolean(L, 4);
    orr_read_options options = {.size = sizeof options, .format = take_format(L, 3, &format)};
    if (offered) {
        options.format = NULL;
        options.formats = offer_format;
        options.user = &format;
    }
    orr_jobs *jobs = orr_read_jobs(luaL_checkstring(L, 1), &options, &a, &err);
    if (jobs != NULL)
        lua_pushnil(L);
    else
        lua_pushstring(L, err.message);
    orr_jobs_destroy(jobs);
    lua_pushinteger(L, f.bytes);
    lua_pushinteger(L, f.calls);
    return 3;
}

/* write_failing(path, n): the log at path is written as SWF and its weeks are measured with memory
 * that runs out at the n-th allocation. Message or nil, bytes not given back, allocations. */
static int write_failing(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    char *text = NULL;
    size_t size, capacity = 0;
    orr_week *weeks = NULL;
    int32_t count = 0;
    orr_week_options options = {.length = 3600, .procs = 10};
    orr_jobs *jobs = orr_read_jobs(luaL_checkstring(L, 1), NULL, NULL, &err), *some = NULL;
    if (jobs == NULL)
        return spec_raise(L, &err);
    orr_status status = orr_jobs_format(jobs, ORR_LOG_SWF, &text, &size, &capacity, &a, &err);
    if (status == ORR_OK) {
        orr_release(&a, text, capacity);
        status = orr_jobs_weeks(jobs, &options, &weeks, &count, &a, &err);
        orr_release(&a, weeks, (size_t)count * sizeof *weeks);
    }
    if (status == ORR_OK && (some = orr_jobs_of_week(jobs, &options, 0, &a, &err)) == NULL)
        status = err.status;
    orr_jobs_destroy(some);
    orr_jobs_destroy(jobs);
    if (status == ORR_OK)
        lua_pushnil(L);
    else
        lua_pushstring(L, err.message);
    lua_pushinteger(L, f.bytes);
    lua_pushinteger(L, f.calls);
    return 3;
}

/* failures(path, columns[, fail_at]): list of rows, bytes not given back; or nil, message, status,
 * bytes. */
static int failures(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_optinteger(L, 3, 0)};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    int32_t *counts, columns = (int32_t)luaL_checkinteger(L, 2);
    int64_t rows;
    if (orr_read_failures(luaL_checkstring(L, 1), columns, &counts, &rows, &a, &err) != ORR_OK) {
        spec_fail(L, &err);
        lua_pushinteger(L, f.bytes);
        return 4;
    }
    lua_newtable(L);
    for (int64_t row = 0; row < rows; row++) {
        lua_newtable(L);
        for (int32_t i = 0; i < columns; i++) {
            lua_pushinteger(L, counts[row * columns + i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_rawseti(L, -2, row + 1);
    }
    orr_release(&a, counts, (size_t)rows * (size_t)columns * 4);
    lua_pushinteger(L, f.bytes);
    return 2;
}

/* labels(list of texts): list of their numbers. Texts are looked up in one set of labels, whose
 * memory runs out at the n-th allocation (0: never) and is given back at the end. */
static int labels(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_optinteger(L, 2, 0)};
    orr_labels set = {.alloc = {spec_resize, &f}};
    orr_error err = {0};
    lua_Integer n = luaL_len(L, 1);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n && err.status == ORR_OK; i++) {
        size_t size;
        int32_t number;
        lua_geti(L, 1, i);
        const char *text = lua_tolstring(L, -1, &size);
        if (orr_labels_number(&set, text, size, &number, &err) == ORR_OK) {
            const char *kept = orr_labels_text(&set, number);
            bool same = kept == NULL ? size == 0 : strcmp(kept, text) == 0;
            lua_pushinteger(L, same ? number : -1);
            lua_rawseti(L, -3, i);
        }
        lua_pop(L, 1);
    }
    orr_labels_destroy(&set);
    lua_pushinteger(L, f.bytes);
    lua_pushinteger(L, f.calls);
    lua_pushstring(L, err.message);
    return 4;
}

static int utc_parse(lua_State *L)
{
    size_t size;
    int64_t us;
    const char *text = luaL_checklstring(L, 1, &size);
    if (!orr_utc_parse(text, size, &us))
        return 0;
    lua_pushinteger(L, us);
    return 1;
}

static int utc_format(lua_State *L)
{
    char text[32];
    orr_utc_format(luaL_checkinteger(L, 1), text);
    lua_pushstring(L, text);
    return 1;
}

static int utc_week(lua_State *L)
{
    size_t size;
    int64_t day;
    const char *text = luaL_checklstring(L, 1, &size);
    if (!orr_utc_week(text, size, &day))
        return 0;
    lua_pushinteger(L, day);
    return 1;
}

static int parse_number(lua_State *L)
{
    size_t size;
    double value;
    const char *text = luaL_checklstring(L, 1, &size);
    if (!ori_parse_number(text, size, &value))
        return 0;
    lua_pushnumber(L, value);
    return 1;
}

static int strtod_number(lua_State *L)
{
    lua_pushnumber(L, strtod(luaL_checkstring(L, 1), NULL));
    return 1;
}

int luaopen_native_workload(lua_State *L)
{
    static const luaL_Reg functions[] = {{"feed", feed},
                                         {"read_failing", read_failing},
                                         {"write_failing", write_failing},
                                         {"failures", failures},
                                         {"utc_parse", utc_parse},
                                         {"utc_format", utc_format},
                                         {"utc_week", utc_week},
                                         {"number", parse_number},
                                         {"strtod", strtod_number},
                                         {"labels", labels},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
