/* Memory that Lua frees, also after an error. */
#pragma once

#include <lua.h>
#include <stddef.h>

/* A block of malloc's allocator; bytes is NULL at first. */
typedef struct orr_lua_block {
    void *bytes;
    size_t size;
} orr_lua_block;

orr_lua_block *orr_lua_new_block(lua_State *L); /* on top of the stack */
