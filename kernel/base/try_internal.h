/* Macros that pass on errors or refuse arguments in one statement; messages from a va_list; structs
 * that callers fill and that may grow (base/api.h). */
#pragma once

#include "base/error.h"

/* As orr_fail. */
orr_status ori_vfail(orr_error *err, orr_status status, const char *format, va_list args)
    ORR_PRINTF(3, 0);

/* Returns the status of a call from the enclosing function, unless it is ORR_OK. Only where nothing
 * must be freed first. */
#define ORI_TRY(call)                                                                              \
    do {                                                                                           \
        orr_status try_ = (call);                                                                  \
        if (ORR_UNLIKELY(try_ != ORR_OK))                                                          \
            return try_;                                                                           \
    } while (0)

/* Returns a status, with the message that follows, from the enclosing function where the condition
 * holds. Only where nothing must be freed first. */
#define ORI_FAIL_IF(wrong, err, status, ...)                                                       \
    do {                                                                                           \
        if (wrong)                                                                                 \
            return orr_fail(err, status, __VA_ARGS__);                                             \
    } while (0)

/* Whether 0 <= i < n. */
#define ORI_IS_IN(i, n) ((uint64_t)(int64_t)(i) < (uint64_t)(n))

/* ORR_ERR_ARGUMENT where an argument is wrong. */
#define ORI_REFUSE(wrong, err, ...) ORI_FAIL_IF(wrong, err, ORR_ERR_ARGUMENT, __VA_ARGS__)
