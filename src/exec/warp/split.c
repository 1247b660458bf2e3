/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence. A warp is a list of splits, each a set of lanes at one pc. Reconvergence is BSSY/BSYNC and nothing else:
 * splits that meet at a pc by chance stay apart, which costs time and never changes a result.
 *
 * Order: the split that is running goes on; at a divergent branch the larger side does (the fall-through side on a tie)
 * and the other is queued at the end. The next split runs when the current one waits or ends, after BACK_BRANCHES taken
 * backward branches, when it polls in vain, or at once on NANOSLEEP, in turn. Lanes at a BSYNC are let go early where
 * nothing else in the CTA gets on. So every lane advances, and the order is the same always.
 *
 * NVIDIA's code goes as an H200 does it (docs/sass.md, "Streams as the GPU had them"): the smaller side first, and when the
 * current split waits or ends, the one that was set aside last; converge.c has what only it has. */
#include "exec/run.h"

void split_add(struct warp *w, uint32_t pc, uint32_t mask, enum split_state state, uint32_t key)
{
    if (w->barriers && state == SPLIT_RUN)
        converge_keep(w);
    w->split[w->nsplit++] = (struct split){.pc = pc, .mask = mask, .key = key, .state = (uint8_t)state};
}

/* The current split stays current; if it is the one removed, the next in turn is what cur then points at. */
void split_remove(struct warp *w, uint32_t i)
{
    w->nsplit--;
    memmove(&w->split[i], &w->split[i + 1], sizeof w->split[0] * (w->nsplit - i));
    if (i < w->cur)
        w->cur--;
    else if (i == w->cur && w->barriers)
        w->cur = w->nsplit; /* none: split_next takes the last */
}

void split_merge(struct warp *w, uint32_t i)
{
    struct split *s = &w->split[i];
    for (uint32_t j = i + 1; j < w->nsplit;) {
        const struct split *t = &w->split[j];
        if (t->state == s->state && t->key == s->key && t->pc == s->pc) {
            s->mask |= t->mask;
            if (j == w->cur)
                w->cur = i;
            split_remove(w, j);
        } else {
            j++;
        }
    }
}

/* The first runnable split from i on, in turn. */
static bool in_turn(struct warp *w, uint32_t from)
{
    for (uint32_t k = 0; k < w->nsplit; k++) {
        uint32_t i = from + k;
        if (i >= w->nsplit)
            i %= w->nsplit;
        if (w->split[i].state == SPLIT_RUN) {
            w->cur = i;
            return true;
        }
    }
    return false;
}

bool split_next(struct warp *w)
{
    w->back = 0;
    if (!w->barriers)
        return in_turn(w, w->cur);
    if (w->cur < w->nsplit && w->split[w->cur].state == SPLIT_RUN)
        return true;
    return converge_next(w);
}

void split_rotate(struct warp *w)
{
    w->back = 0;
    in_turn(w, w->cur + 1);
}

void split_off(struct warp *w, uint32_t stay, uint32_t other)
{
    struct split *s = &w->split[w->cur];
    uint32_t go = s->mask & ~stay;
    s->mask = stay;
    if (go)
        split_add(w, other, go, SPLIT_RUN, 0);
}

/* Everyone who joined b and lives is at a BSYNC of b: those at the same pc become one split and all go on. */
static void release(struct warp *w, uint32_t b)
{
    w->joined[b] = 0;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_BSYNC || s->key != b)
            continue;
        split_merge(w, i);
        s->state = SPLIT_RUN;
        s->pc++;
    }
}

static bool complete(const struct warp *w, uint32_t b)
{
    uint32_t here = 0;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        if (w->split[i].state == SPLIT_BSYNC && w->split[i].key == b)
            here |= w->split[i].mask;
    }
    return here && (w->joined[b] & w->live & ~here) == 0;
}

/* `lanes` of the current split, which is at a BSYNC of b, wait there; the others of it pass. */
void split_bsync(struct warp *w, uint32_t b, uint32_t lanes)
{
    uint32_t wait = lanes & w->joined[b];
    uint32_t pc = w->split[w->cur].pc;
    if (!wait) {
        w->split[w->cur].pc++;
        return;
    }
    split_off(w, wait, pc + 1);
    w->split[w->cur].state = SPLIT_BSYNC;
    w->split[w->cur].key = b;
    if (complete(w, b))
        release(w, b);
}

void split_leave(struct warp *w, uint32_t b, uint32_t lanes)
{
    w->joined[b] &= ~lanes;
    w->split[w->cur].pc++;
    if (complete(w, b))
        release(w, b);
}

void split_exit(struct warp *w, uint32_t lanes)
{
    w->live &= ~lanes;
    struct split *s = &w->split[w->cur];
    s->mask &= ~lanes;
    s->pc++;
    if (!s->mask)
        split_remove(w, w->cur);
    if (w->barriers) {
        converge_check(w);
        return;
    }
    for (uint32_t i = 0; i < w->nsplit; i++) {
        if (w->split[i].state == SPLIT_BSYNC && complete(w, w->split[i].key)) {
            release(w, w->split[i].key);
            i = UINT32_MAX; /* the list has changed */
        }
    }
}

bool split_break_bsync(struct warp *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_BSYNC)
            continue;
        if (w->barriers)
            converge_let_go(w, s->key, s->mask);
        else
            w->joined[s->key] &= ~s->mask;
        s->state = SPLIT_RUN;
        s->pc++;
        any = true;
    }
    return any;
}
