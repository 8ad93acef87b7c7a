/* Lines that policies print, and their notes. */
#include "bindings/host/notes.h"

#include "bindings/host/views.h"
#include "bindings/host/watchdog.h"
#include "bindings/support/fields.h"
#include "bindings/support/messages.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* --- the notes of a simulation --------------------------------------------------------------- */

/* Its fields stand one after the other: a letter for the type, the name and its zero, the value. */
typedef struct orr_note {
    int users;
    double time;      /* s */
    const char *hook; /* a literal */
    size_t size;
    char fields[];
} orr_note;

static void release(orr_note *note)
{
    if (note && --note->users == 0)
        free(note);
}

static int32_t kept(const orr_notes *notes)
{
    return notes->count < ORR_MOST_NOTES ? (int32_t)notes->count : ORR_MOST_NOTES;
}

void orr_notes_destroy(orr_notes *notes)
{
    for (int32_t i = 0; i < kept(notes); i++)
        release(notes->ring[i]);
    free(notes->ring);
    *notes = (orr_notes){0};
}

orr_status orr_notes_copy(orr_notes *to, const orr_notes *from, orr_error *err)
{
    size_t size = (size_t)kept(from) * sizeof(orr_note *);
    *to = (orr_notes){0};
    if (size == 0)
        return ORR_OK;
    to->ring = malloc(size);
    if (!to->ring)
        return orr_fail_memory(err, size);
    memcpy(to->ring, from->ring, size);
    to->capacity = kept(from);
    to->count = from->count;
    for (int32_t i = 0; i < to->capacity; i++)
        to->ring[i]->users++;
    return ORR_OK;
}

static bool add(orr_notes *notes, orr_note *note)
{
    int64_t at = notes->count % ORR_MOST_NOTES;
    if (at == notes->capacity) {
        int32_t more = notes->capacity < 8 ? 8 : 2 * notes->capacity;
        more = more < ORR_MOST_NOTES ? more : ORR_MOST_NOTES;
        orr_note **ring = realloc(notes->ring, (size_t)more * sizeof *ring);
        if (!ring)
            return false;
        notes->ring = ring;
        notes->capacity = more;
    }
    if (notes->count >= ORR_MOST_NOTES)
        release(notes->ring[at]);
    notes->ring[at] = note;
    notes->count++;
    return true;
}

/* --- from Lua and back ------------------------------------------------------------------------ */

/* A note in the making. */
typedef struct draft {
    lua_State *L;
    size_t size;
    char fields[ORR_MOST_OF_NOTE];
} draft;

static void put(draft *d, const void *bytes, size_t size)
{
    if (size > sizeof d->fields - d->size)
        luaL_error(d->L, "note: it has more than %d bytes", ORR_MOST_OF_NOTE);
    memcpy(d->fields + d->size, bytes, size);
    d->size += size;
}

static void put_field(draft *d, char type, const char *name, const void *value, size_t size)
{
    put(d, &type, 1);
    put(d, name, strlen(name) + 1);
    if (type == 's')
        put(d, &size, sizeof size);
    put(d, value, size);
}

static void put_text(draft *d, const char *name, const char *text)
{
    put_field(d, 's', name, text, strlen(text));
}

/* The names of a note's fields, sorted: the order of a Lua table differs from run to run, and a
 * policy must not see it from the error that is reported first. */
typedef struct field_names {
    const char *of[ORR_MOST_OF_NOTE / 3]; /* a field has a type, the end of its name, and a value */
    int count;
    bool too_many, other; /* some are no names */
    const char *taken;    /* one that every note has; NULL: none */
} field_names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The key under the value on top. */
static void add_name(field_names *names, lua_State *L)
{
    size_t size = 0;
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &size) : NULL;
    if (!name || strlen(name) != size)
        names->other = true;
    else if (strcmp(name, "time") == 0 || (strcmp(name, "hook") == 0 && !names->taken))
        names->taken = name;
    else if (names->count == ORR_MOST_OF_NOTE / 3)
        names->too_many = true;
    else
        names->of[names->count++] = name;
}

/* Those of the table at 2; its fields keep them alive. */
static void find_names(field_names *names, lua_State *L)
{
    lua_pushnil(L);
    while (!names->too_many && lua_next(L, 2)) {
        add_name(names, L);
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
    if (names->too_many)
        luaL_error(L, "note: it has more than %d bytes", ORR_MOST_OF_NOTE);
    if (names->other)
        luaL_error(L, "note: its fields have names, as in sim:note { free = sim.free }");
    if (names->taken)
        luaL_error(L, "note: every note has a field '%s' already; choose another name",
                   names->taken);
    qsort(names->of, (size_t)names->count, sizeof *names->of, by_name);
}

static const char *item_name(const orr_host *host)
{
    return host->call->tasks ? "task" : "job";
}

/* The value on top of the stack. */
static void put_value(draft *d, orr_host *host, const char *name)
{
    lua_State *L = d->L;
    size_t size;
    bool flag = lua_toboolean(L, -1);
    lua_Integer integer = lua_tointeger(L, -1);
    lua_Number number = lua_tonumber(L, -1);
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1))
            put_field(d, 'i', name, &integer, sizeof integer);
        else
            put_field(d, 'n', name, &number, sizeof number);
        return;
    case LUA_TBOOLEAN:
        put_field(d, 'b', name, &flag, sizeof flag);
        return;
    case LUA_TSTRING: {
        const char *text = lua_tolstring(L, -1, &size);
        put_field(d, 's', name, text, size);
        return;
    }
    case LUA_TUSERDATA:
    case LUA_TLIGHTUSERDATA:
        if (orr_view_is_item(L, host, -1)) {
            orr_view_item item = orr_view_unpack(host, lua_touserdata(L, -1));
            if (orr_view_is_live(host, item)) {
                put_text(d, name, orr_call_item_id(host->call, item.item));
                return;
            }
        }
        /* fall through */
    default:
        luaL_error(L, "note: its field '%s' is a %s; a note has numbers, texts, booleans and %ss",
                   name, luaL_typename(L, -1), item_name(host));
    }
}

