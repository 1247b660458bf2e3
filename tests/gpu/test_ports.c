/* SPDX-License-Identifier: Apache-2.0 */
/* sm.operands = ports: cycles of patterns of registers, counted by hand, and as silicon/ports.cu measures them on an H200 (to
 * within the few percent that its loop takes). */
#include "mini.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SHORT = 120, LONG = 360, STEPS = LONG - SHORT, ACCUMULATOR = 100, ACCUMULATORS = 40 };

struct fill {
    const char *pattern;
    uint32_t even, odd;
};

/* A source by its letter: e and o are another register each time, E and O the same one. */
static int source(struct fill *f, char c)
{
    enum { SAME = 8, FIRST = 10, OTHERS = 16 };
    switch (c) {
    case 'e': return FIRST + 2 * (int)(f->even++ % OTHERS);
    case 'o': return FIRST + 1 + 2 * (int)(f->odd++ % OTHERS);
    case 'E': return SAME;
    case 'O': return SAME + 1;
    default: return MINI_NONE;
    }
}

/* Sources that are absent still take their place. */
static void add(struct mini *m, struct fill *f, const char *insn, uint32_t i)
{
    uint32_t at = mini_op(m, TC_FP32, ACCUMULATOR + (int)(i % ACCUMULATORS), MINI_NONE, MINI_NONE, MINI_NONE);
    struct tr_insn *in = &m->insns[at];
    in->text = "FFMA";
    in->nsrc = 3;
    for (uint32_t k = 0; k < 3; k++) {
        int r = source(f, insn[k]);
        in->src[k] = r == MINI_NONE ? (struct tr_opnd){.kind = TO_IMM}
                                    : (struct tr_opnd){.kind = TO_REG, .n = 1, .val = (uint32_t)r};
    }
}

static void machine(struct mini *m)
{
    static const char *const sets[] = {"sm.partitions=1",   "sm.banks=2",      "sm.bank_reads=1",
                                       "sm.operands=ports", "interval.FP32=1", "sm.bank_write_port=true"};
    mini_init(m);
    m->regs = 224;
    for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++)
        mini_set(m, sets[i]);
}

static uint64_t cycles(const char *pattern, uint32_t n)
{
    struct mini m;
    struct fill f = {.pattern = pattern};
    uint32_t insns = ((uint32_t)strlen(pattern) + 1) / 4;
    machine(&m);
    for (uint32_t i = 0; i < n; i++)
        add(&m, &f, pattern + i % insns * 4, i);
    uint64_t t = mini_cycles(&m);
    mini_free(&m);
    return t;
}

static const struct {
    const char *pattern;
    double cycles, h200; /* of an instruction */
} rows[] = {
    {"---", 1, 1.037},
    {"e--", 1, 1.037},
    {"eo-", 1, 1.037},
    {"ee-", 2, 2.016}, /* a bank reads one register a cycle */
    {"eee", 3, 3.006},
    {"eeo", 2, 2.016},
    {"oee", 2, 2.016},
    {"eE-", 1, 1.037}, /* kept from the instruction before, as a mark says on silicon */
    {"eEo", 1, 1.037},
    {"eoE", 1, 1.037},
    {"EOe", 1, 1.037},
    {"ooE", 2, 2.026},
    {"eEo -e-", 1.5, 1.516}, /* another read in its place: it is read again */
    {"eEo oeo", 1.5, 1.527},
    {"ee- oo-", 1, 1.037}, /* the next reads the other bank meanwhile */
    {"eee ooo", 1.5, 1.527},
    {"eeo ooe", 1.5, 1.516},
    {"ee- o--", 1, 1.037},
    {"eee o--", 1.5, 1.516},
    {"ee- ---", 1, 1.037},
    {"eee ---", 1.5, 1.516},
    {"eee --- ---", 1, 1.037},
    {"ee- ee- --- ---", 1.25, 1.276}, /* two cycles each: the first leaves no room for the second's */
    {"eee eee --- --- --- ---", 4.0 / 3, 1.370},
};

static void patterns(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double c = (double)(cycles(rows[i].pattern, LONG) - cycles(rows[i].pattern, SHORT)) / STEPS;
        if (fabs(c - rows[i].cycles) > 0.02)
            fail_msg("%s: %.3f cycles, counted %.3f", rows[i].pattern, c, rows[i].cycles);
        if (fabs(c / rows[i].h200 - 1) > 0.04)
            fail_msg("%s: %.3f cycles, an H200 %.3f", rows[i].pattern, c, rows[i].h200);
    }
}

/* Each reads what the one before has written, and two more registers of that bank: its result comes no later for that. */
static void chain(void **state)
{
    uint64_t c[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        machine(&m);
        for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
            mini_op(&m, TC_FP32, 4, 4, 6, 8);
        c[k] = mini_cycles(&m);
        mini_free(&m);
    }
    assert_int_equal(c[1] - c[0], STEPS * 4);
}

/* A unit that takes an instruction every sixth cycle, and two of them. */
static void unit(void **state)
{
    (void)state;
    for (uint32_t units = 1; units <= 2; units++) {
        uint64_t c[2];
        for (uint32_t k = 0; k < 2; k++) {
            struct mini m;
            machine(&m);
            mini_set(&m, "interval.FP32=6");
            mini_set(&m, units == 1 ? "units.FP32=1" : "units.FP32=2");
            for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
                mini_op(&m, TC_FP32, ACCUMULATOR + (int)(i % ACCUMULATORS), 2, MINI_NONE, MINI_NONE);
            c[k] = mini_cycles(&m);
            mini_free(&m);
        }
        assert_int_equal(c[1] - c[0], STEPS * 6 / units);
    }
}

/* Loads read what is left of the banks: with all cycles of one bank taken, a load with its address there comes through. */
static void memory(void **state)
{
    struct mini m;
    (void)state;
    machine(&m);
    for (uint32_t i = 0; i < LONG; i++) {
        if (i % 12 == 0)
            mini_mem(&m, TC_LDS, 50 + (int)(i / 12 % 40), 12, 4, 0x100, 4);
        mini_op(&m, TC_FP32, ACCUMULATOR + (int)(i % ACCUMULATORS), 14, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_FP32, ACCUMULATOR + (int)(i % ACCUMULATORS), 16, MINI_NONE, MINI_NONE);
    }
    struct gpu_result r;
    mini_run(&m, &r, 1);
    assert_int_equal(r.sm[SS_shared_accesses], LONG / 12);
    assert_int_equal(r.sm[SS_reg_reads], 2 * LONG + LONG / 12);
    gpu_result_free(&r);
    mini_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(chain),
                                       cmocka_unit_test(unit), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
