/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts, bit fields, permutes and dot products, each reference bit by bit where that is the plainest way. */
#include "form.h"

enum { BITS, SGN, OP, SUB };

static bool ref_logic(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t a = in[0], b = in[1];
    const uint64_t r[] = {a & b, a | b, a ^ b, ~a, trunc_to(a, (unsigned)f->k[BITS]) == 0};
    out[0] = trunc_to(r[f->k[OP]], (unsigned)f->k[BITS]);
    return true;
}

static void test_logic(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"and", "or", "xor", "not", "cnot"};
    static const struct {
        const char *name;
        int bits;
    } types[] = {{"pred", 1}, {"b16", 16}, {"b32", 32}, {"b64", 64}};
    for (int o = 0; o < 5; o++)
        for (unsigned i = o == 4; i < 4; i++)
            form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s", op[o], types[i].name),
                                         .sig = isa_fmt(t, o < 3 ? "%s:%s,%s" : "%s:%s", types[i].name,
                                                        types[i].name, types[i].name),
                                         .ref = ref_logic,
                                         .k = {types[i].bits, 0, o},
                                         .nimm = o < 3 && i ? 10 : 0});
    ISA_DONE(t);
}

/* Amounts of the width or more shift everything out (or the sign in). */
static bool ref_shift(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS];
    unsigned s = in[1] > n ? n : (unsigned)in[1];
    uint64_t v = trunc_to(in[0], n);
    for (unsigned i = 0; i < s; i++)
        v = f->k[OP] == 0 ? trunc_to(v << 1, n)
            : f->k[SGN]   ? trunc_to((uint64_t)(sign_of(v, n) >> 1), n)
                          : v >> 1;
    out[0] = v;
    return true;
}

static void test_shifts(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *op, *type;
        int bits, sgn, right;
    } rows[] = {{"shl", "b16", 16, 0, 0}, {"shl", "b32", 32, 0, 0}, {"shl", "b64", 64, 0, 0},
                {"shr", "b16", 16, 0, 1}, {"shr", "b32", 32, 0, 1}, {"shr", "b64", 64, 0, 1},
                {"shr", "u16", 16, 0, 1}, {"shr", "u32", 32, 0, 1}, {"shr", "u64", 64, 0, 1},
                {"shr", "s16", 16, 1, 1}, {"shr", "s32", 32, 1, 1}, {"shr", "s64", 64, 1, 1}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s", rows[i].op, rows[i].type),
                                     .sig = isa_fmt(t, "%s:%s,sh", rows[i].type, rows[i].type),
                                     .ref = ref_shift,
                                     .k = {rows[i].bits, rows[i].sgn, rows[i].right},
                                     .nimm = 15});
    ISA_DONE(t);
}

/* shf: the 64-bit value b:a shifted; .l gives the high word, .r the low word. */
static bool ref_shf(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t v = in[1] << 32 | in[0], s = in[2];
    s = f->k[SUB] ? s & 31 : s > 32 ? 32 : s;
    out[0] = trunc_to(f->k[OP] ? v >> s : v << s >> 32, 32);
    return true;
}

static void test_shf(void **state)
{
    struct isa *t = *state;
    static const char *const name[] = {"shf.l.clamp.b32", "shf.l.wrap.b32", "shf.r.clamp.b32",
                                       "shf.r.wrap.b32"};
    for (int i = 0; i < 4; i++)
        form_check(t, &(struct form){name[i], "b32:b32,b32,sh", .ref = ref_shf, .k = {32, 0, i / 2, i % 2},
                                     .nimm = 15});
    ISA_DONE(t);
}

static bool ref_lop3(const struct form *f, const uint64_t *in, uint64_t *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned at = (in[0] >> i & 1) * 4 + (in[1] >> i & 1) * 2 + (in[2] >> i & 1);
        out[0] |= (uint64_t)(f->k[OP] >> at & 1) << i;
    }
    return true;
}

static void test_lop3(void **state)
{
    struct isa *t = *state;
    for (int lut = 0; lut < 256; lut++)
        form_check(t, &(struct form){.name = "lop3.b32",
                                     .sig = "b32:b32,b32,b32",
                                     .body = isa_fmt(t, "lop3.b32 %%d, %%a, %%b, %%c, %d;", lut),
                                     .ref = ref_lop3,
                                     .k = {32, 0, lut},
                                     .few = true});
    ISA_DONE(t);
}

