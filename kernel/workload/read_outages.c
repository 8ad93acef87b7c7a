/* Files of outages: CSV of three columns, or a dump of Slurm's events, which has bars between
 * fields and no quotes. */
#include "workload/outages.h"

#include "base/api_internal.h"
#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "hostlist_internal.h"
#include "rows_internal.h"
#include "source_internal.h"
#include "workload/zone.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 64, HEAD_SIZE = 256 };

/* The kinds of states of a node. */
enum { IN_SERVICE, DRAINED, FAILED };

typedef struct known_outage {
    orr_outage outage; /* first: its time is the sort key */
    orr_outage_kind kind;
} known_outage;

typedef struct outages_state {
    ori_rows rows;
    int64_t line;
    orr_outage_reading reading;
    ori_hosts hosts;
    char head[HEAD_SIZE]; /* the text before the first delimiter */
    size_t head_size;
    bool opened, dump;

    /* the row being read */
    double from, to; /* s */
    int state;
    int32_t *nodes;
    int64_t node_count, node_capacity;
    char expected[200];

    known_outage *found;
    int64_t count, capacity, left_out;
} outages_state;

/* --- columns -----------------------------------------------------------------------------------*/

static orr_status take_node(void *user, const char *name, size_t size, orr_error *err)
{
    outages_state *f = user;
    int32_t node = ori_hosts_find(&f->hosts, name, size);
    if (node >= 0) {
        ORI_TRY(ORI_RESERVE(&f->rows.alloc, &f->nodes, &f->node_capacity, f->node_count + 1, err));
        f->nodes[f->node_count++] = node;
        return ORR_OK;
    }
    char shown[ORI_QUOTED_SIZE];
    if (f->hosts.named)
        ori_snprintf(f->expected, sizeof f->expected,
                     "nodes of the machine (node_names), of which %s is none",
                     ori_quote(name, size, shown));
    else
        ori_snprintf(f->expected, sizeof f->expected,
                     "nodes from %d to %d, or names of nodes together with node_names",
                     (int)f->hosts.low, (int)(f->hosts.low + f->hosts.count - 1));
    return ORR_ERR_INPUT;
}

static orr_status read_nodes(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    outages_state *f = row;
    (void)column;
    if (size == 0 && f->dump) /* an event of the cluster */
        return ORR_OK;
    f->expected[0] = '\0';
    orr_status status = ori_hostlist_each(text, size, take_node, f, err);
    if (f->expected[0])
        *expected = f->expected;
    return status;
}

/* Reads a date on the log's clock; false for other texts. */
static bool read_date(const outages_state *f, const char *text, size_t size, double *seconds)
{
    int64_t us;
    if (!f->reading.has_origin || !orr_zone_parse(f->reading.zone, text, size, &us))
        return false;
    *seconds = (double)(us - f->reading.origin_us) / 1e6;
    return true;
}

static orr_status read_time(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    outages_state *f = row;
    double *seconds = ori_column_at(column, row);
    (void)err;
    if ((!f->dump && ori_parse_number(text, size, seconds)) || read_date(f, text, size, seconds))
        return ORR_OK;
    if (!f->reading.has_origin)
        *expected = f->dump ? "a log that has dates, because the dump has"
                            : "a number of seconds (the log has no dates)";
    else
        *expected = f->dump ? "a date as 2019-06-14T07:04:00"
                            : "a number of seconds, or a date as 2019-06-14 07:04:00";
    return ORR_ERR_INPUT;
}

static orr_status read_end(const ori_column *column, const char *text, size_t size, void *row,
                           const char **expected, orr_error *err)
{
    *(double *)ori_column_at(column, row) = INFINITY;
    if (size == 0 || (size == 7 && strncasecmp(text, "Unknown", 7) == 0))
        return ORR_OK;
    return read_time(column, text, size, row, expected, err);
}

/* Words of Slurm's states, without their marks; the first that a word begins with counts. */
static const struct word {
    const char *text;
    int state;
} words[] = {
    {"down", FAILED},         {"error", FAILED},       {"drain", DRAINED},
    {"fail", DRAINED},        {"maint", DRAINED},      {"power", DRAINED},
    {"reboot", DRAINED},      {"no_respond", DRAINED}, {"not_respond", DRAINED},
    {"invalid_reg", DRAINED}, {"blocked", DRAINED},    {"future", DRAINED},
    {"unknown", DRAINED},     {"idle", IN_SERVICE},    {"alloc", IN_SERVICE},
    {"mix", IN_SERVICE},      {"comp", IN_SERVICE},    {"planned", IN_SERVICE},
    {"res", IN_SERVICE},      {"cloud", IN_SERVICE},   {"dynamic", IN_SERVICE},
    {"perfctrs", IN_SERVICE}, {"npc", IN_SERVICE},     {"launch", IN_SERVICE},
    {"undrain", IN_SERVICE},  {"resume", IN_SERVICE},  {"blank", IN_SERVICE},
};

