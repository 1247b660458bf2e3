/* SPDX-License-Identifier: Apache-2.0 */
/* Tuples of the same words are one. Lowering makes a tuple of registers for every instruction that reads several words as one
 * operand; a fragment that many tensor instructions read would be copied for each, and copies that are alive together cannot all
 * vanish into what they are copied from. Within a block, a tuple that is written once and all of whose words are copies is read
 * in place of later ones that were made of the same values. */
#include "compile/opt/defs.h"

enum { WORDS = 4, REMEMBERED = 64 };

/* A word: how often this block has written it so far; and what it is a copy of, of the writes before that one. */
struct word {
    uint32_t block; /* in which the rest holds, plus one */
    uint32_t writes;
    struct ir_opnd from; /* kind NONE: it is no copy */
    uint32_t from_writes;
};

struct made {
    uint32_t vreg, n;
    struct {
        uint32_t vreg, sub, writes;
    } words[WORDS];
};

struct tuples {
    const struct defs *d;
    struct word *words;
    struct made made[REMEMBERED]; /* a ring */
    uint32_t count, block;
    bool changed;
};

static struct word *word_at(struct tuples *t, uint32_t vreg, uint32_t sub)
{
    struct word *w = &t->words[t->d->first[vreg] + sub];
    if (w->block != t->block + 1)
        *w = (struct word){.block = t->block + 1};
    return w;
}

/* What the tuple was made of; false: not of copies in this block alone. */
static bool words_of(struct tuples *t, const struct ir_opnd *s, struct made *m)
{
    *m = (struct made){.vreg = s->val, .n = s->n};
    for (unsigned k = 0; k < s->n; k++) {
        struct ir_opnd o = ir_reg(s->val, k, 1);
        const struct word *w = word_at(t, s->val, k);
        if (w->from.kind != OPND_REG || defs_info(t->d, &o)->ndefs != 1)
            return false;
        m->words[k].vreg = w->from.val;
        m->words[k].sub = w->from.sub;
        m->words[k].writes = w->from_writes;
    }
    return true;
}

static bool same(const struct made *a, const struct made *b)
{
    return a->n == b->n && memcmp(a->words, b->words, sizeof a->words[0] * a->n) == 0;
}

static void read_source(struct tuples *t, struct ir_opnd *s)
{
    const struct ir_fn *fn = t->d->fn;
    struct made m;
    if (s->kind != OPND_REG || s->n < 2 || s->n > WORDS || s->sub || fn->vregs.at[s->val].n != s->n ||
        fn->vregs.at[s->val].fixed || !words_of(t, s, &m))
        return;
    uint32_t known = t->count < REMEMBERED ? t->count : REMEMBERED;
    for (uint32_t k = 0; k < known; k++) {
        if (!same(&t->made[k], &m))
            continue;
        t->changed |= t->made[k].vreg != s->val;
        s->val = t->made[k].vreg;
        return;
    }
    t->made[t->count++ % REMEMBERED] = m;
}

static void note_writes(struct tuples *t, struct ir_insn *i)
{
    struct ir_opnd from = {0};
    uint32_t from_writes = 0;
    if (i->op == OP_MOV && !i->guard.kind && i->dst[0].n == 1 && i->src[0].kind == OPND_REG &&
        i->src[0].n == 1 && !i->src[0].neg && !i->src[0].abs) {
        from = i->src[0];
        from_writes = word_at(t, from.val, from.sub)->writes;
    }
    ir_each_dst (i, d)
        for (unsigned k = 0; d->kind == OPND_REG && k < d->n; k++) {
            struct word *w = word_at(t, d->val, d->sub + k);
            w->writes++;
            w->from = from;
            w->from_writes = from_writes;
        }
}

void pass_tuples(struct ir_fn *fn)
{
    struct defs d;
    defs_build(&d, fn);
    struct tuples t = {.d = &d, .words = ARENA_ARRAY(&d.arena, struct word, d.nwords + 1)};
    for (; t.block < fn->blocks.n; t.block++) {
        t.count = 0;
        vec_each (&fn->blocks.at[t.block].insns, i) {
            for (unsigned k = 0; k < 6; k++)
                read_source(&t, &i->src[k]);
            note_writes(&t, i);
        }
    }
    defs_free(&d);
    if (t.changed)
        pass_dead(fn);
}
