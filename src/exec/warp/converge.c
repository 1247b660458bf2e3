/* SPDX-License-Identifier: Apache-2.0 */
/* Convergence as NVIDIA's code writes it. A barrier register holds, for each lane, the lanes that it will meet: BSSY fills
 * it with the lanes that execute it, BREAK takes lanes out, BMOV saves and restores it. At BSYNC a lane waits until every
 * lane in its copy is at a BSYNC of the same barrier or has exited. Lanes that meet at one place go on together.
 *
 * What goes on when the current split waits or ends is the one that was set aside last. An H200 holds only that one as a
 * group: of those before it the lanes' places are left, so that when their turn comes all that are at one place are one. */
#include "exec/run.h"

static uint32_t *barrier(const struct warp *w, uint32_t b) { return w->barriers + b * LANES; }

void converge_keep(struct warp *w)
{
    for (uint32_t i = 0; i < w->nsplit; i++)
        w->split[i].kept = w->split[i].kept || (i != w->cur && w->split[i].state == SPLIT_RUN);
}

bool converge_next(struct warp *w)
{
    uint32_t i = w->nsplit;
    while (i && w->split[i - 1].state != SPLIT_RUN)
        i--;
    if (!i)
        return false;
    w->cur = i - 1;
    for (uint32_t k = w->cur; w->split[w->cur].kept && k-- > 0;) {
        const struct split *s = &w->split[k];
        if (s->state != SPLIT_RUN || !s->kept || s->pc != w->split[w->cur].pc)
            continue;
        w->split[w->cur].mask |= s->mask;
        split_remove(w, k);
    }
    w->split[w->cur].kept = false;
    return true;
}

/* Split i, which was let go, is the first to go on. */
static void to_top(struct warp *w, uint32_t i)
{
    struct split s = w->split[i];
    bool current = w->cur == i;
    memmove(&w->split[i], &w->split[i + 1], sizeof s * (w->nsplit - i - 1));
    w->split[w->nsplit - 1] = s;
    if (current)
        w->cur = w->nsplit - 1;
    else if (w->cur > i && w->cur < w->nsplit)
        w->cur--;
}

static bool complete(const struct warp *w, uint32_t b, uint32_t need)
{
    uint32_t here = 0;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        if (w->split[i].state == SPLIT_BSYNC && w->split[i].key == b)
            here |= w->split[i].mask;
    }
    return (need & w->live & ~here) == 0;
}

/* Those that wait at b and are in `need` go on. */
static void release(struct warp *w, uint32_t b, uint32_t need)
{
    uint32_t *row = barrier(w, b);
    for (uint32_t i = 0, left = w->nsplit; left; left--) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_BSYNC || s->key != b || (s->mask & ~need)) {
            i++;
            continue;
        }
        for (uint32_t j = i + 1; j < w->nsplit;) {
            const struct split *t = &w->split[j];
            if (t->state == SPLIT_BSYNC && t->key == b && t->pc == s->pc && !(t->mask & ~need)) {
                s->mask |= t->mask;
                if (j == w->cur)
                    w->cur = i;
                split_remove(w, j);
                left--;
            } else {
                j++;
            }
        }
        lanes_each (s->mask, l)
            row[l] = 0;
        s->state = SPLIT_RUN;
        s->kept = false;
        s->pc++;
        to_top(w, i);
    }
}

/* Lanes have exited or left a barrier: whoever waited for them only goes on. */
bool converge_check(struct warp *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        const struct split *s = &w->split[i];
        if (s->state != SPLIT_BSYNC)
            continue;
        uint32_t b = s->key, need = barrier(w, b)[lane_first(s->mask)];
        if (complete(w, b, need)) {
            release(w, b, need | s->mask);
            any = true;
            i = UINT32_MAX; /* the list has changed */
        }
    }
    return any;
}

void converge_let_go(struct warp *w, uint32_t b, uint32_t lanes)
{
    uint32_t *row = barrier(w, b);
    for (uint32_t l = 0; l < LANES; l++)
        row[l] = lanes >> l & 1 ? 0 : row[l] & ~lanes;
}

bool core_bssy(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint32_t *row = barrier(w, d->x.insn->src[0].val);
    (void)r;
    lanes_each (mask, l)
        row[l] = mask;
    return true;
}

static void bsync(struct warp *w, uint32_t b, uint32_t mask, uint32_t *ran)
{
    const uint32_t *row = barrier(w, b);
    uint32_t pc = w->split[w->cur].pc, need = row[lane_first(mask)], same = 0;
    lanes_each (mask, l)
        same |= (uint32_t)(row[l] == need) << l;
    split_off(w, mask, pc + 1);
    split_off(w, same, pc);
    *ran = same;
    struct split *s = &w->split[w->cur];
    if (!(need & same)) {
        s->pc++;
        return;
    }
    s->state = SPLIT_BSYNC;
    s->key = b;
    if (complete(w, b, need))
        release(w, b, need | same);
}

