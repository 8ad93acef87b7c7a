/* Fields of the table on top of the stack, lists of fields of C structs, and results of checks. */
#pragma once

#include "base/error.h"

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

void orr_lua_set_number(lua_State *L, const char *name, double value);
void orr_lua_set_integer(lua_State *L, const char *name, lua_Integer value);
void orr_lua_set_text(lua_State *L, const char *name, const char *text); /* NULL: no field */

/* Sets no field for NaN, which stands for an unknown value. */
void orr_lua_set_known(lua_State *L, const char *name, double value);

/* A field of a C record, under its Lua name. Lists of fields end with ORR_LUA_LAST_FIELD. */
typedef struct orr_lua_field {
    const char *name;
    size_t offset;
    char type;                              /* d: double, l: int64_t, i: int32_t */
    double (*computed)(const void *record); /* instead; else NULL */
} orr_lua_field;

#define ORR_LUA_TYPE_OF(value) _Generic((value), double : 'd', int64_t : 'l', int32_t : 'i')
#define ORR_LUA_FIELD_AS(name, record, member)                                                     \
    {                                                                                              \
        name, offsetof(record, member), ORR_LUA_TYPE_OF(((record *)NULL)->member), NULL            \
    }
#define ORR_LUA_FIELD(record, name) ORR_LUA_FIELD_AS(#name, record, name)
#define ORR_LUA_LAST_FIELD                                                                         \
    {                                                                                              \
        NULL, 0, 0, NULL                                                                           \
    }

/* The manuals' entry for a field; no unit: NULL, no text: "". Pushes a list of them, which ends
 * with one without a name, as entries of schema/. */
typedef struct orr_field_text {
    const char *name, *type, *unit, *about;
} orr_field_text;
void orr_lua_push_texts(lua_State *L, const orr_field_text *texts);

/* NULL: no field has this name. */
const orr_lua_field *orr_lua_find_field(const orr_lua_field *fields, const char *name);
void orr_lua_push_field(lua_State *L, const void *record, const orr_lua_field *field);

/* The fields of a record as fields of the table on top; of a new table, which is pushed. */
void orr_lua_set_fields(lua_State *L, const void *record, const orr_lua_field *fields);
void orr_lua_push_record(lua_State *L, const void *record, const orr_lua_field *fields);

/* Pushes the list of a field of `count` records; they are `size` bytes each. */
void orr_lua_push_column(lua_State *L, const void *records, size_t size, int64_t count,
                         const orr_lua_field *field);

/* Push the list of these numbers, `add` added to integers. */
void orr_lua_push_numbers(lua_State *L, const double *values, int32_t count);
void orr_lua_push_integers(lua_State *L, const int32_t *values, int32_t count, int32_t add);

/* The results of a check: true, or nil and the message; returns their number. */
int orr_lua_push_verdict(lua_State *L, orr_status status, const orr_error *err);

/* Field `name` of the table on top: a function as a registry reference (LUA_NOREF: none), a text
 * ("": none; it lives as long as the table). */
int orr_lua_take_function(lua_State *L, const char *name);
const char *orr_lua_take_text(lua_State *L, const char *name);
