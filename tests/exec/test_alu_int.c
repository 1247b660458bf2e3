/* SPDX-License-Identifier: Apache-2.0 */
/* Integer and predicate operations against plain C, on every build. */
#include "exec/alu_rig.h"

#include <stdio.h>

typedef uint32_t (*ref_fn)(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c);

static void each_alu(struct rig *r, struct rng *g, ref_fn ref, unsigned rounds)
{
    for (const struct xalu *const *a = exec_alus; *a; a++)
        for (unsigned n = 0; n < rounds && (*a)->usable(); n++) {
            rig_fill(r, g);
            assert_true(rig_run(r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t x = rig_src(r, 0)[l], y = rig_src(r, 1)[l], z = rig_src(r, 2)[l];
                uint32_t want = ref(&r->i, x, y, z), got = r->reg[RIG_DST][l];
                if (want != got)
                    fail_msg("%s op %u type %u sub %u lut %#x: %08x %08x %08x gives %08x, not %08x",
                             (*a)->name, r->i.op, r->i.type, r->i.sub, r->i.lut, x, y, z, got, want);
            }
        }
}

static uint32_t ref_lop3(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k++)
        r |= (uint32_t)(i->lut >> (4 * (a >> k & 1) + 2 * (b >> k & 1) + (c >> k & 1)) & 1) << k;
    return r;
}
static uint32_t ref_imad(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)i;
    return (uint32_t)((uint64_t)a * b + c);
}
static uint32_t ref_imad_hi(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    __int128 p = i->type == T_S32 ? (__int128)(int32_t)a * (int32_t)b : (__int128)a * b;
    return (uint32_t)(p >> 32) + c;
}
static uint32_t ref_lea(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)i;
    return (uint32_t)((uint64_t)a << (c & 31)) + b;
}
static uint32_t ref_shl(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c, (void)i;
    for (uint32_t k = 0; k < b && k < 40; k++)
        a *= 2;
    return a;
}
static uint32_t ref_shr(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    int64_t v = i->type == T_S32 ? (int64_t)(int32_t)a : (int64_t)a;
    return (uint32_t)(v >> (b > 62 ? 62 : b));
}
static uint32_t ref_shf(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t s = i->sub == SHF_WRAP32    ? b % 32
                 : i->sub == SHF_CLAMP32 ? (b > 32 ? 32 : b)
                                         : (b > 64 ? 64 : b);
    if (i->op == OP_SHF_L) {
        unsigned __int128 v = ((unsigned __int128)c << 32 | a) << s;
        return (uint32_t)(v >> 32);
    }
    __int128 v = (__int128)c << 32 | a;
    if (i->type == T_S32 && c >> 31)
        v -= (__int128)1 << 64;
    return (uint32_t)(v >> s);
}
static uint32_t ref_sgxt(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    if (b >= 32)
        return a;
    uint32_t m = (1u << b) - 1, r = a & m;
    if (i->type == T_S32 && b && r >> (b - 1))
        r |= ~m;
    return r;
}
static uint32_t ref_bmsk(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    a = i->sub ? a % 32 : a > 32 ? 32 : a;
    b = i->sub ? b % 32 : b > 32 ? 32 : b;
    uint32_t r = 0;
    for (uint32_t k = a; k < a + b && k < 32; k++)
        r |= 1u << k;
    return r;
}
static uint32_t ref_prmt(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    uint8_t in[8], out[4];
    memcpy(in, &a, 4);
    memcpy(in + 4, &b, 4);
    for (int k = 0; k < 4; k++) {
        int n = (int)(c & 3), s = 0; /* the manual's table, as formulas */
        switch (i->sub) {
        case PRMT_INDEX: s = (int)(c >> 4 * k & 15); break;
        case PRMT_F4E: s = n + k; break;
        case PRMT_B4E: s = (n - k) & 7; break;
        case PRMT_RC8: s = n; break;
        case PRMT_ECL: s = k > n ? k : n; break;
        case PRMT_ECR: s = k < n ? k : n; break;
        case PRMT_RC16: s = (n & 1) * 2 + (k & 1); break;
        }
        out[k] = s & 8 ? (in[s & 7] & 0x80 ? 0xff : 0) : in[s & 7];
    }
    uint32_t r;
    memcpy(&r, out, 4);
    return r;
}
static uint32_t ref_popc(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c, (void)i;
    uint32_t n = 0;
    for (; a; a &= a - 1)
        n++;
    return n;
}
static uint32_t ref_brev(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c, (void)i;
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k++)
        r |= (a >> k & 1) << (31 - k);
    return r;
}
static uint32_t ref_flo(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    uint32_t sign = i->type == T_S32 ? a >> 31 : 0;
    for (int k = 31; k >= 0; k--)
        if ((a >> k & 1) != sign)
            return (uint32_t)(i->sub ? 31 - k : k);
    return ~0u;
}
static uint32_t ref_iabs(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c, (void)i;
    int64_t v = (int32_t)a;
    return (uint32_t)(v < 0 ? -v : v);
}
static uint32_t ref_mnmx(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    unsigned w = i->type == T_U16X2 || i->type == T_S16X2 ? 16 : 32;
    bool s = i->type == T_S32 || i->type == T_S16X2;
    uint32_t r = 0;
    for (unsigned at = 0; at < 32; at += w) {
        int64_t x = (int64_t)(a >> at & (w == 16 ? 0xffffu : ~0u)),
                y = (int64_t)(b >> at & (w == 16 ? 0xffffu : ~0u));
        if (s) {
            x -= x >> (w - 1) ? 1ll << w : 0;
            y -= y >> (w - 1) ? 1ll << w : 0;
        }
        int64_t v = i->sub ? (x > y ? x : y) : (x < y ? x : y);
        r |= (uint32_t)(v & (w == 16 ? 0xffff : 0xffffffff)) << at;
    }
    return r;
}
static int64_t part(uint32_t v, unsigned at, unsigned w, bool s)
{
    int64_t x = v >> at & ((1u << w) - 1);
    return s && x >> (w - 1) ? x - (1ll << w) : x;
}
static uint32_t ref_idp(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    int64_t sum = c;
    bool sa = i->type == T_S32, sb = i->stype == T_S32;
    for (unsigned k = 0; k < (i->sub ? 2u : 4u); k++) {
        unsigned w = i->sub ? 16 : 8, at = i->sub == 2 ? k + 2 : k;
        sum += part(a, w * k, w, sa) * part(b, 8 * at, 8, sb);
    }
    return (uint32_t)sum;
}
static uint32_t ref_absdiff(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sum = 0, packed = 0;
    for (unsigned k = 0; k < 4; k++) {
        int64_t d = part(a, 8 * k, 8, i->stype == T_S32) - part(b, 8 * k, 8, i->stype == T_S32);
        d = d < 0 ? -d : d;
        sum += (uint32_t)d;
        packed |= (uint32_t)d << 8 * k;
    }
    return i->flags & IRF_ACC ? sum + c : packed;
}
static uint32_t ref_viadd2(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    uint32_t sub = i->src[1].neg;
    uint32_t lo = sub ? a - b : a + b, hi = sub ? (a >> 16) - (b >> 16) : (a >> 16) + (b >> 16);
    return (lo & 0xffff) | hi << 16;
}
static uint32_t ref_iadd3(const struct ir_insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    a = i->src[0].neg ? 0 - a : a;
    b = i->src[1].neg ? 0 - b : b;
    return a + b + (i->src[2].neg ? 0 - c : c);
}

