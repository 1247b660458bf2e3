/* SPDX-License-Identifier: Apache-2.0 */
/* The operand staging unit: a line is pinned while a region uses it, else it is on its bank's list of free, clean or dirty
 * lines. A register that needs a line takes the oldest of the first list that has one; dirty ones leave through a few entries. */
#include "sm/operands/regless/regless.h"

#include <assert.h>

/* Free and clean lines of a bank that are room for any one result: it may take a clean line itself, and then that is no room. */
enum { ROOM_FOR_ONE = 2 };

void osu_init(struct regless *s)
{
    const struct sm_cfg *cfg = s->p->sm->cfg;
    s->banks = xcalloc(cfg->banks, sizeof *s->banks);
    s->where = xcalloc(cfg->warps, sizeof *s->where);
    s->stored = xcalloc(cfg->warps, sizeof *s->stored);
    s->saved = s->p->check ? xcalloc(cfg->warps, sizeof *s->saved) : NULL;
    s->out = xcalloc(s->cfg->out, sizeof *s->out);
    s->tight = s->nlines < ROOM_FOR_ONE ? ~0ull : 0;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        struct rl_bank *k = &s->banks[b];
        k->lines = xcalloc(s->nlines, sizeof *k->lines);
        k->first[RL_CLEAN] = k->first[RL_DIRTY] = k->last[RL_CLEAN] = k->last[RL_DIRTY] = RL_NONE;
        k->n[RL_FREE] = s->nlines;
        k->last[RL_FREE] = (uint16_t)(s->nlines - 1);
        for (uint32_t i = 0; i < s->nlines; i++) {
            k->lines[i].prev = i ? (uint16_t)(i - 1) : RL_NONE;
            k->lines[i].next = i + 1 < s->nlines ? (uint16_t)(i + 1) : RL_NONE;
        }
    }
}

void osu_free(struct regless *s)
{
    for (uint32_t b = 0; b < s->p->sm->cfg->banks; b++) {
        free(s->banks[b].lines);
        vec_free(&s->banks[b].q);
    }
    free(s->banks);
    free(s->where);
    free(s->stored);
    free(s->saved);
    free(s->out);
}

struct rl_line *osu_line(const struct regless *s, uint32_t warp, uint32_t reg)
{
    uint32_t at = s->where[warp][reg];
    return at ? &s->banks[rl_bank_of(s, warp, reg)].lines[at - 1] : NULL;
}

/* ---- lists ---- */

static void leave_list(struct rl_bank *k, struct rl_line *l)
{
    k->n[l->list]--;
    if (l->list == RL_PINNED)
        return;
    if (l->prev == RL_NONE)
        k->first[l->list] = l->next;
    else
        k->lines[l->prev].next = l->next;
    if (l->next == RL_NONE)
        k->last[l->list] = l->prev;
    else
        k->lines[l->next].prev = l->prev;
}

static void enter_list(struct rl_bank *k, struct rl_line *l, enum rl_list list)
{
    uint16_t at = (uint16_t)(l - k->lines);
    k->n[list]++;
    l->list = (uint8_t)list;
    if (list == RL_PINNED)
        return;
    l->prev = k->last[list];
    l->next = RL_NONE;
    if (l->prev == RL_NONE)
        k->first[list] = at;
    else
        k->lines[l->prev].next = at;
    k->last[list] = at;
}

static void move(struct regless *s, struct rl_bank *k, struct rl_line *l, enum rl_list list)
{
    uint64_t bank = 1ull << (k - s->banks);
    leave_list(k, l);
    enter_list(k, l, list);
    bool tight = k->n[RL_FREE] + k->n[RL_CLEAN] < ROOM_FOR_ONE;
    s->tight = tight ? s->tight | bank : s->tight & ~bank;
    s->changed = true;
}

static void set_bank(struct regless *s, uint32_t warp, uint32_t reg, struct rl_value v)
{
    if (!s->saved)
        return;
    s->p->check->regs[warp][reg].bank = v.version;
    s->p->check->regs[warp][reg].lanes = v.lanes;
}

static const struct rl_value gone = {CHECK_GONE, 0};

/* The line holds its register no longer. */
static void empty(struct regless *s, struct rl_line *l)
{
    s->where[l->warp][l->reg] = 0;
    set_bank(s, l->warp, l->reg, gone);
}

