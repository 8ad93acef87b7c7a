/* The integer program as text. Its size grows with tasks, processors and packs, so it goes to the
 * sink in pieces. */
#include "packs/program.h"

#include "base/text_internal.h"
#include "base/try_internal.h"

enum { PIECE = 1 << 14, TERMS_PER_LINE = 6 };

typedef struct writer {
    const orr_pack_problem *problem;
    int terms; /* on this line */
    ori_text text;
    char piece[PIECE];
} writer;

#define ADD(w, ...) ori_text_printf(&(w)->text, __VA_ARGS__)

/* Begins a term, on a new line where the line would become too long. */
static void begin_term(writer *w)
{
    if (w->terms++ % TERMS_PER_LINE == 0 && w->terms > 1)
        ADD(w, "\n ");
}

static void begin_row(writer *w, const char *name, int32_t index)
{
    w->terms = 0;
    ADD(w, " %s_%d:", name, (int)index + 1);
}

/* --- the rows ----------------------------------------------------------------------------------*/

static void write_objective(writer *w)
{
    ADD(w, "Minimize\n cost:");
    w->terms = 0;
    for (int32_t b = 0; b < w->problem->count; b++) {
        begin_term(w);
        ADD(w, " + y_%d", (int)b + 1);
    }
    ADD(w, "\nSubject To\n");
}

/* (i): task i is in one pack, on one number of processors. */
static void write_task(writer *w, int32_t i)
{
    begin_row(w, "i", i);
    for (int32_t b = 0; b < w->problem->count; b++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++) {
            begin_term(w);
            ADD(w, " + x_%d_%d_%d", (int)i + 1, (int)j, (int)b + 1);
        }
    ADD(w, " = 1\n");
}

/* (ii) and (iii): pack b has at most k tasks, or p processors. */
static void write_pack(writer *w, int32_t b, bool procs)
{
    const orr_pack_problem *problem = w->problem;
    begin_row(w, procs ? "iii" : "ii", b);
    for (int32_t i = 0; i < problem->count; i++)
        for (int32_t j = problem->least[i]; j <= problem->procs; j++) {
            begin_term(w);
            if (procs)
                ADD(w, " + %d x_%d_%d_%d", (int)j, (int)i + 1, (int)j, (int)b + 1);
            else
                ADD(w, " + x_%d_%d_%d", (int)i + 1, (int)j, (int)b + 1);
        }
    ADD(w, " <= %d\n", procs ? (int)problem->procs : (int)problem->most);
}

/* (iv): a pack lasts as long as a task in it. */
static void write_times(writer *w, int32_t b)
{
    for (int32_t i = 0; i < w->problem->count; i++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++)
            ADD(w, " iv_%d_%d_%d: %.17g x_%d_%d_%d - y_%d <= 0\n", (int)i + 1, (int)j, (int)b + 1,
                orr_pack_time(w->problem, i, j), (int)i + 1, (int)j, (int)b + 1, (int)b + 1);
}

static void write_binaries(writer *w)
{
    ADD(w, "Binary\n");
    for (int32_t i = 0; i < w->problem->count; i++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++)
            for (int32_t b = 0; b < w->problem->count; b++)
                ADD(w, " x_%d_%d_%d\n", (int)i + 1, (int)j, (int)b + 1);
    ADD(w, "End\n");
}

/* --- the whole ---------------------------------------------------------------------------------*/

static double count_variables(const orr_pack_problem *problem)
{
    double columns = 0;
    for (int32_t i = 0; i < problem->count; i++)
        columns += problem->procs - problem->least[i] + 1.0;
    return columns * problem->count + problem->count;
}

orr_status orr_pack_program(const orr_pack_problem *problem, const orr_sink *sink, orr_error *err)
{
    writer w = {.problem = problem, .text = {.sink = sink, .capacity = PIECE}};
    w.text.text = w.piece;
    double variables = count_variables(problem);
    ORI_FAIL_IF(variables > ORR_PROGRAM_MOST_VARIABLES, err, ORR_ERR_LIMIT,
                "the integer program of %d tasks on %d processors has %.0f variables, more "
                "than %d",
                (int)problem->count, (int)problem->procs, variables, ORR_PROGRAM_MOST_VARIABLES);
    ADD(&w, "\\ k-IN-p-COSCHEDULE: n = %d tasks, p = %d processors, k = %d tasks in a pack\n",
        (int)problem->count, (int)problem->procs, (int)problem->most);
    write_objective(&w);
    for (int32_t i = 0; i < problem->count && w.text.status == ORR_OK; i++)
        write_task(&w, i);
    for (int32_t b = 0; b < problem->count && w.text.status == ORR_OK; b++) {
        write_pack(&w, b, false);
        write_pack(&w, b, true);
        write_times(&w, b);
    }
    if (w.text.status == ORR_OK)
        write_binaries(&w);
    return ori_text_flush(&w.text) == ORR_OK
               ? ORR_OK
               : orr_fail(err, ORR_ERR_IO, "the integer program could not be written");
}
