/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, captures, graphs, host functions and pools from several threads at once: each thread's results are its own, and
 * nothing stands still. Meant for the thread sanitizer, too. */
#include "rig.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 12 };

struct worker {
    pthread_t thread;
    uint32_t number, calls, wrong;
    uint32_t *mem;
    cudaStream_t stream;
};

/* cmocka's assertions are for the main thread: workers count what went wrong. */
#define must(call) (w->wrong += (call) != cudaSuccess)

/* Runs with the runtime's lock released: other threads, and this function itself, may use the API. */
static void in_between(void *arg)
{
    struct worker *w = arg;
    int device;
    cudaEvent_t e;
    w->calls++;
    must(cudaGetDevice(&device));
    must(cudaEventCreate(&e));
    must(cudaEventDestroy(e));
}

static void launch_step(struct worker *w, cudaStream_t s, uint32_t a, uint32_t b)
{
    void *args[] = {&w->mem, &a, &b};
    must(cudaLaunchKernel(kernel("step"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
}

/* One more than twice as much, by way of a graph of three nodes. */
static void by_graph(struct worker *w)
{
    cudaGraph_t g = NULL;
    cudaGraphExec_t x = NULL;
    must(cudaStreamBeginCapture(w->stream, cudaStreamCaptureModeThreadLocal));
    launch_step(w, w->stream, 2, 0);
    must(cudaLaunchHostFunc(w->stream, in_between, w));
    launch_step(w, w->stream, 1, 1);
    must(cudaStreamEndCapture(w->stream, &g));
    must(cudaGraphInstantiate(&x, g, 0));
    must(cudaGraphLaunch(x, w->stream));
    must(cudaGraphExecDestroy(x));
    must(cudaGraphDestroy(g));
}

/* The same in the thread's own default stream, after the other one. */
static void by_stream(struct worker *w)
{
    cudaEvent_t e;
    must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    must(cudaEventRecord(e, w->stream));
    must(cudaStreamWaitEvent(cudaStreamPerThread, e, 0));
    launch_step(w, cudaStreamPerThread, 2, 1);
    must(cudaLaunchHostFunc(cudaStreamPerThread, in_between, w));
    must(cudaEventDestroy(e));
}

static void *work(void *arg)
{
    struct worker *w = arg;
    uint32_t want = w->number, got = 0;
    void *scratch;
    must(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking));
    must(cudaMallocAsync((void **)&w->mem, 4, w->stream));
    must(cudaMemcpyAsync(w->mem, &want, 4, cudaMemcpyHostToDevice, w->stream));
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2)
            by_graph(w);
        else
            by_stream(w);
        must(cudaMallocAsync(&scratch, 4096, w->stream));
        must(cudaFreeAsync(scratch, w->stream));
        want = want * 2 + 1;
    }
    must(cudaStreamSynchronize(cudaStreamPerThread));
    must(cudaMemcpyAsync(&got, w->mem, 4, cudaMemcpyDeviceToHost, w->stream));
    must(cudaStreamSynchronize(w->stream));
    w->wrong += got != want || w->calls != ROUNDS;
    must(cudaFreeAsync(w->mem, w->stream));
    must(cudaStreamDestroy(w->stream));
    return NULL;
}

static void threads(void **state)
{
    struct worker w[THREADS] = {0};
    uint64_t used = 1;
    cudaMemPool_t pool;
    (void)state;
    for (uint32_t i = 0; i < THREADS; i++) {
        w[i].number = i + 1;
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].thread, NULL);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(w[i].wrong, 0);
    ok(cudaDeviceGetDefaultMemPool(&pool, 0));
    ok(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    assert_int_equal(used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads)};
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
