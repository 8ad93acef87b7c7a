/* Workloads: jobs in columns that grow, their ids, labels and waits, and dropped records. */
#include "workload/jobs_internal.h"
#include "workload/zone_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/hash_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

orr_jobs *orr_jobs_create(const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_jobs *jobs = ori_new(&alloc, sizeof *jobs, err);
    if (jobs)
        jobs->alloc = jobs->names.alloc = alloc;
    return jobs;
}

static void free_labels(orr_label_column *column, const orr_allocator *a)
{
    ori_array_free(a, &column->numbers, &column->capacity, (size_t)column->width);
}

void orr_jobs_destroy(orr_jobs *jobs)
{
    if (!jobs)
        return;
    orr_allocator alloc = jobs->alloc;
    orr_release(&alloc, jobs->submit, jobs->block_size);
    ORI_FREE(&alloc, &jobs->dropped, &jobs->dropped_capacity);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        free_labels(&jobs->labels[kind], &alloc);
    ORI_FREE(&alloc, &jobs->waits, &jobs->waits_capacity);
    ORI_FREE(&alloc, &jobs->afters, &jobs->afters_capacity);
    ORI_FREE(&alloc, &jobs->pays, &jobs->pays_capacity);
    for (int32_t i = 0; i < jobs->need_count; i++)
        ORI_FREE(&alloc, &jobs->needs[i].amount, &jobs->needs[i].capacity);
    ORI_FREE(&alloc, &jobs->uncounted, &jobs->uncounted_capacity);
    ORI_FREE(&alloc, &jobs->uses, &jobs->uses_capacity);
    ORI_FREE(&alloc, &jobs->kinds, &jobs->kinds_capacity);
    ORI_FREE(&alloc, &jobs->asked, &jobs->asked_capacity);
    ORI_FREE(&alloc, &jobs->text, &jobs->text_capacity);
    orr_labels_destroy(&jobs->names);
    orr_zone_destroy(jobs->zone);
    orr_release(&alloc, jobs, sizeof *jobs);
}

orr_status orr_jobs_set_zone(orr_jobs *jobs, const orr_zone *zone, orr_error *err)
{
    orr_zone *own;
    ORI_TRY(ori_zone_copy(&own, zone, &jobs->alloc, err));
    orr_zone_destroy(jobs->zone);
    jobs->zone = own;
    return ORR_OK;
}

/* The arrays lie in one block, so that growing succeeds for all of them or changes nothing. */
static orr_status resize_jobs(orr_jobs *jobs, int32_t capacity, orr_error *err)
{
    int32_t before = jobs->capacity;
    ori_block block = {.memory = jobs->submit, .size = jobs->block_size};
    const ori_part parts[] = {ORI_PART(jobs->submit, 1), ORI_PART(jobs->time, 1),
                              ORI_PART(jobs->walltime, 1), ORI_PART(jobs->procs, 1),
                              ORI_PART(jobs->id, 1)};
    ORI_TRY(ORI_BLOCK_GROW(&block, parts, (size_t)jobs->count, (size_t)before, (size_t)capacity,
                           &jobs->alloc, err));
    jobs->block_size = block.size;
    jobs->capacity = capacity;
    return ORR_OK;
}

static orr_status grow_jobs(orr_jobs *jobs, orr_error *err)
{
    ORI_REFUSE(jobs->count == INT32_MAX, err, "more than %d jobs", INT32_MAX);
    int32_t before = jobs->capacity;
    return resize_jobs(jobs,
                       before == 0              ? FIRST_CAPACITY
                       : before > INT32_MAX / 2 ? INT32_MAX
                                                : 2 * before,
                       err);
}

/* Appends an id to the pool; the caller reads the offset from *offset. */
static orr_status add_text(orr_jobs *jobs, const char *text, uint32_t *offset, orr_error *err)
{
    size_t length = strlen(text) + 1;
    ORI_REFUSE(length > UINT32_MAX - jobs->text_size, err, "more than 4 GiB of job ids");
    size_t need = jobs->text_size + length;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->text, &jobs->text_capacity, (int64_t)need, err));
    memcpy(jobs->text + jobs->text_size, text, length);
    *offset = (uint32_t)jobs->text_size;
    jobs->text_size = need;
    return ORR_OK;
}

/* Stands in front of an id that is only the job's position; other texts begin behind a zero. */
enum { BY_POSITION = '\1' };

/* The negated comparison catches NaN too. */
ORR_INLINE orr_status check_time(const char *what, double value, orr_error *err)
{
    if (ORR_LIKELY(value >= 0 && value < ORR_CLOCK_END))
        return ORR_OK;
    if (value >= 0 && value <= DBL_MAX)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "a %s of %g s is too large: from %.0f s on a clock cannot tell one second "
                        "from the next",
                        what, value, ORR_CLOCK_END);
    return orr_fail(err, ORR_ERR_ARGUMENT, "a %s must be a number of seconds >= 0, not %g", what,
                    value);
}

static orr_status check_job(double submit, int32_t procs, double time, double walltime,
                            orr_error *err)
{
    ORI_REFUSE(procs < 1, err, "a job needs at least 1 processor, not %d", (int)procs);
    ORI_TRY(check_time("submission time", submit, err));
    ORI_TRY(check_time("runtime", time, err));
    return isnan(walltime) ? ORR_OK : check_time("walltime", walltime, err);
}

