// Memory as the host handles it: allocation of every kind, copies in one to three dimensions, fills, variables by name.
#include "check.h"

#include <vector>

__device__ int counters[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float weights[4];
__device__ double total = 2.5;

__global__ void add(int *a, int n, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += x;
}

__global__ void use_symbols(float *out)
{
    out[threadIdx.x] = weights[threadIdx.x] * counters[threadIdx.x];
    if (threadIdx.x == 0)
        total += 1;
}

static void linear()
{
    const int n = 1000;
    std::vector<int> h(n), back(n);
    for (int i = 0; i < n; i++)
        h[i] = i * 3;
    int *a, *b;
    OK(cudaMalloc(&a, n * sizeof(int)));
    OK(cudaMalloc((void **)&b, n * sizeof(int)));
    CHECK(a != b && (size_t)a % 256 == 0 && (size_t)b % 256 == 0);
    OK(cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    add<<<(n + 127) / 128, 128>>>(a, n, 7);
    RAN();
    OK(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(back.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(back[i] == i * 3 + 7);
    // By unified addresses, from an odd offset, and from host to host.
    OK(cudaMemcpy(back.data(), b + 10, 5 * sizeof(int), cudaMemcpyDefault));
    CHECK(back[0] == 37 && back[4] == 49);
    OK(cudaMemcpy((char *)b + 1, (char *)h.data() + 4, 3, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(back.data(), b, 4, cudaMemcpyDeviceToHost));
    CHECK(back[0] == (0x7 | 3 << 8));
    OK(cudaMemcpy(back.data(), h.data(), n * sizeof(int), cudaMemcpyHostToHost));
    CHECK(back[999] == 2997);
    OK(cudaMemcpy(a, b, 0, cudaMemcpyDeviceToDevice));
    OK(cudaMemset(a, 0xff, 12));
    OK(cudaMemset(a + 1, 1, 4));
    OK(cudaMemcpy(back.data(), a, 16, cudaMemcpyDeviceToHost));
    CHECK(back[0] == -1 && back[1] == 0x01010101 && back[2] == -1 && back[3] == 16);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(NULL));
}

static void pitched()
{
    const size_t width = 100, height = 17;
    unsigned char h[height][width], back[height][width + 4];
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            h[y][x] = (unsigned char)(x + 3 * y);
    unsigned char *d;
    size_t pitch;
    OK(cudaMallocPitch(&d, &pitch, width, height));
    CHECK(pitch >= width && pitch % 32 == 0);
    OK(cudaMemset2D(d, pitch, 9, width, height));
    OK(cudaMemcpy2D(d + pitch, pitch, h[1], width, width, height - 1, cudaMemcpyHostToDevice));
    memset(back, 0, sizeof back);
    OK(cudaMemcpy2D(back, width + 4, d, pitch, width, height, cudaMemcpyDeviceToHost));
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            CHECK(back[y][x] == (y == 0 ? 9 : (unsigned char)(x + 3 * y)));
    CHECK(back[3][width] == 0);
    GIVES(cudaMemcpy2D(back, width - 1, d, pitch, width, height, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
    OK(cudaFree(d));
}

static void boxes()
{
    const size_t w = 8, h = 5, d = 3;
    int src[d][h][w], back[d][h][w];
    for (size_t z = 0; z < d; z++)
        for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++)
                src[z][y][x] = (int)(100 * z + 10 * y + x);
    cudaPitchedPtr dev;
    cudaExtent extent = make_cudaExtent(w * sizeof(int), h, d);
    OK(cudaMalloc3D(&dev, extent));
    CHECK(dev.pitch >= w * sizeof(int) && dev.ysize == h);
    OK(cudaMemset3D(dev, 0, extent));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(src, w * sizeof(int), w, h);
    p.dstPtr = dev;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    // A box of 2 x 2 x 2 from one place to another.
    memset(back, 0, sizeof back);
    cudaMemcpy3DParms q = {};
    q.srcPtr = dev;
    q.srcPos = make_cudaPos(3 * sizeof(int), 2, 1);
    q.dstPtr = make_cudaPitchedPtr(back, w * sizeof(int), w, h);
    q.dstPos = make_cudaPos(1 * sizeof(int), 1, 0);
    q.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
    q.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&q));
    CHECK(back[0][1][1] == 123 && back[0][2][2] == 134 && back[1][1][1] == 223 && back[1][2][2] == 234);
    CHECK(back[0][0][0] == 0 && back[0][1][3] == 0 && back[2][1][1] == 0);
    OK(cudaFree(dev.ptr));
}

static void symbols()
{
    float w[4] = {1, 0.5f, 0.25f, 10};
    int c[8], nine = 9;
    void *address;
    size_t size;
    OK(cudaMemcpyToSymbol(weights, w, sizeof w));
    OK(cudaMemcpyToSymbol(counters, &nine, sizeof nine, 2 * sizeof(int)));
    OK(cudaMemcpyFromSymbol(c, counters, sizeof c));
    CHECK(c[0] == 1 && c[2] == 9 && c[7] == 8);
    OK(cudaGetSymbolAddress(&address, counters));
    OK(cudaGetSymbolSize(&size, counters));
    CHECK(size == sizeof c);
    OK(cudaMemset(address, 0, sizeof(int)));
    OK(cudaGetSymbolSize(&size, weights));
    CHECK(size == sizeof w);

    float *out, got[4];
    OK(cudaMalloc(&out, sizeof got));
    use_symbols<<<1, 4>>>(out);
    RAN();
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 0 && got[1] == 1 && got[2] == 2.25f && got[3] == 40);
    double t;
    OK(cudaMemcpyFromSymbol(&t, total, sizeof t));
    CHECK(t == 3.5);
    OK(cudaMemcpyToSymbolAsync(total, &got[3], 4, 4, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpyFromSymbolAsync(&got[0], total, 4, 4, cudaMemcpyDeviceToHost, 0));
    OK(cudaDeviceSynchronize());
    CHECK(got[0] == 40);
    GIVES(cudaMemcpyToSymbol(counters, c, sizeof c, 4), cudaErrorInvalidValue);
    GIVES(cudaGetSymbolAddress(&address, w), cudaErrorInvalidSymbol);
    OK(cudaFree(out));
}

static void host_memory()
{
    const int n = 64;
    int *pinned, *mapped, *device, *plain = (int *)aligned_alloc(4096, 4096);
    unsigned int flags;
    OK(cudaMallocHost(&pinned, n * sizeof(int)));
    OK(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    OK(cudaHostGetFlags(&flags, mapped));
    CHECK(flags & cudaHostAllocMapped);
    OK(cudaHostRegister(plain, 4096, cudaHostRegisterMapped));
    for (int i = 0; i < n; i++)
        mapped[i] = plain[i] = i;
    OK(cudaHostGetDevicePointer(&device, mapped, 0));
    add<<<1, n>>>(device, n, 5);
    RAN();
    CHECK(mapped[0] == 5 && mapped[63] == 68);
    OK(cudaHostGetDevicePointer(&device, plain, 0));
    add<<<1, n>>>(device, n, 6);
    RAN();
    CHECK(plain[0] == 6 && plain[63] == 69);

    cudaPointerAttributes attr;
    OK(cudaPointerGetAttributes(&attr, mapped));
    CHECK(attr.type == cudaMemoryTypeHost && attr.hostPointer == mapped);
    int *dev;
    OK(cudaMalloc(&dev, n * sizeof(int)));
    OK(cudaMemcpyAsync(dev, mapped, n * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(pinned, dev, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(pinned[9] == 14);
    OK(cudaPointerGetAttributes(&attr, dev + 3));
    CHECK(attr.type == cudaMemoryTypeDevice && attr.device == 0 && attr.devicePointer == dev + 3);
    int local;
    OK(cudaPointerGetAttributes(&attr, &local));
    CHECK(attr.type == cudaMemoryTypeUnregistered);
    OK(cudaFree(dev));
    OK(cudaHostUnregister(plain));
    GIVES(cudaHostUnregister(plain), cudaErrorHostMemoryNotRegistered);
    OK(cudaFreeHost(pinned));
    OK(cudaFreeHost(mapped));
    free(plain);
}

static void managed()
{
    const int n = 300;
    int *m;
    OK(cudaMallocManaged(&m, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        m[i] = -i;
    cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemAdvise(m, n * sizeof(int), cudaMemAdviseSetReadMostly, where));
    OK(cudaMemAdvise(m, n * sizeof(int), cudaMemAdviseUnsetReadMostly, where));
    OK(cudaMemPrefetchAsync(m, n * sizeof(int), where, 0, 0));
    add<<<3, 100>>>(m, n, 1000);
    RAN();
    CHECK(m[0] == 1000 && m[299] == 701);
    m[0] = 1;
    add<<<1, 1>>>(m, 1, 1);
    RAN();
    CHECK(m[0] == 2);
    OK(cudaMemset(m, 0, 8));
    OK(cudaDeviceSynchronize());
    CHECK(m[1] == 0 && m[2] == 998);
    cudaPointerAttributes attr;
    OK(cudaPointerGetAttributes(&attr, m));
    CHECK(attr.type == cudaMemoryTypeManaged && attr.hostPointer == m && attr.devicePointer == m);
    OK(cudaFree(m));
}

int main()
{
    size_t free_b, total_b, later_b;
    OK(cudaSetDevice(0));
    OK(cudaMemGetInfo(&free_b, &total_b));
    CHECK(free_b <= total_b && total_b > 0);
    void *big;
    OK(cudaMalloc(&big, 64 << 20));
    OK(cudaMemGetInfo(&later_b, &total_b));
    CHECK(later_b <= free_b - (64 << 20));
    OK(cudaFree(big));
    linear();
    pitched();
    boxes();
    symbols();
    host_memory();
    managed();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
