/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel of NVIDIA's code finds around it: its stack, and handles of textures where its architecture has them; and single
 * instructions that do what PTX says of those that become them (ld, sad, dp2a, set). */
#include "exec/exec.h"
#include "ir/code.h"
#include "sass/sass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct code *translate(const uint64_t *words, uint32_t n, unsigned arch, uint32_t local_b)
{
    char why[256];
    struct sass_kernel k = {.name = "kernel",
                            .arch = arch,
                            .words = words,
                            .n = n,
                            .regs = 64,
                            .param_off = arch >= 90 ? 0x210 : 0x160,
                            .param_b = 8,
                            .local_b = local_b};
    struct code *code = sass_translate(&k, why, sizeof why);
    if (!code)
        fail_msg("%s", why);
    return code;
}

/* Where its stack begins, which a kernel with so much of it finds in c[0x0][0x28]. */
static uint32_t stack_of(uint32_t local_b, uint32_t limit)
{
    static const uint64_t words[] = {
        0x00008400ff027b82, 0x000e620000000a00, /* LDC.64 R2, c[0x0][0x210] */
        0x00000a00ff017b82, 0x000fe20000000800, /* LDC R1, c[0x0][0x28] */
        0x0000000102007986, 0x0001e8000c101904, /* STG.E desc[UR4][R2.64], R1 */
        0x000000000000794d, 0x000fea0003800000, /* EXIT */
    };
    struct code *code = translate(words, 4, 90, local_b);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){0});
    uint64_t arg = exec_alloc(d, 4);
    struct exec_launch l = {.code = code,
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .stack_b = limit,
                            .params = &arg,
                            .params_b = sizeof arg};
    struct exec_counts counts = {0};
    struct exec_error e;
    if (exec_launch(d, &l, &counts, &e) != EXEC_OK)
        fail_msg("%s", e.text);
    uint32_t stack;
    memcpy(&stack, exec_ptr(d, arg, 4), 4);
    exec_dev_free(d);
    code_free(code);
    return stack;
}

static void a_stack_is_as_large_as_it_was_set(void **state)
{
    (void)state;
    assert_int_equal(stack_of(512, 0), 512);
    assert_int_equal(stack_of(512, 16384), 16384);
    assert_int_equal(stack_of(512, 256), 512);
    assert_int_equal(stack_of(0, 16384), 0);
}

/* The stack of a kernel whose function is this instruction. */
static uint32_t stack_with(uint64_t lo, uint64_t hi, uint32_t local_b)
{
    const uint64_t words[] = {
        0x0000000000047944,
        0x000fea0003c00000, /* CALL.REL.NOINC to the third instruction */
        0x000000000000794d,
        0x000fea0003800000, /* EXIT */
        lo,
        hi, /* the function */
        0xffffffc802147950,
        0x001fea0003c3ffff, /* RET.REL.NODEC R2 */
    };
    struct code *code = translate(words, 4, 90, local_b);
    uint32_t b = code->local_b;
    code_free(code);
    return b;
}

static void a_stack_is_open_where_functions_call_themselves(void **state)
{
    (void)state;
    assert_int_equal(0, stack_with(0x0000000000007918, 0x000fc00000000000, 0));     /* NOP */
    assert_int_equal(1024, stack_with(0xfffffffc00fc7944, 0x000fea0003c3ffff, 0));  /* CALL.REL to itself */
    assert_int_equal(1024, stack_with(0x0000000002007343, 0x001fea0003c00000, 64)); /* CALL.ABS R2 */
    assert_int_equal(2048, stack_with(0xfffffffc00fc7944, 0x000fea0003c3ffff, 2048));
}

static void offsets_of_generic_loads_on_sm_75(void **state)
{
    static const uint64_t words[] = {0x0000010812047980, 0x000368000010eb00, /* LD.E.64.SYS R4, [R18+0x108] */
                                     0x000000000000794d, 0x000fea0003800000};
    struct code *code = translate(words, 2, 75, 0);
    (void)state;
    assert_int_equal(0x108, code->insns[0].off);
    code_free(code);
}

static void handles_are_constants_before_sm_90(void **state)
{
    /* TEX.SCR.LL R23, R34, R6, R5, 0x0, 0x5a, 2D, 0x7 */
    static const uint64_t words[] = {0x30005a0506227b60, 0x040fc200019e0717, 0x000000000000794d,
                                     0x000fea0003800000};
    struct code *code = translate(words, 2, 80, 0);
    const struct ir_insn *i = &code->insns[0];
    (void)state;
    assert_int_equal(i->op, OP_TEX);
    assert_int_equal(i->src[0].kind, OPND_CONST);
    assert_int_equal(i->src[0].sub, 0);
    assert_int_equal(i->src[0].val, 0x168);
    assert_int_equal(i->src[0].n, 2);
    code_free(code);
}

