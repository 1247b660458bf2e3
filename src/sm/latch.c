#include "sm/latch.h"

#include "base/arena.h"

/* The slots of a unit have changed. */
static void see_room(struct latches *l, uint32_t unit)
{
    uint32_t left = (uint32_t)l->mask[unit] & ~(uint32_t)l->used[unit];
    for (uint32_t n = 0; n < LATCH_SLOTS; n++) {
        bool free = l->isolated ? left >> n & 1 : left;
        l->room[n] = (uint16_t)((l->room[n] & ~(1u << unit)) | (uint32_t)free << unit);
    }
}

/* One slot has: as above, where each scheduler has its own. */
static inline void see_slot(struct latches *l, uint32_t unit, uint32_t slot)
{
    if (l->isolated)
        l->room[slot] ^= (uint16_t)(1u << unit);
    else
        see_room(l, unit);
}

void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a)
{
    *l = (struct latches){.isolated = isolated, .at = arena_raw_lines(a, n * sizeof *l->at)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slots = by_unit ? by_unit[i] : schedulers;
        l->mask[i] = (uint8_t)((1u << (slots < LATCH_SLOTS ? slots : LATCH_SLOTS)) - 1);
        see_room(l, i);
    }
}

void latch_put(struct latches *l, uint32_t unit, uint32_t scheduler, struct latched what)
{
    uint32_t slot =
        l->isolated ? scheduler : (uint32_t)__builtin_ctz((uint32_t)l->mask[unit] & ~(uint32_t)l->used[unit]);
    l->at[unit][slot] = what;
    l->used[unit] |= (uint8_t)(1u << slot);
    l->units |= (uint16_t)(1u << unit);
    see_slot(l, unit, slot);
}

void latch_clear(struct latches *l, uint32_t unit, uint32_t slot)
{
    l->used[unit] &= (uint8_t) ~(1u << slot);
    see_slot(l, unit, slot);
    if (!l->used[unit])
        l->units &= (uint16_t) ~(1u << unit);
}

uint32_t latch_oldest(const struct latches *l, uint32_t unit, uint32_t slots)
{
    uint32_t best = (uint32_t)__builtin_ctz(slots);
    for (slots &= slots - 1; slots; slots &= slots - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(slots);
        best = l->at[unit][i].age < l->at[unit][best].age ? i : best;
    }
    return best;
}
