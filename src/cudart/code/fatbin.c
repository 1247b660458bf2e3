/* The reader: what kind of image it is, a walk over the entries, unpacking of the chosen one. Every length is checked
 * against what is left before anything behind it is touched; structures are copied out, so alignment does not matter. */
#include "cudart/code/fatbin.h"

#include <lz4.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ELF_MAGIC = 0x464c457f };

_Static_assert(sizeof(struct fatbin_header) == 16 && sizeof(struct fatbin_entry) == 64,
               "layout of the format");

struct choice {
    struct fatbin_entry e;
    const unsigned char *payload;
    bool any;
    uint32_t elfs, elf_arch;
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

/* Finds the entry to use. Entries of other kinds (options, debugging) are passed over. */
static enum fatbin_status walk(const unsigned char *at, uint64_t left, uint32_t sm, struct choice *c,
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
        if (e.kind == FATBIN_ELF) {
            c->elfs++;
            c->elf_arch = e.arch;
        } else if (e.kind == FATBIN_PTX && (!c->any || better(e.arch, c->e.arch, sm))) {
            c->e = e;
            c->payload = at + e.header_b;
            c->any = true;
        }
        uint64_t step = e.header_b + e.payload_b;
        at += step;
        pos += step;
        left -= step;
    }
    return FATBIN_OK;
}

/* Takes over text of n bytes (n + 1 allocated); what follows a NUL in it is padding. */
static enum fatbin_status finish(struct fatbin_text *out, char *text, size_t n, uint32_t arch)
{
    text[n] = 0;
    out->text = text;
    out->n = strlen(text);
    out->arch = arch;
    return FATBIN_OK;
}

static enum fatbin_status unpack(const struct choice *c, struct fatbin_text *out)
{
    const struct fatbin_entry *e = &c->e;
    bool lz4 = e->flags & FATBIN_FLAG_LZ4, zstd = e->flags & FATBIN_FLAG_ZSTD;
    uint64_t packed_b = lz4 || zstd ? e->compressed_b : e->payload_b;
    uint64_t plain_b = lz4 || zstd ? e->plain_b : e->payload_b;
    if (packed_b > e->payload_b)
        return refuse(out, FATBIN_BAD, "PTX for compute_%u: %llu compressed bytes in an entry of %llu",
                      e->arch, (unsigned long long)packed_b, (unsigned long long)e->payload_b);
    if (!plain_b || plain_b > FATBIN_TEXT_MAX)
        return refuse(out, FATBIN_BAD, "PTX for compute_%u: says that it has %llu bytes", e->arch,
                      (unsigned long long)plain_b);
    if (lz4 && zstd)
        return refuse(out, FATBIN_TOO_NEW, "PTX for compute_%u: unknown compression (flags 0x%llx)", e->arch,
                      (unsigned long long)e->flags);
    /* An LZ4 byte stands for at most 255; a zstd frame says how much it holds. So a small file cannot ask for much. */
    if ((lz4 && plain_b / 255 > packed_b) ||
        (zstd && ZSTD_getFrameContentSize(c->payload, packed_b) != plain_b))
        return refuse(out, FATBIN_BAD, "PTX for compute_%u: %llu bytes cannot come from %llu compressed ones",
                      e->arch, (unsigned long long)plain_b, (unsigned long long)packed_b);
    char *text = malloc(plain_b + 1);
    if (!text)
        return refuse(out, FATBIN_BAD, "no memory for %llu bytes of PTX", (unsigned long long)plain_b);
    bool good = true;
    if (lz4)
        good =
            LZ4_decompress_safe((const char *)c->payload, text, (int)packed_b, (int)plain_b) == (int)plain_b;
    else if (zstd)
        good = ZSTD_decompress(text, plain_b, c->payload, packed_b) == plain_b;
    else
        memcpy(text, c->payload, plain_b);
    if (good)
        return finish(out, text, plain_b, e->arch);
    free(text);
    return refuse(out, FATBIN_BAD, "PTX for compute_%u: the %s data is damaged", e->arch,
                  lz4 ? "LZ4" : "zstd");
}

static enum fatbin_status read_fat(const unsigned char *at, size_t left, uint32_t sm, struct fatbin_text *out)
{
    struct choice c = {0};
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
        enum fatbin_status s = walk(at + h.header_b, h.payload_b, sm, &c, out);
        if (s != FATBIN_OK)
            return s;
        at += h.header_b + h.payload_b;
        left -= h.header_b + h.payload_b;
        /* Another one may follow, but only where it is known how far one may read. */
        magic = 0;
        if (sized && left >= sizeof magic)
            memcpy(&magic, at, sizeof magic);
    }
    if (c.any)
        return unpack(&c, out);
    if (c.elfs)
        return refuse(out, FATBIN_NO_PTX, "there is only machine code (sm_%u), no PTX", c.elf_arch);
    return refuse(out, FATBIN_NO_PTX, "there is no device code in it");
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
    return finish(out, text, n, 0);
}

enum fatbin_status fatbin_read(const void *image, size_t size_b, uint32_t sm, struct fatbin_text *out)
{
    const unsigned char *at = image;
    uint32_t magic = 0;
    memset(out, 0, sizeof *out);
    if (size_b == 0)
        return refuse(out, FATBIN_BAD, "the image is empty");
    if (looks_like_text(at))
        return read_text(at, size_b, out);
    /* Byte by byte, as a NUL may end what is there. */
    for (unsigned i = 0; i < 4 && i < size_b && (i == 0 || at[i - 1]); i++)
        magic |= (uint32_t)at[i] << 8 * i;
    if (magic == FATBIN_MAGIC)
        return read_fat(at, size_b, sm, out);
    if (magic == ELF_MAGIC)
        return refuse(out, FATBIN_NO_PTX, "it is machine code (a cubin), no PTX");
    return refuse(out, FATBIN_BAD, "it is neither PTX nor a fat binary (starts with 0x%08x)", magic);
}
