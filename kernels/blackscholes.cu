/* European option prices; expf, logf and sqrtf as the compiler inlines them. */
__device__ float cdf(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float p =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float c = 0.39894228040143267794f * expf(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - c : c;
}

extern "C" __global__ void blackscholes(float *call, float *put, const float *price, const float *strike,
                                        const float *years, float rate, float vol, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * vol * vol) * t) / (vol * root), d2 = d1 - vol * root;
    float n1 = cdf(d1), n2 = cdf(d2), disc = expf(-rate * t);
    call[i] = s * n1 - x * disc * n2;
    put[i] = x * disc * (1.0f - n2) - s * (1.0f - n1);
}
// SPDX-License-Identifier: Apache-2.0
