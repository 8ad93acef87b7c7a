/* Dumps of Slurm's accounting, `sacct -P`: a header of column names and rows, separated by bars or
 * by the text of --delimiter, without quotes; a row for every job, and rows for its steps. Without
 * -P the columns are padded with blanks, and a line of dashes under the header gives their widths;
 * sacct cuts off longer fields and marks them with a plus.
 *
 * sacct does not escape a delimiter inside a text, such as a job's name. A row with too many fields
 * is repaired if only one way exists: texts take the additional fields, and all other columns must
 * hold an allowed value. */
#include "formats_internal.h"
#include "map_internal.h"
#include "slurm_internal.h"

#include "base/block_internal.h"
#include "base/try_internal.h"
#include "workload/utc_internal.h"

#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 1024 };

/* --- columns -----------------------------------------------------------------------------------*/

static const char *const unknown[] = {"Unknown", "None", NULL};
static const char *const no_limit[] = {"Unknown", "None", "UNLIMITED", "Partition_Limit", NULL};

#define STAMP "a time as YYYY-MM-DDTHH:MM:SS, or Unknown"
#define DURATION "a duration as [days-]hours:minutes:seconds"
#define COUNT "a whole number from 0 to 2147483647"

static const ori_type id = {ori_read_id, "the id of a job", .least = 1, .most = 63};
/* A time as the clock shows it, or with SLURM_TIME_FORMAT=%s in seconds since 1970, 0 for never. */
static orr_status read_stamp(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    ori_stamp *time = ori_column_at(column, row);
    double seconds;
    if (size >= 5 && text[4] == '-') {
        time->local = true;
        return ori_read_stamp(column, text, size, row, expected, err);
    }
    if (!ori_parse_number(text, size, &seconds) || !(seconds >= 0 && seconds < 9e12))
        return ORR_ERR_INPUT;
    *time = (ori_stamp){.known = seconds > 0, .us = llround(seconds * 1e6)};
    return ORR_OK;
}

static const ori_type stamp = {read_stamp, STAMP, .unknown = unknown};
static const ori_type seconds = {ori_read_number, "a number of seconds", unknown, .most = INFINITY};
static const ori_type duration = {ori_read_duration, DURATION, .unknown = unknown};
static const ori_type minutes = {ori_read_number, "a number of minutes", no_limit, .most = INFINITY,
                                 .unit = 60};
static const ori_type limit = {ori_read_duration, DURATION, .unknown = no_limit};
static const ori_type count = {ori_read_number, COUNT, unknown, .most = INT32_MAX, .whole = true};

/* What a job asks for; more: the prefix of names in lists of "gpu:2", NULL for "gres/gpu=2". */
static orr_status read_list(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    const char *prefix = column->type->more;
    (void)expected, (void)err;
    ori_slurm_ask(row, text, size, prefix ? ':' : '=', prefix ? prefix : "");
    return ORR_OK;
}

/* "4G", of "4Gn" each node's, of "4Gc" each processor's. */
static orr_status read_memory(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    ori_record *record = row;
    int32_t pool = record->needs ? orr_jobs_find_pool(record->asking, "mem") : -1;
    double amount;
    int slot = text[size - 1] == 'n' ? ORI_PER_NODE : text[size - 1] == 'c' ? ORI_PER_PROC : 0;
    (void)column, (void)expected, (void)err;
    if (pool >= 0 && ori_parse_amount(text, size - (slot > 0), 1 << 20, &amount) &&
        ori_record_need(record, "mem", 3, slot, amount))
        return ORR_OK;
    if ((unsigned)*text - '1' < 9 && !(pool >= 0 && record->needs[pool] > 0)) /* AllocTRES has it */
        ori_record_ask(row, "memory", strlen("memory"), NAN);
    return ORR_OK;
}

static const ori_type trackable = {read_list, .unknown = unknown};
static const ori_type generic = {read_list, .unknown = unknown, .more = "gres/"};
static const ori_type licenses = {read_list, .unknown = unknown, .more = "license/"};
static const ori_type memory = {read_memory, .unknown = unknown};

/* Read by slurm.c. */
static const ori_type dependency = {.unknown = unknown};

/* In the order in which a row is read. A state is converted first: see read_state. */
enum { ID, ID_INSTEAD, SUBMIT, ELIGIBLE, START, END, ELAPSED, ELAPSED_INSTEAD, SUSPENDED, CPUS };
enum { CPUS_ELSE = CPUS + 3, NODES, NODES_ELSE = NODES + 2, LIMIT, LIMIT_INSTEAD, STATE };
enum { DEPENDENCY = STATE + 5, SUBMIT_LINE, JOB_NAME, ASKED, COLUMNS = ASKED + 12 };
enum { OTHERWISE = COLUMNS - 2 };
_Static_assert((int)COLUMNS <= (int)ORI_MOST_KNOWN, "a table has room for all");

