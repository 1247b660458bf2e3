/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's answers, and the streams of CTAs. */
#include "trace/read/reader.h"

#include <unistd.h>

void tr_free(struct tr_reader *r)
{
    if (!r)
        return;
    reader_free_loaded(r);
    vec_each (&r->kernels, k)
        tr_kernel_free(*k);
    vec_each (&r->codes, c)
        free(*c);
    vec_each (&r->launches, l)
        vec_free(&l->places);
    vec_free(&r->kernels);
    vec_free(&r->codes);
    vec_free(&r->launches);
    vec_free(&r->copies);
    vec_free(&r->chunks);
    arena_free(&r->arena);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->changed);
    close(r->fd);
    free(r->path);
    free(r);
}

const struct tr_info *tr_info(const struct tr_reader *r) { return &r->info; }
bool tr_closed(const struct tr_reader *r) { return r->closed; }
uint64_t tr_missing(const struct tr_reader *r) { return r->missing; }
uint32_t tr_nwhole(const struct tr_reader *r)
{
    uint32_t n = 0;
    vec_each (&r->launches, l)
        n += l->info.complete && l->info.recorded == l->info.nctas;
    return n;
}
bool tr_partial(const struct tr_reader *r)
{
    return !r->closed || r->missing || tr_nwhole(r) != r->launches.n;
}
uint32_t tr_nkernels(const struct tr_reader *r) { return r->kernels.n; }
const struct tr_kernel *tr_kernel(const struct tr_reader *r, uint32_t i) { return r->kernels.at[i]; }
uint32_t tr_nlaunches(const struct tr_reader *r) { return r->launches.n; }
const struct tr_launch_info *tr_launch(const struct tr_reader *r, uint32_t i)
{
    return &r->launches.at[i].info;
}
uint32_t tr_ncopies(const struct tr_reader *r) { return r->copies.n; }
const struct tr_copy *tr_copy(const struct tr_reader *r, uint32_t i) { return &r->copies.at[i]; }
uint64_t tr_file_bytes(const struct tr_reader *r) { return r->size_b; }
uint64_t tr_identity(const struct tr_reader *r) { return r->identity; }

/* The first place of the CTA or one after it. */
static uint32_t lower_place(const struct reader_launch *l, uint32_t cta)
{
    uint32_t lo = 0, hi = l->places.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->places.at[mid].cta < cta)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The first place of a CTA, or NULL. */
static const struct place *find_cta(const struct reader_launch *l, uint32_t cta)
{
    uint32_t at = lower_place(l, cta);
    return at < l->places.n && l->places.at[at].cta == cta ? &l->places.at[at] : NULL;
}

bool tr_has_cta(const struct tr_reader *r, uint32_t launch, uint32_t cta)
{
    return launch < r->launches.n && find_cta(&r->launches.at[launch], cta);
}

bool tr_cta_from(const struct tr_reader *r, uint32_t launch, uint32_t from, uint32_t *cta)
{
    if (launch >= r->launches.n)
        return false;
    const struct reader_launch *l = &r->launches.at[launch];
    uint32_t at = lower_place(l, from);
    if (at == l->places.n)
        return false;
    *cta = l->places.at[at].cta;
    return true;
}

/* ---- CTAs ---- */

struct warp_cursor {
    struct decoder d;
    uint64_t keep;            /* instructions of the piece that are yet to be given */
    struct loaded *in;        /* the chunk of the piece at hand */
    const struct place *next; /* NULL: this piece was the last */
    uint64_t threads;         /* that the piece should have */
    bool over;                /* nothing comes any more; its chunk is given back with those of the others */
};

struct tr_cta {
    struct tr_reader *r;
    const struct codec_code *code;
    uint32_t launch, cta, nwarps;
    double share; /* of the pieces that is given */
    char error[256];
    struct warp_cursor warps[];
};

const char *tr_cta_error(const struct tr_cta *c) { return c->error; }

