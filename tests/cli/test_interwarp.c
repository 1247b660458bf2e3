/* SPDX-License-Identifier: Apache-2.0 */
/* inspect --interwarp: two warps that load the same three lines, one of them backwards. In turn that is A C B B C A. */
#include "cli/inspect_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/trace.h"

#include <cmocka.h>

static void write_trace(const char *path)
{
    struct diag d = {0};
    static struct tr_insn insns[3];
    for (uint32_t i = 0; i < 3; i++)
        insns[i] = (struct tr_insn){.cls = TC_LDG,
                                    .target = TR_NO_TARGET,
                                    .pc = i * 16,
                                    .text = "LDG",
                                    .space = SPACE_GLOBAL,
                                    .mem = TM_LOAD,
                                    .width_b = 4,
                                    .naddr = 1};
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = "three";
    k->file = "";
    k->n = 3;
    k->insns = insns;
    k->nblocks = 1;
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = 3, .ipdom = UINT32_MAX};
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "t", .maker = "test"}, &d);
    assert_non_null(w);
    tr_add_kernel(w, k);
    tr_begin_launch(w, &(struct tr_launch){.grid = {1, 1, 1}, .block = {64, 1, 1}});
    tr_begin_cta(w, 0);
    for (uint32_t warp = 0; warp < 2; warp++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint64_t addr[TR_LANES];
            const uint64_t *sets[2] = {addr, NULL};
            uint8_t values[TR_DSTS * 4] = {0};
            for (uint32_t l = 0; l < TR_LANES; l++)
                addr[l] = 0x10000 + (warp ? 2 - i : i) * 128 + l * 4;
            tr_insn(w, 0, warp, i, ~0u, SPACE_GLOBAL, sets, values);
        }
    }
    tr_end_cta(w, 0);
    tr_end_launch(w, true);
    assert_true(tr_close(w, &d));
    tr_kernel_free(k);
}

static void windows(void **state)
{
    (void)state;
    char path[] = "/tmp/bankshot-interwarp-XXXXXX", out[] = "/tmp/bankshot-interwarp-XXXXXX", line[400];
    struct diag d = {0};
    close(mkstemp(path));
    int to = mkstemp(out), saved = dup(STDOUT_FILENO);
    write_trace(path);
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    fflush(stdout);
    dup2(to, STDOUT_FILENO);
    int status = inspect_interwarp(r, UINT32_MAX);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    tr_free(r);
    assert_int_equal(status, 0);
    FILE *f = fopen(out, "r");
    bool found = false;
    while (fgets(line, sizeof line, f)) {
        char name[64];
        unsigned loads, lanes, requests;
        double w[4];
        if (sscanf(line, "%63s %u %u %u %lf %lf %lf %lf", name, &loads, &lanes, &requests, &w[0], &w[1],
                   &w[2], &w[3]) != 8)
            continue;
        found = true;
        assert_int_equal(loads, 6);
        assert_int_equal(lanes, 6 * 32);
        assert_int_equal(requests, 6);
        assert_int_equal(w[0] * 6 + 0.5, 600);
        assert_int_equal(w[1] * 6 + 0.5, 500);
        assert_int_equal(w[2] * 6 + 0.5, 400);
        assert_int_equal(w[3] * 6 + 0.5, 300);
    }
    assert_true(found);
    fclose(f);
    close(to);
    close(saved);
    unlink(path);
    unlink(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
