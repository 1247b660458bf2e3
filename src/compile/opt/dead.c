/* SPDX-License-Identifier: Apache-2.0 */
/* Drops what nobody reads: marks what has an effect and everything it needs, sweeps the rest. Unlike a count of uses this
 * also sees values that only feed themselves round a loop, such as the upper words of pointers into shared memory, which
 * clang keeps in 64 bits although an address there has 32. For that, the two words of a copied pair count apart. */
#include "compile/passes.h"

struct def_list { /* the instructions that write one word or predicate */
    uint32_t insn;
    uint8_t word; /* of the instruction's result */
    struct def_list *next;
};

enum { ALL = 0xff };

struct dead {
    struct arena arena;
    struct ir_fn *fn;
    uint32_t *first_word; /* by virtual register; predicates come after all words */
    uint32_t preds;
    struct def_list **defs; /* by word; NULL once it is known to be needed */
    struct ir_insn **insns;
    uint8_t *live; /* by instruction: the words of its result that are needed, or ALL */
    uint32_t *todo, ntodo;
};

bool dead_has_effect(const struct ir_fn *fn, const struct ir_insn *i)
{
    uint8_t f = ir_ops[i->op].flags;
    if ((f & (OPF_SIDE | OPF_CTL | OPF_SYNC)) || i->order != ORD_WEAK || i->op == OP_NOP)
        return true;
    for (unsigned k = 0; k < 2; k++)
        if (i->dst[k].kind == OPND_REG && fn->vregs.at[i->dst[k].val].fixed)
            return true;
    return false;
}

/* The words of o: from *at on. */
static unsigned words_of(const struct dead *d, const struct ir_opnd *o, uint32_t *at)
{
    if (o->kind == OPND_REG) {
        *at = d->first_word[o->val] + o->sub;
        return o->n;
    }
    if (o->kind != OPND_PRED || o->val < VPRED0)
        return 0;
    *at = d->preds + o->val - VPRED0;
    return 1;
}

static bool is_pair_copy(const struct ir_insn *i)
{
    return i->op == OP_MOV && i->dst[0].kind == OPND_REG && i->dst[0].n == 2 && i->src[0].kind == OPND_REG &&
           i->src[0].n == 2;
}

/* An instruction waits at most twice to be looked at: once for each word of a pair. */
static void mark(struct dead *d, uint32_t insn, unsigned word)
{
    uint8_t bits = is_pair_copy(d->insns[insn]) && word != ALL ? (uint8_t)(1u << word) : ALL;
    if ((d->live[insn] & bits) == bits)
        return;
    d->live[insn] |= bits;
    d->todo[d->ntodo++] = insn;
}

static void need(struct dead *d, const struct ir_opnd *o)
{
    uint32_t at = 0;
    for (unsigned n = words_of(d, o, &at); n-- > 0; at++) {
        for (const struct def_list *x = d->defs[at]; x; x = x->next)
            mark(d, x->insn, x->word);
        d->defs[at] = NULL;
    }
}

static void number(struct dead *d)
{
    struct ir_fn *fn = d->fn;
    uint32_t nwords = 0, ninsns = 0;
    d->first_word = ARENA_ARRAY(&d->arena, uint32_t, fn->vregs.n + 1);
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        d->first_word[v] = nwords;
        nwords += fn->vregs.at[v].n;
    }
    d->preds = nwords;
    vec_each (&fn->blocks, b)
        ninsns += b->insns.n;
    d->defs = ARENA_ARRAY(&d->arena, struct def_list *, nwords + fn->npreds + 1);
    d->insns = ARENA_ARRAY(&d->arena, struct ir_insn *, ninsns + 1);
    d->live = ARENA_ARRAY(&d->arena, uint8_t, ninsns + 1);
    d->todo = ARENA_ARRAY(&d->arena, uint32_t, 2 * ninsns + 1);
    uint32_t n = 0;
    vec_each (&fn->blocks, b)
        for (uint32_t k = 0; k < b->insns.n; k++, n++) {
            d->insns[n] = &b->insns.at[k];
            ir_each_dst (d->insns[n], o) {
                uint32_t at = 0;
                for (unsigned w = 0, end = words_of(d, o, &at); w < end; w++, at++) {
                    struct def_list *x = ARENA_NEW(&d->arena, struct def_list);
                    *x = (struct def_list){n, (uint8_t)w, d->defs[at]};
                    d->defs[at] = x;
                }
            }
        }
    for (uint32_t k = 0; k < ninsns; k++)
        if (dead_has_effect(d->fn, d->insns[k]))
            mark(d, k, ALL);
}

/* A copy of which one word is needed. */
static void halve(struct ir_insn *i, unsigned word)
{
    i->dst[0] = ir_reg(i->dst[0].val, i->dst[0].sub + word, 1);
    i->src[0] = ir_reg(i->src[0].val, i->src[0].sub + word, 1);
}

static bool sweep(struct dead *d)
{
    uint32_t n = 0;
    bool any = false;
    vec_each (&d->fn->blocks, b) {
        uint32_t keep = 0;
        for (uint32_t k = 0; k < b->insns.n; k++, n++) {
            if (!d->live[n])
                continue;
            b->insns.at[keep] = b->insns.at[k];
            if (is_pair_copy(&b->insns.at[keep]) && (d->live[n] == 1 || d->live[n] == 2)) {
                halve(&b->insns.at[keep], d->live[n] - 1u);
                any = true;
            }
            keep++;
        }
        any |= keep < b->insns.n;
        b->insns.n = keep;
    }
    return any;
}

bool pass_dead(struct ir_fn *fn)
{
    struct dead d = {.fn = fn};
    number(&d);
    while (d.ntodo) {
        uint32_t n = d.todo[--d.ntodo];
        const struct ir_insn *i = d.insns[n];
        need(&d, &i->guard);
        if (is_pair_copy(i) && d.live[n] < 3) {
            struct ir_opnd half = ir_reg(i->src[0].val, i->src[0].sub + d.live[n] - 1u, 1);
            need(&d, &half);
            continue;
        }
        for (unsigned k = 0; k < 6; k++)
            need(&d, &i->src[k]);
    }
    bool any = sweep(&d);
    arena_free(&d.arena);
    return any;
}
