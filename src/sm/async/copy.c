/* SPDX-License-Identifier: Apache-2.0 */
/* The copy engine (bulk and tensor copies): takes one copy after the other, walks its rows line by line, sm.copy_b bytes a
 * cycle from memory and sm.copy_out_b to it, past L1. A load's bytes count at its barrier object when the last of them is
 * there; a store is done when the last was read from shared memory.
 *
 * Hand count: a copy that issues in cycle t, finds the engine idle and has one line asks for it in t + sm.copy_cyc; its warp
 * goes on in t + sm.copy_issue_cyc, and if more than sm.copy_queue copies have lines to ask for, when one of these has asked
 * for all. */
#include "sm/async/inside.h"

enum { FRACTION = 256, PRIORITY = L1_LSU_PRIORITY + 1, PARAM_CTAS = 12, PARAM_BYTES = 13 };

static bool loads(const struct job *j) { return j->op == TT_LOAD || j->op == TT_PREFETCH; }

/* The next line, as in sm/warps/warp.h: address and sectors. Moves on. */
static uint64_t next_line(struct job *j)
{
    uint64_t from = j->row + j->off, line = from & ~(uint64_t)(LINE_B - 1), end = j->row + j->row_b;
    uint64_t to = end < line + LINE_B ? end : line + LINE_B;
    uint32_t first = (uint32_t)(from - line) / SECTOR_B, last = (uint32_t)(to - 1 - line) / SECTOR_B;
    j->off += to - from;
    if (j->off == j->row_b) {
        j->off = 0;
        uint32_t d = 0;
        while (d < 4 && ++j->at[d] >= j->n[d])
            j->at[d++] = 0;
        j->asked = d == 4;
        j->row = j->from;
        for (d = 0; d < 4; d++)
            j->row += j->at[d] * j->stride[d];
    }
    return line | (((2u << last) - 1) & ~((1u << first) - 1));
}

static void queue_moves(struct async *a, uint64_t t)
{
    uint32_t depth = a->s->cfg->copy_queue;
    memmove(a->queue.at, a->queue.at + 1, sizeof *a->queue.at * --a->queue.n);
    if (a->queue.n < depth)
        return;
    const struct job *j = &a->jobs.at[a->queue.at[depth - 1]];
    struct part *p = &a->s->parts[j->part];
    struct async_warp *w = async_warp(a, p, j->warp);
    if (!w->for_queue || a->ctas[j->slot].serial != j->serial)
        return;
    w->for_queue = false;
    async_wake(p, j->warp, 1, t);
}

static void tick(void *ctx, uint64_t t)
{
    struct async *a = ctx;
    struct sm *s = a->s;
    while (a->queue.n && a->at < (t + 1) * FRACTION) {
        uint32_t n = a->queue.at[0];
        struct job *j = &a->jobs.at[n];
        if (!l1_port(s, t)) {
            a->at = (t + 1) * FRACTION;
            return;
        }
        uint64_t at = next_line(j);
        uint32_t bytes = SECTOR_B * (uint32_t)__builtin_popcountll(line_sectors(at));
        bool in = loads(j), wanted = j->op == TT_LOAD;
        l1_send(s, t, line_addr(at), line_sectors(at),
                in                   ? MEM_READ
                : j->op == TT_REDUCE ? MEM_ATOMIC
                                     : MEM_WRITE,
                wanted ? L1_COPY | (j->cast ? L1_CAST : 0) | n : 0, wanted);
        j->outstanding += wanted;
        j->sent += wanted;
        s->stats[in ? SS_copy_in_b : SS_copy_out_b] += bytes;
        a->at = (a->at > t * FRACTION ? a->at : t * FRACTION) +
                bytes * FRACTION / (in ? s->cfg->copy_b : s->cfg->copy_out_b);
        if (!j->asked)
            continue;
        if (!wanted)
            async_later(a, t + 1, (struct later){.kind = LATER_COPIED, .at = n});
        queue_moves(a, t);
    }
}

static uint64_t next(const void *ctx)
{
    const struct async *a = ctx;
    uint64_t t = a->at / FRACTION;
    return !a->queue.n ? NEVER : t > a->s->clock.now ? t : a->s->clock.now;
}

static void nothing(void *ctx, uint64_t t) { (void)ctx, (void)t; }

void copy_init(struct async *a)
{
    l1_add(a->s, &(struct l1_client){.name = "copy engine",
                                     .priority = PRIORITY,
                                     .ctx = a,
                                     .tick = tick,
                                     .next = next,
                                     .replied = nothing});
}

