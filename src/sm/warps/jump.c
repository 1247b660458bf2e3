/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/warps/jump.h"

#include "sm/core.h"

/* Instructions before a warp lands that touch the caches. Longer jumps are those of launches with few warps, which have all of L1
 * and a large part of L2 for themselves, and use the same data again and again. */
enum { NEAR = 10000 };

/* Places are counted in instructions or in barriers passed. */
struct jump_warp {
    uint64_t at;
    uint64_t from, to;          /* what lies before and behind is executed */
    double period, run, weight; /* between: of each period so much is executed, and counts so often */
    uint32_t live, came;        /* lanes; those that have arrived at the next barrier */
    double counts; /* weight of what is executed, 0: it is jumped over, up to the place `until` */
    uint64_t until;
    uint64_t near; /* ... and from this place on it lands soon enough for what it jumps over to matter */
    uint32_t next, n, mask; /* instructions that tr_next_runs has given, and not been taken */
};

struct jump {
    struct sm_jumps how;
    uint32_t cta;
    struct jump_warp warps[];
};

/* Walks evenly through [0, 1), from the middle on. */
static double spread(uint32_t n) { return (double)(uint32_t)(n * 0x9e3779b1u + 0x80000000u) / 4294967296.0; }

/* The ends of short warps are no larger a part of them than those of others: time is divided by instructions. */
static void divide(const struct sm_jumps *how, struct jump_warp *j, uint64_t all)
{
    bool bars = how->per_bar > 0;
    uint64_t most = bars ? how->ends : (uint64_t)((double)all * how->ends_most);
    j->from = how->ends < most ? how->ends : most;
    j->to = all > 2 * j->from ? all - j->from : 0;
    double loop = all > 2 * j->from ? (double)(all - 2 * j->from) : 0;
    if (how->period > 0) {
        j->period = how->period;
        j->run = how->period / how->one_in;
        j->weight = how->one_in;
        j->to = how->ends ? j->to : all;
        return;
    }
    double n = (double)(uint64_t)(loop / (how->one_in * (double)how->run) + 0.5);
    j->period = n > 1 ? loop / n : loop;
    j->run = j->period / how->one_in;
    if (bars)
        j->run = j->run < 1 ? 1 : (double)(uint64_t)(j->run + 0.5);
    if (!bars && j->run < (double)how->run)
        j->run = (double)how->run < j->period ? (double)how->run : j->period;
    j->weight = j->run > 0 ? j->period / j->run : 1;
}

struct jump *jump_new(const struct sm_jumps *how, struct tr_cta *stream, uint32_t cta,
                      const struct sm_need *n)
{
    uint64_t insts[TR_WARPS] = {0};
    if (!tr_count_cta(stream, insts))
        return NULL; /* who reads it tells */
    struct jump *all = xcalloc(1, sizeof *all + n->warps * sizeof all->warps[0]);
    all->how = *how;
    all->cta = cta;
    uint64_t sum = 0;
    for (uint32_t w = 0; w < n->warps; w++)
        sum += insts[w];
    /* The same for all warps, so that they jump over the same ones. */
    uint64_t bars = how->per_bar > 0 ? (uint64_t)((double)sum / n->warps / how->per_bar + 0.5) : 0;
    for (uint32_t w = 0; w < n->warps; w++) {
        uint32_t left = n->threads - w * TR_LANES;
        all->warps[w].live = left >= TR_LANES ? ~0u : (1u << left) - 1;
        divide(how, &all->warps[w], how->per_bar > 0 ? bars : insts[w]);
    }
    return all;
}

/* How often an instruction at the warp's place counts, and up to where that holds. */
static void weigh(const struct jump *all, struct jump_warp *j)
{
    if (j->at < j->from || j->at >= j->to) {
        j->counts = 1;
        j->until = j->at < j->from ? j->from : UINT64_MAX;
        return;
    }
    bool same = all->how.period > 0, shifted = same && !all->how.together;
    double at = (double)(j->at - j->from) + (shifted ? spread(all->cta) * j->period : 0);
    uint32_t period = (uint32_t)(at / j->period);
    double in = at - (double)period * j->period;
    double begins = shifted ? 0 : spread(all->how.together ? period : all->cta) * (j->period - j->run);
    if (all->how.per_bar > 0)
        begins = (double)(uint64_t)(begins + 0.5);
    double ends = begins + j->run, next = in < begins ? begins : in < ends ? ends : j->period;
    j->counts = in >= begins && in < ends ? j->weight : 0;
    j->until = j->at + (next - in > 1 ? (uint64_t)(next - in) : 1);
    j->until = j->until < j->to ? j->until : j->to;
    uint64_t reach = (uint64_t)(NEAR / (all->how.per_bar > 0 ? all->how.per_bar : 1));
    j->near = j->until > reach ? j->until - reach : 0;
}

/* ---- what would have been brought ---- */

static void to_l2(struct sm *s, uint64_t line, uint8_t sectors, bool written)
{
    vec_push(&s->jumped.touched, (struct sm_touch){.line = line, .sectors = sectors, .written = written});
}

/* The line of L1, which takes the place of another if it is not there. NULL: there is no place. */
static struct cache_line *l1_line(struct sm *s, uint64_t line)
{
    struct cache_line old = {0}, *c = cache_find(&s->l1.cache, line / LINE_B, true);
    if (!c && (c = cache_alloc(&s->l1.cache, line / LINE_B, &old)) && old.tag && old.dirty)
        to_l2(s, (old.tag - 1) * LINE_B, old.dirty, true);
    return c;
}

