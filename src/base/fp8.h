/* SPDX-License-Identifier: Apache-2.0 */
/* The two floating-point formats of 8 bits (OCP 8-bit Floating Point Specification 1.0): e4m3 has no infinity and one NaN of each
 * sign, e5m2 is the upper half of an f16. To f32 is exact. */
#ifndef BASE_FP8_H
#define BASE_FP8_H

#include "base/fbits.h"

#define FP8_NAN 0x7fu /* of both */
#define E4M3_MAX 448.0
#define E5M2_MAX 57344.0

static inline __attribute__((always_inline)) float e4m3_to_f32(uint32_t v)
{
    uint32_t em = v & 0x7f;
    uint32_t u = f32_bits(as_f32(em << 20) * 0x1p120f); /* rebias; subnormals become normal */
    u = em == FP8_NAN ? 0x7fffffff : u;
    return as_f32(u | (v & 0x80) << 24);
}

static inline __attribute__((always_inline)) float e5m2_to_f32(uint32_t v)
{
    uint32_t em = v & 0x7f;
    uint32_t u = f32_bits(as_f32(em << 21) * 0x1p112f);
    u = em >= 0x7c ? em << 21 | 0x7f800000 : u;
    return as_f32(u | (v & 0x80) << 24);
}

#endif
