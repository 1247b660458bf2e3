/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the executor's observer with a trace writer. What is the same for every execution of an instruction (which register
 * rows it writes) is looked up once per kernel. */
#include "trace/write/record.h"
#include "trace/write/value.h"
#include "trace/write/writer.h"

#include <assert.h>
#include <unistd.h>

/* What the observer needs of a static instruction: its destination words in order. */
struct prep {
    uint8_t nwords;
    uint8_t nsets; /* of addresses; parameters are one */
    uint8_t late;  /* written after the observer looks: barrier reductions */
    uint8_t usual; /* two words of one operand at most, not late, and no addresses */
    uint8_t first[2], n[2];
};

struct known {
    const struct code *code; /* NULL: forgotten, until the same code comes again */
    struct tr_kernel *k;     /* lives as long as the writer */
    struct prep *prep;
    uint32_t index;
};

struct tr_recorder {
    struct tr_writer *w;
    pid_t owner;
    VEC(struct known) kernels;
    uint32_t nlaunches;
    /* The launch that runs. */
    const struct exec_obs *also; /* the caller's observer, or NULL */
    const struct prep *prep;
    struct tr_launch launch;
    uint32_t number; /* TR_NO_LAUNCH: no CTA has begun */
    struct open_cta *cta;
};

struct tr_recorder *tr_recorder_new(const char *path, const struct tr_info *info, struct diag *d)
{
    struct tr_writer *w = tr_create(path, info, d);
    if (!w)
        return NULL;
    struct tr_recorder *r = xcalloc(1, sizeof *r);
    r->w = w;
    r->owner = getpid();
    return r;
}

static struct prep *prepare(const struct tr_kernel *k)
{
    struct prep *all = xcalloc(k->n ? k->n : 1, sizeof *all);
    for (uint32_t at = 0; at < k->n; at++) {
        const struct tr_insn *i = &k->insns[at];
        struct prep *p = &all[at];
        unsigned nops = 0;
        p->nsets = i->nparam ? 1 : i->naddr;
        p->late = i->cls == TC_BAR;
        for (unsigned d = 0; d < i->ndst; d++) {
            if (i->dst[d].kind != TO_REG)
                continue;
            assert(nops < 2);
            p->first[nops] = (uint8_t)i->dst[d].val;
            /* Of the accumulators of a warp group the first words only. */
            unsigned most = TR_DSTS * 4u - p->nwords, n = i->dst[d].n < most ? i->dst[d].n : most;
            p->n[nops++] = (uint8_t)n;
            p->nwords = (uint8_t)(p->nwords + n);
        }
        p->usual = p->nwords < 3 && p->nwords == p->n[0] && !p->late && !p->nsets;
    }
    return all;
}

static const struct known *kernel_of(struct tr_recorder *r, const struct code *c)
{
    vec_each (&r->kernels, k) {
        if (k->code == c)
            return k;
    }
    struct tr_kernel *made = tr_kernel_from_code(c);
    vec_each (&r->kernels, k) {
        if (!k->code && tr_kernel_same(k->k, made)) {
            tr_kernel_free(made);
            k->code = c;
            return k;
        }
    }
    struct known n = {.code = c, .k = made, .prep = prepare(made), .index = tr_add_kernel(r->w, made)};
    vec_push(&r->kernels, n);
    return &r->kernels.at[r->kernels.n - 1];
}

void tr_recorder_forget(struct tr_recorder *r, const struct code *c)
{
    if (!r)
        return;
    vec_each (&r->kernels, k) {
        if (k->code == c)
            k->code = NULL;
    }
}

/* The observer. The launch begins with its first CTA: one that is refused leaves nothing. */

static void on_begin(void *ctx, uint32_t cta, const uint32_t idx[3], uint32_t nwarps)
{
    struct tr_recorder *r = ctx;
    (void)idx, (void)nwarps;
    if (r->number == TR_NO_LAUNCH) {
        r->number = tr_begin_launch(r->w, &r->launch);
        r->nlaunches++;
    }
    tr_begin_cta(r->w, cta);
}

