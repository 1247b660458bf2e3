/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the source in machine code, and code that is the same with and without them. */
#include "base/diag.h"
#include "compile/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct code *compile(const char *text)
{
    struct diag d = {0};
    struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &d);
    assert_non_null(m);
    struct code *c = compile_kernel(m, ptx_find_func(m, "k"), &(struct compile_opts){.verify = true}, &d);
    assert_non_null(c);
    ptx_module_free(m);
    diag_free(&d);
    return c;
}

static uint32_t line_of(const struct code *c, enum ir_op op)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->insns[i].op == op)
            return c->insns[i].line;
    fail_msg("no %s", ir_ops[op].name);
    return 0;
}

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"
#define F                                                                                                    \
    ".func f(.param .b64 q) {\n.reg .b64 %rd<2>;\n"                                                          \
    "ld.param.u64 %rd1, [q];\nred.global.add.u32 [%rd1], 7;\nret;\n}\n"
#define K(a, b, c, d)                                                                                        \
    ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %q;\n" a              \
    "ld.param.u64 %rd0, [p];\nld.global.u32 %r1, [%rd0];\n" b "popc.b32 %r1, %r1;\n"                         \
    "mul.wide.u32 %rd1, %r1, 4;\n" c "add.s64 %rd2, %rd0, %rd1;\nst.global.u32 [%rd2], %r1;\n" d             \
    "{\n.param .b64 q;\nst.param.b64 [q], %rd0;\ncall f, (q);\n}\nbar.sync 0;\nret;\n}\n"

static void of_the_source(void **state)
{
    (void)state;
    struct code *c =
        compile(HEAD F K("$b: .loc 1 7 0\n", "$l0: .loc 2 30 1\n", "$l1: .loc 2 31 1, inlined_at 1 9 4\n",
                         "$l2: .loc 1 12 1\n") ".file 1 \"k.cu\"\n.file 2 \"x.h\"\n");
    assert_string_equal(c->file, "k.cu");
    assert_int_equal(line_of(c, OP_LDG), 7);
    assert_int_equal(line_of(c, OP_POPC), 7); /* line 30 of x.h, wherever it went: the line before stays */
    assert_int_equal(line_of(c, OP_STG), 9);
    assert_int_equal(line_of(c, OP_BAR), 12);
    assert_int_equal(line_of(c, OP_RED), 0); /* f has none, and its PTX line is not one of k.cu */
    code_free(c);
}

static void of_the_ptx(void **state)
{
    (void)state;
    struct code *c = compile(HEAD F K("", "", "", ""));
    assert_string_equal(c->file, "t.ptx");
    assert_int_equal(line_of(c, OP_RED), 7);
    assert_int_equal(line_of(c, OP_LDG), 13);
    code_free(c);
    /* another kernel's lines change nothing here */
    c = compile(HEAD F K("", "", "", "") ".entry z() {\n.loc 1 3 0\nret;\n}\n.file 1 \"z.cu\"\n");
    assert_string_equal(c->file, "t.ptx");
    assert_int_equal(line_of(c, OP_LDG), 13);
    code_free(c);
}

static void same_code(void **state)
{
    (void)state;
    struct code *a = compile(HEAD F K("", "", "", ""));
    struct code *b = compile(HEAD F K("$b: .loc 1 7 0\n", "$l0: .loc 1 8 1\n", "$l1: .loc 1 9 1\n",
                                      "$l2: .loc 1 12 1\n") ".file 1 \"k.cu\"\n");
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->nblocks, b->nblocks);
    for (uint32_t i = 0; i < a->n; i++) {
        b->insns[i].line = a->insns[i].line;
        assert_memory_equal(&a->insns[i], &b->insns[i], sizeof a->insns[i]);
    }
    code_free(a);
    code_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_source),
        cmocka_unit_test(of_the_ptx),
        cmocka_unit_test(same_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
