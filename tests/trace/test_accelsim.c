/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim's form and back: made-up programs, whose kernels and streams are nothing that a tracer would write. */
#include "gen.h"
#include "ir/code.h"
#include "trace/accelsim/accelsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[64];
static const char *at(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

static struct tr_reader *open_trace(const char *name)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(at(name), &d);
    diag_print(&d, stderr);
    assert_non_null(r);
    return r;
}

static uint64_t window(uint8_t space)
{
    return space == SPACE_SHARED  ? WINDOW_SHARED
           : space == SPACE_LOCAL ? WINDOW_LOCAL
           : space == SPACE_CONST ? WINDOW_CONST
                                  : 0;
}

/* Generic addresses may come back in another window: the address itself is the same. */
static void compare_step(const struct tr_insn *in, const struct tr_step *a, const struct tr_step *b)
{
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->mask, b->mask);
    for (uint32_t i = 0; a->mask && i < in->naddr; i++) {
        uint64_t x[TR_LANES], y[TR_LANES];
        bool generic = i == 0 && in->space == SPACE_NONE;
        uint64_t add_a = generic ? window(a->addr[i].space) : 0,
                 add_b = generic ? window(b->addr[i].space) : 0;
        tr_expand(&a->addr[i], a->mask, x);
        tr_expand(&b->addr[i], b->mask, y);
        for (uint32_t m = a->mask; m; m &= m - 1)
            assert_true(x[__builtin_ctz(m)] + add_a == y[__builtin_ctz(m)] + add_b);
    }
}

static void compare_cta(struct tr_reader *a, struct tr_reader *b, uint32_t launch, uint32_t cta)
{
    struct diag d = {0};
    struct tr_cta *x = tr_open_cta(a, launch, cta, &d), *y = tr_open_cta(b, launch, cta, &d);
    const struct tr_kernel *k = tr_kernel(a, tr_launch(a, launch)->l.kernel);
    assert_true(x && y);
    for (uint32_t w = 0; w < tr_launch(a, launch)->nwarps; w++) {
        struct tr_step s, t;
        while (tr_next(x, w, &s) == TR_STEP) {
            assert_int_equal(tr_next(y, w, &t), TR_STEP);
            compare_step(&k->insns[s.at], &s, &t);
        }
        assert_int_equal(tr_next(y, w, &t), TR_END);
    }
    tr_close_cta(x);
    tr_close_cta(y);
}

static void compare(const char *first, const char *second, bool kernels)
{
    struct tr_reader *a = open_trace(first), *b = open_trace(second);
    assert_int_equal(tr_nlaunches(a), tr_nlaunches(b));
    assert_int_equal(tr_ncopies(a), tr_ncopies(b));
    for (uint32_t i = 0; i < tr_nlaunches(a); i++) {
        const struct tr_launch_info *x = tr_launch(a, i), *y = tr_launch(b, i);
        assert_memory_equal(x->l.grid, y->l.grid, sizeof x->l.grid);
        assert_memory_equal(x->l.block, y->l.block, sizeof x->l.block);
        assert_int_equal(x->l.nafter, y->l.nafter);
        if (kernels)
            assert_null(gen_compare_kernel(tr_kernel(a, x->l.kernel), tr_kernel(b, y->l.kernel)));
        for (uint32_t c = 0; c < x->nctas; c++)
            compare_cta(a, b, i, c);
    }
    tr_free(a);
    tr_free(b);
}

static void export(const char *trace, const char *to, bool plain)
{
    struct diag d = {0};
    struct tr_reader *r = open_trace(trace);
    bool ok = accelsim_export(&(struct accelsim_export){r, at(to), plain}, &d);
    diag_print(&d, stderr);
    assert_true(ok);
    tr_free(r);
}

static void import(const char *from, const char *trace)
{
    struct diag d = {0};
    struct accelsim_report r = {0};
    struct accelsim_import o = {.dir = at(from), .out = at(trace), .maker = "test"};
    bool ok = accelsim_import(&o, &r, &d);
    diag_print(&d, stderr);
    assert_true(ok);
    accelsim_report_free(&r);
}

static void round_trip(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {
        {0, 5, 64, 300, false, 0}, {1, 3, 1024, 50, true, 0}, {0, 1, 32, 2000, false, 0}};
    struct diag d = {0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assert_true(gen_program_write(&(struct gen_program){seed, 2, 3, l, 0}, at("a.bst"), &d));
        export("a.bst", "x", false);
        import("x", "b.bst");
        compare("a.bst", "b.bst", true);
    }
}

