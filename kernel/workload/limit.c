/* Limits: see the header. */
#include "workload/limit_internal.h"

#include "base/print_internal.h"
#include "base/try_internal.h"
#include "workload/nodes_internal.h"
#include "workload/window_internal.h"

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

/* As orr_limit_use; needs may have other numbers in these jobs than in those of the instance. */
static int64_t use_among(orr_limit limit, const orr_jobs *jobs, int32_t job)
{
    limit.number = orr_jobs_find_pool(jobs, limit.need);
    return orr_limit_use(&limit, jobs, job);
}

const orr_limit *orr_limit_exceeded(const orr_limit *limits, int32_t count, const orr_jobs *jobs,
                                    int32_t job)
{
    for (int32_t i = 0; i < count; i++)
        if (use_among(limits[i], jobs, job) > limits[i].most &&
            orr_limit_key(&limits[i], jobs, job) > 0)
            return &limits[i];
    return NULL;
}

bool ori_limits_refuse(const orr_instance *in)
{
    for (int32_t i = 0; i < in->limit_count; i++)
        if (in->limits[i].of == ORR_AMOUNT_WAITING)
            return true;
    return false;
}

const char *ori_limit_text(const orr_limit *limit, char text[128])
{
    const char *const amounts[] = {"jobs", "procs", "waiting", limit->need};
    bool all = limit->per == ORR_PER_ALL;
    ori_snprintf(text, 128, "%s%s%s%s%s", amounts[limit->of], all ? "" : "/",
                 all ? "" : orr_label_name((orr_label)limit->per), limit->only[0] ? ":" : "",
                 limit->only);
    return text;
}

orr_status ori_limits_check(const orr_instance *in, orr_error *err)
{
    char text[128];
    const orr_nodes *nodes = ori_nodes_of(in);
    for (int32_t i = 0; i < in->limit_count; i++) {
        const orr_limit *limit = &in->limits[i];
        bool is_known =
            ori_find_pool(in->pools, in->pool_count, limit->need) >= 0 ||
            (ori_nodes_have(nodes, limit->need) && strcmp(limit->need, ORR_NEED_EXCLUSIVE) != 0);
        ORI_REFUSE(limit->of == ORR_AMOUNT_NEED && !is_known, err,
                   "limit %s: expected jobs, procs, waiting or what the machine has beside "
                   "processors, and it has no %s",
                   ori_limit_text(limit, text), limit->need);
    }
    return ORR_OK;
}

orr_status ori_limits_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                            orr_status status, orr_error *err)
{
    char text[128];
    const orr_limit *limit = in->limits;
    for (int32_t i = 0; i < in->limit_count; i++, limit++)
        ORI_FAIL_IF(limit->of == ORR_AMOUNT_NEED && strcmp(limit->need, ORR_NEED_NODES) == 0 &&
                        use_among(*limit, jobs, job) == 0 && orr_limit_key(limit, jobs, job) > 0,
                    err, status,
                    "job %s asks for processors, not for a number of nodes, which limit %s is on",
                    orr_jobs_id(jobs, job), ori_limit_text(limit, text));
    limit = orr_limit_exceeded(in->limits, in->limit_count, jobs, job);
    if (!limit)
        return ORR_OK;
    return orr_fail(err, status, "job %s needs %lld of %s, and the limit is %lld",
                    orr_jobs_id(jobs, job), (long long)use_among(*limit, jobs, job),
                    ori_limit_text(limit, text), (long long)limit->most);
}
