/* What all formats do with a record once they have read it. */
#include "reader_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- options -----------------------------------------------------------------------------------*/

static orr_status want_status(ori_read_context *context, const char *name, size_t size,
                              orr_error *err)
{
    static const char unknown[] = "unknown";
    int32_t number = 0;
    if (size == 0)
        return orr_fail(err, ORR_ERR_ARGUMENT, "an empty status in the list of statuses \"%s\"",
                        context->options.statuses);
    if (context->wanted_count == ORI_MOST_STATUSES)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than %d statuses: \"%s\"", ORI_MOST_STATUSES,
                        context->options.statuses);
    orr_status status = ORR_OK;
    if (size != sizeof unknown - 1 || memcmp(name, unknown, size) != 0)
        status = orr_labels_number(&context->jobs->names, name, size, &number, err);
    context->wanted[context->wanted_count++] = number;
    return status;
}

orr_status ori_read_want(ori_read_context *context, orr_error *err)
{
    const char *name = context->options.statuses;
    orr_status status = ORR_OK;
    while (name != NULL && status == ORR_OK) {
        size_t size = strcspn(name, ",");
        status = want_status(context, name, size, err);
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    return status;
}

static bool is_wanted(const ori_read_context *context, int32_t status)
{
    if (context->wanted_count == 0)
        return true;
    for (int i = 0; i < context->wanted_count; i++)
        if (context->wanted[i] == status)
            return true;
    return false;
}

static bool never_ran(const ori_read_context *context, const ori_record *record)
{
    const char *status = orr_labels_text(&context->jobs->names, record->label[ORR_LABEL_STATUS]);
    return record->time == 0 && status != NULL && strcmp(status, ORR_STATUS_CANCELLED) == 0;
}

/* --- records -----------------------------------------------------------------------------------*/

void ori_record_clear(ori_record *record)
{
    *record = (ori_record){.id = "", .submit = NAN, .time = NAN, .walltime = NAN, .wait = NAN};
}

orr_status ori_read_drop(ori_read_context *context, const ori_record *record,
                         orr_drop_reason reason, orr_error *err)
{
    return orr_jobs_add_dropped(context->jobs, record->line, record->id, reason, err);
}

/* Whether a record is left out, and why. */
static bool find_reason(const ori_read_context *context, const ori_record *record,
                        orr_drop_reason *reason)
{
    if (isnan(record->time))
        *reason = ORR_DROP_NO_RUNTIME;
    else if (record->procs == 0)
        *reason = ORR_DROP_NO_PROCS;
    else if (record->calendar ? !record->has_timestamp : isnan(record->submit))
        *reason = ORR_DROP_NO_SUBMISSION;
    else if (!is_wanted(context, record->label[ORR_LABEL_STATUS]))
        *reason = ORR_DROP_STATUS;
    else if (context->options.ran && never_ran(context, record))
        *reason = ORR_DROP_NEVER_RAN;
    else if (context->options.wide == ORR_WIDE_DROP && context->machine_procs > 0 &&
             record->procs > context->machine_procs)
        *reason = ORR_DROP_WIDE;
    else
        return false;
    return true;
}

bool ori_read_is_too_wide(const ori_read_context *context, const ori_record *record)
{
    orr_drop_reason reason;
    return context->options.wide == ORR_WIDE_ERROR && context->machine_procs > 0 &&
           record->procs > context->machine_procs && !find_reason(context, record, &reason);
}

static orr_status keep_timestamp(ori_read_context *context, int64_t timestamp, orr_error *err)
{
    size_t job = (size_t)context->jobs->count;
    char *block = (char *)context->timestamps;
    orr_status status = ori_reserve(&context->alloc, &block, &context->timestamps_capacity,
                                    (job + 1) * sizeof *context->timestamps, err);
    context->timestamps = (int64_t *)(void *)block;
    if (status == ORR_OK)
        context->timestamps[job] = timestamp;
    return status;
}

static orr_status add_job(ori_read_context *context, const ori_record *record, orr_error *err)
{
    orr_jobs *jobs = context->jobs;
    int32_t job = jobs->count;
    orr_status status = record->calendar ? keep_timestamp(context, record->timestamp, err) : ORR_OK;
    if (status == ORR_OK)
        status = orr_jobs_add(jobs, record->id, record->calendar ? 0 : record->submit,
                              record->procs, record->time, record->walltime, err);
    for (int kind = 0; kind < ORR_LABEL_KINDS && status == ORR_OK; kind++)
        status = orr_jobs_set_label(jobs, job, (orr_label)kind, record->label[kind], err);
    return status == ORR_OK ? orr_jobs_set_wait(jobs, job, record->wait, err) : status;
}

orr_status ori_read_add(ori_read_context *context, const ori_record *record, orr_error *err)
{
    orr_drop_reason reason;
    if (find_reason(context, record, &reason))
        return ori_read_drop(context, record, reason, err);
    return add_job(context, record, err);
}

void ori_read_rebase(ori_read_context *context)
{
    orr_jobs *jobs = context->jobs;
    if (context->timestamps == NULL || jobs->count == 0)
        return;
    int64_t first = context->timestamps[0];
    for (int32_t job = 1; job < jobs->count; job++)
        first = context->timestamps[job] < first ? context->timestamps[job] : first;
    for (int32_t job = 0; job < jobs->count; job++)
        jobs->submit[job] = (double)(context->timestamps[job] - first) / 1e6;
    jobs->origin_us = first;
    jobs->has_origin = jobs->rebased = true;
}
