/* SPDX-License-Identifier: Apache-2.0 */
/* What the lanes of a memory instruction touch: lines with sector masks, or cycles of shared memory. Computed when the
 * instruction issues, or before, where somebody wants to know (fetch.c). */
#include "sm/core.h"

/* Local memory: word i of lane l lies at (i * 32 + l) * 4, so lanes that access the same word share a line. Each warp slot has
 * its own region; a CTA that was parked takes its regions along. */
#define LOCAL_BASE 0x0000600000000000ull
#define LOCAL_MORE 0x0010000000000000ull /* regions beyond those of the slots */
#define LOCAL_REGION 0x1000000ull        /* per warp slot: 512 KiB for each of 32 lanes */

enum { LOCAL_MOST = 65536 }; /* of them in an SM before they are used again */

static uint16_t take_block(struct sm *s)
{
    if (s->lsu.free_block == NONE16) {
        uint32_t n = s->lsu.nblocks ? s->lsu.nblocks * 2 : 16;
        s->lsu.blocks = xrealloc(s->lsu.blocks, sizeof *s->lsu.blocks * n);
        for (uint32_t i = n; i-- > s->lsu.nblocks;) {
            s->lsu.blocks[i][0] = s->lsu.free_block;
            s->lsu.free_block = (uint16_t)i;
        }
        s->lsu.nblocks = n;
    }
    uint16_t b = s->lsu.free_block;
    s->lsu.free_block = (uint16_t)s->lsu.blocks[b][0];
    return b;
}

uint64_t *lines_take_block(struct sm *s, struct lines *l)
{
    *l = (struct lines){.n = 1, .block = take_block(s)};
    return s->lsu.blocks[l->block];
}

/* A list in the making. `seen` has a bit of each line that is in it: one whose bit is not set need not be looked for. */
struct draft {
    uint32_t n;
    uint64_t seen[16];
    uint64_t at[MAX_LINES];
};

static inline void add_line(struct draft *d, uint64_t line, uint64_t sectors)
{
    uint64_t hash = line * 0x9e3779b97f4a7c15ull >> 54, bit = 1ull << hash % 64, *seen = &d->seen[hash / 64];
    if (RARE(*seen & bit)) {
        for (uint32_t i = d->n; i-- > 0;) {
            if (line_addr(d->at[i]) == line) {
                d->at[i] |= sectors;
                return;
            }
        }
    }
    *seen |= bit;
    if (d->n < MAX_LINES)
        d->at[d->n++] = line | sectors;
}

/* Behind those that a list has. */
static inline void draft_from(struct draft *d, const struct sm *s, const struct lines *l)
{
    d->n = l->n;
    memset(d->seen, 0, sizeof d->seen);
    if (RARE(l->n))
        memcpy(d->at, lines_at(s, l), l->n * sizeof d->at[0]);
}

/* The first ones are inline in any case: who asks for them later finds them there when the block was given back. */
static inline void draft_keep(const struct draft *d, struct sm *s, struct lines *l)
{
    memcpy(l->at, d->at, (d->n < INLINE_LINES ? d->n : INLINE_LINES) * sizeof d->at[0]);
    if (d->n > INLINE_LINES) {
        if (l->block == NONE16)
            l->block = take_block(s);
        memcpy(s->lsu.blocks[l->block], d->at, d->n * sizeof d->at[0]);
    }
    l->n = (uint8_t)d->n;
}

void lines_walked(struct sm *s, struct lines *l)
{
    if (l->n && l->block != NONE16) {
        s->lsu.blocks[l->block][0] = s->lsu.free_block;
        s->lsu.free_block = l->block;
        l->block = NONE16;
    }
}

void lines_free(struct sm *s, struct lines *l)
{
    lines_walked(s, l);
    l->n = 0;
}

