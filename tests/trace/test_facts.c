/* SPDX-License-Identifier: Apache-2.0 */
/* What texts of instructions say (trace/code/facts.def). */
#include "trace/code/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static uint32_t of(const char *text) { return tr_facts(&(struct tr_insn){.text = text}); }

static void atomics(void **state)
{
    (void)state;
    assert_int_equal(of("ATOMG.E.CAS.STRONG.GPU"), TF_SWAP | TF_SCOPE_GPU);
    assert_int_equal(of("ATOMS.CAST.SPIN.64"), TF_SWAP); /* SASS's loop of compare and swap */
    assert_int_equal(of("RED.E.ADD.F32.FTZ.RN.STRONG.GPU"), TF_FLOAT | TF_SCOPE_GPU);
    assert_int_equal(of("RED.E.ADD.F64.RN.STRONG.GPU"), TF_FLOAT | TF_DOUBLE | TF_SCOPE_GPU);
    assert_int_equal(of("ATOMG.E.ADD.F16x2.RN.STRONG.GPU"), TF_FLOAT | TF_SCOPE_GPU);
    assert_int_equal(of("ATOMG.E.ADD.BF16_V2.RN"), TF_FLOAT);
    assert_int_equal(of("ATOMS.POPC.INC.32"), TF_COUNTS);
    assert_int_equal(of("ATOMG.E.ADD.STRONG.GPU"), TF_SCOPE_GPU);
}

static void fences(void **state)
{
    (void)state;
    assert_int_equal(of("MEMBAR.SC.GPU"), TF_FENCE | TF_SCOPE_GPU);
    assert_int_equal(of("MEMBAR.ALL.CTA"), TF_FENCE);
    assert_int_equal(of("MEMBAR.SC.SYS"), TF_FENCE | TF_SCOPE_SYS);
    assert_int_equal(of("ERRBAR"), TF_FENCE_END);
    assert_int_equal(of("CGAERRBAR"), TF_FENCE_END);
    assert_int_equal(of("ULDC.64"), TF_UNIFORM);
    assert_int_equal(of("LDC"), 0);
}

static void others(void **state)
{
    (void)state;
    assert_int_equal(of("BSSY"), TF_JOINS);
    assert_int_equal(of("BSYNC"), 0);
    assert_int_equal(of("TLD.LZ"), TF_BY_INDEX);
    assert_int_equal(of("TEX.2D.F32.S32"), TF_BY_INDEX | TF_FLOAT);
    assert_int_equal(of(".S32"), 0); /* an ending needs something that ends */
    assert_int_equal(of("FADD.FTZ"), TF_ADDS);
    assert_int_equal(of("UFADD"), 0);
    assert_int_equal(of("DSETP.MAX.AND"), TF_COMPARES);
    assert_int_equal(of("MUFU.RCP"), TF_ONE_SOURCE);
    assert_int_equal(of("POPC"), TF_ONE_SOURCE); /* the mnemonic, not the modifier */
    assert_int_equal(of("CALL.REL.NOINC"), TF_CALLS);
    assert_int_equal(of(""), 0);
    assert_int_equal(of(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(atomics), cmocka_unit_test(fences),
                                       cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
