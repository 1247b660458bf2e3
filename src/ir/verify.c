/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants that every pass may assume and must leave, checked from one row per opcode.
 *
 * A row spells destinations and sources, a letter each:
 *   r R  one word (register, immediate or constant); R may be absent
 *   d D  a pair                                      t s  as many words as type / stype has
 *   v V  type x vec words (memory data)              x    vec words
 *   w W  any width up to 4                           p    predicate (absent: PT)
 *   m    accumulators of a warp group
 *   g    address pair (LDG, STG: or its low word, compile/opt/narrow.c) or absent
 *                     b    32-bit address or absent
 *   a    address of ATOM/RED, as their space says    i    immediate
 *   N    absent                                      *    anything
 * Destinations may always be absent (RZ). A row ending in '~' may take any number of immediates. */
#include "ir/ir.h"

#include <stdarg.h>

struct row {
    const char *dst, *src;
};

static const struct row rows[OP_COUNT] = {
    [OP_NOP] = {"", ""},           [OP_MOV] = {"w", "w"},         [OP_SEL] = {"r", "rrp"},
    [OP_S2R] = {"r", ""},          [OP_P2R] = {"r", "p"},         [OP_R2P] = {"p", "r"},
    [OP_IADD3] = {"rp", "rrRp"},   [OP_IMAD] = {"r", "rrr"},      [OP_IMAD_HI] = {"r", "rrr"},
    [OP_IMAD_WIDE] = {"d", "rrd"}, [OP_LEA] = {"r", "rri~"},      [OP_IABS] = {"r", "r"},
    [OP_IMNMX] = {"r", "rr"},      [OP_LOP3] = {"rp", "rrr"},     [OP_SHL] = {"r", "rr"},
    [OP_SHR] = {"r", "rr"},        [OP_SHF_L] = {"r", "rrr"},     [OP_SHF_R] = {"r", "rrr"},
    [OP_SGXT] = {"r", "rr"},       [OP_BMSK] = {"r", "rr"},       [OP_PRMT] = {"r", "rrr"},
    [OP_POPC] = {"r", "r"},        [OP_FLO] = {"r", "r"},         [OP_BREV] = {"r", "r"},
    [OP_IDP] = {"r", "rrr"},       [OP_VABSDIFF4] = {"r", "rrR"}, [OP_VIADD2] = {"r", "rr"},
    [OP_ISETP] = {"pp", "rrpp"},   [OP_PLOP3] = {"pp", "ppp"},    [OP_FADD] = {"r", "rr"},
    [OP_FMUL] = {"r", "rr"},       [OP_FFMA] = {"r", "rrr"},      [OP_FMNMX] = {"r", "rr"},
    [OP_FSETP] = {"pp", "rrp"},    [OP_FCHK] = {"p", "tt"},       [OP_SLOWF] = {"t", "t*"},
    [OP_MUFU] = {"r", "r"},        [OP_FRND] = {"t", "t"},        [OP_DADD] = {"d", "dd"},
    [OP_DMUL] = {"d", "dd"},       [OP_DFMA] = {"d", "ddd"},      [OP_DMNMX] = {"d", "dd"},
    [OP_DSETP] = {"pp", "ddp"},    [OP_HADD2] = {"r", "rr"},      [OP_HMUL2] = {"r", "rr"},
    [OP_HFMA2] = {"r", "rrr"},     [OP_HMNMX2] = {"r", "rr"},     [OP_HSETP2] = {"pp", "rrp"},
    [OP_F2F] = {"t", "s"},         [OP_F2FP] = {"r", "rR"},       [OP_F2I] = {"t", "s"},
    [OP_I2F] = {"t", "s"},         [OP_I2I] = {"t", "s"},         [OP_LDG] = {"v", "g"},
    [OP_LD] = {"v", "g"},          [OP_LDS] = {"v", "b"},         [OP_LDL] = {"v", "b"},
    [OP_LDC] = {"v", "b"},         [OP_STG] = {"", "gv"},         [OP_ST] = {"", "gv"},
    [OP_STS] = {"", "bv"},         [OP_STL] = {"", "bv"},         [OP_ATOM] = {"v", "avV~"},
    [OP_RED] = {"", "av"},         [OP_LDGSTS] = {"", "bgR~"},    [OP_LDGDEPBAR] = {"", ""},
    [OP_DEPBAR] = {"", ""},        [OP_LDSM] = {"x", "b"},        [OP_STSM] = {"", "bx"},
    [OP_MBAR] = {"*", "b**~"},     [OP_MEMBAR] = {"", ""},        [OP_CCTL] = {"", "*"},
    [OP_TEX] = {"w", "dWWW~"},     [OP_SULD] = {"v", "dw~"},      [OP_SUST] = {"", "dwv~"},
    [OP_TXQ] = {"r", "d"},         [OP_HMMA] = {"w", "www"},      [OP_IMMA] = {"w", "www"},
    [OP_BMMA] = {"w", "www"},      [OP_DMMA] = {"w", "www"},      [OP_SHFL] = {"rp", "rrrR~"},
    [OP_MOVM] = {"r", "r"},        [OP_USETMAXREG] = {"", "i"},   [OP_ACQBULK] = {"", ""},
    [OP_PREEXIT] = {"", ""},       [OP_STAS] = {"", "bvb"},       [OP_REDAS] = {"", "bvb"},
    [OP_CGABAR] = {"", ""},        [OP_HGMMA] = {"m", "wdmp"},    [OP_WARPGROUP] = {"", ""},
    [OP_VOTE] = {"rp", "pR"},      [OP_MATCH] = {"rp", "wR~"},    [OP_REDUX] = {"r", "rR~"},
    [OP_WARPSYNC] = {"", "R"},     [OP_ELECT] = {"rp", "R"},      [OP_BAR] = {"rp", "RRp~"},
    [OP_BRA] = {"", ""},           [OP_BRX] = {"", "r"},          [OP_CALL] = {"r", "*"},
    [OP_RET] = {"", "RR"},         [OP_EXIT] = {"", ""},          [OP_BSSY] = {"", "i"},
    [OP_BREAK] = {"", "i"},        [OP_BSYNC] = {"", "i"},        [OP_NANOSLEEP] = {"", "r"},
    [OP_BULK] = {"", "RWRWRR~"},   [OP_BULKGRP] = {"", ""},       [OP_TRAP] = {"", ""},
    [OP_SYSCALL] = {"*", "****~"}, [OP_LEAX] = {"rp", "rrRp"},    [OP_IMADX] = {"dp", "rrdp"},
    [OP_VMNMX] = {"r", "rrR"},
};

