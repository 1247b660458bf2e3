/* Plain collectors, and a reuse cache as GPUs since Maxwell have it: for every bank and position of a source the register that
 * was read there last. The next read of that bank for that position replaces it; where that is of the same warp and register,
 * it is no read of the bank. (Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", 2025: six places
 * of 32 lanes in a partition of two banks. On an H200 FFMAs with three sources in one bank take 3 cycles, with two 2, and 1
 * where the code reuses all but one.)
 *
 * Compilers mark what is to be kept; here all is, which keeps at least as much. What memory instructions read does not pass. */
#include "sm/core.h"

enum { POSITIONS = 4 };

struct place {
    uint64_t owner; /* age of its warp + 1; 0: nobody's */
    uint32_t version;
    uint8_t warp, reg;
};

struct reuse {
    struct part *p;
    struct place *places; /* by bank, then position */
};

/* Positions of the registers that an instruction reads, two bits each. */
static void *reuse_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    uint32_t *note = xcalloc(k->tr->n ? k->tr->n : 1, sizeof *note);
    (void)cfg;
    for (uint32_t n = 0; n < k->tr->n; n++)
        for (uint32_t i = 0; i < k->insns[n].nread; i++) {
            uint32_t at = 0;
            while (at < k->tr->insns[n].nsrc && !kernel_names(&k->tr->insns[n].src[at], k->insns[n].read[i]))
                at++;
            note[n] |= (at < POSITIONS ? at : POSITIONS - 1) << 2 * i;
        }
    return note;
}

static void reuse_init(void *st, struct part *p)
{
    struct reuse *r = st;
    r->p = p;
    r->places = xcalloc(p->banks.n * POSITIONS, sizeof *r->places);
}

static void reuse_free(void *st) { free(((struct reuse *)st)->places); }

static uint32_t reuse_find(void *st, uint32_t f, uint32_t unit)
{
    struct reuse *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    const uint32_t *note = p->sm->ctas[p->warps[l->warp].cta].k->note[SEAM_OPERANDS];
    uint32_t found = 0;
    (void)unit;
    if (k->route != ROUTE_UNIT)
        return 0;
    for (uint32_t i = 0; i < k->nread; i++) {
        uint32_t b = bank_of(p, k->read_bank[i], l->bank0);
        struct place *e = &r->places[b * POSITIONS + (note[l->i.at] >> 2 * i & 3)];
        bool same = e->owner == p->age[l->warp] + 1 && e->warp == l->warp && e->reg == k->read[i];
        if (same && p->check)
            check_read(p, f, i, e->version);
        found |= (uint32_t)same << i;
        *e = (struct place){.owner = p->age[l->warp] + 1,
                            .version = p->check ? p->check->reads[f][i] : 0,
                            .warp = l->warp,
                            .reg = k->read[i]};
    }
    /* One is read from its bank always: an instruction does not become faster than its latency. */
    return k->nread && found == (1u << k->nread) - 1 ? found >> 1 : found;
}

static void reuse_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct reuse *r = st;
    const struct flight *l = &r->p->flights[f];
    struct place *at = &r->places[bank_of(r->p, l->i.k->write_bank[i], l->bank0) * POSITIONS];
    (void)t;
    for (uint32_t n = 0; n < POSITIONS; n++)
        if (at[n].warp == l->warp && at[n].reg == l->i.k->write[i])
            at[n].owner = 0;
}

const struct operands_ops operands_reuse = {
    .is = {.name = "reuse",
           .help = "collectors, and the register last read from each bank for each position of a source",
           .state_b = sizeof(struct reuse),
           .annotate = reuse_annotate,
           .forget = free},
    .caches = true,
    .init = reuse_init,
    .free = reuse_free,
    .find = reuse_find,
    .write = reuse_write};
