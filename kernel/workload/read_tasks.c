/* Files of tasks: CSV with a fixed header, followed by a profile or by times on 1, 2, 3, ...
 * processors. */
#include "base/array_internal.h"
#include "rows_internal.h"
#include "workload/tasks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A first row of more fields is no header of tasks. */
enum { MOST_COLUMNS = 1 << 24 };

typedef struct tasks_state {
    orr_tasks *tasks;
    double sequential; /* f where a row does not give it */
    ori_rows rows;

    /* the columns; -1: the file has none */
    int32_t size_column, profile_column;
    int32_t first_time;

    /* the row being read */
    ori_id id;
    double size, parameter, time;
    orr_profile family;
    double *times;
    int64_t times_capacity;
} tasks_state;

/* --- the header --------------------------------------------------------------------------------*/

static orr_status fail_heading(tasks_state *s, int32_t column, const char *expected)
{
    char found[ORI_QUOTED_SIZE];
    const char *name = column < s->rows.columns ? ori_rows_name(&s->rows, column) : "";
    return ori_rows_fail(&s->rows,
                         "column %d: expected %s, found %s; tasks have the columns id,m or "
                         "id,m,profile or id,1,2,3,... or id,m,1,2,3,...",
                         (int)column + 1, expected, ori_quote(name, strlen(name), found));
}

/* The columns from `name`, the heading of column first_time, are to be 1, 2, 3, ... */
static orr_status check_times(tasks_state *s, const char *name)
{
    for (int32_t i = s->first_time; i < s->rows.columns; i++, name += strlen(name) + 1) {
        char expected[16];
        snprintf(expected, sizeof expected, "%d", (int)(i - s->first_time + 1));
        if (strcmp(name, expected) != 0)
            return fail_heading(s, i, expected);
    }
    return ORI_RESERVE(&s->rows.alloc, &s->times, &s->times_capacity,
                       s->rows.columns - s->first_time, s->rows.err);
}

static orr_status on_header(void *user)
{
    tasks_state *s = user;
    int32_t columns = s->rows.columns;
    const char *first = s->rows.names, *second = columns > 1 ? ori_rows_name(&s->rows, 1) : "";
    if (strcmp(first, "id") != 0)
        return fail_heading(s, 0, "id");
    bool sized = strcmp(second, "m") == 0;
    if (!sized && strcmp(second, "1") != 0)
        return fail_heading(s, 1, "m or 1");
    s->size_column = sized ? 1 : -1;
    if (sized && columns == 2)
        return ORR_OK;
    const char *next = sized ? ori_rows_name(&s->rows, 2) : second;
    if (strcmp(next, "profile") == 0) {
        s->profile_column = 2;
        return columns > 3 ? fail_heading(s, 3, "no column behind profile") : ORR_OK;
    }
    if (strcmp(next, "1") != 0)
        return fail_heading(s, 2, "profile or 1");
    s->first_time = sized ? 2 : 1;
    return check_times(s, next);
}

/* --- fields ------------------------------------------------------------------------------------*/

static bool find_family(const char *text, size_t size, orr_profile *family)
{
    static const char *const names[] = {[ORR_PROFILE_SYNTHETIC] = "synthetic",
                                        [ORR_PROFILE_AMDAHL] = "amdahl",
                                        [ORR_PROFILE_POWER] = "power"};
    bool found = false;
    for (unsigned i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = strlen(names[i]) == size && memcmp(names[i], text, size) == 0;
        *family = (orr_profile)i;
    }
    return found;
}

static double default_parameter(const tasks_state *s)
{
    return s->family == ORR_PROFILE_POWER ? 1 - s->sequential : s->sequential;
}

/* "amdahl:0.05", "amdahl" or nothing. */
static orr_status read_profile(const ori_column *column, const char *text, size_t size, void *row,
                               const char **expected, orr_error *err)
{
    tasks_state *s = row;
    const char *colon = memchr(text, ':', size);
    size_t name = colon ? (size_t)(colon - text) : size;
    (void)column, (void)err;
    if (!find_family(text, name, &s->family))
        return ORR_ERR_INPUT;
    s->parameter = default_parameter(s);
    if (!colon)
        return ORR_OK;
    *expected = "a parameter from 0 to 1 behind the colon";
    bool good = ori_parse_number(colon + 1, size - name - 1, &s->parameter);
    return good && s->parameter >= 0 && s->parameter <= 1 ? ORR_OK : ORR_ERR_INPUT;
}

