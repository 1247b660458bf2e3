/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loop: one warp's current split, instruction after instruction, until something makes it stop. */
#include "exec/run.h"
#include "exec/values.h"

enum leave {
    LEAVE_ERROR,
    LEAVE_QUANTUM,
    LEAVE_AGAIN, /* the list of splits has changed: pick the current one again */
    LEAVE_SPIN,
};

/* Values that a waiting loop looks at. The same values from the same place again are no news. */
void warp_poll(struct run *r, struct warp *w, uint32_t mask, uint64_t hash)
{
    enum { N = sizeof w->polls / sizeof w->polls[0] };
    struct poll *p = w->polls;
    while (p < w->polls + N && (p->pc != w->pc || p->mask != mask))
        p++;
    if (p < w->polls + N && p->hash == hash) {
        w->spins++;
        w->polled |= w->split[w->cur].mask;
        r->fruitless++;
        w->stop = w->spins >= SPIN_POLLS;
        return;
    }
    if (p == w->polls + N)
        p = &w->polls[w->poll_next++ % N];
    *p = (struct poll){.pc = w->pc, .mask = mask, .hash = hash};
    run_progress(r, w);
}

/* The warp spins if every runnable split polled for nothing in this turn. */
static enum leave after_poll(struct warp *w)
{
    uint32_t other = 0;
    for (uint32_t i = 0; i < w->nsplit; i++)
        other |= w->split[i].state == SPLIT_RUN ? w->split[i].mask & ~w->polled : 0;
    w->stop = 0;
    split_rotate(w);
    return other ? LEAVE_AGAIN : LEAVE_SPIN;
}

static void observe(struct run *r, uint32_t pc, uint32_t mask)
{
    struct exec_step *s = &r->step;
    s->at = pc;
    s->active = mask;
    if (r->naddr) {
        s->space = r->space;
        s->addrs[0] = r->addr;
        s->addrs[1] = r->naddr > 1 ? r->addr2 : NULL;
    }
    if (!r->seen)
        r->obs->insn(r->obs->ctx, s);
    if (r->naddr) {
        s->space = SPACE_NONE;
        s->addrs[0] = s->addrs[1] = NULL;
        s->even = false;
        r->naddr = 0;
    }
    r->seen = false;
}

/* The same for one that has neither addresses nor told itself. */
static inline void observe_plain(struct run *r, uint32_t pc, uint32_t mask)
{
    r->step.at = pc;
    r->step.active = mask;
    r->obs->insn(r->obs->ctx, &r->step);
}

static inline void see_values(struct run *r, struct warp *w, const struct dop *d, uint32_t mask)
{
    if (__builtin_expect(r->dev->values != NULL, 0) && mask)
        values_see(r->dev->values, &d->x, &w->x, mask);
}

/* What is the same for all instructions of a warp. */
static void observe_warp(struct run *r, struct warp *w)
{
    uint32_t last = r->nthreads % LANES;
    r->step = (struct exec_step){
        .warp = w->id,
        .exist = last && w->id == r->nwarps - 1 ? (1u << last) - 1 : ~0u,
        .space = SPACE_NONE,
        .regs = (const uint32_t *)(const void *)w->x.base[XSEL_REG],
    };
}

void warp_observe_params(struct run *r, struct warp *w, uint32_t mask)
{
    r->space = SPACE_PARAM;
    r->naddr = 1;
    if (r->obs->insn)
        observe(r, w->pc, mask);
    r->seen = true;
}

void warp_jump(struct warp *w, uint32_t mask, const uint32_t *targets, uint32_t *ran)
{
    struct split *s = &w->split[w->cur];
    uint32_t pc = s->pc, to = targets[lane_first(mask)], same = 0;
    lanes_each (mask, l)
        same |= (uint32_t)(targets[l] == to) << l;
    split_off(w, mask, pc + 1);
    split_off(w, same, pc);
    s->pc = to;
    *ran = same;
    if (to <= pc && w->nsplit > 1 && !w->barriers && ++w->back >= BACK_BRANCHES)
        split_rotate(w);
}

