/* SPDX-License-Identifier: Apache-2.0 */
/* What the allocator promises beyond correctness: copies vanish, tuples stay together, registers stay near the pressure,
 * calls and predicates are handled, constants are made again instead of spilled, banks are spread. */
#include "rig.h"

#define NONE ir_none()
#define ZERO ir_imm(0)

struct alloc_case {
    struct arena a;
    struct ir_fn fn, before;
};

static void begin(struct alloc_case *t, bool entry)
{
    memset(t, 0, sizeof *t);
    ir_fn_init(&t->fn, &t->a, "case");
    t->fn.is_entry = entry;
    ir_block_new(&t->fn, NULL, 0);
}

/* Allocates, and checks that the function does what it did. */
static void allocate(struct alloc_case *t, uint32_t limit)
{
    assert_null(ir_verify(&t->fn, "test"));
    rig_clone(&t->before, &t->fn, &t->a);
    const char *err = pass_regalloc(&t->fn, limit, 2, true);
    if (err)
        fail_msg("%s", err);
    err = ir_verify(&t->fn, "regalloc");
    if (err)
        fail_msg("%s", err);
    assert_true(t->fn.regs_used <= limit);
    if (!t->fn.is_entry)
        return; /* registers it must keep are saved by pass_frame */
    struct rig_result want = rig_run(&t->before, false, 100000), got = rig_run(&t->fn, false, 1000000);
    assert_true(rig_same(&want, &got));
    rig_free(&want);
    rig_free(&got);
}

static void end(struct alloc_case *t)
{
    ir_fn_free(&t->fn);
    ir_fn_free(&t->before);
    arena_free(&t->a);
}

static struct ir_opnd val(struct ir_fn *fn, unsigned n) { return ir_reg(ir_vreg(fn, n, NULL), 0, n); }

static struct ir_opnd word(struct ir_opnd o, unsigned k) { return ir_reg(o.val, o.sub + k, 1); }

static struct ir_opnd load(struct ir_fn *fn, unsigned n, uint32_t off)
{
    struct ir_opnd d = val(fn, n);
    struct ir_insn *i = rig_emit(fn, OP_LDS, d, NONE, NONE, NONE);

    i->vec = (uint8_t)n;
    i->off = (int32_t)off;
    i->sub = (uint8_t)off; /* the interpreter tells loads apart by it */
    return d;
}

static void store(struct ir_fn *fn, struct ir_opnd v)
{
    rig_emit(fn, OP_STS, NONE, NONE, v, NONE)->vec = v.n;
}

static void leave(struct ir_fn *fn) { rig_emit(fn, OP_EXIT, NONE, NONE, NONE, NONE); }

static void tuples_from_words(void **state)
{
    struct alloc_case t;
    struct ir_opnd w[4];

    (void)state;
    begin(&t, true);
    for (unsigned k = 0; k < 4; k++)
        w[k] = load(&t.fn, 1, 4 * k);
    struct ir_opnd quad = val(&t.fn, 4);
    for (unsigned k = 0; k < 4; k++)
        rig_emit(&t.fn, OP_MOV, word(quad, k), w[k], NONE, NONE);
    store(&t.fn, quad);
    store(&t.fn, w[2]); /* still alive: the copy and its source hold the same value */
    leave(&t.fn);
    allocate(&t, 32);
    assert_int_equal(rig_count(&t.fn, OP_MOV), 0);
    end(&t);
}

static void words_from_tuples(void **state)
{
    struct alloc_case t;
    struct ir_opnd w[2];

    (void)state;
    begin(&t, true);
    struct ir_opnd quad = load(&t.fn, 4, 0), pair = val(&t.fn, 2);
    for (unsigned k = 0; k < 2; k++) {
        w[k] = val(&t.fn, 1);
        rig_emit(&t.fn, OP_MOV, w[k], word(quad, k), NONE, NONE);
    }
    rig_emit(&t.fn, OP_MOV, pair, ir_reg(quad.val, 2, 2), NONE, NONE);
    for (unsigned k = 0; k < 2; k++)
        store(&t.fn, w[k]);
    store(&t.fn, pair);
    leave(&t.fn);
    allocate(&t, 32);
    assert_int_equal(rig_count(&t.fn, OP_MOV), 0);
    assert_true(t.fn.regs_used <= 8);
    end(&t);
}

