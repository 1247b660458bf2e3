/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a .traceg file: no crash, no hang; what is accepted gives a sound kernel, and every line is found in it again.
 * The first byte chooses whether warps may be missing. */
#include "trace/accelsim/accelsim_in.h"

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *cta(void *ctx, uint32_t c)
{
    (void)ctx;
    (void)c;
    return NULL;
}
static const char *end(void *ctx)
{
    (void)ctx;
    return NULL;
}
static const char *warp(void *ctx, uint32_t w)
{
    (void)w;
    as_code_warp(ctx);
    return NULL;
}
static const char *learn(void *ctx, uint32_t w, const struct as_line *l)
{
    (void)w;
    return as_code_add(ctx, l);
}
static const char *find(void *ctx, uint32_t w, const struct as_line *l)
{
    uint32_t at = as_code_find(ctx, l);
    const struct tr_kernel *k = as_code_kernel(ctx);
    (void)w;
    CHECK(at < k->n);
    CHECK(!l->mask || k->insns[at].naddr <= (l->width ? 1u + l->second : 0u));
    return NULL;
}

static struct as_code *pass(const uint8_t *data, size_t n, struct as_code *c, bool allow_missing)
{
    struct text_in *t = text_from_memory("fuzz", data, n);
    struct diag d = {0};
    struct as_head h;
    struct as_body b = {.allow_missing = allow_missing};
    struct accelsim_report r = {0};
    const char *wrong = NULL;
    bool first = !c, ok = as_head_read(t, &h, &d);
    /* A large grid only costs memory for the marks of its thread blocks. */
    ok = ok && (uint64_t)h.grid[0] * h.grid[1] * h.grid[2] < 1 << 20;
    if (ok && first)
        ok = (c = as_code_new(&h, &wrong)) != NULL;
    if (ok) {
        b.code = c;
        struct as_visitor v = {c, cta, warp, first ? learn : find, end};
        ok = as_body_read(t, &h, &v, &b, &d);
    }
    if (ok && first)
        ok = !as_code_end(c, &r);
    CHECK(first || ok);
    accelsim_report_free(&r);
    as_head_free(&h);
    diag_free(&d);
    text_close(t);
    if (!ok) {
        as_code_free(c);
        c = NULL;
    }
    return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!n)
        return 0;
    struct as_code *c = pass(data + 1, n - 1, NULL, data[0] & 1);
    if (c)
        as_code_free(pass(data + 1, n - 1, c, data[0] & 1));
    return 0;
}
