/* Dumps of Slurm's accounting, `sacct -P`: a header of column names and rows, all between bars,
 * without quotes; a row for every job, and rows for its steps. */
#include "reader_internal.h"
#include "workload/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 1024 };

typedef enum sacct_role {
    ID,
    ID_ELSE, /* where ID is not there; the same with each ELSE */
    SUBMIT,
    START,
    END,
    ELAPSED,
    ELAPSED_ELSE,
    LIMIT, /* min */
    LIMIT_ELSE,
    CPUS,
    CPUS_ELSE,
    NODES,
    NODES_ELSE,
    STATE,
    USER,
    PARTITION,
    QOS,
    ROLES,
    NONE = ROLES
} sacct_role;

static const struct {
    const char *name;
    sacct_role role;
} columns[] = {
    {"JobIDRaw", ID},
    {"JobID", ID_ELSE},
    {"Submit", SUBMIT},
    {"Start", START},
    {"End", END},
    {"ElapsedRaw", ELAPSED},
    {"Elapsed", ELAPSED_ELSE},
    {"TimelimitRaw", LIMIT},
    {"Timelimit", LIMIT_ELSE},
    {"AllocCPUS", CPUS},
    {"NCPUS", CPUS},
    {"NProcs", CPUS},
    {"ReqCPUS", CPUS_ELSE},
    {"NNodes", NODES},
    {"AllocNodes", NODES},
    {"ReqNodes", NODES_ELSE},
    {"State", STATE},
    {"User", USER},
    {"Partition", PARTITION},
    {"QOS", QOS},
};

typedef struct sacct_state {
    ori_read_context *context;
    ori_lines lines;
    int columns; /* of the header; 0: not read yet */
    unsigned char role[MOST_COLUMNS];
    int place[ROLES];        /* column of each role, -1 for none */
    const char *name[ROLES]; /* and its name */
    bool cpus;               /* what counts as a processor */

    /* the row being read: a field for every role, empty where there is no column */
    const char *text[ROLES];
    size_t size[ROLES];
    char id[64];
} sacct_state;

static long long line_of(const sacct_state *sacct)
{
    return (long long)sacct->context->line + 1;
}

/* --- the header --------------------------------------------------------------------------------*/

enum { NO_COLUMN = sizeof columns / sizeof *columns };

/* The index in `columns` of a name. */
static size_t find_column(const char *name, size_t size)
{
    size_t i = 0;
    while (i < NO_COLUMN &&
           (strlen(columns[i].name) != size || strncasecmp(columns[i].name, name, size) != 0))
        i++;
    return i;
}

/* The fields of a line, one after the other. */
typedef struct cursor {
    const char *text; /* of the field */
    size_t size;
    size_t left; /* bytes of the line behind it */
    bool bar;    /* another one follows, or the first */
} cursor;

static cursor fields_of(const char *line, size_t size)
{
    return (cursor){line, 0, size, true};
}

static bool next_field(cursor *at)
{
    if (!at->bar)
        return false;
    const char *bar = at->left == 0 ? NULL : memchr(at->text, '|', at->left);
    at->size = bar == NULL ? at->left : (size_t)(bar - at->text);
    at->bar = bar != NULL;
    at->left -= at->size + at->bar;
    return true;
}

/* Leaves a field behind. */
static void skip_field(cursor *at)
{
    at->text += at->size + at->bar;
}

bool ori_is_sacct_header(const char *line, size_t size)
{
    if (memchr(line, '|', size) == NULL)
        return false;
    for (cursor at = fields_of(line, size); next_field(&at); skip_field(&at))
        if (find_column(at.text, at.size) != NO_COLUMN)
            return true;
    return false;
}

static orr_status fail_missing(const sacct_state *sacct, const char *what, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: column %s is missing in a dump of sacct",
                    sacct->context->name, line_of(sacct), what);
}

static bool has(const sacct_state *sacct, sacct_role role)
{
    return sacct->place[role] >= 0;
}

/* Processors are CPUs where the dump has them: nodes may be shared by jobs, and then those that are
 * busy do not add up. */
static orr_status choose_processors(sacct_state *sacct, orr_error *err)
{
    bool cpus = has(sacct, CPUS) || has(sacct, CPUS_ELSE);
    bool nodes = has(sacct, NODES) || has(sacct, NODES_ELSE);
    orr_count count = sacct->context->options.count;
    if (count == ORR_COUNT_CPUS && !cpus)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS)", err);
    if (count == ORR_COUNT_NODES && !nodes)
        return fail_missing(sacct, "NNodes (or AllocNodes, ReqNodes)", err);
    if (!cpus && !nodes)
        return fail_missing(sacct, "AllocCPUS (or NCPUS, ReqCPUS, NNodes)", err);
    sacct->cpus = count == ORR_COUNT_CPUS || (count == ORR_COUNT_LOG && cpus);
    return ORR_OK;
}

