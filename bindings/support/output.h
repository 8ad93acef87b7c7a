/* Files that are there whole or not at all: text goes to path.PID.tmp, which takes the place of
 * path when everything is written. What is not a regular file (a pipe, /dev/stdout) is written as
 * it is. */
#pragma once

#include "schedule/export.h"

#include <lua.h>
#include <stdio.h>

typedef struct orr_output {
    FILE *file;
    char *path, *temporary; /* temporary is NULL where path is written as it is */
    int why;                /* errno of the first write that failed */
} orr_output;

/* ORR_ERR_IO with the reason when it cannot be opened. */
orr_status orr_output_open(orr_output *out, const char *path, orr_error *err);

/* For orr_sink: user is the orr_output. */
bool orr_output_write(void *user, const char *text, size_t size);

/* The error after a write that failed. */
orr_status orr_output_fail(const orr_output *out, orr_error *err);

/* Completes the file. */
orr_status orr_output_close(orr_output *out, orr_error *err);

/* Gives up: nothing is left behind. Fine after a failure of the others. */
void orr_output_discard(orr_output *out);

/* All of it at once. */
orr_status orr_output_write_file(const char *path, const char *text, size_t size, orr_error *err);

/* What `write` sends to the sink; with `user` it is the caller's. */
typedef orr_status (*orr_output_writer)(const void *user, const orr_sink *sink, orr_error *err);
orr_status orr_output_write_by(const char *path, orr_output_writer write, const void *user,
                               orr_error *err);

/* Adds core.write_file(path, text) to the table on top of the stack. */
void orr_lua_open_output(lua_State *L);
