/* Claims, by which processes that share a folder coordinate: locks of bytes where the file system
 * has them, else files that only one process can create, with a heartbeat. The rules are in
 * scripts/command/claims.lua. */
#pragma once

#include <lua.h>

/* Sets core.claims:
 *   lock(file, byte)   true; false: another process has it; nil, the reason, and whether the file
 *                      system has no locks at all
 *   unlock(file, byte)
 *   hold(path, seconds)  creates the file, with the text of this process, and touches it every so
 *                      many seconds until hold:release(), which tells whether the file is still
 *                      there; false: it is there already; nil and the reason
 *   state(text)        of the process that a text of `hold`, or the name of a temporary file, has:
 *                      "alive", "ended" or "elsewhere"
 *   age(path)          seconds since the file was touched, by the clock of its file system; nil and
 *                      the reason
 * [core] -> [core] */
void orr_lua_open_claims(lua_State *L);
