/* The layout of Lua's tables, read from Lua's own structs. */
#include "bindings/host/layouts.h"

#include <lauxlib.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* --- the structs of lobject.h in Lua 5.4 ----------------------------------------------------- */

typedef union raw_data {
    void *pointer;
    lua_Integer integer;
    lua_Number number;
} raw_data;

typedef struct raw_value {
    raw_data data;
    unsigned char tag; /* the type in the lower half; 0 with any upper half: nil */
} raw_value;

typedef struct raw_node {
    raw_data data;
    unsigned char tag, key_tag;
    int next;
    raw_data key;
} raw_node;

typedef struct raw_table {
    void *next;
    unsigned char type, marked, flags, node_bits;
    unsigned limit; /* where the border is looked for; the array's size, or in its upper half */
    raw_value *array;
    raw_node *nodes, *last_free;
    void *metatable, *gray;
} raw_table;

typedef struct raw_upvalue {
    void *next;
    unsigned char type, marked;
    raw_value *value;
} raw_upvalue;

enum {
    IS_NO_SIZE = 1 << 7, /* a flag: the limit is not the array's size */
    TYPE = 0x0f,
    FLOAT = LUA_TNUMBER | 1 << 4,
    IS_COLLECTED = 1 << 6,
    DEAD_KEY = LUA_NUMTYPES + 2
};

/* The array's size: the next power of two where the limit is not it. */
static unsigned array_size(const raw_table *t)
{
    unsigned size = t->limit;
    if (!(t->flags & IS_NO_SIZE) || (size & (size - 1)) == 0)
        return size;
    size--;
    for (unsigned bits = 1; bits < 32; bits *= 2)
        size |= size >> bits;
    return size + 1;
}

static size_t node_count(const raw_table *t)
{
    return (size_t)1 << t->node_bits;
}

static const raw_value *upvalue_of(lua_State *L, int function, int which)
{
    const raw_upvalue *upvalue = lua_upvalueid(L, function, which);
    return upvalue->value;
}

/* Whether a table and an upvalue of a function look as they should. */
static bool looks_right(lua_State *L)
{
    int top = lua_gettop(L);
    lua_createtable(L, 3, 4);
    lua_pushnumber(L, 1.5);
    lua_rawseti(L, -2, 2);
    const raw_table *t = lua_topointer(L, -1);
    bool right = t->limit == 3 && t->node_bits == 2 && !(t->flags & IS_NO_SIZE) &&
                 t->array[1].tag == FLOAT && t->array[1].data.number == 1.5 &&
                 (t->array[0].tag & TYPE) == LUA_TNIL && t->last_free == t->nodes + 4 &&
                 !t->metatable;
    lua_pushnumber(L, 2.5);
    lua_setfield(L, -2, "k");
    size_t found = 0;
    for (int i = 0; right && i < 4; i++)
        found += t->nodes[i].tag == FLOAT && t->nodes[i].data.number == 2.5 &&
                 (t->nodes[i].key_tag & TYPE) == LUA_TSTRING;
    right = right && found == 1;
    if (right && luaL_dostring(L, "local x = 1.5 return function() return x end") == LUA_OK) {
        const raw_value *value = upvalue_of(L, -1, 1);
        right = value->tag == FLOAT && value->data.number == 1.5;
    }
    lua_settop(L, top);
    return right;
}

static bool is_known(lua_State *L)
{
    static _Atomic int known; /* 1: they are, -1: they are others; of the Lua that is linked */
    if (known == 0)
        known = LUA_VERSION_NUM == 504 && lua_version(L) == 504 && looks_right(L) ? 1 : -1;
    return known > 0;
}

/* --- the seed of hashes ----------------------------------------------------------------------- */

typedef struct raw_string {
    void *next;
    unsigned char type, marked, extra, length;
    unsigned hash;
    struct raw_string *beside;
    char text[];
} raw_string;

typedef struct raw_global {
    lua_Alloc alloc;
    void *user;
    size_t counts[4];
    raw_string **strings;
    int used, room;
    raw_value registry, nil;
    unsigned seed;
} raw_global;

