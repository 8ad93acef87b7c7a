/* R-LIST with a reservation for every job: see list_all.c. */
#pragma once

#include "rigid/effects/agenda_internal.h"

/* One decision of R-LIST with a reservation for every job, if ranks hold for the scenario. a: the
 * ends of running jobs; NULL: they are in the calendar. */
orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err);
