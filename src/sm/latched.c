/* Instructions in the latches before and behind the collectors. */
#include "sm/stages/collect.h"

/* Free units go to the kinds of instructions in this order: GPGPU-Sim's ports serve them so. */
static const uint8_t served[] = {UNIT_FP32, UNIT_HALF, UNIT_SFU,    UNIT_LSU, UNIT_FP64,
                                 UNIT_INT,  UNIT_MISC, UNIT_BRANCH, UNIT_TEX, UNIT_TENSOR};
_Static_assert(sizeof served == UNIT_COUNT && sizeof served <= LATCH_UNITS, "every unit once");

static uint32_t scheduler_of(const struct part *p, const struct latched *l)
{
    return part_scheduler(p, p->flights[l->flight].warp);
}

/* The collectors that an instruction may take: the one that is reserved for it, or what is free for its scheduler. */
static uint64_t collectors_for(const struct part *p, const struct latched *l, uint32_t kind)
{
    uint32_t own = p->flights[l->flight].unit;
    return own != COLLECT_ANY ? 1ull << own : collect_units_of(&p->collect, scheduler_of(p, l), kind);
}

/* Of the slots of a unit: those that find a collector. */
static uint32_t lucky(const struct part *p, uint32_t unit)
{
    const struct collect *c = &p->collect;
    uint32_t can = 0;
    for (uint32_t m = c->front.used[unit]; m; m &= m - 1) {
        const struct latched *l = &c->front.at[unit][__builtin_ctz(m)];
        can |= collectors_for(p, l, unit) ? m & -m : 0;
    }
    return can;
}

/* One instruction of a unit takes a collector: the oldest, or the oldest that finds one. */
static bool admit_one(struct part *p, uint32_t unit, uint64_t t)
{
    struct collect *c = &p->collect;
    uint32_t can = p->sm->cfg->latch_order ? c->front.used[unit] : lucky(p, unit);
    if (!can)
        return false;
    uint32_t slot = latch_oldest(&c->front, unit, can);
    const struct latched *l = &c->front.at[unit][slot];
    uint64_t units = collectors_for(p, l, unit);
    if (!units)
        return false;
    const struct flight *f = &p->flights[l->flight];
    enter_unit(p, l->flight, f->i.k, f->bank0, (uint32_t)__builtin_ctzll(units), t, false, FEATURES_ALL);
    latch_clear(&c->front, unit, slot);
    return true;
}

/* One of each unit, then a second one of each, and so on. */
void collect_admit(struct part *p, uint64_t t)
{
    for (bool any = true; any && p->collect.front.units;) {
        any = false;
        for (uint32_t i = 0; i < sizeof served; i++)
            any |= p->collect.front.units >> served[i] & 1 && admit_one(p, served[i], t);
    }
}

/* Collectors of a scheduler that are empty when an instruction that issues now comes there: their own leave for latches first. */
static uint32_t about_to_leave(const struct part *p, uint32_t n, uint32_t kind)
{
    const struct collect *c = &p->collect;
    uint32_t k = 0;
    for (uint64_t m = p->sm->cfg->unit_latch ? c->full & c->own[n] & c->of[kind] : 0; m; m &= m - 1) {
        const struct flight *l = &p->flights[c->units[__builtin_ctzll(m)].flight];
        k += latch_free(&c->back, l->i.k->latch, part_scheduler(p, l->warp));
    }
    return k;
}

bool collect_spare(const struct part *p, uint32_t n, uint32_t kind)
{
    const struct collect *c = &p->collect;
    uint32_t wait = 0;
    for (uint32_t units = c->front.units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units), used = c->front.used[unit];
        if (c->of[unit] != c->of[kind])
            continue;
        for (uint32_t m = c->front.isolated ? used & 1u << n : used; m; m &= m - 1)
            wait += p->flights[c->front.at[unit][__builtin_ctz(m)].flight].unit == COLLECT_ANY;
    }
    return (uint32_t)__builtin_popcountll(collect_units_of(c, n, kind)) + about_to_leave(p, n, kind) > wait;
}

bool collect_latch(struct part *p, uint32_t f)
{
    struct latches *b = &p->collect.back;
    const struct flight *l = &p->flights[f];
    uint32_t n = part_scheduler(p, l->warp);
    if (!latch_free(b, l->i.k->latch, n))
        return false;
    latch_put(b, l->i.k->latch, n, (struct latched){.age = l->age, .flight = f});
    return true;
}

void collect_to_units(struct part *p, uint64_t t)
{
    struct latches *b = &p->collect.back;
    for (uint32_t units = b->units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        for (uint32_t left = b->used[unit]; left;) {
            uint32_t slot = latch_oldest(b, unit, left);
            left &= ~(1u << slot);
            if (flight_start(p, b->at[unit][slot].flight, t))
                latch_clear(b, unit, slot);
        }
    }
}