void copy_reply(struct async *a, uint32_t tag, uint64_t t)
{
    uint32_t n = tag & ~(uint32_t)(L1_COPY | L1_CAST);
    struct job *j = &a->jobs.at[n];
    if (--j->outstanding == 0 && j->asked)
        async_later(a, t + a->s->cfg->copy_done_cyc, (struct later){.kind = LATER_COPIED, .at = n});
}

static void stored(struct async *a, const struct job *j, uint64_t t)
{
    struct part *p = &a->s->parts[j->part];
    if (groups_done(&async_warp(a, p, j->warp)->stores, j->group))
        async_wake(p, j->warp, a->s->cfg->copy_done_cyc, t);
}

void copy_finish(struct async *a, uint32_t n, uint64_t t)
{
    struct job j = a->jobs.at[n];
    a->jobs.at[n].cast = NULL;
    a->jobs.at[n].next = a->free_job;
    a->free_job = n;
    free(j.cast);
    if (a->ctas[j.slot].serial != j.serial)
        return;
    if (j.op == TT_STORE || j.op == TT_REDUCE)
        stored(a, &j, t);
    else if (j.op != TT_PREFETCH && j.own) /* 0 is an address like others */
        object_bytes(a, j.slot, j.object, j.bytes, t);
}

void copy_free(struct async *a)
{
    vec_each (&a->jobs, j)
        free(j->cast);
    vec_free(&a->jobs);
    vec_free(&a->queue);
    vec_free(&a->casts);
}

/* ---- issue ---- */

static void take_params(struct job *j, const uint64_t *v)
{
    j->from = j->row = v[0];
    j->object = (uint32_t)v[2];
    j->row_b = v[3];
    uint64_t rows = 1;
    for (uint32_t d = 0; d < 4; d++) {
        j->n[d] = v[4 + 2 * d] ? v[4 + 2 * d] : 1;
        j->stride[d] = v[5 + 2 * d];
        rows *= j->n[d];
    }
    j->bytes = v[PARAM_BYTES] ? (uint32_t)v[PARAM_BYTES] : (uint32_t)(rows * j->row_b);
}

void copy_issue(struct part *p, uint32_t w, const struct ientry *e, uint64_t t)
{
    struct sm *s = p->sm;
    struct async *a = async_of(s);
    struct async_warp *x = async_warp(a, p, w);
    if (e->k->imm >= TT_COMMIT) {
        if (e->k->imm == TT_COMMIT)
            groups_commit(&x->stores);
        else if (groups_wait(&x->stores, e->k->imm & TT_GROUPS))
            async_sleep(p, w);
        return;
    }
    struct job j = {
        .op = (uint8_t)e->k->imm, .part = (uint16_t)p->id, .warp = (uint16_t)w, .slot = p->warps[w].cta};
    j.serial = a->ctas[j.slot].serial;
    take_params(&j, s->lsu.blocks[e->lines.block]);
    j.from = j.row = j.from + s->ctas.at[j.slot].k->space;
    s->stats[SS_copies]++;
    const struct sm_cta *c = &s->ctas.at[j.slot];
    if (j.op == TT_SHARED && far_rank(c, j.object) != far_own(c)) {
        cast_between(s, c, &j, t);
        return;
    }
    if (j.op == TT_STORE || j.op == TT_REDUCE)
        j.group = groups_add(&x->stores);
    else
        cast_receivers(&j, c, j.op == TT_LOAD ? (uint32_t)s->lsu.blocks[e->lines.block][PARAM_CTAS] : 0);
    uint32_t n = a->free_job;
    if (n == UINT32_MAX) {
        n = a->jobs.n;
        vec_push(&a->jobs, j);
    } else {
        a->free_job = a->jobs.at[n].next;
        a->jobs.at[n] = j;
    }
    if (!j.row_b || j.op == TT_SHARED) { /* all of it is outside of the tensor, or in shared memory */
        a->jobs.at[n].asked = true;
        cast_nothing(s, &j, t);
        async_later(a, t + s->cfg->copy_cyc, (struct later){.kind = LATER_COPIED, .at = n});
        return;
    }
    if (!a->queue.n && a->at < (t + s->cfg->copy_cyc) * FRACTION)
        a->at = (t + s->cfg->copy_cyc) * FRACTION;
    vec_push(&a->queue, n);
    if (a->queue.n > s->cfg->copy_queue) {
        x->for_queue = true;
        async_sleep(p, w);
    } else {
        async_wake(p, w, s->cfg->copy_issue_cyc, t);
    }
}
