/* A priority as a formula: the same numbers as its function gives, for all jobs that wait at once.
 *
 * A policy whose priority is asked at every decision may give it twice, as a function and as a
 * formula. The formula is a list of steps; each computes one value from those before it, and the
 * last one is the priority. Steps have types: integers of 64 bits that wrap, floats, and conditions
 * (0 or 1). Every step is computed as Lua 5.4 would, to the last bit, and has a value for all
 * operands, so that a step may be computed where its value is not needed. A priority that is NaN
 * means that the formula does not say: the function is then asked for all jobs, as if there were no
 * formula. So is it in the plain event loop.
 *
 * Of a priority that is asked per workload the formula is used where it sees nothing but the job:
 * it is computed for all jobs at once.
 *
 * The kernel computes what depends on a job alone once, when the job enters the queue. It leaves a
 * decision out at which nobody who waits fits on the free processors, where it can show that the
 * formula gives a number for every job. */
#pragma once

#include "rigid/policy.h"

/* Inputs, and from F_FROM_I on operations on the steps a, b and c. The first letter is the type of
 * the step: F a float, I an integer, C a condition. Its operands are of the type that ends the
 * name, or else of its own; the first of a SELECT is a condition. */
#define ORR_FORMULA_OPERATIONS(OP)                                                                 \
    OP(F_CONSTANT)                                                                                 \
    OP(I_CONSTANT)                                                                                 \
    OP(F_NOW)           /* s */                                                                    \
    OP(F_FIRST_SUBMIT)  /* s */                                                                    \
    OP(I_GROUP_PROCS)   /* of the group that decides: its size, */                                 \
    OP(I_FREE)          /* free processors, */                                                     \
    OP(I_DOWN)          /* those that are down, */                                                 \
    OP(I_WAITING_COUNT) /* jobs that wait for it, */                                               \
    OP(I_RUNNING_COUNT) /* and jobs that run on it */                                              \
    OP(F_SUBMIT)        /* of the job, s */                                                        \
    OP(F_TIME)          /* its estimate, s */                                                      \
    OP(F_AREA)          /* estimate * processors */                                                \
    OP(I_PROCS)                                                                                    \
    OP(I_POSITION)  /* from 1 */                                                                   \
    OP(C_HAS_LABEL) /* the job has a label of kind `integer` */                                    \
    OP(C_LABEL_IS)  /* that label is `text` */                                                     \
    OP(F_OUTSIDE)   /* what the policy looks up, number `integer` */                               \
    OP(I_OUTSIDE)   /* the same, an integer */                                                     \
    OP(C_OUTSIDE)   /* the same, a condition */                                                    \
    OP(F_FROM_I)    /* the first with operands */                                                  \
    OP(F_ADD)                                                                                      \
    OP(F_SUB)                                                                                      \
    OP(F_MUL)                                                                                      \
    OP(F_DIV)                                                                                      \
    OP(F_MOD)                                                                                      \
    OP(F_POW)                                                                                      \
    OP(F_FLOOR_DIV)                                                                                \
    OP(F_NEG)                                                                                      \
    OP(F_ABS)                                                                                      \
    OP(F_FLOOR)                                                                                    \
    OP(F_CEIL)                                                                                     \
    OP(F_SQRT)                                                                                     \
    OP(F_EXP)                                                                                      \
    OP(F_LOG)                                                                                      \
    OP(F_LOG2)                                                                                     \
    OP(F_LOG10)                                                                                    \
    OP(F_SIN)                                                                                      \
    OP(F_COS)                                                                                      \
    OP(F_TAN)                                                                                      \
    OP(I_ADD)                                                                                      \
    OP(I_SUB)                                                                                      \
    OP(I_MUL)                                                                                      \
    OP(I_FLOOR_DIV) /* 0 where b is 0 */                                                           \
    OP(I_MOD)       /* 0 where b is 0 */                                                           \
    OP(I_NEG)                                                                                      \
    OP(I_ABS)                                                                                      \
    OP(I_FROM_F) /* 0 where a is no integer of 64 bits */                                          \
    OP(C_EQ_F)                                                                                     \
    OP(C_LT_F)                                                                                     \
    OP(C_LE_F)                                                                                     \
    OP(C_EQ_I)                                                                                     \
    OP(C_LT_I)                                                                                     \
    OP(C_LE_I)                                                                                     \
    OP(F_SELECT) /* b where the condition a holds, else c */                                       \
    OP(I_SELECT)

typedef enum orr_formula_op {
#define ORR_FORMULA_OP(name) ORR_##name,
    ORR_FORMULA_OPERATIONS(ORR_FORMULA_OP)
#undef ORR_FORMULA_OP
        ORR_FORMULA_OPS /* how many there are */
} orr_formula_op;

enum { ORR_FORMULA_STEPS = 256, ORR_FORMULA_OUTSIDE = 32 }; /* at the most */

typedef struct orr_formula_step {
    orr_formula_op op;
    int32_t a, b, c;  /* earlier steps */
    double number;    /* ORR_F_CONSTANT */
    int64_t integer;  /* ORR_I_CONSTANT; the kind of a label; the number of what is looked up */
    const char *text; /* ORR_C_LABEL_IS; borrowed */
} orr_formula_step;

/* A value: what it is follows from the step. */
typedef union orr_formula_value {
    double number;
    int64_t integer;
} orr_formula_value;

/* Of what is looked up: it is the same for all jobs, or for all jobs with equal labels of one kind,
 * at one decision. */
enum { ORR_OUTSIDE_OF_ALL = -1 };

typedef struct orr_formula {
    size_t size; /* sizeof this, see base/api.h */
    int32_t count;
    const orr_formula_step *steps; /* borrowed */
    int32_t outside_count;
    const int32_t *outside_of; /* borrowed: ORR_OUTSIDE_OF_ALL, or an orr_label */
    /* Looks up, at a decision, all that is of all (job is -1), or of this kind of label (for the
       label of job, which may have none); values is for all of them. False: the formula does not
       hold now. It may not change anything. NULL: nothing is looked up. It is called even where
       outside_count is 0: something may have changed that the formula relies on. */
    void *user;
    bool (*look_up)(void *user, const orr_rigid_priority_view *view, int32_t of, int32_t job,
                    orr_formula_value *values);
    /* A number that is another one where what is looked up for the jobs with this label, or for
       those that have none (0), may have changed; 0: it may have. NULL: that may be at every
       decision. */
    uint64_t (*version)(void *user, const orr_jobs *jobs, int32_t label);
} orr_formula;
