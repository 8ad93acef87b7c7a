/* Readers: job logs from files, the format recognised by the content.
 *
 * | format | recognised by | procs | time | submit | walltime |
 * | Mira's job log (CSV) | a header line naming QUEUED_TIMESTAMP and RUNTIME_SECONDS | NODES_USED,
 *   else NODES_REQUESTED | RUNTIME_SECONDS | QUEUED_TIMESTAMP, UTC | WALLTIME_SECONDS |
 * | Standard Workload Format | `;` comments or lines of 18 numbers, also
 *   with commas between them | field 8, else 5 | field 4 |
 *   field 2 | field 9 |
 * | dump of Slurm's accounting, `sacct -P` | a header line with bars and a name that sacct has, or
 *   with another delimiter and the id and submission of a job, or such a line above one of dashes
 *   that has the widths of the columns (`sacct` without -P) |
 *   AllocCPUS, NCPUS or NProcs, else ReqCPUS; without these, or if asked for, NNodes or AllocNodes,
 *   else ReqNodes | ElapsedRaw, else Elapsed, else End less Start | Eligible, else Submit, taken as
 *   UTC | TimelimitRaw, else Timelimit |
 * | the same as JSON, `sacct --json` | a brace, and jobs with a job_id | tres.allocated, else
 *   required.CPUs | time.elapsed, else end less start | time.eligible, else time.submission |
 *   time.limit |
 * | Batsim's workload (JSON) | a brace | res | delay of the profile, or the sum of a sequence |
 *   subtime | walltime |
 * | Batsim's out_jobs.csv, a schedule that Orrery wrote | a header line naming job_id,
 *   submission_time and execution_time | requested_number_of_resources | execution_time |
 *   submission_time | requested_time |
 * | plain CSV | a header line naming id, procs and time | procs | time | submit (0 where the column
 *   is absent) | walltime |
 *
 * sacct's times may be seconds since 1970, too. Where it shows JobID, dependencies may name tasks
 * ("7_3") and arrays ("7"), and parts of a heterogeneous job ("7+0", "7+1") are one job.
 *
 * Labels (workload/jobs.h), where the log has them:
 *
 * | format | user | queue | partition | status |
 * | Mira's job log | USERNAME_GENID | QUEUE_NAME | - | EXIT_STATUS, else EXIT_CODE: "completed" for
 *   0, "failed" for other numbers |
 * | Standard Workload Format (of logs that Orrery wrote the texts that their comments say) | field
 *   12 | field 15 | field 16 | field 11: "completed" for 1,
 *   "failed" for 0, "cancelled" for 5 |
 * | sacct | User | - | Partition | State, its first word in small letters: "completed", "failed",
 *   "cancelled", "timeout", "node_fail" ...; Account and QOS are account and qos, 410045 of JobID
 *   410045_7 is array |
 * | Batsim's workload | user | queue | partition | "completed" where the profile's ret is 0,
 *   "failed" where it is another number |
 * | plain CSV | user | queue | partition | status; also account, qos and array |
 *
 * Dependencies (orr_jobs_after), if asked for, are fields 17 and 18 of SWF, the ids behind afterok,
 * afterany, afternotok and aftercorr in Dependency or SubmitLine of sacct, and `after` of plain
 * CSV: ids separated by blanks, "+30" behind an id for a think time of 30 s, "+ok" where that job
 * must end well, "?" in front where one of them is enough. Ids may also have & between them.
 *
 * Waits (orr_jobs_wait) are field 3 of SWF, START_TIMESTAMP less QUEUED_TIMESTAMP in Mira's log and
 * Start less the submission of sacct.
 *
 * Costs (orr_jobs_pays), s, are columns of plain CSV with their names.
 *
 * The machine is MaxProcs, else MaxNodes, of SWF, nb_res of Batsim, the column machine_procs of
 * plain CSV and of schedules, and Mira's 49152 nodes, unless
 * MACHINE_NAME of Mira's columns names another machine, whose size is then not known. `formats`
 * are asked first about a log with MACHINE_NAME.
 * The format follows from the first recognised line among the first 20 that are neither blank nor
 * comments (`;`, `#`); earlier lines are left out. A CSV may have semicolons, tabs or bars for
 * commas. Lines of SWF may have more than 18 fields, which are not read, and in a log with `;`
 * comments all of them may have fewer, from 5 on. Errors of the syntax of JSON have their line and
 * column, others name job and key.
 *
 * Columns can be given a meaning by a map, options.columns:
 * "submit=adt:unix,procs=nnumr,runtime=duration:min". Fields are id, submit, start, end, procs,
 * requested (where procs is unknown or not asked for), machine, runtime, walltime, wait, think,
 * checkpoint, recovery, after, user, queue, partition, status, asks.
 * Behind a colon stands the unit of a number (s, ms, us, ns, min, h, d; of a moment also unix and
 * unix-ms, since 1970, and utc for dates that are not local; of procs how many each counts; of
 * machine NAME=PROCS, where the column names it; of asks text, where numbers do not add up), or
 * the format of a date (%Y %y %m %b %d %H
 * %I %M %S %f %p %z %F %T). Without a unit or format a moment is a number of seconds or an ISO 8601
 * time, and a span is seconds or [days-]hours:minutes:seconds. A column may have several meanings.
 * A backslash escapes a comma or colon in a name. In a log that is recognised (a CSV, a dump of
 * sacct) a map replaces the fields that it names, and all else is as without it: steps, states,
 * jobs that never started, labels. In any other CSV procs, and runtime or start and end, are
 * required.
 *
 * Other formats are data: orr_format says what a line or an object of JSON means. They are tried
 * on a log that is none of the above.
 *
 * CSV columns are found by the names in the header, in any order. Unknown columns are ignored;
 * orr_jobs.ignored lists them. Ids may repeat, for example in a log
 * with one record per execution of a job: each record is a job, and orr_jobs.repeated counts
 * repeated ids. A file may be compressed (gzip, xz, bzip2, zstd), may begin with a byte order mark,
 * and may have LF or CRLF line ends. Numbers may be written as 512, 512.0 or 5.12e2; processors
 * must be whole.
 *
 * A record with an unknown value (-1 in SWF, an empty CSV field, Unknown in sacct) is dropped, with
 * its reason; an unknown walltime stays unknown; 0 processors are unknown in Mira's log, SWF and
 * sacct. In SWF, lines of status 2, 3 and 4 are partial executions of a job whose whole has a line
 * before them, in sacct ids with a dot are steps of a job: they are dropped, as are jobs that sacct
 * shows waiting or running, and those without a start. A record that cannot be read is left out,
 * with its line and what is wrong with it, unless the reader is strict: too few or too many fields,
 * a negative time (submission times included), text where a number is due, quotes that do not fit
 * (only the first line is left out, and reading goes on behind it), a profile of Batsim that is
 * neither a delay nor a sequence of delays. Also left out are a record with a zero byte, a line or
 * field of more than 1 MiB (no more is kept of it). Compressed data that is cut off or damaged is
 * ORR_ERR_INPUT, with the number of bytes before the damage. With options.damaged the records
 * before it count, and the record with the damage is left out. Where only the checksum is wrong, or
 * something follows the data, all records then count, and the problem is listed among the dropped
 * records; any record may be wrong. sacct does not escape a delimiter in a text such as JobName,
 * SubmitLine, Constraints: such a record is repaired where the other columns allow only one way.
 * Anything else that does not fit is ORR_ERR_INPUT with file, line, column, what was expected and
 * what was found: a missing column, a job wider than the machine, a binary file, an empty file, a
 * file without any job that can be read. */