/* Bytes [a, b) of memory. */
static void add_range(struct draft *d, uint64_t a, uint64_t b)
{
    uint64_t line = a & ~(uint64_t)(LINE_B - 1);
    /* Counted, since the end of the last line of all is 0. */
    for (uint64_t n = b > a ? (b - 1 - line) / LINE_B + 1 : 0; n; n--, line += LINE_B) {
        uint32_t first = a > line ? (uint32_t)(a - line) / SECTOR_B : 0;
        uint32_t last = b - line < LINE_B ? (uint32_t)(b - 1 - line) / SECTOR_B : LINE_SECTORS - 1;
        add_line(d, line, ((2u << last) - 1) & ~((1u << first) - 1));
    }
}

/* Where a lane has its bytes, mostly in one sector. */
static inline void add_lane(struct draft *d, uint64_t x, uint32_t width)
{
    if (x % SECTOR_B + width <= SECTOR_B)
        add_line(d, x & ~(uint64_t)(LINE_B - 1), 1u << x % LINE_B / SECTOR_B);
    else
        add_range(d, x, x + width);
}

/* ... in many lines, or behind others. */
ASIDE static void long_range(struct sm *s, struct lines *l, uint64_t a, uint64_t b)
{
    struct draft d;
    draft_from(&d, s, l);
    add_range(&d, a, b);
    draft_keep(&d, s, l);
}

/* All that the lanes touch is bytes [a, b). */
static inline void only_range(struct sm *s, struct lines *l, uint64_t a, uint64_t b)
{
    uint64_t line = a & ~(uint64_t)(LINE_B - 1);
    if (l->n || b <= a || b - 1 - line >= (uint64_t)LINE_B * INLINE_LINES) {
        long_range(s, l, a, b);
        return;
    }
    uint32_t first = (uint32_t)(a - line) / SECTOR_B, last = (uint32_t)(b - 1 - line) / SECTOR_B;
    uint32_t sectors = (2u << last) - (1u << first), n = 0;
    for (; sectors; sectors >>= LINE_SECTORS, line += LINE_B)
        l->at[n++] = line | (sectors & ((1u << LINE_SECTORS) - 1));
    l->n = (uint8_t)n;
}

/* Lanes all over. */
ASIDE static void scattered(struct sm *s, const struct tr_addr *a, uint32_t mask, uint32_t width,
                            struct lines *l)
{
    struct draft d;
    draft_from(&d, s, l);
    if (a->form == TF_GROUPS && mask == ~0u && a->stride > 0 && a->stride <= (int64_t)width) {
        uint64_t group = (uint64_t)a->stride * ((1u << a->log2) - 1) + width;
        for (uint32_t i = 0; i < (uint32_t)TR_LANES >> a->log2; i++)
            add_range(&d, a->base + (uint64_t)a->jump * i, a->base + (uint64_t)a->jump * i + group);
    } else {
        uint64_t addr[TR_LANES];
        tr_expand(a, mask, addr);
        for (uint32_t m = mask; m; m &= m - 1)
            add_lane(&d, addr[__builtin_ctz(m)], width);
    }
    draft_keep(&d, s, l);
}

static void global_lines(struct sm *s, const struct tr_addr *a, uint32_t mask, uint32_t width,
                         struct lines *l)
{
    uint32_t lanes = mask >> __builtin_ctz(mask), last = 31 - (uint32_t)__builtin_clz(lanes);
    bool dense = !(lanes & (lanes + 1));
    if (a->form == TF_STRIDE && (a->stride == 0 || !last))
        only_range(s, l, a->base, a->base + width);
    else if (a->form == TF_STRIDE && dense && a->stride > 0 && a->stride <= (int64_t)width)
        only_range(s, l, a->base, a->base + (uint64_t)a->stride * last + width);
    else
        scattered(s, a, mask, width, l);
}

