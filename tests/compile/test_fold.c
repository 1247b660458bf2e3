/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes less: constants at their readers, logic of logic, structures and texture handles among the parameters,
 * atomics without a result. */
#include "one.h"

static void constants_inside_a_block(void **state)
{
    (void)state;
    /* A sum that starts at zero twice, in a register with several definitions: no copy of a register. */
    struct code *c = one_kernel(
        "mov.u32 %r2, 0; mov.u32 %r3, %r2; mov.u32 %r4, %r2;\n"
        "L: ld.global.u32 %r5, [%rd0]; add.s32 %r2, %r2, %r5; add.s32 %r3, %r3, %r2; xor.b32 %r4, %r4, %r3;\n"
        "setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;\nst.global.u32 [%rd0], %r4;",
        0);
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_MOV)
            assert_int_not_equal(c->insns[k].src[0].kind, OPND_REG);
    code_free(c);
}

/* Two arrays with elements of one size, in a loop: the size moves to one register, in front of it. */
static void one_size(void **state)
{
    (void)state;
    struct code *c =
        one_kernel("ld.param.u64 %rd1, [s];\n"
                   "L: .pragma \"nounroll\"; mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd0, %rd2; "
                   "ld.global.u32 %r2, [%rd3]; "
                   "add.s64 %rd4, %rd1, %rd2;\n"
                   "st.global.u32 [%rd4], %r2; add.s32 %r1, %r1, 32; setp.lt.s32 %p0, %r1, %r0; @%p0 bra L;",
                   0);
    uint32_t moves = 0;
    for (uint32_t k = 0; k < c->n; k++)
        moves +=
            c->insns[k].op == OP_MOV && c->insns[k].src[0].kind == OPND_IMM && c->insns[k].src[0].val == 4;
    assert_int_equal(count_op(c, OP_IMAD_WIDE), 2);
    assert_int_equal(moves, 1);
    code_free(c);
}

/* Sums of a tensor core that start at zero, as inline assembly writes them: one register is read and written. Neither zeros nor
 * copies are left. */
static void products_from_zero(void **state)
{
    (void)state;
    struct code *c = one_kernel(
        "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd0]; ld.global.v2.u32 {%r6, %r7}, [%rd0+16];\n"
        "L: mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, %f2;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r2, %r3, %r4, %r5}, {%r6, "
        "%r7}, "
        "{%f0, %f1, %f2, %f3};\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r2, %r3, %r4, %r5}, {%r6, "
        "%r7}, "
        "{%f0, %f1, %f2, %f3};\n"
        "st.global.v4.f32 [%rd0+32], {%f0, %f1, %f2, %f3};\n"
        "add.s32 %r1, %r1, 1; setp.lt.s32 %p0, %r1, %r0; @%p0 bra L;",
        0);
    uint32_t first = find_op(c, OP_HMMA, 0);
    assert_true(opnd_is_zero(&c->insns[first].src[2]));
    assert_int_equal(c->insns[find_op(c, OP_HMMA, first + 1)].src[2].kind, OPND_REG);
    for (uint32_t k = first; k < c->n; k++)
        assert_int_not_equal(c->insns[k].op, OP_MOV);
    code_free(c);
}

/* A half in the upper bits of a register is converted without a shift. */
static void upper_half(void **state)
{
    (void)state;
    struct code *c =
        one_kernel(".reg .b16 %h<2>; ld.global.u32 %r2, [%rd0]; mov.b32 {%h0, %h1}, %r2;\n"
                   "cvt.f32.f16 %f1, %h0; cvt.f32.f16 %f2, %h1; st.global.v2.f32 [%rd0], {%f1, %f2};",
                   0);
    assert_int_equal(count_op(c, OP_SHR), 0);
    assert_int_equal(count_op(c, OP_F2F), 2);
    uint32_t upper = 0;
    for (uint32_t k = 0; k < c->n; k++)
        upper += c->insns[k].op == OP_F2F && c->insns[k].sub;
    assert_int_equal(upper, 1);
    code_free(c);
}

static void logic(void **state)
{
    (void)state;
    assert_int_equal(
        count_in(
            "ld.global.u32 %r2, [%rd0]; ld.global.u32 %r3, [%rd0+4]; ld.global.u32 %r4, [%rd0+8]; "
            "ld.global.u32 %r5, "
            "[%rd0+12]; ld.global.u32 %r6, [%rd0+16];\n"
            "xor.b32 %r7, %r2, %r3; xor.b32 %r8, %r7, %r4; xor.b32 %r9, %r8, %r5; xor.b32 %r10, %r9, %r6;\n"
            "st.global.u32 [%rd0], %r10;",
            OP_LOP3),
        2);
}

static void structures(void **state)
{
    (void)state;
    const char *body = "mov.b64 %rd1, s; ld.param.u64 %rd2, [%rd1+8]; ld.param.u32 %r2, [%rd1+16]; "
                       "ld.param.u32 %r3, [%rd1+20];\n"
                       "mul.lo.s32 %r4, %r1, %r2; setp.lt.s32 %p0, %r3, %r1; @%p0 st.global.u32 [%rd2], %r4;";
    struct code *c = one_kernel(body, 0);
    assert_int_equal(count_op(c, OP_LDC), 0);
    const struct ir_insn *cmp = &c->insns[find_op(c, OP_ISETP, 0)], *mul = &c->insns[find_op(c, OP_IMAD, 0)];
    /* The constant stood first: the comparison is the other way round */
    assert_int_equal(cmp->src[1].kind, OPND_CONST);
    assert_int_equal(cmp->cmp, CMP_GT);
    assert_int_equal(mul->src[1].kind, OPND_CONST);
    assert_int_equal(cmp->src[1].val - mul->src[1].val, 4);
    code_free(c);
}

