/* SPDX-License-Identifier: Apache-2.0 */
/* CTA barriers: ids, thread counts, arrive, reductions, in both spellings; fences. */
#include "run.h"

enum { N = 256 };

/* Every thread writes, waits, reads its mirror image: several rounds, so a barrier is used again at once. */
static void exchange(struct isa *t, const char *name, const char *wait, unsigned threads)
{
    uint64_t want[N];
    for (unsigned i = 0; i < threads; i++)
        want[i] = 10 + (threads - 1 - i) * 4;
    struct kern k = {
        .name = name, .module = ".shared .align 4 .u32 sh[256];\n", .slots = 1, .block = {threads}};
    k.body = isa_fmt(
        t,
        "mov.u64 %%rd0, sh; mad.wide.u32 %%rd1, %%tx, 4, %%rd0; mov.u32 %%r9, %u; sub.u32 %%r0, %%r9, %%tx;"
        "mad.wide.u32 %%rd2, %%r0, 4, %%rd0; mov.u32 %%r1, 0; mov.u32 %%r2, 0;\n"
        "L: mad.lo.u32 %%r3, %%tx, 1, %%r1; st.shared.u32 [%%rd1], %%r3; %s\n ld.shared.u32 %%r4, [%%rd2]; "
        "add.u32 %%r2, %%r2, %%r4; %s\n"
        "add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p0, %%r1, 4; @%%p0 bra L; add.u32 %%r2, %%r2, 4; st.global.u32 "
        "[%%out], %%r2;",
        threads - 1, wait, wait);
    kern_check(t, &k, want, NULL);
}

static void test_sync(void **state)
{
    struct isa *t = *state;
    static const char *const waits[] = {
        "bar.sync 0;",
        "bar.sync 7;",
        "bar.sync 15, 256;",
        "barrier.sync 0;",
        "barrier.sync 3, 256;",
        "barrier.sync.aligned 1;",
        "bar.cta.sync 2;",
        "barrier.cta.sync 4;",
        "barrier.cta.sync.aligned 5, 256;",
        "mov.u32 %r10, 9; bar.sync %r10;",
        "mov.u32 %r10, 6; mov.u32 %r11, 256; barrier.sync %r10, %r11;",
    };
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        const char *op = strstr(waits[i], "bar");
        exchange(t, op, waits[i], N);
    }
    exchange(t, "bar.sync partial warp", "bar.sync 0;", 100);
    ISA_DONE(t);
}

