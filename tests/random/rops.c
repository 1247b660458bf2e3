/* SPDX-License-Identifier: Apache-2.0 */
/* The operations random programs are made of, each with its meaning written out in plain C. */
#include "prog.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

uint64_t cls_mask(enum cls c)
{
    return c == C_D ? UINT64_MAX : c == C_W ? UINT32_MAX : c == C_H ? 0xffff : 1;
}

uint64_t fix_bits(unsigned fix, enum cls c, uint64_t v)
{
    uint64_t exp0 = c == C_D ? 1ull << 52 : 1ull << 23, sign = c == C_D ? 1ull << 63 : 1ull << 31;
    switch (fix) {
    case FIX_FINITE: return v & ~exp0 & cls_mask(c);
    case FIX_DIVISOR: return (v & ~(exp0 << 1) & cls_mask(c)) | exp0;
    case FIX_POSITIVE: return v & ~exp0 & ~sign & cls_mask(c);
    default: return v;
    }
}

static float wf(uint64_t v)
{
    uint32_t b = (uint32_t)v;
    float f;
    memcpy(&f, &b, 4);
    return f;
}

static uint64_t fw(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return isnan(f) ? 0x7fffffff : b;
}

static double dd(uint64_t v)
{
    double f;
    memcpy(&f, &v, 8);
    return f;
}

static uint64_t db(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return isnan(f) ? 0xfff8000000000000ull : b;
}

static float ftz(float f) { return fabsf(f) < 0x1p-126f ? copysignf(0.0f, f) : f; }

static unsigned clz32(uint32_t v) { return v ? (unsigned)__builtin_clz(v) : 32; }
static unsigned clz64(uint64_t v) { return v ? (unsigned)__builtin_clzll(v) : 64; }

static uint32_t rev32(uint32_t v)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static uint64_t bfe(uint64_t v, unsigned pos, unsigned len, unsigned width, bool sgn)
{
    uint64_t r = 0;
    unsigned msb = width - 1;
    bool fill = sgn && len && (v >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1);
    for (unsigned i = 0; i <= msb; i++) {
        bool bit = i < len && pos + i <= msb ? v >> (pos + i) & 1 : fill;
        r |= (uint64_t)bit << i;
    }
    return r;
}

static uint64_t bfi(uint64_t ins, uint64_t into, unsigned pos, unsigned len, unsigned width)
{
    for (unsigned i = 0; i < len && pos + i < width; i++)
        into = (into & ~(1ull << (pos + i))) | (ins >> i & 1) << (pos + i);
    return into;
}

static uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned s = sel >> (4 * i) & 15, byte = (unsigned)(bytes >> (8 * (s & 7)) & 255);
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        r |= (uint32_t)byte << (8 * i);
    }
    return r;
}

/* min and max order -0 below +0 and prefer a number to a NaN. */
static float fminmax(float a, float b, bool max)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return !!signbit(a) == max ? b : a;
    return (a < b) != max ? a : b;
}

static double dminmax(double a, double b, bool max)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return !!signbit(a) == max ? b : a;
    return (a < b) != max ? a : b;
}

/* Evaluates under a rounding direction; volatile keeps the compiler from moving the arithmetic out. */
#define ROUNDED(mode, T, expr)                                                                               \
    ({                                                                                                       \
        int old_ = fegetround();                                                                             \
        fesetround(mode);                                                                                    \
        volatile T r_ = (expr);                                                                              \
        fesetround(old_);                                                                                    \
        r_;                                                                                                  \
    })

#define E(name, expr)                                                                                        \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                                 \
    {                                                                                                        \
        (void)a, (void)b, (void)c;                                                                           \
        return (uint64_t)(expr);                                                                             \
    }
#define A32 ((uint32_t)a)
#define B32 ((uint32_t)b)
#define C32 ((uint32_t)c)
#define SA ((int32_t)a)
#define SB ((int32_t)b)
#define SC ((int32_t)c)
#define LA ((int64_t)a)
#define LB ((int64_t)b)
#define LC ((int64_t)c)
/* A float operand that the compiler must read at run time. */
#define VF(x) (*(volatile float *)&(float){wf(x)})
#define VD(x) (*(volatile double *)&(double){dd(x)})

