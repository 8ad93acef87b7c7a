/* Formulas: the times at which steps are computed, the steps themselves for a row of jobs at a
 * time, and the proof that a formula gives a number. */
#include "rigid/queue/formula_internal.h"

#include "base/try_internal.h"
#include "workload/jobs_internal.h"

#include <math.h>
#include <string.h>

enum { ROW = 128, LANES = 8 }; /* jobs that are computed together; LANES divides ROW */
enum { FRUITLESS = 64 };       /* decisions without a result; then a formula is given up */

typedef enum type { FLOAT, INTEGER, CONDITION, NONE } type;

/* The moments at which a step is computed. ALWAYS: it is constant. PER_LABEL + kind: at a decision,
 * once for all jobs with the same label of this kind. */
typedef enum moment { ALWAYS, PER_JOB, PER_DECISION, PER_BOTH, PER_LABEL } moment;

/* The dependences of a step, in bits: */
enum { ON_JOB = 1, ON_DECISION = 2, ON_LABEL = 4 /* << kind */ };

/* Per operation: the type of its result, the types of its operands (a, b, c), and the dependence of
 * an input. */
static const struct {
    uint8_t gives, a, b, c, when;
} ops[ORR_FORMULA_OPS] = {
    [ORR_F_CONSTANT] = {FLOAT, NONE, NONE, NONE, ALWAYS},
    [ORR_I_CONSTANT] = {INTEGER, NONE, NONE, NONE, ALWAYS},
    [ORR_F_NOW] = {FLOAT, NONE, NONE, NONE, PER_DECISION},
    [ORR_F_FIRST_SUBMIT] = {FLOAT, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_GROUP_PROCS] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_FREE] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_DOWN] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_WAITING_COUNT] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_RUNNING_COUNT] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_F_SUBMIT] = {FLOAT, NONE, NONE, NONE, PER_JOB},
    [ORR_F_TIME] = {FLOAT, NONE, NONE, NONE, PER_JOB},
    [ORR_F_AREA] = {FLOAT, NONE, NONE, NONE, PER_JOB},
    [ORR_I_PROCS] = {INTEGER, NONE, NONE, NONE, PER_JOB},
    [ORR_I_POSITION] = {INTEGER, NONE, NONE, NONE, PER_JOB},
    [ORR_C_HAS_LABEL] = {CONDITION, NONE, NONE, NONE, PER_JOB},
    [ORR_C_LABEL_IS] = {CONDITION, NONE, NONE, NONE, PER_JOB},
    [ORR_F_OUTSIDE] = {FLOAT, NONE, NONE, NONE, PER_DECISION},
    [ORR_I_OUTSIDE] = {INTEGER, NONE, NONE, NONE, PER_DECISION},
    [ORR_C_OUTSIDE] = {CONDITION, NONE, NONE, NONE, PER_DECISION},
    [ORR_F_FROM_I] = {FLOAT, INTEGER, NONE, NONE, ALWAYS},
    [ORR_F_ADD] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_SUB] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_MUL] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_DIV] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_MOD] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_POW] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_FLOOR_DIV] = {FLOAT, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_F_NEG] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_ABS] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_FLOOR] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_CEIL] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_SQRT] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_EXP] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_LOG] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_LOG2] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_LOG10] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_SIN] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_COS] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_F_TAN] = {FLOAT, FLOAT, NONE, NONE, ALWAYS},
    [ORR_I_ADD] = {INTEGER, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_I_SUB] = {INTEGER, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_I_MUL] = {INTEGER, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_I_FLOOR_DIV] = {INTEGER, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_I_MOD] = {INTEGER, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_I_NEG] = {INTEGER, INTEGER, NONE, NONE, ALWAYS},
    [ORR_I_ABS] = {INTEGER, INTEGER, NONE, NONE, ALWAYS},
    [ORR_I_FROM_F] = {INTEGER, FLOAT, NONE, NONE, ALWAYS},
    [ORR_C_EQ_F] = {CONDITION, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_C_LT_F] = {CONDITION, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_C_LE_F] = {CONDITION, FLOAT, FLOAT, NONE, ALWAYS},
    [ORR_C_EQ_I] = {CONDITION, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_C_LT_I] = {CONDITION, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_C_LE_I] = {CONDITION, INTEGER, INTEGER, NONE, ALWAYS},
    [ORR_F_SELECT] = {FLOAT, CONDITION, FLOAT, FLOAT, ALWAYS},
    [ORR_I_SELECT] = {INTEGER, CONDITION, INTEGER, INTEGER, ALWAYS},
};

/* --- binding -------------------------------------------------------------------------------- */

static bool is_outside(orr_formula_op op)
{
    return op == ORR_F_OUTSIDE || op == ORR_I_OUTSIDE || op == ORR_C_OUTSIDE;
}

