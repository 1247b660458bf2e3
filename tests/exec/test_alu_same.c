/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation x type x modifier: all builds of the ALU give the same bits, leave inactive lanes and other registers
 * alone, and do not mind a destination that is also a source. */
#include "exec/alu_rig.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST(...) ((const uint8_t[]){__VA_ARGS__, 0xff})
#define F_ALL (IRF_FTZ | IRF_SAT)

/* What to try of one opcode. 0xff ends a list. words: of the destination (0: none). */
struct shape {
    uint8_t op;
    const uint8_t *types, *stypes, *rnds, *cmps;
    uint8_t nsub;
    uint16_t flags;
    uint8_t nmod; /* sources that take modifiers */
    uint8_t words;
    uint8_t nbop;
};

static const uint8_t none[] = {0, 0xff}, u32[] = {T_U32, 0xff}, us32[] = {T_U32, T_S32, 0xff},
                     f32[] = {T_F32, 0xff}, f64[] = {T_F64, 0xff},
                     halves[] = {T_F16, T_BF16, T_F16X2, T_BF16X2, 0xff},
                     floats[] = {T_F16, T_BF16, T_TF32, T_F32, T_F64, 0xff},
                     ints[] = {T_U8, T_S8, T_U16, T_S16, T_U32, T_S32, T_U64, T_S64, 0xff},
                     dirs[] = {RND_NONE, RND_RN, RND_RZ, RND_RM, RND_RP, 0xff},
                     dirs_a[] = {RND_RN, RND_RZ, RND_RM, RND_RP, RND_RNA, 0xff},
                     irnds[] = {RND_RNI, RND_RZI, RND_RMI, RND_RPI, 0xff},
                     icmps[] = {CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, 0xff},
                     fcmps[] = {CMP_EQ,  CMP_NE,  CMP_LT,  CMP_LE,  CMP_GT,  CMP_GE,  CMP_EQU, CMP_NEU,
                                CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN, 0xff};

