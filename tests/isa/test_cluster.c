/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of CTAs: where a CTA is in its cluster, accesses to each other's shared memory, the cluster's barrier, stores that
 * announce themselves. */
#include "run.h"

#include "exec/exec.h"

#include <stdlib.h>

enum { SIZE = 4, T = 64, N = 2 * SIZE * T }; /* two clusters of four CTAs */

static const char module[] = ".shared .align 16 .b8 pad[48]; .shared .align 16 .b8 sh[2048];\n";
#define SYNC "barrier.cluster.arrive; barrier.cluster.wait;\n"
/* %r80 rank, %r81 rank of the next CTA, %r82 the thread's 16 bytes, %r83 the same in the next CTA. */
#define PLACE                                                                                                \
    "mov.u32 %r80, %cluster_ctarank; add.u32 %r81, %r80, 1; and.b32 %r81, %r81, 3; mov.u32 %r82, sh;\n"      \
    "mad.lo.u32 %r82, %tx, 16, %r82; mapa.shared::cluster.u32 %r83, %r82, %r81;\n"

#define PLACE_FMT                                                                                            \
    "mov.u32 %%r80, %%cluster_ctarank; add.u32 %%r81, %%r80, 1; and.b32 %%r81, %%r81, 3; mov.u32 %%r82, "    \
    "sh;\n"                                                                                                  \
    "mad.lo.u32 %%r82, %%tx, 16, %%r82; mapa.shared::cluster.u32 %%r83, %%r82, %%r81;\n"

/* The thread that has what thread i gets from the next CTA of its cluster. */
static uint32_t next_of(uint32_t i)
{
    uint32_t cta = i / T;
    return (cta / SIZE * SIZE + (cta + 1) % SIZE) * T + i % T;
}

static void check(struct isa *t, const char *name, const char *body, const uint64_t *want, unsigned slots)
{
    struct kern k = {.name = name,
                     .module = module,
                     .body = body,
                     .slots = slots,
                     .grid = {2 * SIZE},
                     .block = {T},
                     .cluster = {SIZE}};
    kern_check(t, &k, want, NULL);
}

static void position(struct isa *t, const uint32_t c[3], bool given)
{
    enum { GX = 4, GY = 6, GZ = 2, CTAS = GX * GY * GZ };
    static const char *const names[] = {
        "clusterid.x",      "clusterid.y",      "clusterid.z",     "nclusterid.x",     "nclusterid.y",
        "nclusterid.z",     "cluster_ctaid.x",  "cluster_ctaid.y", "cluster_ctaid.z",  "cluster_nctaid.x",
        "cluster_nctaid.y", "cluster_nctaid.z", "cluster_ctarank", "cluster_nctarank", "ctaid.y"};
    enum { NAMES = sizeof names / sizeof names[0], SLOTS = NAMES + 1 };
    uint64_t want[CTAS][SLOTS];
    const char *body = "";
    for (unsigned i = 0; i < NAMES; i++)
        body = isa_fmt(t, "%s mov.u32 %%r0, %%%s; st.global.u32 [%%out+%u], %%r0;\n", body, names[i], 8 * i);
    body = isa_fmt(
        t,
        "%s mov.pred %%p0, %%is_explicit_cluster; selp.u32 %%r0, 1, 0, %%p0; st.global.u32 [%%out+%u], %%r0;",
        body, 8 * NAMES);
    for (uint32_t i = 0; i < CTAS; i++) {
        uint32_t x = i % GX, y = i / GX % GY, z = i / GX / GY, rx = x % c[0], ry = y % c[1], rz = z % c[2];
        const uint32_t v[SLOTS] = {x / c[0],
                                   y / c[1],
                                   z / c[2],
                                   GX / c[0],
                                   GY / c[1],
                                   GZ / c[2],
                                   rx,
                                   ry,
                                   rz,
                                   c[0],
                                   c[1],
                                   c[2],
                                   rx + c[0] * (ry + c[1] * rz),
                                   c[0] * c[1] * c[2],
                                   y,
                                   given};
        for (unsigned k = 0; k < SLOTS; k++)
            want[i][k] = v[k];
    }
    struct kern k = {
        .name = "mov.u32 %cluster", .body = body, .slots = SLOTS, .grid = {GX, GY, GZ}, .block = {1}};
    if (given)
        memcpy(k.cluster, c, sizeof k.cluster);
    kern_check(t, &k, &want[0][0], NULL);
    for (unsigned i = 0; i < NAMES; i += 3)
        isa_count(t, isa_fmt(t, "%%%.*s", (int)strcspn(names[i], "."), names[i]));
}