static void pin(struct regless *s, uint32_t b, struct rl_line *l)
{
    struct rl_warp *w = &s->warps[l->warp];
    move(s, &s->banks[b], l, RL_PINNED);
    s->modest &= ~(1ull << l->warp);
    w->pinned[b]++;
    w->npinned++;
}

static void unpin(struct regless *s, uint32_t b, struct rl_line *l, enum rl_list to)
{
    struct rl_warp *w = &s->warps[l->warp];
    move(s, &s->banks[b], l, to);
    s->modest &= ~(1ull << l->warp);
    w->pinned[b]--;
    w->npinned--;
    if (w->state != RL_DRAINING)
        return;
    w->reserved[b]--;
    s->banks[b].reserved--;
    s->look = true;
}

/* ---- registers on their way out ---- */

static struct rl_out *out_of(const struct regless *s, uint32_t warp, uint32_t reg)
{
    for (uint32_t i = 0; s->nout && i < s->cfg->out; i++)
        if (s->out[i].used && s->out[i].warp == warp && s->out[i].reg == reg)
            return &s->out[i];
    return NULL;
}

bool osu_is_leaving(const struct regless *s, uint32_t warp, uint8_t reg)
{
    return out_of(s, warp, reg) != NULL;
}

static void cancel_out(struct regless *s, struct rl_out *o)
{
    if (o->queued)
        below_recall_out(s, (uint32_t)(o - s->out));
    o->used = false;
    s->nout--;
}

static void send_out(struct regless *s, const struct rl_line *l)
{
    uint32_t i = 0;
    while (s->out[i].used)
        i++;
    s->out[i] = (struct rl_out){.used = true, .warp = l->warp, .reg = l->reg, .cls = l->cls};
    s->nout++;
    if (s->saved)
        s->saved[l->warp][l->reg] = (struct rl_value){s->p->check->regs[l->warp][l->reg].bank,
                                                      s->p->check->regs[l->warp][l->reg].lanes};
}

void osu_moved(struct regless *s, uint32_t entry, uint8_t stored)
{
    struct rl_out *o = &s->out[entry];
    uint8_t *now = &s->stored[o->warp][o->reg];
    assert(o->used);
    if (*now >= RL_PACKED && stored < RL_PACKED)
        comp_forget(s, o->warp, o->reg);
    *now = stored;
    o->used = false;
    s->nout--;
}

/* ---- lines for registers ---- */

/* A pinned line without a value. NULL: the oldest line would have to leave, and cannot now. */
static struct rl_line *allocate(struct regless *s, uint32_t warp, uint8_t reg)
{
    uint32_t b = rl_bank_of(s, warp, reg), list = RL_FREE;
    struct rl_bank *k = &s->banks[b];
    while (list < RL_LISTS && !k->n[list])
        list++;
    assert(list < RL_LISTS); /* reservations leave one */
    struct rl_line *l = &k->lines[k->first[list]];
    if (list == RL_DIRTY && s->nout == s->cfg->out)
        return NULL;
    if (list == RL_DIRTY)
        send_out(s, l);
    if (list != RL_FREE) {
        s->count[list == RL_DIRTY ? RL_evicted_dirty : RL_evicted_clean]++;
        empty(s, l);
    }
    l->warp = (uint8_t)warp;
    l->reg = reg;
    l->cls = TV_OTHER;
    l->dirty = l->coming = false;
    s->where[warp][reg] = (uint16_t)(l - k->lines + 1);
    pin(s, b, l);
    return l;
}

/* Only this register needs a line. */
static bool room_for_one(struct regless *s, uint32_t warp, uint8_t reg, uint32_t *full)
{
    const struct rl_warp *w = &s->warps[warp];
    const struct rl_line *l = osu_line(s, warp, reg);
    uint32_t b = rl_bank_of(s, warp, reg), n = l && l->list == RL_CLEAN ? 2 : 1;
    if (w->pinned[b] >= w->reserved[b])
        return false;
    s->modest |= 1ull << warp;
    if (n <= s->banks[b].n[RL_FREE] + s->banks[b].n[RL_CLEAN])
        return true;
    *full = b;
    return s->nout + !l <= s->cfg->out;
}

