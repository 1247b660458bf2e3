/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's machine code runs without any tool of NVIDIA's: cubins that nvcc made of tests/sass/data/run.cu. */
#include "rig.h"

#include "base/file.h"

#include <math.h>

#define cu_ok(call) assert_int_equal(call, CUDA_SUCCESS)
#define cu_fails(code, call) assert_int_equal(call, code)

static CUmodule load(const char *name)
{
    char path[512];
    CUmodule m = NULL;
    snprintf(path, sizeof path, "%s/sass/data/%s", TEST_DATA_DIR, name);
    cu_ok(cuModuleLoad(&m, path));
    return m;
}

static void launch(CUmodule m, const char *name, unsigned grid, unsigned block, unsigned shared, void **args)
{
    CUfunction f;
    cu_ok(cuModuleGetFunction(&f, m, name));
    cu_ok(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, NULL, args, NULL));
    cu_ok(cuCtxSynchronize());
}

static CUdeviceptr memory_of(const void *at, size_t n)
{
    CUdeviceptr p;
    cu_ok(cuMemAlloc(&p, n));
    cu_ok(cuMemcpyHtoD(p, at, n));
    return p;
}

static void adds(CUmodule m)
{
    enum { N = 1000 };
    float a[N], b[N], c[N] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = (float)i / 3;
        b[i] = (float)(i * i);
    }
    CUdeviceptr da = memory_of(a, sizeof a), db = memory_of(b, sizeof b), dc = memory_of(c, sizeof c);
    int n = N - 1;
    launch(m, "add", 8, 128, 0, (void *[]){&da, &db, &dc, &n});
    cu_ok(cuMemcpyDtoH(c, dc, sizeof c));
    for (int i = 0; i < n; i++)
        assert_true(c[i] == a[i] + b[i]);
    assert_true(c[n] == 0);
}

/* Values that the file gives, and those that the host writes. */
static void has_variables(CUmodule m)
{
    int out[64] = {0}, total = 0, scale[4] = {1, 2, 3, 4}, counts[4] = {10, 20, 30, 40};
    CUdeviceptr dout = memory_of(out, sizeof out), p;
    size_t size;
    for (int round = 0; round < 2; round++) {
        launch(m, "variables", 1, 64, 0, (void *[]){&dout});
        cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
        for (int t = 0; t < 64; t++)
            assert_int_equal(out[t], scale[t & 3] * counts[t & 3] + counts[1]);
        cu_ok(cuModuleGetGlobal(&p, &size, m, "total"));
        assert_int_equal(size, 4);
        cu_ok(cuMemcpyDtoH(&total, p, 4));
        assert_int_equal(total, 2016 * (round + 1));
        scale[2] = 7;
        counts[1] = -5;
        cu_ok(cuModuleGetGlobal(&p, &size, m, "scale"));
        assert_int_equal(size, 16);
        cu_ok(cuMemcpyHtoD(p, scale, sizeof scale));
        cu_ok(cuModuleGetGlobal(&p, &size, m, "counts"));
        cu_ok(cuMemcpyHtoD(p, counts, sizeof counts));
    }
    cu_fails(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&p, &size, m, "nothing"));
}

static void sums_up(CUmodule m)
{
    int in[128], out[3] = {0}, want = 0;
    for (int i = 0; i < 128; i++)
        in[i] = i * 3 - 100;
    for (int t = 0; t < 128; t++) {
        for (int k = 0; k <= t % 7; k++)
            want += in[(t + k) % 128];
    }
    CUdeviceptr din = memory_of(in, sizeof in), dout = memory_of(out, sizeof out);
    launch(m, "sums", 3, 128, 128 * 4, (void *[]){&din, &dout});
    cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
    for (int i = 0; i < 3; i++)
        assert_int_equal(out[i], want);
}

static void has_numbers(CUmodule m)
{
    double out[32] = {0};
    int divisor = 3;
    CUdeviceptr dout = memory_of(out, sizeof out);
    launch(m, "numbers", 1, 32, 0, (void *[]){&dout, &divisor});
    cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
    for (int t = 0; t < 32; t++)
        assert_true(out[t] == (1.0 / ((t * 7 / 3 & 15) + 1) + t) * 3.0);
}

