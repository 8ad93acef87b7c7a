/* Batsim's workloads: a JSON object of jobs and of the profiles that say what a job does. The only
 * profile that means the same on any machine is the delay.
 *
 * jansson does the syntax. It keeps on malloc: its memory hooks are global. It holds the whole
 * document, about twelve times the size of the text. */
#include "base/array_internal.h"
#include "base/try_internal.h"
#include "formats_internal.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Millions of jobs; what jansson makes of a larger document would take more than 3 GiB. */
enum { LARGEST_TEXT = 1 << 28 };

typedef struct batsim_state {
    ori_read_context *context;
    char *text;
    int64_t size, capacity;
    const json_t *profiles;
    char job[64]; /* the job being read, for messages: "job 17" */
} batsim_state;

ORR_PRINTF(3, 4)
static orr_status fail(const batsim_state *batsim, orr_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    orr_status status = ori_vfail(err, ORR_ERR_INPUT, format, args);
    va_end(args);
    orr_error_prefix(err, "%s", batsim->context->name);
    return status;
}

/* A value as the file has it, for messages: texts in quotes, others as they are. */
static const char *show(const json_t *value, char shown[ORI_QUOTED_SIZE])
{
    enum { LONGEST = 40 };
    if (!value)
        return "nothing";
    if (json_is_string(value))
        return ori_quote(json_string_value(value), json_string_length(value), shown);
    size_t size = json_dumpb(value, shown, LONGEST, JSON_ENCODE_ANY | JSON_COMPACT);
    snprintf(shown + (size < LONGEST ? size : LONGEST), 4, "%s", size < LONGEST ? "" : "...");
    return shown;
}

static orr_status fail_value(const batsim_state *batsim, const char *key, const char *expected,
                             const json_t *value, orr_error *err)
{
    char shown[ORI_QUOTED_SIZE];
    return fail(batsim, err, "%s: %s: expected %s, found %s", batsim->job, key, expected,
                show(value, shown));
}

/* --- jobs --------------------------------------------------------------------------------------*/

/* A text, or an integer as text; NULL for anything else. */
static const char *text_of(const json_t *value, char number[32])
{
    if (!json_is_integer(value))
        return json_string_value(value);
    snprintf(number, 32, "%lld", (long long)json_integer_value(value));
    return number;
}

static orr_status read_id(batsim_state *batsim, const json_t *job, size_t position, orr_error *err)
{
    enum { LONGEST = 200 };
    static const ori_type any = {.most = LONGEST};
    static const ori_column id = {"id", &any, ORI_RECORD(id), ORI_REQUIRED};
    char number[32];
    const json_t *value = json_object_get(job, "id");
    const char *text = text_of(value, number);
    snprintf(batsim->job, sizeof batsim->job, "job number %zu", position + 1);
    if (!json_is_object(job))
        return fail_value(batsim, "jobs", "an object", job, err);
    bool whole = !json_is_string(value) || (text && strlen(text) == json_string_length(value));
    if (!text || !whole || *text == '\0' || strlen(text) > LONGEST)
        return fail_value(batsim, "id", "a text of at most 200 bytes, or an integer", value, err);
    snprintf(batsim->job, sizeof batsim->job, "job %.40s", text);
    return ori_read_id(&id, text, strlen(text), &batsim->context->record, NULL, err);
}

static const ori_type procs = {NULL, "a whole number from 0 to 2147483647", .most = INT32_MAX,
                               .whole = true};
static const ori_type walltime = {NULL, "a number of seconds > 0, or -1 for none",
                                  .least = DBL_TRUE_MIN, .most = INFINITY, .minus_one = true};

/* Keys of a job that are numbers. A walltime may be missing, other keys may not. */
static const ori_column keys[] = {
    {"subtime", &ori_seconds_type, ORI_RECORD(submit), ORI_REQUIRED},
    {"res", &procs, ORI_RECORD(procs), ORI_REQUIRED},
    {"walltime", &walltime, ORI_RECORD(walltime), ORI_OPTIONAL},
};

static orr_status read_numbers(const batsim_state *batsim, const json_t *job, orr_error *err)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(job, keys[i].name);
        if (keys[i].relation == ORI_OPTIONAL && (!value || json_is_null(value)))
            continue;
        if (!json_is_number(value) ||
            !ori_column_take(&keys[i], json_number_value(value), &batsim->context->record))
            return fail_value(batsim, keys[i].name, keys[i].type->expected, value, err);
    }
    return ORR_OK;
}

