/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps: what CUtensorMap's 128 opaque bytes mean here. The driver stand-in packs them, bulk copies of tensors unpack them;
 * the encoding is our own, so maps made by NVIDIA's driver are refused as no maps. */
#ifndef EXEC_TENSORMAP_H
#define EXEC_TENSORMAP_H

#include "ir/type.h"

#include <stdbool.h>
#include <stdint.h>

enum { TMAP_B = 128, TMAP_DIMS = 5, TMAP_BOX = 256, TMAP_STEP = 8 };

/* X(name, bytes of an element, type that reductions have, not a number to fill with (0: an integer)); in the order of CUDA's
 * CUtensorMapDataType. */
#define TMAP_TYPES(X)                                                                                        \
    X(UINT8, 1, T_NONE, 0)                                                                                   \
    X(UINT16, 2, T_NONE, 0)                                                                                  \
    X(UINT32, 4, T_U32, 0)                                                                                   \
    X(INT32, 4, T_S32, 0)                                                                                    \
    X(UINT64, 8, T_U64, 0)                                                                                   \
    X(INT64, 8, T_S64, 0)                                                                                    \
    X(FLOAT16, 2, T_F16, 0x7ff7)                                                                             \
    X(FLOAT32, 4, T_F32, 0x7ff77ff7)                                                                         \
    X(FLOAT64, 8, T_F64, 0x7ff77ff77ff77ff7)                                                                 \
    X(BFLOAT16, 2, T_BF16, 0x7ff7)                                                                           \
    X(FLOAT32_FTZ, 4, T_F32, 0x7ff77ff7)                                                                     \
    X(TFLOAT32, 4, T_F32, 0x7ff77ff7)                                                                        \
    X(TFLOAT32_FTZ, 4, T_F32, 0x7ff77ff7)
enum tmap_type {
#define X(name, bytes, type, nan) TMAP_##name,
    TMAP_TYPES(X)
#undef X
        TMAP_NTYPES
};
struct tmap_type_info {
    const char *name;
    uint8_t bytes, type;
    uint64_t nan;
};
extern const struct tmap_type_info tmap_types[TMAP_NTYPES];

enum tmap_swizzle { TMAP_SWIZZLE_NONE, TMAP_SWIZZLE_32, TMAP_SWIZZLE_64, TMAP_SWIZZLE_128 };

/* Dimension 0 is the innermost; those from rank on have size, box and step 1. */
struct tmap {
    uint64_t base;                /* device address of the first element */
    uint64_t size[TMAP_DIMS];     /* elements */
    uint64_t stride_b[TMAP_DIMS]; /* bytes between neighbours; the first is an element's size */
    uint32_t box[TMAP_DIMS];      /* elements that a copy spans */
    uint32_t step[TMAP_DIMS];     /* every step-th of them is copied */
    uint8_t type, rank, swizzle, nan_fill;
};

void tmap_pack(const struct tmap *m, void *out);
bool tmap_unpack(const void *in, struct tmap *m); /* false: these bytes are no map */

/* Where a byte of the box goes whose address in shared memory would be `at`: 16-byte chunks of a line of 128 bytes change places
 * by the line's number, so by bits 7 to 9 of the address. */
static inline uint32_t tmap_place(uint8_t swizzle, uint32_t at)
{
    return at ^ (at >> 7 & ((1u << swizzle) - 1)) << 4;
}

#endif