static enum leave jump(struct warp *w, uint32_t mask, const uint32_t *targets, uint32_t *ran)
{
    warp_jump(w, mask, targets, ran);
    return LEAVE_AGAIN;
}

static enum leave do_ret(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    lanes_each (mask, l) {
        if (row[l] >= r->code->n) {
            fail(r, w, EXEC_BAD_CODE, l, row[l],
                 "return to instruction %u of %u: the return address was overwritten", row[l], r->code->n);
            return LEAVE_ERROR;
        }
    }
    return jump(w, mask, row, ran);
}

static enum leave do_brx(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    uint32_t to[LANES];
    lanes_each (mask, l) {
        if (row[l] >= (uint32_t)d->off) {
            fail(r, w, EXEC_BAD_CODE, l, row[l], "indirect branch: index %u into a table of %u", row[l],
                 (uint32_t)d->off);
            return LEAVE_ERROR;
        }
        to[l] = r->code->brx[d->target + row[l]];
    }
    return jump(w, mask, to, ran);
}

static const struct code_func *find_func(const struct code *c, uint64_t id)
{
    for (uint32_t i = 0; i < c->nfuncs; i++) {
        if (c->funcs[i].id == id)
            return &c->funcs[i];
    }
    return NULL;
}

static enum leave do_call(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    uint32_t to[LANES], last_to = 0;
    uint64_t last = UINT64_MAX;
    bool direct = d->x.insn->src[0].kind == OPND_IMM;
    lanes_each (mask, l) {
        uint64_t a = direct ? row[l] : row_u64(row, l);
        if (a != last) {
            uint64_t id = direct ? a : (a - FUNC_ADDR0) / 16;
            const struct code_func *f =
                direct || (a >= FUNC_ADDR0 && a % 16 == 0) ? find_func(r->code, id) : NULL;
            if (!f) {
                fail(r, w, EXEC_BAD_CODE, l, a, "call of 0x%llx, which is no function",
                     (unsigned long long)a);
                return LEAVE_ERROR;
            }
            last = a;
            last_to = f->entry;
        }
        to[l] = last_to;
    }
    uint32_t *link = d->x.insn->dst[0].kind == OPND_REG
                         ? x_dst(&w->x, &d->x, 0)
                         : (uint32_t *)(void *)(w->x.base[XSEL_REG] + REG_LINK * ROW_B);
    uint32_t first = to[lane_first(mask)], back_to = w->split[w->cur].pc + 1;
    /* Only for the lanes that go: the others execute the CALL again and may hold the target in R0. */
    lanes_each (mask, l) {
        if (to[l] == first)
            link[l] = back_to;
    }
    return jump(w, mask, to, ran);
}

static enum leave do_exit(struct run *r, struct warp *w, uint32_t mask)
{
    split_exit(w, mask);
    coll_wake(r, w);
    bar_exited(r, w->cta);
    cluster_exited(r, w->cta->cluster);
    run_progress(r, w);
    return LEAVE_AGAIN;
}

