/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions print as the text people read in listings. */
#include "irt.h"

static void prints(const struct ir_fn *fn, const struct ir_insn *i, const char *want)
{
    char text[256];
    FILE *f = fmemopen(text, sizeof text, "w");

    assert_non_null(f);
    ir_print_insn(f, fn, i);
    fclose(f);
    assert_string_equal(text, want);
}

static struct ir_insn make(enum ir_op op, struct ir_opnd d, struct ir_opnd a, struct ir_opnd b,
                           struct ir_opnd c)
{
    struct ir_insn i = {.op = (uint8_t)op, .type = T_U32, .vec = 1};

    i.dst[0] = d;
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = c;
    return i;
}

static void physical(void **state)
{
    (void)state;
    struct ir_insn i =
        make(OP_IMAD_WIDE, ir_reg(4, 0, 2), ir_reg(2, 0, 1), ir_reg(7, 0, 1), ir_const(0, 0x160, 2));
    i.type = T_S32;
    i.guard = ir_pred(0, true);
    prints(NULL, &i, "@!P0 IMAD.WIDE R4, R2, R7, c[0x0][0x160]");
    i = make(OP_LDG, ir_reg(8, 0, 4), ir_reg(2, 0, 2), NONE, NONE);
    i.vec = 4;
    i.off = -16;
    prints(NULL, &i, "LDG.E.128 R8, [R2-0x10]");
    i = make(OP_STG, NONE, ir_reg(2, 0, 2), ir_imm(0), NONE);
    i.type = T_U8;
    prints(NULL, &i, "STG.E.U8 [R2], RZ");
    i = make(OP_ISETP, ir_pred(1, false), ir_reg(3, 0, 1), ir_imm(31), ir_pred(PRED_PT, false));
    i.cmp = CMP_GE;
    i.bop = BOP_AND;
    prints(NULL, &i, "ISETP.GE.U32.AND P1, R3, 0x1f, PT");
    i = make(OP_FFMA, ir_reg(3, 0, 1), ir_reg(3, 0, 1), ir_reg(4, 0, 1), ir_reg(5, 0, 1));
    i.type = T_F32;
    i.rnd = RND_RZ;
    i.flags = IRF_FTZ;
    i.src[1].neg = 1;
    i.src[2].abs = 1;
    prints(NULL, &i, "FFMA.RZ.FTZ R3, R3, -R4, |R5|");
    i = make(OP_BRA, NONE, NONE, NONE, NONE);
    i.target = 17;
    prints(NULL, &i, "BRA `(17)");
    i = make(OP_S2R, ir_reg(2, 0, 1), NONE, NONE, NONE);
    i.sub = SR_TID_X;
    prints(NULL, &i, "S2R R2, SR_TID.X");
}

static void virtual_registers(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "f");
    uint32_t named = ir_vreg(&fn, 2, "%rd4"), quad = ir_vreg(&fn, 4, NULL), sp = ir_vreg_fixed(&fn, 1, 1);
    struct ir_insn i =
        make(OP_IADD3, ir_reg(named, 1, 1), ir_reg(quad, 2, 1), ir_reg(named, 0, 1), ir_imm(0));
    prints(&fn, &i, "IADD3 %rd4.hi, v1.x2, %rd4.lo, RZ");
    i = make(OP_MOV, ir_reg(named, 0, 2), ir_reg(quad, 2, 2), NONE, NONE);
    i.guard = ir_pred(ir_vpred(&fn), false);
    prints(&fn, &i, "@vp0 MOV %rd4, v1.x2-3");
    i = make(OP_LDL, ir_reg(quad, 0, 1), ir_reg(sp, 0, 1), NONE, NONE);
    i.off = 8;
    prints(&fn, &i, "LDL v1.x0, [$R1+0x8]");
    ir_fn_free(&fn);
    arena_free(&a);
}

/* Whatever the fields hold, printing ends and stays inside its tables. */
static void hostile(void **state)
{
    FILE *f = fopen("/dev/null", "w");

    (void)state;
    assert_non_null(f);
    for (unsigned op = 0; op < OP_COUNT + 2u; op++) {
        struct ir_insn i;
        memset(&i, 0xff, sizeof i);
        i.op = (uint8_t)op;
        for (int k = 0; k < 6; k++)
            i.src[k].kind = OPND_IMM;
        i.dst[0].kind = i.dst[1].kind = i.guard.kind = OPND_PRED;
        ir_print_insn(f, NULL, &i);
    }
    fclose(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(physical), cmocka_unit_test(virtual_registers),
                                       cmocka_unit_test(hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
