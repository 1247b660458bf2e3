/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of small kernels, worked out by hand. */
#include "annotate/regions.h"

#include "annotate/apart.h"
#include "annotate/live.h"
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NONE = -1 };
static const struct region_limits thesis = {.banks = 8, .lines = 16, .most = 32};

static struct code *new_code(void) { return calloc(1, sizeof(struct code)); }

static struct tr_insn *op(struct code *c, enum tr_class cls, int d, int a, int b)
{
    struct tr_insn *i = code_op(c, cls, d, a, b);
    if (cls == TC_LDG || cls == TC_STG) {
        i->naddr = 1;
        i->mem = cls == TC_STG ? TM_STORE : TM_LOAD;
        i->space = SPACE_GLOBAL;
    }
    return i;
}

static struct tr_insn *guarded(struct tr_insn *i)
{
    i->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1};
    return i;
}

/* A branch to a block, whose start is filled in when the code is whole. */
static void branch(struct code *c, uint32_t block)
{
    op(c, TC_BRANCH, NONE, NONE, NONE)->target = block;
    guarded(&c->insns[c->k.n - 1]);
}

static void meet(struct code *c) { op(c, TC_CONVERGE, NONE, NONE, NONE)->text = "BSYNC"; }

static struct regions *make(struct code *c, const struct region_limits *l)
{
    op(c, TC_EXIT, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    for (uint32_t i = 0; i < c->k.n; i++)
        if (c->insns[i].cls == TC_BRANCH)
            c->insns[i].target = c->blocks[c->insns[i].target].start;
    return regions_new(&c->k, l);
}

static void done(struct code *c, struct regions *r)
{
    regions_free(r);
    free(c);
}

/* A set as "1 5 9". */
static void is_set(const regset *s, const char *want)
{
    char text[1200] = "", one[8];
    for (regset left = *s; !regset_empty(&left);) {
        snprintf(one, sizeof one, "%s%u", *text ? " " : "", regset_take(&left));
        strcat(text, one);
    }
    assert_string_equal(text, want);
}

/* The first instructions of all regions. */
static void starts(const struct regions *r, const char *want)
{
    char text[400] = "", one[16];
    for (uint32_t i = 0; i < r->n; i++) {
        snprintf(one, sizeof one, "%s%u", i ? " " : "", r->at[i].start);
        strcat(text, one);
    }
    assert_string_equal(text, want);
}

/* ---- metadata ---- */

/* Section 4.5.4: one word for up to 2 preloads and 4 instructions; else one with up to 3, one for each 5 more, one for each 9
 * instructions. */
static void words(void **state)
{
    static const uint32_t rows[][3] = {{0, 1, 1}, {2, 4, 1}, {3, 4, 2}, {2, 5, 2},   {3, 9, 2},  {3, 10, 3},
                                       {4, 9, 3}, {8, 9, 3}, {9, 9, 4}, {13, 18, 5}, {14, 19, 7}};
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(regions_words(rows[i][0], rows[i][1]), rows[i][2]);
}

/* ---- one block ---- */

/* R1 comes from outside, R2 is made and used inside, R3 is made and never read. */
static void straight(void **state)
{
    struct code *c = new_code();
    (void)state;
    op(c, TC_FP32, 2, 1, NONE);
    op(c, TC_FP32, 3, 2, 1);
    struct regions *r = make(c, &thesis);
    starts(r, "0");
    assert_int_equal(r->at[0].n, 3);
    is_set(&r->at[0].preload, "1");
    is_set(&r->insns[0].last, "");
    is_set(&r->insns[1].last, "1 2 3");
    is_set(&r->insns[1].dead, "1 2 3");
    assert_int_equal(r->at[0].most, 3);
    assert_int_equal(r->at[0].need[0] + r->at[0].need[4], 0);
    assert_int_equal(r->at[0].need[1] + r->at[0].need[2] + r->at[0].need[3], 3);
    assert_int_equal(r->at[0].words, 1);
    done(c, r);
}

/* Short-lived registers share a place: R1, R9 and R17 are in bank 1 one after the other. */
static void shared_place(void **state)
{
    struct code *c = new_code();
    (void)state;
    for (int i = 0; i < 3; i++) {
        op(c, TC_FP32, 1 + 8 * i, NONE, NONE);
        op(c, TC_FP32, NONE, 1 + 8 * i, NONE);
    }
    struct regions *r = make(c, &thesis);
    assert_int_equal(r->at[0].need[1], 1);
    assert_int_equal(r->at[0].most, 1);
    done(c, r);
}

/* Seven instructions, a load and its use: the load's place is the earliest to part them, the window starts six instructions in,
 * and the last of equally good places is taken. Between them R1, R2 and R3 are live. */
static void load_and_use(void **state)
{
    struct code *c = new_code();
    (void)state;
    op(c, TC_LDG, 3, 1, NONE); /* 0 */
    for (int i = 0; i < 7; i++)
        op(c, TC_FP32, 2, 2, NONE); /* 1 to 7 */
    op(c, TC_FP32, NONE, 3, 2);     /* 8 */
    struct regions *r = make(c, &thesis);
    starts(r, "0 8");
    is_set(&r->at[0].preload, "1 2");
    is_set(&r->at[1].preload, "2 3");
    is_set(&r->insns[0].last, "1 3");
    is_set(&r->insns[0].dead, "1"); /* R3's result carries `evict` */
    is_set(&r->insns[7].last, "2");
    is_set(&r->insns[7].dead, "");
    done(c, r);
}

/* Fewer than six instructions before the use: there. */
static void soon_used(void **state)
{
    struct code *c = new_code();
    (void)state;
    op(c, TC_LDG, 3, 1, NONE);
    op(c, TC_FP32, 2, 2, NONE);
    op(c, TC_FP32, NONE, 3, 2);
    struct regions *r = make(c, &thesis);
    starts(r, "0 2");
    done(c, r);
}

/* Section 4.4.2 parts a global load from its use: a texture fetch and an atomic stay in a region with theirs. */
static void only_global(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_TEX, 3, 1, NONE);
    op(c, TC_FP32, 4, 3, 2);
    struct tr_insn *atomic = op(c, TC_LDG, 5, 1, NONE);
    atomic->mem = TM_LOAD | TM_ATOMIC;
    op(c, TC_FP32, 6, 5, 4);
    struct regions *r = make(c, &thesis);
    starts(r, "0");
    done(c, r);
}

