/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder beside the launches: what is in the trace when launches fail, are refused, wait for each other, when code
 * goes away, the process forks, the disk is full. That the streams are right is tested with the kernels (replay.h). */
#include "gen.h"

#include "base/file.h"
#include "compile/compile.h"
#include "trace/write/record.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { N = 2048 };

struct bed {
    struct diag d;
    char path[64];
    struct ptx_module *ptx;
    struct exec_dev *dev;
    struct exec_module *mod;
    struct code *code;
    struct {
        float a;
        uint64_t x, y;
        int n;
    } params;
    struct exec_launch l;
    struct tr_recorder *rec;
};

static struct code *compile(struct bed *b, uint32_t max_regs)
{
    struct code *c = compile_kernel(b->ptx, ptx_find_func(b->ptx, "saxpy"),
                                    &(struct compile_opts){.max_regs = max_regs}, &b->d);
    assert_non_null(c);
    return c;
}

static int bed_open(void **state)
{
    struct bed *b = xcalloc(1, sizeof *b);
    struct file_text text;
    assert_true(file_read(KERNELS_DIR "/saxpy.ptx", 1 << 20, &text, &b->d));
    b->ptx = ptx_parse("saxpy.ptx", text.at, text.n, &b->d);
    file_free(&text);
    b->dev = exec_dev_new(&(struct exec_cfg){0});
    b->mod = exec_module_load(b->dev, b->ptx, &b->d);
    b->code = compile(b, 0);
    b->params.a = 2;
    b->params.x = exec_alloc(b->dev, 4 * N);
    b->params.y = exec_alloc(b->dev, 4 * N);
    b->params.n = N;
    b->l = (struct exec_launch){.code = b->code,
                                .module = b->mod,
                                .grid = {N / 256, 1, 1},
                                .block = {256, 1, 1},
                                .params = &b->params,
                                .params_b = b->code->param_b};
    snprintf(b->path, sizeof b->path, "/tmp/bankshot_recorder_XXXXXX");
    int fd = mkstemp(b->path);
    close(fd);
    b->rec = tr_recorder_new(b->path, &(struct tr_info){.program = "./program", .maker = "test"}, &b->d);
    assert_non_null(b->rec);
    *state = b;
    return 0;
}

static int bed_close(void **state)
{
    struct bed *b = *state;
    code_free(b->code);
    exec_module_free(b->mod);
    exec_dev_free(b->dev);
    ptx_module_free(b->ptx);
    diag_free(&b->d);
    unlink(b->path);
    free(b);
    return 0;
}

static struct tr_reader *finish(struct bed *b)
{
    assert_true(tr_recorder_close(b->rec, &b->d));
    struct tr_reader *r = tr_open(b->path, &b->d);
    assert_non_null(r);
    assert_true(tr_closed(r));
    return r;
}

static uint32_t launch(struct bed *b, const struct tr_order *o, enum exec_status want)
{
    uint32_t number = 77;
    struct exec_error err;
    assert_int_equal(tr_record_launch(b->rec, b->dev, &b->l, o, &number, NULL, &err), want);
    return number;
}

static void order(void **state)
{
    struct bed *b = *state;
    assert_int_equal(launch(b, NULL, EXEC_OK), 0);
    tr_record_copy(b->rec, TRC_TO_HOST, 5, b->params.y, 64);
    const uint32_t after[] = {0, TR_NO_LAUNCH};
    assert_int_equal(
        launch(b, &(struct tr_order){.stream = 5, .priority = 2, .after = after, .nafter = 2}, EXEC_OK), 1);
    tr_record_copy(b->rec, TRC_SET, 0, b->params.x, 4);
    assert_int_equal(tr_recorder_launches(b->rec), 2);
    struct tr_reader *r = finish(b);
    assert_int_equal(tr_nkernels(r), 1);
    assert_int_equal(tr_nlaunches(r), 2);
    assert_int_equal(tr_launch(r, 0)->l.nafter, 0);
    assert_int_equal(tr_launch(r, 1)->l.stream, 5);
    assert_int_equal(tr_priority(&tr_launch(r, 1)->l), 2);
    assert_int_equal(tr_launch(r, 1)->l.nafter, 1);
    assert_int_equal(tr_launch(r, 1)->l.after[0], 0);
    assert_int_equal(tr_ncopies(r), 2);
    assert_int_equal(tr_copy(r, 0)->before, 1);
    assert_int_equal(tr_copy(r, 0)->kind, TRC_TO_HOST);
    assert_int_equal(tr_copy(r, 0)->bytes, 64);
    assert_int_equal(tr_copy(r, 1)->before, 2);
    struct tr_kernel *k = tr_kernel_from_code(b->code);
    assert_null(gen_compare_kernel(k, tr_kernel(r, 0)));
    tr_kernel_free(k);
    tr_free(r);
}

