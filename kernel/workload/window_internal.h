/* The admission of jobs to windows, and the reader of lists of windows. Internal to the kernel. */
#pragma once

#include "workload/window.h"

/* Whether a job may use a window; job -1: a job without owner. */
bool ori_window_admits(const orr_window *w, const orr_jobs *jobs, int32_t job);

/* The allocator of the list. */
const orr_allocator *ori_windows_allocator(const orr_windows *windows);

/* Finds the pool of what is closed, and refuses with the status `wrong` one that is not there, or
 * has less. nodes: of the machine, or NULL. */
orr_status ori_closing_pool(const orr_closing *one, const orr_pool *pools, int32_t count,
                            const orr_nodes *nodes, orr_status wrong, int32_t *pool,
                            orr_error *err);
