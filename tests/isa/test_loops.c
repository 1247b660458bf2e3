/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that count, which the compiler unrolls: every comparison, step and kind of bound, with counters that begin anywhere, also
 * beyond the bound and near where numbers wrap. A thread counts its rounds, and mixes the counter of each into a number. */
#include "run.h"

enum { THREADS = 64, MOST_ROUNDS = 200 };
enum { LT, LE, GT, GE, NE, CMPS };
static const char *const cmp_name[CMPS] = {"lt", "le", "gt", "ge", "ne"};

struct count {
    int cmp, step;
    bool is_signed, is_number; /* the comparison; the bound is a number in the instruction */
    uint32_t number;
};

static bool goes_on(const struct count *c, uint32_t counter, uint32_t bound)
{
    int64_t x = c->is_signed ? (int64_t)(int32_t)counter : (int64_t)counter;
    int64_t y = c->is_signed ? (int64_t)(int32_t)bound : (int64_t)bound;
    switch (c->cmp) {
    case LT: return x < y;
    case LE: return x <= y;
    case GT: return x > y;
    case GE: return x >= y;
    default: return x != y;
    }
}

/* False: it takes too many rounds. */
static bool run_loop(const struct count *c, uint32_t counter, uint32_t bound, uint64_t *want)
{
    uint32_t rounds = 0, mixed = 7;
    do {
        mixed = mixed * 3 + counter;
        counter += (uint32_t)c->step;
        if (++rounds > MOST_ROUNDS)
            return false;
    } while (goes_on(c, counter, bound));
    want[0] = rounds;
    want[1] = mixed;
    return true;
}

static uint32_t anywhere(struct isa *t)
{
    static const uint32_t places[] = {0, 10, 0x7fffffff, 0x80000000, 0xffffffff, 5000};
    return places[rng_below(&t->rng, 6)] + rng_below(&t->rng, 41) - 20;
}

static void check_count(struct isa *t, const struct count *c)
{
    uint32_t in[THREADS][2];
    uint64_t want[THREADS][2];
    for (unsigned n = 0; n < THREADS;) {
        uint32_t bound = c->is_number ? c->number : anywhere(t);
        in[n][0] = rng_below(&t->rng, 3) ? bound + rng_below(&t->rng, 121) - 60 : anywhere(t);
        in[n][1] = bound;
        n += run_loop(c, in[n][0], bound, want[n]);
    }
    char type = c->is_signed ? 's' : 'u';
    const char *bound = c->is_number ? isa_fmt(t, "%d", (int)c->number) : "%r2";
    struct kern k = {
        .name = isa_fmt(t, "loop.%s.%c32 by %d to %s", cmp_name[c->cmp], type, c->step, bound),
        .slots = 2,
        .block = {THREADS},
        .in = {{in, sizeof in}},
    };
    k.body = isa_fmt(t,
                     "mul.wide.u32 %%rd1, %%tx, 8; add.s64 %%rd1, %%rd1, %%in0; ld.global.u32 %%r1, [%%rd1];"
                     "ld.global.u32 %%r2, [%%rd1+4]; mov.u32 %%r4, 0; mov.u32 %%r5, 7;\n"
                     "L: mad.lo.u32 %%r5, %%r5, 3, %%r1; add.u32 %%r4, %%r4, 1; add.s32 %%r1, %%r1, %d;"
                     "setp.%s.%c32 %%p1, %%r1, %s; @%%p1 bra L;\n"
                     "st.global.u32 [%%out], %%r4; st.global.u32 [%%out+8], %%r5;",
                     c->step, cmp_name[c->cmp], type, bound);
    kern_check(t, &k, &want[0][0], NULL);
}

static void loops_end_where_they_should(void **state)
{
    struct isa *t = *state;
    static const int steps[] = {1, 3, 4, -1, -2};
    static const uint32_t numbers[] = {0, 10, 0x7ffffffd, 0xfffffffc};
    for (int cmp = 0; cmp < CMPS; cmp++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned kind = 0; kind < 10; kind++) {
                struct count c = {.cmp = cmp, .step = steps[s], .is_signed = kind % 2, .is_number = kind > 1};
                c.number = c.is_number ? numbers[kind / 2 - 1] : 0;
                bool ends = c.is_signed || cmp != GE || !c.is_number || c.number;
                if (!ends || (cmp != NE && (cmp < GT) != (c.step > 0)))
                    continue;
                check_count(t, &c);
            }
    ISA_DONE(t);
}

/* Places in one shared array: two pointers that go on from there, and two more that do not, each in a block of its own. */
static void pointers_of_several_blocks(void **state)
{
    struct isa *t = *state;
    uint64_t want[THREADS][2];
    for (uint32_t n = 0; n < THREADS; n++) {
        uint32_t v = n < 32 ? 7 : n;
        want[n][0] = n > 50 ? 0 : v;
        want[n][1] = v;
    }
    struct kern k = {
        .name = "pointers into shared memory",
        .slots = 2,
        .block = {THREADS},
        .body =
            ".shared .align 4 .b8 s[1024];\n"
            "shl.b32 %r3, %tx, 2; mov.u32 %r9, s; mov.u32 %r5, 0; mov.u32 %r1, %tx;"
            "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; add.s32 %r4, %r9, %r3;\n"
            "L: st.shared.u32 [%r4], %r1; add.s32 %r4, %r4, 256; add.s32 %r5, %r5, 1;"
            "setp.lt.u32 %p2, %r5, 2; @%p2 bra L; bra B;\n"
            "A: add.s32 %r4, %r9, %r3; mov.u32 %r6, 7; M: st.shared.u32 [%r4], %r6; add.s32 %r4, %r4, 256;"
            "add.s32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 2; @%p2 bra M;\n"
            "B: bar.sync 0; setp.gt.u32 %p3, %r1, 50; @%p3 bra C; add.s32 %r6, %r9, %r3;"
            "ld.shared.u32 %r7, [%r6]; st.global.u32 [%out], %r7;\n"
            "C: bar.sync 0; setp.gt.u32 %p4, %r1, 99; @%p4 bra D; add.s32 %r8, %r9, %r3;"
            "ld.shared.u32 %r7, [%r8+256]; st.global.u32 [%out+8], %r7;\nD:",
    };
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(loops_end_where_they_should), cmocka_unit_test(pointers_of_several_blocks))