E(e_add32, A32 + B32)
E(e_sub32, A32 - B32)
E(e_mul32, A32 *B32)
E(e_mulhiu, (uint64_t)A32 *B32 >> 32)
E(e_mulhis, (uint32_t)((int64_t)SA *SB >> 32))
E(e_wideu, (uint64_t)A32 *B32)
E(e_wides, (int64_t)SA *SB)
E(e_mad32, A32 *B32 + C32)
E(e_madhis, (uint32_t)(((int64_t)SA * SB >> 32) + SC))
E(e_madwu, (uint64_t)A32 *B32 + c)
E(e_madws, (uint64_t)((int64_t)SA *SB) + c)
E(e_divu, A32 / B32)
E(e_divs, SB == -1 ? 0u - A32 : (uint32_t)(SA / SB))
E(e_remu, A32 % B32)
E(e_rems, SB == -1 ? 0 : (uint32_t)(SA % SB))
E(e_div64u, a / b)
E(e_div64s, LB == -1 ? 0 - a : (uint64_t)(LA / LB))
E(e_rem64u, a % b)
E(e_rem64s, LB == -1 ? 0 : (uint64_t)(LA % LB))
E(e_minu, A32 < B32 ? A32 : B32)
E(e_maxs, (uint32_t)(SA > SB ? SA : SB))
E(e_mins64, LA < LB ? LA : LB)
E(e_maxu64, a > b ? a : b)
E(e_abs32, (uint32_t)(SA < 0 ? 0u - A32 : A32))
E(e_neg32, 0u - A32)
E(e_neg64, 0 - a)
E(e_and32, A32 &B32)
E(e_or32, A32 | B32)
E(e_xor32, A32 ^ B32)
E(e_not32, (uint32_t)~A32)
E(e_and64, a &b)
E(e_or64, a | b)
E(e_xor64, a ^ b)
E(e_not64, ~a)
E(e_cnot32, A32 ? 0 : 1)
E(e_shl32, B32 >= 32 ? 0 : (uint32_t)(A32 << B32))
E(e_shru32, B32 >= 32 ? 0 : A32 >> B32)
E(e_shrs32, (uint32_t)(SA >> (B32 >= 32 ? 31 : B32)))
E(e_shl64, B32 >= 64 ? 0 : a << B32)
E(e_shru64, B32 >= 64 ? 0 : a >> B32)
E(e_shrs64, LA >> (B32 >= 64 ? 63 : B32))
E(e_shfl, (uint32_t)((((uint64_t)B32 << 32 | A32) << (C32 & 31)) >> 32))
E(e_shfr, (uint32_t)(((uint64_t)B32 << 32 | A32) >> (C32 & 31)))
E(e_shflc, (uint32_t)(C32 >= 32 ? A32 : (((uint64_t)B32 << 32 | A32) << C32) >> 32))
E(e_bfeu, bfe(A32, B32 & 255, C32 & 255, 32, false))
E(e_bfes, bfe(A32, B32 & 255, C32 & 255, 32, true))
E(e_bfe64, bfe(a, B32 & 255, C32 & 255, 64, true))
E(e_bfi32, bfi(A32, B32, C32 & 255, 5, 32))
E(e_prmt, prmt(A32, B32, C32))
E(e_lop3, (A32 & B32) ^ (~A32 & C32))
E(e_popc, __builtin_popcount(A32))
E(e_popc64, __builtin_popcountll(a))
E(e_clz, clz32(A32))
E(e_clz64, clz64(a))
E(e_brev, rev32(A32))
E(e_brev64, (uint64_t)rev32(A32) << 32 | rev32((uint32_t)(a >> 32)))
E(e_bfind, A32 ? 31 - clz32(A32) : UINT32_MAX)
E(e_bfinds, (SA < 0 ? ~A32 : A32) ? 31 - clz32(SA < 0 ? ~A32 : A32) : UINT32_MAX)
E(e_sad, (uint32_t)(C32 + (SA < SB ? (uint32_t)SB - A32 : A32 - (uint32_t)SB)))
E(e_add64, a + b)
E(e_sub64, a - b)
E(e_mul64, a *b)
E(e_mulhi64, (uint64_t)((unsigned __int128)a *b >> 64))
E(e_mad64, a *b + c)
E(e_add16, (a + b) & 0xffff)
E(e_sub16, (a - b) & 0xffff)
E(e_mul16, (a * b) & 0xffff)
E(e_mulw16, (uint32_t)((int16_t)a *(int16_t)b))
E(e_and16, a &b)
E(e_shr16, (uint16_t)((int16_t)a >> (B32 >= 16 ? 15 : B32)))
E(e_shl16, B32 >= 16 ? 0 : (a << B32) & 0xffff)
E(e_max16, (uint16_t)((int16_t)a > (int16_t)b ? a : b))
E(e_cvt_w_h, (uint16_t)a)
E(e_cvt_sh_w, (uint32_t)(int16_t)a)
E(e_cvt_uh_w, (uint16_t)a)
E(e_cvt_w_d, A32)
E(e_cvt_sw_d, (int64_t)SA)
E(e_cvt_d_w, A32)
E(e_cvt_s8, (uint32_t)(int8_t)a)
E(e_cvt_sat, SA > 127 ? 127 : (uint32_t)(SA < -128 ? -128 : SA))
E(e_dp4a, C32 + (uint32_t)((int8_t)a * (int8_t)b + (int8_t)(a >> 8) * (int8_t)(b >> 8) +
                           (int8_t)(a >> 16) * (int8_t)(b >> 16) + (int8_t)(a >> 24) * (int8_t)(b >> 24)))
