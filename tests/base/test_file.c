/* SPDX-License-Identifier: Apache-2.0 */
/* file_read: contents whole, every failure a message. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static void make_file(char *path, const void *data, size_t n)
{
    strcpy(path, "bankshot-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, n), n);
    close(fd);
}

static void test_whole(void **state)
{
    (void)state;
    size_t n = 300 * 1000; /* more than one growth step */
    char *data = xmalloc(n), path[64];
    for (size_t i = 0; i < n; i++)
        data[i] = (char)(i * 7);
    make_file(path, data, n);
    struct diag d = {0};
    struct file_text t;
    assert_true(file_read(path, n, &t, &d));
    assert_int_equal(t.n, n);
    assert_memory_equal(t.at, data, n);
    assert_int_equal(t.at[n], 0);
    assert_int_equal(d.errors, 0);
    file_free(&t);
    free(data);
    unlink(path);
}

static void test_empty(void **state)
{
    (void)state;
    char path[64];
    make_file(path, "", 0);
    struct diag d = {0};
    struct file_text t;
    assert_true(file_read(path, 0, &t, &d));
    assert_int_equal(t.n, 0);
    assert_int_equal(t.at[0], 0);
    file_free(&t);
    unlink(path);
}

static void expect_refused(const char *path, size_t limit_b, const char *text)
{
    struct diag d = {0};
    struct file_text t;
    assert_false(file_read(path, limit_b, &t, &d));
    assert_null(t.at);
    assert_int_equal(d.errors, 1);
    assert_non_null(strstr(d.msg[0].text, path));
    assert_non_null(strstr(d.msg[0].text, text));
    diag_free(&d);
}

static void test_refusals(void **state)
{
    (void)state;
    char path[64];
    make_file(path, "123456", 6);
    expect_refused(path, 5, "larger than the limit of 5 bytes");
    unlink(path);
    expect_refused(path, 100, "No such file");
    expect_refused("/", 100, "is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