typedef struct raw_state {
    void *next;
    unsigned char type, marked, status, allows_hooks;
    unsigned short calls;
    void *top;
    raw_global *global;
} raw_state;

static unsigned hash_of(const raw_string *s, unsigned seed)
{
    unsigned hash = seed ^ s->length;
    for (size_t i = s->length; i > 0; i--)
        hash ^= (hash << 5) + (hash >> 2) + (unsigned char)s->text[i - 1];
    return hash;
}

void orr_layout_reseed(lua_State *L)
{
    enum { SEED = 18 };
    void *user;
    raw_global *g = ((raw_state *)L)->global;
    raw_string *all = NULL;
    if (LUA_VERSION_NUM != 504 || lua_version(L) != 504 || lua_getallocf(L, &user) != g->alloc ||
        user != g->user)
        return;
    for (int i = 0; i < g->room; i++) {
        for (const raw_string *s = g->strings[i]; s; s = s->beside) {
            if (s->hash != hash_of(s, g->seed))
                return;
        }
    }
    for (int i = 0; i < g->room; i++) {
        for (raw_string *s = g->strings[i], *next; s; s = next) {
            next = s->beside;
            s->beside = all;
            all = s;
        }
        g->strings[i] = NULL;
    }
    g->seed = SEED;
    for (raw_string *s = all, *next; s; s = next) {
        next = s->beside;
        s->hash = hash_of(s, SEED);
        raw_string **at = &g->strings[s->hash & (unsigned)(g->room - 1)];
        s->beside = *at;
        *at = s;
    }
}

/* --- images ---------------------------------------------------------------------------------- */

typedef struct table_image {
    raw_table *table, was; /* what it was, but for its contents */
    size_t array, nodes;   /* where these begin among the values and nodes of the image */
    lua_Integer position;  /* in the list that it was made of */
} table_image;

typedef struct upvalue_image {
    const raw_upvalue *upvalue;
    raw_value was;
} upvalue_image;

struct orr_layout_borders {
    size_t count;
    table_image *tables; /* the first of the image */
};

struct orr_layout_image {
    size_t table_count, upvalue_count;
    orr_layout_borders borders;
    table_image *tables;
    upvalue_image *upvalues;
    raw_value *values;
    raw_node *nodes;
};

enum { TABLES = 1, FUNCTIONS, NUMBERS };

static raw_table *table_at(lua_State *L, size_t i)
{
    lua_rawgeti(L, TABLES, (lua_Integer)i + 1);
    raw_table *t = (raw_table *)lua_topointer(L, -1); /* only its limit is ever set */
    lua_pop(L, 1);
    return t;
}

static size_t rounded(size_t size)
{
    return (size + 15) / 16 * 16;
}

/* Pushes an image with room for all; its lists are at 1 to 3 of the stack. */
static orr_layout_image *new_image(lua_State *L)
{
    orr_layout_image size = {.table_count = lua_rawlen(L, TABLES),
                             .upvalue_count = lua_rawlen(L, FUNCTIONS)};
    size_t values = 0, nodes = 0;
    for (size_t i = 0; i < size.table_count; i++) {
        const raw_table *t = table_at(L, i);
        values += array_size(t);
        nodes += node_count(t);
    }
    size_t tables_at = rounded(sizeof(orr_layout_image));
    size_t upvalues_at = tables_at + rounded(size.table_count * sizeof(table_image));
    size_t values_at = upvalues_at + rounded(size.upvalue_count * sizeof(upvalue_image));
    size_t nodes_at = values_at + rounded(values * sizeof(raw_value));
    char *room = lua_newuserdatauv(L, nodes_at + nodes * sizeof(raw_node), 2);
    orr_layout_image *im = (orr_layout_image *)room;
    *im = size;
    im->tables = (table_image *)(room + tables_at);
    im->upvalues = (upvalue_image *)(room + upvalues_at);
    im->values = (raw_value *)(room + values_at);
    im->nodes = (raw_node *)(room + nodes_at);
    for (int list = TABLES; list <= FUNCTIONS; list++) { /* what it points to must live */
        lua_pushvalue(L, list);
        lua_setiuservalue(L, -2, list);
    }
    return im;
}

