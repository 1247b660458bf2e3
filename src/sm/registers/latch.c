/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/registers/latch.h"

#include "base/arena.h"

void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a)
{
    *l = (struct latches){.isolated = isolated, .at = arena_raw_lines(a, n * sizeof *l->at)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slots = by_unit ? by_unit[i] : schedulers;
        l->free[i] = (uint8_t)((1u << (slots < LATCH_SLOTS ? slots : LATCH_SLOTS)) - 1);
    }
}
