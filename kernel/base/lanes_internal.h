/* Comparisons of 16 numbers at once: searches then branch only on the result. Numbers are aligned
 * to 16 bytes. */
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
