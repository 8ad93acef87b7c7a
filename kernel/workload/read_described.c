/* Formats as data: a line is cut into named texts, or an object of JSON is asked for them, and a
 * map says which field of a job each one fills. */
#include "workload/read_described_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "map_internal.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 256, LONGEST_RECORD = 1 << 20, NUMBER_SIZE = 32 };

typedef struct name {
    const char *text;
    size_t size;
    bool counted; /* as many fields as the one before it says */
    int first;    /* the first column of the map with this name, from 1; 0: none */
} name;

typedef struct described_state {
    ori_read_context *context;
    const orr_format *format; /* NULL: nothing is prepared yet */
    ori_map map;
    ori_layer layer; /* for its clock */
    char *header;    /* the first line, where it has the names */
    int64_t header_size, header_capacity;
    name names[MOST_NAMES];
    int count;                        /* of names; 0: they are not known yet */
    int needed;                       /* fields that a line must have */
    bool pairs;                       /* behind the names */
    const char *rest;                 /* of the line: them; NULL: none */
    bool unfinished;                  /* the job of this record */
    orr_labels keys;                  /* those that are not in the header, as records show them */
    ori_field field[ORI_MOST_MAPPED]; /* of the record, by column of the map */
    int next[ORI_MOST_MAPPED];        /* another column with the same name, from 1; 0: none */

    /* JSON */
    const json_t *object; /* being read */
    char number[ORI_MOST_MAPPED][NUMBER_SIZE];
    char *text; /* of the object that is not over yet */
    int64_t size, capacity, line;
    int depth;
    bool inside, quoted, escaped, too_long;
} described_state;

#define FAIL(STATE, ERR, FORMAT, ...)                                                              \
    orr_fail(ERR, ORR_ERR_INPUT, "%s:%lld: " FORMAT, (STATE)->context->name,                       \
             (long long)(STATE)->context->line + 1, __VA_ARGS__)

/* --- texts of a format -------------------------------------------------------------------------*/

static bool is_word(const char *text, size_t size, const char *word, size_t length)
{
    return size == length && memcmp(text, word, size) == 0;
}

/* The next part of a list with commas, with its size; NULL behind the last. */
static const char *next_part(const char *list, char between, size_t *size)
{
    const char *stop = strchr(list, between);
    *size = stop ? (size_t)(stop - list) : strlen(list);
    return stop ? stop + 1 : NULL;
}

/* Whether a text is among the words "a|b" of so many bytes; equal numbers are equal. */
static bool has_word(const char *words, size_t size, const char *text, size_t length)
{
    double number, other;
    bool numeric = ori_parse_number(text, length, &number);
    for (const char *word = words, *end = words + size; word <= end;) {
        const char *bar = memchr(word, '|', (size_t)(end - word));
        size_t one = (size_t)((bar ? bar : end) - word);
        if ((one == length && memcmp(word, text, one) == 0) ||
            (numeric && ori_parse_number(word, one, &other) && number == other))
            return true;
        word += one + 1;
    }
    return false;
}

/* Whether a text means that a field is not known. */
static bool is_absent(const described_state *s, int column, const char *text, size_t length)
{
    size_t size, end;
    for (const char *part = s->format->absent, *next; part; part = next) {
        next = next_part(part, ',', &size);
        end = strcspn(part, "=");
        if (end < size && ori_map_field(part, end) == s->map.columns[column].field &&
            has_word(part + end + 1, size - end - 1, text, length))
            return true;
    }
    return length == 0;
}

/* The status that stands for a text of the log. */
static void map_state(described_state *s, ori_field *field)
{
    size_t size;
    for (const char *part = s->format->states, *next; part; part = next) {
        next = next_part(part, ',', &size);
        size_t end = strcspn(part, "=");
        if (end >= size || (!has_word(part, end, field->text, field->size) && *part != '*'))
            continue;
        field->text = part + end + 1;
        field->size = size - end - 1;
        s->unfinished = is_word(field->text, field->size, "unfinished", 10);
        return;
    }
}

