/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons and selections: every comparison x type x boolean operation x modifiers, with one and two destinations. */
#include "form.h"
#include "fp.h"

enum { CMP, TYPE, BOP, FTZ, DST };
enum { EQ, NE, LT, LE, GT, GE, LO, LS, HI, HS, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NANS, CMPS };
static const char *const cmp_name[CMPS] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                           "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
enum { KEY_BITS, KEY_UINT, KEY_SINT, KEY_FLOAT };

static const struct key {
    const char *name;
    int kind;
    unsigned bits;
    const struct fp_fmt *fmt;
} keys[] = {
    {"b16", KEY_BITS, 16, NULL},       {"b32", KEY_BITS, 32, NULL},       {"b64", KEY_BITS, 64, NULL},
    {"u16", KEY_UINT, 16, NULL},       {"u32", KEY_UINT, 32, NULL},       {"u64", KEY_UINT, 64, NULL},
    {"s16", KEY_SINT, 16, NULL},       {"s32", KEY_SINT, 32, NULL},       {"s64", KEY_SINT, 64, NULL},
    {"f32", KEY_FLOAT, 32, &fp_f32},   {"f64", KEY_FLOAT, 64, &fp_f64},   {"f16", KEY_FLOAT, 16, &fp_f16},
    {"bf16", KEY_FLOAT, 16, &fp_bf16}, {"f16x2", KEY_FLOAT, 16, &fp_f16}, {"bf16x2", KEY_FLOAT, 16, &fp_bf16},
};
enum { KEYS = 13, KEY_F16X2 = 13, KEY_BF16X2 = 14, KEY_F32 = 9 };

static bool legal(const struct key *k, int cmp)
{
    switch (k->kind) {
    case KEY_BITS: return cmp <= NE;
    case KEY_UINT: return cmp <= HS;
    case KEY_SINT: return cmp <= GE;
    default: return cmp <= GE || cmp >= EQU;
    }
}

static bool ordered(int cmp, bool lt, bool eq)
{
    switch (cmp) {
    case EQ:
    case EQU: return eq;
    case NE:
    case NEU: return !eq;
    case LT:
    case LO:
    case LTU: return lt;
    case LE:
    case LS:
    case LEU: return lt || eq;
    case GT:
    case HI:
    case GTU: return !lt && !eq;
    case GE:
    case HS:
    case GEU: return !lt;
    default: return cmp == NUM;
    }
}

static bool holds(const struct key *k, int cmp, bool ftz, uint64_t a, uint64_t b)
{
    if (k->kind == KEY_FLOAT) {
        if (fp_is_nan(k->fmt, a) || fp_is_nan(k->fmt, b))
            return cmp >= EQU && cmp != NUM;
        double x = fp_value(k->fmt, ftz ? fp_flush(k->fmt, a) : a),
               y = fp_value(k->fmt, ftz ? fp_flush(k->fmt, b) : b);
        return ordered(cmp, x < y, x == y);
    }
    if (k->kind == KEY_SINT)
        return ordered(cmp, sign_of(a, k->bits) < sign_of(b, k->bits), a == b);
    return ordered(cmp, a < b, a == b);
}

static bool combine(int bop, bool v, bool c)
{
    return bop == 1 ? v && c : bop == 2 ? v || c : bop == 3 ? v != c : v;
}

/* p = cmp bop c, q = !cmp bop c. */
static bool ref_setp(const struct form *f, const uint64_t *in, uint64_t *out)
{
    bool v = holds(&keys[f->k[TYPE]], f->k[CMP], f->k[FTZ], in[0], in[1]);
    out[0] = combine(f->k[BOP], v, in[2]);
    out[1] = combine(f->k[BOP], !v, in[2]);
    return true;
}

static const char *const bop_name[] = {"", ".and", ".or", ".xor"};

