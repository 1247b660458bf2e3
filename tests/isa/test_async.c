/* SPDX-License-Identifier: Apache-2.0 */
/* Data movement through shared memory: ldmatrix, stmatrix, cp.async and its groups, mbarrier. */
#include "form.h"
#include "run.h"

static void random_bytes(struct isa *t, void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)rng_u32(&t->rng);
}

/* Fills shared memory from in0: 32 threads, 2048 bytes. */
static const char fill[] =
    "mov.u64 %rd20, sh; mad.wide.u32 %rd21, %tx, 64, %in0; mad.wide.u32 %rd22, %tx, 64, %rd20;\n"
    "ld.global.v4.u32 {%r40, %r41, %r42, %r43}, [%rd21]; st.shared.v4.u32 [%rd22], {%r40, %r41, %r42, %r43};"
    "ld.global.v4.u32 {%r40, %r41, %r42, %r43}, [%rd21+16]; st.shared.v4.u32 [%rd22+16], {%r40, %r41, %r42, "
    "%r43};"
    "ld.global.v4.u32 {%r40, %r41, %r42, %r43}, [%rd21+32]; st.shared.v4.u32 [%rd22+32], {%r40, %r41, %r42, "
    "%r43};"
    "ld.global.v4.u32 {%r40, %r41, %r42, %r43}, [%rd21+48]; st.shared.v4.u32 [%rd22+48], {%r40, %r41, %r42, "
    "%r43};"
    "bar.sync 0;\n";
static const char module[] = ".shared .align 128 .b8 sh[2048];\n";

/* Row addresses come from in1, one per lane; lane 8m + r gives row r of matrix m. */
static uint16_t matrix_at(const unsigned char *mem, const uint32_t *row, unsigned m, unsigned r, unsigned c)
{
    uint16_t v;
    memcpy(&v, mem + row[8 * m + r] + 2 * c, 2);
    return v;
}