/* --- names -------------------------------------------------------------------------------------*/

/* Notes a key of a record, once, that no column has, nor begins its path with; while the format is
 * recognised nothing is noted. */
static orr_status ignore_key(described_state *s, const char *key, size_t size, orr_error *err)
{
    int32_t before = s->keys.count, number;
    if (!s->context->described)
        return ORR_OK;
    ORI_TRY(orr_labels_number(&s->keys, key, size, &number, err));
    bool known = number <= before;
    for (int i = 0; i < s->map.count && !known; i++)
        known = strncmp(s->map.columns[i].name, key, size) == 0 &&
                (s->map.columns[i].name[size] == '\0' || s->map.columns[i].name[size] == '.');
    if (!known)
        ori_jobs_ignore(s->context->jobs, key, size);
    return ORR_OK;
}

static void link_name(described_state *s, int n)
{
    name *one = &s->names[n];
    for (int i = s->map.count; i-- > 0;) {
        if (!is_word(one->text, one->size, s->map.columns[i].name, strlen(s->map.columns[i].name)))
            continue;
        s->next[i] = one->first;
        one->first = i + 1;
        s->needed = n + 1 > s->needed ? n + 1 : s->needed;
    }
    if (one->first == 0 && s->context->described)
        ori_jobs_ignore(s->context->jobs, one->text, one->size);
}

static void add_name(described_state *s, const char *text, size_t size)
{
    if (s->count == MOST_NAMES)
        return;
    if (is_word(text, size, "=", 1)) {
        s->pairs = true;
        return;
    }
    bool counted = size > 0 && text[size - 1] == '*';
    s->names[s->count] = (name){.text = text, .size = size - counted, .counted = counted};
    link_name(s, s->count++);
}

/* Reads the texts of the format. */
static orr_status prepare_texts(described_state *s, const orr_format *format, orr_error *err)
{
    size_t size;
    s->format = format;
    s->keys.alloc = s->context->alloc;
    ORI_TRY(ori_map_read(&s->map, format->columns, format->records, NULL, 0, false, true, err));
    ORI_TRY(ori_map_check(&s->map, err));
    ori_layer_open(&s->layer, &s->map);
    for (int i = 0; i < s->map.count; i++)
        s->field[i].name = s->map.columns[i].name;
    for (const char *part = format->header, *next; part; part = next) {
        next = next_part(part, ',', &size);
        add_name(s, part, size);
    }
    if (s->pairs)
        s->needed = s->count;
    return ORR_OK;
}

/* --- lines -------------------------------------------------------------------------------------*/

/* A field, in quotes or not; returns where the next one begins, NULL behind the last. */
static const char *next_field(const char *p, const char *end, char delimiter, const char **text,
                              size_t *size)
{
    const char *stop = p;
    if (p < end && *p == '"') {
        *text = ++stop;
        while (stop < end && (*stop != '"' || (stop + 1 < end && stop[1] == '"')))
            stop += *stop == '"' ? 2 : 1;
        stop = stop < end ? stop : end;
        *size = (size_t)(stop - *text);
        while (stop < end && *stop != delimiter)
            stop++;
    } else {
        stop = p < end ? memchr(p, delimiter, (size_t)(end - p)) : NULL;
        stop = stop ? stop : end;
        *text = p;
        *size = (size_t)(stop - p);
    }
    if (stop >= end)
        return NULL;
    for (stop++; delimiter == ' ' && stop < end && *stop == ' ';)
        stop++;
    return delimiter == ' ' && stop == end ? NULL : stop;
}

static void put_text(described_state *s, int first, const char *text, size_t size)
{
    for (int i = first; i > 0; i = s->next[i - 1]) {
        s->field[i - 1].text = text;
        s->field[i - 1].size = size;
    }
}