orr_status orr_jobs_add(orr_jobs *jobs, const char *id, double submit, int32_t procs, double time,
                        double walltime, orr_error *err)
{
    ORI_TRY(check_job(submit, procs, time, walltime, err));
    if (jobs->count == jobs->capacity)
        ORI_TRY(grow_jobs(jobs, err));
    int32_t job = jobs->count;
    char position[24];
    bool named = id && *id != '\0';
    if (!named) {
        snprintf(position, sizeof position, "%c%lld", BY_POSITION, (long long)job + 1);
        id = position;
    }
    ORI_TRY(add_text(jobs, id, &jobs->id[job], err));
    jobs->id[job] += !named;
    jobs->submit[job] = submit + 0.0; /* -0 would be printed with its sign */
    jobs->time[job] = time + 0.0;
    jobs->walltime[job] = walltime + 0.0;
    jobs->procs[job] = procs;
    jobs->count = job + 1;
    return ORR_OK;
}

static orr_status check_position(const orr_jobs *jobs, int32_t job, orr_error *err)
{
    ORI_REFUSE(!ORI_IS_IN(job, jobs->count), err, "there is no job at position %d, there are %d",
               (int)job, (int)jobs->count);
    return ORR_OK;
}

orr_status orr_jobs_set_time(orr_jobs *jobs, int32_t job, double time, orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
    ORI_TRY(check_job(0, 1, time, NAN, err));
    jobs->time[job] = time + 0.0;
    return ORR_OK;
}

/* --- labels ---------------------------------------------------------------------------------- */

static int32_t width_of(int32_t number)
{
    return number <= UINT8_MAX ? 1 : number <= UINT16_MAX ? 2 : 4;
}

static void put_label(orr_label_column *column, int32_t job, int32_t number)
{
    if (column->width == 1)
        ((uint8_t *)column->numbers)[job] = (uint8_t)number;
    else if (column->width == 2)
        ((uint16_t *)column->numbers)[job] = (uint16_t)number;
    else
        ((int32_t *)column->numbers)[job] = number;
}

/* Room for the labels of all jobs, up to the largest number. Labels, waits and so on have the
 * capacity of the jobs: they grow together. */
static orr_status reserve_labels(const orr_jobs *jobs, orr_label_column *column, int32_t largest,
                                 orr_error *err)
{
    orr_label_column wider = {.count = column->count, .width = width_of(largest)};
    if (wider.width <= column->width)
        return ori_array_reserve(&jobs->alloc, &column->numbers, &column->capacity, jobs->capacity,
                                 (size_t)column->width, err);
    size_t bytes = (size_t)jobs->capacity * (size_t)wider.width;
    wider.capacity = jobs->capacity;
    wider.numbers = orr_alloc(&jobs->alloc, bytes);
    if (!wider.numbers)
        return orr_fail_memory(err, bytes);
    for (int32_t job = 0; job < column->count; job++)
        put_label(&wider, job, ori_label_at(column, job));
    free_labels(column, &jobs->alloc);
    *column = wider;
    return ORR_OK;
}

int32_t orr_jobs_label(const orr_jobs *jobs, int32_t job, orr_label kind)
{
    return ori_jobs_label(jobs, job, kind);
}

static orr_status set_label(orr_jobs *jobs, int32_t job, int kind, int32_t number, orr_error *err)
{
    orr_label_column *column = &jobs->labels[kind];
    if (job >= column->count && number == 0)
        return ORR_OK;
    if (ORR_UNLIKELY(job >= column->capacity || width_of(number) > column->width))
        ORI_TRY(reserve_labels(jobs, column, number, err));
    while (column->count <= job)
        put_label(column, column->count++, 0);
    put_label(column, job, number);
    return ORR_OK;
}

orr_status ori_jobs_set_labels(orr_jobs *jobs, int32_t job, const orr_job_labels *labels,
                               orr_error *err)
{
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        orr_label_column *column = &jobs->labels[kind];
        int32_t number = labels->of[kind];
        if (number == 0 && job >= column->count) /* most logs have few kinds */
            continue;
        if (job != column->count || job >= column->capacity || width_of(number) > column->width)
            ORI_TRY(set_label(jobs, job, kind, number, err));
        else
            put_label(column, column->count++, number);
    }
    return ORR_OK;
}

orr_status orr_jobs_set_label(orr_jobs *jobs, int32_t job, orr_label kind, int32_t number,
                              orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
    ORI_REFUSE(!ORI_IS_IN(kind, ORR_LABEL_KINDS), err, "there is no label of kind %d", (int)kind);
    ORI_REFUSE(number < 0 || number > jobs->names.count, err, "there is no text with the number %d",
               (int)number);
    return set_label(jobs, job, (int)kind, number, err);
}

/* --- what else a log says of a job ----------------------------------------------------------- */

orr_status orr_jobs_set_wait(orr_jobs *jobs, int32_t job, double wait, orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
    ORI_REFUSE(wait < 0 || isinf(wait), err, "a wait must be a number of seconds >= 0, not %g",
               wait);
    if (isnan(wait) && job >= jobs->waited)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->waits, &jobs->waits_capacity, jobs->capacity, err));
    while (jobs->waited <= job)
        jobs->waits[jobs->waited++] = NAN;
    jobs->waits[job] = wait;
    return ORR_OK;
}

orr_status orr_jobs_set_counted(orr_jobs *jobs, int32_t job, bool counted, orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
    if (counted && job >= jobs->masked)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->uncounted, &jobs->uncounted_capacity, jobs->capacity,
                        err));
    while (jobs->masked <= job)
        jobs->uncounted[jobs->masked++] = 0;
    jobs->uncounted[job] = !counted;
    return ORR_OK;
}

