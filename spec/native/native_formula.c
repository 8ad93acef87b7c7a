/* native_formula: formulas of priorities as lists of steps, { op = "F_ADD", a = 1, b = 2 } (steps
 * from 1 on; number, integer and text as their operation wants them). */
#include "native.h"

#include "rigid/queue/formula_internal.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_formula(lua_State *L);

enum { MOST_STEPS = ORR_FORMULA_STEPS + 1, MOST_OUTSIDE = ORR_FORMULA_OUTSIDE + 1 };

static double number_or(lua_State *L, int table, const char *name, double fallback)
{
    lua_getfield(L, table, name);
    double value = luaL_optnumber(L, -1, fallback);
    lua_pop(L, 1);
    return value;
}

static bool look_up(void *user, const orr_rigid_priority_view *view, int32_t of, int32_t job,
                    orr_formula_value *values)
{
    (void)user, (void)view, (void)of, (void)job, (void)values;
    return false;
}

static orr_formula_step step_at(lua_State *L, int steps, int32_t i)
{
#define NAME(name) #name,
    static const char *const names[] = {ORR_FORMULA_OPERATIONS(NAME) NULL};
    lua_rawgeti(L, steps, i + 1);
    int at = lua_gettop(L);
    orr_formula_step step = {.a = (int32_t)number_or(L, at, "a", 0) - 1,
                             .b = (int32_t)number_or(L, at, "b", 0) - 1,
                             .c = (int32_t)number_or(L, at, "c", 0) - 1,
                             .number = number_or(L, at, "number", 0)};
    lua_getfield(L, at, "op");
    step.op = (orr_formula_op)luaL_checkoption(L, -1, NULL, names);
    lua_getfield(L, at, "integer");
    step.integer = luaL_optinteger(L, -1, 0);
    lua_getfield(L, at, "text"); /* the table keeps it */
    step.text = luaL_optstring(L, -1, NULL);
    lua_settop(L, at - 1);
    return step;
}

/* The formula of a list of steps with kinds of looked-up values; the stack keeps it. */
static orr_formula *check_formula(lua_State *L, int steps)
{
    struct kept {
        orr_formula formula;
        orr_formula_step step[MOST_STEPS];
        int32_t of[MOST_OUTSIDE];
    } *kept = lua_newuserdatauv(L, sizeof *kept, 0);
    memset(kept, 0, sizeof *kept);
    kept->formula = (orr_formula){.size = sizeof kept->formula,
                                  .count = (int32_t)lua_rawlen(L, steps),
                                  .steps = kept->step,
                                  .outside_of = kept->of};
    luaL_argcheck(L, kept->formula.count <= MOST_STEPS, steps, "too many steps");
    for (int32_t i = 0; i < kept->formula.count; i++)
        kept->step[i] = step_at(L, steps, i);
    if (lua_getfield(L, steps, "of") == LUA_TTABLE) {
        kept->formula.outside_count = (int32_t)lua_rawlen(L, -1);
        luaL_argcheck(L, kept->formula.outside_count <= MOST_OUTSIDE, steps, "too many values");
        for (int32_t i = 0; i < kept->formula.outside_count; i++)
            kept->of[i] = (int32_t)spec_number_at(L, lua_gettop(L), i + 1);
        kept->formula.look_up = look_up;
    }
    lua_pop(L, 1);
    return &kept->formula;
}

static orr_status add_job(lua_State *L, orr_jobs *jobs, int list, int32_t i, orr_error *err)
{
    int32_t number = 0;
    lua_rawgeti(L, list, i + 1);
    int at = lua_gettop(L);
    lua_getfield(L, at, "user");
    const char *user = lua_tostring(L, -1);
    orr_status status =
        orr_jobs_add(jobs, NULL, number_or(L, at, "submit", 0),
                     (int32_t)number_or(L, at, "procs", 1), number_or(L, at, "time", 1), NAN, err);
    if (status == ORR_OK && user)
        status = orr_labels_number(&jobs->names, user, strlen(user), &number, err);
    if (status == ORR_OK && user)
        status = orr_jobs_set_label(jobs, i, ORR_LABEL_USER, number, err);
    lua_settop(L, at - 1);
    return status;
}