#define TASK(FIELD) offsetof(tasks_state, FIELD)

#define PROFILE "synthetic, amdahl or power, or one of them with its parameter, as amdahl:0.05"
#define TIME "a number of seconds above 0, up to 1e290"

static const ori_type id_type = {ori_read_id, "the id of a task", .least = 1, .most = INFINITY};
static const ori_type size_type = {ori_read_number, "a size, a number from 2 to 1e290", .least = 2,
                                   .most = ORR_TASK_LARGEST};
/* A table's m may be anything that is not negative: it does not make its times. */
static const ori_type table_size_type = {ori_read_number, "a size, a number from 0 to 1e290",
                                         .most = ORR_TASK_LARGEST};
static const ori_type profile_type = {read_profile, PROFILE, .unknown = ori_unknown_empty};
static const ori_type time_type = {ori_read_number, TIME, .least = DBL_TRUE_MIN,
                                   .most = ORR_TASK_LARGEST};

static const ori_column id_column = {"id", &id_type, TASK(id), ORI_REQUIRED};
static const ori_column size_column = {"m", &size_type, TASK(size), ORI_OPTIONAL};
static const ori_column table_size_column = {"m", &table_size_type, TASK(size), ORI_OPTIONAL};
static const ori_column profile_column = {"profile", &profile_type, 0, ORI_OPTIONAL};
static const ori_column time_column = {"1", &time_type, TASK(time), ORI_OPTIONAL};

static const ori_column *column_of(const tasks_state *s, int32_t column)
{
    if (column == 0)
        return &id_column;
    if (column == s->size_column)
        return s->first_time >= 0 ? &table_size_column : &size_column;
    return column == s->profile_column ? &profile_column : &time_column;
}

static orr_status on_field(void *user, const char *text, size_t size)
{
    tasks_state *s = user;
    int32_t column = s->rows.column;
    if (column == 0) {
        s->size = 0;
        s->family = ORR_PROFILE_SYNTHETIC;
        s->parameter = default_parameter(s);
    }
    orr_status status = ori_rows_read(&s->rows, column_of(s, column), text, size, s);
    if (s->first_time >= 0 && column >= s->first_time)
        s->times[column - s->first_time] = s->time;
    return status;
}

/* Argument errors here are errors of the file, such as an id that occurs twice. */
static orr_status on_row(void *user)
{
    tasks_state *s = user;
    orr_error cause;
    int32_t times = s->first_time < 0 ? 0 : s->rows.columns - s->first_time;
    orr_status status =
        times > 0 ? orr_tasks_add_table(s->tasks, s->id.text, s->size, s->times, times, &cause)
                  : orr_tasks_add(s->tasks, s->id.text, s->size, s->family, s->parameter, &cause);
    if (status == ORR_ERR_ARGUMENT)
        return ori_rows_fail(&s->rows, "%s", cause.message);
    return status == ORR_OK ? ORR_OK : orr_fail(s->rows.err, status, "%s", cause.message);
}

/* --- the file ----------------------------------------------------------------------------------*/

orr_tasks *orr_read_tasks(const char *path, double sequential, const orr_allocator *a,
                          orr_error *err)
{
    static const ori_row_handlers handlers = {
        .header = on_header, .field = on_field, .row = on_row};
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
    s.id.alloc = s.rows.alloc;
    s.rows.user = &s;
    s.tasks = orr_tasks_create(a, err);
    if (!s.tasks)
        return NULL;
    orr_status status = ori_rows_read_file(&s.rows, true, err);
    if (status == ORR_OK && s.tasks->count == 0)
        status = orr_fail(err, ORR_ERR_INPUT, "%s: there is a header, but no task", path);
    ORI_FREE(&s.rows.alloc, &s.id.text, &s.id.capacity);
    ORI_FREE(&s.rows.alloc, &s.times, &s.times_capacity);
    if (status == ORR_OK)
        return s.tasks;
    orr_tasks_destroy(s.tasks);
    return NULL;
}
