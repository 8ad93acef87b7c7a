/* A formula bound to the jobs of a simulation: what is computed when. Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/formula.h"

/* What is the same for all jobs at a decision. */
typedef struct ori_formula_situation {
    double now, first_submit;
    int32_t procs, free, down, waiting, running;
    orr_formula_value outside[ORR_FORMULA_OUTSIDE]; /* what is looked up for all */
} ori_formula_situation;

typedef struct ori_formula {
    const orr_formula *formula;        /* NULL: there is none */
    uint8_t when[ORR_FORMULA_STEPS];   /* a step is computed */
    bool wanted[ORR_FORMULA_STEPS];    /* at decisions, by another step or as the result, */
    bool taken[ORR_FORMULA_STEPS];     /* and that for every job, */
    bool spread[ORR_FORMULA_STEPS];    /* or by what is not the same for all jobs */
    int16_t column[ORR_FORMULA_STEPS]; /* where it is kept, per job or per label; -1: it is not */
    int32_t columns, label_columns;
    uint32_t kinds, looked_up;                 /* of labels, in bits: by which something is computed
                                                  at decisions, and looked up */
    int32_t labels;                            /* there is room for the labels below this */
    orr_formula_value *kept;                   /* `columns` values per job */
    orr_formula_value *of_label;               /* `label_columns` values per label */
    orr_formula_value *buffer;                 /* a row of jobs per step */
    double *values;                            /* room for the results of all jobs */
    orr_formula_value *found[ORR_LABEL_KINDS]; /* per label: all that is looked up */
    uint32_t *met[ORR_LABEL_KINDS];            /* per label: when it was met last, a decision */
    uint64_t *version[ORR_LABEL_KINDS];        /* and of what was looked up; 0: nothing */
    uint32_t decision;
    int32_t fruitless; /* decisions in a row at which the formula did not say */
    bool tried,
        total; /* whether a proof was tried for what is looked up as in `shown`, and found */
    ori_formula_situation shown;
    size_t kept_size; /* bytes */
    ori_block block;
} ori_formula;

/* Binds a formula to the jobs of an instance, with room for so many. ORR_ERR_ARGUMENT where it is
 * none. Safe to destroy after a failure. */
orr_status ori_formula_create(ori_formula *f, const orr_formula *formula, const orr_instance *in,
                              int32_t room, const orr_allocator *a, orr_error *err);
void ori_formula_destroy(ori_formula *f, const orr_allocator *a);

/* Fills values[j] for every job of an instance, by a formula of a priority per workload. *says is
 * false where it does not say, or sees more than the job; the values are then of no use. */
orr_status ori_formula_of_workload(const orr_formula *formula, const orr_instance *in,
                                   double *values, bool *says, const orr_allocator *a,
                                   orr_error *err);

/* Another scenario begins: what was looked up is forgotten. */
void ori_formula_begin(ori_formula *f);

/* Makes `to`, bound to the same jobs, equal to `from`. */
void ori_formula_copy(ori_formula *to, const ori_formula *from);

/* Computes what depends on this job alone; before the first decision at which it waits. */
void ori_formula_keep(ori_formula *f, const orr_instance *in, int32_t job);

/* Fills values[i] with the priority of jobs[i]. False: the formula does not say. */
bool ori_formula_compute(ori_formula *f, const orr_rigid_priority_view *view,
                         const ori_formula_situation *now, const int32_t *jobs, int32_t count);

/* Copies a situation as far as the formula sees it. */
void ori_formula_remember(const ori_formula *f, ori_formula_situation *to,
                          const ori_formula_situation *from);

/* After many decisions at which it did not say it is not worth asking. */
bool ori_formula_is_given_up(const ori_formula *f);

/* Whether it can be shown to give a number for every job of the instance, as soon as that is
 * submitted. */
bool ori_formula_is_total(ori_formula *f, const orr_instance *in, const ori_formula_situation *now);