static orr_status read_profile(const batsim_state *batsim, const json_t *job, ori_record *record,
                               orr_error *err)
{
    const json_t *name = json_object_get(job, "profile");
    char shown[ORI_QUOTED_SIZE], key[ORI_QUOTED_SIZE + 16];
    if (!json_is_string(name))
        return fail_value(batsim, "profile", "the name of a profile", name, err);
    const json_t *profile = json_object_get(batsim->profiles, json_string_value(name));
    if (!json_is_object(profile))
        return fail_value(batsim, "profile", "the name of one of the profiles", name, err);
    snprintf(key, sizeof key, "profile %s", show(name, shown));
    const json_t *type = json_object_get(profile, "type");
    const char *kind = json_string_value(type); /* NULL for anything else */
    if (!kind || (strcmp(kind, "delay") != 0 && strcmp(kind, "DelayProfile") != 0))
        return fail(batsim, err,
                    "%s: %s is of type %s: only delays can be read, what others take depends on a "
                    "platform",
                    batsim->job, key, show(type, shown));
    const json_t *delay = json_object_get(profile, "delay");
    record->time = json_number_value(delay);
    if (!json_is_number(delay) || record->time < 0) {
        strncat(key, ": delay", sizeof key - strlen(key) - 1);
        return fail_value(batsim, key, "a number of seconds >= 0", delay, err);
    }
    const json_t *code = json_object_get(profile, "ret");
    if (!json_is_integer(code))
        return ORR_OK;
    const char *status = json_integer_value(code) == 0 ? ORR_STATUS_COMPLETED : ORR_STATUS_FAILED;
    return orr_labels_number(record->names, status, strlen(status),
                             &record->label.of[ORR_LABEL_STATUS], err);
}

static orr_status read_job(batsim_state *batsim, const json_t *job, size_t position, orr_error *err)
{
    ori_record *record = &batsim->context->record;
    ori_record_clear(batsim->context);
    record->line = 0;
    ORI_TRY(read_id(batsim, job, position, err));
    ORI_TRY(read_numbers(batsim, job, err));
    ORI_TRY(read_profile(batsim, job, record, err));
    /* user, queue and partition are nothing to Batsim, but what others add goes by these names */
    for (int kind = ORR_LABEL_USER; kind <= ORR_LABEL_PARTITION; kind++) {
        char number[32];
        const char *text = text_of(json_object_get(job, orr_label_name((orr_label)kind)), number);
        if (text)
            ORI_TRY(
                orr_labels_number(record->names, text, strlen(text), &record->label.of[kind], err));
    }
    char expected[80];
    return ori_record_is_too_wide(batsim->context, "resources of the workload (nb_res)", expected)
               ? fail_value(batsim, "res", expected, json_object_get(job, "res"), err)
               : ori_record_add(batsim->context, err);
}

/* --- the document ------------------------------------------------------------------------------*/

static orr_status read_machine(const batsim_state *batsim, const json_t *document, orr_error *err)
{
    const json_t *value = json_object_get(document, "nb_res");
    char shown[ORI_QUOTED_SIZE];
    double number = json_number_value(value);
    if (!value)
        return ORR_OK;
    if (!json_is_number(value) || number != floor(number) || number < 1 || number > INT32_MAX)
        return fail(batsim, err, "nb_res: expected a whole number from 1 to 2147483647, found %s",
                    show(value, shown));
    batsim->context->jobs->machine_procs = batsim->context->machine_procs = (int32_t)number;
    return ORR_OK;
}

static orr_status read_document(batsim_state *batsim, const json_t *document, orr_error *err)
{
    const json_t *jobs = json_object_get(document, "jobs");
    batsim->profiles = json_object_get(document, "profiles");
    if (!json_is_array(jobs) || !json_is_object(batsim->profiles))
        return fail(batsim, err,
                    "not a job log: a workload of Batsim has a list of jobs and an object of "
                    "profiles; %s is missing",
                    json_is_array(jobs) ? "profiles" : "jobs");
    ORI_TRY(read_machine(batsim, document, err));
    for (size_t i = 0; i < json_array_size(jobs); i++)
        ORI_TRY(read_job(batsim, json_array_get(jobs, i), i, err));
    return ORR_OK;
}

static orr_status fail_syntax(const batsim_state *batsim, const json_error_t *problem,
                              orr_error *err)
{
    if (json_error_code(problem) == json_error_out_of_memory)
        return orr_fail_memory(err, (size_t)batsim->size);
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: column %d: not JSON: %s", batsim->context->name,
                    (long long)batsim->context->line + problem->line, problem->column,
                    problem->text);
}

static orr_status batsim_finish(void *state, orr_error *err)
{
    batsim_state *batsim = state;
    json_error_t problem;
    json_t *document =
        json_loadb(batsim->text, (size_t)batsim->size, JSON_REJECT_DUPLICATES, &problem);
    if (!document)
        return fail_syntax(batsim, &problem, err);
    orr_status status = read_document(batsim, document, err);
    json_decref(document);
    return status;
}

static orr_status batsim_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    batsim_state *batsim = state;
    if (size > LARGEST_TEXT - (size_t)batsim->size)
        return fail(batsim, err, "a workload in JSON of more than 256 MiB");
    ORI_TRY(ORI_RESERVE(&batsim->context->alloc, &batsim->text, &batsim->capacity,
                        batsim->size + (int64_t)size, err));
    memcpy(batsim->text + batsim->size, bytes, size);
    batsim->size += (int64_t)size;
    return ORR_OK;
}

static void batsim_close(void *state)
{
    batsim_state *batsim = state;
    ORI_FREE(&batsim->context->alloc, &batsim->text, &batsim->capacity);
}

const ori_format ori_format_batsim = {.about = "Batsim's JSON",
                                      .sign = '{',
                                      .state_size = sizeof(batsim_state),
                                      .feed = batsim_feed,
                                      .finish = batsim_finish,
                                      .close = batsim_close};
