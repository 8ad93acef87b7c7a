/* Fields of tables. */
#include "bindings/support/fields.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

void orr_lua_set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void orr_lua_set_integer(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

void orr_lua_set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* nil for NULL */
    lua_setfield(L, -2, name);
}

void orr_lua_set_known(lua_State *L, const char *name, double value)
{
    if (!isnan(value))
        orr_lua_set_number(L, name, value);
}

void orr_lua_push_texts(lua_State *L, const orr_field_text *texts)
{
    lua_newtable(L);
    for (lua_Integer i = 1; texts->name; texts++, i++) {
        lua_createtable(L, 3, 1);
        lua_pushstring(L, texts->name);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, texts->type);
        lua_rawseti(L, -2, 2);
        lua_pushstring(L, *texts->about ? texts->about : NULL);
        lua_rawseti(L, -2, 3);
        orr_lua_set_text(L, "unit", texts->unit);
        lua_rawseti(L, -2, i);
    }
}

const orr_lua_field *orr_lua_find_field(const orr_lua_field *fields, const char *name)
{
    while (fields->name && strcmp(fields->name, name) != 0)
        fields++;
    return fields->name ? fields : NULL;
}

void orr_lua_push_field(lua_State *L, const void *record, const orr_lua_field *field)
{
    const void *at = (const char *)record + field->offset;
    if (field->computed)
        lua_pushnumber(L, field->computed(record));
    else if (field->type == 'd')
        lua_pushnumber(L, *(const double *)at);
    else
        lua_pushinteger(L, field->type == 'l' ? *(const int64_t *)at : *(const int32_t *)at);
}

void orr_lua_set_fields(lua_State *L, const void *record, const orr_lua_field *fields)
{
    for (; fields->name; fields++) {
        orr_lua_push_field(L, record, fields);
        lua_setfield(L, -2, fields->name);
    }
}

void orr_lua_push_record(lua_State *L, const void *record, const orr_lua_field *fields)
{
    int count = 0;
    while (fields[count].name)
        count++;
    lua_createtable(L, 0, count);
    orr_lua_set_fields(L, record, fields);
}

void orr_lua_push_column(lua_State *L, const void *records, size_t size, int64_t count,
                         const orr_lua_field *field)
{
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 0; i < count; i++) {
        orr_lua_push_field(L, (const char *)records + (size_t)i * size, field);
        lua_rawseti(L, -2, i + 1);
    }
}

void orr_lua_push_numbers(lua_State *L, const double *values, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

void orr_lua_push_integers(lua_State *L, const int32_t *values, int32_t count, int32_t add)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)values[i] + add);
        lua_rawseti(L, -2, i + 1);
    }
}

int orr_lua_push_verdict(lua_State *L, orr_status status, const orr_error *err)
{
    if (status == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    return 2;
}

int orr_lua_take_function(lua_State *L, const char *name)
{
    if (lua_getfield(L, -1, name) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return LUA_NOREF;
    }
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

const char *orr_lua_take_text(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    const char *text = lua_tostring(L, -1); /* stays alive in the table */
    lua_pop(L, 1);
    return text ? text : "";
}
