/* Metrics from what an engine leaves behind. Not a public header. */
#pragma once

#include "schedule/metrics.h"

/* Adds `count` processors (negative: takes away) to those that are absent from `time` on, s. */
void ori_totals_absent(orr_run_totals *t, const orr_instance *in, int32_t count, double time);

/* The same of the clock's time, where `last_end` is the latest end of an attempt so far, s. */
void ori_totals_absent_now(orr_run_totals *t, const orr_instance *in, int32_t count, double now,
                           double last_end);

/* The metrics of a run that is over. */
orr_metrics ori_measure(const orr_instance *in, const orr_run *run);
