/* SPDX-License-Identifier: Apache-2.0 */
/* What collectors that keep registers cost (ccu, bow): their storage, and the energy to read and write it. */
#ifndef SM_OPERANDS_KEPT_H
#define SM_OPERANDS_KEPT_H

#include "sm/policy.h"

/* Of eight registers, whose numbers are a word's bytes: those with this number, by bit. Their bytes are 0 when it is taken off
 * all of them. */
static inline uint32_t names_in(uint64_t regs, uint8_t reg)
{
    const uint64_t one = 0x0101010101010101, low = 0x7f * one;
    uint64_t x = regs ^ reg * one, none = ~(((x & low) + low) | x | low);
    return (uint32_t)((none >> 7) * 0x0102040810204080 >> 56);
}

/* Of `units` collectors per partition that keep `entries` registers each, instead of the plain ones' operands; `bits` more for
 * each entry. Two rows and one for these. */
uint32_t kept_storage(const struct sm_cfg *cfg, uint64_t units, uint64_t entries, uint64_t bits,
                      struct storage_row *rows);

/* pJ: they have them in flip-flops, and a result comes to them through the crossbar. An operand that is found is in its place. */
double kept_price(const uint64_t *stats, const struct price *p);

#endif