static void on_switch(void *ctx, uint32_t cta)
{
    struct tr_recorder *r = ctx;
    r->cta = writer_find_cta(r->w, cta);
    assert(r->cta);
}

static void on_end(void *ctx, uint32_t cta)
{
    struct tr_recorder *r = ctx;
    tr_end_cta(r->w, cta);
}

static void classify(struct encoder *e, const struct prep *p, const struct exec_step *s)
{
    uint8_t values[TR_DSTS * 4];
    unsigned w = 0;
    for (unsigned d = 0; d < 2; d++) {
        const uint32_t *row = s->regs + (size_t)p->first[d] * TR_LANES;
        for (unsigned k = 0; k < p->n[d]; k++, row += TR_LANES)
            values[w++] = (uint8_t)tr_value_class(row, s->exist);
    }
    /* A reduction gives every lane that waits the same word. */
    if (p->late)
        values[0] = s->active == s->exist ? TV_CONST : TV_OTHER;
    encode_values(e, p->nwords, values);
}

/* Any instruction. */
static __attribute__((noinline)) void add_insn(struct tr_recorder *r, struct encoder *e, const struct prep *p,
                                               const struct exec_step *s)
{
    writer_room(r->w, r->cta, e, p->nsets);
    encode_at(e, s->at, s->active);
    if (!s->active)
        return;
    if (p->nwords)
        classify(e, p, s);
    assert(!p->nsets == !s->addrs[0]);
    if (p->nsets) {
        const struct codec_sets sets = {
            .list = {s->addrs[0], s->addrs[1]}, .even = s->even, .base = s->base, .stride = s->stride};
        encode_addrs(e, r->w->code, s->at, s->active, (uint8_t)s->space, &sets);
    }
}

/* The usual one, of the run that is open: one result or none, no addresses, a whole warp. What else there is would only cost it
 * registers here. */
static void on_insn(void *ctx, const struct exec_step *s)
{
    struct tr_recorder *r = ctx;
    const struct prep *p = &r->prep[s->at];
    struct encoder *e = &r->cta->warps[s->warp];
    if (p->usual && encode_goes_on(e, s->at, s->active) && s->active && s->exist == ~0u && !e->tight) {
        e->next++;
        if (p->nwords) {
            const uint32_t *row = s->regs + (size_t)p->first[0] * TR_LANES;
            unsigned high = p->nwords == 2 ? tr_value_whole(row + TR_LANES) : 0;
            encode_value(e, (uint8_t)(tr_value_whole(row) | high << 4));
        }
        return;
    }
    add_insn(r, e, p, s);
}

/* The same behind the caller's own observer. */

static void both_begin(void *ctx, uint32_t cta, const uint32_t idx[3], uint32_t nwarps)
{
    const struct exec_obs *o = ((struct tr_recorder *)ctx)->also;
    if (o->cta_begin)
        o->cta_begin(o->ctx, cta, idx, nwarps);
    on_begin(ctx, cta, idx, nwarps);
}

static void both_switch(void *ctx, uint32_t cta)
{
    const struct exec_obs *o = ((struct tr_recorder *)ctx)->also;
    if (o->cta_switch)
        o->cta_switch(o->ctx, cta);
    on_switch(ctx, cta);
}

static void both_insn(void *ctx, const struct exec_step *s)
{
    const struct exec_obs *o = ((struct tr_recorder *)ctx)->also;
    if (o->insn)
        o->insn(o->ctx, s);
    on_insn(ctx, s);
}

static void both_end(void *ctx, uint32_t cta)
{
    const struct exec_obs *o = ((struct tr_recorder *)ctx)->also;
    if (o->cta_end)
        o->cta_end(o->ctx, cta);
    on_end(ctx, cta);
}

