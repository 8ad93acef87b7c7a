/* Placements: which sets of free processors a job may have (READINGS 46). Internal to this folder.
 */
#pragma once

#include "rigid/availability/named_internal.h"
#include "rigid/machine/outage_source_internal.h"
#include "rigid/queue/policy.h"

typedef struct ori_place {
    const orr_rigid_policy *policy; /* only its placement fields are used */
    const orr_instance *in;
    const char *group;          /* name of the group, for messages */
    const ori_outages *outages; /* borrowed: for the failure counts of nodes */
    int32_t first, procs;       /* of the group */
    ori_runs found;             /* result of the last search; numbered from the group's first */
    ori_runs free;              /* shown to a policy's own function; numbered on the machine */
    bool choosing;              /* the policy's function is being called */
    ori_block block;
} ori_place;

/* ORR_ERR_ARGUMENT if a policy's placement fields are inconsistent, or do not fit its group. */
orr_status ori_place_check(const orr_rigid_policy *policy, const char *group, int32_t first,
                           int32_t procs, int32_t machine, orr_error *err);

/* For a policy that was checked. The block is the owner's to destroy, also after a failure. */
orr_status ori_place_create(ori_place *p, const orr_allocator *a, orr_error *err);

/* An ori_named_find with an ori_place as its user. If the wish names no job, the policy's own
 * function is not called: any processors are accepted. */
orr_status ori_place_find(void *place, const ori_wish *wish, const ori_runs *free, bool *found,
                          orr_error *err);
