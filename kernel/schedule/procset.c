/* Processor sets, for whoever hands processors out by number. */
#include "schedule/procset_internal.h"

#include "base/array_internal.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

orr_status ori_procset_reserve(orr_procset *set, int32_t capacity, orr_error *err)
{
    return ORI_RESERVE(&set->alloc, &set->intervals, &set->capacity, capacity, err);
}

orr_status ori_procset_create(orr_procset *set, int32_t procs, const orr_allocator *a,
                              orr_error *err)
{
    memset(set, 0, sizeof *set);
    set->alloc = orr_allocator_or_default(a);
    orr_status status = ori_procset_reserve(set, FIRST_CAPACITY, err);
    if (status == ORR_OK)
        ori_procset_reset(set, procs);
    return status;
}

void ori_procset_destroy(orr_procset *set)
{
    ORI_FREE(&set->alloc, &set->intervals, &set->capacity);
    set->count = 0;
}

void ori_procset_reset(orr_procset *set, int32_t procs)
{
    set->count = procs > 0 ? 1 : 0;
    set->intervals[0] = (orr_interval){0, procs - 1};
}

orr_status ori_procset_copy(orr_procset *to, const orr_procset *from, orr_error *err)
{
    orr_status status = ori_procset_reserve(to, from->count, err);
    if (status != ORR_OK)
        return status;
    memcpy(to->intervals, from->intervals, (size_t)from->count * sizeof *from->intervals);
    to->count = from->count;
    return ORR_OK;
}

int32_t ori_procset_span(const orr_procset *set, int32_t procs)
{
    int32_t n = 0;
    while (procs > 0 && n < set->count) {
        procs -= set->intervals[n].high - set->intervals[n].low + 1;
        n++;
    }
    return procs > 0 ? -1 : n;
}

int32_t ori_procset_take(orr_procset *set, int32_t procs, orr_interval *taken)
{
    int32_t n = 0, emptied = 0;
    while (procs > 0) {
        orr_interval *head = &set->intervals[emptied];
        int32_t size = head->high - head->low + 1;
        if (size > procs) {
            taken[n++] = (orr_interval){head->low, head->low + procs - 1};
            head->low += procs;
            break;
        }
        taken[n++] = *head;
        procs -= size;
        emptied++;
    }
    set->count -= emptied;
    memmove(set->intervals, set->intervals + emptied, (size_t)set->count * sizeof *set->intervals);
    return n;
}

/* The first interval that lies behind processor `low`. */
static int32_t find_behind(const orr_procset *set, int32_t low)
{
    int32_t from = 0, to = set->count;
    while (from < to) {
        int32_t middle = from + (to - from) / 2;
        if (set->intervals[middle].low < low)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void ori_procset_remove(orr_procset *set, orr_interval run)
{
    int32_t at = find_behind(set, run.low + 1) - 1; /* the interval that holds the run */
    orr_interval *list = set->intervals, whole = list[at];
    size_t behind = (size_t)(set->count - at - 1) * sizeof *list;
    bool left = whole.low < run.low, right = run.high < whole.high;
    if (left && right) {
        memmove(list + at + 2, list + at + 1, behind);
        list[at] = (orr_interval){whole.low, run.low - 1};
        list[at + 1] = (orr_interval){run.high + 1, whole.high};
        set->count++;
    } else if (left) {
        list[at].high = run.low - 1;
    } else if (right) {
        list[at].low = run.high + 1;
    } else {
        memmove(list + at, list + at + 1, behind);
        set->count--;
    }
}

static void insert_merged(orr_procset *set, orr_interval given)
{
    int32_t at = find_behind(set, given.low);
    orr_interval *list = set->intervals;
    bool left = at > 0 && list[at - 1].high + 1 == given.low;
    bool right = at < set->count && given.high + 1 == list[at].low;
    size_t behind = (size_t)(set->count - at) * sizeof *list;
    if (left && right) {
        list[at - 1].high = list[at].high;
        memmove(list + at, list + at + 1, behind - sizeof *list);
        set->count--;
    } else if (left) {
        list[at - 1].high = given.high;
    } else if (right) {
        list[at].low = given.low;
    } else {
        memmove(list + at + 1, list + at, behind);
        list[at] = given;
        set->count++;
    }
}

orr_status ori_procset_give(orr_procset *set, const orr_interval *intervals, int32_t count,
                            orr_error *err)
{
    orr_status status = ori_procset_reserve(set, set->count + count, err);
    if (status != ORR_OK)
        return status;
    for (int32_t i = 0; i < count; i++)
        insert_merged(set, intervals[i]);
    return ORR_OK;
}
