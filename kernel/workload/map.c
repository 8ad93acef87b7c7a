/* Maps: columns with names of their own, with units and formats of dates, and filters of rows: a
 * table of columns with types of its own. */
#include "map_internal.h"

#include "base/try_internal.h"
#include "workload/utc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- dates in any format -----------------------------------------------------------------------*/

typedef struct date {
    int year, month, day, hour, minute, second;
    double fraction, offset; /* s; of the zone, east is positive */
    double unix_time;        /* NaN: not given as Unix time */
    bool pm, am;
} date;

static bool take_number(const char **text, const char *end, int most, int least, int *value)
{
    const char *begin = *text;
    *value = 0;
    while (*text < end && *text - begin < most && (unsigned)**text - '0' <= 9)
        *value = *value * 10 + (*(*text)++ - '0');
    return *text - begin >= least;
}

static bool take_month(const char **text, const char *end, int *month)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    for (*month = 1; end - *text >= 3 && *month <= 12; ++*month) {
        const char *name = names + 3 * (*month - 1);
        if (((*text)[0] | 32) != name[0] || ((*text)[1] | 32) != name[1] ||
            ((*text)[2] | 32) != name[2])
            continue;
        *text += 3;
        return true;
    }
    return false;
}

/* Z, or +hh:mm, +hhmm, +hh. */
static bool take_zone(const char **text, const char *end, double *offset)
{
    int hours, minutes = 0;
    if (*text < end && **text == 'Z') {
        ++*text;
        return true;
    }
    if (*text == end || (**text != '+' && **text != '-'))
        return false;
    double sign = *(*text)++ == '-' ? -1 : 1;
    if (!take_number(text, end, 2, 2, &hours))
        return false;
    if (*text < end && **text == ':' && ++*text == end)
        return false;
    if (*text < end && !take_number(text, end, 2, 2, &minutes))
        return false;
    *offset = sign * (hours * 3600 + minutes * 60);
    return hours < 24 && minutes < 60;
}

static bool take_half(const char **text, const char *end, date *d)
{
    if (end - *text < 2 || ((*text)[1] | 32) != 'm')
        return false;
    d->am = ((*text)[0] | 32) == 'a';
    d->pm = ((*text)[0] | 32) == 'p';
    *text += 2;
    return d->am || d->pm;
}

static bool take_fraction(const char **text, const char *end, date *d)
{
    double unit = 0.1;
    const char *begin = *text;
    for (; *text < end && (unsigned)**text - '0' <= 9; unit /= 10)
        d->fraction += unit * (*(*text)++ - '0');
    return *text > begin;
}

/* One directive of a format; short forms such as %T were expanded before. */
static bool take(char directive, const char **text, const char *end, date *d)
{
    switch (directive) {
    case 'Y':
        return take_number(text, end, 4, 4, &d->year);
    case 'y':
        if (!take_number(text, end, 2, 2, &d->year))
            return false;
        d->year += d->year < 69 ? 2000 : 1900;
        return true;
    case 'm':
        return take_number(text, end, 2, 1, &d->month);
    case 'b':
        return take_month(text, end, &d->month);
    case 'd':
        return take_number(text, end, 2, 1, &d->day);
    case 'H':
    case 'I':
        return take_number(text, end, 2, 1, &d->hour);
    case 'M':
        return take_number(text, end, 2, 2, &d->minute);
    case 'S':
        return take_number(text, end, 2, 2, &d->second);
    case 'f':
        return take_fraction(text, end, d);
    case 'p':
        return take_half(text, end, d);
    case 'z':
        return take_zone(text, end, &d->offset);
    default: /* %% */
        return *text < end && *(*text)++ == directive;
    }
}

static const char DIRECTIVES[] = "YymbdHIMSfpz%";

static bool take_date(const char *format, const char *text, const char *end, date *d)
{
    for (; *format; format++) {
        if (*format != '%') {
            if (text == end || *text++ != *format)
                return false;
        } else if (!take(*++format, &text, end, d)) {
            return false;
        }
    }
    return text == end;
}