struct check {
    const struct ir_fn *fn;
    const char *after;
    uint32_t block, at;
    const struct ir_insn *i;
    const char *msg;
};

static void fail(struct check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct check *c, const char *fmt, ...)
{
    char why[160];
    va_list ap;

    if (c->msg)
        return;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    c->msg =
        arena_printf(c->fn->arena, "after %s: %s, block %u, instruction %u (%s, line %u): %s", c->after,
                     c->fn->name ? c->fn->name : "?", c->block, c->at,
                     c->i && c->i->op < OP_COUNT ? ir_ops[c->i->op].name : "-", c->i ? c->i->line : 0, why);
}

static void check_virtual(struct check *c, const struct ir_opnd *o, const char *what)
{
    if (o->val >= c->fn->vregs.n)
        fail(c, "%s names virtual register %u of %u", what, o->val, c->fn->vregs.n);
    else if (o->sub + o->n > c->fn->vregs.at[o->val].n)
        fail(c, "%s takes words %u..%u of a register of %u", what, o->sub, o->sub + o->n - 1,
             c->fn->vregs.at[o->val].n);
    else if ((o->n == 2 && o->sub % 2) || (o->n > 2 && o->sub % 4))
        fail(c, "%s: words %u..%u are not aligned", what, o->sub, o->sub + o->n - 1);
}

static void check_physical(struct check *c, const struct ir_opnd *o, const char *what)
{
    unsigned align = o->n > 2 ? 4 : o->n;

    if (o->sub)
        fail(c, "%s still names a part of a virtual register", what);
    else if (o->val >= REG_U0) {
        if (o->val + o->n > REG_U0 + c->fn->uregs_used)
            fail(c, "%s: UR%u is beyond the %u uniform registers in use", what, o->val - REG_U0,
                 c->fn->uregs_used);
    } else if (o->val + o->n > MAX_REGS || o->val + o->n > c->fn->regs_used)
        fail(c, "%s: R%u..R%u is beyond the %u registers in use", what, o->val, o->val + o->n - 1,
             c->fn->regs_used);
    else if (o->val % align)
        fail(c, "%s: R%u is not aligned for %u registers", what, o->val, o->n);
}