/* Lua moves the limit only where the array's size is a power of two; never below its half. */
static bool has_border_that_moves(const raw_table *t)
{
    unsigned size = array_size(t);
    return size >= 4 && (size & (size - 1)) == 0;
}

static void put_in_front(orr_layout_image *im, size_t i)
{
    table_image *front = &im->tables[im->borders.count++], moved = *front;
    *front = im->tables[i];
    im->tables[i] = moved;
}

static void take_tables(lua_State *L, orr_layout_image *im)
{
    size_t values = 0, nodes = 0;
    for (size_t i = 0; i < im->table_count; i++) {
        raw_table *t = table_at(L, i);
        im->tables[i] = (table_image){t, *t, values, nodes, (lua_Integer)i + 1};
        if (array_size(t) > 0)
            memcpy(im->values + values, t->array, array_size(t) * sizeof *t->array);
        memcpy(im->nodes + nodes, t->nodes, node_count(t) * sizeof *t->nodes);
        values += array_size(t);
        nodes += node_count(t);
    }
    im->borders.tables = im->tables;
    for (size_t i = 0; i < im->table_count; i++) {
        if (has_border_that_moves(&im->tables[i].was))
            put_in_front(im, i);
    }
}

static void take_upvalues(lua_State *L, orr_layout_image *im)
{
    for (size_t i = 0; i < im->upvalue_count; i++) {
        lua_rawgeti(L, FUNCTIONS, (lua_Integer)i + 1);
        lua_rawgeti(L, NUMBERS, (lua_Integer)i + 1);
        const raw_upvalue *upvalue = lua_upvalueid(L, -2, (int)lua_tointeger(L, -1));
        im->upvalues[i] = (upvalue_image){upvalue, *upvalue->value};
        lua_pop(L, 2);
    }
}

int orr_layout_make_image(lua_State *L)
{
    for (int list = TABLES; list <= NUMBERS; list++)
        luaL_checktype(L, list, LUA_TTABLE);
    lua_settop(L, NUMBERS);
    if (!is_known(L))
        return 0;
    orr_layout_image *im = new_image(L);
    take_tables(L, im);
    take_upvalues(L, im);
    return 1;
}

/* --- what has changed ------------------------------------------------------------------------ */

/* A long string with the same bytes may be another one: who asks looks again. */
static bool is_same(const raw_data *data, unsigned tag, const raw_data *was, unsigned was_tag)
{
    int type = tag & TYPE;
    if (type == LUA_TNIL)
        return (was_tag & TYPE) == LUA_TNIL;
    if (tag != was_tag || type == LUA_TBOOLEAN)
        return tag == was_tag;
    return type == LUA_TNUMBER ? data->integer == was->integer : data->pointer == was->pointer;
}

static bool has_layout(const table_image *im, const raw_node *was)
{
    const raw_table *t = im->table;
    if (t->array != im->was.array || array_size(t) != array_size(&im->was) ||
        t->nodes != im->was.nodes || t->node_bits != im->was.node_bits ||
        t->last_free != im->was.last_free)
        return false;
    for (size_t i = 0; i < node_count(t); i++) {
        const raw_node *node = &t->nodes[i]; /* one whose key is nil was never used */
        if (node->next != was[i].next || (node->key_tag == 0) != (was[i].key_tag == 0))
            return false;
    }
    return true;
}

static bool has_contents(const table_image *im, const raw_value *values, const raw_node *was)
{
    const raw_table *t = im->table;
    for (size_t i = 0; i < array_size(t); i++) {
        if (!is_same(&t->array[i].data, t->array[i].tag, &values[i].data, values[i].tag))
            return false;
    }
    for (size_t i = 0; i < node_count(t); i++) {
        const raw_node *node = &t->nodes[i];
        if (!is_same(&node->data, node->tag, &was[i].data, was[i].tag))
            return false;
        if ((node->tag & TYPE) != LUA_TNIL &&
            !is_same(&node->key, node->key_tag, &was[i].key, was[i].key_tag))
            return false;
    }
    return true;
}

