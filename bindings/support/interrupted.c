/* The flag that stops what runs: the program raises it, and all folders above this one look. */
#include "bindings/support/interrupted.h"

orr_cancel_flag orr_interrupted;
