/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of compressed or plain text. */
#include "trace/accelsim/text_in.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* TEXT_B: beyond what the second-level cache of most hosts holds, reading in larger pieces gains nothing. */
enum { RAW_B = 1 << 17, TEXT_B = 1 << 18, XZ_MEMORY_B = 256 << 20 };
_Static_assert(TEXT_B > TEXT_LINE_MAX + RAW_B, "the longest line and a piece of more");

enum packing { PACK_NONE, PACK_XZ, PACK_GZIP, PACK_ZSTD };

struct text_in {
    char *name;
    int fd; /* -1: memory */
    const uint8_t *mem;
    size_t mem_n;
    enum packing packing;
    lzma_stream xz;
    z_stream gz;
    ZSTD_DStream *zs;
    uint8_t *raw; /* compressed bytes [raw_at, raw_n) are yet to be unpacked */
    size_t raw_at, raw_n;
    bool raw_end, end;
    bool inside; /* of a frame or member: the file must not end here */
    char *text;  /* [at, n) is yet to be given out */
    size_t at, n;
    uint64_t line, bytes;
    const char *error;
    char why[128];
};

static size_t read_some(struct text_in *t, uint8_t *to, size_t room)
{
    if (t->fd < 0) {
        size_t n = t->mem_n < room ? t->mem_n : room;
        memcpy(to, t->mem, n);
        t->mem += n;
        t->mem_n -= n;
        return n;
    }
    ssize_t n;
    do
        n = read(t->fd, to, room);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        snprintf(t->why, sizeof t->why, "cannot be read: %s", strerror(errno));
        t->error = t->why;
        return 0;
    }
    return (size_t)n;
}

static void refill(struct text_in *t)
{
    if (t->raw_at < t->raw_n || t->raw_end)
        return;
    t->raw_at = 0;
    t->raw_n = read_some(t, t->raw, RAW_B);
    t->raw_end = t->raw_n == 0;
}

/* What was read to see how it is packed, then the file itself. */
static size_t copy_plain(struct text_in *t, char *to, size_t room)
{
    size_t got = t->raw_n - t->raw_at < room ? t->raw_n - t->raw_at : room;
    if (got) {
        memcpy(to, t->raw + t->raw_at, got);
        t->raw_at += got;
        return got;
    }
    got = read_some(t, (uint8_t *)to, room);
    t->end = !got && !t->error;
    return got;
}

static size_t unpack_xz(struct text_in *t, char *to, size_t room)
{
    t->xz.next_in = t->raw + t->raw_at;
    t->xz.avail_in = t->raw_n - t->raw_at;
    t->xz.next_out = (uint8_t *)to;
    t->xz.avail_out = room;
    lzma_ret r = lzma_code(&t->xz, t->raw_end ? LZMA_FINISH : LZMA_RUN);
    t->raw_at = t->raw_n - t->xz.avail_in;
    if (r == LZMA_STREAM_END)
        t->end = true;
    else if (r == LZMA_BUF_ERROR || (r == LZMA_OK && t->raw_end && t->xz.avail_out == room))
        t->error = "the xz data ends too early";
    else if (r != LZMA_OK)
        t->error = r == LZMA_MEMLIMIT_ERROR ? "the xz data needs too much memory" : "the xz data is damaged";
    return room - t->xz.avail_out;
}

