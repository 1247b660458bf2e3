/* CTA barriers: reductions in a barrier, and named barriers between a producer and a consumer half. */
extern "C" __global__ void bar_red(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int n = __syncthreads_count(v > 0), any = __syncthreads_or(v == 7), all = __syncthreads_and(v < 1000);
    if (threadIdx.x == 0)
        out[blockIdx.x] = n + (any ? 10000 : 0) + (all ? 100000 : 0);
}

extern "C" __global__ void bar_named(const int *in, int *out, int rounds)
{
    __shared__ int s[64];
    int t = threadIdx.x % 64;
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x < 64) {
            s[t] = in[r * 64 + t] * 2;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[r * 64 + t] = s[63 - t];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
