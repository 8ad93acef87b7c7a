/* The parts of a schedule as CSV, for a record that is written while it grows. Internal to this
 * folder. */
#pragma once

#include "base/text_internal.h"
#include "schedule/schedule.h"

enum { ORI_EXPORT_PIECE = 32768 }; /* bytes that the sink gets at once */

void ori_export_header(ori_text *t, const orr_instance *in, const orr_schedule *s);

/* The row of an attempt, which is its job's last one as far as the record says. */
void ori_export_attempt(ori_text *t, const orr_instance *in, const orr_schedule *s, int64_t i,
                        const char *policy);

/* Hands the rest on. ORR_ERR_IO: the sink refused. */
orr_status ori_export_finish(ori_text *t, orr_error *err);