static const ori_column columns[COLUMNS] = {
    {"JobIDRaw", &id, ORI_RECORD(id), ORI_OPTIONAL},
    {"JobID", &id, ORI_RECORD(id), ORI_OPTIONAL}, /* instead, see read_id */
    {"Submit", &stamp, ORI_RECORD(submitted), ORI_OPTIONAL},
    {"Eligible", &stamp, ORI_RECORD(eligible), ORI_OPTIONAL},
    {"Start", &stamp, ORI_RECORD(started), ORI_OPTIONAL},
    {"End", &stamp, ORI_RECORD(ended), ORI_OPTIONAL},
    {"ElapsedRaw", &seconds, ORI_RECORD(time), ORI_OPTIONAL},
    {"Elapsed", &duration, ORI_RECORD(time), ORI_INSTEAD},
    {"Suspended", &duration, ORI_RECORD(suspended), ORI_OPTIONAL},
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
    {"Account", &ori_label_type, ORI_RECORD_LABEL(ACCOUNT), ORI_OPTIONAL},
    {"QOS", &ori_label_type, ORI_RECORD_LABEL(QOS), ORI_OPTIONAL},
    {"Partition", &ori_label_type, ORI_RECORD_LABEL(PARTITION), ORI_OPTIONAL},
    {"Dependency", &dependency, ORI_RECORD(after), ORI_OPTIONAL},
    {"SubmitLine", &dependency, ORI_RECORD(after), ORI_OPTIONAL},
    {"JobName", &dependency, ORI_RECORD(name), ORI_OPTIONAL},
    {"AllocTRES", &trackable, ORI_RECORD(ask), ORI_OPTIONAL},
    {"ReqTRES", &trackable, ORI_RECORD(ask), ORI_OPTIONAL},
    {"AllocGRES", &generic, ORI_RECORD(ask), ORI_OPTIONAL},
    {"ReqGRES", &generic, ORI_RECORD(ask), ORI_OPTIONAL},
    {"ReqMem", &memory, ORI_RECORD(ask), ORI_OPTIONAL},
    {"Licenses", &licenses, ORI_RECORD(ask), ORI_OPTIONAL},
    {"Constraints", &ori_stated_type, ORI_RECORD(ask), ORI_OPTIONAL},
    {"Reservation", &ori_stated_type, ORI_RECORD(ask), ORI_OPTIONAL},
    {"Features", &ori_stated_type, ORI_RECORD(ask), ORI_OPTIONAL},
    {"Priority", &ori_stated_type, ORI_RECORD(ask), ORI_OPTIONAL},
    /* Columns above that this dump does not use otherwise. */
    {"nodes", &ori_asked_type, ORI_RECORD(ask), ORI_OPTIONAL},
    {"dependencies", &ori_asked_type, ORI_RECORD(ask), ORI_OPTIONAL},
};

/* The allowed contents of a column's field, also for columns that are not read. */
enum { ANY, TEXT, WORD, DURATION_, NUMBER_, CODE, NOTHING, KNOWN };

static const struct other {
    const char *name;
    unsigned char kind;
} others[] = {
    {"JobName", TEXT},       {"SubmitLine", TEXT},
    {"Constraints", TEXT},   {"Comment", TEXT},
    {"AdminComment", TEXT},  {"SystemComment", TEXT},
    {"WorkDir", TEXT},       {"StdOut", TEXT},
    {"StdErr", TEXT},        {"StdIn", TEXT},
    {"Extra", TEXT},         {"Container", TEXT},
    {"Group", WORD},         {"Cluster", WORD},
    {"Planned", DURATION_},  {"Reserved", DURATION_},
    {"CPUTime", DURATION_},  {"PlannedCPU", DURATION_},
    {"CPUTimeRAW", NUMBER_}, {"UID", NUMBER_},
    {"GID", NUMBER_},        {"AllocNodes", NUMBER_},
    {"NTasks", NUMBER_},     {"Priority", NUMBER_},
    {"ExitCode", CODE},      {"DerivedExitCode", CODE},
    {"ReqTRES", WORD},       {"AllocTRES", WORD},
    {"", NOTHING},
};

/* What a text of a column asks for. Most texts of a dump are often the same. */
typedef struct known_text {
    unsigned char column, size, asks; /* size 0: none */
    char text[125];
    ori_use ask[ORI_MOST_ASKS];
} known_text;

typedef struct sacct_state {
    ori_read_context *context;
    int columns; /* of the header; 0: not read yet */
    ori_table table;
    char delimiter[8];
    size_t delimiter_size;
    unsigned char kind[MOST_COLUMNS]; /* of the columns of the file */
    bool padded;                      /* columns have widths, and no delimiter */
    int widths;                       /* of the line of dashes; 0: not read yet */
    int width[MOST_COLUMNS];          /* bytes */

    /* the row being read: one field for every known column, empty where the file has no such
     * column */
    ori_field field[COLUMNS + ORI_MOST_MAPPED];
    ori_layer layer; /* the caller's map: a column that only the layer has is known as COLUMNS and
                        its number there, from 1 */
    /* The last row's, where the next one often has the same: the state, as it is written and as a
     * word, the numbers of labels, and the day of a time, "2024-03-01T". */
    char said[ORI_SLURM_STATE_SIZE], state[ORI_SLURM_STATE_SIZE], day[11];
    size_t said_size, state_size;
    bool unfinished;
    int32_t label[DEPENDENCY - STATE];
    int64_t day_us;
    unsigned char plain[STATE], asked[COLUMNS - ASKED]; /* numbers and what is asked for: */
    int plain_count, asked_count;                       /* the columns that the dump has */
    int32_t memory;         /* its number among what jobs ask for, from 1; 0: not known */
    known_text known[1024]; /* by a hash */
} sacct_state;

/* --- the header --------------------------------------------------------------------------------*/

/* A field of a line, up to a delimiter or the end; returns the begin of the next field, NULL for
 * none. */
