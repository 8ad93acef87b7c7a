/* The spans of an attempt of a job that may write checkpoints (READINGS 36), from the record:
 * recovery, work, checkpoints, lost work. */
#pragma once

#include "schedule/schedule.h"
#include "schedule/stints.h"

/* Calls visit for every span of an attempt, in order of time (spans of no length are left out),
 * until it returns false: recovery, work, checkpoints (complete or not) and lost work. Lost work is
 * work that no checkpoint has saved; all work of an attempt that failed, was killed or cancelled is
 * lost. span->task is the job, span->stint the attempt. `now` (s) cuts off the future; INFINITY for
 * an attempt that is over. Verification counts as work. Where periods are too short for the clock's
 * precision, the rest of the work is one span. There are no spans for an attempt that does not
 * exist, and none where no job may write checkpoints. */
ORR_API void orr_attempt_spans(const orr_instance *in, const orr_schedule *s, int64_t attempt,
                               double now, bool (*visit)(void *user, const orr_span *span),
                               void *user);
