/* SPDX-License-Identifier: Apache-2.0 */
/* Both words of one product: mul.lo and mul.hi of the same factors, as random number generators and long arithmetic have them,
 * become one IMAD.WIDE. NVIDIA's assembler does so for every target; here only code for sm_90 is changed, because the stored
 * figures of the suite rest on code for sm_80. */
#include "compile/opt/defs.h"

enum { WINDOW = 64 }; /* instructions between the two, at most */

struct products {
    struct defs d;
    uint32_t *wide_of; /* by virtual register: 1 + 2 * the pair that stands for it + which word; 0: itself */
};

static bool same_factor(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == b->kind && a->val == b->val && a->sub == b->sub && a->n == b->n && a->neg == b->neg &&
           a->abs == b->abs;
}

/* A product alone whose only word is written here and nowhere else. */
static bool is_product(const struct products *p, const struct ir_insn *i, enum ir_op op, uint32_t block,
                       uint32_t at)
{
    if (i->op != op || i->flags || i->guard.kind || i->dst[1].kind || !opnd_is_zero(&i->src[2]) ||
        i->dst[0].kind != OPND_REG || i->src[0].neg || i->src[1].neg)
        return false;
    const struct ir_vreg *v = &p->d.fn->vregs.at[i->dst[0].val];
    return !v->fixed && !v->acc && v->n == 1 && defs_info(&p->d, &i->dst[0])->ndefs == 1 &&
           defs_stable(&p->d, &i->src[0], block, at) && defs_stable(&p->d, &i->src[1], block, at) &&
           !p->wide_of[i->dst[0].val];
}

static bool same_product(const struct ir_insn *a, const struct ir_insn *b)
{
    return (same_factor(&a->src[0], &b->src[0]) && same_factor(&a->src[1], &b->src[1])) ||
           (same_factor(&a->src[0], &b->src[1]) && same_factor(&a->src[1], &b->src[0]));
}

/* The low word's instruction for the high word's at `at`; block->insns.n: there is none. */
static uint32_t find_low(const struct products *p, const struct ir_block *b, uint32_t block, uint32_t at)
{
    uint32_t from = at > WINDOW ? at - WINDOW : 0, to = at + WINDOW < b->insns.n ? at + WINDOW : b->insns.n;
    for (uint32_t k = from; k < to; k++)
        if (is_product(p, &b->insns.at[k], OP_IMAD, block, k) &&
            same_product(&b->insns.at[at], &b->insns.at[k]))
            return k;
    return b->insns.n;
}

static void join(struct products *p, struct ir_block *b, uint32_t high, uint32_t low)
{
    struct ir_insn *h = &b->insns.at[high], *l = &b->insns.at[low], *first = high < low ? h : l;
    uint32_t pair = ir_vreg(p->d.fn, 2, NULL);
    p->wide_of[h->dst[0].val] = 2 + 2 * pair;
    p->wide_of[l->dst[0].val] = 1 + 2 * pair;
    struct ir_insn wide = *h;
    wide.op = OP_IMAD_WIDE;
    wide.dst[0] = ir_reg(pair, 0, 2);
    wide.line = first->line;
    *h = *l = (struct ir_insn){.op = OP_NOP, .line = l->line};
    *first = wide;
}

static void read_pair(const struct products *p, uint32_t known, struct ir_opnd *o)
{
    if (o->kind != OPND_REG || o->val >= known || !p->wide_of[o->val])
        return;
    uint32_t w = p->wide_of[o->val] - 1;
    o->val = w / 2;
    o->sub = (uint8_t)(w % 2);
}

bool pass_products(struct ir_fn *fn)
{
    struct products p = {0};
    bool any = false;
    defs_build(&p.d, fn);
    uint32_t known = fn->vregs.n;
    p.wide_of = ARENA_ARRAY(&p.d.arena, uint32_t, known + 1);
    for (uint32_t r = 0; r < p.d.c->nrpo; r++) {
        struct ir_block *b = &fn->blocks.at[p.d.c->rpo[r]];
        for (uint32_t at = 0; at < b->insns.n; at++) {
            if (b->insns.at[at].op != OP_IMAD_HI ||
                !is_product(&p, &b->insns.at[at], OP_IMAD_HI, p.d.c->rpo[r], at))
                continue;
            uint32_t low = find_low(&p, b, p.d.c->rpo[r], at);
            if (low == b->insns.n)
                continue;
            join(&p, b, at, low);
            any = true;
        }
    }
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            ir_each_src (i, s)
                read_pair(&p, known, s);
    defs_free(&p.d);
    return any;
}
