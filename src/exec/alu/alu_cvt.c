/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions. A generic one runs in stages over the warp: sources to doubles (exact) or 64-bit integers, then one
 * rounding to the destination. The frequent pairs have handlers of their own. */
#include "base/fp8.h"
#include "exec/alu/alu_round.h"

static enum ir_rnd nearest_if_none(uint8_t rnd) { return rnd == RND_NONE ? RND_RN : (enum ir_rnd)rnd; }
static bool is_float(uint8_t t)
{
    return t == T_F16 || t == T_BF16 || t == T_TF32 || t == T_F32 || t == T_F64;
}
static bool is_int(uint8_t t)
{
    return t == T_U8 || t == T_S8 || t == T_U16 || t == T_S16 || t == T_U32 || t == T_S32 || t == T_U64 ||
           t == T_S64;
}
static unsigned int_bits(uint8_t t)
{
    return t == T_U8 || t == T_S8 ? 8 : t == T_U16 || t == T_S16 ? 16 : t == T_U32 || t == T_S32 ? 32 : 64;
}

/* Source 0 of type t as doubles. */
static void load_float(ALU_ARGS, uint8_t t, double *v)
{
    (void)mask;
    const uint32_t *a = alu_src(w, x, 0);
    struct alu_mod m = alu_mod(x, 0, t == T_F16 || t == T_BF16 ? 0x8000 : 0x80000000);
    bool ftz = x->insn->flags & IRF_FTZ;
    switch (t) {
    case T_F16: ALU_LANES(i) v[i] = f16_to_f32(alu_signed(a[i], m) & 0xffff); break;
    case T_BF16: ALU_LANES(i) v[i] = bf16_to_f32(alu_signed(a[i], m) & 0xffff); break;
    case T_F64: ALU_LANES(i) v[i] = f64_mod_at(a, i, m); break;
    default: {
        uint32_t keep = t == T_TF32 ? 0xffffe000 : ~0u;
        ALU_LANES(i)
        {
            uint32_t u = alu_signed(a[i], m) & keep;
            v[i] = as_f32(ftz ? f32_flush(u) : u);
        }
    }
    }
}

static double largest(uint8_t t)
{
    switch (t) {
    case T_E4M3: return E4M3_MAX;
    case T_E5M2: return E5M2_MAX;
    case T_F16: return 65504.0;
    case T_BF16: return 0x1.fep127;
    default: return 0x1.ffcp127; /* tf32 */
    }
}

/* IRF_SAT, IRF_FINITE (to type t) and IRF_RELU, before the rounding: all keep order, so the result is the same. */
static void clamp_float(const struct xop *x, uint8_t t, double *v)
{
    double max = largest(t);
    if (x->insn->flags & IRF_FINITE)
        ALU_LANES(i)
        {
            double d = v[i] > max ? max : v[i];
            v[i] = d < -max ? -max : d;
        }
    if (x->insn->flags & IRF_SAT)
        ALU_LANES(i)
        {
            /* NaN becomes 0, also a signalling one, which compilers' max may let through. */
            double d = v[i] == v[i] ? v[i] : 0.0;
            d = d > 0.0 ? d : 0.0;
            v[i] = d < 1.0 ? d : 1.0;
        }
    if (x->insn->flags & IRF_RELU)
        ALU_LANES(i) v[i] = v[i] <= 0.0 ? 0.0 : v[i];
}