static const char *next_field(const char *field, const char *end, const char *delimiter,
                              size_t delimiter_size, size_t *size)
{
    const char *stop = field;
    while (field < end && (stop = memchr(stop, *delimiter, (size_t)(end - stop))) != NULL) {
        if (delimiter_size == 1 || ((size_t)(end - stop) >= delimiter_size &&
                                    memcmp(stop, delimiter, delimiter_size) == 0))
            break;
        stop++;
    }
    if (field >= end)
        stop = NULL;
    *size = (size_t)((stop ? stop : end) - field);
    return stop ? stop + delimiter_size : NULL;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Finds the delimiter behind the first name of a header; returns its size, 0 for none. */
static size_t find_delimiter(const char *line, size_t size, char delimiter[8])
{
    size_t begin = 0, n = 0;
    while (begin < size && is_of_name(line[begin]))
        begin++;
    while (begin + n < size && n < 8 && !is_of_name(line[begin + n]))
        n++;
    for (size_t i = 1; i < n; i++) /* repeated: empty names follow */
        if (n % i == 0 && memcmp(line + begin, line + begin + i, n - i) == 0)
            n = i;
    if (n == 8 || n == 0 || memchr(line + begin, ' ', n) || memchr(line + begin, '"', n))
        return 0;
    memcpy(delimiter, line + begin, n);
    return n;
}

static bool is_named(const char *field, size_t size, int column)
{
    return ori_column_find(columns + column, 1, field, size, true) == 0;
}

/* The end of a line, without trailing blanks. */
static const char *end_of_line(const char *line, const char *end)
{
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    stop = stop ? stop : end;
    while (stop > line && (stop[-1] == ' ' || stop[-1] == '\r'))
        stop--;
    return stop;
}

/* A line of dashes in groups, with one blank between two. */
static bool is_dashes(const char *line, const char *end)
{
    bool any = line < end && *line == '-';
    for (const char *p = line; p < end && any; p++)
        any = *p == '-' || (*p == ' ' && p[-1] == '-');
    return any && memchr(line, ' ', (size_t)(end - line));
}

/* The next word after blanks; NULL: none. */
static const char *next_word(const char *text, const char *end, size_t *size)
{
    while (text < end && *text == ' ')
        text++;
    const char *stop = text < end ? memchr(text, ' ', (size_t)(end - text)) : NULL;
    *size = (size_t)((stop ? stop : end) - text);
    return text < end ? text : NULL;
}

/* A line of names above a line of dashes: sacct without -P. */
static bool is_padded(const ori_head *head)
{
    const char *end = head->line + head->size;
    size_t size;
    int found = 0;
    if (!head->next || !is_dashes(head->next, end_of_line(head->next, head->end)))
        return false;
    for (const char *word = head->line; (word = next_word(word, end, &size)); word += size)
        found += ori_column_find(columns, COLUMNS, word, size, true) >= 0;
    return found > 0;
}

/* The delimiter that the caller names, or that of the header; returns its size, 0 for none. */
static size_t delimiter_of(const ori_read_context *context, const ori_head *head, char delimiter[8])
{
    *delimiter = context->options.delimiter;
    return *delimiter ? 1 : find_delimiter(head->line, head->size, delimiter);
}

/* A line with bars and any name of sacct's; or one with other delimiters, or of a log whose columns
 * the caller names, that has an id, a submission and more. */
static bool is_header(const ori_read_context *context, ori_head *head)
{
    char delimiter[8];
    size_t size = delimiter_of(context, head, delimiter);
    const char *end = head->line + head->size;
    int found = 0, id_found = 0, submit_found = 0;
    bool bars = memchr(head->line, '|', head->size) && (size == 0 || *delimiter != '|');
    if (is_padded(head))
        return !context->options.delimiter;
    if (bars && !context->options.delimiter) {
        *delimiter = '|';
        size = 1;
    }
    if (size == 0)
        return false;
    size_t length;
    for (const char *field = head->line, *next; field; field = next) {
        next = next_field(field, end, delimiter, size, &length);
        found += ori_column_find(columns, COLUMNS, field, length, true) >= 0;
        id_found += is_named(field, length, ID) || is_named(field, length, ID_INSTEAD);
        submit_found += is_named(field, length, SUBMIT);
    }
    return *delimiter == '|' && !context->map ? found > 0
                                              : id_found > 0 && submit_found > 0 && found > 3;
}

static void open_dump(void *state, const ori_head *head)
{
    sacct_state *sacct = state;
    sacct->padded = is_padded(head);
    sacct->delimiter_size = delimiter_of(sacct->context, head, sacct->delimiter);
    if (sacct->delimiter_size == 0 ||
        (!sacct->context->options.delimiter && *sacct->delimiter != '|' &&
         memchr(head->line, '|', head->size))) {
        *sacct->delimiter = '|';
        sacct->delimiter_size = 1;
    }
}

static orr_status fail_missing(const sacct_state *sacct, const char *what, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s:%lld: column %s is missing in a dump of sacct: sacct --format gives it, "
                    "as in " ORI_SACCT_COMMAND,
                    sacct->context->name, (long long)sacct->context->line + 1, what);
}

static bool is_mapped(const sacct_state *sacct, size_t field)
{
    return sacct->context->map && ori_map_has(sacct->context->map, field);
}

static bool has_column(const sacct_state *sacct, int column)
{
    return sacct->table.place[column] >= 0;
}

/* Whether the dump tells what a column does. */
static bool tells(const sacct_state *sacct, int column)
{
    return has_column(sacct, column) || is_mapped(sacct, columns[column].field);
}

/* A column only says that a job asks for something. */
static void ask_only(sacct_state *sacct, int column, int asked)
{
    int place = sacct->table.place[column];
    ori_table_leave_out(&sacct->table, column);
    if (place < 0 || has_column(sacct, asked))
        return;
    sacct->table.place[asked] = place;
    sacct->table.name[asked] = columns[asked].name;
    sacct->table.known[place] = (unsigned char)(asked + 1);
}

/* Processors are CPUs where the dump has them: nodes may be shared by jobs, and then those that are
 * busy do not add up. */
