/* SPDX-License-Identifier: Apache-2.0 */
/* What was written comes back, whatever the order and the sizes. */
#include "gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/bankshot_trace_XXXXXX");
    int fd = mkstemp(path);
    close(fd);
    return fd < 0;
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

static struct tr_reader *must_open(void)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    if (!r)
        diag_print(&d, stderr);
    assert_non_null(r);
    diag_free(&d);
    return r;
}

static void round_trip(const struct gen_program *p)
{
    struct diag d = {0};
    assert_true(gen_program_write(p, path, &d));
    struct tr_reader *r = must_open();
    uint64_t ctas, refused, want = 0;
    const char *why = gen_program_compare(p, r, &ctas, &refused);
    if (why)
        fail_msg("%s", why);
    for (uint32_t i = 0; i < p->nlaunches; i++) {
        const struct tr_launch_info *l = tr_launch(r, i);
        assert_int_equal(l->complete, !p->launches[i].fail);
        want += p->launches[i].fail ? p->launches[i].fail : p->launches[i].ctas;
    }
    assert_int_equal(ctas, want);
    assert_int_equal(refused, 0);
    uint32_t failed = 0;
    for (uint32_t i = 0; i < p->nlaunches; i++)
        failed += p->launches[i].fail != 0;
    assert_true(tr_closed(r));
    assert_int_equal(tr_nwhole(r), p->nlaunches - failed);
    assert_int_equal(tr_partial(r), failed != 0);
    assert_int_equal(tr_nkernels(r), p->nkernels);
    assert_int_equal(tr_nlaunches(r), p->nlaunches);
    assert_int_equal(tr_ncopies(r), p->nlaunches);
    assert_string_equal(tr_info(r)->program, "./program 1 2");
    assert_string_equal(tr_info(r)->maker, "gen");
    tr_free(r);
}

static void small_launches(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {
        {0, 1, 1, 10, false, 0},    {1, 3, 33, 100, false, 0}, {2, 7, 256, 40, true, 0},
        {0, 5, 64, 0, false, 0},    {1, 20, 96, 60, true, 4},  {2, 9, 32, 50, false, 3},
        {0, 2, 1024, 30, false, 0},
    };
    for (uint64_t seed = 1; seed <= 20; seed++)
        round_trip(&(struct gen_program){seed, 3, 7, l, seed % 4 * 1000});
}

static void thousands_of_ctas(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {{0, 6000, 64, 6, false, 0}, {0, 3000, 64, 20, true, 0}};
    round_trip(&(struct gen_program){5, 1, 2, l, 0});
}

static void long_ctas(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {{0, 2, 96, 60000, false, 0}, {1, 5, 64, 30000, true, 0}};
    round_trip(&(struct gen_program){6, 2, 2, l, 0});
}

/* So many warps at once that together they hold more than the writer allows itself. */
static void held_back(void **state)
{
    (void)state;
    static const struct gen_launch some[] = {{0, 60, 64, 400, true, 0}, {0, 3, 64, 5000, false, 0}};
    for (uint32_t small_b = 200; small_b <= 6400; small_b *= 2)
        round_trip(&(struct gen_program){7, 1, 2, some, small_b});
    static const struct gen_launch l[] = {{0, 9000, 256, 8, true, 0}};
    round_trip(&(struct gen_program){7, 1, 1, l, 0});
}

/* The first failure stops the writing and is told at the end; the program that is traced goes on. */
static void full_disk(void **state)
{
    (void)state;
    struct diag d = {0};
    struct tr_writer *w = tr_create("/dev/full", &(struct tr_info){.program = "", .maker = ""}, &d);
    if (!w)
        skip();
    struct tr_kernel *k = gen_kernel(1, 10);
    struct gen_stream g;
    struct gen_step s;
    assert_non_null(strstr(tr_failed(w), "No space left"));
    tr_begin_launch(
        w, &(struct tr_launch){.kernel = tr_add_kernel(w, k), .grid = {1, 1, 1}, .block = {32, 1, 1}});
    tr_begin_cta(w, 0);
    gen_start(&g, k, 1, 300000);
    while (gen_next(&g, &s))
        gen_write(w, 0, 0, &s);
    tr_end_cta(w, 0);
    tr_end_launch(w, true);
    assert_false(tr_close(w, &d));
    assert_non_null(strstr(d.msg[0].text, "/dev/full: No space left"));
    diag_free(&d);
    tr_kernel_free(k);
}

/* Folders are kept and do not count; names, and launches that are missing, do. */
struct place {
    const char *program, *command, *file;
    bool missing;
};

