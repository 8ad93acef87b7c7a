/* Warnings of failures of nodes: the announced failures, the times of their warnings, and the false
 * warnings (READINGS 47). The sources of failures are copied and run ahead of the clock, so that
 * the failures are the same with and without warnings. The policy decides how to react to a
 * warning. Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/machine/node_failures.h"
#include "rigid/machine/units_internal.h"
#include "rigid/queue/policy.h"

typedef struct ori_warnings {
    bool any;
    bool heard; /* the policy has on_warning: a warning is an instant */
    bool kept;  /* past warnings are kept, too */
    orr_rigid_node_failures setup;

    /* plain fields: copied by assignment */
    struct ori_warnings_at {
        ori_units units; /* that fail by the law */
        double origin;   /* s: drawn times are counted from here, and no warning comes before */
        double since;    /* s: only failures later than this are announced */
        orr_stream_key key;
        orr_pcg rng;               /* of false warnings */
        int64_t taken;             /* of the given failures */
        orr_warning coming, wrong; /* the next true and the next false warning; at inf: there is
                                      none */
        double wrong_at;           /* of the false one, s after the origin */
        int64_t past, told, given; /* numbers of warnings in `list`: of failures by now, told to the
                                      policy, and all */
    } at;

    orr_faults *nodes, *domains; /* ahead of the clock; NULL: none */
    uint32_t *seen;              /* per node: number of failures already examined */
    uint32_t *domain_seen;       /* per domain: the same number */
    int32_t node_count, domain_count;
    orr_warning *list; /* warnings that were given, in order of `at` */
    int64_t room;
    ori_block block;
    orr_allocator alloc;
} ori_warnings;

/* For a checked setup; `nodes` and `domains`, the sources of drawn failures, are copied, or NULL.
 * Safe to destroy after a failure. */
orr_status ori_warnings_create(ori_warnings *w, const orr_rigid_node_failures *setup,
                               const ori_units *units, double origin, const orr_faults *nodes,
                               const orr_faults *domains, const orr_allocator *a, orr_error *err);
void ori_warnings_destroy(ori_warnings *w);

/* Begins a scenario, before its first warning. */
orr_status ori_warnings_reset(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                              orr_error *err);
/* From `now` on failures are those of another scenario; failures that were announced do not
 * come. */
orr_status ori_warnings_draw_anew(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                                  double now, orr_error *err);
/* Makes `to`, created alike, equal to `from`, except `heard`. */
orr_status ori_warnings_copy(ori_warnings *to, const ori_warnings *from, orr_error *err);

/* The time of the next warning to a policy with on_warning, s; inf: never. */
double ori_warnings_next(const ori_warnings *w);

/* Gives the warnings that are due, and drops those of failures by now unless they are kept. */
orr_status ori_warnings_pass(ori_warnings *w, double now, orr_error *err);

/* Another policy takes over: it will be told all warnings of failures still to come. */
void ori_warnings_forget_told(ori_warnings *w);

static inline bool ori_warnings_are_untold(const ori_warnings *w)
{
    return w->heard && w->at.told < w->at.given;
}

/* Checks the warning fields of the setup. */
orr_status ori_warnings_check(const orr_rigid_node_failures *s, orr_error *err);
