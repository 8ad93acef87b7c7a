/* Slurm's jobs: their states, and which states are left out of a workload. */
#include "slurm_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
        (record->after &&
         (record->after->size > 0 || (record->singleton && record->name_size > 0))))
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
        record->ended.us >= record->started.us) /* what elapses is without suspensions */
        record->time = fmax((double)(record->ended.us - record->started.us) / 1e6 -
                                ori_record_suspension(record),
                            0);
    if (has_start && !record->started.known)
        record->time = NAN;
    ori_record_set_wait(record);
}

static void note_odd(ori_read_context *context, const char *text, size_t size)
{
    orr_jobs *jobs = context->jobs;
    if (jobs->odd_afters++ == 0)
        snprintf(jobs->odd_after, sizeof jobs->odd_after, "%.*s", (int)size, text);
}

/* --- arrays ------------------------------------------------------------------------------------*/

/* Keeps a name under which others may come after a job: "7_3", "7" of a whole array, or a key. */
static orr_status name_task(ori_read_context *context, const char *name, size_t size, int32_t job,
                            orr_error *err)
{
    int32_t number, before = context->arrays.count;
    int64_t task = context->task_count;
    ORI_TRY(ORI_RESERVE(&context->alloc, &context->tasks, &context->tasks_capacity, task + 1, err));
    ORI_TRY(ORI_RESERVE(&context->alloc, &context->last_task, &context->last_capacity,
                        (int64_t)before + 1, err));
    ORI_TRY(orr_labels_number(&context->arrays, name, size, &number, err));
    int64_t *last = &context->last_task[number - 1];
    context->tasks[task] =
        (struct ori_task){job, number > before ? task : context->tasks[*last].next};
    if (number <= before)
        context->tasks[*last].next = task;
    *last = task;
    context->task_count++;
    return ORR_OK;
}

/* The name of a task before its number, "410045_7"; NULL: the job is none. */
static const char *end_of_array(const ori_record *record)
{
    const char *mark = record->shown ? memchr(record->shown, '_', record->shown_size) : NULL;
    return mark && mark > record->shown ? mark : NULL;
}

static orr_status name_array(ori_read_context *context, int32_t job, orr_error *err)
{
    const ori_record *record = &context->record;
    const char *mark = end_of_array(record);
    if (!mark)
        return ORR_OK;
    ORI_TRY(name_task(context, record->shown, record->shown_size, job, err));
    return name_task(context, record->shown, (size_t)(mark - record->shown), job, err);
}

enum { KEY_SIZE = 300 };

/* The key that jobs of one user and name share, a text without blanks in front of the name; empty
 * where the log does not tell the name. Behind `singleton` a job comes after its number, "=5". */
static void find_key(ori_read_context *context, char key[KEY_SIZE])
{
    ori_record *record = &context->record;
    char number[16];
    *key = '\0';
    if (!record->after)
        return;
    if (record->name_size > 0)
        snprintf(key, KEY_SIZE, "=%d=%.*s", (int)record->label.of[ORR_LABEL_USER],
                 (int)record->name_size, record->name);
    if (!record->singleton)
        return;
    if (!*key) {
        note_odd(context, "singleton without a column JobName", 34);
        return;
    }
    int32_t known = orr_labels_find(&context->arrays, key);
    int size = snprintf(number, sizeof number, "=%d",
                        (int)(known > 0 ? known : context->arrays.count + 1));
    ori_after_add(record->after, number, (size_t)size, "");
}

/* Adds the jobs of a key that lie before this one, and behind the one before it that came after all
 * of them; the list begins with this one then. */
static void add_same(const ori_read_context *context, ori_after *after, int32_t number, int32_t job)
{
    int64_t last = context->last_task[number - 1], task = context->tasks[last].next;
    for (; context->tasks[task].job != job; task = context->tasks[task].next) {
        const char *one = orr_jobs_id(context->jobs, (int32_t)context->tasks[task].job);
        ori_after_add(after, one, strlen(one), "");
    }
    context->tasks[last].next = task;
}

/* Adds the ids of the jobs that a name stands for, each with what is behind the name. */
static void add_named(const ori_read_context *context, ori_after *after, const char *name,
                      size_t size, int32_t job)
{
    char alone[80];
    if (*name == '=') {
        add_same(context, after, (int32_t)strtol(name + 1, NULL, 10), job);
        return;
    }
    size_t id = strcspn(name, "+ ");
    snprintf(alone, sizeof alone, "%.*s", (int)id, name);
    int32_t number = id < sizeof alone ? orr_labels_find(&context->arrays, alone) : 0;
    snprintf(alone, sizeof alone, "%.*s", (int)(size - id), name + id);
    if (number == 0) {
        ori_after_add(after, name, id, alone);
        return;
    }
    int64_t task = context->last_task[number - 1];
    do {
        task = context->tasks[task].next;
        const char *one = orr_jobs_id(context->jobs, (int32_t)context->tasks[task].job);
        ori_after_add(after, one, strlen(one), alone);
    } while (task != context->last_task[number - 1]);
}

