/* SPDX-License-Identifier: Apache-2.0 */
#include "gen.h"

#include <string.h>

static struct tr_opnd reg(struct rng *r, unsigned n)
{
    return (struct tr_opnd){.kind = TO_REG, .n = (uint8_t)n, .val = rng_below(r, 255 - n)};
}

static struct tr_opnd any_src(struct rng *r)
{
    switch (rng_below(r, 6)) {
    case 0: return (struct tr_opnd){.kind = TO_IMM, .n = 1, .val = rng_u32(r)};
    case 1:
        return (struct tr_opnd){
            .kind = TO_CONST, .n = 1, .bank = (uint8_t)rng_below(r, 5), .val = rng_below(r, 4096)};
    case 2:
        return (struct tr_opnd){
            .kind = TO_PRED, .n = 1, .neg = (uint8_t)rng_below(r, 2), .val = rng_below(r, 7)};
    case 3: return (struct tr_opnd){.kind = TO_UREG, .n = 2, .val = rng_below(r, 60)};
    default: return reg(r, 1 + rng_below(r, 4));
    }
}

static void gen_insn(struct rng *r, struct tr_kernel *k, struct tr_insn *in, uint32_t at)
{
    in->cls = (uint8_t)rng_below(r, TC_COUNT);
    in->ndst = (uint8_t)rng_below(r, rng_below(r, 4) ? 2 : TR_DSTS + 1);
    in->nsrc = (uint8_t)rng_below(r, TR_SRCS + 1);
    for (unsigned i = 0; i < in->ndst; i++)
        in->dst[i] = rng_below(r, 8) ? reg(r, 1 + rng_below(r, 4))
                                     : (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = rng_below(r, 7)};
    for (unsigned i = 0; i < in->nsrc; i++)
        in->src[i] = any_src(r);
    if (rng_below(r, 5) == 0)
        in->guard = (struct tr_opnd){
            .kind = TO_PRED, .n = 1, .neg = (uint8_t)rng_below(r, 2), .val = rng_below(r, 7)};
    if (rng_below(r, 3) == 0) {
        in->naddr = (uint8_t)(1 + (rng_below(r, 4) == 0));
        in->mem = (uint8_t)(1 + rng_below(r, 7));
        in->space = (uint8_t)rng_below(r, 5);
        in->width_b = (uint8_t)(1u << rng_below(r, 5));
        in->bypass = (uint8_t)rng_below(r, 2);
    }
    if (!in->naddr && rng_below(r, 8) == 0)
        in->nparam = (uint8_t)(1 + rng_below(r, TR_PARAMS));
    in->target = rng_below(r, 8) ? TR_NO_TARGET : rng_below(r, k->n);
    in->imm = rng_below(r, 4) ? 0 : rng_u32(r);
    in->count = rng_below(r, 4) ? 0 : 32 * rng_below(r, 32);
    in->line = 10 + at / 3;
    in->pc = 16 * at;
    in->text = arena_printf(&k->arena, "OP.%u", rng_below(r, 20));
}

struct tr_kernel *gen_kernel(uint64_t seed, uint32_t n)
{
    struct rng r = {seed ^ 0x6b65726e};
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = arena_printf(&k->arena, "kernel_%llu", (unsigned long long)seed);
    k->file = "made_up.ptx";
    k->n = n;
    k->regs = 1 + rng_below(&r, 256);
    k->shared_b = rng_u32(&r);
    k->local_b = rng_below(&r, 1000);
    k->arch = rng_below(&r, 2) * 70;
    k->spill_insns = rng_below(&r, n);
    k->insns = ARENA_ARRAY(&k->arena, struct tr_insn, n);
    for (uint32_t i = 0; i < n; i++)
        gen_insn(&r, k, &k->insns[i], i);
    k->nblocks = 1 + rng_below(&r, n / 2);
    k->blocks = ARENA_ARRAY(&k->arena, struct tr_block, k->nblocks);
    for (uint32_t i = 0, at = 0; i < k->nblocks; i++) {
        struct tr_block *b = &k->blocks[i];
        uint32_t spare = n - at - (k->nblocks - i);
        b->start = at;
        b->n = i + 1 == k->nblocks ? n - at : 1 + rng_below(&r, spare + 1 < 5 ? spare + 1 : 5);
        at += b->n;
        b->nsucc = rng_below(&r, k->nblocks < 3 ? k->nblocks + 1 : 3);
        b->succ = ARENA_ARRAY(&k->arena, uint32_t, b->nsucc);
        for (uint32_t s = 0; s < b->nsucc; s++)
            b->succ[s] = rng_below(&r, k->nblocks);
        b->ipdom = rng_below(&r, 4) ? rng_below(&r, k->nblocks) : UINT32_MAX;
    }
    return k;
}