static bool read_date(const char *format, const char *text, size_t size, ori_stamp *stamp)
{
    date d = {.month = 1, .day = 1};
    char plain[80];
    if (!take_date(format, text, text + size, &d))
        return false;
    if (d.am || d.pm) {
        if (d.hour < 1 || d.hour > 12)
            return false;
        d.hour = d.hour % 12 + (d.pm ? 12 : 0);
    }
    int length = snprintf(plain, sizeof plain, "%04d-%02d-%02d %02d:%02d:%02d", d.year, d.month,
                          d.day, d.hour, d.minute, d.second);
    if (!orr_utc_parse(plain, (size_t)length, &stamp->us))
        return false;
    stamp->us += llround((d.fraction - d.offset) * 1e6);
    stamp->local = !strstr(format, "%z");
    return true;
}

/* --- types -------------------------------------------------------------------------------------*/

#define NUMBER_OR_DATE "seconds, or a time as YYYY-MM-DD HH:MM:SS"

static const char *const no_value[] = {"NaN", "NA", "None", "null", "Unknown", "-1", NULL};

/* The name of a column; behind its zero stands the format of its dates. */
static const char *format_of(const ori_column *column)
{
    return column->name + strlen(column->name) + 1;
}

/* Reads an ISO 8601 time, with or without a zone. */
static bool read_iso(const char *text, size_t size, ori_stamp *stamp)
{
    double offset = 0;
    size_t plain = size;
    while (plain > 19 && text[plain - 1] != '+' && text[plain - 1] != '-')
        plain--;
    const char *zone = plain > 19 ? text + plain - 1 : text + size;
    if (size > 19 && text[size - 1] == 'Z')
        zone = text + size - 1;
    if (zone < text + size && !take_zone(&zone, text + size, &offset))
        return false;
    if (zone != text + size)
        return false;
    size_t used = plain > 19 ? plain - 1 : size - (size > 19 && text[size - 1] == 'Z');
    if (!orr_utc_parse(text, used, &stamp->us))
        return false;
    stamp->us -= llround(offset * 1e6);
    stamp->local = used == size;
    return true;
}

/* A moment: a number in the column's unit, since 1970 or since second 0 of the log, or a date. */
static orr_status read_moment(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    ori_stamp *stamp = ori_column_at(column, row);
    ori_record *record = row;
    double value;
    bool number = *format_of(column) == '\0' && ori_parse_number(text, size, &value);
    bool calendar = !number || column->type->whole; /* whole: since 1970 */
    (void)expected, (void)err;
    if (number) {
        value *= column->type->unit;
        if (!(value >= 0 && value < 9e12))
            return ORR_ERR_INPUT;
        stamp->us = llround(value * 1e6);
        if (value == 0 && column->type->whole && column->field == ORI_RECORD(started)) {
            record->never_started = true;
            return ORR_OK;
        }
    } else if (*format_of(column) ? !read_date(format_of(column), text, size, stamp)
                                  : !read_iso(text, size, stamp)) {
        return ORR_ERR_INPUT;
    }
    stamp->known = true;
    stamp->local &= !column->type->more; /* else the format says that it is UTC */
    if (column->field == ORI_RECORD(submitted))
        record->submit = calendar ? NAN : value;
    return ORR_OK;
}

/* A span: a number in the column's unit, or [days-]hours:minutes:seconds. */
static orr_status read_span(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    return memchr(text, ':', size) ? ori_read_duration(column, text, size, row, expected, err)
                                   : ori_read_number(column, text, size, row, expected, err);
}

/* Processors: a number times the column's factor. */
static orr_status read_processors(const ori_column *column, const char *text, size_t size,
                                  void *row, const char **expected, orr_error *err)
{
    double value;
    (void)expected, (void)err;
    if (!ori_parse_number(text, size, &value))
        return ORR_ERR_INPUT;
    value *= column->type->unit;
    if (!(value >= 0 && value <= INT32_MAX) || value != floor(value))
        return ORR_ERR_INPUT;
    *(int32_t *)ori_column_at(column, row) = (int32_t)value;
    return ORR_OK;
}

/* The text behind "KEY=" in "a=4,mem=2000" or "rusage[mem=2000]", up to one of the characters in
 * `ends`; NULL: there is none. */
