/* Messages from arguments that are a va_list. Shared by the kernel's folders only. */
#pragma once

#include "base/error.h"

/* The same with the arguments as a va_list. */
orr_status ori_vfail(orr_error *err, orr_status status, const char *format, va_list args)
    ORR_PRINTF(3, 0);