E(e_mov, a)
/* Floats. */
E(e_fadd, fw(VF(a) + VF(b)))
E(e_fsubz, fw(ROUNDED(FE_TOWARDZERO, float, VF(a) - VF(b))))
E(e_fmul, fw(VF(a) * VF(b)))
E(e_fmulm, fw(ROUNDED(FE_DOWNWARD, float, VF(a) * VF(b))))
E(e_faddp, fw(ROUNDED(FE_UPWARD, float, VF(a) + VF(b))))
E(e_faddftz, fw(ftz(ftz(wf(a)) + ftz(wf(b)))))
E(e_fma, fw(fmaf(VF(a), VF(b), VF(c))))
E(e_fmaz, fw(ROUNDED(FE_TOWARDZERO, float, fmaf(VF(a), VF(b), VF(c)))))
E(e_fdiv, fw(VF(a) / VF(b)))
E(e_fsqrt, fw(sqrtf(VF(a))))
E(e_frcp, fw(1.0f / VF(a)))
E(e_fmin, fw(fminmax(wf(a), wf(b), false)))
E(e_fmax, fw(fminmax(wf(a), wf(b), true)))
E(e_fneg, A32 ^ 0x80000000u)
E(e_fabs, A32 & 0x7fffffffu)
E(e_faddsat, ({
      float s_ = VF(a) + VF(b);
      fw(s_ > 1 ? 1 : s_ > 0 ? s_ : 0.0f);
  }))
