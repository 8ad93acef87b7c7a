/* Dumps of Slurm's accounting, `sacct -P`: a header of column names and rows, all between bars,
 * without quotes; a row for every job, and rows for its steps. */
#include "formats_internal.h"

#include "base/try_internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 1024 };

/* --- columns -----------------------------------------------------------------------------------*/

static const char *const unknown[] = {"Unknown", "None", NULL};
static const char *const no_limit[] = {"Unknown", "None", "UNLIMITED", "Partition_Limit", NULL};

#define STAMP "a time as YYYY-MM-DDTHH:MM:SS, or Unknown"
#define DURATION "a duration as [days-]hours:minutes:seconds"
#define COUNT "a whole number from 0 to 2147483647"

static const ori_type id = {ori_read_id, "the id of a job", .least = 1, .most = 63};
static const ori_type stamp = {ori_read_stamp, STAMP, .unknown = unknown};
static const ori_type seconds = {ori_read_number, "a number of seconds", unknown, .most = INFINITY};
static const ori_type duration = {ori_read_duration, DURATION, .unknown = unknown};
static const ori_type minutes = {ori_read_number, "a number of minutes", no_limit, .most = INFINITY,
                                 .unit = 60};
static const ori_type limit = {ori_read_duration, DURATION, .unknown = no_limit};
static const ori_type count = {ori_read_number, COUNT, unknown, .most = INT32_MAX, .whole = true};

/* In the order in which a row is read. A state is changed before: see read_state. */
enum { ID, ID_INSTEAD, SUBMIT, START, END, ELAPSED, ELAPSED_INSTEAD, CPUS };
enum { CPUS_ELSE = CPUS + 3, NODES, NODES_ELSE = NODES + 2, LIMIT, LIMIT_INSTEAD, STATE };
enum { COLUMNS = STATE + 4 };

static const ori_column columns[COLUMNS] = {
    {"JobIDRaw", &id, ORI_RECORD(id), ORI_OPTIONAL},
    {"JobID", &id, ORI_RECORD(id), ORI_INSTEAD},
    {"Submit", &stamp, ORI_RECORD(submitted), ORI_OPTIONAL},
    {"Start", &stamp, ORI_RECORD(started), ORI_OPTIONAL},
    {"End", &stamp, ORI_RECORD(ended), ORI_OPTIONAL},
    {"ElapsedRaw", &seconds, ORI_RECORD(time), ORI_OPTIONAL},
    {"Elapsed", &duration, ORI_RECORD(time), ORI_INSTEAD},
    {"AllocCPUS", &count, ORI_RECORD(procs), ORI_OPTIONAL},
    {"NCPUS", &count, ORI_RECORD(procs), ORI_ALSO},
    {"NProcs", &count, ORI_RECORD(procs), ORI_ALSO},
    {"ReqCPUS", &count, ORI_RECORD(procs), ORI_ELSE},
    {"NNodes", &count, ORI_RECORD(procs), ORI_OPTIONAL},
    {"AllocNodes", &count, ORI_RECORD(procs), ORI_ALSO},
    {"ReqNodes", &count, ORI_RECORD(procs), ORI_ELSE},
    {"TimelimitRaw", &minutes, ORI_RECORD(walltime), ORI_OPTIONAL},
    {"Timelimit", &limit, ORI_RECORD(walltime), ORI_INSTEAD},
    {"State", &ori_label_type, ORI_RECORD_LABEL(STATUS), ORI_OPTIONAL},
    {"User", &ori_label_type, ORI_RECORD_LABEL(USER), ORI_OPTIONAL},
    {"QOS", &ori_label_type, ORI_RECORD_LABEL(QUEUE), ORI_OPTIONAL},
    {"Partition", &ori_label_type, ORI_RECORD_LABEL(PARTITION), ORI_OPTIONAL},
};

