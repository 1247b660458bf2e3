/* SPDX-License-Identifier: Apache-2.0 */
/* What the observer is told: addresses and spaces of every memory instruction, lanes of indirect control and of collectives
 * that meet, registers after the write. */
#include "rig.h"

#include "exec/tex/tex.h"

enum { SOME = 20 /* lanes that P0 lets through */, AREA_B = 4096, TEXELS = 16 };

/* What one instruction must report. a: NULL, no addresses at all. */
struct expect {
    enum ir_space space;
    uint64_t (*a)(const struct rig *r, uint32_t lane), (*b)(const struct rig *r, uint32_t lane);
    bool all; /* not guarded */
};

struct watch {
    const struct rig *r;
    VEC(struct expect) want; /* by instruction; a NULL for those before `first` too */
    uint32_t first, seen;
};

#define AT(name, expr)                                                                                       \
    static uint64_t name(const struct rig *r, uint32_t l)                                                    \
    {                                                                                                        \
        (void)r;                                                                                             \
        return expr;                                                                                         \
    }
AT(global, r->out + 16 * l)
AT(global4, r->out + 16 * l + 4)
AT(global16, r->out + 16 * l + 16)
AT(row16, 16 * l)
AT(row16_4, 16 * l + 4)
AT(row16_8, 16 * l + 8)
AT(row16_32, 16 * l + 32)
AT(row16_1024, 16 * l + 1024)
AT(row4, 4 * l)
AT(one, 1 + 0 * l)
AT(mixed, l & 1 ? WINDOW_SHARED + 16 * l : r->out + 16 * l)
AT(rows8, 16 * (l % 8))
AT(rows16, 16 * (l % 16))
AT(texel, l < TEXELS ? r->out + 4 * l : 0)

static void on_insn(void *ctx, const struct exec_step *s)
{
    struct watch *w = ctx;
    if (s->at < w->first || s->at - w->first >= w->want.n)
        return;
    const struct expect *e = &w->want.at[s->at - w->first];
    const uint32_t some = (1u << SOME) - 1;
    w->seen++;
    if (s->active != (e->all ? ~0u : some))
        fail_msg("instruction %u: lanes %08x", s->at, s->active);
    if (!s->addrs[0] != !e->a || !s->addrs[1] != !e->b || s->space != e->space)
        fail_msg("instruction %u: other sets or space %d", s->at, s->space);
    for (uint32_t l = 0; l < 32; l++) {
        if (!(s->active >> l & 1))
            continue;
        if (e->a && exec_step_addr(s, 0, l) != e->a(w->r, l))
            fail_msg("instruction %u lane %u: 0x%llx, not 0x%llx", s->at, l,
                     (unsigned long long)exec_step_addr(s, 0, l), (unsigned long long)e->a(w->r, l));
        if (e->b && s->addrs[1][l] != e->b(w->r, l))
            fail_msg("instruction %u lane %u: second address 0x%llx", s->at, l,
                     (unsigned long long)s->addrs[1][l]);
    }
}

/* R2 lane, R3 4 lane, R4 out + 16 lane, R6 16 lane, R8 and R10 the same in the shared and local window, R12 odd lanes as
 * R8 and even ones as R4, R16 texture; P0: the first SOME lanes. */
static void prologue(struct rig *r)
{
    rig_s2r(r, 2, SR_LANEID);
    ADD(r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(2)});
    ADD(r, .op = OP_SHL, .type = T_U32, .dst = {R(6)}, .src = {R(2), I(4)});
    rig_addr(r, 4, 0, R(6), 1);
    rig_mov(r, 8, R(6));
    rig_mov(r, 9, I(WINDOW_SHARED >> 32));
    rig_mov(r, 10, R(6));
    rig_mov(r, 11, I(WINDOW_LOCAL >> 32));
    ADD(r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(15)}, .src = {R(2), I(1), I(0)});
    rig_isetp(r, 1, CMP_NE, R(15), I(0));
    ADD(r, .op = OP_SEL, .type = T_B32, .dst = {R(12)}, .src = {R(8), R(4), P(1)});
    ADD(r, .op = OP_SEL, .type = T_B32, .dst = {R(13)}, .src = {R(9), R(5), P(1)});
    rig_mov(r, 16, ir_const(BANK_LAUNCH, CB_PARAM + 8, 1));
    rig_mov(r, 17, ir_const(BANK_LAUNCH, CB_PARAM + 12, 1));
    rig_isetp(r, 0, CMP_LT, R(2), I(SOME));
}

