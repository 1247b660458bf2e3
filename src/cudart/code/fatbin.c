/* SPDX-License-Identifier: Apache-2.0 */
/* The reader: what kind of image it is, a walk over the entries, unpacking of the chosen one. Every length is checked
 * against what is left before anything behind it is touched; structures are copied out, so alignment does not matter. */
#include "cudart/code/fatbin.h"
#include "sass/elf.h"

#include <lz4.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

_Static_assert(sizeof(struct fatbin_header) == 16 && sizeof(struct fatbin_entry) == 64,
               "layout of the format");

struct choice {
    enum fatbin_kind kind; /* that is wanted */
    uint32_t sm;
    struct fatbin_entry e;
    const unsigned char *payload;
    bool any;
    uint32_t others, other_arch; /* entries with the other kind of code */
};

static enum fatbin_status refuse(struct fatbin_text *out, enum fatbin_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum fatbin_status refuse(struct fatbin_text *out, enum fatbin_status s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out->why, sizeof out->why, fmt, ap);
    va_end(ap);
    return s;
}

/* Does a fit better than b? Up to sm the newest, above it the oldest; the first of equal ones. */
static bool better(uint32_t a, uint32_t b, uint32_t sm)
{
    if ((a <= sm) != (b <= sm))
        return a <= sm;
    return a <= sm ? a > b : a < b;
}

/* Called with each entry; false: no more. */
typedef bool on_entry(void *ctx, const struct fatbin_entry *e, const unsigned char *payload);

static enum fatbin_status walk(const unsigned char *at, uint64_t left, on_entry *see, void *ctx,
                               struct fatbin_text *out)
{
    for (uint64_t pos = 0; left;) {
        struct fatbin_entry e;
        if (left < sizeof e)
            return refuse(out, FATBIN_BAD, "entry at byte %llu: cut off", (unsigned long long)pos);
        memcpy(&e, at, sizeof e);
        if (e.header_b < sizeof e || e.header_b > left || e.payload_b > left - e.header_b)
            return refuse(out, FATBIN_BAD, "entry at byte %llu: %u + %llu bytes, but %llu are left",
                          (unsigned long long)pos, e.header_b, (unsigned long long)e.payload_b,
                          (unsigned long long)left);
        if (!see(ctx, &e, at + e.header_b))
            break;
        uint64_t step = e.header_b + e.payload_b;
        at += step;
        pos += step;
        left -= step;
    }
    return FATBIN_OK;
}

/* All entries of a fat binary and of those that follow it, where it is known how far one may read. */
static enum fatbin_status walk_all(const unsigned char *at, size_t left, on_entry *see, void *ctx,
                                   struct fatbin_text *out)
{
    bool sized = left != SIZE_MAX;
    if (!sized)
        left = FATBIN_IMAGE_MAX;
    for (uint32_t magic = FATBIN_MAGIC; magic == FATBIN_MAGIC;) {
        struct fatbin_header h;
        if (left < sizeof h)
            return refuse(out, FATBIN_BAD, "fat binary: its header is cut off");
        memcpy(&h, at, sizeof h);
        if (h.version != 1 || h.header_b < sizeof h)
            return refuse(out, FATBIN_TOO_NEW, "fat binary of version %u with a header of %u bytes",
                          h.version, h.header_b);
        if (h.header_b > left || h.payload_b > left - h.header_b)
            return refuse(out, FATBIN_BAD, "fat binary: %llu bytes of entries, but %llu are there",
                          (unsigned long long)h.payload_b, (unsigned long long)left);
        enum fatbin_status s = walk(at + h.header_b, h.payload_b, see, ctx, out);
        if (s != FATBIN_OK)
            return s;
        at += h.header_b + h.payload_b;
        left -= h.header_b + h.payload_b;
        magic = 0;
        if (sized && left >= sizeof magic)
            memcpy(&magic, at, sizeof magic);
    }
    return FATBIN_OK;
}

/* The entry to use. Entries of other kinds (options, debugging) are passed over. */
static bool choose(void *ctx, const struct fatbin_entry *e, const unsigned char *payload)
{
    struct choice *c = ctx;
    if (e->kind == c->kind && (!c->any || better(e->arch, c->e.arch, c->sm))) {
        c->e = *e;
        c->payload = payload;
        c->any = true;
    } else if (e->kind != c->kind && (e->kind == FATBIN_PTX || e->kind == FATBIN_ELF)) {
        c->others++;
        c->other_arch = e->arch;
    }
    return true;
}

