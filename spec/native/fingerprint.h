/* A fingerprint of what a simulation answers: equal for equal bits, so that two states can be
 * compared without keeping either. */
#pragma once

#include "base/random.h"

#include <string.h>

static inline void add_bits(uint64_t *sum, uint64_t bits)
{
    *sum = orr_mix_a(*sum ^ bits) + 1;
}

static inline void add(uint64_t *sum, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add_bits(sum, bits);
}

static inline void add_all(uint64_t *sum, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(sum, numbers[i]);
}

static inline void add_generator(uint64_t *sum, const orr_pcg *rng)
{
    add_bits(sum, (uint64_t)rng->state);
    add_bits(sum, (uint64_t)(rng->state >> 64));
}