static void test_movmatrix(void **state)
{
    struct isa *t = *state;
    uint16_t m[8][8];
    uint64_t want[32] = {0};
    random_bytes(t, m, sizeof m);
    for (unsigned l = 0; l < 32; l++)
        want[l] = m[l % 4 * 2][l / 4] | (uint32_t)m[l % 4 * 2 + 1][l / 4] << 16;
    struct kern k = {.name = "movmatrix.sync.aligned.m8n8.trans.b16",
                     .slots = 1,
                     .block = {32},
                     .in = {{m, sizeof m}},
                     .body =
                         "mad.wide.u32 %rd1, %tx, 4, %in0;\n  ld.global.b32 %r1, [%rd1];\n"
                         "  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\n  st.global.b32 [%out], %r1;"};
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

static void test_ldmatrix(void **state)
{
    struct isa *t = *state;
    static const unsigned char perm[] = {5, 9, 2, 30, 17, 0, 63, 44};
    unsigned char mem[2048];
    uint32_t row[32];
    random_bytes(t, mem, sizeof mem);
    for (unsigned n = 1; n <= 4; n *= 2)
        for (unsigned trans = 0; trans < 2; trans++)
            for (unsigned space = 0; space < 3; space++) {
                static const char *const spaces[] = {".shared", "", ".shared::cta"};
                uint64_t want[32][4] = {0};
                for (unsigned i = 0; i < 32; i++)
                    row[i] = i < 8 ? perm[i] * 16u : rng_below(&t->rng, 128) * 16;
                for (unsigned l = 0; l < 32; l++)
                    for (unsigned m = 0; m < n; m++) {
                        unsigned r = l / 4, c = l % 4 * 2;
                        uint32_t lo = trans ? matrix_at(mem, row, m, c, r) : matrix_at(mem, row, m, r, c);
                        uint32_t hi =
                            trans ? matrix_at(mem, row, m, c + 1, r) : matrix_at(mem, row, m, r, c + 1);
                        want[l][m] = lo | hi << 16;
                    }
                struct kern k = {.slots = 4,
                                 .block = {32},
                                 .module = module,
                                 .in = {{mem, sizeof mem}, {row, sizeof row}}};
                k.name = isa_fmt(t, "ldmatrix.sync.aligned.m8n8.x%u%s%s.b16", n, trans ? ".trans" : "",
                                 spaces[space]);
                k.body = isa_fmt(
                    t,
                    "%s mad.wide.u32 %%rd0, %%tx, 4, %%in1; ld.global.u32 %%r0, [%%rd0]; cvt.u64.u32 %%rd1, "
                    "%%r0; add.u64 %%rd1, %%rd1, %%rd20; %s"
                    "mov.u32 %%r1, 0; mov.u32 %%r2, 0; mov.u32 %%r3, 0; mov.u32 %%r4, 0; %s %s, [%%rd1];"
                    "st.global.u32 [%%out], %%r1; st.global.u32 [%%out+8], %%r2; st.global.u32 [%%out+16], "
                    "%%r3; st.global.u32 [%%out+24], %%r4;",
                    fill, space == 1 ? "cvta.shared.u64 %rd1, %rd1;" : "", k.name,
                    n == 1   ? "{%r1}"
                    : n == 2 ? "{%r1, %r2}"
                             : "{%r1, %r2, %r3, %r4}");
                kern_check(t, &k, &want[0][0], NULL);
            }
    ISA_DONE(t);
}

static void test_stmatrix(void **state)
{
    struct isa *t = *state;
    unsigned char mem[2048];
    uint32_t row[32];
    random_bytes(t, mem, sizeof mem);
    for (unsigned n = 1; n <= 4; n *= 2)
        for (unsigned trans = 0; trans < 2; trans++) {
            unsigned char after[2048];
            memcpy(after, mem, sizeof after);
            for (unsigned i = 0; i < 32; i++)
                row[i] = (i * 37 + 5) % 128 * 16; /* distinct rows */
            for (unsigned l = 0; l < 32; l++)
                for (unsigned m = 0; m < n; m++)
                    for (unsigned h = 0; h < 2; h++) { /* register m of lane l holds l, m, half */
                        uint16_t v = (uint16_t)(l * 64 + m * 2 + h);
                        unsigned r = l / 4, c = l % 4 * 2 + h;
                        memcpy(after + (trans ? row[8 * m + c] + 2 * r : row[8 * m + r] + 2 * c), &v, 2);
                    }
            uint64_t want[32][8];
            memcpy(want, after, sizeof want);
            struct kern k = {
                .slots = 8, .block = {32}, .module = module, .in = {{mem, sizeof mem}, {row, sizeof row}}};
            k.name = isa_fmt(t, "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16", n, trans ? ".trans" : "");
            k.body = isa_fmt(t,
                             "%s mad.wide.u32 %%rd0, %%tx, 4, %%in1; ld.global.u32 %%r0, [%%rd0]; "
                             "cvt.u64.u32 %%rd1, %%r0; add.u64 %%rd1, %%rd1, %%rd20;"
                             "shl.b32 %%r10, %%tx, 6; add.u32 %%r11, %%r10, 1; shl.b32 %%r11, %%r11, 16; "
                             "or.b32 %%r1, %%r10, %%r11;"
                             "add.u32 %%r2, %%r1, 0x20002; add.u32 %%r3, %%r2, 0x20002; add.u32 %%r4, %%r3, "
                             "0x20002; %s [%%rd1], %s; bar.sync 0;\n"
                             "ld.shared.v4.u32 {%%r5, %%r6, %%r7, %%r8}, [%%rd22]; st.global.v4.u32 [%%out], "
                             "{%%r5, %%r6, %%r7, %%r8};"
                             "ld.shared.v4.u32 {%%r5, %%r6, %%r7, %%r8}, [%%rd22+16]; st.global.v4.u32 "
                             "[%%out+16], {%%r5, %%r6, %%r7, %%r8};"
                             "ld.shared.v4.u32 {%%r5, %%r6, %%r7, %%r8}, [%%rd22+32]; st.global.v4.u32 "
                             "[%%out+32], {%%r5, %%r6, %%r7, %%r8};"
                             "ld.shared.v4.u32 {%%r5, %%r6, %%r7, %%r8}, [%%rd22+48]; st.global.v4.u32 "
                             "[%%out+48], {%%r5, %%r6, %%r7, %%r8};",
                             fill, k.name,
                             n == 1   ? "{%r1}"
                             : n == 2 ? "{%r1, %r2}"
                                      : "{%r1, %r2, %r3, %r4}");
            kern_check(t, &k, &want[0][0], NULL);
        }
    ISA_DONE(t);
}

/* Each thread copies one chunk; bytes beyond the source size are zero. */
static void test_cp_async(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *insn;
        unsigned bytes;
        const char *size;
        unsigned valid;
    } rows[] = {
        {"cp.async.ca.shared.global", 4, "", 4},
        {"cp.async.ca.shared.global", 8, "", 8},
        {"cp.async.ca.shared.global", 16, "", 16},
        {"cp.async.cg.shared.global", 16, "", 16},
        {"cp.async.ca.shared.global", 4, ", 2", 2},
        {"cp.async.ca.shared.global", 8, ", 0", 0},
        {"cp.async.cg.shared.global", 16, ", 7", 7},
        {"cp.async.ca.shared.global", 16, ", %r9", 12},
        {"cp.async.cg.shared.global.L2::128B", 16, "", 16},
        {"cp.async.ca.shared.global.L2::64B", 8, "", 8},
        {"cp.async.cg.shared::cta.global", 16, "", 16},
        {"cp.async.cg.shared.global.L2::cache_hint", 16, ", %rd0", 16},
        {"cp.async.cg.shared.global.L2::cache_hint.L2::128B", 16, ", %r9, %rd0", 12},
    };
    static const char *const waits[] = {"cp.async.commit_group; cp.async.wait_group 0;", "cp.async.wait_all;",
                                        "cp.async.commit_group; cp.async.wait_all;"};
    unsigned char mem[2048];
    random_bytes(t, mem, sizeof mem);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned w = 0; w < 3; w++) {
            uint64_t want[32][2];
            for (unsigned l = 0; l < 32; l++) {
                memset(want[l], 0xff, 16);
                memset(want[l], 0, rows[i].bytes);
                memcpy(want[l], mem + 64 * l + 16, rows[i].valid);
            }
            struct kern k = {.slots = 2, .block = {32}, .module = module, .in = {{mem, sizeof mem}}};
            k.name = isa_fmt(t, "%s %u%s", rows[i].insn, rows[i].bytes, rows[i].size);
            k.body =
                isa_fmt(t,
                        "mov.u64 %%rd0, sh; mad.wide.u32 %%rd1, %%tx, 16, %%rd0; mad.wide.u32 %%rd2, %%tx, "
                        "64, %%in0; mov.u32 %%r9, 12;"
                        "mov.u32 %%r0, -1; st.shared.v4.u32 [%%rd1], {%%r0, %%r0, %%r0, %%r0}; %s [%%rd1], "
                        "[%%rd2+16], %u%s; %s bar.sync 0;"
                        "ld.shared.v2.u64 {%%rd3, %%rd4}, [%%rd1]; st.global.v2.u64 [%%out], {%%rd3, %%rd4};",
                        rows[i].insn, rows[i].bytes, rows[i].size, waits[w]);
            kern_check(t, &k, &want[0][0], NULL);
        }
    ISA_DONE(t);
}

