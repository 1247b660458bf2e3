/* Kernels whose machine code is run by tests/cudart/test_cubin.c: built by nvcc -cubin for sm_75, sm_80 and sm_90. */
extern "C" {

__constant__ int scale[4] = {1, 2, 3, 4};
__device__ int counts[4] = {10, 20, 30, 40};
__device__ int *second = &counts[1];
__device__ int total;

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

/* Constants, variables with values, a pointer to one, atomics. */
__global__ void variables(int *out)
{
    int t = threadIdx.x;
    out[t] = scale[t & 3] * counts[t & 3] + *second;
    atomicAdd(&total, t);
}

/* Shared memory of both kinds, barriers, a loop that lanes leave at different times, shuffles. */
__global__ void __launch_bounds__(128) sums(const int *in, int *out)
{
    __shared__ int part[4];
    extern __shared__ int values[];
    int t = threadIdx.x, v = 0;
    for (int k = 0; k <= t % 7; k++)
        v += in[(t + k) % 128];
    values[t] = v;
    __syncthreads();
    v = values[127 - t];
    for (int k = 16; k; k /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, k);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

/* Local memory by index, double precision, division. */
__global__ void numbers(double *out, int divisor)
{
    double kept[16];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        kept[k] = 1.0 / (k + 1) + t;
    out[t] = kept[(t * 7 / divisor) & 15] * 3.0;
}
}
// SPDX-License-Identifier: Apache-2.0
