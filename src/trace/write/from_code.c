/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel compiled here as the trace keeps it: every operand that names a register, a predicate or a constant, what the
 * instruction touches and where it may go. Values, rounding and types stay behind, except in the mnemonic. */
#include "exec/exec.h"
#include "sass/sass.h"
#include "trace/accelsim/sass.h"
#include "trace/code/class.h"

enum { INSN_B = 16 }; /* Volta and later: 128-bit instructions */

/* TO_NONE: nothing that the trace names (zero register, true predicate, convergence barriers, absent). */
static struct tr_opnd operand(const struct ir_opnd *o)
{
    struct tr_opnd t = {.n = o->n ? o->n : 1, .val = o->val};
    switch ((enum opnd_kind)o->kind) {
    case OPND_REG:
        t.kind = o->val == REG_RZ || o->val >= REG_B0 ? TO_NONE : o->val >= REG_U0 ? TO_UREG : TO_REG;
        t.val -= t.kind == TO_UREG ? REG_U0 : 0;
        break;
    case OPND_PRED:
        t.kind = o->val == PRED_PT || o->val >= PRED_BAR ? TO_NONE : o->val >= PRED_U0 ? TO_UPRED : TO_PRED;
        t.val -= t.kind == TO_UPRED ? PRED_U0 : 0;
        t.neg = o->neg;
        break;
    case OPND_IMM: t.kind = TO_IMM; break;
    case OPND_CONST:
        t.kind = TO_CONST;
        t.bank = o->sub;
        break;
    case OPND_NONE: break;
    }
    return t.kind == TO_NONE ? (struct tr_opnd){0} : t;
}

static void add_src(struct tr_insn *t, struct tr_opnd o)
{
    if (o.kind != TO_NONE && t->nsrc < TR_SRCS)
        t->src[t->nsrc++] = o;
}

static void add_dst(struct tr_insn *t, struct tr_opnd o)
{
    if (o.kind != TO_NONE && t->ndst < TR_DSTS)
        t->dst[t->ndst++] = o;
}

static void operands(struct tr_insn *t, const struct ir_insn *i, bool sass)
{
    t->guard = operand(&i->guard);
    for (unsigned k = 0; k < 2; k++)
        add_dst(t, operand(&i->dst[k]));
    if (i->op == OP_CALL && i->dst[0].kind == OPND_NONE && !sass)
        add_dst(t, (struct tr_opnd){.kind = TO_REG, .n = 1, .val = REG_LINK});
    for (unsigned k = 0; k < 6; k++)
        add_src(t, operand(&i->src[k]));
    if (i->op == OP_LDC) /* the bank, and the offset that is added to the register */
        add_src(t, (struct tr_opnd){.kind = TO_CONST,
                                    .n = t->ndst ? t->dst[0].n : 1,
                                    .bank = i->sub,
                                    .val = (uint32_t)i->off});
}

_Static_assert((int)TM_LOAD == (int)ACC_LOAD && (int)TM_STORE == (int)ACC_STORE &&
                   (int)TM_ATOMIC == (int)ACC_ATOMIC,
               "ops.def's accesses are the trace's");

static uint8_t width(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDGSTS: return i->vec;
    case OP_LDSM:
    case OP_STSM: return 16; /* a row of 8 elements of 16 bits */
    case OP_MBAR: return 8;
    case OP_TEX: return 4; /* texels have 1 to 16 bytes; the texture says how many, not the code */
    default: return (uint8_t)(type_bytes(i->type) * (i->vec ? i->vec : 1u));
    }
}

static void memory(struct tr_insn *t, const struct ir_insn *i)
{
    uint8_t mem = ir_ops[i->op].access;
    if (i->op == OP_MBAR && i->sub == MBAR_PENDING)
        mem = 0;
    if (i->op == OP_MBAR && (i->sub == MBAR_TEST_WAIT || i->sub == MBAR_TEST_PARITY ||
                             i->sub == MBAR_TRY_WAIT || i->sub == MBAR_TRY_PARITY))
        mem = TM_LOAD;
    if (i->op == OP_BULK)
        t->nparam = BULK_PARAMS;
    if (!mem)
        return;
    t->mem = mem;
    t->naddr = ir_ops[i->op].naddr;
    t->space = i->op == OP_ATOM || i->op == OP_RED ? i->space : ir_ops[i->op].space;
    t->width_b = width(i);
    if (t->space == SPACE_SHARED || t->space == SPACE_CONST)
        return;
    /* Copies of 16 bytes are cp.async.cg in practice (the .ca form is for 4 and 8): past L1. */
    bool near = mem & (TM_LOAD | TM_STORE) && !(mem & TM_ATOMIC) && i->flags & IRF_CTA;
    t->bypass = (i->order != ORD_WEAK && !near) || i->flags & IRF_PAST_L1 || mem & TM_ATOMIC ||
                (i->op == OP_LDGSTS && i->vec == 16);
}