static size_t unpack_gzip(struct text_in *t, char *to, size_t room)
{
    if (t->raw_at == t->raw_n) {
        t->end = true;
        t->error = t->inside ? "the gzip data ends too early" : NULL;
        return 0;
    }
    t->gz.next_in = t->raw + t->raw_at;
    t->gz.avail_in = (uInt)(t->raw_n - t->raw_at);
    t->gz.next_out = (Bytef *)to;
    t->gz.avail_out = (uInt)room;
    t->inside = true;
    int r = inflate(&t->gz, Z_NO_FLUSH);
    t->raw_at = t->raw_n - t->gz.avail_in;
    if (r == Z_STREAM_END) { /* another member may follow */
        t->inside = false;
        inflateReset(&t->gz);
    } else if (r != Z_OK && r != Z_BUF_ERROR) {
        t->error = "the gzip data is damaged";
    }
    return room - t->gz.avail_out;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the library writes there */
static size_t unpack_zstd(struct text_in *t, char *to, size_t room)
{
    ZSTD_inBuffer in = {t->raw, t->raw_n, t->raw_at};
    ZSTD_outBuffer out = {to, room, 0};
    size_t r = ZSTD_decompressStream(t->zs, &out, &in);
    bool still = in.pos == t->raw_at && out.pos == 0;
    t->raw_at = in.pos;
    if (ZSTD_isError(r)) {
        t->error = "the zstd data is damaged";
    } else if (t->raw_end && still) {
        t->end = true;
        t->error = t->inside ? "the zstd data ends too early" : NULL;
    } else {
        t->inside = r != 0;
    }
    return out.pos;
}

/* More text behind what is there; nothing at the end or after a failure. */
static void more(struct text_in *t)
{
    memmove(t->text, t->text + t->at, t->n - t->at);
    t->n -= t->at;
    t->at = 0;
    size_t before = t->n;
    while (t->n == before && !t->end && !t->error) {
        size_t room = TEXT_B - t->n, got = 0;
        if (t->packing != PACK_NONE)
            refill(t);
        if (t->error)
            return;
        switch (t->packing) {
        case PACK_NONE: got = copy_plain(t, t->text + t->n, room); break;
        case PACK_XZ: got = unpack_xz(t, t->text + t->n, room); break;
        case PACK_GZIP: got = unpack_gzip(t, t->text + t->n, room); break;
        case PACK_ZSTD: got = unpack_zstd(t, t->text + t->n, room); break;
        }
        t->n += got;
        t->bytes += got;
    }
}

char *text_line(struct text_in *t, size_t *n)
{
    for (;;) {
        char *from = t->text + t->at, *nl = memchr(from, '\n', t->n - t->at);
        size_t have = t->n - t->at, length = nl ? (size_t)(nl - from) : have;
        if (nl || (t->end && have && !t->error)) {
            t->line++;
            if (length > TEXT_LINE_MAX)
                break;
            t->at += length + (nl != NULL);
            if (length && from[length - 1] == '\r')
                length--;
            from[length] = 0; /* the buffer has bytes to spare */
            *n = length;
            return from;
        }
        if (t->end || t->error)
            return NULL;
        if (have > TEXT_LINE_MAX) {
            t->line++;
            break;
        }
        more(t);
    }
    t->error = "a line is too long";
    return NULL;
}

static enum packing packing_of(const uint8_t *b, size_t n)
{
    if (n >= 6 && memcmp(b,
                         "\xfd"
                         "7zXZ\0",
                         6) == 0)
        return PACK_XZ;
    if (n >= 2 && b[0] == 0x1f && b[1] == 0x8b)
        return PACK_GZIP;
    if (n >= 4 && memcmp(b, "\x28\xb5\x2f\xfd", 4) == 0)
        return PACK_ZSTD;
    return PACK_NONE;
}

static struct text_in *start(const char *name, int fd, const void *bytes, size_t n)
{
    struct text_in *t = xcalloc(1, sizeof *t);
    t->name = xstrdup(name);
    t->fd = fd;
    t->mem = bytes;
    t->mem_n = n;
    t->raw = xmalloc(RAW_B);
    t->text = xcalloc(1, TEXT_B + TEXT_BEHIND_B);
    refill(t);
    t->packing = packing_of(t->raw, t->raw_n);
    bool ok = true;
    if (t->packing == PACK_XZ)
        ok = lzma_stream_decoder(&t->xz, XZ_MEMORY_B, LZMA_CONCATENATED) == LZMA_OK;
    if (t->packing == PACK_GZIP)
        ok = inflateInit2(&t->gz, 15 + 16) == Z_OK;
    if (t->packing == PACK_ZSTD)
        ok = (t->zs = ZSTD_createDStream()) != NULL;
    if (!ok)
        t->error = "cannot be unpacked";
    return t;
}

struct text_in *text_open(const char *path, struct diag *d)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
        diag_error(d, path, NULL, 0, 0, 0, "cannot be read: %s", strerror(fd < 0 ? errno : EISDIR));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    return start(path, fd, NULL, 0);
}

struct text_in *text_from_memory(const char *name, const void *bytes, size_t n)
{
    return start(name, -1, bytes, n);
}

const char *text_error(const struct text_in *t) { return t->error; }
const char *text_name(const struct text_in *t) { return t->name; }
uint64_t text_line_number(const struct text_in *t) { return t->line; }
uint64_t text_bytes(const struct text_in *t) { return t->bytes; }

void text_close(struct text_in *t)
{
    if (!t)
        return;
    if (t->packing == PACK_XZ)
        lzma_end(&t->xz);
    if (t->packing == PACK_GZIP)
        inflateEnd(&t->gz);
    ZSTD_freeDStream(t->zs);
    if (t->fd >= 0)
        close(t->fd);
    free(t->raw);
    free(t->text);
    free(t->name);
    free(t);
}
