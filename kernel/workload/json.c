/* JSON: values of logs in JSON, and messages about wrong ones. */
#include "json_internal.h"

#include "base/try_internal.h"

#include <stdio.h>
#include <string.h>

orr_status ori_json_fail(const ori_json_log *log, orr_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    orr_status status = ori_vfail(err, ORR_ERR_INPUT, format, args);
    va_end(args);
    orr_error_prefix(err, "%s", log->context->name);
    return status;
}

const char *ori_json_show(const json_t *value, char shown[ORI_QUOTED_SIZE])
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

orr_status ori_json_fail_value(const ori_json_log *log, const char *key, const char *expected,
                               const json_t *value, orr_error *err)
{
    char shown[ORI_QUOTED_SIZE];
    log->context->reason =
        json_is_number(value) && json_number_value(value) < 0 ? ORR_DROP_NEGATIVE : ORR_DROP_FIELD;
    return ori_json_fail(log, err, "%s: %s: expected %s, found %s", log->job, key, expected,
                         ori_json_show(value, shown));
}

/* A text, or an integer as text; NULL for anything else. */
static const char *text_of(const json_t *value, char number[32])
{
    if (!json_is_integer(value))
        return json_string_value(value);
    snprintf(number, 32, "%lld", (long long)json_integer_value(value));
    return number;
}

orr_status ori_json_read_id(ori_json_log *log, const json_t *job, const char *key, size_t position,
                            orr_error *err)
{
    enum { LONGEST = 200 };
    static const ori_type any = {.most = LONGEST};
    static const ori_column id = {"id", &any, ORI_RECORD(id), ORI_REQUIRED};
    char number[32];
    const json_t *value = json_object_get(job, key);
    const char *text = text_of(value, number);
    snprintf(log->job, sizeof log->job, "job number %zu", position + 1);
    if (!json_is_object(job))
        return ori_json_fail_value(log, "jobs", "an object", job, err);
    bool whole = !json_is_string(value) || (text && strlen(text) == json_string_length(value));
    if (!text || !whole || *text == '\0' || strlen(text) > LONGEST)
        return ori_json_fail_value(log, key, "a text of at most 200 bytes, or an integer", value,
                                   err);
    snprintf(log->job, sizeof log->job, "job %.40s", text);
    return ori_read_id(&id, text, strlen(text), &log->context->record, NULL, err);
}

orr_status ori_json_read_label(ori_json_log *log, const json_t *value, orr_label kind,
                               orr_error *err)
{
    char number[32];
    const char *text = text_of(value, number);
    ori_record *record = &log->context->record;
    return text ? orr_labels_number(record->names, text, strlen(text), &record->label.of[kind], err)
                : ORR_OK;
}

orr_status ori_json_each(ori_json_log *log, const json_t *jobs,
                         orr_status (*read)(ori_json_log *log, const json_t *job, size_t position,
                                            orr_error *err),
                         orr_error *err)
{
    ori_read_context *context = log->context;
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        ori_record_clear(context);
        ori_record_forget_id(context);
        context->record.line = 0;
        context->reason = ORR_DROP_FIELD;
        orr_status status = read(log, json_array_get(jobs, i), i, err);
        ORI_TRY(ori_record_settle(context, context->reason, status, err));
    }
    return ORR_OK;
}
