/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads of a program use the runtime at once; each has its own last error, and the launches do not mix. */
#include "prog.h"

#include <pthread.h>

static const char ptx[] =
    PTX_HEAD ".visible .entry add(.param .u64 p, .param .u32 v)\n"
             "{ .reg .b32 %r<3>; .reg .b64 %d<2>; ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v];\n"
             "  ld.global.u32 %r2, [%d1]; add.s32 %r2, %r2, %r1; st.global.u32 [%d1], %r2; ret; }\n";

enum { THREADS = 6, ROUNDS = 40 };
static const char k_add;
static struct prog prog;

static int setup(void **state)
{
    (void)state;
    prog_open(&prog, ptx);
    prog_kernel(&prog, &k_add, "add");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    prog_close(&prog);
    return 0;
}

/* cmocka's assertions are for the main thread: returns what went wrong. */
static const char *work(int id)
{
    void *p;
    int v = id + 1, got = 0;
    cudaStream_t s;
    if (cudaStreamCreate(&s) || cudaMalloc(&p, 4) || cudaMemset(p, 0, 4))
        return "setup";
    if (id % 2 && cudaSetDevice(5) != cudaErrorInvalidDevice)
        return "wrong device accepted";
    void *args[] = {&p, &v};
    for (int i = 0; i < ROUNDS; i++) {
        dim3 grid, block;
        size_t shared;
        cudaStream_t to;
        if (__cudaPushCallConfiguration((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, s) ||
            __cudaPopCallConfiguration(&grid, &block, &shared, &to) || to != s ||
            cudaLaunchKernel(&k_add, grid, block, args, shared, to))
            return "launch";
    }
    if (cudaMemcpyAsync(&got, p, 4, cudaMemcpyDeviceToHost, s) || cudaStreamSynchronize(s))
        return "copy";
    if (got != ROUNDS * v)
        return "wrong sum";
    if (cudaGetLastError() != (id % 2 ? cudaErrorInvalidDevice : cudaSuccess))
        return "last error of another thread";
    return cudaFree(p) || cudaStreamDestroy(s) ? "end" : NULL;
}

static void *start(void *arg) { return (void *)(uintptr_t)work(*(int *)arg); }

static void test_threads(void **state)
{
    pthread_t t[THREADS];
    int id[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        id[i] = i;
        assert_int_equal(pthread_create(&t[i], NULL, start, &id[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *why;
        pthread_join(t[i], &why);
        if (why)
            fail_msg("thread %d: %s", i, (const char *)why);
    }
}

/* A host function may wait for a thread that uses the runtime, and use it itself. */
static void *free_it(void *p) { return (void *)(uintptr_t)cudaFree(p); }

static void callback(void *arg)
{
    pthread_t t;
    void *e = &t;
    pthread_create(&t, NULL, free_it, *(void **)arg);
    pthread_join(t, &e);
    *(void **)arg = e;
}

static void test_host_function(void **state)
{
    void *p;
    (void)state;
    OK(cudaMalloc(&p, 16));
    OK(cudaLaunchHostFunc(NULL, callback, &p));
    assert_null(p); /* cudaSuccess */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_host_function),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