static void put_all(draft *d, orr_host *host)
{
    lua_State *L = d->L;
    field_names names = {.count = 0};
    bool named = false;
    find_names(&names, L);
    for (int i = 0; i < names.count; i++) {
        named = named || strcmp(names.of[i], item_name(host)) == 0;
        lua_pushstring(L, names.of[i]);
        lua_rawget(L, 2);
        put_value(d, host, names.of[i]);
        lua_settop(L, 2);
    }
    if (!named && host->call->item >= 0)
        put_text(d, item_name(host), orr_call_item_id(host->call, host->call->item));
}

int orr_view_note(lua_State *L)
{
    orr_host *host = orr_view_host(L);
    draft d = {.L = L};
    if (lua_touserdata(L, 1) != (void *)host->self)
        return luaL_typeerror(L, 1, "sim, as in sim:note");
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_newtable(L);
        lua_insert(L, 2);
        lua_setfield(L, 2, "text");
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    put_all(&d, host);
    if (!host->notes)
        return 0;
    orr_note *note = malloc(sizeof *note + d.size);
    if (note) {
        *note = (orr_note){.users = 1, .time = orr_call_now(host->call), .hook = host->call->hook};
        note->size = d.size;
        memcpy(note->fields, d.fields, d.size);
        if (add(host->notes, note))
            return 0;
        free(note);
    }
    return luaL_error(L, "not enough memory");
}

/* Sets the field at `at` in the table on top; where the next one is. */
static const char *set_field(lua_State *L, const char *at)
{
    lua_Integer integer;
    lua_Number number;
    size_t size;
    char type = *at++;
    lua_pushstring(L, at);
    at += strlen(at) + 1;
    if (type == 'b') {
        lua_pushboolean(L, *at++);
    } else if (type == 's') {
        memcpy(&size, at, sizeof size);
        lua_pushlstring(L, at + sizeof size, size);
        at += sizeof size + size;
    } else if (type == 'i') {
        memcpy(&integer, at, sizeof integer);
        lua_pushinteger(L, integer);
        at += sizeof integer;
    } else {
        memcpy(&number, at, sizeof number);
        lua_pushnumber(L, number);
        at += sizeof number;
    }
    lua_rawset(L, -3);
    return at;
}

void orr_notes_push(lua_State *L, const orr_notes *notes, int64_t before)
{
    int64_t first = notes->count - kept(notes);
    first = first > before ? first : before;
    lua_newtable(L);
    for (int64_t i = first; i < notes->count; i++) {
        const orr_note *note = notes->ring[i % ORR_MOST_NOTES];
        lua_newtable(L);
        orr_lua_set_known(L, "time", note->time);
        orr_lua_set_text(L, "hook", note->hook);
        for (const char *at = note->fields; at < note->fields + note->size;)
            at = set_field(L, at);
        lua_rawseti(L, -2, i - first + 1);
    }
    if (first > before)
        orr_lua_set_integer(L, "dropped", first - before);
}

/* --- print ------------------------------------------------------------------------------------ */

static bool hushed;

static int hush(lua_State *L)
{
    lua_pushboolean(L, hushed);
    hushed = lua_toboolean(L, 1);
    return 1;
}

void orr_lua_open_notes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"hush", hush}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}

enum { MOST_PRINTED = 16 << 20 }; /* bytes per policy: the lines may go to a file */

static const char UNSEEN[] =
    "print: nobody looks on where several runs are compared. Use sim:note { }, which a session "
    "shows as s.notes; or run one policy in one scenario, where print works";
static const char TOO_MUCH[] = "print: the policy has printed 16 MiB, and may print no more";

/* An error that the policy cannot catch: a policy that caught it could see whether somebody looks
 * on. */
static int refuse_print(lua_State *L, orr_host *host, const char *why)
{
    host->no_print = why;
    lua_pushstring(L, why);
    return lua_error(L);
}

int orr_host_print(lua_State *L)
{
    orr_host *host = orr_host_of_tool(L);
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    if (!host || !(host->call->instance || host->call->tasks))
        return luaL_error(L, "print can be used only inside a hook of the policy");
    if (!host->prints)
        return refuse_print(L, host, UNSEEN);
    if (hushed || host->silent)
        return 0;
    if (size >= MOST_PRINTED - host->printed)
        return refuse_print(L, host, TOO_MUCH);
    host->printed += size + 1;
    orr_write_message(stderr, text, size);
    putc('\n', stderr);
    return 0;
}

int orr_host_must_end(lua_State *L)
{
    const orr_host *host = orr_host_of_tool(L);
    if (host && (host->no_memory || host->refused != 0))
        lua_pushliteral(L, "not enough memory");
    else if (host && host->no_print)
        lua_pushstring(L, host->no_print);
    else
        lua_pushnil(L);
    return 1;
}
