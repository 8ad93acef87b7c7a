/* orrery.random, and statistics: orrery.summary, summary_paired, student_quantile, quantiles,
 * quantile_interval, signed_rank and series_mean. */
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "base/draw.h"
#include "base/stats.h"
#include "stats/ranks.h"
#include "stats/series.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* --- making a generator ---------------------------------------------------------------------- */

enum { SEED, SET, SCENARIO, ENTITY, STATE, SEQUENCE, N_FIELDS };

static const char *const field_names[N_FIELDS] = {"seed",   "set",   "scenario",
                                                  "entity", "state", "sequence"};

typedef struct random_fields {
    uint64_t value[N_FIELDS];
    bool given[N_FIELDS];
} random_fields;

static int find_field(const char *name)
{
    for (int i = 0; i < N_FIELDS; i++)
        if (strcmp(name, field_names[i]) == 0)
            return i;
    return N_FIELDS;
}

/* The field with its name at -2 and its value at -1. set, scenario and entity are counts; seeds
 * and states are any 64 bits. */
static void read_field(lua_State *L, random_fields *fields)
{
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    int field = name ? find_field(name) : N_FIELDS;
    if (field == N_FIELDS)
        luaL_error(L,
                   "random: unknown field '%s' (known: seed, set, scenario, entity; or: state, "
                   "sequence)",
                   name ? name : orr_lua_push_key(L, -2));
    int is_integer = 0;
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer || lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "random: field '%s' is an integer, not %s", name, orr_lua_push_key(L, -1));
    if (value < 0 && (field == SET || field == SCENARIO || field == ENTITY))
        luaL_error(L, "random: field '%s' is at least 0, not %I", name, (LUAI_UACINT)value);
    fields->value[field] = (uint64_t)value;
    fields->given[field] = true;
}

static random_fields read_fields(lua_State *L)
{
    random_fields fields = {.value = {[SEED] = 1}};
    if (lua_type(L, 1) == LUA_TTABLE) {
        lua_pushnil(L);
        while (lua_next(L, 1)) {
            read_field(L, &fields);
            lua_pop(L, 1);
        }
    } else if (!lua_isnoneornil(L, 1)) {
        fields.value[SEED] = (uint64_t)luaL_checkinteger(L, 1);
    }
    bool stream =
        fields.given[SEED] || fields.given[SET] || fields.given[SCENARIO] || fields.given[ENTITY];
    if (stream && (fields.given[STATE] || fields.given[SEQUENCE]))
        luaL_error(L, "random: state and sequence seed a generator as PCG's reference does; they "
                      "exclude seed, set, scenario and entity");
    return fields;
}

static orr_pcg *push_generator(lua_State *L)
{
    return orr_lua_new_value(L, ORR_LUA_RANDOM, sizeof(orr_pcg), 0);
}

static int random_new(lua_State *L)
{
    random_fields fields = read_fields(L);
    const uint64_t *value = fields.value;
    orr_pcg *rng = push_generator(L);
    if (fields.given[STATE] || fields.given[SEQUENCE])
        orr_pcg_seed(rng, value[STATE], value[SEQUENCE]);
    else
        *rng = orr_stream_open(
            orr_stream_key_make(value[SEED], value[SET], value[SCENARIO], ORR_PURPOSE_USER),
            value[ENTITY]);
    return 1;
}

/* --- its methods ----------------------------------------------------------------------------- */

static orr_pcg *check_generator(lua_State *L)
{
    return luaL_checkudata(L, 1, ORR_LUA_RANDOM);
}

static double check_finite(lua_State *L, int arg)
{
    double x = luaL_checknumber(L, arg);
    luaL_argcheck(L, isfinite(x), arg, "a finite number expected");
    return x;
}

static double check_positive(lua_State *L, int arg)
{
    double x = check_finite(L, arg);
    luaL_argcheck(L, x > 0, arg, "a number above 0 expected");
    return x;
}

