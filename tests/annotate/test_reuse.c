/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances of small streams, counted by hand, and from few warps against all of them. */
#include "annotate/reuse.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { NEAR = 12 };

static struct tr_opnd reg(uint32_t r, uint32_t n)
{
    return (struct tr_opnd){.kind = TO_REG, .n = (uint8_t)n, .val = r};
}

struct program {
    struct tr_insn insns[64];
    uint32_t n;
    char path[64];
    struct tr_writer *w;
};

static struct tr_insn *add(struct program *p)
{
    struct tr_insn *i = &p->insns[p->n];
    *i = (struct tr_insn){.cls = TC_FP32, .target = TR_NO_TARGET, .pc = p->n * 16, .text = "FADD"};
    p->n++;
    return i;
}

/* d = f(a, b); -1: none. */
static void op(struct program *p, int d, int a, int b)
{
    struct tr_insn *i = add(p);
    if (d >= 0)
        i->dst[i->ndst++] = reg((uint32_t)d, 1);
    if (a >= 0)
        i->src[i->nsrc++] = reg((uint32_t)a, 1);
    if (b >= 0)
        i->src[i->nsrc++] = reg((uint32_t)b, 1);
}

static void create(struct program *p, uint32_t ctas, uint32_t warps)
{
    struct diag d = {0};
    snprintf(p->path, sizeof p->path, "/tmp/bankshot-reuse-XXXXXX");
    int fd = mkstemp(p->path);
    assert_true(fd >= 0);
    close(fd);
    p->w = tr_create(p->path, &(struct tr_info){.program = "reuse", .maker = "test"}, &d);
    assert_non_null(p->w);
    struct tr_block all = {.n = p->n, .ipdom = UINT32_MAX};
    struct tr_kernel k = {
        .name = "k", .file = "", .insns = p->insns, .n = p->n, .nblocks = 1, .blocks = &all, .regs = 32};
    tr_add_kernel(p->w, &k);
    struct tr_launch l = {.grid = {ctas, 1, 1}, .block = {warps * TR_LANES, 1, 1}};
    tr_begin_launch(p->w, &l);
}

static void profile(struct program *p, double share, struct reuse *u)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(p->path, &d);
    diag_print(&d, stderr);
    assert_non_null(r);
    assert_true(reuse_profile(r, 0, share, NEAR, u, &d));
    tr_free(r);
}

static void finish(struct program *p)
{
    struct diag d = {0};
    tr_end_launch(p->w, true);
    assert_true(tr_close(p->w, &d));
}

/* The code once, straight. Bit i of `off`: a guard switches instruction i off. */
static void straight(struct program *p, uint64_t off, struct reuse *u)
{
    create(p, 1, 1);
    tr_begin_cta(p->w, 0);
    for (uint32_t i = 0; i < p->n; i++)
        tr_insn(p->w, 0, 0, i, off >> i & 1 ? 0 : ~0u, 0, NULL, NULL);
    tr_end_cta(p->w, 0);
    finish(p);
    profile(p, 1, u);
    unlink(p->path);
}

static void is(const struct reuse_opnd *o, uint64_t near, uint64_t far, uint64_t dist)
{
    assert_int_equal(o->near, near);
    assert_int_equal(o->far, far);
    assert_int_equal(o->dist, dist);
}

static void by_hand(void **state)
{
    (void)state;
    struct program p = {0};
    struct reuse u;
    op(&p, 1, 2, 3);  /* 0: R1 read at 1, R2 at 3; R3 never */
    op(&p, 4, 1, 1);  /* 1: R4 overwritten at 2; R1 read at 4, both operands */
    op(&p, 4, 5, -1); /* 2: R5 overwritten by itself at 3 */
    op(&p, 5, 2, 5);  /* 3: nothing is read any more */
    op(&p, -1, 1, -1);
    straight(&p, 0, &u);
    is(&u.insns[0].dst[0], 1, 0, 1);
    is(&u.insns[0].src[0], 1, 0, 3);
    is(&u.insns[0].src[1], 0, 1, 0);
    is(&u.insns[1].dst[0], 0, 1, 0);
    is(&u.insns[1].src[0], 1, 0, 3);
    is(&u.insns[1].src[1], 1, 0, 3);
    is(&u.insns[2].src[0], 1, 0, 1);
    is(&u.insns[3].dst[0], 0, 1, 0);
    is(&u.insns[3].src[1], 0, 1, 0);
    assert_true(reuse_is_near(&u.insns[0].dst[0]));
    assert_false(reuse_is_near(&u.insns[0].src[1]));
    assert_int_equal(u.hist[0], 2); /* R1 at 1, R5 at 3 */
    assert_int_equal(u.hist[2], 2); /* R2 at 3, R1 at 4 */
    assert_int_equal(u.unused, 7);
    reuse_free(&u);
}

