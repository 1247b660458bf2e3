/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of registered PTX: parameters, limits, failures and what they do to later calls. */
#include "prog.h"

#include "cuda.h"

static const char ptx[] = PTX_HEAD
    /* p[i] = a * i + b, with parameters of every size */
    ".visible .entry line(.param .u64 p, .param .u32 a, .param .u8 b, .param .align 8 .b8 s[16])\n"
    "{ .reg .b32 %r<6>; .reg .b16 %h; .reg .b64 %d<4>; .reg .b32 %x<4>;\n"
    "  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r0, %r0, %r1, %r2;\n"
    "  ld.param.u32 %r3, [a]; ld.param.u8 %h, [b]; cvt.u32.u16 %r4, %h; mad.lo.s32 %r5, %r0, %r3, %r4;\n"
    "  ld.param.u32 %x1, [s]; ld.param.u32 %x2, [s+12]; add.s32 %r5, %r5, %x1; add.s32 %r5, %r5, %x2;\n"
    "  ld.param.u64 %d1, [p]; mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], %r5; "
    "ret; }\n"
    ".visible .entry store(.param .u64 p)\n"
    "{ .reg .b64 %d<2>; ld.param.u64 %d1, [p]; st.global.u32 [%d1], 7; ret; }\n"
    ".visible .entry dies() { trap; }\n"
    ".visible .entry waits() { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.ne.u32 %p, %r, 0;\n"
    "  @%p bra L; bar.sync 1, 64; L: bar.sync 2, 64; ret; }\n"
    ".visible .entry bounded() .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry empty() { ret; }\n"
    ".extern .shared .align 4 .b8 dyn[];\n"
    ".visible .entry uses_shared(.param .u64 p) { .shared .align 4 .b8 fixed[1024]; .reg .b32 %r<3>; .reg "
    ".b64 %d;\n"
    "  mov.u32 %r1, 5; st.shared.u32 [fixed], %r1; mov.u32 %r0, %dynamic_smem_size; st.shared.u32 [dyn], "
    "%r0;\n"
    "  ld.shared.u32 %r2, [dyn]; ld.param.u64 %d, [p]; st.global.u32 [%d], %r2; ret; }\n";

static const char k_line, k_store, k_dies, k_waits, k_bounded, k_empty, k_shared, k_missing, k_unknown;
static struct prog prog;

static int setup(void **state)
{
    (void)state;
    prog_open(&prog, ptx);
    prog_kernel(&prog, &k_line, "line");
    prog_kernel(&prog, &k_store, "store");
    prog_kernel(&prog, &k_dies, "dies");
    prog_kernel(&prog, &k_waits, "waits");
    prog_kernel(&prog, &k_bounded, "bounded");
    prog_kernel(&prog, &k_empty, "empty");
    prog_kernel(&prog, &k_shared, "uses_shared");
    prog_kernel(&prog, &k_missing, "not_there");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    prog_close(&prog);
    return 0;
}

static dim3 d1(unsigned x) { return (dim3){x, 1, 1}; }

