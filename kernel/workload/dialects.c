/* The kinds of CSV that are told by the names in their headers, as tables of columns: Mira's job
 * log, as Argonne publishes it; plain CSV, by hand or by Orrery; Batsim's out_jobs.csv, also as
 * Orrery writes it for a schedule (schedule/export.h). */
#include "formats_internal.h"

#define NUMBER(FROM) "a number of processors from " FROM " to 2147483647", ori_unknown_empty, WHOLE
#define WHOLE "a whole number of processors"

static const ori_type any_id = {.read = ori_read_id, .most = INFINITY};
static const ori_type id = {ori_read_id, "the id of a job", .least = 1, .most = INFINITY};
/* A job that never got its nodes has used 0. */
static const ori_type nodes = {ori_read_number, NUMBER("0"), .most = INT32_MAX, .whole = true};
static const ori_type procs = {ori_read_number, NUMBER("1"), .least = 1, .most = INT32_MAX,
                               .whole = true};
static const ori_type resources = {ori_read_number, NUMBER("0"), .most = INT32_MAX, .whole = true,
                                   .minus_one = true};
static const ori_type span = {ori_read_number, "a number of seconds >= 0, or -1", ori_unknown_empty,
                              .most = INFINITY, .minus_one = true};
static const ori_type any = {ori_read_number, "a number of seconds", ori_unknown_empty,
                             .most = INFINITY, .negative = true};
static const ori_type stamp = {ori_read_stamp, "a time as YYYY-MM-DD HH:MM:SS",
                               .unknown = ori_unknown_empty};

