/* Bitonic sort: a CTA of 256 threads sorts 512 keys in shared memory; bitonic_step is one compare-
 * exchange pass over global memory, for sizes beyond a CTA. */
extern "C" __global__ void bitonic_block(unsigned *keys)
{
    __shared__ unsigned s[512];
    unsigned *k = keys + blockIdx.x * 512;
    unsigned t = threadIdx.x;
    s[t] = k[t];
    s[t + 256] = k[t + 256];
    for (unsigned size = 2; size <= 512; size *= 2) {
        for (unsigned gap = size / 2; gap > 0; gap /= 2) {
            __syncthreads();
            unsigned lo = 2 * t - (t & (gap - 1)), hi = lo + gap;
            bool up = (lo & size) == 0;
            unsigned a = s[lo], b = s[hi];
            if ((a > b) == up) {
                s[lo] = b;
                s[hi] = a;
            }
        }
    }
    __syncthreads();
    k[t] = s[t];
    k[t + 256] = s[t + 256];
}

extern "C" __global__ void bitonic_step(unsigned *keys, unsigned size, unsigned gap)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ gap;
    if (other <= i)
        return;
    unsigned a = keys[i], b = keys[other];
    if ((a > b) == ((i & size) == 0)) {
        keys[i] = b;
        keys[other] = a;
    }
}
// SPDX-License-Identifier: Apache-2.0
