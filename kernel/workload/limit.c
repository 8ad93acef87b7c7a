/* Limits: see the header. */
#include "workload/limit_internal.h"

#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"

#include <string.h>

int32_t orr_limit_key(const orr_limit *limit, const orr_jobs *jobs, int32_t job)
{
    if (limit->per == ORR_PER_ALL)
        return 1;
    int32_t number = orr_jobs_label(jobs, job, (orr_label)limit->per);
    bool meant = !limit->value || number == 0 ||
                 strcmp(orr_labels_text(&jobs->names, number), limit->value) == 0;
    return meant ? number : 0;
}

const orr_limit *orr_limit_exceeded(const orr_limit *limits, int32_t count, const orr_jobs *jobs,
                                    int32_t job)
{
    for (const orr_limit *limit = limits; limit < limits + count; limit++)
        if (orr_limit_use(limit, jobs, job) > limit->most && orr_limit_key(limit, jobs, job) > 0)
            return limit;
    return NULL;
}

const char *orr_limit_text(const orr_limit *limit, char text[64])
{
    bool all = limit->per == ORR_PER_ALL;
    ori_snprintf(text, 64, "%s%s%s%s%.20s", limit->of == ORR_AMOUNT_PROCS ? "procs" : "jobs",
                 all ? "" : "/", all ? "" : orr_label_name((orr_label)limit->per),
                 limit->value ? ":" : "", limit->value ? limit->value : "");
    return text;
}

orr_status ori_limits_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                            orr_status status, orr_error *err)
{
    char text[64];
    const orr_limit *limit = orr_limit_exceeded(in->limits, in->limit_count, jobs, job);
    if (!limit)
        return ORR_OK;
    return orr_fail(err, status, "job %s needs %lld of %s, and the limit is %lld",
                    orr_jobs_id(jobs, job), (long long)orr_limit_use(limit, jobs, job),
                    orr_limit_text(limit, text), (long long)limit->most);
}

/* --- of an instance --------------------------------------------------------------------------- */

static size_t size_of(const orr_limit *limits, int32_t count)
{
    size_t size = (size_t)count * sizeof *limits;
    for (int32_t i = 0; i < count; i++)
        size += limits[i].value ? strlen(limits[i].value) + 1 : 0;
    return size;
}

orr_status ori_limits_take(orr_instance *in, const orr_limit *limits, int32_t count, orr_error *err)
{
    in->limits = NULL;
    in->limit_count = 0;
    for (int32_t i = 0; i < count; i++) {
        ORI_REFUSE((unsigned)limits[i].of > ORR_AMOUNT_PROCS ||
                       !(limits[i].per >= 0 && limits[i].per <= ORR_PER_ALL),
                   err, "limit %d: there is no amount %d, or no key %d", (int)i, (int)limits[i].of,
                   (int)limits[i].per);
        ORI_REFUSE(limits[i].most < 1, err, "limit %d: expected at least 1, found %lld", (int)i,
                   (long long)limits[i].most);
    }
    if (count <= 0)
        return ORR_OK;
    in->limits = ori_new(&in->alloc, size_of(limits, count), err);
    if (!in->limits)
        return ORR_ERR_MEMORY;
    char *text = (char *)(in->limits + count);
    memcpy(in->limits, limits, (size_t)count * sizeof *limits);
    for (int32_t i = 0; i < count; i++) {
        if (!limits[i].value)
            continue;
        in->limits[i].value = strcpy(text, limits[i].value);
        text += strlen(text) + 1;
    }
    in->limit_count = count;
    return ORR_OK;
}

void ori_limits_drop(orr_instance *in)
{
    orr_release(&in->alloc, in->limits, size_of(in->limits, in->limit_count));
    in->limits = NULL;
    in->limit_count = 0;
}
