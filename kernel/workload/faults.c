/* Sources of faults.
 *
 * Renewal goes by windows of time. All processors whose next fault is in the window are in a
 * calendar. The others have
 *
 *     due[i] < 0    it has not failed yet, and u = -due[i] is the uniform number of its first gap
 *     due[i] >= 0   the time of its next fault
 *
 * and when the calendar is empty the next window is made by one pass over them. A first gap is
 * computed when its u is below the law's share at the end of the window, that is when its fault is
 * near. Windows decide only when a fault is computed, never what it is. */
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/calendar_internal.h"
#include "base/draw.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* Processors that came together: all at first, then those that were added. */
typedef struct batch {
    int32_t first, count;
    double from; /* s: new then */
    /* exponential */
    orr_pcg machine;
    orr_fault next;
} batch;

struct orr_faults {
    orr_faults_setup setup; /* procs: all that exist by now */
    orr_allocator alloc;
    orr_fault next;
    int64_t taken; /* log */
    batch *batches;
    int32_t batch_count;
    int64_t batch_room;

    /* the lemons of the run, in order */
    orr_stream_key lemon_key;
    int32_t *lemons;
    int64_t lemon_count, lemon_room;
    orr_pcg lemon_stream;  /* exponential */
    orr_fault lemon_fault; /* the next of their additional faults */

    /* renewal */
    ori_fault_gap gap;
    orr_stream_key key;
    double *due;
    uint32_t *gaps; /* that a processor has begun */
    ori_block renewal;
    ori_calendar calendar;
    double window, width; /* its end and its length, s */
    int32_t window_faults;
};

static const orr_fault no_fault = {INFINITY, -1, -1};

/* --- exponential -------------------------------------------------------------------------------*/

static void next_of_batch(orr_faults *f, batch *b)
{
    double time = b->next.time + orr_draw_exponential(&b->machine, f->setup.mtbf / b->count);
    int32_t processor = b->first + (int32_t)orr_draw_integer(&b->machine, 0, b->count - 1);
    b->next = time < INFINITY ? (orr_fault){time, processor, -1} : no_fault;
}

/* The batch with the next fault of all. */
static batch *first_batch(const orr_faults *f)
{
    batch *first = f->batches;
    for (int32_t i = 1; i < f->batch_count; i++)
        if (f->batches[i].next.time < first->next.time)
            first = &f->batches[i];
    return first;
}

static void open_batch(orr_faults *f, batch *b)
{
    b->machine = orr_stream_open(f->key, (uint64_t)b->first);
    b->next.time = b->from;
    next_of_batch(f, b);
}

/* --- lemons ------------------------------------------------------------------------------------*/

/* The entity of the stream of the additional faults of lemons: no processor has it. */
#define ALL_LEMONS (UINT64_C(1) << 32)

static bool draw_lemon(const orr_faults *f, int32_t processor, uint32_t generation)
{
    return ori_fault_gap_unit(f->lemon_key, (uint64_t)processor, generation) <=
           f->setup.lemon_share;
}

/* The place of a processor among the lemons; for other processors the place where it would be. */
static int64_t place_of_lemon(const orr_faults *f, int32_t processor)
{
    int64_t at = 0, count = f->lemons ? f->lemon_count : 0;
    ORI_BISECT(at, count, middle, f->lemons[middle] < processor)
    return at;
}

static bool is_lemon(const orr_faults *f, int32_t processor)
{
    int64_t at = place_of_lemon(f, processor);
    return f->lemons && at < f->lemon_count && f->lemons[at] == processor;
}

/* A gap of a processor, by its uniform number. */
static double gap_of(const orr_faults *f, int32_t processor, double u)
{
    double gap = ori_fault_gap_at(&f->gap, u);
    return f->lemon_count > 0 && is_lemon(f, processor) ? gap / f->setup.lemon_factor : gap;
}

/* Exponential: the next of the additional faults of lemons, counted from `time`. */
static void next_of_lemons(orr_faults *f, double time)
{
    double more = (f->setup.lemon_factor - 1) * (double)f->lemon_count;
    f->lemon_fault = no_fault;
    if (!(more > 0))
        return;
    time += orr_draw_exponential(&f->lemon_stream, f->setup.mtbf / more);
    int64_t lemon = orr_draw_integer(&f->lemon_stream, 0, f->lemon_count - 1);
    if (time < INFINITY)
        f->lemon_fault = (orr_fault){time, f->lemons[lemon], -1};
}