static void halves_of_special_functions_by_architecture(void **state)
{
    static const uint64_t words[] = {0x10000009000e7308,
                                     0x000ff00000002600, /* MUFU.TANH of 16 bits R14, R9.H1 */
                                     0x000000000000794d, 0x000fea0003800000};
    static const struct {
        unsigned arch, type;
    } all[] = {{75, T_F16}, {80, T_F16}, {89, T_F16}, {90, T_BF16}};
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct code *code = translate(words, 2, all[k].arch, 0);
        assert_int_equal(code->insns[0].op, OP_MUFU);
        assert_int_equal(code->insns[0].type, all[k].type);
        assert_int_equal(code->insns[0].prep, PREP_W1);
        code_free(code);
    }
}

/* What an instruction of R8, R9 and R10 leaves in R16. */
static uint32_t result(uint64_t lo, uint64_t hi, uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t words[] = {
        0x00008400ff027b82,          0x000fe20000000a00, /* LDC.64 R2, c[0x0][0x210] */
        0x0000000402087981,          0x000ea2000c1e1d00, /* LDG.E.128 R8, desc[UR4][R2.64] */
        lo | 0x908007000 | 16 << 16, hi,                 /* the instruction */
        0x0000001002007986,          0x0001e2000c101904, /* STG.E desc[UR4][R2.64], R16 */
        0x000000000000794d,          0x000fea0003800000, /* EXIT */
    };
    struct code *code = translate(words, 5, 90, 0);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){0});
    uint64_t arg = exec_alloc(d, 16);
    struct exec_launch l = {
        .code = code, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &arg, .params_b = sizeof arg};
    struct exec_counts counts = {0};
    struct exec_error e;
    uint32_t *at = exec_ptr(d, arg, 16), r;
    memcpy(at, (uint32_t[4]){a, b, c, 0}, 16);
    if (exec_launch(d, &l, &counts, &e) != EXEC_OK)
        fail_msg("%s", e.text);
    r = at[0];
    exec_dev_free(d);
    code_free(code);
    return r;
}

static void differences_of_words(void **state)
{
    enum { U32 = 0x0e000a, S32 = 0x0e020a };
    (void)state;
    assert_int_equal(12, result(0x0214, U32, 3, 10, 5));
    assert_int_equal(12, result(0x0214, S32, 10, 3, 5));
    assert_int_equal(0xfffffffd, result(0x0214, U32, 0xffffffff, 2, 0));
    assert_int_equal(3, result(0x0214, S32, 0xffffffff, 2, 0));
    assert_int_equal(0xffffffff, result(0x0214, S32, 0x80000000, 0x7fffffff, 0));
}

static void products_of_halves_and_bytes(void **state)
{
    enum { LOW = 0x100a, HIGH = 0x300a, S16 = 0x200, S8 = 0x400 };
    uint32_t a = 0x0003fffe, b = 0x05ff0280;
    (void)state;
    assert_int_equal(7 + 0xfffe * 0x80 + 3 * 2, result(0x0226, LOW, a, b, 7));
    assert_int_equal(7 + 0xfffe * 0xff + 3 * 5, result(0x0226, HIGH, a, b, 7));
    assert_int_equal(7 + 2 * 128 + 3 * 2, result(0x0226, LOW | S16 | S8, a, b, 7));
    assert_int_equal(7 - 2 * 0xff + 3 * 5, (int32_t)result(0x0226, HIGH | S16, a, b, 7));
    assert_int_equal(7 - 0xfffe + 3 * 5, (int32_t)result(0x0226, HIGH | S8, a, b, 7));
}

static void comparisons_of_halves(void **state)
{
    enum { LT = 0x1000, GT = 0x4000, NUMBER = 0x80, BF16 = 2, PT = 0x3800000, NOT_PT = 0x7800000 };
    (void)state;
    assert_int_equal(0xffff0000, result(0x0233, GT | PT, 0x40003c00, 0x3c003c00, 0));
    assert_int_equal(0x0000ffff, result(0x0233, LT | BF16 | PT, 0x40003f80, 0x3f804000, 0));
    assert_int_equal(0x00003f80, result(0x0233, LT | BF16 | NUMBER | PT, 0x40003f80, 0x3f804000, 0));
    assert_int_equal(0, result(0x0233, LT | BF16 | NOT_PT, 0x40003f80, 0x3f804000, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stack_is_as_large_as_it_was_set),
                                       cmocka_unit_test(handles_are_constants_before_sm_90),
                                       cmocka_unit_test(a_stack_is_open_where_functions_call_themselves),
                                       cmocka_unit_test(offsets_of_generic_loads_on_sm_75),
                                       cmocka_unit_test(halves_of_special_functions_by_architecture),
                                       cmocka_unit_test(differences_of_words),
                                       cmocka_unit_test(products_of_halves_and_bytes),
                                       cmocka_unit_test(comparisons_of_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
