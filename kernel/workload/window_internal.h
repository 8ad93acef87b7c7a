/* Whom a window is for, and what reads into a list of them. Internal to the kernel. */
#pragma once

#include "workload/window.h"

/* Whether a job may use a window; job -1: one of nobody's. */
bool ori_window_admits(const orr_window *w, const orr_jobs *jobs, int32_t job);

/* The list's own. */
const orr_allocator *ori_windows_allocator(const orr_windows *windows);