/* The lanes `taken` of the current split go to `to`, the others of it go on. */
static void branch(struct warp *w, uint32_t taken, uint32_t to)
{
    struct split *s = &w->split[w->cur];
    uint32_t pc = s->pc, rest = s->mask & ~taken;
    bool first = split_taken_first(w, taken, rest);
    if (!taken || !rest) {
        s->pc = taken ? to : pc + 1;
    } else {
        s->mask = first ? taken : rest;
        s->pc = first ? to : pc + 1;
        split_add(w, first ? pc + 1 : to, first ? rest : taken, SPLIT_RUN, 0);
    }
}

/* BRA with more than a guard: a predicate (sub 0), any lane's guard for all (1), the lanes of a uniform register being
 * apart (2) or together (3). */
static void bra(struct warp *w, const struct dop *d, uint32_t mask)
{
    uint32_t all = w->split[w->cur].mask, members = x_row(&w->x, &d->x, 1)[0] ^ (d->x.src[1].neg ? ~0u : 0);
    bool apart = (members & w->live & ~all) != 0;
    switch (d->x.insn->sub) {
    case 0: branch(w, mask & x_psrc(&w->x, &d->x.psrc[0]), d->target); break;
    case 1: branch(w, mask ? all : 0, d->target); break;
    case 2: branch(w, apart ? mask : 0, d->target); break;
    default: branch(w, apart ? 0 : mask, d->target);
    }
}

/* Each lane of the current split goes to its target, those with one target together. First are the lanes that go where the
 * lowest lane goes, unless they are more than half: these come last, and those of the next lowest lane first. The others go on
 * in the same way among themselves. */
static void part(struct warp *w, const uint32_t *to)
{
    uint32_t rest = w->split[w->cur].mask, n = 0, now[LANES];
    bool half = true;
    split_remove(w, w->cur);
    while (rest) {
        uint32_t at = to[lane_first(rest)], same = 0;
        lanes_each (rest, l)
            same |= (uint32_t)(to[l] == at) << l;
        rest &= ~same;
        half = half && rest && lanes_n(same) > lanes_n(rest);
        if (half)
            split_add(w, at, same, SPLIT_RUN, 0);
        else
            now[n++] = same;
        half = !half;
    }
    while (--n)
        split_add(w, to[lane_first(now[n])], now[n], SPLIT_RUN, 0);
    w->cur = w->nsplit++;
    w->split[w->cur] = (struct split){.pc = to[lane_first(now[0])], .mask = now[0], .state = SPLIT_RUN};
}

static bool jmp(struct run *r, struct warp *w, const struct dop *d, uint32_t mask, uint32_t *ran)
{
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    uint32_t to[LANES];
    uint64_t text = d->x.insn->sub ? r->code->sass->text_addr : 0;
    lanes_each (mask, l) {
        uint64_t a = row_u64(row, l) + (uint64_t)(int64_t)(int32_t)d->target - text;
        if (a % 16 || a / 16 >= r->code->n)
            return fail(r, w, EXEC_BAD_CODE, l, a, "jump to byte 0x%llx, where there is no code",
                        (unsigned long long)a);
        to[l] = (uint32_t)(a / 16);
    }
    lanes_each (w->split[w->cur].mask & ~mask, k)
        to[k] = w->split[w->cur].pc + 1;
    part(w, to);
    *ran = mask;
    return true;
}

/* Where those that a BREAK has let go are fewer than those that executed it, they are first. */
static void leave(struct warp *w, uint32_t b, uint32_t lanes)
{
    converge_let_go(w, b, lanes);
    w->split[w->cur].pc++;
    if (!converge_check(w))
        return;
    uint32_t freed = w->nsplit - 1;
    if (freed == w->cur || lanes_n(w->split[freed].mask) >= lanes_n(w->split[w->cur].mask))
        return;
    struct split s = w->split[w->cur];
    w->split[w->cur] = w->split[freed];
    w->split[freed] = s;
}

/* Nobody else of the warp can go on: those that wait at a BSYNC need not any more, nor does anyone later at that barrier. */
static bool let_all_go(struct warp *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_BSYNC)
            continue;
        memset(barrier(w, s->key), 0, LANES * sizeof(uint32_t));
        s->state = SPLIT_RUN;
        s->kept = any = true;
        s->pc++;
    }
    return any;
}

/* The others go first. */
static void yield(struct warp *w)
{
    struct split s = w->split[w->cur];
    uint32_t others = 0;
    s.pc++;
    for (uint32_t i = 0; i < w->nsplit; i++)
        others += i != w->cur && w->split[i].state == SPLIT_RUN;
    if (!others && !let_all_go(w)) {
        w->split[w->cur].pc++;
        return;
    }
    split_remove(w, w->cur);
    converge_next(w);
    memmove(&w->split[1], &w->split[0], w->nsplit++ * sizeof s);
    s.kept = true;
    w->split[0] = s;
    w->cur++;
}

bool converge_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    switch ((enum ir_op)d->op) {
    case OP_BSYNC:
        mask &= x_psrc(&w->x, &d->x.psrc[1]);
        if (mask)
            bsync(w, d->x.insn->src[0].val, mask, ran);
        else
            w->split[w->cur].pc++;
        return true;
    case OP_BREAK: leave(w, d->x.insn->src[0].val, mask & x_psrc(&w->x, &d->x.psrc[1])); return true;
    case OP_NOP: yield(w); return true;
    case OP_JMP: return jmp(r, w, d, mask, ran);
    default: bra(w, d, mask); return true;
    }
}
