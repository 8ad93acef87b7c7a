/* Files of windows: CSV, one window per row. */
#include "workload/window_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "rows_internal.h"
#include "workload/records_internal.h"
#include "workload/zone.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_COLUMNS = 64 };

typedef struct windows_state {
    ori_rows rows;
    const orr_jobs *jobs;
    orr_windows_kind kind;
    orr_windows *windows;
    double from, to; /* of the row being read; NaN: missing */
    int32_t procs;   /* -1: likewise */
    double amount;   /* likewise */
    ori_id nodes, user, job, pool;
    bool has_nodes, has_user, has_job, has_pool;
} windows_state;

/* --- columns -----------------------------------------------------------------------------------*/

static orr_status read_time(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    const windows_state *s = row;
    double *time = ori_column_at(column, row);
    int64_t us;
    (void)err;
    if (ori_parse_number(text, size, time))
        return ORR_OK;
    if (column->field == offsetof(windows_state, to) && size == 3 && memcmp(text, "inf", 3) == 0) {
        *time = INFINITY; /* for ever */
        return ORR_OK;
    }
    if (!s->jobs->has_origin)
        *expected = "a number of seconds: the log has no calendar";
    if (!s->jobs->has_origin || !orr_zone_parse(s->jobs->zone, text, size, &us))
        return ORR_ERR_INPUT;
    *time = (double)(us - s->jobs->origin_us) / 1e6;
    return ORR_OK;
}

/* Reads a text; an empty field is no text. */
static orr_status read_text(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    windows_state *s = row;
    ori_id *id = ori_column_at(column, row);
    *(id == &s->nodes  ? &s->has_nodes
      : id == &s->user ? &s->has_user
      : id == &s->pool ? &s->has_pool
                       : &s->has_job) = true;
    return ori_read_id(column, text, size, row, expected, err);
}

static orr_status read_amount(const ori_column *column, const char *text, size_t size, void *row,
                              const char **expected, orr_error *err)
{
    double *amount = ori_column_at(column, row);
    (void)expected, (void)err;
    return ori_parse_amount(text, size, 1, amount) ? ORR_OK : ORR_ERR_INPUT;
}

enum { LONGEST_TEXT = 1 << 20 };

static const ori_type time_type = {.read = read_time,
                                   .expected = "seconds of the log, or a date as 2019-06-14 06:00"};
static const ori_type procs_type = {ori_read_number, "a whole number of processors >= 0",
                                    .unknown = ori_unknown_empty, .most = INT32_MAX, .whole = true};
static const ori_type amount_type = {.read = read_amount,
                                     .expected = "an amount of a pool, as 2, 512M or 64G",
                                     .unknown = ori_unknown_empty};
static const ori_type text_type = {read_text, "a text", .unknown = ori_unknown_empty, .least = 1,
                                   .most = LONGEST_TEXT};

enum { FROM, TO, PROCS, NODES, USER, JOB, POOL, AMOUNT, COLUMNS };

static const ori_column columns[COLUMNS] = {
    {"from", &time_type, offsetof(windows_state, from), ORI_REQUIRED},
    {"to", &time_type, offsetof(windows_state, to), ORI_OPTIONAL},
    {"procs", &procs_type, offsetof(windows_state, procs), ORI_OPTIONAL},
    {"nodes", &text_type, offsetof(windows_state, nodes), ORI_OPTIONAL},
    {"user", &text_type, offsetof(windows_state, user), ORI_OPTIONAL},
    {"job", &text_type, offsetof(windows_state, job), ORI_OPTIONAL},
    {"pool", &text_type, offsetof(windows_state, pool), ORI_OPTIONAL},
    {"amount", &amount_type, offsetof(windows_state, amount), ORI_OPTIONAL},
};

/* --- the file ----------------------------------------------------------------------------------*/

/* The kinds: the columns that each file has, the columns of which a row needs one, and a word. */
static const struct kind {
    const char *what, *columns;
    bool has[COLUMNS], needs[COLUMNS];
} kinds[] = {
    [ORR_WINDOWS_MAINTENANCE] = {"a file of maintenance",
                                 "from, to and procs or nodes, or pool and amount",
                                 {true, true, true, true, [POOL] = true, [AMOUNT] = true},
                                 {true, true}},
    [ORR_WINDOWS_SIZE] = {"a file of capacity",
                          "from and procs",
                          {true, false, true},
                          {true, false, true}},
    [ORR_WINDOWS_RESERVATIONS] = {"a file of reservations",
                                  "from, to, procs or nodes, and user or job",
                                  {true, true, true, true, true, true},
                                  {true, true}},
};

