/* What all fuzzers share: what is insisted on, memory that runs out, and how bytes become the
 * arguments of calls, jobs and tasks. Values out of range come as often as one in sixteen. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "workload/jobs.h"
#include "workload/tasks.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void insist(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

static inline bool same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static inline void insist_on_message(const orr_error *err)
{
    insist(err->status != ORR_OK && err->message[0] != '\0', "a failure without a message");
}

/* A success, or a status that has its message and is no defect of the kernel. */
static inline void insist_on_status(orr_status status, const orr_error *err)
{
    if (status == ORR_OK)
        return;
    insist(status == err->status, "a status that is not the message's");
    insist_on_message(err);
    insist(status != ORR_ERR_INTERNAL, err->message);
}

/* --- memory that runs out, and knows what was asked for ----------------------------------------
 */

#define MOST_MEMORY ((size_t)4 << 20) /* bytes, of one block */

typedef union block_header {
    size_t size;
    max_align_t align;
} block_header;

typedef struct meter {
    int64_t until_none; /* allocations; the one that makes it 0 fails; at 0 or below none does */
    size_t blocks;
    bool ran_out;
} meter;

static inline void *resize_metered(void *user, void *block, size_t old_size, size_t new_size)
{
    meter *m = user;
    block_header *old = block ? (block_header *)block - 1 : NULL;
    insist(!old || old->size == old_size, "a block of another size than it had");
    if (new_size == 0) {
        m->blocks -= old != NULL;
        free(old);
        return NULL;
    }
    if (--m->until_none == 0 || new_size > MOST_MEMORY) {
        m->ran_out = true;
        return NULL;
    }
    block_header *new = realloc(old, sizeof *new + new_size);
    insist(new != NULL, "no memory for the fuzzer itself");
    m->blocks += old == NULL;
    new->size = new_size;
    return new + 1;
}

/* For several threads: blocks are bounded alike, and nothing else is counted. */
static inline void *resize_bounded(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (new_size > MOST_MEMORY) {
        atomic_store((atomic_bool *)user, true);
        return NULL;
    }
    void *new = realloc(block, new_size);
    insist(new != NULL, "no memory for the fuzzer itself");
    return new;
}

static inline void insist_on_no_leak(const meter *m)
{
    insist(m->blocks == 0, "memory that was not given back");
}

/* --- arguments from bytes ----------------------------------------------------------------------
 */

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