static void runs(const char *file)
{
    CUmodule m = load(file);
    adds(m);
    has_variables(m);
    sums_up(m);
    has_numbers(m);
    cu_ok(cuModuleUnload(m));
}

static void turing(void **state) { (void)state, runs("run_75.cubin"); }
static void ampere(void **state) { (void)state, runs("run_80.cubin"); }
static void hopper(void **state) { (void)state, runs("run_90.cubin"); }
/* Compressed entries for two architectures: the device's own is taken. */
static void fat_binary(void **state) { (void)state, runs("run.fatbin"); }

static void what_it_says(void **state)
{
    CUmodule m = load("run_90.cubin");
    CUfunction f;
    int value;
    unsigned n;
    size_t off, size;
    (void)state;
    cu_ok(cuModuleGetFunctionCount(&n, m));
    assert_int_equal(n, 4);
    cu_fails(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, m, "nobody"));
    cu_ok(cuModuleGetFunction(&f, m, "sums"));
    cu_ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    assert_int_equal(value, 128);
    cu_ok(cuFuncGetParamInfo(f, 1, &off, &size));
    assert_int_equal(off, 8);
    assert_int_equal(size, 8);
    cu_ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f));
    assert_int_equal(value, 16);
    cu_ok(cuModuleUnload(m));
}

/* Copies that several CTAs of a cluster receive; both clusters bring lines of their own. */
static void casts(void **state)
{
    enum { CTAS = 8, WORDS = 64, QUARTER = 16 };
    uint64_t in[CTAS * QUARTER], out[CTAS * WORDS];
    CUmodule m = load("cast_90a.cubin");
    (void)state;
    for (unsigned k = 0; k < CTAS * QUARTER; k++)
        in[k] = k + 1;
    for (unsigned mask = 1; mask < 16; mask++) {
        CUdeviceptr din = memory_of(in, sizeof in), dout;
        cu_ok(cuMemAlloc(&dout, sizeof out));
        launch(m, "cast", CTAS, WORDS, 0, (void *[]){&din, &dout, &mask});
        cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
        for (unsigned k = 0; k < CTAS * WORDS; k++) {
            unsigned cluster = k / WORDS / 4, rank = k / WORDS % 4;
            assert_int_equal(out[k], mask >> rank & 1 ? in[cluster * 4 * QUARTER + k % WORDS] : 0);
        }
        cu_ok(cuMemFree(din));
        cu_ok(cuMemFree(dout));
    }
    cu_ok(cuModuleUnload(m));
}

/* Addresses of NVIDIA's code name the CTA by its rank, the own one too. */
static void rings(void **state)
{
    enum { CTAS = 8, THREADS = 32 };
    uint32_t out[CTAS * THREADS][3];
    CUdeviceptr dout;
    CUmodule m = load("cast_90a.cubin");
    (void)state;
    cu_ok(cuMemAlloc(&dout, sizeof out));
    launch(m, "ring", CTAS, THREADS, 0, (void *[]){&dout});
    cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
    for (unsigned k = 0; k < CTAS * THREADS; k++) {
        unsigned cta = k / THREADS, t = k % THREADS, first = cta / 4 * 4;
        assert_int_equal(out[k][0], (first + (cta + 1) % 4) * 100 + 31 - t);
        assert_int_equal(out[k][1], (first + (cta + 3) % 4) * 100 + t);
        assert_int_equal(out[k][2], cta == first ? 4 * THREADS * (THREADS + 1) / 2 : 0);
    }
    cu_ok(cuMemFree(dout));
    cu_ok(cuModuleUnload(m));
}

/* The predicate of ATOM: not done in the CTA's own shared memory, done in another's. What a cluster is from constants. */
static void maxima(void **state)
{
    enum { CTAS = 8 };
    uint64_t out[CTAS][4] = {0};
    CUdeviceptr dout = memory_of(out, sizeof out);
    CUmodule m = load("cast_90a.cubin");
    (void)state;
    launch(m, "most", CTAS, 32, 0, (void *[]){&dout});
    cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
    for (uint64_t k = 0; k < CTAS; k++) {
        uint64_t before = k / 4 * 4 + (k + 3) % 4;
        assert_int_equal(out[k][0], ((k + 1) << 40) + 30);
        assert_int_equal(out[k][1], ((before + 1) << 40) + 31);
        assert_int_equal(out[k][2], k / 4 * 1000 + 241);
    }
    cu_ok(cuMemFree(dout));
    cu_ok(cuModuleUnload(m));
}

