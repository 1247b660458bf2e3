/* SPDX-License-Identifier: Apache-2.0 */
/* Last uses on small graphs of blocks. */
#include "annotate/last_use.h"

#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct tr_insn *op(struct code *c, int d, int a, int b) { return code_op(c, TC_FP32, d, a, b); }

static void check(struct code *c, const uint8_t *want)
{
    uint8_t *got = last_uses(&c->k);
    for (uint32_t i = 0; i < c->k.n; i++)
        assert_int_equal(got[i], want[i]);
    free(got);
}

static void straight(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, 2, 3); /* R3 is not read again, R2 is */
    op(&c, 4, 2, 1); /* R1 is */
    op(&c, 1, 1, 4); /* both end: R1 is written by the same instruction */
    op(&c, -1, 1, -1);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){2, 1, 3, 1, 0});
}

/* A loop reads R1 again; R2 is read on one side of a branch only. */
static void loop(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 5, 1, 2); /* block 0: goes to itself or on */
    code_end(&c, 0, 1);
    op(&c, 6, 3, 5); /* block 1: R3 is read in 2, not in 3 */
    code_end(&c, 2, 3);
    op(&c, -1, 3, -1);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    op(&c, -1, 6, -1);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){0, 2, 1, 0, 1, 0});
}

/* A guarded write leaves the old value to some lanes; an unknown way on may read everything. */
static void careful(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, -1, 1, -1);
    op(&c, 1, -1, -1)->guard = (struct tr_opnd){.kind = TO_PRED, .n = 1};
    op(&c, -1, 1, 2);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){0, 0, 3, 0});
    struct code d = {0};
    op(&d, -1, 1, -1);
    op(&d, -1, -1, -1)->cls = TC_BRANCH;
    code_end(&d, -1, -1);
    check(&d, (const uint8_t[]){0, 0});
}

/* A function may read what its caller does not: a call in the middle of a block, and what it is called for. */
static void call(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, -1, 1, 2);
    op(&c, 20, -1, -1)->cls = TC_BRANCH; /* to instruction 5; it writes where to return to */
    c.insns[1].target = 5;
    op(&c, 1, -1, -1);
    op(&c, 2, 20, 1); /* R20 and R1 end here: nothing is called any more */
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    op(&c, -1, 1, -1);
    op(&c, -1, -1, -1)->cls = TC_BRANCH;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){0, 0, 0, 3, 0, 0, 0});
}

/* Of a function that is called by name it is known what it reads; of one that calls in turn it is not. */
static void named_call(void **state)
{
    (void)state;
    for (unsigned nested = 0; nested < 2; nested++) {
        struct code c = {0};
        op(&c, -1, 1, 2); /* the function reads R1, and nobody R2 */
        op(&c, 20, -1, -1)->cls = TC_BRANCH;
        c.insns[1].target = 3;
        c.insns[1].text = "CALL";
        op(&c, -1, -1, -1)->cls = TC_EXIT;
        code_end(&c, -1, -1);
        op(&c, 3, 1, -1);
        if (nested)
            op(&c, 21, -1, -1)->cls = TC_BRANCH;
        op(&c, -1, 20, -1)->cls = TC_BRANCH;
        code_end(&c, -1, -1);
        check(&c, (const uint8_t[]){nested ? 0 : 2, 0, 0, 0, 0, 0});
    }
}

/* A branch that says where it goes hides nothing. */
static void jump(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, -1, 1, -1);
    op(&c, -1, -1, -1)->cls = TC_BRANCH;
    c.insns[1].target = 3;
    code_end(&c, 1, 2);
    op(&c, -1, 2, -1);
    code_end(&c, 2, -1);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){1, 0, 1, 0});
}

/* What a barrier counts is no result that passes a unit: for the model the register stays what it was. */
static void barrier(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, -1, 1, -1);
    op(&c, 1, -1, -1)->cls = TC_BAR;
    op(&c, -1, 1, -1);
    op(&c, -1, -1, -1)->cls = TC_EXIT;
    code_end(&c, -1, -1);
    check(&c, (const uint8_t[]){0, 0, 1, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight),  cmocka_unit_test(loop),
                                       cmocka_unit_test(careful),   cmocka_unit_test(call),
                                       cmocka_unit_test(jump),      cmocka_unit_test(barrier),
                                       cmocka_unit_test(named_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
