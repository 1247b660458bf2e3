/* SPDX-License-Identifier: Apache-2.0 */
/* Single instructions of sm_90 against an H200: tests/sass/silicon.tsv has, for each, a hash of what the GPU computed from six
 * sets of operands on 32 lanes. The operands are made here as they were made there. An instruction finds its sources in R8 to
 * R13 and the predicates, and leaves its results in R16 to R19 and the predicates. */
#include "base/vec.h"
#include "exec/exec.h"
#include "sass/sass.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SETS = 6, LANE_WORDS = 8, TEST_B = 32 * LANE_WORDS * 4, MAX_TESTS = 2048 };

struct test {
    unsigned number;
    uint64_t lo, hi, hash;
};

static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static uint32_t operand(uint64_t set, uint64_t test, uint64_t lane, uint64_t w)
{
    static const uint32_t special[32] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
        1,          0x007fffff, 0x00800000, 0x7f7fffff, 0x4b000000, 0x3f000000, 0x40490fdb, 0xffffffff,
        0x7fffffff, 0x3ff00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x00100000, 0x41e00000, 0x1f,
        0x20,       0x3c003c00, 0x7c00fc00, 0x7e007c01, 0x3f803f80, 0xc3500000, 0x4f000000, 0x00010002};
    uint64_t h = mix(((set * 8192 + test) * 32 + lane) * 8 + w);
    uint32_t v = (uint32_t)h, k = (uint32_t)(h >> 60);
    return k < 4     ? special[v & 31]
           : k < 6   ? v & 63
           : k < 10  ? 0x3f000000 + (v & 0x81ffffff)
           : k == 10 ? 0x40000000 + (v & 0x800fffff)
                     : v;
}

/* Instructions around the one that is tried. */
struct words {
    VEC(uint64_t) w;
};
static void add(struct words *p, uint64_t lo, uint64_t hi)
{
    vec_push(&p->w, lo);
    vec_push(&p->w, hi);
}

static void add_test(struct words *p, const struct test *t, uint64_t off)
{
    add(p, 0x0000000402087981 | off << 40, 0x000ea2000c1e1d00); /* LDG.E.128 R8, desc[UR4][R2.64+off] */
    add(p, 0x00000004020c7981 | (off + 16) << 40, 0x000ea2000c1e1d00); /* LDG.E.128 R12, ... */
    add(p, 0x0000000000107805, 0x000fe2000001ff00);                    /* CS2R R16, SRZ */
    add(p, 0x0000000000127805, 0x000fe2000001ff00);                    /* CS2R R18, SRZ */
    add(p, 0x0000007f0f007804, 0x000fda0000000000);                    /* R2P PR, R15, 0x7f */
    add(p, t->lo, t->hi);
    add(p, 0x0000007fff147803, 0x000fc60000000000);             /* P2R R20, PR, RZ, 0x7f */
    add(p, 0x0000001004007986 | off << 40, 0x0001e2000c101d04); /* STG.E.128 desc[UR4][R4.64+off], R16 */
    add(p, 0x0000001404007986 | (off + 16) << 40, 0x0001e2000c101904); /* STG.E ..., R20 */
}

static uint32_t read_tests(struct test *t)
{
    FILE *f = fopen(TEST_DATA_DIR "/sass/silicon.tsv", "r");
    uint32_t n = 0;
    char line[256];
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        assert_true(n < MAX_TESTS);
        assert_int_equal(4, sscanf(line, "%u %" SCNx64 " %" SCNx64 " %" SCNx64, &t[n].number, &t[n].lo,
                                   &t[n].hi, &t[n].hash));
        n++;
    }
    fclose(f);
    return n;
}

static void add_loads(struct words *p)
{
    add(p, 0x0000000000007919, 0x000e240000002100); /* S2R R0, SR_TID.X */
    add(p, 0x00008400ff027b82, 0x000e620000000a00); /* LDC.64 R2, c[0x0][0x210] */
    add(p, 0x00008600ff047b82, 0x000e620000000a00); /* LDC.64 R4, c[0x0][0x218] */
    add(p, 0x0000002000027825, 0x000fe200078e0002); /* IMAD.WIDE.U32 R2, R0, 0x20, R2 */
    add(p, 0x0000002000047825, 0x000fe200078e0004); /* IMAD.WIDE.U32 R4, R0, 0x20, R4 */
}

static struct code *translate(struct words *p)
{
    char why[512];
    add(p, 0x000000000000794d, 0x000fea0003800000); /* EXIT */
    struct sass_kernel k = {.name = "tests",
                            .arch = 90,
                            .words = p->w.at,
                            .n = p->w.n / 2,
                            .regs = 24,
                            .param_off = 0x210,
                            .param_b = 16};
    struct code *code = sass_translate(&k, why, sizeof why);
    if (!code)
        fail_msg("%s", why);
    return code;
}

