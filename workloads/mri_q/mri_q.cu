/* Image reconstruction for magnetic resonance, the matrix Q: every voxel adds up a sine and a cosine for
 * every sample of k-space. A thread is a voxel, its position and sums in registers; samples lie in constant
 * memory, a chunk a launch, all lanes read the same one. Arithmetic and special functions only; many
 * registers read every cycle. */
#include "../workload.h"

#define BLOCK_MAG 512
#define BLOCK_Q 256
#define CHUNK 1024
#define TWO_PI 6.2831853071795864769f

struct sample {
    float kx, ky, kz, magnitude;
};

__constant__ struct sample chunk[CHUNK];

__global__ void phi_magnitude(const float *phi_r, const float *phi_i, float *magnitude, int n)
{
    int i = blockIdx.x * BLOCK_MAG + threadIdx.x;
    if (i < n)
        magnitude[i] = phi_r[i] * phi_r[i] + phi_i[i] * phi_i[i];
}

__global__ void compute_q(int samples, const float *x, const float *y, const float *z, float *q_r, float *q_i)
{
    int i = blockIdx.x * BLOCK_Q + threadIdx.x;
    float px = x[i], py = y[i], pz = z[i], sum_r = q_r[i], sum_i = q_i[i];
#pragma unroll 2
    for (int k = 0; k < samples; k++) {
        float angle = TWO_PI * (chunk[k].kx * px + chunk[k].ky * py + chunk[k].kz * pz);
        sum_r += chunk[k].magnitude * __cosf(angle);
        sum_i += chunk[k].magnitude * __sinf(angle);
    }
    q_r[i] = sum_r;
    q_i[i] = sum_i;
}

/* k lies in +-0.5 and positions in [0, 1), so angles stay within +-3 pi, where the approximate sine is off by
 * less than 1e-5 (its argument is rounded to 2^-21 or so); sums of n positive magnitudes round by n * 2^-24.
 * One lost sample is about 1 / n. */
static long compare(const struct sample *s, int samples, float *const pos[3], const float *q_r,
                    const float *q_i, int voxels, int step)
{
    double total = 0;
    for (int k = 0; k < samples; k++)
        total += s[k].magnitude;
    double tolerance = total * (1e-5 + samples * 0x1p-24);
    long wrong = 0;
    for (int i = 0; i < voxels; i += step) {
        double r = 0, im = 0;
        for (int k = 0; k < samples; k++) {
            float angle = TWO_PI * (s[k].kx * pos[0][i] + s[k].ky * pos[1][i] + s[k].kz * pos[2][i]);
            r += s[k].magnitude * cosf(angle);
            im += s[k].magnitude * sinf(angle);
        }
        wrong += !(fabs(q_r[i] - r) <= tolerance) + !(fabs(q_i[i] - im) <= tolerance);
    }
    return wrong;
}

static void make_samples(struct sample *s, float *phi[2], int n, uint32_t *seed)
{
    for (int i = 0; i < n; i++) {
        s[i].kx = next_float(seed) - 0.5f;
        s[i].ky = next_float(seed) - 0.5f;
        s[i].kz = next_float(seed) - 0.5f;
        phi[0][i] = next_float(seed) - 0.5f;
        phi[1][i] = next_float(seed) - 0.5f;
    }
}

/* The magnitudes, made on the device, join their samples. */
static void make_magnitudes(struct sample *s, float *const phi[2], int n)
{
    size_t bytes = n * sizeof(float);
    float *d_r = (float *)device_copy(phi[0], bytes), *d_i = (float *)device_copy(phi[1], bytes);
    float *d_magnitude = (float *)device_alloc(bytes), *magnitude = (float *)host_alloc(bytes);
    phi_magnitude<<<(n + BLOCK_MAG - 1) / BLOCK_MAG, BLOCK_MAG>>>(d_r, d_i, d_magnitude, n);
    fetch(magnitude, d_magnitude, bytes);
    for (int i = 0; i < n; i++)
        s[i].magnitude = magnitude[i];
    CHECK(cudaFree(d_r));
    CHECK(cudaFree(d_i));
    CHECK(cudaFree(d_magnitude));
    free(magnitude);
}

static long off_magnitudes(const struct sample *s, float *const phi[2], int n)
{
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += !(fabsf(s[i].magnitude - (phi[0][i] * phi[0][i] + phi[1][i] * phi[1][i])) <= 1e-6f);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int voxel_counts[] = {2048, 32768, 65536}, sample_counts[] = {96, 320, 2304},
                     steps[] = {1, 4, 64};
    int size = parse_size(argc, argv), voxels = voxel_counts[size], samples = sample_counts[size];
    size_t bytes = voxels * sizeof(float);
    uint32_t seed = 14;
    struct sample *s = (struct sample *)host_alloc(samples * sizeof(*s));
    float *phi[2] = {(float *)host_alloc(samples * sizeof(float)),
                     (float *)host_alloc(samples * sizeof(float))};
    make_samples(s, phi, samples, &seed);
    make_magnitudes(s, phi, samples);
    float *pos[3], *d_pos[3], *q[2], *d_q[2];
    for (int k = 0; k < 3; k++) {
        pos[k] = (float *)host_alloc(bytes);
        for (int i = 0; i < voxels; i++)
            pos[k][i] = next_float(&seed);
        d_pos[k] = (float *)device_copy(pos[k], bytes);
    }
    for (int k = 0; k < 2; k++) {
        q[k] = (float *)host_alloc(bytes);
        d_q[k] = (float *)device_copy(q[k], bytes);
    }
    for (int from = 0; from < samples; from += CHUNK) {
        int count = samples - from < CHUNK ? samples - from : CHUNK;
        CHECK(cudaMemcpyToSymbol(chunk, s + from, count * sizeof(*s)));
        compute_q<<<voxels / BLOCK_Q, BLOCK_Q>>>(count, d_pos[0], d_pos[1], d_pos[2], d_q[0], d_q[1]);
    }
    fetch(q[0], d_q[0], bytes);
    fetch(q[1], d_q[1], bytes);
    long wrong = off_magnitudes(s, phi, samples) + compare(s, samples, pos, q[0], q[1], voxels, steps[size]);
    for (int k = 0; k < 3; k++) {
        CHECK(cudaFree(d_pos[k]));
        free(pos[k]);
    }
    for (int k = 0; k < 2; k++) {
        CHECK(cudaFree(d_q[k]));
        free(q[k]), free(phi[k]);
    }
    free(s);
    return verdict("mri_q", wrong);
}
// SPDX-License-Identifier: Apache-2.0
