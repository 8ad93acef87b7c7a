/* Raised by Ctrl-C in the program; every run looks at it. */
#pragma once

#include "base/error.h"

extern orr_cancel_flag orr_interrupted;
