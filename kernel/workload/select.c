/* Workloads made from others: selections by days, by intervals, by any choice; appended workloads;
 * workloads with another load. */
#include "workload/select.h"
#include "workload/jobs_internal.h"
#include "workload/select_internal.h"
#include "workload/utc_internal.h"
#include "workload/zone_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MICROSECONDS 1000000

enum { DAY = 86400 }; /* s */

/* --- time of a job -----------------------------------------------------------------------------*/

/* For times that are a number of microseconds divided by 1e6 (rebased logs) the result is exactly
 * that number. */
int64_t ori_jobs_submit_us(const orr_jobs *jobs, int32_t job)
{
    int64_t origin = jobs->has_origin ? jobs->origin_us : 0;
    double seconds = jobs->submit[job];
    if (seconds > 9e12)
        return origin + INT64_C(9000000000000) * MICROSECONDS;
    if (seconds < 9e9 && seconds == (double)(int64_t)seconds)
        return origin + (int64_t)seconds * MICROSECONDS;
    int64_t us = llround(seconds * MICROSECONDS);
    while ((double)us / MICROSECONDS > seconds)
        us--;
    while ((double)(us + 1) / MICROSECONDS <= seconds)
        us++;
    return origin + us;
}

int64_t orr_jobs_day(const orr_jobs *jobs, int32_t job)
{
    return ORI_IS_IN(job, jobs->count)
               ? ori_utc_day(ori_zone_local(jobs->zone, ori_jobs_submit_us(jobs, job)))
               : -1;
}

/* --- copies ------------------------------------------------------------------------------------*/

/* Copies texts with their numbers, so that they need not be looked up job by job. */
static orr_status copy_names(orr_jobs *to, const orr_jobs *from, orr_error *err)
{
    for (int32_t i = 1; i <= from->names.count; i++) {
        const char *text = orr_labels_text(&from->names, i);
        int32_t number;
        ORI_TRY(orr_labels_number(&to->names, text, strlen(text), &number, err));
    }
    return ORR_OK;
}

static orr_status copy_labels(orr_jobs *to, const orr_jobs *from, int32_t job, orr_error *err)
{
    orr_job_labels labels = orr_jobs_labels(from, job);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        const char *text = orr_labels_text(&from->names, labels.of[kind]);
        if (text)
            ORI_TRY(orr_labels_number(&to->names, text, strlen(text), &labels.of[kind], err));
    }
    return ori_jobs_set_labels(to, to->count - 1, &labels, err);
}

/* Adds a copy of a job under an id (NULL: its new position). */
static orr_status copy_job(orr_jobs *to, const orr_jobs *from, int32_t job, const char *id,
                           orr_error *err)
{
    ORI_TRY(orr_jobs_add(to, id, from->submit[job], from->procs[job], from->time[job],
                         from->walltime[job], err));
    ORI_TRY(copy_labels(to, from, job, err));
    ORI_TRY(ori_jobs_set_after(to, to->count - 1, orr_jobs_after(from, job), err));
    ORI_TRY(orr_jobs_set_counted(to, to->count - 1, orr_jobs_is_counted(from, job), err));
    if (job < from->paying)
        ORI_TRY(orr_jobs_set_pays(to, to->count - 1, orr_jobs_pays(from, job), err));
    ORI_TRY(ori_jobs_copy_needs(to, to->count - 1, from, job, err));
    return orr_jobs_set_wait(to, to->count - 1, orr_jobs_wait(from, job), err);
}

/* An empty workload with the machine and the clock of another one; NULL on failure (memory). */
static orr_jobs *create_like(const orr_jobs *from, const orr_allocator *a, orr_error *err)
{
    orr_jobs *jobs = orr_jobs_create(a, err);
    if (!jobs)
        return NULL;
    jobs->machine_procs = from->machine_procs;
    jobs->has_origin = from->has_origin;
    jobs->rebased = from->rebased;
    jobs->local = from->local;
    jobs->origin_us = from->origin_us;
    memcpy(jobs->counting, from->counting, sizeof jobs->counting);
    if (orr_jobs_set_zone(jobs, from->zone, err) == ORR_OK)
        return jobs;
    orr_jobs_destroy(jobs);
    return NULL;
}

/* A job without an id of its own gets its new position. */
static orr_status copy_some(orr_jobs *to, const orr_jobs *from, int32_t first, int32_t count,
                            orr_error *err)
{
    for (int32_t job = first; job < first + count; job++) {
        const char *id = ori_jobs_has_no_id(from, job) ? NULL : orr_jobs_id(from, job);
        ORI_TRY(copy_job(to, from, job, id, err));
    }
    return ORR_OK;
}

orr_status orr_jobs_extend(orr_jobs *jobs, const orr_jobs *more, int32_t first, int32_t count,
                           orr_error *err)
{
    int32_t before = jobs->count;
    ORI_REFUSE(first < 0 || count < 0 || first > more->count - count, err,
               "there are no %d jobs from position %d on among %d", (int)count, (int)first,
               (int)more->count);
    orr_status status = copy_some(jobs, more, first, count, err);
    if (status != ORR_OK)
        jobs->count = before;
    return status;
}

