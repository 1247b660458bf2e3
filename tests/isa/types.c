/* SPDX-License-Identifier: Apache-2.0 */
/* PTX types as the tests see them, and the operands worth trying. */
#include "form.h"
#include "fp.h"

static const struct type_info types[] = {
    {"pred", 1, TK_PRED, 0, 0, ".pred", ".u32"},     {"b8", 8, TK_BITS, 0, 0, ".b32", ".b32"},
    {"u8", 8, TK_UINT, 0, 0, ".b32", ".b32"},        {"s8", 8, TK_SINT, 0, 0, ".b32", ".b32"},
    {"b16", 16, TK_BITS, 0, 0, ".b16", ".b16"},      {"u16", 16, TK_UINT, 0, 0, ".u16", ".u16"},
    {"s16", 16, TK_SINT, 0, 0, ".s16", ".s16"},      {"b32", 32, TK_BITS, 0, 0, ".b32", ".b32"},
    {"u32", 32, TK_UINT, 0, 0, ".u32", ".u32"},      {"s32", 32, TK_SINT, 0, 0, ".s32", ".s32"},
    {"b64", 64, TK_BITS, 0, 0, ".b64", ".b64"},      {"u64", 64, TK_UINT, 0, 0, ".u64", ".u64"},
    {"s64", 64, TK_SINT, 0, 0, ".s64", ".s64"},      {"f16", 16, TK_FLOAT, 5, 10, ".b16", ".b16"},
    {"bf16", 16, TK_FLOAT, 8, 7, ".b16", ".b16"},    {"f32", 32, TK_FLOAT, 8, 23, ".f32", ".f32"},
    {"tf32", 32, TK_FLOAT, 8, 23, ".b32", ".b32"},   {"f64", 64, TK_FLOAT, 11, 52, ".f64", ".f64"},
    {"f16x2", 32, TK_PACKED, 5, 10, ".b32", ".b32"}, {"bf16x2", 32, TK_PACKED, 8, 7, ".b32", ".b32"},
    {"u16x2", 32, TK_PACKED, 0, 0, ".b32", ".b32"},  {"s16x2", 32, TK_PACKED, 0, 0, ".b32", ".b32"},
    {"sh", 32, TK_UINT, 0, 0, ".u32", ".u32"},       {"len", 32, TK_UINT, 0, 0, ".u32", ".u32"},
};

const struct type_info *type_of(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    fail_msg("no type '%s'", name);
    return NULL;
}

static unsigned int_edges(unsigned bits, uint64_t *v)
{
    const uint64_t top = 1ull << (bits - 1);
    const uint64_t e[] = {0,
                          1,
                          2,
                          3,
                          ~0ull,
                          ~1ull,
                          top,
                          top - 1,
                          top + 1,
                          top - 2,
                          0x5555555555555555ull,
                          0xaaaaaaaaaaaaaaaaull,
                          31,
                          1ull << (bits / 2),
                          (1ull << (bits / 2)) - 1,
                          0x123456789abcdef7ull};
    for (unsigned i = 0; i < sizeof e / sizeof e[0]; i++)
        v[i] = trunc_to(e[i], bits);
    return sizeof e / sizeof e[0];
}

/* Zeros, subnormals, normals at both ends, neighbours of one and of the integer limits, infinities, NaNs. */
static unsigned float_edges(unsigned ebits, unsigned mbits, uint64_t *v)
{
    const uint64_t one = ((1ull << (ebits - 1)) - 1) << mbits, inf = ((1ull << ebits) - 1) << mbits;
    const uint64_t ulp = 1, imp = 1ull << mbits, sign = 1ull << (ebits + mbits);
    const uint64_t pos[] = {0,         ulp,           3,       imp - 1,   imp,       imp + 1,
                            imp * 2,   one - ulp,     one,     one + ulp, one - imp, one + imp / 2,
                            one + imp, one + imp + 1, inf - 1, inf - imp, inf,       inf + imp / 2 + 1};
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof pos / sizeof pos[0]; i++) {
        v[n++] = pos[i];
        if (i != 2 && i != 6 && i != 9 && i != 15)
            v[n++] = pos[i] | sign;
    }
    v[n++] = inf | 1; /* signalling */
    for (unsigned e = 7; e <= 64; e = e == 8 ? 15 : e == 16 ? 23 : e == 24 ? 31 : e == 32 ? 63 : e + 1)
        if (one + e * imp < inf) { /* integer limits and the values beside them */
            v[n++] = (one + e * imp) | (e & 1 ? sign : 0);
            v[n++] = (one + e * imp - 1) | (e & 1 ? 0 : sign);
            v[n++] = (one + e * imp + 1) | (e & 2 ? sign : 0);
        }
    return n;
}