static uint32_t call_target(const struct code *c, uint32_t id)
{
    for (uint32_t f = 0; f < c->nfuncs; f++) {
        if (c->funcs[f].id == id)
            return c->funcs[f].entry;
    }
    return TR_NO_TARGET;
}

/* An arrival that the completion of earlier copies makes is taken for one at once. */
static uint32_t object_op(const struct ir_insn *i)
{
    switch ((enum ir_mbar)i->sub) {
    case MBAR_INIT: return TMB_INIT;
    case MBAR_ARRIVE: return TMB_ARRIVE;
    case MBAR_ARRIVE_DROP: return TMB_DROP;
    case MBAR_EXPECT_TX: return TMB_EXPECT;
    case MBAR_COMPLETE_TX: return TMB_COMPLETE;
    case MBAR_ARRIVE_TX: return TMB_ARRIVE_EXPECT;
    case MBAR_ARRIVE_DROP_TX: return TMB_DROP_EXPECT;
    case MBAR_TRY_WAIT:
    case MBAR_TRY_PARITY: return TMB_WAIT;
    case MBAR_TEST_WAIT:
    case MBAR_TEST_PARITY: return TMB_TEST;
    case MBAR_CP_ARRIVE: return i->flags & IRF_X ? TMB_ARRIVE : TMB_OTHER;
    case MBAR_INVAL:
    case MBAR_PENDING: break;
    }
    return TMB_OTHER;
}

static uint32_t bulk_op(const struct ir_insn *i)
{
    switch ((enum ir_bulk)i->sub) {
    case BULK_STORE:
    case BULK_TENSOR_STORE: return TT_STORE;
    case BULK_RED:
    case BULK_TENSOR_RED: return TT_REDUCE;
    case BULK_PREFETCH:
    case BULK_TENSOR_PREFETCH: return TT_PREFETCH;
    case BULK_SHARED:
    case BULK_RED_SHARED: return TT_SHARED;
    default: return TT_LOAD;
    }
}

static void control(struct tr_insn *t, const struct code *c, const struct ir_insn *i)
{
    t->target = TR_NO_TARGET;
    switch (i->op) {
    case OP_BRA: t->target = i->target; break;
    case OP_CALL:
        if (i->src[0].kind == OPND_IMM)
            t->target = call_target(c, i->src[0].val);
        break;
    case OP_BAR:
        t->imm = i->src[0].kind == OPND_IMM    ? i->src[0].val & 15
                 : i->src[0].kind == OPND_NONE ? 0
                                               : TB_DYNAMIC;
        t->imm |= i->sub == BAR_ARRIVE ? TB_ARRIVE : 0;
        if (i->src[1].kind != OPND_NONE)
            t->count = i->src[1].kind == OPND_IMM ? i->src[1].val : TB_DYNAMIC_COUNT;
        if ((t->imm & 0xff) == TB_DYNAMIC || t->count == TB_DYNAMIC_COUNT)
            t->nparam = BAR_PARAMS;
        break;
    case OP_CGABAR: t->imm = TB_CLUSTER | (i->sub == CGABAR_ARRIVE ? TB_ARRIVE : 0); break;
    case OP_DEPBAR: t->imm = (uint32_t)i->off; break;
    case OP_LDGDEPBAR: t->imm = TA_COMMIT; break;
    case OP_WARPGROUP:
        if (i->sub == WG_ARRIVE)
            break;
        t->cls = TC_GMMA;
        t->imm = i->sub == WG_COMMIT ? TG_COMMIT : TG_WAIT | (uint32_t)i->off;
        break;
    case OP_HGMMA: /* where A (0: in registers) and B lie in shared memory */
        t->nparam = TR_GROUP_PARAMS;
        t->imm = ir_gmma_cols(i) | (i->flags & IRF_X ? TG_COMMIT : 0);
        t->count = i->src[0].n > 2 ? i->src[0].n : 0;
        break;
    case OP_USETMAXREG: t->imm = i->src[0].val; break;
    case OP_MBAR: t->imm = object_op(i); break;
    case OP_BULK: t->imm = bulk_op(i); break;
    case OP_BULKGRP:
        t->imm = i->sub == BULKGRP_COMMIT ? TT_COMMIT : TT_WAIT | ((uint32_t)i->off & TT_GROUPS);
        break;
    default: break;
    }
}

