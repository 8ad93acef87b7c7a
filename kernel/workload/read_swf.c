/* The Standard Workload Format (D. Feitelson, Parallel Workloads Archive): comments after `;`, the
 * header among them, then one job a line in 18 numbers, -1 for what is unknown. */
#include "reader_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 18 };

/* Fields by their numbers in the definition of the format, less one. */
enum {
    JOB,
    SUBMIT,
    WAIT,
    RUN,
    ALLOCATED,
    CPU,
    MEMORY,
    REQUESTED,
    WALLTIME,
    STATUS = 10,
    USER,
    QUEUE = 14,
    PARTITION
};

static const char *const field_names[FIELDS] = {"job number",
                                                "submit time",
                                                "wait time",
                                                "run time",
                                                "allocated processors",
                                                "average CPU time",
                                                "used memory",
                                                "requested processors",
                                                "requested time",
                                                "requested memory",
                                                "status",
                                                "user",
                                                "group",
                                                "executable",
                                                "queue",
                                                "partition",
                                                "preceding job",
                                                "think time"};

typedef struct swf_state {
    ori_read_context *context;
    ori_lines lines;
    double max_procs, max_nodes; /* of the header; 0: not stated */
    char whole[32];              /* the id of the last job that had a line for the whole of it */
} swf_state;

typedef struct swf_record {
    const char *text[FIELDS];
    size_t size[FIELDS];
    double value[FIELDS];
} swf_record;

static long long line_of(const swf_state *swf)
{
    return (long long)swf->context->line + 1;
}

static orr_status fail_field(const swf_state *swf, const swf_record *record, int field,
                             const char *expected, orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: field %d (%s): expected %s, found %s",
                    swf->context->name, line_of(swf), field + 1, field_names[field], expected,
                    ori_quote(record->text[field], record->size[field], found));
}

/* --- comments ----------------------------------------------------------------------------------*/

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t skip_blanks(const char *line, size_t i, size_t size)
{
    while (i < size && blank(line[i]))
        i++;
    return i;
}

/* The number behind "; Key:"; false where the comment is about something else. */
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
    return ori_parse_number(line + begin, end - begin, value);
}

static void read_comment(swf_state *swf, const char *line, size_t size)
{
    orr_jobs *jobs = swf->context->jobs;
    double value;
    if (header_value(line, size, "MaxProcs", &value)) {
        swf->max_procs = value;
        swf->context->machine_procs = value >= 1 && value <= INT32_MAX ? (int32_t)value : 0;
    } else if (header_value(line, size, "MaxNodes", &value))
        swf->max_nodes = value;
    else if (header_value(line, size, "UnixStartTime", &value) && fabs(value) < 9e12) {
        jobs->has_origin = true;
        jobs->origin_us = llround(value * 1e6);
    }
}

/* --- records -----------------------------------------------------------------------------------*/

/* Splits a line; returns the number of fields, those behind the last expected one counted too. */
static int split(const char *line, size_t size, swf_record *record)
{
    int n = 0;
    size_t i = skip_blanks(line, 0, size);
    while (i < size) {
        size_t begin = i;
        while (i < size && !blank(line[i]))
            i++;
        if (n < FIELDS) {
            record->text[n] = line + begin;
            record->size[n] = i - begin;
        }
        n++;
        i = skip_blanks(line, i, size);
    }
    return n;
}

static orr_status check_time(const swf_state *swf, const swf_record *record, int field,
                             orr_error *err)
{
    double value = record->value[field];
    if (value < 0 && value != -1)
        return fail_field(swf, record, field, "a number of seconds >= 0, or -1 for unknown", err);
    return ORR_OK;
}

static orr_status check_procs(const swf_state *swf, const swf_record *record, int field,
                              orr_error *err)
{
    double value = record->value[field];
    if (value != floor(value) || value < -1 || value > INT32_MAX)
        return fail_field(swf, record, field,
                          "a number of processors up to 2147483647, or -1 for unknown", err);
    return ORR_OK;
}

static orr_status read_fields(const swf_state *swf, const char *line, size_t size,
                              swf_record *record, orr_error *err)
{
    int n = split(line, size, record);
    for (int i = 0; i < n && i < FIELDS; i++)
        if (!ori_parse_number(record->text[i], record->size[i], &record->value[i]))
            return fail_field(swf, record, i, "a number", err);
    if (n != FIELDS) {
        orr_fail(err, ORR_ERR_INPUT, "%s:%lld: expected %d fields, found %d", swf->context->name,
                 line_of(swf), FIELDS, n);
        return ORR_ERR_INPUT;
    }
    static const int times[] = {SUBMIT, RUN, WALLTIME}, procs[] = {ALLOCATED, REQUESTED};
    orr_status status = ORR_OK;
    for (int i = 0; i < 3 && status == ORR_OK; i++)
        status = check_time(swf, record, times[i], err);
    for (int i = 0; i < 2 && status == ORR_OK; i++)
        status = check_procs(swf, record, procs[i], err);
    return status;
}

