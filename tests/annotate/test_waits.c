/* SPDX-License-Identifier: Apache-2.0 */
/* Control codes held against latencies: distances, barriers, guards, paths that meet, loops. */
#include "annotate/waits.h"

#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LAT = 4, GUARD = 9, PASS = 5 };
static uint32_t lat[TC_COUNT];
static const struct waits_table table = {lat, GUARD, PASS};

static uint32_t ctl(unsigned stall, unsigned write, unsigned wait)
{
    return stall | write << 5 | TR_CTL_NONE << 8 | wait << 11;
}

static struct code *fresh(void)
{
    struct code *c = calloc(1, sizeof *c);
    for (unsigned i = 0; i < TC_COUNT; i++)
        lat[i] = LAT;
    return c;
}

static struct tr_insn *put(struct code *c, enum tr_class cls, int d, int a, uint32_t codes)
{
    struct tr_insn *i = code_op(c, cls, d, a, -1);
    i->ctl = codes;
    i->text = "OP";
    i->pc = (c->k.n - 1) * 16;
    if (cls == TC_LDG)
        i->mem = TM_LOAD;
    return i;
}

static bool early(struct code *c, struct waits_early *e)
{
    c->k.insns = c->insns;
    c->k.blocks = c->blocks;
    c->k.coded = true;
    return waits_too_short(&c->k, &table, e);
}

static void distances(void **state)
{
    (void)state;
    for (unsigned stall = 1; stall < 8; stall++) {
        struct code *c = fresh();
        struct waits_early e;
        put(c, TC_INT, 1, -1, ctl(stall, TR_CTL_NONE, 0));
        put(c, TC_INT, 2, 1, ctl(1, TR_CTL_NONE, 0));
        put(c, TC_EXIT, -1, -1, ctl(5, TR_CTL_NONE, 0));
        code_end(c, -1, -1);
        assert_int_equal(early(c, &e), stall < LAT);
        if (stall < LAT) {
            assert_int_equal(e.short_cyc, LAT - stall);
            assert_int_equal(e.producer, 0);
            assert_int_equal(e.consumer, 1);
        }
        c->k.coded = false; /* code without codes is not judged */
        assert_false(waits_too_short(&c->k, &table, &e));
        free(c);
    }
}

static void barriers(void **state)
{
    struct waits_early e;
    struct arena a = {0};
    (void)state;
    /* counted by 2; waits for none, for 3, for 2 */
    for (unsigned wait = 0; wait < 3; wait++) {
        struct code *c = fresh();
        put(c, TC_LDG, 1, -1, ctl(1, 2, 0));
        put(c, TC_INT, 2, 1, ctl(1, TR_CTL_NONE, wait == 0 ? 0 : wait == 1 ? 8 : 4));
        put(c, TC_EXIT, -1, -1, ctl(5, TR_CTL_NONE, 0));
        code_end(c, -1, -1);
        assert_int_equal(early(c, &e), wait < 2);
        if (wait < 2)
            assert_non_null(strstr(waits_tell(&c->k, &e, &a), "its barrier is not waited for"));
        free(c);
    }
    /* A load that nobody counts is there when a later one is. */
    for (unsigned later = 0; later < 2; later++) {
        struct code *c = fresh();
        put(c, TC_LDG, 1, -1, ctl(1, TR_CTL_NONE, 0));
        put(c, later ? TC_LDG : TC_SFU, 2, -1, ctl(1, 0, 0));
        put(c, TC_INT, 3, 1, ctl(1, TR_CTL_NONE, 1));
        code_end(c, -1, -1);
        assert_int_equal(early(c, &e), !later);
        free(c);
    }
    arena_free(&a);
}

static void guards(void **state)
{
    (void)state;
    for (unsigned stall = 10; stall < 16; stall++) {
        struct code *c = fresh();
        struct waits_early e;
        struct tr_insn *i = put(c, TC_INT, -1, -1, ctl(stall, TR_CTL_NONE, 0));
        i->dst[i->ndst++] = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
        i = put(c, TC_INT, 2, -1, ctl(1, TR_CTL_NONE, 0));
        i->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
        code_end(c, -1, -1);
        assert_int_equal(early(c, &e), stall < LAT + GUARD);
        free(c);
    }
}

/* Block 0 writes and goes to 1 or at once to 2, where it is read: the short way counts. */
static void paths(void **state)
{
    (void)state;
    for (unsigned stall = 1; stall < 6; stall++) {
        struct code *c = fresh();
        struct waits_early e;
        put(c, TC_INT, 1, -1, ctl(1, TR_CTL_NONE, 0));
        put(c, TC_BRANCH, -1, -1, ctl(stall, TR_CTL_NONE, 0))->target = 3;
        code_end(c, 2, 1);
        put(c, TC_INT, 5, -1, ctl(10, TR_CTL_NONE, 0));
        code_end(c, 2, -1);
        put(c, TC_INT, 2, 1, ctl(1, TR_CTL_NONE, 0));
        code_end(c, -1, -1);
        assert_int_equal(early(c, &e), 1 + stall < LAT);
        free(c);
    }
}

/* A value that the next round reads: the way back counts. */
static void loops(void **state)
{
    (void)state;
    for (unsigned stall = 1; stall < 6; stall++) {
        struct code *c = fresh();
        struct waits_early e;
        put(c, TC_INT, 7, -1, ctl(8, TR_CTL_NONE, 0));
        code_end(c, 1, -1);
        put(c, TC_INT, 2, 1, ctl(1, TR_CTL_NONE, 0));
        put(c, TC_INT, 1, -1, ctl(1, TR_CTL_NONE, 0));
        put(c, TC_BRANCH, -1, -1, ctl(stall, TR_CTL_NONE, 0))->target = 1;
        code_end(c, 1, -1);
        assert_int_equal(early(c, &e), 1 + stall < LAT);
        free(c);
    }
}

