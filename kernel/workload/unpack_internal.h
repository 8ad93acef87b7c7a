/* Compressed data, piece by piece: gzip, xz, bzip2 and zstd by the libraries of these names. Memory
 * of zlib is the allocator's; the others use malloc, up to 128 MiB. Not a public header. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

#include <zlib.h>
#ifndef ORI_GZIP_ONLY
#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>
#endif

typedef enum ori_packing { ORI_GZIP, ORI_XZ, ORI_BZIP2, ORI_ZSTD, ORI_NOT_PACKED } ori_packing;
enum { ORI_LONGEST_MAGIC = 6 };

typedef struct ori_unpacker {
    ori_packing packing;
    z_stream zip;
#ifndef ORI_GZIP_ONLY
    lzma_stream xz;
    bz_stream bz;
    ZSTD_DStream *zstd;
#endif
} ori_unpacker;

extern const char *const ori_packing_names[];

/* What begins with these bytes, at most ORI_LONGEST_MAGIC. *more: more bytes may tell. */
ori_packing ori_packing_of(const unsigned char *bytes, size_t size, bool *more);

/* For each member of a file; false where memory runs out. The allocator must stay where it is. */
bool ori_unpacker_open(ori_unpacker *u, ori_packing packing, orr_allocator *a);
void ori_unpacker_close(ori_unpacker *u);

/* Unpacks until the input, the room or the member ends. *in and *size move on; *made: bytes in
 * `out`; *wrong: what is wrong with the data. */
typedef enum {
    ORI_UNPACKED,
    ORI_UNPACKED_END,
    ORI_UNPACKED_WRONG,
    ORI_UNPACKED_MEMORY
} ori_unpacked;
ori_unpacked ori_unpack(ori_unpacker *u, const unsigned char **in, size_t *size, unsigned char *out,
                        size_t room, size_t *made, const char **wrong);
