/* SPDX-License-Identifier: Apache-2.0 */
/* The accumulators of wgmma: registers next to each other that stay where they are. No copy of one is left in a loop of products,
 * what is copied or read stays on its side of fence and wait, and too few registers are said to be so. */
#include "one.h"

static char body[1 << 16], *at;

static void text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void text(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    at += vsnprintf(at, (size_t)(body + sizeof body - at), fmt, ap);
    va_end(ap);
    assert_true(at < body + sizeof body);
}

static void start(void) { *(at = body) = 0; }

/* D is the n / 2 registers from %a<first> on. */
static void mma(unsigned n, unsigned first, const char *scale)
{
    text("wgmma.mma_async.sync.aligned.m64n%uk16.f32.f16.f16 {", n);
    for (unsigned k = 0; k < n / 2; k++)
        text("%s%%a%u", k ? ", " : "", first + k);
    text("}, %%rd1, %%rd2, %s, 1, 1, 0, 0;\n", scale);
}

static void set(unsigned first, unsigned n, const char *value)
{
    for (unsigned k = 0; k < n; k++)
        text("mov.f32 %%a%u, %s;\n", first + k, value);
}

static void store(unsigned first, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        text("st.global.f32 [%%rd0+%u], %%a%u;\n", 4 * (first + k), first + k);
}

static const char fence[] = "wgmma.fence.sync.aligned;\n",
                  done[] = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

static const char head[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .f32 %a<512>; .reg .pred %p<4>;\n"
    "ld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; ld.global.u64 %rd1, [%rd0]; ld.global.u64 %rd2, "
    "[%rd0+8];\n"
    "mov.u32 %r1, 0;\n";

static struct code *compile(uint32_t max_regs, char *why, size_t size)
{
    static char whole[1 << 17];
    struct diag d = {0};
    int n = snprintf(whole, sizeof whole, "%s%sret;\n}\n", head, body);
    struct ptx_module *m = ptx_parse("wide.ptx", whole, (size_t)n, &d);
    if (!m)
        diag_print(&d, stderr);
    assert_non_null(m);
    struct code *c = compile_kernel(m, ptx_find_func(m, "k"),
                                    &(struct compile_opts){.verify = true, .max_regs = max_regs}, &d);
    if (why)
        snprintf(why, size, "%s", d.n ? d.msg[0].text : "");
    else if (!c)
        diag_print(&d, stderr);
    ptx_module_free(m);
    diag_free(&d);
    return c;
}

static struct code *compiled(void)
{
    struct code *c = compile(0, NULL, 0);
    assert_non_null(c);
    return c;
}

static uint32_t moves_between(const struct code *c, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t k = from; k < to; k++)
        n += is_move(&c->insns[k]);
    return n;
}

static uint32_t find_group(const struct code *c, enum ir_warpgroup sub, uint32_t from)
{
    do
        from = find_op(c, OP_WARPGROUP, from) + 1;
    while (from <= c->n && c->insns[from - 1].sub != sub);
    return from - 1;
}

/* The block of the loop: from the target of its closing branch to that. */
static uint32_t loop_of(const struct code *c, uint32_t *end)
{
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_BRA && c->insns[k].target < k) {
            *end = k;
            return c->insns[k].target;
        }
    fail_msg("no loop");
    return 0;
}

static void close_loop(const char *label)
{
    text("add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, %%r0; @%%p1 bra %s;\n", label);
}

static void check_in_place(const struct ir_insn *i)
{
    assert_int_equal(i->src[2].kind, OPND_REG);
    assert_int_equal(i->src[2].val, i->dst[0].val);
    assert_int_equal(i->dst[0].val % 8, 0);
}

/* Chains of every width: all in one place, R24, and nothing in the loop but the products and the loop itself. */
static void test_chain(void **state)
{
    (void)state;
    for (unsigned n = 24; n <= 256; n += 8) {
        start();
        set(0, n / 2, "0f00000000");
        text("LOOP:\n%s", fence);
        for (unsigned k = 0; k < 4; k++)
            mma(n, 0, "1");
        text("%s", done);
        close_loop("LOOP");
        store(0, n / 2);
        struct code *c = compiled();
        uint32_t end = 0, from = loop_of(c, &end);
        assert_int_equal(moves_between(c, from, end), 0);
        assert_int_equal(count_op(c, OP_HGMMA), 4);
        for (uint32_t k = from; k < end; k++)
            if (c->insns[k].op == OP_HGMMA) {
                check_in_place(&c->insns[k]);
                assert_int_equal(c->insns[k].dst[0].val, 24);
                assert_int_equal(c->insns[k].dst[0].n, n / 2);
            }
        assert_in_range(c->regs, 24 + n / 2, 24 + n / 2 + 10);
        code_free(c);
    }
}

