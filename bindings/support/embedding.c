/* The Lua sources of bindings/, inside the module, so that it is one file to install. The list of
 * them, embedded.inc, is made by make: lines EMBEDDED(number, "folder/name"). */
#include "bindings/host/host.h"

#include <string.h>

#define EMBEDDED(number, file)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            ".global orr_embedded_" #number "\n"                                                   \
            ".hidden orr_embedded_" #number "\n"                                                   \
            ".global orr_embedded_" #number "_end\n"                                               \
            ".hidden orr_embedded_" #number "_end\n"                                               \
            "orr_embedded_" #number ":\n"                                                          \
            ".incbin \"bindings/" file ".lua\"\n"                                                  \
            "orr_embedded_" #number "_end:\n"                                                      \
            ".previous\n");                                                                        \
    extern const char orr_embedded_##number[], orr_embedded_##number##_end[];
#include "embedded.inc"
#undef EMBEDDED

int orr_lua_load_embedded(lua_State *L, const char *name)
{
#define EMBEDDED(number, file) {file, orr_embedded_##number, orr_embedded_##number##_end},
    static const struct {
        const char *name, *begin, *end;
    } files[] = {
#include "embedded.inc"
    };
#undef EMBEDDED
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
