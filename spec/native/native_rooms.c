/* native_rooms: what the floors above share of kernel/base/ - arrays, blocks, sorting, text, threads -
 * for the specs. */
#include "native.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/sort_internal.h"
#include "base/text_internal.h"
#include "base/threads_internal.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>

ORR_API int luaopen_native_rooms(lua_State *L);

/* The status of what was done, whether all elements were as they should be, bytes that were not
 * given back, allocations asked for. */
static int report(lua_State *L, orr_status status, bool good, const spec_memory *m)
{
    lua_pushinteger(L, status);
    lua_pushboolean(L, good);
    lua_pushinteger(L, m->bytes);
    lua_pushinteger(L, m->calls);
    return 4;
}

/* --- arrays ------------------------------------------------------------------------------------*/

/* array(elements, refused): appends, copies into an array that is too small, trims and frees. */
static int array(lua_State *L)
{
    lua_Integer elements = luaL_checkinteger(L, 1);
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    int32_t *items = NULL, *copy = NULL;
    int64_t capacity = 0, copied = 0, count = 0;
    orr_status status = ORR_OK;
    while (count < elements && status == ORR_OK) {
        status = ORI_RESERVE(&a, &items, &capacity, count + 1, NULL);
        if (status == ORR_OK)
            items[count] = (int32_t)count * 7;
        count += status == ORR_OK;
    }
    if (status == ORR_OK)
        status = ORI_RESERVE(&a, &copy, &copied, 1, NULL);
    bool good = capacity >= count && capacity < 2 * count + 1024, small = status == ORR_OK;
    int64_t before = copied;
    if (small)
        copy[0] = -1;
    if (small)
        status = ORI_COPY(&a, &copy, &copied, items, count, NULL);
    if (small && status != ORR_OK)
        good = good && copied == before && copy[0] == -1;
    for (int64_t i = 0; i < count; i++)
        good = good && items[i] == i * 7 && (status != ORR_OK || copy[i] == items[i]);
    if (status == ORR_OK) {
        ORI_TRIM(&a, &items, &capacity, count, NULL);
        good = good && (m.fail_at > 0 || capacity == count) && items[count - 1] == copy[count - 1];
    }
    ORI_FREE(&a, &items, &capacity);
    ORI_FREE(&a, &copy, &copied);
    return report(L, status, good && !items && capacity == 0, &m);
}

/* array_overflows() -> status, message: more than there are addresses. */
static int array_overflows(lua_State *L)
{
    orr_allocator a = orr_allocator_or_default(NULL);
    orr_error err;
    double *items = NULL;
    int64_t capacity = 0;
    lua_pushinteger(L, ORI_RESERVE(&a, &items, &capacity, (INT64_C(1) << 61) + 1, &err));
    lua_pushstring(L, err.message);
    return 2;
}

/* --- blocks ------------------------------------------------------------------------------------*/

typedef struct table {
    double *time;
    int32_t *procs;
    char *mark;
    int64_t *late; /* behind narrower ones */
    double *never;
    int32_t *pair;
} table;

static bool is_aligned(const table *t)
{
    return (uintptr_t)t->time % sizeof *t->time == 0 && (uintptr_t)t->late % sizeof *t->late == 0 &&
           (uintptr_t)t->procs % sizeof *t->procs == 0;
}

/* block(rows, refused): a block that is created, with zeros in it and an array left out. */
static int block(lua_State *L)
{
    size_t rows = (size_t)luaL_checkinteger(L, 1);
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    table t = {.never = &(double){0}};
    ori_block memory;
    const ori_part parts[] = {ORI_PART(t.time, rows), ORI_PART(t.procs, rows),
                              ORI_PART(t.mark, rows), ORI_PART(t.late, rows),
                              ORI_PART_IF(false, t.never, rows)};
    orr_status status = ORI_BLOCK_CREATE(&memory, parts, ORI_ZEROED, &a, NULL);
    bool good = true;
    for (size_t i = 0; i < rows && status == ORR_OK; i++) {
        good = good && t.time[i] == 0 && t.procs[i] == 0 && t.mark[i] == 0 && t.late[i] == 0;
        t.time[i] = 1, t.procs[i] = 2, t.mark[i] = 3, t.late[i] = 4;
    }
    for (size_t i = 0; i < rows && status == ORR_OK; i++)
        good = good && t.time[i] == 1 && t.procs[i] == 2 && t.mark[i] == 3 && t.late[i] == 4;
    good = good && (status != ORR_OK || (is_aligned(&t) && !t.never));
    ori_block_destroy(&memory, &a);
    return report(L, status, good, &m);
}

