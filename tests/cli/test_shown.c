/* SPDX-License-Identifier: Apache-2.0 */
/* Values as a terminal shows them. */
#include "cli/shown.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Four digits whatever the size, never an exponent. */
static void test_units(void **state)
{
    (void)state;
    char out[32];
    assert_string_equal(shown_unit(out, sizeof out, 0, "J"), "0.000 J");
    assert_string_equal(shown_unit(out, sizeof out, 3e-12, "J"), "3.000 pJ");
    assert_string_equal(shown_unit(out, sizeof out, 911.2104e-6, "J"), "911.2 uJ");
    assert_string_equal(shown_unit(out, sizeof out, 0.0123456, "J"), "12.35 mJ");
    assert_string_equal(shown_unit(out, sizeof out, 0.99999, "J"), "1.000 J");
    assert_string_equal(shown_unit(out, sizeof out, 99.999, "W"), "100.0 W");
    assert_string_equal(shown_unit(out, sizeof out, 1.2e6, "J"), "1.200 MJ");
    assert_string_equal(shown_unit(out, sizeof out, 5e10, "J"), "50.00 GJ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