ORR_LUA_GETTER(random_next, lua_pushinteger, (lua_Integer)orr_pcg_next(check_generator(L)))

static int random_uniform(lua_State *L)
{
    orr_pcg *rng = check_generator(L);
    if (lua_isnoneornil(L, 2) && lua_isnoneornil(L, 3)) {
        lua_pushnumber(L, orr_draw_unit(rng));
        return 1;
    }
    double low = check_finite(L, 2), high = check_finite(L, 3);
    luaL_argcheck(L, low <= high, 3, "not below the lower end of the interval expected");
    luaL_argcheck(L, isfinite(high - low), 3, "the interval is too wide");
    lua_pushnumber(L, orr_draw_uniform(rng, low, high));
    return 1;
}

static int random_integer(lua_State *L)
{
    orr_pcg *rng = check_generator(L);
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    luaL_argcheck(L, low <= high, 3, "not below the lower end of the range expected");
    lua_pushinteger(L, orr_draw_integer(rng, low, high));
    return 1;
}

ORR_LUA_GETTER_OF(random_exponential, orr_pcg *rng = check_generator(L), lua_pushnumber,
                  orr_draw_exponential(rng, check_positive(L, 2)))

/* The hazard of { q = ... } or { hazard = ... }. */
static double check_hazard(lua_State *L, int arg)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    lua_getfield(L, arg, "q");
    lua_getfield(L, arg, "hazard");
    bool has_q = !lua_isnil(L, -2), has_hazard = !lua_isnil(L, -1);
    lua_Integer fields = 0;
    for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1))
        fields++;
    luaL_argcheck(L, has_q != has_hazard && fields == 1, arg,
                  "{ q = probability of a failure } or { hazard = -ln(1 - q) } expected");
    double x = lua_type(L, has_q ? -2 : -1) == LUA_TNUMBER ? lua_tonumber(L, has_q ? -2 : -1) : NAN;
    if (has_q)
        luaL_argcheck(L, x >= 0 && x < 1, arg, "q is a number in [0, 1)");
    else
        luaL_argcheck(L, x >= 0 && isfinite(x), arg, "hazard is a finite number, at least 0");
    return has_q ? -log1p(-x) : x;
}

/* An integer where one holds the count, which is up to 2^53 always the case. */
static int random_geometric(lua_State *L)
{
    orr_pcg *rng = check_generator(L);
    orr_geometric g = orr_geometric_prepare(check_hazard(L, 2));
    double failures = orr_draw_geometric(rng, &g);
    if (failures <= 0x1p53)
        lua_pushinteger(L, (lua_Integer)failures);
    else
        lua_pushnumber(L, failures);
    return 1;
}

ORR_LUA_GETTER_OF(random_weibull, orr_pcg *rng = check_generator(L);
                  double shape = check_positive(L, 2);
                  double scale = check_positive(L, 3), lua_pushnumber,
                  orr_draw_weibull(rng, shape, scale))

static int random_lognormal(lua_State *L)
{
    orr_pcg *rng = check_generator(L);
    double mu = check_finite(L, 2), sigma = check_finite(L, 3);
    luaL_argcheck(L, sigma >= 0, 3, "at least 0 expected");
    lua_pushnumber(L, orr_draw_lognormal(rng, mu, sigma));
    return 1;
}

ORR_LUA_GETTER_OF(random_gamma, orr_pcg *rng = check_generator(L);
                  double shape = check_positive(L, 2);
                  double scale = check_positive(L, 3), lua_pushnumber,
                  orr_draw_gamma(rng, shape, scale))

ORR_LUA_GETTER(random_normal, lua_pushnumber, orr_draw_normal(check_generator(L)))

