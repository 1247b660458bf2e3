/* SPDX-License-Identifier: Apache-2.0 */
/* cvt: every pair of types with every rounding, .ftz, .sat, .relu and .satfinite that the assembler accepts for it; packed
 * results; 8-bit floats; registers wider than the types. */
#include "form.h"
#include "fp.h"
#include "run.h"

#include <math.h>

enum { DST, SRC, RND, FTZ, SAT, RELU, FINITE = FTZ };
enum { NONE, RN, RZ, RM, RP, RNI, RZI, RMI, RPI, RNDS };
static const char *const rnd_name[RNDS] = {"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"};
static const enum fp_rnd fp_mode[RNDS] = {FP_RN, FP_RN, FP_RZ, FP_RM, FP_RP, FP_RN, FP_RN, FP_RN, FP_RN};

static const struct side {
    const char *name;
    unsigned bits;
    bool sgn;
    const struct fp_fmt *fmt;
} sides[] = {
    {"u8", 8, false, NULL},       {"s8", 8, true, NULL},      {"u16", 16, false, NULL},
    {"s16", 16, true, NULL},      {"u32", 32, false, NULL},   {"s32", 32, true, NULL},
    {"u64", 64, false, NULL},     {"s64", 64, true, NULL},    {"f16", 16, true, &fp_f16},
    {"bf16", 16, true, &fp_bf16}, {"f32", 32, true, &fp_f32}, {"f64", 64, true, &fp_f64},
};
enum { INTS = 8, SIDES = 12 };

typedef __int128 wide;

static wide int_value(const struct side *s, uint64_t v)
{
    v = trunc_to(v, s->bits);
    return s->sgn ? (wide)sign_of(v, s->bits) : (wide)v;
}

static wide int_min(const struct side *s) { return s->sgn ? -((wide)1 << (s->bits - 1)) : 0; }
static wide int_max(const struct side *s) { return ((wide)1 << (s->bits - s->sgn)) - 1; }
static wide int_clamp(const struct side *s, wide v)
{
    return v < int_min(s) ? int_min(s) : v > int_max(s) ? int_max(s) : v;
}

/* The register of an 8-bit destination is 32 bits wide: extended by the destination's sign. */
static uint64_t int_put(const struct side *s, wide v)
{
    return s->sgn ? (uint64_t)sign_of(trunc_to((uint64_t)v, s->bits), s->bits)
                  : trunc_to((uint64_t)v, s->bits);
}

static double integral(double x, int rnd)
{
    switch (rnd) {
    case RNI: return rint(x); /* the host is in round to nearest */
    case RZI: return trunc(x);
    case RMI: return floor(x);
    case RPI: return ceil(x);
    default: return x;
    }
}

/* NaN becomes 0, except where the source is f64 or the destination 64 bits wide: there the top bit alone. */
static uint64_t float_to_int(const struct form *f, const struct side *d, const struct side *s, double x)
{
    if (isnan(x))
        return s->fmt == &fp_f64 || d->bits == 64 ? int_put(d, (wide)1 << (d->bits - 1)) : 0;
    x = integral(x, f->k[RND]);
    return int_put(d, x >= 0x1p100 ? int_max(d) : x <= -0x1p100 ? int_min(d) : int_clamp(d, (wide)x));
}

static bool ref_cvt(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct side *d = &sides[f->k[DST]], *s = &sides[f->k[SRC]];
    uint64_t r;
    if (!s->fmt) {
        wide v = int_value(s, in[0]);
        if (!d->fmt) {
            out[0] = int_put(d, f->k[SAT] ? int_clamp(d, v) : v);
            return true;
        }
        r = fp_pack(d->fmt, v < 0, (uint64_t)(v < 0 ? -v : v), 0, fp_mode[f->k[RND]]);
    } else {
        if (f->k[FTZ] && d->fmt == &fp_f16 && f->k[RND] >= RM && fp_is_subnormal(s->fmt, in[0]))
            return false; /* the manual flushes, silicon rounds outwards to the smallest f16 */
        double x = fp_value(s->fmt, f->k[FTZ] && s->fmt == &fp_f32 ? fp_flush(s->fmt, in[0]) : in[0]);
        if (!d->fmt) {
            out[0] = float_to_int(f, d, s, x);
            return true;
        }
        r = fp_round(d->fmt, integral(x, f->k[RND]), fp_mode[f->k[RND]]);
    }
    if (f->k[FTZ] && d->fmt == &fp_f32)
        r = fp_flush(d->fmt, r);
    if (f->k[RELU] && !fp_is_nan(d->fmt, r) && r & fp_sign_bit(d->fmt))
        r = 0;
    out[0] = f->k[SAT] ? fp_saturate(d->fmt, r) : r;
    return true;
}

