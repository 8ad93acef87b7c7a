/* The Standard Workload Format (D. Feitelson, Parallel Workloads Archive): comments after `;`, the
 * header among them, then one job per line in 18 numbers, -1 for unknown values. Columns are known
 * by their place. Unused columns must be numbers, too; fields behind the 18th are not read. All
 * lines of a log may have fewer numbers, as long as they include runtime and processors; and all
 * lines may have commas between the numbers. */
#include "base/array_internal.h"
#include "base/try_internal.h"
#include "formats_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 18, LEAST_FIELDS = 5 };

/* --- columns -----------------------------------------------------------------------------------*/

#define SECONDS "a number of seconds >= 0, or -1 for unknown"
#define PROCESSORS "a number of processors up to 2147483647, or -1 for unknown"

static const ori_type seconds = {ori_read_number, SECONDS, .most = INFINITY, .minus_one = true};
static const ori_type wait = {ori_read_number, NULL, .most = INFINITY, .negative = true};
static const ori_type processors = {ori_read_number, PROCESSORS, .most = INT32_MAX, .whole = true,
                                    .minus_one = true};
static const ori_type id = {ori_read_id, "a shorter number", .most = 31};

/* Fields by their numbers in the definition of the format, minus one. */
enum {
    JOB,
    SUBMIT,
    WAIT,
    RUN,
    ALLOCATED,
    CPU_TIME,
    USED,
    REQUESTED,
    WALLTIME,
    MEMORY,
    STATUS,
    USER,
    QUEUE = 14,
    PRECEDING = 16,
    THINK
};

static const ori_column columns[FIELDS] = {
    {"job number", &id, ORI_RECORD(id), ORI_OPTIONAL},
    {"submit time", &seconds, ORI_RECORD(submit), ORI_OPTIONAL},
    {"wait time", &wait, ORI_RECORD(wait), ORI_OPTIONAL},
    {"run time", &seconds, ORI_RECORD(time), ORI_OPTIONAL},
    {"allocated processors", &processors, ORI_RECORD(procs), ORI_OPTIONAL},
    {"average CPU time", NULL, 0, ORI_OPTIONAL},
    {"used memory", NULL, 0, ORI_OPTIONAL},
    {"requested processors", &processors, ORI_RECORD(requested), ORI_OPTIONAL},
    {"requested time", &seconds, ORI_RECORD(walltime), ORI_OPTIONAL},
    {"requested memory", NULL, 0, ORI_OPTIONAL},
    {"status", NULL, ORI_RECORD_LABEL(STATUS), ORI_OPTIONAL},
    {"user", &ori_label_type, ORI_RECORD_LABEL(USER), ORI_OPTIONAL},
    {"group", NULL, 0, ORI_OPTIONAL},
    {"executable", NULL, 0, ORI_OPTIONAL},
    {"queue", &ori_label_type, ORI_RECORD_LABEL(QUEUE), ORI_OPTIONAL},
    {"partition", &ori_label_type, ORI_RECORD_LABEL(PARTITION), ORI_OPTIONAL},
    {"preceding job", NULL, 0, ORI_OPTIONAL},
    {"think time", NULL, 0, ORI_OPTIONAL},
};

/* Labels in the order in which they are met. */
static const unsigned char labels[] = {USER, QUEUE, QUEUE + 1};
static const unsigned char others[] = {CPU_TIME, USER + 1, USER + 2}; /* that are not read */

typedef struct swf_state {
    ori_read_context *context;
    double max_procs, max_nodes; /* of the header; 0: not stated */
    char whole[32];              /* the id of the last job with a line for its whole; it begins with
                                    UNREAD where it is unknown */
    int fields;                  /* of each line */
    bool comments, commas;       /* the log has comments; commas between numbers */
    unsigned unread;             /* fields that some line has and that are not read, as bits; one
                                    behind the 18th counts as that */
    bool own;                    /* Orrery wrote the log: */
    orr_labels own_names[3];     /* texts of users, queues and partitions, by number */
    const orr_labels *names;     /* them; also of parts */
    int32_t last[3];             /* numbers of labels of the job before */
    char *copy;                  /* of a line, without its commas */
    int64_t copy_capacity;

    /* the line being read */
    const char *line_end;
    const char *text[FIELDS]; /* up to a blank or the end of the line; of fields that are not -1 */
    double value[FIELDS];
} swf_state;

