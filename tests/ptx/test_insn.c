/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions: modifiers become fields, operands become trees. */
#include "rig.h"

static void modifiers(void **state)
{
    (void)state;
    struct ptx_module *m = rig_body(
        "setp.lt.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3;\n"
        "mul.wide.s32 %rd1, %r1, 4;\n"
        "ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+16];\n"
        "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
        "{%r5,%r6}, {%f1,%f2,%f3,%f4};\n"
        "cvt.rn.relu.f16x2.f32 %r1, %f1, %f2;\n"
        "cp.async.ca.shared.global.L2::64B [%r1], [%rd1], 16;\n"
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1], %r9;\n"
        "mad.lo.cc.u32 %r1, %r2, %r3, %r4;\n"
        "setp.lo.u32 %p1, %r1, %r2;\n"
        "tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f1, %f2, %f3}];\n"
        "redux.sync.xor.b32 %r1, %r2, -1;\n"
        "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f1,%f2}, {%r1}, {%r2}, {%f1,%f2};\n");
    struct ptx_insn *in = rig_insn(m, 0);
    assert_true(in->op == P_setp && in->cmp == CMP_LT && in->bop == BOP_AND && in->aop == AOP_AND &&
                ptx_has(in, M_FTZ));
    assert_true(in->ntypes == 1 && in->type[0] == T_F32 && in->vec == 1 && in->nops == 4);
    assert_true(in->ops[0].kind == PO_PAIR && in->ops[0].n == 2 && in->ops[3].neg == 1);
    in = rig_insn(m, 1);
    assert_true(in->type[0] == T_S32 && ptx_has(in, M_WIDE) && in->ops[2].kind == PO_IMM &&
                in->ops[2].imm == 4);
    in = rig_insn(m, 2);
    assert_true(in->space == SPACE_GLOBAL && in->vec == 4 && ptx_has(in, M_NC) &&
                ptx_has(in, M_L1_NO_ALLOCATE));
    assert_true(in->ops[0].kind == PO_VEC && in->ops[0].n == 4 && in->ops[1].kind == PO_ADDR &&
                in->ops[1].off == 16);
    in = rig_insn(m, 3);
    assert_true(in->order == ORD_ACQ_REL && in->aop == AOP_ADD && ptx_has(in, M_GPU) && in->type[0] == T_U32);
    in = rig_insn(m, 4);
    assert_true(in->m == 16 && in->n == 8 && in->k == 16 && in->nlayouts == 2 && in->layout[0] == 0 &&
                in->layout[1] == 1);
    assert_true(in->ntypes == 4 && in->type[0] == T_F32 && in->type[1] == T_F16 && in->type[3] == T_F32);
    in = rig_insn(m, 5);
    assert_true(in->rnd == RND_RN && in->type[0] == T_F16X2 && in->type[1] == T_F32 && ptx_has(in, M_RELU) &&
                in->nops == 3);
    in = rig_insn(m, 6);
    assert_true(in->space == SPACE_SHARED && in->space2 == SPACE_GLOBAL && ptx_has(in, M_CA) &&
                ptx_has(in, M_ASYNC));
    in = rig_insn(m, 7);
    assert_true(in->m == 8 && in->n == 8 && in->k == 0 && in->count == 4 && ptx_has(in, M_TRANS) &&
                ptx_has(in, M_SPH));
    in = rig_insn(m, 8);
    assert_true(ptx_has(in, M_LOAD) && ptx_has(in, M_A) && in->layout[0] == 0 && in->nlayouts == 1 &&
                in->nops == 3);
    in = rig_insn(m, 9);
    assert_true(ptx_has(in, M_LO) && ptx_has(in, M_CC) && in->cmp == CMP_NONE);
    assert_int_equal(rig_insn(m, 10)->cmp, CMP_LO);
    in = rig_insn(m, 11);
    assert_true(in->geom == TEX_A2D && in->ntypes == 2 && in->ops[1].kind == PO_TEX && in->ops[1].n == 2);
    assert_true(in->ops[1].sub[0].kind == PO_REG && in->ops[1].sub[1].kind == PO_VEC &&
                in->ops[1].sub[1].n == 4);
    assert_int_equal(rig_insn(m, 12)->aop, AOP_XOR);
    in = rig_insn(m, 13);
    assert_true(in->nlayouts == 2 && in->layout[0] == 0 && in->layout[1] == 0 && in->ntypes == 2);
    ptx_module_free(m);
}