static orr_status choose_processors(sacct_state *sacct, orr_error *err)
{
    bool cpus = tells(sacct, CPUS) || has_column(sacct, CPUS_ELSE);
    bool nodes = has_column(sacct, NODES) || has_column(sacct, NODES_ELSE);
    orr_count counted = sacct->context->options.count;
    if (counted == ORR_COUNT_CPUS && !cpus)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS)", err);
    if (counted == ORR_COUNT_NODES && !nodes)
        return fail_missing(sacct, "NNodes (or AllocNodes, ReqNodes)", err);
    if (!cpus && !nodes)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS, NNodes)", err);
    bool other = counted == ORR_COUNT_NODES || !cpus; /* nodes */
    int requested = other ? NODES_ELSE : CPUS_ELSE;
    if (sacct->context->options.procs_of == ORR_PROCS_OF_REQUESTED && has_column(sacct, requested))
        ori_table_leave_out(&sacct->table, other ? NODES : CPUS);
    if (!other)
        ask_only(sacct, has_column(sacct, NODES) ? NODES : NODES_ELSE, OTHERWISE);
    ori_table_leave_out(&sacct->table, other ? CPUS : NODES);
    ori_table_leave_out(&sacct->table, other ? CPUS_ELSE : NODES_ELSE);
    return ORR_OK;
}

static orr_status check_columns(sacct_state *sacct, orr_error *err)
{
    if (!tells(sacct, ID) && !has_column(sacct, ID_INSTEAD))
        return fail_missing(sacct, "JobIDRaw (or JobID)", err);
    if (!tells(sacct, SUBMIT))
        return fail_missing(sacct, "Submit", err);
    if (!tells(sacct, ELAPSED) && !has_column(sacct, ELAPSED_INSTEAD) &&
        !(tells(sacct, START) && tells(sacct, END)))
        return fail_missing(sacct, "ElapsedRaw (or Elapsed, or Start and End)", err);
    if (!has_column(sacct, STATE) && !tells(sacct, END))
        return fail_missing(sacct, "State (or End)", err);
    return choose_processors(sacct, err);
}

/* Finds the columns of the caller's map. They replace what Slurm calls so; the state remains. */
static orr_status match_layer(sacct_state *sacct, orr_error *err)
{
    const char *missing = ori_layer_missing(&sacct->layer);
    if (missing)
        return fail_missing(sacct, missing, err);
    for (int i = 0; i < COLUMNS; i++)
        if (i != STATE && is_mapped(sacct, columns[i].field))
            ori_table_leave_out(&sacct->table, i);
    for (int i = 0; i < sacct->columns; i++) {
        int mapped = sacct->layer.first[i];
        if (mapped > 0 && sacct->table.known[i] == 0)
            sacct->table.known[i] = (unsigned char)(COLUMNS + mapped);
    }
    return ORR_OK;
}

static orr_status read_header(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    const char *end = line + size;
    orr_jobs *jobs = sacct->context->jobs;
    *jobs->ignored = '\0'; /* of a header before */
    jobs->ignored_count = 0;
    ori_table_open(&sacct->table, columns, COLUMNS, true);
    ori_layer_open(&sacct->layer, sacct->context->map);
    for (const char *field = line, *next; field; field = next) {
        if (sacct->padded && !(field = next_word(field, end, &size)))
            break;
        next = sacct->padded
                   ? field + size
                   : next_field(field, end, sacct->delimiter, sacct->delimiter_size, &size);
        if (sacct->columns == MOST_COLUMNS)
            return orr_fail(
                err, ORR_ERR_INPUT, "%s:%lld: a dump of sacct with more than %d columns",
                sacct->context->name, (long long)sacct->context->line + 1, MOST_COLUMNS);
        unsigned char *kind = &sacct->kind[sacct->columns];
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (strlen(others[i].name) == size && strncasecmp(others[i].name, field, size) == 0)
                *kind = others[i].kind;
        ori_layer_add(&sacct->layer, sacct->columns, field, size);
        if (size > 0 && sacct->layer.first[sacct->columns] == 0 &&
            ori_column_find(columns, COLUMNS, field, size, true) < 0)
            ori_jobs_ignore(jobs, field, size);
        ori_table_add(&sacct->table, sacct->columns++, field, size);
    }
    ori_table_settle(&sacct->table);
    if (!sacct->context->record.after) {
        ask_only(sacct, DEPENDENCY, OTHERWISE + 1);
        if (!sacct->context->record.needs)
            ori_table_leave_out(&sacct->table, SUBMIT_LINE);
        ori_table_leave_out(&sacct->table, JOB_NAME);
    }
    for (int i = 0; i < COLUMNS; i++)
        sacct->field[i] = (ori_field){
            .word = "column", .number = sacct->table.place[i] + 1, .name = sacct->table.name[i]};
    ORI_TRY(check_columns(sacct, err));
    if (sacct->context->map)
        ORI_TRY(match_layer(sacct, err));
    sacct->plain_count = sacct->asked_count = 0;
    for (int i = ELAPSED; i < STATE; i++)
        if (has_column(sacct, i))
            sacct->plain[sacct->plain_count++] = (unsigned char)i;
    for (int i = ASKED; i < COLUMNS; i++)
        if (has_column(sacct, i))
            sacct->asked[sacct->asked_count++] = (unsigned char)i;
    if (!has_column(sacct, ASKED) && !has_column(sacct, ASKED + 1) &&
        !has_column(sacct, ASKED + 2) && !has_column(sacct, ASKED + 3))
        ori_jobs_remark(jobs, ORR_REMARK_NO_TRES, 1, 0);
    return ORR_OK;
}

/* --- rows --------------------------------------------------------------------------------------*/

