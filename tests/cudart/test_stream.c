/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events: life, misuse, questions, host functions, time. */
#include "rig.h"

static void life(void **state)
{
    cudaStream_t s;
    unsigned flags;
    int priority, device;
    unsigned long long id, other;
    (void)state;
    ok(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -2));
    ok(cudaStreamGetFlags(s, &flags));
    assert_int_equal(flags, cudaStreamNonBlocking);
    ok(cudaStreamGetPriority(s, &priority));
    assert_int_equal(priority, -2);
    ok(cudaStreamGetDevice(s, &device));
    assert_int_equal(device, 0);
    ok(cudaStreamGetId(s, &id));
    ok(cudaStreamGetId(0, &other));
    assert_int_not_equal(id, other);
    ok(cudaStreamQuery(s));
    ok(cudaStreamDestroy(s));
    fails(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
    fails(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    fails(cudaErrorInvalidResourceHandle, cudaStreamQuery(s));
    fails(cudaErrorInvalidResourceHandle, cudaStreamGetFlags(s, &flags));
}

static void misuse(void **state)
{
    cudaStream_t s;
    cudaEvent_t e;
    int x = 0;
    (void)state;
    fails(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    fails(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 8));
    fails(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
    fails(cudaErrorInvalidResourceHandle, cudaStreamDestroy((cudaStream_t)&x));
    ok(cudaEventCreate(&e));
    fails(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)e)); /* alive, but no stream */
    fails(cudaErrorInvalidResourceHandle, cudaEventRecord((cudaEvent_t)&x, 0));
    fails(cudaErrorInvalidValue, cudaStreamWaitEvent(0, e, 4));
    fails(cudaErrorInvalidValue, cudaEventCreateWithFlags(&e, 64));
    fails(cudaErrorInvalidValue, cudaEventCreateWithFlags(&e, cudaEventInterprocess));
    fails(cudaErrorNotSupported,
          cudaEventCreateWithFlags(&e, cudaEventInterprocess | cudaEventDisableTiming));
    ok(cudaEventDestroy(e));
    fails(cudaErrorInvalidResourceHandle, cudaEventDestroy(e));
    fails(cudaErrorInvalidResourceHandle, cudaEventSynchronize(e));
}

static void priorities(void **state)
{
    int least, greatest, p;
    cudaStream_t s;
    (void)state;
    ok(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    assert_true(greatest < least);
    ok(cudaStreamCreateWithPriority(&s, 0, greatest - 100)); /* taken as the greatest */
    ok(cudaStreamGetPriority(s, &p));
    assert_int_equal(p, greatest);
    ok(cudaStreamDestroy(s));
}

static void time_passes(void **state)
{
    cudaEvent_t a, b, c;
    float ms = -1, again = -1;
    uint32_t *p;
    (void)state;
    ok(cudaMalloc((void **)&p, 4096 * 4));
    ok(cudaEventCreate(&a));
    ok(cudaEventCreate(&b));
    ok(cudaEventCreateWithFlags(&c, cudaEventDisableTiming));
    fails(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, b)); /* not recorded */
    for (int i = 0; i < 2; i++) {
        uint32_t v = 1;
        void *args[] = {&p, &v};
        ok(cudaEventRecord(a, 0));
        ok(cudaLaunchKernel(kernel("fill"), (dim3){16, 1, 1}, (dim3){256, 1, 1}, args, 0, 0));
        ok(cudaEventRecord(b, 0));
        ok(cudaEventSynchronize(b));
        ok(cudaEventElapsedTime(i ? &again : &ms, a, b));
    }
    assert_true(ms > 0);
    assert_true(ms == again);
    ok(cudaEventElapsedTime(&again, b, a));
    assert_true(again == -ms);
    ok(cudaEventElapsedTime(&ms, a, a));
    assert_true(ms == 0);
    ok(cudaEventRecord(c, 0));
    fails(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, c));
    fails(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, a, b));
    ok(cudaEventDestroy(a));
    ok(cudaEventDestroy(b));
    ok(cudaEventDestroy(c));
    ok(cudaFree(p));
}

static void unrecorded_events_are_done(void **state)
{
    cudaEvent_t e;
    (void)state;
    ok(cudaEventCreate(&e));
    ok(cudaEventQuery(e));
    ok(cudaEventSynchronize(e));
    ok(cudaStreamWaitEvent(0, e, 0));
    ok(cudaEventDestroy(e));
}

struct seen {
    cudaStream_t stream;
    unsigned calls;
    uint32_t value;
    uint32_t *p;
};

