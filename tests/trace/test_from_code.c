/* SPDX-License-Identifier: Apache-2.0 */
/* Static code: every bundled kernel passes the reader's check and loses no operand; the forms that need care by hand. */
#include "base/file.h"
#include "compile/compile.h"
#include "trace/code/class.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The timing model takes the unit from the class, the compiler from the opcode. */
static void classes(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct ir_insn i = {.op = (uint8_t)op};
        if (tr_classes[tr_class_of(&i)].unit != ir_ops[op].unit)
            fail_msg("%s is %s", ir_ops[op].name, tr_classes[tr_class_of(&i)].name);
        assert_true(op == OP_NOP || tr_class_of(&i) != TC_NOP);
    }
    struct ir_insn shared = {.op = OP_ATOM, .space = SPACE_SHARED};
    assert_int_equal(tr_class_of(&shared), TC_ATOMS);
}

static bool has(const struct tr_opnd *list, unsigned n, const struct ir_opnd *o)
{
    bool reg = o->kind == OPND_REG, pred = o->kind == OPND_PRED;
    if (!(reg && o->val != REG_RZ) && !(pred && o->val != PRED_PT))
        return true;
    for (unsigned k = 0; k < n; k++) {
        if (list[k].kind == (reg ? TO_REG : TO_PRED) && list[k].val == o->val &&
            list[k].n >= (pred ? 1 : o->n))
            return true;
    }
    return false;
}

static void check_insn(const struct code *c, const struct tr_kernel *k, uint32_t at)
{
    const struct ir_insn *i = &c->insns[at];
    const struct tr_insn *t = &k->insns[at];
    bool ok = has(&t->guard, 1, &i->guard);
    for (unsigned d = 0; d < 2; d++)
        ok = ok && has(t->dst, t->ndst, &i->dst[d]);
    for (unsigned s = 0; s < 6; s++)
        ok = ok && has(t->src, t->nsrc, &i->src[s]);
    if (!ok)
        fail_msg("%s, instruction %u, %s: an operand is missing", c->name, at, t->text);
    assert_true(t->text[0] >= 'A' && t->text[0] <= 'Z');
    assert_int_equal(t->line, i->line);
    if (i->op == OP_BRA)
        assert_int_equal(t->target, i->target);
    /* Exactly the instructions with an address in the machine form touch memory through addresses. */
    bool mem =
        ir_ops[i->op].flags & OPF_MEM && i->op != OP_SYSCALL && !(i->op == OP_MBAR && i->sub == MBAR_PENDING);
    bool bulk = i->op == OP_BULK; /* parameters in place of addresses */
    assert_int_equal(t->mem != 0, mem && !bulk);
    assert_int_equal(t->nparam != 0, bulk);
    assert_int_equal(t->naddr, bulk ? 0 : i->op == OP_LDGSTS || (mem && i->op == OP_MBAR) ? 2 : mem);
    mem = mem && !bulk;
    assert_true(!mem || t->width_b);
}

static void check_kernel(const struct code *c)
{
    struct tr_kernel *k = tr_kernel_from_code(c);
    const char *why = tr_kernel_check(k);
    if (why)
        fail_msg("%s: %s", c->name, why);
    assert_int_equal(k->n, c->n);
    assert_true(k->nblocks && k->nblocks <= c->nblocks);
    assert_string_equal(k->name, c->name);
    for (uint32_t at = 0; at < k->n; at++)
        check_insn(c, k, at);
    tr_kernel_free(k);
}

static void bundled_file(const char *path)
{
    struct diag d = {0};
    struct file_text text;
    assert_true(file_read(path, 1 << 24, &text, &d));
    struct ptx_module *m = ptx_parse(path, text.at, text.n, &d);
    assert_non_null(m);
    vec_each (&m->funcs, f) {
        for (unsigned few = 0; (*f)->is_entry && few < 2; few++) {
            struct code *c = compile_kernel(m, *f, &(struct compile_opts){.max_regs = few ? 16 : 0}, &d);
            assert_non_null(c);
            check_kernel(c);
            code_free(c);
        }
    }
    ptx_module_free(m);
    file_free(&text);
    diag_free(&d);
}