enum { UNREAD = '\1' };

/* Whether this line can only be read by a reader of the whole log, in order. */
static bool needs_order(const swf_state *swf)
{
    swf->context->odd |= swf->context->part;
    return swf->context->part;
}

static bool blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\r');
}

ORR_INLINE size_t size_of_field(const swf_state *swf, int i)
{
    const char *end = swf->text[i];
    while (end < swf->line_end && !blank(*end))
        end++;
    return (size_t)(end - swf->text[i]);
}

ORR_INLINE ori_field field_of(const swf_state *swf, int i)
{
    return (ori_field){.word = "field",
                       .number = i + 1,
                       .name = columns[i].name,
                       .text = swf->text[i],
                       .size = size_of_field(swf, i)};
}

static orr_status fail_field(swf_state *swf, int i, const char *expected, orr_error *err)
{
    ori_field field = field_of(swf, i);
    return ori_record_fail(swf->context, &field, expected, err);
}

/* --- comments ----------------------------------------------------------------------------------*/

static size_t skip_blanks(const char *line, size_t i, size_t size)
{
    while (i < size && blank(line[i]))
        i++;
    return i;
}

/* A number, also one with commas between groups of three digits. */
static bool parse_grouped(const char *text, size_t size, double *value)
{
    char plain[32];
    size_t n = 0;
    for (size_t i = 0; i < size && n < sizeof plain; i++) {
        bool comma = text[i] == ',' && i > 0 && size - i > 3 && (size - i) % 4 == 0;
        if (!comma)
            plain[n++] = text[i];
    }
    return n < sizeof plain && ori_parse_number(plain, n, value);
}

/* The number behind "; Key:"; false for other comments. */
static bool header_value(const char *line, size_t size, const char *key, double *value)
{
    size_t length = strlen(key), i = skip_blanks(line, 1, size);
    if (size - i < length || memcmp(line + i, key, length) != 0)
        return false;
    i = skip_blanks(line, i + length, size);
    if (i == size || line[i] != ':')
        return false;
    size_t begin = skip_blanks(line, i + 1, size), end = begin;
    while (end < size && !blank(line[end]))
        end++;
    return parse_grouped(line + begin, end - begin, value);
}

static int32_t procs_of(double value)
{
    return value >= 1 && value <= INT32_MAX ? (int32_t)value : 0;
}

/* "; Queue: 2 long" of a log that Orrery wrote, where numbers count names from 1 on. */
static orr_status read_name(swf_state *swf, const char *line, size_t size, orr_error *err)
{
    static const char *const titles[] = {"; User: ", "; Queue: ", "; Partition: "};
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++) {
        size_t length = strlen(titles[k]);
        const char *name = size > length && memcmp(line, titles[k], length) == 0
                               ? memchr(line + length, ' ', size - length)
                               : NULL;
        size -= name && line[size - 1] == '\r';
        int32_t number;
        double given;
        if (!name || !ori_parse_number(line + length, (size_t)(name - line) - length, &given) ||
            given != swf->own_names[k].count + 1)
            continue;
        swf->own_names[k].alloc = swf->context->alloc;
        swf->names = swf->own_names;
        return orr_labels_number(&swf->own_names[k], name + 1, (size_t)(line + size - name - 1),
                                 &number, err);
    }
    return ORR_OK;
}