static void same_with_and_without(void **state)
{
    struct bed *b = *state;
    struct exec_counts with = {0}, without = {0};
    float *y = exec_ptr(b->dev, b->params.y, 4 * N), *x = exec_ptr(b->dev, b->params.x, 4 * N), kept[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)i, y[i] = 1;
    assert_int_equal(tr_record_launch(b->rec, b->dev, &b->l, NULL, NULL, &with, NULL), EXEC_OK);
    memcpy(kept, y, sizeof kept);
    for (int i = 0; i < N; i++)
        y[i] = 1;
    uint32_t number = 0;
    assert_int_equal(tr_record_launch(NULL, b->dev, &b->l, NULL, &number, &without, NULL), EXEC_OK);
    assert_int_equal(number, TR_NO_LAUNCH);
    assert_memory_equal(y, kept, sizeof kept);
    assert_memory_equal(&with, &without, sizeof with);
    struct tr_reader *r = finish(b);
    assert_int_equal(tr_launch(r, 0)->warp_insts, with.warp_insts);
    assert_int_equal(tr_launch(r, 0)->thread_insts, with.thread_insts);
    assert_int_equal(tr_launch(r, 0)->recorded, with.ctas);
    tr_free(r);
}

static void failures(void **state)
{
    struct bed *b = *state;
    b->l.params_b--;
    assert_int_equal(launch(b, NULL, EXEC_BAD_LAUNCH), TR_NO_LAUNCH); /* refused: not there */
    b->l.params_b++;
    uint64_t y = b->params.y;
    b->params.y += 4 * N / 2; /* the second half is outside */
    assert_int_equal(launch(b, NULL, EXEC_BAD_ADDRESS), 0);
    b->params.y = y;
    assert_int_equal(launch(b, NULL, EXEC_OK), 1);
    struct tr_reader *r = finish(b);
    assert_int_equal(tr_nlaunches(r), 2);
    assert_false(tr_launch(r, 0)->complete);
    assert_int_equal(tr_launch(r, 0)->recorded, N / 256 / 2);
    assert_true(tr_has_cta(r, 0, N / 256 / 2 - 1));
    assert_false(tr_has_cta(r, 0, N / 256 / 2));
    assert_true(tr_launch(r, 1)->complete);
    tr_free(r);
}

/* Other code at the address of code that was freed is another kernel. */
static void forgotten(void **state)
{
    struct bed *b = *state;
    struct code *other = compile(b, 16), kept = *b->code;
    launch(b, NULL, EXEC_OK);
    launch(b, NULL, EXEC_OK);
    tr_recorder_forget(b->rec, b->code);
    *b->code = *other;
    b->code->name = "other";
    launch(b, NULL, EXEC_OK);
    tr_recorder_forget(b->rec, b->code);
    *b->code = kept;
    launch(b, NULL, EXEC_OK); /* known again, as a module that is loaded twice */
    code_free(other);
    struct tr_reader *r = finish(b);
    assert_int_equal(tr_nkernels(r), 2);
    assert_int_equal(tr_launch(r, 3)->l.kernel, 0);
    assert_int_equal(tr_launch(r, 1)->l.kernel, 0);
    assert_int_equal(tr_launch(r, 2)->l.kernel, 1);
    assert_string_equal(tr_kernel(r, 1)->name, "other");
    tr_free(r);
}

static void forked(void **state)
{
    struct bed *b = *state;
    launch(b, NULL, EXEC_OK);
    pid_t pid = fork();
    if (pid == 0) {
        uint32_t number = 0;
        bool ok = tr_record_launch(b->rec, b->dev, &b->l, NULL, &number, NULL, NULL) == EXEC_OK;
        tr_record_copy(b->rec, TRC_SET, 0, b->params.x, 4);
        _exit(ok && number == TR_NO_LAUNCH && tr_recorder_close(b->rec, &b->d) ? 0 : 1);
    }
    int st;
    assert_int_equal(waitpid(pid, &st, 0), pid);
    assert_int_equal(st, 0);
    launch(b, NULL, EXEC_OK);
    struct tr_reader *r = finish(b);
    assert_int_equal(tr_nlaunches(r), 2);
    tr_free(r);
}

/* The program goes on, and is told at the end. */
static void disk_full(void **state)
{
    struct bed *b = *state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 200; i++) {
        struct exec_error err;
        assert_int_equal(tr_record_launch(b->rec, b->dev, &b->l, NULL, NULL, NULL, &err), EXEC_OK);
    }
    bool failed = tr_recorder_failed(b->rec) != NULL, closed = tr_recorder_close(b->rec, &b->d);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(failed);
    assert_false(closed);
    assert_true(b->d.errors > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bed_open, bed_close)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(order),    TEST(same_with_and_without),
                                       TEST(failures), TEST(forgotten),
                                       TEST(forked),   TEST(disk_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
