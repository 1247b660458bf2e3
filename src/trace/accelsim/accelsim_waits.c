/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for barrier objects out of a record of polling. The addresses of objects are in a SASS trace, but neither the counts
 * that they are initialised with nor the parities that are waited for.
 * - Of tests of an object by a warp that has neither arrived, copied nor multiplied since, the last one is the wait, and
 *   what was executed between two of one PC was the loop. Where lanes are through one after the other, the first test waits
 *   for all of them, and of the loop nothing stays.
 * - A test whose answer is used later (its warp goes on, and a branch further down leads to a loop of the same object) does
 *   not hold the warp: the wait is where that branch is. If the loop was entered, the loop's test is the wait, whatever the
 *   warp has done since.
 * - An object's count is what makes its arrivals come out even: so many arrivals, so many phases (as many as a warp waits
 *   for it, or one fewer or more). Arrivals at other CTAs' objects count at the same object of the own: the CTAs of a
 *   cluster do alike.
 * - A warp that waits once more than there are phases, or that waits for an object without bytes and feeds those that have
 *   some, begins with a wait that is over at once.
 * - The recorded program ended, so the CTA's arrivals end every wait, in whatever order warps come: at last they are played
 *   through, and a wait that nobody would end is taken for one that was over when it came. As arrivals only add up and a
 *   wait is for a number of phases, no other order of the same steps can get stuck at objects either. */
#include "trace/accelsim/accelsim_async.h"

/* What a warp does between two waits for different phases of an object. */
static bool does(const struct tr_insn *in)
{
    return as_is_copy(in) || in->cls == TC_GMMA || (as_is_object(in) && in->imm < TMB_WAIT);
}

struct as_object *as_object_at(struct as_async *a, uint64_t addr)
{
    uint32_t at = (uint32_t)addr & AS_OFFSET;
    vec_each (&a->objects, o) {
        if (o->at == at)
            return o;
    }
    vec_push(&a->objects, (struct as_object){.at = at});
    return &a->objects.at[a->objects.n - 1];
}

/* ---- polling ---- */

static uint32_t place_of(const struct as_async *a, const struct as_step *s, uint32_t lane)
{
    return (uint32_t)a->blocks.at[s->block].addr[lane] & AS_OFFSET;
}

/* Does every lane of s wait at t's object, too? */
static bool waits_for(const struct as_async *a, const struct as_step *s, const struct as_step *t)
{
    if (s->mask & ~t->mask)
        return false;
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (place_of(a, s, l) != place_of(a, t, l))
            return false;
    }
    return true;
}

/* Drops what stands between two tests of one PC and belongs to their loop, which ends with the branch back to it. What lanes
 * that are through have done meanwhile stays. */
static void drop_round(const struct tr_kernel *k, as_steps *w, uint32_t from, uint32_t to)
{
    uint32_t head = w->at[to].at, back = head;
    for (uint32_t j = from + 1; j < to; j++) {
        const struct tr_insn *in = &k->insns[w->at[j].at];
        if (in->cls == TC_BRANCH && in->target == head && w->at[j].at > back)
            back = w->at[j].at;
    }
    for (uint32_t j = from + 1; j < to; j++)
        if (w->at[j].at >= head && w->at[j].at <= back)
            w->at[j].gone = true;
}

static void drop_polls(struct as_async *a, const struct tr_kernel *k, as_steps *w)
{
    uint32_t last = UINT32_MAX, test = 0; /* the wait that may be the same; its last test */
    for (uint32_t i = 0; i < w->n; i++) {
        struct as_step *s = &w->at[i];
        const struct tr_insn *in = &k->insns[s->at];
        if (s->mask && does(in))
            last = UINT32_MAX;
        if (as_is_object(in) && in->imm == TMB_TEST)
            s->gone = true;
        if (strncmp(in->text, "NANOSLEEP.SYNCS", 15) == 0)
            s->gone = true;
        if (!as_is_wait(in) || !s->mask)
            continue;
        if (last != UINT32_MAX && waits_for(a, s, &w->at[last])) {
            bool loop = s->at == w->at[test].at;
            if (s->mask !=
                w->at[last].mask) { /* some lanes are through: the first one waits for all of them */
                s->gone = true;
                if (loop)
                    drop_round(k, w, test, i);
                test = i;
                continue;
            }
            for (uint32_t j = last; j < (loop ? i : last + 1); j++)
                w->at[j].gone = true;
        }
        last = test = i;
    }
}

/* Does the step hold its warp: is it the head of a loop that sleeps between two tests, or was it jumped to? */
static bool holds(const struct tr_kernel *k, const as_steps *w, uint32_t i)
{
    uint32_t at = w->at[i].at;
    return (at + 1 < k->n && strncmp(k->insns[at + 1].text, "NANOSLEEP.SYNCS", 15) == 0) ||
           (i && at != w->at[i - 1].at + 1);
}

/* The next wait of the warp from i on; w->n: none. */
static uint32_t next_wait(const struct tr_kernel *k, const as_steps *w, uint32_t i)
{
    while (i < w->n && (w->at[i].gone || !w->at[i].mask || !as_is_wait(&k->insns[w->at[i].at])))
        i++;
    return i;
}