static struct exec_obs observer(struct tr_recorder *r)
{
    return r->also ? (struct exec_obs){r, both_begin, both_switch, both_insn, both_end}
                   : (struct exec_obs){r, on_begin, on_switch, on_insn, on_end};
}

/* The launches of o->after that are in the trace; free it. */
static uint32_t *real_launches(const struct tr_order *o, uint32_t *n)
{
    uint32_t *out = xcalloc(o && o->nafter ? o->nafter : 1, sizeof *out);
    *n = 0;
    for (uint32_t i = 0; o && i < o->nafter; i++) {
        if (o->after[i] != TR_NO_LAUNCH)
            out[(*n)++] = o->after[i];
    }
    return out;
}

static enum exec_status record(struct tr_recorder *r, struct exec_dev *dev, const struct exec_launch *l,
                               const struct tr_order *o, struct exec_counts *counts, struct exec_error *err)
{
    const struct known *k = kernel_of(r, l->code);
    r->also = l->obs;
    const struct exec_obs obs = observer(r);
    struct exec_launch seen = *l;
    seen.obs = &obs;
    uint32_t nafter, *after = real_launches(o, &nafter);
    r->launch =
        (struct tr_launch){.kernel = k->index,
                           .dyn_shared_b = l->dyn_shared_b,
                           .flags = (l->cooperative ? TL_COOPERATIVE : 0) | (o && o->region ? TL_REGION : 0) |
                                    ((o ? o->priority : 0) << 4 & TL_PRIORITY),
                           .stream = o ? o->stream : 0,
                           .after = after,
                           .nafter = nafter};
    memcpy(r->launch.grid, l->grid, sizeof l->grid);
    memcpy(r->launch.block, l->block, sizeof l->block);
    exec_launch_cluster(l, r->launch.cluster);
    r->prep = k->prep;
    enum exec_status st = exec_launch(dev, &seen, counts, err);
    if (r->number != TR_NO_LAUNCH)
        tr_end_launch(r->w, st == EXEC_OK);
    free(after);
    return st;
}

enum exec_status tr_record_launch(struct tr_recorder *r, struct exec_dev *dev, const struct exec_launch *l,
                                  const struct tr_order *o, uint32_t *number, struct exec_counts *counts,
                                  struct exec_error *err)
{
    enum exec_status st;
    if (r)
        r->number = TR_NO_LAUNCH;
    if (r && r->owner == getpid() && !tr_failed(r->w))
        st = record(r, dev, l, o, counts, err);
    else
        st = exec_launch(dev, l, counts, err);
    if (number)
        *number = r ? r->number : TR_NO_LAUNCH;
    return st;
}

void tr_record_copy(struct tr_recorder *r, enum tr_copy_kind kind, uint64_t stream, uint64_t addr,
                    uint64_t bytes)
{
    if (r && r->owner == getpid() && !tr_failed(r->w))
        tr_add_copy(r->w,
                    &(struct tr_copy){.kind = (uint8_t)kind, .stream = stream, .addr = addr, .bytes = bytes});
}

void tr_recorder_missed(struct tr_recorder *r)
{
    if (r && r->owner == getpid())
        tr_miss_launch(r->w);
}

uint32_t tr_recorder_launches(const struct tr_recorder *r) { return r ? r->nlaunches : 0; }

const char *tr_recorder_failed(const struct tr_recorder *r) { return r ? tr_failed(r->w) : NULL; }

bool tr_recorder_close(struct tr_recorder *r, struct diag *d)
{
    /* A forked process leaves the parent's file alone, and its memory to the exit. */
    if (!r || r->owner != getpid())
        return true;
    bool ok = tr_close(r->w, d);
    vec_each (&r->kernels, k) {
        tr_kernel_free(k->k);
        free(k->prep);
    }
    vec_free(&r->kernels);
    free(r);
    return ok;
}
