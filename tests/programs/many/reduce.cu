/* Reductions as samples write them: kernels by element type, block size and operation, shared memory by a template. */
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

/* extern arrays of different types cannot share a name, so each type brings its own */
template <class T> struct SharedMemory {
    __device__ operator T *()
    {
        extern __shared__ int raw[];
        return (T *)raw;
    }
};
template <> struct SharedMemory<double> {
    __device__ operator double *()
    {
        extern __shared__ double raw_d[];
        return (double *)raw_d;
    }
};

struct Add {
    template <class T> __host__ __device__ static T join(T a, T b) { return a + b; }
    template <class T> __host__ __device__ static T none() { return T(0); }
};
struct Max {
    template <class T> __host__ __device__ static T join(T a, T b) { return a > b ? a : b; }
    template <class T> __host__ __device__ static T none() { return T(-1000000); }
};

template <class T, class Op, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(const T *__restrict__ in, T *out, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x,
                 grid = blockSize * 2 * gridDim.x;
    T mine = Op::template none<T>();
    while (i < n) {
        mine = Op::join(mine, in[i]);
        if (nIsPow2 || i + blockSize < n)
            mine = Op::join(mine, in[i + blockSize]);
        i += grid;
    }
    sdata[tid] = mine;
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256)
            sdata[tid] = mine = Op::join(mine, sdata[tid + 256]);
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = mine = Op::join(mine, sdata[tid + 128]);
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = mine = Op::join(mine, sdata[tid + 64]);
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64)
            mine = Op::join(mine, sdata[tid + 32]);
        for (int offset = 16; offset > 0; offset /= 2)
            mine = Op::join(mine, __shfl_down_sync(0xffffffff, mine, offset));
    }
    if (tid == 0)
        out[blockIdx.x] = mine;
}

template <class T, class Op, unsigned int threads> static bool test(unsigned int n)
{
    std::vector<T> h(n);
    T want = Op::template none<T>();
    for (unsigned int i = 0; i < n; i++) {
        h[i] = T((i * 7919u) % 1001u) - T(500);
        want = Op::join(want, h[i]);
    }
    T *d, *part;
    cudaMalloc(&d, n * sizeof(T));
    cudaMalloc(&part, 64 * sizeof(T));
    cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    bool pow2 = (n & (n - 1)) == 0;
    size_t smem = threads * sizeof(T);
    if (pow2)
        reduce<T, Op, threads, true><<<8, threads, smem>>>(d, part, n);
    else
        reduce<T, Op, threads, false><<<8, threads, smem>>>(d, part, n);
    T host[8], got = Op::template none<T>();
    cudaMemcpy(host, part, sizeof host, cudaMemcpyDeviceToHost);
    for (T v : host)
        got = Op::join(got, v);
    cudaFree(d);
    cudaFree(part);
    return got == want && cudaGetLastError() == cudaSuccess;
}

int main()
{
    bool ok = true;
    ok &= test<int, Add, 64>(100000) && test<int, Add, 128>(65536) && test<int, Max, 512>(4097);
    ok &= test<float, Add, 256>(5000) && test<float, Max, 256>(8192);
    ok &= test<double, Add, 512>(30000) && test<double, Max, 64>(777);
    ok &= test<long long, Add, 128>(12345);
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
// SPDX-License-Identifier: Apache-2.0
