/* The version, and the common part of all public headers: visibility, linkage, compiler checks.
 *
 * Everything marked ORR_API is the library's interface; all else is hidden from the linker. The
 * headers are C11 and C++17, or later ones. In C++ the functions have C linkage, one by one:
 * ORR_API says so, and no header needs a block of extern "C". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus)
#define ORR_C_LINKAGE extern "C"
#else
#define ORR_C_LINKAGE
#endif

#if defined(__GNUC__)
#define ORR_API ORR_C_LINKAGE __attribute__((visibility("default")))
#define ORR_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#ifdef __EMSCRIPTEN__
#define ORR_INLINE static inline /* a page is to be small */
#else
#define ORR_INLINE static inline __attribute__((always_inline)) /* even with several callers */
#endif
#define ORR_LIKELY(x) __builtin_expect(!!(x), 1)
#define ORR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define ORR_API ORR_C_LINKAGE
#define ORR_PRINTF(fmt, first)
#define ORR_INLINE static inline
#define ORR_LIKELY(x) (x)
#define ORR_UNLIKELY(x) (x)
#endif

/* The version of these headers. orr_version gives the version of the library that the program has
 * loaded. */
#define ORR_VERSION "0.1.0"

ORR_API const char *orr_version(void);

/* Arguments. A position, a count or a number out of range is ORR_ERR_ARGUMENT with a message. A
 * function without a status then answers NaN, -1, 0, false, NULL or a struct of zeros, whichever
 * its type allows first. Pointers must not be NULL and an enum must have one of its values, unless
 * a comment says otherwise; an orr_error and an orr_allocator may be NULL everywhere. */

/* Structs that may grow. Where the first field of a struct is `size`, its caller sets it to the
 * sizeof of the struct, in C by an initialiser, {.size = sizeof(orr_rigid_setup), ...}, or with
 * ORR_BEGIN. A newer library then knows how many fields an older program has. New fields stand at
 * the end of the struct; the library takes missing fields as zeros, and zero means the behaviour
 * before the field existed. ORR_ERR_ARGUMENT: size is 0 (the caller forgot it), or larger than the
 * library's own (the program is newer than the library). All other structs, also structs inside
 * these and structs that the library fills, keep their layout until the number in the name of the
 * shared library changes. */
#define ORR_BEGIN(thing) (memset(&(thing), 0, sizeof(thing)), (void)((thing).size = sizeof(thing)))
