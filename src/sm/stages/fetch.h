/* Instruction fetch: a warp (or `fetches` of them) per partition and cycle, round robin over those with room in their buffers, or
 * with empty ones.
 * What the trace says comes next is what is fetched; there is no wrong path. */
#ifndef SM_STAGES_FETCH_H
#define SM_STAGES_FETCH_H

#include "sm/async/async.h"
#include "sm/stages/warp.h"

/* fetch.c: cycles until a line is there that is not the one of the warp's last fetch. */
ASIDE uint32_t fetch_line(struct part *p, struct sm_warp *w, uint64_t line, uint64_t t);

/* The instruction behind the last one of the buffer is there when the metadata before it has been fetched. Returns what is left
 * of the fetch. */
STAGE uint32_t pay_metadata(struct sm_warp *w, uint32_t width)
{
    uint32_t n = w->owed < width ? w->owed : width;
    w->owed -= n;
    w->n += !w->owed;
    return width - n;
}

/* Brings up to fetch_width steps of the stream into the warp's buffer. */
STAGE void fill_buffer(struct part *p, uint32_t i, bool plain)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &s->ctas[w->cta];
    const struct operands_ops *o = stage_ops(s, plain);
    uint32_t width = !plain && w->owed ? pay_metadata(w, s->cfg->fetch_width) : s->cfg->fetch_width;
    for (uint32_t n = 0; n < width && w->n < s->cfg->ibuffer && !w->ended; n++) {
        struct tr_step step;
        switch (tr_next(c->stream, w->index, &step)) {
        case TR_STEP: {
            struct ientry *e = ibuf_at(p, w, w->n++);
            e->k = &c->k->insns[step.at];
            e->at = step.at;
            e->mask = step.mask;
            e->space = e->k->space;
            e->lines.n = 0;
            if (!plain && c->ahead)
                e->near = ahead_next(c->ahead, w->index);
            if (step.mask && e->k->route == ROUTE_MEMORY)
                lines_of_step(s, p, i, &step, e);
            else if (step.mask && e->k->asks)
                async_fetched(s, &c->k->tr->insns[step.at], &step, e);
            if (o->fetched)
                o->fetched(p->operands, i, (uint32_t)(e - w->ibuf), &step);
            if (!plain && c->k->words && (n += sm_kernel_meta(c->k, step.at)) >= width) {
                w->owed = n + 1 - width;
                w->n--;
            }
            break;
        }
        case TR_END: w->ended = true; break;
        case TR_BAD:
            if (!s->error[0])
                snprintf(s->error, sizeof s->error, "%s", tr_cta_error(c->stream));
            w->ended = true;
            break;
        }
    }
    if (!fetch_room(s, w))
        p->want_fetch &= ~(1ull << i);
    if (sm_warp_over(w))
        sm_cta_warp_ended(p, i, s->now);
    else if (w->block == BLOCK_FETCH)
        warp_look(p, i, plain);
}

/* Cycles until the line of the warp's next instruction is there. The address is that of the newest instruction it has; the
 * first fetch of a warp is at the kernel's start. */
STAGE uint32_t line_wait(struct part *p, struct sm_warp *w, uint64_t t, bool plain)
{
    struct sm *s = p->sm;
    const struct sm_kernel *k = s->ctas[w->cta].k;
    uint32_t at = w->n ? ibuf_at(p, w, w->n - 1u)->at + 1 : w->last_at;
    uint64_t word = !plain && k->words && at ? k->words[at - 1] + 1 : at;
    uint64_t line = (k->code_addr + word * k->insn_b) / LINE_B;
    /* The line of the warp's last fetch is still at hand. */
    if (w->line != line + 1)
        return fetch_line(p, w, line, t);
    s->stats[SS_l0i_hits]++;
    return s->cfg->fetch_cyc;
}

STAGE void fetch_warp(struct part *p, uint32_t i, uint64_t t, bool plain)
{
    const struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    bool first = !w->line;
    uint32_t wait = line_wait(p, w, t, plain);
    if (first && s->code_begins > t + wait)
        wait = (uint32_t)(s->code_begins - t);
    if (wait <= 1) {
        fill_buffer(p, i, plain);
        return;
    }
    p->want_fetch &= ~(1ull << i);
    w->fetching = true;
    event_at(p->sm, t + wait - 1, EV_FETCHED, p->id, i);
}

STAGE void fetch_stage(struct part *p, uint64_t t, bool plain)
{
    for (uint64_t can = p->want_fetch, left = p->sm->cfg->fetches; can && left; left--) {
        uint64_t after = p->fetch_last == 63 ? 0 : can & ~0ull << (p->fetch_last + 1);
        uint32_t i = (uint32_t)__builtin_ctzll(after ? after : can);
        p->fetch_last = i;
        can &= ~(1ull << i);
        fetch_warp(p, i, t, plain);
    }
}

#endif
