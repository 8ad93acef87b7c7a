/* Several numbers at once. Comparisons are of 16: searches then branch only on the result. These 16
 * numbers are aligned to 16 bytes.
 *
 * A processor cannot read 16 bytes of which 4 have just been written before these are in the cache.
 * So a number that is compared soon is written with its neighbours (ori_put). */
#pragma once

#include "base/api.h"

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bit i is set where numbers[i] <= bound. */
ORR_INLINE uint32_t ori_at_most(const int32_t *numbers, int32_t bound)
{
#ifdef __SSE2__
    const __m128i *v = (const __m128i *)(const void *)numbers;
    __m128i b = _mm_set1_epi32(bound);
    __m128i low = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_load_si128(v), b),
                                  _mm_cmpgt_epi32(_mm_load_si128(v + 1), b));
    __m128i high = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_load_si128(v + 2), b),
                                   _mm_cmpgt_epi32(_mm_load_si128(v + 3), b));
    return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) & 0xffffu;
#else
    uint32_t mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (uint32_t)(numbers[i] <= bound) << i;
    return mask;
#endif
}

#ifdef __SSE2__
ORR_INLINE __m128i ori_lesser(__m128i a, __m128i b)
{
    __m128i a_wins = _mm_cmplt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(a_wins, a), _mm_andnot_si128(a_wins, b));
}

/* The smallest of 16 numbers, where it has at most 15 bits; else INT16_MAX. There is an instruction
 * for the lesser of numbers of 16 bits. */
ORR_INLINE int16_t ori_smallest_short(const __m128i *v)
{
    __m128i m = _mm_min_epi16(_mm_packs_epi32(_mm_load_si128(v), _mm_load_si128(v + 1)),
                              _mm_packs_epi32(_mm_load_si128(v + 2), _mm_load_si128(v + 3)));
    m = _mm_min_epi16(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_min_epi16(m, _mm_shuffle_epi32(m, 0xb1));
    return (int16_t)_mm_cvtsi128_si32(_mm_min_epi16(m, _mm_srli_epi32(m, 16)));
}
#endif

/* The smallest of 16 numbers >= 0. */
ORR_INLINE int32_t ori_smallest(const int32_t *numbers)
{
#ifdef __SSE2__
    const __m128i *v = (const __m128i *)(const void *)numbers;
    int16_t narrow = ori_smallest_short(v);
    if (narrow < INT16_MAX)
        return narrow;
    __m128i m = ori_lesser(ori_lesser(_mm_load_si128(v), _mm_load_si128(v + 1)),
                           ori_lesser(_mm_load_si128(v + 2), _mm_load_si128(v + 3)));
    m = ori_lesser(m, _mm_shuffle_epi32(m, 0x4e));
    m = ori_lesser(m, _mm_shuffle_epi32(m, 0xb1));
    return _mm_cvtsi128_si32(m);
#else
    int32_t least = numbers[0];
    for (int i = 1; i < 16; i++)
        least = numbers[i] < least ? numbers[i] : least;
    return least;
#endif
}

/* Writes numbers[i]; `numbers` is aligned to 16 bytes. */
ORR_INLINE void ori_put(int32_t *numbers, int32_t i, int32_t number)
{
#ifdef __SSE2__
    __m128i *v = (__m128i *)(void *)(numbers + (i & ~3));
    __m128i at = _mm_cmpeq_epi32(_mm_set1_epi32(i & 3), _mm_setr_epi32(0, 1, 2, 3));
    _mm_store_si128(v, _mm_or_si128(_mm_andnot_si128(at, _mm_load_si128(v)),
                                    _mm_and_si128(at, _mm_set1_epi32(number))));
#else
    numbers[i] = number;
#endif
}

/* Whether one of `count` numbers, aligned or not, is above the bound. */
ORR_INLINE bool ori_any_above(const double *numbers, int32_t count, double bound)
{
    int32_t i = 0;
    bool any = false;
#ifdef __SSE2__
    __m128d b = _mm_set1_pd(bound), even = b, odd = b; /* the largest so far; NaN is none */
    for (; i < count - 3; i += 4) {
        even = _mm_max_pd(_mm_loadu_pd(numbers + i), even);
        odd = _mm_max_pd(_mm_loadu_pd(numbers + i + 2), odd);
    }
    any = _mm_movemask_pd(_mm_cmpgt_pd(_mm_max_pd(even, odd), b)) != 0;
#endif
    for (; i < count; i++)
        any |= numbers[i] > bound;
    return any;
}

/* Writes `count` equal numbers, aligned or not. */
ORR_INLINE void ori_fill_real(double *numbers, int32_t count, double number)
{
    int32_t i = 0;
#ifdef __SSE2__
    __m128d two = _mm_set1_pd(number);
    for (; i < count - 3; i += 4) {
        _mm_storeu_pd(numbers + i, two);
        _mm_storeu_pd(numbers + i + 2, two);
    }
#endif
    for (; i < count; i++)
        numbers[i] = number;
}

/* The number of values <= bound among 16 numbers. */
ORR_INLINE int32_t ori_count_at_most(const double *numbers, double bound)
{
#ifdef __SSE2__
    __m128d b = _mm_set1_pd(bound);
    __m128i none = _mm_setzero_si128(), even = none, odd = none; /* two lanes each, negative */
    for (int i = 0; i < 16; i += 4) {
        even = _mm_add_epi64(even, _mm_castpd_si128(_mm_cmple_pd(_mm_load_pd(numbers + i), b)));
        odd = _mm_add_epi64(odd, _mm_castpd_si128(_mm_cmple_pd(_mm_load_pd(numbers + i + 2), b)));
    }
    even = _mm_add_epi64(even, odd);
    return -_mm_cvtsi128_si32(_mm_add_epi64(even, _mm_unpackhi_epi64(even, even)));
#else
    int32_t count = 0;
    for (int i = 0; i < 16; i++)
        count += numbers[i] <= bound;
    return count;
#endif
}