static orr_status read_pairs(described_state *s, const char *p, const char *end, orr_error *err)
{
    const char *text;
    size_t size;
    while (p && p < end) {
        const char *key = p, *equals = p;
        while (equals < end && *equals != '=' && *equals != ' ')
            equals++;
        size_t length = (size_t)(equals - key);
        p = next_field(equals < end ? equals + (*equals == '=') : end, end, ' ', &text, &size);
        for (int i = 0; i < s->map.count && equals < end && *equals == '='; i++)
            if (is_word(key, length, s->map.columns[i].name, strlen(s->map.columns[i].name))) {
                s->field[i].text = text;
                s->field[i].size = size;
            }
        ORI_TRY(ignore_key(s, key, length, err));
    }
    return ORR_OK;
}

static void forget_texts(described_state *s)
{
    for (int i = 0; i < s->map.count; i++) {
        s->field[i].text = "";
        s->field[i].size = 0;
    }
}

/* Finds the texts of a line; returns how many fields it has, as far as they have names, and one
 * more where the first line has fewer; -1: a number of fields is none. Pairs are in s->rest. */
static int split_line(described_state *s, const char *line, const char *end)
{
    int n = 0;
    const char *text;
    size_t size;
    double skipped;
    forget_texts(s);
    s->rest = NULL;
    for (const char *p = line; p; n++) {
        if (n == s->count) {
            s->rest = s->pairs ? p : NULL;
            return n + (s->header && n < MOST_NAMES);
        }
        p = next_field(p, end, s->format->delimiter, &text, &size);
        put_text(s, s->names[n].first, text, size);
        if (n + 1 >= s->count || !s->names[n + 1].counted)
            continue;
        if (!ori_parse_number(text, size, &skipped) || skipped < 0 || skipped > LONGEST_RECORD)
            return -1;
        const char *begin = p;
        for (n++; skipped > 0 && p; skipped--)
            p = next_field(p, end, s->format->delimiter, &text, &size);
        put_text(s, s->names[n].first, begin, begin ? (size_t)((p ? p : end) - begin) : 0);
    }
    return n;
}

/* --- values in JSON ----------------------------------------------------------------------------*/

/* The value at a path, or the number of values that it leads to, *leaf the last of them. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by the path */
static double follow(const json_t *value, const char *path, const json_t **leaf)
{
    size_t size;
    double index, sum = 0;
    if (*path == '\0' || !value) {
        *leaf = value ? value : *leaf;
        return value != NULL;
    }
    const char *next = next_part(path, '.', &size), *rest = next ? next : "";
    if (is_word(path, size, "#", 1))
        return (double)json_array_size(value);
    if (is_word(path, size, "*", 1)) {
        for (size_t i = 0; i < json_array_size(value); i++)
            sum += follow(json_array_get(value, i), rest, leaf);
        return sum;
    }
    if (!json_is_array(value))
        return follow(json_object_getn(value, path, size), rest, leaf);
    if (!ori_parse_number(path, size, &index))
        return 0;
    index += index < 0 ? (double)json_array_size(value) : 0;
    return index < 0 ? 0 : follow(json_array_get(value, (size_t)index), rest, leaf);
}

/* Finds the text of a column in the object. */
static orr_status ask_object(described_state *s, int i, orr_error *err)
{
    const json_t *leaf = NULL;
    const char *path = s->map.columns[i].name;
    ori_field *field = &s->field[i];
    char *number = s->number[i];
    double count = follow(s->object, path, &leaf);
    field->text = number;
    if (path[strlen(path) - 1] == '#')
        field->size = (size_t)snprintf(number, NUMBER_SIZE, "%.0f", count);
    else if (json_is_string(leaf)) {
        field->text = json_string_value(leaf);
        field->size = json_string_length(leaf);
    } else if (json_is_integer(leaf))
        field->size =
            (size_t)snprintf(number, NUMBER_SIZE, "%lld", (long long)json_integer_value(leaf));
    else if (json_is_real(leaf))
        field->size = (size_t)snprintf(number, NUMBER_SIZE, "%.17g", json_real_value(leaf));
    else if (json_is_boolean(leaf))
        field->size =
            (size_t)snprintf(number, NUMBER_SIZE, "%s", json_is_true(leaf) ? "true" : "false");
    else if (leaf && !json_is_null(leaf)) {
        s->context->reason = ORR_DROP_FIELD;
        field->text = json_is_array(leaf) ? "a list" : "an object";
        field->size = strlen(field->text);
        return FAIL(s, err, "%s: expected a text or a number, found %s", path, field->text);
    } else
        field->size = 0;
    return ORR_OK;
}

