/* SPDX-License-Identifier: Apache-2.0 */
/* f32 and f64 arithmetic that PTX defines exactly: every rounding, .ftz, .sat. */
#include "form.h"
#include "fp.h"

enum { FMT, OP, RND, FTZ, SAT };

static const struct fp_fmt *const fmts[] = {&fp_f32, &fp_f64};
static const char *const type_name[] = {"f32", "f64"};
static const char *const rnd_name[] = {".rn", ".rz", ".rm", ".rp"};

static bool ref_arith(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    uint64_t v[3];
    for (unsigned i = 0; i < 3; i++)
        v[i] = f->k[FTZ] ? fp_flush(fmt, in[i]) : in[i];
    uint64_t r = fp_op(fmt, (enum fp_op)f->k[OP], (enum fp_rnd)f->k[RND], v[0], v[1], v[2]);
    if (f->k[FTZ] && fp_flush_unclear(fmt, (enum fp_op)f->k[OP], v[0], v[1], v[2], r))
        return false;
    if (f->k[FTZ])
        r = fp_flush(fmt, r);
    out[0] = f->k[SAT] ? fp_saturate(fmt, r) : r;
    return true;
}

static const struct arith {
    const char *name;
    enum fp_op op;
    unsigned nsrc;
    bool has_default; /* may be written without a rounding */
    bool has_sat;
} ariths[] = {
    {"add", FP_ADD, 2, true, true},   {"sub", FP_SUB, 2, true, true},     {"mul", FP_MUL, 2, true, true},
    {"fma", FP_FMA, 3, false, true},  {"mad", FP_FMA, 3, false, true},    {"div", FP_DIV, 2, false, false},
    {"rcp", FP_RCP, 1, false, false}, {"sqrt", FP_SQRT, 1, false, false},
};
enum { ARITHS = sizeof ariths / sizeof ariths[0] };

/* rnd -1: none written, which is .rn. */
static void arith(struct isa *t, const struct arith *a, int fmt, int rnd, int ftz, int sat)
{
    const char *ty = type_name[fmt];
    struct form f = {.ref = ref_arith, .k = {fmt, (int)a->op, rnd < 0 ? FP_RN : rnd, ftz, sat}};
    f.name = isa_fmt(t, "%s%s%s%s.%s", a->name, rnd < 0 ? "" : rnd_name[rnd], ftz ? ".ftz" : "",
                     sat ? ".sat" : "", ty);
    f.sig = isa_fmt(t, a->nsrc == 1 ? "%s:%s" : a->nsrc == 2 ? "%s:%s,%s" : "%s:%s,%s,%s", ty, ty, ty, ty);
    f.nimm = a->nsrc == 2 && rnd <= FP_RZ && !sat ? 6 : a->nsrc == 3 && rnd == FP_RN ? 3 : 0;
    form_check(t, &f);
}

static void test_arith(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < ARITHS; i++)
        for (int fmt = 0; fmt < 2; fmt++)
            for (int rnd = ariths[i].has_default ? -1 : 0; rnd < 4; rnd++)
                for (int ftz = 0; ftz <= !fmt; ftz++)
                    for (int sat = 0; sat <= (!fmt && ariths[i].has_sat); sat++)
                        arith(t, &ariths[i], fmt, rnd, ftz, sat);
    ISA_DONE(t);
}

/* min and max: NaN loses against a number, wins with .NaN; -0 < +0; .xorsign.abs works on magnitudes. */
enum { MAX = 1, NAN_WINS = 2, XORSIGN = 4 };

static bool ref_minmax(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    uint64_t sb = fp_sign_bit(fmt), a = in[0], b = in[1], sign = (a ^ b) & sb;
    if (f->k[FTZ])
        a = fp_flush(fmt, a), b = fp_flush(fmt, b);
    if (f->k[OP] & XORSIGN)
        a &= ~sb, b &= ~sb;
    double x = fp_value(fmt, a), y = fp_value(fmt, b);
    bool less = x < y || (x == y && a & sb && !(b & sb));
    uint64_t r = (f->k[OP] & MAX) != 0 ? (less ? b : a) : (less ? a : b);
    bool na = fp_is_nan(fmt, a), nb = fp_is_nan(fmt, b);
    if ((na && nb) || ((na || nb) && f->k[OP] & NAN_WINS))
        r = fp_nan(fmt);
    else if (na || nb)
        r = na ? b : a;
    if (f->k[OP] & XORSIGN && !fp_is_nan(fmt, r))
        r = (r & ~sb) | sign;
    out[0] = r;
    return true;
}

