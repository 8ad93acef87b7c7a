/* The output of a policy for a person who looks on: printed lines, and notes. A policy cannot read
 * them, and they are not part of a simulation: they do not change schedules. */
#pragma once

#include "bindings/host/host.h"

/* The latest notes of a simulation; the C part of a session owns it. */
typedef struct orr_notes {
    struct orr_note **ring; /* shared with copies */
    int32_t capacity;
    int64_t count; /* so far; of more than ORR_MOST_NOTES the first are dropped */
} orr_notes;

enum { ORR_MOST_NOTES = 10000, ORR_MOST_OF_NOTE = 1000 /* bytes */ };

orr_status orr_notes_copy(orr_notes *to, const orr_notes *from, orr_error *err);
void orr_notes_destroy(orr_notes *notes);

/* Pushes the list of the notes after the first `before`: { time =, hook =, ... noted fields }. */
void orr_notes_push(lua_State *L, const orr_notes *notes, int64_t before);

/* sim:note(table or text), of jobs and of tasks. */
int orr_view_note(lua_State *L);

/* Functions for sandbox.lua: print(line), which raises an error if nobody looks on; and must_end():
 * the text of an error that a policy cannot catch, or nil. */
int orr_host_print(lua_State *L);
int orr_host_must_end(lua_State *L);

/* core.hush(boolean): true suppresses printing, for lines that were printed before. Returns the
 * previous value. [core] -> [core] */
void orr_lua_open_notes(lua_State *L);