/* --- records -----------------------------------------------------------------------------------*/

static bool is_known(const ori_record *record, const ori_column *column)
{
    const void *at = (const char *)record + column->field;
    switch (column->field) {
    case ORI_RECORD(id):
        return true;
    case ORI_RECORD(ask): /* each column asks for something else, of needs the largest counts */
    case ORI_RECORD(needs):
        return false;
    case ORI_RECORD(after):
        return record->after && record->after->size > 0;
    case ORI_RECORD(submitted):
    case ORI_RECORD(started):
    case ORI_RECORD(ended):
        return ((const ori_stamp *)at)->known;
    case ORI_RECORD(time):
    case ORI_RECORD(walltime):
    case ORI_RECORD(wait):
    case ORI_RECORD(think):
#define CASE(name) case ORI_RECORD(pays.name):
        ORR_PAYS(CASE)
        return !isnan(*(const double *)at);
    default:
        return *(const int32_t *)at > 0;
    }
}

/* "path:line: start: expected ..., found ..." */
static orr_status fail_text(const described_state *s, int i, const char *expected, orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    const char *text = s->field[i].text;
    size_t size = s->field[i].size;
    s->context->reason = ori_reason_of(text, size);
    return FAIL(s, err, "%s: expected %s, found %s", s->map.columns[i].name, expected,
                ori_quote(text, size, found));
}

static orr_status read_column(described_state *s, int i, orr_error *err)
{
    const char *expected;
    ori_field *field = &s->field[i];
    if (s->object)
        ORI_TRY(ask_object(s, i, err));
    if (is_absent(s, i, field->text, field->size))
        return ORR_OK;
    if (s->map.columns[i].field == ORI_RECORD_LABEL(STATUS))
        map_state(s, field);
    orr_status status = ori_column_read(&s->map.columns[i], field->text, field->size,
                                        &s->context->record, &expected, err);
    return status == ORR_ERR_INPUT ? fail_text(s, i, expected, err) : status;
}

/* Whether the record is one of the format, by its texts. */
static orr_status read_filters(described_state *s, orr_error *err)
{
    const char *expected;
    for (int i = s->map.fields; i < s->map.count; i++) {
        if (s->object)
            ORI_TRY(ask_object(s, i, err));
        ORI_TRY(ori_column_read(&s->map.columns[i], s->field[i].text, s->field[i].size,
                                &s->context->record, &expected, err));
    }
    return ORR_OK;
}

static orr_status add_record(described_state *s, orr_error *err)
{
    ori_record *record = &s->context->record;
    char expected[ORI_WIDE_SIZE];
    ori_record_take_procs(s->context);
    ori_record_localize(s->context);
    ori_layer_complete(&s->layer, record);
    if (s->unfinished)
        return ori_record_drop(s->context, ORR_DROP_UNFINISHED, err);
    if (ori_map_has(&s->map, ORI_RECORD(started)) && !record->started.known && record->ended.known)
        return ori_record_drop(s->context, ORR_DROP_NEVER_RAN, err);
    ori_record_set_wait(record);
    const char *status = orr_labels_text(record->names, record->label.of[ORR_LABEL_STATUS]);
    if (isnan(record->time) && status && strcmp(status, ORR_STATUS_CANCELLED) == 0)
        return ori_record_drop(s->context, ORR_DROP_NEVER_RAN, err);
    if (ori_record_is_too_wide(s->context, "processors of the machine", expected))
        return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: expected %s, found %d", s->context->name,
                        (long long)record->line, expected, (int)record->procs);
    return ori_record_add(s->context, err);
}

