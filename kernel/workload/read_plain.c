/* Plain CSV: logs written by hand, and logs written by Orrery. */
#include "formats_internal.h"

static const ori_type id = {ori_read_id, "the id of a job", .least = 1, .most = INFINITY};
static const ori_type procs = {ori_read_number,   "a number of processors from 1 to 2147483647",
                               ori_unknown_empty, "a whole number of processors",
                               .least = 1,        .most = INT32_MAX,
                               .whole = true};

#define LABEL(kind, name) {#name, &ori_label_type, ORI_RECORD_LABEL(kind), ORI_IF_KNOWN},

static const ori_column columns[] = {
    {"id", &id, ORI_RECORD(id), ORI_REQUIRED | ORI_WRITTEN},
    {"submit", &ori_seconds_type, ORI_RECORD(submit), ORI_WRITTEN},
    {"procs", &procs, ORI_RECORD(procs), ORI_REQUIRED | ORI_WRITTEN},
    {"runtime", &ori_seconds_type, ORI_RECORD(time), ORI_REQUIRED | ORI_WRITTEN},
    {"time", &ori_seconds_type, ORI_RECORD(time), ORI_OLD},
    {"walltime", &ori_seconds_type, ORI_RECORD(walltime), ORI_IF_KNOWN},
    {"checkpoint", &ori_seconds_type, ORI_RECORD(pays.checkpoint), ORI_IF_KNOWN},
    {"recovery", &ori_seconds_type, ORI_RECORD(pays.recovery), ORI_IF_KNOWN},
    ORR_LABELS(LABEL){"after", &ori_after_type, ORI_RECORD(after), ORI_IF_KNOWN},
    {"machine_procs", &ori_machine_type, ORI_RECORD(machine_procs), ORI_IF_KNOWN}};

const ori_dialect ori_dialect_plain = {
    .title = "a plain CSV log",
    .about = "plain CSV (columns id, procs, runtime)",
    .columns = columns,
    .count = sizeof columns / sizeof *columns,
    .lists_ignored = true,
    .machine = "processors of the machine (machine_procs)",
};
