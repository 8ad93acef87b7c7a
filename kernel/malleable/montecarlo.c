/* A simulation of malleable tasks in a Monte Carlo (sim/montecarlo.c): its tasks, drawn anew or
 * given, the policy's own run, and the two runs for comparison. */
#include "malleable/montecarlo.h"

#include "base/api_internal.h"
#include "base/try_internal.h"

#include "malleable/state_internal.h"
#include "sim/montecarlo_internal.h"

/* The data of a thread. Its simulations are one per policy, then, if wanted, one per policy on
 * processors that never fail, then the baseline without redistribution. Tasks and baseline belong
 * to one scenario at a time. */
typedef struct worker {
    ori_worker shared;
    orr_tasks *tasks; /* where tasks are drawn */
    double baseline;  /* s: its makespan */
    int64_t scenario; /* the scenario of tasks and baseline; 0: none */
} worker;

static const orr_malleable_montecarlo *question_of(const worker *w)
{
    return w->shared.question;
}

static int32_t count_tasks(const orr_malleable_montecarlo *mc)
{
    return mc->tasks ? mc->tasks->count : mc->synthetic->count;
}

/* --- threads ---------------------------------------------------------------------------------- */

static orr_status create_sim(const worker *w, const orr_malleable_policy *policy, bool fails,
                             void **sim, orr_error *err)
{
    const orr_malleable_montecarlo *mc = question_of(w);
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = count_tasks(mc),
                                 .procs = mc->procs,
                                 .resilience = mc->resilience,
                                 .faults = mc->faults,
                                 .policy = policy,
                                 .seed = mc->common.seed,
                                 .set = mc->set,
                                 .max_faults = mc->max_faults,
                                 .record = mc->common.check,
                                 .cancel = mc->common.cancel,
                                 .trap = mc->common.trap,
                                 .alloc = mc->common.alloc};
    if (!fails) {
        setup.resilience.mtbf = INFINITY;
        setup.faults = (orr_faults_setup){.law = ORR_FAULTS_NONE, .mtbf = INFINITY};
    }
    *sim = orr_malleable_create(&setup, err);
    return *sim ? ORR_OK : err->status;
}

static orr_status begin_worker(ori_worker *shared, orr_error *err)
{
    static const orr_malleable_policy nothing = {.size = sizeof(orr_malleable_policy),
                                                 .name = "none"};
    worker *w = (worker *)shared;
    const orr_malleable_montecarlo *mc = question_of(w);
    const orr_malleable_policy *policies = shared->policies;
    int32_t count = mc->common.policies;
    if (!mc->tasks && !(w->tasks = orr_tasks_create(&shared->alloc, err)))
        return ORR_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        ORI_TRY(create_sim(w, &policies[i], true, &shared->sims[i], err));
        if (mc->fault_free)
            ORI_TRY(create_sim(w, &policies[i], false, &shared->sims[count + i], err));
    }
    return create_sim(w, &nothing, true, &shared->sims[2 * count], err);
}

static void end_worker(ori_worker *shared)
{
    worker *w = (worker *)shared;
    for (int32_t i = 0; shared->sims && i <= 2 * question_of(w)->common.policies; i++)
        orr_malleable_destroy(shared->sims[i]);
    orr_tasks_destroy(w->tasks);
}

/* --- simulations ------------------------------------------------------------------------------ */

static orr_status simulate(const worker *w, orr_malleable *sim, ori_cell *cell,
                           orr_malleable_metrics *metrics, orr_error *err)
{
    const orr_tasks *tasks = w->tasks ? w->tasks : question_of(w)->tasks;
    orr_status status = orr_malleable_reset(sim, tasks, (uint64_t)cell->scenario, err);
    if (status == ORR_OK)
        status = orr_malleable_finish(sim, metrics, err);
    cell->where.now = sim->shell.now;
    return status;
}

/* Prepares the tasks of the cell's scenario and the baseline. */
static orr_status need_baseline(worker *w, ori_cell *cell, orr_error *err)
{
    const orr_malleable_montecarlo *mc = question_of(w);
    orr_malleable_metrics metrics;
    if (w->scenario == cell->scenario)
        return ORR_OK;
    w->scenario = 0;
    cell->where.policy = -1;
    if (w->tasks)
        ORI_TRY(orr_generate_tasks(w->tasks, mc->synthetic, mc->common.seed, mc->set,
                                   (uint64_t)cell->scenario, err));
    ORI_TRY(simulate(w, w->shared.sims[2 * mc->common.policies], cell, &metrics, err));
    w->baseline = metrics.makespan;
    w->scenario = cell->scenario;
    cell->where.policy = cell->policy;
    return ORR_OK;
}

static orr_status run_cell(ori_worker *shared, ori_cell *cell, orr_error *err)
{
    worker *w = (worker *)shared;
    const orr_malleable_montecarlo *mc = question_of(w);
    orr_malleable *sim = shared->sims[cell->policy];
    orr_malleable *fault_free = shared->sims[mc->common.policies + cell->policy];
    orr_malleable_result *result = &mc->results[cell->place];
    orr_malleable_metrics metrics = {.makespan = NAN};
    cell->where.set = mc->set;
    ORI_TRY(need_baseline(w, cell, err));
    ORI_TRY(simulate(w, sim, cell, &result->metrics, err));
    if (mc->common.check)
        ORI_TRY(orr_malleable_check(sim, err));
    size_t count = (size_t)count_tasks(mc);
    if (mc->ends)
        memcpy(mc->ends + (size_t)cell->place * count, orr_malleable_ends(sim),
               count * sizeof *mc->ends);
    if (fault_free)
        ORI_TRY(simulate(w, fault_free, cell, &metrics, err));
    result->baseline = w->baseline;
    result->fault_free = metrics.makespan;
    return ORR_OK;
}

orr_status orr_malleable_montecarlo_run(const orr_malleable_montecarlo *given, orr_error *err)
{
    orr_malleable_montecarlo mc;
    ORI_TRY(ORI_TAKE(&mc, given, orr_malleable_montecarlo, err));
    ori_cells cells = {.common = &mc.common,
                       .question = &mc,
                       .sets = 1,
                       .together = true,
                       .policy_size = sizeof(orr_malleable_policy),
                       .worker_size = sizeof(worker),
                       .sims = 2 * mc.common.policies + 1,
                       .begin = begin_worker,
                       .run = run_cell,
                       .end = end_worker};
    return ori_montecarlo_run(&cells, err);
}