/* Groups of warps on their own barriers: half of the CTA each. */
static void test_groups(void **state)
{
    struct isa *t = *state;
    uint64_t want[N];
    for (unsigned i = 0; i < N; i++)
        want[i] = i ^ 127;
    struct kern k = {
        .name = "bar.sync id, count", .module = ".shared .align 4 .u32 sh[256];\n", .slots = 1, .block = {N}};
    k.body = "mov.u64 %rd0, sh; mad.wide.u32 %rd1, %tx, 4, %rd0; shr.u32 %r0, %tx, 7; add.u32 %r0, %r0, 1; "
             "st.shared.u32 [%rd1], %tx;"
             "bar.sync %r0, 128; xor.b32 %r1, %tx, 127; mad.wide.u32 %rd2, %r1, 4, %rd0; ld.shared.u32 %r2, "
             "[%rd2]; st.global.u32 [%out], %r2;";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

/* The producer arrives and goes on, the consumer waits. */
static void test_arrive(void **state)
{
    struct isa *t = *state;
    uint64_t want[64];
    for (unsigned i = 0; i < 64; i++)
        want[i] = i < 32 ? 1 : 1000 + i - 32;
    struct kern k = {
        .name = "bar.arrive", .module = ".shared .align 4 .u32 sh[64];\n", .slots = 1, .block = {64}};
    k.body = "mov.u64 %rd0, sh; setp.ge.u32 %p0, %tx, 32; @%p0 bra C; mad.wide.u32 %rd1, %tx, 4, %rd0; "
             "add.u32 %r0, %tx, 1000;"
             "st.shared.u32 [%rd1], %r0; membar.cta; bar.arrive 5, 64; mov.u32 %r0, 1; st.global.u32 [%out], "
             "%r0; ret;\n"
             "C: bar.sync 5, 64; sub.u32 %r1, %tx, 32; mad.wide.u32 %rd1, %r1, 4, %rd0; ld.shared.u32 %r0, "
             "[%rd1]; st.global.u32 [%out], %r0;";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

static void test_red(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *insn;
        int kind;
    } rows[] = {
        {"bar.red.popc.u32 %r0, 0, %p0;", 0},        {"bar.red.and.pred %p1, 0, %p0;", 1},
        {"bar.red.or.pred %p1, 0, %p0;", 2},         {"bar.red.popc.u32 %r0, 3, 256, %p0;", 0},
        {"bar.red.and.pred %p1, 3, 256, %p0;", 1},   {"bar.red.or.pred %p1, 3, 256, !%p0;", 3},
        {"barrier.red.popc.u32 %r0, 2, %p0;", 0},    {"barrier.red.and.pred %p1, 2, %p0;", 1},
        {"barrier.cta.red.or.pred %p1, 2, %p0;", 2}, {"barrier.cta.red.popc.aligned.u32 %r0, 2, !%p0;", 4},
    };
    static const unsigned limits[] = {0, 1, 100, 255, 256}; /* threads below it say true */
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (unsigned l = 0; l < 5; l++) {
            uint64_t want[N];
            unsigned n = limits[l];
            const uint64_t v[] = {n, n == N, n > 0, n < N, N - n};
            for (unsigned i = 0; i < N; i++)
                want[i] = v[rows[r].kind];
            struct kern k = {.name = rows[r].insn, .slots = 1, .block = {N}};
            k.body = isa_fmt(t, "setp.lt.u32 %%p0, %%tx, %u; %s %s st.global.u32 [%%out], %%r0;", n,
                             rows[r].insn, strstr(rows[r].insn, "pred") ? "selp.u32 %r0, 1, 0, %p1;" : "");
            kern_check(t, &k, want, NULL);
        }
    ISA_DONE(t);
}

/* A warp that has exited no longer counts for barriers without a count. */
static void test_exited(void **state)
{
    struct isa *t = *state;
    uint64_t want[N];
    for (unsigned i = 0; i < N; i++)
        want[i] = i < 64 ? 0 : 1;
    struct kern k = {.name = "bar.sync after exit", .slots = 1, .block = {N}};
    k.body = "setp.lt.u32 %p0, %tx, 64; @%p0 exit; bar.sync 0; mov.u32 %r0, 1; st.global.u32 [%out], %r0;";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

static void test_fences(void **state)
{
    struct isa *t = *state;
    static const char *const fences[] = {"membar.cta",
                                         "membar.gl",
                                         "membar.sys",
                                         "fence.sc.cta",
                                         "fence.acq_rel.gpu",
                                         "fence.sc.sys",
                                         "fence.acq_rel.cluster",
                                         "fence.proxy.alias",
                                         "fence.proxy.async",
                                         "nanosleep.u32 20",
                                         "prefetch.global.L2 [%out]",
                                         "prefetch.global.L1 [%out]",
                                         "prefetchu.L1 [%out]",
                                         "pmevent 1",
                                         "discard.global.L2 [%in0], 128",
                                         "applypriority.global.L2::evict_normal [%in0], 128"};
    uint64_t want[32], pad[32] = {0};
    for (unsigned i = 0; i < 32; i++)
        want[i] = i;
    for (unsigned f = 0; f < sizeof fences / sizeof fences[0]; f++) {
        struct kern k = {.name = fences[f], .slots = 1, .block = {32}, .in = {{pad, sizeof pad}}};
        k.body = isa_fmt(t, "st.global.u32 [%%out], %%tx; %s;", fences[f]);
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_sync), cmocka_unit_test(test_groups), cmocka_unit_test(test_arrive),
         cmocka_unit_test(test_red), cmocka_unit_test(test_exited), cmocka_unit_test(test_fences))
