/* SPDX-License-Identifier: Apache-2.0 */
/* The key of a bundled program's binary: the same for the same things, another one for each thing that is another. */
#include "cli/lab/workload_key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void write_clang(const char *path, const char *version)
{
    char text[64];
    snprintf(text, sizeof text, "#!/bin/sh\necho %s\n", version);
    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* A folder that looks like an installation's home, and a compiler that only says which it is. */
static void make_home(char *home)
{
    assert_non_null(mkdtemp(home));
    assert_int_equal(chdir(home), 0);
    assert_int_equal(mkdir("include", 0755) | mkdir("workloads", 0755), 0);
    write_text("include/cuda_runtime.h", "");
    write_text("workloads/common.h", "");
    write_text("device.bc", "BC");
    write_text("p.cu", "int main() { return 0; }");
    write_clang("clang", "19.1.7");
    char clang[256];
    snprintf(clang, sizeof clang, "%s/clang", home);
    assert_int_equal(setenv("BANKSHOT_HOME", home, 1) | setenv("BANKSHOT_CLANG", clang, 1), 0);
}

static void remove_home(const char *home)
{
    static const char *const files[] = {"include/cuda_runtime.h", "workloads/common.h", "device.bc", "p.cu",
                                        "clang"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(unlink(files[i]), 0);
    assert_int_equal(rmdir("include") | rmdir("workloads") | chdir("/") | rmdir(home), 0);
}

static void test_program_key(void **state)
{
    (void)state;
    char home[] = "/tmp/test_workload_key_XXXXXX";
    struct arena a = {0};
    struct diag d = {0};
    make_home(home);
    const char *first = workload_program_key(&a, "p.cu", "sm_80", "rules", &d);
    assert_non_null(first);
    assert_int_equal(strlen(first), 16);
    assert_string_equal(first, workload_program_key(&a, "p.cu", "sm_80", "rules", &d));
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "sm_80", "other rules", &d));
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "sm_90", "rules", &d));
    /* What stands in one text does not slip into the next. */
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "80", "rulessm_", &d));
    write_clang("clang", "19.1.8");
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "sm_80", "rules", &d));
    write_clang("clang", "19.1.7");
    write_text("include/cuda_runtime.h", "typedef int more;");
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "sm_80", "rules", &d));
    write_text("include/cuda_runtime.h", "");
    write_text("device.bc", "BD");
    assert_string_not_equal(first, workload_program_key(&a, "p.cu", "sm_80", "rules", &d));
    write_text("device.bc", "BC");
    assert_string_equal(first, workload_program_key(&a, "p.cu", "sm_80", "rules", &d));
    remove_home(home);
    arena_free(&a);
}

static void test_trace_key(void **state)
{
    (void)state;
    char home[] = "/tmp/test_workload_key_XXXXXX";
    struct arena a = {0};
    struct diag d = {0};
    make_home(home);
    write_text("libbankshot-cuda.so", "runtime");
    write_text("sm_75.fatbin", "machine code");
    const char *own = workload_trace_key(&a, "program", "--size small", 0, "", NULL, &d);
    const char *theirs = workload_trace_key(&a, "program", "--size small", 0, "-sm75", "sm_75.fatbin", &d);
    assert_non_null(own);
    assert_non_null(theirs);
    assert_string_not_equal(own, theirs);
    assert_string_equal(theirs,
                        workload_trace_key(&a, "program", "--size small", 0, "-sm75", "sm_75.fatbin", &d));
    write_text("sm_75.fatbin", "machine code of another nvcc");
    assert_string_not_equal(
        theirs, workload_trace_key(&a, "program", "--size small", 0, "-sm75", "sm_75.fatbin", &d));
    assert_int_equal(unlink("sm_75.fatbin"), 0);
    assert_null(workload_trace_key(&a, "program", "--size small", 0, "-sm75", "sm_75.fatbin", &d));
    diag_free(&d);
    assert_int_equal(unlink("libbankshot-cuda.so"), 0);
    remove_home(home);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_program_key), cmocka_unit_test(test_trace_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
