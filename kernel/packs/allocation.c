/* The list that PACK-APPROX and PACK-BY-PACK walk: its order is maintained while processors are
 * given. The steps are here; the loops over them are policies of the callers. */
#include "packs/allocation.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/fullest_internal.h"
#include "packs/make_pack_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <string.h>

struct orr_allocation {
    const orr_pack_problem *problem;
    int32_t *procs;   /* by task */
    ori_listed *list; /* in order; those in front of `front` have been taken */
    int32_t front;
    int64_t raised; /* processors given so far */
    int64_t least;  /* processors that all have at first */

    /* the tasks of the list that take at least `since`: those in front of `window` */
    double since;
    int32_t window;
    int64_t requested;

    double work;          /* about the work of all, without adding them up each time */
    int64_t work_is_from; /* when it was added up: a value of raised */
    ori_first_fit fit;

    ori_block block; /* all of this */
    orr_allocator alloc;
};

/* The tolerance of a sum that is updated with every change, and the changes after which it is
 * computed again. */
#define WORK_TOLERANCE 1e-9
enum { MOST_CHANGES = 1 << 20 };

/* --- memory ------------------------------------------------------------------------------------*/

/* The list from `procs`; `scratch` has room for as many. */
static void make_list(orr_allocation *a, ori_listed *scratch)
{
    for (int32_t i = 0; i < a->problem->count; i++)
        a->list[i] = (ori_listed){orr_pack_time(a->problem, i, a->procs[i]), i};
    ori_sort_listed(a->list, a->problem->count, scratch);
    a->since = INFINITY;
    a->window = a->front;
    a->requested = 0;
    a->work = orr_allocation_work(a);
}

orr_allocation *orr_allocation_create(const orr_pack_problem *problem, orr_error *err)
{
    size_t count = (size_t)problem->count;
    orr_allocation a = {.problem = problem, .alloc = problem->alloc}, *self;
    ori_listed *scratch;
    ORI_SCRATCH_OR(NULL, &problem->alloc, ORI_RAW, err, ORI_PART(scratch, count));
    const ori_part parts[] = {ORI_PART(self, 1), ORI_PART(a.list, count), ORI_PART(a.procs, count)};
    if (ORI_BLOCK_CREATE(&a.block, parts, ORI_RAW, &a.alloc, err) != ORR_OK)
        return NULL;
    memcpy(a.procs, problem->least, count * sizeof *a.procs);
    for (int32_t i = 0; i < problem->count; i++)
        a.least += problem->least[i];
    *self = a;
    if (ori_first_fit_create(&self->fit, problem, err) != ORR_OK) {
        orr_allocation_destroy(self);
        return NULL;
    }
    make_list(self, scratch);
    return self;
}

void orr_allocation_destroy(orr_allocation *a)
{
    if (!a)
        return;
    ori_first_fit_destroy(&a->fit, &a->alloc);
    orr_release(&a->alloc, a, a->block.size);
}

/* --- the list ----------------------------------------------------------------------------------*/

int32_t orr_allocation_listed(const orr_allocation *a)
{
    return a->problem->count - a->front;
}

int32_t orr_allocation_head(const orr_allocation *a)
{
    return a->front < a->problem->count ? a->list[a->front].task : -1;
}

int32_t orr_allocation_procs(const orr_allocation *a, int32_t task)
{
    return ORI_IS_IN(task, a->problem->count) ? a->procs[task] : -1;
}

double orr_allocation_time(const orr_allocation *a, int32_t task)
{
    if (!ORI_IS_IN(task, a->problem->count))
        return NAN;
    return orr_pack_time(a->problem, task, a->procs[task]);
}

/* The number of tasks behind the head that come before its new entry. */
static int32_t count_in_front(const orr_allocation *a, const ori_listed *head)
{
    int32_t at = a->front + 1;
    ORI_BISECT(at, a->problem->count, middle,
               ori_is_in_front(a->list[middle].time, a->list[middle].task, head->time, head->task));
    return at - a->front - 1;
}

/* The head, which had one processor less and took `before` seconds, in its new place. */
static void insert_head(orr_allocation *a, double before)
{
    ori_listed *at = a->list + a->front, head = *at;
    head.time = orr_allocation_time(a, head.task);
    int32_t passed = count_in_front(a, &head), procs = a->procs[head.task];
    memmove(at, at + 1, (size_t)passed * sizeof *at);
    at[passed] = head;
    a->work += head.time * procs - before * (procs - 1);
    if (a->window == a->front)
        return;
    bool stays = head.time >= a->since;
    a->requested += stays ? 1 : 1 - procs;
    a->window -= !stays;
}

static void raise_head(orr_allocation *a)
{
    ori_listed *head = &a->list[a->front];
    a->procs[head->task]++;
    a->raised++;
    insert_head(a, head->time);
}

orr_status orr_allocation_raise(orr_allocation *a, orr_error *err)
{
    int32_t head = orr_allocation_head(a);
    ORI_REFUSE(head < 0, err, "there is no task left to give a processor to");
    ORI_REFUSE(a->procs[head] == a->problem->procs, err, "task %s has all %d processors",
               orr_tasks_id(a->problem->tasks, head), (int)a->problem->procs);
    raise_head(a);
    return ORR_OK;
}

/* --- PACK-BY-PACK ------------------------------------------------------------------------------*/

