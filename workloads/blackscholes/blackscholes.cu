/* Prices of European call and put options by the formula of Black and Scholes, one option a thread. Three
 * coalesced loads, two stores and some seventy instructions of arithmetic, the special function unit among
 * them: short kernels limited by memory. */
#include "../workload.h"

#define BLOCK 128
#define RATE 0.02f
#define VOLATILITY 0.30f

/* The cumulative normal distribution, after Abramowitz and Stegun 26.2.17. */
__device__ float normal_cdf(float d)
{
    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float poly =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228040143267794f * __expf(-0.5f * d * d) * poly;
    return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(float *__restrict__ call, float *__restrict__ put,
                              const float *__restrict__ price, const float *__restrict__ strike,
                              const float *__restrict__ years, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float s = price[i], x = strike[i], t = years[i];
    float root = VOLATILITY * sqrtf(t);
    float d1 = __fdividef(__logf(__fdividef(s, x)) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t, root);
    float p1 = normal_cdf(d1), p2 = normal_cdf(d1 - root);
    float discounted = x * __expf(-RATE * t);
    call[i] = s * p1 - discounted * p2;
    put[i] = discounted * (1.0f - p2) - s * (1.0f - p1);
}

static double cdf(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

static void cpu_price(float *call, float *put, double s, double x, double t)
{
    double root = VOLATILITY * sqrt(t), d1 = (log(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / root;
    double p1 = cdf(d1), p2 = cdf(d1 - root), discounted = x * exp(-RATE * t);
    *call = (float)(s * p1 - discounted * p2);
    *put = (float)(discounted * (1.0 - p2) - s * (1.0 - p1));
}

int main(int argc, char **argv)
{
    static const int options[] = {16000, 1000000, 4000000}, repeats[] = {1, 1, 8};
    int size = parse_size(argc, argv), n = options[size];
    size_t bytes = sizeof(float) * n;
    float *in[3], *d_in[3], *got[2], *want[2], *d_out[2];
    static const float low[] = {5.0f, 1.0f, 0.25f}, high[] = {30.0f, 100.0f, 10.0f};
    uint32_t seed = 5347;
    for (int k = 0; k < 3; k++) {
        in[k] = (float *)host_alloc(bytes);
        for (int i = 0; i < n; i++)
            in[k][i] = low[k] + (high[k] - low[k]) * next_float(&seed);
        d_in[k] = (float *)device_copy(in[k], bytes);
    }
    for (int k = 0; k < 2; k++) {
        got[k] = (float *)host_alloc(bytes);
        want[k] = (float *)host_alloc(bytes);
        d_out[k] = (float *)device_alloc(bytes);
    }
    for (int r = 0; r < repeats[size]; r++)
        black_scholes<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_out[0], d_out[1], d_in[0], d_in[1], d_in[2], n);
    for (int i = 0; i < n; i++)
        cpu_price(&want[0][i], &want[1][i], in[0][i], in[1][i], in[2][i]);

    /* The polynomial is good to 7.5e-8 and the fast functions to some 1e-6; both are multiplied by up to
     * 100. */
    long wrong = 0;
    for (int k = 0; k < 2; k++) {
        fetch(got[k], d_out[k], bytes);
        wrong += count_off(got[k], want[k], n, 2e-4f);
        CHECK(cudaFree(d_out[k]));
        free(got[k]), free(want[k]);
    }
    for (int k = 0; k < 3; k++) {
        CHECK(cudaFree(d_in[k]));
        free(in[k]);
    }
    return verdict("blackscholes", wrong);
}
// SPDX-License-Identifier: Apache-2.0