orr_jobs *orr_jobs_append(const orr_jobs *jobs, const orr_jobs *more, const orr_allocator *a,
                          orr_error *err)
{
    orr_jobs *all = create_like(jobs, a, err);
    if (!all)
        return NULL;
    all->warmup = jobs->warmup;
    if (copy_names(all, jobs, err) == ORR_OK && ori_jobs_copy(all, jobs, err) == ORR_OK &&
        (!more || copy_some(all, more, 0, more->count, err) == ORR_OK))
        return all;
    orr_jobs_destroy(all);
    return NULL;
}

static orr_status copy_observations(orr_jobs *to, const orr_jobs *from, orr_error *err)
{
    memcpy(to->remarks, from->remarks, sizeof to->remarks);
    to->repeated = from->repeated;
    memcpy(to->repeated_id, from->repeated_id, sizeof to->repeated_id);
    to->odd_afters = from->odd_afters;
    memcpy(to->odd_after, from->odd_after, sizeof to->odd_after);
    to->asked_count = from->asked_count;
    memcpy(to->ignored, from->ignored, sizeof to->ignored);
    to->ignored_count = from->ignored_count;
    to->plain = from->plain;
    return ORI_COPY(&to->alloc, &to->asked, &to->asked_capacity, from->asked, from->asked_count,
                    err);
}

orr_jobs *orr_jobs_in_zone(const orr_jobs *jobs, const orr_zone *zone, const orr_allocator *a,
                           orr_error *err)
{
    orr_jobs *moved = orr_jobs_append(jobs, NULL, a, err);
    if (!moved)
        return NULL;
    if (copy_observations(moved, jobs, err) == ORR_OK &&
        orr_jobs_set_zone(moved, zone, err) == ORR_OK)
        return moved;
    orr_jobs_destroy(moved);
    return NULL;
}

/* --- selections --------------------------------------------------------------------------------*/

/* Moves second 0 to the first queued of the jobs that were copied. */
static void rebase(orr_jobs *to, const orr_jobs *from, const int32_t *positions)
{
    if (to->count == 0)
        return;
    int64_t first = INT64_MAX;
    for (int32_t i = 0; i < to->count; i++) {
        int64_t us = ori_jobs_submit_us(from, positions[i]);
        first = us < first ? us : first;
    }
    for (int32_t i = 0; i < to->count; i++)
        to->submit[i] = (double)(ori_jobs_submit_us(from, positions[i]) - first) / MICROSECONDS;
    to->origin_us = first;
}

static orr_status check_positions(const orr_jobs *jobs, const int32_t *positions, int32_t n,
                                  orr_error *err)
{
    ORI_REFUSE(n < 0, err, "a number of positions is at least 0, not %d", (int)n);
    for (int32_t i = 0; i < n; i++)
        ORI_REFUSE(!ORI_IS_IN(positions[i], jobs->count), err,
                   "there is no job at position %d, there are %d", (int)positions[i],
                   (int)jobs->count);
    return ORR_OK;
}

orr_jobs *orr_jobs_pick(const orr_jobs *jobs, const int32_t *positions, int32_t n,
                        const orr_allocator *a, orr_error *err)
{
    if (check_positions(jobs, positions, n, err) != ORR_OK)
        return NULL;
    orr_jobs *picked = create_like(jobs, a, err);
    if (!picked)
        return NULL;
    if (copy_observations(picked, jobs, err) != ORR_OK) {
        orr_jobs_destroy(picked);
        return NULL;
    }
    for (int32_t i = 0; i < n; i++) {
        const char *id = orr_jobs_id(jobs, positions[i]);
        if (copy_job(picked, jobs, positions[i], id, err) != ORR_OK) {
            orr_jobs_destroy(picked);
            return NULL;
        }
    }
    while (picked->warmup < n && positions[picked->warmup] < jobs->warmup)
        picked->warmup++;
    if (jobs->rebased)
        rebase(picked, jobs, positions);
    return picked;
}

orr_jobs *ori_jobs_filter(const orr_jobs *jobs,
                          bool (*keep)(void *user, const orr_jobs *jobs, int32_t job), void *user,
                          const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    size_t bytes = (size_t)jobs->count * sizeof(int32_t);
    int32_t *positions = ori_new(&alloc, bytes, err);
    if (!positions)
        return NULL;
    int32_t n = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        if (!keep || keep(user, jobs, job))
            positions[n++] = job;
    orr_jobs *picked = orr_jobs_pick(jobs, positions, n, &alloc, err);
    orr_release(&alloc, positions, bytes);
    return picked;
}

/* From `from` (included) to `to` (excluded). */
typedef struct range {
    double from, to;
    bool days; /* of days, counted from 1970-01-01; else of submission times, s */
} range;

static bool in_range(void *user, const orr_jobs *jobs, int32_t job)
{
    const range *r = user;
    double at = r->days ? (double)orr_jobs_day(jobs, job) : jobs->submit[job];
    return at >= r->from && at < r->to;
}

