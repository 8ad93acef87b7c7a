/* Random numbers: PCG with 128-bit state and 64-bit output, as values that their user owns.
 *
 * The generator is PCG XSL-RR 128/64 ("pcg64" in M. O'Neill, PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation, HMC-CS-2014-0905),
 * and not the newer DXSM, because XSL-RR is the variant with published test vectors and with a
 * packaged C++ implementation to compare with.
 *
 * Streams. Nothing in Orrery shares a generator by accident: a stream is named by (seed, set,
 * scenario, purpose, entity), and the name alone decides its numbers. Scenario 17 therefore has
 * the same failures whatever the policy, the number of threads, the order of work, or the jobs
 * that a what-if adds behind those that were there. The part of the name that many streams share
 * is hashed once into an orr_stream_key. */
#pragma once

#include "base/api.h"

__extension__ typedef unsigned __int128 orr_u128;

typedef struct orr_pcg {
    orr_u128 state;
    orr_u128 increment; /* odd: selects one of 2^127 sequences */
} orr_pcg;

/* The purposes of streams. The numbers are part of the streams' names: append, never reorder. */
typedef enum orr_purpose {
    ORR_PURPOSE_USER = 0,        /* a generator made at the prompt or in a script */
    ORR_PURPOSE_WORKLOAD = 1,    /* generated jobs; entity = position of the job */
    ORR_PURPOSE_FAILURES = 2,    /* failed attempts; entity = position of the job */
    ORR_PURPOSE_PRIORITY = 3,    /* math.random in a priority; entity = position of the job */
    ORR_PURPOSE_POLICY = 4,      /* math.random in any other hook of a policy */
    ORR_PURPOSE_FAULTS = 5,      /* fail-stop faults; entity = processor, or 0 for the machine */
    ORR_PURPOSE_BACKFILL = 6,    /* math.random in a priority for backfilling; entity = as for 3 */
    ORR_PURPOSE_REPAIRS = 8,     /* repair times of nodes; entity = node, or 2^32 + domain */
    ORR_PURPOSE_LEMONS = 9,      /* entity = node: whether it is a lemon; 2^32: the additional
                                    failures of lemons */
    ORR_PURPOSE_DOMAINS = 10,    /* failures of domains; entity = 0 */
    ORR_PURPOSE_PREDICTIONS = 11 /* which failures are announced; entity = node, 2^32 + domain, or
                                    given outage; 2^33: false warnings */
} orr_purpose;

typedef struct orr_stream_key {
    uint64_t a, b;
} orr_stream_key;

/* Seeds as the reference implementation does: state and sequence are any 128-bit numbers. */
ORR_API void orr_pcg_seed(orr_pcg *rng, orr_u128 state, orr_u128 sequence);

/* Moves the generator `delta` outputs ahead in O(log delta); modulo 2^128, so that -n goes back. */
ORR_API void orr_pcg_advance(orr_pcg *rng, orr_u128 delta);

/* Uniform on 0 .. bound-1 without bias, by the reference implementation's method (remainders, low
 * words rejected), so that its published coins, dice and cards hold; bound 0 stands for 2^64. */
ORR_API uint64_t orr_pcg_below(orr_pcg *rng, uint64_t bound);

/* The key of all streams named (seed, set, scenario, purpose, any entity). */
ORR_API orr_stream_key orr_stream_key_make(uint64_t seed, uint64_t set, uint64_t scenario,
                                           orr_purpose purpose);

/* The rest is defined here because it is the inner loop of a Monte Carlo run. */

#define ORR_U128(high, low) (((orr_u128)(high) << 64) | (low))
#define ORR_PCG_MULTIPLIER ORR_U128(0x2360ed051fc65da4ull, 0x4385df649fccf645ull)

/* The next 64 random bits. The 128-bit variants of PCG step first and then give the new state. */
static inline uint64_t orr_pcg_next(orr_pcg *rng)
{
    rng->state = rng->state * ORR_PCG_MULTIPLIER + rng->increment;
    uint64_t folded = (uint64_t)(rng->state >> 64) ^ (uint64_t)rng->state;
    unsigned turn = (unsigned)(rng->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

/* Two bijections of 64 bits in which every input bit moves every output bit: splitmix64's
 * finaliser (Stafford's variant 13) and MurmurHash3's. */
static inline uint64_t orr_mix_a(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static inline uint64_t orr_mix_b(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

/* The generator at the beginning of the stream (key, entity). Both halves of the state are mixed,
 * each by its own function, so that the first output is as good as any later one; the increment
 * holds all of the first half and therefore differs for any two entities of one key. */
static inline orr_pcg orr_stream_open(orr_stream_key key, uint64_t entity)
{
    uint64_t high = orr_mix_a(key.a + entity * 0x9e3779b97f4a7c15ull);
    uint64_t low = orr_mix_b(key.b + entity * 0xd1342543de82ef95ull);
    orr_pcg rng = {ORR_U128(high, low), ORR_U128(key.b, high) << 1 | 1};
    return rng;
}
