/* The admission of jobs to windows, the reader of lists of windows, and the pools of closings.
 * Internal to the kernel. */
#pragma once

#include "workload/window.h"

/* Whether a job may use a window; job -1: a job without owner. */
bool ori_window_admits(const orr_window *w, const orr_jobs *jobs, int32_t job);

/* The allocator of the list. */
const orr_allocator *ori_windows_allocator(const orr_windows *windows);

/* The place of the pool of a name in a list; -1: there is none. */
int32_t ori_find_pool(const orr_pool *pools, int32_t count, const char *name);

/* Finds the pool of what is closed, and refuses with the status `wrong` one that is not there, or
 * has less. nodes: of the machine, or NULL. */
orr_status ori_closing_pool(const orr_closing *one, const orr_pool *pools, int32_t count,
                            const orr_nodes *nodes, orr_status wrong, int32_t *pool,
                            orr_error *err);
