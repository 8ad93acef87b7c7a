/* Files of tasks. */
#include "reader_internal.h"
#include "rows_internal.h"
#include "workload/tasks.h"

#include <stdio.h>
#include <string.h>

/* A first row of more fields is no header of tasks. */
enum { MOST_COLUMNS = 1 << 24 };

typedef struct tasks_state {
    orr_tasks *tasks;
    double sequential; /* f where a row names none */
    int64_t line;
    bool any; /* a byte has come */
    ori_rows rows;

    /* the columns, -1 where there is none */
    int32_t size_column, profile_column;
    int32_t first_time;

    /* the row being read */
    char *id;
    size_t id_capacity;
    double size, parameter;
    orr_profile family;
    char *times; /* of double */
    size_t times_capacity;
} tasks_state;

/* --- the header --------------------------------------------------------------------------------*/

static void fail_heading(tasks_state *s, int32_t column, const char *expected)
{
    char found[ORI_QUOTED_SIZE];
    const char *name = column < s->rows.columns ? ori_rows_name(&s->rows, column) : "";
    ori_rows_fail(&s->rows,
                  "column %d: expected %s, found %s; tasks have the columns id,m or id,m,profile "
                  "or id,1,2,3,... or id,m,1,2,3,...",
                  (int)column + 1, expected, ori_quote(name, strlen(name), found));
}

/* The columns from `name`, the heading of column first_time, are to be 1, 2, 3, ... */
static void check_times(tasks_state *s, const char *name)
{
    for (int32_t i = s->first_time; i < s->rows.columns; i++, name += strlen(name) + 1) {
        char expected[16];
        snprintf(expected, sizeof expected, "%d", (int)(i - s->first_time + 1));
        if (strcmp(name, expected) != 0) {
            fail_heading(s, i, expected);
            return;
        }
    }
    size_t bytes = (size_t)(s->rows.columns - s->first_time) * sizeof(double);
    s->rows.status = ori_reserve(&s->rows.alloc, &s->times, &s->times_capacity, bytes, s->rows.err);
}

static void on_header(void *user)
{
    tasks_state *s = user;
    int32_t columns = s->rows.columns;
    const char *first = s->rows.names, *second = columns > 1 ? ori_rows_name(&s->rows, 1) : "";
    if (strcmp(first, "id") != 0) {
        fail_heading(s, 0, "id");
        return;
    }
    bool sized = strcmp(second, "m") == 0;
    if (!sized && strcmp(second, "1") != 0) {
        fail_heading(s, 1, "m or 1");
        return;
    }
    s->size_column = sized ? 1 : -1;
    if (sized && columns == 2)
        return;
    const char *next = sized ? ori_rows_name(&s->rows, 2) : second;
    if (strcmp(next, "profile") == 0) {
        s->profile_column = 2;
        if (columns > 3)
            fail_heading(s, 3, "no column behind profile");
    } else if (strcmp(next, "1") == 0) {
        s->first_time = sized ? 2 : 1;
        check_times(s, next);
    } else {
        fail_heading(s, 2, "profile or 1");
    }
}

/* --- fields ------------------------------------------------------------------------------------*/

static void read_id(tasks_state *s, const char *text, size_t size)
{
    if (size == 0) {
        ori_rows_fail_field(&s->rows, "the id of a task", text, size);
        return;
    }
    s->rows.status = ori_reserve(&s->rows.alloc, &s->id, &s->id_capacity, size + 1, s->rows.err);
    if (s->rows.status != ORR_OK)
        return;
    memcpy(s->id, text, size);
    s->id[size] = '\0';
}

/* A table's m may be anything that is not negative: it does not make its times. */
static void read_size(tasks_state *s, const char *text, size_t size)
{
    double least = s->first_time >= 0 ? 0 : 2;
    if (!ori_parse_number(text, size, &s->size) || s->size < least || s->size > ORR_TASK_LARGEST)
        ori_rows_fail_field(&s->rows,
                            least > 0 ? "a size, a number from 2 to 1e290"
                                      : "a size, a number from 0 to 1e290",
                            text, size);
}

static void read_time(tasks_state *s, const char *text, size_t size)
{
    double time;
    if (!ori_parse_number(text, size, &time) || !(time > 0) || time > ORR_TASK_LARGEST) {
        ori_rows_fail_field(&s->rows, "a number of seconds above 0, up to 1e290", text, size);
        return;
    }
    memcpy(s->times + (size_t)(s->rows.column - s->first_time) * sizeof time, &time, sizeof time);
}

static bool find_family(const char *text, size_t size, orr_profile *family)
{
    static const char *const names[] = {"synthetic", "amdahl", "power"};
    static const orr_profile families[] = {ORR_PROFILE_SYNTHETIC, ORR_PROFILE_AMDAHL,
                                           ORR_PROFILE_POWER};
    for (int i = 0; i < 3; i++) {
        if (strlen(names[i]) == size && memcmp(names[i], text, size) == 0) {
            *family = families[i];
            return true;
        }
    }
    return false;
}