/* v rounded to float type t, results of at most 32 bits in r. 8-bit types: |v| is at most the largest number. */
static void round_narrow(const double *v, uint32_t *r, uint8_t t, enum ir_rnd rnd, bool ftz)
{
    switch (t) {
    case T_F16:
        if (rnd == RND_RN)
            ALU_LANES(i) r[i] = f16_from_f32(half_round(v[i], false));
        else
            for (unsigned i = 0; i < LANES; i++)
                r[i] = v[i] == v[i] ? (uint32_t)fp_from_f64(&fmt_f16, 16, v[i], rnd) : F16_NAN;
        break;
    case T_BF16:
        if (rnd == RND_RN)
            ALU_LANES(i) r[i] = bf16_from_f32(half_round(v[i], true));
        else
            for (unsigned i = 0; i < LANES; i++)
                r[i] = v[i] == v[i] ? (uint32_t)fp_from_f64(&fmt_bf16, 16, v[i], rnd) : F16_NAN;
        break;
    case T_E4M3:
    case T_E5M2:
        for (unsigned i = 0; i < LANES; i++)
            r[i] = v[i] == v[i] ? (uint32_t)fp_from_f64(t == T_E4M3 ? &fmt_e4m3 : &fmt_e5m2, 8, v[i], rnd)
                                : FP8_NAN;
        break;
    case T_TF32:
        for (unsigned i = 0; i < LANES; i++)
            r[i] = v[i] == v[i] ? (uint32_t)fp_from_f64(&fmt_tf32, 19, v[i], rnd) << 13 : F32_NAN;
        break;
    default:
        if (rnd == RND_RN)
            ALU_LANES(i) r[i] = f32_canon((float)v[i]);
        else
            for (unsigned i = 0; i < LANES; i++)
                r[i] = v[i] == v[i] ? (uint32_t)fp_from_f64(&fmt_f32, 32, v[i], rnd) : F32_NAN;
    }
    if (ftz && (t == T_F32 || t == T_TF32))
        ALU_LANES(i) r[i] = f32_flush(r[i]);
}

/* from: the type of the source, of which doubles and what becomes one keep a NaN. */
static void store_float(ALU_ARGS, const double *v, enum ir_rnd rnd, uint8_t from)
{
    uint8_t t = x->insn->type;
    const uint32_t *p = alu_src(w, x, 0);
    if (t == T_F64) {
        uint64_t r[LANES];
        for (unsigned i = 0; i < LANES; i++)
            r[i] = v[i] == v[i]    ? f64_bits(v[i])
                   : from == T_F64 ? f64_quiet(alu_pair(p, i))
                   : from == T_F32 ? f64_nan_of_f32(p[i])
                                   : F64_NAN;
        alu_put64(x, w, mask, r);
        return;
    }
    uint32_t r[LANES] ALU_ROW;
    round_narrow(v, r, t, rnd, x->insn->flags & IRF_FTZ);
    for (unsigned i = 0; t == T_F32 && from == T_F64 && i < LANES; i++)
        r[i] = v[i] == v[i] ? r[i] : f32_nan_of_f64(alu_pair(p, i));
    alu_put32(x, w, mask, r);
}

static void f2f_any(ALU_ARGS)
{
    double v[LANES];
    load_float(x, w, mask, x->insn->stype, v);
    clamp_float(x, x->insn->type, v);
    store_float(x, w, mask, v, nearest_if_none(x->insn->rnd), x->insn->stype);
}

static void frnd_any(ALU_ARGS)
{
    double v[LANES];
    load_float(x, w, mask, x->insn->type, v);
    switch (x->insn->rnd) {
    case RND_RZI:
    case RND_RZ: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RZI); break;
    case RND_RMI:
    case RND_RM: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RMI); break;
    case RND_RPI:
    case RND_RP: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RPI); break;
    default: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RNI); break;
    }
    clamp_float(x, x->insn->type, v);
    store_float(x, w, mask, v, RND_RN, x->insn->type);
}

ALU_DEF1(f16_f32, f32_canon(f16_to_f32(a & 0xffff)))
ALU_DEF1(f16_f32_upper, f32_canon(f16_to_f32(a >> 16)))
ALU_DEF1(bf16_f32, f32_canon(bf16_to_f32(a)))
ALU_DEF1(f32_f16, f16_from_f32(as_f32(a)))
ALU_DEF1(f32_bf16, bf16_from_f32(as_f32(a)))

static void f32_f64(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0);
    ALU_OUT(2)
    ALU_LANES(i)
    {
        float v = as_f32(a[i]);
        uint64_t r = v == v ? f64_bits(v) : f64_nan_of_f32(a[i]);
        o[i] = (uint32_t)r;
        o[LANES + i] = (uint32_t)(r >> 32);
    }
    ALU_DONE(2)
}
static void f64_f32(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        double v = f64_at(a, i);
        o[i] = v == v ? f32_bits((float)v) : f32_nan_of_f64(alu_pair(a, i));
    }
    ALU_DONE(1)
}

