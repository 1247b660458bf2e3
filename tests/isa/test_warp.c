/* SPDX-License-Identifier: Apache-2.0 */
/* Warp collectives: shfl, vote, match, redux, activemask, elect, with whole and partial member masks. */
#include "form.h"
#include "run.h"

enum { WARPS = 24, N = 32 * WARPS };
enum { UP, DOWN, BFLY, IDX };
static const char *const mode_name[] = {"up", "down", "bfly", "idx"};

/* The manual's rule: segment mask in bits 12:8 of c, clamp in 4:0. */
static unsigned shfl_source(int mode, unsigned lane, uint32_t b, uint32_t c, bool *in_range)
{
    int bval = b & 31, cval = c & 31, mask = c >> 8 & 31, l = (int)lane;
    int max = (l & mask) | (cval & ~mask), min = l & mask, j = 0;
    switch (mode) {
    case UP: j = l - bval, *in_range = j >= max; break;
    case DOWN: j = l + bval, *in_range = j <= max; break;
    case BFLY: j = l ^ bval, *in_range = j <= max; break;
    case IDX: j = min | (bval & ~mask), *in_range = j <= max; break;
    }
    return *in_range ? (unsigned)j : lane;
}

static uint64_t shfl_want(int mode, const uint32_t (*in)[4], unsigned thread, uint32_t b, uint32_t c)
{
    bool p;
    unsigned j = shfl_source(mode, thread % 32, b, c, &p);
    return in[thread / 32 * 32 + j][0] | (uint64_t)p << 32;
}

static const char load[] =
    "mad.wide.u32 %rd0, %gid, 16, %in0; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd0];\n";
static const char save[] = "selp.u32 %r9, 1, 0, %p0; st.global.v2.u32 [%out], {%r8, %r9};";

static void random_words(struct isa *t, uint32_t (*in)[4], unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < 4; j++)
            in[i][j] = rng_u32(&t->rng);
}