static orr_status on_header(void *user)
{
    windows_state *s = user;
    const struct kind *kind = &kinds[s->kind];
    ori_rows_match(&s->rows, columns, COLUMNS);
    const int32_t *place = s->rows.table.place;
    int32_t known = 0;
    bool fine = true;
    for (int i = 0; i < COLUMNS; i++) {
        known += place[i] >= 0;
        fine &= place[i] >= 0 ? kind->has[i] : !kind->needs[i];
    }
    fine &= place[PROCS] >= 0 || place[NODES] >= 0 || place[POOL] >= 0;
    fine &= (place[POOL] >= 0) == (place[AMOUNT] >= 0);
    if (s->kind == ORR_WINDOWS_RESERVATIONS)
        fine &= place[USER] >= 0 || place[JOB] >= 0;
    if (fine && known == s->rows.columns)
        return ORR_OK;
    char list[600];
    ori_rows_list(&s->rows, list, sizeof list);
    return ori_rows_fail(&s->rows, "%s has the columns %s; the first line has: %s", kind->what,
                         kind->columns, list);
}

/* ORR_ERR_INPUT of a list of windows, with the line. */
static orr_status in_line(windows_state *s, orr_status status, const orr_error *why)
{
    if (status == ORR_ERR_INPUT)
        return ori_rows_fail(&s->rows, "%s", why->message);
    return status == ORR_OK ? status : orr_fail(s->rows.err, status, "%s", why->message);
}

static orr_status add_row(windows_state *s)
{
    orr_error why = {0};
    if (s->kind == ORR_WINDOWS_SIZE) {
        if (s->procs < 0)
            return ori_rows_fail(&s->rows, "it does not say how many processors there are");
        return in_line(s, orr_windows_add_size(s->windows, s->from, s->procs, &why), &why);
    }
    if (s->has_pool != (s->amount >= 0) || (s->has_pool && (s->has_nodes || s->procs >= 0)))
        return ori_rows_fail(&s->rows, "a row has pool and amount, or neither of them and procs or "
                                       "nodes");
    if (s->has_pool)
        return in_line(s,
                       orr_windows_add_closing(s->windows, s->from, s->to, s->pool.text,
                                               (int64_t)s->amount, &why),
                       &why);
    if ((s->procs >= 0) == s->has_nodes)
        return ori_rows_fail(&s->rows, "a row has either procs or nodes, this one has %s",
                             s->has_nodes ? "both" : "none");
    if (s->kind == ORR_WINDOWS_RESERVATIONS && s->has_user == s->has_job)
        return ori_rows_fail(&s->rows, "a row has either user or job, this one has %s",
                             s->has_user ? "both" : "none");
    const orr_window one = {.from = s->from,
                            .to = s->to,
                            .first = ORR_WINDOW_HIGHEST,
                            .count = s->procs,
                            .user = s->has_user ? s->user.text : NULL,
                            .job = s->has_job ? s->job.text : NULL};
    const char *nodes = s->has_nodes ? s->nodes.text : NULL;
    return in_line(s, orr_windows_add(s->windows, &one, nodes, &why), &why);
}

static void begin_row(windows_state *s)
{
    s->from = s->to = NAN;
    s->procs = -1;
    s->amount = -1;
    s->has_nodes = s->has_user = s->has_job = s->has_pool = false;
}

static orr_status on_row(void *user)
{
    windows_state *s = user;
    orr_status status = add_row(s);
    begin_row(s);
    return status;
}

static void free_id(ori_id *id)
{
    ORI_FREE(&id->alloc, &id->text, &id->capacity);
}

orr_status orr_read_windows(const char *path, orr_windows_kind kind, const orr_jobs *jobs,
                            orr_windows *windows, orr_error *err)
{
    static const ori_row_handlers handlers = {.header = on_header, .row = on_row};
    ORI_REFUSE((unsigned)kind > ORR_WINDOWS_RESERVATIONS, err,
               "there is no kind %d of windows, they are numbered from 0 to %d", (int)kind,
               (int)ORR_WINDOWS_RESERVATIONS);
    orr_allocator a = *ori_windows_allocator(windows);
    windows_state s = {.rows = {.alloc = a,
                                .path = path,
                                .what = kinds[kind].what,
                                .most_columns = MOST_COLUMNS,
                                .handlers = &handlers},
                       .jobs = jobs,
                       .kind = kind,
                       .windows = windows,
                       .nodes = {.alloc = a},
                       .user = {.alloc = a},
                       .job = {.alloc = a},
                       .pool = {.alloc = a}};
    s.rows.user = s.rows.record = &s;
    begin_row(&s);
    orr_status status = ori_rows_read_file(&s.rows, false, err);
    if (status == ORR_OK && s.rows.columns < 0)
        status = orr_fail(err, ORR_ERR_INPUT, "%s: not %s: the header with %s is missing", path,
                          kinds[kind].what, kinds[kind].columns);
    free_id(&s.nodes);
    free_id(&s.user);
    free_id(&s.job);
    free_id(&s.pool);
    return status;
}
