/* The filter of a process's system calls, for work on behalf of people who are not trusted.
 *
 * The filter (seccomp, by libseccomp) allows opening files for reading. It forbids writing, making,
 * moving and removing files, starting and signalling processes, and the network. Threads are
 * allowed. Where the kernel has Landlock, files can also be read only beneath the paths of a list.
 * ORR_FILTER_FOLDER allows files and processes, and needs Landlock to say which. The filter holds
 * for the calling process, its threads and what it starts, and cannot be removed. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ORR_FORBIDDEN = 125 }; /* exit status of a process that made a call which is not allowed */

typedef enum orr_filter_kind {
    ORR_FILTER_RUN,     /* a forbidden call ends the process, which names the call */
    ORR_FILTER_DRAWING, /* a forbidden call fails; it may become another program (execve) */
    ORR_FILTER_FOLDER   /* the same; it also starts processes, and writes files beneath `writes` */
} orr_filter_kind;

/* Lists of paths, each ended by NULL; missing paths are left out. */
typedef struct orr_filter_paths {
    const char *const *reads;  /* what can be read; NULL: everything */
    const char *const *runs;   /* programs, or folders of them; NULL: none */
    const char *const *writes; /* folders, and devices, of which all can be read, too; NULL: none */
} orr_filter_paths;

orr_status orr_filter_set(orr_filter_kind kind, const orr_filter_paths *paths, orr_error *err);

/* The version of Landlock; 0: it is missing. */
int orr_filter_landlock(void);