uint64_t local_take(struct sm *s, struct part *p, uint32_t slot)
{
    uint64_t i = ((uint64_t)s->id * s->cfg->partitions + p->id) * s->cfg->warps + slot;
    if (!(p->local_kept >> slot & 1))
        return LOCAL_BASE + i * LOCAL_REGION;
    return LOCAL_MORE + ((uint64_t)s->id * LOCAL_MOST + s->ctas.locals++ % LOCAL_MOST) * LOCAL_REGION;
}

/* The slots whose regions CTAs keep that have left them. */
static uint64_t *local_slots(struct sm *s, uint64_t region, uint64_t *bit)
{
    uint64_t n = s->cfg->warps, of_sm = n * s->cfg->partitions, i = (region - LOCAL_BASE) / LOCAL_REGION;
    if (region >= LOCAL_MORE || i / of_sm != s->id)
        return NULL;
    *bit = 1ull << i % n;
    return &s->parts[i % of_sm / n].local_kept;
}

void local_keep(struct sm *s, uint64_t region)
{
    uint64_t bit, *kept = local_slots(s, region, &bit);
    if (kept)
        *kept |= bit;
}

void local_release(struct sm *s, uint64_t region)
{
    uint64_t bit, *kept = local_slots(s, region, &bit);
    if (kept)
        *kept &= ~bit;
}

uint64_t local_word(const struct part *p, uint32_t w, uint64_t addr, uint32_t lane)
{
    return p->warps[w].local + (addr / 4 % (1u << 17) * TR_LANES + lane) * 4;
}

static void local_lines(struct sm *s, const struct part *p, uint32_t w, const struct tr_addr *a,
                        uint32_t mask, uint32_t width, struct lines *l)
{
    uint64_t addr[TR_LANES];
    struct draft d;
    draft_from(&d, s, l);
    tr_expand(a, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        for (uint32_t b = 0; b < width; b += 4)
            add_lane(&d, local_word(p, w, addr[lane] + b, lane), 4);
    }
    draft_keep(&d, s, l);
}

/* Lanes whose word an earlier lane has. */
static uint8_t lanes_that_meet(const struct tr_addr *a, uint32_t mask)
{
    uint64_t addr[TR_LANES];
    uint8_t n = 0;
    tr_expand(a, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t before = mask & ((m & -m) - 1), met = 0;
        for (; before && !met; before &= before - 1)
            met = addr[__builtin_ctz(before)] == addr[__builtin_ctz(m)];
        n += (uint8_t)met;
    }
    return n;
}

/* How many different words of constants the lanes read. Their lines are kept in lines. */
static uint8_t const_words(struct sm *s, const struct tr_addr *a, uint32_t mask, struct ientry *e)
{
    uint64_t addr[TR_LANES], word[TR_LANES];
    struct draft d;
    uint32_t n = 0;
    draft_from(&d, s, &e->lines);
    tr_expand(a, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t x = addr[__builtin_ctz(m)] / 4;
        uint32_t i = 0;
        while (i < n && word[i] != x)
            i++;
        if (i < n)
            continue;
        word[n++] = x;
        /* The first sector of each line of the constant caches stands for it. */
        add_line(&d, x * 4 & ~(uint64_t)(LINE_B - 1),
                 1u << x * 4 % LINE_B / s->cfg->const_line_b * s->cfg->const_line_b / SECTOR_B);
    }
    draft_keep(&d, s, &e->lines);
    return (uint8_t)n;
}

static void map_lanes(struct sm *s, const struct part *p, uint32_t w, const struct tr_addr *a, uint32_t mask,
                      uint32_t width, struct lines *l)
{
    uint64_t addr[TR_LANES], word[TR_LANES];
    if (a->space == SPACE_SHARED || a->space == SPACE_CONST)
        return;
    tr_expand(a, mask, addr);
    if (a->space != SPACE_LOCAL) {
        lines_map(s, l, addr, mask, width);
        return;
    }
    for (uint32_t b = 0; b < width; b += 4) {
        for (uint32_t m = mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            word[lane] = local_word(p, w, addr[lane] + b, lane);
        }
        lines_map(s, l, word, mask, 4);
    }
}