#define SEE(space_, a_, b_, ...)                                                                             \
    do {                                                                                                     \
        vec_push(&w.want, (struct expect){.space = (space_), .a = (a_), .b = (b_)});                         \
        ADD(&r, .guard = P(0), .type = T_U32, .vec = 1, __VA_ARGS__);                                        \
    } while (0)
#define SEE_ALL(space_, a_, ...)                                                                             \
    do {                                                                                                     \
        vec_push(&w.want, (struct expect){.space = (space_), .a = (a_), .all = true});                       \
        ADD(&r, __VA_ARGS__);                                                                                \
    } while (0)

static uint64_t make_texture(struct rig *r)
{
    struct exec_tex t = {
        .kind = TEXK_ARRAY, .chan = TEX_CHAN_UINT, .bits = {32}, .base = r->out, .width = TEXELS};
    t.address[0] = TEX_BORDER;
    uint64_t h = exec_tex_create(r->dev, &t);
    assert_true(h != 0);
    return h;
}

static void addresses(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, AREA_B / 4);
    r.code.shared_b = AREA_B;
    r.code.local_b = AREA_B;
    r.params[1] = make_texture(&r);
    prologue(&r);
    struct watch w = {.r = &r, .first = rig_here(&r)};
    SEE(SPACE_GLOBAL, global4, NULL, .op = OP_LDG, .off = 4, .dst = {R(20)}, .src = {RR(4)});
    SEE(SPACE_GLOBAL, global, NULL, .op = OP_STG, .src = {RR(4), R(2)});
    SEE(SPACE_GLOBAL, global, NULL, .op = OP_LD, .dst = {R(20)}, .src = {RR(4)});
    SEE(SPACE_SHARED, row16, NULL, .op = OP_LD, .dst = {R(20)}, .src = {RR(8)});
    SEE(SPACE_LOCAL, row16, NULL, .op = OP_ST, .src = {RR(10), R(2)});
    SEE(SPACE_NONE, mixed, NULL, .op = OP_LD, .dst = {R(20)}, .src = {RR(12)});
    SEE(SPACE_NONE, mixed, NULL, .op = OP_ST, .src = {RR(12), R(2)});
    SEE(SPACE_SHARED, row16_4, NULL, .op = OP_LDS, .off = 4, .dst = {R(20)}, .src = {R(6)});
    SEE(SPACE_SHARED, row16_8, NULL, .op = OP_STS, .off = 8, .src = {R(6), R(2)});
    SEE(SPACE_LOCAL, row16_8, NULL, .op = OP_LDL, .off = 8, .dst = {R(20)}, .src = {R(6)});
    SEE(SPACE_LOCAL, row16_4, NULL, .op = OP_STL, .off = 4, .src = {R(6), R(2)});
    SEE(SPACE_CONST, row4, NULL, .op = OP_LDC, .sub = BANK_LAUNCH, .dst = {R(20)}, .src = {R(3)});
    SEE(SPACE_GLOBAL, global4, NULL, .op = OP_ATOM, .space = SPACE_GLOBAL, .aop = AOP_ADD, .off = 4,
        .dst = {R(20)}, .src = {RR(4), R(2)});
    SEE(SPACE_SHARED, row16, NULL, .op = OP_ATOM, .space = SPACE_SHARED, .aop = AOP_ADD, .dst = {R(20)},
        .src = {R(6), R(2)});
    SEE(SPACE_GLOBAL, global, NULL, .op = OP_RED, .space = SPACE_GLOBAL, .aop = AOP_ADD,
        .src = {RR(4), R(2)});
    SEE(SPACE_SHARED, row16, NULL, .op = OP_RED, .aop = AOP_ADD, .src = {RR(8), R(2)});
    vec_push(&w.want, (struct expect){SPACE_GLOBAL, global16, row16_32, false});
    ADD(&r, .op = OP_LDGSTS, .guard = P(0), .vec = 16, .off = 32, .target = 16, .src = {R(6), RR(4)});
    SEE_ALL(SPACE_SHARED, row16, .op = OP_LDSM, .type = T_B16, .vec = 4, .dst = {R4(24)}, .src = {R(6)});
    SEE_ALL(SPACE_SHARED, rows16, .op = OP_LDSM, .type = T_B16, .vec = 2, .dst = {RR(24)}, .src = {R(6)});
    SEE_ALL(SPACE_SHARED, rows8, .op = OP_STSM, .type = T_B16, .vec = 1, .src = {R(6), R(24)});
    SEE(SPACE_SHARED, row16_1024, one, .op = OP_MBAR, .sub = MBAR_INIT, .off = 1024, .src = {R(6), I(1)});
    SEE(SPACE_SHARED, row16_1024, one, .op = OP_MBAR, .sub = MBAR_ARRIVE, .off = 1024, .dst = {RR(20)},
        .src = {R(6)});
    SEE(SPACE_NONE, NULL, NULL, .op = OP_MBAR, .sub = MBAR_PENDING, .dst = {R(24)}, .src = {RR(20)});
    SEE(SPACE_GLOBAL, texel, NULL, .op = OP_TEX, .sub = TEX_1D, .stype = T_S32, .dst = {R4(24)},
        .src = {RR(16), R(2)});
    SEE(SPACE_GLOBAL, texel, NULL, .op = OP_SULD, .sub = TEX_1D, .bop = CLAMP_ZERO, .dst = {R(24)},
        .src = {RR(16), R(3)});
    SEE(SPACE_GLOBAL, texel, NULL, .op = OP_SUST, .sub = TEX_1D, .bop = CLAMP_ZERO,
        .src = {RR(16), R(3), R(2)});
    SEE(SPACE_NONE, NULL, NULL, .op = OP_TXQ, .sub = TXQ_WIDTH, .dst = {R(24)}, .src = {RR(16)});
    SEE(SPACE_NONE, NULL, NULL, .op = OP_MEMBAR, .off = 0);
    /* The result replaces the address. */
    SEE(SPACE_NONE, mixed, NULL, .op = OP_ATOM, .aop = AOP_ADD, .dst = {R(12)}, .src = {RR(12), R(2)});
    SEE(SPACE_GLOBAL, global, NULL, .op = OP_LDG, .dst = {R(4)}, .src = {RR(4)});
    rig_exit(&r);
    struct exec_obs obs = {.ctx = &w, .insn = on_insn};
    r.obs = &obs;
    rig_ok(&r, 1, 32);
    assert_int_equal(w.seen, w.want.n);
    vec_free(&w.want);
    rig_close(&r);
}