static orr_status read_comment(swf_state *swf, const char *line, size_t size, orr_error *err)
{
    static const char writer[] = "; Conversion: orrery ";
    orr_jobs *jobs = swf->context->jobs;
    double value;
    swf->own |= size >= sizeof writer && memcmp(line, writer, sizeof writer - 1) == 0;
    if (swf->own)
        ORI_TRY(read_name(swf, line, size, err));
    if (header_value(line, size, "MaxProcs", &value)) {
        swf->max_procs = value;
        swf->context->machine_procs = procs_of(value);
    } else if (header_value(line, size, "MaxNodes", &value)) {
        swf->max_nodes = value;
    } else if (header_value(line, size, "UnixStartTime", &value) && fabs(value) < 9e12) {
        jobs->has_origin = true;
        jobs->origin_us = llround(value * 1e6);
    }
    jobs->machine_procs = procs_of(swf->max_procs > 0 ? swf->max_procs : swf->max_nodes);
    return ORR_OK;
}

/* --- records -----------------------------------------------------------------------------------*/

enum { MOST_DIGITS = 18 }; /* of numbers that are below 2^63 */

/* Reads a number and returns where it ends; NaN for anything else. Most are short and whole: they
 * are read on the way to their end. */
ORR_INLINE const char *read_number(const char *p, const char *end, double *value)
{
    const char *begin = p, *digits = p + (*p == '-');
    uint64_t whole = 0;
    p = digits;
    for (unsigned digit; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
        whole = whole * 10 + digit;
    if (ORR_LIKELY(p > digits && p - digits <= MOST_DIGITS && (p == end || blank(*p)))) {
        *value = digits > begin ? -(double)(int64_t)whole : (double)(int64_t)whole;
        return p;
    }
    while (p < end && !blank(*p))
        p++;
    if (!ori_parse_number(begin, (size_t)(p - begin), value))
        *value = NAN;
    return p;
}

/* Notes once that fields are not read. */
static orr_status note_unread(swf_state *swf, unsigned fields)
{
    if (needs_order(swf))
        return ORR_OK;
    for (int i = 0; i <= FIELDS; i++)
        if ((fields & ~swf->unread) >> i & 1) {
            const char *name = i < FIELDS ? columns[i].name : "fields behind the 18th";
            ori_jobs_ignore(swf->context->jobs, name, strlen(name));
        }
    swf->unread |= fields;
    return ORR_OK;
}

/* A line of fewer fields: those that no line of the log has are unknown. */
static orr_status fill_fields(swf_state *swf, int n, orr_error *err)
{
    swf->context->reason = ORR_DROP_FIELDS;
    if (n != swf->fields)
        return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: expected %d fields, found %d%s",
                        swf->context->name, (long long)swf->context->line + 1, swf->fields, n,
                        swf->comments ? "" : " (a log of fewer begins with a comment: \"; ...\")");
    return ORR_OK;
}

/* Some logs have several preceding jobs, "4&5&6": the first one, NaN where the text is no such
 * list. */
static double first_of_list(const char *text, size_t size)
{
    double first = NAN, value;
    for (const char *p = text, *end = text + size; p <= end; p++) {
        const char *stop = memchr(p, '&', (size_t)(end - p));
        stop = stop ? stop : end;
        if (!ori_parse_number(p, (size_t)(stop - p), &value) || value <= 0)
            return NAN;
        first = isnan(first) ? value : first;
        p = stop;
    }
    return first;
}

/* A field that is no number: only a list of preceding jobs may be one. */
static orr_status read_list(swf_state *swf, int n, orr_error *err)
{
    swf->value[n] = n == PRECEDING ? first_of_list(swf->text[n], size_of_field(swf, n)) : NAN;
    return isnan(swf->value[n]) ? fail_field(swf, n, "a number", err) : ORR_OK;
}

ORR_INLINE orr_status take_number(swf_state *swf, int i, orr_error *err)
{
    return ori_column_take(&columns[i], swf->value[i], &swf->context->record)
               ? ORR_OK
               : fail_field(swf, i, columns[i].type->expected, err);
}

/* Behind fields that are -1, as most are. */
ORR_INLINE const char *skip_unknown(const char *p, const char *end, int *n)
{
    for (; end - p > 2 && memcmp(p, "-1 ", 3) == 0; p += 3)
        ++*n;
    return p;
}