E(e_dadd, db(VD(a) + VD(b)))
E(e_dsub, db(VD(a) - VD(b)))
E(e_dmul, db(VD(a) * VD(b)))
E(e_dfma, db(fma(VD(a), VD(b), VD(c))))
E(e_dfmap, db(ROUNDED(FE_UPWARD, double, fma(VD(a), VD(b), VD(c)))))
E(e_ddiv, db(VD(a) / VD(b)))
E(e_dsqrt, db(sqrt(VD(a))))
E(e_drcp, db(1.0 / VD(a)))
E(e_dmax, db(dminmax(dd(a), dd(b), true)))
E(e_dneg, a ^ 1ull << 63)
E(e_i2f, fw((float)SA))
E(e_u2fz, fw(ROUNDED(FE_TOWARDZERO, float, (float)*(volatile uint32_t *)&(uint32_t){A32})))
E(e_i2d, db((double)SA))
E(e_l2d, db((double)LA))
E(e_ul2f, fw((float)a))
E(e_f2i, (uint32_t)(wf(a) >= 0x1p31f ? INT32_MAX : wf(a) < -0x1p31f ? INT32_MIN : (int32_t)wf(a)))
E(e_f2un, ({
      float r_ = rintf(wf(a));
      (uint32_t)(r_ >= 0x1p32f ? UINT32_MAX : r_ <= 0 ? 0 : (uint32_t)r_);
  }))
E(e_d2l, dd(a) >= 0x1p63 ? INT64_MAX : dd(a) < -0x1p63 ? INT64_MIN : (int64_t)dd(a))
E(e_d2im, ({
      double r_ = floor(dd(a));
      (uint32_t)(r_ >= 0x1p31 ? INT32_MAX : r_ < -0x1p31 ? INT32_MIN : (int32_t)r_);
  }))
E(e_f2d, db((double)wf(a)))
E(e_d2f, fw((float)VD(a)))
E(e_d2fz, fw(ROUNDED(FE_TOWARDZERO, float, (float)VD(a))))
E(e_frni, fw(rintf(wf(a))))
E(e_fcopysign, ((A32 & 0x80000000u) | (B32 & 0x7fffffffu)))

#define W C_W
#define D C_D
#define H C_H
#define R1(n, d, s0, imm, e)                                                                                 \
    {                                                                                                        \
        .name = n, .dst = d, .nsrc = 1, .src = {s0}, .imm_ok = imm, .eval = e                                \
    }
#define R2(n, d, s0, s1, imm, e)                                                                             \
    {                                                                                                        \
        .name = n, .dst = d, .nsrc = 2, .src = {s0, s1}, .imm_ok = imm, .eval = e                            \
    }
#define R3(n, d, s0, s1, s2, imm, e)                                                                         \
    {                                                                                                        \
        .name = n, .dst = d, .nsrc = 3, .src = {s0, s1, s2}, .imm_ok = imm, .eval = e                        \
    }
#define RDIV(n, c, e)                                                                                        \
    {                                                                                                        \
        .name = n, .dst = c, .nsrc = 2, .src = {c, c}, .imm_ok = 3, .odd = 2, .eval = e                      \
    }
#define F1(n, d, s0, f, e)                                                                                   \
    {                                                                                                        \
        .name = n, .dst = d, .nsrc = 1, .src = {s0}, .is_float = 1, .fix = f, .eval = e                      \
    }
#define F2(n, c, f, e)                                                                                       \
    {                                                                                                        \
        .name = n, .dst = c, .nsrc = 2, .src = {c, c}, .is_float = 3, .imm_ok = 2, .fix = f, .eval = e       \
    }
#define F3(n, c, e)                                                                                          \
    {                                                                                                        \
        .name = n, .dst = c, .nsrc = 3, .src = {c, c, c}, .is_float = 7, .imm_ok = 6, .fix = FIX_FINITE,     \
        .eval = e                                                                                            \
    }
#define FDIV(n, c, e)                                                                                        \
    {                                                                                                        \
        .name = n, .dst = c, .nsrc = 2, .src = {c, c}, .is_float = 3, .imm_ok = 3, .fix = FIX_DIVISOR,       \
        .eval = e                                                                                            \
    }

