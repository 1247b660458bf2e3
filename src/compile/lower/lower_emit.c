/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/lower/lower.h"
#include "compile/opt/legal.h"

#include <stdarg.h>

opnd tmp(struct lower *L, unsigned words) { return ir_reg(ir_vreg(L->fn, words, NULL), 0, words); }

opnd tmp_pred(struct lower *L) { return ir_pred(ir_vpred(L->fn), false); }

opnd word(opnd o, unsigned w)
{
    switch (o.kind) {
    case OPND_REG: return ir_reg(o.val, o.sub + w, 1);
    case OPND_CONST: return ir_const(o.sub, o.val + 4 * w, 1);
    case OPND_IMM: /* two words: the high word of a double */
        return o.n == 2 ? imm(w ? o.val : 0) : imm(w ? 0 : o.val);
    default: return o;
    }
}

static bool is_tmp(const struct lower *L, const opnd *o)
{
    if (o->kind == OPND_REG)
        return o->val >= L->first_tmp;
    return o->kind == OPND_NONE || o->val == PRED_PT || o->val >= L->first_tmp_pred;
}

static bool needs_guard(const struct lower *L, const struct ir_insn *i)
{
    return ir_ops[i->op].flags || !is_tmp(L, &i->dst[0]) || !is_tmp(L, &i->dst[1]);
}

static struct ir_insn *push(struct lower *L, struct ir_insn i)
{
    struct ir_block *b = &L->fn->blocks.at[L->cur];
    vec_push(&b->insns, i);
    return &b->insns.at[b->insns.n - 1];
}

static void legalise(struct lower *L, struct ir_insn *i)
{
    if (!legal_src(i, 0, &i->src[0]) && legal_commutes(i)) {
        opnd t = i->src[0];
        i->src[0] = i->src[1];
        i->src[1] = t;
    }
    for (unsigned k = 0; k < 6; k++) {
        opnd o = i->src[k];
        if (legal_src(i, k, &o))
            continue;
        bool n = o.neg, a = o.abs;
        o.neg = o.abs = 0;
        o = mov_tmp(L, o);
        o.neg = n;
        o.abs = a;
        i->src[k] = o;
    }
}

struct ir_insn *emit_insn(struct lower *L, struct ir_insn i)
{
    i.line = L->in ? L->line : 0;
    legalise(L, &i);
    if (i.guard.kind == OPND_NONE && L->guard.kind && needs_guard(L, &i))
        i.guard = L->guard;
    return push(L, i);
}

struct ir_insn *emit(struct lower *L, enum ir_op op, enum ir_type type, opnd d, opnd a, opnd b, opnd c)
{
    return emit_insn(
        L, (struct ir_insn){.op = (uint8_t)op, .type = (uint8_t)type, .dst = {d}, .src = {a, b, c}});
}

void mov(struct lower *L, opnd d, opnd s)
{
    if (s.kind == OPND_REG) {
        bool same = d.val == s.val && d.sub == s.sub && !s.neg && !s.abs;
        if (same) /* a second definition would hide the first */
            return;
        s.n = d.n;
        emit(L, OP_MOV, T_U32, d, s, NONE_OPND, NONE_OPND);
        return;
    }
    for (unsigned w = 0; w < d.n; w++)
        emit(L, OP_MOV, T_U32, word(d, w), word(s, w), NONE_OPND, NONE_OPND);
}

opnd mov_tmp(struct lower *L, opnd o)
{
    opnd t = tmp(L, o.n);
    mov(L, t, o);
    return t;
}

opnd to_reg(struct lower *L, opnd o) { return o.kind == OPND_REG && !o.neg && !o.abs ? o : mov_tmp(L, o); }

opnd pair(struct lower *L, opnd lo, opnd hi) { return tuple(L, (opnd[]){lo, hi}, 2); }

opnd tuple(struct lower *L, const opnd *w, unsigned n)
{
    opnd t = tmp(L, n);
    for (unsigned k = 0; k < n; k++)
        mov(L, word(t, k), w[k]);
    return t;
}

uint32_t label_new(struct lower *L)
{
    vec_push(&L->label_block, UINT32_MAX);
    return L->label_block.n - 1;
}

void label_place(struct lower *L, uint32_t label)
{
    const char *name = label < L->f->labels.n ? L->f->labels.at[label].name : NULL;
    if (L->fn->blocks.at[L->cur].insns.n || L->fn->blocks.at[L->cur].label)
        L->cur = ir_block_new(L->fn, name, L->in ? L->line : 0);
    else
        L->fn->blocks.at[L->cur].label = name;
    L->label_block.at[label] = L->cur;
}

void branch(struct lower *L, uint32_t label, opnd guard)
{
    push(L, (struct ir_insn){.op = OP_BRA, .guard = guard, .target = label, .line = L->in ? L->line : 0});
    L->cur = ir_block_new(L->fn, NULL, L->in ? L->line : 0);
}

bool lower_fail(struct lower *L, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (L->in)
        ptx_error(L->m, L->d, L->in->line, L->in->col, "%s", text);
    else
        ptx_error(L->m, L->d, L->f->line, 1, "%s", text);
    L->failed = true;
    return false;
}
