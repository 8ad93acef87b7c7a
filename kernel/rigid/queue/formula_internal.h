/* A formula bound to the jobs of a simulation, with the times at which its steps are computed.
 * Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/queue/formula.h"

/* The inputs that are the same for all jobs at a decision. */
typedef struct ori_formula_situation {
    double now, first_submit;
    int32_t procs, free, down, waiting, running;
    orr_formula_value outside[ORR_FORMULA_OUTSIDE]; /* values looked up for all jobs */
} ori_formula_situation;

/* The steps at a decision: those that are the same for all jobs, those of a job, and those of a
 * label of each kind. */
enum { ORI_OF_DECISION, ORI_OF_JOB, ORI_OF_LABEL, ORI_SEQUENCES = ORI_OF_LABEL + ORR_LABEL_KINDS };

typedef struct ori_formula {
    const orr_formula *formula;        /* NULL: there is none */
    uint8_t when[ORR_FORMULA_STEPS];   /* per step: a moment, see formula.c */
    bool wanted[ORR_FORMULA_STEPS];    /* it is used at decisions, by another step or as the
                                          result */
    bool taken[ORR_FORMULA_STEPS];     /* it is used for every job */
    bool spread[ORR_FORMULA_STEPS];    /* it is used by a step that is not the same for all jobs */
    int16_t column[ORR_FORMULA_STEPS]; /* the column where it is kept, per job or per label; -1: not
                                          kept */
    bool settled[ORR_LABEL_KINDS];     /* all jobs have a label of this kind, or none has */
    int16_t *sequence[ORI_SEQUENCES];  /* steps in their order, ending with -1, see formula.c */
    int32_t columns, label_columns;
    uint32_t kinds, looked_up;                 /* kinds of labels, in bits: for which steps are
                                                  computed at decisions, and for which values are
                                                  looked up */
    int32_t labels;                            /* room for the labels below this number */
    orr_formula_value *kept;                   /* `columns` values per job */
    orr_formula_value *of_label;               /* `label_columns` values per label */
    orr_formula_value *buffer;                 /* a row of jobs per step */
    double *values;                            /* room for the results of all jobs */
    orr_formula_value *found[ORR_LABEL_KINDS]; /* per label: all looked-up values */
    uint32_t *met[ORR_LABEL_KINDS];            /* per label: the last decision at which it was
                                                  met */
    uint64_t *version[ORR_LABEL_KINDS];        /* per label: the version of its looked-up values; 0:
                                                  none */
    uint32_t decision;
    int32_t fruitless; /* decisions in a row at which the formula had no result */
    bool tried,
        total; /* a proof was tried for the looked-up values in `shown`; total: it was found */
    ori_formula_situation shown;
    size_t kept_size; /* bytes */
    ori_block block;
} ori_formula;

/* Binds a formula to the jobs of an instance, with room for `room` jobs; `closed`: no other jobs
 * come. ORR_ERR_ARGUMENT if the formula is not valid. Safe to destroy after a failure. */
orr_status ori_formula_create(ori_formula *f, const orr_formula *formula, const orr_instance *in,
                              int32_t room, bool closed, const orr_allocator *a, orr_error *err);
void ori_formula_destroy(ori_formula *f, const orr_allocator *a);

/* Fills values[j] for every job of an instance, by a formula of a priority per workload. *says is
 * false if the formula has no result, or depends on more than the job; the values are then not
 * valid. */
orr_status ori_formula_of_workload(const orr_formula *formula, const orr_instance *in,
                                   double *values, bool *says, const orr_allocator *a,
                                   orr_error *err);

/* Whether both formulas depend on the job alone, and give equal numbers; NULL: there is none. */
bool ori_formulas_agree(const orr_formula *a, const orr_formula *b);

/* A new scenario begins: drops all looked-up values. */
void ori_formula_begin(ori_formula *f);

/* Makes `to`, bound to the same jobs, equal to `from`. */
void ori_formula_copy(ori_formula *to, const ori_formula *from);

/* Computes the steps that depend on this job alone; to be called before the first decision at which
 * it waits. */
void ori_formula_keep(ori_formula *f, const orr_instance *in, int32_t job);

/* Fills values[i] with the priority of jobs[i]. False: the formula has no result. */
bool ori_formula_compute(ori_formula *f, const orr_rigid_priority_view *view,
                         const ori_formula_situation *now, const int32_t *jobs, int32_t count);

/* Copies the part of a situation that the formula uses. */
void ori_formula_remember(const ori_formula *f, ori_formula_situation *to,
                          const ori_formula_situation *from);

/* Whether the formula is not used any more, after many decisions without a result. */
bool ori_formula_is_given_up(const ori_formula *f);

/* Whether a proof shows that the formula gives a number for every submitted job of the instance. */
bool ori_formula_is_total(ori_formula *f, const orr_instance *in, const ori_formula_situation *now);