static const char *find_key(const char *text, const char *end, const char *key, const char *ends,
                            size_t *size)
{
    size_t length = strlen(key);
    for (const char *p = text; (size_t)(end - p) > length; p++) {
        if ((p > text && !strchr(", [:(", p[-1])) || memcmp(p, key, length) != 0 ||
            p[length] != '=')
            continue;
        p += length + 1;
        *size = 0;
        while (p + *size < end && !strchr(ends, p[*size]))
            ++*size;
        return p;
    }
    return NULL;
}

/* Such a number, for the type that the unit alone would have. */
static orr_status read_keyed(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    text = find_key(text, text + size, column->type->more, ", ", &size);
    if (!text)
        return ORR_OK; /* not known */
    return column->field == ORI_RECORD(procs)
               ? read_processors(column, text, size, row, expected, err)
               : read_span(column, text, size, row, expected, err);
}

/* An amount with a unit, as "16gb", "2G" or "512": in bytes, of one without a letter in type->unit;
 * type->whole: a small letter alone is a power of 1000. A part of a unit counts as one. */
static bool take_amount(const ori_type *type, const char *text, size_t size, double *amount)
{
    static const char letters[] = "KMGT";
    bool bytes = size > 1 && (text[size - 1] | 32) == 'b';
    size -= bytes;
    char last = size > 0 ? text[size - 1] : '\0';
    const char *letter = (last | 32) > 'f' ? strchr(letters, last & ~32) : NULL;
    double base = type->whole && !bytes && last >= 'a' ? 1000 : 1024;
    double unit = letter ? pow(base, (double)(letter - letters + 1)) : bytes ? 1 : type->unit;
    if (!ori_parse_number(text, size - (letter != NULL), amount))
        return false;
    *amount = unit == 1 ? *amount : ceil(*amount * unit);
    return *amount <= (double)ORR_MOST_AMOUNT;
}

/* The sum of chunks as "2:ncpus=4+1:ncpus=2:mem=1gb", so many with so much behind KEY= each, or
 * `each`; false: it is none. */
static bool sum_chunks(const ori_type *type, const char *key, double default_each, const char *text,
                       const char *end, double *sum)
{
    size_t length = strlen(key);
    *sum = 0;
    for (const char *p = text; p < end; p++) {
        double count = 1, each = default_each;
        bool first = true;
        for (; p < end && *p != '+'; p += p < end && *p == ':') {
            const char *part = p;
            while (p < end && *p != ':' && *p != '+')
                p++;
            size_t size = (size_t)(p - part);
            if (first && !ori_parse_number(part, size, &count))
                count = 1; /* the name of a node */
            first = false;
            if (size > length && memcmp(part, key, length) == 0 && part[length] == '=' &&
                !take_amount(type, part + length + 1, size - length - 1, &each))
                return false;
        }
        if (!(count >= 0 && each >= 0) || count * each != floor(count * each))
            return false;
        *sum += count * each;
    }
    return true;
}

static orr_status read_chunks(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    double sum;
    (void)expected, (void)err;
    if (!sum_chunks(column->type, column->type->more, 1, text, text + size, &sum) ||
        sum > INT32_MAX)
        return ORR_ERR_INPUT;
    *(int32_t *)ori_column_at(column, row) = (int32_t)sum;
    return ORR_OK;
}

/* --- needs -------------------------------------------------------------------------------------*/

/* How many words there are between blanks, equal neighbours counted once. */
static double count_words(const char *text, const char *end)
{
    double count = 0;
    size_t before = 0, size;
    for (const char *p = text, *last = ""; p < end; p += size + 1) {
        for (size = 0; p + size < end && p[size] != ' ';)
            size++;
        if (size == 0 || (size == before && memcmp(p, last, size) == 0))
            continue;
        count++;
        last = p;
        before = size;
    }
    return count;
}

/* Whether a text, or a word of "scatter:excl", means yes. */
static bool means_yes(const char *text, size_t size)
{
    const char *word = size > 4 ? memmem(text, size, "excl", 4) : NULL;
    return (size == 1 && *text == '1') || (size == 4 && strncasecmp(text, "true", 4) == 0) ||
           (word && (word == text || word[-1] == ':'));
}

