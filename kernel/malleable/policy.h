/* Policies for malleable tasks: they redistribute processors when a task ends or is struck.
 *
 * A policy is this struct of function pointers with a user pointer; the kernel copies the struct
 * and borrows what its pointers refer to. Both hooks propose an allocation with the functions of
 * malleable/decide.h; the kernel checks it and applies it, with all its costs, when the hook
 * returns.
 *
 * Calls (spec/READINGS.md, 10): on_end after every end of a task while another still runs; on_fault
 * after a fault when the struck task is now expected to finish no earlier than any other that runs.
 *
 * State. A policy keeps its memory in a state that make_state makes for every run and copy_state
 * copies with the simulation; nothing else may change between calls. */
#pragma once

#include "base/error.h"

typedef struct orr_malleable orr_malleable; /* a simulation, see malleable/engine.h */

/* The arguments of a policy's function for periods. */
typedef struct orr_period_question {
    int32_t task;      /* position */
    int32_t procs;     /* even, >= 2 */
    double size;       /* m, data units */
    double time;       /* t(j) of the whole task, s */
    double alone;      /* t(1), s */
    double checkpoint; /* C = R on these processors, s */
    double mtbf;       /* of these processors together, s */
    double downtime;   /* s */
    double period;     /* tau by orr_resilience.rule, s */
} orr_period_question;

typedef struct orr_malleable_policy {
    size_t size;      /* sizeof this, see base/api.h */
    const char *name; /* for messages */
    void *user;       /* passed to every function */

    /* task: position of the task that ended, or was struck. NULL: no redistribution. */
    orr_status (*on_end)(void *user, orr_malleable *sim, int32_t task, orr_error *err);
    orr_status (*on_fault)(void *user, orr_malleable *sim, int32_t task, orr_error *err);

    /* All three or none. *state may be any pointer; copy_state gives an equal, independent one. */
    orr_status (*make_state)(void *user, orr_malleable *sim, void **state, orr_error *err);
    orr_status (*copy_state)(void *user, void *state, void **copy, orr_error *err);
    void (*free_state)(void *user, void *state);

    /* Called once, before the tasks start and before make_state: proposes the initial allocation,
     * which costs nothing. The proposal begins as the result of Algorithm 1; NULL keeps it. Tasks
     * submitted later start on the processors that Algorithm 1 gives them from the free ones. */
    orr_status (*on_start)(void *user, orr_malleable *sim, orr_error *err);

    /* *period: tau of a task on this number of processors, s; larger than its checkpoint. Called on
     * first use, and perhaps again: equal questions must always get equal answers. NULL:
     * orr_resilience.rule. Not called where processors never fail or checkpoints cost nothing. */
    orr_status (*period)(void *user, const orr_period_question *question, double *period,
                         orr_error *err);

    bool every_fault; /* on_fault is called after every fault that strikes a task */
} orr_malleable_policy;
