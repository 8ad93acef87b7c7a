/* What a process may still ask of the system: for work on behalf of people who are not trusted.
 *
 * The filter is one of system calls (seccomp, by libseccomp): files can be opened to be read,
 * nothing can be opened to be written, made, moved or removed; no process is started, no other one
 * is signalled, there is no network. Threads are allowed. Where the kernel has Landlock, files can
 * be read only beneath the paths of a list, too. It holds for the calling process and its threads,
 * and cannot be taken off again. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ORR_FORBIDDEN = 125 }; /* exit status of a process that made a call which is not allowed */

typedef enum orr_filter_kind {
    ORR_FILTER_RUN,    /* a call that is not allowed ends the process, which names the call */
    ORR_FILTER_DRAWING /* it fails; and the process may become another program, once it is there */
} orr_filter_kind;

/* paths: what may be read, until NULL; those that are not there are left out. NULL: everything. */
orr_status orr_filter_set(orr_filter_kind kind, const char *const *paths, orr_error *err);

/* How far Landlock goes here: its version, 0 where there is none. */
int orr_filter_landlock(void);