orr_jobs *orr_jobs_between(const orr_jobs *jobs, double from, double to, const orr_allocator *a,
                           orr_error *err)
{
    if (isnan(from) || isnan(to)) {
        orr_fail(err, ORR_ERR_ARGUMENT, "jobs between %g s and %g s: a time is not a number", from,
                 to);
        return NULL;
    }
    range r = {from, to, false};
    return ori_jobs_filter(jobs, in_range, &r, a, err);
}

orr_jobs *orr_jobs_days(const orr_jobs *jobs, int64_t first, int64_t after, const orr_allocator *a,
                        orr_error *err)
{
    range r = {(double)first, (double)after, true};
    return ori_jobs_filter(jobs, in_range, &r, a, err);
}

/* --- slices ------------------------------------------------------------------------------------*/

static void find_ends(const orr_jobs *jobs, double *first, double *last)
{
    *first = *last = jobs->count > 0 ? jobs->submit[0] : 0;
    for (int32_t job = 1; job < jobs->count; job++) {
        *first = jobs->submit[job] < *first ? jobs->submit[job] : *first;
        *last = jobs->submit[job] > *last ? jobs->submit[job] : *last;
    }
}

int32_t orr_jobs_slices(const orr_jobs *jobs, int32_t days)
{
    double first, last;
    find_ends(jobs, &first, &last);
    double count = floor((floor((last - first) / DAY) + 1) / days);
    return jobs->count == 0 || days < 1 ? 0 : count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

typedef struct submitted {
    double at; /* first: the key */
    int32_t job;
} submitted;

static orr_status check_warmup(int32_t jobs, int32_t warmup, int32_t number, orr_error *err)
{
    ORI_REFUSE(jobs > 0 && jobs <= warmup, err,
               "slice %d has %d job%s, and the first %d are for the warm-up", (int)number + 1,
               (int)jobs, jobs == 1 ? "" : "s", (int)warmup);
    return ORR_OK;
}

/* The positions of a slice's jobs, by submission. */
static orr_status find_slice(const orr_jobs *jobs, double length, int32_t number,
                             int32_t *positions, int32_t *count, const orr_allocator *a,
                             orr_error *err)
{
    submitted *list;
    double first, last;
    ORI_SCRATCH(a, ORI_RAW, err, ORI_PART(list, jobs->count));
    find_ends(jobs, &first, &last);
    *count = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        if (floor((jobs->submit[job] - first) / length) == number)
            list[(*count)++] = (submitted){jobs->submit[job], job};
    ORI_TRY(ORI_SORT(list, *count, ori_is_less, a, err));
    for (int32_t i = 0; i < *count; i++)
        positions[i] = list[i].job;
    return ORR_OK;
}

orr_jobs *orr_jobs_slice(const orr_jobs *jobs, int32_t days, int32_t warmup, int32_t number,
                         const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    int32_t *positions, count;
    ORI_SCRATCH_OR(NULL, &alloc, ORI_RAW, err, ORI_PART(positions, jobs->count));
    if (find_slice(jobs, (double)DAY * days, number, positions, &count, &alloc, err) != ORR_OK ||
        check_warmup(count, warmup, number, err) != ORR_OK)
        return NULL;
    orr_jobs *slice = orr_jobs_pick(jobs, positions, count, a, err);
    if (slice && count > 0)
        slice->warmup = warmup;
    return slice;
}

/* --- another load ------------------------------------------------------------------------------*/

orr_jobs *orr_jobs_load(const orr_jobs *jobs, double factor, const orr_allocator *a, orr_error *err)
{
    if (!(factor > 0 && isfinite(factor))) {
        orr_fail(err, ORR_ERR_ARGUMENT, "a factor of the load must be a number above 0, not %g",
                 factor);
        return NULL;
    }
    orr_jobs *loaded = ori_jobs_filter(jobs, NULL, NULL, a, err);
    if (!loaded)
        return NULL;
    loaded->waited = 0; /* the waits do not hold under another load */
    double first, last = 0;
    find_ends(loaded, &first, &last);
    for (int32_t job = 0; job < loaded->count; job++) {
        loaded->submit[job] = first + (loaded->submit[job] - first) / factor; /* the first stays */
        last = loaded->submit[job] > last ? loaded->submit[job] : last;
    }
    if (!isfinite(last)) {
        orr_fail(err, ORR_ERR_ARGUMENT, "a load factor of %g leaves times that are not finite",
                 factor);
        orr_jobs_destroy(loaded);
        return NULL;
    }
    return loaded;
}

static bool is_earlier(const void *x, const void *y)
{
    return ((const orr_job_day *)x)->day < ((const orr_job_day *)y)->day;
}

orr_job_day *orr_jobs_by_day(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    size_t bytes = (size_t)jobs->count * sizeof(orr_job_day);
    orr_job_day *list = ori_new(&alloc, bytes, err);
    for (int32_t job = 0; list && job < jobs->count; job++)
        list[job] = (orr_job_day){orr_jobs_day(jobs, job), job};
    if (list && ORI_SORT(list, jobs->count, is_earlier, &alloc, err) == ORR_OK)
        return list;
    orr_release(&alloc, list, bytes);
    return NULL;
}
