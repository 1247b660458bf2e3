/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness by iteration over blocks in post-order. */
#include "ir/live.h"

#include "base/bitset.h"

/* Bits of an operand: first bit in *bit, number returned. 0: it names no register that liveness follows. */
static uint32_t opnd_bits(const struct ir_live *l, const struct ir_opnd *o, uint32_t *bit)
{
    if (o->kind == OPND_REG) {
        *bit = l->first[o->val] + o->sub;
        return o->n;
    }
    if (o->kind == OPND_PRED && o->val >= VPRED0) {
        *bit = ir_live_pred_bit(l, o->val);
        return 1;
    }
    return 0;
}

static void drop_killed(const struct ir_live *l, const struct ir_insn *i, uint64_t *set)
{
    for (int d = 0; d < 2; d++) {
        uint32_t bit, n = ir_kills(i, d) ? opnd_bits(l, &i->dst[d], &bit) : 0;
        for (uint32_t k = 0; k < n; k++)
            bit_clear(set, bit + k);
    }
}

void ir_live_step(const struct ir_live *l, const struct ir_insn *i, uint64_t *set)
{
    uint32_t bit, n;

    drop_killed(l, i, set);
    for (int s = 0; s < 7; s++) {
        n = opnd_bits(l, s < 6 ? &i->src[s] : &i->guard, &bit);
        for (uint32_t k = 0; k < n; k++)
            bit_set(set, bit + k);
    }
}

struct ir_live *ir_live_number(const struct ir_fn *fn, struct arena *a)
{
    struct ir_live *l = ARENA_NEW(a, struct ir_live);

    /* Once allocated, the "virtual registers" are the physical ones, a word each; predicates are not followed. */
    uint32_t nv = fn->allocated ? MAX_REGS + 1 : fn->vregs.n;
    l->first = ARENA_ARRAY(a, uint32_t, nv + 1);
    for (uint32_t v = 0; v < nv; v++) {
        l->first[v] = l->nwords;
        l->nwords += fn->allocated ? 1 : fn->vregs.at[v].n;
    }
    l->nbits = l->nwords + fn->npreds;
    l->set_words = BITSET_WORDS(l->nbits);
    return l;
}

struct ir_live *ir_live_build(const struct ir_fn *fn, const struct ir_cfg *c, struct arena *a)
{
    struct ir_live *l = ir_live_number(fn, a);
    uint32_t nb = fn->blocks.n;

    l->in = ARENA_ARRAY(a, uint64_t *, nb + 1);
    l->out = ARENA_ARRAY(a, uint64_t *, nb + 1);
    for (uint32_t b = 0; b < nb; b++) {
        l->in[b] = ARENA_ARRAY(a, uint64_t, l->set_words);
        l->out[b] = ARENA_ARRAY(a, uint64_t, l->set_words);
    }

    /* The transfer function of a block as two sets: what it reads before it writes it, and what it does not write at all. */
    struct arena tmp = {0};
    uint64_t **keep = ARENA_ARRAY(&tmp, uint64_t *, nb + 1);
    for (uint32_t b = 0; b < nb; b++) {
        const struct ir_block *bl = &fn->blocks.at[b];
        keep[b] = ARENA_ARRAY(&tmp, uint64_t, l->set_words);
        memset(keep[b], 0xff, l->set_words * sizeof(uint64_t));
        for (uint32_t k = bl->insns.n; k-- > 0;) {
            ir_live_step(l, &bl->insns.at[k], l->in[b]);
            drop_killed(l, &bl->insns.at[k], keep[b]);
        }
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t r = c->nrpo; r-- > 0;) {
            uint32_t b = c->rpo[r];
            const struct ir_block *bl = &fn->blocks.at[b];
            bool grew = false;
            for (uint32_t k = 0; k < bl->succ.n; k++)
                grew |= bits_or(l->out[b], l->in[bl->succ.at[k]], l->set_words);
            if (!grew)
                continue;
            for (size_t w = 0; w < l->set_words; w++) {
                uint64_t v = l->in[b][w] | (l->out[b][w] & keep[b][w]);
                changed |= v != l->in[b][w];
                l->in[b][w] = v;
            }
        }
    }
    arena_free(&tmp);
    return l;
}

