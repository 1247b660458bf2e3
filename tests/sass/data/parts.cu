/* Something of everything that a cubin has: constants, variables with and without a value, pointers to both, a function that is called
 * and one that is called by its address, shared and local memory, bounds of a launch, a cluster, an external function. */
#include <cstdio>

__constant__ int tab[16] = {1, 2, 3};
__device__ float g[8];
__device__ int gi[4] = {4, 5, 6, 7};
__device__ int *gp = &gi[2];
__device__ __noinline__ int f(int x) { return x * tab[x & 15] + gi[x & 3]; }
__device__ int (*fp)(int) = f;

template <int N> __global__ void __launch_bounds__(128, 2) k(int *out, char c, double d)
{
    __shared__ int s[64];
    extern __shared__ int dyn[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int loc[20];
    for (int i = 0; i < 20; i++)
        loc[i] = s[i] * c;
    out[threadIdx.x] = fp(loc[out[0] % 20]) + f(3) + (int)d + N + dyn[threadIdx.x] + (int)g[threadIdx.x & 7] + *gp;
    printf("out %d\n", out[0]);
}
template __global__ void k<1>(int *, char, double);

#if __CUDA_ARCH__ >= 900 || !defined __CUDA_ARCH__
__global__ void __cluster_dims__(2, 1, 1) both(int *o)
{
    o[threadIdx.x] = 1;
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;");
}
#endif
// SPDX-License-Identifier: Apache-2.0
