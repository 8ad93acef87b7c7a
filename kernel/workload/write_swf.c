/* The Standard Workload Format, written from a log or from a simulated run of it. */
#include "workload/write_swf_internal.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/text_internal.h"
#include "workload/jobs_internal.h"

#include <math.h>
#include <string.h>

/* --- names and numbers -------------------------------------------------------------------------*/

/* A text that is a number as the format wants it, 0 or more and without superfluous digits. */
static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 15 && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

static bool numeric_ids(const orr_jobs *jobs)
{
    for (int32_t job = 0; job < jobs->count; job++)
        if (!is_number(orr_jobs_id(jobs, job)))
            return false;
    return true;
}

static bool numeric_labels(const orr_jobs *jobs, orr_label kind)
{
    for (int32_t job = 0; job < jobs->count; job++) {
        const char *text = orr_jobs_label_text(jobs, job, kind);
        if (text && !is_number(text))
            return false;
    }
    return true;
}

/* The numbers of users, queues and partitions: their names where these are numbers, else counted by
 * first occurrence. */
typedef struct swf_names {
    bool numeric[ORR_LABEL_KINDS];
    int32_t *number[ORR_LABEL_KINDS]; /* by label, 0: not met yet; NULL where names are numbers */
    int32_t met[ORR_LABEL_KINDS];
} swf_names;

/* Puts only the first line of a text. */
static void put_line(ori_text *b, const char *text)
{
    ori_text_put(b, text, strcspn(text, "\r\n"));
    ori_text_char(b, '\n');
}

/* "; Queue: 1 long", for names that become numbers. */
static void put_names(ori_text *b, const orr_jobs *jobs, swf_names *names)
{
    static const char *const titles[] = {"User", "Queue", "Partition"};
    for (int kind = ORR_LABEL_USER; kind <= ORR_LABEL_PARTITION; kind++) {
        for (int32_t job = 0; names->number[kind] && job < jobs->count; job++) {
            int32_t label = orr_jobs_label(jobs, job, (orr_label)kind);
            if (label == 0 || names->number[kind][label] != 0)
                continue;
            names->number[kind][label] = ++names->met[kind];
            ori_text_printf(b, "; %s: %d ", titles[kind], (int)names->met[kind]);
            put_line(b, orr_labels_text(&jobs->names, label));
        }
    }
}

/* --- lines -------------------------------------------------------------------------------------*/

typedef struct swf_writer {
    ori_text *text;
    const orr_jobs *jobs;
    const ori_swf_run *run; /* NULL: the log itself */
    swf_names names;
    bool numeric_ids;
} swf_writer;

/* Puts a number; -1 for unknown values. */
static void put_field(ori_text *b, double value)
{
    ori_text_puts(b, " ");
    ori_text_number(b, isnan(value) ? -1 : value);
}

static void put_unknown(ori_text *b, int fields)
{
    while (fields-- > 0)
        ori_text_puts(b, " -1");
}

static void put_label(const swf_writer *w, int32_t job, orr_label kind)
{
    int32_t label = orr_jobs_label(w->jobs, job, kind);
    ori_text_puts(w->text, " ");
    if (label == 0)
        ori_text_puts(w->text, "-1");
    else if (w->names.numeric[kind])
        ori_text_puts(w->text, orr_labels_text(&w->jobs->names, label));
    else
        ori_text_number(w->text, w->names.number[kind][label]);
}

static int status_of(const char *status)
{
    if (!status)
        return -1;
    if (strcmp(status, ORR_STATUS_CANCELLED) == 0)
        return 5;
    return strcmp(status, ORR_STATUS_COMPLETED) == 0;
}

/* The format has room for one job that another comes after, and names jobs by numbers. */
static bool has_after(const swf_writer *w, bool others)
{
    for (int32_t job = 0; job < w->jobs->linked; job++) {
        const char *after = orr_jobs_after(w->jobs, job);
        if (after && (!others || strchr(after, ' ')))
            return true;
    }
    return false;
}

/* Its preceding job and think time. */
static void put_after(const swf_writer *w, int32_t job)
{
    const char *after = orr_jobs_after(w->jobs, job);
    if (!after || !w->numeric_ids) {
        put_unknown(w->text, 2);
        return;
    }
    if (after[0] == *ORI_AFTER_ANY && after[1] == ' ')
        after += 2;
    size_t size = strcspn(after, " "), id = strcspn(after, " +");
    ori_text_printf(w->text, " %.*s", (int)id, after);
    if (id == size || strncmp(after + id, ORI_AFTER_OK, size - id) == 0)
        put_unknown(w->text, 1);
    else
        ori_text_printf(w->text, " %.*s", (int)(size - id - 1), after + id + 1);
}

static double submission(const swf_writer *w, int32_t job)
{
    return w->run ? w->run->submit[job] : w->jobs->submit[job];
}