int64_t orr_allocation_requested(orr_allocation *a, double time)
{
    while (a->window < a->problem->count && a->list[a->window].time >= time)
        a->requested += a->procs[a->list[a->window++].task];
    while (a->window > a->front && a->list[a->window - 1].time < time)
        a->requested -= a->procs[a->list[--a->window].task];
    a->since = time;
    return a->requested;
}

orr_status orr_allocation_grow(orr_allocation *a, double epsilon, orr_error *err)
{
    ORI_REFUSE(!(epsilon >= 0 && epsilon <= 1), err, "epsilon must be a number from 0 to 1, not %g",
               epsilon);
    int32_t procs = a->problem->procs;
    while (a->front < a->problem->count) {
        const ori_listed *head = &a->list[a->front];
        if (a->procs[head->task] == procs ||
            orr_allocation_requested(a, (1 - epsilon) * head->time) >= procs)
            break;
        raise_head(a);
    }
    return ORR_OK;
}

int32_t orr_allocation_take(orr_allocation *a, double time, int32_t *taken)
{
    int32_t count = 0;
    int64_t free = a->problem->procs;
    for (; a->front < a->problem->count && count < a->problem->most; a->front++) {
        const ori_listed *next = &a->list[a->front];
        int32_t procs = a->procs[next->task];
        if (procs > free || (count > 0 && next->time < time))
            break;
        taken[count++] = next->task;
        free -= procs;
        if (a->front < a->window)
            a->requested -= procs;
        else
            a->window = a->front + 1;
    }
    return count;
}

/* Takes the chosen ones of the tasks in front of `end` out of the list. */
static int32_t take_chosen(orr_allocation *a, int32_t end, const bool *chosen, int32_t *taken)
{
    int32_t count = 0, to = end;
    for (int32_t i = a->front; i < end; i++)
        if (chosen[i - a->front])
            taken[count++] = a->list[i].task;
    for (int32_t i = end - 1; i >= a->front; i--)
        if (!chosen[i - a->front])
            a->list[--to] = a->list[i];
    a->front = a->window = to;
    a->since = INFINITY;
    a->requested = 0;
    return count;
}

orr_status orr_allocation_take_fullest(orr_allocation *a, double time, int32_t *taken,
                                       int32_t *count, orr_error *err)
{
    int32_t end = a->front, front = a->front;
    *count = 0;
    while (end < a->problem->count && (end == front || a->list[end].time >= time))
        end++;
    if (end == front)
        return ORR_OK;
    bool *chosen;
    ORI_SCRATCH(&a->alloc, ORI_RAW, err, ORI_PART(chosen, end - front));
    ORI_TRY(ori_fullest(a->problem, a->list + front, end - front, a->procs, chosen, err));
    *count = take_chosen(a, end, chosen, taken);
    return ORR_OK;
}

/* --- PACK-APPROX -------------------------------------------------------------------------------*/

double orr_allocation_work(orr_allocation *a)
{
    double work = 0;
    for (int32_t i = 0; i < a->problem->count; i++)
        work += orr_allocation_time(a, i) * a->procs[i];
    a->work = work;
    a->work_is_from = a->raised;
    return work;
}

bool orr_allocation_is_saturated(orr_allocation *a)
{
    const ori_listed *head = &a->list[a->front];
    int32_t procs = a->problem->procs;
    if (a->front == a->problem->count || a->procs[head->task] == procs)
        return true;
    double about = a->work / procs;
    if (a->raised - a->work_is_from > MOST_CHANGES ||
        fabs(about - head->time) <= WORK_TOLERANCE * about)
        about = orr_allocation_work(a) / procs;
    return about > head->time;
}

double orr_allocation_pack_cost(orr_allocation *a, double limit)
{
    const orr_pack_problem *problem = a->problem;
    if (a->front > 0)
        return INFINITY;
    if (problem->most == problem->count && a->least + a->raised <= problem->procs)
        return a->list[0].time < limit ? a->list[0].time : (double)INFINITY; /* one pack */
    return ori_make_pack_cost(problem, a->list, a->procs, &a->fit, limit);
}

/* Refuses a list from which tasks were taken. */
static orr_status check_whole(const orr_allocation *a, orr_error *err)
{
    ORI_REFUSE(a->front > 0, err, "%d of %d tasks have been taken out of the list", (int)a->front,
               (int)a->problem->count);
    return ORR_OK;
}

orr_coschedule *orr_allocation_make_pack(orr_allocation *a, orr_error *err)
{
    if (check_whole(a, err) != ORR_OK)
        return NULL;
    return ori_make_pack_listed(a->problem, a->list, a->procs, &a->fit, err);
}

int64_t orr_allocation_mark(const orr_allocation *a)
{
    return a->raised;
}

/* The given processors follow from Algorithm 1 for all tasks in one pack: no history is needed to
 * undo a step. */
orr_status orr_allocation_rewind(orr_allocation *a, int64_t raised, orr_error *err)
{
    const orr_pack_problem *problem = a->problem;
    ORI_TRY(check_whole(a, err));
    ORI_REFUSE(raised < 0 || raised > a->raised, err, "%lld processors have been given, not %lld",
               (long long)a->raised, (long long)raised);
    ori_listed *scratch;
    int32_t *tasks;
    ORI_SCRATCH(&problem->alloc, ORI_RAW, err, ORI_PART(scratch, problem->count),
                ORI_PART(tasks, problem->count));
    for (int32_t i = 0; i < problem->count; i++)
        tasks[i] = i;
    ori_give_out(problem, tasks, problem->count, a->least + raised, a->procs, scratch);
    a->raised = raised;
    make_list(a, scratch);
    return ORR_OK;
}
