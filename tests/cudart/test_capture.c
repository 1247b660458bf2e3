/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: what becomes of operations, forks and joins, and everything that must not happen meanwhile. */
#include "rig.h"

#include <pthread.h>

static cudaStream_t stream(void)
{
    cudaStream_t s;
    ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
}

static cudaEvent_t event(void)
{
    cudaEvent_t e;
    ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
}

static enum cudaStreamCaptureStatus status(cudaStream_t s)
{
    enum cudaStreamCaptureStatus v;
    ok(cudaStreamIsCapturing(s, &v));
    return v;
}

/* Ends a capture that was spoilt. */
static void end_invalid(cudaStream_t s)
{
    cudaGraph_t g = (cudaGraph_t)&g;
    assert_int_equal(status(s), cudaStreamCaptureStatusInvalidated);
    fails(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    assert_null(g);
    assert_int_equal(status(s), cudaStreamCaptureStatusNone);
}

/* Nothing runs while capturing; the graph does it, as often as it is launched. */
static void capture_and_replay(void **state)
{
    uint32_t *p, *q, host = 0;
    cudaStream_t s = stream();
    cudaGraph_t g;
    cudaGraphExec_t x;
    (void)state;
    ok(cudaMalloc((void **)&p, 8));
    q = p + 1;
    ok(cudaMemset(p, 0, 8));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    assert_int_equal(status(s), cudaStreamCaptureStatusActive);
    step(s, p, 3, 1);
    ok(cudaMemcpyAsync(q, p, 4, cudaMemcpyDeviceToDevice, s));
    step(s, q, 10, 7);
    ok(cudaMemcpyAsync(&host, q, 4, cudaMemcpyDeviceToHost, s));
    ok(cudaStreamEndCapture(s, &g));
    assert_int_equal(host, 0);
    assert_int_equal(read_u32(p), 0);
    size_t n = 0;
    ok(cudaGraphGetNodes(g, NULL, &n));
    assert_int_equal(n, 4);
    ok(cudaGraphGetEdges(g, NULL, NULL, &n));
    assert_int_equal(n, 3);
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphDestroy(g)); /* the executable graph is on its own */
    ok(cudaGraphLaunch(x, s));
    ok(cudaStreamSynchronize(s));
    assert_int_equal(host, 17);
    ok(cudaGraphLaunch(x, s));
    assert_int_equal(host, 47);
    assert_int_equal(read_u32(p), 4);
    ok(cudaGraphExecDestroy(x));
    fails(cudaErrorInvalidValue, cudaGraphLaunch(x, s));
    ok(cudaStreamDestroy(s));
    ok(cudaFree(p));
}

/* Parameters are copied when captured. */
static void arguments_are_copied(void **state)
{
    uint32_t *p, a = 0, b = 5;
    cudaStream_t s = stream();
    cudaGraph_t g;
    cudaGraphExec_t x;
    (void)state;
    ok(cudaMalloc((void **)&p, 4));
    void *args[] = {&p, &a, &b};
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaLaunchKernel(kernel("step"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    b = 99;
    ok(cudaStreamEndCapture(s, &g));
    ok(cudaGraphInstantiateWithFlags(&x, g, 0));
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 5);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaStreamDestroy(s));
    ok(cudaFree(p));
}

/* Fork by an event into other streams, join by others: a diamond, in the graph and in the order of its launches. */
static void fork_and_join(void **state)
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event(), f = event();
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t from[4], to[4], nodes[4];
    size_t n = 4;
    (void)state;
    void *nop = kernel("nop");
    const dim3 one = {1, 1, 1};
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, s));
    ok(cudaEventRecord(e, s));
    ok(cudaStreamWaitEvent(t, e, 0));
    assert_int_equal(status(t), cudaStreamCaptureStatusActive);
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, s));
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, t));
    ok(cudaEventRecord(f, t));
    ok(cudaStreamWaitEvent(s, f, 0));
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, s));
    ok(cudaStreamEndCapture(s, &g));
    assert_int_equal(status(t), cudaStreamCaptureStatusNone);
    ok(cudaGraphGetNodes(g, nodes, &n));
    assert_int_equal(n, 4);
    ok(cudaGraphGetEdges(g, from, to, &n));
    assert_int_equal(n, 4);
    const int want[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 4; i++) {
        assert_ptr_equal(from[i], nodes[want[i][0]]);
        assert_ptr_equal(to[i], nodes[want[i][1]]);
    }
    ok(cudaGraphInstantiate(&x, g, 0));
    uint32_t z = barrier();
    ok(cudaGraphLaunch(x, s));
    ok(cudaGraphLaunch(x, s));
    after(z + 1, 1, z);
    after(z + 2, 1, z + 1);
    after(z + 3, 1, z + 1);
    after(z + 4, 2, z + 2, z + 3);
    after(z + 5, 1, z + 4); /* graphs in one stream follow each other */
    after(z + 6, 1, z + 5);
    assert_int_equal(last_launch(), z + 8);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaEventDestroy(e));
    ok(cudaEventDestroy(f));
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(t));
}

