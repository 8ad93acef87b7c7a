/* CSV logs: Mira's job log and plain CSV. */
#include "reader_internal.h"
#include "rows_internal.h"
#include "workload/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A first row of more fields is no header of a log. */
enum { MOST_COLUMNS = 4096 };

enum { MIRA_PROCS = 49152 };

typedef enum column_role {
    ROLE_NONE, /* ignored */
    ROLE_ID,
    ROLE_SUBMIT,    /* seconds */
    ROLE_TIMESTAMP, /* the same as calendar time */
    ROLE_STARTED,
    ROLE_PROCS,
    ROLE_PROCS_ELSE, /* where ROLE_PROCS is unknown */
    ROLE_TIME,
    ROLE_WALLTIME,
    ROLE_USER, /* labels, in the order of orr_label */
    ROLE_QUEUE,
    ROLE_PARTITION,
    ROLE_STATUS,
    ROLE_EXIT,      /* a status as the number that the job ended with */
    ROLE_EXIT_ELSE, /* where ROLE_EXIT is unknown */
    ROLES
} column_role;

typedef struct known_column {
    const char *name;
    column_role role;
    bool required;
} known_column;

typedef struct dialect {
    const char *title;
    const known_column *columns;
    int count;
} dialect;

static const known_column mira_columns[] = {
    {"QUEUED_TIMESTAMP", ROLE_TIMESTAMP, true}, {"RUNTIME_SECONDS", ROLE_TIME, true},
    {"NODES_USED", ROLE_PROCS, false},          {"NODES_REQUESTED", ROLE_PROCS_ELSE, false},
    {"WALLTIME_SECONDS", ROLE_WALLTIME, false}, {"COBALT_JOBID", ROLE_ID, false},
    {"USERNAME_GENID", ROLE_USER, false},       {"QUEUE_NAME", ROLE_QUEUE, false},
    {"EXIT_STATUS", ROLE_EXIT, false},          {"EXIT_CODE", ROLE_EXIT_ELSE, false},
    {"START_TIMESTAMP", ROLE_STARTED, false},
};

static const known_column plain_columns[] = {
    {"id", ROLE_ID, true},
    {"procs", ROLE_PROCS, true},
    {"time", ROLE_TIME, true},
    {"submit", ROLE_SUBMIT, false},
    {"walltime", ROLE_WALLTIME, false},
    {"user", ROLE_USER, false},
    {"queue", ROLE_QUEUE, false},
    {"status", ROLE_STATUS, false},
    {"partition", ROLE_PARTITION, false},
};

static const dialect mira = {"Mira's job log", mira_columns, 11};
static const dialect plain = {"a plain CSV log", plain_columns, 9};

typedef struct csv_state {
    ori_read_context *context;
    ori_rows rows;
    const dialect *dialect; /* NULL while the header is read */

    unsigned char *roles; /* by column */
    int32_t place[ROLES]; /* column of each role, -1 where there is none */

    ori_record row;
    int32_t procs_else;
    int64_t started; /* microseconds since 1970 */
    bool has_started;
    char *id;
    size_t id_capacity;
} csv_state;

/* --- the header --------------------------------------------------------------------------------*/

static void check_names(csv_state *csv)
{
    const char *name = csv->rows.names;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1) {
        const char *other = csv->rows.names;
        for (int32_t k = 0; k < i && *name != '\0'; k++, other += strlen(other) + 1) {
            char quoted[ORI_QUOTED_SIZE];
            if (strcmp(name, other) != 0)
                continue;
            ori_rows_fail(&csv->rows, "columns %d and %d have the same name, %s", (int)k + 1,
                          (int)i + 1, ori_quote(name, strlen(name), quoted));
            return;
        }
    }
}

static const known_column *find_column(const dialect *d, const char *name)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->columns[i].name, name) == 0)
            return &d->columns[i];
    return NULL;
}

/* How many columns of a dialect the header has. */
static void count_columns(const csv_state *csv, const dialect *d, int *known, int *required)
{
    const char *name = csv->rows.names;
    *known = *required = 0;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1) {
        const known_column *column = find_column(d, name);
        *known += column != NULL;
        *required += column != NULL && column->required;
    }
}

/* The dialect whose required columns are all there; failing that, the one that was probably meant,
 * so that the message can name what is missing. */
static const dialect *dialect_of(const csv_state *csv)
{
    int known_mira, required_mira, known_plain, required_plain;
    count_columns(csv, &mira, &known_mira, &required_mira);
    count_columns(csv, &plain, &known_plain, &required_plain);
    if (required_mira == 2)
        return &mira;
    if (required_plain == 3)
        return &plain;
    if (known_mira > 0)
        return &mira;
    return known_plain > 0 ? &plain : NULL;
}

static void fail_unknown_format(csv_state *csv)
{
    char list[600];
    ori_rows_list(&csv->rows, list, sizeof list);
    ori_rows_fail(&csv->rows,
                  "not a job log: expected Mira's CSV (columns QUEUED_TIMESTAMP, RUNTIME_SECONDS, "
                  "NODES_USED), plain CSV (columns id, procs, time), a dump of sacct (sacct -P), "
                  "Batsim's JSON or the Standard Workload Format; the first line has: %s",
                  list);
}

