/* The checker's part about what running attempts share, pools and limits: it counts what runs by
 * itself. */
#include "schedule/check_limits_internal.h"

#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"
#include "workload/limit_internal.h"

#include <string.h>

/* What is shared: a pool (READINGS 55), which all jobs have one key for, or what a limit is on
 * (READINGS 57). */
typedef struct shared {
    const orr_pool *pool; /* NULL: a limit */
    const orr_limit *limit;
    int32_t number; /* in orr_turn.of */
    int64_t most;   /* at first */
} shared;

/* 0: the job has no share. */
static int32_t key_of(const ori_checker *c, const shared *s, int32_t job)
{
    return s->pool ? 1 : orr_limit_key(s->limit, c->in->jobs, job);
}

static int64_t use_of(const ori_checker *c, const shared *s, int32_t job)
{
    return s->pool ? orr_jobs_need(c->in->jobs, job, s->pool->number)
                   : orr_limit_use(s->limit, c->in->jobs, job);
}

/* Whether each attempt that has a share, with all of its key that run at its start, is within what
 * there is then. What runs on when there is less is no violation. */
static orr_status check_shared(const ori_checker *c, const shared *s, const ori_ended *ends,
                               int64_t *used)
{
    const orr_attempt *attempts = c->s->attempts;
    const orr_turn *turns = c->in->turns;
    int32_t turned = 0;
    int64_t most = s->most;
    for (int64_t i = 0, over = 0; i < c->s->count; i++) {
        for (; ends[over].end <= attempts[i].start && ends[over].attempt < i; over++) {
            int32_t job = attempts[ends[over].attempt].job;
            used[key_of(c, s, job)] -= use_of(c, s, job);
        }
        for (; turned < c->in->turn_count && turns[turned].time <= attempts[i].start &&
               turns[turned].attempts <= i;
             turned++)
            most += turns[turned].of == s->number ? turns[turned].by : 0;
        int32_t key = key_of(c, s, attempts[i].job);
        int64_t use = use_of(c, s, attempts[i].job);
        char text[128], what[192];
        used[key] += use;
        if (key == 0 || use == 0 || used[key] <= most)
            continue;
        if (s->pool)
            ori_snprintf(what, sizeof what, "more of pool %s is in use than there is",
                         s->pool->name);
        else
            ori_snprintf(what, sizeof what, "exceeds a limit (%s); in use with it",
                         ori_limit_text(s->limit, text));
        return ori_check_violation(c, i, what, (double)used[key], (double)most);
    }
    return ORR_OK;
}

orr_status ori_check_limits(const ori_checker *c, const ori_ended *ends)
{
    const orr_instance *in = c->in;
    const int64_t keys = 2 + (int64_t)in->jobs->names.count;
    int64_t *used;
    ORI_SCRATCH(&c->s->alloc, ORI_RAW, c->err, ORI_PART(used, keys));
    for (int32_t i = 0; i < in->pool_count + in->limit_count; i++) {
        const orr_pool *pool = i < in->pool_count ? &in->pools[i] : NULL;
        const orr_limit *limit = pool ? NULL : &in->limits[i - in->pool_count];
        if (pool && pool->number < 0)
            continue;
        shared s = {pool, limit, i, pool ? pool->amount : limit->most};
        for (int32_t k = 0; limit && k < in->turn_count; k++)
            s.most -= in->turns[k].of == i ? in->turns[k].by : 0;
        memset(used, 0, (size_t)keys * sizeof *used);
        ORI_TRY(check_shared(c, &s, ends, used));
    }
    return ORR_OK;
}
