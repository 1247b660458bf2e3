/* SPDX-License-Identifier: Apache-2.0 */
/* Code in the instruction caches, and what a fetch needs seldom. */
#include "sm/stages/fetch.h"

#include "sm/async/async.h"
#include "sm/warps/jump.h"

/* What issue wants of a step, beyond place and lanes. */
static void see_data(const struct part *p, uint32_t i, const struct tr_step *step, struct ientry *e)
{
    struct sm *s = p->sm;
    e->space = e->k->space;
    if (e->k->asks)
        async_fetched(s, &s->ctas.at[p->warps[i].cta].k->tr->insns[step->at], step, e);
    else if (e->k->route == ROUTE_MEMORY)
        lines_of_step(s, p, i, step, e);
}

void fetch_failed(struct sm *s, const struct tr_cta *stream)
{
    if (!s->error[0])
        snprintf(s->error, sizeof s->error, "%s", tr_cta_error(stream));
}

/* The next data of the stream are those of e. */
static void read_data(const struct part *p, uint32_t i, struct ientry *e)
{
    const struct sm_warp *w = &p->warps[i];
    struct tr_cta *stream = p->sm->ctas.at[w->cta].stream;
    struct tr_step step;
    if (tr_next_data(stream, w->index, e->k->at, e->mask, &step)) {
        see_data(p, i, &step, e);
        return;
    }
    fetch_failed(p->sm, stream);
    e->space = SPACE_SHARED; /* until the run ends for it, something harmless */
    e->passes = 1;
    e->rows = NONE16;
    e->lines = (struct lines){.block = NONE16};
    if (e->k->asks)
        memset(lines_take_block(p->sm, &e->lines), 0, sizeof *p->sm->lsu.blocks);
}

/* There is place for the data of one more instruction. */
static struct ientry *add_data(struct sm_warp *w, uint32_t at, uint32_t mask)
{
    struct ientry *e = &w->data[(w->data_head + w->ndata++) % IBUF_MAX];
    e->k = w->insns + at;
    e->mask = mask;
    return e;
}

void fetch_data(struct part *p, uint32_t i, struct ientry *e)
{
    struct sm_warp *w = &p->warps[i];
    if (!w->ndata) {
        read_data(p, i, e);
        return;
    }
    if (e->k->asks || e->k->route == ROUTE_MEMORY)
        *e = w->data[w->data_head];
    w->data_head = (w->data_head + 1) % IBUF_MAX;
    w->ndata--;
}

bool fetch_sees_lines(const struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    if (!w->next.mask || w->next.k->route != ROUTE_MEMORY)
        return false;
    if (!w->ndata)
        read_data(p, i, add_data(w, w->next.k->at, w->next.mask));
    return ientry_has_lines(&w->data[w->data_head]);
}

/* The data of all that the warp has is read: the stream is about to leave them behind. */
static void settle_data(struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    struct tr_run r = {.at = w->left ? w->next.k->at : 0, .n = w->left, .mask = w->next.mask};
    uint32_t known = w->ndata;
    for (uint32_t k = 0;; r = w->runs[(w->run_head + k++) % RUNS_MAX]) {
        for (uint32_t at = r.at; r.mask && at < r.at + r.n; at++) {
            if (!w->insns[at].has_data)
                continue;
            if (known)
                known--;
            else
                read_data(p, i, add_data(w, at, r.mask));
        }
        if (k == w->nruns)
            return;
    }
}

