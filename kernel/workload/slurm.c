/* Slurm's jobs: their states, and which states are left out of a workload. */
#include "slurm_internal.h"

#include <math.h>
#include <string.h>

size_t ori_slurm_state(const char *text, size_t size, char state[ORI_SLURM_STATE_SIZE])
{
    size_t n = 0;
    for (; n < size && n + 1 < ORI_SLURM_STATE_SIZE; n++) {
        char c = text[n];
        if (c == ' ' || c == '+')
            break;
        state[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    state[n] = '\0';
    return n;
}

bool ori_slurm_is_unfinished(const char *state)
{
    static const char *const states[] = {"pending",     "running",    "suspended",
                                         "configuring", "completing", "resizing",
                                         "signaling",   "stage_out",  "stopped"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (state[0] == states[i][0] && strcmp(state, states[i]) == 0)
            return true;
    return false;
}

/* A job that was held, is to begin later or comes after another one may start later than it was
 * submitted. That time counts, unless it cannot be right. Jobs that come after others in the
 * simulation, too, are submitted as their users did it. */
static void set_submission(const ori_read_context *context, ori_record *record)
{
    const ori_stamp *eligible = &record->eligible;
    if (context->options.submitted == ORR_SUBMITTED_SUBMIT || !eligible->known ||
        !record->submitted.known || eligible->us <= record->submitted.us ||
        (record->started.known && record->started.us < eligible->us) ||
        (record->after && record->after->size > 0))
        return;
    record->submitted = *eligible;
    record->remarks |= 1U << ORR_REMARK_ELIGIBLE;
}

void ori_slurm_derive_times(ori_read_context *context, bool has_start)
{
    ori_record *record = &context->record;
    record->calendar = true;
    set_submission(context, record);
    if (isnan(record->time) && record->started.known && record->ended.known &&
        record->ended.us >= record->started.us)
        record->time = (double)(record->ended.us - record->started.us) / 1e6;
    if (has_start && !record->started.known)
        record->time = NAN;
    ori_record_set_wait(record);
}

orr_status ori_slurm_add(ori_read_context *context, const char *state, bool has_end, orr_error *err)
{
    const ori_record *record = &context->record;
    if (state[0] == '\0' && has_end && !record->ended.known)
        return ori_record_drop(context, ORR_DROP_UNFINISHED, err);
    if (!(record->time > 0) && strcmp(state, ORR_STATUS_CANCELLED) == 0)
        return ori_record_drop(context, ORR_DROP_NEVER_RAN, err);
    return ori_record_add(context, err);
}

static bool is_of_id(char c)
{
    return (unsigned)c - '0' <= 9 || c == '_';
}

void ori_slurm_dependencies(const char *text, size_t size, ori_after *after)
{
    static const char *const words[] = {"afterok:", "afterany:", "afternotok:", "aftercorr:"};
    const char *end = text + size;
    if (after->size > 0) /* the columns give the same dependencies */
        return;
    for (const char *p = text; p < end; p++) {
        size_t word = 0, length = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && length == 0; i++) {
            word = strlen(words[i]);
            if ((size_t)(end - p) > word && memcmp(p, words[i], word) == 0)
                length = word;
        }
        for (p += length; length > 0 && p < end && is_of_id(*p); p += p < end && *p == ':') {
            const char *begin = p;
            while (p < end && is_of_id(*p))
                p++;
            ori_after_add(after, begin, (size_t)(p - begin), "");
        }
    }
}