static bool room_for_all(const struct regless *s, uint32_t warp, const struct kinsn *k, uint32_t *full)
{
    const struct rl_warp *w = &s->warps[warp];
    /* Results without a pinned line, by bank, and those of them that a clean one waits for. */
    uint16_t more[REGION_BANKS] = {0}, again[REGION_BANKS] = {0};
    uint32_t all = 0;
    bool easy = true;
    for (uint32_t i = 0; i < k->nwrite; i++) {
        uint32_t b = rl_bank_of(s, warp, k->write[i]);
        const struct rl_line *l = osu_line(s, warp, k->write[i]);
        if (l && l->list == RL_PINNED)
            continue;
        more[b]++;
        again[b] = (uint16_t)(again[b] + (l && l->list == RL_CLEAN));
        all += !l;
        if (w->pinned[b] + more[b] > w->reserved[b])
            return false;
        if ((uint32_t)(more[b] + again[b]) > s->banks[b].n[RL_FREE] + s->banks[b].n[RL_CLEAN]) {
            easy = false;
            *full = b;
        }
    }
    return easy || s->nout + all <= s->cfg->out;
}

bool osu_room(struct regless *s, uint32_t warp, const struct inext *e, uint32_t *full)
{
    uint32_t n = 0;
    uint8_t reg = 0;
    for (uint32_t i = 0; i < e->k->nwrite; i++) {
        const struct rl_line *l = osu_line(s, warp, e->k->write[i]);
        if (l && l->list == RL_PINNED)
            continue;
        reg = e->k->write[i];
        n++;
    }
    if (n > 1)
        return room_for_all(s, warp, e->k, full);
    if (n)
        return room_for_one(s, warp, reg, full);
    s->modest |= 1ull << warp;
    return true;
}

uint64_t osu_have_room(const struct regless *s) { return s->nout < s->cfg->out || !s->tight ? s->modest : 0; }

/* The results of one instruction may need more lines than can leave at a time. */
bool osu_make_room(struct regless *s, uint32_t b)
{
    struct rl_bank *k = &s->banks[b];
    if (!k->n[RL_DIRTY] || s->nout == s->cfg->out)
        return false;
    struct rl_line *l = &k->lines[k->first[RL_DIRTY]];
    s->count[RL_evicted_dirty]++;
    send_out(s, l);
    empty(s, l);
    move(s, k, l, RL_FREE);
    return true;
}

/* An older value that is on its way out is not wanted any more, or has been brought back. */
void osu_claim(struct regless *s, uint32_t warp, uint8_t reg)
{
    struct rl_line *l = osu_line(s, warp, reg);
    struct rl_out *o = l ? NULL : out_of(s, warp, reg);
    regset_drop(&s->warps[warp].deferred, reg);
    if (l && l->list == RL_PINNED)
        return;
    if (o)
        cancel_out(s, o);
    if (l) {
        pin(s, rl_bank_of(s, warp, reg), l);
        return;
    }
    l = allocate(s, warp, reg);
    assert(l);
    if (s->saved && s->stored[warp][reg] == RL_ABSENT)
        set_bank(s, warp, reg, s->saved[warp][reg]);
}

void osu_release(struct regless *s, uint32_t warp, uint8_t reg, bool dead)
{
    struct rl_line *l = osu_line(s, warp, reg);
    uint32_t b = rl_bank_of(s, warp, reg);
    if (!l || l->list != RL_PINNED || l->coming)
        return;
    if (dead && rl_wanted(s, warp, reg, 0)) {
        regset_add(&s->warps[warp].deferred, reg);
        dead = false;
    }
    if (dead) {
        s->count[RL_erased]++;
        empty(s, l);
    }
    unpin(s, b, l, dead ? RL_FREE : l->dirty ? RL_DIRTY : RL_CLEAN);
}

void osu_release_all(struct regless *s, uint32_t warp)
{
    for (uint32_t r = 0; s->warps[warp].npinned && r < 256; r++)
        osu_release(s, warp, (uint8_t)r, false);
}

void osu_drop_stored(struct regless *s, uint32_t warp, uint8_t reg)
{
    uint8_t *now = &s->stored[warp][reg];
    if (*now >= RL_PACKED)
        comp_forget(s, warp, reg);
    else if (*now == RL_PLAIN)
        below_drop(s, warp, reg);
    *now = RL_ABSENT;
    if (s->saved)
        s->saved[warp][reg] = gone;
}

