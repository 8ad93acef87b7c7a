/* Sources: the bytes of a file or of pieces fed by hand, not compressed and without a byte order
 * mark. Only this file of the readers uses the operating system. */
#include "source_internal.h"

#include "base/block_internal.h"
#include "base/try_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUT_SIZE = 1 << 16, FILE_BLOCK = 1 << 18 };

static const unsigned char byte_order_mark[] = {0xEF, 0xBB, 0xBF};

/* --- source ------------------------------------------------------------------------------------*/

void ori_source_open(ori_source *source, const char *name, ori_bytes_sink sink, void *user,
                     const orr_allocator *a)
{
    *source = (ori_source){.alloc = orr_allocator_or_default(a),
                           .name = name,
                           .sink = sink,
                           .user = user,
                           .out_size = OUT_SIZE,
                           .block = FILE_BLOCK};
}

void ori_source_close(ori_source *source)
{
    if (!source->out)
        return;
    ori_unpacker_close(&source->unpacker);
    orr_release(&source->alloc, source->out, source->out_size);
    source->out = NULL;
}

static orr_status send(ori_source *source, const char *bytes, size_t size, orr_error *err)
{
    source->any = true;
    return source->sink(source->user, bytes, size, err);
}

/* Passes uncompressed bytes on, without the byte order mark. */
static orr_status pass_bytes(ori_source *source, const char *bytes, size_t size, orr_error *err)
{
    size_t i = 0;
    if (source->bom >= 0) {
        while (i < size && source->bom < 3 &&
               (unsigned char)bytes[i] == byte_order_mark[source->bom]) {
            i++;
            source->bom++;
        }
        if (source->bom < 3 && i == size)
            return ORR_OK;
        int seen = source->bom;
        source->bom = -1;
        if (seen > 0 && seen < 3) { /* not a mark after all: these bytes belong to the text */
            ORI_TRY(send(source, (const char *)byte_order_mark, (size_t)seen, err));
        }
    }
    return i == size ? ORR_OK : send(source, bytes + i, size - i, err);
}

static const char *packing_of(const ori_source *source)
{
    return ori_packing_names[source->unpacker.packing];
}

/* Damaged data, of which `left` bytes that were fed are not read yet. what: "damaged gzip data
 * (invalid block type)"; missing: what that means for the records. */
static orr_status end_by_damage(ori_source *source, size_t left, bool cut, const char *what,
                                const char *missing, orr_error *err)
{
    long long read = (long long)(source->fed - (int64_t)left);
    char of[32] = "";
    if (source->size > read)
        snprintf(of, sizeof of, " of %lld", (long long)source->size);
    int size =
        snprintf(source->damage, sizeof source->damage, "%s, after %lld%s bytes", what, read, of);
    if (!source->lenient)
        return orr_fail(err, ORR_ERR_INPUT, "%s: %s", source->name, source->damage);
    snprintf(source->damage + size, sizeof source->damage - (size_t)size, ": %s", missing);
    source->cut = cut;
    source->state = ORI_SOURCE_ENDED;
    return ORR_OK;
}

static orr_status fail_unpack(ori_source *source, size_t left, const char *message, orr_error *err)
{
    bool checks = strstr(message, "check") && !strstr(message, "header"); /* all data was present */
    char what[96];
    snprintf(what, sizeof what, "damaged %s data (%.64s)", packing_of(source), message);
    return end_by_damage(source, left, !checks, what,
                         checks ? "any record may be wrong" : "what follows is missing", err);
}

/* Unpacks until the input is used up or the member ends. */
static orr_status unpack(ori_source *source, const unsigned char **bytes, size_t *size,
                         orr_error *err)
{
    ori_unpacked code;
    size_t made;
    do {
        const char *wrong;
        code = ori_unpack(&source->unpacker, bytes, size, source->out, source->out_size, &made,
                          &wrong);
        if (code == ORI_UNPACKED_MEMORY)
            return orr_fail_memory(err, 1 << 15);
        ORI_TRY(pass_bytes(source, (char *)source->out, made, err));
        if (code == ORI_UNPACKED_WRONG)
            return fail_unpack(source, *size, wrong, err);
    } while (code != ORI_UNPACKED_END && (*size > 0 || made == source->out_size));
    if (code == ORI_UNPACKED_END)
        source->state = ORI_SOURCE_BETWEEN;
    return ORR_OK;
}

/* A file may be several members one behind the other, padded with zeros; zstd has frames without
 * text, too. */
static orr_status next_member(ori_source *source, const unsigned char **bytes, size_t *size,
                              orr_error *err)
{
    bool frame = source->unpacker.packing == ORI_ZSTD && (**bytes & 0xf0) == 0x50;
    if (**bytes == 0) {
        (*bytes)++;
        (*size)--;
        return ORR_OK;
    }
    if (**bytes != source->magic[0] && !frame) {
        char what[64];
        snprintf(what, sizeof what, "damaged %s data (something else follows it)",
                 packing_of(source));
        return end_by_damage(source, *size, false, what, "what follows is not read", err);
    }
    ori_packing packing = source->unpacker.packing;
    ori_unpacker_close(&source->unpacker);
    source->state = ORI_SOURCE_MEMBER;
    return ori_unpacker_open(&source->unpacker, packing, &source->alloc)
               ? ORR_OK
               : orr_fail_memory(err, sizeof source->unpacker);
}

