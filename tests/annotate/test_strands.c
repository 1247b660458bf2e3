/* SPDX-License-Identifier: Apache-2.0 */
/* Strands and places of small kernels, worked out by hand. Energies are those of pieces.c: a read saves 90 from the last-result
 * file, 78 from the operand file; a write costs 8 or 30, or saves 110 or 88 where the bank need not be written. */
#include "annotate/strands.h"

#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = CODE_INSNS, B = PLACE_BANK, NONE = -1 };

static struct tr_insn *op(struct code *c, enum tr_class cls, int d, int a, int b)
{
    struct tr_insn *i = code_op(c, cls, d, a, b);
    if (cls == TC_LDG || cls == TC_STG || cls == TC_LDS) {
        i->naddr = 1;
        i->mem = cls == TC_STG ? TM_STORE : TM_LOAD;
        i->space = cls == TC_LDS ? SPACE_SHARED : SPACE_GLOBAL;
    }
    return i;
}

static struct tr_insn *guard(struct tr_insn *i)
{
    i->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1};
    return i;
}

static struct code *new_code(void) { return calloc(1, sizeof(struct code)); }

static void make(struct code *c, uint32_t lrf, uint32_t orf)
{
    if (!c->k.nblocks) {
        op(c, TC_EXIT, NONE, NONE, NONE);
        code_end(c, NONE, NONE);
    }
    c->s = strands_new(&c->k, lrf, orf);
}

static void done(struct code *c)
{
    strands_free(c->s);
    free(c);
}

/* Instruction n: places of its first two sources, of its result, and whether that goes to its bank. */
static void places(const struct code *c, uint32_t n, uint8_t r0, uint8_t r1, uint8_t w, bool bank)
{
    const struct strand_insn *i = &c->s->insns[n];
    assert_int_equal(i->read[0], r0);
    assert_int_equal(i->read[1], r1);
    assert_int_equal(i->write[0], w);
    assert_int_equal(i->banks & 1, bank);
}

static void starts(const struct code *c, const char *want)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->k.n; i++) {
        const struct strand_insn *s = &c->s->insns[i];
        assert_int_equal(want[i], s->waits ? 'w' : s->starts ? 's' : '.');
        n += s->starts;
    }
    assert_int_equal(c->s->strands, n);
}

/* Only units of the lanes reach the last-result file; an entry that is read for the last time can be written by the same
 * instruction. */
static void levels(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_INT, 2, 1, NONE);
    op(c, TC_SFU, 3, 2, NONE);
    op(c, TC_FP32, 4, 3, NONE);
    op(c, TC_STG, NONE, 4, NONE);
    make(c, 1, 4);
    starts(c, "s.....");
    places(c, 0, B, B, 0, false);
    places(c, 1, 0, B, 1, false);
    places(c, 2, 1, B, 1, false);
    places(c, 3, 1, B, 1, false);
    places(c, 4, 1, B, B, true);
    for (uint32_t i = 1; i <= 4; i++)
        assert_int_equal(c->s->insns[i].last, 1);
    done(c);
}

/* By energy for each instruction that the entry is taken: R3 saves 200 in one, R2 290 in two, R1 200 in two. R3 takes the
 * last-result file from instruction 2 on, so R2 does not fit and R1 does. */
static void greedy(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, 2, NONE, NONE);
    op(c, TC_FP32, 3, 1, 2);
    op(c, TC_FP32, NONE, 2, 3);
    make(c, 1, 4);
    places(c, 0, B, B, 0, false);
    places(c, 1, B, B, 1, false);
    places(c, 2, 0, 1, 0, false);
    places(c, 3, 1, 0, B, true);
    assert_int_equal(c->s->insns[2].last, 1);
    assert_int_equal(c->s->insns[3].last, 3);
    done(c);
}

/* The use of a load begins a strand. What is read there is in the banks, and may have a copy for reads before; results from
 * memory and those that nobody reads have no place. The second load was issued before, so its use begins none. */
static void across(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_LDG, 2, 1, NONE);
    op(c, TC_LDG, 5, 1, NONE);
    op(c, TC_FP32, 3, 1, NONE);
    op(c, TC_FP32, 4, 1, 2);
    op(c, TC_FP32, NONE, 4, 5);
    make(c, 1, 4);
    starts(c, "s...w..");
    places(c, 0, B, B, 1, true);
    places(c, 1, 1, B, B, true);
    places(c, 2, 1, B, B, true);
    places(c, 3, 1, B, B, true);
    assert_int_equal(c->s->insns[2].last, 0);
    assert_int_equal(c->s->insns[3].last, 1);
    places(c, 4, B, B, 0, false);
    places(c, 5, 0, B, B, true);
    assert_true(c->s->insns[3].piece != c->s->insns[4].piece);
    done(c);
}