/* The slow forms of control: the current split has been written back. */
static enum leave control(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    struct split *s = &w->split[w->cur];
    if (!mask) {
        s->pc++;
        return LEAVE_AGAIN;
    }
    switch ((enum ctl)d->ctl) {
    case CTL_BRX: return do_brx(r, w, d, mask, ran);
    case CTL_CALL: return do_call(r, w, d, mask, ran);
    case CTL_RET: return do_ret(r, w, d, mask, ran);
    case CTL_EXIT:
        mask &= x_psrc(&w->x, &d->x.psrc[0]);
        if (mask)
            return do_exit(r, w, mask);
        s->pc++;
        return LEAVE_AGAIN;
    case CTL_BSYNC: split_bsync(w, d->target, mask); return LEAVE_AGAIN;
    case CTL_BREAK: split_leave(w, d->target, mask); return LEAVE_AGAIN;
    case CTL_BAR: return bar_step(r, w, d, mask, ran) ? LEAVE_AGAIN : LEAVE_ERROR;
    case CTL_MBAR: return mbar_step(r, w, d, mask, ran) ? LEAVE_AGAIN : LEAVE_ERROR;
    case CTL_CLUSTER: return cluster_step(r, w, d, mask, ran) ? LEAVE_AGAIN : LEAVE_ERROR;
    case CTL_CONVERGE: return converge_step(r, w, d, mask, ran) ? LEAVE_AGAIN : LEAVE_ERROR;
    case CTL_SLEEP:
        s->pc++;
        warp_poll(r, w, mask, 0);
        if (!w->stop)
            split_rotate(w);
        return w->stop ? after_poll(w) : LEAVE_AGAIN;
    case CTL_TRAP:
        fail(r, w, EXEC_TRAP, lane_first(mask), 0, d->x.insn->sub ? "breakpoint" : "trap");
        return LEAVE_ERROR;
    default:
        fail(r, w, EXEC_BAD_CODE, lane_first(mask), 0, "ran past the end of the code");
        return LEAVE_ERROR;
    }
}

/* Are all lanes that the collective waits for among those that execute it, with one member mask? */
static inline bool coll_ready(const struct warp *w, const struct dop *d, uint32_t mask)
{
    uint32_t members = ~0u;
    if (d->mask_src) {
        const uint32_t *row = x_row(&w->x, &d->x, d->mask_src - 1u);
        members = row[lane_first(mask)];
        if (d->x.src[d->mask_src - 1].sel == XSEL_REG) {
            lanes_each (mask, l) {
                if (row[l] != members)
                    return false;
            }
        }
    }
    return (mask & ~members) == 0 && (members & w->live & ~mask) == 0;
}

enum quick { QUICK_ON, QUICK_LEAVE, QUICK_NO };

/* Branches, and the usual cases of reconvergence. QUICK_ON: the split goes on at *pc with *mask. QUICK_LEAVE: it has been
 * written back and another one runs. QUICK_NO: none of these. */
static inline __attribute__((always_inline)) enum quick
quick_control(struct warp *w, struct split *s, const struct dop *d, uint32_t m, uint32_t *pc, uint32_t *mask)
{
    uint32_t to = d->target, rest = *mask & ~m;
    switch ((enum ctl)d->ctl) {
    case CTL_BRA:
        if (m && rest) {
            bool taken = split_taken_first(w, m, rest);
            split_add(w, taken ? *pc + 1 : to, taken ? rest : m, SPLIT_RUN, 0);
            s->mask = *mask = taken ? m : rest;
            m = taken ? m : 0;
        }
        if (m && to <= *pc && w->nsplit > 1 && !w->barriers && ++w->back >= BACK_BRANCHES) {
            s->pc = to;
            split_rotate(w);
            return QUICK_LEAVE;
        }
        *pc = m ? to : *pc + 1;
        return QUICK_ON;
    case CTL_BSSY:
        w->joined[to] |= m;
        ++*pc;
        return QUICK_ON;
    case CTL_BSYNC:
        if (w->joined[to] & w->live & ~m)
            return QUICK_NO;
        w->joined[to] = 0;
        ++*pc;
        return QUICK_ON;
    case CTL_BREAK:
        if (m && w->nsplit > 1)
            return QUICK_NO;
        w->joined[to] &= ~m;
        ++*pc;
        return QUICK_ON;
    default: return QUICK_NO;
    }
}

/* Everything else that changes the list of splits. *ran: the lanes that executed it: those that begin to wait at a
 * collective do when it executes, those with another target or barrier when it is their turn. */
static enum leave slow_control(struct run *r, struct warp *w, struct dop *d, uint32_t m, uint32_t *ran)
{
    if (d->ctl != CTL_COLL)
        return control(r, w, d, m, ran);
    *ran = 0;
    return coll_step(r, w, d, m, ran) ? LEAVE_AGAIN : LEAVE_ERROR;
}

