/* The independent check of a co-schedule: it computes from `pack` and `procs` of every task, and
 * compares all other fields with the result. */
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "packs/check_coschedule_internal.h"
#include "packs/coschedule_internal.h"

/* The sums over the tasks of a pack. */
typedef struct tally {
    int64_t procs;
    double cost;
    int32_t tasks;
} tally;

orr_status ori_pack_check_place(const orr_pack_problem *problem, int32_t task, int32_t pack,
                                int32_t packs, orr_error *err)
{
    ORI_REFUSE(pack < 0 || pack >= packs, err, "task %s is in no pack",
               orr_tasks_id(problem->tasks, task));
    return ORR_OK;
}

orr_status ori_pack_check_procs(const orr_pack_problem *problem, int32_t task, int32_t procs,
                                orr_error *err)
{
    ORI_REFUSE(procs < problem->least[task] || procs > problem->procs, err,
               "task %s runs on %d to %d processors, not on %d", orr_tasks_id(problem->tasks, task),
               (int)problem->least[task], (int)problem->procs, (int)procs);
    return ORR_OK;
}

static orr_status count_tasks(const orr_pack_problem *problem, const orr_coschedule *c,
                              tally *tallies, orr_error *err)
{
    for (int32_t i = 0; i < problem->count; i++) {
        ORI_TRY(ori_pack_check_place(problem, i, c->pack[i], c->packs, err));
        ORI_TRY(ori_pack_check_procs(problem, i, c->procs[i], err));
        tally *t = &tallies[c->pack[i]];
        double time = orr_task_time(problem->tasks, i, c->procs[i]);
        t->tasks++;
        t->procs += c->procs[i];
        t->cost = time > t->cost ? time : t->cost;
    }
    return ORR_OK;
}

static orr_status check_pack(const orr_pack_problem *problem, const orr_coschedule *c, int32_t pack,
                             const tally *t, orr_error *err)
{
    ORI_REFUSE(t->tasks == 0, err, "pack %d is empty", (int)pack + 1);
    ORI_REFUSE(t->tasks > problem->most, err, "pack %d has %d tasks, at most %d are allowed",
               (int)pack + 1, (int)t->tasks, (int)problem->most);
    ORI_REFUSE(t->procs > problem->procs, err,
               "the tasks of pack %d have %lld processors, there are %d", (int)pack + 1,
               (long long)t->procs, (int)problem->procs);
    ORI_REFUSE(t->cost != c->cost[pack], err, "pack %d costs %.17g s, not %.17g s", (int)pack + 1,
               t->cost, c->cost[pack]);
    return ORR_OK;
}

/* Checks that `first` and `order` agree with `pack`. */
static orr_status check_lists(const orr_coschedule *c, orr_error *err)
{
    bool good = c->first[0] == 0 && c->first[c->packs] == c->count;
    for (int32_t b = 0; good && b < c->packs; b++)
        for (int32_t at = c->first[b]; good && at < c->first[b + 1]; at++)
            good = c->pack[c->order[at]] == b &&
                   (at == c->first[b] || c->order[at - 1] < c->order[at]);
    ORI_REFUSE(!good, err, "the lists of tasks are not what packs say");
    return ORR_OK;
}

static orr_status check_all(const orr_pack_problem *problem, const orr_coschedule *c,
                            tally *tallies, orr_error *err)
{
    double total = 0;
    ORI_TRY(count_tasks(problem, c, tallies, err));
    for (int32_t b = 0; b < c->packs; b++) {
        ORI_TRY(check_pack(problem, c, b, &tallies[b], err));
        total += tallies[b].cost;
    }
    ORI_REFUSE(total != c->total, err, "the co-schedule costs %.17g s, not %.17g s", total,
               c->total);
    return check_lists(c, err);
}

orr_status orr_coschedule_check(const orr_pack_problem *problem, const orr_coschedule *coschedule,
                                orr_error *err)
{
    ORI_REFUSE(coschedule->count != problem->count || coschedule->packs < 1 ||
                   coschedule->packs > problem->count,
               err, "%d tasks in %d packs are no co-schedule of %d tasks", (int)coschedule->count,
               (int)coschedule->packs, (int)problem->count);
    tally *tallies;
    ORI_SCRATCH(&problem->alloc, ORI_ZEROED, err, ORI_PART(tallies, coschedule->packs));
    return check_all(problem, coschedule, tallies, err);
}