static bool fits_operand(const orr_formula *formula, int32_t step, int32_t operand, uint8_t wanted)
{
    if (wanted == NONE)
        return true;
    return operand >= 0 && operand < step && ops[formula->steps[operand].op].gives == wanted;
}

static bool is_step(const orr_formula *formula, int32_t i)
{
    const orr_formula_step *s = &formula->steps[i];
    if ((unsigned)s->op >= ORR_FORMULA_OPS)
        return false;
    if (s->op == ORR_C_HAS_LABEL || s->op == ORR_C_LABEL_IS)
        return s->integer >= 0 && s->integer < ORR_LABEL_KINDS &&
               (s->op == ORR_C_HAS_LABEL || s->text);
    if (is_outside(s->op))
        return s->integer >= 0 && s->integer < formula->outside_count;
    return fits_operand(formula, i, s->a, ops[s->op].a) &&
           fits_operand(formula, i, s->b, ops[s->op].b) &&
           fits_operand(formula, i, s->c, ops[s->op].c);
}

static orr_status check_formula(const orr_formula *formula, orr_error *err)
{
    ORI_REFUSE(formula->count < 1 || formula->count > ORR_FORMULA_STEPS, err,
               "a formula has 1 to %d steps, not %d", (int)ORR_FORMULA_STEPS, (int)formula->count);
    ORI_REFUSE(formula->outside_count < 0 || formula->outside_count > ORR_FORMULA_OUTSIDE ||
                   (formula->outside_count > 0 && !formula->look_up),
               err, "a formula looks up at most %d values with a function, not %d",
               (int)ORR_FORMULA_OUTSIDE, (int)formula->outside_count);
    for (int32_t i = 0; i < formula->outside_count; i++)
        ORI_REFUSE(formula->outside_of[i] < ORR_OUTSIDE_OF_ALL ||
                       formula->outside_of[i] >= ORR_LABEL_KINDS,
                   err, "value %d that a formula looks up is of no kind of label: %d", (int)i,
                   (int)formula->outside_of[i]);
    for (int32_t i = 0; i < formula->count; i++)
        ORI_REFUSE(!is_step(formula, i), err, "step %d of a formula has no such operands", (int)i);
    ORI_REFUSE(ops[formula->steps[formula->count - 1].op].gives != FLOAT, err,
               "the last step of a formula must be a float");
    return ORR_OK;
}

/* Finds the kinds of labels that all jobs have, or none has. */
static void settle_labels(ori_formula *f, const orr_instance *in)
{
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        int32_t having = 0;
        for (int32_t j = 0; j < in->count; j++)
            having += ori_jobs_label(in->jobs, j, (orr_label)kind) > 0;
        f->settled[kind] = having == in->count || having == 0;
    }
}

static bool is_settled(const ori_formula *f, const orr_formula_step *s)
{
    return s->op == ORR_C_HAS_LABEL && f->settled[s->integer];
}

/* The dependence of the step itself, without its operands. */
static unsigned own_dependence(const ori_formula *f, const orr_formula_step *s)
{
    const orr_formula *formula = f->formula;
    if (is_settled(f, s))
        return 0;
    if (s->op == ORR_C_HAS_LABEL || s->op == ORR_C_LABEL_IS)
        return (unsigned)ON_LABEL << s->integer;
    if (is_outside(s->op) && formula->outside_of[s->integer] != ORR_OUTSIDE_OF_ALL)
        return ON_DECISION | (unsigned)ON_LABEL << formula->outside_of[s->integer];
    return ops[s->op].when == PER_JOB ? ON_JOB : ops[s->op].when == PER_DECISION ? ON_DECISION : 0;
}

static uint8_t moment_of(unsigned dependence)
{
    if (!(dependence & ON_DECISION))
        return dependence ? PER_JOB : ALWAYS;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (dependence == (ON_DECISION | (unsigned)ON_LABEL << kind))
            return (uint8_t)(PER_LABEL + kind);
    return dependence == ON_DECISION ? PER_DECISION : PER_BOTH;
}

/* The steps that a step needs: not those that a settled condition rules out. */
static int operands(const ori_formula *f, const orr_instance *in, const orr_formula_step *s,
                    int32_t list[3])
{
    const orr_formula_step *a = &f->formula->steps[ops[s->op].a != NONE ? s->a : 0];
    bool selects = s->op == ORR_F_SELECT || s->op == ORR_I_SELECT;
    bool settled = selects && is_settled(f, a);
    bool holds = settled && orr_jobs_label_text(in->jobs, 0, (orr_label)a->integer);
    int count = 0;
    if (ops[s->op].a != NONE)
        list[count++] = s->a;
    if (ops[s->op].b != NONE && !(settled && !holds))
        list[count++] = s->b;
    if (ops[s->op].c != NONE && !(settled && holds))
        list[count++] = s->c;
    return count;
}

