/* The recording of how processors are spread. */
#ifndef ORR_MALLEABLE_RECORD_INTERNAL_H
#define ORR_MALLEABLE_RECORD_INTERNAL_H

#include "malleable/state_internal.h"

/* Records the spread after this instant; nothing without recording. */
orr_status ori_note_moment(orr_malleable *sim, orr_error *err);

#endif
