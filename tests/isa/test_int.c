/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic: every operation, type and modifier. References compute in 128 bits and truncate. */
#include "form.h"

typedef __int128 wide;

enum { BITS, SGN, SAT, OP }; /* form.k */
enum { LO, HI, WIDE };

static wide val(const struct form *f, uint64_t v)
{
    v = trunc_to(v, (unsigned)f->k[BITS]);
    return f->k[SGN] ? (wide)sign_of(v, (unsigned)f->k[BITS]) : (wide)v;
}

static wide clamp(wide v, wide lo, wide hi) { return v < lo ? lo : v > hi ? hi : v; }

static bool put(const struct form *f, wide v, uint64_t *out)
{
    out[0] = (uint64_t)(f->k[SAT] ? clamp(v, INT32_MIN, INT32_MAX) : v);
    return true;
}

static bool ref_add(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, val(f, in[0]) + val(f, in[1]), out);
}
static bool ref_sub(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, val(f, in[0]) - val(f, in[1]), out);
}
static bool ref_abs(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]);
    return put(f, a < 0 ? -a : a, out);
}
static bool ref_neg(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, -val(f, in[0]), out);
}
static bool ref_min(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]), b = val(f, in[1]);
    return put(f, a < b ? a : b, out);
}
static bool ref_max(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]), b = val(f, in[1]);
    return put(f, a > b ? a : b, out);
}
static bool ref_min_relu(const struct form *f, const uint64_t *in, uint64_t *out)
{
    ref_min(f, in, out);
    return put(f, (int64_t)out[0] < 0 ? 0 : (wide)out[0], out);
}
static bool ref_max_relu(const struct form *f, const uint64_t *in, uint64_t *out)
{
    ref_max(f, in, out);
    return put(f, (int64_t)out[0] < 0 ? 0 : (wide)out[0], out);
}
/* The result of a division by zero is not specified. */
static bool ref_div(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]), b = val(f, in[1]);
    return b != 0 && put(f, a / b, out);
}
static bool ref_rem(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]), b = val(f, in[1]);
    return b != 0 && put(f, a % b, out);
}
static bool ref_sad(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide a = val(f, in[0]), b = val(f, in[1]);
    return put(f, val(f, in[2]) + (a < b ? b - a : a - b), out);
}

/* u64 products need all 128 bits unsigned; two's complement makes the low half right either way. */
static wide product(const struct form *f, const uint64_t *in)
{
    wide p = (wide)((unsigned __int128)val(f, in[0]) * (unsigned __int128)val(f, in[1]));
    if (f->k[OP] == LO)
        return (wide)(uint64_t)p;
    if (f->k[OP] == WIDE)
        return p;
    return f->k[SGN] ? p >> f->k[BITS] : (wide)((unsigned __int128)p >> f->k[BITS]);
}
static bool ref_mul(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, product(f, in), out);
}
static bool ref_mad(const struct form *f, const uint64_t *in, uint64_t *out)
{
    wide p = product(f, in), c = f->k[OP] == WIDE ? (wide)in[2] : val(f, in[2]);
    if (f->k[OP] == HI) /* the high half, as a signed or unsigned value of its width */
        p = val(f, (uint64_t)p);
    return put(f, p + c, out);
}

static wide product24(const struct form *f, const uint64_t *in)
{
    wide a = f->k[SGN] ? (wide)sign_of(in[0], 24) : (wide)trunc_to(in[0], 24);
    wide b = f->k[SGN] ? (wide)sign_of(in[1], 24) : (wide)trunc_to(in[1], 24);
    wide p = a * b;
    return f->k[OP] == HI ? val(f, (uint64_t)(p >> 16)) : val(f, (uint64_t)p);
}
static bool ref_mul24(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, product24(f, in), out);
}
static bool ref_mad24(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return put(f, product24(f, in) + val(f, in[2]), out);
}

/* Packed 16-bit halves. */
static bool ref_x2(const struct form *f, const uint64_t *in, uint64_t *out)
{
    out[0] = 0;
    for (unsigned h = 0; h < 32; h += 16) {
        const uint64_t half[2] = {in[0] >> h & 0xffff, in[1] >> h & 0xffff};
        wide a = val(f, half[0]), b = val(f, half[1]), r = 0;
        switch (f->k[OP]) {
        case 0: r = a + b; break;
        case 1: r = a < b ? a : b; break;
        case 2: r = a > b ? a : b; break;
        }
        if (f->k[4] && r < 0) /* relu */
            r = 0;
        out[0] |= (uint64_t)(r & 0xffff) << h;
    }
    return true;
}

static const struct int_type {
    const char *name;
    int bits, sgn;
    const char *wide; /* of twice the size */
} int_types[] = {
    {"u16", 16, 0, "u32"}, {"s16", 16, 1, "s32"}, {"u32", 32, 0, "u64"},
    {"s32", 32, 1, "s64"}, {"u64", 64, 0, NULL},  {"s64", 64, 1, NULL},
};
#define EACH_TYPE(ty) for (const struct int_type *ty = int_types; ty < int_types + 6; ty++)

