/* What an attempt of a job that may write checkpoints did when (READINGS 36), from what was
 * recorded. */
#pragma once

#include "schedule/schedule.h"
#include "schedule/stints.h"

/* Calls visit for every span of an attempt, in order of time (spans of no length are left out),
 * until it returns false: recovery, work, checkpoints, complete or not, and what is lost, work that
 * no checkpoint has saved: all work of an attempt that failed, was killed or cancelled. span->task
 * is the job, span->stint the attempt. `now` (s) cuts what has not happened yet; INFINITY for an
 * attempt that is over. Work of a detector is work. Where no clock tells periods apart, the rest of
 * the work is one span. There are none of an attempt that there is not, nor where no job may write
 * checkpoints. */
ORR_API void orr_attempt_spans(const orr_instance *in, const orr_schedule *s, int64_t attempt,
                               double now, bool (*visit)(void *user, const orr_span *span),
                               void *user);
