/* SPDX-License-Identifier: Apache-2.0 */
/* The importer's second pass: the streams of every launch, encoded by as many threads as there are, written in order. */
#include "base/aside.h"
#include "ir/code.h"
#include "trace/accelsim/accelsim_import.h"

#include <errno.h>
#include <unistd.h>

/* What a launch holds before its turn; then it goes on when it has its turn, so that memory does not grow with the trace. It is
 * looked at every so many instructions. */
enum { HELD_MAX_B = 4 << 20, LOOK_EVERY = 1 << 16 };

struct writing {
    struct reading in;
    struct tr_writer *to, *w; /* the trace; the helper of this thread */
    uint32_t item, cta, look;
    struct as_async *async; /* NULL: the kernel has none of what needs a whole CTA */
    uint64_t copies, released;
    struct tr_part *part; /* what is not in the file yet */
    bool begun, ok;
};

struct pass {
    struct import *im;
    struct tr_writer *w;
    struct tr_writer **helpers; /* by thread, when it has its first launch */
};

static bool begin_launch(struct reading *in)
{
    struct writing *f = (struct writing *)in;
    const struct as_head *h = &in->head;
    const struct tr_kernel *k = as_code_kernel(in->code);
    struct tr_launch l = {.kernel = in->command->code,
                          .stream = h->stream,
                          .flags = h->flags,
                          .after = in->command->after,
                          .nafter = in->command->nafter};
    memcpy(l.grid, h->grid, sizeof l.grid);
    memcpy(l.block, h->block, sizeof l.block);
    memcpy(l.cluster, h->cluster, sizeof l.cluster);
    l.dyn_shared_b = h->shared_b > k->shared_b ? h->shared_b - k->shared_b : 0;
    f->async = !h->note_n && as_async_uses(k) ? as_async_new(in->im->o) : NULL;
    tr_helper_at(f->w, in->command->launch);
    tr_begin_launch(f->w, &l);
    f->begun = true;
    return true;
}

static const char *begin_cta(void *ctx, uint32_t cta)
{
    struct writing *f = ctx;
    f->cta = cta;
    tr_begin_cta(f->w, cta);
    return import_go_on(&f->in);
}

/* Whoever holds much waits for its turn, and writes. */
static const char *hand_over(struct writing *f)
{
    if (tr_held_b(f->w) < HELD_MAX_B)
        return tr_failed(f->w);
    if (!in_order_turn(f->in.order, f->item))
        return import_go_on(&f->in);
    tr_append(f->to, tr_take(f->w));
    return tr_failed(f->to);
}

static const char *end_cta(void *ctx)
{
    struct writing *f = ctx;
    if (f->async)
        f->copies += as_async_write(f->async, as_code_kernel(f->in.code), f->w, f->cta);
    tr_end_cta(f->w, f->cta);
    return hand_over(f);
}

static const char *begin_warp(void *ctx, uint32_t warp)
{
    (void)ctx;
    (void)warp;
    return NULL;
}

/* Where a generic address is, and where that window starts: the one with the greatest start that is not after it. Our own
 * traces have a window of constants as well. */
static uint8_t window(const struct as_head *h, uint64_t a, uint64_t *start)
{
    uint8_t space = SPACE_GLOBAL;
    *start = 0;
    if (a >= h->shared_base) {
        space = SPACE_SHARED;
        *start = h->shared_base;
    }
    if (a >= h->local_base && h->local_base >= *start) {
        space = SPACE_LOCAL;
        *start = h->local_base;
    }
    if (h->note_n && a >= WINDOW_CONST && a - WINDOW_CONST < WINDOW_SIZE) {
        space = SPACE_CONST;
        *start = WINDOW_CONST;
    }
    return space;
}

/* The space that all lanes are in, with addresses relative to its window; NONE: they differ, and stay generic. */
static uint8_t generic(const struct as_head *h, const struct as_line *l, uint64_t *out)
{
    uint64_t first_start = 0, start;
    uint8_t first = SPACE_NONE;
    for (uint32_t m = l->mask; m; m &= m - 1) {
        uint64_t a = l->addr[__builtin_ctz(m)];
        uint8_t space = window(h, a, &start);
        if (first != SPACE_NONE && space != first) {
            memcpy(out, l->addr, sizeof l->addr);
            return SPACE_NONE;
        }
        first = space;
        first_start = start;
        out[__builtin_ctz(m)] = a - first_start;
    }
    return first;
}

