/* Placements: the lowest-numbered of the sets that a job may have, or the most reliable one. */
#include "rigid/machine/place_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"

/* --- checking --------------------------------------------------------------------------------- */

static orr_status check_nodes(const orr_rigid_policy *p, const char *group, int32_t first,
                              int32_t procs, int32_t machine, orr_error *err)
{
    ORI_REFUSE(p->node_procs < 1, err,
               "policy %s: whole nodes need node_procs of at least 1, not %d", p->name,
               (int)p->node_procs);
    ORI_REFUSE(first % p->node_procs != 0, err,
               "policy %s: group %s begins with processor %d, which is inside a node of %d",
               p->name, group, (int)first, (int)p->node_procs);
    ORI_REFUSE(procs % p->node_procs != 0 && first + procs != machine, err,
               "policy %s: group %s ends with processor %d, which is inside a node of %d", p->name,
               group, (int)(first + procs - 1), (int)p->node_procs);
    return ORR_OK;
}

orr_status ori_place_check(const orr_rigid_policy *p, const char *group, int32_t first,
                           int32_t procs, int32_t machine, orr_error *err)
{
    ORI_REFUSE((unsigned)p->place > ORR_PLACE_LOW, err,
               "policy %s: there is no placement %d, they are numbered from 0 to %d", p->name,
               (int)p->place, (int)ORR_PLACE_LOW);
    ORI_REFUSE(p->place == ORR_PLACE_CHOSEN && !p->choose, err,
               "policy %s: its own function chooses processors, and it has none", p->name);
    return p->place == ORR_PLACE_NODES ? check_nodes(p, group, first, procs, machine, err) : ORR_OK;
}

orr_status ori_place_create(ori_place *p, const orr_allocator *a, orr_error *err)
{
    int64_t most = (int64_t)p->procs / 2 + 1, chosen = p->procs;
    const ori_part parts[] = {ORI_PART(p->found.list, chosen), ORI_PART(p->free.list, most)};
    return ORI_BLOCK_CREATE(&p->block, parts, ORI_RAW, a, err);
}

/* --- what the kernel chooses ------------------------------------------------------------------ */

/* The part of a run that is whole nodes. False: there is none. */
static bool cut_to_nodes(const ori_place *p, orr_interval *run)
{
    int32_t size = p->policy->node_procs;
    int64_t low = ((int64_t)run->low + size - 1) / size * size;
    int32_t end = run->high + 1 == p->procs ? p->procs : (run->high + 1) / size * size;
    if (low >= end)
        return false;
    *run = (orr_interval){(int32_t)low, end - 1};
    return true;
}

/* Finds the lowest-numbered processors that satisfy the placement: from all runs, from whole nodes,
 * or from the first run that is long enough. */
static bool find_lowest(ori_place *p, int32_t procs, orr_placing place, const ori_runs *free)
{
    p->found.count = 0;
    for (int32_t i = 0; i < free->count; i++) {
        orr_interval run = free->list[i];
        if (place == ORR_PLACE_NODES && !cut_to_nodes(p, &run))
            continue;
        int32_t length = run.high - run.low + 1;
        if (place == ORR_PLACE_CONTIGUOUS && length < procs)
            continue;
        if (length >= procs)
            run.high = run.low + procs - 1;
        p->found.list[p->found.count++] = run;
        procs -= run.high - run.low + 1;
        if (procs == 0)
            return true;
    }
    return false;
}

/* The next run of free processors from `from` on that are of one node; *failures: of that node. */
static bool next_of_node(const ori_place *p, const ori_runs *free, int32_t from, orr_interval *run,
                         int32_t *failures)
{
    orr_interval node;
    int32_t at = 0;
    ORI_BISECT(at, free->count, middle, free->list[middle].high < from)
    if (at == free->count)
        return false;
    *run = free->list[at];
    run->low = run->low > from ? run->low : from;
    *failures = ori_outages_seen(p->outages, p->first + run->low, &node);
    if (run->high > node.high - p->first)
        run->high = node.high - p->first;
    return true;
}

/* Sets *failures to the next larger failure count of nodes with free processors, and returns the
 * number of free processors of the nodes with this count; 0: there are none. */
static int32_t next_level(const ori_place *p, const ori_runs *free, int32_t *failures)
{
    int32_t above = *failures, count = 0, seen;
    orr_interval run;
    *failures = INT32_MAX;
    for (int32_t from = 0; next_of_node(p, free, from, &run, &seen); from = run.high + 1) {
        if (seen <= above || seen > *failures)
            continue;
        count = (seen == *failures ? count : 0) + run.high - run.low + 1;
        *failures = seen;
    }
    return count;
}

