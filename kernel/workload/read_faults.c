/* Files of faults: CSV of two columns, in order of time. */
#include "workload/faults.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "rows_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reading stops at many more columns than a fault log has; its message lists those it has seen. */
enum { MOST_COLUMNS = 64 };

typedef struct faults_state {
    ori_rows rows;
    const orr_tasks *tasks;
    int32_t procs;
    orr_fault fault; /* of the row being read */
    double before;   /* the time of the last fault */
    orr_fault *log;
    int64_t count, capacity;
    char expected[80]; /* of the field being read */
} faults_state;

/* --- columns -----------------------------------------------------------------------------------*/

static orr_status read_time(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    faults_state *f = row;
    orr_status status = ori_read_number(column, text, size, row, expected, err);
    if (status != ORR_OK || f->fault.time >= f->before)
        return status;
    ori_snprintf(f->expected, sizeof f->expected, "a time that is not before the last one, %.17g",
                 f->before);
    *expected = f->expected;
    return ORR_ERR_INPUT;
}

static orr_status read_processor(const ori_column *column, const char *text, size_t size, void *row,
                                 const char **expected, orr_error *err)
{
    faults_state *f = row;
    orr_status status = ori_read_number(column, text, size, row, expected, err);
    if (status == ORR_OK && f->fault.processor < f->procs)
        return ORR_OK;
    snprintf(f->expected, sizeof f->expected, "a processor from 0 to %d", (int)f->procs - 1);
    *expected = f->expected;
    return ORR_ERR_INPUT;
}

static orr_status read_task(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    faults_state *f = row;
    (void)column, (void)expected, (void)err;
    if (strlen(text) == size)
        f->fault.task = orr_tasks_find(f->tasks, text);
    return f->fault.task < 0 ? ORR_ERR_INPUT : ORR_OK;
}

static const ori_type time_type = {read_time, "a number of seconds >= 0", .most = INFINITY};
static const ori_type task_type = {.read = read_task, .expected = "the id of a task"};
static const ori_type processor_type = {read_processor, NULL, .most = INT32_MAX, .whole = true};

enum { TIME, TASK, PROCESSOR, COLUMNS };

static const ori_column columns[COLUMNS] = {
    {"time", &time_type, offsetof(faults_state, fault.time), ORI_REQUIRED},
    {"task", &task_type, offsetof(faults_state, fault.task), ORI_OPTIONAL},
    {"processor", &processor_type, offsetof(faults_state, fault.processor), ORI_OPTIONAL},
};

/* --- the file ----------------------------------------------------------------------------------*/

static orr_status on_header(void *user)
{
    faults_state *f = user;
    ori_rows_match(&f->rows, columns, COLUMNS);
    bool two = f->rows.columns == 2 && f->rows.table.known[0] > 0 && f->rows.table.known[1] > 0;
    if (two && f->rows.table.place[TIME] >= 0 && (f->tasks || f->rows.table.place[TASK] < 0))
        return ORR_OK;
    char list[600];
    ori_rows_list(&f->rows, list, sizeof list);
    return ori_rows_fail(&f->rows, "a fault log has the columns %s; the first line has: %s",
                         f->tasks ? "time and task, or time and processor" : "time and processor",
                         list);
}

static orr_status on_row(void *user)
{
    faults_state *f = user;
    ORI_TRY(ORI_RESERVE(&f->rows.alloc, &f->log, &f->capacity, f->count + 1, f->rows.err));
    f->log[f->count++] = f->fault;
    f->before = f->fault.time;
    f->fault = (orr_fault){0, -1, -1};
    return ORR_OK;
}

orr_status orr_read_faults(const char *path, const orr_tasks *tasks, int32_t procs, orr_fault **log,
                           int64_t *count, const orr_allocator *a, orr_error *err)
{
    static const ori_row_handlers handlers = {.header = on_header, .row = on_row};
    faults_state f = {.rows = {.alloc = orr_allocator_or_default(a),
                               .path = path,
                               .what = "a fault log",
                               .most_columns = MOST_COLUMNS,
                               .handlers = &handlers},
                      .tasks = tasks,
                      .procs = procs,
                      .fault = {0, -1, -1}};
    f.rows.user = f.rows.record = &f;
    orr_status status = ori_rows_read_file(&f.rows, false, err);
    if (status == ORR_OK && f.rows.columns < 0)
        status = orr_fail(err, ORR_ERR_INPUT,
                          "%s: not a fault log: the header %stime,processor is missing", path,
                          tasks ? "time,task or " : "");
    if (status == ORR_OK) /* the caller frees it knowing the count only */
        status = ORI_TRIM(&f.rows.alloc, &f.log, &f.capacity, f.count, err);
    if (status != ORR_OK) {
        ORI_FREE(&f.rows.alloc, &f.log, &f.capacity);
        return status;
    }
    *log = f.log;
    *count = f.count;
    return ORR_OK;
}
