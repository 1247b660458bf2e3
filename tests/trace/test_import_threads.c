/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are imported by several threads: the same trace, the same message, and one kernel's files joined as if they were
 * one. */
#include "gen.h"
#include "trace/accelsim/accelsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { LAUNCHES = 24 };

static char dir[64];
static const char *at(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}
static const char *kernel_file(uint32_t i)
{
    static char name[64];
    snprintf(name, sizeof name, "x/kernel-%u.traceg", i);
    return at(name);
}

static bool import(uint32_t threads, struct diag *d)
{
    struct accelsim_report r = {0};
    struct accelsim_import o = {.dir = at("x"), .out = at("out.bst"), .maker = "test", .threads = threads};
    bool ok = accelsim_import(&o, &r, d);
    accelsim_report_free(&r);
    return ok;
}

static char *slurp(size_t *n)
{
    FILE *f = fopen(at("out.bst"), "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *s = malloc(*n + 1);
    assert_int_equal(fread(s, 1, *n, f), *n);
    fclose(f);
    return s;
}

static void same_bytes(void **state)
{
    (void)state;
    struct gen_launch l[LAUNCHES];
    struct diag d = {0};
    for (uint32_t i = 0; i < LAUNCHES; i++)
        l[i] = (struct gen_launch){i % 3, 1 + i % 5, 32 + 32 * (i % 7), i % 4 ? 40 : 4000, i % 2, 0};
    assert_true(gen_program_write(&(struct gen_program){7, 3, LAUNCHES, l, 0}, at("a.bst"), &d));
    for (int plain = 0; plain < 2; plain++) {
        struct tr_reader *r = tr_open(at("a.bst"), &d);
        assert_non_null(r);
        assert_true(accelsim_export(&(struct accelsim_export){r, at("x"), plain}, &d));
        tr_free(r);
        char *first = NULL;
        size_t first_n = 0;
        static const uint32_t threads[] = {1, 2, 8, 16, 0};
        for (uint32_t i = 0; i < 5; i++) {
            size_t n;
            assert_true(import(threads[i], &d));
            char *s = slurp(&n);
            if (first) {
                assert_int_equal(n, first_n);
                assert_memory_equal(s, first, n);
                free(s);
            } else {
                first = s;
                first_n = n;
            }
        }
        free(first);
    }
}

/* ---- files by hand ---- */

static void write_list(uint32_t n)
{
    FILE *f = fopen(at("x/kernelslist.g"), "w");
    for (uint32_t i = 1; i <= n; i++)
        fprintf(f, "kernel-%u.traceg\n", i);
    fclose(f);
}

static void write_blocks(uint32_t file, const char *const *blocks, uint32_t n)
{
    FILE *f = fopen(kernel_file(file), "w");
    fprintf(f,
            "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n-binary version = 80\n"
            "-accelsim tracer version = 3\n#\n",
            n);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t lines = 0;
        for (const char *s = blocks[b]; *s; s++)
            lines += *s == '\n';
        fprintf(f, "#BEGIN_TB\nthread block = %u,0,0\nwarp = 0\ninsts = %u\n%s#END_TB\n", b, lines,
                blocks[b]);
    }
    fclose(f);
}

/* Two branches: the lanes of the first are seen again late, at a place that is not its target, unless that is known. */
static const char *const late = "0000 ffffffff 1 R0 MOV 0 0 0\n0010 0000ffff 0 BRA 0 0 0\n"
                                "0020 ffff0000 1 R1 FADD 1 R1 0 0\n0060 ffffffff 0 EXIT 0 0 0\n";
static const char *const direct = "0000 ffffffff 1 R0 MOV 0 0 0\n0010 ffffffff 0 BRA 0 0 0\n"
                                  "0040 ffffffff 1 R2 FMUL 1 R2 0 0\n0060 ffffffff 0 EXIT 0 0 0\n";
static const char *const other =
    "0000 ffffffff 1 R0 MOV 0 0 0\n0010 00000000 0 BRA 0 0 0\n"
    "0020 0000ffff 1 R1 FADD 1 R1 0 0\n0050 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 4 0\n"
    "0060 ffffffff 0 EXIT 0 0 0\n";

static void joined(void **state)
{
    (void)state;
    const char *const orders[][3] = {
        {late, direct, other}, {direct, late, other}, {other, late, direct}, {late, other, late}};
    struct diag d = {0};
    for (uint32_t i = 0; i < 4; i++) {
        write_list(1);
        write_blocks(1, orders[i], 3);
        assert_true(import(1, &d));
        assert_int_equal(rename(at("out.bst"), at("a.bst")), 0);
        write_list(3);
        for (uint32_t f = 0; f < 3; f++)
            write_blocks(f + 1, &orders[i][f], 1);
        assert_true(import(2, &d));
        struct tr_reader *one = tr_open(at("a.bst"), &d), *three = tr_open(at("out.bst"), &d);
        assert_int_equal(tr_nkernels(three), 1);
        assert_int_equal(tr_nlaunches(three), 3);
        assert_null(gen_compare_kernel(tr_kernel(one, 0), tr_kernel(three, 0)));
        tr_free(one);
        tr_free(three);
    }
}

/* The first file that is wrong is the one that is named, whoever finds what first; no trace is left. */
static void first_error(void **state)
{
    (void)state;
    unlink(at("out.bst")); /* of the tests before */
    write_list(9);
    for (uint32_t f = 1; f <= 9; f++) {
        const char *wrong = "0000 ffffffff 1 R0 MOV 0 0 0\n0010 zz 0 BRA 0 0 0\n";
        const char *const blocks[] = {direct, f == 4 || f >= 6 ? wrong : late};
        write_blocks(f, blocks, 2);
    }
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        struct diag d = {0};
        assert_false(import(threads, &d));
        assert_int_equal(d.errors, 1);
        assert_non_null(strstr(d.msg[0].file, "kernel-4.traceg"));
        assert_int_equal(d.msg[0].line, 21);
        assert_int_not_equal(access(at("out.bst"), F_OK), 0);
        diag_free(&d);
    }
}

static int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/bankshot-import-XXXXXX");
    return mkdtemp(dir) && mkdir(at("x"), 0777) == 0 ? 0 : 1;
}

static int remove_dir(void **state)
{
    (void)state;
    unlink(at("a.bst"));
    unlink(at("out.bst"));
    unlink(at("x/kernelslist.g"));
    for (uint32_t i = 1; i <= LAUNCHES; i++)
        unlink(kernel_file(i));
    rmdir(at("x"));
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(joined),
        cmocka_unit_test(first_error),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