/* At the threshold, and one beyond; an instruction that is switched off counts but does not read. */
static void threshold(void **state)
{
    (void)state;
    for (uint32_t gap = NEAR - 1; gap <= NEAR; gap++) {
        struct program p = {0};
        struct reuse u;
        op(&p, 1, -1, -1);
        for (uint32_t i = 0; i < gap; i++)
            op(&p, -1, i == 2 ? 1 : -1, -1);
        op(&p, -1, 1, -1);
        straight(&p, 1u << 3, &u);
        assert_int_equal(reuse_is_near(&u.insns[0].dst[0]), gap < NEAR);
        assert_int_equal(u.insns[0].dst[0].dist, gap + 1);
        reuse_free(&u);
    }
}

/* An operand of two registers has one bit. */
static void wide(void **state)
{
    (void)state;
    struct program p = {0};
    struct reuse u;
    struct tr_insn *i = add(&p);
    i->dst[i->ndst++] = reg(4, 2);
    op(&p, -1, 4, -1);
    op(&p, -1, 5, -1);
    op(&p, -1, 4, 5);
    straight(&p, 0, &u);
    is(&u.insns[0].dst[0], 2, 0, 1 + 2);
    reuse_free(&u);
}

/* A loop whose trips differ from warp to warp: 0.01% of the warps, which is one, tells almost what all do. */
static void few_warps(void **state)
{
    (void)state;
    enum { CTAS = 200, WARPS = 8 };
    struct program p = {0};
    struct reuse some, all;
    struct rng r = {.s = 1};
    for (uint32_t i = 0; i < 40; i++)
        op(&p, (int)rng_below(&r, 24), (int)rng_below(&r, 24), (int)rng_below(&r, 24));
    create(&p, CTAS, WARPS);
    for (uint32_t c = 0; c < CTAS; c++) {
        tr_begin_cta(p.w, c);
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t trips = 8 + rng_below(&r, 8); trips; trips--)
                for (uint32_t i = 0; i < p.n; i += rng_below(&r, 50) ? 1 : 2)
                    tr_insn(p.w, c, w, i, ~0u, 0, NULL, NULL);
        tr_end_cta(p.w, c);
    }
    finish(&p);
    profile(&p, 0.0001, &some);
    profile(&p, 1, &all);
    unlink(p.path);
    assert_int_equal(some.warps, 1);
    assert_int_equal(all.warps, CTAS * WARPS);
    assert_int_equal(some.of, CTAS * WARPS);
    uint32_t same = 0, n = 0;
    for (uint32_t i = 0; i < p.n; i++)
        for (uint32_t j = 0; j < 3; j++, n++) {
            const struct reuse_insn *a = &some.insns[i], *b = &all.insns[i];
            same += j < 2 ? reuse_is_near(&a->src[j]) == reuse_is_near(&b->src[j])
                          : reuse_is_near(&a->dst[0]) == reuse_is_near(&b->dst[0]);
        }
    assert_true(same * 100 >= n * 95);
    reuse_free(&some);
    /* A share in between is rounded up. */
    create(&p, 1, 3);
    tr_begin_cta(p.w, 0);
    for (uint32_t w = 0; w < 3; w++)
        tr_insn(p.w, 0, w, 0, ~0u, 0, NULL, NULL);
    tr_end_cta(p.w, 0);
    finish(&p);
    profile(&p, 0.34, &some);
    assert_int_equal(some.warps, 2);
    unlink(p.path);
    reuse_free(&some);
    reuse_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(threshold),
                                       cmocka_unit_test(wide), cmocka_unit_test(few_warps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
