/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers as their bits, and back. */
#ifndef BASE_FBITS_H
#define BASE_FBITS_H

#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) float as_f32(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline __attribute__((always_inline)) uint32_t f32_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline __attribute__((always_inline)) double as_f64(uint64_t u)
{
    double f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline __attribute__((always_inline)) uint64_t f64_bits(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

#endif
