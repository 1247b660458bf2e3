/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: place, source line, caret; many errors stay bounded; hostile text stays printable. */
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *print(const struct diag *d, char *buf, size_t cap)
{
    FILE *f = fmemopen(buf, cap, "w");
    diag_print(d, f);
    fclose(f);
    return buf;
}

static void test_caret(void **state)
{
    (void)state;
    const char src[] = "first\n\tadd.f33 %f1;\nlast";
    struct diag d = {0};
    char buf[512] = {0};
    diag_error(&d, "a.ptx", src, sizeof src - 1, 2, 5, "unknown type '%s'", ".f33");
    assert_string_equal(print(&d, buf, sizeof buf), "a.ptx:2:5: error: unknown type '.f33'\n"
                                                    "    \tadd.f33 %f1;\n"
                                                    "    \t   ^\n");
    diag_free(&d);
}

static void test_no_place(void **state)
{
    (void)state;
    struct diag d = {0};
    char buf[512] = {0};
    diag_plain(&d, "no file");
    diag_error(&d, "a.ptx", NULL, 0, 0, 0, "empty");
    diag_error(&d, "a.ptx", "x", 1, 9, 1, "line past the end");
    assert_string_equal(print(&d, buf, sizeof buf), "bankshot: error: no file\na.ptx: error: empty\n"
                                                    "a.ptx:9:1: error: line past the end\n");
    diag_free(&d);
}

static void test_many(void **state)
{
    (void)state;
    struct diag d = {0};
    char buf[4096] = {0};
    for (int i = 0; i < DIAG_MAX + 5; i++)
        diag_plain(&d, "error %d", i);
    assert_int_equal(d.n, DIAG_MAX);
    assert_int_equal(d.errors, DIAG_MAX + 5);
    assert_non_null(strstr(print(&d, buf, sizeof buf), "5 further errors not shown"));
    diag_free(&d);
}

static void test_hostile(void **state)
{
    (void)state;
    char line[2000], buf[4096] = {0};
    memset(line, 'x', sizeof line);
    line[3] = '\x1b';
    line[4] = '\0';
    struct diag d = {0};
    diag_error(&d, "a.ptx", line, sizeof line, 1, 1500, "bad token '%c'", '\x07');
    print(&d, buf, sizeof buf);
    assert_non_null(strstr(buf, "bad token '?'"));
    assert_null(strchr(buf, '\x1b'));
    assert_true(strlen(buf) < 400); /* the line is cut */
    diag_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caret),
        cmocka_unit_test(test_no_place),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
