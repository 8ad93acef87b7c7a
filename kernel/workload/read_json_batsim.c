/* Batsim's workloads: a JSON object of jobs and their profiles. Only delays and sequences of delays
 * have a runtime that does not depend on the machine; a job with any other profile is left out. */
#include "base/try_internal.h"
#include "json_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- jobs --------------------------------------------------------------------------------------*/

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

static orr_status read_numbers(const ori_json_log *log, const json_t *job, orr_error *err)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(job, keys[i].name);
        if (keys[i].relation == ORI_OPTIONAL && (!value || json_is_null(value)))
            continue;
        if (!json_is_number(value) ||
            !ori_column_take(&keys[i], json_number_value(value), &log->context->record))
            return ori_json_fail_value(log, keys[i].name, keys[i].type->expected, value, err);
    }
    return ORR_OK;
}

/* --- profiles ----------------------------------------------------------------------------------*/

static bool is_one_of(const char *kind, const char *name, const char *other)
{
    return kind && (strcmp(kind, name) == 0 || strcmp(kind, other) == 0);
}

static orr_status fail_profile(const ori_json_log *log, const char *name, const char *key,
                               const char *expected, const json_t *value, orr_error *err)
{
    char place[ORI_QUOTED_SIZE + 32], quoted[ORI_QUOTED_SIZE];
    snprintf(place, sizeof place, "profile %s: %s", ori_quote(name, strlen(name), quoted), key);
    return ori_json_fail_value(log, place, expected, value, err);
}

static orr_status add_profile(ori_json_log *log, const json_t *name, int depth, double *time,
                              orr_error *err);

/* A sequence: profiles one behind the other, `repeat` times. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by depth */
static orr_status add_sequence(ori_json_log *log, const char *name, const json_t *profile,
                               int depth, double *time, orr_error *err)
{
    enum { DEEPEST = 16, MOST_PARTS = 10000 };
    const json_t *list = json_object_get(profile, "seq"),
                 *repeat = json_object_get(profile, "repeat");
    double once = 0;
    if (depth == DEEPEST)
        return fail_profile(log, name, "seq", "sequences in at most 16 sequences", list, err);
    if (!json_is_array(list))
        return fail_profile(log, name, "seq", "a list of profiles", list, err);
    if (repeat && !(json_is_integer(repeat) && json_integer_value(repeat) >= 0))
        return fail_profile(log, name, "repeat", "a whole number >= 0", repeat, err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (++log->parts > MOST_PARTS)
            return fail_profile(log, name, "seq", "at most 10000 profiles in a job", list, err);
        ORI_TRY(add_profile(log, json_array_get(list, i), depth + 1, &once, err));
    }
    *time += once * (repeat ? (double)json_integer_value(repeat) : 1);
    return ORR_OK;
}

/* Adds the runtime of a profile, s. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by depth */
static orr_status add_profile(ori_json_log *log, const json_t *name, int depth, double *time,
                              orr_error *err)
{
    if (!json_is_string(name))
        return ori_json_fail_value(log, "profile", "the name of a profile", name, err);
    const char *text = json_string_value(name);
    const json_t *profile = json_object_get(json_object_get(log->document, "profiles"), text);
    if (!json_is_object(profile))
        return ori_json_fail_value(log, "profile", "the name of one of the profiles", name, err);
    char shown[ORI_QUOTED_SIZE], quoted[ORI_QUOTED_SIZE];
    const json_t *type = json_object_get(profile, "type");
    const char *kind = json_string_value(type); /* NULL for other types */
    if (is_one_of(kind, "composed", "SequentialCompositionProfile"))
        return add_sequence(log, text, profile, depth, time, err);
    if (!is_one_of(kind, "delay", "DelayProfile")) {
        log->context->reason = ORR_DROP_PROFILE;
        return ori_json_fail(log, err,
                             "%s: profile %s is of type %s: only delays can be read, what others "
                             "take depends on a platform",
                             log->job, ori_json_show(name, quoted), ori_json_show(type, shown));
    }
    const json_t *delay = json_object_get(profile, "delay");
    if (!json_is_number(delay) || json_number_value(delay) < 0)
        return fail_profile(log, text, "delay", "a number of seconds >= 0", delay, err);
    *time += json_number_value(delay);
    return ORR_OK;
}

static orr_status read_profile(ori_json_log *log, const json_t *job, ori_record *record,
                               orr_error *err)
{
    const json_t *name = json_object_get(job, "profile");
    double time = 0;
    log->parts = 0;
    ORI_TRY(add_profile(log, name, 0, &time, err));
    if (time > DBL_MAX)
        return fail_profile(log, json_string_value(name), "seq", "a finite number of seconds", name,
                            err);
    record->time = time;
    const json_t *profile =
        json_object_get(json_object_get(log->document, "profiles"), json_string_value(name));
    const json_t *code = json_object_get(profile, "ret");
    if (!json_is_integer(code))
        return ORR_OK;
    const char *status = json_integer_value(code) == 0 ? ORR_STATUS_COMPLETED : ORR_STATUS_FAILED;
    return orr_labels_number(record->names, status, strlen(status),
                             &record->label.of[ORR_LABEL_STATUS], err);
}

static orr_status read_job(ori_json_log *log, const json_t *job, size_t position, orr_error *err)
{
    ori_record *record = &log->context->record;
    ORI_TRY(ori_json_read_id(log, job, "id", position, err));
    ORI_TRY(read_numbers(log, job, err));
    ORI_TRY(read_profile(log, job, record, err));
    /* Batsim ignores user, queue and partition, but other programs add them under these names */
    for (int kind = ORR_LABEL_USER; kind <= ORR_LABEL_PARTITION; kind++) {
        const json_t *value = json_object_get(job, orr_label_name((orr_label)kind));
        ORI_TRY(ori_json_read_label(log, value, (orr_label)kind, err));
    }
    char expected[ORI_WIDE_SIZE];
    return ori_record_is_too_wide(log->context, "resources of the workload (nb_res)", expected)
               ? ori_json_fail_value(log, "res", expected, json_object_get(job, "res"), err)
               : ori_record_add(log->context, err);
}

/* --- the document ------------------------------------------------------------------------------*/

static orr_status read_machine(const ori_json_log *log, orr_error *err)
{
    const json_t *value = json_object_get(log->document, "nb_res");
    char shown[ORI_QUOTED_SIZE];
    double number = json_number_value(value);
    if (!value)
        return ORR_OK;
    if (!json_is_number(value) || number != floor(number) || number < 1 || number > INT32_MAX)
        return ori_json_fail(log, err,
                             "nb_res: expected a whole number from 1 to 2147483647, found %s",
                             ori_json_show(value, shown));
    log->context->jobs->machine_procs = log->context->machine_procs = (int32_t)number;
    return ORR_OK;
}

static orr_status read_workload(ori_json_log *log, orr_error *err)
{
    const json_t *jobs = json_object_get(log->document, "jobs");
    if (!json_is_array(jobs) || !json_is_object(json_object_get(log->document, "profiles")))
        return ori_json_fail(log, err,
                             "not a job log: a workload of Batsim has a list of jobs and an object "
                             "of profiles; %s is missing",
                             json_is_array(jobs) ? "profiles" : "jobs");
    ORI_TRY(read_machine(log, err));
    return ori_json_each(log, jobs, read_job, err);
}

static bool is_workload(const json_t *document)
{
    return json_object_get(document, "profiles");
}

const ori_document ori_document_batsim = {.recognises = is_workload, .read = read_workload};
