/* Radix-2 FFT of 256 complex points per CTA of 128 threads: bit-reversed load, butterflies in shared
 * memory. */
extern "C" __global__ void fft256(const float2 *in, float2 *out)
{
    __shared__ float2 s[256];
    int t = threadIdx.x;
    const float2 *src = in + blockIdx.x * 256;
    s[__brev(t) >> 24] = src[t];
    s[__brev(t + 128) >> 24] = src[t + 128];
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        int k = t & (half - 1), lo = 2 * t - k, hi = lo + half;
        float sn, cs;
        sincospif(-(float)k / (float)half, &sn, &cs);
        float2 a = s[lo], b = s[hi];
        float re = b.x * cs - b.y * sn, im = b.x * sn + b.y * cs;
        s[lo] = make_float2(a.x + re, a.y + im);
        s[hi] = make_float2(a.x - re, a.y - im);
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = s[t];
    out[blockIdx.x * 256 + t + 128] = s[t + 128];
}
// SPDX-License-Identifier: Apache-2.0
