/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/kept.h"

#include "sm/core.h"

uint32_t kept_storage(const struct sm_cfg *cfg, uint64_t units, uint64_t entries, uint64_t bits,
                      struct storage_row *rows)
{
    int64_t n = (int64_t)(cfg->partitions * units * entries);
    rows[0] = (struct storage_row){"registers kept", n, STORAGE_REG_BITS};
    rows[1] =
        (struct storage_row){"operands of plain collectors",
                             -(int64_t)cfg->partitions * cfg->collectors * OPERAND_SLOTS, STORAGE_REG_BITS};
    rows[2] = (struct storage_row){"tags and state", n, bits};
    return 3;
}

double kept_price(const uint64_t *stats, const struct price *p)
{
    return (double)stats[SS_cache_writes] * (p->crossbar_pj + p->latch_pj);
}
