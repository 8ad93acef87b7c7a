/* Processor sets, used where processors are handed out by number. */
#include "schedule/procset_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

orr_status ori_procset_reserve(orr_procset *set, int32_t intervals, orr_error *err)
{
    return ORI_RESERVE(&set->alloc, &set->intervals, &set->capacity, intervals, err);
}

orr_status ori_procset_create(orr_procset *set, int32_t procs, const orr_allocator *a,
                              orr_error *err)
{
    memset(set, 0, sizeof *set);
    set->alloc = orr_allocator_or_default(a);
    ORI_TRY(ori_procset_reserve(set, FIRST_CAPACITY, err));
    ori_procset_reset(set, procs);
    return ORR_OK;
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
    ORI_TRY(ORI_COPY(&to->alloc, &to->intervals, &to->capacity, from->intervals, from->count, err));
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
    for (; procs > 0; n++) {
        orr_interval *head = &set->intervals[emptied];
        int32_t size = head->high - head->low + 1;
        taken[n] = *head;
        if (size > procs) {
            taken[n].high = head->low + procs - 1;
            head->low += procs;
        } else {
            emptied++;
        }
        procs -= size;
    }
    set->count -= emptied;
    memmove(set->intervals, set->intervals + emptied, (size_t)set->count * sizeof *set->intervals);
    return n;
}

/* The first interval that lies behind processor `low`. */
static int32_t find_behind(const orr_procset *set, int32_t low)
{
    int32_t at = 0;
    ORI_BISECT(at, set->count, middle, set->intervals[middle].low < low);
    return at;
}

/* Puts `count` intervals in place of those from `at` up to `end`. */
static void replace_intervals(orr_procset *set, int32_t at, int32_t end, const orr_interval *by,
                              int32_t count)
{
    orr_interval *list = set->intervals;
    if (at + count != end)
        memmove(list + at + count, list + end, (size_t)(set->count - end) * sizeof *list);
    for (int32_t i = 0; i < count; i++)
        list[at + i] = by[i];
    set->count += at + count - end;
}

void ori_procset_remove(orr_procset *set, orr_interval run)
{
    const orr_interval *list = set->intervals;
    int32_t at = find_behind(set, run.low + 1) - 1, end = at + 1, count = 0;
    orr_interval rest[2];
    at += at < 0 || list[at].high < run.low;
    while (end < set->count && list[end].low <= run.high)
        end++;
    if (at == end)
        return;
    if (list[at].low < run.low)
        rest[count++] = (orr_interval){list[at].low, run.low - 1};
    if (run.high < list[end - 1].high)
        rest[count++] = (orr_interval){run.high + 1, list[end - 1].high};
    replace_intervals(set, at, end, rest, count);
}

orr_status ori_procset_give(orr_procset *set, const orr_interval *intervals, int32_t count,
                            orr_error *err)
{
    ORI_TRY(ori_procset_reserve(set, set->count + count, err));
    const orr_interval *list = set->intervals;
    for (int32_t i = 0; i < count; i++) {
        orr_interval given = intervals[i];
        int32_t at = find_behind(set, given.low), end = at;
        if (at > 0 && list[at - 1].high + 1 == given.low)
            given.low = list[--at].low;
        if (end < set->count && given.high + 1 == list[end].low)
            given.high = list[end++].high;
        replace_intervals(set, at, end, &given, 1);
    }
    return ORR_OK;
}