static void test_setp(void **state)
{
    struct isa *t = *state;
    for (int k = 0; k < KEYS; k++)
        for (int c = 0; c < CMPS; c++) {
            if (!legal(&keys[k], c))
                continue;
            bool half = keys[k].kind == KEY_FLOAT && keys[k].bits == 16;
            bool can_ftz = keys[k].fmt == &fp_f32 || keys[k].fmt == &fp_f16;
            for (int b = 0; b < 4; b++)
                for (int ftz = 0; ftz <= can_ftz; ftz++) {
                    const char *name = isa_fmt(t, "setp.%s%s%s.%s", cmp_name[c], bop_name[b],
                                               ftz ? ".ftz" : "", keys[k].name);
                    struct form f = {.name = name, .ref = ref_setp, .k = {c, k, b, ftz}, .few = b != 0};
                    f.sig = isa_fmt(t, "pred:%s,%s%s", keys[k].name, keys[k].name, b ? ",pred" : "");
                    f.nimm = b == 0 && !half ? 4 : 0;
                    form_check(t, &f);
                    if (half) /* the pair form of halves is f16x2's */
                        continue;
                    f.sig = isa_fmt(t, "pred,pred:%s,%s%s", keys[k].name, keys[k].name, b ? ",pred" : "");
                    f.nimm = 0;
                    form_check(t, &f);
                }
        }
    ISA_DONE(t);
}

/* The third operand may be inverted. */
static bool ref_setp_not(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const uint64_t v[] = {in[0], in[1], !in[2]};
    return ref_setp(f, v, out);
}

static void test_setp_inverted(void **state)
{
    struct isa *t = *state;
    for (int b = 1; b < 4; b++)
        form_check(t,
                   &(struct form){.name = isa_fmt(t, "setp.lt%s.s32", bop_name[b]),
                                  .sig = "pred,pred:s32,s32,pred",
                                  .body = isa_fmt(t, "setp.lt%s.s32 %%d|%%q, %%a, %%b, !%%c;", bop_name[b]),
                                  .ref = ref_setp_not,
                                  .k = {LT, 7, b}});
    ISA_DONE(t);
}

static bool ref_setp_x2(const struct form *f, const uint64_t *in, uint64_t *out)
{
    for (unsigned h = 0; h < 2; h++)
        out[h] = combine(f->k[BOP],
                         holds(&keys[f->k[TYPE]], f->k[CMP], f->k[FTZ], in[0] >> (16 * h) & 0xffff,
                               in[1] >> (16 * h) & 0xffff),
                         in[2]);
    return true;
}

static void test_setp_x2(void **state)
{
    struct isa *t = *state;
    for (int k = KEY_F16X2; k <= KEY_BF16X2; k++)
        for (int c = 0; c < CMPS; c++)
            for (int b = 0; b < 4 && legal(&keys[k], c); b++)
                for (int ftz = 0; ftz <= (k == KEY_F16X2); ftz++)
                    form_check(t,
                               &(struct form){.name = isa_fmt(t, "setp.%s%s%s.%s", cmp_name[c], bop_name[b],
                                                              ftz ? ".ftz" : "", keys[k].name),
                                              .sig = isa_fmt(t, "pred,pred:%s,%s%s", keys[k].name,
                                                             keys[k].name, b ? ",pred" : ""),
                                              .ref = ref_setp_x2,
                                              .k = {c, k, b, ftz}});
    ISA_DONE(t);
}

/* set: all ones or 1.0 where it holds, else zero. */
static bool ref_set(const struct form *f, const uint64_t *in, uint64_t *out)
{
    static const uint64_t yes[] = {0xffffffff, 0xffffffff, 0x3f800000, 0x3c00, 0x3f80, 0xffff, 0xffff};
    bool v = combine(f->k[BOP], holds(&keys[f->k[TYPE]], f->k[CMP], f->k[FTZ], in[0], in[1]), in[2]);
    out[0] = v ? yes[f->k[DST]] : 0;
    return true;
}

static void test_set(void **state)
{
    struct isa *t = *state;
    static const char *const dst[] = {"u32", "s32", "f32", "f16", "bf16"};
    for (int k = 0; k < KEYS - 2; k++)
        for (int c = 0; c < CMPS; c++)
            for (int d = 0; d < 5 && legal(&keys[k], c); d++)
                for (int b = 0; b < 4; b++)
                    for (int ftz = 0; ftz <= (k == KEY_F32 && d < 4); ftz++) {
                        if (b && d % 3 != b - 1) /* each boolean with some destination types */
                            continue;
                        form_check(
                            t, &(struct form){.name = isa_fmt(t, "set.%s%s%s.%s.%s", cmp_name[c], bop_name[b],
                                                              ftz ? ".ftz" : "", dst[d], keys[k].name),
                                              .sig = isa_fmt(t, "%s:%s,%s%s", dst[d], keys[k].name,
                                                             keys[k].name, b ? ",pred" : ""),
                                              .ref = ref_set,
                                              .k = {c, k, b, ftz, d},
                                              .few = true});
                    }
    ISA_DONE(t);
}

