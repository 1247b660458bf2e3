/* SPDX-License-Identifier: Apache-2.0 */
/* What a policy adds to an SM, for `bankshot list storage`: counted from the configuration, in bits that hardware would have. */
#ifndef SM_STORAGE_H
#define SM_STORAGE_H

#include <stdint.h>

/* `n` entries of `bits` each. A negative `n`: entries that an SM has without the policy, and does not need with it. */
struct storage_row {
    const char *what;
    int64_t n;
    uint64_t bits;
};
enum { STORAGE_MAX = 8, STORAGE_REG_BITS = 32 * 32 /* a register of all lanes */ };

/* Bits that tell n things apart. */
static inline uint64_t storage_bits(uint64_t n)
{
    uint64_t bits = 0;
    while (n > 1ull << bits)
        bits++;
    return bits;
}

#endif
