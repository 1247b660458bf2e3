/* SPDX-License-Identifier: Apache-2.0 */
/* inspect --counts: two launches of two warps, the second of which leaves out an instruction; one step has no active lane. */
#include "cli/inspect_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/trace.h"

#include <cmocka.h>

enum { NINSNS = 3, LAUNCHES = 2 };

static void write_trace(const char *path)
{
    struct diag d = {0};
    static struct tr_insn insns[NINSNS];
    for (uint32_t i = 0; i < NINSNS; i++)
        insns[i] = (struct tr_insn){.cls = TC_INT, .target = TR_NO_TARGET, .pc = i * 16, .text = "MOV"};
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = "three";
    k->file = "";
    k->n = NINSNS;
    k->insns = insns;
    k->nblocks = 1;
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = NINSNS, .ipdom = UINT32_MAX};
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "t", .maker = "test"}, &d);
    assert_non_null(w);
    tr_add_kernel(w, k);
    for (uint32_t l = 0; l < LAUNCHES; l++) {
        const uint64_t *sets[2] = {NULL, NULL};
        uint8_t values[TR_DSTS * 4] = {0};
        tr_begin_launch(w, &(struct tr_launch){.grid = {1, 1, 1}, .block = {64, 1, 1}});
        tr_begin_cta(w, 0);
        for (uint32_t warp = 0; warp < 2; warp++) {
            for (uint32_t i = 0; i < NINSNS; i++) {
                if (warp == 0 || i != 1)
                    tr_insn(w, 0, warp, i, i == 2 ? 0 : ~0u, SPACE_NONE, sets, values);
            }
        }
        tr_end_cta(w, 0);
        tr_end_launch(w, true);
    }
    assert_true(tr_close(w, &d));
    tr_kernel_free(k);
}

/* What inspect_counts prints, its first 4,000 bytes. */
static char *printed(struct tr_reader *r, uint32_t launch, uint32_t first)
{
    char path[] = "/tmp/bankshot-counts-XXXXXX";
    int to = mkstemp(path), saved = dup(STDOUT_FILENO);
    char *text = xcalloc(1, 4001);
    fflush(stdout);
    dup2(to, STDOUT_FILENO);
    int status = inspect_counts(r, launch, first);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    assert_int_equal(status, 0);
    assert_true(pread(to, text, 4000, 0) > 0);
    close(to);
    close(saved);
    unlink(path);
    return text;
}

static void expect(struct tr_reader *r, uint32_t launch, uint32_t first, const char *head,
                   const unsigned counts[NINSNS])
{
    char line[100], *text = printed(r, launch, first);
    assert_non_null(strstr(text, head));
    for (unsigned i = 0; i < NINSNS; i++) {
        snprintf(line, sizeof line, "/*%04x*/ %10u  MOV", i * 16, counts[i]);
        assert_non_null(strstr(text, line));
    }
    free(text);
}

static void counts(void **state)
{
    (void)state;
    char path[] = "/tmp/bankshot-counts-XXXXXX";
    struct diag d = {0};
    close(mkstemp(path));
    write_trace(path);
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    expect(r, UINT32_MAX, 0, "2 launches, 10 warp instructions, 10 of them counted\n",
           (const unsigned[]){4, 2, 4});
    expect(r, UINT32_MAX, 0, "counted over 2 launches:\nkernel three", (const unsigned[]){4, 2, 4});
    expect(r, UINT32_MAX, 1, "counted over 1 launch:\n", (const unsigned[]){2, 1, 2});
    expect(r, UINT32_MAX, 1, "10 warp instructions, 5 of them counted\n", (const unsigned[]){2, 1, 2});
    expect(r, 1, 0, "counted over 1 launch:\n", (const unsigned[]){2, 1, 2});
    tr_free(r);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