static inline __attribute__((always_inline)) enum leave loop(struct run *r, struct warp *w, const bool obs)
{
    struct split *s = &w->split[w->cur];
    uint32_t pc = s->pc, mask = s->mask;
    uint64_t left = w->left, threads = 0;
    enum leave why = LEAVE_AGAIN;
    for (;;) {
        struct dop *d = &r->ops[pc];
        if (__builtin_expect(left == 0, 0)) {
            why = LEAVE_QUANTUM;
            break;
        }
        uint32_t m = mask & x_psrc(&w->x, &d->x.guard);
        left--;
        threads += m == ~0u ? LANES : lanes_n(m);
        if (d->x.fn) {
            if (m)
                d->x.fn(&d->x, &w->x, m | d->x.all);
            if (obs) {
                see_values(r, w, d, m);
                observe_plain(r, pc, m);
            }
            pc++;
            continue;
        }
        w->pc = pc;
        w->left = left;
        if (d->ctl == CTL_NONE || (d->ctl == CTL_COLL && (!m || coll_ready(w, d, m)))) {
            if (m && !d->core(r, w, d, m)) {
                why = LEAVE_ERROR;
                break;
            }
            if (obs) {
                see_values(r, w, d, m);
                observe(r, pc, m);
            }
            pc++;
            if (__builtin_expect(!w->stop, 1))
                continue;
            s->pc = pc;
            why = after_poll(w);
            goto out;
        }
        bool quick = d->ctl == CTL_BRA || d->ctl == CTL_BSSY || d->ctl == CTL_BSYNC || d->ctl == CTL_BREAK;
        if (obs && quick)
            observe_plain(r, pc, m);
        enum quick q = quick_control(w, s, d, m, &pc, &mask);
        if (q == QUICK_ON)
            continue;
        if (q == QUICK_NO) {
            uint32_t ran = m;
            s->pc = pc;
            why = slow_control(r, w, d, m, &ran);
            left += ran == 0 && m != 0;
            threads = threads - lanes_n(m) + lanes_n(ran);
            if (obs && !quick && why != LEAVE_ERROR && (ran || !m))
                observe(r, pc, ran);
        }
        goto out;
    }
    s->pc = pc;
out:
    w->left = left;
    r->counts.thread_insts += threads;
    return why;
}

static enum leave loop_plain(struct run *r, struct warp *w) { return loop(r, w, false); }
static enum leave loop_observed(struct run *r, struct warp *w) { return loop(r, w, true); }

/* How many instructions the warp may run now; 0: the launch's bound is reached. */
static uint64_t quantum(const struct run *r)
{
    uint64_t limit = r->dev->cfg.max_warp_insts, used = r->counts.warp_insts;
    if (!limit)
        return WARP_QUANTUM;
    return limit - used < WARP_QUANTUM ? limit - used : WARP_QUANTUM;
}

bool warp_run(struct run *r, struct warp *w)
{
    uint64_t q = quantum(r), steps = w->clock - w->left;
    bool ok = true;
    w->polled = 0;
    w->left = q;
    w->clock = steps + q;
    r->now = r->counts.warp_insts + q;
    bool told = r->obs && r->obs->insn;
    if (told)
        observe_warp(r, w);
    for (bool on = true; on;) {
        if (!split_next(w)) {
            w->state = w->live ? WARP_WAITS : WARP_DONE;
            break;
        }
        switch (told ? loop_observed(r, w) : loop_plain(r, w)) {
        case LEAVE_ERROR: ok = on = false; break;
        case LEAVE_QUANTUM:
            w->state = WARP_READY;
            on = false;
            break;
        case LEAVE_SPIN:
            w->state = WARP_SPINS;
            on = false;
            break;
        case LEAVE_AGAIN: break;
        }
    }
    r->counts.warp_insts += q - w->left;
    if (ok && w->left == 0 && r->dev->cfg.max_warp_insts == r->counts.warp_insts && w->state == WARP_READY) {
        w->pc = w->split[w->cur].pc;
        return fail(r, w, EXEC_LIMIT, NO_LANE, 0, "stopped after %llu warp instructions",
                    (unsigned long long)r->counts.warp_insts);
    }
    return ok;
}
