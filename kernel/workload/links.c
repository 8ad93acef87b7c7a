/* Links: turns the names of the jobs that a job comes after into positions. */
#include "workload/links_internal.h"

#include "base/hash_internal.h"
#include "base/text_internal.h"
#include "base/try_internal.h"
#include "columns_internal.h"
#include "workload/jobs_internal.h"
#include "workload/select.h"

#include <stdio.h>
#include <string.h>

/* --- names --------------------------------------------------------------------------------------
 */

typedef struct name {
    const char *text;
    size_t size;
    double think;
    bool well; /* its job must end well */
} name;

/* The next of the names "7+30 8"; returns the rest of the text; NULL: no name. */
static const char *next_name(const char *after, name *n)
{
    after += strspn(after, " ");
    if (*after == '\0')
        return NULL;
    size_t size = strcspn(after, " ");
    const char *plus = memchr(after, '+', size);
    *n = (name){after, plus ? (size_t)(plus - after) : size, NAN, false};
    n->well = plus && size - n->size == 3 && memcmp(plus, ORI_AFTER_OK, 3) == 0;
    if (plus && !ori_parse_number(plus + 1, size - n->size - 1, &n->think))
        n->think = NAN;
    return after + size;
}

static const char *id_of(const void *jobs, int32_t number)
{
    return orr_jobs_id(jobs, number - 1);
}

/* Positions by name. */
typedef struct table {
    const orr_jobs *jobs;
    ori_slot *slots;
    uint32_t size;
} table;

static ori_slot *slot_of(const table *t, uint32_t hash, const char *text, size_t size)
{
    return ori_find_slot(t->slots, t->size, hash, text, size, id_of, t->jobs);
}

static void fill_table(const table *t, int32_t count)
{
    for (int32_t j = 0; j < count; j++) {
        const char *id = orr_jobs_id(t->jobs, j);
        size_t size = strlen(id);
        uint32_t hash = ori_hash(id, size);
        ori_slot *slot = slot_of(t, hash, id, size);
        if (slot->number == 0)
            *slot = (ori_slot){hash, j + 1};
    }
}

/* Its id names this job, for those behind it. */
static void pass_job(const table *t, int32_t job)
{
    const char *id = orr_jobs_id(t->jobs, job);
    size_t size = strlen(id);
    slot_of(t, ori_hash(id, size), id, size)->number = job + 1;
}

/* --- links --------------------------------------------------------------------------------------
 */

static int64_t count_names(const orr_jobs *jobs, int32_t count)
{
    int64_t names = 0;
    name n;
    for (int32_t j = 0; j < count; j++)
        for (const char *p = orr_jobs_after(jobs, j); p && (p = next_name(p, &n)) != NULL;)
            names++;
    return names;
}

/* An id that is used again names the latest job before the one that comes after it; where there is
 * none, the first one behind. */
static void find_before(orr_instance *in, ori_links *links, const table *t, int32_t count)
{
    int32_t n = 0;
    name one;
    in->linked = in->strangers = in->never = 0;
    for (int32_t j = 0; j < in->count; j++) {
        links->first_before[j] = n;
        const char *p = j < count ? orr_jobs_after(in->jobs, j) : NULL;
        bool any = links->any[j] = p && p[0] == *ORI_AFTER_ANY && p[1] == ' ', over = false;
        for (p = any ? p + 1 : p; p && (p = next_name(p, &one)) != NULL;) {
            uint32_t hash = ori_hash(one.text, one.size);
            int32_t other = slot_of(t, hash, one.text, one.size)->number - 1;
            if (other < 0 || other == j) {
                in->strangers++;
                over |= any;
                continue;
            }
            links->unmet[n] = one.well && orr_job_is_killed(in, other);
            links->before[n] = other;
            links->think[n++] = one.think;
        }
        n = over ? links->first_before[j] : n; /* one that counts as over is enough */
        in->linked += n > links->first_before[j];
        if (j < count)
            pass_job(t, j);
    }
    links->first_before[in->count] = n;
}

static void find_behind(const orr_instance *in, ori_links *links)
{
    int32_t all = links->first_before[in->count];
    for (int32_t i = 0; i < all; i++)
        links->first_behind[links->before[i] + 1]++;
    for (int32_t j = 0; j < in->count; j++)
        links->first_behind[j + 1] += links->first_behind[j];
    for (int32_t j = in->count; j-- > 0;) /* fills each list from its end, which moves */
        for (int32_t i = links->first_before[j]; i < links->first_before[j + 1]; i++)
            links->behind[--links->first_behind[links->before[i] + 1]] = j;
    memmove(links->first_behind, links->first_behind + 1,
            (size_t)in->count * sizeof *links->first_behind);
    links->first_behind[in->count] = all;
}

/* Whether a job comes after one that it waits for without end: for ever in Slurm. */
static bool is_stuck(const ori_links *links, int32_t job)
{
    int32_t first = links->first_before[job], all = links->first_before[job + 1] - first, lost = 0;
    for (int32_t i = first; i < first + all; i++)
        lost += links->unmet[i] || links->never[links->before[i]];
    return lost > 0 && (!links->any[job] || lost == all);
}

