/* SPDX-License-Identifier: Apache-2.0 */
/* Four products of bytes that are added up, each of the same byte of the same two words: one dot product (IDP.4A). nvcc makes it
 * of plain products of a char4's members. Only for sm_90: the stored figures of the suite rest on code for sm_80. */
#include "compile/lower/lower.h"
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"

enum { BYTES = 4 };

struct byte {
    struct ir_opnd word;
    uint32_t at; /* 0: the lowest */
    bool sign;
};

struct dots {
    struct defs d;
    uint32_t block, at; /* of the last product */
};

static bool is_plain_word(const struct ir_opnd *o)
{
    return o->kind == OPND_REG && o->n == 1 && !o->neg && !o->abs;
}

static const struct ir_insn *made(const struct dots *x, const struct ir_opnd *o)
{
    const struct ir_insn *i = is_plain_word(o) ? defs_of(&x->d, o, x->block, x->at) : NULL;
    return i && !i->guard.kind && !i->dst[1].kind ? i : NULL;
}

static bool is_shift(const struct ir_insn *i)
{
    return i && i->op == OP_SHR && i->src[1].kind == OPND_IMM && i->src[1].val < 32 && i->src[1].val % 8 == 0;
}

/* Is the operand a byte of a word that still has its value at the last product? */
static bool byte_of(const struct dots *x, const struct ir_opnd *o, struct byte *b)
{
    const struct ir_insn *i = made(x, o), *shift = i;
    bool cut = i && i->op == OP_SGXT && i->src[1].kind == OPND_IMM && i->src[1].val == 8;
    bool masked = i && i->op == OP_LOP3 && i->lut == LUT_AND && i->src[1].kind == OPND_IMM &&
                  i->src[1].val == 0xff && opnd_is_zero(&i->src[2]);
    if (cut || masked) {
        shift = made(x, &i->src[0]);
        b->sign = cut && i->type == T_S32;
        b->word = is_shift(shift) ? shift->src[0] : i->src[0];
        b->at = is_shift(shift) ? shift->src[1].val / 8 : 0;
    } else if (is_shift(shift) && shift->src[1].val == 24) {
        b->sign = shift->type == T_S32;
        b->word = shift->src[0];
        b->at = 3;
    } else {
        return false;
    }
    return is_plain_word(&b->word) && defs_stable(&x->d, &b->word, x->block, x->at);
}

static bool is_product(const struct ir_insn *i)
{
    return i->op == OP_IMAD && !i->flags && !i->guard.kind && !i->dst[1].kind && i->dst[0].n == 1 &&
           is_plain_word(&i->src[0]) && is_plain_word(&i->src[1]) && !i->src[2].neg && !i->src[2].abs;
}

static bool same_word(const struct byte *a, const struct byte *b)
{
    return a->word.val == b->word.val && a->word.sub == b->word.sub && a->sign == b->sign;
}

/* Does nobody write o from instruction `from` of the block up to the last product? */
static bool is_kept(const struct dots *x, const struct ir_opnd *o, uint32_t from)
{
    const struct ir_block *b = &x->d.fn->blocks.at[x->block];
    for (uint32_t at = from; o->kind == OPND_REG && at < x->at; at++)
        for (unsigned k = 0; k < 2; k++) {
            const struct ir_opnd *d = &b->insns.at[at].dst[k];
            if (d->kind == OPND_REG && d->val == o->val && d->sub < o->sub + o->n && o->sub < d->sub + d->n)
                return false;
        }
    return true;
}

static bool dot_of(const struct dots *x, struct ir_insn *last)
{
    const struct ir_insn *i = last;
    struct byte first[2] = {0}, now[2];
    uint32_t found = 0, from = x->at;
    for (unsigned n = 0; n < BYTES; n++) {
        if (n) {
            const struct ir_opnd *sum = &i->src[2];
            i = made(x, sum);
            if (!i || defs_info(&x->d, sum)->nuses != 1 || defs_info(&x->d, sum)->block != x->block)
                return false;
            from = defs_info(&x->d, sum)->at;
        }
        if (!is_product(i) || !byte_of(x, &i->src[0], &now[0]) || !byte_of(x, &i->src[1], &now[1]) ||
            now[0].at != now[1].at || found >> now[0].at & 1)
            return false;
        found |= 1u << now[0].at;
        if (n == 0) {
            first[0] = now[0];
            first[1] = now[1];
        }
        bool straight = same_word(&now[0], &first[0]) && same_word(&now[1], &first[1]),
             crossed = same_word(&now[0], &first[1]) && same_word(&now[1], &first[0]);
        if (!straight && !crossed)
            return false;
    }
    struct ir_insn dot = {.op = OP_IDP, .dst = {last->dst[0]}, .line = last->line};
    dot.type = first[0].sign ? T_S32 : T_U32;
    dot.stype = first[1].sign ? T_S32 : T_U32;
    dot.src[0] = first[0].word;
    dot.src[1] = first[1].word;
    dot.src[2] = i->src[2];
    if (!is_kept(x, &dot.src[2], from) || !legal_src(&dot, 2, &dot.src[2]))
        return false;
    *last = dot;
    return true;
}

static bool has_bytes(const struct ir_fn *fn)
{
    uint32_t products = 0, bytes = 0;
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            products += i->op == OP_IMAD;
            bytes += i->op == OP_SGXT || i->op == OP_LOP3;
        }
    return products >= BYTES && bytes >= BYTES;
}

bool pass_dots(struct ir_fn *fn)
{
    struct dots x = {0};
    bool any = false;
    if (!has_bytes(fn))
        return false;
    defs_build(&x.d, fn);
    for (uint32_t r = 0; r < x.d.c->nrpo; r++) {
        x.block = x.d.c->rpo[r];
        struct ir_block *b = &fn->blocks.at[x.block];
        for (x.at = b->insns.n; x.at-- > 0;)
            if (b->insns.at[x.at].op == OP_IMAD)
                any |= dot_of(&x, &b->insns.at[x.at]);
    }
    defs_free(&x.d);
    return any;
}
