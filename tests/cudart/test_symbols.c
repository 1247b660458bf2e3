/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of device code: plain, constant and managed ones, by symbol, by address and from kernels. */
#include "prog.h"

static const char ptx[] = PTX_HEAD
    ".visible .global .align 4 .u32 plain[4] = {1, 2, 3, 4};\n"
    ".visible .const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared_with_host = 7;\n"
    ".visible .global .align 8 .u64 where = generic(shared_with_host);\n"
    ".visible .entry sum(.param .u64 p)\n" /* *p = plain[1] + table[2] + shared_with_host; shared_with_host += 1 */
    "{ .reg .b32 %r<6>; .reg .b64 %d<3>; ld.global.u32 %r1, [plain+4]; ld.const.u32 %r2, [table+8];\n"
    "  ld.global.u32 %r3, [shared_with_host]; add.s32 %r4, %r1, %r2; add.s32 %r4, %r4, %r3; ld.param.u64 "
    "%d1, [p];\n"
    "  st.global.u32 [%d1], %r4; add.s32 %r3, %r3, 1; ld.global.u64 %d2, [where]; st.u32 [%d2], %r3; ret; "
    "}\n";

static char h_plain, h_table, h_unknown, k_sum;
static int *managed; /* what the compiler makes of the variable: a pointer that the runtime sets */
static struct prog prog;

static int setup(void **state)
{
    (void)state;
    prog_open(&prog, ptx);
    prog_kernel(&prog, &k_sum, "sum");
    __cudaRegisterVar(prog.handle, &h_plain, NULL, "plain", 0, 16, 0, 0);
    __cudaRegisterVar(prog.handle, &h_table, NULL, "table", 0, 16, 1, 0);
    __cudaRegisterManagedVar(prog.handle, (void **)&managed, NULL, "shared_with_host", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(prog.handle);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    prog_close(&prog);
    FAILS(cudaMemcpyToSymbol(&h_plain, state, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    return 0;
}

static int run_sum(void)
{
    void *p, *args[] = {&p};
    int got = 0;
    OK(cudaMalloc(&p, 4));
    OK(cudaLaunchKernel(&k_sum, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL));
    OK(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    return got;
}

static void test_managed(void **state)
{
    (void)state;
    assert_non_null(managed);
    assert_int_equal(__cudaInitModule(prog.handle), 1);
    assert_int_equal(*managed, 7);
    *managed = 100;
    assert_int_equal(run_sum(), 2 + 30 + 100);
    assert_int_equal(*managed, 101);
    int v = 0;
    OK(cudaMemcpyFromSymbol(&v, managed, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(v, 101);
    OK(cudaDeviceReset());
    assert_int_equal(*managed, 101); /* still there */
}

/* The other way of a compiler that has no managed variables: the shadow is the variable. */
static void test_managed_in_place(void **state)
{
    static const char text[] = PTX_HEAD ".visible .global .align 4 .u32 own = 40;\n"
                                        ".visible .entry inc() { .reg .b32 %r; ld.global.u32 %r, [own]; "
                                        "add.s32 %r, %r, 1; st.global.u32 [own], %r; ret; }\n";
    static const char k_inc;
    static int own[2];
    struct prog p;
    void *at;
    (void)state;
    __bankshotManaged(own, own + 1);
    __bankshotManaged(own, own + 1);
    prog_open(&p, text);
    prog_kernel(&p, &k_inc, "inc");
    __cudaRegisterVar(p.handle, (char *)own, NULL, "own", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(p.handle);
    assert_int_equal(own[0], 40);
    own[0] = 50;
    OK(cudaLaunchKernel(&k_inc, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
    assert_int_equal(own[0], 51);
    OK(cudaGetSymbolAddress(&at, own));
    assert_ptr_equal(at, own);
    FAILS(cudaFree(own), cudaErrorInvalidValue);
    OK(cudaDeviceReset());
    OK(cudaLaunchKernel(&k_inc, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
    assert_int_equal(own[0], 52);
    prog_close(&p);
    FAILS(cudaMemset(own, 0, 4), cudaErrorInvalidValue); /* not known any more */
    (void)cudaGetLastError();
}

/* A captured copy names a variable whose module goes away. */
static void test_gone(void **state)
{
    static char host;
    struct prog p;
    int v = 3;
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    (void)state;
    prog_open(&p, PTX_HEAD ".visible .global .align 4 .u32 gone;\n");
    __cudaRegisterVar(p.handle, &host, NULL, "gone", 0, 4, 0, 0);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMemcpyToSymbolAsync(&host, &v, 4, 0, cudaMemcpyHostToDevice, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, s));
    v = 0;
    OK(cudaMemcpyFromSymbol(&v, &host, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(v, 3);
    prog_close(&p);
    assert_int_not_equal(cudaGraphLaunch(x, s), cudaSuccess);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    (void)cudaGetLastError();
}

static void test_copies(void **state)
{
    const int two[] = {200, 300};
    int v[4], five = 500;
    (void)state;
    OK(cudaMemcpyToSymbol(&h_plain, two, 8, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(v, &h_plain, 16, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(v[0], 1);
    assert_int_equal(v[1], 200);
    assert_int_equal(v[2], 300);
    OK(cudaMemcpyToSymbol(&h_table, &five, 4, 8, cudaMemcpyDefault));
    *managed = 1;
    assert_int_equal(run_sum(), 200 + 500 + 1);
    OK(cudaMemcpyFromSymbolAsync(v, &h_table, 8, 8, cudaMemcpyDeviceToHost, NULL));
    assert_int_equal(v[0], 500);
    assert_int_equal(v[1], 40);
    void *dev;
    OK(cudaMalloc(&dev, 16));
    OK(cudaMemcpyFromSymbol(dev, &h_plain, 16, 0, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpyToSymbol(&h_table, dev, 16, 0, cudaMemcpyDeviceToDevice));
    assert_int_equal(run_sum(), 200 + 300 + 2);
    OK(cudaFree(dev));
    FAILS(cudaMemcpyToSymbol(&h_plain, v, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpyToSymbol(&h_plain, v, 4, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpyToSymbol(&h_plain, v, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    FAILS(cudaMemcpyToSymbol(&h_unknown, v, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    FAILS(cudaMemcpyFromSymbol(v, NULL, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidSymbol);
    (void)cudaGetLastError();
}

static void test_addresses(void **state)
{
    void *p = NULL, *c = NULL;
    size_t n = 0;
    int v = 0, nine = 9;
    (void)state;
    OK(cudaGetSymbolAddress(&p, &h_plain));
    OK(cudaGetSymbolSize(&n, &h_plain));
    assert_int_equal(n, 16);
    OK(cudaMemcpy((char *)p + 12, &nine, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(&v, &h_plain, 4, 12, cudaMemcpyDeviceToHost));
    assert_int_equal(v, 9);
    FAILS(cudaMemcpy((char *)p + 13, &nine, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    OK(cudaGetSymbolAddress(&c, &h_table)); /* constants can be copied to by address as well */
    OK(cudaMemcpy((char *)c + 12, &nine, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(&v, &h_table, 4, 12, cudaMemcpyDeviceToHost));
    assert_int_equal(v, 9);
    FAILS(cudaMemcpy((char *)c + 13, &nine, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaGetSymbolAddress(&p, &h_unknown), cudaErrorInvalidSymbol);
    FAILS(cudaGetSymbolSize(&n, NULL), cudaErrorInvalidSymbol);
    (void)cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_managed), cmocka_unit_test(test_managed_in_place), cmocka_unit_test(test_gone),
        cmocka_unit_test(test_copies),  cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
