/* SPDX-License-Identifier: Apache-2.0 */
/* tr_kernel_check: each promise it makes, broken one at a time. */
#include "gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect(struct tr_kernel *k, const char *text)
{
    const char *why = tr_kernel_check(k);
    if (!why || !strstr(why, text))
        fail_msg("'%s' instead of '%s'", why ? why : "fine", text);
    tr_kernel_free(k);
}

static struct tr_kernel *plain(void)
{
    struct tr_kernel *k = gen_kernel(1, 20);
    struct tr_insn *in = &k->insns[5];
    *in = (struct tr_insn){.cls = TC_INT, .ndst = 1, .nsrc = 1, .target = TR_NO_TARGET, .text = "MOV"};
    in->dst[0] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 3};
    in->src[0] = (struct tr_opnd){.kind = TO_REG, .n = 2, .val = 4};
    assert_null(tr_kernel_check(k));
    return k;
}

#define BREAK(change, text)                                                                                  \
    do {                                                                                                     \
        struct tr_kernel *k = plain();                                                                       \
        struct tr_insn *in = &k->insns[5];                                                                   \
        (void)in;                                                                                            \
        change;                                                                                              \
        expect(k, text);                                                                                     \
    } while (0)

static void instructions(void **state)
{
    (void)state;
    BREAK(in->cls = TC_COUNT, "instruction 5: an unknown class");
    BREAK(in->ndst = TR_DSTS + 1, "too many operands");
    BREAK(in->nsrc = TR_SRCS + 1, "too many operands");
    BREAK(in->mem = 8, "memory behaviour");
    BREAK(in->space = SPACE_REG, "memory behaviour");
    BREAK((in->mem = TM_LOAD, in->naddr = 3), "memory behaviour");
    BREAK(in->naddr = 1, "addresses without an access");
    BREAK(in->target = 20, "a target outside the code");
    BREAK(in->text = NULL, "no text");
    BREAK(in->dst[0].val = 255, "a register out of range");
    BREAK((in->src[0].val = 254, in->src[0].n = 2), "a register out of range");
    BREAK(in->src[0].n = 0, "a register out of range");
    BREAK((in->src[0].kind = TO_PRED, in->src[0].val = 7), "a register out of range");
    BREAK(in->src[0].kind = 99, "an operand of unknown kind");
    BREAK((in->src[0].kind = TO_CONST, in->src[0].bank = 32), "a constant bank");
    BREAK(in->dst[0].kind = TO_IMM, "cannot be written");
    BREAK(in->dst[2] = in->dst[0], "more destinations");
    BREAK(in->src[2] = in->src[0], "more sources");
    BREAK(in->guard = in->src[0], "a guard that is no predicate");
    BREAK(in->src[1].n = 1, "an absent operand that is not empty");
}

static void whole_kernels(void **state)
{
    (void)state;
    BREAK(k->n = 0, "no code");
    BREAK(k->regs = 300, "counts out of range");
    BREAK(k->spill_insns = 21, "counts out of range");
    BREAK(k->name = NULL, "no name");
    BREAK(k->nblocks = 0, "do not cover");
    BREAK(k->blocks[0].n = 0, "block 0");
    BREAK(k->blocks[0].start = 1, "block 0");
    BREAK(k->blocks[k->nblocks - 1].n++, "leaves the code");
    BREAK(k->blocks[0].ipdom = k->nblocks, "post-dominator");
    uint32_t succ = 1000;
    BREAK((k->blocks[0].nsucc = 1, k->blocks[0].succ = &succ), "successor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions), cmocka_unit_test(whole_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