static void test_position(void **state)
{
    struct isa *t = *state;
    position(t, (uint32_t[]){2, 3, 1}, true);
    position(t, (uint32_t[]){2, 2, 2}, true);
    position(t, (uint32_t[]){1, 1, 1}, true);
    position(t, (uint32_t[]){1, 1, 1}, false); /* every CTA is a cluster */
    isa_count(t, "%is_explicit_cluster");
    ISA_DONE(t);
}

/* Every thread fills 16 bytes and reads those of the thread like it in the next CTA. */
static void test_loads(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *type;
        unsigned at, bytes, reg;
    } forms[] = {{"u8", 3, 1, 'r'},  {"s8", 0, 1, 'r'},  {"u16", 2, 2, 'r'}, {"s16", 6, 2, 'r'},
                 {"u32", 4, 4, 'r'}, {"b32", 8, 4, 'r'}, {"u64", 8, 8, 'd'}, {"b64", 0, 8, 'd'}};
    static const char *const ways[] = {"ld.shared::cluster", "ld.relaxed.cluster.shared::cluster",
                                       "ld.acquire.cluster.shared::cluster", "ld.volatile.shared::cluster",
                                       "ld"};
    for (unsigned f = 0; f < sizeof forms / sizeof forms[0]; f++)
        for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            uint64_t want[N];
            for (uint32_t i = 0; i < N; i++) {
                uint32_t data[4];
                for (unsigned k = 0; k < 4; k++)
                    data[k] = (next_of(i) * 4 + k) * 2654435761u;
                uint64_t v = 0;
                memcpy(&v, (unsigned char *)data + forms[f].at, forms[f].bytes);
                if (!strcmp(forms[f].type, "s8"))
                    v = (uint32_t)(int8_t)v;
                if (!strcmp(forms[f].type, "s16"))
                    v = (uint32_t)(int16_t)v;
                want[i] = v;
            }
            bool generic = w == 4, wide = forms[f].reg == 'd';
            const char *name = isa_fmt(t, "%s.%s", ways[w], forms[f].type);
            const char *body = isa_fmt(
                t,
                PLACE_FMT
                "mul.lo.u32 %%r0, %%gid, 4; mov.u32 %%r9, -1640531535; mul.lo.u32 %%r1, %%r0, %%r9; add.u32 "
                "%%r2, %%r1, %%r9;"
                " add.u32 %%r3, %%r2, %%r9; add.u32 %%r4, %%r3, %%r9;\n"
                "st.shared.v4.u32 [%%r82], {%%r1, %%r2, %%r3, %%r4};\n" SYNC
                "cvt.u64.u32 %%rd0, %%r82; cvta.shared.u64 %%rd1, %%rd0; mapa.u64 %%rd2, %%rd1, %%r81;\n"
                "mov.u64 %%rd3, 0; %s %s, [%s+%u]; %s\n st.global.u64 [%%out], %%rd3;" SYNC,
                name, wide ? "%rd3" : "%r5", generic ? "%rd2" : "%r83", forms[f].at,
                wide ? "" : "cvt.u64.u32 %rd3, %r5;");
            check(t, name, body, want, 1);
        }
    ISA_DONE(t);
}

