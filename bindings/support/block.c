/* Blocks: what a function has allocated when another one raises an error, Lua frees. */
#include "bindings/support/block.h"

#include "base/memory.h"

#include <lauxlib.h>

#define BLOCK "orrery.block"

static int block_gc(lua_State *L)
{
    orr_lua_block *b = luaL_checkudata(L, 1, BLOCK);
    orr_allocator alloc = orr_allocator_or_default(NULL);
    orr_release(&alloc, b->bytes, b->size);
    b->bytes = NULL;
    return 0;
}

orr_lua_block *orr_lua_new_block(lua_State *L)
{
    orr_lua_block *b = lua_newuserdatauv(L, sizeof *b, 0);
    b->bytes = NULL;
    b->size = 0;
    if (luaL_newmetatable(L, BLOCK)) {
        lua_pushcfunction(L, block_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return b;
}
