/* SPDX-License-Identifier: Apache-2.0 */
/* A warp group's products in the trace: which registers they have, where their matrices lie, classes of the first words of D. */
#include "compile/compile.h"
#include "trace/trace.h"
#include "trace/write/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LIST24                                                                                               \
    "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17, "    \
    "%f18, "                                                                                                 \
    "%f19, %f20, %f21, %f22, %f23}"
static const char ptx[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 tile[16384];\n"
    ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .f32 %f<24>; .reg .pred "
    "%p<2>;\n"
    "mov.u32 %r0, tile; mov.u32 %r1, %tid.x; st.shared.u32 [%r0], %r1; ld.param.u64 %rd0, [p];\n"
    "mov.u64 %rd1, 0x800010040; mov.u64 %rd2, 0x800010100; setp.eq.u64 %p0, %rd0, 0;\n"
    "wgmma.fence.sync.aligned;\n"
    "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 " LIST24 ", %rd1, %rd2, 0, 1, 1, 0, 0;\n"
    "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 " LIST24 ", {%r1, %r1, %r1, %r1}, %rd2, 1, 1, 1, 0;\n"
    "wgmma.commit_group.sync.aligned;\n"
    "@%p0 wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd1, 1, 1, 1, 0, "
    "0;\n"
    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 3;\n"
    "st.global.f32 [%rd0], %f0; st.global.f32 [%rd0+4], %f23;\nret;\n}\n";

static struct tr_reader *recorded(char *path, struct diag *d)
{
    struct ptx_module *m = ptx_parse("k.ptx", ptx, strlen(ptx), d);
    assert_non_null(m);
    struct code *c = compile_kernel(m, ptx_find_func(m, "k"), &(struct compile_opts){.verify = true}, d);
    assert_non_null(c);
    struct exec_dev *dev = exec_dev_new(&(struct exec_cfg){0});
    struct exec_module *mod = exec_module_load(dev, m, d);
    uint64_t out = exec_alloc(dev, 64);
    struct exec_launch l = {
        .code = c, .module = mod, .grid = {1, 1, 1}, .block = {128, 1, 1}, .params = &out, .params_b = 8};
    close(mkstemp(path));
    struct tr_recorder *rec =
        tr_recorder_new(path, &(struct tr_info){.program = "./program", .maker = "test"}, d);
    assert_non_null(rec);
    assert_int_equal(tr_record_launch(rec, dev, &l, NULL, NULL, NULL, NULL), EXEC_OK);
    assert_true(tr_recorder_close(rec, d));
    code_free(c);
    exec_module_free(mod);
    exec_dev_free(dev);
    ptx_module_free(m);
    struct tr_reader *r = tr_open(path, d);
    assert_non_null(r);
    return r;
}

static void products(void **state)
{
    (void)state;
    static const uint64_t want[3][2] = {{0x400, 0x1000}, {0, 0x1000}, {0x400, 0x400}};
    static const uint8_t regs[3][2] = {{24, 2}, {24, 4}, {4, 2}}; /* of D and A */
    char path[] = "/tmp/bankshot_gmma_XXXXXX";
    struct diag d = {0};
    struct tr_reader *r = recorded(path, &d);
    const struct tr_kernel *k = tr_kernel(r, 0);
    struct tr_cta *c = tr_open_cta(r, 0, 0, &d);
    assert_non_null(c);
    for (uint32_t w = 0; w < 4; w++) {
        struct tr_step s;
        uint32_t n = 0, arrivals = 0, waits = 0;
        while (tr_next(c, w, &s) == TR_STEP) {
            const struct tr_insn *i = &k->insns[s.at];
            uint64_t p[TR_LANES];
            if (i->cls == TC_WARPSYNC)
                arrivals++;
            if (i->cls != TC_GMMA)
                continue;
            if (!i->nparam) { /* the last product may not execute, so the group ends behind it */
                assert_int_equal(i->imm, waits++ ? TG_WAIT | 3 : TG_COMMIT);
                continue;
            }
            assert_in_range(n, 0, 2);
            assert_int_equal(i->nparam, TR_GROUP_PARAMS);
            assert_int_equal(i->imm, 2 * regs[n][0] | (n == 1 ? TG_COMMIT : 0));
            assert_int_equal(i->count, regs[n][1] == 4 ? 4 : 0);
            assert_int_equal(i->ndst, 1);
            assert_int_equal(i->dst[0].n, regs[n][0]);
            assert_int_equal(i->src[0].n, regs[n][1]);
            assert_int_equal(s.mask, n == 2 ? 0 : 0xffffffff); /* the guard of the last one never holds */
            if (s.mask) {
                tr_params(i, &s, p);
                assert_int_equal(p[0], want[n][0]);
                assert_int_equal(p[1], want[n][1]);
            }
            n++;
        }
        assert_int_equal(n, 3);
        assert_int_equal(arrivals, 1);
        assert_int_equal(waits, 2);
    }
    tr_close_cta(c);
    tr_free(r);
    unlink(path);
    diag_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
