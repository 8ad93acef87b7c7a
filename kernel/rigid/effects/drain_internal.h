/* Processors are drained, come back, are retired: see drain.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Drains `count` processors of a group, the highest-numbered that are not drained, until `until`.
 * Bringing back returns `count` drained ones, the lowest-numbered, to service. */
orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err);
orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, orr_error *err);
/* The drained processors of the group come back at `until` at the earliest. */
orr_status ori_rigid_keep_drained(orr_rigid *sim, ori_group *g, double until, orr_error *err);

/* Lists as windows the processors that leave again at `until`, of `count` that are brought back as
 * above; each window ends when its processors would have come back. Returns the number of windows,
 * at most the number of processors. */
int64_t ori_rigid_list_leaving(const orr_rigid *sim, const ori_group *g, int32_t count,
                               double until, orr_window *list);

/* Processors low .. end - 1 are drained until `until` and no other time; 0: they come back. */
orr_status ori_rigid_set_drained(orr_rigid *sim, int32_t low, int32_t end, double until,
                                 orr_error *err);

/* Begins a given drain, or a window that lets attempts end. For processors that are drained already
 * the later end counts. */
orr_status ori_rigid_drain_outage(orr_rigid *sim, const orr_outage *outage, orr_error *err);

/* Drains the highest-numbered `count` processors for ever; other processors that were retired
 * before come back. */
orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err);

/* Takes over the down and drained processors of `from`, with their times. */
orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err);