static const struct word *find_word(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].text);
        if (size >= length && strncasecmp(text, words[i].text, length) == 0)
            return &words[i];
    }
    return NULL;
}

/* "DOWN*+DRAIN": the worst of its words. */
static orr_status read_state(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    outages_state *f = row;
    const char *end = text + size;
    (void)column, (void)expected, (void)err;
    f->state = IN_SERVICE;
    for (const char *word = text, *stop; size > 0 && word < end;) {
        stop = memchr(word, '+', (size_t)(end - word));
        stop = stop ? stop : end;
        const struct word *known = find_word(word, (size_t)(stop - word));
        if (!known)
            return ORR_ERR_INPUT;
        f->state = known->state > f->state ? known->state : f->state;
        word = stop < end ? stop + 1 : end;
    }
    return ORR_OK;
}

static const ori_type nodes_type = {.read = read_nodes,
                                    .expected = "nodes as Slurm writes lists: nid[0001-0016]"};
static const ori_type from_type = {.read = read_time};
static const ori_type to_type = {.read = read_end};
static const ori_type state_type = {.read = read_state,
                                    .expected = "a state of a node such as DOWN*+DRAIN"};

static const ori_column csv_columns[] = {
    {"node", &nodes_type, 0, ORI_REQUIRED},
    {"from", &from_type, offsetof(outages_state, from), ORI_REQUIRED},
    {"to", &to_type, offsetof(outages_state, to), ORI_REQUIRED},
};

static const ori_column dump_columns[] = {
    {"NodeName", &nodes_type, 0, ORI_REQUIRED},
    {"TimeStart", &from_type, offsetof(outages_state, from), ORI_REQUIRED},
    {"TimeEnd", &to_type, offsetof(outages_state, to), ORI_REQUIRED},
    {"State", &state_type, 0, ORI_REQUIRED},
};

enum {
    CSV_COLUMNS = sizeof csv_columns / sizeof *csv_columns,
    DUMP_COLUMNS = sizeof dump_columns / sizeof *dump_columns
};

/* --- rows --------------------------------------------------------------------------------------*/

static orr_status on_header(void *user)
{
    outages_state *f = user;
    int count = f->dump ? DUMP_COLUMNS : CSV_COLUMNS;
    bool all = f->dump || f->rows.columns == CSV_COLUMNS;
    ori_rows_match(&f->rows, f->dump ? dump_columns : csv_columns, count);
    for (int i = 0; i < count; i++)
        all &= f->rows.table.place[i] >= 0;
    if (all)
        return ORR_OK;
    char list[600];
    ori_rows_list(&f->rows, list, sizeof list);
    return ori_rows_fail(&f->rows,
                         "a file of outages has the columns node,from,to, or is a dump of "
                         "sacctmgr -P show event with NodeName|TimeStart|TimeEnd|State; the first "
                         "line has: %s",
                         list);
}

static orr_status add_outage(outages_state *f, int32_t node)
{
    int32_t size = f->reading.node_procs, first = node * size;
    int32_t rest = f->reading.procs - first;
    ORI_TRY(ORI_RESERVE(&f->rows.alloc, &f->found, &f->capacity, f->count + 1, f->rows.err));
    f->found[f->count++] =
        (known_outage){{f->from > 0 ? f->from : 0, f->to, first, rest < size ? rest : size},
                       f->state == FAILED ? ORR_OUTAGE_FAILURE : ORR_OUTAGE_DRAINED};
    return ORR_OK;
}

static void forget_row(outages_state *f)
{
    f->node_count = 0;
    f->state = FAILED; /* a CSV has failures only */
}

static orr_status on_row(void *user)
{
    outages_state *f = user;
    if (f->to < f->from)
        return ori_rows_fail(&f->rows, "the outage ends before it begins: from %.17g s to %.17g s",
                             f->from, f->to);
    if (f->node_count == 0 || f->state == IN_SERVICE || f->to <= 0)
        f->left_out++;
    else
        for (int64_t i = 0; i < f->node_count; i++)
            ORI_TRY(add_outage(f, f->nodes[i]));
    forget_row(f);
    return ORR_OK;
}

