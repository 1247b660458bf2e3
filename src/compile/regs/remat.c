/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are made early and used late: a size that was moved in front of a loop, a pointer among the parameters, the CTA's
 * first row. Each lies in a register across everything between, and where most words are alive it takes a place that costs warps.
 * Those that a few instructions make of constants and special registers (recipe.c) are made again in every block that uses them
 * instead, as long as that adds few instructions. (NVIDIA's assembler has most of them in the uniform registers that this machine
 * does not have, or makes them again.) */
#include "base/bitset.h"
#include "compile/regs/recipe.h"

enum {
    ENOUGH = 30, /* words: with so many every warp is resident */
    LOOP = 8,    /* a loop is taken for this many rounds */
    DEEPEST = 6,
    SHARE = 100, /* one instruction more for so many */
};

/* A virtual register of which every word can be made anywhere. */
struct value {
    uint32_t vreg;
    struct recipe word[4];
    uint32_t block; /* of its definitions */
    uint64_t *used; /* blocks with a use */
    double cost;    /* instructions more, if it is made again */
    bool wanted, again;
    /* In the block that is being rewritten: its register there, and its words that are made */
    uint32_t copy, have;
};

struct remat {
    struct defs d;
    struct ir_live *l;
    VEC(struct value) values;
    uint32_t *value_of; /* by virtual register: 1 + index, 0: none */
    int32_t *pressure;  /* by block */
    double *weight;     /* by block */
    double budget;
};

static bool find_value(const struct remat *x, struct value *v)
{
    const struct ir_vreg *r = &x->d.fn->vregs.at[v->vreg];
    const struct def *def = &x->d.words[x->d.first[v->vreg]];
    v->block = def->block;
    if (r->acc)
        return false;
    for (unsigned w = 0; w < r->n && !r->fixed; w++) {
        if (def[w].ndefs != 1 || def[w].block != def->block ||
            !recipe_find(&v->word[w], &x->d, ir_reg(v->vreg, w, 1), def[w].block, def[w].at + 1))
            return false;
    }
    return !r->fixed;
}

static void find_values(struct remat *x)
{
    struct ir_fn *fn = x->d.fn;
    x->value_of = ARENA_ARRAY(&x->d.arena, uint32_t, fn->vregs.n + 1);
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        struct value a = {.vreg = v};
        if (!find_value(x, &a))
            continue;
        a.used = ARENA_ARRAY(&x->d.arena, uint64_t, BITSET_WORDS(fn->blocks.n));
        vec_push(&x->values, a);
        x->value_of[v] = x->values.n;
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        vec_each (&fn->blocks.at[b].insns, i)
            ir_each_src (i, s)
                if (s->kind == OPND_REG && x->value_of[s->val])
                    bit_set(x->values.at[x->value_of[s->val] - 1].used, b);
}

static void weigh(struct remat *x)
{
    struct ir_fn *fn = x->d.fn;
    double all = 0;
    x->weight = ARENA_ARRAY(&x->d.arena, double, fn->blocks.n);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        x->weight[b] = 1;
        for (uint32_t d = 0; d < x->d.c->depth[b] && d < DEEPEST; d++)
            x->weight[b] *= LOOP;
        all += x->weight[b] * fn->blocks.at[b].insns.n;
    }
    x->budget = all / SHARE;
    vec_each (&x->values, v) {
        uint32_t price = 0, n = fn->vregs.at[v->vreg].n;
        for (unsigned w = 0; w < n; w++)
            price += v->word[w].price;
        bits_each (v->used, b, fn->blocks.n)
            v->cost += b == v->block ? 0 : x->weight[b] * price;
        v->cost -= bit_get(v->used, v->block) ? 0 : x->weight[v->block] * n;
    }
}

/* How many words fewer are alive everywhere in block b if the value is made again. */
static int32_t relief(const struct remat *x, const struct value *v, uint32_t b)
{
    int32_t n = 0;
    if (bit_get(v->used, b))
        return 0;
    for (unsigned w = 0; w < x->d.fn->vregs.at[v->vreg].n; w++) {
        uint32_t bit = x->l->first[v->vreg] + w;
        n += bit_get(x->l->out[b], bit) && (b == v->block || bit_get(x->l->in[b], bit));
    }
    return n;
}

