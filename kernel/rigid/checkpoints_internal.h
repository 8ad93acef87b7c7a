/* Checkpoints (READINGS 36): what is saved of a job, and what follows for its next attempt. All of
 * it only where there is sim->progress. Internal to this folder. */
#pragma once

#include "rigid/state_internal.h"

/* Nothing is saved of the jobs from `first` on. */
void ori_checkpoints_forget(orr_rigid *sim, int32_t first);

/* A job begins to wait: which period the next attempt has, and what it is planned to take. */
orr_status ori_checkpoints_plan(orr_rigid *sim, int32_t job, orr_error *err);

/* How long a job that is not over is expected to hold processors, s, where failures strike it at
 * this rate, 1/s. */
double ori_checkpoints_expected(const orr_rigid *sim, int32_t job, double rate);

/* An attempt begins now; returns when its event is, s, see ori_checkpoints_event. */
double ori_checkpoints_begin(orr_rigid *sim, int32_t job);

/* Whether the job's attempt that runs, or its next one, reaches its walltime. */
bool ori_checkpoints_is_killed(const orr_rigid *sim, int32_t job);

/* The attempt that runs has come to its end; returns whether its job waits again, */
bool ori_checkpoints_end(orr_rigid *sim, int32_t job, orr_outcome outcome);
/* or is interrupted now. */
void ori_checkpoints_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome);

/* ORR_ERR_LIMIT where a job has been ended too often, for one that is killed again. */
orr_status ori_checkpoints_check_kills(const orr_rigid *sim, int32_t job, orr_error *err);

/* What a checkpoint on demand does to the attempt that runs. */
typedef enum ori_demanded {
    ORI_GOES_ON,    /* nothing */
    ORI_ENDS_LATER, /* it ends at another time (the two functions below) */
    ORI_LEAVES_NOW  /* it is to be interrupted */
} ori_demanded;

/* The attempt that runs saves all that is done; where it `leaves`, it ends when that is complete.
 */
orr_status ori_checkpoints_demand(orr_rigid *sim, int32_t job, bool leaves, ori_demanded *what,
                                  orr_error *err);

/* The event of the attempt that runs, s: when it writes a checkpoint before a kill, a drain or a
 * window (progress.due), or ends. To be asked for anew when it ends at another time. */
double ori_checkpoints_event(orr_rigid *sim, int32_t job);
/* Asks for those of all attempts that run, after a change from outside. */
void ori_checkpoints_take_events(orr_rigid *sim);
/* The time of that checkpoint has come: writes it, if there is anything to save. The attempt has
 * another event then. */
orr_status ori_checkpoints_write_before(orr_rigid *sim, int32_t job, bool *wrote, orr_error *err);

/* When the attempt that runs is planned to end, and really ends, s. */
double ori_checkpoints_planned_end(const orr_rigid *sim, int32_t job);
double ori_checkpoints_real_end(const orr_rigid *sim, int32_t job);

/* What is known of the first `count` jobs was taken over: their next attempts may be others. */
void ori_checkpoints_take(orr_rigid *sim, int32_t count);
/* Whether a job may have the runtime that it has now, given how far it has come. */
orr_status ori_checkpoints_check_runtime(const orr_rigid *sim, int32_t job, orr_error *err);

/* What an interruption now would leave of a job, s of work. */
double ori_checkpoints_saved(const orr_rigid *sim, int32_t job);
