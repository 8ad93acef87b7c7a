/* Formulas of priorities: from the tables of formulas.lua to the kernel's form; and the lookup of
 * the policy's values. The lookup runs outside of protected calls: it can raise no error. */
#include "bindings/host/formulas.h"
#include "bindings/host/calls.h"
#include "bindings/host/hooks.h"

#include <lauxlib.h>
#include <string.h>

enum { MOST_PLACES = 32, MOST_TEXTS = 8, ROOM = MOST_PLACES + 10 };

/* Where something is looked up, see formulas.lua. Numbers of fields of the table `data`. */
typedef struct place {
    int of;      /* a kind of label, or ORR_OUTSIDE_OF_ALL */
    int under;   /* an earlier place, counted from 1; 0: none */
    int key;     /* 0: the label of the job */
    int f;       /* 0: sim.state */
    int upvalue; /* of f */
} place;

typedef enum as {
    ONLY_FLOAT,
    ONLY_INTEGER,
    AS_FLOAT,
    AS_INTEGER,
    AS_NUMBER,
    IS_FLOAT,
    IS_INTEGER,
    IS_NUMBER,
    IS_TABLE,
    IS_TRUE,
    IS_NIL
} as;

static const char *const as_names[] = {"only_float", "only_integer", "float",      "integer",
                                       "number",     "is_float",     "is_integer", "is_number",
                                       "is_table",   "is_true",      "is_nil",     NULL};

typedef struct outside {
    as as;
    int place; /* from 1 */
} outside;

typedef struct guard {
    int place, value; /* a field of `data` */
} guard;

typedef struct host_formula {
    orr_formula formula;
    orr_host *host;
    int data; /* reference of a table: keys, functions, values of guards */
    int places, guards;
    place place[MOST_PLACES];
    uint32_t needed[ORR_LABEL_KINDS + 1]; /* places by what is looked up, from ORR_OUTSIDE_OF_ALL */
    outside outside[ORR_FORMULA_OUTSIDE];
    int32_t outside_of[ORR_FORMULA_OUTSIDE];
    guard guard[MOST_PLACES];
    int texts;
    const char *text[MOST_TEXTS]; /* under which hooks write; they stay in the table */
    orr_formula_step step[ORR_FORMULA_STEPS];
    struct { /* what was looked up for all jobs: after which change of which state */
        uint64_t changes;
        void *state;
        bool holds;
        orr_formula_value values[ORR_FORMULA_OUTSIDE];
    } seen;
} host_formula;

/* --- looking up ------------------------------------------------------------------------------- */

static int push_label(lua_State *L)
{
    lua_pushstring(L, lua_touserdata(L, 1)); /* nil without one: the formula asks for that */
    return 1;
}

/* Pushes the value in a place; nil if the place under it holds no table. False if only Lua can look
 * the value up. The places under it have been pushed, from `base` on; in front of it stands the
 * label. */
static bool push_place(lua_State *L, const host_formula *f, int base, int number, void *state)
{
    const place *p = &f->place[number];
    int data = base;
    if (p->under == 0) {
        if (p->f == 0) {
            lua_rawgeti(L, LUA_REGISTRYINDEX, (lua_Integer)(intptr_t)state);
            return true;
        }
        lua_rawgeti(L, data, p->f);
        lua_getupvalue(L, -1, p->upvalue);
        lua_replace(L, -2);
        return true;
    }
    int table = base + p->under;
    if (!lua_istable(L, table)) {
        lua_pushnil(L);
        return true;
    }
    if (p->key != 0)
        lua_rawgeti(L, data, p->key);
    else
        lua_pushvalue(L, data - 1);
    if (lua_rawget(L, table) != LUA_TNIL || !lua_getmetatable(L, table))
        return true;
    return false;
}