static double default_parameter(const tasks_state *s)
{
    return s->family == ORR_PROFILE_POWER ? 1 - s->sequential : s->sequential;
}

/* "amdahl:0.05", "amdahl" or nothing. */
static void read_profile(tasks_state *s, const char *text, size_t size)
{
    if (size == 0)
        return;
    const char *colon = memchr(text, ':', size);
    size_t name = colon == NULL ? size : (size_t)(colon - text);
    if (!find_family(text, name, &s->family)) {
        ori_rows_fail_field(&s->rows,
                            "synthetic, amdahl or power, or one of them with its parameter, as "
                            "amdahl:0.05",
                            text, size);
        return;
    }
    s->parameter = default_parameter(s);
    if (colon == NULL)
        return;
    bool good = ori_parse_number(colon + 1, size - name - 1, &s->parameter);
    if (!good || s->parameter < 0 || s->parameter > 1)
        ori_rows_fail_field(&s->rows, "a parameter from 0 to 1 behind the colon", text, size);
}

static void on_field(void *user, const char *text, size_t size)
{
    tasks_state *s = user;
    int32_t column = s->rows.column;
    if (column == 0) {
        s->size = 0;
        s->family = ORR_PROFILE_SYNTHETIC;
        s->parameter = default_parameter(s);
        read_id(s, text, size);
    } else if (column == s->size_column) {
        read_size(s, text, size);
    } else if (column == s->profile_column) {
        read_profile(s, text, size);
    } else {
        read_time(s, text, size);
    }
}

static orr_status add_task(tasks_state *s, orr_error *err)
{
    if (s->first_time < 0)
        return orr_tasks_add(s->tasks, s->id, s->size, s->family, s->parameter, err);
    return orr_tasks_add_table(s->tasks, s->id, s->size, (double *)(void *)s->times,
                               s->rows.columns - s->first_time, err);
}

/* What can be wrong with an argument here is the file's fault, such as an id that comes twice. */
static void on_row(void *user)
{
    tasks_state *s = user;
    orr_error cause;
    orr_status status = add_task(s, &cause);
    if (status == ORR_ERR_ARGUMENT)
        ori_rows_fail(&s->rows, "%s", cause.message);
    else if (status != ORR_OK)
        s->rows.status = orr_fail(s->rows.err, status, "%s", cause.message);
}

/* --- the file ----------------------------------------------------------------------------------*/

static orr_status sink(void *user, const char *bytes, size_t size, orr_error *err)
{
    tasks_state *s = user;
    s->any = true;
    const char *zero = memchr(bytes, '\0', size);
    size_t text = zero == NULL ? size : (size_t)(zero - bytes);
    orr_status status = ori_rows_feed(&s->rows, bytes, text, err);
    if (status == ORR_OK && zero != NULL)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: not a file of tasks: binary data (a zero byte) where text is due",
                        s->rows.path, (long long)s->line + 1);
    return status;
}

static orr_status finish(tasks_state *s, orr_error *err)
{
    orr_status status = ori_rows_finish(&s->rows, err);
    if (status == ORR_OK && s->rows.columns < 0)
        return orr_fail(err, ORR_ERR_INPUT,
                        s->any ? "%s: nothing but blank lines" : "%s: the file is empty",
                        s->rows.path);
    if (status == ORR_OK && s->tasks->count == 0)
        return orr_fail(err, ORR_ERR_INPUT, "%s: there is a header, but no task", s->rows.path);
    return status;
}

static orr_status read_file(tasks_state *s, orr_error *err)
{
    ori_source source;
    ori_rows_open(&s->rows);
    ori_source_open(&source, s->rows.path, sink, s, &s->rows.alloc);
    orr_status status = ori_source_feed_file(&source, s->rows.path, err);
    ori_source_close(&source);
    if (status == ORR_OK)
        status = finish(s, err);
    ori_rows_close(&s->rows);
    orr_release(&s->rows.alloc, s->id, s->id_capacity);
    orr_release(&s->rows.alloc, s->times, s->times_capacity);
    return status;
}

orr_tasks *orr_read_tasks(const char *path, double sequential, const orr_allocator *a,
                          orr_error *err)
{
    static const ori_row_handlers handlers = {on_header, on_field, on_row};
    if (!(sequential >= 0 && sequential <= 1)) {
        orr_fail(err, ORR_ERR_ARGUMENT,
                 "the sequential fraction f must be a number from 0 to 1, not %g", sequential);
        return NULL;
    }
    tasks_state s = {.sequential = sequential,
                     .size_column = -1,
                     .profile_column = -1,
                     .first_time = -1,
                     .rows = {.alloc = orr_allocator_or_default(a),
                              .path = path,
                              .what = "a file of tasks",
                              .most_columns = MOST_COLUMNS,
                              .handlers = &handlers}};
    s.rows.line = &s.line;
    s.rows.user = &s;
    s.tasks = orr_tasks_create(a, err);
    if (s.tasks == NULL || read_file(&s, err) == ORR_OK)
        return s.tasks;
    orr_tasks_destroy(s.tasks);
    return NULL;
}
