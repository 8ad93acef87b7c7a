#include "packs/program.h"

#include <stdarg.h>
#include <stdio.h>

enum { PIECE = 1 << 14, LONGEST_TERM = 128, TERMS_PER_LINE = 6 };

/* Text on its way to the sink. */
typedef struct writer {
    const orr_pack_problem *problem;
    const orr_sink *sink;
    size_t size;
    int terms; /* on this line */
    bool failed;
    char text[PIECE];
} writer;

static void flush(writer *w)
{
    if (w->size > 0 && !w->failed)
        w->failed = !w->sink->write(w->sink->user, w->text, w->size);
    w->size = 0;
}

static void add(writer *w, const char *format, ...) ORR_PRINTF(2, 3);

static void add(writer *w, const char *format, ...)
{
    va_list args;
    if (w->size + LONGEST_TERM > PIECE)
        flush(w);
    va_start(args, format);
    w->size += (size_t)vsnprintf(w->text + w->size, LONGEST_TERM, format, args);
    va_end(args);
}

/* What follows is a term: lines must not grow too long. */
static void begin_term(writer *w)
{
    if (w->terms++ % TERMS_PER_LINE == 0 && w->terms > 1)
        add(w, "\n ");
}

static void begin_row(writer *w, const char *name, int32_t index)
{
    w->terms = 0;
    add(w, " %s_%d:", name, (int)index + 1);
}

/* --- the rows ----------------------------------------------------------------------------------*/

static void write_objective(writer *w)
{
    add(w, "Minimize\n cost:");
    w->terms = 0;
    for (int32_t b = 0; b < w->problem->count; b++) {
        begin_term(w);
        add(w, " + y_%d", (int)b + 1);
    }
    add(w, "\nSubject To\n");
}

/* (i): task i is in one pack, on one number of processors. */
static void write_task(writer *w, int32_t i)
{
    begin_row(w, "i", i);
    for (int32_t b = 0; b < w->problem->count; b++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++) {
            begin_term(w);
            add(w, " + x_%d_%d_%d", (int)i + 1, (int)j, (int)b + 1);
        }
    add(w, " = 1\n");
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
                add(w, " + %d x_%d_%d_%d", (int)j, (int)i + 1, (int)j, (int)b + 1);
            else
                add(w, " + x_%d_%d_%d", (int)i + 1, (int)j, (int)b + 1);
        }
    add(w, " <= %d\n", procs ? (int)problem->procs : (int)problem->most);
}

/* (iv): a pack lasts as long as a task in it. */
static void write_times(writer *w, int32_t b)
{
    for (int32_t i = 0; i < w->problem->count; i++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++)
            add(w, " iv_%d_%d_%d: %.17g x_%d_%d_%d - y_%d <= 0\n", (int)i + 1, (int)j, (int)b + 1,
                orr_pack_time(w->problem, i, j), (int)i + 1, (int)j, (int)b + 1, (int)b + 1);
}

static void write_binaries(writer *w)
{
    add(w, "Binary\n");
    for (int32_t i = 0; i < w->problem->count; i++)
        for (int32_t j = w->problem->least[i]; j <= w->problem->procs; j++)
            for (int32_t b = 0; b < w->problem->count; b++)
                add(w, " x_%d_%d_%d\n", (int)i + 1, (int)j, (int)b + 1);
    add(w, "End\n");
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
    writer w = {.problem = problem, .sink = sink};
    double variables = count_variables(problem);
    if (variables > ORR_PROGRAM_MOST_VARIABLES)
        return orr_fail(err, ORR_ERR_LIMIT,
                        "the integer program of %d tasks on %d processors has %.0f variables, more "
                        "than %d",
                        (int)problem->count, (int)problem->procs, variables,
                        ORR_PROGRAM_MOST_VARIABLES);
    add(&w, "\\ k-IN-p-COSCHEDULE: n = %d tasks, p = %d processors, k = %d tasks in a pack\n",
        (int)problem->count, (int)problem->procs, (int)problem->most);
    write_objective(&w);
    for (int32_t i = 0; i < problem->count && !w.failed; i++)
        write_task(&w, i);
    for (int32_t b = 0; b < problem->count && !w.failed; b++) {
        write_pack(&w, b, false);
        write_pack(&w, b, true);
        write_times(&w, b);
    }
    if (!w.failed)
        write_binaries(&w);
    flush(&w);
    return w.failed ? orr_fail(err, ORR_ERR_IO, "the integer program could not be written")
                    : ORR_OK;
}
