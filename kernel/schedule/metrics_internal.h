/* Metrics for the engines: see metrics.c. */
#pragma once

#include "schedule/metrics.h"

/* Adds `count` processors, or so much of an amount (negative: takes away), to what is absent from
 * `time` on, s; before the first submission nothing counts. ori_totals_begin: another submission is
 * the first one, no earlier than all these times. */
void ori_totals_begin(orr_run_totals *t, const orr_instance *in);
void ori_totals_absent(orr_run_totals *t, const orr_instance *in, double count, double time);

/* ori_totals_absent at the clock's time, where `last_end` is the latest end of an attempt so far,
 * s. */
void ori_totals_absent_now(orr_run_totals *t, const orr_instance *in, double count, double now,
                           double last_end);

/* What was absent, times the time, in the run of this makespan, or in the window, if any. */
double ori_totals_gone(const orr_run_totals *t, const orr_instance *in, double makespan);

/* The metrics of a run that is over; plain: as metrics.c defines them, without short ways. */
orr_metrics ori_measure(const orr_instance *in, const orr_run *run, bool plain);