/* Vectors there and back, to the next CTA and from it. */
static void test_stores(void **state)
{
    struct isa *t = *state;
    static const char *const ways[] = {"shared::cluster", ""};
    for (unsigned w = 0; w < 2; w++) {
        uint64_t want[N][2];
        for (uint32_t i = 0; i < N; i++) {
            /* what the CTA before this one stored here */
            uint32_t from = (i / T / SIZE * SIZE + (i / T + SIZE - 1) % SIZE) * T + i % T;
            want[i][0] = from | (uint64_t)(from + 1) << 32;
            want[i][1] = (from + 2) | (uint64_t)(uint16_t)(from + 3) << 32 | (uint64_t)(uint8_t)from << 48 |
                         0xabull << 56;
        }
        const char *dot = w ? "" : ".", *a = w ? "%rd2" : "%r83";
        const char *body =
            isa_fmt(t,
                    PLACE_FMT
                    "cvt.u64.u32 %%rd0, %%r82; cvta.shared.u64 %%rd1, %%rd0; mapa.u64 %%rd2, %%rd1, %%r81;\n"
                    "add.u32 %%r1, %%gid, 1; add.u32 %%r2, %%gid, 2; add.u32 %%r3, %%gid, 3; cvt.u16.u32 "
                    "%%h3, %%r3; cvt.u16.u32 %%h4, %%gid;\n"
                    "st%s%s.v2.u32 [%s], {%%gid, %%r1}; st%s%s.u32 [%s+8], %%r2; st%s%s.u16 [%s+12], %%h3; "
                    "st%s%s.u8 [%s+14], %%h4; "
                    "mov.u16 %%h5, 0xab; st%s%s.b8 [%s+15], %%h5;\n" SYNC
                    "ld.shared.v2.u64 {%%rd4, %%rd5}, [%%r82]; st.global.u64 [%%out], %%rd4; st.global.u64 "
                    "[%%out+8], %%rd5;",
                    dot, ways[w], a, dot, ways[w], a, dot, ways[w], a, dot, ways[w], a, dot, ways[w], a);
        check(t, w ? "st.v2.u32" : "st.shared::cluster.v2.u32", body, &want[0][0], 2);
    }
    ISA_DONE(t);
}

/* All threads of the cluster count in the CTA of rank 2. */
static void test_atomics(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *op, *arg;
        uint32_t want;
    } rows[] = {{"atom.shared::cluster.add.u32 %r5, ", "3", 3 * SIZE * T},
                {"atom.relaxed.cluster.shared::cluster.max.u32 %r5, ", "%tx", T - 1},
                {"atom.acq_rel.cluster.shared::cluster.or.b32 %r5, ", "%r84", 15},
                {"red.shared::cluster.inc.u32 ", "1000", SIZE * T},
                {"red.relaxed.cluster.shared::cluster.add.u32 ", "1", SIZE * T}};
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (unsigned generic = 0; generic < 2; generic++) {
            uint64_t want[N];
            for (uint32_t i = 0; i < N; i++)
                want[i] = rows[k].want;
            const char *op = rows[k].op, *cut = strstr(op, ".shared::cluster");
            const char *name =
                generic ? isa_fmt(t, "%.*s%s", (int)(cut - op), op, cut + strlen(".shared::cluster")) : op;
            const char *body =
                isa_fmt(t,
                        PLACE_FMT "mov.u32 %%r0, sh; mapa.shared::cluster.u32 %%r1, %%r0, 2; mov.u32 %%r84, "
                                  "1; shl.b32 %%r84, %%r84, %%r80;\n"
                                  "cvt.u64.u32 %%rd0, %%r1; cvta.shared::cluster.u64 %%rd1, %%rd0;\n" SYNC
                                  "%s [%s], %s;\n" SYNC
                                  "ld.shared::cluster.u32 %%r6, [%%r1]; st.global.u32 [%%out], %%r6;" SYNC,
                        name, generic ? "%rd1" : "%r1", rows[k].arg);
            check(t, name, body, want, 1);
        }
    ISA_DONE(t);
}

/* Sums in floating point are loops of exchanges in the own memory, and one instruction elsewhere. */
static void test_float_atomics(void **state)
{
    struct isa *t = *state;
    uint64_t want[N];
    for (uint32_t i = 0; i < N; i++)
        want[i] = 0x43800000; /* 256 */
    check(t, "red.shared::cluster.add.f32",
          PLACE "mapa.shared::cluster.u32 %r1, sh, 1; mov.f32 %f0, 0f3f800000;\n" SYNC
                "red.shared::cluster.add.f32 [%r1], %f0;\n" SYNC
                "ld.shared::cluster.u32 %r6, [%r1]; st.global.u32 [%out], %r6;" SYNC,
          want, 1);
    ISA_DONE(t);
}

