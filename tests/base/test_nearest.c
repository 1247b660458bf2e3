/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses for misspelt names. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"inspect", "exec", "help", "add", "max-warp-insts"};

static const char *guess(const char *s) { return nearest_name(s, strlen(s), names, 5); }

static void test_near(void **state)
{
    (void)state;
    assert_string_equal(guess("inpsect"), "inspect");
    assert_string_equal(guess("exce"), "exec");
    assert_string_equal(guess("ad"), "add");
    assert_string_equal(guess("adds"), "add");
    assert_string_equal(guess("dad"), "add"); /* a swap is one edit */
    assert_string_equal(guess("max-warps-inst"), "max-warp-insts");
}

static void test_far(void **state)
{
    (void)state;
    assert_null(guess(""));
    assert_null(guess("x"));
    assert_null(guess("zz"));
    assert_null(guess("frobnicate"));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[199] = 0;
    assert_null(guess(longest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
