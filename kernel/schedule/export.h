/* Writing a schedule out. The kernel opens no files: text goes to a sink, piece by piece. */
#ifndef ORR_SCHEDULE_EXPORT_H
#define ORR_SCHEDULE_EXPORT_H

#include "schedule/schedule.h"

/* Takes `size` bytes of text; false stops the export with ORR_ERR_IO. */
typedef struct orr_sink {
    bool (*write)(void *user, const char *text, size_t size);
    void *user;
} orr_sink;

/* CSV with one row per attempt, in order of start, and the column names of Batsim and Evalys:
 * job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,
 * execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources.
 *
 * The last attempt has the plain job id, earlier ones id#1, id#2. success is 1 for a completed
 * attempt, else 0. Times in seconds with 17 significant digits; waiting_time = start - submission,
 * turnaround_time = finish - submission, stretch = turnaround / execution (empty where the
 * execution takes no time). allocated_resources are intervals like `0-511 1024-1535`. Ids with
 * commas, quotes or line ends are quoted. */
ORR_API orr_status orr_export_csv(const orr_instance *in, const orr_schedule *schedule,
                                  const orr_sink *sink, orr_error *err);

#endif
