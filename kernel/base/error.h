/* Errors: a status, and a message that tells the user what to mend.
 *
 * Every function that can fail returns an orr_status and, through its last argument, a message.
 * There is no global state: the caller owns the orr_error, usually on its stack. Passing NULL is
 * allowed everywhere; the status alone is then all the caller learns.
 *
 * Bad input and misbehaving policies are errors. A broken invariant inside the kernel is not: it
 * goes to the trap handler given when a simulation is created (see orr_trap). */
#pragma once

#include "base/api.h"

#include <stdarg.h>

typedef enum orr_status {
    ORR_OK = 0,
    ORR_ERR_MEMORY,    /* the allocator returned NULL */
    ORR_ERR_ARGUMENT,  /* a caller passed a value outside its documented range */
    ORR_ERR_INPUT,     /* a file that does not exist or may not be read, or content of a file or
                          text of an option that is not as expected */
    ORR_ERR_IO,        /* the operating system refused to read or write */
    ORR_ERR_POLICY,    /* a policy raised an error or took an impossible decision */
    ORR_ERR_LIMIT,     /* a limit that the user can set was reached */
    ORR_ERR_CANCELLED, /* the cancel flag was raised */
    ORR_ERR_INTERNAL   /* a broken invariant was reported to a trap handler that returned */
} orr_status;

enum { ORR_MESSAGE_SIZE = 2048 };

/* Which simulation of many failed: enough to run it again. Filled by the functions that run many
 * simulations. */
typedef struct orr_place {
    bool known;     /* false: the other fields mean nothing */
    int32_t policy; /* counted from 0; -1: the baseline that the policies are compared with */
    uint64_t seed, set;
    int64_t scenario; /* counted from 1 */
    double now;       /* simulated time, s; NaN before the simulation began */
} orr_place;

typedef struct orr_error {
    orr_status status;
    char message[ORR_MESSAGE_SIZE]; /* zero-terminated UTF-8, no newline at the end */
    orr_place place;
} orr_error;

/* Fills err (when not NULL) with the status and the formatted message, cut to ORR_MESSAGE_SIZE - 1
 * bytes, and returns the status, so that a function can end in `return orr_fail(...)`. */
ORR_API orr_status orr_fail(orr_error *err, orr_status status, const char *format, ...)
    ORR_PRINTF(3, 4);

/* ORR_ERR_MEMORY with a message that states how many bytes were requested. */
ORR_API orr_status orr_fail_memory(orr_error *err, size_t bytes);

/* Puts "prefix: " before a message that is already there (a file name, a policy's name). */
ORR_API void orr_error_prefix(orr_error *err, const char *format, ...) ORR_PRINTF(2, 3);

/* The report that a trap handler gets of a broken invariant: enough to run the simulation again. */
typedef struct orr_trap_report {
    const char *invariant; /* the condition that does not hold, as written in the source */
    const char *file;
    int line;
    uint64_t seed;
    int64_t scenario; /* counted from 1; 0 where there is none */
    double now;       /* simulated time, s */
} orr_trap_report;

/* Called on a broken invariant. A NULL handler stops the process with a machine trap. A handler
 * that returns makes the running call end with ORR_ERR_INTERNAL. */
typedef struct orr_trap {
    void (*handler)(void *user, const orr_trap_report *report);
    void *user;
} orr_trap;

/* A raised flag ends the runs that look at it with ORR_ERR_CANCELLED, at their next step. Another
 * thread or a signal handler may raise it: the accesses are atomic and take no lock. A flag begins
 * as zeros, and only the functions below touch its field. (Not an atomic_int, which C++ lacks.) */
typedef struct orr_cancel_flag {
    int raised;
} orr_cancel_flag;

static inline void orr_cancel_raise(orr_cancel_flag *flag)
{
    __atomic_store_n(&flag->raised, 1, __ATOMIC_SEQ_CST);
}

static inline void orr_cancel_clear(orr_cancel_flag *flag)
{
    __atomic_store_n(&flag->raised, 0, __ATOMIC_SEQ_CST);
}

/* NULL is a flag that nobody raises. */
static inline bool orr_is_cancelled(const orr_cancel_flag *flag)
{
    return flag && __atomic_load_n(&flag->raised, __ATOMIC_RELAXED) != 0;
}
