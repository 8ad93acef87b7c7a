/* Visibility and compiler checks shared by all public headers.
 *
 * Everything marked ORR_API is the library's interface; all else is hidden from the linker. */
#ifndef ORR_BASE_API_H
#define ORR_BASE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ORR_API __attribute__((visibility("default")))
#define ORR_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ORR_INLINE static inline __attribute__((always_inline)) /* even with several callers */
#define ORR_LIKELY(x) __builtin_expect(!!(x), 1)
#define ORR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define ORR_API
#define ORR_PRINTF(fmt, first)
#define ORR_INLINE static inline
#define ORR_LIKELY(x) (x)
#define ORR_UNLIKELY(x) (x)
#endif

#define ORR_VERSION "0.1.0"

#endif