static void bundled(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(KERNELS_DIR "/*.ptx", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        bundled_file(files.gl_pathv[i]);
    globfree(&files);
}

#define R(v, n) ir_reg((v), 0, (n))
#define P(v) ir_pred((v), false)

static void by_hand(void **state)
{
    (void)state;
    struct ir_insn insns[] = {
        {.op = OP_IADD3, .dst = {R(4, 1), P(2)}, .src = {R(6, 1), ir_const(0, 0x160, 1), R(REG_RZ, 1)}},
        {.op = OP_IADD3,
         .flags = IRF_X,
         .guard = ir_pred(1, true),
         .dst = {R(5, 1), P(PRED_PT)},
         .src = {R(7, 1), ir_imm(3), ir_imm(0), P(2)}},
        {.op = OP_LDG, .type = T_F32, .vec = 4, .order = ORD_VOLATILE, .dst = {R(8, 4)}, .src = {R(4, 2)}},
        {.op = OP_LDGSTS, .vec = 16, .src = {R(3, 1), R(4, 2)}},
        {.op = OP_BAR, .sub = BAR_ARRIVE, .src = {ir_imm(3), ir_imm(64)}},
        {.op = OP_BAR, .sub = BAR_RED_POPC, .dst = {R(9, 1)}, .src = {R(3, 1), ir_none(), P(0)}},
        {.op = OP_LDGDEPBAR},
        {.op = OP_DEPBAR, .off = 2},
        {.op = OP_CALL, .src = {ir_imm(7)}},
        {.op = OP_LDC, .type = T_U32, .vec = 1, .sub = 3, .off = 32, .dst = {R(2, 1)}, .src = {R(3, 1)}},
        {.op = OP_RED, .type = T_U32, .vec = 1, .space = SPACE_SHARED, .src = {R(3, 1), R(2, 1)}},
        {.op = OP_USETMAXREG, .sub = 1, .src = {ir_imm(240)}},
        {.op = OP_EXIT},
        {.op = OP_CGABAR, .sub = CGABAR_ARRIVE},
        {.op = OP_CGABAR, .sub = CGABAR_WAIT},
        {.op = OP_STAS, .type = T_U32, .vec = 2, .src = {R(3, 1), R(4, 2), R(6, 1)}},
    };
    enum { N = sizeof insns / sizeof insns[0] };
    struct code_func funcs[] = {{.name = "k", .id = 1}, {.name = "f", .id = 7, .entry = 11}};
    struct code_block block = {.n = N, .ipdom = UINT32_MAX};
    struct code c = {.name = "k",
                     .file = "k.ptx",
                     .insns = insns,
                     .n = N,
                     .funcs = funcs,
                     .nfuncs = 2,
                     .regs = 20,
                     .blocks = &block,
                     .nblocks = 1};
    struct tr_kernel *k = tr_kernel_from_code(&c);
    const char *why = tr_kernel_check(k);
    if (why)
        fail_msg("%s", why);
    const struct tr_insn *t = k->insns;
    assert_int_equal(t[0].ndst, 2);
    assert_int_equal(t[0].dst[1].kind, TO_PRED);
    assert_int_equal(t[0].nsrc, 2); /* the zero register is not named */
    assert_int_equal(t[0].src[1].kind, TO_CONST);
    assert_int_equal(t[0].src[1].val, 0x160);
    assert_int_equal(t[1].ndst, 1);
    assert_int_equal(t[1].guard.kind, TO_PRED);
    assert_int_equal(t[1].guard.neg, 1);
    assert_string_equal(t[1].text, "IADD3.X");
    assert_int_equal(t[2].width_b, 16);
    assert_int_equal(t[2].dst[0].n, 4);
    assert_int_equal(t[2].bypass, 1);
    assert_string_equal(t[2].text, "LDG.E.128.VOLATILE");
    assert_int_equal(t[3].naddr, 2);
    assert_int_equal(t[3].space, SPACE_GLOBAL);
    assert_int_equal(t[4].imm, 3 | TB_ARRIVE);
    assert_int_equal(t[4].count, 64);
    assert_int_equal(t[5].imm, TB_DYNAMIC);
    assert_int_equal(t[5].count, 0);
    assert_int_equal(t[13].cls, TC_BAR);
    assert_int_equal(t[13].imm, TB_CLUSTER | TB_ARRIVE);
    assert_int_equal(t[14].imm, TB_CLUSTER);
    assert_string_equal(t[14].text, "CGABAR.WAIT");
    assert_int_equal(t[15].naddr, 2); /* where it stores, and the barrier object */
    assert_int_equal(t[15].space, SPACE_SHARED);
    assert_int_equal(t[15].width_b, 8);
    assert_int_equal(t[6].imm, TA_COMMIT);
    assert_int_equal(t[7].imm, 2);
    assert_int_equal(t[8].target, 11);
    assert_int_equal(t[8].dst[0].val, REG_LINK);
    assert_int_equal(t[9].src[1].bank, 3);
    assert_int_equal(t[9].src[1].val, 32);
    assert_int_equal(t[10].cls, TC_ATOMS);
    assert_int_equal(t[10].mem, TM_STORE | TM_ATOMIC);
    assert_int_equal(t[11].pc, 11 * 16);
    assert_int_equal(t[11].cls, TC_WARPSYNC);
    assert_int_equal(t[11].imm, 240);
    assert_string_equal(t[11].text, "USETMAXREG.INC");
    tr_kernel_free(k);
}

/* Cache operators that say so keep loads from L1. */
static void past_l1(void **state)
{
    static const char *const ops[] = {"", ".ca", ".cg", ".cs", ".lu", ".cv"};
    (void)state;
    for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
                 ".reg .b64 %%a; .reg .b32 %%r; ld.param.u64 %%a, [p]; ld.global%s.u32 %%r, [%%a];\n"
                 "st.global.u32 [%%a+4], %%r; ret; }\n",
                 ops[i]);
        struct diag d = {0};
        struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &d);
        assert_non_null(m);
        struct code *c = compile_kernel(m, m->funcs.at[0], &(struct compile_opts){0}, &d);
        assert_non_null(c);
        struct tr_kernel *k = tr_kernel_from_code(c);
        uint32_t loads = 0;
        for (uint32_t n = 0; n < k->n; n++)
            if (k->insns[n].cls == TC_LDG) {
                loads++;
                assert_int_equal(k->insns[n].bypass, i == 2 || i == 5);
            }
        assert_int_equal(loads, 1);
        tr_kernel_free(k);
        code_free(c);
        ptx_module_free(m);
        diag_free(&d);
    }
}