/* Finds the jobs that never start, in the order in which jobs come after each other. */
static void find_never(orr_instance *in, ori_links *links, const int32_t *order)
{
    for (int32_t i = 0; i < in->count; i++) {
        links->never[order[i]] = is_stuck(links, order[i]);
        in->never += links->never[order[i]];
    }
}

/* Leaves the names that a job with question marks can still come after. */
static orr_status cut_after(const orr_instance *in, orr_jobs *jobs, int32_t job, int32_t from,
                            orr_error *err)
{
    const ori_links *links = in->links;
    const char *after = orr_jobs_after(in->jobs, from) + 1, *rest;
    char *text;
    name n;
    ORI_SCRATCH(&in->alloc, ORI_ZEROED, err, ORI_PART(text, strlen(after) + 2));
    size_t size = (size_t)sprintf(text, ORI_AFTER_ANY);
    for (int32_t i = links->first_before[from]; i < links->first_before[from + 1]; i++) {
        rest = next_name(after, &n);
        if (!links->unmet[i] && !links->never[links->before[i]])
            size += (size_t)sprintf(text + size, " %.*s", (int)(rest - n.text), n.text);
        after = rest;
    }
    return ori_jobs_set_after(jobs, job, text, err);
}

orr_jobs *orr_instance_starting(const orr_instance *in, const orr_allocator *a, orr_error *err)
{
    int32_t *kept, count = 0;
    const ori_links *links = in->links;
    ORI_SCRATCH_OR(NULL, &in->alloc, ORI_RAW, err, ORI_PART(kept, in->count));
    for (int32_t j = 0; j < in->count; j++)
        if (!links || !links->never[j])
            kept[count++] = j;
    orr_jobs *jobs = orr_jobs_pick(in->jobs, kept, count, a, err);
    for (int32_t j = 0; jobs && links && j < count; j++) {
        if (!links->any[kept[j]] || !ori_is_linked(links, kept[j]) ||
            cut_after(in, jobs, j, kept[j], err) == ORR_OK)
            continue;
        orr_jobs_destroy(jobs);
        return NULL;
    }
    return jobs;
}

/* A job of a circle, found from a job in it or behind it: left[j] > 0. */
static int32_t find_in_circle(const ori_links *links, const int32_t *left, int32_t job,
                              int32_t steps)
{
    while (steps-- > 0) {
        int32_t i = links->first_before[job];
        while (left[links->before[i]] == 0)
            i++;
        job = links->before[i];
    }
    return job;
}

/* Also finds the jobs that never start. */
static orr_status check_circles(orr_instance *in, ori_links *links, orr_error *err)
{
    int32_t *left, *ready, from = 0, to = 0;
    ORI_SCRATCH(&in->alloc, ORI_RAW, err, ORI_PART(left, in->count), ORI_PART(ready, in->count));
    for (int32_t j = 0; j < in->count; j++) {
        left[j] = links->first_before[j + 1] - links->first_before[j];
        if (left[j] == 0)
            ready[to++] = j;
    }
    for (; from < to; from++)
        for (int32_t i = links->first_behind[ready[from]]; i < links->first_behind[ready[from] + 1];
             i++)
            if (--left[links->behind[i]] == 0)
                ready[to++] = links->behind[i];
    for (int32_t j = 0; to < in->count && j < in->count; j++)
        if (left[j] > 0)
            return orr_fail(err, ORR_ERR_INPUT,
                            "jobs come after each other in a circle: job %s after itself",
                            orr_jobs_id(in->jobs, find_in_circle(links, left, j, in->count)));
    find_never(in, links, ready);
    return ORR_OK;
}

static orr_status fill_links(orr_instance *in, ori_links *links, int32_t count, orr_error *err)
{
    int64_t names = count_names(in->jobs, count);
    table t = {.jobs = in->jobs, .size = 64};
    ORI_REFUSE(names > INT32_MAX, err, "more than %d dependencies", INT32_MAX);
    while (t.size < 2 * (uint32_t)count)
        t.size *= 2;
    const ori_part parts[] = {ORI_PART(links->think, names),
                              ORI_PART(links->before, names),
                              ORI_PART(links->behind, names),
                              ORI_PART(links->unmet, names),
                              ORI_PART(links->never, in->count + 1),
                              ORI_PART(links->any, in->count + 1),
                              ORI_PART(links->first_before, in->count + 1),
                              ORI_PART(links->first_behind, in->count + 1)};
    ORI_SCRATCH(&in->alloc, ORI_ZEROED, err, ORI_PART(t.slots, t.size));
    ORI_TRY(ORI_BLOCK_CREATE(&links->block, parts, ORI_ZEROED, &in->alloc, err));
    fill_table(&t, count);
    find_before(in, links, &t, count);
    find_behind(in, links);
    return check_circles(in, links, err);
}

orr_status ori_links_create(orr_instance *in, int32_t count, orr_error *err)
{
    ori_links *links = ori_new(&in->alloc, sizeof *links, err);
    if (!links)
        return ORR_ERR_MEMORY;
    in->links = links;
    return fill_links(in, links, count, err);
}

void ori_links_destroy(orr_instance *in)
{
    if (!in->links)
        return;
    ori_block_destroy(&in->links->block, &in->alloc);
    orr_release(&in->alloc, in->links, sizeof *in->links);
    in->links = NULL;
}
