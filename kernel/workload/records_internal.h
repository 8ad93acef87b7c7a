/* Records: the fields that a format reads of a job, and the functions that take them. Not a public
 * header. */
#pragma once

#include "columns_internal.h"
#include "workload/jobs_internal.h"
#include "workload/reader.h"

#include <math.h>

enum { ORI_MOST_STATUSES = 32, ORI_MOST_ASKS = 12 };

/* A record of a log: the row that columns of logs fill. Unknown numbers are NaN, an unknown number
 * of processors is 0. */
typedef struct ori_record {
    int64_t line;      /* 0: none */
    const char *shown; /* the name that users of the log see; NULL: the id */
    size_t shown_size;
    double submit, time, walltime, wait;
    orr_job_pays pays;
    bool calendar; /* `submitted` counts, not `submit` */
    bool apart;    /* not among the rows that were asked for */
    ori_stamp submitted, eligible, started, ended;
    double suspended;         /* s of the time between start and end; NaN: not known */
    int32_t machine_procs;    /* of the log; 0: not known */
    bool never_started;       /* a start of 0 in seconds since 1970 */
    bool other_machine;       /* than the one whose size is known */
    unsigned remarks;         /* bits, 1 << orr_remark */
    int32_t procs, requested; /* requested: for formats that tell both */
    orr_job_labels label;     /* numbers in the jobs' names */
    double think;             /* where `after` is asked for */
    bool singleton;           /* it comes after all jobs before it of its user and name: */
    const char *name;         /* which the log calls the job; NULL: it does not tell */
    size_t name_size;
    int asks; /* how many elements of `ask` the record has */

    /* What stays from record to record: */
    ori_id id;
    orr_labels *names;
    orr_jobs *asking; /* whose list has the names of what is asked for; NULL: nothing is noted */
    ori_use *ask;
    int64_t *needs; /* of the pools asked for, by number; -1: what the log says is no amount. NULL:
                       none is asked for */
    struct ori_after *after; /* NULL: not asked for */
} ori_record;

/* For how long the job was suspended, s; 0 where that is not known. */
static inline double ori_record_suspension(const ori_record *record)
{
    return isnan(record->suspended) ? 0 : record->suspended;
}

/* Needs of the job by the number of the pool, then of each of its nodes, of each processor. */
enum { ORI_PER_NODE = ORR_MOST_NEEDS, ORI_PER_PROC = 2 * ORR_MOST_NEEDS };
enum { ORI_NODES = 3 * ORR_MOST_NEEDS, ORI_NEEDS }; /* of the job, also where they are no pool */

/* The jobs that a job comes after, as orr_jobs_after gives them. */
typedef struct ori_after {
    char text[1 << 14];
    size_t size;
} ori_after;

/* The type of such a text. think: the number of seconds of all names without one. */
extern const ori_type ori_after_type;
void ori_after_think(ori_after *after, double think);

/* Adds an id; think: "+30", or empty. An id that does not fit is left out. */
void ori_after_add(ori_after *after, const char *id, size_t size, const char *think);

/* Notes that the job asks for something that is not modelled, unless it is a pool asked for; each
 * name counts once for a record. amount: NaN where it is not known. */
void ori_record_ask(ori_record *record, const char *name, size_t size, double amount);

/* Takes what a job asks for as its need of pools, the largest that is said; slot: 0, ORI_PER_NODE
 * or ORI_PER_PROC; false: it is of no pool asked for. */
bool ori_record_need(ori_record *record, const char *name, size_t size, int slot, double amount);

/* The same, by the number of its name. */
static inline void ori_record_use(ori_record *record, ori_use use)
{
    int i = 0;
    while (i < record->asks && record->ask[i].what != use.what)
        i++;
    if (i == record->asks && i < ORI_MOST_ASKS)
        record->ask[record->asks++] = use;
}

/* The types of columns that say so: a number, which may be 0, or a text; of those of the second one
 * numbers do not add up. */
extern const ori_type ori_asked_type, ori_stated_type;

/* What a job needs of a pool: a whole number, with K, M, G or T (powers of 1024) behind it or not;
 * the type's unit is the pool's number. */
extern const ori_type ori_need_type, ori_flag_need_type;
/* Such an amount; unit: of one without a letter; more than 1: amounts are rounded up, for Slurm
 * shows 4000M as 3.91G. False: it is none. */
bool ori_parse_amount(const char *text, size_t size, double unit, double *amount);

/* The field of a record that a column fills. */
#define ORI_RECORD(FIELD) offsetof(ori_record, FIELD)
#define ORI_RECORD_LABEL(KIND) offsetof(ori_record, label.of[ORR_LABEL_##KIND])

/* The type of labels, a text unchanged; and the functions for types of labels. */
extern const ori_type ori_label_type;
orr_status ori_read_label(const ori_column *column, const char *text, size_t size, void *row,
                          const char **expected, orr_error *err);
const char *ori_label_text(const ori_column *column, void *row); /* NULL: none */

