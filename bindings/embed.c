/* The Lua sources of bindings/lua/, inside the module, so that it is one file to install. */
#include "host.h"

#include <string.h>

#define EMBED(name)                                                                                \
    __asm__(".section .rodata\n"                                                                   \
            ".global orr_embedded_" #name "\n"                                                     \
            ".hidden orr_embedded_" #name "\n"                                                     \
            ".global orr_embedded_" #name "_end\n"                                                 \
            ".hidden orr_embedded_" #name "_end\n"                                                 \
            "orr_embedded_" #name ":\n"                                                            \
            ".incbin \"bindings/lua/" #name ".lua\"\n"                                             \
            "orr_embedded_" #name "_end:\n"                                                        \
            ".previous\n");                                                                        \
    extern const char orr_embedded_##name[], orr_embedded_##name##_end[]

EMBED(blame);
EMBED(clock);
EMBED(coschedules);
EMBED(diff);
EMBED(expected);
EMBED(fence);
EMBED(job_policy);
EMBED(logs);
EMBED(malleable);
EMBED(node_failures);
EMBED(orrery);
EMBED(packs);
EMBED(policies);
EMBED(portable);
EMBED(problem);
EMBED(redistribution);
EMBED(results);
EMBED(session);
EMBED(sets);
EMBED(start);
EMBED(tasks);

#define ENTRY(name)                                                                                \
    {                                                                                              \
#name, orr_embedded_##name, orr_embedded_##name##_end                                      \
    }

int orr_lua_load_embedded(lua_State *L, const char *name)
{
    static const struct {
        const char *name, *begin, *end;
    } files[] = {
        ENTRY(blame),          ENTRY(diff),     ENTRY(clock),     ENTRY(session),
        ENTRY(coschedules),    ENTRY(expected), ENTRY(fence),     ENTRY(job_policy),
        ENTRY(node_failures),  ENTRY(logs),     ENTRY(malleable), ENTRY(orrery),
        ENTRY(packs),          ENTRY(policies), ENTRY(portable),  ENTRY(problem),
        ENTRY(redistribution), ENTRY(results),  ENTRY(sets),      ENTRY(start),
        ENTRY(tasks),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(files[i].name, name) != 0)
            continue;
        char chunk[64];
        lua_pushfstring(L, "=orrery/%s.lua", name);
        strncpy(chunk, lua_tostring(L, -1), sizeof chunk - 1);
        chunk[sizeof chunk - 1] = '\0';
        lua_pop(L, 1);
        size_t size = (size_t)(files[i].end - files[i].begin);
        if (luaL_loadbufferx(L, files[i].begin, size, chunk, "t") != LUA_OK)
            return lua_error(L);
        return 1;
    }
    return luaL_error(L, "no embedded file %s", name);
}
