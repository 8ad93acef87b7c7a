/* A priority as a formula: it computes the same numbers as the priority's function, for all waiting
 * jobs at once.
 *
 * A policy whose priority is asked at every decision may give it twice, as a function and as a
 * formula. The formula is a list of steps; each computes one value from those before it, and the
 * last one is the priority. Steps have types: integers of 64 bits that wrap, floats, and conditions
 * (0 or 1). Every step is computed as Lua 5.4 would, to the last bit, and has a value for all
 * operands, so that a step may be computed where its value is not needed. A priority that is NaN
 * means that the formula has no result: the function is then asked for all jobs, as if there were
 * no formula. The plain event loop always asks the function.
 *
 * For a priority per workload the formula is used only if it depends on nothing but the job: it is
 * computed for all jobs at once.
 *
 * Steps that depend on a job alone are computed once, when the job enters the queue. If the kernel
 * can prove that the formula gives a number for every job, it skips the decisions at which no
 * waiting job fits on the free processors. */
#pragma once

#include "rigid/queue/policy.h"

/* Inputs, and from F_FROM_I on operations on the steps a, b and c. The first letter is the type of
 * the step: F a float, I an integer, C a condition. The operands have the type that ends the name,
 * or else the type of the step; the first operand of a SELECT is a condition. */
#define ORR_FORMULA_OPERATIONS(OP)                                                                 \
    OP(F_CONSTANT)                                                                                 \
    OP(I_CONSTANT)                                                                                 \
    OP(F_NOW)           /* s */                                                                    \
    OP(F_FIRST_SUBMIT)  /* s */                                                                    \
    OP(I_GROUP_PROCS)   /* of the group that decides: its size, */                                 \
    OP(I_FREE)          /* free processors, */                                                     \
    OP(I_DOWN)          /* processors that are down, */                                            \
    OP(I_WAITING_COUNT) /* jobs that wait for it, */                                               \
    OP(I_RUNNING_COUNT) /* and jobs that run on it */                                              \
    OP(F_SUBMIT)        /* of the job, s */                                                        \
    OP(F_TIME)          /* its estimate, s */                                                      \
    OP(F_AREA)          /* estimate * processors */                                                \
    OP(I_PROCS)                                                                                    \
    OP(I_POSITION)  /* from 1 */                                                                   \
    OP(C_HAS_LABEL) /* the job has a label of kind `integer` */                                    \
    OP(C_LABEL_IS)  /* that label is `text` */                                                     \
    OP(F_OUTSIDE)   /* the looked-up value number `integer`, a float */                            \
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
        ORR_FORMULA_OPS /* their number */
} orr_formula_op;

enum { ORR_FORMULA_STEPS = 256, ORR_FORMULA_OUTSIDE = 32 }; /* at the most */

typedef struct orr_formula_step {
    orr_formula_op op;
    int32_t a, b, c;  /* earlier steps */
    double number;    /* ORR_F_CONSTANT */
    int64_t integer;  /* ORR_I_CONSTANT; the kind of a label; the number of a looked-up value */
    const char *text; /* ORR_C_LABEL_IS; borrowed */
} orr_formula_step;

/* A value; the type of its step says which member is valid. */
typedef union orr_formula_value {
    double number;
    int64_t integer;
} orr_formula_value;

/* A looked-up value is at one decision either the same for all jobs (ORR_OUTSIDE_OF_ALL), or the
 * same for all jobs with equal labels of one kind (an orr_label). */
enum { ORR_OUTSIDE_OF_ALL = -1 };

typedef struct orr_formula {
    size_t size; /* sizeof this, see base/api.h */
    int32_t count;
    const orr_formula_step *steps; /* borrowed */
    int32_t outside_count;
    const int32_t *outside_of; /* borrowed, per looked-up value: ORR_OUTSIDE_OF_ALL or an
                                  orr_label */
    /* Looks up values at a decision: those that are the same for all jobs (job is -1), or those of
       the label kind `of`, for the label of `job`, which may have none. `values` has one place for
       each looked-up value, of whatever kind. False: the formula is not valid now. The function may
       not change anything. NULL: nothing is looked up. It is called even if outside_count is 0,
       because something that the formula relies on may have changed. */
    void *user;
    bool (*look_up)(void *user, const orr_rigid_priority_view *view, int32_t of, int32_t job,
                    orr_formula_value *values);
    /* The version of the looked-up values of the jobs with this label, or of those without a label
       (0). If a value may have changed, the version is another number; 0: a value may have changed.
       NULL: values may change at every decision. */
    uint64_t (*version)(void *user, const orr_jobs *jobs, int32_t label);
} orr_formula;