#pragma once

#include "workload/jobs.h"
#include "workload/zone.h"

/* The treatment of jobs wider than the machine, where the log states its size (in SWF:
 * MaxProcs). */
typedef enum orr_wide { ORR_WIDE_ERROR, ORR_WIDE_DROP, ORR_WIDE_KEEP } orr_wide;

/* The meaning of a processor in a dump of sacct, which may count both CPUs and nodes. */
typedef enum orr_count {
    ORR_COUNT_LOG, /* CPUs where the dump has them, else nodes */
    ORR_COUNT_CPUS,
    ORR_COUNT_NODES
} orr_count;

/* Which processors of a job count, where a log has both. */
typedef enum orr_procs_of {
    ORR_PROCS_OF_LOG, /* requested ones in SWF (field 8, else 5), else allocated ones */
    ORR_PROCS_OF_REQUESTED,
    ORR_PROCS_OF_ALLOCATED
} orr_procs_of;

/* When a job of sacct was submitted. */
typedef enum orr_submitted {
    ORR_SUBMITTED_ELIGIBLE, /* when it could start (Eligible), where the dump says so; a job that
                               comes after others, where dependencies are read, at Submit */
    ORR_SUBMITTED_SUBMIT    /* Submit */
} orr_submitted;
/* A format as data: what a line or an object of JSON says. All texts are borrowed until the
 * reading ends, and NULL where there is nothing to say.
 *
 * header: the names of the fields of a line, with commas. "NAME*" stands for as many fields as
 * the field before it says, "=" at the end for the rest of the line, KEY=VALUE with blanks
 * between them. NULL: the first line has the names. A field may be in quotes. Lines with # are
 * comments. columns: as in orr_read_options; a field may stand several times, then the first one
 * counts that a record has. A name is a field's name or a key; in JSON keys with points between
 * them ("a.0.b": of the first element, -1 of the last one, * of all), which end with # for the
 * number of elements. Units are also "select" (of procs: 2:ncpus=4+1), "ppn" (2:ppn=4), and
 * "=KEY" for the number behind KEY= in a text. "needs.NAME" is what a job needs of a pool, where
 * that is asked for, "needs.NAME_per_node" and "_per_proc" of each node or processor, as `nodes`
 * below says; its unit is K, M, G, T, a factor, or si (k is 1000), of numbers without a letter, and
 * behind that "=KEY", "select=KEY" (the sum over 2:KEY=1gb+1), or "#" (how many words). */
