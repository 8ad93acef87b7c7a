/* The version of the library. A file of its own, because it belongs to no other module. */
#include "base/api.h"

const char *orr_version(void)
{
    return ORR_VERSION;
}
