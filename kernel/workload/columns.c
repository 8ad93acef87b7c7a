/* Columns of files: from a table that says what a format's columns are, to the texts of a row as
 * numbers, times and ids. It stands between the syntax of files (rows.c, lines.c) and the formats
 * (read_*.c), so that a format is a table and what only it knows. */
#include "columns_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "workload/utc.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *const ori_unknown_empty[] = {NULL};

/* --- types -------------------------------------------------------------------------------------*/

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

/* "[days-]hours:minutes:seconds[.fraction]" or "minutes:seconds[.fraction]", in seconds */
orr_status ori_read_duration(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    const char *dash = memchr(text, '-', size), *end = text + size;
    double value = 0, part;
    (void)expected, (void)err;
    if (dash) {
        if (!ori_parse_number(text, (size_t)(dash - text), &value) || value < 0)
            return ORR_ERR_INPUT;
        text = dash + 1;
    }
    int parts = 0;
    value *= 24;
    for (const char *colon = text; colon; parts++) {
        colon = memchr(text, ':', (size_t)(end - text));
        size_t digits = (size_t)((colon ? colon : end) - text);
        if (!ori_parse_number(text, digits, &part) || !(part >= 0))
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
