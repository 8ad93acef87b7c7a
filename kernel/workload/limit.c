/* Limits: see the header. */
#include "workload/limit_internal.h"

#include "base/print_internal.h"

#include <string.h>

int32_t orr_limit_key(const orr_limit *limit, const orr_jobs *jobs, int32_t job)
{
    if (limit->per == ORR_PER_ALL)
        return 1;
    int32_t number = orr_jobs_label(jobs, job, (orr_label)limit->per);
    bool meant = !limit->only[0] || number == 0 ||
                 strcmp(orr_labels_text(&jobs->names, number), limit->only) == 0;
    return meant ? number : 0;
}

const orr_limit *orr_limit_exceeded(const orr_limit *limits, int32_t count, const orr_jobs *jobs,
                                    int32_t job)
{
    for (int32_t i = 0; i < count; i++)
        if (orr_limit_use(&limits[i], jobs, job) > limits[i].most &&
            orr_limit_key(&limits[i], jobs, job) > 0)
            return &limits[i];
    return NULL;
}

bool ori_limits_refuse(const orr_instance *in)
{
    bool refuses = false;
    for (int32_t i = 0; i < in->limit_count; i++)
        refuses |= in->limits[i].of == ORR_AMOUNT_WAITING;
    return refuses;
}

const char *ori_limit_text(const orr_limit *limit, char text[128])
{
    static const char *const amounts[] = {"jobs", "procs", "waiting"};
    bool all = limit->per == ORR_PER_ALL;
    ori_snprintf(text, 128, "%s%s%s%s%s", amounts[limit->of], all ? "" : "/",
                 all ? "" : orr_label_name((orr_label)limit->per), limit->only[0] ? ":" : "",
                 limit->only);
    return text;
}

orr_status ori_limits_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                            orr_status status, orr_error *err)
{
    char text[128];
    const orr_limit *limit = orr_limit_exceeded(in->limits, in->limit_count, jobs, job);
    if (!limit)
        return ORR_OK;
    return orr_fail(err, status, "job %s needs %lld of %s, and the limit is %lld",
                    orr_jobs_id(jobs, job), (long long)orr_limit_use(limit, jobs, job),
                    ori_limit_text(limit, text), (long long)limit->most);
}
