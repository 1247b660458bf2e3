/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/core.h"

bool banks_by_insn(const struct sm_cfg *cfg) { return strcmp(cfg->conflicts, "insn") == 0; }

/* More than any instruction has operands, and no byte of 128 (stages/need.h). */
uint32_t banks_reads(const struct sm_cfg *cfg) { return banks_by_insn(cfg) ? INT8_MAX : cfg->bank_reads; }

uint32_t banks_group(const struct sm_cfg *cfg)
{
    return cfg->isolated ? cfg->banks / cfg->schedulers : cfg->banks;
}

uint32_t banks_first(const struct sm_cfg *cfg, uint32_t slot)
{
    uint32_t group = banks_group(cfg), shift = slot + (cfg->bank_swizzle_rows ? slot / group : 0);
    return (cfg->isolated ? slot % cfg->schedulers * group : 0) + (cfg->bank_swizzle ? shift % group : 0);
}

void banks_init(struct banks *b, const struct sm_cfg *cfg, struct arena *a)
{
    *b = (struct banks){.n = cfg->banks,
                        .group = banks_group(cfg),
                        .write_queue = cfg->bank_write_queue && !banks_by_insn(cfg),
                        .reads = banks_reads(cfg),
                        .write_port = cfg->bank_write_port || banks_by_insn(cfg),
                        .writes = arena_alloc(a, cfg->banks * sizeof *b->writes),
                        .count = arena_alloc(a, cfg->banks * sizeof *b->count)};
    for (uint32_t i = 0; i < b->n; i++)
        b->end[i] = (uint8_t)((i / b->group + 1) * b->group);
}

void banks_free(struct banks *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        vec_free(&b->writes[i].q);
}

#define KEPT BANKS_KEPT
enum { KEPT_AGE = 46, KEPT_SLOT = 40, KEPT_REG = 32, KEPT_AGE_BITS = 17 };

static uint64_t kept_age(const struct part *p, uint32_t warp)
{
    return (p->age[warp] & ((1u << KEPT_AGE_BITS) - 1)) << KEPT_AGE;
}

void banks_queue_register(struct part *p, uint32_t warp, uint8_t reg, uint32_t version)
{
    uint32_t bank = bank_of(p, reg % p->banks.group, p->warps[warp].bank0);
    banks_queue(&p->banks, bank,
                KEPT | kept_age(p, warp) | (uint64_t)warp << KEPT_SLOT | (uint64_t)reg << KEPT_REG | version);
    p->banks.kept |= 1ull << bank;
}

/* The warp may have ended meanwhile, and another one be in its slot. */
void banks_write_register(struct part *p, uint64_t what)
{
    if (!p->check)
        return;
    uint32_t warp = what >> KEPT_SLOT & 63;
    if ((what & ~KEPT) >> KEPT_AGE << KEPT_AGE == kept_age(p, warp))
        check_write_kept(p, warp, what >> KEPT_REG & 255, (uint32_t)what);
}

/* Has a bank with pending writes one of which these bits are `what`? */
static bool expects(const struct bank_writes *w, uint64_t bits, uint64_t what)
{
    if ((w->first & bits) == what)
        return true;
    for (uint32_t i = w->head; i < w->q.n; i++)
        if ((w->q.at[i] & bits) == what)
            return true;
    return false;
}

bool banks_expect(const struct part *p, uint32_t warp)
{
    for (uint64_t m = p->banks.pending; m; m &= m - 1)
        if (expects(&p->banks.writes[__builtin_ctzll(m)], KEPT | 63ull << KEPT_SLOT,
                    KEPT | (uint64_t)warp << KEPT_SLOT))
            return true;
    return false;
}

bool banks_keeps(const struct part *p, uint32_t bank, uint32_t warp, uint8_t reg)
{
    uint64_t what = KEPT | (uint64_t)warp << KEPT_SLOT | (uint64_t)reg << KEPT_REG;
    return p->banks.pending >> bank & 1 &&
           expects(&p->banks.writes[bank], KEPT | 63ull << KEPT_SLOT | 255ull << KEPT_REG, what);
}

void banks_count(struct banks *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        b->count[i].reads += b->got[i / 8] >> i % 8 * 8 & 255;
        b->count[i].conflicts += b->got_late[i / 8] >> i % 8 * 8 & 255;
    }
    memset(b->got, 0, sizeof b->got);
    memset(b->got_late, 0, sizeof b->got_late);
}

void banks_read(struct part *p, uint32_t bank, uint64_t waited)
{
    struct banks *b = &p->banks;
    b->read_now |= 1ull << bank;
    b->count[bank].reads++;
    p->sm->operands.reads_now++;
    if (waited)
        banks_waited(p, bank, waited);
}

void banks_waited(struct part *p, uint32_t bank, uint64_t waited)
{
    p->banks.count[bank].conflicts++;
    p->sm->stats[SS_reg_read_wait] += waited;
}
