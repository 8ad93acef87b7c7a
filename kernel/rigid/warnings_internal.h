/* Warnings of failures of nodes: which failures are announced, and when, and which warnings are
 * false (READINGS 47). The sources of failures are copied and run ahead of the clock, so that the
 * failures are the same with and without warnings. What a warning does is the policy's business.
 * Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/engine.h"

typedef struct ori_warnings {
    bool any;
    bool heard; /* the policy wants to know: a warning is an instant */
    bool kept;  /* those that are past, too */
    orr_rigid_node_failures setup;

    /* plain: a copy has the same */
    struct ori_warnings_at {
        int32_t procs; /* those of the law */
        double origin; /* s: drawn times are counted from here, and no warning comes before */
        double since;  /* s: only failures behind it are announced */
        orr_stream_key key;
        orr_pcg rng;               /* of false warnings */
        int64_t taken;             /* of the given failures */
        orr_warning coming, wrong; /* the next that comes true, and the next that does not; at inf:
                                      there is none */
        double wrong_at;           /* of the latter, s behind the origin */
        int64_t past, told, given; /* of `list`: so many were of failures by now, so many the policy
                                      knows, and so many there are */
    } at;

    orr_faults *nodes, *domains; /* ahead of the clock; NULL: none */
    uint32_t *seen;              /* failures that were looked at, per node, */
    uint32_t *domain_seen;       /* and per domain */
    int32_t node_count, domain_count;
    orr_warning *list; /* warnings that were given, in order of `at` */
    int64_t room;
    ori_block block;
    orr_allocator alloc;
} ori_warnings;

/* Of checked failures; `nodes` and `domains`, the sources of drawn ones, are copied, or NULL. Safe
 * to destroy after a failure. */
orr_status ori_warnings_create(ori_warnings *w, const orr_rigid_node_failures *setup, int32_t procs,
                               double origin, const orr_faults *nodes, const orr_faults *domains,
                               const orr_allocator *a, orr_error *err);
void ori_warnings_destroy(ori_warnings *w);

/* Before the first of a scenario. */
orr_status ori_warnings_reset(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                              orr_error *err);
/* From `now` on failures are those of another scenario; what was announced will not come. */
orr_status ori_warnings_draw_anew(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                                  double now, orr_error *err);
/* Makes `to`, created alike, equal to `from`, but for who hears of them. */
orr_status ori_warnings_copy(ori_warnings *to, const ori_warnings *from, orr_error *err);

/* When the next is given to a policy that wants to know, s; inf: never. */
double ori_warnings_next(const ori_warnings *w);

/* Gives those that are due, and forgets those of failures by now. */
orr_status ori_warnings_pass(ori_warnings *w, double now, orr_error *err);

/* Another policy takes over: it is told of what is still to come. */
void ori_warnings_forget_told(ori_warnings *w);

static inline bool ori_warnings_are_untold(const ori_warnings *w)
{
    return w->heard && w->at.told < w->at.given;
}

/* The numbers of the setup that are of warnings. */
orr_status ori_warnings_check(const orr_rigid_node_failures *s, orr_error *err);