/* Into the address space of a tenant that is not the first. */
static void move_lines(struct sm *s, struct lines *l, uint64_t space)
{
    for (uint32_t i = 0; i < l->n && i < INLINE_LINES; i++)
        l->at[i] += space;
    for (uint32_t i = 0; l->block != NONE16 && i < l->n; i++)
        s->lsu.blocks[l->block][i] += space;
}

void lines_of_memory(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                     const struct kinsn *k, struct lines *l)
{
    uint64_t space = s->ctas.at[p->warps[w].cta].k->space;
    for (uint32_t i = 0; i < k->naddr; i++) {
        const struct tr_addr *a = &step->addr[i];
        if (a->form == TF_NONE || a->space == SPACE_SHARED || a->space == SPACE_CONST)
            continue;
        if (a->space == SPACE_LOCAL)
            local_lines(s, p, w, a, step->mask, k->width_b, l);
        else
            global_lines(s, a, step->mask, k->width_b ? k->width_b : 4, l);
    }
    if (space)
        move_lines(s, l, space);
}

/* Cycles that shared memory is taken for. */
static uint8_t shared_cyc(struct sm *s, const struct kinsn *k, const struct tr_addr *a, uint32_t mask)
{
    return (uint8_t)(k->word_cyc *
                     passes_of(&s->lsu.passes, s->cfg->shared_banks, a, mask, k->width_b, k->meets));
}

/* Any step, on any machine. */
ASIDE static void all_sets(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                           struct ientry *e)
{
    const struct kinsn *k = e->k;
    struct lines *l = &e->lines;
    uint64_t space = s->ctas.at[p->warps[w].cta].k->space;
    for (uint32_t i = 0; i < k->naddr; i++) {
        const struct tr_addr *a = &step->addr[i];
        if (a->form == TF_NONE)
            continue;
        if (i == 0)
            e->space = a->space;
        switch ((enum ir_space)a->space) {
        case SPACE_SHARED: e->passes = shared_cyc(s, k, a, step->mask); break;
        case SPACE_LOCAL: local_lines(s, p, w, a, step->mask, k->width_b, l); break;
        case SPACE_CONST: e->passes = const_words(s, a, step->mask, e); break;
        default:
            global_lines(s, a, step->mask, k->width_b ? k->width_b : 4, l);
            e->passes =
                k->mem & TM_ATOMIC ? lanes_that_meet(a, step->mask)
                : s->cfg->l1_words && l->n > 1 && is_load(k)
                    ? passes_of(&s->lsu.passes, s->cfg->shared_banks, a, step->mask, k->width_b, false)
                    : 0;
            break;
        }
        if (s->lsu.ops->maps && is_load(k))
            map_lanes(s, p, w, a, step->mask, k->width_b ? k->width_b : 4, l);
    }
    if (s->onchip.follows)
        rows_of_step(s, p, w, step, e);
    if (space)
        move_lines(s, l, space);
}

void lines_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                   struct ientry *e)
{
    const struct kinsn *k = e->k;
    const struct sm_cta *c = &s->ctas.at[p->warps[w].cta];
    const struct tr_addr *a = &step->addr[0];
    e->lines.block = NONE16;
    e->lines.n = 0;
    e->passes = 0;
    if (RARE(c->cluster || k->announces) && far_of_step(s, p, w, step, e))
        return;
    if (s->lsu.plain_lines && k->naddr == 1 && a->space == SPACE_GLOBAL && k->width_b &&
        !(k->mem & TM_ATOMIC) && !c->k->space) {
        e->space = SPACE_GLOBAL;
        global_lines(s, a, step->mask, k->width_b, &e->lines);
    } else if (s->lsu.plain_lines && k->naddr == 1 && a->space == SPACE_SHARED) {
        e->space = SPACE_SHARED;
        e->passes = shared_cyc(s, k, a, step->mask);
    } else {
        all_sets(s, p, w, step, e);
    }
}