orr_status ori_slurm_name_tasks(ori_read_context *context, orr_error *err)
{
    orr_jobs *jobs = context->jobs;
    for (int32_t job = 0; context->arrays.count > 0 && job < jobs->linked; job++) {
        const char *name = orr_jobs_after(jobs, job);
        context->after.size = 0;
        for (; name && *name; name += strspn(name, " ")) {
            size_t size = strcspn(name, " ");
            add_named(context, &context->after, name, size, job);
            name += size;
        }
        if (context->after.size > 0)
            ORI_TRY(ori_jobs_set_after(jobs, job, context->after.text, err));
        else
            jobs->afters[job] = 0; /* also of the first of its user and name */
    }
    return ORR_OK;
}

orr_status ori_slurm_add(ori_read_context *context, const char *state, bool has_end, orr_error *err)
{
    ori_record *record = &context->record;
    int32_t job = context->jobs->count;
    if (state[0] == '\0' && has_end && !record->ended.known)
        return ori_record_drop(context, ORR_DROP_UNFINISHED, err);
    if (!(record->time > 0) && strcmp(state, ORR_STATUS_CANCELLED) == 0)
        return ori_record_drop(context, ORR_DROP_NEVER_RAN, err);
    char key[KEY_SIZE];
    find_key(context, key);
    const char *mark = end_of_array(record);
    if (mark)
        ORI_TRY(orr_labels_number(record->names, record->shown, (size_t)(mark - record->shown),
                                  &record->label.of[ORR_LABEL_ARRAY], err));
    ORI_TRY(ori_record_add(context, err));
    if (!record->after || job == context->jobs->count)
        return ORR_OK;
    if (*key)
        ORI_TRY(name_task(context, key, strlen(key), job, err));
    return name_array(context, job, err);
}

/* --- what jobs ask for -------------------------------------------------------------------------*/

/* What is used up with the processors, or says what the job cost. */
static bool is_modelled(const char *name, size_t size)
{
    static const char *const names[] = {"cpu", "node", "billing", "energy", "pages", "vmem"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*names[i] == *name && strlen(names[i]) == size && memcmp(names[i], name, size) == 0)
            return true;
    return size == 0 || *name == '(' || (size >= 3 && memcmp(name, "fs/", 3) == 0); /* "(null)" */
}

/* Whether a list has the total of a type: "gres/gpu=2" for "gres/gpu:a100". */
static bool has_total(const char *text, size_t size, const char *name, size_t length)
{
    char total[80];
    const char *type = memchr(name, ':', length);
    int n = type ? snprintf(total, sizeof total, "%.*s=", (int)(type - name), name) : 0;
    return n > 0 && (size_t)n < sizeof total && memmem(text, size, total, (size_t)n);
}

/* "64G", bytes; without a letter it is MB. NaN: not known. */
static double memory_of(const char *text, const char *end)
{
    double amount;
    return ori_parse_amount(text, (size_t)(end - text), 1 << 20, &amount) ? amount : NAN;
}

const char *ori_slurm_behind_usual(const char *text, const char *end, bool *memory)
{
    static const struct {
        const char *name;
        int size;
    } names[] = {{"cpu=", 4}, {"mem=", 4}, {"node=", 5}, {"billing=", 8}};
    const char *one = text;
    while (one < end) {
        size_t i = *one == 'c' ? 0 : *one == 'm' ? 1 : *one == 'n' ? 2 : 3;
        int size = names[i].size;
        if (end - one <= size || memcmp(one, names[i].name, (size_t)size) != 0)
            return one;
        *memory |= i == 1 && one[size] != '0';
        for (one += size; one < end && *one != ','; one++)
            ;
        one += one < end;
    }
    return one;
}

void ori_slurm_ask(ori_record *record, const char *text, size_t size, char between,
                   const char *prefix)
{
    const char *end = text + size;
    for (const char *one = text, *stop; one < end; one = stop + 1) {
        const char *first = NULL, *mark = NULL; /* between name, perhaps type, and amount */
        bool has_memory = false;
        if (between == '=' && !record->needs)
            one = ori_slurm_behind_usual(one, end, &has_memory);
        if (has_memory)
            ori_record_ask(record, "memory", strlen("memory"), NAN);
        if (one == end)
            return;
        if (between == ':' && end - one > 5 && memcmp(one, "gres", 4) == 0)
            one += 5;
        for (stop = one; stop < end && *stop != ','; stop++)
            if (*stop == between) {
                first = first ? first : stop;
                mark = stop;
            }
        size_t length = (size_t)((first ? first : stop) - one);
        bool is_memory = length == 3 && memcmp(one, "mem", 3) == 0;
        double amount = NAN;
        if (ORR_UNLIKELY(record->needs != NULL) && mark && between == '=' && length == 4 &&
            memcmp(one, "node", 4) == 0 &&
            ori_parse_number(mark + 1, (size_t)(stop - mark - 1), &amount))
            ori_record_need(record, "nodes", 5, 0, amount);
        if (is_memory ? mark && mark + 1 < stop && mark[1] == '0' : is_modelled(one, length))
            continue;
        if (is_memory)
            amount = record->needs && mark ? memory_of(mark + 1, stop) : NAN;
        else if (!mark || !ori_parse_number(mark + 1, (size_t)(stop - mark - 1), &amount))
            amount = mark && between == '=' ? NAN : 1; /* of "gpu", "gpu:a100" */
        bool total = has_total(text, size, one, length);
        if (amount == 0 || (total && !record->needs))
            continue;
        char name[80] = "memory";
        size_t before = strlen(prefix), all = is_memory ? 6 : before + length;
        if (all >= sizeof name)
            continue;
        if (!is_memory) {
            memcpy(name, prefix, before);
            memcpy(name + before, one, length);
        }
        if (total) /* the type may be a pool of its own */
            ori_record_need(record, name, all, 0, amount);
        else
            ori_record_ask(record, name, all, amount);
    }
}

