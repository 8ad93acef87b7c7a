/* The messages of broken rules, for the checker of schedules of jobs. */
#include "schedule/check_violation_internal.h"

orr_status ori_check_violation(const ori_checker *c, int64_t i, const char *what, double found,
                               double expected)
{
    static const char *const names[] = {"running",   "completed", "failed",     "killed",
                                        "preempted", "cancelled", "node failed"};
    const orr_attempt *a = &c->s->attempts[i];
    bool known = (unsigned)a->outcome < sizeof names / sizeof *names;
    return orr_fail(c->err, ORR_ERR_INTERNAL,
                    "schedule check: job %s, attempt %d from %.17g to %.17g (%s): %s: found %.17g, "
                    "expected %.17g",
                    orr_jobs_id(c->in->jobs, a->job), (int)a->number, a->start, a->end,
                    known ? names[a->outcome] : "unknown", what, found, expected);
}