static void atomics(void **state)
{
    (void)state;
    assert_int_equal(count_in("atom.global.add.u32 %r2, [%rd0], 1;", OP_RED), 1);
    assert_int_equal(count_in("atom.global.add.u32 %r2, [%rd0], 1; st.global.u32 [%rd0+4], %r2;", OP_RED), 0);
    assert_int_equal(count_in("atom.global.exch.b32 %r2, [%rd0], 1;", OP_RED), 0);
}

static void shifts(void **state)
{
    (void)state;
    /* An index that was widened: one multiplication with the address. */
    const char *index =
        "cvt.s64.s32 %rd1, %r1; shl.b64 %rd2, %rd1, 2; add.s64 %rd3, %rd0, %rd2; st.global.u32 [%rd3], %r0;";
    assert_int_equal(count_in(index, OP_IMAD_WIDE), 1);
    assert_int_equal(count_in(index, OP_SHF_L) + count_in(index, OP_SHL) + count_in(index, OP_IADD3), 0);
    /* By 32: the words change places. */
    const char *far = "ld.global.u64 %rd1, [%rd0]; shl.b64 %rd2, %rd1, 32; shr.u64 %rd3, %rd1, 32; or.b64 "
                      "%rd4, %rd2, %rd3;\n"
                      "st.global.u64 [%rd0+8], %rd4;";
    assert_int_equal(
        count_in(far, OP_SHF_L) + count_in(far, OP_SHF_R) + count_in(far, OP_SHL) + count_in(far, OP_SHR), 0);
}

static void texture_handles(void **state)
{
    (void)state;
    struct code *c =
        one_kernel("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd0, {%r1}]; add.f32 %f5, %f1, %f2;\n"
                   "ld.param.u64 %rd1, [s]; st.global.f32 [%rd1], %f5;",
                   0);
    uint32_t tex = find_op(c, OP_TEX, 0);
    assert_true(tex < c->n);
    assert_int_equal(c->insns[tex].src[0].kind, OPND_CONST); /* a parameter is read where it is */
    assert_int_equal(c->insns[tex].src[0].n, 2);
    code_free(c);
}

/* A shift to the right and a sum are one instruction; so are a product with a constant and what it is taken from. */
static void shifts_and_sums(void **state)
{
    (void)state;
    const char *text =
        "ld.global.u32 %r2, [%rd0]; ld.global.u32 %r3, [%rd0+4]; shr.u32 %r4, %r2, 5; add.s32 %r5, %r4, "
        "%r3;\n"
        "shr.s32 %r6, %r3, 7; add.s32 %r7, %r2, %r6; mul.lo.s32 %r8, %r7, 10; sub.s32 %r9, %r5, %r8;\n"
        "st.global.u32 [%rd0], %r9;";
    assert_int_equal(count_in(text, OP_LEAX), 2);
    assert_int_equal(count_in(text, OP_SHR), 0);
    assert_int_equal(count_in(text, OP_IADD3), 0);
    assert_int_equal(count_in(text, OP_IMAD), 1);
    /* Read twice, the shift stays. */
    text = "ld.global.u32 %r2, [%rd0]; shr.u32 %r4, %r2, 5; add.s32 %r5, %r4, %r2; st.global.v2.u32 [%rd0], "
           "{%r4, %r5};";
    assert_int_equal(count_in(text, OP_LEAX), 0);
}

/* Of a constant dividend neither sign nor size is computed. */
static void constant_dividend(void **state)
{
    (void)state;
    const char *of = "ld.global.u32 %r2, [%rd0]; rem.s32 %r3, 5, %r2; st.global.u32 [%rd0], %r3;",
               *var = "ld.global.u32 %r2, [%rd0]; rem.s32 %r3, %r1, %r2; st.global.u32 [%rd0], %r3;";
    assert_int_equal(count_in(of, OP_IABS), 1);
    assert_int_equal(count_in(var, OP_IABS), 2);
}

/* Two short ways that meet again are guarded, whichever is taken; long ones are not. */
static void two_ways(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 9; n++) {
        char text[4096], *p = text;
        p += sprintf(p, "ld.global.u32 %%r2, [%%rd0]; setp.gt.s32 %%p0, %%r2, 3; @%%p0 bra A;\n");
        for (unsigned k = 0; k < n; k++)
            p += sprintf(p, "st.global.u32 [%%rd0+%u], %%r1;\n", 8 + 4 * k);
        p += sprintf(p, "bra.uni B;\nA:\n");
        for (unsigned k = 0; k < n; k++)
            p += sprintf(p, "st.global.u32 [%%rd0+%u], %%r2;\n", 80 + 4 * k);
        sprintf(p, "B: st.global.u32 [%%rd0], %%r1;");
        assert_int_equal(count_in(text, OP_BRA) == 0, n <= 7);
        assert_int_equal(count_in(text, OP_BSSY) == 0, n <= 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_inside_a_block),
        cmocka_unit_test(products_from_zero),
        cmocka_unit_test(upper_half),
        cmocka_unit_test(one_size),
        cmocka_unit_test(logic),
        cmocka_unit_test(structures),
        cmocka_unit_test(atomics),
        cmocka_unit_test(shifts),
        cmocka_unit_test(texture_handles),
        cmocka_unit_test(shifts_and_sums),
        cmocka_unit_test(constant_dividend),
        cmocka_unit_test(two_ways),
    };
    return cmocka_run_group_tests_name("compile/fold", tests, NULL, NULL);
}
