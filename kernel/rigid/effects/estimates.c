/* Estimates of the policy: asking for them, and correcting them when attempts outlive them. A
 * separate file because the kernel plans with sim->estimate, whatever its source. */
#include "rigid/effects/estimates_internal.h"

#include "rigid/effects/hooks_internal.h"
#include "schedule/schedule_internal.h"

#include <math.h>
#include <string.h>

/* The extensions of the planned end of an attempt that outlives its plan, s: for the first time,
 * the second, ...; Tsafrir, Etsion and Feitelson 2007, section 4.2. After the last, each extension
 * is twice the previous one, so that even an attempt of a billion years needs only a few
 * corrections. */
static const double corrections[] = {60,    300,   900,   1800,   3600,  7200,
                                     18000, 36000, 72000, 180000, 360000};
enum { LAST = sizeof corrections / sizeof *corrections - 1 };

static double correction(uint8_t times)
{
    return times <= LAST ? corrections[times] : ldexp(corrections[LAST], times - LAST);
}

orr_status ori_estimates_ask(orr_rigid *sim, int32_t job, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    double seconds = 0, most = sim->in->estimate[job];
    ori_situation here = {
        .hook = "estimate", .group = ori_group_of(sim, job)->index, .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = p->estimate(p->user, sim, job, &seconds, err);
    if (status == ORR_OK && !(seconds >= 0))
        status = orr_fail(err, ORR_ERR_POLICY,
                          "the estimate of job %s must be a number of seconds >= 0, it is %g",
                          orr_jobs_id(sim->jobs, job), seconds);
    sim->lengths[job] = seconds < most ? seconds : most;
    return ori_situation_end(sim, before, p->name, status, err);
}

double ori_estimates_begin(orr_rigid *sim, int32_t job, double end)
{
    double planned = ori_rigid_planned_end(sim, job, sim->shell.now);
    sim->outlived[job] = 0;
    return planned < end && !sim->asked.live ? planned : end;
}

double ori_estimates_later(orr_rigid *sim, int32_t job)
{
    double most = orr_planned_end(sim->in, job, sim->start[job]);
    if (sim->outlived[job] == UINT8_MAX)
        return most;
    double later = sim->shell.now + correction(sim->outlived[job]++);
    return later > sim->shell.now && later < most ? later : most; /* the clock may be too coarse */
}

void ori_estimates_take(orr_rigid *to, const orr_rigid *from, int32_t count)
{
    memcpy(to->outlived, from->outlived, (size_t)count);
    for (int32_t j = 0; j < count; j++) {
        double most = to->in->estimate[j];
        to->lengths[j] = from->lengths[j] < most ? from->lengths[j] : most;
    }
}

double ori_estimates_planned_end(const orr_rigid *to, int32_t job)
{
    double planned = to->planned_end[job], most = orr_planned_end(to->in, job, to->start[job]);
    return to->outlived && planned < most ? planned : most;
}

void ori_estimates_leave(orr_rigid *to)
{
    for (int32_t j = 0; j < to->in->count; j++) {
        if (to->state[j] != ORR_JOB_RUNNING)
            continue;
        to->planned_end[j] = ori_estimates_planned_end(to, j);
        if (!to->asked.live)
            ori_calendar_move(&to->ends, orr_real_end(to->in, j, to->start[j]), j);
        if (to->shell.record)
            ori_schedule_plan(&to->schedule, j, to->planned_end[j]);
    }
}
