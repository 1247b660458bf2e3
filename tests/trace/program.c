/* SPDX-License-Identifier: Apache-2.0 */
/* Whole made-up traces. */
#include "gen.h"
#include "trace/write/writer.h"

struct tr_kernel *gen_program_kernel(const struct gen_program *p, uint32_t i)
{
    return gen_kernel(p->seed * 1000 + i, 4 + (uint32_t)((p->seed * 7 + i * 13) % 60));
}

void gen_program_stream(struct gen_stream *g, const struct gen_program *p, const struct tr_kernel *k,
                        uint32_t launch, uint32_t cta, uint32_t warp)
{
    struct rng r = {p->seed + ((uint64_t)launch << 40) + ((uint64_t)cta << 8) + warp};
    uint64_t insts = p->launches[launch].insts;
    uint64_t seed = rng_u64(&r);
    gen_start(g, k, seed, insts / 2 + rng_u64(&r) % (insts + 1));
}

static uint32_t nwarps(const struct gen_launch *l) { return (l->threads + TR_LANES - 1) / TR_LANES; }

static void write_one(const struct gen_program *p, struct tr_writer *w, const struct tr_kernel *k,
                      uint32_t launch, uint32_t cta)
{
    struct gen_stream g;
    struct gen_step s;
    tr_begin_cta(w, cta);
    for (uint32_t i = 0; i < nwarps(&p->launches[launch]); i++) {
        gen_program_stream(&g, p, k, launch, cta, i);
        while (gen_next(&g, &s))
            gen_write(w, cta, i, &s);
    }
    tr_end_cta(w, cta);
}

/* All CTAs open; the warps take turns of some instructions. CTAs end in a shuffled order. */
static void write_interleaved(const struct gen_program *p, struct tr_writer *w, const struct tr_kernel *k,
                              uint32_t launch)
{
    const struct gen_launch *l = &p->launches[launch];
    uint32_t warps = nwarps(l), open = l->ctas, ended = 0;
    struct gen_stream *g = xcalloc((size_t)l->ctas * warps, sizeof *g);
    uint32_t *left = xcalloc(l->ctas, sizeof *left);
    struct gen_step s;
    for (uint32_t c = 0; c < l->ctas; c++) {
        tr_begin_cta(w, c);
        left[c] = warps;
        for (uint32_t i = 0; i < warps; i++)
            gen_program_stream(&g[c * warps + i], p, k, launch, c, i);
    }
    for (struct rng r = {p->seed}; open && !(l->fail && ended >= l->fail);) {
        uint32_t c = rng_below(&r, l->ctas);
        for (uint32_t i = 0; i < warps && left[c]; i++) {
            struct gen_stream *stream = &g[c * warps + i];
            if (!stream->k)
                continue;
            for (uint32_t n = rng_below(&r, 200); n; n--) {
                if (!gen_next(stream, &s)) {
                    stream->k = NULL;
                    left[c]--;
                    break;
                }
                gen_write(w, c, i, &s);
            }
        }
        if (!left[c] && g[c * warps].left != UINT64_MAX) {
            g[c * warps].left = UINT64_MAX; /* ended */
            tr_end_cta(w, c);
            open--;
            ended++;
        }
    }
    free(g);
    free(left);
}

bool gen_program_write(const struct gen_program *p, const char *path, struct diag *d)
{
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "./program 1 2", .maker = "gen"}, d);
    if (!w)
        return false;
    if (p->small_b) {
        w->batch_b = p->small_b;
        w->cta_held_b = 4 * p->small_b;
        w->all_held_b = 16 * p->small_b;
    }
    struct tr_kernel **k = xcalloc(p->nkernels, sizeof *k);
    for (uint32_t i = 0; i < p->nkernels; i++) {
        k[i] = gen_program_kernel(p, i);
        tr_add_kernel(w, k[i]);
    }
    for (uint32_t i = 0; i < p->nlaunches; i++) {
        const struct gen_launch *l = &p->launches[i];
        uint32_t after[2] = {i - 1, i - 2};
        tr_add_copy(w, &(struct tr_copy){.kind = TRC_TO_DEVICE, .stream = i, .addr = 1000 * i, .bytes = 77});
        tr_begin_launch(w, &(struct tr_launch){.kernel = l->kernel,
                                               .grid = {l->ctas, 1, 1},
                                               .block = {l->threads, 1, 1},
                                               .dyn_shared_b = i * 16,
                                               .flags = l->interleave ? TL_COOPERATIVE : 0,
                                               .stream = i / 2,
                                               .after = after,
                                               .nafter = i < 2 ? i : 2});
        if (l->interleave)
            write_interleaved(p, w, k[l->kernel], i);
        for (uint32_t c = 0; !l->interleave && c < l->ctas && !(l->fail && c >= l->fail); c++)
            write_one(p, w, k[l->kernel], i, c);
        tr_end_launch(w, !l->fail);
    }
    for (uint32_t i = 0; i < p->nkernels; i++)
        tr_kernel_free(k[i]);
    free(k);
    return tr_close(w, d);
}

/* ---- reading ---- */

/* A stream that is read by runs, several of which are known before the data of their instructions are asked for. */
struct by_runs {
    struct tr_run at[3];
    uint32_t n, i; /* how many, and the one whose instruction comes next */
};

