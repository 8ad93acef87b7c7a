/* The checker's part about limits: it counts what runs by itself. */
#include "schedule/check_limits_internal.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "workload/limit_internal.h"

#include "base/print_internal.h"

#include <math.h>
#include <string.h>

typedef struct ended {
    double end; /* s; first, for ori_is_less */
    int64_t attempt;
} ended;

/* One limit: whether each attempt, with all of its key that run at its start, is within it. */
static orr_status check_limit(const ori_checker *c, const orr_limit *limit, const ended *ends,
                              int64_t *used)
{
    const orr_attempt *attempts = c->s->attempts;
    for (int64_t i = 0, over = 0; i < c->s->count; i++) {
        for (; ends[over].end <= attempts[i].start && ends[over].attempt < i; over++) {
            int32_t job = attempts[ends[over].attempt].job;
            used[orr_limit_key(limit, c->in->jobs, job)] -= orr_limit_use(limit, c->in->jobs, job);
        }
        int32_t key = orr_limit_key(limit, c->in->jobs, attempts[i].job);
        used[key] += orr_limit_use(limit, c->in->jobs, attempts[i].job);
        char text[128], what[192];
        if (key == 0 || used[key] <= limit->most)
            continue;
        ori_snprintf(what, sizeof what, "exceeds a limit (%s); in use with it",
                     ori_limit_text(limit, text));
        return ori_check_violation(c, i, what, (double)used[key], (double)limit->most);
    }
    return ORR_OK;
}

orr_status ori_check_limits(const ori_checker *c)
{
    const int64_t count = c->s->count, keys = 2 + (int64_t)c->in->jobs->names.count;
    ended *ends, *scratch;
    int64_t *used;
    if (c->in->limit_count == 0 || count == 0)
        return ORR_OK;
    ORI_SCRATCH(&c->s->alloc, ORI_RAW, c->err, ORI_PART(ends, count), ORI_PART(scratch, count),
                ORI_PART(used, keys));
    for (int64_t i = 0; i < count; i++) {
        const orr_attempt *a = &c->s->attempts[i];
        ends[i] = (ended){a->outcome == ORR_RUNNING ? INFINITY : a->end, i};
    }
    ori_sort(ends, count, sizeof *ends, ori_is_less, scratch);
    for (int32_t l = 0; l < c->in->limit_count; l++) {
        memset(used, 0, (size_t)keys * sizeof *used);
        ORI_TRY(check_limit(c, &c->in->limits[l], ends, used));
    }
    return ORR_OK;
}
