/* Placements: which sets of free processors a job may have (READINGS 46). Internal to this folder.
 */
#pragma once

#include "rigid/named_internal.h"
#include "rigid/outage_source_internal.h"
#include "rigid/policy.h"

typedef struct ori_place {
    const orr_rigid_policy *policy; /* what it says of placement */
    const orr_instance *in;
    const char *group;          /* its name, for messages */
    const ori_outages *outages; /* borrowed: for how often nodes have failed */
    int32_t first, procs;       /* of the group */
    ori_runs found; /* what the last search has found; numbered from the group's first */
    ori_runs free;  /* what a policy's own function is shown; numbered on the machine */
    bool choosing;  /* it is being called */
    ori_block block;
} ori_place;

/* ORR_ERR_ARGUMENT where a policy's words of placement do not fit together, or not its group. */
orr_status ori_place_check(const orr_rigid_policy *policy, const char *group, int32_t first,
                           int32_t procs, int32_t machine, orr_error *err);

/* For a policy that was checked. The block is the owner's to destroy, also after a failure. */
orr_status ori_place_create(ori_place *p, const orr_allocator *a, orr_error *err);

/* An ori_named_find, the user of which is an ori_place. Where no job is named, the policy's own
 * function is not called: any processors do. */
orr_status ori_place_find(void *place, const ori_wish *wish, const uint64_t *free, bool *found,
                          orr_error *err);