/* Two groups in flight; waiting for all but one must have brought the first. */
static void test_cp_async_groups(void **state)
{
    struct isa *t = *state;
    unsigned char mem[2048];
    uint64_t want[32][2];
    random_bytes(t, mem, sizeof mem);
    for (unsigned l = 0; l < 32; l++) {
        memcpy(&want[l][0], mem + 64 * l, 8);
        memcpy(&want[l][1], mem + 64 * l + 32, 8);
    }
    struct kern k = {.name = "cp.async.wait_group 1",
                     .slots = 2,
                     .block = {32},
                     .module = module,
                     .in = {{mem, sizeof mem}}};
    k.body = "mov.u64 %rd0, sh; mad.wide.u32 %rd1, %tx, 16, %rd0; mad.wide.u32 %rd2, %tx, 64, %in0;"
             "cp.async.ca.shared.global [%rd1], [%rd2], 8; cp.async.commit_group; cp.async.ca.shared.global "
             "[%rd1+8], [%rd2+32], 8; cp.async.commit_group;"
             "cp.async.wait_group 1; ld.shared.u64 %rd3, [%rd1]; cp.async.wait_group 0; ld.shared.u64 %rd4, "
             "[%rd1+8]; st.global.v2.u64 [%out], {%rd3, %rd4};";
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

/* Threads hand values round through an mbarrier, in several phases; both ways to wait. */
static void mbarrier(struct isa *t, const char *name, const char *arrive, const char *wait, unsigned count)
{
    uint64_t want[64];
    for (unsigned i = 0; i < 64; i++)
        want[i] = 3 * (63 - i) + 3;
    struct kern k = {.name = name,
                     .slots = 1,
                     .block = {64},
                     .module = ".shared .align 8 .b64 mb; .shared .align 4 .u32 data[64];\n"};
    k.body = isa_fmt(t,
                     "mov.u64 %%rd0, data; mad.wide.u32 %%rd1, %%tx, 4, %%rd0; sub.u32 %%r0, 63, %%tx; "
                     "mad.wide.u32 %%rd2, %%r0, 4, %%rd0;\n"
                     "setp.ne.u32 %%p0, %%tx, 0; @!%%p0 mbarrier.init.shared.b64 [mb], %u; bar.sync 0; "
                     "mov.u32 %%r1, 0; mov.u32 %%r2, 0; mov.u32 %%r7, 0;\n"
                     "LOOP: add.u32 %%r3, %%tx, %%r1; st.shared.u32 [%%rd1], %%r3; %s\nWAIT: %s\n @!%%p1 bra "
                     "WAIT; ld.shared.u32 %%r4, [%%rd2]; add.u32 %%r2, %%r2, %%r4;"
                     "bar.sync 0; xor.b32 %%r7, %%r7, 1; add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p2, %%r1, 3; "
                     "@%%p2 bra LOOP;\n"
                     "@!%%p0 mbarrier.inval.shared.b64 [mb]; st.global.u32 [%%out], %%r2;",
                     count, arrive, wait);
    kern_check(t, &k, want, NULL);
}

static void test_mbarrier(void **state)
{
    struct isa *t = *state;
    static const char test[] = "mbarrier.test_wait.shared.b64 %p1, [mb], %rd5;",
                      try_[] = "mbarrier.try_wait.shared.b64 %p1, [mb], %rd5;";
    mbarrier(t, "mbarrier.arrive.shared.b64", "mbarrier.arrive.shared.b64 %rd5, [mb];", test, 64);
    mbarrier(t, "mbarrier.try_wait.shared.b64", "mbarrier.arrive.shared.b64 %rd5, [mb];", try_, 64);
    mbarrier(t, "mbarrier.arrive count", "mbarrier.arrive.shared.b64 %rd5, [mb], 2;", test, 128);
    mbarrier(t, "mbarrier.test_wait.parity.shared.b64", "mbarrier.arrive.shared.b64 _, [mb];",
             "mbarrier.test_wait.parity.shared.b64 %p1, [mb], %r7;", 64);
    mbarrier(t, "mbarrier.try_wait.parity.shared.b64", "mbarrier.arrive.shared.b64 _, [mb];",
             "mbarrier.try_wait.parity.shared.b64 %p1, [mb], %r7;", 64);
    mbarrier(t, "mbarrier.arrive.release.cta.shared::cta.b64",
             "mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [mb];",
             "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p1, [mb], %rd5;", 64);
    mbarrier(t, "mbarrier.arrive.noComplete.shared.b64",
             "setp.ne.u32 %p3, %tx, 5; @!%p3 mbarrier.arrive.noComplete.shared.b64 %rd6, [mb], 1; "
             "mbarrier.arrive.shared.b64 %rd5, [mb];",
             test, 65);
    ISA_DONE(t);
}

/* pending_count, arrive_drop, and cp.async arriving. */
static void test_mbarrier_more(void **state)
{
    struct isa *t = *state;
    uint64_t want[32], drop[32], copied[32];
    unsigned char mem[256];
    random_bytes(t, mem, sizeof mem);
    for (unsigned i = 0; i < 32; i++) {
        want[i] = 100;
        drop[i] = 1;
        memcpy(&copied[i], mem + 8 * i, 8);
    }
    struct kern k = {.name = "mbarrier.pending_count.b64",
                     .slots = 1,
                     .block = {32},
                     .module = ".shared .align 8 .b64 mb; .shared .align 16 .b8 buf[256];\n"};
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 100; bar.sync 0; mov.b64 %rd0, "
             "0; mov.u32 %r0, 0; @%p0 bra S;"
             "mbarrier.arrive.shared.b64 %rd0, [mb]; mbarrier.pending_count.b64 %r0, %rd0;\nS: "
             "shfl.sync.idx.b32 %r0, %r0, 0, 31, -1; st.global.u32 [%out], %r0;";
    kern_check(t, &k, want, NULL);
    /* The first phase takes all 32, the second only the 16 that did not drop. */
    k.name = "mbarrier.arrive_drop.shared.b64";
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 32; bar.sync 0; setp.lt.u32 %p1, "
             "%tx, 16; @%p1 bra D; mbarrier.arrive.shared.b64 %rd0, [mb];"
             "bra W;\nD: mbarrier.arrive_drop.shared.b64 %rd0, [mb];\nW: mbarrier.test_wait.shared.b64 %p2, "
             "[mb], %rd0; @!%p2 bra W; @%p1 bra E;"
             "mbarrier.arrive.shared.b64 %rd0, [mb];\nX: mbarrier.test_wait.shared.b64 %p2, [mb], %rd0; "
             "@!%p2 bra X;\nE: mov.u32 %r0, 1; st.global.u32 [%out], %r0;";
    kern_check(t, &k, drop, NULL);
    k.name = "cp.async.mbarrier.arrive.noinc.shared.b64";
    k.in[0] = (struct isa_buf){mem, sizeof mem};
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 32; bar.sync 0; mov.u64 %rd1, "
             "buf; mad.wide.u32 %rd2, %tx, 8, %rd1; mad.wide.u32 %rd3, %tx, 8, %in0;"
             "cp.async.ca.shared.global [%rd2], [%rd3], 8; cp.async.mbarrier.arrive.noinc.shared.b64 [mb]; "
             "mov.u32 %r1, 0;\n"
             "W: mbarrier.test_wait.parity.shared.b64 %p2, [mb], %r1; @!%p2 bra W; ld.shared.u64 %rd4, "
             "[%rd2]; st.global.u64 [%out], %rd4;";
    kern_check(t, &k, copied, NULL);
    k.name = "cp.async.mbarrier.arrive.shared.b64";
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 32; bar.sync 0; mov.u64 %rd1, "
             "buf; mad.wide.u32 %rd2, %tx, 8, %rd1; mad.wide.u32 %rd3, %tx, 8, %in0;"
             "cp.async.ca.shared.global [%rd2], [%rd3], 8; cp.async.mbarrier.arrive.shared.b64 [mb]; "
             "mbarrier.arrive.shared.b64 %rd0, [mb];\n"
             "W: mbarrier.test_wait.shared.b64 %p2, [mb], %rd0; @!%p2 bra W; ld.shared.u64 %rd4, [%rd2]; "
             "st.global.u64 [%out], %rd4;";
    kern_check(t, &k, copied, NULL);
    ISA_DONE(t);
}

/* Bytes that a phase waits for, expected before or after they come; all spellings of arrivals. */
static void test_mbarrier_bytes(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *name, *body;
    } rows[] = {
        {"mbarrier.expect_tx",
         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [mb], 48; mbarrier.arrive.shared.b64 _, "
         "[mb]; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [mb], 48;"},
        {"mbarrier.complete_tx first", "mbarrier.complete_tx.shared::cluster.b64 [mb], 0xfffff; "
                                       "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 "
                                       "%rd0, [mb], 0xfffff;"},
        {"mbarrier.arrive.expect_tx",
         "mbarrier.arrive.expect_tx.shared.b64 %rd0, [mb], 16; "
         "mbarrier.complete_tx.shared.b64 [mb], 8; mbarrier.complete_tx.shared.b64 [mb], 8;"},
        {"mbarrier.arrive_drop.expect_tx",
         "mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 _, [mb], 16; "
         "mbarrier.complete_tx.shared.b64 [mb], 16;"},
        {"mbarrier.arrive.expect_tx.shared::cluster",
         "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [mb], 4; "
         "mbarrier.complete_tx.shared.b64 [mb], "
         "4;"},
        {"mbarrier.arrive.shared::cluster",
         "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [mb], 1;"},
        {"mbarrier.arrive.relaxed.cluster", "mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [mb];"},
        {"mbarrier.arrive generic", "cvta.shared.u64 %rd3, %rd2; mbarrier.arrive.b64 %rd0, [%rd3];"},
    };
    static const char *const waits[] = {
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [mb], 0;",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [mb], 0, 0x989680;",
        "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p1, [mb], 0;",
        "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p1, [mb], %r9, %r1;",
    };
    uint64_t want[64];
    for (unsigned i = 0; i < 64; i++)
        want[i] = 7;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned w = 0; w < 4; w++) {
            struct kern k = {.name = rows[i].name,
                             .slots = 1,
                             .block = {64},
                             .module = ".shared .align 8 .b64 mb; .shared .u32 data;\n"};
            k.body = isa_fmt(
                t,
                "setp.ne.u32 %%p0, %%tx, 0; @!%%p0 mbarrier.init.shared.b64 [mb], 1; bar.sync 0; mov.u32 "
                "%%r9, "
                "0; mov.u32 %%r1, 100; mov.u64 %%rd2, mb; setp.ne.u32 %%p2, %%tx, 40; @%%p2 bra W;\n"
                "mov.u32 %%r0, 7; st.shared.u32 [data], %%r0; %s\nW: %s @!%%p1 bra W; ld.shared.u32 %%r0, "
                "[data]; st.global.u32 [%%out], %%r0;",
                rows[i].body, waits[w]);
            kern_check(t, &k, want, NULL);
        }
    ISA_DONE(t);
}

