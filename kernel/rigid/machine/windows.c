/* Windows: their list, and their effect on plans. */
#include "rigid/machine/windows_internal.h"

#include "base/print_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "workload/window_internal.h"

#include <stdio.h>
#include <string.h>

enum { SOME = 16 };

/* --- the list --------------------------------------------------------------------------------- */

/* Resolves a window to numbered processors; count 0: there are none. */
static orr_status resolve(orr_window *w, int64_t i, int32_t procs, orr_error *err)
{
    char name[96];
    ori_snprintf(name, sizeof name, "window %lld, from %.17g to %.17g s", (long long)i + 1, w->from,
                 w->to);
    ORI_REFUSE(!(w->from > -INFINITY && w->from < INFINITY), err, "%s: it begins at a finite time",
               name);
    ORI_REFUSE(!(w->to > w->from), err, "%s: it ends later than it begins", name);
    ORI_REFUSE(w->lets_end && orr_window_is_reserved(w), err,
               "%s: it is reserved for a user or a job, and cannot let the attempts of others end",
               name);
    ORI_REFUSE(w->first < ORR_WINDOW_ABOVE || w->count < (w->first == ORR_WINDOW_ABOVE ? 0 : 1),
               err, "%s: there are no %d processors from %d on", name, (int)w->count,
               (int)w->first);
    if (w->first == ORR_WINDOW_ABOVE) {
        w->first = w->count < procs ? w->count : procs;
        w->count = procs - w->first;
        return ORR_OK;
    }
    ORI_REFUSE(w->count > procs || w->first > procs - w->count, err,
               "%s: the machine has processors 0 to %d, and not %d of them%s", name, (int)procs - 1,
               (int)w->count, w->first < 0 ? "" : " from there on");
    if (w->first == ORR_WINDOW_HIGHEST)
        w->first = procs - w->count;
    return ORR_OK;
}

static orr_status fill_windows(ori_windows *w, ori_given_windows given, orr_error *err)
{
    for (int64_t i = 0; i < given.count; i++) {
        orr_window *one = &w->list[w->count];
        *one = given.list[i];
        ORI_TRY(resolve(one, i, w->procs, err));
        w->count += one->count > 0;
        w->reserves |= one->count > 0 && orr_window_is_reserved(one);
    }
    ORI_TRY(ORI_SORT(w->list, w->count, ori_is_less, &w->alloc, err));
    for (int32_t i = 0; i < w->count; i++)
        w->latest[i] = i > 0 && w->latest[i - 1] > w->list[i].to ? w->latest[i - 1] : w->list[i].to;
    return ORR_OK;
}

orr_status ori_windows_create(ori_windows *w, ori_given_windows given, int32_t procs,
                              const orr_allocator *a, orr_error *err)
{
    *w = (ori_windows){.procs = procs,
                       .known = given.count > 0 || given.were,
                       .alloc = orr_allocator_or_default(a)};
    if (given.count == 0)
        return ORR_OK;
    ORI_REFUSE(given.count < 0 || given.count > INT32_MAX / 2 || !given.list, err,
               "there cannot be %lld windows", (long long)given.count);
    const ori_part parts[] = {ORI_PART(w->list, given.count), ORI_PART(w->latest, given.count),
                              ORI_PART(w->closed_until, procs)};
    ORI_TRY(ORI_BLOCK_CREATE(&w->block, parts, ORI_ZEROED, &w->alloc, err));
    return fill_windows(w, given, err);
}

void ori_windows_destroy(ori_windows *w)
{
    ori_block_destroy(&w->block, &w->alloc);
}

void ori_windows_reset(ori_windows *w)
{
    w->at = (struct ori_windows_at){0};
    if (w->list)
        memset(w->closed_until, 0, (size_t)w->procs * sizeof *w->closed_until);
}

void ori_windows_copy(ori_windows *to, const ori_windows *from)
{
    to->at = from->at;
    if (from->count == 0 || to->count == 0) /* created without windows, or all given ones are
                                               empty */
        return;
    memcpy(to->closed_until, from->closed_until, (size_t)from->procs * sizeof *from->closed_until);
}

bool ori_windows_are_equal(const ori_windows *a, const ori_windows *b)
{
    bool equal = a->count == b->count;
    for (int32_t i = 0; equal && i < a->count; i++) {
        const orr_window *x = &a->list[i], *y = &b->list[i];
        equal = x->from == y->from && x->to == y->to && x->first == y->first &&
                x->count == y->count && x->lets_end == y->lets_end;
    }
    return equal;
}

/* The part of a window on processors low .. high; false: there is none. */
static bool part_of(const orr_window *w, int32_t low, int32_t high, orr_window *part)
{
    int32_t end = w->first + w->count;
    *part = *w;
    part->first = low > w->first ? low : w->first;
    part->count = (high < end - 1 ? high + 1 : end) - part->first;
    return part->count > 0;
}