orr_status orr_jobs_set_pays(orr_jobs *jobs, int32_t job, orr_job_pays pays, orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
#define CHECK(name)                                                                                \
    ORI_REFUSE(pays.name < 0 || isinf(pays.name), err,                                             \
               "a " #name " must take a number of seconds >= 0, not %g", pays.name);
    ORR_PAYS(CHECK)
    if (!orr_pays_known(&pays) && job >= jobs->paying)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->pays, &jobs->pays_capacity, jobs->capacity, err));
    while (jobs->paying <= job)
        jobs->pays[jobs->paying++] = orr_pays_unknown;
    jobs->pays[job] = pays;
    return ORR_OK;
}

orr_status ori_jobs_set_after(orr_jobs *jobs, int32_t job, const char *after, orr_error *err)
{
    uint32_t offset = 0;
    if (!after)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->afters, &jobs->afters_capacity, jobs->capacity, err));
    ORI_TRY(add_text(jobs, after, &offset, err));
    while (jobs->linked <= job)
        jobs->afters[jobs->linked++] = 0;
    jobs->afters[job] = offset + 1;
    return ORR_OK;
}

const char *orr_jobs_after(const orr_jobs *jobs, int32_t job)
{
    bool linked = job >= 0 && job < jobs->linked && jobs->afters[job] > 0;
    return linked ? jobs->text + jobs->afters[job] - 1 : NULL;
}

const char *orr_label_name(orr_label kind)
{
#define NAME(kind, name) #name,
    static const char *const names[] = {ORR_LABELS(NAME)};
    return ORI_IS_IN(kind, ORR_LABEL_KINDS) ? names[kind] : NULL;
}

orr_status ori_jobs_add_dropped(orr_jobs *jobs, int64_t line, const char *id,
                                orr_drop_reason reason, const char *detail, orr_error *err)
{
    ORI_REFUSE(jobs->dropped_count == INT32_MAX, err, "more than %d dropped records", INT32_MAX);
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->dropped, &jobs->dropped_capacity,
                        jobs->dropped_count + (int64_t)1, err));
    orr_drop *drop = &jobs->dropped[jobs->dropped_count];
    ORI_TRY(add_text(jobs, !id ? "" : id, &drop->id, err));
    drop->detail = 0;
    if (detail && jobs->details < ORI_MOST_DETAILS) {
        ORI_TRY(add_text(jobs, detail, &drop->detail, err)); /* never the first text: that is 0 */
        jobs->details++;
    }
    drop->line = line;
    drop->reason = reason;
    jobs->dropped_count++;
    return ORR_OK;
}

bool ori_jobs_has_no_id(const orr_jobs *jobs, int32_t job)
{
    uint32_t at = jobs->id[job];
    return at > 0 && jobs->text[at - 1] == BY_POSITION;
}

const char *orr_jobs_id(const orr_jobs *jobs, int32_t job)
{
    return ORI_IS_IN(job, jobs->count) ? jobs->text + jobs->id[job] : NULL;
}

const char *orr_jobs_dropped_id(const orr_jobs *jobs, int32_t record)
{
    return ORI_IS_IN(record, jobs->dropped_count) ? jobs->text + jobs->dropped[record].id : NULL;
}

const char *orr_jobs_dropped_detail(const orr_jobs *jobs, int32_t record)
{
    uint32_t detail = ORI_IS_IN(record, jobs->dropped_count) ? jobs->dropped[record].detail : 0;
    return detail > 0 ? jobs->text + detail : NULL;
}

const char *orr_drop_reason_text(orr_drop_reason reason)
{
    static const char *const texts[] = {
        [ORR_DROP_NO_RUNTIME] = "runtime unknown",
        [ORR_DROP_NO_PROCS] = "number of processors unknown",
        [ORR_DROP_NO_SUBMISSION] = "submission time unknown",
        [ORR_DROP_UNFINISHED] = "not over when the log was written",
        [ORR_DROP_PART] = "part of a job that has a record of its own",
        [ORR_DROP_LONE_PART] = "partial execution of a job without a record of its own",
        [ORR_DROP_STATUS] = "of another status",
        [ORR_DROP_NEVER_RAN] = "cancelled before it ran",
        [ORR_DROP_WIDE] = "wider than the machine",
        [ORR_DROP_DOUBLE] = "the same as a record before",
        [ORR_DROP_ROW] = "not among the rows asked for",
        [ORR_DROP_FIELD] = "a field that cannot be read",
        [ORR_DROP_NEGATIVE] = "a negative number",
        [ORR_DROP_FIELDS] = "another number of fields",
        [ORR_DROP_QUOTES] = "quotes that do not fit",
        [ORR_DROP_PREAMBLE] = "a line before the log begins",
        [ORR_DROP_PROFILE] = "a profile that needs a platform",
        [ORR_DROP_ZERO] = "binary data",
        [ORR_DROP_LONG] = "a line or field that is too long",
        [ORR_DROP_DAMAGE] = "compressed data that is cut off or damaged",
    };
    return (unsigned)reason <= ORR_DROP_DAMAGE ? texts[reason] : "unknown reason";
}