/* Draws the lemons of a run. */
static void draw_lemons(orr_faults *f, uint64_t seed, uint64_t set, uint64_t run)
{
    f->lemon_count = 0;
    f->lemon_fault = no_fault;
    if (!f->lemons)
        return;
    f->lemon_key = orr_stream_key_make(seed, set, run, ORR_PURPOSE_LEMONS);
    f->lemon_stream = orr_stream_open(f->lemon_key, ALL_LEMONS);
    for (int32_t i = 0; i < f->batches[0].count; i++)
        if (draw_lemon(f, i, 0))
            f->lemons[f->lemon_count++] = i;
}

/* --- renewal -----------------------------------------------------------------------------------*/

static bool is_renewal(orr_fault_law law)
{
    return law == ORR_FAULTS_WEIBULL || law == ORR_FAULTS_LOGNORMAL;
}

double ori_faults_gap(const orr_faults *f, int32_t processor, uint32_t n)
{
    return gap_of(f, processor, ori_fault_gap_unit(f->key, (uint64_t)processor, n));
}

/* The insertion number orders events of one instant: here it is the processor, which never has more
 * than one event. */
static void push_fault(orr_faults *f, int32_t processor)
{
    f->calendar.inserted = (uint64_t)processor;
    ori_calendar_push(&f->calendar, f->due[processor], 0, processor);
}

/* Adds an event; the calendar may be full. */
static orr_status add_event(orr_faults *f, int32_t processor, orr_error *err)
{
    int32_t capacity = f->calendar.capacity, most = f->setup.procs;
    if (f->calendar.count == capacity)
        ORI_TRY(ori_calendar_reserve(&f->calendar, capacity < most / 2 ? 2 * capacity : most, err));
    push_fault(f, processor);
    return ORR_OK;
}

/* Fills the calendar with the faults before f->window of processors low .. high - 1, none of which
 * is a lemon, or each. */
static orr_status scan_some(orr_faults *f, int32_t low, int32_t high, double share, orr_error *err)
{
    double end = f->window;
    for (int32_t i = low; i < high; i++) {
        double due = f->due[i];
        if (due < 0) {
            if (ORR_LIKELY(-due > share))
                continue;
            f->due[i] = due = gap_of(f, i, -due);
        }
        if (due < end)
            ORI_TRY(add_event(f, i, err));
    }
    return ORR_OK;
}

static orr_status scan(orr_faults *f, orr_error *err)
{
    double share = ori_fault_gap_share(&f->gap, f->window), more = share;
    int32_t low = 0;
    if (f->lemon_count > 0)
        more = ori_fault_gap_share(&f->gap, f->window * f->setup.lemon_factor);
    for (int64_t i = 0; f->lemons && i < f->lemon_count; i++) {
        int32_t lemon = f->lemons[i];
        ORI_TRY(scan_some(f, low, lemon, share, err));
        ORI_TRY(scan_some(f, lemon, lemon + 1, more, err));
        low = lemon + 1;
    }
    return scan_some(f, low, f->setup.procs, share, err);
}

/* Windows follow the rate at which faults come; only the time that takes depends on how well. */
static void adapt_width(orr_faults *f, int32_t found)
{
    if (found < (f->window_faults + 1) / 2)
        f->width *= found == 0 ? 8 : 2;
    else if (found / 2 > f->window_faults)
        f->width /= 2;
    f->width = fmax(f->width, fmax(f->window * 0x1p-50, 0x1p-1000));
}

/* Makes windows until one has a fault, or until no fault is to come. */
static orr_status next_of_processors(orr_faults *f, orr_error *err)
{
    f->next = no_fault;
    while (f->calendar.count == 0 && f->window < INFINITY) {
        f->window += f->width;
        ORI_TRY(scan(f, err));
        adapt_width(f, f->calendar.count);
    }
    const ori_event *first = ori_calendar_peek(&f->calendar);
    if (first)
        f->next = (orr_fault){first->time, (int32_t)first->payload, -1};
    return ORR_OK;
}

/* Before its first fault; of a processor that came later the time of that is computed at once. */
static void begin_processor(orr_faults *f, int32_t processor, double from)
{
    orr_pcg rng = orr_stream_open(f->key, (uint64_t)processor);
    double u = orr_draw_unit_positive(&rng);
    f->due[processor] = from > 0 ? from + gap_of(f, processor, u) : -u;
    f->gaps[processor] = 1;
}

static void reset_renewal(orr_faults *f)
{
    double share = (double)f->window_faults / f->setup.procs;
    ori_calendar_clear(&f->calendar);
    f->window = 0;
    f->width = fmax(ori_fault_gap_at(&f->gap, share), 0x1p-1000);
    for (const batch *b = f->batches; b < f->batches + f->batch_count; b++)
        for (int32_t i = b->first; i < b->first + b->count; i++)
            begin_processor(f, i, b->from);
}

