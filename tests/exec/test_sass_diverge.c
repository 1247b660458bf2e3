/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which lanes that part execute blocks of NVIDIA's code, warp by warp, against what an H200 did: tests/sass/data has
 * random kernels that write a line for each block, tests/sass/diverge.tsv hashes of the lines. */
#include "base/diag.h"
#include "exec/exec.h"
#include "sass/cubin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1024, WARP_WORDS = 2 * MOST + 2, WARPS = 12, INPUTS = 1 << 16, CUBIN_MOST_B = 1 << 20 };

struct rig {
    struct exec_dev *dev;
    struct exec_module *module;
    struct cubin *cubin; /* of the module */
    uint64_t in, log;
    unsigned file;
    char kernel[32];
};

static uint32_t mix(uint32_t z)
{
    z ^= z >> 16;
    z *= 0x7feb352du;
    z ^= z >> 15;
    z *= 0x846ca68bu;
    return z ^ z >> 16;
}

static void load(struct rig *r, unsigned file)
{
    static unsigned char bytes[CUBIN_MOST_B];
    char path[512], why[512];
    struct diag d = {0};
    snprintf(path, sizeof path, "%s/sass/data/diverge_%u.cubin", TEST_DATA_DIR, file);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    exec_module_free(r->module);
    cubin_free(r->cubin);
    r->cubin = cubin_read(bytes, n, why, sizeof why);
    if (!r->cubin)
        fail_msg("%s", why);
    r->module = exec_module_load_cubin(r->dev, r->cubin, &d);
    assert_non_null(r->module);
    r->file = file;
    r->kernel[0] = 0;
}

static void launch(struct rig *r, const char *kernel)
{
    char why[512];
    struct {
        uint64_t log, in;
        uint32_t seed;
    } args = {r->log, r->in, 1};
    struct code *c = exec_module_translate(r->module, kernel, why, sizeof why);
    if (!c)
        fail_msg("%s", why);
    memset(exec_ptr(r->dev, r->log, WARPS * WARP_WORDS * 4), 0xff, (size_t)WARPS * WARP_WORDS * 4);
    struct exec_launch l = {.code = c,
                            .module = r->module,
                            .grid = {WARPS, 1, 1},
                            .block = {32, 1, 1},
                            .params = &args,
                            .params_b = 20};
    struct exec_counts counts = {0};
    struct exec_error e;
    if (exec_launch(r->dev, &l, &counts, &e) != EXEC_OK)
        fail_msg("%s", e.text);
    snprintf(r->kernel, sizeof r->kernel, "%s", kernel);
    code_free(c);
}

static void blocks_are_executed_in_the_order_of_an_h200(void **state)
{
    struct rig r = {.dev = exec_dev_new(&(struct exec_cfg){0}), .file = ~0u};
    FILE *f = fopen(TEST_DATA_DIR "/sass/diverge.tsv", "r");
    char line[256], kernel[32];
    uint32_t warps = 0, bad = 0;
    (void)state;
    assert_non_null(f);
    r.in = exec_alloc(r.dev, INPUTS * 4);
    r.log = exec_alloc(r.dev, WARPS * WARP_WORDS * 4);
    uint32_t *in = exec_ptr(r.dev, r.in, INPUTS * 4);
    for (uint32_t i = 0; i < INPUTS; i++)
        in[i] = mix(i * 2654435761u + 99);
    while (fgets(line, sizeof line, f)) {
        unsigned file, warp, blocks, n = 0;
        unsigned long long want, hash = 0xcbf29ce484222325ull;
        if (line[0] == '#')
            continue;
        assert_int_equal(5, sscanf(line, "%u %31s %u %u %llx", &file, kernel, &warp, &blocks, &want));
        assert_true(warp < WARPS);
        if (file != r.file)
            load(&r, file);
        if (strcmp(kernel, r.kernel) != 0)
            launch(&r, kernel);
        const uint32_t *log = exec_ptr(r.dev, r.log, WARPS * WARP_WORDS * 4);
        for (log += (size_t)warp * WARP_WORDS + 2; n < MOST && log[2 * n] != ~0u; n++) {
            hash = (hash ^ log[2 * n]) * 0x100000001b3ull;
            hash = (hash ^ log[2 * n + 1]) * 0x100000001b3ull;
        }
        warps++;
        if (n == blocks && hash == want)
            continue;
        print_message("%s, warp %u: not the order of an H200 (%u blocks, there %u)\n", kernel, warp, n,
                      blocks);
        bad++;
    }
    fclose(f);
    assert_true(warps > 300);
    assert_int_equal(bad, 0);
    exec_module_free(r.module);
    cubin_free(r.cubin);
    exec_dev_free(r.dev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_executed_in_the_order_of_an_h200)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
