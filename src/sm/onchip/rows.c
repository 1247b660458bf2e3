/* SPDX-License-Identifier: Apache-2.0 */
/* Where the rows of an access lie, and the conflicts of one instruction. */
#include "sm/core.h"

/* ---- layout ---- */

uint32_t rows_cluster(const struct sm_cfg *c, uint64_t addr)
{
    return (uint32_t)(addr / (LINE_B / c->clusters) % c->clusters);
}

uint32_t rows_bank(const struct sm_cfg *c, uint64_t addr) { return (uint32_t)(addr / LINE_B % c->banks); }

/* Different rows by place, and the words of each. In a bank are as many as there are lanes, at most: what one lane accesses lies
 * in different clusters. */
struct seen {
    uint64_t row[ROWS_BANKS][TR_LANES];
    uint8_t words[ROWS_BANKS][TR_LANES];
    uint8_t n[ROWS_BANKS];
};

static void see(struct seen *s, uint32_t place, uint64_t row, uint8_t words, bool same)
{
    uint32_t i = 0;
    while (i < s->n[place] && (s->row[place][i] != row || !same))
        i++;
    if (i == TR_LANES)
        return;
    if (i == s->n[place]) {
        s->n[place]++;
        s->row[place][i] = row;
        s->words[place][i] = 0;
    }
    s->words[place][i] |= words;
}

static void see_lane(const struct sm_cfg *c, bool pool, const struct rows_of *a, uint32_t lane,
                     struct seen *s)
{
    uint32_t row_b = pool ? LINE_B / c->clusters : 4;
    for (uint32_t k = 0; k < a->width_b; k += 4) {
        uint64_t x = a->addr[lane] + k, row = x / row_b;
        uint32_t bank = a->set ? a->set[lane] % c->banks : rows_bank(c, x);
        uint32_t place = pool ? rows_cluster(c, x) * c->banks + bank : (uint32_t)(row % ROWS_BANKS);
        see(s, place, row, (uint8_t)(1u << x % row_b / 4), a->same);
    }
}

/* Words of each cluster's rows over what it can send in a cycle. */
static uint8_t beats(const struct sm_cfg *c, const struct seen *s)
{
    uint32_t most = 0, row_words = LINE_B / c->clusters / 4;
    for (uint32_t k = 0; k < c->clusters; k++) {
        uint32_t words = 0;
        for (uint32_t p = k * c->banks; p < (k + 1) * c->banks; p++)
            for (uint32_t i = 0; i < s->n[p]; i++)
                words += (uint32_t)__builtin_popcount(s->words[p][i]);
        most = words > most ? words : most;
    }
    return (uint8_t)((most + row_words - 1) / row_words);
}

uint8_t rows_passes(const struct sm_cfg *c, bool pool, bool many, const struct rows_of *a,
                    struct row_list *list)
{
    struct seen s;
    uint32_t most = 0, of_cluster = 0;
    memset(s.n, 0, sizeof s.n);
    for (uint32_t m = a->mask; m; m &= m - 1)
        see_lane(c, pool, a, (uint32_t)__builtin_ctz(m), &s);
    for (uint32_t p = 0; p < ROWS_BANKS; p++) {
        bool sums = pool && !many && p % c->banks;
        of_cluster = s.n[p] + (sums ? of_cluster : 0);
        most = of_cluster > most ? of_cluster : most;
        list->n[p] = (uint8_t)(list->n[p] + s.n[p]);
        list->left = (uint8_t)(list->left + s.n[p]);
    }
    uint8_t out = pool && many ? beats(c, &s) : 0;
    list->beats = (uint8_t)(list->beats + out);
    return (uint8_t)(most > out ? most : out);
}

/* ---- accesses ---- */

static uint16_t list_new(struct rows *r)
{
    if (!r->free) {
        vec_push(&r->lists, (struct row_list){0});
        return (uint16_t)(r->lists.n - 1);
    }
    uint16_t at = (uint16_t)(r->free - 1);
    r->free = r->lists.at[at].next;
    r->lists.at[at] = (struct row_list){0};
    return at;
}

void rows_free(struct rows *r, uint16_t *list)
{
    if (*list == NONE16)
        return;
    r->lists.at[*list].next = r->free;
    r->free = (uint16_t)(*list + 1);
    *list = NONE16;
}

void rows_done(struct rows *r)
{
    vec_free(&r->lists);
    vec_free(&r->fills);
}

/* Local memory: a word of every lane after the other. */
static uint8_t local_rows(struct sm *s, const struct part *p, uint32_t w, struct rows_of *a,
                          struct row_list *to)
{
    const struct onchip_ops *o = s->onchip.ops;
    uint64_t word[TR_LANES];
    uint32_t set[TR_LANES], width = a->width_b, passes = 0;
    struct rows_of b = {.addr = word, .mask = a->mask, .width_b = 4, .set = set, .same = true};
    for (uint32_t k = 0; k < width; k += 4) {
        for (uint32_t m = a->mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            word[lane] = local_word(p, w, a->addr[lane] + k, lane);
            set[lane] = cache_set(&s->l1.cache, word[lane] / LINE_B);
        }
        passes += rows_passes(s->cfg, o->pool, o->many, &b, to);
    }
    return (uint8_t)passes;
}