/* What ptxas accepts for sm_90, pair by pair. */
static bool legal(int d, int s, int rnd, int ftz, int sat, int relu)
{
    const struct side *to = &sides[d], *from = &sides[s];
    bool f32 = to->fmt == &fp_f32 || from->fmt == &fp_f32, bf = to->fmt == &fp_bf16 || from->fmt == &fp_bf16;
    if (!to->fmt && !from->fmt)
        return rnd == NONE && !ftz && !relu &&
               (!sat || int_min(from) < int_min(to) || int_max(from) > int_max(to));
    if ((ftz && !f32) || (sat && bf) || (bf && (to->bits == 8 || from->bits == 8)))
        return false;
    if (relu)
        return from->fmt == &fp_f32 && to->fmt && to->bits == 16 && (rnd == RN || rnd == RZ) && !ftz && !sat;
    if (!to->fmt)
        return rnd >= RNI;
    if (!from->fmt)
        return rnd >= RN && rnd <= RP;
    if (to == from)
        return rnd == NONE || rnd >= RNI;
    if (from->fmt == &fp_bf16 && to->bits > 16)
        return rnd <= RP;
    if (to->fmt->mbits > from->fmt->mbits && to->fmt->ebits >= from->fmt->ebits)
        return rnd == NONE;
    return rnd >= RN && rnd <= RP;
}

static void test_pairs(void **state)
{
    struct isa *t = *state;
    for (int d = 0; d < SIDES; d++)
        for (int s = 0; s < SIDES; s++)
            for (int rnd = 0; rnd < RNDS; rnd++)
                for (int m = 0; m < 5; m++) {
                    int ftz = m & 1 && m < 4, sat = m >> 1 & 1, relu = m == 4;
                    if (!legal(d, s, rnd, ftz, sat, relu))
                        continue;
                    form_check(
                        t, &(struct form){.name = isa_fmt(t, "cvt%s%s%s%s.%s.%s", rnd_name[rnd],
                                                          ftz ? ".ftz" : "", sat ? ".sat" : "",
                                                          relu ? ".relu" : "", sides[d].name, sides[s].name),
                                          .sig = isa_fmt(t, "%s:%s", sides[d].name, sides[s].name),
                                          .ref = ref_cvt,
                                          .k = {d, s, rnd, ftz, sat, relu}});
                }
    ISA_DONE(t);
}

/* Registers of 64 bits on both sides: only the low bits are read, the result is extended to the whole register. */
static void test_wide_registers(void **state)
{
    struct isa *t = *state;
    for (int d = 0; d < INTS; d++)
        for (int s = 0; s < INTS; s++)
            form_check(t,
                       &(struct form){.name = isa_fmt(t, "cvt.%s.%s wide", sides[d].name, sides[s].name),
                                      .sig = "b64:b64",
                                      .body = isa_fmt(t, "cvt.%s.%s %%d, %%a;", sides[d].name, sides[s].name),
                                      .ref = ref_cvt,
                                      .k = {d, s}});
    ISA_DONE(t);
}

/* .satfinite, of a result r for x: the largest finite number instead of an infinity. */
static uint64_t to_finite(const struct fp_fmt *fmt, uint64_t r) { return fp_is_inf(fmt, r) ? r - 1 : r; }

/* cvt.f16x2.f32 d, a, b: a to the upper half. */
static bool ref_pack(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = f->k[DST] ? &fp_bf16 : &fp_f16;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t r = fp_round(fmt, fp_value(&fp_f32, in[i]), fp_mode[f->k[RND]]);
        if (f->k[FINITE])
            r = to_finite(fmt, r);
        if (f->k[RELU] && !fp_is_nan(fmt, r) && r & fp_sign_bit(fmt))
            r = 0;
        out[0] |= r << (i ? 0 : 16);
    }
    return true;
}

/* cvt.satfinite.f16.f32 d, a. */
static bool ref_finite(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t twice[2] = {0, in[0]};
    return ref_pack(f, twice, out);
}

