/* Fuzzing of the readers, with libFuzzer: one program per reader, made with -DREADER_<NAME>.
 *
 * Whatever the bytes are, a reader ends with a workload or with one message that is not empty, and
 * reads the same whatever the size of the pieces in which it is fed. It gives back all memory, with
 * the sizes that it asked for, also where there is none left. The sanitizers watch the rest.
 *
 * The first byte of an input chooses options and the size of the pieces, the second which
 * allocation finds no memory (0: none), so that these are fuzzed, too; the rest is the file. */
#include "fuzz.h"

#include "workload/faults.h"
#include "workload/outages.h"
#include "workload/reader.h"
#include "workload/tasks.h"
#include "workload/window.h"

#include <sys/mman.h>
#include <unistd.h>

/* The input as a file that can be read by its path. */
static int as_file(const uint8_t *data, size_t size, char path[32])
{
    int file = memfd_create("fuzz", 0);
    insist(file >= 0 && write(file, data, size) == (ssize_t)size, "no file");
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return file;
}

#if defined(READER_LOG)

enum { SIZE = sizeof(orr_read_options) };

static const orr_format lines = {.name = "lines",
                                 .about = "lines",
                                 .delimiter = ';',
                                 .header = "kind,id,LIST*,KEY=VALUE",
                                 .columns = "id=id,procs=ncpus:select,submit=ctime:unix,"
                                            "runtime=walltime,status=state",
                                 .signs = "kind=E|S",
                                 .records = "kind=E",
                                 .states = "0=completed,*=failed",
                                 .absent = "walltime=0|none"};
static const orr_format objects = {.name = "objects",
                                   .about = "objects",
                                   .json = true,
                                   .depth = 1,
                                   .delimiter = ' ',
                                   .columns = "id=id,procs=a.0.b,submit=t:unix,runtime=u:min",
                                   .signs = "id,t"};

static const orr_format *more_formats(void *user, int *count)
{
    *count = 1;
    return user ? &objects : &lines;
}

static const orr_read_options options[] = {
    {.size = SIZE},
    {.size = SIZE, .statuses = "completed,unknown", .ran = true},
    {.size = SIZE, .wide = ORR_WIDE_DROP, .damaged = true, .dependencies = true},
    {.size = SIZE,
     .wide = ORR_WIDE_KEEP,
     .count = ORR_COUNT_NODES,
     .procs_of = ORR_PROCS_OF_REQUESTED},
    {.size = SIZE, .count = ORR_COUNT_CPUS, .ran = true, .procs_of = ORR_PROCS_OF_ALLOCATED},
    {.size = SIZE, .strict = true, .dependencies = true},
    {.size = SIZE, .header = "JobIDRaw,JobName,Submit,Start,ElapsedRaw,NCPUS,State,Comment"},
    {.size = SIZE, .columns = "id=job,procs=nodes:16,submit=t,start=u:%F %T,end=v,runtime=w:min"},
    {.size = SIZE,
     .submitted = ORR_SUBMITTED_SUBMIT,
     .rows = "State!=x,User=a|b",
     .delimiter = '|'},
    {.size = SIZE, .format = &lines},
    {.size = SIZE, .format = &objects},
    {.size = SIZE, .formats = more_formats},
    {.size = SIZE, .formats = more_formats, .user = (void *)&objects},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

static orr_jobs *feed(const orr_read_options *o, const uint8_t *data, size_t size, size_t piece,
                      const orr_allocator *alloc, orr_error *err)
{
    orr_reader *reader = orr_reader_create("fuzz", o, alloc, err);
    if (!reader)
        return NULL;
    for (size_t at = 0; at < size; at += piece)
        if (orr_reader_feed(reader, data + at, size - at < piece ? size - at : piece, err) !=
            ORR_OK)
            break;
    return orr_reader_finish(reader, err);
}

static bool same_number(double a, double b)
{
    return a == b || (a != a && b != b);
}

static void insist_on_same(const orr_jobs *a, const orr_jobs *b)
{
    insist(a->count == b->count && a->dropped_count == b->dropped_count, "pieces: other jobs");
    for (int32_t i = 0; i < a->count; i++) {
        insist(same_number(a->submit[i], b->submit[i]) && same_number(a->time[i], b->time[i]) &&
                   same_number(a->walltime[i], b->walltime[i]) && a->procs[i] == b->procs[i] &&
                   strcmp(orr_jobs_id(a, i), orr_jobs_id(b, i)) == 0,
               "pieces: another job");
        insist(a->procs[i] >= 1 && a->time[i] >= 0 && a->submit[i] >= 0, "an impossible job");
    }
}

/* Read by its path. */
static orr_jobs *read_path(const orr_read_options *o, const uint8_t *data, size_t size,
                           const orr_allocator *alloc, orr_error *err)
{
    char path[32];
    int file = as_file(data, size, path);
    orr_jobs *jobs = orr_read_jobs(path, o, alloc, err);
    close(file);
    return jobs;
}

static void read_in_pieces(const orr_read_options *o, const uint8_t *data, size_t size,
                           size_t piece)
{
    orr_error whole_error, err;
    orr_jobs *whole = feed(o, data, size, size ? size : 1, NULL, &whole_error);
    orr_jobs *pieces = feed(o, data, size, piece, NULL, &err);
    insist(!whole == !pieces, "pieces: another outcome");
    if (whole) {
        insist_on_same(whole, pieces);
    } else {
        insist_on_message(&whole_error);
        insist(strcmp(whole_error.message, err.message) == 0, "pieces: another message");
    }
    orr_jobs_destroy(whole);
    orr_jobs_destroy(pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const orr_read_options *o = &options[data[0] % OPTIONS];
    size_t piece = data[0] / OPTIONS;
    if (data[1] == 0 && piece > 0) {
        read_in_pieces(o, data + 2, size - 2, piece);
        return 0;
    }
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    orr_jobs *jobs = piece > 0 ? feed(o, data + 2, size - 2, piece, &alloc, &err)
                               : read_path(o, data + 2, size - 2, &alloc, &err);
    if (!jobs)
        insist_on_message(&err);
    orr_jobs_destroy(jobs);
    insist_on_no_leak(&m);
    return 0;
}

#elif defined(READER_FAILURES)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char path[32];
    int file = as_file(data + 2, size - 2, path);
    int32_t columns = data[0] % 8 + 1, *counts;
    int64_t rows;
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    if (orr_read_failures(path, columns, &counts, &rows, &alloc, &err) == ORR_OK) {
        for (int64_t i = 0; i < rows * columns; i++)
            insist(counts[i] >= 0, "a negative count");
        orr_release(&alloc, counts, (size_t)(rows * columns) * sizeof *counts);
    } else {
        insist_on_message(&err);
    }
    insist_on_no_leak(&m);
    close(file);
    return 0;
}

#elif defined(READER_FAULTS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char path[32];
    int file = as_file(data + 2, size - 2, path);
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    insist(tasks && orr_tasks_add(tasks, "a", 10, ORR_PROFILE_AMDAHL, 0.5, &err) == ORR_OK &&
               orr_tasks_add(tasks, "b", 10, ORR_PROFILE_AMDAHL, 0.5, &err) == ORR_OK,
           "no tasks");
    orr_fault *log;
    int64_t count;
    bool named = data[0] % 2 == 0;
    if (orr_read_faults(path, named ? tasks : NULL, 7, &log, &count, &alloc, &err) == ORR_OK) {
        for (int64_t i = 0; i < count; i++)
            insist(log[i].time >= (i ? log[i - 1].time : 0) && log[i].processor < 7 &&
                       log[i].task < 2 && (log[i].processor < 0) != (log[i].task < 0),
                   "an impossible fault");
        orr_release(&alloc, log, (size_t)count * sizeof *log);
    } else {
        insist_on_message(&err);
    }
    orr_tasks_destroy(tasks);
    insist_on_no_leak(&m);
    close(file);
    return 0;
}