/* What a job needs, as the column's unit says (reader.h). What is no amount is noted. */
static orr_status read_amount(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    ori_record *record = row;
    const ori_type *type = column->type;
    const char *key = type->form;
    size_t length = strlen(type->more);
    double amount;
    bool known;
    (void)expected, (void)err;
    if (key && *key == '=' && !(text = find_key(text, text + size, key + 1, ", ]:)/&|", &size)))
        return ORR_OK;
    if (key && *key == 's')
        known = sum_chunks(type, key + strlen("select="), 0, text, text + size, &amount);
    else if ((known = key && *key == '#'))
        amount = count_words(text, text + size);
    else if ((known = strcmp(type->more, "exclusive") == 0))
        amount = means_yes(text, size);
    else
        known = take_amount(type, text, size, &amount);
    amount = known ? amount : NAN;
    if (record->needs && !key && (amount < 0 || amount != floor(amount)) && known) {
        int32_t pool = orr_jobs_find_pool(record->asking, type->more);
        if (pool >= 0) /* nobody is to take it for 0 */
            record->needs[pool] = -1;
        return ORR_ERR_INPUT;
    }
    if (amount <= 0 || ori_record_need(record, type->more, length, (int)type->least, amount))
        return ORR_OK;
    bool adds_up = type->least == 0 && strcmp(type->more, "mem") != 0;
    bool own = !strchr(column->name, '#') && strcmp(type->more, "nodes") != 0;
    const char *name = own ? column->name : type->more; /* as users know it */
    ori_record_ask(record, name, strlen(name), adds_up ? amount : NAN);
    return ORR_OK;
}

/* A filter: the words in type->more, each with a zero, and an empty one behind them; type->whole:
 * the row must have none of them. */
static orr_status read_filter(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    bool found = false;
    (void)expected, (void)err;
    for (const char *word = column->type->more; *word; word += strlen(word) + 1)
        found |= strlen(word) - 1 == size && memcmp(word + 1, text, size) == 0;
    ((ori_record *)row)->apart |= found == column->type->whole;
    return ORR_OK;
}

enum { MOMENT, SPAN, PROCESSORS, NEED, MACHINE, ID, AFTER, LABEL, ASK };

static const ori_type types[] = {
    [MOMENT] = {read_moment, NUMBER_OR_DATE, .unknown = no_value, .unit = 1},
    [SPAN] = {read_span, "a number >= 0, or hours:minutes:seconds", .unknown = no_value,
              .most = DBL_MAX, .unit = 1},
    [PROCESSORS] = {read_processors, "a number of processors from 0 to 2147483647",
                    .unknown = no_value, .unit = 1},
    [NEED] = {read_amount, "what a job needs, a whole number from 0 to 2^53, as 2, 512M or 64G",
              .unknown = no_value, .unit = 1},
    [ID] = {.read = ori_read_id, .most = INFINITY},
};

