/* Blocks: memory of a function, which Lua frees if another function raises an error. */
#include "bindings/support/block.h"
#include "bindings/support/classes.h"

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
    static const orr_lua_class class = {.name = BLOCK, .gc = block_gc};
    orr_lua_new_class(L, &class);
    return orr_lua_new_value(L, BLOCK, sizeof(orr_lua_block), 0);
}