/* One step of the stream is a run. False: that is at its end. */
static bool decode_one(struct part *p, uint32_t i, uint32_t *at)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &s->ctas.at[w->cta];
    struct tr_step step;
    enum tr_status st = c->jump ? jump_next(p, i, &step) : tr_next(c->stream, w->index, &step);
    if (st != TR_STEP) {
        if (st == TR_BAD)
            fetch_failed(s, c->stream);
        w->read = true;
        return false;
    }
    *at = step.at;
    w->runs[(w->run_head + w->nruns++) % RUNS_MAX] =
        (struct tr_run){.at = step.at, .n = 1, .mask = step.mask, .lanes = tr_lanes(step.mask)};
    uint32_t slot = w->taken++ % IBUF_MAX;
    if (c->ahead)
        w->near[slot] = ahead_next(c->ahead, w->index);
    if (step.mask && w->insns[step.at].has_data)
        see_data(p, i, &step, add_data(w, step.at, step.mask));
    if (s->operands.ops->fetched)
        s->operands.ops->fetched(p->operands, i, slot, &step);
    return true;
}

/* Where runs are single steps: how many were decoded, and the code behind those that it has. */
static uint32_t steps_there(const struct sm_warp *w) { return w->nruns + (w->left != 0); }
static const struct tr_run *newest_run(const struct sm_warp *w)
{
    return &w->runs[(w->run_head + w->nruns - 1u) % RUNS_MAX];
}
static void set_behind(struct sm_warp *w)
{
    if (w->n && !w->left)
        ibuf_enter(w);
    if (w->n)
        w->behind = (w->n > 1 ? w->insns + w->runs[(w->run_head + w->n - 2u) % RUNS_MAX].at : w->next.k) + 1;
}

/* What a warp jumps over is in the caches when what follows is decoded: as many are as a buffer may have, whatever it is asked
 * for. */
static void fetch_jumping(struct part *p, uint32_t i, uint32_t n)
{
    struct sm_warp *w = &p->warps[i];
    uint32_t at;
    if (n > steps_there(w))
        while (steps_there(w) < IBUF_MAX && !w->read)
            (void)decode_one(p, i, &at);
    w->ended = n > steps_there(w);
    w->n = (uint8_t)(w->ended ? steps_there(w) : n);
    set_behind(w);
}

/* More runs of the stream. False: it is at its end. */
static bool decode_more(struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    struct tr_cta *stream = p->sm->ctas.at[w->cta].stream;
    uint32_t at, tail = (w->run_head + w->nruns) % RUNS_MAX, room = RUNS_MAX - w->nruns,
                 to_end = RUNS_MAX - tail;
    if (tr_runs_over(stream, w->index))
        return false; /* sm_cta_warp_ended sees whether that is right */
    uint32_t n = tr_next_runs(stream, w->index, room < to_end ? room : to_end, &w->runs[tail]);
    w->nruns = (uint8_t)(w->nruns + n);
    w->ahead = (uint8_t)n;
    if (n)
        return true;
    settle_data(p, i);
    w->ahead = decode_one(p, i, &at);
    return w->ahead;
}

/* The first of the runs of which nothing has been fetched. */
static void enter_run(struct sm_warp *w)
{
    const struct tr_run *r = &w->runs[(w->run_head + w->nruns - w->ahead--) % RUNS_MAX];
    w->behind = w->insns + r->at;
    w->more = r->n;
    if (!w->left)
        ibuf_enter(w);
}

void fetch_runs(struct part *p, uint32_t i, uint32_t n)
{
    struct sm_warp *w = &p->warps[i];
    while (w->n + w->more < n) {
        w->n = (uint8_t)(w->n + w->more);
        w->behind += w->more;
        w->more = 0;
        if (!w->ahead) {
            if (RARE(p->sm->ctas.at[w->cta].jump)) {
                fetch_jumping(p, i, n);
                return;
            }
            if (!decode_more(p, i)) {
                w->ended = true;
                return;
            }
        }
        enter_run(w);
    }
    w->behind += n - w->n;
    w->more -= n - w->n;
    w->n = (uint8_t)n;
}

/* ---- code that streams (sm.l0i_line_cyc) ---- */