/* A register, immediate or constant of `want` words (0: any). */
static void check_value(struct check *c, const struct ir_opnd *o, unsigned want, bool dst, const char *what)
{
    switch (o->kind) {
    case OPND_REG:
        if (o->n < 1 || (o->n > 4 && !want) || (want && o->n != want))
            fail(c, "%s has %u words, not %u", what, o->n, want);
        else if (c->fn->allocated)
            check_physical(c, o, what);
        else
            check_virtual(c, o, what);
        break;
    case OPND_IMM:
        if (dst)
            fail(c, "%s is an immediate", what);
        else if (o->val && want && o->n > want)
            fail(c, "%s: an immediate of %u words where %u are wanted", what, o->n, want);
        break;
    case OPND_CONST:
        if (dst)
            fail(c, "%s is a constant", what);
        else if (want && o->n != want)
            fail(c, "%s: a constant of %u words where %u are wanted", what, o->n, want);
        else if (o->val % 4)
            fail(c, "%s: constant offset 0x%x is not a word's", what, o->val);
        break;
    default: fail(c, "%s is missing or of the wrong kind", what);
    }
}

static void check_pred(struct check *c, const struct ir_opnd *o, const char *what)
{
    if (o->kind != OPND_PRED)
        fail(c, "%s is not a predicate", what);
    else if (o->val == PRED_PT)
        return;
    else if (c->fn->allocated ? o->val >= MAX_PREDS : o->val < VPRED0 || o->val - VPRED0 >= c->fn->npreds)
        fail(c, "%s names predicate %u", what, o->val);
}

static void check_opnd(struct check *c, char code, const struct ir_opnd *o, bool dst, const char *what)
{
    const struct ir_insn *i = c->i;
    unsigned vec = i->vec ? i->vec : 1, want = 1;
    bool wide;

    if (o->kind == OPND_NONE && (dst || strchr("RDVWpgba*N", code)))
        return;
    switch (code) {
    case 'r':
    case 'R': break;
    case 'd':
    case 'D': want = 2; break;
    case 't': want = type_units(i->type); break;
    case 's': want = type_units(i->stype); break;
    case 'v':
    case 'V': want = type_units(i->type) * vec; break;
    case 'x': want = vec; break;
    case 'w':
    case 'W': want = 0; break;
    case 'm': want = i->dst[0].n; break;
    case 'g': want = o->kind == OPND_REG && o->n == 1 && (i->op == OP_LDG || i->op == OP_STG) ? 1 : 2; break;
    case 'b': break;
    case 'a':
        wide = i->space == SPACE_NONE || i->space == SPACE_GLOBAL;
        want = wide ? 2 : 1;
        break;
    case 'p': check_pred(c, o, what); return;
    case 'i':
        if (o->kind != OPND_IMM)
            fail(c, "%s is not an immediate", what);
        return;
    case '*':
        if (o->kind == OPND_PRED)
            check_pred(c, o, what);
        else
            check_value(c, o, 0, dst, what);
        return;
    default: fail(c, "%s must be absent", what); return;
    }
    if (strchr("vxts", code) && (want < 1 || want > 4))
        fail(c, "%s: type and vector make %u words", what, want);
    else
        check_value(c, o, want, dst, what);
}

static void check_operands(struct check *c)
{
    static const char *const dst_names[] = {"destination 0", "destination 1"};
    static const char *const src_names[] = {"source 0", "source 1", "source 2",
                                            "source 3", "source 4", "source 5"};
    const struct ir_insn *i = c->i;
    const struct row *row = &rows[i->op];
    if (!row->dst) {
        fail(c, "ir/verify.c has no row for it");
        return;
    }
    size_t nd = strlen(row->dst), ns = strlen(row->src);
    bool any_imms = ns && row->src[ns - 1] == '~';
    unsigned imms = 0;

    ns -= any_imms;
    for (size_t d = 0; d < 2; d++)
        check_opnd(c, d < nd ? row->dst[d] : 'N', &i->dst[d], true, dst_names[d]);
    for (size_t s = 0; s < 6; s++) {
        const struct ir_opnd *o = &i->src[s];
        check_opnd(c, s < ns ? row->src[s] : 'N', o, false, src_names[s]);
        imms += o->kind == OPND_CONST || (o->kind == OPND_IMM && o->val);
    }
    if (imms > 1 && !any_imms)
        fail(c, "%u sources are immediates or constants", imms);
}