/* The value to be made again for the sake of block b: the cheapest, or one that is wanted already. */
static struct value *choose(const struct remat *x, uint32_t b)
{
    struct value *best = NULL;
    vec_each (&x->values, v) {
        if (v->again || (best && !v->wanted && v->cost >= best->cost) || !relief(x, v, b))
            continue;
        if (v->wanted)
            return v;
        best = v;
    }
    return best;
}

/* Takes a word from every block with `peak` of them alive. Unless that is possible for all, nothing is won and nothing done. */
static bool lower_peak(struct remat *x, int32_t peak)
{
    double cost = 0;
    bool all = true;
    for (uint32_t b = 0; b < x->d.fn->blocks.n && all; b++) {
        struct value *v = x->pressure[b] == peak ? choose(x, b) : NULL;
        all = v || x->pressure[b] != peak;
        if (v && !v->wanted)
            cost += v->cost;
        if (v)
            v->wanted = true;
    }
    all &= cost <= x->budget;
    vec_each (&x->values, v) {
        for (uint32_t b = 0; v->wanted && all && b < x->d.fn->blocks.n; b++)
            x->pressure[b] -= relief(x, v, b);
        v->again |= v->wanted && all;
        v->wanted = false;
    }
    x->budget -= all ? cost : 0;
    return all;
}

static int32_t peak_of(const struct remat *x)
{
    int32_t peak = 0;
    for (uint32_t b = 0; b < x->d.fn->blocks.n; b++)
        peak = x->pressure[b] > peak ? x->pressure[b] : peak;
    return peak;
}

static struct value *again(const struct remat *x, const struct ir_opnd *o)
{
    if (o->kind != OPND_REG || !x->value_of[o->val])
        return NULL;
    struct value *v = &x->values.at[x->value_of[o->val] - 1];
    return v->again ? v : NULL;
}

/* The operand reads the block's own copy, whose words are made in front of their first use. */
static void make(struct remat *x, struct ir_opnd *o, struct value *v, struct recipe_insns *out, uint32_t line)
{
    if (!v->have)
        v->copy = ir_vreg(x->d.fn, x->d.fn->vregs.at[v->vreg].n, NULL);
    for (unsigned w = o->sub; w < o->sub + (unsigned)o->n; w++) {
        if (v->have >> w & 1)
            continue;
        recipe_follow(&v->word[w], x->d.fn, ir_reg(v->copy, w, 1), out, line);
        v->have |= 1u << w;
    }
    o->val = v->copy;
}

static void rewrite(struct remat *x, uint32_t b)
{
    struct ir_block *bl = &x->d.fn->blocks.at[b];
    struct recipe_insns out = {0};
    vec_each (&x->values, v)
        v->have = 0;
    vec_each (&bl->insns, at) {
        struct ir_insn i = *at;
        struct value *made = again(x, &i.dst[0]);
        if (made && !bit_get(made->used, b))
            continue;
        ir_each_src (&i, s) {
            struct value *v = again(x, s);
            if (v && v->block != b)
                make(x, s, v, &out, i.line);
        }
        vec_push(&out, i);
    }
    ir_block_set(bl, out.at, out.n);
    vec_free(&out);
}

void pass_remat(struct ir_fn *fn)
{
    struct remat x = {0};
    struct arena tmp = {0};
    defs_build(&x.d, fn);
    ir_mark_kills(fn, x.d.c);
    x.l = ir_live_build(fn, x.d.c, &tmp);
    uint64_t *set = ARENA_ARRAY(&tmp, uint64_t, x.l->set_words + 1);
    x.pressure = ARENA_ARRAY(&tmp, int32_t, fn->blocks.n);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        x.pressure[b] = (int32_t)ir_live_block_pressure(x.l, &fn->blocks.at[b], x.l->out[b], set);
    int32_t peak = peak_of(&x);
    if (peak > ENOUGH) {
        bool any = false;
        find_values(&x);
        weigh(&x);
        for (; peak > ENOUGH && lower_peak(&x, peak); peak = peak_of(&x))
            any = true;
        for (uint32_t b = 0; b < fn->blocks.n && any; b++)
            rewrite(&x, b);
        if (any)
            pass_dead(fn);
    }
    vec_free(&x.values);
    arena_free(&tmp);
    defs_free(&x.d);
}
