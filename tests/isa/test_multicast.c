/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies and barrier objects in clusters: copies that several CTAs receive, copies between them, arrivals from one at
 * another's object, and waits that only another CTA can end. */
#include "exec/exec.h"
#include "exec/memory/tensormap.h"
#include "run.h"

enum { SIZE = 4, T = 64, CTAS = 8, N = CTAS * T }; /* two clusters of four CTAs */

static const char module[] =
    ".shared .align 128 .b8 sh[512]; .shared .align 128 .b8 from[256]; .shared .align 8 .b64 mb;\n";
#define SYNC "barrier.cluster.arrive; barrier.cluster.wait;\n"
/* %r80: rank, %r81: the next one; thread 0 has made the object, which takes %r79 arrivals, and everyone knows. */
#define BEGIN                                                                                                \
    "mov.u32 %r80, %cluster_ctarank; add.u32 %r81, %r80, 1; and.b32 %r81, %r81, 3; setp.ne.u32 %p0, %tx, "   \
    "0;\n"                                                                                                   \
    "@!%p0 mbarrier.init.shared.b64 [mb], %r79; @!%p0 fence.mbarrier_init.release.cluster;\n" SYNC
#define WAIT "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [mb], 0; @!%p1 bra W;\n"

static struct kern kernel(const char *name, const char *body, void *data, size_t size_b)
{
    return (struct kern){.name = name,
                         .body = body,
                         .slots = 1,
                         .grid = {CTAS},
                         .block = {T},
                         .cluster = {SIZE},
                         .module = module,
                         .in = {{data, size_b}}};
}

