/* SPDX-License-Identifier: Apache-2.0 */
/* What each launch comes after, by lists derived by hand from CUDA's rules for streams, events and the host's waits. */
#include "rig.h"

struct two {
    cudaStream_t a, b; /* blocking ones */
    cudaStream_t n, m; /* non-blocking ones */
    cudaEvent_t e, f;
    uint32_t z;
};

static struct two start(void)
{
    struct two t;
    ok(cudaStreamCreate(&t.a));
    ok(cudaStreamCreate(&t.b));
    ok(cudaStreamCreateWithFlags(&t.n, cudaStreamNonBlocking));
    ok(cudaStreamCreateWithFlags(&t.m, cudaStreamNonBlocking));
    ok(cudaEventCreate(&t.e));
    ok(cudaEventCreateWithFlags(&t.f, cudaEventDisableTiming));
    t.z = barrier();
    return t;
}

static void finish(struct two *t)
{
    ok(cudaEventDestroy(t->e));
    ok(cudaEventDestroy(t->f));
    ok(cudaStreamDestroy(t->a));
    ok(cudaStreamDestroy(t->b));
    ok(cudaStreamDestroy(t->n));
    ok(cudaStreamDestroy(t->m));
}

static void streams_are_chains(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a), b1 = go(t.b), n1 = go(t.n), a2 = go(t.a), b2 = go(t.b), n2 = go(t.n);
    (void)s;
    after(a1, 1, t.z);
    after(b1, 1, t.z);
    after(n1, 1, t.z);
    after(a2, 1, a1);
    after(b2, 1, b1);
    after(n2, 1, n1);
    finish(&t);
}

static void events_order_streams(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a);
    (void)s;
    ok(cudaEventRecord(t.e, t.a));
    uint32_t a2 = go(t.a), n1 = go(t.n);
    ok(cudaStreamWaitEvent(t.n, t.e, 0));
    uint32_t n2 = go(t.n), n3 = go(t.n);
    after(a2, 1, a1);
    after(n1, 1, t.z);
    after(n2, 2, a1, n1);
    after(n3, 1, n2);
    finish(&t);
}

/* What is already known to come before adds nothing. */
static void lists_are_minimal(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a);
    (void)s;
    ok(cudaEventRecord(t.e, t.a)); /* after a1 */
    uint32_t a2 = go(t.a);
    ok(cudaEventRecord(t.f, t.a)); /* after a2 */
    ok(cudaStreamWaitEvent(t.n, t.e, 0));
    ok(cudaStreamWaitEvent(t.n, t.f, 0));
    uint32_t n1 = go(t.n);
    after(n1, 1, a2);
    ok(cudaStreamWaitEvent(t.m, t.f, 0));
    ok(cudaStreamWaitEvent(t.m, t.e, 0));
    uint32_t m1 = go(t.m);
    after(m1, 1, a2);
    ok(cudaEventRecord(t.e, t.n));
    ok(cudaStreamWaitEvent(t.a, t.e, 0)); /* n1 is after a2 */
    uint32_t a3 = go(t.a);
    after(a3, 1, n1);
    (void)a1;
    finish(&t);
}

static void diamond(void **s)
{
    struct two t = start();
    uint32_t top = go(t.n);
    (void)s;
    ok(cudaEventRecord(t.e, t.n));
    ok(cudaStreamWaitEvent(t.m, t.e, 0));
    uint32_t left = go(t.n), right = go(t.m);
    ok(cudaEventRecord(t.f, t.m));
    ok(cudaStreamWaitEvent(t.n, t.f, 0));
    uint32_t bottom = go(t.n);
    after(top, 1, t.z);
    after(left, 1, top);
    after(right, 1, top);
    after(bottom, 2, left, right);
    finish(&t);
}

/* The legacy stream waits for all blocking streams and they for it; non-blocking ones do neither. */
static void legacy_stream(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a), b1 = go(t.b), n1 = go(t.n), l1 = go(0), l2 = go(cudaStreamLegacy), a2 = go(t.a),
             b2 = go(t.b), n2 = go(t.n), l3 = go(0);
    (void)s;
    after(l1, 2, a1, b1);
    after(l2, 1, l1);
    after(a2, 1, l2);
    after(b2, 1, l2);
    after(n1, 1, t.z);
    after(n2, 1, n1);
    after(l3, 2, a2, b2);
    finish(&t);
}