void osu_discard(struct regless *s, uint32_t warp, uint8_t reg)
{
    struct rl_line *l = osu_line(s, warp, reg);
    struct rl_out *o = l ? NULL : out_of(s, warp, reg);
    if (l && l->list != RL_PINNED) {
        s->count[RL_erased]++;
        empty(s, l);
        move(s, &s->banks[rl_bank_of(s, warp, reg)], l, RL_FREE);
    }
    if (o)
        cancel_out(s, o);
    osu_drop_stored(s, warp, reg);
}

void osu_give_up(struct regless *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    if (rl_wanted(s, warp, reg, mask))
        regset_add(&s->warps[warp].deferred, reg);
    else
        osu_discard(s, warp, (uint8_t)reg);
}

void osu_give_up_deferred(struct regless *s, uint32_t warp)
{
    struct rl_warp *w = &s->warps[warp];
    for (regset left = w->deferred; !regset_empty(&left);) {
        uint8_t reg = regset_take(&left);
        if (rl_wanted(s, warp, reg, 0))
            continue;
        regset_drop(&w->deferred, reg);
        osu_discard(s, warp, reg);
    }
}

void osu_vacate(struct regless *s, uint32_t warp, uint8_t reg)
{
    struct rl_line *l = osu_line(s, warp, reg);
    struct rl_out *o = l ? NULL : out_of(s, warp, reg);
    uint32_t b = rl_bank_of(s, warp, reg);
    if (l && l->list == RL_PINNED) {
        s->warps[warp].pinned[b]--;
        s->warps[warp].npinned--;
    }
    if (l) {
        s->where[warp][reg] = 0;
        move(s, &s->banks[b], l, RL_FREE);
    }
    if (o)
        cancel_out(s, o);
    if (s->stored[warp][reg] >= RL_PACKED)
        comp_forget(s, warp, reg);
    s->stored[warp][reg] = RL_ABSENT;
}

/* ---- preloads ---- */

void osu_lookup(struct regless *s, uint32_t warp, uint8_t reg, bool gives_up, bool single, uint64_t t)
{
    uint32_t b = rl_bank_of(s, warp, reg);
    vec_push(
        &s->banks[b].q,
        (struct rl_lookup){
            .warp = (uint8_t)warp, .reg = reg, .gives_up = gives_up, .single = single, .since = (uint32_t)t});
    s->lookups |= 1ull << b;
}

static void found_here(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint64_t t)
{
    s->count[RL_from_osu]++;
    if (single && s->stored[warp][reg] != RL_ABSENT) {
        osu_drop_stored(s, warp, reg);
        osu_line(s, warp, reg)->dirty = true;
    }
    cm_answered(s, warp, t);
}

bool osu_bring(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint64_t t)
{
    struct rl_line *l = osu_line(s, warp, reg);
    struct rl_out *o = l ? NULL : out_of(s, warp, reg);
    struct rl_out old = o ? *o : (struct rl_out){0};
    if (l) {
        assert(l->list != RL_PINNED);
        pin(s, rl_bank_of(s, warp, reg), l);
    } else {
        if (o)
            cancel_out(s, o);
        l = allocate(s, warp, reg);
        if (!l)
            return false;
        l->coming = !o;
    }
    if (o) {
        l->dirty = true;
        l->cls = old.cls;
        if (s->saved)
            set_bank(s, warp, reg, s->saved[warp][reg]);
    }
    s->count[RL_preloads]++;
    s->count[RL_kept] += regset_has(&s->warps[warp].deferred, reg);
    regset_drop(&s->warps[warp].deferred, reg);
    if (!l->coming) {
        found_here(s, warp, reg, single, t);
    } else if (s->cfg->comp) {
        comp_ask(s, warp, reg, single, t);
    } else if (s->stored[warp][reg] == RL_PLAIN) {
        below_read(s, warp, reg, single, s->warps[warp].era);
    } else {
        s->count[RL_from_absent]++;
        osu_answer(s, warp, reg, single, s->warps[warp].era, t);
    }
    return true;
}

