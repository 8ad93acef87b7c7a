/* Copies and clocks of zones: see zone.c. */
#pragma once

#include "workload/zone.h"

/* What the clocks of a zone show, in microseconds since 1970 as if it were UTC. */
int64_t ori_zone_local(const orr_zone *zone, int64_t us);

/* An equal, independent zone; NULL where `from` is. */
orr_status ori_zone_copy(orr_zone **zone, const orr_zone *from, const orr_allocator *given,
                         orr_error *err);