static const struct field {
    const char *name;
    int kind;
    size_t field;
} fields[] = {{"id", ID, ORI_RECORD(id)},
              {"submit", MOMENT, ORI_RECORD(submitted)},
              {"start", MOMENT, ORI_RECORD(started)},
              {"end", MOMENT, ORI_RECORD(ended)},
              {"procs", PROCESSORS, ORI_RECORD(procs)},
              {"requested", PROCESSORS, ORI_RECORD(requested)},
              {"machine", MACHINE, ORI_RECORD(machine_procs)},
              {"runtime", SPAN, ORI_RECORD(time)},
              {"walltime", SPAN, ORI_RECORD(walltime)},
              {"wait", SPAN, ORI_RECORD(wait)},
              {"think", SPAN, ORI_RECORD(think)},
#define PAY(name) {#name, SPAN, ORI_RECORD(pays.name)},
              ORR_PAYS(PAY)
#undef PAY
                  {"after", AFTER, ORI_RECORD(after)},
              {"asks", ASK, ORI_RECORD(ask)},
#define FIELD(KIND, name) {#name, LABEL, ORI_RECORD_LABEL(KIND)},
              ORR_LABELS(FIELD)
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* "needs.NAME", of formats. */
static const struct field needs = {"needs", NEED, ORI_RECORD(needs)};

/* --- the text of a map -------------------------------------------------------------------------*/

static const struct unit {
    const char *name;
    double seconds;
} units[] = {{"s", 1},    {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},      {"min", 60},
             {"h", 3600}, {"d", 86400}, {"unix", 1},  {"unix-ms", 1e-3}, {"utc", 1}};

/* Copies up to one of the characters in `ends`, and moves *text to that character. */
static char *copy_part(const char **text, const char *ends, char *to, const char *limit)
{
    while (**text && !strchr(ends, **text)) {
        *text += **text == '\\' && (*text)[1];
        if (to + 1 < limit)
            *to++ = *(*text)++;
        else
            return NULL;
    }
    *to = '\0';
    return to + 1;
}

/* "M", "1000" or "si", and behind it what the amount is found by: "=KEY", "select=KEY", "#". */
static orr_status read_unit_of_need(ori_type *type, const char *unit, const char *name,
                                    orr_error *err)
{
    static const char letters[] = "KMGT";
    size_t size = strcspn(unit, "=#");
    const char *letter = size == 1 && *unit ? strchr(letters, *unit) : NULL;
    bool select = size == 6 && unit[size] == '=' && strncmp(unit, "select", size) == 0;
    type->whole = size == 2 && strncmp(unit, "si", size) == 0;
    type->form = select ? unit : unit[size] ? unit + size : NULL;
    if (letter)
        type->unit = ldexp(1, 10 * (int)(letter - letters + 1));
    else if (size > 0 && !select && !type->whole)
        ORI_REFUSE(!ori_parse_number(unit, size, &type->unit) || !(type->unit > 0), err,
                   "columns: needs: %s: expected K, M, G, T, si or a number, perhaps with =KEY "
                   "or # behind it, or select=KEY, found \"%s\"",
                   name, unit);
    return ORR_OK;
}

/* Copies the name of a need, of which "_per_node" and "_per_proc" say whose it is. */
static char *name_need(ori_type *type, const char *name, size_t size, char *to, const char *limit)
{
    const char *end = name + size - (size > 9 ? 9 : size);
    int kind = strncmp(end, "_per_node", 9) == 0   ? ORI_PER_NODE
               : strncmp(end, "_per_proc", 9) == 0 ? ORI_PER_PROC
                                                   : 0;
    int length = snprintf(to, (size_t)(limit - to), "%.*s", (int)size - (kind ? 9 : 0), name);
    type->least = kind;
    type->more = to;
    return length < limit - to ? to + length + 1 : NULL;
}

static orr_status read_unit(ori_type *type, int kind, char *unit, const char *name, orr_error *err)
{
    if (*unit == '\0')
        return ORR_OK;
    if (*unit == '=' && (kind == PROCESSORS || kind == SPAN)) {
        type->read = read_keyed;
        type->more = unit + 1;
        return ORR_OK;
    }
    if (kind == PROCESSORS && (strcmp(unit, "select") == 0 || strcmp(unit, "ppn") == 0)) {
        type->read = read_chunks;
        type->more = *unit == 's' ? "ncpus" : "ppn";
        return ORR_OK;
    }
    if (kind == MACHINE) {
        char *equals = strchr(unit, '=');
        ORI_REFUSE(!equals || !ori_parse_number(equals + 1, strlen(equals + 1), &type->unit) ||
                       !(type->unit >= 1 && type->unit < INT32_MAX),
                   err, "columns: %s: expected MACHINE=PROCESSORS, found \"%s\"", name, unit);
        *equals = '\0';
        type->read = ori_read_machine;
        type->more = unit;
        return ORR_OK;
    }
    if (kind == PROCESSORS) {
        ORI_REFUSE(!ori_parse_number(unit, strlen(unit), &type->unit) || type->unit <= 0, err,
                   "columns: %s: expected a number of processors that each counts, found \"%s\"",
                   name, unit);
        *unit = '\0';
        return ORR_OK;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        bool since = units[i].name[0] == 'u' && units[i].name[1] != 's';
        if (strcmp(units[i].name, unit) != 0 || (since && kind != MOMENT))
            continue;
        type->unit = units[i].seconds;
        type->whole = since;
        type->more = units[i].name[1] == 't' ? "UTC" : NULL;
        *unit = '\0';
        return ORR_OK;
    }
    ORI_REFUSE(
        kind != MOMENT || !strchr(unit, '%'), err,
        "columns: %s: expected one of the units s, ms, us, ns, min, h, d%s, found \"%s\"", name,
        kind == MOMENT ? ", unix, unix-ms, utc, or a format such as %d.%m.%Y %H:%M:%S" : "", unit);
    for (const char *p = unit; (p = strchr(p, '%')) != NULL; p += 2)
        ORI_REFUSE(p[1] == '\0' || !strchr(DIRECTIVES, p[1]), err,
                   "columns: %s: a format may have %%Y %%y %%m %%b %%d %%H %%I %%M %%S %%f %%p %%z "
                   "%%%%, not \"%%%.1s\"",
                   name, p + 1);
    type->expected = "a time in the format that columns says";
    return ORR_OK;
}

/* "%T" is "%H:%M:%S", "%F" is "%Y-%m-%d". */
static char *write_out(const char *format, char *to, const char *limit)
{
    for (; *format; format++) {
        const char *put = format[0] != '%'   ? NULL
                          : format[1] == 'T' ? "%H:%M:%S"
                          : format[1] == 'F' ? "%Y-%m-%d"
                                             : NULL;
        size_t size = put ? strlen(put) : *format == '%' && format[1] ? 2 : 1;
        if (to + size + 1 >= limit)
            return NULL;
        memcpy(to, put ? put : format, size);
        format += put ? 1 : size - 1;
        to += size;
    }
    *to = '\0';
    return to + 1;
}

static orr_status add_column(ori_map *map, const struct field *field, const char *column,
                             char *unit, orr_error *err)
{
    int n = map->count++;
    bool stated = field->kind == ASK && strcmp(unit, "text") == 0;
    if (field->kind >= AFTER && !stated)
        ORI_REFUSE(*unit, err, "columns: %s: a text has no unit, found \"%s\"", field->name, unit);
    map->types[n] = field->kind == LABEL     ? ori_label_type
                    : field->kind == AFTER   ? ori_after_type
                    : field->kind == MACHINE ? ori_machine_type
                    : stated                 ? ori_stated_type
                    : field->kind == ASK     ? ori_asked_type
                                             : types[field->kind];
    map->columns[n] = (ori_column){column, &map->types[n], field->field, ORI_REQUIRED};
    if (field->kind == NEED)
        return read_unit_of_need(&map->types[n], unit, column, err);
    return field->kind == ID || field->kind >= AFTER
               ? ORR_OK
               : read_unit(&map->types[n], field->kind, unit, field->name, err);
}

static const struct field *find_field(const char *name, size_t size)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strlen(fields[i].name) == size && strncmp(fields[i].name, name, size) == 0)
            return &fields[i];
    return size >= 5 && strncmp(name, "needs", 5) == 0 && (size == 5 || name[5] == '.') ? &needs
                                                                                        : NULL;
}

