/* Mira's job log, the CSV that Argonne publishes, as a table of columns. */
#include "formats_internal.h"

#include <strings.h>

/* A job that never got its nodes has used 0. */
static const ori_type nodes = {ori_read_number,   "a number of processors from 0 to 2147483647",
                               ori_unknown_empty, "a whole number of processors",
                               .most = INT32_MAX, .whole = true};

static const ori_type stamp = {ori_read_stamp, "a time as YYYY-MM-DD HH:MM:SS",
                               .unknown = ori_unknown_empty};
static const ori_type id = {.read = ori_read_id, .most = INFINITY};

/* The exit status of a job: 0 is success; words are kept. */
static orr_status read_exit(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    double code;
    if (ori_parse_number(text, size, &code)) {
        text = code == 0 ? ORR_STATUS_COMPLETED : ORR_STATUS_FAILED;
        size = code == 0 ? sizeof ORR_STATUS_COMPLETED - 1 : sizeof ORR_STATUS_FAILED - 1;
    }
    return ori_read_label(column, text, size, row, expected, err);
}

static void write_exit(const ori_column *column, void *row, ori_text *text)
{
    const char *status = ori_label_text(column, row);
    if (status)
        ori_text_char(text, strcmp(status, ORR_STATUS_COMPLETED) == 0 ? '0' : '1');
}

static const ori_type exit_code = {read_exit, .unknown = ori_unknown_empty, .write = write_exit};

static orr_status read_machine(const ori_column *column, const char *text, size_t size, void *row,
                               const char **expected, orr_error *err)
{
    (void)column, (void)expected, (void)err;
    ((ori_record *)row)->other_machine = size != 4 || strncasecmp(text, "mira", 4) != 0;
    return ORR_OK;
}

static const ori_type machine = {read_machine, .unknown = ori_unknown_empty};

static const ori_column columns[] = {
    {"COBALT_JOBID", &id, ORI_RECORD(id), ORI_WRITTEN},
    {"QUEUED_TIMESTAMP", &stamp, ORI_RECORD(submitted), ORI_REQUIRED | ORI_WRITTEN},
    {"WALLTIME_SECONDS", &ori_seconds_type, ORI_RECORD(walltime), ORI_WRITTEN},
    {"RUNTIME_SECONDS", &ori_seconds_type, ORI_RECORD(time), ORI_REQUIRED | ORI_WRITTEN},
    {"NODES_USED", &nodes, ORI_RECORD(procs), ORI_WRITTEN},
    {"NODES_REQUESTED", &nodes, ORI_RECORD(requested), ORI_WRITTEN},
    {"USERNAME_GENID", &ori_label_type, ORI_RECORD_LABEL(USER), ORI_IF_KNOWN},
    {"QUEUE_NAME", &ori_label_type, ORI_RECORD_LABEL(QUEUE), ORI_IF_KNOWN},
    {"EXIT_STATUS", &exit_code, ORI_RECORD_LABEL(STATUS), ORI_IF_KNOWN},
    {"EXIT_CODE", &exit_code, ORI_RECORD_LABEL(STATUS), ORI_ELSE},
    {"START_TIMESTAMP", &stamp, ORI_RECORD(started), ORI_OPTIONAL},
    {"MACHINE_NAME", &machine, ORI_RECORD(other_machine), ORI_OPTIONAL},
};

const ori_dialect ori_dialect_mira = {
    .title = "Mira's job log",
    .about = "Mira's CSV (columns QUEUED_TIMESTAMP, RUNTIME_SECONDS, NODES_USED)",
    .columns = columns,
    .count = sizeof columns / sizeof *columns,
    .procs = "NODES_USED (or NODES_REQUESTED)",
    .machine_procs = 49152,
    .machine = "processors of Mira",
};
