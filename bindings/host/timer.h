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
    struct orr_timer *next; /* of those that run in this thread */
    bool runs;
} orr_timer;

/* Whoever may start timers holds the handler of their signal, which passes on what is not from
 * them; when nobody does any more, the signal has the handler back that it had. */
void orr_timer_hold(void);
void orr_timer_release(void);

/* Every `period` s, until it is stopped. The timer stays where it is meanwhile. It fails where the
 * system has no timer left. */
orr_status orr_timer_start(orr_timer *timer, double period, void (*tick)(void *user), void *user,
                           orr_error *err);
void orr_timer_stop(orr_timer *timer); /* in that thread; one that does not run is fine */
