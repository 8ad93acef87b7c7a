/* Processors in service: drained ones leave and come back, added ones come, lent ones leave when
 * their time is over; faults from outside. */
#include "rigid/state_internal.h"

#include <string.h>

static double later(double a, double b)
{
    return b > a ? b : a;
}

static ori_group *group_with(orr_rigid *sim, int32_t processor)
{
    int32_t i = 0;
    while (processor >= sim->groups[i].first + sim->groups[i].procs)
        i++;
    return &sim->groups[i];
}

/* --- planned ends -------------------------------------------------------------------------------
 */

typedef void (*note)(ori_ends *e, double time, int32_t procs);

/* Of a job some of whose processors leave: those come back later than it ends. */
static void note_each(orr_rigid *sim, ori_group *g, int32_t job, note what)
{
    const ori_processors *held = &sim->processors;
    const double *away = sim->outages.away;
    double planned = sim->planned_end[job];
    for (int32_t p = held->head[job]; p >= 0;) {
        double time = later(planned, away[p]);
        int32_t count = 0;
        for (; p >= 0 && later(planned, away[p]) == time; p = held->next[p])
            count++;
        what(&g->planned, time, count);
    }
}

void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job)
{
    if (ORR_UNLIKELY(sim->outages.draining))
        note_each(sim, g, job, ori_ends_add);
    else
        ori_ends_add(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
}

void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job)
{
    if (ORR_UNLIKELY(sim->outages.draining))
        note_each(sim, g, job, ori_ends_remove);
    else
        ori_ends_remove(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
}

/* --- leaving ------------------------------------------------------------------------------------
 */

/* Free processors low .. end - 1, in the same state, leave. */
static orr_status leave(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, orr_error *err)
{
    orr_outage outage = {sim->now, sim->outages.away[low], low, end - low};
    g->left += outage.count;
    orr_totals_absent_now(&sim->totals, sim->in, outage.count, sim->now, sim->last_end);
    ori_rigid_update_run(sim, g, low, end);
    return sim->record ? orr_schedule_outage(&sim->schedule, &outage, ORR_OUTAGE_DRAINED, err)
                       : ORR_OK;
}

orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    const int32_t *next = sim->processors.next;
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t p = sim->processors.head[job]; status == ORR_OK && p >= 0;) {
        int32_t first = p, end = p + 1;
        while ((p = next[p]) == end && away[p] == away[first])
            end++;
        if (away[first] > sim->now)
            status = leave(sim, g, first, end, err);
    }
    return status;
}

/* Sets until when processors low .. end - 1 are drained, which one job holds or nobody does. */
static void set_away(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back)
{
    int32_t job = sim->processors.holder[low];
    if (job >= 0)
        ori_rigid_unplan_end(sim, g, job);
    for (int32_t p = low; p < end; p++)
        sim->outages.away[p] = back;
    if (job >= 0)
        ori_rigid_plan_end(sim, g, job);
}

/* The processors from `low` on that one job holds; or that nobody does, in the same state. */
static int32_t part_end(const orr_rigid *sim, int32_t low, int32_t end)
{
    const int32_t *holder = sim->processors.holder;
    int32_t p = low + 1;
    while (p < end && (holder[low] >= 0 ? holder[p] == holder[low] : holder[p] < 0))
        p++;
    return ori_rigid_run_end(sim, low, p);
}

/* Drains processors low .. end - 1 of a group, none of which is drained, until `back`. */
static orr_status drain(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back,
                        orr_error *err)
{
    orr_status status = ORR_OK;
    orr_outage outage = {sim->now, back, low, end - low};
    sim->outages.draining = true;
    g->drained += end - low;
    g->kept = g->plan_valid = false;
    if (back < INFINITY)
        status = ori_rigid_plan_repair(&sim->outages, &outage, err);
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        next = part_end(sim, low, end);
        set_away(sim, g, low, next, back);
        if (sim->processors.holder[low] < 0)
            status = leave(sim, g, low, next, err);
    }
    return status;
}

/* --- time that is lent --------------------------------------------------------------------------
 */

static orr_status lend(orr_rigid *sim, ori_lending l, orr_error *err)
{
    ori_outages *o = &sim->outages;
    if (o->lent_count == ORI_MOST_LENDINGS)
        return orr_fail(err, ORR_ERR_LIMIT, "more than %d times at which processors are to leave",
                        (int)ORI_MOST_LENDINGS);
    int32_t at = o->lent_count++;
    for (; at > 0 && o->lent[at - 1].time > l.time; at--)
        o->lent[at] = o->lent[at - 1];
    o->lent[at] = l;
    sim->groups[l.group].lent += l.count;
    return ORR_OK;
}

/* Who is drained already stays so. */
static orr_status end_lending(orr_rigid *sim, const ori_lending *l, orr_error *err)
{
    const double *away = sim->outages.away;
    ori_group *g = &sim->groups[l->group];
    int32_t low = l->first, end = l->first + l->count;
    orr_status status = ORR_OK;
    g->lent -= l->count;
    while (status == ORR_OK && low < end) {
        int32_t next = low + 1;
        while (next < end && (away[next] > 0) == (away[low] > 0))
            next++;
        if (!(away[low] > 0))
            status = drain(sim, g, low, next, l->back, err);
        low = next;
    }
    return status;
}

