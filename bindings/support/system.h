/* What the machine is that the program runs on: core.cores, core.is_terminal, core.window. */
#ifndef ORR_BINDINGS_SYSTEM_H
#define ORR_BINDINGS_SYSTEM_H

#include <lua.h>

/* [core] -> [core] */
void orr_lua_open_system(lua_State *L);

#endif
