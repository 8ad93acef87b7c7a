/* native_base: what of kernel/base/ the public Lua API does not reach, for the specs.
 *
 * Generators are those of orrery.random: require "orrery" first. 128-bit numbers are two integers,
 * the high half first. */
#include "../../bindings/values/values.h"

#include "base/calendar_internal.h"
#include "base/draw.h"
#include "base/memory_internal.h"
#include "base/stats_internal.h"
#include "stats/ranks.h"
#include "stats/running.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_base(lua_State *L);

#define CALENDAR "native_base.calendar"

/* --- the calendar ---------------------------------------------------------------------------- */

static ori_calendar *check_calendar(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, CALENDAR);
}

static int calendar_new(lua_State *L)
{
    lua_Integer capacity = luaL_checkinteger(L, 1);
    ori_calendar *c = lua_newuserdatauv(L, sizeof *c, 0);
    *c = (ori_calendar){.alloc = orr_allocator_or_default(NULL)};
    luaL_setmetatable(L, CALENDAR);
    orr_error err;
    if (ori_calendar_create(c, (int32_t)capacity, NULL, &err) != ORR_OK)
        return luaL_error(L, "%s", err.message);
    return 1;
}

static int calendar_destroy(lua_State *L)
{
    ori_calendar_destroy(check_calendar(L, 1));
    return 0;
}

static int calendar_push(lua_State *L)
{
    ori_calendar *c = check_calendar(L, 1);
    double time = luaL_checknumber(L, 2);
    lua_Integer kind = luaL_checkinteger(L, 3);
    luaL_argcheck(L, kind >= 0 && kind <= 255, 3, "0 .. 255 expected");
    luaL_argcheck(L, c->count < c->capacity, 1, "the calendar is full");
    ori_calendar_push(c, time, (unsigned)kind, luaL_checkinteger(L, 4));
    return 0;
}

static int push_event(lua_State *L, const ori_event *e)
{
    lua_pushnumber(L, e->time);
    lua_pushinteger(L, ori_event_kind(e));
    lua_pushinteger(L, e->payload);
    return 3;
}

static int calendar_pop(lua_State *L)
{
    ori_calendar *c = check_calendar(L, 1);
    luaL_argcheck(L, c->count > 0, 1, "the calendar is empty");
    ori_event e = ori_calendar_pop(c);
    return push_event(L, &e);
}

/* replace(time, kind, payload): in place of the first event. */
static int calendar_replace(lua_State *L)
{
    ori_calendar *c = check_calendar(L, 1);
    luaL_argcheck(L, c->count > 0, 1, "the calendar is empty");
    ori_calendar_replace(c, luaL_checknumber(L, 2), (unsigned)luaL_checkinteger(L, 3),
                         luaL_checkinteger(L, 4));
    return 0;
}

static int calendar_remove(lua_State *L)
{
    ori_calendar_remove(check_calendar(L, 1), luaL_checkinteger(L, 2));
    return 0;
}

static int calendar_reserve(lua_State *L)
{
    orr_error err;
    if (ori_calendar_reserve(check_calendar(L, 1), (int32_t)luaL_checkinteger(L, 2), &err) !=
        ORR_OK)
        return luaL_error(L, "%s", err.message);
    return 0;
}

static int calendar_second(lua_State *L)
{
    lua_pushnumber(L, ori_calendar_second(check_calendar(L, 1)));
    return 1;
}

static int calendar_peek(lua_State *L)
{
    const ori_event *e = ori_calendar_peek(check_calendar(L, 1));
    return e ? push_event(L, e) : 0;
}

static int calendar_clear(lua_State *L)
{
    ori_calendar_clear(check_calendar(L, 1));
    return 0;
}

static int calendar_copy(lua_State *L)
{
    ori_calendar *to = check_calendar(L, 1);
    const ori_calendar *from = check_calendar(L, 2);
    luaL_argcheck(L, to->capacity >= from->capacity, 1, "too small for the copy");
    ori_calendar_copy(to, from);
    return 0;
}

static int calendar_count(lua_State *L)
{
    lua_pushinteger(L, check_calendar(L, 1)->count);
    return 1;
}

/* The number that the next insertion gets. */
static int calendar_inserted(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_calendar(L, 1)->inserted);
    return 1;
}

static const luaL_Reg calendar_methods[] = {
    {"remove", calendar_remove}, {"reserve", calendar_reserve},   {"push", calendar_push},
    {"pop", calendar_pop},       {"peek", calendar_peek},         {"replace", calendar_replace},
    {"second", calendar_second}, {"clear", calendar_clear},       {"copy", calendar_copy},
    {"count", calendar_count},   {"inserted", calendar_inserted}, {NULL, NULL}};

