/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, shared memory and L1 are three memories of fixed sizes. */
#include "sm/onchip/onchip.h"
#include "sm/sm.h"

static struct onchip_split pa_split(const struct sm_cfg *c, const struct sm_need *n)
{
    (void)n;
    return (struct onchip_split){
        .registers = c->registers, .shared_b = c->shared_kb * 1024, .cache_b = c->l1_kb * 1024ull};
}

static struct onchip_arrays pa_arrays(const struct sm_cfg *c)
{
    return (struct onchip_arrays){
        .banks = 32, .shared_kb = c->shared_kb, .cache_kb = c->l1_kb, .kb = c->l1_kb + c->shared_kb};
}

const struct onchip_ops onchip_partitioned = {
    .is = {.name = "partitioned", .help = "registers, shared memory and L1 are memories of their own"},
    .cta_fits = onchip_cta_fits,
    .split = pa_split,
    .arrays = pa_arrays,
};