/* --- dependencies ------------------------------------------------------------------------------*/

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned)c - '0' <= 9 || c == '_';
}

static size_t size_of_word(const char *text, const char *end)
{
    size_t size = 0;
    while (text + size < end && is_of_word(text[size]))
        size++;
    return size;
}

static bool is_state(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* aftercorr on an array: the task with the number of this one, "7_3" for task "9_3". */
static void add_task(ori_read_context *context, const char *id, size_t size)
{
    char task[160];
    const ori_record *record = &context->record;
    const char *own = record->shown ? memchr(record->shown, '_', record->shown_size) : NULL;
    int more = own && !memchr(id, '_', size) ? (int)(record->shown + record->shown_size - own) : 0;
    int length = snprintf(task, sizeof task, "%.*s%.*s", (int)size, id, more, own ? own : "");
    if (length > 0 && (size_t)length < sizeof task)
        ori_after_add(context->record.after, task, (size_t)length, ORI_AFTER_OK);
}

/* The jobs behind the colon of "afterok:7:8+5(unfulfilled)"; returns where they end. */
static const char *add_jobs(ori_read_context *context, const char *text, size_t word,
                            const char *end)
{
    const char *p = text + word, *delay;
    bool well = is_state(text, word, "afterok"), task = is_state(text, word, "aftercorr");
    while (p < end && *p == ':') {
        const char *id = ++p;
        size_t size = size_of_word(id, end);
        p += size;
        for (delay = p; p < end && (*p == '+' || (p > delay && (unsigned)*p - '0' <= 9));)
            p++;
        if (size == 0)
            note_odd(context, text, (size_t)(p - text));
        else if (task)
            add_task(context, id, size);
        else
            ori_after_add(context->record.after, id, size, well ? ORI_AFTER_OK : "");
    }
    if (p < end && *p == '(') /* "(unfulfilled)", "(failed)" */
        while (p < end && *p++ != ')')
            ;
    return p;
}

/* "afterok:7:8,afterany:9", or with question marks for commas, of which one is enough. */
static void read_expression(ori_read_context *context, const char *text, const char *end)
{
    bool any = memchr(text, '?', (size_t)(end - text));
    if (any)
        ori_after_add(context->record.after, ORI_AFTER_ANY, 1, "");
    for (const char *p = text; p < end; p++) {
        const char *begin = p;
        size_t word = size_of_word(p, end);
        p += word;
        if (is_state(begin, word, "afterok") || is_state(begin, word, "afterany") ||
            is_state(begin, word, "afternotok") || is_state(begin, word, "aftercorr"))
            p = add_jobs(context, begin, word, end);
        else if (is_state(begin, word, "singleton") && !any)
            context->record.singleton = true;
        else if (word > 0 && !is_state(begin, word, "after") && !is_state(begin, word, "None") &&
                 !is_state(begin, word, "Unknown"))
            note_odd(context, begin, word);
        while (p < end && *p != ',' && *p != '?')
            p++;
    }
    ori_after *after = context->record.after;
    if (any && after->size == 1) /* none that is about an end */
        after->size = 0;
}

void ori_slurm_dependencies(ori_read_context *context, const char *text, size_t size,
                            bool submitted)
{
    static const char *const options[] = {"--dependency=", "--dependency ", "-d "};
    const char *end = text + size, *alone = NULL;
    if (submitted && context->record.needs)
        alone = memmem(text, size, " --exclusive", 12);
    if (alone && (alone + 12 == end || alone[12] == ' ')) /* not =user, =mcs */
        ori_record_need(&context->record, "exclusive", strlen("exclusive"), 0, 1);
    if (!context->record.after || context->record.after->size > 0 || size == 0)
        return; /* not asked for, or the other column gave the same */
    if (!submitted) {
        read_expression(context, text, end);
        return;
    }
    for (const char *p = text; p < end; p++)
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            size_t option = strlen(options[i]);
            if ((size_t)(end - p) <= option || memcmp(p, options[i], option) != 0 ||
                (p > text && p[-1] != ' '))
                continue;
            const char *stop = p += option;
            while (stop < end && *stop != ' ' && *stop != '\'' && *stop != '"')
                stop++;
            read_expression(context, p, stop);
            return;
        }
}
