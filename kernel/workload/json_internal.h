/* JSON: the common part of logs in JSON. Not a public header.
 *
 * read_json.c parses the document and asks each kind of log, a file read_json_NAME.c, whether it
 * recognises the document; json.c has their functions for values and for messages about wrong
 * values. A record that cannot be read is left out, as in all logs (records_internal.h). */
#pragma once

#include "records_internal.h"

#include <jansson.h>

/* The kinds, ori_document_NAME, in the order in which they are asked. */
#define ORI_DOCUMENTS(X) X(sacct) X(batsim)

typedef struct ori_json_log {
    ori_read_context *context;
    const json_t *document;
    char job[64]; /* the job being read, for messages: "job 17" */
    int parts;    /* of Batsim: profiles in the sequences of the job's, so far */
} ori_json_log;

typedef struct ori_document {
    bool (*recognises)(const json_t *document);
    orr_status (*read)(ori_json_log *log, orr_error *err);
} ori_document;

#define ORI_DECLARE(NAME) extern const ori_document ori_document_##NAME;
ORI_DOCUMENTS(ORI_DECLARE)
#undef ORI_DECLARE

/* ORR_ERR_INPUT, "path: message". */
orr_status ori_json_fail(const ori_json_log *log, orr_error *err, const char *format, ...)
    ORR_PRINTF(3, 4);

/* "path: job 17: key: expected ..., found ...", which also says why the record is left out. */
orr_status ori_json_fail_value(const ori_json_log *log, const char *key, const char *expected,
                               const json_t *value, orr_error *err);

/* A value as in the file, for messages: texts in quotes, others unquoted. */
const char *ori_json_show(const json_t *value, char shown[ORI_QUOTED_SIZE]);

/* The id of the job at a position, from the value of `key`; later messages name the job by it. */
orr_status ori_json_read_id(ori_json_log *log, const json_t *job, const char *key, size_t position,
                            orr_error *err);

/* Gives the record a label; a value that is not a text, or is empty, gives none. */
orr_status ori_json_read_label(ori_json_log *log, const json_t *value, orr_label kind,
                               orr_error *err);

/* Reads every job of a list with `read`; a job with an error is left out. */
orr_status ori_json_each(ori_json_log *log, const json_t *jobs,
                         orr_status (*read)(ori_json_log *log, const json_t *job, size_t position,
                                            orr_error *err),
                         orr_error *err);