static int random_advance(lua_State *L)
{
    orr_pcg *rng = check_generator(L);
    lua_Integer steps = luaL_checkinteger(L, 2);
    uint64_t sign = steps < 0 ? UINT64_MAX : 0; /* sign extension to 128 bits */
    orr_pcg_advance(rng, ORR_U128(sign, (uint64_t)steps));
    lua_settop(L, 1);
    return 1;
}

static int random_copy(lua_State *L)
{
    const orr_pcg *rng = check_generator(L);
    *push_generator(L) = *rng;
    return 1;
}

static const luaL_Reg random_methods[] = {
    {"next", random_next},           {"uniform", random_uniform},
    {"integer", random_integer},     {"exponential", random_exponential},
    {"geometric", random_geometric}, {"weibull", random_weibull},
    {"lognormal", random_lognormal}, {"normal", random_normal},
    {"gamma", random_gamma},         {"advance", random_advance},
    {"copy", random_copy},           {NULL, NULL}};

/* --- statistics ------------------------------------------------------------------------------ */

/* The list of numbers at arg as an array owned by a new userdata on top of the stack. */
static const double *check_numbers(lua_State *L, int arg, int64_t *count)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    *count = luaL_len(L, arg);
    luaL_argcheck(L, *count >= 0 && (uint64_t)*count <= SIZE_MAX / sizeof(double), arg,
                  "a list of numbers expected");
    double *numbers = lua_newuserdatauv(L, (size_t)*count * sizeof *numbers, 0);
    for (int64_t i = 0; i < *count; i++) {
        int type = lua_geti(L, arg, i + 1);
        if (type != LUA_TNUMBER)
            luaL_argerror(L, arg,
                          lua_pushfstring(L, "element %I is not a number but %s",
                                          (LUAI_UACINT)(i + 1), lua_typename(L, type)));
        numbers[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return numbers;
}

static int push_summary(lua_State *L, const orr_summary *s)
{
#define SUMMARY(name) ORR_LUA_FIELD(orr_summary, name)
    static const orr_lua_field fields[] = {
        SUMMARY(count), SUMMARY(mean), SUMMARY(sd),       SUMMARY(half_width),
        SUMMARY(min),   SUMMARY(max),  SUMMARY(skewness), ORR_LUA_LAST_FIELD,
    };
    orr_lua_push_record(L, s, fields);
    return 1;
}

static int base_summary(lua_State *L)
{
    int64_t count;
    const double *values = check_numbers(L, 1, &count);
    orr_summary summary = orr_summarise(values, count);
    return push_summary(L, &summary);
}

static int base_summary_paired(lua_State *L)
{
    int64_t count_a, count_b;
    const double *a = check_numbers(L, 1, &count_a);
    const double *b = check_numbers(L, 2, &count_b);
    if (count_a != count_b)
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "%I numbers, as in the first list, expected, not %I",
                                      (LUAI_UACINT)count_a, (LUAI_UACINT)count_b));
    orr_summary summary;
    orr_error err;
    orr_lua_try(L, orr_summarise_paired(a, b, count_a, NULL, &summary, &err), &err);
    return push_summary(L, &summary);
}

/* half_width(count, sd, skewness, level) */
static int base_half_width(lua_State *L)
{
    const orr_summary s = {.count = luaL_checkinteger(L, 1),
                           .sd = luaL_checknumber(L, 2),
                           .skewness = luaL_checknumber(L, 3)};
    lua_pushnumber(L, orr_half_width(&s, luaL_checknumber(L, 4)));
    return 1;
}

static int base_student_quantile(lua_State *L)
{
    double p = luaL_checknumber(L, 1);
    double dof = luaL_checknumber(L, 2);
    luaL_argcheck(L, p > 0 && p < 1, 1, "must be between 0 and 1");
    luaL_argcheck(L, dof >= 1, 2, "must be at least 1");
    lua_pushnumber(L, orr_student_quantile(p, dof));
    return 1;
}