static xfn pick_f2f(const struct ir_insn *i)
{
    uint8_t to = i->type, from = i->stype;
    if (!is_float(to) || !is_float(from) || i->rnd > RND_RNA)
        return NULL;
    bool plain = !(i->flags & (IRF_FTZ | IRF_SAT | IRF_RELU | IRF_FINITE)) && !alu_has_mod(i, 1);
    bool rn = i->rnd == RND_NONE || i->rnd == RND_RN;
    if (plain && to == T_F32 && from == T_F16)
        return i->sub ? f16_f32_upper : f16_f32;
    if (i->sub)
        return NULL;
    if (plain && to == T_F32 && from == T_BF16)
        return bf16_f32;
    if (plain && to == T_F64 && from == T_F32)
        return f32_f64;
    if (plain && rn && to == T_F16 && from == T_F32)
        return f32_f16;
    if (plain && rn && to == T_BF16 && from == T_F32)
        return f32_bf16;
    if (plain && rn && to == T_F32 && from == T_F64)
        return f64_f32;
    return f2f_any;
}

/* F2FP. */
static uint8_t half_of(uint8_t pair)
{
    switch (pair) {
    case T_F16X2: return T_F16;
    case T_BF16X2: return T_BF16;
    case T_E4M3X2: return T_E4M3;
    case T_E5M2X2: return T_E5M2;
    default: return T_NONE;
    }
}

/* What becomes the high half of the result (k 0) or its low half. */
static void load_half(const struct xwarp *w, const struct xop *x, unsigned k, double *v)
{
    bool two = x->insn->stype == T_F32;
    const uint32_t *a = alu_src(w, x, two ? k : 0);
    struct alu_mod m = alu_mod(x, k, 0x80000000);
    unsigned at = (x->insn->sub ? 16 : 0) + (k ? 0 : 8); /* of 8-bit floats */
    switch (half_of(x->insn->stype)) {
    case T_F16: ALU_LANES(i) v[i] = f16_to_f32(a[i] >> (k ? 0 : 16) & 0xffff); break;
    case T_E4M3: ALU_LANES(i) v[i] = e4m3_to_f32(a[i] >> at); break;
    case T_E5M2: ALU_LANES(i) v[i] = e5m2_to_f32(a[i] >> at); break;
    default: ALU_LANES(i) v[i] = as_f32(alu_signed(a[i], m)); break;
    }
}

static void f2fp(ALU_ARGS)
{
    uint8_t t = half_of(x->insn->type), bits = t == T_F16 || t == T_BF16 ? 16 : 8;
    uint32_t r[2][LANES] ALU_ROW;
    for (unsigned k = 0; k < 2; k++) {
        double v[LANES];
        load_half(w, x, k, v);
        clamp_float(x, t, v);
        round_narrow(v, r[k], t, nearest_if_none(x->insn->rnd), false);
    }
    ALU_LANES(i) r[0][i] = r[0][i] << bits | r[1][i];
    alu_put32(x, w, mask, r[0]);
}
ALU_DEF2(f2fp_f16, f16_from_f32(as_f32(a)) << 16 | f16_from_f32(as_f32(b)))
ALU_DEF2(f2fp_bf16, bf16_from_f32(as_f32(a)) << 16 | bf16_from_f32(as_f32(b)))

static xfn pick_f2fp(const struct ir_insn *i)
{
    uint8_t t = half_of(i->type), st = half_of(i->stype);
    bool narrow = t == T_E4M3 || t == T_E5M2, pair = st == T_F16 || st == T_E4M3 || st == T_E5M2;
    if (t == T_NONE || i->rnd > RND_RNA || (i->stype != T_F32 && !pair) ||
        (narrow && !(i->flags & IRF_FINITE)))
        return NULL;
    bool rn = i->rnd == RND_NONE || i->rnd == RND_RN;
    if (rn && !narrow && !pair && !(i->flags & (IRF_RELU | IRF_SAT | IRF_FINITE)) && !alu_has_mod(i, 2))
        return i->type == T_F16X2 ? f2fp_f16 : f2fp_bf16;
    return f2fp;
}