static void plain_forms(void **state)
{
    (void)state;
    static const struct {
        uint8_t op, nsub, nmod;
        uint8_t types[4];
        ref_fn ref;
    } tab[] = {
        {OP_IMAD, 1, 0, {T_U32}, ref_imad},
        {OP_IMAD_HI, 1, 0, {T_U32, T_S32}, ref_imad_hi},
        {OP_LEA, 1, 0, {T_U32}, ref_lea},
        {OP_IABS, 1, 0, {T_U32}, ref_iabs},
        {OP_SHL, 1, 0, {T_U32}, ref_shl},
        {OP_SHR, 1, 0, {T_U32, T_S32}, ref_shr},
        {OP_SHF_L, 3, 0, {T_U32}, ref_shf},
        {OP_SHF_R, 3, 0, {T_U32, T_S32}, ref_shf},
        {OP_SGXT, 1, 0, {T_U32, T_S32}, ref_sgxt},
        {OP_BMSK, 2, 0, {T_U32}, ref_bmsk},
        {OP_PRMT, 7, 0, {T_U32}, ref_prmt},
        {OP_POPC, 1, 0, {T_U32}, ref_popc},
        {OP_BREV, 1, 0, {T_U32}, ref_brev},
        {OP_FLO, 2, 0, {T_U32, T_S32}, ref_flo},
        {OP_VIADD2, 1, 2, {T_U16X2}, ref_viadd2},
        {OP_IADD3, 1, 3, {T_U32}, ref_iadd3},
        {OP_IMNMX, 2, 0, {T_U32, T_S32, T_U16X2, T_S16X2}, ref_mnmx},
    };
    struct rng g = {7};
    for (size_t k = 0; k < sizeof tab / sizeof *tab; k++)
        for (unsigned t = 0; t < 4 && tab[k].types[t]; t++)
            for (unsigned sub = 0; sub < tab[k].nsub; sub++)
                for (unsigned mods = 0; mods < 1u << tab[k].nmod; mods++) {
                    static struct rig r;
                    rig_init(&r, tab[k].op, tab[k].types[t]);
                    r.i.sub = (uint8_t)sub;
                    for (unsigned s = 0; s < tab[k].nmod; s++)
                        rig_mod(&r, s, tab[k].op == OP_VIADD2 ? s == 1 && mods : mods >> s & 1, false);
                    each_alu(&r, &g, tab[k].ref, 60);
                }
}