orr_status ori_rigid_apply_lendings(orr_rigid *sim, orr_error *err)
{
    ori_outages *o = &sim->outages;
    orr_status status = ORR_OK;
    while (status == ORR_OK && o->lent_count > 0 && o->lent[0].time == sim->now) {
        ori_lending first = o->lent[0];
        o->lent_count--;
        memmove(o->lent, o->lent + 1, (size_t)o->lent_count * sizeof *o->lent);
        status = end_lending(sim, &first, err);
    }
    return status;
}

/* How many of them are there until then. */
static int32_t count_lent(const ori_outages *o, const ori_lending *l)
{
    int32_t count = 0;
    for (int32_t p = l->first; p < l->first + l->count; p++)
        count += o->away[p] < l->time;
    return count;
}

void ori_rigid_make_plan(orr_rigid *sim, ori_group *g)
{
    const ori_outages *o = &sim->outages;
    ori_plan_make(&g->plan, &g->planned, sim->now, g->free);
    for (int32_t i = 0; g->lent > 0 && i < o->lent_count; i++)
        if (o->lent[i].group == g->index)
            ori_plan_place(&g->plan, o->lent[i].time, o->lent[i].back, count_lent(o, &o->lent[i]));
}

/* --- more and fewer -----------------------------------------------------------------------------
 */

static orr_status drain_highest(orr_rigid *sim, ori_group *g, int32_t count, double until,
                                orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t end = g->first + g->procs; status == ORR_OK && count > 0;) {
        while (away[end - 1] > 0)
            end--;
        int32_t low = end - 1;
        while (low > g->first && end - low < count && !(away[low - 1] > 0))
            low--;
        status = drain(sim, g, low, end, until, err);
        count -= end - low;
        end = low;
    }
    return status;
}

/* Drained processors low .. end - 1 that would be away equally long are in service again. */
static orr_status bring_back(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, orr_error *err)
{
    orr_status status = ORR_OK;
    g->drained -= end - low;
    g->kept = g->plan_valid = false;
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        next = part_end(sim, low, end);
        orr_outage outage = {sim->now, sim->outages.away[low], low, next - low};
        set_away(sim, g, low, next, 0);
        if (sim->processors.holder[low] >= 0)
            continue;
        g->left -= outage.count;
        orr_totals_absent_now(&sim->totals, sim->in, -outage.count, sim->now, sim->last_end);
        ori_rigid_update_run(sim, g, low, next);
        if (sim->record)
            status = orr_schedule_outage(&sim->schedule, &outage, ORR_OUTAGE_BACK, err);
    }
    return status;
}

static orr_status bring_back_lowest(orr_rigid *sim, ori_group *g, int32_t count, double until,
                                    orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t low = g->first; status == ORR_OK && count > 0;) {
        while (!(away[low] > 0))
            low++;
        double back = away[low];
        int32_t end = low + 1;
        while (end < g->first + g->procs && end - low < count && away[end] == back)
            end++;
        status = bring_back(sim, g, low, end, err);
        if (status == ORR_OK && back > until)
            status = lend(sim, (ori_lending){until, back, g->index, low, end - low}, err);
        count -= end - low;
        low = end;
    }
    return status;
}

/* Of processors low .. end - 1, of whatever groups, those that are drained come back, or those that
 * are not are drained for ever. */
static orr_status each_group(orr_rigid *sim, int32_t low, int32_t end, bool back, orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        ori_group *g = group_with(sim, low);
        int32_t most = g->first + g->procs < end ? g->first + g->procs : end;
        for (next = low + 1; next < most && away[next] == away[low];)
            next++;
        if (away[low] > 0)
            status = bring_back(sim, g, low, next, err);
        if (status == ORR_OK && !back)
            status = drain(sim, g, low, next, INFINITY, err);
    }
    return status;
}

orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err)
{
    ori_outages *o = &sim->outages;
    int32_t procs = sim->in->procs, before = procs - o->retired, after = procs - count;
    o->retired = count;
    if (after < before)
        return each_group(sim, after, before, false, err);
    return each_group(sim, before, after, true, err);
}

/* --- from outside -------------------------------------------------------------------------------
 */

static orr_status check_processors(const orr_rigid *sim, orr_error *err)
{
    if (!sim->opened || !sim->outages.any)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "processors can be changed only of a simulation made by "
                        "orr_rigid_transplant that is recorded or whose nodes may fail");
    if (sim->stopped)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation was stopped by an error at time %.17g and cannot go on",
                        sim->now);
    return ori_rigid_check_idle(sim, "changed", err);
}

static orr_status check_service(const orr_rigid *sim, int32_t group, int32_t procs, double until,
                                orr_error *err)
{
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (group < 0 || group >= sim->group_count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no group %d", (int)group);
    if (procs < 0 || procs > sim->groups[group].procs)
        return orr_fail(err, ORR_ERR_ARGUMENT, "group %s has 0 to %d processors, not %d",
                        sim->groups[group].name, (int)sim->groups[group].procs, (int)procs);
    if (!(until > sim->now))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "processors cannot be changed until %.17g s: it is %.17g s already", until,
                        sim->now);
    return ORR_OK;
}

