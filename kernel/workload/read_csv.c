/* CSV logs: Mira's job log and plain CSV. libcsv does the syntax, in its strict mode.
 *
 * libcsv keeps on malloc: its memory hooks have no user pointer, and it holds nothing but the text
 * of the field being read. It is fed line by line, which is what makes the line numbers right: it
 * does not tell where in its input it calls back. */
#include "reader_internal.h"
#include "workload/select.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A longer field is a sign that a closing quote is missing; a header of more columns is not one. */
enum { LONGEST_FIELD = 1 << 20, MOST_COLUMNS = 4096 };

enum { MIRA_PROCS = 49152 };

typedef enum column_role {
    ROLE_NONE, /* ignored */
    ROLE_ID,
    ROLE_SUBMIT,    /* seconds */
    ROLE_TIMESTAMP, /* the same as calendar time */
    ROLE_PROCS,
    ROLE_PROCS_ELSE, /* where ROLE_PROCS is unknown */
    ROLE_TIME,
    ROLE_WALLTIME,
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
};

static const known_column plain_columns[] = {
    {"id", ROLE_ID, true},          {"procs", ROLE_PROCS, true},        {"time", ROLE_TIME, true},
    {"submit", ROLE_SUBMIT, false}, {"walltime", ROLE_WALLTIME, false},
};

static const dialect mira = {"Mira's job log", mira_columns, 6};
static const dialect plain = {"a plain CSV log", plain_columns, 5};

/* What is known of the row being read. An unknown number is NaN, an unknown count 0. */
typedef struct csv_row {
    double submit, time, walltime;
    int64_t timestamp;
    bool has_timestamp;
    int32_t procs, procs_else;
    size_t id_size; /* 0: no id */
} csv_row;

typedef struct csv_state {
    orr_read_context *context;
    struct csv_parser parser;
    const dialect *dialect; /* NULL while the header is read */

    unsigned char *roles; /* by column */
    char *names;          /* of the columns, zero-terminated, one behind the other */
    size_t names_size, names_capacity;
    int32_t columns;
    int32_t place[ROLES]; /* column of each role, -1 where there is none */

    int32_t column;   /* of the field that comes next, from 0 */
    int64_t row_line; /* where the row begins */
    bool in_row;
    bool carriage; /* the last byte was a carriage return, a line end unless a newline follows */
    csv_row row;
    char *id;
    size_t id_capacity;
    int64_t *timestamps;        /* microseconds, by job; NULL outside Mira's log */
    size_t timestamps_capacity; /* bytes */

    orr_status status; /* callbacks return nothing: what went wrong in them */
    orr_error *err;
} csv_state;

/* --- messages ----------------------------------------------------------------------------------*/

static const char *column_name(const csv_state *csv, int32_t column)
{
    const char *name = csv->names;
    while (column-- > 0)
        name += strlen(name) + 1;
    return name;
}

static void fail_row(csv_state *csv, const char *message)
{
    csv->status = orr_fail(csv->err, ORR_ERR_INPUT, "%s:%lld: %s", csv->context->name,
                           (long long)csv->row_line, message);
}

static void fail_field(csv_state *csv, const char *expected, const char *text, size_t size)
{
    char found[ORR_QUOTED_SIZE], name[ORR_QUOTED_SIZE], message[3 * ORR_QUOTED_SIZE];
    const char *heading = column_name(csv, csv->column);
    size_t length = strlen(heading);
    snprintf(name, sizeof name, "%.*s", length > 64 ? 64 : (int)length, heading);
    snprintf(message, sizeof message, "column %d (%s): expected %s, found %s", (int)csv->column + 1,
             name, expected, orr_quote(text, size, found));
    fail_row(csv, message);
}

/* Appends text to a message that may be too long. */
static size_t append(char *message, size_t used, size_t size, const char *text)
{
    int n = snprintf(message + used, size - used, "%s", text);
    return used + (size_t)n < size ? used + (size_t)n : size - 1;
}

/* The names in the header, as many as fit into a message. */
static void list_columns(const csv_state *csv, char *list, size_t size)
{
    size_t used = 0;
    const char *name = csv->names;
    list[0] = '\0';
    for (int32_t i = 0; i < csv->columns && used < size - ORR_QUOTED_SIZE - 8; i++) {
        char quoted[ORR_QUOTED_SIZE];
        size_t length = strlen(name);
        orr_quote(name, length, quoted);
        if (length > 0) /* without its quotes */
            quoted[strlen(quoted) - 1] = '\0';
        used = append(list, used, size, i == 0 ? "" : ", ");
        used = append(list, used, size, length == 0 ? "(no name)" : quoted + 1);
        name += length + 1;
        if (i + 1 < csv->columns && used >= size - ORR_QUOTED_SIZE - 8)
            used = append(list, used, size, ", ...");
    }
}