/* Masks in order of execution at one place. */
struct masks {
    uint32_t at, n, mask[32];
};

static void on_place(void *ctx, const struct exec_step *s)
{
    struct masks *m = ctx;
    if (s->at == m->at && m->n < 32)
        m->mask[m->n++] = s->active;
}

/* An indirect call with two targets: two executions, and every lane once. */
static void indirect_lanes(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(5));
    rig_mov(&r, 6, I((uint32_t)FUNC_ADDR0 + 16));
    ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(4)}, .src = {R(6), I((uint32_t)FUNC_ADDR0 + 32), P(0)});
    rig_mov(&r, 5, I(FUNC_ADDR0 >> 32));
    struct masks m = {.at = rig_here(&r)};
    ADD(&r, .op = OP_CALL, .src = {RR(4)});
    rig_result(&r, R(7));
    for (uint32_t f = 1; f <= 2; f++) {
        r.func[f] = (struct code_func){.name = "f", .id = f, .entry = rig_here(&r)};
        rig_mov(&r, 7, I(f * 100));
        ADD(&r, .op = OP_RET, .src = {R(REG_LINK)});
    }
    r.code.nfuncs = 3;
    struct exec_obs obs = {.ctx = &m, .insn = on_place};
    r.obs = &obs;
    rig_ok(&r, 1, 32);
    assert_int_equal(m.n, 2);
    assert_int_equal(m.mask[0] ^ m.mask[1], ~0u);
    assert_int_equal(m.mask[0], 0x1f);
    assert_int_equal(rig_out(&r)[4], 100);
    assert_int_equal(rig_out(&r)[5], 200);
    rig_close(&r);
}

/* Lanes that arrive at different barriers with one instruction. */
static void barrier_lanes(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(8));
    ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(3)}, .src = {I(1), R(2), P(0)});
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(3), I(1), I(0)});
    struct masks m = {.at = rig_here(&r)};
    ADD(&r, .op = OP_BAR, .sub = BAR_ARRIVE, .src = {R(3), I(64)});
    rig_exit(&r);
    struct exec_obs obs = {.ctx = &m, .insn = on_place};
    r.obs = &obs;
    rig_run(&r, 1, 32);
    assert_int_equal(m.n, 2);
    assert_int_equal(m.mask[0], 0xaaaaaaff);
    assert_int_equal(m.mask[1], 0x55555500);
    assert_int_equal(r.counts.thread_insts, 6 * 32); /* every lane every instruction once */
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(indirect_lanes),
        cmocka_unit_test(barrier_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