/* One instruction's result read by another after so many cycles; from, to: their names. d, s: the places, of one or two words. */
struct pair {
    enum tr_class from, to;
    const char *from_name, *to_name;
    enum tr_opnd_kind kind;
    unsigned words, from_word;
    bool guards;
    unsigned wants;
};

/* What nvcc's code leaves between two instructions, where it is not one class's latency. */
static void between_units(void **state)
{
    static const struct pair pairs[] = {
        {TC_FP64, TC_FP64, "DFMA", "DADD", TO_REG, 2, 0, false, 8},
        {TC_FP64, TC_STG, "DFMA", "STG", TO_REG, 2, 0, false, 6},
        {TC_FP64, TC_SFU, "DADD", "MUFU", TO_REG, 1, 0, false, 6},
        {TC_FP64, TC_INT, "DSETP", "SEL", TO_PRED, 1, 0, false, 6},
        {TC_FP64, TC_INT, "DSETP", "IADD3", TO_PRED, 1, 0, true, 14},
        {TC_INT, TC_INT, "ISETP", "SEL", TO_PRED, 1, 0, false, LAT},
        {TC_INT, TC_INT, "ISETP", "IADD3", TO_PRED, 1, 0, true, LAT + GUARD},
        {TC_INT, TC_WIDE, "IADD3", "IMAD.WIDE", TO_REG, 2, 0, false, LAT},
        {TC_INT, TC_WIDE, "IADD3", "IMAD.WIDE", TO_REG, 2, 1, false, LAT - 1},
        {TC_INT, TC_WIDE, "IMAD.MOV", "IMAD.WIDE", TO_REG, 2, 1, false, LAT - 2},
        {TC_INT, TC_INT, "IMAD.MOV", "IADD3", TO_REG, 2, 1, false, LAT},
        {TC_LDC, TC_UNIFORM, "ULDC", "UIADD3", TO_UREG, 1, 0, false, 2},
        {TC_VOTE, TC_UNIFORM, "VOTEU", "FLO", TO_UREG, 1, 0, false, 2},
        {TC_VOTE, TC_UNIFORM, "VOTEU", "UMOV", TO_UPRED, 1, 0, true, LAT},
        {TC_VOTE, TC_INT, "VOTE", "IADD3", TO_PRED, 1, 0, true, LAT + GUARD},
    };
    (void)state;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        for (unsigned stall = 1; stall < 16; stall++) {
            const struct pair *p = &pairs[n];
            struct code *c = fresh();
            struct waits_early e;
            lat[TC_FP64] = 8;
            struct tr_insn *i = put(c, p->from, -1, -1, ctl(stall, TR_CTL_NONE, 0));
            i->text = p->from_name;
            i->mem = p->from == TC_LDC ? TM_LOAD : 0;
            i->dst[i->ndst++] = (struct tr_opnd){.kind = p->kind, .n = 1, .val = 2 + p->from_word};
            i = put(c, p->to, 9, -1, ctl(1, TR_CTL_NONE, 0));
            i->text = p->to_name;
            if (p->guards)
                i->guard = (struct tr_opnd){.kind = p->kind, .n = 1, .val = 2};
            else
                i->src[i->nsrc++] = (struct tr_opnd){.kind = p->kind, .n = (uint8_t)p->words, .val = 2};
            code_end(c, -1, -1);
            if (early(c, &e) != (stall < p->wants))
                fail_msg("%s to %s, %u cycles", p->from_name, p->to_name, stall);
            free(c);
        }
}

static void stalls_are(struct code *c, uint32_t n, const uint8_t *want)
{
    uint8_t got[16] = {0};
    c->k.insns = c->insns;
    c->k.coded = false;
    waits_stalls(&c->k, &table, got);
    assert_int_equal(c->k.n, n);
    assert_memory_equal(got, want, n);
    free(c);
}

/* Code without codes: what is read 4 cycles after it is written, whatever lies between may wait for; nothing for what a barrier
 * would count; nothing behind a branch that is always taken, and 5 cycles are over behind one that is not. */
static void stalls(void **state)
{
    (void)state;
    struct code *c = fresh();
    put(c, TC_INT, 1, -1, 0);
    put(c, TC_LDG, 2, -1, 0);
    put(c, TC_INT, 3, 2, 0);
    put(c, TC_INT, 4, 1, 0);
    stalls_are(c, 4, (uint8_t[]){1, 1, 2, 1});
    c = fresh();
    struct tr_insn *i = put(c, TC_INT, -1, -1, 0);
    i->dst[i->ndst++] = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
    put(c, TC_INT, 1, -1, 0);
    i = put(c, TC_BRANCH, -1, -1, 0);
    i->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
    put(c, TC_INT, 2, 1, 0);
    stalls_are(c, 4, (uint8_t[]){1, LAT + GUARD - 1, PASS, 1});
    c = fresh();
    put(c, TC_INT, 1, -1, 0);
    put(c, TC_BRANCH, -1, -1, 0);
    put(c, TC_INT, 2, 1, 0);
    stalls_are(c, 3, (uint8_t[]){1, PASS, 1});
    c = fresh();
    i = put(c, TC_INT, -1, -1, 0);
    i->dst[i->ndst++] = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
    put(c, TC_BRANCH, -1, -1, 0);
    i = put(c, TC_INT, 2, -1, 0);
    i->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = 3};
    stalls_are(c, 3, (uint8_t[]){1, PASS, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(barriers),
                                       cmocka_unit_test(guards),    cmocka_unit_test(paths),
                                       cmocka_unit_test(loops),     cmocka_unit_test(between_units),
                                       cmocka_unit_test(stalls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
