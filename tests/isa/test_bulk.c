/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies of bytes in a row, and the barrier objects and groups that tell when they are done. */
#include "exec/exec.h"
#include "run.h"

enum { BYTES = 4096, THREADS = 64 };

static const char module[] = ".shared .align 128 .b8 sh[4096]; .shared .align 128 .b8 other[4096];\n"
                             ".shared .align 8 .b64 mb;\n";

/* Fills sh from in0, other from in1; %p0: not the first thread. Then the body, then sh and other go back. */
static const char before[] =
    "setp.ne.u32 %p0, %tx, 0; mov.u32 %r40, sh; mov.u32 %r41, other; shl.b32 %r42, %tx, 6;\n"
    "add.u32 %r43, %r40, %r42; add.u32 %r44, %r41, %r42; cvt.u64.u32 %rd20, %r42; add.u64 %rd21, %in0, "
    "%rd20;\n"
    "add.u64 %rd22, %in1, %rd20; mov.u32 %r45, 0;\n"
    "IN: ld.global.u64 %rd23, [%rd21]; st.shared.u64 [%r43], %rd23; ld.global.u64 %rd23, [%rd22];\n"
    "st.shared.u64 [%r44], %rd23; add.u64 %rd21, %rd21, 8; add.u64 %rd22, %rd22, 8; add.u32 %r43, %r43, 8;\n"
    "add.u32 %r44, %r44, 8; add.u32 %r45, %r45, 8; setp.lt.u32 %p15, %r45, 64; @%p15 bra IN;\n"
    "@!%p0 mbarrier.init.shared::cta.b64 [mb], 1; @!%p0 fence.mbarrier_init.release.cluster; bar.sync 0;\n";
static const char after[] =
    "bar.sync 0; add.u32 %r43, %r40, %r42; add.u32 %r44, %r41, %r42; add.u64 %rd21, %in0, %rd20;\n"
    "add.u64 %rd22, %in1, %rd20; mov.u32 %r45, 0;\n"
    "OUT: ld.shared.u64 %rd23, [%r43]; st.global.u64 [%rd21], %rd23; ld.shared.u64 %rd23, [%r44];\n"
    "st.global.u64 [%rd22], %rd23; add.u64 %rd21, %rd21, 8; add.u64 %rd22, %rd22, 8; add.u32 %r43, %r43, 8;\n"
    "add.u32 %r44, %r44, 8; add.u32 %r45, %r45, 8; setp.lt.u32 %p15, %r45, 64; @%p15 bra OUT;\n";

struct bench {
    unsigned char mem[3][BYTES], want[3][BYTES]; /* sh, other, a global buffer */
};

static void fill(struct isa *t, struct bench *b)
{
    for (unsigned m = 0; m < 3; m++)
        for (unsigned i = 0; i < BYTES; i++)
            b->mem[m][i] = (unsigned char)rng_u32(&t->rng);
    memcpy(b->want, b->mem, sizeof b->want);
}

static struct kern kernel(struct isa *t, struct bench *b, const char *name, const char *body)
{
    struct kern k = {.name = name, .slots = 1, .block = {THREADS}, .module = module};
    for (unsigned m = 0; m < 3; m++)
        k.in[m] = (struct isa_buf){b->mem[m], BYTES};
    k.body = isa_fmt(t, "%s%s\n%s", before, body, after);
    return k;
}

static void check(struct isa *t, struct bench *b, const char *name, const char *body)
{
    static const uint64_t zeros[THREADS];
    const void *want[3] = {b->want[0], b->want[1], b->want[2]};
    struct kern k = kernel(t, b, name, body);
    kern_check(t, &k, zeros, want);
}

#define WAIT "W: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [mb], 0; @!%p1 bra W;"
#define WAITF                                                                                                \
    "W: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %%p1, [mb], 0; @!%%p1 bra W;" /* in a format */