/* --- random numbers -------------------------------------------------------------------------- */

static orr_pcg *check_generator(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, ORR_LUA_RANDOM);
}

static orr_u128 check_u128(lua_State *L, int arg)
{
    uint64_t high = (uint64_t)luaL_checkinteger(L, arg);
    return ORR_U128(high, (uint64_t)luaL_checkinteger(L, arg + 1));
}

static int push_u128(lua_State *L, orr_u128 x)
{
    lua_pushinteger(L, (lua_Integer)(uint64_t)(x >> 64));
    lua_pushinteger(L, (lua_Integer)(uint64_t)x);
    return 2;
}

/* stream(seed, set, scenario, purpose, entity) -> generator */
static int native_stream(lua_State *L)
{
    orr_stream_key key = orr_stream_key_make(
        (uint64_t)luaL_checkinteger(L, 1), (uint64_t)luaL_checkinteger(L, 2),
        (uint64_t)luaL_checkinteger(L, 3), (orr_purpose)luaL_checkinteger(L, 4));
    uint64_t entity = (uint64_t)luaL_checkinteger(L, 5);
    orr_pcg *rng = lua_newuserdatauv(L, sizeof *rng, 0);
    luaL_setmetatable(L, ORR_LUA_RANDOM);
    *rng = orr_stream_open(key, entity);
    return 1;
}

/* seed(generator, state high, state low, sequence high, sequence low) */
static int native_seed(lua_State *L)
{
    orr_pcg_seed(check_generator(L, 1), check_u128(L, 2), check_u128(L, 4));
    return 0;
}

/* advance(generator, delta high, delta low) */
static int native_advance(lua_State *L)
{
    orr_pcg_advance(check_generator(L, 1), check_u128(L, 2));
    return 0;
}

/* state(generator) -> state high, state low, increment high, increment low */
static int native_state(lua_State *L)
{
    const orr_pcg *rng = check_generator(L, 1);
    return push_u128(L, rng->state) + push_u128(L, rng->increment);
}

/* goto_state(generator, high, low): the next output is the one of this state. */
static int native_goto_state(lua_State *L)
{
    orr_pcg *rng = check_generator(L, 1);
    rng->state = check_u128(L, 2);
    orr_pcg_advance(rng, ~(orr_u128)0);
    return 0;
}

static int native_below(lua_State *L)
{
    orr_pcg *rng = check_generator(L, 1);
    lua_pushinteger(L, (lua_Integer)orr_pcg_below(rng, (uint64_t)luaL_checkinteger(L, 2)));
    return 1;
}

static int native_unit_positive(lua_State *L)
{
    lua_pushnumber(L, orr_draw_unit_positive(check_generator(L, 1)));
    return 1;
}

/* geometric_prepare(hazard) -> q, 1 / ln q */
static int native_geometric_prepare(lua_State *L)
{
    orr_geometric g = orr_geometric_prepare(luaL_checknumber(L, 1));
    lua_pushnumber(L, g.q);
    lua_pushnumber(L, g.inverse_log_q);
    return 2;
}

/* geometric_draw(generator, hazard) -> a float, as the kernel has it */
static int native_geometric_draw(lua_State *L)
{
    orr_pcg *rng = check_generator(L, 1);
    orr_geometric g = orr_geometric_prepare(luaL_checknumber(L, 2));
    lua_pushnumber(L, orr_draw_geometric(rng, &g));
    return 1;
}

/* --- statistics ------------------------------------------------------------------------------ */

