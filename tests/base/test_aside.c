/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are written aside: names that are taken at the end, or not at all; and places, which two paths may have in
 * common. */
#include "base/aside.h"
#include "base/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int enter(void **state)
{
    static char dir[64];
    snprintf(dir, sizeof dir, "/tmp/bankshot_aside_XXXXXX");
    *state = dir;
    return mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = 0;
    fclose(f);
    assert_string_equal(got, text);
}

static int entries(void)
{
    int n = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static struct aside *write_aside(const char *path, const char *text)
{
    int why = 0;
    struct aside *a = aside_open(path, &why);
    assert_non_null(a);
    assert_int_equal(write(aside_fd(a), text, strlen(text)), (ssize_t)strlen(text));
    return a;
}

static void kept(void **state)
{
    (void)state;
    put("x", "old");
    struct aside *a = write_aside("x", "new");
    assert_true(aside_is_file(a));
    assert_int_equal(entries(), 1); /* what is written has no name yet */
    expect("x", "old");
    assert_int_equal(aside_keep(a), 0);
    expect("x", "new");
    assert_int_equal(entries(), 1);
}

static void dropped(void **state)
{
    (void)state;
    put("x", "old");
    aside_drop(write_aside("x", "new"));
    expect("x", "old");
    aside_drop(write_aside("y", "new"));
    assert_int_equal(entries(), 1);
}

static void rights_and_links(void **state)
{
    struct stat st;
    (void)state;
    put("x", "old");
    assert_int_equal(chmod("x", 0640), 0);
    assert_int_equal(symlink("x", "s"), 0);
    assert_int_equal(link("x", "h"), 0);
    assert_int_equal(aside_keep(write_aside("s", "new")), 0);
    assert_int_equal(lstat("s", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    expect("x", "new");
    expect("h", "old"); /* another name of the old file */
    assert_int_equal(stat("x", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    mode_t mask = umask(027);
    assert_int_equal(aside_keep(write_aside("fresh", "")), 0);
    umask(mask);
    assert_int_equal(stat("fresh", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void in_place(void **state)
{
    int why = 0;
    (void)state;
    struct aside *a = write_aside("/dev/null", "gone");
    assert_false(aside_is_file(a));
    assert_int_equal(aside_keep(a), 0);
    assert_null(aside_open(".", &why));
    assert_int_equal(why, EISDIR);
    assert_null(aside_open("none/x", &why));
    assert_int_equal(why, ENOENT);
    assert_null(aside_open("", &why));
}

static void drafts(void **state)
{
    int why = 0;
    (void)state;
    char name[256]; /* the longest that file systems have */
    memset(name, 'n', 250);
    strcpy(name + 250, ".pdf");
    char *d = aside_draft(name, &why);
    assert_non_null(d);
    assert_string_equal(d + strlen(d) - 4, ".pdf");
    put(d, "figure");
    assert_int_equal(aside_take(d, name), 0);
    expect(name, "figure");
    free(d);
    d = aside_draft("/dev/null", &why);
    assert_string_equal(d, "/dev/null");
    assert_int_equal(aside_take(d, "/dev/null"), 0);
    free(d);
    assert_int_equal(entries(), 1);
}

static bool same(const char *a, const char *b)
{
    struct place x, y;
    assert_int_equal(place_find(a, &x), 0);
    assert_int_equal(place_find(b, &y), 0);
    bool yes = place_same(&x, &y);
    place_free(&x);
    place_free(&y);
    return yes;
}

static void places(void **state)
{
    (void)state;
    put("x", "");
    put("y", "");
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(symlink("../x", "d/s"), 0);
    assert_int_equal(symlink("d", "e"), 0);
    assert_int_equal(symlink("later", "d/dangling"), 0);
    assert_int_equal(symlink("d/dangling", "twice"), 0);
    assert_int_equal(link("x", "h"), 0);
    assert_true(same("x", "d/s"));
    assert_true(same("x", "h"));
    assert_true(same("x", "e/../x"));
    assert_false(same("x", "y"));
    /* Not there yet. */
    assert_true(same("d/later", "e/later"));
    assert_true(same("d/later", "d/dangling"));
    assert_true(same("twice", "e/later"));
    assert_true(same("new", "./d/../new"));
    assert_false(same("new", "d/new"));
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    struct place p;
    assert_int_equal(place_find("a", &p), ELOOP);
    place_free(&p);
    assert_int_equal(place_find("nowhere/x", &p), ENOENT);
    place_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept, enter, leave),
        cmocka_unit_test_setup_teardown(dropped, enter, leave),
        cmocka_unit_test_setup_teardown(rights_and_links, enter, leave),
        cmocka_unit_test_setup_teardown(in_place, enter, leave),
        cmocka_unit_test_setup_teardown(drafts, enter, leave),
        cmocka_unit_test_setup_teardown(places, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
