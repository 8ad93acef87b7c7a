/* A sink: the function that receives text. The kernel opens no files and prints nothing. */
#pragma once

#include "base/api.h"

/* Takes `size` bytes of text; false stops the export with ORR_ERR_IO. */
typedef struct orr_sink {
    bool (*write)(void *user, const char *text, size_t size);
    void *user;
} orr_sink;
