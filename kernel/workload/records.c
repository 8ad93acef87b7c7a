/* Records: the common treatment of a record that a format has read. The record is left out, with a
 * reason, or becomes a job. Formats do not know the caller's options. */
#include "records_internal.h"

#include "base/api_internal.h"
#include "base/array_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- options -----------------------------------------------------------------------------------*/

static orr_status read_wanted(ori_read_context *context, orr_error *err)
{
    for (const char *name = context->options.statuses; name;) {
        size_t size = strcspn(name, ",");
        int32_t number = 0;
        ORI_REFUSE(size == 0, err, "status: an empty status in the list of statuses \"%s\"",
                   context->options.statuses);
        ORI_REFUSE(context->wanted_count == ORI_MOST_STATUSES, err,
                   "status: more than %d statuses: \"%s\"", ORI_MOST_STATUSES,
                   context->options.statuses);
        if (size != strlen("unknown") || memcmp(name, "unknown", size) != 0)
            ORI_TRY(orr_labels_number(&context->jobs->names, name, size, &number, err));
        context->wanted[context->wanted_count++] = number;
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    return ORR_OK;
}

static bool is_wanted(const ori_read_context *context, int32_t status)
{
    bool wanted = context->wanted_count == 0;
    for (int i = 0; i < context->wanted_count; i++)
        wanted |= context->wanted[i] == status;
    return wanted;
}

/* --- the context -------------------------------------------------------------------------------*/

orr_status ori_context_open(ori_read_context *context, const char *name,
                            const orr_read_options *options, const orr_allocator *a, orr_error *err)
{
    *context =
        (ori_read_context){.alloc = *a, .name = name, .record.id.alloc = *a, .arrays.alloc = *a};
    if (options)
        ORI_TRY(ORI_TAKE(&context->options, options, orr_read_options, err));
    context->jobs = orr_jobs_create(a, err);
    if (!context->jobs)
        return ORR_ERR_MEMORY;
    ORI_TRY(orr_jobs_set_zone(context->jobs, context->options.zone, err));
    context->record.names = &context->jobs->names;
    context->record.asking = context->jobs;
    context->record.ask = context->ask;
    ORI_TRY(
        ORI_RESERVE(a, &context->jobs->asked, &context->jobs->asked_capacity, ORR_MOST_ASKED, err));
    context->spoils = ORR_DROP_ZERO;
    context->spoiled_by = "binary data (a zero byte) where text is due";
    for (int32_t i = 0, number; i < context->options.pool_count; i++)
        ORI_TRY(orr_jobs_add_pool(context->jobs, context->options.pools[i].name, &number, err));
    if (context->options.pool_count > 0)
        context->record.needs = context->needs;
    if (context->options.dependencies)
        context->record.after = &context->after;
    return read_wanted(context, err);
}

void ori_context_close(ori_read_context *context)
{
    ORI_FREE(&context->alloc, &context->timestamps, &context->timestamps_capacity);
    ORI_FREE(&context->alloc, &context->record.id.text, &context->record.id.capacity);
    ORI_FREE(&context->alloc, &context->tasks, &context->tasks_capacity);
    ORI_FREE(&context->alloc, &context->last_task, &context->last_capacity);
    orr_labels_destroy(&context->arrays);
    orr_jobs_destroy(context->jobs);
}

void ori_context_rebase(ori_read_context *context)
{
    orr_jobs *jobs = context->jobs;
    if (!context->timestamps || jobs->count == 0)
        return;
    int64_t first = context->timestamps[0];
    for (int32_t job = 1; job < jobs->count; job++)
        first = context->timestamps[job] < first ? context->timestamps[job] : first;
    for (int32_t job = 0; job < jobs->count; job++)
        jobs->submit[job] = (double)(context->timestamps[job] - first) / 1e6;
    jobs->origin_us = first;
    jobs->has_origin = jobs->rebased = true;
}

/* Walltimes are taken for minutes where most jobs run longer than theirs and none longer than 66:
 * jobs are killed a little late. */
static bool are_minutes(const orr_jobs *jobs)
{
    int32_t known = 0, longer = 0;
    for (int32_t job = 0; job < jobs->count; job++) {
        if (!(jobs->walltime[job] > 0))
            continue;
        if (jobs->time[job] > 66 * jobs->walltime[job])
            return false;
        known++;
        longer += jobs->time[job] > jobs->walltime[job];
    }
    return 2 * (int64_t)longer > known;
}

void ori_context_look_over(ori_read_context *context)
{
    orr_jobs *jobs = context->jobs;
    bool since = jobs->count > 0 && !jobs->has_origin;
    for (int32_t job = 0; since && job < jobs->count; job++)
        since = jobs->submit[job] >= 631152000 && jobs->submit[job] < 4102444800; /* 1990, 2100 */
    if (since)
        ori_jobs_remark(jobs, ORR_REMARK_SINCE_1970, 1, 0);
    if (jobs->remarks[ORR_REMARK_MINUTES].records > 0 && !are_minutes(jobs))
        jobs->remarks[ORR_REMARK_MINUTES] = (orr_remarked){0};
}

/* --- records -----------------------------------------------------------------------------------*/

void ori_record_clear(ori_read_context *context)
{
    ori_record *record = &context->record;
    memset(record, 0, offsetof(ori_record, id));
    record->line = context->line + 1;
    record->submit = record->time = record->walltime = record->suspended = record->wait = NAN;
    record->pays = orr_pays_unknown;
    if (ORR_UNLIKELY(record->needs != NULL))
        memset(record->needs, 0, sizeof context->needs);
}

bool ori_parse_amount(const char *text, size_t size, double unit, double *amount)
{
    static const char letters[] = "KMGT";
    const char *letter = size > 0 ? memchr(letters, text[size - 1], 4) : NULL;
    bool rounds = unit > 1;
    if (letter)
        unit = ldexp(1, 10 * (int)(letter - letters + 1));
    if (!ori_parse_number(text, size - (letter != NULL), amount))
        return false;
    *amount = rounds ? ceil(*amount * unit) : *amount * unit;
    return *amount >= 0 && *amount <= (double)ORR_MOST_AMOUNT && *amount == floor(*amount);
}

static orr_status read_need(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    ori_record *record = row;
    double amount;
    bool fine = ori_parse_amount(text, size, 1, &amount);
    (void)expected, (void)err;
    record->needs[(int)column->type->unit] = fine ? (int64_t)amount : -1;
    return fine ? ORR_OK : ORR_ERR_INPUT;
}

const ori_type ori_need_type = {
    read_need, "what a job needs of a pool, a whole number from 0 to 2^53, as 2, 512M or 64G",
    .unknown = ori_unknown_empty};

static orr_status read_flag(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    static const char *const words[] = {"0", "no", "false", "1", "yes", "true"};
    int64_t *need = &((ori_record *)row)->needs[(int)column->type->unit];
    (void)expected, (void)err;
    *need = -1;
    for (int i = 0; i < 6; i++)
        if (strlen(words[i]) == size && strncasecmp(words[i], text, size) == 0)
            *need = i >= 3;
    return *need < 0 ? ORR_ERR_INPUT : ORR_OK;
}

const ori_type ori_flag_need_type = {read_flag, "yes or no, true or false, 1 or 0",
                                     .unknown = ori_unknown_empty};

/* Slurm's names are "gres/gpu:a100", "license/matlab@server", "memory" (pool mem). */
bool ori_record_need(ori_record *record, const char *name, size_t size, int slot, double amount)
{
    bool taken = false;
    const char *slash = memchr(name, '/', size);
    size -= slash ? (size_t)(slash + 1 - name) : 0;
    name = slash ? slash + 1 : name;
    if (size == 6 && memcmp(name, "memory", 6) == 0)
        size = 3;
    bool whole = record->needs && record->asking && amount >= 0 && amount == floor(amount);
    if (whole && size == 5 && memcmp(name, "nodes", 5) == 0)
        record->needs[ORI_NODES] = (int64_t)amount;
    for (int32_t i = 0; whole && i < record->asking->need_count; i++) {
        const char *pool = record->asking->needs[i].name;
        size_t length = strlen(pool);
        if (length > size || memcmp(pool, name, length) != 0 ||
            (length < size && name[length] != ':' && name[length] != '@'))
            continue;
        if (record->needs[slot + i] < (int64_t)amount)
            record->needs[slot + i] = (int64_t)amount;
        taken = true;
    }
    return taken;
}

void ori_record_ask(ori_record *record, const char *name, size_t size, double amount)
{
    if (ORR_UNLIKELY(record->needs != NULL) && ori_record_need(record, name, size, 0, amount))
        return;
    if (size == 6 && memcmp(name, "memory", 6) == 0)
        amount = NAN; /* many dumps have it of a node or of a processor */
    int32_t what = record->asking ? ori_jobs_asked(record->asking, name, size) : -1;
    if (what >= 0)
        ori_record_use(record, (ori_use){0, what, amount});
}

static orr_status read_asked(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    double amount = NAN;
    (void)expected, (void)err;
    if (ori_parse_number(text, size, &amount) && !(amount > 0))
        return ORR_OK;
    ori_record_ask(row, column->name, strlen(column->name), column->type->more ? NAN : amount);
    return ORR_OK;
}

const ori_type ori_asked_type = {read_asked, .unknown = ori_unknown_empty};
const ori_type ori_stated_type = {read_asked, .unknown = ori_unknown_empty, .more = "no amount"};

void ori_record_forget_after(ori_record *record)
{
    if (!record->after)
        return;
    record->after->size = 0;
    record->singleton = false;
    record->think = NAN;
}

enum { DAY = 86400, SECOND_US = 1000000, HOUR = 3600, YEAR = 366 * DAY };

/* The first and the last instant at which the clocks show a time, us; mostly the same one. */
static void instants_of(const orr_zone *zone, int64_t shown, int64_t *first, int64_t *last)
{
    int64_t fraction = shown % SECOND_US, seconds = shown / SECOND_US;
    seconds -= fraction < 0;
    fraction += fraction < 0 ? SECOND_US : 0;
    int64_t one = orr_zone_instant(zone, seconds);
    int64_t other = seconds - orr_zone_offset(zone, one + DAY);
    bool again = other > one && other + orr_zone_offset(zone, other) == seconds;
    *first = one * SECOND_US + fraction;
    *last = (again ? other : one) * SECOND_US + fraction;
}

void ori_record_localize(ori_read_context *context)
{
    ori_record *record = &context->record;
    const orr_zone *zone = context->options.zone;
    ori_stamp *submitted = &record->submitted, *started = &record->started, *ended = &record->ended;
    int64_t second;
    if (!zone)
        return;
    if (submitted->known && submitted->local)
        instants_of(zone, submitted->us, &submitted->us, &second);
    if (record->eligible.known && record->eligible.local) {
        instants_of(zone, record->eligible.us, &record->eligible.us, &second);
        if (submitted->known && record->eligible.us < submitted->us)
            record->eligible.us = second;
    }
    if (started->known && started->local) {
        instants_of(zone, started->us, &started->us, &second);
        if (submitted->known && started->us < submitted->us)
            started->us = second;
    }
    if (ended->known && ended->local) {
        instants_of(zone, ended->us, &ended->us, &second);
        double length = (double)(ended->us - started->us) / 1e6;
        double later = (double)(second - started->us) / 1e6;
        double suspended = ori_record_suspension(record);
        bool fits =
            fabs(later - suspended - record->time) < fabs(length - suspended - record->time);
        if (started->known && (length < 0 || fits))
            ended->us = second;
    }
}

void ori_record_set_wait(ori_record *record)
{
    if (!record->started.known)
        return;
    if (record->submitted.known && record->started.us >= record->submitted.us)
        record->wait = (double)(record->started.us - record->submitted.us) / 1e6;
    else if (record->submitted.known)
        record->remarks |= 1U << ORR_REMARK_EARLY_START;
    if (!record->ended.known)
        return;
    double length = (double)(record->ended.us - record->started.us) / 1e6;
    if (length < 0)
        record->remarks |= 1U << ORR_REMARK_EARLY_END;
    double off = fabs(length - ori_record_suspension(record) - record->time);
    if (length >= 0 && off >= 1)
        record->remarks |= 1U << (fabs(off - HOUR) < 2 ? ORR_REMARK_HOUR : ORR_REMARK_ELAPSED);
}

orr_status ori_read_label(const ori_column *column, const char *text, size_t size, void *row,
                          const char **expected, orr_error *err)
{
    ori_record *record = row;
    (void)expected;
    return orr_labels_number(record->names, text, size, ori_column_at(column, row), err);
}

const char *ori_label_text(const ori_column *column, void *row)
{
    const int32_t *number = ori_column_at(column, row);
    return orr_labels_text(((const ori_record *)row)->names, *number);
}

static void write_label(const ori_column *column, void *row, ori_text *text)
{
    const char *label = ori_label_text(column, row);
    if (label)
        ori_text_field(text, label, "");
}

const ori_type ori_label_type = {.read = ori_read_label, .write = write_label};

static void write_machine(const ori_column *column, void *row, ori_text *text)
{
    const int32_t *procs = ori_column_at(column, row);
    if (*procs > 0)
        ori_text_number(text, *procs);
}

const ori_type ori_machine_type = {ori_read_number,   "a number of processors from 1 to 2147483647",
                                   ori_unknown_empty, "a whole number of processors",
                                   .least = 1,        .most = INT32_MAX,
                                   .whole = true,     .write = write_machine};

orr_status ori_read_machine(const ori_column *column, const char *text, size_t size, void *row,
                            const char **expected, orr_error *err)
{
    ori_record *record = row;
    const ori_type *type = column->type;
    (void)expected, (void)err;
    record->other_machine = strlen(type->more) != size || strncasecmp(text, type->more, size) != 0;
    record->machine_procs = record->other_machine ? 0 : (int32_t)type->unit;
    return ORR_OK;
}

bool ori_record_take_procs(ori_read_context *context)
{
    ori_record *record = &context->record;
    bool used = record->procs > 0 &&
                (context->options.procs_of != ORR_PROCS_OF_REQUESTED || record->requested == 0);
    if (!used)
        record->procs = record->requested;
    context->other_machine |= record->other_machine;
    if (context->other_machine || record->machine_procs > 0)
        context->jobs->machine_procs = context->machine_procs =
            context->other_machine ? 0 : record->machine_procs;
    return used;
}

orr_status ori_record_fail(ori_read_context *context, const ori_field *field, const char *expected,
                           orr_error *err)
{
    ori_field placed = *field;
    context->reason = ori_reason_of(field->text, field->size);
    placed.path = context->name;
    placed.line = context->line + 1;
    return ori_fail_field(&placed, expected, err);
}

orr_status ori_record_drop(ori_read_context *context, orr_drop_reason reason, orr_error *err)
{
    const ori_record *record = &context->record;
    return ori_jobs_add_dropped(context->jobs, record->line, record->id.text, reason, NULL, err);
}

void ori_after_add(ori_after *after, const char *id, size_t size, const char *think)
{
    size_t need = size + strlen(think) + 2;
    if (after->size + need > sizeof after->text)
        return;
    after->size += (size_t)snprintf(after->text + after->size, need, "%s%.*s%s",
                                    after->size > 0 ? " " : "", (int)size, id, think);
}

/* The next name of a text, separated by blanks, with its size in *size; NULL: none. */
static const char *next_name(const char *text, const char *end, size_t *size)
{
    while (text < end && *text == ' ')
        text++;
    for (*size = 0; text + *size < end && text[*size] != ' ';)
        ++*size;
    return text < end ? text : NULL;
}

/* Adds the ids of "4&5&6", each with what is behind them. */
static void add_all(ori_after *after, const char *ids, size_t size, const char *behind, size_t more)
{
    char think[400];
    snprintf(think, sizeof think, "%.*s", (int)more, behind);
    for (const char *id = ids, *end = ids + size; id < end;) {
        const char *stop = memchr(id, '&', (size_t)(end - id));
        ori_after_add(after, id, (size_t)((stop ? stop : end) - id), think);
        id = stop ? stop + 1 : end;
    }
}

static orr_status read_after(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err)
{
    ori_after *after = ((ori_record *)row)->after;
    const char *end = text + size;
    double think;
    (void)column, (void)expected, (void)err;
    for (const char *name = text; after && (name = next_name(name, end, &size)); name += size) {
        const char *plus = memchr(name, '+', size);
        size_t id = plus ? (size_t)(plus - name) : size;
        bool well = plus && size == id + 3 && memcmp(plus, ORI_AFTER_OK, 3) == 0;
        if (id == 0 || (plus && !well && !ori_parse_number(plus + 1, size - id - 1, &think)) ||
            (plus && !well && think < 0))
            return ORR_ERR_INPUT;
        add_all(after, name, id, plus ? plus : name + id, size - id);
    }
    return ORR_OK;
}

static void write_after(const ori_column *column, void *row, ori_text *text)
{
    const ori_after *after = ((const ori_record *)row)->after;
    (void)column;
    if (after && after->size > 0)
        ori_text_field(text, after->text, "");
}

const ori_type ori_after_type = {
    .read = read_after,
    .expected =
        "ids of jobs with blanks between them, each with +SECONDS or +ok behind it or without",
    .unknown = ori_unknown_empty,
    .write = write_after};

void ori_after_think(ori_after *after, double think)
{
    ori_after all = {.size = 0};
    char seconds[40];
    size_t size;
    const char *end = after->text + after->size;
    snprintf(seconds, sizeof seconds, "+%.17g", think);
    for (const char *name = after->text; (name = next_name(name, end, &size)); name += size)
        ori_after_add(&all, name, size, memchr(name, '+', size) ? "" : seconds);
    memcpy(after->text, all.text, all.size + 1);
    after->size = all.size;
}

void ori_record_forget_id(ori_read_context *context)
{
    if (context->record.id.text)
        context->record.id.text[0] = '\0';
}

/* The part of a message behind "name:line: ". */
static const char *without_place(const ori_read_context *context, const char *message)
{
    size_t size = strlen(context->name);
    if (strncmp(message, context->name, size) != 0 || message[size] != ':')
        return message;
    const char *text = message + size + 1;
    text += strspn(text, "0123456789");
    return text + strspn(text, ": ");
}

orr_status ori_record_settle(ori_read_context *context, orr_drop_reason reason, orr_status status,
                             orr_error *err)
{
    if (ORR_LIKELY(status != ORR_ERR_INPUT) || context->options.strict || context->refused)
        return status;
    for (int i = 0; context->record.needs && i < ORI_NEEDS; i++)
        if (context->record.needs[i] < 0) /* nobody is to take it for 0 */
            return status;
    const ori_record *record = &context->record;
    return ori_jobs_add_dropped(context->jobs, record->line, record->id.text, reason,
                                without_place(context, err->message), err);
}

/* The largest allowed number of processors of a job. */
static int32_t most_procs(const ori_read_context *context)
{
    int32_t given = context->options.procs > 0 ? context->options.procs : context->machine_procs;
    return given > 0 ? given : INT32_MAX;
}

/* Whether a record needs more of a pool than there is. */
static bool needs_more(const ori_read_context *context)
{
    for (int32_t i = 0; i < context->options.pool_count; i++)
        if (context->needs[i] > context->options.pools[i].amount)
            return true;
    return false;
}

/* Whether a record is left out, and why. */
static bool find_reason(const ori_read_context *context, const ori_record *record,
                        orr_drop_reason *reason)
{
    int32_t status = record->label.of[ORR_LABEL_STATUS];
    if (record->apart)
        *reason = ORR_DROP_ROW;
    else if (isnan(record->time))
        *reason = ORR_DROP_NO_RUNTIME;
    else if (record->procs == 0)
        *reason = ORR_DROP_NO_PROCS;
    else if (record->calendar ? !record->submitted.known : isnan(record->submit))
        *reason = ORR_DROP_NO_SUBMISSION;
    else if (!is_wanted(context, status))
        *reason = ORR_DROP_STATUS;
    else if (context->options.ran && record->time == 0 && status > 0 &&
             strcmp(orr_labels_text(record->names, status), ORR_STATUS_CANCELLED) == 0)
        *reason = ORR_DROP_NEVER_RAN;
    else if (context->options.wide == ORR_WIDE_DROP &&
             (record->procs > most_procs(context) || needs_more(context)))
        *reason = ORR_DROP_WIDE;
    else
        return false;
    return true;
}

bool ori_record_is_too_wide(ori_read_context *context, const char *machine,
                            char expected[ORI_WIDE_SIZE])
{
    const ori_record *record = &context->record;
    orr_drop_reason reason;
    if (context->options.wide != ORR_WIDE_ERROR || context->machine_procs <= 0 ||
        record->procs <= context->machine_procs || context->options.procs > 0 ||
        find_reason(context, record, &reason))
        return false;
    snprintf(expected, ORI_WIDE_SIZE, "at most the %d %s (--wide drop leaves wider jobs out)",
             (int)context->machine_procs, machine);
    context->refused = true;
    return true;
}

/* Makes amounts of each node and of each processor the whole job's, where this is not known. */
static void add_shares(ori_read_context *context, const ori_record *record)
{
    int32_t pool = orr_jobs_find_pool(context->jobs, "nodes");
    int64_t nodes = context->needs[pool >= 0 && context->needs[pool] > 0 ? pool : ORI_NODES];
    double count = nodes > 1 ? (double)nodes : 1;
    for (int32_t i = 0; i < context->options.pool_count; i++) {
        double most = (double)ORR_MOST_AMOUNT;
        double all = (double)context->needs[ORI_PER_NODE + i] * count;
        double shares = (double)context->needs[ORI_PER_PROC + i] * record->procs;
        all = shares > all ? shares : all;
        if (context->needs[i] == 0) /* more than a machine can have stays more */
            context->needs[i] = (int64_t)(all < most ? all : most);
    }
}

static orr_status add_job(ori_read_context *context, const ori_record *record, orr_error *err)
{
    orr_jobs *jobs = context->jobs;
    int32_t job = jobs->count;
    if (record->calendar) {
        ORI_TRY(ORI_RESERVE(&context->alloc, &context->timestamps, &context->timestamps_capacity,
                            (int64_t)job + 1, err));
        context->timestamps[job] = record->submitted.us;
        jobs->local |= record->submitted.local && !context->options.zone;
    }
    ORI_TRY(orr_jobs_add(jobs, record->id.text, record->calendar ? 0 : record->submit,
                         record->procs, record->time, record->walltime, err));
    if (ORR_UNLIKELY(record->after && record->after->size > 0))
        ORI_TRY(ori_jobs_set_after(jobs, job, record->after->text, err));
    ORI_TRY(ori_jobs_set_labels(jobs, job, &record->label, err));
    if (ORR_UNLIKELY(orr_pays_known(&record->pays)))
        ORI_TRY(orr_jobs_set_pays(jobs, job, record->pays, err));
    if (ORR_UNLIKELY(context->options.pool_count > 0))
        add_shares(context, record);
    for (int32_t i = 0; ORR_UNLIKELY(i < context->options.pool_count); i++)
        ORI_TRY(orr_jobs_set_need(jobs, job, i, context->needs[i], err));
    for (int i = 0; ORR_UNLIKELY(i < record->asks); i++)
        ORI_TRY(ori_jobs_add_use(jobs, record->ask[i].what, record->ask[i].amount, job, err));
    for (int i = 0; ORR_UNLIKELY(record->remarks >> i != 0); i++)
        if (record->remarks >> i & 1)
            ori_jobs_remark(jobs, (orr_remark)i, 1, record->line);
    bool known =
        record->wait >= 0 && record->wait < INFINITY; /* negative: it started before it came */
    return known ? orr_jobs_set_wait(jobs, job, record->wait, err) : ORR_OK;
}

/* A job cannot have this time, of whichever column it comes. */
static orr_status refuse_time(ori_read_context *context, orr_error *err)
{
    const ori_record *record = &context->record;
    if (record->line > 0)
        orr_error_prefix(err, "%s:%lld", context->name, (long long)record->line);
    else
        orr_error_prefix(err, "%s: job %s", context->name, record->id.text);
    if (err)
        err->status = ORR_ERR_INPUT;
    return ori_record_settle(context, ORR_DROP_FIELD, ORR_ERR_INPUT, err);
}

orr_status ori_record_add(ori_read_context *context, orr_error *err)
{
    orr_drop_reason reason;
    if (find_reason(context, &context->record, &reason))
        return ori_record_drop(context, reason, err);
    if (ORR_UNLIKELY(context->record.walltime == 0 && context->record.time > 0)) {
        context->record.walltime = NAN;
        context->record.remarks |= 1U << ORR_REMARK_NO_WALLTIME;
    }
    if (ORR_UNLIKELY(context->record.time > YEAR))
        context->record.remarks |= 1U << ORR_REMARK_YEARS;
    if (ORR_UNLIKELY(context->record.time >= 30 * context->record.walltime))
        context->record.remarks |= (unsigned)(context->record.time > 0) << ORR_REMARK_MINUTES;
    orr_status status = add_job(context, &context->record, err);
    return ORR_LIKELY(status != ORR_ERR_ARGUMENT) ? status : refuse_time(context, err);
}
