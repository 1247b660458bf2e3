/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* vasprintf */
/* What was found: the same mistake of the source is one finding, however often it happens. */
#include "exec/sanitize/san_inside.h"

#include "base/demangle.h"

#include <stdarg.h>

#define NO_AT UINT32_MAX

uint32_t san_find_kernel(struct san *k, const struct code *c)
{
    for (uint32_t i = 0; i < k->kernels.n; i++) {
        const struct kernel_lines *l = &k->kernels.at[i];
        if (l->code == c && l->n == c->n && strcmp(l->name, c->name) == 0)
            return i;
    }
    struct kernel_lines l = {.code = c,
                             .name = xstrdup(c->name),
                             .file = xstrdup(c->file ? c->file : "?"),
                             .n = c->n,
                             .sass = c->sass != NULL,
                             .line = xcalloc(c->n + 1, sizeof *l.line)};
    for (uint32_t i = 0; i < c->n; i++)
        l.line[i] = c->insns[i].line;
    vec_push(&k->kernels, l);
    return k->kernels.n - 1;
}

__attribute__((format(printf, 1, 2))) static char *text(const char *fmt, ...)
{
    char *out;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&out, fmt, ap);
    va_end(ap);
    return n < 0 ? xstrdup("") : out;
}

/* file:line of an instruction, or its number where there is no line. */
static const char *where(const struct kernel_lines *l, uint32_t at, char *out, size_t n)
{
    if (l->line[at])
        snprintf(out, n, "%s:%u", l->file, l->line[at]);
    else if (l->sass)
        snprintf(out, n, "instruction 0x%x", 16 * at);
    else
        snprintf(out, n, "instruction %u", at);
    return out;
}

/* A line of a kernel as one number; of an instruction without a line, its place. */
static uint64_t spot(const struct san *k, uint32_t kernel, uint32_t at)
{
    if (at == NO_AT)
        return UINT64_MAX;
    const struct kernel_lines *l = &k->kernels.at[kernel];
    return (uint64_t)kernel << 33 | (l->line[at] ? l->line[at] : 1ull << 32 | at);
}

/* The finding, if it is new; else NULL, after it was counted. Two lines are one finding whichever access comes first. */
static struct finding *add(struct san *k, enum finding_kind kind, uint32_t at, uint32_t other_kernel,
                           uint32_t other_at, uint32_t lane)
{
    uint32_t kernel = k->past.at[k->past.n - 1].kernel;
    uint64_t one = spot(k, kernel, at), two = spot(k, other_kernel, other_at);
    k->sum.times++;
    vec_each (&k->findings, f) {
        bool same = (f->one == one && f->two == two) || (f->one == two && f->two == one);
        if (f->kind != kind || !same)
            continue;
        f->times++;
        if (f->serial == k->serial)
            f->lanes |= 1u << lane;
        return NULL;
    }
    k->sum.findings++;
    vec_push(&k->findings, (struct finding){.kind = kind,
                                            .one = one,
                                            .two = two,
                                            .times = 1,
                                            .serial = k->serial,
                                            .lane = lane,
                                            .lanes = 1u << lane});
    return &k->findings.at[k->findings.n - 1];
}

/* Where the executing lane is. */
static char *head(struct san *k, const char *what, uint32_t at, uint32_t warp)
{
    const struct cta *c = k->cur->cta;
    const struct kernel_lines *l = &k->kernels.at[k->past.at[k->past.n - 1].kernel];
    char name[256], place[512];
    demangle(l->name, name, sizeof name);
    return text("%s: %s, kernel '%s', CTA (%u,%u,%u), warp %u, lanes ", what,
                where(l, at, place, sizeof place), name, c->idx[0], c->idx[1], c->idx[2], warp);
}

static const char *verb(const struct record *r)
{
    return r->atomic ? "has changed atomically" : r->write ? "has written" : "has read";
}