/* acc' = MOV acc at the end of the body, acc = MOV acc' at the head: what PTX makes of a phi. */
static void loop_copies(void **state)
{
    struct alloc_case t;

    (void)state;
    begin(&t, true);
    struct ir_opnd k = val(&t.fn, 1), acc = val(&t.fn, 1), next = val(&t.fn, 1), knext = val(&t.fn, 1);
    uint32_t p = ir_vpred(&t.fn);
    rig_emit(&t.fn, OP_MOV, k, ZERO, NONE, NONE);
    rig_emit(&t.fn, OP_MOV, acc, ir_const(0, 0x160, 1), NONE, NONE);
    ir_block_new(&t.fn, NULL, 0);
    rig_emit(&t.fn, OP_IMAD, next, acc, k, acc);
    rig_emit(&t.fn, OP_IADD3, knext, k, ir_imm(1), ZERO);
    struct ir_insn *i = rig_emit(&t.fn, OP_ISETP, ir_pred(p, false), knext, ir_imm(5), NONE);
    i->cmp = CMP_LT;
    i->sub = 77;
    rig_emit(&t.fn, OP_MOV, acc, next, NONE, NONE);
    rig_emit(&t.fn, OP_MOV, k, knext, NONE, NONE);
    struct ir_insn *bra = rig_emit(&t.fn, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(p, false);
    bra->target = 1;
    ir_block_new(&t.fn, NULL, 0);
    store(&t.fn, acc);
    leave(&t.fn);
    allocate(&t, 32);
    assert_int_equal(rig_count(&t.fn, OP_MOV), 2);
    assert_true(t.fn.regs_used <= 4);
    end(&t);
}

/* Pairs that are only used by words need no alignment, and everything fits exactly. */
static void near_the_pressure(void **state)
{
    struct alloc_case t;
    struct ir_opnd v[10];

    (void)state;
    begin(&t, true);
    for (unsigned k = 0; k < 10; k++) {
        v[k] = val(&t.fn, 2);
        rig_emit(&t.fn, OP_LDS, word(v[k], 0), NONE, NONE, NONE)->sub = (uint8_t)k;
        if (k % 2)
            rig_emit(&t.fn, OP_LDS, word(v[k], 1), NONE, NONE, NONE)->sub = (uint8_t)k;
    }
    for (unsigned k = 0; k < 10; k++) {
        store(&t.fn, word(v[k], 0));
        if (k % 2)
            store(&t.fn, word(v[k], 1));
    }
    leave(&t.fn);
    allocate(&t, 64);
    assert_int_equal(t.fn.regs_used, 16); /* 15 words and the stack pointer */
    end(&t);
}

static void many_predicates(void **state)
{
    struct alloc_case t;
    uint32_t p[12];

    (void)state;
    begin(&t, true);
    struct ir_opnd x = load(&t.fn, 1, 0), d = val(&t.fn, 1);
    for (unsigned k = 0; k < 12; k++) {
        p[k] = ir_vpred(&t.fn);
        rig_emit(&t.fn, OP_ISETP, ir_pred(p[k], false), x, ir_imm(k * 17 + 1), NONE)->cmp = CMP_LT;
    }
    rig_emit(&t.fn, OP_MOV, d, ZERO, NONE, NONE);
    for (unsigned k = 0; k < 12; k++)
        rig_emit(&t.fn, OP_IADD3, d, d, ir_imm(1u << k), ZERO)->guard = ir_pred(p[k], k % 2);
    store(&t.fn, d);
    leave(&t.fn);
    allocate(&t, 32);
    assert_true(rig_count(&t.fn, OP_P2R) >= 5 && rig_count(&t.fn, OP_R2P) >= 5);
    assert_true(t.fn.preds_used <= MAX_PREDS);
    assert_int_equal(t.fn.spill_b, 0); /* they have room in registers */
    end(&t);
}

static void across_calls(void **state)
{
    (void)state;
    for (uint32_t limit = 16; limit <= 32; limit += 16) {
        struct alloc_case t;
        begin(&t, true);
        t.fn.has_calls = true;
        struct ir_opnd x = load(&t.fn, 1, 0), y = load(&t.fn, 2, 8), d = val(&t.fn, 1);
        uint32_t p = ir_vpred(&t.fn);
        rig_emit(&t.fn, OP_ISETP, ir_pred(p, false), x, ir_imm(9), NONE)->cmp = CMP_LT;
        rig_emit(&t.fn, OP_CALL, NONE, ir_imm(1), NONE, NONE);
        rig_emit(&t.fn, OP_SEL, d, x, ZERO, ir_pred(p, false));
        store(&t.fn, d);
        store(&t.fn, y);
        leave(&t.fn);
        allocate(&t, limit);
        assert_true(limit == 16 ? t.fn.spill_b > 0 : t.fn.spill_b == 0 && t.fn.regs_used > 16);
        end(&t);
    }
}

static void constants_are_made_again(void **state)
{
    struct alloc_case t;
    struct ir_opnd v[24], d;

    (void)state;
    begin(&t, true);
    for (unsigned k = 0; k < 24; k++) {
        v[k] = val(&t.fn, 1);
        rig_emit(&t.fn, OP_MOV, v[k], k % 2 ? ir_imm(k * 1000) : ir_const(0, 0x160 + 4 * k, 1), NONE, NONE);
    }
    d = v[0];
    for (unsigned k = 1; k < 24; k++) {
        struct ir_opnd n = val(&t.fn, 1);
        rig_emit(&t.fn, OP_IMAD, n, d, v[k], v[(k + 7) % 24]);
        d = n;
    }
    store(&t.fn, d);
    leave(&t.fn);
    allocate(&t, 16);
    assert_int_equal(rig_count(&t.fn, OP_STL), 0);
    assert_int_equal(t.fn.spill_b, 0);
    end(&t);
}

/* The instructions with the most operands fit into the smallest file while everything else is alive. */
static void widest_instructions(void **state)
{
    struct alloc_case t;
    struct ir_opnd keep[12];

    (void)state;
    begin(&t, true);
    for (unsigned k = 0; k < 12; k++)
        keep[k] = load(&t.fn, 1 + k % 2, 8 * k);
    struct ir_opnd ma = load(&t.fn, 4, 100), mb = load(&t.fn, 2, 104), mc = load(&t.fn, 4, 108),
                   md = val(&t.fn, 4);
    struct ir_opnd addr = load(&t.fn, 2, 120), cmp = load(&t.fn, 4, 121), new = load(&t.fn, 4, 122),
                   old = val(&t.fn, 4), tex = val(&t.fn, 4), f = val(&t.fn, 2);
    struct ir_insn *i = rig_emit(&t.fn, OP_HMMA, md, ma, mb, mc);
    i->type = T_F32;
    i = rig_emit(&t.fn, OP_ATOM, old, addr, cmp, new);
    i->type = T_B128;
    i->aop = AOP_CAS;
    i->space = SPACE_GLOBAL;
    rig_emit(&t.fn, OP_TEX, tex, addr, old, new);
    rig_emit(&t.fn, OP_DFMA, f, ir_reg(tex.val, 0, 2), ir_reg(tex.val, 2, 2), ir_reg(old.val, 2, 2));
    store(&t.fn, md);
    store(&t.fn, f);
    for (unsigned k = 0; k < 12; k++)
        store(&t.fn, keep[k]);
    leave(&t.fn);
    allocate(&t, 16);
    assert_true(t.fn.spill_b > 0);
    end(&t);
}

/* More values than the interference graph is built for. */
static void far_too_much(void **state)
{
    enum { MANY = 3000 };
    struct alloc_case t;
    static struct ir_opnd v[MANY];
    static uint32_t p[MANY];

    (void)state;
    begin(&t, true);
    for (unsigned k = 0; k < MANY; k++) {
        v[k] = load(&t.fn, 1 + k % 4, k);
        p[k] = ir_vpred(&t.fn);
        rig_emit(&t.fn, OP_ISETP, ir_pred(p[k], false), word(v[k], 0), ir_imm(k), NONE)->cmp = CMP_LT;
    }
    for (unsigned k = 0; k < MANY; k++) {
        struct ir_opnd d = val(&t.fn, 1);
        rig_emit(&t.fn, OP_SEL, d, word(v[k], v[k].n - 1u), ir_imm(7), ir_pred(p[k], false));
        store(&t.fn, d);
    }
    leave(&t.fn);
    allocate(&t, 40);
    end(&t);
}

static void banks_are_spread(void **state)
{
    uint32_t plain = 0, aware = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int on = 0; on < 2; on++) {
            struct arena a = {0};
            struct ir_fn fn;
            struct rng r = {seed};
            gen_function(
                &fn, &a, &r,
                &(struct gen_opts){.insns = 200, .values = 12 + (uint32_t)seed, .preds = 3, .loops = true});
            assert_null(pass_regalloc(&fn, 255, 4, on));
            *(on ? &aware : &plain) += ra_bank_conflicts(&fn, 4);
            ir_fn_free(&fn);
            arena_free(&a);
        }
    print_message("same-bank source pairs: %u without, %u with bank-aware choice\n", plain, aware);
    assert_true(aware * 4 < plain * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuples_from_words),
        cmocka_unit_test(words_from_tuples),
        cmocka_unit_test(loop_copies),
        cmocka_unit_test(near_the_pressure),
        cmocka_unit_test(many_predicates),
        cmocka_unit_test(across_calls),
        cmocka_unit_test(constants_are_made_again),
        cmocka_unit_test(widest_instructions),
        cmocka_unit_test(far_too_much),
        cmocka_unit_test(banks_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