/* Section 4.5.1: what a load has yet to bring stays occupied to the end of the region, though nobody there names it again. */
static void late(void **state)
{
    (void)state;
    struct code *c = new_code();
    op(c, TC_LDG, 8, 1, NONE);   /* R1, R8 */
    op(c, TC_FP32, 16, 2, NONE); /* R2, R8, R16: R8 and R16 in bank 0 */
    op(c, TC_STG, NONE, 16, 2);
    struct regions *r = make(c, &thesis);
    starts(r, "0");
    assert_int_equal(r->at[0].need[0], 2);
    done(c, r);
    /* By an instruction that has its result soon, R8 is over when it has been written. */
    c = new_code();
    op(c, TC_FP32, 8, 1, NONE);
    op(c, TC_FP32, 16, 2, NONE);
    op(c, TC_STG, NONE, 16, 2);
    r = make(c, &thesis);
    assert_int_equal(r->at[0].need[0], 1);
    done(c, r);
}

/* The seam with the fewest registers: after instruction 8 only R1 is live. A register that is not touched again in its region
 * is not occupied beyond its write, so the second region goes on until its last read but two would make it seven. */
static void seam(void **state)
{
    struct region_limits l = thesis;
    struct code *c = new_code();
    (void)state;
    l.most = 6;
    for (int i = 0; i < 6; i++)
        op(c, TC_FP32, 1 + i, NONE, NONE); /* 0 to 5: six registers */
    op(c, TC_FP32, 1, 1, 2);               /* 6 */
    op(c, TC_FP32, 1, 3, 4);
    op(c, TC_FP32, 1, 5, 6); /* 8 */
    for (int i = 0; i < 6; i++)
        op(c, TC_FP32, 11 + i, NONE, NONE); /* 9 to 14: with R1 seven at the last */
    for (int i = 0; i < 6; i++)
        op(c, TC_FP32, NONE, 11 + i, 1);
    struct regions *r = make(c, &l);
    starts(r, "0 9 19");
    assert_int_equal(r->at[1].most, 6); /* at 14: R1, R11 to R14, and R16, which is written there */
    is_set(&r->at[1].preload, "1");
    is_set(&r->at[2].preload, "1 15 16");
    done(c, r);
}

