/* Jobs: a workload of rigid jobs as struct-of-arrays.
 *
 * A job asks for `procs` processors, is submitted at `submit`, runs for `time` seconds (its
 * runtime, which no policy ever sees), and may have asked for `walltime` seconds. Its position,
 * 0 .. count - 1, is its name inside the kernel; its id is what the log calls it.
 *
 * Labels. A log may also name the user, the queue, the partition, the account (project) and the
 * QOS of a job, the array that it is a task of, and its status ("completed", "failed", "cancelled",
 * or any other word of the log). A label is the number of a
 * text in `names`, 0 where it is unknown: compare and count by number, print by text.
 *
 * Clocks. submit is in seconds on the log's own clock. `origin_us` is where second 0 of that clock
 * lies in UTC, in microseconds since 1970-01-01, where the log says so. A log that has only
 * calendar times (Mira's) has rebased = true: second 0 is its first queued job, and a selection
 * moves second 0 to its own first queued job.
 *
 * Ownership: an orr_jobs owns its arrays; it is made by a reader, a generator, a selection or
 * orr_jobs_create + orr_jobs_add, and freed with orr_jobs_destroy. Treat the arrays as read-only
 * while a simulation uses them: simulations borrow them. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "workload/labels.h"
#include "workload/zone.h"

#include <math.h>
#include <stdbool.h>

/* The kinds of labels: columns of plain CSV, and fields of jobs in Lua. */
#define ORR_LABELS(LABEL)                                                                          \
    LABEL(USER, user)                                                                              \
    LABEL(QUEUE, queue)                                                                            \
    LABEL(PARTITION, partition)                                                                    \
    LABEL(STATUS, status)                                                                          \
    LABEL(ACCOUNT, account)                                                                        \
    LABEL(QOS, qos)                                                                                \
    LABEL(ARRAY, array)

typedef enum orr_label {
#define ORR_LABEL_OF(kind, name) ORR_LABEL_##kind,
    ORR_LABELS(ORR_LABEL_OF)
#undef ORR_LABEL_OF
        ORR_LABEL_KINDS /* the number of kinds */
} orr_label;

/* The statuses that readers write, whatever the log's own word or number is. */
#define ORR_STATUS_COMPLETED "completed"
#define ORR_STATUS_FAILED "failed"
#define ORR_STATUS_CANCELLED "cancelled"

typedef struct orr_job_labels {
    int32_t of[ORR_LABEL_KINDS]; /* numbers of texts in orr_jobs.names; 0: unknown */
} orr_job_labels;

/* The labels of one kind, for jobs 0 .. count - 1; later jobs have none. Kinds that a log does not
 * have take no memory, others as many bytes as their largest number needs: a month has hundreds of
 * users and a handful of queues. */
typedef struct orr_label_column {
    void *numbers; /* uint8_t, uint16_t or int32_t */
    int32_t count;
    int32_t width;    /* bytes of a number: 1, 2 or 4 */
    int64_t capacity; /* internal */
} orr_label_column;

/* The costs of a job, as the log gives them, s, >= 0; NaN where it does not: columns of plain CSV,
 * and fields of jobs in Lua. Simulations do not use them. Of a checkpoint (workload/checkpoint.h):
 * writing and reading one. */
#define ORR_PAYS(PAY)                                                                              \
    PAY(checkpoint)                                                                                \
    PAY(recovery)

#define ORR_PAY_FIELD(name) double name;
#define ORR_PAY_UNKNOWN(name) NAN,
#define ORR_PAY_KNOWN(name) || !isnan(pays->name)
typedef struct orr_job_pays {
    ORR_PAYS(ORR_PAY_FIELD)
} orr_job_pays;
static const orr_job_pays orr_pays_unknown = {ORR_PAYS(ORR_PAY_UNKNOWN)};
static inline bool orr_pays_known(const orr_job_pays *pays)
{
    return false ORR_PAYS(ORR_PAY_KNOWN);
}

/* s: the default lower limit of runtimes in bounded slowdowns. */
#define ORR_TAU 60.0

/* s: from here on, the distance of two neighbouring doubles is more than one second. Times of jobs
 * are below, and a simulation whose clock gets here ends with ORR_ERR_LIMIT. */
#define ORR_CLOCK_END 9007199254740992.0