/* F2I. A NaN gives 0 from a 16- or 32-bit float to at most 32 bits, else only the top bit (PTX manual 9.0, cvt). */
static void f2i_wide(ALU_ARGS, const double *v)
{
    bool s = x->insn->type == T_S64;
    uint64_t r[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        double d = v[i];
        if (d != d)
            r[i] = 1ull << 63;
        else if (s)
            r[i] = d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? 1ull << 63 : (uint64_t)(int64_t)d;
        else
            r[i] = d >= 0x1p64 ? UINT64_MAX : d <= 0.0 ? 0 : (uint64_t)d;
    }
    alu_put64(x, w, mask, r);
}

static void f2i_any(ALU_ARGS)
{
    double v[LANES];
    uint8_t t = x->insn->type;
    load_float(x, w, mask, x->insn->stype, v);
    switch (x->insn->rnd) {
    case RND_RNI:
    case RND_RN: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RNI); break;
    case RND_RMI:
    case RND_RM: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RMI); break;
    case RND_RPI:
    case RND_RP: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RPI); break;
    default: ALU_LANES(i) v[i] = f64_integral(v[i], RND_RZI); break;
    }
    unsigned bits = int_bits(t);
    if (bits == 64) {
        f2i_wide(x, w, mask, v);
        return;
    }
    double span = (double)(1ull << bits), lo = alu_is_signed(t) ? -span / 2 : 0.0, hi = lo + span - 1.0;
    double nan = x->insn->stype != T_F64 ? 0.0 : alu_is_signed(t) ? lo : span / 2;
    uint32_t r[LANES] ALU_ROW;
    ALU_LANES(i)
    {
        double d = v[i] == v[i] ? v[i] : nan;
        d = d < lo ? lo : d;
        d = d > hi ? hi : d;
        r[i] = (uint32_t)f64_bits(d + 0x1.8p52); /* an integer: its low bits */
    }
    alu_put32(x, w, mask, r);
}

static ALU_INLINE uint32_t trunc_s32(float f)
{
    bool ok = (f >= -0x1p31f) & (f < 0x1p31f);
    uint32_t r = (uint32_t)(int32_t)(ok ? f : 0.0f);
    return ok ? r : f > 0.0f ? 0x7fffffff : f < 0.0f ? 0x80000000 : 0;
}
ALU_DEF1(f32_s32_rz, trunc_s32(as_f32(a)))

static xfn pick_f2i(const struct ir_insn *i)
{
    if (!is_float(i->stype) || !is_int(i->type))
        return NULL;
    bool rz = i->rnd == RND_RZI || i->rnd == RND_RZ;
    return i->stype == T_F32 && i->type == T_S32 && rz && !alu_has_mod(i, 1) ? f32_s32_rz : f2i_any;
}

/* Integers of stype as 64-bit two's complement. */
static void load_int(const struct xwarp *w, const struct xop *x, uint8_t t, uint64_t *v)
{
    const uint32_t *a = alu_src(w, x, 0);
    switch (t) {
    case T_U8: ALU_LANES(i) v[i] = (uint8_t)a[i]; break;
    case T_S8: ALU_LANES(i) v[i] = (uint64_t)(int8_t)a[i]; break;
    case T_U16: ALU_LANES(i) v[i] = (uint16_t)a[i]; break;
    case T_S16: ALU_LANES(i) v[i] = (uint64_t)(int16_t)a[i]; break;
    case T_U32: ALU_LANES(i) v[i] = a[i]; break;
    case T_S32: ALU_LANES(i) v[i] = (uint64_t)(int32_t)a[i]; break;
    default: ALU_LANES(i) v[i] = alu_pair(a, i); break;
    }
}