/* The next byte; 0 behind the last. */
static inline int byte(bytes *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* 0 .. count - 1. */
static inline int32_t below(bytes *in, int32_t count)
{
    return byte(in) % count;
}

static inline bool coin(bytes *in)
{
    return byte(in) & 1;
}

/* One of an enum's values, whose last is named: `part` of a code says which, 250 and more are none.
 */
#define ONE_OF(code, part, last) ((code) < 250 ? (part) % ((int)(last) + 1) : (code))

/* A count or a position, mostly one of 0 .. many - 1. */
static inline int32_t position_of(int code, int64_t many)
{
    int32_t count = many < INT32_MAX ? (int32_t)many : INT32_MAX;
    const int32_t wild[] = {-1,        count,        count < INT32_MAX ? count + 1 : 0,
                            INT32_MAX, INT32_MIN,    1000000,
                            -2,        INT32_MAX - 1};
    return code >= 240 ? wild[code % 8] : count > 0 ? code % count : 0;
}

static inline int32_t position(bytes *in, int64_t count)
{
    return position_of(byte(in), count);
}

/* Seconds, rates and the like: mostly small ones that often agree, in whole and in parts. */
static inline double number_of(int code)
{
    static const double wild[] = {NAN,  -1,     INFINITY, -INFINITY, 1e300, 1e-300, -0.0, 0x1p-1074,
                                  1e16, 9.1e15, -1e-9,    1e9,       0.1,   1e-9,   1e8,  0x1p63};
    return code >= 240 ? wild[code % 16] : code < 160 ? code % 40 : (code - 160) / 8.0;
}

static inline double number(bytes *in)
{
    return number_of(byte(in));
}

/* --- the state of a policy: a number -----------------------------------------------------------
 */

static inline orr_status make_number(void **state, orr_error *err)
{
    *state = calloc(1, sizeof(int32_t));
    return *state ? ORR_OK : orr_fail_memory(err, sizeof(int32_t));
}

static inline orr_status copy_number(void *user, void *state, void **copy, orr_error *err)
{
    (void)user;
    orr_status status = make_number(copy, err);
    if (*copy)
        memcpy(*copy, state, sizeof(int32_t));
    return status;
}

static inline void free_number(void *user, void *state)
{
    (void)user;
    free(state);
}

/* --- workloads from bytes ----------------------------------------------------------------------
 */

/* Up to `most` jobs, most of at most `procs` >= 1 processors, submitted between two times; NULL
 * where there was no memory. Those that are refused are missing. */
static inline orr_jobs *make_jobs(bytes *in, int32_t most, int32_t procs, double from, double to,
                                  const orr_allocator *a)
{
    orr_error err;
    orr_jobs *jobs = orr_jobs_create(a, &err);
    int how = byte(in);
    for (int32_t i = how % (most + 1); jobs && i > 0; i--) {
        int submit = byte(in), wide = byte(in), runtime = byte(in), walltime = byte(in);
        double time = from + number_of(submit);
        if (orr_jobs_add(jobs, NULL, time > to ? to : time,
                         wide < 240 ? 1 + wide % procs : position_of(wide, procs),
                         number_of(runtime), walltime < 64 ? NAN : number_of(walltime - 64),
                         &err) != ORR_OK)
            insist_on_message(&err);
        else if (how >= 128 &&
                 orr_jobs_set_wait(jobs, jobs->count - 1, number_of((runtime + walltime) % 256),
                                   &err) != ORR_OK)
            insist_on_message(&err);
    }
    return jobs;
}

/* Up to `most` tasks, at least one unless there is no memory (NULL). */
static inline orr_tasks *make_tasks(bytes *in, int32_t most, const orr_allocator *a)
{
    static const double sizes[] = {2, 10, 1000, 1000, 1e4, 1e6, 1e30, ORR_TASK_LARGEST};
    orr_error err;
    orr_tasks *tasks = orr_tasks_create(a, &err);
    for (int32_t i = below(in, most); tasks && i >= 0; i--) {
        int family = byte(in), size = byte(in), more = byte(in);
        orr_status status;
        orr_profile profile = (orr_profile)ONE_OF(family, family, ORR_PROFILE_TABLE);
        if (profile == ORR_PROFILE_TABLE) {
            double times[6];
            int32_t columns = 1 + below(in, 6);
            for (int32_t j = 0; j < columns; j++)
                times[j] = 100 * number(in);
            status = orr_tasks_add_table(tasks, NULL, number_of(size), times, columns, &err);
        } else {
            double m = size < 128 ? sizes[size % 8] : 100 * number_of(size);
            status = orr_tasks_add(tasks, NULL, m, profile,
                                   more < 240 ? more % 21 / 20.0 : number_of(more), &err);
        }
        if (status != ORR_OK)
            insist_on_message(&err);
    }
    if (!tasks || tasks->count > 0 ||
        orr_tasks_add(tasks, NULL, 1000, ORR_PROFILE_AMDAHL, 0.1, &err) == ORR_OK)
        return tasks;
    insist_on_message(&err);
    orr_tasks_destroy(tasks);
    return NULL;
}

/* Takes text, counts it in *user (an int64_t), and refuses when that comes to 0. */
static inline bool swallow(void *user, const char *text, size_t size)
{
    insist(size == 0 || text[size - 1] != 1, "text that is not text"); /* reads it */
    return --*(int64_t *)user != 0;
}