/* The texts of a record are known. */
static orr_status read_record(described_state *s, orr_error *err)
{
    s->unfinished = false;
    for (int i = 0; i < s->map.fields; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= s->map.columns[k].field == s->map.columns[i].field &&
                     is_known(&s->context->record, &s->map.columns[k]) && s->field[k].size > 0;
        if (!again)
            ORI_TRY(read_column(s, i, err));
    }
    return add_record(s, err);
}

static void begin_record(described_state *s)
{
    ori_record_clear(s->context);
    ori_record_forget_id(s->context);
    ori_record_forget_after(&s->context->record);
}

static orr_status read_fields(described_state *s, const char *line, const char *end, orr_error *err)
{
    int n = split_line(s, line, end);
    ORI_TRY(read_pairs(s, s->rest, end, err));
    ORI_TRY(read_filters(s, err));
    if (s->context->record.apart)
        return ORR_OK;
    s->context->reason = ORR_DROP_FIELDS;
    if (n < 0)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: a field that should say how many others follow is no such number",
                        s->context->name, (long long)s->context->line + 1);
    if (n < s->needed)
        return FAIL(s, err, "expected at least %d fields, found %d", s->needed, n);
    if (s->header && n != s->count)
        return FAIL(s, err, "expected %d fields, found %s%d", s->count,
                    n > s->count ? "at least " : "", n);
    return read_record(s, err);
}

static orr_status take_names(described_state *s, const char *line, const char *end, orr_error *err)
{
    size_t size = (size_t)(end - line);
    const char *text;
    ORI_TRY(
        ORI_RESERVE(&s->context->alloc, &s->header, &s->header_capacity, (int64_t)size + 1, err));
    memcpy(s->header, line, size);
    for (const char *p = s->header; p;) {
        p = next_field(p, s->header + (end - line), s->format->delimiter, &text, &size);
        add_name(s, text, size);
    }
    return ORR_OK;
}

/* Whether a line has all names of the first line, which has names. */
static bool is_header_again(const described_state *s, const char *line, const char *end)
{
    const char *text;
    size_t size;
    int found = 0;
    for (const char *p = line; p;) {
        p = next_field(p, end, s->format->delimiter, &text, &size);
        for (int n = 0; n < s->count; n++)
            found += is_word(text, size, s->names[n].text, s->names[n].size);
        if (found == 0)
            return false;
    }
    return found >= s->count;
}

static orr_status read_line(void *state, const char *line, size_t size, orr_error *err)
{
    described_state *s = state;
    size -= size > 0 && line[size - 1] == '\r';
    if (size == 0 || (*line == '#' && !s->header))
        return ORR_OK;
    if (!s->format)
        ORI_TRY(prepare_texts(s, s->context->described, err));
    if (s->header && (unsigned)*line - '0' > 9 && is_header_again(s, line, line + size)) {
        *s->context->jobs->ignored = '\0';
        s->context->jobs->ignored_count = s->count = s->needed = 0;
    }
    if (s->count == 0 && !s->pairs)
        return take_names(s, line, line + size, err);
    begin_record(s);
    orr_status status = read_fields(s, line, line + size, err);
    return ORR_LIKELY(status == ORR_OK)
               ? ORR_OK
               : ori_record_settle(s->context, s->context->reason, status, err);
}

/* --- JSON --------------------------------------------------------------------------------------*/

/* Whether an object has the keys by which the format is told. */
static bool has_keys(const described_state *s, const json_t *object)
{
    size_t size;
    bool all = true;
    for (const char *part = s->format->signs, *next; part; part = next) {
        next = next_part(part, ',', &size);
        all &= json_object_getn(object, part, size) != NULL;
    }
    return all;
}