/* Takes over n bytes (n + 1 allocated); what follows a NUL in text is padding. */
static enum fatbin_status finish(struct fatbin_text *out, enum fatbin_kind kind, char *text, size_t n,
                                 uint32_t arch)
{
    text[n] = 0;
    out->text = text;
    out->n = kind == FATBIN_PTX ? strlen(text) : n;
    out->arch = arch;
    return FATBIN_OK;
}

/* "PTX for compute_80", "machine code for sm_80" */
static const char *what(const struct choice *c, char buf[40])
{
    snprintf(buf, 40, c->kind == FATBIN_PTX ? "PTX for compute_%u" : "machine code for sm_%u", c->e.arch);
    return buf;
}

static enum fatbin_status unpack(const struct choice *c, struct fatbin_text *out)
{
    const struct fatbin_entry *e = &c->e;
    bool lz4 = e->flags & FATBIN_FLAG_LZ4, zstd = e->flags & FATBIN_FLAG_ZSTD;
    uint64_t packed_b = lz4 || zstd ? e->compressed_b : e->payload_b;
    uint64_t plain_b = lz4 || zstd ? e->plain_b : e->payload_b;
    char is[40];
    what(c, is);
    if (packed_b > e->payload_b)
        return refuse(out, FATBIN_BAD, "%s: %llu compressed bytes in an entry of %llu", is,
                      (unsigned long long)packed_b, (unsigned long long)e->payload_b);
    if (!plain_b || plain_b > FATBIN_TEXT_MAX)
        return refuse(out, FATBIN_BAD, "%s: says that it has %llu bytes", is, (unsigned long long)plain_b);
    if (lz4 && zstd)
        return refuse(out, FATBIN_TOO_NEW, "%s: unknown compression (flags 0x%llx)", is,
                      (unsigned long long)e->flags);
    /* An LZ4 byte stands for at most 255; a zstd frame says how much it holds. So a small file cannot ask for much. */
    if ((lz4 && plain_b / 255 > packed_b) ||
        (zstd && ZSTD_getFrameContentSize(c->payload, packed_b) != plain_b))
        return refuse(out, FATBIN_BAD, "%s: %llu bytes cannot come from %llu compressed ones", is,
                      (unsigned long long)plain_b, (unsigned long long)packed_b);
    char *text = malloc(plain_b + 1);
    if (!text)
        return refuse(out, FATBIN_BAD, "no memory for %llu bytes of %s", (unsigned long long)plain_b, is);
    bool good = true;
    if (lz4)
        good =
            LZ4_decompress_safe((const char *)c->payload, text, (int)packed_b, (int)plain_b) == (int)plain_b;
    else if (zstd)
        good = ZSTD_decompress(text, plain_b, c->payload, packed_b) == plain_b;
    else
        memcpy(text, c->payload, plain_b);
    if (good)
        return finish(out, c->kind, text, plain_b, e->arch);
    free(text);
    return refuse(out, FATBIN_BAD, "%s: the %s data is damaged", is, lz4 ? "LZ4" : "zstd");
}

static enum fatbin_status read_fat(enum fatbin_kind kind, const unsigned char *at, size_t left, uint32_t sm,
                                   struct fatbin_text *out)
{
    struct choice c = {.kind = kind, .sm = sm};
    enum fatbin_status s = walk_all(at, left, choose, &c, out);
    if (s != FATBIN_OK)
        return s;
    if (c.any)
        return unpack(&c, out);
    if (c.others && kind == FATBIN_PTX)
        return refuse(out, FATBIN_NONE, "there is only machine code (sm_%u), no PTX", c.other_arch);
    if (c.others)
        return refuse(out, FATBIN_NONE, "there is only PTX (compute_%u), no machine code", c.other_arch);
    return refuse(out, FATBIN_NONE, "there is no device code in it");
}

struct listing {
    fatbin_seen *see;
    void *ctx;
    struct fatbin_text *out;
    enum fatbin_status status;
};

static bool list_one(void *ctx, const struct fatbin_entry *e, const unsigned char *payload)
{
    struct listing *l = ctx;
    struct choice c = {.kind = (enum fatbin_kind)e->kind, .e = *e, .payload = payload};
    if (e->kind != FATBIN_PTX && e->kind != FATBIN_ELF)
        return true;
    l->status = unpack(&c, l->out);
    if (l->status == FATBIN_OK) {
        l->see(l->ctx, c.kind, l->out);
        free(l->out->text);
        l->out->text = NULL;
    }
    return l->status == FATBIN_OK;
}

enum fatbin_status fatbin_list(const void *image, size_t size_b, fatbin_seen *see, void *ctx,
                               struct fatbin_text *out)
{
    struct listing l = {.see = see, .ctx = ctx, .out = out};
    memset(out, 0, sizeof *out);
    enum fatbin_status s = walk_all(image, size_b, list_one, &l, out);
    return s == FATBIN_OK ? l.status : s;
}

