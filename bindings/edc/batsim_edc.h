/* The C interface of Batsim 5 to external decision components that are libraries, as Batsim
 * publishes it (batsim_edc.h). Functions return 0, or 1 after an error, whose message is on stderr.
 *
 * Messages are text in JSON (ORR_EDC_JSON in the flags); the binary format is refused. Batsim
 * starts a component with a text, here the policy: its name or path, or an object in JSON:
 *     { "policy": "dispatch/easy", "priority": "priority/spt", "options": {}, "seed": 1,
 *       "walltime": 3600 }
 * where `walltime` (s) is for jobs without a walltime; without it such jobs are rejected. */
#pragma once

#include "base/api.h"

#include <stdint.h>

enum { ORR_EDC_BINARY = 1, ORR_EDC_JSON = 2 };

ORR_API uint8_t batsim_edc_init(const uint8_t *data, uint32_t size, uint32_t flags);
ORR_API uint8_t batsim_edc_deinit(void);

/* *decisions is valid until the next call. */
ORR_API uint8_t batsim_edc_take_decisions(const uint8_t *what_happened, uint32_t size,
                                          uint8_t **decisions, uint32_t *decisions_size);