/* Why a reader left a record out. */
typedef enum orr_drop_reason {
    ORR_DROP_NO_RUNTIME,    /* runtime unknown (-1 in SWF, empty in CSV) */
    ORR_DROP_NO_PROCS,      /* neither requested nor allocated processors known */
    ORR_DROP_NO_SUBMISSION, /* submission time unknown */
    ORR_DROP_UNFINISHED,    /* waiting or running when the log was written */
    ORR_DROP_PART,      /* part of a job (a partial execution, a step) that has its own record */
    ORR_DROP_LONE_PART, /* a partial execution of a job without a record of its own */
    ORR_DROP_STATUS,    /* the status is not among those that the reader was asked for */
    ORR_DROP_NEVER_RAN, /* cancelled before it ran */
    ORR_DROP_WIDE,      /* wider than the machine */
    ORR_DROP_DOUBLE,    /* a record like one before, as overlapping dumps have; its line is 0 */
    ORR_DROP_ROW,       /* not among the rows that the reader was asked for */
    /* Records that cannot be read, which a strict reader refuses: */
    ORR_DROP_FIELD,    /* a field that does not fit its column */
    ORR_DROP_NEGATIVE, /* a negative number where none is allowed: a time, a count */
    ORR_DROP_FIELDS,   /* another number of fields than the log has */
    ORR_DROP_QUOTES,   /* quotes that do not fit, or are not closed */
    ORR_DROP_PREAMBLE, /* a line before the log begins */
    ORR_DROP_PROFILE,  /* of Batsim: a profile that needs a platform, or is none */
    ORR_DROP_ZERO,     /* a zero byte */
    ORR_DROP_LONG,     /* a line or a field of more than 1 MiB */
    ORR_DROP_DAMAGE    /* where the compressed data is cut off or damaged */
} orr_drop_reason;

typedef struct orr_drop {
    int64_t line;    /* of the file, counted from 1; 0 in JSON, which has no lines of records */
    uint32_t id;     /* offset into text */
    uint32_t detail; /* for an unreadable record: a second offset; 0: none */
    orr_drop_reason reason;
} orr_drop;

/* What a reader finds odd about records that are jobs all the same. */
typedef enum orr_remark {
    ORR_REMARK_EARLY_START, /* the job starts before it is submitted: its wait is not known */
    ORR_REMARK_EARLY_END,   /* it ends before it starts; its runtime is what the log says */
    ORR_REMARK_ELAPSED,     /* the runtime that the log says is not end less start */
    ORR_REMARK_ELIGIBLE,    /* sacct: it could only start after its submission (held, begun later,
                               behind another one), and counts as submitted then */
    ORR_REMARK_PARTS,       /* of a heterogeneous job, which is one job with them */
    ORR_REMARK_NO_WALLTIME, /* a walltime of 0 s: it is not known */
    ORR_REMARK_HOUR,        /* the runtime and end less start differ by an hour */
    ORR_REMARK_YEARS,       /* a runtime of more than a year */
    ORR_REMARK_MINUTES,     /* runtimes of up to 60 walltimes: are these minutes? */
    ORR_REMARK_PROCS,       /* requested and allocated processors differ */
    /* Remarks on the log as a whole: */
    ORR_REMARK_SINCE_1970, /* its clock seems to be seconds since 1970 */
    ORR_REMARK_NO_SUBMIT,  /* it has starts, and no submissions */
    ORR_REMARK_NO_TRES,    /* sacct: no column tells of GPUs */
    ORR_REMARK_MACHINE,    /* its size is Mira's, because it names no machine */
    ORR_REMARK_KINDS       /* the number of remarks */
} orr_remark;

typedef struct orr_remarked {
    int32_t records; /* 0: there is no such remark */
    int64_t line;    /* of the first, as in orr_drop; 0: a remark on the log */
} orr_remarked;

/* What jobs of the log asked for and simulations do not model. */
typedef struct orr_asked {
    char name[48]; /* "gres/gpu", "memory", cut where it is longer */
    int32_t jobs;  /* that asked for it; 0: only jobs that were left out did */
    double peak;   /* the most in use at once, by jobs whose start is known; 0: it is not known */
} orr_asked;
enum { ORR_MOST_ASKED = 256 }; /* names; others have no place */

/* What jobs need of a pool, a named amount that the whole machine has (licences, GPUs, memory in
 * bytes): whole numbers of at most ORR_MOST_AMOUNT, for the jobs 0 .. count - 1. Later jobs need
 * nothing. */
typedef struct orr_need {
    char name[48];
    int64_t *amount;
    int32_t count;
    int64_t capacity; /* internal */
} orr_need;
enum { ORR_MOST_NEEDS = 16 };
#define ORR_MOST_AMOUNT INT64_C(9007199254740992) /* 2^53 */

/* A pool: a named amount that the whole machine has. */
typedef struct orr_pool {
    char name[48];
    int64_t amount; /* 0 .. ORR_MOST_AMOUNT */
    int32_t number; /* of an instance: in jobs->needs; -1: no job needs it */
} orr_pool;