/* Textures have a way of their own, constants a cache, atomics are done elsewhere. */
static bool touches(const struct sm *s, const struct kinsn *k, const struct tr_addr *a)
{
    if (a->form == TF_NONE || k->unit == UNIT_TEX || a->space == SPACE_CONST)
        return false;
    return a->space == SPACE_SHARED || (s->onchip.split.cache_b && !k->bypass && !(k->mem & TM_ATOMIC));
}

void rows_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                  struct ientry *e)
{
    const struct onchip_ops *o = s->onchip.ops;
    struct row_list list = {0};
    uint32_t passes = 0;
    for (uint32_t i = 0; i < e->k->naddr; i++) {
        const struct tr_addr *a = &step->addr[i];
        uint64_t addr[TR_LANES];
        uint32_t set[TR_LANES];
        if (!touches(s, e->k, a))
            continue;
        tr_expand(a, step->mask, addr);
        struct rows_of of = {.addr = addr,
                             .mask = step->mask,
                             .width_b = e->k->width_b > 4 ? e->k->width_b : 4,
                             .same = !(e->k->mem & TM_ATOMIC)};
        if (a->space == SPACE_LOCAL) {
            passes += local_rows(s, p, w, &of, &list);
            continue;
        }
        for (uint32_t m = step->mask; m && a->space != SPACE_SHARED; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            set[lane] = cache_set(&s->l1.cache, addr[lane] / LINE_B);
        }
        of.set = a->space == SPACE_SHARED ? NULL : set;
        passes += rows_passes(s->cfg, o->pool, o->many, &of, &list);
    }
    e->rows = NONE16;
    if (!passes)
        return;
    e->passes = (uint8_t)(passes < UINT8_MAX ? passes : UINT8_MAX);
    if (!o->pool)
        return;
    e->rows = list_new(&s->rows);
    s->rows.lists.at[e->rows] = list;
}

/* ---- conflicts of an instruction ---- */

/* The most accesses to one bank. A register has a row in each cluster, so only a bank's busiest cluster matters. */
static uint32_t most_accesses(struct part *p, const struct flight *l, uint32_t found)
{
    const struct sm *s = p->sm;
    uint8_t regs[64] = {0};
    uint32_t n = 0, banks = p->banks.n;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        if (found >> i & 1)
            continue;
        uint32_t b = bank_of(p, l->i.k->read_bank[i], l->bank0);
        n = ++regs[b] > n ? regs[b] : n;
    }
    if (l->i.k->route != ROUTE_MEMORY || !l->i.mask || l->i.space == SPACE_CONST ||
        (l->i.k->mem & TM_ATOMIC && l->i.space != SPACE_SHARED))
        return n;
    for (uint32_t k = 0; l->i.rows != NONE16 && k < ROWS_BANKS; k++) {
        uint32_t rows = s->rows.lists.at[l->i.rows].n[k], both = rows ? rows + regs[k % banks] : 0;
        n = both > n ? both : n;
    }
    return l->i.passes > n ? l->i.passes : n;
}

void rows_issued(struct part *p, uint32_t f, uint32_t found)
{
    struct sm *s = p->sm;
    struct flight *l = &p->flights[f];
    if (l->i.k->route != ROUTE_MEMORY || !l->i.mask)
        l->i.rows = NONE16;
    uint32_t n = most_accesses(p, l, found);
    if (n > 1)
        s->rows.max[n < ROWS_MAX ? n - 1 : ROWS_MAX - 1]++;
    if (s->onchip.insn)
        l->late = (uint8_t)(n > 1 ? n - 1 : 0);
    /* Cycle by cycle the rows of shared memory are served one by one (ports.c). */
    if (s->onchip.insn || l->i.space != SPACE_SHARED)
        rows_free(&s->rows, &l->i.rows);
}

ASIDE void rows_shared(const struct sm *s, const struct flight *l, uint32_t *busy, uint32_t *until)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(l->i.mask) * (l->i.k->width_b > 4 ? l->i.k->width_b : 4);
    if (s->onchip.insn) {
        *busy = (bytes + LINE_B - 1) / LINE_B;
        *until = l->late + 1u > *busy ? l->late + 1u : *busy;
    } else {
        *busy = *until = 1; /* in the cycle in which the last rows were served */
    }
}

void rows_count(const struct sm *s, uint64_t *sum)
{
    uint64_t others = 0;
    if (!s->onchip.follows)
        return;
    for (uint32_t i = 1; i < ROWS_MAX; i++) {
        sum[i] += s->rows.max[i];
        others += s->rows.max[i];
    }
    sum[0] += s->stats[SS_warp_insts] - others;
}