static int base_quantiles(lua_State *L)
{
    int64_t count, n;
    const double *values = check_numbers(L, 1, &count);
    const double *probabilities = check_numbers(L, 2, &n);
    luaL_argcheck(L, n <= INT32_MAX, 2, "too many probabilities");
    double *out = lua_newuserdatauv(L, (size_t)n * sizeof *out, 0);
    orr_error err;
    orr_lua_try(L, orr_quantiles(values, count, probabilities, (int32_t)n, out, NULL, &err), &err);
    orr_lua_push_numbers(L, out, (int32_t)n);
    return 1;
}

/* quantile_interval(list, probability[, level]) */
static int base_quantile_interval(lua_State *L)
{
#define QUANTILE(name) ORR_LUA_FIELD(orr_quantile, name)
    static const orr_lua_field fields[] = {QUANTILE(count), QUANTILE(value), QUANTILE(low),
                                           QUANTILE(high), ORR_LUA_LAST_FIELD};
    int64_t count;
    double probability = luaL_checknumber(L, 2), level = luaL_optnumber(L, 3, 0.95);
    const double *values = check_numbers(L, 1, &count);
    orr_quantile found;
    orr_error err;
    orr_lua_try(L, orr_quantile_interval(values, count, probability, level, NULL, &found, &err),
                &err);
    orr_lua_push_record(L, &found, fields);
    return 1;
}

/* signed_rank(differences[, level]) */
static int base_signed_rank(lua_State *L)
{
#define SIGNED_RANK(name) ORR_LUA_FIELD(orr_signed_rank, name)
    static const orr_lua_field fields[] = {
        SIGNED_RANK(count),    SIGNED_RANK(ranked), SIGNED_RANK(statistic), SIGNED_RANK(p),
        SIGNED_RANK(estimate), SIGNED_RANK(low),    SIGNED_RANK(high),      ORR_LUA_LAST_FIELD,
    };
    int64_t count;
    double level = luaL_optnumber(L, 2, 0.95);
    const double *differences = check_numbers(L, 1, &count);
    orr_signed_rank found;
    orr_error err;
    orr_lua_try(L, orr_signed_rank_test(differences, count, level, NULL, &found, &err), &err);
    orr_lua_push_record(L, &found, fields);
    return 1;
}

/* series_mean(sums, weights[, level]): see stats/series.h. */
static int base_series_mean(lua_State *L)
{
#define SERIES(name) ORR_LUA_FIELD(orr_series, name)
    static const orr_lua_field fields[] = {ORR_LUA_FIELD_AS("count", orr_series, blocks),
                                           SERIES(mean),
                                           SERIES(sd),
                                           SERIES(low),
                                           SERIES(high),
                                           ORR_LUA_LAST_FIELD};
    int64_t count, as_many;
    double level = luaL_optnumber(L, 3, 0.95);
    const double *sums = check_numbers(L, 1, &count), *weights = check_numbers(L, 2, &as_many);
    luaL_argcheck(L, count == as_many, 2, "as many weights as sums");
    orr_series found;
    orr_error err;
    orr_lua_try(L, orr_series_mean(sums, weights, count, level, &found, &err), &err);
    orr_lua_push_record(L, &found, fields);
    lua_pushboolean(L, found.low > 0 || found.high < 0);
    lua_setfield(L, -2, "significant");
    return 1;
}

void orr_lua_open_base(lua_State *L)
{
    static const luaL_Reg functions[] = {{"random", random_new},
                                         {"summary", base_summary},
                                         {"summary_paired", base_summary_paired},
                                         {"student_quantile", base_student_quantile},
                                         {"half_width", base_half_width},
                                         {"quantiles", base_quantiles},
                                         {"quantile_interval", base_quantile_interval},
                                         {"signed_rank", base_signed_rank},
                                         {"series_mean", base_series_mean},
                                         {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_RANDOM,
        .what = "generator",
        .methods = random_methods,
        .unknown = "a generator has no '%s' (known: %s)",
    };
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