/* Reads what the caller's map says of the row. */
static orr_status read_layer(sacct_state *sacct, orr_error *err)
{
    const char *expected;
    for (int i = 0; i < sacct->columns; i++) {
        int mapped = sacct->layer.first[i];
        if (mapped == 0)
            continue;
        ori_field field = sacct->field[sacct->table.known[i] - 1];
        orr_status status = ori_layer_read(&sacct->layer, i, field.text, field.size,
                                           &sacct->context->record, &expected, err);
        field.word = "column";
        field.number = i + 1;
        field.name = sacct->context->map->columns[mapped - 1].name;
        ORI_TRY(status == ORR_ERR_INPUT ? ori_record_fail(sacct->context, &field, expected, err)
                                        : status);
    }
    ori_record_localize(sacct->context);
    ori_layer_complete(&sacct->layer, &sacct->context->record);
    ori_record_take_procs(sacct->context);
    return ORR_OK;
}

static void read_state(sacct_state *sacct)
{
    size_t size = sacct->field[STATE].size;
    const char *text = size > 0 ? sacct->field[STATE].text : ""; /* NULL: no such column */
    if (size == sacct->said_size && memcmp(text, sacct->said, size) == 0)
        return;
    sacct->state_size = ori_slurm_state(text, size, sacct->state);
    sacct->unfinished = ori_slurm_is_unfinished(sacct->state);
    sacct->said_size = size <= sizeof sacct->said ? size : SIZE_MAX;
    if (size <= sizeof sacct->said)
        memcpy(sacct->said, text, size);
}

/* A time as the clock shows it, of the same day as the last one or of another. */
static orr_status read_time(sacct_state *sacct, int column, orr_error *err)
{
    const ori_field *field = &sacct->field[column];
    ori_stamp *time = ori_column_at(&columns[column], &sacct->context->record);
    int64_t clock;
    if (field->size == 19 && memcmp(field->text, sacct->day, sizeof sacct->day) == 0 &&
        ori_utc_clock(field->text + 11, 8, &clock)) {
        *time = (ori_stamp){.known = true, .local = true, .us = sacct->day_us + clock};
        return ORR_OK;
    }
    ORI_TRY(ori_record_read(sacct->context, &columns[column], field, err));
    if (field->size == 19 && time->known && time->local &&
        ori_utc_clock(field->text + 11, 8, &clock)) {
        memcpy(sacct->day, field->text, sizeof sacct->day);
        sacct->day_us = time->us - clock;
    }
    return ORR_OK;
}

static orr_status read_label(sacct_state *sacct, int column, orr_error *err)
{
    const ori_field word = {.text = sacct->state, .size = sacct->state_size};
    const ori_field *field = column == STATE ? &word : &sacct->field[column];
    ori_record *record = &sacct->context->record;
    int32_t *number = ori_column_at(&columns[column], record);
    int32_t *last = &sacct->label[column - STATE];
    const char *text = orr_labels_text(record->names, *last);
    if (text && strncmp(text, field->text, field->size) == 0 && text[field->size] == '\0') {
        *number = *last;
        return ORR_OK;
    }
    ORI_TRY(ori_record_read(sacct->context, &columns[column], field, err));
    *last = *number;
    return ORR_OK;
}

/* Reads the columns of the row that all dumps have. */
static orr_status read_usual(sacct_state *sacct, orr_error *err)
{
    for (int i = SUBMIT; i <= END; i++)
        if (has_column(sacct, i))
            ORI_TRY(read_time(sacct, i, err));
    for (int i = 0; i < sacct->plain_count; i++) {
        int column = sacct->plain[i];
        if (sacct->field[column].size > 0)
            ORI_TRY(ori_record_read(sacct->context, &columns[column], &sacct->field[column], err));
    }
    for (int i = STATE; i < DEPENDENCY; i++)
        if (has_column(sacct, i))
            ORI_TRY(read_label(sacct, i, err));
    return ORR_OK;
}

/* Most jobs may start at once and are never suspended: such fields need not be read. */
static void skip_usual(sacct_state *sacct)
{
    const ori_field *submit = &sacct->field[SUBMIT];
    ori_field *eligible = &sacct->field[ELIGIBLE], *suspended = &sacct->field[SUSPENDED];
    if (eligible->size == submit->size && eligible->size > 0 &&
        memcmp(eligible->text, submit->text, submit->size) == 0)
        eligible->size = 0;
    if (suspended->size == 8 && memcmp(suspended->text, "00:00:00", 8) == 0)
        suspended->size = 0;
}

