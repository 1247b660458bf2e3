/* SPDX-License-Identifier: Apache-2.0 */
/* The choice among registers that are free: once colours are known, a class moves to another register if fewer instructions
 * then read two registers of one bank, or write one that a memory instruction still holds, or it changes places with another
 * class. A few registers are taken for this where they cost nothing, which is as long as every warp is resident. The colouring
 * stays valid at every step. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

enum {
    PASSES = 4,
    SWAP_TRIES = 4000,
    RA_MANY = RA_NONE - 1,
    FREE_REGS = 16, /* every kernel may have as many */
    ALL_WARPS = 32, /* with so many every warp is resident ... */
    MORE = 2,       /* ... and so many of them are taken for comfort */
};

/* What a bank conflict costs, for a register that is held. */
#define CONFLICT 4.0f

struct pairs {
    uint32_t *off; /* by word: its partners */
    uint32_t *with;
    float *weight;
};

struct choose {
    struct ra *r;
    struct ra_colours *c;
    struct pairs bank, apart;
    uint32_t top;        /* registers that may be used */
    float cost[256 + 4]; /* of word 0 of a class at each register */
};

static uint32_t source_words(const struct ra *r, const struct ir_insn *i, uint32_t *word, uint8_t *opnd)
{
    uint32_t n = 0;

    for (uint8_t s = 0; s < 6; s++) {
        uint32_t w, m = i->src[s].kind == OPND_REG ? ra_opnd_words(r, &i->src[s], &w) : 0;
        for (uint32_t k = 0; k < m && m <= 4; k++, n++) { /* accumulators have their place */
            word[n] = w + k;
            opnd[n] = s;
        }
    }
    return n;
}

static void count_pair(void *arg, uint32_t a, uint32_t b, float weight)
{
    struct pairs *p = arg;
    (void)weight;
    p->off[a + 1]++;
    p->off[b + 1]++;
}

static void fill_pair(void *arg, uint32_t a, uint32_t b, float weight)
{
    struct pairs *p = arg;
    p->with[--p->off[a + 1]] = b;
    p->weight[p->off[a + 1]] = weight;
    p->with[--p->off[b + 1]] = a;
    p->weight[p->off[b + 1]] = weight;
}

static void each_source_pair(const struct ra *r, ra_pair_fn *f, void *arg)
{
    for (uint32_t b = 0; b < r->fn->blocks.n; b++) {
        const struct ir_block *bl = &r->fn->blocks.at[b];
        float weight = CONFLICT * (float)ra_block_weight(r, b);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            uint32_t word[24];
            uint8_t opnd[24];
            uint32_t n = source_words(r, &bl->insns.at[k], word, opnd);
            for (uint32_t x = 0; x < n; x++)
                for (uint32_t y = x + 1; y < n; y++)
                    if (opnd[x] != opnd[y] && r->root_of[word[x]] != r->root_of[word[y]])
                        f(arg, word[x], word[y], weight);
        }
    }
}

typedef void each_fn(const struct ra *r, ra_pair_fn *f, void *arg);

static struct pairs find_pairs(struct ra *r, each_fn *each)
{
    struct pairs p = {0};
    /* off[w + 1] first counts, then is the end of w's range, and filling moves it down to the start. */
    p.off = ARENA_ARRAY(&r->mem, uint32_t, r->nwords + 3);
    each(r, count_pair, &p);
    for (uint32_t w = 0; w <= r->nwords; w++)
        p.off[w + 1] += p.off[w];
    uint32_t total = p.off[r->nwords + 1];
    p.off[r->nwords + 2] = total;
    p.with = ARENA_ARRAY(&r->mem, uint32_t, total + 1);
    p.weight = ARENA_ARRAY(&r->mem, float, total + 1);
    each(r, fill_pair, &p);
    return p;
}

/* What word 0 of class `root` would cost at each register below the top. */
static void find_costs(struct choose *x, uint32_t root)
{
    const struct ra *r = x->r;
    const uint8_t *phys = x->c->phys;
    float bank[64] = {0};

    memset(x->cost, 0, sizeof x->cost);
    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++) {
            for (uint32_t k = x->bank.off[w + 1]; k < x->bank.off[w + 2]; k++) {
                uint32_t u = x->bank.with[k], at = phys[r->root_of[u]];
                if (at != RA_UNCOLOURED) /* word 0 at base b puts w into bank (b + pos) % banks */
                    bank[(at + r->pos_of[u] + r->banks * 4 - r->pos_of[w]) % r->banks] += x->bank.weight[k];
            }
            for (uint32_t k = x->apart.off[w + 1]; k < x->apart.off[w + 2]; k++) {
                uint32_t u = x->apart.with[k], at = phys[r->root_of[u]];
                if (at != RA_UNCOLOURED && at + r->pos_of[u] >= r->pos_of[w])
                    x->cost[at + r->pos_of[u] - r->pos_of[w]] += x->apart.weight[k];
            }
        }
    }
    for (uint32_t reg = 0; reg < x->top; reg++)
        x->cost[reg] += bank[reg % r->banks];
}

