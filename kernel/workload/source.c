/* Sources: the bytes of a file or of pieces fed by hand, without gzip and without a byte order
 * mark. Only this file of the readers uses the operating system and zlib. */
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

/* --- zlib's memory: it does not tell the size when it frees, so a header keeps it --------------*/

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
    inflateEnd(&source->zip);
    orr_release(&source->alloc, source->out, source->out_size);
    source->out = NULL;
}

static orr_status send(ori_source *source, const char *bytes, size_t size, orr_error *err)
{
    source->any = true;
    return source->sink(source->user, bytes, size, err);
}

/* Passes uncompressed bytes on, without the byte order mark. */
static orr_status pass(ori_source *source, const char *bytes, size_t size, orr_error *err)
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

static orr_status start_unzip(ori_source *source, orr_error *err)
{
    source->zip.zalloc = zip_alloc;
    source->zip.zfree = zip_free;
    source->zip.opaque = &source->alloc;
    source->out = orr_alloc(&source->alloc, source->out_size);
    if (!source->out)
        return orr_fail_memory(err, source->out_size);
    if (inflateInit2(&source->zip, 15 + 16) != Z_OK) {
        orr_release(&source->alloc, source->out, source->out_size);
        source->out = NULL;
        return orr_fail_memory(err, sizeof source->zip);
    }
    source->state = ORI_SOURCE_MEMBER;
    return ORR_OK;
}

/* Damaged gzip data, of which `left` bytes that were fed are not read yet. what: "damaged gzip data
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

static orr_status fail_unzip(ori_source *source, size_t left, orr_error *err)
{
    const char *message = source->zip.msg ? source->zip.msg : "unknown error";
    bool checks = strstr(message, "check") && !strstr(message, "header"); /* all data was present */
    char what[96];
    snprintf(what, sizeof what, "damaged gzip data (%.64s)", message);
    return end_by_damage(source, left, !checks, what,
                         checks ? "any record may be wrong" : "what follows is missing", err);
}

/* Inflates until the input is used up or the member ends. */
static orr_status unzip(ori_source *source, const unsigned char **bytes, size_t *size,
                        orr_error *err)
{
    z_stream *zip = &source->zip;
    int code;
    do {
        uInt given = *size > (1u << 30) ? 1u << 30 : (uInt)*size;
        zip->next_in = (z_const Bytef *)*bytes;
        zip->avail_in = given;
        zip->next_out = source->out;
        zip->avail_out = (uInt)source->out_size;
        code = inflate(zip, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR)
            return orr_fail_memory(err, 1 << 15);
        *bytes += given - zip->avail_in;
        *size -= given - zip->avail_in;
        ORI_TRY(pass(source, (char *)source->out, source->out_size - zip->avail_out, err));
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return fail_unzip(source, *size, err);
    } while (code != Z_STREAM_END && (*size > 0 || zip->avail_out == 0));
    if (code == Z_STREAM_END)
        source->state = ORI_SOURCE_BETWEEN;
    return ORR_OK;
}

/* A file may be several gzip members one behind the other, padded with zeros. */
static orr_status next_member(ori_source *source, const unsigned char **bytes, size_t *size,
                              orr_error *err)
{
    if (**bytes == 0) {
        (*bytes)++;
        (*size)--;
        return ORR_OK;
    }
    if (**bytes != 0x1f)
        return end_by_damage(source, *size, false, "damaged gzip data (something else follows it)",
                             "what follows is not read", err);
    inflateReset(&source->zip);
    source->state = ORI_SOURCE_MEMBER;
    return ORR_OK;
}

/* The first two bytes tell gzip from text; the first may have come in an earlier piece. */
static orr_status recognise(ori_source *source, const unsigned char **bytes, size_t *size,
                            orr_error *err)
{
    static const unsigned char magic = 0x1f;
    if (source->state == ORI_SOURCE_START) {
        source->state = **bytes == magic ? ORI_SOURCE_MAGIC : ORI_SOURCE_PLAIN;
        if (source->state == ORI_SOURCE_MAGIC) {
            (*bytes)++;
            (*size)--;
        }
        return ORR_OK;
    }
    const unsigned char *first = &magic;
    size_t one = 1;
    if (**bytes != 0x8b) {
        source->state = ORI_SOURCE_PLAIN;
        return pass(source, (const char *)first, one, err);
    }
    ORI_TRY(start_unzip(source, err));
    return unzip(source, &first, &one, err);
}

orr_status ori_source_feed(ori_source *source, const void *bytes, size_t size, orr_error *err)
{
    const unsigned char *next = bytes;
    source->fed += (int64_t)size;
    while (size > 0) {
        switch (source->state) {
        case ORI_SOURCE_START:
        case ORI_SOURCE_MAGIC:
            ORI_TRY(recognise(source, &next, &size, err));
            break;
        case ORI_SOURCE_PLAIN:
            return pass(source, (const char *)next, size, err);
        case ORI_SOURCE_MEMBER:
            ORI_TRY(unzip(source, &next, &size, err));
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
    if (source->state == ORI_SOURCE_MEMBER)
        return end_by_damage(source, 0, true,
                             "the gzip data ends too early: the file is not complete",
                             "how much is missing cannot be told", err);
    if (source->state == ORI_SOURCE_MAGIC) {
        source->state = ORI_SOURCE_PLAIN;
        ORI_TRY(pass(source, "\x1f", 1, err));
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
