/* SPDX-License-Identifier: Apache-2.0 */
/* What the text says otherwise than the encoding: operands that depend on a modifier. */
#include "sass/table.h"

/* The name after the mnemonic in place of modifier k. */
static void rename_mod(struct sass_insn *i, enum sass_modkind old, enum sass_modkind kind, unsigned value)
{
    for (unsigned k = 0; k < i->nmods; k++) {
        if (i->mod[k].kind == old)
            i->mod[k] = (struct sass_mod){(uint8_t)kind, (uint8_t)value};
    }
}

/* With a carry in, a source is inverted where it would else be negated. */
static void invert(struct sass_insn *i)
{
    for (unsigned k = 0; k < i->nopnds; k++) {
        if (i->opnd[k].neg) {
            i->opnd[k].neg = false;
            i->opnd[k].inv = true;
        }
    }
}

/* IMAD that only moves, adds or shifts is called so. */
static void imad(struct sass_insn *i)
{
    const struct sass_opnd *a = &i->opnd[2], *b = &i->opnd[3], *c = &i->opnd[4];
    bool zero_a = a->kind == SASS_REG && a->reg == SASS_RZ, zero_b = b->kind == SASS_REG && b->reg == SASS_RZ;
    bool zero_c = c->kind == SASS_REG && c->reg == SASS_RZ;
    unsigned is = 0;
    if (sass_mod(i, SM_xcarry))
        return;
    if (zero_a && zero_b && c->kind != SASS_UREG)
        is = 1;
    else if (b->kind == SASS_IMM && b->imm == 1)
        is = 2;
    else if (b->kind == SASS_IMM && zero_c && b->imm > 0 && b->imm < 0x80000000 && b->imm != 0x10000 &&
             (b->imm & (b->imm - 1)) == 0)
        is = 3;
    rename_mod(i, SM_xcarry, SM_imad, is);
}

static void hide(struct sass_insn *i, unsigned k) { i->opnd[k].shown = false; }

void sass_alias(struct sass_insn *i, unsigned arch)
{
    bool x = sass_mod(i, SM_xcarry);
    if (x)
        invert(i);
    switch ((enum sass_op)i->row->op) {
    case S_IADD3:
    case S_UIADD3:
        if (arch >= 100)
            i->opnd[1].shown = i->opnd[2].shown = true;
        if (!x && i->nopnds > 6) {
            hide(i, 6);
            hide(i, 7);
        }
        break;
    case S_BRA:
        if (i->nopnds == 3 && !sass_bits(i, 91, 1))
            hide(i, 1);
        break;
    case S_F2FP:
        if (i->nopnds > 3 && !sass_mod(i, SM_packc))
            hide(i, 3);
        else if (i->nopnds > 3 && sass_mod(i, SM_fpdst) < 2 && i->opnd[1].reg == SASS_RZ) {
            hide(i, 1);
            rename_mod(i, SM_packc, SM_mergec, 1);
        }
        break;
    case S_IDP: /* of 16-bit numbers, by bytes */
        if (sass_mod(i, SM_idpk))
            rename_mod(i, SM_u8a, SM_u16a, sass_mod(i, SM_u8a));
        break;
    case S_MATCH: i->opnd[0].shown = i->opnd[0].shown || !sass_mod(i, SM_match); break;
    case S_TEX:
    case S_TLD: /* all four components */
        if (arch >= 90 && arch < 100 && i->opnd[i->nopnds - 1].imm == 15)
            hide(i, i->nopnds - 1);
        break;
    case S_CCTL: /* of all lines: no address */
        if (sass_mod(i, SM_cctl) == 4)
            hide(i, 0);
        break;
    case S_PLOP3:
        if (sass_bits(i, 67, 1))
            i->opnd[4].kind = SASS_UPRED;
        break;
    case S_WARPGROUP:
        if (!sass_mod(i, SM_wgop)) {
            hide(i, 0);
            hide(i, 1);
        }
        break;
    case S_WARPSYNC:
        if (i->opnd[i->nopnds - 1].kind == SASS_LABEL && sass_mod(i, SM_excl) != 2)
            hide(i, i->nopnds - 1);
        break;
    case S_BAR:
        if (sass_mod(i, SM_barop) != 2) {
            rename_mod(i, SM_barred, SM_none, 0);
            hide(i, 2);
        }
        break;
    case S_IMAD:
        if (!x)
            hide(i, 5);
        imad(i);
        break;
    case S_IMAD__WIDE:
    case S_IMAD__HI:
    case S_UIMAD:
    case S_UIMAD__WIDE:
        if (!x)
            hide(i, 5);
        break;
    case S_ISETP:
    case S_UISETP:
        if (!sass_mod(i, SM_ex))
            hide(i, 5);
        break;
    case S_LEA:
    case S_ULEA:
        if (!sass_mod(i, SM_hi) || sass_mod(i, SM_sx32))
            hide(i, 4);
        if (!x)
            hide(i, 6);
        break;
    default: break;
    }
}
