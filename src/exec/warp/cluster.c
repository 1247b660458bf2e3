/* SPDX-License-Identifier: Apache-2.0 */
/* What the threads of a cluster do together: its barrier, and stores to each other's shared memory that announce
 * themselves.
 *
 * The barrier has two halves. A lane arrives, and later waits until every thread of the cluster has arrived; those that have
 * exited count as arrived. When the last one arrives the phase is over: all who arrived may pass, once. */
#include "exec/run.h"

static bool complete(const struct run *r, const struct cluster *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        const struct cta *c = k->ctas[i];
        for (uint32_t w = 0; w < r->nwarps; w++)
            if ((c->arrived[w] | ~c->warps[w].live) != ~0u)
                return false;
    }
    return true;
}

/* Those who wait already pass at once. */
static void wake(struct warp *w, uint32_t *passed)
{
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_CLUSTER)
            continue;
        split_merge(w, i);
        *passed &= ~s->mask;
        s->state = SPLIT_RUN;
        s->pc++;
        if (w->state == WARP_WAITS)
            w->state = WARP_READY;
    }
}

static void phase_over(struct run *r, struct cluster *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        struct cta *c = k->ctas[i];
        for (uint32_t w = 0; w < r->nwarps; w++) {
            c->passed[w] |= c->arrived[w] & c->warps[w].live;
            c->arrived[w] = 0;
            wake(&c->warps[w], &c->passed[w]);
        }
    }
}

static bool arrive(struct run *r, struct warp *w, uint32_t mask)
{
    struct cta *c = w->cta;
    uint32_t again = mask & (c->arrived[w->id] | c->passed[w->id]);
    if (again)
        return fail(r, w, EXEC_BAD_CODE, lane_first(again), 0,
                    "barrier.cluster.arrive: the thread has arrived already and not waited");
    c->arrived[w->id] |= mask;
    w->split[w->cur].pc++;
    if (complete(r, c->cluster))
        phase_over(r, c->cluster);
    return true;
}

bool cluster_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    struct cta *c = w->cta;
    uint32_t pc = w->split[w->cur].pc, stay = mask & c->arrived[w->id];
    split_off(w, mask, pc + 1);
    run_progress(r, w);
    *ran = mask;
    if (d->x.insn->sub == CGABAR_ARRIVE)
        return arrive(r, w, mask);
    uint32_t early = mask & ~(c->arrived[w->id] | c->passed[w->id]);
    if (early)
        return fail(r, w, EXEC_BAD_CODE, lane_first(early), 0,
                    "barrier.cluster.wait: the thread has not arrived");
    c->passed[w->id] &= ~mask;
    if (!stay) {
        w->split[w->cur].pc++;
        return true;
    }
    split_off(w, stay, pc + 1);
    w->split[w->cur].state = SPLIT_CLUSTER;
    w->split[w->cur].key = 0;
    return true;
}

void cluster_exited(struct run *r, struct cluster *k)
{
    bool any = false;
    for (uint32_t i = 0; i < k->n && !any; i++)
        for (uint32_t w = 0; w < r->nwarps && !any; w++)
            any = k->ctas[i]->arrived[w] != 0;
    if (any && complete(r, k))
        phase_over(r, k);
}

/* Stores, or combines with what is there, and counts the bytes at the barrier object. */
static const char *announce(struct run *r, const struct dop *d, const uint32_t *data, uint32_t lane,
                            unsigned char *p, struct cta *c, uint32_t bar)
{
    if (d->op == OP_STAS) {
        for (unsigned k = 0; k < d->access_b / 4u; k++)
            memcpy(p + 4 * k, &data[k * LANES + lane], 4);
    } else {
        uint64_t old = 0, v = d->elem_b == 8 ? row_u64(data, lane) : data[lane];
        memcpy(&old, p, d->elem_b);
        v = atom_op(d->x.insn->aop, d->x.insn->type, true)(old, v, 0);
        memcpy(p, &v, d->elem_b);
    }
    return mbar_received(r, c, bar, d->access_b);
}

/* STAS and REDAS. The destination and the barrier object belong to one CTA. */
bool core_stas(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *to = x_row(&w->x, &d->x, 0), *data = x_row(&w->x, &d->x, 1),
                   *bar = x_row(&w->x, &d->x, 2);
    uint32_t n = d->access_b;
    const char *what = d->op == OP_STAS ? "asynchronous store" : "asynchronous reduction";
    if (r->obs) {
        note_shared(r, w, bar, d->target);
        memcpy(r->addr2, r->addr, sizeof r->addr2);
        note_shared(r, w, to, (uint32_t)d->off);
        r->naddr = 2;
    }
    lanes_each (mask, l) {
        uint32_t a = to[l] + (uint32_t)d->off, b = bar[l] + d->target;
        struct cta *c, *cb;
        unsigned char *p = a % n ? NULL : shared_host(r, w, a, n, &c);
        if (!p)
            return fail_access(r, w, l, SPACE_SHARED, what, n, a);
        unsigned char *q = b % 8 ? NULL : shared_host(r, w, b, 8, &cb);
        if (!q)
            return fail_access(r, w, l, SPACE_SHARED, "mbarrier", 8, b);
        if (c != cb)
            return fail(r, w, EXEC_BAD_CODE, l, b, "%s to 0x%x: the barrier object at 0x%x is in another CTA",
                        what, a, b);
        const char *why = announce(r, d, data, l, p, c, (uint32_t)(q - c->shared));
        if (why)
            return fail(r, w, EXEC_BAD_CODE, l, b, "%s", why);
    }
    run_progress(r, w);
    return true;
}
