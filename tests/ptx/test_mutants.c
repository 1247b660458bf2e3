/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with tokens dropped, doubled, swapped and replaced: the parser must come back from every one of
 * them, with a tree or with messages, never both. The seed is fixed; the fuzzer in fuzz/ goes on from
 * here. */
#include "rig.h"

#include "base/file.h"
#include "base/rng.h"
#include "ptx/lex.h"

enum { MUTANTS = 500, MAX_TOKENS = 4096 };

struct piece {
    const char *s;
    uint32_t len;
};

/* The text as tokens with the blanks before them. */
static uint32_t cut(const char *text, size_t len, struct piece *out)
{
    struct ptx_lex lx;
    struct ptx_tok t;
    struct diag d = {0};
    uint32_t n = 0;
    const char *at = text;
    ptx_lex_init(&lx, "t", text, len, &d);
    for (ptx_lex_next(&lx, &t); t.kind != TK_EOF && n < MAX_TOKENS; ptx_lex_next(&lx, &t)) {
        out[n++] = (struct piece){at, (uint32_t)(lx.p - at)};
        at = lx.p;
    }
    diag_free(&d);
    return n;
}

static uint32_t mutate(struct rng *r, const struct piece *in, uint32_t n, struct piece *out)
{
    uint32_t edits = 1 + rng_below(r, 3), m = n;
    memcpy(out, in, sizeof *in * n);
    while (edits--) {
        uint32_t i = rng_below(r, m), j = rng_below(r, m);
        struct piece keep = out[i];
        switch (rng_below(r, 4)) {
        case 0:
            memmove(out + i, out + i + 1, sizeof *out * (m - i - 1));
            m--;
            break;
        case 1:
            memmove(out + i + 1, out + i, sizeof *out * (m - i));
            m++;
            break;
        case 2:
            out[i] = out[j];
            out[j] = keep;
            break;
        default: out[i] = out[j]; break;
        }
    }
    return m;
}

static void try_text(const struct piece *p, uint32_t n)
{
    size_t len = 0, at = 0;
    struct diag d = {0};
    for (uint32_t i = 0; i < n; i++)
        len += p[i].len;
    char *text = xmalloc(len);
    for (uint32_t i = 0; i < n; at += p[i++].len)
        memcpy(text + at, p[i].s, p[i].len);
    struct ptx_module *m = ptx_parse("t.ptx", text, len, &d);
    free(text);
    assert_true((m == NULL) == (d.errors > 0));
    for (uint32_t i = 0; i < d.n; i++)
        assert_true(d.msg[i].line > 0);
    ptx_module_free(m);
    diag_free(&d);
}

static void mutate_file(const char *path)
{
    static struct piece in[MAX_TOKENS], out[MAX_TOKENS + 4];
    struct diag d = {0};
    struct file_text text;
    struct rng r = {.s = 20240601};
    assert_true(file_read(path, 1 << 20, &text, &d));
    uint32_t n = cut(text.at, text.n, in);
    assert_true(n > 100);
    for (int i = 0; i < MUTANTS; i++)
        try_text(out, mutate(&r, in, n, out));
    file_free(&text);
    diag_free(&d);
}

static void nvcc(void **state)
{
    (void)state;
    mutate_file(TEST_DATA_DIR "/ptx/data/nvcc.ptx");
}

static void clang(void **state)
{
    (void)state;
    mutate_file(TEST_DATA_DIR "/ptx/data/clang14.ptx");
}

static void textures(void **state)
{
    (void)state;
    mutate_file(KERNELS_DIR "/texture.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvcc),
        cmocka_unit_test(clang),
        cmocka_unit_test(textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