void gen_start(struct gen_stream *g, const struct tr_kernel *k, uint64_t seed, uint64_t insts)
{
    *g = (struct gen_stream){.r = {seed}, .k = k, .left = insts, .mask = 0xffffffff};
    for (unsigned i = 0; i < 64; i++)
        g->base[i] = (uint64_t)rng_below(&g->r, 1 << 20) << rng_below(&g->r, 20);
    g->kept = rng_u32(&g->r);
}

/* Every form, and things that almost have one. */
static void gen_addrs(struct gen_stream *g, uint32_t at, uint64_t out[TR_LANES])
{
    static const int strides[] = {0, 1, 2, 4, 8, 16, 32, -4, 12, 1000, -123456, 3};
    struct rng *r = &g->r;
    uint64_t *base = &g->base[at % 64];
    int64_t stride = strides[rng_below(r, 12)], jump = (int64_t)rng_u32(r) - (1ll << 31);
    unsigned form = rng_below(r, 10), log2 = 1 + rng_below(r, 4);
    *base += rng_below(r, 4) ? 128 : rng_u64(r) >> rng_below(r, 64);
    if (form == 9 && rng_below(r, 4) == 0)
        stride = (int64_t)rng_u64(r);
    for (unsigned i = 0; i < TR_LANES; i++) {
        if (form < 4 || form == 9)
            out[i] = *base + (uint64_t)stride * i;
        else if (form < 6)
            out[i] = *base + (uint64_t)jump * (i >> log2) + (uint64_t)stride * (i & ((1u << log2) - 1));
        else
            out[i] = *base + (form == 6 ? rng_u64(r) : (uint64_t)rng_below(r, 1 + (1u << 3 * log2)) * 4);
    }
    if (form == 0)
        out[rng_below(r, TR_LANES)] += 4;
}

static void move_on(struct gen_stream *g)
{
    struct rng *r = &g->r;
    switch (rng_below(r, 12)) {
    case 0: g->at = rng_below(r, g->k->n); break;
    case 1: g->at = g->k->insns[g->at].target != TR_NO_TARGET ? g->k->insns[g->at].target : g->at; break;
    default: g->at++;
    }
    if (g->at >= g->k->n)
        g->at = 0;
    switch (rng_below(r, 20)) {
    case 0: g->mask = 0; break;
    case 1: g->mask = rng_u32(r); break;
    case 2: g->mask = 0xffffffff; break;
    case 3: g->mask = g->kept; break;
    case 4: g->mask = 1u << rng_below(r, 32); break;
    case 5: g->mask = 0xffffu << rng_below(r, 17); break;
    }
}

bool gen_next(struct gen_stream *g, struct gen_step *s)
{
    if (!g->left)
        return false;
    g->left--;
    const struct tr_insn *in = &g->k->insns[g->at];
    s->at = g->at;
    s->mask = g->mask;
    s->space = in->space ? in->space : (uint8_t)rng_below(&g->r, 5);
    for (unsigned i = 0; i < in->naddr; i++)
        gen_addrs(g, g->at + i, s->addrs[i]);
    if (in->nparam)
        gen_addrs(g, g->at, s->addrs[0]);
    for (unsigned i = 0; i < TR_DSTS * 4; i++)
        s->values[i] = (uint8_t)(rng_below(&g->r, 4) ? TV_CONST : rng_below(&g->r, TV_COUNT));
    move_on(g);
    return true;
}