static uint64_t identity_at(const struct place *p)
{
    struct diag d = {0};
    struct tr_writer *w = tr_create(path, &(struct tr_info){p->program, "test", p->command}, &d);
    assert_non_null(w);
    struct tr_kernel *k = gen_kernel(1, 10);
    k->file = p->file;
    tr_add_kernel(w, k);
    if (p->missing)
        tr_miss_launch(w);
    assert_true(tr_close(w, &d));
    tr_kernel_free(k);
    struct tr_reader *r = must_open();
    uint64_t id = tr_identity(r);
    assert_string_equal(tr_info(r)->command, p->command ? p->command : p->program);
    assert_string_equal(tr_kernel(r, 0)->file, p->file);
    assert_int_equal(tr_missing(r), p->missing);
    assert_int_equal(tr_partial(r), p->missing);
    tr_free(r);
    return id;
}

static void folders_do_not_count(void **state)
{
    (void)state;
    uint64_t id = identity_at(&(struct place){"app 1", "./app 1", "app.cu", false});
    assert_true(id == identity_at(&(struct place){"app 1", "/far/away/app 1", "/far/app.cu", false}));
    assert_true(id == identity_at(&(struct place){"app 1", NULL, "/app.cu", false}));
    assert_true(id != identity_at(&(struct place){"app 2", "./app 1", "app.cu", false}));
    assert_true(id != identity_at(&(struct place){"app 1", "./app 1", "bpp.cu", false}));
    assert_true(id != identity_at(&(struct place){"app 1", "./app 1", "app.cu", true}));
}

/* The trace without its index is not the same trace. */
static void an_end_counts(void **state)
{
    (void)state;
    uint64_t id = identity_at(&(struct place){"app", "app", "", false});
    struct tr_reader *r = must_open();
    uint64_t size = tr_file_bytes(r);
    tr_free(r);
    assert_int_equal(truncate(path, (off_t)size - 1), 0);
    r = must_open();
    assert_true(tr_partial(r) && !tr_closed(r) && tr_identity(r) != id);
    tr_free(r);
}

/* A launch of so many CTAs, none of which is recorded. */
static struct tr_reader *launch_of(const uint32_t grid[3], const uint32_t cluster[3], struct diag *d)
{
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "", .maker = ""}, d);
    struct tr_kernel *k = gen_kernel(1, 10);
    struct tr_launch l = {.kernel = tr_add_kernel(w, k), .block = {32, 1, 1}};
    memcpy(l.grid, grid, sizeof l.grid);
    memcpy(l.cluster, cluster, sizeof l.cluster);
    tr_begin_launch(w, &l);
    tr_end_launch(w, false);
    assert_true(tr_close(w, d));
    tr_kernel_free(k);
    return tr_open(path, d);
}

/* Clusters are kept and count; a launch without them is what it was before there were any. */
static void clusters(void **state)
{
    static const uint32_t grid[3] = {8, 6, 2}, none[3] = {0}, one[3] = {1, 1, 1}, some[3] = {4, 3, 1};
    static const uint32_t wrong[][3] = {{3, 1, 1}, {2, 4, 1}, {8, 3, 1}};
    uint64_t id[3], size[3];
    struct diag d = {0};
    (void)state;
    const uint32_t *const rows[] = {none, one, some};
    for (unsigned i = 0; i < 3; i++) {
        struct tr_reader *r = launch_of(grid, rows[i], &d);
        assert_non_null(r);
        id[i] = tr_identity(r);
        size[i] = tr_file_bytes(r);
        const struct tr_launch *l = &tr_launch(r, 0)->l;
        assert_memory_equal(l->cluster, i == 2 ? some : one, sizeof some);
        assert_int_equal(tr_cluster(l), i == 2 ? 12 : 1);
        tr_free(r);
    }
    assert_true(id[0] == id[1] && size[0] == size[1] && id[1] != id[2]);
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(launch_of(grid, wrong[i], &d));
        assert_non_null(strstr(d.msg[d.n - 1].text, "a launch whose"));
    }
    diag_free(&d);
}

static uint64_t hash_file(void)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    uint64_t id = tr_identity(r) ^ tr_file_bytes(r);
    tr_free(r);
    return id;
}

static void same_input_same_bytes(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {{0, 50, 64, 60, false, 0}, {0, 20, 64, 20, true, 0}};
    struct diag d = {0};
    uint64_t id[3];
    for (unsigned i = 0; i < 3; i++) {
        assert_true(gen_program_write(&(struct gen_program){8 + (i == 2), 1, 2, l, 0}, path, &d));
        id[i] = hash_file();
    }
    assert_true(id[0] == id[1] && id[0] != id[2]);
}

static void empty_trace(void **state)
{
    (void)state;
    round_trip(&(struct gen_program){.seed = 9});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_launches), cmocka_unit_test(thousands_of_ctas),
        cmocka_unit_test(long_ctas),      cmocka_unit_test(same_input_same_bytes),
        cmocka_unit_test(empty_trace),    cmocka_unit_test(held_back),
        cmocka_unit_test(full_disk),      cmocka_unit_test(folders_do_not_count),
        cmocka_unit_test(an_end_counts),  cmocka_unit_test(clusters),
    };
    return cmocka_run_group_tests(tests, make_path, drop_path);
}