/* Finds processors of the nodes with the fewest failures first, then the lowest-numbered. */
static bool find_reliable(ori_place *p, int32_t procs, const ori_runs *free)
{
    int32_t most = -1, rest = procs, count = next_level(p, free, &most), seen;
    orr_interval run;
    for (; count > 0 && count < rest; count = next_level(p, free, &most))
        rest -= count;
    if (count == 0)
        return false;
    p->found.count = 0; /* all of nodes with fewer failures than `most`, and `rest` of nodes with
                           `most` */
    for (int32_t from = 0; next_of_node(p, free, from, &run, &seen); from = run.high + 1) {
        orr_interval part = run;
        if (seen > most || (seen == most && rest == 0))
            continue;
        if (seen == most && part.high - part.low + 1 > rest)
            part.high = part.low + rest - 1;
        rest -= seen == most ? part.high - part.low + 1 : 0;
        orr_interval *last = &p->found.list[p->found.count - 1];
        if (p->found.count > 0 && last->high + 1 == part.low)
            last->high = part.high;
        else
            p->found.list[p->found.count++] = part;
    }
    return true;
}

/* --- what a policy's function chooses --------------------------------------------------------- */

static orr_status refuse_run(const ori_place *p, int32_t job, orr_interval run, const char *why,
                             orr_error *err)
{
    return orr_fail(err, ORR_ERR_POLICY,
                    "policy %s: the processors chosen for job %s: the run from %d to %d %s",
                    p->policy->name, orr_jobs_id(p->in->jobs, job), (int)run.low, (int)run.high,
                    why);
}

static bool is_free(const ori_place *p, orr_interval run)
{
    for (int32_t k = 0; k < p->free.count; k++)
        if (p->free.list[k].low <= run.low && run.high <= p->free.list[k].high)
            return true;
    return false;
}

/* Checks the chosen processors: ascending, free, as many as the job needs. Runs that touch are
 * merged. */
static orr_status take_chosen(ori_place *p, int32_t job, int32_t count, orr_error *err)
{
    orr_interval *list = p->found.list;
    int64_t procs = 0;
    int32_t last = p->first - 1, kept = 0;
    for (int32_t i = 0; i < count; i++) {
        orr_interval run = list[i];
        if (run.high < run.low)
            return refuse_run(p, job, run, "ends before it begins", err);
        if (i > 0 && run.low <= last)
            return refuse_run(p, job, run, "is not behind the one before", err);
        if (!is_free(p, run))
            return refuse_run(p, job, run, "is not free", err);
        bool touches = kept > 0 && run.low == last + 1;
        last = run.high;
        procs += run.high - run.low + 1;
        if (touches)
            list[kept - 1].high = run.high - p->first;
        else
            list[kept++] = (orr_interval){run.low - p->first, run.high - p->first};
    }
    ORI_FAIL_IF(procs != p->in->jobs->procs[job], err, ORR_ERR_POLICY,
                "policy %s: %lld processors were chosen for job %s, it needs %d", p->policy->name,
                (long long)procs, orr_jobs_id(p->in->jobs, job), (int)p->in->jobs->procs[job]);
    p->found.count = kept;
    return ORR_OK;
}

/* Whether the whole machine was offered. A job that is refused it may still start in another
 * group. */
static bool has_all(const ori_place *p)
{
    return p->free.count == 1 && p->procs == p->in->procs &&
           p->free.list[0].high - p->free.list[0].low + 1 == p->procs;
}

static orr_status choose_processors(ori_place *p, int32_t job, const ori_runs *free, bool *found,
                                    orr_error *err)
{
    p->free.count = free->count;
    for (int32_t i = 0; i < free->count; i++)
        p->free.list[i] =
            (orr_interval){p->first + free->list[i].low, p->first + free->list[i].high};
    int32_t count = 0, most = p->in->jobs->procs[job];
    const orr_rigid_choice choice = {
        .instance = p->in, .free = p->free.list, .free_count = p->free.count, .most = most};
    p->choosing = true;
    orr_status status =
        p->policy->choose(p->policy->choose_user, &choice, job, p->found.list, &count, err);
    p->choosing = false;
    ORI_TRY(status);
    ORI_FAIL_IF(count < 0 || count > most, err, ORR_ERR_POLICY,
                "policy %s: %d runs of processors were chosen for job %s, it can have 0 to %d",
                p->policy->name, (int)count, orr_jobs_id(p->in->jobs, job), (int)most);
    *found = count > 0;
    ORI_FAIL_IF(count == 0 && has_all(p), err, ORR_ERR_POLICY,
                "policy %s: place permits job %s none of the %d processors although all of them "
                "are free: it can never start",
                p->policy->name, orr_jobs_id(p->in->jobs, job), (int)p->procs);
    return *found ? take_chosen(p, job, count, err) : ORR_OK;
}

/* ---------------------------------------------------------------------------------------------- */

orr_status ori_place_find(void *place, const ori_wish *wish, const ori_runs *free, bool *found,
                          orr_error *err)
{
    ori_place *p = place;
    if (p->policy->place == ORR_PLACE_CHOSEN && wish->job >= 0)
        return choose_processors(p, wish->job, free, found, err);
    *found = p->policy->place == ORR_PLACE_RELIABLE && p->outages->any
                 ? find_reliable(p, wish->procs, free)
                 : find_lowest(p, wish->procs, p->policy->place, free);
    return ORR_OK;
}