/* Lanes of one instruction wait for different objects; one that a lane waits for is two phases further when the other's is
 * over. And waits that give up: what they let happen then is what others wait for. */
static void test_mbarrier_waits(void **state)
{
    struct isa *t = *state;
    uint64_t want[64];
    for (unsigned i = 0; i < 64; i++)
        want[i] = 1;
    struct kern k = {.slots = 1, .block = {64}, .module = ".shared .align 8 .b64 mb[2];\n"};
    k.name = "mbarrier.try_wait by lane";
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 1; @!%p0 "
             "mbarrier.init.shared.b64 [mb+8], 1; "
             "bar.sync 0; mov.u32 %r0, mb; and.b32 %r1, %tx, 1; shl.b32 %r1, %r1, 3; add.u32 %r0, %r0, %r1; "
             "setp.lt.u32 %p3, "
             "%tx, 32; @%p3 bra W;\n"
             "setp.ne.u32 %p2, %tx, 32; @%p2 bra W; mbarrier.arrive.shared.b64 _, [mb]; "
             "mbarrier.arrive.shared.b64 _, [mb]; "
             "mbarrier.arrive.shared.b64 _, [mb]; mbarrier.arrive.shared.b64 _, [mb+8];\n"
             "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r0], 0; selp.u32 %r2, 1, 0, %p1; st.global.u32 "
             "[%out], %r2;";
    kern_check(t, &k, want, NULL);
    k.name = "mbarrier.try_wait gives up";
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 2; bar.sync 0; setp.eq.u32 %p3, "
             "%tx, 32; @%p3 bra "
             "B; setp.eq.u32 %p3, %tx, 0; @!%p3 bra W;\n"
             "A: mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0, 20; @%p1 bra E; "
             "mbarrier.arrive.shared.b64 _, [mb]; bra W;\n"
             "B: mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0, 20; @%p1 bra E; "
             "mbarrier.arrive.shared.b64 _, [mb];\n"
             "W: mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0; @!%p1 bra W;\nE: mov.u32 %r0, 1; "
             "st.global.u32 [%out], %r0;";
    kern_check(t, &k, want, NULL);
    k.name = "mbarrier.try_wait guarded";
    k.body = "setp.ne.u32 %p0, %tx, 0; @!%p0 mbarrier.init.shared.b64 [mb], 1; bar.sync 0; mov.u32 %r0, 0; "
             "setp.lt.u32 %p2, %tx, "
             "16; setp.eq.u32 %p1, %r0, 0;\n"
             "@%p2 mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0;\n setp.eq.u32 %p3, %tx, 20; @%p3 "
             "mbarrier.arrive.shared.b64 "
             "_, [mb];\n"
             "W: mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0; @!%p1 bra W; mov.u32 %r0, 1; "
             "st.global.u32 [%out], %r0;";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_movmatrix), cmocka_unit_test(test_ldmatrix), cmocka_unit_test(test_stmatrix),
         cmocka_unit_test(test_cp_async), cmocka_unit_test(test_cp_async_groups),
         cmocka_unit_test(test_mbarrier), cmocka_unit_test(test_mbarrier_more),
         cmocka_unit_test(test_mbarrier_bytes), cmocka_unit_test(test_mbarrier_waits))
