/* SPDX-License-Identifier: Apache-2.0 */
/* Module directives, variables, parameters, registers and initialisers. */
#include "rig.h"

static void head(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse("//\n.version 8.5\n.target sm_90a, texmode_independent, debug\n.address_size 64\n"
                  ".file 1 \"/a/b.cu\", 12, 34\n.file\t3 \"c.h\"\n");
    assert_int_equal(m->version, 85);
    assert_string_equal(m->target, "sm_90a");
    assert_int_equal(m->sm, 90);
    assert_int_equal(m->address_size, 64);
    assert_int_equal(m->files.n, 4);
    assert_string_equal(m->files.at[1], "/a/b.cu");
    assert_null(m->files.at[2]);
    ptx_module_free(m);
    static const char nul[] = ".version 6.0 .target sm_70\n\0\0"; /* as embedded in a program */
    struct diag d = {0};
    m = ptx_parse("x", nul, sizeof nul, &d);
    assert_non_null(m);
    assert_int_equal(m->version, 60);
    ptx_module_free(m);
    diag_free(&d);
}

static void variables(void **state)
{
    (void)state;
    struct ptx_module *m = rig_parse(HEAD ".visible .global .align 4 .u32 a;\n"
                                          ".extern .shared .align 16 .b8 smem[];\n"
                                          ".shared .align 8 .b8 sm2[1024];\n"
                                          ".weak .const .f64 c[3][4];\n"
                                          ".global .v4 .f32 v, w[2];\n"
                                          ".common .global .u64 cm;\n"
                                          ".global .attribute(.managed) .align 8 .u64 mg;\n"
                                          ".global .texref t;\n.global .surfref s;\n.tex .u32 old;\n"
                                          ".const[2] .u16 bank;\n"
                                          ".global .b128 wide;\n"
                                          ".global .b8 e[(1<<4)|1];\n");
    struct ptx_var *v = rig_var(m, "a");
    assert_true(v->space == SPACE_GLOBAL && v->type == T_U32 && v->vec == 1 && v->is_visible &&
                !v->is_extern);
    assert_true(v->align_b == 4 && v->size_b == 4 && v->line == 4 && v->index == 0 && !v->owner);
    v = rig_var(m, "smem");
    assert_true(v->space == SPACE_SHARED && v->is_extern && v->align_b == 16 && v->size_b == 0);
    v = rig_var(m, "c");
    assert_true(v->space == SPACE_CONST && v->is_weak && v->size_b == 96 && v->align_b == 8);
    v = rig_var(m, "w");
    assert_true(v->vec == 4 && v->align_b == 16 && v->size_b == 32);
    assert_true(rig_var(m, "cm")->is_weak);
    assert_true(rig_var(m, "mg")->align_b == 8);
    assert_true(rig_var(m, "t")->type == T_TEXREF && rig_var(m, "t")->space == SPACE_GLOBAL);
    assert_int_equal(rig_var(m, "s")->type, T_SURFREF);
    assert_int_equal(rig_var(m, "old")->type, T_TEXREF);
    assert_int_equal(rig_var(m, "bank")->space, SPACE_CONST);
    assert_int_equal(rig_var(m, "wide")->size_b, 16);
    assert_int_equal(rig_var(m, "e")->size_b, 17);
    ptx_module_free(m);
}

static void merged(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".extern .global .u32 a;\n.global .u64 p = a;\n.visible .global .u32 a = 7;\n"
                       ".extern .global .u32 a;\n");
    assert_int_equal(m->vars.n, 2);
    struct ptx_var *a = rig_var(m, "a");
    assert_true(!a->is_extern && a->is_visible && a->init.n == 1 && a->init.at[0].value == 7);
    assert_ptr_equal(rig_var(m, "p")->init.at[0].sym, a);
    ptx_module_free(m);
}

static void is_init(const struct ptx_var *v, uint32_t i, uint32_t off, uint32_t size, uint64_t value)
{
    assert_true(i < v->init.n);
    assert_int_equal(v->init.at[i].off_b, off);
    assert_int_equal(v->init.at[i].size_b, size);
    assert_true(v->init.at[i].value == value);
}