/* Position and length are the low bytes; a signed field is extended by its top bit, which is bit msb if it ends beyond. */
static bool ref_bfe(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS], msb = n - 1, pos = in[1] & 0xff, len = in[2] & 0xff;
    unsigned top = pos + len - 1 < msb ? pos + len - 1 : msb;
    unsigned sbit = !f->k[SGN] || len == 0 ? 0 : in[0] >> top & 1;
    uint64_t d = 0;
    for (unsigned i = 0; i <= msb; i++)
        d |= (uint64_t)(i < len && pos + i <= msb ? in[0] >> (pos + i) & 1 : sbit) << i;
    out[0] = d;
    return true;
}

static bool ref_bfi(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned msb = (unsigned)f->k[BITS] - 1, pos = in[2] & 0xff, len = in[3] & 0xff;
    uint64_t d = in[1];
    for (unsigned i = 0; i < len && pos + i <= msb; i++)
        d = (d & ~(1ull << (pos + i))) | (in[0] >> i & 1) << (pos + i);
    out[0] = d;
    return true;
}

static bool ref_bfind(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS];
    uint64_t a = f->k[SGN] && sign_of(in[0], n) < 0 ? ~in[0] : in[0];
    int64_t d = -1;
    for (unsigned i = 0; i < n; i++)
        if (a >> i & 1)
            d = i;
    if (f->k[OP] && d >= 0)
        d = (int64_t)n - 1 - d;
    out[0] = trunc_to((uint64_t)d, 32);
    return true;
}

static bool ref_count(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = (unsigned)f->k[BITS], clz = 0, pop = 0;
    uint64_t rev = 0;
    while (clz < n && !(in[0] >> (n - 1 - clz) & 1))
        clz++;
    for (unsigned i = 0; i < n; i++) {
        pop += in[0] >> i & 1;
        rev |= (in[0] >> i & 1) << (n - 1 - i);
    }
    out[0] = f->k[OP] == 0 ? clz : f->k[OP] == 1 ? pop : rev;
    return true;
}

static void test_fields(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *u, *s, *b;
        int bits;
    } types[] = {{"u32", "s32", "b32", 32}, {"u64", "s64", "b64", 64}};
    static const char *const count[] = {"clz", "popc", "brev"};
    for (unsigned i = 0; i < 2; i++) {
        for (int sgn = 0; sgn < 2; sgn++) {
            const char *ty = sgn ? types[i].s : types[i].u;
            form_check(t, &(struct form){.name = isa_fmt(t, "bfe.%s", ty),
                                         .sig = isa_fmt(t, "%s:%s,len,len", ty, ty),
                                         .ref = ref_bfe,
                                         .k = {types[i].bits, sgn},
                                         .nimm = 16});
            for (int amt = 0; amt < 2; amt++)
                form_check(t, &(struct form){.name = isa_fmt(t, "bfind%s.%s", amt ? ".shiftamt" : "", ty),
                                             .sig = isa_fmt(t, "u32:%s", ty),
                                             .ref = ref_bfind,
                                             .k = {types[i].bits, sgn, amt}});
        }
        form_check(t,
                   &(struct form){.name = isa_fmt(t, "bfi.%s", types[i].b),
                                  .sig = isa_fmt(t, "%s:%s,%s,len,len", types[i].b, types[i].b, types[i].b),
                                  .ref = ref_bfi,
                                  .k = {types[i].bits},
                                  .nimm = 16});
        for (int o = 0; o < 3; o++)
            form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s", count[o], types[i].b),
                                         .sig = isa_fmt(t, "%s:%s", o == 2 ? types[i].b : "u32", types[i].b),
                                         .ref = ref_count,
                                         .k = {types[i].bits, 0, o}});
    }
    ISA_DONE(t);
}

/* Constant position and length: what compilers write. k[4], k[5]: position, length. */
static bool ref_bfe_const(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const uint64_t v[] = {in[0], (uint64_t)f->k[4], (uint64_t)f->k[5]};
    return ref_bfe(f, v, out);
}

