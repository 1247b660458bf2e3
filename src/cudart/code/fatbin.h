/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the device code that a program carries: PTX text, a cubin (an ELF file with machine code), or a fat binary with entries
 * of both kinds (plain, LZ4, zstd), and gives the PTX or the cubin to run. Called with what compilers left in the program and
 * with what programs pass to cuModuleLoadData; nothing in it is trusted.
 *
 * The layout is not documented by NVIDIA; the facts used here are in docs/runtime.md. */
#ifndef CUDART_FATBIN_H
#define CUDART_FATBIN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define FATBIN_SEGMENT_MAGIC 0x466243b1u /* wrapper in .nvFatBinSegment */
#define FATBIN_MAGIC 0xba55ed50u

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 };
enum { FATBIN_FLAG_LZ4 = 0x2000, FATBIN_FLAG_ZSTD = 0x8000 };

/* The wrapper that registration passes. Version 1: `data` is a fat binary or PTX text. */
struct fatbin_wrapper {
    uint32_t magic, version;
    const void *data;
    const void *more; /* version 2 (separate compilation): the parts that were linked */
};

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_b;
    uint64_t payload_b; /* of the entries that follow */
};

struct fatbin_entry {
    uint16_t kind, version;
    uint32_t header_b;
    uint64_t payload_b;    /* that follows the header; padded */
    uint32_t compressed_b; /* 0: not compressed */
    uint32_t options;      /* offset of the options for ptxas, from the entry */
    uint16_t minor, major; /* PTX version */
    uint32_t arch;         /* 80: compute_80 */
    uint32_t name, name_b;
    uint64_t flags, zero;
    uint64_t plain_b; /* uncompressed */
};

enum fatbin_status {
    FATBIN_OK,
    FATBIN_BAD,     /* damaged, or something else */
    FATBIN_NONE,    /* only the other kind of code, or none */
    FATBIN_TOO_NEW, /* a form of packing that is not known */
};

struct fatbin_text {
    char *text; /* PTX or a cubin, NUL-terminated; free() it */
    size_t n;   /* without the NUL */
    uint32_t arch;
    char why[200]; /* if there is none */
};

enum { FATBIN_TEXT_MAX = 256 << 20 };    /* bytes of code; a bound for what a small file can ask for */
#define FATBIN_IMAGE_MAX (2048ull << 20) /* bytes that an image of unknown size can be believed to have */

/* The PTX to run of an image of size_b bytes: of the PTX for compute capabilities up to `sm` the newest; if there is none,
 * the oldest of the others. size_b SIZE_MAX: the image is in this process's memory and as long as it says itself. */
enum fatbin_status fatbin_read(const void *image, size_t size_b, uint32_t sm, struct fatbin_text *out);
/* The same for a cubin. Code for sm itself is the newest up to it. */
enum fatbin_status fatbin_read_cubin(const void *image, size_t size_b, uint32_t sm, struct fatbin_text *out);

/* All PTX and cubins in a fat binary of size_b bytes, in its order; what is given is freed after the call. */
typedef void fatbin_seen(void *ctx, enum fatbin_kind kind, const struct fatbin_text *code);
enum fatbin_status fatbin_list(const void *image, size_t size_b, fatbin_seen *see, void *ctx,
                               struct fatbin_text *out);

#endif
