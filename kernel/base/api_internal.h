/* Structs that callers fill and that may grow (base/api.h): see api.c. */
#pragma once

#include "base/error.h"

/* Copies the fields of the caller's struct to the library's own, which is `size` bytes long, and
 * fills the rest with zeros. `type` names the struct in messages; `given` is not NULL. */
orr_status ori_take(void *own, size_t size, const void *given, const char *type, orr_error *err);

#define ORI_TAKE(own, given, type, err) ori_take(own, sizeof(type), given, #type, err)
