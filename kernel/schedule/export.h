/* Writing a schedule out: text goes to a sink, piece by piece. */
#pragma once

#include "base/sink.h"
#include "schedule/schedule.h"

/* CSV with one row per attempt, in order of start, and the column names of Batsim and Evalys:
 * job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,
 * final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,
 * allocated_resources; behind them promised_starting_time,user,queue,policy,submission_date,
 * starting_date,finish_date, and where jobs may write checkpoints saved,checkpoints: the seconds of
 * work saved at the end of the attempt (all work where it completed; saved at its beginning while
 * it runs), and the number of its complete checkpoints (while it runs, up to the last one on
 * demand); then partition, account, qos and array, where the log has some; and where the instance
 * has pools or nodes what the job needs in all of each (columns of these names), and of nodes
 * allocated_nodes, those that it stands on, counted from 1, as `1-4,7`.
 *
 * The last attempt has the plain job id, earlier ones id#1, id#2. workload_name is w0, Batsim's
 * name of its only workload. success is 1 for a completed attempt, else 0. final_state is one of
 * Batsim's: COMPLETED_SUCCESSFULLY, COMPLETED_FAILED (an error was detected, or a node failed),
 * COMPLETED_WALLTIME_REACHED, COMPLETED_KILLED (by the policy), RUNNING. Times in seconds with 17
 * significant digits; waiting_time = start - submission, turnaround_time = finish - submission,
 * stretch = turnaround / execution (empty where the execution takes no time). allocated_resources
 * are intervals like `0-511 1024-1535`. A job that was cancelled before it ran has no row. Texts
 * with commas, quotes or line ends are quoted. promised_starting_time (s) is empty where no start
 * was promised, user and queue where the log has none, dates where the instance has no
 * origin. Every row names `policy`. */
ORR_API orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule,
                                  const char *policy, const orr_sink *sink, orr_error *err);

/* Where these rows go, and the name of the policy; both are borrowed until the run is over. */
typedef struct orr_rows {
    const orr_sink *sink;
    const char *policy;
} orr_rows;

/* Whether the rows can be written while the schedule is made (rigid/montecarlo.h): where no job
 * comes after others, writes checkpoints, or shares anything but processors. */
ORR_API bool orr_export_follows(const orr_instance *in);

/* Standard Workload Format (workload/writer.h) with one line per job. Wait and runtime belong to
 * the job's last attempt; the requested time is the estimate. The status is 1 for completed, 0 for
 * killed at the walltime, 5 for cancelled by the policy or from outside. A job cancelled from
 * outside that did not run then has a wait until the cancellation and no runtime (-1). Jobs that
 * are not over have -1 in wait, runtime and status. The header names `policy`. */
ORR_API orr_status orr_export_swf(const orr_instance *in, const orr_schedule *schedule,
                                  const char *policy, const orr_sink *sink, orr_error *err);
