/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of every kind, copies in all shapes and directions, fills; and what a program can get wrong with them. */
#include "prog.h"

static void test_alloc(void **state)
{
    void *p = &p, *q;
    size_t free0, free1, total;
    (void)state;
    OK(cudaMemGetInfo(&free0, &total));
    assert_true(free0 <= total && total == (16ull << 30));
    OK(cudaMalloc(&p, 1 << 20));
    assert_int_equal((uintptr_t)p % 256, 0);
    OK(cudaMemGetInfo(&free1, &total));
    assert_int_equal(free0 - free1, 1 << 20);
    OK(cudaFree(p));
    FAILS(cudaFree(p), cudaErrorInvalidValue); /* twice */
    FAILS(cudaFree((char *)p + 1), cudaErrorInvalidValue);
    FAILS(cudaFree(&p), cudaErrorInvalidValue);
    OK(cudaFree(NULL));
    OK(cudaMalloc(&q, 0));
    assert_null(q);
    FAILS(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    FAILS(cudaMalloc(&q, SIZE_MAX), cudaErrorMemoryAllocation);
    FAILS(cudaMalloc(&q, 17ull << 30), cudaErrorMemoryAllocation);
    FAILS(cudaMallocManaged(&q, SIZE_MAX, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
    FAILS(cudaMallocHost(&q, SIZE_MAX - 5), cudaErrorMemoryAllocation);
    FAILS(cudaMallocManaged(&q, 4, 99), cudaErrorInvalidValue);
    FAILS(cudaHostAlloc(&q, 4, 99), cudaErrorInvalidValue);
    FAILS(cudaGetLastError(), cudaErrorInvalidValue);
}

static void test_kinds(void **state)
{
    struct cudaPointerAttributes a;
    void *dev, *man, *pin, *p;
    static char own[4096];
    unsigned flags;
    (void)state;
    OK(cudaMalloc(&dev, 100));
    OK(cudaMallocManaged(&man, 100, cudaMemAttachGlobal));
    OK(cudaHostAlloc(&pin, 100, cudaHostAllocWriteCombined));
    memset(man, 1, 100);
    memset(pin, 1, 100);
    OK(cudaPointerGetAttributes(&a, (char *)dev + 99));
    assert_int_equal(a.type, cudaMemoryTypeDevice);
    assert_null(a.hostPointer);
    OK(cudaPointerGetAttributes(&a, man));
    assert_int_equal(a.type, cudaMemoryTypeManaged);
    assert_ptr_equal(a.devicePointer, man);
    OK(cudaPointerGetAttributes(&a, pin));
    assert_int_equal(a.type, cudaMemoryTypeHost);
    OK(cudaPointerGetAttributes(&a, own));
    assert_int_equal(a.type, cudaMemoryTypeUnregistered);
    assert_null(a.devicePointer);
    OK(cudaHostGetFlags(&flags, pin));
    assert_int_equal(flags, cudaHostAllocWriteCombined | cudaHostAllocMapped);
    OK(cudaHostGetDevicePointer(&p, pin, 0));
    assert_ptr_equal(p, pin);
    FAILS(cudaHostGetDevicePointer(&p, own, 0), cudaErrorInvalidValue);
    OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    FAILS(cudaHostRegister(own + 8, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostGetDevicePointer(&p, own + 8, 0));
    assert_ptr_equal(p, own + 8);
    FAILS(cudaFree(own), cudaErrorInvalidValue);
    FAILS(cudaFreeHost(own), cudaErrorInvalidValue);
    OK(cudaHostUnregister(own));
    FAILS(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
    FAILS(cudaFreeHost(man), cudaErrorInvalidValue);
    FAILS(cudaFree(pin), cudaErrorInvalidValue);
    OK(cudaFree(man));
    OK(cudaFreeHost(pin));
    FAILS(cudaFreeHost(pin), cudaErrorInvalidValue);
    OK(cudaFree(dev));
    (void)cudaGetLastError();
}

/* Addresses do not depend on where the host has its memory: the n-th allocation is always at the same place. */
static void test_addresses(void **state)
{
    void *a, *b, *d;
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    OK(cudaMallocManaged(&a, 1, cudaMemAttachGlobal));
    OK(cudaMallocHost(&b, 70000));
    assert_in_range((uintptr_t)a, RT_HOST_BASE, RT_HOST_END);
    assert_int_equal((uintptr_t)b - (uintptr_t)a, 2 * 65536);
    OK(cudaFree(a));
    OK(cudaMallocManaged(&d, 1, cudaMemAttachGlobal));
    assert_int_equal((uintptr_t)d - (uintptr_t)b, 3 * 65536); /* never again where something was */
    OK(cudaFreeHost(b));
    OK(cudaFree(d));
}

static void test_copy(void **state)
{
    char a[256], b[256], *p, *q;
    (void)state;
    for (int i = 0; i < 256; i++)
        a[i] = (char)i;
    OK(cudaMalloc((void **)&p, 256));
    OK(cudaMalloc((void **)&q, 256));
    OK(cudaMemcpy(p, a, 256, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(b, q, 256, cudaMemcpyDefault));
    assert_memory_equal(a, b, 256);
    OK(cudaMemcpy(q, q + 8, 100, cudaMemcpyDefault)); /* overlapping */
    OK(cudaMemcpy(b, a, 256, cudaMemcpyHostToHost));
    OK(cudaMemcpy(b, q, 100, cudaMemcpyDeviceToHost));
    assert_memory_equal(b, a + 8, 100);
    OK(cudaMemcpy(p, a, 0, cudaMemcpyHostToDevice));
    FAILS(cudaMemcpy(p, a, 257, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p + 1, a, 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p, a, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(b, a, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(b, a, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    OK(cudaMemcpy(p, q, 4, cudaMemcpyHostToDevice)); /* what is called host memory may be any */
    OK(cudaMemcpy(p, q, 4, cudaMemcpyHostToHost));
    FAILS(cudaMemcpy(p, b, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(NULL, q, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(NULL, q, 4, cudaMemcpyDefault), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p, q, 4, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    OK(cudaFree(q));
    FAILS(cudaMemcpy(b, q, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMemcpyAsync(b, p, 4, cudaMemcpyDeviceToHost, (cudaStream_t)b), cudaErrorInvalidResourceHandle);
    OK(cudaMemcpyPeer(p, 0, p + 64, 0, 32));
    FAILS(cudaMemcpyPeer(p, 1, p + 64, 0, 32), cudaErrorInvalidDevice);
    OK(cudaFree(p));
    (void)cudaGetLastError();
}

static void test_copy_2d(void **state)
{
    enum { W = 10, H = 5 };
    char a[H][16], b[H][W], *p;
    size_t pitch;
    (void)state;
    for (int i = 0; i < H * 16; i++)
        a[i / 16][i % 16] = (char)i;
    OK(cudaMallocPitch((void **)&p, &pitch, W, H));
    assert_int_equal(pitch, 512);
    OK(cudaMemset2D(p, pitch, 0xee, W, H));
    OK(cudaMemcpy2D(p, pitch, a, 16, W, H, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(b, W, p, pitch, W, H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        assert_memory_equal(b[y], a[y], W);
    OK(cudaMemset2D(p + pitch, pitch, 7, 3, 2));
    OK(cudaMemcpy2D(b, W, p, pitch, W, H, cudaMemcpyDefault));
    assert_int_equal(b[1][2], 7);
    assert_int_equal(b[2][2], 7);
    assert_int_equal(b[2][3], a[2][3]);
    assert_int_equal(b[3][0], a[3][0]);
    /* The last bytes there are. */
    OK(cudaMemcpy2D(p + 4 * pitch + 502, 600, a, 16, W, 1, cudaMemcpyHostToDevice));
    FAILS(cudaMemcpy2D(p + 4 * pitch + 503, 600, a, 16, W, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy2D(p, pitch, a, 16, W, H + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy2D(p, 9, a, 16, W, H, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    FAILS(cudaMemcpy2D(p, SIZE_MAX, a, 16, W, H, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemset2D(p, pitch, 0, W, H + 1), cudaErrorInvalidValue);
    FAILS(cudaMemset2D(p, 2, 0, W, H), cudaErrorInvalidValue);
    FAILS(cudaMemset(p, 0, 512 * H + 1), cudaErrorInvalidValue);
    FAILS(cudaMemset(a, 0, 4), cudaErrorInvalidValue);
    FAILS(cudaMallocPitch((void **)&p, &pitch, SIZE_MAX, 2), cudaErrorInvalidValue);
    FAILS(cudaMallocPitch((void **)&p, &pitch, 1ull << 40, 1ull << 40), cudaErrorInvalidValue);
    OK(cudaFree(p));
    (void)cudaGetLastError();
}

static void test_copy_3d(void **state)
{
    enum { W = 6, H = 4, D = 3 };
    char a[D][H][W], b[D][H][W];
    struct cudaPitchedPtr p;
    (void)state;
    for (int i = 0; i < D * H * W; i++)
        (&a[0][0][0])[i] = (char)i;
    memset(b, 0, sizeof b);
    OK(cudaMalloc3D(&p, (struct cudaExtent){W, H, D}));
    struct cudaMemcpy3DParms c = {
        .srcPtr = {a, W, W, H}, .dstPtr = p, .extent = {W, H, D}, .kind = cudaMemcpyHostToDevice};
    OK(cudaMemcpy3D(&c));
    c = (struct cudaMemcpy3DParms){.srcPtr = p,
                                   .srcPos = {1, 2, 1},
                                   .dstPtr = {b, W, W, H},
                                   .dstPos = {0, 1, 0},
                                   .extent = {4, 2, 2},
                                   .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&c));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 4; x++)
                assert_int_equal(b[z][y + 1][x], a[z + 1][y + 2][x + 1]);
    assert_int_equal(b[0][0][0], 0);
    c.srcPos.z = 2; /* one slice too far */
    FAILS(cudaMemcpy3D(&c), cudaErrorInvalidValue);
    c.srcPtr.ptr = NULL;
    FAILS(cudaMemcpy3D(&c), cudaErrorInvalidValue);
    FAILS(cudaMemcpy3D(NULL), cudaErrorInvalidValue);
    OK(cudaMemset3D(p, 9, (struct cudaExtent){W, H, D}));
    FAILS(cudaMemset3D(p, 9, (struct cudaExtent){W, H, D + 1}), cudaErrorInvalidValue);
    OK(cudaMemcpy(b, p.ptr, W, cudaMemcpyDeviceToHost));
    assert_int_equal(b[0][0][W - 1], 9);
    OK(cudaFree(p.ptr));
    (void)cudaGetLastError();
}

static void test_devices(void **state)
{
    struct cudaDeviceProp p;
    int n = 0, v;
    (void)state;
    OK(cudaGetDeviceCount(&n));
    assert_int_equal(n, 1);
    OK(cudaGetDeviceProperties(&p, 0));
    assert_string_equal(p.name, "Bankshot");
    assert_int_equal(p.totalGlobalMem, 16ull << 30);
    OK(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0));
    assert_int_equal(v, p.multiProcessorCount);
    OK(cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    assert_int_equal(v, p.sharedMemPerBlockOptin);
    OK(cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0));
    assert_int_equal(v, p.major);
    FAILS(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)4711, 0), cudaErrorInvalidValue);
    FAILS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
    FAILS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaSetDevice(0));
    FAILS(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaGetLastError());
    assert_string_equal(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
    assert_string_equal(cudaGetErrorName((cudaError_t)4711), "unrecognized error code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc),   cmocka_unit_test(test_kinds),   cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_copy),    cmocka_unit_test(test_copy_2d), cmocka_unit_test(test_copy_3d),
        cmocka_unit_test(test_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
