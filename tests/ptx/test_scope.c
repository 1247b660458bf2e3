/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes, labels, target tables, calls and aliases. */
#include "rig.h"

static const char *label_of(struct ptx_module *m, uint32_t i)
{
    struct ptx_insn *in = rig_insn(m, i);
    assert_int_equal(in->ops[0].kind, PO_LABEL);
    return rig_func(m)->labels.at[in->ops[0].label].name;
}

static void labels(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_body("TOP: bra.uni END;\nbra TOP;\n{\nTOP: bra TOP;\nbra OUT;\n}\nbra TOP;\nOUT: END:");
    struct ptx_func *f = rig_func(m);
    assert_int_equal(f->labels.n, 4);
    assert_true(f->labels.at[0].at == 0 && f->labels.at[1].at == 2 && f->labels.at[2].at == 5 &&
                f->labels.at[3].at == 5);
    assert_string_equal(label_of(m, 0), "END");
    assert_true(ptx_has(rig_insn(m, 0), M_UNI));
    assert_int_equal(rig_insn(m, 1)->ops[0].label, 0);
    assert_int_equal(rig_insn(m, 2)->ops[0].label, 1); /* the inner TOP */
    assert_string_equal(label_of(m, 3), "OUT");
    assert_int_equal(rig_insn(m, 4)->ops[0].label, 0);
    ptx_module_free(m);
}

static const char *reg_of(struct ptx_module *m, uint32_t insn, uint32_t opnd, int *type)
{
    const struct ptx_reg *r = &rig_func(m)->regs.at[rig_insn(m, insn)->ops[opnd].reg];
    *type = r->type;
    return r->name;
}

static void shadowing(void **state)
{
    (void)state;
    struct ptx_module *m = rig_body(
        "mov.b32 %r1, 1;\n{\n.reg .f32 %r<3>;\n.reg .b64 t;\nmov.f32 %r1, 0f00000000;\nmov.b32 %r5, 1;\n"
        "mov.b64 t, 1;\n{ .reg .f64 %r1; mov.f64 %r1, 0.0; mov.f32 %r2, 0.0; }\n"
        "mov.f32 %r1, 0.0;\n}\nmov.b32 %r1, 2;\n{ .reg .b16 t; mov.b16 t, 1; }");
    int type;
    static const int want[] = {T_B32, T_F32, T_B32, T_B64, T_F64, T_F32, T_F32, T_B32, T_B16};
    for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) {
        reg_of(m, i, 0, &type);
        assert_int_equal(type, want[i]);
    }
    assert_int_equal(rig_insn(m, 0)->ops[0].reg, rig_insn(m, 7)->ops[0].reg);
    assert_int_equal(rig_insn(m, 1)->ops[0].reg, rig_insn(m, 6)->ops[0].reg);
    assert_string_equal(reg_of(m, 2, 0, &type), "%r5");
    ptx_module_free(m);
}

static void branch_tables(void **state)
{
    (void)state;
    struct ptx_module *m = rig_body(
        "ts: .branchtargets A, B, A;\nbrx.idx %r1, ts;\nA: ret;\nB: ret;\n@%p1 brx.idx.uni %r2, ts2;\n"
        "ts2: .branchtargets B;");
    struct ptx_func *f = rig_func(m);
    assert_int_equal(f->tables.n, 2);
    assert_true(f->tables.at[0].kind == PT_BRANCHTARGETS && f->tables.at[0].labels.n == 3);
    assert_true(f->tables.at[0].labels.at[0] == 0 && f->tables.at[0].labels.at[1] == 1 &&
                f->tables.at[0].labels.at[2] == 0);
    struct ptx_insn *in = rig_insn(m, 0);
    assert_true(in->op == P_brx && in->ops[1].kind == PO_TABLE && in->ops[1].table == 0);
    assert_int_equal(rig_insn(m, 3)->ops[1].table, 1);
    ptx_module_free(m);
}

