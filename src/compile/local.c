/* Constants inside a block: a register that was last given an immediate or a constant of a bank above, in the same block, is that
 * constant for its readers, however many other definitions it has (accumulators that start at zero have several). */
#include "compile/legal.h"
#include "compile/passes.h"

struct known {
    struct ir_opnd value; /* kind NONE: not a constant */
    uint32_t block;       /* in which it is known, plus one */
};

struct local {
    struct ir_fn *fn;
    uint32_t *first; /* by virtual register: its first word */
    struct known *words;
    uint32_t block;
    bool changed;
};

static struct known *known_of(const struct local *l, const struct ir_opnd *o) { return &l->words[l->first[o->val] + o->sub]; }

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

static void note_write(struct local *l, struct ir_insn *i)
{
    ir_each_dst (i, d)
        for (unsigned w = 0; d->kind == OPND_REG && w < d->n; w++) {
            struct ir_opnd o = ir_reg(d->val, d->sub + w, 1);
            known_of(l, &o)->block = 0;
        }
    const struct ir_opnd *d = &i->dst[0], *s = &i->src[0];
    bool constant = s->kind == OPND_CONST || s->kind == OPND_IMM;
    if (i->op == OP_MOV && !i->guard.kind && d->kind == OPND_REG && d->n == 1 && s->n == 1 && constant && !s->neg && !s->abs)
        *known_of(l, d) = (struct known){*s, l->block + 1};
}

bool pass_local(struct ir_fn *fn)
{
    struct arena a = {0};
    struct local l = {.fn = fn, .first = ARENA_ARRAY(&a, uint32_t, fn->vregs.n + 1)};
    uint32_t n = 0;
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        l.first[v] = n;
        n += fn->vregs.at[v].n;
    }
    l.words = ARENA_ARRAY(&a, struct known, n + 1);
    for (; l.block < fn->blocks.n; l.block++)
        vec_each (&fn->blocks.at[l.block].insns, i) {
            for (unsigned k = 0; k < 6; k++)
                read_source(&l, i, k);
            note_write(&l, i);
        }
    arena_free(&a);
    return l.changed;
}