static void test_parameters(void **state)
{
    enum { N = 96 };
    struct {
        int first, pad[2], last;
    } s = {100, {0, 0}, 1000};
    void *p;
    int a = 3, got[N];
    unsigned char b = 200;
    (void)state;
    OK(cudaMalloc(&p, sizeof got));
    void *args[] = {&p, &a, &b, &s};
    OK(cudaLaunchKernel(&k_line, d1(3), d1(32), args, 0, NULL));
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        assert_int_equal(got[i], 3 * i + 200 + 1100);
    /* the launch syntax: push, pop, launch by handle */
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    cudaKernel_t k;
    a = 5;
    assert_int_equal(__cudaPushCallConfiguration(d1(3), d1(32), 0, NULL), 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    OK(__cudaGetKernel(&k, &k_line));
    OK(__cudaLaunchKernel(k, grid, block, args, shared, stream));
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    assert_int_equal(got[N - 1], 5 * (N - 1) + 200 + 1100);
    FAILS(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
    FAILS(cudaGetLastError(), cudaErrorMissingConfiguration);
    OK(cudaFree(p));
}

static void test_bad_launches(void **state)
{
    struct quiet q;
    char text[1024];
    (void)state;
    FAILS(cudaLaunchKernel(&k_empty, d1(0), d1(32), NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(0), NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(1025), NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), (dim3){32, 32, 2}, NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, (dim3){1, 65536, 1}, d1(1), NULL, 0, NULL),
          cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(0x80000000u), d1(1), NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), (dim3){1, 1, 65}, NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(1), NULL, 49153, NULL), cudaErrorInvalidValue);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(1), NULL, SIZE_MAX, NULL), cudaErrorInvalidValue);
    FAILS(cudaLaunchKernel(&k_bounded, d1(1), d1(65), NULL, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&k_store, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidValue);
    FAILS(cudaLaunchKernel(&k_unknown, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    FAILS(cudaLaunchKernel(NULL, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(1), NULL, 0, (cudaStream_t)&q),
          cudaErrorInvalidResourceHandle);
    quiet_begin(&q);
    FAILS(cudaLaunchKernel(&k_missing, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    quiet_end(&q, text, sizeof text);
    assert_non_null(strstr(text, "not_there"));
    /* none of them has harmed anything */
    FAILS(cudaPeekAtLastError(), cudaErrorInvalidDeviceFunction);
    FAILS(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    OK(cudaGetLastError());
    OK(cudaLaunchKernel(&k_empty, d1(1), d1(1024), NULL, 0, NULL));
    OK(cudaDeviceSynchronize());
}

static void test_shared(void **state)
{
    void *p;
    int got = 0;
    struct cudaFuncAttributes a;
    (void)state;
    OK(cudaMalloc(&p, 4));
    void *args[] = {&p};
    OK(cudaFuncGetAttributes(&a, &k_shared));
    assert_int_equal(a.sharedSizeBytes, 1024);
    assert_int_equal(a.maxDynamicSharedSizeBytes, 47 << 10);
    FAILS(cudaLaunchKernel(&k_shared, d1(1), d1(1), args, 100 << 10, NULL), cudaErrorInvalidValue);
    FAILS(cudaFuncSetAttribute(&k_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10),
          cudaErrorInvalidValue);
    FAILS(cudaFuncSetAttribute(&k_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1),
          cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(&k_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    OK(cudaLaunchKernel(&k_shared, d1(1), d1(1), args, 100 << 10, NULL));
    FAILS(cudaLaunchKernel(&k_shared, d1(1), d1(1), args, (100 << 10) + 4, NULL), cudaErrorInvalidValue);
    OK(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 100 << 10);
    OK(cudaFree(p));
    (void)cudaGetLastError();
}

/* The kernel fails, every later call says so, a reset ends it. */
static void expect_failure(const void *kernel, void **args, unsigned threads, cudaError_t want,
                           const char *message)
{
    struct quiet q;
    char text[4096];
    void *p = &q, *mine;
    OK(cudaMalloc(&mine, 4));
    quiet_begin(&q);
    OK(cudaLaunchKernel(kernel, d1(1), d1(threads), args, 0, NULL));
    OK(cudaGetLastError());
    FAILS(cudaDeviceSynchronize(), want);
    FAILS(cudaMalloc(&p, 4), want);
    FAILS(cudaLaunchKernel(&k_empty, d1(1), d1(1), NULL, 0, NULL), want);
    FAILS(cudaMemcpy(&p, mine, 4, cudaMemcpyDeviceToHost), want);
    FAILS(cudaGetLastError(), want);
    OK(cudaGetLastError()); /* cleared, until the next call */
    FAILS(cudaDeviceSynchronize(), want);
    quiet_end(&q, text, sizeof text);
    assert_non_null(strstr(text, message));
    assert_null(strstr(strstr(text, message) + 1, message)); /* told once */
    OK(cudaDeviceReset());
    FAILS(cudaGetLastError(), want);
    OK(cudaLaunchKernel(&k_empty, d1(1), d1(1), NULL, 0, NULL));
    OK(cudaDeviceSynchronize());
    FAILS(cudaFree(mine), cudaErrorInvalidValue); /* the reset freed it */
    (void)cudaGetLastError();
}

static void test_failures(void **state)
{
    uint64_t wild = 0x1234560, odd;
    void *p, *args[] = {&wild};
    (void)state;
    OK(cudaMalloc(&p, 64));
    odd = (uint64_t)(uintptr_t)p + 2;
    expect_failure(&k_store, args, 1, cudaErrorIllegalAddress, "store of 4 bytes at 0x1234560");
    OK(cudaMalloc(&p, 64));
    odd = (uint64_t)(uintptr_t)p + 2;
    args[0] = &odd;
    expect_failure(&k_store, args, 1, cudaErrorMisalignedAddress, "not a multiple of 4");
    expect_failure(&k_dies, NULL, 1, cudaErrorLaunchFailure, "dies");
    expect_failure(&k_waits, NULL, 64, cudaErrorLaunchTimeout, "deadlock");
}

/* A kernel may not reach memory that is free again. */
static void test_use_after_free(void **state)
{
    void *p, *args[] = {&p};
    (void)state;
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
    expect_failure(&k_store, args, 1, cudaErrorIllegalAddress, "inside a freed allocation of 64 bytes");
}

static void test_cooperative(void **state)
{
    struct quiet q;
    (void)state;
    OK(cudaLaunchCooperativeKernel(&k_empty, d1(132), d1(1024), NULL, 0, NULL));
    quiet_begin(&q);
    FAILS(cudaLaunchCooperativeKernel(&k_empty, d1(132 * 2 + 1), d1(1024), NULL, 0, NULL),
          cudaErrorCooperativeLaunchTooLarge);
    cudaLaunchAttribute attr = {.id = cudaLaunchAttributeLaunchCompletionEvent};
    cudaLaunchConfig_t c = {.gridDim = {2, 1, 1}, .blockDim = {1, 1, 1}, .attrs = &attr, .numAttrs = 1};
    char text[512];
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorNotSupported);
    quiet_end(&q, text, sizeof text);
    assert_non_null(strstr(text, "cudaLaunchKernelExC: launch completion events"));
    attr.id = (cudaLaunchAttributeID)1000;
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

static void test_clusters(void **state)
{
    cudaLaunchAttribute attr = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}};
    cudaLaunchConfig_t c = {.gridDim = {32, 2, 1}, .blockDim = {1, 1, 1}, .attrs = &attr, .numAttrs = 1};
    int n = 0;
    (void)state;
    OK(cudaLaunchKernelExC(&c, &k_empty, NULL));
    OK(cudaOccupancyMaxActiveClusters(&n, &k_empty, &c));
    assert_int_equal(n, 132 * 32 / 2);
    OK(cudaOccupancyMaxPotentialClusterSize(&n, &k_empty, &c));
    assert_int_equal(n, 8);
    attr.val.clusterDim.y = 2;
    OK(cudaLaunchKernelExC(&c, &k_empty, NULL));
    attr.val.clusterDim.z = 2; /* the grid has 1 */
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorInvalidClusterSize);
    attr.val.clusterDim.z = 0;
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorInvalidClusterSize);
    attr.val.clusterDim.y = attr.val.clusterDim.z = 1;
    attr.val.clusterDim.x = 16;
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorInvalidClusterSize);
    OK(cudaFuncSetAttribute(&k_empty, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    OK(cudaLaunchKernelExC(&c, &k_empty, NULL));
    attr.val.clusterDim.x = 32;
    FAILS(cudaLaunchKernelExC(&c, &k_empty, NULL), cudaErrorInvalidClusterSize);
    OK(cudaFuncSetAttribute(&k_empty, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    CUlaunchAttribute cu = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {4, 1, 1}};
    CUlaunchConfig d = {8, 1, 1, 32, 1, 1, 0, NULL, &cu, 1};
    cudaFunction_t f;
    OK(cudaGetFuncBySymbol(&f, &k_empty));
    assert_int_equal(cuLaunchKernelEx(&d, (CUfunction)f, NULL, NULL), CUDA_SUCCESS);
    d.gridDimX = 6;
    assert_int_equal(cuLaunchKernelEx(&d, (CUfunction)f, NULL, NULL), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    (void)cudaGetLastError();
}

static void test_bad_ptx(void **state)
{
    static const char stub;
    struct prog p;
    struct quiet q;
    char text[2048];
    (void)state;
    prog_open(&p, PTX_HEAD ".visible .entry k() {\n add.f33 %r1, %r2;\n ret; }\n");
    prog_kernel(&p, &stub, "k");
    quiet_begin(&q);
    FAILS(cudaLaunchKernel(&stub, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidPtx);
    FAILS(cudaLaunchKernel(&stub, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidPtx);
    quiet_end(&q, text, sizeof text);
    assert_non_null(strstr(text, ":5:")); /* the line of PTX */
    const char *told = strstr(text, "cannot be used");
    assert_non_null(told);
    assert_null(strstr(told + 1, "cannot be used")); /* once */
    prog_close(&p);
    FAILS(cudaLaunchKernel(&stub, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    (void)cudaGetLastError();
}

static void test_machine_code(void **state)
{
    static const char stub;
    static const char head[64] = "\177ELF\2\1\1"; /* and nothing behind it: test_cubin.c has whole ones */
    struct prog p;
    struct quiet q;
    char text[2048];
    (void)state;
    prog_open(&p, head);
    prog_kernel(&p, &stub, "k");
    quiet_begin(&q);
    FAILS(cudaLaunchKernel(&stub, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidKernelImage);
    quiet_end(&q, text, sizeof text);
    assert_non_null(strstr(text, "a cubin of 0 bytes"));
    prog_close(&p);
    (void)cudaGetLastError();
}

/* Handles that never were: nothing happens. */
static void test_wild_handles(void **state)
{
    char byte = 0;
    (void)state;
    __cudaRegisterFunction((void **)&byte, &byte, NULL, "k", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar((void **)&byte, &byte, NULL, "v", 0, 4, 0, 0);
    __cudaUnregisterFatBinary((void **)&byte);
    __cudaUnregisterFatBinary(NULL);
    assert_null(__cudaRegisterFatBinary(NULL));
    assert_int_equal(__cudaInitModule(NULL), 0);
    FAILS(cudaLaunchKernel(&byte, d1(1), d1(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    (void)cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),     cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_shared),         cmocka_unit_test(test_failures),
        cmocka_unit_test(test_use_after_free), cmocka_unit_test(test_cooperative),
        cmocka_unit_test(test_clusters),       cmocka_unit_test(test_bad_ptx),
        cmocka_unit_test(test_machine_code),   cmocka_unit_test(test_wild_handles),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