enum { MAX_EDGES = 80 };

static const uint64_t shift_edges[] = {0,  1,  7,  15, 16,  17,         31,        32,
                                       33, 63, 64, 65, 255, 0x80000000, 0xffffffff};
static const uint64_t len_edges[] = {0, 1, 8, 31, 32, 33, 63, 64, 65, 127, 128, 200, 255};

unsigned type_edges(const struct type_info *ti, uint64_t *v, unsigned max)
{
    uint64_t e[MAX_EDGES];
    unsigned n = 0;
    if (strcmp(ti->name, "sh") == 0) {
        n = sizeof shift_edges / sizeof shift_edges[0];
        memcpy(e, shift_edges, sizeof shift_edges);
    } else if (strcmp(ti->name, "len") == 0) {
        n = sizeof len_edges / sizeof len_edges[0];
        memcpy(e, len_edges, sizeof len_edges);
    } else if (ti->kind == TK_PRED) {
        e[n++] = 0;
        e[n++] = 1;
    } else if (ti->kind == TK_FLOAT) {
        n = float_edges(ti->ebits, ti->mbits, e);
    } else if (ti->kind == TK_PACKED) {
        n = ti->ebits ? float_edges(ti->ebits, ti->mbits, e) : int_edges(16, e);
        for (unsigned i = 0; i < n; i++)
            v[i < max ? i : max - 1] = e[i] | e[(i * 7 + 3) % n] << 16;
        return n < max ? n : max;
    } else {
        n = int_edges(ti->bits, e);
    }
    if (n > max)
        n = max;
    memcpy(v, e, n * sizeof *v);
    return n;
}

/* Uniform bits say little about rounding: half of the floats get an exponent near one. Integers come in all widths. */
static uint64_t random_float(unsigned ebits, unsigned mbits, struct rng *r)
{
    uint64_t bits = trunc_to(rng_u64(r), 1 + ebits + mbits);
    if (rng_below(r, 4) == 0)
        return bits;
    if (rng_below(r, 6) == 0) /* a tie: half an integer */
        return fp_pack(&(struct fp_fmt){ebits, mbits}, bits & 1,
                       rng_below(r, 1u << (mbits < 17 ? mbits : 17)), -1, FP_RN);
    uint64_t bias = (1ull << (ebits - 1)) - 1, spread = rng_below(r, 2) ? 3 : mbits + 4;
    uint64_t exp = bias - spread + rng_below(r, (uint32_t)(2 * spread + 1));
    if (exp > 2 * bias)
        exp = bias;
    bits &= ((1ull << mbits) - 1) | 1ull << (ebits + mbits);
    return bits | exp << mbits;
}

uint64_t type_random(const struct type_info *ti, struct rng *r)
{
    if (strcmp(ti->name, "sh") == 0 || strcmp(ti->name, "len") == 0)
        return rng_below(r, 70);
    if (ti->kind == TK_PRED)
        return rng_below(r, 2);
    if (ti->kind == TK_FLOAT)
        return random_float(ti->ebits, ti->mbits, r);
    if (ti->kind == TK_PACKED && ti->ebits)
        return random_float(ti->ebits, ti->mbits, r) | random_float(ti->ebits, ti->mbits, r) << 16;
    uint64_t v = rng_u64(r) >> rng_below(r, ti->bits);
    return trunc_to(rng_below(r, 2) ? v : ~v, ti->bits);
}