static void begin_and_end(void **state)
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event();
    cudaGraph_t g;
    (void)state;
    fails(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    fails(cudaErrorInvalidValue, cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)7));
    fails(cudaErrorIllegalState, cudaStreamEndCapture(s, &g));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fails(cudaErrorIllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaEventRecord(e, s));
    ok(cudaStreamWaitEvent(t, e, 0));
    fails(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &g));
    end_invalid(s);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaStreamEndCapture(s, &g)); /* an empty graph */
    size_t n = 9;
    ok(cudaGraphGetNodes(g, NULL, &n));
    assert_int_equal(n, 0);
    ok(cudaGraphDestroy(g));
    ok(cudaEventDestroy(e));
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(t));
}

static void unjoined_fork(void **state)
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event();
    cudaGraph_t g;
    (void)state;
    void *nop = kernel("nop");
    const dim3 one = {1, 1, 1};
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaEventRecord(e, s));
    ok(cudaStreamWaitEvent(t, e, 0));
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, t));
    fails(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &g));
    assert_null(g);
    assert_int_equal(status(t), cudaStreamCaptureStatusNone);
    ok(cudaEventDestroy(e));
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(t));
}

/* Streams may be destroyed while they capture: a joined one is not missed, an unjoined one is, and without its origin a
 * capture is over. */
static void destroyed_streams(void **state)
{
    const dim3 one = {1, 1, 1};
    void *nop = kernel("nop");
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* joined, not joined, the origin */
        cudaStream_t s = stream(), t = stream();
        cudaEvent_t e = event();
        cudaGraph_t g = NULL;
        ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        ok(cudaEventRecord(e, s));
        ok(cudaStreamWaitEvent(t, e, 0));
        ok(cudaLaunchKernel(nop, one, one, NULL, 0, t));
        ok(cudaEventRecord(e, t));
        if (kind != 1)
            ok(cudaStreamWaitEvent(s, e, 0));
        ok(cudaStreamDestroy(kind == 2 ? s : t));
        if (kind == 2) {
            assert_int_equal(status(t), cudaStreamCaptureStatusNone);
            ok(cudaStreamDestroy(t));
        } else {
            assert_int_equal(cudaStreamEndCapture(s, &g),
                             kind ? cudaErrorStreamCaptureUnjoined : cudaSuccess);
            cudaGetLastError();
            ok(cudaStreamDestroy(s));
        }
        if (g)
            ok(cudaGraphDestroy(g));
        ok(cudaEventDestroy(e));
    }
}

/* Waiting, asking and allocating cannot be captured, and spoil it. */
static void unsupported_calls(void **state)
{
    cudaStream_t s = stream();
    void *p;
    const struct {
        const char *what;
        cudaError_t code;
    } cases[] = {{"sync", cudaErrorStreamCaptureUnsupported},
                 {"query", cudaErrorStreamCaptureUnsupported},
                 {"device", cudaErrorStreamCaptureUnsupported},
                 {"malloc", cudaErrorStreamCaptureUnsupported},
                 {"callback", cudaErrorStreamCaptureUnsupported}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        cudaError_t e = i == 0   ? cudaStreamSynchronize(s)
                        : i == 1 ? cudaStreamQuery(s)
                        : i == 2 ? cudaDeviceSynchronize()
                        : i == 3
                            ? cudaMalloc(&p, 4)
                            : cudaStreamAddCallback(s, (cudaStreamCallback_t)(void (*)(void))abort, NULL, 0);
        assert_int_equal(e, cases[i].code);
        cudaGetLastError();
        /* Spoilt: the next operation says so. */
        const dim3 one = {1, 1, 1};
        fails(cudaErrorStreamCaptureInvalidated, cudaLaunchKernel(kernel("nop"), one, one, NULL, 0, s));
        end_invalid(s);
    }
    ok(cudaStreamDestroy(s));
}