/* --- the header --------------------------------------------------------------------------------*/

static void header_field(csv_state *csv, const char *text, size_t size)
{
    if (csv->column >= MOST_COLUMNS) {
        fail_row(csv, "not a job log: a first line of more than 4096 fields");
        return;
    }
    const char *name = csv->names;
    for (int32_t i = 0; i < csv->column; i++, name += strlen(name) + 1) {
        if (size > 0 && strlen(name) == size && memcmp(name, text, size) == 0) {
            char quoted[ORR_QUOTED_SIZE], message[2 * ORR_QUOTED_SIZE];
            snprintf(message, sizeof message, "columns %d and %d have the same name, %s",
                     (int)i + 1, (int)csv->column + 1, orr_quote(text, size, quoted));
            fail_row(csv, message);
            return;
        }
    }
    csv->status = orr_reserve(&csv->context->alloc, &csv->names, &csv->names_capacity,
                              csv->names_size + size + 1, csv->err);
    if (csv->status != ORR_OK)
        return;
    memcpy(csv->names + csv->names_size, text, size);
    csv->names[csv->names_size + size] = '\0';
    csv->names_size += size + 1;
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
    const char *name = csv->names;
    *known = *required = 0;
    for (int32_t i = 0; i < csv->columns; i++, name += strlen(name) + 1) {
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
    char message[ORR_MESSAGE_SIZE], list[600];
    list_columns(csv, list, sizeof list);
    snprintf(message, sizeof message,
             "not a job log: expected Mira's CSV (columns QUEUED_TIMESTAMP, RUNTIME_SECONDS, "
             "NODES_USED), plain CSV (columns id, procs, time) or the Standard Workload Format; "
             "the first line has: %s",
             list);
    fail_row(csv, message);
}

static void fail_missing(csv_state *csv, const char *missing)
{
    char message[ORR_MESSAGE_SIZE], list[1200];
    list_columns(csv, list, sizeof list);
    snprintf(message, sizeof message, "column %s is missing in what looks like %s; there are: %s",
             missing, csv->dialect->title, list);
    fail_row(csv, message);
}

static void check_required(csv_state *csv)
{
    for (int i = 0; i < csv->dialect->count && csv->status == ORR_OK; i++) {
        const known_column *known = &csv->dialect->columns[i];
        if (known->required && csv->place[known->role] < 0)
            fail_missing(csv, known->name);
    }
    if (csv->status == ORR_OK && csv->place[ROLE_PROCS] < 0 && csv->place[ROLE_PROCS_ELSE] < 0)
        fail_missing(csv, "NODES_USED (or NODES_REQUESTED)");
}

static void end_header(csv_state *csv)
{
    csv->columns = csv->column;
    csv->dialect = dialect_of(csv);
    if (csv->dialect == NULL) {
        fail_unknown_format(csv);
        return;
    }
    csv->roles = orr_calloc(&csv->context->alloc, (size_t)csv->columns, 1);
    if (csv->roles == NULL) {
        csv->status = orr_fail_memory(csv->err, (size_t)csv->columns);
        return;
    }
    const char *name = csv->names;
    for (int32_t i = 0; i < csv->columns; i++, name += strlen(name) + 1) {
        const known_column *known = find_column(csv->dialect, name);
        if (known == NULL)
            continue;
        csv->roles[i] = (unsigned char)known->role;
        csv->place[known->role] = i;
    }
    if (csv->dialect == &mira)
        csv->context->jobs->machine_procs = MIRA_PROCS;
    check_required(csv);
}

/* --- fields ------------------------------------------------------------------------------------*/

static void read_seconds(csv_state *csv, const char *text, size_t size, double *seconds)
{
    if (size == 0)
        return;
    if (!orr_parse_number(text, size, seconds))
        fail_field(csv, "a number of seconds", text, size);
    else if (*seconds < 0)
        fail_field(csv, "a number of seconds >= 0", text, size);
}

/* In Mira's log a job that never got its nodes has used 0. */
static void read_procs(csv_state *csv, const char *text, size_t size, int32_t *procs)
{
    if (size == 0)
        return;
    double value, least = csv->dialect == &mira ? 0 : 1;
    if (!orr_parse_number(text, size, &value) || value != floor(value))
        fail_field(csv, "a whole number of processors", text, size);
    else if (value < least || value > INT32_MAX)
        fail_field(csv,
                   least > 0 ? "a number of processors from 1 to 2147483647"
                             : "a number of processors from 0 to 2147483647",
                   text, size);
    else
        *procs = (int32_t)value;
}

/* Seconds must be there: half a timestamp is a sign of a file that was cut. */
static void read_timestamp(csv_state *csv, const char *text, size_t size)
{
    if (size == 0)
        return;
    csv->row.has_timestamp = true;
    if (size < 19 || !orr_utc_parse(text, size, &csv->row.timestamp))
        fail_field(csv, "a time as YYYY-MM-DD HH:MM:SS", text, size);
}

static void read_id(csv_state *csv, const char *text, size_t size)
{
    if (size == 0 && csv->dialect == &plain) {
        fail_field(csv, "the id of a job", text, size);
        return;
    }
    csv->status =
        orr_reserve(&csv->context->alloc, &csv->id, &csv->id_capacity, size + 1, csv->err);
    if (csv->status != ORR_OK)
        return;
    memcpy(csv->id, text, size);
    csv->id[size] = '\0';
    csv->row.id_size = size;
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
        read_timestamp(csv, text, size);
        break;
    case ROLE_PROCS:
        read_procs(csv, text, size, &csv->row.procs);
        break;
    case ROLE_PROCS_ELSE:
        read_procs(csv, text, size, &csv->row.procs_else);
        break;
    case ROLE_TIME:
        read_seconds(csv, text, size, &csv->row.time);
        break;
    case ROLE_WALLTIME:
        read_seconds(csv, text, size, &csv->row.walltime);
        break;
    case ROLE_NONE:
    case ROLES:
        break;
    }
}

