/* Fuzzing of the readers, with libFuzzer: one program per reader, made with -DREADER_<NAME>.
 *
 * Whatever the bytes are, a reader ends with a workload or with one message that is not empty, and
 * reads the same whatever the size of the pieces in which it is fed. The sanitizers watch the rest.
 * A first byte of the input chooses options and sizes of pieces, so that these are fuzzed, too. */
#include "workload/faults.h"
#include "workload/reader.h"
#include "workload/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

static void insist_on_message(const orr_error *err)
{
    insist(err->status != ORR_OK && err->message[0] != '\0', "a failure without a message");
}

/* The input as a file that can be read by its path. */
static int as_file(const uint8_t *data, size_t size, char path[32])
{
    int file = memfd_create("fuzz", 0);
    insist(file >= 0 && write(file, data, size) == (ssize_t)size, "no file");
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return file;
}

#if defined(READER_LOG)

static const orr_read_options options[] = {
    {0},
    {.statuses = "completed,unknown", .ran = true},
    {.wide = ORR_WIDE_DROP},
    {.wide = ORR_WIDE_KEEP, .count = ORR_COUNT_NODES},
    {.count = ORR_COUNT_CPUS, .ran = true},
};

static orr_jobs *feed(const orr_read_options *o, const uint8_t *data, size_t size, size_t piece,
                      orr_error *err)
{
    orr_reader *reader = orr_reader_create("fuzz", o, NULL, err);
    insist(reader != NULL, "no reader");
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const orr_read_options *o = &options[data[0] % (sizeof options / sizeof options[0])];
    size_t piece = (size_t)data[0] / 5 + 1;
    orr_error whole_error, err;
    orr_jobs *whole = feed(o, data + 1, size - 1, size, &whole_error);
    orr_jobs *pieces = feed(o, data + 1, size - 1, piece, &err);
    insist(!whole == !pieces, "pieces: another outcome");
    if (whole) {
        insist_on_same(whole, pieces);
    } else {
        insist_on_message(&whole_error);
        insist(strcmp(whole_error.message, err.message) == 0, "pieces: another message");
    }
    orr_jobs_destroy(whole);
    orr_jobs_destroy(pieces);
    return 0;
}

#elif defined(READER_FAILURES)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char path[32];
    int file = as_file(data + 1, size - 1, path);
    int32_t columns = data[0] % 8 + 1, *counts;
    int64_t rows;
    orr_error err;
    if (orr_read_failures(path, columns, &counts, &rows, NULL, &err) == ORR_OK) {
        for (int64_t i = 0; i < rows * columns; i++)
            insist(counts[i] >= 0, "a negative count");
        orr_allocator a = orr_allocator_or_default(NULL);
        orr_release(&a, counts, (size_t)(rows * columns) * sizeof *counts);
    } else {
        insist_on_message(&err);
    }
    close(file);
    return 0;
}

#elif defined(READER_FAULTS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char path[32];
    int file = as_file(data + 1, size - 1, path);
    orr_error err;
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    insist(tasks && orr_tasks_add(tasks, "a", 10, ORR_PROFILE_AMDAHL, 0.5, &err) == ORR_OK &&
               orr_tasks_add(tasks, "b", 10, ORR_PROFILE_AMDAHL, 0.5, &err) == ORR_OK,
           "no tasks");
    orr_fault *log;
    int64_t count;
    bool named = data[0] % 2 == 0;
    if (orr_read_faults(path, named ? tasks : NULL, 7, &log, &count, NULL, &err) == ORR_OK) {
        for (int64_t i = 0; i < count; i++)
            insist(log[i].time >= (i ? log[i - 1].time : 0) && log[i].processor < 7 &&
                       log[i].task < 2 && (log[i].processor < 0) != (log[i].task < 0),
                   "an impossible fault");
        orr_allocator a = orr_allocator_or_default(NULL);
        orr_release(&a, log, (size_t)count * sizeof *log);
    } else {
        insist_on_message(&err);
    }
    orr_tasks_destroy(tasks);
    close(file);
    return 0;
}

#elif defined(READER_TASKS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    int file = as_file(data, size, path);
    orr_error err;
    orr_tasks *tasks = orr_read_tasks(path, 0.08, NULL, &err);
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
    close(file);
    return 0;
}

#endif