const struct rop rops[] = {
    R2("add.u32", W, W, W, 2, e_add32),
    R2("add.s32", W, W, W, 2, e_add32),
    R2("sub.s32", W, W, W, 3, e_sub32),
    R2("mul.lo.s32", W, W, W, 2, e_mul32),
    R2("mul.hi.u32", W, W, W, 2, e_mulhiu),
    R2("mul.hi.s32", W, W, W, 2, e_mulhis),
    R2("mul.wide.u32", D, W, W, 2, e_wideu),
    R2("mul.wide.s32", D, W, W, 2, e_wides),
    R3("mad.lo.s32", W, W, W, W, 6, e_mad32),
    R3("mad.lo.u32", W, W, W, W, 6, e_mad32),
    R3("mad.hi.s32", W, W, W, W, 6, e_madhis),
    R3("mad.wide.u32", D, W, W, D, 2, e_madwu),
    R3("mad.wide.s32", D, W, W, D, 6, e_madws),
    RDIV("div.u32", W, e_divu),
    RDIV("div.s32", W, e_divs),
    RDIV("rem.u32", W, e_remu),
    RDIV("rem.s32", W, e_rems),
    RDIV("div.u64", D, e_div64u),
    RDIV("div.s64", D, e_div64s),
    RDIV("rem.u64", D, e_rem64u),
    RDIV("rem.s64", D, e_rem64s),
    R2("min.u32", W, W, W, 2, e_minu),
    R2("max.s32", W, W, W, 2, e_maxs),
    R2("min.s64", D, D, D, 2, e_mins64),
    R2("max.u64", D, D, D, 2, e_maxu64),
    R1("abs.s32", W, W, 0, e_abs32),
    R1("neg.s32", W, W, 0, e_neg32),
    R1("neg.s64", D, D, 0, e_neg64),
    R2("and.b32", W, W, W, 2, e_and32),
    R2("or.b32", W, W, W, 2, e_or32),
    R2("xor.b32", W, W, W, 2, e_xor32),
    R1("not.b32", W, W, 0, e_not32),
    R2("and.b64", D, D, D, 2, e_and64),
    R2("or.b64", D, D, D, 2, e_or64),
    R2("xor.b64", D, D, D, 2, e_xor64),
    R1("not.b64", D, D, 0, e_not64),
    R1("cnot.b32", W, W, 0, e_cnot32),
    R2("shl.b32", W, W, W, 3, e_shl32),
    R2("shr.u32", W, W, W, 3, e_shru32),
    R2("shr.s32", W, W, W, 3, e_shrs32),
    R2("shl.b64", D, D, W, 3, e_shl64),
    R2("shr.u64", D, D, W, 3, e_shru64),
    R2("shr.s64", D, D, W, 3, e_shrs64),
    R3("shf.l.wrap.b32", W, W, W, W, 4, e_shfl),
    R3("shf.r.wrap.b32", W, W, W, W, 4, e_shfr),
    R3("shf.l.clamp.b32", W, W, W, W, 4, e_shflc),
    {.name = "bfe.u32", .dst = W, .nsrc = 3, .src = {W, W, W}, .imm_ok = 6, .byte = 6, .eval = e_bfeu},
    {.name = "bfe.s32", .dst = W, .nsrc = 3, .src = {W, W, W}, .imm_ok = 6, .byte = 6, .eval = e_bfes},
    {.name = "bfe.s64", .dst = D, .nsrc = 3, .src = {D, W, W}, .imm_ok = 6, .byte = 6, .eval = e_bfe64},
    {.name = "bfi.b32", .dst = W, .nsrc = 3, .src = {W, W, W}, .imm_ok = 4, .byte = 4, .eval = e_bfi32},
    R3("prmt.b32", W, W, W, W, 4, e_prmt),
    R3("lop3.b32", W, W, W, W, 4, e_lop3),
    R1("popc.b32", W, W, 0, e_popc),
    R1("popc.b64", W, D, 0, e_popc64),
    R1("clz.b32", W, W, 0, e_clz),
    R1("clz.b64", W, D, 0, e_clz64),
    R1("brev.b32", W, W, 0, e_brev),
    R1("brev.b64", D, D, 0, e_brev64),
    R1("bfind.u32", W, W, 0, e_bfind),
    R1("bfind.s32", W, W, 0, e_bfinds),
    R3("sad.s32", W, W, W, W, 4, e_sad),
    R3("dp4a.s32.s32", W, W, W, W, 4, e_dp4a),
    R2("add.s64", D, D, D, 2, e_add64),
    R2("add.u64", D, D, D, 2, e_add64),
    R2("sub.s64", D, D, D, 3, e_sub64),
    R2("mul.lo.s64", D, D, D, 2, e_mul64),
    R2("mul.hi.u64", D, D, D, 2, e_mulhi64),
    R3("mad.lo.s64", D, D, D, D, 6, e_mad64),
    R2("add.s16", H, H, H, 2, e_add16),
    R2("sub.s16", H, H, H, 2, e_sub16),
    R2("mul.lo.s16", H, H, H, 2, e_mul16),
    R2("mul.wide.s16", W, H, H, 2, e_mulw16),
    R2("and.b16", H, H, H, 2, e_and16),
    {.name = "shr.s16", .dst = H, .nsrc = 2, .src = {H, W}, .imm_ok = 2, .byte = 2, .eval = e_shr16},
    {.name = "shl.b16", .dst = H, .nsrc = 2, .src = {H, W}, .imm_ok = 2, .byte = 2, .eval = e_shl16},
    R2("max.s16", H, H, H, 2, e_max16),
    R1("cvt.u16.u32", H, W, 0, e_cvt_w_h),
    R1("cvt.s32.s16", W, H, 0, e_cvt_sh_w),
    R1("cvt.u32.u16", W, H, 0, e_cvt_uh_w),
    R1("cvt.u64.u32", D, W, 0, e_cvt_w_d),
    R1("cvt.s64.s32", D, W, 0, e_cvt_sw_d),
    R1("cvt.u32.u64", W, D, 0, e_cvt_d_w),
    R1("cvt.s32.s8", W, W, 0, e_cvt_s8),
    R1("cvt.sat.s8.s32", W, W, 0, e_cvt_sat),
    R1("mov.u32", W, W, 1, e_mov),
    R1("mov.b32", W, W, 1, e_mov),
    R1("mov.u64", D, D, 1, e_mov),
    R1("mov.u16", H, H, 1, e_mov),
    F2("add.f32", W, FIX_FINITE, e_fadd),
    F2("add.rn.f32", W, FIX_FINITE, e_fadd),
    F2("sub.rz.f32", W, FIX_FINITE, e_fsubz),
    F2("mul.f32", W, FIX_FINITE, e_fmul),
    F2("mul.rm.f32", W, FIX_FINITE, e_fmulm),
    F2("add.rp.f32", W, FIX_FINITE, e_faddp),
    F2("add.ftz.f32", W, FIX_FINITE, e_faddftz),
    F3("fma.rn.f32", W, e_fma),
    F3("fma.rz.f32", W, e_fmaz),
    FDIV("div.rn.f32", W, e_fdiv),
    F1("sqrt.rn.f32", W, W, FIX_POSITIVE, e_fsqrt),
    F1("rcp.rn.f32", W, W, FIX_DIVISOR, e_frcp),
    F2("min.f32", W, FIX_NONE, e_fmin),
    F2("max.f32", W, FIX_NONE, e_fmax),
    F1("neg.f32", W, W, FIX_FINITE, e_fneg),
    F1("abs.f32", W, W, FIX_FINITE, e_fabs),
    F2("add.sat.f32", W, FIX_FINITE, e_faddsat),
    F2("copysign.f32", W, FIX_FINITE, e_fcopysign),
    F2("add.f64", D, FIX_FINITE, e_dadd),
    F2("sub.rn.f64", D, FIX_FINITE, e_dsub),
    F2("mul.rn.f64", D, FIX_FINITE, e_dmul),
    F3("fma.rn.f64", D, e_dfma),
    F3("fma.rp.f64", D, e_dfmap),
    FDIV("div.rn.f64", D, e_ddiv),
    F1("sqrt.rn.f64", D, D, FIX_POSITIVE, e_dsqrt),
    F1("rcp.rn.f64", D, D, FIX_DIVISOR, e_drcp),
    F2("max.f64", D, FIX_FINITE, e_dmax),
    F1("neg.f64", D, D, FIX_FINITE, e_dneg),
    R1("cvt.rn.f32.s32", W, W, 0, e_i2f),
    R1("cvt.rz.f32.u32", W, W, 0, e_u2fz),
    R1("cvt.rn.f64.s32", D, W, 0, e_i2d),
    R1("cvt.rn.f64.s64", D, D, 0, e_l2d),
    R1("cvt.rn.f32.u64", W, D, 0, e_ul2f),
    F1("cvt.rzi.s32.f32", W, W, FIX_FINITE, e_f2i),
    F1("cvt.rni.u32.f32", W, W, FIX_FINITE, e_f2un),
    F1("cvt.rzi.s64.f64", D, D, FIX_FINITE, e_d2l),
    F1("cvt.rmi.s32.f64", W, D, FIX_FINITE, e_d2im),
    F1("cvt.f64.f32", D, W, FIX_FINITE, e_f2d),
    F1("cvt.rn.f32.f64", W, D, FIX_FINITE, e_d2f),
    F1("cvt.rz.f32.f64", W, D, FIX_FINITE, e_d2fz),
    F1("cvt.rni.f32.f32", W, W, FIX_FINITE, e_frni),
};
const unsigned nrops = sizeof rops / sizeof rops[0];

