/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's private tables, as NVIDIA's own runtime uses them, and what libraries look up beside them. */
#include "rig.h"

#include "cudart/driver/driver_versions.h"

#define cu_ok(call) assert_int_equal(call, CUDA_SUCCESS)

typedef void (*entry)(void);

static const entry *table(const char *hex)
{
    CUuuid id;
    const void *at = NULL;
    for (int i = 0; i < 16; i++) {
        unsigned v;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &v), 1);
        id.bytes[i] = (char)v;
    }
    return cuGetExportTable(&at, &id) == CUDA_SUCCESS ? at : NULL;
}

static void found_by_name(void **state)
{
    const void *at = &at;
    CUuuid none = {{0}};
    (void)state;
    cu_ok(cuInit(0));
    assert_int_equal(cuGetExportTable(&at, &none), CUDA_ERROR_INVALID_VALUE);
    assert_null(at);
    assert_int_equal(cuGetExportTable(NULL, &none), CUDA_ERROR_INVALID_VALUE);
    const entry *modules = table("6bd5fb6c5bf4e74a8987d93912fd9df9");
    assert_non_null(modules);
    assert_int_equal((uintptr_t)modules[0], 13 * sizeof(entry));
    CUcontext c = NULL, retained;
    cu_ok(((CUresult(*)(CUcontext *, CUdevice))modules[2])(&c, 0));
    cu_ok(cuDevicePrimaryCtxRetain(&retained, 0));
    assert_ptr_equal(c, retained);
    assert_int_equal(((CUresult(*)(CUcontext *, CUdevice))modules[2])(&c, 1), CUDA_ERROR_INVALID_DEVICE);
    /* A place that nobody is known to call tells so and fails. */
    assert_int_equal(((CUresult(*)(void))modules[3])(), CUDA_ERROR_NOT_SUPPORTED);
    cu_ok(cuCtxSetCurrent(retained));
}

static int told;
static void *told_value;
static void gone(CUcontext c, void *key, void *value)
{
    (void)c, (void)key;
    told++;
    told_value = value;
}

static void values_with_contexts(void **state)
{
    const entry *t = table("c693336e1121df11a8c368f355d89593");
    CUresult (*keep)(CUcontext, void *, void *, void (*)(CUcontext, void *, void *)) = (void *)t[0];
    CUresult (*drop)(CUcontext, void *) = (void *)t[1];
    CUresult (*look_up)(void **, CUcontext, void *) = (void *)t[2];
    int key, other, a, b;
    void *v = NULL;
    CUcontext before, c;
    (void)state;
    cu_ok(cuCtxGetCurrent(&before));
    assert_int_equal(look_up(&v, NULL, &key), CUDA_ERROR_INVALID_HANDLE);
    cu_ok(keep(NULL, &key, &a, gone));
    cu_ok(look_up(&v, before, &key));
    assert_ptr_equal(v, &a);
    cu_ok(keep(before, &key, &b, gone));
    cu_ok(look_up(&v, NULL, &key));
    assert_ptr_equal(v, &b);
    assert_int_equal(look_up(&v, NULL, &other), CUDA_ERROR_INVALID_HANDLE);
    cu_ok(drop(NULL, &key));
    assert_int_equal(drop(NULL, &key), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(told, 0);
    cu_ok(cuCtxCreate(&c, 0, 0));
    cu_ok(keep(c, &key, &a, gone));
    assert_int_equal(look_up(&v, before, &key), CUDA_ERROR_INVALID_HANDLE);
    cu_ok(cuCtxDestroy(c));
    assert_int_equal(told, 1);
    assert_ptr_equal(told_value, &a);
    assert_int_equal(keep(c, &key, &a, gone), CUDA_ERROR_INVALID_CONTEXT);
    cu_ok(cuCtxSetCurrent(before));
}

/* The stand-in does not say that it is NVIDIA's driver. */
static void no_proof(void **state)
{
    const entry *t = table("d4082055bde6704b8d34ba123c66e1f2");
    uint64_t out[2] = {1, 2};
    (void)state;
    assert_non_null(t);
    assert_int_equal(((CUresult(*)(uint32_t, uint64_t, uint64_t *))(void *)t[1])(13002, 5, out),
                     CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 2);
}

static void pools_and_pointers(void **state)
{
    cudaMemPool_t pool, other;
    CUdeviceptr p = 0, base = 1;
    int host = 7;
    CUpointer_attribute attrs[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    unsigned type = 9;
    void *data[] = {&type, &base};
    (void)state;
    cu_ok(cuDeviceGetDefaultMemPool(&pool, 0));
    cu_ok(cuDeviceGetMemPool(&other, 0));
    assert_ptr_equal(pool, other);
    cu_ok(cuMemAllocFromPoolAsync(&p, 64, pool, NULL));
    cu_ok(cuPointerGetAttributes(2, attrs, data, p + 8));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    assert_true(base == p);
    /* An address that CUDA has not given: no error, and nothing is known of it. */
    cu_ok(cuPointerGetAttributes(2, attrs, data, (CUdeviceptr)(uintptr_t)&host));
    assert_int_equal(type, 0);
    assert_true(base == 0);
    assert_int_equal(cuPointerGetAttributes(1, NULL, data, p), CUDA_ERROR_INVALID_VALUE);
    cu_ok(cuMemFreeAsync(p, NULL));
}

static void captures(void **state)
{
    CUstream s;
    CUgraph g = NULL;
    CUgraphNode nodes[2];
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUdeviceptr p;
    cuuint64_t id = 0;
    size_t n = 2;
    int type = -1;
    void *fn;
    (void)state;
    cu_ok(cuMemAlloc(&p, 64));
    cu_ok(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    cu_ok(cuStreamGetCaptureInfo_v2(s, &status, NULL, NULL, NULL, NULL));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_NONE);
    cu_ok(cuThreadExchangeStreamCaptureMode(&mode));
    cu_ok(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
    cu_ok(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    cu_ok(cuMemsetD32Async(p, 1, 16, s));
    cu_ok(cuStreamGetCaptureInfo_v2(s, &status, &id, &g, NULL, &n));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_int_equal(n, 1);
    cu_ok(cuStreamEndCapture(s, &g));
    n = 2;
    cu_ok(cuGraphGetNodes(g, nodes, &n));
    assert_int_equal(n, 1);
    cu_ok(cuGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, cudaGraphNodeTypeMemset);
    cu_ok(cuGraphDestroy(g));
    cu_ok(cuStreamDestroy(s));
    cu_ok(cuMemFree(p));
    /* The form of the version that is asked for. */
    cu_ok(cuGetProcAddress("cuStreamGetCaptureInfo", &fn, 11080, 0, NULL));
    assert_ptr_equal(fn, cuStreamGetCaptureInfo_v2);
    cu_ok(cuGetProcAddress("cuStreamGetCaptureInfo", &fn, 12040, 0, NULL));
    assert_ptr_equal(fn, cuStreamGetCaptureInfo_v3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_name), cmocka_unit_test(values_with_contexts),
        cmocka_unit_test(no_proof),      cmocka_unit_test(pools_and_pointers),
        cmocka_unit_test(captures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