typedef struct orr_format {
    const char *name, *about; /* "pbs", "accounting records of PBS" */
    bool json;                /* records are objects; else lines */
    int depth;      /* of JSON: lists and objects around a record; 0: there is nothing around it */
    char delimiter; /* of lines; a blank: any number of them */
    const char *header, *columns;
    const char *signs;   /* what tells this format from others: names that a record has, or
                            "NAME=WORD|WORD", with commas */
    const char *records; /* which lines or objects are records of jobs: as orr_read_options.rows,
                            but others are not counted */
    const char *states;  /* "0=completed,*=failed"; of "unfinished" jobs there are no records */
    const char *absent;  /* "walltime=0|none": texts of fields that mean that it is not known */
} orr_format;

/* All zeros are the defaults. Whatever is left out is among the dropped records. */
typedef struct orr_read_options {
    size_t size;          /* sizeof this, see base/api.h */
    const char *statuses; /* only jobs with these statuses, "completed,failed"; "unknown" stands for
                             jobs without a status. NULL: all. Borrowed until the reading ends */
    bool ran;             /* leave out jobs that were cancelled before they ran: status "cancelled"
                             and runtime 0 */
    orr_wide wide;
    orr_count count;
    bool strict;         /* a record that cannot be read (ORR_DROP_FIELD and later) is an error;
                            otherwise it is left out */
    int32_t procs;       /* of the machine, for ORR_WIDE_DROP; 0: as many as the log says */
    const char *header;  /* of a log that has none: its columns, "JobID,Submit,...", in the order of
                           the file. Borrowed */
    bool dependencies;   /* read which jobs a job comes after, see orr_jobs_after */
    const char *columns; /* the meanings of columns (see above). Borrowed */
    int threads;         /* threads that read pieces of a large SWF log in parallel; they call the
                            allocator, too. 0 means 1. The jobs do not depend on it */
    orr_submitted submitted;
    const orr_zone *zone; /* whose clocks dumps of sacct show, and dates without a zone that
                             `columns` describes; NULL: UTC. Other formats define their times.
                             Borrowed */
    bool damaged;     /* compressed data is read up to its damage, unless the reader is strict */
    char delimiter;   /* between columns; a blank: any number of blanks. 0: told by the header */
    const char *rows; /* of logs with columns: which rows count, by texts of columns, "COLUMN=WORD"
                            or "COLUMN!=WORD", with bars between words and commas between columns.
                            A backslash escapes these characters in names and words. Borrowed */
    const orr_format *format; /* of this log; NULL: recognised. Borrowed */
    /* Gives further formats that may be recognised, and how many; called at most once, for a log
     * that is none of the above or in JSON. They are borrowed until the reading ends. NULL: none */
    const orr_format *(*formats)(void *user, int *count);
    void *user;
    const orr_pool *pools; /* what jobs need of these is read (orr_jobs_need), from columns of CSV
                              with their names and from what Slurm's jobs ask for; a job that needs
                              more than there is counts as wider than the machine. Borrowed */
    int32_t pool_count;
    orr_procs_of procs_of; /* SWF, Mira's columns, sacct; else the other ones where unknown */
    bool nodes; /* needs of pools are also read from columns NAME_per_node and NAME_per_proc, as
                   amounts of each node or processor. So are ReqMem and the memory of SWF always.
                   The pool `nodes` says how many nodes these are, else the log, else one */
} orr_read_options;

/* Reads the file at path. options may be NULL. NULL on failure. */
ORR_API orr_jobs *orr_read_jobs(const char *path, const orr_read_options *options,
                                const orr_allocator *a, orr_error *err);

/* A reader fed by hand, for input that is not a file: any number of pieces of any size give the
 * same result as the whole at once. `name` is used in messages and borrowed until finish. */
typedef struct orr_reader orr_reader;
ORR_API orr_reader *orr_reader_create(const char *name, const orr_read_options *options,
                                      const orr_allocator *a, orr_error *err);
ORR_API orr_status orr_reader_feed(orr_reader *reader, const void *bytes, size_t size,
                                   orr_error *err);
/* Ends the input and destroys the reader, whatever the outcome; NULL with a message on failure. */
ORR_API orr_jobs *orr_reader_finish(orr_reader *reader, orr_error *err);
/* Destroys a reader without result; NULL is fine. */
ORR_API void orr_reader_destroy(orr_reader *reader);

/* Failure counts: whitespace-separated whole numbers >= 0, one row per scenario, one column per
 * job in order of position, no header. On success *counts (rows * columns, row after row, allocated
 * with a) is the caller's, to be freed with orr_release(a, *counts, rows * columns * 4). A row with
 * a number of columns other than `columns` is an error that names line and both numbers. */
ORR_API orr_status orr_read_failures(const char *path, int32_t columns, int32_t **counts,
                                     int64_t *rows, const orr_allocator *a, orr_error *err);