/* A trace that is imported comes back as it was, with and without the lines of our own. */
static void imported(void **state)
{
    (void)state;
    FILE *f = fopen(at("x/kernelslist.g"), "w");
    fputs("MemcpyHtoD,0x7f0000000000,64\nkernel-1.traceg\nMemcpyDtoH,0x7f0000000000,64\nkernel-2.traceg\n",
          f);
    fclose(f);
    for (int i = 1; i <= 2; i++) {
        f = fopen(at(i == 1 ? "x/kernel-1.traceg" : "x/kernel-2.traceg"), "w");
        fputs("-kernel name = k\n-grid dim = (1,2,1)\n-block dim = (32,1,1)\n-binary version = 80\n"
              "-accelsim tracer version = 5\n#\n",
              f);
        for (int b = 0; b < 2; b++)
            fprintf(f,
                    "#BEGIN_TB\nthread block = 0,%d,0\nwarp = 0\ninsts = 5\n"
                    "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f00000%d0000 %d 0\n"
                    "0010 00000000 0 BRA 0 0 0\n"
                    "0020 0000f0f0 1 R4 LDG.E.64 1 R2 8 2 0x7f0000000000 1 2 3 -4 5 6 7 0\n"
                    "0020 0000f0f0 1 R4 FADD 2 R4 R255 0 0\n" /* a called function's, with the same PC */
                    "0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n",
                    b, i, 4 * b);
        fclose(f);
    }
    import("x", "a.bst");
    for (int plain = 0; plain < 2; plain++) {
        export("a.bst", "y", plain);
        import("y", "b.bst");
        compare("a.bst", "b.bst", !plain);
    }
    struct tr_reader *r = open_trace("a.bst");
    assert_int_equal(tr_nkernels(r), 1);
    assert_int_equal(tr_kernel(r, 0)->n, 5);
    assert_int_equal(tr_kernel(r, 0)->arch, 80);
    assert_int_equal(tr_copy(r, 1)->kind, TRC_TO_HOST);
    assert_int_equal(tr_copy(r, 1)->before, 1);
    assert_int_equal(tr_launch(r, 1)->l.nafter, 1);
    tr_free(r);
}

/* A loop around an if: blocks, successors and post-dominators from what was seen. */
static void control_flow(void **state)
{
    (void)state;
    static const char *const lines =
        "0000 ffffffff 1 R0 MOV 0 0 0\n0010 ffffffff 1 R1 IADD3 1 R1 0 1\n0020 0000ffff 0 BRA 0 0 0\n"
        "0030 ffff0000 1 R2 FADD 1 R2 0 0\n0040 0000ffff 1 R2 FMUL 1 R2 0 0\n0040 ffff0000 1 R2 FMUL 1 R2 0 "
        "0\n"
        "0050 ffffffff 0 BRA 0 0 0\n0010 ffffffff 1 R1 IADD3 1 R1 0 1\n0020 ffffffff 0 BRA 0 0 0\n"
        "0040 ffffffff 1 R2 FMUL 1 R2 0 0\n0050 00000000 0 BRA 0 0 0\n0060 ffffffff 0 EXIT 0 0 0\n";
    FILE *f = fopen(at("x/kernelslist.g"), "w");
    fputs("kernel-1.traceg\n", f);
    fclose(f);
    f = fopen(at("x/kernel-1.traceg"), "w");
    fprintf(
        f,
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 80\n"
        "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 12\n%s#END_TB\n",
        lines);
    fclose(f);
    import("x", "a.bst");
    struct tr_reader *r = open_trace("a.bst");
    const struct tr_kernel *k = tr_kernel(r, 0);
    assert_int_equal(k->n, 7);
    assert_int_equal(k->nblocks, 5); /* 0; 1-2; 3; 4-5; 6 */
    assert_int_equal(k->insns[2].target, 4);
    assert_int_equal(k->insns[5].target, 1);
    assert_int_equal(k->blocks[1].nsucc, 2);
    assert_int_equal(k->blocks[1].ipdom, 3);
    assert_int_equal(k->blocks[3].nsucc, 2);
    assert_int_equal(k->blocks[3].succ[0], 1);
    assert_int_equal(k->blocks[3].ipdom, 4);
    assert_int_equal(k->blocks[4].nsucc, 0);
    assert_true(k->blocks[4].ipdom == UINT32_MAX);
    tr_free(r);
}

static int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/bankshot-accelsim-XXXXXX");
    return mkdtemp(dir) ? 0 : 1;
}

static int remove_dir(void **state)
{
    (void)state;
    static const char *const files[] = {"a.bst", "b.bst"};
    char path[160];
    for (int i = 0; i < 2; i++)
        unlink(at(files[i]));
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            snprintf(path, sizeof path, k ? "%s/%c/kernel-%d.traceg" : "%s/%c/kernelslist.g", dir, "xy"[i],
                     k);
            unlink(path);
        }
        snprintf(path, sizeof path, "%s/%c", dir, "xy"[i]);
        rmdir(path);
    }
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(imported),
        cmocka_unit_test(control_flow),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
