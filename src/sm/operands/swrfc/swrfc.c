/* SPDX-License-Identifier: Apache-2.0 */
/* The software-managed files of Gebhart, Keckler, Dally (MICRO 2011) before the banks: a last-result file and an operand file, a
 * few entries for each active warp. The code says for every operand which of them, or the banks, it is read from, and for every
 * result where it goes (annotate/strands.h). Nothing is looked up and nothing is written back.
 *
 * That holds for lanes that go through a piece of code together. Here it must hold for warps whose lanes part, so the policy
 * follows them: instructions of one piece, in its order, by the same lanes, are a run. What other lanes may read is in the banks:
 * results of a run that has not all lanes go there, too. When a run breaks off (lanes part within a block; a scheduler that does
 * not know strands puts the warp aside), what only an entry has is written to its bank. Where all lanes have gone on to another
 * piece it is dead. */
#include "sm/operands/swrfc/swrfc.h"

#include "sm/operands/active.h"
#include "sm/operands/swrfc/strands.h"

#define STAGE_POLICY operands_swrfc
#include "sm/stages/tick.h"

static const struct strands_cfg *options(const struct sm_cfg *cfg)
{
    return policy_options(cfg, &strands_options);
}

STAT_TABLE(swrfc_stats, "swrfc", SWRFC_STATS);

static void swrfc_init(void *st, struct part *p)
{
    struct swrfc *r = st;
    r->p = p;
    r->warps = xcalloc(p->sm->cfg->warps, sizeof *r->warps);
    r->count = p->sm->stats + policy_stats_at(&operands_swrfc.is);
    r->lrf = options(p->sm->cfg)->lrf_entries;
    r->n = r->lrf + options(p->sm->cfg)->orf_entries;
    r->active = ~0ull;
}

static void swrfc_free(void *st)
{
    struct swrfc *r = st;
    free(r->warps);
    vec_free(&r->run);
}

static struct swrfc_warp *state_of(struct swrfc *r, uint32_t warp)
{
    struct swrfc_warp *w = &r->warps[warp];
    if (w->owner != r->p->age[warp] + 1) {
        uint32_t run = w->run;
        *w = (struct swrfc_warp){.owner = r->p->age[warp] + 1, .run = run + 1};
    }
    return w;
}

static const struct strand_insn *code_of(const struct part *p, uint32_t warp, uint32_t at)
{
    const struct strands *s = p->sm->ctas.at[p->warps[warp].cta].k->note[SEAM_OPERANDS];
    return &s->insns[at];
}

/* Do all lanes of the warp stand outside what is left of the run? Then they have come to its end. */
static bool has_ended(const struct part *p, uint32_t warp, const struct swrfc_warp *w, uint32_t at,
                      uint32_t mask)
{
    return sm_warp_is_whole(p, warp, mask) && (code_of(p, warp, at)->piece + 1 != w->piece || at <= w->last);
}

/* An entry holds its register no longer. */
static void leave(struct swrfc *r, uint32_t warp, struct swrfc_entry *e, bool dead)
{
    dead |= e->dead;
    if (e->valid && e->only && !dead)
        banks_queue_register(r->p, warp, e->reg, e->version);
    if (e->valid && e->only)
        r->p->sm->stats[dead ? SS_cache_dead : SS_cache_writebacks]++;
    e->valid = false;
}

static void end_run(struct swrfc *r, uint32_t warp, struct swrfc_warp *w, bool dead)
{
    for (uint32_t i = 0; i < r->n; i++)
        leave(r, warp, &w->e[i], dead);
    w->run++;
    w->piece = 0;
}

/* The instruction goes on with the warp's run, or begins another. */
static void follow(struct swrfc *r, const struct flight *l, struct swrfc_warp *w, const struct strand_insn *s)
{
    const struct part *p = r->p;
    uint32_t live = p->warps[l->warp].live, mask = l->i.mask & live;
    bool same = s->piece + 1 == w->piece && l->i.k->at > w->last &&
                (!w->mask || (s->guarded ? !(mask & ~w->mask) : mask == (w->mask & live)));
    if (!same) {
        end_run(r, l->warp, w, has_ended(p, l->warp, w, l->i.k->at, l->i.mask));
        w->piece = s->piece + 1;
        w->mask = 0;
        w->whole = false;
    }
    if (!w->mask && !s->guarded) {
        w->mask = l->i.mask;
        w->whole = mask == live;
    }
    w->last = l->i.k->at;
}

INTO uint32_t swrfc_find(void *st, uint32_t f, uint32_t unit)
{
    struct swrfc *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    const struct strand_insn *s = code_of(p, l->warp, l->i.k->at);
    struct swrfc_warp *w = state_of(r, l->warp);
    uint32_t found = 0;
    (void)unit;
    follow(r, l, w, s);
    if (r->run.n < p->nflights)
        vec_resize(&r->run, p->nflights);
    r->run.at[f] = w->run;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        struct swrfc_entry *e = s->read[i] == PLACE_BANK ? NULL : &w->e[s->read[i]];
        if (!e || !e->valid || e->reg != l->i.k->read[i])
            continue;
        if (p->check)
            check_read(p, f, i, l->i.mask & ~e->lanes ? CHECK_GONE : e->version);
        /* Of a guarded instruction it is not known which lanes pass it. */
        e->dead = (s->last >> i & 1) && !(w->mask & p->warps[l->warp].live & ~l->i.mask);
        found |= 1u << i;
        r->count[SWRFC_lrf_reads] += s->read[i] < r->lrf;
    }
    return found;
}