/* Banks of one line: R1 and R9 can be made one after the other, but not be read together. */
static void bank_limit(void **state)
{
    struct region_limits l = {.banks = 8, .lines = 1, .most = 32};
    struct code *c = new_code();
    (void)state;
    op(c, TC_FP32, 1, NONE, NONE);
    op(c, TC_FP32, 9, NONE, NONE);
    op(c, TC_FP32, NONE, 1, NONE);
    op(c, TC_FP32, NONE, 9, NONE);
    struct regions *r = make(c, &l);
    starts(r, "0 2 3");
    assert_int_equal(regions_too_large(r, 1), REGION_NONE);
    done(c, r);
}

/* An instruction that names two registers of a bank with one line is told. */
static void too_large(void **state)
{
    struct region_limits l = {.banks = 8, .lines = 1, .most = 32};
    struct code *c = new_code();
    (void)state;
    op(c, TC_FP32, 2, NONE, NONE);
    op(c, TC_FP32, NONE, 1, 9);
    struct regions *r = make(c, &l);
    starts(r, "0 1 2");
    assert_int_equal(regions_too_large(r, 1), 1);
    done(c, r);
}

/* A region ends after a barrier, and entering one in its middle brings what is needed from there on. */
static void barrier(void **state)
{
    struct code *c = new_code();
    (void)state;
    op(c, TC_FP32, 1, 5, NONE);
    op(c, TC_BAR, NONE, NONE, NONE);
    op(c, TC_FP32, 2, 1, NONE);
    op(c, TC_FP32, 3, 2, 4);
    struct regions *r = make(c, &thesis);
    starts(r, "0 2");
    is_set(&r->at[1].preload, "1 4");
    regset in = regions_preload_at(r, &c->k, 3);
    is_set(&in, "2 4");
    done(c, r);
}

/* ---- lanes that have parted ---- */

/* if (p) R1 = ..; else R1 = ..; use(R1): each side must leave the other's lanes alone. (The thesis' Algorithm 2 calls neither
 * soft.) */
static void if_else(void **state)
{
    struct code *c = new_code();
    (void)state;
    branch(c, 2); /* 0 */
    code_end(c, 1, 2);
    op(c, TC_FP32, 1, 2, NONE); /* 1 */
    code_end(c, 3, NONE);
    op(c, TC_FP32, 1, 3, NONE); /* 2 */
    code_end(c, 3, NONE);
    meet(c);                       /* 3 */
    op(c, TC_FP32, NONE, 1, NONE); /* 4 */
    for (uint32_t b = 0; b < 3; b++)
        c->blocks[b].ipdom = 3;
    struct regions *r = make(c, &thesis);
    starts(r, "0 1 2 4"); /* the BSYNC is in none */
    is_set(&r->insns[1].soft, "1");
    is_set(&r->insns[2].soft, "1");
    is_set(&r->at[1].preload, "1 2");
    is_set(&r->insns[1].dead, "2");
    is_set(&r->insns[2].dead, "3");
    /* R2 was read on one way only; on the other it could not be given up. */
    is_set(&r->at[1].invalidate, "");
    is_set(&r->at[2].invalidate, "");
    is_set(&r->at[3].invalidate, "2 3");
    is_set(&r->insns[4].dead, "1");
    done(c, r);
}

