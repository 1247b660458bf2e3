/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .const .align 4 .u32 limit[4] = {1, 2, 3, 4};\n"
    ".visible .entry nop() { ret; }\n"
    ".visible .entry step(.param .u64 p, .param .u32 a, .param .u32 b)\n"
    "{ .reg .u64 %rd<2>; .reg .u32 %r<5>;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b];\n"
    "  ld.global.u32 %r3, [%rd1]; mad.lo.u32 %r4, %r3, %r1, %r2; st.global.u32 [%rd1], %r4; ret; }\n"
    ".visible .entry fill(.param .u64 p, .param .u32 v)\n"
    "{ .reg .u64 %rd<4>; .reg .u32 %r<6>;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  mul.wide.u32 %rd2, %r5, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret; }\n"
    ".visible .entry shared1k(.param .u64 p)\n"
    "{ .reg .u64 %rd<2>; .reg .u32 %r<2>; .shared .align 4 .b8 buf[1024];\n"
    "  ld.param.u64 %rd1, [p]; ld.shared.u32 %r1, [buf]; st.global.u32 [%rd1], %r1; ret; }\n"
    /* out[tid] = texel tid of a 1D texture, as raw words */
    ".visible .entry tex1(.param .u64 t, .param .u64 out)\n"
    "{ .reg .u64 %rd<5>; .reg .u32 %r<7>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
    "  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];\n"
    "  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r2; ret; }\n"
    /* out[tid] = the 2D texture at (x, y), for one thread */
    ".visible .entry tex2(.param .u64 t, .param .u64 out, .param .f32 x, .param .f32 y)\n"
    "{ .reg .u64 %rd<3>; .reg .f32 %f<7>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [out]; ld.param.f32 %f1, [x]; ld.param.f32 %f2, [y];\n"
    "  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}]; st.global.f32 [%rd2], %f3; ret; }\n"
    /* surface: byte x = 4 tid of row 0 gets tid + 100 */
    ".visible .entry surf(.param .u64 s)\n"
    "{ .reg .u64 %rd<2>; .reg .u32 %r<5>;\n"
    "  ld.param.u64 %rd1, [s]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; add.u32 %r3, %r1, 100; mov.u32 %r4, "
    "0;\n"
    "  sust.b.2d.b32.trap [%rd1, {%r2, %r4}], {%r3}; ret; }\n";

struct CUmod_st *rig_module(void)
{
    static CUmodule m; /* one module for a process's tests */
    if (!m) {
        ok(cudaFree(0));
        ok((cudaError_t)cuModuleLoadData(&m, text));
    }
    return m;
}

void *kernel(const char *name)
{
    CUfunction f;
    CUmodule m = rig_module();
    ok((cudaError_t)cuModuleGetFunction(&f, m, name));
    return f;
}

uint32_t last_launch(void)
{
    struct rt *rt = rt_enter("test");
    uint32_t n = rt->order.first.n;
    rt_leave_quiet(rt);
    assert_true(n >= 2);
    return n - 2;
}

uint32_t go(cudaStream_t s)
{
    ok(cudaLaunchKernel(kernel("nop"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, s));
    return last_launch();
}

void step(cudaStream_t s, uint32_t *p, uint32_t a, uint32_t b)
{
    void *args[] = {&p, &a, &b};
    ok(cudaLaunchKernel(kernel("step"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
}

uint32_t barrier(void)
{
    ok(cudaDeviceSynchronize());
    uint32_t l = go(0);
    ok(cudaDeviceSynchronize());
    return l;
}

void after_at(int line, uint32_t l, unsigned n, ...)
{
    struct rt *rt = rt_enter("test");
    uint32_t has;
    const uint32_t *list = rt_order_after(&rt->order, l, &has);
    rt_leave_quiet(rt);
    va_list ap;
    va_start(ap, n);
    bool same = has == n;
    for (unsigned i = 0; i < n; i++)
        same &= va_arg(ap, uint32_t) == (i < has ? list[i] : UINT32_MAX);
    va_end(ap);
    if (same)
        return;
    print_error("line %d: launch %u comes after", line, l);
    for (unsigned i = 0; i < has; i++)
        print_error(" %u", list[i]);
    print_error("\n");
    fail();
}

int rig_setup(void **state)
{
    (void)state;
    rig_module();
    return 0;
}

uint32_t read_u32(const void *device)
{
    uint32_t v;
    ok(cudaMemcpy(&v, device, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}
