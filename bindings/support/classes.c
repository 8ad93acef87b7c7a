/* Classes of userdata. */
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <string.h>

/* Raises the error of an unknown name. Upvalue 1: the class; index 2: the name. */
static int fail_unknown(lua_State *L)
{
    const orr_lua_class *class = lua_touserdata(L, lua_upvalueindex(1));
    const char *known = orr_lua_push_names(L, class->methods, sizeof *class->methods);
    return luaL_error(L, class->unknown, orr_lua_push_key(L, 2), known);
}

/* Upvalues: the class, its table of methods. */
static int index_value(lua_State *L)
{
    const orr_lua_class *class = lua_touserdata(L, lua_upvalueindex(1));
    int is_integer = 0;
    lua_Integer position = class->item ? lua_tointegerx(L, 2, &is_integer) : 0;
    if (class->check)
        class->check(L);
    if (is_integer && lua_type(L, 2) == LUA_TNUMBER) {
        if (!class->item(L, position))
            lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL)
        return 1;
    if (class->field && lua_type(L, 2) == LUA_TSTRING && class->field(L, lua_tostring(L, 2)))
        return 1;
    return fail_unknown(L);
}

/* Upvalue 1: the class. */
static int fail_unchangeable(lua_State *L)
{
    const orr_lua_class *class = lua_touserdata(L, lua_upvalueindex(1));
    return luaL_error(L, "%s", class->unchangeable);
}

/* Field `name` of the table on top becomes `f`, with the class as its upvalue. */
static void set_closure(lua_State *L, const char *name, lua_CFunction f, const orr_lua_class *class)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t) class);
    lua_pushcclosure(L, f, 1);
    lua_setfield(L, -2, name);
}

static void set_function(lua_State *L, const char *name, lua_CFunction f)
{
    if (f == NULL)
        return;
    lua_pushcfunction(L, f);
    lua_setfield(L, -2, name);
}

/* [metatable, methods] -> [metatable]: a class with only methods finds them without a call. */
static void set_index(lua_State *L, const orr_lua_class *class)
{
    if (class->item || class->field || class->check) {
        lua_pushlightuserdata(L, (void *)(uintptr_t) class);
        lua_insert(L, -2);
        lua_pushcclosure(L, index_value, 2);
    } else if (class->unknown) {
        lua_createtable(L, 0, 1);
        set_closure(L, "__index", fail_unknown, class);
        lua_setmetatable(L, -2);
    }
    lua_setfield(L, -2, "__index");
}

void orr_lua_new_class(lua_State *L, const orr_lua_class *class)
{
    if (!luaL_newmetatable(L, class->name)) {
        lua_pop(L, 1);
        return;
    }
    set_function(L, "__gc", class->gc);
    set_function(L, "__len", class->len);
    set_function(L, "__tostring", class->tostring);
    if (class->unchangeable)
        set_closure(L, "__newindex", fail_unchangeable, class);
    if (class->methods) {
        lua_newtable(L);
        luaL_setfuncs(L, class->methods, 0);
        lua_pushvalue(L, -1); /* pictures add methods in Lua */
        lua_setfield(L, -3, "methods");
        set_index(L, class);
    }
    if (class->what) {
        lua_pushstring(L, class->what);
        lua_setfield(L, -2, "__metatable");
    }
    lua_pop(L, 1);
}

void *orr_lua_new_value(lua_State *L, const char *class, size_t size, int uservalues)
{
    void *value = lua_newuserdatauv(L, size, uservalues);
    memset(value, 0, size);
    luaL_setmetatable(L, class);
    return value;
}

void *orr_lua_test_tagged(lua_State *L, int index, const void *tag)
{
    bool fits = lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) >= sizeof tag;
    const void *const *value = fits ? lua_touserdata(L, index) : NULL;
    return value && *value == tag ? lua_touserdata(L, index) : NULL;
}

void *orr_lua_check_owned(lua_State *L, int arg, const char *class, const char *released)
{
    void *const *slot = luaL_checkudata(L, arg, class);
    luaL_argcheck(L, *slot != NULL, arg, released);
    return *slot;
}

int orr_lua_find_class(lua_State *L)
{
    if (luaL_getmetatable(L, luaL_checkstring(L, 1)) != LUA_TTABLE)
        return 0;
    lua_getfield(L, -1, "methods");
    return 2;
}
