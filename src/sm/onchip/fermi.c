/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory and L1 share an array of which either has three quarters, as a program asks for (Fermi; unified paper, section
 * 6.3). Registers are a memory of their own. */
#include "sm/onchip/onchip.h"
#include "sm/sm.h"

static const char *fe_fits(const struct sm_cfg *c, struct arena *a)
{
    if (c->l1_kb && c->shared_kb && (c->shared_kb == 3 * c->l1_kb || c->l1_kb == 3 * c->shared_kb))
        return NULL;
    return arena_printf(a, "of sm.shared_kb = %u and sm.l1_kb = %u one must be three times the other",
                        c->shared_kb, c->l1_kb);
}

static struct onchip_split fe_split(const struct sm_cfg *c, const struct sm_need *n)
{
    (void)n;
    return (struct onchip_split){
        .registers = c->registers, .shared_b = c->shared_kb * 1024, .cache_b = c->l1_kb * 1024ull};
}

static struct onchip_arrays fe_arrays(const struct sm_cfg *c)
{
    uint32_t kb = c->shared_kb + c->l1_kb;
    return (struct onchip_arrays){.banks = 32, .shared_kb = kb, .cache_kb = kb, .kb = kb};
}

const struct onchip_ops onchip_fermi = {
    .is = {.name = "fermi",
           .help = "shared memory and L1 share an array, three quarters and one, or the other way round",
           .fits = fe_fits},
    .cta_fits = onchip_cta_fits,
    .split = fe_split,
    .arrays = fe_arrays,
};