static bool take_value(lua_State *L, as what, int at, orr_formula_value *value)
{
    int type = lua_type(L, at);
    bool integer = lua_isinteger(L, at), number = type == LUA_TNUMBER;
    switch (what) {
    case ONLY_FLOAT:
    case AS_FLOAT:
        value->number = number && !integer ? lua_tonumber(L, at) : 0;
        return what == AS_FLOAT || (number && !integer);
    case ONLY_INTEGER:
    case AS_INTEGER:
        value->integer = integer ? lua_tointeger(L, at) : 0;
        return what == AS_INTEGER || integer;
    case AS_NUMBER:
        value->number = number ? lua_tonumber(L, at) : 0;
        return true;
    case IS_NUMBER:
        value->integer = number;
        return true;
    case IS_FLOAT:
        value->integer = number && !integer;
        return true;
    case IS_INTEGER:
        value->integer = integer;
        return true;
    case IS_TABLE:
        value->integer = type == LUA_TTABLE;
        return true;
    case IS_TRUE:
        value->integer = lua_toboolean(L, at);
        return true;
    case IS_NIL:
        value->integer = type == LUA_TNIL;
        return true;
    }
    return false;
}

static bool look_up_all(lua_State *L, const host_formula *f, int32_t of, void *state,
                        const char *label, orr_formula_value *values)
{
    int base = lua_gettop(L) + 2;
    lua_pushcfunction(L, push_label);
    lua_pushlightuserdata(L, (void *)(intptr_t)label);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        return false; /* no memory */
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->data);
    for (int i = 0; i < f->places; i++) {
        if (!(f->needed[of + 1] & 1u << i))
            lua_pushnil(L);
        else if (!push_place(L, f, base, i, state))
            return false;
    }
    for (int i = 0; of == ORR_OUTSIDE_OF_ALL && i < f->guards; i++) {
        lua_rawgeti(L, base, f->guard[i].value);
        if (!lua_rawequal(L, -1, base + f->guard[i].place))
            return false;
        lua_pop(L, 1);
    }
    for (int32_t i = 0; i < f->formula.outside_count; i++)
        if (f->outside_of[i] == of &&
            !take_value(L, f->outside[i].as, base + f->outside[i].place, &values[i]))
            return false;
    return true;
}

/* Looks up what is the same for all jobs; where nothing can have changed, what it was. */
static bool look_up_once(host_formula *f, void *state, orr_formula_value *values)
{
    size_t size = (size_t)f->formula.outside_count * sizeof *values;
    const orr_host *host = f->host;
    uint64_t changed =
        host->shared_changed > host->all_changed ? host->shared_changed : host->all_changed;
    bool is_new = f->seen.changes != changed || f->seen.state != state;
    if (is_new || host->calling) {
        f->seen.changes = changed;
        f->seen.state = state;
        f->seen.holds = look_up_all(f->host->L, f, ORR_OUTSIDE_OF_ALL, state, NULL, f->seen.values);
    }
    memcpy(values, f->seen.values, size);
    return f->seen.holds;
}

static bool look_up(void *user, const orr_rigid_priority_view *view, int32_t of, int32_t job,
                    orr_formula_value *values)
{
    host_formula *f = user;
    lua_State *L = f->host->L;
    int top = lua_gettop(L);
    if (!lua_checkstack(L, ROOM))
        return false;
    const char *label =
        job < 0 ? NULL : orr_jobs_label_text(view->instance->jobs, job, (orr_label)of);
    void *state = orr_rigid_state(view->sim);
    bool holds = of == ORR_OUTSIDE_OF_ALL ? look_up_once(f, state, values)
                                          : look_up_all(L, f, of, state, label, values);
    lua_settop(L, top);
    return holds;
}

/* When the values that a label finds changed last: the number of a change (host->changes). 0: not
 * known, because a hook also writes under a constant equal to the label. */
static uint64_t version(void *user, const orr_jobs *jobs, int32_t label)
{
    const host_formula *f = user;
    const orr_host *host = f->host;
    for (int i = 0; label > 0 && i < f->texts; i++)
        if (strcmp(f->text[i], orr_labels_text(&jobs->names, label)) == 0)
            return 0;
    uint64_t changed = label < host->changed_room ? host->changed[label] : 0;
    return changed > host->all_changed ? changed : host->all_changed;
}