/* mapa of what mapa gave; getctarank and isspacep of both; the own rank's address is that of the own memory. */
static void test_addresses(void **state)
{
    struct isa *t = *state;
    uint64_t want[N][8];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t rank = i / T % SIZE;
        const uint64_t v[8] = {rank, 3, (rank + 1) % SIZE, 3, 1, rank == 3, 1, 3 * 1000 + rank};
        memcpy(want[i], v, sizeof v);
    }
    check(t, "mapa.shared::cluster.u32",
          PLACE
          "mapa.shared::cluster.u32 %r1, %r83, 3; getctarank.shared::cluster.u32 %r2, %r82; st.global.u32 "
          "[%out], %r2;\n"
          "getctarank.shared::cluster.u32 %r2, %r1; st.global.u32 [%out+8], %r2;\n"
          "getctarank.shared::cluster.u32 %r2, %r83; st.global.u32 [%out+16], %r2;\n"
          "cvt.u64.u32 %rd0, %r82; cvta.shared.u64 %rd1, %rd0; mapa.u64 %rd2, %rd1, 3;\n"
          "getctarank.u64 %r2, %rd2; st.global.u32 [%out+24], %r2;\n"
          "isspacep.shared::cluster %p0, %rd2; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%out+32], %r2;\n"
          "isspacep.shared::cta %p0, %rd2; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%out+40], %r2;\n"
          "isspacep.shared %p0, %rd1; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%out+48], %r2;\n"
          "mapa.shared::cluster.u64 %rd3, %rd0, %r80; mad.lo.u32 %r3, %r80, 1, 3000; cvt.u32.u64 %r4, %rd3;\n"
          "st.shared.u32 [%r4], %r3; ld.shared.u32 %r5, [%r82]; st.global.u32 [%out+56], %r5;" SYNC,
          &want[0][0], 8);
    isa_count(t, "getctarank.shared::cluster.u32");
    isa_count(t, "getctarank.u64");
    isa_count(t, "isspacep.shared::cluster");
    isa_count(t, "mapa.u64");
    ISA_DONE(t);
}

static void test_barriers(void **state)
{
    struct isa *t = *state;
    static const char *const rows[][2] = {
        {"barrier.cluster.arrive", "barrier.cluster.wait"},
        {"barrier.cluster.arrive.aligned", "barrier.cluster.wait.aligned"},
        {"barrier.cluster.arrive.release", "barrier.cluster.wait.acquire"},
        {"barrier.cluster.arrive.release.aligned", "barrier.cluster.wait.acquire.aligned"},
        {"fence.acq_rel.cluster; barrier.cluster.arrive.relaxed", "barrier.cluster.wait"},
        {"fence.mbarrier_init.release.cluster; barrier.cluster.arrive.relaxed.aligned",
         "barrier.cluster.wait"},
        {"fence.release.sync_restrict::shared::cta.cluster; barrier.cluster.arrive",
         "barrier.cluster.wait; fence.acquire.sync_restrict::shared::cluster.cluster"},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        uint64_t want[N];
        for (uint32_t i = 0; i < N; i++)
            want[i] = next_of(i) * 7;
        const char *body = isa_fmt(
            t,
            PLACE_FMT "mul.lo.u32 %%r1, %%gid, 7; st.shared.u32 [%%r82], %%r1; %s; mov.u32 %%r7, 100;\n"
                      "L: sub.u32 %%r7, %%r7, 1; setp.ne.u32 %%p0, %%r7, %%tx; @%%p0 bra L;\n %s;\n"
                      "ld.shared::cluster.u32 %%r5, [%%r83]; st.global.u32 [%%out], %%r5; %s; %s;",
            rows[k][0], rows[k][1], rows[k][0], rows[k][1]);
        check(t, strstr(rows[k][0], "barrier.cluster"), body, want, 1);
        isa_count(t, rows[k][1]);
    }
    ISA_DONE(t);
}