static orr_status check_columns(sacct_state *sacct, orr_error *err)
{
    if (!has(sacct, ID) && !has(sacct, ID_ELSE))
        return fail_missing(sacct, "JobIDRaw (or JobID)", err);
    if (!has(sacct, SUBMIT))
        return fail_missing(sacct, "Submit", err);
    if (!has(sacct, ELAPSED) && !has(sacct, ELAPSED_ELSE) &&
        !(has(sacct, START) && has(sacct, END)))
        return fail_missing(sacct, "ElapsedRaw (or Elapsed, or Start and End)", err);
    if (!has(sacct, STATE) && !has(sacct, END))
        return fail_missing(sacct, "State (or End)", err);
    return choose_processors(sacct, err);
}

static orr_status read_header(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    for (int i = 0; i < ROLES; i++)
        sacct->place[i] = -1;
    for (cursor at = fields_of(line, size); next_field(&at); skip_field(&at)) {
        if (sacct->columns == MOST_COLUMNS)
            return orr_fail(err, ORR_ERR_INPUT,
                            "%s:%lld: a dump of sacct with more than %d columns",
                            sacct->context->name, line_of(sacct), MOST_COLUMNS);
        size_t column = find_column(at.text, at.size);
        sacct_role role = column == NO_COLUMN ? NONE : columns[column].role;
        if (role != NONE && sacct->place[role] >= 0)
            role = NONE; /* NCPUS besides AllocCPUS says the same */
        if (role != NONE) {
            sacct->place[role] = sacct->columns;
            sacct->name[role] = columns[column].name;
        }
        sacct->role[sacct->columns++] = (unsigned char)role;
    }
    return check_columns(sacct, err);
}

/* --- fields ------------------------------------------------------------------------------------*/

static orr_status fail_field(const sacct_state *sacct, sacct_role role, const char *expected,
                             orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: column %d (%s): expected %s, found %s",
                    sacct->context->name, line_of(sacct), sacct->place[role] + 1, sacct->name[role],
                    expected, ori_quote(sacct->text[role], sacct->size[role], found));
}

static bool is(const sacct_state *sacct, sacct_role role, const char *word)
{
    return sacct->size[role] == strlen(word) &&
           strncasecmp(sacct->text[role], word, sacct->size[role]) == 0;
}

static bool is_unknown(const sacct_state *sacct, sacct_role role)
{
    return sacct->size[role] == 0 || is(sacct, role, "Unknown") || is(sacct, role, "None");
}

static orr_status read_time(const sacct_state *sacct, sacct_role role, bool *known, int64_t *us,
                            orr_error *err)
{
    *known = false;
    if (is_unknown(sacct, role))
        return ORR_OK;
    *known = true;
    if (sacct->size[role] < 19 || !orr_utc_parse(sacct->text[role], sacct->size[role], us))
        return fail_field(sacct, role, "a time as YYYY-MM-DDTHH:MM:SS, or Unknown", err);
    return ORR_OK;
}

/* "[days-]hours:minutes:seconds[.fraction]" or "minutes:seconds[.fraction]", in seconds */
static bool parse_duration(const char *text, size_t size, double *seconds)
{
    const char *dash = memchr(text, '-', size);
    double value = 0, part;
    if (dash != NULL) {
        size_t digits = (size_t)(dash - text);
        if (!ori_parse_number(text, digits, &value) || value < 0)
            return false;
        text += digits + 1;
        size -= digits + 1;
    }
    int parts = 0;
    value *= 24;
    for (const char *colon = text; colon != NULL; parts++) {
        colon = memchr(text, ':', size);
        size_t digits = colon == NULL ? size : (size_t)(colon - text);
        if (!ori_parse_number(text, digits, &part) || !(part >= 0))
            return false;
        value = parts == 0 ? value + part : value * 60 + part;
        if (colon != NULL) {
            text += digits + 1;
            size -= digits + 1;
        }
    }
    *seconds = value;
    return parts == 3 || (parts == 2 && dash == NULL);
}

