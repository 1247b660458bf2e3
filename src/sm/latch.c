/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/latch.h"

#include "base/arena.h"

void latch_see_room(struct latches *l, uint32_t unit)
{
    uint32_t left = (uint32_t)l->mask[unit] & ~(uint32_t)l->used[unit];
    for (uint32_t n = 0; n < LATCH_SLOTS; n++) {
        bool free = l->isolated ? left >> n & 1 : left;
        l->room[n] = (uint16_t)((l->room[n] & ~(1u << unit)) | (uint32_t)free << unit);
    }
}

void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a)
{
    *l = (struct latches){.isolated = isolated, .at = arena_raw_lines(a, n * sizeof *l->at)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slots = by_unit ? by_unit[i] : schedulers;
        l->mask[i] = (uint8_t)((1u << (slots < LATCH_SLOTS ? slots : LATCH_SLOTS)) - 1);
        latch_see_room(l, i);
    }
}
