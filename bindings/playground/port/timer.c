/* Timers without signals: the interpreter counts its jumps (jumps.h), and reads the clock from time
 * to time. It is the wall clock: a worker has no other. */
#include "bindings/host/timer.h"
#include "bindings/playground/port/jumps.h"

#include <emscripten.h>

enum { JUMPS = 100000, TIMERS = 32 };

int orr_port_jumps = JUMPS;

static struct {
    orr_timer *timer;
    double period, due; /* ms */
} timers[TIMERS];
static int count;

/* At most one tick: time spent in C before does not count for a call. */
void orr_port_look(void)
{
    orr_port_jumps = JUMPS;
    if (count == 0)
        return;
    double now = emscripten_get_now();
    for (int i = 0; i < count; i++)
        if (now >= timers[i].due) {
            timers[i].due = now + timers[i].period;
            timers[i].timer->tick(timers[i].timer->user);
        }
}

void orr_timer_hold(void) {}

void orr_timer_release(void) {}

orr_status orr_timer_start(orr_timer *timer, double period, void (*tick)(void *user), void *user,
                           orr_error *err)
{
    if (count == TIMERS)
        return orr_fail(err, ORR_ERR_LIMIT, "no timer to keep limits.seconds with: %d run already",
                        count);
    *timer = (orr_timer){.tick = tick, .user = user, .runs = true};
    timers[count].timer = timer;
    timers[count].period = 1000 * period;
    timers[count].due = emscripten_get_now() + 1000 * period;
    count++;
    return ORR_OK;
}

void orr_timer_stop(orr_timer *timer)
{
    for (int i = 0; timer->runs && i < count; i++)
        if (timers[i].timer == timer) {
            timers[i] = timers[--count];
            break;
        }
    timer->runs = false;
}