/* The branch behind step i that leads to a loop of waits. 0: none, before another test, or before what a warp does when it
 * has waited: to copy, or to arrive with bytes. */
static uint32_t branch_to_loop(const struct tr_kernel *k, const as_steps *w, uint32_t i)
{
    for (i++; i < w->n; i++) {
        const struct tr_insn *in = &k->insns[w->at[i].at];
        if (in->cls == TC_BRANCH && in->target < k->n && as_is_wait(&k->insns[in->target]))
            return i;
        if (w->at[i].mask &&
            (as_is_wait(in) || as_is_copy(in) || (as_is_object(in) && in->imm == TMB_ARRIVE_EXPECT)))
            return 0;
    }
    return 0;
}

/* The wait at i becomes the last step before `to`. */
static void put_off(as_steps *w, uint32_t i, uint32_t to)
{
    struct as_step s = w->at[i];
    memmove(&w->at[i], &w->at[i + 1], (to - i - 1) * sizeof s);
    w->at[to - 1] = s;
}

/* Tests whose answers are used later. */
static void put_off_tests(struct as_async *a, const struct tr_kernel *k, as_steps *w)
{
    for (uint32_t i = next_wait(k, w, 0); i < w->n;) {
        uint32_t next = next_wait(k, w, i + 1);
        if (holds(k, w, i)) {
            i = next;
            continue;
        }
        if (next < w->n && holds(k, w, next) && w->at[next].at != w->at[i].at &&
            waits_for(a, &w->at[next], &w->at[i])) {
            w->at[i].gone = true;
        } else {
            uint32_t branch = branch_to_loop(k, w, i);
            if (branch)
                put_off(w, i, branch);
        }
        i = next;
    }
}

/* ---- objects ---- */

/* The waits of a warp, by object: how many so far, and 1 + what the warp had done before the last one. A wait before which
 * it has done nothing since is for the same phase. */
struct waits {
    uint32_t n, after;
    uint32_t less; /* phases that the warp was found not to wait for */
};

static uint32_t number_wait(struct waits *w, uint32_t done)
{
    w->n += w->after != done + 1;
    w->after = done + 1;
    return w->n;
}

static void number_waits(struct as_async *a, const struct tr_kernel *k, const as_steps *w)
{
    struct waits *waits = xcalloc(a->objects.n + 1, sizeof *waits);
    uint32_t done = 0;
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        done += s->mask && does(in);
        if (s->gone || !as_is_wait(in))
            continue;
        struct as_lanes *b = &a->blocks.at[s->block];
        for (uint32_t m = s->mask; m; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            struct as_object *o = as_object_at(a, b->addr[l]);
            uint32_t n = number_wait(&waits[o - a->objects.at], done);
            b->value[l] = n;
            o->waits = n > o->waits ? n : o->waits;
        }
    }
    free(waits);
}

/* Has an object that is filled with bytes, by one arrival a phase, so many phases? */
static bool filled(const struct as_async *a, uint32_t phases)
{
    vec_each (&a->objects, o) {
        if (o->bytes && o->arrivals == phases)
            return true;
    }
    return false;
}

/* As many phases as warps wait for it, or one fewer or more, with an equal number of arrivals; if there is a choice, as many
 * as some other object was filled. */
static uint32_t count_of(const struct as_async *a, const struct as_object *o)
{
    uint32_t w = o->waits, tries[] = {w, w > 1 ? w - 1 : w, w + 1};
    for (uint32_t t = 0; t < 6; t++) {
        uint32_t phases = tries[t % 3];
        if (phases && o->arrivals && o->arrivals % phases == 0 && (o->bytes || t >= 3 || filled(a, phases)))
            return o->arrivals / phases;
    }
    return w && o->arrivals > w ? o->arrivals / w : 1;
}

static void find_objects(struct as_async *a, const struct tr_kernel *k)
{
    for (uint32_t w = 0; w < TR_WARPS; w++)
        vec_each (&a->warps[w], s) {
            const struct tr_insn *in = &k->insns[s->at];
            if (!as_is_object(in))
                continue;
            for (uint32_t m = s->mask; m; m &= m - 1) {
                struct as_object *o = as_object_at(a, a->blocks.at[s->block].addr[__builtin_ctz(m)]);
                o->arrivals += in->imm == TMB_ARRIVE || in->imm == TMB_ARRIVE_EXPECT;
                o->bytes |= in->imm == TMB_ARRIVE_EXPECT;
            }
        }
    for (uint32_t w = 0; w < TR_WARPS; w++)
        number_waits(a, k, &a->warps[w]);
    vec_each (&a->objects, o)
        o->count = count_of(a, o);
}

static bool feeds(const struct tr_kernel *k, const as_steps *w)
{
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        if (s->mask && (as_is_load(in) || (as_is_object(in) && in->imm == TMB_ARRIVE_EXPECT)))
            return true;
    }
    return false;
}

