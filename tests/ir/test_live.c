/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness by words, and guarded writes. */
#include "irt.h"

struct live_case {
    struct arena a;
    struct ir_fn fn;
    struct ir_cfg *c;
    struct ir_live *l;
};

static void begin(struct live_case *t, uint32_t blocks)
{
    memset(t, 0, sizeof *t);
    ir_fn_init(&t->fn, &t->a, "live");
    t->fn.is_entry = true;
    while (blocks--)
        ir_block_new(&t->fn, NULL, 0);
}

static void analyse(struct live_case *t)
{
    assert_null(ir_verify(&t->fn, "test"));
    t->c = ir_cfg_build(&t->fn, &t->a);
    ir_mark_kills(&t->fn, t->c);
    t->l = ir_live_build(&t->fn, t->c, &t->a);
}

static void end(struct live_case *t)
{
    ir_fn_free(&t->fn);
    arena_free(&t->a);
}

static bool lives_in(const struct live_case *t, uint32_t b, uint32_t v, unsigned word)
{
    return bit_get(t->l->in[b], t->l->first[v] + word);
}

static void words_apart(void **state)
{
    struct live_case t;

    (void)state;
    begin(&t, 2);
    uint32_t v = ir_vreg(&t.fn, 4, NULL), d = ir_vreg(&t.fn, 1, NULL);
    irt_emit(&t.fn, 0, OP_MOV, ir_reg(v, 1, 1), ir_imm(7), NONE, NONE);
    irt_emit(&t.fn, 1, OP_IADD3, ir_reg(d, 0, 1), ir_reg(v, 1, 1), ir_reg(v, 3, 1), ir_imm(0));
    irt_emit(&t.fn, 1, OP_EXIT, NONE, NONE, NONE, NONE);
    analyse(&t);
    assert_false(lives_in(&t, 1, v, 0));
    assert_true(lives_in(&t, 1, v, 1));
    assert_true(lives_in(&t, 1, v, 3));
    assert_false(lives_in(&t, 0, v, 1)); /* written there */
    assert_true(lives_in(&t, 0, v, 3));  /* never written */
    assert_false(lives_in(&t, 0, d, 0));
    assert_int_equal(ir_live_pressure(&t.fn, t.l), 2);
    end(&t);
}