/* Two sets of accumulators in one loop lie apart, also where a copy goes around the loop, as compilers write it. */
static void test_two(void **state)
{
    (void)state;
    start();
    set(0, 32, "0f00000000");
    set(64, 64, "0f00000000");
    text("LOOP:\n");
    for (unsigned k = 0; k < 32; k++)
        text("mov.f32 %%a%u, %%a%u;\n", 256 + k, k);
    text("%s", fence);
    for (unsigned k = 0; k < 2; k++) {
        mma(64, 256, "1");
        mma(128, 64, "1");
    }
    text("%s", done);
    for (unsigned k = 0; k < 32; k++)
        text("mov.f32 %%a%u, %%a%u;\n", k, 256 + k);
    close_loop("LOOP");
    store(0, 32);
    store(64, 64);
    struct code *c = compiled();
    uint32_t end = 0, from = loop_of(c, &end), first = find_op(c, OP_HGMMA, 0),
             second = find_op(c, OP_HGMMA, first + 1);
    assert_int_equal(moves_between(c, from, end), 0);
    const struct ir_opnd *a = &c->insns[first].dst[0], *b = &c->insns[second].dst[0];
    assert_int_equal(a->n + b->n, 96);
    assert_true(a->val + a->n <= b->val || b->val + b->n <= a->val);
    for (uint32_t k = from; k < end; k++)
        if (c->insns[k].op == OP_HGMMA)
            check_in_place(&c->insns[k]);
    code_free(c);
}

/* A guarded product keeps what it does not make, in place. */
static void test_guarded(void **state)
{
    (void)state;
    for (unsigned scale = 0; scale < 2; scale++) {
        start();
        set(0, 32, "0f3f800000");
        text("setp.ne.u32 %%p2, %%r0, 0;\nLOOP:\n%s@%%p2 ", fence);
        mma(64, 0, scale ? "1" : "0");
        text("%s", done);
        close_loop("LOOP");
        store(0, 32);
        struct code *c = compiled();
        uint32_t end = 0, from = loop_of(c, &end);
        assert_int_equal(moves_between(c, from, end), 0);
        assert_int_equal(c->insns[find_op(c, OP_HGMMA, 0)].guard.kind, OPND_PRED);
        for (uint32_t k = 0, n = 0; k < from; k++) {
            n += is_move(&c->insns[k]) && c->insns[k].dst[0].val >= 24;
            assert_true(k + 1 < from || n == 32);
        }
        code_free(c);
    }
}

/* Accumulators that do not live at the same time share registers. */
static void test_after(void **state)
{
    (void)state;
    start();
    for (unsigned k = 0; k < 2; k++) {
        text("%s", fence);
        mma(256, 128 * k, "0");
        text("%s", done);
        store(128 * k, 128);
    }
    struct code *c = compiled();
    uint32_t first = find_op(c, OP_HGMMA, 0), second = find_op(c, OP_HGMMA, first + 1);
    assert_int_equal(c->insns[first].dst[0].val, 24);
    assert_int_equal(c->insns[second].dst[0].val, 24);
    code_free(c);
}

/* D that is not added to: no register is cleared for it. */
static void test_fresh(void **state)
{
    static const char *const scales[] = {"0", "%p2", "!%p3"};
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        start();
        text("setp.ne.b32 %%p2, 0, 0; setp.eq.b32 %%p3, 5, 5;\n");
        set(0, 32, "0f3f800000");
        text("%s", fence);
        mma(64, 0, scales[k]);
        text("%s", done);
        store(0, 32);
        struct code *c = compiled();
        const struct ir_insn *i = &c->insns[find_op(c, OP_HGMMA, 0)];
        assert_true(opnd_is_zero(&i->src[2]));
        assert_int_equal(i->src[3].kind, OPND_NONE);
        for (uint32_t x = 0; x < c->n; x++)
            assert_false(is_move(&c->insns[x]) && c->insns[x].dst[0].val >= 24);
        code_free(c);
    }
}

/* The old values are wanted too: they are copied, before the fence. */
static void test_kept(void **state)
{
    (void)state;
    start();
    for (unsigned k = 0; k < 16; k++)
        text("ld.global.f32 %%a%u, [%%rd0+%u];\n", k, 64 + 4 * k);
    text("%s", fence);
    for (unsigned k = 0; k < 16; k++)
        text("mov.f32 %%a%u, %%a%u;\n", 64 + k, k);
    mma(32, 64, "1");
    text("%s", done);
    store(0, 16);
    store(64, 16);
    struct code *c = compiled();
    uint32_t arrive = find_group(c, WG_ARRIVE, 0), last = c->n;
    assert_true(arrive < c->n);
    assert_int_equal(moves_between(c, arrive, last), 0);
    uint32_t n = 0;
    for (uint32_t k = 0; k < arrive; k++)
        n += is_move(&c->insns[k]) && moved(&c->insns[k])->kind == OPND_REG;
    assert_int_equal(n, 16);
    code_free(c);
}