static bool ref_tf32(const struct form *f, const uint64_t *in, uint64_t *out)
{
    if (fp_is_nan(&fp_f32, in[0]) && (in[0] & 0x7fffff) < 1 << 13)
        return false; /* the payload is cut off: silicon makes an infinity of it */
    uint64_t r = fp_round(&fp_tf32, fp_value(&fp_f32, in[0]), (enum fp_rnd)f->k[RND]);
    if (f->k[FINITE])
        r = to_finite(&fp_tf32, r);
    if (f->k[RELU] && !fp_is_nan(&fp_tf32, r) && r & fp_sign_bit(&fp_tf32))
        r = 0;
    out[0] = r << 13;
    return true;
}

/* The 13 bits below a tf32 mantissa are not defined. */
static bool ok_tf32(const struct form *f, const uint64_t *in, uint64_t want, uint64_t got)
{
    (void)f;
    (void)in;
    if (fp_is_nan(&fp_tf32, want >> 13))
        return fp_is_nan(&fp_f32, got);
    return want >> 13 == got >> 13;
}

static void test_packed(void **state)
{
    struct isa *t = *state;
    for (int bf = 0; bf < 2; bf++)
        for (int rnd = RN; rnd <= RZ; rnd++)
            for (int m = 0; m < 4; m++) {
                const char *ty = bf ? "bf16x2" : "f16x2", *one = bf ? "bf16" : "f16";
                const char *mods =
                    isa_fmt(t, "cvt%s%s%s", rnd_name[rnd], m & 1 ? ".relu" : "", m & 2 ? ".satfinite" : "");
                form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s.f32", mods, ty),
                                             .sig = isa_fmt(t, "%s:f32,f32", ty),
                                             .ref = ref_pack,
                                             .k = {bf, 0, rnd, m >> 1, 0, m & 1}});
                if (m & 2)
                    form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s.f32", mods, one),
                                                 .sig = isa_fmt(t, "%s:f32", one),
                                                 .ref = ref_finite,
                                                 .k = {bf, 0, rnd, 1, 0, m & 1}});
            }
    static const struct {
        const char *name;
        int rnd, relu, finite;
    } tf32[] = {
        {"cvt.rna.tf32.f32", FP_RNA, 0, 0},         {"cvt.rn.tf32.f32", FP_RN, 0, 0},
        {"cvt.rz.tf32.f32", FP_RZ, 0, 0},           {"cvt.rn.relu.tf32.f32", FP_RN, 1, 0},
        {"cvt.rz.relu.tf32.f32", FP_RZ, 1, 0},      {"cvt.rna.satfinite.tf32.f32", FP_RNA, 0, 1},
        {"cvt.rn.satfinite.tf32.f32", FP_RN, 0, 1}, {"cvt.rz.satfinite.relu.tf32.f32", FP_RZ, 1, 1},
    };
    for (unsigned i = 0; i < sizeof tf32 / sizeof tf32[0]; i++)
        form_check(t, &(struct form){tf32[i].name, "tf32:f32", .ref = ref_tf32, .ok = ok_tf32,
                                     .k = {0, 0, tf32[i].rnd, tf32[i].finite, 0, tf32[i].relu}});
    ISA_DONE(t);
}

/* cvt.pack.sat: a and b clamped into the low half of d (b lowest); the 8-bit forms shift c's low half above them. */
static bool ref_cvt_pack(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct side *d = &sides[f->k[DST]];
    uint64_t a = trunc_to((uint64_t)int_clamp(d, sign_of(in[0], 32)), d->bits);
    uint64_t b = trunc_to((uint64_t)int_clamp(d, sign_of(in[1], 32)), d->bits);
    out[0] = b | a << d->bits;
    if (d->bits == 8)
        out[0] |= trunc_to(in[2], 16) << 16;
    return true;
}

/* 4 bits: a and b make the lowest byte, under the low three bytes of c. */
static bool ref_cvt_pack4(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct side d = {"", 4, f->k[DST], NULL};
    out[0] = trunc_to((uint64_t)int_clamp(&d, sign_of(in[1], 32)), 4) |
             trunc_to((uint64_t)int_clamp(&d, sign_of(in[0], 32)), 4) << 4 | trunc_to(in[2], 24) << 8;
    return true;
}

static void test_cvt_pack(void **state)
{
    struct isa *t = *state;
    form_check(t,
               &(struct form){"cvt.pack.sat.u4.s32.b32", "b32:s32,s32,b32", .ref = ref_cvt_pack4, .k = {0}});
    form_check(t,
               &(struct form){"cvt.pack.sat.s4.s32.b32", "b32:s32,s32,b32", .ref = ref_cvt_pack4, .k = {1}});
    form_check(t, &(struct form){"cvt.pack.sat.u16.s32", "b32:s32,s32", .ref = ref_cvt_pack, .k = {2}});
    form_check(t, &(struct form){"cvt.pack.sat.s16.s32", "b32:s32,s32", .ref = ref_cvt_pack, .k = {3}});
    form_check(t,
               &(struct form){"cvt.pack.sat.u8.s32.b32", "b32:s32,s32,b32", .ref = ref_cvt_pack, .k = {0}});
    form_check(t,
               &(struct form){"cvt.pack.sat.s8.s32.b32", "b32:s32,s32,b32", .ref = ref_cvt_pack, .k = {1}});
    ISA_DONE(t);
}

