/* Parts of a log, read by several threads and put together. Formats do not know of it, except for
 * ori_format.part. */
#include "side_by_side_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/threads_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"

#include <string.h>

/* A part needs so many bytes to be worth a thread; a longer line is read in order. */
enum { LEAST_PART = 1 << 17, LONGEST_LINE = 1 << 20 };

struct ori_log_part {
    ori_read_context context;
    void *state;      /* the state of the format; NULL: this part is not set up yet */
    int32_t *numbers; /* of labels of the part, in the log: numbers[i] of number i */
    int64_t numbers_capacity;
    int32_t numbered;

    const char *bytes;
    size_t size;
    orr_status status;
    orr_error err;
};

void ori_side_by_side_open(ori_side_by_side *s, int threads)
{
    *s = (ori_side_by_side){.threads = threads < 1 ? 1 : threads};
}

void ori_side_by_side_close(ori_side_by_side *s, const ori_format *format, const orr_allocator *a)
{
    for (int i = 0; s->parts && i < s->threads; i++) {
        ori_log_part *part = &s->parts[i];
        if (!part->state)
            continue;
        if (format->close)
            format->close(part->state);
        orr_release(a, part->state, format->state_size);
        ORI_FREE(a, &part->numbers, &part->numbers_capacity);
        ori_context_close(&part->context);
    }
    orr_release(a, s->parts, (size_t)s->threads * sizeof *s->parts);
    s->parts = NULL;
}

/* --- a part -----------------------------------------------------------------------------------*/

static orr_status open_part(ori_log_part *part, const ori_read_context *whole,
                            const ori_format *format, orr_error *err)
{
    part->state = ori_new(&whole->alloc, format->state_size, err);
    if (!part->state)
        return ORR_ERR_MEMORY;
    *(ori_read_context **)part->state = &part->context;
    ORI_TRY(ori_context_open(&part->context, whole->name, &whole->options, &whole->alloc, err));
    part->context.part = true;
    return ORR_OK;
}

static int64_t count_lines(const char *bytes, size_t size)
{
    int64_t lines = 0;
    const char *stop = bytes + size;
    while (bytes < stop && (bytes = memchr(bytes, '\n', (size_t)(stop - bytes))) != NULL) {
        lines++;
        bytes++;
    }
    return lines;
}

/* All lines of the part, the last of which has its end. */
static orr_status read_lines(ori_log_part *part, const ori_format *format)
{
    const char *next = part->bytes, *stop = next + part->size;
    while (next < stop) {
        const char *end = memchr(next, '\n', (size_t)(stop - next));
        size_t size = (size_t)(end - next);
        part->context.odd |= size > LONGEST_LINE;
        if (ORR_UNLIKELY(part->context.odd))
            return ORR_OK;
        ORI_TRY(format->line(part->state, next, size, &part->err));
        part->context.line++;
        next = end + 1;
    }
    return ORR_OK;
}

/* --- all of them ------------------------------------------------------------------------------*/

typedef struct reading {
    ori_log_part *parts;
    const ori_format *format;
} reading;

static orr_status begin_part(void *user, int thread, void **own, orr_error *err)
{
    (void)user, (void)thread, (void)own, (void)err;
    return ORR_OK;
}

static void end_part(void *user, int thread, void *own)
{
    (void)user, (void)thread, (void)own;
}

/* An error waits until the parts before it have turned out to be good. */
static orr_status work(void *user, void *own, int64_t item, orr_error *err)
{
    const reading *r = user;
    (void)own, (void)err;
    r->parts[item].status = read_lines(&r->parts[item], r->format);
    return ORR_OK;
}

/* Maps the part's labels to numbers of the log. The part's labels are taken in the order of their
 * first occurrence, so labels new to the log get numbers in the order of the file. */
static orr_status number_labels(ori_log_part *part, orr_labels *names, orr_error *err)
{
    const orr_labels *own = &part->context.jobs->names;
    ORI_TRY(ORI_RESERVE(&part->context.alloc, &part->numbers, &part->numbers_capacity,
                        (int64_t)own->count + 1, err));
    part->numbers[0] = 0;
    for (; part->numbered < own->count; part->numbered++) {
        const char *text = orr_labels_text(own, part->numbered + 1);
        ORI_TRY(
            orr_labels_number(names, text, strlen(text), &part->numbers[part->numbered + 1], err));
    }
    return ORR_OK;
}

/* Cuts a piece that ends with a line into parts of lines; their number. */
static int cut_piece(ori_side_by_side *s, const char *bytes, size_t size)
{
    int most =
        (int)(size / LEAST_PART < (size_t)s->threads ? size / LEAST_PART : (size_t)s->threads);
    int count = 0;
    for (size_t from = 0; from < size; count++) {
        size_t to = size / (size_t)most * (size_t)(count + 1);
        to = to < from ? from : to;
        const char *stop = count + 1 < most ? memchr(bytes + to, '\n', size - to) : NULL;
        to = stop ? (size_t)(stop - bytes) + 1 : size;
        s->parts[count].bytes = bytes + from;
        s->parts[count].size = to - from;
        from = to;
    }
    return count;
}

static orr_status prepare_parts(ori_side_by_side *s, int count, const ori_read_context *whole,
                                const ori_format *format, const void *state, orr_error *err)
{
    int64_t line = whole->line;
    for (int i = 0; i < count; i++) {
        ori_log_part *part = &s->parts[i];
        if (!part->state)
            ORI_TRY(open_part(part, whole, format, err));
        ori_jobs_clear(part->context.jobs);
        part->context.machine_procs = whole->machine_procs;
        part->context.odd = false;
        part->context.line = line;
        format->part(part->state, state);
        if (i + 1 < count)
            line += count_lines(part->bytes, part->size);
    }
    return ORR_OK;
}

/* Puts the parts together up to the first that is odd or has an error. */
static orr_status put_together(ori_side_by_side *s, int count, ori_read_context *whole,
                               const ori_format *format, void *state, size_t *taken, orr_error *err)
{
    for (int i = 0; i < count && !s->parts[i].context.odd; i++) {
        ori_log_part *part = &s->parts[i];
        if (part->status != ORR_OK) {
            *err = part->err;
            return part->status;
        }
        ORI_TRY(number_labels(part, &whole->jobs->names, err));
        ORI_TRY(ori_jobs_append(whole->jobs, part->context.jobs, part->numbers, err));
        format->join(state, part->state);
        whole->line = part->context.line;
        *taken += part->size;
    }
    return ORR_OK;
}

orr_status ori_side_by_side_read(ori_side_by_side *s, ori_read_context *whole,
                                 const ori_format *format, void *state, const char *bytes,
                                 size_t size, size_t *taken, orr_error *err)
{
    const char *last = memrchr(bytes, '\n', size);
    *taken = 0;
    size = last ? (size_t)(last - bytes) + 1 : 0;
    if (size < 2 * (size_t)LEAST_PART)
        return ORR_OK;
    if (!s->parts)
        s->parts = ori_new(&whole->alloc, (size_t)s->threads * sizeof *s->parts, err);
    if (!s->parts)
        return ORR_ERR_MEMORY;
    int count = cut_piece(s, bytes, size);
    ORI_TRY(prepare_parts(s, count, whole, format, state, err));
    reading r = {s->parts, format};
    ori_threads threads = {.items = count,
                           .weight = 1,
                           .threads = count,
                           .largest = 1,
                           .begin = begin_part,
                           .work = work,
                           .end = end_part,
                           .user = &r,
                           .alloc = &whole->alloc};
    ORI_TRY(ori_threads_run(&threads, err));
    return put_together(s, count, whole, format, state, taken, err);
}