typedef struct sacct_state {
    ori_read_context *context;
    int columns; /* of the header; 0: not read yet */
    ori_table table;

    /* the row being read: a field for every known column, empty where the file has none */
    ori_field field[COLUMNS];
    char state[32];
} sacct_state;

/* --- the header --------------------------------------------------------------------------------*/

/* A field of a line, up to a bar or the end; returns where the next one begins, NULL for none. */
static const char *next_field(const char *field, const char *end, size_t *size)
{
    const char *bar = field == end ? NULL : memchr(field, '|', (size_t)(end - field));
    *size = (size_t)((bar ? bar : end) - field);
    return bar ? bar + 1 : NULL;
}

static bool is_header(const char *line, size_t size, bool numbers)
{
    const char *end = line + size;
    bool found = false;
    if (numbers || !memchr(line, '|', size))
        return false;
    for (const char *field = line, *next; field && !found; field = next) {
        next = next_field(field, end, &size);
        found = ori_column_find(columns, COLUMNS, field, size, true) >= 0;
    }
    return found;
}

static orr_status fail_missing(const sacct_state *sacct, const char *what, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: column %s is missing in a dump of sacct",
                    sacct->context->name, (long long)sacct->context->line + 1, what);
}

static bool has(const sacct_state *sacct, int column)
{
    return sacct->table.place[column] >= 0;
}

/* Processors are CPUs where the dump has them: nodes may be shared by jobs, and then those that are
 * busy do not add up. */
static orr_status choose_processors(sacct_state *sacct, orr_error *err)
{
    bool cpus = has(sacct, CPUS) || has(sacct, CPUS_ELSE);
    bool nodes = has(sacct, NODES) || has(sacct, NODES_ELSE);
    orr_count counted = sacct->context->options.count;
    if (counted == ORR_COUNT_CPUS && !cpus)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS)", err);
    if (counted == ORR_COUNT_NODES && !nodes)
        return fail_missing(sacct, "NNodes (or AllocNodes, ReqNodes)", err);
    if (!cpus && !nodes)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS, NNodes)", err);
    bool other = counted == ORR_COUNT_NODES || !cpus; /* nodes */
    ori_table_leave_out(&sacct->table, other ? CPUS : NODES);
    ori_table_leave_out(&sacct->table, other ? CPUS_ELSE : NODES_ELSE);
    return ORR_OK;
}

static orr_status check_columns(sacct_state *sacct, orr_error *err)
{
    if (!has(sacct, ID) && !has(sacct, ID_INSTEAD))
        return fail_missing(sacct, "JobIDRaw (or JobID)", err);
    if (!has(sacct, SUBMIT))
        return fail_missing(sacct, "Submit", err);
    if (!has(sacct, ELAPSED) && !has(sacct, ELAPSED_INSTEAD) &&
        !(has(sacct, START) && has(sacct, END)))
        return fail_missing(sacct, "ElapsedRaw (or Elapsed, or Start and End)", err);
    if (!has(sacct, STATE) && !has(sacct, END))
        return fail_missing(sacct, "State (or End)", err);
    return choose_processors(sacct, err);
}

static orr_status read_header(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    const char *end = line + size;
    ori_table_open(&sacct->table, columns, COLUMNS, true);
    for (const char *field = line, *next; field; field = next) {
        next = next_field(field, end, &size);
        if (sacct->columns == MOST_COLUMNS)
            return orr_fail(
                err, ORR_ERR_INPUT, "%s:%lld: a dump of sacct with more than %d columns",
                sacct->context->name, (long long)sacct->context->line + 1, MOST_COLUMNS);
        ori_table_add(&sacct->table, sacct->columns++, field, size);
    }
    ori_table_settle(&sacct->table);
    for (int i = 0; i < COLUMNS; i++)
        sacct->field[i] = (ori_field){
            .word = "column", .number = sacct->table.place[i] + 1, .name = sacct->table.name[i]};
    return check_columns(sacct, err);
}

/* --- rows --------------------------------------------------------------------------------------*/