typedef struct orr_jobs {
    int32_t count;
    double *submit;   /* s, on the log's clock */
    double *time;     /* runtime, s, >= 0 */
    double *walltime; /* requested time, s, >= 0; NaN where unknown */
    int32_t *procs;   /* >= 1 */
    uint32_t *id;     /* offset of each job's id into text; see orr_jobs_id */

    orr_labels names;                         /* the texts of all labels */
    orr_label_column labels[ORR_LABEL_KINDS]; /* see orr_jobs_label */
    /* see orr_jobs_wait; of the jobs 0 .. waited - 1, of others they are not known */
    double *waits;
    int32_t waited;
    /* see orr_jobs_pays; for the jobs 0 .. paying - 1; costs of others are unknown */
    orr_job_pays *pays;
    int32_t paying;

    int32_t warmup; /* the jobs 0 .. warmup - 1 are simulated, but metrics of jobs do not count
                       them; 0 except for slices (workload/select.h) and selections from slices */
    /* see orr_jobs_set_counted; of the jobs 0 .. masked - 1, 1: not counted */
    uint8_t *uncounted;
    int32_t masked;
    char counting[96]; /* which jobs are counted, in words, cut where it is longer */

    /* see orr_jobs_after; of the jobs 0 .. linked - 1, offsets into text less one, 0 for none */
    uint32_t *afters;
    int32_t linked;

    orr_need needs[ORR_MOST_NEEDS]; /* see orr_jobs_need */
    int32_t need_count;

    int32_t machine_procs; /* size of the machine as the log states it; 0: it does not */
    bool has_origin;       /* origin_us is known */
    bool rebased;          /* see above */
    bool local;            /* dates are what the log's clocks show, of a zone that is not known */
    int64_t origin_us;     /* second 0 of the clock, in microseconds since 1970 (UTC) */
    orr_zone *zone;        /* whose clocks dates and days are by; NULL: UTC */

    orr_drop *dropped; /* records that the reader left out, in file order */
    int32_t dropped_count;
    int32_t details; /* dropped records with a detail, see orr_jobs_dropped_detail */

    /* other observations of the reader; selections keep them */
    orr_remarked remarks[ORR_REMARK_KINDS];
    int32_t repeated;     /* jobs whose id an earlier job has */
    char repeated_id[64]; /* the first such id, cut where it is longer */
    int32_t odd_afters;   /* dependencies that the reader does not understand */
    char odd_after[64];   /* the first of them, cut where it is longer */
    orr_asked *asked;
    int32_t asked_count;
    int32_t ignored_count; /* columns that the reader does not know; the first 24 are listed: */
    char ignored[1024];    /* "a, b" */
    bool plain;            /* of a plain CSV, in which they are probably mistakes */

    /* internal: capacities, the pool of ids, the allocator; while a log is read, who asked */
    struct ori_use *uses;
    uint32_t *kinds; /* of the jobs 0 .. asking - 1, others ask for none: a bit for each name */
    int32_t asking;
    int64_t use_count, uses_capacity, asked_capacity, kinds_capacity;
    char *text;
    size_t text_size, block_size;
    int64_t text_capacity, dropped_capacity, waits_capacity, afters_capacity, pays_capacity,
        uncounted_capacity;
    int32_t capacity;
    orr_allocator alloc;
} orr_jobs;

/* An empty workload; NULL on failure (memory). a may be NULL. */
ORR_API orr_jobs *orr_jobs_create(const orr_allocator *a, orr_error *err);
ORR_API void orr_jobs_destroy(orr_jobs *jobs); /* NULL is fine */

/* Adds a job behind those that are there. id is copied (NULL or empty: its position counted from
 * 1). Refused with ORR_ERR_ARGUMENT, and nothing added: procs < 1, submit or time negative or not
 * below ORR_CLOCK_END, walltime the same (NaN: unknown). */
ORR_API orr_status orr_jobs_add(orr_jobs *jobs, const char *id, double submit, int32_t procs,
                                double time, double walltime, orr_error *err);

/* Says by whose clocks dates and days of these jobs are; the zone is copied, NULL: UTC. */
ORR_API orr_status orr_jobs_set_zone(orr_jobs *jobs, const orr_zone *zone, orr_error *err);

/* Gives a job another runtime, s; ORR_ERR_ARGUMENT where it is negative or not below
 * ORR_CLOCK_END. */
ORR_API orr_status orr_jobs_set_time(orr_jobs *jobs, int32_t job, double time, orr_error *err);

/* Says how long a job waited in the log, s; NaN: not known. ORR_ERR_ARGUMENT where it is negative
 * or infinite. */
ORR_API orr_status orr_jobs_set_wait(orr_jobs *jobs, int32_t job, double wait, orr_error *err);

/* Says whether metrics of jobs count a job that is simulated in any case; all jobs are counted
 * until it is said. Copies of jobs keep it. */
ORR_API orr_status orr_jobs_set_counted(orr_jobs *jobs, int32_t job, bool counted, orr_error *err);
static inline bool orr_jobs_is_counted(const orr_jobs *jobs, int32_t job)
{
    return job >= jobs->masked || !jobs->uncounted[job];
}

