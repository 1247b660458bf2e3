/* SPDX-License-Identifier: Apache-2.0 */
/* The little of cmocka that the ISA tests use, for machines without it: run.sh puts this folder first. */
#ifndef TESTS_ISA_SILICON_CMOCKA_H
#define TESTS_ISA_SILICON_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*fn)(void **state);
};
#define cmocka_unit_test(f)                                                                                  \
    {                                                                                                        \
#f, f                                                                                                \
    }

extern jmp_buf *cmocka_frame; /* where a failed assertion of the running test goes */

static inline void cmocka_assert(int ok, const char *what, const char *file, int line)
{
    if (ok)
        return;
    printf("%s:%d: %s\n", file, line, what);
    if (!cmocka_frame)
        exit(1);
    longjmp(*cmocka_frame, 1);
}
#define assert_true(x) cmocka_assert((x) ? 1 : 0, #x, __FILE__, __LINE__)
#define assert_non_null(x) assert_true((x) != NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define fail_msg(...) (printf(__VA_ARGS__), cmocka_assert(0, "failed", __FILE__, __LINE__))

int cmocka_run(const struct CMUnitTest *tests, size_t n, int (*setup)(void **), int (*teardown)(void **));
#define cmocka_run_group_tests(t, s, d) cmocka_run((t), sizeof(t) / sizeof *(t), (s), (d))

#endif