/* Seconds from a number of `unit` seconds each. */
static orr_status read_number(const sacct_state *sacct, sacct_role role, double unit,
                              const char *expected, double *value, orr_error *err)
{
    if (is_unknown(sacct, role))
        return ORR_OK;
    if (!ori_parse_number(sacct->text[role], sacct->size[role], value) || *value < 0)
        return fail_field(sacct, role, expected, err);
    *value *= unit;
    return ORR_OK;
}

static orr_status read_duration(const sacct_state *sacct, sacct_role role, double *seconds,
                                orr_error *err)
{
    if (is_unknown(sacct, role))
        return ORR_OK;
    if (!parse_duration(sacct->text[role], sacct->size[role], seconds))
        return fail_field(sacct, role, "a duration as [days-]hours:minutes:seconds", err);
    return ORR_OK;
}

static orr_status read_limit(const sacct_state *sacct, double *walltime, orr_error *err)
{
    sacct_role role = has(sacct, LIMIT) ? LIMIT : LIMIT_ELSE;
    if (is(sacct, role, "UNLIMITED") || is(sacct, role, "Partition_Limit"))
        return ORR_OK;
    return role == LIMIT ? read_number(sacct, role, 60, "a number of minutes", walltime, err)
                         : read_duration(sacct, role, walltime, err);
}

static orr_status read_elapsed(const sacct_state *sacct, double *seconds, orr_error *err)
{
    return has(sacct, ELAPSED) ? read_number(sacct, ELAPSED, 1, "a number of seconds", seconds, err)
                               : read_duration(sacct, ELAPSED_ELSE, seconds, err);
}

static orr_status read_count(const sacct_state *sacct, sacct_role role, int32_t *procs,
                             orr_error *err)
{
    double value = 0;
    if (*procs > 0 || is_unknown(sacct, role))
        return ORR_OK;
    if (!ori_parse_number(sacct->text[role], sacct->size[role], &value) || value != floor(value) ||
        value < 0 || value > INT32_MAX)
        return fail_field(sacct, role, "a whole number from 0 to 2147483647", err);
    *procs = (int32_t)value;
    return ORR_OK;
}

static orr_status read_procs(const sacct_state *sacct, int32_t *procs, orr_error *err)
{
    orr_status status = read_count(sacct, sacct->cpus ? CPUS : NODES, procs, err);
    return status == ORR_OK ? read_count(sacct, sacct->cpus ? CPUS_ELSE : NODES_ELSE, procs, err)
                            : status;
}

/* --- rows --------------------------------------------------------------------------------------*/

/* Submission, wait and runtime. */
static orr_status read_times(const sacct_state *sacct, ori_record *job, bool *ended, orr_error *err)
{
    int64_t start = 0, end = 0;
    bool started, known_end;
    job->calendar = true;
    orr_status status = read_time(sacct, SUBMIT, &job->has_timestamp, &job->timestamp, err);
    if (status == ORR_OK)
        status = read_time(sacct, START, &started, &start, err);
    if (status == ORR_OK)
        status = read_time(sacct, END, &known_end, &end, err);
    if (status == ORR_OK)
        status = read_elapsed(sacct, &job->time, err);
    if (status != ORR_OK)
        return status;
    if (isnan(job->time) && started && known_end && end >= start)
        job->time = (double)(end - start) / 1e6;
    if (has(sacct, START) && !started)
        job->time = NAN;
    if (started && job->has_timestamp && start >= job->timestamp)
        job->wait = (double)(start - job->timestamp) / 1e6;
    *ended = known_end || !has(sacct, END);
    return ORR_OK;
}