void osu_answer(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint32_t owner, uint64_t t)
{
    struct rl_line *l = osu_line(s, warp, reg);
    uint8_t now = s->stored[warp][reg];
    if (owner != s->warps[warp].era)
        return;
    if (!l || !l->coming) {
        rl_fail(s, warp, reg, "was answered and nobody had asked");
        return;
    }
    l->coming = false;
    l->cls = now >= RL_PACKED ? (uint8_t)(now - RL_PACKED) : TV_OTHER;
    if (s->saved)
        set_bank(s, warp, reg, s->saved[warp][reg]);
    if (single && now != RL_ABSENT) {
        /* Whoever read it in L1 has given it up there. */
        if (now >= RL_PACKED)
            comp_forget(s, warp, reg);
        s->stored[warp][reg] = RL_ABSENT;
        if (s->saved)
            s->saved[warp][reg] = gone;
        l->dirty = true;
    }
    cm_answered(s, warp, t);
}

static bool serve_one(struct regless *s, const struct rl_lookup *x, uint64_t t)
{
    const struct sm_warp *w = &s->p->warps[x->warp];
    if (!x->gives_up)
        return osu_bring(s, x->warp, x->reg, x->single, t);
    osu_give_up(s, x->warp, x->reg, w->next.mask);
    cm_answered(s, x->warp, t);
    return true;
}

/* A bank whose tags no operand has taken serves a lookup (section 4.5.2.1 names reads only: a write knows its line). */
void osu_serve(struct regless *s, uint64_t t)
{
    for (uint64_t m = s->lookups & ~s->p->banks.read_now; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);
        struct rl_bank *k = &s->banks[b];
        struct rl_lookup x = k->q.at[k->head];
        if (x.since == (uint32_t)t || !serve_one(s, &x, t))
            continue;
        if (++k->head == k->q.n) {
            k->head = 0;
            vec_clear(&k->q);
            s->lookups &= ~(1ull << b);
        }
    }
}

/* ---- trust ---- */

void rl_fail(struct regless *s, uint32_t warp, uint32_t reg, const char *what)
{
    struct sm *m = s->p->sm;
    if (!m->error[0])
        snprintf(m->error, sizeof m->error, "cycle %llu, partition %u, warp %u: R%u in the staging unit %s",
                 (unsigned long long)m->clock.now, s->p->id, warp, reg, what);
}

static void fail_bank(struct regless *s, uint32_t b, const char *what)
{
    struct sm *m = s->p->sm;
    if (!m->error[0])
        snprintf(m->error, sizeof m->error, "cycle %llu, partition %u: bank %u of the staging unit: %s",
                 (unsigned long long)m->clock.now, s->p->id, b, what);
}

static void check_bank_lines(struct regless *s, uint32_t b)
{
    const struct rl_bank *k = &s->banks[b];
    uint32_t n[RL_LISTS + 1] = {0}, pinned = 0, reserved = 0;
    for (uint32_t i = 0; i < s->nlines; i++) {
        const struct rl_line *l = &k->lines[i];
        n[l->list]++;
        if (l->list != RL_FREE && s->where[l->warp][l->reg] != i + 1)
            fail_bank(s, b, "a line's register is elsewhere");
        if (l->list != RL_FREE && !s->warps[l->warp].here)
            fail_bank(s, b, "a line is held for a warp that has ended");
    }
    for (uint32_t i = 0; i < s->p->sm->cfg->warps; i++) {
        pinned += s->warps[i].pinned[b];
        reserved += s->warps[i].reserved[b];
        if (s->warps[i].pinned[b] > s->warps[i].reserved[b])
            fail_bank(s, b, "a warp holds more than was reserved for it");
    }
    for (uint32_t i = 0; i <= RL_LISTS; i++)
        if (n[i] != k->n[i])
            fail_bank(s, b, "a list has lost count");
    if (n[RL_PINNED] != pinned || reserved != k->reserved)
        fail_bank(s, b, "warps and lines do not add up");
    if (k->reserved > s->nlines)
        fail_bank(s, b, "more is reserved than there is");
}

void osu_check(struct regless *s)
{
    for (uint32_t b = 0; s->changed && b < s->p->sm->cfg->banks; b++)
        check_bank_lines(s, b);
    s->changed = false;
}
