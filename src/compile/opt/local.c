/* SPDX-License-Identifier: Apache-2.0 */
/* Constants inside a block: a register that was last given an immediate or a constant of a bank above, in the same block, is that
 * constant for its readers, however many other definitions it has (accumulators that start at zero have several). Where a
 * constant must stand in a register, those who come later in the block read the first one. */
#include "compile/opt/local.h"

#include "compile/opt/legal.h"

struct known {
    /* A constant, or the register that has held the value since earlier in the block; kind NONE: not known. */
    struct ir_opnd value;
    uint32_t block; /* in which it is known, plus one */
};

enum { HOMES = 8 };

struct local {
    const struct defs *d;
    struct known *words; /* numbered as the definitions' */
    struct {
        struct ir_opnd value;
        uint32_t vreg, block;
    } homes[HOMES]; /* registers that hold constants, and the block that made them, plus one */
    uint32_t next_home, block;
    bool changed;
};

static struct known *known_of(const struct local *l, const struct ir_opnd *o)
{
    return &l->words[l->d->first[o->val] + o->sub];
}

static void read_source(struct local *l, struct ir_insn *i, unsigned k)
{
    struct ir_opnd *s = &i->src[k];
    if (s->kind != OPND_REG || s->n != 1 || s->neg || s->abs)
        return;
    const struct known *x = known_of(l, s);
    if (x->block != l->block + 1 || x->value.kind == OPND_NONE || !legal_src(i, k, &x->value))
        return;
    *s = x->value;
    l->changed = true;
}

static bool is_constant_move(const struct ir_insn *i)
{
    const struct ir_opnd *d = &i->dst[0], *s = &i->src[0];
    return i->op == OP_MOV && !i->guard.kind && d->kind == OPND_REG && d->n == 1 && s->n == 1 && !s->neg &&
           !s->abs && (s->kind == OPND_CONST || (s->kind == OPND_IMM && s->val));
}

static void note_write(struct local *l, struct ir_insn *i)
{
    ir_each_dst (i, d)
        for (unsigned w = 0; d->kind == OPND_REG && w < d->n; w++) {
            struct ir_opnd o = ir_reg(d->val, d->sub + w, 1);
            known_of(l, &o)->block = 0;
        }
    if (is_constant_move(i) ||
        (i->op == OP_MOV && !i->guard.kind && i->dst[0].n == 1 && opnd_is_zero(&i->src[0])))
        *known_of(l, &i->dst[0]) = (struct known){i->src[0], l->block + 1};
}

/* A constant that a register of one word and one definition was given before in this block is read from there. */
static void share(struct local *l, const struct ir_insn *i)
{
    if (!is_constant_move(i) || defs_info(l->d, &i->dst[0])->ndefs != 1)
        return;
    const struct ir_opnd *s = &i->src[0];
    for (uint32_t k = 0; k < HOMES; k++) {
        const struct ir_opnd *v = &l->homes[k].value;
        if (l->homes[k].block == l->block + 1 && v->kind == s->kind && v->val == s->val && v->sub == s->sub) {
            *known_of(l, &i->dst[0]) = (struct known){ir_reg(l->homes[k].vreg, 0, 1), l->block + 1};
            return;
        }
    }
    if (l->d->fn->vregs.at[i->dst[0].val].n != 1)
        return;
    l->homes[l->next_home].value = *s;
    l->homes[l->next_home].vreg = i->dst[0].val;
    l->homes[l->next_home].block = l->block + 1;
    l->next_home = (l->next_home + 1) % HOMES;
}

bool local_constants(const struct defs *d)
{
    struct arena a = {0};
    struct local l = {.d = d, .words = ARENA_ARRAY(&a, struct known, d->nwords + 1)};
    for (; l.block < d->fn->blocks.n; l.block++)
        vec_each (&d->fn->blocks.at[l.block].insns, i) {
            for (unsigned k = 0; k < 6; k++)
                read_source(&l, i, k);
            note_write(&l, i);
            share(&l, i);
        }
    arena_free(&a);
    return l.changed;
}