static const struct shape shapes[] = {
    {OP_MOV, LIST(T_U32, T_F32, T_F16X2), none, none, none, 1, 0, 1, 1, 1},
    {OP_SEL, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_P2R, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_R2P, u32, none, none, none, 1, 0, 0, 0, 1},
    {OP_IADD3, u32, none, none, none, 1, IRF_X, 3, 1, 1},
    {OP_IMAD, u32, none, none, none, 1, 0, 3, 1, 1},
    {OP_IMAD_HI, us32, none, none, none, 1, 0, 0, 1, 1},
    {OP_IMAD_WIDE, us32, none, none, none, 1, 0, 0, 2, 1},
    {OP_LEA, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_IABS, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_IMNMX, LIST(T_U32, T_S32, T_U16X2, T_S16X2), none, none, none, 2, IRF_RELU, 0, 1, 1},
    {OP_LOP3, u32, none, none, none, 255, 0, 0, 1, 1}, /* sub is used as lut */
    {OP_SHL, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_SHR, us32, none, none, none, 1, 0, 0, 1, 1},
    {OP_SHF_L, u32, none, none, none, 3, 0, 0, 1, 1},
    {OP_SHF_R, us32, none, none, none, 3, 0, 0, 1, 1},
    {OP_SGXT, us32, none, none, none, 1, 0, 0, 1, 1},
    {OP_BMSK, u32, none, none, none, 2, 0, 0, 1, 1},
    {OP_PRMT, u32, none, none, none, 7, 0, 0, 1, 1},
    {OP_POPC, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_FLO, us32, none, none, none, 2, 0, 0, 1, 1},
    {OP_BREV, u32, none, none, none, 1, 0, 0, 1, 1},
    {OP_IDP, us32, us32, none, none, 3, 0, 0, 1, 1},
    {OP_VABSDIFF4, u32, us32, none, none, 1, IRF_ACC, 0, 1, 1},
    {OP_VIADD2, LIST(T_U16X2, T_S16X2), none, none, none, 1, 0, 2, 1, 1},
    {OP_ISETP, us32, none, none, icmps, 1, IRF_X, 0, 0, 4},
    {OP_PLOP3, LIST(T_PRED), none, none, none, 255, 0, 0, 0, 1},
    {OP_FADD, f32, none, dirs, none, 1, F_ALL, 2, 1, 1},
    {OP_FMUL, f32, none, dirs, none, 1, F_ALL, 2, 1, 1},
    {OP_FFMA, f32, none, dirs, none, 1, F_ALL, 3, 1, 1},
    {OP_FMNMX, f32, none, none, none, 2, IRF_FTZ | IRF_NAN | IRF_XORSIGN, 2, 1, 1},
    {OP_FSETP, f32, none, none, fcmps, 1, IRF_FTZ, 2, 0, 4},
    {OP_FCHK, LIST(T_F32, T_F64), none, none, none, 1, 0, 0, 0, 1},
    {OP_MUFU, LIST(T_F32, T_F16, T_BF16, T_F16X2, T_BF16X2), none, none, none, 10, IRF_FTZ, 1, 1, 1},
    {OP_FRND, LIST(T_F16, T_BF16, T_F32, T_F64), none, irnds, none, 1, F_ALL, 1, 2, 1},
    {OP_DADD, f64, none, dirs, none, 1, 0, 2, 2, 1},
    {OP_DMUL, f64, none, dirs, none, 1, 0, 2, 2, 1},
    {OP_DFMA, f64, none, dirs, none, 1, 0, 3, 2, 1},
    {OP_DMNMX, f64, none, none, none, 2, IRF_NAN, 2, 2, 1},
    {OP_DSETP, f64, none, none, fcmps, 1, 0, 2, 0, 4},
    {OP_SLOWF, LIST(T_F32, T_F64), none, dirs, none, 2, IRF_FTZ, 0, 2, 1},
    {OP_HADD2, halves, none, none, none, 1, F_ALL, 2, 1, 1},
    {OP_HMUL2, halves, none, none, none, 1, F_ALL, 2, 1, 1},
    {OP_HFMA2, halves, none, none, none, 1, F_ALL | IRF_RELU, 3, 1, 1},
    {OP_HMNMX2, halves, none, none, none, 2, IRF_FTZ | IRF_NAN | IRF_XORSIGN, 2, 1, 1},
    {OP_HSETP2, halves, none, none, fcmps, 1, IRF_FTZ, 2, 0, 4},
    {OP_F2F, floats, floats, dirs_a, none, 1, F_ALL | IRF_RELU, 1, 2, 1},
    {OP_F2FP, LIST(T_F16X2, T_BF16X2), f32, dirs_a, none, 1, IRF_RELU, 2, 1, 1},
    {OP_F2I, ints, floats, irnds, none, 1, IRF_FTZ, 1, 2, 1},
    {OP_I2F, LIST(T_F16, T_BF16, T_F32, T_F64), ints, dirs, none, 1, IRF_SAT, 0, 2, 1},
    {OP_I2I, ints, ints, none, none, 1, IRF_SAT, 0, 2, 1},
    {OP_IADD3C, u32, none, none, none, 1, IRF_X, 3, 1, 1},
    {OP_IMADX, us32, none, none, none, 3, IRF_X, 3, 2, 1},
    {OP_LEAX, u32, none, none, none, 8, 0, 2, 1, 1},
    {OP_LOP3P, u32, none, none, none, 255, 0, 0, 1, 1},
    {OP_SHFX, us32, none, none, none, 16, 0, 0, 1, 1},
    {OP_FMULS, f32, none, dirs, none, 1, F_ALL, 2, 1, 1},
    {OP_VMNMX, LIST(T_U32, T_S32, T_U16X2, T_S16X2), none, none, none, 6, IRF_RELU, 0, 1, 1},
    {OP_PLOP3X, LIST(T_PRED), none, none, none, 255, 0, 0, 0, 1},
    {OP_P2RX, u32, none, none, none, 4, 0, 0, 1, 1},
    {OP_R2PX, u32, none, none, none, 4, 0, 0, 0, 1},
    {OP_IADD64, u32, none, none, none, 1, 0, 3, 2, 1},
    {OP_HMMA, LIST(T_F32), LIST(T_F16, T_BF16, T_TF32), none, none, 1, 0, 0, 4, 1},
    {OP_HMMA, LIST(T_F16), LIST(T_F16), none, none, 1, 0, 0, 2, 1},
    {OP_IMMA, LIST(T_S32), LIST(T_S8, T_U8, T_S4, T_U4), none, none, 1, IRF_SAT, 0, 4, 4},
    {OP_BMMA, LIST(T_S32), LIST(T_B1), none, none, 2, 0, 0, 4, 1},
    {OP_DMMA, f64, none, none, none, 1, 0, 0, 4, 1},
};

