/* Many tridiagonal systems by parallel cyclic reduction, one system of 512 unknowns a CTA, one equation a
 * thread. In each step an equation takes in those `delta` above and below, so that it refers to unknowns
 * twice as far away. The first step takes them from global memory, where neighbours read the same lines; after
 * it coefficients are exchanged through shared memory (20 bytes a thread). Twelve values and two quotients are
 * live at once: register hungry, with much traffic to shared memory and two barriers a step. Systems are solved
 * batch by batch for two right sides, as implicit schemes do, so that a cache that holds a batch keeps its
 * matrices. */
#include "../workload.h"

#define N 512
#define BATCH 24 /* systems: 144 KB of coefficients, 48 KB of each right side */
#define SIDES 2

__global__ void pcr(const float *__restrict__ d_a, const float *__restrict__ d_b,
                    const float *__restrict__ d_c, const float *__restrict__ d_d, float *__restrict__ d_x,
                    int n)
{
    extern __shared__ float shared[];
    float *a = shared, *b = a + n, *c = b + n, *d = c + n, *x = d + n;
    int i = threadIdx.x, at = blockIdx.x * n + i;
    {
        int low = i ? at - 1 : at, high = i < n - 1 ? at + 1 : at;
        float above = __fdividef(d_a[at], d_b[low]), below = __fdividef(d_c[at], d_b[high]);
        b[i] = d_b[at] - d_c[low] * above - d_a[high] * below;
        d[i] = d_d[at] - d_d[low] * above - d_d[high] * below;
        a[i] = -d_a[low] * above;
        c[i] = -d_c[high] * below;
    }
    __syncthreads();

#pragma unroll 1
    for (int delta = 2; delta < n / 2; delta *= 2) {
        int low = max(i - delta, 0), high = min(i + delta, n - 1);
        float above = __fdividef(a[i], b[low]), below = __fdividef(c[i], b[high]);
        float new_b = b[i] - c[low] * above - a[high] * below;
        float new_d = d[i] - d[low] * above - d[high] * below;
        float new_a = -a[low] * above, new_c = -c[high] * below;
        __syncthreads();
        a[i] = new_a;
        b[i] = new_b;
        c[i] = new_c;
        d[i] = new_d;
        __syncthreads();
    }

    /* Equations n/2 apart are left, two by two. */
    if (i < n / 2) {
        int j = i + n / 2;
        float inv = 1.0f / (b[i] * b[j] - c[i] * a[j]);
        x[i] = (d[i] * b[j] - c[i] * d[j]) * inv;
        x[j] = (b[i] * d[j] - d[i] * a[j]) * inv;
    }
    __syncthreads();
    d_x[at] = x[i];
}

/* Thomas's algorithm. */
static void solve(const float *a, const float *b, const float *c, const float *d, float *x)
{
    double cp[N], dp[N];
    for (int i = 0; i < N; i++) {
        double above_c = i ? cp[i - 1] : 0.0, above_d = i ? dp[i - 1] : 0.0, den = b[i] - a[i] * above_c;
        cp[i] = c[i] / den;
        dp[i] = (d[i] - a[i] * above_d) / den;
    }
    double last = 0.0;
    for (int i = N - 1; i >= 0; i--)
        x[i] = (float)(last = dp[i] - cp[i] * last);
}

int main(int argc, char **argv)
{
    static const int counts[] = {3, 240, 1920};
    int size = parse_size(argc, argv), systems = counts[size], n = systems * N;
    size_t bytes = sizeof(float) * n;
    float *in[3 + SIDES], *d_in[3 + SIDES], *d_x[SIDES];
    float *got = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    uint32_t seed = 1965;
    for (int k = 0; k < 3 + SIDES; k++)
        in[k] = (float *)host_alloc(bytes);
    for (int i = 0; i < n; i++) {
        float a = i % N == 0 ? 0.0f : next_float(&seed) - 0.5f,
              c = i % N == N - 1 ? 0.0f : next_float(&seed) - 0.5f;
        in[0][i] = a;
        in[1][i] = 1.0f + fabsf(a) + fabsf(c);
        in[2][i] = c;
        for (int k = 0; k < SIDES; k++)
            in[3 + k][i] = next_float(&seed) * 2.0f - 1.0f;
    }
    for (int k = 0; k < 3 + SIDES; k++)
        d_in[k] = (float *)device_copy(in[k], bytes);
    for (int k = 0; k < SIDES; k++)
        d_x[k] = (float *)device_alloc(bytes);
    for (int s = 0; s < systems; s += BATCH)
        for (int k = 0; k < SIDES; k++) {
            int at = s * N, these = systems - s < BATCH ? systems - s : BATCH;
            pcr<<<these, N, 5 * N * sizeof(float)>>>(d_in[0] + at, d_in[1] + at, d_in[2] + at,
                                                     d_in[3 + k] + at, d_x[k] + at, N);
        }

    /* The diagonal dominates and the unknowns are below 1: some ten roundings in each of nine steps. */
    long wrong = 0;
    for (int k = 0; k < SIDES; k++) {
        fetch(got, d_x[k], bytes);
        for (int s = 0; s < systems; s++)
            solve(in[0] + s * N, in[1] + s * N, in[2] + s * N, in[3 + k] + s * N, want + s * N);
        wrong += count_off(got, want, n, 2e-5f);
        CHECK(cudaFree(d_x[k]));
    }
    for (int k = 0; k < 3 + SIDES; k++) {
        CHECK(cudaFree(d_in[k]));
        free(in[k]);
    }
    free(got), free(want);
    return verdict("pcr", wrong);
}
// SPDX-License-Identifier: Apache-2.0
