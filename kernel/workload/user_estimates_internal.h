/* Times that users ask for. Not a public header. */
#pragma once

#include "workload/user_estimates.h"

/* The first of the times that people ask for, as in logs 5 minutes to 10 days and then whole days,
 * that is at least `time`; all in s. */
double ori_round_walltime(double time);