void gen_write(struct tr_writer *w, uint32_t cta, uint32_t warp, const struct gen_step *s)
{
    const uint64_t *const addrs[2] = {s->addrs[0], s->addrs[1]};
    tr_insn(w, cta, warp, s->at, s->mask, s->space, addrs, s->values);
}

static unsigned value_words(const struct tr_insn *in)
{
    unsigned words = 0;
    for (unsigned i = 0; i < in->ndst; i++)
        words += in->dst[i].kind == TO_REG ? in->dst[i].n : 0;
    return words < TR_DSTS * 4 ? words : TR_DSTS * 4;
}

const char *gen_compare(const struct tr_kernel *k, const struct gen_step *want, const struct tr_step *got)
{
    if (want->at != got->at)
        return "another instruction";
    if (want->mask != got->mask)
        return "another mask";
    if (!want->mask)
        return NULL;
    const struct tr_insn *in = &k->insns[want->at];
    if (memcmp(want->values, got->values, value_words(in)) != 0)
        return "other value classes";
    for (unsigned i = 0; i < in->naddr; i++) {
        uint64_t lanes[TR_LANES];
        unsigned space = i ? (unsigned)SPACE_SHARED : want->space;
        tr_expand(&got->addr[i], got->mask, lanes);
        if (got->addr[i].space != space)
            return "another space";
        for (unsigned l = 0; l < TR_LANES; l++)
            if (want->mask >> l & 1 && lanes[l] != want->addrs[i][l])
                return "another address";
    }
    if (in->nparam) {
        uint64_t params[TR_LANES];
        tr_params(in, got, params);
        if (memcmp(params, want->addrs[0], in->nparam * sizeof *params) != 0)
            return "other parameters";
    }
    return NULL;
}

static bool same_opnds(const struct tr_opnd *a, const struct tr_opnd *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (a[i].kind != b[i].kind || a[i].n != b[i].n || a[i].bank != b[i].bank || a[i].neg != b[i].neg ||
            a[i].val != b[i].val)
            return false;
    return true;
}

static bool same_insn(const struct tr_insn *a, const struct tr_insn *b)
{
    return a->cls == b->cls && a->ndst == b->ndst && a->nsrc == b->nsrc && a->mem == b->mem &&
           a->space == b->space && a->width_b == b->width_b && a->naddr == b->naddr &&
           a->nparam == b->nparam && a->bypass == b->bypass && same_opnds(&a->guard, &b->guard, 1) &&
           same_opnds(a->dst, b->dst, TR_DSTS) && same_opnds(a->src, b->src, TR_SRCS) &&
           a->target == b->target && a->imm == b->imm && a->count == b->count && a->line == b->line &&
           a->pc == b->pc && strcmp(a->text, b->text) == 0;
}

const char *gen_compare_kernel(const struct tr_kernel *a, const struct tr_kernel *b)
{
    if (strcmp(a->name, b->name) != 0 || strcmp(a->file, b->file) != 0 || a->n != b->n ||
        a->nblocks != b->nblocks || a->regs != b->regs || a->shared_b != b->shared_b ||
        a->local_b != b->local_b || a->arch != b->arch || a->spill_insns != b->spill_insns)
        return "another kernel";
    for (uint32_t i = 0; i < a->n; i++)
        if (!same_insn(&a->insns[i], &b->insns[i]))
            return "another static instruction";
    for (uint32_t i = 0; i < a->nblocks; i++) {
        const struct tr_block *x = &a->blocks[i], *y = &b->blocks[i];
        if (x->start != y->start || x->n != y->n || x->nsucc != y->nsucc || x->ipdom != y->ipdom ||
            memcmp(x->succ, y->succ, x->nsucc * sizeof x->succ[0]) != 0)
            return "another block";
    }
    return NULL;
}