static bool ref_bfi_const(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const uint64_t v[] = {in[0], in[1], (uint64_t)f->k[4], (uint64_t)f->k[5]};
    return ref_bfi(f, v, out);
}

static void test_const_fields(void **state)
{
    struct isa *t = *state;
    static const struct {
        int pos, len;
    } rows[] = {{0, 8},   {8, 8},   {24, 8}, {0, 16}, {16, 16}, {5, 11}, {0, 32},
                {31, 1},  {32, 1},  {0, 0},  {30, 8}, {20, 40}, {0, 64}, {33, 31},
                {40, 20}, {10, 54}, {7, 33}, {64, 8}, {70, 40}, {3, 200}};
    static const char *const bfe[] = {"u32", "s32", "u64", "s64"}, *const bfi[] = {"b32", "b64"};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 4; k++)
            form_check(t, &(struct form){.name = isa_fmt(t, "bfe.%s imm", bfe[k]),
                                         .sig = isa_fmt(t, "%s:%s", bfe[k], bfe[k]),
                                         .body = isa_fmt(t, "bfe.%s %%d, %%a, %d, %d;", bfe[k], rows[i].pos,
                                                         rows[i].len),
                                         .ref = ref_bfe_const,
                                         .k = {k < 2 ? 32 : 64, k % 2, 0, 0, rows[i].pos, rows[i].len}});
        for (int k = 0; k < 2; k++)
            form_check(t, &(struct form){.name = isa_fmt(t, "bfi.%s imm", bfi[k]),
                                         .sig = isa_fmt(t, "%s:%s,%s", bfi[k], bfi[k], bfi[k]),
                                         .body = isa_fmt(t, "bfi.%s %%d, %%a, %%b, %d, %d;", bfi[k],
                                                         rows[i].pos, rows[i].len),
                                         .ref = ref_bfi_const,
                                         .k = {k ? 64 : 32, 0, 0, 0, rows[i].pos, rows[i].len}});
    }
    ISA_DONE(t);
}

/* bmsk: b ones from bit a; clamp: both end at 32, wrap: both modulo 32. */
static bool ref_bmsk(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t a = in[0], b = in[1];
    a = f->k[OP] ? a & 31 : a > 32 ? 32 : a;
    b = f->k[OP] ? b & 31 : b > 32 ? 32 : b;
    out[0] = 0;
    for (uint64_t i = a; i < a + b && i < 32; i++)
        out[0] |= 1ull << i;
    return true;
}

/* szext: the low b bits of a, extended; b = 0 gives 0, and clamped b of 32 or more gives a. */
static bool ref_szext(const struct form *f, const uint64_t *in, uint64_t *out)
{
    unsigned n = f->k[OP] ? in[1] & 31 : in[1] > 32 ? 32 : (unsigned)in[1];
    out[0] = n == 0 ? 0 : f->k[SGN] ? (uint64_t)sign_of(trunc_to(in[0], n), n) : trunc_to(in[0], n);
    return true;
}

/* fns, as the manual writes it down; a base past the word finds nothing. */
static bool ref_fns(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    int32_t base = (int32_t)in[1], offset = (int32_t)in[2];
    int64_t count = offset < 0 ? -(int64_t)offset : offset;
    out[0] = 0xffffffffu;
    if (offset == 0) {
        if (base >= 0 && base < 32 && in[0] >> base & 1)
            out[0] = (uint64_t)base;
        return true;
    }
    for (int64_t pos = base; pos >= 0 && pos < 32; pos += offset < 0 ? -1 : 1)
        if ((in[0] >> pos & 1) && --count == 0) {
            out[0] = (uint64_t)pos;
            break;
        }
    return true;
}

/* ... with offsets that find something more often */
static bool ref_fns_small(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t near[3] = {in[0], in[1], (uint64_t)((int64_t)(in[2] & 31) - 12)};
    return ref_fns(f, near, out);
}

