/* Slurm's accounting as JSON, `sacct --json`: an object with a list of jobs, whose keys are those
 * of Slurm's data parsers (0.0.37 to 0.0.42). Records are left out for the same reasons as in dumps
 * of `sacct -P` (read_sacct.c). */
#include "base/try_internal.h"
#include "json_internal.h"
#include "slurm_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_sacct(const json_t *document)
{
    const json_t *first = json_array_get(json_object_get(document, "jobs"), 0);
    return !json_object_get(document, "profiles") && json_object_get(first, "job_id");
}

/* A number, also as { "set":, "infinite":, "number": }; NaN where it is missing. */
static orr_status read_number(const ori_json_log *log, const json_t *holder, const char *key,
                              double *number, orr_error *err)
{
    const json_t *value = json_object_get(holder, key), *inside = json_object_get(value, "number");
    *number = NAN;
    if (json_is_false(json_object_get(value, "set")) ||
        json_is_true(json_object_get(value, "infinite")) || !value || json_is_null(value))
        return ORR_OK;
    inside = json_is_object(value) ? inside : value;
    if (!json_is_number(inside) || json_number_value(inside) < 0)
        return ori_json_fail_value(log, key, "a number >= 0", inside, err);
    *number = json_number_value(inside);
    return ORR_OK;
}

/* A time in seconds since 1970; 0 is unknown. */
static orr_status read_stamp(const ori_json_log *log, const json_t *time, const char *key,
                             ori_stamp *stamp, orr_error *err)
{
    double seconds;
    ORI_TRY(read_number(log, time, key, &seconds, err));
    stamp->known = seconds > 0 && seconds < 9e12;
    stamp->us = stamp->known ? llround(seconds * 1e6) : 0;
    return ORR_OK;
}

/* The count of a type of trackable resources in a list; 0: not known. */
static double count_of(const json_t *list, const char *type)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(one, "type"));
        if (name && strcmp(name, type) == 0)
            return json_number_value(json_object_get(one, "count"));
    }
    return 0;
}

/* What the job asks for beside processors. */
static void read_asked(const json_t *list, ori_record *record)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *name = json_object_get(one, "name");
        const char *type = json_string_value(json_object_get(one, "type"));
        char text[160];
        bool named = json_string_length(name) > 0;
        int size = !type ? 0
                         : snprintf(text, sizeof text, "%s%s%s=%.17g", type, named ? "/" : "",
                                    named ? json_string_value(name) : "",
                                    json_number_value(json_object_get(one, "count")));
        if (size > 0 && (size_t)size < sizeof text)
            ori_slurm_ask(record, text, (size_t)size, '=', "");
    }
}

static orr_status read_processors(const ori_json_log *log, const json_t *job, ori_record *record,
                                  orr_error *err)
{
    static const ori_type type = {NULL, "a whole number from 0 to 2147483647", .most = INT32_MAX,
                                  .whole = true};
    static const ori_column column = {"tres", &type, ORI_RECORD(procs), ORI_OPTIONAL};
    bool nodes = log->context->options.count == ORR_COUNT_NODES;
    const json_t *tres = json_object_get(job, "tres");
    const char *wanted = nodes ? "node" : "cpu";
    const json_t *required = json_object_get(job, "required");
    double count = count_of(json_object_get(tres, "allocated"), wanted), other;
    static const char *const memory[] = {"memory_per_node", "memory_per_cpu"}; /* MB */
    for (int i = 0; i < 2; i++) {
        ORI_TRY(read_number(log, required, memory[i], &other, err));
        int slot = i == 0 ? ORI_PER_NODE : ORI_PER_PROC;
        if (other > 0 && !ori_record_need(record, "mem", 3, slot, ldexp(other, 20)))
            ori_record_ask(record, "memory", strlen("memory"), NAN);
    }
    read_asked(json_object_get(tres, "allocated"), record);
    read_asked(json_object_get(tres, "requested"), record);
    if (count == 0) {
        ORI_TRY(read_number(log, nodes ? job : required, nodes ? "allocation_nodes" : "CPUs",
                            &other, err));
        count = other > 0 ? other : count_of(json_object_get(tres, "requested"), wanted);
    }
    return ori_column_take(&column, count, record)
               ? ORR_OK
               : ori_json_fail_value(log, "tres", type.expected, tres, err);
}

static orr_status read_times(const ori_json_log *log, const json_t *job, ori_record *record,
                             orr_error *err)
{
    const json_t *time = json_object_get(job, "time");
    double minutes;
    ORI_TRY(read_stamp(log, time, "submission", &record->submitted, err));
    ORI_TRY(read_stamp(log, time, "eligible", &record->eligible, err));
    ORI_TRY(read_stamp(log, time, "start", &record->started, err));
    ORI_TRY(read_stamp(log, time, "end", &record->ended, err));
    ORI_TRY(read_number(log, time, "elapsed", &record->time, err));
    ORI_TRY(read_number(log, time, "suspended", &record->suspended, err));
    ORI_TRY(read_number(log, time, "limit", &minutes, err));
    record->walltime = minutes * 60;
    ori_slurm_derive_times(log->context, true);
    return ORR_OK;
}

/* What sacct shows as the id: "7_3" of a task of an array; "7+1" of a part of a heterogeneous job,
 * which is then its id. */