static void values(void **state)
{
    (void)state;
    struct ptx_module *m = rig_parse(HEAD ".global .u32 a = 5;\n"
                                          ".global .s16 b[] = {1, -1, 0, 3};\n"
                                          ".const .f32 c[2] = {0f3F800000, 0.5};\n"
                                          ".global .f64 d = 0d4000000000000000;\n"
                                          ".global .f32 e[3][2] = {{1.0}, {2.0, 3.0}};\n"
                                          ".global .u32 f[2][2] = {1, 2, 3};\n"
                                          ".global .b8 g[6] = {104, 105, 0, 0, 0, 33};\n"
                                          ".global .v2 .u32 h[2] = {{1, 2}, {3}};\n"
                                          ".global .u32 i[][2] = {{1}, {2}, {3}};\n"
                                          ".global .f64 j = -2;\n"
                                          ".global .b8 z[100] = {};\n");
    is_init(rig_var(m, "a"), 0, 0, 4, 5);
    struct ptx_var *v = rig_var(m, "b");
    assert_int_equal(v->size_b, 8);
    assert_int_equal(v->init.n, 1); /* packed */
    is_init(v, 0, 0, 8, 0x00030000ffff0001);
    is_init(rig_var(m, "c"), 0, 0, 8, 0x3f0000003f800000);
    is_init(rig_var(m, "d"), 0, 0, 8, 0x4000000000000000);
    v = rig_var(m, "e");
    assert_int_equal(v->init.n, 2);
    is_init(v, 0, 0, 4, 0x3f800000);
    is_init(v, 1, 8, 8, 0x4040000040000000);
    v = rig_var(m, "f");
    is_init(v, 0, 0, 8, 0x0000000200000001);
    is_init(v, 1, 8, 4, 3);
    is_init(rig_var(m, "g"), 0, 0, 6, 0x210000006968);
    v = rig_var(m, "h");
    is_init(v, 0, 0, 8, 0x0000000200000001);
    is_init(v, 1, 8, 4, 3);
    v = rig_var(m, "i");
    assert_int_equal(v->size_b, 24);
    assert_int_equal(v->init.n, 3);
    is_init(v, 2, 16, 4, 3);
    is_init(rig_var(m, "j"), 0, 0, 8, 0xc000000000000000);
    assert_int_equal(rig_var(m, "z")->init.n, 0);
    ptx_module_free(m);
}

static void addresses(void **state)
{
    (void)state;
    struct ptx_module *m = rig_parse(
        HEAD
        ".global .u64 p[4] = {x, x+8, generic(x), generic(x)-4};\n"
        ".global .u32 x[4];\n"
        ".global .u64 fp = later;\n"
        ".global .align 8 .u8 s[24] = {1, 0, 0, 0, 0, 0, 0, 0, 0xFF(generic(x)), 0xFF00(generic(x)), "
        "0xFF0000(generic(x)), 0xFF000000(generic(x)), 0xFF00000000(generic(x)), 0xFF0000000000(generic(x)), "
        "0xFF000000000000(generic(x)), 0xFF00000000000000(generic(x)), 2};\n"
        ".global .align 8 .u32 half[2] = {0xFFFFFFFF(x+4), 0xFFFFFFFF00000000(x+4)};\n"
        ".func later() { ret; }\n");
    struct ptx_var *p = rig_var(m, "p"), *x = rig_var(m, "x"), *s = rig_var(m, "s"), *h = rig_var(m, "half");
    assert_int_equal(p->init.n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_ptr_equal(p->init.at[i].sym, x);
        assert_int_equal(p->init.at[i].off_b, 8 * i);
        assert_int_equal(p->init.at[i].size_b, 8);
        assert_int_equal(p->init.at[i].generic, i >= 2);
    }
    assert_int_equal(p->init.at[1].value, 8);
    assert_true(p->init.at[3].value == (uint64_t)-4);
    assert_ptr_equal(rig_var(m, "fp")->init.at[0].func, ptx_find_func(m, "later"));
    assert_null(rig_var(m, "fp")->init.at[0].sym);
    assert_int_equal(s->init.n, 3);
    is_init(s, 0, 0, 1, 1);
    is_init(s, 1, 8, 8, 0);
    assert_true(s->init.at[1].sym == x && s->init.at[1].generic == 1);
    is_init(s, 2, 16, 1, 2);
    assert_int_equal(h->init.n, 1);
    is_init(h, 0, 0, 8, 4);
    ptx_module_free(m);
}

static void headers(void **state)
{
    (void)state;
    struct ptx_module *m = rig_parse(
        HEAD
        ".visible .entry k(\n\t.param .u64 .ptr .global .align 16 k_0,\n\t.param .u64 .ptr .align 1 k_1,\n"
        "\t.param .align 8 .b8 k_2[24],\n\t.param .f32 k_3,\n\t.param .v2 .u32 k_4\n)\n"
        ".maxntid 128, 2\n.minnctapersm 4\n.maxnreg 64\n.pragma \"nounroll\";\n{ ret; }\n"
        ".weak .func (.param .b32 r) f(.param .b64 a) .noreturn { trap; }\n"
        ".entry e() .reqntid 32,1,1 .explicitcluster .reqnctapercluster 2, 3 .maxclusterrank 6 { ret; }\n"
        ".func .noinline g .abi_preserve 3 { ret; }\n");
    struct ptx_func *k = ptx_find_func(m, "k"), *f = ptx_find_func(m, "f"), *e = ptx_find_func(m, "e");
    assert_true(k->is_entry && k->is_visible && k->has_body && !k->is_extern && k->params.n == 5);
    assert_true(k->params.at[0]->is_ptr && k->params.at[0]->align_b == 8 &&
                k->params.at[0]->space == SPACE_PARAM);
    assert_true(k->params.at[1]->is_ptr && k->params.at[1]->type == T_U64);
    assert_true(k->params.at[2]->size_b == 24 && k->params.at[2]->align_b == 8 &&
                k->params.at[2]->index == 2);
    assert_true(k->params.at[4]->vec == 2 && k->params.at[4]->size_b == 8 && k->params.at[4]->owner == k);
    assert_true(k->maxntid[0] == 128 && k->maxntid[1] == 2 && k->maxntid[2] == 1);
    assert_true(k->minnctapersm == 4 && k->maxnreg == 64 && k->reqntid[0] == 0);
    assert_true(f->is_weak && f->noreturn && f->rets.n == 1 && f->params.n == 1 && !f->is_entry &&
                f->index == 1);
    assert_string_equal(f->rets.at[0]->name, "r");
    assert_true(e->reqntid[0] == 32 && e->params.n == 0);
    assert_true(e->explicitcluster && e->cluster[0] == 2 && e->cluster[1] == 3 && e->cluster[2] == 1);
    assert_true(e->maxclusterrank == 6 && !k->explicitcluster && k->cluster[0] == 0);
    ptx_module_free(m);
}

