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
            note[n].place[i] = (uint8_t)(k->insns[n].read_bank[i] * REUSE_POSITIONS + position_of(facts, at));
        }
    }
    return note;
}

void reuse_cache_init(struct reuse_cache *r, struct part *p)
{
    r->p = p;
    r->places = xcalloc(p->banks.n * REUSE_POSITIONS, sizeof *r->places);
}

void reuse_cache_free(struct reuse_cache *r) { free(r->places); }

void reuse_cache_check(const struct reuse_cache *r, uint32_t f, uint32_t found, const uint8_t *places)
{
    for (uint32_t i = 0; i < r->p->flights[f].i.k->nread; i++) {
        struct reuse_cache_place *e = &r->places[places[i]];
        if (found >> i & 1)
            check_read(r->p, f, i, e->version);
        e->version = r->p->check->reads[f][i];
    }
}

void reuse_cache_past(struct reuse_cache *r, uint32_t warp, const struct kinsn *k)
{
    for (uint32_t n = 0; n < r->p->banks.n * REUSE_POSITIONS; n++)
        if (r->places[n].key >> 8 == r->p->age[warp] + 1 && kinsn_writes(k, (uint8_t)r->places[n].key))
            r->places[n].key = 0;
}

/* ---- with collectors ---- */

static void policy_init(void *st, struct part *p) { reuse_cache_init(st, p); }
static void policy_free(void *st) { reuse_cache_free(st); }

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
    .find = policy_find,
    .write = policy_write,
    .any_order = true,
    .past = policy_past};