/* Each thread sends to the next CTA, whose barrier object counts the bytes. */
static void test_async(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *insn, *value;
        unsigned bytes;
    } rows[] = {
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32", "%r1", 4},
        {"st.async.shared::cluster.mbarrier::complete_tx::bytes.b64", "%rd1", 8},
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32", "{%r1, %r2}", 8},
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32", "{%r1, %r2, %r3, %r4}", 16},
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s64", "{%rd1, %rd2}", 16},
        {"st.async.weak.mbarrier::complete_tx::bytes.f32", "%f1", 4},
        {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32", "%r1", 4},
        {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64", "%rd1", 8},
        {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32", "%r1", 4},
        {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32", "%r1", 4}};
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        uint64_t want[N][2];
        bool generic = !strstr(rows[k].insn, "shared");
        for (uint32_t i = 0; i < N; i++) {
            uint32_t from = (i / T / SIZE * SIZE + (i / T + SIZE - 1) % SIZE) * T + i % T;
            uint32_t w[4] = {from + 1, from + 2, from + 3, from + 4};
            want[i][0] = want[i][1] = 0;
            memcpy(want[i], w, rows[k].bytes);
        }
        const char *body = isa_fmt(
            t,
            PLACE_FMT
            "mov.u32 %%r20, bar; mapa.shared::cluster.u32 %%r21, %%r20, %%r81; setp.eq.u32 %%p0, %%tx, 0;\n"
            "cvt.u64.u32 %%rd10, %%r83; cvta.shared::cluster.u64 %%rd10, %%rd10; cvt.u64.u32 %%rd11, %%r21; "
            "cvta.shared::cluster.u64 %%rd11, %%rd11;\n"
            "@%%p0 mbarrier.init.shared.b64 [%%r20], 1; @%%p0 mbarrier.arrive.expect_tx.shared.b64 %%rd5, "
            "[%%r20], %u;\n"
            "@%%p0 fence.mbarrier_init.release.cluster;\n" SYNC
            "add.u32 %%r1, %%gid, 1; add.u32 %%r2, %%gid, 2; add.u32 %%r3, %%gid, 3; add.u32 %%r4, %%gid, "
            "4;\n"
            "mov.b64 %%rd1, {%%r1, %%r2}; mov.b64 %%rd2, {%%r3, %%r4}; mov.b32 %%f1, %%r1;\n"
            "%s [%s], %s, [%s];\n"
            "W: mbarrier.try_wait.parity.shared.b64 %%p1, [%%r20], 0; @!%%p1 bra W;\n"
            "ld.shared.v2.u64 {%%rd4, %%rd5}, [%%r82]; st.global.u64 [%%out], %%rd4; st.global.u64 "
            "[%%out+8], %%rd5;" SYNC,
            T * rows[k].bytes, rows[k].insn, generic ? "%rd10" : "%r83", rows[k].value,
            generic ? "%rd11" : "%r21");
        struct kern q = {.name = rows[k].insn,
                         .module = ".shared .align 16 .b8 sh[2048]; .shared .align 8 .b64 bar;\n",
                         .body = body,
                         .slots = 2,
                         .grid = {2 * SIZE},
                         .block = {T},
                         .cluster = {SIZE}};
        kern_check(t, &q, &want[0][0], NULL);
    }
    ISA_DONE(t);
}

/* What cannot be ends the launch with CTA, lane and address; threads that wait for ever are listed. */
static void test_errors(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *body, *says;
        int code;
    } rows[] = {
        {PLACE "mapa.shared::cluster.u32 %r1, %r82, 4; ld.shared::cluster.u32 %r2, [%r1]; st.global.u32 "
               "[%out], %r2;",
         "shared load of 4 bytes at 0x5000000: rank 4 of a cluster of 4 CTAs", EXEC_BAD_ADDRESS},
        {PLACE "mapa.shared::cluster.u32 %r1, %r82, -1; st.shared::cluster.u32 [%r1], %r2;",
         "rank 254 of a cluster of 4 CTAs", EXEC_BAD_ADDRESS},
        {PLACE "atom.shared::cluster.add.u32 %r2, [%r83+4096], 1;",
         "shared atomic of 4 bytes at 0x2001000: the CTA has 2048 bytes", EXEC_BAD_ADDRESS},
        {PLACE "ld.shared.u32 %r2, [%r83]; st.global.u32 [%out], %r2;",
         "it belongs to the CTA of rank 1, this is that of rank 0", EXEC_BAD_ADDRESS},
        {PLACE "st.shared::cluster.u32 [%r83+2], %r2;", "not a multiple of 4", EXEC_MISALIGNED},
        {"barrier.cluster.wait;", "barrier.cluster.wait: the thread has not arrived", EXEC_BAD_CODE},
        {"barrier.cluster.arrive; barrier.cluster.arrive;", "has arrived already and not waited",
         EXEC_BAD_CODE},
        {"mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 2; @%p0 bra L;\n"
         "barrier.cluster.arrive; barrier.cluster.wait; ret;\nL: bar.sync 1, 96;",
         "cluster barrier, 192 of 256 threads", EXEC_DEADLOCK},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t out[N] = {0};
        struct kern k = {.name = "cluster errors", .module = module, .body = rows[i].body, .slots = 1};
        k.grid[0] = 2 * SIZE;
        k.block[0] = T;
        k.cluster[0] = SIZE;
        struct isa_launch l = kern_launch(t, &k, out);
        struct isa_result r = isa_try(t, 0, &l);
        t->checks++;
        if (r.status != ISA_FAILED || r.code != rows[i].code || !strstr(r.text, rows[i].says))
            isa_fail(t, "'%s' gives %d, %d: %s", rows[i].body, r.status, r.code, r.text);
        if (r.code != EXEC_DEADLOCK && !strstr(r.text, "CTA (0,0,0), warp 0, lane 0, isa.ptx:"))
            isa_fail(t, "'%s' does not say where: %s", rows[i].body, r.text);
        if (r.code == EXEC_DEADLOCK &&
            !strstr(r.text, "every warp of the cluster waits\n  CTA (0,0,0) warp 0 lanes ffffffff line "))
            isa_fail(t, "no table: %s", r.text);
    }
    ISA_DONE(t);
}

/* Launches that no cluster makes. */
static void test_shapes(void **state)
{
    struct isa *t = *state;
    static const struct {
        uint32_t grid[3], cluster[3];
        const char *directives, *says;
    } rows[] = {
        {{6}, {4}, "", "grid dimension x is 6: no multiple of the cluster's 4"},
        {{4, 3}, {2, 2}, "", "grid dimension y is 3: no multiple of the cluster's 2"},
        {{32}, {32}, "", "clusters of 32 x 1 x 1 CTAs: at most 16 are possible"},
        {{8, 8, 8}, {4, 4, 2}, "", "clusters of 4 x 4 x 2 CTAs: at most 16 are possible"},
        {{8},
         {2},
         ".reqnctapercluster 4",
         "cluster dimension x is 2: the kernel requires 4 (.reqnctapercluster)"},
        {{6}, {0}, ".reqnctapercluster 4", "grid dimension x is 6: no multiple of the cluster's 4"},
        {{8}, {8}, ".maxclusterrank 4", "clusters of 8 CTAs: the kernel allows 4 (.maxclusterrank)"},
        {{8}, {0}, ".explicitcluster", "the kernel must be launched in clusters (.explicitcluster)"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct isa_launch l = {
            .ptx = isa_fmt(t, ISA_HEAD ".visible .entry k() %s { ret; }\n", rows[i].directives),
            .block = {32}};
        memcpy(l.grid, rows[i].grid, sizeof l.grid);
        memcpy(l.cluster, rows[i].cluster, sizeof l.cluster);
        struct isa_result r = isa_try(t, 0, &l);
        t->checks++;
        if (r.status != ISA_FAILED || r.code != EXEC_BAD_LAUNCH || !strstr(r.text, rows[i].says))
            isa_fail(t, "%u: %d, %d: %s", i, r.status, r.code, r.text);
    }
    ISA_DONE(t);
}

/* What a CTA leaves in shared memory stays until all of its cluster have ended. */
static void test_ended(void **state)
{
    struct isa *t = *state;
    uint64_t want[N];
    for (uint32_t i = 0; i < N; i++)
        want[i] = i / T % SIZE == 0 ? 0 : (i / T / SIZE * SIZE) * T + i % T + 5;
    check(t, "ld.shared::cluster after exit",
          PLACE "add.u32 %r1, %gid, 5; st.shared.u32 [%r82], %r1;\n" SYNC
                "setp.eq.u32 %p0, %r80, 0; @%p0 exit;\n"
                "mov.u32 %r7, 1000; L: sub.u32 %r7, %r7, 1; setp.ne.u32 %p1, %r7, 0; @%p1 bra L;\n"
                "mapa.shared::cluster.u32 %r2, %r82, 0; ld.shared::cluster.u32 %r3, [%r2]; st.global.u32 "
                "[%out], %r3;",
          want, 1);
    ISA_DONE(t);
}

/* ---- random ---- */

enum { MAX_CTAS = 16, MAX_T = 96, STEPS = 6 };

/* One step: every thread puts its value into a word of some CTA, no two into the same, all meet, and every thread takes a word
 * from some CTA. Some threads leave before. Words alternate between two halves, so that one barrier a step is enough. */
struct step {
    uint32_t to, slot_mul, slot_add, from, take_add, quit;
    unsigned put, take;
};

static uint32_t mix(uint32_t v, uint32_t got) { return (v ^ got) * 2654435761u + 12345; }

static void reference(const struct step *s, uint32_t n, uint32_t threads, uint32_t ctas, uint64_t *want)
{
    for (uint32_t first = 0; first < ctas; first += n) {
        uint32_t(*mem)[2][MAX_T] = calloc(MAX_CTAS, sizeof *mem);
        uint32_t v[MAX_CTAS][MAX_T];
        bool gone[MAX_CTAS][MAX_T] = {{0}};
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t x = 0; x < threads; x++)
                v[r][x] = (first + r) * threads + x + 1;
        for (unsigned k = 0; k < STEPS; k++) {
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t x = 0; x < threads; x++) {
                    gone[r][x] |= (x + r) % 61 == s[k].quit;
                    uint32_t *to =
                        &mem[(r + s[k].to) % n][k % 2][(x * s[k].slot_mul + s[k].slot_add) % threads];
                    if (!gone[r][x])
                        *to = s[k].put == 2 ? *to + v[r][x] : v[r][x];
                }
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t x = 0; x < threads; x++)
                    if (!gone[r][x])
                        v[r][x] =
                            mix(v[r][x], mem[(r + s[k].from) % n][k % 2][(x + s[k].take_add) % threads]);
        }
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t x = 0; x < threads; x++)
                want[(first + r) * threads + x] = gone[r][x] ? 0 : v[r][x];
        free(mem);
    }
}

