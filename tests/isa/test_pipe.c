/* SPDX-License-Identifier: Apache-2.0 */
/* Random pipelines: warps that bring data with bulk copies and warps that use them, over a ring of buffers with two barrier
 * objects each. Whatever the depth, the ways to arrive and to wait: every consumer sees every tile once and whole. */
#include "exec/exec.h"
#include "run.h"

enum { TILE_B = 512, MAX_TILES = 24, MAX_STAGES = 5, PIPES = 60 };

struct pipe {
    unsigned stages, tiles, consumers; /* warps */
    unsigned producers;                /* warps that take turns */
    bool all_arrive;                   /* every consumer thread arrives, not one of each warp */
    bool late_expect;                  /* the bytes are expected after the copy was made */
    bool by_test, by_hand;             /* waits poll; the tile is stored by the warp itself */
    bool forgets;                      /* the consumer never gives back the last buffer of a round */
};

static struct pipe random_pipe(struct isa *t)
{
    struct rng *r = &t->rng;
    unsigned stages = 1 + rng_below(r, MAX_STAGES);
    /* With more producers than buffers one would be two rounds ahead of another, which a parity cannot tell from none. */
    return (struct pipe){.stages = stages,
                         .tiles = 1 + rng_below(r, MAX_TILES),
                         .consumers = 1 + rng_below(r, 4),
                         .producers = 1 + rng_below(r, stages > 1 ? 2 : 1),
                         .all_arrive = rng_below(r, 2),
                         .late_expect = rng_below(r, 2),
                         .by_test = rng_below(r, 4) == 0,
                         .by_hand = rng_below(r, 4) == 0};
}

/* %r10: the tile's number, %r11: its buffer, %r12: parity of the round; %r13, %r14: full and empty object of the buffer. */
static const char *place(struct isa *t, const struct pipe *p)
{
    return isa_fmt(
        t,
        "rem.u32 %%r11, %%r10, %u; div.u32 %%r12, %%r10, %u; and.b32 %%r12, %%r12, 1; mov.u32 %%r13, full; "
        "mov.u32 %%r14, empty; mad.lo.u32 %%r13, %%r11, 8, %%r13; mad.lo.u32 %%r14, %%r11, 8, %%r14; mov.u32 "
        "%%r15, buf; mad.lo.u32 %%r15, %%r11, %u, %%r15;\n",
        p->stages, p->stages, TILE_B);
}

static const char *wait(struct isa *t, const struct pipe *p, const char *label, const char *bar,
                        const char *parity)
{
    return isa_fmt(t, "%s: mbarrier.%s.parity.shared.b64 %%p1, [%s], %s; @!%%p1 bra %s;\n", label,
                   p->by_test ? "test_wait" : "try_wait", bar, parity, label);
}

static const char *produce(struct isa *t, const struct pipe *p)
{
    static const char copy[] =
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r15], [%rd1], 512, [%r13];\n";
    static const char hand[] =
        "mov.u32 %r21, 0;\nH: ld.global.u64 %rd2, [%rd1]; add.u32 %r20, %r15, %r21; st.shared.u64 [%r20], "
        "%rd2; add.u64 %rd1, %rd1, 8; add.u32 %r21, %r21, 8; setp.lt.u32 %p4, %r21, 512; @%p4 bra H;\n"
        "mbarrier.arrive.shared.b64 _, [%r13];\n";
    static const char expect[] = "mbarrier.arrive.expect_tx.shared.b64 _, [%r13], 512;\n";
    const char *work = p->by_hand       ? hand
                       : p->late_expect ? isa_fmt(t, "%s%s", copy, expect)
                                        : isa_fmt(t, "%s%s", expect, copy);
    /* The first round finds the buffers empty: the phase before the first one counts as over. */
    return isa_fmt(t,
                   "setp.ne.u32 %%p2, %%r2, 0; @%%p2 bra END; sub.u32 %%r10, %%r1, %u;\n"
                   "P: setp.ge.u32 %%p3, %%r10, %u; @%%p3 bra END;\n%s xor.b32 %%r16, %%r12, 1;\n%s"
                   "mad.wide.u32 %%rd1, %%r10, %u, %%in0;\n%s add.u32 %%r10, %%r10, %u; bra P;\n",
                   p->consumers, p->tiles, place(t, p), wait(t, p, "WE", "%r14", "%r16"), TILE_B, work,
                   p->producers);
}

