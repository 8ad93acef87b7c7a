/* Errors that are passed on, and arguments that are refused, in one statement. */
#pragma once

#include "base/error.h"

/* Returns the status of a call from the function that it stands in, unless that is ORR_OK. Only
 * where nothing has to be given back first. */
#define ORI_TRY(call)                                                                              \
    do {                                                                                           \
        orr_status try_ = (call);                                                                  \
        if (ORR_UNLIKELY(try_ != ORR_OK))                                                          \
            return try_;                                                                           \
    } while (0)

/* Returns a status, with the message that follows, from the function that it stands in where the
 * condition holds. Under the same rule. */
#define ORI_FAIL_IF(wrong, err, status, ...)                                                       \
    do {                                                                                           \
        if (wrong)                                                                                 \
            return orr_fail(err, status, __VA_ARGS__);                                             \
    } while (0)

/* Where an argument is wrong. */
#define ORI_REFUSE(wrong, err, ...) ORI_FAIL_IF(wrong, err, ORR_ERR_ARGUMENT, __VA_ARGS__)