static const char *step_text(struct isa *t, const struct step *s, unsigned k, uint32_t n, uint32_t threads)
{
    static const char *const puts[] = {"st.shared::cluster.u32 [%r23], %r1;", "st.u32 [%rd23], %r1;",
                                       "red.shared::cluster.add.u32 [%r23], %r1;",
                                       "atom.exch.b32 %r9, [%rd23], %r1;"};
    static const char *const takes[] = {"ld.shared::cluster.u32 %r5, [%r26];", "ld.u32 %r5, [%rd26];",
                                        "ld.acquire.cluster.shared::cluster.u32 %r5, [%r26];"};
    return arena_printf(
        &t->arena,
        "add.u32 %%r2, %%tx, %%r80; rem.u32 %%r2, %%r2, 61; setp.eq.u32 %%p0, %%r2, %u; @%%p0 exit;\n"
        "add.u32 %%r20, %%r80, %u; rem.u32 %%r20, %%r20, %u; mad.lo.u32 %%r21, %%tx, %u, %u; rem.u32 %%r21, "
        "%%r21, %u;\n"
        "mad.lo.u32 %%r22, %%r21, 4, %%r81; mapa.shared::cluster.u32 %%r23, %%r22, %%r20;\n"
        "cvt.u64.u32 %%rd22, %%r22; cvta.shared.u64 %%rd22, %%rd22; mapa.u64 %%rd23, %%rd22, %%r20;\n"
        "%s\n" SYNC "add.u32 %%r20, %%r80, %u; rem.u32 %%r20, %%r20, %u; add.u32 %%r21, %%tx, %u; rem.u32 "
        "%%r21, %%r21, %u;\n"
        "mad.lo.u32 %%r22, %%r21, 4, %%r81; mapa.shared::cluster.u32 %%r26, %%r22, %%r20;\n"
        "cvt.u64.u32 %%rd26, %%r26; cvta.shared::cluster.u64 %%rd26, %%rd26; %s\n"
        "xor.b32 %%r1, %%r1, %%r5; mad.lo.u32 %%r1, %%r1, -1640531535, 12345; xor.b32 %%r81, %%r81, 512;\n",
        s[k].quit, s[k].to, n, s[k].slot_mul, s[k].slot_add, threads, puts[s[k].put], s[k].from, n,
        s[k].take_add, threads, takes[s[k].take]);
}

