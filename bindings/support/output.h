/* Files that are there whole or not at all: text goes to path.PID.tmp, which takes the place of
 * path when everything is written. What is not a regular file (a pipe, /dev/stdout) is written as
 * it is. ORR_ERR_IO says what went wrong, and why. */
#pragma once

#include "schedule/export.h"

#include <lua.h>

/* All of it at once. */
orr_status orr_output_write_file(const char *path, const char *text, size_t size, orr_error *err);

/* What `write` sends to the sink; with `user` it is the caller's. */
typedef orr_status (*orr_output_writer)(const void *user, const orr_sink *sink, orr_error *err);
orr_status orr_output_write_by(const char *path, orr_output_writer write, const void *user,
                               orr_error *err);

/* While a policy runs in the caller's state it may hold values of Orrery that can write: from now
 * on this thread writes nothing, or (false) writes again. Returns how it was. */
bool orr_output_refuse(bool refused);

/* Adds core.write_file(path, text) and core.check_writing(path), which raises where nothing may be
 * written now, to the table on top of the stack. */
void orr_lua_open_output(lua_State *L);