#elif defined(READER_OUTAGES)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char path[32];
    int file = as_file(data + 2, size - 2, path);
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    orr_outage_list list;
    orr_outage_reading reading = {.size = sizeof reading,
                                  .procs = 7,
                                  .node_procs = 2,
                                  .has_origin = data[0] % 2 == 0,
                                  .from_one = data[0] % 8 > 4,
                                  .origin_us = INT64_C(1560000000000000)};
    if (data[0] % 4 < 2)
        reading.node_names = "nid[01-03],x";
    if (orr_read_outages(path, &reading, &list, &alloc, &err) == ORR_OK) {
        for (int64_t i = 0; i < list.count; i++) {
            const orr_outage *o = &list.outages[i];
            insist(o->time >= (i ? o[-1].time : 0) && o->repaired >= o->time && o->first >= 0 &&
                       o->count >= 1 && o->first + o->count <= 7 &&
                       list.kinds[i] <= ORR_OUTAGE_DRAINED,
                   "an impossible outage");
        }
        orr_release(&alloc, list.outages, (size_t)list.count * sizeof *list.outages);
        orr_release(&alloc, list.kinds, (size_t)list.count * sizeof *list.kinds);
    } else {
        insist_on_message(&err);
    }
    insist_on_no_leak(&m);
    close(file);
    return 0;
}

#elif defined(READER_WINDOWS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char path[32];
    int file = as_file(data + 2, size - 2, path);
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    orr_jobs *jobs = orr_jobs_create(NULL, &err);
    insist(jobs != NULL, "no jobs");
    jobs->has_origin = data[0] / 4 % 2;
    orr_windows *windows = orr_windows_create(7, 2, &alloc, &err);
    int64_t count = 0;
    if (windows &&
        orr_read_windows(path, (orr_windows_kind)(data[0] % 4), jobs, windows, &err) == ORR_OK) {
        const orr_window *list = orr_windows_list(windows, &count);
        insist(data[0] % 4 <= ORR_WINDOWS_RESERVATIONS, "a kind that there is not");
        for (int64_t i = 0; i < count; i++)
            insist(list[i].to > list[i].from && list[i].count >= 0 && list[i].count <= 7,
                   "an impossible window");
    } else {
        insist_on_message(&err);
    }
    orr_windows_destroy(windows);
    orr_jobs_destroy(jobs);
    insist_on_no_leak(&m);
    close(file);
    return 0;
}

#elif defined(READER_TASKS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char path[32];
    int file = as_file(data + 2, size - 2, path);
    meter m = {.until_none = data[1]};
    orr_allocator alloc = {resize_metered, &m};
    orr_error err;
    orr_tasks *tasks = orr_read_tasks(path, data[0] % 2 ? 0 : 0.08, &alloc, &err);
    if (tasks) {
        for (int32_t i = 0; i < tasks->count; i++)
            for (int32_t j = 1; j < 9; j++)
                insist(orr_task_time(tasks, i, j + 1) <= orr_task_time(tasks, i, j) &&
                           orr_task_time(tasks, i, j) >= 0,
                       "a time that grows");
    } else {
        insist_on_message(&err);
    }
    orr_tasks_destroy(tasks);
    insist_on_no_leak(&m);
    close(file);
    return 0;
}

#endif
