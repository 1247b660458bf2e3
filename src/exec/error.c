/* SPDX-License-Identifier: Apache-2.0 */
/* What a stopped launch says: kernel, CTA, warp, lane, PTX line, then the reason. */
#include "exec/run.h"

#include "base/demangle.h"

#include <stdarg.h>

const char *space_name(enum ir_space s)
{
    switch (s) {
    case SPACE_GLOBAL: return "global";
    case SPACE_SHARED: return "shared";
    case SPACE_LOCAL: return "local";
    case SPACE_CONST: return "const";
    case SPACE_PARAM: return "param";
    default: return "generic";
    }
}

/* Appends to the message; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void add(struct exec_error *e, const char *fmt, ...)
{
    size_t n = strlen(e->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->text + n, sizeof e->text - n, fmt, ap);
    va_end(ap);
}

static void start(struct run *r, enum exec_status s)
{
    struct exec_error *e = r->err;
    memset(e, 0, sizeof *e);
    e->status = s;
    snprintf(e->kernel, sizeof e->kernel, "%s", r->code && r->code->name ? r->code->name : "?");
    e->cta[0] = e->cta[1] = e->cta[2] = e->warp = e->lane = e->line = UINT32_MAX;
    char name[sizeof e->kernel];
    demangle(e->kernel, name, sizeof name);
    add(e, "kernel '%s'", name);
}

static uint32_t line_of(const struct run *r, uint32_t pc)
{
    return pc < r->code->n ? r->code->insns[pc].line : 0;
}

/* The end of the file's name that fits, so that the text behind it does too. */
static const char *file_of(const struct run *r)
{
    enum { FILE_MAX_B = 160 };
    const char *name = r->code->file ? r->code->file : "?";
    size_t n = strlen(name);
    return n > FILE_MAX_B ? name + n - FILE_MAX_B : name;
}

static void place(struct run *r, const struct warp *w, uint32_t lane)
{
    struct exec_error *e = r->err;
    memcpy(e->cta, w->cta->idx, sizeof e->cta);
    e->warp = w->id;
    e->lane = lane;
    e->line = line_of(r, w->pc);
    add(e, ", CTA (%u,%u,%u), warp %u", e->cta[0], e->cta[1], e->cta[2], w->id);
    if (lane != NO_LANE)
        add(e, ", lane %u", lane);
    if (e->line)
        add(e, ", %s:%u: ", file_of(r), e->line);
    else
        add(e, ", %s: ", file_of(r));
}

bool fail(struct run *r, const struct warp *w, enum exec_status s, uint32_t lane, uint64_t addr,
          const char *fmt, ...)
{
    start(r, s);
    place(r, w, lane);
    r->err->addr = addr;
    size_t n = strlen(r->err->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->err->text + n, sizeof r->err->text - n, fmt, ap);
    va_end(ap);
    return false;
}

bool fail_launch(struct run *r, enum exec_status s, const char *fmt, ...)
{
    start(r, s);
    add(r->err, ": ");
    size_t n = strlen(r->err->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->err->text + n, sizeof r->err->text - n, fmt, ap);
    va_end(ap);
    return false;
}

/* Where addr lies relative to the allocations around it. */
static void add_nearest(struct run *r, uint64_t addr, uint32_t access_b)
{
    enum { NEAR_B = 1 << 20 }; /* further away, the neighbour says nothing */
    struct exec_error *e = r->err;
    const struct mem *m = &r->dev->mem;
    vec_each (&m->freed, f) {
        if (addr - f->base < f->size_b) {
            add(e, "inside a freed allocation of %llu bytes at 0x%llx", (unsigned long long)f->size_b,
                (unsigned long long)f->base);
            return;
        }
    }
    const struct alloc *lo, *hi;
    mem_around(m, addr, &lo, &hi);
    if (lo && addr - lo->base < lo->size_b)
        add(e, "runs %llu bytes past the end of a",
            (unsigned long long)(addr - lo->base + access_b - lo->size_b));
    else if (lo && addr - lo->base - lo->size_b < NEAR_B)
        add(e, "%llu bytes past the end of a", (unsigned long long)(addr - lo->base - lo->size_b));
    else if (hi && hi->base - addr < NEAR_B) {
        lo = hi;
        add(e, "%llu bytes before a", (unsigned long long)(hi->base - addr));
    } else {
        add(e, addr < 4096 ? "a null pointer" : "outside every allocation");
        return;
    }
    add(e, " %llu-byte allocation at 0x%llx", (unsigned long long)lo->size_b, (unsigned long long)lo->base);
}

static void add_shared(struct run *r, const struct warp *w, uint64_t addr)
{
    uint32_t rank1 = shared_name(r, w, (uint32_t)addr) >> SHARED_RANK_BIT,
             at = (uint32_t)addr & SHARED_OFFSET;
    const struct cta *c = w->cta;
    if (rank1 > c->cluster->n && c->cluster->n > 1)
        add(r->err, "rank %u of a cluster of %u CTAs", rank1 - 1, c->cluster->n);
    else if (rank1 && rank1 <= c->cluster->n && rank1 != c->rank + 1 && at < r->shared_b)
        add(r->err, "it belongs to the CTA of rank %u, this is that of rank %u", rank1 - 1, c->rank);
    else
        add(r->err, "the CTA has %u bytes", r->shared_b);
}

