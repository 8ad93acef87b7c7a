/* The Lua sources of bindings/lua/, inside the module, so that it is one file to install. */
#include "host.h"

#include <string.h>

/* All of them: NAME.lua, FOLDER/NAME.lua. */
#define EACH(FILE, FILE_IN)                                                                        \
    FILE(blame)                                                                                    \
    FILE(changes)                                                                                  \
    FILE(clock)                                                                                    \
    FILE(complete)                                                                                 \
    FILE(coschedules)                                                                              \
    FILE(diff)                                                                                     \
    FILE(draw)                                                                                     \
    FILE_IN(draw, again)                                                                           \
    FILE_IN(draw, axis)                                                                            \
    FILE_IN(draw, boxes)                                                                           \
    FILE_IN(draw, figure)                                                                          \
    FILE_IN(draw, gantt)                                                                           \
    FILE_IN(draw, gnuplot)                                                                         \
    FILE_IN(draw, html)                                                                            \
    FILE_IN(draw, metrics)                                                                         \
    FILE_IN(draw, model)                                                                           \
    FILE_IN(draw, paint)                                                                           \
    FILE_IN(draw, pixels)                                                                          \
    FILE_IN(draw, plots)                                                                           \
    FILE_IN(draw, report)                                                                          \
    FILE_IN(draw, steps)                                                                           \
    FILE_IN(draw, svg)                                                                             \
    FILE_IN(draw, terminal)                                                                        \
    FILE_IN(draw, words)                                                                           \
    FILE_IN(draw, zoom)                                                                            \
    FILE(expected)                                                                                 \
    FILE(explain)                                                                                  \
    FILE(failure)                                                                                  \
    FILE(fence)                                                                                    \
    FILE(job_policy)                                                                               \
    FILE(logs)                                                                                     \
    FILE(malleable)                                                                                \
    FILE(node_failures)                                                                            \
    FILE(numbers)                                                                                  \
    FILE(orrery)                                                                                   \
    FILE(packs)                                                                                    \
    FILE(policies)                                                                                 \
    FILE(portable)                                                                                 \
    FILE(problem)                                                                                  \
    FILE(prompt)                                                                                   \
    FILE(redistribution)                                                                           \
    FILE(reference)                                                                                \
    FILE_IN(reference, help)                                                                       \
    FILE_IN(reference, jobs)                                                                       \
    FILE_IN(reference, module)                                                                     \
    FILE_IN(reference, packs)                                                                      \
    FILE_IN(reference, pictures)                                                                   \
    FILE_IN(reference, policies)                                                                   \
    FILE_IN(reference, prompt)                                                                     \
    FILE_IN(reference, random)                                                                     \
    FILE_IN(reference, redistribution)                                                             \
    FILE_IN(reference, results)                                                                    \
    FILE_IN(reference, runs)                                                                       \
    FILE_IN(reference, sessions)                                                                   \
    FILE_IN(reference, tasks)                                                                      \
    FILE_IN(reference, text)                                                                       \
    FILE(results)                                                                                  \
    FILE(session)                                                                                  \
    FILE(sets)                                                                                     \
    FILE(show)                                                                                     \
    FILE(slowly)                                                                                   \
    FILE(start)                                                                                    \
    FILE(tasks)

#define EMBED(name) EMBED_FILE(name, #name)
#define EMBED_IN(folder, name) EMBED_FILE(folder##_##name, #folder "/" #name)
#define EMBED_FILE(name, file)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            ".global orr_embedded_" #name "\n"                                                     \
            ".hidden orr_embedded_" #name "\n"                                                     \
            ".global orr_embedded_" #name "_end\n"                                                 \
            ".hidden orr_embedded_" #name "_end\n"                                                 \
            "orr_embedded_" #name ":\n"                                                            \
            ".incbin \"bindings/lua/" file ".lua\"\n"                                              \
            "orr_embedded_" #name "_end:\n"                                                        \
            ".previous\n");                                                                        \
    extern const char orr_embedded_##name[], orr_embedded_##name##_end[];

EACH(EMBED, EMBED_IN)

#define ENTRY(name) {#name, orr_embedded_##name, orr_embedded_##name##_end},
#define ENTRY_IN(folder, name)                                                                     \
    {#folder "/" #name, orr_embedded_##folder##_##name, orr_embedded_##folder##_##name##_end},

int orr_lua_load_embedded(lua_State *L, const char *name)
{
    static const struct {
        const char *name, *begin, *end;
    } files[] = {EACH(ENTRY, ENTRY_IN)};
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
