/* SPDX-License-Identifier: Apache-2.0 */
/* The order of launches as the trace of a program tells it: streams, after-lists, graphs. */
#include "rig.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/bankshot-order-XXXXXX";

static int setup(void **state)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    setenv("BANKSHOT_RECORD", path, 1); /* read at the first call */
    return rig_setup(state);
}

static int teardown(void **state)
{
    (void)state;
    return remove(path);
}

static void comes_after(const struct tr_reader *r, uint32_t launch, uint64_t stream, unsigned n, ...)
{
    const struct tr_launch *l = &tr_launch(r, launch)->l;
    va_list ap;
    va_start(ap, n);
    assert_int_equal(l->stream, stream);
    assert_int_equal(l->nafter, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(l->after[i], va_arg(ap, uint32_t));
    va_end(ap);
}

/* A launch with a priority of its own. */
static void go_at(cudaStream_t s, int priority)
{
    cudaLaunchAttribute at = {.id = cudaLaunchAttributePriority, .val = {.priority = priority}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &at, .numAttrs = 1};
    ok(cudaLaunchKernelExC(&c, kernel("nop"), NULL));
}

/* Launches 0 to 8: a fork, a join, a copy that the host waits for, a graph of two independent kernels. Then two with priorities
 * of their own, the second captured. */
static void recorded(void **state)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t n;
    unsigned long long ia, ib;
    uint32_t *p, v;
    (void)state;
    ok(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    ok(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, -3));
    ok(cudaStreamGetId(a, &ia));
    ok(cudaStreamGetId(b, &ib));
    ok(cudaEventCreate(&e));
    ok(cudaMalloc((void **)&p, 4));
    go(a); /* 0 */
    ok(cudaEventRecord(e, a));
    ok(cudaStreamWaitEvent(b, e, 0));
    go(a); /* 1 */
    go(b); /* 2 */
    ok(cudaEventRecord(e, b));
    ok(cudaStreamWaitEvent(a, e, 0));
    go(a); /* 3 */
    go(b); /* 4 */
    ok(cudaMemcpyAsync(&v, p, 4, cudaMemcpyDeviceToHost, a));
    go(0); /* 5 */
    struct cudaKernelNodeParams k = {.func = kernel("nop"), .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}};
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    ok(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, b)); /* 6, 7 */
    go(b);                     /* 8 */
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    go_at(a, -99); /* 9 */
    ok(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    go_at(a, -4);
    ok(cudaStreamEndCapture(a, &g));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, b)); /* 10 */
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));

    struct rt *rt = rt_enter("test");
    rt_end_trace(rt);
    rt_leave_quiet(rt);
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    assert_false(tr_partial(r));
    assert_int_equal(tr_nlaunches(r), 11);
    comes_after(r, 0, ia, 0);
    comes_after(r, 1, ia, 1, 0);
    comes_after(r, 2, ib, 1, 0);
    comes_after(r, 3, ia, 2, 1, 2);
    comes_after(r, 4, ib, 1, 2);
    comes_after(r, 5, 0, 1, 3);
    comes_after(r, 6, ib, 2, 3, 4); /* the host has waited for 3, the stream has 4 */
    comes_after(r, 7, ib, 2, 3, 4);
    comes_after(r, 8, ib, 2, 6, 7);
    for (uint32_t i = 0; i < 9; i++) /* those of a graph have the stream's in which it is launched */
        assert_int_equal(tr_priority(&tr_launch(r, i)->l), tr_launch(r, i)->l.stream == ib ? 3 : 0);
    assert_int_equal(tr_priority(&tr_launch(r, 9)->l), 5); /* the highest that there is */
    assert_int_equal(tr_priority(&tr_launch(r, 10)->l), 3);
    tr_free(r);
    diag_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
