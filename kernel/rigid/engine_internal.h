/* The inside of a simulation, shared by the files of this folder only. */
#ifndef ORR_RIGID_ENGINE_INTERNAL_H
#define ORR_RIGID_ENGINE_INTERNAL_H

#include "base/calendar.h"
#include "base/callback_internal.h"
#include "rigid/decide.h"
#include "rigid/engine.h"
#include "rigid/order_internal.h"
#include "rigid/profile_internal.h"
#include "rigid/queue_internal.h"

#include <math.h>

struct orr_rigid {
    const orr_instance *in;
    const orr_jobs *jobs;
    orr_rigid_policy policy;
    void *policy_state;
    bool has_policy_state;
    orr_pcg rng; /* the policy's */
    uint64_t seed, set, scenario;
    const orr_cancel_flag *cancel;
    orr_trap trap;

    double now;
    int32_t free, running, over;
    int32_t submitted; /* jobs of by_submission that are in the system */

    /* per job; one block of memory */
    double *start, *planned_end; /* of the latest attempt; planned_end is the real end once over */
    int32_t *failures, *attempts;
    uint8_t *state;
    void *block;
    size_t block_size;

    orr_calendar ends; /* real ends of running attempts; payload: job */
    orr_queue queue;
    orr_order order;
    orr_ends planned; /* planned ends, kept where has_planned */
    orr_plan plan;    /* this decision's, where has_plan */
    orr_schedule schedule;
    orr_run_totals totals;

    /* conservative: the plan outlives its decision, see conservative.c */
    double *reserved;   /* per job: the start of its reservation, s */
    int32_t entered;    /* the smallest rank that has entered since the last decision */
    int32_t planned_to; /* waiting jobs of smaller rank have reservations */

    int32_t *retried;          /* jobs whose planned ends are out of `planned`, see shortcuts.c */
    int32_t plan_reservations; /* made in this decision */
    bool has_planned, has_plan, plan_valid, keeps_plan, kept;
    bool record, plain;
    bool shortcuts; /* nobody sees single events: finish may take short ways */
    bool fails;     /* some job, in this scenario */
    bool deciding;
    bool begun;   /* a scenario was set by orr_rigid_reset */
    bool busy;    /* inside reset or step, where only the policy may act */
    bool stopped; /* by an error in the middle of an instant: it cannot go on */

    orr_allocator alloc;
};

/* Reports a broken invariant and gives ORR_ERR_INTERNAL. */
orr_status orr_rigid_broken(const orr_rigid *sim, const char *invariant, const char *file, int line,
                            orr_error *err);
#define ORR_RIGID_CHECK(sim, condition, err)                                                       \
    do {                                                                                           \
        if (ORR_UNLIKELY(!(condition)))                                                            \
            return orr_rigid_broken(sim, #condition, __FILE__, __LINE__, err);                     \
    } while (0)

/* ORR_ERR_ARGUMENT when called from inside the policy. */
orr_status orr_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err);

/* Starts a waiting job that is known to fit. */
orr_status orr_rigid_start_fitting(orr_rigid *sim, int32_t job, orr_error *err);

/* One decision of R-LIST with a reservation for every job, where ranks hold for the scenario. */
orr_status orr_rigid_decide_conservative(orr_rigid *sim, orr_error *err);

/* One decision of the policy's discipline. */
orr_status orr_rigid_decide(orr_rigid *sim, orr_error *err);

/* Short ways to the next event that is worth a step, where there are any (shortcuts.c). */
orr_status orr_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on: count times start = (start + time) + verification, to the last bit. */
double orr_repeat(double start, double time, double verification, int32_t count);

/* ORR_ERR_LIMIT: times too large to add up, the clock would stop at infinity. */
orr_status orr_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err);

/* Makes this decision's plan if it is not there yet. */
void orr_rigid_need_plan(orr_rigid *sim);

#endif