static const struct plain_row {
    const char *op;
    unsigned nsrc;
    bool only_signed;
    form_ref ref;
} plain_rows[] = {
    {"add", 2, false, ref_add}, {"sub", 2, false, ref_sub}, {"min", 2, false, ref_min},
    {"max", 2, false, ref_max}, {"div", 2, false, ref_div}, {"rem", 2, false, ref_rem},
    {"sad", 3, false, ref_sad}, {"abs", 1, true, ref_abs},  {"neg", 1, true, ref_neg},
};

static const char *sig_of(struct isa *t, const char *dst, const char *src, unsigned n)
{
    return isa_fmt(t, n == 1 ? "%s:%s" : n == 2 ? "%s:%s,%s" : "%s:%s,%s,%s", dst, src, src, src);
}

static void test_plain(void **state)
{
    struct isa *t = *state;
    EACH_TYPE(ty)
    for (const struct plain_row *r = plain_rows; r < plain_rows + sizeof plain_rows / sizeof *plain_rows;
         r++) {
        if (r->only_signed && !ty->sgn)
            continue;
        struct form f = {.name = isa_fmt(t, "%s.%s", r->op, ty->name),
                         .sig = sig_of(t, ty->name, ty->name, r->nsrc),
                         .ref = r->ref,
                         .k = {ty->bits, ty->sgn},
                         .nimm = r->nsrc == 2 ? 16 : 2};
        form_check(t, &f);
    }
    ISA_DONE(t);
}

static void test_sat(void **state)
{
    struct isa *t = *state;
    form_check(t, &(struct form){"add.sat.s32", "s32:s32,s32", .ref = ref_add, .k = {32, 1, 1}, .nimm = 4});
    form_check(t, &(struct form){"sub.sat.s32", "s32:s32,s32", .ref = ref_sub, .k = {32, 1, 1}, .nimm = 4});
    form_check(t, &(struct form){"mad.hi.sat.s32", "s32:s32,s32,s32", .ref = ref_mad, .k = {32, 1, 1, HI}});
    form_check(t,
               &(struct form){"mad24.hi.sat.s32", "s32:s32,s32,s32", .ref = ref_mad24, .k = {32, 1, 1, HI}});
    form_check(t, &(struct form){"min.relu.s32", "s32:s32,s32", .ref = ref_min_relu, .k = {32, 1}});
    form_check(t, &(struct form){"max.relu.s32", "s32:s32,s32", .ref = ref_max_relu, .k = {32, 1}});
    ISA_DONE(t);
}

static void test_mul(void **state)
{
    struct isa *t = *state;
    static const char *const mode[] = {"lo", "hi", "wide"};
    EACH_TYPE(ty)
    for (int m = LO; m <= WIDE; m++) {
        if (m == WIDE && !ty->wide)
            continue;
        const char *dst = m == WIDE ? ty->wide : ty->name;
        form_check(t, &(struct form){.name = isa_fmt(t, "mul.%s.%s", mode[m], ty->name),
                                     .sig = sig_of(t, dst, ty->name, 2),
                                     .ref = ref_mul,
                                     .k = {ty->bits, ty->sgn, 0, m},
                                     .nimm = 12});
        form_check(t, &(struct form){.name = isa_fmt(t, "mad.%s.%s", mode[m], ty->name),
                                     .sig = isa_fmt(t, "%s:%s,%s,%s", dst, ty->name, ty->name, dst),
                                     .ref = ref_mad,
                                     .k = {ty->bits, ty->sgn, 0, m},
                                     .nimm = 3});
    }
    for (int sgn = 0; sgn < 2; sgn++)
        for (int m = LO; m <= HI; m++) {
            const char *ty = sgn ? "s32" : "u32";
            form_check(t, &(struct form){.name = isa_fmt(t, "mul24.%s.%s", mode[m], ty),
                                         .sig = sig_of(t, ty, ty, 2),
                                         .ref = ref_mul24,
                                         .k = {32, sgn, 0, m},
                                         .nimm = 4});
            form_check(t, &(struct form){.name = isa_fmt(t, "mad24.%s.%s", mode[m], ty),
                                         .sig = sig_of(t, ty, ty, 3),
                                         .ref = ref_mad24,
                                         .k = {32, sgn, 0, m},
                                         .nimm = 2});
        }
    ISA_DONE(t);
}

static void test_packed(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"add", "min", "max"};
    for (int sgn = 0; sgn < 2; sgn++)
        for (int o = 0; o < 3; o++)
            for (int relu = 0; relu < (sgn && o ? 2 : 1); relu++) {
                const char *ty = sgn ? "s16x2" : "u16x2";
                form_check(t, &(struct form){.name = isa_fmt(t, "%s%s.%s", op[o], relu ? ".relu" : "", ty),
                                             .sig = sig_of(t, ty, ty, 2),
                                             .ref = ref_x2,
                                             .k = {16, sgn, 0, o, relu}});
            }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_plain), cmocka_unit_test(test_sat), cmocka_unit_test(test_mul),
         cmocka_unit_test(test_packed))