static known_text *place_of(sacct_state *sacct, int column, const ori_field *field)
{
    uint64_t hash = (uint64_t)column, word = 0;
    size_t i = 0;
    for (; i + 8 <= field->size; i += 8) {
        memcpy(&word, field->text + i, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    for (word = 0; i < field->size; i++)
        word = word << 8 | (unsigned char)field->text[i];
    return &sacct->known[(hash ^ word) * 0x9E3779B97F4A7C15u >> 54];
}

static orr_status learn(sacct_state *sacct, int column, const ori_field *field, known_text *known,
                        orr_error *err)
{
    ori_record *record = &sacct->context->record;
    ori_use before[ORI_MOST_ASKS];
    int asks = record->asks;
    memcpy(before, record->ask, sizeof before);
    record->asks = known->size = 0;
    ORI_TRY(ori_record_read(sacct->context, &columns[column], field, err));
    known->column = (unsigned char)column;
    known->asks = (unsigned char)record->asks;
    memcpy(known->ask, record->ask, sizeof known->ask);
    if (field->size <= sizeof known->text) {
        known->size = (unsigned char)field->size;
        memcpy(known->text, field->text, field->size);
    }
    memcpy(record->ask, before, sizeof before);
    record->asks = asks;
    return ORR_OK;
}

/* Notes what a text asks for, from memory where it is known. */
static orr_status ask_known(sacct_state *sacct, int column, const ori_field *field, orr_error *err)
{
    known_text *known = place_of(sacct, column, field);
    if (known->column != column || known->size != field->size ||
        memcmp(known->text, field->text, field->size) != 0)
        ORI_TRY(learn(sacct, column, field, known, err));
    for (int i = 0; i < known->asks; i++)
        ori_record_use(&sacct->context->record, known->ask[i]);
    return ORR_OK;
}

static void ask_memory(sacct_state *sacct)
{
    if (sacct->memory == 0)
        sacct->memory = ori_jobs_asked(sacct->context->jobs, "memory", strlen("memory")) + 1;
    if (sacct->memory > 0)
        ori_record_use(&sacct->context->record, (ori_use){0, sacct->memory - 1, NAN});
}

/* Notes what a field asks for. Amounts of memory are of many kinds, and not remembered: beside it
 * most lists have nothing, or one item. */
static orr_status read_asked(sacct_state *sacct, int column, orr_error *err)
{
    ori_field field = sacct->field[column];
    if (ORR_UNLIKELY(sacct->context->record.needs != NULL)) /* a part of it is needs */
        return ori_record_read(sacct->context, &columns[column], &field, err);
    if (columns[column].type == &memory) {
        if ((unsigned)*field.text - '1' < 9)
            ask_memory(sacct);
        return ORR_OK;
    }
    if (columns[column].type != &trackable)
        return ask_known(sacct, column, &field, err);
    const char *end = field.text + field.size;
    bool before = false, behind = false; /* whether there is memory */
    const char *one = ori_slurm_behind_usual(field.text, end, &before);
    const char *stop = one < end ? memchr(one, ',', (size_t)(end - one)) : NULL;
    size_t size = (size_t)((stop ? stop : end) - one);
    if ((stop && ori_slurm_behind_usual(stop + 1, end, &behind) < end) ||
        memchr(one, ':', size)) /* its total may stand elsewhere */
        return ask_known(sacct, column, &field, err);
    if (before)
        ask_memory(sacct);
    field.text = one;
    field.size = size;
    if (size > 0)
        ORI_TRY(ask_known(sacct, column, &field, err));
    if (behind)
        ask_memory(sacct);
    return ORR_OK;
}

static orr_status read_job(sacct_state *sacct, orr_error *err)
{
    read_state(sacct);
    skip_usual(sacct);
    ori_record_forget_after(&sacct->context->record);
    if (sacct->unfinished)
        return ori_record_drop(sacct->context, ORR_DROP_UNFINISHED, err);
    ORI_TRY(read_usual(sacct, err));
    for (int i = 0; i < sacct->asked_count; i++)
        if (sacct->field[sacct->asked[i]].size > 0)
            ORI_TRY(read_asked(sacct, sacct->asked[i], err));
    for (int i = DEPENDENCY; i <= SUBMIT_LINE; i++)
        if (ORR_UNLIKELY(has_column(sacct, i)))
            ori_slurm_dependencies(sacct->context, sacct->field[i].text, sacct->field[i].size,
                                   i == SUBMIT_LINE);
    sacct->context->record.name = sacct->field[JOB_NAME].text;
    sacct->context->record.name_size = sacct->field[JOB_NAME].size;
    if (ORR_UNLIKELY(sacct->context->map))
        ORI_TRY(read_layer(sacct, err));
    else if (ORR_UNLIKELY(sacct->context->options.zone != NULL))
        ori_record_localize(sacct->context);
    ori_slurm_derive_times(sacct->context, tells(sacct, START));
    return ori_slurm_add(sacct->context, sacct->state, tells(sacct, END), err);
}

/* --- texts with delimiters in them -------------------------------------------------------------*/

enum { MOST_EXTRA = 24, MOST_STEPS = 20000 };

typedef struct attempt {
    const sacct_state *sacct;
    ori_field piece[MOST_COLUMNS + MOST_EXTRA]; /* of the line, between delimiters */
    int extra, steps;                           /* fields too many; tries that are left */
    int ways;                                   /* that were found: 2 is enough */
    int at[COLUMNS + ORI_MOST_MAPPED], found[COLUMNS + ORI_MOST_MAPPED]; /* the piece of each known
                                                                            column, */
    int more[ORI_MOST_MAPPED], longer[ORI_MOST_MAPPED]; /* and how many more of a mapped text */
} attempt;

static bool is_word(const ori_field *field, bool upper)
{
    for (size_t i = 0; i < field->size; i++) {
        char c = field->text[i];
        if (upper && c == ' ' && i > 0)
            return field->size - i > 3 && memcmp(field->text + i, " by", 3) == 0;
        if (c == ' ' || (upper && !(c >= 'A' && c <= 'Z') && c != '_' && c != '+'))
            return false;
    }
    return true;
}

static bool is_code(const ori_field *field)
{
    for (size_t i = 0; i < field->size; i++)
        if (field->text[i] != ':' && (unsigned)field->text[i] - '0' > 9)
            return false;
    return true;
}

static bool is_of_type(const ori_field *field, const ori_type *type)
{
    const ori_column column = {.name = "", .type = type};
    union {
        double number;
        int32_t whole;
        ori_stamp stamp;
    } row;
    const char *expected;
    return ori_column_read(&column, field->text, field->size, &row, &expected, NULL) == ORR_OK;
}

/* Whether a piece may be the field of a column of the file. */
static bool fits_column(const sacct_state *sacct, int column, const ori_field *piece)
{
    int known = sacct->table.known[column] - 1;
    if (known == ID || known == ID_INSTEAD)
        return piece->size > 0 && (unsigned)*piece->text - '0' <= 9 && is_word(piece, false);
    if (known >= DEPENDENCY && known <= JOB_NAME)
        return true;
    if (known >= ASKED && known < COLUMNS)
        known = -1;
    if (known >= STATE && known < COLUMNS)
        return is_word(piece, known == STATE);
    if (known >= 0 && known < COLUMNS)
        return is_of_type(piece, columns[known].type);
    switch (sacct->kind[column]) {
    case WORD:
        return is_word(piece, false);
    case DURATION_:
        return is_of_type(piece, &limit);
    case NUMBER_:
        return is_of_type(piece, &seconds);
    case CODE:
        return is_code(piece);
    case NOTHING:
        return piece->size == 0;
    default:
        return true;
    }
}

/* A text of which only the presence counts: it does not tell ways apart. */
static bool is_text_asked(const sacct_state *sacct, int column)
{
    int known = sacct->table.known[column] - 1;
    return sacct->kind[column] == TEXT && known >= ASKED && known < COLUMNS;
}

/* Counts the ways to give the pieces from `piece` on to the columns from `column` on, with `extra`
 * pieces too many. Ways with equal known columns count as one. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by the columns */
static void try_columns(attempt *a, int column, int piece, int extra)
{
    const sacct_state *sacct = a->sacct;
    for (; column < sacct->columns && a->ways < 2; column++, piece++) {
        if (a->steps-- <= 0) {
            a->ways = 2;
            return;
        }
        if (sacct->kind[column] == TEXT) {
            if (sacct->table.known[column] > 0 && !is_text_asked(sacct, column))
                a->at[sacct->table.known[column] - 1] = piece;
            int mapped = sacct->table.known[column] - COLUMNS;
            for (int more = 1; more <= extra; more++) {
                if (mapped > 0)
                    a->more[mapped - 1] = more;
                try_columns(a, column + 1, piece + 1 + more, extra - more);
            }
            if (mapped > 0)
                a->more[mapped - 1] = 0;
        } else if (fits_column(sacct, column, &a->piece[piece])) {
            if (sacct->table.known[column] > 0)
                a->at[sacct->table.known[column] - 1] = piece;
        } else {
            return;
        }
    }
    if (column < sacct->columns || extra > 0)
        return;
    if (a->ways == 0 || memcmp(a->found, a->at, sizeof a->at) != 0 ||
        memcmp(a->longer, a->more, sizeof a->more) != 0)
        a->ways++;
    memcpy(a->found, a->at, sizeof a->at);
    memcpy(a->longer, a->more, sizeof a->more);
}

/* Finds the fields of a line with n > sacct->columns pieces; false where no way, or more than one,
 * exists. */
static bool put_right(sacct_state *sacct, attempt *a, const char *line, const char *end, int n)
{
    int i = 0;
    *a = (attempt){.sacct = sacct, .extra = n - sacct->columns, .steps = MOST_STEPS};
    if (a->extra > MOST_EXTRA)
        return false;
    for (const char *field = line, *next; field; field = next, i++) {
        next = next_field(field, end, sacct->delimiter, sacct->delimiter_size, &a->piece[i].size);
        a->piece[i].text = field;
    }
    try_columns(a, 0, 0, a->extra);
    for (int column = 0; column < sacct->columns && a->ways == 1; column++) {
        int known = sacct->table.known[column] - 1;
        if (known < 0 || is_text_asked(sacct, column)) {
            if (known >= 0)
                sacct->field[known].size = 0;
            continue;
        }
        const ori_field *first = &a->piece[a->found[known]];
        const ori_field *last = known < COLUMNS ? first : first + a->longer[known - COLUMNS];
        sacct->field[known].text = first->text;
        sacct->field[known].size = (size_t)(last->text - first->text) + last->size;
    }
    return a->ways == 1;
}

/* --- columns with widths -----------------------------------------------------------------------*/

/* The line of dashes: as many groups as there are names. */
static orr_status read_widths(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    const char *end = end_of_line(line, line + size);
    int n = 0;
    size_t length;
    for (const char *word = line; n < MOST_COLUMNS && (word = next_word(word, end, &length));
         word += length)
        sacct->width[n++] = (int)length;
    sacct->widths = n;
    return n == sacct->columns
               ? ORR_OK
               : orr_fail(err, ORR_ERR_INPUT,
                          "%s:%lld: expected %d groups of dashes as there are names of columns, "
                          "found %d: with -P, sacct puts bars between columns",
                          sacct->context->name, (long long)sacct->context->line + 1, sacct->columns,
                          n);
}

/* The texts of a row, by widths; false where something stands between two columns. */
static bool cut_by_widths(sacct_state *sacct, const char *line, const char *end)
{
    for (int i = 0; i < sacct->columns; i++) {
        size_t left = (size_t)(end - line);
        size_t size = left < (size_t)sacct->width[i] ? left : (size_t)sacct->width[i];
        const char *text = line, *stop = line + size;
        int known = sacct->table.known[i];
        line = stop;
        if (line < end && *line++ != ' ')
            return false;
        while (text < stop && *text == ' ')
            text++;
        while (stop > text && stop[-1] == ' ')
            stop--;
        if (known > 0) {
            sacct->field[known - 1].text = text;
            sacct->field[known - 1].size = (size_t)(stop - text);
        }
    }
    return line >= end;
}

static orr_status split_padded(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    if (ORR_LIKELY(cut_by_widths(sacct, line, end_of_line(line, line + size))))
        return ORR_OK;
    sacct->context->reason = ORR_DROP_FIELDS;
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s:%lld: expected columns as wide as the dashes under the header, found text "
                    "between them",
                    sacct->context->name, (long long)sacct->context->line + 1);
}

/* --- lines -------------------------------------------------------------------------------------*/

/* A text of a row, by the column that it is known as. */
static inline void give(sacct_state *sacct, int n, const char *field, const char *stop)
{
    int known = n < sacct->columns ? sacct->table.known[n] : 0;
    if (known == 0)
        return;
    sacct->field[known - 1].text = field;
    sacct->field[known - 1].size = (size_t)(stop - field);
}

/* The fields of a line between delimiters of one byte, found in eight bytes at once; returns how
 * many there are. */
static int split_bytes(sacct_state *sacct, const char *line, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7f;
    const uint64_t delimiters = ones * (unsigned char)*sacct->delimiter;
    const char *field = line;
    int n = 0;
    for (const char *p = line; p < end; p += 8) {
        uint64_t word = 0;
        if (ORR_LIKELY(end - p >= 8))
            memcpy(&word, p, 8);
        else
            memcpy(&word, p, (size_t)(end - p));
        word = le64toh(word) ^ delimiters;
        uint64_t found = ~(((word & low) + low) | word | low); /* a bit in each byte that is 0 */
        for (; found != 0; found &= found - 1) {
            const char *stop = p + (__builtin_ctzll(found) >> 3);
            give(sacct, n++, field, stop);
            field = stop + 1;
        }
    }
    give(sacct, n, field, end);
    return n + 1;
}

/* The texts of a row, by the column that they are known as. */
static orr_status split_row(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    int n = 0;
    const char *end = line + size;
    if (ORR_UNLIKELY(sacct->padded))
        return split_padded(sacct, line, size, err);
    if (ORR_LIKELY(sacct->delimiter_size == 1)) {
        n = split_bytes(sacct, line, end);
    } else {
        for (const char *field = line, *next; field; field = next, n++) {
            next = next_field(field, end, sacct->delimiter, sacct->delimiter_size, &size);
            give(sacct, n, field, field + size);
        }
    }
    attempt *a;
    if (ORR_LIKELY(n == sacct->columns))
        return ORR_OK;
    sacct->context->reason = ORR_DROP_FIELDS;
    ORI_SCRATCH(&sacct->context->alloc, ORI_RAW, err, ORI_PART(a, 1));
    if (n > sacct->columns && put_right(sacct, a, line, end, n))
        return ORR_OK;
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: expected %d fields as in the header, found %d%s",
                    sacct->context->name, (long long)sacct->context->line + 1, sacct->columns, n,
                    n > sacct->columns ? ", and which texts have a delimiter cannot be told" : "");
}