/* PTX text starts with white space, a comment or a directive. */
static bool looks_like_text(const unsigned char *at)
{
    return *at == '/' || *at == '.' || *at == '\n' || *at == '\r' || *at == ' ' || *at == '\t';
}

static enum fatbin_status read_text(const unsigned char *at, size_t left, struct fatbin_text *out)
{
    size_t n = strnlen((const char *)at, left < FATBIN_TEXT_MAX ? left : FATBIN_TEXT_MAX);
    if (n == FATBIN_TEXT_MAX)
        return refuse(out, FATBIN_BAD, "more than %d MiB of PTX", FATBIN_TEXT_MAX >> 20);
    char *text = malloc(n + 1);
    if (!text)
        return refuse(out, FATBIN_BAD, "no memory for %zu bytes of PTX", n);
    memcpy(text, at, n);
    return finish(out, FATBIN_PTX, text, n, 0);
}

/* How far an ELF file in memory goes: to the end of its tables and sections. 0: it is none. */
static uint64_t elf_size(const unsigned char *at)
{
    struct elf_head h;
    memcpy(&h, at, sizeof h);
    if (h.section_b != sizeof(struct elf_section) || h.sections > FATBIN_IMAGE_MAX)
        return 0;
    uint64_t end = h.sections + (uint64_t)h.nsections * sizeof(struct elf_section),
             segments = h.segments + (uint64_t)h.nsegments * h.segment_b;
    if (segments > end && segments < FATBIN_IMAGE_MAX)
        end = segments;
    for (uint32_t i = 0; i < h.nsections; i++) {
        struct elf_section s;
        memcpy(&s, at + h.sections + i * sizeof s, sizeof s);
        if (s.type != SHT_NOBITS && s.offset < FATBIN_IMAGE_MAX && s.size_b < FATBIN_IMAGE_MAX &&
            s.offset + s.size_b > end)
            end = s.offset + s.size_b;
    }
    return end;
}

static enum fatbin_status read_elf(const unsigned char *at, size_t size_b, struct fatbin_text *out)
{
    uint64_t n = size_b == SIZE_MAX ? elf_size(at) : size_b;
    if (!n || n > FATBIN_TEXT_MAX)
        return refuse(out, FATBIN_BAD, "a cubin of %llu bytes", (unsigned long long)n);
    char *copy = malloc(n + 1);
    if (!copy)
        return refuse(out, FATBIN_BAD, "no memory for a cubin of %llu bytes", (unsigned long long)n);
    memcpy(copy, at, n);
    return finish(out, FATBIN_ELF, copy, n, 0);
}

static uint32_t magic_of(const unsigned char *at, size_t size_b)
{
    uint32_t magic = 0;
    /* Byte by byte, as a NUL may end what is there. */
    for (unsigned i = 0; i < 4 && i < size_b && (i == 0 || at[i - 1]); i++)
        magic |= (uint32_t)at[i] << 8 * i;
    return magic;
}

enum fatbin_status fatbin_read(const void *image, size_t size_b, uint32_t sm, struct fatbin_text *out)
{
    const unsigned char *at = image;
    memset(out, 0, sizeof *out);
    if (size_b == 0)
        return refuse(out, FATBIN_BAD, "the image is empty");
    if (looks_like_text(at))
        return read_text(at, size_b, out);
    uint32_t magic = magic_of(at, size_b);
    if (magic == FATBIN_MAGIC)
        return read_fat(FATBIN_PTX, at, size_b, sm, out);
    if (magic == ELF_MAGIC)
        return refuse(out, FATBIN_NONE, "it is machine code (a cubin), no PTX");
    return refuse(out, FATBIN_BAD, "it is neither PTX nor a fat binary (starts with 0x%08x)", magic);
}

enum fatbin_status fatbin_read_cubin(const void *image, size_t size_b, uint32_t sm, struct fatbin_text *out)
{
    const unsigned char *at = image;
    memset(out, 0, sizeof *out);
    if (size_b == 0)
        return refuse(out, FATBIN_BAD, "the image is empty");
    if (looks_like_text(at))
        return refuse(out, FATBIN_NONE, "it is PTX, no machine code");
    uint32_t magic = magic_of(at, size_b);
    if (magic == FATBIN_MAGIC)
        return read_fat(FATBIN_ELF, at, size_b, sm, out);
    if (magic == ELF_MAGIC)
        return read_elf(at, size_b, out);
    return refuse(out, FATBIN_BAD, "it is neither a cubin nor a fat binary (starts with 0x%08x)", magic);
}
