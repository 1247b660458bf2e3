/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/elem.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t types[] = {T_U8,  T_S8,  T_B8,  T_U16, T_S16, T_B16, T_F16, T_BF16,
                                T_U32, T_S32, T_B32, T_F32, T_U64, T_S64, T_B64, T_F64};

enum ir_type elem_type(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof types; i++)
        if (strlen(ir_types[types[i]].name) == len && memcmp(ir_types[types[i]].name, name, len) == 0)
            return types[i];
    return T_NONE;
}

const char *elem_type_names(void) { return "u8 s8 b8 u16 s16 b16 f16 bf16 u32 s32 b32 f32 u64 s64 b64 f64"; }

/* IEEE-style formats of 16 bits: man bits of fraction, the rest exponent. Rounds to nearest, ties to even. */
static uint64_t small_float(double v, int man)
{
    int exp_bits = 15 - man, emin = 2 - (1 << (exp_bits - 1));
    uint64_t sign = (uint64_t)(signbit(v) != 0) << 15, inf = ((1ull << exp_bits) - 1) << man;
    double a = fabs(v);
    if (isnan(v))
        return inf | 1ull << (man - 1);
    if (a == 0)
        return sign;
    if (isinf(v))
        return sign | inf;
    int e = ilogb(a) > emin ? ilogb(a) : emin;
    if (e > 1 - emin)
        return sign | inf;
    /* A fraction that rounds up to 2 carries into the exponent by itself. */
    uint64_t bits = ((uint64_t)(e - emin) << man) + (uint64_t)nearbyint(ldexp(a, man - e));
    return sign | (bits < inf ? bits : inf);
}

static double small_double(uint64_t bits, int man)
{
    int exp_bits = 15 - man, emin = 2 - (1 << (exp_bits - 1));
    uint64_t e = bits >> man & ((1ull << exp_bits) - 1), frac = bits & ((1ull << man) - 1);
    double v;
    if (e == (1ull << exp_bits) - 1)
        v = frac ? NAN : INFINITY;
    else if (e == 0)
        v = ldexp((double)frac, emin - man);
    else
        v = ldexp((double)(frac | 1ull << man), (int)e - 1 + emin - man);
    return bits >> 15 & 1 ? -v : v;
}

static int64_t sign_extend(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

uint64_t elem_from_double(enum ir_type t, double v)
{
    uint64_t bits = 0;
    float f = (float)v;
    switch (t) {
    case T_F16: return small_float(v, 10);
    case T_BF16: return small_float(v, 7);
    case T_F32: memcpy(&bits, &f, 4); return bits;
    case T_F64: memcpy(&bits, &v, 8); return bits;
    default: break;
    }
    uint64_t mask = UINT64_MAX >> (64 - type_bits(t));
    if (v >= 18446744073709551616.0 || v < -9223372036854775808.0 || isnan(v))
        return 0;
    return (v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v) & mask;
}

double elem_double(enum ir_type t, uint64_t bits)
{
    float f;
    double v;
    switch (t) {
    case T_F16: return small_double(bits, 10);
    case T_BF16: return small_double(bits, 7);
    case T_F32: memcpy(&f, &bits, 4); return f;
    case T_F64: memcpy(&v, &bits, 8); return v;
    default: break;
    }
    return type_is_signed(t) ? (double)sign_extend(bits, type_bits(t)) : (double)bits;
}

uint64_t elem_int(enum ir_type t, uint64_t bits)
{
    return type_is_signed(t) ? (uint64_t)sign_extend(bits, type_bits(t)) : bits;
}

bool elem_less(enum ir_type t, uint64_t a, uint64_t b)
{
    if (type_is_float(t))
        return elem_double(t, a) < elem_double(t, b);
    if (type_is_signed(t))
        return sign_extend(a, type_bits(t)) < sign_extend(b, type_bits(t));
    return a < b;
}

static bool parse_int(enum ir_type t, const char *text, uint64_t *bits)
{
    bool neg = *text == '-';
    const char *digits = text + neg;
    if (*digits < '0' || *digits > '9')
        return false;
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    errno = 0;
    unsigned long long v = strtoull(digits, &end, hex ? 16 : 10);
    if (errno || *end || end == digits + (hex ? 2 : 0))
        return false;
    /* Unsigned and bit types take up to all ones, signed decimal ones their own range; -1 on bits is all ones. */
    unsigned width = type_bits(t);
    uint64_t mask = UINT64_MAX >> (64 - width), top = 1ull << (width - 1);
    uint64_t limit = neg ? top : (type_is_signed(t) && !hex ? top - 1 : mask);
    if (v > limit || (neg && ir_types[t].kind == KIND_UINT && v))
        return false;
    *bits = (neg ? 0 - (uint64_t)v : (uint64_t)v) & mask;
    return true;
}

bool elem_parse(enum ir_type t, const char *text, uint64_t *bits)
{
    if (!type_is_float(t))
        return parse_int(t, text, bits);
    if (!*text || *text == ' ')
        return false;
    char *end;
    double v = strtod(text, &end);
    if (*end)
        return false;
    if (t == T_F32) { /* rounded once, from the text */
        float f = strtof(text, &end);
        *bits = 0;
        memcpy(bits, &f, 4);
        return true;
    }
    *bits = elem_from_double(t, v);
    return true;
}

void elem_print(enum ir_type t, uint64_t bits, char *out, size_t cap)
{
    if (type_is_float(t))
        snprintf(out, cap, "%.*g", t == T_F64 ? 10 : 6, elem_double(t, bits));
    else if (type_is_signed(t))
        snprintf(out, cap, "%lld", (long long)sign_extend(bits, type_bits(t)));
    else if (ir_types[t].kind == KIND_BITS)
        snprintf(out, cap, "0x%0*llx", (int)type_bytes(t) * 2, (unsigned long long)bits);
    else
        snprintf(out, cap, "%llu", (unsigned long long)bits);
}
