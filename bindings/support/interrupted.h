/* Raised by Ctrl-C in the program; every run looks at it. */
#ifndef ORR_BINDINGS_INTERRUPTED_H
#define ORR_BINDINGS_INTERRUPTED_H

#include "base/error.h"

extern orr_cancel_flag orr_interrupted;

#endif
