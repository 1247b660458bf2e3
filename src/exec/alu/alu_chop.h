/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of matrix products as the tensor cores of an H200 make them. Products and addend are aligned to the largest exponent
 * among them, cut off below so many bits behind the point, added exactly, and the sum is cut off to a float: nothing is
 * rounded. (Measured: mma.sync and wgmma of all kinds with random matrices, 1,114,112 results, all bits the same.) An exponent
 * is that of the factors added, so that a product of two significands near 2 has the exponent of one near 1; subnormal factors
 * have the least one. */
#ifndef EXEC_ALU_CHOP_H
#define EXEC_ALU_CHOP_H

#include "exec/alu/alu_fp.h"

enum {
    CHOP_BITS = 25,      /* behind the point */
    CHOP_BITS_FP8 = 13,  /* ... of products of 8-bit floats of a warp group, whose sums keep as many */
    CHOP_ZERO = -100000, /* exponent of 0 */
    CHOP_MOST = 32       /* products of a sum */
};

/* Of a factor or addend whose type has no exponent below `least`. */
static ALU_INLINE int chop_exponent(double v, int least)
{
    int e = (int)(f64_bits(v) >> 52 & 2047) - 1023;
    return v == 0 ? CHOP_ZERO : e < least ? least : e;
}

static ALU_INLINE int chop_least(uint8_t t)
{
    return t == T_E4M3 ? -6 : t == T_F16 || t == T_E5M2 ? -14 : -126;
}

static ALU_INLINE double chop_power(int e) { return as_f64((uint64_t)(e + 1023) << 52); }

enum { CHOP_COLUMNS = 8 };

/* Sums of CHOP_COLUMNS columns, each with its addend: a, ea and b, eb are n factors and their exponents. */
static ALU_INLINE void chop_sums(const double *a, const int *ea, const double (*b)[CHOP_COLUMNS],
                                 const int (*eb)[CHOP_COLUMNS], unsigned n, const double *c, int bits,
                                 double *out)
{
    int most[CHOP_COLUMNS];
    double plain[CHOP_COLUMNS], scale[CHOP_COLUMNS], sum[CHOP_COLUMNS];
    for (unsigned i = 0; i < CHOP_COLUMNS; i++) {
        most[i] = chop_exponent(c[i], -126);
        plain[i] = c[i];
    }
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < CHOP_COLUMNS; i++) {
            int e = ea[k] + eb[k][i];
            most[i] = e > most[i] ? e : most[i];
            plain[i] += a[k] * b[k][i];
        }
    for (unsigned i = 0; i < CHOP_COLUMNS; i++) {
        most[i] = most[i] <= CHOP_ZERO / 2 ? 0 : most[i]; /* all are 0 */
        scale[i] = chop_power(bits - most[i]);
        sum[i] = __builtin_trunc(c[i] * scale[i]);
    }
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < CHOP_COLUMNS; i++)
            sum[i] += __builtin_trunc(a[k] * b[k][i] * scale[i]);
    for (unsigned i = 0; i < CHOP_COLUMNS; i++) /* with an infinity or what is no number: as it comes */
        out[i] = plain[i] - plain[i] == 0 ? sum[i] * chop_power(most[i] - bits) : plain[i];
}

static ALU_INLINE uint32_t chop_f32(double v)
{
    if (!(v - v == 0))
        return f32_canon((float)v);
    double small = __builtin_trunc(v * 0x1p149) * 0x1p-149;
    return f32_bits((float)(__builtin_fabs(v) < 0x1p-126 ? small : as_f64(f64_bits(v) & ~0x1fffffffull)));
}

#endif
