/* Files of faults. */
#include "workload/faults.h"
#include "workload/reader_internal.h"
#include "workload/rows_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum faults_column { COLUMN_TIME, COLUMN_TASK, COLUMN_PROCESSOR, COLUMNS } faults_column;

static const char *const column_names[COLUMNS] = {"time", "task", "processor"};

/* Reading stops at many more columns than a fault log has; its message lists those it has seen. */
enum { MOST_COLUMNS = 64 };

typedef struct faults_state {
    ori_rows rows;
    const orr_tasks *tasks;
    int32_t procs;
    faults_column order[2]; /* which is which of the file's columns */
    int64_t line;
    orr_fault fault; /* of the row being read */
    double before;   /* the time of the last one */
    char *log;       /* orr_fault */
    size_t used, capacity;
    char *id; /* of a task, as a string */
    size_t id_capacity;
} faults_state;

/* COLUMNS for none. */
static faults_column find_column(const char *name)
{
    int i = 0;
    while (i < COLUMNS && strcmp(name, column_names[i]) != 0)
        i++;
    return (faults_column)i;
}

static void on_header(void *user)
{
    faults_state *f = user;
    const char *first = ori_rows_name(&f->rows, 0);
    if (f->rows.columns == 2) {
        f->order[0] = find_column(first);
        f->order[1] = find_column(ori_rows_name(&f->rows, 1));
        if (f->order[0] != f->order[1] && f->order[0] < COLUMNS && f->order[1] < COLUMNS &&
            (f->order[0] == COLUMN_TIME || f->order[1] == COLUMN_TIME) &&
            (f->tasks || (f->order[0] != COLUMN_TASK && f->order[1] != COLUMN_TASK)))
            return;
    }
    char list[600];
    ori_rows_list(&f->rows, list, sizeof list);
    ori_rows_fail(&f->rows, "a fault log has the columns %s; the first line has: %s",
                  f->tasks ? "time and task, or time and processor" : "time and processor", list);
}

static void read_time(faults_state *f, const char *text, size_t size)
{
    double *time = &f->fault.time;
    if (!ori_parse_number(text, size, time) || *time < 0) {
        ori_rows_fail_field(&f->rows, "a number of seconds >= 0", text, size);
    } else if (*time < f->before) {
        char expected[80];
        snprintf(expected, sizeof expected, "a time that is not before the last one, %.17g",
                 f->before);
        ori_rows_fail_field(&f->rows, expected, text, size);
    }
}

static void read_processor(faults_state *f, const char *text, size_t size)
{
    double value;
    if (ori_parse_number(text, size, &value) && value == floor(value) && value >= 0 &&
        value < f->procs) {
        f->fault.processor = (int32_t)value;
        return;
    }
    char expected[80];
    snprintf(expected, sizeof expected, "a processor from 0 to %d", (int)f->procs - 1);
    ori_rows_fail_field(&f->rows, expected, text, size);
}

static void read_task(faults_state *f, const char *text, size_t size)
{
    f->rows.status = ori_reserve(&f->rows.alloc, &f->id, &f->id_capacity, size + 1, f->rows.err);
    if (f->rows.status != ORR_OK)
        return;
    memcpy(f->id, text, size);
    f->id[size] = '\0';
    if (strlen(f->id) == size)
        f->fault.task = orr_tasks_find(f->tasks, f->id);
    if (f->fault.task < 0)
        ori_rows_fail_field(&f->rows, "the id of a task", text, size);
}

static void on_field(void *user, const char *text, size_t size)
{
    faults_state *f = user;
    switch (f->order[f->rows.column]) {
    case COLUMN_TIME:
        read_time(f, text, size);
        break;
    case COLUMN_TASK:
        read_task(f, text, size);
        break;
    case COLUMN_PROCESSOR:
        read_processor(f, text, size);
        break;
    case COLUMNS:
        break;
    }
}

static void on_row(void *user)
{
    faults_state *f = user;
    f->rows.status =
        ori_reserve(&f->rows.alloc, &f->log, &f->capacity, f->used + sizeof f->fault, f->rows.err);
    if (f->rows.status != ORR_OK)
        return;
    memcpy(f->log + f->used, &f->fault, sizeof f->fault);
    f->used += sizeof f->fault;
    f->before = f->fault.time;
    f->fault = (orr_fault){0, -1, -1};
}

static orr_status feed(void *user, const char *bytes, size_t size, orr_error *err)
{
    faults_state *f = user;
    return ori_rows_feed(&f->rows, bytes, size, err);
}

static orr_status read_all(faults_state *f, const char *path, orr_error *err)
{
    ori_source source;
    ori_source_open(&source, path, feed, f, &f->rows.alloc);
    orr_status status = ori_source_feed_file(&source, path, err);
    ori_source_close(&source);
    if (status == ORR_OK)
        status = ori_rows_finish(&f->rows, err);
    if (status == ORR_OK && f->rows.columns < 0)
        status = orr_fail(err, ORR_ERR_INPUT,
                          "%s: not a fault log: the header %stime,processor is missing", path,
                          f->tasks ? "time,task or " : "");
    return status;
}

/* Gives the block its exact size: the caller frees it knowing the count only. */
static orr_status shrink(faults_state *f, orr_error *err)
{
    if (f->used == f->capacity)
        return ORR_OK;
    char *exact = orr_resize(&f->rows.alloc, f->log, f->capacity, f->used);
    if (exact == NULL)
        return orr_fail_memory(err, f->used);
    f->log = exact;
    f->capacity = f->used;
    return ORR_OK;
}

orr_status orr_read_faults(const char *path, const orr_tasks *tasks, int32_t procs, orr_fault **log,
                           int64_t *count, const orr_allocator *a, orr_error *err)
{
    static const ori_row_handlers handlers = {on_header, on_field, on_row};
    faults_state f = {.rows = {.alloc = orr_allocator_or_default(a),
                               .path = path,
                               .what = "a fault log",
                               .most_columns = MOST_COLUMNS,
                               .handlers = &handlers},
                      .tasks = tasks,
                      .procs = procs,
                      .fault = {0, -1, -1}};
    f.rows.line = &f.line;
    f.rows.user = &f;
    ori_rows_open(&f.rows);
    orr_status status = read_all(&f, path, err);
    ori_rows_close(&f.rows);
    orr_allocator alloc = f.rows.alloc;
    orr_release(&alloc, f.id, f.id_capacity);
    if (status == ORR_OK && f.used > 0)
        status = shrink(&f, err);
    if (status != ORR_OK) {
        orr_release(&alloc, f.log, f.capacity);
        return status;
    }
    *log = (orr_fault *)(void *)f.log;
    *count = (int64_t)(f.used / sizeof(orr_fault));
    return ORR_OK;
}
