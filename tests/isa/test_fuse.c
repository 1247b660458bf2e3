/* SPDX-License-Identifier: Apache-2.0 */
/* Short sequences that a compiler likes to merge: products and sums, shifts and sums, logic on logic, signs, conversions
 * of conversions, predicates on predicates, short branches. Each has the meaning of its instructions one by one. */
#include "form.h"
#include "fp.h"

typedef uint64_t u64;
typedef int64_t s64;

static float f32_of(u64 bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, 4);
    return f;
}
static u64 add32(u64 a, u64 b) { return trunc_to(a + b, 32); }

#define REF(name, ...)                                                                                       \
    static bool name(const struct form *f, const u64 *in, u64 *out)                                          \
    {                                                                                                        \
        const u64 a = in[0], b = in[1], c = in[2], e = in[3];                                                \
        (void)f, (void)a, (void)b, (void)c, (void)e;                                                         \
        __VA_ARGS__;                                                                                         \
        return true;                                                                                         \
    }

/* Addresses. */
REF(wide_add, out[0] = c + (u64)(sign_of(a, 32) * sign_of(b, 32)))
REF(wide_add_u, out[0] = c + a * b)
REF(wide_add2, out[0] = c + (u64)(sign_of(a, 32) * 12) + 40)
REF(wide_sub, out[0] = c - (u64)(sign_of(a, 32) * sign_of(b, 32)))
REF(wide_low, out[0] = trunc_to(a * b, 32))
REF(shift_add, out[0] = c + ((u64)sign_of(a, 32) << 3) + 16)
/* Sums. */
REF(sum3, out[0] = add32(add32(a, b), c))
REF(sum4, out[0] = add32(add32(a, b), add32(c, e)))
REF(sum_self, out[0] = trunc_to(4 * a + b, 32))
REF(sub_sum, out[0] = trunc_to(a - b + c, 32))
REF(neg_add, out[0] = trunc_to(b - a, 32))
REF(add_consts, out[0] = trunc_to(a + 7 - 9 + 0x80000000, 32))
REF(mul_add, out[0] = trunc_to(a * b + c, 32))
REF(mul_consts, out[0] = trunc_to(a * 12 + 5, 32))
REF(mul_m1, out[0] = trunc_to(0 - a, 32))
REF(lea5, out[0] = trunc_to((a << 5) + b, 32))
REF(lea31, out[0] = trunc_to((a << 31) + b, 32))
REF(lea32, out[0] = trunc_to(b, 32))
REF(lea_reg, out[0] = trunc_to((b > 31 ? 0 : a << b) + c, 32))
REF(hi_lo, out[0] = trunc_to((a * b >> 32) + c, 32))
REF(neg64, out[0] = b - a)
REF(sum64, out[0] = a + b + c)
REF(carry_dead, out[0] = trunc_to(a + b, 32))
/* Logic. */
REF(xor3, out[0] = trunc_to(a ^ b ^ c, 32))
REF(andor, out[0] = trunc_to((a & b) | (~a & c), 32))
REF(nand_self, out[0] = trunc_to(~(a & b) ^ (a | b), 32))
REF(mask_merge, out[0] = trunc_to((a & 0xff00ff00) | (b & 0x00ff00ff), 32))
REF(maj64, out[0] = (a & b) | (c & (a ^ b)))
REF(deep, out[0] = trunc_to((((a ^ b) & c) ^ b) | (a & ~c), 32))
/* Fields. */
REF(byte2, out[0] = a >> 16 & 0xff)
REF(sbyte1, out[0] = trunc_to((u64)sign_of(a >> 8, 8), 32))
REF(rotate, out[0] = trunc_to(a << 7 | a >> 25, 32))
REF(pack64, out[0] = a | b << 32)
REF(high, out[0] = a >> 32)
/* Conversions. */
REF(cvt_u16, out[0] = a & 0xffff)
REF(cvt_s8s64, out[0] = (u64)sign_of(a, 8))
REF(cvt_s16add, out[0] = trunc_to((u64)sign_of(trunc_to(a + b, 16), 16), 32))
static u64 half_to_f32(u64 half)
{
    double v = fp_value(&fp_f16, half);
    return v != v ? fp_nan(&fp_f32) : fp_round(&fp_f32, v, FP_RN);
}
REF(cvt_upper, out[0] = half_to_f32(a >> 16))
REF(cvt_both, out[0] = half_to_f32(a >> 16) << 32 | half_to_f32(a & 0xffff))
REF(cvt_i2f2i, out[0] = trunc_to((u64)(s64)(int32_t)sign_of(a, 16), 32))
/* Signs: float32 with one rounding each; NaN compares as any NaN. */
REF(neg_fadd, out[0] = fp_op(&fp_f32, FP_SUB, FP_RN, b, a, 0))
REF(abs_fmul, out[0] = fp_op(&fp_f32, FP_MUL, FP_RN, a & 0x7fffffff, b, 0))
REF(nabs_ffma, out[0] = fp_op(&fp_f32, FP_FMA, FP_RN, a | 0x80000000, b, c ^ 0x80000000))
REF(neg_abs, out[0] = fp_op(&fp_f32, FP_ADD, FP_RN, a & 0x7fffffff, b, 0))
REF(abs_setp, out[0] = f32_of(a & 0x7fffffff) < f32_of(b ^ 0x80000000))
REF(neg_f64, out[0] = fp_op(&fp_f64, FP_FMA, FP_RN, a ^ 1ull << 63, b, c & ~(1ull << 63)))
/* Predicates. */
REF(and_setp, out[0] = sign_of(a, 32) < sign_of(b, 32) && sign_of(b, 32) < sign_of(c, 32))
REF(or_not, out[0] = !(sign_of(a, 32) < sign_of(b, 32)) || b == c)
REF(xor_setp, out[0] = (a == b) != (b > c))
REF(chain4, out[0] = (a < b && b < c) || !(c < e || a == e))
REF(sel_chain, out[0] = a < b ? (b < c ? 1 : 2) : (a == c ? 3 : e))
REF(min3, out[0] = a < b ? (a < c ? a : c) : (b < c ? b : c))
REF(clamp01, double x = fp_value(&fp_f32, a); out[0] = !(x > 0) ? 0 : x >= 1 ? 0x3f800000 : a)
/* Branches. */
REF(if_add, out[0] = trunc_to(a < b ? a + c : a, 32))
REF(if_else, out[0] = trunc_to(a < b ? a * 3 : b - 1, 32))
REF(if_old, out[0] = a == b ? c : 9; out[1] = trunc_to(a == b ? c + 1 : 9, 32))
REF(swap, out[0] = trunc_to(b - a, 32); out[1] = trunc_to(a - b, 32))
REF(redefine, u64 t = trunc_to(a + b, 32); out[0] = trunc_to(t * t + a, 32); out[1] = t)

