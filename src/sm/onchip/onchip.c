/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/onchip/onchip.h"

#include "sm/assign/assign.h"
#include "sm/registers/banks.h"
#include "sm/sm.h"

#include <string.h>

const char *conflict_name(uint32_t i)
{
    static const char *const names[] = {"cycle", "insn", NULL};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

const char *scope_name(uint32_t i)
{
    static const char *const names[] = {"program", "kernel", NULL};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static uint32_t regs_per_part(const struct sm_cfg *c) { return c->registers / c->partitions; }

const char *onchip_cta_fits(const struct sm_cfg *c, const struct sm_need *n, struct arena *a)
{
    uint64_t slots = (uint64_t)c->partitions * c->warps;
    if (n->warps > slots)
        return arena_printf(a, "a CTA has %u warps, an SM %u partitions x %u slots = %llu", n->warps,
                            c->partitions, c->warps, (unsigned long long)slots);
    if (n->threads > c->threads)
        return arena_printf(a, "a CTA has %u threads, an SM holds %u", n->threads, c->threads);
    uint32_t per = (n->warps + c->partitions - 1) / c->partitions;
    if ((uint64_t)per * n->regs > regs_per_part(c))
        return arena_printf(
            a, "a CTA needs %u warps x %u = %u registers in one partition, which has %u / %u = %u", per,
            n->regs, per * n->regs, c->registers, c->partitions, regs_per_part(c));
    if (n->shared_b > c->shared_cta_kb * 1024 || n->shared_b > c->shared_kb * 1024)
        return arena_printf(a, "a CTA needs %u bytes of shared memory, of which there are %u", n->shared_b,
                            (c->shared_cta_kb < c->shared_kb ? c->shared_cta_kb : c->shared_kb) * 1024);
    return NULL;
}

/* All of the division is free. */
static void set_free(struct onchip *o)
{
    const struct sm_cfg *c = o->cfg;
    o->threads = c->threads;
    o->shared_b = o->split.shared_b;
    for (uint32_t i = 0; i < c->partitions; i++) {
        o->regs[i] = o->split.registers / c->partitions;
        o->slots[i] = c->warps < 64 ? (1ull << c->warps) - 1 : UINT64_MAX;
    }
}

void onchip_init(struct onchip *o, const struct sm_cfg *c)
{
    *o = (struct onchip){.cfg = c, .ops = onchip_find(c->onchip), .insn = banks_by_insn(c)};
    o->follows = o->insn || o->ops->pool;
    o->shares = c->isolated && assign_find(c->assign)->shares ? c->schedulers : 1;
    for (uint32_t slot = 0; slot < 64; slot++)
        o->of_share[slot % o->shares] |= 1ull << slot;
    o->split = o->ops->split(c, NULL);
    set_free(o);
}

bool onchip_divide(struct onchip *o, const struct sm_need *next)
{
    struct onchip_split old = o->split;
    if (!o->planned)
        o->split = o->ops->split(o->cfg, next);
    set_free(o);
    return o->split.cache_b != old.cache_b || o->split.shared_b != old.shared_b ||
           o->split.registers != old.registers;
}

const char *onchip_plan(const struct sm_cfg *c, const struct onchip_use *uses, uint32_t n,
                        struct onchip_split *to, bool *has, struct arena *a)
{
    const struct onchip_ops *ops = onchip_find(c->onchip);
    *has = ops->plan && strcmp(c->onchip_scope, "program") == 0;
    return *has ? ops->plan(c, uses, n, to, a) : NULL;
}

void onchip_keep(struct onchip *o, const struct onchip_split *plan)
{
    o->split = *plan;
    o->planned = true;
    set_free(o);
}

/* Of the warp slots that are free: those of a place. */
static uint64_t free_at(const struct onchip *o, const uint64_t *slots, uint32_t at)
{
    return o->shares == 1 ? slots[at] : slots[at / o->shares] & o->of_share[at % o->shares];
}

bool onchip_place(const struct onchip *o, const struct sm_need *n, uint8_t *where)
{
    uint32_t regs[ONCHIP_PARTS], places = o->cfg->partitions * o->shares;
    uint64_t slots[ONCHIP_PARTS];
    if (!onchip_may(o, n->threads, n->shared_b))
        return false;
    memcpy(slots, o->slots, sizeof slots);
    memcpy(regs, o->regs, sizeof regs);
    for (uint32_t w = 0; w < n->warps; w++) {
        uint32_t at = where[w], tries = 0;
        while (tries < places && (!free_at(o, slots, at) || regs[at / o->shares] < n->regs)) {
            at = at + 1 < places ? at + 1 : 0;
            tries++;
        }
        if (tries == places)
            return false;
        uint64_t slot = free_at(o, slots, at);
        slots[at / o->shares] &= ~(slot & -slot);
        regs[at / o->shares] -= n->regs;
        where[w] = (uint8_t)at;
    }
    return true;
}

void onchip_take(struct onchip *o, const struct sm_need *n, const uint8_t *where, uint32_t *warps)
{
    o->threads -= n->threads;
    o->threads_most =
        o->cfg->threads - o->threads > o->threads_most ? o->cfg->threads - o->threads : o->threads_most;
    o->shared_b -= n->shared_b;
    for (uint32_t w = 0; w < n->warps; w++) {
        uint32_t p = where[w] / o->shares, slot = (uint32_t)__builtin_ctzll(free_at(o, o->slots, where[w]));
        o->slots[p] &= ~(1ull << slot);
        o->regs[p] -= n->regs;
        warps[w] = p << 8 | slot;
    }
}

void onchip_give(struct onchip *o, const struct sm_need *n, const uint32_t *warps)
{
    o->threads += n->threads;
    o->shared_b += n->shared_b;
    for (uint32_t w = 0; w < n->warps; w++) {
        uint32_t p = warps[w] >> 8;
        o->slots[p] |= 1ull << (warps[w] & 255);
        o->regs[p] += n->regs;
    }
}