/* The entry for destination i of a flight; NULL: it has none. A guarded write changes what is there. */
static struct swrfc_entry *entry_for(struct swrfc *r, uint32_t f, uint32_t i, struct swrfc_warp *w,
                                     const struct strand_insn *s)
{
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    if (s->write[i] == PLACE_BANK) {
        p->sm->stats[SS_cache_filtered]++;
        return NULL;
    }
    struct swrfc_entry *e = &w->e[s->write[i]];
    bool has = e->valid && e->reg == l->i.k->write[i];
    if (r->run.at[f] == w->run && r->active >> l->warp & 1 && (!s->guarded || has))
        return e;
    p->sm->stats[SS_cache_lost]++;
    return NULL;
}

INTO bool swrfc_result(void *st, uint32_t f, uint32_t i)
{
    struct swrfc *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    const struct strand_insn *s = code_of(p, l->warp, l->i.k->at);
    struct swrfc_warp *w = state_of(r, l->warp);
    struct swrfc_entry *e = entry_for(r, f, i, w, s);
    uint8_t reg = l->i.k->write[i];
    /* An older value of the register must not be written back over this one. */
    for (uint32_t n = 0; n < r->n; n++)
        if (&w->e[n] != e && w->e[n].reg == reg)
            leave(r, l->warp, &w->e[n], !s->guarded);
    if (!e)
        return false;
    if (e->reg != reg)
        leave(r, l->warp, e, true);
    uint32_t others = s->guarded ? e->lanes : 0;
    *e = (struct swrfc_entry){.valid = true,
                              .only = w->whole && !(s->banks >> i & 1),
                              .reg = reg,
                              .lanes = l->i.mask | others,
                              .version = p->check ? p->check->writes[f][i] : 0};
    p->sm->stats[SS_cache_writes]++;
    r->count[SWRFC_lrf_writes] += s->write[i] < r->lrf;
    return e->only;
}

/* A warp that is put aside takes nothing along. Between strands nothing is lost by that. */
static void put_aside(struct swrfc *r, uint32_t i)
{
    const struct part *p = r->p;
    const struct inext *next = &p->warps[i].next;
    struct swrfc_warp *w = state_of(r, i);
    end_run(r, i, w, p->warps[i].n && has_ended(p, i, w, next->k->at, next->mask));
}

static void swrfc_park(void *st, uint32_t warp) { put_aside(st, warp); }

INTO void swrfc_active(void *st, uint64_t active, uint64_t mine)
{
    struct swrfc *r = st;
    const struct part *p = r->p;
    uint64_t running = p->used & ~p->blocked[BLOCK_DRAINED];
    uint64_t leave = r->active & mine & ~active & running;
    r->active = (r->active & ~mine) | active;
    for (; leave; leave &= leave - 1)
        put_aside(r, (uint32_t)__builtin_ctzll(leave));
}

/* For the warps that can be active; the code names the entries, so they have no tags. */
static uint32_t swrfc_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    int64_t n = active_slots(cfg);
    rows[0] = (struct storage_row){"last-result file", n * options(cfg)->lrf_entries, STORAGE_REG_BITS};
    rows[1] = (struct storage_row){"operand file", n * options(cfg)->orf_entries, STORAGE_REG_BITS};
    return 2;
}

/* An operand file, SRAM with a row for each entry of every active warp, and a last-result file of flip-flops. What is found there
 * goes to the collector. */
static double swrfc_price(const struct sm_cfg *cfg, const uint64_t *n, const struct price *p)
{
    const uint64_t *own = n + policy_stats_at(&operands_swrfc.is);
    double rows = (double)options(cfg)->orf_entries * active_warps(cfg);
    double read = (double)(n[SS_cache_hits] - own[SWRFC_lrf_reads] + n[SS_cache_writebacks]),
           written = (double)(n[SS_cache_writes] - own[SWRFC_lrf_writes]);
    return read * p->sram_pj(p->tech, rows, false) + written * p->sram_pj(p->tech, rows, true) +
           (double)(n[SS_cache_hits] + own[SWRFC_lrf_writes]) * p->latch_pj;
}

STAGES(swrfc, F_POLICY | F_CHOICE | F_WRITES);

const struct operands_ops operands_swrfc = {
    .is = {.name = "swrfc",
           .help = "small register files for active warps before the banks, managed by the compiler",
           .state_b = sizeof(struct swrfc),
           .options = {&strands_options, &active_options},
           .stats = &swrfc_stats,
           .fits = active_fits,
           .annotate = strands_note,
           .forget = strands_forget,
           .storage = swrfc_storage,
           .price = swrfc_price},
    .caches = true,
    .init = swrfc_init,
    .free = swrfc_free,
    .find = swrfc_find,
    .result = swrfc_result,
    .park = swrfc_park,
    .active = swrfc_active,
    .stages = &swrfc_stages};
