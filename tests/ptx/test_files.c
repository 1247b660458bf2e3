/* SPDX-License-Identifier: Apache-2.0 */
/* Real compiler output: the bundled kernels, the samples of tests/ptx/data, and one large module. */
#include "rig.h"

#include "base/file.h"

#include <dirent.h>

static uint32_t parse_file(const char *path)
{
    struct diag d = {0};
    struct file_text text;
    assert_true(file_read(path, 64 << 20, &text, &d));
    struct ptx_module *m = ptx_parse(path, text.at, text.n, &d);
    if (!m) {
        diag_print(&d, stderr);
        fail_msg("%s does not parse", path);
    }
    uint32_t n = 0;
    vec_each (&m->funcs, f)
        n += (*f)->insns.n;
    ptx_module_free(m);
    diag_free(&d);
    file_free(&text);
    return n;
}

static uint32_t parse_folder(const char *folder, uint32_t *files)
{
    uint32_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len < 4 || strcmp(e->d_name + len - 4, ".ptx") != 0)
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        n += parse_file(path);
        ++*files;
    }
    closedir(dir);
    return n;
}

static void kernels(void **state)
{
    (void)state;
    uint32_t files = 0, n = parse_folder(KERNELS_DIR, &files);
    assert_true(files > 10 && n > 1000);
    parse_folder(KERNELS_DIR "/clang", &files);
}

static void samples(void **state)
{
    (void)state;
    uint32_t files = 0;
    assert_true(parse_folder(TEST_DATA_DIR "/ptx/data", &files) > 500);
    assert_true(files >= 4);
}

/* 100,000 instructions in one function, 2,000 functions, a long table: time must not depend on the square
 * of anything. */
static void large(void **state)
{
    (void)state;
    enum { LINES = 100000, FUNCS = 2000, BYTES = 200000 };
    size_t cap = (size_t)LINES * 64 + FUNCS * 64 + BYTES * 4 + 4096, n = 0;
    char *text = xmalloc(cap);
    n += (size_t)snprintf(text + n, cap - n, "%s.global .b8 t[%d] = {1", HEAD, BYTES);
    for (int i = 1; i < BYTES; i++)
        n += (size_t)snprintf(text + n, cap - n, ",%d", i & 127);
    n += (size_t)snprintf(text + n, cap - n, "};\n");
    for (int i = 0; i < FUNCS; i++)
        n += (size_t)snprintf(text + n, cap - n, ".func f%d() { bra L; L: ret; }\n", i);
    n += (size_t)snprintf(text + n, cap - n, ".entry k() {\n.reg .b32 %%r<%d>;\n", LINES + 1);
    for (int i = 0; i < LINES; i += 2)
        n += (size_t)snprintf(text + n, cap - n, "L%d: add.s32 %%r%d, %%r%d, 1;\nbra L%d;\n", i, i + 1, i,
                              (i * 7 % LINES) & ~1);
    n += (size_t)snprintf(text + n, cap - n, "}\n");
    assert_true(n < cap);
    struct ptx_module *m = rig_parse(text);
    assert_int_equal(ptx_find_func(m, "k")->insns.n, LINES);
    assert_int_equal(rig_var(m, "t")->init.n, (BYTES + 7) / 8);
    ptx_module_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels),
        cmocka_unit_test(samples),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
