/* Faults: those that strike nobody come ahead of the clock (faults.c). */
#pragma once

#include "malleable/state_internal.h"

/* The fault that comes next. */
static inline orr_fault ori_next_fault(const orr_malleable *sim)
{
    return ORR_UNLIKELY(sim->due.taken < sim->due.count) ? sim->due.items[sim->due.taken]
                                                         : orr_faults_peek(sim->faults);
}

/* Takes the next fault, and records it if wanted. */
orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err);

/* Takes the faults before the next end that strike no task: until then nothing changes. */
orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err);

/* The task that a fault hits, < 0 for none, and whether it is ready to be struck. */
int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault);
bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault);

/* Counts it where a buddy has to resend both checkpoints while its task recovers. */
void ori_note_fatal(orr_malleable *sim, const orr_fault *fault);

/* Called before a change: puts back the faults taken ahead of the clock. From now on drawn faults
 * come from the streams of `seed`. */
orr_status ori_put_back_faults(orr_malleable *sim, uint64_t seed, orr_error *err);

/* Called after ori_put_back_faults: adds a fault at the clock, behind the present ones. */
orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err);