static void test_load(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *dst, *mods, *tail;
    } rows[] = {
        {".shared::cluster", "", ""},
        {".shared::cta", "", ""},
        {".shared::cluster", ".L2::cache_hint", ", %rd9"},
        {".shared::cluster", ".multicast::cluster", ", %h1"},
        {".shared::cluster", ".multicast::cluster.L2::cache_hint", ", %h1, %rd9"},
    };
    static const unsigned sizes[] = {16, 48, 1024, 4096};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned s = 0; s < 4; s++) {
            struct bench b;
            unsigned n = sizes[s], to = rng_below(&t->rng, (BYTES - n) / 16 + 1) * 16,
                     from = rng_below(&t->rng, (BYTES - n) / 16 + 1) * 16;
            fill(t, &b);
            memcpy(b.want[0] + to, b.mem[2] + from, n);
            check(t, &b,
                  isa_fmt(t, "cp.async.bulk%s.global.mbarrier::complete_tx::bytes%s", rows[i].dst,
                          rows[i].mods),
                  isa_fmt(t,
                          "mov.b16 %%h1, 1; createpolicy.fractional.L2::evict_first.b64 %%rd9, 1.0;\n"
                          "add.u32 %%r1, %%r40, %u; mov.u32 %%r2, mb; @%%p0 bra W;\n"
                          "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [mb], %u;\n"
                          "cp.async.bulk%s.global.mbarrier::complete_tx::bytes%s [%%r1], [%%in2+%u], %u, "
                          "[%%r2]%s;\n" WAITF,
                          to, n, rows[i].dst, rows[i].mods, from, n, rows[i].tail));
        }
    ISA_DONE(t);
}

static void test_store(void **state)
{
    struct isa *t = *state;
    static const char *const waits[] = {"wait_group 0", "wait_group.read 0", "wait_group 3"};
    for (unsigned i = 0; i < 9; i++) {
        struct bench b;
        unsigned n = 16 + 16 * rng_below(&t->rng, 64), to = rng_below(&t->rng, (BYTES - n) / 16 + 1) * 16,
                 from = rng_below(&t->rng, (BYTES - n) / 16 + 1) * 16;
        const char *hint = i % 2 ? ".L2::cache_hint" : "";
        fill(t, &b);
        memcpy(b.want[2] + to, b.mem[0] + from, n);
        check(t, &b, isa_fmt(t, "cp.async.bulk.global.shared::cta.bulk_group%s %s", hint, waits[i % 3]),
              isa_fmt(t,
                      "mov.b64 %%rd9, 0; add.u32 %%r1, %%r40, %u; mov.u32 %%r3, %u; "
                      "fence.proxy.async.shared::cta;\n"
                      "@!%%p0 cp.async.bulk.global.shared::cta.bulk_group%s [%%in2+%u], [%%r1], %%r3%s;\n"
                      "cp.async.bulk.commit_group; cp.async.bulk.%s;",
                      from, n, hint, to, i % 2 ? ", %rd9" : "", waits[i % 3]));
    }
    ISA_DONE(t);
}

static void test_shared(void **state)
{
    struct isa *t = *state;
    struct bench b;
    fill(t, &b);
    memcpy(b.want[1] + 256, b.mem[0] + 32, 512);
    check(t, &b, "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
          "add.u32 %r1, %r41, 256; @%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 %rd1, [mb], 512;\n"
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r40+32], 512, "
          "[mb];" WAIT);
    fill(t, &b);
    check(t, &b, "cp.async.bulk.prefetch.L2.global",
          "mov.b64 %rd9, 0; cp.async.bulk.prefetch.L2.global [%in2], 4096; "
          "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%in2], 64, %rd9;");
    ISA_DONE(t);
}

/* Every thread asks for a copy of its own: as many bytes are completed. */
static void test_lanes(void **state)
{
    struct isa *t = *state;
    struct bench b;
    fill(t, &b);
    memcpy(b.want[0], b.mem[2], BYTES);
    check(t, &b, "cp.async.bulk of all lanes",
          "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [mb], 4096; add.u32 %r1, %r40, %r42; add.u64 %rd1, "
          "%in2, "
          "%rd20;\n"
          "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [mb];" WAIT);
    ISA_DONE(t);
}

/* ---- reductions ---- */

