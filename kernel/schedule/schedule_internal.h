/* Functions with which an engine records a schedule. Not a public header. */
#pragma once

#include "base/block_internal.h"
#include "schedule/metrics.h"

/* Whether the job waits again after an attempt of the schedule. A killed job (READINGS 36) waits
 * again if it keeps its saved work. */
static inline bool ori_waits_again(const orr_schedule *s, const orr_attempt *a)
{
    if (a->outcome == ORR_KILLED)
        return s->checkpointed && s->checkpoints[a - s->attempts].kept > 0;
    return a->outcome == ORR_FAILED || a->outcome == ORR_PREEMPTED || a->outcome == ORR_NODE_FAILED;
}

/* Takes attempts out of the record of a long run (schedule/stream_internal.h). */
typedef struct ori_outlet {
    orr_status (*take)(struct ori_outlet *outlet, orr_error *err);
    int64_t due; /* it is called before an attempt starts, where the record has so many */
} ori_outlet;

/* The first attempt from `from` on that something may still change, or after which its job waits
 * again. */
int64_t ori_schedule_settled(const orr_schedule *s, int64_t from);

/* Forgets those of the first `count` attempts, which are settled, whose jobs are over, and returns
 * how many of them are left. All others move up. */
int64_t ori_schedule_forget(orr_schedule *s, int64_t count);

/* An empty schedule for `jobs` jobs on `procs` processors; ORI_RAW: only ori_schedule_copy may
 * follow. Safe to destroy after a failure. */
orr_status ori_schedule_create(orr_schedule *s, int32_t jobs, int32_t procs, ori_filling filling,
                               const orr_allocator *a, orr_error *err);

/* Forgets all attempts; the memory is kept for the next run. */
void ori_schedule_clear(orr_schedule *s);

/* Makes `to`, created for the same jobs and processors or for more of either, equal to `from`, its
 * groups, too. */
orr_status ori_schedule_copy(orr_schedule *to, const orr_schedule *from, orr_error *err);

/* Records that `job` starts at `start` on the lowest-numbered `procs` free processors and is
 * planned to end at `planned_end`. */
orr_status ori_schedule_start(orr_schedule *s, int32_t job, int32_t procs, double start,
                              double planned_end, orr_error *err);

/* Divides the processors into groups from the next attempt on; copied. Otherwise all are
 * one group. */
orr_status ori_schedule_set_groups(orr_schedule *s, const orr_processor_group *groups,
                                   int32_t count, orr_error *err);

/* Sets the windows from now on; copied, except for their texts. */
orr_status ori_schedule_set_windows(orr_schedule *s, const orr_window *windows, int64_t count,
                                    orr_error *err);

/* Records that `job` starts on processors that the caller chose. A schedule is made either this way
 * or with ori_schedule_start. */
orr_status ori_schedule_start_on(orr_schedule *s, int32_t job, const orr_placement *where,
                                 double start, double planned_end, orr_error *err);

/* From the next attempt on, checkpoints are recorded. */
void ori_schedule_note_checkpoints(orr_schedule *s);
/* Notes that the policy estimates how long attempts take. */
void ori_schedule_note_estimates(orr_schedule *s);

/* The recorded checkpoints of the job's latest attempt; valid until the next attempt starts. */
orr_attempt_checkpoints *ori_schedule_checkpoints(orr_schedule *s, int32_t job);

/* Records a checkpoint on demand of the job's running attempt, with `next` filled in. */
orr_status ori_schedule_demand(orr_schedule *s, int32_t job, const orr_demand *demand,
                               orr_error *err);

/* Records that a running attempt is planned to end at another time. */
void ori_schedule_plan(orr_schedule *s, int32_t job, double planned_end);

/* Records the promise for the attempt that the job has just begun. */
void ori_schedule_promise(orr_schedule *s, int32_t job, double promised, bool excused);

/* Records an outage. */
orr_status ori_schedule_outage(orr_schedule *s, const orr_outage *outage, orr_outage_kind kind,
                               orr_error *err);

/* Records a new runtime of a job from now on. `before`: the numbers of its earlier attempts. A
 * running attempt is planned to end at `planned_end`. */
orr_status ori_schedule_revise(orr_schedule *s, int32_t job, orr_terms before, double planned_end,
                               orr_error *err);

/* Records that a job was cancelled from outside. */
orr_status ori_schedule_withdraw(orr_schedule *s, orr_withdrawal withdrawal, orr_error *err);

/* Records the end of the job's running attempt and frees its processors. */
orr_status ori_schedule_end(orr_schedule *s, int32_t job, double end, orr_outcome outcome,
                            orr_error *err);

/* Records that the job's latest attempt ended because the job was moved to another group. */
void ori_schedule_redirected(orr_schedule *s, int32_t job);