static void fail_missing(csv_state *csv, const char *missing)
{
    char list[1200];
    ori_rows_list(&csv->rows, list, sizeof list);
    ori_rows_fail(&csv->rows, "column %s is missing in what looks like %s; there are: %s", missing,
                  csv->dialect->title, list);
}

static void check_required(csv_state *csv)
{
    for (int i = 0; i < csv->dialect->count && csv->rows.status == ORR_OK; i++) {
        const known_column *known = &csv->dialect->columns[i];
        if (known->required && csv->place[known->role] < 0)
            fail_missing(csv, known->name);
    }
    if (csv->rows.status == ORR_OK && csv->place[ROLE_PROCS] < 0 && csv->place[ROLE_PROCS_ELSE] < 0)
        fail_missing(csv, "NODES_USED (or NODES_REQUESTED)");
}

/* Mira's log has many columns that say nothing of a workload; in a plain CSV one is a slip. */
static void note_ignored(const csv_state *csv, const char *name)
{
    char *list = csv->context->jobs->ignored;
    size_t used = strlen(list), room = sizeof csv->context->jobs->ignored - used;
    if (csv->dialect != &plain || strlen(name) + 3 > room)
        return;
    snprintf(list + used, room, "%s%s", used > 0 ? ", " : "", *name != '\0' ? name : "(no name)");
}

static void on_header(void *user)
{
    csv_state *csv = user;
    check_names(csv);
    if (csv->rows.status != ORR_OK)
        return;
    csv->dialect = dialect_of(csv);
    if (csv->dialect == NULL) {
        fail_unknown_format(csv);
        return;
    }
    csv->roles = orr_calloc(&csv->context->alloc, (size_t)csv->rows.columns, 1);
    if (csv->roles == NULL) {
        csv->rows.status = orr_fail_memory(csv->rows.err, (size_t)csv->rows.columns);
        return;
    }
    const char *name = csv->rows.names;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1) {
        const known_column *known = find_column(csv->dialect, name);
        if (known == NULL) {
            note_ignored(csv, name);
            continue;
        }
        csv->roles[i] = (unsigned char)known->role;
        csv->place[known->role] = i;
    }
    if (csv->dialect == &mira)
        csv->context->jobs->machine_procs = csv->context->machine_procs = MIRA_PROCS;
    check_required(csv);
}

/* --- fields ------------------------------------------------------------------------------------*/

static void read_seconds(csv_state *csv, const char *text, size_t size, double *seconds)
{
    if (size == 0)
        return;
    if (!ori_parse_number(text, size, seconds))
        ori_rows_fail_field(&csv->rows, "a number of seconds", text, size);
    else if (*seconds < 0)
        ori_rows_fail_field(&csv->rows, "a number of seconds >= 0", text, size);
}

/* In Mira's log a job that never got its nodes has used 0. */
static void read_procs(csv_state *csv, const char *text, size_t size, int32_t *procs)
{
    if (size == 0)
        return;
    double value, least = csv->dialect == &mira ? 0 : 1;
    if (!ori_parse_number(text, size, &value) || value != floor(value))
        ori_rows_fail_field(&csv->rows, "a whole number of processors", text, size);
    else if (value < least || value > INT32_MAX)
        ori_rows_fail_field(&csv->rows,
                            least > 0 ? "a number of processors from 1 to 2147483647"
                                      : "a number of processors from 0 to 2147483647",
                            text, size);
    else
        *procs = (int32_t)value;
}

/* Seconds must be there: half a timestamp is a sign of a file that was cut. */
static void read_timestamp(csv_state *csv, const char *text, size_t size, bool *known,
                           int64_t *timestamp)
{
    if (size == 0)
        return;
    *known = true;
    if (size < 19 || !orr_utc_parse(text, size, timestamp))
        ori_rows_fail_field(&csv->rows, "a time as YYYY-MM-DD HH:MM:SS", text, size);
}

static void read_id(csv_state *csv, const char *text, size_t size)
{
    if (size == 0 && csv->dialect == &plain) {
        ori_rows_fail_field(&csv->rows, "the id of a job", text, size);
        return;
    }
    csv->rows.status =
        ori_reserve(&csv->context->alloc, &csv->id, &csv->id_capacity, size + 1, csv->rows.err);
    if (csv->rows.status != ORR_OK)
        return;
    memcpy(csv->id, text, size);
    csv->id[size] = '\0';
}

static void read_label(csv_state *csv, orr_label kind, const char *text, size_t size)
{
    csv->rows.status = orr_labels_number(&csv->context->jobs->names, text, size,
                                         &csv->row.label[kind], csv->rows.err);
}

