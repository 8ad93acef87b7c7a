#include "bindings/support/options.h"

#include <string.h>

lua_Integer orr_lua_integer_option(lua_State *L, int index, const char *name, lua_Integer fallback,
                                   lua_Integer low, lua_Integer high)
{
    lua_getfield(L, index, name);
    lua_Integer value = fallback;
    if (!lua_isnil(L, -1)) {
        int ok = 0;
        value = lua_tointegerx(L, -1, &ok);
        if (!ok || lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "%s must be a whole number, it is %s", name, luaL_tolstring(L, -1, NULL));
        if (value < low || value > high)
            luaL_error(L, "%s must be between %I and %I, it is %I", name, (LUAI_UACINT)low,
                       (LUAI_UACINT)high, (LUAI_UACINT)value);
    }
    lua_pop(L, 1);
    return value;
}

double orr_lua_number_option(lua_State *L, int index, const char *name, double fallback)
{
    lua_getfield(L, index, name);
    double value = fallback;
    if (!lua_isnil(L, -1)) {
        if (lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "%s must be a number, it is %s", name, luaL_tolstring(L, -1, NULL));
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

orr_limits orr_lua_check_limits(lua_State *L, int index)
{
    orr_limits limits = orr_limits_default();
    if (lua_isnoneornil(L, index))
        return limits;
    if (!lua_istable(L, index))
        luaL_error(L, "limits must be a table { seconds =, memory =, instructions = }, it is %s",
                   luaL_tolstring(L, index, NULL));
    limits.seconds = orr_lua_number_option(L, index, "seconds", limits.seconds);
    limits.memory = (size_t)orr_lua_integer_option(L, index, "memory", (lua_Integer)limits.memory,
                                                   1 << 20, INT64_MAX);
    limits.instructions = (int)orr_lua_integer_option(L, index, "instructions", 0, 0, INT32_MAX);
    if (!(limits.seconds > 0.001))
        luaL_error(L, "limits.seconds must be more than 0.001");
    return limits;
}

orr_limits orr_lua_limits_option(lua_State *L, int index)
{
    lua_getfield(L, index, "limits");
    orr_limits limits = orr_lua_check_limits(L, lua_gettop(L));
    lua_pop(L, 1);
    return limits;
}

int orr_lua_choice_option(lua_State *L, int index, const char *name, int fallback,
                          const char *const *choices)
{
    int choice = fallback;
    if (lua_getfield(L, index, name) != LUA_TNIL) {
        const char *given = lua_tostring(L, -1);
        for (choice = 0; choices[choice] && (!given || strcmp(choices[choice], given) != 0);)
            choice++;
        luaL_Buffer known;
        luaL_buffinit(L, &known);
        for (int i = 0; choices[i]; i++) {
            luaL_addstring(&known, i > 0 ? ", " : "");
            luaL_addstring(&known, choices[i]);
        }
        luaL_pushresult(&known);
        if (!choices[choice])
            luaL_error(L, "%s must be one of %s, it is %s", name, lua_tostring(L, -1),
                       luaL_tolstring(L, -2, NULL));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return choice;
}