static enum tr_status runs_next(struct by_runs *b, struct tr_cta *c, const struct tr_kernel *k, uint32_t warp,
                                struct tr_step *s)
{
    if (b->i == b->n) {
        b->i = 0;
        b->n = tr_next_runs(c, warp, 3, b->at);
        if (!b->n) {
            bool over = tr_runs_over(c, warp);
            enum tr_status st = tr_next(c, warp, s);
            return over && st == TR_STEP ? TR_BAD : st;
        }
    }
    struct tr_run *r = &b->at[b->i];
    const struct tr_insn *in = &k->insns[r->at];
    s->at = r->at++;
    s->mask = r->mask;
    b->i += --r->n == 0;
    return !s->mask || !(in->naddr || in->nparam) || tr_next_data(c, warp, s->at, s->mask, s) ? TR_STEP
                                                                                              : TR_BAD;
}

/* `again`: the CTA for reading by runs; NULL once one of its streams was damaged. */
static const char *compare_warp(const struct gen_program *p, const struct tr_kernel *k, struct tr_cta *c,
                                struct tr_cta **again, uint32_t launch, uint32_t cta, uint32_t warp,
                                bool *bad)
{
    struct gen_stream g;
    struct gen_step want;
    struct tr_step got, got2 = {0};
    struct by_runs b = {0};
    enum tr_status st, st2 = TR_STEP;
    gen_program_stream(&g, p, k, launch, cta, warp);
    while ((st = tr_next(c, warp, &got)) == TR_STEP) {
        const char *why = gen_next(&g, &want) ? gen_compare(k, &want, &got) : "a stream that is too long";
        if (*again && !why && st2 == TR_STEP && (st2 = runs_next(&b, *again, k, warp, &got2)) == TR_STEP) {
            memcpy(got2.values, got.values, sizeof got.values);
            why = gen_compare(k, &want, &got2);
        }
        if (why || st2 == TR_END)
            return why ? why : "runs that end too early";
    }
    *bad |= st == TR_BAD;
    if (*again && st2 == TR_STEP)
        st2 = runs_next(&b, *again, k, warp, &got2);
    if (*again && st2 != st)
        return "runs that end otherwise";
    if (st == TR_BAD) {
        tr_close_cta(*again);
        *again = NULL;
    }
    return st == TR_END && g.left ? "a stream that is too short" : NULL;
}

static const char *compare_launch(const struct gen_program *p, struct tr_reader *r, uint32_t launch,
                                  uint64_t *ctas, uint64_t *refused)
{
    const struct tr_launch_info *i = tr_launch(r, launch);
    const struct gen_launch *l = &p->launches[launch];
    const struct tr_kernel *k = tr_kernel(r, i->l.kernel);
    uint64_t found = 0;
    uint32_t last = 0;
    if (i->l.kernel != l->kernel || i->l.grid[0] != l->ctas || i->l.block[0] != l->threads ||
        i->l.dyn_shared_b != launch * 16 || i->l.stream != launch / 2 ||
        i->l.nafter != (launch < 2 ? launch : 2) || (i->l.nafter && i->l.after[0] != launch - 1) ||
        i->nwarps != nwarps(l) || i->nctas != l->ctas)
        return "another launch";
    for (uint32_t c = 0; c < l->ctas; c++) {
        if (!tr_has_cta(r, launch, c))
            continue;
        uint32_t next;
        if (!tr_cta_from(r, launch, found ? last + 1 : 0, &next) || next != c)
            return "a CTA that the list of CTAs leaves out";
        last = c;
        found++;
        struct diag d = {0};
        struct tr_cta *cta = tr_open_cta(r, launch, c, &d);
        struct tr_cta *again = cta ? tr_open_again(cta, &d) : NULL;
        bool bad = !cta;
        const char *why = cta && !again ? "a CTA that cannot be opened again" : NULL;
        if (again)
            tr_drop_values(again);
        for (uint32_t w = 0; cta && w < i->nwarps && !why; w++)
            why = compare_warp(p, k, cta, &again, launch, c, w, &bad);
        tr_close_cta(cta);
        tr_close_cta(again);
        diag_free(&d);
        if (why)
            return why;
        ++*(bad ? refused : ctas);
    }
    if (found != i->recorded)
        return "another number of CTAs";
    return i->complete && found != l->ctas ? "a complete launch without all its CTAs" : NULL;
}

const char *gen_program_compare(const struct gen_program *p, struct tr_reader *r, uint64_t *ctas,
                                uint64_t *refused)
{
    *ctas = *refused = 0;
    if (tr_nkernels(r) > p->nkernels || tr_nlaunches(r) > p->nlaunches || tr_ncopies(r) > p->nlaunches)
        return "more than there was";
    for (uint32_t i = 0; i < tr_nkernels(r); i++) {
        struct tr_kernel *k = gen_program_kernel(p, i);
        const char *why = gen_compare_kernel(k, tr_kernel(r, i));
        tr_kernel_free(k);
        if (why)
            return why;
    }
    for (uint32_t i = 0; i < tr_nlaunches(r); i++) {
        const char *why = compare_launch(p, r, i, ctas, refused);
        if (why)
            return why;
    }
    for (uint32_t i = 0; i < tr_ncopies(r); i++) {
        const struct tr_copy *c = tr_copy(r, i);
        if (c->kind != TRC_TO_DEVICE || c->before != i || c->stream != i || c->addr != 1000 * i ||
            c->bytes != 77)
            return "another copy";
    }
    return NULL;
}