/* Numbers stay as they are written; -1 is unknown. */
static orr_status read_labels(swf_state *swf, const swf_record *record, int32_t *label,
                              orr_error *err)
{
    static const int fields[] = {USER, QUEUE, PARTITION};
    static const orr_label kinds[] = {ORR_LABEL_USER, ORR_LABEL_QUEUE, ORR_LABEL_PARTITION};
    orr_labels *names = &swf->context->jobs->names;
    for (int i = 0; i < 3; i++) {
        if (record->value[fields[i]] == -1)
            continue;
        orr_status status = orr_labels_number(names, record->text[fields[i]],
                                              record->size[fields[i]], &label[kinds[i]], err);
        if (status != ORR_OK)
            return status;
    }
    double end = record->value[STATUS];
    const char *name = end == 1   ? ORR_STATUS_COMPLETED
                       : end == 0 ? ORR_STATUS_FAILED
                       : end == 5 ? ORR_STATUS_CANCELLED
                                  : "";
    return orr_labels_number(names, name, strlen(name), &label[ORR_LABEL_STATUS], err);
}

/* The standard lets a job that was swapped out or checkpointed have a line for the whole of it, and
 * then one for each of its partial executions, of status 2, 3 or 4: the first is what counts for
 * a workload. */
static bool is_part(const swf_record *record)
{
    double status = record->value[STATUS];
    return status == 2 || status == 3 || status == 4;
}

static orr_status drop_part(const swf_state *swf, const ori_record *job, orr_error *err)
{
    bool lone = strcmp(job->id, swf->whole) != 0;
    return ori_read_drop(swf->context, job, lone ? ORR_DROP_LONE_PART : ORR_DROP_PART, err);
}

static orr_status fail_wide(const swf_state *swf, const swf_record *record, int field,
                            orr_error *err)
{
    char expected[80];
    snprintf(expected, sizeof expected, "at most the %d processors of the machine (MaxProcs)",
             (int)swf->context->machine_procs);
    return fail_field(swf, record, field, expected, err);
}

static orr_status read_record(swf_state *swf, const char *line, size_t size, orr_error *err)
{
    swf_record record;
    ori_record job;
    orr_status status = read_fields(swf, line, size, &record, err);
    if (status != ORR_OK)
        return status;
    const double *value = record.value;
    char id[sizeof swf->whole];
    if (record.size[JOB] >= sizeof id)
        return fail_field(swf, &record, JOB, "a shorter number", err);
    memcpy(id, record.text[JOB], record.size[JOB]);
    id[record.size[JOB]] = '\0';
    ori_record_clear(&job);
    job.line = line_of(swf);
    job.id = id;
    if (is_part(&record))
        return drop_part(swf, &job, err);
    memcpy(swf->whole, id, sizeof id);
    int procs = value[REQUESTED] > 0 ? REQUESTED : ALLOCATED;
    job.procs = value[procs] > 0 ? (int32_t)value[procs] : 0;
    job.submit = value[SUBMIT] < 0 ? NAN : value[SUBMIT];
    job.time = value[RUN] < 0 ? NAN : value[RUN];
    job.walltime = value[WALLTIME] < 0 ? NAN : value[WALLTIME];
    job.wait = value[WAIT] < 0 ? NAN : value[WAIT];
    status = read_labels(swf, &record, job.label, err);
    if (status == ORR_OK && ori_read_is_too_wide(swf->context, &job))
        return fail_wide(swf, &record, procs, err);
    return status == ORR_OK ? ori_read_add(swf->context, &job, err) : status;
}

/* --- lines -------------------------------------------------------------------------------------*/

static orr_status read_line(void *user, const char *line, size_t size, orr_error *err)
{
    swf_state *swf = user;
    size_t i = skip_blanks(line, 0, size);
    if (i == size)
        return ORR_OK;
    if (line[i] != ';')
        return read_record(swf, line, size, err);
    read_comment(swf, line + i, size - i);
    return ORR_OK;
}

static orr_status swf_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    return ori_lines_feed(&((swf_state *)state)->lines, bytes, size, err);
}

static orr_status swf_finish(void *state, orr_error *err)
{
    swf_state *swf = state;
    orr_status status = ori_lines_finish(&swf->lines, err);
    double procs = swf->max_procs > 0 ? swf->max_procs : swf->max_nodes;
    if (procs >= 1 && procs <= INT32_MAX)
        swf->context->jobs->machine_procs = (int32_t)procs;
    return status;
}

static void swf_close(void *state)
{
    swf_state *swf = state;
    orr_allocator alloc = swf->context->alloc;
    ori_lines_close(&swf->lines);
    orr_release(&alloc, swf, sizeof *swf);
}

static void *swf_open(ori_read_context *context, orr_error *err)
{
    swf_state *swf = orr_calloc(&context->alloc, 1, sizeof *swf);
    if (swf == NULL) {
        orr_fail_memory(err, sizeof *swf);
        return NULL;
    }
    swf->context = context;
    swf->lines = (ori_lines){.context = context, .read = read_line, .user = swf};
    return swf;
}

const ori_format ori_format_swf = {swf_open, swf_feed, swf_finish, swf_close};
