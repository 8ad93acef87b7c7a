/* A simulation that goes on where another stands. Internal to this folder. */
#pragma once

#include "rigid/state_internal.h"
#include "workload/instance_internal.h"

/* What a simulation goes on with; NULL: with what it had. */
typedef struct ori_sequel {
    const orr_instance *instance;   /* made by ori_instance_revise from the one before */
    const orr_rigid_policy *policy; /* see rigid/change.h, like */
    int32_t procs;
    int32_t room;    /* for jobs that come in place */
    bool processors; /* the change is one of processors: who holds which has to be known */
    ori_given_windows windows; /* they begin later than now */
    bool windows_are_all;      /* those that have opened, and then all others; else they are beside
                                  those that there are */
} ori_sequel;

/* NULL on failure. `sim` must rest between two instants. The jobs behind do not fail. */
orr_rigid *ori_rigid_succeed(const orr_rigid *sim, const ori_sequel *sequel, orr_error *err);