/* Sets the checkpoint costs of a job; NaN: not known. ORR_ERR_ARGUMENT: a cost is negative or
 * infinite. */
ORR_API orr_status orr_jobs_set_pays(orr_jobs *jobs, int32_t job, orr_job_pays pays,
                                     orr_error *err);

/* The number of a pool's name in jobs->needs, which is added where it is new. ORR_ERR_ARGUMENT: no
 * name, or a long one, or too many. */
ORR_API orr_status orr_jobs_add_pool(orr_jobs *jobs, const char *name, int32_t *number,
                                     orr_error *err);
/* The same; -1: there is no such name. */
ORR_API int32_t orr_jobs_find_pool(const orr_jobs *jobs, const char *name);

/* Says how much a job needs of a pool; ORR_ERR_ARGUMENT where it is negative, or more than
 * ORR_MOST_AMOUNT. */
ORR_API orr_status orr_jobs_set_need(orr_jobs *jobs, int32_t job, int32_t pool, int64_t amount,
                                     orr_error *err);

/* How much a job needs of a pool, by its number in jobs->needs; -1: nothing. */
static inline int64_t orr_jobs_need(const orr_jobs *jobs, int32_t job, int32_t pool)
{
    return pool >= 0 && job < jobs->needs[pool].count ? jobs->needs[pool].amount[job] : 0;
}

/* Gives a job a label: the number of a text that was added to jobs->names (orr_labels_number), or
 * 0. A kind of label that no job has takes no memory. */
ORR_API orr_status orr_jobs_set_label(orr_jobs *jobs, int32_t job, orr_label kind, int32_t number,
                                      orr_error *err);

/* The number of a job's label, 1 .. jobs->names.count, equal for equal texts; 0: the job has
 * none. */
ORR_API int32_t orr_jobs_label(const orr_jobs *jobs, int32_t job, orr_label kind);

static inline orr_job_labels orr_jobs_labels(const orr_jobs *jobs, int32_t job)
{
    orr_job_labels labels;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        labels.of[kind] = orr_jobs_label(jobs, job, (orr_label)kind);
    return labels;
}

/* Its text, NULL for none; valid until a text is added. */
static inline const char *orr_jobs_label_text(const orr_jobs *jobs, int32_t job, orr_label kind)
{
    return orr_labels_text(&jobs->names, orr_jobs_label(jobs, job, kind));
}

/* The wait of a job in the log, s; NaN where the log does not give it. Simulations do not use
 * it. */
static inline double orr_jobs_wait(const orr_jobs *jobs, int32_t job)
{
    return job < jobs->waited ? jobs->waits[job] : NAN;
}

static inline orr_job_pays orr_jobs_pays(const orr_jobs *jobs, int32_t job)
{
    return job < jobs->paying ? jobs->pays[job] : orr_pays_unknown;
}

/* The ids of the jobs that a job depends on, separated by blanks. An id is followed by "+30"
 * where the job is submitted 30 s after that job's end, and by "+ok" where that job has to end
 * well. A question mark in front of them: one of them is enough. NULL: the job depends on none,
 * or the reader was not asked for dependencies. Simulations use dependencies where the instance
 * says so (dependencies). Valid until the next orr_jobs_add. */
ORR_API const char *orr_jobs_after(const orr_jobs *jobs, int32_t job);

/* The name of a kind of label: "user", "queue", "partition", "status", "account", "qos",
 * "array". */
ORR_API const char *orr_label_name(orr_label kind);

/* The id of a job, zero-terminated; valid until the next orr_jobs_add. */
ORR_API const char *orr_jobs_id(const orr_jobs *jobs, int32_t job);

/* The id of a dropped record as the file has it ("" where it has none); valid as above. */
ORR_API const char *orr_jobs_dropped_id(const orr_jobs *jobs, int32_t record);

/* The reason why a record cannot be read: "column 3 (time): expected ..., found ...". NULL for
 * readable records, and for those after many unreadable ones. Valid as above. */
ORR_API const char *orr_jobs_dropped_detail(const orr_jobs *jobs, int32_t record);

/* A short phrase for a reason ("runtime unknown"). */
ORR_API const char *orr_drop_reason_text(orr_drop_reason reason);

/* "what it says: what follows, and what can be done about it", for one record; NULL for a number
 * that is no remark. */
ORR_API const char *orr_remark_text(orr_remark remark);

/* How many different labels of a kind jobs have; -1 without memory. */
ORR_API int32_t orr_jobs_label_count(const orr_jobs *jobs, orr_label kind);

/* Mean of procs * time in processor-seconds, summed in order of position; 0 for no jobs. */
ORR_API double orr_jobs_mean_area(const orr_jobs *jobs);
