/* The plan of nodes (READINGS 58, P5): when jobs can start, and where. The plan of a decision, or
 * of all promises, is what is free now, the planned ends of running jobs, and the reservations,
 * each of which has nodes of its own. A search goes through their times once, with what is free on
 * every node. Internal to this folder. */
#pragma once

#include "rigid/state/nodes_internal.h"

/* A job that starts gets the nodes of the last placement if that was for it now, else is placed;
 * writes its runs of processors. It has still to take its share. */
orr_status ori_nodes_start(orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                           orr_error *err);

/* A job that was placed now has the nodes that the policy's placement chooses, if it has one: of
 * what is free now, or for a promise, of what is free beside all others. */
orr_status ori_nodes_choose_now(orr_rigid *sim, int32_t job, orr_error *err);

/* --- a part of availability, see ori_share ---------------------------------------------------- */

bool ori_nodes_are_free(const orr_rigid *sim, const ori_wish *wish);
orr_status ori_nodes_begin(orr_rigid *sim, const struct ori_group *g, orr_error *err);
double ori_nodes_earliest(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                          double from);
/* Takes the nodes that the last search has found for this start, else those that the job had
 * reserved. */
orr_status ori_nodes_change(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                            double start, bool takes, orr_error *err);

/* A search that ends at a job's start has found no earlier one, or has: it leaves its nodes. */
void ori_nodes_keep_reserved(ori_nodes *n, int32_t job);
void ori_nodes_leave_reserved(ori_nodes *n, int32_t job);

/* Whether the nodes that a job has reserved are free from `start` to its end; now: whether they
 * are free now, and it starts there if it is started next. */
bool ori_nodes_has_reserved(orr_rigid *sim, const ori_wish *wish, double start);
bool ori_nodes_find_reserved(orr_rigid *sim, int32_t job);

/* A job, which was placed now, holds its share for a while as if it ran, and then no more. */
orr_status ori_nodes_try(orr_rigid *sim, int32_t job, orr_error *err);
void ori_nodes_end_try(orr_rigid *sim, int32_t job);

/* Takes a reservation out of the plan; returns its pieces, which are the caller's to give back or
 * to drop; -1: it has none. */
int32_t ori_nodes_lift(ori_nodes *n, int32_t job);

/* Takes a job's reservation, if it has one, out of the plan; its pieces stay. */
void ori_nodes_drop(ori_nodes *n, int32_t job);

/* Whether the only reservation of a job's nodes stays at its time if the job, which was placed now,
 * runs from now on and beyond that time. */
bool ori_nodes_spare(orr_rigid *sim, int32_t job);