const char *orr_remark_text(orr_remark remark)
{
    static const char *const texts[] = {
        [ORR_REMARK_EARLY_START] =
            "start before the submission: the wait is not known; if these are local times of a "
            "clock that was set back, --timezone says whose clock",
        [ORR_REMARK_EARLY_END] = "end before the start: the elapsed time counts; if these are "
                                 "local times of a clock that was set back, --timezone says whose "
                                 "clock",
        [ORR_REMARK_ELAPSED] = "elapsed time that is not end less start: the elapsed time counts",
        [ORR_REMARK_ELIGIBLE] =
            "eligible later than submitted: a job that is held, is to begin later or comes after "
            "another counts as submitted when it may start, unless --submitted submit is given",
        [ORR_REMARK_PARTS] = "part of a heterogeneous job: the parts are one job, with the "
                             "processors of all for as long as the longest runs",
        [ORR_REMARK_NO_WALLTIME] = "walltime of 0 s: it counts as not known",
        [ORR_REMARK_HOUR] = "elapsed time an hour off end less start: these are local times, and "
                            "--timezone says whose clock",
        [ORR_REMARK_YEARS] = "runtime of more than a year: it counts in seconds, unless --columns "
                             "gives it another unit (runtime=COLUMN:ms)",
        [ORR_REMARK_MINUTES] = "runtime of 30 to 66 walltimes: if walltimes are minutes, --columns "
                               "says so (walltime=COLUMN:min)",
        [ORR_REMARK_PROCS] = "requested processors unlike the allocated ones: --procs-of requested "
                             "or allocated says which count",
        [ORR_REMARK_SINCE_1970] = "submissions look like seconds since 1970: with --origin "
                                  "1970-01-01 they have dates",
        [ORR_REMARK_NO_SUBMIT] = "the log has starts and no submissions: all jobs are submitted at "
                                 "second 0, unless --columns names a column (submit=COLUMN)",
        [ORR_REMARK_NO_TRES] =
            "the dump has no column AllocTRES (in JSON: no tres): if jobs waited "
            "for GPUs, nothing here tells it",
        [ORR_REMARK_MACHINE] =
            "the log names no machine: Mira's 49152 nodes are taken, --procs says otherwise",
    };
    return (unsigned)remark < ORR_REMARK_KINDS ? texts[remark] : NULL;
}

int32_t orr_jobs_label_count(const orr_jobs *jobs, orr_label kind)
{
    int32_t found = 0;
    size_t size = (size_t)jobs->names.count + 1;
    bool *seen = jobs->labels[kind].count > 0 ? orr_alloc(&jobs->alloc, size) : NULL;
    if (!seen)
        return jobs->labels[kind].count > 0 ? -1 : 0;
    memset(seen, 0, size);
    for (int32_t job = 0; job < jobs->count; job++) {
        int32_t label = ori_jobs_label(jobs, job, kind);
        found += label > 0 && !seen[label];
        seen[label] = true;
    }
    orr_release(&jobs->alloc, seen, size);
    return found;
}

double orr_jobs_mean_area(const orr_jobs *jobs)
{
    double sum = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        sum += jobs->procs[job] * jobs->time[job];
    return jobs->count == 0 ? 0 : sum / jobs->count;
}

/* --- what jobs need --------------------------------------------------------------------------- */

int32_t orr_jobs_find_pool(const orr_jobs *jobs, const char *name)
{
    for (int32_t i = 0; i < jobs->need_count; i++)
        if (strcmp(jobs->needs[i].name, name) == 0)
            return i;
    return -1;
}

orr_status orr_jobs_add_pool(orr_jobs *jobs, const char *name, int32_t *number, orr_error *err)
{
    size_t size = strlen(name) + 1;
    *number = orr_jobs_find_pool(jobs, name);
    if (*number >= 0)
        return ORR_OK;
    ORI_REFUSE(size == 1 || size > sizeof jobs->needs->name || jobs->need_count == ORR_MOST_NEEDS,
               err, "there are at most %d pools, with names of 1 to %zu bytes", (int)ORR_MOST_NEEDS,
               sizeof jobs->needs->name - 1);
    memcpy(jobs->needs[jobs->need_count].name, name, size);
    *number = jobs->need_count++;
    return ORR_OK;
}

orr_status orr_jobs_set_need(orr_jobs *jobs, int32_t job, int32_t pool, int64_t amount,
                             orr_error *err)
{
    ORI_TRY(check_position(jobs, job, err));
    ORI_REFUSE(!ORI_IS_IN(pool, jobs->need_count), err, "there is no pool %d", (int)pool);
    orr_need *n = &jobs->needs[pool];
    ORI_REFUSE(amount < 0 || amount > ORR_MOST_AMOUNT, err,
               "what a job needs of pool %s is 0 to 2^53, not %lld", n->name, (long long)amount);
    if (job >= n->count && amount == 0)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &n->amount, &n->capacity, jobs->capacity, err));
    while (n->count <= job)
        n->amount[n->count++] = 0;
    n->amount[job] = amount;
    return ORR_OK;
}

orr_status ori_jobs_copy_needs(orr_jobs *to, int32_t at, const orr_jobs *from, int32_t job,
                               orr_error *err)
{
    for (int32_t i = 0; i < to->need_count; i++)
        ORI_TRY(orr_jobs_set_need(to, at, i, 0, err)); /* it may be that of a job that is gone */
    for (int32_t i = 0, number; i < from->need_count; i++) {
        ORI_TRY(orr_jobs_add_pool(to, from->needs[i].name, &number, err));
        ORI_TRY(orr_jobs_set_need(to, at, number, orr_jobs_need(from, job, i), err));
    }
    return ORR_OK;
}

/* --- what jobs asked for -----------------------------------------------------------------------*/

enum { KINDS = 32 }; /* the first names have bits, by which jobs are counted; others have uses */

int32_t ori_jobs_asked(orr_jobs *jobs, const char *name, size_t size)
{
    size = size < sizeof jobs->asked->name ? size : sizeof jobs->asked->name - 1;
    for (int32_t i = 0; i < jobs->asked_count; i++)
        if (jobs->asked[i].name[size] == '\0' && memcmp(jobs->asked[i].name, name, size) == 0)
            return i;
    if (jobs->asked_count == jobs->asked_capacity || jobs->asked_count == ORR_MOST_ASKED)
        return -1;
    jobs->asked[jobs->asked_count] = (orr_asked){.jobs = 0};
    memcpy(jobs->asked[jobs->asked_count].name, name, size); /* zeros follow */
    return jobs->asked_count++;
}

