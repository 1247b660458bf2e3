/* SPDX-License-Identifier: Apache-2.0 */
/* CTA barriers (PTX bar, barrier). Arrivals are counted per thread, so divergent ones work. Lanes of a warp that do not
 * exist or have exited count as arrived: with the rest of their warp where a thread count is given (hardware counts whole
 * warps), always where all threads of the CTA are waited for. */
#include "exec/run.h"
#include "exec/sanitize/san_hooks.h"

static bool complete(const struct run *r, const struct cta *c, const struct bar *b)
{
    uint32_t n = b->again;
    bool all = true;
    for (uint32_t k = 0; k < r->nwarps; k++) {
        uint32_t gone = ~c->warps[k].live;
        all = all && (b->arrived[k] | gone) == ~0u;
        if (b->arrived[k])
            n += lanes_n(b->arrived[k] | gone);
    }
    return b->expected ? n >= b->expected : all;
}

static void deliver(struct run *r, struct warp *w, const struct split *s, const struct bar *b)
{
    const struct dop *d = &r->ops[s->pc];
    uint32_t flag = d->x.insn->sub == BAR_RED_AND ? b->ones == b->voters : b->ones != 0;
    if (d->x.insn->sub < BAR_RED_POPC)
        return;
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    lanes_each (s->mask, l)
        dst[l] = b->ones;
    x_pset(&w->x, d->x.pdst[1], 0u - flag, s->mask);
}

/* Splits of one warp that waited at one pc go on as one. */
static void wake(struct run *r, struct warp *w, uint32_t id, const struct bar *b)
{
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_BAR || s->key != id)
            continue;
        split_merge(w, i);
        deliver(r, w, s, b);
        s->state = SPLIT_RUN;
        s->pc++;
    }
    if (w->state == WARP_WAITS)
        w->state = WARP_READY;
}

static void release(struct run *r, struct cta *c, uint32_t id)
{
    struct bar b = c->bars[id];
    if (r->check)
        san_release(r->check, c, id);
    memset(&c->bars[id], 0, sizeof b);
    for (uint32_t k = 0; k < r->nwarps; k++)
        wake(r, &c->warps[k], id, &b);
}

static bool bar_is_dynamic(const struct ir_insn *i)
{
    return (i->src[0].kind != OPND_IMM && i->src[0].kind != OPND_NONE) ||
           (i->src[1].kind != OPND_IMM && i->src[1].kind != OPND_NONE);
}

/* The operands of the lane, checked. */
static bool operands(struct run *r, struct warp *w, const struct dop *d, uint32_t lane, uint32_t *id,
                     uint32_t *expected)
{
    bool counted = d->x.insn->src[1].kind != OPND_NONE;
    *id = x_row(&w->x, &d->x, 0)[lane];
    *expected = counted ? x_row(&w->x, &d->x, 1)[lane] : 0;
    if (d->x.insn->flags & IRF_X) { /* one register: the number, and from bit 16 on the threads, 0 for all */
        *id &= NBARRIERS - 1;
        *expected = *expected >> 16 & 0xfff;
        counted = *expected != 0;
    }
    if (*id >= NBARRIERS)
        return fail(r, w, EXEC_BAD_CODE, lane, 0, "barrier %u: there are 16, numbered from 0", *id);
    if (counted && (*expected == 0 || *expected % LANES))
        return fail(r, w, EXEC_BAD_CODE, lane, 0, "barrier %u: thread count %u is not a multiple of 32", *id,
                    *expected);
    if (*expected == r->nwarps * LANES)
        *expected = 0;
    return true;
}

/* The current split is at a BAR and `mask` execute it. Lanes with the operands of the first one arrive; the others stay
 * for a turn of their own. */
bool bar_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    struct cta *c = w->cta;
    uint32_t pc = w->split[w->cur].pc, id, expected, same = 0;
    if (!operands(r, w, d, lane_first(mask), &id, &expected))
        return false;
    lanes_each (mask, l) {
        uint32_t id_l, expected_l;
        if (!operands(r, w, d, l, &id_l, &expected_l))
            return false;
        same |= (uint32_t)(id_l == id && expected_l == expected) << l;
    }
    split_off(w, mask, pc + 1);
    split_off(w, same, pc);
    *ran = same;
    if (bar_is_dynamic(d->x.insn)) {
        r->space = SPACE_PARAM;
        r->naddr = 1;
        r->addr[BARP_ID] = id;
        r->addr[BARP_THREADS] = expected;
    }
    struct bar *b = &c->bars[id];
    if (b->used && b->expected != expected)
        return fail(r, w, EXEC_BAD_CODE, lane_first(same), 0,
                    "barrier %u: thread counts %u and %u at the same time", id,
                    b->expected ? b->expected : r->nthreads, expected ? expected : r->nthreads);
    b->used = true;
    b->expected = expected;
    b->again += lanes_n(b->arrived[w->id] & same);
    b->arrived[w->id] |= same;
    if (d->x.insn->sub >= BAR_RED_POPC) {
        b->ones += lanes_n(x_psrc(&w->x, &d->x.psrc[2]) & same);
        b->voters += lanes_n(same);
    }
    struct split *s = &w->split[w->cur];
    if (d->x.insn->sub == BAR_ARRIVE) {
        s->pc++;
    } else {
        s->state = SPLIT_BAR;
        s->key = id;
    }
    run_progress(r, w);
    if (r->check)
        san_arrive(r->check, w, id, same);
    if (complete(r, c, b))
        release(r, c, id);
    return true;
}

void bar_exited(struct run *r, struct cta *c)
{
    for (uint32_t id = 0; id < NBARRIERS; id++) {
        if (c->bars[id].used && complete(r, c, &c->bars[id]))
            release(r, c, id);
    }
}