static void fail_at(const struct rig *r, const char *what, unsigned row, unsigned lane, uint32_t got,
                    uint32_t want)
{
    const struct ir_insn *i = &r->i;
    print_message("%s: op %u type %u stype %u rnd %u cmp %u bop %u sub %u lut %#x flags %#x: row %u lane %u: "
                  "%08x, not %08x\n",
                  what, i->op, i->type, i->stype, i->rnd, i->cmp, i->bop, i->sub, i->lut, i->flags, row, lane,
                  got, want);
    for (unsigned k = 0; k < 3; k++)
        print_message("  source %u: %08x %08x neg %d abs %d\n", k, r->reg[RIG_SRC + 4 * k][lane],
                      r->reg[RIG_SRC + 4 * k + 1][lane], r->x.src[k].neg, r->x.src[k].abs);
    fail();
}

static void expect_same(const struct rig *a, const struct rig *b, const char *what)
{
    if (memcmp(a->reg, b->reg, sizeof a->reg))
        for (unsigned row = 0; row < RIG_ROWS; row++)
            for (unsigned l = 0; l < LANES; l++)
                if (a->reg[row][l] != b->reg[row][l])
                    fail_at(b, what, row, l, b->reg[row][l], a->reg[row][l]);
    for (unsigned p = 0; p < XPREDS; p++)
        if (a->w.pred[p] != b->w.pred[p])
            fail_at(b, what, 100 + p, 0, b->w.pred[p], a->w.pred[p]);
}

/* What `before` becomes when only the lanes of mask take the results of `full`. */
static void expect_masked(const struct rig *before, const struct rig *full, const struct rig *part,
                          uint32_t mask)
{
    struct rig want = *before;
    for (unsigned row = 0; row < RIG_ROWS; row++)
        for (unsigned l = 0; l < LANES; l++)
            if (mask >> l & 1)
                want.reg[row][l] = full->reg[row][l];
    for (unsigned p = 0; p < XPREDS; p++)
        want.w.pred[p] = (before->w.pred[p] & ~mask) | (full->w.pred[p] & mask);
    expect_same(&want, part, "mask");
}

static void rebase(struct rig *r)
{
    r->w.base[0] = (unsigned char *)r->reg;
    r->w.base[1] = (unsigned char *)r->reg;
}

/* A destination on top of source k must give what a destination apart gives. */
static void try_alias(const struct rig *before, const struct rig *full, const struct xalu *alu,
                      unsigned words)
{
    for (unsigned k = 0; k < 3; k++) {
        struct rig r = *before;
        rebase(&r);
        r.x.dst[0] = (RIG_SRC + 4 * k) * ROW_B;
        r.x.dst[1] = (RIG_SRC + 4 * k + 1) * ROW_B;
        rig_run(&r, alu, ~0u);
        for (unsigned j = 0; j < words; j++)
            for (unsigned l = 0; l < LANES; l++)
                if (r.reg[RIG_SRC + 4 * k + j][l] != full->reg[RIG_DST + j][l])
                    fail_at(before, "alias", j, l, r.reg[RIG_SRC + 4 * k + j][l], full->reg[RIG_DST + j][l]);
    }
}

static unsigned dst_words(const struct shape *s, const struct rig *r)
{
    if (s->op == OP_MOV || s->op == OP_SEL)
        return r->i.dst[0].n;
    if (s->words != 2 || s->op == OP_HMMA)
        return s->words;
    bool wide = r->i.type == T_F64 || r->i.type == T_U64 || r->i.type == T_S64 || s->op == OP_IMAD_WIDE ||
                s->op == OP_IADD64 || (s->op == OP_IMADX && r->i.sub == 1);
    return wide ? 2 : 1;
}

static void try_one(struct rig *r, const struct shape *s, struct rng *g, unsigned rounds)
{
    const struct xalu *plain = rig_plain();
    for (unsigned n = 0; n < rounds; n++) {
        rig_fill(r, g);
        struct rig before = *r, full = *r;
        rebase(&full);
        assert_true(rig_run(&full, plain, ~0u));
        unsigned words = dst_words(s, r);
        for (unsigned row = words; row < RIG_ROWS; row++)
            if (memcmp(full.reg[row], before.reg[row], ROW_B))
                fail_at(r, "row not of the destination", row, 0, 0, 0);
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            struct rig other = before, part = before;
            rebase(&other);
            rebase(&part);
            uint32_t mask = n & 1 ? rng_u32(g) | 1u << rng_below(g, 32) : 1u << rng_below(g, 32);
            assert_true(rig_run(&other, *a, ~0u));
            expect_same(&full, &other, (*a)->name);
            assert_true(rig_run(&part, *a, mask));
            expect_masked(&before, &full, &part, mask);
            if (words)
                try_alias(&before, &full, *a, words);
        }
    }
}

