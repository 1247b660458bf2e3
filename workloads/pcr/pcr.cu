/* Many tridiagonal systems by parallel cyclic reduction, one system of 512 unknowns a CTA, one equation a
 * thread. In each step an equation takes in those `delta` above and below, so that it refers to unknowns
 * twice as far away; coefficients are exchanged through shared memory (20 bytes a thread). Twelve values
 * and two quotients are live at once: register hungry, with much traffic to shared memory and two barriers
 * a step. */
#include "../workload.h"

#define N 512

__global__ void pcr(const float *__restrict__ d_a, const float *__restrict__ d_b,
                    const float *__restrict__ d_c, const float *__restrict__ d_d, float *__restrict__ d_x,
                    int n)
{
    extern __shared__ float shared[];
    float *a = shared, *b = a + n, *c = b + n, *d = c + n, *x = d + n;
    int i = threadIdx.x, at = blockIdx.x * n + i;
    a[i] = d_a[at];
    b[i] = d_b[at];
    c[i] = d_c[at];
    d[i] = d_d[at];
    __syncthreads();

#pragma unroll 1
    for (int delta = 1; delta < n / 2; delta *= 2) {
        int low = max(i - delta, 0), high = min(i + delta, n - 1);
        float above = a[i] / b[low], below = c[i] / b[high];
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
    static const int counts[] = {6, 512, 4096}, repeats[] = {1, 1, 2};
    int size = parse_size(argc, argv), systems = counts[size], n = systems * N;
    size_t bytes = sizeof(float) * n;
    float *in[4], *d_in[4], *got = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    uint32_t seed = 1965;
    for (int k = 0; k < 4; k++)
        in[k] = (float *)host_alloc(bytes);
    for (int i = 0; i < n; i++) {
        float a = i % N == 0 ? 0.0f : next_float(&seed) - 0.5f,
              c = i % N == N - 1 ? 0.0f : next_float(&seed) - 0.5f;
        in[0][i] = a;
        in[1][i] = 1.0f + fabsf(a) + fabsf(c);
        in[2][i] = c;
        in[3][i] = next_float(&seed) * 2.0f - 1.0f;
    }
    for (int k = 0; k < 4; k++)
        d_in[k] = (float *)device_copy(in[k], bytes);
    float *d_x = (float *)device_alloc(bytes);
    for (int r = 0; r < repeats[size]; r++)
        pcr<<<systems, N, 5 * N * sizeof(float)>>>(d_in[0], d_in[1], d_in[2], d_in[3], d_x, N);
    fetch(got, d_x, bytes);

    for (int s = 0; s < systems; s++)
        solve(in[0] + s * N, in[1] + s * N, in[2] + s * N, in[3] + s * N, want + s * N);
    /* The diagonal dominates and the unknowns are below 1: some ten roundings in each of nine steps. */
    long wrong = count_off(got, want, n, 2e-5f);
    for (int k = 0; k < 4; k++) {
        CHECK(cudaFree(d_in[k]));
        free(in[k]);
    }
    CHECK(cudaFree(d_x));
    free(got), free(want);
    return verdict("pcr", wrong);
}
