/* Jobs that come after others (READINGS 41): when they are submitted follows from the run. A
 * simulation with such jobs has an instance of its own, with the submissions that are known: inf is
 * one that is not. Internal to this folder. */
#pragma once

#include "rigid/state_internal.h"
#include "workload/links_internal.h"

typedef struct ori_dependents {
    orr_instance own;       /* as the one that was given, but for the next two */
    double *submit;         /* own.submit */
    int32_t *by_submission; /* own.by_submission: who is submitted, those whose submission is not
                               known, those that are still to come, the first and last in order */
    double *due;            /* s, per job: when it is submitted by the jobs that are over */
    int32_t *left;          /* per job: the others that it still comes after */
    int32_t *slot;          /* per job whose submission is not known: its place */
    ori_block block;
} ori_dependents;

/* The simulation's own instance, in place of sim->in; and how it was made before a run. */
orr_status ori_dependents_create(orr_rigid *sim, orr_error *err);
void ori_dependents_destroy(orr_rigid *sim);
void ori_dependents_reset(orr_rigid *sim);
void ori_dependents_copy(orr_rigid *to, const orr_rigid *from);
/* Goes on where another simulation stands. */
void ori_dependents_take(orr_rigid *to, const orr_rigid *from);

/* Ranks are given when a job comes: nobody knows them beforehand. */
void ori_dependents_loosen(orr_rigid *sim);

/* A job is over, at `end`. */
void ori_dependents_end(orr_rigid *sim, int32_t job, double end);

/* Asks for the priorities of a job that is submitted now, which could not be asked for before. */
orr_status ori_dependents_ask(orr_rigid *sim, int32_t job, orr_error *err);

/* The jobs whose submission is not known when a run begins. */
static inline int32_t ori_dependents_count(const orr_rigid *sim)
{
    return sim->dependents ? sim->in->linked : 0;
}

/* Passes the job that is submitted next. */
static inline void ori_rigid_advance(orr_rigid *sim)
{
    int32_t to = sim->at.submitted++, from = to + sim->at.unreleased;
    ori_dependents *d = sim->dependents;
    if (ORR_LIKELY(to == from || !d))
        return;
    int32_t job = d->by_submission[to];
    d->by_submission[to] = d->by_submission[from];
    d->by_submission[from] = job;
    d->slot[job] = from;
}
