/* SPDX-License-Identifier: Apache-2.0 */
/* A CTA's registers and shared memory on their way to memory and back: a client of L1 that writes, or reads, one line after the
 * other through the SM's port, share.switch_b bytes per cycle, for one CTA at a time. What it writes bypasses L1 and goes to a
 * place of the CTA's own, which it keeps until it ends. Bank time of registers and shared memory is not modelled.
 *
 * Hand count: a CTA of 2 warps with 32 registers and no shared memory is 2 x 32 x 128 B = 64 lines, and at 12 bytes per cycle
 * its last line is sent 63 x 128 / 12 = 672 cycles after the first. */
#include "sm/warps/park.h"

#include "sm/tenant/share.h"

enum { FRACTION = 256, PRIORITY = L1_LSU_PRIORITY + 1, PLACES = 4096 };
#define CONTEXT_BASE 0x0030000000000000ull /* beyond local memory (lines.c) */
#define CONTEXT_B 0x100000ull              /* of a CTA, more than an SM has */

struct move {
    uint32_t slot;
    uint32_t lines, next; /* of the CTA, the next of them */
};

struct switcher {
    struct sm *s;
    uint32_t client;
    uint32_t step;        /* cycles of a line, in fractions */
    uint64_t at;          /* when the next one may go, in fractions */
    uint32_t outstanding; /* reads of the first move */
    bool blocked;         /* no miss entry: until a reply */
    VEC(struct move) moves;
};

static struct sm_cta *cta_of(const struct switcher *x) { return &x->s->ctas.at[x->moves.at[0].slot]; }

static uint64_t line_of(const struct sm *s, const struct sm_cta *c, uint32_t i)
{
    return mem_space(c->k->id.tenant) + CONTEXT_BASE +
           ((uint64_t)s->id * PLACES + (c->context - 1) % PLACES) * CONTEXT_B + (uint64_t)i * LINE_B;
}

/* Its warps may go on. */
static void let_go(struct sm *s, struct sm_cta *c)
{
    c->way = SWITCH_NONE;
    for (uint32_t i = 0; i < c->need.warps; i++) {
        struct part *p = &s->parts[c->warps[i] >> 8];
        uint32_t n = c->warps[i] & 255;
        p->warps[n].limits &= (uint8_t)~LIMIT_RETURNS;
        if (p->warps[n].block != BLOCK_DRAINED)
            sm_warp_refresh(p, n);
        part_wake(p, s->clock.now);
    }
}

static void first_done(struct switcher *x)
{
    struct sm_cta *c = cta_of(x);
    memmove(x->moves.at, x->moves.at + 1, sizeof *x->moves.at * --x->moves.n);
    if (c->way == SWITCH_OUT)
        c->way = SWITCH_SAVED;
    else
        let_go(x->s, c);
}

static void count_line(struct sm *s, const struct sm_cta *c)
{
    s->stats[SS_switch_b] += LINE_B;
    if (s->tenants.stats)
        s->tenants.stats[c->k->id.tenant][SS_switch_b] += LINE_B;
}

static void tick(void *ctx, uint64_t t)
{
    struct switcher *x = ctx;
    struct sm *s = x->s;
    if (!x->moves.n || x->blocked || x->moves.at[0].next == x->moves.at[0].lines || x->at > t * FRACTION)
        return;
    struct move *m = &x->moves.at[0];
    const struct sm_cta *c = cta_of(x);
    uint64_t line = line_of(s, c, m->next);
    bool out = c->way == SWITCH_OUT;
    enum l1_answer a = !out                              ? l1_fetch(s, x->client, 0, false, line, 15, t)
                       : l1_store(s, line, 15, false, t) ? L1_HIT
                                                         : L1_WAIT;
    if (a == L1_WAIT) {
        x->blocked = !out && l1_open(s, t);
        x->at = (t + 1) * FRACTION;
        return;
    }
    count_line(s, c);
    x->outstanding += a > L1_HIT;
    m->next++;
    /* Behind time because the port was full, it does not catch up. */
    x->at = (x->at + FRACTION > t * FRACTION ? x->at : t * FRACTION) + x->step;
    if (!x->outstanding && m->next == m->lines)
        first_done(x);
}

static uint64_t next(const void *ctx)
{
    const struct switcher *x = ctx;
    bool waits = !x->moves.n || x->blocked || x->moves.at[0].next == x->moves.at[0].lines;
    uint64_t at = (x->at + FRACTION - 1) / FRACTION;
    return waits ? NEVER
           /* A cycle that is over would be run in the next window's place */
           : at > x->s->clock.now ? at
                                  : x->s->clock.now;
}

static void arrived(void *ctx, uint32_t name, uint64_t t)
{
    struct switcher *x = ctx;
    (void)name, (void)t;
    x->outstanding--;
    if (!x->outstanding && x->moves.n && x->moves.at[0].next == x->moves.at[0].lines)
        first_done(x);
}

static void replied(void *ctx, uint64_t t)
{
    (void)t;
    ((struct switcher *)ctx)->blocked = false;
}

/* The first CTA of the SM that moves brings the client: others do not pay for it. */
static struct switcher *switcher_of(struct sm *s)
{
    uint32_t bytes = share_cfg_of(s->cfg)->switch_b;
    if (s->ctas.switcher || !bytes)
        return s->ctas.switcher;
    struct switcher *x = xcalloc(1, sizeof *x);
    *x = (struct switcher){.s = s, .step = LINE_B * FRACTION / bytes};
    x->client = l1_add(s, &(struct l1_client){.name = "context switches",
                                              .priority = PRIORITY,
                                              .ctx = x,
                                              .tick = tick,
                                              .next = next,
                                              .arrived = arrived,
                                              .replied = replied});
    s->ctas.switcher = x;
    return x;
}

bool switch_begin(struct sm *s, uint32_t slot, enum switch_way way)
{
    struct switcher *x = switcher_of(s);
    struct sm_cta *c = &s->ctas.at[slot];
    uint64_t bytes = (uint64_t)c->need.warps * c->need.regs * 4 + c->need.shared_b;
    if (!x || !bytes)
        return false;
    if (!c->context)
        c->context = ++s->ctas.contexts;
    c->way = (uint8_t)way;
    if (!x->moves.n && x->at < s->clock.now * FRACTION)
        x->at = s->clock.now * FRACTION;
    vec_push(&x->moves, (struct move){.slot = slot, .lines = (uint32_t)((bytes + LINE_B - 1) / LINE_B)});
    for (uint32_t i = 0; way == SWITCH_IN && i < c->need.warps; i++) {
        struct part *p = &s->parts[c->warps[i] >> 8];
        struct sm_warp *w = &p->warps[c->warps[i] & 255];
        w->limits |= LIMIT_RETURNS;
        if (w->block != BLOCK_DRAINED)
            sm_warp_refresh(p, c->warps[i] & 255);
    }
    return true;
}

void switch_cancel(struct sm *s, uint32_t slot)
{
    struct switcher *x = s->ctas.switcher;
    uint32_t left = 0;
    s->ctas.at[slot].way = SWITCH_NONE;
    vec_each (&x->moves, m)
        if (m->slot != slot)
            x->moves.at[left++] = *m;
    x->moves.n = left;
}

void switch_free(struct sm *s)
{
    if (s->ctas.switcher)
        vec_free(&s->ctas.switcher->moves);
    free(s->ctas.switcher);
}