static void host_fn(void *arg)
{
    struct seen *x = arg;
    x->calls++;
    x->value = *x->p; /* what the stream has done so far is there */
}

static void callback(cudaStream_t s, cudaError_t e, void *arg)
{
    struct seen *x = arg;
    x->stream = s;
    assert_int_equal(e, cudaSuccess);
    host_fn(arg);
}

/* Destroys the stream that is running it. */
static void destroyer(void *arg)
{
    struct seen *x = arg;
    x->calls++;
    ok(cudaStreamDestroy(x->stream));
}

static void host_functions(void **state)
{
    struct seen x = {0};
    cudaStream_t s;
    (void)state;
    ok(cudaStreamCreate(&s));
    ok(cudaMallocManaged((void **)&x.p, 4, cudaMemAttachGlobal));
    *x.p = 1;
    step(s, x.p, 3, 2);
    ok(cudaLaunchHostFunc(s, host_fn, &x));
    step(s, x.p, 3, 2);
    assert_int_equal(x.calls, 1);
    assert_int_equal(x.value, 5);
    ok(cudaStreamAddCallback(s, callback, &x, 0));
    assert_int_equal(x.calls, 2);
    assert_int_equal(x.value, 17);
    assert_ptr_equal(x.stream, s);
    fails(cudaErrorInvalidValue, cudaStreamAddCallback(s, callback, &x, 1));
    fails(cudaErrorInvalidValue, cudaLaunchHostFunc(s, NULL, &x));
    ok(cudaLaunchHostFunc(s, destroyer, &x));
    assert_int_equal(x.calls, 3);
    fails(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    ok(cudaFree(x.p));
}

static void attributes(void **state)
{
    cudaStream_t s, t;
    cudaStreamAttrValue v = {0}, w = {0};
    (void)state;
    ok(cudaStreamCreate(&s));
    ok(cudaStreamCreate(&t));
    v.accessPolicyWindow.num_bytes = 4096;
    v.accessPolicyWindow.hitRatio = 0.5f;
    v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    ok(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    ok(cudaStreamCopyAttributes(t, s));
    ok(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &w));
    assert_int_equal(w.accessPolicyWindow.num_bytes, 4096);
    v.accessPolicyWindow.hitRatio = 2;
    fails(cudaErrorInvalidValue, cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    fails(cudaErrorNotSupported, cudaStreamSetAttribute(s, cudaLaunchAttributeClusterDimension, &v));
    ok(cudaCtxResetPersistingL2Cache());
    ok(cudaStreamDestroy(s));
    ok(cudaStreamDestroy(t));
}

static void managed_hints(void **state)
{
    char *p, *d;
    cudaStream_t s;
    int v[2];
    (void)state;
    ok(cudaStreamCreate(&s));
    ok(cudaMallocManaged((void **)&p, 4096, cudaMemAttachGlobal));
    ok(cudaMalloc((void **)&d, 4096));
    ok(cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    fails(cudaErrorInvalidValue, cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachSingle));
    fails(cudaErrorInvalidValue, cudaStreamAttachMemAsync(s, p, 0, 9));
    ok(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, 0));
    ok(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    ok(cudaMemAdvise(p, 4096, cudaMemAdviseSetAccessedBy, 0));
    ok(cudaMemPrefetchAsync(p, 4096, 0, s));
    ok(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeReadMostly, p, 4096));
    assert_int_equal(v[0], 1);
    ok(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributePreferredLocation, p, 4096));
    assert_int_equal(v[0], cudaCpuDeviceId);
    ok(cudaMemRangeGetAttribute(v, 8, cudaMemRangeAttributeAccessedBy, p, 4096));
    assert_int_equal(v[0], 0);
    assert_int_equal(v[1], cudaInvalidDeviceId);
    ok(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeLastPrefetchLocation, p, 4096));
    assert_int_equal(v[0], 0);
    fails(cudaErrorInvalidValue, cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, 0));
    fails(cudaErrorInvalidValue, cudaMemAdvise(p, 4097, cudaMemAdviseSetReadMostly, 0));
    fails(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 4096, 3, s));
    ok(cudaFree(p));
    ok(cudaFree(d));
    ok(cudaStreamDestroy(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(life),           cmocka_unit_test(misuse),
        cmocka_unit_test(priorities),     cmocka_unit_test(time_passes),
        cmocka_unit_test(host_functions), cmocka_unit_test(unrecorded_events_are_done),
        cmocka_unit_test(attributes),     cmocka_unit_test(managed_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
