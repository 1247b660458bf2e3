/* Bank-aware choice: once colours are known, a class moves to another free register below the highest one in use if
 * fewer instructions then read two different registers of one bank, or changes places with another class. Never costs
 * a register; the colouring stays valid at every step. */
#include "compile/regalloc.h"

#include "base/bitset.h"

enum { PASSES = 4, SWAP_TRIES = 4000, RA_MANY = RA_NONE - 1 };

struct pairs {
    uint32_t *off; /* by word: its partners */
    uint32_t *with;
    float *weight;
};

static uint32_t source_words(const struct ra *r, const struct ir_insn *i, uint32_t *word, uint8_t *opnd)
{
    uint32_t n = 0;

    for (uint8_t s = 0; s < 6; s++) {
        uint32_t w, m = i->src[s].kind == OPND_REG ? ra_opnd_words(r, &i->src[s], &w) : 0;
        for (uint32_t k = 0; k < m; k++, n++) {
            word[n] = w + k;
            opnd[n] = s;
        }
    }
    return n;
}

typedef void pair_fn(struct pairs *p, uint32_t a, uint32_t b, float weight);

static void count_pair(struct pairs *p, uint32_t a, uint32_t b, float weight)
{
    (void)weight;
    p->off[a + 1]++;
    p->off[b + 1]++;
}

static void fill_pair(struct pairs *p, uint32_t a, uint32_t b, float weight)
{
    p->with[--p->off[a + 1]] = b;
    p->weight[p->off[a + 1]] = weight;
    p->with[--p->off[b + 1]] = a;
    p->weight[p->off[b + 1]] = weight;
}

static void each_pair(const struct ra *r, struct pairs *p, pair_fn *f)
{
    for (uint32_t b = 0; b < r->fn->blocks.n; b++) {
        const struct ir_block *bl = &r->fn->blocks.at[b];
        float weight = (float)ra_block_weight(r, b);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            uint32_t word[24];
            uint8_t opnd[24];
            uint32_t n = source_words(r, &bl->insns.at[k], word, opnd);
            for (uint32_t x = 0; x < n; x++)
                for (uint32_t y = x + 1; y < n; y++)
                    if (opnd[x] != opnd[y] && r->root_of[word[x]] != r->root_of[word[y]])
                        f(p, word[x], word[y], weight);
        }
    }
}

static void build_pairs(struct ra *r, struct pairs *p)
{
    /* off[w + 1] first counts, then is the end of w's range, and filling moves it down to the start. */
    p->off = ARENA_ARRAY(&r->mem, uint32_t, r->nwords + 3);
    each_pair(r, p, count_pair);
    for (uint32_t w = 0; w <= r->nwords; w++)
        p->off[w + 1] += p->off[w];
    uint32_t total = p->off[r->nwords + 1];
    p->off[r->nwords + 2] = total;
    p->with = ARENA_ARRAY(&r->mem, uint32_t, total + 1);
    p->weight = ARENA_ARRAY(&r->mem, float, total + 1);
    each_pair(r, p, fill_pair);
}

/* What each bank would cost class `root`'s word 0. */
static float bank_costs(const struct ra *r, const struct pairs *p, const uint8_t *phys, uint32_t root,
                        float *cost)
{
    float sum = 0;

    memset(cost, 0, r->banks * sizeof *cost);
    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t k = p->off[w + 1]; k < p->off[w + 2]; k++) {
                uint32_t u = p->with[k], c = phys[r->root_of[u]];
                if (c == RA_UNCOLOURED)
                    continue;
                /* Word 0 at base b puts w into bank (b + pos) % banks. */
                cost[(c + r->pos_of[u] + r->banks * 4 - r->pos_of[w]) % r->banks] += p->weight[k];
                sum += p->weight[k];
            }
    }
    return sum;
}

static bool move_class(struct ra *r, struct ra_colours *c, const struct pairs *p, uint32_t root)
{
    float cost[64];
    uint64_t f[4];
    uint32_t now = c->phys[root], best = now;

    if (bank_costs(r, p, c->phys, root, cost) == 0 || cost[now % r->banks] == 0)
        return false;
    ra_forbidden(r, c->phys, root, f);
    for (uint32_t reg = 0; reg + r->ent[root].width <= c->regs; reg++)
        if (!bit_get(f, reg) && cost[reg % r->banks] < cost[best % r->banks])
            best = reg;
    c->phys[root] = (uint8_t)best;
    return best != now;
}

static float cost_now(const struct ra *r, const struct pairs *p, const uint8_t *phys, uint32_t root)
{
    float cost[64];

    bank_costs(r, p, phys, root, cost);
    return cost[phys[root] % r->banks];
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

/* Where every register is taken, two classes may exchange theirs. */
static bool swap_class(struct ra *r, struct ra_colours *c, const struct pairs *p, uint32_t x, uint32_t *tries)
{
    uint32_t owner[256], now = c->phys[x];
    float cost[64];
    uint64_t f[4];

    bank_costs(r, p, c->phys, x, cost);
    if (cost[now % r->banks] == 0)
        return false;
    find_owners(r, c->phys, x, owner);
    ra_never(r, x, c->regs, f);
    for (uint32_t reg = 0; reg < c->regs && *tries; reg++) {
        uint32_t y = owner[reg];
        if (bit_get(f, reg) || y >= RA_MANY || cost[reg % r->banks] >= cost[now % r->banks])
            continue;
        (*tries)--;
        float before = cost_now(r, p, c->phys, x) + cost_now(r, p, c->phys, y);
        uint64_t fy[4];
        c->phys[x] = RA_UNCOLOURED;
        ra_forbidden(r, c->phys, y, fy);
        c->phys[x] = (uint8_t)reg;
        c->phys[y] = (uint8_t)now;
        if (!bit_get(fy, now) && cost_now(r, p, c->phys, x) + cost_now(r, p, c->phys, y) < before)
            return true;
        c->phys[x] = (uint8_t)now;
        c->phys[y] = (uint8_t)reg;
    }
    return false;
}

void ra_banks(struct ra *r, struct ra_colours *c)
{
    struct pairs p = {0};
    uint32_t tries = SWAP_TRIES;

    if (r->banks < 2 || r->banks > 64)
        return;
    build_pairs(r, &p);
    for (int pass = 0; pass < PASSES; pass++) {
        bool moved = false;
        for (uint32_t e = 0; e < r->nvregs; e++)
            if (r->ent[e].parent == e && !r->ent[e].fixed && c->phys[e] != RA_UNCOLOURED)
                moved |= move_class(r, c, &p, e) || swap_class(r, c, &p, e, &tries);
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
