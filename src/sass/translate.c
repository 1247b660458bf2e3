/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of NVIDIA's code as the executor runs it: each instruction becomes one, at the same index. */
#include "base/vec.h"
#include "sass/lower.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct ir_opnd operand(const struct sass_opnd *p, unsigned n)
{
    struct ir_opnd o = {0};
    switch (p->kind) {
    case SASS_REG: o = p->reg == SASS_RZ ? ir_imm(0) : ir_reg(p->reg, 0, n); break;
    case SASS_UREG: o = p->reg == SASS_RZ ? ir_imm(0) : ir_reg(REG_U0 + p->reg, 0, n); break;
    case SASS_PRED: return ir_pred(p->reg, p->inv);
    case SASS_UPRED: return ir_pred(p->reg == SASS_PT ? PRED_PT : PRED_U0 + (unsigned)p->reg, p->inv);
    case SASS_IMM: o = ir_imm((uint32_t)p->imm); break;
    case SASS_CONST: o = ir_const(p->bank, (uint32_t)p->imm, n); break;
    default: return o;
    }
    o.n = (uint8_t)n;
    o.neg = p->neg || p->inv;
    o.abs = p->abs;
    return o;
}

struct ir_opnd lower_src(const struct lower *l, unsigned k, unsigned n)
{
    return operand(&l->in->opnd[k], n);
}

/* What goes to RZ or PT goes nowhere. */
struct ir_opnd lower_dst(const struct lower *l, unsigned k, unsigned n)
{
    const struct sass_opnd *p = &l->in->opnd[k];
    bool pred = p->kind == SASS_PRED || p->kind == SASS_UPRED;
    return p->reg == (pred ? SASS_PT : SASS_RZ) ? ir_none() : operand(p, n);
}

bool lower_always(const struct lower *l, unsigned k)
{
    return l->in->opnd[k].reg == SASS_PT && !l->in->opnd[k].inv;
}
bool lower_never(const struct lower *l, unsigned k)
{
    return l->in->opnd[k].reg == SASS_PT && l->in->opnd[k].inv;
}

void lower_prep(struct lower *l, unsigned src, enum ir_prep how)
{
    l->out->prep = (uint16_t)(l->out->prep | (unsigned)how << 4 * src);
}

bool lower_refuse(struct lower *l, const char *why)
{
    l->bad = why;
    return false;
}

static bool lower_one(struct lower *l)
{
    static bool (*const parts[])(struct lower *) = {lower_float,   lower_int,  lower_convert, lower_memory,
                                                    lower_control, lower_warp, lower_tensor};
    if (!sass_is_whole(l->in))
        return lower_refuse(l, "bits of its encoding are not known");
    *l->out = (struct ir_insn){.line = l->k->lines ? l->k->lines[l->at] : 0};
    if (l->in->guard.kind != SASS_NONE)
        l->out->guard = operand(&l->in->guard, 1);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        if (parts[p](l))
            return true;
        if (l->bad)
            return false;
    }
    return false;
}

/* Instructions at which a block begins. */
static unsigned char *find_leaders(const struct code *c)
{
    unsigned char *lead = xcalloc(c->n + 1, 1);
    lead[0] = 1;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct ir_insn *i = &c->insns[k];
        if (i->op == OP_BRA && i->target < c->n)
            lead[i->target] = 1;
        if (ir_ops[i->op].flags & OPF_CTL && i->op != OP_BSYNC)
            lead[k + 1] = 1;
    }
    return lead;
}

/* Blocks and where they go. After a jump whose target is a register, anything that a branch names may follow: no successor
 * is told. */
static void build_blocks(struct code *c)
{
    unsigned char *lead = find_leaders(c);
    uint32_t *block_of = arena_alloc(&c->arena, c->n * sizeof *block_of);
    for (uint32_t k = 0; k < c->n; k++) {
        c->nblocks += lead[k];
        block_of[k] = c->nblocks - 1;
    }
    c->blocks = arena_alloc(&c->arena, c->nblocks * sizeof *c->blocks);
    for (uint32_t k = 0; k < c->n; k++) {
        struct code_block *b = &c->blocks[block_of[k]];
        if (lead[k])
            *b = (struct code_block){.start = k, .ipdom = UINT32_MAX};
        b->n++;
    }
    for (uint32_t n = 0; n < c->nblocks; n++) {
        struct code_block *b = &c->blocks[n];
        const struct ir_insn *last = &c->insns[b->start + b->n - 1];
        bool ends = ir_is_terminator(last) || (last->op == OP_JMP && last->guard.kind == OPND_NONE);
        if (last->op == OP_BRA && last->src[0].kind != OPND_NONE)
            ends = false;
        b->succ = arena_alloc(&c->arena, 2 * sizeof *b->succ);
        if (last->op == OP_BRA && last->target < c->n)
            b->succ[b->nsucc++] = block_of[last->target];
        if (!ends && n + 1 < c->nblocks && !(b->nsucc && b->succ[0] == n + 1))
            b->succ[b->nsucc++] = n + 1;
    }
    free(lead);
}