static void test_minmax(void **state)
{
    struct isa *t = *state;
    for (int op = 0; op < 8; op++)
        for (int fmt = 0; fmt < (op < 2 ? 2 : 1); fmt++)
            for (int ftz = 0; ftz <= !fmt; ftz++) {
                const char *ty = type_name[fmt];
                form_check(t, &(struct form){.name = isa_fmt(t, "%s%s%s%s.%s", op & MAX ? "max" : "min",
                                                             ftz ? ".ftz" : "", op & NAN_WINS ? ".NaN" : "",
                                                             op & XORSIGN ? ".xorsign.abs" : "", ty),
                                             .sig = isa_fmt(t, "%s:%s,%s", ty, ty, ty),
                                             .ref = ref_minmax,
                                             .k = {fmt, op, 0, ftz},
                                             .nimm = op < 2 ? 8 : 0});
            }
    ISA_DONE(t);
}

/* The three-operand forms are sm_100's; abs, neg and copysign only touch the sign. */
static bool ref_sign(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    uint64_t sb = fp_sign_bit(fmt), a = f->k[FTZ] ? fp_flush(fmt, in[0]) : in[0];
    switch (f->k[OP]) {
    case 0: out[0] = a & ~sb; break;
    case 1: out[0] = a ^ sb; break;
    case 2: out[0] = (in[1] & ~sb) | (in[0] & sb); break; /* copysign d, a, b: the sign of a */
    }
    return true;
}

static void test_sign(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"abs", "neg", "copysign"};
    for (int o = 0; o < 3; o++)
        for (int fmt = 0; fmt < 2; fmt++)
            for (int ftz = 0; ftz <= (!fmt && o < 2); ftz++) {
                const char *ty = type_name[fmt];
                form_check(t, &(struct form){.name = isa_fmt(t, "%s%s.%s", op[o], ftz ? ".ftz" : "", ty),
                                             .sig = isa_fmt(t, o < 2 ? "%s:%s" : "%s:%s,%s", ty, ty, ty),
                                             .ref = ref_sign,
                                             .k = {fmt, o, 0, ftz}});
            }
    ISA_DONE(t);
}

static bool ref_testp(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    uint64_t a = in[0];
    bool nan = fp_is_nan(fmt, a), inf = fp_is_inf(fmt, a), sub = fp_is_subnormal(fmt, a);
    /* Zero counts as normal here, as the manual says. */
    const bool r[] = {!nan && !inf, inf, !nan, nan, !nan && !inf && !sub, sub};
    out[0] = r[f->k[OP]];
    return true;
}

static void test_testp(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    for (int o = 0; o < 6; o++)
        for (int fmt = 0; fmt < 2; fmt++)
            form_check(t, &(struct form){.name = isa_fmt(t, "testp.%s.%s", op[o], type_name[fmt]),
                                         .sig = isa_fmt(t, "pred:%s", type_name[fmt]),
                                         .ref = ref_testp,
                                         .k = {fmt, o}});
    ISA_DONE(t);
}

/* A product and a sum written apart may be fused when neither names a rounding; with .rn they may not. */
static bool ref_unfused(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    out[0] = fp_op(fmt, FP_ADD, FP_RN, fp_op(fmt, FP_MUL, FP_RN, in[0], in[1], 0), in[2], 0);
    return true;
}

static void test_unfused(void **state)
{
    struct isa *t = *state;
    form_check(t, &(struct form){.name = "mul.rn.f32 add.rn.f32",
                                 .sig = "f32:f32,f32,f32",
                                 .body = "mul.rn.f32 %a, %a, %b; add.rn.f32 %d, %a, %c;",
                                 .ref = ref_unfused});
    form_check(t, &(struct form){.name = "mul.rn.f64 add.rn.f64",
                                 .sig = "f64:f64,f64,f64",
                                 .body = "mul.rn.f64 %a, %a, %b; add.rn.f64 %d, %a, %c;",
                                 .ref = ref_unfused,
                                 .k = {1}});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_arith), cmocka_unit_test(test_minmax), cmocka_unit_test(test_sign),
         cmocka_unit_test(test_testp), cmocka_unit_test(test_unfused))
