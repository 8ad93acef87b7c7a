/* Monte Carlo for both engines: numbers all simulations, hands them to threads, gets each thread
 * its own policies, and adds to an error the place where it happened. Only `run` knows what a
 * simulation is.
 */
#include "sim/montecarlo_internal.h"

#include "base/threads_internal.h"
#include "sim/shell_internal.h"

#include <math.h>

/* --- threads ---------------------------------------------------------------------------------- */

static void *policy_at(const ori_cells *c, const ori_worker *w, int32_t i)
{
    return (char *)w->policies + (size_t)i * c->policy_size;
}

static orr_status fetch_policies(const ori_cells *c, ori_worker *w, orr_error *err)
{
    const orr_policy_source *source = &c->common->source;
    for (int32_t i = 0; i < c->common->policies; i++) {
        *(size_t *)policy_at(c, w, i) = c->policy_size; /* of every policy the first field */
        ori_policy_begin(err);
        orr_status status = source->get(source->user, w->thread, i, policy_at(c, w, i), err);
        if (status != ORR_OK)
            return ori_policy_end("source", "get", status, err);
        w->fetched[i] = true;
    }
    return ORR_OK;
}

static orr_status begin_thread(void *user, int thread, void **own, orr_error *err)
{
    const ori_cells *c = user;
    orr_allocator a = orr_allocator_or_default(c->common->alloc);
    ori_worker *w = *own = ori_new(&a, c->worker_size, err);
    if (!w)
        return ORR_ERR_MEMORY;
    *w = (ori_worker){.question = c->question, .thread = thread, .alloc = a};
    size_t policies = (size_t)c->common->policies;
    const ori_part parts[] = {{&w->policies, policies, c->policy_size, false},
                              ORI_PART(w->sims, c->sims),
                              ORI_PART(w->fetched, policies)};
    ORI_TRY(ORI_BLOCK_CREATE(&w->block, parts, ORI_ZEROED, &a, err));
    ORI_TRY(fetch_policies(c, w, err));
    return c->begin(w, err);
}

static void end_thread(void *user, int thread, void *own)
{
    (void)thread;
    const ori_cells *c = user;
    ori_worker *w = own;
    if (!w)
        return;
    const orr_policy_source *source = &c->common->source;
    c->end(w);
    for (int32_t i = 0; w->fetched && i < c->common->policies; i++)
        if (w->fetched[i] && source->put)
            source->put(source->user, w->thread, i, policy_at(c, w, i));
    orr_allocator a = w->alloc;
    ori_block_destroy(&w->block, &a);
    orr_release(&a, w, c->worker_size);
}

/* --- simulations ------------------------------------------------------------------------------ */

/* The number of simulations that a thread takes at a time. */
static int32_t per_item(const ori_cells *c)
{
    return c->together ? c->common->policies : 1;
}

static ori_cell cell_at(const ori_cells *c, int64_t i)
{
    int64_t row = i / c->common->policies, scenarios = c->common->scenarios;
    ori_cell cell = {.set = (int32_t)(row / scenarios),
                     .policy = (int32_t)(i % c->common->policies),
                     .scenario = c->common->first + row % scenarios + 1};
    cell.place = cell.policy * scenarios + row % scenarios;
    cell.where = (orr_place){true, cell.policy, c->common->seed, 0, cell.scenario, NAN};
    return cell;
}

static orr_status run_item(void *user, void *own, int64_t item, orr_error *err)
{
    const ori_cells *c = user;
    int64_t first = item * per_item(c);
    for (int64_t i = first; i < first + per_item(c); i++) {
        ori_cell cell = cell_at(c, i);
        orr_status status = c->run(own, &cell, err);
        if (status != ORR_OK) {
            err->place = cell.where;
            return status;
        }
    }
    return ORR_OK;
}

orr_status ori_montecarlo_run(const ori_cells *cells, orr_error *err)
{
    const orr_montecarlo *mc = cells->common;
    ori_threads threads = {.items = mc->scenarios * mc->policies * cells->sets / per_item(cells),
                           .weight = per_item(cells),
                           .threads = mc->threads,
                           .largest = cells->together ? 16 : 64 * (int64_t)mc->policies,
                           .begin = begin_thread,
                           .work = run_item,
                           .end = end_thread,
                           .user = (void *)(uintptr_t)cells,
                           .progress = mc->progress,
                           .progress_user = mc->progress_user,
                           .alloc = mc->alloc};
    return ori_threads_run(&threads, err);
}
