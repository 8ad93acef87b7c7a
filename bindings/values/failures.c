/* Failures under jobs, given by a user: counts of failures per job and scenario (core.failures,
 * core.read_failures), and failures of nodes (core.node_failures, core.node_failure_log). */
#include "bindings/values/failures.h"
#include "bindings/support/block.h"
#include "bindings/support/classes.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/nodes.h"
#include "bindings/values/values.h"
#include "workload/faults.h"
#include "workload/outages.h"
#include "workload/reader.h"

#include <lauxlib.h>
#include <math.h>

/* --- counts ---------------------------------------------------------------------------------- */

#define ORR_LUA_FAILURES "orrery.failures"

static orr_lua_failures *new_failures(lua_State *L, int32_t columns)
{
    orr_lua_failures *f = orr_lua_new_value(L, ORR_LUA_FAILURES, sizeof *f, 0);
    f->columns = columns;
    return f;
}

const orr_lua_failures *orr_lua_test_failures(lua_State *L, int arg, const orr_jobs *jobs)
{
    const orr_lua_failures *f = luaL_testudata(L, arg, ORR_LUA_FAILURES);
    if (f && f->columns != jobs->count)
        luaL_error(L, "failures: expected %d counts per scenario, one per job, found %d",
                   (int)jobs->count, (int)f->columns);
    return f;
}

static int failures_gc(lua_State *L)
{
    orr_lua_failures *f = luaL_checkudata(L, 1, ORR_LUA_FAILURES);
    orr_allocator a = orr_allocator_or_default(NULL);
    orr_release(&a, f->counts, (size_t)f->rows * (size_t)f->columns * sizeof *f->counts);
    f->counts = NULL;
    return 0;
}

ORR_LUA_GETTER(failures_len, lua_pushinteger,
               ((orr_lua_failures *)luaL_checkudata(L, 1, ORR_LUA_FAILURES))->rows)

static int read_failures(lua_State *L)
{
    orr_error err;
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    if (orr_read_failures(luaL_checkstring(L, 1), f->columns, &f->counts, &f->rows, NULL, &err) !=
        ORR_OK)
        return orr_lua_raise(L, &err);
    return 1;
}

static int32_t count_at(lua_State *L, int64_t row, int32_t column)
{
    int ok = 0;
    lua_rawgeti(L, -1, column + 1);
    lua_Integer count = lua_tointegerx(L, -1, &ok);
    if (!ok || count < 0 || count >= INT32_MAX)
        luaL_error(L, "failures: scenario %I, job %d: expected a whole number >= 0, found %s",
                   (LUAI_UACINT)(row + 1), (int)column + 1, orr_lua_push_key(L, -1));
    lua_pop(L, 1);
    return (int32_t)count;
}

/* core.failures(rows, columns): from a list of lists. */
static int make_failures(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer rows = (lua_Integer)lua_rawlen(L, 1);
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    orr_allocator a = orr_allocator_or_default(NULL);
    f->counts = orr_calloc(&a, (size_t)rows * (size_t)f->columns, sizeof *f->counts);
    if (!f->counts)
        return luaL_error(L, "not enough memory");
    f->rows = rows;
    for (lua_Integer r = 0; r < rows; r++) {
        if (lua_rawgeti(L, 1, r + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)f->columns)
            return luaL_error(L, "failures: scenario %I: expected a list of %d counts, one per job",
                              (LUAI_UACINT)(r + 1), (int)f->columns);
        for (int32_t j = 0; j < f->columns; j++)
            f->counts[r * f->columns + j] = count_at(L, r, j);
        lua_pop(L, 1);
    }
    return 1;
}

/* --- nodes ----------------------------------------------------------------------------------- */

#define ORR_LUA_NODE_FAILURES "orrery.node_failures"

/* The value of core.node_failures; its outages are in blocks that it keeps as user values. */
const orr_rigid_node_failures *orr_lua_node_failures_option(lua_State *L, int index)
{
    const orr_rigid_node_failures *nodes = NULL;
    if (lua_getfield(L, index, "node_failures") != LUA_TNIL)
        nodes = luaL_checkudata(L, -1, ORR_LUA_NODE_FAILURES);
    lua_pop(L, 1);
    return nodes;
}

static orr_rigid_node_failures *new_nodes(lua_State *L, int index)
{
    orr_rigid_node_failures *nodes = orr_lua_new_value(L, ORR_LUA_NODE_FAILURES, sizeof *nodes, 2);
    nodes->size = sizeof *nodes;
    nodes->repair = orr_lua_number_option(L, index, "repair", 0);
    nodes->node_procs = (int32_t)orr_lua_integer_option(
        L, index, "procs", orr_lua_nodes_option(L, index) ? 0 : 1, 1, INT32_MAX - 1);
    nodes->max_attempts =
        (int32_t)orr_lua_integer_option(L, index, "max_attempts", 0, 1, INT32_MAX - 1);
    nodes->recall = orr_lua_number_option(L, index, "recall", 0);
    nodes->precision = orr_lua_number_option(L, index, "precision", 1);
    nodes->lead = orr_lua_number_option(L, index, "lead", 0);
    return nodes;
}

