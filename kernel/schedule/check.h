/* The independent checker: is this schedule possible?
 *
 * It knows nothing of the engine or of any policy; it reads the recorded attempts and the instance
 * and verifies, exactly (no tolerance):
 *   - attempts stand in order of their starts; a job's attempts are numbered 1, 2, ...;
 *   - no attempt starts before its job's submission or the end of the attempt before;
 *   - every attempt ends when it must (orr_real_end), with the outcome it must have: all but the
 *     last failed, the last completed, or killed when the runtime exceeds the walltime;
 *   - the number of failed attempts is the scenario's, and every job is over (unless partial);
 *   - every attempt holds exactly its job's number of processors, all on the machine, and no
 *     processor is held by two attempts at once (which bounds the capacity, too). */
#ifndef ORR_SCHEDULE_CHECK_H
#define ORR_SCHEDULE_CHECK_H

#include "schedule/schedule.h"

/* ORR_OK, or ORR_ERR_INTERNAL with a message that names job, attempt, time and numbers of the first
 * violation. failures: one count per job (NULL: none may fail). partial: the run was stopped in the
 * middle; jobs need not be over and attempts may be running. */
ORR_API orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                                      const int32_t *failures, bool partial, orr_error *err);

#endif
