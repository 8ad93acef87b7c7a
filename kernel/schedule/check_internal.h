/* The checker of schedules in steps, for a record that is checked while it grows. Between the steps
 * attempts whose jobs are over may leave the record. Internal to this folder. */
#pragma once

#include "schedule/check_violation_internal.h"

/* `in`, `s`, `failures`, `submitted`, `partial` and `err` are set, the rest is zero. After each
 * function ori_check_end may be called, and must be in the end. */
orr_status ori_check_begin(ori_checker *c);

/* Checks attempts from .. until - 1, which nothing changes any more. Those before were checked;
 * those behind may end later, but none at a time up to the last start of these. */
orr_status ori_check_attempts(ori_checker *c, int64_t from, int64_t until);

/* The first `count` attempts were checked, and are to leave the record. Those of them that stay
 * after all are the first `left` ones then; the jobs of the others are over. */
void ori_check_forget(ori_checker *c, int64_t count);
void ori_check_remember(ori_checker *c, int64_t left);

/* Checks attempts from `from` on, and the whole. */
orr_status ori_check_rest(ori_checker *c, int64_t from);

void ori_check_end(ori_checker *c);
