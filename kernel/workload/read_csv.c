/* CSV logs: the common part of all kinds, which are tables in dialects.c. */
#include "base/try_internal.h"
#include "formats_internal.h"
#include "map_internal.h"
#include "rows_internal.h"
#include "slurm_internal.h"
#include "workload/jobs_internal.h"
#include "workload/utc.h"

#include <stdio.h>
#include <string.h>

/* Between columns that are separated by blanks. */
enum { BETWEEN = '\x1f' };

typedef struct csv_state {
    ori_read_context *context;
    ori_rows rows;
    const ori_dialect *dialect; /* NULL while the header is read */
    bool calendar, submitted;   /* there are calendar times, submission times in s */
    bool mapped;                /* the caller has a map with fields */
    bool special;               /* there is a map, or parts of jobs are marked */
    ori_layer layer;            /* the caller's map */
    bool blanks;                /* columns are separated by blanks: */
    char before;                /* the byte before; 0: the beginning of a line */
    bool quoted;                /* in quotes */
} csv_state;

/* Of a log of which only the caller's map is known. */
static const ori_dialect unknown_dialect = {.title = "a log with the columns given",
                                            .about = "",
                                            .procs = "procs",
                                            .machine = "processors of the machine"};

/* --- the header --------------------------------------------------------------------------------*/

static orr_status check_names(csv_state *csv)
{
    const char *name = csv->rows.names;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1) {
        const char *other = csv->rows.names;
        for (int32_t k = 0; k < i && *name != '\0'; k++, other += strlen(other) + 1) {
            char quoted[ORI_QUOTED_SIZE];
            if (strcmp(name, other) == 0)
                return ori_rows_fail(&csv->rows, "columns %d and %d have the same name, %s",
                                     (int)k + 1, (int)i + 1, ori_quote(name, strlen(name), quoted));
        }
    }
    return ORR_OK;
}

/* Whether the file has a column of the dialect; with `required`, all columns that it must have. */
static bool has_columns(csv_state *csv, const ori_dialect *dialect, bool required)
{
    bool any = false, all = true;
    ori_rows_match(&csv->rows, dialect->columns, dialect->count);
    for (int i = 0; i < dialect->count; i++) {
        any |= csv->rows.table.place[i] >= 0;
        all &= csv->rows.table.place[i] >= 0 || !(dialect->columns[i].relation & ORI_REQUIRED);
    }
    return required ? all : any;
}

/* The dialect whose required columns all exist; else the most similar one, so that the message can
 * name the missing columns, or none where the caller's map says what the columns are. */
static const ori_dialect *match_dialect(csv_state *csv)
{
    for (int any = 0; any < 2 - csv->mapped; any++)
        for (int d = 0; d < ORI_DIALECTS; d++)
            if (has_columns(csv, &ori_dialects[d], !any))
                return &ori_dialects[d];
    if (!csv->mapped)
        return NULL;
    has_columns(csv, &unknown_dialect, true);
    return &unknown_dialect;
}

/* Whether the first line of a log that has no known names is a row of sacct: an id, and a time as
 * sacct writes it. */
static bool looks_like_sacct(const ori_rows *rows)
{
    int64_t us;
    const char *line = rows->names, *end = line + rows->names_size, *stamp;
    if ((unsigned)*line - '0' > 9)
        return false;
    while ((stamp = memchr(line, 'T', (size_t)(end - line))) != NULL) {
        line = stamp + 1;
        if (stamp - rows->names >= 10 && end - stamp > 9 && orr_utc_parse(stamp - 10, 19, &us))
            return true;
    }
    return false;
}

/* "expected Mira's CSV (...), plain CSV (...), a dump of sacct (sacct -P), ... or ..." */
static orr_status fail_unknown_format(csv_state *csv)
{
    char formats[600], list[600];
    size_t used = 0, room = sizeof formats;
    for (int d = 0; d < ORI_DIALECTS; d++)
        used += used < room ? (size_t)snprintf(formats + used, room - used, "%s%s",
                                               d == 0 ? "" : ", ", ori_dialects[d].about)
                            : 0;
    for (const ori_format *const *f = csv->context->formats + 1; *f && used < room; f++)
        used += (size_t)snprintf(formats + used, room - used, "%s%s", f[1] ? ", " : " or ",
                                 (*f)->about);
    ori_rows_list(&csv->rows, list, sizeof list);
    if (looks_like_sacct(&csv->rows))
        return ori_rows_fail(
            &csv->rows,
            "a dump of sacct without the names of its columns (sacct -n): --header "
            "says them, or use " ORI_SACCT_COMMAND "; the first line has: %s",
            list);
    return ori_rows_fail(&csv->rows,
                         "not a job log: expected %s; the first line has: %s (--columns says what "
                         "the columns of another CSV are, --header what those of a log without a "
                         "first line of names are)",
                         formats, list);
}

