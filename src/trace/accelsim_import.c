/* A folder of Accel-Sim traces becomes one file. */
#include "ir/code.h"
#include "trace/accelsim_in.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line of kernelslist.g that means something. */
struct command {
    const char *path; /* a kernel; NULL: a copy */
    struct tr_copy copy;
    struct as_code *code;
};

struct import {
    const struct accelsim_import *o;
    struct accelsim_report *r;
    struct diag *d;
    struct arena arena;
    VEC(struct command) list;
    VEC(struct as_code *) codes;
    VEC(uint32_t) index; /* of the codes' kernels in the trace */
    struct tr_writer *w;
    VEC(uint32_t) ends; /* launches that nothing waits for yet, one per stream */
    VEC(uint64_t) streams;
    uint32_t nlaunches;
    /* The file that is being read. */
    struct as_code *code;
    const struct as_head *head;
    uint32_t cta;
    struct as_async *async; /* NULL: the kernel has none of what needs a whole CTA */
};

/* ---- the list ---- */

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* The file as the list names it, or packed. */
static const char *find_file(struct import *im, const char *dir, const char *name)
{
    static const char *const packed[] = {"", ".xz", ".gz", ".zst"};
    const char *path = NULL;
    for (uint32_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        path = arena_printf(&im->arena, "%s/%s%s", dir, name, packed[i]);
        if (exists(path))
            return path;
    }
    return arena_printf(&im->arena, "%s/%s", dir, name);
}

static bool copy_line(const char *s, struct tr_copy *c)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {{"MemcpyHtoD,", TRC_TO_DEVICE},
                 {"MemcpyDtoH,", TRC_TO_HOST},
                 {"MemcpyDtoD,", TRC_ON_DEVICE},
                 {"Memset,", TRC_SET}};
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i].name);
        if (strncmp(s, kinds[i].name, n) != 0)
            continue;
        char *end, *end2;
        *c = (struct tr_copy){.kind = kinds[i].kind, .addr = strtoull(s + n, &end, 16)};
        if (end == s + n || *end != ',')
            return false;
        c->bytes = strtoull(end + 1, &end2, 10);
        return end2 != end + 1 && !end2[strspn(end2, " ")];
    }
    return false;
}

static bool list_line(struct import *im, const char *dir, char *s, const struct text_in *t)
{
    struct command c = {0};
    s += strspn(s, " ");
    s[strcspn(s, " \t")] = 0;
    if (strncmp(s, "kernel", 6) == 0) {
        size_t n = strlen(s);
        if (n > 7 && strcmp(s + n - 7, ".tracez") == 0) {
            diag_error(im->d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0,
                       "%s: the .tracez form is not read; unpack it to .traceg", s);
            return false;
        }
        c.path = find_file(im, dir, s);
        im->r->launches++;
    } else if (strncmp(s, "MemcpyHtoD", 10) == 0 || strncmp(s, "Mem", 3) == 0) {
        if (!copy_line(s, &c.copy)) {
            if (strncmp(s, "MemcpyHtoD", 10) != 0)
                return true;
            diag_error(im->d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0,
                       "a copy without address and bytes");
            return false;
        }
    } else {
        return true;
    }
    vec_push(&im->list, c);
    return true;
}

static bool read_list(struct import *im)
{
    struct stat st;
    const char *dir = im->o->dir, *path;
    if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) {
        path = arena_printf(&im->arena, "%s/kernelslist.g", dir);
    } else {
        path = dir;
        const char *slash = strrchr(path, '/');
        dir = slash ? arena_strndup(&im->arena, path, (size_t)(slash - path)) : ".";
    }
    struct text_in *t = text_open(path, im->d);
    if (!t)
        return false;
    char *s;
    size_t n;
    bool ok = true;
    while (ok && (s = text_line(t, &n)))
        ok = list_line(im, dir, s, t);
    if (text_error(t))
        diag_error(im->d, path, NULL, 0, (uint32_t)text_line_number(t), 0, "%s", text_error(t));
    else if (ok && !im->r->launches)
        diag_error(im->d, path, NULL, 0, 0, 0, "the list names no kernel");
    text_close(t);
    return !im->d->errors;
}

