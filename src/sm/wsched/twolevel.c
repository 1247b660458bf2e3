/* SPDX-License-Identifier: Apache-2.0 */
/* Two-level: only warps of a small active set issue, loose round robin among them. A warp that waits for memory or at a
 * barrier leaves the set; the oldest ready one outside takes its place, or the slot whose turn it is (GPGPU-Sim, where one that
 * still waits, or has no warp, leaves again a cycle later). With strands it leaves between these only, and comes back when all
 * that it has asked of memory is there. */
#include "sm/wsched/wsched.h"

#include "sm/core.h"
#include "sm/operands/swrfc/strands.h"
#include "sm/wsched/active.h"

CONF_TABLE(active_options, "active", active_cfg, ACTIVE_OPTIONS);

struct two {
    struct wsched_active now; /* of `active`, those with a warp */
    uint64_t active;          /* with turn, also slots without a warp */
    uint32_t max, last, n;    /* n: of `active` */
    bool turn;
    uint64_t clock, left[64]; /* by slot: when it has left the set, in the order of all that did */
};

static void two_init(void *st, const struct sm_cfg *cfg)
{
    const struct active_cfg *own = policy_options(cfg, &active_options);
    *(struct two *)st = (struct two){.max = own->warps, .last = 63, .turn = own->turn};
}

/* These warps leave the set. */
ASIDE static void leave_set(struct two *s, uint64_t leaves)
{
    s->active &= ~leaves;
    for (uint64_t m = leaves; m; m &= m - 1) {
        s->n--;
        if (s->turn)
            s->left[__builtin_ctzll(m)] = ++s->clock;
    }
}

/* Others take the free places of the set. */
ASIDE static void fill_set(struct two *s, const struct wsched_view *v)
{
    for (uint64_t out = (s->turn ? v->slots : v->ready) & ~s->active; out && s->n < s->max; s->n++) {
        uint64_t bit = 1ull << wsched_oldest(out, s->turn ? s->left : v->age);
        s->active |= bit;
        out &= ~bit;
    }
}

static int two_pick(void *st, const struct wsched_view *v)
{
    struct two *s = st;
    uint64_t leaves = s->active & (v->waiting | ~v->resident);
    if (RARE(leaves))
        leave_set(s, leaves);
    if (s->n < s->max)
        fill_set(s, v);
    s->now.slots = s->active & v->resident;
    uint64_t can = v->ready & s->active;
    if (!can)
        return WSCHED_NONE;
    uint64_t after = s->last == 63 ? 0 : can & ~0ull << (s->last + 1);
    return __builtin_ctzll(after ? after : can);
}

static void two_issued(void *st, uint32_t slot) { ((struct two *)st)->last = slot; }

const struct wsched_ops wsched_twolevel = {.is = {.name = "two-level",
                                                  .help = "round robin over a small active set",
                                                  .state_b = sizeof(struct two),
                                                  .options = {&active_options}},
                                           .init = two_init,
                                           .pick = two_pick,
                                           .issued = two_issued,
                                           .active = true};

const struct wsched_ops wsched_strands = {.is = {.name = "strands",
                                                 .help = "two-level, the set changes between strands",
                                                 .state_b = sizeof(struct two),
                                                 .options = {&active_options, &strands_options},
                                                 .annotate = strands_mark,
                                                 .forget = strands_forget},
                                          .strands = true,
                                          .init = two_init,
                                          .pick = two_pick,
                                          .issued = two_issued,
                                          .active = true};
