/* Fields and columns of files. It reads a text as a number, rounded as by strtod in any locale, and
 * quotes it for messages. From a table of a format's columns it turns the texts of a row into
 * numbers, times and ids. All readers use it. It stands between the syntax of files (rows.c,
 * reader.c) and the formats (read_*.c), so that a format is a table and its special rules. */
#include "columns_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "workload/utc.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- one field ---------------------------------------------------------------------------------*/

/* Powers of ten that a double holds exactly. */
static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Longer numbers are no numbers that a program has printed. */
enum { LONGEST_NUMBER = 1100 };

static size_t skip_digits(const char *text, size_t i, size_t length)
{
    while (i < length && (unsigned)text[i] - '0' <= 9)
        i++;
    return i;
}

/* The grammar is narrower than strtod's: no blanks, no hexadecimal, no inf, no nan. */
static bool is_decimal(const char *text, size_t length)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t whole = skip_digits(text, i, length);
    size_t digits = whole - i;
    i = whole;
    if (i < length && text[i] == '.') {
        size_t end = skip_digits(text, i + 1, length);
        digits += end - i - 1;
        i = end;
    }
    if (digits == 0)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        i += i < length && (text[i] == '-' || text[i] == '+');
        size_t end = skip_digits(text, i, length);
        if (end == i)
            return false;
        i = end;
    }
    return i == length;
}

/* Whatever locale the program runs in, a file's decimal point is a point. */
static bool parse_any(const char *text, size_t length, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER || !is_decimal(text, length))
        return false;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod_l(copy, NULL, plain);
    freelocale(plain);
    return isfinite(*value);
}

/* A mantissa below 2^53 divided by a power of ten up to 10^22 is one rounding of the exact value,
 * as strtod gives it; the conversion of a 64-bit integer is one rounding, too. */
bool ori_parse_number(const char *text, size_t length, double *value)
{
    const char *p = text, *end = text + length;
    bool negative = length > 0 && *p == '-';
    p += negative;
    uint64_t mantissa = 0;
    unsigned digit;
    const char *digits = p;
    for (; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
        mantissa = mantissa * 10 + digit;
    ptrdiff_t count = p - digits, scale = 0;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        for (; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
            mantissa = mantissa * 10 + digit;
        scale = p - fraction;
        count += scale;
    }
    if (p != end || count == 0 || count > 19 || (scale > 0 && mantissa > (UINT64_C(1) << 53)))
        return parse_any(text, length, value);
    double magnitude =
        scale == 0 ? (double)mantissa : (double)(int64_t)mantissa / power_of_ten[scale];
    *value = negative ? -magnitude : magnitude;
    return true;
}

orr_status ori_fail_field(const ori_field *field, const char *expected, orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: %s %d (%.64s): expected %s, found %s",
                    field->path, (long long)field->line, field->word, (int)field->number,
                    field->name, expected, ori_quote(field->text, field->size, found));
}

orr_drop_reason ori_reason_of(const char *text, size_t size)
{
    double value;
    return ori_parse_number(text, size, &value) && value < 0 ? ORR_DROP_NEGATIVE : ORR_DROP_FIELD;
}

/* --- types -------------------------------------------------------------------------------------*/

const char *const ori_unknown_empty[] = {NULL};

orr_status ori_read_number(const ori_column *column, const char *text, size_t size, void *row,
                           const char **expected, orr_error *err)
{
    const ori_type *type = column->type;
    double value;
    (void)err;
    if (!ori_parse_number(text, size, &value) || (type->whole && value != floor(value))) {
        *expected = type->form ? type->form : type->expected;
        return ORR_ERR_INPUT;
    }
    return ori_column_take(column, value, row) ? ORR_OK : ORR_ERR_INPUT;
}

/* Seconds must be there: half a timestamp is a sign of a file that was cut. */
orr_status ori_read_stamp(const ori_column *column, const char *text, size_t size, void *row,
                          const char **expected, orr_error *err)
{
    ori_stamp *stamp = ori_column_at(column, row);
    (void)expected, (void)err;
    stamp->known = size >= 19 && orr_utc_parse(text, size, &stamp->us);
    return stamp->known ? ORR_OK : ORR_ERR_INPUT;
}

/* A whole number of days, hours or minutes. */
static bool is_part(double value, double most)
{
    return value >= 0 && value < most && value == floor(value);
}

