/* The waiting jobs in arrays: see the header. */
#include "rigid/agenda_internal.h"

#include "base/sort_internal.h"

#include <string.h>

int32_t ori_bystanders_find(const ori_bystanders *w, int32_t rank)
{
    int32_t place = 0;
    ORI_BISECT(place, w->count, i, w->rank[i] < rank)
    return place;
}

/* Moves the jobs from a place on by one place, up or down. */
static void shift(ori_bystanders *w, int32_t from, int32_t by)
{
    size_t behind = (size_t)(w->count - from);
    memmove(w->rank + from + by, w->rank + from, behind * sizeof *w->rank);
    memmove(w->procs + from + by, w->procs + from, behind * sizeof *w->procs);
    memmove(w->estimate + from + by, w->estimate + from, behind * sizeof *w->estimate);
    w->count += by;
    w->sorted_out = false;
}

void ori_bystanders_add(ori_bystanders *w, int32_t rank, int32_t procs, double estimate)
{
    int32_t place = ori_bystanders_find(w, rank);
    shift(w, place, 1);
    w->rank[place] = rank;
    w->procs[place] = procs;
    w->estimate[place] = estimate;
}

void ori_bystanders_remove(ori_bystanders *w, int32_t rank)
{
    shift(w, ori_bystanders_find(w, rank) + 1, -1);
}
