/* What a recording keeps beside the stints; without a recording these do nothing. */
#ifndef ORR_MALLEABLE_RECORD_INTERNAL_H
#define ORR_MALLEABLE_RECORD_INTERNAL_H

#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"

/* How the processors are spread after this instant. */
orr_status ori_record_moment(orr_malleable *sim, orr_error *err);

/* What somebody changed, now. Fields that a change does not have are 0, its processors none. */
static inline orr_status ori_record_change(orr_malleable *sim, orr_stints_change change,
                                           orr_error *err)
{
    change.time = sim->shell.now;
    return sim->shell.record ? ori_stints_note(&sim->stints, &change, err) : ORR_OK;
}

#endif