static orr_status fail_missing(csv_state *csv, const char *missing)
{
    char list[1200];
    ori_rows_list(&csv->rows, list, sizeof list);
    return ori_rows_fail(&csv->rows, "column %s is missing in what looks like %s; there are: %s",
                         missing, csv->dialect->title, list);
}

/* Finds the map's columns. It replaces fields of the dialect. */
static orr_status match_layer(csv_state *csv)
{
    const ori_map *map = csv->context->map;
    const char *name = csv->rows.names;
    if (csv->dialect == &unknown_dialect)
        ORI_TRY(ori_map_check(map, csv->rows.err));
    int clock = (int)csv->layer.clock; /* of rows behind a header before */
    ori_layer_open(&csv->layer, map);
    csv->layer.clock = clock;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1)
        ori_layer_add(&csv->layer, i, name, strlen(name));
    const char *missing = ori_layer_missing(&csv->layer);
    if (missing)
        return fail_missing(csv, missing);
    for (int i = 0; i < csv->dialect->count; i++)
        if (ori_map_has(map, csv->dialect->columns[i].field))
            ori_table_leave_out(&csv->rows.table, i);
    return ORR_OK;
}

static int32_t place(const csv_state *csv, size_t field)
{
    int32_t mapped = ori_layer_place(&csv->layer, field);
    return mapped >= 0 ? mapped : ori_table_place(&csv->rows.table, field);
}

static bool is_mapped(const csv_state *csv, size_t field)
{
    return csv->context->map && ori_map_has(csv->context->map, field);
}

/* The number of a column of the file, from 1; 0 where it has none of this name. */
static int find_name(const csv_state *csv, const char *wanted)
{
    const char *name = csv->rows.names;
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1)
        if (strcmp(name, wanted) == 0)
            return (int)i + 1;
    return 0;
}

/* A column and its old name together are an error even if their numbers agree: a program that knows
 * only the old name would read the other column, and the two may diverge unnoticed. */
static orr_status check_old_names(csv_state *csv)
{
    const ori_column *columns = csv->dialect->columns;
    for (int i = 1; i < csv->dialect->count; i++) {
        int name = find_name(csv, columns[i - 1].name), old = find_name(csv, columns[i].name);
        if (columns[i].relation == ORI_OLD && name > 0 && old > 0)
            return ori_rows_fail(&csv->rows,
                                 "columns %d (%s) and %d (%s) are the same: %s is the old name of "
                                 "%s; leave one out",
                                 name, columns[i - 1].name, old, columns[i].name, columns[i].name,
                                 columns[i - 1].name);
    }
    return ORR_OK;
}

static bool is_result(const ori_dialect *dialect, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return dialect->results && strstr(dialect->results, word);
}

static void list_ignored(const csv_state *csv)
{
    orr_jobs *jobs = csv->context->jobs;
    const char *name = csv->rows.names;
    *jobs->ignored = '\0'; /* of a header before */
    jobs->ignored_count = 0;
    jobs->plain = csv->dialect == &ori_dialects[ORI_PLAIN];
    for (int32_t i = 0; i < csv->rows.columns; i++, name += strlen(name) + 1)
        if (csv->rows.table.known[i] == 0 && !(csv->context->map && csv->layer.first[i] > 0) &&
            !is_result(csv->dialect, name))
            ori_jobs_ignore(jobs, name, strlen(name));
}

