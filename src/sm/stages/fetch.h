/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction fetch: a warp (or `fetches` of them) per partition and cycle, round robin over those with room in their buffers, or
 * with empty ones.
 * What the trace says comes next is what is fetched; there is no wrong path. */
#ifndef SM_STAGES_FETCH_H
#define SM_STAGES_FETCH_H

#include "sm/stages/warp.h"

/* fetch.c: cycles until a line is there that is not the one of the warp's last fetch. */
ASIDE uint32_t fetch_line(struct part *p, struct sm_warp *w, uint64_t line);

/* The warp's buffer has n instructions then, or all that are left. It has had fewer. */
ASIDE void fetch_runs(struct part *p, uint32_t i, uint32_t n);
/* Where code streams (sm.l0i_line_cyc): cycles until the warp's next line is there, and 0 if that is not to be asked for yet; and
 * the warp's buffer has up to n instructions then. */
ASIDE uint32_t fetch_streams(struct part *p, uint32_t i, uint64_t t);
ASIDE void fetch_stream(struct part *p, uint32_t i, uint32_t n);
/* fill_buffer where a policy looks at every instruction that is fetched, or metadata stands between them. */
ASIDE void fetch_each(struct part *p, uint32_t i);

/* A warp with a full buffer issues, and fetches in the same cycle since nobody else wants to. If that is of the line of its last
 * fetch, and decoded, one instruction comes for the one that goes. False: it is not. */
STAGE bool fetch_at_hand(struct part *p, struct sm_warp *w, uint32_t i, features on)
{
    struct sm *s = p->sm;
    const struct kinsn *behind = w->behind;
    if (w->n != s->code.fetch_full || p->want_fetch || w->line != behind->line)
        return false;
    if (on & (F_POLICY | F_FOLLOWED) && w->by_step)
        return false;
    if (stage_has(s, F_STEPS, on))
        return false;
    uint32_t more = w->more;
    if (!more) {
        if (!w->ahead || s->code.streams)
            return false;
        const struct tr_run *r = &w->runs[(0u + w->run_head + w->nruns - w->ahead--) % RUNS_MAX];
        behind = w->insns + r->at;
        more = r->n;
    }
    w->more = more - 1;
    w->behind = behind + 1;
    if (on & F_SCHEDULERS)
        p->at_hand |= 1ull << i;
    else
        p->fetched = i;
    s->stats[SS_l0i_hits]++;
    return true;
}

/* Brings up to fetch_width instructions of the stream into the warp's buffer. */
STAGE void fill_buffer(struct part *p, struct sm_warp *w, uint32_t i, features on)
{
    const struct sm *s = p->sm;
    uint32_t had = w->n;
    if (!(on & (F_POLICY | F_FOLLOWED)) || !w->by_step) {
        uint32_t all = w->n + s->cfg->fetch_width, n = all < s->cfg->ibuffer ? all : s->cfg->ibuffer;
        uint32_t some = n - w->n;
        if (RARE(some > w->more)) {
            if (s->code.streams)
                fetch_stream(p, i, n);
            else
                fetch_runs(p, i, n);
        } else {
            w->n = (uint8_t)n;
            w->more -= some;
            w->behind += some;
        }
    } else {
        fetch_each(p, i);
    }
    probe_fetched(p, i, w->n - had, on);
    if (!fetch_room(s, w))
        p->want_fetch &= ~(1ull << i);
    if (RARE(sm_warp_over(w)))
        sm_cta_warp_ended(p, i, s->clock.now);
    else if (w->block == BLOCK_FETCH)
        warp_look(p, w, i, on);
}

/* Cycles until the line of the instruction behind the newest that the warp has is there. */
STAGE uint32_t line_wait(struct part *p, struct sm_warp *w, uint64_t t)
{
    struct sm *s = p->sm;
    /* The line of the warp's last fetch is still at hand. */
    if (w->line == w->behind->line) {
        s->stats[SS_l0i_hits]++;
        return s->cfg->fetch_cyc;
    }
    bool first = !w->line;
    uint32_t wait = fetch_line(p, w, w->behind->line - 1);
    return first && s->code.begins > t + wait ? (uint32_t)(s->code.begins - t) : wait;
}

STAGE void fetch_warp(struct part *p, uint32_t i, uint64_t t, features on)
{
    struct sm_warp *w = &p->warps[i];
    bool streams = p->sm->code.streams && !(w->more && w->line == w->behind->line);
    uint32_t wait = !streams ? line_wait(p, w, t) : w->jumps && w->n ? 0 : fetch_streams(p, i, t);
    if (!wait) {
        p->want_fetch &= ~(1ull << i);
        return;
    }
    probe_asked(p, i, t, on);
    if (wait <= 1) {
        fill_buffer(p, w, i, on);
        return;
    }
    p->want_fetch &= ~(1ull << i);
    w->fetching = true;
    event_at(p->sm, t + wait - 1, EV_FETCHED, p->id, i);
}

/* One of those who can. Returns the others. */
STAGE uint64_t fetch_turn(struct part *p, uint64_t can, uint64_t t, features on)
{
    uint64_t after = can & ~1ull << p->fetched;
    uint32_t i = (uint32_t)__builtin_ctzll(after ? after : can);
    p->fetched = i;
    fetch_warp(p, i, t, on);
    return can & ~(1ull << i);
}

/* Those that want to fetch do; in their turns among those of this cycle that had it at hand. */
STAGE void fetch_stage(struct part *p, uint64_t t, features on)
{
    uint32_t left = on & F_SCHEDULERS ? p->sm->cfg->fetches : 1, first = p->fetched;
    uint64_t can = p->want_fetch, all = on & F_SCHEDULERS ? p->at_hand : 0;
    while (left-- && can) {
        can = fetch_turn(p, can, t, on);
        if (on & F_SCHEDULERS)
            all |= 1ull << p->fetched;
    }
    if (on & F_SCHEDULERS) {
        uint64_t behind = ~1ull << first, last = all & ~behind ? all & ~behind : all;
        p->fetched = 63u - (uint32_t)__builtin_clzll(last);
        p->at_hand = 0;
    }
}

#endif
