/* Jobs that come after others: they are submitted when the other jobs and their think times are
 * over. */
#include "rigid/effects/dependents_internal.h"

#include "base/try_internal.h"
#include "rigid/effects/waiting_internal.h"

#include <string.h>

/* Sets the slots of the jobs with unknown submission, which stand before the place `at`. */
static void place_unknown(ori_dependents *d, int32_t at)
{
    for (int32_t j = d->own.count; j-- > 0;)
        if (d->submit[j] == INFINITY) {
            d->slot[j] = --at;
            d->by_submission[at] = j;
        }
}

/* Moves the jobs with unknown submission in front of all others, which keep their order. */
static void bring_forward_unknown(ori_dependents *d)
{
    int32_t at = d->own.count;
    for (int32_t i = d->own.count; i-- > 0;) {
        int32_t job = d->by_submission[i];
        if (d->submit[job] < INFINITY)
            d->by_submission[--at] = job;
    }
    place_unknown(d, at);
}

orr_status ori_dependents_create(orr_rigid *sim, orr_error *err)
{
    ori_dependents *d = ori_new(&sim->shell.alloc, sizeof *d, err);
    if (!d)
        return ORR_ERR_MEMORY;
    sim->dependents = d;
    size_t n = (size_t)sim->in->count;
    const ori_part parts[] = {ORI_PART(d->submit, n), ORI_PART(d->due, n),
                              ORI_PART(d->by_submission, n), ORI_PART(d->left, n),
                              ORI_PART(d->slot, n)};
    ORI_TRY(ORI_BLOCK_CREATE(&d->block, parts, ORI_ZEROED, &sim->shell.alloc, err));
    d->own = *sim->in;
    d->own.submit = d->submit;
    d->own.by_submission = d->by_submission;
    memcpy(d->submit, sim->in->submit, n * sizeof *d->submit);
    memcpy(d->by_submission, sim->in->by_submission, n * sizeof *d->by_submission);
    sim->in = &d->own;
    return ORR_OK;
}

void ori_dependents_destroy(orr_rigid *sim)
{
    if (!sim->dependents)
        return;
    ori_block_destroy(&sim->dependents->block, &sim->shell.alloc);
    orr_release(&sim->shell.alloc, sim->dependents, sizeof *sim->dependents);
}

void ori_dependents_reset(orr_rigid *sim)
{
    ori_dependents *d = sim->dependents;
    const ori_links *links = d->own.links;
    for (int32_t j = 0; j < d->own.count; j++) {
        d->left[j] = links->first_before[j + 1] - links->first_before[j];
        d->due[j] = 0;
        if (d->left[j] > 0)
            d->submit[j] = INFINITY;
    }
    bring_forward_unknown(d);
}

void ori_dependents_copy(orr_rigid *to, const orr_rigid *from)
{
    memcpy(to->dependents->block.memory, from->dependents->block.memory,
           from->dependents->block.size);
}

void ori_dependents_take(orr_rigid *to, const orr_rigid *from)
{
    ori_dependents *d = to->dependents;
    size_t n = (size_t)from->in->count;
    int32_t known = 0, count = d->own.count;
    memcpy(d->submit, from->in->submit, n * sizeof *d->submit);
    memcpy(d->left, from->dependents->left, n * sizeof *d->left);
    memcpy(d->due, from->dependents->due, n * sizeof *d->due);
    for (int32_t j = 0; j < count; j++)
        if (d->submit[j] < INFINITY)
            to->sorter.entries[known++] = (ori_rank_entry){0, d->submit[j], (uint32_t)j, j};
    ori_sorter_sort(&to->sorter, known, to->sorter.jobs);
    memcpy(d->by_submission + (count - known), to->sorter.jobs,
           (size_t)known * sizeof *d->by_submission);
    place_unknown(d, count - known);
}

void ori_dependents_loosen(orr_rigid *sim)
{
    for (int32_t i = 0; i < sim->group_count; i++)
        ori_group_loosen(&sim->groups[i]);
}

/* The submission of a job becomes known: the job takes its place among the jobs still to come. */
static void release(orr_rigid *sim, int32_t job, double time)
{
    ori_dependents *d = sim->dependents;
    int32_t last = sim->at.submitted + --sim->at.unreleased, at = last;
    int32_t other = d->by_submission[last];
    d->by_submission[d->slot[job]] = other;
    d->slot[other] = d->slot[job];
    for (; at + 1 < d->own.count; at++) {
        int32_t next = d->by_submission[at + 1];
        if (d->submit[next] > time || (d->submit[next] == time && next > job))
            break;
        d->by_submission[at] = next;
    }
    d->by_submission[at] = job;
    d->submit[job] = time;
    if (sim->arrivals)
        sim->arrivals[job] = time;
}

/* Notes that one of the jobs that `job` comes after is over. */
static void come_closer(orr_rigid *sim, int32_t job, int32_t ended, double end)
{
    ori_dependents *d = sim->dependents;
    const ori_links *links = d->own.links;
    for (int32_t i = links->first_before[job]; i < links->first_before[job + 1]; i++) {
        if (links->before[i] != ended)
            continue;
        double due = ori_link_due(&d->own, job, links->think[i], end);
        d->due[job] = due > d->due[job] || links->any[job] ? due : d->due[job];
    }
    if ((--d->left[job] == 0 || links->any[job]) && d->submit[job] == INFINITY)
        release(sim, job, d->due[job]);
}

void ori_dependents_end(orr_rigid *sim, int32_t job, double end)
{
    ori_dependents *d = sim->dependents;
    const ori_links *links = d->own.links;
    if (d->submit[job] == INFINITY) /* cancelled before its submission */
        release(sim, job, end);
    for (int32_t i = links->first_behind[job]; i < links->first_behind[job + 1]; i++)
        come_closer(sim, links->behind[i], job, end);
}

orr_status ori_dependents_ask(orr_rigid *sim, int32_t job, orr_error *err)
{
    return ori_is_linked(sim->in->links, job) ? ori_groups_ask(sim, job, err) : ORR_OK;
}

void ori_rigid_skip_submitted(orr_rigid *sim)
{
    int32_t job;
    while ((job = ori_rigid_coming(sim)) >= 0 && sim->state[job] != ORR_JOB_PENDING)
        ori_rigid_advance(sim);
}
