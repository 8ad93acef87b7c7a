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

/* Adds core.write_file(path, text) to the table on top of the stack. */
void orr_lua_open_output(lua_State *L);