/* grown_block(rows, refused): a table of records that doubles until it has so many. */
static int grown_block(lua_State *L)
{
    size_t rows = (size_t)luaL_checkinteger(L, 1), used = 0, capacity = 0;
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    table t = {0};
    ori_block memory = {0};
    const ori_part parts[] = {ORI_PART(t.time, 1), ORI_PART(t.procs, 1),
                              ORI_PART_IF(false, t.never, 1), ORI_PART(t.mark, 1),
                              ORI_PART(t.pair, 2)};
    orr_status status = ORR_OK;
    bool good = true;
    while (used < rows && status == ORR_OK) {
        if (used == capacity) {
            size_t next = capacity == 0 ? 3 : 2 * capacity;
            status = ORI_BLOCK_GROW(&memory, parts, used, capacity, next, &a, NULL);
            capacity = status == ORR_OK ? next : capacity;
            continue;
        }
        t.time[used] = (double)used, t.procs[used] = (int32_t)used + 1;
        t.mark[used] = (char)(used % 100), t.pair[2 * used] = t.pair[2 * used + 1] = (int32_t)used;
        used++;
    }
    for (size_t i = 0; i < used; i++)
        good = good && t.time[i] == (double)i && t.procs[i] == (int32_t)i + 1 &&
               t.mark[i] == (char)(i % 100) && t.pair[2 * i] == (int32_t)i &&
               t.pair[2 * i + 1] == (int32_t)i;
    ori_block_destroy(&memory, &a);
    return report(L, status, good && !t.never, &m);
}

/* block_overflows() -> status, twice: more than there are addresses, in one array and in a sum. */
static int block_overflows(lua_State *L)
{
    orr_allocator a = orr_allocator_or_default(NULL);
    table t = {0};
    ori_block memory;
    const ori_part product[] = {ORI_PART(t.time, SIZE_MAX / 8 + 2)};
    const ori_part sum[] = {ORI_PART(t.mark, SIZE_MAX - 64), ORI_PART(t.time, 16)};
    lua_pushinteger(L, ORI_BLOCK_CREATE(&memory, product, ORI_RAW, &a, NULL));
    ori_block_destroy(&memory, &a);
    lua_pushinteger(L, ORI_BLOCK_CREATE(&memory, sum, ORI_RAW, &a, NULL));
    ori_block_destroy(&memory, &a);
    return 2;
}

/* --- sorting -----------------------------------------------------------------------------------*/

typedef struct keyed {
    int32_t key;
    int32_t place;
} keyed;

static bool is_smaller(const void *x, const void *y)
{
    return ((const keyed *)x)->key < ((const keyed *)y)->key;
}

/* sort(keys, refused) -> where each was (from 1), nil without memory; bytes not given back; calls */
static int sort(lua_State *L)
{
    int32_t count;
    int32_t *keys = spec_ints(L, 1, &count);
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    keyed *items = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *items, 0);
    for (int32_t i = 0; i < count; i++)
        items[i] = (keyed){keys[i], i + 1};
    orr_status status = ORI_SORT(items, count, is_smaller, &a, NULL);
    lua_newtable(L);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, items[i].place);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushinteger(L, status);
    lua_pushinteger(L, m.bytes);
    lua_pushinteger(L, m.calls);
    return 4;
}

/* --- text --------------------------------------------------------------------------------------*/

static int shortest(lua_State *L)
{
    char text[ORI_NUMBER_SIZE];
    int length = ori_shortest(text, luaL_checknumber(L, 1));
    lua_pushlstring(L, text, (size_t)length);
    return 1;
}

static int integer(lua_State *L)
{
    char text[ORI_NUMBER_SIZE];
    int length = ori_integer(text, luaL_checkinteger(L, 1));
    lua_pushlstring(L, text, (size_t)length);
    return 1;
}

/* printed(format, number) */
static int printed(lua_State *L)
{
    char text[64];
    ori_snprintf(text, sizeof text, luaL_checkstring(L, 1), luaL_checknumber(L, 2));
    lua_pushstring(L, text);
    return 1;
}

static int quote(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    char quoted[ORI_QUOTED_SIZE];
    lua_pushstring(L, ori_quote(text, size, quoted));
    return 1;
}

typedef struct taker {
    luaL_Buffer *buffer;
    lua_Integer pieces, refused; /* this one is, from 1 */
} taker;

static bool take(void *user, const char *text, size_t size)
{
    taker *t = user;
    luaL_addlstring(t->buffer, text, size);
    return ++t->pieces != t->refused;
}