static void random_one(struct isa *t)
{
    static const uint32_t odd[] = {1, 5, 7, 11};
    uint32_t c[3] = {1 + rng_below(&t->rng, 4), 1 + rng_below(&t->rng, 2), 1 + rng_below(&t->rng, 2)};
    uint32_t n = c[0] * c[1] * c[2], threads = 32 * (1 + rng_below(&t->rng, 3)), ctas = 2 * n;
    struct step s[STEPS];
    uint64_t want[2 * MAX_CTAS * MAX_T];
    const char *body = arena_printf(&t->arena,
                                    "mov.u32 %%r80, %%cluster_ctarank; mov.u32 %%r81, sh; mov.u32 %%r6, "
                                    "%%clusterid.x; mad.lo.u32 %%r6, %%r6, %u, %%r80;\n"
                                    "mad.lo.u32 %%r1, %%r6, %u, %%tx; add.u32 %%r1, %%r1, 1;\n",
                                    n, threads);
    for (unsigned k = 0; k < STEPS; k++) {
        s[k] = (struct step){rng_below(&t->rng, n), odd[rng_below(&t->rng, 4)],  rng_below(&t->rng, threads),
                             rng_below(&t->rng, n), rng_below(&t->rng, threads), rng_below(&t->rng, 200),
                             rng_below(&t->rng, 4), rng_below(&t->rng, 3)};
        body = arena_printf(&t->arena, "%s%s", body, step_text(t, s, k, n, threads));
    }
    body =
        arena_printf(&t->arena,
                     "%s mad.lo.u32 %%r6, %%r6, %u, %%tx; mad.wide.u32 %%rd0, %%r6, 8, %%in0; st.global.u32 "
                     "[%%rd0], %%r1;",
                     body, threads);
    uint64_t got[2 * MAX_CTAS * MAX_T] = {0}, none[2 * MAX_CTAS * MAX_T] = {0};
    memset(want, 0, sizeof want);
    reference(s, n, threads, ctas, want);
    struct kern k = {.name = "random cluster",
                     .module = ".shared .align 1024 .b8 sh[1024];\n",
                     .body = body,
                     .slots = 1,
                     .grid = {2 * c[0], c[1], c[2]},
                     .block = {threads},
                     .cluster = {c[0], c[1], c[2]},
                     .in = {{got, sizeof got}}};
    kern_check(t, &k, none, (const void *const[]){want});
}

static void test_random(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < 40; i++)
        random_one(t);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_position), cmocka_unit_test(test_loads), cmocka_unit_test(test_stores),
         cmocka_unit_test(test_atomics), cmocka_unit_test(test_float_atomics),
         cmocka_unit_test(test_addresses), cmocka_unit_test(test_barriers), cmocka_unit_test(test_async),
         cmocka_unit_test(test_errors), cmocka_unit_test(test_shapes), cmocka_unit_test(test_ended),
         cmocka_unit_test(test_random))
