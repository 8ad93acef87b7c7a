/* Logs in JSON: one document, parsed as a whole, of one of the kinds in ORI_DOCUMENTS.
 *
 * jansson parses the syntax. It uses malloc, because its memory hooks are global. It holds the
 * whole document, about twelve times the size of the text. */
#include "base/array_internal.h"
#include "base/try_internal.h"
#include "formats_internal.h"
#include "json_internal.h"

#include <string.h>

/* Millions of jobs; the parsed form of a larger document would take more than 3 GiB. */
enum { LARGEST_TEXT = 1 << 28 };

typedef struct json_state {
    ori_read_context *context;
    char *text;
    int64_t size, capacity;
} json_state;

#define POINTER(NAME) &ori_document_##NAME,
static const ori_document *const documents[] = {ORI_DOCUMENTS(POINTER) NULL};
#undef POINTER

static orr_status read_document(const json_state *state, const json_t *document, orr_error *err)
{
    ori_json_log log = {.context = state->context, .document = document};
    const ori_document *const *kind = documents;
    while (kind[1] && !(*kind)->recognises(document))
        kind++;
    return (*kind)->read(&log, err);
}

static orr_status fail_syntax(const json_state *state, const json_error_t *problem, orr_error *err)
{
    if (json_error_code(problem) == json_error_out_of_memory)
        return orr_fail_memory(err, (size_t)state->size);
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: column %d: not JSON: %s", state->context->name,
                    (long long)state->context->line + problem->line, problem->column,
                    problem->text);
}

static orr_status json_finish(void *user, orr_error *err)
{
    json_state *state = user;
    json_error_t problem;
    json_t *document =
        json_loadb(state->text, (size_t)state->size, JSON_REJECT_DUPLICATES, &problem);
    if (!document)
        return fail_syntax(state, &problem, err);
    orr_status status = read_document(state, document, err);
    json_decref(document);
    return status;
}

static orr_status json_feed(void *user, const char *bytes, size_t size, orr_error *err)
{
    json_state *state = user;
    if (size > LARGEST_TEXT - (size_t)state->size)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s: a log in JSON of more than 256 MiB (sacct -P writes less)",
                        state->context->name);
    ORI_TRY(ORI_RESERVE(&state->context->alloc, &state->text, &state->capacity,
                        state->size + (int64_t)size, err));
    memcpy(state->text + state->size, bytes, size);
    state->size += (int64_t)size;
    return ORR_OK;
}

static void json_close(void *user)
{
    json_state *state = user;
    ORI_FREE(&state->context->alloc, &state->text, &state->capacity);
}

const ori_format ori_format_json = {.about = "JSON of Batsim or of sacct --json",
                                    .sign = '{',
                                    .state_size = sizeof(json_state),
                                    .feed = json_feed,
                                    .finish = json_finish,
                                    .close = json_close};