static void logic_tables(void **state)
{
    (void)state;
    struct rng g = {8};
    for (unsigned lut = 0; lut < 256; lut++) {
        static struct rig r;
        rig_init(&r, OP_LOP3, T_U32);
        r.i.lut = (uint8_t)lut;
        each_alu(&r, &g, ref_lop3, 4);
    }
}

static void dot_products(void **state)
{
    (void)state;
    struct rng g = {9};
    for (unsigned k = 0; k < 12; k++) {
        static struct rig r;
        rig_init(&r, OP_IDP, k & 1 ? T_S32 : T_U32);
        r.i.stype = k & 2 ? T_S32 : T_U32;
        r.i.sub = (uint8_t)(k / 4);
        each_alu(&r, &g, ref_idp, 40);
        rig_init(&r, OP_VABSDIFF4, T_U32);
        r.i.stype = k & 2 ? T_S32 : T_U32;
        r.i.flags = k & 1 ? IRF_ACC : 0;
        each_alu(&r, &g, ref_absdiff, 40);
    }
}

static uint64_t pair_of(struct rig *r, unsigned src, unsigned lane)
{
    return rig_src(r, src)[lane] | (uint64_t)rig_src(r, src)[LANES + lane] << 32;
}

/* NVIDIA's sums of pairs: of two, and of three, each added or taken away. */
static void pairs(void **state)
{
    (void)state;
    struct rng g = {12};
    static struct rig r;
    for (unsigned n = 0; n < 400; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            unsigned count = 2 + n % 2;
            uint64_t want[LANES] = {0};
            rig_init(&r, OP_IADD64, T_U32);
            rig_fill(&r, &g);
            r.i.src[2].kind = count == 3 ? OPND_REG : OPND_NONE;
            for (unsigned k = 0; k < count; k++) {
                bool neg = n >> (k + 1) & 1;
                rig_mod(&r, k, neg, false);
                for (unsigned l = 0; l < LANES; l++) {
                    uint64_t v = pair_of(&r, k, l);
                    want[l] += neg ? 0 - v : v;
                }
            }
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                assert_int_equal(r.reg[RIG_DST][l], (uint32_t)want[l]);
                assert_int_equal(r.reg[RIG_DST + 1][l], want[l] >> 32);
            }
        }
}

/* 64-bit arithmetic from 32-bit instructions, as lowering builds it. */
static void carries(void **state)
{
    (void)state;
    struct rng g = {10};
    static struct rig r;
    for (unsigned n = 0; n < 2000; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            bool sub = n & 1;
            uint64_t x[LANES], y[LANES];
            rig_init(&r, OP_IADD3, T_U32);
            rig_fill(&r, &g);
            memset(rig_src(&r, 2), 0, ROW_B);
            for (unsigned l = 0; l < LANES; l++) {
                x[l] = pair_of(&r, 0, l);
                y[l] = pair_of(&r, 1, l);
            }
            r.i.dst[1] = (struct ir_opnd){.kind = OPND_PRED};
            r.x.pdst[1] = 2;
            rig_mod(&r, 1, sub, false);
            assert_true(rig_run(&r, *a, ~0u));
            uint32_t low[LANES];
            memcpy(low, r.reg[RIG_DST], ROW_B);
            r.i.flags = IRF_X;
            r.x.psrc[3].p = 2;
            r.x.pdst[1] = 5;
            r.x.src[0].off += ROW_B;
            r.x.src[1].off += ROW_B;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t want = sub ? x[l] - y[l] : x[l] + y[l];
                assert_int_equal(low[l], (uint32_t)want);
                assert_int_equal(r.reg[RIG_DST][l], want >> 32);
                assert_int_equal(r.w.pred[5] >> l & 1, sub ? x[l] >= y[l] : want < x[l]);
            }
        }
}

static void wide_products(void **state)
{
    (void)state;
    struct rng g = {11};
    static struct rig r;
    for (unsigned n = 0; n < 400; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            bool s = n & 1;
            rig_init(&r, OP_IMAD_WIDE, s ? T_S32 : T_U32);
            rig_fill(&r, &g);
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t x = rig_src(&r, 0)[l], y = rig_src(&r, 1)[l];
                uint64_t c = rig_src(&r, 2)[l] | (uint64_t)rig_src(&r, 2)[LANES + l] << 32;
                uint64_t p = s ? (uint64_t)((int64_t)(int32_t)x * (int32_t)y) : (uint64_t)x * y;
                assert_true(rig_get64(&r, l) == p + c);
            }
        }
}