/* The legacy stream would wait for a blocking stream that captures. */
static void legacy_stream(void **state)
{
    cudaStream_t s, n = stream();
    cudaGraph_t g;
    const dim3 one = {1, 1, 1};
    (void)state;
    void *nop = kernel("nop");
    ok(cudaStreamCreate(&s));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    enum cudaStreamCaptureStatus st;
    fails(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(0, &st));
    assert_int_equal(status(s), cudaStreamCaptureStatusActive); /* asking does no harm */
    fails(cudaErrorStreamCaptureImplicit, cudaLaunchKernel(nop, one, one, NULL, 0, 0));
    end_invalid(s);
    ok(cudaStreamBeginCapture(n, cudaStreamCaptureModeRelaxed));
    ok(cudaLaunchKernel(nop, one, one, NULL, 0, 0)); /* a non-blocking one is no matter */
    ok(cudaStreamEndCapture(n, &g));
    ok(cudaGraphDestroy(g));
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(n));
}

static void events_across_the_border(void **state)
{
    cudaStream_t s = stream(), t = stream(), u = stream();
    cudaEvent_t e = event(), f = event();
    cudaGraph_t g;
    float ms;
    (void)state;
    ok(cudaEventRecord(e, t)); /* outside */
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    fails(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(s, e, 0));
    end_invalid(s);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaStreamWaitEvent(s, f, 0)); /* never recorded: nothing to wait for */
    ok(cudaEventRecord(e, s));
    fails(cudaErrorCapturedEvent, cudaEventSynchronize(e));
    end_invalid(s);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaEventRecord(e, s));
    fails(cudaErrorCapturedEvent, cudaEventElapsedTime(&ms, e, e));
    fails(cudaErrorCapturedEvent, cudaEventQuery(e));
    end_invalid(s);
    fails(cudaErrorInvalidValue, cudaEventSynchronize(e)); /* until it is recorded outside of captures */
    ok(cudaEventRecord(e, t));
    ok(cudaEventSynchronize(e));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaStreamBeginCapture(u, cudaStreamCaptureModeRelaxed));
    ok(cudaEventRecord(f, u));
    fails(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(s, f, 0));
    end_invalid(s);
    end_invalid(u);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaEventRecord(f, s));
    fails(cudaErrorStreamCaptureImplicit, cudaStreamWaitEvent(0, f, 0));
    end_invalid(s);
    /* External events are nodes. */
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    ok(cudaEventRecordWithFlags(f, s, cudaEventRecordExternal));
    ok(cudaStreamEndCapture(s, &g));
    cudaGraphNode_t nodes[2];
    enum cudaGraphNodeType type;
    size_t n = 2;
    ok(cudaGraphGetNodes(g, nodes, &n));
    assert_int_equal(n, 2);
    ok(cudaGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, cudaGraphNodeTypeWaitEvent);
    ok(cudaGraphNodeGetType(nodes[1], &type));
    assert_int_equal(type, cudaGraphNodeTypeEventRecord);
    fails(cudaErrorIllegalState, cudaEventRecordWithFlags(f, s, cudaEventRecordExternal));
    ok(cudaGraphDestroy(g));
    ok(cudaEventDestroy(e));
    ok(cudaEventDestroy(f));
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(t));
    ok(cudaStreamDestroy(u));
}

/* Which calls a capture forbids depends on its mode and on the thread's. */
static void *other_thread(void *arg)
{
    void *p;
    cudaError_t *e = arg;
    *e = cudaMalloc(&p, 4);
    if (*e == cudaSuccess)
        ok(cudaFree(p));
    return NULL;
}

static cudaError_t malloc_elsewhere(void)
{
    pthread_t t;
    cudaError_t e;
    pthread_create(&t, NULL, other_thread, &e);
    pthread_join(t, NULL);
    return e;
}

