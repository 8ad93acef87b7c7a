/* Batsim's out_jobs.csv, also written by Orrery for a schedule (schedule/export.h): finished jobs,
 * as a table of columns. */
#include "formats_internal.h"

#include <string.h>

static const ori_type id = {ori_read_id, "the id of a job", .least = 1, .most = INFINITY};
static const ori_type procs = {ori_read_number,   "a number of processors from 0 to 2147483647",
                               ori_unknown_empty, "a whole number of processors",
                               .most = INT32_MAX, .whole = true,
                               .minus_one = true};
static const ori_type span = {ori_read_number, "a number of seconds >= 0, or -1", ori_unknown_empty,
                              .most = INFINITY, .minus_one = true};
static const ori_type any = {ori_read_number, "a number of seconds", ori_unknown_empty,
                             .most = INFINITY, .negative = true};

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

static const ori_column columns[] = {
    {"job_id", &id, ORI_RECORD(id), ORI_REQUIRED},
    {"submission_time", &ori_seconds_type, ORI_RECORD(submit), ORI_REQUIRED},
    {"requested_number_of_resources", &procs, ORI_RECORD(procs), ORI_OPTIONAL},
    {"requested_number_of_processors", &procs, ORI_RECORD(procs), ORI_ALSO},
    {"execution_time", &span, ORI_RECORD(time), ORI_REQUIRED},
    {"requested_time", &span, ORI_RECORD(walltime), ORI_OPTIONAL},
    {"waiting_time", &any, ORI_RECORD(wait), ORI_OPTIONAL},
    {"machine_procs", &ori_machine_type, ORI_RECORD(machine_procs), ORI_OPTIONAL},
    {"final_state", &state, ORI_RECORD_LABEL(STATUS), ORI_OPTIONAL},
};

/* An attempt that another one came after is named by its job and its number, "7#1". */
const ori_dialect ori_dialect_out_jobs = {
    .title = "Batsim's out_jobs.csv or a schedule",
    .about = "out_jobs.csv of Batsim or a schedule (columns job_id, submission_time, "
             "requested_number_of_resources, execution_time)",
    .columns = columns,
    .count = sizeof columns / sizeof *columns,
    .procs = "requested_number_of_resources",
    .part_mark = '#',
    .machine = "processors of the machine (machine_procs)",
};