static void begin_row(csv_state *csv)
{
    csv->in_row = true;
    csv->row_line = csv->context->line + 1;
    csv->column = 0;
    csv->row.submit = csv->row.time = csv->row.walltime = NAN;
    csv->row.has_timestamp = false;
    csv->row.procs = csv->row.procs_else = 0;
    csv->row.id_size = 0;
}

static void on_field(void *text, size_t size, void *user)
{
    csv_state *csv = user;
    if (!csv->in_row)
        begin_row(csv);
    if (csv->status != ORR_OK)
        return;
    if (size > LONGEST_FIELD)
        fail_row(csv, "a field of more than 1 MiB: a closing quote is missing");
    else if (csv->dialect == NULL)
        header_field(csv, text, size);
    else if (csv->column < csv->columns && csv->roles[csv->column] != ROLE_NONE)
        read_role(csv, csv->roles[csv->column], text, size);
    csv->column++;
}

/* --- rows --------------------------------------------------------------------------------------*/

static void drop(csv_state *csv, orr_drop_reason reason)
{
    csv->status = orr_jobs_add_dropped(csv->context->jobs, csv->row_line,
                                       csv->row.id_size > 0 ? csv->id : NULL, reason, csv->err);
}

static orr_status keep_timestamp(csv_state *csv)
{
    size_t job = (size_t)csv->context->jobs->count;
    char *block = (char *)csv->timestamps;
    orr_status status = orr_reserve(&csv->context->alloc, &block, &csv->timestamps_capacity,
                                    (job + 1) * sizeof *csv->timestamps, csv->err);
    csv->timestamps = (int64_t *)(void *)block;
    if (status == ORR_OK)
        csv->timestamps[job] = csv->row.timestamp;
    return status;
}

static void add_job(csv_state *csv, int32_t procs)
{
    const csv_row *row = &csv->row;
    double submit = isnan(row->submit) ? 0 : row->submit;
    if (csv->place[ROLE_TIMESTAMP] >= 0)
        csv->status = keep_timestamp(csv);
    if (csv->status == ORR_OK)
        csv->status = orr_jobs_add(csv->context->jobs, row->id_size > 0 ? csv->id : NULL, submit,
                                   procs, row->time, row->walltime, csv->err);
}

static void end_record(csv_state *csv)
{
    if (csv->column != csv->columns) {
        char message[100];
        snprintf(message, sizeof message, "expected %d fields as in the header, found %d",
                 (int)csv->columns, (int)csv->column);
        fail_row(csv, message);
        return;
    }
    const csv_row *row = &csv->row;
    int32_t procs = row->procs > 0 ? row->procs : row->procs_else;
    bool submitted = csv->place[ROLE_TIMESTAMP] >= 0
                         ? row->has_timestamp
                         : csv->place[ROLE_SUBMIT] < 0 || !isnan(row->submit);
    if (isnan(row->time))
        drop(csv, ORR_DROP_NO_RUNTIME);
    else if (procs == 0)
        drop(csv, ORR_DROP_NO_PROCS);
    else if (!submitted)
        drop(csv, ORR_DROP_NO_SUBMISSION);
    else
        add_job(csv, procs);
}

/* Called for empty lines too, which are no rows. */
static void on_row(int end, void *user)
{
    csv_state *csv = user;
    (void)end;
    if (!csv->in_row)
        return;
    csv->in_row = false;
    if (csv->status != ORR_OK)
        return;
    if (csv->dialect == NULL)
        end_header(csv);
    else
        end_record(csv);
}