/* An event in the legacy stream stands for all blocking streams' work. */
static void legacy_event(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a), b1 = go(t.b);
    (void)s;
    ok(cudaEventRecord(t.e, 0));
    ok(cudaStreamWaitEvent(t.n, t.e, 0));
    uint32_t n1 = go(t.n);
    after(n1, 2, a1, b1);
    finish(&t);
}

static void per_thread_stream(void **s)
{
    struct two t = start();
    uint32_t p1 = go(cudaStreamPerThread), a1 = go(t.a), l1 = go(0), p2 = go(cudaStreamPerThread);
    (void)s;
    after(p1, 1, t.z);
    after(a1, 1, t.z);
    after(l1, 2, p1, a1);
    after(p2, 1, l1);
    finish(&t);
}

cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                  cudaStream_t stream);
cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);

/* Programs compiled for it have the thread's stream for the default one. */
static void per_thread_forms(void **s)
{
    struct two t = start();
    uint32_t *p, v;
    (void)s;
    ok(cudaMalloc((void **)&p, 4));
    uint32_t p1 = go(cudaStreamPerThread), a1 = go(t.a);
    ok(cudaLaunchKernel_ptsz(kernel("nop"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, 0));
    after(last_launch(), 1, p1);
    uint32_t p2 = last_launch();
    ok(cudaMemcpy_ptds(&v, p, 4, cudaMemcpyDeviceToHost)); /* the host waits for p2, not for a1 */
    uint32_t n1 = go(t.n);
    after(n1, 1, p2);
    uint32_t l1 = go(0);
    after(l1, 2, a1, p2);
    ok(cudaFree(p));
    finish(&t);
}

static void host_waits_for_stream(void **s)
{
    struct two t = start();
    uint32_t n1 = go(t.n), m1 = go(t.m);
    (void)s;
    ok(cudaStreamSynchronize(t.n));
    uint32_t a1 = go(t.a), m2 = go(t.m);
    after(m1, 1, t.z);
    after(a1, 1, n1);
    after(m2, 2, n1, m1);
    ok(cudaStreamQuery(t.m)); /* "ready" is as good as having waited */
    uint32_t b1 = go(t.b);
    after(b1, 1, m2);
    finish(&t);
}

static void host_waits_for_event(void **s)
{
    struct two t = start();
    uint32_t n1 = go(t.n);
    (void)s;
    ok(cudaEventRecord(t.e, t.n));
    uint32_t n2 = go(t.n);
    ok(cudaEventSynchronize(t.e));
    uint32_t m1 = go(t.m), n3 = go(t.n);
    after(m1, 1, n1);
    after(n3, 1, n2);
    ok(cudaEventRecord(t.e, t.n));
    ok(cudaEventQuery(t.e));
    uint32_t m2 = go(t.m);
    after(m2, 2, m1, n3);
    finish(&t);
}

/* cudaMemcpy is work of the legacy stream that the host waits for; on the device alone it does not wait. */
static void copies(void **s)
{
    struct two t = start();
    uint32_t *p, *q, v = 1;
    (void)s;
    ok(cudaMalloc((void **)&p, 8));
    q = p + 1;
    uint32_t a1 = go(t.a);
    ok(cudaMemcpy(q, p, 4, cudaMemcpyDeviceToDevice));
    uint32_t n1 = go(t.n), b1 = go(t.b);
    after(n1, 1, t.z);
    after(b1, 1, a1); /* through the legacy stream */
    ok(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost));
    uint32_t n2 = go(t.n), m1 = go(t.m);
    after(n2, 2, n1, b1);
    after(m1, 1, b1);
    ok(cudaMemcpyAsync(&v, p, 4, cudaMemcpyDeviceToHost, t.n)); /* to pageable memory: synchronous */
    uint32_t m2 = go(t.m);
    after(m2, 2, n2, m1);
    ok(cudaMemcpyAsync(p, q, 4, cudaMemcpyDeviceToDevice, t.n));
    ok(cudaMemset(p, 0, 4));
    uint32_t m3 = go(t.m);
    after(m3, 1, m2);
    uint32_t n3 = go(t.n);
    ok(cudaFree(p)); /* waits for the device */
    uint32_t a2 = go(t.a);
    after(a2, 2, m3, n3);
    finish(&t);
}

