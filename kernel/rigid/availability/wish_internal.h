/* A wish: a job, or a question of a policy, that looks for processors. Internal to this folder. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* `procs` processors from a start until (start + estimate) + verification, s. */
typedef struct ori_wish {
    int32_t job; /* -1: none */
    int32_t procs;
    double estimate, verification;
    bool lasts; /* a wish that takes no time holds its processors until the next double */
} ori_wish;

/* The end of a wish that starts at `start`. */
static inline double ori_wish_end(const ori_wish *w, double start)
{
    double end = (start + w->estimate) + w->verification;
    return w->lasts && !(end > start) ? nextafter(start, INFINITY) : end;
}

/* The end of what it holds: one that takes no time holds the instant of its start. */
static inline double ori_wish_holds_until(const ori_wish *w, double start)
{
    double end = ori_wish_end(w, start);
    return end > start ? end : nextafter(start, INFINITY);
}