/* core.node_failures { mtbf =, law =, shape =, repair =, repair_law =, repair_shape =, procs =,
 * lemon_share = ... }: the fields of the struct. */
static int drawn(lua_State *L)
{
    static const char *const laws[] = {"none", "exponential", "weibull", "lognormal", NULL};
    static const char *const repairs[] = {"constant", "exponential", "weibull", "lognormal", NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_rigid_node_failures *nodes = new_nodes(L, 1);
    nodes->law = (orr_fault_law)orr_lua_choice_option(L, 1, "law", ORR_FAULTS_EXPONENTIAL, laws);
    nodes->mtbf = orr_lua_number_option(L, 1, "mtbf", INFINITY);
    nodes->shape = orr_lua_number_option(L, 1, "shape", 1);
    nodes->repair_law = (orr_fault_law)orr_lua_choice_option(L, 1, "repair_law", 0, repairs);
    nodes->repair_shape = orr_lua_number_option(L, 1, "repair_shape", 1);
    nodes->lemon_share = orr_lua_number_option(L, 1, "lemon_share", 0);
    nodes->lemon_factor = orr_lua_number_option(L, 1, "lemon_factor", 1);
    nodes->domain_nodes =
        (int32_t)orr_lua_integer_option(L, 1, "domain_nodes", 0, 0, INT32_MAX - 1);
    nodes->domain_mtbf = orr_lua_number_option(L, 1, "domain_mtbf", INFINITY);
    nodes->domain_repair = orr_lua_number_option(L, 1, "domain_repair", 0);
    nodes->domain_repair_law =
        (orr_fault_law)orr_lua_choice_option(L, 1, "domain_repair_law", 0, repairs);
    nodes->domain_repair_shape = orr_lua_number_option(L, 1, "domain_repair_shape", 1);
    nodes->retire_after =
        (int32_t)orr_lua_integer_option(L, 1, "retire_after", 0, 0, INT32_MAX - 1);
    nodes->spares = (int32_t)orr_lua_integer_option(L, 1, "spares", 0, 0, INT32_MAX - 1);
    nodes->swap = orr_lua_number_option(L, 1, "swap", 0);
    return 1;
}

/* Makes room for outages of the value on top, which owns them. */
static orr_outage *new_outages(lua_State *L, orr_rigid_node_failures *nodes, int64_t count)
{
    orr_outage *outages = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *outages, 0);
    lua_setiuservalue(L, -2, 1);
    nodes->law = ORR_FAULTS_LOG;
    nodes->outages = outages;
    nodes->outage_count = count;
    return outages;
}

/* The whole node of a processor fails. */
static orr_outage outage_of(lua_State *L, const orr_rigid_node_failures *nodes, double time,
                            int32_t processor, double repair, int32_t procs)
{
    const orr_nodes *of = orr_lua_nodes_option(L, 1);
    if (nodes->node_procs == 0) {
        int32_t k = orr_nodes_at(of, processor);
        return (orr_outage){time, time + repair, of->first[k], of->first[k + 1] - of->first[k]};
    }
    int32_t first = processor - processor % nodes->node_procs;
    int32_t count = procs - first < nodes->node_procs ? procs - first : nodes->node_procs;
    return (orr_outage){.time = time, .repaired = time + repair, .first = first, .count = count};
}

static double row_number(lua_State *L, lua_Integer row, const char *name, double otherwise)
{
    int ok = 1;
    double value = otherwise;
    if (lua_getfield(L, -1, name) != LUA_TNIL)
        value = lua_tonumberx(L, -1, &ok);
    if (!ok || !(value >= 0 && value < INFINITY))
        luaL_error(L, "node failure %I: %s must be a finite number >= 0, it is %s",
                   (LUAI_UACINT)row, name, orr_lua_push_key(L, -1));
    lua_pop(L, 1);
    return value;
}

/* Row `row` of a list, which is on top. */
static orr_outage row_outage(lua_State *L, const orr_rigid_node_failures *nodes, lua_Integer row,
                             int32_t procs)
{
    if (!lua_istable(L, -1))
        luaL_error(L, "node failure %I: expected { time =, processor = }, found %s",
                   (LUAI_UACINT)row, luaL_typename(L, -1));
    double time = row_number(L, row, "time", NAN);
    double processor = row_number(L, row, "processor", NAN);
    if (processor != floor(processor) || processor >= procs)
        luaL_error(L, "node failure %I: expected a processor from 0 to %d, found %f",
                   (LUAI_UACINT)row, (int)procs - 1, processor);
    return outage_of(L, nodes, time, (int32_t)processor,
                     row_number(L, row, "repair", nodes->repair), procs);
}

