// What is allowed: named barriers between warps, a lock with fences, flags between CTAs, tiles of a warp, floating-point atomics in
// shared memory, a loop of compare-and-swap, bytes of one word by different threads, one value written by all, early exits.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void produce_consume(int *out)
{
    __shared__ int box[32];
    if (threadIdx.x < 32) {
        box[threadIdx.x] = threadIdx.x * 7;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x - 32] = box[63 - threadIdx.x];
    }
}

__device__ int lock_word, total;
__global__ void locked(int by)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(&lock_word, 0, 1))
        ;
    __threadfence();
    total += by;
    __threadfence();
    atomicExch(&lock_word, 0);
}

__device__ volatile int flags[8];
__global__ void chain(int *v)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        while (b && !flags[b - 1])
            ;
        v[b] = b ? v[b - 1] + 1 : 1;
        __threadfence();
        flags[b] = 1;
    }
}

__global__ void tiles(const int *in, int *out)
{
    __shared__ int s[128];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned t = threadIdx.x;
    s[t] = in[t];
    tile.sync();
    for (int by = 8; by; by /= 2) {
        int v = s[t / 16 * 16 + (t + by) % 16];
        tile.sync();
        s[t] += v;
        tile.sync();
    }
    out[t] = s[t];
}

__device__ double add_double(double *at, double v)
{
    unsigned long long *p = (unsigned long long *)at, old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}
__global__ void atomics(double *sum, unsigned char *bytes, int *flag, int n)
{
    __shared__ float part;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    if (i >= n)
        return;
    atomicAdd(&part, 1.0f);
    add_double(sum, 0.5);
    bytes[i] = (unsigned char)i;
    bytes[i] ^= 1;
    *flag = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(flag + 1, (int)part);
}

int main()
{
    int *v, *flag;
    double *sum;
    unsigned char *bytes;
    cudaMalloc(&v, 512);
    cudaMalloc(&sum, 8);
    cudaMalloc(&bytes, 1000);
    cudaMalloc(&flag, 8);
    cudaMemset(v, 0, 512);
    cudaMemset(sum, 0, 8);
    cudaMemset(flag, 0, 8);
    produce_consume<<<1, 64>>>(v);
    locked<<<4, 64>>>(2);
    chain<<<8, 32>>>(v);
    tiles<<<1, 128>>>(v, v);
    atomics<<<8, 128>>>(sum, bytes, flag, 1000);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