static const struct row {
    const char *name, *sig, *body;
    form_ref ref;
} rows[] = {
    {"mul.wide add", "s64:s32,s32,s64", "{ .reg .s64 %t0; mul.wide.s32 %t0, %a, %b; add.s64 %d, %t0, %c; }",
     wide_add},
    {"add mul.wide", "s64:s32,s32,s64", "{ .reg .s64 %t0; mul.wide.s32 %t0, %a, %b; add.s64 %d, %c, %t0; }",
     wide_add},
    {"mul.wide.u32 add", "u64:u32,u32,u64",
     "{ .reg .u64 %t0; mul.wide.u32 %t0, %a, %b; add.u64 %d, %t0, %c; }", wide_add_u},
    {"mul.wide add add", "s64:s32,s32,s64",
     "{ .reg .s64 %t<2>; mul.wide.s32 %t0, %a, 12; add.s64 %t1, %c, %t0; add.s64 %d, %t1, 40; }", wide_add2},
    {"mul.wide sub", "s64:s32,s32,s64", "{ .reg .s64 %t0; mul.wide.s32 %t0, %a, %b; sub.s64 %d, %c, %t0; }",
     wide_sub},
    {"mul.wide low", "u32:u32,u32", "{ .reg .u64 %t0; mul.wide.u32 %t0, %a, %b; cvt.u32.u64 %d, %t0; }",
     wide_low},
    {"cvt shl add", "s64:s32,s32,s64",
     "{ .reg .s64 %t<3>; cvt.s64.s32 %t0, %a; shl.b64 %t1, %t0, 3; add.s64 %t2, %c, %t1; add.s64 %d, %t2, "
     "16; }",
     shift_add},
    {"add add", "u32:u32,u32,u32", "{ .reg .u32 %t0; add.u32 %t0, %a, %b; add.u32 %d, %t0, %c; }", sum3},
    {"add tree", "u32:u32,u32,u32,u32",
     "{ .reg .u32 %t<2>; add.u32 %t0, %a, %b; add.u32 %t1, %c, %e; add.u32 %d, %t1, %t0; }", sum4},
    {"add self", "u32:u32,u32",
     "{ .reg .u32 %t<2>; add.u32 %t0, %a, %a; add.u32 %t1, %t0, %t0; add.u32 %d, %t1, %b; }", sum_self},
    {"sub add", "u32:u32,u32,u32", "{ .reg .u32 %t0; sub.u32 %t0, %a, %b; add.u32 %d, %c, %t0; }", sub_sum},
    {"neg add", "s32:s32,s32", "{ .reg .s32 %t0; neg.s32 %t0, %a; add.s32 %d, %t0, %b; }", neg_add},
    {"add constants", "s32:s32",
     "{ .reg .s32 %t<2>; add.s32 %t0, %a, 7; add.s32 %t1, %t0, -9; add.s32 %d, %t1, 0x80000000; }",
     add_consts},
    {"mul add", "u32:u32,u32,u32", "{ .reg .u32 %t0; mul.lo.u32 %t0, %a, %b; add.u32 %d, %t0, %c; }",
     mul_add},
    {"mul add constants", "s32:s32", "{ .reg .s32 %t0; mul.lo.s32 %t0, %a, 12; add.s32 %d, %t0, 5; }",
     mul_consts},
    {"mul -1", "s32:s32", "mul.lo.s32 %d, %a, -1;", mul_m1},
    {"shl add 5", "u32:u32,u32", "{ .reg .u32 %t0; shl.b32 %t0, %a, 5; add.u32 %d, %t0, %b; }", lea5},
    {"shl add 31", "u32:u32,u32", "{ .reg .u32 %t0; shl.b32 %t0, %a, 31; add.u32 %d, %b, %t0; }", lea31},
    {"shl add 32", "u32:u32,u32", "{ .reg .u32 %t0; shl.b32 %t0, %a, 32; add.u32 %d, %b, %t0; }", lea32},
    {"shl add register", "u32:u32,sh,u32", "{ .reg .u32 %t0; shl.b32 %t0, %a, %b; add.u32 %d, %c, %t0; }",
     lea_reg},
    {"mul.hi add", "u32:u32,u32,u32", "{ .reg .u32 %t0; mul.hi.u32 %t0, %a, %b; add.u32 %d, %t0, %c; }",
     hi_lo},
    {"neg add 64", "s64:s64,s64", "{ .reg .s64 %t0; neg.s64 %t0, %a; add.s64 %d, %b, %t0; }", neg64},
    {"add add 64", "u64:u64,u64,u64", "{ .reg .u64 %t0; add.u64 %t0, %a, %b; add.u64 %d, %t0, %c; }", sum64},
    {"add.cc dead", "u32:u32,u32", "{ .reg .u32 %t0; add.cc.u32 %d, %a, %b; addc.u32 %t0, %a, %b; }",
     carry_dead},
    {"xor xor", "b32:b32,b32,b32", "{ .reg .b32 %t0; xor.b32 %t0, %a, %b; xor.b32 %d, %t0, %c; }", xor3},
    {"and not and or", "b32:b32,b32,b32",
     "{ .reg .b32 %t<3>; and.b32 %t0, %a, %b; not.b32 %t1, %a; and.b32 %t2, %t1, %c; or.b32 %d, %t0, %t2; }",
     andor},
    {"not and xor or", "b32:b32,b32",
     "{ .reg .b32 %t<3>; and.b32 %t0, %a, %b; not.b32 %t0, %t0; or.b32 %t1, %a, %b; xor.b32 %d, %t0, %t1; }",
     nand_self},
    {"mask merge", "b32:b32,b32",
     "{ .reg .b32 %t<2>; and.b32 %t0, %a, 0xff00ff00; and.b32 %t1, %b, 0x00ff00ff; or.b32 %d, %t0, %t1; }",
     mask_merge},
    {"majority 64", "b64:b64,b64,b64",
     "{ .reg .b64 %t<3>; and.b64 %t0, %a, %b; xor.b64 %t1, %a, %b; and.b64 %t2, %c, %t1; or.b64 %d, %t0, "
     "%t2; }",
     maj64},
    {"deep logic", "b32:b32,b32,b32",
     "{ .reg .b32 %t<5>; xor.b32 %t0, %a, %b; and.b32 %t1, %t0, %c; xor.b32 %t2, %t1, %b; not.b32 %t3, %c; "
     "and.b32 %t4, %a, %t3; or.b32 %d, %t2, %t4; }",
     deep},
    {"shr and", "u32:u32", "{ .reg .u32 %t0; shr.u32 %t0, %a, 16; and.b32 %d, %t0, 255; }", byte2},
    {"shl shr", "s32:s32", "{ .reg .s32 %t0; shl.b32 %t0, %a, 16; shr.s32 %d, %t0, 24; }", sbyte1},
    {"shl shr or", "u32:u32",
     "{ .reg .u32 %t<2>; shl.b32 %t0, %a, 7; shr.u32 %t1, %a, 25; or.b32 %d, %t0, %t1; }", rotate},
    {"cvt shl or 64", "u64:u32,u32",
     "{ .reg .u64 %t<3>; cvt.u64.u32 %t0, %a; cvt.u64.u32 %t1, %b; shl.b64 %t2, %t1, 32; or.b64 %d, %t0, "
     "%t2; }",
     pack64},
    {"shr cvt 64", "u32:u64", "{ .reg .u64 %t0; shr.u64 %t0, %a, 32; cvt.u32.u64 %d, %t0; }", high},
    {"cvt cvt u16", "u32:u32", "{ .reg .u16 %t0; cvt.u16.u32 %t0, %a; cvt.u32.u16 %d, %t0; }", cvt_u16},
    {"cvt cvt s8 s64", "s64:u32",
     "{ .reg .s16 %t0; .reg .s32 %t1; cvt.s16.s8 %t0, %a; cvt.s32.s16 %t1, %t0; cvt.s64.s32 %d, %t1; }",
     cvt_s8s64},
    {"add.s16 cvt", "s32:s16,s16", "{ .reg .s16 %t0; add.s16 %t0, %a, %b; cvt.s32.s16 %d, %t0; }",
     cvt_s16add},
    {"upper half", "f32:u32", "{ .reg .b16 %t<2>; mov.b32 {%t0, %t1}, %a; cvt.f32.f16 %d, %t1; }", cvt_upper},
    {"shifted half", "f32:u32",
     "{ .reg .b32 %t0; .reg .b16 %t1; shr.u32 %t0, %a, 16; cvt.u16.u32 %t1, %t0; cvt.f32.f16 %d, %t1; }",
     cvt_upper},
    {"both halves", "b64:u32",
     "{ .reg .b16 %t<2>; .reg .f32 %t2, %t3; mov.b32 {%t0, %t1}, %a; cvt.f32.f16 %t2, %t0; cvt.f32.f16 %t3, "
     "%t1; "
     "mov.b64 %d, {%t2, %t3}; }",
     cvt_both},
    {"cvt int float int", "s32:s16", "{ .reg .f32 %t0; cvt.rn.f32.s16 %t0, %a; cvt.rzi.s32.f32 %d, %t0; }",
     cvt_i2f2i},
    {"neg add f32", "f32:f32,f32", "{ .reg .f32 %t0; neg.f32 %t0, %a; add.rn.f32 %d, %t0, %b; }", neg_fadd},
    {"abs mul f32", "f32:f32,f32", "{ .reg .f32 %t0; abs.f32 %t0, %a; mul.rn.f32 %d, %t0, %b; }", abs_fmul},
    {"neg abs fma f32", "f32:f32,f32,f32",
     "{ .reg .f32 %t<3>; abs.f32 %t0, %a; neg.f32 %t1, %t0; neg.f32 %t2, %c; fma.rn.f32 %d, %t1, %b, %t2; }",
     nabs_ffma},
    {"abs of neg f32", "f32:f32,f32",
     "{ .reg .f32 %t<2>; neg.f32 %t0, %a; abs.f32 %t1, %t0; add.rn.f32 %d, %b, %t1; }", neg_abs},
    {"abs neg setp f32", "pred:f32,f32",
     "{ .reg .f32 %t<2>; abs.f32 %t0, %a; neg.f32 %t1, %b; setp.lt.f32 %d, %t0, %t1; }", abs_setp},
    {"neg abs fma f64", "f64:f64,f64,f64",
     "{ .reg .f64 %t<2>; neg.f64 %t0, %a; abs.f64 %t1, %c; fma.rn.f64 %d, %t0, %b, %t1; }", neg_f64},
    {"setp and", "pred:s32,s32,s32",
     "{ .reg .pred %t<2>; setp.lt.s32 %t0, %a, %b; setp.lt.s32 %t1, %b, %c; and.pred %d, %t0, %t1; }",
     and_setp},
    {"setp not or", "pred:s32,s32,s32",
     "{ .reg .pred %t<3>; setp.lt.s32 %t0, %a, %b; not.pred %t1, %t0; setp.eq.s32 %t2, %b, %c; or.pred %d, "
     "%t1, %t2; }",
     or_not},
    {"setp xor", "pred:u32,u32,u32",
     "{ .reg .pred %t<2>; setp.eq.u32 %t0, %a, %b; setp.gt.u32 %t1, %b, %c; xor.pred %d, %t1, %t0; }",
     xor_setp},
    {"setp tree", "pred:u32,u32,u32,u32",
     "{ .reg .pred %t<7>; setp.lt.u32 %t0, %a, %b; setp.lt.u32 %t1, %b, %c; and.pred %t2, %t0, %t1; "
     "setp.lt.u32 %t3, %c, %e; setp.eq.u32 %t4, %a, %e; or.pred %t5, %t3, %t4; not.pred %t6, %t5; or.pred "
     "%d, %t2, %t6; }",
     chain4},
    {"selp chain", "u32:u32,u32,u32,u32",
     "{ .reg .pred %t<3>; .reg .u32 %u<2>; setp.lt.u32 %t0, %a, %b; setp.lt.u32 %t1, %b, %c; setp.eq.u32 "
     "%t2, %a, %c; selp.u32 %u0, 1, 2, %t1; selp.u32 %u1, 3, %e, %t2; selp.u32 %d, %u0, %u1, %t0; }",
     sel_chain},
    {"min min", "u32:u32,u32,u32", "{ .reg .u32 %t0; min.u32 %t0, %a, %b; min.u32 %d, %t0, %c; }", min3},
    {"max min f32", "f32:f32", "{ .reg .f32 %t0; max.f32 %t0, %a, 0f00000000; min.f32 %d, %t0, 0f3F800000; }",
     clamp01},
    {"bra if", "u32:u32,u32,u32",
     "{ .reg .pred %t0; mov.u32 %d, %a; setp.ge.u32 %t0, %a, %b; @%t0 bra L; add.u32 %d, %d, %c;\nL: }",
     if_add},
    {"bra if else", "u32:u32,u32",
     "{ .reg .pred %t0; setp.lt.u32 %t0, %a, %b; @!%t0 bra E; mul.lo.u32 %d, %a, 3; bra D;\nE: sub.u32 %d, "
     "%b, 1;\nD: }",
     if_else},
    {"bra if two", "u32,u32:u32,u32,u32",
     "{ .reg .pred %t0; mov.u32 %d, 9; mov.u32 %q, 9; setp.ne.u32 %t0, %a, %b; @%t0 bra L; mov.u32 %d, %c; "
     "add.u32 %q, %d, 1;\nL: }",
     if_old},
    {"swap", "u32,u32:u32,u32",
     "{ .reg .u32 %t0; mov.u32 %t0, %a; mov.u32 %a, %b; mov.u32 %b, %t0; sub.u32 %d, %a, %b; sub.u32 %q, %b, "
     "%a; }",
     swap},
    {"redefine", "u32,u32:u32,u32",
     "{ .reg .u32 %t<2>; mov.u32 %t0, %a; add.u32 %a, %a, %b; mov.u32 %q, %a; mad.lo.u32 %d, %a, %a, %t0; }",
     redefine},
};

static void test_sequences(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        form_check(t,
                   &(struct form){
                       .name = rows[i].name, .sig = rows[i].sig, .body = rows[i].body, .ref = rows[i].ref});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_sequences))