/* The first bytes tell compressed data from text; they may come in several pieces. */
static orr_status recognise(ori_source *source, const unsigned char **bytes, size_t *size,
                            orr_error *err)
{
    bool more;
    source->magic[source->seen++] = *(*bytes)++;
    (*size)--;
    ori_packing packing = ori_packing_of(source->magic, source->seen, &more);
    const unsigned char *first = source->magic;
    size_t seen = source->seen;
    if (packing == ORI_NOT_PACKED && more)
        return ORR_OK;
    source->state = packing == ORI_NOT_PACKED ? ORI_SOURCE_PLAIN : ORI_SOURCE_MEMBER;
    if (packing == ORI_NOT_PACKED)
        return pass_bytes(source, (const char *)first, seen, err);
    source->out = orr_alloc(&source->alloc, source->out_size);
    if (!source->out || !ori_unpacker_open(&source->unpacker, packing, &source->alloc))
        return orr_fail_memory(err, source->out_size);
    return unpack(source, &first, &seen, err);
}

orr_status ori_source_feed(ori_source *source, const void *bytes, size_t size, orr_error *err)
{
    const unsigned char *next = bytes;
    source->fed += (int64_t)size;
    while (size > 0) {
        switch (source->state) {
        case ORI_SOURCE_START:
            ORI_TRY(recognise(source, &next, &size, err));
            break;
        case ORI_SOURCE_PLAIN:
            return pass_bytes(source, (const char *)next, size, err);
        case ORI_SOURCE_MEMBER:
            ORI_TRY(unpack(source, &next, &size, err));
            break;
        case ORI_SOURCE_BETWEEN:
            ORI_TRY(next_member(source, &next, &size, err));
            break;
        case ORI_SOURCE_ENDED:
            return ORR_OK;
        }
    }
    return ORR_OK;
}

orr_status ori_source_finish(ori_source *source, orr_error *err)
{
    if (source->state == ORI_SOURCE_MEMBER) {
        char what[80];
        snprintf(what, sizeof what, "the %s data ends too early: the file is not complete",
                 packing_of(source));
        return end_by_damage(source, 0, true, what, "how much is missing cannot be told", err);
    }
    if (source->state == ORI_SOURCE_START && source->seen > 0) {
        source->state = ORI_SOURCE_PLAIN;
        ORI_TRY(pass_bytes(source, (const char *)source->magic, source->seen, err));
    }
    return source->bom > 0 && source->bom < 3
               ? send(source, (const char *)byte_order_mark, (size_t)source->bom, err)
               : ORR_OK;
}

orr_status ori_source_fail_empty(const ori_source *source, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT,
                    source->any ? "%s: nothing but blank lines" : "%s: the file is empty",
                    source->name);
}

orr_status ori_pass_text(ori_bytes_sink sink, void *user, const char *bytes, size_t size,
                         const char *path, const char *what, const int64_t *line, orr_error *err)
{
    const char *zero = memchr(bytes, '\0', size);
    size_t text = zero ? (size_t)(zero - bytes) : size;
    orr_status status = text == 0 ? ORR_OK : sink(user, bytes, text, err);
    if (status == ORR_OK && zero)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: not %s: binary data (a zero byte) where text is due", path,
                        (long long)*line + 1, what);
    return status;
}

/* --- files -------------------------------------------------------------------------------------*/

/* A file that does not exist, is a folder or may not be read is bad input; a failing disk is
 * not. */
static orr_status fail_errno(const char *path, orr_error *err)
{
    int code = errno;
    bool named_wrong = code == ENOENT || code == ENOTDIR || code == EISDIR || code == EACCES ||
                       code == ELOOP || code == ENAMETOOLONG;
    char text[128];
    return orr_fail(err, named_wrong ? ORR_ERR_INPUT : ORR_ERR_IO, "%s: %s", path,
                    strerror_r(code, text, sizeof text));
}

/* Whether a file is unchanged since it was opened. Only files on a disk can change. */
static bool is_unchanged(int file, const struct stat *before)
{
    struct stat now;
    if (!S_ISREG(before->st_mode) || fstat(file, &now) != 0)
        return true;
    return now.st_size == before->st_size && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static orr_status feed_descriptor(ori_source *source, const char *path, int file, orr_error *err)
{
    char *block;
    ORI_SCRATCH(&source->alloc, ORI_RAW, err, ORI_PART(block, source->block));
    ssize_t n;
    while (source->state != ORI_SOURCE_ENDED && (n = read(file, block, source->block)) != 0) {
        if (n < 0 && errno != EINTR)
            return fail_errno(path, err);
        if (n > 0)
            ORI_TRY(ori_source_feed(source, block, (size_t)n, err));
    }
    return ORR_OK;
}

orr_status ori_source_feed_file(ori_source *source, const char *path, orr_error *err)
{
    struct stat before = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_errno(path, err);
    bool known = fstat(file, &before) == 0;
    source->size = S_ISREG(before.st_mode) ? (int64_t)before.st_size : 0;
    orr_status status = known ? feed_descriptor(source, path, file, err) : fail_errno(path, err);
    if (!is_unchanged(file, &before)) /* the file changed, which explains senseless data */
        status = orr_fail(err, ORR_ERR_IO, "%s: the file was changed while it was read", path);
    close(file);
    return status != ORR_OK ? status : ori_source_finish(source, err);
}