static void test_masks(void **state)
{
    struct isa *t = *state;
    static const char *const mode[] = {"clamp", "wrap"};
    for (int m = 0; m < 2; m++) {
        form_check(t, &(struct form){.name = isa_fmt(t, "bmsk.%s.b32", mode[m]),
                                     .sig = "b32:sh,sh",
                                     .ref = ref_bmsk,
                                     .k = {32, 0, m},
                                     .nimm = 8});
        for (int sgn = 0; sgn < 2; sgn++)
            form_check(t, &(struct form){.name = isa_fmt(t, "szext.%s.%s", mode[m], sgn ? "s32" : "u32"),
                                         .sig = sgn ? "s32:s32,sh" : "u32:u32,sh",
                                         .ref = ref_szext,
                                         .k = {32, sgn, m},
                                         .nimm = 8});
    }
    form_check(t, &(struct form){.name = "fns.b32", .sig = "b32:b32,sh,s32", .ref = ref_fns});
    form_check(t, &(struct form){
                      .name = "fns.b32 small",
                      .sig = "b32:b32,sh,sh",
                      .body = "{ .reg .b32 o; and.b32 o, %c, 31; sub.s32 o, o, 12; fns.b32 %d, %a, %b, o; }",
                      .ref = ref_fns_small});
    ISA_DONE(t);
}

/* The selection tables of the PTX manual: byte of b:a for each result byte, by the low two bits of the control. */
static bool ref_prmt(const struct form *f, const uint64_t *in, uint64_t *out)
{
    static const uint8_t table[6][4][4] = {
        {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}, /* f4e */
        {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}, /* b4e */
        {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, /* rc8 */
        {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}, /* ecl */
        {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}, /* ecr */
        {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}, /* rc16 */
    };
    uint64_t src = in[1] << 32 | in[0], d = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned sel = f->k[OP] == 0 ? in[2] >> (4 * i) & 15 : table[f->k[OP] - 1][in[2] & 3][i];
        uint64_t byte = src >> (8 * (sel & 7)) & 0xff;
        if (sel & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << (8 * i);
    }
    out[0] = d;
    return true;
}

static void test_prmt(void **state)
{
    struct isa *t = *state;
    static const char *const name[] = {"prmt.b32",     "prmt.b32.f4e", "prmt.b32.b4e", "prmt.b32.rc8",
                                       "prmt.b32.ecl", "prmt.b32.ecr", "prmt.b32.rc16"};
    for (int m = 0; m < 7; m++)
        form_check(t,
                   &(struct form){name[m], "b32:b32,b32,b32", .ref = ref_prmt, .k = {32, 0, m}, .nimm = 14});
    ISA_DONE(t);
}

static bool ref_dp(const struct form *f, const uint64_t *in, uint64_t *out)
{
    int64_t sum = (int64_t)in[2];
    for (unsigned i = 0; i < (f->k[OP] == 0 ? 4u : 2u); i++) {
        unsigned bb = f->k[OP] == 2 ? i + 2 : i; /* dp2a.hi takes the upper two bytes of b */
        unsigned abits = f->k[OP] ? 16 : 8;
        uint64_t a = trunc_to(in[0] >> (abits * i), abits), b = in[1] >> (8 * bb) & 0xff;
        sum +=
            (f->k[SGN] & 1 ? sign_of(a, abits) : (int64_t)a) * (f->k[SGN] & 2 ? sign_of(b, 8) : (int64_t)b);
    }
    out[0] = trunc_to((uint64_t)sum, 32);
    return true;
}

static void test_dot(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"dp4a", "dp2a.lo", "dp2a.hi"}, *const ty[] = {"u32", "s32"};
    for (int o = 0; o < 3; o++)
        for (int sgn = 0; sgn < 4; sgn++)
            form_check(t, &(struct form){.name = isa_fmt(t, "%s.%s.%s", op[o], ty[sgn & 1], ty[sgn >> 1]),
                                         .sig = sgn ? "s32:b32,b32,s32" : "u32:b32,b32,u32",
                                         .ref = ref_dp,
                                         .k = {32, sgn, o},
                                         .nimm = 2});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_logic), cmocka_unit_test(test_shifts), cmocka_unit_test(test_shf),
         cmocka_unit_test(test_lop3), cmocka_unit_test(test_fields), cmocka_unit_test(test_const_fields),
         cmocka_unit_test(test_masks), cmocka_unit_test(test_prmt), cmocka_unit_test(test_dot))
