/* Where the lanes of a warp are. The code says when a register is dead for lanes that have parted as branches let them; they may
 * have parted otherwise, since a warp changes between its lanes after many branches back. So nothing is given up on the code's
 * word alone: lanes that were last seen where the register was live may want it. What is kept for them goes as soon as none of
 * them does. A real machine would have a compiler that forbids such interleaving; `kept` and `demand` tell how rare it is. */
#include "sm/operands/regless/regless.h"

void rl_lanes_at(struct regless *s, uint32_t warp, uint32_t at, uint32_t mask)
{
    struct rl_warp *w = &s->warps[warp];
    uint32_t n = 0;
    if (!mask)
        return;
    for (uint32_t i = 0; i < w->ngroups; i++) {
        struct rl_group g = w->groups[i];
        g.mask &= ~mask;
        if (g.mask)
            w->groups[n++] = g;
    }
    w->groups[n] = (struct rl_group){mask, at};
    w->ngroups = n + 1;
}

/* A lane that was not seen yet may have been anywhere. */
bool rl_wanted(const struct regless *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    const struct rl_warp *w = &s->warps[warp];
    uint32_t others = s->p->warps[warp].live & ~mask;
    const regset *live = rl_note(s, warp)->r->live;
    for (uint32_t i = 0; i < w->ngroups; i++) {
        if (w->groups[i].mask & others && regset_has(&live[w->groups[i].at], reg))
            return true;
        others &= ~w->groups[i].mask;
    }
    return others != 0;
}

void rl_give_up(struct regless *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    if (rl_wanted(s, warp, reg, mask))
        regset_add(&s->warps[warp].deferred, reg);
    else
        osu_discard(s, warp, (uint8_t)reg);
}

void rl_give_up_deferred(struct regless *s, uint32_t warp)
{
    struct rl_warp *w = &s->warps[warp];
    for (regset left = w->deferred; !regset_empty(&left);) {
        uint8_t reg = regset_take(&left);
        if (rl_wanted(s, warp, reg, 0))
            continue;
        regset_drop(&w->deferred, reg);
        osu_discard(s, warp, reg);
    }
}