/* --- the file ----------------------------------------------------------------------------------*/

static orr_status open_rows(outages_state *f, bool dump, orr_error *err)
{
    f->opened = true;
    f->dump = dump;
    ori_rows_open(&f->rows, dump ? '|' : ',');
    if (dump) /* no byte of a text: sacctmgr does not quote */
        csv_set_quote(&f->rows.parser, '\0');
    return ori_rows_feed(&f->rows, f->head, f->head_size, err);
}

/* Finds the format by the first delimiter. */
static orr_status feed_outages(void *user, const char *bytes, size_t size, orr_error *err)
{
    outages_state *f = user;
    size_t at = 0;
    while (!f->opened && at < size) {
        char c = bytes[at];
        if (c == '|' || c == ',' || c == '\n' || c == '\0' || f->head_size == HEAD_SIZE)
            ORI_TRY(open_rows(f, c == '|', err));
        else
            f->head[f->head_size++] = bytes[at++];
    }
    return at < size ? ori_pass_text(ori_rows_feed, &f->rows, bytes + at, size - at, f->rows.path,
                                     f->rows.what, &f->line, err)
                     : ORR_OK;
}

static orr_status read_all(outages_state *f, orr_error *err)
{
    ori_source source;
    ori_source_open(&source, f->rows.path, feed_outages, f, &f->rows.alloc);
    orr_status status = ori_source_feed_file(&source, f->rows.path, err);
    if (status == ORR_OK && !f->opened)
        status = open_rows(f, false, err);
    if (status == ORR_OK)
        status = ori_rows_finish(&f->rows, err);
    if (status == ORR_OK && f->rows.columns < 0)
        status = ori_source_fail_empty(&source, err);
    ori_source_close(&source);
    if (f->opened)
        ori_rows_close(&f->rows);
    return status;
}

static orr_status hand_over(outages_state *f, orr_outage_list *list, orr_error *err)
{
    const orr_allocator *a = &f->rows.alloc;
    ORI_TRY(ORI_SORT(f->found, f->count, ori_is_less, a, err));
    list->left_out = f->left_out;
    if (f->count == 0)
        return ORR_OK;
    list->count = f->count;
    list->outages = orr_calloc(a, (size_t)f->count, sizeof *list->outages);
    list->kinds = orr_calloc(a, (size_t)f->count, sizeof *list->kinds);
    if (!list->outages || !list->kinds) {
        orr_release(a, list->outages, (size_t)f->count * sizeof *list->outages);
        orr_release(a, list->kinds, (size_t)f->count * sizeof *list->kinds);
        *list = (orr_outage_list){.count = 0};
        return orr_fail_memory(err, (size_t)f->count * sizeof *f->found);
    }
    for (int64_t i = 0; i < f->count; i++) {
        list->outages[i] = f->found[i].outage;
        list->kinds[i] = f->found[i].kind;
    }
    return ORR_OK;
}

orr_status orr_read_outages(const char *path, const orr_outage_reading *given,
                            orr_outage_list *list, const orr_allocator *a, orr_error *err)
{
    static const ori_row_handlers handlers = {.header = on_header, .row = on_row};
    outages_state f = {.rows = {.alloc = orr_allocator_or_default(a),
                                .path = path,
                                .what = "a file of outages",
                                .most_columns = MOST_COLUMNS,
                                .handlers = &handlers}};
    const orr_outage_reading *r = &f.reading;
    *list = (orr_outage_list){.count = 0};
    ORI_TRY(ORI_TAKE(&f.reading, given, orr_outage_reading, err));
    ORI_REFUSE(r->procs < 1 || r->node_procs < 1, err,
               "a machine has at least 1 processor and a node, too, not %d and %d", (int)r->procs,
               (int)r->node_procs);
    int32_t nodes = (int32_t)(((int64_t)r->procs + r->node_procs - 1) / r->node_procs);
    f.rows.user = f.rows.record = &f;
    f.rows.line = &f.line;
    forget_row(&f);
    orr_status status =
        ori_hosts_create(&f.hosts, nodes, r->from_one, r->node_names, &f.rows.alloc, err);
    if (status == ORR_OK)
        status = read_all(&f, err);
    if (status == ORR_OK)
        status = hand_over(&f, list, err);
    ori_hosts_destroy(&f.hosts);
    ORI_FREE(&f.rows.alloc, &f.nodes, &f.node_capacity);
    ORI_FREE(&f.rows.alloc, &f.found, &f.capacity);
    return status;
}
