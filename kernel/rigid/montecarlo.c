/* The rigid part of a Monte Carlo (sim/montecarlo.c): makes the simulations, draws failures, and
 * measures results beside the metrics. */
#include "rigid/montecarlo.h"

#include "base/api_internal.h"
#include "base/try_internal.h"

#include "rigid/state/state_internal.h"
#include "schedule/check.h"
#include "schedule/stream_internal.h"
#include "sim/montecarlo_internal.h"

#include <math.h>
#include <string.h>

/* The metrics of scenarios without random events, which are all equal. */
typedef struct calm {
    orr_metrics metrics;
    bool known;
} calm;

/* The data of a thread. */
typedef struct worker {
    ori_worker shared;
    int32_t set;       /* present set, -1 before the first; the simulations are of this set, one per
                          policy */
    int32_t *failures; /* of silent errors, by job */
    int64_t drawn;     /* the scenario of `failures`, 0: none */
    calm *calm;        /* per policy, of the present set */
    ori_stream *stream; /* of the rows that are written; NULL: none were wanted yet */
    ori_block block;
} worker;

static const orr_rigid_montecarlo *question_of(const worker *w)
{
    return w->shared.question;
}

/* The largest number of jobs of a set: one array of counts serves all sets. */
static size_t most_jobs(const orr_rigid_montecarlo *mc)
{
    int32_t most = 0;
    for (int32_t s = 0; s < mc->sets; s++)
        if (mc->set[s].instances[0]->count > most)
            most = mc->set[s].instances[0]->count;
    return (size_t)most;
}

/* --- threads -------------------------------------------------------------------------------- */

static orr_status begin_worker(ori_worker *shared, orr_error *err)
{
    worker *w = (worker *)shared;
    size_t jobs = most_jobs(question_of(w));
    w->set = -1;
    const ori_part parts[] = {ORI_PART(w->failures, jobs),
                              ORI_PART(w->calm, question_of(w)->common.policies)};
    return ORI_BLOCK_CREATE(&w->block, parts, ORI_ZEROED, &shared->alloc, err);
}

static void drop_sims(worker *w)
{
    for (int32_t i = 0; w->calm && i < question_of(w)->common.policies; i++) {
        orr_rigid_destroy(w->shared.sims[i]);
        w->shared.sims[i] = NULL;
        w->calm[i].known = false;
    }
}

static void end_worker(ori_worker *shared)
{
    worker *w = (worker *)shared;
    drop_sims(w);
    orr_release(&shared->alloc, w->stream, sizeof *w->stream);
    ori_block_destroy(&w->block, &shared->alloc);
}

/* --- simulations ---------------------------------------------------------------------------- */

/* Makes the simulation of an item if it does not exist yet. A simulation that is used only once is
 * destroyed before the next one. */
static orr_status need_sim(worker *w, const ori_cell *cell, orr_error *err)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    const orr_rigid_set *set = &mc->set[cell->set];
    if (w->set != cell->set || mc->common.scenarios == 1)
        drop_sims(w);
    if (w->set != cell->set)
        w->drawn = 0;
    w->set = cell->set;
    if (w->shared.sims[cell->policy])
        return ORR_OK;
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = set->instances[cell->policy],
                             .policy =
                                 &((const orr_rigid_policy *)w->shared.policies)[cell->policy],
                             .priorities = set->priorities ? set->priorities[cell->policy] : NULL,
                             .node_failures = mc->node_failures,
                             .seed = mc->common.seed,
                             .set = set->number,
                             .plain = mc->plain,
                             .instant = mc->instant,
                             .windows = set->windows,
                             .window_count = set->window_count,
                             .record = mc->common.check || set->schedules || set->rows,
                             .cancel = mc->common.cancel,
                             .trap = mc->common.trap,
                             .alloc = mc->common.alloc};
    w->shared.sims[cell->policy] = orr_rigid_create(&setup, err);
    return w->shared.sims[cell->policy] ? ORR_OK : err->status;
}

/* The failure counts of an item. */
static orr_status need_failures(worker *w, const ori_cell *cell, const int32_t **failures,
                                orr_error *err)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    const orr_rigid_set *set = &mc->set[cell->set];
    int64_t jobs = set->instances[0]->count;
    *failures = set->failures ? set->failures + (cell->scenario - 1) * jobs : NULL;
    if (!set->errors)
        return ORR_OK;
    *failures = w->failures;
    if (w->drawn == cell->scenario)
        return ORR_OK;
    w->drawn = 0;
    ORI_TRY(orr_silent_errors_draw(set->errors, mc->common.seed, set->number,
                                   (uint64_t)cell->scenario, w->failures, err));
    w->drawn = cell->scenario;
    return ORR_OK;
}