/* The number of an 8-bit code. e4m3 (e5m2 if `wide`) has no infinities: only the last code is no number. */
static double fp8_value(bool wide, uint64_t code)
{
    if (wide)
        return fp_value(&fp_f16, code << 8);
    double m = (double)((code & 7) | (code & 0x78 ? 8 : 0));
    double v = ldexp(m, (int)(code & 0x78 ? code >> 3 & 15 : 1) - 10);
    return (code & 0x7f) == 0x7f ? NAN : code & 0x80 ? -v : v;
}

/* The code of the finite number nearest to x, of two the even one: looked for among all of them. */
static uint64_t fp8_code(bool wide, double x, bool relu)
{
    uint64_t best = 0, last = wide ? 0x7b : 0x7e, sign = signbit(x) ? 0x80 : 0;
    if (isnan(x))
        return 0x7f;
    x = fmin(fabs(x), fp8_value(wide, last));
    for (uint64_t c = 0; c <= last; c++) {
        double off = fabs(fp8_value(wide, c) - x), least = fabs(fp8_value(wide, best) - x);
        if (off < least || (off == least && !(c & 1)))
            best = c;
    }
    return relu && sign ? 0 : best | sign;
}

/* cvt.rn.satfinite.e4m3x2.f32 d, a, b: a to the upper byte; .f16x2 d, a: byte by half. */
static bool ref_to_fp8(const struct form *f, const uint64_t *in, uint64_t *out)
{
    bool pair = f->k[SRC];
    for (unsigned i = 0; i < 2; i++) {
        double x = pair ? fp_value(&fp_f16, in[0] >> (i ? 0 : 16) & 0xffff) : fp_value(&fp_f32, in[i]);
        out[0] |= fp8_code(f->k[DST], x, f->k[RELU]) << (i ? 0 : 8);
    }
    return true;
}

static void test_fp8(void **state)
{
    struct isa *t = *state;
    for (int m = 0; m < 8; m++) {
        int wide = m & 1, pair = m >> 1 & 1, relu = m >> 2;
        form_check(t, &(struct form){.name = isa_fmt(t, "cvt.rn.satfinite%s.%s.%s", relu ? ".relu" : "",
                                                     wide ? "e5m2x2" : "e4m3x2", pair ? "f16x2" : "f32"),
                                     .sig = pair ? "b16:f16x2" : "b16:f32,f32",
                                     .ref = ref_to_fp8,
                                     .k = {wide, pair, 0, 0, 0, relu}});
    }
    ISA_DONE(t);
}

/* All codes: thread t converts code t, with code 255 - t above it. */
static void test_from_fp8(void **state)
{
    struct isa *t = *state;
    for (int m = 0; m < 4; m++) {
        int wide = m & 1, relu = m >> 1;
        uint64_t want[256] = {0};
        for (uint64_t c = 0; c < 512; c++) {
            uint64_t r = fp_round(&fp_f16, fp8_value(wide, c < 256 ? c : 511 - c), FP_RN);
            if (relu && !fp_is_nan(&fp_f16, r) && r >> 15)
                r = 0;
            want[c % 256] |= r << (c < 256 ? 0 : 16);
        }
        const char *name = isa_fmt(t, "cvt.rn%s.f16x2.%s", relu ? ".relu" : "", wide ? "e5m2x2" : "e4m3x2");
        struct kern k = {.name = name,
                         .body = isa_fmt(t,
                                         "sub.u32 %%r1, 255, %%tx;\n  bfi.b32 %%r2, %%r1, %%tx, 8, 8;\n"
                                         "  cvt.u16.u32 %%h0, %%r2;\n  %s %%r3, %%h0;\n"
                                         "  st.global.u32 [%%out], %%r3;",
                                         name),
                         .slots = 1,
                         .block = {256}};
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_pairs), cmocka_unit_test(test_wide_registers), cmocka_unit_test(test_packed),
         cmocka_unit_test(test_cvt_pack), cmocka_unit_test(test_fp8), cmocka_unit_test(test_from_fp8))