/* An instance of a list of jobs { submit, procs, time, user }. */
static orr_status make_instance(lua_State *L, int list, orr_instance *in, orr_error *err)
{
    orr_instance_options options = {.size = sizeof options, .procs = 1 << 20};
    orr_jobs *jobs = orr_jobs_create(NULL, err);
    orr_status status = jobs ? ORR_OK : ORR_ERR_MEMORY;
    for (int32_t i = 0; status == ORR_OK && i < (int32_t)lua_rawlen(L, list); i++)
        status = add_job(L, jobs, list, i, err);
    if (status == ORR_OK)
        status = orr_instance_create(in, jobs, &options, NULL, err);
    if (status != ORR_OK)
        orr_jobs_destroy(jobs);
    return status;
}

static void free_instance(orr_instance *in)
{
    orr_jobs *jobs = (orr_jobs *)in->jobs;
    orr_instance_destroy(in);
    orr_jobs_destroy(jobs);
}

/* values(steps, jobs): the list of the jobs' numbers; false where the formula has none; or nil,
 * message, status. */
static int native_values(lua_State *L)
{
    const orr_formula *formula = check_formula(L, 1);
    size_t count = lua_rawlen(L, 2);
    double *values = lua_newuserdatauv(L, (count + 1) * sizeof *values, 0);
    orr_instance in;
    orr_error err;
    bool says;
    if (make_instance(L, 2, &in, &err) != ORR_OK)
        return spec_raise(L, &err);
    orr_status status = ori_formula_of_workload(formula, &in, values, &says, &in.alloc, &err);
    free_instance(&in);
    if (status != ORR_OK)
        return spec_fail(L, &err);
    if (says)
        lua_createtable(L, (int)count, 0);
    else
        lua_pushboolean(L, false);
    for (size_t i = 0; says && i < count; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* is_total(steps, jobs, { { now =, first_submit =, values that are looked up }, ... }): of each of
 * these situations, one after the other, whether a proof shows that every job gets a number. */
static int native_is_total(lua_State *L)
{
    const orr_formula *formula = check_formula(L, 1);
    orr_instance in;
    orr_error err;
    ori_formula f;
    if (make_instance(L, 2, &in, &err) != ORR_OK)
        return spec_raise(L, &err);
    if (ori_formula_create(&f, formula, &in, in.count, true, &in.alloc, &err) != ORR_OK) {
        free_instance(&in);
        return spec_raise(L, &err);
    }
    int count = (int)lua_rawlen(L, 3);
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 3, i);
        int at = lua_gettop(L);
        ori_formula_situation now = {.now = number_or(L, at, "now", 0),
                                     .first_submit = number_or(L, at, "first_submit", 0)};
        for (int32_t k = 0; k < formula->outside_count; k++)
            now.outside[k].number = spec_number_at(L, at, k + 1);
        lua_pushboolean(L, ori_formula_is_total(&f, &in, &now));
        lua_rawseti(L, at - 1, i);
        lua_settop(L, at - 1);
    }
    ori_formula_destroy(&f, &in.alloc);
    free_instance(&in);
    return 1;
}

/* agree(steps, others): whether both give the same numbers, whatever the decision. */
static int native_agree(lua_State *L)
{
    const orr_formula *a = check_formula(L, 1), *b = check_formula(L, 2);
    lua_pushboolean(L, ori_formulas_agree(a, b));
    return 1;
}

int luaopen_native_formula(lua_State *L)
{
    static const luaL_Reg functions[] = {{"values", native_values},
                                         {"is_total", native_is_total},
                                         {"agree", native_agree},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