/* Writing the register of a load waits for it, too; shared memory is near. */
static void overwritten(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_LDG, 1, NONE, NONE);
    op(c, TC_LDS, 2, NONE, NONE);
    op(c, TC_FP32, 3, 2, NONE);
    op(c, TC_FP32, 1, NONE, NONE);
    make(c, 1, 4);
    starts(c, "s..w.");
    places(c, 1, B, B, 1, false);
    places(c, 2, 1, B, B, true);
    done(c);
}

/* A guarded write changes an entry and makes none. A guarded load joins what the bank has. */
static void guards(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    guard(op(c, TC_FP32, 1, 2, NONE));
    op(c, TC_FP32, NONE, 1, NONE);
    guard(op(c, TC_FP32, 3, NONE, NONE));
    op(c, TC_FP32, NONE, 3, NONE);
    op(c, TC_FP32, 4, NONE, NONE);
    op(c, TC_FP32, NONE, 4, NONE);
    guard(op(c, TC_LDG, 4, NONE, NONE));
    op(c, TC_FP32, NONE, 4, NONE);
    make(c, 1, 4);
    starts(c, "s.......w.");
    places(c, 0, B, B, 0, false);
    places(c, 1, B, B, 0, false);
    places(c, 2, 0, B, B, true);
    places(c, 3, B, B, B, true);
    places(c, 4, B, B, B, true);
    places(c, 5, B, B, 0, true);
    places(c, 6, 0, B, B, true);
    places(c, 7, B, B, B, true);
    places(c, 8, B, B, B, true);
    done(c);
}

/* A loop begins a strand, and so does what follows it, both when all loads are there: of those before a strand it may need any. A
 * load of one iteration is used in the next. */
static void loop(void **state)
{
    (void)state;
    for (uint32_t load = 0; load < 2; load++) {
        struct code *c = new_code();
        op(c, TC_FP32, 1, NONE, NONE);
        op(c, TC_FP32, 2, 1, NONE);
        code_end(c, 1, NONE);
        op(c, TC_FP32, 3, 2, NONE);
        op(c, load ? TC_LDG : TC_FP32, 2, 3, NONE);
        guard(op(c, TC_BRANCH, NONE, NONE, NONE))->target = 2;
        code_end(c, 1, 2);
        op(c, TC_FP32, NONE, 2, NONE);
        op(c, TC_EXIT, NONE, NONE, NONE);
        code_end(c, NONE, NONE);
        make(c, 1, 4);
        starts(c, "s.w..w.");
        places(c, 0, B, B, 0, false);
        places(c, 1, 0, B, B, true);
        places(c, 2, B, B, load ? 1 : 0, false);
        places(c, 3, load ? 1 : 0, B, B, true);
        places(c, 5, B, B, B, true);
        done(c);
    }
}

/* One operand file entry: R2 saves 166 in one instruction, R1 244 in four. R1 keeps the entry for its first read and is written
 * to its bank for the second. */