const char *const cmp_type_names[CMP_TYPES] = {"u32", "s32", "u64", "s64", "f32", "f64", "u16", "s16"};
const char *const cmp_names[NFCMP] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

enum cls cmp_class(unsigned type)
{
    static const uint8_t c[CMP_TYPES] = {C_W, C_W, C_D, C_D, C_W, C_D, C_H, C_H};
    return c[type];
}

static bool cmp_float(unsigned cmp, double a, double b)
{
    bool un = isnan(a) || isnan(b);
    if (cmp >= 12)
        return (cmp == 13) == un;
    if (un)
        return cmp >= 6;
    switch (cmp % 6) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
    }
}

bool cmp_eval(unsigned type, unsigned cmp, uint64_t a, uint64_t b)
{
    int order;
    switch (type) {
    case 0: order = ((uint32_t)a > (uint32_t)b) - ((uint32_t)a < (uint32_t)b); break;
    case 1: order = ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b); break;
    case 2: order = (a > b) - (a < b); break;
    case 3: order = ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b); break;
    case 4: return cmp_float(cmp, wf(a), wf(b));
    case 5: return cmp_float(cmp, dd(a), dd(b));
    case 6: order = ((uint16_t)a > (uint16_t)b) - ((uint16_t)a < (uint16_t)b); break;
    default: order = ((int16_t)a > (int16_t)b) - ((int16_t)a < (int16_t)b); break;
    }
    switch (cmp) {
    case 0: return order == 0;
    case 1: return order != 0;
    case 2: return order < 0;
    case 3: return order <= 0;
    case 4: return order > 0;
    default: return order >= 0;
    }
}

E(a_maxs, (uint32_t)(SA > SB ? SA : SB))
E(a_minu64, a < b ? a : b)
const struct acc accs[NACC] = {
    {"add.u32", false, 5, e_add32},          {"add.u64", true, 1ull << 40, e_add64},
    {"min.u32", false, UINT32_MAX, e_minu},  {"max.s32", false, 0x80000000u, a_maxs},
    {"and.b32", false, UINT32_MAX, e_and32}, {"or.b32", false, 0, e_or32},
    {"xor.b32", false, 0, e_xor32},          {"min.u64", true, UINT64_MAX, a_minu64},
    {"max.u64", true, 0, e_maxu64},          {"xor.b64", true, 0, e_xor64},
};
const char *const redux_names[NREDUX] = {"add.u32", "min.u32", "max.u32", "min.s32",
                                         "max.s32", "and.b32", "or.b32",  "xor.b32"};