static struct code *new_code(const struct sass_kernel *k)
{
    struct code *c = xcalloc(1, sizeof *c);
    struct code_sass *s = arena_alloc(&c->arena, sizeof *s);
    *s = (struct code_sass){.arch = k->arch,
                            .param_off = k->param_off,
                            .text_addr = k->text_addr,
                            .words = k->words,
                            .system_shared_b = k->system_shared_b};
    _Static_assert((int)CODE_BANKS == (int)SASS_BANKS, "the code's banks are the kernel's");
    for (unsigned b = 0; b < SASS_BANKS; b++) {
        s->bank[b] = k->bank[b];
        s->bank_b[b] = k->bank_b[b];
    }
    c->sass = s;
    c->name = arena_strndup(&c->arena, k->name, strlen(k->name));
    c->file = k->file ? arena_strndup(&c->arena, k->file, strlen(k->file)) : NULL;
    c->n = c->static_insns = k->n;
    c->insns = arena_alloc(&c->arena, k->n * sizeof *c->insns);
    c->param_b = k->param_b;
    c->nparams = k->nparams;
    c->params = arena_alloc(&c->arena, (k->nparams + 1) * sizeof *c->params);
    if (k->nparams)
        memcpy(c->params, k->params, k->nparams * sizeof *c->params);
    c->regs = k->regs < 2 ? 2 : k->regs > MAX_REGS ? MAX_REGS : k->regs;
    c->shared_b = k->shared_b;
    c->dyn_align = 16;
    c->local_b = k->local_b;
    c->nbars = REG_BAR - REG_B0;
    c->maxntid = k->maxntid;
    c->minnctapersm = k->minnctapersm;
    memcpy(c->reqntid, k->reqntid, sizeof c->reqntid);
    memcpy(c->cluster, k->cluster, sizeof c->cluster);
    c->max_cluster = k->max_cluster;
    c->explicit_cluster = k->explicit_cluster;
    c->funcs = arena_alloc(&c->arena, sizeof *c->funcs);
    c->nfuncs = 1;
    c->funcs[0] = (struct code_func){.name = c->name, .regs = c->regs, .frame_b = c->local_b};
    return c;
}

bool sass_executes(const struct sass_insn *i, char *why, size_t why_b)
{
    const struct sass_kernel anywhere = {.arch = i->arch, .n = 1u << 30};
    struct ir_insn out;
    struct lower l = {.k = &anywhere, .in = i, .out = &out, .at = 1u << 26};
    bool ok = lower_one(&l);
    if (!ok)
        snprintf(why, why_b, "%s", l.bad ? l.bad : "this form is not executed");
    return ok;
}

struct code *sass_translate(const struct sass_kernel *k, char *why, size_t why_b)
{
    struct code *c = new_code(k);
    unsigned char *is_call = xcalloc(k->n + 1, 1);
    char reason[SASS_TEXT_B], text[SASS_TEXT_B];
    for (uint32_t at = 0; at < k->n; at++) {
        uint64_t lo = k->words[2 * at], hi = k->words[2 * at + 1];
        struct sass_insn in;
        struct lower l = {.k = k, .in = &in, .out = &c->insns[at], .at = at};
        bool known = sass_decode(k->arch, lo, hi, &in, reason, sizeof reason);
        if (known && in.row->op == S_USETMAXREG && in.opnd[1].imm > c->regs_later &&
            in.opnd[1].imm <= MAX_REGS)
            c->regs_later = (uint32_t)in.opnd[1].imm;
        is_call[at] = known && in.row->op == S_CALL;
        if (known && lower_one(&l))
            continue;
        if (known)
            sass_print(text, sizeof text, &in, 16 * (uint64_t)at, NULL, NULL);
        snprintf(why, why_b, "%s: instruction %u (0x%016" PRIx64 " 0x%016" PRIx64 "), %s: %s", k->name, at,
                 lo, hi, known ? text : "not known",
                 known ? (l.bad ? l.bad : "this form is not executed") : reason);
        free(is_call);
        code_free(c);
        return NULL;
    }
    build_blocks(c);
    if (c->local_b < SASS_STACK_B && sass_stack_is_open(c, is_call))
        c->local_b = SASS_STACK_B;
    free(is_call);
    c->funcs[0].nblocks = c->nblocks;
    c->funcs[0].frame_b = c->local_b;
    return c;
}
