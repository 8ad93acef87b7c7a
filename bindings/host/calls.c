/* The costs of calls into policies, thread by thread. */
#include "bindings/host/calls.h"
#include "bindings/host/host.h"
#include "bindings/support/fields.h"

#include <lauxlib.h>
#include <string.h>

enum { MOST_HOOKS = 32 };

typedef struct hook_cost {
    const char *hook; /* a literal */
    int64_t calls, instructions, most;
    double seconds, longest;
    int64_t memory; /* of its host, the most after a call */
} hook_cost;

typedef struct recorder {
    bool counts;
    int64_t instructions; /* since it was started */
    int hooks;
    hook_cost costs[MOST_HOOKS];
} recorder;

static _Thread_local recorder mine;

_Thread_local bool orr_calls_are_recorded;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count_instruction(lua_State *L, lua_Debug *ar)
{
    (void)L, (void)ar;
    mine.instructions++;
}

void orr_calls_begin_recording(const orr_host *host, orr_calls_mark *mark)
{
    mark->hook = lua_gethook(host->L);
    mark->mask = lua_gethookmask(host->L);
    mark->count = lua_gethookcount(host->L);
    mark->instructions = mine.instructions;
    if (mine.counts)
        lua_sethook(host->L, count_instruction, LUA_MASKCOUNT, 1);
    mark->time = processor_time();
}

/* The costs of a hook; NULL if the table is full, but no policy has enough hooks to fill it. */
static hook_cost *costs_of(const char *hook)
{
    for (int i = 0; i < mine.hooks; i++) {
        if (strcmp(mine.costs[i].hook, hook) == 0)
            return &mine.costs[i];
    }
    if (mine.hooks == MOST_HOOKS)
        return NULL;
    mine.costs[mine.hooks] = (hook_cost){.hook = hook};
    return &mine.costs[mine.hooks++];
}

void orr_calls_end_recording(const orr_host *host, const orr_calls_mark *mark)
{
    double seconds = processor_time() - mark->time;
    if (mine.counts)
        lua_sethook(host->L, mark->hook, mark->mask, mark->count);
    hook_cost *costs = costs_of(host->call->hook);
    if (!costs)
        return;
    int64_t instructions = mine.instructions - mark->instructions;
    costs->calls++;
    costs->seconds += seconds;
    costs->instructions += instructions;
    costs->longest = seconds > costs->longest ? seconds : costs->longest;
    costs->most = instructions > costs->most ? instructions : costs->most;
    costs->memory = (int64_t)host->memory > costs->memory ? (int64_t)host->memory : costs->memory;
}

static int calls_start(lua_State *L)
{
    static const char *const what[] = {"seconds", "instructions", NULL};
    int choice = luaL_checkoption(L, 1, NULL, what);
    memset(&mine, 0, sizeof mine);
    orr_calls_are_recorded = true;
    mine.counts = choice == 1;
    return 0;
}

static int calls_stop(lua_State *L)
{
    static const orr_lua_field fields[] = {ORR_LUA_FIELD(hook_cost, calls),
                                           ORR_LUA_FIELD(hook_cost, instructions),
                                           ORR_LUA_FIELD(hook_cost, most),
                                           ORR_LUA_FIELD(hook_cost, memory),
                                           ORR_LUA_FIELD(hook_cost, seconds),
                                           ORR_LUA_FIELD(hook_cost, longest),
                                           ORR_LUA_LAST_FIELD};
    orr_calls_are_recorded = false;
    lua_createtable(L, mine.hooks, 0);
    for (int i = 0; i < mine.hooks; i++) {
        orr_lua_push_record(L, &mine.costs[i], fields);
        orr_lua_set_text(L, "hook", mine.costs[i].hook);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

void orr_lua_open_calls(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"calls_start", calls_start}, {"calls_stop", calls_stop}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
