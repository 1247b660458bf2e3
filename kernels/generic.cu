/* Generic addresses: one pointer that is global, shared or local by data; globals with initial values;
 * dynamic shared memory. */
__device__ int scale = 3;
__device__ int history[64];
__device__ int *alias = &history[8];
__device__ float coef[4] = {1.0f, -2.5f, 0.25f, 8.0f};

__device__ __noinline__ int sum4(const int *p) { return p[0] + 2 * p[1] + 3 * p[2] + 4 * p[3]; }

extern "C" __global__ void generic_sum(const int *in, int *out)
{
    extern __shared__ int dyn[];
    int t = threadIdx.x, own[4];
    for (int j = 0; j < 4; j++) {
        dyn[4 * t + j] = in[4 * t + j] + 100;
        own[j] = in[(4 * t + j * 5) & 127] - 50;
    }
    const int *p = t % 3 == 0 ? in + 4 * t : t % 3 == 1 ? dyn + 4 * t : own;
    out[t] = sum4(p) * scale;
    if (t < 8)
        alias[t] = out[t] + (int)coef[t & 3];
}

extern "C" __global__ void dynamic_reverse(int *v, int n)
{
    extern __shared__ int dyn[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dyn[i] = v[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        v[i] = dyn[n - 1 - i];
}
// SPDX-License-Identifier: Apache-2.0
