/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory and L1 share an array, as on Volta and after: when an SM is empty, shared memory gets as much as the CTAs that
 * fit otherwise can use, in steps, and L1 the rest. Registers are a memory of their own.
 *
 * CTAs are counted against all of sm.shared_kb, not against the step: a kernel that starts beside another one may hold what that
 * one's split has left to L1. */
#include "sm/onchip/onchip.h"
#include "sm/sm.h"

static const char *ca_fits(const struct sm_cfg *c, struct arena *a)
{
    return c->l1_kb >= c->shared_kb
               ? NULL
               : arena_printf(a, "sm.shared_kb = %u does not fit into the array of sm.l1_kb = %u",
                              c->shared_kb, c->l1_kb);
}

/* Bytes of shared memory for CTAs like this one. */
static uint64_t carve(const struct sm_cfg *c, const struct sm_need *n)
{
    /* KB, as current GPUs offer. */
    static const uint32_t steps[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    uint64_t ctas = c->threads / (n->threads ? n->threads : 1);
    uint64_t by_regs = n->regs ? c->registers / ((uint64_t)n->regs * n->warps) : ctas;
    ctas = ctas < by_regs ? ctas : by_regs;
    ctas = ctas < c->ctas ? ctas : c->ctas;
    uint64_t want = (uint64_t)(n->shared_b + c->shared_own_b) * ctas;
    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (steps[i] <= c->shared_kb && steps[i] * 1024ull >= want)
            return steps[i] * 1024ull;
    return c->shared_kb * 1024ull;
}

static struct onchip_split ca_split(const struct sm_cfg *c, const struct sm_need *n)
{
    uint64_t all = c->l1_kb * 1024ull, shared_b = n ? carve(c, n) : 0;
    return (struct onchip_split){
        .registers = c->registers,
        .shared_b = c->shared_kb * 1024,
        /* Where shared memory has it all, a line is left. */
        .cache_b = all > shared_b ? all - shared_b
                   : all          ? LINE_B
                                  : 0,
    };
}

static struct onchip_arrays ca_arrays(const struct sm_cfg *c)
{
    return (struct onchip_arrays){.banks = 32, .shared_kb = c->l1_kb, .cache_kb = c->l1_kb, .kb = c->l1_kb};
}

const struct onchip_ops onchip_carved = {
    .is = {.name = "carved",
           .help = "shared memory is taken from L1's array, as much as is wanted when an SM is empty",
           .fits = ca_fits},
    .cta_fits = onchip_cta_fits,
    .split = ca_split,
    .arrays = ca_arrays,
};