/* Numbers of a line, up to 18 or more. */
static orr_status split_line(swf_state *swf, const char *p, int *count, orr_error *err)
{
    const char *end = swf->line_end;
    int n = 0;
    for (;; n++) {
        p = skip_unknown(p, end, &n);
        while (p < end && blank(*p))
            p++;
        if (p == end)
            break;
        double value;
        const char *begin = p;
        p = read_number(p, end, &value);
        if (n < FIELDS) {
            swf->text[n] = begin;
            swf->value[n] = value;
            if (ORR_UNLIKELY(isnan(value)))
                ORI_TRY(read_list(swf, n, err));
        }
        p += p < end;
    }
    *count = n;
    return ORR_OK;
}

static orr_status read_numbers(swf_state *swf, const char *line, size_t size, orr_error *err)
{
    int n;
    swf->line_end = line + size;
    swf->text[JOB] = line; /* also where it is -1 */
    for (int i = 0; i < FIELDS; i++)
        swf->value[i] = -1;
    ORI_TRY(split_line(swf, line, &n, err));
    unsigned unread = (unsigned)(n > FIELDS) << FIELDS;
    if (ORR_UNLIKELY(n < FIELDS))
        ORI_TRY(fill_fields(swf, n, err));
    for (size_t k = 0; k < sizeof others; k++)
        unread |= (unsigned)(swf->value[others[k]] != -1) << others[k];
    if (ORR_UNLIKELY(unread & ~swf->unread))
        ORI_TRY(note_unread(swf, unread));
    ORI_TRY(take_number(swf, SUBMIT, err));
    ORI_TRY(take_number(swf, RUN, err));
    ORI_TRY(take_number(swf, WALLTIME, err));
    ORI_TRY(take_number(swf, ALLOCATED, err));
    ORI_TRY(take_number(swf, REQUESTED, err));
    return take_number(swf, WAIT, err);
}

/* Numbers keep their text; -1 is unknown. */
static orr_status read_labels(swf_state *swf, ori_record *job, orr_error *err)
{
    for (size_t k = 0; k < sizeof labels; k++) {
        int i = labels[k];
        const char *text = swf->text[i];
        double value = swf->value[i];
        if (value == -1)
            continue;
        size_t size = size_of_field(swf, i);
        if (ORR_UNLIKELY(swf->names != NULL) && value >= 1 && value <= swf->names[k].count) {
            text = orr_labels_text(&swf->names[k], (int32_t)value);
            size = strlen(text);
        }
        int32_t *number = ori_column_at(&columns[i], job);
        const char *last = orr_labels_text(job->names, swf->last[k]);
        if (last && strncmp(last, text, size) == 0 && last[size] == '\0')
            *number = swf->last[k];
        else
            ORI_TRY(orr_labels_number(job->names, text, size, number, err));
        swf->last[k] = *number;
    }
    double end = swf->value[STATUS];
    const char *name = end == 1   ? ORR_STATUS_COMPLETED
                       : end == 0 ? ORR_STATUS_FAILED
                       : end == 5 ? ORR_STATUS_CANCELLED
                                  : NULL;
    if (!name)
        return ORR_OK;
    return orr_labels_number(job->names, name, strlen(name), &job->label.of[ORR_LABEL_STATUS], err);
}

/* The preceding jobs, and the think time where it is known. */
static void read_dependency(const swf_state *swf, ori_after *after)
{
    char think[40] = "";
    after->size = 0;
    if (!(swf->value[PRECEDING] > 0)) /* a log may have no such field */
        return;
    if (swf->value[THINK] >= 0)
        snprintf(think, sizeof think, "+%.17g", swf->value[THINK]);
    const char *text = swf->text[PRECEDING], *end = text + size_of_field(swf, PRECEDING);
    while (text < end) {
        const char *stop = memchr(text, '&', (size_t)(end - text));
        ori_after_add(after, text, (size_t)((stop ? stop : end) - text), think);
        text = stop ? stop + 1 : end;
    }
}