static orr_status on_header(void *user)
{
    csv_state *csv = user;
    ORI_TRY(check_names(csv));
    csv->dialect = match_dialect(csv);
    if (!csv->dialect)
        return fail_unknown_format(csv);
    ORI_TRY(check_old_names(csv));
    if (csv->dialect->machine_procs > 0)
        csv->context->jobs->machine_procs = csv->context->machine_procs =
            csv->dialect->machine_procs;
    bool named = place(csv, ORI_RECORD(other_machine)) >= 0;
    if (csv->dialect->machine_procs > 0 && !named && csv->context->options.procs == 0)
        ori_jobs_remark(csv->context->jobs, ORR_REMARK_MACHINE, 1, 0);
    csv->special = csv->context->map || csv->dialect->part_mark;
    if (csv->context->map)
        ORI_TRY(match_layer(csv));
    list_ignored(csv);
    bool mapped = is_mapped(csv, ORI_RECORD(submitted));
    csv->calendar = mapped || place(csv, ORI_RECORD(submitted)) >= 0;
    csv->submitted = !mapped && place(csv, ORI_RECORD(submit)) >= 0;
    if (!csv->calendar && !csv->submitted && is_mapped(csv, ORI_RECORD(started)))
        ori_jobs_remark(csv->context->jobs, ORR_REMARK_NO_SUBMIT, 1, 0);
    ori_record_clear(csv->context);
    ori_record_forget_after(&csv->context->record);
    for (int i = 0; i < csv->dialect->count; i++)
        if ((csv->dialect->columns[i].relation & ORI_REQUIRED) && csv->rows.table.place[i] < 0 &&
            !is_mapped(csv, csv->dialect->columns[i].field))
            return fail_missing(csv, csv->dialect->columns[i].name);
    bool counted = place(csv, ORI_RECORD(procs)) >= 0 || place(csv, ORI_RECORD(requested)) >= 0 ||
                   is_mapped(csv, ORI_RECORD(procs));
    return counted ? ORR_OK : fail_missing(csv, csv->dialect->procs);
}

/* --- rows --------------------------------------------------------------------------------------*/

/* Handles the special columns of some dialects. Returns whether the row is a part of a job. */
static bool is_part(csv_state *csv, ori_record *row)
{
    char mark = csv->dialect->part_mark;
    if (csv->context->map) {
        ori_record_localize(csv->context);
        ori_layer_complete(&csv->layer, row);
    }
    return mark && strchr(row->id.text, mark);
}

static orr_status end_record(csv_state *csv, orr_status status)
{
    ori_record_clear(csv->context);
    ori_record_forget_after(&csv->context->record);
    return status;
}

static orr_status on_row(void *user)
{
    csv_state *csv = user;
    ori_record *row = &csv->context->record;
    bool used = ori_record_take_procs(csv->context);
    row->line = csv->rows.row_line;
    row->calendar = csv->calendar;
    if (ORR_UNLIKELY(csv->special) && is_part(csv, row))
        return end_record(csv, ori_record_drop(csv->context, ORR_DROP_PART, csv->rows.err));
    if (!csv->calendar && !csv->submitted)
        row->submit = 0;
    if (csv->calendar)
        ori_record_set_wait(row);
    char number[16], expected[ORI_WIDE_SIZE];
    if (ori_record_is_too_wide(csv->context, csv->dialect->machine, expected)) {
        int size = snprintf(number, sizeof number, "%d", (int)row->procs);
        csv->rows.column = place(csv, used ? ORI_RECORD(procs) : ORI_RECORD(requested));
        return ori_rows_fail_field(&csv->rows, expected, number, (size_t)size);
    }
    return end_record(csv, ori_record_add(csv->context, csv->rows.err));
}

static orr_status on_bad(void *user, orr_drop_reason reason, orr_status status)
{
    csv_state *csv = user;
    int32_t id = place(csv, ORI_RECORD(id));
    if (id < 0 || csv->rows.column <= id)
        ori_record_forget_id(csv->context);
    csv->context->record.line = csv->rows.row_line;
    return end_record(csv, ori_record_settle(csv->context, reason, status, csv->rows.err));
}

/* --- telling it from others --------------------------------------------------------------------*/

/* Whether a line has a name, in quotes and between blanks or not. */
static bool has_name(const ori_head *head, char delimiter, const char *wanted)
{
    const char *end = head->line + head->size, *stop, *last;
    for (const char *name = head->line; name < end; name = stop + 1) {
        stop = memchr(name, delimiter, (size_t)(end - name));
        stop = last = stop ? stop : end;
        while (name < last && (*name == ' ' || *name == '"'))
            name++;
        while (last > name && (last[-1] == ' ' || last[-1] == '"'))
            last--;
        if (strlen(wanted) == (size_t)(last - name) && memcmp(wanted, name, strlen(wanted)) == 0)
            return true;
    }
    return false;
}

/* Whether a line has all columns that it must have, by one of their names. */
static bool has_names(const ori_head *head, char delimiter, const ori_column *columns, int count)
{
    for (int i = 0; i < count; i++) {
        bool found =
            !(columns[i].relation & ORI_REQUIRED) || has_name(head, delimiter, columns[i].name);
        for (int k = i + 1; !found && k < count &&
                            (columns[k].relation == ORI_OLD || columns[k].relation == ORI_ALSO);
             k++)
            found = has_name(head, delimiter, columns[k].name);
        if (!found)
            return false;
    }
    return true;
}

