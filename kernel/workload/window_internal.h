/* The admission of jobs to windows, and the reader of lists of windows. Internal to the kernel. */
#pragma once

#include "workload/window.h"

/* Whether a job may use a window; job -1: a job without owner. */
bool ori_window_admits(const orr_window *w, const orr_jobs *jobs, int32_t job);

/* The allocator of the list. */
const orr_allocator *ori_windows_allocator(const orr_windows *windows);
