/* What all parts of the checker of stints say when a rule is broken. */
#include "check_stints_internal.h"

const char *ori_stop_name(orr_stop why)
{
    static const char *const names[] = {"running", "completed", "struck", "moved", "cancelled"};
    return (unsigned)why < 5 ? names[why] : "unknown";
}

orr_status ori_about_stint(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    bool known = s->task >= 0 && s->task < c->tasks->count;
    orr_error_prefix(c->err, "stint check: task %s, stint %lld from %.17g to %.17g (%s)",
                     known ? orr_tasks_id(c->tasks, s->task) : "?", (long long)i, s->start, s->stop,
                     ori_stop_name(s->why));
    return ORR_ERR_INTERNAL;
}

orr_status ori_about_change(ori_stints_checker *c, int64_t k)
{
    orr_error_prefix(c->err, "stint check: change %lld at %.17g", (long long)k,
                     c->s->changes[k].time);
    return ORR_ERR_INTERNAL;
}