/* Waits that are over at once. */
static void first_waits(struct as_async *a, const struct tr_kernel *k, const as_steps *w)
{
    bool feeder = feeds(k, w);
    vec_each (w, s) {
        if (s->gone || !as_is_wait(&k->insns[s->at]))
            continue;
        struct as_lanes *b = &a->blocks.at[s->block];
        for (uint32_t m = s->mask; m; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            const struct as_object *o = as_object_at(a, b->addr[l]);
            b->value[l] -= o->waits > o->arrivals / o->count || (!o->bytes && feeder);
        }
    }
}

/* ---- playing ---- */

struct play {
    struct as_async *a;
    const struct tr_kernel *k;
    uint32_t at[TR_WARPS];      /* the step that each warp is at */
    struct waits *of[TR_WARPS]; /* by object */
    uint32_t *arrived;          /* by object */
};

/* How many phases the lane of a wait lacks. */
static uint32_t lacks(const struct play *p, const struct as_step *s, uint32_t w, uint32_t lane)
{
    const struct as_lanes *b = &p->a->blocks.at[s->block];
    const struct as_object *o = as_object_at(p->a, b->addr[lane]);
    uint32_t i = (uint32_t)(o - p->a->objects.at), over = p->arrived[i] / o->count;
    uint64_t need = b->value[lane] > p->of[w][i].less ? b->value[lane] - p->of[w][i].less : 0;
    return need > over ? (uint32_t)need - over : 0;
}

/* The most that a lane lacks; 0: the wait is over. */
static uint32_t step_lacks(const struct play *p, const struct as_step *s, uint32_t w)
{
    uint32_t most = 0;
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t n = lacks(p, s, w, (uint32_t)__builtin_ctz(m));
        most = n > most ? n : most;
    }
    return most;
}

static bool is_step(const struct as_step *s) { return !s->gone && s->mask && s->block != UINT32_MAX; }

/* Plays a warp up to a wait that is not over. Returns whether it got anywhere. */
static bool play_warp(struct play *p, uint32_t w)
{
    const as_steps *list = &p->a->warps[w];
    uint32_t from = p->at[w];
    for (; p->at[w] < list->n; p->at[w]++) {
        const struct as_step *s = &list->at[p->at[w]];
        const struct tr_insn *in = &p->k->insns[s->at];
        if (!is_step(s) || !as_is_object(in))
            continue;
        struct as_lanes *b = &p->a->blocks.at[s->block];
        if (in->imm == TMB_WAIT && step_lacks(p, s, w))
            break;
        for (uint32_t m = s->mask; m; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            uint32_t i = (uint32_t)(as_object_at(p->a, b->addr[l]) - p->a->objects.at);
            p->arrived[i] += in->imm == TMB_ARRIVE || in->imm == TMB_ARRIVE_EXPECT;
            if (in->imm == TMB_WAIT)
                b->value[l] -= b->value[l] < p->of[w][i].less ? b->value[l] : p->of[w][i].less;
        }
    }
    return p->at[w] != from;
}

/* All warps are at their ends or wait. Of those that wait, the one that lacks the fewest phases goes on, and waits for that
 * many fewer at these objects from here on. Returns whether there was one. */
static bool release(struct play *p)
{
    uint32_t best = UINT32_MAX, least = UINT32_MAX;
    for (uint32_t w = 0; w < TR_WARPS; w++) {
        if (p->at[w] == p->a->warps[w].n)
            continue;
        uint32_t n = step_lacks(p, &p->a->warps[w].at[p->at[w]], w);
        if (n < least) {
            least = n;
            best = w;
        }
    }
    if (best == UINT32_MAX)
        return false;
    const struct as_step *s = &p->a->warps[best].at[p->at[best]];
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint32_t i = (uint32_t)(as_object_at(p->a, p->a->blocks.at[s->block].addr[l]) - p->a->objects.at);
        p->of[best][i].less += lacks(p, s, best, l);
    }
    p->a->released++;
    return true;
}

static void play(struct as_async *a, const struct tr_kernel *k)
{
    struct play p = {.a = a, .k = k, .arrived = xcalloc(a->objects.n + 1, sizeof *p.arrived)};
    for (uint32_t w = 0; w < TR_WARPS; w++)
        p.of[w] = xcalloc(a->objects.n + 1, sizeof *p.of[w]);
    do {
        bool moved = true;
        while (moved) {
            moved = false;
            for (uint32_t w = 0; w < TR_WARPS; w++)
                moved |= play_warp(&p, w);
        }
    } while (release(&p));
    for (uint32_t w = 0; w < TR_WARPS; w++)
        free(p.of[w]);
    free(p.arrived);
}

void as_waits(struct as_async *a, const struct tr_kernel *k)
{
    for (uint32_t w = 0; w < TR_WARPS; w++) {
        drop_polls(a, k, &a->warps[w]);
        put_off_tests(a, k, &a->warps[w]);
    }
    find_objects(a, k);
    for (uint32_t w = 0; w < TR_WARPS; w++)
        first_waits(a, k, &a->warps[w]);
    play(a, k);
}
