/* The whole library, for C11 and C++17 or later. Each header may be included alone instead.
 *
 *   base       errors, memory, random numbers, statistics
 *   workload   jobs and tasks: read, generated, cut into weeks; faults
 *   schedule   what was recorded of a run: metrics, checks, export
 *   rigid      the engine for jobs that keep their processors
 *   malleable  the engine for tasks whose processors change
 *   packs      tasks in packs that start together
 *
 * kernel/README.md tells how they are connected, kernel/examples/ has programs to begin from. */
#pragma once

#include "base/api.h"
#include "base/draw.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sink.h"
#include "base/stats.h"
#include "stats/ranks.h"
#include "stats/running.h"
#include "stats/series.h"

#include "workload/checkpoint.h"
#include "workload/description.h"
#include "workload/faults.h"
#include "workload/generate.h"
#include "workload/generate_lublin.h"
#include "workload/instance.h"
#include "workload/jobs.h"
#include "workload/labels.h"
#include "workload/limit.h"
#include "workload/nodes.h"
#include "workload/outages.h"
#include "workload/reader.h"
#include "workload/resilience.h"
#include "workload/select.h"
#include "workload/tasks.h"
#include "workload/user_estimates.h"
#include "workload/utc.h"
#include "workload/weeks.h"
#include "workload/window.h"
#include "workload/writer.h"
#include "workload/zone.h"

#include "schedule/attempt_spans.h"
#include "schedule/blocks.h"
#include "schedule/check.h"
#include "schedule/export.h"
#include "schedule/fidelity.h"
#include "schedule/metrics.h"
#include "schedule/procset.h"
#include "schedule/schedule.h"
#include "schedule/stints.h"
#include "schedule/timeline.h"

#include "sim/montecarlo.h"

#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"
#include "rigid/machine/node_failures.h"
#include "rigid/machine/scenario.h"
#include "rigid/montecarlo.h"
#include "rigid/queue/formula.h"
#include "rigid/queue/policy.h"
#include "rigid/queue/view.h"
#include "rigid/state/instant.h"
#include "rigid/whatif/change.h"
#include "rigid/whatif/live.h"
#include "rigid/whatif/why.h"

#include "malleable/change.h"
#include "malleable/decide.h"
#include "malleable/engine.h"
#include "malleable/expected.h"
#include "malleable/montecarlo.h"
#include "malleable/policy.h"

#include "packs/allocation.h"
#include "packs/bounds.h"
#include "packs/coschedule.h"
#include "packs/cut.h"
#include "packs/exact.h"
#include "packs/one_pack.h"
#include "packs/partition.h"
#include "packs/problem.h"
#include "packs/program.h"