/* Begins the scenario of an item. */
static orr_status begin_scenario(worker *w, const ori_cell *cell, orr_error *err)
{
    orr_rigid *sim = w->shared.sims[cell->policy];
    const int32_t *failures;
    ORI_TRY(need_failures(w, cell, &failures, err));
    return orr_rigid_reset(sim, failures, (uint64_t)cell->scenario, err);
}

/* Mostly the runtimes are known from the instance: then the array of runtimes is not touched. */
static void keep_times(const orr_instance *in, const orr_run *run, orr_rigid_kept_times *kept)
{
    size_t bytes = (size_t)in->count * sizeof *kept->ends;
    kept->by_length = !run->cancelled && !run->checkpoints;
    if (in->count == 0)
        return;
    memcpy(kept->ends, run->ends, bytes);
    for (int32_t j = 0; run->left_out && j < in->count; j++)
        kept->ends[j] = orr_run_lacks(run, j) ? NAN : kept->ends[j];
    if (kept->submissions)
        memcpy(kept->submissions, in->submit, bytes);
    for (int32_t j = 0; !kept->by_length && j < in->count; j++)
        kept->runtimes[j] = orr_measure_job(in, run, j).runtime;
}

/* Writes the results of a simulation beside its metrics: quantiles and times. */
static orr_status look_closer(const worker *w, const ori_cell *cell, orr_error *err)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    const orr_rigid_set *set = &mc->set[cell->set];
    const orr_rigid *sim = w->shared.sims[cell->policy];
    const orr_instance *in = sim->in;
    orr_run run = orr_rigid_result(sim);
    if (set->quantiles)
        ORI_TRY(
            orr_measure_quantiles(in, &run, mc->common.alloc, &set->quantiles[cell->place], err));
    if (set->kept && mc->common.scenarios == 1)
        keep_times(in, &run, &set->kept[cell->policy]);
    return ORR_OK;
}

/* Whether the rows of the schedule are written while it is made. */
static bool are_rows_wanted(const worker *w, const ori_cell *cell)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    return mc->set[cell->set].rows && mc->common.scenarios == 1;
}

static orr_status open_stream(worker *w, const ori_cell *cell, orr_error *err)
{
    orr_rigid *sim = w->shared.sims[cell->policy];
    if (!are_rows_wanted(w, cell))
        return ORR_OK;
    if (!w->stream && !(w->stream = ori_new(&w->shared.alloc, sizeof *w->stream, err)))
        return ORR_ERR_MEMORY;
    return ori_stream_open(w->stream, sim->in, &sim->schedule, sim->failures,
                           &question_of(w)->set[cell->set].rows[cell->policy], err);
}

/* Checks what was recorded, and gives it away where it is wanted. */
static orr_status hand_over(const worker *w, const ori_cell *cell, orr_error *err)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    orr_schedule *wanted = mc->set[cell->set].schedules;
    orr_rigid *sim = w->shared.sims[cell->policy];
    if (!sim->shell.record)
        return ORR_OK;
    if (are_rows_wanted(w, cell))
        return ori_stream_finish(w->stream, err);
    ORI_TRY(orr_check_schedule(sim->in, &sim->schedule, sim->failures, NULL, err));
    if (wanted && mc->common.scenarios == 1) {
        wanted[cell->policy] = sim->schedule;
        sim->schedule = (orr_schedule){.alloc = sim->schedule.alloc};
    }
    return ORR_OK;
}

/* Whether a scenario that has begun has no random events: no job fails, and neither policy nor
 * order depends on the scenario. */
static bool is_calm(orr_rigid *sim)
{
    ori_group *g = &sim->groups[0];
    bool ordered = true;
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        ordered &= o->per == ORR_PER_WORKLOAD;
    return ordered && sim->needs.shortcuts && !sim->at.fails && !sim->policy.make_state;
}

/* Writes the metrics of a scenario to the arrays of the set. */
static void put_metrics(const orr_rigid_set *set, int64_t place, const orr_metrics *metrics)
{
    if (set->results)
        set->results[place] = *metrics;
    for (int32_t i = 0; i < set->column_count; i++) {
        const orr_metrics_column *c = &set->columns[i];
        memcpy((uint64_t *)c->values + place, (const char *)metrics + c->offset, sizeof(uint64_t));
    }
}