static enum tr_status bad(struct tr_cta *c, uint32_t warp, const char *why)
{
    if (!c->error[0])
        snprintf(c->error, sizeof c->error, "launch %u, CTA %u, warp %u: %s", c->launch, c->cta, warp, why);
    return TR_BAD;
}

/* What is kept of n instructions: one at least, so that no warp disappears. */
static uint64_t kept(const struct tr_cta *c, uint64_t n)
{
    uint64_t keep = (uint64_t)((double)n * c->share + 0.5);
    return c->share >= 1 ? n : keep ? keep : n != 0;
}

/* Points the decoder at the warp's piece in p. */
static const char *start_piece(struct tr_cta *c, uint32_t warp, const struct place *p)
{
    struct warp_cursor *w = &c->warps[warp];
    const struct streams *s = &w->in->s;
    if (s->entry.groups.at[p->group].cta != c->cta || s->entry.groups.at[p->group].flags != p->flags)
        return "pieces that are not those of the index";
    const struct piece *piece = &s->pieces[(size_t)p->group * c->nwarps + warp];
    struct decoder *d = &w->d;
    d->ctl = s->raw + piece[0].ctl;
    d->ctl_end = s->raw + piece[1].ctl;
    d->addr = s->raw + piece[0].addr;
    d->addr_end = s->raw + piece[1].addr;
    d->val = s->raw + piece[0].val;
    d->val_end = s->raw + piece[1].val;
    d->left = piece->insts;
    w->keep = kept(c, piece->insts);
    decoder_start(d, c->code);
    w->threads = piece->threads;
    w->next = p->flags & GROUP_LAST ? NULL : p + 1;
    return NULL;
}

struct tr_cta *tr_open_cta(struct tr_reader *r, uint32_t launch, uint32_t cta, struct diag *d)
{
    const struct place *p = launch < r->launches.n ? find_cta(&r->launches.at[launch], cta) : NULL;
    if (!p) {
        diag_error(d, r->path, NULL, 0, 0, 0, "launch %u has no CTA %u in this trace", launch, cta);
        return NULL;
    }
    const struct tr_launch_info *l = &r->launches.at[launch].info;
    const struct codec_code *code = r->codes.at[l->l.kernel];
    const char *why = NULL;
    struct loaded *in = reader_acquire(r, p->chunk, l->nwarps, &why);
    if (!in) {
        diag_error(d, r->path, NULL, 0, 0, 0, "at byte %llu: %s",
                   (unsigned long long)r->chunks.at[p->chunk].at, why);
        return NULL;
    }
    size_t head = sizeof(struct tr_cta) + l->nwarps * sizeof(struct warp_cursor);
    struct tr_cta *c = xmalloc(head + (size_t)l->nwarps * code->nslots * sizeof(uint64_t));
    *c = (struct tr_cta){.r = r, .code = code, .launch = launch, .cta = cta, .nwarps = l->nwarps, .share = 1};
    for (uint32_t i = 0; i < l->nwarps; i++) {
        c->warps[i].in = in;
        c->warps[i].over = false;
        c->warps[i].d.no_values = false;
        c->warps[i].d.base = (uint64_t *)((char *)c + head) + (size_t)i * code->nslots;
        if (!why)
            why = start_piece(c, i, p);
    }
    if (!why)
        return c;
    diag_error(d, r->path, NULL, 0, 0, 0, "at byte %llu: %s", (unsigned long long)r->chunks.at[p->chunk].at,
               why);
    tr_close_cta(c);
    return NULL;
}

void tr_cut_cta(struct tr_cta *c, double share)
{
    c->share = share;
    for (uint32_t i = 0; i < c->nwarps; i++)
        c->warps[i].keep = kept(c, c->warps[i].d.left);
}