/* "[days-]hours:minutes:seconds[.fraction]" or "minutes:seconds[.fraction]", in seconds */
orr_status ori_read_duration(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    const char *dash = memchr(text, '-', size), *end = text + size;
    double value = 0, part;
    (void)expected, (void)err;
    if (dash) {
        if (!ori_parse_number(text, (size_t)(dash - text), &value) || !is_part(value, INFINITY))
            return ORR_ERR_INPUT;
        text = dash + 1;
    }
    int parts = 0;
    value *= 24;
    for (const char *colon = text; colon; parts++) {
        colon = memchr(text, ':', (size_t)(end - text));
        size_t digits = (size_t)((colon ? colon : end) - text);
        double most = parts > 0 ? 60 : dash ? 24 : INFINITY;
        if (!ori_parse_number(text, digits, &part) || !(part >= 0 && part < most) ||
            (colon && !is_part(part, most)))
            return ORR_ERR_INPUT;
        value = parts == 0 ? value + part : value * 60 + part;
        text = colon ? colon + 1 : end;
    }
    *(double *)ori_column_at(column, row) = value;
    return parts == 3 || (parts == 2 && !dash) ? ORR_OK : ORR_ERR_INPUT;
}

orr_status ori_read_id(const ori_column *column, const char *text, size_t size, void *row,
                       const char **expected, orr_error *err)
{
    ori_id *id = ori_column_at(column, row);
    (void)expected;
    if ((double)size < column->type->least || (double)size > column->type->most)
        return ORR_ERR_INPUT;
    ORI_TRY(ORI_RESERVE(&id->alloc, &id->text, &id->capacity, (int64_t)size + 1, err));
    memcpy(id->text, text, size);
    id->text[size] = '\0';
    return ORR_OK;
}

const ori_type ori_seconds_type = {ori_read_number, "a number of seconds >= 0", ori_unknown_empty,
                                   "a number of seconds", .most = INFINITY};

void ori_column_write(const ori_column *column, void *row, ori_text *text)
{
    const ori_type *type = column->type;
    const void *field = ori_column_at(column, row);
    char time[32];
    if (type->write) {
        type->write(column, row, text);
    } else if (type->read == ori_read_id) {
        ori_text_field(text, ((const ori_id *)field)->text, "");
    } else if (type->read == ori_read_stamp) {
        orr_utc_format(((const ori_stamp *)field)->us, time);
        ori_text_puts(text, time);
    } else {
        ori_text_number(text, type->whole ? *(const int32_t *)field : *(const double *)field);
    }
}

bool ori_type_has_word(const ori_type *type, const char *text, size_t size)
{
    for (const char *const *word = type->unknown; *word; word++)
        if (((**word ^ *text) & 0x5f) == 0 && strncasecmp(*word, text, size) == 0 &&
            (*word)[size] == '\0')
            return true;
    return false;
}

/* --- a table and a header ----------------------------------------------------------------------*/

void ori_table_open(ori_table *table, const ori_column *columns, int count, bool any_case)
{
    *table = (ori_table){.columns = columns, .count = count, .any_case = any_case};
    for (int i = 0; i < ORI_MOST_KNOWN; i++)
        table->place[i] = -1;
}

int ori_column_find(const ori_column *columns, int count, const char *name, size_t size,
                    bool any_case)
{
    for (int i = 0; i < count; i++)
        if (strlen(columns[i].name) == size &&
            (any_case ? strncasecmp : strncmp)(columns[i].name, name, size) == 0)
            return i;
    return -1;
}

void ori_table_add(ori_table *table, int32_t place, const char *name, size_t size)
{
    int found = ori_column_find(table->columns, table->count, name, size, table->any_case);
    int column = found;
    while (column > 0 && (table->columns[column].relation == ORI_ALSO ||
                          table->columns[column].relation == ORI_OLD))
        column--;
    table->known[place] = 0;
    if (found < 0 || table->place[column] >= 0)
        return;
    table->place[column] = place;
    table->name[column] = table->columns[found].name;
    table->known[place] = (unsigned char)(column + 1);
}

int32_t ori_table_place(const ori_table *table, size_t field)
{
    for (int i = 0; i < table->count; i++)
        if (table->columns[i].field == field && table->place[i] >= 0)
            return table->place[i];
    return -1;
}

void ori_table_settle(ori_table *table)
{
    for (int i = 1; i < table->count; i++)
        if (table->columns[i].relation == ORI_INSTEAD && table->place[i - 1] >= 0)
            ori_table_leave_out(table, i);
}

void ori_table_leave_out(ori_table *table, int column)
{
    if (table->place[column] >= 0)
        table->known[table->place[column]] = 0;
    table->place[column] = -1;
}
