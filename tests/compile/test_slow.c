/* SPDX-License-Identifier: Apache-2.0 */
/* Slow paths of division and square root: one subroutine for all uses of a kernel, in registers that nothing lives in. */
#include "base/diag.h"
#include "compile/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct found {
    unsigned calls, slowf, funcs, regs;
};

static struct found compile(const char *before, const char *body, uint32_t max_regs)
{
    static char text[16384];
    struct diag d = {0};
    struct found f = {0};
    int n = snprintf(text, sizeof text,
                     ".version 7.0\n.target sm_80\n.address_size 64\n%s\n"
                     ".visible .entry k(.param .u64 p) {\n.reg .f32 %%f<64>; .reg .f64 %%d<4>; .reg .b64 "
                     "%%rd<4>;\nld.param.u64 %%rd0, [p];\nld.global.f32 %%f0, [%%rd0]; ld.global.f32 %%f1, "
                     "[%%rd0+4];\n%s\nret;\n}\n",
                     before, body);
    struct ptx_module *m = ptx_parse("slow.ptx", text, (size_t)n, &d);
    assert_non_null(m);
    struct code *c = compile_kernel(m, ptx_find_func(m, "k"),
                                    &(struct compile_opts){.verify = true, .max_regs = max_regs}, &d);
    if (!c)
        diag_print(&d, stderr);
    assert_non_null(c);
    for (uint32_t k = 0; k < c->n; k++) {
        f.calls += c->insns[k].op == OP_CALL;
        f.slowf += c->insns[k].op == OP_SLOWF;
    }
    f.funcs = c->nfuncs;
    f.regs = c->regs;
    code_free(c);
    ptx_module_free(m);
    diag_free(&d);
    return f;
}

#define OUT "st.global.f32 [%rd0], %f2; st.global.f32 [%rd0+4], %f3;"

static void shared(void **state)
{
    (void)state;
    struct found f = compile("", "div.rn.f32 %f2, %f0, %f1; rcp.rn.f32 %f3, %f0;" OUT, 0);
    assert_int_equal(f.calls, 2); /* of one subroutine */
    assert_int_equal(f.funcs, 2);
    assert_int_equal(f.slowf, 0);
    f = compile("", "div.rn.f32 %f2, %f0, %f1; sqrt.rn.f32 %f3, %f0;" OUT, 0);
    assert_int_equal(f.calls, 2);
    assert_int_equal(f.funcs, 3);
    assert_int_equal(f.slowf, 0);
}

/* Directed roundings, flushed subnormals and doubles have no subroutine, nor have device functions. */
static void others(void **state)
{
    (void)state;
    struct found f = compile("", "div.rz.f32 %f2, %f0, %f1; div.rn.ftz.f32 %f3, %f0, %f1;" OUT, 0);
    assert_int_equal(f.calls, 0);
    assert_int_equal(f.slowf, 2);
    f = compile(
        ".func (.param .f32 r) g(.param .f32 a) { .reg .f32 %f<4>; ld.param.f32 %f0, [a]; rcp.rn.f32 %f1, "
        "%f0; st.param.f32 [r], %f1; ret; }",
        "{ .param .f32 a; .param .f32 r; st.param.f32 [a], %f0; call (r), g, (a); ld.param.f32 %f2, "
        "[r]; }\nst.global.f32 [%rd0], %f2;",
        0);
    assert_int_equal(f.calls, 1);
    assert_int_equal(f.slowf, 1);
}

/* Where every register is taken at the division, it stays one instruction. */
static void crowded(void **state)
{
    (void)state;
    static char body[8192];
    char *p = body;
    for (unsigned k = 4; k < 24; k++)
        p += sprintf(p, "ld.global.f32 %%f%u, [%%rd0+%u];", k, 4 * k);
    p += sprintf(p, "div.rn.f32 %%f2, %%f0, %%f1; st.global.f32 [%%rd0], %%f2;\n");
    for (unsigned k = 4; k < 24; k++)
        p += sprintf(p, "st.global.f32 [%%rd0+%u], %%f%u;", 256 + 4 * k, k);
    struct found free = compile("", body, 0), tight = compile("", body, 32);
    assert_int_equal(free.calls, 1);
    assert_int_equal(free.slowf, 0);
    assert_true(tight.regs <= 32);
    assert_int_equal(tight.calls + tight.slowf, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared), cmocka_unit_test(others),
                                       cmocka_unit_test(crowded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