/* By whom, and what is missing between the two. */
static char *race_tail(struct san *k, const struct exec_step *s, uint32_t lane, uint64_t addr,
                       enum ir_space space, bool write, uint32_t other, const struct record *rec,
                       const struct past *l)
{
    bool mine = l == &k->past.at[k->past.n - 1], atomic = k->sites[s->at].kind == SITE_ATOMIC;
    uint32_t u = rec->unit - l->unit0, warp = u % l->nwarps, cta = u / l->nwarps;
    bool same_cta = mine && cta == (uint32_t)k->cur->cta->index;
    const struct kernel_lines *lines = &k->kernels.at[l->kernel];
    const struct cta *c = k->cur->cta;
    char place[512], who[128], name[256], thread[64];
    demangle(lines->name, name, sizeof name);
    snprintf(thread, sizeof thread, "(%u,%u,%u)", c->warps[s->warp].tid[0][lane],
             c->warps[s->warp].tid[1][lane], c->warps[s->warp].tid[2][lane]);
    if (same_cta && warp == s->warp)
        snprintf(who, sizeof who, "lane %u of the same warp", other & (LANES - 1));
    else if (same_cta)
        snprintf(who, sizeof who, "warp %u, lane %u", warp, other & (LANES - 1));
    else
        snprintf(who, sizeof who, "CTA %u, warp %u, lane %u", cta, warp, other & (LANES - 1));
    const char *missing = !mine                            ? "no stream or event orders the two kernels"
                          : !same_cta                      ? "nothing orders the two CTAs"
                          : warp != s->warp                ? "no barrier is between them"
                          : rec->at == s->at && rec->write ? "they are the same instruction"
                                                           : "no __syncwarp is between them";
    return text(": thread %s %s %s memory at 0x%llx that %s%s%s %s at %s; %s", thread,
                atomic  ? "changes"
                : write ? "writes"
                        : "reads",
                space_name(space), (unsigned long long)addr, who, mine ? "" : " of kernel ", mine ? "" : name,
                verb(rec), where(lines, rec->at, place, sizeof place), missing);
}

void san_find_race(struct san *k, const struct exec_step *s, uint32_t lane, uint64_t addr,
                   enum ir_space space, bool write, uint32_t other)
{
    const struct record *rec = &k->records.at[(other >> LANE_BITS) - k->record0];
    uint32_t i = k->past.n - 1;
    while (i && rec->unit < k->past.at[i].unit0)
        i--;
    const struct past *l = &k->past.at[i];
    struct finding *f = add(k, FIND_RACE, s->at, l->kernel, rec->at, lane);
    if (!f)
        return;
    f->head = head(k, "race", s->at, s->warp);
    f->tail = race_tail(k, s, lane, addr, space, write, other, rec, l);
}

void san_find_unwritten(struct san *k, const struct exec_step *s, uint32_t lane, uint64_t addr,
                        enum ir_space space, unsigned n)
{
    const struct cta *c = k->cur->cta;
    struct finding *f = add(k, FIND_INIT, s->at, 0, NO_AT, lane);
    if (!f)
        return;
    const struct warp *w = &c->warps[s->warp];
    const struct alloc *a = space == SPACE_GLOBAL ? mem_find(&k->r->dev->mem, addr) : NULL;
    f->head = head(k, "uninitialised", s->at, s->warp);
    char near[96] = "";
    if (a)
        snprintf(near, sizeof near, ", byte %llu of an allocation of %llu,",
                 (unsigned long long)(addr - a->base), (unsigned long long)a->size_b);
    f->tail = text(": thread (%u,%u,%u) reads %u byte%s of %s memory at 0x%llx%s which nothing has written",
                   w->tid[0][lane], w->tid[1][lane], w->tid[2][lane], n, n == 1 ? "" : "s", space_name(space),
                   (unsigned long long)addr, near);
}

void san_find_barrier(struct san *k, uint32_t id, uint32_t warp, uint32_t lanes, uint32_t at,
                      uint32_t other_warp, uint32_t other_lanes, uint32_t other_at)
{
    uint32_t kernel = k->past.at[k->past.n - 1].kernel;
    struct finding *f = add(k, FIND_SYNC, at, kernel, other_at, lane_first(lanes));
    if (!f)
        return;
    char place[512];
    f->head = head(k, "barrier", at, warp);
    f->lanes = lanes;
    f->tail = text(
        ": these threads wait at barrier %u, and lanes %08x of warp %u wait for them at another place, %s; "
        "all threads of the CTA must come to the same one",
        id, other_lanes, other_warp, where(&k->kernels.at[kernel], other_at, place, sizeof place));
}

void san_find_tell(struct san *k)
{
    vec_each (&k->findings, f) {
        if (f->told || !f->head)
            continue;
        char *line = f->times > 1 ? text("%s%08x%s (%llu times)", f->head, f->lanes, f->tail,
                                         (unsigned long long)f->times)
                                  : text("%s%08x%s", f->head, f->lanes, f->tail);
        k->cfg.tell(k->cfg.ctx, line);
        free(line);
        f->told = true;
    }
}

void san_find_free(struct san *k)
{
    vec_each (&k->findings, f) {
        free(f->head);
        free(f->tail);
    }
    vec_free(&k->findings);
    vec_each (&k->kernels, l) {
        free(l->name);
        free(l->file);
        free(l->line);
    }
    vec_free(&k->kernels);
}