/* Whether a line is a header again, perhaps with another order of columns: it has names of columns,
 * the id of the job among them, and nothing that begins with a digit. */
static bool is_header_again(const sacct_state *sacct, const char *line, size_t size)
{
    const char *end = line + size;
    int found = 0, ids = 0;
    if (sacct->padded)
        return size > 0 && is_of_name(*line) && (unsigned)*line - '0' > 9 &&
               memmem(line, size, columns[ID_INSTEAD].name, strlen(columns[ID_INSTEAD].name)) &&
               memmem(line, size, columns[SUBMIT].name, strlen(columns[SUBMIT].name));
    for (const char *field = line, *next; field; field = next) {
        next = next_field(field, end, sacct->delimiter, sacct->delimiter_size, &size);
        if (size > 0 && (unsigned)*field - '0' <= 9)
            return false;
        found += ori_column_find(columns, COLUMNS, field, size, true) >= 0;
        ids += is_named(field, size, ID) || is_named(field, size, ID_INSTEAD);
    }
    return ids > 0 && found > 3;
}

/* The raw id of a job, where the dump has it; a task of an array is also known as "7_3". Parts of a
 * heterogeneous job have only one id in common, that of "7+0" and "7+1". */
static orr_status read_id(sacct_state *sacct, orr_error *err)
{
    const ori_field *shown = &sacct->field[ID_INSTEAD], *raw = &sacct->field[ID];
    int column = has_column(sacct, ID) ? ID : ID_INSTEAD;
    if (has_column(sacct, ID_INSTEAD) && (column == ID_INSTEAD || shown->size != raw->size)) {
        ori_read_context *context = sacct->context;
        bool part = memchr(shown->text, '+', shown->size) && !memchr(shown->text, '.', shown->size);
        context->record.shown = shown->text;
        context->record.shown_size = shown->size;
        context->has_parts |= part;
        context->record.remarks |= (unsigned)part << ORR_REMARK_PARTS;
        column = part ? ID_INSTEAD : column;
    }
    return has_column(sacct, column)
               ? ori_record_read(sacct->context, &columns[column], &sacct->field[column], err)
               : ORR_OK;
}

