/* Classes of userdata: values of C with methods. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* The parts of a class. All but `name` may be NULL. */
typedef struct orr_lua_class {
    const char *name; /* of the metatable in the registry */
    const luaL_Reg *methods;
    lua_CFunction gc, len, tostring;

    /* Called before a field is looked for, with the value at index 1 and the field's name at 2:
     * raises where the value can't be used any more. */
    void (*check)(lua_State *L);

    /* Push item `position` of the value at index 1, or its field `name`; false: it does not exist.
     * An item behind the last is nil, so that ipairs ends. */
    bool (*item)(lua_State *L, lua_Integer position);
    bool (*field)(lua_State *L, const char *name);

    const char *unknown;      /* the error for other fields: '%s' is the name, %s all methods */
    const char *unchangeable; /* the error for a field that is set */

    /* The only result of getmetatable: a simulation borrows from such values, so user code must not
     * call their __gc. */
    const char *what;
} orr_lua_class;

/* A method that returns a single value, pushed by `push`, such as lua_pushnumber. `self` declares
 * what the value is of, and checks it before the arguments. */
#define ORR_LUA_GETTER_OF(function, self, push, value)                                             \
    static int function(lua_State *L)                                                              \
    {                                                                                              \
        self;                                                                                      \
        push(L, value);                                                                            \
        return 1;                                                                                  \
    }
#define ORR_LUA_GETTER(function, push, value) ORR_LUA_GETTER_OF(function, (void)0, push, value)

/* An entry of a list of methods: the function of method `name` is class_name. */
#define ORR_LUA_METHOD(class, name)                                                                \
    {                                                                                              \
#name, class##_##name                                                                      \
    }

/* __gc of values that begin with a pointer to the object that they own, which `destroy` frees. */
#define ORR_LUA_GC(function, class, destroy)                                                       \
    static int function(lua_State *L)                                                              \
    {                                                                                              \
        void **object = luaL_checkudata(L, 1, class);                                              \
        destroy(*object);                                                                          \
        *object = NULL;                                                                            \
        return 0;                                                                                  \
    }

/* Makes the class unless it is there; it lives as long as the state. */
void orr_lua_new_class(lua_State *L, const orr_lua_class *class);

/* Pushes a value of a class, `size` bytes of 0, with `uservalues` user values. */
void *orr_lua_new_value(lua_State *L, const char *class, size_t size, int uservalues);

/* The value at index if it begins with this pointer, which only the values of its class do; faster
 * than comparing the metatable. NULL: another value. */
void *orr_lua_test_tagged(lua_State *L, int index, const void *tag);

/* The object that the value at arg holds a pointer to; where it holds none, the argument error
 * `released`. */
void *orr_lua_check_owned(lua_State *L, int arg, const char *class, const char *released);

/* class(name): the metatable and the table of methods of a class; nil: unknown class. */
int orr_lua_find_class(lua_State *L);
