/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of Accel-Sim traces becomes one file. This is the first pass: each file's code is learned by itself, by as many
 * threads as there are, and joined in the order of the files. */
#include "trace/accelsim/accelsim_import.h"

/* ---- one file, in either pass ---- */

bool import_read(struct reading *r, bool (*begin)(struct reading *r), const struct as_visitor *v)
{
    struct text_in *t = text_open(r->command->path, &r->d);
    if (!t)
        return false;
    r->body.allow_missing = r->im->o->allow_missing;
    bool ok = as_head_read(t, &r->head, &r->d) && begin(r);
    r->body.code = r->code;
    ok = ok && as_body_read(t, &r->head, v, &r->body, &r->d);
    r->text_b = text_bytes(t);
    text_close(t);
    return ok;
}

void import_done(struct reading *r)
{
    as_head_free(&r->head);
    diag_free(&r->d);
}

const char *import_go_on(const struct reading *r)
{
    return in_order_over(r->order) ? "another file has failed" : NULL;
}

/* ---- first pass ---- */

struct learning {
    struct reading in;
    bool ok;
};

static bool begin_code(struct reading *r)
{
    const char *wrong = NULL;
    r->code = as_code_new(&r->head, &wrong);
    if (!r->code)
        diag_error(&r->d, r->command->path, NULL, 0, 0, 0, "%s", wrong);
    return r->code != NULL;
}

static const char *begin_cta(void *ctx, uint32_t cta)
{
    struct learning *l = ctx;
    (void)cta;
    return import_go_on(&l->in);
}
static const char *begin_warp(void *ctx, uint32_t warp)
{
    struct learning *l = ctx;
    (void)warp;
    as_code_warp(l->in.code);
    return NULL;
}
static const char *insn(void *ctx, uint32_t warp, const struct as_line *line)
{
    struct learning *l = ctx;
    (void)warp;
    return as_code_add(l->in.code, line);
}
static const char *end_cta(void *ctx)
{
    (void)ctx;
    return NULL;
}

static void *learn(void *ctx, struct in_order *order, uint32_t self, uint32_t i)
{
    struct import *im = ctx;
    (void)self;
    if (!im->list.at[i].path)
        return NULL;
    struct learning *l = xcalloc(1, sizeof *l);
    const struct as_visitor v = {l, begin_cta, begin_warp, insn, end_cta};
    l->in = (struct reading){.im = im, .order = order, .command = &im->list.at[i]};
    l->ok = import_read(&l->in, begin_code, &v);
    return l;
}

static void drop(void *ctx, void *result)
{
    (void)ctx;
    struct learning *l = result;
    if (!l)
        return;
    as_code_free(l->in.code);
    import_done(&l->in);
    free(l);
}

/* Launches of one stream follow each other; those of the default stream wait for all, and all others for it. */
static void order(struct import *im, struct command *c, const struct as_head *h)
{
    c->launch = im->nlaunches++;
    c->after = ARENA_ARRAY(&im->arena, uint32_t, h->after.n + im->ends.n + 1);
    if (h->has_after) {
        for (; c->nafter < h->after.n; c->nafter++)
            c->after[c->nafter] = h->after.at[c->nafter];
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < im->ends.n; i++) {
        bool same = im->streams.at[i] == h->stream;
        if (same || !h->stream || !im->streams.at[i])
            c->after[c->nafter++] = im->ends.at[i];
        if (h->stream && !same) {
            im->ends.at[kept] = im->ends.at[i];
            im->streams.at[kept++] = im->streams.at[i];
        }
    }
    im->ends.n = im->streams.n = kept;
    vec_push(&im->ends, c->launch);
    vec_push(&im->streams, h->stream);
}

/* The kernel that the code is of: one that is known, or a new one. */
static bool join(struct import *im, struct command *c, struct as_code **code)
{
    for (c->code = im->codes.n; c->code-- > 0;)
        if (as_code_is(im->codes.at[c->code], *code)) {
            const char *wrong = as_code_join(im->codes.at[c->code], *code);
            if (wrong)
                diag_error(im->d, c->path, NULL, 0, 0, 0, "%s", wrong);
            return !wrong;
        }
    c->code = im->codes.n;
    vec_push(&im->codes, *code);
    *code = NULL;
    return true;
}

static bool take(void *ctx, uint32_t i, void *result)
{
    struct import *im = ctx;
    struct command *c = &im->list.at[i];
    struct learning *l = result;
    if (!l)
        return true;
    bool ok = l->ok;
    if (!ok)
        diag_join(im->d, &l->in.d);
    for (uint32_t k = 0; ok && k < l->in.head.after.n; k++)
        if (l->in.head.after.at[k] >= im->nlaunches) {
            diag_error(im->d, c->path, NULL, 0, 0, 0, "a launch after one that comes later");
            ok = false;
        }
    ok = ok && join(im, c, &l->in.code);
    if (ok) {
        order(im, c, &l->in.head);
        im->r->text_b += l->in.text_b;
        im->r->warp_insts += l->in.body.insts;
        im->r->missing_warps += l->in.body.missing_warps;
    }
    drop(ctx, l);
    return ok;
}

static bool first_pass(struct import *im)
{
    static const struct in_order_ops ops = {.work = learn, .finish = take, .drop = drop};
    if (!in_order_run(im->list.n, im->o->threads, &ops, im))
        return false;
    for (uint32_t i = 0; i < im->codes.n; i++) {
        const char *wrong = as_code_end(im->codes.at[i], im->r);
        if (wrong) {
            diag_plain(im->d, "%s: %s", im->o->dir, wrong);
            return false;
        }
    }
    im->r->kernels = im->codes.n;
    vec_each (&im->r->unknown, u) {
        if (im->o->strict)
            diag_plain(im->d, "%s: unknown opcode %s, %llu times", im->o->dir, u->opcode,
                       (unsigned long long)u->count);
    }
    return !im->d->errors;
}

bool accelsim_import(const struct accelsim_import *o, struct accelsim_report *r, struct diag *d)
{
    struct import im = {.o = o, .r = r, .d = d};
    bool ok = import_list(&im) && first_pass(&im) && import_write(&im);
    vec_each (&im.codes, c)
        as_code_free(*c);
    vec_free(&im.codes);
    vec_free(&im.list);
    vec_free(&im.ends);
    vec_free(&im.streams);
    arena_free(&im.arena);
    return ok;
}

void accelsim_report_free(struct accelsim_report *r)
{
    vec_free(&r->unknown);
    arena_free(&r->arena);
    *r = (struct accelsim_report){0};
}
