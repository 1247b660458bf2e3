// What kernels do: warp intrinsics, atomics, shared memory, printf, and the launches and questions about them.
#include "check.h"

#include <cooperative_groups.h>
#include <unistd.h>

struct job {
    int scale;
    char tag[3];
    double bias;
};

__global__ void with_struct(job j, const int *in, double *out, short last)
{
    int i = threadIdx.x;
    out[i] = in[i] * j.scale + j.bias + j.tag[2] + last;
}

__global__ void warps(unsigned *out)
{
    unsigned lane = threadIdx.x, all = 0xffffffffu;
    out[0] = __ballot_sync(all, lane % 3 == 0);
    out[1] = __any_sync(all, lane == 40);
    out[2] = __all_sync(all, lane < 32);
    unsigned v = lane + 1;
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(all, v, d);
    out[3] = v;
    unsigned up = __shfl_up_sync(all, lane, 2), down = __shfl_down_sync(all, lane, 3), from = __shfl_sync(all, lane, 5);
    unsigned part = __shfl_sync(all, lane, 9, 8);
    if (lane == 7) {
        out[4] = up;
        out[5] = down;
        out[6] = from;
    }
    if (lane == 20)
        out[7] = part;
    out[8] = __popc(0xf0f0u) + __clz(1) * 100 + __ffs(8) * 10000;
    out[9] = __brev(1u);
    if (lane < 8)
        out[10] = __activemask();
    unsigned same = __match_any_sync(all, lane / 16);
    if (lane == 17)
        out[11] = same;
    double wide = __shfl_sync(all, lane * 0.5, 31);
    if (lane == 0)
        out[12] = (unsigned)(wide * 2);
    out[13] = __reduce_add_sync(all, lane);
    __syncwarp();
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], 1);
    atomicSub(&i[1], 2);
    atomicMin(&i[2], -t);
    atomicMax(&i[3], t);
    atomicExch(&i[4], 77);
    atomicCAS(&i[5], t, t + 1);
    atomicAnd(&u[0], ~(1u << t % 32));
    atomicOr(&u[1], 1u << t % 32);
    atomicXor(&u[2], 1u);
    atomicInc(&u[3], 9);
    atomicDec(&u[4], 1000);
    atomicAdd(l, 1ull << 33);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}

__global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    __shared__ int counted;
    int t = threadIdx.x;
    s[t] = t < n ? in[t] : 0;
    if (t == 0)
        counted = 0;
    __syncthreads();
    for (int d = blockDim.x / 2; d; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    atomicAdd(&counted, 1);
    int even = __syncthreads_count(t % 2 == 0);
    int any = __syncthreads_or(t == 3), all = __syncthreads_and(t < 1000);
    if (t == 0) {
        out[0] = s[0];
        out[1] = counted;
        out[2] = even;
        out[3] = any != 0;
        out[4] = all != 0;
    }
}

__global__ void say(int x, float f, const char *)
{
    if (threadIdx.x == 1)
        printf("x=%d f=%.2f s=%s %% %c %llx\n", x, f, "text", 'q', 0x123456789abULL);
}

__global__ void neighbours(int *a, int *b)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    grid.sync();
    b[i] = a[(i + 37) % n];
}

__global__ void __launch_bounds__(128) bounded(int *p) { *p = 1; }

template <class T> __global__ void square(T *x) { x[threadIdx.x] *= x[threadIdx.x]; }

static void parameters()
{
    int h[4] = {1, 2, 3, 4}, *in;
    double back[4], *out;
    OK(cudaMalloc(&in, sizeof h));
    OK(cudaMalloc(&out, sizeof back));
    OK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    job j = {10, {0, 0, 3}, 0.5};
    with_struct<<<1, 4>>>(j, in, out, (short)-1000);
    RAN();
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[0] == -986.5 && back[3] == -956.5);
    // The same by the functions that take pointers to arguments.
    short last = 5;
    void *args[] = {&j, &in, &out, &last};
    OK(cudaLaunchKernel((const void *)with_struct, dim3(1), dim3(4), args, 0, 0));
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[1] == 28.5);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(2);
    OK(cudaLaunchKernelEx(&config, with_struct, j, (const int *)in, out, 7));
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 20.5 && back[2] == 38.5);
    square<double><<<1, 4>>>(out);
    square<<<1, 2>>>(in);
    RAN();
    OK(cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 1 && h[1] == 4 && h[2] == 3);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

static void warp_functions()
{
    unsigned h[16] = {}, *d;
    OK(cudaMalloc(&d, sizeof h));
    warps<<<1, 32>>>(d);
    RAN();
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 0x49249249u && h[1] == 0 && h[2] == 1 && h[3] == 528);
    CHECK(h[4] == 5 && h[5] == 10 && h[6] == 5 && h[7] == 17);
    CHECK(h[8] == 8 + 3100 + 40000 && h[9] == 0x80000000u && h[10] == 0xff && h[11] == 0xffff0000u);
    CHECK(h[12] == 31 && h[13] == 496);
    OK(cudaFree(d));
}