static const char *write_insn(void *ctx, uint32_t warp, const struct as_line *l)
{
    struct writing *f = ctx;
    uint32_t at = as_code_find(f->in.code, l);
    if (at == UINT32_MAX)
        return "the file has changed while it was read";
    const struct tr_insn *in = &as_code_kernel(f->in.code)->insns[at];
    uint64_t moved[TR_LANES];
    const uint64_t *addrs[2] = {l->addr, l->addr2};
    uint8_t space = in->space;
    if (in->naddr && in->space == SPACE_NONE && l->mask) {
        space = generic(&f->in.head, l, moved);
        addrs[0] = moved;
    }
    if (f->async)
        as_async_add(f->async, warp, at, l->mask, space, l->width ? addrs : NULL);
    else
        tr_insn(f->w, f->cta, warp, at, l->mask, space, addrs, NULL);
    return ++f->look % LOOK_EVERY ? NULL : hand_over(f);
}

/* ---- the pass ---- */

static void *encode(void *ctx, struct in_order *order, uint32_t self, uint32_t i)
{
    struct pass *p = ctx;
    const struct command *c = &p->im->list.at[i];
    if (!c->path)
        return NULL;
    struct writing *f = xcalloc(1, sizeof *f);
    const struct as_visitor v = {f, begin_cta, begin_warp, write_insn, end_cta};
    if (!p->helpers[self])
        p->helpers[self] = tr_helper(p->w);
    f->in = (struct reading){.im = p->im, .order = order, .command = c, .code = p->im->codes.at[c->code]};
    f->to = p->w;
    f->w = p->helpers[self];
    f->item = i;
    f->ok = import_read(&f->in, begin_launch, &v);
    f->released = f->async ? as_async_released(f->async) : 0;
    as_async_free(f->async);
    if (f->begun)
        tr_end_launch(f->w, f->ok);
    f->part = tr_take(f->w);
    return f;
}

static void drop(void *ctx, void *result)
{
    (void)ctx;
    struct writing *f = result;
    if (!f)
        return;
    import_done(&f->in);
    tr_part_free(f->part);
    free(f);
}

static bool put(void *ctx, uint32_t i, void *result)
{
    struct pass *p = ctx;
    struct writing *f = result;
    if (!f) {
        tr_add_copy(p->w, &p->im->list.at[i].copy);
        return true;
    }
    bool ok = f->ok;
    if (ok) {
        p->im->r->copies += f->copies;
        p->im->r->released += f->released;
        tr_append(p->w, f->part);
        f->part = NULL;
    } else {
        diag_join(p->im->d, &f->in.d);
    }
    drop(ctx, f);
    return ok && !tr_failed(p->w);
}

static bool second_pass(struct import *im, struct tr_writer *w)
{
    static const struct in_order_ops ops = {.work = encode, .finish = put, .drop = drop};
    struct pass p = {.im = im, .w = w, .helpers = xcalloc(im->o->threads + 1, sizeof *p.helpers)};
    vec_each (&im->codes, c)
        tr_add_kernel(w, as_code_kernel(*c));
    bool ok = in_order_run(im->list.n, im->o->threads, &ops, &p);
    for (uint32_t i = 0; i < im->o->threads + 1; i++)
        tr_helper_free(p.helpers[i]);
    free(p.helpers);
    return ok;
}

bool import_write(struct import *im)
{
    const struct tr_info info = {.program = "Accel-Sim traces", .maker = im->o->maker, .command = im->o->dir};
    int why;
    struct aside *to = aside_open(im->o->out, &why);
    int fd = to ? dup(aside_fd(to)) : -1;
    if (fd < 0) {
        diag_plain(im->d, "%s: %s", im->o->out, strerror(to ? errno : why));
        if (to)
            aside_drop(to);
        return false;
    }
    struct tr_writer *w = tr_create_at(fd, im->o->out, &info);
    bool ok = second_pass(im, w);
    if (!tr_close(w, im->d))
        ok = false;
    why = ok ? aside_keep(to) : 0;
    if (!ok)
        aside_drop(to);
    if (why)
        diag_plain(im->d, "%s: %s", im->o->out, strerror(why));
    return ok && !why;
}
