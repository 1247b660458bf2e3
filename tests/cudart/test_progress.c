/* SPDX-License-Identifier: Apache-2.0 */
/* The line that shows progress: only on a terminal, only after a while, gone before the program goes on. */
#define _GNU_SOURCE /* posix_openpt */
#include "cudart/progress.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A terminal: its other end, and its path. */
static int open_terminal(char *path, size_t n)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || grantpt(fd) || unlockpt(fd) || ptsname_r(fd, path, n))
        return -1;
    return fd;
}

/* What was written since the last time. */
static const char *seen(int fd)
{
    static char text[4096];
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    return text;
}

static void not_a_terminal(void **state)
{
    (void)state;
    struct rt_progress p;
    progress_init(&p, "0");
    assert_int_equal(p.fd, -1);
    progress_init(&p, "/dev/null");
    assert_int_equal(p.fd, -1);
    progress_init(&p, "/nowhere/at/all");
    assert_int_equal(p.fd, -1);
    assert_null(progress_begin(&p, "work"));
    progress_end(&p, &(struct exec_counts){0});
}

static void on_a_terminal(void **state)
{
    (void)state;
    char path[100];
    int fd = open_terminal(path, sizeof path);
    if (fd < 0)
        skip();
    struct rt_progress p;
    struct exec_counts so_far = {.warp_insts = 2500000, .ctas = 3};
    progress_init(&p, path);
    assert_true(p.fd >= 0);
    exec_tick *tick = progress_begin(&p, "_Z4workPii");
    assert_non_null(tick);
    tick(&p, &so_far, 8);
    assert_string_equal(seen(fd), ""); /* it has only just begun */
    p.next_s = 0;
    tick(&p, &so_far, 8);
    const char *line = seen(fd);
    assert_non_null(strstr(line, "2.5 M warp instructions, launch 0, 3 of 8 CTAs, work\033[K\r"));
    tick(&p, &so_far, 8);
    assert_string_equal(seen(fd), ""); /* not all the time */

    /* After a short launch it stays for the next one; after a long one it goes. */
    progress_end(&p, &so_far);
    assert_true(p.keep && p.shown);
    assert_string_equal(seen(fd), "");
    tick = progress_begin(&p, "more");
    p.next_s = 0;
    tick(&p, &so_far, 9);
    assert_non_null(strstr(seen(fd), "5.0 M warp instructions, launch 1, 3 of 9 CTAs, more"));
    p.began_s -= 60;
    progress_end(&p, &so_far);
    assert_false(p.keep || p.shown);
    assert_string_equal(seen(fd), "\r\033[K");
    progress_hide(&p);
    assert_string_equal(seen(fd), "");
    close(p.fd);
    close(fd);
}

/* A kernel's name is the program's choice: it must neither break the line nor command the terminal. */
static void odd_names(void **state)
{
    (void)state;
    char path[100];
    int fd = open_terminal(path, sizeof path);
    if (fd < 0)
        skip();
    struct rt_progress p;
    progress_init(&p, path);
    exec_tick *tick = progress_begin(&p, "a\033[2Jb_very_long_name_that_goes_on_and_on_and_on_and_on");
    p.next_s = 0;
    tick(&p, &(struct exec_counts){.warp_insts = 123456789012, .ctas = 2147483646}, 2147483647);
    const char *line = seen(fd);
    assert_null(strstr(line, "\033[2J"));
    assert_true(strlen(line) > 70 && strlen(line) <= 79 + strlen("\r\033[K\r"));
    close(p.fd);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_terminal),
        cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(odd_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
