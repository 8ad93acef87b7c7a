/* Ctrl-C: the flag that it raises, and the program's handler. */
#pragma once

#include "base/error.h"

struct sigaction; /* of <signal.h>, which brings more names than some files bear */

/* Raised by Ctrl-C in the program; every run tests it. */
extern orr_cancel_flag orr_interrupted;

/* sigaction whose handler also interrupts code that calls no function of the C library. */
int orr_set_handler(int number, const struct sigaction *action, struct sigaction *before);