size_t ori_map_field(const char *name, size_t size)
{
    const struct field *field = find_field(name, size);
    return field ? field->field : SIZE_MAX;
}

bool ori_map_has(const ori_map *map, size_t field)
{
    for (int i = 0; i < map->fields; i++)
        if (map->columns[i].field == field)
            return true;
    return false;
}

orr_status ori_map_check(const ori_map *map, orr_error *err)
{
    bool ends = ori_map_has(map, ORI_RECORD(started)) && ori_map_has(map, ORI_RECORD(ended));
    ORI_REFUSE(!ori_map_has(map, ORI_RECORD(procs)), err,
               "columns: procs=COLUMN is missing: how many processors a job has");
    ORI_REFUSE(!ori_map_has(map, ORI_RECORD(time)) && !ends, err,
               "columns: runtime=COLUMN is missing, or start=COLUMN and end=COLUMN");
    return ORR_OK;
}

/* The column of a need with this name, which the file may give another one; NULL: there is none. */
static ori_column *find_need(ori_map *map, const char *name, size_t size)
{
    for (ori_column *c = map->columns; c < map->columns + map->count; c++)
        if (c->field == ORI_RECORD(needs) && strlen(c->name) == size &&
            strncmp(c->name, name, size) == 0)
            return c;
    return NULL;
}