/* Reads columns of the row, from one to another. */
static orr_status read_columns(sacct_state *sacct, int from, int to, orr_error *err)
{
    for (int i = from; i <= to; i++)
        if (has(sacct, i))
            ORI_TRY(ori_record_read(sacct->context, &columns[i], &sacct->field[i], err));
    return ORR_OK;
}

/* Wait and runtime. */
static void derive_times(const sacct_state *sacct, ori_record *job)
{
    job->calendar = true;
    if (isnan(job->time) && job->started.known && job->ended.known &&
        job->ended.us >= job->started.us)
        job->time = (double)(job->ended.us - job->started.us) / 1e6;
    if (has(sacct, START) && !job->started.known)
        job->time = NAN;
    ori_record_set_wait(job);
}

/* "CANCELLED by 1000" is cancelled, and "NODE_FAIL" node_fail. */
static void read_state(sacct_state *sacct)
{
    ori_field *field = &sacct->field[STATE];
    size_t n = 0;
    for (; n < field->size && n + 1 < sizeof sacct->state; n++) {
        char c = field->text[n];
        if (c == ' ' || c == '+')
            break;
        sacct->state[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    sacct->state[n] = '\0';
    field->text = sacct->state;
    field->size = n;
}

static bool is_unfinished(const char *state)
{
    static const char *const states[] = {"pending",     "running",    "suspended",
                                         "configuring", "completing", "resizing",
                                         "signaling",   "stage_out",  "stopped"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (state[0] == states[i][0] && strcmp(state, states[i]) == 0)
            return true;
    return false;
}

static orr_status read_job(sacct_state *sacct, orr_error *err)
{
    ori_record *job = &sacct->context->record;
    read_state(sacct);
    if (is_unfinished(sacct->state))
        return ori_record_drop(sacct->context, ORR_DROP_UNFINISHED, err);
    ORI_TRY(read_columns(sacct, SUBMIT, COLUMNS - 1, err));
    derive_times(sacct, job);
    if (sacct->state[0] == '\0' && has(sacct, END) && !job->ended.known)
        return ori_record_drop(sacct->context, ORR_DROP_UNFINISHED, err);
    if (isnan(job->time) && strcmp(sacct->state, ORR_STATUS_CANCELLED) == 0)
        return ori_record_drop(sacct->context, ORR_DROP_NEVER_RAN, err);
    return ori_record_add(sacct->context, err);
}

/* The texts of a row, by the column that they are known as. */
static orr_status split(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    int n = 0;
    const char *end = line + size;
    for (const char *field = line, *next; field; field = next, n++) {
        next = next_field(field, end, &size);
        int known = n < sacct->columns ? sacct->table.known[n] : 0;
        if (known == 0)
            continue;
        sacct->field[known - 1].text = field;
        sacct->field[known - 1].size = size;
    }
    if (n != sacct->columns)
        return orr_fail(
            err, ORR_ERR_INPUT, "%s:%lld: expected %d fields as in the header, found %d",
            sacct->context->name, (long long)sacct->context->line + 1, sacct->columns, n);
    return ORR_OK;
}

/* A step has its job's id and something behind a dot. */
static orr_status read_line(void *state, const char *line, size_t size, orr_error *err)
{
    sacct_state *sacct = state;
    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (size == 0)
        return ORR_OK;
    if (sacct->columns == 0)
        return read_header(sacct, line, size, err);
    ORI_TRY(split(sacct, line, size, err));
    ori_record_clear(sacct->context);
    ORI_TRY(read_columns(sacct, ID, ID_INSTEAD, err));
    return strchr(sacct->context->record.id.text, '.')
               ? ori_record_drop(sacct->context, ORR_DROP_PART, err)
               : read_job(sacct, err);
}

const ori_format ori_format_sacct = {.about = "a dump of sacct (sacct -P)",
                                     .recognises = is_header,
                                     .state_size = sizeof(sacct_state),
                                     .line = read_line};