struct red {
    const char *op, *type;
    unsigned bytes;
    bool shared; /* to shared memory too */
};
static const struct red reds[] = {
    {"add", "u32", 4, true},        {"add", "s32", 4, true},         {"add", "u64", 8, true},
    {"min", "u32", 4, true},        {"min", "s32", 4, true},         {"max", "u32", 4, true},
    {"max", "s32", 4, true},        {"inc", "u32", 4, true},         {"dec", "u32", 4, true},
    {"and", "b32", 4, true},        {"or", "b32", 4, true},          {"xor", "b32", 4, true},
    {"and", "b64", 8, false},       {"or", "b64", 8, false},         {"xor", "b64", 8, false},
    {"min", "u64", 8, false},       {"max", "u64", 8, false},        {"min", "s64", 8, false},
    {"max", "s64", 8, false},       {"add", "f32", 4, false},        {"add", "f64", 8, false},
    {"add.noftz", "f16", 2, false}, {"add.noftz", "bf16", 2, false}, {"min", "f16", 2, false},
    {"max", "bf16", 2, false},
};

/* Small whole numbers as bits of a type: sums of them are exact. */
static uint64_t number(const char *type, int v)
{
    float f = (float)v;
    double d = v;
    uint32_t f32;
    uint64_t f64;
    memcpy(&f32, &f, 4);
    memcpy(&f64, &d, 8);
    if (strcmp(type, "f32") == 0)
        return f32;
    if (strcmp(type, "f64") == 0)
        return f64;
    if (strcmp(type, "bf16") == 0)
        return f32 >> 16;
    if (strcmp(type, "f16") == 0)
        return v ? (f32 >> 16 & 0x8000) | ((f32 >> 23 & 0xff) - 112) << 10 | (f32 >> 13 & 0x3ff) : 0;
    return (uint64_t)v;
}

static uint64_t combine(const struct red *r, uint64_t o, uint64_t a)
{
    bool is_signed = r->type[0] == 's', wide = r->bytes == 8;
    int64_t so = wide ? (int64_t)o : (int32_t)o, sa = wide ? (int64_t)a : (int32_t)a;
    bool less = is_signed ? so < sa : o < a;
    switch (r->op[0] << 8 | r->op[1]) {
    case 'a' << 8 | 'd': return o + a;
    case 'm' << 8 | 'i': return less ? o : a;
    case 'm' << 8 | 'a': return less ? a : o;
    case 'i' << 8 | 'n': return o >= a ? 0 : o + 1;
    case 'd' << 8 | 'e': return o == 0 || o > a ? a : o - 1;
    case 'a' << 8 | 'n': return o & a;
    case 'o' << 8 | 'r': return o | a;
    default: return o ^ a;
    }
}

static void reduce(struct isa *t, const struct red *r, bool shared)
{
    struct bench b;
    unsigned to = shared ? 1 : 2, n = 256;
    bool is_float = r->type[0] == 'f' || (r->type[0] == 'b' && r->type[1] == 'f');
    fill(t, &b);
    for (unsigned i = 0; i < n; i += r->bytes) {
        uint64_t o = 0, a = 0, v;
        memcpy(&o, b.mem[to] + 64 + i, r->bytes);
        memcpy(&a, b.mem[0] + 128 + i, r->bytes);
        if (is_float) {
            int x = (int)rng_below(&t->rng, 200) - 100, y = (int)rng_below(&t->rng, 100) - 50;
            o = number(r->type, x);
            a = number(r->type, y);
            v = number(r->type, r->op[0] == 'a' ? x + y : (x < y) == (r->op[1] == 'i') ? x : y);
            memcpy(b.mem[to] + 64 + i, &o, r->bytes);
            memcpy(b.mem[0] + 128 + i, &a, r->bytes);
            memcpy(b.want[0] + 128 + i, &a, r->bytes);
        } else {
            v = combine(r, o, a);
        }
        memcpy(b.want[to] + 64 + i, &v, r->bytes);
    }
    if (shared)
        check(
            t, &b,
            isa_fmt(t, "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.%s.%s",
                    r->op, r->type),
            isa_fmt(
                t,
                "@%%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [mb], 256; add.u32 %%r1, %%r41, 64;\n"
                "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.%s.%s [%%r1], "
                "[%%r40+128], 256, [mb];" WAITF,
                r->op, r->type));
    else
        check(t, &b, isa_fmt(t, "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s.%s", r->op, r->type),
              isa_fmt(t,
                      "@!%%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.%s.%s [%%in2+64], "
                      "[%%r40+128], 256;\n"
                      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                      r->op, r->type));
}