/* "CANCELLED by 1000" is cancelled, and "NODE_FAIL" node_fail. */
static size_t read_state(const sacct_state *sacct, char *state, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < sacct->size[STATE] && n + 1 < room; i++) {
        char c = sacct->text[STATE][i];
        if (c == ' ' || c == '+')
            break;
        state[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    state[n] = '\0';
    return n;
}

static bool is_unfinished(const char *state)
{
    static const char *const states[] = {"pending",     "running",    "suspended",
                                         "configuring", "completing", "resizing",
                                         "signaling",   "stage_out",  "stopped"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(state, states[i]) == 0)
            return true;
    return false;
}

static orr_status read_labels(const sacct_state *sacct, const char *state, size_t size,
                              ori_record *job, orr_error *err)
{
    orr_labels *names = &sacct->context->jobs->names;
    orr_status status = orr_labels_number(names, state, size, &job->label[ORR_LABEL_STATUS], err);
    if (status == ORR_OK)
        status = orr_labels_number(names, sacct->text[USER], sacct->size[USER],
                                   &job->label[ORR_LABEL_USER], err);
    if (status == ORR_OK)
        status = orr_labels_number(names, sacct->text[QOS], sacct->size[QOS],
                                   &job->label[ORR_LABEL_QUEUE], err);
    return status != ORR_OK
               ? status
               : orr_labels_number(names, sacct->text[PARTITION], sacct->size[PARTITION],
                                   &job->label[ORR_LABEL_PARTITION], err);
}

/* A step has its job's id and something behind a dot. */
static orr_status read_id(sacct_state *sacct, bool *step, orr_error *err)
{
    sacct_role role = has(sacct, ID) ? ID : ID_ELSE;
    size_t size = sacct->size[role];
    if (size == 0 || size >= sizeof sacct->id)
        return fail_field(sacct, role, "the id of a job", err);
    memcpy(sacct->id, sacct->text[role], size);
    sacct->id[size] = '\0';
    *step = strchr(sacct->id, '.') != NULL;
    return ORR_OK;
}

static orr_status read_job(sacct_state *sacct, ori_record *job, orr_error *err)
{
    char state[32];
    bool ended;
    size_t size = read_state(sacct, state, sizeof state);
    if (is_unfinished(state))
        return ori_read_drop(sacct->context, job, ORR_DROP_UNFINISHED, err);
    orr_status status = read_times(sacct, job, &ended, err);
    if (status == ORR_OK)
        status = read_procs(sacct, &job->procs, err);
    if (status == ORR_OK)
        status = read_limit(sacct, &job->walltime, err);
    if (status == ORR_OK)
        status = read_labels(sacct, state, size, job, err);
    if (status != ORR_OK)
        return status;
    if (size == 0 && !ended)
        return ori_read_drop(sacct->context, job, ORR_DROP_UNFINISHED, err);
    if (isnan(job->time) && strcmp(state, ORR_STATUS_CANCELLED) == 0)
        return ori_read_drop(sacct->context, job, ORR_DROP_NEVER_RAN, err);
    return ori_read_add(sacct->context, job, err);
}

static orr_status split(sacct_state *sacct, const char *line, size_t size, orr_error *err)
{
    int n = 0;
    for (int i = 0; i < ROLES; i++) {
        sacct->text[i] = "";
        sacct->size[i] = 0;
    }
    for (cursor at = fields_of(line, size); next_field(&at); skip_field(&at), n++) {
        if (n >= sacct->columns || sacct->role[n] == NONE)
            continue;
        sacct->text[sacct->role[n]] = at.text;
        sacct->size[sacct->role[n]] = at.size;
    }
    if (n != sacct->columns)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: expected %d fields as in the header, found %d",
                        sacct->context->name, line_of(sacct), sacct->columns, n);
    return ORR_OK;
}

static orr_status read_line(void *user, const char *line, size_t size, orr_error *err)
{
    sacct_state *sacct = user;
    ori_record job;
    bool step = false;
    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (size == 0)
        return ORR_OK;
    if (sacct->columns == 0)
        return read_header(sacct, line, size, err);
    orr_status status = split(sacct, line, size, err);
    if (status == ORR_OK)
        status = read_id(sacct, &step, err);
    if (status != ORR_OK)
        return status;
    ori_record_clear(&job);
    job.line = line_of(sacct);
    job.id = sacct->id;
    return step ? ori_read_drop(sacct->context, &job, ORR_DROP_PART, err)
                : read_job(sacct, &job, err);
}

/* --- the format --------------------------------------------------------------------------------*/

static orr_status sacct_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    return ori_lines_feed(&((sacct_state *)state)->lines, bytes, size, err);
}

static orr_status sacct_finish(void *state, orr_error *err)
{
    return ori_lines_finish(&((sacct_state *)state)->lines, err);
}

static void sacct_close(void *state)
{
    sacct_state *sacct = state;
    orr_allocator alloc = sacct->context->alloc;
    ori_lines_close(&sacct->lines);
    orr_release(&alloc, sacct, sizeof *sacct);
}

static void *sacct_open(ori_read_context *context, orr_error *err)
{
    sacct_state *sacct = orr_calloc(&context->alloc, 1, sizeof *sacct);
    if (sacct == NULL) {
        orr_fail_memory(err, sizeof *sacct);
        return NULL;
    }
    sacct->context = context;
    sacct->lines = (ori_lines){.context = context, .read = read_line, .user = sacct};
    return sacct;
}

const ori_format ori_format_sacct = {sacct_open, sacct_feed, sacct_finish, sacct_close};
