/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of `bankshot inspect` on streams whose answers are known, and the counter of distinct numbers. */
#include "base/rng.h"
#include "cli/watch/trace_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { AT_LDG, AT_LDS, AT_LDS64, AT_LDL, AT_COPY, AT_ATOM, AT_TEX, AT_FADD, AT_BRA, AT_EXIT, NINSNS };

static struct tr_kernel *kernel(void)
{
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = "k";
    k->file = "";
    k->n = NINSNS;
    k->regs = 16;
    k->insns = ARENA_ARRAY(&k->arena, struct tr_insn, NINSNS);
    static const struct tr_insn insns[NINSNS] = {
        [AT_LDG] = {.cls = TC_LDG, .mem = TM_LOAD, .space = SPACE_GLOBAL, .width_b = 4, .naddr = 1},
        [AT_LDS] = {.cls = TC_LDS, .mem = TM_LOAD, .space = SPACE_SHARED, .width_b = 4, .naddr = 1},
        [AT_LDS64] = {.cls = TC_LDS, .mem = TM_LOAD, .space = SPACE_SHARED, .width_b = 8, .naddr = 1},
        [AT_LDL] = {.cls = TC_LDL, .mem = TM_LOAD, .space = SPACE_LOCAL, .width_b = 8, .naddr = 1},
        [AT_COPY] =
            {.cls = TC_LDGSTS, .mem = TM_LOAD | TM_STORE, .space = SPACE_GLOBAL, .width_b = 16, .naddr = 2},
        [AT_ATOM] = {.cls = TC_ATOMG, .mem = TM_LOAD | TM_STORE | TM_ATOMIC, .width_b = 4, .naddr = 1},
        [AT_TEX] = {.cls = TC_TEX, .mem = TM_LOAD, .space = SPACE_GLOBAL, .width_b = 4, .naddr = 1},
        [AT_FADD] = {.cls = TC_FP32, .ndst = 1, .dst = {{.kind = TO_REG, .n = 2, .val = 4}}},
        [AT_BRA] = {.cls = TC_BRANCH, .guard = {.kind = TO_PRED, .n = 1}},
        [AT_EXIT] = {.cls = TC_EXIT},
    };
    for (unsigned i = 0; i < NINSNS; i++) {
        k->insns[i] = insns[i];
        k->insns[i].text = "X";
        k->insns[i].pc = 16 * i;
        k->insns[i].target = i == AT_BRA ? 0 : TR_NO_TARGET;
    }
    k->nblocks = 1;
    k->blocks = ARENA_ARRAY(&k->arena, struct tr_block, 1);
    k->blocks[0] = (struct tr_block){.n = NINSNS, .ipdom = UINT32_MAX};
    assert_null(tr_kernel_check(k));
    return k;
}

struct bed {
    char path[64];
    struct diag d;
    struct tr_kernel *k;
    struct tr_writer *w;
    struct trace_stats s;
};

static int bed_open(void **state)
{
    struct bed *b = xcalloc(1, sizeof *b);
    snprintf(b->path, sizeof b->path, "/tmp/bankshot_stats_XXXXXX");
    int fd = mkstemp(b->path);
    close(fd);
    b->k = kernel();
    b->w = tr_create(b->path, &(struct tr_info){.program = "p", .maker = "m"}, &b->d);
    assert_non_null(b->w);
    tr_add_kernel(b->w, b->k);
    tr_begin_launch(b->w, &(struct tr_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}});
    tr_begin_cta(b->w, 0);
    *state = b;
    return 0;
}

static int bed_close(void **state)
{
    struct bed *b = *state;
    trace_stats_free(&b->s);
    tr_kernel_free(b->k);
    diag_free(&b->d);
    unlink(b->path);
    free(b);
    return 0;
}

/* One instruction whose lane l accesses base + l * step. */
static void put(struct bed *b, uint32_t at, uint32_t mask, enum ir_space space, uint64_t base, uint64_t step)
{
    uint64_t a[2][TR_LANES];
    uint8_t values[TR_DSTS * 4] = {TV_CONST, TV_HALF4};
    for (uint64_t l = 0; l < TR_LANES; l++)
        a[0][l] = base + l * step, a[1][l] = l * 16;
    tr_insn(b->w, 0, 0, at, mask, (uint8_t)space, (const uint64_t *const[2]){a[0], a[1]}, values);
}

static const struct space_stats *count(struct bed *b, enum ir_space space)
{
    put(b, AT_EXIT, ~0u, SPACE_NONE, 0, 0);
    tr_end_cta(b->w, 0);
    tr_end_launch(b->w, true);
    assert_true(tr_close(b->w, &b->d));
    struct tr_reader *r = tr_open(b->path, &b->d);
    assert_non_null(r);
    assert_true(trace_stats_get(&b->s, r, UINT32_MAX, &b->d));
    tr_free(r);
    return &b->s.space[space];
}

