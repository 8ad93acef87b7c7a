/* zlib's compress in blocks that are stored as they are: a chart stays in the browser, which would
 * load the packer at each visit. */
#include <string.h>
#include <zlib.h>

enum { BLOCK = 65535 };

uLong compressBound(uLong size)
{
    return size + 5 * (size / BLOCK + 1) + 6;
}

int compress(Bytef *out, uLongf *packed, const Bytef *text, uLong size)
{
    Bytef *at = out;
    uLong check = adler32(adler32(0, NULL, 0), text, (uInt)size);
    *at++ = 0x78;
    *at++ = 1;
    for (uLong left = size, part; at == out + 2 || left > 0; left -= part, text += part) {
        part = left < BLOCK ? left : BLOCK;
        const Bytef head[] = {part == left, (Bytef)part, (Bytef)(part >> 8), (Bytef)~part,
                              (Bytef)(~part >> 8)};
        memcpy(at, head, sizeof head);
        memcpy(at + sizeof head, text, part);
        at += sizeof head + part;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = (Bytef)(check >> shift);
    *packed = (uLongf)(at - out);
    return Z_OK;
}