static void i2f_wide(ALU_ARGS, const uint64_t *v)
{
    uint8_t t = x->insn->type;
    enum ir_rnd rnd = nearest_if_none(x->insn->rnd);
    const struct fp_fmt *f = t == T_F64   ? &fmt_f64
                             : t == T_F32 ? &fmt_f32
                             : t == T_F16 ? &fmt_f16
                                          : &fmt_bf16;
    unsigned width = t == T_F64 ? 64 : t == T_F32 ? 32 : 16;
    uint64_t r[LANES];
    uint32_t r32[LANES] ALU_ROW;
    bool sat = x->insn->flags & IRF_SAT;
    for (unsigned i = 0; i < LANES; i++) {
        bool neg = x->insn->stype == T_S64 && v[i] >> 63;
        uint64_t mag = neg ? 0 - v[i] : v[i];
        if (sat) {
            mag = neg ? 0 : mag > 1 ? 1 : mag;
            neg = false;
        }
        r[i] = fp_from_int(f, width, neg, mag, rnd);
        r32[i] = (uint32_t)r[i];
    }
    if (t == T_F64)
        alu_put64(x, w, mask, r);
    else
        alu_put32(x, w, mask, r32);
}

static void i2f_any(ALU_ARGS)
{
    uint64_t v[LANES];
    load_int(w, x, x->insn->stype, v);
    if (int_bits(x->insn->stype) == 64) {
        i2f_wide(x, w, mask, v);
        return;
    }
    double d[LANES];
    ALU_LANES(i) d[i] = as_f64(f64_bits(0x1.8p52) + v[i]) - 0x1.8p52;
    clamp_float(x, x->insn->type, d);
    store_float(x, w, mask, d, nearest_if_none(x->insn->rnd), x->insn->stype);
}
ALU_DEF1(s32_f32, f32_bits((float)(int32_t)a))
ALU_DEF1(u32_f32, f32_bits((float)a))

static xfn pick_i2f(const struct ir_insn *i)
{
    if (!is_int(i->stype) || !is_float(i->type) || i->type == T_TF32 || i->rnd > RND_RP)
        return NULL;
    bool fast = i->type == T_F32 && (i->rnd == RND_NONE || i->rnd == RND_RN) && !(i->flags & IRF_SAT);
    if (fast && i->stype == T_S32)
        return s32_f32;
    return fast && i->stype == T_U32 ? u32_f32 : i2f_any;
}

/* I2I. */
static void clamp_int(uint64_t *v, bool from_signed, uint8_t to)
{
    unsigned bits = int_bits(to);
    bool s = alu_is_signed(to);
    uint64_t max = (s ? INT64_MAX : UINT64_MAX) >> (64 - bits);
    int64_t min = s ? (int64_t)(~0ull << (bits - 1)) : 0;
    ALU_LANES(i)
    {
        bool neg = from_signed && (int64_t)v[i] < 0;
        uint64_t low = (int64_t)v[i] < min ? (uint64_t)min : v[i], high = v[i] > max ? max : v[i];
        v[i] = neg ? low : high;
    }
}

static void i2i_any(ALU_ARGS)
{
    uint8_t t = x->insn->type;
    uint64_t v[LANES];
    load_int(w, x, x->insn->stype, v);
    if (x->insn->flags & IRF_SAT)
        clamp_int(v, alu_is_signed(x->insn->stype), t);
    if (int_bits(t) == 64) {
        alu_put64(x, w, mask, v);
        return;
    }
    uint32_t r[LANES] ALU_ROW;
    switch (t) {
    case T_U8: ALU_LANES(i) r[i] = (uint8_t)v[i]; break;
    case T_S8: ALU_LANES(i) r[i] = (uint32_t)(int8_t)v[i]; break;
    case T_U16: ALU_LANES(i) r[i] = (uint16_t)v[i]; break;
    case T_S16: ALU_LANES(i) r[i] = (uint32_t)(int16_t)v[i]; break;
    default: ALU_LANES(i) r[i] = (uint32_t)v[i]; break;
    }
    alu_put32(x, w, mask, r);
}

xfn ALU_NAME(alu_cvt)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_F2F: return pick_f2f(i);
    case OP_F2FP: return pick_f2fp(i);
    case OP_FRND: return is_float(i->type) ? frnd_any : NULL;
    case OP_F2I: return pick_f2i(i);
    case OP_I2F: return pick_i2f(i);
    case OP_I2I: return is_int(i->type) && is_int(i->stype) ? i2i_any : NULL;
    default: return NULL;
    }
}