/* Finds the moment of every step: a step inherits the dependences of its operands. */
static void classify(ori_formula *f, const orr_instance *in)
{
    const orr_formula *formula = f->formula;
    unsigned on[ORR_FORMULA_STEPS];
    int32_t list[3];
    for (int32_t i = 0; i < formula->count; i++) {
        const orr_formula_step *s = &formula->steps[i];
        on[i] = own_dependence(f, s);
        for (int k = operands(f, in, s, list); k-- > 0;)
            on[i] |= on[list[k]];
        f->when[i] = moment_of(on[i]);
        f->column[i] = -1;
    }
}

/* Chooses the steps that are used at decisions, by another step or as the result. Of these, steps
 * per job get a column, and so do steps per label that are used for jobs. */
static void choose_steps(ori_formula *f, const orr_instance *in)
{
    int32_t list[3], last = f->formula->count - 1;
    f->wanted[last] = f->taken[last] = f->spread[last] = true;
    for (int32_t i = last; i >= 0; i--) {
        if (!f->wanted[i])
            continue;
        if (f->when[i] == PER_JOB) {
            f->column[i] = (int16_t)f->columns++;
            continue;
        }
        const orr_formula_step *s = &f->formula->steps[i];
        if (f->when[i] >= PER_LABEL)
            f->kinds |= 1u << (f->when[i] - PER_LABEL);
        if (is_outside(s->op) && f->formula->outside_of[s->integer] != ORR_OUTSIDE_OF_ALL)
            f->looked_up |= 1u << f->formula->outside_of[s->integer];
        if (f->when[i] >= PER_LABEL && f->taken[i])
            f->column[i] = (int16_t)f->label_columns++;
        for (int k = operands(f, in, s, list); k-- > 0;) {
            f->wanted[list[k]] = true;
            f->taken[list[k]] |= f->when[i] == PER_BOTH;
            f->spread[list[k]] |= f->when[i] != PER_DECISION;
        }
    }
}

/* Whether a step belongs to a sequence. Values per job are there for the steps that use them. */
static bool is_in_sequence(const ori_formula *f, int32_t i, int sequence)
{
    if (sequence == ORI_OF_DECISION)
        return f->when[i] == PER_DECISION;
    if (sequence == ORI_OF_JOB)
        return f->when[i] == PER_JOB || f->when[i] == PER_BOTH || f->column[i] >= 0;
    return f->when[i] == PER_JOB || f->when[i] == PER_LABEL + sequence - ORI_OF_LABEL;
}

static void list_steps(ori_formula *f)
{
    for (int k = 0; k < ORI_SEQUENCES; k++) {
        int16_t *next = f->sequence[k];
        for (int32_t i = 0; next && i < f->formula->count; i++)
            if (f->wanted[i] && is_in_sequence(f, i, k))
                *next++ = (int16_t)i;
        if (next)
            *next = -1;
    }
}

void ori_formula_destroy(ori_formula *f, const orr_allocator *a)
{
    ori_block_destroy(&f->block, a);
}

void ori_formula_copy(ori_formula *to, const ori_formula *from)
{
    if (!to->formula)
        return;
    ori_formula_begin(to);
    memcpy(to->kept, from->kept, from->kept_size);
    to->fruitless = from->fruitless;
}

void ori_formula_begin(ori_formula *f)
{
    f->fruitless = 0;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (f->kinds & 1u << kind)
            memset(f->version[kind], 0, (size_t)f->labels * sizeof *f->version[kind]);
}

/* --- arithmetic, as Lua does it ------------------------------------------------------------- */

static double power(double a, double b)
{
    return b == 2 ? a * a : pow(a, b);
}

static double modulo(double a, double b)
{
    double m = fmod(a, b);
    return (m > 0 ? b < 0 : m < 0 && b > 0) ? m + b : m;
}