/* KB of each processor. */
static void read_memory(const swf_state *swf, ori_record *job)
{
    double bytes = ceil(1024 * swf->value[swf->value[MEMORY] > 0 ? MEMORY : USED]);
    if (!ori_record_need(job, "mem", 3, ORI_PER_PROC, bytes))
        ori_record_ask(job, "memory", strlen("memory"), NAN);
}

static orr_status read_record(swf_state *swf, const char *line, size_t size, orr_error *err)
{
    ori_record *job = &swf->context->record;
    ori_record_clear(swf->context);
    ORI_TRY(read_numbers(swf, line, size, err));
    ori_field number = field_of(swf, JOB);
    ORI_TRY(ori_record_read(swf->context, &columns[JOB], &number, err));
    /* The standard lets a job that was swapped out or checkpointed have a line for its whole, and
     * then one for each of its partial executions, of status 2, 3 or 4: for a workload the first
     * line counts. */
    double end = swf->value[STATUS];
    if (end == 2 || end == 3 || end == 4) {
        if (swf->whole[0] == UNREAD && needs_order(swf))
            return ORR_OK;
        bool lone = strcmp(job->id.text, swf->whole) != 0;
        return ori_record_drop(swf->context, lone ? ORR_DROP_LONE_PART : ORR_DROP_PART, err);
    }
    memcpy(swf->whole, job->id.text, number.size + 1);
    bool requested = job->requested > 0;
    if (ORR_UNLIKELY(requested && job->procs != job->requested && job->procs > 0)) {
        job->remarks |= 1U << ORR_REMARK_PROCS;
        requested = swf->context->options.procs_of != ORR_PROCS_OF_ALLOCATED;
    }
    if (requested)
        job->procs = job->requested;
    ORI_TRY(read_labels(swf, job, err));
    if (ORR_UNLIKELY(swf->value[MEMORY] > 0 || swf->value[USED] > 0))
        read_memory(swf, job);
    if (ORR_UNLIKELY(job->after))
        read_dependency(swf, job->after);
    else if (ORR_UNLIKELY(swf->value[PRECEDING] > 0))
        ori_record_ask(job, "dependencies", strlen("dependencies"), NAN);
    char expected[ORI_WIDE_SIZE];
    return ori_record_is_too_wide(swf->context, "processors of the machine (MaxProcs)", expected)
               ? fail_field(swf, requested ? REQUESTED : ALLOCATED, expected, err)
               : ori_record_add(swf->context, err);
}

/* --- lines -------------------------------------------------------------------------------------*/

/* Replaces by blanks the one comma between two numbers, but not the commas of an empty field. */
static orr_status without_commas(swf_state *swf, const char **line, size_t size, orr_error *err)
{
    const char *text = *line;
    bool comma = true;
    ORI_TRY(ORI_RESERVE(&swf->context->alloc, &swf->copy, &swf->copy_capacity, (int64_t)size, err));
    for (size_t i = 0; i < size; i++) {
        bool takes = text[i] == ',' && !comma;
        comma = text[i] == ',' || (comma && blank(text[i]));
        swf->copy[i] = takes ? ' ' : text[i];
    }
    *line = swf->copy;
    return ORR_OK;
}

/* Leaves out an unreadable record; its first field may be its id. */
static orr_status leave_out(swf_state *swf, const char *line, size_t size, orr_status status,
                            orr_error *err)
{
    double value;
    const char *expected;
    orr_error cause;
    orr_status named = ORR_OK;
    size_t length = 0;
    while (length < size && !blank(line[length]))
        length++;
    ori_record_forget_id(swf->context);
    if (status == ORR_ERR_INPUT && ori_parse_number(line, length, &value))
        named = ori_read_id(&columns[JOB], line, length, &swf->context->record, &expected, &cause);
    if (named == ORR_ERR_MEMORY) {
        *err = cause;
        return named;
    }
    return ori_record_settle(swf->context, swf->context->reason, status, err);
}

