/* Compressed data. */
#include "unpack_internal.h"

#include <string.h>

const char *const ori_packing_names[] = {"gzip", "xz", "bzip2", "zstd"};

ori_packing ori_packing_of(const unsigned char *bytes, size_t size, bool *more)
{
    static const char *const magic[] = {"\x1f\x8b", "\3757zXZ", "BZh", "\x28\xb5\x2f\xfd"};
    *more = false;
    for (int i = 0; i < ORI_NOT_PACKED; i++) {
        size_t length = strlen(magic[i]);
        bool begins = memcmp(magic[i], bytes, size < length ? size : length) == 0;
        if (begins && size >= length)
            return (ori_packing)i;
        *more |= begins;
    }
    return ORI_NOT_PACKED;
}

/* zlib does not tell the size when it frees, so a header keeps it. */
typedef union block_header {
    size_t size;
    max_align_t align;
} block_header;

static voidpf zip_alloc(voidpf user, uInt items, uInt size)
{
    const orr_allocator *a = user;
    size_t bytes = sizeof(block_header) + (size_t)items * size;
    block_header *block = orr_alloc(a, bytes);
    if (!block)
        return Z_NULL;
    block->size = bytes;
    return block + 1;
}

static void zip_free(voidpf user, voidpf address)
{
    const orr_allocator *a = user;
    block_header *block = (block_header *)address - 1;
    orr_release(a, block, block->size);
}

enum { MOST_MEMORY = 1 << 27, MOST_AT_ONCE = 1 << 30 };

bool ori_unpacker_open(ori_unpacker *u, ori_packing packing, orr_allocator *a)
{
    *u = (ori_unpacker){.packing = packing,
                        .zip = {.zalloc = zip_alloc, .zfree = zip_free, .opaque = a}};
#ifndef ORI_GZIP_ONLY
    if (packing == ORI_XZ)
        return lzma_stream_decoder(&u->xz, MOST_MEMORY, 0) == LZMA_OK;
    if (packing == ORI_BZIP2)
        return BZ2_bzDecompressInit(&u->bz, 0, 0) == BZ_OK;
    if (packing == ORI_ZSTD)
        return (u->zstd = ZSTD_createDStream()) != NULL;
#endif
    return inflateInit2(&u->zip, 15 + 16) == Z_OK;
}

/* Nothing happens to a stream that was not opened. */
void ori_unpacker_close(ori_unpacker *u)
{
    inflateEnd(&u->zip);
#ifndef ORI_GZIP_ONLY
    lzma_end(&u->xz);
    BZ2_bzDecompressEnd(&u->bz);
    ZSTD_freeDStream(u->zstd);
#endif
}

/* A call with the input and room of a stream; streams have the same fields of different types. */
#define RUN(STREAM, CALL)                                                                          \
    (STREAM.next_in = (void *)(uintptr_t)*in, STREAM.avail_in = given,                             \
     STREAM.next_out = (void *)out, STREAM.avail_out = space, code = (int)(CALL),                  \
     *in += given - STREAM.avail_in, *size -= given - STREAM.avail_in,                             \
     *made = space - STREAM.avail_out)

ori_unpacked ori_unpack(ori_unpacker *u, const unsigned char **in, size_t *size, unsigned char *out,
                        size_t room, size_t *made, const char **wrong)
{
    unsigned given = (unsigned)(*size > MOST_AT_ONCE ? MOST_AT_ONCE : *size);
    unsigned space = (unsigned)(room > MOST_AT_ONCE ? MOST_AT_ONCE : room);
    int code, good = Z_OK, starved = Z_BUF_ERROR, end = Z_STREAM_END, memory = Z_MEM_ERROR;
    *wrong = "its parts do not fit";
#ifndef ORI_GZIP_ONLY
    if (u->packing == ORI_ZSTD) {
        ZSTD_inBuffer input = {*in, *size, 0};
        ZSTD_outBuffer output = {out, room, 0};
        size_t left = ZSTD_decompressStream(u->zstd, &output, &input);
        *in += input.pos;
        *size -= input.pos;
        *made = output.pos;
        *wrong = ZSTD_getErrorName(left);
        return ZSTD_isError(left) ? ORI_UNPACKED_WRONG : left ? ORI_UNPACKED : ORI_UNPACKED_END;
    }
    if (u->packing == ORI_XZ) {
        RUN(u->xz, lzma_code(&u->xz, LZMA_RUN));
        good = LZMA_OK, starved = LZMA_BUF_ERROR, end = LZMA_STREAM_END, memory = LZMA_MEM_ERROR;
        *wrong = code == LZMA_MEMLIMIT_ERROR ? "it needs more than 128 MiB" : *wrong;
    } else if (u->packing == ORI_BZIP2) {
        RUN(u->bz, BZ2_bzDecompress(&u->bz));
        good = starved = BZ_OK, end = BZ_STREAM_END, memory = BZ_MEM_ERROR;
    } else
#endif
    {
        RUN(u->zip, inflate(&u->zip, Z_NO_FLUSH));
        *wrong = u->zip.msg ? u->zip.msg : "unknown error";
    }
    return code == good || code == starved ? ORI_UNPACKED
           : code == end                   ? ORI_UNPACKED_END
           : code == memory                ? ORI_UNPACKED_MEMORY
                                           : ORI_UNPACKED_WRONG;
}