/* The exit status of a job: 0 is success; words are kept. */
static orr_status read_exit(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    double code;
    if (ori_parse_number(text, size, &code)) {
        text = code == 0 ? ORR_STATUS_COMPLETED : ORR_STATUS_FAILED;
        size = strlen(text);
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

enum { MIRA = 49152 };
static const ori_type machine = {ori_read_machine, .unknown = ori_unknown_empty, .unit = MIRA,
                                 .more = "mira"};

static orr_status read_state(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    static const char *const states[][2] = {
        {"COMPLETED_SUCCESSFULLY", ORR_STATUS_COMPLETED},
        {"COMPLETED_FAILED", ORR_STATUS_FAILED},
        {"COMPLETED_WALLTIME_REACHED", "timeout"},
        {"COMPLETED_KILLED", ORR_STATUS_CANCELLED},
        {"REJECTED", "rejected"},
        {"RUNNING", "running"},
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strlen(states[i][0]) == size && memcmp(states[i][0], text, size) == 0)
            return ori_read_label(column, states[i][1], strlen(states[i][1]), row, expected, err);
    return ori_read_label(column, text, size, row, expected, err);
}

static const ori_type state = {read_state, .unknown = ori_unknown_empty};

static const ori_column mira[] = {
    {"COBALT_JOBID", &any_id, ORI_RECORD(id), ORI_WRITTEN},
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
    {"LOCATION", &ori_stated_type, 0, ORI_OPTIONAL},
    {"RESID", &ori_stated_type, 0, ORI_OPTIONAL},
    {"MACHINE_NAME", &machine, ORI_RECORD(other_machine), ORI_OPTIONAL},
};

#define PAY(name) {#name, &ori_seconds_type, ORI_RECORD(pays.name), ORI_IF_KNOWN},
#define LABEL(kind, name) {#name, &ori_label_type, ORI_RECORD_LABEL(kind), ORI_IF_KNOWN},
static const ori_column plain[] = {
    {"id", &id, ORI_RECORD(id), ORI_REQUIRED | ORI_WRITTEN},
    {"submit", &ori_seconds_type, ORI_RECORD(submit), ORI_WRITTEN},
    {"procs", &procs, ORI_RECORD(procs), ORI_REQUIRED | ORI_WRITTEN},
    {"runtime", &ori_seconds_type, ORI_RECORD(time), ORI_REQUIRED | ORI_WRITTEN},
    {"time", &ori_seconds_type, ORI_RECORD(time), ORI_OLD},
    {"walltime", &ori_seconds_type, ORI_RECORD(walltime), ORI_IF_KNOWN},
    ORR_PAYS(PAY) ORR_LABELS(LABEL){"after", &ori_after_type, ORI_RECORD(after), ORI_IF_KNOWN},
    {"gpus", &ori_asked_type, 0, ORI_OPTIONAL},
    {"memory", &ori_asked_type, 0, ORI_OPTIONAL},
    {"licenses", &ori_stated_type, 0, ORI_OPTIONAL},
    {"constraints", &ori_stated_type, 0, ORI_OPTIONAL},
    {"machine_procs", &ori_machine_type, ORI_RECORD(machine_procs), ORI_IF_KNOWN}};
#undef PAY
#undef LABEL

static const ori_column out_jobs[] = {
    {"job_id", &id, ORI_RECORD(id), ORI_REQUIRED},
    {"submission_time", &ori_seconds_type, ORI_RECORD(submit), ORI_REQUIRED},
    {"requested_number_of_resources", &resources, ORI_RECORD(procs), ORI_OPTIONAL},
    {"requested_number_of_processors", &resources, ORI_RECORD(procs), ORI_ALSO},
    {"execution_time", &span, ORI_RECORD(time), ORI_REQUIRED},
    {"requested_time", &span, ORI_RECORD(walltime), ORI_OPTIONAL},
    {"waiting_time", &any, ORI_RECORD(wait), ORI_OPTIONAL},
    {"machine_procs", &ori_machine_type, ORI_RECORD(machine_procs), ORI_OPTIONAL},
    {"final_state", &state, ORI_RECORD_LABEL(STATUS), ORI_OPTIONAL},
    {"user", &ori_label_type, ORI_RECORD_LABEL(USER), ORI_OPTIONAL},
    {"queue", &ori_label_type, ORI_RECORD_LABEL(QUEUE), ORI_OPTIONAL},
    {"partition", &ori_label_type, ORI_RECORD_LABEL(PARTITION), ORI_OPTIONAL},
    {"account", &ori_label_type, ORI_RECORD_LABEL(ACCOUNT), ORI_OPTIONAL},
    {"qos", &ori_label_type, ORI_RECORD_LABEL(QOS), ORI_OPTIONAL},
    {"array", &ori_label_type, ORI_RECORD_LABEL(ARRAY), ORI_OPTIONAL},
};

#define COLUMNS(TABLE) .columns = TABLE, .count = sizeof TABLE / sizeof *TABLE
#define STATED "processors of the machine (machine_procs)"

/* An attempt that another one came after is named by its job and its number, "7#1". */
const ori_dialect ori_dialects[ORI_DIALECTS] = {
    [ORI_MIRA] = {.title = "Mira's job log",
                  .about = "Mira's CSV (columns QUEUED_TIMESTAMP, RUNTIME_SECONDS, NODES_USED)",
                  COLUMNS(mira),
                  .procs = "NODES_USED (or NODES_REQUESTED)",
                  .machine_procs = MIRA,
                  .machine = "processors of Mira"},
    [ORI_PLAIN] = {.title = "a plain CSV log",
                   .about = "plain CSV (columns id, procs, runtime)",
                   COLUMNS(plain),
                   .machine = STATED},
    [ORI_OUT_JOBS] = {.title = "Batsim's out_jobs.csv or a schedule",
                      .about = "out_jobs.csv of Batsim or a schedule (columns job_id, "
                               "submission_time, requested_number_of_resources, execution_time)",
                      COLUMNS(out_jobs),
                      .procs = "requested_number_of_resources",
                      .results = " workload_name success starting_time finish_time turnaround_time "
                                 "stretch allocated_resources allocated_nodes consumed_energy "
                                 "promised_starting_time policy submission_date starting_date "
                                 "finish_date saved checkpoints ",
                      .part_mark = '#',
                      .machine = STATED}};