static bool icmp(uint8_t cmp, __int128 a, __int128 b)
{
    switch (cmp) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a != b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    default: return a >= b;
    }
}

/* 32-bit compares with a combining predicate, and the pair that makes a 64-bit one. */
static void compares(void **state)
{
    (void)state;
    struct rng g = {12};
    static struct rig r;
    for (unsigned n = 0; n < 6 * 2 * 4 * 20; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            uint8_t cmp = (uint8_t)(CMP_EQ + n % 6), bop = n / 12 % 4;
            bool s = n / 6 % 2;
            rig_init(&r, OP_ISETP, T_U32);
            rig_fill(&r, &g);
            for (unsigned l = 0; l < LANES; l++) /* equal words are the interesting ones */
                for (unsigned h = 0; h < 2; h++)
                    if (rng_below(&g, 2))
                        rig_src(&r, 0)[h * LANES + l] = rig_src(&r, 1)[h * LANES + l];
            r.i.cmp = cmp;
            r.x.pdst[0] = 1;
            assert_true(rig_run(&r, *a, ~0u));
            struct rig hi = r;
            hi.w.base[0] = (unsigned char *)hi.reg;
            hi.i.type = s ? T_S32 : T_U32;
            hi.i.flags = IRF_X;
            hi.i.bop = bop;
            hi.x.psrc[3].p = 1;
            hi.x.pdst[0] = 4;
            hi.x.pdst[1] = 5;
            hi.x.src[0].off += ROW_B;
            hi.x.src[1].off += ROW_B;
            uint32_t comb = hi.w.pred[2];
            assert_true(rig_run(&hi, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t x = rig_src(&r, 0)[l] | (uint64_t)rig_src(&r, 0)[LANES + l] << 32;
                uint64_t y = rig_src(&r, 1)[l] | (uint64_t)rig_src(&r, 1)[LANES + l] << 32;
                assert_int_equal(r.w.pred[1] >> l & 1, icmp(cmp, (uint32_t)x, (uint32_t)y));
                bool v = s ? icmp(cmp, (int64_t)x, (int64_t)y) : icmp(cmp, x, y), c = comb >> l & 1;
                bool w0 = bop == BOP_AND ? v && c : bop == BOP_OR ? v || c : bop == BOP_XOR ? v != c : v;
                bool w1 = bop == BOP_AND ? !v && c : bop == BOP_OR ? !v || c : bop == BOP_XOR ? !v != c : !v;
                assert_int_equal(hi.w.pred[4] >> l & 1, w0);
                assert_int_equal(hi.w.pred[5] >> l & 1, w1);
            }
        }
}

static void predicates(void **state)
{
    (void)state;
    struct rng g = {13};
    static struct rig r;
    for (unsigned lut = 0; lut < 256; lut++) {
        rig_init(&r, OP_PLOP3, T_PRED);
        rig_fill(&r, &g);
        r.i.lut = (uint8_t)lut;
        r.x.psrc[1].inv = lut & 1;
        uint32_t p[3] = {r.w.pred[0], lut & 1 ? ~r.w.pred[1] : r.w.pred[1], r.w.pred[2]};
        assert_true(rig_run(&r, rig_plain(), ~0u));
        struct ir_insn i = {.lut = (uint8_t)lut};
        assert_int_equal(r.w.pred[6], ref_lop3(&i, p[0], p[1], p[2]));
        assert_int_equal(r.w.pred[8], ~r.w.pred[6]);
    }
    rig_init(&r, OP_SEL, T_U32);
    rig_fill(&r, &g);
    rig_run(&r, rig_best(), ~0u);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(r.reg[RIG_DST][l], rig_src(&r, r.w.pred[2] >> l & 1 ? 0 : 1)[l]);
    rig_init(&r, OP_P2R, T_U32);
    rig_fill(&r, &g);
    rig_run(&r, rig_best(), ~0u);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(r.reg[RIG_DST][l], r.w.pred[0] >> l & 1);
    rig_init(&r, OP_R2P, T_U32);
    rig_fill(&r, &g);
    rig_run(&r, rig_best(), ~0u);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(r.w.pred[6] >> l & 1, rig_src(&r, 0)[l] != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_forms), cmocka_unit_test(logic_tables), cmocka_unit_test(dot_products),
        cmocka_unit_test(carries),     cmocka_unit_test(pairs),        cmocka_unit_test(wide_products),
        cmocka_unit_test(compares),    cmocka_unit_test(predicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
