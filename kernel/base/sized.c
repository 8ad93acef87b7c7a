/* Structs that callers fill: how large are they, as the caller knows them? */
#include "base/sized_internal.h"

#include <string.h>

orr_status ori_take(void *own, size_t size, const void *given, const char *type, orr_error *err)
{
    size_t known;
    memcpy(&known, given, sizeof known);
    if (known < sizeof known)
        return orr_fail(err, ORR_ERR_ARGUMENT, "the size of an %s must be sizeof(%s), not %zu",
                        type, type, known);
    if (known > size)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "an %s has %zu bytes, and Orrery %s knows %zu of them: the program is "
                        "newer than the library",
                        type, known, orr_version(), size);
    memset(own, 0, size);
    memcpy(own, given, known);
    return ORR_OK;
}