/* Every CTA brings a quarter of a line to those of its mask; the masks are in the parameter. */
static void test_rows(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < 12; i++) {
        uint64_t data[CTAS][16], want[N];
        uint16_t masks[SIZE];
        uint32_t bytes[SIZE] = {0}, words[2];
        for (unsigned r = 0; r < SIZE; r++) {
            masks[r] = i ? (uint16_t)(1 + rng_below(&t->rng, 15)) : 15;
            for (unsigned o = 0; o < SIZE; o++)
                bytes[o] += masks[r] >> o & 1 ? 128 : 0;
        }
        words[0] = masks[0] | (uint32_t)masks[1] << 4 | (uint32_t)masks[2] << 8 | (uint32_t)masks[3] << 12;
        words[1] = bytes[0] / 128 | bytes[1] / 128 << 4 | bytes[2] / 128 << 8 | bytes[3] / 128 << 12;
        for (unsigned k = 0; k < CTAS * 16; k++)
            data[k / 16][k % 16] = rng_u64(&t->rng);
        for (unsigned k = 0; k < N; k++) {
            unsigned cta = k / T, r = k % T / 16, me = cta % SIZE;
            want[k] = masks[r] >> me & 1 ? data[cta / SIZE * SIZE + r][k % 16] : 0;
        }
        struct kern k = kernel(
            "cp.async.bulk ... .multicast::cluster",
            "mov.u32 %r79, 1; " BEGIN
            "ld.param.u32 %r1, [words]; ld.param.u32 %r2, [words+4]; shl.b32 %r3, %r80, 2;\n"
            "shr.u32 %r1, %r1, %r3; and.b32 %r1, %r1, 15; cvt.u16.u32 %h1, %r1; shr.u32 %r2, %r2, %r3;\n"
            "and.b32 %r2, %r2, 15; shl.b32 %r2, %r2, 7; mov.u32 %r4, sh; mad.lo.u32 %r5, %r80, 128, %r4;\n"
            "mov.u32 %r6, %ctaid.x; mad.wide.u32 %rd1, %r6, 128, %in0; @%p0 bra W;\n"
            "mbarrier.arrive.expect_tx.shared.b64 _, [mb], %r2;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], "
            "[%rd1], 128, [mb], %h1;\n" WAIT
            "mad.lo.u32 %r7, %tx, 8, %r4; ld.shared.u64 %rd2, [%r7]; st.global.u64 [%out], %rd2;" SYNC,
            data, sizeof data);
        k.params = ", .param .align 8 .b8 words[8]";
        k.extra = words;
        k.extra_b = sizeof words;
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

/* A box of 16 words for everyone, brought by the CTA of rank 1. */
static void test_boxes(void **state)
{
    struct isa *t = *state;
    struct {
        unsigned char map[TMAP_B];
        uint32_t data[256];
    } in;
    struct tmap m = {.type = TMAP_UINT32,
                     .rank = 2,
                     .size = {16, 16, 1, 1, 1},
                     .stride_b = {4, 64, 1024, 1024, 1024},
                     .box = {16, 4, 1, 1, 1},
                     .step = {1, 1, 1, 1, 1}};
    uint64_t want[N];
    tmap_pack(&m, in.map);
    for (unsigned k = 0; k < 256; k++)
        in.data[k] = rng_u32(&t->rng);
    for (unsigned k = 0; k < N; k++)
        want[k] = in.data[(k / T / SIZE * 4 + 2) * 16 + k % T];
    /* The first CTA of the grid puts the address into the map. */
    struct kern k = kernel(
        "cp.async.bulk.tensor.2d ... .multicast::cluster",
        "mov.u32 %r79, 1; mov.u32 %r6, %ctaid.x; or.b32 %r7, %r6, %tx; setp.ne.u32 %p2, %r7, 0;\n"
        "add.u64 %rd1, %in0, 128; @!%p2 st.global.u64 [%in0+8], %rd1;\n" BEGIN
        "shr.u32 %r6, %r6, 2; mad.lo.u32 %r6, %r6, 4, 2; mov.u32 %r1, 0; mov.b16 %h1, 15; mov.u32 %r4, sh;\n"
        "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [mb], 256;\n" SYNC
        "setp.ne.u32 %p2, %r80, 1; @%p2 bra W; @%p0 bra W;\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%r4], "
        "[%in0, {%r1, %r6}], [mb], %h1;\n" WAIT
        "mad.lo.u32 %r7, %tx, 4, %r4; ld.shared.u32 %r8, [%r7]; st.global.u32 [%out], %r8;" SYNC,
        &in, sizeof in);
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

/* Each CTA sends 256 bytes to the next one, or adds them to what is there. */
static void test_between(void **state)
{
    struct isa *t = *state;
    static const char *const ops[] = {
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32"};
    for (unsigned o = 0; o < 2; o++) {
        uint64_t want[N];
        for (unsigned k = 0; k < N; k++) {
            unsigned before = k / T % SIZE == 0 ? k + (SIZE - 1) * T : k - T;
            want[k] = before * 3 + o * 1000;
        }
        struct kern k = kernel(
            ops[o],
            isa_fmt(
                t,
                "mov.u32 %%r79, 1; mov.u32 %%r4, sh; mov.u32 %%r5, from; mad.lo.u32 %%r6, %%tx, 4, %%r5; "
                "mul.lo.u32 %%r7, %%gid, "
                "3; st.shared.u32 [%%r6], %%r7; mad.lo.u32 %%r6, %%tx, 4, %%r4; mov.u32 %%r7, 1000; "
                "st.shared.u32 [%%r6], %%r7;\n"
                "mov.u32 %%r80, %%cluster_ctarank; add.u32 %%r81, %%r80, 1; and.b32 %%r81, %%r81, 3; "
                "setp.ne.u32 %%p0, %%tx, 0;\n"
                "@!%%p0 mbarrier.init.shared.b64 [mb], %%r79; @!%%p0 "
                "fence.mbarrier_init.release.cluster;\n" SYNC
                "mov.u32 %%r8, mb; mapa.shared::cluster.u32 %%r9, %%r4, %%r81; mapa.shared::cluster.u32 "
                "%%r10, %%r8, %%r81; @%%p0 "
                "bra W;\n"
                "mbarrier.arrive.expect_tx.shared.b64 _, [mb], 256; %s [%%r9], [%%r5], 256, [%%r10];\n"
                "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p1, [mb], 0; @!%%p1 bra W;\n"
                "ld.shared.u32 %%r7, [%%r6]; st.global.u32 [%%out], %%r7;\n" SYNC,
                ops[o]),
            NULL, 0);
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

/* All threads arrive at the object of rank 0; when it is complete, one thread there arrives at everyone's. */
static void test_arrivals(void **state)
{
    struct isa *t = *state;
    static const char *const arrivals[] = {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];",
                                           "mbarrier.arrive.shared::cluster.b64 _, [%r5], 1;",
                                           "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%r5], 4; "
                                           "mbarrier.complete_tx.shared::cluster.b64 [%r5], 4;",
                                           "mapa.u64 %rd2, %rd1, 0; mbarrier.arrive.b64 _, [%rd2];"};
    uint64_t want[N];
    for (unsigned k = 0; k < N; k++)
        want[k] = 1;
    for (unsigned i = 0; i < 4; i++) {
        struct kern k = kernel(
            arrivals[i],
            isa_fmt(
                t,
                "mov.u32 %%r80, %%cluster_ctarank; setp.ne.u32 %%p0, %%tx, 0; setp.ne.u32 %%p2, %%r80, 0; "
                "selp.u32 %%r79, 1, 257, "
                "%%p2;\n"
                "@!%%p0 mbarrier.init.shared.b64 [mb], %%r79; @!%%p0 "
                "fence.mbarrier_init.release.cluster;\n" SYNC
                "mov.u32 %%r4, mb; mov.u32 %%r6, 0; mapa.shared::cluster.u32 %%r5, %%r4, %%r6; mov.u64 "
                "%%rd1, mb; "
                "cvta.shared.u64 %%rd1, %%rd1; %s\n"
                "@%%p2 bra W; @%%p0 bra W; mov.u32 %%r6, 1;\n"
                "mbarrier.arrive.shared.b64 _, [mb];\n"
                "V: mbarrier.try_wait.parity.shared.b64 %%p1, [mb], 0; @!%%p1 bra V;\n"
                "A: mapa.shared::cluster.u32 %%r5, %%r4, %%r6; "
                "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%%r5]; add.u32 "
                "%%r6, %%r6, 1; setp.lt.u32 %%p3, %%r6, 4; @%%p3 bra A;\n"
                "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p1, [mb], 0; @!%%p1 bra W;\n"
                "mov.u32 %%r7, 1; st.global.u32 [%%out], %%r7;\n" SYNC,
                arrivals[i]),
            NULL, 0);
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

/* One CTA waits for what the others forget; and a mask beyond the cluster. */
static void test_wrong(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *body;
        int code;
        const char *says;
    } rows[] = {
        {"mov.u32 %r79, 1; " BEGIN "setp.ne.u32 %p2, %r80, 2; @%p2 bra E;\n" WAIT "E:", EXEC_DEADLOCK,
         "CTA (2,0,0) warp 1 lanes ffffffff line"},
        {"mov.u32 %r79, 1; " BEGIN "setp.ne.u32 %p2, %r80, 2; @%p2 bra E;\n" WAIT "E:", EXEC_DEADLOCK,
         "mbarrier at 0x0 in phase 0, 1 of 1 arrivals and 0 bytes pending"},
        {"mov.u32 %r79, 1; " BEGIN "mov.b16 %h1, 16; mov.u32 %r4, sh; @!%p0 "
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], "
         "[%in0], 16, [mb], %h1;",
         EXEC_BAD_ADDRESS, "is not in the cluster"},
        {"mov.u32 %r79, 1; " BEGIN "mov.u32 %r4, mb; mapa.shared::cluster.u32 %r5, %r4, %r81;\n"
         "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r5], 0; @!%p1 bra W;",
         EXEC_BAD_CODE, "only threads of its CTA can wait for it"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t out[N] = {0}, data[16] = {0};
        struct kern k = kernel(rows[i].body, rows[i].body, data, sizeof data);
        struct isa_launch l = kern_launch(t, &k, out);
        struct isa_result r = isa_try(t, 0, &l);
        t->checks++;
        if (r.status != ISA_FAILED || r.code != rows[i].code || !strstr(r.text, rows[i].says))
            isa_fail(t, "'%s': status %d, code %d, says '%s', not '%s'", rows[i].body, r.status, r.code,
                     r.text, rows[i].says);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_rows), cmocka_unit_test(test_boxes), cmocka_unit_test(test_between),
         cmocka_unit_test(test_arrivals), cmocka_unit_test(test_wrong))