static orr_status read_columns(ori_map *map, const char *text, bool twice, orr_error *err)
{
    char *free = map->text + map->used;
    const char *limit = map->text + sizeof map->text;
    for (const char *p = text; *p; p += *p == ',') {
        size_t size = strcspn(p, "=,");
        const struct field *field = find_field(p, size);
        const char *whose = p + 6;
        field = field == &needs && (!twice || size < 7) ? NULL : field;
        ori_column *need = field ? NULL : find_need(map, p, size);
#define AND(name) ", " #name
        ORI_REFUSE((!field && !need) || p[size] != '=', err,
                   "columns: expected FIELD=COLUMN with one of the fields id, submit, start, end, "
                   "procs, requested, machine, runtime, walltime, wait, think" ORR_PAYS(
                       AND) ", "
                            "after, user, queue, partition, status, asks, found \"%.*s\"",
                   (int)strcspn(p, ","), p);
        map->fields = map->count;
        ORI_REFUSE(map->count == ORI_MOST_MAPPED, err, "columns: more than %d columns",
                   ORI_MOST_MAPPED);
        ORI_REFUSE(!twice && field && field->kind != ASK && ori_map_has(map, field->field), err,
                   "columns: %s is given twice", field->name);
        char unit[256] = "", *name = free;
        p += size + 1;
        free = copy_part(&p, ":,", free, limit);
        if (free && *p == ':') {
            p++;
            if (!copy_part(&p, ",", unit, unit + sizeof unit))
                free = NULL;
        }
        char *format = free;
        free = free ? write_out(unit, free, limit) : NULL;
        ORI_REFUSE(!free, err, "columns: a text of more than %d bytes", (int)sizeof map->text);
        ORI_REFUSE(*name == '\0', err, "columns: %s: the name of its column is missing",
                   field ? field->name : need->name);
        if (need) { /* its amounts have units of their own */
            ORI_REFUSE(*format, err, "columns: %s: an amount has no unit, found \"%s\"", need->name,
                       format);
            need->name = name;
            need->relation = ORI_REQUIRED;
            continue;
        }
        ORI_TRY(add_column(map, field, name, format, err));
        if (field == &needs)
            free = name_need(&map->types[map->count - 1], whose, size - 6, free, limit);
        ORI_REFUSE(!free, err, "columns: a text of more than %d bytes", (int)sizeof map->text);
    }
    map->fields = map->count;
    map->used = (size_t)(free - map->text);
    return ORR_OK;
}

/* "COLUMN=WORD|WORD,COLUMN!=WORD" */
static orr_status read_rows(ori_map *map, const char *text, orr_error *err)
{
    char *free = map->text + map->used;
    const char *limit = map->text + sizeof map->text;
    for (const char *p = text; *p; p += *p == ',') {
        const char *begin = p;
        char *name = free;
        free = copy_part(&p, "=!,", free, limit);
        bool unlike = *p == '!';
        p += unlike;
        ORI_REFUSE(!free || *p != '=' || *name == '\0', err,
                   "rows: expected COLUMN=WORD or COLUMN!=WORD, with bars between several words, "
                   "found \"%.*s\"",
                   (int)strcspn(begin, ","), begin);
        ORI_REFUSE(map->count == ORI_MOST_MAPPED, err, "rows: more than %d columns with --columns",
                   ORI_MOST_MAPPED);
        int n = map->count++;
        map->types[n] = (ori_type){.read = read_filter, .more = free, .whole = unlike};
        map->columns[n] = (ori_column){name, &map->types[n], 0, ORI_REQUIRED};
        do {
            p++;
            if (free && free + 2 < limit)
                *free++ = '='; /* a word may be empty, the end of the list is not a word */
            free = free ? copy_part(&p, "|,", free, limit) : NULL;
        } while (free && *p == '|');
        ORI_REFUSE(!free || free + 1 >= limit, err, "rows: a text of more than %d bytes",
                   (int)sizeof map->text);
        *free++ = '\0';
    }
    map->used = (size_t)(free - map->text);
    return ORR_OK;
}