static void around_a_loop(void **state)
{
    struct live_case t;

    (void)state;
    begin(&t, 3);
    uint32_t acc = ir_vreg(&t.fn, 1, NULL), k = ir_vreg(&t.fn, 1, NULL), tmp = ir_vreg(&t.fn, 1, NULL);
    uint32_t p = ir_vpred(&t.fn);
    irt_emit(&t.fn, 0, OP_MOV, ir_reg(acc, 0, 1), ir_imm(0), NONE, NONE);
    irt_emit(&t.fn, 0, OP_MOV, ir_reg(k, 0, 1), ir_imm(0), NONE, NONE);
    irt_emit(&t.fn, 1, OP_IADD3, ir_reg(tmp, 0, 1), ir_reg(k, 0, 1), ir_imm(1), ir_imm(0));
    irt_emit(&t.fn, 1, OP_IADD3, ir_reg(acc, 0, 1), ir_reg(acc, 0, 1), ir_reg(tmp, 0, 1), ir_imm(0));
    irt_emit(&t.fn, 1, OP_ISETP, ir_pred(p, false), ir_reg(tmp, 0, 1), ir_imm(10), NONE)->cmp = CMP_LT;
    struct ir_insn *bra = irt_emit(&t.fn, 1, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(p, false);
    bra->target = 1;
    irt_emit(&t.fn, 2, OP_STS, NONE, NONE, ir_reg(acc, 0, 1), NONE);
    irt_emit(&t.fn, 2, OP_EXIT, NONE, NONE, NONE, NONE);
    analyse(&t);
    assert_true(lives_in(&t, 1, acc, 0));
    assert_true(lives_in(&t, 1, k, 0));
    assert_false(lives_in(&t, 1, tmp, 0));
    assert_true(lives_in(&t, 2, acc, 0));
    assert_false(lives_in(&t, 2, k, 0));
    assert_false(bit_get(t.l->in[1], ir_live_pred_bit(t.l, p)));
    end(&t);
}

/* A loop whose body holds guarded instructions; `body` fills it. v is what the test asks about. */
static bool live_around(void (*body)(struct ir_fn *, uint32_t v, uint32_t p, uint32_t q))
{
    struct live_case t;

    begin(&t, 3);
    uint32_t v = ir_vreg(&t.fn, 1, NULL), acc = ir_vreg(&t.fn, 1, NULL), p = ir_vpred(&t.fn),
             q = ir_vpred(&t.fn);
    irt_emit(&t.fn, 0, OP_MOV, ir_reg(acc, 0, 1), ir_imm(0), NONE, NONE);
    irt_emit(&t.fn, 1, OP_ISETP, ir_pred(p, false), ir_reg(acc, 0, 1), ir_imm(10), NONE)->cmp = CMP_LT;
    irt_emit(&t.fn, 1, OP_ISETP, ir_pred(q, false), ir_reg(acc, 0, 1), ir_imm(20), NONE)->cmp = CMP_LT;
    body(&t.fn, v, p, q);
    irt_emit(&t.fn, 1, OP_IADD3, ir_reg(acc, 0, 1), ir_reg(acc, 0, 1), ir_imm(1), ir_imm(0));
    struct ir_insn *bra = irt_emit(&t.fn, 1, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(q, false);
    bra->target = 1;
    irt_emit(&t.fn, 2, OP_EXIT, NONE, NONE, NONE, NONE);
    analyse(&t);
    bool lives = lives_in(&t, 1, v, 0);
    end(&t);
    return lives;
}

static void write_if(struct ir_fn *fn, uint32_t v, uint32_t p, bool neg)
{
    irt_emit(fn, 1, OP_LDS, ir_reg(v, 0, 1), NONE, NONE, NONE)->guard = ir_pred(p, neg);
}

static void read_if(struct ir_fn *fn, uint32_t v, uint32_t p, bool neg)
{
    irt_emit(fn, 1, OP_STS, NONE, NONE, ir_reg(v, 0, 1), NONE)->guard = ir_pred(p, neg);
}

static void read_always(struct ir_fn *fn, uint32_t v)
{
    irt_emit(fn, 1, OP_STS, NONE, NONE, ir_reg(v, 0, 1), NONE);
}

static void same_guard(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    (void)q;
    write_if(fn, v, p, false);
    read_if(fn, v, p, false);
}
static void other_guard(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    write_if(fn, v, p, false);
    read_if(fn, v, q, false);
}
static void both_sides(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    (void)q;
    write_if(fn, v, p, false);
    write_if(fn, v, p, true);
    read_always(fn, v);
}
static void one_side(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    (void)q;
    write_if(fn, v, p, false);
    read_always(fn, v);
}
static void guard_changes(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    (void)q;
    write_if(fn, v, p, false);
    irt_emit(fn, 1, OP_PLOP3, ir_pred(p, false), ir_pred(q, false), NONE, NONE);
    read_if(fn, v, p, false);
}
static void read_before(struct ir_fn *fn, uint32_t v, uint32_t p, uint32_t q)
{
    (void)q;
    read_if(fn, v, p, false);
    write_if(fn, v, p, false);
    read_if(fn, v, p, false);
}

static void guarded_writes(void **state)
{
    (void)state;
    assert_false(live_around(same_guard));
    assert_true(live_around(other_guard));
    assert_false(live_around(both_sides));
    assert_true(live_around(one_side));
    assert_true(live_around(guard_changes));
    assert_true(live_around(read_before));
}

/* The first write of a value has no old one to keep, guarded or not. */
static void first_write(void **state)
{
    struct live_case t;

    (void)state;
    begin(&t, 2);
    uint32_t v = ir_vreg(&t.fn, 1, NULL), p = ir_vpred(&t.fn);
    irt_emit(&t.fn, 0, OP_ISETP, ir_pred(p, false), ir_imm(0), ir_imm(10), NONE)->cmp = CMP_LT;
    irt_emit(&t.fn, 1, OP_LDS, ir_reg(v, 0, 1), NONE, NONE, NONE)->guard = ir_pred(p, false);
    irt_emit(&t.fn, 1, OP_STS, NONE, NONE, ir_reg(v, 0, 1), NONE);
    irt_emit(&t.fn, 1, OP_EXIT, NONE, NONE, NONE, NONE);
    analyse(&t);
    assert_false(lives_in(&t, 1, v, 0));
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_apart), cmocka_unit_test(around_a_loop),
                                       cmocka_unit_test(guarded_writes), cmocka_unit_test(first_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