/* The mnemonics of all instructions, one line each: what the printer writes before the first operand. */
static char *mnemonics(const struct code *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (uint32_t k = 0; k < c->n; k++) {
        struct ir_insn i = c->insns[k];
        i.guard = ir_none();
        ir_print_insn(f, NULL, &i);
        fputc('\n', f);
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

static void name_insns(struct tr_kernel *k, const struct code *c)
{
    char *text = mnemonics(c), *p = text;
    for (uint32_t at = 0; at < k->n; at++) {
        size_t line = p ? strcspn(p, "\n") : 0, n = p ? strcspn(p, " \n") : 0;
        k->insns[at].text = arena_strndup(&k->arena, p ? p : "", n);
        p = p ? p + line + 1 : NULL;
    }
    free(text);
}

static uint32_t codes_of(const struct sass_ctl *c)
{
    return c->stall | (uint32_t)c->yield << 4 | (uint32_t)c->wbar << 5 | (uint32_t)c->rbar << 8 |
           (uint32_t)c->wait << 11 | (uint32_t)c->reuse << 17;
}

/* NVIDIA's code by its own names, which also say what kind of instruction it is. */
static void name_sass(struct tr_kernel *k, const struct code *c)
{
    k->arch = c->sass->arch;
    k->coded = true;
    for (uint32_t at = 0; at < k->n; at++) {
        struct sass_insn i;
        char text[SASS_TEXT_B], why[SASS_TEXT_B];
        const uint64_t *w = c->sass->words + 2 * (size_t)at;
        if (!sass_decode(c->sass->arch, w[0], w[1], &i, why, sizeof why)) {
            i = (struct sass_insn){.ctl = {.stall = 1, .wbar = TR_CTL_NONE, .rbar = TR_CTL_NONE}};
            snprintf(text, sizeof text, "NOP"); /* not met: such code is not translated */
        } else {
            sass_print(text, sizeof text, &i, 16 * (uint64_t)at, NULL, NULL);
        }
        k->insns[at].ctl = codes_of(&i.ctl);
        const char *name = text[0] == '@' ? text + strcspn(text, " ") + 1 : text;
        k->insns[at].text = arena_strndup(&k->arena, name, strcspn(name, " ;"));
        k->insns[at].cls = (uint8_t)sass_class(k->insns[at].text);
    }
}

/* A block without instructions is not kept: whoever goes there goes to the one behind it. to[b]: the new number. */
static uint32_t number_blocks(const struct code *c, uint32_t *to)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < c->nblocks; b++) {
        to[b] = n;
        n += c->blocks[b].n > 0;
    }
    for (uint32_t b = c->nblocks; b-- > 0;) {
        if (to[b] == n)
            to[b] = UINT32_MAX;
    }
    return n;
}

/* Once each: a branch table may name a block many times. seen[s]: 1 + the last block that had successor s. */
static void add_succ(struct tr_block *t, uint32_t succ, uint32_t *seen, uint32_t self)
{
    if (succ == UINT32_MAX || seen[succ] == self + 1)
        return;
    seen[succ] = self + 1;
    t->succ[t->nsucc++] = succ;
}

static void copy_blocks(struct tr_kernel *k, const struct code *c)
{
    uint32_t *to = xcalloc(c->nblocks + 1, sizeof *to), *seen = xcalloc(c->nblocks + 1, sizeof *seen);
    k->nblocks = number_blocks(c, to);
    k->blocks = ARENA_ARRAY(&k->arena, struct tr_block, k->nblocks + 1);
    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct code_block *from = &c->blocks[b];
        if (!from->n)
            continue;
        struct tr_block *t = &k->blocks[to[b]];
        *t = (struct tr_block){.start = from->start,
                               .n = from->n,
                               .ipdom = from->ipdom == UINT32_MAX ? UINT32_MAX : to[from->ipdom]};
        t->succ = ARENA_ARRAY(&k->arena, uint32_t, from->nsucc + 1);
        for (uint32_t s = 0; s < from->nsucc; s++)
            add_succ(t, to[from->succ[s]], seen, to[b]);
    }
    free(to);
    free(seen);
}

static const char *copy_text(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : "";
}

struct tr_kernel *tr_kernel_from_code(const struct code *c)
{
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = copy_text(&k->arena, c->name);
    k->file = copy_text(&k->arena, c->file);
    k->n = c->n;
    k->regs = c->regs;
    k->shared_b = c->shared_b;
    k->local_b = c->local_b;
    k->spill_insns = c->spill_loads + c->spill_stores;
    k->insns = ARENA_ARRAY(&k->arena, struct tr_insn, c->n + 1);
    for (uint32_t at = 0; at < c->n; at++) {
        const struct ir_insn *i = &c->insns[at];
        struct tr_insn *t = &k->insns[at];
        t->cls = (uint8_t)tr_class_of(i);
        t->line = i->line;
        t->pc = at * INSN_B;
        operands(t, i, c->sass);
        memory(t, i);
        control(t, c, i);
    }
    if (c->sass)
        name_sass(k, c);
    else
        name_insns(k, c);
    copy_blocks(k, c);
    return k;
}