void ori_faults_set_window(orr_faults *f, int32_t count)
{
    f->window_faults = count;
}

/* --- log ---------------------------------------------------------------------------------------*/

static orr_status check_log(const orr_faults_setup *s, orr_error *err)
{
    for (int64_t i = 0; i < s->log_count; i++) {
        const orr_fault *fault = &s->log[i];
        double least = i == 0 ? 0 : s->log[i - 1].time;
        ORI_REFUSE(!(fault->time >= least && fault->time < INFINITY), err,
                   "fault %lld: its time must be finite and at least %.17g, it is %.17g",
                   (long long)i + 1, least, fault->time);
        ORI_REFUSE((fault->processor < 0) == (fault->task < 0), err,
                   "fault %lld: either its processor or its task must be given", (long long)i + 1);
        ORI_REFUSE(fault->processor >= s->procs, err,
                   "fault %lld: processor %d is not among 0 to %d", (long long)i + 1,
                   (int)fault->processor, (int)s->procs - 1);
    }
    return ORR_OK;
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool has_mtbf(orr_fault_law law)
{
    return law == ORR_FAULTS_EXPONENTIAL || is_renewal(law);
}

static orr_status check_setup(const orr_faults_setup *s, orr_error *err)
{
    ORI_REFUSE(s->procs < 1, err, "faults need at least 1 processor, not %d", (int)s->procs);
    ORI_REFUSE((unsigned)s->law > ORR_FAULTS_LOG, err, "there is no law %d of faults", (int)s->law);
    ORI_REFUSE(has_mtbf(s->law) && !(s->mtbf > 0), err, "mtbf must be > 0, it is %.17g", s->mtbf);
    ORI_REFUSE(is_renewal(s->law) && !(s->shape > 0 && s->shape < INFINITY), err,
               "shape must be a finite number > 0, it is %.17g", s->shape);
    ORI_REFUSE(!(s->lemon_share >= 0 && s->lemon_share <= 1), err,
               "the share of lemons must be from 0 to 1, it is %.17g", s->lemon_share);
    ORI_REFUSE(s->lemon_share > 0 && !(s->lemon_factor >= 1 && s->lemon_factor < INFINITY), err,
               "lemons fail a finite number of times as often, at least once, not %.17g",
               s->lemon_factor);
    return s->law == ORR_FAULTS_LOG ? check_log(s, err) : ORR_OK;
}

/* Room for processors up to number `procs`; new elements are not set. */
static orr_status reserve_processors(orr_faults *f, int32_t before, int32_t procs, orr_error *err)
{
    const ori_part parts[] = {ORI_PART(f->due, 1), ORI_PART(f->gaps, 1)};
    return ORI_BLOCK_GROW(&f->renewal, parts, (size_t)before, (size_t)before, (size_t)procs,
                          &f->alloc, err);
}

static orr_status allocate_renewal(orr_faults *f, int32_t calendar, orr_error *err)
{
    ORI_TRY(reserve_processors(f, 0, f->setup.procs, err));
    return ori_calendar_create(&f->calendar, calendar, &f->alloc, err);
}

/* At least 64 faults in a window, and enough to make a pass cheap in comparison. */
static orr_status prepare_renewal(orr_faults *f, orr_error *err)
{
    int32_t procs = f->setup.procs, wanted = procs / 64 > 64 ? procs / 64 : 64;
    f->window_faults = wanted;
    ORI_TRY(ori_fault_gap_prepare(&f->gap, f->setup.law, f->setup.mtbf, f->setup.shape, err));
    return allocate_renewal(f, wanted < procs / 2 ? 2 * wanted : procs, err);
}

static orr_faults *allocate_faults(const orr_allocator *alloc, orr_error *err)
{
    orr_faults *f = ori_new(alloc, sizeof *f, err);
    if (!f)
        return NULL;
    f->alloc = *alloc;
    f->calendar.alloc = *alloc;
    f->next = no_fault;
    return f;
}

static orr_status add_batch(orr_faults *f, int32_t count, double from, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&f->alloc, &f->batches, &f->batch_room, f->batch_count + (int64_t)1, err));
    int32_t first = f->batch_count > 0 ? f->setup.procs : 0;
    f->batches[f->batch_count++] = (batch){.first = first, .count = count, .from = from};
    return ORR_OK;
}