/* Flag words are all subsets of s->flags. */
static unsigned try_flags(struct rig *r, const struct shape *s, struct rng *g)
{
    unsigned tried = 0;
    uint16_t sub = s->flags;
    for (;;) {
        r->i.flags = sub;
        for (unsigned mods = 0; mods < (s->nmod ? 4u : 1u); mods++) {
            for (unsigned k = 0; k < 6; k++)
                rig_mod(r, k, k < s->nmod && (mods & 1) && (mods == 1 || rng_below(g, 2)),
                        k < s->nmod && s->op >= OP_FADD && (mods & 2) && rng_below(g, 2));
            for (unsigned n = 1; n <= (s->op == OP_MOV || s->op == OP_SEL ? 4u : 1u); n++) {
                r->i.dst[0].n = (uint8_t)n;
                r->i.dst[1].kind = s->op == OP_IADD3 && rng_below(g, 2) ? OPND_PRED : OPND_NONE;
                if (!rig_plain()->select(&r->i))
                    continue;
                try_one(r, s, g, s->op == OP_LOP3 ? 1 : 3);
                tried++;
            }
        }
        if (!sub)
            return tried;
        sub = (uint16_t)((sub - 1) & s->flags);
    }
}

static unsigned try_shape(const struct shape *s, struct rng *g)
{
    unsigned tried = 0;
    for (const uint8_t *t = s->types; *t != 0xff; t++)
        for (const uint8_t *st = s->stypes; *st != 0xff; st++)
            for (const uint8_t *rnd = s->rnds; *rnd != 0xff; rnd++)
                for (const uint8_t *cmp = s->cmps; *cmp != 0xff; cmp++)
                    for (unsigned sub = 0; sub < s->nsub; sub++)
                        for (unsigned bop = 0; bop < s->nbop; bop++) {
                            static struct rig r;
                            rig_init(&r, s->op, *t);
                            r.i.stype = *st;
                            r.i.rnd = *rnd;
                            r.i.cmp = *cmp;
                            r.i.bop = (uint8_t)bop;
                            r.i.sub = (uint8_t)sub;
                            r.i.lut = (uint8_t)sub;
                            r.x.psrc[sub % 6].inv = bop & 1;
                            if (s->op >= OP_HMMA && s->op <= OP_DMMA) { /* the largest matrices */
                                r.i.src[0].n = s->op == OP_DMMA ? 2 : 4;
                                r.i.src[1].n = 2;
                            }
                            tried += try_flags(&r, s, g);
                        }
    return tried;
}

static void builds_agree(void **state)
{
    (void)state;
    struct rng g = {1};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (!try_shape(&shapes[k], &g))
            fail_msg("opcode %u: nothing could be selected", shapes[k].op);
}

/* The immediate forms that have handlers of their own. */
static void immediate_permute(void **state)
{
    (void)state;
    struct rng g = {2};
    for (unsigned n = 0; n < 2000; n++) {
        static struct rig r, want;
        rig_init(&r, OP_PRMT, T_U32);
        rig_fill(&r, &g);
        uint32_t ctl = rng_u32(&g) & (n & 1 ? 0x7777 : 0xffff);
        for (unsigned l = 0; l < LANES; l++)
            rig_src(&r, 2)[l] = ctl;
        want = r;
        rebase(&want);
        rig_run(&want, rig_plain(), ~0u);
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            struct rig got = r;
            rebase(&got);
            got.i.src[2] = (struct ir_opnd){.kind = OPND_IMM, .n = 1, .val = ctl};
            if ((*a)->usable() && rig_run(&got, *a, ~0u))
                expect_same(&want, &got, (*a)->name);
        }
    }
}

/* What no handler exists for is refused, not run. */
static void unknown_is_refused(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++)
        for (unsigned v = 0; v < 256; v += 5) {
            struct ir_insn i;
            memset(&i, (int)v, sizeof i);
            i.op = (uint8_t)op;
            for (const struct xalu *const *a = exec_alus; *a; a++)
                if (op >= OP_LDG && (op < OP_HMMA || op > OP_DMMA))
                    assert_null((*a)->select(&i));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_agree),
        cmocka_unit_test(immediate_permute),
        cmocka_unit_test(unknown_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