/* Results of half comparisons, as k[DST]: f16, bf16, all ones of 16 bits, of 32 bits. */
static const uint64_t half_yes[] = {0x3c00, 0x3f80, 0xffff, 0xffffffff};

static bool ref_set_x2(const struct form *f, const uint64_t *in, uint64_t *out)
{
    for (unsigned h = 0; h < 32; h += 16)
        if (combine(f->k[BOP],
                    holds(&keys[f->k[TYPE]], f->k[CMP], f->k[FTZ], in[0] >> h & 0xffff, in[1] >> h & 0xffff),
                    in[2]))
            out[0] |= half_yes[f->k[DST]] << h;
    return true;
}

static bool ref_set_half(const struct form *f, const uint64_t *in, uint64_t *out)
{
    bool v = combine(f->k[BOP], holds(&keys[f->k[TYPE]], f->k[CMP], f->k[FTZ], in[0], in[1]), in[2]);
    out[0] = v ? half_yes[f->k[DST]] : 0;
    return true;
}

static void test_set_half(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *name;
        int scalar, packed;
    } dst[] = {{NULL, 0, 0}, {"u32", 3, 2}, {"s32", 3, 2}, {"u16", 2, -1}, {"s16", 2, -1}, {"bf16", 1, -1}};
    for (int k = KEYS - 2; k < KEYS + 2; k++)
        for (int c = 0; c < CMPS; c++)
            for (int d = 0; d < 6 && legal(&keys[k], c); d++) {
                bool x2 = k >= KEYS, bf = keys[k].fmt == &fp_bf16;
                int yes = d == 0 ? bf
                          : x2   ? dst[d].packed
                                 : dst[d].scalar,
                    bop = d == 0 ? c % 4 : (c + d) % 4;
                const char *to = d == 0 ? keys[k].name : dst[d].name;
                for (int ftz = 0; ftz <= (!bf && d != 5) && yes >= 0 && !(bf && d == 5); ftz++)
                    form_check(
                        t, &(struct form){.name = isa_fmt(t, "set.%s%s%s.%s.%s", cmp_name[c], bop_name[bop],
                                                          ftz ? ".ftz" : "", to, keys[k].name),
                                          .sig = isa_fmt(t, "%s:%s,%s%s", to, keys[k].name, keys[k].name,
                                                         bop ? ",pred" : ""),
                                          .ref = x2 ? ref_set_x2 : ref_set_half,
                                          .k = {c, k, bop, ftz, yes},
                                          .few = true});
            }
    ISA_DONE(t);
}

static bool ref_selp(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    out[0] = in[2] ? in[0] : in[1];
    return true;
}

/* slct: a if c >= 0, else b; -0.0 counts as 0, NaN as negative. */
static bool ref_slct(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t c = f->k[FTZ] ? fp_flush(&fp_f32, in[2]) : in[2];
    out[0] = (f->k[CMP] ? fp_value(&fp_f32, c) >= 0 : sign_of(c, 32) >= 0) ? in[0] : in[1];
    return true;
}

static void test_select(void **state)
{
    struct isa *t = *state;
    for (int k = 0; k < KEYS - 2; k++) {
        const char *ty = keys[k].name;
        form_check(t, &(struct form){.name = isa_fmt(t, "selp.%s", ty),
                                     .sig = isa_fmt(t, "%s:%s,%s,pred", ty, ty, ty),
                                     .ref = ref_selp});
        for (int m = 0; m < 3; m++)
            form_check(t, &(struct form){
                              .name = isa_fmt(t, "slct%s.%s.%s", m == 2 ? ".ftz" : "", ty, m ? "f32" : "s32"),
                              .sig = isa_fmt(t, "%s:%s,%s,%s", ty, ty, ty, m ? "f32" : "s32"),
                              .ref = ref_slct,
                              .k = {m > 0, 0, 0, m == 2}});
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_setp), cmocka_unit_test(test_setp_inverted), cmocka_unit_test(test_setp_x2),
         cmocka_unit_test(test_set), cmocka_unit_test(test_set_half), cmocka_unit_test(test_select))