static orr_status read_line(void *state, const char *line, size_t size, orr_error *err)
{
    swf_state *swf = state;
    size_t i = skip_blanks(line, 0, size);
    if (i == size)
        return ORR_OK;
    line += i;
    size -= i;
    if (ORR_UNLIKELY(*line == ';' || *line == '#')) {
        return needs_order(swf) ? ORR_OK : read_comment(swf, line, size, err);
    }
    if (ORR_UNLIKELY(swf->commas))
        ORI_TRY(without_commas(swf, &line, size, err));
    orr_status status = read_record(swf, line, size, err);
    return ORR_LIKELY(status == ORR_OK) ? ORR_OK : leave_out(swf, line, size, status, err);
}

/* --- telling it from others --------------------------------------------------------------------*/

/* The numbers that a line begins with, between blanks or commas. */
static int count_numbers(const char *line, size_t size, bool commas)
{
    int n = 0;
    const char *p = line, *end = line + size;
    while (p < end) {
        double value;
        const char *begin = p;
        while (p < end && !blank(*p) && !(commas && *p == ','))
            p++;
        if (p == begin || !ori_parse_number(begin, (size_t)(p - begin), &value))
            break;
        n++;
        bool comma = false;
        for (; p < end && (blank(*p) || (commas && *p == ',' && !comma)); p++)
            comma |= *p == ',';
    }
    return n;
}

/* The largest number of numbers in a line, up to 18, in this line and the following ones. */
static int most_numbers(const ori_head *head, bool commas)
{
    int most = count_numbers(head->line, head->size, commas);
    for (const char *line = head->next; line < head->end && most < FIELDS;) {
        const char *stop = memchr(line, '\n', (size_t)(head->end - line));
        stop = stop ? stop : head->end;
        size_t i = skip_blanks(line, 0, (size_t)(stop - line));
        int n = count_numbers(line + i, (size_t)(stop - line) - i, commas);
        most = n > most ? n : most;
        line = stop + 1;
    }
    return most < FIELDS ? most : FIELDS;
}

static bool has_commas(const ori_head *head)
{
    return most_numbers(head, false) < LEAST_FIELDS && most_numbers(head, true) >= LEAST_FIELDS;
}

/* Without its comments a log of fewer numbers a line may be anything. */
static bool is_swf(const ori_read_context *context, ori_head *head)
{
    (void)context;
    bool commas = has_commas(head);
    return count_numbers(head->line, head->size, commas) > 0 &&
           most_numbers(head, commas) >= (head->comments ? LEAST_FIELDS : FIELDS);
}

static void open_swf(void *state, const ori_head *head)
{
    swf_state *swf = state;
    swf->comments = head->comments;
    swf->commas = head->line && has_commas(head);
    swf->fields = head->line ? most_numbers(head, swf->commas) : FIELDS;
    if (!head->line || !head->comments || swf->fields < LEAST_FIELDS)
        swf->fields = FIELDS;
}

static void close_swf(void *state)
{
    swf_state *swf = state;
    ORI_FREE(&swf->context->alloc, &swf->copy, &swf->copy_capacity);
    for (size_t k = 0; k < sizeof labels; k++)
        orr_labels_destroy(&swf->own_names[k]);
}

static void part_swf(void *part, const void *whole)
{
    swf_state *swf = part;
    const swf_state *from = whole;
    char *copy = swf->copy;
    int64_t copy_capacity = swf->copy_capacity;
    ori_read_context *context = swf->context;
    *swf = *from;
    memset(swf->own_names, 0, sizeof swf->own_names);
    memset(swf->last, 0, sizeof swf->last);
    swf->context = context;
    swf->copy = copy;
    swf->copy_capacity = copy_capacity;
    swf->whole[0] = UNREAD;
}

static void join_swf(void *whole, const void *part)
{
    swf_state *swf = whole;
    const swf_state *from = part;
    if (from->whole[0] != UNREAD)
        memcpy(swf->whole, from->whole, sizeof swf->whole);
}

const ori_format ori_format_swf = {.about = "the Standard Workload Format",
                                   .comments = true,
                                   .recognises = is_swf,
                                   .open = open_swf,
                                   .state_size = sizeof(swf_state),
                                   .line = read_line,
                                   .part = part_swf,
                                   .join = join_swf,
                                   .close = close_swf};