bool tr_count_cta(struct tr_cta *c, uint64_t *insts)
{
    const char *why = NULL;
    const struct place *p = find_cta(&c->r->launches.at[c->launch], c->cta);
    memset(insts, 0, c->nwarps * sizeof *insts);
    for (; p; p = p->flags & GROUP_LAST ? NULL : p + 1) {
        struct loaded *in = reader_acquire(c->r, p->chunk, 1, &why);
        if (!in)
            return false;
        for (uint32_t w = 0; w < c->nwarps; w++)
            insts[w] += in->s.pieces[(size_t)p->group * c->nwarps + w].insts;
        reader_release(c->r, in, 1);
    }
    return true;
}

void tr_drop_values(struct tr_cta *c)
{
    for (uint32_t i = 0; i < c->nwarps; i++)
        c->warps[i].d.no_values = true;
}

struct tr_cta *tr_open_again(const struct tr_cta *c, struct diag *d)
{
    struct tr_cta *again = tr_open_cta(c->r, c->launch, c->cta, d);
    if (again)
        tr_cut_cta(again, c->share);
    return again;
}

void tr_close_cta(struct tr_cta *c)
{
    if (!c)
        return;
    for (uint32_t i = 0, n; i < c->nwarps; i += n) {
        for (n = 1; i + n < c->nwarps && c->warps[i + n].in == c->warps[i].in;)
            n++;
        if (c->warps[i].in)
            reader_release(c->r, c->warps[i].in, n);
    }
    free(c);
}

/* The piece at hand is used up: the next one that has instructions. */
static enum tr_status next_piece(struct tr_cta *c, uint32_t warp)
{
    struct warp_cursor *w = &c->warps[warp];
    do {
        if (w->over || !w->in)
            return TR_END;
        const char *why = NULL;
        if (!w->d.left && !(why = decode_end(&w->d)) && w->d.threads != w->threads)
            why = "active lanes do not add up";
        if (why)
            return bad(c, warp, why);
        const struct place *p = w->next;
        if (!p) {
            w->over = true;
            return TR_END;
        }
        if (p->chunk != w->in->chunk) {
            reader_release(c->r, w->in, 1);
            w->in = reader_acquire(c->r, p->chunk, 1, &why);
        }
        if (!w->in || (why = start_piece(c, warp, p))) {
            w->keep = 0;
            return bad(c, warp, why);
        }
    } while (!w->keep);
    return TR_STEP;
}

enum tr_status tr_next(struct tr_cta *c, uint32_t warp, struct tr_step *s)
{
    struct warp_cursor *w = &c->warps[warp];
    if (!w->keep) {
        enum tr_status st = c->error[0] ? TR_BAD : next_piece(c, warp);
        if (st != TR_STEP)
            return st;
    }
    w->keep--;
    const char *wrong = decode_insn(&w->d, c->code, s);
    if (!wrong)
        return TR_STEP;
    w->keep = 0;
    return bad(c, warp, wrong);
}

/* Nothing more comes of the warp's stream; tr_next says why. */
static void damaged(struct tr_cta *c, uint32_t warp, const char *why)
{
    c->warps[warp].keep = 0;
    (void)bad(c, warp, why);
}

uint32_t tr_next_runs(struct tr_cta *c, uint32_t warp, uint32_t most, struct tr_run *to)
{
    struct warp_cursor *w = &c->warps[warp];
    const char *wrong = NULL;
    uint32_t n = decode_runs(&w->d, c->code, &w->keep, most, to, &wrong);
    if (wrong)
        damaged(c, warp, wrong);
    return n;
}

bool tr_runs_over(const struct tr_cta *c, uint32_t warp)
{
    const struct warp_cursor *w = &c->warps[warp];
    return !w->keep && !w->next && !c->error[0];
}

bool tr_next_data(struct tr_cta *c, uint32_t warp, uint32_t at, uint32_t mask, struct tr_step *s)
{
    s->at = at;
    s->mask = mask;
    /* Behind bytes that make no sense there need not be others. */
    const char *wrong = c->error[0] ? c->error : decode_data(&c->warps[warp].d, c->code, at, mask, s);
    if (wrong)
        damaged(c, warp, wrong);
    return !wrong;
}