orr_status ori_jobs_add_use(orr_jobs *jobs, int32_t what, double amount, int32_t job,
                            orr_error *err)
{
    if (what < KINDS) {
        ORI_TRY(
            ORI_RESERVE(&jobs->alloc, &jobs->kinds, &jobs->kinds_capacity, jobs->capacity, err));
        while (jobs->asking <= job)
            jobs->kinds[jobs->asking++] = 0;
        jobs->kinds[job] |= UINT32_C(1) << what;
        if (isnan(amount))
            return ORR_OK;
    }
    ORI_TRY(ORI_RESERVE(&jobs->alloc, &jobs->uses, &jobs->uses_capacity, jobs->use_count + 1, err));
    jobs->uses[jobs->use_count++] = (ori_use){job, what, amount};
    return ORR_OK;
}

typedef struct step {
    double time, amount;
} step;

/* An unsigned number for each time, in the same order; first: the first one of times that are
 * whole, NaN: of others. */
static inline uint64_t key_of(double time, double first)
{
    uint64_t bits;
    if (ORR_LIKELY(!isnan(first)))
        return (uint64_t)(time - first);
    memcpy(&bits, &time, sizeof bits);
    return bits ^ ((uint64_t) - (int64_t)(bits >> 63) | UINT64_C(1) << 63);
}

enum { DIGIT = 12 };

/* Sorts steps by time, digit by digit of their keys, and returns where they are then: here or in
 * the scratch memory. Those of a log mostly rise, or have few digits that differ. */
static step *sort_steps(step *steps, int64_t count, step *scratch)
{
    uint64_t differing = 0;
    bool rises = true, whole = true;
    double first = count > 0 ? steps[0].time : 0, last = first;
    for (int64_t i = 0; i < count; i++) {
        double time = steps[i].time;
        rises &= last <= time;
        first = time < first ? time : first;
        last = time;
        whole &= fabs(time) < 0x1p52 && time == (double)(int64_t)time;
    }
    first = whole ? first : NAN;
    for (int64_t i = 1; i < count && !rises; i++)
        differing |= key_of(steps[i].time, first) ^ key_of(steps[0].time, first);
    for (int shift = 0; shift < 64 && !rises; shift += DIGIT) {
        int64_t at[(1 << DIGIT) + 1] = {0};
        const uint64_t mask = (1 << DIGIT) - 1;
        if ((differing >> shift & mask) == 0)
            continue;
        for (int64_t i = 0; i < count; i++)
            at[(key_of(steps[i].time, first) >> shift & mask) + 1]++;
        for (int i = 0; i < 1 << DIGIT; i++)
            at[i + 1] += at[i];
        for (int64_t i = 0; i < count; i++)
            scratch[at[key_of(steps[i].time, first) >> shift & mask]++] = steps[i];
        step *sorted = scratch;
        scratch = steps;
        steps = sorted;
    }
    return steps;
}

static bool is_of_job_before(const void *x, const void *y)
{
    const ori_use *a = x, *b = y;
    return a->job != b->job ? a->job < b->job : a->what < b->what;
}

/* Sorts the uses by their jobs; only parts of jobs stand elsewhere. */
static orr_status sort_uses(orr_jobs *jobs, orr_error *err)
{
    int64_t i = 1;
    while (i < jobs->use_count && jobs->uses[i - 1].job <= jobs->uses[i].job)
        i++;
    return i >= jobs->use_count
               ? ORR_OK
               : ORI_SORT(jobs->uses, jobs->use_count, is_of_job_before, &jobs->alloc, err);
}

/* The most of a name that was in use at once. Ends come before beginnings at the same time. */
static double peak_of(step *starts, step *ends, int64_t count, step *scratch)
{
    double used = 0, peak = 0;
    starts = sort_steps(starts, count, scratch);
    ends = sort_steps(ends, count, scratch + count);
    for (int64_t i = 0, k = 0; i < count; i++) {
        for (; k < count && ends[k].time <= starts[i].time; k++)
            used -= ends[k].amount;
        used += starts[i].amount;
        peak = fmax(peak, used);
    }
    return peak;
}

orr_status ori_jobs_count_asked(orr_jobs *jobs, orr_error *err)
{
    step *starts, *ends, *scratch;
    int64_t first[ORR_MOST_ASKED + 1] = {0}, filled[ORR_MOST_ASKED] = {0}; /* by name: its steps */
    for (int32_t job = 0; job < jobs->asking; job++)
        for (uint32_t kinds = jobs->kinds[job]; kinds != 0; kinds &= kinds - 1)
            jobs->asked[__builtin_ctz(kinds)].jobs++;
    ORI_FREE(&jobs->alloc, &jobs->kinds, &jobs->kinds_capacity);
    jobs->asking = 0;
    ORI_TRY(sort_uses(jobs, err));
    for (int64_t i = 0; i < jobs->use_count; i++) {
        const ori_use *use = &jobs->uses[i];
        bool again = i > 0 && use[-1].job == use->job && use[-1].what == use->what; /* of a part */
        jobs->asked[use->what].jobs += !again && use->what >= KINDS;
        first[use->what + 1] += !isnan(use->amount);
    }
    for (int32_t what = 0; what < jobs->asked_count; what++)
        first[what + 1] += first[what];
    int64_t all = first[jobs->asked_count];
    ORI_SCRATCH(&jobs->alloc, ORI_RAW, err, ORI_PART(starts, all), ORI_PART(ends, all),
                ORI_PART(scratch, 2 * all));
    for (int64_t i = 0; i < jobs->use_count; i++) {
        const ori_use *use = &jobs->uses[i];
        if (isnan(use->amount))
            continue;
        double start = jobs->submit[use->job] + orr_jobs_wait(jobs, use->job);
        if (isnan(start) || !(jobs->time[use->job] > 0))
            continue;
        int64_t next = first[use->what] + filled[use->what]++;
        starts[next] = (step){start, use->amount};
        ends[next] = (step){start + jobs->time[use->job], use->amount};
    }
    for (int32_t what = 0; what < jobs->asked_count; what++)
        jobs->asked[what].peak =
            peak_of(starts + first[what], ends + first[what], filled[what], scratch);
    ORI_FREE(&jobs->alloc, &jobs->uses, &jobs->uses_capacity);
    jobs->use_count = 0;
    return ORR_OK;
}

