/* Atomic operations of every kind on global, shared and mapped memory, and locks made of them. */
#include <cuda_runtime.h>
#include <stdio.h>

typedef unsigned long long u64;

__device__ float addf(float *a, float v)
{
    int *p = (int *)a, old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __float_as_int(v + __int_as_float(seen)));
    } while (seen != old);
    return __int_as_float(old);
}

__device__ double maxd(double *a, double v)
{
    u64 *p = (u64 *)a, old = *p;
    while (__longlong_as_double((long long)old) < v) {
        u64 seen = old;
        old = atomicCAS(p, seen, (u64)__double_as_longlong(v));
        if (old == seen)
            break;
    }
    return __longlong_as_double((long long)old);
}

struct results {
    int add, sub, min, max, exch, inc, dec, and_, or_, xor_;
    unsigned umin, umax;
    u64 add64, max64, cas64;
    float addf, casf;
    double addd, maxd;
    int locked, shared;
};

__device__ int lock;

__global__ void all(results *r, int n)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&r->add, i);
        atomicSub(&r->sub, 1);
        atomicMin(&r->min, -i);
        atomicMax(&r->max, i);
        atomicExch(&r->exch, 77);
        atomicInc((unsigned *)&r->inc, 9);
        atomicDec((unsigned *)&r->dec, 9);
        atomicAnd(&r->and_, ~(1 << i % 20));
        atomicOr(&r->or_, 1 << i % 20);
        atomicXor(&r->xor_, i);
        atomicMin(&r->umin, 0x80000000u + i);
        atomicMax(&r->umax, 0x80000000u + i);
        atomicAdd(&r->add64, (u64)i << 33);
        atomicMax(&r->max64, (u64)i << 40);
        atomicCAS(&r->cas64, 0ull, (u64)(i + 1));
        atomicAdd(&r->addf, 0.5f);
        addf(&r->casf, 0.25f);
        atomicAdd(&r->addd, 0.125);
        maxd(&r->maxd, (double)i);
        atomicAdd(&mine, 1);
        for (bool done = false; !done;) { /* lanes of a warp want the same lock */
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence();
                int *volatile p = &r->locked;
                *p = *p + 1;
                __threadfence();
                atomicExch(&lock, 0);
                done = true;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&r->shared, mine);
}

__device__ unsigned tickets;
__device__ int sums[16];
__shared__ bool dummy_at_file_scope;

/* The last CTA to finish adds up: threadFenceReduction. */
__global__ void last_block(int *total)
{
    __shared__ bool last;
    int s = __syncthreads_count(threadIdx.x % 3 == blockIdx.x % 3);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = s;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int t = 0;
        for (int i = 0; i < (int)gridDim.x; i++)
            t += ((volatile int *)sums)[i];
        *total = t;
        tickets = 0;
    }
}

int main(void)
{
    const int n = 500;
    results *r, *d, want = {};
    cudaHostAlloc((void **)&r, sizeof *r, cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&d, r, 0);
    for (int mapped = 0; mapped < 2; mapped++) {
        results zero = {};
        zero.and_ = zero.umin = -1;
        zero.sub = 3;
        results *where = d;
        if (!mapped)
            cudaMalloc((void **)&where, sizeof *where);
        cudaMemcpy(where, &zero, sizeof zero, cudaMemcpyDefault);
        all<<<5, 128>>>(where, n);
        cudaError_t e = cudaDeviceSynchronize();
        if (!mapped) {
            cudaMemcpy(r, where, sizeof *r, cudaMemcpyDeviceToHost);
            cudaFree(where);
        }
        want.add = n * (n - 1) / 2;
        want.sub = 3 - n;
        want.min = 1 - n;
        want.max = n - 1;
        want.exch = 77;
        want.inc = n % 10;
        want.dec = (10 - n % 10) % 10;
        want.and_ = (int)0xfff00000;
        want.or_ = 0xfffff;
        int x = 0;
        for (int i = 0; i < n; i++)
            x ^= i;
        want.xor_ = x;
        int bad = (e != cudaSuccess) + (r->add != want.add) + (r->sub != want.sub) * 2 +
                  (r->min != want.min) * 4 + (r->max != want.max) * 8 + (r->exch != 77) * 16 +
                  (r->inc != want.inc) * 32 + (r->dec != want.dec) * 64 + (r->and_ != want.and_) * 128 +
                  (r->or_ != want.or_) * 256 + (r->xor_ != want.xor_) * 512 +
                  (r->umin != 0x80000000u) * 1024 + (r->umax != 0x80000000u + n - 1) * 2048 +
                  (r->add64 != (u64)want.add << 33) * 4096 + (r->max64 != (u64)(n - 1) << 40) * 8192 +
                  (r->cas64 == 0 || r->cas64 > n) * 16384 + (r->addf != n * 0.5f) * 32768 +
                  (r->casf != n * 0.25f) * 65536 + (r->addd != n * 0.125) * 131072 +
                  (r->maxd != n - 1) * 262144 + (r->locked != n) * 524288 + (r->shared != n) * 1048576;
        if (bad) {
            printf("mapped %d: %x: %s\nFAIL\n", mapped, bad, cudaGetErrorString(e));
            return 1;
        }
    }
    int *total, sum = 0;
    cudaMallocManaged((void **)&total, sizeof *total);
    last_block<<<16, 100>>>(total);
    cudaDeviceSynchronize();
    for (int b = 0; b < 16; b++)
        for (int t = 0; t < 100; t++)
            sum += t % 3 == b % 3;
    printf("%s\n", *total == sum ? "PASS" : "FAIL");
    return *total != sum;
}
// SPDX-License-Identifier: Apache-2.0
