/* SPDX-License-Identifier: Apache-2.0 */
/* How the pool is divided (unified paper, section 4.5): registers for as many threads as fit, without spills; shared memory for
 * the same; the cache gets the rest. */
#include "sm/onchip/pool.h"

#include "sm/lsu/lsu.h"
#include "sm/registers/banks.h"
#include "sm/sm.h"

#include <string.h>

static uint64_t pool_b(const struct sm_cfg *c) { return c->onchip_kb * 1024ull; }
static uint64_t regs_b(const struct sm_need *n) { return (uint64_t)n->warps * n->regs * 4; }
static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

const char *pool_fits(const struct sm_cfg *c, struct arena *a)
{
    if (c->partitions != 1 || c->clusters * c->banks != POOL_BANKS)
        return arena_printf(
            a,
            "one pool has %u banks in one partition, not sm.partitions = %u with sm.banks = %u x "
            "sm.clusters = %u",
            POOL_BANKS, c->partitions, c->banks, c->clusters);
    if (!banks_by_insn(c) && !lsu_find(c->lsu)->in_rows)
        return "sm.conflicts = cycle has accesses wait for banks in the order of sm.lsu = coalescer alone";
    if (c->bank_reads != 1 || !c->bank_write_queue || !c->bank_write_port)
        return "a bank of the pool reads one row and writes one in a cycle (sm.bank_reads, "
               "sm.bank_write_queue, "
               "sm.bank_write_port)";
    if (!c->l1_local_through)
        return "a pool that is divided anew must have nothing in L1 that memory lacks (sm.l1_local_through)";
    return NULL;
}

const char *pool_cta_fits(const struct sm_cfg *c, const struct sm_need *n, struct arena *a)
{
    if (n->warps > c->warps)
        return arena_printf(a, "a CTA has %u warps, an SM %u slots", n->warps, c->warps);
    if (n->threads > c->threads)
        return arena_printf(a, "a CTA has %u threads, an SM holds %u", n->threads, c->threads);
    if (regs_b(n) + n->shared_b > pool_b(c))
        return arena_printf(a,
                            "a CTA needs %llu bytes of registers and %u of shared memory, the pool has %llu",
                            (unsigned long long)regs_b(n), n->shared_b, (unsigned long long)pool_b(c));
    return NULL;
}

uint64_t pool_ctas(const struct sm_cfg *c, const struct sm_need *n)
{
    uint64_t ctas = least(c->ctas, c->warps / (n->warps ? n->warps : 1));
    ctas = least(ctas, c->threads / (n->threads ? n->threads : 1));
    if (n->ctas)
        ctas = least(ctas, n->ctas);
    uint64_t each = regs_b(n) + n->shared_b;
    return each ? least(ctas, pool_b(c) / each) : ctas;
}

/* The cache has whole sets. */
static struct onchip_split divided(const struct sm_cfg *c, uint64_t registers_b, uint64_t shared_b)
{
    uint64_t set_b = (uint64_t)LINE_B * c->l1_ways;
    return (struct onchip_split){.registers = (uint32_t)(registers_b / 4),
                                 .shared_b = (uint32_t)shared_b,
                                 .cache_b = (pool_b(c) - registers_b - shared_b) / set_b * set_b};
}

struct onchip_split pool_split(const struct sm_cfg *c, const struct sm_need *n)
{
    uint64_t ctas = n ? pool_ctas(c, n) : 0;
    return n ? divided(c, ctas * regs_b(n), ctas * n->shared_b) : divided(c, 0, 0);
}

/* ---- one division for a whole program ---- */

/* What the CTAs of one launch, `ctas` of them at most, want of each region. */
static void grow(const struct sm_cfg *c, const struct sm_need *n, uint64_t ctas, uint64_t *registers_b,
                 uint64_t *shared_b)
{
    ctas = least(ctas, pool_ctas(c, n));
    *registers_b = most(*registers_b, ctas * regs_b(n));
    *shared_b = most(*shared_b, ctas * n->shared_b);
}

/* The kernel whose launches have most instructions. */
static uint32_t busiest(const struct onchip_use *uses, uint32_t n, struct arena *a)
{
    uint32_t kernels = 0, top = 0;
    for (uint32_t i = 0; i < n; i++)
        kernels = uses[i].kernel >= kernels ? uses[i].kernel + 1 : kernels;
    uint64_t *sum = ARENA_ARRAY(a, uint64_t, kernels + 1);
    memset(sum, 0, sizeof *sum * (kernels + 1));
    for (uint32_t i = 0; i < n; i++)
        sum[uses[i].kernel] += uses[i].insts;
    for (uint32_t i = 1; i < kernels; i++)
        top = sum[i] > sum[top] ? i : top;
    return top;
}

/* As much of both as any kernel wants. If that is too much, what the busiest one wants, and fewer of its CTAs until each kernel
 * has room for one. */
const char *pool_plan(const struct sm_cfg *c, const struct onchip_use *uses, uint32_t n,
                      struct onchip_split *to, struct arena *a)
{
    uint64_t reg = 0, shared = 0;
    for (uint32_t i = 0; i < n; i++)
        grow(c, &uses[i].need, UINT64_MAX, &reg, &shared);
    uint32_t kernel = busiest(uses, n, a);
    for (uint64_t ctas = c->ctas; reg + shared > pool_b(c) && ctas; ctas--) {
        reg = shared = 0;
        for (uint32_t i = 0; i < n; i++)
            grow(c, &uses[i].need, uses[i].kernel == kernel ? ctas : 1, &reg, &shared);
    }
    if (reg + shared > pool_b(c))
        return arena_printf(
            a,
            "CTAs of its kernels need up to %llu bytes of registers and up to %llu of shared memory, "
            "the pool has %llu for both (sm.onchip_scope = kernel divides it for each launch)",
            (unsigned long long)reg, (unsigned long long)shared, (unsigned long long)pool_b(c));
    *to = divided(c, reg, shared);
    return NULL;
}