static orr_status read_shown(ori_json_log *log, const json_t *job, char shown[64], orr_error *err)
{
    static const char *const keys[][2] = {{"array", "task_id"}, {"het", "job_offset"}};
    static const ori_type type = {.most = 64};
    static const ori_column column = {"het", &type, ORI_RECORD(id), ORI_OPTIONAL};
    ori_record *record = &log->context->record;
    double first = 0, number = NAN;
    int part = 2;
    while (!(first > 0 && first < 9e15 && number >= 0 && number < 9e15) && part-- > 0) {
        const json_t *holder = json_object_get(job, keys[part][0]);
        ORI_TRY(read_number(log, holder, "job_id", &first, err));
        ORI_TRY(read_number(log, holder, keys[part][1], &number, err));
    }
    if (part < 0)
        return ORR_OK;
    record->shown = shown;
    record->shown_size = (size_t)snprintf(shown, 64, "%.0f%c%.0f", first, "_+"[part], number);
    log->context->has_parts |= part;
    record->remarks |= (unsigned)part << ORR_REMARK_PARTS;
    return part ? ori_read_id(&column, shown, record->shown_size, record, NULL, err) : ORR_OK;
}

/* What else the job asks for. */
static void ask_more(const ori_json_log *log, const json_t *job)
{
    static const char *const keys[][2] = {
        {"constraints", ""}, {"licenses", ""}, {"reservation", "id"}, {"priority", "number"}};
    ori_record *record = &log->context->record;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(job, keys[i][0]);
        const json_t *inside = *keys[i][1] ? json_object_get(value, keys[i][1]) : value;
        if (json_string_length(inside) > 0 || json_number_value(inside) > 0)
            ori_record_ask(record, keys[i][0], strlen(keys[i][0]), NAN);
    }
    double nodes = json_number_value(json_object_get(job, "allocation_nodes"));
    if (log->context->options.count != ORR_COUNT_NODES && nodes > 0)
        ori_record_ask(record, "nodes", strlen("nodes"), nodes);
    if (!record->after && json_string_length(json_object_get(job, "dependency")) > 0)
        ori_record_ask(record, "dependencies", strlen("dependencies"), NAN);
}

/* The keys of a job that nothing is read of. */
static void list_ignored(orr_jobs *jobs, const json_t *job)
{
    static const char *const known[] = {
        "job_id",   "array",       "het",      "state",       "dependency", "submit_line",
        "time",     "required",    "tres",     "user",        "qos",        "partition",
        "licenses", "constraints", "priority", "reservation", "account",    "allocation_nodes"};
    for (void *at = json_object_iter((json_t *)job); at;
         at = json_object_iter_next((json_t *)job, at)) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(known[i], json_object_iter_key(at)) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            ori_jobs_ignore(jobs, json_object_iter_key(at), strlen(json_object_iter_key(at)));
    }
}

static orr_status read_job(ori_json_log *log, const json_t *job, size_t position, orr_error *err)
{
    ori_record *record = &log->context->record;
    char state[ORI_SLURM_STATE_SIZE], shown[64];
    if (position == 0)
        list_ignored(log->context->jobs, job);
    ORI_TRY(ori_json_read_id(log, job, "job_id", position, err));
    ORI_TRY(read_shown(log, job, shown, err));
    const json_t *current = json_object_get(json_object_get(job, "state"), "current");
    const json_t *word = json_is_array(current) ? json_array_get(current, 0) : current;
    const char *text = json_is_string(word) ? json_string_value(word) : "";
    ori_slurm_state(text, strlen(text), state);
    if (ori_slurm_is_unfinished(state))
        return ori_record_drop(log->context, ORR_DROP_UNFINISHED, err);
    ori_record_forget_after(record);
    static const char *const lines[] = {"dependency", "submit_line"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *line = json_string_value(json_object_get(job, lines[i]));
        ori_slurm_dependencies(log->context, line ? line : "", line ? strlen(line) : 0, i == 1);
    }
    const json_t *name = json_object_get(job, "name");
    record->name = json_string_value(name);
    record->name_size = json_string_length(name);
    ORI_TRY(read_times(log, job, record, err));
    ORI_TRY(read_processors(log, job, record, err));
    ORI_TRY(orr_labels_number(record->names, state, strlen(state),
                              &record->label.of[ORR_LABEL_STATUS], err));
    static const orr_label labels[] = {ORR_LABEL_USER, ORR_LABEL_PARTITION, ORR_LABEL_ACCOUNT,
                                       ORR_LABEL_QOS};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        ORI_TRY(ori_json_read_label(log, json_object_get(job, orr_label_name(labels[i])), labels[i],
                                    err));
    ask_more(log, job);
    return ori_slurm_add(log->context, state, true, err);
}

static orr_status read_dump(ori_json_log *log, orr_error *err)
{
    const json_t *jobs = json_object_get(log->document, "jobs");
    bool told = false; /* whether a job has trackable resources */
    for (size_t i = 0; i < json_array_size(jobs) && !told; i++) {
        const json_t *tres = json_object_get(json_array_get(jobs, i), "tres");
        told = json_array_size(json_object_get(tres, "allocated")) > 0 ||
               json_array_size(json_object_get(tres, "requested")) > 0;
    }
    if (!told)
        ori_jobs_remark(log->context->jobs, ORR_REMARK_NO_TRES, 1, 0);
    return ori_json_each(log, jobs, read_job, err);
}

const ori_document ori_document_sacct = {.recognises = is_sacct, .read = read_dump};