static orr_status read_object(described_state *s, orr_error *err)
{
    ORI_TRY(read_filters(s, err));
    if (s->context->record.apart)
        return ORR_OK;
    for (void *at = json_object_iter((json_t *)s->object); at;
         at = json_object_iter_next((json_t *)s->object, at))
        ORI_TRY(ignore_key(s, json_object_iter_key(at), strlen(json_object_iter_key(at)), err));
    return read_record(s, err);
}

static orr_status fail_syntax(const described_state *s, const json_error_t *problem, orr_error *err)
{
    s->context->reason = ORR_DROP_FIELD;
    return json_error_code(problem) == json_error_out_of_memory
               ? orr_fail_memory(err, (size_t)s->size)
               : orr_fail(err, ORR_ERR_INPUT, "%s:%lld: not JSON: %s", s->context->name,
                          (long long)s->context->line + problem->line, problem->text);
}

/* The text of an object is complete. */
static orr_status end_object(described_state *s, orr_error *err)
{
    json_error_t problem;
    int64_t here = s->context->line;
    s->context->line = s->line;
    begin_record(s);
    orr_status status = ORR_OK;
    if (s->too_long) {
        s->context->reason = ORR_DROP_LONG;
        status = orr_fail(err, ORR_ERR_INPUT, "%s:%lld: an object of more than 1 MiB",
                          s->context->name, (long long)s->line + 1);
    } else {
        json_t *object = json_loadb(s->text, (size_t)s->size, JSON_REJECT_DUPLICATES, &problem);
        if (!object)
            status = fail_syntax(s, &problem, err);
        s->object = object;
        if (object && has_keys(s, object))
            status = read_object(s, err);
        json_decref(object);
    }
    if (status != ORR_OK)
        status = ori_record_settle(s->context, s->context->reason, status, err);
    s->context->line = here;
    s->size = 0;
    s->inside = s->too_long = false;
    return status;
}

static orr_status keep_object(described_state *s, const char *bytes, size_t size, orr_error *err)
{
    s->too_long |= s->size + (int64_t)size > LONGEST_RECORD;
    if (s->too_long)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&s->context->alloc, &s->text, &s->capacity, s->size + (int64_t)size, err));
    memcpy(s->text + s->size, bytes, size);
    s->size += (int64_t)size;
    return ORR_OK;
}

/* Follows strings and brackets: +1 where an object of a record begins at this byte, -1 where it
 * ends with it. */
static int step_brackets(described_state *s, char c)
{
    if (s->quoted) {
        bool ends = c == '"' && !s->escaped;
        s->escaped = c == '\\' && !s->escaped;
        s->quoted = !ends;
        return 0;
    }
    if (c == '"')
        s->quoted = true;
    if (c == '{' || c == '[')
        return s->depth++ == s->format->depth && c == '{' && !s->inside;
    if (c == '}' || c == ']')
        return --s->depth == s->format->depth && s->inside ? -1 : 0;
    return 0;
}

static orr_status feed_described(void *state, const char *bytes, size_t size, orr_error *err)
{
    described_state *s = state;
    size_t begin = 0;
    if (!s->format)
        ORI_TRY(prepare_texts(s, s->context->described, err));
    for (size_t i = 0; i < size; i++) {
        int edge = step_brackets(s, bytes[i]);
        if (edge > 0) {
            s->inside = true;
            s->line = s->context->line;
            begin = i;
        } else if (edge < 0) {
            ORI_TRY(keep_object(s, bytes + begin, i + 1 - begin, err));
            ORI_TRY(end_object(s, err));
        }
        s->context->line += bytes[i] == '\n';
    }
    return s->inside ? keep_object(s, bytes + begin, size - begin, err) : ORR_OK;
}

static orr_status finish_described(void *state, orr_error *err)
{
    described_state *s = state;
    return s->inside ? end_object(s, err) : ORR_OK;
}

static void close_described(void *state)
{
    described_state *s = state;
    orr_labels_destroy(&s->keys);
    ORI_FREE(&s->context->alloc, &s->header, &s->header_capacity);
    ORI_FREE(&s->context->alloc, &s->text, &s->capacity);
}