/* ---- one file, in either pass ---- */

typedef bool on_head(struct import *im, struct command *c, const struct as_head *h);

static bool read_file(struct import *im, struct command *c, on_head *head, const struct as_visitor *v,
                      uint64_t *text_b)
{
    struct text_in *t = text_open(c->path, im->d);
    if (!t)
        return false;
    struct as_head h;
    struct as_body b = {.allow_missing = im->o->allow_missing};
    bool ok = as_head_read(t, &h, im->d);
    if (ok) {
        im->head = &h;
        ok = head(im, c, &h) && as_body_read(t, &h, v, &b, im->d);
    }
    if (text_b) {
        *text_b += text_bytes(t);
        im->r->warp_insts += b.insts;
        im->r->missing_warps += b.missing_warps;
    }
    im->head = NULL;
    as_head_free(&h);
    text_close(t);
    return ok;
}

/* ---- first pass ---- */

static bool find_code(struct import *im, struct command *c, const struct as_head *h)
{
    for (uint32_t i = im->codes.n; !c->code && i-- > 0;)
        if (as_code_is(im->codes.at[i], h))
            c->code = im->codes.at[i];
    if (!c->code) {
        const char *wrong = NULL;
        c->code = as_code_new(h, &wrong);
        if (!c->code) {
            diag_error(im->d, c->path, NULL, 0, 0, 0, "%s", wrong);
            return false;
        }
        vec_push(&im->codes, c->code);
    }
    as_code_launch(c->code, h);
    im->code = c->code;
    return true;
}

static const char *nothing(void *ctx)
{
    (void)ctx;
    return NULL;
}
static const char *nothing_cta(void *ctx, uint32_t cta)
{
    (void)ctx;
    (void)cta;
    return NULL;
}
static const char *learn_warp(void *ctx, uint32_t warp)
{
    struct import *im = ctx;
    (void)warp;
    as_code_warp(im->code);
    return NULL;
}
static const char *learn(void *ctx, uint32_t warp, const struct as_line *l)
{
    struct import *im = ctx;
    (void)warp;
    return as_code_add(im->code, l);
}

