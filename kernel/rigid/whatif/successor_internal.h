/* Successors: a simulation that goes on from the present state of another one. Internal to this
 * folder. */
#pragma once

#include "rigid/state/state_internal.h"
#include "workload/instance_internal.h"

/* The changes of a successor; NULL: it keeps what the simulation had. */
typedef struct ori_sequel {
    const orr_instance *instance;   /* made by ori_instance_revise from the one before */
    const orr_rigid_policy *policy; /* see rigid/whatif/change.h, also for `procs` */
    int32_t procs;
    int32_t room;              /* for jobs submitted in place */
    bool processors;           /* processors change: the holder of each must be known */
    ori_given_windows windows; /* new windows, which begin later than now */
    bool windows_are_all;      /* `windows` replace the windows to come; else they are added */
} ori_sequel;

/* NULL on failure. `sim` must be between two instants. New jobs do not fail. */
orr_rigid *ori_rigid_succeed(const orr_rigid *sim, const ori_sequel *sequel, orr_error *err);
