/* A timer that ticks in the thread that started it, in processor time of that thread. A tick comes
 * in the middle of anything, as a signal does, and may do only what a signal handler may. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <time.h>

typedef struct orr_timer {
    timer_t id;
    void (*tick)(void *user);
    void *user;
    bool runs;
} orr_timer;

/* Every `period` s, until it is stopped. The timer stays where it is meanwhile. It fails where the
 * system has no timer left. */
orr_status orr_timer_start(orr_timer *timer, double period, void (*tick)(void *user), void *user,
                           orr_error *err);
void orr_timer_stop(orr_timer *timer); /* one that does not run is fine */