/* A loop of two blocks whose last write is read behind it. In the second round R1 is dead for those who go round, and wanted by
 * those who have left: its write must spare them. The branch that they left by does not dominate the block. */
static void leaves_loop(void **state)
{
    struct code *c = new_code();
    (void)state;
    op(c, TC_FP32, 3, 4, NONE); /* 0 */
    code_end(c, 1, NONE);
    op(c, TC_FP32, 1, 3, NONE); /* 1 */
    code_end(c, 2, NONE);
    op(c, TC_FP32, 2, 1, NONE); /* 2 */
    branch(c, 1);               /* 3 */
    code_end(c, 1, 3);
    meet(c);                    /* 4 */
    op(c, TC_FP32, NONE, 1, 2); /* 5 */
    for (uint32_t b = 0; b < 3; b++)
        c->blocks[b].ipdom = b + 1;
    struct regions *r = make(c, &thesis);
    is_set(&r->insns[1].soft, "1");
    is_set(&r->insns[2].soft, "2");
    is_set(&r->insns[0].soft, "");
    is_set(&r->at[1].preload, "1 3");
    done(c, r);
}

/* A guarded write leaves the old value to the lanes that it skips, unless nobody wants that. */
static void guarded_write(void **state)
{
    struct code *c = new_code();
    (void)state;
    guarded(op(c, TC_FP32, 1, 2, NONE));
    guarded(op(c, TC_FP32, 3, 2, NONE)); /* never read */
    op(c, TC_FP32, NONE, 1, NONE);
    struct regions *r = make(c, &thesis);
    is_set(&r->insns[0].soft, "1");
    is_set(&r->insns[1].soft, "");
    is_set(&r->at[0].preload, "1 2");
    done(c, r);
}

/* Where it is not known where lanes meet they may be in all that the other way leads to. */
static void never_meet(void **state)
{
    struct code *c = new_code();
    (void)state;
    branch(c, 2);
    code_end(c, 1, 2);
    op(c, TC_FP32, 1, NONE, NONE); /* 1 */
    op(c, TC_FP32, 5, NONE, NONE); /* 2 */
    op(c, TC_EXIT, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    op(c, TC_FP32, 2, 1, NONE); /* 4: wants R1 */
    struct regions *r = make(c, &thesis);
    is_set(&r->insns[1].soft, "1");
    is_set(&r->insns[2].soft, "");
    is_set(&r->insns[2].dead, "5");
    done(c, r);
}

/* A function's caller may have parted: nothing is dead there. Behind an indirect branch nobody knows anything. */
static void functions(void **state)
{
    struct code *c = new_code();
    (void)state;
    struct tr_insn *call = op(c, TC_BRANCH, NONE, NONE, NONE);
    call->target = 1;
    call->text = "CALL.REL.NOINC";
    op(c, TC_FP32, 1, NONE, NONE); /* 1 */
    op(c, TC_EXIT, NONE, NONE, NONE);
    code_end(c, NONE, NONE);
    op(c, TC_FP32, 2, NONE, NONE); /* 3: the function */
    struct regions *r = make(c, &thesis);
    is_set(&r->insns[1].dead, "1");
    is_set(&r->insns[3].soft, "2");
    is_set(&r->insns[3].dead, "");
    assert_int_equal(r->at[0].n, 1); /* a region ends after the call */
    done(c, r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),        cmocka_unit_test(straight),      cmocka_unit_test(shared_place),
        cmocka_unit_test(load_and_use), cmocka_unit_test(soon_used),     cmocka_unit_test(only_global),
        cmocka_unit_test(late),         cmocka_unit_test(seam),          cmocka_unit_test(bank_limit),
        cmocka_unit_test(too_large),    cmocka_unit_test(barrier),       cmocka_unit_test(if_else),
        cmocka_unit_test(leaves_loop),  cmocka_unit_test(guarded_write), cmocka_unit_test(never_meet),
        cmocka_unit_test(functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