static void put_row(ori_text *t, lua_State *L)
{
    ori_text_field(t, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
    ori_text_char(t, ',');
    ori_text_number(t, luaL_checknumber(L, 3));
    ori_text_printf(t, ",%.17g|%s\n", luaL_checknumber(L, 3), "end");
}

/* row(text, suffix, number, refused) -> a row of CSV in memory, or nil; bytes not given back; calls */
static int row(lua_State *L)
{
    spec_memory m = {.fail_at = luaL_checkinteger(L, 4)};
    ori_text t = {.alloc = {spec_resize, &m}};
    char *text = NULL;
    size_t size, capacity = 0;
    put_row(&t, L);
    if (ori_text_hand_over(&t, &text, &size, &capacity) == ORR_OK)
        lua_pushlstring(L, text, size);
    else
        lua_pushnil(L);
    orr_release(&t.alloc, text, capacity);
    lua_pushinteger(L, m.bytes);
    lua_pushinteger(L, m.calls);
    return 3;
}

/* row_to_sink(text, suffix, number, capacity, refused) -> what the sink got, status, pieces */
static int row_to_sink(lua_State *L)
{
    char piece[64];
    luaL_Buffer b;
    taker taken = {&b, 0, luaL_checkinteger(L, 5)};
    orr_sink sink = {take, &taken};
    ori_text t = {.sink = &sink, .text = piece, .capacity = luaL_checkinteger(L, 4)};
    luaL_argcheck(L, t.capacity <= (int64_t)sizeof piece, 4, "too large");
    luaL_buffinit(L, &b);
    put_row(&t, L);
    orr_status status = ori_text_flush(&t);
    luaL_pushresult(&b);
    lua_pushinteger(L, status);
    lua_pushinteger(L, taken.pieces);
    return 3;
}

/* enter_locale(folder, name) -> whether numbers are printed as there now; the folder holds locales */
static int enter_locale(lua_State *L)
{
    setenv("LOCPATH", luaL_checkstring(L, 1), 1);
    lua_pushboolean(L, setlocale(LC_NUMERIC, luaL_checkstring(L, 2)) != NULL);
    return 1;
}

static int leave_locale(lua_State *L)
{
    (void)L;
    setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
    return 0;
}

/* failed(format, number) -> the message with a prefix that has the number, too */
static int failed(lua_State *L)
{
    orr_error err;
    orr_fail(&err, ORR_ERR_INPUT, luaL_checkstring(L, 1), luaL_checknumber(L, 2));
    orr_error_prefix(&err, luaL_checkstring(L, 1), luaL_checknumber(L, 2));
    lua_pushstring(L, err.message);
    return 1;
}

/* --- threads -----------------------------------------------------------------------------------*/

/* The calling thread begins when the other one has done all items. */
typedef struct race {
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
    int64_t done, total; /* of the latest progress */
} race;

static orr_status begin_last(void *user, int thread, void **own, orr_error *err)
{
    (void)own, (void)err;
    race *r = user;
    pthread_mutex_lock(&r->lock);
    while (thread == 0 && !r->is_over)
        pthread_cond_wait(&r->over, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return ORR_OK;
}

static orr_status no_work(void *user, void *own, int64_t item, orr_error *err)
{
    (void)user, (void)own, (void)item, (void)err;
    return ORR_OK;
}

static void end_first(void *user, int thread, void *own)
{
    (void)own;
    race *r = user;
    pthread_mutex_lock(&r->lock);
    r->is_over |= thread > 0;
    pthread_cond_signal(&r->over);
    pthread_mutex_unlock(&r->lock);
}

static void note_progress(void *user, int64_t done, int64_t total)
{
    race *r = user;
    r->done = done;
    r->total = total;
}

/* late_progress(items, weight): the latest progress, where another thread does all the work. */
static int late_progress(lua_State *L)
{
    race r = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, -1, -1};
    ori_threads threads = {.items = luaL_checkinteger(L, 1),
                           .weight = luaL_checkinteger(L, 2),
                           .threads = 2,
                           .largest = 1,
                           .begin = begin_last,
                           .work = no_work,
                           .end = end_first,
                           .user = &r,
                           .progress = note_progress,
                           .progress_user = &r};
    orr_status status = ori_threads_run(&threads, NULL);
    lua_pushinteger(L, status);
    lua_pushinteger(L, r.done);
    lua_pushinteger(L, r.total);
    return 3;
}

int luaopen_native_rooms(lua_State *L)
{
    static const luaL_Reg functions[] = {{"array", array},
                                         {"array_overflows", array_overflows},
                                         {"block", block},
                                         {"grown_block", grown_block},
                                         {"block_overflows", block_overflows},
                                         {"sort", sort},
                                         {"shortest", shortest},
                                         {"integer", integer},
                                         {"printed", printed},
                                         {"quote", quote},
                                         {"row", row},
                                         {"row_to_sink", row_to_sink},
                                         {"enter_locale", enter_locale},
                                         {"leave_locale", leave_locale},
                                         {"failed", failed},
                                         {"late_progress", late_progress},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