/* The place in the code of the instruction that the warp fetches next. False: there is none. */
static bool next_place(struct part *p, uint32_t i, uint32_t *at)
{
    struct sm_warp *w = &p->warps[i];
    if (w->by_step) {
        if (!w->kept && !decode_one(p, i, at))
            return false;
        w->kept = true;
        *at = newest_run(w)->at;
        return true;
    }
    if (p->sm->ctas.at[w->cta].jump) {
        while (steps_there(w) < IBUF_MAX && !w->read)
            (void)decode_one(p, i, at);
        if (steps_there(w) <= w->n)
            return false;
        uint32_t behind = w->n - (w->left != 0);
        *at = w->left && !w->n ? w->next.k->at : w->runs[(w->run_head + behind) % RUNS_MAX].at;
        return true;
    }
    if (!w->more && !w->ahead && !decode_more(p, i))
        return false;
    *at = w->more ? w->behind->at : w->runs[(w->run_head + w->nruns - w->ahead) % RUNS_MAX].at;
    return true;
}

/* The next instruction comes right behind the others, or the branch that leads to it has issued. */
static bool comes_next(struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    uint32_t at;
    if (!next_place(p, i, &at)) {
        w->ended = true;
        return true;
    }
    bool jumps = w->n && w->insns + at != w->behind;
    /* A warp of a sample goes on decoding with each that it issues. */
    w->jumps = jumps && !p->sm->ctas.at[w->cta].jump;
    if (jumps)
        return false;
    w->behind = w->insns + at;
    if (!w->more && w->ahead)
        enter_run(w);
    return true;
}

uint32_t fetch_streams(struct part *p, uint32_t i, uint64_t t)
{
    struct sm_warp *w = &p->warps[i];
    if (!comes_next(p, i))
        return 0;
    if (w->ended)
        return 1;
    if (w->line == w->behind->line) {
        p->sm->stats[SS_l0i_hits]++;
        return p->sm->cfg->fetch_cyc;
    }
    bool first = !w->line;
    uint64_t asked = !w->n && w->turns > t ? w->turns - 1 : t;
    w->line = w->behind->line;
    uint32_t wait = stream_line(p, w->line - 1, asked);
    if (first && p->sm->code.begins > t + wait)
        return (uint32_t)(p->sm->code.begins - t);
    return wait <= 1 ? 1 : wait + (uint32_t)(asked - t);
}

void fetch_stream(struct part *p, uint32_t i, uint32_t n)
{
    struct sm_warp *w = &p->warps[i];
    while (w->n < n && !w->ended) {
        uint32_t at, some = n - w->n;
        if (!next_place(p, i, &at)) {
            w->ended = true;
        } else if (w->insns + at != w->behind) {
            return;
        } else if (p->sm->ctas.at[w->cta].jump) {
            fetch_jumping(p, i, w->n + 1u);
        } else {
            if (!w->more)
                enter_run(w);
            some = some < w->more ? some : w->more;
            w->n = (uint8_t)(w->n + some);
            w->more -= some;
            w->behind += some;
        }
    }
}

/* The instruction behind the last one of the buffer is there when the metadata before it has been fetched. Returns what is left
 * of the fetch. */
static uint32_t pay_metadata(struct sm_warp *w, uint32_t width)
{
    uint32_t n = w->owed < width ? w->owed : width;
    w->owed -= n;
    w->n += !w->owed;
    return width - n;
}

void fetch_each(struct part *p, uint32_t i)
{
    const struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    const struct sm_kernel *k = s->ctas.at[w->cta].k;
    bool streams = s->code.streams;
    uint32_t width = w->owed ? pay_metadata(w, s->cfg->fetch_width) : s->cfg->fetch_width;
    for (uint32_t n = 0; n < width && w->n < s->cfg->ibuffer && !w->ended; n++) {
        uint32_t at;
        w->ended = !(streams ? next_place(p, i, &at) : decode_one(p, i, &at));
        if (!w->ended && streams && w->insns + at != w->behind)
            break;
        w->kept = false;
        w->n += !w->ended;
        if (streams && !w->ended)
            w->behind = w->insns + at + 1;
        if (!w->ended && k->words && (n += sm_kernel_meta(k, at)) >= width) {
            w->owed = n + 1 - width;
            w->n--;
        }
    }
    set_behind(w);
}