static void modes(void **state)
{
    cudaStream_t s = stream();
    cudaGraph_t g;
    void *p;
    (void)state;
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ok(cudaMalloc(&p, 4));
    ok(cudaFree(p));
    ok(cudaStreamEndCapture(s, &g));
    ok(cudaGraphDestroy(g));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    assert_int_equal(malloc_elsewhere(), cudaSuccess);
    fails(cudaErrorStreamCaptureUnsupported, cudaMalloc(&p, 4));
    end_invalid(s);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    assert_int_equal(malloc_elsewhere(), cudaErrorStreamCaptureUnsupported);
    end_invalid(s);
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    ok(cudaThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, cudaStreamCaptureModeGlobal);
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaMalloc(&p, 4));
    ok(cudaFree(p));
    ok(cudaThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, cudaStreamCaptureModeRelaxed);
    ok(cudaStreamEndCapture(s, &g));
    ok(cudaGraphDestroy(g));
    ok(cudaStreamDestroy(s));
}

static void *end_there(void *arg)
{
    cudaGraph_t g;
    return (void *)(intptr_t)cudaStreamEndCapture(arg, &g);
}

static void wrong_thread(void **state)
{
    cudaStream_t s = stream();
    pthread_t t;
    void *e;
    (void)state;
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    pthread_create(&t, NULL, end_there, s);
    pthread_join(t, &e);
    assert_int_equal((intptr_t)e, cudaErrorStreamCaptureWrongThread);
    end_invalid(s);
    ok(cudaStreamDestroy(s));
}

static void info_and_dependencies(void **state)
{
    cudaStream_t s = stream();
    cudaGraph_t g, h;
    enum cudaStreamCaptureStatus st;
    unsigned long long id;
    const cudaGraphNode_t *deps;
    cudaGraphNode_t empty;
    size_t n;
    (void)state;
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaStreamGetCaptureInfo(s, &st, &id, &g, &deps, &n));
    assert_int_equal(st, cudaStreamCaptureStatusActive);
    assert_int_not_equal(id, 0);
    assert_int_equal(n, 0);
    fails(cudaErrorInvalidValue, cudaGraphDestroy(g)); /* it is being built */
    ok(cudaGraphAddEmptyNode(&empty, g, NULL, 0));
    cudaGraphNode_t gone;
    cudaEvent_t e = event();
    ok(cudaGraphAddEmptyNode(&gone, g, NULL, 0)); /* a head that the program destroys */
    ok(cudaStreamUpdateCaptureDependencies(s, &gone, 1, cudaStreamAddCaptureDependencies));
    ok(cudaEventRecord(e, s));
    ok(cudaGraphDestroyNode(gone));
    ok(cudaStreamGetCaptureInfo(s, &st, &id, &g, &deps, &n));
    assert_int_equal(n, 0);
    ok(cudaStreamWaitEvent(s, e, 0));
    ok(cudaEventDestroy(e));
    ok(cudaStreamUpdateCaptureDependencies(s, &empty, 1, cudaStreamSetCaptureDependencies));
    const dim3 one = {1, 1, 1};
    ok(cudaLaunchKernel(kernel("nop"), one, one, NULL, 0, s));
    ok(cudaStreamEndCapture(s, &h));
    assert_ptr_equal(g, h);
    ok(cudaGraphNodeGetDependentNodes(empty, NULL, &n));
    assert_int_equal(n, 1);
    /* More work captured into the same graph. */
    ok(cudaStreamBeginCaptureToGraph(s, g, &empty, NULL, 1, cudaStreamCaptureModeGlobal));
    ok(cudaLaunchKernel(kernel("nop"), one, one, NULL, 0, s));
    ok(cudaStreamEndCapture(s, &h));
    assert_ptr_equal(g, h);
    ok(cudaGraphNodeGetDependentNodes(empty, NULL, &n));
    assert_int_equal(n, 2);
    ok(cudaGraphDestroy(g));
    ok(cudaStreamGetCaptureInfo(s, &st, &id, &g, &deps, &n));
    assert_int_equal(st, cudaStreamCaptureStatusNone);
    ok(cudaStreamDestroy(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capture_and_replay),
        cmocka_unit_test(arguments_are_copied),
        cmocka_unit_test(fork_and_join),
        cmocka_unit_test(begin_and_end),
        cmocka_unit_test(unjoined_fork),
        cmocka_unit_test(unsupported_calls),
        cmocka_unit_test(legacy_stream),
        cmocka_unit_test(events_across_the_border),
        cmocka_unit_test(modes),
        cmocka_unit_test(wrong_thread),
        cmocka_unit_test(info_and_dependencies),
        cmocka_unit_test(destroyed_streams),
    };
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