/* What find_costs would say of the register where the class stands. */
static float cost_now(const struct choose *x, uint32_t root)
{
    const struct ra *r = x->r;
    const uint8_t *phys = x->c->phys;
    uint32_t now = phys[root];
    float cost = 0, bank = 0;

    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++) {
            for (uint32_t k = x->bank.off[w + 1]; k < x->bank.off[w + 2]; k++) {
                uint32_t u = x->bank.with[k], at = phys[r->root_of[u]];
                if (at != RA_UNCOLOURED &&
                    (at + r->pos_of[u] + r->banks * 4 - r->pos_of[w]) % r->banks == now % r->banks)
                    bank += x->bank.weight[k];
            }
            for (uint32_t k = x->apart.off[w + 1]; k < x->apart.off[w + 2]; k++) {
                uint32_t u = x->apart.with[k], at = phys[r->root_of[u]];
                if (at != RA_UNCOLOURED && at + r->pos_of[u] == now + r->pos_of[w])
                    cost += x->apart.weight[k];
            }
        }
    }
    return now < x->top ? cost + bank : cost;
}

static bool move_class(struct choose *x, uint32_t root)
{
    struct ra_colours *c = x->c;
    uint64_t f[4];
    uint32_t now = c->phys[root], best = now, width = x->r->ent[root].width;

    if (cost_now(x, root) == 0)
        return false;
    find_costs(x, root);
    ra_forbidden(x->r, c->phys, root, f);
    for (uint32_t reg = 0; reg + width <= x->top; reg++)
        if (!bit_get(f, reg) && x->cost[reg] < x->cost[best])
            best = reg;
    c->phys[root] = (uint8_t)best;
    if (best + width > c->regs)
        c->regs = best + width;
    return best != now;
}

/* Who alone stands at each register that x could have; RA_NONE: nobody, RA_MANY: several, or not exactly there. */
static void find_owners(const struct ra *r, const uint8_t *phys, uint32_t x, uint32_t owner[256])
{
    for (uint32_t k = 0; k < 256; k++)
        owner[k] = RA_NONE;
    for (uint32_t m = x; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], y = r->root_of[u];
                int at = phys[y] + r->pos_of[u] - r->pos_of[w];
                if (phys[y] == RA_UNCOLOURED || at < 0)
                    continue;
                bool fits = at == phys[y] && r->ent[y].width == r->ent[x].width && !r->ent[y].fixed;
                owner[at] = fits && (owner[at] == RA_NONE || owner[at] == y) ? y : RA_MANY;
            }
    }
}

/* Do both cost less when x stands at y's register and y at x's? Then they stay there. */
static bool try_swap(struct choose *x, uint32_t a, uint32_t b)
{
    uint8_t *phys = x->c->phys, at = phys[a], to = phys[b];
    float before = cost_now(x, a) + cost_now(x, b);

    phys[a] = RA_UNCOLOURED;
    bool free = ra_is_free(x->r, phys, b, at);
    phys[a] = to;
    phys[b] = at;
    if (free && cost_now(x, a) + cost_now(x, b) < before)
        return true;
    phys[a] = at;
    phys[b] = to;
    return false;
}

/* Where every register is taken, two classes may exchange theirs. */
static bool swap_class(struct choose *x, uint32_t root, uint32_t *tries)
{
    uint32_t owner[256], regs = x->c->regs;
    float now = cost_now(x, root), cost[256];
    uint64_t f[4];

    if (now == 0)
        return false;
    find_costs(x, root);
    memcpy(cost, x->cost, sizeof cost);
    find_owners(x->r, x->c->phys, root, owner);
    ra_never(x->r, root, regs, f);
    for (uint32_t reg = 0; reg < regs && *tries; reg++) {
        if (bit_get(f, reg) || owner[reg] >= RA_MANY || cost[reg] >= now)
            continue;
        (*tries)--;
        if (try_swap(x, root, owner[reg]))
            return true;
    }
    return false;
}

/* Registers up to here cost no warp. */
static uint32_t free_top(const struct ra *r, uint32_t regs)
{
    uint32_t used = regs + REGS_RESERVED, top = used + MORE < ALL_WARPS ? used + MORE : ALL_WARPS;
    top = top < used ? used : top < FREE_REGS ? FREE_REGS : top;
    return top - REGS_RESERVED < r->limit ? top - REGS_RESERVED : r->limit;
}

void ra_choose(struct ra *r, struct ra_colours *c)
{
    uint32_t tries = SWAP_TRIES;

    if (r->banks < 2 || r->banks > 64)
        return;
    struct choose x = {
        .r = r, .c = c, .bank = find_pairs(r, each_source_pair), .apart = find_pairs(r, ra_each_apart)};
    x.top = free_top(r, c->regs);
    for (int pass = 0; pass < PASSES; pass++) {
        bool moved = false;
        for (uint32_t e = 0; e < r->nvregs; e++)
            if (r->ent[e].parent == e && !r->ent[e].fixed && c->phys[e] != RA_UNCOLOURED)
                moved |= move_class(&x, e) || swap_class(&x, e, &tries);
        if (!moved)
            break;
    }
}

uint32_t ra_bank_conflicts(const struct ir_fn *fn, uint32_t banks)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t k = 0; k < fn->blocks.at[b].insns.n; k++) {
            const struct ir_opnd *s = fn->blocks.at[b].insns.at[k].src;
            for (int x = 0; x < 6; x++)
                for (int y = x + 1; y < 6; y++)
                    if (s[x].kind == OPND_REG && s[y].kind == OPND_REG && s[x].n == 1 && s[y].n == 1 &&
                        s[x].val != s[y].val && s[x].val % banks == s[y].val % banks)
                        n++;
        }
    return n;
}
