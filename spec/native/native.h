/* What the native modules of the specs share: errors as Lua's, numbers from tables, and memory that
 * is counted and runs out. Static, so that each module keeps what it uses. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* nil, message, status. */
static inline int spec_fail(lua_State *L, const orr_error *err)
{
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    lua_pushinteger(L, err->status);
    return 3;
}

static inline int spec_raise(lua_State *L, const orr_error *err)
{
    return luaL_error(L, "%s", err->message);
}

static inline double spec_number(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    double value = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    return value;
}

static inline int32_t spec_int(lua_State *L, int table, const char *name)
{
    return (int32_t)spec_number(L, table, name);
}

/* Element i (from 1) of the list at `index`. */
static inline double spec_number_at(lua_State *L, int index, lua_Integer i)
{
    lua_rawgeti(L, index, i);
    double value = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* The list at `index` as an array that the stack keeps alive. */
static inline int32_t *spec_ints(lua_State *L, int index, int32_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = (int32_t)lua_rawlen(L, index);
    int32_t *list = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *list, 0);
    for (int32_t i = 0; i < *count; i++)
        list[i] = (int32_t)spec_number_at(L, index, i + 1);
    return list;
}

/* Memory through orr_allocator{spec_resize, &memory}; all zero: it never runs out. */
typedef struct spec_memory {
    int64_t calls;   /* allocations asked for so far */
    int64_t fail_at; /* this one fails, counted from 1; 0: none */
    bool for_good;   /* and all after it */
    int64_t blocks;  /* alive */
    int64_t bytes;   /* alive, by the sizes that callers state */
} spec_memory;

static inline void *spec_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    spec_memory *m = user;
    if (new_size == 0) {
        m->blocks -= block != NULL;
        m->bytes -= block ? (int64_t)old_size : 0;
        free(block);
        return NULL;
    }
    m->calls++;
    if (m->fail_at > 0 && (m->for_good ? m->calls >= m->fail_at : m->calls == m->fail_at))
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved) {
        m->blocks += block == NULL;
        m->bytes += (int64_t)new_size - (block ? (int64_t)old_size : 0);
    }
    return moved;
}

/* From now on so many allocations, then none. */
static inline void spec_allow(spec_memory *m, int64_t allocations)
{
    m->fail_at = m->calls + allocations + 1;
    m->for_good = true;
}

/* Message or nil, bytes that were not given back, number of allocations. */
static inline int spec_report(lua_State *L, orr_status status, const orr_error *err,
                              const spec_memory *m)
{
    if (status == ORR_OK)
        lua_pushnil(L);
    else
        lua_pushstring(L, err->message);
    lua_pushinteger(L, m->bytes);
    lua_pushinteger(L, m->calls);
    return 3;
}