orr_status ori_map_read(ori_map *map, const char *columns, const char *rows, const orr_pool *pool,
                        int32_t pools, bool nodes, bool twice, orr_error *err)
{
    *map = (ori_map){0};
    int kinds = nodes ? 3 : 1;
    ORI_REFUSE(pools * kinds > ORI_MOST_MAPPED - map->count, err,
               "more than %d columns with --pool and --machine", ORI_MOST_MAPPED);
    for (int32_t i = 0; i < pools * kinds; i++) {
        const char *name = pool[i % pools].name;
        int kind = i / pools; /* the job's; of a node; of a processor */
        ori_type *type = &map->types[map->count];
        bool is_flag = nodes && kind == 0 && strcmp(name, "exclusive") == 0;
        *type = is_flag ? ori_flag_need_type : ori_need_type;
        type->unit = kind * ORR_MOST_NEEDS + i % pools;
        if (kind > 0) {
            char *own = map->shares[(kind - 1) * ORR_MOST_NEEDS + i % pools];
            snprintf(own, sizeof *map->shares, "%s_per_%s", name, kind == 1 ? "node" : "proc");
            name = own;
        }
        map->columns[map->count++] = (ori_column){name, type, ORI_RECORD(needs), ORI_OPTIONAL};
    }
    if (columns)
        ORI_TRY(read_columns(map, columns, twice, err));
    return rows ? read_rows(map, rows, err) : ORR_OK;
}

/* --- the columns of a file ---------------------------------------------------------------------*/

void ori_layer_open(ori_layer *layer, const ori_map *map)
{
    *layer = (ori_layer){.map = map};
    for (int i = 0; i < ORI_MOST_MAPPED; i++)
        layer->place[i] = -1;
}

void ori_layer_add(ori_layer *layer, int32_t place, const char *name, size_t size)
{
    const ori_map *map = layer->map;
    for (int i = map ? map->count : 0; i-- > 0;) {
        const char *known = map->columns[i].name;
        if (layer->place[i] >= 0 || strlen(known) != size || memcmp(known, name, size) != 0)
            continue;
        layer->place[i] = place;
        layer->next[i] = layer->first[place];
        layer->first[place] = (unsigned char)(i + 1);
    }
}

const char *ori_layer_missing(const ori_layer *layer)
{
    for (int i = 0; layer->map && i < layer->map->count; i++)
        if (layer->place[i] < 0 && (layer->map->columns[i].relation & ORI_REQUIRED))
            return layer->map->columns[i].name;
    return NULL;
}

int32_t ori_layer_place(const ori_layer *layer, size_t field)
{
    for (int i = 0; layer->map && i < layer->map->fields; i++)
        if (layer->map->columns[i].field == field)
            return layer->place[i];
    return -1;
}

orr_status ori_layer_read(const ori_layer *layer, int32_t place, const char *text, size_t size,
                          ori_record *record, const char **expected, orr_error *err)
{
    for (int i = layer->first[place]; i > 0; i = layer->next[i - 1])
        ORI_TRY(ori_column_read(&layer->map->columns[i - 1], text, size, record, expected, err));
    return ORR_OK;
}

void ori_layer_complete(ori_layer *layer, ori_record *record)
{
    bool known = record->submitted.known, dated = isnan(record->submit);
    if (isnan(record->time) && record->started.known && record->ended.known &&
        record->ended.us >= record->started.us)
        record->time = (double)(record->ended.us - record->started.us) / 1e6;
    if (record->never_started)
        record->time = NAN;
    if (ORR_UNLIKELY(record->after && !isnan(record->think)))
        ori_after_think(record->after, record->think);
    if (!ori_map_has(layer->map, ORI_RECORD(submitted)))
        return;
    if (known && layer->clock == ORI_CLOCK_UNKNOWN)
        layer->clock = dated ? ORI_CLOCK_DATES : ORI_CLOCK_SECONDS;
    record->calendar = layer->clock == ORI_CLOCK_DATES;
    if (known && dated != record->calendar) { /* of another clock: not known */
        record->submitted.known = false;
        record->submit = NAN;
    }
}
