/* Days of instants. Not a public header. */
#ifndef ORR_WORKLOAD_UTC_INTERNAL_H
#define ORR_WORKLOAD_UTC_INTERNAL_H

#include "workload/utc.h"

/* The day, counted from 1970-01-01, that an instant is in. */
int64_t ori_utc_day(int64_t microseconds);

#endif