/* Whether a line with the caller's columns begins a log of another format: their map is a layer
 * over it. */
static bool is_other(const ori_read_context *context, const ori_head *head)
{
    ori_head copy = *head;
    bool other = false;
    for (const ori_format *const *f = context->formats + 1; *f; f++)
        other |= (*f)->recognises && (*f)->recognises(context, &copy);
    return other;
}

static bool is_csv(const ori_read_context *context, ori_head *head)
{
    char given[2] = {context->options.delimiter};
    const ori_map *map = context->map;
    for (const char *delimiter = *given ? given : ",;\t|"; *delimiter; delimiter++) {
        head->delimiter = *delimiter;
        for (int d = 0; d < ORI_DIALECTS; d++)
            if (has_names(head, *delimiter, ori_dialects[d].columns, ori_dialects[d].count)) {
                head->foreign = d == ORI_MIRA && has_name(head, *delimiter, "MACHINE_NAME");
                return true;
            }
        if (map && map->fields > 0 && has_names(head, *delimiter, map->columns, map->count))
            return !is_other(context, head);
    }
    head->delimiter = *given ? *given : ',';
    return false;
}

/* A field where there is a map. */
static orr_status on_field(void *user, const char *text, size_t size)
{
    csv_state *csv = user;
    int32_t column = csv->rows.column;
    int known = csv->rows.table.known[column];
    const char *expected;
    if (known > 0)
        ORI_TRY(ori_rows_read(&csv->rows, &csv->rows.table.columns[known - 1], text, size,
                              &csv->context->record));
    orr_status status = ori_layer_read(&csv->layer, column, text, size, &csv->context->record,
                                       &expected, csv->rows.err);
    return status == ORR_ERR_INPUT ? ori_rows_fail_field(&csv->rows, expected, text, size) : status;
}

static void csv_open(void *state, const ori_head *head)
{
    static const ori_row_handlers handlers = {.header = on_header, .row = on_row, .bad = on_bad};
    static const ori_row_handlers layered = {
        .header = on_header, .field = on_field, .row = on_row, .bad = on_bad};
    csv_state *csv = state;
    csv->mapped = csv->context->map && csv->context->map->fields > 0;
    csv->rows = (ori_rows){.alloc = csv->context->alloc,
                           .path = csv->context->name,
                           .what = "a job log",
                           .line = &csv->context->line,
                           .most_columns = ORI_MOST_COLUMNS,
                           .headers = true,
                           .handlers = csv->context->map ? &layered : &handlers,
                           .user = csv,
                           .record = &csv->context->record};
    csv->blanks = head->delimiter == ' ';
    ori_rows_open(&csv->rows, csv->blanks ? BETWEEN : head->delimiter);
}

/* Bytes with one BETWEEN for every run of blanks outside of quotes, none at the ends of a line. */
static orr_status feed_blanks(csv_state *csv, const char *bytes, size_t size, orr_error *err)
{
    char piece[1 << 12];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        csv->quoted ^= c == '"';
        bool blank = !csv->quoted && c == ' ', end = c == '\n' || c == '\r';
        if (used + 2 > sizeof piece) {
            ORI_TRY(ori_rows_feed(&csv->rows, piece, used, err));
            used = 0;
        }
        if (csv->before == ' ' && !blank && !end)
            piece[used++] = BETWEEN;
        if (!blank)
            piece[used++] = c;
        if (end && !csv->quoted)
            csv->before = '\0';
        else if (!blank || csv->before != '\0')
            csv->before = blank ? ' ' : 'x';
    }
    return ori_rows_feed(&csv->rows, piece, used, err);
}

static orr_status csv_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    csv_state *csv = state;
    csv->rows.zero = csv->context->zeros ? csv->context->spoiled_by : NULL;
    csv->rows.zero_reason = csv->context->spoils;
    return csv->blanks ? feed_blanks(csv, bytes, size, err)
                       : ori_rows_feed(&csv->rows, bytes, size, err);
}

static orr_status csv_finish(void *state, orr_error *err)
{
    return ori_rows_finish(&((csv_state *)state)->rows, err);
}

static void csv_close(void *state)
{
    ori_rows_close(&((csv_state *)state)->rows);
}

const ori_format ori_format_csv = {.named = true,
                                   .recognises = is_csv,
                                   .state_size = sizeof(csv_state),
                                   .open = csv_open,
                                   .feed = csv_feed,
                                   .finish = csv_finish,
                                   .close = csv_close};
