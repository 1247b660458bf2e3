/* SPDX-License-Identifier: Apache-2.0 */
/* The thread blocks of a .traceg file. */
#include "trace/accelsim/accelsim_in.h"

struct walk {
    struct text_in *t;
    const struct as_head *h;
    const struct as_visitor *v;
    struct as_body *b;
    uint32_t nctas, nwarps, seen_ctas;
    uint32_t last_lanes; /* of the last warp */
    uint64_t *seen;      /* by thread block */
    bool inside;         /* of a thread block */
    bool placed;         /* it has said which one it is */
    uint32_t warps;      /* mentioned, by bit */
    int32_t warp;        /* the current one; -1: none */
    bool counted;        /* it has said how many instructions */
    uint64_t left;
    struct as_memo *memo;
    struct as_line line;
};

static bool key(const char *s, const char *name, const char **value)
{
    size_t n = strlen(name);
    if (strncmp(s, name, n) != 0)
        return false;
    s += n + strspn(s + n, " ");
    if (*s != '=')
        return false;
    *value = s + 1 + strspn(s + 1, " ");
    return true;
}

static bool number(const char *s, uint64_t *out)
{
    char *end;
    if (*s < '0' || *s > '9' || strspn(s, "0123456789") > 18)
        return false;
    *out = strtoull(s, &end, 10);
    return !end[strspn(end, " ")];
}

static const char *begin_tb(struct walk *w)
{
    if (w->inside)
        return "a thread block begins inside another";
    w->inside = true;
    w->placed = w->counted = false;
    w->warps = 0;
    w->warp = -1;
    return NULL;
}

static const char *place_tb(struct walk *w, const char *value)
{
    unsigned x, y, z;
    int end = 0;
    if (!w->inside || w->placed)
        return "a thread block's place where there is none to be";
    if (strspn(value, "0123456789, ") != strlen(value) ||
        sscanf(value, "%9u,%9u,%9u %n", &x, &y, &z, &end) < 3 || value[end])
        return "the place of the thread block cannot be read";
    const uint32_t *g = w->h->grid;
    if (x >= g[0] || y >= g[1] || z >= g[2])
        return "a thread block outside the grid";
    uint32_t cta = (z * g[1] + y) * g[0] + x;
    if (w->seen[cta / 64] >> cta % 64 & 1)
        return "the thread block was there before";
    w->seen[cta / 64] |= 1ull << cta % 64;
    w->seen_ctas++;
    w->placed = true;
    return w->v->begin_cta(w->v->ctx, cta);
}

static const char *end_warp(struct walk *w)
{
    if (w->warp >= 0 && !w->counted)
        return "a warp without its number of instructions";
    return w->left ? "the warp has fewer instructions than it says" : NULL;
}

static const char *begin_warp(struct walk *w, const char *value)
{
    uint64_t v;
    const char *wrong = end_warp(w);
    if (wrong)
        return wrong;
    if (!w->placed)
        return "a warp outside a thread block";
    if (!number(value, &v) || v >= w->nwarps)
        return "a warp that the block does not have";
    if (w->warps >> v & 1)
        return "the warp was there before";
    w->warps |= 1u << v;
    w->warp = (int32_t)v;
    w->counted = false;
    return w->v->begin_warp(w->v->ctx, (uint32_t)v);
}

static const char *count_warp(struct walk *w, const char *value)
{
    if (w->warp < 0 || w->counted)
        return "a number of instructions without a warp";
    w->counted = true;
    return number(value, &w->left) ? NULL : "the number of instructions cannot be read";
}

static const char *end_tb(struct walk *w)
{
    const char *wrong = end_warp(w);
    if (wrong)
        return wrong;
    if (!w->placed)
        return "a thread block that does not say where it is, or has not begun";
    uint32_t missing = w->nwarps - (uint32_t)__builtin_popcount(w->warps);
    if (!w->warps)
        return "a thread block without warps";
    if (missing && !w->b->allow_missing)
        return "warps of the thread block are missing (--missing-warps takes them for idle)";
    w->b->missing_warps += missing;
    w->inside = w->placed = false;
    w->warp = -1;
    return w->v->end_cta(w->v->ctx);
}

static const char *instruction(struct walk *w, const char *s, size_t n)
{
    const char *wrong = as_memo_read(w->memo, s, n, &w->line);
    if (wrong)
        return wrong;
    if ((uint32_t)w->warp == w->nwarps - 1 && w->line.mask & ~w->last_lanes)
        return "the mask has lanes that the warp does not have";
    w->left--;
    w->b->insts++;
    return w->v->insn(w->v->ctx, (uint32_t)w->warp, &w->line);
}

static const char *line(struct walk *w, const char *s, size_t n)
{
    const char *value;
    if (w->left)
        return *s == '#' || *s == 'w' ? "the warp has fewer instructions than it says" : instruction(w, s, n);
    if (strncmp(s, "#BEGIN_TB", 9) == 0)
        return begin_tb(w);
    if (strncmp(s, "#END_TB", 7) == 0)
        return end_tb(w);
    if (*s == '#')
        return NULL;
    if (key(s, "warp", &value))
        return begin_warp(w, value);
    if (key(s, "insts", &value))
        return count_warp(w, value);
    if (key(s, "thread block", &value))
        return place_tb(w, value);
    /* Tracer 6 says which cluster a thread block is of; clusters are not modelled. */
    if (strncmp(s, "cluster ", 8) == 0)
        return NULL;
    return w->warp >= 0 ? "more instructions than the warp says" : "a line that belongs to nothing";
}

static bool at_end(struct walk *w, struct diag *d)
{
    const char *wrong = text_error(w->t);
    if (!wrong && w->inside)
        wrong = "the file ends inside a thread block";
    if (!wrong && w->seen_ctas != w->nctas) {
        diag_error(d, text_name(w->t), NULL, 0, (uint32_t)text_line_number(w->t), 0,
                   "the file has %u thread blocks, its grid %u", w->seen_ctas, w->nctas);
        return false;
    }
    if (wrong)
        diag_error(d, text_name(w->t), NULL, 0, (uint32_t)text_line_number(w->t), 0, "%s", wrong);
    return !wrong;
}

bool as_body_read(struct text_in *t, const struct as_head *h, const struct as_visitor *v, struct as_body *b,
                  struct diag *d)
{
    uint32_t threads = h->block[0] * h->block[1] * h->block[2];
    struct walk *w = xcalloc(1, sizeof *w);
    w->t = t;
    w->h = h;
    w->v = v;
    w->b = b;
    w->nctas = h->grid[0] * h->grid[1] * h->grid[2];
    w->nwarps = (threads + TR_LANES - 1) / TR_LANES;
    w->last_lanes = threads % TR_LANES ? (1u << threads % TR_LANES) - 1 : ~0u;
    w->warp = -1;
    w->memo = as_memo_new(h, b->code);
    w->seen = xcalloc(w->nctas / 64 + 1, sizeof *w->seen);
    char *s;
    size_t n;
    bool ok = true;
    while (ok && (s = text_line(t, &n))) {
        const char *wrong = *s ? line(w, s, n) : NULL;
        if (wrong) {
            diag_error(d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0, "%s", wrong);
            ok = false;
        }
    }
    ok = ok && at_end(w, d);
    as_memo_free(w->memo);
    free(w->seen);
    free(w);
    return ok;
}