static void take_list(lua_State *L, orr_rigid_node_failures *nodes, int32_t procs)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    orr_outage *outages = new_outages(L, nodes, count);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        outages[i] = row_outage(L, nodes, i + 1, procs);
        if (i > 0 && outages[i].time < outages[i - 1].time)
            luaL_error(L, "node failure %I: they stand in order of time, and %f comes after %f",
                       (LUAI_UACINT)(i + 1), outages[i].time, outages[i - 1].time);
        lua_pop(L, 1);
    }
}

static void take_file(lua_State *L, orr_rigid_node_failures *nodes, int32_t procs)
{
    orr_fault *log = NULL;
    int64_t count = 0;
    orr_error err;
    orr_lua_block *block = orr_lua_new_block(L);
    orr_lua_try(L, orr_read_faults(lua_tostring(L, 2), NULL, procs, &log, &count, NULL, &err),
                &err);
    block->bytes = log;
    block->size = (size_t)count * sizeof *log;
    lua_insert(L, -2);
    orr_outage *outages = new_outages(L, nodes, count);
    for (int64_t i = 0; i < count; i++)
        outages[i] = outage_of(L, nodes, log[i].time, log[i].processor, nodes->repair, procs);
}

/* core.node_failure_log({ repair =, procs = }, file or list, processors of the machine) */
static int given(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    int32_t procs = (int32_t)luaL_checkinteger(L, 3);
    orr_rigid_node_failures *nodes = new_nodes(L, 1);
    if (lua_istable(L, 2))
        take_list(L, nodes, procs);
    else
        take_file(L, nodes, procs);
    return 1;
}

/* core.node_outages({ procs =, node_names = }, file, processors of the machine, jobs): the value,
 * and how many rows of the file were left out. */
static int outages(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const char *path = luaL_checkstring(L, 2);
    const orr_jobs *jobs = orr_lua_check_jobs(L, 4);
    orr_outage_list list;
    orr_error err;
    orr_rigid_node_failures *nodes = new_nodes(L, 1);
    orr_outage_reading reading = {.size = sizeof reading,
                                  .procs = (int32_t)luaL_checkinteger(L, 3),
                                  .node_procs = nodes->node_procs,
                                  .has_origin = jobs->has_origin,
                                  .origin_us = jobs->origin_us,
                                  .zone = jobs->zone,
                                  .from_one = orr_lua_flag_option(L, 1, "from_one")};
    const orr_nodes *of = nodes->node_procs > 0 ? NULL : orr_lua_nodes_option(L, 1);
    if (of) { /* read as if each had one processor */
        reading.procs = of->count;
        reading.node_procs = 1;
    }
    if (lua_getfield(L, 1, "node_names") != LUA_TNIL) /* which the table keeps */
        reading.node_names = luaL_checkstring(L, -1);
    lua_pop(L, 1);
    orr_lua_block *blocks[2];
    for (int i = 0; i < 2; i++) {
        blocks[i] = orr_lua_new_block(L);
        lua_setiuservalue(L, -2, i + 1);
    }
    orr_lua_try(L, orr_read_outages(path, &reading, &list, NULL, &err), &err);
    for (int64_t i = 0; of && i < list.count; i++) {
        orr_outage *o = &list.outages[i];
        int32_t behind = of->first[o->first + o->count];
        o->first = of->first[o->first];
        o->count = behind - o->first;
    }
    nodes->law = ORR_FAULTS_LOG;
    nodes->outages = blocks[0]->bytes = list.outages;
    nodes->outage_kinds = blocks[1]->bytes = list.kinds;
    nodes->outage_count = list.count;
    blocks[0]->size = (size_t)list.count * sizeof *list.outages;
    blocks[1]->size = (size_t)list.count * sizeof *list.kinds;
    lua_pushinteger(L, (lua_Integer)list.left_out);
    return 2;
}

void orr_lua_open_failures(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"read_failures", read_failures}, {"failures", make_failures}, {"node_failures", drawn},
        {"node_failure_log", given},      {"node_outages", outages},   {NULL, NULL}};
    static const orr_lua_class of_jobs = {
        .name = ORR_LUA_FAILURES, .gc = failures_gc, .len = failures_len};
    static const orr_lua_class of_nodes = {.name = ORR_LUA_NODE_FAILURES};
    orr_lua_new_class(L, &of_jobs);
    orr_lua_new_class(L, &of_nodes);
    luaL_setfuncs(L, functions, 0);
}
