/* Functions with which an engine records stints. Not a public header. */
#pragma once

#include "schedule/stints.h"

/* Adds a stint that is over to all but `idle`: procs * (stop - start) in all. In a stint that was
 * not struck, time beside its share of the work counts as checkpoints, also the incomplete one
 * before a move. In a struck stint complete periods count. The work of a cancelled task counts like
 * the work of a moved task. */
void ori_spent_add(orr_spent *spent, const orr_stint *stint);

/* An empty record for `tasks` tasks on `procs` processors. Safe to destroy after a failure. */
orr_status ori_stints_create(orr_stints *s, int32_t tasks, int32_t procs, const orr_allocator *a,
                             orr_error *err);

void ori_stints_destroy(orr_stints *s);

void ori_stints_clear(orr_stints *s);

/* Makes `to`, created for as many tasks or more, equal to `from`. */
orr_status ori_stints_copy(orr_stints *to, const orr_stints *from, orr_error *err);

/* Adds a stint that begins, running; the intervals (ascending, not touching) are copied, and the
 * stint's fields interval_count and first_interval are set. No stint recorded before may start
 * later. Positions of stints with the same start and a later task move up by one. */
orr_status ori_stints_begin(orr_stints *s, const orr_stint *stint, const orr_interval *intervals,
                            int32_t interval_count, orr_error *err);

/* Ends the task's latest stint. */
void ori_stints_end(orr_stints *s, int32_t task, double stop, double alpha_stop, orr_stop why);

/* Adds `added` to the share that was left of the task when its latest stint began. */
void ori_stints_add_work(orr_stints *s, int32_t task, double added);

/* Adds a copy of the change, and sets the copy's `stint`. */
orr_status ori_stints_note(orr_stints *s, const orr_stints_change *change, orr_error *err);
