/* SPDX-License-Identifier: Apache-2.0 */
/* Extended precision: carry out, carry in and both, in chains of 32- and 64-bit words. Every chain of two is checked as
 * one number of twice the width; the carry left by the last instruction is read with addc 0, 0. */
#include "form.h"

typedef unsigned __int128 wide;

enum { BITS, SGN, KIND };
enum { ADD, SUB, MAD_LO, MAD_HI };

/* The first instruction of a pair: its carry (borrow) as PTX defines it. */
static wide mul_part(const struct form *f, uint64_t a, uint64_t b)
{
    unsigned n = (unsigned)f->k[BITS];
    wide p = f->k[SGN] ? (wide)((__int128)sign_of(a, n) * sign_of(b, n)) : (wide)a * b;
    return trunc_to((uint64_t)(f->k[KIND] == MAD_LO ? p : p >> n), n);
}

/* d = first result, q = carry out of the second as a word: (a, b) and (c, e). */
static bool ref_pair(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS];
    bool sub = f->k[KIND] == SUB;
    wide x = in[0], y = in[1], lo, hi;
    uint64_t carry;
    if (f->k[KIND] >= MAD_LO)
        x = mul_part(f, in[0], in[1]), y = in[2];
    lo = sub ? x - y : x + y;
    carry = (uint64_t)(lo >> n) & 1;
    out[0] = trunc_to((uint64_t)lo, n);
    if (f->k[KIND] >= MAD_LO) /* madc with the same factors and the other addend */
        x = mul_part(f, in[0], in[1]), y = in[3];
    else
        x = in[2], y = in[3];
    hi = sub ? x - y - carry : x + y + carry;
    out[1] = trunc_to((uint64_t)hi, n);
    return true;
}

/* The same chain with .cc on the second, of which only the carry is stored. */
static bool ref_out(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS];
    bool sub = f->k[KIND] == SUB, mad = f->k[KIND] >= MAD_LO;
    wide x = mad ? mul_part(f, in[0], in[1]) : in[0], y = mad ? in[2] : in[1];
    wide lo = sub ? x - y : x + y;
    uint64_t carry = (uint64_t)(lo >> n) & 1;
    x = mad ? x : (wide)in[2];
    y = in[3];
    wide hi = sub ? x - y - carry : x + y + carry;
    out[0] = trunc_to((uint64_t)hi, n);
    out[1] = trunc_to(sub ? 0 - (uint64_t)(hi >> n & 1) : (uint64_t)(hi >> n) & 1, n);
    return true;
}

static void chain(struct isa *t, const char *ty, int bits, int sgn, int kind)
{
    static const char *const op[] = {"add", "sub", "mad.lo", "mad.hi"};
    static const char *const opc[] = {"addc", "subc", "madc.lo", "madc.hi"};
    bool mad = kind >= MAD_LO;
    const char *ab = mad ? "%a, %b, %c" : "%a, %b", *ce = mad ? "%a, %b, %e" : "%c, %e";
    const char *sig = isa_fmt(t, "%s,%s:%s,%s,%s,%s", ty, ty, ty, ty, ty, ty);
    struct form f = {.sig = sig, .ref = ref_pair, .k = {bits, sgn, kind}};
    f.name = isa_fmt(t, "%s.cc.%s", op[kind], ty);
    f.body = isa_fmt(t, "%s.cc.%s %%d, %s; %s.%s %%q, %s;", op[kind], ty, ab, opc[kind], ty, ce);
    form_check(t, &f);
    f.ref = ref_out;
    f.name = isa_fmt(t, "%s.cc.%s", opc[kind], ty);
    f.body = isa_fmt(t, "%s.cc.%s %%d, %s; %s.cc.%s %%d, %s; %s.%s %%q, 0, 0;", op[kind], ty, ab, opc[kind],
                     ty, ce, kind == SUB ? "subc" : "addc", ty);
    form_check(t, &f);
    isa_count(t, opc[kind]); /* the form without .cc, of the first chain */
}

static void test_chains(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *ty;
        int bits, sgn;
    } types[] = {{"u32", 32, 0}, {"s32", 32, 1}, {"u64", 64, 0}, {"s64", 64, 1}};
    for (unsigned i = 0; i < 4; i++)
        for (int kind = ADD; kind <= MAD_HI; kind++)
            chain(t, types[i].ty, types[i].bits, types[i].sgn, kind);
    ISA_DONE(t);
}

/* A 128-bit sum, difference and product as compilers write them. */
static bool ref_mul128(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    wide p = (wide)in[0] * in[1];
    out[0] = (uint64_t)p;
    out[1] = (uint64_t)(p >> 64);
    return true;
}

static void test_long_product(void **state)
{
    struct isa *t = *state;
    static const char body[] =
        "{ .reg .u32 %a<2>, %b<2>, %r<4>;\n"
        "  mov.b64 {%a0, %a1}, %a; mov.b64 {%b0, %b1}, %b;\n"
        "  mul.lo.u32 %r0, %a0, %b0; mul.hi.u32 %r1, %a0, %b0;\n"
        "  mad.lo.cc.u32 %r1, %a0, %b1, %r1; madc.hi.u32 %r2, %a0, %b1, 0;\n"
        "  mad.lo.cc.u32 %r1, %a1, %b0, %r1; madc.hi.cc.u32 %r2, %a1, %b0, %r2; addc.u32 %r3, 0, 0;\n"
        "  mad.lo.cc.u32 %r2, %a1, %b1, %r2; madc.hi.u32 %r3, %a1, %b1, %r3;\n"
        "  mov.b64 %d, {%r0, %r1}; mov.b64 %q, {%r2, %r3}; }";
    form_check(t, &(struct form){"mad.lo.cc.u32 chain", "u64,u64:u64,u64", .body = body, .ref = ref_mul128});
    ISA_DONE(t);
}

/* The carry survives across instructions that do not set it, and across a branch-free guard. */
static bool ref_far(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    out[0] = trunc_to(in[0] + in[1], 32);
    out[1] = trunc_to(in[2] + (in[0] + in[1] > UINT32_MAX), 32);
    return true;
}

static void test_carry_lives_on(void **state)
{
    struct isa *t = *state;
    static const char body[] =
        "add.cc.u32 %d, %a, %b; xor.b32 %a, %a, %b; mul.lo.u32 %b, %a, %b; shl.b32 %b, %b, 3;"
        "setp.eq.u32 %t, %a, %b; addc.u32 %q, %c, 0;";
    form_check(t, &(struct form){"addc.u32", "u32,u32:u32,u32,u32", .body = body, .ref = ref_far});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_chains), cmocka_unit_test(test_long_product),
         cmocka_unit_test(test_carry_lives_on))