/* --- taking ----------------------------------------------------------------------------------- */

static int take_integer(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    int value = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Puts field `name` of the table on top into the table at `data`, whose size is *size; where it is
 * there, 0 for nil. */
static int take_datum(lua_State *L, int data, int *size, const char *name)
{
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    lua_rawseti(L, data, ++*size);
    return *size;
}

static orr_formula_op take_op(lua_State *L)
{
    static const char *const names[] = {
#define NAME(name) #name,
        ORR_FORMULA_OPERATIONS(NAME)
#undef NAME
            NULL};
    lua_getfield(L, -1, "op");
    int op = luaL_checkoption(L, -1, NULL, names);
    lua_pop(L, 1);
    return (orr_formula_op)op;
}

static orr_formula_step take_step(lua_State *L)
{
    orr_formula_step step = {.op = take_op(L),
                             .a = take_integer(L, "a"),
                             .b = take_integer(L, "b"),
                             .c = take_integer(L, "c")};
    lua_getfield(L, -1, "number");
    step.number = lua_tonumber(L, -1);
    lua_getfield(L, -2, "integer");
    step.integer = lua_tointeger(L, -1);
    lua_getfield(L, -3, "text");
    step.text = lua_tostring(L, -1); /* the table of steps stays */
    lua_pop(L, 3);
    return step;
}

/* Calls `take` with every table of the list in field `name` of the table on top; how many. */
static int take_list(lua_State *L, host_formula *f, int data, int *size, const char *name,
                     void (*take)(lua_State *L, host_formula *f, int i, int data, int *size))
{
    lua_getfield(L, -1, name);
    int count = (int)lua_rawlen(L, -1);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        take(L, f, i, data, size);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as the others */
static void take_one_step(lua_State *L, host_formula *f, int i, int data, int *size)
{
    (void)data, (void)size;
    f->step[i] = take_step(L);
}

static void take_place(lua_State *L, host_formula *f, int i, int data, int *size)
{
    lua_getfield(L, -1, "key");
    bool is_label = lua_isboolean(L, -1);
    lua_pop(L, 1);
    f->place[i] = (place){.of = take_integer(L, "of"),
                          .under = take_integer(L, "under"),
                          .key = is_label ? 0 : take_datum(L, data, size, "key"),
                          .f = take_datum(L, data, size, "f"),
                          .upvalue = take_integer(L, "upvalue")};
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as the others */
static void take_outside(lua_State *L, host_formula *f, int i, int data, int *size)
{
    (void)data, (void)size;
    lua_getfield(L, -1, "as");
    f->outside[i].as = (as)luaL_checkoption(L, -1, NULL, as_names);
    lua_pop(L, 1);
    f->outside[i].place = take_integer(L, "place");
    f->outside_of[i] = take_integer(L, "of");
}

static void take_guard(lua_State *L, host_formula *f, int i, int data, int *size)
{
    f->guard[i].place = take_integer(L, "place");
    f->guard[i].value = take_datum(L, data, size, "value");
}

/* Which places have to be looked at for which labels: theirs, and those that lead there. */
static void find_needed(host_formula *f)
{
    for (int of = ORR_OUTSIDE_OF_ALL; of < ORR_LABEL_KINDS; of++)
        for (int i = f->places - 1; i >= 0; i--) {
            uint32_t *needed = &f->needed[of + 1];
            if (f->place[i].of == of)
                *needed |= 1u << i;
            if (*needed & 1u << i && f->place[i].under > 0)
                *needed |= 1u << (f->place[i].under - 1);
        }
}

/* Adds the texts in a list of the table on top, which stays, to *count <= `most` texts; false: they
 * are too many. */
static bool take_texts(lua_State *L, const char *name, const char **text, int *count, int most)
{
    lua_getfield(L, -1, name);
    int more = (int)lua_rawlen(L, -1);
    bool fits = *count + more <= most;
    for (int i = 0; fits && i < more; i++) {
        lua_rawgeti(L, -1, i + 1);
        text[(*count)++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return fits;
}

/* The numbers in a list of the table on top, as bits. */
static uint32_t take_bits(lua_State *L, const char *name)
{
    uint32_t bits = 0;
    lua_getfield(L, -1, name);
    for (int i = (int)lua_rawlen(L, -1); i > 0; i--) {
        lua_rawgeti(L, -1, i);
        bits |= 1u << lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return bits;
}

/* Field `writes` of the table on top. */
static void take_writes(lua_State *L, host_formula *f)
{
    orr_host *host = f->host;
    if (lua_getfield(L, -1, "writes") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    if (!take_texts(L, "keys", host->key, &host->keys, ORR_HOST_KEYS))
        return;
    lua_getfield(L, -1, "writes");
    for (int hook = 0; hook < ORR_HOOKS_END; hook++) {
        orr_hook_writes *writes = &host->writes[hook];
        if (lua_getfield(L, -1, orr_hook_names[hook]) == LUA_TTABLE &&
            take_texts(L, "texts", f->text, &f->texts, MOST_TEXTS))
            *writes = (orr_hook_writes){true, take_bits(L, "kinds"), take_bits(L, "shares")};
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The formula of the table on top. `data` keeps what it refers to, and that table. */
static const orr_formula *take(orr_host *host)
{
    lua_State *L = host->L;
    int formula = lua_gettop(L), size = 2;
    host_formula *f = memset(lua_newuserdatauv(L, sizeof *f, 0), 0, sizeof *f);
    lua_newtable(L);
    int data = lua_gettop(L);
    lua_pushvalue(L, formula);
    lua_rawseti(L, data, 1);
    lua_pushvalue(L, formula + 1);
    lua_rawseti(L, data, 2);
    lua_pushvalue(L, formula);
    f->host = host;
    f->formula = (orr_formula){.size = sizeof f->formula,
                               .user = f,
                               .steps = f->step,
                               .outside_of = f->outside_of,
                               .look_up = look_up,
                               .version = version};
    f->formula.count = take_list(L, f, data, &size, "steps", take_one_step);
    f->places = take_list(L, f, data, &size, "places", take_place);
    f->formula.outside_count = take_list(L, f, data, &size, "outside", take_outside);
    f->guards = take_list(L, f, data, &size, "guards", take_guard);
    take_writes(L, f);
    find_needed(f);
    if (f->places == 0)
        f->formula.look_up = NULL;
    lua_settop(L, data);
    f->data = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, formula);
    return &f->formula;
}

/* Whether the function must be called instead: calls are recorded, or one call could exceed the
 * instruction limit (`work` of the table on top is the most instructions that a call takes). */
static bool must_call(const orr_host *host)
{
    lua_getfield(host->L, -1, "work");
    lua_Integer work = lua_tointeger(host->L, -1);
    lua_pop(host->L, 1);
    int most = host->limits.instructions;
    return orr_calls_are_recorded || (most > 0 && work >= most);
}

const orr_formula *orr_host_find_formula(orr_host *host, int32_t group, const char *name)
{
    const orr_formula *formula = NULL;
    int find = host->refs[ORR_REF_FIND_FORMULA];
    if (orr_calls_are_recorded || find == LUA_NOREF || !lua_checkstack(host->L, 20))
        return NULL;
    lua_rawgeti(host->L, LUA_REGISTRYINDEX, find);
    lua_pushinteger(host->L, group);
    lua_pushstring(host->L, name);
    if (lua_pcall(host->L, 2, 1, 0) == LUA_OK && lua_istable(host->L, -1) && !must_call(host))
        formula = take(host);
    lua_pop(host->L, 1);
    return formula;
}

const orr_formula *orr_host_take_formula(orr_host *host, const char *name)
{
    const orr_formula *formula = NULL;
    if (lua_getfield(host->L, -1, name) == LUA_TTABLE && !must_call(host))
        formula = take(host);
    lua_pop(host->L, 1);
    return formula;
}