/* --- feeding -----------------------------------------------------------------------------------*/

static orr_status fail_syntax(csv_state *csv)
{
    if (!csv->in_row)
        begin_row(csv);
    if (csv_error(&csv->parser) != CSV_EPARSE)
        return orr_fail_memory(csv->err, csv_get_buffer_size(&csv->parser) + LONGEST_FIELD);
    char message[120];
    snprintf(
        message, sizeof message,
        "column %d: a quote (\") inside a field without quotes, or text behind a closing quote",
        (int)csv->column + 1);
    fail_row(csv, message);
    return csv->status;
}

/* A row begins where its first byte is fed, which may be lines before its first field ends. */
static void note_row(csv_state *csv, const char *bytes, size_t size)
{
    if (csv->in_row)
        return;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n') {
            begin_row(csv);
            return;
        }
    }
}

/* Feeds bytes of one line, its end included when it is there. */
static orr_status feed_line(csv_state *csv, const char *bytes, size_t size)
{
    note_row(csv, bytes, size);
    size_t done = csv_parse(&csv->parser, bytes, size, on_field, on_row, csv);
    if (csv->status == ORR_OK && csv->in_row && csv->parser.entry_pos > LONGEST_FIELD)
        fail_row(csv, "a field of more than 1 MiB: a closing quote is missing");
    if (csv->status == ORR_OK && done != size)
        fail_syntax(csv);
    return csv->status;
}

/* The bytes up to the next end of a line: a newline or a carriage return. */
static size_t line_piece(const char *bytes, size_t size, bool carriages)
{
    const char *newline = memchr(bytes, '\n', size);
    size_t piece = newline == NULL ? size : (size_t)(newline - bytes) + 1;
    const char *carriage = carriages ? memchr(bytes, '\r', piece) : NULL;
    if (carriage != NULL && (newline == NULL || carriage + 1 != newline))
        piece = (size_t)(carriage - bytes) + 1;
    return piece;
}

static orr_status csv_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    csv_state *csv = state;
    csv->err = err;
    bool carriages = memchr(bytes, '\r', size) != NULL;
    while (size > 0) {
        size_t piece = line_piece(bytes, size, carriages);
        if (csv->carriage && bytes[0] != '\n')
            csv->context->line++;
        orr_status status = feed_line(csv, bytes, piece);
        if (status != ORR_OK)
            return status;
        csv->context->line += bytes[piece - 1] == '\n';
        csv->carriage = bytes[piece - 1] == '\r';
        bytes += piece;
        size -= piece;
    }
    return ORR_OK;
}

/* The log's second 0 is its first queued job, exactly to the microsecond. */
static void rebase(csv_state *csv)
{
    orr_jobs *jobs = csv->context->jobs;
    if (csv->timestamps == NULL || jobs->count == 0)
        return;
    int64_t first = csv->timestamps[0];
    for (int32_t job = 1; job < jobs->count; job++)
        first = csv->timestamps[job] < first ? csv->timestamps[job] : first;
    for (int32_t job = 0; job < jobs->count; job++)
        jobs->submit[job] = (double)(csv->timestamps[job] - first) / 1e6;
    jobs->origin_us = first;
    jobs->has_origin = jobs->rebased = true;
}

static orr_status csv_finish(void *state, orr_error *err)
{
    csv_state *csv = state;
    csv->err = err;
    if (csv_fini(&csv->parser, on_field, on_row, csv) != 0 && csv->status == ORR_OK) {
        if (csv_error(&csv->parser) == CSV_EPARSE)
            fail_row(csv, "a quoted field of the row that begins here is not closed");
        else
            csv->status = orr_fail_memory(csv->err, csv_get_buffer_size(&csv->parser));
    }
    if (csv->status == ORR_OK)
        rebase(csv);
    return csv->status;
}

static void csv_close(void *state)
{
    csv_state *csv = state;
    orr_allocator alloc = csv->context->alloc;
    csv_free(&csv->parser);
    orr_release(&alloc, csv->roles, (size_t)csv->columns);
    orr_release(&alloc, csv->names, csv->names_capacity);
    orr_release(&alloc, csv->id, csv->id_capacity);
    orr_release(&alloc, csv->timestamps, csv->timestamps_capacity);
    orr_release(&alloc, csv, sizeof *csv);
}

static void *csv_open(orr_read_context *context, orr_error *err)
{
    csv_state *csv = orr_calloc(&context->alloc, 1, sizeof *csv);
    if (csv == NULL) {
        orr_fail_memory(err, sizeof *csv);
        return NULL;
    }
    csv->context = context;
    for (int i = 0; i < ROLES; i++)
        csv->place[i] = -1;
    csv_init(&csv->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    return csv;
}

const orr_format orr_format_csv = {csv_open, csv_feed, csv_finish, csv_close};