/* What reads D stays behind the wait, what writes it before the fence, whatever its latency wants. */
static void test_sides(void **state)
{
    (void)state;
    start();
    for (unsigned k = 0; k < 16; k++)
        text("ld.global.f32 %%a%u, [%%rd0+%u]; add.f32 %%a%u, %%a%u, 0f3f800000;\n", k, 64 + 4 * k, k, k);
    text("%s", fence);
    mma(32, 0, "1");
    text("wgmma.commit_group.sync.aligned;\nmul.f32 %%a100, %%a101, %%a101;\nwgmma.wait_group.sync.aligned "
         "0;\n");
    for (unsigned k = 0; k < 16; k++)
        text("mul.f32 %%a%u, %%a%u, 0f40400000; sin.approx.f32 %%a%u, %%a%u;\n", 64 + k, k, 64 + k, 64 + k);
    store(64, 16);
    struct code *c = compiled();
    uint32_t arrive = find_group(c, WG_ARRIVE, 0), wait = find_group(c, WG_WAIT, 0);
    for (uint32_t k = 0; k < c->n; k++) {
        if (c->insns[k].op == OP_FADD)
            assert_true(k < arrive);
        if (c->insns[k].op == OP_FMUL || c->insns[k].op == OP_MUFU)
            assert_true(k > wait);
    }
    assert_true(arrive < wait && wait < c->n);
    code_free(c);
}

/* Shared memory is written before the product that reads it, and again only behind the wait. */
static void test_memory(void **state)
{
    (void)state;
    start();
    text("st.shared.u32 [%%r1], %%r0;\nbar.sync 0;\n%s", fence);
    mma(16, 0, "0");
    text("%sst.shared.u32 [%%r1+4], %%r0;\n", done);
    store(0, 8);
    struct code *c = compiled();
    uint32_t first = find_op(c, OP_STS, 0), second = find_op(c, OP_STS, first + 1);
    assert_true(first < find_op(c, OP_BAR, 0) && find_op(c, OP_BAR, 0) < find_group(c, WG_ARRIVE, 0));
    assert_true(find_group(c, WG_ARRIVE, 0) < find_op(c, OP_HGMMA, 0));
    assert_true(find_op(c, OP_HGMMA, 0) < find_group(c, WG_WAIT, 0));
    assert_true(find_group(c, WG_WAIT, 0) < second && second < c->n);
    code_free(c);
}

/* The last product of a group carries its end; a commit of none, or behind one that may not execute, stays. */
static void test_groups(void **state)
{
    static const char commit[] = "wgmma.commit_group.sync.aligned;\n";
    (void)state;
    start();
    text("setp.ne.u32 %%p2, %%r0, 0;\n%s", fence);
    mma(16, 0, "0");
    mma(16, 0, "1");
    text("%s", commit);
    mma(16, 16, "0");
    text("%s%s@%%p2 ", commit, commit);
    mma(16, 16, "1");
    text("%swgmma.wait_group.sync.aligned 0;\n", commit);
    store(0, 8);
    store(16, 8);
    struct code *c = compiled();
    bool ends[4] = {0};
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_HGMMA)
            ends[n++ % 4] = c->insns[k].flags & IRF_X;
    assert_int_equal(n, 4);
    assert_true(!ends[0] && ends[1] && ends[2] && !ends[3]);
    uint32_t first = find_group(c, WG_COMMIT, 0), second = find_group(c, WG_COMMIT, first + 1);
    assert_true(second < c->n && find_group(c, WG_COMMIT, second + 1) >= c->n);
    assert_true(first < find_group(c, WG_WAIT, 0) && second < find_group(c, WG_WAIT, 0));
    code_free(c);
}

static void test_limit(void **state)
{
    char why[256];
    (void)state;
    start();
    text("%s", fence);
    mma(256, 0, "0");
    text("%s", done);
    store(0, 128);
    struct code *c = compile(140, why, sizeof why);
    assert_non_null(c);
    assert_true(c->regs <= 140);
    code_free(c);
    assert_null(compile(128, why, sizeof why));
    assert_non_null(strstr(why, "the accumulators of wgmma do not fit into 126 registers"));
    /* Together they are too many, one after the other they would not be. */
    start();
    text("%s", fence);
    mma(256, 0, "0");
    mma(256, 128, "0");
    text("%s", done);
    store(0, 256);
    assert_null(compile(0, why, sizeof why));
    assert_non_null(strstr(why, "the accumulators of wgmma do not fit"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain), cmocka_unit_test(test_two),    cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_after), cmocka_unit_test(test_fresh),  cmocka_unit_test(test_kept),
        cmocka_unit_test(test_sides), cmocka_unit_test(test_memory), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