/* Runs a simulation to the end. If an earlier scenario was equal and only metrics are wanted, its
 * metrics are used instead. */
static orr_status finish_cell(worker *w, const ori_cell *cell, orr_rigid *sim, orr_error *err)
{
    const orr_rigid_montecarlo *mc = question_of(w);
    const orr_rigid_set *set = &mc->set[cell->set];
    calm *before = &w->calm[cell->policy];
    bool same = mc->common.scenarios > 1 && !mc->common.check && !set->quantiles && is_calm(sim);
    orr_metrics metrics = before->metrics;
    if (!same || !before->known)
        ORI_TRY(orr_rigid_finish(sim, &metrics, err));
    put_metrics(set, cell->place, &metrics);
    orr_share shares[ORR_MOST_SHARES];
    if (ORR_UNLIKELY(set->shares != NULL))
        orr_rigid_shares_used(sim, &metrics,
                              set->shares + cell->place * orr_shares(set->instances[0], shares));
    if (same)
        *before = (calm){metrics, true};
    return ORR_OK;
}

/* Runs a scenario that has begun. */
static orr_status run_scenario(worker *w, ori_cell *cell, orr_error *err)
{
    orr_rigid *sim = w->shared.sims[cell->policy];
    ORI_TRY(open_stream(w, cell, err));
    orr_status status = finish_cell(w, cell, sim, err);
    cell->where.now = sim->shell.now;
    if (status == ORR_OK)
        status = look_closer(w, cell, err);
    return status == ORR_OK ? hand_over(w, cell, err) : status;
}

static orr_status run_cell(ori_worker *shared, ori_cell *cell, orr_error *err)
{
    worker *w = (worker *)shared;
    cell->where.set = question_of(w)->set[cell->set].number;
    ORI_TRY(need_sim(w, cell, err));
    ORI_TRY(begin_scenario(w, cell, err));
    orr_status status = run_scenario(w, cell, err);
    if (w->stream)
        ori_stream_close(w->stream);
    return status;
}

static orr_status run_block(const orr_rigid_montecarlo *mc, orr_error *err)
{
    ori_cells cells = {.common = &mc->common,
                       .question = mc,
                       .sets = mc->sets,
                       .policy_size = sizeof(orr_rigid_policy),
                       .worker_size = sizeof(worker),
                       .sims = mc->common.policies,
                       .begin = begin_worker,
                       .run = run_cell,
                       .end = end_worker};
    return ori_montecarlo_run(&cells, err);
}

/* --- blocks --------------------------------------------------------------------------------- */

/* The progress of a block as that of all. */
typedef struct block_progress {
    const orr_montecarlo *whole;
    int64_t before, all; /* simulations */
} block_progress;

static void report_progress(void *user, int64_t done, int64_t total)
{
    (void)total;
    const block_progress *p = user;
    p->whole->progress(p->whole->progress_user, p->before + done, p->all);
}

/* Scenarios, and rows of given failures, are numbered on from the block before. */
static orr_status run_blocks(const orr_rigid_montecarlo *whole, orr_error *err)
{
    orr_rigid_montecarlo mc = *whole;
    int64_t scenarios = whole->common.scenarios;
    int64_t cells = whole->common.policies * (int64_t)whole->sets;
    block_progress progress = {.whole = &whole->common, .all = scenarios * cells};
    if (whole->common.progress) {
        mc.common.progress = report_progress;
        mc.common.progress_user = &progress;
    }
    for (int64_t done = 0; done < scenarios; done += mc.common.scenarios) {
        int64_t left = scenarios - done;
        mc.common.first = whole->common.first + done;
        mc.common.scenarios = left < whole->block ? left : whole->block;
        progress.before = done * cells;
        ORI_TRY(run_block(&mc, err));
        ORI_TRY(whole->after_block(whole->block_user, mc.common.scenarios, err));
    }
    return ORR_OK;
}

orr_status orr_rigid_montecarlo_run(const orr_rigid_montecarlo *given, orr_error *err)
{
    orr_rigid_montecarlo mc;
    ORI_TRY(ORI_TAKE(&mc, given, orr_rigid_montecarlo, err));
    ORI_REFUSE(mc.block < 0, err, "a block has at least one scenario, not %lld",
               (long long)mc.block);
    ORI_REFUSE(mc.block > 0 && !mc.after_block, err, "blocks of scenarios without `after_block`");
    return mc.block > 0 ? run_blocks(&mc, err) : run_block(&mc, err);
}