static void guards(void **state)
{
    (void)state;
    struct ptx_module *m = rig_body("@%p1 bra L;\n@!%p2 exit;\nL: ret;");
    struct ptx_func *f = rig_func(m);
    struct ptx_insn *in = rig_insn(m, 0);
    assert_true(in->guard && !in->guard_neg && strcmp(f->regs.at[in->guard - 1].name, "%p1") == 0);
    assert_true(in->line == 6 && in->col == 6);
    in = rig_insn(m, 1);
    assert_true(in->guard_neg == 1 && strcmp(f->regs.at[in->guard - 1].name, "%p2") == 0);
    assert_int_equal(rig_insn(m, 2)->guard, 0);
    ptx_module_free(m);
}

static void addresses(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_body(".shared .u32 x[8];\nld.u32 %r1, [%rd1];\nld.u32 %r1, [%rd1+-8];\nld.u32 %r1, [%rd1-8];\n"
                 "ld.shared.u32 %r1, [x];\nld.shared.u32 %r1, [x+4*3];\nld.shared.u32 %r1, [64];\n"
                 "ld.shared.u32 %r1, x[2];\nmov.u32 %r1, x[3];\nmov.u32 %r1, x+8;\n"
                 "ld.shared.u32 %r1, [x[1]];\nld.u32 %r1, [%rd1 + (1<<4)];\nst.u32 [ 0x10 + 4 ], %r1;");
    struct ptx_var *x = rig_var(m, "x");
    static const struct {
        int base;
        int64_t off;
    } want[] = {{PO_REG, 0}, {PO_REG, -8}, {PO_REG, -8}, {PO_VAR, 0}, {PO_VAR, 12}, {PO_IMM, 0}, {PO_VAR, 8}};
    for (uint32_t i = 0; i < 7; i++) {
        struct ptx_opnd *o = &rig_insn(m, i)->ops[1];
        assert_int_equal(o->kind, PO_ADDR);
        assert_int_equal(o->n, 1);
        assert_int_equal(o->sub[0].kind, want[i].base);
        assert_int_equal(o->off, want[i].off);
        assert_int_equal(o->sub[0].off, 0);
        if (want[i].base == PO_VAR)
            assert_ptr_equal(o->sub[0].var, x);
    }
    assert_int_equal(rig_insn(m, 5)->ops[1].sub[0].imm, 64);
    struct ptx_opnd *o = &rig_insn(m, 7)->ops[1];
    assert_true(o->kind == PO_VAR && o->var == x && o->off == 12);
    o = &rig_insn(m, 8)->ops[1];
    assert_true(o->kind == PO_VAR && o->off == 8);
    o = &rig_insn(m, 9)->ops[1];
    assert_true(o->kind == PO_ADDR && o->sub[0].kind == PO_VAR && o->off == 4);
    assert_int_equal(rig_insn(m, 10)->ops[1].off, 16);
    assert_int_equal(rig_insn(m, 11)->ops[0].sub[0].imm, 20);
    ptx_module_free(m);
}