static bool first_pass(struct import *im)
{
    const struct as_visitor v = {im, nothing_cta, learn_warp, learn, nothing};
    vec_each (&im->list, c) {
        if (c->path && !read_file(im, c, find_code, &v, &im->r->text_b))
            return false;
    }
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

/* ---- second pass ---- */

/* Launches of one stream follow each other; those of the default stream wait for all, and all others for it. */
static void order(struct import *im, struct tr_launch *l, const struct as_head *h)
{
    if (h->has_after) {
        l->after = h->after.at;
        l->nafter = h->after.n;
        return;
    }
    uint32_t *after = ARENA_ARRAY(&im->arena, uint32_t, im->ends.n + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < im->ends.n; i++) {
        bool same = im->streams.at[i] == l->stream;
        if (same || !l->stream || !im->streams.at[i])
            after[l->nafter++] = im->ends.at[i];
        if (l->stream && !same) {
            im->ends.at[kept] = im->ends.at[i];
            im->streams.at[kept++] = im->streams.at[i];
        }
    }
    l->after = after;
    im->ends.n = im->streams.n = kept;
    vec_push(&im->ends, im->nlaunches);
    vec_push(&im->streams, l->stream);
}

static bool begin_launch(struct import *im, struct command *c, const struct as_head *h)
{
    const struct tr_kernel *k = as_code_kernel(c->code);
    struct tr_launch l = {.stream = h->stream, .flags = h->flags};
    for (uint32_t i = 0; i < im->codes.n; i++)
        if (im->codes.at[i] == c->code)
            l.kernel = im->index.at[i];
    memcpy(l.grid, h->grid, sizeof l.grid);
    memcpy(l.block, h->block, sizeof l.block);
    memcpy(l.cluster, h->cluster, sizeof l.cluster);
    l.dyn_shared_b = h->shared_b > k->shared_b ? h->shared_b - k->shared_b : 0;
    for (uint32_t i = 0; i < h->after.n; i++) {
        if (h->after.at[i] >= im->nlaunches) {
            diag_error(im->d, c->path, NULL, 0, 0, 0, "a launch after one that comes later");
            return false;
        }
    }
    order(im, &l, h);
    im->code = c->code;
    as_async_free(im->async);
    im->async = !h->note_n && as_async_uses(k) ? as_async_new() : NULL;
    tr_begin_launch(im->w, &l);
    im->nlaunches++;
    return true;
}

static const char *begin_cta(void *ctx, uint32_t cta)
{
    struct import *im = ctx;
    im->cta = cta;
    tr_begin_cta(im->w, cta);
    return tr_failed(im->w);
}

static const char *end_cta(void *ctx)
{
    struct import *im = ctx;
    if (im->async)
        im->r->copies += as_async_write(im->async, as_code_kernel(im->code), im->w, im->cta);
    tr_end_cta(im->w, im->cta);
    return NULL;
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
    struct import *im = ctx;
    uint32_t at = as_code_find(im->code, l);
    if (at == UINT32_MAX)
        return "the file has changed while it was read";
    const struct tr_insn *in = &as_code_kernel(im->code)->insns[at];
    uint64_t moved[TR_LANES];
    const uint64_t *addrs[2] = {l->addr, l->addr2};
    uint8_t space = in->space;
    if (in->naddr && in->space == SPACE_NONE && l->mask) {
        space = generic(im->head, l, moved);
        addrs[0] = moved;
    }
    if (im->async)
        as_async_add(im->async, warp, at, l->mask, space, l->width ? addrs : NULL);
    else
        tr_insn(im->w, im->cta, warp, at, l->mask, space, addrs, NULL);
    return NULL;
}

static bool second_pass(struct import *im)
{
    const struct as_visitor v = {im, begin_cta, begin_warp, write_insn, end_cta};
    for (uint32_t i = 0; i < im->codes.n; i++)
        vec_push(&im->index, tr_add_kernel(im->w, as_code_kernel(im->codes.at[i])));
    vec_each (&im->list, c) {
        if (!c->path) {
            tr_add_copy(im->w, &c->copy);
            continue;
        }
        if (!read_file(im, c, begin_launch, &v, NULL))
            return false;
        tr_end_launch(im->w, true);
    }
    return true;
}

static bool write_trace(struct import *im)
{
    const struct tr_info info = {.program = "Accel-Sim traces", .maker = im->o->maker, .command = im->o->dir};
    im->w = tr_create(im->o->out, &info, im->d);
    if (!im->w)
        return false;
    bool ok = second_pass(im);
    if (!tr_close(im->w, im->d))
        ok = false;
    if (!ok)
        unlink(im->o->out);
    return ok;
}

bool accelsim_import(const struct accelsim_import *o, struct accelsim_report *r, struct diag *d)
{
    struct import im = {.o = o, .r = r, .d = d};
    bool ok = read_list(&im) && first_pass(&im) && write_trace(&im);
    vec_each (&im.codes, c)
        as_code_free(*c);
    vec_free(&im.codes);
    vec_free(&im.list);
    vec_free(&im.index);
    vec_free(&im.ends);
    vec_free(&im.streams);
    as_async_free(im.async);
    arena_free(&im.arena);
    return ok;
}

void accelsim_report_free(struct accelsim_report *r)
{
    vec_free(&r->unknown);
    arena_free(&r->arena);
    *r = (struct accelsim_report){0};
}