/* What a job ended with: 0 is success; words stay as they are. */
static void read_exit(csv_state *csv, const char *text, size_t size)
{
    double value;
    if (size == 0)
        return;
    if (ori_parse_number(text, size, &value)) {
        text = value == 0 ? ORR_STATUS_COMPLETED : ORR_STATUS_FAILED;
        size = strlen(text);
    }
    read_label(csv, ORR_LABEL_STATUS, text, size);
}

static void read_role(csv_state *csv, column_role role, const char *text, size_t size)
{
    switch (role) {
    case ROLE_ID:
        read_id(csv, text, size);
        break;
    case ROLE_SUBMIT:
        read_seconds(csv, text, size, &csv->row.submit);
        break;
    case ROLE_TIMESTAMP:
        read_timestamp(csv, text, size, &csv->row.has_timestamp, &csv->row.timestamp);
        break;
    case ROLE_STARTED:
        read_timestamp(csv, text, size, &csv->has_started, &csv->started);
        break;
    case ROLE_PROCS:
        read_procs(csv, text, size, &csv->row.procs);
        break;
    case ROLE_PROCS_ELSE:
        read_procs(csv, text, size, &csv->procs_else);
        break;
    case ROLE_TIME:
        read_seconds(csv, text, size, &csv->row.time);
        break;
    case ROLE_WALLTIME:
        read_seconds(csv, text, size, &csv->row.walltime);
        break;
    case ROLE_USER:
    case ROLE_QUEUE:
    case ROLE_PARTITION:
    case ROLE_STATUS:
        read_label(csv, (orr_label)(role - ROLE_USER), text, size);
        break;
    case ROLE_EXIT:
        read_exit(csv, text, size);
        break;
    case ROLE_EXIT_ELSE:
        if (csv->row.label[ORR_LABEL_STATUS] == 0)
            read_exit(csv, text, size);
        break;
    case ROLE_NONE:
    case ROLES:
        break;
    }
}

static void clear_row(csv_state *csv)
{
    ori_record_clear(&csv->row);
    csv->row.calendar = csv->place[ROLE_TIMESTAMP] >= 0;
    csv->procs_else = 0;
    csv->has_started = false;
}

static void on_field(void *user, const char *text, size_t size)
{
    csv_state *csv = user;
    if (csv->rows.column == 0)
        clear_row(csv);
    read_role(csv, csv->roles[csv->rows.column], text, size);
}

/* --- rows --------------------------------------------------------------------------------------*/

static void fail_wide(csv_state *csv, column_role role)
{
    char number[16];
    int size = snprintf(number, sizeof number, "%d", (int)csv->row.procs);
    csv->rows.column = csv->place[role];
    ori_rows_fail_field(&csv->rows, "at most the 49152 processors of Mira", number, (size_t)size);
}

static void on_row(void *user)
{
    csv_state *csv = user;
    ori_record *row = &csv->row;
    row->line = csv->rows.row_line;
    row->id = csv->place[ROLE_ID] >= 0 ? csv->id : "";
    bool used = row->procs > 0;
    if (!used)
        row->procs = csv->procs_else;
    if (!row->calendar && csv->place[ROLE_SUBMIT] < 0)
        row->submit = 0;
    if (row->has_timestamp && csv->has_started && csv->started >= row->timestamp)
        row->wait = (double)(csv->started - row->timestamp) / 1e6;
    if (ori_read_is_too_wide(csv->context, row))
        fail_wide(csv, used ? ROLE_PROCS : ROLE_PROCS_ELSE);
    else
        csv->rows.status = ori_read_add(csv->context, row, csv->rows.err);
}

/* --- the format --------------------------------------------------------------------------------*/

static orr_status csv_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    csv_state *csv = state;
    return ori_rows_feed(&csv->rows, bytes, size, err);
}

static orr_status csv_finish(void *state, orr_error *err)
{
    csv_state *csv = state;
    return ori_rows_finish(&csv->rows, err);
}

static void csv_close(void *state)
{
    csv_state *csv = state;
    orr_allocator alloc = csv->context->alloc;
    if (csv->roles != NULL)
        orr_release(&alloc, csv->roles, (size_t)csv->rows.columns);
    ori_rows_close(&csv->rows);
    orr_release(&alloc, csv->id, csv->id_capacity);
    orr_release(&alloc, csv, sizeof *csv);
}

static void *csv_open(ori_read_context *context, orr_error *err)
{
    static const ori_row_handlers handlers = {on_header, on_field, on_row};
    csv_state *csv = orr_calloc(&context->alloc, 1, sizeof *csv);
    if (csv == NULL) {
        orr_fail_memory(err, sizeof *csv);
        return NULL;
    }
    csv->context = context;
    csv->rows = (ori_rows){.alloc = context->alloc,
                           .path = context->name,
                           .what = "a job log",
                           .line = &context->line,
                           .most_columns = MOST_COLUMNS,
                           .handlers = &handlers,
                           .user = csv};
    for (int i = 0; i < ROLES; i++)
        csv->place[i] = -1;
    ori_rows_open(&csv->rows);
    return csv;
}

const ori_format ori_format_csv = {csv_open, csv_feed, csv_finish, csv_close};