static void test_reduce(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < sizeof reds / sizeof *reds; i++) {
        reduce(t, &reds[i], false);
        if (reds[i].shared)
            reduce(t, &reds[i], true);
    }
    ISA_DONE(t);
}

/* ---- what is wrong is said, with lane and address ---- */

static void wrong(struct isa *t, const char *body, int code, const char *says)
{
    struct bench b;
    uint64_t out[THREADS] = {0};
    fill(t, &b);
    struct kern k = kernel(t, &b, body, body);
    struct isa_launch l = kern_launch(t, &k, out);
    struct isa_result r = isa_try(t, 0, &l);
    t->checks++;
    if (r.status != ISA_FAILED || r.code != code || !strstr(r.text, says))
        isa_fail(t, "'%s': status %d, code %d, says '%s', not '%s'", body, r.status, r.code, r.text, says);
}

static void test_wrong(void **state)
{
    struct isa *t = *state;
#define LOAD(to, from, n)                                                                                    \
    "setp.ne.u32 %p2, %tx, 5; @!%p2 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [" to      \
    "], [" from "], " n ", [mb];"
    wrong(t, LOAD("%r40+8", "%in2", "16"), EXEC_MISALIGNED, "lane 5, isa.ptx:");
    wrong(t, LOAD("%r40+8", "%in2", "16"), EXEC_MISALIGNED, "shared address 0x8 is not a multiple of 16");
    wrong(t, LOAD("%r40", "%in2+4", "16"), EXEC_MISALIGNED, "4 is not a multiple of 16");
    wrong(t, LOAD("%r40", "%in2", "24"), EXEC_BAD_CODE, "24 bytes: the size is a multiple of 16");
    wrong(t, LOAD("%r40+4080", "%in2", "8192"), EXEC_BAD_ADDRESS, "not inside one allocation");
    wrong(t, LOAD("%r40+12288", "%in2", "16"), EXEC_BAD_ADDRESS, "at shared address 0x3000: the CTA has");
    wrong(t, "cp.async.bulk.global.shared::cta.bulk_group [%in2+4096], [%r40], 16;", EXEC_BAD_ADDRESS,
          "not inside one allocation");
    wrong(t,
          "add.u32 %r1, %r40, 0x3000000; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
          "[%r1], "
          "[%in2], 16, [mb];",
          EXEC_BAD_ADDRESS, "cluster");
    wrong(t,
          "@!%p0 mbarrier.inval.shared.b64 [mb]; bar.sync 0; @!%p0 "
          "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r40], [%in2], 16, [mb];",
          EXEC_BAD_CODE, "not initialised");
    wrong(t,
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r40], "
          "[%in2], "
          "16, [mb], 0;",
          EXEC_BAD_CODE, "mask of CTAs is empty");
    wrong(t, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [mb], 0x100000;", EXEC_BAD_CODE, "2^20 - 1");
    wrong(t, "@!%p0 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [mb], 0x100000;", EXEC_BAD_CODE, "2^20");
    wrong(t, "bar.sync 0; mbarrier.arrive.shared.b64 _, [mb]; mbarrier.arrive.shared.b64 _, [mb], 7;",
          EXEC_BAD_CODE, "more arrivals than the phase expects");
    /* Nobody arrives: who waits for what. */
    wrong(t, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [mb], 4; bar.sync 0;\n" WAIT, EXEC_DEADLOCK,
          "warp 1 lanes ffffffff line 48: mbarrier at 0x2000 in phase 0, 1 of 1 arrivals and 256 bytes "
          "pending");
    wrong(t, "mov.b64 %rd1, 0; L: mbarrier.try_wait.shared.b64 %p1, [mb], %rd1, 1000; @!%p1 bra L;",
          EXEC_DEADLOCK, "every warp of the CTA waits");
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_load), cmocka_unit_test(test_store), cmocka_unit_test(test_shared),
         cmocka_unit_test(test_lanes), cmocka_unit_test(test_reduce), cmocka_unit_test(test_wrong))
