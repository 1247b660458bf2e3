/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/reuse.h"
#include "trace/code/facts.h"

/* Where an instruction has its only register or its second one is not always the next place: additions have theirs in that of
 * FMA's addend, what has one source in that of FMA's second factor (the reuse bits in code of nvcc 13 for sm_90). */
static uint32_t position_of(uint32_t facts, uint32_t source)
{
    if (facts & TF_ADDS)
        return source ? 2 : 0;
    if (facts & TF_ONE_SOURCE)
        return 1;
    return source < REUSE_POSITIONS ? source : REUSE_POSITIONS - 1;
}

void *reuse_cache_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    const struct tr_kernel *t = k->tr;
    struct reuse_note *note = xcalloc(t->n ? t->n : 1, sizeof *note);
    (void)cfg;
    for (uint32_t b = 0; b < t->nblocks; b++)
        for (uint32_t n = 0; n < t->blocks[b].n; n++)
            note[t->blocks[b].start + n].block = t->blocks[b].start;
    for (uint32_t n = 0; n < t->n; n++) {
        uint32_t facts = tr_facts(&t->insns[n]);
        for (uint32_t i = 0; i < k->insns[n].nread; i++) {
            uint32_t at = 0;
            while (at < t->insns[n].nsrc && !kernel_names(&t->insns[n].src[at], k->insns[n].read[i]))
                at++;
            uint32_t position = position_of(facts, at);
            bool keeps = !k->insns[n].coded || k->insns[n].keeps >> position & 1;
            note[n].place[i] = (uint8_t)(k->insns[n].read_bank[i] * REUSE_POSITIONS + position);
            note[n].keeps |= (uint16_t)(keeps << i);
        }
    }
    return note;
}

void reuse_cache_init(struct reuse_cache *r, struct part *p)
{
    r->p = p;
    r->nplaces = p->banks.n * REUSE_POSITIONS;
    r->places = xcalloc(r->nplaces, sizeof *r->places);
    r->versions = p->check ? xcalloc(r->nplaces, sizeof *r->versions) : NULL;
    r->moved = xcalloc(p->banks.n, r->nplaces);
    for (uint32_t bank0 = 0; bank0 < p->banks.n; bank0++)
        for (uint32_t i = 0; i < p->banks.group * REUSE_POSITIONS; i++)
            r->moved[bank0 * r->nplaces + i] =
                (uint8_t)(bank_of(p, i / REUSE_POSITIONS, bank0) * REUSE_POSITIONS + i % REUSE_POSITIONS);
}

void reuse_cache_free(struct reuse_cache *r)
{
    free(r->places);
    free(r->versions);
    free(r->moved);
}

/* Is what the place has the warp's? */
static bool owns(const struct reuse_cache *r, uint32_t place, uint32_t warp)
{
    return r->places[place] >> 40 == warp + 1;
}

void reuse_cache_begin(struct reuse_cache *r, uint32_t warp)
{
    r->notes[warp] = r->p->sm->ctas.at[r->p->warps[warp].cta].k->note[SEAM_OPERANDS];
    for (uint32_t n = 0; n < r->nplaces; n++)
        if (owns(r, n, warp))
            r->places[n] = 0;
}

void reuse_cache_check(const struct reuse_cache *r, uint32_t f, uint32_t found)
{
    const struct flight *l = &r->p->flights[f];
    const struct reuse_note *note = &r->notes[l->warp][l->i.k->at];
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        uint32_t *version = &r->versions[reuse_moved(r, l)[note->place[i]]];
        if (found >> i & 1)
            check_read(r->p, f, i, *version);
        *version = r->p->check->reads[f][i];
    }
}

void reuse_cache_past(struct reuse_cache *r, uint32_t warp, const struct kinsn *k)
{
    for (uint32_t n = 0; n < r->nplaces; n++)
        if (owns(r, n, warp) && kinsn_writes(k, (uint8_t)(r->places[n] >> 32)))
            r->places[n] = 0;
}

/* ---- with collectors ---- */

static void policy_init(void *st, struct part *p) { reuse_cache_init(st, p); }
static void policy_free(void *st) { reuse_cache_free(st); }

static void policy_begin(void *st, uint32_t warp, bool again)
{
    (void)again;
    reuse_cache_begin(st, warp);
}

/* What memory instructions read does not pass. */
static uint32_t policy_find(void *st, uint32_t f, uint32_t unit)
{
    struct reuse_cache *r = st;
    const struct kinsn *k = r->p->flights[f].i.k;
    (void)unit;
    uint32_t found = k->route == ROUTE_UNIT ? reuse_cache_find(r, f).found : 0;
    /* One is read from its bank always: an instruction does not become faster than its latency. */
    return k->nread && found == (1u << k->nread) - 1 ? found >> 1 : found;
}

static void policy_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    (void)t;
    reuse_cache_write(st, f, i);
}

static void policy_past(void *st, uint32_t warp, const struct kinsn *k) { reuse_cache_past(st, warp, k); }

const struct operands_ops operands_reuse = {
    .is = {.name = "reuse",
           .help = "collectors, and the register last read from each bank for each position of a source",
           .state_b = sizeof(struct reuse_cache),
           .annotate = reuse_cache_annotate,
           .forget = free},
    .caches = true,
    .found = "reuse",
    .init = policy_init,
    .free = policy_free,
    .warp_begin = policy_begin,
    .find = policy_find,
    .write = policy_write,
    .any_order = true,
    .past = policy_past};