static void operands(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_body("mov.u32 %r1, %tid.x;\nmov.u64 %rd1, %clock64;\nmov.u32 %r1, %envreg2;\n"
                 "mov.b64 {%r1,_}, %rd1;\nshfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;\n"
                 "mbarrier.arrive.shared.b64 _, [%r1];\nmov.pred %p1, -1;\n"
                 "atom.global.cas.b32 _, [%rd1], 0, 1;\n"
                 "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x3f, %p2;\n.reg .v2 .f32 %v;\n"
                 "ld.global.v2.f32 %v, [%rd1];\nmov.u32 %r1, WARP_SZ;\nmatch.all.sync.b32 _|%p1, %r1, -1;\n"
                 "selp.f32 %f1, 0f3F800000, 0.5, %p1;\nmov.u64 %rd1, k;\nmov.u64 %rd2, a;\n"
                 "tex.2d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, %rd2, {%f1,%f2}];\n"
                 "mov.u32 %r1, %cluster_ctaid.y;");
    struct ptx_opnd *o = &rig_insn(m, 0)->ops[1];
    assert_int_equal(o->kind, PO_SREG);
    assert_string_equal(o->sreg, "tid.x");
    assert_int_equal(o->col, 14);
    assert_string_equal(rig_insn(m, 1)->ops[1].sreg, "clock64");
    assert_string_equal(rig_insn(m, 2)->ops[1].sreg, "envreg2");
    o = &rig_insn(m, 3)->ops[0];
    assert_true(o->kind == PO_VEC && o->sub[0].kind == PO_REG && o->sub[1].kind == PO_NONE);
    o = &rig_insn(m, 4)->ops[0];
    assert_true(o->kind == PO_PAIR && rig_insn(m, 4)->nops == 5 && rig_insn(m, 4)->ops[4].imm == UINT64_MAX);
    assert_int_equal(rig_insn(m, 5)->ops[0].kind, PO_NONE);
    assert_int_equal(rig_insn(m, 6)->ops[1].kind, PO_IMM);
    assert_int_equal(rig_insn(m, 7)->nops, 4);
    assert_int_equal(rig_insn(m, 8)->nops, 6);
    o = &rig_insn(m, 9)->ops[0];
    assert_true(o->kind == PO_VEC && o->n == 2 && o->sub[1].reg == o->sub[0].reg + 1);
    assert_int_equal(rig_insn(m, 10)->ops[1].imm, 32);
    assert_int_equal(rig_insn(m, 11)->ops[0].sub[0].kind, PO_NONE);
    o = &rig_insn(m, 12)->ops[1];
    assert_true(o->kind == PO_FIMM && o->is_f32 && !rig_insn(m, 12)->ops[2].is_f32);
    o = &rig_insn(m, 13)->ops[1];
    assert_true(o->kind == PO_FUNC && o->func == rig_func(m));
    o = &rig_insn(m, 14)->ops[1];
    assert_true(o->kind == PO_VAR && o->var == rig_func(m)->params.at[0]);
    o = &rig_insn(m, 15)->ops[1];
    assert_true(o->kind == PO_TEX && o->n == 3 && o->sub[2].kind == PO_VEC);
    assert_string_equal(rig_insn(m, 16)->ops[1].sreg, "cluster_ctaid.y");
    ptx_module_free(m);
}

/* Names of the module that are declared behind their use. */
static void later(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".entry k() {\n" REGS "mov.u64 %rd1, g;\nld.global.u32 %r1, [g+4];\nmov.u64 %rd1, f;\n"
                       "call f;\nret;\n}\n.global .u32 g[2];\n.func f() { ret; }\n");
    struct ptx_func *k = ptx_find_func(m, "k"), *f = ptx_find_func(m, "f");
    assert_true(k->insns.at[0].ops[1].kind == PO_VAR && k->insns.at[0].ops[1].var == rig_var(m, "g"));
    struct ptx_opnd *o = &k->insns.at[1].ops[1];
    assert_true(o->kind == PO_ADDR && o->off == 4 && o->sub[0].kind == PO_VAR &&
                o->sub[0].var == rig_var(m, "g"));
    assert_true(k->insns.at[2].ops[1].kind == PO_FUNC && k->insns.at[2].ops[1].func == f);
    assert_true(k->insns.at[3].ops[1].func == f && f->has_body);
    ptx_module_free(m);
}

static void texrefs(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".global .texref t;\n.entry k() {\n" REGS
                       "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}];\ntxq.width.b32 %r1, [t];\n"
                       "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, %r1];\n"
                       "sust.b.2d.v2.b32.trap [%rd1, {%r1,%r2}], {%r3,%r4};\n}\n");
    struct ptx_insn *in = rig_insn(m, 0);
    assert_true(in->ops[1].kind == PO_TEX && in->ops[1].sub[0].var == rig_var(m, "t"));
    assert_true(rig_insn(m, 1)->ops[1].kind == PO_ADDR);
    assert_true(rig_insn(m, 2)->ops[1].sub[1].kind == PO_REG);
    in = rig_insn(m, 3);
    assert_true(in->ops[0].kind == PO_TEX && ptx_has(in, M_B) && ptx_has(in, M_TRAP) && in->vec == 2);
    ptx_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modifiers), cmocka_unit_test(guards), cmocka_unit_test(addresses),
        cmocka_unit_test(operands),  cmocka_unit_test(later),  cmocka_unit_test(texrefs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
