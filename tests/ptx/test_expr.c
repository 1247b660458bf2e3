/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions and immediates. */
#include "rig.h"

#include "ptx/parser.h"

static void check(const char *text, uint64_t want)
{
    char line[256];
    snprintf(line, sizeof line, "mov.u64 %%rd1, %s;", text);
    struct ptx_module *m = rig_body(line);
    struct ptx_opnd *o = &rig_insn(m, 0)->ops[1];
    assert_int_equal(o->kind, PO_IMM);
    if (o->imm != want)
        fail_msg("%s gives %llx, not %llx", text, (unsigned long long)o->imm, (unsigned long long)want);
    ptx_module_free(m);
}

static void integers(void **state)
{
    (void)state;
    check("(1<<3)|2", 10);
    check("1+2*3", 7);
    check("(1+2)*3", 9);
    check("10-4-3", 3);
    check("100/7 % 5", 4);
    check("-7/2", (uint64_t)-3);
    check("-7 % 2", (uint64_t)-1);
    check("-8>>1", (uint64_t)-4);
    check("(.u64)-8>>60", 15);
    check("(.s64)0xffffffffffffffff>>4", UINT64_MAX);
    check("0x8000000000000000/-1", 0); /* unsigned: a small number by a large one */
    check("(.s64)0x8000000000000000/-1", 1ull << 63);
    check("(.s64)0x8000000000000000 % -1", 0);
    check("-1<0", 1);
    check("-1<0U", 0);
    check("3>=3", 1);
    check("3<=2", 0);
    check("1==1&&2!=3", 1);
    check("0||0", 0);
    check("1?2:3", 2);
    check("0?2:0?4:5", 5);
    check("~0", UINT64_MAX);
    check("!5", 0);
    check("!0", 1);
    check("+5", 5);
    check("-(-5)", 5);
    check("6^3", 5);
    check("6&3", 2);
    check("1<<64", 0);
    check("1<<63", 1ull << 63);
    check("-1>>200", UINT64_MAX);
    check("WARP_SZ", 32);
    check("WARP_SZ*2-1", 63);
    check("0x7f", 127);
    check("0b11", 3);
    check("010", 8);
    check("-1", UINT64_MAX);
    check("4294967295U", 0xffffffff);
}

static void floats(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_body("mov.f32 %f1, 0f3F800000;\nmov.f64 %fd1, 0d3FF0000000000000;\nmov.f64 %fd1, -1.5;\n"
                 "mov.f32 %f1, -0f00000000;\nmov.f32 %f1, 1e-3;\nmov.f64 %fd1, (2.0);");
    static const struct {
        bool is_f32;
        uint64_t bits;
    } want[] = {
        {true, 0x3f800000}, {false, 0x3ff0000000000000}, {false, 0xbff8000000000000},
        {true, 0x80000000}, {false, 0x3f50624dd2f1a9fc}, {false, 0x4000000000000000},
    };
    for (uint32_t i = 0; i < 6; i++) {
        struct ptx_opnd *o = &rig_insn(m, i)->ops[1];
        assert_int_equal(o->kind, PO_FIMM);
        assert_int_equal(o->is_f32, want[i].is_f32);
        assert_true(o->imm == want[i].bits);
    }
    ptx_module_free(m);
}

/* Deep enough for anything a compiler writes, bounded for anything else. */
static void depth(void **state)
{
    (void)state;
    char text[512];
    memset(text, '(', 60);
    text[60] = '7';
    memset(text + 61, ')', 60);
    text[121] = 0;
    check(text, 7);
    memset(text, '-', 60);
    strcpy(text + 60, "7");
    check(text, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
