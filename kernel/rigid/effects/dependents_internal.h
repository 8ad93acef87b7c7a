/* Jobs that come after others (READINGS 41): their submission times depend on the run. A simulation
 * with such jobs has its own instance with the known submissions; an unknown submission is inf.
 * Internal to this folder. */
#pragma once

#include "rigid/state/state_internal.h"
#include "workload/links_internal.h"

typedef struct ori_dependents {
    orr_instance own;       /* the given instance, except the next two arrays */
    double *submit;         /* own.submit */
    int32_t *by_submission; /* own.by_submission: submitted jobs (in order), jobs with unknown
                               submission, jobs still to come (in order) */
    double *due;            /* s, per job: earliest submission, given the jobs that are over */
    int32_t *left;          /* per job: number of unfinished jobs that it comes after */
    int32_t *slot;          /* per job with unknown submission: its place in by_submission */
    ori_block block;
} ori_dependents;

/* Makes the simulation's own instance, in place of sim->in. Reset restores its state before a
 * run. */
orr_status ori_dependents_create(orr_rigid *sim, orr_error *err);
void ori_dependents_destroy(orr_rigid *sim);
void ori_dependents_reset(orr_rigid *sim);
void ori_dependents_copy(orr_rigid *to, const orr_rigid *from);
/* Takes over the present state of another simulation. */
void ori_dependents_take(orr_rigid *to, const orr_rigid *from);

/* Makes ranks dynamic: the rank of a job is not known before its submission. */
void ori_dependents_loosen(orr_rigid *sim);

/* Notes that a job is over at `end`. */
void ori_dependents_end(orr_rigid *sim, int32_t job, double end);

/* Asks for the priorities of a job that is submitted now, which could not be asked for before. */
orr_status ori_dependents_ask(orr_rigid *sim, int32_t job, orr_error *err);

/* The number of jobs whose submission is not known when a run begins. */
static inline int32_t ori_dependents_count(const orr_rigid *sim)
{
    return sim->dependents ? sim->in->linked : 0;
}

/* Moves past the next job to be submitted. */
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

/* Skips jobs of by_submission that are already submitted or over. */
void ori_rigid_skip_submitted(orr_rigid *sim);