orr_status orr_rigid_set_service(orr_rigid *sim, int32_t group, int32_t procs, double until,
                                 orr_error *err)
{
    orr_status status = check_service(sim, group, procs, until, err);
    if (status != ORR_OK)
        return status;
    ori_group *g = &sim->groups[group];
    int32_t there = g->procs - g->drained;
    sim->disturbed |= procs != there;
    if (procs < there)
        return drain_highest(sim, g, there - procs, until, err);
    return bring_back_lowest(sim, g, procs - there, until, err);
}

orr_status orr_rigid_lend(orr_rigid *sim, int32_t group, int32_t count, double until,
                          orr_error *err)
{
    orr_status status = check_service(sim, group, count, until, err);
    if (status != ORR_OK || count == 0 || until == INFINITY)
        return status;
    const ori_group *g = &sim->groups[group];
    sim->disturbed = true;
    return lend(sim, (ori_lending){until, INFINITY, group, g->first + g->procs - count, count},
                err);
}

static orr_status strike(orr_rigid *sim, const orr_outage *outage, int32_t *count, orr_error *err)
{
    sim->busy = sim->changing = sim->disturbed = true;
    orr_status status = ori_rigid_fail_processors(sim, outage, count, err);
    sim->busy = sim->changing = false;
    return status;
}

orr_status orr_rigid_strike_job(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (job < 0 || job >= sim->in->count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no job number %d, there are %d jobs",
                        (int)job, (int)sim->in->count);
    if (sim->state[job] != ORR_JOB_RUNNING)
        return orr_fail(err, ORR_ERR_ARGUMENT, "job %s does not run: no fault can strike it",
                        orr_jobs_id(sim->jobs, job));
    orr_outage outage = {sim->now, sim->now, sim->processors.head[job], 1};
    return strike(sim, &outage, NULL, err);
}

orr_status orr_rigid_strike_node(orr_rigid *sim, int32_t processor, double repair, int32_t *struck,
                                 orr_error *err)
{
    const ori_outages *o = &sim->outages;
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (processor < 0 || processor >= sim->in->procs)
        return orr_fail(err, ORR_ERR_ARGUMENT, "processor %d is not among 0 to %d", (int)processor,
                        (int)sim->in->procs - 1);
    if (!(repair >= 0 && sim->now + repair < INFINITY))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the repair of a node must take a finite number of seconds >= 0, not %g",
                        repair);
    orr_outage outage = {sim->now, sim->now + repair, processor, 1};
    if (processor < o->law_procs && o->setup.node_procs > 1) {
        int32_t size = o->setup.node_procs, first = processor / size * size;
        outage.first = first;
        outage.count = size < o->law_procs - first ? size : o->law_procs - first;
    }
    return strike(sim, &outage, struck, err);
}

orr_status orr_rigid_redraw_nodes(orr_rigid *sim, uint64_t seed, orr_error *err)
{
    ori_outages *o = &sim->outages;
    if (!o->source)
        return ORR_OK;
    orr_status status = check_processors(sim, err);
    if (status == ORR_OK)
        status = orr_faults_reset(o->source, seed, sim->set, sim->scenario, err);
    while (status == ORR_OK && o->origin + orr_faults_peek(o->source).time <= sim->now)
        status = orr_faults_take(o->source, err);
    return status;
}

/* --- taking over --------------------------------------------------------------------------------
 */

/* A processor that is out is so in its new group. */
static void take_processor(orr_rigid *to, int32_t p, bool out)
{
    const ori_outages *o = &to->outages;
    ori_group *g = group_with(to, p);
    g->drained += o->away[p] > 0;
    if (!out)
        return;
    ori_processors_fail(&to->processors, g->index, p, p);
    g->free--;
    g->down++;
    g->left += o->away[p] > 0;
    if (g->has_planned)
        ori_ends_add(&g->planned, o->repaired[p], 1);
}

static orr_status take_lendings(orr_rigid *to, orr_error *err)
{
    for (int32_t i = 0; i < to->outages.lent_count; i++) {
        ori_lending *l = &to->outages.lent[i];
        ori_group *g = group_with(to, l->first);
        if (l->first + l->count > g->first + g->procs)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "policy %s cannot take over at time %.17g: processors %d to %d, which "
                            "leave at %.17g, are not of one group of it",
                            to->policy.name, to->now, (int)l->first, (int)(l->first + l->count - 1),
                            l->time);
        l->group = g->index;
        g->lent += l->count;
    }
    return ORR_OK;
}

orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    if (!from->outages.any)
        return ORR_OK;
    orr_status status = ori_outages_copy(&to->outages, &from->outages, err);
    if (status != ORR_OK)
        return status;
    for (int32_t p = 0; p < from->in->procs; p++)
        take_processor(to, p, from->processors.holder[p] == ORI_HELD_BY_REPAIR);
    return take_lendings(to, err);
}