static void results_are_those_of_an_h200(void **state)
{
    static struct test tests[MAX_TESTS];
    static uint64_t hash[MAX_TESTS];
    uint32_t n = read_tests(tests), bad = 0;
    struct words p = {0};
    char why[512];
    (void)state;
    assert_true(n * SETS * 32 >= 20000);
    add_loads(&p);
    for (uint32_t t = 0; t < n; t++)
        add_test(&p, &tests[t], (uint64_t)t * TEST_B);
    struct code *code = translate(&p);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){0});
    uint64_t args[2] = {exec_alloc(d, (uint64_t)n * TEST_B), exec_alloc(d, (uint64_t)n * TEST_B)};
    uint32_t *in = exec_ptr(d, args[0], (uint64_t)n * TEST_B),
             *out = exec_ptr(d, args[1], (uint64_t)n * TEST_B);
    for (uint32_t t = 0; t < n; t++)
        hash[t] = 0xcbf29ce484222325ull;
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint32_t i = 0; i < n * 32 * LANE_WORDS; i++)
            in[i] = operand(set, tests[i / (32 * LANE_WORDS)].number, i / LANE_WORDS % 32, i % LANE_WORDS);
        struct exec_launch l = {
            .code = code, .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = args, .params_b = sizeof args};
        struct exec_counts counts = {0};
        struct exec_error e;
        if (exec_launch(d, &l, &counts, &e) != EXEC_OK)
            fail_msg("%s", e.text);
        for (uint32_t i = 0; i < n * 32 * 5; i++)
            hash[i / 160] = (hash[i / 160] ^ out[i / 5 * LANE_WORDS + i % 5]) * 0x100000001b3ull;
    }
    for (uint32_t t = 0; t < n; t++) {
        struct sass_insn i;
        char text[SASS_TEXT_B];
        if (hash[t] == tests[t].hash)
            continue;
        sass_decode(90, tests[t].lo, tests[t].hi, &i, why, sizeof why);
        sass_print(text, sizeof text, &i, 0, NULL, NULL);
        print_message("%s: not what an H200 computes (test %u)\n", text, tests[t].number);
        bad++;
    }
    assert_int_equal(bad, 0);
    exec_dev_free(d);
    code_free(code);
    vec_free(&p.w);
}

/* One line of nans.txt, by one lane. */
static bool is_as_there(const char *line, char *text, size_t text_b)
{
    uint64_t lo, hi;
    uint32_t in[LANE_WORDS], want[5];
    int at = 0;
    assert_int_equal(2, sscanf(line, "%" SCNx64 " %" SCNx64 "%n", &lo, &hi, &at));
    for (unsigned i = 0; i < LANE_WORDS + 5; i++) {
        int n = 0;
        assert_int_equal(
            1, sscanf(line + at, "%" SCNx32 "%n", i < LANE_WORDS ? &in[i] : &want[i - LANE_WORDS], &n));
        at += n;
    }
    struct words p = {0};
    struct sass_insn i;
    char why[512];
    add_loads(&p);
    add_test(&p, &(struct test){.lo = lo, .hi = hi}, 0);
    struct code *code = translate(&p);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){0});
    uint64_t args[2] = {exec_alloc(d, TEST_B), exec_alloc(d, TEST_B)};
    struct exec_launch l = {
        .code = code, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = args, .params_b = sizeof args};
    struct exec_counts counts = {0};
    struct exec_error e;
    memcpy(exec_ptr(d, args[0], sizeof in), in, sizeof in);
    if (exec_launch(d, &l, &counts, &e) != EXEC_OK)
        fail_msg("%s", e.text);
    bool same = memcmp(exec_ptr(d, args[1], sizeof want), want, sizeof want) == 0;
    sass_decode(90, lo, hi, &i, why, sizeof why);
    sass_print(text, text_b, &i, 0, NULL, NULL);
    exec_dev_free(d);
    code_free(code);
    vec_free(&p.w);
    return same;
}

static void nans_and_fchk_are_those_of_an_h200(void **state)
{
    FILE *f = fopen(TEST_DATA_DIR "/sass/nans.txt", "r");
    char line[256], text[SASS_TEXT_B];
    uint32_t n = 0, bad = 0;
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        n++;
        if (is_as_there(line, text, sizeof text))
            continue;
        print_message("%s: not what an H200 computes: %s", text, line);
        bad++;
    }
    fclose(f);
    assert_true(n > 500);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_those_of_an_h200),
                                       cmocka_unit_test(nans_and_fchk_are_those_of_an_h200)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
