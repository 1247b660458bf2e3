/* One 3x3 filter over an image: a thread an output pixel, its nine neighbours straight from global memory,
 * the coefficients as immediates. Straight-line code with nine independent loads and nine multiply-adds;
 * neighbouring rows meet in the caches. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 8

static const float host_filter[3][3] = {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.1f}};

__global__ void convolve(const float *in, float *out, int rows, int cols)
{
    int j = blockIdx.x * BLOCK_X + threadIdx.x;
    int i = blockIdx.y * BLOCK_Y + threadIdx.y;
    const float c11 = 0.2f, c12 = -0.3f, c13 = 0.4f;
    const float c21 = 0.5f, c22 = 0.6f, c23 = 0.7f;
    const float c31 = -0.8f, c32 = -0.9f, c33 = 0.1f;
    if (i > 0 && i < rows - 1 && j > 0 && j < cols - 1)
        out[i * cols + j] = c11 * in[(i - 1) * cols + j - 1] + c12 * in[(i - 1) * cols + j] +
                            c13 * in[(i - 1) * cols + j + 1] + c21 * in[i * cols + j - 1] +
                            c22 * in[i * cols + j] + c23 * in[i * cols + j + 1] +
                            c31 * in[(i + 1) * cols + j - 1] + c32 * in[(i + 1) * cols + j] +
                            c33 * in[(i + 1) * cols + j + 1];
}

static float reference(const float *in, int cols, int i, int j)
{
    float sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += host_filter[y + 1][x + 1] * in[(i + y) * cols + j + x];
    return sum;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {256, 2048, 4096}, repeats[] = {1, 1, 3};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t bytes = (size_t)n * n * sizeof(float);
    float *in = (float *)host_alloc(bytes), *out = (float *)host_alloc(bytes);
    uint32_t seed = 2;
    for (int i = 0; i < n * n; i++)
        in[i] = next_float(&seed);
    float *d_in = (float *)device_copy(in, bytes), *d_out = (float *)device_copy(out, bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((n + BLOCK_X - 1) / BLOCK_X, (n + BLOCK_Y - 1) / BLOCK_Y);
    for (int i = 0; i < repeats[size]; i++)
        convolve<<<grid, block>>>(d_in, d_out, n, n);
    fetch(out, d_out, bytes);

    /* Nine products below 1: rounding stays below 9 * 2^-24 of a sum of magnitudes below 4.5. */
    long wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float want = i == 0 || j == 0 || i == n - 1 || j == n - 1 ? 0.0f : reference(in, n, i, j);
            wrong += !(fabsf(out[i * n + j] - want) <= 1e-5f);
        }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(in), free(out);
    return verdict("conv2d", wrong);
}
// SPDX-License-Identifier: Apache-2.0