static int64_t wrapped(uint64_t value)
{
    int64_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

static int64_t floor_division(int64_t a, int64_t b)
{
    if ((uint64_t)b + 1 <= 1) /* 0 or -1 */
        return b == 0 ? 0 : wrapped(0 - (uint64_t)a);
    int64_t quotient = a / b;
    return (a ^ b) < 0 && a % b != 0 ? quotient - 1 : quotient;
}

static int64_t integer_modulo(int64_t a, int64_t b)
{
    if ((uint64_t)b + 1 <= 1)
        return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

static int64_t to_integer(double a)
{
    return a >= -0x1p63 && a < 0x1p63 && floor(a) == a ? (int64_t)a : 0;
}

/* --- a row of jobs -------------------------------------------------------------------------- */

/* `x` for the row's jobs. Cheap operations are computed for all lanes of the last group, too, so
 * that the compiler makes vectors of the loop. */
#define CHEAP(field, x)                                                                            \
    for (int g = 0; g < count; g += LANES)                                                         \
        for (int l = g; l < g + LANES; l++)                                                        \
            to[l].field = (x);                                                                     \
    break
#define COSTLY(field, x)                                                                           \
    for (int l = 0; l < count; l++)                                                                \
        to[l].field = (x);                                                                         \
    break
/* Compares two floats at a time; the compiler does not vectorise a loop for this. */
#define COMPARE(op)                                                                                \
    for (int l = 0; l < count; l += 2)                                                             \
        *(two_integers *)(to + l) =                                                                \
            (((const two_floats *)(a + l))[0] op((const two_floats *)(b + l))[0]) & 1;             \
    break
#define AN a[l].number
#define BN b[l].number
#define AI a[l].integer
#define BI b[l].integer
#define UNSIGNED(x) ((uint64_t)(x))

typedef double two_floats __attribute__((vector_size(16), may_alias, aligned(8)));
typedef int64_t two_integers __attribute__((vector_size(16), may_alias, aligned(8)));

/* One operation for `count` <= ROW jobs. */
/* NOLINTNEXTLINE(readability-function-size): a case for each operation */
static void operate(orr_formula_op op, orr_formula_value *restrict to, const orr_formula_value *a,
                    const orr_formula_value *b, const orr_formula_value *c, int count)
{
    switch (op) {
    case ORR_F_FROM_I:
        CHEAP(number, (double)AI);
    case ORR_F_ADD:
        CHEAP(number, AN + BN);
    case ORR_F_SUB:
        CHEAP(number, AN - BN);
    case ORR_F_MUL:
        CHEAP(number, AN * BN);
    case ORR_F_DIV:
        CHEAP(number, AN / BN);
    case ORR_F_MOD:
        COSTLY(number, modulo(AN, BN));
    case ORR_F_POW:
        COSTLY(number, power(AN, BN));
    case ORR_F_FLOOR_DIV:
        COSTLY(number, floor(AN / BN));
    case ORR_F_NEG:
        CHEAP(number, -AN);
    case ORR_F_ABS:
        CHEAP(number, fabs(AN));
    case ORR_F_FLOOR:
        COSTLY(number, floor(AN));
    case ORR_F_CEIL:
        COSTLY(number, ceil(AN));
    case ORR_F_SQRT:
        COSTLY(number, sqrt(AN));
    case ORR_F_EXP:
        COSTLY(number, exp(AN));
    case ORR_F_LOG:
        COSTLY(number, log(AN));
    case ORR_F_LOG2:
        COSTLY(number, log2(AN));
    case ORR_F_LOG10:
        COSTLY(number, log10(AN));
    case ORR_F_SIN:
        COSTLY(number, sin(AN));
    case ORR_F_COS:
        COSTLY(number, cos(AN));
    case ORR_F_TAN:
        COSTLY(number, tan(AN));
    case ORR_I_ADD:
        CHEAP(integer, wrapped(UNSIGNED(AI) + UNSIGNED(BI)));
    case ORR_I_SUB:
        CHEAP(integer, wrapped(UNSIGNED(AI) - UNSIGNED(BI)));
    case ORR_I_MUL:
        CHEAP(integer, wrapped(UNSIGNED(AI) * UNSIGNED(BI)));
    case ORR_I_FLOOR_DIV:
        COSTLY(integer, floor_division(AI, BI));
    case ORR_I_MOD:
        COSTLY(integer, integer_modulo(AI, BI));
    case ORR_I_NEG:
        CHEAP(integer, wrapped(0 - UNSIGNED(AI)));
    case ORR_I_ABS:
        CHEAP(integer, AI < 0 ? wrapped(0 - UNSIGNED(AI)) : AI);
    case ORR_I_FROM_F:
        COSTLY(integer, to_integer(AN));
    case ORR_C_EQ_F:
        COMPARE(==);
    case ORR_C_LT_F:
        COMPARE(<);
    case ORR_C_LE_F:
        COMPARE(<=);
    case ORR_C_EQ_I:
        CHEAP(integer, AI == BI);
    case ORR_C_LT_I:
        CHEAP(integer, AI < BI);
    case ORR_C_LE_I:
        CHEAP(integer, AI <= BI);
    case ORR_F_SELECT:
    case ORR_I_SELECT: /* of the bits; a is 0 or 1 */
        CHEAP(integer, (BI & -AI) | (c[l].integer & (AI - 1)));
    default:
        break;
    }
}

/* The value of an input; if it depends on a job, the value of `job`. */
static orr_formula_value input(const orr_formula_step *s, const orr_instance *in,
                               const ori_formula_situation *now, int32_t job)
{
    const char *text;
    switch (s->op) {
    case ORR_F_CONSTANT:
        return (orr_formula_value){.number = s->number};
    case ORR_I_CONSTANT:
        return (orr_formula_value){.integer = s->integer};
    case ORR_F_NOW:
        return (orr_formula_value){.number = now->now};
    case ORR_F_FIRST_SUBMIT:
        return (orr_formula_value){.number = now->first_submit};
    case ORR_I_GROUP_PROCS:
        return (orr_formula_value){.integer = now->procs};
    case ORR_I_FREE:
        return (orr_formula_value){.integer = now->free};
    case ORR_I_DOWN:
        return (orr_formula_value){.integer = now->down};
    case ORR_I_WAITING_COUNT:
        return (orr_formula_value){.integer = now->waiting};
    case ORR_I_RUNNING_COUNT:
        return (orr_formula_value){.integer = now->running};
    case ORR_F_SUBMIT:
        return (orr_formula_value){.number = in->submit[job]};
    case ORR_F_TIME:
        return (orr_formula_value){.number = in->estimate[job]};
    case ORR_F_AREA:
        return (orr_formula_value){.number = in->estimate[job] * in->jobs->procs[job]};
    case ORR_I_PROCS:
        return (orr_formula_value){.integer = in->jobs->procs[job]};
    case ORR_I_POSITION:
        return (orr_formula_value){.integer = (int64_t)job + 1};
    case ORR_C_HAS_LABEL:
        text = orr_jobs_label_text(in->jobs, job, (orr_label)s->integer);
        return (orr_formula_value){.integer = text != NULL};
    case ORR_C_LABEL_IS:
        text = orr_jobs_label_text(in->jobs, job, (orr_label)s->integer);
        return (orr_formula_value){.integer = text && strcmp(text, s->text) == 0};
    default: /* looked up for all */
        return now->outside[s->integer];
    }
}

static bool is_input(orr_formula_op op)
{
    return ops[op].a == NONE;
}

static const orr_formula_value *row(const ori_formula *f, int32_t step)
{
    return f->buffer + (size_t)step * ROW;
}

static void operate_step(ori_formula *f, int32_t i, int count)
{
    const orr_formula_step *s = &f->formula->steps[i];
    const orr_formula_value *a = row(f, s->a);
    operate(s->op, f->buffer + (size_t)i * ROW, a, ops[s->op].b != NONE ? row(f, s->b) : a,
            ops[s->op].c != NONE ? row(f, s->c) : a, count);
}

void ori_formula_keep(ori_formula *f, const orr_instance *in, int32_t job)
{
    for (int32_t i = 0; f->columns > 0 && i < f->formula->count; i++) {
        const orr_formula_step *s = &f->formula->steps[i];
        if (f->when[i] != PER_JOB)
            continue;
        if (is_input(s->op))
            f->buffer[(size_t)i * ROW] = input(s, in, NULL, job);
        else
            operate_step(f, i, 1);
        if (f->column[i] >= 0)
            f->kept[(size_t)job * (size_t)f->columns + (size_t)f->column[i]] = row(f, i)[0];
    }
}

/* Fills a row with a value that is the same for all jobs. */
static void spread_value(ori_formula *f, int32_t i, const orr_instance *in,
                         const ori_formula_situation *now, int count)
{
    orr_formula_value *to = f->buffer + (size_t)i * ROW;
    if (is_input(f->formula->steps[i].op))
        to[0] = input(&f->formula->steps[i], in, now, 0);
    else
        operate_step(f, i, 1);
    orr_formula_value value = to[0];
    for (int g = 0; g < count; g += LANES)
        for (int l = g; l < g + LANES; l++)
            to[l] = value;
}

orr_status ori_formula_create(ori_formula *f, const orr_formula *formula, const orr_instance *in,
                              int32_t room, bool closed, const orr_allocator *a, orr_error *err)
{
    *f = (ori_formula){0};
    ORI_TRY(check_formula(formula, err));
    f->formula = formula;
    if (closed && in->count > 0)
        settle_labels(f, in);
    classify(f, in);
    choose_steps(f, in);
    size_t length = (size_t)formula->count + 1;
    size_t labels = f->kinds ? (size_t)in->jobs->names.count + 1 : 0;
    size_t outside = labels * (size_t)formula->outside_count;
    bool by[ORR_LABEL_KINDS];
    for (int k = 0; k < ORR_LABEL_KINDS; k++)
        by[k] = f->kinds & 1u << k;
    const ori_part parts[] = {ORI_PART(f->kept, (size_t)room * (size_t)f->columns),
                              ORI_PART(f->buffer, (size_t)formula->count * ROW),
                              ORI_PART(f->values, room),
                              ORI_PART(f->sequence[ORI_OF_DECISION], length),
                              ORI_PART(f->sequence[ORI_OF_JOB], length),
                              ORI_PART(f->of_label, labels * (size_t)f->label_columns),
#define OF_KIND(KIND, name)                                                                        \
    ORI_PART_IF(by[ORR_LABEL_##KIND], f->found[ORR_LABEL_##KIND], outside),                        \
        ORI_PART_IF(by[ORR_LABEL_##KIND], f->version[ORR_LABEL_##KIND], labels),                   \
        ORI_PART_IF(by[ORR_LABEL_##KIND], f->met[ORR_LABEL_##KIND], labels),                       \
        ORI_PART_IF(by[ORR_LABEL_##KIND], f->sequence[ORI_OF_LABEL + ORR_LABEL_##KIND], length),
                              ORR_LABELS(OF_KIND)
#undef OF_KIND
    };
    f->labels = (int32_t)labels;
    f->kept_size = (size_t)room * (size_t)f->columns * sizeof *f->kept;
    ORI_TRY(ORI_BLOCK_CREATE(&f->block, parts, ORI_ZEROED, a, err));
    list_steps(f);
    for (int32_t i = 0; i < formula->count; i++)
        if (f->when[i] == ALWAYS)
            spread_value(f, i, in, NULL, ROW);
    return ORR_OK;
}

static bool sees_jobs_alone(const orr_formula *formula)
{
    for (int32_t i = 0; i < formula->count; i++)
        if (ops[formula->steps[i].op].when == PER_DECISION)
            return false;
    return !formula->look_up;
}

bool ori_formulas_agree(const orr_formula *a, const orr_formula *b)
{
    bool agree = a && b && a->count == b->count && sees_jobs_alone(a) && sees_jobs_alone(b);
    for (int32_t i = 0; agree && i < a->count; i++) {
        const orr_formula_step *s = &a->steps[i], *t = &b->steps[i];
        agree = s->op == t->op && s->a == t->a && s->b == t->b && s->c == t->c &&
                memcmp(&s->number, &t->number, sizeof s->number) == 0 && s->integer == t->integer &&
                (!s->text || !t->text ? s->text == t->text : strcmp(s->text, t->text) == 0);
    }
    return agree;
}

orr_status ori_formula_of_workload(const orr_formula *formula, const orr_instance *in,
                                   double *values, bool *says, const orr_allocator *a,
                                   orr_error *err)
{
    ori_formula f = {.formula = formula};
    *says = false;
    ORI_TRY(check_formula(formula, err));
    if (in->links || !sees_jobs_alone(formula)) /* not all submissions are known */
        return ORR_OK;
    ORI_SCRATCH(a, ORI_ZEROED, err, ORI_PART(f.buffer, (size_t)formula->count * ROW));
    for (int32_t first = 0; first < in->count; first += ROW) {
        int count = in->count - first < ROW ? in->count - first : ROW;
        for (int32_t i = 0; i < formula->count; i++) {
            const orr_formula_step *s = &formula->steps[i];
            if (!is_input(s->op))
                operate_step(&f, i, count);
            for (int l = 0; is_input(s->op) && l < count; l++)
                f.buffer[(size_t)i * ROW + (size_t)l] = input(s, in, NULL, first + l);
        }
        for (int l = 0; l < count; l++) {
            values[first + l] = row(&f, formula->count - 1)[l].number;
            if (isnan(values[first + l]))
                return ORR_OK;
        }
    }
    *says = true;
    return ORR_OK;
}

static void load_kept(ori_formula *f, int32_t step, const int32_t *jobs, int count)
{
    orr_formula_value *to = f->buffer + (size_t)step * ROW;
    const orr_formula_value *kept = f->kept + f->column[step];
    for (int l = 0; l < count; l++)
        to[l] = kept[(size_t)jobs[l] * (size_t)f->columns];
}

/* Computes the steps per label of this kind. The labels of the jobs are all different. */
static void compute_labels(ori_formula *f, const orr_jobs *all, int32_t kind, const int32_t *jobs,
                           int count)
{
    int32_t labels[ROW];
    for (int l = 0; l < count; l++)
        labels[l] = ori_jobs_label(all, jobs[l], (orr_label)kind);
    for (const int16_t *at = f->sequence[ORI_OF_LABEL + kind]; *at >= 0; at++) {
        int32_t i = *at;
        orr_formula_value *to = f->buffer + (size_t)i * ROW;
        const orr_formula_step *s = &f->formula->steps[i];
        if (f->when[i] == PER_JOB) {
            load_kept(f, i, jobs, count);
            continue;
        }
        if (!is_input(s->op))
            operate_step(f, i, count);
        else /* looked up for the label */
            for (int l = 0; l < count; l++)
                to[l] = f->found[kind][(size_t)labels[l] * (size_t)f->formula->outside_count +
                                       (size_t)s->integer];
        for (int l = 0; f->column[i] >= 0 && l < count; l++)
            f->of_label[(size_t)labels[l] * (size_t)f->label_columns + (size_t)f->column[i]] =
                to[l];
    }
}

/* Looks up the values for the label of the job, unless they are already known. */
static bool look_up(ori_formula *f, const orr_rigid_priority_view *view, int32_t kind, int32_t job,
                    int32_t label)
{
    const orr_formula *formula = f->formula;
    uint64_t *known = &f->version[kind][label];
    if (!(f->looked_up & 1u << kind))
        return true;
    uint64_t version =
        formula->version ? formula->version(formula->user, view->instance->jobs, label) : 0;
    if (version != 0 && *known == version)
        return true;
    *known = 0;
    if (!formula->look_up(formula->user, view, kind, job,
                          f->found[kind] + (size_t)label * (size_t)formula->outside_count))
        return false;
    *known = version;
    return true;
}

/* Looks up and computes the values that are the same for jobs with the same label of this kind. */
static bool meet_labels(ori_formula *f, const orr_rigid_priority_view *view, int32_t kind,
                        const int32_t *jobs, int32_t count)
{
    const orr_jobs *all = view->instance->jobs;
    int32_t new[ROW];
    int met = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t label = ori_jobs_label(all, jobs[i], (orr_label)kind);
        if (label >= f->labels)
            return false;
        if (f->met[kind][label] == f->decision)
            continue;
        f->met[kind][label] = f->decision;
        if (!look_up(f, view, kind, jobs[i], label))
            return false;
        new[met++] = jobs[i];
        if (met == ROW) {
            compute_labels(f, all, kind, new, met);
            met = 0;
        }
    }
    compute_labels(f, all, kind, new, met);
    return true;
}

/* The value of a step per label for the label of the job. */
static const orr_formula_value *of_label(const ori_formula *f, const orr_jobs *all, int32_t step,
                                         int32_t job)
{
    int32_t label = ori_jobs_label(all, job, (orr_label)(f->when[step] - PER_LABEL));
    return f->of_label + (size_t)label * (size_t)f->label_columns + f->column[step];
}

static void compute_row(ori_formula *f, const orr_jobs *all, const int32_t *jobs, int count)
{
    for (const int16_t *at = f->sequence[ORI_OF_JOB]; *at >= 0; at++) {
        int32_t i = *at;
        if (f->when[i] == PER_JOB)
            load_kept(f, i, jobs, count);
        else if (f->when[i] == PER_BOTH)
            operate_step(f, i, count);
        else
            for (int l = 0; l < count; l++)
                f->buffer[(size_t)i * ROW + (size_t)l] = *of_label(f, all, i, jobs[l]);
    }
}

bool ori_formula_compute(ori_formula *f, const orr_rigid_priority_view *view,
                         const ori_formula_situation *now, const int32_t *jobs, int32_t count)
{
    bool says = true;
    const orr_formula_value *result = row(f, f->formula->count - 1);
    f->decision++;
    int first_row = count < ROW ? count : ROW;
    for (const int16_t *at = f->sequence[ORI_OF_DECISION]; *at >= 0; at++)
        spread_value(f, *at, view->instance, now, f->spread[*at] ? first_row : 0);
    for (int32_t kind = 0; says && kind < ORR_LABEL_KINDS; kind++)
        says = !(f->kinds & 1u << kind) || meet_labels(f, view, kind, jobs, count);
    for (int32_t from = 0; says && from < count; from += ROW) {
        int rows = count - from < ROW ? count - from : ROW;
        compute_row(f, view->instance->jobs, jobs + from, rows);
        for (int l = 0; l < rows; l++) {
            says &= !isnan(result[l].number);
            f->values[from + l] = result[l].number;
        }
    }
    f->fruitless = says ? 0 : f->fruitless + 1;
    return says;
}

void ori_formula_remember(const ori_formula *f, ori_formula_situation *to,
                          const ori_formula_situation *from)
{
    size_t outside = (size_t)f->formula->outside_count * sizeof *to->outside;
    memcpy(to, from, offsetof(ori_formula_situation, outside) + outside);
}

bool ori_formula_is_given_up(const ori_formula *f)
{
    return f->fruitless >= FRUITLESS;
}

/* --- whether it gives a number for every job ------------------------------------------------- */

/* The range of a value that is never negative and always finite, both ends included. high < low:
 * not known. */
typedef struct range {
    double low, high;
} range;

static const double LATEST = 1e15; /* s: the proof is valid for times up to this one */

static bool is_known(range r)
{
    return r.low <= r.high;
}

static range include(range r, double x)
{
    return (range){x < r.low ? x : r.low, x > r.high ? x : r.high};
}

/* The range of an input; not known if the step is another operation. */
static range range_of_input(const orr_formula_step *s, const orr_instance *in,
                            const ori_formula_situation *now)
{
    range r = {INFINITY, -INFINITY};
    switch (s->op) {
    case ORR_F_CONSTANT:
        return include(r, s->number);
    case ORR_I_CONSTANT:
        return include(r, (double)s->integer);
    case ORR_F_OUTSIDE:
        return include(r, now->outside[s->integer].number);
    case ORR_I_GROUP_PROCS:
    case ORR_I_FREE:
    case ORR_I_DOWN:
    case ORR_I_WAITING_COUNT:
    case ORR_I_RUNNING_COUNT:
        return (range){0, INT32_MAX};
    case ORR_I_POSITION:
        return (range){1, in->count};
    default:
        break;
    }
    bool of_job = s->op == ORR_F_TIME || s->op == ORR_I_PROCS || s->op == ORR_F_AREA;
    for (int32_t j = 0; of_job && j < in->count; j++)
        r = include(r, s->op == ORR_F_TIME    ? in->estimate[j]
                       : s->op == ORR_I_PROCS ? in->jobs->procs[j]
                                              : in->estimate[j] * in->jobs->procs[j]);
    return r;
}

static range range_of(const orr_formula_step *steps, const orr_formula_step *s, double first_submit,
                      range a, range b, range c)
{
    static const range unknown = {INFINITY, -INFINITY};
    bool is_wait =
        s->op == ORR_F_SUB && steps[s->a].op == ORR_F_NOW && steps[s->b].op == ORR_F_SUBMIT;
    if (is_wait)
        return (range){0, LATEST + fmax(0, -first_submit)};
    bool selects = s->op == ORR_F_SELECT || s->op == ORR_I_SELECT;
    if ((!selects && !is_known(a)) || (ops[s->op].b != NONE && !is_known(b)) ||
        (selects && !is_known(c)))
        return unknown;
    switch (s->op) {
    case ORR_F_FROM_I:
    case ORR_F_ABS:
        return a;
    case ORR_F_LOG:
    case ORR_F_LOG2:
    case ORR_F_LOG10:
        return a.low >= 1 ? (range){0, a.high} : unknown;
    case ORR_F_ADD:
    case ORR_I_ADD:
        return (range){a.low + b.low, a.high + b.high};
    case ORR_F_MUL:
    case ORR_I_MUL:
        return (range){a.low * b.low, a.high * b.high};
    case ORR_F_DIV:
        return b.low > 0 ? (range){a.low / b.high, a.high / b.low} : unknown;
    case ORR_F_POW:
        return (range){0, fmax(1, 2 * pow(a.high, b.high))};
    case ORR_F_SQRT:
        return (range){0, fmax(1, a.high)};
    case ORR_F_SELECT:
    case ORR_I_SELECT:
        return (range){fmin(b.low, c.low), fmax(b.high, c.high)};
    default:
        return unknown;
    }
}

/* Whether ranges show that every job gets a number: no step is negative or infinite, except the
 * result, which may be a negative or a difference. */
static bool prove(const ori_formula *f, const orr_instance *in, const ori_formula_situation *now)
{
    range at[ORR_FORMULA_STEPS], r = {0, 0};
    const orr_formula_step *steps = f->formula->steps, *s = steps;
    for (int32_t i = 0; i < f->formula->count; i++) {
        s = &steps[i];
        int32_t b = ops[s->op].b != NONE ? s->b : s->a, c = ops[s->op].c != NONE ? s->c : s->a;
        r = ops[s->op].a == NONE ? range_of_input(s, in, now)
                                 : range_of(steps, s, now->first_submit, at[s->a], at[b], at[c]);
        if (!(r.low >= 0 && r.high < (ops[s->op].gives == INTEGER ? 0x1p53 : INFINITY)))
            r = (range){INFINITY, -INFINITY}; /* larger integers would wrap */
        at[i] = r;
    }
    bool is_difference = s->op == ORR_F_SUB && is_known(at[s->a]) && is_known(at[s->b]);
    return is_known(r) || is_difference || (s->op == ORR_F_NEG && is_known(at[s->a]));
}

bool ori_formula_is_total(ori_formula *f, const orr_instance *in, const ori_formula_situation *now)
{
    size_t size = (size_t)f->formula->outside_count * sizeof *now->outside;
    if (f->looked_up || !(now->now <= LATEST))
        return false;
    if (!f->tried || memcmp(f->shown.outside, now->outside, size) != 0) {
        f->tried = true;
        ori_formula_remember(f, &f->shown, now);
        f->total = prove(f, in, now);
    }
    return f->total;
}