static void global(void **state)
{
    struct bed *b = *state;
    put(b, AT_LDG, ~0u, SPACE_GLOBAL, 0x1000, 4);     /* 4 sectors, line 32 */
    put(b, AT_LDG, ~0u, SPACE_GLOBAL, 0x1010, 4);     /* 5, lines 32 and 33 */
    put(b, AT_LDG, ~0u, SPACE_GLOBAL, 0x2000, 0);     /* 1, line 64 */
    put(b, AT_LDG, 0xffff, SPACE_GLOBAL, 0x4000, 64); /* 16, 8 lines */
    put(b, AT_LDG, 0, SPACE_GLOBAL, 0, 0);            /* no request */
    put(b, AT_ATOM, 3, SPACE_GLOBAL, 0x1000, 4);      /* 1 */
    const struct space_stats *g = count(b, SPACE_GLOBAL);
    assert_int_equal(g->requests, 5);
    assert_int_equal(g->loads, 4);
    assert_int_equal(g->atomics, 1);
    assert_int_equal(g->sectors, 4 + 5 + 1 + 16 + 1);
    assert_int_equal(g->lanes, 32 * 3 + 16 + 2);
    assert_int_equal(distinct_count(&g->lines), 2 + 1 + 8);
    assert_int_equal(b->s.by_active[0], 1);
    assert_int_equal(b->s.by_class[TC_LDG], 5);
}

static void shared(void **state)
{
    struct bed *b = *state;
    put(b, AT_LDS, ~0u, SPACE_SHARED, 0, 4);         /* 1 pass */
    put(b, AT_LDS, ~0u, SPACE_SHARED, 64, 0);        /* 1: broadcast */
    put(b, AT_LDS, ~0u, SPACE_SHARED, 0, 128);       /* 32 */
    put(b, AT_LDS, ~0u, SPACE_SHARED, 0, 8);         /* 2 */
    put(b, AT_LDS64, ~0u, SPACE_SHARED, 0, 8);       /* 2 */
    put(b, AT_COPY, ~0u, SPACE_GLOBAL, 0x10000, 16); /* 512 bytes: 4 */
    const struct space_stats *m = count(b, SPACE_SHARED);
    assert_int_equal(m->requests, 6);
    assert_int_equal(m->passes, 1 + 1 + 32 + 2 + 2 + 4);
    assert_int_equal(m->loads, 5);
    assert_int_equal(m->stores, 1);
    assert_int_equal(b->s.space[SPACE_GLOBAL].loads, 1);
    assert_int_equal(b->s.space[SPACE_GLOBAL].sectors, 16);
}

static void local(void **state)
{
    struct bed *b = *state;
    put(b, AT_LDL, ~0u, SPACE_LOCAL, 8, 0); /* two words of each lane: two whole lines */
    put(b, AT_LDL, 1, SPACE_LOCAL, 8, 0);
    const struct space_stats *m = count(b, SPACE_LOCAL);
    assert_int_equal(m->sectors, 8 + 2);
    assert_int_equal(distinct_count(&m->lines), 2);
}

static void others(void **state)
{
    struct bed *b = *state;
    put(b, AT_FADD, ~0u, SPACE_NONE, 0, 0);
    put(b, AT_BRA, 0xff, SPACE_NONE, 0, 0);
    put(b, AT_FADD, 0xff, SPACE_NONE, 0, 0);
    put(b, AT_BRA, 0xff, SPACE_NONE, 0, 0);
    put(b, AT_TEX, ~0u, SPACE_GLOBAL, 0, 4); /* lane 0 is outside */
    put(b, AT_TEX, ~0u, SPACE_GLOBAL, 0, 0); /* all are */
    const struct space_stats *g = count(b, SPACE_GLOBAL);
    assert_int_equal(g->requests, 1);
    assert_int_equal(g->lanes, 31);
    assert_int_equal(b->s.values[TV_CONST], 2);
    assert_int_equal(b->s.values[TV_HALF4], 2);
    assert_int_equal(b->s.branches, 2);
    assert_int_equal(b->s.split, 1);
}

static void distinct(void **state)
{
    (void)state;
    struct distinct d = {0};
    struct rng r = {3};
    for (unsigned round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 100000; i++)
            distinct_add(&d, i * 3);
    }
    assert_int_equal(distinct_count(&d), 100000);
    assert_true(distinct_exact(&d));
    uint64_t start = rng_u64(&r);
    for (uint64_t i = 0; i < 5000000; i++)
        distinct_add(&d, start + i);
    assert_false(distinct_exact(&d));
    assert_true(d.cap <= 2 * DISTINCT_MAX);
    double err = (double)distinct_count(&d) / 5100000.0 - 1.0;
    assert_true(err > -0.01 && err < 0.01);
    distinct_free(&d);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bed_open, bed_close)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(global), TEST(shared), TEST(local), TEST(others),
                                       cmocka_unit_test(distinct)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
