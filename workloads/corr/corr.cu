/* The correlation matrix of m variables over n observations: mean and deviation with a thread a column,
 * centring with a thread an element, then a thread a variable for its row of the triangle. The triangle gives
 * lanes and warps unequal work, the sum is kept in global memory (divergent stores), and few CTAs exist:
 * latency is what the program waits for. */
#include "../workload.h"

#define BLOCK 256
#define BLOCK_X 32
#define BLOCK_Y 8
#define TINY 0.005f

__global__ void mean_kernel(const float *data, float *mean, int m, int n)
{
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= m)
        return;
    mean[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
        mean[j] += data[i * m + j];
    mean[j] /= (float)n;
}

__global__ void deviation_kernel(const float *data, const float *mean, float *deviation, int m, int n)
{
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= m)
        return;
    deviation[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
        deviation[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    deviation[j] = sqrtf(deviation[j] / (float)n);
    if (deviation[j] <= TINY)
        deviation[j] = 1;
}

__global__ void centre_kernel(float *data, const float *mean, const float *deviation, int m, int n)
{
    int j = blockIdx.x * BLOCK_X + threadIdx.x;
    int i = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (i < n && j < m) {
        data[i * m + j] -= mean[j];
        data[i * m + j] /= sqrtf((float)n) * deviation[j];
    }
}

__global__ void corr_kernel(const float *data, float *matrix, int m, int n)
{
    int j1 = blockIdx.x * BLOCK + threadIdx.x;
    if (j1 >= m)
        return;
    matrix[j1 * m + j1] = 1;
    for (int j2 = j1 + 1; j2 < m; j2++) {
        const float *column1 = data + j1, *column2 = data + j2;
        matrix[j1 * m + j2] = 0;
#pragma unroll 2
        for (int i = 0; i < n; i++, column1 += m, column2 += m)
            matrix[j1 * m + j2] += *column1 * *column2;
        matrix[j2 * m + j1] = matrix[j1 * m + j2];
    }
}

/* The columns, centred and of length 1. */
static void normalise(const float *data, float *to, int m, int n)
{
    for (int j = 0; j < m; j++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < n; i++)
            mean += data[i * m + j];
        mean /= n;
        for (int i = 0; i < n; i++)
            squares += (data[i * m + j] - mean) * (data[i * m + j] - mean);
        double deviation = sqrt(squares / n);
        for (int i = 0; i < n; i++)
            to[j * n + i] =
                (float)((data[i * m + j] - mean) / (sqrt(n) * (deviation <= TINY ? 1 : deviation)));
    }
}

/* A correlation is at most 1; mean, deviation and sum are each off by n * 2^-24 at most. One lost term is
 * about 1 / n. */
static long compare(const float *data, const float *got, int m, int n)
{
    float *columns = (float *)host_alloc((size_t)m * n * sizeof(float));
    normalise(data, columns, m, n);
    long wrong = 0;
    for (int j1 = 0; j1 < m; j1++)
        for (int j2 = j1; j2 < m; j2++) {
            float want = 0;
            for (int i = 0; i < n; i++)
                want += columns[j1 * n + i] * columns[j2 * n + i];
            wrong += !(fabsf(got[j1 * m + j2] - (j1 == j2 ? 1 : want)) <= 8 * n * 0x1p-24f);
            wrong += got[j2 * m + j1] != got[j1 * m + j2];
        }
    free(columns);
    return wrong;
}

int main(int argc, char **argv)
{
    /* PolyBench has 2048 of both. */
    int variables[] = {128, 640, 2048}, observations[] = {32, 40, 128};
    const struct choice options[] = {{"variables", NULL, &variables[DEFAULT]},
                                     {"observations", NULL, &observations[DEFAULT]}};
    int size = parse_args(argc, argv, options, 2), m = variables[size], n = observations[size];
    size_t bytes = (size_t)m * n * sizeof(float), square = (size_t)m * m * sizeof(float),
           vector = m * sizeof(float);
    float *data = (float *)host_alloc(bytes), *matrix = (float *)host_alloc(square);
    uint32_t seed = 12;
    for (int i = 0; i < m * n; i++)
        data[i] = next_float(&seed);
    float *d_data = (float *)device_copy(data, bytes), *d_mean = (float *)device_alloc(vector);
    float *d_deviation = (float *)device_alloc(vector), *d_matrix = (float *)device_alloc(square);
    int grid = (m + BLOCK - 1) / BLOCK;
    dim3 block2(BLOCK_X, BLOCK_Y), grid2((m + BLOCK_X - 1) / BLOCK_X, (n + BLOCK_Y - 1) / BLOCK_Y);
    mean_kernel<<<grid, BLOCK>>>(d_data, d_mean, m, n);
    deviation_kernel<<<grid, BLOCK>>>(d_data, d_mean, d_deviation, m, n);
    centre_kernel<<<grid2, block2>>>(d_data, d_mean, d_deviation, m, n);
    corr_kernel<<<grid, BLOCK>>>(d_data, d_matrix, m, n);
    fetch(matrix, d_matrix, square);
    long wrong = compare(data, matrix, m, n);
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_mean));
    CHECK(cudaFree(d_deviation));
    CHECK(cudaFree(d_matrix));
    free(data), free(matrix);
    return verdict("corr", wrong);
}
// SPDX-License-Identifier: Apache-2.0