static void calls(void **state)
{
    (void)state;
    struct ptx_module *m = rig_parse(
        HEAD
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.func g() { ret; }\n.entry "
        "k() {\n" REGS
        "{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b64 param0;\nst.param.b64 [param0+0], %rd1;\n"
        ".param .b64 param1;\nst.param.b64 [param1], 0;\n.param .b32 retval0;\n"
        "call.uni (retval0),\nvprintf,\n(\nparam0,\nparam1\n);\nld.param.b32 %r1, [retval0+0];\n}\n"
        "{ .param .b32 param0; call g, (); call g; }\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;\n"
        "list: .calltargets g, h;\n{ .param .b32 r0; .param .b64 p0; .param .align 8 .b8 p1[16];\n"
        "call (r0), %rd1, (p0, p1), proto;\n}\ncall %rd2, list;\ncall %rd2, (), list;\nret;\n}\n.func h() { "
        "ret; }\n");
    struct ptx_func *k = ptx_find_func(m, "k");
    struct ptx_insn *in = &k->insns.at[2];
    assert_true(in->op == P_call && in->nops == 3 && ptx_has(in, M_UNI));
    assert_true(in->ops[0].kind == PO_LIST && in->ops[0].n == 1 && in->ops[0].sub[0].kind == PO_VAR);
    assert_true(in->ops[1].kind == PO_FUNC && in->ops[1].func == ptx_find_func(m, "vprintf"));
    assert_true(in->ops[2].kind == PO_LIST && in->ops[2].n == 2 &&
                strcmp(in->ops[2].sub[1].var->name, "param1") == 0);
    for (uint32_t i = 4; i < 6; i++) {
        in = &k->insns.at[i];
        assert_true(in->nops == 3 && in->ops[0].kind == PO_NONE && in->ops[1].func == ptx_find_func(m, "g") &&
                    in->ops[2].n == 0);
    }
    in = &k->insns.at[6];
    assert_true(in->nops == 4 && in->ops[1].kind == PO_REG && in->ops[2].n == 2 &&
                in->ops[3].kind == PO_TABLE);
    assert_int_equal(in->ops[3].table, 0);
    assert_true(k->tables.at[0].kind == PT_CALLPROTOTYPE && k->tables.at[0].rets.n == 1 &&
                k->tables.at[0].params.n == 2);
    assert_int_equal(k->tables.at[0].params.at[1]->size_b, 16);
    in = &k->insns.at[7];
    assert_true(in->nops == 4 && in->ops[2].kind == PO_LIST && in->ops[2].n == 0 && in->ops[3].table == 1);
    assert_true(k->insns.at[8].nops == 4);
    assert_true(k->tables.at[1].kind == PT_CALLTARGETS && k->tables.at[1].funcs.n == 2);
    assert_ptr_equal(k->tables.at[1].funcs.at[1], ptx_find_func(m, "h"));
    /* two param0 in sibling scopes are two variables */
    assert_true(k->vars.n == 7 && strcmp(k->vars.at[0]->name, "param0") == 0 &&
                strcmp(k->vars.at[3]->name, "param0") == 0);
    ptx_module_free(m);
}

static void register_calls(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".func (.reg .u32 y) f(.reg .u32 x) { mov.u32 y, x; ret; }\n"
                       ".func g() {\n.reg .u32 %r<3>;\ncall (%r1), f, (%r2);\ncall (_), f, (5);\nret; }\n");
    struct ptx_insn *in = &ptx_find_func(m, "g")->insns.at[0];
    assert_true(in->ops[0].sub[0].kind == PO_REG && in->ops[2].sub[0].kind == PO_REG);
    in = &ptx_find_func(m, "g")->insns.at[1];
    assert_true(in->ops[0].sub[0].kind == PO_NONE && in->ops[2].sub[0].kind == PO_IMM);
    ptx_module_free(m);
}

static void aliases(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".func real() { ret; }\n.func other();\n.global .u64 t[1] = {other};\n"
                       ".entry k() { call other; ret; }\n.alias other, real;\n");
    assert_ptr_equal(ptx_find_func(m, "k")->insns.at[0].ops[1].func, ptx_find_func(m, "real"));
    assert_ptr_equal(rig_var(m, "t")->init.at[0].func, ptx_find_func(m, "real"));
    ptx_module_free(m);
}

static void recursion(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".func f(.param .b32 f_0) { .reg .b32 %r1; { .param .b32 param0; "
                       "ld.param.b32 %r1, [f_0]; st.param.b32 [param0], %r1; call f, (param0); } ret; }\n");
    struct ptx_func *f = rig_func(m);
    assert_ptr_equal(f->insns.at[2].ops[1].func, f);
    assert_ptr_equal(f->insns.at[0].ops[1].sub[0].var, f->params.at[0]);
    ptx_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels),    cmocka_unit_test(shadowing),      cmocka_unit_test(branch_tables),
        cmocka_unit_test(calls),     cmocka_unit_test(register_calls), cmocka_unit_test(aliases),
        cmocka_unit_test(recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
