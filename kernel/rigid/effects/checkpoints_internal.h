/* Checkpoints (READINGS 36): the saved work of a job and the length of its next attempt. All
 * functions need sim->progress. Internal to this folder. */
#pragma once

#include "rigid/state/state_internal.h"

/* Clears the saved work of the jobs from `first` on. */
void ori_checkpoints_forget(orr_rigid *sim, int32_t first);

/* Plans the next attempt of a job that begins to wait: its period and its length. */
orr_status ori_checkpoints_plan(orr_rigid *sim, int32_t job, orr_error *err);

/* The expected time that a job that is not over holds processors, s, if failures strike it at this
 * rate, 1/s. */
double ori_checkpoints_expected(const orr_rigid *sim, int32_t job, double rate);

/* An attempt begins now; returns the time of its event, s, see ori_checkpoints_event. */
double ori_checkpoints_begin(orr_rigid *sim, int32_t job);

/* Whether the job's running attempt, or its next one, reaches its walltime. */
bool ori_checkpoints_is_killed(const orr_rigid *sim, int32_t job);

/* The running attempt has reached its end; returns whether its job waits again. */
bool ori_checkpoints_end(orr_rigid *sim, int32_t job, orr_outcome outcome);
/* The running attempt is interrupted now. */
void ori_checkpoints_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome);

/* Returns ORR_ERR_LIMIT if a job that is killed again has been ended too often. */
orr_status ori_checkpoints_check_kills(const orr_rigid *sim, int32_t job, orr_error *err);

/* The effect of a checkpoint on demand on the running attempt. */
typedef enum ori_demanded {
    ORI_GOES_ON,    /* nothing */
    ORI_ENDS_LATER, /* it ends at another time (the two functions below) */
    ORI_LEAVES_NOW  /* it must be interrupted now */
} ori_demanded;

/* The running attempt saves all its work; if it `leaves`, it ends when the checkpoint is
 * complete. */
orr_status ori_checkpoints_demand(orr_rigid *sim, int32_t job, bool leaves, ori_demanded *what,
                                  orr_error *err);

/* The time of the running attempt's event, s: a checkpoint before a kill, a drain or a window
 * (progress.due), or its end. It must be computed again when the end changes. */
double ori_checkpoints_event(orr_rigid *sim, int32_t job);
/* Computes the events of all running attempts again, after a change from outside. */
void ori_checkpoints_take_events(orr_rigid *sim);
/* Writes the checkpoint of an event that is due, if there is anything to save. The attempt then has
 * another event. */
orr_status ori_checkpoints_write_before(orr_rigid *sim, int32_t job, bool *wrote, orr_error *err);

/* The planned and the real end of the running attempt, s. */
double ori_checkpoints_planned_end(const orr_rigid *sim, int32_t job);
double ori_checkpoints_real_end(const orr_rigid *sim, int32_t job);

/* After the first `count` jobs were taken over: plans their next attempts again, which may
 * differ. */
void ori_checkpoints_take(orr_rigid *sim, int32_t count);
/* Checks that a job may have its present runtime, given its progress. */
orr_status ori_checkpoints_check_runtime(const orr_rigid *sim, int32_t job, orr_error *err);

/* The work of a job that would be saved if it were interrupted now, s. */
double ori_checkpoints_saved(const orr_rigid *sim, int32_t job);