/* Empty blocks, and successors that a branch table names several times. */
static void odd_blocks(void **state)
{
    (void)state;
    struct ir_insn insns[] = {{.op = OP_NOP}, {.op = OP_BRA, .target = 0}, {.op = OP_EXIT}};
    struct code_func func = {.name = "k"};
    uint32_t to1[] = {1}, to2[] = {1, 3, 3, 1, 2, 3}, to3[] = {4};
    struct code_block blocks[] = {{0, 1, 1, to1, 1},
                                  {1, 0, 1, (uint32_t[]){2}, 2},
                                  {1, 1, 6, to2, 3},
                                  {2, 1, 1, to3, 4},
                                  {3, 0, 0, NULL, UINT32_MAX}};
    struct code c = {.name = "k",
                     .insns = insns,
                     .n = 3,
                     .funcs = &func,
                     .nfuncs = 1,
                     .regs = 4,
                     .blocks = blocks,
                     .nblocks = 5};
    struct tr_kernel *k = tr_kernel_from_code(&c);
    assert_null(tr_kernel_check(k));
    assert_int_equal(k->nblocks, 3);
    assert_int_equal(k->blocks[0].succ[0], 1);
    assert_int_equal(k->blocks[0].ipdom, 1);
    assert_int_equal(k->blocks[1].nsucc, 2);
    assert_int_equal(k->blocks[1].succ[0], 1);
    assert_int_equal(k->blocks[1].succ[1], 2);
    assert_int_equal(k->blocks[2].nsucc, 0);
    assert_int_equal(k->blocks[2].ipdom, UINT32_MAX);
    tr_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes), cmocka_unit_test(bundled),
                                       cmocka_unit_test(by_hand), cmocka_unit_test(past_l1),
                                       cmocka_unit_test(odd_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