/* --- columns that are not read -----------------------------------------------------------------*/

void ori_jobs_ignore(orr_jobs *jobs, const char *name, size_t size)
{
    size_t used = strlen(jobs->ignored), room = sizeof jobs->ignored - used;
    if (jobs->ignored_count++ < 24 && size + 3 <= room)
        snprintf(jobs->ignored + used, room, "%s%.*s", used > 0 ? ", " : "",
                 size > 0 ? (int)size : 9, size > 0 ? name : "(no name)");
}

/* --- parts of a log ----------------------------------------------------------------------------*/

void ori_jobs_remark(orr_jobs *jobs, orr_remark remark, int32_t records, int64_t line)
{
    orr_remarked *r = &jobs->remarks[remark];
    if (r->records == 0)
        r->line = line;
    r->records += records < INT32_MAX - r->records ? records : INT32_MAX - r->records;
}

void ori_jobs_clear(orr_jobs *jobs)
{
    memset(jobs->remarks, 0, sizeof jobs->remarks);
    jobs->asked_count = 0;
    jobs->use_count = jobs->asking = 0;
    jobs->count = jobs->waited = jobs->dropped_count = jobs->details = 0;
    jobs->text_size = 0;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        jobs->labels[kind].count = 0;
    for (int32_t i = 0; i < jobs->need_count; i++)
        jobs->needs[i].count = 0;
}

/* Appends labels of one kind behind those of the jobs that are there. */
static orr_status append_column(orr_jobs *to, orr_label_column *column, const orr_label_column *of,
                                const int32_t *numbers, orr_error *err)
{
    int32_t largest = 0;
    for (int32_t j = 0; j < of->count; j++) {
        int32_t number = numbers[ori_label_at(of, j)];
        largest = number > largest ? number : largest;
    }
    ORI_TRY(reserve_labels(to, column, largest, err));
    while (column->count < to->count)
        put_label(column, column->count++, 0);
    for (int32_t j = 0; j < of->count; j++)
        put_label(column, column->count++, numbers[ori_label_at(of, j)]);
    return ORR_OK;
}

static orr_status append_labels(orr_jobs *to, const orr_jobs *from, const int32_t *numbers,
                                orr_error *err)
{
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        const orr_label_column *of = &from->labels[kind];
        if (of->count > 0)
            ORI_TRY(append_column(to, &to->labels[kind], of, numbers, err));
    }
    return ORR_OK;
}

static orr_status append_waits(orr_jobs *to, const orr_jobs *from, orr_error *err)
{
    if (from->waited == 0)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&to->alloc, &to->waits, &to->waits_capacity, to->capacity, err));
    while (to->waited < to->count)
        to->waits[to->waited++] = NAN;
    memcpy(to->waits + to->count, from->waits, (size_t)from->waited * sizeof *to->waits);
    to->waited += from->waited;
    return ORR_OK;
}

/* text: the offset of the texts of `from` in the texts of `to`. */
static orr_status append_dropped(orr_jobs *to, const orr_jobs *from, uint32_t text, orr_error *err)
{
    int64_t count = (int64_t)to->dropped_count + from->dropped_count;
    if (from->dropped_count == 0)
        return ORR_OK;
    ORI_REFUSE(count > INT32_MAX, err, "more than %d dropped records", INT32_MAX);
    ORI_TRY(ORI_RESERVE(&to->alloc, &to->dropped, &to->dropped_capacity, count, err));
    for (int32_t i = 0; i < from->dropped_count; i++) {
        orr_drop drop = from->dropped[i];
        drop.id += text;
        bool told = drop.detail > 0 && to->details < ORI_MOST_DETAILS;
        drop.detail = told ? drop.detail + text : 0;
        to->details += told;
        to->dropped[to->dropped_count++] = drop;
    }
    return ORR_OK;
}

/* Adds the jobs of `from`, for which there is room, with the numbers that every job has. text: as
 * for append_dropped. */
static void add_columns(orr_jobs *to, const orr_jobs *from, uint32_t text)
{
    size_t n = (size_t)from->count, at = (size_t)to->count;
    if (n == 0)
        return;
    memcpy(to->submit + at, from->submit, n * sizeof *to->submit);
    memcpy(to->time + at, from->time, n * sizeof *to->time);
    memcpy(to->walltime + at, from->walltime, n * sizeof *to->walltime);
    memcpy(to->procs + at, from->procs, n * sizeof *to->procs);
    for (size_t j = 0; j < n; j++)
        to->id[at + j] = from->id[j] + text;
    to->count += from->count;
}