int64_t ori_windows_cut(const ori_windows *w, orr_interval run, double until, orr_window *list,
                        bool *cut)
{
    int64_t count = 0;
    orr_window middle;
    for (int32_t i = 0; i < w->count; i++) {
        const orr_window *one = &w->list[i];
        if (i < w->at.opened || !one->lets_end || !(one->from < until) ||
            !part_of(one, run.low, run.high, &middle)) {
            list[count++] = *one;
            continue;
        }
        *cut = true;
        middle.from = until;
        count += part_of(one, 0, run.low - 1, &list[count]);
        if (middle.to > until)
            list[count++] = middle;
        count += part_of(one, run.high + 1, w->procs - 1, &list[count]);
    }
    return count;
}

const orr_window *ori_windows_open(ori_windows *w, double now)
{
    const orr_window *next = &w->list[w->at.opened++];
    while (w->at.past < w->at.opened && w->list[w->at.past].to <= now)
        w->at.past++;
    return next->to > now ? next : NULL;
}

/* --- what planners see ------------------------------------------------------------------------ */

/* The processors of a window in a group, numbered from the group's first; false: there are none. */
static bool cut_to_group(const orr_window *w, int32_t first, int32_t procs, orr_interval *run)
{
    int32_t low = w->first - first, high = low + w->count - 1;
    *run = (orr_interval){low > 0 ? low : 0, high < procs ? high : procs - 1};
    return run->low <= run->high;
}

/* Whether plans see this window as drained processors instead. */
static bool has_drained(const ori_windows *w, int32_t i)
{
    return i < w->at.opened && w->list[i].lets_end;
}

double ori_windows_horizon(const ori_windows *w, int32_t first, int32_t procs, double now)
{
    orr_interval run;
    for (int32_t i = w->at.past; i < w->count; i++)
        if (w->list[i].to > now && !has_drained(w, i) &&
            cut_to_group(&w->list[i], first, procs, &run))
            return w->list[i].from;
    return INFINITY;
}

int32_t ori_windows_cover(const ori_windows *w, orr_interval run, double now)
{
    int32_t covered = 0;
    for (int32_t p = run.low, inside, behind; p <= run.high; p = inside > p ? inside : behind) {
        inside = p; /* the end of the windows that p is in */
        behind = run.high + 1;
        for (int32_t i = w->at.past; i < w->count && w->list[i].from <= now; i++) {
            const orr_window *one = &w->list[i];
            int32_t end = one->first + one->count;
            if (!(one->to > now) || has_drained(w, i))
                continue;
            if (one->first > p)
                behind = one->first < behind ? one->first : behind;
            else if (end > inside)
                inside = end <= run.high ? end : run.high + 1;
        }
        covered += inside - p;
    }
    return covered;
}

static orr_status take_window(const ori_windows_seen *seen, const orr_window *one, orr_error *err)
{
    ori_named *n = seen->profile;
    double now = n->time[0], from = one->from > now ? one->from : now;
    orr_interval run;
    const ori_runs runs = {.list = &run, .count = 1};
    if (!(one->to > now) || !cut_to_group(one, seen->first, n->procs, &run))
        return ORR_OK;
    if (orr_window_is_reserved(one))
        return one->to < INFINITY ? ori_named_mark(n, one->to, err) : ORR_OK;
    return ori_named_change(n, from, one->to, &runs, false, err);
}

void ori_windows_tell_apart(ori_windows_seen *seen, int32_t from)
{
    const ori_windows *w = seen->windows;
    orr_interval run;
    for (int32_t i = from; i < seen->most; i++)
        if (cut_to_group(&w->list[i], seen->first, seen->profile->procs, &run))
            ori_named_tell_apart(seen->profile, run);
}

orr_status ori_windows_take(ori_windows_seen *seen, double start, double end, orr_error *err)
{
    const ori_windows *w = seen->windows;
    const orr_window *list = w->list;
    for (; seen->taken < w->count; seen->taken++) {
        double from = list[seen->taken].from;
        if (from > start && from >= end)
            break;
        if (seen->taken >= seen->most) {
            int64_t most = 8 * (int64_t)(seen->taken - w->at.past) + w->at.past + SOME;
            seen->most = most < w->count ? (int32_t)most : w->count;
            ori_windows_tell_apart(seen, seen->taken);
        }
        if (!has_drained(w, seen->taken))
            ORI_TRY(take_window(seen, &list[seen->taken], err));
    }
    seen->profile->horizon = seen->taken < w->count ? list[seen->taken].from : INFINITY;
    return ORR_OK;
}

bool ori_windows_meet(const ori_windows *w, ori_stay *stay, orr_interval *run)
{
    if (stay->next == 0) {
        stay->next = w->at.past;
        ORI_BISECT(stay->next, w->count, middle, w->latest[middle] < stay->start)
    }
    const orr_interval last = *run;
    orr_interval here;
    for (int32_t i; (i = stay->next) < w->count; stay->next++) {
        const orr_window *one = &w->list[i];
        if (one->from >= stay->end && one->from > stay->start)
            return false;
        if ((stay->reserved && !orr_window_is_reserved(one)) || has_drained(w, i) ||
            !orr_window_meets(one, stay->start, stay->end) ||
            !cut_to_group(one, stay->first, stay->procs, &here) ||
            (here.low >= last.low && here.high <= last.high) ||
            ori_window_admits(one, stay->jobs, stay->job))
            continue;
        stay->next++;
        *run = here;
        return true;
    }
    return false;
}