static double *check_numbers(lua_State *L, int arg, int64_t *count)
{
    *count = luaL_len(L, arg);
    double *numbers = lua_newuserdatauv(L, (size_t)*count * sizeof *numbers, 0);
    for (int64_t i = 0; i < *count; i++) {
        lua_geti(L, arg, i + 1);
        numbers[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return numbers;
}

static int native_sum(lua_State *L)
{
    int64_t count;
    const double *numbers = check_numbers(L, 1, &count);
    lua_pushnumber(L, ori_sum(numbers, count));
    return 1;
}

/* running(numbers): mean, sd, half width, minimum, maximum, number of negative and of positive
 * ones. */
static int native_running(lua_State *L)
{
    int64_t count;
    const double *numbers = check_numbers(L, 1, &count);
    orr_running r = {0};
    for (int64_t i = 0; i < count; i++)
        orr_running_add(&r, numbers[i]);
    orr_summary s = orr_running_summary(&r);
    const double found[] = {s.mean, s.sd, s.half_width, s.min, s.max};
    for (int i = 0; i < 5; i++)
        lua_pushnumber(L, found[i]);
    lua_pushinteger(L, r.negative);
    lua_pushinteger(L, r.positive);
    return 7;
}

/* histogram(numbers, probabilities): the list of quantiles. */
static int native_histogram(lua_State *L)
{
    int64_t count, n;
    const double *numbers = check_numbers(L, 1, &count);
    const double *probabilities = check_numbers(L, 2, &n);
    orr_histogram h = orr_histogram_create(NULL);
    orr_error err;
    orr_status status = ORR_OK;
    for (int64_t i = 0; i < count && status == ORR_OK; i++)
        status = orr_histogram_add(&h, numbers[i], &err);
    double *out = lua_newuserdatauv(L, (size_t)n * sizeof *out, 0);
    if (status == ORR_OK)
        status = orr_histogram_quantiles(&h, probabilities, (int32_t)n, out, &err);
    orr_histogram_destroy(&h);
    if (status != ORR_OK)
        return luaL_error(L, "%s", err.message);
    lua_newtable(L);
    for (int64_t i = 0; i < n; i++) {
        lua_pushnumber(L, out[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int native_gamma_distribution(lua_State *L)
{
    lua_pushnumber(L, ori_gamma_distribution(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

static int native_student_quantile(lua_State *L)
{
    lua_pushnumber(L, orr_student_quantile(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

/* --- errors and memory ----------------------------------------------------------------------- */

/* fail(status, text [, prefix]) -> status returned, status stored, message */
static int native_fail(lua_State *L)
{
    orr_error err;
    orr_status status =
        orr_fail(&err, (orr_status)luaL_checkinteger(L, 1), "%s", luaL_checkstring(L, 2));
    if (!lua_isnoneornil(L, 3))
        orr_error_prefix(&err, "%s", luaL_checkstring(L, 3));
    lua_pushinteger(L, status);
    lua_pushinteger(L, err.status);
    lua_pushstring(L, err.message);
    return 3;
}

/* fail_silently() -> status: every function with NULL for the error */
static int native_fail_silently(lua_State *L)
{
    orr_error_prefix(NULL, "%d", 1);
    lua_pushinteger(L, orr_fail(NULL, ORR_ERR_INPUT, "%s", "unheard"));
    lua_pushinteger(L, orr_fail_memory(NULL, 8));
    return 2;
}

/* An allocator that refuses one call and keeps accounts. */
typedef struct account {
    int64_t calls, refused; /* the number of the call to refuse, from 1 */
    int64_t bytes;          /* in use, by the sizes that the caller states */
} account;

static void *account_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    account *books = user;
    if (new_size > 0 && ++books->calls == books->refused)
        return NULL;
    void *result = NULL;
    if (new_size > 0)
        result = realloc(block, new_size);
    else
        free(block);
    if (result || new_size == 0)
        books->bytes += (int64_t)new_size - (int64_t)old_size;
    return result;
}

static orr_status use_calendar(const orr_allocator *a, orr_error *err)
{
    ori_calendar c;
    orr_status status = ori_calendar_create(&c, 10, a, err);
    if (status == ORR_OK)
        ori_calendar_push(&c, 1, 0, 1);
    ori_calendar_destroy(&c);
    return status;
}

static orr_status use_stats(const orr_allocator *a, orr_error *err)
{
    const double x[] = {3, 1, 2}, y[] = {1, 2, 4}, p[] = {0.5};
    orr_summary summary;
    orr_status status = orr_summarise_paired(x, y, 3, a, &summary, err);
    double median;
    return status != ORR_OK ? status : orr_quantiles(x, 3, p, 1, &median, a, err);
}

static orr_status use_ranks(const orr_allocator *a, orr_error *err)
{
    const double x[] = {3, -1, 2};
    orr_quantile median;
    orr_signed_rank found;
    orr_status status = orr_quantile_interval(x, 3, 0.5, 0.95, a, &median, err);
    return status != ORR_OK ? status : orr_signed_rank_test(x, 3, 0.95, a, &found, err);
}

static orr_status use_histogram(const orr_allocator *a, orr_error *err)
{
    const double x[] = {3, -1, 3.1, 200}, half = 0.5;
    double median;
    orr_histogram h = orr_histogram_create(a);
    orr_status status = ORR_OK;
    for (int i = 0; i < 4 && status == ORR_OK; i++)
        status = orr_histogram_add(&h, x[i], err);
    if (status == ORR_OK)
        status = orr_histogram_quantiles(&h, &half, 1, &median, err);
    orr_histogram_destroy(&h);
    return status;
}

static orr_status use_blocks(const orr_allocator *a, orr_error *err)
{
    char *empty = orr_alloc(a, 0), *block = orr_calloc(a, 4, 2);
    bool good = empty && block && memcmp(block, (char[8]){0}, 8) == 0;
    char *longer = good ? orr_resize(a, block, 8, 16) : NULL;
    bool kept = longer && memcmp(longer, (char[8]){0}, 8) == 0;
    orr_release(a, empty, 0);
    orr_release(a, longer ? longer : block, longer ? 16 : 8);
    return kept ? ORR_OK : orr_fail_memory(err, 16);
}

/* with_refusal(user, n) -> status, bytes still in use, calls: runs one user of memory with an
 * allocator that refuses its n-th call. */
static int native_with_refusal(lua_State *L)
{
    static const char *const names[] = {"calendar", "stats", "ranks", "histogram", "blocks", NULL};
    static orr_status (*const users[])(const orr_allocator *, orr_error *) = {
        use_calendar, use_stats, use_ranks, use_histogram, use_blocks};
    account books = {0, luaL_checkinteger(L, 2), 0};
    orr_allocator a = {account_resize, &books};
    orr_error err;
    lua_pushinteger(L, users[luaL_checkoption(L, 1, NULL, names)](&a, &err));
    lua_pushinteger(L, books.bytes);
    lua_pushinteger(L, books.calls);
    return 3;
}

/* calloc_overflows() -> true when a product that does not fit is refused */
static int native_calloc_overflows(lua_State *L)
{
    orr_allocator a = orr_allocator_or_default(NULL);
    void *block = orr_calloc(&a, SIZE_MAX / 2 + 2, 2);
    lua_pushboolean(L, block == NULL);
    orr_release(&a, block, 2);
    return 1;
}

/* An allocator whose new memory is full of ones. */
static void *full_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    void *fresh = new_size > 0 ? malloc(new_size) : NULL;
    (void)user;
    if (fresh)
        memset(fresh, 0xff, new_size);
    if (fresh && block)
        memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    free(block);
    return fresh;
}

/* cleared(size, count, shared): how many bytes are not zero of a block that should be, of an
 * allocator whose memory is full, or of memory that copies share, where such a block lay before. */
static int native_cleared(lua_State *L)
{
    size_t size = (size_t)luaL_checkinteger(L, 1), count = (size_t)luaL_checkinteger(L, 2);
    orr_allocator plain = orr_allocator_or_default(NULL), a = {full_resize, NULL};
    if (lua_toboolean(L, 3)) {
        a = ori_frozen_allocator(&plain);
        void *before = orr_alloc(&a, size * count);
        if (before)
            memset(before, 0xff, size * count);
        orr_release(&a, before, size * count);
    }
    unsigned char *block = orr_calloc(&a, count, size);
    if (!block)
        return luaL_error(L, "not enough memory");
    lua_Integer full = 0;
    for (size_t i = 0; i < size * count; i++)
        full += block[i] != 0;
    orr_release(&a, block, size * count);
    lua_pushinteger(L, full);
    return 1;
}

/* allocated(): the bytes that this process has allocated and not given back; 0 where a sanitizer
 * allocates. */
static int native_allocated(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)mallinfo2().uordblks);
    return 1;
}

int luaopen_native_base(lua_State *L)
{
    static const luaL_Reg functions[] = {{"calendar", calendar_new},
                                         {"stream", native_stream},
                                         {"seed", native_seed},
                                         {"advance", native_advance},
                                         {"state", native_state},
                                         {"goto_state", native_goto_state},
                                         {"below", native_below},
                                         {"unit_positive", native_unit_positive},
                                         {"geometric_prepare", native_geometric_prepare},
                                         {"geometric_draw", native_geometric_draw},
                                         {"sum", native_sum},
                                         {"running", native_running},
                                         {"histogram", native_histogram},
                                         {"student_quantile", native_student_quantile},
                                         {"gamma_distribution", native_gamma_distribution},
                                         {"fail", native_fail},
                                         {"fail_silently", native_fail_silently},
                                         {"with_refusal", native_with_refusal},
                                         {"calloc_overflows", native_calloc_overflows},
                                         {"cleared", native_cleared},
                                         {"allocated", native_allocated},
                                         {NULL, NULL}};
    luaL_newmetatable(L, CALENDAR);
    luaL_newlib(L, calendar_methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, calendar_destroy);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
