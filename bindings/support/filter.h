/* The filter of a process's system calls, for work on behalf of people who are not trusted.
 *
 * The filter (seccomp, by libseccomp) allows opening files for reading. It forbids writing, making,
 * moving and removing files, starting and signalling processes, and the network. Threads are
 * allowed. Where the kernel has Landlock, files can also be read only beneath the paths of a list.
 * The filter holds for the calling process and its threads, and cannot be removed. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ORR_FORBIDDEN = 125 }; /* exit status of a process that made a call which is not allowed */

typedef enum orr_filter_kind {
    ORR_FILTER_RUN,    /* a forbidden call ends the process, which names the call */
    ORR_FILTER_DRAWING /* a forbidden call fails; the process may become another program (execve) */
} orr_filter_kind;

/* paths: the readable paths, ended by NULL; missing ones are left out. NULL: everything. */
orr_status orr_filter_set(orr_filter_kind kind, const char *const *paths, orr_error *err);

/* The version of Landlock; 0: it is missing. */
int orr_filter_landlock(void);