static void put_job(const swf_writer *w, int32_t job)
{
    ori_text *b = w->text;
    const char *status = orr_jobs_label_text(w->jobs, job, ORR_LABEL_STATUS);
    ori_swf_result result = {orr_jobs_wait(w->jobs, job), w->jobs->time[job], status_of(status)};
    if (w->run)
        result = w->run->results[job];
    if (w->numeric_ids)
        ori_text_puts(b, orr_jobs_id(w->jobs, job));
    else
        ori_text_number(b, (double)job + 1);
    put_field(b, submission(w, job));
    put_field(b, result.wait);
    put_field(b, result.time);
    put_field(b, isnan(result.time) ? NAN : w->jobs->procs[job]);
    put_unknown(b, 2);
    put_field(b, w->jobs->procs[job]);
    put_field(b, w->run ? w->run->walltime[job] : w->jobs->walltime[job]);
    put_unknown(b, 1);
    put_field(b, result.status);
    put_label(w, job, ORR_LABEL_USER);
    put_unknown(b, 2);
    put_label(w, job, ORR_LABEL_QUEUE);
    put_label(w, job, ORR_LABEL_PARTITION);
    put_after(w, job);
    ori_text_puts(b, "\n");
}

/* --- the file ----------------------------------------------------------------------------------*/

static void put_comment(ori_text *b, const char *key, double value)
{
    ori_text_printf(b, "; %s: ", key);
    ori_text_number(b, value);
    ori_text_char(b, '\n');
}

static void put_header(swf_writer *w)
{
    ori_text *b = w->text;
    const orr_jobs *jobs = w->jobs;
    int32_t procs = w->run ? w->run->procs : jobs->machine_procs;
    ori_text_puts(b, "; Version: 2.2\n; Conversion: orrery " ORR_VERSION "\n");
    if (w->run) {
        ori_text_puts(b, "; Note: simulated under the policy ");
        put_line(b, w->run->policy);
    }
    if (!w->numeric_ids)
        ori_text_puts(b, "; Note: job numbers are the positions of the jobs in the log\n");
    if (!w->numeric_ids && has_after(w, false))
        ori_text_puts(b,
                      "; Note: preceding jobs are left out, for they are not named by numbers\n");
    else if (has_after(w, true))
        ori_text_puts(b, "; Note: of several preceding jobs of a job only the first is here\n");
    put_comment(b, "MaxJobs", jobs->count);
    put_comment(b, "MaxRecords", jobs->count);
    if (jobs->has_origin)
        put_comment(b, "UnixStartTime", (double)jobs->origin_us / 1e6);
    if (procs > 0)
        put_comment(b, "MaxProcs", procs);
    put_names(b, jobs, &w->names);
}

typedef struct place {
    double submit; /* first: the key */
    int32_t job;
} place;

/* Puts the jobs in order of submission, as the format requires. */
static orr_status put_jobs(const swf_writer *w, const orr_allocator *a, orr_error *err)
{
    int32_t count = w->jobs->count;
    place *places, *scratch;
    ORI_SCRATCH(a, ORI_RAW, err, ORI_PART(places, count), ORI_PART(scratch, count));
    for (int32_t job = 0; job < count; job++)
        places[job] = (place){submission(w, job), job};
    ori_sort(places, count, sizeof *places, ori_is_less, scratch);
    for (int32_t i = 0; i < count; i++)
        put_job(w, places[i].job);
    return ORR_OK;
}

orr_status ori_jobs_format_swf(const orr_jobs *jobs, const ori_swf_run *run, char **text,
                               size_t *size, size_t *capacity, const orr_allocator *a,
                               orr_error *err)
{
    ori_text b = {.alloc = orr_allocator_or_default(a), .err = err};
    swf_writer w = {.text = &b, .jobs = jobs, .run = run, .numeric_ids = numeric_ids(jobs)};
    int32_t count = jobs->names.count + 1, **number = w.names.number;
    bool *numeric = w.names.numeric;
    for (int kind = ORR_LABEL_USER; kind <= ORR_LABEL_PARTITION; kind++)
        numeric[kind] = numeric_labels(jobs, (orr_label)kind);
    ORI_SCRATCH(&b.alloc, ORI_ZEROED, err,
                ORI_PART_IF(!numeric[ORR_LABEL_USER], number[ORR_LABEL_USER], count),
                ORI_PART_IF(!numeric[ORR_LABEL_QUEUE], number[ORR_LABEL_QUEUE], count),
                ORI_PART_IF(!numeric[ORR_LABEL_PARTITION], number[ORR_LABEL_PARTITION], count));
    put_header(&w);
    orr_status status = put_jobs(&w, &b.alloc, err);
    b.status = b.status == ORR_OK ? status : b.status;
    return ori_text_hand_over(&b, text, size, capacity);
}