/* To read an element can move the border that is found. */
static void restore_limit(raw_table *t, const raw_table *was)
{
    t->limit = was->limit;
    t->flags = (unsigned char)((t->flags & ~IS_NO_SIZE) | (was->flags & IS_NO_SIZE));
}

const orr_layout_borders *orr_layout_find_borders(const orr_layout_image *im)
{
    return im->borders.count > 0 ? &im->borders : NULL;
}

void orr_layout_restore(const orr_layout_borders *borders)
{
    for (size_t i = 0; i < borders->count; i++) {
        const table_image *one = &borders->tables[i];
        if (one->table->array == one->was.array && array_size(one->table) == array_size(&one->was))
            restore_limit(one->table, &one->was);
    }
}

bool orr_layout_is_same(const orr_layout_image *im)
{
    for (size_t i = 0; i < im->upvalue_count; i++) {
        const raw_value *now = im->upvalues[i].upvalue->value, *was = &im->upvalues[i].was;
        if (!is_same(&now->data, now->tag, &was->data, was->tag))
            return false;
    }
    for (size_t i = 0; i < im->table_count; i++) {
        const table_image *one = &im->tables[i];
        if (one->table->metatable != one->was.metatable ||
            !has_layout(one, im->nodes + one->nodes) ||
            !has_contents(one, im->values + one->array, im->nodes + one->nodes))
            return false;
    }
    return true;
}

int orr_layout_altered(lua_State *L)
{
    const orr_layout_image *im = lua_touserdata(L, 1);
    lua_Integer first = 0;
    for (size_t i = 0; im && i < im->table_count; i++) {
        const table_image *one = &im->tables[i];
        bool is_before = first == 0 || one->position < first;
        if (is_before && !has_layout(one, im->nodes + one->nodes))
            first = one->position;
    }
    if (first > 0)
        lua_pushinteger(L, first);
    return first > 0;
}

/* --- copies ---------------------------------------------------------------------------------- */

void orr_layout_push_like(lua_State *to, lua_State *from, int index)
{
    if (!is_known(to)) {
        lua_createtable(to, (int)lua_rawlen(from, index), 0);
        return;
    }
    const raw_table *t = lua_topointer(from, index);
    bool has_nodes = t->last_free != NULL; /* else it points to one that all such tables share */
    lua_createtable(to, (int)array_size(t), has_nodes ? (int)node_count(t) : 0);
}

/* Whether every key of the table is found in the same place in a copy: tables as keys are not. */
static bool has_plain_keys(const raw_table *t)
{
    for (size_t i = 0; i < node_count(t); i++) {
        const raw_node *node = &t->nodes[i];
        if ((node->tag & TYPE) != LUA_TNIL && (node->key_tag & TYPE) == LUA_TTABLE)
            return false;
    }
    return true;
}

/* The copy holds the same keys and values already, elsewhere among its nodes; tables of the
 * original are replaced by what `memo` has for them. A key without a value is only its place. */
static void copy_nodes(lua_State *L, raw_table *made, const raw_table *t, int memo)
{
    for (size_t i = 0; i < node_count(t); i++) {
        raw_node *node = &made->nodes[i];
        *node = t->nodes[i];
        if ((node->tag & TYPE) == LUA_TNIL && (node->key_tag & IS_COLLECTED)) {
            node->key_tag = DEAD_KEY;
        } else if ((node->tag & TYPE) == LUA_TTABLE) {
            lua_rawgetp(L, memo, node->data.pointer);
            node->data.pointer = (void *)lua_topointer(L, -1);
            lua_pop(L, 1);
        }
    }
    made->last_free = made->nodes + (t->last_free - t->nodes);
}

void orr_layout_finish(lua_State *to, int copy, lua_State *from, int index, int memo)
{
    raw_table *made = (raw_table *)lua_topointer(to, copy);
    const raw_table *t = lua_topointer(from, index);
    if (!is_known(to) || array_size(made) != array_size(t))
        return;
    restore_limit(made, t);
    bool has_nodes = t->last_free != NULL && made->last_free != NULL;
    if (to == from && has_nodes && made->node_bits == t->node_bits && has_plain_keys(t))
        copy_nodes(to, made, t, memo);
}
