/* SPDX-License-Identifier: Apache-2.0 */
/* .loc and .file: which line of which source an instruction comes from. */
#include "rig.h"

#include <stdio.h>

#define FILES ".file 1 \"./dir/k.cu\"\n.file 2 \"lib.h\"\n"
#define KERNEL HEAD FILES ".entry k(.param .u64 a) {\n" REGS
#define ADD "add.s32 %r1, %r1, 1;\n"

static uint32_t line_of(struct ptx_module *m, uint32_t insn)
{
    return ptx_source_line(m, rig_func(m), rig_insn(m, insn)->loc);
}

static void expect_lines(const char *text, const char *file, const uint32_t *want, uint32_t n)
{
    struct ptx_module *m = rig_parse(text);
    assert_string_equal(ptx_source_file(m, rig_func(m)), file);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(line_of(m, i), want[i]);
    ptx_module_free(m);
}
#define EXPECT(text, file, ...)                                                                              \
    expect_lines(text, file, (const uint32_t[]){__VA_ARGS__},                                                \
                 sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void expect_none(const char *text)
{
    struct ptx_module *m = rig_parse(text);
    assert_null(ptx_source_file(m, rig_func(m)));
    ptx_module_free(m);
}

static void lines(void **state)
{
    (void)state;
    EXPECT(KERNEL ".loc 1 7 0\n" ADD ADD ".loc 1 9 3\n" ADD "ret;\n}\n", "dir/k.cu", 7, 7, 9, 9);
    /* clang's .file lines come last; an instruction before the first .loc has no line */
    EXPECT(HEAD ".entry k() {\n" REGS ADD ".loc 1 5 1\n" ADD "}\n.file 1 \"k.cu\"\n", "k.cu", 0, 5);
    /* line 0 is the compiler's own code */
    EXPECT(KERNEL ".loc 1 7 0\n" ADD ".loc 1 0 0\n" ADD "}\n", "dir/k.cu", 7, 0);
}

static void other_files(void **state)
{
    (void)state;
    /* without a word where it went */
    EXPECT(KERNEL ".loc 1 7 0\n" ADD ".loc 2 100 1\n" ADD ".loc 1 8 0\n" ADD "}\n", "dir/k.cu", 7, 0, 8);
    /* a kernel of a header */
    EXPECT(KERNEL ".loc 2 50 0\n" ADD ".loc 1 7 1\n" ADD ".loc 2 51 1\n" ADD "}\n", "lib.h", 50, 0, 51);
}

static void inlined(void **state)
{
    (void)state;
    EXPECT(KERNEL ".loc 1 7 0\n.loc 2 100 1, function_name s0, inlined_at 1 12 9\n" ADD "}\n", "dir/k.cu",
           12);
    /* twice over, with an offset in the name; the same line of the library from two callers */
    EXPECT(KERNEL ".loc 1 7 0\n.loc 2 40 5, function_name s0, inlined_at 1 12 9\n"
                  ".loc 2 100 1, function_name s1+8, inlined_at 2 40 5\n" ADD
                  ".loc 2 40 5, function_name s0, inlined_at 1 20 9\n"
                  ".loc 2 100 1, function_name s1+8, inlined_at 2 40 5\n" ADD "}\n",
           "dir/k.cu", 12, 20);
    /* a function of the same file: its own line, not its caller's */
    EXPECT(KERNEL ".loc 1 7 0\n.loc 1 3 1, function_name s0, inlined_at 1 12 9\n" ADD "}\n", "dir/k.cu", 3);
    /* another column is another place */
    EXPECT(KERNEL ".loc 1 7 0\n.loc 2 40 5, inlined_at 1 12 9\n.loc 2 100 1, inlined_at 2 40 6\n" ADD "}\n",
           "dir/k.cu", 0);
    /* the first .loc that is not inlined tells the file */
    EXPECT(KERNEL ".loc 2 3 1, inlined_at 1 12 9\n" ADD ".loc 1 7 0\n" ADD "}\n", "dir/k.cu", 12, 7);
}

static void functions(void **state)
{
    (void)state;
    struct ptx_module *m =
        rig_parse(HEAD FILES ".func f() {\n" REGS ".loc 2 90 0\n" ADD "ret;\n}\n"
                             ".entry k() {\n" REGS ADD ".loc 1 7 0\n" ADD "ret;\n}\n.entry p() {\nret;\n}\n");
    struct ptx_func *f = ptx_find_func(m, "f"), *k = ptx_find_func(m, "k"), *p = ptx_find_func(m, "p");
    assert_string_equal(ptx_source_file(m, k), "dir/k.cu");
    assert_string_equal(ptx_source_file(m, f), "lib.h");
    assert_null(ptx_source_file(m, p));
    assert_int_equal(k->insns.at[0].loc, 0); /* what another function said last is not in force here */
    assert_int_equal(ptx_source_line(m, k, f->insns.at[0].loc), 0);
    assert_int_equal(ptx_source_line(m, f, f->insns.at[0].loc), 90);
    ptx_module_free(m);
}

static void no_source(void **state)
{
    (void)state;
    expect_none(HEAD ".entry k() {\n" REGS ADD "}\n");
    expect_none(HEAD ".entry k() {\n" REGS ".loc 1 7 0\n" ADD "}\n"); /* no .file */
    expect_none(KERNEL ".loc 3 7 0\n" ADD "}\n");                     /* another one */
    expect_none(HEAD ".file 1 \"\"\n.entry k() {\n" REGS ".loc 1 7 0\n" ADD "}\n");
    expect_none(HEAD ".file 1 \"a\033[2Jb.cu\"\n.entry k() {\n" REGS ".loc 1 7 0\n" ADD "}\n");
    expect_none(HEAD FILES ".loc 1 7 0\n.entry k() {\n" REGS ADD "}\n"); /* of no function */
}

/* Numbers that no compiler writes say nothing; what was in force stays. */
static void odd_numbers(void **state)
{
    (void)state;
    EXPECT(KERNEL ".loc 1 7 0\n.loc 99999999999 3 0\n" ADD ".loc 1 99999999999 0\n" ADD
                  ".loc 1 8 18446744073709551615\n" ADD ".loc 2 8 0, inlined_at 1 5000000000 0\n" ADD "}\n",
           "dir/k.cu", 7, 7, 7, 7);
    EXPECT(KERNEL ".loc 1 7 0\n.loc 65535 3 0\n" ADD ".loc 1 2147483647 0\n" ADD "}\n", "dir/k.cu", 0,
           2147483647);
}

/* A chain that grows with every .loc is followed for a bounded way, and a place that is inlined into itself ends. */
static void long_chains(void **state)
{
    (void)state;
    enum { LINKS = 30000 };
    char *text = xmalloc(LINKS * 80 + 4096);
    size_t n = (size_t)sprintf(text, "%s.loc 1 7 0\n.loc 2 1 1, inlined_at 1 12 9\n%s", KERNEL, ADD);
    for (int i = 2; i <= LINKS; i++)
        n += (size_t)sprintf(text + n, ".loc 2 %d 1, inlined_at 2 %d 1\n%s", i, i - 1, ADD);
    sprintf(text + n, "}\n");
    struct ptx_module *m = rig_parse(text);
    assert_int_equal(line_of(m, 0), 12);
    assert_int_equal(line_of(m, 40), 12);
    assert_int_equal(line_of(m, LINKS - 1), 0);
    vec_each (&m->locs, l)
        assert_true(l->depth <= 64 && l->outer <= l - m->locs.at);
    ptx_module_free(m);
    free(text);
    EXPECT(KERNEL ".loc 1 7 0\n.loc 2 1 1, inlined_at 2 1 1\n" ADD ".loc 2 1 1, inlined_at 2 1 1\n" ADD "}\n",
           "dir/k.cu", 0, 0);
}

static void labels_of_debug_information(void **state)
{
    (void)state;
    struct ptx_module *m = rig_body(
        "$L__tmp0: mov.b32 %r1, 1;\nTOP: bra TOP;\nts: .branchtargets A;\nbrx.idx %r1, ts;\nA: ret;");
    static const bool want[] = {false, true, true};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rig_func(m)->labels.at[i].used, want[i]);
    ptx_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),       cmocka_unit_test(other_files),
        cmocka_unit_test(inlined),     cmocka_unit_test(functions),
        cmocka_unit_test(no_source),   cmocka_unit_test(odd_numbers),
        cmocka_unit_test(long_chains), cmocka_unit_test(labels_of_debug_information),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