orr_faults *orr_faults_create(const orr_faults_setup *setup, orr_error *err)
{
    if (check_setup(setup, err) != ORR_OK)
        return NULL;
    orr_allocator alloc = orr_allocator_or_default(setup->alloc);
    orr_faults *f = allocate_faults(&alloc, err);
    if (!f)
        return NULL;
    f->setup = *setup;
    f->setup.alloc = NULL;
    if (has_mtbf(setup->law) && setup->mtbf == INFINITY)
        f->setup.law = ORR_FAULTS_NONE;
    bool lemons = setup->lemon_share > 0 && has_mtbf(f->setup.law);
    if (add_batch(f, setup->procs, 0, err) == ORR_OK &&
        (!lemons || ORI_RESERVE(&alloc, &f->lemons, &f->lemon_room, setup->procs, err) == ORR_OK) &&
        (!is_renewal(f->setup.law) || prepare_renewal(f, err) == ORR_OK))
        return f;
    orr_faults_destroy(f);
    return NULL;
}

void orr_faults_destroy(orr_faults *f)
{
    if (!f)
        return;
    orr_allocator alloc = f->alloc;
    ORI_FREE(&alloc, &f->batches, &f->batch_room);
    ORI_FREE(&alloc, &f->lemons, &f->lemon_room);
    ori_block_destroy(&f->renewal, &alloc);
    ori_calendar_destroy(&f->calendar);
    orr_release(&alloc, f, sizeof *f);
}

/* Finds the fault that comes next. */
static orr_status find_next(orr_faults *f, orr_error *err)
{
    if (is_renewal(f->setup.law))
        return next_of_processors(f, err);
    f->next = no_fault;
    if (f->setup.law == ORR_FAULTS_EXPONENTIAL) {
        f->next = first_batch(f)->next;
        if (f->lemon_fault.time < f->next.time)
            f->next = f->lemon_fault;
    } else if (f->setup.law == ORR_FAULTS_LOG && f->taken < f->setup.log_count) {
        f->next = f->setup.log[f->taken];
    }
    return ORR_OK;
}

orr_status ori_faults_draw_anew(orr_faults *f, uint64_t seed, uint64_t set, uint64_t run,
                                orr_error *err)
{
    orr_purpose purpose = f->setup.purpose ? f->setup.purpose : ORR_PURPOSE_FAULTS;
    f->key = orr_stream_key_make(seed, set, run, purpose);
    f->taken = 0;
    draw_lemons(f, seed, set, run);
    if (is_renewal(f->setup.law)) {
        reset_renewal(f);
    } else if (f->setup.law == ORR_FAULTS_EXPONENTIAL) {
        for (int32_t i = 0; i < f->batch_count; i++)
            open_batch(f, &f->batches[i]);
        next_of_lemons(f, 0);
    }
    return find_next(f, err);
}

orr_status orr_faults_reset(orr_faults *f, uint64_t seed, uint64_t set, uint64_t run,
                            orr_error *err)
{
    f->batch_count = 1; /* all are as new */
    f->batches[0].count = f->setup.procs;
    return ori_faults_draw_anew(f, seed, set, run, err);
}

/* Copies all but the arrays, which each source has of its own. */
static void copy_fields(orr_faults *f, const orr_faults *from)
{
    orr_faults own = *f;
    *f = *from;
    f->renewal = own.renewal;
    f->due = own.due;
    f->gaps = own.gaps;
    f->batches = own.batches;
    f->batch_room = own.batch_room;
    f->lemons = own.lemons;
    f->lemon_room = own.lemon_room;
    f->calendar = own.calendar;
}

static orr_status copy_arrays(orr_faults *f, const orr_faults *from, orr_error *err)
{
    orr_status status =
        ORI_COPY(&f->alloc, &f->batches, &f->batch_room, from->batches, from->batch_count, err);
    if (status == ORR_OK && from->lemons)
        status = ORI_RESERVE(&f->alloc, &f->lemons, &f->lemon_room, from->lemon_room, err);
    if (status == ORR_OK && from->lemons)
        memcpy(f->lemons, from->lemons, (size_t)from->lemon_count * sizeof *f->lemons);
    if (status != ORR_OK || !is_renewal(f->setup.law))
        return status;
    if (!f->renewal.memory)
        ORI_TRY(allocate_renewal(f, from->calendar.capacity, err));
    ORI_TRY(ori_calendar_reserve(&f->calendar, from->calendar.count, err));
    memcpy(f->renewal.memory, from->renewal.memory, from->renewal.size);
    ori_calendar_copy(&f->calendar, &from->calendar);
    return ORR_OK;
}