static const char *consume(struct isa *t, const struct pipe *p)
{
    const char *give =
        isa_fmt(t, "%smbarrier.arrive.shared.b64 _, [%%r14];\n", p->all_arrive ? "" : "@!%p2 ");
    if (p->forgets)
        give = isa_fmt(t, "setp.eq.u32 %%p5, %%r11, %u; @%%p5 bra KEEP; %sKEEP:\n", p->stages - 1, give);
    return isa_fmt(
        t,
        "setp.ne.u32 %%p2, %%r2, 0; mov.u32 %%r10, 0; mov.u64 %%rd5, 0;\n"
        "C: setp.ge.u32 %%p3, %%r10, %u; @%%p3 bra DONE;\n%s%s"
        "mad.lo.u32 %%r20, %%r2, 16, %%r15; ld.shared.v2.u64 {%%rd2, %%rd3}, [%%r20]; mul.lo.u64 %%rd5, "
        "%%rd5, "
        "31; add.u64 %%rd5, %%rd5, %%rd2; mul.lo.u64 %%rd5, %%rd5, 31; add.u64 %%rd5, %%rd5, %%rd3;\n"
        "bar.warp.sync -1;\n%s add.u32 %%r10, %%r10, 1; bra C;\nDONE: st.global.u64 [%%out], %%rd5; bra "
        "END;\n",
        p->tiles, place(t, p), wait(t, p, "WF", "%r13", "%r12"), give);
}

static struct kern kernel(struct isa *t, const struct pipe *p, void *data)
{
    unsigned arrivals = p->all_arrive ? 32 * p->consumers : p->consumers;
    struct kern k = {
        .slots = 1,
        .block = {32 * (p->consumers + p->producers)},
        .module = isa_fmt(t,
                          ".shared .align 128 .b8 buf[%u]; .shared .align 8 .b64 full[%u]; .shared .align 8 "
                          ".b64 empty[%u];\n",
                          p->stages * TILE_B, p->stages, p->stages),
        .in = {{data, MAX_TILES * TILE_B}}};
    const char *init = "";
    for (unsigned s = 0; s < p->stages; s++)
        init = isa_fmt(t,
                       "%s@!%%p0 mbarrier.init.shared.b64 [full+%u], 1; @!%%p0 mbarrier.init.shared.b64 "
                       "[empty+%u], %u;\n",
                       init, 8 * s, 8 * s, arrivals);
    k.name = isa_fmt(t, "pipe of %u: %u tiles, %u to %u%s%s%s%s", p->stages, p->tiles, p->producers,
                     p->consumers, p->all_arrive ? ", all arrive" : "", p->late_expect ? ", late" : "",
                     p->by_test ? ", tests" : "", p->by_hand ? ", by hand" : "");
    k.body = isa_fmt(t,
                     "setp.ne.u32 %%p0, %%tx, 0; shr.u32 %%r1, %%tx, 5; and.b32 %%r2, %%tx, 31;\n%s bar.sync "
                     "0; setp.lt.u32 "
                     "%%p6, %%r1, %u; @%%p6 bra CONSUME;\n%sCONSUME:\n%sEND:",
                     init, p->consumers, produce(t, p), consume(t, p));
    return k;
}

static void test_pipes(void **state)
{
    struct isa *t = *state;
    static uint64_t data[MAX_TILES * TILE_B / 8];
    for (unsigned i = 0; i < PIPES; i++) {
        struct pipe p = random_pipe(t);
        uint64_t want[32 * 6] = {0};
        for (unsigned k = 0; k < sizeof data / 8; k++)
            data[k] = rng_u64(&t->rng);
        for (unsigned w = 0; w < 32 * p.consumers; w++)
            for (unsigned k = 0; k < p.tiles; k++)
                for (unsigned e = 0; e < 2; e++)
                    want[w] = want[w] * 31 + data[k * (TILE_B / 8) + 2 * (w % 32) + e];
        struct kern k = kernel(t, &p, data);
        kern_check(t, &k, want, NULL);
    }
    ISA_DONE(t);
}

/* A buffer that never comes back: everyone waits, and each is told with what it waits for. */
static void test_stuck(void **state)
{
    struct isa *t = *state;
    static uint64_t data[MAX_TILES * TILE_B / 8];
    for (unsigned i = 0; i < 10; i++) {
        struct pipe p = random_pipe(t);
        uint64_t out[32 * 6] = {0};
        p.forgets = true;
        p.by_test = false;
        p.tiles = 3 * p.stages;
        p.producers = 1;
        struct kern k = kernel(t, &p, data);
        struct isa_launch l = kern_launch(t, &k, out);
        struct isa_result r = isa_try(t, i % 2, &l);
        const char *says = isa_fmt(t, "warp %u lanes 00000001", p.consumers);
        t->checks++;
        if (r.status != ISA_FAILED || r.code != EXEC_DEADLOCK || !strstr(r.text, "warp 0 lanes ffffffff") ||
            !strstr(r.text, "mbarrier at 0x") || (p.consumers < 4 && !strstr(r.text, says)))
            isa_fail(t, "%s: status %d, says '%s'", k.name, r.status, r.text);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_pipes), cmocka_unit_test(test_stuck))
