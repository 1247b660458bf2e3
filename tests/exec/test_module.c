/* SPDX-License-Identifier: Apache-2.0 */
/* A module's variables, from PTX: where they lie, what they hold at first, what kernels and the host see of them. */
#include "rig.h"

#include "compile/compile.h"

#include <string.h>

static const char source[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .b32 table[4] = {10, 20, 30, 40};\n"
    ".const .align 16 .b8 after[3] = {1, 2, 3};\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".global .align 8 .u64 where = generic(counter);\n"
    ".global .align 8 .u64 deep[2] = {0, generic(table)+8};\n"
    ".global .align 1024 .b8 wide[2048];\n"
    ".global .texref tex;\n"
    ".func (.param .b32 r) plus(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, 1;"
    " st.param.b32 [r], %a; ret; }\n"
    ".func (.param .b32 r) times(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; mul.lo.u32 %a, %a, 3;"
    " st.param.b32 [r], %a; ret; }\n"
    ".global .align 8 .u64 fns[2] = {plus, times};\n"
    ".visible .entry k(.param .u64 out) {\n"
    " .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    " ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;\n"
    " and.b32 %r1, %r0, 1; mul.wide.u32 %d2, %r1, 8; mov.u64 %d3, fns; add.u64 %d3, %d3, %d2;\n"
    " ld.global.u64 %d4, [%d3];\n"
    " { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\n"
    " P: .callprototype (.param .b32 _) _ (.param .b32 _); call (b), %d4, (a), P; ld.param.b32 %r2, [b]; }\n"
    " ld.global.u64 %d5, [where]; ld.u32 %r3, [%d5]; ld.global.u64 %d6, [deep+8]; ld.u32 %r4, [%d6];\n"
    " mov.u64 %d7, table; and.b32 %r5, %r0, 3; mul.wide.u32 %d8, %r5, 4; add.u64 %d7, %d7, %d8;\n"
    " ld.const.u32 %r6, [%d7]; ld.const.u8 %r7, [after+2];\n"
    " add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r7;\n"
    " st.global.u32 [%d0], %r2; ret;\n}\n";

static void variables(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct ptx_module *p = ptx_parse("vars.ptx", source, sizeof source - 1, &diag);
    diag_print(&diag, stderr);
    assert_non_null(p);
    struct exec_dev *d = exec_dev_new(NULL);
    struct exec_module *m = exec_module_load(d, p, &diag);
    assert_non_null(m);
    struct code *c = compile_kernel(p, ptx_find_func(p, "k"), &(struct compile_opts){.verify = true}, &diag);
    diag_print(&diag, stderr);
    assert_non_null(c);

    uint64_t size, out = exec_alloc(d, 256), counter = exec_module_var(m, "counter", &size);
    assert_int_equal(size, 4);
    assert_int_equal(*(uint32_t *)exec_ptr(d, counter, 4), 5);
    assert_int_equal(exec_module_var(m, "wide", &size) % 1024, 0);
    assert_int_equal(size, 2048);
    assert_int_equal(exec_module_var(m, "nothing", NULL), 0);
    assert_int_equal(exec_module_var(m, "tex", NULL), 0);
    assert_true(exec_module_bind_tex(m, "tex", 1));
    assert_false(exec_module_bind_tex(m, "counter", 1));

    uint32_t v = 0;
    assert_true(exec_module_const_read(m, "table", 12, &v, 4));
    assert_int_equal(v, 40);
    assert_false(exec_module_const_read(m, "table", 13, &v, 4));
    assert_false(exec_module_const_read(m, "counter", 0, &v, 4));
    for (int round = 0; round < 2; round++) {
        struct exec_error e;
        struct exec_launch l = {
            .code = c, .module = m, .grid = {1, 1, 1}, .block = {64, 1, 1}, .params = &out, .params_b = 8};
        exec_launch(d, &l, NULL, &e);
        if (e.status)
            fail_msg("%s", e.text);
        for (uint32_t t = 0; t < 64; t++) {
            uint32_t tab[4] = {10, 20, round ? 99 : 30, 40};
            uint32_t want = (t & 1 ? 3 * t : t + 1) + (round ? 6 : 5) + tab[2] + tab[t & 3] + 3;
            assert_int_equal(((uint32_t *)exec_ptr(d, out, 256))[t], want);
        }
        v = 99;
        assert_true(exec_module_const_write(m, "table", 8, &v, 4));
        *(uint32_t *)exec_ptr(d, counter, 4) = 6;
    }
    code_free(c);
    exec_module_free(m);
    assert_null(exec_ptr(d, counter, 4));
    exec_dev_free(d);
    ptx_module_free(p);
    diag_free(&diag);
}

static void too_much(const char *text, const char *says)
{
    struct diag diag = {0};
    struct ptx_module *p = ptx_parse("big.ptx", text, strlen(text), &diag);
    assert_non_null(p);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){.mem_limit_b = 1 << 20});
    assert_null(exec_module_load(d, p, &diag));
    assert_int_equal(diag.n, 1);
    assert_non_null(strstr(diag.msg[0].text, says));
    assert_int_equal(diag.msg[0].line, 5);
    exec_dev_free(d);
    ptx_module_free(p);
    diag_free(&diag);
}

static void limits(void **state)
{
    (void)state;
#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
    too_much(HEAD ".const .b8 a[40000];\n.const .b8 b[30000];\n", "more than 64 KiB at 'b'");
    too_much(HEAD ".global .b8 a[4];\n.global .b8 b[2000000];\n",
             "no device memory for variable 'b' of 2000000 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variables), cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