static void atomic_functions()
{
    struct {
        int i[6];
        unsigned u[5];
        unsigned long long l;
        float f;
        double d;
    } h = {{0, 0, 0, 0, 0, 0}, {~0u, 0, 0, 0, 500}, 0, 0, 0}, *p;
    OK(cudaMalloc(&p, sizeof h));
    OK(cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice));
    atomics<<<4, 64>>>(p->i, p->u, &p->l, &p->f, &p->d);
    RAN();
    OK(cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h.i[0] == 256 && h.i[1] == -512 && h.i[2] == -255 && h.i[3] == 255 && h.i[4] == 77 && h.i[5] >= 1);
    CHECK(h.u[0] == 0 && h.u[1] == ~0u && h.u[2] == 0 && h.u[3] == 256 % 10 && h.u[4] == 244);
    CHECK(h.l == 256ull << 33 && h.f == 128 && h.d == 64);
    OK(cudaFree(p));
}

static void shared_memory()
{
    int h[256], back[5], *in, *out;
    for (int i = 0; i < 256; i++)
        h[i] = i;
    OK(cudaMalloc(&in, sizeof h));
    OK(cudaMalloc(&out, sizeof back));
    OK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    reduce<<<1, 256, 256 * sizeof(int)>>>(in, out, 200);
    RAN();
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 19900 && back[1] == 256 && back[2] == 128 && back[3] == 1 && back[4] == 1);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

static void printing()
{
    char text[200] = {}, path[] = "/tmp/kernels-XXXXXX";
    int file = mkstemp(path), saved = dup(1);
    CHECK(file >= 0 && saved >= 0);
    unlink(path);
    fflush(stdout);
    CHECK(dup2(file, 1) == 1);
    say<<<1, 3>>>(-42, 1.239f, NULL);
    cudaError_t e = cudaDeviceSynchronize();
    fflush(stdout);
    CHECK(dup2(saved, 1) == 1);
    OK(e);
    CHECK(pread(file, text, sizeof text - 1, 0) > 0);
    CHECK(!strcmp(text, "x=-42 f=1.24 s=text % q 123456789ab\n"));
    close(file);
    close(saved);
}

static void cooperative()
{
    const int blocks = 8, threads = 64, n = blocks * threads;
    int *a, *b, back[n], can = 0;
    OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    CHECK(can == 1);
    OK(cudaMalloc(&a, n * sizeof(int)));
    OK(cudaMalloc(&b, n * sizeof(int)));
    void *args[] = {&a, &b};
    OK(cudaLaunchCooperativeKernel((void *)neighbours, dim3(blocks), dim3(threads), args, 0, 0));
    OK(cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(back[i] == (i + 37) % n);
    GIVES(cudaLaunchCooperativeKernel((void *)neighbours, dim3(1 << 20), dim3(threads), args, 0, 0),
          cudaErrorCooperativeLaunchTooLarge);
    OK(cudaFree(a));
    OK(cudaFree(b));
}

static size_t four_per_thread(int threads) { return 4 * threads; }

static void occupancy()
{
    int blocks = 0, with_shared = 0, grid = 0, block = 0;
    cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    CHECK(prop.name[0] && prop.warpSize == 32 && prop.multiProcessorCount > 0 && prop.major >= 7);
    CHECK(prop.maxThreadsPerBlock == 1024 && prop.maxGridSize[0] == 2147483647 && prop.regsPerBlock == 65536);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce, 256, 0));
    CHECK(blocks >= 1 && blocks * 256 <= prop.maxThreadsPerMultiProcessor);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with_shared, reduce, 256, prop.sharedMemPerBlock - 1024));
    CHECK(with_shared >= 1 && with_shared < blocks);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reduce));
    CHECK(block > 0 && block <= 1024 && grid % prop.multiProcessorCount == 0 && grid > 0);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reduce, 0, 96));
    CHECK(block <= 96);
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, reduce, four_per_thread));
    CHECK(block > 0 && grid > 0);

    cudaFuncAttributes attr;
    OK(cudaFuncGetAttributes(&attr, reduce));
    // An external array that follows may align the static part up.
    CHECK(attr.sharedSizeBytes >= sizeof(int) && attr.sharedSizeBytes <= 16);
    CHECK(attr.maxThreadsPerBlock == 1024 && attr.numRegs > 0 && attr.localSizeBytes == 0);
    CHECK(attr.maxDynamicSharedSizeBytes == 48 * 1024 - (int)attr.sharedSizeBytes && attr.ptxVersion >= 50);
    OK(cudaFuncGetAttributes(&attr, bounded));
    CHECK(attr.maxThreadsPerBlock == 128);
    OK(cudaFuncSetCacheConfig(reduce, cudaFuncCachePreferShared));
    OK(cudaFuncSetAttribute(reduce, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    int *p;
    OK(cudaMalloc(&p, 4));
    bounded<<<1, 256>>>(p);
    REFUSED();
    bounded<<<1, 128>>>(p);
    RAN();
    OK(cudaFree(p));
}

int main()
{
    parameters();
    warp_functions();
    atomic_functions();
    shared_memory();
    printing();
    cooperative();
    occupancy();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
