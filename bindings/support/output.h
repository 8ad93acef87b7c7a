/* Files that are written whole or not at all: text goes to path.PROCESS.tmp (see process.h), which
 * replaces path when everything is written. A path that is not a regular file (a pipe, /dev/stdout)
 * is written directly. Links are followed where nobody else can put them (see place.h). The
 * message of ORR_ERR_IO says what failed, and why. */
#pragma once

#include "schedule/export.h"

#include <lua.h>

/* Writes the whole text at once. */
orr_status orr_output_write_file(const char *path, const char *text, size_t size, orr_error *err);

/* Whether a schedule of jobs is written there as SWF, and not as CSV: the name ends so. */
bool orr_output_is_swf(const char *path);

/* Sends text to the sink; `user` belongs to the caller. */
typedef orr_status (*orr_output_writer)(const void *user, const orr_sink *sink, orr_error *err);
orr_status orr_output_write_by(const char *path, orr_output_writer write, const void *user,
                               orr_error *err);

/* An output that is written piece by piece, and has no name before it is finished. NULL: nothing of
 * it may be seen before the end, as on standard output, or it cannot be opened now. */
typedef struct orr_output orr_output;
orr_output *orr_output_open(const char *path);

/* Takes text also where writing has failed, which orr_output_finish then says. */
orr_sink orr_output_sink(orr_output *out);

/* Gives the output its name; it is freed, also on failure. */
orr_status orr_output_finish(orr_output *out, orr_error *err);

/* No file remains. Also of NULL. */
void orr_output_abandon(orr_output *out);

/* The output of `write` as a text on top of the stack; returns 1. */
int orr_output_push_text(lua_State *L, orr_output_writer write, const void *user);

/* The name of this process' temporary file beside `path`, to be freed; NULL: no memory. */
char *orr_output_temporary(const char *path);

/* While a policy runs in the caller's state it may hold values of Orrery that can write: from now
 * on this thread refuses to write, or (false) writes again. Returns the former state. */
bool orr_output_refuse(bool refused);

/* From now on all output goes to send(path, bytes, size), which returns whether it succeeded; for a
 * process that writes no files itself. */
void orr_output_redirect(bool (*send)(const char *path, const char *bytes, size_t size));

/* Adds to the table on top of the stack core.write_file(path, text), core.temporary(path),
 * core.replace_file(from, path), which gives a file its final name, core.check_writing(path), which
 * raises an error where writing is refused now, core.check_place(path), which raises one where a
 * file cannot be written, and core.scratch(text, ending), the path of a new
 * file in the folder for such. */
void orr_lua_open_output(lua_State *L);
