/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM has counted, handed out: totals, and distributions over banks, cycles and partitions. */
#include "sm/core.h"
#include "sm/watch/tally.h"

/* In one cycle: what the banks can read, or, where nothing waits for them, all operands of all collectors. */
static uint32_t reads_most(const struct sm_cfg *c)
{
    bool any = banks_reads(c) > c->bank_reads;
    return c->partitions * (any ? sm_collectors(c) * MAX_OPERANDS : c->banks * c->bank_reads);
}

uint32_t sm_array_n(const struct sm_cfg *c, enum sm_array a)
{
    switch (a) {
    case SA_bank_reads:
    case SA_bank_writes:
    case SA_bank_conflicts: return c->banks;
    case SA_reads_per_cycle: return reads_most(c) + 1;
    case SA_partition_issued: return c->partitions;
    case SA_bank_max: return ROWS_MAX;
    case SA_COUNT: break;
    }
    return 0;
}

static void count_banks(const struct sm *s, uint64_t sum[SM_STATS])
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        banks_count(&s->parts[i].banks);
        for (uint32_t b = 0; b < s->cfg->banks; b++) {
            const struct bank_count *n = &s->parts[i].banks.count[b];
            sum[SS_reg_reads] += n->reads;
            sum[SS_reg_writes] += n->writes;
            sum[SS_bank_conflict] += n->conflicts;
            sum[SS_bank_busy] += n->reads + n->writes;
        }
    }
}

static void add_up(const struct sm *s, uint64_t sum[SM_STATS])
{
    stat_add(sum, s->stats, SM_STATS);
    count_banks(s, sum);
    if (!s->onchip.follows)
        return;
    sum[SS_split_reg_b] += s->onchip.split.registers * 4ull;
    sum[SS_split_shared_b] += s->onchip.split.shared_b;
    sum[SS_split_cache_b] += s->onchip.split.cache_b;
    sum[SS_split_threads] += s->onchip.threads_most;
}

void sm_peek(struct sm *s, uint64_t until, uint64_t sum[SM_STATS])
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++)
        part_charge(&s->parts[i], until);
    sum[SS_cycles] += until * s->cfg->partitions * s->cfg->schedulers;
    add_up(s, sum);
}

void sm_count(struct sm *s, uint64_t until, uint64_t sum[SM_STATS])
{
    uint64_t busy = 0;
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        part_charge(p, until);
        /* A cycle after the last CTA's end, in which the partition fell asleep: no warp was left. */
        s->stats[SS_stall_no_warp] -= (p->counted - until) * s->cfg->schedulers;
        p->counted = until;
    }
    if (s->trust.tally)
        tally_tell(s->trust.tally, s->trust.watch);
    s->stats[SS_cycles] = until * s->cfg->partitions * s->cfg->schedulers;
    for (uint32_t i = 1; i <= s->operands.reads_most; i++)
        busy += s->operands.reads_per_cycle[i];
    s->operands.reads_per_cycle[0] = until - busy;
    add_up(s, sum);
}

void sm_count_array(const struct sm *s, enum sm_array a, uint64_t *sum)
{
    if (a == SA_reads_per_cycle) {
        stat_add(sum, s->operands.reads_per_cycle, s->operands.reads_most + 1);
        return;
    }
    if (a == SA_bank_max) {
        rows_count(s, sum);
        return;
    }
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        const struct part *p = &s->parts[i];
        if (a == SA_partition_issued) {
            sum[i] += p->issued_insts;
            continue;
        }
        for (uint32_t b = 0; b < s->cfg->banks; b++) {
            const struct bank_count *n = &p->banks.count[b];
            sum[b] += a == SA_bank_reads ? n->reads : a == SA_bank_writes ? n->writes : n->conflicts;
        }
    }
}