orr_faults *ori_faults_copy(const orr_faults *from, orr_error *err)
{
    orr_faults *f = allocate_faults(&from->alloc, err);
    if (!f)
        return NULL;
    copy_fields(f, from);
    if (copy_arrays(f, from, err) == ORR_OK)
        return f;
    orr_faults_destroy(f);
    return NULL;
}

orr_status ori_faults_copy_to(orr_faults **to, const orr_faults *from, orr_error *err)
{
    if (!from)
        return ORR_OK;
    orr_faults_destroy(*to);
    *to = ori_faults_copy(from, err);
    return *to ? ORR_OK : ORR_ERR_MEMORY;
}

/* --- more processors ---------------------------------------------------------------------------*/

/* Puts the processors that fail in the present window into the calendar. */
static orr_status begin_renewal(orr_faults *f, const batch *b, orr_error *err)
{
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        begin_processor(f, i, b->from);
        double due = f->due[i] < 0 ? gap_of(f, i, -f->due[i]) : f->due[i];
        if (!(due < f->window))
            continue;
        f->due[i] = due;
        ORI_TRY(add_event(f, i, err));
    }
    return ORR_OK;
}

orr_status ori_faults_grow(orr_faults *f, int32_t count, double time, orr_error *err)
{
    bool renewal = is_renewal(f->setup.law);
    ORI_TRY(add_batch(f, count, time, err));
    if (renewal)
        ORI_TRY(reserve_processors(f, f->setup.procs, f->setup.procs + count, err));
    batch *added = &f->batches[f->batch_count - 1];
    f->setup.procs += count;
    if (renewal)
        ORI_TRY(begin_renewal(f, added, err));
    else if (f->setup.law == ORR_FAULTS_EXPONENTIAL)
        open_batch(f, added);
    return find_next(f, err); /* the next fault may be one of these */
}

orr_status ori_faults_keep(orr_faults *f, int32_t procs, orr_error *err)
{
    if (f->setup.law == ORR_FAULTS_LOG || procs >= f->setup.procs)
        return ORR_OK;
    f->setup.procs = procs;
    if (!is_renewal(f->setup.law))
        return ORR_OK;
    ori_block_destroy(&f->renewal, &f->alloc);
    return reserve_processors(f, 0, procs, err);
}

orr_fault orr_faults_peek(const orr_faults *f)
{
    return f->next;
}

orr_status orr_faults_take(orr_faults *f, orr_error *err)
{
    if (f->next.time == INFINITY)
        return ORR_OK;
    if (is_renewal(f->setup.law)) {
        int32_t processor = (int32_t)ori_calendar_pop(&f->calendar).payload;
        f->due[processor] += ori_faults_gap(f, processor, f->gaps[processor]++);
        if (f->due[processor] < f->window)
            push_fault(f, processor);
    } else if (f->setup.law == ORR_FAULTS_EXPONENTIAL) {
        batch *first = first_batch(f);
        if (f->lemon_fault.time < first->next.time)
            next_of_lemons(f, f->lemon_fault.time);
        else
            next_of_batch(f, first);
    } else {
        f->taken++;
    }
    return find_next(f, err);
}

/* --- other processors --------------------------------------------------------------------------*/

/* Makes a processor a lemon, or a normal one, from now on. */
static void set_lemon(orr_faults *f, int32_t processor, bool lemon, double now)
{
    int64_t at = place_of_lemon(f, processor);
    if (lemon == is_lemon(f, processor))
        return;
    int32_t *place = f->lemons + at;
    size_t behind = (size_t)(f->lemon_count - at) * sizeof *place;
    if (lemon)
        memmove(place + 1, place, behind);
    else
        memmove(place, place + 1, behind - sizeof *place);
    if (lemon)
        *place = processor;
    f->lemon_count += lemon ? 1 : -1;
    if (f->setup.law == ORR_FAULTS_EXPONENTIAL) /* it has no memory */
        next_of_lemons(f, now);
}

orr_status ori_faults_replace(orr_faults *f, int32_t processor, uint32_t generation, double now,
                              double from, orr_error *err)
{
    if (f->lemons)
        set_lemon(f, processor, draw_lemon(f, processor, generation), now);
    if (is_renewal(f->setup.law)) {
        if (f->due[processor] < f->window)
            ori_calendar_remove(&f->calendar, processor);
        f->due[processor] = from + ori_faults_gap(f, processor, f->gaps[processor]++);
        if (f->due[processor] < f->window)
            ORI_TRY(add_event(f, processor, err));
    }
    return find_next(f, err);
}