uint32_t fetch_line(struct part *p, struct sm_warp *w, uint64_t line)
{
    struct sm *s = p->sm;
    struct cache_line old;
    w->line = line + 1;
    if (s->cfg->l0i_b && cache_find(&p->l0i, line, true)) {
        s->stats[SS_l0i_hits]++;
        return s->cfg->fetch_cyc;
    }
    s->stats[SS_l0i_misses]++;
    if (s->cfg->l0i_b)
        cache_alloc(&p->l0i, line, &old);
    if (cache_find(&s->code.l1i, line, true))
        return s->cfg->l1i_cyc;
    cache_alloc(&s->code.l1i, line, &old);
    s->stats[SS_l1i_misses]++;
    return s->cfg->l1i_miss_cyc;
}

void fetch_arrived(struct part *p, uint32_t i)
{
    p->warps[i].fetching = false;
    fill_buffer(p, &p->warps[i], i, FEATURES_ALL);
    if (p->warps[i].used && fetch_room(p->sm, &p->warps[i]))
        p->want_fetch |= 1ull << i;
}

static void put_code(struct cache *c, uint64_t line)
{
    struct cache_line old;
    if (!cache_find(c, line, true))
        cache_alloc(c, line, &old);
}

/* The line is in the partition's caches. */
static void code_put(struct part *p, uint64_t line)
{
    if (p->sm->code.streams) {
        stream_put(p, line);
        return;
    }
    if (p->sm->cfg->l0i_b)
        put_code(&p->l0i, line);
    put_code(&p->sm->code.l1i, line);
}

/* ... in the last of the SM's. */
static void code_bring(struct sm *s, uint64_t line)
{
    if (s->code.streams && s->cfg->l2i_b)
        put_code(&s->code.l2i, line);
    else if (s->code.streams)
        stream_put_l1(s, line);
    else
        put_code(&s->code.l1i, line);
}

void fetch_touch(struct part *p, struct sm_warp *w, const struct kinsn *k)
{
    if (w->line == k->line)
        return;
    w->line = k->line;
    p->l0i_last = 0;
    if (p->sm->cfg->l0i_b && cache_find(&p->l0i, k->line - 1, true))
        return;
    code_put(p, k->line - 1);
}

static uint64_t code_bytes(const struct sm_kernel *k)
{
    uint32_t n = k->tr->n;
    return (uint64_t)(k->words && n ? k->words[n - 1] + 1 : n) * k->insn_b;
}

void fetch_launch(struct sm *s, const struct sm_kernel *k, uint64_t launch, uint64_t ctas)
{
    uint64_t bytes = code_bytes(k);
    uint64_t most = (uint64_t)s->cfg->code_kb * 1024, first = k->code_addr / LINE_B;
    if (s->code.launch == launch)
        return;
    s->code.launch = launch;
    stream_launch(s, ctas);
    if (!most)
        return;
    /* Code with control codes is a GPU's own, recorded with its constants: it waits for parameters where it reads
     * them. */
    bool unseen = k->tr->arch && !k->tr->coded;
    s->code.begins = s->clock.now + s->cfg->code_cyc + (unseen ? s->cfg->param_cyc : 0);
    for (uint64_t i = 0; i * LINE_B < (bytes < most ? bytes : most); i++)
        code_bring(s, first + i);
}

void sm_warm_code(struct sm *s, const struct sm_kernel *k)
{
    uint64_t first = k->code_addr / LINE_B, lines = (code_bytes(k) + LINE_B - 1) / LINE_B;
    for (uint64_t i = 0; i < lines; i++) {
        code_bring(s, first + i);
        for (uint32_t p = 0; p < s->cfg->partitions; p++)
            code_put(&s->parts[p], first + i);
    }
}