bool fail_access(struct run *r, const struct warp *w, uint32_t lane, enum ir_space space, const char *what,
                 uint32_t access_b, uint64_t addr)
{
    bool aligned = access_b == 0 || (addr & (access_b - 1)) == 0;
    bool overflow = space == SPACE_LOCAL && addr >> 31; /* the stack pointer went below 0 */
    fail(r, w,
         !aligned   ? EXEC_MISALIGNED
         : overflow ? EXEC_BAD_CODE
                    : EXEC_BAD_ADDRESS,
         lane, addr, "%s %s of %u bytes at 0x%llx: ", space_name(space), what, access_b,
         (unsigned long long)addr);
    if (!aligned)
        add(r->err, "not a multiple of %u", access_b);
    else if (space == SPACE_SHARED)
        add_shared(r, w, addr);
    else if (space == SPACE_LOCAL)
        add(r->err, overflow ? "stack overflow: the thread has %u bytes" : "the thread has %u bytes",
            r->local_b);
    else if (space == SPACE_CONST)
        add(r->err, "outside the constant bank");
    else
        add_nearest(r, addr, access_b);
    return false;
}

/* The barrier object that the first waiting lane waits for. */
static void add_mbar(struct run *r, const struct warp *w, const struct split *s)
{
    const struct dop *d = &r->ops[s->pc];
    uint32_t lanes = s->mask & ~s->over, lane = lane_first(lanes ? lanes : s->mask);
    uint32_t a = x_row(&w->x, &d->x, 0)[lane] + (uint32_t)d->off;
    const unsigned char *at = shared_host(r, w, a, 8, NULL);
    struct mbar b = at ? mbar_get(at) : (struct mbar){0};
    add(r->err, "mbarrier at 0x%x in phase %u, %u of %u arrivals and %d bytes pending", a, b.phase, b.pending,
        b.count, b.tx);
}

/* How many threads have arrived at the cluster's barrier, and how many there are. */
static void add_cluster_bar(struct run *r, const struct cluster *k)
{
    uint32_t n = 0, all = 0;
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t w = 0; w < r->nwarps; w++) {
            n += lanes_n(k->ctas[i]->arrived[w] & k->ctas[i]->warps[w].live);
            all += lanes_n(k->ctas[i]->warps[w].live);
        }
    add(r->err, "cluster barrier, %u of %u threads", n, all);
}

static void add_split(struct run *r, const struct warp *w, const struct split *s)
{
    struct exec_error *e = r->err;
    const struct ir_insn *i = s->pc < r->code->n ? &r->code->insns[s->pc] : NULL;
    add(e, "\n  ");
    if (w->cta->cluster->n > 1)
        add(e, "CTA (%u,%u,%u) ", w->cta->idx[0], w->cta->idx[1], w->cta->idx[2]);
    add(e, "warp %u lanes %08x line %u: ", w->id, s->mask, i ? i->line : 0);
    switch ((enum split_state)s->state) {
    case SPLIT_RUN: add(e, "spins"); break;
    case SPLIT_BSYNC:
        add(e, "waits to reconverge with lanes %08x",
            (w->barriers ? w->barriers[s->key * LANES + lane_first(s->mask)] : w->joined[s->key]) & w->live &
                ~s->mask);
        break;
    case SPLIT_COLL:
        add(e, "%s waits for lanes %08x", i ? ir_ops[i->op].name : "?", s->key & w->live & ~s->mask);
        break;
    case SPLIT_MBAR: add_mbar(r, w, s); break;
    case SPLIT_CLUSTER: add_cluster_bar(r, w->cta->cluster); break;
    case SPLIT_BAR: {
        const struct bar *b = &w->cta->bars[s->key];
        uint32_t n = b->again;
        for (uint32_t k = 0; k < r->nwarps; k++)
            n += lanes_n(b->arrived[k]);
        add(e, "barrier %u, %u of %u threads", s->key, n, b->expected ? b->expected : r->nthreads);
        break;
    }
    }
}

bool fail_deadlock(struct run *r, struct cta *c, bool spinning)
{
    const struct warp *first = NULL;
    for (uint32_t k = 0; k < r->nwarps && !first; k++) {
        if (c->warps[k].state != WARP_DONE)
            first = &c->warps[k];
    }
    start(r, EXEC_DEADLOCK);
    memcpy(r->err->cta, c->idx, sizeof c->idx);
    add(r->err, ", CTA (%u,%u,%u), %s: deadlock: ", c->idx[0], c->idx[1], c->idx[2], file_of(r));
    if (first) {
        r->err->warp = first->id;
        r->err->line = line_of(r, first->split[first->cur < first->nsplit ? first->cur : 0].pc);
    }
    add(r->err, spinning            ? "every warp of the grid spins or waits and nothing changes"
                : c->cluster->n > 1 ? "every warp of the cluster waits"
                                    : "every warp of the CTA waits");
    for (uint32_t i = 0; i < c->cluster->n; i++)
        for (uint32_t k = 0; k < r->nwarps; k++) {
            const struct warp *w = &c->cluster->ctas[i]->warps[k];
            for (uint32_t s = 0; s < w->nsplit; s++)
                add_split(r, w, &w->split[s]);
        }
    return false;
}
