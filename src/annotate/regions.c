/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/regions.h"

#include "annotate/apart.h"
#include "annotate/live.h"
#include "annotate/region_split.h"
#include "base/vec.h"

struct make {
    const struct tr_kernel *k;
    const struct region_limits *l;
    struct region_code code;
    VEC(struct region) out;
    struct regions *r;
};

/* After these a warp may wait for others, or go elsewhere. */
static bool ends_region(const struct tr_insn *i)
{
    return i->cls == TC_BAR || (i->cls == TC_ASYNC && i->imm != TA_COMMIT) || i->cls == TC_WARPSYNC ||
           i->cls == TC_BRANCH || apart_meets(i);
}

uint32_t regions_words(uint32_t p, uint32_t n)
{
    enum { SHORT_P = 2, SHORT_N = 4, FIRST_P = 3, MORE_P = 5, INSNS = 9 };
    if (p <= SHORT_P && n <= SHORT_N)
        return 1;
    return 1 + (p > FIRST_P ? (p - FIRST_P + MORE_P - 1) / MORE_P : 0) + (n + INSNS - 1) / INSNS;
}

/* ---- what a region does ---- */

/* Last accesses, and what is dead after them. */
static void mark_last(struct make *m, const struct region *g)
{
    const struct region_code *c = &m->code;
    regset seen = {{0}};
    for (uint32_t i = g->start + g->n; i-- > g->start;) {
        regset all = regset_or(&c->reads[i], &c->writes[i]);
        struct region_insn *o = &m->r->insns[i];
        o->last = regset_without(&all, &seen);
        o->dead = regset_without(&o->last, &c->wanted[i]);
        seen = regset_or(&seen, &all);
    }
}

static void occupy(struct make *m, struct region *g)
{
    const struct region_code *c = &m->code;
    regset now = g->preload, late = {{0}};
    for (uint32_t i = g->start; i < g->start + g->n; i++) {
        uint32_t by_bank[REGION_BANKS] = {0};
        now = regset_or(&now, &c->writes[i]);
        regset s = now;
        g->most = regset_count(&now) > g->most ? regset_count(&now) : g->most;
        while (!regset_empty(&s))
            by_bank[regset_take(&s) % m->l->banks]++;
        for (uint32_t b = 0; b < m->l->banks; b++)
            g->need[b] = by_bank[b] > g->need[b] ? by_bank[b] : g->need[b];
        now = regset_without(&now, &m->r->insns[i].last);
        late = regset_or(&late, &c->late[i]);
        now = regset_or(&now, &late);
    }
}

static void add_region(struct make *m, uint32_t block, uint32_t start, uint32_t n)
{
    struct region g = {.start = start, .n = n, .block = block};
    for (uint32_t i = start; i < start + n; i++)
        m->r->of[i] = m->out.n;
    g.preload = region_inputs(&m->code, start, start + n);
    mark_last(m, &g);
    occupy(m, &g);
    vec_push(&m->out, g);
}

static void divide(struct make *m, uint32_t block, uint32_t from, uint32_t end)
{
    while (from < end) {
        uint32_t n = region_length(&m->code, m->l, from, end);
        add_region(m, block, from, n);
        from += n;
    }
}

static void divide_block(struct make *m, uint32_t block)
{
    const struct tr_block *b = &m->k->blocks[block];
    uint32_t from = b->start, end = b->start + b->n;
    while (from < end && apart_meets(&m->k->insns[from]) && regset_empty(&m->code.reads[from]) &&
           regset_empty(&m->code.writes[from]))
        from++;
    for (uint32_t i = from; i < end; i++) {
        if (i + 1 < end && !ends_region(&m->k->insns[i]))
            continue;
        divide(m, block, from, i + 1);
        from = i + 1;
    }
}

/* ---- what is over when a block is entered ---- */

static void invalidate(struct make *m)
{
    const struct tr_kernel *k = m->k;
    const struct region_code *c = &m->code;
    /* By block: wanted at the end of one that leads to it */
    regset *before = xcalloc(k->nblocks + 1, sizeof *before);
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        for (uint32_t j = 0; b->n && j < b->nsucc; j++)
            before[b->succ[j]] = regset_or(&before[b->succ[j]], &c->wanted[b->start + b->n - 1]);
    }
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        uint32_t i = b->start, end = b->start + b->n;
        while (i < end && m->r->of[i] == REGION_NONE)
            i++;
        if (i == end)
            continue;
        struct region *g = &m->out.at[m->r->of[i]];
        regset here = regset_without(&c->wanted[i], &c->kills[i]);
        here = regset_or(&here, &c->reads[i]);
        here = regset_or(&here, &c->apart[n]);
        g->invalidate = regset_without(&before[n], &here);
        g->invalidate = regset_without(&g->invalidate, &g->preload);
    }
    free(before);
}

struct regions *regions_new(const struct tr_kernel *k, const struct region_limits *l)
{
    struct regions *r = xcalloc(1, sizeof *r);
    struct make m = {.k = k, .l = l, .r = r};
    r->banks = l->banks;
    r->of = xcalloc(k->n + 1, sizeof *r->of);
    r->insns = xcalloc(k->n + 1, sizeof *r->insns);
    r->live = live_after(k);
    region_code_init(&m.code, k, r->live);
    for (uint32_t i = 0; i < k->n; i++)
        r->of[i] = REGION_NONE;
    for (uint32_t n = 0; n < k->nblocks; n++)
        divide_block(&m, n);
    for (uint32_t i = 0; i < k->n; i++)
        r->insns[i].soft = m.code.soft[i];
    invalidate(&m);
    vec_each (&m.out, g)
        g->words = regions_words(regset_count(&g->preload) + regset_count(&g->invalidate), g->n);
    region_code_free(&m.code);
    r->n = m.out.n;
    r->at = m.out.at;
    return r;
}

void regions_free(struct regions *r)
{
    if (r) {
        free(r->at);
        free(r->of);
        free(r->insns);
        free(r->live);
    }
    free(r);
}

regset regions_preload_at(const struct regions *r, const struct tr_kernel *k, uint32_t insn)
{
    const struct region *g = &r->at[r->of[insn]];
    regset in = {{0}}, made = {{0}};
    for (uint32_t i = insn; i < g->start + g->n; i++) {
        regset need = r->insns[i].soft;
        live_use(&need, &k->insns[i]);
        need = regset_without(&need, &made);
        in = regset_or(&in, &need);
        for (uint32_t j = 0; j < k->insns[i].ndst; j++)
            regset_set(&made, &k->insns[i].dst[j], true);
    }
    return in;
}

uint32_t regions_too_large(const struct regions *r, uint32_t lines)
{
    for (uint32_t n = 0; n < r->n; n++)
        for (uint32_t b = 0; b < r->banks; b++)
            if (r->at[n].need[b] > lines)
                return r->at[n].start;
    return REGION_NONE;
}