static void check_moves(struct check *c)
{
    const struct ir_opnd *d = &c->i->dst[0], *s = &c->i->src[0];

    if (c->i->op != OP_MOV || c->msg)
        return;
    if (c->fn->allocated && d->val < REG_U0 && (d->n > 1 || (s->kind != OPND_IMM && s->n > 1)))
        fail(c, "a copy of %u words is left after allocation", d->n);
    else if (d->kind == OPND_REG && d->n != s->n && !opnd_is_zero(s))
        fail(c, "copies %u words to %u", s->n, d->n);
}

/* The tuples of a tensor instruction fit each other (ops.def). */
static void check_tensor(struct check *c)
{
    const struct ir_insn *i = c->i;
    const struct ir_opnd *d = &i->dst[0];

    if (ir_ops[i->op].unit != UNIT_TENSOR || c->msg)
        return;
    if (i->op == OP_HGMMA) {
        unsigned cols = ir_gmma_cols(i);
        if (d->kind != OPND_REG || cols < 8 || cols > 256 || cols % 8 ||
            (i->src[0].n != 2 && i->src[0].n != 4))
            fail(c, "no warp group multiplies with %u registers of D and %u of A", d->n, i->src[0].n);
        return;
    }
    unsigned acc = ir_tensor_acc(i);
    if (!acc)
        fail(c, "no matrices have A of %u registers and B of %u", i->src[0].n, i->src[1].n);
    else if ((i->src[2].n != acc && !opnd_is_zero(&i->src[2])) || (d->kind == OPND_REG && d->n != acc))
        fail(c, "accumulators of %u and %u registers, not %u", i->src[2].n, d->n, acc);
}

static void check_insn(struct check *c, bool last)
{
    const struct ir_insn *i = c->i;
    const struct ir_block *b = &c->fn->blocks.at[c->block];

    if (i->op >= OP_COUNT || i->type >= T_COUNT || i->stype >= T_COUNT) {
        fail(c, "opcode or type out of range");
        return;
    }
    if (i->guard.kind != OPND_NONE)
        check_pred(c, &i->guard, "guard");
    if ((ir_ops[i->op].flags & OPF_MEM) && i->op != OP_LDGSTS && i->op != OP_TEX && i->vec > 4)
        fail(c, "vector of %u", i->vec);
    check_operands(c);
    check_moves(c);
    check_tensor(c);
    if (!last && (i->op == OP_BRA || i->op == OP_BRX || ir_is_terminator(i)))
        fail(c, "control leaves before the end of its block");
    if (i->op == OP_BRA && i->target >= c->fn->blocks.n)
        fail(c, "branch to block %u of %u", i->target, c->fn->blocks.n);
    if (i->op == OP_BRX && (!b->succ.n || i->guard.kind != OPND_NONE))
        fail(c, "an indexed branch has a table and no guard");
    if (i->op == OP_RET && c->fn->is_entry)
        fail(c, "an entry does not return");
    if ((i->op == OP_BSSY || i->op == OP_BSYNC || i->op == OP_BREAK) && i->src[0].val >= c->fn->nbars)
        fail(c, "barrier %u of %u", i->src[0].val, c->fn->nbars);
}

static void check_block(struct check *c)
{
    const struct ir_block *b = &c->fn->blocks.at[c->block];
    const struct ir_insn *last = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;

    for (c->at = 0; c->at < b->insns.n && !c->msg; c->at++) {
        c->i = &b->insns.at[c->at];
        check_insn(c, c->i == last);
    }
    c->i = last;
    if (c->block + 1 == c->fn->blocks.n && !(last && ir_is_terminator(last)))
        fail(c, "control falls off the end of the function");
    if (last && last->op == OP_BRX)
        for (uint32_t k = 0; k < b->succ.n; k++)
            if (b->succ.at[k] >= c->fn->blocks.n)
                fail(c, "branch table names block %u of %u", b->succ.at[k], c->fn->blocks.n);
}

const char *ir_verify(const struct ir_fn *fn, const char *after)
{
    struct check c = {.fn = fn, .after = after};

    if (!fn->blocks.n)
        fail(&c, "no blocks");
    for (uint32_t v = 0; v < fn->vregs.n && !fn->allocated; v++) {
        const struct ir_vreg *r = &fn->vregs.at[v];
        if (r->n < 1 || r->n > (r->acc ? MAX_GMMA_REGS : 4))
            fail(&c, "virtual register %u has %u words", v, r->n);
        else if (r->fixed && r->phys + r->n > MAX_REGS)
            fail(&c, "virtual register %u is fixed beyond R%u", v, MAX_REGS - 1);
    }
    for (c.block = 0; c.block < fn->blocks.n && !c.msg; c.block++)
        check_block(&c);
    return c.msg;
}