/* --- the format --------------------------------------------------------------------------------*/

/* Whether "NAME" or "NAME=WORD|WORD" holds for the line that was split. */
static bool holds_sign(const described_state *s, const char *sign, size_t size)
{
    size_t length = strcspn(sign, "=");
    length = length < size ? length : size;
    for (int i = 0; i < s->map.count && !s->header; i++) {
        const ori_field *field = &s->field[i];
        if (is_word(sign, length, field->name, strlen(field->name)))
            return field->size > 0 &&
                   (length == size ||
                    has_word(sign + length + 1, size - length - 1, field->text, field->size));
    }
    for (int n = 0; n < s->count && s->header; n++) /* names of the first line */
        if (is_word(sign, length, s->names[n].text, s->names[n].size))
            return true;
    return false;
}

/* Whether the texts of a line are what their columns must be, as far as they are numbers. */
static bool fits_line(const described_state *s)
{
    ori_record record = {.submit = NAN};
    const char *expected;
    for (int i = 0; i < s->map.fields && !s->header; i++) {
        const ori_column *column = &s->map.columns[i];
        const ori_type *type = column->type;
        if (type->read != ori_read_id && type->read != ori_read_label &&
            type->read != ori_after_type.read &&
            !is_absent(s, i, s->field[i].text, s->field[i].size) &&
            ori_column_read(column, s->field[i].text, s->field[i].size, &record, &expected, NULL) !=
                ORR_OK)
            return false;
    }
    return true;
}

static bool has_signs(described_state *s, const ori_head *head, orr_status *status, orr_error *err)
{
    size_t size;
    const char *end = head->line + head->size;
    if (s->count == 0 && !s->pairs) {
        *status = take_names(s, head->line, end, err);
        if (*status != ORR_OK)
            return false;
        forget_texts(s);
    } else if (split_line(s, head->line, end) < s->needed ||
               read_pairs(s, s->rest, end, NULL) != ORR_OK) {
        return false;
    }
    for (const char *part = s->format->signs, *next; part; part = next) {
        next = next_part(part, ',', &size);
        if (!holds_sign(s, part, size))
            return false;
    }
    return fits_line(s);
}

/* Whether a text has a key in quotes. */
static bool has_quoted(const ori_head *head, const char *key, size_t size)
{
    const char *end = head->line + head->size;
    for (const char *p = head->line; (p = memchr(p, '"', (size_t)(end - p))) != NULL; p++)
        if ((size_t)(end - p) > size + 1 && p[size + 1] == '"' && memcmp(p + 1, key, size) == 0)
            return true;
    return false;
}

orr_status ori_described_recognises(const ori_read_context *context, const orr_format *format,
                                    const ori_head *head, bool *is, orr_error *err)
{
    ori_read_context copy = *context;
    size_t size;
    *is = format->signs != NULL;
    if (!*is)
        return ORR_OK;
    if (format->json) {
        for (const char *part = format->signs, *next; part && *is; part = next) {
            next = next_part(part, ',', &size);
            *is = has_quoted(head, part, size);
        }
        return ORR_OK;
    }
    described_state *s = ori_new(&copy.alloc, sizeof *s, err);
    if (!s)
        return ORR_ERR_MEMORY;
    s->context = &copy;
    orr_status status = prepare_texts(s, format, err);
    *is = status == ORR_OK && has_signs(s, head, &status, err);
    close_described(s);
    orr_release(&copy.alloc, s, sizeof *s);
    return status == ORR_ERR_MEMORY ? status : ORR_OK; /* wrong texts are of no log */
}

const ori_format ori_format_described = {.about = "a format that was given",
                                         .state_size = sizeof(described_state),
                                         .line = read_line,
                                         .close = close_described};

const ori_format ori_format_objects = {.about = "a format that was given",
                                       .state_size = sizeof(described_state),
                                       .feed = feed_described,
                                       .finish = finish_described,
                                       .close = close_described};
