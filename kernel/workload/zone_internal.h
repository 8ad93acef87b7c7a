/* Copies of zones: see zone.c. */
#pragma once

#include "workload/zone.h"

/* An equal, independent zone; NULL where `from` is. */
orr_status ori_zone_copy(orr_zone **zone, const orr_zone *from, const orr_allocator *given,
                         orr_error *err);
