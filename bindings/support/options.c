/* Tables of options. */
#include "bindings/support/options.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

/* Pushes a value as messages show it: texts in quotes. */
static const char *push_shown(lua_State *L, int index)
{
    const char *text = orr_lua_push_key(L, index);
    if (lua_type(L, index < 0 ? index - 1 : index) != LUA_TSTRING)
        return text;
    return lua_pushfstring(L, "\"%s\"", text);
}

/* Pushes the field that `name` ends with; its type. */
static int push_field(lua_State *L, int index, const char *name)
{
    const char *blank = strrchr(name, ' ');
    return lua_getfield(L, index, blank ? blank + 1 : name);
}

lua_Integer orr_lua_integer_option(lua_State *L, int index, const char *name, lua_Integer fallback,
                                   lua_Integer low, lua_Integer high)
{
    lua_Integer value = fallback;
    if (push_field(L, index, name) != LUA_TNIL) {
        int ok = 0;
        value = lua_tointegerx(L, -1, &ok);
        if (!ok || lua_type(L, -1) != LUA_TNUMBER)
            orr_lua_refuse(L, "%s must be a whole number, it is %s", name, push_shown(L, -1));
        if (value < low || value > high)
            orr_lua_refuse(L, "%s must be between %I and %I, it is %I", name, (LUAI_UACINT)low,
                           (LUAI_UACINT)high, (LUAI_UACINT)value);
    }
    lua_pop(L, 1);
    return value;
}

double orr_lua_number_option(lua_State *L, int index, const char *name, double fallback)
{
    double value = fallback;
    if (push_field(L, index, name) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER)
            orr_lua_refuse(L, "%s must be a number, it is %s", name, push_shown(L, -1));
        value = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

bool orr_lua_flag_option(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

int orr_lua_choice_option(lua_State *L, int index, const char *name, int fallback,
                          const char *const *choices)
{
    int choice = fallback;
    if (push_field(L, index, name) != LUA_TNIL) {
        int at = lua_gettop(L);
        const char *given = lua_tostring(L, at);
        for (choice = 0; choices[choice] && (!given || strcmp(choices[choice], given) != 0);)
            choice++;
        if (!choices[choice])
            orr_lua_refuse(L, "%s must be one of %s, it is %s", name,
                           orr_lua_push_names(L, choices, sizeof *choices), push_shown(L, at));
    }
    lua_pop(L, 1);
    return choice;
}

void orr_lua_check_options(lua_State *L, int index, const char *function, const char *const *known)
{
    lua_settop(L, index);
    if (lua_isnil(L, index)) {
        lua_newtable(L);
        lua_replace(L, index);
    }
    luaL_checktype(L, index, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int i = 0;
        const char *given = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        while (known[i] && strcmp(known[i], given) != 0)
            i++;
        given = orr_lua_push_key(L, -2);
        if (!known[i])
            orr_lua_refuse(L, "%s: unknown option '%s' (known: %s)", function, given,
                           orr_lua_push_names(L, known, sizeof *known));
        lua_pop(L, 1);
    }
}
