/* The version, and structs that callers fill: the library accepts the size that the caller
 * knows. */

#include "base/api_internal.h"
#include "base/try_internal.h"

#include <string.h>

const char *orr_version(void)
{
    return ORR_VERSION;
}

orr_status ori_take(void *own, size_t size, const void *given, const char *type, orr_error *err)
{
    size_t known;
    memcpy(&known, given, sizeof known);
    ORI_REFUSE(known < sizeof known, err, "the size of an %s must be sizeof(%s), not %zu", type,
               type, known);
    ORI_REFUSE(known > size, err,
               "an %s has %zu bytes, and Orrery %s knows %zu of them: the program is "
               "newer than the library",
               type, known, orr_version(), size);
    memset(own, 0, size);
    memcpy(own, given, known);
    return ORR_OK;
}