orr_status ori_jobs_append(orr_jobs *to, const orr_jobs *from, const int32_t *numbers,
                           orr_error *err)
{
    size_t text = to->text_size;
    int32_t at = to->count;
    ORI_REFUSE(from->text_size > UINT32_MAX - text, err, "more than 4 GiB of job ids");
    while (to->capacity - to->count < from->count)
        ORI_TRY(grow_jobs(to, err));
    ORI_TRY(ORI_RESERVE(&to->alloc, &to->text, &to->text_capacity,
                        (int64_t)(text + from->text_size), err));
    ORI_TRY(append_labels(to, from, numbers, err));
    ORI_TRY(append_waits(to, from, err));
    ORI_TRY(append_dropped(to, from, (uint32_t)text, err));
    for (int i = 0; i < ORR_REMARK_KINDS; i++)
        ori_jobs_remark(to, (orr_remark)i, from->remarks[i].records, from->remarks[i].line);
    int32_t what[ORR_MOST_ASKED];
    for (int32_t i = 0; i < from->asked_count; i++)
        what[i] = ori_jobs_asked(to, from->asked[i].name, strlen(from->asked[i].name));
    for (int32_t job = 0; job < from->asking; job++)
        for (uint32_t kinds = from->kinds[job]; kinds != 0; kinds &= kinds - 1)
            if (what[__builtin_ctz(kinds)] >= 0)
                ORI_TRY(
                    ori_jobs_add_use(to, what[__builtin_ctz(kinds)], NAN, to->count + job, err));
    for (int64_t i = 0; i < from->use_count; i++) {
        const ori_use *use = &from->uses[i];
        if (what[use->what] >= 0)
            ORI_TRY(ori_jobs_add_use(to, what[use->what], use->amount, to->count + use->job, err));
    }
    if (from->text_size > 0)
        memcpy(to->text + text, from->text, from->text_size);
    to->text_size += from->text_size;
    add_columns(to, from, (uint32_t)text);
    for (int32_t job = 0; from->need_count > 0 && job < from->count; job++)
        ORI_TRY(ori_jobs_copy_needs(to, at + job, from, job, err));
    return ORR_OK;
}

orr_status ori_jobs_copy(orr_jobs *to, const orr_jobs *from, orr_error *err)
{
    if (from->count == 0)
        return ORR_OK;
    ORI_TRY(resize_jobs(to, from->count, err));
    ORI_COPY_MEMBER(to, from, text, text_size, text_capacity, err);
    ORI_COPY_MEMBER(to, from, waits, waited, waits_capacity, err);
    ORI_COPY_MEMBER(to, from, afters, linked, afters_capacity, err);
    ORI_COPY_MEMBER(to, from, pays, paying, pays_capacity, err);
    ORI_COPY_MEMBER(to, from, uncounted, masked, uncounted_capacity, err);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++) {
        const orr_label_column *of = &from->labels[kind];
        orr_label_column *column = &to->labels[kind];
        column->width = of->width;
        ORI_TRY(ori_array_copy(&to->alloc, &column->numbers, &column->capacity, of->numbers,
                               of->count, (size_t)of->width, NULL, err));
        column->count = of->count;
    }
    for (int32_t i = 0; i < from->need_count; i++) {
        memcpy(to->needs[i].name, from->needs[i].name, sizeof to->needs[i].name);
        to->need_count = i + 1;
        ORI_COPY_MEMBER(to, from, needs[i].amount, needs[i].count, needs[i].capacity, err);
    }
    add_columns(to, from, 0);
    return ORR_OK;
}

/* --- ids that stand for more than one job ------------------------------------------------------*/

static const char *id_of(const void *jobs, int32_t number)
{
    return orr_jobs_id(jobs, number - 1);
}

/* Whether every id is longer than the one before it, or of equal length and greater as text.
 * Increasing numbers are so, and then no two ids are equal. */
static bool ids_rise(const orr_jobs *jobs)
{
    const char *before = "";
    size_t size = 0;
    for (int32_t job = 0; job < jobs->count; job++) {
        const char *id = jobs->text + jobs->id[job];
        size_t length = strlen(id);
        if (length < size || (length == size && memcmp(before, id, size) >= 0))
            return false;
        before = id;
        size = length;
    }
    return true;
}

static bool are_equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Whether two records with calendar times are the same. */
static bool is_same(const orr_jobs *jobs, int32_t a, int32_t b)
{
    bool same = jobs->submit[a] == jobs->submit[b] && jobs->time[a] == jobs->time[b] &&
                jobs->procs[a] == jobs->procs[b] &&
                are_equal(jobs->walltime[a], jobs->walltime[b]) &&
                are_equal(orr_jobs_wait(jobs, a), orr_jobs_wait(jobs, b)) &&
                strcmp(orr_jobs_id(jobs, a), orr_jobs_id(jobs, b)) == 0;
    for (int kind = 0; same && kind < ORR_LABEL_KINDS; kind++)
        same = ori_jobs_label(jobs, a, (orr_label)kind) == ori_jobs_label(jobs, b, (orr_label)kind);
    for (int32_t i = 0; same && i < jobs->need_count; i++)
        same = orr_jobs_need(jobs, a, i) == orr_jobs_need(jobs, b, i);
    return same;
}

/* Whether a record is a part of a job, "7+1" of "7", that can be added to it. */
static bool is_part(const orr_jobs *jobs, int32_t whole, int32_t part)
{
    const char *id = orr_jobs_id(jobs, part);
    size_t size = strlen(orr_jobs_id(jobs, whole));
    return jobs->submit[whole] == jobs->submit[part] && id[size] == '+' &&
           memcmp(orr_jobs_id(jobs, whole), id, size) == 0 &&
           jobs->procs[part] <= INT32_MAX - jobs->procs[whole];
}