/* What a warp asks of its place is the same from every architecture's code: some of it lies in constant bank 0, some in special
 * registers. */
static void places(void **state)
{
    enum { CTAS = 3, WARPS = 2 };
    static const char *const cubins[] = {"where_75.cubin", "where_80.cubin", "where_90.cubin"};
    int nsm;
    uint32_t grid = 0;
    (void)state;
    cu_ok(cuDeviceGetAttribute(&nsm, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    for (unsigned c = 0; c < 3; c++) {
        uint32_t out[CTAS * WARPS][8] = {{0}};
        CUdeviceptr dout = memory_of(out, sizeof out);
        CUmodule m = load(cubins[c]);
        launch(m, "where", CTAS, 32 * WARPS, 48, (void *[]){&dout});
        cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
        for (unsigned k = 0; k < CTAS * WARPS; k++) {
            const uint32_t want[6] = {k / WARPS, (uint32_t)nsm, k % WARPS, c ? 64 : 32, 48, 64 + 48};
            for (unsigned w = 0; w < 6; w++)
                assert_int_equal(out[k][w], want[w]);
            assert_int_equal(out[k][6], out[0][6]);
            assert_int_equal(out[k][7], 0);
        }
        assert_true(out[0][6] > grid);
        grid = out[0][6];
        uint64_t clocks[4] = {0};
        uint32_t seed = 77;
        CUdeviceptr dclocks = memory_of(clocks, sizeof clocks);
        launch(m, "clocks", 1, 32, 0, (void *[]){&dclocks, &seed});
        cu_ok(cuMemcpyDtoH(clocks, dclocks, sizeof clocks));
        assert_true(clocks[0] >> 32 != 0);
        assert_true(clocks[1] < clocks[2] && clocks[2] < 1000 && clocks[3] < 100000);
        cu_ok(cuMemFree(dclocks));
        cu_ok(cuMemFree(dout));
        cu_ok(cuModuleUnload(m));
    }
}

/* sm_80 names neither the rounding nor the cut at zero where it has none, but code has both. */
static void packs(void **state)
{
    /* A step of a half after 1 is 2^-10, after 2 2^-9; of a bfloat16 2^-7 and 2^-6. */
    const float in[4] = {1.001220703125f, -1.001220703125f, 3.01171875f, 1.00146484375f};
    const uint32_t want[2][6] = {{0x3c01bc01, 0x3c01bc01, 0x3c010000, 0x3f80bf80, 0x3f80bf80, 0x3f800000},
                                 {0x42063c02, 0x42063c01, 0x42063c02, 0x40413f80, 0x40403f80, 0x40403f80}};
    uint32_t out[2][6];
    CUmodule m = load("pack_80.cubin");
    CUdeviceptr din = memory_of(in, sizeof in), dout;
    (void)state;
    cu_ok(cuMemAlloc(&dout, sizeof out));
    launch(m, "pack", 1, 2, 0, (void *[]){&din, &dout});
    cu_ok(cuMemcpyDtoH(out, dout, sizeof out));
    for (unsigned k = 0; k < 12; k++)
        assert_int_equal(out[k / 6][k % 6], want[k / 6][k % 6]);
    cu_ok(cuMemFree(din));
    cu_ok(cuMemFree(dout));
    cu_ok(cuModuleUnload(m));
}

static void damaged(void **state)
{
    char path[512];
    struct file_text t;
    struct diag d = {0};
    CUmodule m;
    (void)state;
    snprintf(path, sizeof path, "%s/sass/data/run_90.cubin", TEST_DATA_DIR);
    assert_true(file_read(path, 1 << 20, &t, &d));
    t.at[18] = 62; /* not a GPU */
    cu_fails(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, t.at));
    file_free(&t);
}

static int start(void **state)
{
    CUcontext c;
    (void)state;
    return cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&c, 0, 0) != CUDA_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turing),     cmocka_unit_test(ampere),       cmocka_unit_test(hopper),
        cmocka_unit_test(fat_binary), cmocka_unit_test(what_it_says), cmocka_unit_test(damaged),
        cmocka_unit_test(maxima),     cmocka_unit_test(packs),        cmocka_unit_test(casts),
        cmocka_unit_test(rings),      cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