static void read_line(struct sm *s, bool cached, uint64_t line, uint8_t sectors)
{
    struct cache_line *c = cached ? l1_line(s, line) : NULL;
    uint8_t want = cached && !s->cfg->l1_sectors ? 15 : sectors,
            missing = c ? want & (uint8_t)~c->valid : want;
    if (c)
        c->valid |= missing;
    if (missing)
        to_l2(s, line, missing, false);
}

/* As l1_store and l1_atomic. */
static void write_line(struct sm *s, bool has_l1, bool local, bool atomic, uint64_t line, uint8_t sectors)
{
    bool allocates = !atomic && s->cfg->l1_store_alloc > (local ? 0 : 1);
    struct cache_line *c = !has_l1     ? NULL
                           : allocates ? l1_line(s, line)
                                       : cache_find(&s->l1.cache, line / LINE_B, local);
    if (c && atomic)
        c->valid &= (uint8_t)~sectors;
    else if (c && (local || allocates))
        c->valid |= sectors;
    if (c && local && !atomic && !s->cfg->l1_local_through)
        c->dirty |= sectors;
    else
        to_l2(s, line, sectors, true);
}

static void touch_data(struct part *p, uint32_t i, const struct kinsn *k, const struct tr_step *step)
{
    struct sm *s = p->sm;
    struct lines l = {.block = NONE16};
    bool local = step->addr[0].space == SPACE_LOCAL;
    bool has_l1 = s->onchip.split.cache_b && !s->onchip.follows;
    bool cached = has_l1 && !k->bypass && (s->cfg->l1_loads || local);
    lines_of_memory(s, p, i, step, k, &l);
    const uint64_t *at = lines_at(s, &l);
    for (uint32_t n = 0; n < l.n; n++)
        if (is_load(k))
            read_line(s, cached, line_addr(at[n]), line_sectors(at[n]));
        else
            write_line(s, has_l1, local, k->mem & TM_ATOMIC, line_addr(at[n]), line_sectors(at[n]));
    lines_free(s, &l);
}

/* ---- the stream ---- */

/* Does the warp, with this instruction, pass a barrier? Its lanes may come one after the other. */
static bool passes(struct jump_warp *j, const struct kinsn *k, uint32_t mask)
{
    if (k->cls == TC_EXIT)
        j->live &= ~mask;
    if (k->route == ROUTE_BARRIER)
        j->came |= mask;
    bool all = j->came && !(j->live & ~j->came);
    j->came = all ? 0 : j->came;
    return all;
}

static enum tr_status take(const struct sm_cta *c, uint32_t warp, struct jump_warp *j, struct tr_step *step)
{
    struct tr_run r = {.at = j->next, .mask = j->mask, .n = j->n};
    if (!r.n && !tr_next_runs(c->stream, warp, 1, &r))
        return tr_next(c->stream, warp, step);
    step->at = r.at;
    step->mask = r.mask;
    j->next = r.at + 1;
    j->mask = r.mask;
    j->n = r.n - 1;
    if (r.mask && c->k->insns[r.at].has_data && !tr_next_data(c->stream, warp, r.at, r.mask, step))
        return TR_BAD;
    return TR_STEP;
}

/* Over instructions of the run at hand that nobody need look at. */
static void skip(struct part *p, const struct sm_cta *c, struct sm_warp *w, struct jump_warp *j)
{
    bool by_bars = c->jump->how.per_bar > 0;
    const struct kinsn *k = &c->k->insns[j->next];
    uint64_t n = k->quiet;
    n = n < j->n ? n : j->n;
    if (!by_bars)
        n = n < j->until - j->at ? n : j->until - j->at;
    for (uint64_t i = 0; i < n && c->ahead; i++)
        (void)ahead_next(c->ahead, w->index);
    for (uint64_t i = 0; i < n && j->at >= j->near; i++)
        if (w->line != k[i].line)
            fetch_touch(p, w, &k[i]);
    j->next += (uint32_t)n;
    j->n -= (uint32_t)n;
    j->at += by_bars ? 0 : n;
}

enum tr_status jump_next(struct part *p, uint32_t i, struct tr_step *step)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &s->ctas.at[w->cta];
    struct jump_warp *j = &c->jump->warps[w->index];
    bool by_bars = c->jump->how.per_bar > 0;
    for (;;) {
        if (j->n && j->at < j->until && !(j->counts > 0))
            skip(p, c, w, j);
        enum tr_status st = take(c, w->index, j, step);
        if (st != TR_STEP)
            return st;
        const struct kinsn *k = &c->k->insns[step->at];
        if (j->at >= j->until)
            weigh(c->jump, j);
        bool counts = j->counts > 0;
        if (counts) {
            s->jumped.executed++;
            s->jumped.stands_for += j->counts;
        }
        j->at += by_bars ? passes(j, k, step->mask) : 1;
        if (counts || (k->cls == TC_EXIT && step->mask) || (k->route == ROUTE_BARRIER && !by_bars))
            return st;
        if (c->ahead)
            (void)ahead_next(c->ahead, w->index);
        if (j->at < j->near)
            continue;
        fetch_touch(p, w, k);
        if (step->mask && k->route == ROUTE_MEMORY)
            touch_data(p, i, k, step);
    }
}

sm_touches *sm_touched(struct sm *s) { return &s->jumped.touched; }

void sm_stands_for(const struct sm *s, uint64_t *executed, double *stands_for)
{
    *executed += s->jumped.executed;
    *stands_for += s->jumped.stands_for;
}