/* A step has its job's id and something behind a dot. */
static orr_status read_row(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    ORI_TRY(split_row(sacct, line, size, err));
    ORI_TRY(read_id(sacct, err));
    return strchr(sacct->context->record.id.text, '.')
               ? ori_record_drop(sacct->context, ORR_DROP_PART, err)
               : read_job(sacct, err);
}

static orr_status read_line(void *state, const char *line, size_t size, orr_error *err)
{
    sacct_state *sacct = state;
    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (size == 0)
        return ORR_OK;
    if (ORR_UNLIKELY((unsigned)*line - '0' > 9 && sacct->columns > 0 &&
                     is_header_again(sacct, line, size))) {
        sacct->columns = sacct->widths = 0;
        memset(sacct->kind, 0, sizeof sacct->kind);
    }
    if (sacct->columns == 0)
        return read_header(sacct, line, size, err);
    if (ORR_UNLIKELY(sacct->padded && sacct->widths == 0))
        return read_widths(sacct, line, size, err);
    ori_record_clear(sacct->context);
    ori_record_forget_id(sacct->context);
    orr_status status = read_row(sacct, line, size, err);
    return ORR_LIKELY(status == ORR_OK)
               ? ORR_OK
               : ori_record_settle(sacct->context, sacct->context->reason, status, err);
}

const ori_format ori_format_sacct = {.about = "a dump of sacct (sacct -P)",
                                     .named = true,
                                     .recognises = is_header,
                                     .open = open_dump,
                                     .state_size = sizeof(sacct_state),
                                     .line = read_line};