/* How many processors the machine of the log has, in each of its rows; and the function of a type
 * for a machine's name: the machine type->more has type->unit processors, others are not known. */
extern const ori_type ori_machine_type;
orr_status ori_read_machine(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err);

typedef struct ori_read_context {
    orr_allocator alloc;
    const char *name; /* borrowed */
    orr_jobs *jobs;
    int64_t line; /* lines that have ended before the bytes fed next */
    ori_record record;
    ori_use ask[ORI_MOST_ASKS];              /* of the record */
    const struct ori_format *const *formats; /* all formats, and NULL at the end */
    const orr_format *described;             /* the format as data that was chosen; NULL: none */
    const struct ori_map *map;               /* the columns that the caller names; NULL: none */

    orr_read_options options;
    ori_after after;                   /* of the record, if asked for */
    int64_t needs[ORI_NEEDS];          /* of the record */
    int32_t wanted[ORI_MOST_STATUSES]; /* numbers of the statuses asked for */
    int wanted_count;                  /* 0: all */
    int32_t machine_procs;             /* the largest allowed number of processors of a job; 0: not
                                          known (yet) */
    orr_drop_reason reason;            /* why the last record that could not be read is left out */
    bool refused;                      /* the error concerns more than this record */
    bool other_machine;                /* a record names one whose size is not known */
    bool part; /* of a log, read beside other parts (side_by_side_internal.h): */
    bool odd;  /* a line's meaning depends on other lines, and it was not read */

    bool zeros;             /* the bytes fed now have zeros: */
    orr_drop_reason spoils; /* why a record with one is left out, */
    const char *spoiled_by; /* and the error in it */

    int64_t *timestamps; /* microseconds, by job; NULL in logs without calendar times */
    int64_t timestamps_capacity;
    bool has_parts; /* jobs with ids such as 7+0 and 7+1 are one job */
    /* where dependencies are asked for: names of arrays and their tasks; by a name's number less 1
     * the last of its jobs, after which its first one follows */
    orr_labels arrays;
    struct ori_task {
        int64_t job, next;
    } * tasks;
    int64_t *last_task, task_count, tasks_capacity, last_capacity;
} ori_read_context;

/* Reads options->statuses; the context must be closed in any case. */
orr_status ori_context_open(ori_read_context *context, const char *name,
                            const orr_read_options *options, const orr_allocator *a,
                            orr_error *err);
void ori_context_close(ori_read_context *context);

/* Clears all fields of the next record; its line is the context's present line. Its id stays the id
 * of the record before, up to ori_record_forget_id. */
void ori_record_clear(ori_read_context *context);
void ori_record_forget_id(ori_read_context *context);
/* Clears the jobs that it comes after; for formats that do not always set them. */
void ori_record_forget_after(ori_record *record);

/* Makes instants of times that the clocks of options.zone show. When the clocks are set back, two
 * instants have one time: a start takes the second if the first lies before the submission, and an
 * end if only that fits the runtime, or the start. */
void ori_record_localize(ori_read_context *context);

/* Takes the machine that the record tells, and the requested processors in place of those used
 * where these are unknown or options.procs_of says so; false: it did the latter. */
bool ori_record_take_procs(ori_read_context *context);

/* The wait of a job that did not start before it was submitted. Remarks on a start before the
 * submission, and on an end that does not fit the start. */
void ori_record_set_wait(ori_record *record);

/* An error in a field. The arguments need no path and line: they are the context's present ones. */
orr_status ori_record_fail(ori_read_context *context, const ori_field *field, const char *expected,
                           orr_error *err);

/* Reads such a field into the record, as its column says. */
static inline orr_status ori_record_read(ori_read_context *context, const ori_column *column,
                                         const ori_field *field, orr_error *err)
{
    const char *expected;
    orr_status status =
        ori_column_read(column, field->text, field->size, &context->record, &expected, err);
    return status == ORR_ERR_INPUT ? ori_record_fail(context, field, expected, err) : status;
}

/* Makes a job of the record, or a dropped one. */
orr_status ori_record_add(ori_read_context *context, orr_error *err);
orr_status ori_record_drop(ori_read_context *context, orr_drop_reason reason, orr_error *err);

/* Handles `status`, the result of reading a record: a record that could not be read is left out,
 * unless the reader is strict. */
orr_status ori_record_settle(ori_read_context *context, orr_drop_reason reason, orr_status status,
                             orr_error *err);

/* Whether a record that is not left out is wider than the machine and this is an error in its field
 * of processors: then the log is refused. `expected` then has "at most the 49152 processors of
 * Mira" and the option that helps; `machine` is the text behind the number. */
enum { ORI_WIDE_SIZE = 128 };
bool ori_record_is_too_wide(ori_read_context *context, const char *machine,
                            char expected[ORI_WIDE_SIZE]);

/* After the last record: what is odd about the log as a whole. */
void ori_context_look_over(ori_read_context *context);

/* Moves second 0 to the first submission, exactly to the microsecond, where the log has
 * timestamps. */
void ori_context_rebase(ori_read_context *context);