static void test_shfl(void **state)
{
    struct isa *t = *state;
    static const uint32_t segs[] = {0x1f,   0,      0x181f, 0x1c1f, 0x1e1f, 0x101f,
                                    0x1800, 0x1c00, 0x1f1f, 0x0f,   0x1407};
    uint32_t in[N][4];
    uint64_t want[N];
    random_words(t, in, N);
    for (unsigned i = 0; i < N; i++) /* as compilers write them, then anything */
        in[i][2] = i / 32 < WARPS - 4 ? segs[i / 32 % (sizeof segs / sizeof segs[0])] : in[i][2];
    for (int mode = UP; mode <= IDX; mode++) {
        for (unsigned i = 0; i < N; i++)
            want[i] = shfl_want(mode, in, i, in[i][1], in[i][2]);
        struct kern k = {.name = isa_fmt(t, "shfl.sync.%s.b32", mode_name[mode]),
                         .slots = 1,
                         .block = {N},
                         .in = {{in, sizeof in}}};
        k.body = isa_fmt(t, "%s %s %%r8|%%p0, %%r0, %%r1, %%r2, 0xffffffff;\n %s", load, k.name, save);
        kern_check(t, &k, want, NULL);
        for (unsigned i = 0; i < N; i++)
            want[i] = trunc_to(want[i], 32);
        k.body = isa_fmt(t, "%s %s %%r8, %%r0, %%r1, %%r2, -1; st.global.u32 [%%out], %%r8;", load, k.name);
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

static void test_shfl_imm(void **state)
{
    struct isa *t = *state;
    static const uint32_t segs[] = {0x1f, 0, 0x181f, 0x1c03, 0x1800};
    uint32_t in[64][4];
    uint64_t want[64];
    random_words(t, in, 64);
    for (int mode = UP; mode <= IDX; mode++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned b = 0; b < 32; b = b ? 2 * b + (b == 16) : 1) {
                for (unsigned i = 0; i < 64; i++)
                    want[i] = shfl_want(mode, (const uint32_t(*)[4])in, i, b, segs[s]);
                struct kern k = {.name = isa_fmt(t, "shfl.sync.%s.b32 imm", mode_name[mode]),
                                 .slots = 1,
                                 .block = {64},
                                 .in = {{in, sizeof in}}};
                k.body = isa_fmt(t, "%s shfl.sync.%s.b32 %%r8|%%p0, %%r0, %u, %u, -1;\n %s", load,
                                 mode_name[mode], b, segs[s], save);
                kern_check(t, &k, want, NULL);
            }
    ISA_DONE(t);
}

/* Two halves of a warp, apart, each with its own member mask. */
static void test_shfl_partial(void **state)
{
    struct isa *t = *state;
    uint32_t in[64][4];
    uint64_t want[64];
    random_words(t, in, 64);
    for (unsigned i = 0; i < 64; i++)
        want[i] = i % 32 < 16 ? in[i ^ 5][0] : in[i / 32 * 32 + 16 + (in[i][1] & 15)][0];
    struct kern k = {
        .name = "shfl.sync.bfly.b32 partial", .slots = 1, .block = {64}, .in = {{in, sizeof in}}};
    k.body = isa_fmt(t,
                     "%s mov.u32 %%r10, %%laneid; setp.lt.u32 %%p1, %%r10, 16; @%%p1 bra A; and.b32 %%r1, "
                     "%%r1, 15; or.b32 %%r1, %%r1, 16;"
                     "shfl.sync.idx.b32 %%r8, %%r0, %%r1, 31, 0xffff0000; bra B;\n"
                     "A: shfl.sync.bfly.b32 %%r8, %%r0, 5, 31, 0xffff;\nB: st.global.u32 [%%out], %%r8;",
                     load);
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

/* Member masks by lane parity, in divergent code: even lanes then odd lanes. */
static const char split[] = "mov.u32 %r10, %laneid; and.b32 %r11, %r10, 1; setp.eq.u32 %p2, %r11, 0; mov.u32 "
                            "%r12, 0xaaaaaaaa; @%p2 mov.u32 %r12, 0x55555555;\n";

static uint32_t ballot(const uint32_t (*in)[4], unsigned thread, uint32_t members, bool invert)
{
    uint32_t m = 0;
    for (unsigned l = 0; l < 32; l++)
        if (members >> l & 1 && ((in[thread / 32 * 32 + l][1] & 1) != 0) != invert)
            m |= 1u << l;
    return m;
}

static void test_vote(void **state)
{
    struct isa *t = *state;
    static const char *const op[] = {"all.pred", "any.pred", "uni.pred", "ballot.b32"};
    uint32_t in[N][4];
    uint64_t want[N];
    random_words(t, in, N);
    for (unsigned i = 0; i < N; i++) /* warps of all false, all true, one true, one false, random */
        in[i][1] = i / 32 % 5 == 0   ? 0
                   : i / 32 % 5 == 1 ? 1
                   : i / 32 % 5 == 2 ? i % 32 == 7
                   : i / 32 % 5 == 3 ? i % 32 != 8
                                     : in[i][1];
    for (int o = 0; o < 4; o++)
        for (int inv = 0; inv < 2; inv++)
            for (int part = 0; part < 2; part++) {
                for (unsigned i = 0; i < N; i++) {
                    uint32_t mem = part ? (i & 1 ? 0xaaaaaaaa : 0x55555555) : 0xffffffff;
                    uint32_t m = ballot((const uint32_t(*)[4])in, i, mem, inv);
                    want[i] = o == 0 ? m == mem : o == 1 ? m != 0 : o == 2 ? m == mem || m == 0 : m;
                }
                struct kern k = {.name = isa_fmt(t, "vote.sync.%s", op[o]),
                                 .slots = 1,
                                 .block = {N},
                                 .in = {{in, sizeof in}}};
                const char *vote = isa_fmt(t, "vote.sync.%s %s, %s%%p0, %%r12;", op[o],
                                           o == 3 ? "%r8" : "%p1", inv ? "!" : "");
                k.body = isa_fmt(t,
                                 "%s and.b32 %%r4, %%r1, 1; setp.ne.u32 %%p0, %%r4, 0; %s\n"
                                 "@%%p2 bra A; %s %s bra B;\nA: %s\nB: st.global.u32 [%%out], %%r8;",
                                 load, part ? split : "mov.u32 %r12, -1; setp.eq.u32 %p2, %r12, 0;", vote,
                                 o == 3 ? "" : "selp.u32 %r8, 1, 0, %p1;",
                                 o == 3 ? vote : isa_fmt(t, "%s selp.u32 %%r8, 1, 0, %%p1;", vote));
                kern_check(t, &k, want, NULL);
            }
    ISA_DONE(t);
}

static void test_match(void **state)
{
    struct isa *t = *state;
    uint32_t in[N][4];
    uint64_t any[N], all[N];
    for (int w = 0; w < 2; w++)
        for (int part = 0; part < 2; part++) {
            random_words(t, in, N);
            for (unsigned i = 0; i < N; i++) {
                in[i][0] = i / 32 % 3 == 0 ? 77 : in[i][0] & 3;
                in[i][1] = w && i / 32 % 3 ? in[i][1] & 1 : 5;
            }
            for (unsigned i = 0; i < N; i++) {
                uint32_t mem = part ? (i & 1 ? 0xaaaaaaaa : 0x55555555) : 0xffffffff, m = 0;
                for (unsigned l = 0; l < 32; l++)
                    m |= (uint32_t)(mem >> l & 1 && memcmp(in[i], in[i / 32 * 32 + l], w ? 8 : 4) == 0) << l;
                any[i] = m;
                all[i] = m == mem ? 1ull << 32 | mem : 0;
            }
            const char *ty = w ? "b64" : "b32", *reg = w ? "%rd5" : "%r0",
                       *how = part ? split : "mov.u32 %r12, -1;";
            struct kern k = {.slots = 1, .block = {N}, .in = {{in, sizeof in}}};
            k.name = isa_fmt(t, "match.any.sync.%s", ty);
            k.body = isa_fmt(t,
                             "%s mov.b64 %%rd5, {%%r0, %%r1}; %s match.any.sync.%s %%r8, %s, %%r12; "
                             "st.global.u32 [%%out], %%r8;",
                             load, how, ty, reg);
            kern_check(t, &k, any, NULL);
            k.name = isa_fmt(t, "match.all.sync.%s", ty);
            k.body =
                isa_fmt(t, "%s mov.b64 %%rd5, {%%r0, %%r1}; %s match.all.sync.%s %%r8|%%p0, %s, %%r12;\n%s",
                        load, how, ty, reg, save);
            kern_check(t, &k, all, NULL);
        }
    ISA_DONE(t);
}

static void test_redux(void **state)
{
    struct isa *t = *state;
    static const char *const name[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                       "max.s32", "and.b32", "or.b32",  "xor.b32"};
    uint32_t in[N][4];
    uint64_t want[N];
    for (int o = 0; o < 9; o++)
        for (int part = 0; part < 2; part++) {
            random_words(t, in, N);
            for (unsigned i = 0; i < N; i++) {
                uint32_t mem = part ? (i & 1 ? 0xaaaaaaaa : 0x55555555) : 0xffffffff, r = 0;
                bool first = true;
                for (unsigned l = 0; l < 32; l++) {
                    uint32_t v = in[i / 32 * 32 + l][0];
                    if (!(mem >> l & 1))
                        continue;
                    const uint32_t next[] = {r + v,         r + v,
                                             r < v ? r : v, (int32_t)r < (int32_t)v ? r : v,
                                             r > v ? r : v, (int32_t)r > (int32_t)v ? r : v,
                                             r & v,         r | v,
                                             r ^ v};
                    r = first ? v : next[o];
                    first = false;
                }
                want[i] = r;
            }
            struct kern k = {.name = isa_fmt(t, "redux.sync.%s", name[o]),
                             .slots = 1,
                             .block = {N},
                             .in = {{in, sizeof in}}};
            k.body = isa_fmt(t, "%s %s %s %%r8, %%r0, %%r12; st.global.u32 [%%out], %%r8;", load,
                             part ? split : "mov.u32 %r12, -1;", k.name);
            kern_check(t, &k, want, NULL);
        }
    ISA_DONE(t);
}

static void test_activemask(void **state)
{
    struct isa *t = *state;
    uint64_t want[96 + 20][2];
    for (unsigned i = 0; i < 116; i++) {
        want[i][0] = i < 96 ? 0xffffffff : 0xfffff;
        want[i][1] = i % 32 < 8 ? 0xff : want[i][0] & ~0xffu;
    }
    struct kern k = {.name = "activemask.b32", .slots = 2, .block = {116}};
    k.body = "activemask.b32 %r0; st.global.u32 [%out], %r0; mov.u32 %r1, %laneid; setp.lt.u32 %p0, %r1, 8; "
             "@%p0 bra A;"
             "activemask.b32 %r2; st.global.u32 [%out+8], %r2; bra B;\nA: activemask.b32 %r2; st.global.u32 "
             "[%out+8], %r2;\nB:";
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

static void test_elect_and_warpsync(void **state)
{
    struct isa *t = *state;
    uint64_t want[64], swap[64];
    for (unsigned i = 0; i < 64; i++) {
        want[i] = 3 | (uint64_t)(i % 32 == 3) << 32;
        swap[i] = i ^ 1;
    }
    struct kern k = {.name = "elect.sync", .slots = 1, .block = {64}};
    k.body = isa_fmt(t,
                     "mov.u32 %%r1, %%laneid; setp.lt.u32 %%p1, %%r1, 3; mov.u32 %%r8, 3; setp.eq.u32 %%p0, "
                     "%%r1, 99; @%%p1 bra A;"
                     "elect.sync %%r8|%%p0, 0xfffffff8;\nA: %s",
                     save);
    kern_check(t, &k, want, NULL);
    k.name = "bar.warp.sync";
    k.module = ".shared .align 4 .u32 sh[64];\n";
    k.body = "mov.u64 %rd0, sh; mad.wide.u32 %rd1, %tx, 4, %rd0; st.shared.u32 [%rd1], %tx; bar.warp.sync "
             "0xffffffff;"
             "xor.b32 %r0, %tx, 1; mad.wide.u32 %rd2, %r0, 4, %rd0; ld.shared.u32 %r1, [%rd2]; st.global.u32 "
             "[%out], %r1;";
    kern_check(t, &k, swap, NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_shfl), cmocka_unit_test(test_shfl_imm), cmocka_unit_test(test_shfl_partial),
         cmocka_unit_test(test_vote), cmocka_unit_test(test_match), cmocka_unit_test(test_redux),
         cmocka_unit_test(test_activemask), cmocka_unit_test(test_elect_and_warpsync))
