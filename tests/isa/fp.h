/* SPDX-License-Identifier: Apache-2.0 */
/* Plain floating-point references: formats as (exponent bits, mantissa bits), exact values as double, one rounding.
 *
 * A result that does not fit a double exactly is rounded to odd first (the inexact flag ors into the last bit), which
 * makes the later rounding to a format of at most 51 bits exact in every direction (Boldo and Melquiond, "Emulation of
 * a FMA and correctly rounded sums", 2008). Operands are f32 or narrower there; f64 uses the host in its own rounding
 * modes. */
#ifndef TESTS_ISA_FP_H
#define TESTS_ISA_FP_H

#include <stdbool.h>
#include <stdint.h>

enum fp_op { FP_ADD, FP_SUB, FP_MUL, FP_FMA, FP_DIV, FP_SQRT, FP_RCP };
enum fp_rnd { FP_RN, FP_RZ, FP_RM, FP_RP, FP_RNA }; /* RNA: ties away from zero */

struct fp_fmt {
    unsigned ebits, mbits;
};
extern const struct fp_fmt fp_f16, fp_bf16, fp_tf32, fp_f32, fp_f64;
/* Of e4m3 only what lies below its largest exponent, where it has no infinities. */
extern const struct fp_fmt fp_e4m3, fp_e5m2;

double fp_value(const struct fp_fmt *f, uint64_t bits);
/* The value m * 2^e, rounded once. */
uint64_t fp_pack(const struct fp_fmt *f, bool neg, uint64_t m, int e, enum fp_rnd r);
/* x: the exact value, or rounded to odd. */
uint64_t fp_round(const struct fp_fmt *f, double x, enum fp_rnd r);
bool fp_is_nan(const struct fp_fmt *f, uint64_t bits);
bool fp_is_inf(const struct fp_fmt *f, uint64_t bits);
bool fp_is_subnormal(const struct fp_fmt *f, uint64_t bits);
/* Subnormals to zero of the same sign. */
uint64_t fp_flush(const struct fp_fmt *f, uint64_t bits);
/* Whether `bits` may as well be flushed: the smallest normal number, from an exact result below it. Silicon (H200) flushes
 * what was below before rounding; the manual does not say. */
bool fp_flush_unclear(const struct fp_fmt *f, enum fp_op op, uint64_t a, uint64_t b, uint64_t c,
                      uint64_t bits);
/* To [0, 1]; NaN to +0. */
uint64_t fp_saturate(const struct fp_fmt *f, uint64_t bits);
uint64_t fp_nan(const struct fp_fmt *f);
static inline uint64_t fp_sign_bit(const struct fp_fmt *f) { return 1ull << (f->ebits + f->mbits); }

/* Rounded to odd. a and b of fp_fma have a product of at most 53 bits. */
double fp_odd_add(double a, double b);
double fp_odd_mul(double a, double b);
double fp_odd_div(double a, double b);
double fp_odd_sqrt(double a);
double fp_odd_fma(double a, double b, double c);

/* f64 in the host's rounding mode. */
uint64_t fp_f64_op(enum fp_op op, enum fp_rnd r, uint64_t a, uint64_t b, uint64_t c);
/* The same for a narrower format, through round to odd; zero signs of exact cancellation follow the rounding. */
uint64_t fp_op(const struct fp_fmt *f, enum fp_op op, enum fp_rnd r, uint64_t a, uint64_t b, uint64_t c);

uint64_t fp_bits_of(double x);
double fp_of_bits(uint64_t b);

/* Distance in units in the last place of the format at the exact value. */
double fp_ulps(const struct fp_fmt *f, double exact, uint64_t got);

#endif
