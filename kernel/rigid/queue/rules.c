/* The built-in priorities, and the computation of a priority for a whole workload. */
#include "base/api_internal.h"
#include "base/draw.h"
#include "base/try_internal.h"
#include "rigid/queue/formula_internal.h"
#include "sim/shell_internal.h"

#include <math.h>

static double area(const orr_rigid_priority_view *view, int32_t job)
{
    return view->instance->estimate[job] * view->instance->jobs->procs[job];
}

static double large_job_first(const orr_rigid_priority_view *view, int32_t job)
{
    static const double above_any_time = 1e15; /* + processors is still exact */
    int32_t procs = view->instance->jobs->procs[job];
    bool large = 2 * (int64_t)procs >= (int64_t)view->procs + 1;
    return large ? above_any_time + procs : view->instance->estimate[job];
}

static double rule_value(orr_rigid_rule rule, const orr_rigid_priority_view *view, int32_t job)
{
    switch (rule) {
    case ORR_RULE_LPT:
        return view->instance->estimate[job];
    case ORR_RULE_SPT:
        return -view->instance->estimate[job];
    case ORR_RULE_HPA:
        return view->instance->jobs->procs[job];
    case ORR_RULE_LPA:
        return -view->instance->jobs->procs[job];
    case ORR_RULE_LA:
        return area(view, job);
    case ORR_RULE_SA:
        return -area(view, job);
    case ORR_RULE_RANDOM:
        return orr_draw_unit(view->rng);
    case ORR_RULE_LJF:
        return large_job_first(view, job);
    case ORR_RULE_FCFS:
        break;
    }
    return 0;
}

static orr_status rule_priority(void *user, const orr_rigid_priority_view *view, int32_t job,
                                double *value, orr_error *err)
{
    orr_rigid_rule rule = (orr_rigid_rule)(intptr_t)user;
    ORI_REFUSE(ORR_UNLIKELY((unsigned)rule > ORR_RULE_LJF), err, "there is no built-in rule %d",
               (int)rule);
    *value = rule_value(rule, view, job);
    return ORR_OK;
}

void orr_rigid_set_rule(orr_rigid_policy *policy, orr_rigid_rule rule)
{
    policy->priority = rule == ORR_RULE_FCFS ? NULL : rule_priority;
    policy->per = rule == ORR_RULE_RANDOM ? ORR_PER_SCENARIO : ORR_PER_WORKLOAD;
    policy->priority_user = (void *)(intptr_t)rule;
}

orr_status orr_rigid_priorities(const orr_rigid_policy *given, const orr_instance *instance,
                                uint64_t seed, uint64_t set, double *values, orr_error *err)
{
    orr_rigid_policy policy;
    ORI_TRY(ORI_TAKE(&policy, given, orr_rigid_policy, err));
    policy.name = ORI_POLICY_NAME(&policy);
    int32_t procs = policy.groups ? policy.groups[0].procs : instance->procs;
    orr_stream_key key = orr_stream_key_make(seed, set, 0, ORR_PURPOSE_PRIORITY);
    bool says = false;
    if (policy.priority && policy.priority_formula)
        ORI_TRY(ori_formula_of_workload(policy.priority_formula, instance, values, &says,
                                        &instance->alloc, err));
    if (says)
        return ORR_OK;
    for (int32_t j = 0; j < instance->count; j++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)j);
        orr_rigid_priority_view view = {.instance = instance, .rng = &rng, .procs = procs};
        values[j] = 0;
        if (!policy.priority)
            continue;
        ori_policy_begin(err);
        orr_status status = policy.priority(policy.priority_user, &view, j, &values[j], err);
        ORI_TRY(ori_policy_end(policy.name, "priority", status, err));
        ORI_FAIL_IF(isnan(values[j]), err, ORR_ERR_POLICY,
                    "policy %s: the priority of job %s is not a number (nan)", policy.name,
                    orr_jobs_id(instance->jobs, j));
    }
    return ORR_OK;
}
