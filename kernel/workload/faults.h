/* Faults: the times at which processors fail or tasks are struck.
 *
 * A source gives the faults of one run in order of time, whatever the policy does with them, so
 * that every policy of a comparison meets the same ones. Processors are 0 .. procs - 1.
 *
 *   exponential   superposition: one stream for the machine, gaps of mean mtbf / procs, the
 *                 processor uniform
 *   weibull, lognormal   renewal: every processor has a stream of its own (entity = processor) and
 *                 fails again after independent gaps with mean mtbf; all are new at time 0. Faults
 *                 at one instant come in order of processor.
 *   log           given: (time, processor) or (time, task), in order of time
 *
 * Lemons are a share of the processors, drawn for every run, that fail lemon_factor times as often.
 * Exponential: the additional faults of lemons come from a stream of their own, so that all other
 * faults stay as they are without lemons. Renewal: the gaps of lemons are shorter by the factor.
 * Processors that are added later are not lemons.
 *
 * Streams: (seed, set, run, `purpose`, entity), and of lemons ORR_PURPOSE_LEMONS. A million
 * processors are possible: each costs a few bytes until its next fault comes near. Nothing is
 * allocated between reset and the end of a run but by a renewal source whose window of faults
 * outgrows its memory. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "workload/resilience.h"
#include "workload/tasks.h"

typedef enum orr_fault_law {
    ORR_FAULTS_NONE,
    ORR_FAULTS_EXPONENTIAL,
    ORR_FAULTS_WEIBULL,
    ORR_FAULTS_LOGNORMAL,
    ORR_FAULTS_LOG
} orr_fault_law;

typedef struct orr_faults_setup {
    orr_fault_law law;
    int32_t procs;        /* >= 1 */
    double mtbf;          /* mean gap of one processor, s, > 0; INFINITY: no faults */
    double shape;         /* weibull: k > 0; lognormal: sigma > 0 */
    const orr_fault *log; /* borrowed; ORR_FAULTS_LOG only */
    int64_t log_count;
    const orr_allocator *alloc;
    orr_purpose purpose; /* 0: ORR_PURPOSE_FAULTS */
    double lemon_share;  /* of the processors, 0 to 1, not of a log; 0: no lemons */
    double lemon_factor; /* >= 1, finite */
} orr_faults_setup;

typedef struct orr_faults orr_faults;

/* NULL on failure: memory, or a number outside of its range. A source stands before its first fault
 * only after a reset. */
ORR_API orr_faults *orr_faults_create(const orr_faults_setup *setup, orr_error *err);
ORR_API void orr_faults_destroy(orr_faults *faults); /* NULL is fine */

/* Goes to the beginning of a run (counted from 1). */
ORR_API orr_status orr_faults_reset(orr_faults *faults, uint64_t seed, uint64_t set, uint64_t run,
                                    orr_error *err);

/* The fault that comes next; it stays the next one until it is taken. */
ORR_API orr_fault orr_faults_peek(const orr_faults *faults);

/* Takes it. ORR_ERR_MEMORY only. */
ORR_API orr_status orr_faults_take(orr_faults *faults, orr_error *err);

/* Reads a fault log: CSV with header `time,task` (tasks by id) or `time,processor`, sorted by time;
 * other columns are an error. Errors name path, line, column, what was expected and what was found:
 * a time that is negative, not finite or smaller than the one before, a task that is not among
 * `tasks`, a processor outside of 0 .. procs - 1. With `tasks` NULL only `time,processor` is
 * accepted.
 * *log (NULL for none) is freed with orr_release of *count * sizeof **log bytes. */
ORR_API orr_status orr_read_faults(const char *path, const orr_tasks *tasks, int32_t procs,
                                   orr_fault **log, int64_t *count, const orr_allocator *a,
                                   orr_error *err);
