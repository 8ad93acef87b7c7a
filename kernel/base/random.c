/* The slow parts of the generator: seeding, jumps, unbiased integers, keys of streams. */
#include "base/random.h"

void orr_pcg_seed(orr_pcg *rng, orr_u128 state, orr_u128 sequence)
{
    rng->state = 0;
    rng->increment = sequence << 1 | 1;
    orr_pcg_next(rng);
    rng->state += state;
    orr_pcg_next(rng);
}

/* n steps of s -> m s + c are one step with m^n and c (m^n - 1)/(m - 1): square and multiply
 * (F. Brown, Random Number Generation with Arbitrary Stride, 1994). */
void orr_pcg_advance(orr_pcg *rng, orr_u128 delta)
{
    orr_u128 multiplier = 1, addend = 0;
    orr_u128 power = ORR_PCG_MULTIPLIER, shift = rng->increment;
    for (; delta > 0; delta >>= 1) {
        if (delta & 1) {
            multiplier *= power;
            addend = addend * power + shift;
        }
        shift *= power + 1;
        power *= power;
    }
    rng->state = multiplier * rng->state + addend;
}

uint64_t orr_pcg_below(orr_pcg *rng, uint64_t bound)
{
    uint64_t word = orr_pcg_next(rng);
    if (bound == 0)
        return word;
    /* The lowest 2^64 mod bound words would be one too many for the small remainders. They are all
     * below bound, so that most calls need one division only. */
    if (ORR_UNLIKELY(word < bound)) {
        uint64_t rejected = -bound % bound;
        while (word < rejected)
            word = orr_pcg_next(rng);
    }
    return word % bound;
}

static void absorb(orr_stream_key *key, uint64_t word)
{
    key->a = orr_mix_a(key->a + word * 0xbea225f9eb34556dull + 0xa4093822299f31d0ull);
    key->b = orr_mix_b(key->b + word * 0x9fb21c651e98df25ull + 0x082efa98ec4e6c89ull);
}

orr_stream_key orr_stream_key_make(uint64_t seed, uint64_t set, uint64_t scenario,
                                   orr_purpose purpose)
{
    orr_stream_key key = {0x243f6a8885a308d3ull, 0x13198a2e03707344ull}; /* digits of pi */
    absorb(&key, seed);
    absorb(&key, set);
    absorb(&key, scenario);
    absorb(&key, (uint64_t)purpose);
    return key;
}