static void first_reads(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    op(c, TC_FP32, 2, NONE, NONE);
    op(c, TC_FP32, NONE, 2, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    make(c, 0, 1);
    places(c, 0, B, B, 0, true);
    places(c, 1, 0, B, B, true);
    places(c, 2, B, B, 0, false);
    places(c, 3, 0, B, B, true);
    places(c, 4, B, B, B, true);
    assert_int_equal(c->s->insns[1].last, 1);
    done(c);
}

/* Barriers end strands; a point where lanes meet ends a piece; a branch reads banks; a callee may read anything, and nobody knows
 * what is before it. */
static void flow(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_BAR, NONE, NONE, NONE);
    op(c, TC_FP32, 2, 1, NONE);
    op(c, TC_CONVERGE, NONE, NONE, NONE);
    op(c, TC_FP32, 3, 2, NONE);
    op(c, TC_FP32, 4, 3, NONE);
    op(c, TC_ASYNC, NONE, NONE, NONE)->imm = 1;
    op(c, TC_FP32, 5, NONE, NONE);
    op(c, TC_FP32, NONE, 5, NONE);
    op(c, TC_BRANCH, NONE, NONE, NONE)->target = 11;
    code_end(c, 1, NONE);
    op(c, TC_EXIT, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    op(c, TC_FP32, 6, NONE, NONE);
    op(c, TC_BRANCH, NONE, 6, NONE);
    code_end(c, NONE, NONE);
    make(c, 1, 4);
    starts(c, "s.w....w..ww.");
    assert_true(c->s->insns[3].piece != c->s->insns[4].piece);
    places(c, 0, B, B, B, true);
    places(c, 2, B, B, B, true);
    places(c, 4, B, B, 0, true); /* the callee may read R3 */
    places(c, 5, 0, B, B, true);
    places(c, 7, B, B, 0, true);
    places(c, 8, 0, B, B, true);
    places(c, 11, B, B, B, true);
    done(c);
}

/* A call within a block: its function may read R1, and may have asked for something. */
static void call(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    op(c, TC_BRANCH, NONE, NONE, NONE)->target = 6;
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    op(c, TC_EXIT, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    op(c, TC_BRANCH, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    make(c, 1, 4);
    starts(c, "s..w..w");
    places(c, 0, B, B, 0, true);
    places(c, 3, B, B, 0, false);
    done(c);
}

/* More code than a piece holds, more registers than an instruction's list holds, no files at all. */
static void sizes(void **state)
{
    (void)state;
    struct code *c = new_code();
    for (uint32_t i = 0; i < MOST - 1; i++)
        op(c, TC_FP32, 1, 1, NONE);
    make(c, 1, 4);
    assert_int_equal(c->s->pieces, 3);
    assert_int_equal(c->s->strands, 1);
    places(c, 1, 0, B, 0, false);
    places(c, 1023, 0, B, B, true);
    places(c, 1024, B, B, 0, false);
    done(c);
    c = new_code();
    op(c, TC_HMMA, 8, NONE, NONE)->dst[0].n = 8;
    struct tr_insn *i = op(c, TC_HMMA, NONE, 0, 8);
    i->src[0].n = i->src[1].n = 8;
    i->src[i->nsrc++] = (struct tr_opnd){.kind = TO_REG, .n = 8, .val = 20};
    make(c, 1, 32);
    assert_int_equal(c->s->insns[0].write[7], 8);
    assert_int_equal(c->s->insns[1].read[7], B);
    assert_int_equal(c->s->insns[1].read[15], 8);
    done(c);
    c = new_code();
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    make(c, 0, 0);
    places(c, 0, B, B, B, true);
    places(c, 1, B, B, B, true);
    done(c);
}

/* Blocks that stand in the reverse of their order, so that every pass over them in order would bring one of them on. */
static void long_way(void **state)
{
    (void)state;
    enum { N = 20000 };
    for (uint32_t reverse = 0; reverse < 2; reverse++) {
        struct tr_insn *insns = calloc(N, sizeof *insns);
        struct tr_block *blocks = calloc(N, sizeof *blocks);
        uint32_t *succ = calloc(N, sizeof *succ), last = reverse ? 1 : N - 1;
        for (uint32_t i = 0; i < N; i++) {
            insns[i] = (struct tr_insn){.cls = TC_NOP, .target = TR_NO_TARGET};
            succ[i] = !reverse ? i + 1 : i ? i - 1 : N - 1;
            blocks[i] = (struct tr_block){.start = i, .n = 1, .nsucc = i != last, .succ = &succ[i]};
        }
        insns[0] =
            (struct tr_insn){.cls = TC_TEX, .target = TR_NO_TARGET, .ndst = 1, .dst = {{TO_REG, 1, 0, 0, 5}}};
        insns[last] = (struct tr_insn){
            .cls = TC_FP32, .target = TR_NO_TARGET, .nsrc = 1, .src = {{TO_REG, 1, 0, 0, 5}}};
        struct tr_kernel k = {.insns = insns, .blocks = blocks, .n = N, .nblocks = N};
        struct strands *s = strands_new(&k, 1, 4);
        assert_true(s->insns[last].waits);
        strands_free(s);
        free(insns);
        free(blocks);
        free(succ);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels), cmocka_unit_test(greedy),      cmocka_unit_test(across),
        cmocka_unit_test(guards), cmocka_unit_test(overwritten), cmocka_unit_test(loop),
        cmocka_unit_test(flow),   cmocka_unit_test(first_reads), cmocka_unit_test(sizes),
        cmocka_unit_test(call),   cmocka_unit_test(long_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
