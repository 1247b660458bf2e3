/* SPDX-License-Identifier: Apache-2.0 */
/* A CTA: its storage, and its warps in turn. A warp runs until it waits, spins, ends or has used its quantum; then the next
 * one by id. When none of them can do anything useful the CTA gives way to another one. */
#include "exec/run.h"

static size_t rows_b(size_t rows) { return rows * ROW_B; }

static size_t round_row(size_t n) { return (n + ROW_B - 1) / ROW_B * ROW_B; }

/* Sizes of a warp's pieces, in their order. */
static size_t regs_b(const struct run *r) { return rows_b(code_all_rows(r->code) + TRASH_ROWS); }
static size_t local_b(const struct run *r) { return round_row((size_t)r->local_b * LANES); }
static size_t joined_b(const struct run *r) { return round_row(sizeof(uint32_t) * (r->code->nbars + 1)); }

size_t cta_bytes(const struct run *r)
{
    return (regs_b(r) + local_b(r) + joined_b(r)) * r->nwarps + round_row(r->shared_b);
}

struct cta *cta_new(struct run *r)
{
    struct cta *c = calloc(1, sizeof *c);
    if (c) {
        c->warps = calloc(r->nwarps, sizeof *c->warps);
        /* Large blocks are zero pages: a deep stack costs what is used of it. */
        c->block = calloc(1, cta_bytes(r) + ROW_B);
    }
    if (!c || !c->warps || !c->block) {
        cta_free(c);
        return NULL;
    }
    unsigned char *at = c->block;
    at += (ROW_B - (uintptr_t)at % ROW_B) % ROW_B;
    for (uint32_t k = 0; k < r->nwarps; k++) {
        struct warp *w = &c->warps[k];
        w->cta = c;
        w->id = k;
        w->x.base[XSEL_REG] = at;
        w->x.base[XSEL_POOL] = r->pool;
        w->local = at + regs_b(r);
        w->local_low = r->local_b;
        w->joined = (uint32_t *)(void *)(w->local + local_b(r));
        if (r->code->sass)
            w->barriers = (uint32_t *)(void *)(at + rows_b(code_rows(r->code) + REG_B0 - REG_U0));
        for (unsigned i = 0; i < 3; i++)
            w->tid[i] = r->tid + (k * 3 + i) * LANES;
        at += regs_b(r) + local_b(r) + joined_b(r);
    }
    c->shared = at;
    return c;
}

void cta_free(struct cta *c)
{
    if (!c)
        return;
    free(c->block);
    free(c->warps);
    free(c);
}

/* Registers, local and shared memory start as zero: a kernel that reads what it never wrote does the same every time. */
static void warp_clear(struct run *r, struct warp *w)
{
    uint32_t low = w->local_low / 4;
    memset(w->x.base[XSEL_REG], 0, regs_b(r));
    memset(w->local + rows_b(low), 0, rows_b(r->local_b / 4 - low));
    memset(w->joined, 0, joined_b(r));
    w->local_low = r->local_b;
}

static void warp_start(struct run *r, struct warp *w)
{
    warp_clear(r, w);
    uint32_t n = r->nthreads - w->id * LANES;
    w->live = n >= LANES ? ~0u : (1u << n) - 1;
    memset(w->x.pred, 0, sizeof w->x.pred);
    w->x.pred[PRED_PT] = ~0u;
    w->nsplit = w->cur = w->back = 0;
    split_add(w, r->code->funcs[0].entry, w->live, SPLIT_RUN, 0);
    w->state = WARP_READY;
    w->stop = 0;
    w->spins = w->poll_next = 0;
    memset(w->polls, 0, sizeof w->polls);
    w->left = w->clock = 0;
    uint32_t *sp = (uint32_t *)(void *)(w->x.base[XSEL_REG] + REG_SP * ROW_B);
    for (uint32_t l = 0; l < LANES; l++)
        sp[l] = r->local_b;
}

void cta_start(struct run *r, struct cta *c, uint64_t index)
{
    memset(c->shared, 0, r->shared_b);
    memset(c->bars, 0, sizeof c->bars);
    memset(c->arrived, 0, sizeof c->arrived);
    memset(c->passed, 0, sizeof c->passed);
    c->done = false;
    c->index = index;
    c->idx[0] = (uint32_t)(index % r->l->grid[0]);
    c->idx[1] = (uint32_t)(index / r->l->grid[0] % r->l->grid[1]);
    c->idx[2] = (uint32_t)(index / r->l->grid[0] / r->l->grid[1]);
    for (uint32_t k = 0; k < r->nwarps; k++)
        warp_start(r, &c->warps[k]);
}

bool cta_let_go(struct run *r, struct cta *c)
{
    bool any = false;
    for (uint32_t k = 0; k < r->nwarps; k++) {
        if (split_break_bsync(&c->warps[k]) || mbar_part(&c->warps[k])) {
            c->warps[k].state = WARP_READY;
            any = true;
        }
    }
    return any;
}

uint32_t cta_count(const struct run *r, const struct cta *c, enum warp_state state)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < r->nwarps; k++)
        n += c->warps[k].state == state;
    return n;
}

enum cta_result cta_run(struct run *r, struct cta *c)
{
    uint64_t end = r->counts.warp_insts + CTA_QUANTUM;
    while (r->counts.warp_insts < end) {
        uint64_t progress = r->progress;
        for (uint32_t k = 0; k < r->nwarps; k++) {
            struct warp *w = &c->warps[k];
            if ((w->state == WARP_READY || w->state == WARP_SPINS) && !warp_run(r, w))
                return CTA_ERROR;
        }
        if (cta_count(r, c, WARP_DONE) == r->nwarps)
            return CTA_DONE;
        uint32_t spinning = cta_count(r, c, WARP_SPINS);
        if (cta_count(r, c, WARP_READY) || (spinning && r->progress != progress))
            continue;
        if (cluster_runs(r, c))
            return CTA_WAITS;
        if (cluster_let_go(r, c))
            continue;
        if (cluster_spins(r, c))
            return CTA_WAITS;
        if (!mbar_give_up(r, c->cluster))
            return fail_deadlock(r, c, false), CTA_ERROR;
    }
    return CTA_WAITS;
}