static uint32_t count_words(const uint64_t *set, uint32_t nwords)
{
    uint32_t n = bits_count(set, nwords / 64);
    if (nwords % 64)
        n += (uint32_t)__builtin_popcountll(set[nwords / 64] & ((1ull << nwords % 64) - 1));
    return n;
}

/* A step that keeps the number of live register words up to date instead of counting the set. */
static int32_t step_counting(const struct ir_live *l, const struct ir_insn *i, uint64_t *set)
{
    int32_t delta = 0;
    uint32_t bit, n;

    for (int d = 0; d < 2; d++) {
        n = i->dst[d].kind == OPND_REG && ir_kills(i, d) ? opnd_bits(l, &i->dst[d], &bit) : 0;
        for (uint32_t k = 0; k < n; k++)
            delta -= bit_get(set, bit + k), bit_clear(set, bit + k);
    }
    for (int s = 0; s < 6; s++) {
        n = i->src[s].kind == OPND_REG ? opnd_bits(l, &i->src[s], &bit) : 0;
        for (uint32_t k = 0; k < n; k++)
            delta += !bit_get(set, bit + k), bit_set(set, bit + k);
    }
    return delta;
}

uint32_t ir_live_block_pressure(const struct ir_live *l, const struct ir_block *bl, const uint64_t *out,
                                uint64_t *set)
{
    memcpy(set, out, l->set_words * sizeof *set);
    int32_t now = (int32_t)count_words(set, l->nwords), best = now;
    for (uint32_t k = bl->insns.n; k-- > 0;) {
        now += step_counting(l, &bl->insns.at[k], set);
        best = now > best ? now : best;
    }
    return (uint32_t)best;
}

uint32_t ir_live_pressure(const struct ir_fn *fn, const struct ir_live *l)
{
    struct arena tmp = {0};
    uint64_t *set = ARENA_ARRAY(&tmp, uint64_t, l->set_words + 1);
    uint32_t best = 0;

    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        uint32_t n = ir_live_block_pressure(l, &fn->blocks.at[b], l->out[b], set);
        best = n > best ? n : best;
    }
    arena_free(&tmp);
    return best;
}

static void print_set(FILE *to, const struct ir_fn *fn, const struct ir_live *l, const uint64_t *set)
{
    for (uint32_t v = 0; v < MAX_REGS && fn->allocated; v++)
        if (bit_get(set, v))
            fprintf(to, " R%u", v);
    for (uint32_t v = 0; v < fn->vregs.n && !fn->allocated; v++) {
        uint32_t mask = 0, n = fn->vregs.at[v].n;
        for (uint32_t w = 0; w < n; w++)
            mask |= (uint32_t)bit_get(set, l->first[v] + w) << w;
        if (!mask)
            continue;
        fprintf(to, " v%u", v);
        if (fn->vregs.at[v].name)
            fprintf(to, "(%s)", fn->vregs.at[v].name);
        for (uint32_t w = 0; w < n && mask != (1u << n) - 1; w++)
            if (mask >> w & 1)
                fprintf(to, ".x%u", w);
    }
    for (uint32_t p = 0; p < fn->npreds; p++)
        if (bit_get(set, l->nwords + p))
            fprintf(to, " vp%u", p);
    fputc('\n', to);
}

void ir_live_print(FILE *to, const struct ir_fn *fn, const struct ir_live *l)
{
    fprintf(to, "live %s: %u words, %u predicates, pressure %u\n", fn->name, l->nwords, fn->npreds,
            ir_live_pressure(fn, l));
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        fprintf(to, "  B%u in: ", b);
        print_set(to, fn, l, l->in[b]);
        fprintf(to, "  B%u out:", b);
        print_set(to, fn, l, l->out[b]);
    }
}
