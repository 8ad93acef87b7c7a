/* The ends of the running attempts in a sorted list, which is faster than the calendar if few
 * attempts run at a time. For the special loops (greedy.c, list_loop.c): they take the ends from
 * the calendar and put them back. */
#pragma once

#include "rigid/effects/attempts_internal.h"

typedef struct ori_running {
    double end; /* s */
    int32_t job;
} ori_running;

/* The attempt that ends first stands last in the list. The list grows at its other end, into free
 * memory in front of it: attempts that start mostly end later than most that run. */
typedef struct ori_agenda {
    ori_running *at;
    int32_t count;
    ori_running *memory; /* `at` lies in its first `room` */
    int32_t room, most;
} ori_agenda;

enum { ORI_SOME_ATTEMPTS = 256 };

/* An empty list, in memory for `most` attempts. It is seldom moved where few of these run. */
static inline ori_agenda ori_agenda_in(ori_running *memory, int32_t most)
{
    int32_t room = most < ORI_SOME_ATTEMPTS ? most : ORI_SOME_ATTEMPTS;
    return (ori_agenda){.at = memory + room, .memory = memory, .room = room, .most = most};
}

static inline ori_running ori_agenda_first(const ori_agenda *a)
{
    return a->at[a->count - 1];
}

/* The second end, s; inf: there is none. */
static inline double ori_agenda_second(const ori_agenda *a)
{
    return a->count > 1 ? a->at[a->count - 2].end : INFINITY;
}

/* Moves the list to the end of its memory; of what it does not need nothing is touched. */
static inline void ori_agenda_move(ori_agenda *a)
{
    if (a->count > a->room / 2)
        a->room = a->most - a->room < a->room ? a->most : 2 * a->room;
    ori_running *to = a->memory + (a->room - a->count);
    memmove(to, a->at, (size_t)a->count * sizeof *to);
    a->at = to;
}

/* There must be room. */
static inline void ori_agenda_add(ori_agenda *a, double end, int32_t job)
{
    if (ORR_UNLIKELY(a->at == a->memory))
        ori_agenda_move(a);
    ori_running *at = --a->at;
    for (int32_t later = a->count++; later > 0 && at[1].end >= end; later--, at++)
        at[0] = at[1];
    *at = (ori_running){end, job};
}

static inline void ori_agenda_take(ori_agenda *a, const ori_calendar *ends)
{
    a->at = a->memory + a->room;
    a->count = 0;
    for (int32_t i = 0; i < ends->count; i++)
        ori_agenda_add(a, ends->heap[i].time, (int32_t)ends->heap[i].payload);
}

static inline void ori_agenda_put_back(ori_agenda *a, ori_calendar *ends)
{
    ori_calendar_clear(ends);
    while (a->count > 0) {
        ori_running r = a->at[--a->count];
        ori_calendar_push(ends, r.end, 0, r.job);
    }
}

/* The plan of the running jobs from `now` on. */
static inline void ori_agenda_plan(const ori_agenda *a, const orr_rigid *sim, double now,
                                   ori_plan *p)
{
    int32_t last = 0, free = sim->groups[0].at.free;
    p->time[0] = now;
    p->available[0] = free;
    for (int32_t i = a->count - 1; i >= 0; i--) {
        last += last == 0 || a->at[i].end != p->time[last];
        p->time[last] = a->at[i].end;
        p->available[last] = free += sim->jobs->procs[a->at[i].job];
    }
    p->count = last + 1;
    p->time[p->count] = INFINITY;
}

/* Begins an attempt of a job that does not run, at `now`; *end is the real end, s. */
static inline orr_status ori_rigid_retry(orr_rigid *sim, int32_t job, double now, double *end,
                                         orr_error *err)
{
    sim->shell.now = sim->start[job] = now;
    sim->planned_end[job] = orr_planned_end(sim->in, job, now);
    sim->attempts[job]++;
    *end = orr_real_end(sim->in, job, now);
    return ORR_LIKELY(sim->planned_end[job] < INFINITY) ? ORR_OK
                                                        : ori_rigid_never_ends(sim, job, err);
}

/* Starts a waiting job that fits and ends as planned; also in the plan, if that is valid. */
static inline orr_status ori_agenda_start(ori_agenda *a, orr_rigid *sim, int32_t job,
                                          orr_error *err)
{
    ori_group *g = &sim->groups[0];
    int32_t procs = sim->jobs->procs[job];
    double end;
    ORI_TRY(ori_rigid_retry(sim, job, sim->shell.now, &end, err));
    ori_queue_remove(&g->order.queue, job);
    ori_agenda_add(a, end, job);
    if (g->plan_valid)
        ori_plan_reserve(&g->plan, 0, end, procs);
    sim->state[job] = ORR_JOB_RUNNING;
    g->at.free -= procs;
    return ORR_OK;
}