static void pinned_copies_do_not_wait(void **s)
{
    struct two t = start();
    uint32_t *p, *h;
    (void)s;
    ok(cudaMalloc((void **)&p, 4));
    ok(cudaMallocHost((void **)&h, 4));
    uint32_t n1 = go(t.n);
    ok(cudaMemcpyAsync(h, p, 4, cudaMemcpyDeviceToHost, t.n));
    uint32_t m1 = go(t.m);
    after(m1, 1, t.z);
    ok(cudaEventRecord(t.e, t.n)); /* after the copy, which is after n1 */
    ok(cudaStreamWaitEvent(t.m, t.e, 0));
    uint32_t m2 = go(t.m);
    after(m2, 2, n1, m1);
    ok(cudaFreeHost(h));
    ok(cudaFree(p));
    finish(&t);
}

static void destroyed_streams_still_count(void **s)
{
    struct two t = start();
    cudaStream_t x, y;
    (void)s;
    ok(cudaStreamCreate(&x));
    ok(cudaStreamCreateWithFlags(&y, cudaStreamNonBlocking));
    uint32_t x1 = go(x), y1 = go(y);
    ok(cudaStreamDestroy(x));
    ok(cudaStreamDestroy(y));
    uint32_t l1 = go(0);
    after(l1, 1, x1);
    ok(cudaDeviceSynchronize());
    uint32_t n1 = go(t.n);
    after(n1, 2, y1, l1);
    finish(&t);
}

static void recorded_again(void **s)
{
    struct two t = start();
    uint32_t a1 = go(t.a);
    (void)s;
    ok(cudaStreamWaitEvent(t.m, t.f, 0)); /* never recorded: no wait */
    uint32_t m1 = go(t.m);
    after(m1, 1, t.z);
    ok(cudaEventRecord(t.e, t.a));
    ok(cudaStreamWaitEvent(t.n, t.e, 0)); /* stands for a1 whatever comes */
    uint32_t b1 = go(t.b);
    ok(cudaEventRecord(t.e, t.b));
    uint32_t n1 = go(t.n);
    after(n1, 1, a1);
    ok(cudaStreamWaitEvent(t.n, t.e, 0));
    uint32_t n2 = go(t.n);
    after(n2, 2, b1, n1);
    finish(&t);
}

/* Thousands of launches: lists stay short, and nothing is quadratic. */
static void long_runs(void **s)
{
    struct two t = start();
    uint32_t n0 = 0, m0 = 0;
    (void)s;
    for (int i = 0; i < 20000; i++) {
        uint32_t n1 = go(t.n), m1 = go(t.m);
        if (i) {
            after(n1, 1, n0);
            after(m1, i % 100 == 1 ? 2u : 1u, i % 100 == 1 ? n0 : m0, m0);
        }
        if (i % 100 == 0) {
            ok(cudaEventRecord(t.e, t.n));
            ok(cudaStreamWaitEvent(t.m, t.e, 0));
        }
        n0 = n1;
        m0 = m1;
    }
    finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_chains),
        cmocka_unit_test(events_order_streams),
        cmocka_unit_test(lists_are_minimal),
        cmocka_unit_test(diamond),
        cmocka_unit_test(legacy_stream),
        cmocka_unit_test(legacy_event),
        cmocka_unit_test(per_thread_stream),
        cmocka_unit_test(per_thread_forms),
        cmocka_unit_test(host_waits_for_stream),
        cmocka_unit_test(host_waits_for_event),
        cmocka_unit_test(copies),
        cmocka_unit_test(pinned_copies_do_not_wait),
        cmocka_unit_test(destroyed_streams_still_count),
        cmocka_unit_test(recorded_again),
        cmocka_unit_test(long_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