static void prototypes(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                       ".extern .func (.param .b32 r2) vprintf(.param .b64 c, .param .b64 d);\n"
                       ".func f(.param .b32 x);\n.func f(.param .b32 y) { ret; }\n.func f(.param .b32 z);\n");
    assert_int_equal(m->funcs.n, 2);
    struct ptx_func *v = ptx_find_func(m, "vprintf"), *f = ptx_find_func(m, "f");
    assert_true(v->is_extern && !v->has_body && v->params.n == 2);
    assert_true(f->has_body && !f->is_extern && f->params.n == 1);
    assert_string_equal(f->params.at[0]->name, "y");
    assert_null(ptx_find_func(m, "g"));
    ptx_module_free(m);
}

static void registers(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".func (.reg .u32 ret) f(.reg .f32 x) {\n"
                       ".reg .b32 %r<1000>, t, %r;\n.reg .v4 .f32 %v, %w<3>;\n.reg .b128 %q;\n"
                       "add.s32 %r7, %r999, t;\nmov.f32 x, %v.y;\nmov.f32 %w2.a, %w2.r;\nmov.b32 %r7, %r;\n"
                       "mov.u32 ret, %r0;\nret; }\n");
    struct ptx_func *f = rig_func(m);
    static const char *const names[] = {"ret", "x",   "t",     "%r",    "%v.x",  "%v.y",  "%v.z",  "%v.w",
                                        "%q",  "%r7", "%r999", "%w2.x", "%w2.y", "%w2.z", "%w2.w", "%r0"};
    assert_int_equal(f->regs.n, 16); /* of the range only what is used */
    for (uint32_t i = 0; i < 16; i++)
        assert_string_equal(f->regs.at[i].name, names[i]);
    assert_true(f->regs.at[0].type == T_U32 && f->regs.at[1].type == T_F32 && f->regs.at[8].type == T_B128);
    assert_int_equal(f->rets.at[0]->space, SPACE_REG);
    struct ptx_insn *in = rig_insn(m, 1);
    assert_true(in->ops[0].reg == 1 && in->ops[1].reg == 5);
    in = rig_insn(m, 2);
    assert_true(in->ops[0].reg == 14 && in->ops[1].reg == 11);
    ptx_module_free(m);
}

static void locals(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_body(".local .align 8 .b8 __local_depot0[64];\n.shared .f32 s[32];\n.param .b64 param0;\n"
                 "mov.u64 %rd1, __local_depot0;\nst.shared.f32 [s+4], %f1;\nld.param.u64 %rd2, [a];");
    struct ptx_func *f = rig_func(m);
    assert_int_equal(f->vars.n, 3);
    assert_true(f->vars.at[0]->space == SPACE_LOCAL && f->vars.at[0]->owner == f &&
                f->vars.at[0]->size_b == 64);
    assert_true(f->vars.at[2]->space == SPACE_PARAM && f->vars.at[2]->index == 2);
    assert_ptr_equal(rig_insn(m, 0)->ops[1].var, f->vars.at[0]);
    assert_ptr_equal(rig_insn(m, 1)->ops[0].sub[0].var, f->vars.at[1]);
    assert_ptr_equal(rig_insn(m, 2)->ops[1].sub[0].var, f->params.at[0]);
    ptx_module_free(m);
}

static void debug_sections(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD ".section .debug_abbrev\n{\n.b8 1 // }\n.b8 \"}\"\n$L: .b32 .debug_info+4 /* } */\n}\n"
                       ".section .debug_loc { { } }\n"
                       ".visible .entry k()\n{\n.loc 1 12 3\n.loc\t1 13 4, function_name $L__info_string0, "
                       "inlined_at 1 20 2\n.loc 1 2 0, function_name $L+12, inlined_at 1 5 6\nret;\n}\n"
                       ".section .debug_str { .b8 0 }\n");
    assert_int_equal(rig_func(m)->insns.n, 1);
    assert_int_equal(rig_insn(m, 0)->line, 16);
    ptx_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head),           cmocka_unit_test(variables), cmocka_unit_test(merged),
        cmocka_unit_test(values),         cmocka_unit_test(addresses), cmocka_unit_test(headers),
        cmocka_unit_test(prototypes),     cmocka_unit_test(registers), cmocka_unit_test(locals),
        cmocka_unit_test(debug_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
