/* The checker's part about what running attempts share, pools and limits: it counts what runs by
 * itself. */
#include "schedule/check_limits_internal.h"

#include "base/block_internal.h"
#include "base/print_internal.h"
#include "base/sort_internal.h"
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

/* What a limit was at first, before its turns. */
static int64_t most_at_first(const orr_instance *in, int32_t number, int64_t most)
{
    for (int32_t k = 0; k < in->turn_count; k++)
        most -= in->turns[k].of == number ? in->turns[k].by : 0;
    return most;
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

/* --- jobs that wait --------------------------------------------------------------------------- */

/* A job begins (by 1) or ceases (by -1) to wait, or is submitted (by 0); job < 0: what is shared
 * under the number -1 - job turns. */
typedef struct step {
    double time;   /* s */
    int64_t order; /* at this time */
    int64_t by;
    int32_t job;
} step;

static bool is_earlier(const void *x, const void *y)
{
    const step *a = x, *b = y;
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

/* All steps. sure: the number of jobs that wait is then the least that it may have been, and limits
 * the most, otherwise the other way round: the record does not tell what came before a submission
 * of the same time. gone: of each job, NULL: it was not withdrawn. */
static int64_t list_steps(const ori_checker *c, bool sure, const orr_withdrawal *const *gone,
                          step *steps)
{
    const orr_instance *in = c->in;
    const int64_t less = sure ? 0 : INT64_MAX, more = sure ? INT64_MAX : 0;
    int64_t count = 0;
    for (int32_t k = 0; k < in->turn_count; k++)
        steps[count++] = (step){in->turns[k].time, in->turns[k].by > 0 ? less : more,
                                in->turns[k].by, -1 - in->turns[k].of};
    for (int32_t j = 0; j < in->count; j++) {
        const orr_withdrawal *w = gone[j];
        bool refused = w && w->limit > 0;
        double submit = in->submit[j];
        if (c->partial && !c->submitted[j])
            continue;
        if (w && !refused && (w->time < submit || (sure && w->time == submit)))
            continue; /* perhaps it was never submitted */
        const int64_t own = 2 * (int64_t)j + 2;
        steps[count++] = (step){submit, own, 0, j};
        if (!refused) /* others may be released at this time, in any order */
            steps[count++] = (step){submit, in->links ? more : own + 1, 1, j};
        bool ran = c->last[j] >= 0 && c->s->attempts[c->last[j]].outcome == ORR_CANCELLED;
        if (w && !refused && !ran)
            steps[count++] = (step){w->time, less, -1, j};
    }
    for (int64_t i = 0; i < c->s->count; i++) {
        const orr_attempt *a = &c->s->attempts[i];
        steps[count++] = (step){a->start, less, -1, a->job};
        if (ori_waits_again(c->s, a))
            steps[count++] = (step){a->end, more, 1, a->job};
    }
    return count;
}

/* Whether a job was refused exactly where so many of its key waited. */
static orr_status check_waiting(const ori_checker *c, int32_t limit, bool sure,
                                const orr_withdrawal *const *gone, const step *steps, int64_t count,
                                int64_t *waiting)
{
    const orr_limit *l = &c->in->limits[limit];
    int64_t most = most_at_first(c->in, c->in->pool_count + limit, l->most);
    for (const step *s = steps; s < steps + count; s++) {
        int32_t key = s->job < 0 ? 0 : orr_limit_key(l, c->in->jobs, s->job);
        int32_t by = s->job >= 0 && gone[s->job] ? gone[s->job]->limit : 0; /* by which limit */
        waiting[key] += s->by;
        most += s->job == -1 - c->in->pool_count - limit ? s->by : 0;
        if (s->job < 0 || s->by != 0 || (sure ? key == 0 || by > 0 : by != limit + 1) ||
            (sure ? waiting[key] < most : key > 0 && waiting[key] >= most))
            continue;
        char text[128];
        return orr_fail(c->err, ORR_ERR_INTERNAL,
                        "schedule check: job %s is %s at %.17g by limit %s = %lld, %lld wait",
                        orr_jobs_id(c->in->jobs, s->job), sure ? "not refused" : "refused", s->time,
                        ori_limit_text(l, text), (long long)most, (long long)waiting[key]);
    }
    return ORR_OK;
}

static orr_status check_refusals(const ori_checker *c, int64_t keys, int64_t *waiting)
{
    const orr_instance *in = c->in;
    const int64_t most = 3 * (int64_t)in->count + 2 * c->s->count + in->turn_count;
    step *steps, *scratch;
    const orr_withdrawal **gone;
    ORI_SCRATCH(&c->s->alloc, ORI_ZEROED, c->err, ORI_PART(steps, most), ORI_PART(scratch, most),
                ORI_PART(gone, in->count));
    for (int64_t i = 0; i < c->s->withdrawal_count; i++)
        gone[c->s->withdrawals[i].job] = &c->s->withdrawals[i];
    for (int sure = 0; sure < 2; sure++) {
        int64_t count = list_steps(c, sure, gone, steps);
        ori_sort(steps, count, sizeof *steps, is_earlier, scratch);
        for (int32_t limit = 0; limit < in->limit_count; limit++) {
            if (in->limits[limit].of != ORR_AMOUNT_WAITING)
                continue;
            memset(waiting, 0, (size_t)keys * sizeof *waiting);
            ORI_TRY(check_waiting(c, limit, sure, gone, steps, count, waiting));
        }
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
        if ((pool && pool->number < 0) || (limit && limit->of == ORR_AMOUNT_WAITING))
            continue;
        shared s = {pool, limit, i, pool ? pool->amount : most_at_first(in, i, limit->most)};
        memset(used, 0, (size_t)keys * sizeof *used);
        ORI_TRY(check_shared(c, &s, ends, used));
    }
    return ori_limits_refuse(in) ? check_refusals(c, keys, used) : ORR_OK;
}