/* Moves what is known of a job to an earlier position. */
static void move_job(orr_jobs *jobs, int32_t to, int32_t from)
{
    jobs->submit[to] = jobs->submit[from];
    jobs->time[to] = jobs->time[from];
    jobs->walltime[to] = jobs->walltime[from];
    jobs->procs[to] = jobs->procs[from];
    jobs->id[to] = jobs->id[from];
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (to < jobs->labels[kind].count)
            put_label(&jobs->labels[kind], to, ori_jobs_label(jobs, from, (orr_label)kind));
    if (to < jobs->waited)
        jobs->waits[to] = orr_jobs_wait(jobs, from);
    if (to < jobs->paying)
        jobs->pays[to] = orr_jobs_pays(jobs, from);
    if (to < jobs->asking)
        jobs->kinds[to] = from < jobs->asking ? jobs->kinds[from] : 0;
    if (to < jobs->linked)
        jobs->afters[to] = from < jobs->linked ? jobs->afters[from] : 0;
    for (int32_t i = 0; i < jobs->need_count; i++)
        if (to < jobs->needs[i].count)
            jobs->needs[i].amount[to] = orr_jobs_need(jobs, from, i);
}

static void shorten(orr_jobs *jobs, int32_t count)
{
    jobs->count = count;
    jobs->waited = jobs->waited < count ? jobs->waited : count;
    jobs->paying = jobs->paying < count ? jobs->paying : count;
    jobs->asking = jobs->asking < count ? jobs->asking : count;
    jobs->linked = jobs->linked < count ? jobs->linked : count;
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (jobs->labels[kind].count > count)
            jobs->labels[kind].count = count;
    for (int32_t i = 0; i < jobs->need_count; i++)
        if (jobs->needs[i].count > count)
            jobs->needs[i].count = count;
}

static void add_part(orr_jobs *jobs, int32_t whole, int32_t part)
{
    if (part < jobs->asking)
        jobs->kinds[whole] |= jobs->kinds[part];
    jobs->procs[whole] += jobs->procs[part];
    jobs->time[whole] = fmax(jobs->time[whole], jobs->time[part]);
    jobs->walltime[whole] = fmax(jobs->walltime[whole], jobs->walltime[part]);
    for (int32_t i = 0; i < jobs->need_count; i++) {
        int64_t sum = orr_jobs_need(jobs, whole, i) + orr_jobs_need(jobs, part, i);
        if (whole < jobs->needs[i].count)
            jobs->needs[i].amount[whole] = sum < ORR_MOST_AMOUNT ? sum : ORR_MOST_AMOUNT;
    }
}

/* Makes one of several records: of those that are the same, or of those that are parts. */
static orr_status unite(orr_jobs *jobs, bool parts, orr_error *err)
{
    size_t size = 64;
    int64_t use = 0, uses = 0; /* in order of their jobs */
    int32_t kept = 0;
    while (size < 2 * (size_t)jobs->count)
        size *= 2;
    ori_slot *slots;
    ORI_SCRATCH(&jobs->alloc, ORI_ZEROED, err, ORI_PART(slots, size));
    for (int32_t job = 0; job < jobs->count; job++) {
        char *id = jobs->text + jobs->id[job];
        size_t length = parts ? strcspn(id, "+") : strlen(id);
        bool alone = parts && id[length] == '\0';
        uint64_t bits;
        memcpy(&bits, &jobs->submit[job], sizeof bits);
        uint32_t hash = ori_hash(id, length) ^ (uint32_t)(bits * 0x9E3779B97F4A7C15u >> 32);
        size_t i = (hash ^ hash >> 16) & (size - 1);
        while (
            !alone && slots[i].number != 0 &&
            (slots[i].hash != hash || !(parts ? is_part : is_same)(jobs, slots[i].number - 1, job)))
            i = (i + 1) & (size - 1);
        bool is_found = !alone && slots[i].number > 0;
        for (; use < jobs->use_count && jobs->uses[use].job == job; use++)
            if (!is_found || parts)
                jobs->uses[uses++] = (ori_use){is_found ? slots[i].number - 1 : kept,
                                               jobs->uses[use].what, jobs->uses[use].amount};
        if (is_found) {
            if (!parts) {
                ORI_TRY(ori_jobs_add_dropped(jobs, 0, NULL, ORR_DROP_DOUBLE, NULL, err));
                jobs->dropped[jobs->dropped_count - 1].id = jobs->id[job];
            } else {
                add_part(jobs, slots[i].number - 1, job);
            }
            continue;
        }
        id[length] = '\0';
        if (kept < job)
            move_job(jobs, kept, job);
        kept++;
        if (!alone)
            slots[i] = (ori_slot){hash, kept};
    }
    shorten(jobs, kept);
    jobs->use_count = uses;
    return ORR_OK;
}

orr_status ori_jobs_unite(orr_jobs *jobs, bool parts, orr_error *err)
{
    if (!ids_rise(jobs))
        ORI_TRY(unite(jobs, false, err));
    return parts ? unite(jobs, true, err) : ORR_OK;
}

orr_status ori_jobs_count_repeated(orr_jobs *jobs, orr_error *err)
{
    size_t size = 64;
    jobs->repeated = 0;
    if (ids_rise(jobs))
        return ORR_OK;
    while (size < 2 * (size_t)jobs->count)
        size *= 2;
    ori_slot *slots;
    ORI_SCRATCH(&jobs->alloc, ORI_ZEROED, err, ORI_PART(slots, size));
    for (int32_t job = 0; job < jobs->count; job++) {
        const char *id = orr_jobs_id(jobs, job);
        size_t length = strlen(id);
        uint32_t hash = ori_hash(id, length);
        ori_slot *slot = ori_find_slot(slots, (uint32_t)size, hash, id, length, id_of, jobs);
        if (slot->number == 0)
            *slot = (ori_slot){hash, job + 1};
        else if (jobs->repeated++ == 0)
            snprintf(jobs->repeated_id, sizeof jobs->repeated_id, "%s", id);
    }
    return ORR_OK;
}
